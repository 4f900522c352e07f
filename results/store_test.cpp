// SPDX-License-Identifier: BSD-3-Clause
#include "results/store.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>

#include "results/testing.hpp"

namespace breakeven::results {
namespace {

const std::vector kSamples{Seconds{3e-6}, Seconds{1e-6}, Seconds{0.3}, Seconds{0}};
constexpr Seconds kMedian{2e-6};
const std::vector kGlobal{Seconds{5e-6}, Seconds{4e-6}, Seconds{0.4}, Seconds{6e-6}};

const std::vector kOneSecond{Seconds{1}};
const std::vector kTwoSeconds{Seconds{2}};

/// All that a launch can find out, no member with its default.
CaseResult everything() {
  return {.local = kSamples,
          .global = kGlobal,
          .warmups = 3,
          .invalid = 4,
          .stop = Stop::precise,
          .rank_means = RankMeans{.min = {1e-6}, .avg = {2e-6}, .max = {4e-6}},
          .overlap = Overlap{{1e-7}, Seconds{2e-6}, {3e-6}, {4e-6}, {5e-6}, {6e-6}, {1e-5}}};
}

const Summary kSummary{.low = {1e-6}, .high = {3e-6}, .outliers = 1, .ended = Seconds{12.5}};

/// A case in which no member has its default.
Case unusual_case() {
  return {.collective = Collective::scatterv,
          .form = CallForm::persistent,
          .variant = Ours{"pipelined_chain", "segment=4096"},
          .procs = 12,
          .nodes = 3,
          .procs_per_node = 4,
          .mapping = Mapping::rr,
          .message = {5'000'000'000},
          .datatype = Datatype::double_,
          .op = Op::max,
          .root = {7},
          .counts = Counts::linear};
}

/// A store with one machine and one launch, of repeat 0.
class StoreTest : public ::testing::Test {
 protected:
  [[nodiscard]] Store reader() const { return {file, Store::Access::read}; }

  /// The text of what a query gives, asked of the file itself.
  [[nodiscard]] std::string ask(const std::string& sql) const {
    return SQLite::Database(file).execAndGet(sql);
  }

  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder / "x.db";
  Store store{file, Store::Access::write};
  const MachineId machine = store.add(Machine{.name = "mpich"});
  const LaunchId launch = store.begin(machine, {.repeat = 0});
  const Case ring{.variant = Ours{"ring"}, .procs = 4, .message = {8}, .op = Op::sum};
};

TEST_F(StoreTest, GivesBackEveryMemberOfAMachine) {
  const Machine model{.name = "postal:alpha=1e-06", .kind = MachineKind::model};
  const Machine library{.name = "openmpi",
                        .kind = MachineKind::library,
                        .library_version = "Open MPI v4.1.4",
                        .cpu = "A processor's name"};
  const MachineId first = store.add(model);
  const MachineId second = store.add(library);
  const auto machines = reader().machines();
  EXPECT_EQ(machines.size(), 3U);
  EXPECT_EQ(machines.at(first), model);
  EXPECT_EQ(machines.at(second), library);
}

TEST_F(StoreTest, RemembersWhatALibraryHasItself) {
  const LibraryCapabilities capabilities{
      .algorithms = {{Collective::allreduce, "ring", 4}, {Collective::bcast, "chain", 2}},
      .default_trees = {{"mpir", "{}"}, {"ch4", "[]"}}};
  EXPECT_EQ(reader().capabilities(machine), LibraryCapabilities{});
  store.remember(machine, capabilities);
  store.remember(machine, LibraryCapabilities{.algorithms = {{Collective::allreduce, "ring", 5}}});
  EXPECT_EQ(reader().capabilities(machine), capabilities);
  EXPECT_EQ(reader().capabilities(store.add(Machine{.name = "openmpi"})), LibraryCapabilities{});
}

TEST_F(StoreTest, FindsAMachineAgainAndTakesAnyOtherForAnother) {
  const Machine same{.name = "mpich"};
  EXPECT_EQ(store.add(same), machine);
  EXPECT_NE(store.add(Machine{.name = "openmpi"}), machine);
  EXPECT_NE(store.add(Machine{.name = "mpich", .kind = MachineKind::model}), machine);
  EXPECT_NE(store.add(Machine{.name = "mpich", .library_version = "4.0.2"}), machine);
  EXPECT_NE(store.add(Machine{.name = "mpich", .cpu = "faster"}), machine);
  EXPECT_EQ(store.machines().size(), 5U);
}

TEST_F(StoreTest, WritesEveryMemberOfALaunchWithItsDates) {
  const LaunchId id = store.begin(
      machine, {.layout = {.procs = 12, .nodes = 3, .procs_per_node = 4, .mapping = Mapping::rr},
                .repeat = 2,
                .seed = std::numeric_limits<std::uint64_t>::max() - 4,
                .command = "mpiexec -n 12",
                .placement = "[\"a\"]",
                .environment = "{\"kernel\": \"6.1\"}",
                .oversubscribed = true,
                .sync = SyncMethod::window,
                .clock_sync = ClockSync::hca3,
                .timer = Timer::wtime});
  store.end(id, "complete");
  const auto value = [&](const std::string& columns) {
    return ask("SELECT " + columns +
               " FROM launch WHERE id = " + std::to_string(static_cast<std::int64_t>(id)));
  };
  EXPECT_EQ(value("machine_id"), std::to_string(static_cast<std::int64_t>(machine)));
  EXPECT_EQ(value("procs || ' ' || nodes || ' ' || procs_per_node"), "12 3 4");
  EXPECT_EQ(value("mapping"), "rr");
  EXPECT_EQ(value("repeat"), "2");
  EXPECT_EQ(value("seed"), "-5");
  EXPECT_EQ(value("command"), "mpiexec -n 12");
  EXPECT_EQ(value("placement"), "[\"a\"]");
  EXPECT_EQ(value("environment"), "{\"kernel\": \"6.1\"}");
  EXPECT_EQ(value("oversubscribed"), "1");
  EXPECT_EQ(value("outcome"), "complete");
  EXPECT_EQ(value("sync || ' ' || clock_sync || ' ' || timer"), "window hca3 wtime");
  const std::string date = "____-__-__T__:__:__.___Z";
  EXPECT_EQ(value("started_at LIKE '" + date + "' AND ended_at LIKE '" + date + "'"), "1");
}

TEST_F(StoreTest, ALaunchOfAModelHasNoSynchronisation) {
  EXPECT_EQ(ask("SELECT sync || clock_sync || timer FROM launch"), "");
}

TEST_F(StoreTest, ALaunchThatWasKilledHasNoEnd) {
  EXPECT_EQ(ask("SELECT ended_at IS NULL AND outcome IS NULL FROM launch"), "1");
}

TEST_F(StoreTest, GivesBackEveryMemberOfACase) {
  store.add(launch, unusual_case(), {.local = kSamples});
  const auto stored = reader().measurements(machine);
  ASSERT_EQ(stored.size(), 1U);
  EXPECT_EQ(stored[0].what, unusual_case());
}

template <typename Enum, std::size_t Size, typename Set>
std::vector<Case> one_case_each(const Names<Enum, Size>& names, Set set) {
  std::vector<Case> cases;
  for (const auto& entry : names.entries) set(cases.emplace_back(), entry.value);
  return cases;
}

TEST_F(StoreTest, GivesBackEveryValueOfEveryEnumeration) {
  const auto expect_back = [&](const std::vector<Case>& cases) {
    const MachineId own = store.add(Machine{.name = std::to_string(store.machines().size())});
    const LaunchId run = store.begin(own, {});
    for (const Case& what : cases) store.add(run, what, {.local = kSamples});
    const auto stored = reader().measurements(own);
    ASSERT_EQ(stored.size(), cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(stored[i].what, cases[i]);
  };
  expect_back(one_case_each(kCollectives, [](Case& c, Collective v) { c.collective = v; }));
  expect_back(one_case_each(kDatatypes, [](Case& c, Datatype v) { c.datatype = v; }));
  expect_back(one_case_each(kOps, [](Case& c, Op v) { c.op = v; }));
}

TEST_F(StoreTest, GivesBackEveryMapping) {
  for (const char* text : {"seq", "rr", "blocked:2", "irregular:0*2.1.0"}) {
    const Case what{.procs = 4, .mapping = Mapping::parse(text)};
    const MachineId own = store.add(Machine{.name = text});
    const LaunchId run = store.begin(own, {.layout = {.procs = 4, .mapping = what.mapping}});
    store.add(run, what, {.local = kSamples});
    ASSERT_EQ(reader().measurements(own).size(), 1U);
    EXPECT_EQ(reader().measurements(own).front().what, what);
  }
}

TEST_F(StoreTest, GivesBackTheSamplesInTheOrderMeasured) {
  store.add(launch, ring, everything(), kSummary);
  store.add(launch, unusual_case(), {.local = kSamples});
  const std::vector<CaseSamples> back = results::testing::samples_of(reader(), machine);
  ASSERT_EQ(back.size(), 2U);
  EXPECT_EQ(back[0].what, ring);
  EXPECT_EQ(back[0].launch, launch);
  EXPECT_EQ(back[0].local, kSamples);
  EXPECT_EQ(back[0].global, kGlobal);
  EXPECT_EQ(back[1].what, unusual_case());
  EXPECT_TRUE(back[1].global.empty());
}

TEST_F(StoreTest, KeepsSamplesToThePicosecondAndTheirMedianToTheLastBit) {
  const std::vector kFine{Seconds{1.00000049e-6}};
  store.add(launch, ring, {.local = kFine});
  EXPECT_EQ(results::testing::samples_of(reader(), machine).at(0).local,
            std::vector{Seconds{1e-6}});
  EXPECT_EQ(reader().measurements(machine).at(0).median, kFine[0]);
}

TEST_F(StoreTest, GivesBackEveryMemberOfWhatALaunchFoundOut) {
  store.add(launch, ring, everything(), kSummary);
  const std::vector<StoredMeasurement> recorded = reader().stored_measurements(machine);
  ASSERT_EQ(recorded.size(), 1U);
  const StoredMeasurement& back = recorded[0];
  EXPECT_EQ(back.measurement.what, ring);
  EXPECT_EQ(back.measurement.median, kMedian);
  EXPECT_EQ(back.measurement.low, Seconds{1e-6});
  EXPECT_EQ(back.measurement.high, Seconds{3e-6});
  EXPECT_EQ(back.global_median, Seconds{5.5e-6});
  EXPECT_EQ(back.rank_means, everything().rank_means);
  EXPECT_EQ(back.overlap, everything().overlap);
  EXPECT_EQ(back.measurement.tested, everything().overlap->tested);
  EXPECT_EQ(back.warmups, 3);
  EXPECT_EQ(back.invalid, 4);
  EXPECT_EQ(back.outliers, 1);
  EXPECT_EQ(back.stopped, "precise");
  EXPECT_EQ(back.measurement.ended, Seconds{12.5});
}

TEST_F(StoreTest, WhatIsNotKnownStaysUnknown) {
  store.add(launch, ring, everything(), kSummary);
  store.add(launch, unusual_case(), {.local = kSamples});
  const StoredMeasurement back = reader().stored_measurements(machine).at(1);
  EXPECT_EQ(back.global_median, std::nullopt);
  EXPECT_EQ(back.rank_means, std::nullopt);
  EXPECT_EQ(back.overlap, std::nullopt);
  EXPECT_EQ(back.measurement.ended, std::nullopt);
  EXPECT_EQ(back.stopped, "");
}

TEST_F(StoreTest, DamagedSamplesAreReportedWithTheirCase) {
  store.add(launch, ring, {.local = kSamples});
  SQLite::Database(file, SQLite::OPEN_READWRITE).exec("UPDATE durations SET local_ps = x'80'");
  try {
    (void)results::testing::samples_of(reader(), machine);
    FAIL() << "half a number was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(to_text(ring) + ", repeat 0"), std::string::npos)
        << error.what();
  }
}

TEST_F(StoreTest, KeepsEveryInspectionOfAMachine) {
  store.inspected(machine, "{\"first\": 1}");
  store.inspected(machine, "{\"second\": 2}");
  EXPECT_EQ(ask("SELECT group_concat(report, ' ') FROM inspection ORDER BY id"),
            "{\"first\": 1} {\"second\": 2}");
  EXPECT_EQ(reader().inspection(machine), "{\"second\": 2}");
  EXPECT_EQ(ask("SELECT max(length(inspected_at)) FROM inspection"),
            std::to_string(std::string_view("2026-01-02T03:04:05.678Z").size()));
}

TEST_F(StoreTest, AMeasurementHoldsTheMedianAndWhatIsKnownOfItsLaunch) {
  store.add(launch, ring, {.local = kSamples});
  store.add(store.begin(machine, {.repeat = 4, .oversubscribed = true}), ring,
            {.local = kTwoSeconds});
  const auto measurements = reader().measurements(machine);
  ASSERT_EQ(measurements.size(), 2U);
  EXPECT_EQ(measurements[0].repeat, 0);
  EXPECT_EQ(measurements[0].samples, 4);
  EXPECT_EQ(measurements[0].median, kMedian);
  EXPECT_FALSE(measurements[0].oversubscribed);
  EXPECT_EQ(measurements[1].repeat, 4);
  EXPECT_EQ(measurements[1].samples, 1);
  EXPECT_EQ(measurements[1].median, Seconds{2});
  EXPECT_TRUE(measurements[1].oversubscribed);
}

TEST_F(StoreTest, AFailureIsStoredAndIsNoMeasurement) {
  store.add_failure(launch, ring, "needs p a power of two");
  const auto stored = reader().failures(machine);
  ASSERT_EQ(stored.size(), 1U);
  EXPECT_EQ(stored[0].reason, "needs p a power of two");
  EXPECT_TRUE(reader().measurements(machine).empty());
}

TEST_F(StoreTest, AFailureNeedsAReason) {
  EXPECT_THROW(store.add_failure(launch, ring, ""), Error);
  EXPECT_TRUE(store.failures(machine).empty());
}

TEST_F(StoreTest, ALaterFailureOrMeasurementReplacesAFailure) {
  const LaunchId second = store.begin(machine, {.repeat = 0});
  store.add_failure(launch, ring, "hung");
  store.add_failure(second, ring, "crashed");
  EXPECT_EQ(store.failures(machine).at(0).reason, "crashed");
  store.add(second, ring, {.local = kSamples});
  EXPECT_TRUE(store.failures(machine).empty());
  ASSERT_EQ(store.measurements(machine).size(), 1U);
  EXPECT_EQ(store.measurements(machine).at(0).median, kMedian);
  EXPECT_EQ(ask("SELECT launch_id FROM measurement"), std::to_string(static_cast<int>(second)));
}

TEST_F(StoreTest, AMeasurementIsReplacedByNothing) {
  const LaunchId second = store.begin(machine, {.repeat = 0});
  store.add(launch, ring, {.local = kSamples});
  store.add_failure(second, ring, "crashed");
  EXPECT_THROW(store.add(second, ring, {.local = kTwoSeconds}), Error);
  EXPECT_TRUE(store.failures(machine).empty());
  ASSERT_EQ(store.measurements(machine).size(), 1U);
  EXPECT_EQ(results::testing::samples_of(store, machine).at(0).local.size(), kSamples.size());
}

TEST_F(StoreTest, RefusesWhatIsNoDuration) {
  EXPECT_THROW(store.add(launch, ring, {}), Error);
  EXPECT_THROW(store.add(launch, ring, {.local = kSamples, .global = kOneSecond}), Error);
  for (const double bad :
       {-1e-9, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const std::vector samples{Seconds{1}, Seconds{bad}};
    EXPECT_THROW(store.add(launch, ring, {.local = samples}), Error) << bad;
  }
  EXPECT_TRUE(store.measurements(machine).empty());
}

TEST_F(StoreTest, TwoLaunchesOfOneRepeatFillItTogether) {
  store.add(launch, ring, {.local = kSamples});
  const LaunchId goes_on = store.begin(machine, {.repeat = 0});
  store.add(goes_on, unusual_case(), {.local = kSamples});
  EXPECT_EQ(store.measurements(machine).size(), 2U);
}

TEST_F(StoreTest, TheSameCaseOnTwoMachinesStaysApart) {
  const MachineId other = store.add(Machine{.name = "openmpi"});
  store.add(launch, ring, {.local = kOneSecond});
  store.add(store.begin(other, {.repeat = 0}), ring, {.local = kTwoSeconds});
  ASSERT_EQ(store.measurements(machine).size(), 1U);
  ASSERT_EQ(store.measurements(other).size(), 1U);
  EXPECT_EQ(store.measurements(machine)[0].median, Seconds{1});
  EXPECT_EQ(store.measurements(other)[0].median, Seconds{2});
  EXPECT_EQ(results::testing::samples_of(store, machine).at(0).local, std::vector{Seconds{1}});
  EXPECT_EQ(results::testing::samples_of(store, other).at(0).local, std::vector{Seconds{2}});
}

TEST_F(StoreTest, RefusesALaunchOrAMachineThatItDoesNotHave) {
  EXPECT_THROW(store.add(LaunchId{99}, ring, {.local = kSamples}), Error);
  EXPECT_THROW((void)store.begin(MachineId{99}, {}), Error);
  EXPECT_EQ(ask("SELECT count(*) FROM \"case\""), "0");
}

TEST_F(StoreTest, AReaderCanNotWriteAndSaysWhichFile) {
  const std::string before = results::testing::bytes_of(file);
  Store only_reads = reader();
  try {
    only_reads.add(launch, ring, {.local = kSamples});
    FAIL() << "the reader wrote";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(file.string()), std::string::npos);
  }
  EXPECT_TRUE(results::testing::bytes_of(file) == before);
}

TEST_F(StoreTest, GoesOnAfterAnError) {
  EXPECT_THROW(store.add(LaunchId{99}, ring, {.local = kSamples}), Error);
  store.add(launch, ring, {.local = kSamples});
  EXPECT_THROW(store.add(launch, ring, {.local = kSamples}), Error);
  store.add(launch, unusual_case(), {.local = kSamples});
  EXPECT_EQ(reader().measurements(machine).size(), 2U);
}

TEST_F(StoreTest, RemembersEachSweepOnceInTheOrderAskedAndByMachine) {
  const MachineId other = store.add(Machine{.name = "openmpi"});
  for (const char* sweep : {"second = 2", "first = 1", "second = 2"}) {
    store.remember(machine, sweep);
  }
  store.remember(other, "first = 1");
  EXPECT_EQ(reader().sweeps(machine), (std::vector<std::string>{"second = 2", "first = 1"}));
  EXPECT_EQ(reader().sweeps(other), std::vector<std::string>{"first = 1"});
}

TEST_F(StoreTest, KeepsTheFirstPredictionOfEachPredictor) {
  const Predictions first{
      {unusual_case(), {.time = {2e-6}, .low = Seconds{1e-6}, .high = Seconds{3e-6}}},
      {ring, {.time = {4e-6}}}};
  store.add(machine, "postal:alpha=1", first);
  store.add(machine, "postal:alpha=1", {{ring, {.time = {9e-6}}}});
  const Predictions second{{ring, {.time = {5e-6}}}};
  store.add(machine, "postal:alpha=2", second);
  EXPECT_EQ(reader().predictions(machine, "postal:alpha=1"), first);
  EXPECT_EQ(reader().predictions(machine, "postal:alpha=2"), second);
  EXPECT_TRUE(reader().predictions(machine, "postal:alpha=3").empty());
  EXPECT_TRUE(store.measurements(machine).empty());
}

TEST_F(StoreTest, EstimatesLastUntilTheNextLaunchOfTheirMachineBegins) {
  const MachineId other = store.add(Machine{.name = "openmpi"});
  const std::string of_machines = "SELECT count(*) FROM candidates WHERE time_s IS NOT NULL";
  for (const MachineId each : {machine, other}) {
    const LaunchId of_machine = each == machine ? launch : store.begin(each, {.repeat = 0});
    store.add(of_machine, ring, {.local = {Seconds{2e-6}}});
  }
  for (int again = 0; again < 2; ++again) {
    for (const MachineId each : {machine, other})
      store.conclude(each, {{{.what = ring, .median = {.median = 2e-6, .count = 1}, .place = 1}}});
  }
  EXPECT_EQ(ask(of_machines), "2");
  EXPECT_EQ(ask("SELECT count(*) FROM fastest WHERE median_low_s IS NULL"), "2");
  static_cast<void>(store.begin(machine, {.repeat = 1}));
  EXPECT_EQ(ask(of_machines), "1");
  EXPECT_EQ(ask("SELECT machine FROM fastest"), "openmpi");
  EXPECT_EQ(ask("SELECT count(*) FROM candidates"), "2");
}

TEST_F(StoreTest, ABatchIsStoredWholeWhenItIsCommitted) {
  Store::Batch batch = store.batch();
  store.add(launch, ring, {.local = kSamples});
  store.add(launch, unusual_case(), {.local = kSamples});
  EXPECT_TRUE(reader().measurements(machine).empty());
  batch.commit();
  EXPECT_EQ(reader().measurements(machine).size(), 2U);
}

TEST_F(StoreTest, ABatchWithoutACommitLeavesNothing) {
  {
    const Store::Batch batch = store.batch();
    store.add(launch, ring, {.local = kSamples});
  }
  EXPECT_TRUE(store.measurements(machine).empty());
  store.add(launch, ring, {.local = kSamples});
  EXPECT_EQ(reader().measurements(machine).size(), 1U);
}

TEST_F(StoreTest, ANameThatThisProgramDoesNotKnowIsReportedWithTheFile) {
  store.add(launch, ring, {.local = kSamples});
  SQLite::Database(file, SQLite::OPEN_READWRITE)
      .exec("UPDATE \"case\" SET collective = 'alltosome'");
  try {
    (void)store.measurements(machine);
    FAIL() << "'alltosome' was taken";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(file.string()), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("no collective 'alltosome'"), std::string::npos);
  }
}

}  // namespace
}  // namespace breakeven::results
