// SPDX-License-Identifier: BSD-3-Clause
// The rules that are written for coll/han, read by Open MPI's own parser.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "executor/mpi_types.hpp"
#include "harness/worker/openmpi/rules_lookup.hpp"
#include "libraries/openmpi_rules.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/openmpi/han_rules.hpp"
#include "tables/formats/openmpi/testing.hpp"

namespace breakeven {
namespace {

namespace fs = std::filesystem;

/// Named to the library before it starts, and written anew by each test.
const fs::path kFile = [] {
  fs::path file = fs::temp_directory_path() / ("han_rules." + std::to_string(getpid()));
  setenv("OMPI_MCA_coll_han_use_dynamic_file_rules", "1", 1);
  setenv("OMPI_MCA_coll_han_dynamic_rules_filename", file.c_str(), 1);
  setenv("OMPI_MCA_coll_han_verbose", "5", 1);
  return file;
}();

class OpenmpiHanRules : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto version = libraries::openmpi::parse_version(executor::library_version());
    if (!version || !libraries::openmpi::has_known_han(*version))
      GTEST_SKIP() << "no coll/han that is known";
  }
  void TearDown() override { fs::remove(kFile); }

  static std::optional<int> rules_read(const std::string& text) {
    std::ofstream(kFile) << text;
    return worker::han_rules_read();
  }

  static std::string emitted(tables::Table table) {
    for (tables::Rule& rule : table.rules) rule.what.nodes = 2;
    return formats::openmpi::emit_han_rules(table, formats::testing::openmpi_provenance("5.0.7"))
        .text;
  }
};

TEST_F(OpenmpiHanRules, TheLibraryReadsEachRule) {
  const std::string text = emitted(formats::testing::openmpi_table());
  int rules = 0;
  for (const std::string_view line : formats::lines_of(text)) {
    rules += line.find(" han #") != line.npos || line.ends_with(" tuned") ? 1 : 0;
  }
  EXPECT_GT(rules, 20);
  EXPECT_EQ(rules_read(text), rules);
}

TEST_F(OpenmpiHanRules, TheLibraryReadsEachAlgorithmOfHan) {
  std::vector<tables::Rule> rules;
  for (const ListedAlgorithm& each : libraries::known_capabilities("openmpi").algorithms) {
    if (!libraries::openmpi::is_han(each.name)) continue;
    tables::Rule rule = formats::testing::library_rule(each.collective, 4, 8, "native");
    rule.what.message = {each.name.ends_with("intra") ? 8 : 1024};
    rule.what.procs_per_node = 2;
    rule.what.variant = LibraryOwn{"openmpi", each.name};
    rules.push_back(rule);
  }
  EXPECT_EQ(rules.size(), 13U);
  // And for each collective two that leave all to the library, below and above p = 4.
  EXPECT_EQ(rules_read(emitted(formats::testing::library_table(rules))), 13 + 7 * 2);
}

TEST_F(OpenmpiHanRules, TheLibraryReadsATableOfDefaultsAndDropsWhatTheReaderFinds) {
  const std::string empty = emitted(formats::testing::library_table(
      {formats::testing::library_rule(Collective::bcast, 4, 8, "native")}));
  EXPECT_EQ(rules_read(empty), 0);
  const std::string text = emitted(formats::testing::openmpi_table());
  EXPECT_EQ(rules_read(text.substr(0, text.rfind(" # message"))), std::nullopt);
  for (const char* broken :
       {"0\n", "1\nbcst\n0\n", "1\nbcast\n1\n3\n", "1\nbcast\n1\n2\n1\n4\n1\n0 tuned\n",
        "1\nbcast\n1\n2\n1\n1\n1\n64 tuned\n", "1\nbcast\n1\n2\n1\n1\n1\n0 3\n",
        "1\nbcast\n1\n2\n1\n1\n1\n0 han @ring\n"}) {
    EXPECT_FALSE(formats::openmpi::read_han_rules(broken).answer) << broken;
    EXPECT_EQ(rules_read(broken), std::nullopt) << broken;
  }
}

}  // namespace
}  // namespace breakeven
