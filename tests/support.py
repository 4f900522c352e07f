# SPDX-License-Identifier: BSD-3-Clause
"""Runs the programs as a user would, in a folder of its own that is gone afterwards."""

import contextlib
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import time
import unittest

BREAKEVEN = os.environ.get("BREAKEVEN", "breakeven")
MACHINE = os.environ.get("BREAKEVEN_MACHINE", "mpich")
MODEL = "postal:alpha=1e-6,beta=1e-9,gamma=1e-10"
LONGEST_RUN_S = 180

Case = tuple[str, ...]


class ProgramTest(unittest.TestCase):
    """A test with a folder of its own as the current one."""

    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="breakeven_test_"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.database = self.folder / "results.db"

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [BREAKEVEN, *arguments],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def breakeven(self, *arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        """Runs a command to its end and checks its exit status."""
        with self.start(*arguments) as process:
            try:
                output, errors = process.communicate(timeout=LONGEST_RUN_S)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        self.assertEqual(process.returncode, status, f"{arguments}\n{output}\n{errors}")
        return subprocess.CompletedProcess(arguments, process.returncode, output, errors)

    def rows(self, query: str) -> list[tuple]:
        """What the database answers; [] while it is not there, or locked, or has no tables yet."""
        with contextlib.suppress(sqlite3.OperationalError):
            # Not mode=ro: what a killed writer left half done has to be undone first.
            uri = f"file:{self.database}?mode=rw"
            with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=0.2)) as connection:
                return connection.execute(query).fetchall()
        return []

    def measured(self) -> dict[tuple[Case, int], tuple[int, float]]:
        """By case and repeat: the measurement's row id and median."""
        return {
            (row[:9], row[9]): row[10:]
            for row in self.rows(
                """SELECT collective, algorithm, params, procs, mapping, message_bytes, datatype,
                          op, root, repeat, measurement.id, median_s
                   FROM measurement JOIN "case" ON "case".id = case_id WHERE failure IS NULL"""
            )
        }

    def failures(self) -> list[tuple[str, str, int, int, str]]:
        """(collective, algorithm, message_bytes, repeat, reason) of every failed case."""
        return self.rows(
            """SELECT collective, algorithm, message_bytes, repeat, failure
               FROM measurement JOIN "case" ON "case".id = case_id WHERE failure IS NOT NULL"""
        )


def stat_fields(pid: int) -> tuple[str, int] | None:
    """A process's state letter and parent."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    state, parent = text.rpartition(")")[2].split()[:2]
    return state, int(parent)


def workers_below(ancestor: int) -> list[int]:
    """The running worker processes that descend from a process."""
    parents: dict[int, int] = {}
    workers = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit() or (fields := stat_fields(int(entry.name))) is None:
            continue
        pid = int(entry.name)
        parents[pid] = fields[1]
        with contextlib.suppress(OSError):
            program = os.readlink(entry / "exe")
            if "breakeven-worker" in program and fields[0] != "Z":
                workers.append(pid)

    def descends(pid: int) -> bool:
        while pid in parents and pid != ancestor:
            pid = parents[pid]
        return pid == ancestor

    return sorted(pid for pid in workers if descends(pid))


def wait_until(condition, seconds: float = 30.0) -> bool:
    """Whether the condition comes true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return False
