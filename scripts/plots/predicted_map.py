#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which algorithm does a machine model predict as the fastest, by message size (bytes) and processes?

In the manner of Rabenseifner, "Optimization of Collective Reduction Operations" (ICCS 2004), figure
3: the lines between the areas are the break-even points. With --baseline how many times faster than
that algorithm the fastest of the others is (no unit), as in his figure 4.
"""
from __future__ import annotations

import math
import sys

from figure import FAINT, INK, LETTER, NOTE_LINE, Page, describe, note_lines, run, size_text

from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, to_rgb
from matplotlib.figure import Figure

WIDTH, HEIGHT = 7.4, 4.6  # of the map, in inches
LEFT, TOP, BELOW = 0.75, 0.75, 0.55
KEY_STEP, SWATCH = 0.24, 0.28
Grid = list[list[int]]  # the look of each cell: an algorithm, or a class of ratios


def edges(values: list[int]) -> list[float]:
    """The borders of cells around the values, on a logarithmic axis."""
    logs = [math.log2(value) for value in values]
    between = [(low + high) / 2 for low, high in zip(logs, logs[1:])]
    first, last = 2 * logs[0] - between[0], 2 * logs[-1] - between[-1]
    return [2**each for each in (first, *between, last)]


def areas(grid: Grid) -> list[tuple[int, list[tuple[int, int]]]]:
    """The connected areas of equal looks, as lists of (row, column)."""
    left = {(row, column): look for row, line in enumerate(grid) for column, look in enumerate(line)}
    found = []
    while left:
        start = next(iter(left))
        look, area, waiting = left.pop(start), [], [start]
        while waiting:
            row, column = waiting.pop()
            area.append((row, column))
            for near in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
                if left.get(near) == look:
                    del left[near]
                    waiting.append(near)
        found.append((look, area))
    return found


def label_place(
    area: list[tuple[int, int]], xs: list[float], ys: list[float], width: float
) -> tuple[float, float] | None:
    """Where in the area a text of this width and 0.13 has most room; none where it has too little.

    `xs` and `ys` are the borders of columns and rows, in inches, as is the answer.
    """
    inside = set(area)

    def reach(cell: tuple[int, int], row_step: int, column_step: int) -> tuple[int, int]:
        while (cell[0] + row_step, cell[1] + column_step) in inside:
            cell = (cell[0] + row_step, cell[1] + column_step)
        return cell

    best: tuple[float, float, float] | None = None
    for cell in area:
        left, right = xs[reach(cell, 0, -1)[1]], xs[reach(cell, 0, 1)[1] + 1]
        bottom, top = ys[reach(cell, -1, 0)[0]], ys[reach(cell, 1, 0)[0] + 1]
        x, y = (xs[cell[1]] + xs[cell[1] + 1]) / 2, (bottom + top) / 2
        room = min((right - left) / width, (top - bottom) / 0.13)
        if room >= 1 and not ys[cell[0]] <= y <= ys[cell[0] + 1]:
            continue  # another cell of the column is the middle one
        # Of equal room, the middle of the run.
        offset = abs(x - (left + right) / 2) / max(right - left, 1e-9)
        if room >= 1 and (best is None or room - offset > best[0]):
            best = (room - offset, x, y)
    return None if best is None else best[1:]


def _draw_lines(axes: Axes, grid: Grid, xs: list[float], ys: list[float]) -> None:
    inch = HEIGHT / math.log(ys[-1] / ys[0])
    heights = [inch * math.log(high / low) for low, high in zip(ys, ys[1:])]
    for row, line in enumerate(grid):
        for column, look in enumerate(line):
            if column + 1 < len(line) and line[column + 1] != look:
                axes.plot([xs[column + 1]] * 2, ys[row : row + 2], color=INK, lw=1)
            if row + 1 < len(grid) and grid[row + 1][column] != look:
                # A quarter of the lower row, so that colours are seen between lines.
                points = 72 * min(heights[row : row + 2]) / 4
                axes.plot(xs[column : column + 2], [ys[row + 1]] * 2, color=INK, lw=min(1, points))


def _draw_hatch(axes: Axes, cells: list[list[dict]], mark: str, xs, ys, hatch: str) -> None:
    for row, line in enumerate(cells):
        for column in (number for number, cell in enumerate(line) if cell[mark]):
            corners = (xs[column : column + 2], [ys[row]] * 2, [ys[row + 1]] * 2)
            axes.fill_between(*corners, facecolor="none", edgecolor="#00000055", hatch=hatch, lw=0)


def _label_axes(axes: Axes, shown: dict, xs: list[float], ys: list[float]) -> None:
    sizes, procs = shown["sizes"], shown["procs"]
    axes.set(xscale="log", yscale="log", xlim=(xs[0], xs[-1]), ylim=(ys[0], ys[-1]))
    axes.minorticks_off()
    sizes = sizes[:: -(-len(sizes) // 12)]
    axes.set_xticks(sizes, [size_text(size) for size in sizes], fontsize=7)
    ticks = [2**k for k in range(21) if procs[0] <= 2**k <= procs[-1]]
    ticks = ticks if len(ticks) > 2 else procs
    ticks = ticks[:: -(-len(ticks) // 12)]
    axes.set_yticks(ticks, [f"{tick:,}" for tick in ticks], fontsize=8)
    axes.set_xlabel(shown["axis"], fontsize=8, color=FAINT)
    axes.set_ylabel("processes", fontsize=8, color=FAINT)
    axes.tick_params(length=3, labelcolor=INK)


def _draw_colours(axes: Axes, cells: list[list[dict]], key: list[dict], xs, ys) -> None:
    def rgb(cell: dict) -> tuple[float, ...]:
        return to_rgb(key[cell["look"]]["pale" if cell["pale"] else "colour"])

    colours = [[rgb(cell) for cell in line] for line in cells]
    palette = sorted({each for line in colours for each in line})
    indices = [[palette.index(each) for each in line] for line in colours]
    axes.pcolormesh(xs, ys, indices, cmap=ListedColormap(palette), vmin=0, vmax=len(palette), rasterized=True)


def _draw_names(axes: Axes, grid: Grid, key: list[dict], xs: list[float], ys: list[float]) -> None:
    across = [WIDTH * math.log(x / xs[0]) / math.log(xs[-1] / xs[0]) for x in xs]
    up = [HEIGHT * math.log(y / ys[0]) / math.log(ys[-1] / ys[0]) for y in ys]
    for look, area in areas(grid):
        text = key[look]["text"]
        place = label_place(area, across, up, 0.12 + 0.085 * len(text))
        if place is None:
            continue
        axes.text(
            place[0] / WIDTH, place[1] / HEIGHT, text, transform=axes.transAxes,
            ha="center", va="center_baseline", fontsize=8, fontweight="bold", color=INK,
        )  # fmt: skip


def draw(shown: dict) -> Figure:
    """The map, with its key and notes."""
    cells, key = shown["cells"], shown["key"]
    key_step = SWATCH + 0.3 + 0.9 * LETTER * max(len(entry["name"]) for entry in key)
    width = LEFT + WIDTH + 0.25
    across = max(1, int((width - 0.5) / key_step))
    key_height = KEY_STEP * -(-len(key) // across)
    notes = note_lines(shown["notes"], width)
    y = TOP + HEIGHT + BELOW
    page = Page(width, y + key_height + NOTE_LINE * len(notes) + 0.3)
    page.head(shown["title"], describe(shown["machine"]))
    axes = page.axes(LEFT, TOP, WIDTH, HEIGHT)
    xs, ys = edges(shown["sizes"]), edges(shown["procs"])
    grid = [[cell["look"] for cell in line] for line in cells]
    _draw_colours(axes, cells, key, xs, ys)
    _draw_hatch(axes, cells, "hatched", xs, ys, "////")
    _draw_hatch(axes, cells, "dotted", xs, ys, "..")
    _draw_lines(axes, grid, xs, ys)
    _draw_names(axes, grid, key, xs, ys)
    _label_axes(axes, shown, xs, ys)
    for number, entry in enumerate(key):
        x = 0.25 + number % across * key_step
        swatch = page.axes(x, y + number // across * KEY_STEP, SWATCH, 0.18)
        swatch.set(xticks=[], yticks=[], facecolor=entry["colour"])
        swatch.spines[:].set_linewidth(0.4)
        swatch.text(1.2, 0.45, entry["name"], va="center", fontsize=8, transform=swatch.transAxes)
    page.foot(notes)
    return page.figure


if __name__ == "__main__":
    sys.exit(run(__doc__, draw))
