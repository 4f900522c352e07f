// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/mpich/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "core/error.hpp"
#include "kernels/params.hpp"
#include "libraries/library_algorithm.hpp"
#include "tables/formats/common/head.hpp"

namespace breakeven::formats::mpich {

namespace {

constexpr const char* kMpich = "mpich";
constexpr std::string_view kAlgorithmLeaf = "algorithm=MPIR_";
constexpr std::string_view kCompositionLeaf = "composition=MPIDI_";
constexpr std::string_view kInCompositions = "_intra_composition_";
constexpr std::string_view kBetweenGroups = "_inter_";
constexpr std::array<std::string_view, 3> kKinds{"_intra_", kBetweenGroups, "_allcomm_"};

/// Where "_intra_" or the like begins; npos where nothing of the kind is there.
std::size_t kind_at(std::string_view name) {
  std::size_t first = std::string_view::npos;
  for (const std::string_view kind : kKinds) first = std::min(first, name.find(kind));
  return first;
}

std::string lower_first(std::string_view name) {
  std::string text{name};
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(text[0]));
  return text;
}

std::string upper_first(std::string_view name) {
  std::string text{name};
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(text[0]));
  return text;
}

std::string_view letter_name(char letter) {
  switch (letter) {
    case 'a': return "alpha";
    case 'b': return "beta";
    case 'g': return "gamma";
    default: return "delta";
  }
}

bool lists_composition(std::string_view letters, std::string_view name) {
  return std::ranges::any_of(letters, [&](char letter) { return letter_name(letter) == name; });
}

const libraries::LibraryAlgorithm& known(const Case& what) {
  if (const libraries::LibraryAlgorithm* algorithm = libraries::find_library_algorithm(what))
    return *algorithm;
  throw Error(fmt::format("{} is no algorithm of MPICH that is known here", to_text(what)));
}

[[noreturn]] void refuse(const Case& what) {
  throw UsageError(fmt::format("this version of MPICH has no {}", algorithm_text(what)));
}

char flat_letter(Collective collective, Series series) {
  switch (collective) {
    case Collective::bcast:
    case Collective::reduce: return 'g';
    case Collective::allreduce:
    case Collective::barrier:
    case Collective::scan: return 'b';
    case Collective::allgather:
    case Collective::alltoall: return series == Series::v4_0 ? 'a' : 'b';
    default: return 'a';
  }
}

}  // namespace

