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
import textwrap
from collections import defaultdict
from collections.abc import Iterable

from figure import INK, NOTE_LINE, Page, UsageError, describe, label_log, label_panel, note_lines, plt, run, size_text

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

OWN = "fastest own algorithm"
OWN_COLOUR, VIOLATED = "#777777", "#c1272d"
COLOURS = ("#2f6f9f", "#e08214", "#4d9a5b", "#8a5fb0", "#b5527a", "#8c6d31")  # colour-blind safe
MARKERS = ("o", "s", "^", "D", "v", "P")
PANEL_WIDTH, PANEL_HEIGHT = 3.1, 1.9  # inches, as all below
LEFT, GAP, KEY_WIDTH, TITLE_LINE, BELOW, HEAD = 0.75, 0.3, 2.6, 0.15, 0.5, 0.85
TITLE_LETTERS = 42  # above a panel

# Problems differ in these and in the message: a row of panels for each call, a column for each layout.
CALL = ("collective", "form", "datatype", "op", "root", "counts")
LAYOUT = ("procs", "shape", "mapping", "comms_per_node")
# A title tells what isn't so; of the rest, in what panels of one collective or p differ.
USUAL = {"collective": None, "form": "blocking", "counts": "equal", "procs": None, "comms_per_node": 1}
WORDS = {
    **{"root": "root {}", "counts": "{} counts"},
    **{"procs": "p = {}", "shape": "{0[0]}\u00d7{0[1]}", "comms_per_node": "{} at once"},
}

Panels = dict[tuple, dict[tuple, dict[str, dict[int, dict]]]]  # by call, layout, what is compared, size


def _key(problem: dict, names: tuple[str, ...]) -> tuple:
    shaped = {**problem, "shape": (problem["nodes"], problem["procs_per_node"])}
    return tuple(shaped[name] for name in names)


def told(names: tuple[str, ...], key: tuple, keys: Iterable[tuple]) -> str:
    """The words of a title for a call or layout among all: "allreduce, double", "p = 4, 2x2"."""
    texts = []
    for place, (name, value) in enumerate(zip(names, key)):
        differs = len({each[place] for each in keys if each[0] == key[0]}) > 1
        if value != USUAL[name] if name in USUAL else differs:
            texts.append(WORDS.get(name, "{}").format(value))
    return ", ".join(texts)


def panels_of(findings: list[dict]) -> Panels:
    """The findings of problems that have the default and another way to do the same."""
    panels: Panels = defaultdict(lambda: defaultdict(lambda: defaultdict(dict)))
    for finding in findings:
        left, right = finding["left"], finding["right"]
        names = (*CALL, *LAYOUT, "message_bytes")
        if _key(left, names) != _key(right, names) or left == right:
            continue
        is_mock_up = right["algorithm"].startswith("native:")
        name = right["algorithm"].removeprefix("native:") if is_mock_up else OWN
        if finding["guideline"].endswith("_overlap"):
            name += ", with work"
        line = panels[_key(left, CALL)][_key(left, LAYOUT)][name]
        known = line.setdefault(left["message_bytes"], finding)
        if finding["ratio"]["ratio"] > known["ratio"]["ratio"]:
            line[left["message_bytes"]] = finding
    return panels


def _style(name: str, names: list[str]) -> dict:
    """How a line looks, in all panels of a row."""
    if name.startswith(OWN):
        return {"color": OWN_COLOUR, "linestyle": "--" if name == OWN else ":", "marker": "x", "markersize": 3.5}
    around, look = divmod(names.index(name), len(COLOURS))
    return {"color": COLOURS[look], "marker": MARKERS[(look + around) % len(MARKERS)], "markersize": 3.5}


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
    axes.set_xscale("log" if sizes[0] else "symlog", base=2)  # a barrier has no size
    axes.set_yscale("log")
    shown = sizes[:: -(-len(sizes) // 9)]
    texts = [size_text(size).removesuffix("iB").removesuffix(" B").replace(" ", "") for size in shown]  # 8, 64K
    axes.set_xticks(shown, texts)
    axes.xaxis.set_minor_locator(NullLocator())


def draw(compared: dict) -> Figure:
    """A row for each call, a column for each layout, one scale in a row."""
    panels, tolerance = panels_of(compared["findings"]), compared["tolerance"]
    if not panels:
        raise UsageError(
            f"nothing compares the library's default with another way on"
            f" {describe(compared['machine'])}: sweep --algorithms native,mock_ups,library"
        )
    layouts = sorted({layout for by_layout in panels.values() for layout in by_layout})
    turns = {_key(each["left"], LAYOUT) for each in compared["findings"] if each["oversubscribed"]} & set(layouts)
    titles = {}
    for call, by_layout in panels.items():
        for layout in by_layout:
            title = f"{told(CALL, call, panels)}, {told(LAYOUT, layout, layouts)}{'*' if layout in turns else ''}"
            titles[call, layout] = textwrap.fill(title, TITLE_LETTERS)
    above = TITLE_LINE * (2 + max(title.count("\n") for title in titles.values()))
    step_x, step_y = PANEL_WIDTH + GAP, above + PANEL_HEIGHT + BELOW
    width = LEFT + len(layouts) * step_x + KEY_WIDTH
    note = (
        f"Above 1 the default is slower. Dashed: the tolerance, {100 * tolerance:g} %. Ringed:"
        " a violation, slower by more beyond doubt. Bands: 95 % interval."
    )
    if turns:
        note += " *: more processes than cores, which take turns: judged apart."
    notes = note_lines([note], width)
    height = HEAD + len(panels) * step_y + NOTE_LINE * len(notes) + 0.2
    page = Page(width, height)
    for row, (call, by_layout) in enumerate(sorted(panels.items())):
        names = sorted({name for lines in by_layout.values() for name in lines}, key=_last_own)
        first = None
        top = HEAD + row * step_y + above
        for layout, lines in by_layout.items():
            left = LEFT + layouts.index(layout) * step_x
            axes = page.axes(left, top, PANEL_WIDTH, PANEL_HEIGHT, sharey=first)
            _draw_panel(axes, lines, names, tolerance)
            label_panel(axes, titles[call, layout], "message, bytes")
            axes.tick_params(labelleft=first is None)
            first = first or axes
        label_log(first.yaxis)
        handles = [plt.Line2D([], [], **_style(name, names)) for name in names]
        corner = ((LEFT + len(layouts) * step_x) / width, 1 - top / height)
        style = {"fontsize": 7.5, "frameon": False}
        page.figure.legend(handles, names, loc="upper left", bbox_to_anchor=corner, **style)
    page.head("Time of the library's default / time of other ways to do a collective", describe(compared["machine"]))
    page.foot(notes)
    return page.figure


if __name__ == "__main__":
    sys.exit(run(__doc__, draw))
