# SPDX-License-Identifier: BSD-3-Clause
"""Job scripts: documented directives, and what they do, with batch systems that only note it.

A model stands for the machine, so that a sweep takes no nodes; a real Slurm is in slurm_test.py.
"""

import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import unittest

from support import MODEL, ProgramTest, wait_until

# Each directive with the form of its value; "": it takes none.
DOCUMENTED = {
    # https://slurm.schedmd.com/sbatch.html
    "slurm": {
        "--job-name": r"\w+", "--nodes": r"\d+", "--ntasks-per-node": r"\d+", "--exclusive": "",
        "--time": r"\d\d+:\d\d:\d\d", "--signal": r"B:USR1@\d+", "--requeue": "",
        "--open-mode": "append", "--output": r"/\S+%(j|A_%a).out", "--array": r"1-\d+",
        "--partition": r"\w+", "--account": r"\w+", "--constraint": r"\w+",
    },
    # https://github.com/openpbs/openpbs/blob/master/doc/man1/qsub.1B and pbs_resources.7B
    "pbs": {
        "-N": r"\w+", "-l": r"select=\d+:ncpus=\d+:mpiprocs=\d+|place=scatter:excl|"
        r"walltime=\d\d+:\d\d:\d\d", "-j": "oe", "-o": r"/\S+", "-r": "y", "-S": "/bin/bash",
        "-q": r"\w+", "-A": r"\w+",
    },
    # https://flux-framework.readthedocs.io/projects/flux-core/en/latest/man1/flux-batch.html
    "flux": {
        "--job-name": r"\w+", "--nodes": r"\d+", "--exclusive": "", "--time-limit": r"\d+s",
        "--output": r"/\S+\{\{id\}\}.out", "--queue": r"\w+", "--setattr": r"bank=\w+",
    },
}  # fmt: skip
PREFIX = {"slurm": "#SBATCH ", "pbs": "#PBS ", "flux": "# flux: "}
SUBMIT = {"slurm": "sbatch", "pbs": "qsub", "flux": "flux"}
# How each says that a job is begun again: program, words.
AGAIN = {
    "slurm": ["scontrol", "requeue 4711"],
    "pbs": ["qsub", "-v BREAKEVEN_RUN=1,BREAKEVEN_SHARD=1 "],
    "flux": ["flux", "--parent batch --env=BREAKEVEN_RUN=1 --env=BREAKEVEN_SHARD=1 "],
}

SMALL = ["--machine", MODEL, "--procs", "2,4,8", "--bytes", "8:64"]
# Soon planned, never through.
LARGE = ["--machine", MODEL + ",noise=0.1", "--procs", "2,4,8", "--bytes", "8:64"]
LARGE += ["--collectives", "allreduce", "--launches", "200", "--racing", "false"]


