#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints the cost of planning a sweep by the number of processes, on nodes of 64: CPU seconds and MB of
`breakeven submit --dry-run` (mpich, the default collectives, 8 B to 1 MiB), and the power of p by which
both grew since the line before.

With --commands it then prints the same of the commands that read a database: a model's sweep at each p is
planned again, shown, tuned, reported and compared. (A check needs a library's own collectives.)
"""
from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Callable, Iterable

from common import cost

MODEL = "postal:alpha=1e-6,beta=1e-9,gamma=1e-10,noise=0.02"


def print_costs(name: str, all_procs: Iterable[int], command: Callable[[int], list[str]]) -> None:
    before: tuple[int, list[float]] | None = None
    for procs in all_procs:
        seconds, megabytes = cost(*command(procs))
        now = [max(seconds, 0.01), megabytes]
        grown = ""
        if before:
            logs = [math.log(new / old) / math.log(procs / before[0]) for new, old in zip(now, before[1])]
            grown = "p^{:+.2f} p^{:+.2f}".format(*logs)
        print(f"{name:<14} {procs:>6} {seconds:>8.2f} s {megabytes:>6.0f} MB  {grown}", flush=True)
        before = procs, now


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("breakeven")
    parser.add_argument("--procs", default="64,128,256,512,1024,2048,4096,8192,16384,32768,65536")
    parser.add_argument("--commands", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = ["--procs", "{p}", "--nodes", "{nodes}"]
        database = f"{folder}/{{p}}.db"
        sweep = ["sweep", "--machine", MODEL, *place, "--launches", "2", "--db", database]
        planning = ["submit", "--slurm", "--time", "1h", "--dry-run", "--out", folder, "--", "--machine", "mpich"]
        commands = {
            "planning": [*planning, *place],
            "model's sweep": sweep,
            "resumption": [*sweep, "--dry-run"],
            "show": ["show", "--db", database],
            "status": ["status", "--db", database],
            "tune": ["tune", "--db", database, "--out", f"{folder}/tables"],
            "report": ["report", "--db", database, "--out", f"{folder}/report.html"],
            "compare": ["compare", database, database],
        }
        for name in commands if options.commands else ["planning"]:

            def command(procs: int, words: list[str] = commands[name]) -> list[str]:
                return [options.breakeven, *(each.format(p=procs, nodes=max(procs // 64, 1)) for each in words)]

            print_costs(name, map(int, options.procs.split(",")), command)


if __name__ == "__main__":
    main()
