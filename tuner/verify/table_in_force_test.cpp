// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/verify/table_in_force.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/temporary_folder.hpp"

namespace breakeven::verify {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFour = "Open MPI v4.1.4";
constexpr const char* kFive = "Open MPI v5.0.7";
constexpr const char* kSix = "Open MPI v6.0.0rc2";
constexpr const char* kSeven = "Open MPI v7.0.0";

class OpenmpiTable : public ::testing::Test {
 protected:
  OpenmpiTable() { write_file(folder() / "openmpi_rules.conf", "0\n"); }

  void write_han_rules() {
    write_file(folder() / "openmpi_han_rules.conf", "1 bcast 1 2 1 1 1 0 tuned\n");
  }
  [[nodiscard]] TableInForce find(const char* version, bool several_nodes) const {
    return find_table(folder(), "openmpi", version, several_nodes);
  }
  [[nodiscard]] fs::path folder() const { return folder_.path(); }

 private:
  test::TemporaryFolder folder_;
};

bool mentions(const TableInForce& table, std::string_view words) {
  return std::ranges::any_of(table.environment, [&](const std::string& each) {
    return each.find(words) != std::string::npos;
  });
}

TEST_F(OpenmpiTable, MayBeMissingWhereMappingsDecide) {
  EXPECT_TRUE(has_table(folder(), "openmpi"));
  EXPECT_FALSE(has_table(folder(), "mpich"));
  fs::remove(folder() / "openmpi_rules.conf");
  EXPECT_FALSE(has_table(folder(), "openmpi"));
}

TEST_F(OpenmpiTable, OfNonblockingCallsHoldsForTheWholeJob) {
  EXPECT_TRUE(find(kFour, false).beside_default);
  const std::string variable = "OMPI_MCA_coll_libnbc_ibcast_algorithm=binomial";
  write_file(folder() / "openmpi_params.sh", fmt::format("# {0}x\nexport {0}\n", variable));
  EXPECT_FALSE(find(kFour, false).beside_default);
  fs::remove(folder() / "openmpi_rules.conf");
  EXPECT_TRUE(has_table(folder(), "openmpi"));
  EXPECT_EQ(find(kFour, false).environment, std::vector{variable});
}

TEST_F(OpenmpiTable, OnSeveralNodesWithFiveIsTwoFilesThatLeaveTheRestToHan) {
  write_han_rules();
  const TableInForce table = find(kFive, true);
  EXPECT_EQ(table.files.size(), 2U);
  EXPECT_TRUE(mentions(table, "OMPI_MCA_coll_han_use_dynamic_file_rules=1"));
  EXPECT_TRUE(mentions(table, "openmpi_han_rules.conf"));
  EXPECT_TRUE(mentions(table, "OMPI_MCA_coll_tuned_use_dynamic_rules=1"));
  EXPECT_FALSE(mentions(table, "coll_han_priority"));
  EXPECT_FALSE(table.beside_default);
}

TEST_F(OpenmpiTable, OnSeveralNodesWithFiveIsNoneWithoutHansRules) {
  try {
    static_cast<void>(find(kFive, true));
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string{error.what()}.find("--format openmpi_han_rules"), std::string::npos);
  }
  write_file(folder() / "openmpi_han_rules.conf", "1 bcast 1 2 1 4 1 0 tuned\n");
  EXPECT_THROW(static_cast<void>(find(kFive, true)), UsageError);
}

TEST_F(OpenmpiTable, FromSixOnIsInJson) {
  EXPECT_THROW(static_cast<void>(find(kSix, false)), UsageError);
  fs::remove(folder() / "openmpi_rules.conf");
  write_file(folder() / "openmpi_rules.json", R"({"collectives": {}})");
  EXPECT_TRUE(has_table(folder(), "openmpi"));
  EXPECT_TRUE(mentions(find(kSix, false), "openmpi_rules.json"));
  EXPECT_TRUE(mentions(find("another Open MPI", false), "openmpi_rules.json"));
  EXPECT_FALSE(mentions(find(kSix, false), "coll_han_priority"));
  EXPECT_TRUE(find(kSix, false).beside_default);
  write_han_rules();
  EXPECT_EQ(find(kSix, true).files.size(), 2U);
  EXPECT_TRUE(mentions(find(kSeven, true), "OMPI_MCA_coll_han_priority=0"));
  EXPECT_FALSE(find(kSeven, true).beside_default);
}

TEST_F(OpenmpiTable, OnOneNodeAndWithFourIsOneFile) {
  write_han_rules();
  for (const TableInForce& table : {find(kFive, false), find(kFour, true), find(kFour, false)}) {
    EXPECT_EQ(table.files.size(), 1U);
    EXPECT_FALSE(mentions(table, "coll_han"));
    EXPECT_TRUE(table.beside_default);
  }
}

}  // namespace
}  // namespace breakeven::verify
