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
  warning,  ///< results are worth less, or hold for a machine that nobody would use
};
inline constexpr Names<Severity, 3> kSeverities{
    "severity", {{{Severity::ok, "ok"}, {Severity::note, "note"}, {Severity::warning, "warning"}}}};

/// The result of one check.
struct Diagnosis {
  Severity severity = Severity::ok;
  std::string seen{};    ///< with numbers
  std::string effect{};  ///< on results; empty where all is ok
  std::string fix{};     ///< the remedy, or that there is none; empty where all is ok
};

/// A verdict about one node or all.
struct Finding {
  std::string name{};
  std::string node{};  ///< the worst one; empty when it is about all
  int alike = 1;       ///< number of nodes with a result of the same severity
  Diagnosis verdict{};
};

/// One thing that the doctor looks at: a pure function of facts. Nothing: it doesn't apply.
struct Check {
  using OfNode = std::optional<Diagnosis> (*)(const protocol::NodeFacts& node);
  using OfAll = std::optional<Diagnosis> (*)(std::span<const protocol::NodeFacts> nodes);
  std::string_view name;
  std::variant<OfNode, OfAll> look;
};

/// The findings of all checks of the catalogue, the most severe first, then in the catalogue's
/// order. A check of single nodes gives one finding, about the worst node. Where other nodes have
/// ranks, a node without ranks only started the job: nothing there is more than a note.
[[nodiscard]] std::vector<Finding> diagnose(std::span<const protocol::NodeFacts> nodes);

}  // namespace breakeven::doctor