class Submit(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.out = self.folder / "job"
        self.noted = self.folder / "noted"
        programs = self.folder / "bin"
        programs.mkdir()
        for name in ("sbatch", "scontrol", "qsub", "flux"):
            program = programs / name
            program.write_text(f'#!/bin/sh\necho "{name} $*" >> {self.noted}\necho told 12\n')
            program.chmod(0o755)
        self.path = f"{programs}:{os.environ['PATH']}"

    def submit(
        self, system: str, *options: str, sweep: list[str], status: int = 0, dry: bool = True
    ) -> str:
        run = self.breakeven(
            "submit", f"--{system}", *(["--dry-run"] if dry else []), *(() if "--time" in options else ("--time", "1h")), *options,
            "--out", "job", "--", *sweep,
            status=status,
        )  # fmt: skip
        return run.stdout if status == 0 else run.stderr

    def script(self) -> str:
        return (self.out / "job.sh").read_text()

    def run_job(self, **variables: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PATH": self.path, "SLURM_JOB_ID": "4711", **variables}
        return subprocess.run(
            ["bash", self.out / "job.sh"], env=environment, cwd="/", capture_output=True,
            text=True, timeout=120,
        )  # fmt: skip

    def notes(self) -> list[str]:
        return self.noted.read_text().splitlines() if self.noted.exists() else []

    def test_every_directive_is_documented(self) -> None:
        for system, known in DOCUMENTED.items():
            with self.subTest(system=system):
                self.submit(
                    system, "--queue", "q", "--account", "a", "--array", "2", "--nodes", "4",
                    sweep=["--machine", MODEL, "--procs", "8", "--bytes", "8:64"],
                )  # fmt: skip
                head, _, body = self.script().partition("\n\n")
                self.assertNotIn(f"\n{PREFIX[system]}", body)
                lines = head.splitlines()[1:]
                self.assertGreater(len(lines), 5)
                for line in lines:
                    self.assertTrue(line.startswith(PREFIX[system]), line)
                    option, value = re.fullmatch(
                        r"(--?[a-zA-Z-]+)[= ]?(.*)", line.removeprefix(PREFIX[system])
                    ).groups()
                    self.assertRegex(value, f"^({known[option]})$", line)

    def test_the_scripts_please_shellcheck(self) -> None:
        if shutil.which("shellcheck") is None:
            self.skipTest("no shellcheck")
        for system in DOCUMENTED:
            self.submit(system, "--array", "2", sweep=SMALL)
            subprocess.run(["shellcheck", self.out / "job.sh"], check=True)

    def test_the_cost_is_told_first_and_a_dry_run_submits_nothing(self) -> None:
        sweep = ["--machine", MODEL, "--procs", "8", "--bytes", "8"]
        told = self.submit("slurm", "--nodes", "4", "--budget", "3h", "--array", "1", sweep=sweep)
        self.assertIn("4 nodes for 01:00:00: 4 node-hours a run, 12 in all", told)
        self.assertIn("allreduce at p = 8 as 4x2, problems: 1, candidates: ", told)
        self.assertIn("collectives not measured: ", told)
        self.assertIn(f"submit it with: sbatch {self.out}/job.sh", told)
        self.assertEqual(list(self.out.iterdir()), [self.out / "job.sh"])

    def test_a_job_has_the_nodes_of_its_layouts(self) -> None:
        sweep = ["--machine", MODEL, "--layouts", "2x4,4x2", "--bytes", "8"]
        self.assertIn("4 nodes for 01:00:00", self.submit("slurm", sweep=sweep))
        self.assertIn("5 nodes for 01:00:00", self.submit("slurm", "--nodes", "5", sweep=sweep))

    def test_it_submits_each_shard(self) -> None:
        for system, count in (("slurm", 1), ("pbs", 1), ("flux", 3)):
            self.noted.unlink(missing_ok=True)
            environment = os.environ["PATH"]
            os.environ["PATH"] = self.path
            try:
                told = self.submit(system, "--array", "3", sweep=SMALL, dry=False)
            finally:
                os.environ["PATH"] = environment
            self.assertIn("told 12", told)
            self.assertEqual(len(self.notes()), count)
            self.assertTrue(self.notes()[0].startswith(SUBMIT[system]))
        self.assertIn("BREAKEVEN_SHARD=3", self.notes()[2])

    def test_a_job_ends_with_tables_and_report(self) -> None:
        self.submit("slurm", sweep=[*SMALL, "--collectives", "allreduce,reduce"])
        run = self.run_job()
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("constexpr", (self.out / "tables/breakeven_table.hpp").read_text())
        self.assertTrue((self.out / "report.txt").exists())
        self.assertEqual(self.notes(), [])

    def test_out_of_time_it_begins_again_until_it_is_through(self) -> None:
        for system, (program, words) in AGAIN.items():
            with self.subTest(system=system):
                shutil.rmtree(self.out, ignore_errors=True)
                self.noted.unlink(missing_ok=True)
                self.submit(system, "--margin", "1s", "--time", "3s", sweep=LARGE)
                run = self.run_job()
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                self.assertIn("Run 1 reached its time limit.", run.stdout)
                self.assertEqual(len(self.notes()), 1)
                self.assertTrue(self.notes()[0].startswith(f"{program} {words}"), self.notes())
                self.database = self.out / "results.db"
                self.assertGreater(len(self.measured()), 0)

    def test_the_budget_of_all_runs_is_kept(self) -> None:
        self.submit("slurm", "--margin", "1s", "--time", "3s", "--budget", "5s", sweep=LARGE)
        run = self.run_job(SLURM_RESTART_COUNT="1")
        self.assertEqual(run.returncode, 4)
        self.assertIn("Stopped: the budget of 5 s is spent. To continue: sbatch ", run.stdout)
        self.assertIn(f"Tables: {self.out}/tables.", run.stdout)
        self.assertIn("allreduce", (self.out / "tables/table.json").read_text())
        self.assertEqual(self.notes(), [])
        self.assertEqual(self.run_job(SLURM_RESTART_COUNT="2").returncode, 4)

    def start_and_signal(self, number: signal.Signals) -> tuple[int, str]:
        self.submit("slurm", sweep=LARGE)
        environment = {**os.environ, "PATH": self.path, "SLURM_JOB_ID": "4711"}
        self.database = self.out / "results.db"
        with subprocess.Popen(
            ["bash", self.out / "job.sh"], env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        ) as job:  # fmt: skip
            self.assertTrue(wait_until(lambda: len(self.measured()) > 0), "nothing is measured")
            job.send_signal(number)
            output, _ = job.communicate(timeout=60)
        return job.returncode, output

    def test_the_word_before_the_limit_is_passed_on(self) -> None:
        status, told = self.start_and_signal(signal.SIGUSR1)
        self.assertEqual(status, 0)
        self.assertIn("interrupted by SIGUSR1", told)
        self.assertEqual(self.notes(), ["scontrol requeue 4711"])

    def test_a_job_that_is_unwanted_stays_away(self) -> None:
        status, told = self.start_and_signal(signal.SIGTERM)
        self.assertEqual(status, 4)
        self.assertIn("Stopped from outside. To continue: sbatch ", told)
        self.assertEqual(self.notes(), [])

    def test_the_parts_of_an_array_are_joined_by_the_last(self) -> None:
        self.submit("pbs", "--array", "3", sweep=SMALL)
        for shard in ("1", "3"):
            run = self.run_job(PBS_ARRAY_INDEX=shard)
            self.assertIn(f"Shard {shard} of 3 has ended", run.stdout)
        self.assertFalse((self.out / "results.db").exists())
        self.run_job(BREAKEVEN_SHARD="2")
        self.assertTrue((self.out / "tables/table.txt").exists())
        self.database = self.out / "results.db"
        joined = self.measured()
        self.breakeven("sweep", *SMALL, "--db", "whole.db")
        self.database = self.folder / "whole.db"
        whole = self.measured()
        self.assertEqual(joined.keys(), whole.keys())
        self.assertFalse((self.out / "merging").exists())

    def test_a_sweeps_options_arrive_as_they_are(self) -> None:
        awkward = "-x 'a b' \"c\""
        self.submit(
            "flux", "--directive=--conf=x", "--array", "1",
            sweep=["--machine", MODEL, "--launcher-args", awkward, "--seed", "7"],
        )  # fmt: skip
        words = shlex.split(self.script().partition("sweep=(")[2].partition("\n)")[0])
        self.assertEqual(
            words, ["--machine", words[1], "--seed", "7", f"--launcher-args={awkward}"]
        )
        self.assertIn("\n# flux: --conf=x\n", self.script())

    def test_bad_input_is_one_line_and_writes_nothing(self) -> None:
        for options, sweep, words in (
            ([], ["--procs", "0"], "'0' is not a process count"),
            ([], ["--no-such"], "after --: "),
            ([], [*SMALL, "--budget", "1h"], "--budget belongs before --"),
            ([], [*SMALL, "--shard", "1/2"], "no --shard"),
            (["--array", "1000"], SMALL, "1000 shards"),
            (["--array", "0"], SMALL, "--array 0"),
            (["--margin", "2h"], SMALL, "--margin of 7200 s"),
            (["--margin", "2x"], SMALL, "--margin: '2x' is not a time"),
            (["--nodes", "3"], SMALL, "3 nodes can't share evenly"),
            (["--pbs"], SMALL, "one of --slurm --pbs --flux"),
        ):
            told = self.submit("slurm", *options, sweep=sweep, status=2)
            self.assertIn(words, told)
            self.assertEqual(told.count("\n"), 1, told)
        self.assertFalse(self.out.exists())

    def test_a_path_that_no_script_can_hold_is_refused(self) -> None:
        self.out = pathlib.Path("my job")
        run = self.breakeven(
            "submit", "--pbs", "--time", "1h", "--out", "my job", "--", *SMALL, status=2
        )
        self.assertIn("can't stand in a batch script", run.stderr)


class Parts(ProgramTest):
    def test_merging_needs_no_order_and_changes_nothing_twice(self) -> None:
        for shard in (1, 2):
            self.breakeven("sweep", *SMALL, "--shard", f"{shard}/2", "--db", f"shard{shard}.db")
        told = self.breakeven("merge", "results.db", "shard2.db", "shard1.db").stdout
        measured = len(self.measured())
        self.assertIn(f"{measured} measurements from 2 databases, 0 there before", told)
        told = self.breakeven("merge", "results.db", "shard1.db", "shard2.db").stdout
        self.assertIn(f"0 measurements from 2 databases, {measured} there before", told)
        status = self.breakeven("status", "--db", "results.db").stdout
        self.assertIn(f"{measured} measured, 0 failed, 0 remaining", status)

    def test_what_is_no_database_is_refused(self) -> None:
        (self.folder / "text.db").write_text("x" * 200)
        for name in ("missing.db", "text.db"):
            run = self.breakeven("merge", "results.db", name, status=2)
            self.assertIn(name, run.stderr)
            self.assertEqual(run.stderr.count("\n"), 1)
        self.assertEqual([file.name for file in self.folder.iterdir()], ["text.db"])


if __name__ == "__main__":
    unittest.main()
