// SPDX-License-Identifier: BSD-3-Clause
#include "sim/closed_form.hpp"

#include <algorithm>
#include <boost/math/special_functions/lambert_w.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "kernels/build.hpp"
#include "kernels/rewrite/rewrite.hpp"

namespace breakeven::sim {

namespace {

/// A formula of which all is known, of a vector.
struct Amounts {
  double rounds = 0;
  double messages = 0;
  double one_way = 0;  // messages
  double sent = 0;     // bytes
  double sent_one_way = 0;
  double reduced = 0;
};

double time_on(const Amounts& all, const Postal& machine) {
  return (all.messages + (machine.f_alpha - 1) * all.one_way) * machine.alpha.value +
         (all.sent + (machine.f_beta - 1) * all.sent_one_way) * machine.beta_per_byte.value;
}

double time_on(const Amounts& all, const Pipelining& machine) {
  const double paid = machine.first_is_free != 0 ? all.messages - all.rounds : all.messages;
  const double bytes_of_rounds = all.messages > 0 ? all.sent * all.rounds / all.messages : 0;
  return all.rounds * machine.alpha_p.value + bytes_of_rounds * machine.latency_per_byte.value +
         paid * machine.alpha_r.value + all.sent * machine.beta_per_byte.value;
}

double time_on(const Amounts& all, const LogP& machine) {
  return all.rounds * (2 * machine.o.value + machine.L.value) +
         (all.messages - all.rounds) * std::max(machine.o.value, machine.g.value);
}

double time_on(const Amounts& all, const LogGP& machine) {
  return time_on(all, LogP{.L = machine.L, .o = machine.o, .g = machine.g}) +
         std::max(all.sent - all.messages, 0.) * std::max(machine.G.value, machine.O.value) +
         (machine.per_receive != 0 ? all.messages * machine.g.value : 0);
}

}  // namespace

std::optional<Seconds> closed_form(const kernels::Formula& formula, Bytes vector,
                                   const Machine& machine) {
  if (!formula.messages || !formula.sent) return std::nullopt;
  const auto bytes = static_cast<double>(vector.value);
  const Amounts all{.rounds = formula.rounds.value_or(*formula.messages),
                    .messages = *formula.messages,
                    .one_way = formula.one_way_messages,
                    .sent = *formula.sent * bytes,
                    .sent_one_way = formula.one_way_sent * bytes,
                    .reduced = formula.reduced.value_or(0) * bytes};
  return std::visit(
      [&]<typename Model>(const Model& model) -> std::optional<Seconds> {
        if constexpr (requires { time_on(all, model); }) {
          return Seconds{time_on(all, model) + all.reduced * model.gamma_per_byte.value};
        } else {
          return std::nullopt;
        }
      },
      machine.at(all.messages > 0 ? all.sent / all.messages : 0));
}

Seconds ring_on_nodes(const kernels::Problem& problem, Bytes vector, const TwoLevel& machine) {
  const int procs = problem.procs;
  std::vector<Rank> with_role(static_cast<std::size_t>(procs));
  for (int rank = 0; rank < procs; ++rank) with_role[static_cast<std::size_t>(rank)] = {rank};
  if (const auto how = problem.params.find(kernels::kReorderRanks.key)) {
    const std::vector<Rank> roles = kernels::roles_of(*how, problem);
    for (int rank = 0; rank < procs; ++rank) {
      const int role = roles[static_cast<std::size_t>(rank)].value;
      with_role[static_cast<std::size_t>(role)] = {rank};
    }
  }
  const auto nodes = static_cast<std::size_t>(problem.placement.nodes(procs));
  std::vector<int> on_bus(nodes, 0);
  std::vector<int> leaves(nodes, 0);
  for (std::size_t role = 0; role < with_role.size(); ++role) {
    const auto node_of = [&](std::size_t of) {
      return static_cast<std::size_t>(
          problem.placement.node_of(with_role[of % with_role.size()], procs));
    };
    const std::size_t from = node_of(role);
    const std::size_t to = node_of(role + 1);
    ++on_bus[from];
    if (from == to) continue;
    ++on_bus[to];
    ++leaves[from];  // a ring comes into a node as often as it leaves it
  }
  const double part = static_cast<double>(vector.value) / procs;
  const int most_leave = std::ranges::max(leaves);
  const double per_byte =
      std::max({machine.copy_per_byte.value, std::ranges::max(on_bus) * machine.bus_per_byte.value,
                most_leave * machine.card_per_byte.value});
  const double latency = (most_leave > 0 ? machine.latency_inter : machine.latency_intra).value;
  const double step = 2 * machine.overhead.value + latency + part * per_byte;
  return {2 * (procs - 1) * step + (procs - 1) * part * machine.gamma_per_byte.value};
}

std::optional<StageCost> stage_cost(Bytes vector, const Machine& machine) {
  const auto round_of = [&](double messages) {
    return closed_form({.rounds = 1, .messages = messages, .sent = messages, .reduced = messages},
                       vector, machine);
  };
  const auto one = round_of(1);
  if (!one) return std::nullopt;
  const double more = round_of(2)->value - one->value;
  return StageCost{.round = {std::max(one->value - more, 0.)}, .message = {more}};
}

double best_fan_out(double rho) {
  const double at = std::max((rho - 1) / std::numbers::e, -1 / std::numbers::e);
  return std::exp(1 + boost::math::lambert_w0(at)) - 1;
}

}  // namespace breakeven::sim
