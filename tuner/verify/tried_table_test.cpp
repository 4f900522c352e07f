// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/verify/tried_table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/temporary_folder.hpp"
#include "tables/formats/mpich/testing.hpp"
#include "tables/formats/openmpi/testing.hpp"
#include "tables/formats/own/cpp_header.hpp"
#include "tables/testing.hpp"
#include "tuner/readable.hpp"

namespace breakeven::verify {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "breakeven_table.hpp";
const Trial kTrial{.procs = {4}, .messages = {Bytes{24}, Bytes{4096}}};

/// native below 1 KiB, ring from there on.
tables::Table two_rules() {
  const auto rule = [](const std::string& algorithm, std::int64_t from, std::int64_t to) {
    return tables::Rule{.what = tables::testing::allreduce(algorithm, 4, from),
                        .first_measured = {from},
                        .last_measured = {to},
                        .certainty = tables::Certainty::undecided,
                        .launches = 3};
  };
  return {.candidates = tables::Candidates::ours,
          .datatype = Datatype::int_,
          .op = Op::sum,
          .rules = {rule("native", 8, 512), rule("ring", 1024, 65536)}};
}

class TriedTableTest : public ::testing::Test {
 protected:
  void write_header(const char* name, const std::string& machine = "mpich") {
    tables::Provenance provenance = tables::testing::some_provenance();
    provenance.machine.name = machine;
    write_file(folder() / name, formats::cpp_header(two_rules(), provenance).text);
  }
  /// The error of a path that can't be tried.
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
  EXPECT_EQ(table.problems[1].choice, Variant{Ours{"ring"}});
  EXPECT_EQ(table.problems[1].with_table, tables::testing::allreduce("ring", 4, 4096));
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
  verification.cells[1].speedup = {.median = 1.2, .low = 1.1, .high = 1.3, .count = 3};
  const std::string before = read_file(folder() / kName);
  const auto written = [&](const TriedTable& of) {
    return write_where_verified({of}, {verification}, "2025-02-01, trial.db");
  };
  EXPECT_TRUE(written(table).empty());
  EXPECT_EQ(read_file(folder() / kName), before);

  verification.cells[1].fails = true;
  TriedTable reproducible = table;
  reproducible.kept.provenance.reproducible = "allreduce ring";
  EXPECT_TRUE(written(reproducible).empty());
  EXPECT_EQ(read_file(folder() / kName), before);

  EXPECT_EQ(written(table).size(), 1U);
  const TriedTable after = find_tried_tables(folder(), kTrial).at(0);
  EXPECT_TRUE(after.changes_nothing());
  EXPECT_EQ(after.kept.provenance.verified,
            std::vector<std::string>{"2025-02-01, trial.db: allreduce, p = 4: not ring, which is "
                                     "1.20 (1.10-1.30) times as fast as native at 4 KiB"});
  EXPECT_FALSE(fs::is_symlink(folder() / kName)) << "a header alone is no folder of tables";
}

/// A folder with every file that a library's machine can have: one bad choice of the library's own
/// algorithms at p = 4, and one of ours at p = 8.
class FolderTest : public ::testing::TestWithParam<const char*> {
 protected:
  FolderTest() {
    const tables::Table library = table_of(tables::Candidates::library);
    const tables::Table all = table_of(tables::Candidates::all);
    const tables::Table ours = table_of(tables::Candidates::ours);
    tuner::ReadableTables shown{.library = &library, .all = &all, .header = &ours};
    for (const formats::Emitter& each : formats::emitters()) {
      if (!each.library.empty() && each.library != provenance_.machine.name) continue;
      try {
        write_file(folder_ / each.file_name,
                   formats::emit_faultless(each, table_of(each.candidates), provenance_).text);
        files_.push_back(&each);
      } catch (const UsageError&) {  // of another version
      }
    }
    write_file(folder_ / "table.txt", tuner::readable(shown, provenance_, "notes\n"));
    write_file(folder_ / "mine.txt", "mine");
  }

  [[nodiscard]] tables::Table table_of(tables::Candidates candidates) const {
    using formats::testing::library_rule;
    const auto rule = [&](int procs, std::int64_t bytes, std::string_view variant) {
      tables::Rule made = library_rule(Collective::allreduce, procs, bytes, variant);
      made.what.nodes = nodes_of(procs);
      made.what.procs_per_node = procs / nodes_of(procs);
      return made;
    };
    const bool with_library = candidates != tables::Candidates::ours;
    const bool with_ours = candidates != tables::Candidates::library;
    std::vector<tables::Rule> rules{rule(4, 8, kNative), rule(8, 8, kNative)};
    if (with_library) rules.push_back(rule(4, 1024, library_choice_));
    if (with_ours) rules.push_back(rule(8, 1024, "ring"));
    tables::Table table = formats::testing::library_table(std::move(rules));
    table.candidates = candidates;
    return table;
  }

