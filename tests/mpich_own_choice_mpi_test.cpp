// SPDX-License-Identifier: BSD-3-Clause
// The choice that is derived from MPICH's own trees, against the functions that run, counted.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/mapping.hpp"
#include "executor/communicator.hpp"
#include "executor/mpi_types.hpp"
#include "executor/nodes.hpp"
#include "harness/worker/candidate.hpp"
#include "harness/worker/library_choice.hpp"
#include "harness/worker/spy/spy.hpp"
#include "harness/worker/workspace.hpp"
#include "libraries/library_algorithm.hpp"
#include "libraries/mpich_compositions.hpp"
#include "tables/formats/mpich/own_choice.hpp"

namespace breakeven {
namespace {

using namespace worker;

/// The functions of the collective's algorithms that native runs.
std::set<std::string_view> functions_of_native(const Case& what,
                                               const executor::Communicator& comm) {
  Workspace workspace{what, comm.procs(), comm.me()};
  const auto run = bind_candidate({.variant = Native{}}, workspace, comm.get(), false).run;
  run();
  workspace.prepare([] {});
  spy::reset();
  run();
  std::map<std::string_view, int> most;  // processes of a call; for one there is nothing to do
  for (const spy::Call& call : spy::calls()) {
    int procs = 0;
    MPI_Comm_size(call.communicator, &procs);
    most[call.function] = std::max(most[call.function], procs);
  }
  std::set<std::string_view> ran;
  for (const libraries::KnownLibrary& library : libraries::known_libraries()) {
    for (const libraries::LibraryAlgorithm& each : library.algorithms) {
      if (each.collective == what.collective &&
          !(most.contains(each.function) && most[each.function] == 1) &&
          spy::count(each.function.data()) > 0)
        ran.insert(each.function);
    }
  }
  return ran;
}

/// Collective. Which ranks share memory: MPICH's nodes.
NodeLayout memory_layout(const executor::Communicator& comm) {
  const int first = executor::memory_mates(comm).first;
  std::vector<int> nodes(static_cast<std::size_t>(comm.procs()));
  MPI_Allgather(&first, 1, MPI_INT, nodes.data(), 1, MPI_INT, comm.get());
  return recognise(nodes);
}

TEST(MpichOwnChoice, IsWhatRuns) {
  ASSERT_TRUE(spy::is_here());
  const executor::Communicator comm{MPI_COMM_WORLD};
  const NodeLayout layout = memory_layout(comm);
  const formats::mpich::OwnChoice own{{.library_version = executor::library_version_line()},
                                      library_capabilities()};
  int algorithms = 0;
  for (const auto& [collective, name] : kCollectives.entries) {
    std::set<std::string_view> different;
    for (const std::int64_t count : {1, 2, 3, 100, 1000, 3000, 20000, 100000}) {
      const Case what{.collective = collective,
                      .procs = layout.procs,
                      .nodes = layout.nodes,
                      .procs_per_node = layout.procs_per_node,
                      .mapping = layout.mapping,
                      .message = moves_data(collective) ? Bytes{8 * count} : Bytes{},
                      .datatype = Datatype::double_,
                      .op = reduces(collective) ? Op::sum : Op::none};
      const std::optional<LibraryOwn> derived = own.choose(what);
      ASSERT_TRUE(derived.has_value()) << to_text(what);
      const std::set<std::string_view> ran = functions_of_native(what, comm);
      if (libraries::mpich::is_composition(derived->name)) continue;
      const auto* const algorithm = libraries::find_library_algorithm(with_variant(what, *derived));
      const bool levels = algorithm->name == "smp";  // calls others of the collective within
      EXPECT_TRUE(ran.contains(algorithm->function) && (levels || ran.size() == 1))
          << to_text(what) << ": derived " << derived->name << ", ran "
          << ::testing::PrintToString(ran);
      if (different.insert(algorithm->function).second) ++algorithms;
    }
  }
  EXPECT_GT(algorithms, 12);
}

}  // namespace
}  // namespace breakeven
