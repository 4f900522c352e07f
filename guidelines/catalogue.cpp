// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace breakeven::guidelines {

const Guideline& find_guideline(std::string_view name) {
  const auto found = std::ranges::find_if(kGuidelines, [&](const Guideline* guideline) {
    return guideline->name == name || fmt::format("{}", guideline->number) == name;
  });
  if (found != kGuidelines.end()) return **found;
  std::string known;
  for (const Guideline* guideline : kGuidelines) {
    known += fmt::format(" {} ({})", guideline->number, guideline->name);
  }
  throw UsageError(fmt::format("no guideline '{}'; known:{}", name, known));
}

std::vector<Collective> terms_of(const Guideline& guideline) {
  std::vector<Collective> terms{guideline.left};
  for (const Collective term : guideline.right) terms.push_back(term);
  return terms;
}

std::string to_text(const Guideline& guideline) {
  std::string text = fmt::format("{}(m)", kCollectives.of(guideline.left));
  std::string_view sign = "<=";
  for (const Collective term : guideline.right) {
    text += fmt::format(" {} {}(m)", sign, kCollectives.of(term));
    sign = "+";
  }
  return text;
}

}  // namespace breakeven::guidelines
