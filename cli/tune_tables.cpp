// SPDX-License-Identifier: BSD-3-Clause
#include "cli/tune_tables.hpp"

#include <fmt/format.h>

#include "tuner/reproducible.hpp"

namespace breakeven::cli {

const TunedTables::Made& TunedTables::of(tuner::Candidates candidates) {
  const auto known = made_.find(candidates);
  if (known != made_.end()) return known->second;
  tuner::TableKey key = key_;
  key.candidates = candidates;
  Made made;
  if (reproducible_) {
    const tuner::Reproducible constrained = tuner::reproducible(measurements_, key);
    key.fixed = tuner::fixed_by(constrained.choices);
    made = {tuner::make_table(constrained.measurements, key), tuner::lines_of(constrained.choices)};
  } else {
    made.table = tuner::make_table(measurements_, key);
  }
  return made_.emplace(candidates, std::move(made)).first->second;
}

std::string reproducible_text(TunedTables& tables, bool of_library) {
  std::string text =
      "\nReproducible\n  each collective that reduces has one choice for all sizes and p; slowdown "
      "against the choices without this constraint:\n";
  const auto add = [&](std::string_view whose, tuner::Candidates candidates) {
    for (const std::string& line : tables.of(candidates).reproducible) {
      text += fmt::format("    {}: {}\n", whose, line);
    }
  };
  add("ours", tuner::Candidates::ours);
  if (of_library) add("the library's", tuner::Candidates::library);
  return text;
}

}  // namespace breakeven::cli
