#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which calls of a program take its time (seconds), and what does a table save of it?

Time by message size (bytes), for each collective: with the library's own collectives, as the profile
has it, and with a table's choices, by their measured speedups; as Rabenseifner and Adamidis,
"Collective Reduction Operation on Cray X1 and Other Platforms" (CUG 2004), figure 1.
"""
from __future__ import annotations

import json
import sys
from collections import defaultdict
from dataclasses import dataclass, field

from cells import Machine, Ratio, UsageError
from command_line import run
from figure import FAINT, INK, Page, plt, size_text

from matplotlib.axes import Axes
from matplotlib.figure import Figure

BEFORE, AFTER = "#c9d3df", "#2f6f9f"
ACROSS = 2
LEAST_WIDTH = 8.0  # inches: the notes
PANEL_WIDTH, PANEL_HEIGHT = 4.6, 1.9  # inches, as all below
LEFT, GAP, ABOVE, BELOW, HEAD, FOOT = 0.7, 0.75, 0.35, 0.5, 0.95, 0.65


@dataclass
class Bar:
    """Seconds in calls of one size: by the library's default, and by a table with its interval."""

    before: float = 0
    after: float = 0
    low: float = 0
    high: float = 0

    def add(self, time_s: float, speedup: Ratio) -> None:
        self.before += time_s
        self.after += time_s / speedup.ratio
        self.low += time_s / speedup.high
        self.high += time_s / speedup.low


@dataclass
class Spent:
    """A program's time, by collective and size, over all numbers of processes and mappings."""

    machine: Machine
    wall_s: float
    collectives_s: float
    bars: dict[str, dict[int, Bar]] = field(default_factory=lambda: defaultdict(dict))


def read_spent(text: str) -> Spent:
    """Only what the program calls. Where no speedup is known, none is counted."""
    whole = json.loads(text)
    spent = Spent(Machine(**whole["machine"]), **whole["program"])
    for cell in whole["cells"]:
        if cell["program_time_s"] == 0:
            continue
        bar = spent.bars[cell["collective"]].setdefault(cell["message_bytes"], Bar())
        speedup = Ratio(**cell["speedup"]) if cell["speedup"] else Ratio(1, 1, 1)
        bar.add(cell["program_time_s"], speedup)
    return spent


def sums(bars: dict[int, Bar]) -> tuple[float, float]:
    """Seconds before and after, over all sizes."""
    return sum(bar.before for bar in bars.values()), sum(bar.after for bar in bars.values())


def _seconds(value: float) -> str:
    return f"{value:.3g} s" if value < 1000 else f"{value:.0f} s"


def _saved(before: float, after: float) -> str:
    return f"{_seconds(before)}, {100 * (1 - after / before):.0f} % saved"


def _draw_panel(axes: Axes, collective: str, bars: dict[int, Bar]) -> None:
    sizes = sorted(bars)
    ordered = [bars[size] for size in sizes]
    places = range(len(sizes))
    axes.bar(places, [bar.before for bar in ordered], width=0.8, color=BEFORE)
    after = [bar.after for bar in ordered]
    whiskers = [[bar.after - bar.low for bar in ordered], [bar.high - bar.after for bar in ordered]]
    axes.bar(places, after, width=0.45, color=AFTER)
    axes.errorbar(places, after, yerr=whiskers, fmt="none", ecolor=INK, elinewidth=0.8, capsize=2)
    step = -(-len(sizes) // 8)  # so that the labels have room
    texts = [size_text(size) if size else "none" for size in sizes]
    axes.set_xticks(places[::step], texts[::step], fontsize=7)
    axes.set_xlim(-0.7, max(len(sizes), 4) - 0.3)
    axes.tick_params(labelsize=7, length=2, labelcolor=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_ylabel("s", fontsize=8, color=FAINT, rotation=0, labelpad=8)
    axes.set_xlabel("message", fontsize=8, color=FAINT)
    title = f"{collective}: {_saved(*sums(bars))}"
    axes.set_title(title, loc="left", fontsize=9, fontweight="bold", color=INK)


def draw(spent: Spent) -> Figure:
    """A panel for each collective, that with most time first; all have one scale."""
    if not spent.bars:
        raise UsageError(f"nothing that the program calls was measured on {spent.machine.describe()}")
    panels = sorted(spent.bars.items(), key=lambda each: -sums(each[1])[0])
    rows = -(-len(panels) // ACROSS)
    width = max(LEFT + min(ACROSS, len(panels)) * (PANEL_WIDTH + GAP), LEAST_WIDTH)
    height = HEAD + rows * (ABOVE + PANEL_HEIGHT + BELOW) + FOOT
    page = Page(width, height)
    highest = max(max(bar.before, bar.high) for _, bars in panels for bar in bars.values())
    for number, (collective, bars) in enumerate(panels):
        line, column = divmod(number, ACROSS)
        top = HEAD + line * (ABOVE + PANEL_HEIGHT + BELOW) + ABOVE
        left = LEFT + column * (PANEL_WIDTH + GAP)
        axes = page.axes(left, top, PANEL_WIDTH, PANEL_HEIGHT)
        _draw_panel(axes, collective, bars)
        axes.set_ylim(0, 1.05 * highest)

    before, after = (sum(each) for each in zip(*(sums(bars) for _, bars in panels)))
    page.text(0.15, "What a table saves of a program's time", fontsize=12, fontweight="bold", color=INK)
    page.line(0.42, spent.machine.describe())
    page.text(
        0.62,
        f"Collectives take {_seconds(spent.collectives_s)} of {_seconds(spent.wall_s)}; measured:"
        f" {_saved(before, after)}, which is {100 * (before - after) / spent.wall_s:.1f} % of all.",
        color=INK,
    )
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour) for colour in (BEFORE, AFTER)]
    names = ["library's own collectives", "with the table (95 % interval of its speedup)"]
    corner = (0.15 / width, 0.2 / height)
    style = {"fontsize": 8, "frameon": False, "ncols": len(names)}
    page.figure.legend(handles, names, loc="lower left", bbox_to_anchor=corner, **style)
    note = (
        "A bar has all numbers of processes and mappings; sizes that were not measured count at the"
        " nearest that was. Waiting for late ranks is counted as if it shrank too."
    )
    page.text(height - 0.22, note, fontsize=7)
    return page.figure


if __name__ == "__main__":
    sys.exit(run(__doc__, draw, read=read_spent))
