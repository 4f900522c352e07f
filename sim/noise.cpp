// SPDX-License-Identifier: BSD-3-Clause
#include "sim/noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/units.hpp"

namespace breakeven::sim {

namespace {

constexpr std::string_view kForms =
    "exponential:rate_per_s=NUMBER,mean_s=SECONDS[,seed=NUMBER] or trace:FILE[,seed=NUMBER]";

std::optional<double> number(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  text = text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
  return number_in(text, 0.0);
}

/// @throws UsageError naming file and line.
std::vector<Span> read_trace(const std::string& file) {
  const std::string text = read_file(file);
  std::string_view rest = text;
  std::vector<Span> detours;
  for (int line = 1; !rest.empty(); ++line) {
    const std::string_view whole = take_part(rest, '\n');
    if (whole.empty() || whole.starts_with('#')) continue;
    std::string_view columns = whole;
    const auto begin = number(take_part(columns, ','));
    const auto length = number(columns);
    if (!begin || !length) {
      throw UsageError(
          fmt::format("{}:{}: '{}' is no detour; a line is BEGIN_S,DURATION_S", file, line, whole));
    }
    const Ticks from = ticks_of({*begin});
    if (!detours.empty() && from < detours.back().end) {
      throw UsageError(
          fmt::format("{}:{}: a detour that begins before the one above has ended", file, line));
    }
    detours.push_back({from, from + ticks_of({*length})});
  }
  const bool ends_late = !detours.empty() && detours.front().begin > 0;
  if (!ends_late) {
    throw UsageError(
        fmt::format("{}: no detours, or one at 0 s, before which there is no time", file));
  }
  return detours;
}

/// Uniform in (0, 1]. The generator is splitmix64, whose state is one number for each rank.
double uniform(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return (static_cast<double>((z ^ (z >> 31U)) >> 11U) + 1) * 0x1p-53;
}

Ticks exponential(std::uint64_t& state, double mean_s) {
  return std::llround(-std::log(uniform(state)) * mean_s * kTicksPerSecond);
}

}  // namespace

Noise parse_noise(std::string_view text) {
  const auto refuse = [&](std::string_view part) {
    throw UsageError(fmt::format("noise '{}': not '{}'; possible: {}", text, part, kForms));
  };
  std::string_view rest = text;
  const std::string_view kind = take_part(rest, ':');
  if (kind != "exponential" && kind != "trace") refuse(kind);
  Noise noise;
  if (kind == "trace") noise.recorded = read_trace(std::string{take_part(rest, ',')});
  while (!rest.empty()) {
    const std::string_view part = take_part(rest, ',');
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string_view key = part.substr(0, equals);
    const auto value = number(part.substr(std::min(equals + 1, part.size())));
    if (!value) refuse(part);
    if (key == "seed") {
      noise.seed = static_cast<std::uint64_t>(*value);
    } else if (key == "rate_per_s" && kind == "exponential") {
      noise.rate_per_s = *value;
    } else if (key == "mean_s" && kind == "exponential") {
      noise.mean = {*value};
    } else {
      refuse(part);
    }
  }
  const double detour = noise.rate_per_s * noise.mean.value;  // for a second that has none
  constexpr double kMostRate = 1e9;
  constexpr double kMostDetour = 10;
  if (kind == "exponential" &&
      !(detour > 0 && detour <= kMostDetour && noise.rate_per_s <= kMostRate)) {
    throw UsageError(fmt::format(
        "noise '{}': rate_per_s and mean_s are above 0, rate_per_s up to 1e9, their product up to "
        "10; possible: {}",
        text, kForms));
  }
  return noise;
}

Detours::Detours(Noise noise, int procs)
    : noise_{std::move(noise)}, ranks_(static_cast<std::size_t>(procs)) {
  std::uint64_t rank = 0;
  for (RankState& state : ranks_) {
    state.random = noise_.seed + (++rank << 32U);
    uniform(state.random);
    if (noise_.recorded.empty()) {
      go_on(state);
      continue;
    }
    const Ticks phase = static_cast<Ticks>((1 - uniform(state.random)) *
                                           static_cast<double>(noise_.recorded.back().end));
    const auto first = std::ranges::upper_bound(noise_.recorded, phase, {}, &Span::end);
    state.place = static_cast<std::size_t>(first - noise_.recorded.begin());
    state.repeated = -phase;
    state.detour = {first->begin - phase, first->end - phase};
  }
}

void Detours::go_on(RankState& state) const {
  if (noise_.recorded.empty()) {
    state.detour.begin = state.detour.end + exponential(state.random, 1 / noise_.rate_per_s);
    state.detour.end = state.detour.begin + exponential(state.random, noise_.mean.value);
    return;
  }
  if (++state.place == noise_.recorded.size()) {
    state.place = 0;
    state.repeated += noise_.recorded.back().end;
  }
  const Span& next = noise_.recorded[state.place];
  state.detour = {next.begin + state.repeated, next.end + state.repeated};
}

Ticks Detours::end_of(int rank, Ticks begin, Ticks work) {
  RankState& state = ranks_[static_cast<std::size_t>(rank)];
  // A detour that begins as the work ends comes after it.
  while (state.detour.begin < begin + work || state.detour.begin <= begin) {
    work -= std::max<Ticks>(state.detour.begin - begin, 0);
    begin = std::max(begin, state.detour.end);
    go_on(state);
  }
  return begin + work;
}

}  // namespace breakeven::sim
