// SPDX-License-Identifier: BSD-3-Clause
// Jobs whose worker is a shell script, so that each way to go wrong can be had at will.
#include "harness/launch/job.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "core/error.hpp"
#include "core/temporary_folder.hpp"

namespace breakeven::launch {
namespace {

namespace fs = std::filesystem;

struct Told {
  std::vector<int> begun;
  std::vector<int> done;
  std::vector<std::string> failures;
  JobEnd end;
};

Told run(const std::string& script, Seconds patience = {20}) {
  Told told;
  const protocol::Match note{
      [&](const protocol::CaseBegin& begin) { told.begun.push_back(begin.id); },
      [&](const protocol::CaseDone& done) { told.done.push_back(done.id); },
      [&](const protocol::CaseFailed& failed) { told.failures.push_back(failed.reason); },
      [](const auto&) {}};
  told.end = run_job(
      {.arguments = {"/bin/sh", "-c", script}, .environment = {}}, patience,
      [] { return std::nullopt; },
      [&](const protocol::WorkerEvent& event) { std::visit(note, event); });
  return told;
}

std::string say(const protocol::WorkerEvent& event) {
  return "echo '" + protocol::to_json(event) + "'; ";
}

const std::string kFirstCase =
    say(protocol::JobInfo{}) + say(protocol::CaseBegin{0}) +
    say(protocol::CaseDone{.id = 0, .result = {.local = {{1e-6}}, .warmups = 1}});

TEST(Job, PassesOnWhatTheWorkerTells) {
  const Told told = run(kFirstCase + say(protocol::CaseBegin{1}) +
                        say(protocol::CaseFailed{1, "refused"}) + say(protocol::LaunchEnd{}));
  EXPECT_EQ(told.begun, (std::vector{0, 1}));
  EXPECT_EQ(told.done, std::vector{0});
  EXPECT_EQ(told.failures, std::vector<std::string>{"refused"});
  EXPECT_TRUE(told.end.complete());
  EXPECT_FALSE(told.end.culprit);
}

TEST(Job, HandsOutOneRequestAtATimeAndThenTheEnd) {
  const auto expect = [](const std::string& part) {
    return "read line; case \"$line\" in *'" + part + "'*) ;; *) exit 1 ;; esac; ";
  };
  const std::string script = say(protocol::Ready{}) + expect("\"first_id\":0") +
                             say(protocol::Ready{}) + expect("\"first_id\":1") +
                             say(protocol::Ready{}) + "if read line; then exit 1; fi; " +
                             say(protocol::LaunchEnd{});
  int handed_out = 0;
  const auto next = [&]() -> std::optional<protocol::WorkerRequest> {
    if (handed_out == 2) return std::nullopt;
    return protocol::MeasureRequest{.first_id = handed_out++};
  };
  EXPECT_EQ(
      run_job({.arguments = {"/bin/sh", "-c", script}}, {20}, next, [](const auto&) {}).outcome,
      "complete");
}

TEST(Job, BlamesACrashOnTheCaseThatWasRunning) {
  const Told told =
      run(kFirstCase + say(protocol::CaseBegin{1}) + "echo out of luck >&2; kill -SEGV $$");
  EXPECT_EQ(told.done, std::vector{0});
  EXPECT_EQ(told.end.outcome, "crashed: signal 11 (Segmentation fault); last words: out of luck");
  EXPECT_EQ(told.end.culprit, 1);
}

TEST(Job, BlamesACrashInTheMiddleOfAnEventOnTheCaseThatTheEventWasAbout) {
  const std::string done = protocol::to_json(
      protocol::CaseDone{.id = 1, .result = {.local = {{1e-6}, {2e-6}}, .warmups = 1}});
  const Told told = run(kFirstCase + say(protocol::CaseBegin{1}) + "echo '" +
                        done.substr(0, done.size() - 4) + "= BAD TERMINATION ='; exit 9");
  EXPECT_EQ(told.done, std::vector{0});
  EXPECT_TRUE(told.end.outcome.starts_with("crashed: exit status 9; worker event: "));
  EXPECT_EQ(told.end.culprit, 1);
}

TEST(Job, BlamesAHangOnTheCaseThatWasRunning) {
  const Told told = run(kFirstCase + say(protocol::CaseBegin{1, "a call"}) + "sleep 60", {0.3});
  EXPECT_EQ(told.done, std::vector{0});
  EXPECT_EQ(told.end.outcome, "hung: no word for 300 ms during a call");
  EXPECT_EQ(told.end.culprit, 1);
}

TEST(Job, GivesWorkTheTimeThatItIsKnownToTake) {
  const std::string long_work = say(protocol::CaseBegin{1, "its repetitions", {20}}) + "sleep 1; ";
  const Told told = run(
      kFirstCase + long_work + say(protocol::CaseFailed{1, "refused"}) + say(protocol::LaunchEnd{}),
      {0.3});
  EXPECT_EQ(told.end.outcome, "complete");
  const std::string more_work = say(protocol::CaseBegin{1, "its repetitions", {0.1}}) + "sleep 60";
  EXPECT_EQ(run(kFirstCase + more_work, {0.3}).end.outcome,
            "hung: no word for 400 ms during its repetitions");
}

TEST(Job, GivesTheStartTheTimeThatItIsKnownToTake) {
  const ChildProcess::Command late{
      .arguments = {"/bin/sh", "-c", "sleep 1; " + say(protocol::LaunchEnd{})}};
  const auto end_of = [&](Seconds start) {
    return run_job(
        late, {0.3}, [] { return std::nullopt; }, [](const auto&) {}, over_by_signal, start);
  };
  EXPECT_EQ(end_of({20}).outcome, "complete");
  EXPECT_EQ(end_of({0.1}).outcome, "hung: no word for 400 ms during the start of the job");
}

TEST(Job, SaysWhatHungWhereItWasNoCase) {
  EXPECT_EQ(run("sleep 60", {0.3}).end.outcome,
            "hung: no word for 300 ms during the start of the job");
  EXPECT_EQ(run(kFirstCase + "sleep 60", {0.3}).end.outcome,
            "hung: no word for 300 ms between cases");
}

TEST(Job, BlamesNobodyWhenNoCaseWasRunning) {
  const Told told = run("exit 1");
  EXPECT_EQ(told.end.outcome, "crashed: exit status 1");
  EXPECT_FALSE(told.end.culprit);
}

TEST(Job, DoesNotTakeASilentEndForSuccess) {
  EXPECT_EQ(run(kFirstCase).end.outcome, "crashed: ended early");
}

TEST(Job, IsCompleteOnceEverythingIsToldEvenIfTheLibraryThenFails) {
  EXPECT_TRUE(run(kFirstCase + say(protocol::LaunchEnd{}) + "exit 1").end.complete());
}

TEST(Job, IsCompleteOnceEverythingIsToldEvenIfTheLibraryThenHangs) {
  EXPECT_TRUE(run(kFirstCase + say(protocol::LaunchEnd{}) + "sleep 60").end.complete());
}

TEST(Job, PassesOverWhatLibrariesPrintOfTheirOwn) {
  EXPECT_TRUE(
      run("echo WARNING: no network; " + kFirstCase + say(protocol::LaunchEnd{})).end.complete());
}

TEST(Library, IsRefusedByNameWhenOneOfItsPartsIsMissing) {
  if (launchers().empty()) GTEST_SKIP() << "this build found no MPI library";
  const std::string name{launchers().front()->library};
  const test::TemporaryFolder folder;
  for (const std::string& part :
       {"breakeven-worker-" + name, std::string{"libbreakeven_yield.so"}}) {
    try {
      static_cast<void>(find_library(name, folder.path(), {.launcher = "/bin/sh"}));
      ADD_FAILURE() << "accepted without " << part;
    } catch (const UsageError& error) {
      EXPECT_TRUE(
          std::string{error.what()}.starts_with("'" + (folder / part).string() + "', which"))
          << error.what();
    }
    fs::copy_file("/bin/sh", folder / part);
  }
  EXPECT_EQ(find_library(name, folder.path(), {.launcher = "/bin/sh"}).worker,
            folder / ("breakeven-worker-" + name));
}

class Placement : public ::testing::Test {
 protected:
  static std::string verdict(const std::vector<int>& nodes, const Mapping& mapping) {
    const NodeLayout asked{.procs = 4, .nodes = 2, .procs_per_node = 2, .mapping = mapping};
    std::vector<std::string> hosts;
    for (const int node : nodes) hosts.push_back(fmt::format("n{}", node));
    try {
      check_placement({.hosts = hosts, .nodes = nodes}, asked);
      return "as asked";
    } catch (const UsageError& error) {
      return error.what();
    }
  }
};

TEST_F(Placement, AcceptsTheMappingThatWasAskedFor) {
  EXPECT_EQ(verdict({0, 0, 1, 1}, Mapping::seq), "as asked");
  EXPECT_EQ(verdict({0, 1, 0, 1}, Mapping::rr), "as asked");
  EXPECT_EQ(verdict({0, 1, 1, 0}, Mapping::parse("irregular:0.1*2.0")), "as asked");
}

TEST_F(Placement, RefusesAnotherMappingNamingBoth) {
  EXPECT_EQ(
      verdict({0, 1, 0, 1}, Mapping::seq),
      "asked for 4 processes as 2 x 2 seq, the launcher placed 4 as 2 x 2 rr: 2 times n[0-1]");
  EXPECT_EQ(verdict({0, 1, 1, 0}, Mapping::rr),
            "asked for 4 processes as 2 x 2 rr, the launcher placed 4 as 2 x 2 "
            "irregular:0.1*2.0: n0, n1 x 2, n0");
}

TEST_F(Placement, RefusesAnotherNumberOfNodesOrProcesses) {
  EXPECT_NE(verdict({0, 0, 0, 0}, Mapping::seq), "as asked");
  EXPECT_NE(verdict({0, 0, 0, 1}, Mapping::seq), "as asked");
  EXPECT_NE(verdict({0, 0, 1}, Mapping::seq), "as asked");
}

JobLayout place(int nodes_on_kernel, int procs_per_node) {
  return place_on({.nodes_on_kernel = nodes_on_kernel, .cores = 4},
                  {.procs = procs_per_node, .procs_per_node = procs_per_node});
}

TEST(Place, CountsNodesThatShareAKernel) {
  EXPECT_FALSE(place(1, 4).oversubscribed);
  EXPECT_TRUE(place(1, 5).oversubscribed);
  EXPECT_FALSE(place(2, 2).oversubscribed);
  EXPECT_TRUE(place(2, 3).oversubscribed);
}

TEST(Place, BindsNothingWhereNodesShareCores) {
  EXPECT_TRUE(place(1, 4).bound());
  EXPECT_FALSE(place(1, 5).bound());
  EXPECT_FALSE(place(2, 2).bound());
  for (const Launcher* launcher : {&hydra, &openmpi4, &openmpi5, &srun_pmi2_mpich, &pbs}) {
    const std::string command = to_text(launcher->command("mpiexec", place(2, 2), "/lib/yield.so"));
    EXPECT_TRUE(std::regex_search(command, std::regex{"bind(-to|)[ =]none"})) << command;
    EXPECT_EQ(command.find("yield"), std::string::npos) << command;
  }
}

}  // namespace
}  // namespace breakeven::launch
