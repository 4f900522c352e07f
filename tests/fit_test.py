# SPDX-License-Identifier: BSD-3-Clause
"""`breakeven fit`: machines whose truth is known are found, and predictions on them agree."""

import json
import re
import subprocess
import tomllib
import unittest

from support import ProgramTest

TRUTH = {"L": 5e-7, "o": 4e-7, "g": 6e-7, "G": 2e-10, "gamma": 5e-11}
TRUE_MACHINE = "loggp:" + ",".join(f"{key}={value}" for key, value in TRUTH.items())


class FitTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.database = self.folder / "here.db"

    def fit(self, status: int = 0, **options: str) -> subprocess.CompletedProcess[str]:
        usual = {
            "machine": TRUE_MACHINE + ",launch_noise=0.02",
            "procs": "4",
            "bytes": "8:64K",
            "launches": "6",
            "out": "here.toml",
        }
        flags = (f"--{key}={value}" for key, value in (usual | options).items())
        return self.breakeven("fit", *flags, status=status)

    def machine(self) -> dict:
        return tomllib.loads((self.folder / "here.toml").read_text())

    def predicted(self, machine: str) -> dict[tuple[int, str], float]:
        said = self.breakeven(
            *("predict", "allreduce", "--procs", "16", "--bytes", "8:64K", "--machine", machine),
            *("--extrapolate", "--format", "json"),
        )
        return {
            (cell["message_bytes"], each["algorithm"]): each["time_s"]
            for cell in json.loads(said.stdout)["cells"]
            for each in cell["times"]
        }

    def test_a_known_machine_is_found(self) -> None:
        said = self.fit().stdout
        machine = self.machine()
        self.assertEqual((machine["name"], machine["model"]), ("here", "loggp"), said)
        self.assertEqual(
            machine["limits"], {"procs": 4, "procs_per_node": 4, "message_bytes": 65536}
        )
        (parameters,) = machine["ranges"]
        for key, truth in TRUTH.items():
            self.assertAlmostEqual(parameters[key] / truth, 1, delta=0.1, msg=f"{key}\n{said}")
            self.assertEqual(len(parameters["replicates"][key]), 199)
        self.assertRegex(self.breakeven("machines").stdout, r"here\.toml +loggp, ")
        truth = self.predicted(TRUE_MACHINE)
        for what, time in self.predicted("here.toml").items():
            self.assertAlmostEqual(time / truth[what], 1, delta=0.05, msg=str(what))
        self.check_that_patterns_are_in_no_table()
        self.check_that_nothing_is_measured_again()

    def inside(self, machine: str) -> dict[str, float]:
        """Of each collective the percentage of measured times within their predicted intervals."""
        said = self.breakeven("compare", machine, "truth.db").stdout
        rows = (line.split() for line in said.splitlines()[2:])
        return {row[0]: float(row[row.index("%") - 1]) for row in rows}

    def test_intervals_contain_the_error_of_a_wrong_model(self) -> None:
        self.fit(model="postal", launches="3")
        self.assertEqual(self.machine()["model"], "postal")
        self.breakeven(
            *("sweep", "--machine", TRUE_MACHINE + ",launch_noise=0.02", "--procs", "4", "--db", "truth.db"),
            *("--collectives", "allreduce,bcast,reduce", "--algorithms", "breakeven", "--bytes", "16:64K"),
            *("--launches", "3"),
        )
        for collective, percent in self.inside("here.toml").items():
            self.assertGreaterEqual(percent, 85, collective)
        asked = ("predict", "allreduce", "--procs", "4", "--bytes", "8:64K", "--machine")
        certain = re.compile(r" 100 % ")
        said = self.breakeven(*asked, "here.toml").stdout
        listed = self.breakeven("schedule", "list").stdout
        algorithms = set(re.findall(r"^allreduce/(\w+)", listed, re.MULTILINE))
        measured = self.rows("SELECT algorithm FROM \"case\" WHERE collective = 'allreduce'")
        cases = sum(algorithm in algorithms for (algorithm,) in measured)  # the others are patterns
        self.assertIn(f"contain the model's error. By {cases} measured cases of allreduce,", said)
        # Without the model's error each choice seems sure, and no interval is true.
        toml = self.folder / "here.toml"
        toml.write_text(toml.read_text().partition("[[errors]]")[0])
        for collective, percent in self.inside("here.toml").items():
            self.assertLess(percent, 60, collective)
        without = self.breakeven(*asked, "here.toml").stdout
        self.assertGreater(len(certain.findall(without)), len(certain.findall(said)))
        self.assertIn("If the model holds: its error was not measured", without)

    def check_that_nothing_is_measured_again(self) -> None:
        first = (self.folder / "here.toml").read_text()
        launches = self.rows("SELECT count(*) FROM launch")
        (self.folder / "here.toml").unlink()
        self.fit()
        self.assertEqual((self.folder / "here.toml").read_text(), first)
        self.assertEqual(self.rows("SELECT count(*) FROM launch"), launches)

    def check_that_patterns_are_in_no_table(self) -> None:
        said = self.breakeven("tune", "--db", "here.db", "--out", "tables").stdout
        self.assertIn("allreduce", said)
        self.assertNotIn("ping_pong", said)
        self.assertIn("  predicted  if the model holds: ", said)

    def test_bad_input_is_refused_before_anything_is_measured(self) -> None:
        for options, words in [
            ({"out": "here.json"}, "a machine file is named NAME.toml"),
            ({"model": "telegraph"}, "no model 'telegraph'; known: postal"),
            ({"procs": "1"}, "2 or more"),
            ({"procs": "2,4"}, "one number of processes"),
            ({"bytes": "3"}, "3 B"),
            ({"mapping": "rr"}, "on 1 node"),
        ]:
            self.assertIn(words, self.fit(status=2, **options).stderr)
            self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
