// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/json.hpp"
#include "harness/protocol/facts.hpp"

/// As the kernel writes them.
template <>
struct breakeven::JsonOf<breakeven::protocol::CpuSet> {
  static Json write(const protocol::CpuSet& cpus) { return protocol::to_text(cpus); }
  static protocol::CpuSet read(const Json& json) {
    return protocol::parse_cpus(json.get<std::string>());
  }
};

namespace breakeven::protocol {

constexpr auto fields(std::type_identity<CpuFacts>) {
  return kPlainFields<&CpuFacts::usable, &CpuFacts::cores, &CpuFacts::numa, &CpuFacts::quota_cores>;
}
constexpr auto fields(std::type_identity<FrequencyFacts>) {
  return kPlainFields<&FrequencyFacts::driver, &FrequencyFacts::governors, &FrequencyFacts::turbo>;
}
constexpr auto fields(std::type_identity<MemoryFacts>) {
  return kPlainFields<&MemoryFacts::total_bytes, &MemoryFacts::available_bytes,
                      &MemoryFacts::swap_used_bytes, &MemoryFacts::huge_pages,
                      &MemoryFacts::overcommit, &MemoryFacts::shm_total_bytes,
                      &MemoryFacts::shm_free_bytes>;
}
constexpr auto fields(std::type_identity<HostFacts>) {
  return kPlainFields<&HostFacts::name, &HostFacts::processor, &HostFacts::kernel,
                      &HostFacts::boot_id, &HostFacts::clock_source, &HostFacts::virtual_machine,
                      &HostFacts::rdma, &HostFacts::cpus, &HostFacts::frequency,
                      &HostFacts::memory>;
}
constexpr auto fields(std::type_identity<OtherProcess>) {
  return kPlainFields<&OtherProcess::pid, &OtherProcess::name, &OtherProcess::cores>;
}
constexpr auto fields(std::type_identity<LoadFacts>) {
  return kPlainFields<&LoadFacts::load_1min, &LoadFacts::other_cores, &LoadFacts::steal,
                      &LoadFacts::steal_at_all, &LoadFacts::others>;
}
constexpr auto fields(std::type_identity<Detours>) {
  return kPlainFields<&Detours::window_s, &Detours::lost_s, &Detours::longest_s, &Detours::detours>;
}
constexpr auto fields(std::type_identity<TimerFacts>) {
  return kPlainFields<&TimerFacts::resolution_s, &TimerFacts::cost_s>;
}
constexpr auto fields(std::type_identity<RankFacts>) {
  return kPlainFields<&RankFacts::rank, &RankFacts::cpus, &RankFacts::memlock_bytes,
                      &RankFacts::timer, &RankFacts::noise>;
}
constexpr auto fields(std::type_identity<LibraryFacts>) {
  return kPlainFields<&LibraryFacts::version, &LibraryFacts::thread_level, &LibraryFacts::variables,
                      &LibraryFacts::settings, &LibraryFacts::shares_memory>;
}
constexpr auto fields(std::type_identity<NodeFacts>) {
  return kPlainFields<&NodeFacts::host, &NodeFacts::load, &NodeFacts::library, &NodeFacts::ranks>;
}

}  // namespace breakeven::protocol
