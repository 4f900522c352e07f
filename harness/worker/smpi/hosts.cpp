// SPDX-License-Identifier: BSD-3-Clause
// Lists a platform's hosts in the order in which it makes them, one "CORES NAME" a line, because a
// name may have blanks: the order in which ranks are to be placed, since in fat trees and
// dragonflies it keeps neighbours together.
#include <algorithm>
#include <exception>
#include <iostream>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/s4u.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace s4u = simgrid::s4u;

void print_hosts(const s4u::NetZone* zone) {
  std::vector<s4u::Host*> hosts = zone->get_all_hosts();  // by name: "10" before "2"
  std::ranges::sort(hosts, {}, [](const s4u::Host* host) { return host->get_netpoint()->id(); });
  for (const s4u::Host* host : hosts) {
    if (host->get_name().find('\n') != std::string::npos) {
      throw std::runtime_error("host '" + host->get_name() + "' has a line's end in its name");
    }
    std::cout << host->get_core_count() << ' ' << host->get_name() << '\n';
  }
  for (const s4u::NetZone* child : zone->get_children()) print_hosts(child);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kUsageStatus = 2;
  if (argc != 2 || std::string_view{argv[1]} == "--help") {
    std::cout
        << "usage: breakeven-smpi-hosts PLATFORM.xml\n"
           "Lists the hosts of a SimGrid platform with their cores, in the platform's order.\n";
    return argc == 2 ? 0 : kUsageStatus;
  }
  try {
    const std::string platform = argv[1];
    int count = 1;  // SimGrid takes its own options out of argv, and puts a null behind the rest
    const s4u::Engine engine(&count, argv);
    engine.load_platform(platform);
    print_hosts(engine.get_netzone_root());
  } catch (const std::exception& error) {
    std::cerr << "breakeven-smpi-hosts: " << error.what() << '\n';
    return kUsageStatus;
  }
  return 0;
}
