#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the extra time of a call in a program into which Breakeven's library is preloaded.

usage: preload.py mpich|openmpi BREAKEVEN BENCH_PRELOAD [OPTION_OF_GOOGLE_BENCHMARK...]

BENCH_PRELOAD is the program bench_preload_MPI; BREAKEVEN measures the table with which it runs. Printed
are, in ns, the medians of rounds that alternate: of the call, of the library's own, and the difference.
passed_through: MPI_Bcast of one process, which the table does not change. no_elements: MPI_Bcast of
two processes by an algorithm of Breakeven, whose plan has nothing to do. one_size: MPI_Bcast of two
processes and 1,000 elements; 24_sizes, 4000_sizes: one more in each call, until they begin again.
one_call: a duplicate of MPI_COMM_WORLD that is made, used for one MPI_Bcast and freed.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from common import quietly


def main() -> None:
    if len(sys.argv) < 4:
        raise SystemExit(__doc__)
    mpi, breakeven, program = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        table = make_table(mpi, breakeven, folder)
        result = Path(folder, "result.json")
        preload = Path(breakeven).with_name(f"libbreakeven-{mpi}.so")
        variable = ["-genv", "LD_PRELOAD", preload] if mpi == "mpich" else ["-x", f"LD_PRELOAD={preload}"]
        subprocess.run(
            [
                *(f"mpiexec.{mpi}", *variable, "-n", "2", program, "--benchmark_out_format=json"),
                *(f"--benchmark_out={result}", *sys.argv[4:]),
            ],
            env={**os.environ, "BREAKEVEN_TABLE": table},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        show(json.loads(result.read_text()))


def make_table(mpi: str, breakeven: str, folder: str) -> str:
    """A table of this machine that chooses one of our algorithms for MPI_Bcast at p = 2."""
    database, tables = Path(folder, "table.db"), Path(folder, "tables")
    quietly(
        *(breakeven, "sweep", "--machine", mpi, "--no-doctor", "--procs", "2", "--bytes", "8", "--db", database),
        *("--collectives", "bcast", "--algorithms", "binomial"),
        *("--launches", "3", "--racing", "false", "--case-budget-s", "0.01"),
    )
    quietly(breakeven, "tune", "--db", database, "--out", tables)
    return str(tables / "table.json")


def show(result: dict) -> None:
    times: dict[str, list[float]] = {}
    for run in result["benchmarks"]:
        if run["run_type"] == "iteration":
            name = run["run_name"].split("/iterations")[0]
            times.setdefault(name, []).append(run["real_time"])
    for kind in ("passed_through", "no_elements", "one_size", "24_sizes", "4000_sizes", "one_call"):
        replaced, library = (statistics.median(times[f"{kind}/{by}"]) for by in ("replaced", "library"))
        print(f"{kind}: {replaced:.1f} ns, library {library:.1f} ns, {replaced - library:+.1f} ns")


if __name__ == "__main__":
    main()
