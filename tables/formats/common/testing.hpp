// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "tables/formats/common/choices.hpp"
#include "tables/formats/common/emitted.hpp"
#include "tables/formats/common/test_settings.hpp"
#include "tables/testing.hpp"

namespace breakeven::formats::testing {

/// One rule of a table of a library's own algorithms, for int and sum.
[[nodiscard]] inline tables::Rule library_rule(Collective collective, int procs, std::int64_t bytes,
                                               std::string_view variant) {
  Case what{.collective = collective,
            .procs = procs,
            .nodes = 1,
            .procs_per_node = procs,
            .message = {bytes},
            .datatype = Datatype::int_,
            .op = reduces(collective) ? Op::sum : Op::none};
  what = with_variant(std::move(what), Variant::parse(variant));
  return {.what = std::move(what),
          .previous = {bytes},
          .first_measured = {bytes},
          .last_measured = {bytes},
          .certainty = tables::Certainty::decided,
          .launches = 5};
}

/// @param rules  in any order
[[nodiscard]] inline tables::Table library_table(std::vector<tables::Rule> rules) {
  std::ranges::stable_sort(rules, {}, [](const tables::Rule& rule) {
    return std::tuple_cat(tables::place_of(rule.what), std::tie(rule.what.message));
  });
  return {.candidates = tables::Candidates::library,
          .datatype = Datatype::int_,
          .op = Op::sum,
          .rules = std::move(rules)};
}

/// Calls with every collective, p and size of interest: a dense grid, and each size at which the
/// table may change its mind, with its neighbours.
template <typename Visit>
void for_dense_grid(const tables::Table& table, int first_procs, int last_procs, Visit&& visit) {
  std::set<std::int64_t> sizes;
  for (std::int64_t bytes = 0; bytes < std::int64_t{16} << 20; bytes += 4 + bytes / 16 / 4 * 4) {
    sizes.insert(bytes);
  }
  for (const tables::Rule& rule : table.rules) {
    for (const int step : {-4, -1, 0, 1, 4}) {
      sizes.insert(std::max<std::int64_t>(0, rule.what.message.value + step));
    }
  }
  for (const auto& [collective, name] : kCollectives.entries) {
    for (int procs = first_procs; procs <= last_procs; ++procs) {
      for (const std::int64_t bytes : sizes) {
        visit(Case{.collective = collective,
                   .procs = procs,
                   .message = {bytes},
                   .datatype = table.datatype,
                   .op = reduces(collective) ? table.op : Op::none});
      }
    }
  }
}

/// Compares two answers to each call of the dense grid, the actual one and `wanted`; prints the
/// first differences.
template <typename Is, typename Wanted>
void expect_same_on_dense_grid(const tables::Table& table, int first_procs, int last_procs, Is&& is,
                               Wanted&& wanted) {
  int wrong = 0;
  for_dense_grid(table, first_procs, last_procs, [&](const Case& problem) {
    const std::string answer = is(problem);
    const std::string right = wanted(problem);
    if (answer == right || ++wrong >= 5) return;
    ADD_FAILURE() << to_text(problem) << ": " << answer << ", wanted " << right;
  });
  EXPECT_EQ(wrong, 0);
}

/// The possible answers of a library's file at a p that was not measured: the choices at sizes
/// nearby.
[[nodiscard]] inline std::set<std::string> choices_nearby(const tables::Table& table,
                                                          const Case& problem) {
  const bool measured = std::ranges::any_of(table.rules, [&](const tables::Rule& rule) {
    return tables::key_of(rule.what) == tables::key_of(problem) && rule.what.procs == problem.procs;
  });
  std::set<std::string> choices;
  for (int step = -8; !measured && step <= 8; ++step) {
    Case near = problem;
    near.message = {std::llround(static_cast<double>(problem.message.value) *
                                 std::pow(kProcsError, step / 8.0))};
    choices.insert(tables::chosen_variant(table, near));
  }
  return choices;
}

/// The same against what the table chooses, of a library's file.
template <typename Is>
void expect_table_on_dense_grid(const tables::Table& table, int first_procs, int last_procs,
                                Is&& is) {
  expect_same_on_dense_grid(table, first_procs, last_procs, is, [&](const Case& problem) {
    const std::string answer = is(problem);
    const bool nearby = choices_nearby(table, problem).contains(answer);
    return nearby ? answer : tables::chosen_variant(table, problem);
  });
}

/// The choices of a file, as texts.
[[nodiscard]] inline auto variants_of(const ReadTable& read) {
  return [&read](const Case& problem) { return to_text(read.answer(problem).variant); };
}

/// The faults and the advice as "LINE: REASON" lines, to be read in a failed test.
[[nodiscard]] inline std::string text_of(const ReadTable& read) {
  std::string text;
  for (const auto& [line, reason] : read.faults) text += fmt::format("{}: {}\n", line, reason);
  for (const auto& [line, advice] : read.advice) text += fmt::format("{}: {}\n", line, advice);
  return text;
}

/// Whether the reader finds a fault at the line whose reason has these words.
[[nodiscard]] inline ::testing::AssertionResult finds(const ReadTable& read, int line,
                                                      std::string_view words) {
  const bool found = std::ranges::any_of(read.faults, [&](const ReadTable::Fault& fault) {
    return fault.line == line && fault.reason.find(words) != std::string::npos;
  });
  if (found && !read.answer) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "not '" << words << "' at line " << line << " but\n"
                                       << text_of(read);
}

/// Whether the reader takes the file, and advises at the line in these words.
[[nodiscard]] inline ::testing::AssertionResult advises(const ReadTable& read, int line,
                                                        std::string_view words) {
  const bool found = std::ranges::any_of(read.advice, [&](const ReadTable::Fault& each) {
    return each.line == line && each.reason.find(words) != std::string::npos;
  });
  if (found && read.answer) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "no advice '" << words << "' at line " << line << " but\n"
                                       << text_of(read);
}

/// The text with the first `from` replaced; a test whose text has none tests nothing.
[[nodiscard]] inline std::string replaced(std::string text, std::string_view from,
                                          std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

/// The number of the first line that has these words.
[[nodiscard]] inline int line_with(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  EXPECT_NE(at, std::string_view::npos) << words;
  return 1 + static_cast<int>(std::ranges::count(text.substr(0, at), '\n'));
}

/// Compares with testdata/NAME.golden; a text that differs lies in the work folder.
inline void expect_golden(std::string_view name, const std::string& text) {
  namespace fs = std::filesystem;
  const std::string file = fmt::format("{}.golden", name);
  std::ifstream stream(fs::path{kTestdata} / file);
  const std::string golden{std::istreambuf_iterator<char>(stream), {}};
  if (text == golden) return;
  fs::create_directories(kWorkFolder);
  std::ofstream(fs::path{kWorkFolder} / file) << text;
  ADD_FAILURE() << file << " differs from the one in " << kWorkFolder;
}

/// Each prefix of a file has a fault, or says the same: no cut goes unseen that loses something.
/// @param small  the table that the file says, of p up to 3
inline void expect_every_cut_is_found(const tables::Table& small, const std::string& text,
                                      ReadTable (*read)(std::string_view)) {
  int harmless = 0;
  for (std::size_t size = 0; size < text.size(); ++size) {
    const ReadTable cut = read(std::string_view{text}.substr(0, size));
    if (!cut.faults.empty()) continue;
    ++harmless;
    expect_table_on_dense_grid(small, 1, 3, variants_of(cut));
  }
  EXPECT_LT(harmless, 16);  // the last line's comment and end
}

}  // namespace breakeven::formats::testing
