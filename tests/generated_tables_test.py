# SPDX-License-Identifier: BSD-3-Clause
"""Of databases whose times are made by chance, `tune` writes files that pass the lint, load in the
library and answer alike."""

import contextlib
import csv
import os
import random
import sqlite3
import unittest

from support import MACHINE, ONCE, ProgramTest, library_file

DATABASES = int(os.environ.get("BREAKEVEN_DATABASES", "3"))


class GeneratedTables(ProgramTest):
    def test_what_is_written_can_be_read(self) -> None:
        self.breakeven(
            *("sweep", "--machine", MACHINE, "--procs", "2,3", "--bytes", "8,4K,64K", *ONCE),
            *("--algorithms", "native,library,breakeven", "--launches", "3"),
            *("--hang-timeout-s", "60", "--db", str(self.database)),
        )
        swept = self.database.read_bytes()
        for seed in range(DATABASES):
            with self.subTest(seed=seed):
                self.database.write_bytes(swept)
                self.scramble(random.Random(seed))
                tables = str(self.folder / f"tables{seed}")
                tuned = self.breakeven("tune", "--db", str(self.database), "--out", tables).stdout
                self.assertNotIn("skipped the module file", tuned)
                linted = self.breakeven("tables", "lint", tables).stdout
                self.assertIn("; loaded by", linted)
                self.check_answers(tables, random.Random(seed))

    def scramble(self, chance: random.Random) -> None:
        """Each candidate takes a latency and its time for each byte; some cells are missing."""
        with contextlib.closing(sqlite3.connect(self.database)) as database, database:
            database.execute("PRAGMA foreign_keys = OFF")
            rows = database.execute(
                'SELECT m.id, c.message_bytes, c.collective, c.algorithm, c.params, c.procs '
                'FROM measurement m JOIN "case" c ON c.id = m.case_id WHERE m.failure IS NULL'
            ).fetchall()
            times: dict[tuple, tuple[float, float, float]] = {}
            for row, message_bytes, *candidate in rows:
                drawn = (chance.uniform(1, 4), chance.uniform(1e-4, 4e-3), chance.random())
                latency, byte, _ = times.setdefault(tuple(candidate), drawn)
                time_s = 1e-6 * (latency + byte * message_bytes) * chance.uniform(0.97, 1.03)
                database.execute(
                    "UPDATE measurement SET median_s = ?1, low_s = ?1, high_s = ?1 WHERE id = ?2",
                    (time_s, row),
                )
            for collective, algorithm, _, procs in [key for key in times if times[key][2] < 0.1]:
                database.execute(
                    "DELETE FROM measurement WHERE case_id IN (SELECT id FROM \"case\" WHERE "
                    "collective = ? AND algorithm = ? AND procs = ? AND algorithm != 'native')",
                    (collective, algorithm, procs),
                )

    def check_answers(self, tables: str, chance: random.Random) -> None:
        """The CSV's rules, asked of the other files of the same table, and those of the library."""
        for kept, others in (
            ("table.csv", ["table.json"]),
            ("library_table.json", [library_file(self.folder / tables).name]),
        ):
            with open(f"{tables}/table.csv") as file:
                rules = list(csv.DictReader(line for line in file if not line.startswith("#")))
            for rule in chance.sample(rules, min(4, len(rules))):
                call = ["--collective", rule["collective"], "--procs", rule["procs"]]
                call += ["--bytes", str(int(rule["from_message_bytes"]) + chance.choice((0, 8, 64)))]
                if rule["collective"] == "barrier":
                    call = call[:-2]
                wanted = self.ask(f"{tables}/{kept}", call)
                for other in others:
                    answer = self.ask(f"{tables}/{other}", call)
                    if answer != wanted:  # what a format can't say stays with the library
                        self.assertEqual(answer, "native: the library decides", (other, call, wanted))

    def ask(self, file: str, call: list[str]) -> str:
        with self.start("tables", "ask", file, *call) as process:
            output, errors = process.communicate(timeout=60)
        if process.returncode == 2 and "no rule for" in errors:
            return "native: the library decides"
        self.assertEqual(process.returncode, 0, errors)
        return output.splitlines()[0].split(", number")[0]


if __name__ == "__main__":
    unittest.main()
