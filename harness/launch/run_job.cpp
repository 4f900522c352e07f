// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <chrono>

#include "core/error.hpp"
#include "harness/launch/job.hpp"

namespace breakeven::launch {

namespace {

using Clock = std::chrono::steady_clock;

constexpr Seconds kGrace{2};     // for a job to end once its work is done
constexpr Seconds kGlance{0.2};  // between two looks whether the job is over

Clock::duration as_duration(Seconds time) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(time.value));
}

/// A job under way: the step that it has announced, and the time that this may take.
class RunningJob {
 public:
  RunningJob(const ChildProcess::Command& command, Seconds patience, Seconds start,
             const Over& over)
      : process_{command}, over_{over}, patience_{patience}, allowed_{patience + start} {}

  /// Waits for the job's next event; nothing: there are no more.
  std::optional<protocol::WorkerEvent> next_event() {
    for (;;) {
      // After its last event the job only has to end: a library may hang in MPI_Finalize.
      const auto waited = process_.next_line(ended_ && !over_() ? kGrace : kGlance);
      if (waited == ChildProcess::Wait::closed || ended_ || is_late()) return std::nullopt;
      if (waited == ChildProcess::Wait::line) {
        last_line_ = Clock::now();
        if (auto event = event_of(process_.line())) return event;
      } else if (Clock::now() - last_line_ >= as_duration(allowed_)) {
        process_.kill();
        hung_ = true;
        return std::nullopt;
      }
    }
  }

  /// Takes note of an event, and answers it if the job is ready for a request.
  void follow(const protocol::WorkerEvent& event, const NextRequest& next) {
    std::visit(
        protocol::Match{[&](const protocol::Ready&) { answer(next()); },
                        [&](const protocol::CaseBegin& begin) { begin_step(begin); },
                        [&](const protocol::CaseDone&) { end_case(); },
                        [&](const protocol::CaseFailed&) { end_case(); },
                        [&](const protocol::LaunchEnd&) { ended_ = true; }, [](const auto&) {}},
        event);
  }

  /// The end of the job, after its last event.
  JobEnd end() {
    if (hung_) {
      return {fmt::format("hung: no word for {}{}{}", to_text(allowed_), step_, unreadable_),
              case_};
    }
    if (ended_) return {"complete", std::nullopt};
    if (const auto ending = over_()) return {ending->why, std::nullopt};  // no case's fault
    const std::string status = process_.wait(kGrace);
    const std::string words = process_.error_text();
    return {fmt::format("crashed: {}{}{}{}", status.empty() ? "ended early" : status,
                        words.empty() ? "" : "; last words: ", words, unreadable_),
            case_};
  }

 private:
  /// Whether the job is over and its grace has passed, which ends it.
  bool is_late() {
    if (!deadline_) {
      if (const auto ending = over_()) deadline_ = Clock::now() + as_duration(ending->grace);
    }
    if (!deadline_ || Clock::now() <= *deadline_) return false;
    process_.kill();
    return true;
  }

  /// The event on a line; nothing for a library's own output, and for a line that a crash cuts.
  std::optional<protocol::WorkerEvent> event_of(const std::string& line) {
    if (!line.starts_with('{')) return std::nullopt;
    try {
      return protocol::parse_event(line);
    } catch (const Error& error) {
      unreadable_ = fmt::format("; {}", error.what());
      return std::nullopt;
    }
  }

  void answer(const std::optional<protocol::WorkerRequest>& request) {
    if (!request) return process_.close_input();
    process_.write(protocol::to_json(*request) + "\n");
    step_ = " after a request";
  }

  void begin_step(const protocol::CaseBegin& begin) {
    case_ = begin.id;
    step_ = fmt::format(" during {}", begin.doing);
    allowed_ = patience_ + begin.expected;
  }

  void end_case() {
    case_.reset();
    step_ = " between cases";
  }

  ChildProcess process_;
  const Over& over_;
  Seconds patience_;
  Seconds allowed_;            // without a line, in this step
  std::optional<int> case_{};  // id of the present one
  std::string step_ = " during the start of the job";
  std::string unreadable_{};  // the last error in a line
  Clock::time_point last_line_ = Clock::now();
  std::optional<Clock::time_point> deadline_{};  // once it is over
  bool hung_ = false;
  bool ended_ = false;  // by its own account
};

}  // namespace

JobEnd run_job(const ChildProcess::Command& command, Seconds patience, const NextRequest& next,
               const OnEvent& on_event, const Over& over, Seconds start) {
  RunningJob job{command, patience, start, over};
  while (const auto event = job.next_event()) {
    on_event(*event);
    job.follow(*event, next);
  }
  return job.end();
}

}  // namespace breakeven::launch
