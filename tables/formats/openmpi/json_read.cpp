// SPDX-License-Identifier: BSD-3-Clause
// As ompi/mca/coll/tuned/coll_tuned_dynamic_file.c and opal/util/json read it, and
// coll_tuned_dynamic_rules.c looks rules up, in Open MPI's branch v6.0.x.
#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <climits>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/units.hpp"
#include "libraries/library_algorithm.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/openmpi/area.hpp"
#include "tables/formats/openmpi/json.hpp"
#include "tables/formats/openmpi/scanner.hpp"
#include "tables/formats/openmpi/tuned.hpp"

namespace breakeven::formats::openmpi {

namespace {

using Fault = ReadTable::Fault;
constexpr const char* kLine = "\nline";  // the key of an object's line

/// A text that only the library takes for JSON, as all do: without commas behind last values, and
/// in strings without bytes and escapes that JSON does not have. It ends at a zero.
struct Source {
  explicit Source(std::string_view from) : text{from.substr(0, from.find('\0'))} {
    int line = 1;
    bool in_string = false;
    char last = ' ';  // outside of blanks
    std::size_t comma = std::string::npos;
    for (std::size_t i = 0; i < text.size(); ++i) {
      char& each = text[i];
      if (each == '\n') ++line;
      if (in_string && each == '\\' && i + 1 < text.size()) {
        if (std::string_view{"\"\\/bfnrtu"}.find(text[i + 1]) == std::string_view::npos) {
          text.erase(i--, 1);
        } else {
          ++i;
        }
        continue;
      }
      if (in_string && (static_cast<unsigned char>(each) < ' ' || (each & 0x80) != 0)) each = '?';
      if (each == '"') in_string = !in_string;
      if (in_string || std::string_view{" \t\r\n"}.find(each) != std::string_view::npos) continue;
      if (each == '{') object_lines.push_back(line);
      if ((each == '}' || each == ']') && comma != std::string::npos) text[comma] = ' ';
      const bool behind_value = std::string_view{"{[,:"}.find(last) == std::string_view::npos;
      comma = each == ',' && behind_value ? i : std::string::npos;
      last = each;
    }
  }

  /// Gives each object its line. @throws Fault where an object has a key twice
  [[nodiscard]] Json parsed() const {
    std::vector<std::pair<int, std::set<std::string>>> open;
    std::size_t next = 0;
    return Json::parse(text, [&](int, Json::parse_event_t event, Json& json) {
      if (event == Json::parse_event_t::object_start) {
        open.emplace_back(object_lines.at(next++), std::set<std::string>{});
      } else if (event == Json::parse_event_t::key) {
        if (!open.back().second.insert(json.get<std::string>()).second) {
          throw Fault{open.back().first, fmt::format("the key {} twice", json.dump())};
        }
      } else if (event == Json::parse_event_t::object_end) {
        json[kLine] = open.back().first;
        open.pop_back();
      }
      return true;
    });
  }

  std::string text;
  std::vector<int> object_lines{};  // in the order of the text
};

/// @throws Fault where the library drops the whole file
class Reader {
 public:
  /// @param head  of the file, as comments
  Reader(std::string_view text, std::string head, ReadTable& read)
      : text_{text}, head_{std::move(head)}, read_{read} {}

  std::vector<Area> collectives(const Json& all) {
    if (!all.is_object()) throw Fault{0, "\"collectives\" is no object"};
    for (const auto& [name, rules] : all.items()) {
      if (name == kLine) continue;
      line_ = line_at(text_, text_.find(fmt::format("\"{}\"", name)));
      const auto id = collective_id(name);
      if (!id) {
        add(read_.faults, "'{}' is no collective; the library drops the whole file for it{}", name,
            own_spelling(name));
        continue;
      }
      require_array(rules, name);
      const auto known = libraries::openmpi::rules_collective(*id);
      if (rules.empty()) continue;
      if (!known || find_tuned(numbers_, *known, 1) == nullptr) {
        add(read_.faults, "coll/tuned has no algorithms for '{}': a rule ends the program", name);
        continue;
      }
      for (const Json& rule : rules) procs(*known, rule);
    }
    return std::move(areas_);
  }

  /// Of the object that is being read.
  [[nodiscard]] int line() const { return line_; }

 private:
  template <typename... Parts>
  void add(std::vector<Fault>& to, fmt::format_string<Parts...> reason, Parts&&... parts) {
    to.push_back({line_, fmt::format(reason, std::forward<Parts>(parts)...)});
  }

