// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <cctype>
#include <cstdlib>
#include <vector>

#include "harness/doctor/examine.hpp"

namespace breakeven::doctor {

namespace {

/// Replaces a name wherever it is no part of a longer word.
void replace_word(std::string& text, const std::string& name, const std::string& by) {
  const auto in_word = [&text](std::size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0);
  };
  for (std::size_t at = text.find(name); at != std::string::npos && !name.empty();
       at = text.find(name, at)) {
    const std::size_t end = at + name.size();
    const bool whole = (at == 0 || !in_word(at - 1)) && !in_word(end);
    if (whole) text.replace(at, name.size(), by);
    at += whole ? by.size() : name.size();
  }
}

/// The text without names of hosts, of the home folder and of the user.
std::string without_names(std::string text, const std::vector<protocol::NodeFacts>& nodes) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    replace_word(text, nodes[i].host.name, fmt::format("node{}", i));
  }
  if (const char* const home = std::getenv("HOME")) replace_word(text, home, "~");
  const passwd* const user = getpwuid(geteuid());
  if (user != nullptr && geteuid() != 0) replace_word(text, user->pw_name, "USER");
  return text;
}

/// One line for a cell of a table.
std::string cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) {
    text.insert(at, "\\");
  }
  return text;
}

std::string node_line(std::size_t number, const protocol::NodeFacts& node) {
  constexpr double kGibibyte = 1024.0 * 1024 * 1024;
  const protocol::HostFacts& host = node.host;
  return fmt::format("* node{}: {}; usable cores {}; ranks {}; memory {}; {}{}\n", number,
                     host.processor.value_or("unknown processor"),
                     protocol::usable_cores(host.cpus), node.ranks.size(),
                     host.memory.total_bytes
                         ? fmt::format("{:.1f} GiB", double(*host.memory.total_bytes) / kGibibyte)
                         : "unknown",
                     host.kernel.value_or("unknown kernel"),
                     host.virtual_machine.value_or(false) ? "; virtual" : "");
}

/// The library that ran, or a word for its absence.
std::string library_line(const Examination& examination) {
  for (const protocol::NodeFacts& node : examination.nodes) {
    if (!node.library) continue;
    const std::string& version = node.library->version;
    return fmt::format("* {}: {}; threads {}; settings {}\n", examination.machine,
                       version.substr(0, version.find('\n')), node.library->thread_level,
                       to_text(node.library->settings));
  }
  return "* no MPI library was started: --machine names one\n";
}

}  // namespace

std::string report_markdown(const Examination& examination, const std::string& version) {
  std::string text = fmt::format("### Version\n\n```\n{}\n```\n\n### Machine\n\n", version);
  text += library_line(examination);
  for (std::size_t i = 0; i < examination.nodes.size(); ++i) {
    text += node_line(i, examination.nodes[i]);
  }
  text += "\n### Findings\n\n| severity | finding | seen |\n|---|---|---|\n";
  for (const Finding& finding : examination.findings) {
    text += fmt::format("| {} | {} | {} |\n", kSeverities.of(finding.verdict.severity),
                        finding.name, cell(finding.verdict.seen));
  }
  return without_names(std::move(text), examination.nodes);
}

}  // namespace breakeven::doctor
