// SPDX-License-Identifier: BSD-3-Clause
#include "cli/usage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>

#include "cli/options.hpp"
#include "core/units.hpp"
#include "core/unknown.hpp"

namespace breakeven::cli {

namespace {

constexpr std::string_view kIndent = "  ";  // of examples in a footer, and of options

/// Names of options in mpiexec and other benchmarks, and ours.
constexpr std::array kWordsOfOthers{std::pair{"-n", "--procs"}, std::pair{"-np", "--procs"},
                                    std::pair{"--np", "--procs"}, std::pair{"--sizes", "--bytes"}};

std::size_t terminal_columns() {
  constexpr std::size_t kFewest = 80;
  constexpr std::size_t kMost = 120;
  constexpr std::size_t kUsual = 100;
  winsize size{};
  std::size_t columns = kUsual;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    columns = size.ws_col;
  } else if (const char* given = std::getenv("COLUMNS")) {
    columns = number_in<std::size_t>(given).value_or(kUsual);
  }
  return std::clamp(columns, kFewest, kMost);
}

/// Text in lines of the terminal's width.
std::string in_lines(const std::string& text) {
  return fmt::format("{}", fmt::join(wrapped(text, terminal_columns()), "\n"));
}

/// A line of the help: a word of the command line, and its meaning behind a column.
std::string entry(const std::string& word, const std::string& meaning, std::size_t column) {
  const std::string indent(column, ' ');
  std::string text = fmt::format("  {:<{}}", word, column - 2);
  if (!text.ends_with(' ')) text += '\n' + indent;
  const auto lines = wrapped(meaning, terminal_columns() - column);
  return fmt::format("{}{}\n", text, fmt::join(lines, '\n' + indent));
}

/// The command that was chosen last: breakeven's own, or one below.
const CLI::App& chosen_command(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : chosen_command(*chosen.front());
}

/// "tables ask"
std::string name_of(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  const bool is_first = parent == nullptr || parent->get_parent() == nullptr;
  return is_first ? command.get_name() : name_of(*parent) + ' ' + command.get_name();
}

/// "; example: `breakeven sweep ... --db results.db`": the first example with the word in the help
/// of the command, of those on one line.
std::string example_of(const CLI::App& command, const std::string& word) {
  const std::string begin = fmt::format("{}breakeven {} ", kIndent, name_of(command));
  for (const CLI::App* app = &command; app != nullptr; app = app->get_parent()) {
    std::istringstream lines{app->get_footer()};
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with(begin) || line.ends_with('\\')) continue;
      if (line.find(word) == std::string::npos) continue;
      line = line.substr(0, line.find("   #"));
      const std::size_t end = line.find_last_not_of(' ') + 1;
      return fmt::format("; example: `{}`", line.substr(kIndent.size(), end - kIndent.size()));
    }
  }
  return "";
}

/// The names of the commands below one.
std::vector<std::string> below(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* each : command.get_subcommands(nullptr)) names.push_back(each->get_name());
  return names;
}

std::string not_expected(const CLI::App& command, const std::string& word) {
  const std::string name = name_of(command);
  if (!word.starts_with('-')) {
    const std::vector<std::string> commands = below(command);
    const std::vector<std::string_view> known{commands.begin(), commands.end()};
    if (!known.empty()) return fmt::format("{} has {}", name, unknown("command", word, known));
    return fmt::format("{} does not take '{}'{}", name, word, example_of(command, ""));
  }
  const std::string option = word.substr(0, word.find('='));
  std::vector<std::string> names;
  for (const CLI::Option* each : command.get_options()) {
    for (const std::string& known : each->get_lnames()) names.push_back("--" + known);
  }
  std::string meant = did_you_mean(option, {names.begin(), names.end()});
  for (const auto& [other, ours] : kWordsOfOthers) {
    if (option == other && command.get_option_no_throw(ours) != nullptr) {
      meant = fmt::format("; did you mean '{}'?", ours);
    }
  }
  if (meant.empty() && command.get_option_no_throw("COMMAND") != nullptr) {
    return fmt::format("{} has no option {}; those of a command stand behind --{}", name, option,
                       example_of(command, ""));
  }
  return fmt::format("{} has no option {}{} `breakeven {} --help` lists them", name, option,
                     meant.empty() ? ";" : meant, name);
}

/// Among others "--db: 1 required TEXT missing".
std::string other_fault(const CLI::App& command, const std::string& what) {
  const std::string fault = what.ends_with(" missing")
                                ? what.substr(0, what.find(':')) + " has no value behind it"
                                : what;
  return fmt::format("{}: {}{}", name_of(command), fault, example_of(command, ""));
}

