// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace breakeven::cli {

/// Lines of at most `columns`, broken at blanks; a longer word has a line of its own.
[[nodiscard]] std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

/// Help as CLI11 lays it out, in lines as long as the terminal's, from 80 to 120 columns; of 100
/// where the output is no terminal. Rare options are counted, and listed by --help-all.
class HelpFormatter : public CLI::Formatter {
 public:
  [[nodiscard]] std::string make_help(const CLI::App* app, std::string name,
                                      CLI::AppFormatMode mode) const override;
  [[nodiscard]] std::string make_group(std::string group, bool is_positional,
                                       std::vector<const CLI::Option*> options) const override;
  [[nodiscard]] std::string make_option_name(const CLI::Option* option,
                                             bool is_positional) const override;
  [[nodiscard]] std::string make_option_opts(const CLI::Option* option) const override;
  [[nodiscard]] std::string make_description(const CLI::App* app) const override;
  [[nodiscard]] std::string make_option(const CLI::Option* option,
                                        bool is_positional) const override;
  [[nodiscard]] std::string make_subcommand(const CLI::App* command) const override;
  [[nodiscard]] std::string make_footer(const CLI::App* app) const override;

 private:
  bool with_rare_ = false;
};

/// The fault of a command line, in a line: the command, the option or word, and what was probably
/// meant, or an example.
/// @param app  that threw while it parsed
[[nodiscard]] std::string explained(const CLI::App& app, const CLI::ParseError& error);

}  // namespace breakeven::cli
