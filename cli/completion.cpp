// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "core/collective.hpp"
#include "core/datatype.hpp"
#include "core/error.hpp"
#include "core/op.hpp"
#include "core/unknown.hpp"

namespace breakeven::cli::completion_command {

namespace {

using Words = std::vector<std::string>;

struct Option {
  Words flags;  ///< "--db", "-h"
  std::string description;
  bool has_value = false;
  Words values;  ///< what it takes, of a fixed list; else the shell offers files
};

/// A command as it is typed after `breakeven`.
struct Typed {
  std::string path;  ///< "" is breakeven's own, " tables lint"
  std::vector<const CLI::App*> subcommands;
  std::vector<Option> options;
};

template <typename Names>
Words words_of(const Names& names) {
  Words words;
  for (const auto& entry : names.entries) words.emplace_back(entry.name);
  return words;
}

Words values_of(const std::string& flag) {
  if (flag == "--collective" || flag == "--collectives") return words_of(kCollectives);
  if (flag == "--datatype") return words_of(kDatatypes);
  if (flag == "--op") return words_of(kOps);
  if (flag == "--machine") return {"mpich", "openmpi"};
  if (flag == "--mapping") return {"seq", "rr"};
  return {};
}

/// The command of `app` and all below it.
void collect(const CLI::App& app, const std::string& path, std::vector<Typed>& all) {
  Typed typed{.path = path, .subcommands = app.get_subcommands(nullptr), .options = {}};
  for (const CLI::Option* option : app.get_options()) {
    if (!option->nonpositional()) continue;
    Option found{.flags = {},
                 .description = option->get_description(),
                 .has_value = option->get_items_expected_max() > 0,
                 .values = {}};
    for (const std::string& name : option->get_lnames()) {
      found.flags.push_back("--" + name);
      if (found.has_value) found.values = values_of(found.flags.back());
    }
    for (const std::string& name : option->get_snames()) found.flags.push_back("-" + name);
    typed.options.push_back(std::move(found));
  }
  all.push_back(typed);
  for (const CLI::App* below : typed.subcommands) {
    collect(*below, fmt::format("{} {}", path, below->get_name()), all);
  }
}

/// 'text', as a shell takes it.
std::string shell_word(std::string_view text) {
  std::string word = "'";
  for (const char each : text) word += each == '\'' ? "'\\''" : std::string{each};
  return word + '\'';
}

/// All commands below `breakeven`, as words of a shell.
std::string paths_of(const std::vector<Typed>& all, std::string_view separator) {
  Words paths;
  for (const Typed& typed : all) {
    if (!typed.path.empty()) paths.push_back(shell_word(typed.path));
  }
  return fmt::format("{}", fmt::join(paths, separator));
}

std::string bash(const std::vector<Typed>& all) {
  std::string words;
  std::string values;
  Words with_files;
  for (const Typed& typed : all) {
    Words offered;
    for (const CLI::App* below : typed.subcommands) offered.push_back(below->get_name());
    for (const Option& option : typed.options) {
      offered.insert(offered.end(), option.flags.begin(), option.flags.end());
      for (const std::string& flag : option.flags) {
        const std::string at = shell_word(typed.path + ' ' + flag);
        if (!option.has_value) continue;
        if (option.values.empty()) {
          with_files.push_back(at);
        } else {
          values += fmt::format("    {}) words='{}' ;;\n", at, fmt::join(option.values, " "));
        }
      }
    }
    words +=
        fmt::format("    {}) words='{}' ;;\n", shell_word(typed.path), fmt::join(offered, " "));
  }
  return fmt::format(R"(# bash completion of breakeven, made by `breakeven completion bash`
_breakeven() {{
  local command='' word words=''
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    if [[ $word == -- ]]; then return; fi
    case "$command $word" in
    {})
      command="$command $word" ;;
    esac
  done
  case "$command" in
{}  esac
  case "$command ${{COMP_WORDS[COMP_CWORD-1]}}" in
{}    {})
      return ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}")
}}
complete -o default -F _breakeven breakeven
)",
                     paths_of(all, "|"), words, values, fmt::join(with_files, "|"));
}

