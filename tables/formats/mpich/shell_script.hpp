// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tables/formats/common/emitted.hpp"

namespace breakeven::formats::mpich {

/// MPICH's variables behind a shell script's assignments, `export` and `unset`, except those in
/// conditions, loops and functions.
struct ShellScript {
  struct Variable {
    std::string value{};
    int line = 0;         ///< of the last assignment; 0: there is none
    bool literal = true;  ///< the shell expands nothing in the value
    bool exported = false;
  };

  explicit ShellScript(std::string_view text);

  std::map<std::string, Variable> variables{};
  std::vector<ReadTable::Fault> not_understood{};  ///< commands that may change variables
};

}  // namespace breakeven::formats::mpich
