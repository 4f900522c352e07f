// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/mpich/shell_script.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "tables/formats/common/head.hpp"
#include "tables/formats/mpich/cvars.hpp"

namespace breakeven::formats::mpich {

namespace {

constexpr std::string_view kNameLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

}  // namespace

ShellScript::ShellScript(std::string_view text) {
  char quote = '\0';
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    const char next = at + 1 < text.size() ? text[at + 1] : '\n';
    if (letter == '\\' && quote != '\'') {
      ++at;
      if (next != '\n') word().text += next;
    } else if (letter == quote) {
      quote = '\0';
    } else if (quote == '\0' && (letter == '\'' || letter == '"')) {
      quote = letter;
      word();
    } else if (quote == '\0' && (letter == ' ' || letter == '\t')) {
      inside_ = false;
    } else if (quote == '\0' && letter == '#' && !inside_) {
      at = std::min(text.find('\n', at), text.size()) - 1;
    } else if (quote == '\0' && std::string_view{"\n;&|"}.find(letter) != std::string_view::npos) {
      end_command(letter == '|' || (letter == '&' && next == '&'));
    } else {
      word().text += letter;
      if (quote != '\'' && (letter == '$' || letter == '`')) word().literal = false;
    }
    if (at < text.size() && text[at] == '\n') ++line_;
  }
  if (quote != '\0') word().literal = false;
  end_command(false);
}

ShellScript::Word& ShellScript::word() {
  if (!std::exchange(inside_, true)) words_.push_back({line_});
  return words_.back();
}

void ShellScript::end_command(bool joined) {
  inside_ = false;
  if (words_.empty()) return;
  const bool understood = run(words_.front().text);
  runs_ = !joined || understood;
  std::string text;
  for (const Word& each : words_) text += (text.empty() ? "" : " ") + each.text;
  if (!understood && text.find(kPrefix) != std::string::npos) {
    not_understood.push_back(
        {words_.front().line, "not understood: " + text.substr(0, text.find('\n'))});
  }
  words_.clear();
}

bool ShellScript::run(std::string_view first) {
  if (lists("if for while until case select", ' ', first) || words_.back().text == "{") ++depth_;
  if (lists("fi done esac }", ' ', first)) depth_ = std::max(0, depth_ - 1);
  if (depth_ > 0 || !runs_) return false;
  if (first == "echo" || first == "printf") return true;
  const bool unsets = first == "unset";
  const bool exports = first == "export";
  const bool assigns = !unsets && !exports;
  const auto named = std::span{words_}.subspan(assigns ? 0 : 1);
  for (const Word& each : named) {
    const std::size_t end = each.text.find_first_not_of(kNameLetters);
    const bool name = end == std::string::npos;
    if (end == 0 || (name ? assigns : unsets || each.text[end] != '=')) return false;
  }
  for (const auto& [line, text, literal] : named) {
    const std::size_t sign = std::min(text.find('='), text.size());
    const std::string name = text.substr(0, sign);
    if (unsets) {
      variables.erase(name);
    } else if (name.starts_with(kPrefix)) {
      Variable& variable = variables[name];
      variable.exported = variable.exported || exports;
      if (sign == text.size()) continue;
      variable = {text.substr(sign + 1), line, literal, variable.exported};
    }
  }
  return true;
}

}  // namespace breakeven::formats::mpich
