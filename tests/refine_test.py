# SPDX-License-Identifier: BSD-3-Clause
"""A refined table on a noisy model machine, of which the truth is known: near the best everywhere.

Thirty candidates of each collective are measured at the least and the greatest size, and then where
the sweep finds that choices change. The header that comes of it is compiled and asked at a thousand
sizes, and its answers are set beside the same model without noise.
"""

import itertools
import re
import subprocess
import unittest

from support import MODEL, ProgramTest, wait_until

NOISE = ",noise=0.05,spike_rate=0.01,spike_factor=5,launch_noise=0.02"
PROCS = 24
SEGMENTS = [2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96]
STAGES = """
    a2,a2,a2,a3 a2,a2,a3,a2 a2,a2,a6 a2,a3,a2,a2 a2,a3,a4 a2,a4,a3 a2,a6,a2 a2,a12 a3,a2,a2,a2
    a3,a2,a4 a3,a4,a2 a3,a8 a4,a2,a3 a4,a3,a2 a4,a6 a6,a2,a2
""".split()
CANDIDATES = {
    "allreduce": [
        *("binary_blocks", "circulant", "circulant_combined", "elimination_21", "elimination_32"),
        *("halving_doubling", "hierarchical", "hierarchical:allreduce=circulant", "pairwise_ring"),
        *("recursive_doubling", "reduce_bcast", "ring", "ring:segments=2", "ring:segments=4"),
        *(f"recursive_multiplying:stages={stages}" for stages in STAGES),
    ],
    "reduce": [
        *("binary_blocks", "halving_doubling", "pairwise_direct", "binomial", "circulant"),
        *(f"binomial:segments={count}" for count in [*SEGMENTS, 128]),
        *(f"circulant:segments={count}" for count in SEGMENTS),
    ],
}
SMALLEST, LARGEST, ELEMENT = 8, 8 << 20, 4
ENDS = f"{SMALLEST},{LARGEST}"
MOST_MEAN_REGRET, MOST_REGRET, MOST_MEASURED = 0.02, 0.10, 1 / 20
DONE = "more measurements would not change a choice by 0.01 %."
TO_COME = "refinement comes on top: which sizes, and how many, depends on the results"


def settings(machine: str) -> list[str]:
    words = [f"{name}/{each}" for name, all_of in CANDIDATES.items() for each in all_of]
    return [
        *("--machine", machine, "--collectives", ",".join(CANDIDATES), "--procs", str(PROCS)),
        *("--datatype", "int", "--algorithms", ",".join(words)),
    ]


def dense_sizes(steps: int = 1350) -> list[int]:
    """Whole elements, evenly spaced as ratios go."""
    ratio = LARGEST / SMALLEST
    return sorted(
        {round(SMALLEST * ratio ** (i / (steps - 1)) / ELEMENT) * ELEMENT for i in range(steps)}
    )


PROGRAM = """
#include <cstdio>
#include "breakeven_table.hpp"
int main() {
  using namespace breakeven_table;
  unsigned long long bytes = 0;
  while (std::scanf("%llu", &bytes) == 1) {
    for (const Collective collective : {Collective::allreduce, Collective::reduce}) {
      const Choice choice = choose(collective, PROCS, 1, bytes);
      std::printf("%s %llu %.*s:%.*s\\n", collective == Collective::reduce ? "reduce" : "allreduce",
                  bytes, int(name(choice.algorithm).size()), name(choice.algorithm).data(),
                  int(choice.params.size()), choice.params.data());
    }
  }
}
"""

Cell = tuple[str, int]  # a collective and a size
Seconds = dict[Cell, dict[str, float]]  # by candidate


