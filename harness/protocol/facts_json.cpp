// SPDX-License-Identifier: BSD-3-Clause
#include "harness/protocol/facts_json.hpp"

#include <nlohmann/json.hpp>

/// Nothing is null. CPUs are written as the kernel writes them.
template <typename Value>
struct nlohmann::adl_serializer<std::optional<Value>> {
  static void to_json(json& object, const std::optional<Value>& value) {
    object = value ? json(*value) : json(nullptr);
  }
  static void from_json(const json& object, std::optional<Value>& value) {
    if (object.is_null()) {
      value.reset();
    } else {
      value = object.get<Value>();
    }
  }
};

template <>
struct nlohmann::adl_serializer<breakeven::protocol::CpuSet> {
  static void to_json(json& object, const breakeven::protocol::CpuSet& cpus) {
    object = breakeven::protocol::to_text(cpus);
  }
  static void from_json(const json& object, breakeven::protocol::CpuSet& cpus) {
    cpus = breakeven::protocol::parse_cpus(object.get<std::string>());
  }
};

template <>
struct nlohmann::adl_serializer<breakeven::LibrarySettings> {
  static void to_json(json& object, const breakeven::LibrarySettings& settings) {
    object = breakeven::to_text(settings);
  }
  static void from_json(const json& object, breakeven::LibrarySettings& settings) {
    settings = breakeven::parse_library_settings(object.get<std::string>());
  }
};

namespace breakeven::protocol {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CpuFacts, usable, cores, numa, quota_cores)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FrequencyFacts, driver, governors, turbo)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MemoryFacts, total_bytes, available_bytes, swap_used_bytes,
                                   huge_pages, overcommit, shm_total_bytes, shm_free_bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HostFacts, name, processor, kernel, boot_id, clock_source,
                                   virtual_machine, rdma, cpus, frequency, memory)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OtherProcess, pid, name, cores)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LoadFacts, load_1min, other_cores, steal, steal_at_all, others)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Detours, window_s, lost_s, longest_s, detours)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TimerFacts, resolution_s, cost_s)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RankFacts, rank, cpus, memlock_bytes, timer, noise)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LibraryFacts, version, thread_level, variables, settings)

void to_json(nlohmann::json& object, const NodeFacts& facts) {
  object = {{"host", facts.host},
            {"load", facts.load},
            {"library", facts.library},
            {"ranks", facts.ranks}};
}

void from_json(const nlohmann::json& object, NodeFacts& facts) {
  object.at("host").get_to(facts.host);
  object.at("load").get_to(facts.load);
  object.at("library").get_to(facts.library);
  object.at("ranks").get_to(facts.ranks);
}

std::string pack(const NodeFacts& facts) {
  return nlohmann::json(facts).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

NodeFacts unpack(std::string_view text) { return nlohmann::json::parse(text).get<NodeFacts>(); }

}  // namespace breakeven::protocol
