#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints results of bench_reduce_local_<mpi> as the tables of docs/results/performance.md.

usage: ratios.py RESULT.json, of --benchmark_out=RESULT.json and --benchmark_repetitions

A table for each use, a column for each reduction. A cell has the median time of Breakeven's kernel,
and the times of the library and of the plain memory loop, divided by it.
"""
from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path

from common import size_text, time_text

def main() -> int:
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_file():
        print("usage: ratios.py RESULT.json, of --benchmark_out=RESULT.json", file=sys.stderr)
        return 2
    runs = json.loads(Path(sys.argv[1]).read_text())["benchmarks"]
    medians = {}  # in ns, by reduction, use, implementation and size
    variations = []
    for run in runs:
        reduction, use, by, size = run["run_name"].split("/")
        if run.get("aggregate_name") == "median":
            medians[reduction, use, by, int(size)] = run["real_time"]
        elif run.get("aggregate_name") == "cv":
            variations.append(100 * run["real_time"])

    def cell(reduction: str, use: str, size: int) -> str:
        ours = medians.get((reduction, use, "ours", size))
        if ours is None:
            return ""
        library, memory = (medians[reduction, use, by, size] / ours for by in ("library", "memory"))
        return f"{time_text(ours)}, {library:.2f}, {memory:.2f}"

    reductions, uses, _, sizes = (sorted(set(part)) for part in zip(*medians))
    for use in uses:
        print(f"\n| {use} | {' | '.join(reductions)} |\n|---|{'---|' * len(reductions)}")
        for size in sizes:
            print("|", " | ".join([size_text(size), *(cell(each, use, size) for each in reductions)]), "|")
    half, *_, most = statistics.quantiles(variations, n=10)[4:]
    print(f"\nCoefficient of variation: median {half:.0f} %, 90th percentile {most:.0f} %.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
