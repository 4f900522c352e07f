// SPDX-License-Identifier: BSD-3-Clause
#include "tuner/formats/own/rule_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>
#include <vector>

#include "core/error.hpp"
#include "kernels/catalogue.hpp"
#include "libraries/library_algorithm.hpp"
#include "mock_ups/mock_up.hpp"

namespace breakeven::formats {

namespace {

template <typename Number>
Number number_of(std::string_view text) {
  Number number{};
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure == std::errc{} && stop == text.data() + text.size()) return number;
  throw UsageError(fmt::format("'{}' is no such number", text));
}

/// The parts of a speedup, which may be missing as a whole.
template <auto part>
constexpr RuleField speedup_field(std::string_view name) {
  return {name, false,
          [](const tuner::Rule& rule) {
            return rule.speedup ? fmt::format("{}", (*rule.speedup).*part) : std::string{};
          },
          [](tuner::Rule& rule, std::string_view text) {
            if (text.empty()) return;
            if (!rule.speedup) rule.speedup.emplace();
            (*rule.speedup).*part = number_of<double>(text);
          }};
}

std::string text_of(std::span<const tuner::SizeGain> gains) {
  std::vector<std::string> words;
  for (const auto& [message, speedup] : gains) {
    words.push_back(fmt::format("{}:{:.4g}:{:.4g}:{:.4g}", message.value, speedup.ratio,
                                speedup.low, speedup.high));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

tuner::SizeGain gain_in(std::string_view word) {
  const auto next = [&] {
    const std::size_t end = std::min(word.find(':'), word.size());
    const std::string_view part = word.substr(0, end);
    word.remove_prefix(std::min(end + 1, word.size()));
    return part;
  };
  tuner::SizeGain gain{.message = {number_of<std::int64_t>(next())}};
  for (double* const part : {&gain.speedup.ratio, &gain.speedup.low, &gain.speedup.high}) {
    *part = number_of<double>(next());
  }
  return gain;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

kernels::ProcsRequirement requirement_in(std::string_view text) {
  for (const kernels::ProcsRequirement& requirement :
       {kernels::kAnyProcs, kernels::kEvenProcs, kernels::kPowerOfTwo}) {
    if (requirement.text == text) return requirement;
  }
  throw UsageError(fmt::format("no algorithm needs '{}'", text));
}

bool truth_of(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  throw UsageError(fmt::format("'{}' is neither true nor false", text));
}

constexpr bool kText = true;
constexpr bool kNumber = false;

constexpr std::array kFields{
    RuleField{
        "collective", kText,
        [](const tuner::Rule& rule) { return std::string{kCollectives.of(rule.what.collective)}; },
        [](tuner::Rule& rule, std::string_view text) {
          rule.what.collective = kCollectives.parse(text);
        }},
    RuleField{
        "mapping", kText, [](const tuner::Rule& rule) { return to_text(rule.what.mapping); },
        [](tuner::Rule& rule, std::string_view text) { rule.what.mapping = Mapping::parse(text); }},
    RuleField{
        "procs", kNumber,
        [](const tuner::Rule& rule) { return fmt::format("{}", rule.what.procs); },
        [](tuner::Rule& rule, std::string_view text) { rule.what.procs = number_of<int>(text); }},
    RuleField{
        "nodes", kNumber,
        [](const tuner::Rule& rule) { return fmt::format("{}", rule.what.nodes); },
        [](tuner::Rule& rule, std::string_view text) { rule.what.nodes = number_of<int>(text); }},
    RuleField{"procs_per_node", kNumber,
              [](const tuner::Rule& rule) { return fmt::format("{}", rule.what.procs_per_node); },
              [](tuner::Rule& rule, std::string_view text) {
                rule.what.procs_per_node = number_of<int>(text);
              }},
    RuleField{"from_message_bytes", kNumber,
              [](const tuner::Rule& rule) { return fmt::format("{}", rule.what.message.value); },
              [](tuner::Rule& rule, std::string_view text) {
                rule.what.message = {number_of<std::int64_t>(text)};
              }},
    RuleField{"algorithm", kText, [](const tuner::Rule& rule) { return rule.what.algorithm; },
              [](tuner::Rule& rule, std::string_view text) { rule.what.algorithm = text; }},
    RuleField{"params", kText, [](const tuner::Rule& rule) { return rule.what.params; },
              [](tuner::Rule& rule, std::string_view text) { rule.what.params = text; }},
    RuleField{
        "datatype", kText,
        [](const tuner::Rule& rule) { return std::string{kDatatypes.of(rule.what.datatype)}; },
        [](tuner::Rule& rule, std::string_view text) {
          rule.what.datatype = kDatatypes.parse(text);
        }},
    RuleField{"op", kText,
              [](const tuner::Rule& rule) { return std::string{kOps.of(rule.what.op)}; },
              [](tuner::Rule& rule, std::string_view text) { rule.what.op = kOps.parse(text); }},
    RuleField{
        "root", kNumber,
        [](const tuner::Rule& rule) { return fmt::format("{}", rule.what.root.value); },
        [](tuner::Rule& rule, std::string_view text) { rule.what.root = {number_of<int>(text)}; }},
    RuleField{"previous_measured_bytes", kNumber,
              [](const tuner::Rule& rule) { return fmt::format("{}", rule.previous.value); },
              [](tuner::Rule& rule, std::string_view text) {
                rule.previous = {number_of<std::int64_t>(text)};
              }},
    RuleField{"first_measured_bytes", kNumber,
              [](const tuner::Rule& rule) { return fmt::format("{}", rule.first_measured.value); },
              [](tuner::Rule& rule, std::string_view text) {
                rule.first_measured = {number_of<std::int64_t>(text)};
              }},
    RuleField{"last_measured_bytes", kNumber,
              [](const tuner::Rule& rule) { return fmt::format("{}", rule.last_measured.value); },
              [](tuner::Rule& rule, std::string_view text) {
                rule.last_measured = {number_of<std::int64_t>(text)};
              }},
    RuleField{
        "requirement", kText,
        [](const tuner::Rule& rule) { return std::string{rule.requirement.text}; },
        [](tuner::Rule& rule, std::string_view text) { rule.requirement = requirement_in(text); }},
    RuleField{
        "certainty", kText,
        [](const tuner::Rule& rule) { return std::string{tuner::kCertainties.of(rule.certainty)}; },
        [](tuner::Rule& rule, std::string_view text) {
          rule.certainty = tuner::kCertainties.parse(text);
        }},
    speedup_field<&tuner::Speedup::ratio>("speedup"),
    speedup_field<&tuner::Speedup::low>("speedup_low"),
    speedup_field<&tuner::Speedup::high>("speedup_high"),
    RuleField{
        "near_best_probability", kNumber,
        [](const tuner::Rule& rule) { return fmt::format("{}", rule.near_best); },
        [](tuner::Rule& rule, std::string_view text) { rule.near_best = number_of<double>(text); }},
    RuleField{
        "rivals", kText,
        [](const tuner::Rule& rule) { return fmt::format("{}", fmt::join(rule.rivals, " ")); },
        [](tuner::Rule& rule, std::string_view text) { rule.rivals = words_of(text); }},
    RuleField{
        "launches", kNumber,
        [](const tuner::Rule& rule) { return fmt::format("{}", rule.launches); },
        [](tuner::Rule& rule, std::string_view text) { rule.launches = number_of<int>(text); }},
    RuleField{"sizes", kNumber,
              [](const tuner::Rule& rule) { return fmt::format("{}", rule.sizes); },
              [](tuner::Rule& rule, std::string_view text) { rule.sizes = number_of<int>(text); }},
    RuleField{"decided_sizes", kNumber,
              [](const tuner::Rule& rule) { return fmt::format("{}", rule.decided_sizes); },
              [](tuner::Rule& rule, std::string_view text) {
                rule.decided_sizes = number_of<int>(text);
              }},
    RuleField{"speedups_by_message_bytes", kText,
              [](const tuner::Rule& rule) { return text_of(rule.gains); },
              [](tuner::Rule& rule, std::string_view text) {
                for (const std::string& word : words_of(text)) rule.gains.push_back(gain_in(word));
              }},
    RuleField{"steepness", kNumber,
              [](const tuner::Rule& rule) {
                return rule.steepness ? fmt::format("{:.4g}", *rule.steepness) : std::string{};
              },
              [](tuner::Rule& rule, std::string_view text) {
                if (!text.empty()) rule.steepness = number_of<double>(text);
              }},
    RuleField{
        "oversubscribed", kNumber,
        [](const tuner::Rule& rule) { return std::string{rule.oversubscribed ? "true" : "false"}; },
        [](tuner::Rule& rule, std::string_view text) { rule.oversubscribed = truth_of(text); }},
};

auto place_of(const tuner::Rule& rule) {
  return std::tie(rule.what.collective, rule.what.mapping, rule.what.procs, rule.what.message);
}

std::optional<std::string> algorithm_fault(const Case& what) {
  if (what.algorithm == kNative) return std::nullopt;
  try {
    if (libraries::library_name(what.algorithm)) {
      static_cast<void>(libraries::refusal(what));
      if (libraries::find_library_algorithm(what) != nullptr) return std::nullopt;
      return fmt::format("{} is no algorithm that Breakeven knows of it", algorithm_text(what));
    }
    if (mock_ups::is_mock_up(what.algorithm)) {
      if (mock_ups::find(what.collective, what.algorithm) != nullptr) return std::nullopt;
      return fmt::format("{} has no mock-up {}", kCollectives.of(what.collective), what.algorithm);
    }
    static_cast<void>(kernels::find_algorithm(what.collective, what.algorithm));
    return std::nullopt;
  } catch (const UsageError& error) {
    return error.what();
  }
}

}  // namespace

std::span<const RuleField> rule_fields() { return kFields; }

tuner::Table table_of(tuner::Candidates candidates, std::vector<tuner::Rule> rules) {
  tuner::Table table{.candidates = candidates, .rules = std::move(rules)};
  if (table.rules.empty()) throw UsageError("a table without a rule");
  table.datatype = table.rules.front().what.datatype;
  for (const tuner::Rule& rule : table.rules) {
    if (reduces(rule.what.collective)) table.op = rule.what.op;
    if (rooted(rule.what.collective)) table.root = rule.what.root;
  }
  for (const tuner::Rule& rule : table.rules) {
    const bool one_kind = rule.what.datatype == table.datatype &&
                          (!reduces(rule.what.collective) || rule.what.op == table.op) &&
                          (!rooted(rule.what.collective) || rule.what.root == table.root);
    if (!one_kind) throw UsageError("a table is for one datatype, op and root");
  }
  return table;
}

std::optional<std::string> rule_fault(const tuner::Rule* before, const tuner::Rule& rule) {
  const Case& what = rule.what;
  if (before != nullptr && place_of(*before) >= place_of(rule)) {
    return "the rules don't ascend by collective, mapping, processes and size";
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
  return algorithm_fault(rule.what);
}

}  // namespace breakeven::formats
