// SPDX-License-Identifier: BSD-3-Clause
#include "harness/doctor/host.hpp"

#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <sstream>

#include "core/processor.hpp"
#include "harness/doctor/text_files.hpp"

namespace breakeven::doctor {

namespace {

namespace fs = std::filesystem;
using Fields = std::map<std::string, std::string>;

std::optional<std::string> field(const Fields& fields, const std::string& key) {
  const auto found = fields.find(key);
  if (found == fields.end()) return std::nullopt;
  return found->second;
}

std::optional<std::string> kernel(const fs::path& root) {
  const auto type = first_line(root / "proc/sys/kernel/ostype");
  const auto release = first_line(root / "proc/sys/kernel/osrelease");
  if (!type || !release) return std::nullopt;
  return *type + " " + *release;
}

/// An x86 processor shows by a flag that there is a hypervisor; Xen has a folder anywhere. Other
/// processors don't tell.
std::optional<bool> virtual_machine(const Fields& cpuinfo, const fs::path& root) {
  if (fs::exists(root / "sys/hypervisor/type")) return true;
  const std::optional<std::string> flags = field(cpuinfo, "flags");
  if (!flags) return std::nullopt;
  return (" " + *flags + " ").find(" hypervisor ") != std::string::npos;
}

/// The entries of a folder, none when it can't be read.
std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder, unreadable)) found.push_back(entry);
  return found;
}

protocol::FrequencyFacts frequency(const fs::path& root) {
  const fs::path cpu = root / "sys/devices/system/cpu";
  protocol::FrequencyFacts facts;
  for (const fs::path& policy : entries(cpu / "cpufreq")) {
    if (const auto governor = first_line(policy / "scaling_governor")) ++facts.governors[*governor];
    if (!facts.driver) facts.driver = first_line(policy / "scaling_driver");
  }
  if (const auto off = whole_number(cpu / "intel_pstate/no_turbo")) {
    facts.turbo = *off == 0;
  } else if (const auto boost = whole_number(cpu / "cpufreq/boost")) {
    facts.turbo = *boost != 0;
  }
  return facts;
}

/// "24105 kB" in bytes.
std::optional<std::int64_t> bytes_of(const Fields& meminfo, const std::string& key) {
  constexpr std::int64_t kKibi = 1024;
  const std::optional<std::string> text = field(meminfo, key);
  std::istringstream number{text.value_or("")};
  std::int64_t kibibytes = 0;
  if (!(number >> kibibytes)) return std::nullopt;
  return kibibytes * kKibi;
}

protocol::MemoryFacts memory(const fs::path& root) {
  const Fields meminfo = key_values(root / "proc/meminfo");
  protocol::MemoryFacts facts{
      .total_bytes = bytes_of(meminfo, "MemTotal"),
      .available_bytes = bytes_of(meminfo, "MemAvailable"),
      .huge_pages = chosen_word(root / "sys/kernel/mm/transparent_hugepage/enabled")};
  const auto swap = bytes_of(meminfo, "SwapTotal");
  const auto swap_free = bytes_of(meminfo, "SwapFree");
  if (swap && swap_free) facts.swap_used_bytes = *swap - *swap_free;
  if (const auto mode = whole_number(root / "proc/sys/vm/overcommit_memory")) {
    facts.overcommit = static_cast<int>(*mode);
  }
  struct statvfs shm{};
  if (statvfs((root / "dev/shm").c_str(), &shm) == 0) {
    facts.shm_total_bytes = static_cast<std::int64_t>(shm.f_blocks * shm.f_frsize);
    facts.shm_free_bytes = static_cast<std::int64_t>(shm.f_bavail * shm.f_frsize);
  }
  return facts;
}

}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::optional<std::string> boot_id(const fs::path& root) {
  return first_line(root / "proc/sys/kernel/random/boot_id");
}

protocol::HostFacts read_host(const protocol::CpuSet& usable, const fs::path& root) {
  const Fields cpuinfo = key_values(root / "proc/cpuinfo");
  Topology topology = read_topology();
  protocol::HostFacts host{
      .name = host_name(),
      .processor = processor_name(root),
      .kernel = kernel(root),
      .boot_id = boot_id(root),
      .clock_source =
          first_line(root / "sys/devices/system/clocksource/clocksource0/current_clocksource"),
      .virtual_machine = virtual_machine(cpuinfo, root),
      .cpus = {.usable = usable,
               .cores = std::move(topology.cores),
               .numa = std::move(topology.numa),
               .quota_cores = cpu_quota(root)},
      .frequency = frequency(root),
      .memory = memory(root)};
  for (const fs::path& device : entries(root / "sys/class/infiniband")) {
    host.rdma.push_back(device.filename());
  }
  return host;
}

std::optional<std::int64_t> memlock_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::nullopt;
  return static_cast<std::int64_t>(limit.rlim_cur);
}

protocol::CpuSet cpus_of_launcher() {
  const protocol::CpuSet cpus = protocol::allowed_cpus(getppid());
  return cpus.empty() ? protocol::allowed_cpus(0) : cpus;
}

}  // namespace breakeven::doctor
