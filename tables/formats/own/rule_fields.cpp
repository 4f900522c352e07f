// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/own/rule_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <tuple>

#include "core/error.hpp"
#include "kernels/catalogue.hpp"
#include "libraries/library_algorithm.hpp"
#include "mock_ups/mock_up.hpp"

/// By its text.
template <>
struct breakeven::JsonOf<breakeven::kernels::ProcsRequirement> {
  static Json write(const kernels::ProcsRequirement& requirement) { return requirement.text; }
  static kernels::ProcsRequirement read(const Json& json) {
    for (const kernels::ProcsRequirement& requirement :
         {kernels::kAnyProcs, kernels::kEvenProcs, kernels::kPowerOfTwo, tables::kMeasuredProcs}) {
      if (json == requirement.text) return requirement;
    }
    throw UsageError(fmt::format("no algorithm needs '{}'", json.get<std::string>()));
  }
};

namespace breakeven::formats {

namespace {

using tables::Rule;
using tables::Speedup;

/// A part of the speedup, which may be missing as a whole.
template <double Speedup::* Part>
struct SpeedupField : Field<&Rule::speedup> {
  static std::optional<double> get(const Rule& rule) {
    return rule.speedup ? std::optional{(*rule.speedup).*Part} : std::nullopt;
  }
  static void set(Rule& rule, std::optional<double> value) {
    if (!value) return;
    if (!rule.speedup) rule.speedup.emplace();
    (*rule.speedup).*Part = *value;
  }
};

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream{text};
  return {std::istream_iterator<std::string>{stream}, {}};
}

/// With four digits.
struct SteepnessField : Field<&Rule::steepness> {
  static std::optional<double> get(const Rule& rule) {
    if (!rule.steepness) return std::nullopt;
    return number_in<double>(fmt::format("{:.4g}", *rule.steepness));
  }
};

/// In one cell, "ring recursive_doubling".
struct RivalsField : Field<&Rule::rivals> {
  static std::string get(const Rule& rule) {
    std::vector<std::string> texts;
    for (const Variant& each : rule.rivals) texts.push_back(to_text(each));
    return fmt::format("{}", fmt::join(texts, " "));
  }
  static void set(Rule& rule, const std::string& text) {
    for (const std::string& word : words_of(text)) rule.rivals.push_back(Variant::parse(word));
  }
};

/// In one cell, "8:1.2:1.1:1.3": size, ratio and its interval.
struct GainsField : Field<&Rule::gains> {
  static std::string get(const Rule& rule) {
    std::vector<std::string> words;
    for (const auto& [message, speedup] : rule.gains) {
      words.push_back(fmt::format("{}:{:.4g}:{:.4g}:{:.4g}", message.value, speedup.ratio,
                                  speedup.low, speedup.high));
    }
    return fmt::format("{}", fmt::join(words, " "));
  }
  static void set(Rule& rule, const std::string& text) {
    for (const std::string& word : words_of(text)) {
      tables::SizeGain gain;
      char colon = 0;
      std::istringstream parts{word};
      parts >> gain.message.value;
      for (double* const part : {&gain.speedup.ratio, &gain.speedup.low, &gain.speedup.high}) {
        parts >> colon >> *part;
      }
      if (!parts || !parts.eof()) throw UsageError(fmt::format("'{}' is no speedup", word));
      rule.gains.push_back(gain);
    }
  }
};

constexpr std::tuple kFields{Field<&Rule::what, &Case::collective>{},
                             Field<&Rule::what, &Case::form>{},
                             Field<&Rule::what, &Case::mapping>{},
                             Field<&Rule::what, &Case::procs>{},
                             Field<&Rule::what, &Case::nodes>{},
                             Field<&Rule::what, &Case::procs_per_node>{},
                             Field<&Rule::what, &Case::comms_per_node>{},
                             Field<&Rule::what, &Case::message>{.name = "from_message_bytes"},
                             AlgorithmField<&Rule::what, &Case::variant>{},
                             ParamsField<&Rule::what, &Case::variant>{},
                             Field<&Rule::what, &Case::datatype>{},
                             Field<&Rule::what, &Case::op>{},
                             Field<&Rule::what, &Case::root>{},
                             Field<&Rule::previous>{.name = "previous_measured_bytes"},
                             Field<&Rule::first_measured>{},
                             Field<&Rule::last_measured>{},
                             Field<&Rule::requirement>{},
                             Field<&Rule::certainty>{},
                             SpeedupField<&Speedup::ratio>{},
                             SpeedupField<&Speedup::low>{{.name = "speedup_low"}},
                             SpeedupField<&Speedup::high>{{.name = "speedup_high"}},
                             Field<&Rule::near_best>{.name = "near_best_probability"},
                             RivalsField{},
                             Field<&Rule::launches>{},
                             Field<&Rule::sizes>{},
                             Field<&Rule::decided_sizes>{},
                             GainsField{{.name = "speedups_by_message_bytes"}},
                             SteepnessField{},
                             Field<&Rule::oversubscribed>{}};

auto order_of(const tables::Rule& rule) {
  return std::tuple_cat(tables::place_of(rule.what), std::tie(rule.what.message));
}

/// @throws UsageError where there is no such variant of the collective.
void require_known(const Case& what) {
  if (what.variant.is<Native>()) return;
  if (what.variant.is<LibraryOwn>()) {
    static_cast<void>(libraries::refusal(what));
    if (libraries::find_library_algorithm(what) != nullptr) return;
    throw UsageError(
        fmt::format("{} is no algorithm that Breakeven knows of it", algorithm_text(what)));
  }
  if (what.variant.is<Composed>()) {
    if (mock_ups::find(what.collective, what.variant) != nullptr) return;
    throw UsageError(fmt::format("{} has no mock-up {}", kCollectives.of(what.collective),
                                 what.variant.algorithm()));
  }
  static_cast<void>(kernels::find_algorithm(what.collective, what.variant.algorithm()));
}

}  // namespace

