// SPDX-License-Identifier: BSD-3-Clause
#include <ranges>

#include "guidelines/catalogue.hpp"
#include "guidelines/comparison.hpp"
#include "mock_ups/mock_up.hpp"
#include "stats/median.hpp"

namespace breakeven::guidelines {

namespace {

/// Compares native with the other candidates of each problem.
/// @param find  a candidate's guideline; null where it has none
std::vector<Comparison> against_native(const Problems& problems, const auto& find) {
  std::vector<Comparison> comparisons;
  for (const auto& [problem, candidates] : problems.all()) {
    const stats::CaseTimes* const native = problems.native(problem);
    if (native == nullptr) continue;
    for (const stats::CaseTimes& candidate : candidates) {
      const Guideline* const guideline = find(candidate.what);
      if (guideline != nullptr) comparisons.push_back(paired(*guideline, *native, candidate));
    }
  }
  return comparisons;
}

}  // namespace

std::vector<Comparison> by_mock_ups(const Problems& problems) {
  return against_native(problems, [](const Case& what) {
    const mock_ups::MockUp* const mock_up =
        mock_ups::find(what.collective, what.variant, what.form);
    return mock_up == nullptr ? nullptr : &guideline_of(*mock_up);
  });
}

std::vector<Comparison> by_own_algorithms(const Problems& problems) {
  return against_native(problems, [](const Case& what) {
    return what.variant.is<LibraryOwn>() ? &guideline_of(Family::own_algorithm, what.collective)
                                         : nullptr;
  });
}

std::vector<Comparison> by_overlap(std::span<const Measurement> measurements) {
  std::vector<Measurement> with_work;
  for (Measurement each : measurements) {
    if (!each.tested) continue;
    each.median = *each.tested;
    with_work.push_back(std::move(each));
  }
  return against_native(Problems{with_work}, [](const Case& what) {
    const bool of_library = what.variant.is<LibraryOwn>() || what.variant.is<Composed>();
    return of_library ? &guideline_of(Family::overlap, what.collective) : nullptr;
  });
}

std::optional<Seconds> sum_of_parts(const Problems& problems, const Case& what) {
  const Composed* const mock_up = what.variant.mock_up();
  if (mock_up == nullptr) return std::nullopt;
  Seconds sum{};
  for (const auto& term : std::views::split(mock_up->terms, '+')) {
    const auto collective = kCollectives.find(std::string_view{term.begin(), term.end()});
    if (!collective) return std::nullopt;
    Case part = without_algorithm(what);
    part.collective = *collective;
    part.message = total_bytes(what);
    if (counts_one_block(*collective)) part.message = {part.message.value / what.procs};
    part.op = reduces(*collective) ? what.op : Op::none;
    if (!rooted(*collective)) part.root = {};
    if (!irregular(*collective)) part.counts = Counts::equal;
    const stats::CaseTimes* const native = problems.native(part);
    if (native == nullptr) return std::nullopt;
    sum.value += stats::estimate(*native).median;
  }
  return sum;
}

}  // namespace breakeven::guidelines
