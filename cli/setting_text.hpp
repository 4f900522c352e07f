// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "core/case.hpp"
#include "core/program_time.hpp"
#include "core/synchronisation.hpp"
#include "harness/plan/shard.hpp"
#include "stats/stopping.hpp"

namespace breakeven::cli {

/// How each type that a setting can have is read from text; the second argument only names the
/// type. Every one throws UsageError naming the text and what is possible.
[[nodiscard]] std::string read(const std::string& text, std::type_identity<std::string>);
[[nodiscard]] int read(const std::string& text, std::type_identity<int>);
[[nodiscard]] std::uint64_t read(const std::string& text, std::type_identity<std::uint64_t>);
[[nodiscard]] bool read(const std::string& text, std::type_identity<bool>);
[[nodiscard]] double read(const std::string& text, std::type_identity<double>);
[[nodiscard]] Seconds read(const std::string& text, std::type_identity<Seconds>);
[[nodiscard]] Rank read(const std::string& text, std::type_identity<Rank>);
[[nodiscard]] Mapping read(const std::string& text, std::type_identity<Mapping>);
/// "2/8": the second of eight.
[[nodiscard]] plan::Shard read(const std::string& text, std::type_identity<plan::Shard>);
/// "allreduce/4/seq/64K=0.18,barrier/4/seq=0.02": the message is left out where it is not known.
[[nodiscard]] ProgramTime read(const std::string& text, std::type_identity<ProgramTime>);
/// The names of each enumeration that a setting can be.
constexpr const auto& names(std::type_identity<ClockSync>) { return kClockSyncs; }
constexpr const auto& names(std::type_identity<Collective>) { return kCollectives; }
constexpr const auto& names(std::type_identity<Counts>) { return kCounts; }
constexpr const auto& names(std::type_identity<Datatype>) { return kDatatypes; }
constexpr const auto& names(std::type_identity<Op>) { return kOps; }
constexpr const auto& names(std::type_identity<RunTime>) { return kRunTimes; }
constexpr const auto& names(std::type_identity<SyncMethod>) { return kSyncMethods; }
constexpr const auto& names(std::type_identity<stats::StopRule>) { return stats::kStopRules; }
constexpr const auto& names(std::type_identity<Timer>) { return kTimers; }

template <typename Enum>
  requires std::is_enum_v<Enum>
[[nodiscard]] Enum read(const std::string& text, std::type_identity<Enum> type) {
  return names(type).parse(text);
}
/// Lists have commas, and name each thing once however often it is asked for. Texts are algorithms,
/// whose parameters have commas too: see split_algorithms.
[[nodiscard]] std::vector<std::string> read(const std::string& text,
                                            std::type_identity<std::vector<std::string>>);
[[nodiscard]] std::vector<Collective> read(const std::string& text,
                                           std::type_identity<std::vector<Collective>>);
[[nodiscard]] std::vector<Counts> read(const std::string& text,
                                       std::type_identity<std::vector<Counts>>);
/// "2,3,4", "2:8" or "2..8" for every number from 2 to 8.
[[nodiscard]] std::vector<int> read(const std::string& text, std::type_identity<std::vector<int>>);
/// "8,1K,1M", "8:1M" for 8, 16, 32, ... up to 1M; in rising order.
[[nodiscard]] std::vector<Bytes> read(const std::string& text,
                                      std::type_identity<std::vector<Bytes>>);

/// The text that `read` takes for this value.
[[nodiscard]] std::string written(const std::string& value);
[[nodiscard]] std::string written(int value);
[[nodiscard]] std::string written(std::uint64_t value);
[[nodiscard]] std::string written(bool value);
[[nodiscard]] std::string written(double value);
[[nodiscard]] std::string written(Seconds value);
[[nodiscard]] std::string written(Rank value);
[[nodiscard]] std::string written(const Mapping& value);
[[nodiscard]] std::string written(plan::Shard value);
[[nodiscard]] std::string written(Bytes value);

template <typename Enum>
  requires std::is_enum_v<Enum>
[[nodiscard]] std::string written(Enum value) {
  return std::string{names(std::type_identity<Enum>{}).of(value)};
}

[[nodiscard]] std::string written(const ProgramTime& time);

/// Doubling sizes as a range, "8:1M".
[[nodiscard]] std::string written(const std::vector<Bytes>& sizes);

template <typename Item>
[[nodiscard]] std::string written(const std::vector<Item>& items) {
  std::string text;
  for (const Item& item : items) text += (text.empty() ? "" : ",") + written(item);
  return text;
}

}  // namespace breakeven::cli
