# SPDX-License-Identifier: BSD-3-Clause
"""A refined table on a noisy model machine, of which the truth is known: near the best everywhere.

Thirty candidates of each collective are measured at five sizes, far apart, and then where the sweep
finds that choices change. The header that comes of it is compiled and asked at a thousand sizes, and
its answers are set beside the same model without noise.
"""

import math
import subprocess
import unittest

from support import MODEL, ProgramTest

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
SIZES_ASKED = "8,256,8K,256K,8M"
NEAR_ENOUGH = 1.10


def settings(machine: str) -> list[str]:
    words = [f"{name}/{each}" for name, all_of in CANDIDATES.items() for each in all_of]
    return [
        *("--machine", machine, "--collectives", ",".join(CANDIDATES), "--procs", str(PROCS)),
        *("--datatype", "int", "--guideline-sizes", "false", "--algorithms", ",".join(words)),
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
      const Choice choice = choose(collective, PROCS, bytes);
      std::printf("%s %llu %.*s:%.*s\\n", collective == Collective::reduce ? "reduce" : "allreduce",
                  bytes, int(name(choice.algorithm).size()), name(choice.algorithm).data(),
                  int(choice.params.size()), choice.params.data());
    }
  }
}
"""

Seconds = dict[tuple[str, int], dict[str, float]]  # by collective and size, then candidate


class Refine(ProgramTest):
    def seconds(self) -> Seconds:
        """The medians in the database over all launches, in the order of the row ids."""
        found: Seconds = {}
        for (case, _), (_, median) in self.measured().items():
            found.setdefault((case[0], int(case[5])), {})[f"{case[1]}:{case[2]}"] = median
        return found

    def truth(self) -> Seconds:
        """What the model says of every candidate at the dense sizes, without noise."""
        self.database = self.folder / "truth.db"
        sizes = ",".join(map(str, dense_sizes()))
        self.breakeven(
            "sweep", *settings(MODEL), "--bytes", sizes, "--launches", "1", "--repetitions", "1",
            "--least-repetitions", "1", "--db", "truth.db",
        )  # fmt: skip
        truth = self.seconds()
        self.database = self.folder / "results.db"
        return truth

    def answers(self) -> dict[tuple[str, int], str]:
        """What the emitted header answers at the dense sizes."""
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

    def regrets(self, truth: Seconds) -> dict[tuple[str, int], float]:
        answers = self.answers()
        self.assertEqual(answers.keys(), truth.keys())
        return {
            cell: seconds[answers[cell]] / min(seconds.values()) - 1
            for cell, seconds in truth.items()
        }

    def test_regret(self):
        truth = self.truth()
        for refine in ["false", "true"]:
            self.breakeven("sweep", *settings(MODEL + NOISE), "--bytes", SIZES_ASKED, "--db", "results.db", "--refine", refine)
            r = self.regrets(truth)
            for c in CANDIDATES:
                x = [v for k, v in r.items() if k[0] == c]
                w = max((v, k) for k, v in r.items() if k[0] == c)
                print(refine, c, len(x), 100 * sum(x) / len(x), w, len([k for k in self.seconds() if k[0]==c]))
            print(self.breakeven("tune", "--db", "results.db").stdout.split("Between")[0])


if __name__ == "__main__":
    unittest.main()
