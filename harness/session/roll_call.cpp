// SPDX-License-Identifier: BSD-3-Clause
#include "harness/session/roll_call.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <random>
#include <string_view>

#include "core/error.hpp"

namespace breakeven::session {

namespace {

using std::chrono::steady_clock;

/// Ranks of a program start within this time. A later rank finds that the answer is given.
constexpr std::chrono::seconds kCallsWithin{10};

/// The addresses of this host, by which other nodes and its own processes may reach it.
std::string addresses() {
  std::string found;
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) == 0) {
    for (const ifaddrs* each = all; each != nullptr; each = each->ifa_next) {
      if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET) continue;
      if ((each->ifa_flags & IFF_LOOPBACK) != 0 || (each->ifa_flags & IFF_UP) == 0) continue;
      std::array<char, INET_ADDRSTRLEN> text{};
      const auto* const address = reinterpret_cast<const sockaddr_in*>(each->ifa_addr);
      inet_ntop(AF_INET, &address->sin_addr, text.data(), text.size());
      found += fmt::format(" {}", text.data());
    }
    freeifaddrs(all);
  }
  return found.empty() ? " 127.0.0.1" : found;
}

/// Allows a connection for each rank that waits.
void raise_file_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

/// "node1 has MPICH 4.2.0": the table does not hold there; empty: it does.
std::string difference(const Notice& rank, const Machine& of_table) {
  if (rank.library_version != of_table.library_version) {
    return fmt::format("{} has {}", rank.node, rank.library_version);
  }
  return rank.cpu == of_table.cpu ? "" : fmt::format("{} has {}", rank.node, rank.cpu);
}

/// The ranks of a program that have called, at the time of its answer.
struct Muster {
  Muster(const RollCall::Program& program, const Machine* of_table)
      : first{program.ranks.front()}, table{of_table} {
    std::set<int> ranks;
    for (const Notice& rank : program.ranks) {
      nodes.insert(rank.node);
      ranks.insert(rank.rank);
      unreadable.insert(rank.unreadable.begin(), rank.unreadable.end());
      if (!rank.unreadable.empty()) unable.insert(rank.node);
      if (of_table != nullptr) others.insert(difference(rank, *of_table));
    }
    others.erase("");
    missing = first.procs - static_cast<int>(ranks.size());
    while (ranks.contains(first_missing)) ++first_missing;
  }

  [[nodiscard]] bool usable() const { return unreadable.empty() && others.empty(); }

  /// @param ended  the command has ended before all ranks called
  /// @param then   the effect on the program
  [[nodiscard]] std::vector<std::string> complaints(bool ended, std::string_view then) const {
    std::vector<std::string> lines;
    if (missing > 0) {
      lines.push_back(
          fmt::format("{}: {} of {} ranks, as rank {}, did not load Breakeven's library and call "
                      "MPI_Init {} those on {}: {}",
                      first.program, missing, first.procs, first_missing,
                      ended ? "like" : fmt::format("within {} s of", kCallsWithin.count()),
                      fmt::join(nodes, ", "), ended ? "the program ended" : then));
    }
    if (!unreadable.empty()) {
      lines.push_back(fmt::format("{}: {} can't read {}: {}", first.program,
                                  fmt::join(unable, ", "), fmt::join(unreadable, ", "), then));
    }
    if (!others.empty()) {
      lines.push_back(fmt::format("{}: the table was measured with {} on {}, and {}: {}",
                                  first.program, table->library_version, table->cpu,
                                  fmt::join(others, ", "), then));
    }
    return lines;
  }

  const Notice& first;
  const Machine* table;
  std::set<std::string> nodes{};
  std::set<std::string> unreadable{};  // files
  std::set<std::string> unable{};      // nodes that can't read these
  std::set<std::string> others{};      // nodes for which the table does not hold
  int missing = 0;                     // ranks
  int first_missing = 0;
};

