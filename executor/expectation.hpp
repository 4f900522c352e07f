// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "kernels/call.hpp"

namespace breakeven::executor {

/// Inputs whose result is known in closed form (executor/closed_form.hpp), so that data is checked
/// against arithmetic and not against an MPI library. Buffers are aligned for their datatype; a
/// part of one begins with its element `first`.

/// Fills this rank's input buffer, input_elements(call) elements.
void fill_input(const kernels::CollectiveCall& call, std::span<std::byte> input,
                std::int64_t first = 0);

/// Makes every element of a result buffer, output_elements(call) elements, a wrong one.
void poison(const kernels::CollectiveCall& call, std::span<std::byte> output,
            std::int64_t first = 0);

/// Compares this rank's output buffer, output_elements(call) elements, with the right result;
/// padding does not count, and any true LOGICAL is as true as another.
/// Returns nothing, or a sentence on the first wrong element:
/// "element 17 of block 2: 42 instead of 45".
[[nodiscard]] std::optional<std::string> check_output(const kernels::CollectiveCall& call,
                                                      std::span<const std::byte> output,
                                                      std::int64_t first = 0);

}  // namespace breakeven::executor
