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
    OtherName{Collective::allgatherv, "brucks", "bruck"},
    OtherName{Collective::allgatherv, "neighbor", "neighbor_exchange"},
    OtherName{Collective::allgatherv, "two_proc", "direct"},
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
    OtherName{Collective::alltoallw, "scattered", "linear"},
    OtherName{Collective::barrier, "bruck", "dissemination"},
    OtherName{Collective::barrier, "k_dissemination", "n_way_dissemination"},
    OtherName{Collective::barrier, "smp", "hierarchical"},
    OtherName{Collective::barrier, "tree", "binomial"},
    OtherName{Collective::barrier, "two_proc", "dissemination"},
    OtherName{Collective::bcast, "basic_linear", "linear"},
    OtherName{Collective::bcast, "binary_tree", "binary"},
    OtherName{Collective::bcast, "pipeline", "chain"},
    OtherName{Collective::bcast, "scatter_allgather", "scatter_recursive_doubling"},
    OtherName{Collective::bcast, "scatter_allgather_ring", "scatter_ring"},
    OtherName{Collective::bcast, "scatter_recursive_doubling_allgather",
              "scatter_recursive_doubling"},
    OtherName{Collective::bcast, "scatter_ring_allgather", "scatter_ring"},
    OtherName{Collective::bcast, "split_binary_tree", "split_binary"},
    OtherName{Collective::exscan, "linear", "chain"},
    OtherName{Collective::gather, "basic_linear", "linear"},
    OtherName{Collective::reduce, "in-order_binary", "in_order_binary"},
    OtherName{Collective::reduce, "pipeline", "chain"},
    OtherName{Collective::reduce, "rabenseifner", "halving_doubling"},
    OtherName{Collective::reduce, "reduce_scatter_gather", "halving_doubling"},
    OtherName{Collective::scan, "linear", "chain"},
    OtherName{Collective::scan, "smp", "hierarchical"},
    OtherName{Collective::scatter, "basic_linear", "linear"},
    OtherName{Collective::scatter, "linear_nb", "linear"}};

std::string_view our_name(Collective collective, std::string_view theirs) {
  for (const OtherName& other : kOtherNames) {
    if (other.collective == collective && other.theirs == theirs) return other.ours;
  }
  return theirs;
}

/// A library's algorithm without a counterpart.
struct NoCounterpart {
  std::string_view theirs;  ///< its name; with a `*` behind it, the beginning of several names
  std::string_view why;

  [[nodiscard]] bool is(std::string_view name) const {
    if (!theirs.ends_with('*')) return name == theirs;
    return name.starts_with(theirs.substr(0, theirs.size() - 1));
  }
};
constexpr std::array kNoCounterparts{
    NoCounterpart{"allgather_reduce", "all vectors are gathered, then reduced by every rank"},
    NoCounterpart{"basic_linear", "one linear algorithm, then another"},
    NoCounterpart{"butterfly", "where p is no 2^k, other pairs exchange than in recursive_halving"},
    NoCounterpart{"ccl", "a library for GPUs performs it"},
    NoCounterpart{"default", "a gather, then a broadcast of all blocks"},
    NoCounterpart{"composition_*", "its phases are what the library selects"},
    NoCounterpart{"han_*", "other components perform its phases"},
    NoCounterpart{"k_reduce_scatter_allgather", "k ranks exchange parts of the vector"},
    NoCounterpart{"linear", "a gather, then a broadcast of all blocks"},
    NoCounterpart{"linear_sync", "each block in two messages, the second after a call of the root"},
    NoCounterpart{"nb", "whichever nonblocking algorithm the library selects"},
    NoCounterpart{"non-overlapping", "a reduce and a scatter that the library selects"},
    NoCounterpart{"noncommutative", "halves by the bits of the ranks in reverse"},
    NoCounterpart{"pairwise_sendrecv_replace", "pairs exchange blocks in place, each in its turn"},
    NoCounterpart{"pipelined_tree", "a setting of the library names the tree"},
    NoCounterpart{"recexch",
                  "k ranks exchange; other ranks are folded than by recursive_multiplying"},
    NoCounterpart{"recexch_doubling", "k ranks exchange blocks"},
    NoCounterpart{"recexch_halving", "k ranks exchange blocks"},
    NoCounterpart{"recursive_doubling", "ranks exchange most of the vector in each round"},
    NoCounterpart{"segmented_ring", "a ring whose blocks go in segments"},
    NoCounterpart{"smp", "its phases are what the library selects"},
    NoCounterpart{"tree", "a setting of the library names the tree"}};

