// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/choices.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "executor/element_type.hpp"
#include "executor/mpi_error.hpp"
#include "kernels/build.hpp"
#include "libraries/library_algorithm.hpp"

namespace breakeven::interpose {

namespace {

using executor::CallBuffer;
using executor::check_mpi;
using executor::MpiCall;

/// The node of each rank; empty where there is nothing to choose for.
std::vector<int> nodes_of(const Job& job, MPI_Comm comm) {
  int inter = 0;
  int procs = 0;
  check_mpi(PMPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
  check_mpi(PMPI_Comm_size(comm, &procs), "MPI_Comm_size");
  if (inter != 0 || procs == 1) return {};
  std::vector<int> ranks(static_cast<std::size_t>(procs));
  std::vector<int> in_world(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  check_mpi(PMPI_Comm_group(comm, &group), "MPI_Comm_group");
  check_mpi(PMPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
  check_mpi(PMPI_Group_translate_ranks(group, procs, ranks.data(), world, in_world.data()),
            "MPI_Group_translate_ranks");
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  std::vector<int> nodes;
  for (const int rank : in_world) {
    if (rank == MPI_UNDEFINED) return {};
    nodes.push_back(job.nodes[static_cast<std::size_t>(rank)]);
  }
  return nodes;
}

/// That only the root knows the shares of others.
bool sizes_differ_by_rank(Collective collective) {
  return rooted(collective) && irregular(collective);
}

/// What tables mean by the message's size: the mean block where counts differ; 0 where not all
/// ranks know it.
Bytes message_of(const MpiCall& call) {
  if (sizes_differ_by_rank(call.collective)) return {};
  const CallBuffer& buffer = call.described();
  if (!buffer.present()) return {};
  const std::int64_t size = executor::size_of(buffer.type);
  if (buffer.counts.empty()) return {buffer.count * size};
  const std::int64_t sum =
      std::accumulate(buffer.counts.begin(), buffer.counts.end(), std::int64_t{0});
  return {sum * size / static_cast<std::int64_t>(buffer.counts.size())};
}

bool keeps_order(const executor::ChosenVariant& choice) {
  const auto& [algorithm, params] = choice.variant;
  return algorithm->order_preserving && !params.find(kernels::kReorderRanks.key);
}

}  // namespace

Choices::Choices(const Job& job, MPI_Comm comm) : job_{&job} {
  const std::vector<int> nodes = nodes_of(job, comm);
  if (nodes.empty()) return;
  layout_ = recognise(nodes);
  if (!job.profile.empty()) uses_ = std::make_unique<CommUses>();
  check_mpi(PMPI_Comm_rank(comm, &me_), "MPI_Comm_rank");
  const kernels::Placement placement{.procs_per_node = layout_.procs_per_node,
                                     .mapping = layout_.mapping};
  for (const auto& [collective, name] : kCollectives.entries) {
    List& list = lists_[static_cast<std::size_t>(collective)];
    if (kernels::catalogue(collective).empty()) continue;
    if (job.table) list = from_table(collective, placement);
    if (job.cycle) list = all_that_run(collective, placement);
  }
}

Choices::List Choices::from_table(Collective collective,
                                  const kernels::Placement& placement) const {
  std::set<Bytes> firsts{Bytes{0}};
  for (const tuner::Rule& rule : job_->table->rules) {
    if (rule.what.collective == collective) firsts.insert(rule.what.message);
  }
  List list;
  bool ours = false;
  for (const Bytes first : firsts) {
    const tuner::Choice chosen =
        job_->table->choose(collective, layout_.procs, first, placement.mapping);
    Choice choice{.first = first};
    const Case what{.algorithm = chosen.algorithm, .params = chosen.params};
    if (chosen.algorithm != kNative && !libraries::library_name(chosen.algorithm)) {
      choice.variant = {.variant = kernels::find_variant(collective, variant_text(what)),
                        .placement = placement};
      ours = true;
    }
    if (list.empty() || list.back().variant.variant != choice.variant.variant) {
      list.push_back(std::move(choice));
    }
  }
  if (!ours || (sizes_differ_by_rank(collective) && list.size() > 1)) list.clear();
  return list;
}

Choices::List Choices::all_that_run(Collective collective,
                                    const kernels::Placement& placement) const {
  List list;
  for (const kernels::Algorithm* algorithm : kernels::catalogue(collective)) {
    std::vector<std::string> variants = kernels::variants_of(*algorithm, layout_.procs);
    variants.insert(variants.begin(), "");
    for (const std::string& params : variants) {
      const kernels::Problem problem{.collective = collective,
                                     .procs = layout_.procs,
                                     .params = kernels::Params::parse(params),
                                     .placement = placement};
      if (!kernels::runs(*algorithm, problem)) continue;
      list.push_back({.variant = {.variant = {algorithm, problem.params}, .placement = placement}});
    }
  }
  return list;
}

const executor::ChosenVariant* Choices::choose(const MpiCall& call) const {
  const List& list = of(call.collective);
  if (list.empty()) return nullptr;
  int commutative = 1;
  if (reduces(call.collective)) {
    check_mpi(PMPI_Op_commutative(call.op, &commutative), "MPI_Op_commutative");
  }
  const auto fits = [&](const Choice& choice) {
    return choice.variant.variant.algorithm != nullptr &&
           (commutative != 0 || keeps_order(choice.variant));
  };
  const Bytes message = message_of(call);
  if (job_->cycle) {
    const std::array<std::intptr_t, 4> equal_on_all_ranks{
        static_cast<std::intptr_t>(*job_->cycle), static_cast<std::intptr_t>(call.collective),
        message.value, call.root};
    const std::uint64_t begin = mixed(equal_on_all_ranks);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Choice& choice = list[(begin + i) % list.size()];
      if (fits(choice)) return &choice.variant;
    }
    return nullptr;
  }
  const auto above = std::ranges::upper_bound(list, message, {}, &Choice::first);
  const Choice& choice = *std::prev(above);
  return fits(choice) ? &choice.variant : nullptr;
}

Amount* Choices::amount_of(const MpiCall& call, const executor::ChosenVariant* choice) {
  if (uses_ == nullptr) return nullptr;
  std::string algorithm{kNative};
  if (choice != nullptr) {
    const Case what{.algorithm = std::string{choice->variant.algorithm->name},
                    .params = choice->variant.params.text()};
    algorithm = variant_text(what);
  }
  return &uses_->of(use_of(call, message_of(call), layout_, std::move(algorithm)));
}

}  // namespace breakeven::interpose
