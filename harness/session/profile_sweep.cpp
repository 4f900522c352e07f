// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/profile_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/files.hpp"
#include "harness/plan/settings.hpp"

namespace breakeven::session {

namespace {

constexpr double kWorthMeasuring = 0.99;  // of the time: the rest is spread over many rare calls

/// The key with most time.
template <typename Key>
Key most(const std::map<Key, double>& seconds) {
  return std::ranges::max_element(seconds, {}, [](const auto& each) { return each.second; })->first;
}

/// Whether the ranks of a layout can be dealt out without a list: each node has the same number.
bool even(const NodeLayout& layout) { return layout.procs == layout.nodes * layout.procs_per_node; }

/// The mapping of the layouts with several nodes that take most time.
Mapping main_mapping(const tables::Profile& profile) {
  std::map<Mapping, double> seconds;
  for (const auto& [use, amount] : profile.uses) {
    if (!mapped_alike(use.layout.procs, use.layout.nodes))
      seconds[use.layout.mapping] += amount.seconds;
  }
  return seconds.empty() ? Mapping::seq : most(seconds);
}

/// The uses on layouts that one sweep can have: those of one mapping, with the same number of ranks
/// on each node, unless the mapping lists them.
tables::Profile placed_together(const tables::Profile& profile, const Mapping& mapping) {
  const bool listed = mapping.kind() == Mapping::Kind::irregular;
  tables::Profile found;
  for (const auto& [use, amount] : profile.uses) {
    const NodeLayout& layout = use.layout;
    const bool placed = even(layout) || (listed && layout.comms_per_node == 1);
    const bool mapped = layout.mapping == mapping && placed;
    if (mapped || (mapped_alike(layout.procs, layout.nodes) && even(layout)))
      found.uses[use] = amount;
  }
  return found;
}

/// Sets the datatype and op of the reductions that take most time; the sweep keeps its own where
/// there are none or they are the program's own.
void choose_data(plan::Sweep& sweep, const tables::Profile& profile) {
  std::map<std::pair<Datatype, Op>, double> reductions;
  std::map<Datatype, double> others;
  for (const auto& [use, amount] : profile.uses) {
    const auto datatype = kDatatypes.find(use.datatype);
    const auto op = kOps.find(use.op);
    if (!datatype) continue;
    if (reduces(use.collective) && op) {
      reductions[{*datatype, *op}] += amount.seconds;
    } else if (!reduces(use.collective)) {
      others[*datatype] += amount.seconds;
    }
  }
  if (!reductions.empty()) {
    std::tie(sweep.datatype, sweep.op) = most(reductions);
  } else if (!others.empty() && std::ranges::none_of(sweep.collectives, reduces)) {
    sweep.datatype = most(others);
  }
}

/// The calls that take most of the time, of those whose size is known or that have none.
ProgramTime worth_measuring(const ProgramTime& time, const std::set<Called>* only) {
  std::vector<std::pair<Called, Seconds>> longest;
  for (const auto& each : time) {
    const Collective collective = each.first.collective;
    const bool sizeless = !moves_data(collective) || collective == Collective::gatherv ||
                          collective == Collective::scatterv;
    if (sizeless || each.first.message > Bytes{}) longest.emplace_back(each);
  }
  std::ranges::stable_sort(longest, std::greater{}, [](const auto& each) { return each.second; });
  ProgramTime found;
  double left_s = kWorthMeasuring * total(time).value;
  for (const auto& [called, seconds] : longest) {
    if (left_s <= 0) break;
    left_s -= seconds.value;
    if (only != nullptr && !only->contains(called)) continue;
    found.emplace(called, Seconds{*number_in<double>(fmt::format("{:.3g}", seconds.value))});
  }
  return found;
}

/// A power of two, or the next whole element.
Bytes whole_elements(Bytes message, Datatype datatype) {
  const std::int64_t element = extent(datatype).value;
  return {(message.value + element - 1) / element * element};
}

}  // namespace

plan::Sweep program_sweep(const tables::Profile& profile, const std::string& machine,
                          const std::set<Called>* only) {
  const Mapping mapping = main_mapping(profile);
  const tables::Profile placed = placed_together(profile, mapping);
  plan::Sweep sweep = plan::default_sweep();
  if (placed.uses.empty()) return sweep;
  sweep.machine = machine;
  sweep.program_time = worth_measuring(tables::program_time(placed), only);
  std::set<Collective> collectives;
  std::set<CallForm> forms;
  std::set<NodeLayout> layouts;
  for (const auto& [called, seconds] : sweep.program_time) {
    collectives.insert(called.collective);
    forms.insert(called.form);
    layouts.insert(called.layout);
  }
  sweep.collectives.assign(collectives.begin(), collectives.end());
  sweep.forms.assign(forms.begin(), forms.end());
  for (NodeLayout each : layouts) {
    if (!mapped_alike(each.procs, each.nodes))
      sweep.mapping = std::exchange(each.mapping, Mapping::seq);
    sweep.layouts.push_back(std::move(each));
  }
  choose_data(sweep, placed);
  std::set<Bytes> sizes;
  for (const auto& [called, seconds] : sweep.program_time) {
    if (called.message > Bytes{}) sizes.insert(whole_elements(called.message, sweep.datatype));
  }
  if (!sizes.empty()) sweep.messages.assign(sizes.begin(), sizes.end());
  return sweep;
}

namespace {

/// A list in TOML with a line for each call.
std::string as_list(const std::string& text) {
  std::string list = "[\n  \"";
  for (const char letter : text) list += letter == ',' ? "\",\n  \"" : std::string{letter};
  return list + "\",\n]";
}

}  // namespace

tables::Profile profile_in(const std::string& file) {
  const std::string text = read_file(file);
  try {
    return tables::read_profile(text);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", file, error.what()));
  }
}

std::string profile_sweep(const tables::Profile& profile, const std::string& machine) {
  const ProgramTime time = tables::program_time(profile);
  const plan::Sweep sweep = program_sweep(profile, machine);
  if (sweep.program_time.empty()) return "";
  std::string toml = fmt::format(
      "# What a program calls: {:.1f} % of the {} that it spends in collectives. One sweep has\n"
      "# one datatype and op (those of the reductions with most time) and one mapping.\n",
      std::min(100.0,
               100 * total(sweep.program_time).value / total(time).value),  // which is rounded
      to_text(total(time)));
  constexpr std::array<std::string_view, 8> kKeys{"machine", "collectives", "forms",    "layouts",
                                                  "mapping", "bytes",       "datatype", "op"};
  for (const std::string_view key : kKeys) {
    const auto setting = std::ranges::find(plan::settings(), key, &plan::Setting::key);
    toml += fmt::format("{} = \"{}\"\n", key, setting->text(sweep));
  }
  const auto setting = std::ranges::find(plan::settings(), "program_time_s", &plan::Setting::key);
  return toml + fmt::format("program_time_s = {}\n", as_list(setting->text(sweep)));
}

}  // namespace breakeven::session
