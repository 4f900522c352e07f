// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/json.hpp"
#include "core/xml.hpp"
#include "report/data.hpp"
#include "report/parts.hpp"
#include "report/plots.hpp"
#include "report/words.hpp"

// The part of a program's time that a table saves: a number, a sentence, a list, and a plot's data.

namespace breakeven::report {

Saved& Saved::operator+=(const Saved& more) {
  time.value += more.time.value;
  low.value += more.low.value;
  high.value += more.high.value;
  return *this;
}

std::optional<Saved> saved_of(const tuner::Decision& decision) {
  if (!decision.speedup || decision.problem.form != CallForm::blocking) return std::nullopt;
  const auto saved = [&](double ratio) {
    return Seconds{decision.program_time.value * (1 - 1 / ratio)};
  };
  return Saved{.time = saved(decision.speedup->ratio),
               .low = saved(decision.speedup->low),
               .high = saved(decision.speedup->high)};
}

std::string program_sentence(const Subject& subject, const tables::Profile& profile) {
  Saved saved;
  for (const tuner::Decision& each : subject.decisions) {
    if (each.program_time.value > 0) saved += saved_of(each).value_or(Saved{});
  }
  return fmt::format(
      "The program spends {:.3g} s of its {:.3g} s in collectives; by the speedups measured here "
      "a table saves <b>{:.3g} s</b> ({:.3g} to {:.3g}, if all are as slow or as fast as their "
      "intervals permit), less where calls wait for late processes. Circles show where.",
      total(tables::program_time(profile)).value, profile.wall_s, saved.time.value, saved.low.value,
      saved.high.value);
}

namespace {

/// The library's own algorithms for the calls that a decision is of.
std::string native_algorithms(const tuner::Decision& decision, const tables::Profile& profile) {
  const Case& problem = decision.problem;
  std::set<std::string> names;
  for (const auto& [use, amount] : profile.uses) {
    const std::string name = tables::native_text(use);
    if (!name.empty() && use.collective == problem.collective && use.tuned_form() == problem.form &&
        use.layout == layout_of(problem) && use.message == problem.message)
      names.insert(name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string program_list(const Subject& subject, const tables::Profile& profile) {
  constexpr std::size_t kMost = 20;
  std::vector<const tuner::Decision*> calls;
  for (const tuner::Decision& each : subject.decisions) {
    if (each.program_time.value > 0) calls.push_back(&each);
  }
  std::ranges::sort(calls, std::greater{},
                    [](const tuner::Decision* each) { return each->program_time.value; });
  std::string text =
      "<div class=\"scroll\"><table><thead><tr><th>collective<th>p<th>size<th>time, s<th>native "
      "is<th>choice<th>saved, s</thead><tbody>\n";
  for (const tuner::Decision* each : std::span{calls}.first(std::min(kMost, calls.size()))) {
    const auto saved = saved_of(*each);
    text += fmt::format("<tr><td>{}<td>{}<td>{}<td>{:.3g}<td>{}<td>{}<td>{}\n",
                        call_name(each->problem.collective, each->problem.form),
                        each->problem.procs, to_text(each->problem.message),
                        each->program_time.value, escaped(native_algorithms(*each, profile)),
                        escaped(display_name(choice_of(*each))),
                        saved ? fmt::format("{:.3g} ({:.3g} to {:.3g})", saved->time.value,
                                            saved->low.value, saved->high.value)
                              : "–");
  }
  text += "</tbody></table></div>\n";
  if (calls.size() > kMost) {
    text += fmt::format("<p class=\"note\">and {} more, which take less time</p>\n",
                        calls.size() - kMost);
  }
  return text;
}

std::string program_json(const Machine& machine, std::span<const tuner::Decision> decisions,
                         const tables::Profile& profile) {
  std::map<std::pair<std::string_view, Bytes>, std::pair<Seconds, Saved>> bars;
  for (const tuner::Decision& each : decisions) {
    if (each.program_time.value == 0) continue;
    auto& [before, saved] = bars[{kCollectives.of(each.problem.collective), each.problem.message}];
    before.value += each.program_time.value;
    saved += saved_of(each).value_or(Saved{});
  }
  if (bars.empty()) {
    throw UsageError(
        fmt::format("nothing that the program calls was measured on {}", machine.name));
  }
  Json json{{"machine", json_of(machine)},
            {"wall_s", profile.wall_s},
            {"collectives_s", total(tables::program_time(profile)).value}};
  for (const auto& [place, bar] : bars) {
    const auto& [before, saved] = bar;
    json["bars"].push_back({{"collective", place.first},
                            {"message_bytes", place.second.value},
                            {"before_s", before.value},
                            {"after_s", before.value - saved.time.value},
                            {"low_s", before.value - saved.high.value},
                            {"high_s", before.value - saved.low.value}});
  }
  return json.dump();
}

}  // namespace breakeven::report
