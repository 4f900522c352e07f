// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <sstream>

#include "guidelines/report.hpp"

namespace breakeven::guidelines {

namespace {

using Tree = boost::property_tree::ptree;

/// Why a comparison is neither a success nor a failure; empty: it is one of these.
std::string skipped_text(const Evaluation& evaluation, const Finding& finding) {
  const std::string verdict = verdict_text(evaluation, finding);
  if (finding.aside) return "apart, with more processes than cores: " + verdict;
  if (finding.verdict == Verdict::holds) return {};
  if (!finding.waived.empty()) return fmt::format("waived ({}): {}", finding.waived, verdict);
  return finding.verdict == Verdict::violated ? "known from the baseline: violated" : verdict;
}

Tree test_case(const Evaluation& evaluation, const Finding& finding, const ReportHead& head) {
  const Guideline& guideline = *finding.comparison.guideline;
  Tree test;
  test.put("<xmlattr>.classname",
           fmt::format("guidelines.{}", kCollectives.of(guideline.collective)));
  test.put("<xmlattr>.name",
           fmt::format("{}: {}; {}", guideline.name, problem_text(finding.comparison.left.what),
                       sides_text(finding)));
  const std::string ratio =
      fmt::format("{:.2f} ({:.2f} to {:.2f}) in {} launches", finding.ratio.ratio,
                  finding.ratio.low, finding.ratio.high, finding.launches);
  if (fails(evaluation, finding)) {
    test.put("failure",
             fmt::format("{}\n{}\n", guideline.formula,
                         fmt::join(reproduce_commands(finding, head.machine.name), "\n")));
    test.put("failure.<xmlattr>.message",
             fmt::format("{}: {}", verdict_text(evaluation, finding), ratio));
  } else if (const std::string why = skipped_text(evaluation, finding); !why.empty()) {
    test.put("skipped.<xmlattr>.message", fmt::format("{}: {}", why, ratio));
  } else {
    test.put("system-out", ratio);
  }
  return test;
}

}  // namespace

std::string report_junit(const Evaluation& evaluation, const ReportHead& head) {
  Tree suite;
  std::size_t failures = 0;
  std::size_t skipped = 0;
  Tree tests;
  for (const Finding& each : evaluation.findings) {
    const Tree test = test_case(evaluation, each, head);
    failures += test.count("failure");
    skipped += test.count("skipped");
    tests.push_back({"testcase", test});
  }
  suite.put("<xmlattr>.name", fmt::format("breakeven.{}", head.machine.name));
  suite.put("<xmlattr>.tests", tests.size());
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
