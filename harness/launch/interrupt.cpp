// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <csignal>
#include <utility>

#include "harness/launch/job.hpp"

namespace breakeven::launch {

namespace {

constexpr std::array<std::pair<int, std::string_view>, 3> kSignals{
    {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGUSR1, "SIGUSR1"}}};

volatile std::sig_atomic_t remembered = 0;

void remember(int number) { remembered = number; }

}  // namespace

void remember_interrupts() {
  struct sigaction action{};
  action.sa_handler = remember;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (const auto& [number, name] : kSignals) sigaction(number, &action, nullptr);
}

void heed_interrupts() {
  for (const auto& [number, name] : kSignals) std::signal(number, SIG_DFL);
  if (remembered != 0) std::raise(remembered);
}

std::optional<Ending> over_by_signal() {
  for (const auto& [number, name] : kSignals) {
    if (number == remembered) return Ending{fmt::format("interrupted by {}", name)};
  }
  return std::nullopt;
}

}  // namespace breakeven::launch
