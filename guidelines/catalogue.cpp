// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/error.hpp"

namespace breakeven {

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

}  // namespace breakeven
