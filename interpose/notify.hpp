// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace breakeven::interpose {

/// The fate of a program.
enum class Verdict {
  takes_part,
  stands_aside,  ///< it runs as without us
  ends,          ///< after MPI_Init, without which MPICH's launcher would not end the other ranks
};

/// Before MPI_Init: tells the `breakeven run` above us which of the files that the environment
/// names this process can't read, and waits until all ranks of the program have done so. A file
/// that some rank can't read leaves the environment of all. Without `breakeven run` no rank can
/// tell the others: a rank that can't read a file of the library's ends the job, with one line.
/// @return the same for every rank, but where one ends the job
[[nodiscard]] Verdict answer_roll_call() noexcept;

/// This host's, without blanks.
[[nodiscard]] std::string node_name();

/// After MPI_Init of a program that another MPI program spawned.
void notify_spawned() noexcept;

}  // namespace breakeven::interpose
