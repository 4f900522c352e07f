// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/names.hpp"
#include "harness/protocol/facts.hpp"

namespace breakeven::doctor {

/// How much a finding matters to what is measured.
enum class Severity : std::uint8_t {
  ok,       ///< as it should be
  note,     ///< to know when results are read, or could not be found out
  warning,  ///< results are worth less, or are those of a machine that nobody would run on
};
inline constexpr Names<Severity, 3> kSeverities{
    "severity", {{{Severity::ok, "ok"}, {Severity::note, "note"}, {Severity::warning, "warning"}}}};

/// What one check says.
struct Diagnosis {
  Severity severity = Severity::ok;
  std::string seen{};    ///< with numbers
  std::string effect{};  ///< on results; empty where all is ok
  std::string fix{};     ///< how to fix it, or that it can't be; empty where all is ok
};

/// A verdict about one node or all.
struct Finding {
  std::string name{};
  std::string node{};  ///< the worst one; empty when it is about all
  int alike = 1;       ///< nodes of which the check says something as severe
  Diagnosis verdict{};
};

/// One thing that the doctor looks at: a pure function of facts. Nothing: it doesn't apply.
struct Check {
  using OfNode = std::optional<Diagnosis> (*)(const protocol::NodeFacts& node);
  using OfAll = std::optional<Diagnosis> (*)(std::span<const protocol::NodeFacts> nodes);
  std::string_view name;
  std::variant<OfNode, OfAll> look;
};

/// What the checks of the catalogue say, the most severe first, then in the catalogue's order. Of
/// a check of single nodes: what it says of the worst. Where nodes have ranks, one without only
/// started the job, so that nothing there is more than a note.
[[nodiscard]] std::vector<Finding> diagnose(std::span<const protocol::NodeFacts> nodes);

}  // namespace breakeven::doctor
