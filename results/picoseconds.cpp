// SPDX-License-Identifier: BSD-3-Clause
#include "results/picoseconds.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace breakeven::results {

namespace {

constexpr double kPerSecond = 1e12;
constexpr std::uint8_t kMore = 0x80;  // set on all bytes of a number but its last

std::int64_t picoseconds(Seconds duration) {
  const double exact = duration.value * kPerSecond;
  // Also false for what is not a number. 2^63 is the first whole number that doesn't fit.
  if (!(exact >= 0 && exact < 0x1p63)) {
    throw Error(fmt::format("{} s is not a duration", duration.value));
  }
  return std::llround(exact);
}

constexpr std::uint64_t zigzag(std::int64_t number) {
  return (static_cast<std::uint64_t>(number) << 1U) ^ static_cast<std::uint64_t>(number >> 63);
}

constexpr std::int64_t unzigzag(std::uint64_t code) {
  return static_cast<std::int64_t>((code >> 1U) ^ (~(code & 1U) + 1));
}

[[noreturn]] void refuse() { throw Error("the stored durations are damaged"); }

/// Takes one LEB128 number off the front.
std::uint64_t take_number(std::span<const std::uint8_t>& bytes) {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const std::uint8_t byte = bytes.front();
    bytes = bytes.subspan(1);
    const std::uint64_t bits = byte & ~kMore & 0xffU;
    if (bits << shift >> shift != bits) refuse();
    number |= bits << shift;
    if ((byte & kMore) == 0) return number;
  }
  refuse();
}

}  // namespace

std::vector<std::uint8_t> encode_picoseconds(std::span<const Seconds> durations) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(durations.size() * 4);
  std::int64_t last = 0;
  for (const Seconds duration : durations) {
    const std::int64_t next = picoseconds(duration);
    std::uint64_t code = zigzag(next - last);
    for (; code >= kMore; code >>= 7U) bytes.push_back(static_cast<std::uint8_t>(code | kMore));
    bytes.push_back(static_cast<std::uint8_t>(code));
    last = next;
  }
  return bytes;
}

std::vector<Seconds> decode_picoseconds(std::span<const std::uint8_t> bytes, std::size_t count) {
  if (count > bytes.size()) refuse();  // before room is made for a wild number
  std::vector<Seconds> durations;
  durations.reserve(count);
  std::int64_t last = 0;
  while (!bytes.empty()) {
    const std::int64_t difference = unzigzag(take_number(bytes));
    const bool fits = difference >= 0
                          ? last <= std::numeric_limits<std::int64_t>::max() - difference
                          : last + difference >= 0;
    if (!fits) refuse();
    last += difference;
    durations.push_back({static_cast<double>(last) / kPerSecond});
  }
  if (durations.size() != count) refuse();
  return durations;
}

}  // namespace breakeven::results
