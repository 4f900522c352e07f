// SPDX-License-Identifier: BSD-3-Clause
#include "harness/protocol.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace breakeven {
namespace {

WorkerRequest sample_request() {
  return {.seed = 0x8000'0000'0000'0005,
          .measure =
              {.repetitions = 11, .least = 3, .case_budget = {0.1}, .warmups = 0, .interleave = 4},
          .cases = {{.collective = Collective::reduce,
                     .algorithm = "binomial",
                     .params = "radix=4",
                     .procs = 6,
                     .nodes = 3,
                     .procs_per_node = 2,
                     .mapping = Mapping::rr,
                     .message = {std::int64_t{1} << 40},
                     .datatype = Datatype::double_,
                     .op = Op::max,
                     .root = Rank{5}},
                    {.collective = Collective::allgather, .algorithm = "native"}}};
}

TEST(Protocol, RequestsSurviveTheWayThere) {
  const WorkerRequest sent = sample_request();
  const WorkerRequest got = parse_request(to_json(sent));
  EXPECT_EQ(got.seed, sent.seed);
  EXPECT_EQ(got.cases, sent.cases);
  EXPECT_EQ(got.measure.repetitions, sent.measure.repetitions);
  EXPECT_EQ(got.measure.least, sent.measure.least);
  EXPECT_EQ(got.measure.case_budget, sent.measure.case_budget);
  EXPECT_EQ(got.measure.warmups, sent.measure.warmups);
  EXPECT_EQ(got.measure.interleave, sent.measure.interleave);
}

TEST(Protocol, EventsSurviveTheWayBackOnOneLine) {
  const WorkerEvent events[] = {
      Hello{.library_version = "MPICH Version: 4.0.2",
            .hosts = {"a", "b"},
            .cpu = "Some \"CPU\"\n@ 2 GHz",
            .cores = 64,
            .kernel = "Linux 6.1",
            .governor = "performance"},
      Begin{.id = 3},
      Done{.id = 4, .warmups = 12, .samples = {{1.0 / 3}, {5e-324}, {1e-6}}},
      Failed{.id = 5, .reason = "no allreduce algorithm 'rign'"},
      Ready{},
      End{},
  };
  for (const WorkerEvent& event : events) {
    const std::string line = to_json(event);
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    EXPECT_EQ(parse_event(line), event) << line;
  }
}

TEST(Protocol, TextThatIsNotUtf8StillArrives) {
  const auto event = parse_event(to_json(WorkerEvent{Failed{.id = 1, .reason = "caf\xe9"}}));
  EXPECT_EQ(std::get<Failed>(event).reason.substr(0, 3), "caf");
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
            "worker request: 'repetitions' is 1.5, not a whole number of at least 1");
  EXPECT_EQ(refusal(broken("\"procs\":6", "\"procs\":4294967297")),
            "worker request: 'procs' is 4294967297, not a whole number of at least 1");
  EXPECT_EQ(refusal(broken("\"case_budget_s\":0.1", "\"case_budget_s\":-1.0")),
            "worker request: 'case_budget_s' is -1, less than 0");
  EXPECT_EQ(refusal(broken("request-1", "request-9")),
            "worker request: 'format' is 'breakeven-request-9', not 'breakeven-request-1'");
  EXPECT_EQ(refusal(broken("\"rr\"", "\"zigzag\"")),
            "worker request: no mapping 'zigzag'; known: seq rr");
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
}  // namespace breakeven
