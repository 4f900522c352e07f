# SPDX-License-Identifier: BSD-3-Clause
"""Shared by the scripts: the cost of a command, copies of a database's rows, sizes and times as text."""
from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

SIZES = [(1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B")]  # in bytes
TIMES = [(1e6, "ms"), (1e3, "us"), (1, "ns")]  # in ns


def size_text(size: int) -> str:
    unit, name = next(pair for pair in SIZES if size % pair[0] == 0)
    return f"{size // unit} {name}"


def time_text(ns: float) -> str:
    unit, name = next(pair for pair in TIMES if ns >= pair[0])
    return f"{ns / unit:.3g} {name}"


def quietly(*command: str | Path) -> None:
    """Runs a command that has to succeed."""
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def cost(*command: str | Path) -> tuple[float, float]:
    """CPU seconds and MB of a command. Exit status 1 is a finding, such as a violated guideline."""
    started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    errors = started.stderr.read()
    _, status, usage = os.wait4(started.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"{' '.join(map(str, command))} failed: {errors}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e3


class Rows:
    """The rows of a results database."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.run = database.execute

    def last(self, table: str) -> int:
        return self.run(f"SELECT max(id) FROM '{table}'").fetchone()[0]

    def copy(self, table: str, where: str = "true", **changes: object) -> None:
        """Inserts rows again; `changes` are SQL expressions for some of their columns."""
        columns = [row[1] for row in self.run(f"PRAGMA table_info('{table}')")]
        values = ", ".join(str(changes.get(each, each)) for each in columns)
        self.run(f"INSERT INTO '{table}' SELECT {values} FROM '{table}' WHERE {where}")
