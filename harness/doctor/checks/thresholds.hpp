// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace breakeven::checks {

/// Part of the time that ranks may lose to others: noise, steal. Breakeven's decisions are about
/// differences of some percent, and what one rank loses, all ranks of a collective wait for. From
/// the first on a loss is worth knowing; from the second on it is as large as what is decided.
inline constexpr double kLossToKnow = 0.001;
inline constexpr double kLossThatMatters = 0.01;

/// A detour as long as this hides a collective of small messages whole, and only a timer tick's or
/// an interrupt's work is done in less: beyond it another process had the core.
inline constexpr double kLongDetour_s = 1e-3;

}  // namespace breakeven::checks
