// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/mpich/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "libraries/conditions.hpp"
#include "libraries/library_algorithm.hpp"
#include "libraries/mpich_compositions.hpp"
#include "libraries/mpich_parameters.hpp"
#include "tables/formats/common/choices.hpp"

namespace breakeven::formats::mpich {

namespace {

constexpr std::int64_t kLargestNumber = std::numeric_limits<int>::max();

/// The library's own chain for one side of a collective, "intra" or "inter".
Chain own_side(const Chain& own, std::string_view side) {
  for (const Node& each : own) {
    if (each.key == fmt::format("comm_type={}", side)) return each.below;
  }
  const bool has_sides =
      std::ranges::any_of(own, [](const Node& each) { return each.key.starts_with("comm_type="); });
  return has_sides ? Chain{} : own;
}

/// One chain where a question has the first answer, another one where it has the second.
Chain either(std::string_view first, Chain one, std::string_view second, Chain other) {
  return {node(std::string{first}, std::move(one)), node(std::string{second}, std::move(other))};
}

/// Whether the guards of a leaf know the sizes at which its algorithm runs.
bool asks_for_sizes(const libraries::LibraryAlgorithm& algorithm) {
  return algorithm.runs.text == libraries::conditions::kElementForEachOfPowerOfTwo.text;
}

/// Algorithms of MPICH's generic transport, which in a tree get their parameters from the leaf, not
/// from variables.
constexpr std::string_view kGenericTransport = "tsp_";

/// Writes one collective's part of a tree.
class Builder {
 public:
  /// @param several_nodes  on which the choices were measured
  Builder(Layer layer, Series series, const Case& call, bool several_nodes, Chain own,
          const libraries::AlgorithmNames& allowed_unsafe, BuiltTree& built)
      : layer_{layer},
        series_{series},
        call_{call},
        several_nodes_{several_nodes},
        own_{std::move(own)},
        allowed_unsafe_{allowed_unsafe},
        built_{built} {}

  /// By the number of processes; own where nothing is chosen at all.
  Chain by_procs(const std::vector<ProcsChoices>& all, Hierarchy hierarchy) {
    const Chain own{node(std::string{kOwnAnswer})};
    Chain chain;
    if (!all.empty() && all.front().first > 1) {
      chain.push_back(node(fmt::format("comm_size<={}", all.front().first - 1), own));
    }
    for (const ProcsChoices& each : all) {
      chain.push_back(node(fmt::format("comm_size<={}", each.last), by_size(each, own, hierarchy)));
    }
    chain.push_back(node("comm_size=any", own));
    report_losses(all);
    return with_few_nodes(chain, specialise(own_, hierarchy));
  }

 private:
  /// Reports the choices that were lost at some p.
  void report_losses(const std::vector<ProcsChoices>& all) {
    const std::string name = call_name(call_.collective, call_.form);
    if (const auto procs = std::exchange(unsized_, {}); !procs.empty()) {
      degrade(
          fmt::format("{} at p = {}: left to the library, for the choice changes with the "
                      "size, which MPICH can't ask for safely",
                      name, to_text(procs)));
    }
    if (const auto procs = std::exchange(overlong_, {}); !procs.empty()) {
      degrade(fmt::format(
          "{} at p = {}: the choice for the longest messages begins at {} bytes in all, "
          "the largest number that MPICH reads",
          name, to_text(procs), kLargestNumber));
    }
    for (std::string& line : lost_lines(name, all)) degrade(std::move(line));
    if (size_key(call_.collective, call_.form) != SizeKey::total) return;
    if (std::ranges::any_of(all, [](const ProcsChoices& each) {
          return each.first < each.last && each.sizes.size() > 1;
        })) {
      built_.approximate.insert(call_.collective);
    }
  }

  Chain by_size(const ProcsChoices& at, const Chain& own, Hierarchy hierarchy) {
    if (at.sizes.size() == 1) return chosen(at.sizes.front().choice, at.procs, own, hierarchy);
    const SizeKey key = size_key(call_.collective, call_.form);
    if (key == SizeKey::none) {
      unsized_.push_back({at.first, at.last});
      return own;
    }
    const bool total = key == SizeKey::total;
    const std::string_view asks = total ? "total_msg_size" : "avg_msg_size";
    Chain chain;
    const auto ask = [&](const std::string& limit, Chain below) {
      chain.push_back(node(fmt::format("{}{}", asks, limit), std::move(below)));
    };
    for (std::size_t index = 0; index + 1 < at.sizes.size(); ++index) {
      const SizeChoice& next = at.sizes[index + 1];
      const std::int64_t last = next.first.value * (total ? at.procs : 1) - 1;
      Chain below = chosen(at.sizes[index].choice, at.procs, own, hierarchy);
      if (last > kLargestNumber) {
        overlong_.push_back({at.first, at.last});
        ask(fmt::format("<={}", kLargestNumber), std::move(below));
        break;
      }
      ask(fmt::format("<={}", last), std::move(below));
    }
    ask("=any", chosen(at.sizes.back().choice, at.procs, own, hierarchy));
    return chain;
  }

