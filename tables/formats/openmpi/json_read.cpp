// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "core/error.hpp"
#include "core/json.hpp"
#include "libraries/library_algorithm.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/openmpi/area.hpp"
#include "tables/formats/openmpi/json.hpp"
#include "tables/formats/openmpi/tuned.hpp"

namespace breakeven::formats::openmpi {

namespace {

using Fault = ReadTable::Fault;
constexpr std::string_view kInfinite = "inf";

/// The lines of a file that hold a key, for messages: nlohmann-json forgets where values stood.
class KeyLines {
 public:
  KeyLines(std::string_view text, std::string_view key) {
    const std::string quoted = fmt::format("\"{}\"", key);
    int number = 0;
    for (const std::string_view line : lines_of(text)) {
      ++number;
      for (std::size_t at = line.find(quoted); at != std::string_view::npos;
           at = line.find(quoted, at + 1)) {
        lines_.push_back(number);
      }
    }
  }
  /// Of the next of them, in the order of the file; 0 when there are no more.
  int next() { return next_ < lines_.size() ? lines_[next_++] : 0; }

 private:
  std::vector<int> lines_{};
  std::size_t next_ = 0;
};

class Reader {
 public:
  /// @param head  of the file, as comments
  Reader(std::string_view text, std::string head, std::vector<Fault>& faults)
      : procs_lines_{text, "rules"},
        size_lines_{text, "alg"},
        text_{text},
        head_{std::move(head)},
        faults_{faults} {}

  std::vector<Area> collectives(const Json& all) {
    for (const auto& [name, rules] : all.items()) {
      const std::optional<Collective> known = kCollectives.find(name);
      if (!known) {
        add(KeyLines{text_, name}.next(),
            "'{}' is no collective; the library drops the whole file for it", name);
        continue;
      }
      for (const Json& rule : rules) procs(*known, rule);
    }
    return std::move(areas_);
  }

 private:
  template <typename... Parts>
  void add(int line, fmt::format_string<Parts...> reason, Parts&&... parts) {
    faults_.push_back({line, fmt::format(reason, std::forward<Parts>(parts)...)});
  }

  /// A bound as the library reads it; its default where it is left out.
  static std::int64_t bound(const Json& rule, const char* key, std::int64_t otherwise) {
    if (!rule.contains(key) || rule.at(key) == kInfinite) return otherwise;
    return rule.at(key).get<std::int64_t>();
  }

  void refuse_other_keys(int line, const Json& rule, std::initializer_list<std::string_view> keys) {
    for (const auto& [key, value] : rule.items()) {
      if (std::ranges::find(keys, key) != keys.end()) continue;
      add(line, "the library passes over the key '{}', which it doesn't know", key);
    }
  }

  void procs(Collective collective, const Json& rule) {
    const int line = procs_lines_.next();
    refuse_other_keys(line, rule,
                      {"comm_size_min", "comm_size_max", "comm_rank_distribution", "rules"});
    Area area{
        .collective = collective,
        .procs = {bound(rule, "comm_size_min", 0), bound(rule, "comm_size_max", Range{}.last)}};
    if (rule.value("comm_size_max", Json{}) == kInfinite) {
      add(line, "the library takes \"comm_size_max\": \"inf\" for -1, so the rule never holds");
    } else if (area.procs.last == Range{}.last) {
      add(line, "all communicators of {} processes or more get this rule", area.procs.first);
    }
    const Json& sizes = rule.at("rules");
    for (const Json& each : sizes) size(each, area);
    if (sizes.empty()) return add(line, "no rule for any message size");
    // Below a rule that begins above 0, and above one that ends, the library decides.
    const Range& last = areas_.back().bytes;
    const bool whole = last.first == 0 && last.last == Range{}.last;
    if (const auto hazard = tuned_hazard(collective, whole ? sizes.size() : sizes.size() + 1)) {
      faults_.push_back({line, *hazard});
    }
  }

  void size(const Json& rule, Area area) {
    area.line = size_lines_.next();
    refuse_other_keys(area.line, rule,
                      {"msg_size_min", "msg_size_max", "alg", "faninout", "seg_size"});
    area.bytes = {bound(rule, "msg_size_min", 0), bound(rule, "msg_size_max", Range{}.last)};
    area.algorithm = {.name = rule.at("alg").get<std::string>(),
                      .fanout = rule.value("faninout", 0),
                      .segment_bytes = rule.value("seg_size", 0)};
    if (const auto fault = tuned_fault(area.collective, area.procs, area.algorithm, head_)) {
      faults_.push_back({area.line, *fault});
    }
    place(area);
    areas_.push_back(std::move(area));
  }

  void place(const Area& area) {
    if (area.procs.last < area.procs.first || area.bytes.last < area.bytes.first) {
      return add(area.line, "a range that ends before it begins");
    }
    const auto other =
        std::ranges::find_if(areas_, [&](const Area& before) { return before.overlaps(area); });
    if (other == areas_.end()) return;
    add(area.line, "{} from {} bytes on at {} processes overlaps line {}",
        kCollectives.of(area.collective), area.bytes.first, area.procs.first, other->line);
  }

  KeyLines procs_lines_;
  KeyLines size_lines_;
  std::string_view text_;
  std::string head_;
  std::vector<Fault>& faults_;
  std::vector<Area> areas_{};
};

std::string head_of(const Json& file) {
  if (!file.contains("breakeven")) return {};
  return commented("#", file.at("breakeven").get<std::vector<std::string>>());
}

}  // namespace

ReadTable read_json(std::string_view text) {
  ReadTable read;
  std::vector<Area> areas;
  try {
    const Json file = Json::parse(text);
    const std::string head = head_of(file);
    if (const auto reason = unfit_head(head, unfit_for_json)) read.faults.push_back({0, *reason});
    areas = Reader{text, head, read.faults}.collectives(file.at("collectives"));
  } catch (const Json::parse_error& error) {
    read.faults.push_back({line_at(text, error.byte), std::string{kNoJson}});
  } catch (const Json::exception& error) {
    read.faults.push_back({0, fmt::format("not a file of rules: {}", json_error_text(error))});
  }
  if (read.faults.empty()) answer_by(std::move(areas), read);
  return read;
}

}  // namespace breakeven::formats::openmpi
