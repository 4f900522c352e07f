// SPDX-License-Identifier: BSD-3-Clause
#include "core/mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "core/units.hpp"
#include "core/unknown.hpp"

namespace breakeven {

namespace {

constexpr std::string_view kBlocked = "blocked:";
constexpr std::string_view kIrregular = "irregular:";
constexpr int kMostRanks = 1 << 24;  // more than any job: a mistyped run must not fill the memory

/// The same nodes, numbered from 0 as ranks meet them.
std::vector<int> numbered(std::span<const int> nodes) {
  std::map<int, int> numbers;
  std::vector<int> result;
  result.reserve(nodes.size());
  for (const int node : nodes) {
    result.push_back(numbers.try_emplace(node, static_cast<int>(numbers.size())).first->second);
  }
  return result;
}

/// "0*3.1" as 0 0 0 1; nothing where that is no list of nodes.
std::optional<std::vector<int>> listed_nodes(std::string_view text) {
  std::vector<int> nodes;
  while (!text.empty()) {
    std::string_view run = take_part(text, '.');
    const bool repeated = run.find('*') != std::string_view::npos;
    const auto node = number_in(take_part(run, '*'), 0);
    const auto length = repeated ? number_in(run, 0) : std::optional{1};
    if (!node || !length || *length < 1 || *length > kMostRanks - static_cast<int>(nodes.size())) {
      return std::nullopt;
    }
    nodes.insert(nodes.end(), static_cast<std::size_t>(*length), *node);
  }
  if (nodes.empty() || numbered(nodes) != nodes) return std::nullopt;
  return nodes;
}

/// How many ranks of the first node come before the first one elsewhere.
int first_run(std::span<const int> nodes) {
  const auto elsewhere = std::ranges::find_if(nodes, [&](int node) { return node != nodes[0]; });
  return static_cast<int>(elsewhere - nodes.begin());
}

}  // namespace

Mapping Mapping::blocked(int block) {
  if (block < 2) {
    throw UsageError(fmt::format("mapping 'blocked:{}'; at least 2 at a time, or rr", block));
  }
  Mapping mapping{Kind::blocked};
  mapping.block_ = block;
  return mapping;
}

Mapping Mapping::irregular(std::vector<int> nodes) {
  Mapping mapping{Kind::irregular};
  mapping.listed_ = std::make_shared<const std::vector<int>>(std::move(nodes));
  return mapping;
}

Mapping Mapping::parse(std::string_view text) {
  if (text == "seq") return seq;
  if (text == "rr") return rr;
  if (text.starts_with(kBlocked)) {
    if (const auto block = number_in(text.substr(kBlocked.size()), 0)) return blocked(*block);
  }
  if (text.starts_with(kIrregular)) {
    if (auto nodes = listed_nodes(text.substr(kIrregular.size()))) {
      return irregular(std::move(*nodes));
    }
  }
  throw UsageError(
      unknown("mapping", text, {"seq", "rr", "blocked:RANKS", "irregular:NODE*RANKS.NODE..."}) +
      " with nodes numbered from 0 as ranks meet them");
}

const std::vector<int>& Mapping::listed() const {
  static const auto& none = *new std::vector<int>;
  return listed_ == nullptr ? none : *listed_;
}

std::strong_ordering operator<=>(const Mapping& one, const Mapping& other) {
  const auto order = std::tie(one.kind_, one.block_) <=> std::tie(other.kind_, other.block_);
  if (order != 0 || one.listed_ == other.listed_) return order;
  return one.listed() <=> other.listed();
}

int Mapping::node_of(Rank rank, int nodes, int procs_per_node) const {
  switch (kind_) {
    case Kind::seq: return rank.value / procs_per_node;
    case Kind::rr: return rank.value % nodes;
    case Kind::blocked: return rank.value / block_ % nodes;
    case Kind::irregular: break;
  }
  return listed().at(static_cast<std::size_t>(rank.value));
}

std::string to_text(const Mapping& mapping) {
  switch (mapping.kind()) {
    case Mapping::Kind::seq: return "seq";
    case Mapping::Kind::rr: return "rr";
    case Mapping::Kind::blocked: return fmt::format("{}{}", kBlocked, mapping.block());
    case Mapping::Kind::irregular: break;
  }
  std::string text;
  for (std::span<const int> rest = mapping.listed(); !rest.empty();) {
    const int run = first_run(rest);
    text += fmt::format("{}{}", text.empty() ? kIrregular : ".", rest[0]);
    if (run > 1) text += fmt::format("*{}", run);
    rest = rest.subspan(static_cast<std::size_t>(run));
  }
  return text;
}

std::vector<int> nodes_of_ranks(const NodeLayout& layout) {
  std::vector<int> nodes;
  for (Rank rank{0}; rank.value < layout.procs; ++rank.value) {
    nodes.push_back(layout.mapping.node_of(rank, layout.nodes, layout.procs_per_node));
  }
  return nodes;  // each mapping numbers them so
}

NodeLayout recognise(std::span<const int> nodes) {
  std::vector<int> found = numbered(nodes);
  std::vector<int> ranks_on(found.size());
  for (const int node : found) ++ranks_on[static_cast<std::size_t>(node)];
  NodeLayout layout{.procs = static_cast<int>(found.size()),
                    .nodes = std::ranges::max(found) + 1,
                    .procs_per_node = std::ranges::max(ranks_on)};
  std::vector<Mapping> regular{Mapping::seq, Mapping::rr};
  if (const int run = first_run(found); run >= 2) regular.push_back(Mapping::blocked(run));
  for (Mapping& mapping : regular) {
    layout.mapping = std::move(mapping);
    if (nodes_of_ranks(layout) == found) return layout;
  }
  layout.mapping = Mapping::irregular(std::move(found));
  return layout;
}

void require_fits(const NodeLayout& layout) {
  const Mapping& mapping = layout.mapping;
  const bool blocks_fit =
      mapping.kind() != Mapping::Kind::blocked || layout.procs_per_node % mapping.block() == 0;
  const bool all_listed = mapping.kind() != Mapping::Kind::irregular ||
                          (recognise(mapping.listed()).procs == layout.procs &&
                           recognise(mapping.listed()).nodes == layout.nodes &&
                           recognise(mapping.listed()).procs_per_node == layout.procs_per_node);
  if (blocks_fit && all_listed) return;
  throw UsageError(fmt::format("{} processes on {} nodes, {} on each, can't be mapped as {}",
                               layout.procs, layout.nodes, layout.procs_per_node,
                               to_text(mapping)));
}

NodeLayout mapped(NodeLayout layout, const Mapping& mapping) {
  if (mapping.kind() == Mapping::Kind::irregular)
    layout.procs = static_cast<int>(mapping.listed().size());
  layout.mapping = mapped_alike(layout.procs, layout.nodes) ? Mapping::seq : mapping;
  return layout;
}

NodeLayout job_of(const NodeLayout& layout) {
  if (layout.comms_per_node == 1) return layout;
  return {.procs = layout.procs * layout.comms_per_node,
          .nodes = layout.nodes,
          .procs_per_node = layout.procs_per_node * layout.comms_per_node};
}

std::vector<int> comm_of(const NodeLayout& layout, Rank of_job) {
  if (layout.comms_per_node == 1) {
    std::vector<int> all(static_cast<std::size_t>(layout.procs));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  const int on_node = job_of(layout).procs_per_node;
  const int first = of_job.value % on_node / layout.procs_per_node * layout.procs_per_node;
  std::vector<int> next(static_cast<std::size_t>(layout.nodes), first);
  std::vector<int> ranks;
  for (const int node : nodes_of_ranks(layout))
    ranks.push_back(node * on_node + next[static_cast<std::size_t>(node)]++);
  return ranks;
}

std::string to_text(const NodeLayout& layout) {
  std::string text =
      fmt::format("{} x {} {}", layout.nodes, layout.procs_per_node, to_text(layout.mapping));
  if (layout.comms_per_node > 1) text += fmt::format(", {} at once", layout.comms_per_node);
  return text;
}

std::string shape_text(const NodeLayout& layout) {
  std::string text = fmt::format("{}x{}", layout.nodes, layout.procs_per_node);
  if (layout.comms_per_node > 1) text += fmt::format("*{}", layout.comms_per_node);
  return text;
}

std::string procs_text(const NodeLayout& layout) {
  const bool on_nodes = layout.nodes > 1 || layout.comms_per_node > 1;
  return fmt::format("p = {}{}", layout.procs, on_nodes ? " as " + shape_text(layout) : "");
}

NodeLayout parse_shape(std::string_view text) {
  std::string_view rest = text;
  const std::string_view shape = take_part(rest, '*');
  std::string_view per_node = shape;
  const auto nodes = number_in<int>(take_part(per_node, 'x'));
  const auto procs_per_node = number_in<int>(per_node);
  const auto comms = shape.size() == text.size() ? 1 : number_in<int>(rest);
  if (!nodes || !procs_per_node || !comms || *nodes < 1 || *procs_per_node < 1 || *comms < 1) {
    throw UsageError(fmt::format(
        "'{}' is no layout: 4x2 is 4 nodes with 2 processes on each, 4x1*2 is two communicators of "
        "4x1 that call at once",
        text));
  }
  return {.procs = *nodes * *procs_per_node,
          .nodes = *nodes,
          .procs_per_node = *procs_per_node,
          .comms_per_node = *comms};
}

}  // namespace breakeven