/// A parameter of a library's that says what one of ours does.
struct OtherParam {
  std::string_view algorithm;  ///< the library's
  std::string_view theirs;
  std::string_view ours;
  int otherwise;  ///< the library's, where it is not given; 0: as ours
  int less = 0;   ///< theirs minus ours
};
constexpr std::array kOtherParams{
    OtherParam{"bruck-k-fanout", library_params::kRadix, "radix", 0},
    OtherParam{"chain", library_params::kFanout, "chains", 4},
    OtherParam{"k_brucks", library_params::kRadix, "radix", 0},
    OtherParam{"k_dissemination", library_params::kRadix, "n", 2, 1},
    OtherParam{"knomial", library_params::kRadix, "radix", 0},
    OtherParam{"linear_sync", library_params::kMaxRequests, "batch", 0}};

/// Our parameters for a library's, but for segments: "chains=4".
std::string params_of(std::string_view algorithm, const kernels::Params& params) {
  const auto known = std::ranges::find(kOtherParams, algorithm, &OtherParam::algorithm);
  if (known == kOtherParams.end()) return "";
  const int value = params.find_number(known->theirs, 0).value_or(known->otherwise);
  return value > 0 ? fmt::format("{}={}", known->ours, value - known->less) : "";
}

/// The number of pieces of at most `segment_bytes`, as our parameter says it; "" for one. Those of
/// a split binary tree are pieces of each half.
std::string segments_of(std::string_view algorithm, const kernels::Params& params, Bytes message) {
  std::int64_t bytes = params.find_number(library_params::kSegmentBytes, 0).value_or(0);
  if (algorithm == "split_binary_tree") bytes *= 2;
  const std::int64_t pieces = bytes == 0 ? 1 : (message.value + bytes - 1) / bytes;
  return pieces <= 1 ? "" : std::string{kernels::kSegments.key} + "=" + std::to_string(pieces);
}

}  // namespace

Pairing pairing_of(const LibraryAlgorithm& theirs) {
  const std::string_view name = our_name(theirs.collective, theirs.name);
  const auto ours = kernels::catalogue(theirs.collective);
  if (std::ranges::find(ours, name, &kernels::Algorithm::name) != ours.end()) return {name};
  const auto none = std::ranges::find_if(
      kNoCounterparts, [&](const NoCounterpart& each) { return each.is(theirs.name); });
  return {.why_none = none == kNoCounterparts.end() ? "not compared" : none->why};
}

std::optional<Case> counterpart(const Case& what) {
  const LibraryOwn* const library = what.variant.library();
  if (library == nullptr) {
    return kernels::known_algorithm(what) == nullptr ? std::nullopt : std::optional{what};
  }
  const kernels::Params params = kernels::Params::parse(library->params);
  const std::string segments = segments_of(library->name, params, what.message);
  std::string text = params_of(library->name, params);
  if (!text.empty() && !segments.empty()) text += ",";
  const Case found = with_variant(
      what, Ours{std::string{our_name(what.collective, library->name)}, text + segments});
  const kernels::Algorithm* const ours = kernels::known_algorithm(found);
  if (ours == nullptr || (!segments.empty() && !ours->segments)) return std::nullopt;
  if (!kernels::runs(*ours, kernels::problem_of(found))) return std::nullopt;
  return found;
}

}  // namespace breakeven::libraries
