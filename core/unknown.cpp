// SPDX-License-Identifier: BSD-3-Clause
#include "core/unknown.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace breakeven {

namespace {

constexpr std::size_t kMostMeant = 3;
constexpr std::size_t kShortestBeginning = 3;
constexpr std::string_view kOfMpi = "mpi_";

/// Letters to insert, remove, replace or swap with their neighbour.
/// @see Damerau, CACM 7 (1964); the "optimal string alignment" of it
std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before(to.size() + 1);
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) row[j] = j;
  std::vector<std::size_t> next(to.size() + 1);
  for (std::size_t i = 1; i <= from.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = row[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before.swap(row);
    row.swap(next);
  }
  return row.back();
}

/// Without the dashes of an option, too.
std::string lower(std::string_view text) {
  std::string result{text.substr(std::min(text.find_first_not_of('-'), text.size()))};
  for (char& each : result)
    each = static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
  return result;
}

/// How far a word is from a known one.
std::size_t distance(std::string_view word, std::string_view known) {
  if (word.find('/') == std::string_view::npos) known.remove_prefix(known.rfind('/') + 1);
  if (word.size() >= kShortestBeginning && known.starts_with(word)) return known == word ? 0 : 1;
  return edits(word, known);
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known) {
  std::string written = lower(word);
  if (written.starts_with(kOfMpi)) written.erase(0, kOfMpi.size());  // MPI_Allreduce
  std::size_t least = written.size() / 3;
  std::vector<std::string_view> meant;
  if (written.empty()) return "";
  for (const std::string_view each : known) {
    const std::size_t far = distance(written, lower(each));
    if (far > least) continue;
    if (far < least) meant.clear();
    least = far;
    meant.push_back(each);
  }
  if (meant.empty() || meant.size() > kMostMeant) return "";
  return fmt::format("; did you mean '{}'?", fmt::join(meant, "' or '"));
}

std::string unknown(std::string_view kind, std::string_view word,
                    const std::vector<std::string_view>& known) {
  const std::string meant = did_you_mean(word, known);
  return fmt::format("no {} '{}'{} known: {}", kind, word, meant.empty() ? ";" : meant,
                     known.empty() ? "none" : fmt::format("{}", fmt::join(known, " ")));
}

}  // namespace breakeven
