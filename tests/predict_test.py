# SPDX-License-Identifier: BSD-3-Clause
"""`breakeven predict` and `timeline`: what models say, against closed forms, and what they refuse."""

import json
import unittest
import xml.etree.ElementTree

from support import ProgramTest

CLUSTER = "loggp:L=2.5e-6,o=1.5e-6,g=1e-6,G=6e-9"
POSTAL = "postal:alpha=1e-6,beta=1e-9,gamma=0"
ROUND_S = 5542e-9  # of 8 bytes on the cluster


class PredictTest(ProgramTest):
    def predicted(self, *arguments: str, machine: str = CLUSTER) -> dict[tuple[int, int], dict]:
        said = self.breakeven("predict", *arguments, "--machine", machine, "--format", "json")
        return {
            (cell["procs"], cell["message_bytes"]): {
                each["algorithm"]: each["time_s"] for each in cell["times"]
            }
            for cell in json.loads(said.stdout)["cells"]
        }

    def test_times_are_those_of_the_closed_forms(self) -> None:
        cells = self.predicted("allreduce/recursive_doubling", "--procs", "16,1048576", "--bytes", "8")
        self.assertEqual(cells[16, 8], {"recursive_doubling": 22.168e-6})
        self.assertEqual(cells[1 << 20, 8], {"recursive_doubling": 110.84e-6})
        ring = self.predicted("allreduce/ring", "--procs", "4096", "--bytes", "32K")
        self.assertAlmostEqual(ring[4096, 32768]["ring"], 2 * 4095 * ROUND_S, places=15)

    def test_the_fastest_comes_first(self) -> None:
        cells = self.predicted("allreduce", "--procs", "8", "--bytes", "8,1M", machine=POSTAL)
        for times in cells.values():
            self.assertEqual(list(times.values()), sorted(times.values()))
        self.assertEqual(cells[8, 8]["recursive_doubling"], min(cells[8, 8].values()))
        self.assertLess(cells[8, 1 << 20]["ring"], cells[8, 1 << 20]["recursive_doubling"])

    def test_processes_that_begin_later_end_later(self) -> None:
        options = ("allreduce/recursive_doubling", "--procs", "64", "--bytes", "8")
        (times,) = self.predicted(*options, "--skew-s", "1e-5").values()
        self.assertGreater(times["recursive_doubling"], 6 * ROUND_S)
        self.assertLess(times["recursive_doubling"], 6 * ROUND_S + 1e-5)

    def test_a_timeline_is_what_the_model_says(self) -> None:
        options = ("timeline", "allreduce/ring", "--procs", "4", "--bytes", "4K", "--machine", POSTAL)
        said = json.loads(self.breakeven(*options, "--format", "json").stdout)
        self.assertEqual((said["format"], len(said["messages"])), ("breakeven-timeline-1", 24))
        self.assertAlmostEqual(said["end_s"], 6 * (1e-6 + 1024e-9), places=15)
        svg = xml.etree.ElementTree.fromstring(self.breakeven(*options, "--format", "svg").stdout)
        arrows = svg.findall("{http://www.w3.org/2000/svg}g")
        self.assertEqual(len(arrows), 24)
        rows = self.breakeven(*options).stdout.splitlines()
        self.assertEqual(sum(row.endswith("12.1 us") for row in rows), 4)

    def test_what_cannot_be_computed_is_refused(self) -> None:
        for arguments, words in [
            (("predict", "alltoall", "--procs", "4", "--machine", POSTAL), "no schedules"),
            (("predict", "allreduce", "--procs", "4", "--machine", "openmpi"), "no model 'openmpi'"),
            (("predict", "allreduce", "--procs", "4", "--machine", POSTAL + ",noise=0.1"), "no noise"),
            (("predict", "bcast/linear", "--procs", "4", "--machine", POSTAL), "no bcast algorithm"),
            (("predict", "bcast/binomial:segments=65536", "--procs", "65536", "--machine", POSTAL), "steps"),
            (("timeline", "bcast/binomial", "--procs", "4", "--root", "4", "--machine", POSTAL), "root 4"),
            (("timeline", "bcast/binomial", "--procs", "4", "--format", "png", "--machine", POSTAL), "svg"),
        ]:
            said = self.breakeven(*arguments, status=2).stderr
            self.assertIn(words, said)
            self.assertEqual(said.count("\n"), 1, said)


if __name__ == "__main__":
    unittest.main()
