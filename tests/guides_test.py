# SPDX-License-Identifier: BSD-3-Clause
"""Every command of the guides runs as it stands there, with shorter budgets, in the order of the page."""

import os
import pathlib
import re
import subprocess
import unittest

from support import BREAKEVEN, LONGEST_RUN_S, MACHINE, ProgramTest

GUIDES = pathlib.Path(__file__).parents[1] / "docs" / "guides"
# Commands that measure end with their budget: a short one runs the same code.
BUDGET = re.compile(r"(?<=--budget )\d+(?:s|min)")
# A block with a file's name behind its language is that file.
BLOCK = re.compile(r"^```(?:\w+ (?P<file>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
STATUS = re.compile(r"# exit status (.*)$")


def commands(text: str) -> list[tuple[str, set[int]]]:
    """Each line behind "$ " with the exit statuses that the page permits."""
    found = []
    for line in text.replace("\\\n", " ").splitlines():
        if not line.startswith("$ "):
            continue
        stated = STATUS.search(line)
        found.append((line[2:], set(map(int, re.findall(r"\d+", stated[1]))) if stated else {0}))
    return found


class Guides(ProgramTest):
    def follow(self, guide: str, budget: str | None = "5s", library: str = "mpich") -> None:
        folder = str(pathlib.Path(BREAKEVEN).resolve().parent)
        environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}
        ran = 0
        page = (GUIDES / guide).read_text().replace("mpich", library)
        for block in BLOCK.finditer(page):
            if block["file"]:
                (self.folder / block["file"]).write_text(block["text"])
            for command, statuses in commands(block["text"]):
                done = subprocess.run(
                    ["bash", "-c", BUDGET.sub(budget, command) if budget else command],
                    cwd=self.folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    text=True,
                    timeout=LONGEST_RUN_S,
                )
                self.assertIn(done.returncode, statuses, f"{command}\n{done.stdout}\n{done.stderr}")
                ran += 1
        self.assertGreater(ran, 0)

    def test_first_hour(self) -> None:
        self.follow("first_hour.md", budget="10s", library=MACHINE)

    def test_performance_engineer(self) -> None:
        self.follow("performance_engineer.md")

    def test_application(self) -> None:
        self.follow("application.md")

    def test_ci(self) -> None:
        self.follow("ci.md", budget=None)  # the verdicts are of what it measures

    def test_planner(self) -> None:
        self.follow("planner.md")

    def test_researcher(self) -> None:
        self.follow("researcher.md")


if __name__ == "__main__":
    unittest.main()
