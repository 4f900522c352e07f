# SPDX-License-Identifier: BSD-3-Clause
"""Killed with SIGKILL at any moment, a sweep has lost no finished case, and the same command goes on."""

import random
import signal
import time
import unittest

from support import MACHINE, ONCE, ProgramTest, alive, wait_until, workers_below

# The database is the same with every library; how the ranks end is not.
KILLS = 14 if MACHINE == "openmpi" else 6
CASES = [
    "sweep", "--machine", MACHINE, "--procs", "2,3", "--bytes", "8:16K", "--collectives",
    "allreduce,allgather", "--algorithms", "native,circulant,ring", "--launches", "3",
]  # fmt: skip
SWEEP = [
    *CASES, "--repetitions", "100", "--case-budget-s", "0.05", "--target-ci", "1e-9",
    "--racing", "false",
]  # fmt: skip


class Kill(ProgramTest):
    def test_nothing_stored_is_lost_or_measured_again(self) -> None:
        seed = random.randrange(1 << 32)
        moments = random.Random(seed)
        stored: dict = {}
        killed = 0
        for _ in range(KILLS):
            process = self.start(*SWEEP, "--db", "results.db")
            time.sleep(moments.uniform(0.0, 1.2))
            workers = workers_below(process.pid)
            process.kill()
            killed += process.wait() == -signal.SIGKILL
            process.stdout.close()
            process.stderr.close()
            self.assertTrue(wait_until(lambda: not any(map(alive, workers))), "a worker lives on")
            now = self.measured()
            self.assert_holds(now, stored, seed)
            stored = now
        self.assertEqual(killed, KILLS, "the sweep is too short to be killed in")

        self.breakeven(*SWEEP, "--db", "results.db")
        final = self.measured()
        self.assert_holds(final, stored, seed)
        self.assertEqual(self.rows("PRAGMA integrity_check"), [("ok",)])
        self.assertEqual(self.failures(), [])

        self.database = self.folder / "undisturbed.db"
        self.breakeven(*CASES, *ONCE, "--db", "undisturbed.db")
        self.assertTrue(final.keys() == self.measured().keys(), f"seed {seed}")

    def assert_holds(self, now: dict, stored: dict, seed: int) -> None:
        lost = [key for key, row in stored.items() if now.get(key) != row]
        self.assertEqual(lost[:3], [], f"{len(lost)} of {len(stored)} lost or changed, seed {seed}")


if __name__ == "__main__":
    unittest.main()
