// SPDX-License-Identifier: BSD-3-Clause
// As ompi/mca/coll/han/coll_han_dynamic_file.c reads it, and coll_han_dynamic.c looks rules up, at
// v5.0.7 and in the branch v6.0.x.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <climits>
#include <optional>
#include <set>
#include <vector>

#include "libraries/library_algorithm.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/openmpi/area.hpp"
#include "tables/formats/openmpi/han_rules.hpp"
#include "tables/formats/openmpi/ranges.hpp"
#include "tables/formats/openmpi/scanner.hpp"
#include "tables/formats/openmpi/tuned.hpp"

namespace breakeven::formats::openmpi {

namespace {

using Fault = ReadTable::Fault;

constexpr std::string_view kHanComponent = "han";
/// As the library lists them. On several nodes coll/tuned runs in place of most of them.
constexpr std::array<std::string_view, 7> kComponents{"self", "basic", "libnbc",     kCollTuned,
                                                      "sm",   "adapt", kHanComponent};
constexpr std::array<std::string_view, 3> kLevels{"intra_node", "inter_node",
                                                  "global_communicator"};
constexpr int kGlobal = 2;
constexpr std::int64_t kLeast = 0;  // of all numbers in a file

template <typename Names>
bool is_one_of(const Names& names, std::string_view word) {
  return std::ranges::find(names, word) != std::end(names);
}

std::optional<int> in_range(std::optional<int> number, int most) {
  return number && *number >= 0 && *number <= most ? number : std::nullopt;
}

/// The number of a collective, as a name or as itself.
std::optional<int> collective_of(const std::string& word) {
  const auto number = collective_id(word);
  return number ? number : in_range(int_in(word), libraries::openmpi::kRulesCollectives - 1);
}

/// Those of coll/han of a version, in the order of their numbers from 1 on.
std::string_view algorithms_of(Collective collective, int major) {
  const bool of_5 = major == libraries::openmpi::kFirstMajorWithHan;
  using enum Collective;
  switch (collective) {
    case barrier: return "simple";
    case allreduce:
    case reduce: return "intra simple reproducible";
    case allgather:
    case bcast:
    case gather:
    case scatter: return "intra simple";
    case gatherv:
    case scatterv: return of_5 ? "" : "intra";
    case alltoall:
    case alltoallv: return of_5 ? "" : "smsc";
    default: return "";
  }
}

/// Takes the file apart as the library does. @throws Fault where it gives up
class HanReader {
 public:
  HanReader(std::string_view text, ReadTable& read) : scanner_{text, read}, read_{read} {
    if (const auto version = version_in(text)) major_ = version->major;
  }

  std::vector<CollectiveRanges> all() {
    std::vector<CollectiveRanges> all;
    std::set<int> ids;
    const std::int64_t collectives = number("the number of collectives", 1);
    for (std::int64_t i = 0; i < collectives; ++i) collective(all, ids);
    if (scanner_.word()) throw Fault{scanner_.line(), "a word after the last rule"};
    return all;
  }

 private:
  template <typename... Parts>
  void add(fmt::format_string<Parts...> reason, Parts&&... parts) {
    read_.faults.push_back({scanner_.line(), fmt::format(reason, std::forward<Parts>(parts)...)});
  }
  template <typename... Parts>
  void advise(fmt::format_string<Parts...> reason, Parts&&... parts) {
    read_.advice.push_back({scanner_.line(), fmt::format(reason, std::forward<Parts>(parts)...)});
  }
  template <typename... Parts>
  [[noreturn]] void give_up(fmt::format_string<Parts...> reason, Parts&&... parts) const {
    throw Fault{scanner_.line(), fmt::format(reason, std::forward<Parts>(parts)...)};
  }
  [[noreturn]] void give_up_at_end(std::string_view what) const {
    give_up("the file ends here, before {}: was it cut?", what);
  }

  std::string word(std::string_view what) {
    const auto word = scanner_.word();
    if (!word) give_up_at_end(what);
    return std::string{*word};
  }
  std::int64_t number(std::string_view what, std::int64_t least = 0) {
    const auto number = scanner_.number();
    if (!number) give_up_at_end(what);
    if (*number < least) {
      give_up("{} is {}, below {}: the library drops the whole file", what, *number, least);
    }
    return *number;
  }

  void collective(std::vector<CollectiveRanges>& all, std::set<int>& ids) {
    const std::string name = word("a collective");
    const auto id = collective_of(name);
    if (!id) give_up("'{}' is no collective", name);
    if (!ids.insert(*id).second) add("{} has rules twice; the last ones hold", name);
    const auto known = libraries::openmpi::rules_collective(*id);
    CollectiveRanges ranges{.collective = known.value_or(Collective{})};
    const bool used = known && !algorithms_of(*known, major_).empty();
    if (!used) advise("coll/han does nothing for {}: these rules are never used", name);
    const std::int64_t levels = number("a number of levels");
    for (std::int64_t i = 0; i < levels; ++i) level(ranges, known);
    if (!used) ranges.procs.clear();
    if (known) all.push_back(std::move(ranges));
  }

