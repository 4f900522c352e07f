// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/unknown.hpp"

namespace breakeven::guidelines {

namespace {

constexpr std::string_view kPgmpi = "[hunold2016p]";

std::string name_of(const mock_ups::MockUp& mock_up) {
  std::string name{kCollectives.of(mock_up.collective)};
  if (mock_up.form != CallForm::blocking) name += fmt::format("_{}", kCallForms.of(mock_up.form));
  return fmt::format("{}_as_{}", name, mock_up.terms);
}

std::string name_of(Family family, Collective collective) {
  return fmt::format("{}_{}", kCollectives.of(collective), kFamilies.of(family));
}

std::string formula_of(const mock_ups::MockUp& mock_up) {
  if (kCallForms.find(mock_up.terms)) {
    return fmt::format("{0} {1}(m) <= {2} {1}(m)", kCallForms.of(mock_up.form),
                       kCollectives.of(mock_up.collective), mock_up.terms);
  }
  std::string formula = fmt::format("{}(m) <= ", kCollectives.of(mock_up.collective));
  for (const char letter : mock_up.terms) {
    if (letter == '+') {
      formula += "(m) + ";
    } else {
      formula += letter;
    }
  }
  return formula + "(m)";
}

Guideline of_mock_up(const mock_ups::MockUp& mock_up) {
  return {.name = name_of(mock_up),
          .collective = mock_up.collective,
          .formula = formula_of(mock_up),
          .reason = std::string{mock_up.reason},
          .source = std::string{mock_up.source}};
}

Guideline of_family(Family family, Collective collective) {
  Guideline guideline{.name = name_of(family, collective), .collective = collective};
  const std::string_view left = kCollectives.of(collective);
  switch (family) {
    case Family::mock_up: break;  // has several of a collective
    case Family::own_algorithm:
      guideline.formula = fmt::format("{0}(m) <= {0}(m) by any of the library's algorithms", left);
      guideline.reason = "the library can choose it itself";
      guideline.source = "here";
      break;
    case Family::overlap:
      guideline.formula = fmt::format(
          "{0}(m) started, work with tests, {0}(m) completed <= the same by any of the library's "
          "algorithms or by a blocking call",
          left);
      guideline.reason = "the library can choose it itself";
      guideline.source = "here";
      break;
    case Family::larger_size:
      guideline.formula = fmt::format("{0}(m) <= {0}(m'), m < m'", left);
      guideline.reason = "more data can be sent in the place of less";
      guideline.source = kPgmpi;
      break;
    case Family::parts:
      guideline.formula = fmt::format("{0}(k m) <= k {0}(m)", left);
      guideline.reason = "the data can be sent in k parts";
      guideline.source = kPgmpi;
      break;
    case Family::more_procs:
      guideline.formula = fmt::format("{0}(m) of p processes <= {0}(m) of p' > p", left);
      guideline.reason = "the larger job does the smaller one's work, and more, on the same nodes";
      guideline.source = "here";
      break;
    case Family::baseline:
      guideline.formula = fmt::format("{0}(m) now <= {0}(m) in the baseline", left);
      guideline.reason = "what was fast once can be as fast again";
      guideline.source = "here";
      break;
  }
  return guideline;
}

std::vector<Guideline> all() {
  std::vector<Guideline> guidelines;
  for (const mock_ups::MockUp& each : mock_ups::catalogue()) guidelines.push_back(of_mock_up(each));
  for (const auto& family : kFamilies.entries) {
    if (family.value == Family::mock_up) continue;
    for (const auto& collective : kCollectives.entries) {
      guidelines.push_back(of_family(family.value, collective.value));
    }
  }
  return guidelines;
}

const Guideline& named(std::string_view name) {
  return *std::ranges::find(catalogue(), name, &Guideline::name);
}

}  // namespace

const std::vector<Guideline>& catalogue() {
  static const std::vector<Guideline> guidelines = all();
  return guidelines;
}

const Guideline& guideline_of(const mock_ups::MockUp& mock_up) { return named(name_of(mock_up)); }

const Guideline& guideline_of(Family family, Collective collective) {
  return named(name_of(family, collective));
}

std::vector<const Guideline*> find_guidelines(std::string_view word) {
  std::vector<const Guideline*> found;
  for (const Guideline& each : catalogue()) {
    const bool of_collective = kCollectives.of(each.collective) == word;
    const bool of_family = std::ranges::any_of(kFamilies.entries, [&](const auto& family) {
      if (family.name != word) return false;
      return family.value == Family::mock_up ? each.name.find("_as_") != std::string::npos
                                             : each.name == name_of(family.value, each.collective);
    });
    if (each.name == word || of_collective || of_family) found.push_back(&each);
  }
  if (!found.empty()) return found;
  std::vector<std::string_view> families;
  for (const auto& family : kFamilies.entries) families.push_back(family.name);
  std::vector<std::string_view> known = families;
  for (const Guideline& each : catalogue()) known.push_back(each.name);
  const std::string meant = did_you_mean(word, known);
  throw UsageError(
      fmt::format("no guideline, family of guidelines or collective '{}'{} families: {}", word,
                  meant.empty() ? ";" : meant, fmt::join(families, " ")));
}

}  // namespace breakeven::guidelines