std::string missing(const CLI::App& command, const std::string& what) {
  const std::string name = name_of(command);
  const std::string word = what.substr(0, what.find(' '));
  const CLI::Option* const option = command.get_option_no_throw(word);
  const std::vector<std::string> commands = below(command);
  if (option == nullptr && !commands.empty()) {
    return fmt::format("{} needs a command: {}", name, fmt::join(commands, " or "));
  }
  if (option == nullptr) return other_fault(command, what);
  constexpr std::size_t kLong = 100;
  const std::string& described = option->get_description();
  return fmt::format("{} needs {}{}{}", name, word,
                     described.size() > kLong ? "" : ", " + described,
                     example_of(command, option->nonpositional() ? word : ""));
}

}  // namespace

std::string explained(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = chosen_command(app);
  const std::string what = error.what();
  // A mistyped option explains best why another one is missing.
  std::vector<std::string> rest = app.remaining(true);
  rest.erase(std::ranges::find(rest, "--"), rest.end());  // other words follow
  const auto option = std::ranges::find_if(rest, [](auto& word) { return word.starts_with('-'); });
  if (option != rest.end()) return not_expected(command, *option);
  if (!rest.empty() && !below(command).empty()) return not_expected(command, rest.front());
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) return missing(command, what);
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::string words = what.substr(what.find(": ") + 2);
    return not_expected(command, words.substr(0, words.find(' ')));
  }
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr) {
    return fmt::format("{}: {}", name_of(command), what);
  }
  return other_fault(command, what);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines;
  while (text.size() > columns) {
    std::size_t space = text.rfind(' ', columns);
    if (space == std::string_view::npos) space = text.find(' ', columns);
    if (space == std::string_view::npos) break;
    lines.emplace_back(text.substr(0, text.find_last_not_of(' ', space) + 1));
    text.remove_prefix(space + 1);
  }
  lines.emplace_back(text);
  return lines;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  HelpFormatter whole{*this};
  whole.with_rare_ = mode == CLI::AppFormatMode::All;
  // Newer versions of CLI11 would wrap these once more.
  constexpr auto kNormal = CLI::AppFormatMode::Normal;
  std::string usage = whole.make_usage(app, name);
  // Newer ones leave this word out.
  constexpr std::string_view kUsage = "Usage: ";
  if (usage.find(kUsage) == std::string::npos) usage.insert(usage.find_first_not_of('\n'), kUsage);
  std::string text = whole.make_description(app) + usage + whole.make_positionals(app) +
                     whole.make_groups(app, kNormal) + whole.make_subcommands(app, kNormal) + '\n' +
                     whole.make_footer(app);
  for (std::size_t at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n")) {
    text.erase(at, 1);
  }
  const auto is_rare = [](const CLI::Option* option) { return option->get_group() == kRare; };
  const std::size_t rare = app->get_options(is_rare).size();
  if (rare > 0 && !whole.with_rare_)
    text += fmt::format("\n{} more option{} rarely needed: {} --help-all\n", rare,
                        rare == 1 ? " is" : "s are", name);
  return text;
}

std::string HelpFormatter::make_group(std::string group, bool is_positional,
                                      std::vector<const CLI::Option*> options) const {
  if (group == kRare && !with_rare_) return "";
  return Formatter::make_group(std::move(group), is_positional, std::move(options));
}

std::string HelpFormatter::make_option_name(const CLI::Option* option, bool is_positional) const {
  std::string name = Formatter::make_option_name(option, is_positional);
  while (name.find('{') != std::string::npos) {  // "--keep{false},--rewrite"
    name.erase(name.find('{'), name.find('}') + 1 - name.find('{'));
  }
  return name;
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  constexpr std::string_view kText = " TEXT";
  std::string words = Formatter::make_option_opts(option);
  if (option->get_positional() && words.starts_with(kText)) words.erase(0, kText.size());
  return words;
}

std::string HelpFormatter::make_description(const CLI::App* app) const {
  const std::string summary = app->get_description();
  return in_lines(summary) + Formatter::make_description(app).substr(summary.size());
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  return entry(make_option_name(option, is_positional) + make_option_opts(option),
               option->get_description(), get_column_width());
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return entry(command->get_name(), command->get_description(), get_column_width());
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
  std::string text;
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) text += in_lines(paragraph) + '\n';
    paragraph.clear();
  };
  std::istringstream lines{app->get_footer()};
  for (std::string line; std::getline(lines, line);) {
    const bool stands_alone = line.empty() || line.starts_with(kIndent) || line.ends_with(':');
    if (!stands_alone) {
      paragraph += (paragraph.empty() ? "" : " ") + line;
      continue;
    }
    end_paragraph();
    text += line + '\n';
  }
  end_paragraph();
  return text;
}

}  // namespace breakeven::cli
