// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/counterpart.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "kernels/build.hpp"
#include "kernels/catalogue.hpp"
#include "libraries/library_algorithm.hpp"

namespace breakeven::libraries {

namespace {

/// An algorithm that a library names otherwise than the literature, from which our names are.
struct OtherName {
  Collective collective;
  std::string_view theirs;
  std::string_view ours;
};
constexpr std::array kOtherNames{
    OtherName{Collective::allgather, "brucks", "bruck"},
    OtherName{Collective::allgather, "neighbor", "neighbor_exchange"},
    OtherName{Collective::allreduce, "nonoverlapping", "reduce_bcast"},
    OtherName{Collective::allreduce, "rabenseifner", "halving_doubling"},
    OtherName{Collective::allreduce, "reduce_scatter_allgather", "halving_doubling"},
    OtherName{Collective::bcast, "scatter_allgather", "scatter_recursive_doubling"},
    OtherName{Collective::bcast, "scatter_allgather_ring", "scatter_ring"},
    OtherName{Collective::bcast, "scatter_recursive_doubling_allgather",
              "scatter_recursive_doubling"},
    OtherName{Collective::bcast, "scatter_ring_allgather", "scatter_ring"},
    OtherName{Collective::gather, "basic_linear", "linear"},
    OtherName{Collective::reduce, "rabenseifner", "halving_doubling"},
    OtherName{Collective::reduce, "reduce_scatter_gather", "halving_doubling"},
    OtherName{Collective::scatter, "basic_linear", "linear"}};

/// The number of pieces of at most `segment_bytes`, as our parameter says it; "" for one.
std::string segments_of(const kernels::Params& params, Bytes message) {
  const int bytes = params.find_number(library_params::kSegmentBytes, 0).value_or(0);
  const std::int64_t pieces = bytes == 0 ? 1 : (message.value + bytes - 1) / bytes;
  return pieces <= 1 ? "" : std::string{kernels::kSegments.key} + "=" + std::to_string(pieces);
}

}  // namespace

std::optional<Case> counterpart(const Case& what) {
  const LibraryOwn* const library = what.variant.library();
  if (library == nullptr) {
    return kernels::known_algorithm(what) == nullptr ? std::nullopt : std::optional{what};
  }
  std::string name = library->name;
  for (const OtherName& other : kOtherNames) {
    if (other.collective == what.collective && other.theirs == name) name = other.ours;
  }
  const std::string segments = segments_of(kernels::Params::parse(library->params), what.message);
  const Case found = with_variant(what, Ours{std::move(name), segments});
  const kernels::Algorithm* const ours = kernels::known_algorithm(found);
  if (ours == nullptr || (!segments.empty() && !ours->segments)) return std::nullopt;
  if (!kernels::runs(*ours, kernels::problem_of(found))) return std::nullopt;
  return found;
}

}  // namespace breakeven::libraries
