# SPDX-License-Identifier: BSD-3-Clause
"""On a model machine the truth is known: the table has to have it.

The formulas are written here once more, from Rabenseifner 2004, sections 2.3 to 2.7, so that
neither the schedules nor the simulator can vouch for themselves.
"""

import json
import math
import statistics
import subprocess
import unittest

from support import MODEL, ProgramTest

ALPHA, BETA, GAMMA = 1e-6, 1e-9, 1e-10
PROCS = [2, 4, 8, 16, 32]
# Those that the formulas below are of, and one or two of each other collective of the guidelines.
ALGORITHMS = [
    *("allreduce/recursive_doubling", "allreduce/halving_doubling", "allreduce/ring"),
    *("reduce/binomial", "scatter/binomial", "allgather/ring", "allgather/recursive_doubling"),
    *("reduce_scatter_block/circulant", "reduce_scatter_block/pairwise"),
]
SWEEP = [
    *("sweep", "--machine", MODEL, "--db", "results.db", "--bytes", "8:1M", "--launches", "3"),
    *("--procs", ",".join(map(str, PROCS)), "--algorithms", ",".join(ALGORITHMS)),
]


def recursive_doubling(p: int, m: float) -> float:
    return math.log2(p) * (ALPHA + m * BETA + m * GAMMA)


def halving_doubling(p: int, m: float) -> float:
    return 2 * math.log2(p) * ALPHA + (1 - 1 / p) * m * (2 * BETA + GAMMA)


def break_even_bytes(p: int) -> int:
    """From this size on halving_doubling is faster: a whole double."""
    q = math.log2(p)
    saved_per_byte = q * (BETA + GAMMA) - (1 - 1 / p) * (2 * BETA + GAMMA)
    return math.ceil(q * ALPHA / saved_per_byte / 8 - 1e-6) * 8


PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include "breakeven_table.hpp"
int main() {
  using namespace breakeven_table;
  for (int p : {2, 4, 8, 16, 32}) {
    for (std::uint64_t bytes = 8; bytes <= 1u << 20; bytes += 8) {
      const auto choice = choose(Collective::allreduce, p, 1, bytes);
      std::printf("%d %llu %s\\n", p, static_cast<unsigned long long>(bytes),
                  std::string(name(choice.algorithm)).c_str());
    }
  }
}
"""


class KnownTruth(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        self.breakeven(*SWEEP)

    def answers(self, *flags: str) -> dict[int, list[tuple[int, str]]]:
        """The answers of the emitted header, by p: (size, algorithm) where the algorithm changes."""
        self.tuned = self.breakeven("tune", "--db", "results.db", "--out", "tables", *flags).stdout
        (self.folder / "ask.cpp").write_text("#include <string>\n" + PROGRAM)
        subprocess.run(
            ["g++", "-std=c++17", "-O1", "-I", "tables", "ask.cpp", "-o", "ask"],
            cwd=self.folder, check=True, timeout=120,
        )
        output = subprocess.run(
            ["./ask"], cwd=self.folder, check=True, timeout=60, capture_output=True, text=True
        ).stdout
        changes: dict[int, list[tuple[int, str]]] = {p: [] for p in PROCS}
        for line in output.splitlines():
            p, size, algorithm = line.split()
            found = changes[int(p)]
            if not found or found[-1][1] != algorithm:
                found.append((int(size), algorithm))
        return changes

    def test_the_table_changes_where_the_formulas_cross(self) -> None:
        answers = self.answers()
        for p in PROCS[1:]:
            with self.subTest(p=p):
                self.assertEqual(
                    answers[p],
                    [(8, "recursive_doubling"), (break_even_bytes(p), "halving_doubling")],
                )

    def test_a_reproducible_table_has_one_algorithm_and_says_what_it_costs(self) -> None:
        """A ring is not among them: each of its blocks is reduced in another order."""
        slowdowns: dict[str, list[float]] = {"recursive_doubling": [], "halving_doubling": []}
        for p in PROCS:
            for size in [2**k for k in range(3, 21)]:
                times = [recursive_doubling(p, size), halving_doubling(p, size)]
                for name, time in zip(slowdowns, times):
                    slowdowns[name].append(math.log(time / min(times)))
        best = min(slowdowns, key=lambda name: sum(slowdowns[name]))
        for p, found in self.answers("--reproducible").items():
            self.assertEqual([algorithm for _, algorithm in found], [best], f"p = {p}")
        [line] = [line for line in self.tuned.splitlines() if f"Breakeven's: allreduce {best}: " in line]
        stated = float(line.split("slowdown ")[1].split()[0])
        self.assertAlmostEqual(math.log(stated), statistics.mean(slowdowns[best]), delta=0.1)
        self.assertIn(f"same bits  allreduce {best}: ", (self.folder / "tables/breakeven_table.hpp").read_text())

    def test_what_was_stored_is_what_the_formulas_give(self) -> None:
        formulas = {"recursive_doubling": recursive_doubling, "halving_doubling": halving_doubling}
        compared = 0
        for (case, _), (_, median) in self.measured().items():
            if case[0] == "allreduce" and case[1] in formulas:
                p, size = int(case[3]), int(case[5])
                if size % (8 * p) == 0:  # else blocks differ in size, which the formulas leave out
                    self.assertAlmostEqual(median / formulas[case[1]](p, size), 1, places=9)
                    compared += 1
        self.assertGreater(compared, 300)

    def test_nothing_remains_and_nothing_is_measured_again(self) -> None:
        before = self.measured()
        self.assertIn("0 failed, 0 remaining", self.breakeven("status", "--db", "results.db").stdout)
        again = self.breakeven(*SWEEP)
        self.assertIn("0 measured, 0 failed", again.stdout)
        self.assertEqual(self.measured(), before)

    def test_the_map_is_drawn(self) -> None:
        self.breakeven("plot", "fastest", "--db", "results.db", "--out", "map.svg")
        self.assertIn("halving", (self.folder / "map.svg").read_text())


if __name__ == "__main__":
    unittest.main()
