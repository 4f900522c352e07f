# SPDX-License-Identifier: BSD-3-Clause
"""A worker that hangs or crashes, that has too little memory, that returns wrong data, or whose node
vanishes, loses only the case it was in; the rest is measured.

The faults come from outside, as on a cluster: a rank is stopped or killed in the middle of its work.
"""

import os
import pathlib
import resource
import shutil
import signal
import time
import unittest

from support import (
    BREAKEVEN,
    LONGEST_RUN_S,
    MACHINE,
    ProgramTest,
    children,
    descendants,
    wait_until,
    workers_below,
)

SWEEP = [
    "sweep", "--machine", MACHINE, "--db", "results.db", "--procs", "2", "--bytes", "256K,2M",
    "--collectives", "allreduce", "--launches", "2", "--repetitions", "20000",
    "--case-budget-s", "0.4", "--hang-timeout-s", "10", "--target-ci", "1e-9", "--racing", "false",
    "--algorithms", "native,halving_doubling,ring",
]  # fmt: skip
MEASUREMENTS = 3 * 2 * 2  # algorithms, sizes, launches


def one_rank(sweep: int) -> list[int]:
    return workers_below(sweep)[-1:]


def everything_but_the_launcher(sweep: int) -> list[int]:
    """The ranks, and what the launcher started to start them."""
    return sorted(set(descendants(sweep)) - set(children(sweep)))


class Fault(ProgramTest):
    def sweep_with(self, fault: signal.Signals, victims=one_rank) -> str:
        """Sends the signal to a rank once the sweep is under way; returns what was printed."""
        with self.start(*SWEEP) as process:
            self.assertTrue(wait_until(lambda: len(self.measured()) > 0), "nothing gets measured")
            self.assertTrue(wait_until(lambda: len(workers_below(process.pid)) == 2), "no 2 ranks")
            # The first problem is stored; well into the second one, which takes more than one: in
            # between no case is running, and a crash would cost none.
            time.sleep(0.5)
            for victim in victims(process.pid):
                os.kill(victim, fault)
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
        self.check(self.sweep_with(signal.SIGSTOP), "^hung: no word for 1.* s during its ")

    def test_a_crashed_rank_loses_only_its_case(self) -> None:
        self.check(self.sweep_with(signal.SIGKILL), "^crashed: ")

    def test_a_vanished_node_loses_only_the_case_that_it_was_in(self) -> None:
        """The launcher outlives a node whose processes are all gone at once."""
        self.check(self.sweep_with(signal.SIGKILL, everything_but_the_launcher), "^(crashed|hung): ")

    @unittest.skipIf(b"__asan_init" in pathlib.Path(BREAKEVEN).read_bytes(), "wants address space")
    def test_a_case_that_needs_more_memory_than_there_is_fails_alone(self) -> None:
        limit = 2 << 30  # of address space, for the worker as for us
        run = self.breakeven(
            "sweep", "--machine", MACHINE, "--db", "results.db", "--procs", "2", "--collectives",
            "allreduce", "--algorithms", "native", "--bytes", "8,4G", "--launches", "1",
            status=1, limits={resource.RLIMIT_AS: limit},
        )  # fmt: skip
        [(collective, algorithm, size, _, words)] = self.failures()
        self.assertEqual((algorithm, size), ("native", 4 << 30))
        self.assertRegex(words, "not enough memory|crashed")
        self.assertEqual(len(self.measured()), 1, run.stderr)

    def test_wrong_data_fails_alone_and_is_named(self) -> None:
        """On a library whose scatter is always wrong, and allgather from the fifth call on."""
        programs = self.folder / "bin"
        programs.mkdir()
        real = pathlib.Path(BREAKEVEN).resolve()
        shutil.copy(real, programs / "breakeven")
        shutil.copy(real.parent / "libbreakeven_yield.so", programs)
        shutil.copy(os.environ["BREAKEVEN_FAULTY_WORKER"], programs / f"breakeven-worker-{MACHINE}")
        run = self.breakeven(
            "sweep", "--machine", MACHINE, "--db", "results.db", "--procs", "2", "--collectives",
            "allgather,bcast,scatter", "--algorithms", "native", "--bytes", "64", "--launches", "1",
            status=1, program=programs / "breakeven",
        )  # fmt: skip
        failed = {collective: words for collective, *_, words in self.failures()}
        self.assertEqual(failed.keys(), {"allgather", "scatter"}, run.stderr)
        self.assertRegex(failed["scatter"], "^wrong data at rank")
        self.assertRegex(failed["allgather"], "^after its last sample, wrong data at rank")
        self.assertEqual([case[0] for case, _ in self.measured()], ["bcast"])


if __name__ == "__main__":
    unittest.main()
