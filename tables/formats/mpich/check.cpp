// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/mpich/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "libraries/library_algorithm.hpp"
#include "libraries/mpich_compositions.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/mpich/names.hpp"
#include "tables/formats/mpich/selection_tree.hpp"

namespace breakeven::formats::mpich {

namespace {

/// The form of a question, without its number.
struct Form {
  std::string_view of;
  std::string_view sign;
  std::string_view values;  ///< parted by bars; "" a number
  bool since_4_2 = false;
};
constexpr std::array kForms{
    Form{"", "=", "any", true},
    Form{"collective", "=", "*"},
    Form{"comm_type", "=", "intra|inter"},
    Form{"comm_size", "<=", ""},
    Form{"comm_size", "<", ""},
    Form{"comm_size", "=", "pow2|node_comm_size|any"},
    Form{"comm_avg_ppn", "<=", ""},
    Form{"comm_avg_ppn", "<", "", true},
    Form{"comm_hierarchy", "=", "parent|node|node_roots|flat|any"},
    Form{"is_node_consecutive", "=", "yes|no"},
    Form{"avg_msg_size", "<=", ""},
    Form{"avg_msg_size", "<", ""},
    Form{"avg_msg_size", "=", "any"},
    Form{"total_msg_size", "<=", ""},
    Form{"total_msg_size", "<", ""},
    Form{"total_msg_size", "=", "any"},
    Form{"count", "<=", ""},
    Form{"count", "<", "pow2"},
    Form{"count", "=", "any"},
    Form{"is_commutative", "=", "yes|no"},
    Form{"is_op_built_in", "=", "yes|no"},
    Form{"is_block_regular", "=", "yes|no"},
    Form{"is_sendbuf_inplace", "=", "yes|no"},
    Form{"is_multi_threaded", "=", "yes|no"},
};

bool known(const Question& asked, std::optional<Series> series) {
  if (asked.value == "any" && asked.of != "collective" && series != Series::v4_0) return true;
  return std::ranges::any_of(kForms, [&](const Form& form) {
    if (form.since_4_2 && series == Series::v4_0) return false;
    if (form.of != asked.of || form.sign != asked.sign) return false;
    return form.values.empty() || form.values == "*" || lists(form.values, '|', asked.value);
  });
}

/// Whether the last of a chain leaves nothing over; `first` are the keys before it.
bool closes(const Question& last, const std::set<std::string>& chain) {
  if (last.value == "any" || last.of == "comm_type") return true;
  const auto has = [&](std::string_view value) {
    return chain.contains(fmt::format("{}={}", last.of, value));
  };
  if (last.of == "comm_hierarchy") {
    return has("parent") && has("node") && has("node_roots") && has("flat");
  }
  return has("yes") && has("no");
}

class Checker {
 public:
  Checker(Layer layer, std::optional<Series> series, std::string_view text)
      : layer_{layer}, series_{series}, text_{text} {}

  std::vector<ReadTable::Fault> check(const Chain& tree) {
    std::set<std::string_view> present;
    for (const Node& each : tree) {
      const Question asked = question_in(each.key);
      if (asked.of != "collective" || asked.sign != "=") {
        fail(each, fmt::format("'{}' stands where a collective should: every tree of MPICH itself "
                               "asks for it first",
                               each.key));
        continue;
      }
      present.insert(asked.value);
      chain(each, {.collective = std::string{asked.value}});
    }
    for (const std::string_view name : all_collectives()) {
      if (layer_ == Layer::mpir && !present.contains(name)) {
        faults_.push_back({0, fmt::format("collective={} is missing: the file replaces the whole "
                                          "tree, and the first call would end the program",
                                          name)});
      }
    }
    return std::move(faults_);
  }

 private:
  void fail(const Node& where, std::string reason) {
    faults_.push_back({.line = where.line, .reason = std::move(reason)});
  }

  /// The chain below a node.
  void chain(const Node& above, Path path) {
    if (const auto collectives = all_collectives();
        std::ranges::find(collectives, path.collective) == collectives.end()) {
      return fail(above, fmt::format("MPICH has no collective '{}'", path.collective));
    }
    if (above.below.empty()) {
      return fail(above, fmt::format("nothing stands below '{}'", above.key));
    }
    std::set<std::string> keys;
    for (const Node& each : above.below) {
      keys.insert(each.key);
      if (each.leaf()) {
        if (above.below.size() > 1) {
          fail(each, fmt::format("'{}' has other keys next to it, which are lost", each.key));
        }
        return leaf(each, path);
      }
      question(each, path);
      const Question asked = question_in(each.key);
      if (asked.value == "any" && &each != &above.below.back()) {
        fail(each, fmt::format("'{}' isn't the last of its object", each.key));
      }
      path.at_call |= !of_communicator(asked);
      path.known.add(asked, false, path.at_call);
    }
    const Node& last = above.below.back();
    if (!closes(question_in(last.key), keys)) {
      fail(last, fmt::format("'{}' is the last of its object: some calls come to nothing without "
                             "'{}=any' or the other answer",
                             last.key, question_in(last.key).of));
    }
  }

