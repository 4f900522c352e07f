// SPDX-License-Identifier: BSD-3-Clause
// As ompi/mca/coll/han/coll_han_dynamic_file.c reads it, and coll_han_dynamic.c looks rules up, at
// v5.0.7.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <optional>
#include <span>
#include <vector>

#include "libraries/library_algorithm.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/openmpi/area.hpp"
#include "tables/formats/openmpi/han_rules.hpp"
#include "tables/formats/openmpi/ranges.hpp"
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
constexpr std::size_t kGlobal = 2;
constexpr std::size_t kLongestWord = 32;
constexpr std::int64_t kLeast = 0;  // of all numbers in a file

template <typename Names>
bool is_one_of(const Names& names, std::string_view word) {
  return std::ranges::find(names, word) != std::end(names);
}

std::optional<Collective> collective_of(std::string_view word) {
  if (const auto number = number_in(word, kLeast)) {
    return libraries::openmpi::rules_collective(
        static_cast<int>(std::min<std::int64_t>(*number, INT_MAX)));
  }
  return kCollectives.find(word);
}

/// Takes the words as the library does, one after the other. @throws Fault where it gives up
class HanReader {
 public:
  HanReader(std::span<const Word> words, ReadTable& read) : words_{words}, read_{read} {}

  std::vector<CollectiveRanges> all() {
    std::vector<CollectiveRanges> all;
    const std::int64_t collectives = number("the number of collectives");
    if (collectives == 0) throw Fault{line_, "no collective: the library takes it for an error"};
    for (std::int64_t i = 0; i < collectives; ++i) {
      CollectiveRanges next = collective();
      if (std::ranges::find(all, next.collective, &CollectiveRanges::collective) != all.end()) {
        add("{} has rules twice; the last ones hold", kCollectives.of(next.collective));
      }
      all.push_back(std::move(next));
    }
    if (!words_.empty()) throw Fault{words_.front().line, "a word after the last rule"};
    return all;
  }

 private:
  template <typename... Parts>
  void add(fmt::format_string<Parts...> reason, Parts&&... parts) {
    read_.faults.push_back({line_, fmt::format(reason, std::forward<Parts>(parts)...)});
  }
  template <typename... Parts>
  void advise(fmt::format_string<Parts...> reason, Parts&&... parts) {
    read_.advice.push_back({line_, fmt::format(reason, std::forward<Parts>(parts)...)});
  }

  std::string_view word(std::string_view what) {
    if (words_.empty()) {
      throw Fault{line_, fmt::format("the file ends here, before {}: was it cut?", what)};
    }
    const Word& next = words_.front();
    words_ = words_.subspan(1);
    line_ = next.line;
    if (next.text.size() <= kLongestWord) return next.text;
    throw Fault{line_, fmt::format("'{}' is longer than the library reads", next.text)};
  }
  std::int64_t number(std::string_view what) {
    const std::string_view text = word(what);
    const auto number = number_in(text, kLeast);
    if (!number) throw Fault{line_, fmt::format("'{}' is not {}", text, what)};
    if (text.size() > 1 && text.front() == '0') {
      throw Fault{line_, fmt::format("'{}' begins with 0: the library reads it as octal", text)};
    }
    return *number;
  }

  CollectiveRanges collective() {
    const std::string_view name = word("a collective");
    const auto known = collective_of(name);
    if (!known) throw Fault{line_, fmt::format("'{}' is no collective", name)};
    CollectiveRanges ranges{.collective = *known};
    const bool used = libraries::openmpi::has_han(*known);
    if (!used) {
      advise("coll/han does nothing for {}: these rules are never used", kCollectives.of(*known));
    }
    const std::int64_t levels = number("a number of levels");
    for (std::int64_t i = 0; i < levels; ++i) level(ranges);
    if (!used) ranges.procs.clear();
    return ranges;
  }

