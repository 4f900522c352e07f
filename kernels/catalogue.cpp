// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/unknown.hpp"
#include "kernels/allgather/algorithms.hpp"
#include "kernels/allreduce/algorithms.hpp"
#include "kernels/alltoall/algorithms.hpp"
#include "kernels/barrier/algorithms.hpp"
#include "kernels/bcast/algorithms.hpp"
#include "kernels/exscan/algorithms.hpp"
#include "kernels/gather/algorithms.hpp"
#include "kernels/reduce/algorithms.hpp"
#include "kernels/reduce_scatter_block/algorithms.hpp"
#include "kernels/scan/algorithms.hpp"
#include "kernels/scatter/algorithms.hpp"

namespace breakeven::kernels {

std::span<const Algorithm* const> catalogue(Collective collective) {
  if (personalised(collective) && irregular(collective)) return alltoall::kDirect;
  switch (regular(collective)) {
    case Collective::allgather: return allgather::kCatalogue;
    case Collective::allreduce: return allreduce::kCatalogue;
    case Collective::alltoall: return alltoall::kCatalogue;
    case Collective::barrier: return barrier::kCatalogue;
    case Collective::bcast: return bcast::kCatalogue;
    case Collective::exscan: return exscan::kCatalogue;
    case Collective::gather: return gather::kCatalogue;
    case Collective::reduce: return reduce::kCatalogue;
    case Collective::reduce_scatter_block: return reduce_scatter_block::kCatalogue;
    case Collective::scan: return scan::kCatalogue;
    case Collective::scatter: return scatter::kCatalogue;
    default: return {};
  }
}

const Algorithm& find_algorithm(Collective collective, std::string_view name) {
  const auto rows = catalogue(collective);
  const auto found = std::ranges::find(rows, name, &Algorithm::name);
  if (found != rows.end()) return **found;
  std::vector<std::string_view> known;
  for (const Algorithm* row : rows) known.push_back(row->name);
  throw UsageError(unknown(fmt::format("{} algorithm", kCollectives.of(collective)), name, known));
}

const Algorithm* known_algorithm(const Case& what) {
  const Ours* const ours = what.variant.ours();
  const auto rows = catalogue(what.collective);
  const auto found =
      ours == nullptr ? rows.end() : std::ranges::find(rows, ours->name, &Algorithm::name);
  return found == rows.end() ? nullptr : *found;
}

Instance find_instance(Collective collective, const Variant& variant) {
  return {&find_algorithm(collective, variant.algorithm()), Params::parse(variant.params())};
}

Variant variant_of(const Instance& instance) {
  return Ours{std::string{instance.algorithm->name}, instance.params.text()};
}

std::string to_text(const Instance& instance) { return to_text(variant_of(instance)); }

}  // namespace breakeven::kernels
