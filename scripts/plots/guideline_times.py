#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does the library do a collective faster in another way than in its own?

The time of the library's default divided by that of each mock-up, and of the fastest of the
library's own algorithms (no unit), by message size (bytes). Figure 7 of Träff, Hunold, Vardas and
Funk, "Uniform Algorithms for Reduce-scatter and (most) other Collectives for MPI" (CLUSTER 2023),
has the inverse, of one mock-up.
"""
from __future__ import annotations

import json
import sys
import textwrap
from collections import defaultdict
from dataclasses import dataclass, field

from cells import Machine, UsageError
from command_line import run
from figure import FAINT, INK, LETTER, Page, label_log, plt, short_size

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

OWN = "fastest own algorithm"
OWN_COLOUR, VIOLATED = "#777777", "#c1272d"
COLOURS = ("#2f6f9f", "#e08214", "#4d9a5b", "#8a5fb0", "#b5527a", "#8c6d31")  # colour-blind safe
MARKERS = ("o", "s", "^", "D", "v", "P")
PANEL_WIDTH, PANEL_HEIGHT = 3.1, 1.9  # inches, as all below
LEFT, GAP, KEY_WIDTH, ABOVE, BELOW, HEAD, FOOT = 0.75, 0.3, 2.6, 0.3, 0.5, 0.85, 0.65


@dataclass(frozen=True)
class Point:
    """The default's time divided by another's, with its interval."""

    ratio: float
    low: float
    high: float
    violated: bool


Line = dict[int, Point]  # by message size


@dataclass
class Compared:
    """What was judged in problems that have the default and another way to do the same."""

    machine: Machine
    tolerance: float
    oversubscribed: set[int] = field(default_factory=set)  # p
    # By collective, by p, by what is compared.
    panels: dict[str, dict[int, dict[str, Line]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(lambda: defaultdict(dict)))
    )


def read_compared(text: str) -> Compared:
    whole = json.loads(text)
    compared = Compared(Machine(kind="library", **whole["machine"]), whole["tolerance"])
    for finding in whole["findings"]:
        left, right, ratio = finding["left"], finding["right"], finding["ratio"]
        if any(left[key] != right[key] for key in ("procs", "message_bytes")) or left == right:
            continue
        name = right["algorithm"].removeprefix("native:")
        if name == right["algorithm"]:
            name = OWN
        point = Point(**ratio, violated=finding["verdict"] == "violated")
        if finding["oversubscribed"]:
            compared.oversubscribed.add(left["procs"])
        line = compared.panels[left["collective"]][left["procs"]][name]
        size = left["message_bytes"]
        if size not in line or point.ratio > line[size].ratio:
            line[size] = point
    return compared


def _style(name: str, names: list[str]) -> dict:
    """How a line looks, in all panels of a row."""
    if name == OWN:
        return {"color": OWN_COLOUR, "linestyle": "--"}
    number = names.index(name) % len(COLOURS)
    return {"color": COLOURS[number], "marker": MARKERS[number], "markersize": 3.5}


def _draw_panel(axes: Axes, lines: dict[str, Line], names: list[str], tolerance: float) -> None:
    axes.axhline(1, color=INK, linewidth=1)
    axes.axhline(1 + tolerance, color=VIOLATED, linewidth=0.8, linestyle=(0, (4, 3)))
    for name, line in lines.items():
        sizes = sorted(line)
        style = _style(name, names)
        axes.plot(sizes, [line[size].ratio for size in sizes], linewidth=1.1, **style)
        band = [line[size].low for size in sizes], [line[size].high for size in sizes]
        axes.fill_between(sizes, *band, color=style["color"], alpha=0.15, linewidth=0)
        violated = [size for size in sizes if line[size].violated]
        at = [line[size].ratio for size in violated]
        axes.plot(violated, at, "o", markersize=8, markerfacecolor="none", color=VIOLATED)
    sizes = sorted({size for line in lines.values() for size in line})
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    shown = sizes[:: -(-len(sizes) // 9)]
    axes.set_xticks(shown, [short_size(size) for size in shown])
    axes.set_xlabel("message, bytes", fontsize=8, color=FAINT)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.tick_params(labelsize=7, length=2, labelcolor=INK)
    axes.grid(axis="y", color="#e5e5e5", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def draw(compared: Compared) -> Figure:
    """A row for each collective, a column for each number of processes, one scale in a row."""
    if not compared.panels:
        raise UsageError(
            f"nothing compares the library's default with another way on"
            f" {compared.machine.describe()}: sweep --algorithms native,mock_ups,library"
        )
    procs = sorted({p for by_procs in compared.panels.values() for p in by_procs})
    step_x, step_y = PANEL_WIDTH + GAP, ABOVE + PANEL_HEIGHT + BELOW
    width = LEFT + len(procs) * step_x + KEY_WIDTH
    height = HEAD + len(compared.panels) * step_y + FOOT
    page = Page(width, height)
    for row, (collective, by_procs) in enumerate(sorted(compared.panels.items())):
        names = sorted({name for lines in by_procs.values() for name in lines} - {OWN}) + [OWN]
        first = None
        top = HEAD + row * step_y + ABOVE
        for column, p in enumerate(procs):
            left = LEFT + column * step_x
            axes = page.axes(left, top, PANEL_WIDTH, PANEL_HEIGHT, sharey=first)
            _draw_panel(axes, by_procs[p], names, compared.tolerance)
            title = f"{collective}, p = {p}{'*' if p in compared.oversubscribed else ''}"
            axes.set_title(title, loc="left", fontsize=9, fontweight="bold", color=INK)
            axes.tick_params(labelleft=column == 0)
            first = first or axes
        label_log(first.yaxis)
        handles = [plt.Line2D([], [], **_style(name, names)) for name in names]
        corner = ((LEFT + len(procs) * step_x) / width, 1 - top / height)
        style = {"fontsize": 7.5, "frameon": False}
        page.figure.legend(handles, names, loc="upper left", bbox_to_anchor=corner, **style)
    title = "Time of the library's default / time of other ways to do a collective"
    page.text(0.15, title, fontsize=12, fontweight="bold", color=INK)
    page.line(0.42, compared.machine.describe())
    notes = (
        f"Above 1 the default is slower. Dashed: the tolerance, {100 * compared.tolerance:g} %. Ringed:"
        " a violation, slower by more beyond doubt. Bands: 95 % interval."
    )
    if compared.oversubscribed:
        notes += " *: more processes than cores, which take turns: judged apart."
    page.text(height - 0.35, textwrap.fill(notes, int((width - 0.4) / (LETTER * 0.85))), fontsize=7)
    return page.figure


if __name__ == "__main__":
    sys.exit(run(__doc__, draw, read=read_compared))
