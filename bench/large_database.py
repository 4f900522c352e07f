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
import subprocess
import sys
import time
from pathlib import Path

MODEL = "postal:alpha=1e-6,beta=1e-9,gamma=1e-10,noise=0.05"
PROCS = 7  # of the sweep: no power of two
LAUNCHES = 6
SEGMENTED = {"allreduce/ring": 32, "bcast/binomial": 38, "reduce/binomial": 20, "reduce/circulant": 20}
# What stands for the library: its default, and its own algorithms by the numbers that select them.
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
        multiply(made, range(2, counts + 2))
        made.rename(database)
    print(f"{database.stat().st_size / 1e6:.0f} MB")
    for command in sys.argv[4:] or COMMANDS:
        cost(breakeven, command, database)
    page = Path("report.html")
    if page.exists():
        print(f"page {page.stat().st_size / 1e6:.2f} MB")


def sweep(breakeven: Path, database: Path) -> None:
    algorithms = [f"{name}:segments={k}" for name, most in SEGMENTED.items() for k in range(2, most + 1)]
    subprocess.run(
        [
            *(breakeven, "sweep", "--machine", MODEL, "--db", database, "--bytes", "8:4M"),
            *("--collectives", ",".join(NATIVE), "--procs", str(PROCS)),
            *("--algorithms", ",".join(["breakeven", *algorithms]), "--launches", "1"),
            *("--racing", "false", "--repetitions", "10", "--min-time-s", "0"),
        ],
        stdout=subprocess.DEVNULL,
        check=True,
    )


def multiply(file: Path, counts: range) -> None:
    """Makes of a model's launch those of a library."""
    with sqlite3.connect(file) as database:
        run = database.execute

        def last(table: str) -> int:
            return run(f"SELECT max(id) FROM {table}").fetchone()[0]

        def copy(table: str, changes: dict[str, object], where: str = "true") -> None:
            """Rows again, with other values in some columns."""
            columns = [row[1] for row in run(f"PRAGMA table_info({table})")]
            values = ", ".join(str(changes.get(each, each)) for each in columns)
            run(f"INSERT INTO {table} SELECT {values} FROM {table} WHERE {where}")

        def copy_candidate(collective: str, ours: str, name: str) -> None:
            cases, rows = last("'case'"), last("measurement")
            whose = f"collective = '{collective}' AND algorithm = '{ours}' AND params = ''"
            of_case = f"case_id IN (SELECT id FROM 'case' WHERE {whose})"
            of_row = f"measurement_id IN (SELECT id FROM measurement WHERE {of_case})"
            copy("durations", {"measurement_id": f"measurement_id + {rows}"}, of_row)
            copy("measurement", {"id": f"id + {rows}", "case_id": f"case_id + {cases}"}, of_case)
            copy("'case'", {"id": f"id + {cases}", "algorithm": f"'{name}'"}, whose)

        for collective, ours, name, value in LIBRARY:
            run(
                "INSERT INTO library_algorithm (machine_id, collective, name, value) VALUES (1, ?, ?, ?)",
                (collective, name, value),
            )
            copy_candidate(collective, ours, f"mpich:{name}")
        for collective, ours in NATIVE.items():
            copy_candidate(collective, ours, "native")
        run(f"UPDATE machine SET kind = 'library', name = 'mpich', library_version = '4.0.2', cpu = 'none'")
        for old, new in {
            MODEL: "mpich",
            'algorithms = "': 'algorithms = "native,library,',
            'launches = "1"': f'launches = "{LAUNCHES}"',
            f'procs = "{PROCS}"': f'procs = "{",".join(map(str, counts))}"',
        }.items():
            run("UPDATE sweep SET request = replace(request, ?, ?)", (old, new))
        cases, rows = last("'case'"), last("measurement")
        others = [procs for procs in counts if procs != PROCS]
        for step, procs in enumerate(others, 1):
            here = {"id": f"id + {cases * step}", "procs": procs, "procs_per_node": procs}
            copy("'case'", here, f"id <= {cases}")
        jobs = [(step, procs, repeat) for step, procs in enumerate([PROCS, *others]) for repeat in range(LAUNCHES)]
        chance = random.Random(1)
        run("CREATE TEMP TABLE chance (launch INTEGER PRIMARY KEY, factor REAL)")
        for job, (step, procs, repeat) in enumerate(jobs):
            launch = {"id": f"id + {job}", "procs": procs, "procs_per_node": procs, "repeat": repeat}
            row = {
                "id": f"id + {rows * job}",
                "measurement_id": f"measurement_id + {rows * job}",
                "case_id": f"case_id + {cases * step}",
                "launch_id": f"launch_id + {job}",
                "repeat": repeat,
            }
            if job > 0:
                copy("launch", launch, "id = 1")
                copy("durations", row, f"measurement_id <= {rows}")
                copy("measurement", row, f"id <= {rows}")
            slower = chance.gauss(1, 0.05) * (1 + math.log2(procs / PROCS) / 3)
            run("INSERT INTO chance VALUES (?, ?)", (job + 1, slower))
        database.create_function("noise", 0, lambda: chance.gauss(1, 0.02))
        run(
            "UPDATE measurement SET median_s = median_s * scale, low_s = low_s * scale, high_s = high_s * scale "
            "FROM (SELECT id AS row, factor * noise() AS scale FROM measurement JOIN chance ON launch = launch_id) "
            "WHERE id = row"
        )


def cost(breakeven: Path, command: str, database: Path) -> None:
    with open(f"{command}.txt", "w") as out:
        begin = time.monotonic()
        started = subprocess.Popen([breakeven, command, "--db", database, *COMMANDS[command]], stdout=out)
        _, status, usage = os.wait4(started.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):  # check: violations
        raise SystemExit(f"{command} failed")
    print(
        f"{command:8} {usage.ru_utime + usage.ru_stime:7.2f} s CPU "
        f"{time.monotonic() - begin:7.2f} s {usage.ru_maxrss / 1e3:6.0f} MB"
    )


if __name__ == "__main__":
    main()
