// SPDX-License-Identifier: BSD-3-Clause
#include "harness/protocol/protocol.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.hpp"
#include "harness/protocol/capabilities_json.hpp"
#include "harness/protocol/facts_json.hpp"

namespace breakeven::protocol {

namespace {

using nlohmann::json;

constexpr std::string_view kFormat = "breakeven-request-4";
constexpr std::string_view kMeasureTask = "measure";
constexpr std::string_view kCalibrateTask = "calibrate";
constexpr std::string_view kInspectTask = "inspect";
constexpr std::string_view kClocksTask = "clocks";
constexpr std::string_view kCapabilitiesTask = "capabilities";
constexpr std::string_view kReadBackTask = "read_back";

json json_of(const MeasurePlan& plan) {
  return {{"sync", kSyncMethods.of(plan.sync)},
          {"clock_sync", kClockSyncs.of(plan.clock_sync)},
          {"timer", kTimers.of(plan.timer)},
          {"run_time", kRunTimes.of(plan.run_time)},
          {"stop_rule", stats::kStopRules.of(plan.target_ci.rule)},
          {"target_ci", plan.target_ci.threshold},
          {"window", plan.target_ci.window},
          {"repetitions", plan.repetitions},
          {"min_repetitions", plan.min_repetitions},
          {"min_time_s", plan.min_time.value},
          {"case_budget_s", plan.case_budget.value},
          {"batch", plan.batch},
          {"racing", plan.racing}};
}

json json_of(const Case& what) {
  return {{"collective", kCollectives.of(what.collective)},
          {"algorithm", what.algorithm},
          {"params", what.params},
          {"procs", what.procs},
          {"nodes", what.nodes},
          {"procs_per_node", what.procs_per_node},
          {"mapping", to_text(what.mapping)},
          {"message_bytes", what.message.value},
          {"datatype", kDatatypes.of(what.datatype)},
          {"op", kOps.of(what.op)},
          {"root", what.root.value},
          {"counts", kCounts.of(what.counts)}};
}

/// nlohmann-json rounds and wraps numbers that do not fit; here they are errors.
int int_at(const json& object, const char* key, int least) {
  const json& value = object.at(key);
  if (value.is_number_integer() && value >= least && value <= std::numeric_limits<int>::max()) {
    return value.get<int>();
  }
  throw Error(
      fmt::format("'{}' is {}, not a whole number of at least {}", key, value.dump(), least));
}

std::string text_at(const json& object, const char* key) {
  return object.at(key).get<std::string>();
}

double number_at(const json& object, const char* key) {
  const auto value = object.at(key).get<double>();
  if (!(value >= 0)) throw Error(fmt::format("'{}' is {}, less than 0", key, value));
  return value;
}

MeasurePlan plan_of(const json& object) {
  return {.sync = kSyncMethods.parse(text_at(object, "sync")),
          .clock_sync = kClockSyncs.parse(text_at(object, "clock_sync")),
          .timer = kTimers.parse(text_at(object, "timer")),
          .run_time = kRunTimes.parse(text_at(object, "run_time")),
          .target_ci = {.rule = stats::kStopRules.parse(text_at(object, "stop_rule")),
                        .threshold = number_at(object, "target_ci"),
                        .window = int_at(object, "window", 2)},
          .repetitions = int_at(object, "repetitions", 1),
          .min_repetitions = int_at(object, "min_repetitions", 1),
          .min_time = {number_at(object, "min_time_s")},
          .case_budget = {number_at(object, "case_budget_s")},
          .batch = int_at(object, "batch", 1),
          .racing = object.at("racing").get<bool>()};
}

Case case_of(const json& object) {
  return {.collective = kCollectives.parse(text_at(object, "collective")),
          .algorithm = text_at(object, "algorithm"),
          .params = text_at(object, "params"),
          .procs = int_at(object, "procs", 1),
          .nodes = int_at(object, "nodes", 1),
          .procs_per_node = int_at(object, "procs_per_node", 1),
          .mapping = Mapping::parse(text_at(object, "mapping")),
          .message = {object.at("message_bytes").get<std::int64_t>()},
          .datatype = kDatatypes.parse(text_at(object, "datatype")),
          .op = kOps.parse(text_at(object, "op")),
          .root = {int_at(object, "root", 0)},
          .counts = kCounts.parse(text_at(object, "counts"))};
}

MeasureRequest measure_request_of(const json& object) {
  MeasureRequest request{.seed = object.at("seed").get<std::uint64_t>(),
                         .measure = plan_of(object.at("measure")),
                         .first_id = int_at(object, "first_id", 0),
                         .cases = {}};
  for (const json& element : object.at("cases")) request.cases.push_back(case_of(element));
  return request;
}

InspectRequest inspect_request_of(const json& object) {
  const InspectRequest request{.window = {object.at("window_s").get<double>()}};
  constexpr double kLongest = 60;
  if (request.window.value > 0 && request.window.value <= kLongest) return request;
  throw Error(
      fmt::format("'window_s' is {}, not above 0 and at most {}", request.window.value, kLongest));
}

ClocksRequest clocks_request_of(const json& object) {
  ClocksRequest request{.clocks = {},
                        .timer = kTimers.parse(text_at(object, "timer")),
                        .duration = {object.at("duration_s").get<double>()}};
  for (const json& name : object.at("clocks")) {
    request.clocks.push_back(kClockSyncs.parse(name.get<std::string>()));
  }
  return request;
}

ReadBackRequest read_back_request_of(const json& object) {
  ReadBackRequest request{.file = text_at(object, "file"), .queries = {}};
  for (const json& query : object.at("queries")) request.queries.push_back(case_of(query));
  return request;
}

WorkerRequest request_of(const json& object) {
  if (const std::string format = text_at(object, "format"); format != kFormat) {
    throw Error(fmt::format("'format' is '{}', not '{}'", format, kFormat));
  }
  const std::string task = text_at(object, "task");
  if (task == kMeasureTask) return measure_request_of(object);
  if (task == kCalibrateTask) return CalibrateRequest{};
  if (task == kInspectTask) return inspect_request_of(object);
  if (task == kClocksTask) return clocks_request_of(object);
  if (task == kCapabilitiesTask) return CapabilitiesRequest{};
  if (task == kReadBackTask) return read_back_request_of(object);
  throw Error(fmt::format("no task '{}'; known: {} {} {} {} {} {}", task, kMeasureTask,
                          kCalibrateTask, kInspectTask, kClocksTask, kCapabilitiesTask,
                          kReadBackTask));
}

json json_of(const MeasureRequest& request) {
  json cases = json::array();
  for (const Case& what : request.cases) cases.push_back(json_of(what));
  return {{"task", kMeasureTask},
          {"seed", request.seed},
          {"measure", json_of(request.measure)},
          {"first_id", request.first_id},
          {"cases", std::move(cases)}};
}

json json_of(const CalibrateRequest&) { return {{"task", kCalibrateTask}}; }

json json_of(const InspectRequest& request) {
  return {{"task", kInspectTask}, {"window_s", request.window.value}};
}

json json_of(const ClocksRequest& request) {
  json clocks = json::array();
  for (const ClockSync clock : request.clocks) clocks.push_back(kClockSyncs.of(clock));
  return {{"task", kClocksTask},
          {"clocks", std::move(clocks)},
          {"timer", kTimers.of(request.timer)},
          {"duration_s", request.duration.value}};
}

json json_of(const CapabilitiesRequest&) { return {{"task", kCapabilitiesTask}}; }

json json_of(const ReadBackRequest& request) {
  json queries = json::array();
  for (const Case& query : request.queries) queries.push_back(json_of(query));
  return {{"task", kReadBackTask}, {"file", request.file}, {"queries", std::move(queries)}};
}

json json_of(const JobInfo& job_info) {
  return {{"event", "job_info"},
          {"library_version", job_info.library_version},
          {"hosts", job_info.hosts},
          {"nodes", job_info.nodes},
          {"packages", job_info.packages},
          {"numa", job_info.numa},
          {"nodes_on_kernel", job_info.nodes_on_kernel},
          {"cpu", job_info.cpu},
          {"cores", job_info.cores},
          {"kernel", job_info.kernel},
          {"governor", job_info.governor},
          {"settings", to_text(job_info.settings)}};
}

json json_of(const Ready&) { return {{"event", "ready"}}; }

json json_of(const CaseBegin& begin) {
  return {{"event", "case_begin"},
          {"id", begin.id},
          {"doing", begin.doing},
          {"expected_s", begin.expected.value}};
}

std::vector<double> numbers(const std::vector<Seconds>& durations) {
  std::vector<double> numbers;
  numbers.reserve(durations.size());
  for (const Seconds duration : durations) numbers.push_back(duration.value);
  return numbers;
}

json json_of(const CaseDone& done) {
  const CaseResult& result = done.result;
  const RankMeans means = result.rank_means.value_or(RankMeans{});
  return {{"event", "case_done"},
          {"id", done.id},
          {"warmups", result.warmups},
          {"invalid", result.invalid},
          {"stop", kStops.of(result.stop.value_or(Stop::repetitions))},
          {"local_s", numbers(result.local)},
          {"global_s", numbers(result.global)},
          {"rank_mean_min_s", means.min.value},
          {"rank_mean_avg_s", means.avg.value},
          {"rank_mean_max_s", means.max.value}};
}

json json_of(const CaseFailed& failed) {
  return {{"event", "case_failed"}, {"id", failed.id}, {"reason", failed.reason}};
}

json json_of(const Calibrated& calibrated) {
  json object{{"event", "calibrated"}};
  for (const auto& [probe, time] : calibrated.times) {
    object["time_s"][std::string{kProbes.of(probe)}] = time.value;
  }
  return object;
}

json json_of(const LaunchEnd&) { return {{"event", "launch_end"}}; }

json json_of(const LibraryCapabilities& capabilities) {
  return {{"event", "capabilities"}, {"capabilities", capabilities}};
}

json json_of(const NodeFacts& facts) { return {{"event", "node"}, {"facts", facts}}; }

std::vector<Seconds> durations_at(const json& object, const char* key) {
  std::vector<Seconds> durations;
  for (const json& duration : object.at(key)) durations.push_back({duration.get<double>()});
  return durations;
}

json json_of(const ClockSynced& synced) {
  return {{"event", "clock_synced"},
          {"clock", kClockSyncs.of(synced.clock)},
          {"duration_s", synced.duration.value}};
}

json json_of(const ClockOffset& offset) {
  json object{{"event", "clock_offset"},
              {"clock", kClockSyncs.of(offset.clock)},
              {"rank", offset.rank},
              {"elapsed_s", offset.elapsed.value},
              {"offset_s", offset.offset.value},
              {"round_trip_s", offset.round_trip.value}};
  if (offset.truth) object["truth_s"] = offset.truth->value;
  return object;
}

json json_of(const ReadBack& read) {
  return {{"event", "read_back"},
          {"loaded", read.loaded},
          {"answers", read.answers},
          {"init_s", read.init_s},
          {"init_bytes", read.init_bytes}};
}

Calibrated calibrated_of(const json& object) {
  Calibrated calibrated;
  for (const auto& [probe, time] : object.at("time_s").items()) {
    calibrated.times[kProbes.parse(probe)] = {time.get<double>()};
  }
  return calibrated;
}

CaseDone done_of(const json& object) {
  return {.id = int_at(object, "id", 0),
          .result = {.local = durations_at(object, "local_s"),
                     .global = durations_at(object, "global_s"),
                     .warmups = int_at(object, "warmups", 0),
                     .invalid = int_at(object, "invalid", 0),
                     .stop = kStops.parse(text_at(object, "stop")),
                     .rank_means = RankMeans{.min = {number_at(object, "rank_mean_min_s")},
                                             .avg = {number_at(object, "rank_mean_avg_s")},
                                             .max = {number_at(object, "rank_mean_max_s")}}}};
}

ClockSynced clock_synced_of(const json& object) {
  return {.clock = kClockSyncs.parse(text_at(object, "clock")),
          .duration = {object.at("duration_s").get<double>()}};
}

ClockOffset clock_offset_of(const json& object) {
  ClockOffset offset{.clock = kClockSyncs.parse(text_at(object, "clock")),
                     .rank = int_at(object, "rank", 0),
                     .elapsed = {object.at("elapsed_s").get<double>()},
                     .offset = {object.at("offset_s").get<double>()},
                     .round_trip = {object.at("round_trip_s").get<double>()},
                     .truth = {}};
  if (object.contains("truth_s")) offset.truth = Seconds{object.at("truth_s").get<double>()};
  return offset;
}

WorkerEvent event_of(const json& object) {
  const std::string event = text_at(object, "event");
  if (event == "job_info") {
    return JobInfo{.library_version = text_at(object, "library_version"),
                   .hosts = object.at("hosts").get<std::vector<std::string>>(),
                   .nodes = object.at("nodes").get<std::vector<int>>(),
                   .packages = object.at("packages").get<std::vector<int>>(),
                   .numa = object.at("numa").get<std::vector<int>>(),
                   .nodes_on_kernel = int_at(object, "nodes_on_kernel", 1),
                   .cpu = text_at(object, "cpu"),
                   .cores = int_at(object, "cores", 1),
                   .kernel = text_at(object, "kernel"),
                   .governor = text_at(object, "governor"),
                   .settings = parse_library_settings(text_at(object, "settings"))};
  }
  if (event == "ready") return Ready{};
  if (event == "case_begin") {
    return CaseBegin{.id = int_at(object, "id", 0),
                     .doing = text_at(object, "doing"),
                     .expected = {number_at(object, "expected_s")}};
  }
  if (event == "case_done") return done_of(object);
  if (event == "case_failed") return CaseFailed{int_at(object, "id", 0), text_at(object, "reason")};
  if (event == "calibrated") return calibrated_of(object);
  if (event == "launch_end") return LaunchEnd{};
  if (event == "capabilities") return object.at("capabilities").get<LibraryCapabilities>();
  if (event == "node") return object.at("facts").get<NodeFacts>();
  if (event == "clock_synced") return clock_synced_of(object);
  if (event == "clock_offset") return clock_offset_of(object);
  if (event == "read_back") {
    return ReadBack{.loaded = object.at("loaded").get<bool>(),
                    .answers = object.at("answers").get<std::vector<std::string>>(),
                    .init_s = object.at("init_s").get<double>(),
                    .init_bytes = object.at("init_bytes").get<std::int64_t>()};
  }
  throw Error(
      fmt::format("no event '{}'; known: job_info ready case_begin case_done case_failed "
                  "calibrated launch_end node clock_synced clock_offset capabilities read_back",
                  event));
}

/// Parses `text` and lets `read` take it apart; whatever goes wrong becomes an Error on `what`.
template <typename Read>
auto read_json(std::string_view what, std::string_view text, Read read) {
  try {
    return read(json::parse(text));
  } catch (const json::exception& error) {
    throw Error(fmt::format("{}: {}", what, error.what()));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", what, error.what()));
  }
}

/// Text from outside (a host's name, a processor's) need not be UTF-8; what is not, is marked.
std::string line_of(const json& object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string to_json(const WorkerRequest& request) {
  json object = std::visit([](const auto& which) { return json_of(which); }, request);
  object["format"] = kFormat;
  return line_of(object);
}

std::string to_json(const WorkerEvent& event) {
  return line_of(std::visit([](const auto& which) { return json_of(which); }, event));
}

WorkerRequest parse_request(std::string_view json) {
  return read_json("worker request", json, request_of);
}

WorkerEvent parse_event(std::string_view json) { return read_json("worker event", json, event_of); }

}  // namespace breakeven::protocol
