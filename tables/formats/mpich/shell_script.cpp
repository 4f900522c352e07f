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
      const bool stays =
          at == text.size() ||
          (quote == '"' && std::string_view{"$`\"\\\n"}.find(next) == std::string::npos);
      if (stays) word().text += letter;
      if (at < text.size() && next != '\n') word().text += next;
    } else if (letter == quote) {
      quote = '\0';
    } else if (quote == '\0' && (letter == '\'' || letter == '"')) {
      quote = letter;
      word();
    } else if (quote == '\0' && (letter == ' ' || letter == '\t')) {
      inside_ = false;
    } else if (quote == '\0' && letter == '#' && !inside_) {
      at = std::min(text.find('\n', at), text.size()) - 1;
    } else if (quote == '\0' && (letter == '\n' || letter == ';')) {
      end_command(text.substr(at, 1));
    } else if (quote == '\0' && (letter == '<' || letter == '>')) {
      // Its file, or a number behind '&', is a word of the command.
      follows_ = follows_ && letter != next;
      understood_ = inside_ = false;
      if (next == '&' || next == letter) ++at;
    } else if (quote == '\0' && (letter == '&' || letter == '|')) {
      end_command(text.substr(at, letter == next ? 2 : 1));
      if (letter == next) ++at;
    } else {
      // Of a command in quotes, and of an array's element.
      const bool opens = (letter == '(' && (quote == '\0' || text[at - 1] == '$')) ||
                         (letter == '[' && quote == '\0' && inside_ && words_.size() == 1);
      // Behind a sign, as a whole command, or of a function.
      const bool fits =
          letter == '[' || !inside_ || next == ')' || words_.back().text.empty() ||
          std::string_view{"$=("}.find(words_.back().text.back()) != std::string::npos;
      word().text += letter;
      follows_ = follows_ && (!opens || fits);
      if (std::string_view{quote == '\0'  ? "$`~{"
                           : quote == '"' ? "$`"
                                          : ""}
              .find(letter) != std::string::npos) {
        word().literal = false;
      }
      if (quote != '\'' && letter == '`') in_backquotes_ = !in_backquotes_;
      if (opens) ++parentheses_;
      // In a case one stands behind each pattern.
      const bool closes = letter == ')' && quote == '\0' && depth_ == 0;
      if (closes || (parentheses_ > 0 && (letter == ')' || letter == ']'))) --parentheses_;
    }
    if (at < text.size() && text[at] == '\n') ++line_;
  }
  follows_ = follows_ && quote == '\0' && (!words_.empty() || !awaits_);
  end_command("\n");
}

ShellScript::Word& ShellScript::word() {
  if (!std::exchange(inside_, true)) words_.push_back({line_});
  return words_.back();
}

void ShellScript::end_command(std::string_view sign) {
  const bool lines_end = sign == "\n";
  inside_ = false;
  awaits_ = !words_.empty() ? sign == "&&" || sign == "||" || sign == "|" : awaits_ && lines_end;
  // A shell ends at a sign without a command before it.
  if (words_.empty()) follows_ = follows_ && (lines_end || depth_ > 0 || !runs_);
  const bool followed = std::exchange(followed_, follows_ && parentheses_ == 0 && !in_backquotes_);
  if (words_.empty() && followed == followed_) return;
  words_.resize(std::max<std::size_t>(words_.size(), 1), {line_});
  const std::string_view first = words_.front().text;
  const bool apart = sign == "|" || sign == "&";  // in a process of its own
  const bool understood =
      followed_ && (lists("echo printf", ' ', first) || (understood_ && !apart && run(first)));
  understood_ = true;
  runs_ = lines_end || sign == ";" || sign == "&" || (sign == "&&" && understood);
  std::string text;
  for (const Word& each : words_) text += (text.empty() ? "" : " ") + each.text;
  if (!understood && (followed != followed_ || text.find(kPrefix) != std::string::npos)) {
    not_understood.push_back(
        {words_.front().line, "not understood: " + text.substr(0, text.find('\n'))});
  }
  words_.clear();
}

bool ShellScript::run(std::string_view first) {
  if (lists("if for while until case select", ' ', first) || words_.back().text == "{") ++depth_;
  if (lists("fi done esac }", ' ', first)) depth_ = std::max(0, depth_ - 1);
  if (depth_ > 0 || !runs_) return false;
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
