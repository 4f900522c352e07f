# SPDX-License-Identifier: BSD-3-Clause
"""A small results database whose times are known, for tests."""
from __future__ import annotations

import sqlite3
from pathlib import Path

SCHEMA = (Path(__file__).resolve().parents[2] / "results" / "schema.sql").read_text()
MICRO = 1e-6


class Builder:
    """Fills a database with times in microseconds, one per launch."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.connection = sqlite3.connect(path)
        self.launches: dict[tuple[int, int, int], int] = {}
        self.connection.executescript(SCHEMA)

    def machine(self, name: str, kind: str = "library", version: str = "MPICH Version:  4.0.2"):
        version = version if kind == "library" else ""
        sql = "INSERT INTO machine (name, kind, library_version, cpu) VALUES (?, ?, ?, ?)"
        return self._add(sql, name, kind, version, "a cpu")

    def measure(self, machine: int, procs: int, size: int, times: dict[str, list[float]], **case):
        """Stores `times` (algorithm, or algorithm and parameters, to one time per launch)."""
        for name, values in times.items():
            algorithm, _, params = name.partition(" ")
            case_id = self._case(machine, procs, size, algorithm, params, **case)
            for repeat, value in enumerate(values):
                self._add(
                    "INSERT INTO measurement (case_id, launch_id, repeat, samples, median_s,"
                    " low_s, high_s, warmups, invalid, stopped)"
                    " VALUES (?, ?, ?, 50, ?4, ?4, ?4, 2, 0, '')",
                    *(case_id, self._launch(machine, procs, repeat), repeat, value * MICRO),
                )
        self.connection.commit()

    def fail(self, machine: int, procs: int, size: int, algorithm: str) -> None:
        case_id = self._case(machine, procs, size, algorithm, "")
        self._add(
            "INSERT INTO measurement (case_id, launch_id, repeat, samples, failure, warmups,"
            " invalid, stopped) VALUES (?, ?, 0, 0, 'timed out', 0, 0, '')",
            *(case_id, self._launch(machine, procs, 0)),
        )
        self.connection.commit()

    def _launch(self, machine: int, procs: int, repeat: int) -> int:
        """The one launch of this repeat, which all its measurements share."""
        key = (machine, procs, repeat)
        if key not in self.launches:
            self.launches[key] = self._add_launch(machine, procs, repeat)
        return self.launches[key]

    def _add_launch(self, machine: int, procs: int, repeat: int) -> int:
        return self._add(
            "INSERT INTO launch (machine_id, procs, nodes, procs_per_node, mapping, repeat, seed,"
            " command, placement, environment, oversubscribed, sync, clock_sync,"
            " timer, run_time, outliers_dropped, started_at)"
            " VALUES (?, ?, 1, ?, 'seq', ?, 1, '', '[]', '{}', ?, '', '', '', 'local', 0, '2026-01-01')",
            *(machine, procs, procs, repeat, int(procs > 4)),
        )

    def _case(self, machine, procs, size, algorithm, params, **case) -> int:
        collective, op = case.get("collective", "allreduce"), case.get("op", "sum")
        nodes = case.get("nodes", 1)
        return self._add(
            'INSERT INTO "case" (machine_id, collective, algorithm, params, procs, nodes,'
            " procs_per_node, mapping, message_bytes, datatype, op, root, counts)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'int', ?, 0, ?)",
            *(machine, collective, algorithm, params, procs, nodes, procs // nodes),
            *(case.get("mapping", "seq"), size, op, case.get("counts", "equal")),
        )

    def _add(self, sql: str, *values) -> int:
        return self.connection.execute(sql, values).lastrowid
