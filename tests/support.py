# SPDX-License-Identifier: BSD-3-Clause
"""Runs the programs as a user would, in a folder of its own that is gone afterwards."""

import contextlib
import os
import pathlib
import resource
import shutil
import sqlite3
import subprocess
import tempfile
import time
import unittest
from collections.abc import Callable

BREAKEVEN = os.environ.get("BREAKEVEN", "breakeven")
MACHINE = os.environ.get("BREAKEVEN_MACHINE", "mpich")
MODEL = "postal:alpha=1e-6,beta=1e-9,gamma=1e-10"
LONGEST_RUN_S = 180

# Of a sweep: each case is measured once in a launch, and all launches that were asked for happen.
ONCE = [
    "--no-doctor", "--racing", "false", "--repetitions", "1", "--min-repetitions", "1",
    "--min-time-s", "0", "--batch", "1", "--case-budget-s", "0.01", "--sync", "library",
    "--clock-sync", "none",
]  # fmt: skip

Case = tuple[str, ...]
# By algorithms: the databases that tests of this process share.
SWEPT: dict[tuple[str, str], bytes] = {}


class ProgramTest(unittest.TestCase):
    """A test with a folder of its own as the current one."""

    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="breakeven_test_"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.database = self.folder / "results.db"

    def start(
        self,
        *arguments: str,
        limits: dict[int, int] | None = None,
        program: pathlib.Path | str = BREAKEVEN,
    ) -> subprocess.Popen[str]:
        """Starts a command, with resource limits for it and all that it starts."""

        def limit() -> None:
            for which, value in (limits or {}).items():
                resource.setrlimit(which, (value, value))

        return subprocess.Popen(
            [program, *arguments],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=limit,
        )

    def breakeven(
        self, *arguments: str, status: int | tuple[int, ...] = 0, **how
    ) -> subprocess.CompletedProcess[str]:
        """Runs a command to its end and checks its exit status: the one, or one of several."""
        with self.start(*arguments, **how) as process:
            try:
                output, errors = process.communicate(timeout=LONGEST_RUN_S)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        possible = (status,) if isinstance(status, int) else status
        self.assertIn(process.returncode, possible, f"{arguments}\n{output}\n{errors}")
        return subprocess.CompletedProcess(arguments, process.returncode, output, errors)

    def tables(self, little: str = "ring", much: str = "recursive_doubling") -> pathlib.Path:
        """The folder of tables of this machine for p = 2: allreduce by these algorithms."""
        if (little, much) not in SWEPT:
            SWEPT[little, much] = self.sweep_for_tables(little, much)
        self.database.write_bytes(SWEPT[little, much])
        folder = self.folder / "tables"
        self.breakeven("tune", "--db", str(self.database), "--out", str(folder))
        return folder

    def sweep_for_tables(self, little: str, much: str) -> bytes:
        """The database of a sweep in which these are the fastest, of little data and of much."""
        self.breakeven(
            *("sweep", "--machine", MACHINE, "--procs", "2", "--bytes", "8,4K,1M", *ONCE),
            *("--collectives", "allreduce", "--algorithms", f"native,{little},{much}"),
            *("--launches", "3", "--db", str(self.database)),
        )
        with contextlib.closing(sqlite3.connect(self.database)) as connection:
            connection.execute(  # whatever else the machine does meanwhile
                "UPDATE measurement SET median_s = 1e-6, low_s = 1e-6, high_s = 1e-6"
                " WHERE failure IS NULL"
            )
            for algorithm, condition in [(little, "< 100"), (much, "> 100000")]:
                connection.execute(
                    "UPDATE measurement SET median_s = 1e-9, low_s = 1e-9, high_s = 1e-9"
                    ' WHERE case_id IN (SELECT id FROM "case" WHERE algorithm = ?'
                    f" AND message_bytes {condition})",
                    (algorithm,),
                )
            connection.commit()
        return self.database.read_bytes()

    def rows(self, query: str) -> list[tuple]:
        """The database's answer; [] while it is not there, or locked, or has no tables yet."""
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


def told(errors: str) -> list[str]:
    """The lines of a command that are Breakeven's own."""
    # Open MPI 5's launcher ends its own words by a zero.
    lines = errors.replace("\0", "\n").splitlines()
    return [line for line in lines if line.startswith("breakeven: ")]


def library_file(tables: pathlib.Path) -> pathlib.Path:
    """The file that the library reads: Open MPI's is in JSON from version 6 on."""
    names = {"mpich": ["mpich_coll.json"], "openmpi": ["openmpi_rules.conf", "openmpi_rules.json"]}
    [file] = [tables / name for name in names[MACHINE] if (tables / name).exists()]
    return file


def documented_decoder() -> Callable[[bytes], list[int]]:
    """The function that docs/files.md gives to readers of `durations`."""
    document = (pathlib.Path(__file__).parents[1] / "docs/files.md").read_text()
    functions: dict[str, Callable[[bytes], list[int]]] = {}
    exec(document.partition("```python\n")[2].partition("```")[0], functions)
    return functions["picoseconds"]


picoseconds = documented_decoder()


def stat_fields(pid: int) -> tuple[str, int] | None:
    """A process's state letter and parent."""
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    state, parent = text.rpartition(")")[2].split()[:2]
    return state, int(parent)


def alive(pid: int) -> bool:
    fields = stat_fields(pid)
    return fields is not None and fields[0] != "Z"


def running() -> dict[int, int]:
    """The parent of every process that is no zombie."""
    parents: dict[int, int] = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit() or (fields := stat_fields(int(entry.name))) is None:
            continue
        if fields[0] != "Z":
            parents[int(entry.name)] = fields[1]
    return parents


def children(ancestor: int) -> list[int]:
    return sorted(pid for pid, parent in running().items() if parent == ancestor)


def descendants(ancestor: int) -> list[int]:
    parents = running()

    def descends(pid: int) -> bool:
        while pid in parents and pid != ancestor:
            pid = parents[pid]
        return pid == ancestor

    return sorted(pid for pid in parents if pid != ancestor and descends(pid))


def programs_below(ancestor: int, name: str) -> list[int]:
    """The processes that descend from one and run a program of such a name."""
    found = []
    for pid in descendants(ancestor):
        with contextlib.suppress(OSError):
            if name in os.readlink(f"/proc/{pid}/exe"):
                found.append(pid)
    return found


def workers_below(ancestor: int) -> list[int]:
    """The running worker processes that descend from a process."""
    return programs_below(ancestor, "breakeven-worker")


def wait_until(condition, seconds: float = 30.0) -> bool:
    """Whether the condition comes true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return False
