// SPDX-License-Identifier: BSD-3-Clause
#include "executor/communicator.hpp"

#include <exception>
#include <limits>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "executor/mpi_error.hpp"

namespace breakeven::executor {

namespace {

/// MPI counts with int, here everything that one rank holds.
int mpi_count(std::size_t size) {
  if (size > std::numeric_limits<int>::max()) {
    throw Error("a text is more than MPI's int can count");
  }
  return static_cast<int>(size);
}

}  // namespace

Communicator::Communicator(MPI_Comm parent) {
  check_mpi(MPI_Comm_dup(parent, &comm_), "MPI_Comm_dup");
  set_up();
}

Communicator::Communicator(MPI_Comm parent, Without) {
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  check_mpi(MPI_Comm_group(parent, &group), "MPI_Comm_group");
  check_mpi(MPI_Comm_get_errhandler(parent, &handler), "MPI_Comm_get_errhandler");
  MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
  const int status = MPI_Comm_create(parent, group, &comm_);
  MPI_Comm_set_errhandler(parent, handler);
  MPI_Errhandler_free(&handler);
  MPI_Group_free(&group);
  check_mpi(status, "MPI_Comm_create");
  set_up();
}

void Communicator::set_up() {
  check_mpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_size(comm_, &procs_), "MPI_Comm_size");
  check_mpi(MPI_Comm_rank(comm_, &me_.value), "MPI_Comm_rank");
}

Communicator::~Communicator() {
  // Freeing waits for the other ranks, which do not come when an exception is on its way here.
  if (std::uncaught_exceptions() == 0) MPI_Comm_free(&comm_);
}

std::string broadcast(const std::string& text, Rank source, const Communicator& comm) {
  std::string result = comm.me() == source ? text : "";
  int size = mpi_count(result.size());
  check_mpi(MPI_Bcast(&size, 1, MPI_INT, source.value, comm.get()), "MPI_Bcast");
  result.resize(static_cast<std::size_t>(size));
  check_mpi(MPI_Bcast(result.data(), size, MPI_CHAR, source.value, comm.get()), "MPI_Bcast");
  return result;
}

std::vector<std::string> gather(const std::string& text, const Communicator& comm) {
  const bool here = comm.me() == Rank{0};
  const int size = mpi_count(text.size());
  std::vector<int> sizes(here ? static_cast<std::size_t>(comm.procs()) : 0);
  check_mpi(MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, comm.get()), "MPI_Gather");
  std::string all(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), '\0');
  static_cast<void>(mpi_count(all.size()));
  std::vector<int> places(sizes.size());
  std::exclusive_scan(sizes.begin(), sizes.end(), places.begin(), 0);
  check_mpi(MPI_Gatherv(text.data(), size, MPI_CHAR, all.data(), sizes.data(), places.data(),
                        MPI_CHAR, 0, comm.get()),
            "MPI_Gatherv");
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
    texts.push_back(
        all.substr(static_cast<std::size_t>(places[rank]), static_cast<std::size_t>(sizes[rank])));
  }
  return texts;
}

bool first_on_node(const std::string& node, const Communicator& comm) {
  std::string firsts;  // a letter for each rank
  std::set<std::string> known;
  for (const std::string& name : gather(node, comm))
    firsts += known.insert(name).second ? 'y' : 'n';
  return broadcast(firsts, Rank{0}, comm).at(static_cast<std::size_t>(comm.me().value)) == 'y';
}

std::optional<std::string> first_complaint(const std::optional<std::string>& own,
                                           const Communicator& comm) {
  const int mine = own ? comm.me().value : comm.procs();
  int first = 0;
  check_mpi(MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm.get()), "MPI_Allreduce");
  if (first == comm.procs()) return std::nullopt;
  return broadcast(own.value_or(""), Rank{first}, comm);
}

}  // namespace breakeven::executor