Json rule_json(const tables::Rule& rule) { return object_json(kFields, rule); }

tables::Rule rule_in(const Json& json) { return object_in<tables::Rule>(kFields, json); }

std::vector<std::string> rule_columns() {
  std::vector<std::string> names;
  for_each_field(kFields, [&](const auto& field) { names.emplace_back(field.name); });
  return names;
}

tables::Rule rule_in_cells(std::span<const std::string> cells) {
  const Json forms = rule_json({});  // of a rule: which cells are texts
  if (cells.size() != forms.size()) {
    throw UsageError(fmt::format("{} cells, where a rule has {}", cells.size(), forms.size()));
  }
  Json json;
  auto cell = cells.begin();
  for (const auto& [name, form] : forms.items()) {
    const std::string& text = *cell++;
    json[name] = form.is_string() ? Json(text)
                 : text.empty()   ? Json{}
                                  : Json::parse(text, nullptr, false);
  }
  return rule_in(json);
}

tables::Table table_of(tables::Candidates candidates, std::vector<tables::Rule> rules) {
  tables::Table table{.candidates = candidates, .rules = std::move(rules)};
  if (table.rules.empty()) throw UsageError("a table without a rule");
  table.datatype = table.rules.front().what.datatype;
  for (const tables::Rule& rule : table.rules) {
    if (reduces(rule.what.collective)) table.op = rule.what.op;
    if (rooted(rule.what.collective)) table.root = rule.what.root;
  }
  for (const tables::Rule& rule : table.rules) {
    const bool one_kind = rule.what.datatype == table.datatype &&
                          (!reduces(rule.what.collective) || rule.what.op == table.op) &&
                          (!rooted(rule.what.collective) || rule.what.root == table.root);
    if (!one_kind) throw UsageError("a table is for one datatype, op and root");
  }
  return table;
}

std::optional<std::string> rule_fault(const tables::Rule* before, const tables::Rule& rule) {
  const Case& what = rule.what;
  if (before != nullptr && order_of(*before) >= order_of(rule)) {
    return "the rules don't ascend by collective, form, mapping, processes and size";
  }
  if (what.procs < 1 || what.message.value < 0) {
    return "a rule for less than one process, or for less than nothing";
  }
  if (what.nodes < 1 || what.nodes > what.procs || what.procs_per_node < 1 ||
      what.procs_per_node > what.procs) {
    return fmt::format("{} processes don't lie on {} nodes, {} on each", what.procs, what.nodes,
                       what.procs_per_node);
  }
  if (rule.speedup && !(0 < rule.speedup->low && rule.speedup->low <= rule.speedup->ratio &&
                        rule.speedup->ratio <= rule.speedup->high)) {
    return "a speedup outside of its interval";
  }
  if (!(rule.near_best >= 0 && rule.near_best <= 1)) {
    return fmt::format("near_best_probability {} is no probability", rule.near_best);
  }
  if (rule.launches < 1 || rule.decided_sizes < 0 || rule.sizes < std::max(1, rule.decided_sizes) ||
      rule.last_measured < rule.first_measured) {
    return "launches or sizes that no measurement can have";
  }
  try {
    require_known(what);
  } catch (const UsageError& error) {
    return error.what();
  }
  return std::nullopt;
}

}  // namespace breakeven::formats
