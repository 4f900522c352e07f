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

import sys

from figure import FAINT, LETTER, Page, describe, label_log, label_panel, plt, run, time_text

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

COLOURS = plt.get_cmap("viridis")
PANEL, GAP, LEFT, ABOVE, BELOW, HEAD = 2.6, 0.9, 0.8, 0.35, 0.55, 0.75  # inches
KEY, KEY_LINE = 0.4, 0.18


def draw_cases(axes: Axes, cases: list[dict], colours: dict[int, tuple]) -> None:
    for procs in sorted({each["procs"] for each in cases}):
        here = [each for each in cases if each["procs"] == procs]
        axes.plot(
            [each["predicted_s"] for each in here],
            [each["measured_s"] for each in here],
            ls="", marker="o", ms=3, mew=0, alpha=0.7, color=colours[procs],
        )  # fmt: skip
    times = [time for each in cases for time in (each["predicted_s"], each["measured_s"])]
    ends = (min(times) / 1.5, max(times) * 1.5)
    axes.plot(ends, ends, color=FAINT, lw=0.8, zorder=0)
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends)
    label_log(axes.xaxis, time_text, most=6)  # so that the texts have room beside each other
    label_log(axes.yaxis, time_text)


def draw_differences(axes: Axes, lines: list[dict], colours: dict[int, tuple]) -> None:
    turn, step = {"rotation": 90 if len(lines) > 9 else 0}, -(-len(lines) // 20) or 1  # so that labels don't meet
    for place, line in enumerate(lines):
        low, median, high = (100 * line[f"relative_difference_{part}"] for part in ("low", "median", "high"))
        colour = colours[line["procs"]]
        axes.plot([place, place], [low, high], lw=3, alpha=0.4, color=colour)
        axes.plot(place, median, marker="o", ms=5, mew=0, color=colour)
        if line["correlation"] is not None and place % step == 0:
            axes.annotate(f"{line['correlation']:.2f}", (place, high), (0, 3), ha="center",
                          textcoords="offset points", fontsize=7, color=FAINT, **turn)  # fmt: skip
    axes.axhline(0, color=FAINT, lw=0.8)
    axes.set_xticks(range(0, len(lines), step), [str(line["procs"]) for line in lines[::step]], **turn)
    axes.set_xlim(-0.6, len(lines) - 0.4)
    axes.margins(y=0.15)
    axes.yaxis.set_major_locator(MaxNLocator(6))


def draw(compared: dict) -> Figure:
    collectives = sorted({each["collective"] for each in compared["cases"]})
    procs = sorted({each["procs"] for each in compared["cases"]})
    colours = {p: COLOURS(0.9 * i / max(1, len(procs) - 1)) for i, p in enumerate(procs)}
    step = PANEL + ABOVE + BELOW
    width = 2 * (LEFT + PANEL) + GAP
    names = [f"p = {p}" for p in procs]
    across = min(len(names), int(width / (KEY + LETTER * max(map(len, names)))))
    top = HEAD + KEY_LINE * -(-len(names) // across)
    page = Page(width, top + step * len(collectives) + 0.1)
    predictor = " ".join(compared["predictor"].split())
    page.head("Measured against predicted", describe(compared["machine"]), f"predicted by {predictor}")
    handles = [plt.Line2D([], [], ls="", marker="o", ms=4, mew=0, color=colours[p]) for p in procs]
    corner = (0.12 / page.width, 1 - (HEAD + 0.02) / page.height)
    look = {"fontsize": 8, "frameon": False, "handletextpad": 0.1, "borderpad": 0, "labelspacing": 0.3}
    page.figure.legend(handles, names, loc="upper left", bbox_to_anchor=corner, ncols=across, **look)
    for row, collective in enumerate(collectives):
        y = top + row * step + ABOVE
        cases = [each for each in compared["cases"] if each["collective"] == collective]
        left = page.axes(LEFT, y, PANEL, PANEL)
        label_panel(left, collective, "predicted", "measured", grid="both")
        draw_cases(left, cases, colours)
        right = page.axes(LEFT + PANEL + GAP + 0.3, y, PANEL, PANEL)
        label_panel(right, "", "processes; above: correlation", "measured / predicted - 1, %", grid="both")
        lines = [each for each in compared["agreements"] if each["collective"] == collective]
        draw_differences(right, [each for each in lines if each["procs"] is not None], colours)
    return page.figure


if __name__ == "__main__":
    sys.exit(run(__doc__, draw))
