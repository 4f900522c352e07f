// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/uses.hpp"

#include <mpi.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <exception>
#include <mutex>
#include <numeric>
#include <vector>

#include "core/files.hpp"
#include "core/processor.hpp"
#include "executor/library_version.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"

namespace breakeven::interpose {

namespace {

using executor::check_mpi;

/// Of this process.
struct AllUses {
  std::mutex mutex;
  std::list<Uses> of_comms;  // that are in use
  Uses of_others;            // that were freed
};

/// Never destroyed: MPI_Finalize may run in a destructor.
AllUses& all_uses() {
  static auto& all = *new AllUses;
  return all;
}

Uses sum_of_uses() {
  const std::scoped_lock lock{all_uses().mutex};
  Uses sum = all_uses().of_others;
  for (const Uses& uses : all_uses().of_comms) tuner::add(uses, sum);
  return sum;
}

/// The texts of all ranks, on rank 0.
std::vector<std::string> gather(const std::string& text, int me, int procs) {
  const auto length = static_cast<int>(text.size());
  std::vector<int> lengths(static_cast<std::size_t>(procs));
  check_mpi(PMPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD),
            "MPI_Gather");
  std::vector<int> begins(lengths.size());
  std::exclusive_scan(lengths.begin(), lengths.end(), begins.begin(), 0);
  std::string all(me == 0 ? static_cast<std::size_t>(begins.back() + lengths.back()) : 0, ' ');
  check_mpi(PMPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), begins.data(),
                         MPI_CHAR, 0, MPI_COMM_WORLD),
            "MPI_Gatherv");
  std::vector<std::string> texts;
  for (std::size_t rank = 0; me == 0 && rank < lengths.size(); ++rank) {
    texts.push_back(all.substr(static_cast<std::size_t>(begins[rank]),
                               static_cast<std::size_t>(lengths[rank])));
  }
  return texts;
}

}  // namespace

Use use_of(const executor::MpiCall& call, Bytes message, const NodeLayout& layout,
           std::string algorithm) {
  Use use{.collective = call.collective,
          .layout = layout,
          .in_place = call.in_place && !rooted(call.collective),  // else ranks differ
          .algorithm = std::move(algorithm)};
  use.message.value = static_cast<std::int64_t>(
      std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(0, message.value))));
  if (moves_data(call.collective) && call.described().present()) {
    const auto known = executor::datatype_of(call.described().type);
    use.datatype = known ? kDatatypes.of(*known) : "derived";
  }
  if (reduces(call.collective)) {
    const auto known = executor::op_of(call.op);
    use.op = known ? kOps.of(*known) : "user";
  }
  return use;
}

CommUses::CommUses() {
  const std::scoped_lock lock{all_uses().mutex};
  uses_ = all_uses().of_comms.emplace(all_uses().of_comms.end());
}

CommUses::~CommUses() {
  const std::scoped_lock lock{all_uses().mutex};
  tuner::add(*uses_, all_uses().of_others);
  all_uses().of_comms.erase(uses_);
}

void write_profile(const std::string& file, double wall_s) noexcept {
  try {
    int me = 0;
    tuner::Profile profile{.library_version = executor::library_version_line(),
                           .cpu = processor_name().value_or("unknown"),
                           .wall_s = wall_s,
                           .uses = sum_of_uses()};
    check_mpi(PMPI_Comm_rank(MPI_COMM_WORLD, &me), "MPI_Comm_rank");
    check_mpi(PMPI_Comm_size(MPI_COMM_WORLD, &profile.procs), "MPI_Comm_size");
    const std::vector<std::string> texts = gather(to_json(profile), me, profile.procs);
    if (me != 0) return;
    profile.uses.clear();
    for (const std::string& text : texts) tuner::add(tuner::read_profile(text).uses, profile.uses);
    for (auto& [use, amount] : profile.uses) amount.seconds /= use.layout.procs;
    write_file(file, to_json(profile));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "breakeven: no profile: %s\n", error.what());
  }
}

}  // namespace breakeven::interpose
