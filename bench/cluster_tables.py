#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints what tables of a cluster cost: seconds and MB of `tune`, kB of each file that a library reads,
and what the library's start pays for them, as `tables lint` measures it.

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
from pathlib import Path

PROCS = {"three": [64, 512, 4096], "many": [2**k for k in range(1, 15)]}
FILES = {"mpich": ["mpich_coll.json", "mpich_ch4_coll.json"], "openmpi": ["openmpi_rules.conf"]}
MAPPINGS = {"mpich": ["seq", "rr"], "openmpi": ["seq"]}  # Open MPI's rules know none
# Below so many bytes for each process they run other algorithms than they are named for.
SPLITS = ("ring", "scatter_allgather", "rabenseifner", "reduce_scatter")


def sweep(breakeven: Path, machine: str) -> Path:
    database = Path(f"{machine}.db")
    if not database.exists():
        subprocess.run(
            [
                *(breakeven, "sweep", "--machine", machine, "--db", database, "--procs", "2"),
                *("--collectives", "all", "--algorithms", "native,library", "--bytes", "8:1M"),
                *("--launches", "3", "--racing", "false", "--repetitions", "1", "--batch", "1"),
                *("--min-repetitions", "1", "--min-time-s", "0", "--case-budget-s", "0.01"),
            ],
            stdout=subprocess.DEVNULL,
            check=True,
        )
    return database


def spread(swept: Path, out: Path, counts: list[int], mappings: list[str]) -> None:
    shutil.copy(swept, out)
    chance = random.Random(0)
    with sqlite3.connect(out) as database:
        database.row_factory = sqlite3.Row
        tables = {name: list(database.execute(f'SELECT * FROM "{name}"')) for name in ("launch", "case", "measurement")}
        for name in ("durations", "calibration", "measurement", "case", "launch", "sweep"):
            database.execute(f'DELETE FROM "{name}"')

        def put(table: str, row: sqlite3.Row, **changes: object) -> int:
            values = {**dict(row), "id": None, **changes}
            marks = ", ".join("?" * len(values))
            return database.execute(f'INSERT INTO "{table}" VALUES ({marks})', list(values.values())).lastrowid

        def variant(row: sqlite3.Row) -> tuple[str, ...]:
            return row["collective"], row["algorithm"], row["params"]

        time = {variant(row): (chance.uniform(1, 4), chance.uniform(1e-4, 4e-3)) for row in tables["case"]}
        for procs in counts:
            nodes = max(1, procs // 64)
            for mapping in mappings if nodes > 1 else ["seq"]:
                where = {"procs": procs, "nodes": nodes, "procs_per_node": procs // nodes, "mapping": mapping}
                launches = {row["id"]: put("launch", row, **where, placement="[]") for row in tables["launch"]}
                cases = {
                    row["id"]: (put("case", row, **where), row["message_bytes"], variant(row))
                    for row in tables["case"]
                    if not ("two_proc" in row["algorithm"] and procs > 2)
                    and not (any(each in row["algorithm"] for each in SPLITS) and row["message_bytes"] < 4 * procs)
                }
                for row in tables["measurement"]:
                    if row["failure"] is not None or row["case_id"] not in cases:
                        continue
                    case, size, what = cases[row["case_id"]]
                    latency, byte = time[what]
                    took = 1e-6 * math.log2(procs) * (latency + byte * size) * chance.uniform(0.97, 1.03)
                    times = {"median_s": took, "low_s": took, "high_s": took}
                    put("measurement", row, case_id=case, launch_id=launches[row["launch_id"]], **times)


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
            command = [breakeven, "tune", "--db", database, "--out", tables]
            tuned = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(tuned.pid, 0)
            print(f"{machine}, {len(counts)} p to {counts[-1]}: tune {usage.ru_utime + usage.ru_stime:.2f} s CPU, "
                  f"{usage.ru_maxrss / 1e3:.0f} MB, exit status {os.waitstatus_to_exitcode(status)}")
            files = [f"{tables}/{file}" for file in FILES[machine]]
            print("  " + ", ".join(f"{Path(file).name} {Path(file).stat().st_size / 1024:.1f} KiB" for file in files))
            subprocess.run([breakeven, "tables", "lint", *files], check=False)


if __name__ == "__main__":
    main()
