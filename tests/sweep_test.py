# SPDX-License-Identifier: BSD-3-Clause
"""The main job on a real MPI library: measured, stored with its environment, tuned, checked, drawn."""

import contextlib
import json
import os
import re
import sqlite3
import statistics
import subprocess
import unittest

from support import MACHINE, ProgramTest, picoseconds

SWEEP = [
    "sweep", "--machine", MACHINE, "--db", "results.db", "--procs", "2,3", "--bytes", "8,1K",
    "--collectives", "allreduce,reduce,reduce_scatter_block,allgather,scatter,bcast",
    "--algorithms", "native,breakeven", "--repetitions", "40", "--batch", "10", "--launches", "3",
    "--racing", "false",
]  # fmt: skip


class Sweep(ProgramTest):
    def test_from_measuring_to_pictures(self) -> None:
        run = self.breakeven(*SWEEP)
        self.assertIn("skipped at p = 3, needs p a power of two: allgather/recursive_doubling", run.stderr)
        self.assertIn("0 failed", run.stdout)
        self.assertRegex(run.stdout, r"\n *bcast, p = 2( +2 |\n +message)")
        self.assertNotIn("collectives not measured", run.stdout)
        self.check_records()
        self.assertIn("0 failed, 0 remaining", self.breakeven("status", "--db", "results.db").stdout)
        shown = self.breakeven("show", "--db", "results.db").stdout
        derived = re.findall(r"\n.* native .* runs (mpich:\w+), derived from its trees", shown)
        self.assertEqual(len(derived), 24 if MACHINE == "mpich" else 0)  # collectives, p, sizes
        self.check_table()
        report = self.breakeven("check", "--db", "results.db", "--tolerance", "1000").stdout
        self.assertRegex(report, r"\n[1-9]\d* comparisons: 0 violated, ")
        for plot in ["fastest", "ratio"]:
            self.breakeven("plot", plot, "--db", "results.db", "--out", f"{plot}.png")
            picture = (self.folder / f"{plot}.png").read_bytes()
            self.assertTrue(picture.startswith(b"\x89PNG") and len(picture) > 10_000)
        ring = ["--algorithms", "native,allreduce/ring,binomial"]
        self.breakeven("plot", "curves", "--db", "results.db", "--out", "curves.png", *ring)
        self.breakeven("plot", "ratio", "--db", "results.db", "--out", "r.png", "--baseline", "allreduce/ring")
        again = self.breakeven(*SWEEP)
        self.assertIn("0 measured, 0 failed", again.stdout)
        otherwise = self.breakeven(*SWEEP, "--sync", "library", status=2)
        self.assertIn("--sync dissemination; this sweep asks for --sync library", otherwise.stderr)

    def test_a_dry_run_says_what_would_be_measured_and_writes_nothing(self) -> None:
        said = self.breakeven(*SWEEP, "--dry-run").stdout
        self.assertIn("allreduce at p = 3, problems: 2, candidates: ", said)
        self.assertIn("skipped at p = 3, needs p a power of two: allgather/recursive_doubling", said)
        self.assertRegex(said, r"planned: \d+ cases; probably \d+ measurements in 6 launches, ")
        self.assertRegex(said, r"upper limit: \d+ measurements in 6 launches, ")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_job_costs_what_earlier_launches_took_to_start(self) -> None:
        sweep = [
            "--machine", MACHINE, "--procs", "2", "--bytes", "8", "--collectives", "allreduce",
            "--algorithms", "native,ring", "--racing", "false", "--no-doctor",
            "--db", str(self.database),
        ]  # fmt: skip
        submit = ["submit", "--slurm", "--time", "1h", "--dry-run", "--", *sweep, "--launches", "3"]
        told = self.breakeven(*submit).stdout
        self.assertRegex(told, r"in 3 launches, .*; a rough guess until something is measured\n")
        self.breakeven("sweep", *sweep, "--launches", "1")
        with contextlib.closing(sqlite3.connect(self.database)) as database, database:
            database.execute(
                "UPDATE launch SET environment = json_set(environment, '$.start_s', 1000)"
            )
        told = self.breakeven(*submit).stdout
        self.assertIn(f"by the results of '{self.database}' on {MACHINE} (", told)
        self.assertRegex(told, r" in 2 launches, 33 min \d+ s \(33 min \d+ s of it to start jobs\)\n")
        status = self.breakeven("status", "--db", str(self.database)).stdout
        self.assertIn("0 failed, 0 remaining", status)

    def test_parts_of_a_job_are_measured_at_once(self) -> None:
        """Two communicators of two ranks, in a job of four, and that job."""
        self.breakeven(
            *("sweep", "--machine", MACHINE, "--layouts", "1x4,1x2*2", "--collectives", "allgather,scan"),
            *("--algorithms", "native,ring,chain", "--bytes", "1K", "--launches", "1", "--repetitions", "5"),
            *("--db", "results.db"),
        )
        measured = self.rows(
            'SELECT DISTINCT collective, procs, comms_per_node, failure FROM "case" JOIN measurement ON case_id = "case".id'
        )
        expected = [(each, *layout, None) for each in ("allgather", "scan") for layout in ((2, 2), (4, 1))]
        self.assertEqual(sorted(measured), sorted(expected))
        self.assertEqual(self.rows("SELECT procs FROM launch"), [(4,)])
        self.breakeven("tune", "--db", "results.db", "--out", "tables")
        ask = ("tables", "ask", "tables/table.json", "--collective", "scan", "--bytes", "1K", "--procs")
        self.assertIn("measured at p = 2", self.breakeven(*ask, "2").stdout)
        self.breakeven(*SWEEP, "--layouts", "1x2", status=2)

    def test_a_launcher_that_is_not_there_is_refused(self) -> None:
        run = self.breakeven(*SWEEP, "--launcher", "/no/such/mpiexec", status=2)
        self.assertRegex(run.stderr, r"^breakeven: launcher '/no/such/mpiexec' of machine .*\n$")
        self.assertEqual(list(self.folder.iterdir()), [])

    def check_records(self) -> None:
        """Every case three times, with its samples, on launches that say where and with what."""
        [(cases, repeats)] = self.rows(
            'SELECT count(DISTINCT case_id), count(DISTINCT repeat) FROM measurement'
        )
        self.assertEqual(len(self.measured()), cases * repeats)
        self.assertEqual(repeats, 3)
        for samples, low, median, high, local, global_ in self.rows(
            """SELECT samples, low_s, median_s, high_s, local_ps, global_ps
               FROM measurement LEFT JOIN durations ON measurement_id = measurement.id"""
        ):
            durations = picoseconds(local)
            self.assertEqual(len(durations), samples)
            self.assertGreaterEqual(samples, 5)
            self.assertTrue(all(each > 0 for each in durations))
            self.assertAlmostEqual(statistics.median(durations) / 1e12, median, delta=1e-12)
            self.assertLessEqual(low, median)
            self.assertLessEqual(median, high)
            if global_ is not None:
                self.assertEqual(len(picoseconds(global_)), samples)
        [(name, kind, version)] = self.rows("SELECT name, kind, library_version FROM machine")
        self.assertEqual((name, kind), (MACHINE, "library"))
        self.assertRegex(version, "MPICH|Open MPI")
        for command, placement, environment, procs, outcome in self.rows(
            "SELECT command, placement, environment, procs, outcome FROM launch"
        ):
            self.assertIn(f"-n {procs}", command)
            self.assertEqual(len(json.loads(placement)), procs)
            self.assertGreaterEqual(
                json.loads(environment).keys(),
                {"host", "cpu", "cores", "kernel", "governor", "library_version",
                 "breakeven_version", "breakeven_commit", "start_s"},
            )  # fmt: skip
            self.assertEqual(outcome, "complete")

    def check_table(self) -> None:
        """The header compiles with every compiler that is here, without a warning."""
        self.breakeven("tune", "--db", "results.db", "--out", "tables")
        self.assertIn("allreduce", (self.folder / "tables/table.txt").read_text())
        (self.folder / "use.cpp").write_text(
            '#include "tables/breakeven_table.hpp"\n'
            "using namespace breakeven_table;\n"
            "constexpr auto kChoice = choose(Collective::allreduce, 2, 1, 8);\n"
            "static_assert(!name(kChoice.algorithm).empty() && kChoice.measured);\n"
            "int main() {}\n"
        )
        flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-xc++"]
        compilers = [c for c in ["g++", "clang++", "clang++-19"] if self.installed(c)]
        self.assertIn("g++", compilers)
        for compiler in compilers:
            for source in ["use.cpp", "tables/breakeven_table.hpp"]:
                subprocess.run([compiler, *flags, source], cwd=self.folder, check=True, timeout=120)

    @staticmethod
    def installed(program: str) -> bool:
        return any(
            os.access(os.path.join(folder, program), os.X_OK)
            for folder in os.environ["PATH"].split(":")
        )


if __name__ == "__main__":
    unittest.main()
