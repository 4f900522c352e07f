// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/uses.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "core/files.hpp"
#include "core/processor.hpp"
#include "executor/mpi_error.hpp"
#include "executor/mpi_types.hpp"
#include "interpose/notify.hpp"

namespace breakeven::interpose {

namespace {

using executor::check_mpi;

/// Never destroyed: MPI_Finalize may run in a destructor.
struct AllUses {
  std::mutex mutex;
  std::map<Use, Amount> uses;
};

AllUses& all_uses() {
  static auto& all = *new AllUses;
  return all;
}

/// The order of this process's calls so far.
struct OrderSoFar {
  struct Kind {
    int number = 0;
    std::int64_t calls = 0;
    double prompt_s = 0;
  };
  tables::Order order;
  std::map<std::pair<const Amount*, int>, Kind> kinds;          // by use and stride
  std::optional<std::chrono::steady_clock::time_point> last{};  // the end of the last call
};

OrderSoFar& order_so_far() {
  static auto& order = *new OrderSoFar;
  return order;
}

void put_order(tables::Profile& profile) {
  OrderSoFar& so_far = order_so_far();
  so_far.order.close();
  profile.order = so_far.order;
  profile.kinds.resize(so_far.kinds.size());
  for (const auto& [use, amount] : all_uses().uses) {
    auto kind = so_far.kinds.lower_bound({&amount, 0});
    for (; kind != so_far.kinds.end() && kind->first.first == &amount; ++kind)
      profile.kinds[static_cast<std::size_t>(kind->second.number)] = {use, kind->first.second,
                                                                      kind->second.prompt_s};
  }
}

/// The command that started this process.
std::string command() {
  std::string words = read_file("/proc/self/cmdline");
  while (words.ends_with('\0')) words.pop_back();
  std::ranges::replace(words, '\0', ' ');
  return words;
}

/// Collective: rank 0 has the calls of all. Each rank adds those of at most log2(p) others.
void sum_up(tables::Profile& profile, int me, MPI_Comm world) {
  for (int step = 1; step < profile.procs; step *= 2) {
    if ((me & step) != 0) {
      const std::string text = to_json(profile);
      check_mpi(
          PMPI_Send(text.data(), static_cast<int>(text.size()), MPI_CHAR, me - step, 0, world),
          "MPI_Send");
      return;
    }
    if (me + step >= profile.procs) continue;
    MPI_Status status;
    int size = 0;
    check_mpi(PMPI_Probe(me + step, 0, world, &status), "MPI_Probe");
    check_mpi(PMPI_Get_count(&status, MPI_CHAR, &size), "MPI_Get_count");
    std::string text(static_cast<std::size_t>(size), '\0');
    check_mpi(PMPI_Recv(text.data(), size, MPI_CHAR, me + step, 0, world, MPI_STATUS_IGNORE),
              "MPI_Recv");
    const tables::Profile other = tables::read_profile(text);
    tables::add(other.uses, profile.uses);
    tables::add_order(other, profile);
  }
}

/// The communicators that made these calls, of a sum over all processes. Several of one layout are
/// taken to call at once.
int comms_of(const Use& use, const Amount& sum) {
  return static_cast<int>(std::max<std::int64_t>(1, sum.processes / use.layout.procs));
}

Use at_once(Use use, const Amount& sum, int nodes) {
  const NodeLayout& layout = use.layout;
  const int of_nodes = layout.nodes == nodes
                           ? comms_of(use, sum)
                           : static_cast<int>(sum.processes) / (nodes * layout.procs_per_node);
  use.layout.comms_per_node = std::max(1, of_nodes);
  return use;
}

/// Makes means of one communicator of the sums over all processes.
void take_means(tables::Profile& profile, int nodes) {
  for (tables::OrderedCall& kind : profile.kinds)
    kind.use = at_once(std::move(kind.use), profile.uses.at(kind.use), nodes);
  std::map<Use, Amount> means;
  for (const auto& [use, sum] : profile.uses) {
    if (sum.calls == 0 && sum.seconds == 0) continue;
    Amount amount = sum;
    const int comms = comms_of(use, sum);
    amount.calls = (amount.calls + comms / 2) / comms;
    amount /= comms * use.layout.procs;
    means[at_once(use, sum, nodes)] += amount;
  }
  profile.uses = std::move(means);
}

}  // namespace

Use use_of(const executor::MpiCall& call, Bytes message, const NodeLayout& layout,
           Variant variant) {
  Use use{.collective = call.collective,
          .layout = layout,
          .in_place = call.in_place && !rooted(call.collective),  // else ranks differ
          .variant = std::move(variant)};
  use.message = power_below(std::max(Bytes{}, message));
  if (moves_data(call.collective) && call.described().present()) {
    const auto known = executor::datatype_of(call.described().type);
    const bool one = known && call.collective != Collective::alltoallw;
    use.datatype = one ? kDatatypes.of(*known) : "derived";
  }
  if (reduces(call.collective)) {
    const auto known = executor::op_of(call.op);
    use.op = known ? kOps.of(*known) : "user";
  }
  return use;
}

Amount& amount_of_use(const Use& use) {
  const std::scoped_lock lock{all_uses().mutex};
  return all_uses().uses[use];
}

void add_to_order(const Amount& amount, int stride, std::chrono::steady_clock::time_point begin,
                  std::chrono::steady_clock::time_point end) {
  constexpr double kLeastGain = 0.02;  // so that it follows times that change
  using Duration = std::chrono::duration<double>;
  OrderSoFar& so_far = order_so_far();
  const int next = static_cast<int>(so_far.kinds.size());
  OrderSoFar::Kind& kind = so_far.kinds.try_emplace({&amount, stride}, next).first->second;
  so_far.order.add(kind.number, Duration{begin - so_far.last.value_or(begin)}.count());
  so_far.last = end;
  // The lower quartile by stochastic approximation [robbins1951], of the logarithm.
  const double took = Duration{end - begin}.count();
  if (++kind.calls == 1) kind.prompt_s = took;
  const double gain = std::max(kLeastGain, 1 / static_cast<double>(kind.calls));
  if (took != kind.prompt_s) kind.prompt_s *= 1 + gain * (took > kind.prompt_s ? 0.25 : -0.75);
}

void write_profile(const std::string& folder, MPI_Comm world, int nodes, double wall_s) noexcept {
  try {
    tables::Profile profile{.library_version = executor::library_version_line(),
                            .cpu = processor_name().value_or("unknown"),
                            .wall_s = wall_s,
                            .uses = all_uses().uses,
                            .command = command()};
    for (auto& [use, amount] : profile.uses)
      amount.processes = amount.calls > 0 || amount.seconds > 0 ? 1 : 0;
    int me = 0;
    check_mpi(PMPI_Comm_rank(world, &me), "MPI_Comm_rank");
    check_mpi(PMPI_Comm_size(world, &profile.procs), "MPI_Comm_size");
    put_order(profile);
    sum_up(profile, me, world);
    if (me != 0) return;
    take_means(profile, nodes);
    std::filesystem::create_directories(folder);
    write_file(std::filesystem::path{folder} / fmt::format("{}.{}.json", node_name(), getpid()),
               to_json(profile));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "breakeven: no profile: %s\n", error.what());
  }
}

}  // namespace breakeven::interpose
