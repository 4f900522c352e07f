# SPDX-License-Identifier: BSD-3-Clause
"""The parts that plots share: a page with places in inches, texts, and the command line.

A plot reads its data as JSON on standard input and writes --out FILE.
"""
from __future__ import annotations

import argparse
import json
import math
import os
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

try:
    import matplotlib.pyplot as plt
except Exception as error:  # a broken one raises others than ImportError too
    if isinstance(error, ModuleNotFoundError) and error.name == "matplotlib":
        words = "the plots need matplotlib for Python 3 (Debian: python3-matplotlib)"
    else:
        words = f"matplotlib can't be imported: {type(error).__name__}: {' '.join(str(error).split())}"
    print(words, file=sys.stderr)
    sys.exit(2)
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

plt.switch_backend("Agg")
plt.rcParams.update({"svg.hashsalt": "breakeven", "savefig.dpi": 150, "hatch.linewidth": 0.6})

INK = "#222222"
FAINT = "#666666"

# Inches.
MARGIN = 0.25
NOTE_LINE = 0.15
LETTER = 0.063  # about a letter's width at 8 points

FORMATS = ("png", "svg", "pdf")


class UsageError(Exception):
    """The request can't be met as asked: one line to act on, exit status 2."""


def describe(machine: dict) -> str:
    """The name, the library's version and the processor, without what they repeat."""
    version = " ".join(machine.get("library_version", "").split(",")[0].split()).replace(": ", " ")
    parts = (machine["name"], version, " ".join(machine.get("cpu", "").split()))
    return ", ".join(part for part in parts if part)


def size_text(size: int) -> str:
    """8 B, 64 KiB, 1 MiB; sizes between the units stay in bytes, so the text is exact."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} B"


# Of each power of ten, ever more: a hundred values between 1 and 10 at last.
STEPS = ((1,), (1, 2, 5), (1, 1.5, 2, 3, 5, 7), *([1 + each / parts for each in range(9 * parts)] for parts in (10, 100)))


def nice_ticks(low: float, high: float, most: int = 9) -> list[float]:
    """Round values of a logarithmic axis, three to `most`."""
    powers = range(math.floor(math.log10(low)), math.floor(math.log10(high)) + 1)
    for steps in STEPS:
        ticks = [step * 10.0**power for power in powers for step in steps]
        ticks = [tick for tick in ticks if low <= tick <= high]
        if len(ticks) >= 3:
            break
    return ticks[:: -(-len(ticks) // most)]


def number_text(value: float) -> str:
    """Three digits: 0.25, 12.5, 1000."""
    return f"{float(f'{value:.3g}'):g}"


def time_text(seconds: float) -> str:
    """1 ns, 20 us, 3 ms"""
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= 0.999 * unit:
            return f"{number_text(seconds / unit)} {name}"
    return f"{number_text(seconds / 1e-9)} ns"


def count_text(counts: list[int], unit: str, plural: str) -> str:
    """1 launch, 3 to 10 launches"""
    few, many = min(counts), max(counts)
    return f"{few if few == many else f'{few} to {many}'} {unit if many == 1 else plural}"


def label_log(axis: Axis, text: Callable[[float], str] = number_text, most: int = 9) -> None:
    """A logarithmic axis with labels at nice_ticks."""
    low, high = axis.get_view_interval()
    ticks = nice_ticks(low, high, most)
    axis.set_ticks(ticks, [text(tick) for tick in ticks])
    axis.set_minor_locator(NullLocator())
    axis.axes.set(**{f"{axis.axis_name}lim": (low, high)})


def label_panel(axes: Axes, title: str, x: str = "", y: str = "", grid: str = "y") -> None:
    """A panel's title and axes as all plots have them, but maps."""
    axes.set_title(title, loc="left", fontsize=9, fontweight="bold", color=INK)
    axes.set_xlabel(x, fontsize=8, color=FAINT)
    axes.set_ylabel(y, fontsize=8, color=FAINT)
    axes.tick_params(labelsize=7, length=2, labelcolor=INK)
    axes.grid(axis=grid, color="#e5e5e5", lw=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


class Page:
    """Places axes and text in inches from the upper left corner, from top to bottom."""

    def __init__(self, width: float, height: float) -> None:
        self.figure = plt.figure(figsize=(width, height))
        self.width, self.height = width, height

    def axes(self, x: float, y: float, width: float, height: float, **how) -> Axes:
        bottom = self.height - y - height
        return self.figure.add_axes(
            (x / self.width, bottom / self.height, width / self.width, height / self.height), **how
        )

    def text(self, y: float, text: str, **how) -> None:
        where = (MARGIN / self.width, 1 - y / self.height)
        self.figure.text(*where, text, va="top", **{"fontsize": 8, "color": FAINT, **how})

    def line(self, y: float, text: str, points: float = 8, **how) -> None:
        """In letters that are as small as the width needs."""
        needed = LETTER * points / 8 * max(1, len(text))
        self.text(y, text, fontsize=points * min(1, (self.width - 2 * MARGIN) / needed), **how)

    def head(self, title: str, *lines: str) -> None:
        """The title, and below it lines such as the machine."""
        self.line(0.15, title, points=12, fontweight="bold", color=INK)
        for number, line in enumerate(lines):
            self.line(0.42 + 0.16 * number, line)

    def foot(self, notes: list[str]) -> None:
        """Lines of small text at the lower edge."""
        for number, line in enumerate(notes):
            self.text(self.height - 0.2 - NOTE_LINE * (len(notes) - number), line, fontsize=7)


def note_lines(notes: list[str], width: float) -> list[str]:
    """Notes, broken such that they fit the width of a page."""
    letters = int((width - 2 * MARGIN) / (LETTER * 0.83))
    return [line for note in notes for line in textwrap.wrap(note, letters)]


class _Parser(argparse.ArgumentParser):
    """Refuses in one line."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def save(figure: Figure, out: Path) -> None:
    """Writes the whole file or none."""
    partial = out.with_name(f".{out.stem}.{os.getpid()}{out.suffix}")
    # Without a date the same measurements give the same file.
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(out.suffix[1:], {})
    try:
        figure.savefig(partial, metadata=metadata)
        partial.replace(out)
    except OSError as error:
        raise UsageError(f"can't write '{out}': {error.strerror}") from error
    finally:
        partial.unlink(missing_ok=True)


def _plot(question: str, draw: Callable[..., Figure], arguments: list[str], read: Callable) -> None:
    parser = _Parser(description=question)
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help=f"ends in {', '.join(FORMATS)}")
    out = parser.parse_args(arguments).out
    if out.suffix[1:] not in FORMATS:
        raise UsageError(f"can't write '{out}': known are {', '.join(FORMATS)}")
    save(draw(read(sys.stdin.read())), out)
    print(out)


def run(
    question: str,
    draw: Callable[..., Figure],
    arguments: list[str] | None = None,
    read: Callable = json.loads,
) -> int:
    """Answers `question` by a figure in a file; returns the exit status, 2 for a bad request.

    `read` makes of standard input what `draw` draws.
    """
    try:
        _plot(question, draw, sys.argv[1:] if arguments is None else arguments, read)
    except UsageError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return 2
    return 0
