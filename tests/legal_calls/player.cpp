// SPDX-License-Identifier: BSD-3-Clause
// Plays a list of legal MPI calls and checks every result. It knows nothing of what a collective
// does: expand.py states, for each rank, the arguments, what the input holds and what the output
// must hold afterwards. usage: player STEPS PROGRESS SECONDS [ALGORITHMS]
//
// STEPS has a JSON object on each line; ALGORITHMS names Breakeven's for each collective, which
// then perform the calls through the C++ library, in turns, where they can; PROGRESS gets the line
// that each rank is at, as 8 bytes a rank, so that whoever started a job that crashed or hangs can
// tell where.
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/legal_calls/calls.hpp"
#include "tests/legal_calls/memory.hpp"

namespace legal_calls {

namespace {

/// A collective under way: its buffers live until it is complete.
struct Running {
  std::size_t line = 0;
  std::size_t until = 0;  ///< the line behind which it is waited for
  Memory in;
  Memory out;
  Arguments arguments{};
  MPI_Request request = MPI_REQUEST_NULL;
  std::optional<breakeven::Bound> bound{};
  breakeven::Request started{};  ///< of the C++ library
};

class Player {
 public:
  /// @param algorithms  null: MPI's functions are called
  Player(const char* progress, Json algorithms)
      : progress_{open(progress, O_WRONLY | O_CREAT, 0666)}, algorithms_(std::move(algorithms)) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    comms_.emplace("w", MPI_COMM_WORLD);
  }

  void play(const Json& step) {
    const auto at = static_cast<std::int64_t>(++line_);
    if (pwrite(progress_, &at, sizeof at, rank_ * std::int64_t{sizeof at}) != sizeof at) {
      MPI_Abort(MPI_COMM_WORLD, 4);
    }
    // An idup is waited for at the latest where its communicator is needed.
    for (const char* needed : {"from", "comm"}) {
      const auto idup = idups_.find(step.value(needed, ""));
      if (idup != idups_.end()) finish(idup);
    }
    const std::string what = step.at("step");
    if (what == "make") {
      make(step);
    } else if (what == "free") {
      MPI_Comm& comm = comms_.at(step.at("comm"));
      ours_.erase(step.at("comm"));
      if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    } else if (const Json& mine = step.at("ranks").at(static_cast<std::size_t>(rank_));
               !mine.is_null()) {
      call(step, mine);
    }
    complete(line_);
  }

  /// Waits for all that is to be complete behind a line.
  void complete(std::size_t line) {
    for (const std::unique_ptr<Running>& each : running_) {
      if (each->until > line) continue;
      MPI_Wait(&each->request, MPI_STATUS_IGNORE);
      each->started.wait();
      check(*each);
    }
    std::erase_if(running_, [&](const auto& each) { return each->until <= line; });
    for (auto idup = idups_.begin(); idup != idups_.end();) {
      idup = idup->second.until <= line ? finish(idup) : std::next(idup);
    }
  }

 private:
  struct Idup {
    MPI_Request request = MPI_REQUEST_NULL;
    std::size_t until = 0;
  };
  using Idups = std::map<std::string, Idup>;

  Idups::iterator finish(Idups::iterator idup) {
    MPI_Wait(&idup->second.request, MPI_STATUS_IGNORE);
    return idups_.erase(idup);
  }

  void make(const Json& step) {
    const MPI_Comm from = comms_.at(step.at("from"));
    const std::string how = step.at("how");
    MPI_Comm& comm = comms_.insert_or_assign(step.at("comm"), MPI_COMM_NULL).first->second;
    if (from == MPI_COMM_NULL) return;
    int rank = 0;
    MPI_Comm_rank(from, &rank);
    const std::vector<int> members = step.value("members", std::vector<int>{});
    if (how == "dup") {
      MPI_Comm_dup(from, &comm);
    } else if (how == "idup") {
      Idup& idup = idups_[step.at("comm")];
      idup.until = line_ + step.at("until").get<std::size_t>();
      MPI_Comm_idup(from, &comm, &idup.request);
    } else if (how == "split") {
      MPI_Comm_split(from, rank % step.at("colours").get<int>(), 0, &comm);
    } else if (how == "reverse") {
      MPI_Comm_split(from, 0, -rank, &comm);
    } else {  // create, create_group: of the members alone
      MPI_Group all = MPI_GROUP_NULL;
      MPI_Group some = MPI_GROUP_NULL;
      MPI_Comm_group(from, &all);
      MPI_Group_incl(all, static_cast<int>(members.size()), members.data(), &some);
      if (how == "create") {
        MPI_Comm_create(from, some, &comm);
      } else if (std::ranges::find(members, rank) != members.end()) {
        MPI_Comm_create_group(from, some, 7, &comm);
      }
      MPI_Group_free(&some);
      MPI_Group_free(&all);
    }
  }

