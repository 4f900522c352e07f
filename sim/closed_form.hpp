// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "kernels/algorithm.hpp"
#include "sim/machine.hpp"

namespace breakeven::sim {

/// The time by a source's formula and the parameters of a machine, for a vector of m bytes: R
/// rounds, one for each message where the source states none, M messages, S m bytes sent, C m
/// reduced.
///
///     postal      (M - M1 + f_alpha M1) alpha + (S - S1 + f_beta S1) m beta + C m gamma, M1 and S1
///                 of which go one way: [rabenseifner2004], section 2
///     pipelining  R alpha_p + M alpha_r + S m beta + C m gamma: [ruefenacht2017], equation (3);
///                 R alpha_p + (M - R) alpha_r + ... where first_is_free
///     logp        R (2 o + L) + (M - R) max(o, g) + C m gamma
///     loggp       the same + max(0, S m - M) max(G, O)
///
/// Where parameters depend on the message's size they are those of the mean message.
///
/// @return nothing where the source states less than the machine needs, and for logfp, of which the
///         messages of each round would have to be known
[[nodiscard]] std::optional<Seconds> closed_form(const kernels::Formula& formula, Bytes vector,
                                                 const Machine& machine);

/// The time of an allreduce by ring on nodes of several processes, M nodes of Q: in each of its
/// 2 (p - 1) steps every rank sends c = m/p to the next, and a node's bus carries once each message
/// within the node, each to others and each from others. In rank order that are Q + 1 messages
/// where ranks fill the nodes (seq, or roles by f_SQ) and 2 Q where they are dealt out (rr, or
/// f_RR), of which 1 and Q pass the card.
///
///     2 (p - 1) (2 o + L + c max(copy, bus messages * bus, card messages * card))
///         + (p - 1)/p m gamma
///
/// @see [ricogallego2014], sections III and IV
[[nodiscard]] Seconds ring_on_nodes(const kernels::Problem& problem, Bytes vector,
                                    const TwoLevel& machine);

/// The cost of a round, and of each of its messages, which carry the whole vector and are reduced
/// at the receiver.
struct StageCost {
  Seconds round{};    ///< besides its messages
  Seconds message{};  ///< each
};
[[nodiscard]] std::optional<StageCost> stage_cost(Bytes vector, const Machine& machine);

/// How many messages b a rank best sends at once, for rho = alpha_p / alpha_r: where
/// (rho + b) / ln(b + 1) is least, b = exp(1 + W0((rho - 1) / e)) - 1 by Lambert's W; independent
/// of p. Stages are groups of b + 1.
/// @param rho  at least 0; for the other reading of the source, in which a round's first message
///             has no alpha_r, take rho - 1
/// @see [ruefenacht2017], equation (5)
[[nodiscard]] double best_fan_out(double rho);

}  // namespace breakeven::sim
