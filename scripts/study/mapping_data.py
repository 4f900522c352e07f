# SPDX-License-Identifier: BSD-3-Clause
"""What databases know of allreduce under two mappings: a panel for each machine and layout.

Durations are in seconds, sizes in bytes, bandwidths in bytes per second.
"""
from __future__ import annotations

import re
import sqlite3
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from cells import UsageError
from database import interval, open_database


@dataclass(frozen=True)
class Curve:
    """One line of the paper's figures."""

    label: str
    algorithm: str
    params: str
    mapping: str


SEQ = Curve("ring, SEQ", "ring", "", "seq")
RR = Curve("ring, RR", "ring", "", "rr")
STAR = Curve("Ring*, RR", "ring", "reorder_ranks=seq", "rr")
HIERARCHICAL = Curve("hierarchical, RR", "hierarchical", "", "rr")
CURVES = (SEQ, RR, STAR, HIERARCHICAL)


@dataclass(frozen=True, order=True)
class Place:
    """What a panel is about."""

    machine: str
    nodes: int
    procs_per_node: int


@dataclass(frozen=True)
class Estimate:
    """A median over repeats and its 95 % interval."""

    value: float
    low: float
    high: float
    count: int

    @staticmethod
    def of(values: Iterable[float]) -> Estimate:
        ordered = sorted(values)
        return Estimate(statistics.median(ordered), *interval(ordered), len(ordered))


Series = dict[int, dict[int, float]]  # by size and repeat: that launch's median


@dataclass
class Panel:
    """All times of one machine and layout."""

    place: Place
    series: dict[Curve, Series] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(dict))
    )

    @property
    def sizes(self) -> list[int]:
        return sorted({size for series in self.series.values() for size in series})

    def seconds(self, curve: Curve, size: int) -> Estimate | None:
        values = self.series[curve].get(size)
        return Estimate.of(values.values()) if values else None

    def bandwidth(self, curve: Curve, size: int) -> Estimate | None:
        """The message over its time, as the paper draws it."""
        values = self.series[curve].get(size)
        return Estimate.of(size / seconds for seconds in values.values()) if values else None

    def ratios(self, above: Curve, below: Curve, size: int) -> dict[int, float]:
        """Time over time, by repeat: the launches of a repeat ran one after the other."""
        dividends, divisors = self.series[above].get(size, {}), self.series[below].get(size, {})
        return {
            repeat: seconds / divisors[repeat]
            for repeat, seconds in dividends.items()
            if repeat in divisors
        }

    def ratio(self, above: Curve, below: Curve, size: int) -> Estimate | None:
        found = self.ratios(above, below, size)
        return Estimate.of(found.values()) if found else None

    def mean_ratio(self, above: Curve, below: Curve, sizes: Iterable[int]) -> Estimate | None:
        """The geometric mean over the sizes that each repeat has both of."""
        by_repeat: dict[int, list[float]] = defaultdict(list)
        for size in sizes:
            for repeat, value in self.ratios(above, below, size).items():
                by_repeat[repeat].append(value)
        means = [statistics.geometric_mean(values) for values in by_repeat.values()]
        return Estimate.of(means) if means else None


def machine_family(name: str) -> str:
    """A simulated machine is another one for each mapping and number of hosts, but one to us."""
    return re.sub(r",(hosts|mapping)=[^,]*", "", name)


QUERY = """
SELECT machine.name, c.nodes, c.procs_per_node, c.algorithm, c.params, c.mapping,
       c.message_bytes, m.repeat, m.median_s, c.datatype, c.op
FROM measurement m JOIN "case" c ON c.id = m.case_id JOIN machine ON machine.id = c.machine_id
WHERE m.failure IS NULL AND c.collective = 'allreduce'
"""


def read_panels(
    paths: Iterable[Path], label: Callable[[str], str] = machine_family
) -> list[Panel]:
    """The panels of several databases, in order; `label` makes a machine's name short."""
    known = {(curve.algorithm, curve.params, curve.mapping): curve for curve in CURVES}
    panels: dict[Place, Panel] = {}
    kinds: dict[Place, tuple[str, str]] = {}
    for path in paths:
        for machine, nodes, each, *what, size, repeat, seconds, datatype, op in _rows(path):
            place = Place(label(machine), nodes, each)
            curve = known.get(tuple(what))
            if curve is None:
                continue
            if kinds.setdefault(place, (datatype, op)) != (datatype, op):
                raise UsageError(f"'{path}': several datatypes or operations on {place.machine}")
            times = panels.setdefault(place, Panel(place)).series[curve][size]
            if repeat in times:
                raise UsageError(f"'{path}' measures {place.machine} again, as another one does")
            times[repeat] = seconds
    if not panels:
        raise UsageError("no database holds an allreduce by ring or hierarchical")
    return [panels[place] for place in sorted(panels)]


def _rows(path: Path) -> list[tuple]:
    with closing(open_database(path)) as connection:
        try:
            return connection.execute(QUERY).fetchall()
        except sqlite3.Error as error:
            raise UsageError(f"'{path}' can't be read: {error}") from error
