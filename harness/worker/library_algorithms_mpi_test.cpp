// SPDX-License-Identifier: BSD-3-Clause
// Counts which functions of the MPI library run: an algorithm must run exactly where `refusal` says
// nothing against it, and give right results.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <set>
#include <vector>

#include "core/error.hpp"
#include "core/mapping.hpp"
#include "executor/communicator.hpp"
#include "executor/mpi_error.hpp"
#include "executor/nodes.hpp"
#include "harness/worker/candidate.hpp"
#include "harness/worker/library_choice.hpp"
#include "harness/worker/spy/spy.hpp"
#include "harness/worker/workspace.hpp"
#include "kernels/params.hpp"
#include "libraries/forced/forced_algorithm.hpp"
#include "libraries/forced/tools.hpp"
#include "libraries/library_algorithm.hpp"
#include "libraries/mpich_compositions.hpp"
#include "libraries/openmpi_rules.hpp"

namespace breakeven::worker {
namespace {

constexpr const char* kLibrary = BREAKEVEN_MPI;

/// The problem's elements: around every condition, and large enough for segments.
std::set<std::int64_t> sizes(int procs) {
  std::set<std::int64_t> found{1, 2, 3, procs - 1, procs, procs + 1, 2 * procs, 1000, 20000};
  found.erase(0);
  return found;
}

/// Collective. Which ranks share memory.
NodeLayout node_layout(const executor::Communicator& comm) {
  const int first = executor::memory_mates(comm).first;
  std::vector<int> all(static_cast<std::size_t>(comm.procs()));
  executor::check_mpi(MPI_Allgather(&first, 1, MPI_INT, all.data(), 1, MPI_INT, comm.get()),
                      "MPI_Allgather");
  return recognise(all);
}

/// One of several levels calls others of the same collective within.
bool has_levels(const libraries::LibraryAlgorithm& algorithm) {
  return algorithm.name == "smp" || libraries::openmpi::is_han(algorithm.name);
}

/// Where these don't run as they are named, the library gives up: there is nothing to count.
bool ends_the_job(const libraries::LibraryAlgorithm& algorithm) {
  return algorithm.name == "two_proc" ||
         algorithm.function == "MPIR_Reduce_scatter_intra_noncommutative";
}

/// Where functions get parameters: the number of an argument on the stack.
struct Place {
  std::string_view function;
  std::string_view param;
  int argument;
};
using namespace libraries::library_params;
constexpr std::array kPlaces{
    Place{"MPIR_Allgather_intra_k_brucks", kRadix, 1},
    Place{"MPIR_Allreduce_intra_recexch", kRadix, 0},
    Place{"MPIR_Alltoall_intra_k_brucks", kRadix, 1},
    Place{"MPIR_Bcast_intra_tree", kRadix, 0},
    Place{"ompi_coll_base_allgather_intra_k_bruck", kRadix, 2},
    Place{"ompi_coll_base_allreduce_intra_ring_segmented", kSegmentBytes, 1},
    Place{"ompi_coll_base_alltoall_intra_linear_sync", kMaxRequests, 2},
    Place{"ompi_coll_base_bcast_intra_binomial", kSegmentBytes, 0},
    Place{"ompi_coll_base_bcast_intra_chain", kSegmentBytes, 0},
    Place{"ompi_coll_base_bcast_intra_chain", kFanout, 1},
    Place{"ompi_coll_base_bcast_intra_knomial", kSegmentBytes, 0},
    Place{"ompi_coll_base_bcast_intra_knomial", kRadix, 1},
    Place{"ompi_coll_base_gather_intra_linear_sync", kSegmentBytes, 3},
    Place{"ompi_coll_base_reduce_intra_chain", kSegmentBytes, 2},
    Place{"ompi_coll_base_reduce_intra_chain", kFanout, 3},
    Place{"ompi_coll_base_reduce_intra_chain", kMaxRequests, 4},
    Place{"ompi_coll_base_reduce_intra_knomial", kRadix, 4},
};

class LibraryAlgorithms : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { tools_.emplace(); }
  static void TearDownTestSuite() { tools_.reset(); }

  LibraryAlgorithms()
      : comm_{MPI_COMM_WORLD}, layout_{node_layout(comm_)}, capabilities_{library_capabilities()} {}

  [[nodiscard]] Case problem(Collective collective, std::int64_t count) const {
    const bool moves = moves_data(collective);
    return {.collective = collective,
            .procs = comm_.procs(),
            .nodes = layout_.nodes,
            .procs_per_node = layout_.procs_per_node,
            .mapping = layout_.mapping,
            .message = moves ? Bytes{count * extent(Datatype::double_).value} : Bytes{0},
            .datatype = Datatype::double_,
            .op = reduces(collective) ? Op::sum : Op::none};
  }

  /// Every case of what the library lists, with its variants at all sizes, dealt out in all ways.
  template <typename Visit>
  void for_each_case(const Visit& visit) const {
    for (const ListedAlgorithm& listed : capabilities_.algorithms) {
      const std::set<std::int64_t> all =
          moves_data(listed.collective) ? sizes(comm_.procs()) : std::set<std::int64_t>{1};
      for (const std::int64_t size : all) {
        Case what = problem(listed.collective, size);
        what.variant = LibraryOwn{std::string{kLibrary}, std::string{listed.name}};
        for (const auto& [counts, name] : kCounts.entries) {
          if (counts != Counts::equal && !irregular(what.collective)) continue;
          what.counts = counts;
          for (const std::string& params : libraries::library_variants(what)) {
            what.variant = what.variant.with_params(params);
            visit(what);
          }
        }
      }
    }
  }

