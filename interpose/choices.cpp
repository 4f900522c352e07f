// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/choices.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "api/unfit.hpp"
#include "core/error.hpp"
#include "executor/element_type.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"
#include "executor/nodes.hpp"
#include "interpose/native_algorithm.hpp"
#include "interpose/uses.hpp"
#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "libraries/library_algorithm.hpp"
#include "mock_ups/mock_up.hpp"

namespace breakeven::interpose {

namespace {

using executor::check_mpi;
using executor::MpiCall;

int delete_choices(MPI_Comm, int, void* choices, void*) {
  ++executor::freed_handles();
  delete static_cast<Choices*>(choices);
  return MPI_SUCCESS;
}

/// The processes' ranks in MPI_COMM_WORLD; nothing where nothing can be chosen.
std::optional<std::vector<int>> ranks_of(MPI_Comm comm) {
  int inter = 0;
  int procs = 0;
  check_mpi(PMPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
  check_mpi(PMPI_Comm_size(comm, &procs), "MPI_Comm_size");
  if (inter != 0 || procs == 1) return std::nullopt;
  std::vector<int> ranks(static_cast<std::size_t>(procs));
  std::iota(ranks.begin(), ranks.end(), 0);
  ranks = executor::ranks_in(MPI_COMM_WORLD, comm, ranks);
  if (std::ranges::find(ranks, MPI_UNDEFINED) != ranks.end()) return std::nullopt;
  return ranks;
}

int stride_of(std::span<const int> ranks) {
  const int stride = ranks[1] - ranks[0];
  for (std::size_t i = 1; i < ranks.size(); ++i) {
    if (ranks[i] - ranks[i - 1] != stride) return 0;
  }
  return std::max(stride, 0);
}

/// Where the processes are. Of a communicator smaller than the job its fellows on the same nodes
/// are taken to call at once.
NodeLayout layout_on(const Job& job, std::vector<int> ranks) {
  const NodeLayout& world = job.layout;
  for (int& each : ranks)
    each = world.mapping.node_of(Rank{each}, world.nodes, world.procs_per_node);
  NodeLayout layout = recognise(ranks);
  layout.comms_per_node = std::max(1, world.procs_per_node / layout.procs_per_node);
  return layout;
}

/// Keys are numbers, as sizes choose nothing.
api::SizeChoices all_that_run(const Job& job, Collective collective, const NodeLayout& layout) {
  const kernels::Placement placement{.procs_per_node = layout.procs_per_node,
                                     .mapping = layout.mapping};
  api::SizeChoices choices;
  const auto add = [&](Variant choice) {
    choices.emplace(Bytes{std::ssize(choices)}, std::move(choice));
  };
  for (const kernels::Algorithm* algorithm : kernels::catalogue(collective)) {
    std::vector<std::string> variants = kernels::variants_of(*algorithm, layout.procs);
    variants.insert(variants.begin(), "");
    for (const std::string& params : variants) {
      const kernels::Problem problem{.collective = collective,
                                     .procs = layout.procs,
                                     .params = kernels::Params::parse(params),
                                     .placement = placement};
      if (kernels::runs(*algorithm, problem)) add(Ours{std::string{algorithm->name}, params});
    }
  }
  for (const mock_ups::MockUp& each : mock_ups::catalogue()) {
    if (each.collective == collective && mock_ups::runs_in_programs(each)) add(each.variant());
  }
  for (const libraries::KnownLibrary& library : libraries::known_libraries()) {
    if (library.name != BREAKEVEN_MPI || !job.one_thread) continue;
    for (const libraries::LibraryAlgorithm& each : library.algorithms) {
      if (each.collective == collective)
        add(LibraryOwn{std::string{library.name}, std::string{each.name}});
    }
  }
  return choices;
}

api::LayoutChoices choices_on(const Job& job, const NodeLayout& layout) {
  if (job.table) return api::choices_of(*job.table, layout);
  api::LayoutChoices made{.layout = layout};
  if (!job.cycle) return made;
  for (const auto& [collective, name] : kCollectives.entries) {
    made.of_collectives[static_cast<std::size_t>(collective)] =
        all_that_run(job, collective, layout);
  }
  return made;
}

/// One for all communicators of the layout; of 64 layouts it is kept for the next communicator.
std::shared_ptr<const api::LayoutChoices> shared_choices(const Job& job, const NodeLayout& layout) {
  static auto& mutex = *new std::mutex;
  static auto& known = *new std::map<NodeLayout, std::shared_ptr<const api::LayoutChoices>>;
  const std::scoped_lock lock{mutex};
  if (known.size() == 64 && !known.contains(layout)) known.clear();
  std::shared_ptr<const api::LayoutChoices>& found = known[layout];
  if (found == nullptr) found = std::make_shared<api::LayoutChoices>(choices_on(job, layout));
  return found;
}

}  // namespace

Choices* find_choices(MPI_Comm comm) noexcept {
  const Job* const job = current_job().load(std::memory_order_acquire);
  if (job == nullptr || comm == MPI_COMM_NULL) return nullptr;
  try {
    static const int keyval = api::make_keyval(delete_choices);
    void* found = nullptr;
    int there = 0;
    check_mpi(PMPI_Comm_get_attr(comm, keyval, &found, &there), "MPI_Comm_get_attr");
    if (there != 0) return static_cast<Choices*>(found);
    auto made = std::make_unique<Choices>(*job, comm);
    check_mpi(PMPI_Comm_set_attr(comm, keyval, made.get()), "MPI_Comm_set_attr");
    return made.release();
  } catch (const std::exception&) {
    return nullptr;  // the library says what is wrong with the communicator
  }
}

Choices::Choices(const Job& job, MPI_Comm comm)
    : job_{&job},
      comm_{comm},
      unserved_{job.from_first_call || comm == MPI_COMM_WORLD ? 1 : kFirstServed},
      calls_{comm} {
  if (!job.profile.empty()) look();
}

void Choices::look() noexcept {
  try {
    const std::optional<std::vector<int>> ranks = ranks_of(comm_);
    if (!ranks) return;
    stride_ = stride_of(*ranks);
    check_mpi(PMPI_Comm_rank(comm_, &me_), "MPI_Comm_rank");
    calls_.close();  // which were left to the library
    shared_ = shared_choices(*job_, layout_on(*job_, *ranks));
  } catch (const std::exception&) {
    // The library says what is wrong with the communicator.
  }
}

const Variant* Choices::choose(const MpiCall& call) const {
  if (left_to_library(call.collective)) return nullptr;
  const api::SizeChoices& choices = shared_->of(call.collective);
  // No plans once the program has our communicator, and nothing is forced on several threads.
  const auto possible = [&](const Variant* choice) {
    if (choice == nullptr) return false;
    if (choice->is<LibraryOwn>()) return job_->one_thread;
    return job_->world != nullptr || !choice->is<Ours>();
  };
  if (!job_->cycle) {
    const Variant* const chosen = api::choose(*shared_, call);
    return possible(chosen) ? chosen : nullptr;
  }
  const std::array<std::intptr_t, 4> equal_on_all_ranks{static_cast<std::intptr_t>(*job_->cycle),
                                                        static_cast<std::intptr_t>(call.collective),
                                                        api::message_of(call).value, call.root};
  const auto begin = static_cast<std::int64_t>(api::mixed(equal_on_all_ranks) % choices.size());
  for (std::int64_t i = 0; i < std::ssize(choices); ++i) {
    const Variant& choice = choices.at({(begin + i) % std::ssize(choices)});
    if (!api::unfit(choice, call, shared_->layout)) return possible(&choice) ? &choice : nullptr;
  }
  return nullptr;
}

tables::Amount* Choices::amount_of(const MpiCall& call, CallForm form) noexcept {
  try {
    if (!api::is_valid(call, shared_->layout.procs, me_)) return nullptr;
    const Bytes message = power_below(api::message_of(call));
    const std::array<std::intptr_t, 4> key{
        static_cast<std::intptr_t>(call.collective) | static_cast<std::intptr_t>(form) << 8 |
            std::intptr_t{call.in_place} << 16,
        message.value, api::bits_of(call.described().type), api::bits_of(call.op)};
    tables::Amount*& amount = amounts_[key];
    if (amount == nullptr) {
      Use use = use_of(call, message, shared_->layout, Native{});
      use.form = form;
      amount = &amount_of_use(use);
    }
    return amount;
  } catch (const std::exception&) {
    return nullptr;
  }
}

tables::Amount& Choices::amount_of(const MpiCall& call, tables::Amount& kept,
                                   const libraries::LibraryAlgorithm& ran) noexcept {
  try {
    tables::Amount*& amount = observed_[{&kept, &ran}];
    if (amount == nullptr) {
      Use use = use_of(call, api::message_of(call), shared_->layout, Native{});
      use.native = LibraryOwn{BREAKEVEN_MPI, std::string{ran.name}};
      amount = &amount_of_use(use);
    }
    return *amount;
  } catch (const std::exception&) {
    return kept;
  }
}

void Choices::count(const MpiCall& call, const Variant& native, api::KeptChoice& kept) const {
  Use use = use_of(call, api::message_of(call), shared_->layout, kept.choice.variant);
  use.native = native;
  kept.amount = &amount_of_use(use);
}

const api::KeptChoice* Choices::refitted(const api::KeptChoice& kept, const MpiCall& call) const {
  if (!api::is_valid(call, shared_->layout.procs, me_)) return nullptr;
  kept.choice.plan()->fit(call, {});
  return &kept;
}

const api::KeptChoice* Choices::bound(const MpiCall& call) {
  if (!api::is_valid(call, shared_->layout.procs, me_)) return nullptr;
  bool sought = !api::root_knows_shares(call.collective);
  const Variant* chosen = nullptr;
  api::KeptChoice made;
  try {
    chosen = choose(call);
    if (chosen != nullptr) {
      const auto shares = calls_.shares_of(*chosen, call, shared_->layout);
      if (!std::exchange(sought, true)) {
        if (const api::KeptChoice* const found = calls_.find(call)) {
          if (executor::Plan* const plan = found->choice.plan()) plan->fit(call, shares);
          return found;
        }
      }
      made.choice =
          calls_.bind(*chosen, call, shared_->layout, shares, forced::Unable::substitutes);
    }
  } catch (const UsageError&) {
    // It can't be bound on any rank, or the library refuses the arguments.
  }
  bool exact = job_->cycle || (chosen != nullptr && made.choice.plan() == nullptr);
  if (counts()) {
    DerivedAlgorithm native;
    if (made.choice.variant.is<Native>())
      native = derived_algorithm(call, shared_->layout, job_->shares_memory);
    exact |= native.of_exact_size && !irregular(call.collective);
    const bool known = native.algorithm && (exact || !native.of_exact_size);
    count(call, known ? Variant{*native.algorithm} : Variant{}, made);
  }
  // The library's error is better than one for an operation that is none.
  const bool plain = !irregular(call.collective) &&
                     (!reduces(call.collective) || executor::op_of(call.op).has_value());
  if (!sought || (chosen == nullptr && !plain)) return &(unkept_ = std::move(made));
  return &calls_.keep(call, std::move(made),
                      exact ? std::nullopt : api::sizes_like(*shared_, call));
}

int perform(const api::BoundChoice& choice, const MpiCall& call) {
  int error = MPI_ERR_OTHER;
  try {
    return choice.run(call, [] { return MPI_SUCCESS; });
  } catch (const executor::MpiError& failed) {
    error = failed.status();
    if (std::holds_alternative<api::BoundChoice::MockUp>(choice.by))
      return error;  // the handler had it
  } catch (const std::bad_alloc&) {
    error = MPI_ERR_NO_MEM;
  } catch (const std::exception&) {
    // An error of the plan.
  }
  return fail(error, call.comm);
}

int fail(int error, MPI_Comm comm) {
  PMPI_Comm_call_errhandler(comm, error);
  return error;
}

}  // namespace breakeven::interpose
