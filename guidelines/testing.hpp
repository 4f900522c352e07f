// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "core/case.hpp"
#include "core/testing.hpp"

namespace breakeven::guidelines::testing {

/// Four processes on one node with int and sum, and `total` bytes as the whole vector.
[[nodiscard]] inline Case on_four(Collective collective, std::int64_t total,
                                  const std::string& algorithm = "native") {
  return {.collective = collective,
          .algorithm = algorithm,
          .procs = 4,
          .nodes = 1,
          .procs_per_node = 4,
          .message = {counts_one_block(collective) ? total / 4 : total},
          .datatype = Datatype::int_,
          .op = reduces(collective) ? Op::sum : Op::none};
}

}  // namespace breakeven::guidelines::testing
