#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does a model predict what is measured?

For each collective: measured over predicted time (both seconds) of every case, coloured by the
number of processes, with the line on which both are equal; and by number of processes the relative
difference, measured / predicted - 1 (percent), its median and the quantiles of 10 and 90 %. As
Ruefenacht, Bull and Booth, "Generalisation of Recursive Doubling for AllReduce" (Parallel Computing
69, 2017), figures 14 and 15, and 12.
"""
from __future__ import annotations

import json
import sys
from dataclasses import dataclass

from cells import Machine
from command_line import run
from figure import FAINT, INK, Page, label_log, plt, time_text

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

COLOURS = plt.get_cmap("viridis")
PANEL, GAP, LEFT, ABOVE, BELOW, HEAD = 2.6, 0.9, 0.8, 0.35, 0.55, 0.75  # inches


@dataclass(frozen=True)
class Case:
    collective: str
    procs: int
    measured: float  # seconds, as `predicted`
    predicted: float


@dataclass(frozen=True)
class Line:
    """What all cases of a collective at one p have in common."""

    collective: str
    procs: int
    low: float
    median: float
    high: float
    correlation: float | None


@dataclass(frozen=True)
class Compared:
    machine: Machine
    predictor: str
    cases: list[Case]
    lines: list[Line]


def read_compared(text: str) -> Compared:
    whole = json.loads(text)
    cases = [
        Case(each["collective"], each["procs"], each["measured_s"], each["predicted_s"])
        for each in whole["cases"]
    ]
    lines = [
        Line(each["collective"], each["procs"],
             *(each[f"relative_difference_{part}"] for part in ("low", "median", "high")),
             each["correlation"])
        for each in whole["agreements"]
        if each["procs"] is not None
    ]
    return Compared(Machine(**whole["machine"]), whole["predictor"], cases, lines)


def label(axes: Axes, title: str, x: str, y: str) -> None:
    axes.set_title(title, loc="left", fontsize=9, fontweight="bold", color=INK)
    axes.set_xlabel(x, fontsize=8, color=FAINT)
    axes.set_ylabel(y, fontsize=8, color=FAINT)
    axes.tick_params(labelsize=7, labelcolor=INK)
    axes.grid(True, lw=0.3, color="#dddddd")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def draw_cases(axes: Axes, cases: list[Case], colours: dict[int, tuple]) -> None:
    for procs in sorted({each.procs for each in cases}):
        here = [each for each in cases if each.procs == procs]
        axes.plot(
            [each.predicted for each in here],
            [each.measured for each in here],
            ls="", marker="o", ms=3, mew=0, alpha=0.7, color=colours[procs], label=f"p = {procs}",
        )  # fmt: skip
    times = [time for each in cases for time in (each.predicted, each.measured)]
    ends = (min(times) / 1.5, max(times) * 1.5)
    axes.plot(ends, ends, color=FAINT, lw=0.8, zorder=0)
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends)
    label_log(axes.xaxis, time_text)
    label_log(axes.yaxis, time_text)


def draw_differences(axes: Axes, lines: list[Line], colours: dict[int, tuple]) -> None:
    for place, line in enumerate(lines):
        axes.plot([place, place], [100 * line.low, 100 * line.high], lw=3, alpha=0.4,
                  color=colours[line.procs])  # fmt: skip
        axes.plot(place, 100 * line.median, marker="o", ms=5, mew=0, color=colours[line.procs])
        if line.correlation is not None:
            axes.annotate(f"{line.correlation:.2f}", (place, 100 * line.high), (0, 3), ha="center",
                          textcoords="offset points", fontsize=7, color=FAINT)  # fmt: skip
    axes.axhline(0, color=FAINT, lw=0.8)
    axes.set_xticks(range(len(lines)), [str(line.procs) for line in lines])
    axes.set_xlim(-0.6, len(lines) - 0.4)
    axes.margins(y=0.15)
    axes.yaxis.set_major_locator(MaxNLocator(6))


def draw(compared: Compared) -> Figure:
    collectives = sorted({each.collective for each in compared.cases})
    procs = sorted({each.procs for each in compared.cases})
    colours = {p: COLOURS(0.9 * i / max(1, len(procs) - 1)) for i, p in enumerate(procs)}
    step = PANEL + ABOVE + BELOW
    width = 2 * (LEFT + PANEL) + GAP
    page = Page(width, HEAD + step * len(collectives) + 0.1)
    predictor = " ".join(compared.predictor.split())
    page.text(0.15, "Measured against predicted", fontsize=12, fontweight="bold", color=INK)
    page.line(0.4, compared.machine.describe())
    page.line(0.55, f"predicted by {predictor}")
    for row, collective in enumerate(collectives):
        y = HEAD + row * step + ABOVE
        cases = [each for each in compared.cases if each.collective == collective]
        left = page.axes(LEFT, y, PANEL, PANEL)
        label(left, collective, "predicted", "measured")
        draw_cases(left, cases, colours)
        left.legend(fontsize=7, frameon=False, loc="upper left", handletextpad=0.1)
        right = page.axes(LEFT + PANEL + GAP + 0.3, y, PANEL, PANEL)
        label(right, "", "processes; above: correlation", "measured / predicted - 1, %")
        draw_differences(right, [e for e in compared.lines if e.collective == collective], colours)
    return page.figure


if __name__ == "__main__":
    sys.exit(run(__doc__, draw, read=read_compared))
