// SPDX-License-Identifier: BSD-3-Clause
#include "tables/formats/common/shell_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "tables/formats/common/head.hpp"

namespace breakeven::formats {

namespace {

constexpr std::string_view kNameLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
constexpr std::array<std::string_view, 2> kPrefixes{"MPIR_CVAR_", "OMPI_MCA_"};
constexpr char kNone = '\0';

bool is_one_of(char letter, std::string_view letters) {
  return letters.find(letter) != std::string_view::npos;
}

bool is_variable(std::string_view name) {
  return std::ranges::any_of(kPrefixes, [&](auto each) { return name.starts_with(each); });
}

bool mentions_variable(std::string_view text) {
  return std::ranges::any_of(kPrefixes, [&](auto each) { return text.find(each) != text.npos; });
}

/// Takes a script apart as a shell does: into words, and commands of words.
class Shell {
 public:
  Shell(std::string_view text, ShellScript& script) : text_{text}, script_{script} {}

  void run() {
    for (; at_ < text_.size(); ++at_) {
      take(text_[at_]);
      if (at_ < text_.size() && text_[at_] == '\n') ++line_;
    }
    follows_ = follows_ && quote_ == kNone && (!words_.empty() || !awaits_);
    end_command("\n");
  }

 private:
  struct Word {
    int line = 0;
    std::string text{};
    bool literal = true;  ///< the shell expands nothing in it
  };

  [[nodiscard]] char next() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\n'; }

  /// The word that the text is in.
  Word& word() {
    if (!std::exchange(inside_, true)) words_.push_back({line_});
    return words_.back();
  }

  void take(char letter) {
    if (letter == '\\' && quote_ != '\'') return take_escaped();
    if (letter == quote_) {
      quote_ = kNone;
    } else if (quote_ != kNone) {
      take_letter(letter);
    } else if (is_one_of(letter, "'\"")) {
      quote_ = letter;
      word();
    } else if (is_one_of(letter, " \t")) {
      inside_ = false;
    } else if (letter == '#' && !inside_) {
      at_ = std::min(text_.find('\n', at_), text_.size()) - 1;
    } else if (is_one_of(letter, "\n;&|<>")) {
      take_sign(letter);
    } else {
      take_letter(letter);
    }
  }

  void take_escaped() {
    const char escaped = next();
    const bool is_last = ++at_ >= text_.size();
    if (is_last || (quote_ == '"' && !is_one_of(escaped, "$`\"\\\n"))) word().text += '\\';
    if (!is_last && escaped != '\n') word().text += escaped;
  }

  void take_sign(char letter) {
    const bool twice = letter == next() && letter != '\n' && letter != ';';
    if (is_one_of(letter, "<>")) {
      // Its file, or a number behind '&', is a word of the command.
      follows_ = follows_ && !twice;
      understood_ = inside_ = false;
      if (next() == '&') ++at_;
    } else {
      end_command(text_.substr(at_, twice ? 2 : 1));
    }
    if (twice) ++at_;
  }

  void take_letter(char letter) {
    const bool quoted = quote_ != kNone;
    // Of a command in quotes, and of an array's element.
    const bool opens = (letter == '(' && (!quoted || text_[at_ - 1] == '$')) ||
                       (letter == '[' && !quoted && inside_ && words_.size() == 1);
    // Behind a sign, as a whole command, or of a function.
    const bool fits = letter == '[' || !inside_ || next() == ')' || words_.back().text.empty() ||
                      is_one_of(words_.back().text.back(), "$=(");
    follows_ = follows_ && (!opens || fits);
    word().text += letter;
    if (quote_ != '\'' && is_one_of(letter, quoted ? "$`" : "$`~{")) word().literal = false;
    if (quote_ != '\'' && letter == '`') in_backquotes_ = !in_backquotes_;
    if (opens) ++parentheses_;
    // In a case one stands behind each pattern.
    const bool closes = letter == ')' && !quoted && depth_ == 0;
    if (closes || (parentheses_ > 0 && is_one_of(letter, ")]"))) --parentheses_;
  }

  /// @param sign  behind it: "&&", the end of the line
  void end_command(std::string_view sign) {
    const bool lines_end = sign == "\n";
    inside_ = false;
    awaits_ = !words_.empty() ? sign == "&&" || sign == "||" || sign == "|" : awaits_ && lines_end;
    // A shell ends at a sign without a command before it.
    if (words_.empty()) follows_ = follows_ && (lines_end || depth_ > 0 || !runs_);
    const bool followed =
        std::exchange(followed_, follows_ && parentheses_ == 0 && !in_backquotes_);
    if (words_.empty() && followed == followed_) return;
    words_.resize(std::max<std::size_t>(words_.size(), 1), {line_});
    const std::string_view first = words_.front().text;
    const bool apart = sign == "|" || sign == "&";  // in a process of its own
    const bool understood = followed_ && (lists("echo printf", ' ', first) ||
                                          (understood_ && !apart && run_command(first)));
    understood_ = true;
    runs_ = lines_end || sign == ";" || sign == "&" || (sign == "&&" && understood);
    std::string text;
    for (const Word& each : words_) text += (text.empty() ? "" : " ") + each.text;
    if (!understood && (followed != followed_ || mentions_variable(text))) {
      script_.not_understood.push_back(
          {words_.front().line, "not understood: " + text.substr(0, text.find('\n'))});
    }
    words_.clear();
  }

  /// @return whether the command is understood
  bool run_command(std::string_view first) {
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
        script_.variables.erase(name);
      } else if (is_variable(name)) {
        ShellScript::Variable& variable = script_.variables[name];
        variable.exported = variable.exported || exports;
        if (sign == text.size()) continue;
        variable = {text.substr(sign + 1), line, literal, variable.exported};
      }
    }
    return true;
  }

  std::string_view text_;
  ShellScript& script_;
  std::size_t at_ = 0;
  int line_ = 1;
  char quote_ = kNone;         // that is open
  std::vector<Word> words_{};  // of the command
  bool inside_ = false;        // of the last word
  bool runs_ = true;           // the command, whatever the one before it does
  int depth_ = 0;              // of conditions, loops and functions
  bool awaits_ = false;        // the sign before asks for a command
  int parentheses_ = 0;        // that are open
  bool in_backquotes_ = false;
  bool understood_ = true;  // of the command: it has no redirection
  bool follows_ = true;     // what stands here may be where it seems to a shell
  bool followed_ = true;    // likewise, up to the command before
};

}  // namespace

ShellScript::ShellScript(std::string_view text) { Shell{text, *this}.run(); }

std::vector<std::string> ShellScript::exported() const {
  std::vector<std::string> all;
  for (const auto& [name, variable] : variables) {
    if (variable.exported) all.push_back(fmt::format("{}={}", name, variable.value));
  }
  return all;
}

}  // namespace breakeven::formats
