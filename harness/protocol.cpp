// SPDX-License-Identifier: BSD-3-Clause
#include "harness/protocol.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.hpp"

namespace breakeven {

namespace {

using nlohmann::json;

constexpr std::string_view kFormat = "breakeven-request-1";

json json_of(const MeasurePlan& plan) {
  return {{"repetitions", plan.repetitions},
          {"least", plan.least},
          {"case_budget_s", plan.case_budget.value},
          {"warmups", plan.warmups},
          {"interleave", plan.interleave}};
}

json json_of(const Case& what) {
  return {{"collective", kCollectives.of(what.collective)},
          {"algorithm", what.algorithm},
          {"params", what.params},
          {"procs", what.procs},
          {"nodes", what.nodes},
          {"procs_per_node", what.procs_per_node},
          {"mapping", kMappings.of(what.mapping)},
          {"message_bytes", what.message.value},
          {"datatype", kDatatypes.of(what.datatype)},
          {"op", kOps.of(what.op)},
          {"root", what.root.value}};
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

MeasurePlan plan_of(const json& object) {
  const MeasurePlan plan{.repetitions = int_at(object, "repetitions", 1),
                         .least = int_at(object, "least", 1),
                         .case_budget = {object.at("case_budget_s").get<double>()},
                         .warmups = int_at(object, "warmups", 0),
                         .interleave = int_at(object, "interleave", 1)};
  if (plan.case_budget.value < 0) {
    throw Error(fmt::format("'case_budget_s' is {}, less than 0", plan.case_budget.value));
  }
  return plan;
}

Case case_of(const json& object) {
  return {.collective = kCollectives.parse(text_at(object, "collective")),
          .algorithm = text_at(object, "algorithm"),
          .params = text_at(object, "params"),
          .procs = int_at(object, "procs", 1),
          .nodes = int_at(object, "nodes", 1),
          .procs_per_node = int_at(object, "procs_per_node", 1),
          .mapping = kMappings.parse(text_at(object, "mapping")),
          .message = {object.at("message_bytes").get<std::int64_t>()},
          .datatype = kDatatypes.parse(text_at(object, "datatype")),
          .op = kOps.parse(text_at(object, "op")),
          .root = {int_at(object, "root", 0)}};
}

WorkerRequest request_of(const json& object) {
  if (const std::string format = text_at(object, "format"); format != kFormat) {
    throw Error(fmt::format("'format' is '{}', not '{}'", format, kFormat));
  }
  WorkerRequest request{.seed = object.at("seed").get<std::uint64_t>(),
                        .measure = plan_of(object.at("measure")),
                        .first_id = int_at(object, "first_id", 0),
                        .cases = {}};
  for (const json& element : object.at("cases")) request.cases.push_back(case_of(element));
  return request;
}

json json_of(const Hello& hello) {
  return {{"event", "hello"},          {"library_version", hello.library_version},
          {"hosts", hello.hosts},      {"cpu", hello.cpu},
          {"cores", hello.cores},      {"kernel", hello.kernel},
          {"governor", hello.governor}};
}

json json_of(const Ready&) { return {{"event", "ready"}}; }

json json_of(const Begin& begin) { return {{"event", "begin"}, {"id", begin.id}}; }

json json_of(const Done& done) {
  std::vector<double> samples;
  samples.reserve(done.samples.size());
  for (const Seconds sample : done.samples) samples.push_back(sample.value);
  return {{"event", "done"},
          {"id", done.id},
          {"warmups", done.warmups},
          {"samples_s", std::move(samples)}};
}

json json_of(const Failed& failed) {
  return {{"event", "failed"}, {"id", failed.id}, {"reason", failed.reason}};
}

json json_of(const End&) { return {{"event", "end"}}; }

Done done_of(const json& object) {
  Done done{.id = int_at(object, "id", 0), .warmups = int_at(object, "warmups", 0), .samples = {}};
  for (const json& sample : object.at("samples_s")) done.samples.push_back({sample.get<double>()});
  return done;
}

WorkerEvent event_of(const json& object) {
  const std::string event = text_at(object, "event");
  if (event == "hello") {
    return Hello{.library_version = text_at(object, "library_version"),
                 .hosts = object.at("hosts").get<std::vector<std::string>>(),
                 .cpu = text_at(object, "cpu"),
                 .cores = int_at(object, "cores", 1),
                 .kernel = text_at(object, "kernel"),
                 .governor = text_at(object, "governor")};
  }
  if (event == "ready") return Ready{};
  if (event == "begin") return Begin{.id = int_at(object, "id", 0)};
  if (event == "done") return done_of(object);
  if (event == "failed") return Failed{int_at(object, "id", 0), text_at(object, "reason")};
  if (event == "end") return End{};
  throw Error(fmt::format("no event '{}'; known: hello ready begin done failed end", event));
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
  json cases = json::array();
  for (const Case& what : request.cases) cases.push_back(json_of(what));
  return line_of({{"format", kFormat},
                  {"seed", request.seed},
                  {"measure", json_of(request.measure)},
                  {"first_id", request.first_id},
                  {"cases", std::move(cases)}});
}

std::string to_json(const WorkerEvent& event) {
  return line_of(std::visit([](const auto& which) { return json_of(which); }, event));
}

WorkerRequest parse_request(std::string_view json) {
  return read_json("worker request", json, request_of);
}

WorkerEvent parse_event(std::string_view json) { return read_json("worker event", json, event_of); }

}  // namespace breakeven
