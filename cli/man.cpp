// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>

#include "cli/command.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/version.hpp"

namespace breakeven::cli::man_command {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIndent = "  ";  // of a command's examples in its help

/// Text that roff prints as it is.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char each : text) {
    if (each == '\\') {
      escaped += "\\e";
    } else if (each == '-') {
      escaped += "\\-";
    } else {
      if (escaped.empty() && (each == '.' || each == '\'')) escaped += "\\&";
      escaped += each;
    }
  }
  return escaped;
}

std::string upper(std::string text) {
  for (char& each : text) each = static_cast<char>(std::toupper(static_cast<unsigned char>(each)));
  return text;
}

/// What follows the options in --help, in sections: "Examples:" begins one, "Exit status: ..." too.
struct Footer {
  std::string description;
  std::string sections;
};

Footer footer_of(const CLI::App& app) {
  constexpr std::string_view kExitStatus = "Exit status";
  constexpr std::size_t kLongestTitle = 20;
  Footer footer;
  std::string* section = &footer.description;
  bool verbatim = false;
  std::istringstream lines{app.get_footer()};
  for (std::string line; std::getline(lines, line);) {
    if (verbatim != line.starts_with(kIndent)) {
      verbatim = !verbatim;
      *section += verbatim ? ".PP\n.nf\n" : ".fi\n.PP\n";
    }
    const bool is_title = !line.empty() && line.back() == ':' && line.size() <= kLongestTitle;
    const bool is_status = line.starts_with(kExitStatus);
    if (is_title || is_status) {
      section = &footer.sections;
      const std::size_t colon = line.find(':');
      *section += fmt::format(".SH {}\n", upper(line.substr(0, colon)));
      line.erase(0, colon + 1);
      line.erase(0, line.find_first_not_of(' '));
    }
    if (!line.empty()) *section += roff(line) + '\n';
  }
  if (verbatim) *section += ".fi\n";
  return footer;
}

std::string value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  return fmt::format(" \\fI{}\\fR", roff(option.get_type_name()));
}

std::string options_of(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    std::string names;
    const auto add = [&](std::string_view name) {
      names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(name));
    };
    for (const std::string& name : option->get_snames()) add("-" + name);
    for (const std::string& name : option->get_lnames()) add("--" + name);
    if (names.empty()) add(option->get_name());
    text +=
        fmt::format(".TP\n{}{}\n{}{}\n", names, option->nonpositional() ? value_of(*option) : "",
                    roff(option->get_description()), option->get_required() ? "; required" : "");
  }
  return text;
}

std::string synopsis_of(const CLI::App& app, std::string_view name) {
  std::string text = fmt::format("\\fB{}\\fR", roff(name));
  if (!app.get_subcommands(nullptr).empty()) text += " \\fICOMMAND\\fR";
  text += " [\\fIOPTION\\fR]...";
  for (const CLI::Option* option : app.get_options()) {
    if (option->nonpositional()) continue;
    text += fmt::format(" \\fI{}\\fR{}", roff(option->get_name()),
                        option->get_items_expected_max() > 1 ? "..." : "");
  }
  return text + '\n';
}

std::string head(const std::string& page, const std::string& summary) {
  return fmt::format(".TH {} 1 \"\" \"breakeven {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                     roff(upper(page)), kVersion, roff(page), roff(summary));
}

/// The page of breakeven itself, or of one of its commands with what is below that.
std::string page_of(const CLI::App& app, const std::string& page, const std::string& name) {
  std::string summary = app.get_description();
  if (!summary.empty() && summary.back() == '.') summary.pop_back();
  const Footer footer = footer_of(app);
  std::string text = head(page, summary) + ".SH SYNOPSIS\n" + synopsis_of(app, name);
  if (!footer.description.empty()) text += ".SH DESCRIPTION\n" + footer.description;
  const bool is_program = app.get_parent() == nullptr;
  const std::vector<const CLI::App*> subcommands = app.get_subcommands(nullptr);
  if (!subcommands.empty()) text += ".SH COMMANDS\n";
  for (const CLI::App* below : subcommands) {
    const std::string below_name = name + ' ' + below->get_name();
    if (is_program) {
      text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(page + '-' + below->get_name()),
                          roff(below->get_description()));
    } else {
      text += fmt::format(".SS \"{}\"\n{}\n.PP\n{}.PP\n{}", roff(below_name),
                          roff(below->get_description()), synopsis_of(*below, below_name),
                          options_of(*below));
    }
  }
  text += ".SH OPTIONS\n" + options_of(app) + footer.sections;
  if (!is_program) text += ".SH SEE ALSO\n\\fBbreakeven\\fR(1)\n";
  return text;
}

int run(const CLI::App& root, const fs::path& folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) {
    throw UsageError(fmt::format("can't make folder '{}': {}", folder.string(), failure.message()));
  }
  const std::string program = "breakeven";
  write_file(folder / "breakeven.1", page_of(root, program, program));
  for (const CLI::App* command : root.get_subcommands(nullptr)) {
    const std::string page = program + '-' + command->get_name();
    write_file(folder / (page + ".1"),
               page_of(*command, page, program + ' ' + command->get_name()));
  }
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto folder = std::make_shared<std::string>();
  app.add_option("--out", *folder, "folder for the pages")->required();
  return [folder, root = app.get_parent()] { return run(*root, *folder); };
}

}  // namespace

const Command command{.name = "man",
                      .summary = "Write the manual pages of breakeven and its commands",
                      .examples = R"(
An installation has them: `man breakeven`, `man breakeven-sweep`.
Examples:
  breakeven man --out pages
  man -l pages/breakeven-sweep.1)",
                      .setup = setup};

}  // namespace breakeven::cli::man_command
