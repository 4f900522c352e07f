// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/case.hpp"

namespace breakeven::worker {

/// The object in which dlsym finds the symbols of a component of Open MPI: a file of its own, which
/// was opened with local symbols and has to be named, or the MPI library with its global symbols.
/// @param name  "mca_coll_tuned"
[[nodiscard]] void* component_object(std::string_view name);

/// A file of rules, read by Open MPI itself: its component coll/tuned exports its parser and its
/// look-up, which MPI_Init and every collective use.
class RulesLookup {
 public:
  /// The library's choice.
  struct Answer {
    int algorithm = 0;  ///< its number; 0: the library's own decision
    int fanout = 0;
    int segment_bytes = 0;
    int max_requests = 0;
    friend bool operator==(const Answer&, const Answer&) = default;
  };

  /// Lets the library parse the file.
  /// @pre MPI is initialised, so that the component is loaded
  /// @throws UsageError when this is not Open MPI 4.1 to 6.x with coll/tuned
  [[nodiscard]] static RulesLookup of_file(const std::filesystem::path& file);

  /// Whether the library's parser accepts the file; otherwise the library ignores it silently.
  [[nodiscard]] bool loaded() const { return rules_ != nullptr; }

  /// The answer for the case's collective, p and message; its other members do not matter.
  /// @pre loaded()
  /// @throws UsageError from Open MPI 6 on
  [[nodiscard]] Answer answer(const Case& problem) const;

 private:
  /// The functions that coll/tuned exports.
  struct Library;
  static const Library& library();

  struct Free {
    void operator()(void* rules) const;
  };

  explicit RulesLookup(void* rules) : rules_{rules} {}

  std::unique_ptr<void, Free> rules_;
};

/// The number of rules that Open MPI's component coll/han reads from the file that its variables
/// name; nothing where it drops the file. It reads the file once more, and tells the number only if
/// coll_han_verbose was 5 or more when the process began.
/// @throws UsageError where this Open MPI has no such function.
[[nodiscard]] std::optional<int> han_rules_read();

}  // namespace breakeven::worker
