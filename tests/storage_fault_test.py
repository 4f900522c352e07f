# SPDX-License-Identifier: BSD-3-Clause
"""A full disk, a locked database and a second sweep are reported in one line; nothing stored is lost."""

import contextlib
import resource
import sqlite3
import time
import unittest

from support import MACHINE, MODEL, ProgramTest, wait_until

SWEEP = [
    "sweep", "--machine", MACHINE, "--db", "results.db", "--procs", "2", "--bytes", "8:1K",
    "--collectives", "allreduce", "--algorithms", "native,ring", "--launches", "2",
    "--target-ci", "1e-9", "--repetitions", "1000000", "--case-budget-s", "0.1",
    "--racing", "false",
]  # fmt: skip
MODEL_SWEEP = [
    "sweep", "--machine", MODEL + ",noise=0.1", "--db", "results.db", "--procs", "2:6",
    "--bytes", "8:1M", "--collectives", "allreduce,bcast", "--launches", "2", "--racing", "false",
]  # fmt: skip


class StorageFault(ProgramTest):
    def assert_goes_on(self, *sweep: str) -> None:
        """The file is whole, and the same command keeps what is stored and adds the rest."""
        stored = self.measured()
        self.assertEqual(self.rows("PRAGMA integrity_check"), [("ok",)])
        self.breakeven(*sweep)
        self.assertLessEqual(stored.items(), self.measured().items())
        self.assertIn(" 0 remaining", self.breakeven("status", "--db", "results.db").stdout)

    def test_a_full_disk(self) -> None:
        """As far as a process can see: a limit on the size of files, with which writing fails alike.

        On a model, since MPI libraries need files too.
        """
        limits = {resource.RLIMIT_FSIZE: 1 << 20}
        run = self.breakeven(*MODEL_SWEEP, status=3, limits=limits)
        [line] = [line for line in run.stderr.splitlines() if line.startswith("breakeven: ")]
        self.assertRegex(line, "'results.db': .*(full|disk I/O error)")
        self.assertGreater(len(self.measured()), 0)
        self.assert_goes_on(*MODEL_SWEEP)

    def test_a_database_that_another_program_has_locked(self) -> None:
        with self.start(*SWEEP) as process:
            self.assertTrue(wait_until(lambda: len(self.measured()) > 0))
            with contextlib.closing(sqlite3.connect(self.database, timeout=20)) as other:
                other.execute("BEGIN EXCLUSIVE")
                time.sleep(2)  # the sweep waits, as it does for much longer
                self.assertIsNone(process.poll())
            _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, errors)
        self.assert_goes_on(*SWEEP)

    def test_a_second_sweep_is_refused_and_the_first_one_unharmed(self) -> None:
        with self.start(*SWEEP) as first:
            self.assertTrue(wait_until(lambda: len(self.measured()) > 0))
            second = self.breakeven(*SWEEP, status=2)
            self.assertIsNone(first.poll(), "the first sweep is too short for this test")
            self.assertRegex(second.stderr, "^breakeven: another sweep is filling 'results.db'")
            self.assertEqual(len(second.stderr.splitlines()), 1)
            _, errors = first.communicate(timeout=120)
        self.assertEqual(first.returncode, 0, errors)
        self.assert_goes_on(*SWEEP)


if __name__ == "__main__":
    unittest.main()