std::optional<std::string> version_in(std::string_view text) {
  constexpr std::string_view kBefore = "MPICH Version:";
  const std::size_t found = text.find(kBefore);
  if (found == std::string_view::npos) return std::nullopt;
  text.remove_prefix(found + kBefore.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
  if (end == 0) return std::nullopt;
  return std::string{text.substr(0, end)};
}

std::optional<Series> series_of(std::string_view version) {
  if (version.starts_with("4.0.")) return Series::v4_0;
  if (version.starts_with("4.2.")) return Series::v4_2;
  if (version.starts_with("4.3.")) return Series::v4_3;
  if (version.starts_with("5.0.")) return Series::v5_0;
  return std::nullopt;
}

std::optional<Series> series_in(std::string_view text) {
  const std::optional<std::string> version = version_in(text);
  return version ? series_of(*version) : std::nullopt;
}

std::vector<std::string_view> all_collectives() {
  std::vector<std::string_view> names;
  for (const LeafNames& row : leaf_names()) names.push_back(row.collective);
  return names;
}

std::string collective_of_leaf(std::string_view leaf) {
  for (const std::string_view layer : {kAlgorithmLeaf, kCompositionLeaf}) {
    if (!leaf.starts_with(layer)) continue;
    const std::string_view name = leaf.substr(layer.size());
    const std::size_t end = kind_at(name);
    if (end != std::string_view::npos) return lower_first(name.substr(0, end));
  }
  return {};
}

bool knows_leaf(std::string_view collective, std::string_view leaf, std::optional<Series> series) {
  const auto rows = leaf_names();
  const auto row = std::ranges::find(rows, collective, &LeafNames::collective);
  if (row == rows.end() || collective_of_leaf(leaf) != collective) return false;
  const auto later = std::ranges::find(later_leaves(), leaf, &LaterLeaf::key);
  if (later != later_leaves().end()) return !series || *series >= later->since;
  const bool in_4_0 = !series || series == Series::v4_0;
  const bool since_4_2 = series != Series::v4_0;
  if (const std::size_t at = leaf.find(kInCompositions);
      leaf.starts_with(kCompositionLeaf) && at != std::string_view::npos) {
    const std::string_view letter = leaf.substr(at + kInCompositions.size());
    return (in_4_0 && lists_composition(row->compositions_4_0, letter)) ||
           (since_4_2 && lists_composition(row->compositions_since_4_2, letter));
  }
  if (!leaf.starts_with(kAlgorithmLeaf)) return false;
  const std::string_view name = leaf.substr(kAlgorithmLeaf.size() + collective.size() + 1);
  const auto has = [&](std::string_view names) { return lists(names, ' ', name); };
  return has(row->all) || (in_4_0 && has(row->only_4_0)) || (since_4_2 && has(row->since_4_2));
}

std::optional<std::string> find_leaf(std::string_view collective, std::string_view name,
                                     std::optional<Series> series) {
  for (const std::string_view kind : kKinds) {
    std::string key = fmt::format("{}{}{}{}", kAlgorithmLeaf, upper_first(collective), kind, name);
    if (kind != kBetweenGroups && knows_leaf(collective, key, series)) return key;
  }
  return std::nullopt;
}

bool can_ask(std::string_view collective, std::string_view question) {
  const bool waits_later = collective.starts_with("i");
  const std::string_view blocking = waits_later ? collective.substr(1) : collective;
  const auto is = [&](std::string_view names) { return lists(names, ' ', blocking); };
  if (question == "avg_msg_size") return is("allreduce bcast reduce alltoall");
  if (question == "total_msg_size") {
    return is(
        "allreduce bcast reduce alltoall alltoallv alltoallw allgather allgatherv gather "
        "scatter reduce_scatter reduce_scatter_block");
  }
  if (question == "count") {
    return (blocking != "bcast" || !waits_later) &&
           is("allreduce bcast reduce allgather allgatherv reduce_scatter reduce_scatter_block");
  }
  if (question == "is_commutative") {
    return is("allreduce reduce reduce_scatter reduce_scatter_block");
  }
  if (question == "is_op_built_in") return is("allreduce reduce");
  if (question == "is_block_regular") return is("reduce_scatter");
  if (question == "is_sendbuf_inplace") return is("alltoall alltoallv alltoallw");
  return true;
}

SizeKey size_key(Collective collective, CallForm form) {
  switch (collective) {
    case Collective::allreduce:
    case Collective::alltoall:
    case Collective::bcast:
    case Collective::reduce: return SizeKey::avg;
    case Collective::allgather:
    case Collective::allgatherv:
    case Collective::reduce_scatter: return SizeKey::total;
    case Collective::reduce_scatter_block:
      // MPICH would compare the elements of a nonblocking one.
      return form == CallForm::blocking ? SizeKey::total : SizeKey::none;
    // Gather and scatter would be asked for elements rather than bytes, and by the root for counts
    // that mean something elsewhere alone; alltoallv and alltoallw for what the rank itself sends:
    // ranks would part ways. Of the others nothing can be asked.
    default: return SizeKey::none;
  }
}

Node algorithm_leaf(const Case& what, Series series) {
  const libraries::LibraryAlgorithm& algorithm = known(what);
  std::optional<std::string> key =
      find_leaf(call_name(what.collective, what.form), algorithm.name, series);
  if (!key) refuse(what);
  Node leaf = node(*std::move(key));
  for (const libraries::mpich::Parameter& parameter : libraries::mpich::parameters_of(algorithm)) {
    if (!parameter.read_from_leaf) continue;
    const bool word = series >= Series::v4_3 && !parameter.usual_word.empty();
    const std::string value = word ? std::string{parameter.usual_word}
                                   : std::to_string(libraries::mpich::value_of(parameter, what));
    leaf.below.push_back(node(fmt::format("{}={}", parameter.leaf, value)));
  }
  leaf.below.push_back(node(std::string{kChosen}));
  return leaf;
}

Node flat_leaf(Collective collective, Series series) {
  return node(fmt::format("{}{}{}{}", kCompositionLeaf, upper_first(kCollectives.of(collective)),
                          kInCompositions, letter_name(flat_letter(collective, series))),
              {node(std::string{kFlat})});
}

Node composition_leaf(const Case& what, Series series) {
  // In 4.0 no variable chooses them: there they can't have been measured, and mean other things.
  Node leaf =
      node(fmt::format("composition={}", known(what).function), {node(std::string{kChosen})});
  if (series == Series::v4_0 || !knows_leaf(kCollectives.of(what.collective), leaf.key, series)) {
    refuse(what);
  }
  return leaf;
}

LibraryOwn variant_in(const Node& leaf) {
  for (const Node& each : leaf.below) {
    if (each.key == kFlat) return {kMpich, "flat"};
  }
  const std::size_t kind = kind_at(leaf.key);
  if (kind == std::string::npos) return {kMpich};
  LibraryOwn own{kMpich, leaf.key.substr(leaf.key.find('_', kind + 1) + 1)};
  const std::optional<Case> call = find_call(collective_of_leaf(leaf.key));
  if (!call) return own;
  const libraries::LibraryAlgorithm* algorithm =
      libraries::find_library_algorithm(with_variant(*call, own));
  if (algorithm == nullptr) return own;
  return variant_of(*algorithm, [&](const libraries::mpich::Parameter& parameter) -> std::string {
    const std::string before = fmt::format("{}=", parameter.leaf);
    const auto said = std::ranges::find_if(
        leaf.below, [&](const Node& each) { return each.key.starts_with(before); });
    return said == leaf.below.end() ? "" : said->key.substr(before.size());
  });
}

LibraryOwn variant_of(
    const libraries::LibraryAlgorithm& algorithm,
    const std::function<std::string(const libraries::mpich::Parameter&)>& value_of) {
  std::vector<std::string> params;
  for (const libraries::mpich::Parameter& parameter : libraries::mpich::parameters_of(algorithm)) {
    if (parameter.param.empty()) continue;
    const std::string value = value_of(parameter);
    if (value.empty() || value == std::to_string(parameter.usual)) continue;
    params.push_back(fmt::format("{}={}", parameter.param, value));
  }
  return {kMpich, std::string{algorithm.name},
          kernels::Params::parse(fmt::format("{}", fmt::join(params, ","))).text()};
}

}  // namespace breakeven::formats::mpich
