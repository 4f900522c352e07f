// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "harness/doctor/finding.hpp"

namespace breakeven::doctor {

/// The facts about a machine, and the findings that follow.
struct Examination {
  std::string machine{};  ///< the MPI library's; empty without MPI
  std::vector<protocol::NodeFacts>
      nodes{};  ///< of the job, in the order of their first ranks; last, if it is
                ///< none of these, the one from which the job was started
  std::vector<Finding> findings{};
};

/// Joins the facts about a job's nodes with those about this host, where it is none of them.
[[nodiscard]] Examination examined(std::string machine, std::vector<protocol::NodeFacts> nodes);

/// Examines this host without MPI: threads stand for the ranks, one on each usable core.
/// @param procs  number of ranks; 0: the number of cores
[[nodiscard]] Examination examine_here(int procs);

/// For a person: the most severe findings first, a paragraph each; then those that are ok, a line
/// each.
[[nodiscard]] std::string report_text(const Examination& examination);

/// The body of a report of a fault, as Markdown: the headings of .github/ISSUE_TEMPLATE/fault.md.
/// Nodes are numbered; the home folder and the name of the user are left out.
/// @param version  the program's, in lines
[[nodiscard]] std::string report_markdown(const Examination& examination,
                                          const std::string& version);

/// One JSON document on one line, "breakeven-doctor-1": the findings, and all facts behind them.
[[nodiscard]] std::string report_json(const Examination& examination);

}  // namespace breakeven::doctor
