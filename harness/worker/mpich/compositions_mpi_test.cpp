// SPDX-License-Identifier: BSD-3-Clause
// The device's compositions are inlined, so that they can't be counted. They are told apart by the
// collectives that MPICH's algorithms do for them, in this order, on communicators of these sizes.
// Where a composition's condition doesn't hold, MPICH ends the call with an error: the test asks
// for that.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "executor/communicator.hpp"
#include "executor/mpi_types.hpp"
#include "harness/worker/candidate.hpp"
#include "harness/worker/library_choice.hpp"
#include "harness/worker/spy/spy.hpp"
#include "harness/worker/workspace.hpp"
#include "libraries/forced/forced_algorithm.hpp"
#include "libraries/forced/tools.hpp"
#include "libraries/library_algorithm.hpp"
#include "libraries/mpich_compositions.hpp"

namespace breakeven::worker {
namespace {

/// "Reduce 2", "Bcast 4": the collective, and the size of its communicator.
using Stages = std::vector<std::string>;

/// The nodes, with the same number of processes on each, and the place of this rank.
struct Layout {
  int procs = 1;
  int nodes = 1;
  int on_node = 1;  ///< processes
  int node_rank = 0;
  bool sequential = true;
  bool with_root = true;  ///< this rank's node has the root
  int root_on_node = 0;   ///< the root's rank there

  [[nodiscard]] bool first() const { return node_rank == 0; }
};

std::string stage(std::string_view collective, int procs) {
  return fmt::format("{} {}", collective, procs);
}

/// One algorithm of the user's collective on the user's communicator.
Stages flat(std::string_view collective, const Layout& at) { return {stage(collective, at.procs)}; }

Stages levels(const Layout& at, std::string_view below, std::string_view between,
              std::string_view above) {
  Stages stages;
  if (!below.empty()) stages.push_back(stage(below, at.on_node));
  if (at.first()) stages.push_back(stage(between, at.nodes));
  if (!above.empty()) stages.push_back(stage(above, at.on_node));
  return stages;
}

/// MPICH's own choice on a communicator that shares nodes is an algorithm of levels.
Stages flat_barrier(const Layout& at) {
  Stages stages = flat("Barrier", at);
  if (at.on_node == 1) return stages;
  for (std::string& each : levels(at, "Barrier", "Barrier", "Bcast")) stages.push_back(each);
  return stages;
}

/// Each leader has some of the node's processes below it.
Stages leaders(const Layout& at) {
  const int leaders = libraries::mpich::leaders(at.on_node);
  const bool leads = at.node_rank % (at.on_node / leaders) == 0;
  Stages stages{stage("Barrier", at.on_node), stage("Reduce", at.on_node / leaders)};
  if (leads) {
    for (const std::string_view each : {"Barrier", "Barrier", "Bcast"}) {
      stages.push_back(stage(each, leaders));  // of levels, on one node
    }
    stages.push_back(stage("Allreduce", at.nodes));
  }
  stages.push_back(stage("Barrier", at.on_node));
  return stages;
}

/// The stages of a composition at a rank, by the sources; nothing for an unknown composition.
std::optional<Stages> expected(const Case& what, const Layout& at) {
  const std::string_view name = what.variant.library()->name;
  const auto is = [&](std::string_view letter) {
    return name == fmt::format("composition_{}", letter);
  };
  switch (what.collective) {
    case Collective::allgather:
      if (is("beta")) return flat("Allgather", at);
      return Stages{stage("Barrier", at.on_node), stage("Barrier", at.on_node),
                    stage("Allgather", at.nodes)};
    case Collective::allreduce:
      if (is("alpha")) return levels(at, "Reduce", "Allreduce", "Bcast");
      return is("delta") ? leaders(at) : flat("Allreduce", at);
    case Collective::alltoall:
      if (is("beta")) return flat("Alltoall", at);
      return Stages{stage("Barrier", at.on_node), stage("Barrier", at.on_node),
                    stage("Alltoall", at.nodes)};
    case Collective::barrier:
      return is("alpha") ? levels(at, "Barrier", "Barrier", "Bcast") : flat_barrier(at);
    case Collective::bcast:
      if (is("gamma")) return flat("Bcast", at);
      // The root's node first, where the root can't begin with the other nodes.
      if (is("beta") && at.with_root && at.root_on_node != 0)
        return levels(at, "Bcast", "Bcast", "");
      return levels(at, "", "Bcast", "Bcast");
    case Collective::reduce:
      if (is("gamma")) return flat("Reduce", at);
      if (is("beta") && at.with_root) return levels(at, "", "Reduce", "Reduce");
      return levels(at, "Reduce", "Reduce", "");
    default: return std::nullopt;
  }
}

/// "Allreduce 4" of each call; those on one process do nothing.
Stages stages_of(const std::vector<spy::Call>& calls) {
  Stages stages;
  for (const spy::Call& call : calls) {
    constexpr std::string_view kLayer = "MPIR_";
    const std::string_view name = call.function.substr(kLayer.size());
    int procs = 0;
    MPI_Comm_size(call.communicator, &procs);
    if (procs > 1) stages.push_back(stage(name.substr(0, name.find('_')), procs));
  }
  return stages;
}

class MpichCompositions : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { tools_.emplace(); }
  static void TearDownTestSuite() { tools_.reset(); }

