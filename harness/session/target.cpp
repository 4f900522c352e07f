// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/target.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/doctor/host.hpp"
#include "harness/launch/job.hpp"
#include "harness/launch/paths.hpp"
#include "harness/launch/smpi.hpp"
#include "harness/protocol/facts.hpp"
#include "harness/session/library_settings.hpp"
#include "harness/session/session.hpp"

namespace breakeven::session {

namespace {

/// The platform takes the processor's place: that of this host makes no difference.
Target simulated(const SweepRequest& request) {
  const plan::Sweep& sweep = request.sweep;
  const launch::SmpiMachine machine = launch::parse_smpi(sweep.machine);
  const launch::SmpiPlatform platform =
      launch::read_platform(machine.platform, launch::workers_folder());
  return {.library = launch::find_smpi(machine, platform, sweep.nodes, launch::workers_folder(),
                                       request.launcher),
          .host = {.cores = platform.cores},
          .machine = {.name = launch::name_of(machine),
                      .kind = MachineKind::library,
                      .cpu = platform.identity},
          .simulated = true};
}

Target find_simulated(const SweepRequest& request) {
  Target target = simulated(request);
  const int cores = target.host.cores;
  const plan::Sweep& sweep = request.sweep;
  target.host =
      launch::probe(target.library, plan::jobs_of(sweep).front(), request.patience).job_info;
  target.host.cores = cores;
  target.host.nodes_on_kernel = 1;  // all are simulated on one computer, at no cost to them
  target.machine.library_version = target.host.library_version;
  return target;
}

}  // namespace

Target find_target(const SweepRequest& request, Listener& listener) {
  const plan::Sweep& sweep = request.sweep;
  if (launch::is_smpi(sweep.machine)) return find_simulated(request);
  if (sweep.clean_environment) listener.say(clean_environment(sweep.machine));
  Target target{
      .library = launch::find_library(sweep.machine, launch::workers_folder(), request.launcher)};
  if (!target.library.why.empty()) listener.say(target.library.why);
  const Clock::time_point began = Clock::now();
  // Launchers refuse to bind two processes to one core.
  const int cores = protocol::usable_cores(doctor::read_host(protocol::allowed_cpus(0)).cpus);
  const launch::Probed probed =
      launch::probe(target.library, plan::largest_job(sweep), request.patience, std::min(2, cores));
  target.took = since(began);
  target.probed = probed.layout;
  target.host = probed.job_info;
  target.capabilities = probed.capabilities;
  target.machine = {.name = sweep.machine,
                    .kind = MachineKind::library,
                    .library_version = target.host.library_version,
                    .cpu = target.host.cpu,
                    .settings = with_origins(target.host.settings, sweep.machine, probed.command)};
  if (!request.doctor && !target.machine.settings.empty()) {
    listener.say(fmt::format("settings: {}", to_text(target.machine.settings)));
  }
  return target;
}

plan::Forecast Target::forecast(const plan::Sweep& sweep) const {
  plan::Forecast forecast{sweep.measure,
                          static_cast<double>(host.cores) / std::max(1, host.nodes_on_kernel)};
  if (took.value > 0) forecast.add_start(probed, took);
  return forecast;
}

std::vector<launch::ChildProcess::Command> Target::commands(const plan::Sweep& sweep) const {
  std::vector<launch::ChildProcess::Command> commands;
  for (const NodeLayout& layout : plan::jobs_of(sweep)) {
    commands.push_back(launch::job_command(library, launch::place_on(host, layout)));
  }
  return commands;
}

Target describe_target(const SweepRequest& request, int cores) {
  if (cores == 0) cores = protocol::usable_cores(doctor::read_host(protocol::allowed_cpus(0)).cpus);
  if (launch::is_smpi(request.sweep.machine)) return simulated(request);
  return {.library = launch::describe_library(request.sweep.machine, launch::workers_folder(),
                                              request.launcher),
          .host = {.cores = cores}};
}

}  // namespace breakeven::session