  void question(const Node& asked_at, const Path& path) {
    const Question asked = question_in(asked_at.key);
    if (!known(asked, series_))
      return fail(asked_at, fmt::format("unknown key '{}'", asked_at.key));
    if (asked.of == "collective") {
      return fail(asked_at, fmt::format("'{}' stands below another question", asked_at.key));
    }
    if (asked.value != "any" && !can_ask(path.collective, asked.of)) {
      return fail(asked_at, fmt::format("MPICH can't answer '{}' for {}: the first call would end "
                                        "the program",
                                        asked.of, path.collective));
    }
    Path below = path;
    below.at_call |= !of_communicator(asked);
    if (asked.sign != "=" && asked.value != "pow2") number(asked_at, asked, path);
    if (path.known.answer(asked, below.at_call) == false) {
      fail(asked_at, fmt::format("nothing comes to '{}': what it asks for was answered before it",
                                 asked_at.key));
    }
    below.known.add(asked, true, below.at_call);
    chain(asked_at, std::move(below));
  }

  /// The limit that a question sets.
  void number(const Node& asked_at, const Question& asked, const Path& path) {
    if (!number_in(asked.value, 0)) {
      fail(asked_at, fmt::format("'{}' is no number from 0 to 2147483647", asked.value));
    }
    // MPICH's own tree for alltoall has one where it isn't in place; searched as the library does.
    const bool own = path.known.holds("is_sendbuf_inplace=no");
    if (asked.of == "comm_size" && asked.sign == "<" && path.at_call && !own) {
      fail(asked_at, fmt::format("'{}' below a question about the call lets {} pass as well: a "
                                 "bug of MPICH; use '<='",
                                 asked_at.key, asked.value));
    }
  }

  void leaf(const Node& node, const Path& path) {
    const std::string_view wanted =
        layer_ == Layer::mpir ? "algorithm=MPIR_" : "composition=MPIDI_";
    if (!node.key.starts_with(wanted)) {
      return fail(node, fmt::format("'{}' isn't of this layer, whose leaves are '{}...'", node.key,
                                    wanted));
    }
    const std::string owner = collective_of_leaf(node.key);
    if (owner != path.collective && knows_leaf(owner, node.key, series_)) {
      return fail(node, fmt::format("'{}' is of {}, and stands below {}: the first call would end "
                                    "the program",
                                    node.key, owner, path.collective));
    }
    if (!knows_leaf(path.collective, node.key, series_)) {
      return fail(node, fmt::format("this version of MPICH has no '{}'", node.key));
    }
    guards(node, path);
  }

  /// MPICH does not check a tree's choices against the needs of algorithms: they abort, or give
  /// wrong results.
  void guards(const Node& leaf, const Path& path) {
    const std::optional<Case> call = find_call(path.collective);
    if (!call) return;
    const Case what = with_variant(*call, LibraryOwn{"mpich", variant_in(leaf).name});
    const libraries::LibraryAlgorithm* algorithm = libraries::find_library_algorithm(what);
    if (algorithm == nullptr) return;
    // A leaf that hands over to the other file's algorithm needs nothing itself.
    if (layer_ == Layer::ch4 && !libraries::mpich::is_composition(algorithm->name)) return;
    // In 4.0 a composition's letter means another one.
    const bool known_composition = series_.value_or(Series::v4_0) != Series::v4_0 ||
                                   !libraries::mpich::is_composition(algorithm->name);
    if (known_composition && !own_choice(*algorithm, path)) {
      if (auto harm = unsafe_rule(text_, what)) fail(leaf, *std::move(harm));
    }
    for (const std::string& need : unasked_requirements(*algorithm, layer_, path)) {
      fail(leaf, fmt::format("'{}' is only for {}, and nothing asks for it", leaf.key, need));
    }
  }

  Layer layer_;
  std::optional<Series> series_;
  std::string_view text_;
  std::vector<ReadTable::Fault> faults_{};
};

}  // namespace

std::vector<ReadTable::Fault> check_tree(const Chain& tree, Layer layer,
                                         std::optional<Series> series, std::string_view text) {
  return Checker{layer, series, text}.check(tree);
}

}  // namespace breakeven::formats::mpich
