# SPDX-License-Identifier: BSD-3-Clause
"""Tables break no program that MPI permits: neither of a real sweep nor of any algorithm that a table
may choose; and each algorithm that none may choose does break one. Nor do calls through the C++ library.

A sweep says what the library has. Then one algorithm of each collective is made the fastest in its
database, and `tune` writes the table.
"""

import contextlib
import itertools
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import unittest

from support import BREAKEVEN, MACHINE, ONCE, ProgramTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "legal_calls"))

import jobs  # noqa: E402
from c_program import c_program  # noqa: E402
from generate import FORMS, program  # noqa: E402
from known_faults import avoided  # noqa: E402
from shrink import shrink  # noqa: E402
from steps import COLLECTIVES  # noqa: E402

PROCS = [2, 3]
FILES = {  # those that a version has not are not written
    "openmpi": [["openmpi_rules.conf"], ["openmpi_rules.json"], ["openmpi_params.sh"]],
    "mpich": [["mpich_coll.json", "mpich_ch4_coll.json"], ["mpich_cvars.sh"]],
}[MACHINE]
Variant = tuple[str, str, str, str]  # collective, form of calls, algorithm, parameters
# From this major version on they break nothing, and tables leave them out all the same.
MENDED = {"openmpi:alltoall/modified_bruck": 5}


def library(files: list[pathlib.Path]) -> jobs.Library:
    player = os.environ["BREAKEVEN_PLAYER"]
    return jobs.library(MACHINE, player, os.environ["BREAKEVEN_YIELD"], jobs.in_force(files))


def files_in(folder: pathlib.Path) -> list[list[pathlib.Path]]:
    formats = [[folder / file for file in files] for files in FILES]
    return [files for files in formats if files[0].exists()]


