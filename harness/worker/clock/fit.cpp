// SPDX-License-Identifier: BSD-3-Clause
#include "harness/worker/clock/fit.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace breakeven::worker {

namespace {

constexpr double kLeastRoundTrip = 1e-9;  // the resolution of a clock

double weight(const OffsetReading& reading) {
  const double uncertainty = std::max(reading.round_trip, kLeastRoundTrip);
  return 1 / (uncertainty * uncertainty);
}

}  // namespace

ClockModel fit_line(std::span<const OffsetReading> readings) {
  double total = 0;
  double at = 0;
  double offset = 0;
  for (const OffsetReading& reading : readings) {
    total += weight(reading);
    at += weight(reading) * reading.at;
    offset += weight(reading) * reading.offset;
  }
  at /= total;
  offset /= total;
  // About the means: far from the clock's origin, sums of squares would lose the spread.
  double spread = 0;
  double common = 0;
  for (const OffsetReading& reading : readings) {
    spread += weight(reading) * (reading.at - at) * (reading.at - at);
    common += weight(reading) * (reading.at - at) * (reading.offset - offset);
  }
  const double slope = common / spread;
  return {.slope = slope, .intercept = offset - slope * at};
}

ClockModel learn_model(const GlobalClock& clock, Rank server, const executor::Communicator& comm) {
  constexpr int kReadings = 100;
  constexpr std::size_t kLeast = 10;
  constexpr int kExchanges = 5;  // for a reading
  constexpr double kTime = 0.2;
  std::vector<OffsetReading> readings;
  const double begin = clock.now();
  for (int reading = 0; reading < kReadings; ++reading) {
    const double due = begin + kTime * reading / kReadings;
    const double now = clock.now();
    if (now < due) std::this_thread::sleep_for(std::chrono::duration<double>{due - now});
    if (readings.size() >= kLeast && now > begin + kTime) break;
    readings.push_back(read_offset(clock, server, kExchanges, comm));
  }
  return fit_line(readings);
}

}  // namespace breakeven::worker
