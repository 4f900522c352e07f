#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does the replay of a profile say what a table does for a program? Runs a command with the library's default and
with tables in turns, and prints how many times as fast its collectives are with the tables: as measured, the median
over pairs with its 95 % interval; and as `breakeven predict` says of each default run's profile, with the
medians of its interval.

usage: replayed.py BREAKEVEN LIBRARY MACHINE.toml TABLES PAIRS -- COMMAND...
"""
from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

RATIO = re.compile(r"s then: ([\d.]+) (?:\(([\d.]+) to ([\d.]+)\) )?times")


def said(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def called_s(profile: Path) -> float:
    return sum(use["time_s"] for use in json.loads(profile.read_text())["uses"])


def main() -> None:
    if len(sys.argv) < 8 or sys.argv[6] != "--":
        raise SystemExit(__doc__)
    breakeven, library, machine, tables, pairs, _, *command = sys.argv[1:]
    called, measured, predicted = [], [], []
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:  # which a cluster's nodes see
        default, tuned = Path(folder, "default.json"), Path(folder, "tuned.json")
        ways = [
            [breakeven, "profile", "--machine", library, "--out", str(default), "--", *command],
            [breakeven, "run", "--tables", tables, "--profile", str(tuned), "--", *command],
        ]
        for number in range(int(pairs)):
            for way in ways if number % 2 == 0 else reversed(ways):
                said(*way)
            text = said(breakeven, "predict", "--profile", str(default), "--machine", machine, "--tables", tables)
            ratio, *interval = RATIO.findall(text)[-1]  # without an interval where the table changes nothing
            predicted.append([float(each or ratio) for each in (ratio, *interval)])
            called.append(called_s(default))
            measured.append(called[-1] / called_s(tuned))
            print(f"  {called[-1]:.3g} s, measured {measured[-1]:.2f}, predicted {predicted[-1]}", flush=True)
    measured.sort()
    outside = max(0, int(len(measured) / 2 - 0.98 * len(measured) ** 0.5))
    interval = f"({measured[outside]:.2f} to {measured[-1 - outside]:.2f})"
    print(f"{median(called):.3g} s; measured {median(measured):.2f} {interval}", end=", ")
    print("predicted {:.2f} ({:.2f} to {:.2f})".format(*map(median, zip(*predicted))))


if __name__ == "__main__":
    main()
