#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How many messages should a rank of recursive multiplying send at once?

Ruefenacht, Bull and Booth, "Generalisation of Recursive Doubling for AllReduce" (Parallel Computing
2017), figures 3 and 4, from equations (4) and (5). Marks: what `breakeven predict` simulates on a
machine where alpha_r is a second, at p = (b + 1)^k.
"""
from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "plots"))

from curves import COLOURS, MARKS
from figure import Page, label_panel, save

from matplotlib.axes import Axes

MOST_PROCS = 4096
RATIO = 4  # of alpha_p to alpha_r, as in the paper's figure 4
RATIOS = (1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 28, 32)


def ratio_of(b: float) -> float:
    """alpha_p / alpha_r for which b messages at once are best: equation (5), solved for it."""
    return 1 + (b + 1) * (math.log(b + 1) - 1)


def cost(b: float, procs: int, ratio: float) -> float:
    """Equation (4) in units of alpha_r."""
    return (ratio + b) * math.log(procs) / math.log(b + 1)


def simulated(breakeven: str, b: int, stages: int, ratio: float) -> float:
    """The same by the program."""
    what = f"allreduce/recursive_multiplying:stages={','.join([f'a{b + 1}'] * stages)}"
    machine = f"pipelining:alpha_p={ratio},alpha_r=1,beta=0,gamma=0"
    command = [breakeven, "predict", what, "--procs", str((b + 1) ** stages), "--bytes", "8"]
    command += ["--machine", machine, "--format", "json"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["cells"][0]["times"][0]["time_s"]


def _best_simulated(breakeven: str, ratio: int) -> int:
    """The integer b whose simulated time for each doubling of p is least."""
    return min(range(1, 17), key=lambda b: simulated(breakeven, b, 1, ratio) / math.log(b + 1))


def _draw_best(axes: Axes, breakeven: str) -> None:
    many = [0.72 + i / 50 for i in range(800)]
    curve = [(ratio_of(b), b) for b in many if ratio_of(b) <= RATIOS[-1]]
    axes.plot(*zip(*curve), color=COLOURS[0], lw=1.5, label="equation (5)")
    best = [_best_simulated(breakeven, ratio) for ratio in RATIOS]
    style = {"ls": "", "marker": "o", "ms": 3.5, "color": COLOURS[1]}
    axes.plot(RATIOS, best, label="best whole b, simulated", **style)
    label_panel(axes, "Fig. 3: the best b", "alpha_p / alpha_r", "b, messages at once")


def _draw_costs(axes: Axes, breakeven: str) -> None:
    counts = [2**i for i in range(1, 13)]
    for number, b in enumerate((1, 2, 3, 4, 5, 7, 15)):
        style = {"color": COLOURS[number], "label": f"b = {b}"}
        axes.plot(counts, [cost(b, p, RATIO) for p in counts], lw=1.2, **style)
        depths = range(1, int(math.log(MOST_PROCS) / math.log(b + 1) + 1e-9) + 1)
        at = [(b + 1) ** k for k in depths]
        times = [simulated(breakeven, b, k, RATIO) for k in depths]
        axes.plot(at, times, ls="", marker=MARKS[number], ms=3.5, color=COLOURS[number])
    axes.set_xscale("log", base=2)
    axes.set_xticks(counts[1::2], [str(p) for p in counts[1::2]])
    axes.set_ylim(0)
    label_panel(axes, f"Fig. 4: time by b, alpha_p / alpha_r = {RATIO}", "processes", "time / alpha_r")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--breakeven", required=True)
    parser.add_argument("--out", required=True, type=Path)
    options = parser.parse_args()
    page = Page(8.6, 3.7)
    for left, draw in ((0.6, _draw_best), (4.9, _draw_costs)):
        axes = page.axes(left, 0.75, 3.5, 2.3)
        draw(axes, options.breakeven)
        axes.legend(fontsize=7, frameon=False)
    page.head("How many messages a rank best sends at once")
    page.foot(["Lines: the paper's formulas. Marks: simulated."])
    save(page.figure, options.out)


if __name__ == "__main__":
    main()
