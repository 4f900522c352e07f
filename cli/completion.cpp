// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "core/error.hpp"
#include "core/unknown.hpp"

namespace breakeven::cli::completion_command {

namespace {

using Words = std::vector<std::string>;

// Each shell asks the program itself: `breakeven completion words -- WORD...`.
constexpr std::string_view kBash = R"sh(# bash completion of breakeven
_breakeven() {
  local offered
  offered="$("${COMP_WORDS[0]}" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" | cut -f1)"
  mapfile -t COMPREPLY < <(compgen -W "$offered" -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _breakeven breakeven
)sh";
constexpr std::string_view kZsh = R"sh(#compdef breakeven
_breakeven() {
  local -a offered
  offered=("${(@f)$("$words[1]" completion words -- "${(@)words[2,CURRENT]}" | sed 's/:/\\:/g; s/\t/:/')}")
  if [[ -n $offered ]]; then _describe breakeven offered; else _files; fi
}
if [[ $funcstack[1] == _breakeven ]]; then
  _breakeven "$@"
else
  compdef _breakeven breakeven
fi
)sh";
constexpr std::string_view kFish = R"sh(# fish completion of breakeven
complete -c breakeven -a '(set -l typed (commandline -opc); $typed[1] completion words -- $typed[2..] (commandline -ct))'
)sh";

/// The words that can replace the last one, a line each, with a tab before the description; none
/// where it is a file, or a word of another program.
std::string offered(const CLI::App& root, const Words& typed) {
  const CLI::App* app = &root;
  const CLI::Option* before = nullptr;  // the option that takes the last word
  for (std::size_t i = 0; i + 1 < typed.size(); ++i) {
    if (typed[i] == "--") return "";
    for (const CLI::App* below : app->get_subcommands(nullptr)) {
      if (below->get_name() == typed[i]) app = below;
    }
    before = typed[i].starts_with('-') ? app->get_option_no_throw(typed[i]) : nullptr;
  }
  if (before != nullptr && before->get_items_expected_max() > 0) {
    return fmt::format("{}\n", fmt::join(words_of(*before), "\n"));
  }
  std::string lines;
  for (const CLI::App* below : app->get_subcommands(nullptr)) {
    lines += fmt::format("{}\t{}\n", below->get_name(), below->get_description());
  }
  for (const CLI::Option* option : app->get_options()) {
    const auto add = [&](std::string_view dashes, const Words& names) {
      for (const std::string& name : names) {
        lines += fmt::format("{}{}\t{}\n", dashes, name, option->get_description());
      }
    };
    add("--", option->get_lnames());
    add("-", option->get_snames());
  }
  return lines;
}

struct Options {
  std::string shell;
  Words typed;
};

int run(const CLI::App& root, const Options& options) {
  const std::map<std::string_view, std::string_view> scripts{
      {"bash", kBash}, {"zsh", kZsh}, {"fish", kFish}};
  const auto script = scripts.find(options.shell);
  if (script == scripts.end() && options.shell != "words") {
    throw UsageError(unknown("shell", options.shell, {"bash", "zsh", "fish"}));
  }
  fmt::print("{}", script == scripts.end() ? offered(root, options.typed) : script->second);
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("SHELL", options->shell, "bash, zsh or fish")->required();
  app.add_option("WORD", options->typed, "for the shells: words that are typed")->group("");
  return [options, root = app.get_parent()] { return run(*root, *options); };
}

}  // namespace

}  // namespace breakeven::cli::completion_command

const breakeven::cli::Command breakeven::cli::kCompletion{
    .name = "completion",
    .summary = "Print a script by which a shell completes commands and options",
    .examples = R"(
An installation puts these scripts where the shells look for them.
Examples:
  source <(breakeven completion bash)
  source <(breakeven completion zsh)
  breakeven completion fish | source)",
    .setup = completion_command::setup};
