// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/agree.hpp"

#include <limits>

#include "core/error.hpp"
#include "executor/mpi_error.hpp"

namespace breakeven {

std::string broadcast(const std::string& text, Rank source, const Communicator& comm) {
  std::string result = comm.me() == source ? text : "";
  if (result.size() > std::numeric_limits<int>::max()) {
    throw Error("a text is more than MPI's int can count");
  }
  auto size = static_cast<int>(result.size());
  check_mpi(MPI_Bcast(&size, 1, MPI_INT, source.value, comm.get()), "MPI_Bcast");
  result.resize(static_cast<std::size_t>(size));
  check_mpi(MPI_Bcast(result.data(), size, MPI_CHAR, source.value, comm.get()), "MPI_Bcast");
  return result;
}

std::optional<std::string> first_complaint(const std::optional<std::string>& own,
                                           const Communicator& comm) {
  const int mine = own ? comm.me().value : comm.procs();
  int first = 0;
  check_mpi(MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm.get()), "MPI_Allreduce");
  if (first == comm.procs()) return std::nullopt;
  return broadcast(own.value_or(""), Rank{first}, comm);
}

}  // namespace breakeven