  /// The leaf, behind questions for all that its algorithm needs; the library's own otherwise.
  Chain chosen(const tables::Choice& choice, int procs, const Chain& own, Hierarchy hierarchy) {
    if (choice.variant.is<Native>()) return own;
    Case what = with_variant(call_, choice.variant);
    what.procs = procs;
    const libraries::LibraryAlgorithm* algorithm = libraries::find_library_algorithm(what);
    if (algorithm == nullptr || choice.variant.library()->library != "mpich") {
      throw UsageError(fmt::format("MPICH's selection trees can't say {}", algorithm_text(what)));
    }
    if (const auto harms = libraries::unguarded(what); !harms.empty()) {
      degrade(fmt::format("{}: {}", algorithm_text(what), libraries::harm_of(harms)));
      if (!libraries::is_safe(what, allowed_unsafe_)) return own;
    }
    const std::optional<Chain> leaf = leaf_of(*algorithm, what);
    if (!leaf) return own;
    const auto runs_only = [&](const libraries::Condition& condition) {
      return algorithm->runs.text == condition.text;
    };
    const bool on_one_node = runs_only(libraries::conditions::kOneNode);
    const bool on_shared_nodes = runs_only(libraries::conditions::kSharedNode) ||
                                 runs_only(libraries::conditions::kSharedConsecutiveNode);
    if (on_shared_nodes) {
      degrade(fmt::format("{}: only where a communicator has {}", algorithm_text(what),
                          algorithm->runs.text));
    }
    if ((on_one_node || on_shared_nodes) && hierarchy != Hierarchy::parent) return own;
    Chain chain = guarded(*leaf, *algorithm, own);
    if (on_one_node) return either("comm_size=node_comm_size", chain, "comm_size=any", own);
    if (!on_shared_nodes || !several_nodes_) return chain;
    return either("comm_size=node_comm_size", own, "comm_size=any", std::move(chain));
  }

  /// The chain for calls that meet the algorithm's demands, the library's own for others.
  [[nodiscard]] Chain guarded(Chain chain, const libraries::LibraryAlgorithm& algorithm,
                              const Chain& own) const {
    const auto guard = [&](std::string_view fits, std::string_view otherwise) {
      chain = either(fits, std::move(chain), otherwise, own);
    };
    if (asks_for_sizes(algorithm)) chain = either("count<pow2", own, "count=any", std::move(chain));
    if (algorithm.demands(libraries::Demand::built_in))
      guard("is_op_built_in=yes", "is_op_built_in=no");
    if (algorithm.demands(libraries::Demand::commuting))
      guard("is_commutative=yes", "is_commutative=no");
    if (algorithm.demands(libraries::Demand::equal_counts))
      guard("is_block_regular=yes", "is_block_regular=no");
    if (algorithm.demands(libraries::Demand::not_empty))
      chain = either("avg_msg_size<=0", own, "avg_msg_size=any", std::move(chain));
    // In place it is another algorithm's turn, and the counts by which sizes are told mean nothing.
    if (personalised(call_.collective)) guard("is_sendbuf_inplace=no", "is_sendbuf_inplace=yes");
    return chain;
  }

  /// Nothing where this layer's file leaves it to the library.
  std::optional<Chain> leaf_of(const libraries::LibraryAlgorithm& algorithm, const Case& what) {
    if (algorithm.name.starts_with(kGenericTransport) &&
        libraries::mpich::parameters_of(algorithm).empty()) {
      degrade(fmt::format("{}: skipped, for its parameters, which a leaf must have, are not known",
                          algorithm_text(what)));
      return std::nullopt;
    }
    if (!libraries::mpich::is_composition(algorithm.name)) {
      if (std::ranges::any_of(
              libraries::mpich::parameters_of(algorithm),
              [](const libraries::mpich::Parameter& each) { return !each.read_from_leaf; })) {
        degrade(
            fmt::format("{}: MPICH reads some of its parameters from no file, and leaves them "
                        "to chance",
                        algorithm_text(what)));
      }
      return Chain{layer_ == Layer::mpir ? algorithm_leaf(what, series_)
                                         : flat_leaf(call_.collective, series_)};
    }
    Node leaf = composition_leaf(what, series_);
    // The algorithms of its steps are the library's choice, on communicators that the library
    // makes.
    if (layer_ == Layer::mpir) return std::nullopt;
    return Chain{std::move(leaf)};
  }

  /// Each line once: rules of a flat communicator are those of a parent.
  void degrade(std::string line) {
    auto& lines = built_.degraded;
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }

