// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace breakeven::executor {

#ifdef BREAKEVEN_SIMULATED

/// The name of the environment variable with a simulated machine's gamma, in seconds per byte.
inline constexpr const char* kGammaVariable = "BREAKEVEN_SMPI_GAMMA";

/// Seconds that the simulated machine takes to reduce a byte; 0 unless it was given.
/// @throws UsageError when what was given is no such time.
[[nodiscard]] double gamma_per_byte();

/// Lets the simulated time pass that a local reduction takes: a simulator sees messages alone.
/// @param bytes  of the result
void charge_reduction(std::int64_t bytes);

#else

/// On a real machine a local reduction takes its time by itself.
inline void charge_reduction(std::int64_t /*bytes*/) {}

#endif

}  // namespace breakeven::executor
