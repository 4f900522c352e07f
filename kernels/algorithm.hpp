// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/problem.hpp"
#include "kernels/schedule.hpp"

namespace breakeven::kernels {

/// The condition of an algorithm on the number of processes: a fact in its row, not a branch inside
/// its function.
struct ProcsRequirement {
  std::string_view text;  ///< "p a power of two"
  bool (*met)(int procs);
};
inline constexpr ProcsRequirement kAnyProcs{"any p", [](int) { return true; }};
inline constexpr ProcsRequirement kPowerOfTwo{"p a power of two",
                                              [](int procs) { return (procs & (procs - 1)) == 0; }};
inline constexpr ProcsRequirement kEvenProcs{
    "p even, or 1", [](int procs) { return procs % 2 == 0 || procs == 1; }};

/// The condition of an algorithm on its parameters.
struct ParamsRequirement {
  std::string_view text = "";  ///< empty where reading them says it
  /// Whether it can run with these processes and parameters.
  /// @throws UsageError when a parameter can't be understood.
  bool (*met)(const Problem& problem) = [](const Problem&) { return true; };
};

/// A name for some of the values that an algorithm lists of a parameter.
struct ValueSet {
  std::string_view name;
  bool (*holds)(std::string_view value);
};

/// A parameter that an algorithm takes.
struct Param {
  std::string_view key;
  std::string_view text;  ///< what it means, and what is taken without it
  std::span<const ValueSet> sets{};
};

/// An algorithm's cost along its critical path, as its source states it: factors in the model in
/// which every process sends one message at a time and receives one, and the vector has m bytes.
/// Factors that the source doesn't state have no value.
struct Formula {
  std::optional<double> rounds{};    ///< of sources that let a round have several messages
  std::optional<double> messages{};  ///< alpha's factor
  std::optional<double> sent{};      ///< beta m's
  std::optional<double> reduced{};   ///< gamma m's
  /// Of the messages and of what is sent, the part that goes in one direction only, which costs
  /// f_alpha and f_beta times as much, as [rabenseifner2004], 2.1, has it.
  double one_way_messages = 0;
  double one_way_sent = 0;
  bool sent_at_most = false;  ///< it is a bound
  bool reduced_at_most = false;

  /// Of one after the other; a factor must be stated for both. Rounds of one message.
  friend Formula operator+(const Formula& one, const Formula& other) {
    const auto sum = [](std::optional<double> left, std::optional<double> right) {
      return left && right ? std::optional{*left + *right} : std::nullopt;
    };
    return {.messages = sum(one.messages, other.messages),
            .sent = sum(one.sent, other.sent),
            .reduced = sum(one.reduced, other.reduced),
            .one_way_messages = one.one_way_messages + other.one_way_messages,
            .one_way_sent = one.one_way_sent + other.one_way_sent,
            .sent_at_most = one.sent_at_most || other.sent_at_most,
            .reduced_at_most = one.reduced_at_most || other.reduced_at_most};
  }
};

/// One row of the catalogue: all that the CLI, the harness, the tests and the tables know of an
/// algorithm. Its promises hold for all its parameters; the rewrites of kernels/rewrite/ come on
/// top, see `build_schedule`.
struct Algorithm {
  std::string_view name;  ///< the literature's name
  ProcsRequirement requirement{};
  std::span<const Param> params{};
  ParamsRequirement params_requirement{};
  /// Parameters worth trying at a p, besides none: each a text for Params::parse.
  std::vector<std::string> (*variants)(int procs) = nullptr;
  bool order_preserving = false;   ///< operands stay in rank order: the operation need not commute
  bool bitwise_identical = false;  ///< of allreduce: on all ranks, which reduce in the same pairs
  bool fixed_tree = false;         ///< operands meet along the one tree for all p, see Verdict
  bool reorderable = true;         ///< any rank may play any other: takes reorder_ranks
  bool segments = false;           ///< may be pipelined: takes the parameter segments=k
  Schedule (*build)(const Problem& problem) = nullptr;
  Formula (*formula)(const Problem& problem) = nullptr;  ///< none: the source states none
  /// The same in symbols: lg is the logarithm to base 2, fa and fb are f_alpha and f_beta.
  std::string_view formula_text = "";
  std::string_view source;  ///< keys of docs/bibliography.md, and sections
};

}  // namespace breakeven::kernels
