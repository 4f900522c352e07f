// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <array>
#include <csignal>
#include <optional>
#include <utility>

#include "harness/launch/job.hpp"

namespace breakeven::launch {

namespace {

constexpr std::array<std::pair<int, std::string_view>, 3> kSignals{
    {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}, {SIGUSR1, "SIGUSR1"}}};

volatile std::sig_atomic_t remembered = 0;
std::array<std::optional<struct sigaction>, kSignals.size()> usual{};  // what the signals did

void remember(int number) { remembered = number; }

}  // namespace

void remember_interrupts() {
  struct sigaction action{};
  action.sa_handler = remember;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction now{};
    sigaction(kSignals[i].first, nullptr, &now);
    if (now.sa_handler == SIG_IGN) continue;  // as whoever started this process wants
    if (!usual[i]) usual[i] = now;
    sigaction(kSignals[i].first, &action, nullptr);
  }
}

void heed_interrupts() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (usual[i]) sigaction(kSignals[i].first, &*usual[i], nullptr);
  }
  if (remembered == SIGINT || remembered == SIGTERM) std::raise(remembered);
  remembered = 0;
}

std::optional<Ending> over_by_signal() {
  for (const auto& [number, name] : kSignals) {
    if (number == remembered) return Ending{fmt::format("interrupted by {}", name)};
  }
  return std::nullopt;
}

}  // namespace breakeven::launch
