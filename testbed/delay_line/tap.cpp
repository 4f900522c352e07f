// SPDX-License-Identifier: BSD-3-Clause
#include "testbed/delay_line/tap.hpp"

#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace breakeven::testbed {

namespace {

int check(int result, const std::string& what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

/// Puts this thread into a network namespace for as long as it lives.
class Visit {
 public:
  explicit Visit(const std::string& name_space) {
    if (name_space.empty()) return;
    home_ = check(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), "/proc/self/ns/net");
    const int there = check(open(name_space.c_str(), O_RDONLY | O_CLOEXEC), name_space);
    check(setns(there, CLONE_NEWNET), name_space);
    close(there);
  }
  ~Visit() {
    if (home_ < 0) return;
    static_cast<void>(setns(home_, CLONE_NEWNET));
    close(home_);
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

 private:
  int home_ = -1;
};

}  // namespace

Tap::Tap(const std::string& name, const std::string& name_space) {
  const Visit visit{name_space};
  descriptor_ = check(open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC), "/dev/net/tun");
  ifreq request{};
  request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
  name.copy(request.ifr_name, IFNAMSIZ - 1);
  check(ioctl(descriptor_, TUNSETIFF, &request), "the device " + name);
  check(ioctl(descriptor_, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6), "offload");
}

Tap::~Tap() { close(descriptor_); }

std::span<const std::byte> Tap::read(std::span<std::byte> room) const {
  const ssize_t size = ::read(descriptor_, room.data(), room.size());
  return room.first(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
}

void Tap::write(std::span<const std::byte> frame) const {
  static_cast<void>(!::write(descriptor_, frame.data(), frame.size()));
}

}  // namespace breakeven::testbed
