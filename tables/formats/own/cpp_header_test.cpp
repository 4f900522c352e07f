// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/own/cpp_header.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "core/error.hpp"
#include "kernels/catalogue.hpp"
#include "tables/formats/common/test_settings.hpp"
#include "tables/testing.hpp"

namespace breakeven::formats {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream stream(file);
  EXPECT_TRUE(stream) << file;
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string emitted_header() {
  return cpp_header(tables::testing::small_table(), tables::testing::some_provenance()).text;
}

/// Compiles the header in two translation units, runs them and returns what they print.
std::string compile_and_run(std::string_view compiler) {
  const fs::path folder =
      fs::path(testing::kWorkFolder) / ("with_" + fs::path(compiler).filename().string());
  fs::create_directories(folder);
  std::ofstream(folder / "breakeven_table.hpp") << emitted_header();
  const std::string command = fmt::format(
      "cd '{0}' && '{1}' -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I. "
      "'{2}/unit_a.cpp' '{2}/unit_b.cpp' -o answers && ./answers > answers.txt",
      folder.string(), compiler, testing::kTestdata);
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  return contents(folder / "answers.txt");
}

/// The same answers from `Table::choose`, in the order of testdata/unit_a.cpp.
std::string answers_of_the_table() {
  const tables::Table table = tables::testing::small_table();
  std::string text;
  for (const auto& collective : kCollectives.entries) {
    for (const Mapping& mapping : {Mapping::seq, Mapping::rr}) {
      for (int procs = 0; procs <= 70; ++procs) {
        for (int nodes = 1; nodes <= procs; nodes *= 2) {
          for (std::int64_t bytes = 0; bytes <= 300000; bytes = bytes * 3 / 2 + 1) {
            const tables::Choice choice = table.choose({.collective = collective.value,
                                                        .procs = procs,
                                                        .nodes = nodes,
                                                        .mapping = mapping,
                                                        .message = {bytes}});
            text += fmt::format("{} {} {:d} {:d}\n", choice.variant.algorithm(),
                                choice.variant.params(), choice.measured, choice.decided);
          }
        }
      }
    }
  }
  return text;
}

TEST(CppHeader, AnswersAsTheTableDoesWhenCompiledWithGxx) {
  EXPECT_TRUE(compile_and_run(testing::kGxx) == answers_of_the_table());
}

TEST(CppHeader, AnswersAsTheTableDoesWhenCompiledWithClangxx) {
  if (testing::kClangxx.ends_with("-NOTFOUND")) GTEST_SKIP() << "no clang++ on this machine";
  EXPECT_TRUE(compile_and_run(testing::kClangxx) == answers_of_the_table());
}

TEST(CppHeader, IsTheGoldenText) {
  EXPECT_EQ(emitted_header(), contents(fs::path(testing::kTestdata) / "breakeven_table.golden"))
      << "the text that was emitted lies in " << testing::kWorkFolder << "/with_*";
}

TEST(CppHeader, CanSayTheRequirementOfEveryAlgorithmOfTheCatalogue) {
  for (const auto& collective : kCollectives.entries) {
    for (const kernels::Algorithm* algorithm : kernels::catalogue(collective.value)) {
      tables::Table table = tables::testing::small_table();
      const kernels::ProcsRequirement requirement = algorithm->requirement;
      table.rules[0].requirement =
          requirement.text.starts_with(kernels::kAnyProcs.text) ? kernels::kAnyProcs : requirement;
      EXPECT_NO_THROW((void)cpp_header(table, tables::testing::some_provenance()))
          << algorithm->name;
    }
  }
}

TEST(CppHeader, ARequirementItDoesNotKnowIsRefused) {
  tables::Table table = tables::testing::small_table();
  table.rules[0].requirement = {"p a prime", [](int) { return true; }};
  EXPECT_THROW((void)cpp_header(table, tables::testing::some_provenance()), Error);
}

TEST(CppHeader, ProvenanceStaysInItsComment) {
  tables::Provenance odd = tables::testing::some_provenance();
  odd.machine.cpu = "two\nlines";
  odd.database = "ends in \\";
  const std::string text = cpp_header(tables::testing::small_table(), odd).text;
  EXPECT_NE(text.find("//   processor  two lines\n"), std::string::npos);
  EXPECT_NE(text.find("//   database   ends in \\.\n"), std::string::npos);
}

}  // namespace
}  // namespace breakeven::formats
