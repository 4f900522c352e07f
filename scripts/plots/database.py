# SPDX-License-Identifier: BSD-3-Clause
"""Reads the measurements of one machine from a results database, without changing it.

The tables are those of results/schema.sql. Durations are in seconds, sizes in bytes.
"""
from __future__ import annotations

import math
import sqlite3
import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

# Both as in results/schema.sql.
APPLICATION_ID = 1112229206
SCHEMA_VERSION = 5

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

    id: int
    name: str
    kind: str
    library_version: str
    cpu: str

    def choice(self) -> str:
        """What chooses this machine on a command line where its name alone is not enough."""
        if self.kind == "model":
            return self.name
        return f"{self.name} ({self.library_version} on {self.cpu})"

    def describe(self) -> str:
        """The name, the library's version and the processor, without what they repeat."""
        version = " ".join(self.library_version.split(",")[0].split()).replace(": ", " ")
        return ", ".join(part for part in (self.name, version, " ".join(self.cpu.split())) if part)


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
class Times:
    """What one algorithm took in each launch: its median there, in seconds, by the launch."""

    by_launch: dict[int, float]
    params: str = ""  # with which it took that

    @property
    def seconds(self) -> float:
        """The median over the launches."""
        return statistics.median(self.by_launch.values())

    def ratios(self, other: Times) -> list[float]:
        """This time over the other one within each launch that has both, in rising order.

        Launches differ as a whole, by where their ranks land, and that hits all algorithms alike.
        """
        return sorted(
            ratio(seconds, other.by_launch[launch])
            for launch, seconds in self.by_launch.items()
            if launch in other.by_launch
        )


def ratio(dividend: float, divisor: float) -> float:
    """A model may need no time at all, for one process: as much as another that needs none."""
    if dividend == divisor:
        return 1.0
    return dividend / divisor if divisor > 0 else math.inf


def interval(values: list[float]) -> tuple[float, float]:
    """The interval of the median that covers with 95 %, or all of fewer than six values.

    The same as estimate_median() in stats/median.cpp, interpolation included. `values` is in
    rising order.
    """
    n, k, confidence = len(values), 1, 0.95

    def coverage(rank: int) -> float:
        return 1 - 2 * sum(math.comb(n, i) for i in range(rank)) / 2**n

    while 2 * k < n and coverage(k + 1) >= confidence:
        k += 1
    if 2 * k >= n or coverage(k) <= confidence:
        return values[k - 1], values[n - k]
    excess = (coverage(k) - confidence) / (coverage(k) - coverage(k + 1))
    inwards = (n - k) * excess / (k + (n - 2 * k) * excess)
    low = _between(values[k - 1], values[k], inwards)
    return low, _between(values[n - k], values[n - k - 1], inwards)


def _between(outer: float, inner: float, inwards: float) -> float:
    """From an order statistic towards the next one; there is no way to an infinite ratio."""
    finite = math.isfinite(outer) and math.isfinite(inner)
    return outer + (inner - outer) * inwards if finite else outer


# Student's t at 97.5 % for 1, 2, ... degrees of freedom.
T_QUANTILES = (
    *(12.70620, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157),
    *(2.228139, 2.200985, 2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922),
    *(2.093024, 2.085963, 2.079614, 2.073873, 2.068658, 2.063899, 2.059539, 2.055529, 2.051831),
    *(2.048407, 2.045230, 2.042272),
)


def mean_high(ratios: list[float]) -> float:
    """The upper end of Student's 95 % interval of the geometric mean of two or more ratios.

    0 where it would say nothing, because
    a time is 0.
    """
    if not all(0 < each < math.inf for each in ratios):
        return 0.0
    logs = [math.log(each) for each in ratios]
    t = T_QUANTILES[min(len(logs) - 1, len(T_QUANTILES)) - 1]
    return math.exp(statistics.fmean(logs) + t * statistics.stdev(logs) / math.sqrt(len(logs)))


def significantly_faster(faster: Times, slower: Times, speedup: float = 1) -> bool:
    """Whether `faster` is the faster one, by the factor `speedup` at least: the intervals of their
    ratios within launches, of the median and of the mean, are below 1 / speedup.

    That takes three launches that have both.
    """
    ratios, least = faster.ratios(slower), 1 / speedup - 1e-9
    return len(ratios) >= 3 and interval(ratios)[1] < least and mean_high(ratios) < least


