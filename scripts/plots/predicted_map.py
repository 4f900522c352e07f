#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which algorithm does a machine model predict as the fastest, by message size (bytes) and processes?

In the manner of Rabenseifner, "Optimization of Collective Reduction Operations" (ICCS 2004), figure
3: the lines between the areas are the break-even points. With --baseline how many times faster than
that algorithm the fastest of the others is (no unit), as in his figure 4.
"""
from __future__ import annotations

import json
import math
import sys
import textwrap
from dataclasses import dataclass

from algorithm_names import abbreviations, display_name
from cells import COUNTS_ONE_BLOCK, UsageError
from command_line import run
from fastest_map import colour
from figure import FAINT, INK, LETTER, Page, size_text
from ratio_map import COLOURS, class_texts, ratio_class

from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, to_hex, to_rgb
from matplotlib.figure import Figure

WIDTH, HEIGHT = 7.4, 4.6  # of the map, in inches
LEFT, TOP, BELOW = 0.75, 0.75, 0.55
KEY_STEP, SWATCH = 0.24, 0.28
SURE = 0.95


@dataclass(frozen=True)
class Cell:
    """What is predicted for one number of processes and one size."""

    times: dict[str, float]  # s, of each algorithm with its best parameters; the fastest first
    params: dict[str, str]
    formula: bool  # the fastest time is not simulated
    certainty: float | None
    extrapolated: bool

    @property
    def fastest(self) -> str:
        return next(iter(self.times))

    def ratio(self, baseline: str) -> float:
        return self.times[baseline] / min(
            time for name, time in self.times.items() if name != baseline
        )


@dataclass
class Map:
    collective: str
    machine: str
    cells: dict[tuple[int, int], Cell]  # by processes and bytes
    baseline: str | None = None
    has_error: bool = False  # how wrong the model is was measured

    @property
    def procs(self) -> list[int]:
        return sorted({procs for procs, _ in self.cells})

    @property
    def sizes(self) -> list[int]:
        return sorted({size for _, size in self.cells})

    def look(self, cell: Cell) -> str:
        """What has one colour and a line around it: an algorithm, or a class of ratios."""
        if self.baseline is None:
            return cell.fastest
        return str(ratio_class(cell.ratio(self.baseline)))


def _cell(whole: dict) -> Cell:
    times: dict[str, float] = {}
    params: dict[str, str] = {}
    basis = whole["times"][0]["basis"]
    for each in whole["times"]:  # the fastest first
        times.setdefault(each["algorithm"], each["time_s"])
        params.setdefault(each["algorithm"], each["params"])
    return Cell(times, params, basis != "simulated", whole["certainty"], whole["extrapolated"])


def read_map(text: str) -> Map:
    whole = json.loads(text)
    cells = {(cell["procs"], cell["message_bytes"]): _cell(cell) for cell in whole["cells"]}
    found = Map(whole["collective"], whole["machine"], cells, whole.get("baseline"), whole["model_error"] is not None)
    if len(found.procs) < 2 or len(found.sizes) < 2:
        raise UsageError("a map needs two numbers of processes and two sizes, or more")
    if found.baseline is None:
        return found
    for (procs, size), cell in cells.items():
        if found.baseline not in cell.times or len(cell.times) < 2:
            raise UsageError(f"no time of {found.baseline} and of another at p = {procs}, {size} B")
    return found


def edges(values: list[int]) -> list[float]:
    """The borders of cells around the values, on a logarithmic axis."""
    logs = [math.log2(value) for value in values]
    between = [(low + high) / 2 for low, high in zip(logs, logs[1:])]
    first, last = 2 * logs[0] - between[0], 2 * logs[-1] - between[-1]
    return [2**each for each in (first, *between, last)]


def areas(grid: list[list[str]]) -> list[tuple[str, list[tuple[int, int]]]]:
    """The connected areas of equal looks, as lists of (row, column)."""
    seen: set[tuple[int, int]] = set()
    found = []
    for start in ((row, column) for row in range(len(grid)) for column in range(len(grid[0]))):
        if start in seen:
            continue
        look, area, waiting = grid[start[0]][start[1]], [], [start]
        seen.add(start)
        while waiting:
            row, column = waiting.pop()
            area.append((row, column))
            for next_row, next_column in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
                inside = 0 <= next_row < len(grid) and 0 <= next_column < len(grid[0])
                if inside and (next_row, next_column) not in seen and grid[next_row][next_column] == look:
                    seen.add((next_row, next_column))
                    waiting.append((next_row, next_column))
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


def _draw_lines(axes: Axes, grid: list[list[str]], xs: list[float], ys: list[float]) -> None:
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


def _draw_hatch(axes: Axes, marked: list[list[bool]], xs, ys, hatch: str) -> None:
    for row, line in enumerate(marked):
        start = None
        for column, mark in enumerate([*line, False]):
            if mark and start is None:
                start = column
            if not mark and start is not None:
                axes.fill_between(
                    [xs[start], xs[column]],
                    *(2 * [ys[row]], 2 * [ys[row + 1]]),
                    facecolor="none", edgecolor="#00000055", hatch=hatch, lw=0,
                )
                start = None


def _label_axes(axes: Axes, shown: Map, xs: list[float], ys: list[float]) -> None:
    axes.set(xscale="log", yscale="log", xlim=(xs[0], xs[-1]), ylim=(ys[0], ys[-1]))
    axes.minorticks_off()
    step = -(-len(shown.sizes) // 12)
    sizes = shown.sizes[::step]
    axes.set_xticks(sizes, [size_text(size) for size in sizes], fontsize=7)
    ticks = [2**k for k in range(21) if shown.procs[0] <= 2**k <= shown.procs[-1]]
    ticks = ticks if len(ticks) > 2 else shown.procs
    ticks = ticks[:: -(-len(ticks) // 12)]
    axes.set_yticks(ticks, [f"{tick:,}" for tick in ticks], fontsize=8)
    counted = "one process's block" if shown.collective in COUNTS_ONE_BLOCK else "whole vector"
    axes.set_xlabel(f"message: {counted}", fontsize=8, color=FAINT)
    axes.set_ylabel("processes", fontsize=8, color=FAINT)
    axes.tick_params(length=3, labelcolor=INK)


def _looks(shown: Map, grid: list[list[str]]) -> dict[str, tuple[str, str, str]]:
    """Of each look its colour, its short text and what the key says."""
    used = {look for line in grid for look in line}
    if shown.baseline is not None:
        texts = class_texts()
        return {str(i): (COLOURS[i], texts[i], texts[i]) for i in range(len(texts)) if str(i) in used}
    names = sorted(used, key=lambda name: (colour(name), name))
    short = abbreviations(names)
    looks = {}
    for number, name in enumerate(names):
        # Members of a family are paler one after the other.
        before = sum(colour(other) == colour(name) for other in names[:number])
        strength = 0.6**before
        fill = to_hex([strength * part + 1 - strength for part in to_rgb(colour(name))])
        looks[name] = (fill, short[name], display_name(name))
    return looks


def _notes(shown: Map) -> list[str]:
    cells = shown.cells.values()
    notes = ["Line: break-even points. An algorithm counts with the best of its parameters."]
    if shown.baseline is not None:
        notes = [
            f"Time of {display_name(shown.baseline)} / that of the fastest other algorithm; above 1"
            " the other is faster."
        ]
    if any(cell.formula for cell in cells):
        notes.append("Dots: the fastest time is its source's formula or a bound, not simulated.")
    if any(cell.certainty is not None and cell.certainty < SURE for cell in cells):
        notes.append(
            "Hatched: in doubt; another is faster with a probability of more than 5 %"
            + (", by the error that the model has where it was measured." if shown.has_error else ".")
        )
    if not shown.has_error:
        notes.append("If the model holds: how wrong it is was not measured.")
    if any(cell.extrapolated for cell in cells):
        notes.append("Beyond what the machine was fitted to: pale.")
    return notes


def draw(shown: Map) -> Figure:
    """The map, with its key and notes."""
    procs, sizes = shown.procs, shown.sizes
    missing = [(p, size) for p in procs for size in sizes if (p, size) not in shown.cells]
    if missing:
        raise UsageError(f"no prediction at p = {missing[0][0]}, {missing[0][1]} B")
    rows = [[shown.cells[p, size] for size in sizes] for p in procs]
    grid = [[shown.look(cell) for cell in line] for line in rows]
    looks = _looks(shown, grid)
    key_step = SWATCH + 0.3 + LETTER * max(len(text) for _, _, text in looks.values())
    width = LEFT + WIDTH + 0.25
    across = max(1, int((width - 0.5) / key_step))
    key_height = KEY_STEP * -(-len(looks) // across)
    letters = int((width - 0.5) / (LETTER * 0.83))
    notes = [line for note in _notes(shown) for line in textwrap.wrap(note, letters)]
    page = Page(width, TOP + HEIGHT + BELOW + key_height + 0.16 * len(notes) + 0.3)
    title = f"Predicted fastest algorithm of {shown.collective}"
    if shown.baseline is not None:
        title = f"Predicted gain of {shown.collective} over {display_name(shown.baseline)}"
    page.text(0.15, title, fontsize=12, fontweight="bold", color=INK)
    page.line(0.45, shown.machine)
    axes = page.axes(LEFT, TOP, WIDTH, HEIGHT)
    xs, ys = edges(sizes), edges(procs)

    def rgb(cell: Cell, look: str) -> tuple[float, ...]:
        parts = to_rgb(looks[look][0])
        return tuple(0.55 * part + 0.45 for part in parts) if cell.extrapolated else parts

    colours = [[rgb(cell, look) for cell, look in zip(*line)] for line in zip(rows, grid)]
    palette = sorted({each for line in colours for each in line})
    indices = [[palette.index(each) for each in line] for line in colours]
    axes.pcolormesh(xs, ys, indices, cmap=ListedColormap(palette), vmin=0, vmax=len(palette), rasterized=True)
    doubtful = [[c.certainty is not None and c.certainty < SURE for c in line] for line in rows]
    _draw_hatch(axes, doubtful, xs, ys, "////")
    _draw_hatch(axes, [[cell.formula for cell in line] for line in rows], xs, ys, "..")
    _draw_lines(axes, grid, xs, ys)
    across_in = [WIDTH * math.log(x / xs[0]) / math.log(xs[-1] / xs[0]) for x in xs]
    up_in = [HEIGHT * math.log(y / ys[0]) / math.log(ys[-1] / ys[0]) for y in ys]
    for look, area in areas(grid):
        place = label_place(area, across_in, up_in, 0.12 + 0.085 * len(looks[look][1]))
        if place is None:
            continue
        axes.text(
            place[0] / WIDTH, place[1] / HEIGHT, looks[look][1], transform=axes.transAxes,
            ha="center", va="center_baseline", fontsize=8, fontweight="bold", color=INK,
        )
    _label_axes(axes, shown, xs, ys)
    y = TOP + HEIGHT + BELOW
    for number, (fill, short, text) in enumerate(looks.values()):
        x = 0.25 + number % across * key_step
        swatch = page.axes(x, y + number // across * KEY_STEP, SWATCH, 0.18)
        swatch.set(xticks=[], yticks=[], facecolor=fill)
        swatch.spines[:].set_linewidth(0.4)
        label = text if shown.baseline is not None else f"{text} ({short})"
        swatch.text(1.2, 0.45, label, va="center", fontsize=8, transform=swatch.transAxes)
    for number, line in enumerate(notes):
        page.text(y + key_height + 0.1 + 0.16 * number, line, fontsize=7)
    return page.figure


if __name__ == "__main__":
    sys.exit(run(__doc__, draw, read=read_map))
