#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which algorithm does a table choose at which message size (bytes) and number of processes?

In the manner of Rabenseifner, "Optimization of Collective Reduction Operations" (ICCS 2004),
figure 3: the lines between the areas are the break-even points.
"""
from __future__ import annotations

import sys

from algorithm_names import OF_LIBRARY, abbreviations, display_name, is_of_library
from cells import NATIVE, Choice, Sheet
from command_line import run
from figure import INK, MISSING, Cell, fill, make_page, row_of

from matplotlib.axes import Axes
from matplotlib.figure import Figure

# Families of algorithms, each by words in the names of its members, the first that fits. Paul Tol's
# "light" scheme and two of his "pale" one: backgrounds that colour-blind readers tell apart, under
# dark letters.
FAMILIES = (
    (("ring", "neighbor"), "#ee8866"),
    (("halving", "binary_blocks", "reduce_scatter_", "rabenseifner"), "#44bb99"),
    (("bruck", "sparbit"), "#bbcc33"),
    (("doubling", "multiplying", "elimination", "recexch"), "#77aadd"),
    (("circulant", "dissemination"), "#ffaabb"),
    (("pairwise", "two_proc"), "#aaaa00"),
    (("chain", "pipeline", "scatter"), "#bbccee"),
    (("linear", "reduce_bcast", "nonoverlapping", "hierarchical"), "#eedd88"),
    (("binomial", "binary", "nomial", "tree"), "#99ddff"),
)
DEFAULT, OTHERS = "#d3d8de", "#ccddaa"
PRIME = "\u2032"


def colour(algorithm: str) -> str:
    """That of its family, in every map."""
    if algorithm == NATIVE:
        return DEFAULT
    for words, found in FAMILIES:
        if any(word in algorithm for word in words):
            return found
    return OTHERS


def _draw_break_even_lines(axes: Axes, sheet: Sheet) -> None:
    grid = {
        (sheet.sizes.index(size), row_of(sheet, layout)): choice
        for (layout, size), choice in sheet.cells.items()
    }
    for (column, row), choice in grid.items():
        right, above = (column + 1, row), (column, row + 1)
        for other in (right, above):
            if other not in grid or grid[other].algorithm == choice.algorithm:
                continue
            # The line runs from the neighbour's lower left corner to the corner that both share.
            xs, ys = zip(other, (column + 1, row + 1))
            axes.plot(xs, ys, color=INK, lw=1.4)


def _look(choice: Choice, looks: dict[str, Cell]) -> Cell:
    look = looks[choice.algorithm]
    text = look.text + (PRIME if choice.reordered else "")
    return Cell(look.colour, text, choice.undecided, hatched=choice.undecided)


def draw(sheets: list[Sheet]) -> Figure:
    """The map of each sheet on one page."""
    choices = [choice for sheet in sheets for choice in sheet.cells.values()]
    # Families together in the key.
    names = sorted({each.algorithm for each in choices}, key=lambda name: (colour(name), name))
    short = abbreviations(names)
    short[NATIVE] = ""  # calm: there is nothing to see
    looks = {name: Cell(colour(name), short[name]) for name in names}
    notes = [
        "Line: break-even, where the choice changes. A table decides all sizes together; one rule more"
        " has to save 3.5 % over one doubling of the size. One colour: one family of algorithms.",
    ]
    if NATIVE in names:
        notes.insert(0, "Grey without letters: the library's default stays; no rule of a table pays.")
    if any(map(is_of_library, names)):
        notes.append(f"{OF_LIBRARY}: done by the library itself, by an algorithm or collectives that it has.")
    if any(each.reordered for each in choices):
        notes.append(f"{PRIME}: with its ranks reordered, so that less passes between nodes.")
    others = set().union(*(sheet.measured for sheet in sheets)) - set(names)
    if others:
        listed = ", ".join(display_name(name) for name in sorted(others))
        notes.append(f"Measured, but chosen nowhere: {listed}.")
    key = [(look, display_name(name)) for name, look in looks.items()]
    if any(each.undecided for each in choices):
        key.append((Cell("#ffffff", "", hatched=True), "undecided"))
        notes.append("Undecided: another candidate may be more than 3 % faster.")
    if any(len(sheet.cells) < len(sheet.layouts) * len(sheet.sizes) for sheet in sheets):
        key.append((MISSING, "not measured"))
    title = "Choices of a table by message size and number of processes"
    figure, panels = make_page(sheets, title, key, notes)
    for axes, sheet in zip(panels, sheets):
        fill(axes, sheet, {place: _look(choice, looks) for place, choice in sheet.cells.items()})
        _draw_break_even_lines(axes, sheet)
    return figure


if __name__ == "__main__":
    sys.exit(run(__doc__, draw))
