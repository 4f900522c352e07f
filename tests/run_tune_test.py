# SPDX-License-Identifier: BSD-3-Clause
"""`run --tune`: a job tunes its own program, within a budget, and the program ends as it would without."""

import contextlib
import fcntl
import json
import os
import random
import re
import signal
import sqlite3
import struct
import subprocess
import time
import unittest

from support import MACHINE, ProgramTest, alive, wait_until, workers_below

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double in[1024], out[1024];
int main(int argc, char** argv) {
  int me, steps = atoi(argv[1]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  in[0] = me + 1;
  for (int i = 0; i < steps; ++i)
    MPI_Allreduce(in, out, 1024, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) printf("sum %g\\n", out[0]);
  MPI_Finalize();
  return atoi(argv[2]);
}
"""
STEPS = "300"
KILLS = int(os.environ.get("BREAKEVEN_KILLS", "6"))
LONG = ["--program-time", "10h"]  # so that the calls of the short program are worth measuring


class RunTune(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        (self.folder / "program.c").write_text(PROGRAM)
        subprocess.run([f"mpicc.{MACHINE}", "program.c", "-o", "program"], cwd=self.folder, check=True)
        self.command = self.program(STEPS, "0")
        self.kept = self.folder / f"tables/{MACHINE}-2"
        self.table = self.kept / "table.json"
        self.database = self.folder / "tables/results.db"

    @staticmethod
    def program(steps: str, status: str) -> list[str]:
        return [f"mpiexec.{MACHINE}", "-n", "2", "./program", steps, status]

    def job(self, *options: str, command: list[str] | None = None, status: int = 0) -> str:
        """The account of a job, whose program prints what it always does."""
        words = ["run", "--tables", "tables", *options, "--", *(command or self.command)]
        done = self.breakeven(*words, status=status)
        self.assertEqual(done.stdout, "sum 3\n", done.stderr)
        return done.stderr

    def change_profile(self, prompt_s: float, time_s: float | None = None) -> None:
        """Sets the times of its calls, against which those with the tables are compared."""
        file = self.kept / "profile.json"
        profile = json.loads(file.read_text())
        for kind in profile["order"]["kinds"]:
            kind["prompt_s"] = prompt_s
        for use in profile["uses"] if time_s is not None else ():
            use["time_s"] = time_s
        file.write_text(json.dumps(profile))

    def make_profile(self) -> None:
        """By a first job; calls that are slow in it refute no table."""
        self.job("--tune", "2%")
        self.change_profile(prompt_s=1.0)

    def outcomes(self, account: str) -> dict[str, str]:
        rows = re.findall(r"^  (\w[\w ]*?) +[\d.e+-]+  (.*)$", account.partition("  step ")[2], re.MULTILINE)
        return dict(rows)

    def test_the_first_job_profiles_the_second_tunes_the_third_has_all(self) -> None:
        self.assertIn("none yet", self.outcomes(self.job("--tune", "2%"))["profile"])
        self.assertFalse(self.table.exists())
        self.change_profile(prompt_s=1.0)
        second = self.outcomes(self.job("--tune", "60s", *LONG))
        self.assertRegex(second["sweep"], r"^1 call: [1-9]\d* measured, 0 failed, 0 stored before\. Done")
        self.assertRegex(second["tables"], "made anew")
        if "keep the default" in second["verification"]:
            self.assertEqual(second["program"], "by the library's default")
        else:
            self.assertRegex(second["verification"], "times as fast as the default")
            self.assertIn("with the tables", second["program"])
        table = self.table.read_bytes()
        third = self.outcomes(self.job("--tune", "60s", *LONG))
        self.assertEqual(third["sweep"], "no launch is expected to pay within the budget")
        self.assertEqual((third["tables"], third["verification"]), ("stay as they are", "verified before"))
        self.assertEqual(self.table.read_bytes(), table)

    def test_a_short_run_stands_for_the_program(self) -> None:
        short = ["--short-run", " ".join(self.program("20", "0")), *LONG]
        first = self.outcomes(self.job("--tune", "60s", *short))
        self.assertEqual(first["short run"], "ended with status 0")
        self.assertRegex(first["program"], "with the tables|by the library's default")
        self.assertNotIn("short run", self.outcomes(self.job("--tune", "1s", *short)))

    def test_calls_that_take_no_time_are_not_measured(self) -> None:
        self.job("--tune", "2%")
        account = self.job("--tune", "2%")
        self.assertIn("to measure any blocking call would take longer", self.outcomes(account)["sweep"])
        self.assertNotIn("calls took", account)  # nothing is counted for nothing
        another = self.program("400", "0")
        self.assertIn("calls took", self.job("--tune", "2%", command=another))
        self.assertNotIn("calls took", self.job("--tune", "2%", command=another))
        self.assertFalse(self.database.exists())

    def test_a_table_that_is_not_verified_yet_is_not_used(self) -> None:
        self.make_profile()
        self.job("--tune", "60s", *LONG)
        (self.kept / ".trusted.json").unlink()
        account = self.job("--tune", "0.001s", *LONG)
        self.assertIn("by the library's default", self.outcomes(account)["program"])

    def test_a_table_with_which_calls_took_longer_is_not_used_again(self) -> None:
        self.make_profile()
        self.job("--tune", "60s", *LONG)
        table = json.loads(self.table.read_text())
        for rule in table["rules"]:
            rule.update(algorithm="recursive_doubling", params="", speedup=2.0, speedup_low=1.9, speedup_high=2.1)
        for file in (self.table, self.kept / ".trusted.json"):
            file.write_text(json.dumps(table))
        made = (self.kept / "profile.json").read_text()
        self.change_profile(prompt_s=0.0, time_s=0.0)
        account = self.job("--tune", "2%")
        self.assertIn("with the tables", self.outcomes(account)["program"])
        self.assertRegex(account, r"the tables saved -[\d.e-]+ s by the program's own calls, .*the next jobs keep the default")
        self.assertIn("by the library's default", self.outcomes(self.job("--tune", "2%"))["program"])
        (self.kept / "profile.json").write_text(made)
        later = self.outcomes(self.job("--tune", "60s", *LONG))
        self.assertRegex(later["verification"], "^not again")
        self.assertIn("by the library's default", later["program"])

    def test_three_launches_verify_a_table_where_the_budget_ends(self) -> None:
        self.make_profile()
        self.job("--tune", "60s", *LONG)
        (self.kept / ".trusted.json").unlink()
        for trial in self.kept.glob("verify-*.db"):  # none where the table keeps the default
            with contextlib.closing(sqlite3.connect(trial)) as connection, connection:
                late = "SELECT id FROM measurement WHERE repeat > 2"
                connection.execute(f"DELETE FROM durations WHERE measurement_id IN ({late})")
                connection.execute("DELETE FROM measurement WHERE repeat > 2")
            trial.rename(self.kept / ".trial.db")
        account = self.outcomes(self.job("--tune", "0.6s", *LONG))
        self.assertRegex(account["verification"], "times as fast|keep the default")

    def test_the_account_says_why_the_program_was_not_served(self) -> None:
        unset = ["sh", "-c", f"unset LD_PRELOAD; exec ./program {STEPS} 0"]
        account = self.job("--tune", "2%", command=[f"mpiexec.{MACHINE}", "-n", "2", *unset])
        self.assertIn("by the library's default: no profile: no MPI program", self.outcomes(account)["program"])

    def test_the_program_runs_whatever_becomes_of_the_tuning(self) -> None:
        self.job("--tune", "2%")
        account = self.outcomes(self.job("--tune", "60s", *LONG, "--launcher-args=--nonsense"))
        self.assertNotIn("verification", account)
        self.assertIn("by the library's default", account["program"])
        self.job("--tune", "2%", command=self.program(STEPS, "3"), status=3)
        for file in (self.database, self.kept / "profile.json", self.table):
            with self.subTest(damaged=file.name):
                file.unlink(missing_ok=True)
                file.write_text("{")
                self.job("--tune", "60s", *LONG)

    def test_a_job_beside_another_one_neither_tunes_nor_uses_what_may_change(self) -> None:
        self.job("--tune", "2%")
        with (self.kept / ".lock").open("r+b") as file:
            whole = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
            fcntl.fcntl(file, 37, whole)  # F_OFD_SETLK
            account = self.outcomes(self.job("--tune", "60s", *LONG))
        self.assertIn("another job", account["tuning"])
        self.assertIn("by the library's default", account["program"])

    def test_a_signal_ends_the_job_or_the_tuning(self) -> None:
        self.job("--tune", "2%")
        for sent, status in ((signal.SIGTERM, -signal.SIGTERM), (signal.SIGUSR1, 0)):
            words = ["run", "--tables", "tables", "--tune", "60s", *LONG, "--", *self.command]
            with self.subTest(sent=sent), self.start(*words) as process:
                self.assertTrue(wait_until(lambda: workers_below(process.pid)), "it does not tune")
                process.send_signal(sent)
                output, errors = process.communicate(timeout=60)
                self.assertEqual(process.returncode, status, errors)
                self.assertEqual(output, "" if status else "sum 3\n")

    def test_wrong_options_are_refused(self) -> None:
        for wrong in (["--tune", "0%"], ["--tune", "much"], ["--tune", "2%", "--short-run", "x"], ["--machine", MACHINE]):
            with self.subTest(wrong=wrong):
                self.breakeven("run", "--tables", "tables", *wrong, "--", *self.command, status=2)

    def test_after_kills_the_next_job_goes_on(self) -> None:
        self.make_profile()
        seed = random.randrange(1 << 32)
        moments = random.Random(seed)
        stored: dict = {}
        for _ in range(KILLS):
            process = self.start("run", "--tables", "tables", "--tune", "60s", *LONG, "--", *self.command)
            time.sleep(moments.uniform(0.0, 3.0))
            workers = workers_below(process.pid)
            process.kill()
            self.assertIn(process.wait(), (0, -signal.SIGKILL))
            process.stdout.close()
            process.stderr.close()
            self.assertTrue(wait_until(lambda: not any(map(alive, workers))), "a worker lives on")
            now = self.measured()
            self.assertLessEqual(stored.items(), now.items(), f"lost, seed {seed}")
            stored = now
            if self.table.exists():
                self.breakeven("tables", "lint", str(self.kept))
        account = self.outcomes(self.job("--tune", "60s", *LONG))
        self.assertRegex(account["verification"], "times as fast|verified before|keep the default", f"seed {seed}")
        self.assertEqual(self.rows("PRAGMA integrity_check"), [("ok",)])


if __name__ == "__main__":
    unittest.main()
