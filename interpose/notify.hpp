// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace breakeven::interpose {

/// Before MPI_Init: tells the `breakeven run` above us which of the files that the environment
/// names this process can't read, and waits until all ranks of the program have spoken. What some
/// rank can't read leaves the environment of all. Without `breakeven run` nobody can tell the
/// others: a file of the library's that can't be read ends the process, with status 2 and one line.
/// @return whether our algorithms may be used: every rank gets the same answer
[[nodiscard]] bool answer_roll_call() noexcept;

/// This host's, without blanks.
[[nodiscard]] std::string node_name();

/// After MPI_Init of a program that another MPI program spawned.
void notify_spawned() noexcept;

}  // namespace breakeven::interpose
