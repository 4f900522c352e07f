// SPDX-License-Identifier: BSD-3-Clause
#include "core/case.hpp"

#include <fmt/format.h>

namespace breakeven {

Bytes total_bytes(const Case& what) {
  return (counts_one_block(what.collective) ? what.procs : 1) * what.message;
}

Case without_algorithm(Case what) {
  what.algorithm.clear();
  what.params.clear();
  return what;
}

std::string to_text(const Case& what) {
  std::string text = fmt::format("{}/{}{}{} p={} {} {}", kCollectives.of(what.collective),
                                 what.algorithm, what.params.empty() ? "" : ":", what.params,
                                 what.procs, to_text(what.message), kDatatypes.of(what.datatype));
  if (what.op != Op::none) text += fmt::format(" {}", kOps.of(what.op));
  if (what.root != Rank{}) text += fmt::format(" root {}", what.root.value);
  return text;
}

}  // namespace breakeven
