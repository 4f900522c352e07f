// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/allreduce/stages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include "core/error.hpp"
#include "kernels/params.hpp"

namespace breakeven::kernels::allreduce {

namespace {

/// The numbers of a stage that is written as `letters`, each followed by a number; else nothing.
std::optional<std::vector<int>> numbers_of(std::string_view stage, std::string_view letters) {
  std::vector<int> numbers;
  const char* at = stage.data();
  const char* const end = at + stage.size();
  for (const char letter : letters) {
    if (at == end || *at != letter) return std::nullopt;
    const auto [rest, error] = std::from_chars(at + 1, end, numbers.emplace_back());
    if (error != std::errc{} || numbers.back() < 1) return std::nullopt;
    at = rest;
  }
  return at == end ? std::optional{numbers} : std::nullopt;
}

/// Takes a stage in. G of all and T and B of e follow from the other numbers and are ignored.
void take_in(Stages& stages, std::string_view stage) {
  if (const auto a = numbers_of(stage, "a")) {
    stages.factors.push_back(a->at(0));
  } else if (const auto m = numbers_of(stage, "mga")) {
    stages.remaining = m->at(0);
    stages.factors.push_back(m->at(2));
  } else if (const auto n = numbers_of(stage, "nga")) {
    stages.factors.push_back(n->at(2));
  } else if (const auto c = numbers_of(stage, "cm")) {
    stages.collapsing = c->at(0);
    stages.collapse_base = c->at(1);
  } else if (!numbers_of(stage, "em")) {
    throw UsageError(fmt::format("stage '{}' is none of aB, cTmB, eTmB, mRgGaB, nRgGaB", stage));
  }
}

/// @throws UsageError when no processes can run them.
void require_sound(const Stages& stages, std::string_view text) {
  const auto fail = [&](std::string_view what) {
    throw UsageError(fmt::format("stages {}: {}", text, what));
  };
  std::int64_t inner = 1;
  for (const int factor : stages.factors) {
    if (factor < 2) fail("a group is 2 processes or more");
    inner *= factor;
    if (inner > std::numeric_limits<int>::max() / 2) fail("too many processes");
  }
  if (stages.collapsing > 0) {
    if (stages.collapse_base < 2) fail("a group is 2 processes or more");
    if (stages.collapsing % stages.collapse_base != 0) {
      fail(fmt::format("{} ranks aren't whole groups of {}", stages.collapsing,
                       stages.collapse_base));
    }
    if (stages.collapsing / stages.collapse_base > inner) {
      fail(fmt::format("{} groups collapse into {} processes",
                       stages.collapsing / stages.collapse_base, inner));
    }
  }
  if (stages.remaining > 0 && stages.factors.size() < 2) fail("merging takes two stages or more");
}

/// Calls `take` with each way to write `product` as factors of 2 or more in order, smaller first
/// factors first; `chosen` holds the factors before.
void for_factors(int product, std::vector<int>& chosen,
                 const std::function<void(const std::vector<int>&)>& take) {
  if (product == 1) take(chosen);
  for (int factor = 2; factor <= product; ++factor) {
    if (product % factor != 0) continue;
    chosen.push_back(factor);
    for_factors(product / factor, chosen, take);
    chosen.pop_back();
  }
}

}  // namespace

Stages Stages::parse(std::string_view text) {
  Stages stages;
  for (const std::string_view stage : split_list(text)) take_in(stages, stage);
  require_sound(stages, text);
  if (const std::string meant = stages.text(); meant != text) {
    throw UsageError(fmt::format("stages {} should read {}", text, meant));
  }
  return stages;
}

std::string Stages::text() const {
  std::vector<std::string> stages;
  if (collapsing > 0) stages.push_back(fmt::format("c{}m{}", collapsing, collapse_base));
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const bool first = i == 0;
    const bool last = i + 1 == factors.size();
    if (remaining > 0 && (first || last)) {
      stages.push_back(fmt::format("{}{}g{}a{}", first ? 'm' : 'n', remaining, inner() / factors[i],
                                   factors[i]));
    } else {
      stages.push_back(fmt::format("a{}", factors[i]));
    }
  }
  if (collapsing > 0) stages.push_back(fmt::format("e{}m{}", collapsing, collapse_base));
  return fmt::format("{}", fmt::join(stages, ","));
}

int Stages::inner() const {
  return std::accumulate(factors.begin(), factors.end(), 1, std::multiplies<>{});
}

int Stages::procs() const { return inner() + collapsing - collapsing / collapse_base + remaining; }

int Stages::rounds() const { return static_cast<int>(factors.size()) + (collapsing > 0 ? 2 : 0); }

std::vector<Stages> all_stages(int procs) {
  std::vector<Stages> found;
  std::vector<int> chosen;
  const auto add = [&](const Stages& kind, int inner) {
    for_factors(inner, chosen, [&](const std::vector<int>& factors) {
      if (kind.remaining > 0 && factors.size() < 2) return;
      found.push_back(kind);
      found.back().factors = factors;
    });
  };
  if (procs > 1) add({}, procs);
  for (int ranks = 2; ranks <= procs; ++ranks) {
    for (int base = 2; base <= ranks; ++base) {
      if (ranks % base != 0) continue;
      add({.collapsing = ranks, .collapse_base = base}, procs - ranks + ranks / base);
    }
  }
  for (int remaining = 1; remaining < procs - remaining; ++remaining) {
    add({.remaining = remaining}, procs - remaining);
  }
  return found;
}

std::vector<std::string> stage_lists(int procs) {
  std::vector<std::string> texts;
  for (const Stages& stages : all_stages(procs)) texts.push_back(stages.text());
  return texts;
}

}  // namespace breakeven::kernels::allreduce
