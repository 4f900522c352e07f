#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which calls of a program take its time (seconds), and what does a table save of it?

Time by message size (bytes), for each collective: with the library's own collectives, as the profile
has it, and with a table's choices, by their measured speedups; as Rabenseifner and Adamidis,
"Collective Reduction Operation on Cray X1 and Other Platforms" (CUG 2004), figure 1.
"""
from __future__ import annotations

import sys
from collections import defaultdict

from figure import INK, FAINT, NOTE_LINE, Page, describe, label_panel, note_lines, plt, run, size_text

from matplotlib.axes import Axes
from matplotlib.figure import Figure

BEFORE, AFTER = "#c9d3df", "#2f6f9f"
ACROSS = 2
LEAST_WIDTH = 8.0  # inches: the key
PANEL_WIDTH, PANEL_HEIGHT = 4.6, 1.9  # inches, as all below
LEFT, GAP, ABOVE, BELOW, HEAD, FOOT = 0.7, 0.75, 0.35, 0.5, 0.95, 0.6
NOTE = (
    "A bar has all numbers of processes and mappings; sizes that were not measured count at the"
    " nearest that was. Waiting for late ranks is counted as if it shrank too."
)


def sums(bars: list[dict]) -> tuple[float, float]:
    """Seconds before and after, over all sizes."""
    return sum(bar["before_s"] for bar in bars), sum(bar["after_s"] for bar in bars)


def _seconds(value: float) -> str:
    return f"{value:.3g} s" if value < 1000 else f"{value:.0f} s"


def _saved(before: float, after: float) -> str:
    return f"{_seconds(before)}, {100 * (1 - after / before):.0f} % saved"


def _draw_panel(axes: Axes, collective: str, bars: list[dict]) -> None:
    before, after, low, high = ([bar[f"{key}_s"] for bar in bars] for key in ("before", "after", "low", "high"))
    places = range(len(bars))
    axes.bar(places, before, width=0.8, color=BEFORE)
    axes.bar(places, after, width=0.45, color=AFTER)
    whiskers = [[a - b for a, b in zip(*ends)] for ends in ((after, low), (high, after))]
    axes.errorbar(places, after, yerr=whiskers, fmt="none", ecolor=INK, elinewidth=0.8, capsize=2)
    label_panel(axes, f"{collective}: {_saved(*sums(bars))}", "message")
    axes.grid(False)
    step = -(-len(bars) // 8)  # so that the labels have room
    texts = [size_text(bar["message_bytes"]) if bar["message_bytes"] else "none" for bar in bars]
    axes.set_xticks(places[::step], texts[::step])
    axes.set_xlim(-0.7, max(len(bars), 4) - 0.3)
    axes.set_ylabel("s", fontsize=8, color=FAINT, rotation=0, labelpad=8)


def draw(spent: dict) -> Figure:
    """A panel for each collective, that with most time first; all have one scale."""
    by_collective: dict[str, list[dict]] = defaultdict(list)
    for bar in spent["bars"]:
        by_collective[bar["collective"]].append(bar)
    panels = sorted(by_collective.items(), key=lambda each: -sums(each[1])[0])
    rows = -(-len(panels) // ACROSS)
    width = max(LEFT + min(ACROSS, len(panels)) * (PANEL_WIDTH + GAP), LEAST_WIDTH)
    notes = note_lines([NOTE], width)
    height = HEAD + rows * (ABOVE + PANEL_HEIGHT + BELOW) + FOOT + NOTE_LINE * len(notes)
    page = Page(width, height)
    highest = max(max(bar["before_s"], bar["high_s"]) for bar in spent["bars"])
    for number, (collective, bars) in enumerate(panels):
        line, column = divmod(number, ACROSS)
        top = HEAD + line * (ABOVE + PANEL_HEIGHT + BELOW) + ABOVE
        axes = page.axes(LEFT + column * (PANEL_WIDTH + GAP), top, PANEL_WIDTH, PANEL_HEIGHT)
        _draw_panel(axes, collective, bars)
        axes.set_ylim(0, 1.05 * highest)

    before, after = sums(spent["bars"])
    page.head("The time that a table saves a program", describe(spent["machine"]))
    page.text(
        0.62,
        f"Collectives take {_seconds(spent['collectives_s'])} of {_seconds(spent['wall_s'])}; measured:"
        f" {_saved(before, after)}, which is {100 * (before - after) / spent['wall_s']:.1f} % of all.",
        color=INK,
    )
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour) for colour in (BEFORE, AFTER)]
    names = ["library's own collectives", "with the table (95 % interval of its speedup)"]
    corner = (0.15 / width, (0.21 + NOTE_LINE * len(notes)) / height)
    style = {"fontsize": 8, "frameon": False, "ncols": len(names)}
    page.figure.legend(handles, names, loc="lower left", bbox_to_anchor=corner, **style)
    page.foot(notes)
    return page.figure


if __name__ == "__main__":
    sys.exit(run(__doc__, draw))