@dataclass
class Sheet:
    """All measurements of one problem on one machine."""

    problem: Problem
    machine: Machine
    cells: dict[tuple[Layout, int], dict[str, Times]] = field(default_factory=dict)
    oversubscribed: set[Layout] = field(default_factory=set)
    skipped: list[int] = field(default_factory=list)  # sizes that few layouts have in common

    @cached_property
    def layouts(self) -> list[Layout]:
        return sorted({layout for layout, _ in self.cells})

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

    @property
    def launches(self) -> tuple[int, int]:
        """The least and the greatest number of launches behind a time."""
        counts = [len(each.by_launch) for cell in self.cells.values() for each in cell.values()]
        return min(counts), max(counts)


def open_database(path: Path) -> sqlite3.Connection:
    """Opens to read. Refuses what is not a results database that this program understands."""
    if not path.is_file():
        raise UsageError(f"no database '{path}'; 'breakeven sweep --db {path}' makes one")
    # Not mode=ro: what a killed sweep left half done has to be undone before it can be read.
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True)
    try:
        database.execute("PRAGMA query_only = ON")
        application = database.execute("PRAGMA application_id").fetchone()[0]
        version = database.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.Error as error:
        database.close()
        raise UsageError(f"'{path}' can't be read as an SQLite database: {error}") from error
    if application != APPLICATION_ID:
        problem = "is an SQLite database, but not one of breakeven's"
    elif version != SCHEMA_VERSION:
        problem = (
            f"has schema version {version}, but this program reads version {SCHEMA_VERSION} alone"
        )
    else:
        return database
    database.close()
    raise UsageError(f"'{path}' {problem}")


def find_machine(database: sqlite3.Connection, wanted: str | None) -> Machine:
    """The only machine that is called `wanted`; None stands for the only one of the database."""
    rows = database.execute(
        "SELECT id, name, kind, library_version, cpu FROM machine"
        " WHERE id IN (SELECT machine_id FROM launch) ORDER BY id"
    )
    machines = [Machine(*row) for row in rows]
    if not machines:
        raise UsageError("the database holds no machine; 'breakeven sweep' measures one")
    found = [each for each in machines if wanted in (None, each.name, each.choice())]
    if len(found) == 1:
        return found[0]
    asked = "no --machine" if wanted is None else f"--machine '{wanted}'"
    known = ", ".join(each.choice() for each in machines)
    verdict = "fits several" if found else "fits none"
    raise UsageError(f"{asked} {verdict} of the database's machines: {known}")


def read_sheets(
    database: sqlite3.Connection, machine: Machine, collective: str | None, counts: str = "equal"
) -> list[Sheet]:
    """One sheet per problem that was measured on the machine, in alphabetical order.

    Of irregular collectives those with these counts. An algorithm stands with its best parameters in each cell.
    """
    sheets: dict[Problem, Sheet] = {}
    medians: dict[tuple[Problem, Layout, int, str, str], dict[int, float]] = defaultdict(dict)
    rows = database.execute(
        "SELECT c.collective, c.datatype, c.op, c.root, c.counts, c.procs, c.nodes,"
        " c.procs_per_node,"
        " c.mapping, c.message_bytes, c.algorithm, c.params, m.launch_id, m.median_s,"
        " l.oversubscribed"
        ' FROM measurement m JOIN "case" c ON c.id = m.case_id JOIN launch l ON l.id = m.launch_id'
        " WHERE c.machine_id = ? AND c.counts = ? AND m.failure IS NULL",
        (machine.id, counts),
    )
    for row in rows:
        problem, layout = Problem(*row[0:5]), Layout(*row[5:9])
        size, algorithm, params, launch, median_s, oversubscribed = row[9:]
        sheet = sheets.setdefault(problem, Sheet(problem, machine))
        medians[problem, layout, size, algorithm, params][launch] = median_s
        if oversubscribed:
            sheet.oversubscribed.add(layout)
    for (problem, layout, size, algorithm, params), values in medians.items():
        cell = sheets[problem].cells.setdefault((layout, size), {})
        times = Times(values, params)
        if algorithm not in cell or times.seconds < cell[algorithm].seconds:
            cell[algorithm] = times
    for sheet in sheets.values():
        sheet.leave_out_rare_sizes()
    if not sheets:
        of_counts = "" if counts == "equal" else f" with {counts} counts"
        raise UsageError(f"no measurements of the machine {machine.describe()}{of_counts}")
    return _of_collective(sheets, machine, collective)


def _of_collective(
    sheets: dict[Problem, Sheet], machine: Machine, collective: str | None
) -> list[Sheet]:
    wanted = [
        sheets[problem]
        for problem in sorted(sheets)
        if collective is None or problem.collective == collective
    ]
    if not wanted:
        known = " ".join(sorted({problem.collective for problem in sheets}))
        raise UsageError(
            f"no measurements of the collective '{collective}' on {machine.describe()};"
            f" there are: {known}"
        )
    return wanted