  /// Takes choices back as `verify` does: those at this p fail, if any are there.
  void take_back(int procs) {
    const Trial trial{.procs = {procs}, .messages = {Bytes{4096}, Bytes{65536}}};
    const std::vector<TriedTable> tables = find_tried_tables(folder_.path(), trial);
    std::vector<Verification> verifications;
    for (const TriedTable& table : tables) {
      Verification verification;
      for (const TriedProblem& each : table.problems) {
        const bool changed = !each.choice.is<Native>();
        verification.cells.push_back(
            {.problem = each.problem,
             .choice = each.choice,
             .speedup = {.median = changed ? 0.5 : 1, .low = 0.4, .high = 2, .count = 3},
             .fails = changed});
      }
      verifications.push_back(verification);
    }
    EXPECT_EQ(write_where_verified(tables, verifications, "2025-02-01, trial.db").size(), 1U);
  }

  /// The bad choices in each file of the folder.
  [[nodiscard]] std::map<std::string, std::string> choices(int procs) const {
    std::map<std::string, std::string> found;
    for (const formats::Emitter* each : files_) {
      const formats::ReadTable read = each->read(read_file(folder_ / each->file_name));
      Case problem = without_algorithm(table_of(each->candidates).rules[0].what);
      problem.procs = procs;
      problem.nodes = nodes_of(procs);
      problem.procs_per_node = procs / nodes_of(procs);
      problem.message = {4096};
      found[std::string{each->file_name}] =
          read.faults.empty() ? to_text(read.answer(problem).variant) : read.faults.front().reason;
    }
    return found;
  }

  /// The files that say why.
  [[nodiscard]] std::set<std::string> with_reason() const {
    std::set<std::string> found;
    for (const fs::path& each : fs::directory_iterator{folder_.path()}) {
      if (fs::is_regular_file(each) &&
          read_file(each).find("trial.db: allreduce, p = ") != std::string::npos) {
        found.insert(each.filename());
      }
    }
    return found;
  }

  test::TemporaryFolder folder_;
  tables::Provenance provenance_ = provenance_of(GetParam());
  /// Two processes on each, or all on one.
  static int nodes_of(int procs) { return std::string_view{GetParam()} == "5.0.7" ? procs / 2 : 1; }
  std::string library_choice_ = provenance_.machine.name == "mpich" ? "mpich:recursive_doubling"
                                                                    : "openmpi:recursive_doubling";
  std::vector<const formats::Emitter*> files_{};

 private:
  static tables::Provenance provenance_of(std::string_view version) {
    using namespace formats::testing;
    return version == "4.0.2"   ? mpich_provenance()
           : version == "4.2.1" ? mpich_4_2_provenance()
                                : openmpi_provenance(version);
  }
};

TEST_P(FolderTest, AChoiceOfTheLibraryIsGoneFromEveryFileAtOnce) {
  EXPECT_NE(choices(4).at("table.json"), kNative);
  take_back(4);
  for (const auto& [file, choice] : choices(4)) EXPECT_EQ(choice, kNative) << file;
  EXPECT_EQ(choices(8).at("breakeven_table.hpp"), "ring");
  std::set<std::string> reasons = with_reason();
  for (const formats::Emitter* each : files_) {
    const bool ours = each->candidates == tables::Candidates::ours;
    EXPECT_EQ(reasons.contains(std::string{each->file_name}), !ours) << each->file_name;
  }
  EXPECT_TRUE(reasons.contains("table.txt"));
  EXPECT_EQ(read_file(folder_ / "mine.txt"), "mine");
}

TEST_P(FolderTest, AChoiceOfOursIsGoneFromEveryFileAtOnce) {
  take_back(8);
  for (const auto& [file, choice] : choices(8)) EXPECT_EQ(choice, kNative) << file;
  EXPECT_NE(choices(4).at("library_table.json"), kNative);
  std::set<std::string> ours{"table.txt"};
  for (const formats::Emitter* each : files_) {
    if (each->candidates != tables::Candidates::library) ours.emplace(each->file_name);
  }
  EXPECT_EQ(with_reason(), ours);
  const std::string text = read_file(folder_ / "table.txt");
  EXPECT_EQ(text.find("  ring\n"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("notes\n"));
  take_back(4);
  EXPECT_EQ(read_file(folder_ / "table.txt").find(library_choice_ + '\n'), std::string::npos);
  EXPECT_EQ(with_reason().size(), files_.size() + 1);
}

INSTANTIATE_TEST_SUITE_P(OfEachVersion, FolderTest,
                         ::testing::Values("4.0.2", "4.2.1", "4.1.4", "5.0.7"));

}  // namespace
}  // namespace breakeven::verify
