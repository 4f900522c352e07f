// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tables/formats/common/emitted.hpp"

namespace breakeven::formats::openmpi {

/// Takes a file apart as Open MPI's components do (ompi/mca/coll/base/coll_base_util.c at v4.1.4,
/// v5.0.7 and in v6.0.x): by fscanf, which finds numbers within words too. A comment begins with
/// '#' where one of these looks for something else.
class Scanner {
 public:
  /// @param read  gets advice about what the library passes over, or takes for another number
  Scanner(std::string_view text, ReadTable& read) : text_{text}, read_{read} {}

  /// The next number as "%li" reads it: 010 is 8, 0x10 is 16, and what is beyond long is the
  /// greatest or the least long. Nothing: the file ends before.
  std::optional<std::int64_t> number();
  /// As "%zu" reads it: decimal, and -1 is the greatest number.
  std::optional<std::uint64_t> size();
  /// Up to a blank, of 32 characters at most.
  std::optional<std::string_view> word();
  /// Takes the character where it is the next one but for blanks, ends of lines and comments.
  /// Nothing: the file ends before.
  std::optional<bool> take(char wanted);
  /// Whether the next character of the line but for blanks is a digit.
  bool digit_follows();
  /// Takes as much of the words as stands here, and where all do the number behind them.
  /// @return the number; 1 where there is none
  int version(std::string_view words);

  /// Of what was taken last; 0 at the beginning.
  [[nodiscard]] int line() const { return line_; }

 private:
  /// One conversion of fscanf: blanks, a sign, digits; empty: there are none, and a sign is lost.
  std::string integer(bool decimal);
  /// The next one; empty: the file ends before.
  std::string next_integer(bool decimal);
  [[nodiscard]] char at(std::size_t place) const { return place < text_.size() ? text_[place] : 0; }
  void pass_over_blanks();
  void pass_over_line();
  void take_line();
  void advise_of_passed();

  std::string_view text_;
  ReadTable& read_;
  std::size_t at_ = 0;
  std::string passed_{};        // characters next to each other that are no part of a number
  std::size_t passed_end_ = 0;  // behind the last of them
  int passed_line_ = 0;
  int line_ = 0;
  std::size_t line_begins_ = 0;  // up to there ends of lines are counted
};

/// A word that is a number as a whole, as strtol has it, of which the library keeps an int; nothing
/// of others.
/// @param base  0: octal behind a 0, hexadecimal behind 0x
[[nodiscard]] std::optional<int> int_in(const std::string& word, int base = 10);

/// The number of a collective in files of rules, by its name. Of names that end in 'v' or 'w' the
/// library looks at no letter behind them. Nothing: it knows none.
[[nodiscard]] std::optional<int> collective_id(std::string_view name);

}  // namespace breakeven::formats::openmpi