void answer(int client, const std::string& text) {
  static_cast<void>(send(client, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
  close(client);
}

}  // namespace

RollCall::RollCall(bool strict, const Machine* of_table) : strict_{strict}, of_table_{of_table} {
  std::random_device random;
  cookie_ = fmt::format("{:08x}{:08x}", random(), random());
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  wake_ = eventfd(0, EFD_CLOEXEC);
  events_ = epoll_create1(EPOLL_CLOEXEC);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  socklen_t size = sizeof here;
  auto* const address = reinterpret_cast<sockaddr*>(&here);
  if (listener_ < 0 || wake_ < 0 || events_ < 0 || bind(listener_, address, size) != 0 ||
      listen(listener_, SOMAXCONN) != 0 || getsockname(listener_, address, &size) != 0) {
    throw Error(fmt::format("can't listen for the program's ranks: {}", std::strerror(errno)));
  }
  port_ = ntohs(here.sin_port);
  watch(wake_);
  watch(listener_);
}

RollCall::~RollCall() {
  stop();
  close(listener_);
  close(wake_);
  close(events_);
}

std::string RollCall::variable() const {
  return fmt::format("BREAKEVEN_RUN={} {}{}", cookie_, port_, addresses());
}

void RollCall::start() {
  raise_file_limit();
  thread_ = std::thread{[this] { serve(); }};
}

void RollCall::stop() {
  if (!thread_.joinable()) return;
  eventfd_write(wake_, 1);
  thread_.join();
}

void RollCall::watch(int file) const {
  epoll_event readable{.events = EPOLLIN, .data = {.fd = file}};
  epoll_ctl(events_, EPOLL_CTL_ADD, file, &readable);
}

void RollCall::serve() {
  for (bool stopping = false; !stopping;) {
    const bool some_wait =
        std::ranges::any_of(programs_, [](const Program& each) { return each.answer.empty(); });
    std::array<epoll_event, 64> ready{};  // not all clients: a large job has a rank in each
    const int count = epoll_wait(events_, ready.data(), ready.size(), some_wait ? 500 : -1);
    for (int i = 0; i < count; ++i) {
      const int file = ready[static_cast<std::size_t>(i)].data.fd;
      if (file == wake_) stopping = true;
      if (file == listener_) accept_all();
      if (file != wake_ && file != listener_) read_some(file);
    }
    decide_late_ones();
  }
  for (const auto& [client, text] : clients_) close(client);
  for (Program& each : programs_) {
    if (each.answer.empty()) decide(each, true);
  }
}

void RollCall::accept_all() {
  for (int client = 0; (client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
    clients_[client];
    watch(client);
  }
}

void RollCall::read_some(int client) {
  std::array<char, 4096> part{};
  const ssize_t got = recv(client, part.data(), part.size(), MSG_DONTWAIT);
  std::string& text = clients_[client];
  if (got > 0) {
    text.append(part.data(), static_cast<std::size_t>(got));
    return;
  }
  const std::string whole = std::move(text);
  clients_.erase(client);
  epoll_ctl(events_, EPOLL_CTL_DEL, client, nullptr);  // from now on it waits
  try {
    Notice notice = notice_of(whole);
    if (notice.cookie == cookie_) return hear(client, std::move(notice));
  } catch (const Error&) {
    // A stranger's.
  }
  close(client);
}

void RollCall::hear(int client, Notice notice) {
  const auto is_of = [&](const Program& program) {
    const Notice& first = program.ranks.front();
    return first.job == notice.job && first.procs == notice.procs;
  };
  if (notice.kind == Notice::Kind::spawned) {
    const auto found = std::ranges::find_if(programs_.rbegin(), programs_.rend(), is_of);
    if (found != programs_.rend()) found->spawned = true;
    return close(client), void();
  }
  if (notice.kind != Notice::Kind::init) {
    others_.push_back(std::move(notice));
    return close(client), void();
  }
  auto program = std::ranges::find_if(programs_, [&](const Program& each) {
    return is_of(each) && !each.waiting.contains(notice.rank);
  });
  if (program == programs_.end()) program = programs_.emplace(program);
  program->last_call = steady_clock::now();
  program->waiting[notice.rank] = client;
  program->ranks.push_back(std::move(notice));
  if (!program->answer.empty()) return answer(client, program->answer);
  if (std::ssize(program->ranks) == program->ranks.front().procs) decide(*program);
}

void RollCall::decide(Program& program, bool ended) {
  const Muster muster{program, of_table_};
  const bool ends = strict_ && (muster.missing > 0 || !muster.usable());
  std::ranges::move(
      muster.complaints(ended, ends ? "the program ends" : "the program runs without the table"),
      std::back_inserter(complaints_));
  program.takes_part = muster.missing == 0 && !ends;
  program.by_table = program.takes_part && muster.usable();
  program.answer = ends ? kEnd : program.takes_part ? kTakePart : kStandAside;
  program.answer += fmt::format("\n{}\n", muster.usable() ? "" : kWithoutTable);
  for (const auto& [rank, client] : program.waiting) answer(client, program.answer);
}

void RollCall::decide_late_ones() {
  for (Program& each : programs_) {
    if (each.answer.empty() && steady_clock::now() - each.last_call > kCallsWithin) decide(each);
  }
}

}  // namespace breakeven::session
