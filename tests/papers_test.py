#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the cheapest figures of each paper, and compares the page about them with the recipes."""
from __future__ import annotations

import contextlib
import importlib.util
import re
import sqlite3
import subprocess
import sys
import unittest
from pathlib import Path

import support

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "scripts/papers"
REPRODUCE = FOLDER / "reproduce.py"
PAGE = ROOT / "docs/results/papers.md"
# Figures and tables of each paper, as it numbers them.
CONTENTS = {
    "rabenseifner2004": [f"Fig. {i}" for i in range(1, 5)],
    "adamidis2004": [f"Fig. {i}" for i in range(1, 11)],
    "ricogallego2014": [f"Fig. {i}" for i in range(1, 7)],
    "ruefenacht2017": [*(f"Fig. {i}" for i in range(1, 24)), "Table 1", "Table 2"],
    "traff2023": [*(f"Fig. {i}" for i in range(1, 8)), "Table I", "Table II", "Table III"],
}
MODEL = ["--machine", support.MODEL]
HAS_PLOTS = importlib.util.find_spec("matplotlib") is not None


class PapersTest(support.ProgramTest):
    def reproduce(self, *arguments: str, status: int = 0) -> str:
        command = [sys.executable, str(REPRODUCE), "--breakeven", support.BREAKEVEN, *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_a_schedule_of_each_paper_is_drawn(self) -> None:
        for paper, figure, names in (
            ("rabenseifner2004", "1", ["fig_1.svg"]),
            ("adamidis2004", "3", ["fig_3.svg"]),
            ("ricogallego2014", "1", ["fig_1_rr.svg", "fig_1_seq.svg"]),
            ("ruefenacht2017", "21", ["fig_21.svg"]),
            ("traff2023", "1", ["fig_1.svg"]),
        ):
            self.reproduce(paper, figure)
            found = sorted((self.folder / "papers").glob(f"{paper}_*"))
            self.assertEqual([file.name for file in found], [f"{paper}_{name}" for name in names])
            for file in found:
                self.assertRegex(file.read_text(), r"(?s)^<svg .*</svg>\n$")

    @unittest.skipUnless(HAS_PLOTS, "matplotlib isn't installed")
    def test_measured_figures_take_another_machine_and_resume(self) -> None:
        small = [*MODEL, "--procs", "8", "--nodes", "4", "--bytes", "8,64K"]
        self.reproduce("ricogallego2014", "Fig. 3", *small)
        self.reproduce("ruefenacht2017", "10", *small[:4], "--bytes", "8,64K")
        picture = self.folder / "papers/ricogallego2014_fig_3.png"
        self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
        (database,) = (self.folder / "papers/data").glob("ricogallego2014_*.db")
        count = "SELECT count(*) FROM measurement"
        with contextlib.closing(sqlite3.connect(database)) as connection:
            before = connection.execute(count).fetchone()
            self.reproduce("ricogallego2014", "3", *small)
            self.assertEqual(connection.execute(count).fetchone(), before)
        # An algorithm takes what it takes, whatever the mapping: the model has one level.
        shown = self.breakeven("show", "--db", str(database), "--format", "csv").stdout
        self.assertIn("ring,reorder_ranks=seq,8,4,2,rr,1,65536", shown)

    @unittest.skipUnless(HAS_PLOTS, "matplotlib isn't installed")
    def test_a_figure_relative_to_a_mock_up_is_drawn(self) -> None:
        here = ["--machine", support.MACHINE, "--nodes", "1", "--procs", "2", "--bytes", "256"]
        self.reproduce("traff2023", "7b", *here)
        picture = self.folder / "papers/traff2023_fig_7b.png"
        self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))

    def test_table_2_is_the_models(self) -> None:
        self.reproduce("ruefenacht2017", "Table 2")
        table = (self.folder / "papers/ruefenacht2017_table_2.txt").read_text()
        # By the paper's equation (3) and Table 1.
        for stages, time in (("a4", "2.36"), ("a3,a4", "4.38"), ("a8,a4,a4", "8.44")):
            self.assertRegex(table, rf"stages={stages} +{re.escape(time)} us")

    def test_bad_requests_are_refused_in_one_line(self) -> None:
        said = self.reproduce("nobody1999", status=2)
        self.assertIn("no paper 'nobody1999'; there are adamidis2004", said)
        said = self.reproduce("traff2023", "9", status=2)
        self.assertEqual(said.count("\n"), 1)
        self.assertIn("no recipe for '9'; there are Fig. 1, ", said)
        said = self.reproduce("ricogallego2014", "3", *MODEL, "--procs", "7", status=2)
        self.assertIn("7", said.splitlines()[-1])

    def test_the_page_has_a_row_for_every_figure_and_recipe(self) -> None:
        listed = self.reproduce("--list")
        recipes = re.findall(r"^(\w+) +((?:Fig\.|Table) \w+)", listed, re.MULTILINE)
        sections = re.split(r"^## .*\[(\w+)\].*$", PAGE.read_text(), flags=re.MULTILINE)[1:]
        rows = {
            paper: re.findall(r"^\* \*\*((?:Fig\.|Table) \w+)", text, re.MULTILINE)
            for paper, text in zip(sections[::2], sections[1::2])
        }
        self.assertEqual(rows, CONTENTS)
        for paper, name in recipes:
            self.assertIn(re.sub(r"(?<=\d)[a-z]$", "", name), rows[paper])

    def test_the_pages_pictures_are_there(self) -> None:
        links = re.findall(r"\(\.\./((?:papers/)?\w+\.(?:svg|png))\)", PAGE.read_text())
        self.assertGreater(len(links), 20)
        for link in links:
            self.assertTrue((ROOT / "docs" / link).is_file(), link)
        linked = {Path(link).name for link in links}
        unused = {file.name for file in (ROOT / "docs/papers").iterdir()} - linked
        self.assertEqual(unused, set())


if __name__ == "__main__":
    unittest.main()
