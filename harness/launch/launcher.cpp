// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/launcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "core/unknown.hpp"

namespace breakeven::launch {

namespace {

constexpr std::array kLaunchers{
    &hydra,    &srun_pmi2_mpich,   &srun_pmix_mpich,   &pbs,          &flux_mpich, &openmpi4,
    &openmpi5, &srun_pmix_openmpi, &srun_pmi2_openmpi, &flux_openmpi, &smpi};
constexpr std::array kOwn{&hydra, &openmpi4, &smpi};

}  // namespace

void require_mapping(std::string_view launcher, const JobLayout& layout,
                     std::initializer_list<Mapping::Kind> possible) {
  const Mapping::Kind kind = layout.mapping.kind();
  if (kind == Mapping::Kind::irregular || std::ranges::find(possible, kind) != possible.end()) {
    return;
  }
  const bool rr = std::ranges::find(possible, Mapping::Kind::rr) != possible.end();
  throw UsageError(fmt::format(
      "launcher '{}' has no option for mapping '{}'; possible: mapping {}, an irregular one placed "
      "by --launcher-args, or another launcher",
      launcher, to_text(layout.mapping), rr ? "seq, rr" : "seq"));
}

std::span<const Launcher* const> launchers() {
  static const std::vector<const Launcher*> found = [] {
    std::vector<const Launcher*> built{kOwn.begin(), kOwn.end()};
    std::erase_if(built, [](const Launcher* launcher) { return launcher->program.empty(); });
    return built;
  }();
  return found;
}

std::vector<const Launcher*> launchers_of(std::string_view library) {
  std::vector<const Launcher*> found;
  for (const Launcher* launcher : kLaunchers) {
    if (launcher->library == library) found.push_back(launcher);
  }
  return found;
}

const Launcher& find_launcher(std::string_view library) {
  const auto found = std::ranges::find(kOwn, library, &Launcher::library);
  if (found != kOwn.end()) return **found;
  std::vector<std::string_view> known;
  for (const Launcher* launcher : kOwn) known.push_back(launcher->library);
  throw UsageError(unknown("machine", library, known) +
                   " and models, as "
                   "postal:alpha=SECONDS,beta=SECONDS_PER_BYTE,gamma=SECONDS_PER_BYTE");
}

}  // namespace breakeven::launch