  MpichCompositions() : comm_{MPI_COMM_WORLD}, capabilities_{library_capabilities()} {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(comm_.get(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &layout_.on_node);
    MPI_Comm_rank(node, &layout_.node_rank);
    layout_.procs = comm_.procs();
    layout_.nodes = layout_.procs / layout_.on_node;
    int begins = comm_.me().value;
    MPI_Bcast(&begins, 1, MPI_INT, 0, node);
    // All ranks agree: either every node's ranks follow each other, or none's.
    layout_.sequential = comm_.me().value - begins == layout_.node_rank;
    MPI_Comm_free(&node);
    int everywhere = layout_.sequential ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &everywhere, 1, MPI_INT, MPI_MIN, comm_.get());
    layout_.sequential = everywhere == 1;
  }

  [[nodiscard]] Layout layout(int root) const {
    Layout layout = layout_;
    const int node = layout.sequential ? root / layout.on_node : root % layout.nodes;
    const int mine =
        layout.sequential ? comm_.me().value / layout.on_node : comm_.me().value % layout.nodes;
    layout.with_root = node == mine;
    layout.root_on_node = layout.sequential ? root % layout.on_node : root / layout.nodes;
    return layout;
  }

  [[nodiscard]] Case problem(Collective collective, std::int64_t count, int root) const {
    const std::int64_t extent_bytes = extent(Datatype::double_).value;
    return {.collective = collective,
            .procs = comm_.procs(),
            .nodes = layout_.nodes,
            .procs_per_node = layout_.on_node,
            .mapping = layout_.sequential ? Mapping::seq : Mapping::rr,
            .message = {moves_data(collective) ? count * extent_bytes : 0},
            .datatype = Datatype::double_,
            .op = reduces(collective) ? Op::sum : Op::none,
            .root = {rooted(collective) ? root : 0}};
  }

  template <typename Visit>
  void for_each_case(const Visit& visit) const {
    for (const ListedAlgorithm& listed : capabilities_.algorithms) {
      if (!libraries::mpich::is_composition(listed.name)) continue;
      for (const std::int64_t count : {1, 2, 3, 4, 7, 512, 513, 20000}) {
        for (const int root : std::set<int>{0, 1, comm_.procs() - 1}) {
          Case what = problem(listed.collective, count, root);
          what.variant = LibraryOwn{"mpich", listed.name};
          visit(what);
        }
      }
    }
  }

  /// The stages that run for the case; nothing where MPICH ends the call with an error.
  [[nodiscard]] std::optional<Stages> ran(const Case& what) const {
    Workspace workspace{what, comm_.procs(), comm_.me()};
    const forced::ForcedAlgorithm algorithm{what, comm_.get(), forced::Unable::fails};
    const auto run = bind_candidate({.variant = Native{}}, workspace, algorithm.comm(), false).run;
    const forced::ForcedAlgorithm::Enforced enforced{&algorithm};
    try {
      run();  // communicators of leaders are made in the first call
      workspace.prepare([] {});
      spy::reset();
      run();
    } catch (const Error&) {
      return std::nullopt;
    }
    const std::vector<spy::Call> calls = spy::calls();
    EXPECT_EQ(workspace.complaint([] {}), std::nullopt) << to_text(what);
    return stages_of(calls);
  }

  // One for all tests: MPICH has no variables any more once its tools interface was closed.
  static inline std::optional<forced::ToolsSession> tools_;
  const executor::Communicator comm_;
  const LibraryCapabilities capabilities_;
  const std::string library_version_ = executor::library_version();
  Layout layout_;
};

TEST_F(MpichCompositions, RunExactlyWhereNothingIsSaidAgainstIt) {
  ASSERT_TRUE(spy::is_here());
  for_each_case([&](const Case& what) {
    EXPECT_EQ(ran(what).has_value(), !libraries::refusal(what).has_value()) << to_text(what);
  });
}

TEST_F(MpichCompositions, PutTogetherWhatTheirNamesMean) {
  ASSERT_TRUE(spy::is_here());
  for_each_case([&](const Case& what) {
    if (libraries::refusal(what)) return;
    Stages wanted = expected(what, layout(what.root.value)).value_or(Stages{"unknown"});
    std::erase_if(wanted, [](const std::string& each) { return each.ends_with(" 1"); });
    EXPECT_EQ(ran(what), wanted) << to_text(what) << " at rank " << comm_.me().value;
  });
}

TEST_F(MpichCompositions, AreListedWhereAVariableChoosesThem) {
  std::size_t listed = 0;
  for_each_case([&](const Case&) { ++listed; });
  std::string_view version{library_version_};
  version.remove_prefix(version.find_first_of("0123456789"));
  const bool before_4_1 = version.starts_with("4.0.");
  EXPECT_EQ(listed == 0, before_4_1) << library_version_;
  if (before_4_1) return;
  for (const libraries::LibraryAlgorithm& each : libraries::mpich::compositions()) {
    EXPECT_TRUE(std::ranges::any_of(capabilities_.algorithms, [&](const ListedAlgorithm& one) {
      return one.collective == each.collective && one.name == each.name;
    })) << each.function;
  }
}

}  // namespace
}  // namespace breakeven::worker
