// SPDX-License-Identifier: BSD-3-Clause
#include "harness/doctor/examine.hpp"

#include <unistd.h>

#include <algorithm>
#include <thread>

#include "harness/doctor/host.hpp"
#include "harness/doctor/load.hpp"
#include "harness/doctor/noise.hpp"
#include "harness/protocol/protocol.hpp"

namespace breakeven::doctor {

namespace {

/// The facts that a thread finds in the place of a rank, while all of them look.
protocol::RankFacts look_as(int rank, Seconds window) {
  return {.rank = rank,
          .cpus = protocol::allowed_cpus(0),
          .memlock_bytes = memlock_limit(),
          .timer = look_at_timer(steady_now),
          .noise = look_for_noise(window, steady_now)};
}

/// This host while `procs` threads look for noise; without threads, while others work.
protocol::NodeFacts look_here(protocol::HostFacts host, int procs) {
  const Seconds window = protocol::InspectRequest{}.window;
  protocol::NodeFacts node{.host = std::move(host),
                           .ranks = {static_cast<std::size_t>(procs), protocol::RankFacts{}}};
  const LoadSnapshot before = take_load();
  std::vector<std::thread> threads;
  for (protocol::RankFacts& facts : node.ranks) {
    const auto rank = static_cast<int>(&facts - node.ranks.data());
    threads.emplace_back([&facts, rank, window] { facts = look_as(rank, window); });
  }
  if (procs == 0) std::this_thread::sleep_for(std::chrono::duration<double>(window.value));
  for (std::thread& thread : threads) thread.join();
  node.load = load_between(before, take_load(), getpid());
  return node;
}

}  // namespace

Examination examined(std::string machine, std::vector<protocol::NodeFacts> nodes) {
  protocol::HostFacts here = read_host(protocol::allowed_cpus(0));
  const auto is_here = [&](const protocol::NodeFacts& node) { return node.host.name == here.name; };
  if (std::ranges::none_of(nodes, is_here)) nodes.push_back(look_here(std::move(here), 0));
  std::vector<Finding> findings = diagnose(nodes);
  return {
      .machine = std::move(machine), .nodes = std::move(nodes), .findings = std::move(findings)};
}

Examination examine_here(int procs) {
  protocol::HostFacts host = read_host(protocol::allowed_cpus(0));
  if (procs == 0) procs = protocol::usable_cores(host.cpus);
  return examined("", {look_here(std::move(host), procs)});
}

}  // namespace breakeven::doctor
