// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>

#include "core/names.hpp"
#include "kernels/build.hpp"
#include "sim/machine.hpp"
#include "sim/uniform.hpp"

namespace breakeven::sim {

/// How a predicted time came about.
enum class Basis : std::uint8_t { simulated, at_most, formula };
inline constexpr Names<Basis, 3> kBases{
    "basis",
    {{{Basis::simulated, "simulated"}, {Basis::at_most, "at_most"}, {Basis::formula, "formula"}}}};

struct Prediction {
  Seconds time{};
  Basis basis = Basis::simulated;
};

/// An algorithm on some processes, prepared once for all sizes and machines.
class Predictor {
 public:
  /// @param most_steps  the messages and local steps of all ranks up to which they are simulated
  /// @param datatype    whose elements no block divides
  /// @throws UsageError when the algorithm can't run the problem
  Predictor(const kernels::Algorithm& algorithm, const kernels::Problem& problem,
            std::size_t most_steps, Datatype datatype = Datatype::byte);

  /// The time until the last rank is done. Simulated, by two ranks where all are alike and blocks
  /// are of equal length. Where all ranks are too much: at most what two take with all blocks as
  /// long as the longest, if this makes the vector at most 5 % longer or no formula is known; else
  /// the source's formula.
  /// @param message  as MPI's count describes it
  /// @return nothing where it is too much to simulate and no formula is known
  /// @throws Error when ranks wait for each other for ever.
  [[nodiscard]] std::optional<Prediction> at(Bytes message, const Machine& machine);
  /// When ranks begin apart or are disturbed: simulated, or nothing.
  [[nodiscard]] std::optional<Prediction> at(Bytes message, const Machine& machine,
                                             const Conditions& conditions);
  /// What the source's formula says, if it states enough.
  [[nodiscard]] std::optional<Seconds> stated(Bytes message, const Machine& machine) const;

 private:
  [[nodiscard]] kernels::CollectiveCall call_of(Bytes message) const;
  [[nodiscard]] const kernels::Exchange* twins();
  [[nodiscard]] const kernels::Exchange* all_ranks();

  kernels::Problem problem_;
  const kernels::Algorithm& algorithm_;
  std::size_t most_steps_;
  Datatype datatype_;
  // once they were looked for
  std::optional<std::optional<kernels::Exchange>> twins_{};
  std::optional<std::optional<Uniform>> uniform_{};
  std::optional<kernels::Exchange> exchange_{};
  bool too_large_ = false;
};

}  // namespace breakeven::sim
