// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/measurement.hpp"
#include "harness/protocol/measure_plan.hpp"

namespace breakeven::plan {

/// Decides how one launch samples the candidates of one problem: in each round every open candidate
/// takes a block of samples, in shuffled order, so that drift hits all alike. After each round a
/// candidate closes when its median is as certain as the plan asks, when its repetitions or its
/// time are spent, or when it is slower by far than the best.
///
/// It knows neither MPI nor a clock: rank 0 of a worker uses it, and so does a model machine.
class Sampling {
 public:
  /// @param seed  of the order in each round
  Sampling(const protocol::MeasurePlan& plan, std::size_t candidates, std::uint64_t seed);

  /// Repetitions of a candidate.
  struct Block {
    std::size_t candidate = 0;
    int repetitions = 0;
    friend bool operator==(const Block&, const Block&) = default;
  };
  /// The blocks of the next round; none when every candidate is closed.
  [[nodiscard]] std::vector<Block> next_round();

  /// Takes the result of a block: its valid samples, in seconds and in the order measured, and the
  /// time that it took with everything around them. Leading samples of a candidate's first block
  /// that are found to be warm-up do not count.
  void add(const Block& block, std::span<const double> samples, Seconds spent);

  /// The candidate's samples so far, without warm-up.
  [[nodiscard]] std::span<const double> samples(std::size_t candidate) const;
  /// The number of samples at the start of the first block that are warm-up.
  [[nodiscard]] std::size_t warmup(std::size_t candidate) const;
  /// The reason why it was closed; nothing while it is open.
  [[nodiscard]] std::optional<Stop> stop(std::size_t candidate) const;

 private:
  struct Candidate {
    std::vector<double> samples{};
    std::size_t warmup = 0;
    int repetitions = 0;  // made, whether they counted or not
    Seconds spent{};
    std::optional<Stop> stop{};
  };
  [[nodiscard]] int block_of(const Candidate& candidate) const;
  [[nodiscard]] std::optional<Stop> verdict(const Candidate& candidate) const;
  void close_what_is_done();

  protocol::MeasurePlan plan_;
  std::uint64_t seed_;
  std::uint64_t round_ = 0;
  std::vector<Candidate> candidates_;
};

}  // namespace breakeven::plan
