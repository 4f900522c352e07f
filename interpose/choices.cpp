// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/choices.hpp"

#include <fmt/format.h>

#include "api/unfit.hpp"
#include "core/error.hpp"
#include "executor/mpi_error.hpp"
#include "executor/nodes.hpp"
#include "executor/plan_of.hpp"
#include "kernels/build.hpp"
#include "libraries/forced/in_program.hpp"
#include "libraries/library_algorithm.hpp"

namespace breakeven::interpose {

namespace {

using executor::check_mpi;
using executor::MpiCall;

/// The node of each rank; empty where there is nothing to choose for.
std::vector<int> nodes_of(const Job& job, MPI_Comm comm) {
  int inter = 0;
  int procs = 0;
  check_mpi(PMPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
  check_mpi(PMPI_Comm_size(comm, &procs), "MPI_Comm_size");
  if (inter != 0 || procs == 1) return {};
  std::vector<int> nodes;
  for (const int rank : executor::ranks_in_world(comm)) {
    if (rank == MPI_UNDEFINED) return {};
    nodes.push_back(job.nodes[static_cast<std::size_t>(rank)]);
  }
  return nodes;
}

}  // namespace

Choices::Choices(const Job& job, MPI_Comm comm) : job_{&job} {
  const std::vector<int> nodes = nodes_of(job, comm);
  if (nodes.empty()) return;
  layout_ = recognise(nodes);
  if (!job.profile.empty()) uses_ = std::make_unique<CommUses>();
  check_mpi(PMPI_Comm_rank(comm, &me_), "MPI_Comm_rank");
  for (const auto& [collective, name] : kCollectives.entries) {
    api::SizeChoices& choices = choices_[static_cast<std::size_t>(collective)];
    if (kernels::catalogue(collective).empty()) continue;
    if (job.table) choices = api::choices_of(*job.table, collective, layout_);
    if (job.cycle) choices = all_that_run(collective);
  }
}

api::SizeChoices Choices::all_that_run(Collective collective) const {
  const kernels::Placement placement{.procs_per_node = layout_.procs_per_node,
                                     .mapping = layout_.mapping};
  api::SizeChoices choices;
  for (const kernels::Algorithm* algorithm : kernels::catalogue(collective)) {
    std::vector<std::string> variants = kernels::variants_of(*algorithm, layout_.procs);
    variants.insert(variants.begin(), "");
    for (const std::string& params : variants) {
      const kernels::Problem problem{.collective = collective,
                                     .procs = layout_.procs,
                                     .params = kernels::Params::parse(params),
                                     .placement = placement};
      if (!kernels::runs(*algorithm, problem)) continue;
      choices.push_back(
          {.variant = {.variant = {algorithm, problem.params}, .placement = placement}});
    }
  }
  for (const mock_ups::MockUp& each : mock_ups::catalogue()) {
    if (each.collective == collective) choices.push_back({.mock_up = &each});
  }
  for (const auto& [library, algorithms] : libraries::known_libraries()) {
    if (library != BREAKEVEN_MPI || !job_->forces) continue;
    for (const libraries::LibraryAlgorithm& each : algorithms) {
      if (each.collective != collective) continue;
      choices.push_back({.library = fmt::format("{}:{}", library, each.name)});
    }
  }
  return choices;
}

const api::SizeChoice* Choices::choose(const MpiCall& call) const {
  const api::SizeChoices& choices = of(call.collective);
  if (!job_->cycle || choices.empty()) return api::choose(choices, call, layout_);
  const std::array<std::intptr_t, 4> equal_on_all_ranks{static_cast<std::intptr_t>(*job_->cycle),
                                                        static_cast<std::intptr_t>(call.collective),
                                                        api::message_of(call).value, call.root};
  const std::uint64_t begin = mixed(equal_on_all_ranks);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const api::SizeChoice& choice = choices[(begin + i) % choices.size()];
    if (api::serves(choice, call, layout_)) return &choice;
  }
  return nullptr;
}

const forced::ForcedAlgorithm* Choices::forced(const std::string& algorithm, const MpiCall& call) {
  if (!job_->forces) return nullptr;
  const auto [found, is_new] = forced_.try_emplace(Named{call.collective, algorithm});
  if (is_new) {
    try {
      found->second = forced::force_in_program(api::library_case(algorithm, call, layout_),
                                               call.comm, forced::Unable::substitutes);
    } catch (const Error&) {
      // Another version's.
    }
  }
  return found->second.get();
}

Amount* Choices::amount_of(const MpiCall& call, const Way& way, const api::SizeChoice* choice) {
  if (uses_ == nullptr) return nullptr;
  std::string algorithm{kNative};
  if (way.composed != nullptr) algorithm = choice->mock_up->name;
  if (way.forced != nullptr) algorithm = choice->library;
  if (way.plan != nullptr) algorithm = to_text(choice->variant.variant);
  return &uses_->of(use_of(call, api::message_of(call), layout_, std::move(algorithm)));
}

}  // namespace breakeven::interpose
