#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does the library do a collective faster in another way than in its own?

The time of the library's default divided by that of each mock-up, and of the fastest of the
library's own algorithms (no unit), by message size (bytes). Figure 7 of Träff, Hunold, Vardas and
Funk, "Uniform Algorithms for Reduce-scatter and (most) other Collectives for MPI" (CLUSTER 2023),
has the inverse, of one mock-up.
"""
from __future__ import annotations

import sys
from collections import defaultdict

from figure import INK, NOTE_LINE, Page, UsageError, describe, label_log, label_panel, note_lines, plt, run, size_text

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

OWN = "fastest own algorithm"
OWN_COLOUR, VIOLATED = "#777777", "#c1272d"
COLOURS = ("#2f6f9f", "#e08214", "#4d9a5b", "#8a5fb0", "#b5527a", "#8c6d31")  # colour-blind safe
MARKERS = ("o", "s", "^", "D", "v", "P")
PANEL_WIDTH, PANEL_HEIGHT = 3.1, 1.9  # inches, as all below
LEFT, GAP, KEY_WIDTH, ABOVE, BELOW, HEAD = 0.75, 0.3, 2.6, 0.3, 0.5, 0.85


Panels = dict[str, dict[int, dict[str, dict[int, dict]]]]  # by collective, p, what is compared, size


def panels_of(findings: list[dict]) -> Panels:
    """The findings of problems that have the default and another way to do the same."""
    panels: Panels = defaultdict(lambda: defaultdict(lambda: defaultdict(dict)))
    for finding in findings:
        left, right = finding["left"], finding["right"]
        if any(left[key] != right[key] for key in ("procs", "message_bytes")) or left == right:
            continue
        is_mock_up = right["algorithm"].startswith("native:")
        name = right["algorithm"].removeprefix("native:") if is_mock_up else OWN
        if finding["guideline"].endswith("_overlap"):
            name += ", with work"
        form = "" if left["form"] == "blocking" else f", {left['form']}"
        line = panels[left["collective"] + form][left["procs"]][name]
        known = line.setdefault(left["message_bytes"], finding)
        if finding["ratio"]["ratio"] > known["ratio"]["ratio"]:
            line[left["message_bytes"]] = finding
    return panels


def _style(name: str, names: list[str]) -> dict:
    """How a line looks, in all panels of a row."""
    if name.startswith(OWN):
        return {"color": OWN_COLOUR, "linestyle": "--" if name == OWN else ":"}
    number = names.index(name) % len(COLOURS)
    return {"color": COLOURS[number], "marker": MARKERS[number], "markersize": 3.5}


def _last_own(name: str) -> tuple[bool, str]:
    return name.startswith(OWN), name


def _draw_panel(axes: Axes, lines: dict[str, dict[int, dict]], names: list[str], tolerance: float) -> None:
    axes.axhline(1, color=INK, linewidth=1)
    axes.axhline(1 + tolerance, color=VIOLATED, linewidth=0.8, linestyle=(0, (4, 3)))
    for name, line in lines.items():
        sizes = sorted(line)
        ratios, lows, highs = ([line[size]["ratio"][key] for size in sizes] for key in ("ratio", "low", "high"))
        style = _style(name, names)
        axes.plot(sizes, ratios, linewidth=1.1, **style)
        axes.fill_between(sizes, lows, highs, color=style["color"], alpha=0.15, linewidth=0)
        violated = [(size, ratio) for size, ratio in zip(sizes, ratios) if line[size]["verdict"] == "violated"]
        if violated:
            axes.plot(*zip(*violated), "o", markersize=8, markerfacecolor="none", color=VIOLATED)
    sizes = sorted({size for line in lines.values() for size in line})
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    shown = sizes[:: -(-len(sizes) // 9)]
    texts = [size_text(size).removesuffix("iB").removesuffix(" B").replace(" ", "") for size in shown]  # 8, 64K
    axes.set_xticks(shown, texts)
    axes.xaxis.set_minor_locator(NullLocator())


def draw(compared: dict) -> Figure:
    """A row for each collective, a column for each number of processes, one scale in a row."""
    panels, tolerance = panels_of(compared["findings"]), compared["tolerance"]
    if not panels:
        raise UsageError(
            f"nothing compares the library's default with another way on"
            f" {describe(compared['machine'])}: sweep --algorithms native,mock_ups,library"
        )
    procs = sorted({p for by_procs in panels.values() for p in by_procs})
    turns = {each["left"]["procs"] for each in compared["findings"] if each["oversubscribed"]} & set(procs)
    step_x, step_y = PANEL_WIDTH + GAP, ABOVE + PANEL_HEIGHT + BELOW
    width = LEFT + len(procs) * step_x + KEY_WIDTH
    note = (
        f"Above 1 the default is slower. Dashed: the tolerance, {100 * tolerance:g} %. Ringed:"
        " a violation, slower by more beyond doubt. Bands: 95 % interval."
    )
    if turns:
        note += " *: more processes than cores, which take turns: judged apart."
    notes = note_lines([note], width)
    height = HEAD + len(panels) * step_y + NOTE_LINE * len(notes) + 0.2
    page = Page(width, height)
    for row, (collective, by_procs) in enumerate(sorted(panels.items())):
        names = sorted({name for lines in by_procs.values() for name in lines}, key=_last_own)
        first = None
        top = HEAD + row * step_y + ABOVE
        for column, p in enumerate(procs):
            left = LEFT + column * step_x
            axes = page.axes(left, top, PANEL_WIDTH, PANEL_HEIGHT, sharey=first)
            _draw_panel(axes, by_procs[p], names, tolerance)
            mark = "*" if p in turns else ""
            label_panel(axes, f"{collective}, p = {p}{mark}", "message, bytes")
            axes.tick_params(labelleft=column == 0)
            first = first or axes
        label_log(first.yaxis)
        handles = [plt.Line2D([], [], **_style(name, names)) for name in names]
        corner = ((LEFT + len(procs) * step_x) / width, 1 - top / height)
        style = {"fontsize": 7.5, "frameon": False}
        page.figure.legend(handles, names, loc="upper left", bbox_to_anchor=corner, **style)
    page.head("Time of the library's default / time of other ways to do a collective", describe(compared["machine"]))
    page.foot(notes)
    return page.figure


if __name__ == "__main__":
    sys.exit(run(__doc__, draw))
