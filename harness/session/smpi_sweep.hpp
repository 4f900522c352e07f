// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "harness/launch/smpi_machine.hpp"
#include "harness/plan/sweep.hpp"

namespace breakeven::session {

/// What is measured on a simulated machine when nothing else is said: as elsewhere, but from a
/// common moment of the simulation's clock on, with the layout that the machine's text gives, and
/// no more often than tells that nothing varies.
/// @param usual  what is measured elsewhere
/// @param procs  the process counts of the sweep, which give the nodes where the text gives ppn
[[nodiscard]] plan::Sweep default_smpi_sweep(plan::Sweep usual, const launch::SmpiMachine& machine,
                                             const std::vector<int>& procs);

/// A sweep whose settings were read on top of those; its machine is without a layout then, which
/// is the sweep's.
/// @throws UsageError in one line naming both where settings and the machine's text say different
///         things, and when there is nothing to simulate.
[[nodiscard]] plan::Sweep settled(plan::Sweep sweep, const launch::SmpiMachine& machine);

}  // namespace breakeven::session
