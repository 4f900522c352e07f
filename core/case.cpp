// SPDX-License-Identifier: BSD-3-Clause
#include "core/case.hpp"

#include <fmt/format.h>

#include <utility>

namespace breakeven {

std::strong_ordering operator<=>(const Case&, const Case&) = default;
bool operator==(const Case&, const Case&) = default;

Bytes total_bytes(const Case& what) {
  return (counts_one_block(what.collective) ? what.procs : 1) * what.message;
}

NodeLayout layout_of(const Case& what) {
  return {.procs = what.procs,
          .nodes = what.nodes,
          .procs_per_node = what.procs_per_node,
          .mapping = what.mapping,
          .comms_per_node = what.comms_per_node};
}

NodeLayout job_of(const Case& what) { return job_of(layout_of(what)); }

Case with_layout(Case what, const NodeLayout& layout) {
  what.procs = layout.procs;
  what.nodes = layout.nodes;
  what.procs_per_node = layout.procs_per_node;
  what.mapping = layout.mapping;
  what.comms_per_node = layout.comms_per_node;
  return what;
}

Case with_variant(Case what, Variant variant) {
  what.variant = std::move(variant);
  return what;
}

Case without_algorithm(Case what) {
  what.variant = {};
  return what;
}

Case with_form(Case what, CallForm form) {
  what.form = form;
  return what;
}

Case with_counts(Case what, Counts counts) {
  what.counts = counts;
  return what;
}

std::string algorithm_text(const Case& what) {
  const std::string variant = to_text(what.variant);
  // The library's name, if there is one, precedes the collective's.
  const std::size_t library_ends = what.variant.algorithm().find(':') + 1;
  const bool of_library = what.variant.is<LibraryOwn>();
  return fmt::format("{}{}/{}", variant.substr(0, library_ends),
                     call_name(what.collective, of_library ? what.form : CallForm::blocking),
                     variant.substr(library_ends));
}

std::string call_name(Collective collective, CallForm form) {
  return fmt::format("{}{}{}", form == CallForm::nonblocking ? "i" : "",
                     kCollectives.of(collective), form == CallForm::persistent ? "_init" : "");
}

std::optional<Case> find_call(std::string_view name) {
  if (const auto blocking = kCollectives.find(name)) return Case{.collective = *blocking};
  const auto collective = name.starts_with('i') ? kCollectives.find(name.substr(1)) : std::nullopt;
  if (!collective) return std::nullopt;
  return Case{.collective = *collective, .form = CallForm::nonblocking};
}

std::string form_suffix(CallForm form) {
  return form == CallForm::blocking ? "" : fmt::format(", {}", kCallForms.of(form));
}

std::vector<std::string> particulars(const Case& what) {
  std::vector<std::string> texts;
  if (what.root != Rank{}) texts.push_back(fmt::format("root {}", what.root.value));
  if (what.counts != Counts::equal)
    texts.push_back(fmt::format("{} counts", kCounts.of(what.counts)));
  if (what.form != CallForm::blocking) texts.emplace_back(kCallForms.of(what.form));
  if (what.comms_per_node > 1) texts.push_back(fmt::format("{} at once", what.comms_per_node));
  return texts;
}

std::string to_text(const Case& what) {
  std::string text = fmt::format("{} p={} {} {}", algorithm_text(what), what.procs,
                                 to_text(what.message), kDatatypes.of(what.datatype));
  if (what.op != Op::none) text += fmt::format(" {}", kOps.of(what.op));
  for (const std::string& each : particulars(what)) text += " " + each;
  return text;
}

}  // namespace breakeven
