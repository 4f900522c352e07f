# SPDX-License-Identifier: BSD-3-Clause
"""Tables of any algorithm that the MPI library has: a sweep says which; then some are made the fastest
in its database, and `tune` writes the tables.
"""

import contextlib
import os
import pathlib
import re
import shutil
import sqlite3
import sys

from support import MACHINE, ONCE, ProgramTest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "legal_calls"))

import jobs  # noqa: E402
from steps import COLLECTIVES  # noqa: E402

PROCS = [2, 3]
FILES = {  # those that a version has not are not written
    "openmpi": [["openmpi_rules.conf"], ["openmpi_rules.json"], ["openmpi_params.sh"]],
    "mpich": [["mpich_coll.json", "mpich_ch4_coll.json"], ["mpich_cvars.sh"]],
}[MACHINE]
Variant = tuple[str, str, str, str]  # collective, form of calls, algorithm, parameters


def files_in(folder: pathlib.Path) -> list[list[pathlib.Path]]:
    formats = [[folder / file for file in files] for files in FILES]
    return [files for files in formats if files[0].exists()]


def library(files: list[pathlib.Path]) -> jobs.Library:
    player = os.environ["BREAKEVEN_PLAYER"]
    return jobs.library(MACHINE, player, os.environ["BREAKEVEN_YIELD"], jobs.in_force(files))


def named(row: Variant) -> str:
    """openmpi:ireduce/chain of (reduce, nonblocking, openmpi:chain, fanout=2)."""
    machine, algorithm = row[2].split(":")
    return f"{machine}:{'i' if row[1] == 'nonblocking' else ''}{row[0]}/{algorithm}"


class FavouredTest(ProgramTest):
    swept: bytes | None = None  # the database of the one sweep that a class makes

    def setUp(self) -> None:
        super().setUp()
        if self.swept is None:
            type(self).swept = self.sweep()
        self.database.write_bytes(self.swept)

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
