# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps as batch jobs of a real Slurm: right places, ended and requeued, split and joined.

With BREAKEVEN_SLURM_LONG=1 also a job that Slurm's own time limit ends (two minutes more).
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

import slurm_lab

BREAKEVEN = os.environ.get("BREAKEVEN", "breakeven")
MACHINES = os.environ.get("BREAKEVEN_MACHINES", "mpich openmpi").split()
PMI = {"mpich": "pmi2", "openmpi": "pmix"}
NODES = 4

QUICK = ["--collectives", "allreduce", "--algorithms", "native,ring", "--repetitions", "3",
         "--least-repetitions", "2", "--least-s", "0.001", "--no-doctor"]  # fmt: skip
PLACES = {"seq": ["node0", "node0", "node1", "node1"], "rr": ["node0", "node1", "node0", "node1"]}


class SlurmTest(unittest.TestCase):
    slurm: slurm_lab.Slurm

    @classmethod
    def setUpClass(cls) -> None:
        cls.slurm = slurm_lab.Slurm(NODES)

    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=slurm_lab.LAB))
        self.addCleanup(shutil.rmtree, self.folder)

    def submit(self, *options: str, sweep: list[str], name: str = "job") -> tuple[str, pathlib.Path]:
        """The job's number and its folder."""
        folder = self.folder / name
        command = [BREAKEVEN, "submit", "--slurm", "--go", "--out", str(folder), *options, "--", *sweep]
        told = subprocess.run(command, capture_output=True, text=True, timeout=60)
        self.assertEqual(told.returncode, 0, told.stderr)
        number = re.search(r"Submitted batch job (\d+)", told.stdout)
        self.assertIsNotNone(number, told.stdout)
        return number[1], folder

    def finish(self, job: str, folder: pathlib.Path, seconds: float = 60) -> str:
        """Waits for a good end and returns what the job said."""
        state = self.slurm.wait(job, seconds)
        said = "".join(file.read_text() for file in sorted(folder.glob("*.out")))
        self.assertEqual(state, "COMPLETED", said)
        return said

    @staticmethod
    def rows(database: pathlib.Path, query: str) -> list[tuple]:
        with contextlib.suppress(sqlite3.OperationalError):
            uri = f"file:{database}?mode=rw"
            with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=0.2)) as connection:
                return connection.execute(query).fetchall()
        return []

    def check_complete(self, database: pathlib.Path, measurements: int) -> None:
        """Everything was measured, once, and nothing failed."""
        found = self.rows(
            database,
            """SELECT count(*), count(DISTINCT case_id || '/' || repeat), count(failure),
                      (SELECT count(*) FROM durations) FROM measurement""",
        )
        self.assertEqual(found, [(measurements, measurements, 0, measurements)])

    def check_products(self, folder: pathlib.Path) -> None:
        self.assertIn("constexpr", (folder / "tables/breakeven_table.hpp").read_text())
        self.assertTrue((folder / "report.txt").read_text())

    def test_ranks_are_where_the_mapping_says(self) -> None:
        """Block and cyclic distribution, with each library's own process management interface."""
        for machine in MACHINES:
            for mapping, places in PLACES.items():
                with self.subTest(machine=machine, mapping=mapping):
                    sweep = ["--machine", machine, "--procs", "4", "--nodes", "2",
                             "--mapping", mapping, "--bytes", "8", "--launches", "1", *QUICK]  # fmt: skip
                    job, folder = self.submit(
                        "--time", "5min", sweep=sweep, name=f"{machine}-{mapping}"
                    )
                    said = self.finish(job, folder)
                    self.assertIn(f"srun --mpi={PMI[machine]}", said)
                    database = folder / "results.db"
                    [(command, placement)] = self.rows(
                        database, "SELECT command, placement FROM launch"
                    )
                    self.assertIn(f"srun --mpi={PMI[machine]}", command)
                    self.assertIn("-m block" if mapping == "seq" else "-m cyclic", command)
                    self.check_placement(json.loads(placement), places)
                    self.check_complete(database, 2)
                    self.check_products(folder)

    def check_placement(self, placement: list, expected: list[str]) -> None:
        """Which of a job's nodes comes first is Slurm's choice; the pattern is ours."""
        names = [str(each) for each in placement]
        self.assertEqual(len(set(names)), 2, names)
        renamed = {name: f"node{i}" for i, name in enumerate(dict.fromkeys(names))}
        self.assertEqual([renamed[name] for name in names], expected)

    def test_a_job_that_runs_out_of_time_goes_on_until_all_is_measured(self) -> None:
        """The word that Slurm sends before the limit, sent now."""
        sweep = ["--machine", MACHINES[0], "--procs", "2", "--bytes", "8:1K", "--launches", "3",
                 "--collectives", "allreduce", "--algorithms", "native,ring", "--no-doctor",
                 "--precision", "1e-9", "--repetitions", "1000000",
                 "--case-budget-s", "0.1", "--racing", "false"]  # fmt: skip
        job, folder = self.submit("--time", "5min", sweep=sweep)
        database = folder / "results.db"
        measured = "SELECT count(*) FROM measurement"
        slurm_lab.wait_for(
            "a first measurement", lambda: self.rows(database, measured) > [(2,)], 30
        )
        subprocess.run(["scancel", "--batch", "--signal=USR1", job], check=True)
        slurm_lab.wait_for("the first end", lambda: self.slurm.state(job) != "RUNNING", 20)
        before = self.rows(database, "SELECT id, case_id, repeat, median_s FROM measurement")
        self.assertLess(len(before), 48)
        said = self.finish(job, folder)
        self.assertIn("out of time in run 1; nothing is lost", said)
        self.check_complete(database, 48)
        after = self.rows(database, "SELECT id, case_id, repeat, median_s FROM measurement")
        self.assertLessEqual(set(before), set(after))
        outcomes = self.rows(database, "SELECT DISTINCT outcome FROM launch ORDER BY outcome")
        self.assertIn(("interrupted by SIGUSR1",), outcomes)
        self.check_products(folder)

    def test_an_array_shares_a_sweep(self) -> None:
        sweep = ["--machine", MACHINES[0], "--procs", "2", "--bytes", "8:1K", "--launches", "2", *QUICK]
        job, folder = self.submit("--time", "5min", "--array", "2", sweep=sweep)
        self.finish(job, folder)
        self.check_complete(folder / "results.db", 2 * 8 * 2)
        parts = [folder / f"part-{part}-of-2.db" for part in (1, 2)]
        for part in parts:
            self.check_complete(part, 2 * 4 * 2)
        self.check_products(folder)
        self.assertFalse((folder / "merging").exists())

    @unittest.skipUnless(os.environ.get("BREAKEVEN_SLURM_LONG"), "takes two minutes more")
    def test_slurms_own_limit_and_requeue(self) -> None:
        sweep = ["--machine", MACHINES[-1], "--procs", "2", "--bytes", "8:1K", "--launches", "3",
                 "--collectives", "allreduce", "--algorithms", "native,ring", "--no-doctor",
                 "--precision", "1e-9", "--repetitions", "10000000",
                 "--case-budget-s", "1", "--racing", "false"]  # fmt: skip
        job, folder = self.submit("--time", "1min", "--margin", "30s", sweep=sweep)
        said = self.finish(job, folder, 300)
        self.assertIn("out of time in run 1; nothing is lost", said)
        self.check_complete(folder / "results.db", 48)
        self.check_products(folder)


if __name__ == "__main__":
    slurm_lab.enter()
    unittest.main(argv=sys.argv[:1])
