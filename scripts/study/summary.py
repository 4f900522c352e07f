# SPDX-License-Identifier: BSD-3-Clause
"""What the runs of a study say together: how far the figures for one and the same thing differ."""
from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass

from figure import size_text
from tools import TOOLS, Figure


Place = tuple[str, int, str]  # library, size, tool


@dataclass(frozen=True)
class Row:
    """The runs of one tool at one size (bytes) on one library; durations in seconds."""

    library: str
    size: int
    tool: str
    figures: list[Figure]
    walls_s: list[float]
    failed: int
    besides: list[float]  # each run's figure over what the others of its pass let expect

    @property
    def median_s(self) -> float:
        return statistics.median(figure.seconds for figure in self.figures)

    @property
    def iqr(self) -> float | None:
        """The distance of the quartiles over the median; None of a single run."""
        return _iqr([figure.seconds for figure in self.figures])

    @property
    def iqr_beside(self) -> float | None:
        """The same once what all tools of a pass have in common, the machine's, is taken out."""
        return _iqr(self.besides)

    @property
    def covered(self) -> int | None:
        """In how many runs the interval holds the median of all runs; None without intervals."""
        ends = [(figure.low_s, figure.high_s) for figure in self.figures]
        if any(low is None or high is None for low, high in ends):
            return None
        return sum(low <= self.median_s <= high for low, high in ends)


def rows(lines: list[dict]) -> list[Row]:
    """A row for each library, size and tool of which a run succeeded, in this order."""
    runs: dict[Place, list[dict]] = defaultdict(list)
    failed: Counter[Place] = Counter()
    for line in lines:
        place = (line["library"], line["bytes"], line["tool"])
        if line["kind"] == "run":
            runs[place].append(line)
        elif line["kind"] == "failure":
            failed[place] += 1
    besides = _besides(runs)
    return [
        Row(
            *place,
            [Figure(line["seconds"], line["low_s"], line["high_s"]) for line in runs[place]],
            [line["wall_s"] for line in runs[place]],
            failed[place],
            besides[place],
        )
        for place in sorted(runs)
    ]


def _iqr(values: list[float]) -> float | None:
    if len(values) < 2:
        return None
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return (high - low) / statistics.median(values)


def _besides(runs: dict[Place, list[dict]]) -> dict[Place, list[float]]:
    """Each run's figure, relative to the median of its tool's, over the median of the other tools'
    relative figures in the same pass; none of a pass in which no other tool has one."""
    relative: dict[Place, dict[int, float]] = {}
    for place, lines in runs.items():
        median = statistics.median(line["seconds"] for line in lines)
        relative[place] = {line["run"]: line["seconds"] / median for line in lines}
    besides: dict[Place, list[float]] = {}
    for place, own in relative.items():
        rivals = [of for other, of in relative.items() if other[:2] == place[:2] and other != place]
        besides[place] = [
            figure / statistics.median(others)
            for run, figure in own.items()
            if (others := [of[run] for of in rivals if run in of])
        ]
    return besides


def table(found: list[Row]) -> str:
    """Markdown, with what each tool's figure is."""
    heads = ["library", "message", "tool", "runs", "median, us", "IQR / median"]
    heads += ["the same beside the others", "interval holds the median", "time of a run, s"]
    lines = [heads, ["---"] * 3 + ["---:"] * 6]
    for row in found:
        count = len(row.figures)
        lines.append([
            *(row.library, size_text(row.size), row.tool),
            f"{count}, {row.failed} failed" if row.failed else str(count),
            f"{row.median_s * 1e6:.4g}",
            "" if row.iqr is None else f"{row.iqr:.1%}",
            "" if row.iqr_beside is None else f"{row.iqr_beside:.1%}",
            "" if row.covered is None else f"{row.covered} of {count}",
            f"{statistics.median(row.walls_s):.1f}",
        ])
    shown = {row.tool for row in found}
    figures = [f"{each.name}: {each.statistic}" for each in TOOLS.values() if each.name in shown]
    cells = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    return f"{cells}\nFigures: {'; '.join(figures)}.\n"
