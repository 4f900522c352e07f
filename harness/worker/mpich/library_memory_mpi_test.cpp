// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "executor/mpi_types.hpp"
#include "harness/worker/library_choice.hpp"
#include "libraries/forced/mpich/library_memory.hpp"
#include "libraries/forced/mpich/variables.hpp"
#include "libraries/forced/tools.hpp"
#include "libraries/mpich_parameters.hpp"

namespace breakeven::worker {
namespace {

class LibraryMemory : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { tools_.emplace(); }
  static void TearDownTestSuite() { tools_.reset(); }

  // One for all tests: MPICH has no variables any more once its tools interface was closed.
  static inline std::optional<forced::ToolsSession> tools_;
};

TEST_F(LibraryMemory, HasTheDefaultTrees) {
  const std::vector<DefaultTree> trees = library_capabilities().default_trees;
  const auto find = [&](std::string_view name) {
    const auto found = std::ranges::find(trees, name, &DefaultTree::name);
    return found == trees.end() ? nlohmann::json{} : nlohmann::json::parse(found->json);
  };
  for (const char* collective : {"collective=allreduce", "collective=bcast"}) {
    EXPECT_TRUE(find("mpir").contains(collective));
    EXPECT_TRUE(find("ch4").contains(collective));
  }
  EXPECT_GE(find("mpir").size(), 44U);  // every collective: a file has to have them all
}

TEST_F(LibraryMemory, HasTheWordsOfAllVariables) {
  int variables = 0;
  for (const auto& [collective, name] : kCollectives.entries) {
    const auto variable =
        forced::ControlVariable::find(forced::mpich::algorithm_variable(collective));
    if (!variable) continue;
    ++variables;
    std::vector<std::string> found;
    for (const std::string_view part : forced::mpich::library_memory()) {
      std::ranges::move(forced::mpich::algorithms_in(part, collective), std::back_inserter(found));
    }
    std::vector<std::string_view> names{forced::mpich::kAuto};
    names.insert(names.end(), found.begin(), found.end());
    EXPECT_EQ(libraries::mpich::listed_words(variable->description(), names),
              forced::mpich::algorithm_choices(collective))
        << name;
  }
  EXPECT_GT(variables, 12);
}

}  // namespace
}  // namespace breakeven::worker
