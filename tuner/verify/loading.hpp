// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace breakeven::verify {

/// A format whose files an MPI library loads when a job starts.
struct Loading {
  std::string_view format;
  std::string_view variable;    ///< that names the file; empty: the file's own lines are variables
  std::string_view also = "";   ///< what has to be set besides: "NAME=value"
  bool answers = false;         ///< the library can be asked what it would run
  std::string_view tells = "";  ///< what has the library say what it has read: "NAME=value"
};

/// Null for a format that no library loads, or that nobody here knows how to have loaded.
[[nodiscard]] const Loading* find_loading(std::string_view format);

}  // namespace breakeven::verify
