// SPDX-License-Identifier: BSD-3-Clause
#include "harness/protocol/protocol.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.hpp"
#include "harness/protocol/facts_json.hpp"

namespace breakeven::protocol {

constexpr auto fields(std::type_identity<MeasureRequest>) {
  return kPlainFields<&MeasureRequest::seed, &MeasureRequest::measure, &MeasureRequest::first_id,
                      &MeasureRequest::cases>;
}
constexpr auto fields(std::type_identity<CalibrateRequest>) { return std::tuple{}; }
constexpr auto fields(std::type_identity<InspectRequest>) {
  return std::tuple{Field<&InspectRequest::window>{.least = 0.001, .most = 60}};
}
constexpr auto fields(std::type_identity<ClocksRequest>) {
  return kPlainFields<&ClocksRequest::clocks, &ClocksRequest::timer, &ClocksRequest::duration>;
}
constexpr auto fields(std::type_identity<CapabilitiesRequest>) { return std::tuple{}; }
constexpr auto fields(std::type_identity<ReadBackRequest>) {
  return kPlainFields<&ReadBackRequest::file, &ReadBackRequest::queries>;
}

constexpr auto fields(std::type_identity<JobInfo>) {
  return kPlainFields<&JobInfo::library_version, &JobInfo::hosts, &JobInfo::nodes,
                      &JobInfo::packages, &JobInfo::numa, &JobInfo::shares_memory,
                      &JobInfo::nodes_on_kernel, &JobInfo::cpu, &JobInfo::cores, &JobInfo::kernel,
                      &JobInfo::governor, &JobInfo::settings>;
}
constexpr auto fields(std::type_identity<Ready>) { return std::tuple{}; }
constexpr auto fields(std::type_identity<CaseBegin>) {
  return kPlainFields<&CaseBegin::id, &CaseBegin::doing, &CaseBegin::expected>;
}
constexpr auto fields(std::type_identity<CaseDone>) {
  return kPlainFields<&CaseDone::id, &CaseDone::result>;
}
constexpr auto fields(std::type_identity<CaseFailed>) {
  return kPlainFields<&CaseFailed::id, &CaseFailed::reason>;
}
constexpr auto fields(std::type_identity<LaunchEnd>) { return std::tuple{}; }
constexpr auto fields(std::type_identity<ClockSynced>) {
  return kPlainFields<&ClockSynced::clock, &ClockSynced::duration>;
}
constexpr auto fields(std::type_identity<ClockOffset>) {
  return kPlainFields<&ClockOffset::clock, &ClockOffset::rank, &ClockOffset::elapsed,
                      &ClockOffset::offset, &ClockOffset::round_trip, &ClockOffset::truth>;
}
constexpr auto fields(std::type_identity<ReadBack>) {
  return kPlainFields<&ReadBack::loaded, &ReadBack::answers, &ReadBack::init_s,
                      &ReadBack::init_bytes>;
}
constexpr auto fields(std::type_identity<Calibrated>) {
  return std::tuple{Field<&Calibrated::times>{.name = "time_s"}};
}

namespace {

constexpr std::string_view kFormat = "breakeven-request-7";

/// The kinds of a variant by name, in its order.
template <typename Variant>
struct Kinds {
  std::string_view key;
  std::array<std::string_view, std::variant_size_v<Variant>> names;

  [[nodiscard]] Json write(const Variant& which) const {
    Json json{{key, names.at(which.index())}};
    json.update(std::visit([](const auto& each) { return json_of(each); }, which));
    return json;
  }

  [[nodiscard]] Variant read(const Json& json) const {
    const auto name = json.at(std::string{key}).template get<std::string>();
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      std::optional<Variant> found;
      ((name == names[Index] &&
        (found = value_in<std::variant_alternative_t<Index, Variant>>(json), true)) ||
       ...);
      if (!found) {
        throw Error(fmt::format("no {} '{}'; known: {}", key, name, fmt::join(names, " ")));
      }
      return *std::move(found);
    }(std::make_index_sequence<std::variant_size_v<Variant>>{});
  }
};

constexpr Kinds<WorkerRequest> kTasks{
    "task", {"measure", "calibrate", "inspect", "clocks", "capabilities", "read_back"}};
constexpr Kinds<WorkerEvent> kEvents{
    "event",
    {"job_info", "ready", "case_begin", "case_done", "case_failed", "launch_end", "node",
     "clock_synced", "clock_offset", "capabilities", "read_back", "calibrated"}};

/// Reads a line; every failure becomes an Error on `what`.
template <typename Read>
auto read_line(std::string_view what, std::string_view line, Read read) {
  try {
    return read(Json::parse(line));
  } catch (const Json::exception& error) {
    throw Error(fmt::format("{}: {}", what, error.what()));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", what, error.what()));
  }
}

}  // namespace

std::string to_json(const WorkerRequest& request) {
  Json json = kTasks.write(request);
  json["format"] = kFormat;
  return line_of(json);
}

std::string to_json(const WorkerEvent& event) { return line_of(kEvents.write(event)); }

WorkerRequest parse_request(std::string_view line) {
  return read_line("worker request", line, [](const Json& json) {
    if (const auto format = json.at("format").get<std::string>(); format != kFormat) {
      throw Error(fmt::format("'format' is '{}', not '{}'", format, kFormat));
    }
    return kTasks.read(json);
  });
}

WorkerEvent parse_event(std::string_view line) {
  return read_line("worker event", line, [](const Json& json) { return kEvents.read(json); });
}

}  // namespace breakeven::protocol
