// SPDX-License-Identifier: BSD-3-Clause

// The cables of an emulated cluster whose kernel can't delay packets (it has no netem). Between a
// node's network device and its port at the head's bridge, which both are made here:
//
//      bridge ── to-node0 ───── DELAY ────▶ eth0 of node0
//                to-node0 ◀──────────────── eth0
//
// So a message from node to node is delayed once. Rates are the kernel's business, at both devices.
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "testbed/delay_line/delay_line.hpp"
#include "testbed/delay_line/tap.hpp"

namespace breakeven::testbed {
namespace {

constexpr std::string_view kHelp =
    "usage: breakeven-delay-line DELAY_US NODE:PID...\n"
    "Makes a device to-NODE here and eth0 in the network of process PID, for each NODE, and "
    "carries\n"
    "frames between them, those to the node DELAY_US microseconds late. Started by\n"
    "testbed/emulated-cluster; prints 'ready' once the devices are there; ends by a signal.\n"
    "Example: breakeven-delay-line 50 node0:1234 node1:1240\n";

constexpr std::size_t kLargestFrame = 1 << 17;  // 64 KiB and headers
constexpr int kFramesInTurn = 16;               // of one device before the next one's turn

struct Cable {
  Cable(const std::string& node, const std::string& pid, DelayLine::Clock::duration delay)
      : port{"to-" + node, ""}, device{"eth0", "/proc/" + pid + "/ns/net"}, line{delay} {}

  Tap port;
  Tap device;
  DelayLine line;
};

using Cables = std::vector<std::unique_ptr<Cable>>;

long number(std::string_view text, std::string_view what) {
  long value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) {
    throw std::invalid_argument(std::string{what} + " '" + std::string{text} + "' is no number");
  }
  return value;
}

Cables make_cables(const std::vector<std::string>& nodes, DelayLine::Clock::duration delay) {
  Cables cables;
  for (const std::string& node : nodes) {
    const std::size_t colon = node.find(':');
    if (colon == std::string::npos) throw std::invalid_argument("'" + node + "' is no NODE:PID");
    const std::string pid = node.substr(colon + 1);
    static_cast<void>(number(pid, "process"));
    cables.push_back(std::make_unique<Cable>(node.substr(0, colon), pid, delay));
  }
  return cables;
}

/// Sleeps until a device has a frame or one is through its cable.
void wait(std::vector<pollfd>& devices, const Cables& cables) {
  std::optional<DelayLine::Clock::time_point> next;
  for (const auto& cable : cables) {
    const auto due = cable->line.next();
    if (due && (!next || *due < *next)) next = due;
  }
  timespec left{};
  if (next) {
    const std::chrono::nanoseconds ns =
        std::max<std::chrono::nanoseconds>(*next - DelayLine::Clock::now(), {});
    left = {.tv_sec = ns.count() / 1'000'000'000, .tv_nsec = ns.count() % 1'000'000'000};
  }
  ppoll(devices.data(), devices.size(), next ? &left : nullptr, nullptr);
}

[[noreturn]] void carry(const Cables& cables) {
  std::vector<pollfd> devices;
  for (const auto& cable : cables) {
    devices.push_back({cable->port.descriptor(), POLLIN, 0});
    devices.push_back({cable->device.descriptor(), POLLIN, 0});
  }
  std::vector<std::byte> room(kLargestFrame);
  for (;;) {
    wait(devices, cables);
    for (const auto& cable : cables) {
      while (const auto frame = cable->line.take(DelayLine::Clock::now())) {
        cable->device.write(*frame);
      }
      for (int turn = 0; turn < kFramesInTurn; ++turn) {
        const auto to_node = cable->port.read(room);
        if (to_node.empty()) break;
        cable->line.put(to_node, DelayLine::Clock::now());
      }
      for (int turn = 0; turn < kFramesInTurn; ++turn) {
        const auto from_node = cable->device.read(room);
        if (from_node.empty()) break;
        cable->port.write(from_node);
      }
    }
  }
}

/// Ranks keep all cores busy, and a cable waits for none: where it may, it goes before them. It
/// sleeps most of the time.
void be_punctual() {
  prctl(PR_SET_TIMERSLACK, 1);
  const sched_param priority{.sched_priority = 10};
  static_cast<void>(sched_setscheduler(0, SCHED_FIFO, &priority));
}

}  // namespace
}  // namespace breakeven::testbed

int main(int argc, char** argv) {
  using namespace breakeven::testbed;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 1 && arguments.front() == "--help") {
    std::cout << kHelp;
    return 0;
  }
  try {
    if (arguments.size() < 2) throw std::invalid_argument("takes DELAY_US NODE:PID...; see --help");
    const std::chrono::microseconds delay{number(arguments.front(), "DELAY_US")};
    const Cables cables = make_cables({arguments.begin() + 1, arguments.end()}, delay);
    be_punctual();
    std::cout << "ready" << std::endl;
    carry(cables);
  } catch (const std::exception& error) {
    std::cerr << "breakeven-delay-line: " << error.what() << "\n";
    return 2;
  }
}
