# SPDX-License-Identifier: BSD-3-Clause
"""The sweeps of the mapping study: ring, Ring* and hierarchical on an emulated cluster."""
from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cells import UsageError

CLUSTER = Path(__file__).resolve().parents[2] / "testbed/emulated-cluster"
SOME_FAILED = 1
# By mapping. Ring* and hierarchical are for where ranks are dealt out.
ALGORITHMS = {"seq": "ring", "rr": "ring,ring:reorder_ranks=seq,hierarchical"}
# Long messages take a second each: a few samples of them, and as many launches as can be afforded.
SETTINGS = [
    *("--collectives", "allreduce", "--no-doctor"),
    *("--racing", "false", "--target-ci", "0.01", "--repetitions", "50"),
    *("--min-repetitions", "3", "--min-time-s", "0", "--batch", "3"),
]


@dataclass(frozen=True)
class Layout:
    nodes: int
    procs_per_node: int
    sizes: str  # as a sweep takes them

    @property
    def procs(self) -> int:
        return self.nodes * self.procs_per_node


@dataclass(frozen=True)
class Sweeps:
    """What to measure; a database for each library in `folder`."""

    breakeven: Path
    folder: Path
    libraries: list[str]
    layouts: list[Layout]
    rate: str
    launches: int
    case_budget_s: float

    def database(self, library: str) -> Path:
        return self.folder / f"{library}-{self.rate}.db"

    def commands(self) -> Iterator[tuple[str, list[str]]]:
        """In words and as a command line: the two mappings of a repeat follow each other.

        Launches are asked for one by one, so that the libraries and layouts take turns, too.
        """
        for repeat in range(self.launches):
            for layout in self.layouts:
                for library in self.libraries:
                    for mapping in ("seq", "rr") if repeat % 2 == 0 else ("rr", "seq"):
                        words = f"{library}, {layout.nodes} x {layout.procs_per_node}, {mapping}"
                        yield f"launch {repeat + 1} of {self.launches}: {words}", [
                            *(str(CLUSTER), "run", "--nodes", str(layout.nodes)),
                            *("--rate", self.rate),
                            *("--", str(self.breakeven), "sweep", "--machine", library),
                            *("--db", str(self.database(library)), "--mapping", mapping),
                            *("--nodes", str(layout.nodes), "--procs", str(layout.procs)),
                            *("--bytes", layout.sizes, "--algorithms", ALGORITHMS[mapping]),
                            *("--launches", str(repeat + 1)),
                            *("--case-budget-s", f"{self.case_budget_s:g}", *SETTINGS),
                        ]

    def go(self) -> bool:
        """Measures what the databases lack; whether every case was."""
        self.folder.mkdir(parents=True, exist_ok=True)
        complete = True
        for words, command in self.commands():
            print(words, file=sys.stderr)
            streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
            with subprocess.Popen(command, **streams) as sweep:
                try:
                    _, said = sweep.communicate()
                except BaseException:
                    sweep.terminate()  # it lets the case that it is in finish, and loses nothing
                    raise
            if sweep.returncode not in (0, SOME_FAILED):
                last = (said.decode(errors="replace").strip() or "no words").splitlines()[-1]
                raise UsageError(f"{words}: exit status {sweep.returncode}: {last}")
            complete = complete and sweep.returncode == 0
        return complete
