// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tables/formats/common/emitted.hpp"

namespace breakeven::formats::mpich {

/// Follows a shell script's assignments, `export` and `unset` of MPICH's variables, except in
/// conditions, loops and functions.
class ShellScript {
 public:
  struct Variable {
    std::string value{};
    int line = 0;         ///< of the last assignment; 0: there is none
    bool literal = true;  ///< the shell expands nothing in the value
    bool exported = false;
  };

  explicit ShellScript(std::string_view text);

  std::map<std::string, Variable> variables{};
  std::vector<ReadTable::Fault> not_understood{};  ///< commands that may change variables

 private:
  struct Word {
    int line = 0;
    std::string text{};
    bool literal = true;  ///< the shell expands nothing in it
  };

  /// The word that the text is in.
  Word& word();
  /// @param sign  behind it: "&&", the end of the line
  void end_command(std::string_view sign);
  /// @return whether the command is understood
  bool run(std::string_view first);

  int line_ = 1;
  std::vector<Word> words_{};  ///< of the command
  bool inside_ = false;        ///< of the last word
  bool runs_ = true;           ///< the command, whatever the one before it does
  int depth_ = 0;              ///< of conditions, loops and functions
  bool awaits_ = false;        ///< the sign before asks for a command
  int parentheses_ = 0;        ///< that are open
  bool in_backquotes_ = false;
  bool understood_ = true;  ///< of the command: it has no redirection
  bool follows_ = true;     ///< what stands here may be where it seems to a shell
  bool followed_ = true;    ///< likewise, up to the command before
};

}  // namespace breakeven::formats::mpich
