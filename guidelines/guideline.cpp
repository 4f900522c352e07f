// SPDX-License-Identifier: BSD-3-Clause
#include "guidelines/guideline.hpp"

#include <fmt/format.h>

namespace breakeven {

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

}  // namespace breakeven
