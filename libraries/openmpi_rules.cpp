// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/openmpi_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "core/units.hpp"
#include "kernels/params.hpp"
#include "libraries/library_algorithm.hpp"

namespace breakeven::libraries::openmpi {

namespace {

struct Numbered {
  Collective collective;
  int id;
};
constexpr std::array kNumbers{
    Numbered{Collective::allgather, 0},       Numbered{Collective::allgatherv, 1},
    Numbered{Collective::allreduce, 2},       Numbered{Collective::alltoall, 3},
    Numbered{Collective::alltoallv, 4},       Numbered{Collective::alltoallw, 5},
    Numbered{Collective::barrier, 6},         Numbered{Collective::bcast, 7},
    Numbered{Collective::exscan, 8},          Numbered{Collective::gather, 9},
    Numbered{Collective::gatherv, 10},        Numbered{Collective::reduce, 11},
    Numbered{Collective::reduce_scatter, 12}, Numbered{Collective::reduce_scatter_block, 13},
    Numbered{Collective::scan, 14},           Numbered{Collective::scatter, 15},
    Numbered{Collective::scatterv, 16}};

}  // namespace

std::optional<Version> parse_version(std::string_view library_version) {
  constexpr std::string_view kBefore = "Open MPI v";
  if (!library_version.starts_with(kBefore)) return std::nullopt;
  std::string_view rest = library_version.substr(kBefore.size());
  rest = rest.substr(0, rest.find_first_not_of("0123456789."));
  Version version;
  for (int* part : {&version.major, &version.minor, &version.release}) {
    const auto number = number_in<int>(take_part(rest, '.'));
    if (!number) return std::nullopt;
    *part = *number;
  }
  return version;
}

bool has_han(Collective collective) {
  return find_library_algorithm(
             {.collective = collective, .variant = LibraryOwn{"openmpi", "han_simple"}}) != nullptr;
}

int rules_id(Collective collective) {
  return std::ranges::find(kNumbers, collective, &Numbered::collective)->id;
}

std::optional<Collective> rules_collective(int id) {
  const auto* const found = std::ranges::find(kNumbers, id, &Numbered::id);
  if (found == kNumbers.end()) return std::nullopt;
  return found->collective;
}

std::int64_t rules_bytes(const Case& what) {
  switch (what.collective) {
    case Collective::alltoallv:
    case Collective::alltoallw:
    case Collective::barrier: return 0;
    // Of one element for each process, whatever the count is.
    case Collective::exscan:
    case Collective::scan: return what.procs * extent(what.datatype).value;
    // The mean of the blocks: where they are equal, one of them.
    case Collective::allgatherv: return what.message.value;
    default: return total_bytes(what).value;
  }
}

bool rules_know_sizes(Collective collective) {
  switch (collective) {
    case Collective::alltoallv:
    case Collective::alltoallw:
    case Collective::barrier:
    case Collective::exscan:
    case Collective::scan: return false;
    default: return true;
  }
}

std::string_view rules_bytes_text(Collective collective) {
  switch (collective) {
    case Collective::alltoallv:
    case Collective::alltoallw:
    case Collective::barrier: return "no bytes";
    case Collective::exscan:
    case Collective::scan: return "the bytes of one element for each process";
    case Collective::allgatherv: return "the mean bytes of a block";
    default:
      return counts_one_block(collective) ? "the bytes of all blocks" : "the bytes of the vector";
  }
}

const LibraryParam* fanout_param(const Case& what) {
  const LibraryAlgorithm* const algorithm = find_library_algorithm(what);
  if (algorithm == nullptr) return nullptr;
  if (const auto* const fanout = algorithm->find_param(library_params::kFanout)) return fanout;
  // The radix of bcast is a control variable's.
  if (what.collective == Collective::bcast) return nullptr;
  return algorithm->find_param(library_params::kRadix);
}

RuledAlgorithm ruled(const Case& what) {
  const LibraryOwn* const own = what.variant.library();
  if (own == nullptr) return {};
  const kernels::Params params = kernels::Params::parse(own->params);
  RuledAlgorithm ruled{
      .name = own->name,
      .segment_bytes = params.find_number(library_params::kSegmentBytes, 0).value_or(0),
      .max_requests = params.find_number(library_params::kMaxRequests, 1)};
  if (const LibraryParam* const fanout = fanout_param(what)) {
    ruled.fanout = params.find_number(fanout->key, 1).value_or(fanout->usual);
  } else if (params.find_number(library_params::kRadix, 2).value_or(kDefaultRadix) !=
             kDefaultRadix) {
    throw UsageError(fmt::format("a rule can't say another radix than {}", kDefaultRadix));
  }
  return ruled;
}

Variant variant_of(Collective collective, const RuledAlgorithm& algorithm) {
  if (algorithm.name.empty()) return Native{};
  LibraryOwn own{"openmpi", algorithm.name};
  const auto append = [&](std::string_view key, int value) {
    own.params += fmt::format("{}{}={}", own.params.empty() ? "" : ",", key, value);
  };
  const LibraryParam* const fanout = fanout_param({.collective = collective, .variant = own});
  if (algorithm.fanout != 0 && (fanout == nullptr || algorithm.fanout != fanout->usual)) {
    append(fanout == nullptr ? library_params::kFanout : fanout->key, algorithm.fanout);
  }
  if (algorithm.segment_bytes != 0) append(library_params::kSegmentBytes, algorithm.segment_bytes);
  if (algorithm.max_requests.value_or(0) != 0) {
    append(library_params::kMaxRequests, *algorithm.max_requests);
  }
  return own;
}

}  // namespace breakeven::libraries::openmpi