class Refine(ProgramTest):
    def sweep(self, *arguments: str, **how) -> subprocess.CompletedProcess[str]:
        return self.breakeven(*self.command(*arguments), **how)

    def command(self, *arguments: str, sizes: str = ENDS) -> list[str]:
        noisy = settings(MODEL + NOISE)
        return ["sweep", *noisy, "--bytes", sizes, "--db", "results.db", *arguments]

    def medians(self) -> dict[Cell, dict[str, list[float]]]:
        """Of every candidate in every launch of the database."""
        found: dict[Cell, dict[str, list[float]]] = {}
        for (case, _), (_, median) in self.measured().items():
            of_cell = found.setdefault((case[0], int(case[5])), {})
            of_cell.setdefault(f"{case[1]}:{case[2]}", []).append(median)
        return found

    def truth(self) -> Seconds:
        """The model's time of every candidate at the dense sizes, without noise."""
        self.database = self.folder / "truth.db"
        sizes = ",".join(map(str, dense_sizes()))
        self.breakeven(
            "sweep", *settings(MODEL), "--bytes", sizes, "--launches", "1", "--repetitions", "1",
            "--min-repetitions", "1", "--db", "truth.db",
        )  # fmt: skip
        truth = {
            cell: {name: times[0] for name, times in of_cell.items()}
            for cell, of_cell in self.medians().items()
        }
        self.database = self.folder / "results.db"
        return truth

    def answers(self) -> dict[Cell, str]:
        """The answers of the emitted header at the dense sizes."""
        self.breakeven("tune", "--db", "results.db", "--out", "tables", "--format", "cpp_header")
        (self.folder / "ask.cpp").write_text(PROGRAM)
        subprocess.run(
            ["g++", "-std=c++17", "-O1", f"-DPROCS={PROCS}", "-I", "tables", "ask.cpp", "-o", "ask"],
            cwd=self.folder, check=True, timeout=120,
        )  # fmt: skip
        output = subprocess.run(
            ["./ask"], cwd=self.folder, check=True, timeout=60, capture_output=True, text=True,
            input="\n".join(map(str, dense_sizes())),
        ).stdout  # fmt: skip
        lines = (line.split() for line in output.splitlines())
        return {(collective, int(size)): answer for collective, size, answer in lines}

    def changes(self, collective: str) -> list[int]:
        """The sizes from which on the emitted header has another rule."""
        header = (self.folder / "tables/breakeven_table.hpp").read_text()
        rules = re.findall(rf"{{Collective::{collective}, Mapping::seq, {PROCS}, (\d+),", header)
        return sorted(map(int, rules))[1:]

    def check_regret(self, title: str) -> dict[Cell, str]:
        """The header's answers, each within the bounds of the fastest candidate in truth."""
        truth = self.truth()
        answers = self.answers()
        self.assertEqual(answers.keys(), truth.keys())
        for collective in CANDIDATES:
            regrets = {
                size: seconds[answers[of, size]] / min(seconds.values()) - 1
                for (of, size), seconds in truth.items()
                if of == collective
            }
            mean = sum(regrets.values()) / len(regrets)
            worst = max(regrets, key=regrets.__getitem__)
            print(
                f"{title}: {collective}, {len(regrets)} sizes: regret {100 * mean:.2f} % on average, "
                f"{100 * regrets[worst]:.1f} % at worst ({worst} B)"
            )
            self.assertGreaterEqual(len(regrets), 1000)
            self.assertLess(mean, MOST_MEAN_REGRET)
            self.assertLess(regrets[worst], MOST_REGRET)
        return answers

    def test_the_header_is_near_the_best_at_a_twentieth_of_the_measurements(self) -> None:
        for collective, candidates in CANDIDATES.items():
            self.assertEqual(len(set(candidates)), 30, collective)
        run = self.sweep("--refine")
        self.assertIn(DONE, run.stdout)
        answers = self.check_regret("refined")
        measured = self.medians()
        dense = dense_sizes()
        for collective, candidates in CANDIDATES.items():
            sizes = sorted(size for of, size in measured if of == collective)
            cells = sum(len(of_cell) for (of, _), of_cell in measured.items() if of == collective)
            print(
                f"measured: {collective}, {len(sizes)} of {len(dense)} sizes, {cells} of "
                f"{len(dense) * len(candidates)} pairs of a size and a candidate"
            )
            self.assertLessEqual(len(sizes), MOST_MEASURED * len(dense))
            self.assertLessEqual(cells, MOST_MEASURED * len(dense) * len(candidates))
            self.assertGreaterEqual(len(self.changes(collective)), 1)
        # It wins between the ends and is no winner at either: lines through both ends find it.
        self.assertIn("binary_blocks:", {answers["allreduce", size] for size in dense})

    def test_straight_lines_between_sizes_far_apart_come_near_as_well(self) -> None:
        """Without refinement it is break_even() alone that keeps the header near the best."""
        self.breakeven(*self.command(sizes="8,512,64K,8M"))
        self.check_regret("not refined")

    def test_a_sweep_that_is_killed_anywhere_comes_to_the_same_end(self) -> None:
        self.sweep("--refine")
        whole = {key: median for key, (_, median) in self.measured().items()}
        self.database.unlink()
        kills = 0
        for sizes in itertools.count(1):  # killed once it has measured so many, or later
            with self.start(*self.command("--refine")) as process:
                reached = lambda: process.poll() is not None or len(self.medians()) >= sizes
                self.assertTrue(wait_until(reached, 60))
                finished = process.poll() is not None
                process.kill()
            if finished:
                break
            kills += 1
            if 0 < len(self.measured()) < len(whole):
                status = self.breakeven("status", "--db", "results.db").stdout
                self.assertIn(TO_COME, status)
        self.assertGreater(kills, 0)
        self.assertEqual({key: median for key, (_, median) in self.measured().items()}, whole)

    def test_status_tells_that_there_is_more_until_there_is_not(self) -> None:
        ended_early = self.sweep("--refine", "--budget", "0.000001s", status=4)
        self.assertIn("Stopped after 0 s. Run the same command to continue.", ended_early.stdout)
        status = self.breakeven("status", "--db", "results.db").stdout
        self.assertIn(TO_COME, status)
        self.assertNotIn(" 0 remaining", status)
        self.sweep()  # as asked, without refinement
        status = self.breakeven("status", "--db", "results.db").stdout
        self.assertIn(TO_COME, status)
        self.assertNotIn(" 0 remaining", status)  # the first sizes between are known by now
        self.sweep("--refine")
        status = self.breakeven("status", "--db", "results.db").stdout
        self.assertNotIn(TO_COME, status)
        self.assertIn(" 0 remaining", status)
        again = self.sweep("--refine")
        self.assertIn(": 0 measured, 0 failed", again.stdout)
        self.assertIn(DONE, again.stdout)

    def test_a_sweep_file_can_ask_for_it(self) -> None:
        lines = ["refine = true", f'machine = "{MODEL}"', 'bytes = "8,1M"', "launches = 3"]
        lines += ['collectives = "allreduce"', 'algorithms = ["recursive_doubling", "ring"]']
        (self.folder / "sweep.toml").write_text("\n".join([*lines, "procs = 8"]))
        self.breakeven("sweep", "sweep.toml", "--db", "results.db")
        sizes = sorted({size for _, size in self.medians()})
        self.assertGreater(len(sizes), 5)
        ratios = [above / below for below, above in itertools.pairwise(sizes)]
        self.assertLessEqual(min(ratios), 1.2)


if __name__ == "__main__":
    unittest.main()
