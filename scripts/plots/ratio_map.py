#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How many times faster than the library's own collective is the best algorithm?

The ratio is native time (or another algorithm's) / best other algorithm's time (no unit) by message
size (bytes) and number of processes, in the classes of Rabenseifner, "Optimization of Collective Reduction Operations"
(ICCS 2004), figure 4.
"""
from __future__ import annotations

import bisect
import sys

from algorithm_names import display_name
from cells import NATIVE, Layout, Ratio, Sheet, UsageError
from command_line import run
from figure import MISSING, Cell, fill, make_page

from matplotlib.figure import Figure

BOUNDS = (0.7, 0.9, 1.1, 1.5, 2, 3, 5, 7, 10, 20, 50, 100)
CALM = "#e4e7ea"
# One colour per class: orange where the library is better, grey where equal, then green to violet.
COLOURS = (
    *("#e08214", "#fdd0a2"),
    CALM,
    *("#d9f0d3", "#b2e2c5", "#7fcdbb", "#58b7cf", "#5a9fd4", "#7f8fd0", "#9a82c9"),
    *("#b07cc6", "#c774bb", "#dd6fae"),
)


def ratios(sheet: Sheet) -> dict[tuple[Layout, int], Ratio]:
    """The ratio of every cell in which both the library and an algorithm were measured."""
    return {place: each.best_ratio for place, each in sheet.cells.items() if each.best_ratio}


def ratio_class(ratio: float) -> int:
    """The class of the ratio, 0 for less than 0.7; a bound belongs to the class above it."""
    return bisect.bisect_right(BOUNDS, ratio)


def class_texts() -> list[str]:
    between = [f"{low:g} to {high:g}" for low, high in zip(BOUNDS, BOUNDS[1:])]
    return [f"below {BOUNDS[0]:g}", *between, f"from {BOUNDS[-1]:g}"]


def _text(ratio: float) -> str:
    """Two digits, but whole numbers whole: 0.0047, 0.52, 1.0, 9.5, 369."""
    return f"{ratio:#.2g}" if ratio < 9.95 else f"{ratio:.0f}"


def _look(ratio: Ratio) -> Cell:
    colour = CALM if ratio.undecided else COLOURS[ratio_class(ratio.ratio)]
    return Cell(colour, _text(ratio.ratio), ratio.undecided)


def draw(sheets: list[Sheet]) -> Figure:
    """The map of each sheet on one page."""
    compared = [sheet for sheet in sheets if ratios(sheet)]
    baseline = sheets[0].baseline
    name = "the library's own collective" if baseline == NATIVE else display_name(baseline)
    if not compared:
        machine = sheets[0].machine
        lacks = baseline == NATIVE and machine.kind == "model"
        reason = "a model has none" if lacks else "a sweep must measure both"
        raise UsageError(
            f"no cell compares an algorithm with {name} ('{baseline}') on {machine.describe()}: {reason}"
        )
    shown_ratios = [each for sheet in compared for each in ratios(sheet).values()]
    classes = {ratio_class(1 if each.undecided else each.ratio) for each in shown_ratios}
    shown = slice(min(classes), max(classes) + 1)
    key = [(Cell(colour, ""), text) for colour, text in zip(COLOURS[shown], class_texts()[shown])]
    notes = [
        f"Number: time of {name} / that of the best other algorithm; above 1 the latter is faster."
        f" {MISSING.text}: not both measured.",
        "Light numbers on grey: no significant difference (the 95 % interval of the ratio has 1 in it).",
    ]
    title = f"Speedup of the best algorithm over {name}"
    figure, panels = make_page(compared, title, key, notes)
    for axes, sheet in zip(panels, compared):
        fill(axes, sheet, {place: _look(ratio) for place, ratio in ratios(sheet).items()})
    return figure


if __name__ == "__main__":
    sys.exit(run(__doc__, draw))
