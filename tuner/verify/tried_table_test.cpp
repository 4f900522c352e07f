// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/verify/tried_table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/temporary_folder.hpp"
#include "tuner/formats/own/cpp_header.hpp"
#include "tuner/testing.hpp"

namespace breakeven::verify {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "breakeven_table.hpp";
const Trial kTrial{.procs = {4}, .messages = {Bytes{24}, Bytes{4096}}};

/// native below 1 KiB, ring from there on.
tuner::Table two_rules() {
  const auto rule = [](const std::string& algorithm, std::int64_t from, std::int64_t to) {
    return tuner::Rule{.what = tuner::testing::allreduce(algorithm, 4, from),
                       .first_measured = {from},
                       .last_measured = {to},
                       .certainty = tuner::Certainty::undecided,
                       .launches = 3};
  };
  return {.candidates = tuner::Candidates::ours,
          .datatype = Datatype::int_,
          .op = Op::sum,
          .rules = {rule("native", 8, 512), rule("ring", 1024, 65536)}};
}

class TriedTableTest : public ::testing::Test {
 protected:
  void write_header(const char* name, const std::string& machine = "mpich") {
    tuner::Provenance provenance = tuner::testing::some_provenance();
    provenance.machine.name = machine;
    write_file(folder() / name, formats::cpp_header(two_rules(), provenance).text);
  }
  /// What stands in the error of one that can't be tried.
  [[nodiscard]] static std::string refusal(const fs::path& path) {
    try {
      static_cast<void>(find_tried_tables(path, kTrial));
      return "";
    } catch (const UsageError& error) {
      return error.what();
    }
  }
  [[nodiscard]] fs::path folder() const { return folder_.path(); }

 private:
  test::TemporaryFolder folder_;
};

TEST_F(TriedTableTest, AHeaderIsTriedWithWhatItAnswers) {
  write_header(kName);
  const TriedTable table = find_tried_tables(folder(), kTrial).at(0);
  ASSERT_EQ(table.problems.size(), 2U);
  EXPECT_TRUE(table.problems[0].same_either_way());
  EXPECT_EQ(table.problems[1].choice, "ring");
  EXPECT_EQ(table.problems[1].with_table, tuner::testing::allreduce("ring", 4, 4096));
  EXPECT_FALSE(table.changes_nothing());
  EXPECT_TRUE(table.environment.empty());
}

TEST_F(TriedTableTest, AHeaderIsFoundByWhatItIsWhateverItIsCalled) {
  write_header("ours.h");
  EXPECT_EQ(find_tried_tables(folder() / "ours.h", kTrial).at(0).name(), "ours.h");
  EXPECT_NE(refusal(folder()).find("breakeven tune --out"), std::string::npos);
  write_file(folder() / "notes.txt", "nothing of the kind\n");
  EXPECT_NE(refusal(folder() / "notes.txt").find("neither a C++ header"), std::string::npos);
  EXPECT_NE(refusal(folder() / "missing.hpp"), "");
}

TEST_F(TriedTableTest, ABrokenHeaderIsRefusedByItsLine) {
  write_header(kName);
  const fs::path file = folder() / kName;
  std::string text = read_file(file);
  text.replace(text.find("seq, 4,"), 7, "seq, x,");
  write_file(file, text);
  EXPECT_NE(refusal(file).find(fmt::format("{}:", file.string())), std::string::npos);
  EXPECT_NE(refusal(file).find("is no rule"), std::string::npos);
}

TEST_F(TriedTableTest, AHeaderOfAModelHasNoDefault) {
  write_header(kName, "postal:alpha=1e-06,beta=1e-09,gamma=1e-10");
  EXPECT_NE(refusal(folder()).find("a model"), std::string::npos);
}

TEST_F(TriedTableTest, RulesThatDoNotHoldGoBackAndTheFileSaysSo) {
  write_header(kName);
  const TriedTable table = find_tried_tables(folder(), kTrial).at(0);
  Verification verification;
  for (const TriedProblem& each : table.problems) {
    verification.cells.push_back(
        {.problem = each.problem, .choice = each.choice, .speedup = {.median = 1}});
  }
  verification.cells[1].speedup.median = 1.2;
  const std::string before = read_file(folder() / kName);
  EXPECT_EQ(write_where_verified(table, verification, "2025-02-01, trial.db"), 0);
  EXPECT_EQ(read_file(folder() / kName), before);

  verification.cells[1].fails = true;
  TriedTable reproducible = table;
  reproducible.kept.provenance.reproducible = "allreduce ring";
  EXPECT_EQ(write_where_verified(reproducible, verification, "2025-02-01, trial.db"), 0);
  EXPECT_EQ(read_file(folder() / kName), before);

  EXPECT_EQ(write_where_verified(table, verification, "2025-02-01, trial.db"), 1);
  const TriedTable after = find_tried_tables(folder(), kTrial).at(0);
  EXPECT_TRUE(after.changes_nothing());
  EXPECT_EQ(after.kept.provenance.verified,
            "2025-02-01, trial.db: 1 rule went back to the default");
}

}  // namespace
}  // namespace breakeven::verify
