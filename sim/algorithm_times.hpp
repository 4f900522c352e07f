// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "core/names.hpp"
#include "kernels/build.hpp"
#include "sim/machine.hpp"
#include "sim/uniform.hpp"

namespace breakeven::sim {

/// How a time came about.
enum class Basis : std::uint8_t { simulated, at_most, formula };
inline constexpr Names<Basis, 3> kBases{
    "basis",
    {{{Basis::simulated, "simulated"}, {Basis::at_most, "at_most"}, {Basis::formula, "formula"}}}};

struct AlgorithmTime {
  Seconds time{};
  Basis basis = Basis::simulated;
};

/// The times of an algorithm on some processes, prepared once for all calls and machines.
class AlgorithmTimes {
 public:
  /// @param most_steps  the messages and local steps of all ranks up to which they are simulated
  /// @throws UsageError when the algorithm can't run the problem
  AlgorithmTimes(const kernels::Algorithm& algorithm, const kernels::Problem& problem,
                 std::size_t most_steps);

  /// The call with a message of this size, as MPI's count describes it.
  [[nodiscard]] kernels::CollectiveCall call_of(Bytes message,
                                                Datatype datatype = Datatype::byte) const;

  /// The time until the last rank is done. Simulated, by two ranks where all are alike and blocks
  /// are of equal length. Where all ranks are too much: at most what two take with all blocks as
  /// long as the longest, if this makes the vector at most 5 % longer or no formula is known; else
  /// the source's formula.
  /// @param call  of the problem that this is made for
  /// @return nothing where it is too much to simulate and no formula is known
  /// @throws Error when ranks wait for each other for ever.
  [[nodiscard]] std::optional<AlgorithmTime> at(const kernels::CollectiveCall& call,
                                                const Machine& machine);
  /// Whether at() has a time, at much less cost.
  [[nodiscard]] bool has_time(const kernels::CollectiveCall& call, const Machine& machine);
  /// When ranks begin apart or are disturbed: simulated, or nothing.
  [[nodiscard]] std::optional<AlgorithmTime> at(const kernels::CollectiveCall& call,
                                                const Machine& machine,
                                                const Conditions& conditions);
  /// When each rank is done then: simulated, or nothing.
  [[nodiscard]] std::optional<std::vector<Ticks>> done(const kernels::CollectiveCall& call,
                                                       const Machine& machine,
                                                       const Conditions& conditions);
  /// The time by the source's formula, if it states enough; of equal counts.
  [[nodiscard]] std::optional<Seconds> stated(const kernels::CollectiveCall& call,
                                              const Machine& machine) const;

 private:
  [[nodiscard]] const kernels::Exchange* twins_on(const Machine& machine);
  [[nodiscard]] bool too_large();
  [[nodiscard]] const kernels::Exchange* all_ranks();

  kernels::Problem problem_;
  const kernels::Algorithm& algorithm_;
  std::size_t most_steps_;
  std::optional<kernels::Formula> formula_{};
  // once they were looked for
  std::optional<std::optional<kernels::Exchange>> twins_{};
  std::optional<std::optional<Uniform>> uniform_{};
  std::optional<kernels::Exchange> exchange_{};
  std::optional<bool> too_large_{};
};

}  // namespace breakeven::sim
