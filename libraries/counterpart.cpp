// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/counterpart.hpp"

#include <fmt/format.h>

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
    OtherName{Collective::allgather, "bruck-k-fanout", "bruck"},
    OtherName{Collective::allgather, "direct-messaging", "direct"},
    OtherName{Collective::allgather, "k_brucks", "bruck"},
    OtherName{Collective::allgather, "neighbor", "neighbor_exchange"},
    OtherName{Collective::allgather, "two_proc", "direct"},
    OtherName{Collective::allreduce, "nonoverlapping", "reduce_bcast"},
    OtherName{Collective::allreduce, "rabenseifner", "halving_doubling"},
    OtherName{Collective::allreduce, "reduce_scatter_allgather", "halving_doubling"},
    OtherName{Collective::alltoall, "brucks", "bruck"},
    OtherName{Collective::alltoall, "k_brucks", "bruck"},
    OtherName{Collective::alltoall, "linear_sync", "linear"},
    OtherName{Collective::alltoall, "modified_bruck", "bruck"},
    OtherName{Collective::alltoall, "scattered", "linear"},
    OtherName{Collective::alltoall, "two_proc", "pairwise"},
    OtherName{Collective::alltoallv, "basic_linear", "linear"},
    OtherName{Collective::alltoallv, "scattered", "linear"},
    OtherName{Collective::bcast, "basic_linear", "linear"},
    OtherName{Collective::bcast, "binary_tree", "binary"},
    OtherName{Collective::bcast, "pipeline", "chain"},
    OtherName{Collective::bcast, "scatter_allgather", "scatter_recursive_doubling"},
    OtherName{Collective::bcast, "scatter_allgather_ring", "scatter_ring"},
    OtherName{Collective::bcast, "scatter_recursive_doubling_allgather",
              "scatter_recursive_doubling"},
    OtherName{Collective::bcast, "scatter_ring_allgather", "scatter_ring"},
    OtherName{Collective::exscan, "linear", "chain"},
    OtherName{Collective::gather, "basic_linear", "linear"},
    OtherName{Collective::reduce, "in-order_binary", "in_order_binary"},
    OtherName{Collective::reduce, "pipeline", "chain"},
    OtherName{Collective::reduce, "rabenseifner", "halving_doubling"},
    OtherName{Collective::reduce, "reduce_scatter_gather", "halving_doubling"},
    OtherName{Collective::scan, "linear", "chain"},
    OtherName{Collective::scan, "smp", "hierarchical"},
    OtherName{Collective::scatter, "basic_linear", "linear"}};

/// A parameter of a library's that says what one of ours does.
struct OtherParam {
  std::string_view algorithm;  ///< the library's
  std::string_view theirs;
  std::string_view ours;
  int otherwise;  ///< the library's, where it is not given; 0: as ours
};
constexpr std::array kOtherParams{
    OtherParam{"bruck-k-fanout", library_params::kRadix, "radix", 0},
    OtherParam{"chain", library_params::kFanout, "chains", 4},
    OtherParam{"k_brucks", library_params::kRadix, "radix", 0},
    OtherParam{"knomial", library_params::kRadix, "radix", 0},
    OtherParam{"linear_sync", library_params::kMaxRequests, "batch", 0}};

/// Our parameters for a library's, but for segments: "chains=4".
std::string params_of(std::string_view algorithm, const kernels::Params& params) {
  const auto known = std::ranges::find(kOtherParams, algorithm, &OtherParam::algorithm);
  if (known == kOtherParams.end()) return "";
  const int value = params.find_number(known->theirs, 0).value_or(known->otherwise);
  return value > 0 ? fmt::format("{}={}", known->ours, value) : "";
}

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
  const kernels::Params params = kernels::Params::parse(library->params);
  const std::string segments = segments_of(params, what.message);
  std::string text = params_of(library->name, params);
  if (!text.empty() && !segments.empty()) text += ",";
  const Case found = with_variant(what, Ours{std::move(name), text + segments});
  const kernels::Algorithm* const ours = kernels::known_algorithm(found);
  if (ours == nullptr || (!segments.empty() && !ours->segments)) return std::nullopt;
  if (!kernels::runs(*ours, kernels::problem_of(found))) return std::nullopt;
  return found;
}

}  // namespace breakeven::libraries
