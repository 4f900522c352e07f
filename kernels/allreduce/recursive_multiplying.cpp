// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>

#include "kernels/allreduce/algorithms.hpp"
#include "kernels/allreduce/exchanges.hpp"
#include "kernels/allreduce/seats.hpp"
#include "kernels/allreduce/stages.hpp"

namespace breakeven::kernels::allreduce {

namespace {

bool is_factored(std::string_view stages) {
  const Stages read = Stages::parse(stages);
  return read.collapsing == 0 && read.remaining == 0;
}

constexpr std::array kSets{ValueSet{"factored", is_factored}};
constexpr std::array kParams{
    Param{"stages",
          "group sizes of the exchanges: a4,a6; split c6m2,a4,e6m2; merged m1g2a3,n1g3a2 [fewest "
          "exchanges of 2 to 8 processes]",
          kSets}};

Stages stages_of(const Problem& op) {
  const auto text = op.params.find("stages");
  return text ? Stages::parse(*text) : default_stages(op.procs);
}

bool make_all_procs(const Problem& op) { return stages_of(op).procs() == op.procs; }

std::vector<Rank> joined(std::vector<Rank> first, const std::vector<Rank>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Schedule build_guest(const Seats& seats, Rank me) {
  const int guest = seats.seat(me).number;
  Exchanges exchanges{me};
  exchanges.step({me}, seats.receivers_of(guest));
  exchanges.step(seats.servers_of(guest), {});
  return std::move(exchanges).done();
}

Schedule build_inner(const Stages& stages, const Seats& seats, Rank me) {
  const int number = seats.seat(me).number;
  const std::vector<Rank> guests = seats.guests_received(number);
  const bool collapses = stages.collapsing > 0 && !guests.empty();
  const bool merges = stages.remaining > 0;

  Exchanges exchanges{me};
  if (collapses) exchanges.step(joined({me}, guests), {});
  int distance = 1;
  for (const int factor : stages.factors) {
    std::vector<Rank> from = seats.exchange_group(number, distance, factor);
    std::vector<Rank> to = from;
    // Each begins with the member after itself, or all would send to the first one first.
    std::ranges::rotate(to, std::ranges::find(to, me));
    if (merges && distance == 1) from = joined(from, guests);
    distance *= factor;
    if (merges && distance == stages.inner()) to = joined(to, seats.guests_served(number));
    exchanges.step(from, to);
  }
  if (collapses) exchanges.step({me}, seats.guests_served(number));
  return std::move(exchanges).done();
}

/// Recursive multiplying: recursive doubling with any factor. The inner processes exchange their
/// partial results in groups of f1 neighbours, then in groups of f2 at distance f1, and so on; all
/// members of a group send to all others at once and reduce alike, in rank order.
///
///     a3,a2         0 1 2   3 4 5                    groups of 3
///                   0 <-> 3   1 <-> 4   2 <-> 5      groups of 2
///
/// Where p has too large a prime factor, ranks are guests (see Seats) of the inner processes.
///
///     c6m2,a2,a2,e6m2    split: each group of 2 reduces to its first, which later has the result
///                        for the other: two more rounds
///     m1g2a3,n1g3a2      merged: 6 sends its part to all of 3 4 5 while these exchange, and in
///                        the last exchange it gets the partial results of one group too
///
/// Needs   any p; stages, if given, that make p processes.
/// Cost    a round for each exchange, two more when split. An exchange of f takes f-1 messages of m
///         each; collapsing in groups of B takes B-1, and so does expanding. R processes merged
///         into G groups take ceil(R/G) in the first exchange, and in the last, with G its groups.
/// Source  [ruefenacht2017], section 4; the cost of a stage is that of section 3.
Schedule build(const Problem& op) {
  const Stages stages = stages_of(op);
  const Seats seats{stages};
  if (seats.seat(op.me).is_guest) return build_guest(seats, op.me);
  return build_inner(stages, seats, op.me);
}

/// The model's sum over the stages: a message of the whole vector to each other process of a group.
Formula formula(const Problem& op) {
  const Stages stages = stages_of(op);
  double received = 0;  // and reduced
  double served = 0;
  for (const int factor : stages.factors) received += factor - 1;
  if (stages.collapsing > 0) {
    received += stages.collapse_base - 1;
    served = stages.collapse_base - 1;
  }
  if (stages.remaining > 0) {
    const auto guests_in_groups_of = [&](int factor) {
      const int groups = stages.inner() / factor;
      return (stages.remaining + groups - 1) / groups;
    };
    received += guests_in_groups_of(stages.factors.front());
    served = guests_in_groups_of(stages.factors.back());
  }
  return {.rounds = stages.rounds(),
          .messages = received + served,
          .sent = received + served,
          .reduced = received};
}

/// All stages up to p = 512; beyond there are too many to make, and those are listed that are best
/// where a message costs as much as the rest of its round, half, a quarter ...
std::vector<std::string> variants(int procs) {
  constexpr int kMadeUpTo = 512;
  std::vector<std::string> variants;
  if (procs <= kMadeUpTo) {
    variants = stage_lists(procs);
  } else {
    for (const double round_cost : {1., 2., 4., 8., 16., 32.}) {
      std::string best = best_stages(procs, round_cost).text();
      if (std::ranges::find(variants, best) == variants.end()) variants.push_back(std::move(best));
    }
  }
  for (std::string& each : variants) each.insert(0, "stages=");
  return variants;
}

}  // namespace

const Algorithm recursive_multiplying{
    .name = "recursive_multiplying",
    .requirement = kAnyProcs,
    .params = kParams,
    .params_requirement = {"stages, if given, that make p", make_all_procs},
    .variants = variants,
    .order_preserving = true,
    .bitwise_identical = true,
    .build = build,
    .formula = formula,
    .formula_text = "sum over stages of f: alpha_p + (f-1) (alpha_r + m beta + m gamma)",
    .source = "[ruefenacht2017] 3 and 4"};

}  // namespace breakeven::kernels::allreduce
