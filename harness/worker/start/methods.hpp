// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "harness/worker/start/start.hpp"

namespace breakeven {

/// Each method as make_start() makes it; what they want of their arguments stands there.
[[nodiscard]] std::unique_ptr<Start> dissemination_start(const Communicator& comm);
[[nodiscard]] std::unique_ptr<Start> library_start(const Communicator& comm);
[[nodiscard]] std::unique_ptr<Start> window_start(const Communicator& comm,
                                                  const GlobalClock& clock);
[[nodiscard]] std::unique_ptr<Start> round_time_start(const Communicator& comm,
                                                      const GlobalClock& clock);

}  // namespace breakeven
