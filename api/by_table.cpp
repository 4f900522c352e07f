// SPDX-License-Identifier: BSD-3-Clause
#include "api/by_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "api/unfit.hpp"
#include "core/error.hpp"
#include "core/processor.hpp"
#include "executor/element_type.hpp"
#include "executor/library_version.hpp"
#include "executor/plan_of.hpp"
#include "mock_ups/composed/program_call.hpp"

namespace breakeven::api {

namespace {

/// That only the root knows the shares of others.
bool sizes_differ_by_rank(Collective collective) {
  return rooted(collective) && irregular(collective);
}

bool left_to_library(const SizeChoice& choice) {
  return choice.variant.variant.algorithm == nullptr && choice.library.empty() &&
         choice.mock_up == nullptr;
}

bool same(const SizeChoice& one, const SizeChoice& other) {
  return one.variant.variant == other.variant.variant && one.library == other.library &&
         one.mock_up == other.mock_up;
}

void require_same(std::string_view what, std::string_view of_table, std::string_view here) {
  if (of_table == here) return;
  throw UsageError(fmt::format("the table is of {} '{}', and this is '{}'", what, of_table, here));
}

}  // namespace

void require_this_machine(const Machine& of_table) {
  require_same("library", of_table.name, BREAKEVEN_MPI);
  require_same("version", of_table.library_version, executor::library_version_line());
  require_same("processor", of_table.cpu, processor_name().value_or("unknown"));
}

SizeChoices choices_of(const tables::Table& table, Collective collective,
                       const NodeLayout& layout) {
  std::set<Bytes> firsts{Bytes{0}};
  for (const tables::Rule& rule : table.rules) {
    if (rule.what.collective == collective) firsts.insert(rule.what.message);
  }
  const kernels::Placement placement{.procs_per_node = layout.procs_per_node,
                                     .mapping = layout.mapping};
  SizeChoices choices;
  for (const Bytes first : firsts) {
    const tables::Choice chosen = table.choose(collective, layout.procs, first, layout.mapping);
    SizeChoice choice{.first = first};
    std::visit(
        Overloaded{
            [&](const Ours&) {
              choice.variant = {.variant = kernels::find_instance(collective, chosen.variant),
                                .placement = placement};
            },
            [&](const LibraryOwn&) { choice.library = to_text(chosen.variant); },
            [&](const Composed&) { choice.mock_up = mock_ups::find(collective, chosen.variant); },
            [](const auto&) {}},
        chosen.variant);
    if (choices.empty() || !same(choices.back(), choice)) choices.push_back(std::move(choice));
  }
  if (std::ranges::all_of(choices, left_to_library)) choices.clear();
  if (sizes_differ_by_rank(collective) && choices.size() > 1) choices.clear();
  return choices;
}

Bytes message_of(const executor::MpiCall& call) {
  if (sizes_differ_by_rank(call.collective)) return {};
  const executor::CallBuffer& buffer = call.described();
  if (!buffer.present()) return {};
  const std::int64_t size = executor::size_of(buffer.type);
  if (buffer.counts.empty()) return {buffer.count * size};
  const std::int64_t sum =
      std::accumulate(buffer.counts.begin(), buffer.counts.end(), std::int64_t{0});
  return {sum * size / static_cast<std::int64_t>(buffer.counts.size())};
}

bool serves(const SizeChoice& choice, const executor::MpiCall& call, const NodeLayout& layout) {
  if (left_to_library(choice)) return false;
  if (choice.mock_up != nullptr) return composed::serves(*choice.mock_up, call);
  if (choice.library.empty()) return executor::keeps_order(choice.variant, call);
  return !unfit(library_case(choice.library, call, layout), call);
}

const SizeChoice* choose(const SizeChoices& choices, const executor::MpiCall& call,
                         const NodeLayout& layout) {
  if (choices.empty()) return nullptr;
  const auto above = std::ranges::upper_bound(choices, message_of(call), {}, &SizeChoice::first);
  const SizeChoice& chosen = *std::prev(above);
  return serves(chosen, call, layout) ? &chosen : nullptr;
}

}  // namespace breakeven::api