  /// Open MPI's own schema has the names of its sources, without '_', which its reader refuses.
  static std::string own_spelling(std::string_view name) {
    for (const auto& [collective, known] : kCollectives.entries) {
      std::string joined{known};
      std::erase(joined, '_');
      if (joined == name) return fmt::format("; its reader knows '{}'", known);
    }
    return "";
  }

  void require_array(const Json& value, std::string_view key) const {
    if (!value.is_array()) throw Fault{line_, fmt::format("\"{}\" is no array", key)};
  }

  /// To the library others are no integers.
  static bool is_integer(const Json& value) {
    return value.is_number_integer() && number_in<std::int64_t>(value.dump());
  }

  /// As the library reads it; its default where it is left out.
  [[nodiscard]] std::int64_t integer(const Json& rule, const char* key,
                                     std::int64_t otherwise) const {
    if (!rule.contains(key)) return otherwise;
    const Json& value = rule.at(key);
    if (is_integer(value)) return value.get<std::int64_t>();
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    for (const char* infinite : {"inf", "Inf", "INF"}) {
      if (text.starts_with(infinite)) return Range{}.last;
    }
    throw Fault{line_, fmt::format("\"{}\" is {}, neither an integer nor \"inf\": the library "
                                   "drops the whole file",
                                   key, value.dump())};
  }

  /// The same in an int, of which the library keeps the lower half.
  int as_int(const Json& rule, const char* key, int otherwise, int least = 0) {
    const std::int64_t value = integer(rule, key, otherwise);
    const auto kept = static_cast<int>(value);
    if (kept < least) {
      add(read_.faults, "\"{}\" is {} to the library: below {}", key, kept, least);
    } else if (kept != value) {
      add(read_.advice, "the library takes \"{}\" for {}", key, kept);
    }
    return kept;
  }

  void advise_of_other_keys(const Json& rule, std::initializer_list<std::string_view> keys) {
    for (const auto& [key, value] : rule.items()) {
      if (key == kLine || std::ranges::find(keys, key) != keys.end()) continue;
      add(read_.advice, "the library passes over the key '{}', which it doesn't know", key);
    }
  }

  std::string_view placing(const Json& rule) {
    const std::string name = rule.value("comm_rank_distribution", "any");
    if (name == kSingleNode) return kSingleNode;
    if (name == kOnePerNode) {
      add(read_.advice,
          "MPI_COMM_WORLD never gets this rule: the library finds '{}' only of "
          "communicators that it makes of others",
          name);
      return kOnePerNode;
    }
    if (name != "any") add(read_.advice, "the library takes the distribution '{}' for 'any'", name);
    return {};
  }

  void procs(Collective collective, const Json& rule) {
    line_ = rule.at(kLine).get<int>();
    advise_of_other_keys(rule,
                         {"comm_size_min", "comm_size_max", "comm_rank_distribution", "rules"});
    Area area{.collective = collective,
              .procs = {as_int(rule, "comm_size_min", 0, INT_MIN),
                        as_int(rule, "comm_size_max", INT_MAX, INT_MIN)},
              .line = line_,
              .placing = placing(rule),
              .rest = true};
    if (area.procs.last == INT_MAX) area.procs.last = Range{}.last;
    if (rule.contains("comm_size_max") && rule.at("comm_size_max").is_string()) {
      add(read_.faults,
          "the library takes \"comm_size_max\": \"inf\" for -1, so the rule never holds");
    } else if (area.procs.last == Range{}.last && area.procs.first > 0) {
      add(read_.advice, "all communicators of {} processes or more get this rule",
          area.procs.first);
    }
    check_range(area.procs);
    for (const Area& before : areas_) {
      const Range both = common(before.procs, area.procs);
      if (!before.rest || before.collective != collective || both.last < both.first) continue;
      if (!before.placing.empty() && before.placing != area.placing) continue;
      add(read_.advice, "the rules of line {} come first at p = {}", before.line, to_text(both));
    }
    const Json& sizes = rule.at("rules");
    require_array(sizes, "rules");
    const std::size_t first = areas_.size();
    for (const Json& each : sizes) size(each, area, first);
    line_ = area.line;
    if (sizes.empty()) add(read_.advice, "no rule for any message size");
    // Below a rule that begins above 0, and above one that ends, the library decides.
    const Range last = areas_.size() == first ? Range{} : areas_.back().bytes;
    const bool whole = last.first == 0 && last.last == Range{}.last;
    if (const auto hazard = tuned_hazard(collective, whole ? sizes.size() : sizes.size() + 1)) {
      read_.advice.push_back({line_, *hazard});
    }
    areas_.push_back(std::move(area));
  }

