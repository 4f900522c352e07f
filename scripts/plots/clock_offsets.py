#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How wrong do synchronised clocks become, and how soon?

The distance of the ranks' global clocks from rank 0's clock (seconds) over the time since they were
synchronised (seconds), for each method: as measured, and where all ranks share a node's clock, as
that one knows it. Reads what `breakeven clocks --csv` writes.
"""
from __future__ import annotations

import csv
import statistics
import sys
from collections import defaultdict

from figure import FAINT, INK, UsageError, label_log, label_panel, plt, run, time_text

from matplotlib.axes import Axes
from matplotlib.figure import Figure

# One colour for each method, wherever it appears.
COLOURS = {
    "none": "#888888",
    "skampi": "#e08214",
    "jk": "#b35806",
    "hca": "#80cdc1",
    "hca2": "#35978f",
    "hca3": "#2166ac",
    "two_level": "#762a83",
}
LEAST = 1e-9  # what a clock resolves: 0 has no place on a logarithmic axis


Clocks = dict[str, list[dict]]  # by method; seconds


def read_clocks(text: str) -> Clocks:
    clocks: Clocks = defaultdict(list)
    try:
        for row in csv.DictReader(text.splitlines()):
            numbers = {name: float(row[name]) for name in ("elapsed_s", "offset_s", "round_trip_s")}
            truth = float(row["truth_s"]) if row["truth_s"] else None
            clocks[row["clock"]].append({**numbers, "truth_s": truth})
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"the input isn't from `breakeven clocks --csv`: {error}") from error
    if not clocks:
        raise UsageError("the input holds no offsets")
    return dict(clocks)


def draw_errors(axes: Axes, clocks: Clocks, value: str) -> None:
    """A line for each method, the median over ranks, and a band up to the worst rank."""
    for name, offsets in clocks.items():
        by_time = defaultdict(list)
        for each in offsets:
            by_time[each["elapsed_s"]].append(max(abs(each[value]), LEAST))
        times = sorted(by_time)
        medians = [statistics.median(by_time[time]) for time in times]
        colour = COLOURS.get(name, INK)
        axes.fill_between(times, medians, [max(by_time[time]) for time in times], color=colour, alpha=0.2, lw=0)
        axes.plot(times, medians, color=colour, lw=1.5, marker="o", ms=2.5, label=name)


def draw(clocks: Clocks) -> Figure:
    everything = [each for offsets in clocks.values() for each in offsets]
    panels = [("as measured", "offset_s")]
    if all(each["truth_s"] is not None for each in everything):
        panels.append(("as the node's shared clock knows", "truth_s"))
    figure, axes_list = plt.subplots(
        1, len(panels), sharey=True, squeeze=False, figsize=(4.6 * len(panels) + 1.6, 4)
    )
    for axes, (title, value) in zip(axes_list[0], panels):
        draw_errors(axes, clocks, value)
        label_panel(axes, title, "seconds since synchronised")
        axes.set_yscale("log")
    uncertainty = statistics.median(each["round_trip_s"] for each in everything) / 2
    first = axes_list[0][0]
    label = "half a round trip:\nless isn't known"
    first.axhline(uncertainty, color=FAINT, lw=0.8, ls="--", label=label)
    label_log(first.yaxis, time_text)
    first.set_ylabel("against rank 0: median over ranks, up to the worst", fontsize=8, color=FAINT)
    figure.suptitle(
        "Error of synchronised clocks", x=0.02, ha="left", fontsize=12, fontweight="bold", color=INK
    )
    figure.legend(*first.get_legend_handles_labels(), loc="center right", fontsize=8, frameon=False)
    figure.tight_layout(rect=(0, 0, 1 - 1.5 / figure.get_figwidth(), 1))
    return figure


if __name__ == "__main__":
    sys.exit(run(__doc__, draw, read=read_clocks))
