// SPDX-License-Identifier: BSD-3-Clause
// The size that Open MPI compares with the message sizes of rules: the test replaces its look-up
// and calls collectives.
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "libraries/openmpi_rules.hpp"

namespace {

std::vector<std::size_t>& seen_bytes() {
  static std::vector<std::size_t> bytes;
  return bytes;
}

/// The library calls this instead of its own: programs come first when symbols are looked up.
extern "C" int ompi_coll_tuned_get_target_method_params(void*, std::size_t bytes, int*, int*,
                                                        int*) {
  seen_bytes().push_back(bytes);
  return 0;  // the library's own decision
}

/// Rules for all collectives, so that the library looks them up. Set before MPI_Init reads them.
const std::string kRulesFile = [] {
  std::string file =
      std::filesystem::temp_directory_path() / ("rules_bytes." + std::to_string(getpid()));
  std::ofstream stream(file);
  stream << "22\n";
  for (int collective = 0; collective < 22; ++collective)
    stream << collective << " 1 0 1 0 0 0 0\n";
  setenv("OMPI_MCA_coll_tuned_use_dynamic_rules", "1", 1);
  setenv("OMPI_MCA_coll_tuned_dynamic_rules_filename", file.c_str(), 1);
  // From 5.0 on this component comes first where there are several nodes.
  setenv("OMPI_MCA_coll_han_priority", "0", 1);
  return file;
}();

constexpr int kCount = 25;

void call(breakeven::Collective collective, int procs) {
  const auto all = static_cast<std::size_t>(kCount * procs);
  std::vector<int> in(all);
  std::vector<int> out(all);
  const std::vector<int> counts(static_cast<std::size_t>(procs), kCount);
  std::vector<int> places;
  for (int rank = 0; rank < procs; ++rank) places.push_back(rank * kCount);
  MPI_Comm comm = MPI_COMM_WORLD;
  using enum breakeven::Collective;
  switch (collective) {
    case allgather:
      MPI_Allgather(in.data(), kCount, MPI_INT, out.data(), kCount, MPI_INT, comm);
      return;
    case allgatherv:
      MPI_Allgatherv(in.data(), kCount, MPI_INT, out.data(), counts.data(), places.data(), MPI_INT,
                     comm);
      return;
    case allreduce: MPI_Allreduce(in.data(), out.data(), kCount, MPI_INT, MPI_SUM, comm); return;
    case alltoall:
      MPI_Alltoall(in.data(), kCount, MPI_INT, out.data(), kCount, MPI_INT, comm);
      return;
    case alltoallv:
      MPI_Alltoallv(in.data(), counts.data(), places.data(), MPI_INT, out.data(), counts.data(),
                    places.data(), MPI_INT, comm);
      return;
    case barrier: MPI_Barrier(comm); return;
    case bcast: MPI_Bcast(in.data(), kCount, MPI_INT, 0, comm); return;
    case exscan: MPI_Exscan(in.data(), out.data(), kCount, MPI_INT, MPI_SUM, comm); return;
    case gather:
      MPI_Gather(in.data(), kCount, MPI_INT, out.data(), kCount, MPI_INT, 0, comm);
      return;
    case reduce: MPI_Reduce(in.data(), out.data(), kCount, MPI_INT, MPI_SUM, 0, comm); return;
    case reduce_scatter:
      MPI_Reduce_scatter(in.data(), out.data(), counts.data(), MPI_INT, MPI_SUM, comm);
      return;
    case reduce_scatter_block:
      MPI_Reduce_scatter_block(in.data(), out.data(), kCount, MPI_INT, MPI_SUM, comm);
      return;
    case scan: MPI_Scan(in.data(), out.data(), kCount, MPI_INT, MPI_SUM, comm); return;
    case scatter:
      MPI_Scatter(in.data(), kCount, MPI_INT, out.data(), kCount, MPI_INT, 0, comm);
      return;
    default: return;  // coll/tuned has no algorithms of the others
  }
}

TEST(RulesBytes, AreWhatTheLibraryLooksUp) {
  ASSERT_TRUE(std::filesystem::remove(kRulesFile)) << "read by now";
  int procs = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &procs);
  int seen = 0;
  for (const auto& [collective, name] : breakeven::kCollectives.entries) {
    seen_bytes().clear();
    call(collective, procs);
    if (seen_bytes().empty()) continue;
    ++seen;
    EXPECT_EQ(static_cast<std::int64_t>(seen_bytes().front()),
              breakeven::libraries::openmpi::rules_bytes(
                  {.collective = collective, .procs = procs, .message = {kCount * 4}}))
        << name;
  }
  EXPECT_EQ(seen, 14) << "all but alltoallw, gatherv and scatterv";
}

}  // namespace
