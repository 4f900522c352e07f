// SPDX-License-Identifier: BSD-3-Clause
#include <hwloc.h>

#include <memory>
#include <type_traits>

#include "harness/doctor/host.hpp"

namespace breakeven::doctor {

namespace {

struct Destroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Handle = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, Destroy>;

Handle load(const std::string& synthetic) {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return nullptr;
  Handle handle{topology};
  if (!synthetic.empty() && hwloc_topology_set_synthetic(topology, synthetic.c_str()) != 0) {
    return nullptr;
  }
  return hwloc_topology_load(topology) == 0 ? std::move(handle) : nullptr;
}

protocol::CpuSet cpus_of(hwloc_const_cpuset_t bitmap) {
  protocol::CpuSet cpus;
  for (int cpu = hwloc_bitmap_first(bitmap); cpu >= 0; cpu = hwloc_bitmap_next(bitmap, cpu)) {
    cpus.insert(cpu);
  }
  return cpus;
}

std::vector<protocol::CpuSet> sets_of(hwloc_topology_t topology, hwloc_obj_type_t type) {
  std::vector<protocol::CpuSet> sets;
  for (hwloc_obj_t object = hwloc_get_next_obj_by_type(topology, type, nullptr); object != nullptr;
       object = hwloc_get_next_obj_by_type(topology, type, object)) {
    sets.push_back(cpus_of(object->cpuset));
  }
  return sets;
}

}  // namespace

Topology read_topology(const std::string& synthetic) {
  const Handle topology = load(synthetic);
  if (topology == nullptr) return {};
  return {.cores = sets_of(topology.get(), HWLOC_OBJ_CORE),
          .numa = sets_of(topology.get(), HWLOC_OBJ_NUMANODE),
          .packages = sets_of(topology.get(), HWLOC_OBJ_PACKAGE)};
}

}  // namespace breakeven::doctor
