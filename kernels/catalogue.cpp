// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/allgather/algorithms.hpp"
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/bcast/algorithms.hpp"
#include "kernels/reduce/algorithms.hpp"
#include "kernels/reduce_scatter_block/algorithms.hpp"
#include "kernels/scatter/algorithms.hpp"

namespace breakeven {

std::span<const Algorithm* const> catalogue(Collective collective) {
  switch (collective) {
    case Collective::allgather: return allgather::kCatalogue;
    case Collective::allreduce: return allreduce::kCatalogue;
    case Collective::bcast: return bcast::kCatalogue;
    case Collective::reduce: return reduce::kCatalogue;
    case Collective::reduce_scatter_block: return reduce_scatter_block::kCatalogue;
    case Collective::scatter: return scatter::kCatalogue;
  }
  throw Error("catalogue: not a collective");
}

const Algorithm& find_algorithm(Collective collective, std::string_view name) {
  const auto rows = catalogue(collective);
  const auto found = std::ranges::find(rows, name, &Algorithm::name);
  if (found != rows.end()) return **found;
  std::string known;
  for (const Algorithm* row : rows) known += fmt::format(" {}", row->name);
  throw UsageError(
      fmt::format("no {} algorithm '{}'; known:{}", kCollectives.of(collective), name, known));
}

void require_procs(Collective collective, const Algorithm& algorithm, int procs) {
  if (procs >= 1 && algorithm.needs.met(procs)) return;
  throw UsageError(fmt::format("{}/{} can't run at p = {}: it needs {}",
                               kCollectives.of(collective), algorithm.name, procs,
                               procs < 1 ? "p >= 1" : algorithm.needs.words));
}

std::vector<Schedule> world_of(Collective collective, const Algorithm& algorithm, int procs,
                               Rank root) {
  require_procs(collective, algorithm, procs);
  std::vector<Schedule> world;
  world.reserve(static_cast<std::size_t>(procs));
  for (int rank = 0; rank < procs; ++rank) {
    world.push_back(algorithm.build(
        {.collective = collective, .procs = procs, .me = Rank{rank}, .root = root}));
  }
  return world;
}

}  // namespace breakeven
