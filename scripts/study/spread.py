#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How much does each tool's result for the same collective vary from run to run?

Every tool gets the same time for a run. After a kill the same command resumes; one --out may
hold both libraries. It writes runs.jsonl (each run at once), spread.md and spread.png.
"""
from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "plots"))

from command_line import Parser, save
from cells import UsageError
from dot_plot import draw
from runs import Journal, Study
from summary import rows, table
from tools import FLOAT_BYTES, TOOLS, Mpi, Tool

UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def size_of(text: str) -> int:
    """8 or 64K or 1M, in bytes."""
    factor = UNITS.get(text[-1:].upper(), 1)
    digits = text[:-1] if factor > 1 else text
    size = int(digits) * factor if digits.isdecimal() else 0
    if size == 0 or size % FLOAT_BYTES != 0:
        raise UsageError(f"--bytes '{text}' is not a size of floats, as 8, 64K or 1M")
    return size


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, choices=("mpich", "openmpi"))
    parser.add_argument("--launcher", help="default: mpiexec.LIBRARY")
    for name, tool in TOOLS.items():
        help_text = f"figure: {tool.statistic}"
        parser.add_argument(f"--{name}", type=Path, metavar="PATH", help=help_text)
    parser.add_argument("--bytes", default="8,1K,64K,1M", metavar="LIST", help="[%(default)s]")
    parser.add_argument("--runs", type=int, default=10, metavar="N", help="[%(default)s]")
    parser.add_argument(
        "--budget-s", type=float, default=4, metavar="S", help="time of a run [%(default)s]"
    )
    parser.add_argument("--procs", type=int, default=2, metavar="P", help="[%(default)s]")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="[%(default)s]")
    parser.add_argument("--out", required=True, type=Path, metavar="FOLDER")
    return parser.parse_args(arguments)


def _tools(options: argparse.Namespace) -> list[Tool]:
    chosen = {name: path for name in TOOLS if (path := getattr(options, name)) is not None}
    if not chosen:
        raise UsageError(f"no tool is given, as one of --{', --'.join(TOOLS)}")
    for name, path in chosen.items():
        if not os.access(path, os.X_OK) or path.is_dir():
            raise UsageError(f"--{name} '{path}' is no program")
    return [TOOLS[name](path.resolve()) for name, path in chosen.items()]


def _study(options: argparse.Namespace) -> Study:
    cores = len(os.sched_getaffinity(0))
    if not 2 <= options.procs <= cores:
        raise UsageError(f"--procs {options.procs}: 2 to {cores}, a core for each process")
    if options.budget_s <= 0 or options.runs < 1:
        raise UsageError("--budget-s and --runs have to be positive")
    tools = _tools(options)
    sizes = sorted({size_of(text) for text in options.bytes.split(",")})
    options.out.mkdir(parents=True, exist_ok=True)
    launcher = options.launcher or f"mpiexec.{options.library}"
    return Study(
        mpi=Mpi(options.library, launcher, options.procs),
        tools=tools,
        sizes=sizes,
        runs=options.runs,
        budget_s=options.budget_s,
        seed=options.seed,
        journal=Journal(options.out / "runs.jsonl"),
    )


def main(arguments: list[str]) -> int:
    """Returns the exit status: 1 when a run failed, 2 for a bad request."""
    # An end from outside has to reach the run under way as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        options = _parse(arguments)
        study = _study(options)
        failures = study.go()
        found = rows(study.journal.lines)
        (options.out / "spread.md").write_text(table(found))
        save(draw(found), options.out / "spread.png")
    except UsageError as error:
        print(f"spread.py: {error}", file=sys.stderr)
        return 2
    print(table(found), end="")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
