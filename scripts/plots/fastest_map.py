#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which algorithm is fastest at which message size (bytes) and number of processes?

In the manner of Rabenseifner, "Optimization of Collective Reduction Operations" (ICCS 2004),
figure 3: the lines between the areas are the break-even points.
"""
from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass

from algorithm_names import abbreviations, display_name, is_of_library
from command_line import run
from database import NATIVE, Layout, Sheet, Times, significantly_faster
from figure import INK, Cell, draw_cell, make_page

from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure

# Paul Tol's "light" scheme: backgrounds that colour-blind readers tell apart, under dark letters.
COLOURS = {
    NATIVE: "#f2f2f2",
    "binomial": "#99ddff",
    "bruck": "#bbcc33",
    "circulant": "#ffaabb",
    "halving_doubling": "#44bb99",
    "pairwise": "#aaaa00",
    "recursive_doubling": "#77aadd",
    "reduce_bcast": "#eedd88",
    "ring": "#ee8866",
}
# For names without a colour of their own, once those that a map has no use for are spent: Tol's
# "pale" scheme and three of his "muted" one, and then tints between these, for maps of more than
# fifteen, which are read by their letters.
MORE_COLOURS = [
    *("#bbccee", "#ffcccc", "#ccddaa", "#eeeebb", "#cceeff", "#ddcc77", "#cc99bb"),
    *("#ddbbff", "#ffddaa", "#aaddcc", "#c8b8a0", "#b8c4d0", "#e8b0a0", "#a8d880", "#f0e0f0"),
]
PRIME = "\u2032"
# A smaller difference is gone with the next layout of the machine, however significant it is.
LEAST_SPEEDUP = 1.03


@dataclass(frozen=True)
class Winner:
    """The algorithm that stands in a cell."""

    algorithm: str
    undecided: bool  # another is as fast, as far as the launches tell
    reordered: bool = False


def winners(sheet: Sheet) -> dict[tuple[Layout, int], Winner]:
    """The winner of every measured cell: the library's own where nothing is shown to be faster.

    Of several that are as fast, the one that is among the fastest in most cells of the sheet: two
    names for one speed are no difference.
    """
    found, equals = {}, {}
    for place, cell in sheet.cells.items():
        if NATIVE not in cell:
            found[place] = _fastest(cell)
        elif faster := _equally_fast(cell):
            equals[place] = faster
        else:
            found[place] = Winner(NATIVE, False)
    while equals:
        often = Counter(name for names in equals.values() for name in names)
        most = min(often, key=lambda name: (-often[name], name))
        for place in [place for place, names in equals.items() if most in names]:
            reordered = "reorder_ranks=" in sheet.cells[place][most].params
            found[place] = Winner(most, len(equals.pop(place)) > 1, reordered)
    return found


def _fastest(cell: dict[str, Times]) -> Winner:
    """By the medians alone: without the library's own there is nothing to be faster than."""
    ranked = sorted(cell.items(), key=lambda item: (item[1].seconds, item[0]))
    (first, best), others = ranked[0], ranked[1:]
    # The second by its median need not be the rival that comes closest in some launch.
    decided = bool(others) and all(significantly_faster(best, other) for _, other in others)
    return Winner(first, not decided, "reorder_ranks=" in best.params)


def _equally_fast(cell: dict[str, Times]) -> list[str]:
    """The algorithms that are significantly faster than the library's own, without those that are
    significantly slower than the fastest of them."""
    native = cell[NATIVE]
    faster = {
        name: times
        for name, times in cell.items()
        if significantly_faster(times, native, LEAST_SPEEDUP)
    }
    best = min(faster.values(), key=lambda times: times.seconds, default=None)
    return [
        name
        for name, times in faster.items()
        if not significantly_faster(best, times, LEAST_SPEEDUP)
    ]


def colours(algorithms: list[str]) -> dict[str, str]:
    """Each algorithm's colour in every map; one without its own gets what this map leaves over."""
    free = [colour for name, colour in COLOURS.items() if name not in algorithms] + MORE_COLOURS
    chosen = {}
    for name in algorithms:
        unknown = sum(1 for other in chosen if other not in COLOURS)
        chosen[name] = COLOURS.get(name) or free[unknown % len(free)]
    return chosen


def _paler(colour: str) -> str:
    return to_hex([0.45 * part + 0.55 for part in to_rgb(colour)])


def _draw_break_even_lines(axes: Axes, grid: dict[tuple[int, int], Winner]) -> None:
    for (column, row), winner in grid.items():
        right, above = (column + 1, row), (column, row + 1)
        for other in (right, above):
            if other not in grid or grid[other].algorithm == winner.algorithm:
                continue
            undecided = winner.undecided or grid[other].undecided
            # The line runs from the neighbour's lower left corner to the corner that both share.
            xs, ys = zip(other, (column + 1, row + 1))
            axes.plot(xs, ys, color=INK, lw=0.5 if undecided else 1.4)


def _draw_panel(axes: Axes, sheet: Sheet, looks: dict[str, Cell]) -> None:
    grid = {
        (sheet.sizes.index(size), sheet.layouts.index(layout)): winner
        for (layout, size), winner in winners(sheet).items()
    }
    for (column, row), winner in grid.items():
        look = looks[winner.algorithm]
        colour = _paler(look.colour) if winner.undecided else look.colour
        text = look.text + (PRIME if winner.reordered else "")
        draw_cell(axes, column, row, Cell(colour, text, winner.undecided))
    _draw_break_even_lines(axes, grid)


def draw(sheets: list[Sheet]) -> Figure:
    """The map of each sheet on one page."""
    measured = {name for sheet in sheets for cell in sheet.cells.values() for name in cell}
    first = {each.algorithm for sheet in sheets for each in winners(sheet).values()}
    names = sorted(first)
    short, colour = abbreviations(names), colours(names)
    short[NATIVE] = ""  # calm: there is nothing to see
    looks = {name: Cell(colour[name], short[name]) for name in names}
    notes = [
        "Line: break-even, where the fastest algorithm changes; thin where that is undecided."
        " Blank: not measured.",
        "Pale: another algorithm is as fast, or only one was measured, or in fewer than three"
        " launches. Of equals, the one that is among the fastest in most cells stands for all.",
    ]
    if NATIVE in names:
        notes.insert(0, (
            "Without letters: keep the library's own;"
            f" no algorithm is faster by {LEAST_SPEEDUP - 1:.0%}"
            " or more, significantly (three launches at least have to show it)."
        ))
    if any(map(is_of_library, names)):
        notes.append("Small letters: an algorithm that the library has itself, made to run.")
    if any(winner.reordered for sheet in sheets for winner in winners(sheet).values()):
        notes.append(f"{PRIME}: with its ranks reordered, so that less passes between nodes.")
    if measured - first:
        others = ", ".join(display_name(name) for name in sorted(measured - first))
        notes.append(f"Measured, but nowhere fastest: {others}.")
    key = [(look, display_name(name)) for name, look in looks.items()]
    title = "Fastest algorithm by message size and number of processes"
    figure, panels = make_page(sheets, title, key, notes)
    for axes, sheet in zip(panels, sheets):
        _draw_panel(axes, sheet, looks)
    return figure


if __name__ == "__main__":
    sys.exit(run(__doc__, draw))
