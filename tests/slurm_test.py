# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps as batch jobs of a real Slurm: right places, ended and requeued, split and joined.

With BREAKEVEN_SLURM_LONG=1 also jobs that Slurm's own time limit ends, or that are killed outright
(three minutes more).
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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "testbed"))
import slurm_lab

BREAKEVEN = os.environ.get("BREAKEVEN", "breakeven")
MACHINES = os.environ.get("BREAKEVEN_MACHINES", "mpich openmpi").split()
PMI = {"mpich": "pmi2", "openmpi": "pmix"}
NODES = 4
LONG = os.environ.get("BREAKEVEN_SLURM_LONG", "")

QUICK = ["--collectives", "allreduce", "--algorithms", "native,ring", "--repetitions", "3",
         "--min-repetitions", "2", "--min-time-s", "0.001", "--no-doctor"]  # fmt: skip
PLACES = {"seq": ["node0", "node0", "node1", "node1"], "rr": ["node0", "node1", "node0", "node1"]}


def lasting(case_s: float, bytes: str = "8:1K") -> list[str]:
    """A sweep of 48 measurements (6 for each size) that take so long each."""
    return ["--machine", MACHINES[-1], "--procs", "2", "--bytes", bytes, "--launches", "3",
            "--collectives", "allreduce", "--algorithms", "native,ring", "--no-doctor",
            "--target-ci", "1e-9", "--repetitions", "10000000", "--racing", "false",
            "--case-budget-s", str(case_s)]  # fmt: skip


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
        command = [BREAKEVEN, "submit", "--slurm", "--out", str(folder), *options, "--", *sweep]
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

    def measured(self, database: pathlib.Path) -> int:
        return sum(count for (count,) in self.rows(database, "SELECT count(*) FROM measurement"))

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
        jobs = {}
        for machine in MACHINES:
            for mapping in PLACES:
                sweep = ["--machine", machine, "--procs", "4", "--nodes", "2",
                         "--mapping", mapping, "--bytes", "8", "--launches", "1", *QUICK]  # fmt: skip
                jobs[machine, mapping] = self.submit(
                    "--time", "5min", sweep=sweep, name=f"{machine}-{mapping}"
                )
        for (machine, mapping), (job, folder) in jobs.items():
            with self.subTest(machine=machine, mapping=mapping):
                self.assertIn(f"srun --mpi={PMI[machine]}", self.finish(job, folder))
                database = folder / "results.db"
                [(command, placement)] = self.rows(
                    database, "SELECT command, placement FROM launch"
                )
                self.assertIn(f"srun --mpi={PMI[machine]}", command)
                self.assertIn("-m block" if mapping == "seq" else "-m cyclic", command)
                self.check_placement(json.loads(placement), PLACES[mapping])
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
        job, folder = self.submit("--time", "5min", sweep=lasting(case_s=0.25, bytes="8:64"))
        database = folder / "results.db"
        slurm_lab.wait_for("measurements", lambda: self.measured(database) > 2, 30)
        subprocess.run(["scancel", "--batch", "--signal=USR1", job], check=True)
        slurm_lab.wait_for("the first end", lambda: self.slurm.state(job) != "RUNNING", 20)
        before = self.rows(database, "SELECT id, case_id, repeat, median_s FROM measurement")
        self.assertLess(len(before), 24)
        said = self.finish(job, folder)
        self.assertIn("Run 1 reached its time limit.", said)
        self.check_complete(database, 24)
        after = self.rows(database, "SELECT id, case_id, repeat, median_s FROM measurement")
        self.assertLessEqual(set(before), set(after))
        outcomes = self.rows(database, "SELECT DISTINCT outcome FROM launch ORDER BY outcome")
        self.assertIn(("interrupted by SIGUSR1",), outcomes)
        self.check_products(folder)

    def test_an_array_shares_a_sweep(self) -> None:
        sweep = ["--machine", MACHINES[0], "--procs", "2", "--bytes", "8:1K", "--launches", "2", "--racing", "false", *QUICK]
        job, folder = self.submit("--time", "5min", "--array", "2", sweep=sweep)
        self.finish(job, folder)
        self.check_complete(folder / "results.db", 2 * 8 * 2)
        shards = [folder / f"shard-{shard}-of-2.db" for shard in (1, 2)]
        for shard in shards:
            self.check_complete(shard, 2 * 4 * 2)
        self.check_products(folder)
        self.assertFalse((folder / "merging").exists())

    @unittest.skipUnless(LONG, "takes two minutes")
    def test_slurms_own_limit_and_requeue(self) -> None:
        job, folder = self.submit("--time", "1min", "--margin", "30s", sweep=lasting(case_s=1))
        said = self.finish(job, folder, 300)
        self.assertIn("Run 1 reached its time limit.", said)
        self.check_complete(folder / "results.db", 48)
        self.check_products(folder)

    @unittest.skipUnless(LONG, "takes half a minute")
    def test_a_part_of_an_array_that_runs_out_of_time(self) -> None:
        job, folder = self.submit("--time", "5min", "--array", "2", sweep=lasting(case_s=0.2))
        shard = folder / "shard-2-of-2.db"
        slurm_lab.wait_for("measurements", lambda: self.measured(shard) > 2, 60)
        subprocess.run(["scancel", "--batch", "--signal=USR1", f"{job}_2"], check=True)
        said = self.finish(job, folder, 120)
        self.assertIn("Run 1 reached its time limit.", said)
        self.check_complete(folder / "results.db", 48)
        self.check_products(folder)

    @unittest.skipUnless(LONG, "takes a minute")
    def test_a_job_that_is_killed_outright_and_requeued(self) -> None:
        """As after the failure of a node: without a word to anybody."""
        job, folder = self.submit("--time", "5min", sweep=lasting(case_s=0.2))
        database = folder / "results.db"
        for enough in (2, 12):
            slurm_lab.wait_for("measurements", lambda: self.measured(database) > enough, 60)
            subprocess.run(["scancel", "--full", "--signal=KILL", job], check=True)
            subprocess.run(["scontrol", "requeue", job], check=True)
            slurm_lab.wait_for("its end", lambda: self.slurm.state(job) != "RUNNING", 20)
        self.finish(job, folder, 120)
        self.check_complete(database, 48)
        self.check_products(folder)


if __name__ == "__main__":
    slurm_lab.enter()
    unittest.main()
