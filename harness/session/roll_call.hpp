// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <list>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/launch.hpp"
#include "core/notice.hpp"

namespace breakeven::session {

/// Hears the preloaded processes of a command, on any node: before MPI_Init the ranks of each
/// program name the files that they can't read, and all of them get one answer, because ranks that
/// choose algorithms by different files wait for each other forever.
class RollCall {
 public:
  /// Listens on the addresses of this host from now on.
  /// @param strict  a program that can't use a table ends
  /// @param of_table  the machine of the table, which all ranks must have; null: no table
  /// @throws Error when no socket can be made.
  RollCall(bool strict, const Machine* of_table);
  ~RollCall();
  RollCall(const RollCall&) = delete;
  RollCall& operator=(const RollCall&) = delete;

  /// "NAME=value" that the processes need.
  [[nodiscard]] std::string variable() const;

  /// Answers in a thread of its own until stop().
  void start();
  void stop();

  /// A program whose ranks called.
  struct Program {
    std::vector<Notice> ranks{};   ///< in the order of their calls
    std::map<int, int> waiting{};  ///< sockets of all ranks, until the answer is given
    std::chrono::steady_clock::time_point last_call{};
    std::string answer{};  ///< empty until it is given
    bool takes_part = false;
    bool by_table = false;  ///< every rank can read the files, and the table holds for it
    bool spawned = false;
  };
  /// After stop().
  [[nodiscard]] const std::list<Program>& programs() const { return programs_; }
  /// All other notices, after stop().
  [[nodiscard]] const std::vector<Notice>& others() const { return others_; }
  /// One line for each program with a node that can't use the table, or that lacks ranks.
  [[nodiscard]] const std::vector<std::string>& complaints() const { return complaints_; }

 private:
  void watch(int file) const;
  void serve();
  void accept_all();
  void read_some(int client);
  void hear(int client, Notice notice);
  void decide(Program& program, bool ended = false);
  void decide_late_ones();

  bool strict_;
  const Machine* of_table_;
  std::string cookie_;
  int port_ = 0;
  int listener_ = -1;
  int wake_ = -1;                         ///< readable once it shall stop
  int events_ = -1;                       ///< epoll's: the files that are readable
  std::map<int, std::string> clients_{};  ///< the text of each so far
  std::list<Program> programs_{};
  std::vector<Notice> others_{};
  std::vector<std::string> complaints_{};
  std::thread thread_{};
};

}  // namespace breakeven::session
