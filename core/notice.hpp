// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/names.hpp"

namespace breakeven {

/// A message of a process with our preload to the `breakeven run` above it.
struct Notice {
  enum class Kind {
    init,      ///< it is about to call MPI_Init, and waits for an answer
    spawned,   ///< the program is another one's child, which has the profile
    past_us,   ///< it ended, and MPI was initialised without our MPI_Init
    no_init,   ///< it ended, was started as rank 0 of a job, and never initialised MPI
    launcher,  ///< it starts MPI jobs, and ended
    foreign,   ///< it is a program of another MPI library, and goes on without our preload
  };
  Kind kind = Kind::init;
  std::string cookie{};   ///< of BREAKEVEN_RUN
  std::string job{};      ///< the launcher's name for the job; empty where it has none
  int procs = 1;          ///< of the job
  int rank = 0;           ///< in it
  std::string node{};     ///< by its host's name
  int pid = 0;            ///< there
  std::string program{};  ///< its file's name
  std::string detail{};   ///< of `past_us`, `launcher` and `foreign`: the library or word found
  std::string library_version{};          ///< of `init`, as it says itself
  std::string cpu{};                      ///< of `init`: its node's processor
  std::vector<std::string> unreadable{};  ///< files that it can't read
};

inline constexpr Names<Notice::Kind, 6> kNoticeKinds{"notice",
                                                     {{{Notice::Kind::init, "init"},
                                                       {Notice::Kind::spawned, "spawned"},
                                                       {Notice::Kind::past_us, "past_us"},
                                                       {Notice::Kind::no_init, "no_init"},
                                                       {Notice::Kind::launcher, "launcher"},
                                                       {Notice::Kind::foreign, "foreign"}}}};
constexpr const auto& names(Notice::Kind) { return kNoticeKinds; }

/// JSON on one line.
[[nodiscard]] std::string to_text(const Notice& notice);
/// @throws Error when the text is no notice.
[[nodiscard]] Notice notice_of(std::string_view text);

/// The answers to Notice::Kind::init: a line, and kWithoutTable as a second one where some rank
/// can't read a file, so that no rank may.
inline constexpr std::string_view kTakePart = "take part";
inline constexpr std::string_view kStandAside = "stand aside";
inline constexpr std::string_view kEnd = "end";
inline constexpr std::string_view kWithoutTable = "without the table";

}  // namespace breakeven
