// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cstdio>

#include "cli/predict_text.hpp"
#include "kernels/goal.hpp"

namespace breakeven::cli {

namespace {

/// Plays the program by the tables; long loops in part, which is told.
void play(const tuner::ProgramForecast& program, const tuner::ReplayObserver& observer) {
  constexpr double kMostCalls = 10'000;  // a picture of more opens in no browser
  bool whole = true;
  const auto steps = tuner::shortened(program.order.steps, kMostCalls, whole);
  if (!whole) {
    std::fprintf(stderr, "loops are shortened, so that a process has at most %.0f calls\n",
                 kMostCalls);
  }
  static_cast<void>(tuner::Replay{program.layout.procs, program.kinds}.play(steps, &observer));
}

}  // namespace

std::string program_goal(const tuner::ProgramForecast& program) {
  kernels::Goal goal{program.layout.procs};
  play(program, {.computes = [&](int rank, Seconds time) { goal.compute(rank, time); },
                 .calls =
                     [&](const sim::RunInProgram& call, const sim::Machine& machine) {
                       const sim::Gamma gamma = sim::overlap_of(machine).gamma;
                       goal.call(call.run.exchange, call.run.call, call.ranks,
                                 [&](double bytes) { return sim::seconds_of(gamma.time(bytes)); });
                     }});
  return goal.text();
}

std::string program_chrome(const tuner::ProgramForecast& program, const std::string& machine) {
  sim::ChromeTrace chrome{nodes_of_ranks(program.layout)};
  play(program,
       {.computes = [](int, Seconds) {},
        .calls = [&](const sim::RunInProgram& call, const sim::Machine&) { chrome.add(call); }});
  return std::move(chrome).text("replay of a profile", machine);
}

}  // namespace breakeven::cli
