// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "core/mapping.hpp"
#include "core/program_time.hpp"
#include "tables/order.hpp"

namespace breakeven::tables {

/// Calls of a program that are counted together.
struct Use {
  Collective collective = Collective::barrier;
  CallForm form = CallForm::blocking;
  NodeLayout layout{};     ///< of the communicator
  Bytes message{};         ///< the power of two that the message has at least; 0
  std::string datatype{};  ///< empty without data; "derived" for all of the program's own
  std::string op{};        ///< empty without; "user" for all of the program's own
  bool in_place = false;
  Variant variant = Native{};
  Variant native{};  ///< the library's own algorithm that ran for native; empty: not known
  /// The form whose rules hold for the calls: libraries give persistent ones the algorithms of
  /// nonblocking ones.
  [[nodiscard]] CallForm tuned_form() const {
    return form == CallForm::persistent ? CallForm::nonblocking : form;
  }
  friend auto operator<=>(const Use&, const Use&) = default;
};

/// The problem of these calls, at their least message.
[[nodiscard]] Case problem_of(const Use& use);

/// "openmpi:ring (observed)", "mpich:ring (derived)"; empty where it is not known.
[[nodiscard]] std::string native_text(const Use& use);

/// The number and the time of these calls.
struct Amount {
  std::int64_t calls = 0;
  std::int64_t processes = 0;  ///< that made such calls
  double seconds = 0;          ///< in MPI; means over a communicator's processes, as all times are
  // Of nonblocking and persistent calls:
  double start_s = 0;         ///< of `seconds`, the time to start them; the rest completes them
  double under_way_s = 0;     ///< from the start of each to its completion
  double most_overlap_s = 0;  ///< of `under_way_s`, the time outside of the MPI calls that started
                              ///< it or asked for its completion: at most so much may be hidden
  Amount& operator+=(const Amount& more);
  Amount& operator/=(int divisor);  ///< the times
};

/// Calls that have one number in an order: communicators with the same places are alike.
struct OrderedCall {
  Use use{};
  int stride = 1;       ///< between the communicator's ranks in MPI_COMM_WORLD; 0: it differs
  double prompt_s = 0;  ///< time of a call that hardly waits for another process: the lower
                        ///< quartile of a process's calls, the least of all processes
};

/// The calls of an MPI program to the collectives of which we have algorithms.
struct Profile {
  std::string library_version{};
  std::string cpu{};
  int procs = 1;      ///< of MPI_COMM_WORLD; of a sum, the most
  double wall_s = 0;  ///< from MPI_Init to MPI_Finalize
  std::map<Use, Amount> uses{};
  std::vector<OrderedCall> kinds{};  ///< of the calls in `order`
  Order order{};          ///< of blocking calls, of rank 0 and all with the same order; of no sum
  std::string command{};  ///< of rank 0; empty for a sum
  std::vector<Profile> programs{};  ///< that this is the sum of; none for one program
};

/// One program's own profile; of several programs the calls of all: times add, also of programs
/// that ran at once.
/// @param programs  at least one
[[nodiscard]] Profile sum_of(std::vector<Profile> programs);

/// Adds other processes to the order, if they have the same.
void add_order(const Profile& others, Profile& profile);

/// Adds the uses of other processes or communicators.
void add(const std::map<Use, Amount>& uses, std::map<Use, Amount>& sums);

/// The time of one of these calls that hardly waits for another process, the least of all its
/// kinds; nothing where the order has none.
[[nodiscard]] std::optional<double> prompt_s(const Profile& profile, const Use& use);

/// The time by collective, form, layout and message, whatever the data. Persistent calls count
/// as nonblocking ones: see Use::tuned_form().
[[nodiscard]] ProgramTime program_time(const Profile& profile);

[[nodiscard]] std::string to_json(const Profile& profile);

/// @throws UsageError in one line when the text is no profile.
[[nodiscard]] Profile read_profile(std::string_view text);

}  // namespace breakeven::tables
