# SPDX-License-Identifier: BSD-3-Clause
"""Manual pages and completions, which are made from the command line's own help."""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest

from support import BREAKEVEN, ProgramTest

ROOT = pathlib.Path(__file__).parents[1]
MANUAL = ROOT / "packaging/manual.py"


class ManualTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        listed = re.split("(?i)subcommands:", self.breakeven("--help").stdout)[1]
        self.commands = re.findall(r"(?m)^  ([a-z]+) ", listed.partition("First steps")[0])
        self.assertIn("sweep", self.commands)

    def test_every_command_has_a_manual_page_with_its_options(self) -> None:
        subprocess.run([sys.executable, MANUAL, BREAKEVEN, "pages"], cwd=self.folder, check=True)
        pages = {each.name for each in (self.folder / "pages").iterdir()}
        self.assertEqual(
            pages, {"breakeven.1", *(f"breakeven-{each}.1" for each in self.commands)}
        )
        for command in self.commands:
            page = (self.folder / f"pages/breakeven-{command}.1").read_text()
            plain = page.replace("\\-", "-")
            for option in self.options(command):
                self.assertIn(option, plain, command)

    def options(self, command: str, how: str = "--help-all") -> list[str]:
        """All that its help names: "  -h,--help   ...", "  --keep,--rewrite   ..."."""
        listed = self.breakeven(command, how).stdout
        return re.findall(r"--[\w-]+", " ".join(re.findall(r"(?m)^  (-\S+)", listed)))

    def test_help_counts_the_rare_options_that_it_leaves_out(self) -> None:
        for command in self.commands:
            last = self.breakeven(command, "--help").stdout.splitlines()[-1]
            rare = set(self.options(command)) - set(self.options(command, "--help"))
            options = "option is" if len(rare) == 1 else "options are"
            told = f"{len(rare)} more {options} rarely needed: breakeven {command} --help-all"
            self.assertEqual(last == told, bool(rare), (command, last, rare))
        hidden = set(self.options("sweep")) - set(self.options("sweep", "--help"))
        for option in ("--stop-rule", "--drop-outliers", "--timer", "--batch", "--least-gain"):
            self.assertIn(option, hidden)

    def test_no_value_is_named_by_its_type(self) -> None:
        for command in self.commands:
            for option in re.findall(r"(?m)^  (--.*)", self.breakeven(command, "--help-all").stdout):
                self.assertNotRegex(option, r"\b(TEXT|INT|UINT|FLOAT|POSITIVE|NONNEGATIVE)\b", command)

    def test_options_of_examples_and_guides_are_in_the_help(self) -> None:
        texts = [self.breakeven(command, "--help").stdout for command in self.commands]
        texts += [guide.read_text() for guide in (ROOT / "docs/guides").glob("*.md")]
        listed = {command: self.options(command, "--help") for command in self.commands}
        checked = 0
        for line in re.findall(
            r"(?m)^(?:\$|  ) ?breakeven (.*)$", "\n".join(texts).replace("\\\n", " ")
        ):
            command, _, words = line.partition("#")[0].partition(" -- ")[0].partition(" ")
            known = {"--help", *listed.get(command, [])}
            if command in ("tables", "worker", "schedule"):  # these have commands of their own
                known |= set(re.findall(r"--[\w-]+", self.breakeven(command, words.split()[0], "--help").stdout))
            for option in re.findall(r"(?<!\S)--[a-z][\w-]*", words):
                self.assertIn(option, known, line)
                checked += 1
        self.assertGreater(checked, 100)

    def completed(self, *words: str) -> list[str]:
        """The words that bash offers for the last of these."""
        script = self.breakeven("completion", "bash").stdout + (
            f"COMP_WORDS=({shlex.join([BREAKEVEN, *words[1:]])}); COMP_CWORD={len(words) - 1}; _breakeven\n"
            'echo "${COMPREPLY[@]}"\n'
        )
        told = subprocess.run(["bash", "-c", script], check=True, capture_output=True, text=True)
        self.assertEqual(told.stderr, "")
        return told.stdout.split()

    def test_bash_completes_commands_options_and_values(self) -> None:
        self.assertEqual(
            [each for each in self.completed("breakeven", "") if each[0] != "-"], self.commands
        )
        for command in self.commands:
            offered = self.completed("breakeven", command, "--")
            self.assertEqual(sorted(offered), sorted(self.options(command)))
        self.assertEqual(self.completed("breakeven", "tables", "ask", "--by"), ["--bytes"])
        self.assertEqual(
            self.completed("breakeven", "sweep", "--machine", ""), ["mpich", "openmpi"]
        )
        self.assertEqual(
            self.completed("breakeven", "doctor", "--format", ""), ["text", "json"]
        )
        self.assertEqual(
            self.completed("breakeven", "sweep", "--run-time", ""), ["local", "global"]
        )
        self.assertEqual(self.completed("breakeven", "run", "--", "--"), [])

    def test_other_shells_accept_their_files(self) -> None:
        for shell in ("zsh", "fish"):
            file = self.folder / shell
            file.write_text(self.breakeven("completion", shell).stdout)
            if shutil.which(shell):
                subprocess.run([shell, "-n", file], check=True)
        self.assertIn("known: bash zsh fish", self.breakeven("completion", "csh", status=2).stderr)


if __name__ == "__main__":
    unittest.main()
