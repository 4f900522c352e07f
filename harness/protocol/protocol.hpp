// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/calibration.hpp"
#include "core/case.hpp"
#include "core/library_capabilities.hpp"
#include "core/library_setting.hpp"
#include "core/measurement.hpp"
#include "core/synchronisation.hpp"
#include "core/units.hpp"
#include "harness/protocol/facts.hpp"
#include "harness/protocol/measure_plan.hpp"

namespace breakeven::protocol {

/// Measure cases. Consecutive ones that differ in their algorithm alone are the candidates of one
/// problem and are measured interleaved; the order of the problems is the order of the cases.
struct MeasureRequest {
  std::uint64_t seed = 0;  ///< of the order in which candidates alternate
  MeasurePlan measure{};
  int first_id = 0;  ///< of the first case; the others are numbered on from it
  std::vector<Case> cases{};
};

/// Measure the machine without collectives.
struct CalibrateRequest {};

/// Look at every node of the job, all ranks at once.
struct InspectRequest {
  Seconds window{0.2};  ///< for which each rank looks for noise
};

/// Synchronise clocks by each of these methods, and watch their errors grow.
struct ClocksRequest {
  std::vector<ClockSync> clocks{};
  Timer timer = Timer::monotonic;
  Seconds duration{10};  ///< from the last method's synchronisation on
};

/// List the library's own algorithms.
struct CapabilitiesRequest {};
/// Have the library itself read a table's file, which the job was started to use.
struct ReadBackRequest {
  std::string file{};
  std::vector<Case> queries{};  ///< problems, for a library that can tell its choice
};

/// A request of `breakeven` to a worker, one line on the standard input of rank 0 each time that
/// the worker is Ready: never more, because MPICH's launcher fails when some 64 KiB wait to be
/// read. The end of the input is the end of the job.
using WorkerRequest = std::variant<MeasureRequest, CalibrateRequest, InspectRequest, ClocksRequest,
                                   CapabilitiesRequest, ReadBackRequest>;

/// A worker's first event: the places of its ranks, and their library and processor.
struct JobInfo {
  std::string library_version{};     ///< first line of MPI_Get_library_version
  std::vector<std::string> hosts{};  ///< of each rank
  // Of each rank as well, numbered from 0; -1 where it may run on several, or where it is unknown.
  std::vector<int> nodes{};     ///< ranks of one host are on one; in the order of ranks
  std::vector<int> packages{};  ///< on its node: the sockets
  std::vector<int> numa{};      ///< on its node: the NUMA domains
  bool shares_memory = true;    ///< by the library's account, between all ranks of each node
  int nodes_on_kernel = 1;      ///< that share one kernel, and so its cores, as containers do; most
  std::string cpu{};            ///< of rank 0's host
  int cores = 1;                ///< usable by ranks on a node: see usable_cores; of all
                                ///< nodes the fewest
  std::string kernel{};         ///< "Linux 6.1.0-18-amd64"
  std::string governor{};       ///< cpufreq's, or "unknown" where it isn't visible
  LibrarySettings settings{};   ///< see forced::settings_in_force; of all ranks together
  friend bool operator==(const JobInfo&, const JobInfo&) = default;
};
/// The next request may come.
struct Ready {
  friend bool operator==(const Ready&, const Ready&) = default;
};
/// A sign of life: the worker begins a step of this case. A crash or a hang is this case's from now
/// on.
struct CaseBegin {
  int id = 0;
  std::string doing{};  ///< the step, "its first call"; in one line
  Seconds expected{};   ///< time that it takes; 0: unknown
  friend bool operator==(const CaseBegin&, const CaseBegin&) = default;
};
/// A case is measured.
struct CaseDone {
  int id = 0;
  CaseResult result{};  ///< with the reason of its end and with the ranks' means
  friend bool operator==(const CaseDone&, const CaseDone&) = default;
};
/// The case can't be measured (refused, or its data came out wrong); the launch goes on.
struct CaseFailed {
  int id = 0;
  std::string reason{};
  friend bool operator==(const CaseFailed&, const CaseFailed&) = default;
};
/// The times that a CalibrateRequest asks for.
struct Calibrated {
  Calibration times{};
  friend bool operator==(const Calibrated&, const Calibrated&) = default;
};
/// The end of the job.
struct LaunchEnd {
  friend bool operator==(const LaunchEnd&, const LaunchEnd&) = default;
};
/// A method has synchronised the ranks' clocks.
struct ClockSynced {
  ClockSync clock{};
  Seconds duration{};  ///< of the rank that took longest
  friend bool operator==(const ClockSynced&, const ClockSynced&) = default;
};

/// The lead of a rank's global clock over rank 0's at some time after its synchronisation.
struct ClockOffset {
  ClockSync clock{};
  int rank = 0;
  Seconds elapsed{};             ///< since then, on rank 0's clock
  Seconds offset{};              ///< as measured: at most half of the round trip wrong
  Seconds round_trip{};          ///< of the message there and back that measured it
  std::optional<Seconds> truth;  ///< the offset by the node's shared clock; on one node only
  friend bool operator==(const ClockOffset&, const ClockOffset&) = default;
};
/// The result of a ReadBackRequest.
struct ReadBack {
  bool loaded = false;                 ///< the library has read the file, and kept its content
  std::vector<std::string> answers{};  ///< to each query, in the form of ReadTable::answer; empty
                                       ///< where the library does not tell its choice
  double init_s = 0;                   ///< time of rank 0 in MPI_Init
  std::int64_t init_bytes = 0;         ///< memory that MPI_Init took
  friend bool operator==(const ReadBack&, const ReadBack&) = default;
};
/// An InspectRequest is answered by one NodeFacts of each node, a ClocksRequest by ClockSynced and
/// ClockOffsets, a CapabilitiesRequest by LibraryCapabilities, a ReadBackRequest by one ReadBack.
using WorkerEvent =
    std::variant<JobInfo, Ready, CaseBegin, CaseDone, CaseFailed, LaunchEnd, NodeFacts, ClockSynced,
                 ClockOffset, LibraryCapabilities, ReadBack, Calibrated>;

/// For std::visit: one function for each kind of event that matters, and one for the others.
template <typename... Handlers>
struct Match : Handlers... {
  using Handlers::operator()...;
};

/// JSON on one line, without the line's end. Doubles keep all their digits.
[[nodiscard]] std::string to_json(const WorkerRequest& request);
[[nodiscard]] std::string to_json(const WorkerEvent& event);

/// @throws Error naming what is wrong with the text.
[[nodiscard]] WorkerRequest parse_request(std::string_view json);
[[nodiscard]] WorkerEvent parse_event(std::string_view json);

}  // namespace breakeven::protocol
