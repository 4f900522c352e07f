// SPDX-License-Identifier: BSD-3-Clause
#include "harness/protocol/protocol.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace breakeven::protocol {
namespace {

MeasureRequest sample_request() {
  return {
      .seed = 0x8000'0000'0000'0005,
      .measure = {.sync = SyncMethod::window,
                  .clock_sync = ClockSync::hca3,
                  .timer = Timer::wtime,
                  .run_time = RunTime::global,
                  .target_ci = {stats::StopRule::cov_mean, 0.01, 5},
                  .repetitions = 11,
                  .min_repetitions = 3,
                  .min_time = {0.01},
                  .case_budget = {0.1},
                  .batch = 4,
                  .racing = false},
      .cases = {
          {.collective = Collective::reduce,
           .variant = Ours{"binomial", "radix=4"},
           .procs = 6,
           .nodes = 3,
           .procs_per_node = 2,
           .mapping = Mapping::rr,
           .comms_per_node = 2,
           .message = {std::int64_t{1} << 40},
           .datatype = Datatype::double_,
           .op = Op::max,
           .root = Rank{5}},
          {.collective = Collective::allgatherv, .variant = Native{}, .counts = Counts::linear}}};
}

TEST(Protocol, RequestsSurviveTheWayThere) {
  const MeasureRequest sent = sample_request();
  const auto got = std::get<MeasureRequest>(parse_request(to_json(sent)));
  EXPECT_EQ(got.seed, sent.seed);
  EXPECT_EQ(got.cases, sent.cases);
  EXPECT_EQ(got.measure, sent.measure);
}

TEST(Protocol, InspectionsAreAskedForByTheirWindow) {
  const auto got =
      std::get<InspectRequest>(parse_request(to_json(InspectRequest{.window = {0.5}})));
  EXPECT_EQ(got.window, Seconds{0.5});
  for (const char* window : {"0.0", "-1.0", "61.0", "\"long\""}) {
    std::string text = to_json(InspectRequest{.window = {0.5}});
    EXPECT_THROW(static_cast<void>(parse_request(text.replace(text.find("0.5"), 3, window))),
                 Error);
  }
}

TEST(Protocol, ClocksRequestsSurviveTheWayThere) {
  const ClocksRequest sent{
      .clocks = {ClockSync::hca3, ClockSync::none}, .timer = Timer::wtime, .duration = {1.0 / 3}};
  const auto got = std::get<ClocksRequest>(parse_request(to_json(sent)));
  EXPECT_EQ(got.clocks, sent.clocks);
  EXPECT_EQ(got.timer, sent.timer);
  EXPECT_EQ(got.duration, sent.duration);
}

TEST(Protocol, ReadBackRequestsSurviveTheWay) {
  const ReadBackRequest sent{.file = "rules", .queries = {{.procs = 3, .message = {8}}}};
  const auto got = std::get<ReadBackRequest>(parse_request(to_json(sent)));
  EXPECT_EQ(got.file, sent.file);
  EXPECT_EQ(got.queries, sent.queries);
}

TEST(Protocol, EventsSurviveTheWayBackOnOneLine) {
  const WorkerEvent events[] = {
      JobInfo{.library_version = "MPICH Version: 4.0.2",
              .hosts = {"a", "b"},
              .nodes = {0, 1},
              .packages = {1, -1},
              .numa = {0, 3},
              .shares_memory = false,
              .nodes_on_kernel = 2,
              .cpu = "Some \"CPU\"\n@ 2 GHz",
              .cores = 64,
              .kernel = "Linux 6.1",
              .governor = "performance",
              .settings = {{"UCX_TLS", "tcp", "environment"}}},
      Calibrated{.times = {{Probe::arithmetic, {0.02}}, {Probe::across_long, {1e-5}}}},
      LibraryCapabilities{.algorithms = {{Collective::bcast, "chain", 2}},
                          .default_trees = {{"mpir", "{\"collective=bcast\":{}}"}},
                          .note = "none"},
      CaseBegin{.id = 3, .doing = "its first call", .expected = {1.5}},
      CaseDone{
          .id = 4,
          .result = {.local = {{1.0 / 3}, {5e-324}, {1e-6}},
                     .global = {{0.5}, {1e-300}, {2e-6}},
                     .warmups = 12,
                     .invalid = 3,
                     .stop = Stop::slower,
                     .rank_means = RankMeans{{1e-6}, {2e-6}, {3e-6}},
                     .overlap = Overlap{{1e-7}, {}, {3e-6}, {4e-6}, {1.0 / 3}, {6e-6}, {1e-5}}}},
      CaseFailed{.id = 5, .reason = "no allreduce algorithm 'rign'"},
      ClockSynced{.clock = ClockSync::jk, .duration = {0.25}},
      ClockOffset{.clock = ClockSync::two_level,
                  .rank = 3,
                  .elapsed = {0.5},
                  .offset = {-1e-7},
                  .round_trip = {1e-6},
                  .truth = {}},
      ClockOffset{.rank = 1, .truth = Seconds{-2e-8}},
      ReadBack{
          .loaded = true, .answers = {"native", "openmpi:ring"}, .init_s = 0.5, .init_bytes = 4096},
      Ready{},
      LaunchEnd{},
      NodeFacts{.host = {.name = "a", .cpus = {.usable = {0, 1}}}, .ranks = {{.rank = 1}}},
  };
  for (const WorkerEvent& event : events) {
    const std::string line = to_json(event);
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    EXPECT_EQ(parse_event(line), event) << line;
  }
}

TEST(Protocol, TextThatIsNotUtf8StillArrives) {
  const auto event = parse_event(to_json(WorkerEvent{CaseFailed{.id = 1, .reason = "caf\xe9"}}));
  EXPECT_EQ(std::get<CaseFailed>(event).reason.substr(0, 3), "caf");
}

std::string refusal(const std::string& request) {
  try {
    static_cast<void>(parse_request(request));
  } catch (const Error& error) {
    return error.what();
  }
  return "no refusal";
}

/// The sample request with one piece of its text exchanged.
std::string broken(const std::string& piece, const std::string& by) {
  std::string text = to_json(sample_request());
  const std::size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  return at == std::string::npos ? text : text.replace(at, piece.size(), by);
}

TEST(Protocol, RefusesBrokenRequestsInWords) {
  EXPECT_EQ(refusal(broken("\"repetitions\":11", "\"repetitions\":1.5")),
            "worker request: 'repetitions' is 1.5, no whole number that fits");
  EXPECT_EQ(refusal(broken("\"procs\":6", "\"procs\":4294967297")),
            "worker request: 'procs' is 4294967297, no whole number that fits");
  EXPECT_EQ(refusal(broken("\"case_budget_s\":0.1", "\"case_budget_s\":-1.0")),
            "worker request: 'case_budget_s' is -1.0, less than 0");
  EXPECT_EQ(refusal(broken("\"procs\":6", "\"procs\":0")),
            "worker request: 'procs' is 0, less than 1");
  EXPECT_EQ(refusal(broken("\"params\":\"radix=4\"", "\"params\":4")),
            "worker request: 'params' is 4, of another type");
  EXPECT_EQ(refusal(broken("request-7", "request-9")),
            "worker request: 'format' is 'breakeven-request-9', not 'breakeven-request-7'");
  EXPECT_EQ(refusal(broken("\"rr\"", "\"zigzag\"")),
            "worker request: no mapping 'zigzag'; known: seq rr blocked:RANKS "
            "irregular:NODE*RANKS.NODE... "
            "with nodes numbered from 0 as ranks meet them");
  EXPECT_EQ(refusal(broken("\"task\":\"measure\"", "\"task\":\"guess\"")),
            "worker request: no task 'guess'; known: measure calibrate inspect clocks capabilities "
            "read_back");
  EXPECT_NE(refusal(broken("\"datatype\"", "\"datatyp\"")).find("'datatype' not found"),
            std::string::npos);
}

TEST(Protocol, RefusesWhatIsNotJson) {
  EXPECT_EQ(refusal("").substr(0, 15), "worker request:");
  EXPECT_EQ(refusal("mpiexec: error").substr(0, 15), "worker request:");
  EXPECT_EQ(refusal("[1, 2]").substr(0, 15), "worker request:");
  EXPECT_THROW(static_cast<void>(parse_event("{\"event\": \"bye\"}")), Error);
  EXPECT_THROW(static_cast<void>(parse_event("{\"event\": \"begin\"")), Error);
}

}  // namespace
}  // namespace breakeven::protocol
