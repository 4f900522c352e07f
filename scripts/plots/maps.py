#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which algorithm does a table choose, or how many times faster than another is the best one?

By message size (bytes) and number of processes. In the manner of Rabenseifner, "Optimization of
Collective Reduction Operations" (ICCS 2004), figures 3 and 4: lines between areas are break-even
points; ratios have no unit. report/plots.hpp describes the input.
"""
from __future__ import annotations

import sys

from figure import FAINT, INK, LETTER, MARGIN, NOTE_LINE, Page, describe, note_lines, run

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

# Inches: a cell has the same size on a page of one row or of twenty, and nothing overlaps.
CELL_WIDTH, CELL_HEIGHT = 0.36, 0.29
HEAD = 0.7  # title and headline
ABOVE_PANEL, BELOW_PANEL = 0.3, 0.5  # a panel's own title; its x labels
KEY_LINE = 0.36
LEAST_WIDTH = 7.0  # room for title, key and notes over a narrow panel
GAP = 0.5  # of a row, below those with more processes than cores
MISSING = "\u00d7"


def draw_cell(
    axes: Axes, column: float, row: float, colour: str, text: str, light: bool = False, hatched: bool = False
) -> None:
    """Fills the unit square whose lower left corner is (column, row)."""
    hatch = {"hatch": "////", "edgecolor": "#00000050"} if hatched else {}
    axes.add_patch(Rectangle((column, row), 1, 1, facecolor=colour, lw=0, **hatch))
    style = {"color": FAINT} if light else {"color": INK, "fontweight": "bold"}
    size = min(7, 29 / max(1, len(text)))  # so that five letters fit too
    axes.text(column + 0.5, row + 0.47, text, ha="center", va="center", fontsize=size, **style)


def rows_below(panel: dict) -> int:
    """How many rows lie below those with more processes than cores."""
    return len(panel["rows"]) - panel["apart"]


def row_of(panel: dict, row: int) -> float:
    """The lower edge of its row."""
    return row + (GAP if row >= rows_below(panel) else 0)


def rows_high(panel: dict) -> float:
    return len(panel["rows"]) + (GAP if panel["apart"] else 0)


def fill(axes: Axes, panel: dict, key: list[dict]) -> None:
    """Draws each cell, a cross where there is none; those with more processes than cores are pale."""
    for row, line in enumerate(panel["cells"]):
        apart = row >= rows_below(panel)
        for column, cell in enumerate(line):
            colour = key[cell["look"]]["pale" if apart else "colour"] if cell else "#ffffff"
            text, light, hatched = (cell["text"], cell["light"], cell["hatched"]) if cell else (MISSING, True, False)
            draw_cell(axes, column, row_of(panel, row), colour, text, light or apart, hatched)
    if panel["apart"]:
        below = row_of(panel, rows_below(panel)) - GAP / 2
        over = {"facecolor": "white", "lw": 0, "pad": 0.5}  # the frame of a narrow panel
        axes.text(0.1, below, "* more processes than cores", va="center", fontsize=7, color=FAINT, bbox=over)


def draw_lines(axes: Axes, panel: dict) -> None:
    """Break-even points: between neighbours with different looks."""
    grid = {
        (column, row_of(panel, row)): cell["look"]
        for row, line in enumerate(panel["cells"])
        for column, cell in enumerate(line)
        if cell
    }
    for (column, row), look in grid.items():
        for other in ((column + 1, row), (column, row + 1)):
            if grid.get(other, look) != look:
                # The line runs from the neighbour's lower left corner to the corner that both share.
                xs, ys = zip(other, (column + 1, row + 1))
                axes.plot(xs, ys, color=INK, lw=1.4)


def _size(panel: dict) -> tuple[float, float]:
    return len(panel["sizes"]) * CELL_WIDTH, rows_high(panel) * CELL_HEIGHT


def _label(axes: Axes, panel: dict) -> None:
    sizes, rows = panel["sizes"], panel["rows"]
    axes.set(xlim=(0, len(sizes)), ylim=(0, rows_high(panel)))
    axes.tick_params(length=0, labelcolor=INK)
    axes.spines[:].set_linewidth(0.8)
    step = 1 if max(map(len, sizes)) <= 4 else 2  # a cell is as wide as "512K"
    axes.set_xticks([column + 0.5 for column in range(0, len(sizes), step)], sizes[::step], fontsize=7)
    axes.set_yticks([row_of(panel, row) + 0.5 for row in range(len(rows))], rows, fontsize=8)
    if len(rows) > 2:
        axes.set_ylabel("processes", fontsize=8, color=FAINT)
    else:  # "processes" is higher than two rows
        axes.set_ylabel("p", fontsize=8, color=FAINT, rotation=0, va="center")
    fits = LETTER * len(panel["axis"]) < _size(panel)[0]
    axes.set_xlabel(panel["axis"], fontsize=8, color=FAINT, loc="center" if fits else "left")
    axes.set_title(panel["title"], loc="left", fontsize=9, fontweight="bold", color=INK)


def _draw_key(page: Page, y: float, key: list[dict], across: int, step: float) -> None:
    for number, entry in enumerate(key):
        line, column = divmod(number, across)
        axes = page.axes(MARGIN + column * step, y + line * KEY_LINE, CELL_WIDTH, CELL_HEIGHT)
        axes.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
        axes.spines[:].set_linewidth(0.4)
        light = entry["text"] == MISSING
        draw_cell(axes, 0, 0, entry["colour"], entry["text"], light, entry["hatched"])
        axes.text(1.25, 0.47, entry["name"], va="center", fontsize=8, color=INK)


def draw(whole: dict) -> Figure:
    """The panels, two in a line, above key and notes."""
    panels, key = whole["panels"], whole["key"]
    across = min(2, len(panels))
    left = 0.5 + LETTER * max(len(row) for panel in panels for row in panel["rows"])
    heading = LETTER * max(max(1.25 * len(panel["title"]), len(panel["axis"])) for panel in panels)
    step = left + max(heading, *(_size(panel)[0] for panel in panels)) + MARGIN
    width = max(LEAST_WIDTH, step * across)
    lines = [panels[first : first + across] for first in range(0, len(panels), across)]
    heights = [max(_size(each)[1] for each in line) + ABOVE_PANEL + BELOW_PANEL for line in lines]
    key_step = CELL_WIDTH + 0.25 + LETTER * max(len(entry["name"]) for entry in key)
    key_across = int((width - 2 * MARGIN) / key_step)
    key_height = KEY_LINE * -(-len(key) // key_across)
    notes = note_lines(whole["notes"], width)
    page = Page(width, HEAD + sum(heights) + key_height + NOTE_LINE * len(notes) + 0.1 + MARGIN)
    page.head(whole["title"], f"{describe(whole['machine'])}, {whole['launches']}")
    y = HEAD
    for line, height in zip(lines, heights):
        for number, panel in enumerate(line):
            axes = page.axes(left + number * step, y + ABOVE_PANEL, *_size(panel))
            fill(axes, panel, key)
            if whole["lines"]:
                draw_lines(axes, panel)
            _label(axes, panel)
        y += height
    _draw_key(page, y, key, key_across, key_step)
    page.foot(notes)
    return page.figure


if __name__ == "__main__":
    sys.exit(run(__doc__, draw))