  /// Rules for nodes' own communicators are no part of a table.
  void level(CollectiveRanges& ranges) {
    const std::string_view name = word("a level");
    const auto found = std::ranges::find(kLevels, name);
    const auto number_of_level =
        found == kLevels.end() ? number_in(name, kLeast) : std::optional{found - kLevels.begin()};
    if (!number_of_level || *number_of_level > static_cast<std::int64_t>(kGlobal)) {
      throw Fault{line_, fmt::format("'{}' is no level; they are 0, 1 and 2", name)};
    }
    const bool global = *number_of_level == kGlobal;
    const std::int64_t count = number("a number of communicator sizes");
    if (count == 0) advise("no rule for any communicator size");
    std::vector<ProcsRange> all;
    for (std::int64_t i = 0; i < count; ++i) all.push_back(procs(ranges.collective, global, all));
    if (global && !all.empty()) ranges.procs = std::move(all);
  }

  ProcsRange procs(Collective collective, bool global, std::vector<ProcsRange>& before) {
    ProcsRange range{
        .first = static_cast<int>(std::min<std::int64_t>(number("a communicator size"), INT_MAX)),
        .last = INT_MAX};
    if (before.empty() && range.first != 1) {
      throw Fault{line_,
                  fmt::format("the first communicator size is {}; unless it is 1 the library "
                              "drops the whole file",
                              range.first)};
    }
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
      SizeRange next = size(collective, global, range.sizes);
      range.sizes.push_back(std::move(next));
    }
    return range;
  }

  SizeRange size(Collective collective, bool global, const std::vector<SizeRange>& before) {
    SizeRange range{.from_bytes = number("a message size")};
    range.line = line_;
    if (before.empty() && range.from_bytes > 1) {
      throw Fault{line_,
                  fmt::format("the first message size is {}; unless it is 0 the library drops "
                              "the whole file",
                              range.from_bytes)};
    }
    if (!before.empty() && range.from_bytes <= before.back().from_bytes) {
      add("message size {} does not ascend; a look-up takes the last one that is not above",
          range.from_bytes);
    }
    const std::string_view component = word("a component");
    if (!is_one_of(kComponents, component)) {
      throw Fault{line_, fmt::format("'{}' is no component; known: {}", component,
                                     fmt::join(kComponents, " "))};
    }
    if (component == kHanComponent) {
      if (!global) add("coll/han can't work within coll/han");
      range.algorithm.name = algorithm(collective);
    } else {
      range.algorithm.name = component;
      const bool works = component == kCollTuned || component == "basic";
      if (global && !works) {
        add("coll/{} does no {} on several nodes as Open MPI comes; coll/tuned does", component,
            kCollectives.of(collective));
      }
    }
    skip_segments();
    return range;
  }

  /// The algorithm behind "han"; empty where coll/han decides itself.
  std::string algorithm(Collective collective) {
    if (words_.empty() || !words_.front().text.starts_with('@')) return "";
    std::string name{word("an algorithm").substr(1)};
    if (name.empty()) name = word("an algorithm");
    if (name == "default") return "";
    std::string known = fmt::format("{}{}", libraries::openmpi::kHan, name);
    const Case what{.collective = collective, .variant = LibraryOwn{"openmpi", known}};
    if (libraries::find_library_algorithm(what) != nullptr) return known;
    throw Fault{line_, fmt::format("coll/han has no algorithm '{}' for {} that Breakeven knows",
                                   name, kCollectives.of(collective))};
  }

  /// The library reads segments, and does nothing with them.
  void skip_segments() {
    if (words_.empty() || !words_.front().text.starts_with('[')) return;
    while (!word("the end of the segments").ends_with(']')) continue;
  }

  std::span<const Word> words_;
  ReadTable& read_;
  int line_ = 0;  // of the last word taken
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
  const std::vector<Word> words = words_of(text);
  std::vector<CollectiveRanges> ranges;
  try {
    ranges = HanReader{words, read}.all();
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
