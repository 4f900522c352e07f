# SPDX-License-Identifier: BSD-3-Clause
"""A batch system's warning, and a budget of time, end a sweep within seconds, and cleanly."""

import os
import signal
import time
import unittest

from support import LONGEST_RUN_S, MACHINE, ProgramTest, wait_until, workers_below

SWEEP = [
    "sweep", "--machine", MACHINE, "--db", "results.db", "--procs", "2", "--bytes", "8:2K",
    "--collectives", "allreduce", "--algorithms", "native,ring", "--launches", "2",
    "--target-ci", "1e-9", "--repetitions", "1000000", "--racing", "false",
]  # fmt: skip
SHORT = ["--case-budget-s", "0.2"]
LONG = ["--case-budget-s", "60", "--hang-timeout-s", "100"]
MEASUREMENTS = 2 * 9 * 2  # algorithms, sizes, launches
SECONDS = 8  # three for the problem under way, and what it takes to end a job
ENDED_EARLY = 4


class Interrupt(ProgramTest):
    def interrupt(self, number: signal.Signals) -> None:
        with self.start(*SWEEP, *SHORT) as process:
            self.assertTrue(wait_until(lambda: len(self.measured()) > 1), "nothing gets measured")
            workers = workers_below(process.pid)
            sent = time.monotonic()
            process.send_signal(number)
            output, errors = process.communicate(timeout=LONGEST_RUN_S)
        self.assertLess(time.monotonic() - sent, SECONDS)
        self.assertEqual(process.returncode, ENDED_EARLY, errors)
        self.assertIn(f"Stopped: interrupted by {number.name}. Run the same command to continue.", output)
        self.assertFalse(any(worker in workers_below(1) for worker in workers))
        self.check(f"interrupted by {number.name}")

    def check(self, outcome: str) -> None:
        """No case failed, and the launch says why it ended."""
        self.assertEqual(self.failures(), [])
        self.assertEqual(self.rows("SELECT outcome FROM launch ORDER BY id DESC LIMIT 1"), [(outcome,)])
        stored = self.measured()
        self.assertTrue(0 < len(stored) < MEASUREMENTS)
        status = self.breakeven("status", "--db", "results.db").stdout
        self.assertIn(f"{len(stored)} measured, 0 failed, {MEASUREMENTS - len(stored)} remaining", status)
        self.assertRegex(status, r"ETA \d+ (s|min)")

    def go_on(self) -> None:
        stored = self.measured()
        self.breakeven(*SWEEP, *SHORT)
        self.assertEqual(len(self.measured()), MEASUREMENTS)
        self.assertLessEqual(stored.items(), self.measured().items())

    def test_sigterm(self) -> None:
        self.interrupt(signal.SIGTERM)
        self.go_on()

    def test_sigusr1(self) -> None:
        self.interrupt(signal.SIGUSR1)

    def test_a_spent_budget(self) -> None:
        # Within the first launch, which takes 18 budgets of 0.2 s, and not about its end.
        run = self.breakeven(*SWEEP, *SHORT, "--budget", "3s", status=ENDED_EARLY)
        self.assertRegex(run.stdout, r"Stopped after \d s.*\. Run the same command to continue\.")
        self.check("budget of 3 s spent")
        self.go_on()

    def test_a_budget_is_kept_when_a_problem_takes_long(self) -> None:
        began = time.monotonic()
        self.breakeven(*SWEEP, *LONG, "--budget", "3s", status=ENDED_EARLY)
        self.assertLess(time.monotonic() - began, 3 + SECONDS)
        self.assertEqual(self.failures(), [])

    @unittest.skipUnless(MACHINE == "openmpi", "the time that is left is one library's matter as another's")
    def test_a_launch_that_leaves_out_a_problem_is_not_complete(self) -> None:
        """The budget is too short for the largest message, which comes before others."""
        sweep = ["8:32K,2G" if before == "--bytes" else word for before, word in zip(["", *SWEEP], SWEEP)]
        sweep[sweep.index("1000000")] = "1000"
        self.breakeven(*sweep, *LONG, "--budget", "10s", status=ENDED_EARLY)
        self.assertEqual(self.rows("SELECT outcome FROM launch"), [("budget of 10 s spent",)])
        self.assertTrue(0 < len(self.measured()) <= 2 * 13)

    def test_no_launch_begins_that_cannot_end_within_the_budget(self) -> None:
        """More processes than cores: both candidates would take their whole 60 s."""
        procs = str(len(os.sched_getaffinity(0)) + 1)
        sweep = [procs if before == "--procs" else word for before, word in zip(["", *SWEEP], SWEEP)]
        run = self.breakeven(*sweep, *LONG, "--budget", "20s", status=2)
        self.assertIn("The budget of 20 s is too short", run.stdout)
        self.assertEqual(self.rows("SELECT count(*) FROM launch"), [(0,)])

    def test_a_problem_that_takes_long_is_given_up(self) -> None:
        """Beyond the seconds that the running problem has left."""
        with self.start(*SWEEP, *LONG) as process:
            self.assertTrue(wait_until(lambda: len(workers_below(process.pid)) == 2), "no 2 ranks")
            time.sleep(1)
            sent = time.monotonic()
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=LONGEST_RUN_S)
        self.assertLess(time.monotonic() - sent, SECONDS)
        self.assertEqual(process.returncode, ENDED_EARLY)
        self.assertEqual(self.failures(), [])


if __name__ == "__main__":
    unittest.main()