/// What zsh's _arguments and _describe take of a description.
std::string escaped(std::string_view text) {
  std::string word;
  for (const char each : text) {
    if (each == '[' || each == ']' || each == ':' || each == '\\') word += '\\';
    word += each;
  }
  return word;
}

std::string zsh(const std::vector<Typed>& all) {
  std::string cases;
  for (const Typed& typed : all) {
    Words specs;
    for (const Option& option : typed.options) {
      for (const std::string& flag : option.flags) {
        std::string spec = fmt::format("{}[{}]", flag, escaped(option.description));
        if (option.has_value) {
          spec += option.values.empty() ? ":value:_files"
                                        : fmt::format(":value:({})", fmt::join(option.values, " "));
        }
        specs.push_back(shell_word(spec));
      }
    }
    std::string commands;
    for (const CLI::App* below : typed.subcommands) {
      commands += "\n        " + shell_word(fmt::format("{}:{}", below->get_name(),
                                                        escaped(below->get_description())));
    }
    cases += fmt::format("    ({})\n", shell_word(typed.path));
    if (!commands.empty()) {
      cases += fmt::format("      commands=({})\n", commands);
    }
    cases += fmt::format("      options=({}) ;;\n", fmt::join(specs, "\n        "));
  }
  return fmt::format(R"(#compdef breakeven
# zsh completion of breakeven, made by `breakeven completion zsh`
_breakeven() {{
  local command='' word
  local -a commands options
  for word in ${{words[2,CURRENT-1]}}; do
    if [[ $word == -- ]]; then _files; return; fi
    case "$command $word" in
    ({})
      command="$command $word" ;;
    esac
  done
  case "$command" in
{}  esac
  if (( $#commands )) && [[ $PREFIX != -* ]]; then
    _describe command commands
  else
    _arguments $options '*:file:_files'
  fi
}}
if [[ $funcstack[1] == _breakeven ]]; then
  _breakeven "$@"
else
  compdef _breakeven breakeven
fi
)",
                     paths_of(all, "|"), cases);
}

std::string fish(const std::vector<Typed>& all) {
  std::string lines;
  for (const Typed& typed : all) {
    const std::string begin =
        fmt::format("complete -c breakeven -n \"__breakeven_at '{}'\"", typed.path);
    for (const CLI::App* below : typed.subcommands) {
      lines += fmt::format("{} -f -a {} -d {}\n", begin, below->get_name(),
                           shell_word(below->get_description()));
    }
    for (const Option& option : typed.options) {
      lines += begin;
      for (const std::string& flag : option.flags) {
        lines += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
      }
      if (!option.values.empty()) {
        lines += fmt::format(" -x -a '{}'", fmt::join(option.values, " "));
      } else if (option.has_value) {
        lines += " -r";
      }
      lines += fmt::format(" -d {}\n", shell_word(option.description));
    }
  }
  return fmt::format(R"(# fish completion of breakeven, made by `breakeven completion fish`
function __breakeven_at
    set -l command ''
    for word in (commandline -opc)[2..-1]
        if contains -- "$command $word" {}
            set command "$command $word"
        end
    end
    test "$command" = "$argv[1]"
end
{})",
                     paths_of(all, " "), lines);
}

int run(const CLI::App& root, const std::string& shell) {
  std::vector<Typed> all;
  collect(root, "", all);
  if (shell == "bash") {
    fmt::print("{}", bash(all));
  } else if (shell == "zsh") {
    fmt::print("{}", zsh(all));
  } else if (shell == "fish") {
    fmt::print("{}", fish(all));
  } else {
    throw UsageError(unknown("shell", shell, {"bash", "zsh", "fish"}));
  }
  return 0;
}

std::function<int()> setup(CLI::App& app) {
  const auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "bash, zsh or fish")->required();
  return [shell, root = app.get_parent()] { return run(*root, *shell); };
}

}  // namespace

const Command command{
    .name = "completion",
    .summary = "Print what makes a shell complete breakeven's commands and options",
    .examples = R"(
An installation has these files where the shells look for them.
Examples:
  source <(breakeven completion bash)
  source <(breakeven completion zsh)
  breakeven completion fish | source)",
    .setup = setup};

}  // namespace breakeven::cli::completion_command