  /// @param first  the first area for the same communicators
  void size(const Json& rule, Area area, std::size_t first) {
    if (!rule.is_object() || !rule.contains("alg") ||
        !(rule.at("alg").is_string() || is_integer(rule.at("alg")))) {
      return add(read_.faults, "a rule without an algorithm, which the library passes over");
    }
    line_ = area.line = rule.at(kLine).get<int>();
    area.rest = false;
    advise_of_other_keys(rule,
                         {"msg_size_min", "msg_size_max", "alg", "faninout", "seg_size", "reqs"});
    area.bytes = {integer(rule, "msg_size_min", 0), integer(rule, "msg_size_max", Range{}.last)};
    // To the library sizes have no sign.
    if (area.bytes.last < 0) area.bytes.last = Range{}.last;
    if (area.bytes.first < 0) area.bytes.last = INT64_MIN;
    check_range(area.bytes);
    for (const Area& before : std::span{areas_}.subspan(first)) {
      const Range both = common(before.bytes, area.bytes);
      if (both.last < both.first) continue;
      add(read_.advice, "the rule of line {} comes first at bytes {}", before.line, to_text(both));
    }
    area.algorithm.fanout = as_int(rule, "faninout", 0);
    area.algorithm.segment_bytes = as_int(rule, "seg_size", 0);
    if (rule.contains("reqs")) area.algorithm.max_requests = as_int(rule, "reqs", 0);
    if (name_algorithm(rule.at("alg"), area)) {
      check_tuned(area.collective, area.procs, line_, head_, area.algorithm, read_);
    }
    areas_.push_back(std::move(area));
  }

  /// @return whether a rule has it: 0 leaves the decision to the library
  bool name_algorithm(const Json& value, Area& area) {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    const auto number = value.is_string()
                            ? int_in(text, 0)
                            : std::optional{static_cast<int>(value.get<std::int64_t>())};
    area.algorithm.name = text;
    if (number == 0 || strcasecmp(text.c_str(), "ignore") == 0) {
      area.algorithm = {};
      return false;
    }
    for (const ListedAlgorithm& each : numbers_.algorithms) {
      if (each.collective != area.collective) continue;
      if (number != each.value && strcasecmp(text.c_str(), each.name.c_str()) != 0) continue;
      area.algorithm.name = each.name;
      area.number = number.value_or(0);
      return true;
    }
    add(read_.faults, "{} '{}' is no algorithm: the library ignores the rule",
        kCollectives.of(area.collective), text);
    return false;
  }

  void check_range(const Range& range) {
    if (range.last < range.first) add(read_.faults, "a range that ends before it begins");
  }

  std::string_view text_;
  std::string head_;
  LibraryCapabilities numbers_ = tuned_numbers("", libraries::openmpi::kFirstMajorWithJson);
  ReadTable& read_;
  int line_ = 0;
  std::vector<Area> areas_{};
};

std::string head_of(const Json& file) {
  std::vector<std::string> lines;
  if (!file.contains("breakeven") || !file.at("breakeven").is_array()) return {};
  for (const Json& line : file.at("breakeven")) {
    if (line.is_string()) lines.push_back(line.get<std::string>());
  }
  return commented("#", lines);
}

}  // namespace

ReadTable read_json(std::string_view text) {
  ReadTable read;
  std::vector<Area> areas;
  std::optional<Reader> reader;
  try {
    const Json file = Source{text}.parsed();
    const std::string head = head_of(file);
    if (const auto reason = unfit_head(head, unfit_for_json)) read.faults.push_back({0, *reason});
    areas = reader.emplace(text, head, read).collectives(file.at("collectives"));
  } catch (const Json::parse_error& error) {
    read.faults.push_back({line_at(text, error.byte), std::string{kNoJson}});
  } catch (const Json::exception& error) {
    read.faults.push_back({reader ? reader->line() : 0,
                           fmt::format("not a file of rules: {}", json_error_text(error))});
  } catch (const Fault& fault) {
    read.faults.push_back(fault);
  }
  if (read.faults.empty()) answer_by(std::move(areas), read);
  return read;
}

}  // namespace breakeven::formats::openmpi
