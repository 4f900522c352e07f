// SPDX-License-Identifier: BSD-3-Clause
// Scripts that set MPICH's variables, with errors in them: bash exports what our reader says,
// unless that names a command that it does not understand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/files.hpp"
#include "core/temporary_folder.hpp"
#include "tables/formats/common/head.hpp"
#include "tables/formats/common/shell_script.hpp"
#include "tables/formats/mpich/cvars.hpp"
#include "tests/mutated_files.hpp"

namespace breakeven {
namespace {

constexpr int kFiles = 3000;
using Exported = std::map<std::string, std::string>;

std::string script(testing::Random& random) {
  static constexpr std::array kNames{"BCAST_INTRA_ALGORITHM", "BCAST_DEVICE_COLLECTIVE",
                                     "REDUCE_COMPOSITION", "DEVICE_COLLECTIVES"};
  static constexpr std::array kValues{"binomial", "0", "'none'", "\"2\"", "a\\ b", "", "auto"};
  const auto assignment = [&] {
    return fmt::format("MPIR_CVAR_{}={}", random.of(kNames), random.of(kValues));
  };
  std::string text;
  for (int i = random.from(1, 5); i > 0; --i) {
    switch (random.below(9)) {
      case 0: text += assignment(); break;
      case 1: text += fmt::format("export MPIR_CVAR_{}", random.of(kNames)); break;
      case 2: text += fmt::format("unset MPIR_CVAR_{}", random.of(kNames)); break;
      case 3: text += fmt::format("export A=1 {} {}", assignment(), assignment()); break;
      case 4: text += fmt::format("{}; {}", assignment(), assignment()); break;
      case 5: text += fmt::format("# {}", assignment()); break;
      case 6: text += "echo \"$MPIR_CVAR_BCAST_INTRA_ALGORITHM\""; break;
      default: text += fmt::format("export {}", assignment());
    }
    text += random.once_in(9) ? " \\\n" : random.once_in(9) ? " # it\n" : "\n";
  }
  return text;
}

/// The variables that each script exports in a shell of its own that finds no programs.
std::vector<Exported> exported_by_bash(const std::filesystem::path& folder) {
  std::ofstream(folder / "all") << fmt::format(
      R"(PATH=
for i in {{0..{}}}; do
  (
    trap 'for v in "${{!MPIR_CVAR_@}}"; do
      [[ ${{!v@a}} == *x* && ${{!v+set}} ]] && printf "%s=%s\0" "$v" "${{!v}}" >&3
    done' EXIT
    ulimit -t 2
    cd ./$i && . ../$i.sh >/dev/null 2>&1
  ) 3> ./$i.out </dev/null 2>/dev/null
done
exit 0
)",
      kFiles - 1);
  const std::string command = fmt::format("cd '{}' && env -i bash --norc ./all", folder.string());
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::vector<Exported> all;
  for (int i = 0; i < kFiles; ++i) {
    Exported& exported = all.emplace_back();
    const std::string said = read_file(folder / fmt::format("{}.out", i));
    std::string_view rest = said;
    while (!rest.empty()) {
      std::string_view value = take_part(rest, '\0');
      const std::string name{take_part(value, '=')};
      exported.emplace(name, value);
    }
  }
  return all;
}

TEST(MutatedScripts, ExportInBashWhatTheReaderSays) {
  testing::Mutator mutator{5,
                           {"export",
                            "unset",
                            "#",
                            "'",
                            "\"",
                            "\\",
                            ";",
                            "&&",
                            "||",
                            "|",
                            "&",
                            "(",
                            ")",
                            "{",
                            "}",
                            "if",
                            "then",
                            "fi",
                            "true",
                            "false",
                            "export -n",
                            "declare -x",
                            "readonly",
                            "set -a",
                            "<<E",
                            ">x",
                            "$A",
                            "`",
                            "$(",
                            "\\\n",
                            "MPIR_CVAR_BCAST_INTRA_ALGORITHM+=x",
                            "export MPIR_CVAR_A",
                            "MPIR_CVAR_B=b",
                            "!",
                            "=",
                            "~",
                            "eval",
                            "A=1",
                            "for",
                            "do",
                            "done",
                            "*",
                            "echo"},
                           " \t\n;="};
  const test::TemporaryFolder folder;
  std::vector<std::string> texts;
  for (int i = 0; i < kFiles; ++i) {
    texts.push_back(mutator.changed(script(mutator.random), mutator.random.from(0, 2)));
    std::filesystem::create_directory(folder.path() / std::to_string(i));
    std::ofstream(folder.path() / fmt::format("{}.sh", i)) << texts.back();
  }
  const std::vector<Exported> all = exported_by_bash(folder.path());
  int understood = 0;
  int differences = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const formats::ShellScript ours{texts[i]};
    if (!ours.not_understood.empty()) continue;
    Exported exported = all[i];
    bool literal = true;
    std::string said;
    for (const auto& [name, variable] : ours.variables) {
      if (variable.line == 0 || !variable.exported) continue;
      literal = literal && variable.literal;
      said += fmt::format("{}={} ", name, variable.value);
      const auto found = exported.find(name);
      if (found != exported.end() && found->second == variable.value)
        exported.erase(found);
      else
        exported.emplace(name, "");
    }
    if (!literal) continue;
    ++understood;
    constexpr int kShown = 15;
    if (exported.empty() || ++differences > kShown) continue;
    std::string bash;
    for (const auto& [name, value] : all[i]) bash += fmt::format("{}={} ", name, value);
    ADD_FAILURE() << "bash: " << bash << "\nours: " << said << "\n<<<" << texts[i] << ">>>";
  }
  fmt::print("{} scripts, {} understood, {} differences\n", kFiles, understood, differences);
  EXPECT_EQ(differences, 0);
  EXPECT_GT(understood, kFiles / 2);
}

}  // namespace
}  // namespace breakeven
