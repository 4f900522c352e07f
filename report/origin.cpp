// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "core/json.hpp"
#include "core/xml.hpp"
#include "guidelines/report.hpp"
#include "report/parts.hpp"
#include "report/words.hpp"

namespace breakeven::report {

namespace {

/// A block of text that a button copies.
std::string copyable(std::string_view text) {
  return fmt::format("<div class=\"copyable\"><pre tabindex=\"0\">{}</pre></div>\n", escaped(text));
}

std::string row(std::string_view name, const std::string& value) {
  return value.empty() ? "" : fmt::format("<dt>{}<dd>{}\n", name, value);
}

/// All values that one key of the launches' environments has.
std::string values_of(std::span<const results::StoredLaunch> launches, const char* key) {
  std::set<std::string> values;
  for (const results::StoredLaunch& each : launches) {
    const Json environment = Json::parse(each.launch.environment, nullptr, false);
    if (!environment.is_object() || !environment.contains(key)) continue;
    const Json& value = environment[key];
    values.insert(value.is_string() ? value.get<std::string>() : value.dump());
  }
  return escaped(fmt::format("{}", fmt::join(values, ", ")));
}

std::string commands_of(std::span<const results::StoredLaunch> launches) {
  std::set<std::string> commands;
  for (const results::StoredLaunch& each : launches) commands.insert(each.launch.command);
  commands.erase("");
  if (commands.empty()) return "";
  return "<details><summary>How the jobs were started</summary>" +
         copyable(fmt::format("{}", fmt::join(commands, "\n"))) + "</details>\n";
}

std::string subject_part(const Subject& subject) {
  const auto& launches = subject.launches;
  const auto methods = [&](const auto& names, auto member) {
    std::set<std::string_view> used;
    for (const results::StoredLaunch& each : launches) {
      if (each.launch.*member) used.insert(names.of(*(each.launch.*member)));
    }
    return fmt::format("{}", fmt::join(used, ", "));
  };
  std::string text = "<dl>";
  text += row("Database", escaped(subject.database));
  text += row("Machine", escaped(subject.machine.name));
  text += row("Library", escaped(subject.machine.library_version));
  text += row("Settings", escaped(to_text(subject.machine.settings)));
  text += row("Processor", escaped(subject.machine.cpu));
  text += row("Host", values_of(launches, "host"));
  text += row("Cores", values_of(launches, "cores"));
  text += row("Kernel", values_of(launches, "kernel"));
  text += row("Governor", values_of(launches, "governor"));
  text += row("Breakeven", values_of(launches, "breakeven_version"));
  text += row("Commit", values_of(launches, "breakeven_commit"));
  if (!launches.empty()) {
    text += row("Measured", fmt::format("{} to {} (UTC)", launches.front().started_at.substr(0, 16),
                                        launches.back().started_at.substr(0, 16)));
  }
  text += row("Extent",
              fmt::format("{} measurements in {} launches", subject.measurements, launches.size()));
  text += row("Start of a repetition", methods(kSyncMethods, &Launch::sync));
  text += row("Clock", methods(kTimers, &Launch::timer));
  text += "</dl>\n" + commands_of(launches);
  for (std::size_t i = 0; i < subject.sweeps.size(); ++i) {
    text += fmt::format(
        "<details><summary>Sweep file{}: <code>breakeven sweep sweep.toml --db again.db</code> "
        "measures this again</summary>{}</details>\n",
        subject.sweeps.size() == 1 ? "" : fmt::format(" {}", i + 1), copyable(subject.sweeps[i]));
  }
  return text;
}

std::string violations(const guidelines::Section& section, const guidelines::ReportHead& head) {
  constexpr std::size_t kMost = 10;
  std::string text = fmt::format(
      "<details><summary><code>{}</code>: {} violated, worst {} times</summary>"
      "<p class=\"note\">{}: {}</p><div class=\"scroll\"><table><thead><tr><th>problem<th>against"
      "<th>times as long<th>default<th>other<th>launches<th>instead</thead><tbody>\n",
      escaped(section.guideline->name), section.findings.size(),
      interval_text(section.findings.front()->ratio), escaped(section.guideline->formula),
      escaped(section.guideline->reason));
  const std::span all{section.findings};
  for (const guidelines::Finding* each : all.first(std::min(kMost, all.size()))) {
    text += fmt::format(
        "<tr><td>{}<td>{}<td class=\"number\">{}<td class=\"number\">{}"
        "<td class=\"number\">{}<td>{}<td>{}\n",
        escaped(guidelines::problem_text(each->comparison.left.what)),
        escaped(guidelines::sides_text(*each)), interval_text(each->ratio), to_text(each->left),
        to_text(each->right), each->launches, escaped(guidelines::repair_text(*each, head)));
  }
  text += "</tbody></table></div>\n";
  if (all.size() > kMost) {
    text += fmt::format("<p class=\"note\">and {} more, which are violated by less</p>\n",
                        all.size() - kMost);
  }
  return text + "</details>\n";
}

}  // namespace

std::string guidelines_part(const Contents& contents) {
  using guidelines::Verdict;
  if (!contents.evaluation)
    return "<p>The library's default was not measured: no guidelines.</p>\n";
  const guidelines::Evaluation& evaluation = *contents.evaluation;
  const guidelines::ReportHead head{.machine = contents.subject.machine,
                                    .database = contents.subject.database};
  std::string text = fmt::format(
      "<p>A guideline says that a collective of the library takes no longer than what can do its "
      "work, by more than {:.0f} %. <b>{}</b>. The test is corrected for the number of comparisons "
      "(a machine without violations is accused of any with a probability of {:.0f} % at most) "
      "and takes three launches or more: a default that is significantly slower in a map may be "
      "undecided "
      "here.</p>\n",
      100 * evaluation.tolerance, counts_text(evaluation), 100 * guidelines::kLevel);
  for (const std::string& each : all_remarks(evaluation)) {
    text += fmt::format("<p class=\"note\">{}</p>\n", escaped(each));
  }
  for (const guidelines::Section& each : sections(evaluation, Verdict::violated)) {
    text += violations(each, head);
  }
  if (count(evaluation, Verdict::undecided) > 0) {
    text += fmt::format(
        "<p class=\"note\">New launches confirm and decide: <code>breakeven check --db {} --decide "
        "10min</code></p>\n",
        escaped(contents.subject.database));
  }
  return text;
}

std::string doctor_part(std::string_view inspection) {
  const Json document = Json::parse(inspection, nullptr, false);
  if (!document.is_object()) {
    return "<p>Nothing is stored: models are not examined, nor is a machine with "
           "<code>--no-doctor</code>.</p>\n";
  }
  std::string text = "<ul class=\"doctor\">\n";
  std::string fine;
  for (const Json& each : document.value("findings", Json::array())) {
    const std::string severity = each.value("severity", "");
    const std::string name = escaped(each.value("name", ""));
    const std::string seen = escaped(each.value("seen", ""));
    if (severity == "ok") {
      fine += fmt::format("<li>{}: {}\n", name, seen);
      continue;
    }
    text += fmt::format("<li class=\"{0}\"><b>{1}</b> <span class=\"tag\">{0}</span> {2}", severity,
                        name, seen);
    for (const char* const part : {"effect", "fix"}) {
      const std::string words = escaped(each.value(part, ""));
      if (!words.empty())
        text += fmt::format("<br><span class=\"note\">{}: {}</span>", part, words);
    }
    text += '\n';
  }
  text += "</ul>\n";
  if (!fine.empty())
    text += "<details><summary>As it should be</summary><ul>" + fine + "</ul></details>\n";
  return text;
}

std::string origin_part(const Contents& contents) {
  std::string text = subject_part(contents.subject);
  if (contents.against) text += "<h3>Compared with</h3>" + subject_part(*contents.against);
  return text + fmt::format("<p>Made on {} by Breakeven {}:</p>{}", contents.date,
                            escaped(contents.version), copyable(contents.command));
}

std::string settings_part(const Contents& contents) {
  if (contents.settings.empty()) {
    return fmt::format("<p>No table: {}</p>\n", escaped(contents.no_settings));
  }
  std::string text = "<ul>\n";
  for (const std::string& line : contents.worth) text += "<li>" + escaped(line) + '\n';
  text += "</ul>\n";
  for (const SettingsFile& each : contents.settings) {
    text += fmt::format(
        "<details class=\"file\" data-name=\"{0}\"{1}><summary><code>{0}</code>{2}"
        "</summary>{3}</details>\n",
        escaped(each.name), each.of_library ? " data-library" : "",
        each.of_library ? " for the MPI library" : "", copyable(each.text));
  }
  return text;
}

}  // namespace breakeven::report
