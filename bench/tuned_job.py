#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does a job that tunes its own program end earlier? Prints, for each of several rounds in turns, the seconds of
the command alone and of `breakeven run --tune` of it, with all of its tuning, and what each of its steps took.

usage: tuned_job.py BREAKEVEN ROUNDS TUNE... -- COMMAND...

TUNE are options of `run`: --tune 2% --program-time 10min. A run beforehand makes the profile, as an earlier job would, unless TUNE has a
--short-run.
"""
from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def seconds(command: list[str]) -> tuple[float, str]:
    begin = time.monotonic()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return time.monotonic() - begin, done.stderr


def main() -> None:
    if "--" not in sys.argv[3:]:
        raise SystemExit(__doc__)
    end = sys.argv.index("--")
    breakeven, rounds, tune, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:end], sys.argv[end + 1 :]
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:  # which a cluster's nodes see
        profiled = Path(folder, "profiled")
        profiled.mkdir()
        if "--short-run" not in tune:
            seconds([breakeven, "run", "--tables", str(profiled), *tune, "--", *command])
        for number in range(rounds):
            tables = Path(folder, str(number))
            shutil.copytree(profiled, tables)
            tuned = [breakeven, "run", "--tables", str(tables), *tune, "--", *command]
            order = [("alone", command), ("tuned", tuned)]
            took = {name: seconds(words) for name, words in (order if number % 2 == 0 else reversed(order))}
            alone_s, tuned_s = took["alone"][0], took["tuned"][0]
            print(f"alone {alone_s:.2f} s, tuned {tuned_s:.2f} s, ratio {alone_s / tuned_s:.3f}")
            print("  step" + took["tuned"][1].partition("\n  step")[2], flush=True)


if __name__ == "__main__":
    main()
