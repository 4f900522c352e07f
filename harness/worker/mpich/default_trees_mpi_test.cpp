// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "executor/mpi_types.hpp"
#include "harness/worker/library_choice.hpp"
#include "libraries/forced/tools.hpp"

namespace breakeven::worker {
namespace {

TEST(DefaultTrees, AreThoseOfMpich) {
  const forced::ToolsSession tools;
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

}  // namespace
}  // namespace breakeven::worker
