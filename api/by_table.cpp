// SPDX-License-Identifier: BSD-3-Clause
#include "api/by_table.hpp"

#include <fmt/format.h>

#include <numeric>
#include <set>

#include "api/unfit.hpp"
#include "core/error.hpp"
#include "core/processor.hpp"
#include "executor/element_type.hpp"
#include "executor/mpi_types.hpp"

namespace breakeven::api {

namespace {

void require_same(std::string_view what, std::string_view of_table, std::string_view here) {
  if (of_table == here) return;
  throw UsageError(fmt::format("the table is of {} '{}', and this is '{}'", what, of_table, here));
}

SizeChoices choices_of(const tables::Table& table, Collective collective,
                       const NodeLayout& layout) {
  std::set<Bytes> firsts{Bytes{0}};
  for (const tables::Rule& rule : table.rules) {
    if (rule.what.collective == collective) firsts.insert(rule.what.message);
  }
  SizeChoices choices;
  Case problem = with_layout({.collective = collective}, layout);
  for (const Bytes first : firsts) {
    problem.message = first;
    Variant chosen = table.choose(problem).variant;
    const bool changes = choices.empty() || choices.rbegin()->second != chosen;
    if (changes) choices.emplace_hint(choices.end(), first, std::move(chosen));
  }
  const bool by_size = choices.size() > 1;
  const bool left = !by_size && choices.begin()->second.is<Native>();
  if (left || (by_size && sizes_differ_by_rank(collective))) choices.clear();
  return choices;
}

}  // namespace

void require_this_machine(const Machine& of_table) {
  require_same("library", of_table.name, BREAKEVEN_MPI);
  require_same("version", of_table.library_version, executor::library_version_line());
  require_same("processor", of_table.cpu, processor_name().value_or("unknown"));
}

LayoutChoices choices_of(const tables::Table& table, const NodeLayout& layout) {
  LayoutChoices choices{.layout = layout};
  for (const auto& [collective, name] : kCollectives.entries) {
    choices.of_collectives[static_cast<std::size_t>(collective)] =
        choices_of(table, collective, layout);
  }
  return choices;
}

Bytes message_of(const executor::MpiCall& call) {
  if (sizes_differ_by_rank(call.collective)) return {};
  const executor::CallBuffer& buffer = call.described();
  if (!buffer.present()) return {};
  const std::int64_t size = executor::size_of(buffer.type);
  const auto counts = call.counts();
  if (counts.empty()) return {buffer.count * size};
  const std::int64_t sum = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  return {sum * size / std::ssize(counts)};
}

std::optional<SizeRange> sizes_like(const LayoutChoices& choices, const executor::MpiCall& call) {
  const SizeChoices& by_size = choices.of(call.collective);
  if (by_size.empty()) return SizeRange{};
  const auto next = by_size.upper_bound(message_of(call));
  const auto& [first, variant] = *std::prev(next);
  if (!variant.is<Native>() && !variant.is<Ours>()) return std::nullopt;
  SizeRange range{.first = first};
  if (next != by_size.end()) range.end = next->first;
  return range;
}

const Variant* choose(const LayoutChoices& choices, const executor::MpiCall& call) {
  const SizeChoices& by_size = choices.of(call.collective);
  if (by_size.empty()) return nullptr;
  const Variant& chosen = std::prev(by_size.upper_bound(message_of(call)))->second;
  return chosen.is<Native>() || unfit(chosen, call, choices.layout) ? nullptr : &chosen;
}

}  // namespace breakeven::api
