// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "libraries/library_algorithm.hpp"
#include "tuner/emit/areas.hpp"
#include "tuner/emit/head.hpp"
#include "tuner/emit/openmpi_json.hpp"
#include "tuner/emit/openmpi_json_text.hpp"
#include "tuner/emit/openmpi_tuned.hpp"

namespace breakeven {

namespace {

using Fault = ReadTable::Fault;
using Json = nlohmann::ordered_json;  // rules count in the order of the file

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

/// Rules as areas; takes faults down on the way.
class Reader {
 public:
  Reader(std::string_view text, std::string head, std::vector<Fault>& faults)
      : procs_lines_{text, "rules"},
        size_lines_{text, "alg"},
        text_{text},
        head_{std::move(head)},
        faults_{faults} {}

  std::vector<Area> collectives(const Json& all) {
    for (const auto& [name, rules] : all.items()) {
      const auto* const known =
          std::ranges::find(kCollectives.entries, name, &decltype(kCollectives)::Entry::name);
      if (known == kCollectives.entries.end()) {
        add(KeyLines{text_, name}.next(),
            "'{}' is no collective; the library drops the whole file for it", name);
        continue;
      }
      for (const Json& rule : rules) procs(known->value, rule);
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

  void procs(Collective collective, const Json& rule) {
    const int line = procs_lines_.next();
    Area area{.collective = collective,
              .first_procs = static_cast<int>(bound(rule, "comm_size_min", 0)),
              .last_procs = static_cast<int>(bound(rule, "comm_size_max", INT_MAX))};
    if (rule.value("comm_size_max", Json{}) == kInfinite) {
      add(line, "the library takes \"comm_size_max\": \"inf\" for -1, so the rule never holds");
    } else if (area.last_procs == INT_MAX) {
      add(line, "all communicators of {} processes or more get this rule", area.first_procs);
    }
    const Json& sizes = rule.at("rules");
    for (const Json& each : sizes) size(each, area);
    if (sizes.empty()) return add(line, "no rule for any message size");
    // A rule that begins above 0, or ends, has the library's own decision beside it.
    const bool whole = areas_.back().from_bytes == 0 && areas_.back().to_bytes == kAllBytes;
    if (const auto hazard = tuned_hazard(collective, whole ? sizes.size() : sizes.size() + 1)) {
      faults_.push_back({line, *hazard});
    }
  }

  void size(const Json& rule, Area area) {
    area.line = size_lines_.next();
    area.from_bytes = bound(rule, "msg_size_min", 0);
    area.to_bytes = bound(rule, "msg_size_max", kAllBytes);
    const openmpi::RuledAlgorithm ruled{.name = rule.at("alg").get<std::string>(),
                                        .fanout = rule.value("faninout", 0),
                                        .segment_bytes = rule.value("seg_size", 0)};
    area.variant = openmpi::variant_of(ruled);
    const Case what =
        with_variant({.collective = area.collective, .procs = area.first_procs}, area.variant);
    if (find_library_algorithm(what) == nullptr) {
      add(area.line, "{} '{}' is no algorithm that Breakeven knows of Open MPI",
          kCollectives.of(area.collective), ruled.name);
    } else {
      try {
        static_cast<void>(refusal(what));
        if (auto harm = unsafe_rule(head_, what)) faults_.push_back({area.line, *harm});
      } catch (const UsageError& error) {
        add(area.line, "{}", error.what());
      }
    }
    if (const auto hazard =
            tuned_hazard(area.collective, area.first_procs, area.last_procs, ruled.name)) {
      faults_.push_back({area.line, *hazard});
    }
    areas_.push_back(std::move(area));
  }

  KeyLines procs_lines_;
  KeyLines size_lines_;
  std::string_view text_;
  std::string head_;
  std::vector<Fault>& faults_;
  std::vector<Area> areas_{};
};

std::vector<std::string> head_of(const Json& file) {
  return file.contains("breakeven") ? file.at("breakeven").get<std::vector<std::string>>()
                                    : std::vector<std::string>{};
}

void check_head(const std::vector<std::string>& head, std::vector<Fault>& faults) {
  std::optional<openmpi::Version> version;
  constexpr std::string_view kLibrary = "library    ";
  for (const std::string& line : head) {
    if (line.starts_with(kLibrary)) version = openmpi::parse_version(line.substr(kLibrary.size()));
  }
  if (!version) {
    faults.push_back({0,
                      "no line of \"breakeven\" says for which version of Open MPI this file is, "
                      "as in all of Breakeven's"});
  } else if (const auto reason = openmpi_json_text::unfit(*version)) {
    faults.push_back({0, *reason});
  }
}

}  // namespace

std::optional<std::string> openmpi_json_text::unfit(const openmpi::Version& version) {
  if (version.major >= openmpi::kFirstMajorWithJson) return std::nullopt;
  return fmt::format(
      "Open MPI reads rules in JSON from {} on, and this one is {}.{}.{}: write "
      "openmpi_rules for it",
      openmpi::kFirstMajorWithJson, version.major, version.minor, version.release);
}

ReadTable read_openmpi_json(std::string_view text) {
  ReadTable read;
  std::vector<CollectiveRanges> ranges;
  std::vector<std::string> head;
  try {
    const Json file = Json::parse(text);
    head = head_of(file);
    check_head(head, read.faults);
    Reader reader{text, commented("#", head), read.faults};
    ranges = ranges_of(reader.collectives(file.at("collectives")), read.faults);
  } catch (const Json::parse_error& error) {
    read.faults.push_back(
        {line_at(text, error.byte),
         fmt::format("no JSON from here on, was the file cut? {}", error.what())});
  } catch (const Json::exception& error) {
    read.faults.push_back({0, fmt::format("not the keys of such a file: {}", error.what())});
  }
  if (!read.faults.empty()) return read;
  if (auto fault = first_difference(text, openmpi_json_text::whole(head, ranges))) {
    read.faults.push_back(*std::move(fault));
    return read;
  }
  read.answer = [ranges](const Case& problem) {
    return answer(ranges, problem, openmpi::rules_bytes);
  };
  return read;
}

}  // namespace breakeven
