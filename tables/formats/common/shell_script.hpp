// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tables/formats/common/emitted.hpp"

namespace breakeven::formats {

/// The variables of MPI libraries behind a shell script's assignments, `export` and `unset`, except
/// those in conditions, loops and functions.
struct ShellScript {
  struct Variable {
    std::string value{};
    int line = 0;         ///< of the last assignment; 0: there is none
    bool literal = true;  ///< the shell expands nothing in the value
    bool exported = false;
  };

  explicit ShellScript(std::string_view text);

  /// "NAME=value", of those that programs see.
  [[nodiscard]] std::vector<std::string> exported() const;

  std::map<std::string, Variable> variables{};
  std::vector<ReadTable::Fault> not_understood{};  ///< commands that may change variables
};

}  // namespace breakeven::formats