  void call(const Json& step, const Json& mine) {
    auto run = std::make_unique<Running>();
    const Element element = element_of(step.at("base"));
    const Values values{.seed = step.at("seed"), .op = step.at("op")};
    run->line = line_;
    run->in = Memory{mine.at("in"), element, values};
    run->out = Memory{mine.at("out"), element, values};
    run->arguments = {.collective = step.at("collective"),
                      .in = run->in.side(),
                      .out = run->out.side(),
                      .op = op_of(values.op),
                      .root = mine.at("root"),
                      .comm = comms_.at(step.at("comm"))};
    const std::string mode = step.at("mode");
    if (!algorithms_.is_null()) return call_ours(step, std::move(run), mode);
    if (mode == "blocking" || (mode == "persistent" && !has_persistent())) {
      blocking(run->arguments);
      check(*run);
    } else if (mode == "nonblocking") {
      run->until = line_ + step.at("until").get<std::size_t>();
      nonblocking(run->arguments, &run->request);
      running_.push_back(std::move(run));
    } else {
      persistent(run->arguments, &run->request);
      for (int times = 0; times < 2; ++times) {
        if (times > 0) run->out.reset();
        MPI_Start(&run->request);
        MPI_Wait(&run->request, MPI_STATUS_IGNORE);
        check(*run);
      }
      MPI_Request_free(&run->request);
    }
  }

  void call_ours(const Json& step, std::unique_ptr<Running> run, const std::string& mode) {
    const auto comm = ours_.try_emplace(step.at("comm"), run->arguments.comm).first;
    run->bound = bound_to_ours(comm->second, run->arguments, step.at("seed"));
    if (mode == "nonblocking") {
      run->until = line_ + step.at("until").get<std::size_t>();
      run->started = run->bound->start();
      running_.push_back(std::move(run));
      return;
    }
    for (int times = 0; times < (mode == "persistent" ? 2 : 1); ++times) {
      if (times > 0) run->out.reset();
      if (mode == "persistent") {
        breakeven::Request request = run->bound->start();
        while (!request.test()) {
        }
      } else {
        run->bound->run();
      }
      check(*run);
    }
  }

  /// Collective. By the first algorithm from a random one on that can perform the call.
  breakeven::Bound bound_to_ours(const breakeven::Communicator& comm, const Arguments& arguments,
                                 std::size_t seed) const {
    const Json& names = algorithms_.at(arguments.collective);
    for (std::size_t i = 0; i < names.size(); ++i) {
      try {
        return bound(comm, arguments, names[(seed + i) % names.size()]);
      } catch (const std::runtime_error&) {
        continue;  // on all ranks
      }
    }
    throw std::runtime_error("no algorithm performs a legal " + arguments.collective);
  }

  void check(const Running& run) const {
    for (const auto& [memory, name] : {std::pair{&run.in, "input"}, {&run.out, "output"}}) {
      const std::string fault = memory->fault();
      if (fault.empty()) continue;
      std::fprintf(stderr, "wrong: line %zu rank %d %s: %s\n", run.line, rank_, name,
                   fault.c_str());
      MPI_Abort(MPI_COMM_WORLD, 3);
    }
  }

  int progress_;
  int rank_ = 0;
  std::size_t line_ = 0;
  Json algorithms_;
  std::map<std::string, MPI_Comm, std::less<>> comms_{};
  std::map<std::string, breakeven::Communicator> ours_{};
  std::vector<std::unique_ptr<Running>> running_{};
  Idups idups_{};
};

}  // namespace

}  // namespace legal_calls

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  alarm(static_cast<unsigned>(std::stoul(argv[3])));
  MPI_Init(&argc, &argv);
  {
    legal_calls::Json algorithms;
    if (argc > 4) std::ifstream{argv[4]} >> algorithms;
    legal_calls::Player player{argv[2], algorithms};
    std::ifstream steps{argv[1]};
    for (std::string line; std::getline(steps, line);) player.play(legal_calls::Json::parse(line));
    player.complete(SIZE_MAX);
  }
  MPI_Finalize();
}
