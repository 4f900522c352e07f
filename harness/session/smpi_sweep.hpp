// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "harness/launch/smpi_machine.hpp"
#include "harness/plan/sweep.hpp"

namespace breakeven::session {

/// The default sweep of a simulated machine: as elsewhere, but from a common moment of the
/// simulation's clock on, with the layout of the machine's text, and with as few repetitions as
/// show that times do not vary.
/// @param usual  the default sweep elsewhere
/// @param procs  the process counts of the sweep, which give the nodes where the text gives ppn
[[nodiscard]] plan::Sweep default_smpi_sweep(plan::Sweep usual, const launch::SmpiMachine& machine,
                                             const std::vector<int>& procs);

/// A sweep after its settings were read; the layout moves from its machine's text to the sweep.
/// @throws UsageError in one line naming both where settings and the machine's text differ, and
///         when there is nothing to simulate.
[[nodiscard]] plan::Sweep settled(plan::Sweep sweep, const launch::SmpiMachine& machine);

}  // namespace breakeven::session