class LegalCallsTest(ProgramTest):
    swept: bytes | None = None  # the database of the one sweep that a class makes

    def setUp(self) -> None:
        super().setUp()
        if self.swept is None:
            type(self).swept = self.sweep()
        self.database.write_bytes(self.swept)
        [(said,)] = self.rows("SELECT library_version FROM machine")
        version = re.search(r"(?:MPICH Version:\s*|Open MPI v)([\d.]+)", said)
        assert version, said
        name = "MPICH" if MACHINE == "mpich" else "Open MPI"
        self.avoid = avoided(f"{name} {version[1]}")
        self.major = int(version[1].partition(".")[0])

    def sweep(self) -> bytes:
        self.breakeven(
            *("sweep", "--machine", MACHINE, "--procs", "2,3", "--bytes", "4K,64K", *ONCE),
            *("--collectives", ",".join(COLLECTIVES), "--algorithms", "native,library",
              "--forms", "blocking,nonblocking"),
            *("--launches", "3", "--db", str(self.database)),
            *("--counts", "equal"),  # algorithms that unequal counts would rule out stay possible choices
        )
        return self.database.read_bytes()

    def variants(self) -> dict[str, list[Variant]]:
        """By the call's name: iallreduce."""
        found: dict[str, list[Variant]] = {}
        for row in self.rows(
            'SELECT DISTINCT collective, form, algorithm, params FROM "case"'
            " WHERE algorithm != 'native' ORDER BY 1, 2, 3, 4"
        ):
            found.setdefault(("i" if row[1] == "nonblocking" else "") + row[0], []).append(row)
        return found

    def tables(self, fastest: list[Variant], *arguments: str) -> pathlib.Path:
        """The folder of the tables of a machine on which these are a hundred times as fast."""
        database = self.folder / "favoured.db"
        shutil.copy(self.database, database)
        with contextlib.closing(sqlite3.connect(database)) as connection:
            times = "UPDATE measurement SET median_s = {0}, low_s = {0}, high_s = {0} WHERE samples > 0"
            connection.execute(times.format("1"))
            connection.executemany(
                times.format("0.01") + ' AND case_id IN (SELECT id FROM "case" WHERE collective = ?'
                " AND form = ? AND algorithm = ? AND params = ?)",
                fastest,
            )
            connection.commit()
        folder = self.folder / "tables"
        shutil.rmtree(folder, ignore_errors=True)
        self.breakeven("tune", "--db", str(database), "--out", str(folder), *arguments)
        return folder

    def unsafe(self) -> list[str]:
        """As the head of a table names them: openmpi:reduce/chain."""
        head = files_in(self.tables([]))[0][0].read_text()
        return re.findall(r'^[ #*"]+skipped +(\S+):', head, re.MULTILINE)

    def test_no_table_breaks_a_legal_program(self) -> None:
        # Of parameters one is enough to tell what it breaks.
        variants = [
            [row for row in rows if row[3] in ("", "segment_bytes=1024")]
            for rows in self.variants().values()
        ]
        for turn in range(max(map(len, variants))):
            chosen = [rows[turn % len(rows)] for rows in variants]
            folder = self.tables(chosen)
            for files in files_in(folder):
                played = library(files)
                for procs, form in itertools.product(PROCS, FORMS):
                    steps = program(turn, procs, 250, self.avoid, form=form)
                    failure = jobs.play(played, steps, procs)
                    self.assertIsNone(failure, f"{files} p = {procs} {chosen}: {failure}")

    def test_ours_are_right_through_the_cpp_library(self) -> None:
        """In all forms of calls, several under way at once."""
        ours = library([])
        ours.breakeven = str(BREAKEVEN)
        for procs in [*PROCS, 5]:
            steps = program(procs, procs, 600, self.avoid)
            failure = jobs.play(ours, steps, procs)
            self.assertIsNone(failure, f"p = {procs}: {failure}")

    def test_what_no_table_may_choose_breaks_one(self) -> None:
        unsafe = self.unsafe()
        self.assertGreater(len(unsafe), 4)
        for name in unsafe:
            if self.major >= MENDED.get(name, self.major + 1):
                continue
            failure = self.broken_by(name)
            self.assertIsNotNone(failure, f"{name} is said to be unsafe, and breaks nothing")

    def broken_by(self, name: str) -> jobs.Failure | None:
        call = name.split(":")[1].split("/")[0]
        rows = [row for row in self.variants()[call] if named(row) == name]
        rows.sort(key=lambda row: row[3] != "segment_bytes=1024")
        folder = self.tables(rows[:1], "--allow-unsafe", name)
        collective, form, *_ = rows[0]
        for files, seed in itertools.product(files_in(folder), range(1, 9)):
            for procs in PROCS:
                steps = program(seed, procs, 400, self.avoid, [collective], form)
                if failure := jobs.play(library(files), steps, procs, patience_s=10):
                    return failure
        return None

    @unittest.skipUnless(MACHINE == "openmpi", "one library's is enough")
    def test_a_failure_becomes_a_small_program_in_c(self) -> None:
        [row, *_] = [
            row
            for row in self.variants()["bcast"]
            if row[2:] == ("openmpi:pipeline", "segment_bytes=1024")
        ]
        folder = self.tables([row], "--allow-unsafe", "openmpi:bcast/pipeline")
        played = library(files_in(folder)[0])
        steps = program(1, 2, 400, self.avoid)
        small, procs, failure = shrink(
            steps, 2, lambda smaller, ranks: jobs.play(played, smaller, ranks, patience_s=2)
        )
        self.assertIsNotNone(failure)
        self.assertEqual((len(small), procs), (1, 2), small)
        source = self.folder / "small.c"
        source.write_text(c_program(small, procs))
        program_file = self.folder / "small"
        subprocess.run(
            ["mpicc.openmpi", "-Wall", "-Werror", source, "-o", program_file], check=True
        )

        def status(environment: dict[str, str]) -> int:
            return subprocess.run(
                ["timeout", "10", *played.launcher, "2", program_file],
                env={**os.environ, **environment},
                capture_output=True,
                check=False,
            ).returncode

        self.assertEqual(status({}), 0)
        self.assertNotEqual(status(played.environment), 0)


def named(row: Variant) -> str:
    """openmpi:ireduce/chain of (reduce, nonblocking, openmpi:chain, fanout=2)."""
    machine, algorithm = row[2].split(":")
    return f"{machine}:{'i' if row[1] == 'nonblocking' else ''}{row[0]}/{algorithm}"


if __name__ == "__main__":
    unittest.main()
