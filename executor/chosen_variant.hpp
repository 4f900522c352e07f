// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/catalogue.hpp"
#include "kernels/placement.hpp"

namespace breakeven::executor {

/// How a call is to be performed.
struct ChosenVariant {
  kernels::Instance variant{};
  kernels::Placement placement{};  ///< of the communicator's ranks, for algorithms that ask for it
};

}  // namespace breakeven::executor
