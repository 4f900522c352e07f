# SPDX-License-Identifier: BSD-3-Clause
"""A worker that hangs or crashes loses only the case it was in; the rest is measured.

The faults come from outside, as on a cluster: a rank is stopped or killed in the middle of its work.
"""

import os
import signal
import time
import unittest

from support import LONGEST_RUN_S, MACHINE, ProgramTest, wait_until, workers_below

SWEEP = [
    "sweep", "--machine", MACHINE, "--db", "results.db", "--procs", "2", "--bytes", "256K:2M",
    "--collectives", "allreduce", "--launches", "2", "--repetitions", "20000",
    "--case-budget-s", "0.4", "--case-timeout-s", "10",
    "--algorithms", "native,halving_doubling,recursive_doubling,reduce_bcast,ring",
]  # fmt: skip
MEASUREMENTS = 5 * 4 * 2  # algorithms, sizes, launches


class Fault(ProgramTest):
    def sweep_with(self, fault: signal.Signals) -> str:
        """Sends the signal to one rank once the sweep is under way; returns what was printed."""
        with self.start(*SWEEP) as process:
            self.assertTrue(wait_until(lambda: len(self.measured()) > 0), "nothing gets measured")
            self.assertTrue(wait_until(lambda: len(workers_below(process.pid)) == 2), "no 2 ranks")
            # The first problem is stored; well into the second one, which takes two seconds: in
            # between no case is running, and a crash would cost none.
            time.sleep(0.5)
            os.kill(workers_below(process.pid)[-1], fault)
            output, errors = process.communicate(timeout=LONGEST_RUN_S)
        self.assertEqual(process.returncode, 1, errors)
        return output

    def check(self, output: str, reason: str) -> None:
        [(collective, algorithm, size, repeat, words)] = self.failures()
        self.assertRegex(words, reason)
        self.assertEqual(len(self.measured()), MEASUREMENTS - 1)
        self.assertIn("1 failed", output)
        status = self.breakeven("status", "--db", "results.db").stdout
        self.assertIn(f"{MEASUREMENTS - 1} measured, 1 failed, 0 remaining", status)
        self.assertIn(words, status)

        untouched = self.measured()
        again = self.breakeven(*SWEEP, status=1)  # what failed is not tried again by itself
        self.assertIn("1 failed before", again.stdout)
        self.assertEqual(self.measured(), untouched)
        self.breakeven(*SWEEP, "--retry-failed")
        self.assertEqual(self.failures(), [])
        self.assertLessEqual(untouched.items(), self.measured().items())
        self.assertEqual(len(self.measured()), MEASUREMENTS)

    def test_a_hung_rank_loses_only_its_case(self) -> None:
        self.check(self.sweep_with(signal.SIGSTOP), "^hung: no word for 10 s")

    def test_a_crashed_rank_loses_only_its_case(self) -> None:
        self.check(self.sweep_with(signal.SIGKILL), "^crashed: ")


if __name__ == "__main__":
    unittest.main()
