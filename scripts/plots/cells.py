# SPDX-License-Identifier: BSD-3-Clause
"""What `breakeven plot` says of each cell of a map: what was measured and what a table chooses.

It comes as one line of JSON on standard input (report/cells.hpp). Sizes are in bytes.
"""
from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

NATIVE = "native"
COUNTS_ONE_BLOCK = {
    *("allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw"),
    *("gather", "gatherv", "scatter", "scatterv"),
    *("reduce_scatter", "reduce_scatter_block"),
}


class UsageError(Exception):
    """The request can't be met as asked: one line to act on, exit status 2."""


@dataclass(frozen=True)
class Machine:
    """What the cases ran on: an MPI library on real nodes, or a model."""

    name: str
    kind: str
    library_version: str
    cpu: str
    settings: str  # of the library that somebody made: 'NAME=VALUE (ORIGIN); ...', or 'none'

    def describe(self) -> str:
        """The name, the library's version and the processor, without what they repeat."""
        version = " ".join(self.library_version.split(",")[0].split()).replace(": ", " ")
        parts = (self.name, version, " ".join(self.cpu.split()))
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True, order=True)
class Problem:
    """What one panel of a map is about: times of two problems are never compared."""

    collective: str
    datatype: str
    op: str
    root: int
    counts: str = "equal"

    def describe(self) -> str:
        parts = [self.datatype]
        if self.op != "none":
            parts.append(self.op)
        if self.root != 0:
            parts.append(f"root {self.root}")
        if self.counts != "equal":
            parts.append(f"{self.counts} counts")
        return ", ".join(parts)


@dataclass(frozen=True, order=True)
class Layout:
    """How many processes, and where they lie."""

    procs: int
    nodes: int
    procs_per_node: int
    mapping: str


@dataclass(frozen=True)
class Ratio:
    """Time of native, or of `Sheet.baseline`, / the fastest other candidate's, with its 95 % interval."""

    ratio: float
    low: float
    high: float

    @property
    def undecided(self) -> bool:
        return self.low <= 1 <= self.high


@dataclass(frozen=True)
class Choice:
    """What a table of this sweep chooses in one cell."""

    algorithm: str
    params: str
    certainty: str
    best_ratio: Ratio | None  # nothing where one of the two was not measured

    @property
    def undecided(self) -> bool:
        return self.certainty != "decided"

    @property
    def reordered(self) -> bool:
        return "reorder_ranks=" in self.params


@dataclass
class Sheet:
    """All cells of one problem on one machine."""

    problem: Problem
    machine: Machine
    cells: dict[tuple[Layout, int], Choice] = field(default_factory=dict)
    measured: set[str] = field(default_factory=set)  # algorithms
    launches: list[int] = field(default_factory=list)  # of the candidates with fewest, with most
    oversubscribed: set[Layout] = field(default_factory=set)
    skipped: list[int] = field(default_factory=list)  # sizes that few layouts have in common
    baseline: str = NATIVE  # whose time best ratios have above

    @cached_property
    def layouts(self) -> list[Layout]:
        """Those with more processes than cores last."""
        return sorted({layout for layout, _ in self.cells}, key=lambda each: (each in self.oversubscribed, each))

    @cached_property
    def sizes(self) -> list[int]:
        return sorted({size for _, size in self.cells})

    def leave_out_rare_sizes(self) -> None:
        """Keeps the sizes that more than half of the layouts have, where there are any.

        Guidelines are checked at sizes of their own for each number of processes, such as the 24 B
        of three 8 B blocks; in a map they would be columns with a single cell.
        """
        often = Counter(size for _, size in self.cells)
        layouts = len({layout for layout, _ in self.cells})
        common = {size for size, count in often.items() if 2 * count > layouts}
        if common:
            self.skipped = sorted(set(often) - common)
            self.cells = {place: cell for place, cell in self.cells.items() if place[1] in common}


def read_sheets(text: str) -> list[Sheet]:
    """One sheet per problem, in alphabetical order."""
    whole = json.loads(text)
    machine = Machine(**whole["machine"])
    sheets: dict[Problem, Sheet] = {}
    for cell in whole["cells"]:
        problem = Problem(*(cell[key] for key in ("collective", "datatype", "op", "root", "counts")))
        layout = Layout(*(cell[key] for key in ("procs", "nodes", "procs_per_node", "mapping")))
        sheet = sheets.setdefault(problem, Sheet(problem, machine, baseline=whole.get("baseline", NATIVE)))
        ratio = cell["best_ratio"]
        sheet.cells[layout, cell["message_bytes"]] = Choice(
            cell["algorithm"],
            cell["params"],
            cell["certainty"],
            Ratio(**ratio) if ratio else None,
        )
        sheet.measured.update(cell["measured"])
        sheet.launches += [cell["least_launches"], cell["most_launches"]]
        if cell["oversubscribed"]:
            sheet.oversubscribed.add(layout)
    for sheet in sheets.values():
        sheet.leave_out_rare_sizes()
    return [sheets[problem] for problem in sorted(sheets)]
