// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "executor/communicator.hpp"
#include "harness/worker/clock/global_clock.hpp"

namespace breakeven::worker {

/// Collective. Rank 0's clock, learnt by `method`; rank 0 gets its own. ClockSync::none gives a
/// clock that is not synchronised, without communicating.
/// @param comm  must have no messages under way; those of this function stay within it
/// @throws Error when MPI fails.
[[nodiscard]] GlobalClock synchronise(ClockSync method, const LocalClock& local,
                                      const executor::Communicator& comm);

/// The methods. Each is collective, works for any number of ranks, and gives the model of this
/// rank's clock against rank 0's.
[[nodiscard]] ClockModel synchronise_skampi(const LocalClock& local,
                                            const executor::Communicator& comm);
[[nodiscard]] ClockModel synchronise_jk(const LocalClock& local,
                                        const executor::Communicator& comm);
[[nodiscard]] ClockModel synchronise_hca(const LocalClock& local,
                                         const executor::Communicator& comm);
[[nodiscard]] ClockModel synchronise_hca2(const LocalClock& local,
                                          const executor::Communicator& comm);
[[nodiscard]] ClockModel synchronise_hca3(const LocalClock& local,
                                          const executor::Communicator& comm);

/// Collective. The model of this rank's clock against rank 0's with an offset measured anew, by
/// exchanging messages with rank 0 in turn; its drift stays.
[[nodiscard]] ClockModel with_offset_in_turn(ClockModel model, const LocalClock& local,
                                             const executor::Communicator& comm);

/// @param node  ranks that read one clock, whatever moment each of them counts from; by default
///              those that share memory
[[nodiscard]] ClockModel synchronise_two_level(const LocalClock& local,
                                               const executor::Communicator& comm, MPI_Comm node);
[[nodiscard]] ClockModel synchronise_two_level(const LocalClock& local,
                                               const executor::Communicator& comm);

}  // namespace breakeven::worker
