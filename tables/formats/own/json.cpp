// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/own/json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/error.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/own/rule_fields.hpp"

namespace breakeven::formats {

namespace {

using Fault = ReadTable::Fault;

/// Of the form of the file: one that this version does not know is refused.
constexpr int kForm = 4;
constexpr std::string_view kRuleBegins = "    {\"collective\"";

constexpr auto kNonblocking = "nonblocking";  // algorithms, whose names no format asks for

Json capabilities_json(const LibraryCapabilities& capabilities) {
  Json json = json_of(capabilities);
  json.erase(kNonblocking);
  return json;
}

LibraryCapabilities capabilities_of(Json json) {
  json[kNonblocking] = Json::array();
  return value_in<LibraryCapabilities>(json);
}

Json provenance_json(const tables::Provenance& provenance) {
  Json json{{"database", provenance.database},
            {"machine", json_of(provenance.machine)},
            {"capabilities", capabilities_json(provenance.capabilities)},
            {"date", provenance.date},
            {"version", provenance.version},
            {"command", provenance.command}};
  if (!provenance.verified.empty()) json["verified"] = provenance.verified;
  if (!provenance.reproducible.empty()) json["reproducible"] = provenance.reproducible;
  if (!provenance.allowed_unsafe.empty()) json["allowed_unsafe"] = provenance.allowed_unsafe;
  if (!provenance.skipped.empty()) json["skipped"] = provenance.skipped;
  return json;
}

tables::Provenance provenance_of(const Json& json) {
  return {.database = json.at("database"),
          .machine = value_in<Machine>(json.at("machine")),
          .capabilities = capabilities_of(json.at("capabilities")),
          .date = json.at("date"),
          .version = json.at("version"),
          .command = json.at("command"),
          .verified = json.value("verified", std::vector<std::string>{}),
          .reproducible = json.value("reproducible", ""),
          .allowed_unsafe = json.value("allowed_unsafe", libraries::AlgorithmNames{}),
          .skipped = json.value("skipped", std::vector<std::string>{})};
}

std::string rule_line(const tables::Rule& rule) {
  const Json json = rule_json(rule);
  std::vector<std::string> members;
  for (const auto& [name, value] : json.items()) {
    members.push_back(fmt::format("\"{}\": {}", name, value.dump()));
  }
  return fmt::format("    {{{}}}", fmt::join(members, ", "));
}

/// The line of each rule, the first one first.
std::vector<int> rule_lines(std::string_view text) {
  std::vector<int> numbers;
  int number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (line.starts_with(kRuleBegins)) numbers.push_back(number);
  }
  return numbers;
}

std::vector<tables::Rule> rules_of(const Json& json, std::string_view text, ReadKept& read) {
  const std::vector<int> lines = rule_lines(text);
  std::vector<tables::Rule> rules;
  for (const Json& each : json) {
    const int line = rules.size() < lines.size() ? lines[rules.size()] : 0;
    read.lines.push_back(line);
    tables::Rule rule;
    try {
      rule = rule_in(each);
      const tables::Rule* before = rules.empty() ? nullptr : &rules.back();
      if (auto fault = rule_fault(before, rule)) read.faults.push_back({line, *std::move(fault)});
    } catch (const std::exception& error) {  // of nlohmann-json, or of a field
      read.faults.push_back({line, json_error_text(error)});
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace

std::string to_json(const KeptTable& kept) {
  std::vector<std::string> rules;
  for (const tables::Rule& rule : kept.table.rules) rules.push_back(rule_line(rule));
  const std::vector<std::string>& lost = kept.table.lost_layouts;
  return fmt::format(
      "{{\n  \"breakeven_table\": {},\n  \"apply\": \"breakeven run --tables FOLDER -- mpiexec "
      "...; "
      "or preload libbreakeven-mpich.so or libbreakeven-openmpi.so, with BREAKEVEN_TABLE=FILE\",\n "
      " \"undo\": \"nothing to undo\",\n"
      "  \"provenance\": {},\n  \"candidates\": \"{}\",\n{}  \"rules\": [\n{}\n  ]\n}}\n",
      kForm, provenance_json(kept.provenance).dump(), tables::kCandidates.of(kept.table.candidates),
      lost.empty() ? "" : fmt::format("  \"lost_layouts\": {},\n", Json(lost).dump()),
      fmt::join(rules, ",\n"));
}

void add_rule(std::string_view line, int number, tables::Rule (*rule_of)(std::string_view line),
              std::vector<tables::Rule>& rules, ReadKept& read) {
  try {
    tables::Rule rule = rule_of(line);
    const tables::Rule* before = rules.empty() ? nullptr : &rules.back();
    if (auto fault = rule_fault(before, rule)) read.faults.push_back({number, *std::move(fault)});
    rules.push_back(std::move(rule));
    read.lines.push_back(number);
  } catch (const UsageError& error) {
    read.faults.push_back({number, error.what()});
  }
}

ReadKept read_kept_table(std::string_view text) {
  ReadKept read;
  try {
    const Json json = Json::parse(text);
    if (json.at("breakeven_table") != kForm) {
      throw UsageError(fmt::format("a table of form {}; this Breakeven reads form {}",
                                   json.at("breakeven_table").dump(), kForm));
    }
    read.kept.provenance = provenance_of(json.at("provenance"));
    const tables::Candidates candidates =
        tables::kCandidates.parse(json.at("candidates").get<std::string>());
    std::vector<tables::Rule> rules = rules_of(json.at("rules"), text, read);
    if (!read.faults.empty()) return read;
    read.kept.table = table_of(candidates, std::move(rules));
    read.kept.table.lost_layouts = json.value("lost_layouts", std::vector<std::string>{});
  } catch (const Json::parse_error& error) {
    read.faults.push_back({line_at(text, error.byte), std::string{kNoJson}});
  } catch (const std::exception& error) {  // of nlohmann-json, or of a word
    read.faults.push_back({0, fmt::format("no table of Breakeven: {}", json_error_text(error))});
  }
  return read;
}

KeptTable without_faults(ReadKept read, std::string_view file) {
  if (read.faults.empty()) return std::move(read.kept);
  throw UsageError(fault_text(file, read.faults.front()));
}

KeptTable kept_table(std::string_view text, std::string_view file) {
  return without_faults(read_kept_table(text), file);
}

Emitted json(const tables::Table& table, const tables::Provenance& provenance) {
  return {.text = to_json({table, provenance})};
}

ReadTable read_json(std::string_view text) { return as_read_table(read_kept_table(text)); }

}  // namespace breakeven::formats
