// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/uses.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <mutex>
#include <vector>

#include "core/files.hpp"
#include "core/processor.hpp"
#include "executor/agree.hpp"
#include "executor/library_version.hpp"
#include "executor/mpi_types.hpp"
#include "interpose/notify.hpp"

namespace breakeven::interpose {

namespace {

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

/// That started this process.
std::string command() {
  std::string words = read_file("/proc/self/cmdline");
  while (words.ends_with('\0')) words.pop_back();
  std::ranges::replace(words, '\0', ' ');
  return words;
}

Uses sum_of_uses() {
  const std::scoped_lock lock{all_uses().mutex};
  Uses sum = all_uses().of_others;
  for (const Uses& uses : all_uses().of_comms) tuner::add(uses, sum);
  return sum;
}

}  // namespace

Use use_of(const executor::MpiCall& call, Bytes message, const NodeLayout& layout,
           std::string algorithm) {
  Use use{.collective = call.collective,
          .layout = layout,
          .in_place = call.in_place && !rooted(call.collective),  // else ranks differ
          .algorithm = std::move(algorithm)};
  use.message = power_below(std::max(Bytes{}, message));
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

void write_profile(const std::string& folder, const executor::Communicator& world,
                   double wall_s) noexcept {
  try {
    tuner::Profile profile{.library_version = executor::library_version_line(),
                           .cpu = processor_name().value_or("unknown"),
                           .procs = world.procs(),
                           .wall_s = wall_s,
                           .uses = sum_of_uses(),
                           .command = command()};
    const std::vector<std::string> texts = gather(to_json(profile), world);
    if (texts.empty()) return;  // not rank 0
    profile.uses.clear();
    for (const std::string& text : texts) tuner::add(tuner::read_profile(text).uses, profile.uses);
    for (auto& [use, amount] : profile.uses) amount.seconds /= use.layout.procs;
    std::filesystem::create_directories(folder);
    write_file(std::filesystem::path{folder} / fmt::format("{}.{}.json", node_name(), getpid()),
               to_json(profile));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "breakeven: no profile: %s\n", error.what());
  }
}

}  // namespace breakeven::interpose
