// SPDX-License-Identifier: BSD-3-Clause
#include "harness/launch/smpi_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "core/units.hpp"

namespace breakeven::launch {

namespace {

constexpr std::string_view kName = "smpi";
constexpr std::string_view kForm =
    "smpi:PLATFORM.xml[,hosts=NUMBER][,ppn=NUMBER][,mapping=seq|rr][,network=pure|smpi]"
    "[,selector=default|ompi|mpich|mvapich2|impi][,gamma=SECONDS_PER_BYTE]";

/// A number that fills the whole text and is at least `least`.
template <typename Number>
Number number(std::string_view text, Number least) {
  if (const auto value = number_in(text, least)) return *value;
  throw UsageError(fmt::format("'{}' is not a number of {} or more", text, least));
}

void set(SmpiMachine& machine, std::string_view key, std::string_view value) {
  if (key == "hosts") {
    machine.hosts = number(value, 1);
  } else if (key == "ppn") {
    machine.procs_per_host = number(value, 1);
  } else if (key == "mapping") {
    machine.mapping = Mapping::parse(value);
  } else if (key == "network") {
    machine.network = kSmpiNetworks.parse(value);
  } else if (key == "selector") {
    machine.selector = kSmpiSelectors.parse(value);
  } else if (key == "gamma") {
    machine.gamma_per_byte = number(value, 0.0);
  } else {
    throw UsageError("no such key");
  }
}

/// The keys that make another machine, where they differ from the defaults.
std::string options_text(const SmpiMachine& machine) {
  const SmpiMachine usual;
  std::string text;
  if (machine.network != usual.network) {
    text += fmt::format(",network={}", kSmpiNetworks.of(machine.network));
  }
  if (machine.selector != usual.selector) {
    text += fmt::format(",selector={}", kSmpiSelectors.of(machine.selector));
  }
  if (machine.gamma_per_byte != 0) text += fmt::format(",gamma={}", machine.gamma_per_byte);
  return text;
}

}  // namespace

bool is_smpi(std::string_view machine) { return machine.substr(0, machine.find(':')) == kName; }

SmpiMachine parse_smpi(std::string_view machine) {
  const auto refuse = [&](std::string_view part, std::string_view why) {
    throw UsageError(
        fmt::format("machine '{}': '{}': {}; possible: {}", machine, part, why, kForm));
  };
  std::string_view rest = machine.substr(std::min(kName.size() + 1, machine.size()));
  SmpiMachine found{.platform = take_part(rest, ',')};
  if (found.platform.empty()) refuse(machine, "names no platform");
  // smpirun is a shell script that takes its options apart at blanks.
  if (found.platform.native().find_first_of(" \t\n\"'") != std::string::npos) {
    refuse(found.platform.native(), "a platform's name must have no blanks or quotes");
  }
  std::set<std::string_view> seen;
  while (!rest.empty()) {
    const std::string_view part = take_part(rest, ',');
    std::string_view value = part;
    const std::string_view key = take_part(value, '=');
    if (key == part) refuse(part, "is not key=value");
    if (!seen.insert(key).second) refuse(part, "was said before");
    try {
      set(found, key, value);
    } catch (const UsageError& error) {
      refuse(part, error.what());
    }
  }
  return found;
}

std::string to_text(const SmpiMachine& machine) {
  return fmt::format("{}:{}{}", kName, machine.platform.native(), options_text(machine));
}

std::string name_of(const SmpiMachine& machine) {
  return fmt::format("{}:{}{}", kName, machine.platform.filename().native(), options_text(machine));
}

void require_real_nodes(std::string_view machine, std::string_view command) {
  if (!is_smpi(machine) && machine.find(':') == std::string_view::npos) return;
  throw UsageError(
      fmt::format("`{}` looks at real nodes and clocks, of which '{}', a {}, has none; "
                  "possible: an MPI library (see `breakeven machines`)",
                  command, machine, is_smpi(machine) ? "simulation" : "model"));
}

}  // namespace breakeven::launch
