# SPDX-License-Identifier: BSD-3-Clause
"""The clocks of a job are synchronised by each method, watched, told of, recorded and drawn."""

import csv
import importlib.util
import unittest

from support import MACHINE, ProgramTest

METHODS = ["skampi", "jk", "hca", "hca2", "hca3", "two_level"]
NO_DRIFT = ["none", "skampi", "two_level"]  # in their models, nor on one node in truth
READINGS = 21  # right after synchronising, and 20 over the duration


class Clocks(ProgramTest):
    def clocks(self, *arguments: str, status: int = 0):
        return self.breakeven("clocks", "--machine", MACHINE, *arguments, status=status)

    def table(self, output: str) -> dict[str, list[str]]:
        """The words of each method's row."""
        rows = [line.split() for line in output.splitlines()]
        return {row[0]: row[1:] for row in rows if row and row[0] in [*METHODS, "none"]}

    def test_all_methods_are_watched_unless_named(self) -> None:
        run = self.clocks("--procs", "2", "--duration-s", "0")
        table = self.table(run.stdout)
        self.assertEqual(list(table), METHODS)
        self.assertIn("-", table["hca3"])  # no time, no drift
        self.assertIn("all ranks are on one node", run.stdout)

    def test_what_is_measured_is_the_truth(self) -> None:
        methods = ["none", *METHODS]
        run = self.clocks(
            *("--procs", "3", "--duration-s", "0.4", "--csv", "clocks.csv"),
            *("--clocks", ",".join(methods)),
        )
        self.assertEqual(list(self.table(run.stdout)), methods)
        with (self.folder / "clocks.csv").open(newline="") as lines:
            rows = list(csv.DictReader(lines))
        self.assertEqual(list(dict.fromkeys(row["clock"] for row in rows)), methods)
        for method in methods:
            of_method = [row for row in rows if row["clock"] == method]
            self.assertEqual([row["rank"] for row in of_method], ["1", "2"] * READINGS)
            elapsed = [float(row["elapsed_s"]) for row in of_method]
            self.assertEqual(elapsed, sorted(elapsed))
            self.assertGreaterEqual(elapsed[-1], 0.4)
            # Those with a drift move on between being measured and the truth being asked.
            beyond = 1e-6 if method in NO_DRIFT else 1e-3
            for row in of_method:
                wrong = abs(float(row["offset_s"]) - float(row["truth_s"]))
                self.assertLessEqual(wrong, float(row["round_trip_s"]) / 2 + beyond, row)
        shared = [float(row["truth_s"]) for row in rows if row["clock"] == "two_level"]
        self.assertLess(max(map(abs, shared)), 1e-8)

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "matplotlib isn't installed")
    def test_a_picture_is_drawn_and_nothing_else_left(self) -> None:
        picture = ["--out", "clocks.png"]
        self.clocks("--procs", "2", "--duration-s", "0.1", "--clocks", "skampi,hca3", *picture)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["clocks.png"])
        self.assertTrue((self.folder / "clocks.png").read_bytes().startswith(b"\x89PNG"))

    def test_what_is_not_possible_is_refused_in_one_line(self) -> None:
        for arguments, words in [
            (["--clocks", "ntp"], "no clock sync 'ntp'; known: none skampi jk hca hca2 hca3 two_level"),
            (["--timer", "rdtsc"], "no timer 'rdtsc'; known: monotonic wtime"),
            (["--procs", "1"], "1 processes on 1 nodes"),
            (["--procs", "3", "--nodes", "2"], "3 processes on 2 nodes"),
            (["--duration-s", "-1"], "a duration of -1 s"),
            (["--out", "clocks.gif"], "can't draw 'clocks.gif'; known: .png .svg .pdf"),
            (["--out", "nowhere/clocks.png"], "can't write 'nowhere/clocks.png'"),
            (["--csv", "nowhere/clocks.csv"], "can't write 'nowhere/clocks.csv'"),
            (["--launcher", "nowhere/mpiexec"], "launcher 'nowhere/mpiexec'"),
        ]:
            run = self.clocks(*arguments, status=2)
            self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
            self.assertIn(words, run.stderr)
            self.assertEqual(run.stdout, "")
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
