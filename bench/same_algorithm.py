#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares our algorithms with the same ones of an MPI library, which is made to run them.

usage: same_algorithm.py mpich|openmpi BREAKEVEN DATABASE [SWEEP_OPTION...]

BREAKEVEN measures the cases that DATABASE lacks. Printed is our time over the library's, below 1 where
ours is faster: for each size the median and the range of the launches' ratios, for each collective the
geometric mean and the largest of these medians.
"""
from __future__ import annotations

import os
import sqlite3
import statistics
import subprocess
import sys
from contextlib import closing

from common import size_text, time_text

# By collective, then by p and message size, then by algorithm: the seconds in each launch.
Times = dict[str, dict[tuple[int, int], dict[str, dict[int, float]]]]

# By library and collective: our name and the library's, of those that all versions have.
PAIRS = {
    "mpich": {
        "allgather": {"bruck": "brucks", "recursive_doubling": "recursive_doubling", "ring": "ring"},
        "allgatherv": {"bruck": "brucks", "recursive_doubling": "recursive_doubling", "ring": "ring"},
        "allreduce": {
            "recursive_doubling": "recursive_doubling",
            "halving_doubling": "reduce_scatter_allgather",
        },
        "alltoall": {"bruck": "brucks", "linear": "scattered"},
        "bcast": {
            "binomial": "binomial",
            "scatter_recursive_doubling": "scatter_recursive_doubling_allgather",
            "scatter_ring": "scatter_ring_allgather",
        },
        "exscan": {"recursive_doubling": "recursive_doubling"},
        "gather": {"binomial": "binomial"},
        "gatherv": {"linear": "linear"},
        "reduce": {"binomial": "binomial", "halving_doubling": "reduce_scatter_gather"},
        "reduce_scatter": {"pairwise": "pairwise", "recursive_halving": "recursive_halving"},
        "reduce_scatter_block": {"pairwise": "pairwise", "recursive_halving": "recursive_halving"},
        "scan": {"recursive_doubling": "recursive_doubling"},
        "scatter": {"binomial": "binomial"},
        "scatterv": {"linear": "linear"},
    },
    "openmpi": {
        "allgather": {
            "neighbor_exchange": "neighbor",
            "recursive_doubling": "recursive_doubling",
            "ring": "ring",
        },
        "allreduce": {
            "recursive_doubling": "recursive_doubling",
            "ring": "ring",
            "halving_doubling": "rabenseifner",
        },
        "alltoall": {"bruck": "modified_bruck", "linear": "linear"},
        "barrier": {"dissemination": "bruck"},
        "bcast": {
            "binomial": "binomial",
            "scatter_recursive_doubling": "scatter_allgather",
            "scatter_ring": "scatter_allgather_ring",
        },
        "exscan": {"chain": "linear", "recursive_doubling": "recursive_doubling"},
        "gather": {"binomial": "binomial", "linear": "basic_linear"},
        "reduce": {"binomial": "binomial", "halving_doubling": "rabenseifner"},
        "reduce_scatter": {"recursive_halving": "recursive_halving", "ring": "ring"},
        "reduce_scatter_block": {"recursive_halving": "recursive_halving"},
        "scan": {"chain": "linear", "recursive_doubling": "recursive_doubling"},
        "scatter": {"binomial": "binomial", "linear": "basic_linear"},
    },
}
# Only the component whose algorithms are forced, and those that MPI_Init needs, may offer collectives.
# Ours don't cut messages, so the library's must not either.
ENVIRONMENT = {
    "mpich": {},
    "openmpi": {
        "OMPI_MCA_coll": "basic,inter,libnbc,self,tuned",
        "OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize": "0",
        "OMPI_MCA_coll_tuned_reduce_algorithm_segmentsize": "0",
    },
}
SETTINGS = [
    *("--counts", "equal", "--datatype", "double", "--op", "sum"),
    *("--racing", "false", "--no-doctor"),
]


def sweep(library: str, breakeven: str, database: str, options: list[str]) -> int:
    """Returns the exit status."""
    words = []
    for collective, pairs in PAIRS[library].items():
        for ours, theirs in pairs.items():
            words += [f"{collective}/{ours}", f"{library}:{collective}/{theirs}"]
    command = [breakeven, "sweep", "--machine", library, "--db", database, *SETTINGS]
    command += ["--collectives", ",".join(PAIRS[library]), "--algorithms", ",".join(words), *options]
    return subprocess.run(command, env={**os.environ, **ENVIRONMENT[library]}, check=False).returncode


def read_times(database: str) -> Times:
    times: Times = {}
    with closing(sqlite3.connect(database)) as connection:
        for collective, procs, size, algorithm, launch, seconds in connection.execute(
            "SELECT c.collective, c.procs, c.message_bytes, c.algorithm, m.launch_id, m.median_s"
            ' FROM measurement m JOIN "case" c ON c.id = m.case_id WHERE m.failure IS NULL'
        ):
            cell = times.setdefault(collective, {}).setdefault((procs, size), {})
            cell.setdefault(algorithm, {})[launch] = seconds
    return times


def compare(library: str, collective: str, times: Times) -> list[tuple[float, str]]:
    """Prints the collective's points; returns their ratios and descriptions."""
    found = []
    for ours, theirs in PAIRS[library].get(collective, {}).items():
        print(f"\n{collective}: {ours}, in the library {theirs}")
        for (procs, size), cell in sorted(times[collective].items()):
            own, other = cell.get(ours, {}), cell.get(f"{library}:{theirs}", {})
            ratios = [own[launch] / other[launch] for launch in own.keys() & other.keys()]
            if not ratios:
                continue  # the library would run another algorithm here
            median = statistics.median(ratios)
            where = f"p = {procs:<3} {size_text(size) if size else 'no data':>8}"
            medians = [statistics.median(each.values()) for each in (own, other)]
            both = [f"{time_text(1e9 * each):>8}" for each in medians]
            print(f"{where}  {'  '.join(both)}  {median:.3f} ({min(ratios):.3f} to {max(ratios):.3f})")
            found.append((median, f"{ours}, {where}"))
    return found


def summary(name: str, found: list[tuple[float, str]]) -> None:
    mean, (largest, where) = statistics.geometric_mean(ratio for ratio, _ in found), max(found)
    print(f"{name:<20}  {len(found):>3} points  mean {mean:.3f}  largest {largest:.3f} of {where}")


def main(library: str, breakeven: str, database: str, *options: str) -> int:
    status = sweep(library, breakeven, database, list(options))
    if status != 0:
        return status
    times = read_times(database)
    found = {collective: compare(library, collective, times) for collective in sorted(times)}
    print()
    together = [point for points in found.values() for point in points]
    for collective, points in [*found.items(), ("all", together)]:
        if points:
            summary(collective, points)
    return 0 if all(found.values()) else 1  # a collective without a point: its names are wrong


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[1] not in PAIRS:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
