#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How much does the time of an allreduce that a tool prints vary from run to run?

usage: other_tools.py mpich|openmpi SIZES PASSES SECONDS TOOL=PROGRAM...

SIZES is a list of bytes, SECONDS the time of each run; TOOL is breakeven, osu (osu_allreduce), imb
(IMB-MPI1) or repro (mpibenchmark). All time the library's MPI_Allreduce of MPI_FLOAT with MPI_SUM, two
processes bound to cores; in each pass the order of sizes and tools is another one. Printed is the table of
docs/results/measuring.md: the median of the runs, their interquartile range divided by it, and the same after
each run is divided by the median of the other tools' times in its pass, relative to their own medians.
"""
from __future__ import annotations

import csv
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import size_text, time_text

PROCS = 2
FLOAT_BYTES = 4
TOOLS = ("breakeven", "repro", "osu", "imb")
IMB_MIB = 2047  # in one line of IMB, which counts bytes in an int
Figure = tuple[float, float, float]  # seconds, and the ends of the interval where there is one


def sweep_command(library: str, program: str, size: int, amount: float, folder: Path) -> list[str]:
    return [
        *(program, "sweep", "--machine", library, "--db", str(folder / "results.db"), "--no-doctor"),
        *("--collectives", "allreduce", "--algorithms", "native", "--procs", str(PROCS)),
        *("--bytes", str(size), "--datatype", "float", "--op", "sum", "--launches", str(round(amount))),
        *("--min-time-s", "0.15", "--case-budget-s", "0.3"),
    ]


def tool_command(library: str, tool: str, size: int, amount: float, folder: Path) -> list[str]:
    """The options of a run with this number of repetitions."""
    if tool == "osu":
        return ["-m", f"{size}:{size}", "-i", f"{amount:.0f}", "-T", "mpi_float"]
    if tool == "imb":
        lines = -(-round(amount) // max(1, (IMB_MIB << 20) // size))
        (folder / "lengths").write_text(f"{size}\n" * lines)
        return [
            *("-npmin", str(PROCS), "-msglen", str(folder / "lengths"), "-zero_size", "off"),
            *("-iter", f"{amount / lines:.0f},{IMB_MIB}", "-iter_policy", "off", "Allreduce"),
        ]
    return [
        *("--calls-list=MPI_Allreduce", f"--msizes-list={size}", f"--nrep={amount:.0f}"),
        *("--datatype=MPI_FLOAT", "--operation=MPI_SUM"),
        *("--proc-sync=dissem_barrier", "--summary=median"),
    ]


def figure_in(tool: str, size: int, output: str) -> Figure:
    """The time that a run printed; the mean where IMB printed several lines."""
    if tool == "breakeven":
        (row,) = csv.DictReader(output.splitlines())
        return float(row["median_s"]), float(row["low_s"]), float(row["high_s"])
    row, unit_s = {
        "osu": (rf"^{size}\s+([\d.]+)\s*$", 1e-6),
        "imb": (rf"^\s+{size}\s+\d+\s+[\d.]+\s+[\d.]+\s+([\d.]+)\s*$", 1e-6),
        "repro": (rf"^\s*MPI_Allreduce\s+{size // FLOAT_BYTES}\s+\d+\s+[1-9]\d*\s+([\d.]+)\s*$", 1),
    }[tool]
    found = statistics.mean(float(each) for each in re.findall(row, output, re.MULTILINE))
    return found * unit_s, found * unit_s, found * unit_s


def run(library: str, tool: str, program: str, size: int, amount: float) -> tuple[Figure, float]:
    """The time that a run printed, and the seconds of the run itself."""
    bind = "-bind-to" if library == "mpich" else "--bind-to"
    consent = ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")
    how = {"check": True, "text": True, "stdout": subprocess.PIPE, "timeout": 300}
    how["env"] = {**os.environ, **dict.fromkeys(consent, "1")}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if tool == "breakeven":
            command = sweep_command(library, program, size, amount, folder)
        else:
            start = [f"mpiexec.{library}", bind, "core", "-n", str(PROCS), program]
            command = [*start, *tool_command(library, tool, size, amount, folder)]
        begin = time.monotonic()
        done = subprocess.run(command, **how)
        wall_s = time.monotonic() - begin
        if tool == "breakeven":
            show = [program, "show", "--db", str(folder / "results.db"), "--format", "csv"]
            show += ["--statistic", "median"]
            done = subprocess.run(show, **how)
        return figure_in(tool, size, done.stdout), wall_s


def amount_for(seconds: float, *what) -> float:
    """The launches of Breakeven or repetitions of others that take this time, which grows linearly with them."""
    least = 3.0 if what[1] == "breakeven" else 100.0
    start_s, amount = run(*what, least)[1], least
    while True:
        amount *= 4
        excess_s = run(*what, amount)[1] - start_s
        if excess_s > seconds / 3:
            return max(least, least + (amount - least) * (seconds - start_s) / excess_s)


def iqr(values: list[float]) -> float:
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return (high - low) / statistics.median(values)


def row(library: str, size: int, found: dict[str, list[Figure]]) -> str:
    """Of the runs of each tool, in order of the passes."""
    medians = {tool: statistics.median(each[0] for each in runs) for tool, runs in found.items()}
    relative = {tool: [each[0] / medians[tool] for each in runs] for tool, runs in found.items()}
    cells = []
    for tool, own in relative.items():
        others = zip(*(each for other, each in relative.items() if other != tool))
        corrected = [mine / statistics.median(rest) for mine, rest in zip(own, others)] or own
        cells.append(f"{time_text(1e9 * medians[tool])}, {iqr(own):.1%}, {iqr(corrected):.1%}")
    if "breakeven" in found:
        covered = sum(low <= medians["breakeven"] <= high for _, low, high in found["breakeven"])
        cells.append(f"{covered} of {len(found['breakeven'])}")
    return f"| {library} | {size_text(size)} | {' | '.join(cells)} |"


def main(library: str, sizes: str, passes: str, seconds: str, *programs: str) -> None:
    tools = dict(sorted((each.split("=", 1) for each in programs), key=lambda each: TOOLS.index(each[0])))
    whats = {int(size): [(library, *each, int(size)) for each in tools.items()] for size in sizes.split(",")}
    amounts = {what: amount_for(float(seconds), *what) for line in whats.values() for what in line}
    found = {size: {tool: [] for tool in tools} for size in whats}
    shuffled = random.Random(1)
    for _ in range(int(passes)):
        for size in shuffled.sample(list(whats), len(whats)):
            for what in shuffled.sample(whats[size], len(tools)):
                found[size][what[1]].append(run(*what, amounts[what])[0])
    last = ["Breakeven's interval contains the median of its runs"] if "breakeven" in tools else []
    heads = ["library", "message", *tools, *last]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for size, runs in found.items():
        print(row(library, size, runs))


if __name__ == "__main__":
    if len(sys.argv) < 6 or sys.argv[1] not in ("mpich", "openmpi"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
