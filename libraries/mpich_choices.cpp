// SPDX-License-Identifier: BSD-3-Clause
#include "libraries/mpich_choices.hpp"

namespace breakeven {

namespace {

/// The longest known word with which `text` ends.
std::string_view last_word(std::string_view text, std::span<const std::string_view> known) {
  std::string_view longest;
  for (const std::string_view word : known) {
    if (text.ends_with(word) && word.size() > longest.size()) longest = word;
  }
  return longest;
}

}  // namespace

std::vector<std::string> mpich_choices(std::string_view description,
                                       std::span<const std::string_view> known) {
  std::vector<std::string> choices;
  for (std::size_t dash = description.find(" - "); dash != std::string_view::npos;
       dash = description.find(" - ", dash + 1)) {
    std::string_view before = description.substr(0, dash);
    while (before.ends_with(' ')) before.remove_suffix(1);
    choices.emplace_back(last_word(before, known));
  }
  return choices;
}

}  // namespace breakeven