  /// The known functions of the case's collective that run when its algorithm is forced.
  [[nodiscard]] std::set<std::string_view> functions_that_run(const Case& what) const {
    Workspace workspace{what, comm_.procs(), comm_.me()};
    workspace.prepare([] {});
    const forced::ForcedAlgorithm algorithm{what, comm_.get(), forced::Unable::fails};
    const auto run = bind_candidate({.variant = Native{}}, workspace, algorithm.comm(), false).run;
    // In its first call on a communicator coll/han finds out whether it can work there.
    if (libraries::openmpi::is_han(libraries::find_library_algorithm(what)->name)) {
      const forced::ForcedAlgorithm::Enforced enforced{&algorithm};
      run();
      workspace.prepare([] {});
    }
    spy::reset();
    {
      const forced::ForcedAlgorithm::Enforced enforced{&algorithm};
      try {
        run();
      } catch (const Error&) {
        return {};  // the library itself refuses
      }
    }
    EXPECT_EQ(workspace.complaint([] {}), std::nullopt) << to_text(what);
    std::set<std::string_view> ran;
    for (const libraries::KnownLibrary& library : libraries::known_libraries()) {
      if (library.name != kLibrary) continue;
      for (const libraries::LibraryAlgorithm& each : library.algorithms) {
        if (each.collective == what.collective && spy::count(each.function.data()) > 0) {
          ran.insert(each.function);
        }
      }
    }
    return ran;
  }

  // One for all tests: MPICH has no variables any more once its tools interface was closed.
  static inline std::optional<forced::ToolsSession> tools_;
  const executor::Communicator comm_;
  const NodeLayout layout_;
  const LibraryCapabilities capabilities_;
};

TEST_F(LibraryAlgorithms, AreListed) {
  EXPECT_GT(capabilities_.algorithms.size(), 30U);
  EXPECT_EQ(capabilities_.note, "");
}

TEST_F(LibraryAlgorithms, ThatAreListedAreAllKnown) {
  for_each_case([](const Case& what) {
    EXPECT_NE(libraries::find_library_algorithm(what), nullptr) << to_text(what);
  });
}

TEST_F(LibraryAlgorithms, RunAsTheyAreNamedExactlyWhereNothingIsSaidAgainstIt) {
  ASSERT_TRUE(spy::is_here());
  int ran_as_named = 0;
  for_each_case([&](const Case& what) {
    const libraries::LibraryAlgorithm* known = libraries::find_library_algorithm(what);
    // The library chooses the parts of a composition: see mpich/compositions_mpi_test.cpp.
    if (known == nullptr || libraries::mpich::is_composition(known->name)) return;
    const bool refused = libraries::refusal(what).has_value();
    // Open MPI 6 runs it with fewer elements too.
    if (refused && known->function == "ompi_coll_base_allreduce_intra_redscat_allgather") return;
    if (refused && ends_the_job(*known)) return;
    const std::set<std::string_view> ran = functions_that_run(what);
    const bool as_named = ran.contains(known->function) && (has_levels(*known) || ran.size() == 1);
    EXPECT_EQ(as_named, !refused) << to_text(what) << ": ran " << ::testing::PrintToString(ran);
    if (as_named) ++ran_as_named;
  });
  EXPECT_GT(ran_as_named, 100);
}

TEST_F(LibraryAlgorithms, GetTheirParameters) {
  ASSERT_TRUE(spy::is_here());
  int seen = 0;
  const auto check = [&](const Case& what) {
    const libraries::LibraryAlgorithm* const known = libraries::find_library_algorithm(what);
    if (known == nullptr || libraries::refusal(what)) return;
    const auto params = kernels::Params::parse(what.variant.params());
    for (const Place& place : kPlaces) {
      const auto value = params.find_number(place.param, 1);
      if (!value || place.function != known->function) continue;
      static_cast<void>(functions_that_run(what));
      EXPECT_EQ(static_cast<int>(spy::argument(place.function.data(), place.argument)), *value)
          << to_text(what) << ": " << place.param;
      ++seen;
    }
  };
  for_each_case(check);
  for (const ListedAlgorithm& listed : capabilities_.algorithms) {
    Case what = problem(listed.collective, 1000);
    what.variant = LibraryOwn{kLibrary, listed.name, fmt::format("{}=3", kMaxRequests)};
    const auto* const known = libraries::find_library_algorithm(what);
    if (known != nullptr && known->find_param(kMaxRequests) != nullptr) check(what);
  }
  EXPECT_TRUE(seen > 10 || std::string_view{kLibrary} == "mpich");  // 4.0 has none
}

TEST_F(LibraryAlgorithms, LeaveNoTraceOnceTheyAreNotEnforced) {
  ASSERT_TRUE(spy::is_here());
  const auto functions_of_native = [&](const Case& what) {
    Workspace workspace{what, comm_.procs(), comm_.me()};
    workspace.prepare([] {});
    spy::reset();
    bind_candidate({.variant = Native{}}, workspace, comm_.get(), false).run();
    std::set<std::string_view> ran;
    for (const libraries::KnownLibrary& library : libraries::known_libraries()) {
      for (const libraries::LibraryAlgorithm& each : library.algorithms) {
        if (spy::count(each.function.data()) > 0) ran.insert(each.function);
      }
    }
    return ran;
  };
  const Case what = problem(Collective::allreduce, 1000);
  const std::set<std::string_view> before = functions_of_native(what);
  for_each_case([&](const Case& other) {
    if (other.collective != what.collective || libraries::refusal(other)) return;
    static_cast<void>(functions_that_run(other));
    EXPECT_EQ(functions_of_native(what), before) << "after " << to_text(other);
  });
}

}  // namespace
}  // namespace breakeven::worker