  /// Rules for nodes' own communicators are no part of a table.
  void level(CollectiveRanges& ranges, std::optional<Collective> known) {
    const std::string name = word("a level");
    const auto* const found = std::ranges::find(kLevels, name);
    const auto number_of_level = found == kLevels.end()
                                     ? in_range(int_in(name), kGlobal)
                                     : std::optional{static_cast<int>(found - kLevels.begin())};
    if (!number_of_level) give_up("'{}' is no level; they are 0, 1 and 2", name);
    const bool global = *number_of_level == kGlobal;
    const std::int64_t count = number("a number of communicator sizes");
    if (count == 0) advise("no rule for any communicator size");
    std::vector<ProcsRange> all;
    for (std::int64_t i = 0; i < count; ++i) all.push_back(procs(known, global, all));
    if (global && !all.empty()) ranges.procs = std::move(all);
  }

  ProcsRange procs(std::optional<Collective> known, bool global, std::vector<ProcsRange>& before) {
    const std::int64_t first = number("a communicator size", 1);
    if (before.empty() && first != 1) {
      give_up("the first communicator size is {}; unless it is 1 the library drops the whole file",
              first);
    }
    ProcsRange range{.first = static_cast<int>(first), .last = INT_MAX};
    if (!before.empty()) {
      if (range.first <= before.back().first) {
        add("communicator size {} does not ascend; a look-up takes the last one that is not above",
            range.first);
      }
      before.back().last = range.first - 1;
    }
    const std::int64_t count = number("a number of message sizes");
    if (count == 0) advise("no rule for any message size");
    for (std::int64_t i = 0; i < count; ++i) {
      SizeRange next = size(known, global, range.sizes);
      range.sizes.push_back(std::move(next));
    }
    return range;
  }

  SizeRange size(std::optional<Collective> known, bool global,
                 const std::vector<SizeRange>& before) {
    const auto from_bytes = scanner_.size();
    if (!from_bytes) give_up_at_end("a message size");
    if (before.empty() && *from_bytes > 1) {
      give_up("the first message size is {}; unless it is 0 the library drops the whole file",
              *from_bytes);
    }
    SizeRange range{
        .from_bytes = static_cast<std::int64_t>(std::min<std::uint64_t>(*from_bytes, INT64_MAX)),
        .line = scanner_.line()};
    if (!before.empty() && range.from_bytes <= before.back().from_bytes) {
      add("message size {} does not ascend; a look-up takes the last one that is not above",
          range.from_bytes);
    }
    const std::string component = word("a component");
    if (!is_one_of(kComponents, component)) {
      give_up("'{}' is no component; known: {}", component, fmt::join(kComponents, " "));
    }
    if (component == kHanComponent) {
      if (!global) add("coll/han can't work within coll/han");
      range.algorithm.name = algorithm(known);
    } else {
      range.algorithm.name = component;
      const bool works = component == kCollTuned || component == "basic";
      if (global && !works) {
        add("coll/{} does nothing on several nodes as Open MPI comes; coll/tuned does", component);
      }
    }
    skip_segments();
    return range;
  }

  /// The algorithm behind "han"; empty where coll/han decides itself.
  std::string algorithm(std::optional<Collective> known) {
    if (!scanner_.take('@').value_or(false)) return "";
    const std::string name = word("an algorithm");
    std::string_view rest = known ? algorithms_of(*known, major_) : "";
    if (name == "default" || (!rest.empty() && int_in(name) == 0)) return "";
    for (int number = 1; !rest.empty(); ++number) {
      const std::string_view each = take_part(rest, ' ');
      if (name != each && int_in(name) != number) continue;
      return fmt::format("{}{}", libraries::openmpi::kHan, each);
    }
    give_up("coll/han has no algorithm '{}' for this collective", name);
  }

  /// The library reads segments, and does nothing with them.
  void skip_segments() {
    if (!scanner_.take('[').value_or(false)) return;
    while (!scanner_.take(']').value_or(true)) number("the end of the segments", INT64_MIN);
  }

  Scanner scanner_;
  int major_ = libraries::openmpi::kFirstMajorWithHan;
  ReadTable& read_;
};

}  // namespace

bool is_han_rules(std::string_view text) {
  const std::vector<Word> words = words_of(text);
  if (words.empty() || !number_in(words.front().text, kLeast)) return false;
  return std::ranges::any_of(words, [](const Word& each) {
    return !number_in(each.text, kLeast) &&
           (is_one_of(kComponents, each.text) || collective_of(each.text));
  });
}

ReadTable read_han_rules(std::string_view text) {
  ReadTable read;
  if (const auto reason = unfit_head(text, unfit_for_han_rules))
    read.faults.push_back({0, *reason});
  std::vector<CollectiveRanges> ranges;
  try {
    ranges = HanReader{text, read}.all();
  } catch (const Fault& fault) {
    read.faults.push_back(fault);
  }
  if (!read.faults.empty()) return read;
  static constexpr Component kHanRules{
      "coll/han", [](const Case& problem) { return problem.message.value; },
      [](Collective collective) -> std::string_view {
        return counts_one_block(collective) ? "the bytes of a block" : "the bytes of the vector";
      }};
  answer_by(areas_of(ranges), read, kHanRules);
  return read;
}

}  // namespace breakeven::formats::openmpi
