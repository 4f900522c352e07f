#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How wrong do synchronised clocks become, and how soon?

The distance of the ranks' global clocks from rank 0's clock (seconds) over the time since they were
synchronised (seconds), for each method: as measured, and where all ranks share a node's clock, as
that one knows it. Reads what `breakeven clocks --csv` writes.
"""
from __future__ import annotations

import csv
import statistics
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from command_line import FORMATS, Parser, save
from cells import UsageError
from figure import FAINT, INK, label_log, plt, time_text

from matplotlib.axes import Axes
from matplotlib.figure import Figure

# One colour for each method, wherever it appears.
COLOURS = {
    "none": "#888888",
    "skampi": "#e08214",
    "jk": "#b35806",
    "hca": "#80cdc1",
    "hca2": "#35978f",
    "hca3": "#2166ac",
    "two_level": "#762a83",
}
LEAST = 1e-9  # what a clock resolves: 0 has no place on a logarithmic axis


@dataclass(frozen=True)
class Offset:
    """What was seen of one rank at one time, in seconds."""

    elapsed: float
    offset: float
    round_trip: float
    truth: float | None


Clocks = dict[str, list[Offset]]  # by method


def read_clocks(file: Path) -> Clocks:
    clocks: Clocks = defaultdict(list)
    try:
        with file.open(newline="") as lines:
            for row in csv.DictReader(lines):
                clocks[row["clock"]].append(
                    Offset(
                        elapsed=float(row["elapsed_s"]),
                        offset=float(row["offset_s"]),
                        round_trip=float(row["round_trip_s"]),
                        truth=float(row["truth_s"]) if row["truth_s"] else None,
                    )
                )
    except OSError as error:
        raise UsageError(f"can't read '{file}': {error.strerror}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"'{file}' isn't from `breakeven clocks --csv`: {error}") from error
    if not clocks:
        raise UsageError(f"'{file}' holds no offsets")
    return dict(clocks)


def readings(offsets: list[Offset]) -> list[list[Offset]]:
    """The offsets of all ranks together, in the order of time."""
    by_time = defaultdict(list)
    for each in offsets:
        by_time[each.elapsed].append(each)
    return [by_time[elapsed] for elapsed in sorted(by_time)]


def draw_errors(axes: Axes, clocks: Clocks, value) -> None:
    """A line for each method, the median over ranks, and a band up to the worst rank."""
    for name, offsets in clocks.items():
        times, medians, worst = [], [], []
        for reading in readings(offsets):
            sizes = [max(abs(value(each)), LEAST) for each in reading]
            times.append(reading[0].elapsed)
            medians.append(statistics.median(sizes))
            worst.append(max(sizes))
        colour = COLOURS.get(name, INK)
        axes.fill_between(times, medians, worst, color=colour, alpha=0.2, lw=0)
        axes.plot(times, medians, color=colour, lw=1.5, marker="o", ms=2.5, label=name)


def draw(clocks: Clocks) -> Figure:
    everything = [each for offsets in clocks.values() for each in offsets]
    panels = [("as measured", lambda each: each.offset)]
    if all(each.truth is not None for each in everything):
        panels.append(("as the node's shared clock knows", lambda each: each.truth))
    figure, axes_list = plt.subplots(
        1, len(panels), sharey=True, squeeze=False, figsize=(4.6 * len(panels) + 1.6, 4)
    )
    for axes, (title, value) in zip(axes_list[0], panels):
        draw_errors(axes, clocks, value)
        axes.set_title(title, loc="left", fontsize=9, color=INK)
        axes.set_xlabel("seconds since synchronised", fontsize=8, color=FAINT)
        axes.set_yscale("log")
        axes.grid(True, axis="y", lw=0.4, color="#dddddd")
        axes.tick_params(labelsize=8, labelcolor=INK)
        axes.spines[["top", "right"]].set_visible(False)
    uncertainty = statistics.median(each.round_trip for each in everything) / 2
    first = axes_list[0][0]
    label = "half a round trip:\nless isn't known"
    first.axhline(uncertainty, color=FAINT, lw=0.8, ls="--", label=label)
    label_log(first.yaxis, time_text)
    first.set_ylabel("against rank 0: median over ranks, up to the worst", fontsize=8, color=FAINT)
    figure.suptitle(
        "Error of synchronised clocks", x=0.02, ha="left", fontsize=12, fontweight="bold", color=INK
    )
    figure.legend(*first.get_legend_handles_labels(), loc="center right", fontsize=8, frameon=False)
    figure.tight_layout(rect=(0, 0, 1 - 1.5 / figure.get_figwidth(), 1))
    return figure


def run(arguments: list[str]) -> int:
    parser = Parser(description=__doc__)
    parser.add_argument("--csv", required=True, type=Path, metavar="FILE")
    parser.add_argument("--out", required=True, type=Path, metavar="FILE")
    try:
        options = parser.parse_args(arguments)
        if options.out.suffix[1:] not in FORMATS:
            raise UsageError(f"can't write '{options.out}': known are {', '.join(FORMATS)}")
        save(draw(read_clocks(options.csv)), options.out)
    except UsageError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return 2
    print(options.out)
    return 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
