// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "kernels/pattern.hpp"
#include "libraries/library_algorithm.hpp"
#include "mock_ups/mock_up.hpp"
#include "tuner/make_table.hpp"

namespace breakeven::tuner {

namespace {

/// Programs are given choices for blocking calls alone, libraries for nonblocking ones too; a
/// persistent call has the algorithm of the nonblocking one.
bool is_of_form(tables::Candidates of, CallForm form) {
  return form == CallForm::blocking ||
         (form == CallForm::nonblocking && of == tables::Candidates::library);
}

bool matches(const TableKey& which, const Case& what) {
  return is_of_form(which.candidates, what.form) && is_candidate(which.candidates, what) &&
         (which.candidates != tables::Candidates::library ||
          libraries::is_safe(what, which.allowed_unsafe)) &&
         (which.mapping.value_or(what.mapping) == what.mapping ||
          mapped_alike(what.procs, what.nodes)) &&
         which.datatype.value_or(what.datatype) == what.datatype &&
         (!reduces(what.collective) || which.op.value_or(what.op) == what.op) &&
         (!rooted(what.collective) || which.root.value_or(what.root) == what.root) &&
         which.procs_per_node.value_or(what.procs_per_node) == what.procs_per_node;
}

/// Each case where another was before: a database gives the launches of one together.
std::vector<const Case*> cases_of(std::span<const Measurement> measurements) {
  std::vector<const Case*> cases;
  for (const Measurement& each : measurements) {
    if (cases.empty() || *cases.back() != each.what) cases.push_back(&each.what);
  }
  return cases;
}

/// The kinds of data among the measurements, in words.
struct Contents {
  std::set<std::string_view> datatypes;
  std::set<std::string_view> ops;
  std::set<int> roots;
};

Contents contents_of(std::span<const Measurement> measurements) {
  Contents contents;
  for (const Case* what : cases_of(measurements)) {
    contents.datatypes.insert(kDatatypes.of(what->datatype));
    if (reduces(what->collective)) contents.ops.insert(kOps.of(what->op));
    if (rooted(what->collective)) contents.roots.insert(what->root.value);
  }
  return contents;
}

std::string to_text(const Contents& contents) {
  std::string text = fmt::format("datatype {}", fmt::join(contents.datatypes, ", "));
  if (!contents.ops.empty()) text += fmt::format("; op {}", fmt::join(contents.ops, ", "));
  if (!contents.roots.empty()) text += fmt::format("; root {}", fmt::join(contents.roots, ", "));
  return text;
}

void require_one_kind_of_data(const Contents& contents) {
  if (contents.datatypes.size() <= 1 && contents.ops.size() <= 1 && contents.roots.size() <= 1) {
    return;
  }
  throw UsageError(fmt::format(
      "a table is for one datatype, op and root; say which, measured are: {}", to_text(contents)));
}

/// Databases are files, which get damaged: of nonsense no table is made.
void require_possible(const Measurement& measurement) {
  const Case& what = measurement.what;
  const double median_s = measurement.median.value;
  const auto refuse = [&](std::string_view reason) {
    throw UsageError(fmt::format("the database is damaged: {} of {} at p = {}, {} B: {}",
                                 to_text(what.variant), kCollectives.of(what.collective),
                                 what.procs, what.message.value, reason));
  };
  if (what.procs < 1) refuse("less than one process");
  if (what.nodes < 1 || what.nodes > what.procs) refuse(fmt::format("{} nodes", what.nodes));
  if (what.procs_per_node < 1) refuse(fmt::format("{} processes per node", what.procs_per_node));
  if (what.message.value < 0) refuse("less than no bytes");
  // One process may need no time, in a model.
  const bool possible = what.procs == 1 ? median_s >= 0 : median_s > 0;
  if (!possible || !std::isfinite(median_s)) refuse(fmt::format("median {} s", median_s));
}

}  // namespace

bool is_candidate(tables::Candidates of, const Case& what) {
  if (kernels::is_pattern(what.variant)) return false;
  if (what.variant.is<Composed>()) {
    const mock_ups::MockUp* const mock_up = mock_ups::find(what.collective, what.variant);
    return of == tables::Candidates::all && mock_up != nullptr &&
           mock_ups::runs_in_programs(*mock_up);
  }
  if (of == tables::Candidates::all || what.variant.is<Native>()) return true;
  return what.variant.is<LibraryOwn>() == (of == tables::Candidates::library);
}

std::vector<Measurement> choosable(std::span<const Measurement> measurements,
                                   tables::Candidates by) {
  std::vector<Measurement> found;
  std::ranges::copy_if(measurements, std::back_inserter(found), [&](const Measurement& each) {
    return matches({.candidates = by}, each.what);
  });
  return found;
}

std::vector<Measurement> select(std::span<const Measurement> measurements, const TableKey& which) {
  if (measurements.empty()) throw UsageError("nothing was measured on this machine: no table");
  std::ranges::for_each(measurements, require_possible);
  std::vector<Measurement> selected;
  std::ranges::copy_if(measurements, std::back_inserter(selected),
                       [&](const Measurement& each) { return matches(which, each.what); });
  const auto has_mapping = [&](const Measurement& each) {
    return each.what.mapping == which.mapping;
  };
  if (which.mapping && std::ranges::none_of(selected, has_mapping)) selected.clear();
  if (selected.empty()) {
    std::set<int> per_node;
    std::set<std::string> mappings;
    std::set<std::string_view> forms;
    for (const Measurement& each : measurements) {
      per_node.insert(each.what.procs_per_node);
      mappings.insert(to_text(each.what.mapping));
      forms.insert(kCallForms.of(each.what.form));
    }
    throw UsageError(fmt::format(
        "nothing measured fits the table asked for, which is for {} calls; measured are: {}; "
        "processes per node {}; mapping {}; form of calls {}",
        is_of_form(which.candidates, CallForm::nonblocking) ? "blocking and nonblocking"
                                                            : "blocking",
        to_text(contents_of(measurements)), fmt::join(per_node, ", "), fmt::join(mappings, ", "),
        fmt::join(forms, ", ")));
  }
  require_one_kind_of_data(contents_of(selected));
  return selected;
}

}  // namespace breakeven::tuner
