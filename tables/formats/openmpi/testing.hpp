// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>

#include "libraries/library_algorithm.hpp"
#include "libraries/openmpi_rules.hpp"
#include "tables/formats/common/testing.hpp"

namespace breakeven::formats::testing {

/// A table of Open MPI's algorithms that its rules can say wholly: conditions of size and p,
/// parameters, natives between others, collectives of every unit.
[[nodiscard]] inline tables::Table openmpi_table(int major = 4) {
  using enum Collective;
  return library_table({
      library_rule(allgather, 2, 8, "openmpi:two_proc"),
      library_rule(allgather, 6, 8, major < 6 ? "openmpi:bruck" : "openmpi:bruck-k-fanout:radix=8"),
      library_rule(allgatherv, 4, 8, "openmpi:ring"),
      library_rule(allreduce, 3, 8, "openmpi:recursive_doubling"),
      library_rule(allreduce, 3, 5000, "openmpi:rabenseifner"),
      library_rule(allreduce, 8, 8, "openmpi:ring"),
      library_rule(allreduce, 8, 100000, "openmpi:segmented_ring:segment_bytes=8192"),
      library_rule(alltoall, 4, 8, "openmpi:linear_sync"),
      library_rule(alltoallv, 4, 8, "openmpi:pairwise"),
      library_rule(barrier, 2, 0, "openmpi:two_proc"),
      library_rule(barrier, 4, 0, "openmpi:bruck"),
      library_rule(bcast, 4, 8, "openmpi:binomial"),
      library_rule(bcast, 4, 2048, "openmpi:chain"),
      library_rule(bcast, 4, 16384, "openmpi:chain:fanout=2,segment_bytes=1024"),
      library_rule(bcast, 4, 1 << 20, "native"),
      library_rule(exscan, 4, 8, "openmpi:recursive_doubling"),
      library_rule(gather, 4, 8, "openmpi:binomial"),
      library_rule(reduce, 4, 8, "native"),
      library_rule(reduce, 4, 3000, "openmpi:rabenseifner"),
      library_rule(reduce_scatter, 4, 8, "openmpi:butterfly"),
      library_rule(reduce_scatter_block, 4, 8, "openmpi:basic_linear"),
      library_rule(reduce_scatter_block, 4, 640, "openmpi:butterfly"),
      library_rule(scan, 2, 8, "openmpi:linear"),
      library_rule(scan, 4, 8, "openmpi:recursive_doubling"),
      library_rule(scatter, 4, 8, "openmpi:linear_nb"),
  });
}

/// The algorithms that a version lists.
[[nodiscard]] inline LibraryCapabilities openmpi_capabilities(int major = 4) {
  LibraryCapabilities capabilities;
  std::map<Collective, int> last;
  for (const libraries::KnownLibrary& library : libraries::known_libraries()) {
    if (library.name != "openmpi") continue;
    for (const libraries::LibraryAlgorithm& each : library.algorithms) {
      const bool han = libraries::openmpi::is_han(each.name);
      if (!each.is_in(major) || (han && major < libraries::openmpi::kFirstMajorWithHan)) continue;
      // Each component has numbers of its own.
      const int value = han ? each.name == "han_intra" ? 1 : 2 : ++last[each.collective];
      capabilities.algorithms.push_back({each.collective, std::string{each.name}, value});
    }
  }
  return capabilities;
}

[[nodiscard]] inline tables::Provenance openmpi_provenance(std::string_view version = "4.1.4") {
  tables::Provenance provenance = tables::testing::some_provenance();
  provenance.machine.name = "openmpi";
  provenance.machine.library_version =
      fmt::format("Open MPI v{0}, package: Debian OpenMPI, ident: {0}", version);
  provenance.capabilities = openmpi_capabilities(version.front() - '0');
  provenance.command = "breakeven tune --db results.db --machine openmpi";
  // So that tables of tests may have all that a rule can say.
  provenance.allowed_unsafe = {"openmpi:allreduce/ring", "openmpi:allreduce/segmented_ring",
                               "openmpi:bcast/chain", "openmpi:bcast/scatter_allgather",
                               "openmpi:bcast/split_binary_tree"};
  return provenance;
}

}  // namespace breakeven::formats::testing
