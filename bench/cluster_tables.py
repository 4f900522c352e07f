#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints the cost of tables of a cluster: CPU seconds and MB of `tune`, KiB of each file that a library reads,
and the time that the library's start needs for them, as `tables lint` measures it.

usage: cluster_tables.py BREAKEVEN FOLDER [MACHINE...]

The databases are made of a sweep of MACHINE (mpich, openmpi) here at p = 2: SQL gives its cases other
process counts, 64 on a node, and each algorithm a random latency and bandwidth. FOLDER keeps the sweeps.
"""
from __future__ import annotations

import math
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from functools import cache
from pathlib import Path

from common import Rows, cost, quietly

PROCS = {"three": [64, 512, 4096], "many": [2**k for k in range(1, 15)]}
FILES = {"mpich": ["mpich_coll.json", "mpich_ch4_coll.json"], "openmpi": ["openmpi_rules.conf"]}
MAPPINGS = {"mpich": ["seq", "rr"], "openmpi": ["seq"]}  # Open MPI's rules have none
# With fewer bytes for each process these algorithms run as others.
SPLITS = ("ring", "scatter_allgather", "rabenseifner", "reduce_scatter")
NAMED = " OR ".join(f"instr(algorithm, '{each}')" for each in SPLITS)


def sweep(breakeven: Path, machine: str) -> Path:
    database = Path(f"{machine}.db")
    if not database.exists():
        quietly(
            *(breakeven, "sweep", "--machine", machine, "--db", database, "--procs", "2"),
            *("--collectives", "all", "--algorithms", "native,library", "--bytes", "8:1M"),
            *("--launches", "3", "--racing", "false", "--repetitions", "1", "--batch", "1"),
            *("--min-repetitions", "1", "--min-time-s", "0", "--case-budget-s", "0.01"),
        )
    return database


def spread(swept: Path, out: Path, counts: list[int], mappings: list[str]) -> None:
    """Makes a cluster's database of a sweep at p = 2."""
    shutil.copy(swept, out)
    with sqlite3.connect(out) as database:
        rows = Rows(database)
        rows.run("UPDATE 'case' SET procs = 1000000")  # not one of the p of the copies
        first = {table: rows.last(table) for table in ("launch", "case", "measurement")}
        places = [(p, max(1, p // 64), each) for p in counts for each in (mappings if p > 64 else ["seq"])]
        for step, (procs, nodes, mapping) in enumerate(places, 1):
            shift = {table: f"+ {last * step}" for table, last in first.items()}
            place = {"procs": procs, "nodes": nodes, "procs_per_node": procs // nodes, "mapping": f"'{mapping}'"}
            rows.copy("launch", f"id <= {first['launch']}", id=f"id {shift['launch']}", placement="'[]'", **place)
            runs = f"NOT (instr(algorithm, 'two_proc') AND {procs} > 2 OR ({NAMED}) AND message_bytes < {4 * procs})"
            rows.copy("case", f"id <= {first['case']} AND {runs}", id=f"id {shift['case']}", **place)
            ids = {f"{table}_id": f"{table}_id {shift[table]}" for table in ("case", "launch")}
            done = f"id <= {first['measurement']} AND failure IS NULL AND case_id {shift['case']} IN (SELECT id FROM 'case')"
            rows.copy("measurement", done, id=f"id {shift['measurement']}", **ids)
        for table in ("durations", "calibration", "sweep"):
            rows.run(f"DELETE FROM {table}")
        for table in ("measurement", "case", "launch"):
            rows.run(f"DELETE FROM '{table}' WHERE id <= {first[table]}")
        set_times(database)


def set_times(database: sqlite3.Connection) -> None:
    chance = random.Random(0)

    @cache
    def speed(*variant: str) -> tuple[float, float]:
        return chance.uniform(1, 4), chance.uniform(1e-4, 4e-3)

    def took(procs: int, size: int, *variant: str) -> float:
        latency, byte = speed(*variant)
        return 1e-6 * math.log2(procs) * (latency + byte * size) * chance.uniform(0.97, 1.03)

    database.create_function("took", 5, took)
    database.execute(
        "UPDATE measurement SET median_s = (SELECT took(procs, message_bytes, collective, algorithm, params)"
        " FROM 'case' WHERE id = case_id)"
    )
    database.execute("UPDATE measurement SET low_s = median_s, high_s = median_s")


def main() -> None:
    if len(sys.argv) < 3 or not set(sys.argv[3:]) <= set(FILES):
        raise SystemExit(__doc__)
    breakeven, folder = Path(sys.argv[1]).absolute(), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    for machine in sys.argv[3:] or FILES:
        swept = sweep(breakeven, machine)
        for name, counts in PROCS.items():
            database, tables = Path(f"{machine}_{name}.db"), f"{machine}_{name}"
            spread(swept, database, counts, MAPPINGS[machine])
            seconds, megabytes = cost(breakeven, "tune", "--db", database, "--out", tables)
            print(f"{machine}, {len(counts)} p to {counts[-1]}: tune {seconds:.2f} s CPU, {megabytes:.0f} MB")
            files = [Path(tables, file) for file in FILES[machine]]
            print("  " + ", ".join(f"{file.name} {file.stat().st_size / 1024:.1f} KiB" for file in files), flush=True)
            subprocess.run([breakeven, "tables", "lint", *files], check=False)


if __name__ == "__main__":
    main()
