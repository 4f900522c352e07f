// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <map>
#include <sstream>

#include "guidelines/report.hpp"

namespace breakeven::guidelines {

namespace {

using Tree = boost::property_tree::ptree;
using Findings = std::vector<const Finding*>;

std::string line_of(const Finding& finding) {
  return fmt::format("{}; {}: {:.2f} ({:.2f} to {:.2f})",
                     problem_text(finding.comparison.left.what), sides_text(finding),
                     finding.ratio.ratio, finding.ratio.low, finding.ratio.high);
}

Tree test_case(const Guideline& guideline, const Findings& findings, const ReportHead& head) {
  Tree test;
  test.put("<xmlattr>.classname",
           fmt::format("guidelines.{}", kCollectives.of(guideline.collective)));
  test.put("<xmlattr>.name", guideline.name);
  std::string violated;
  std::size_t undecided = 0;
  for (const Finding* each : findings) {
    undecided += each->verdict == Verdict::undecided ? 1 : 0;
    if (!counts(*each)) continue;
    violated += fmt::format("{}\n  {}\n", line_of(*each),
                            fmt::join(reproduce_commands(*each, head.machine.name), " && "));
  }
  if (!violated.empty()) {
    test.put("failure", violated);
    test.put("failure.<xmlattr>.message", fmt::format("violated: {}", guideline.formula));
  } else if (undecided == findings.size()) {
    test.put("skipped.<xmlattr>.message", "undecided: more launches decide it");
  }
  return test;
}

}  // namespace

std::string report_junit(const Evaluation& evaluation, const ReportHead& head) {
  std::map<std::string, Findings> by_guideline;
  for (const Finding& each : evaluation.findings) {
    by_guideline[each.comparison.guideline->name].push_back(&each);
  }
  Tree suite;
  int failures = 0;
  int skipped = 0;
  Tree tests;
  for (const auto& [name, findings] : by_guideline) {
    const Tree test = test_case(*findings.front()->comparison.guideline, findings, head);
    failures += static_cast<int>(test.count("failure"));
    skipped += static_cast<int>(test.count("skipped"));
    tests.push_back({"testcase", test});
  }
  suite.put("<xmlattr>.name", fmt::format("breakeven.{}", head.machine.name));
  suite.put("<xmlattr>.tests", by_guideline.size());
  suite.put("<xmlattr>.failures", failures);
  suite.put("<xmlattr>.errors", 0);
  suite.put("<xmlattr>.skipped", skipped);
  for (const std::string& each : all_remarks(evaluation)) {
    Tree remark;
    remark.put("<xmlattr>.name", "remark");
    remark.put("<xmlattr>.value", each);
    suite.add_child("properties.property", remark);
  }
  suite.insert(suite.end(), tests.begin(), tests.end());
  Tree document;
  document.add_child("testsuites.testsuite", suite);
  std::ostringstream text;
  write_xml(text, document, boost::property_tree::xml_writer_make_settings<std::string>(' ', 2));
  return text.str();
}

}  // namespace breakeven::guidelines
