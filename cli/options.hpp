// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "harness/plan/setting_text.hpp"
#include "harness/plan/settings.hpp"

namespace breakeven::cli {

using plan::read;
using plan::written;

/// Options of this group are counted by --help, and listed by --help-all.
using plan::kRare;

/// An option is described once: parsing, help, manual pages and completion follow from this.
struct OptionText {
  std::string name;   ///< "--procs", or "FILE" of one without a name
  std::string help;   ///< its use
  std::string value;  ///< the name of its value: "NUMBER"; "text|json" is completed
  std::string usual;  ///< its default; empty: none, or the text in brackets at the help's end
};

/// Adds an option whose text `take` reads, which may throw UsageError.
CLI::Option* add_text(CLI::App& app, const OptionText& text,
                      const std::function<void(const std::string&)>& take);

/// The words that can stand for an option's value; none where any text can.
[[nodiscard]] std::vector<std::string> words_of(const CLI::Option& option);

/// Adds an option that sets `value`; its help ends with the present value.
template <typename T>
CLI::Option* add(CLI::App& app, const std::string& name, T& value, const std::string& help) {
  return add_text(app, {name, help, plan::value_name(value), written(value)},
                  [&value](const std::string& text) { value = read<T>(text); });
}
template <typename T>
CLI::Option* add(CLI::App& app, const std::string& name, std::optional<T>& value,
                 const std::string& help) {
  return add_text(app, {name, help, plan::value_name(value), ""},
                  [&value](const std::string& text) { value = read<T>(text); });
}

/// An option without which the command is refused.
template <typename T>
CLI::Option* add_required(CLI::App& app, const std::string& name, T& value,
                          const std::string& help) {
  return add_text(app, {name, help, plan::value_name(value), ""},
                  [&value](const std::string& text) { value = read<T>(text); })
      ->required();
}

/// A file's name.
inline CLI::Option* add_file(CLI::App& app, const std::string& name, std::string& value,
                             const std::string& help) {
  return add(app, name, value, help)->type_name("FILE");
}

/// A time of several units: "2h", "1h30min".
template <typename T>
CLI::Option* add_duration(CLI::App& app, const std::string& name, T& value,
                          const std::string& help) {
  return add_text(app, {name, help, "TIME", ""},
                  [&value](const std::string& text) { value = parse_duration(text); });
}

/// A choice between words.
CLI::Option* add_choice(CLI::App& app, const std::string& name, std::string& value,
                        const std::vector<std::string_view>& words, const std::string& help);

/// The command line of a parsed command, as a shell takes it: options before words.
/// @param usual  values of options that were not given
/// @param name   of another command that takes the same options
/// @param only   these options, unless there are none
[[nodiscard]] std::string command_line(const CLI::App& app,
                                       const std::map<std::string, std::string>& usual = {},
                                       const std::string& name = "",
                                       const std::vector<std::string_view>& only = {});

}  // namespace breakeven::cli
