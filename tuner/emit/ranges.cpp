// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/emit/ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"

namespace breakeven {

namespace {

/// Above every size at which a library's algorithm begins to run as it is named.
constexpr std::int64_t kHuge = std::int64_t{1} << 45;

Case case_of(const Table& table, Collective collective, int procs, std::int64_t bytes) {
  return {.collective = collective,
          .procs = procs,
          .message = {bytes},
          .datatype = table.datatype,
          .op = reduces(collective) ? table.op : Op::none,
          .root = rooted(collective) ? table.root : Rank{}};
}

/// The choice of one table for one collective and mapping, at any p and size.
class Chooser {
 public:
  Chooser(const Table& table, Collective collective, const Mapping& mapping)
      : table_{table}, collective_{collective}, mapping_{mapping} {
    for (const Rule& rule : table.rules) {
      if (rule.what.collective != collective || rule.what.mapping != mapping) continue;
      firsts_.insert(rule.what.message.value);
      least_procs_ = std::min(least_procs_, rule.what.procs);
      greatest_procs_ = std::max(greatest_procs_, rule.what.procs);
    }
    firsts_.insert(0);
    firsts_.insert(kHuge);
  }

  [[nodiscard]] int greatest_procs() const { return greatest_procs_; }

  [[nodiscard]] Case at(int procs, std::int64_t bytes) const {
    Case what = case_of(table_, collective_, procs, bytes);
    const Choice choice =
        procs < least_procs_ ? Choice{} : table_.choose(collective_, procs, {bytes}, mapping_);
    what.algorithm = choice.algorithm;
    what.params = choice.params;
    return what;
  }

  /// The choices at a p, each at the least size at which it holds.
  [[nodiscard]] std::vector<Case> all(int procs) const {
    std::vector<Case> choices{at(procs, 0)};
    const auto add = [&](Case choice) {
      if (variant_text(choice) != variant_text(choices.back()))
        choices.push_back(std::move(choice));
    };
    for (auto first = firsts_.begin(), next = std::next(first); next != firsts_.end();
         first = next++) {
      add(at(procs, *first));
      // Within a rule a library's algorithm runs as it is named from some size on, or nowhere.
      std::int64_t low = *first;
      std::int64_t high = *next - 1;
      const std::string last = variant_text(at(procs, high));
      if (variant_text(choices.back()) == last) continue;
      while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (variant_text(at(procs, middle)) == last ? high : low) = middle;
      }
      add(at(procs, high));
    }
    return choices;
  }

 private:
  const Table& table_;
  Collective collective_;
  const Mapping& mapping_;
  std::set<std::int64_t> firsts_{};  // sizes at which rules begin, at whatever p
  int least_procs_ = 1 << 30;
  int greatest_procs_ = 0;
};

void merge(std::vector<SizeRange>& sizes) {
  const auto gone = std::ranges::unique(sizes, {}, &SizeRange::variant);
  sizes.erase(gone.begin(), gone.end());
}

CollectiveRanges ranges_of(const Table& table, const Speech& speech, Collective collective,
                           const Mapping& mapping) {
  const Chooser chooser{table, collective, mapping};
  CollectiveRanges ranges{.collective = collective};
  for (int procs = 2; procs <= chooser.greatest_procs(); ++procs) {
    std::vector<SizeRange> sizes;
    for (const Case& choice : chooser.all(procs)) {
      const bool native = choice.algorithm == kNative;
      sizes.push_back({speech.bytes(choice), native ? std::string{kNative} : speech.say(choice)});
    }
    merge(sizes);
    if (speech.amend) speech.amend(collective, procs, sizes);
    if (!ranges.procs.empty() && ranges.procs.back().sizes == sizes) {
      ranges.procs.back().last = procs;
    } else {
      ranges.procs.push_back({procs, procs, std::move(sizes)});
    }
  }
  return ranges;
}

bool all_native(const CollectiveRanges& ranges) {
  return std::ranges::all_of(ranges.procs, [](const ProcsRange& procs) {
    return procs.sizes.size() == 1 && procs.sizes.front().variant == kNative;
  });
}

}  // namespace

std::vector<CollectiveRanges> ranges_of(const Table& table, const Speech& speech) {
  std::vector<CollectiveRanges> all;
  for (const auto& [collective, name] : kCollectives.entries) {
    std::set<Mapping> mappings;
    for (const Rule& rule : table.rules) {
      if (rule.what.collective == collective) mappings.insert(rule.what.mapping);
    }
    std::optional<CollectiveRanges> ranges;
    for (const Mapping& mapping : mappings) {
      CollectiveRanges next = ranges_of(table, speech, collective, mapping);
      if (ranges && *ranges != next) {
        throw UsageError(fmt::format(
            "{} can't tell mappings apart, and {} was decided differently for {} and {}: ask for "
            "a table of one mapping",
            speech.format, name, to_text(*mappings.begin()), to_text(mapping)));
      }
      ranges = std::move(next);
    }
    if (ranges && !all_native(*ranges)) all.push_back(*std::move(ranges));
  }
  return all;
}

std::string answer(const std::vector<CollectiveRanges>& ranges, const Case& problem,
                   std::int64_t (*bytes)(const Case& what)) {
  const auto collective =
      std::ranges::find(ranges, problem.collective, &CollectiveRanges::collective);
  if (collective == ranges.end()) return std::string{kNative};
  for (const ProcsRange& procs : collective->procs) {
    if (problem.procs < procs.first || problem.procs > procs.last) continue;
    const auto above =
        std::ranges::upper_bound(procs.sizes, bytes(problem), {}, &SizeRange::from_bytes);
    if (above != procs.sizes.begin()) return std::prev(above)->variant;
  }
  return std::string{kNative};
}

}  // namespace breakeven