  Layer layer_;
  Series series_;
  Case call_;  ///< of the collective, in its form
  bool several_nodes_;
  Chain own_;
  const libraries::AlgorithmNames& allowed_unsafe_;
  BuiltTree& built_;
  std::vector<Range> unsized_{};   ///< p whose choice changes with a size that can't be asked for
  std::vector<Range> overlong_{};  ///< p whose last choice begins above the largest number
};

/// A chain of the device's without questions whose answers all come to the same composition, be it
/// the library's own choice or one that hands over.
Chain without_vain_questions(const Chain& chain) {
  Chain rest;
  for (const Node& each : chain) {
    rest.push_back(each.leaf() ? each : node(each.key, without_vain_questions(each.below)));
  }
  const Node* leaf = nullptr;
  for (const Node& each : rest) {
    if (each.leaf() || !each.below.front().leaf()) return rest;
    const Node& next = each.below.front();
    const bool of_table = !next.below.empty() && next.below.front().key != kFlat;
    if (of_table || (leaf != nullptr && leaf->key != next.key)) return rest;
    if (leaf == nullptr || leaf->below.empty()) leaf = &next;
  }
  return {*leaf};
}

/// Mappings that a tree can't tell from each other are named once.
void name_lost_mappings(const tables::Table& table, std::vector<std::string>& degraded) {
  bool round_robin = false;
  for (const tables::Rule& rule : table.rules) {
    if (rule.what.variant.is<Native>() || rule.what.mapping == Mapping::seq) continue;
    if (rule.what.mapping == Mapping::rr) {
      round_robin = true;
      continue;
    }
    std::string line = fmt::format(
        "{} under mapping {}: skipped, for MPICH only asks whether ranks fill one node after the "
        "other",
        call_name(rule.what.collective, rule.what.form), to_text(rule.what.mapping));
    if (std::ranges::find(degraded, line) == degraded.end()) degraded.push_back(std::move(line));
  }
  if (round_robin) {
    degraded.emplace_back(
        "mapping rr: its choices hold wherever ranks don't fill one node after the other");
  }
}

/// MPICH 5.0 takes every communicator that is no parent for a flat one.
void name_unparted_places(const Case& call, std::vector<std::string>& degraded) {
  degraded.push_back(fmt::format(
      "{} with one process on each node: its choices also hold on the communicators that MPICH "
      "makes of each node, and of one process of each",
      call_name(call.collective, call.form)));
}

}  // namespace

BuiltTree build_tree(const Chain& own, Layer layer, Series series, const tables::Table& table,
                     const tables::Provenance& provenance) {
  const bool shares_memory = provenance.capabilities.shares_memory;
  BuiltTree built{.tree = own, .degraded = {}, .approximate = {}};
  name_lost_mappings(table, built.degraded);
  for (Node& each : built.tree) {
    const std::optional<Case> call = find_call(question_in(each.key).value);
    if (!call) continue;
    const auto choices = [&](const Mapping& mapping) {
      return choices_of(table, call->collective, call->form, mapping, asks_for_sizes);
    };
    const auto sequential = choices(Mapping::seq);
    const auto dealt = choices(Mapping::rr);
    if (sequential.empty() && dealt.empty()) continue;
    const Chain intra = own_side(each.below, "intra");
    const Chain inter = own_side(each.below, "inter");
    const auto any = [&](auto&& of) {
      return std::ranges::any_of(table.rules, [&](const tables::Rule& rule) {
        return rule.what.collective == call->collective && rule.what.form == call->form &&
               of(rule.what);
      });
    };
    const bool several_nodes = any([](const Case& what) { return what.nodes > 1; });
    Builder builder{layer, series, *call, several_nodes, intra, provenance.allowed_unsafe, built};
    Chain parent{node("is_node_consecutive=yes", builder.by_procs(sequential, Hierarchy::parent)),
                 node("is_node_consecutive=no", builder.by_procs(dealt, Hierarchy::parent))};
    const auto measured = [&](bool shared) {
      return any([=](const Case& at) {
        return at.procs > 1 && (shares_memory && at.nodes < at.procs) == shared;
      });
    };
    Chain users;
    if (measured(true)) users.push_back(node("comm_hierarchy=parent", std::move(parent)));
    if (measured(false)) {
      if (series == Series::v5_0 && shares_memory) name_unparted_places(*call, built.degraded);
      users.push_back(node("comm_hierarchy=flat", builder.by_procs(sequential, Hierarchy::flat)));
    }
    users.push_back(node("comm_hierarchy=any", intra));
    if (layer == Layer::ch4) users = without_vain_questions(users);
    each.below = {node("comm_type=intra", std::move(users))};
    if (!inter.empty()) each.below.push_back(node("comm_type=inter", inter));
    // The library's own parts repeat questions that stand before them: no call reaches some
    // branches.
    each.below = without_answered(each.below);
  }
  return built;
}

}  // namespace breakeven::formats::mpich
