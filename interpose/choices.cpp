// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/choices.hpp"

#include <fmt/format.h>

#include <mutex>
#include <numeric>
#include <optional>

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

/// Where the processes are; nothing where there is nothing to choose for.
std::optional<NodeLayout> layout_on(const Job& job, MPI_Comm comm) {
  int inter = 0;
  int procs = 0;
  check_mpi(PMPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
  check_mpi(PMPI_Comm_size(comm, &procs), "MPI_Comm_size");
  if (inter != 0 || procs == 1) return std::nullopt;
  std::vector<int> nodes(static_cast<std::size_t>(procs));
  std::iota(nodes.begin(), nodes.end(), 0);
  nodes = executor::ranks_in(MPI_COMM_WORLD, comm, nodes);
  for (int& each : nodes) {
    if (each == MPI_UNDEFINED) return std::nullopt;
    const NodeLayout& world = job.layout;
    each = world.mapping.node_of(Rank{each}, world.nodes, world.procs_per_node);
  }
  return recognise(nodes);
}

api::SizeChoices all_that_run(const Job& job, Collective collective, const NodeLayout& layout) {
  const kernels::Placement placement{.procs_per_node = layout.procs_per_node,
                                     .mapping = layout.mapping};
  api::SizeChoices choices;
  for (const kernels::Algorithm* algorithm : kernels::catalogue(collective)) {
    std::vector<std::string> variants = kernels::variants_of(*algorithm, layout.procs);
    variants.insert(variants.begin(), "");
    for (const std::string& params : variants) {
      const kernels::Problem problem{.collective = collective,
                                     .procs = layout.procs,
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
    if (library != BREAKEVEN_MPI || !job.one_thread) continue;
    for (const libraries::LibraryAlgorithm& each : algorithms) {
      if (each.collective != collective) continue;
      choices.push_back({.library = fmt::format("{}:{}", library, each.name)});
    }
  }
  return choices;
}

std::shared_ptr<const LayoutChoices> choices_on(const Job& job, const NodeLayout& layout) {
  LayoutChoices made{.layout = layout};
  for (const auto& [collective, name] : kCollectives.entries) {
    api::SizeChoices& choices = made.of_collectives[static_cast<std::size_t>(collective)];
    if (kernels::catalogue(collective).empty()) continue;
    if (job.table) choices = api::choices_of(*job.table, collective, layout);
    if (job.cycle) choices = all_that_run(job, collective, layout);
  }
  return std::make_shared<const LayoutChoices>(std::move(made));
}

/// One for all communicators of the layout; of 64 layouts it is kept for the next communicator.
std::shared_ptr<const LayoutChoices> shared_choices(const Job& job, const NodeLayout& layout) {
  static auto& mutex = *new std::mutex;
  static auto& known = *new std::map<NodeLayout, std::shared_ptr<const LayoutChoices>>;
  const std::scoped_lock lock{mutex};
  if (known.size() == 64 && !known.contains(layout)) known.clear();
  std::shared_ptr<const LayoutChoices>& found = known[layout];
  if (found == nullptr) found = choices_on(job, layout);
  return found;
}

}  // namespace

Choices::Choices(const Job& job, MPI_Comm comm)
    : job_{&job}, comm_{comm}, unserved_{job.cycle || comm == MPI_COMM_WORLD ? 1 : kFirstServed} {
  if (!job.profile.empty()) look();
}

void Choices::look() noexcept {
  try {
    const std::optional<NodeLayout> layout = layout_on(*job_, comm_);
    if (!layout) return;
    check_mpi(PMPI_Comm_rank(comm_, &me_), "MPI_Comm_rank");
    known_ = std::vector<Known>(unserved_ > 0 ? 1 : 64);
    shared_ = shared_choices(*job_, *layout);
  } catch (const std::exception&) {
    // The library says what is wrong with the communicator.
  }
}

const api::SizeChoice* Choices::choose(const MpiCall& call) const {
  const api::SizeChoices& choices = of(call.collective);
  const NodeLayout& layout = shared_->layout;
  if (!job_->cycle || choices.empty()) return api::choose(choices, call, layout);
  const std::array<std::intptr_t, 4> equal_on_all_ranks{static_cast<std::intptr_t>(*job_->cycle),
                                                        static_cast<std::intptr_t>(call.collective),
                                                        api::message_of(call).value, call.root};
  const std::uint64_t begin = mixed(equal_on_all_ranks);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const api::SizeChoice& choice = choices[(begin + i) % choices.size()];
    if (api::serves(choice, call, layout)) return &choice;
  }
  return nullptr;
}

const forced::ForcedAlgorithm* Choices::forced(const std::string& algorithm, const MpiCall& call) {
  if (!job_->one_thread) return nullptr;
  const auto [found, is_new] = forced_.try_emplace({call.collective, algorithm});
  if (is_new) {
    try {
      found->second = forced::force_in_program(api::library_case(algorithm, call, shared_->layout),
                                               call.comm, forced::Unable::substitutes);
    } catch (const Error&) {
      // Another version's.
    }
  }
  return found->second.get();
}

Amount* Choices::amount_of(const MpiCall& call, const Way& way, const api::SizeChoice* choice) {
  if (job_->profile.empty()) return nullptr;
  std::string algorithm{kNative};
  if (way.composed != nullptr) algorithm = to_text(choice->mock_up->variant());
  if (way.forced != nullptr) algorithm = choice->library;
  if (way.plan != nullptr) algorithm = to_text(choice->variant.variant);
  return &amount_of_use(use_of(call, api::message_of(call), shared_->layout, std::move(algorithm)));
}

}  // namespace breakeven::interpose
