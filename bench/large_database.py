#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a database of a million measurements, and prints what the commands that read it cost.

usage: large_database.py BREAKEVEN FOLDER [PROCESS_COUNTS [COMMAND...]]

The cases are those of a sweep of a model at one p (3 collectives, 20 sizes, about 40 candidates). SQL
makes six launches of MPICH at each of 64 process counts of them, or of PROCESS_COUNTS. FOLDER keeps the
database, which is made where it is missing, and what the commands write. Printed are the seconds of
CPU time, the seconds on the clock and the largest memory of each command, and the size of the page. A
COMMAND is one of breakeven's: tune, check, status, report unless some are named.
"""
from __future__ import annotations

import math
import os
import random
import sqlite3
import sys
import time
from pathlib import Path

from common import Rows, cost, quietly

MODEL = "postal:alpha=1e-6,beta=1e-9,gamma=1e-10,noise=0.05"
PROCS = 7  # of the sweep: no power of two
LAUNCHES = 6
SEGMENTED = {"allreduce/ring": 32, "bcast/binomial": 38, "reduce/binomial": 20, "reduce/circulant": 20}
# Our algorithms that stand for the library: its default, and its own ones with the numbers that select them.
NATIVE = {"allreduce": "recursive_doubling", "bcast": "scatter_ring", "reduce": "binomial"}
LIBRARY = [
    ("allreduce", "recursive_doubling", "recursive_doubling", 3),
    ("allreduce", "halving_doubling", "reduce_scatter_allgather", 7),
    ("bcast", "binomial", "binomial", 1),
    ("bcast", "scatter_ring", "scatter_ring_allgather", 4),
    ("reduce", "binomial", "binomial", 1),
]
COMMANDS = {
    "tune": ["--out", "tables"],
    "check": [],
    "status": [],
    "show": [],
    "report": ["--out", "report.html"],
}


def main() -> None:
    if len(sys.argv) < 3 or not set(sys.argv[4:]) <= set(COMMANDS):
        raise SystemExit(__doc__)
    breakeven, folder = Path(sys.argv[1]).absolute(), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    counts = int(sys.argv[3]) if len(sys.argv) > 3 else 64
    database = Path(f"{counts}.db")
    if not database.exists():
        made = database.with_suffix(".part")
        made.unlink(missing_ok=True)
        sweep(breakeven, made)
        with sqlite3.connect(made) as connection:
            multiply(connection, range(2, counts + 2))
        made.rename(database)
    print(f"{database.stat().st_size / 1e6:.0f} MB")
    for command in sys.argv[4:] or COMMANDS:
        begin = time.monotonic()
        seconds, megabytes = cost(breakeven, command, "--db", database, *COMMANDS[command])
        print(f"{command:8} {seconds:7.2f} s CPU {time.monotonic() - begin:7.2f} s {megabytes:6.0f} MB")
    page = Path("report.html")
    if page.exists():
        print(f"page {page.stat().st_size / 1e6:.2f} MB")


def sweep(breakeven: Path, database: Path) -> None:
    algorithms = [f"{name}:segments={k}" for name, most in SEGMENTED.items() for k in range(2, most + 1)]
    quietly(
        *(breakeven, "sweep", "--machine", MODEL, "--db", database, "--bytes", "8:4M"),
        *("--collectives", ",".join(NATIVE), "--procs", str(PROCS)),
        *("--algorithms", ",".join(["breakeven", *algorithms]), "--launches", "1"),
        *("--racing", "false", "--repetitions", "10", "--min-time-s", "0"),
    )


def multiply(database: sqlite3.Connection, counts: range) -> None:
    """Makes the launches of a library out of a model's launch."""
    rows = Rows(database)
    for collective, ours, name, value in LIBRARY:
        rows.run(
            "INSERT INTO library_algorithm (machine_id, collective, name, value) VALUES (1, ?, ?, ?)",
            (collective, name, value),
        )
        copy_candidate(rows, collective, ours, f"mpich:{name}")
    for collective, ours in NATIVE.items():
        copy_candidate(rows, collective, ours, "native")
    rows.run("UPDATE machine SET kind = 'library', name = 'mpich', library_version = '4.0.2', cpu = 'none'")
    for old, new in {
        MODEL: "mpich",
        'algorithms = "': 'algorithms = "native,library,',
        'launches = "1"': f'launches = "{LAUNCHES}"',
        f'procs = "{PROCS}"': f'procs = "{",".join(map(str, counts))}"',
    }.items():
        rows.run("UPDATE sweep SET request = replace(request, ?, ?)", (old, new))
    scatter(database, copy_launches(rows, [PROCS, *(procs for procs in counts if procs != PROCS)]))


def copy_candidate(rows: Rows, collective: str, ours: str, name: str) -> None:
    cases, measurements = rows.last("case"), rows.last("measurement")
    whose = f"collective = '{collective}' AND algorithm = '{ours}' AND params = ''"
    of_case = f"case_id IN (SELECT id FROM 'case' WHERE {whose})"
    of_row = f"measurement_id IN (SELECT id FROM measurement WHERE {of_case})"
    rows.copy("durations", of_row, measurement_id=f"measurement_id + {measurements}")
    rows.copy("measurement", of_case, id=f"id + {measurements}", case_id=f"case_id + {cases}")
    rows.copy("case", whose, id=f"id + {cases}", algorithm=f"'{name}'")


def copy_launches(rows: Rows, counts: list[int]) -> list[int]:
    """Copies the first launch, with its cases, to all process counts; these are returned by launch."""
    cases, measurements = rows.last("case"), rows.last("measurement")
    for step, procs in enumerate(counts[1:], 1):
        rows.copy("case", f"id <= {cases}", id=f"id + {cases * step}", procs=procs, procs_per_node=procs)
    launches = [(step, procs, repeat) for step, procs in enumerate(counts) for repeat in range(LAUNCHES)]
    for launch, (step, procs, repeat) in list(enumerate(launches))[1:]:
        moved = f"measurement_id + {measurements * launch}"
        rows.copy("launch", "id = 1", id=launch + 1, procs=procs, procs_per_node=procs, repeat=repeat)
        rows.copy("durations", f"measurement_id <= {measurements}", measurement_id=moved)
        ids = {"case_id": f"case_id + {cases * step}", "launch_id": f"launch_id + {launch}", "repeat": repeat}
        rows.copy("measurement", f"id <= {measurements}", id=f"id + {measurements * launch}", **ids)
    return [procs for _, procs, _ in launches]


def scatter(database: sqlite3.Connection, procs_of_launches: list[int]) -> None:
    """Makes times longer with p, and different in each launch and row."""
    chance = random.Random(1)
    factors = [chance.gauss(1, 0.05) * (1 + math.log2(procs / PROCS) / 3) for procs in procs_of_launches]
    database.create_function("scale", 1, lambda launch: factors[launch - 1] * chance.gauss(1, 0.02))
    database.execute("CREATE TEMP TABLE scales AS SELECT id AS row, scale(launch_id) AS scale FROM measurement")
    database.execute(
        "UPDATE measurement SET median_s = median_s * scale, low_s = low_s * scale, high_s = high_s * scale"
        " FROM scales WHERE id = row"
    )


if __name__ == "__main__":
    main()
