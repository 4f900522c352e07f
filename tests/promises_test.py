# SPDX-License-Identifier: BSD-3-Clause
"""Files of another version meet what docs/promises.md says, which has the present numbers."""

import contextlib
import json
import pathlib
import re
import sqlite3
import unittest

from support import MACHINE, ProgramTest

PAGE = (pathlib.Path(__file__).parents[1] / "docs/promises.md").read_text()


def number(key: str) -> int:
    """The present number of a kind of file."""
    found = re.search(rf"`{key}`, (\d+) \|", PAGE)
    assert found, key
    return int(found[1])


class OtherVersions(ProgramTest):
    def refused(self, *arguments: str, words: str) -> None:
        run = self.breakeven(*arguments, status=2)
        self.assertIn(words, run.stderr + run.stdout)
        self.assertEqual(len(run.stderr.splitlines()) + len(run.stdout.splitlines()), 1, run)

    def test_a_database_is_refused_and_stays_as_it_was(self) -> None:
        self.tables()
        version = number("PRAGMA user_version")
        self.assertEqual(self.rows("PRAGMA user_version"), [(version,)])
        sweep = ("sweep", "--machine", MACHINE, "--procs", "2", "--bytes", "8", "--db", "results.db")
        for other in (version - 1, version + 1):
            with contextlib.closing(sqlite3.connect(self.database)) as connection:
                connection.execute(f"PRAGMA user_version = {other}")
            before = self.database.read_bytes()
            words = f"has schema version {other}, but this program reads and writes version {version}"
            for command in (
                sweep,
                ("show", "--db", "results.db"),
                ("status", "--db", "results.db"),
                ("tune", "--db", "results.db", "--out", "new"),
                ("check", "--db", "results.db"),
                ("report", "--db", "results.db", "--out", "new.html"),
                ("merge", "new.db", "results.db"),
            ):
                self.refused(*command, words=words)
            self.assertEqual(self.database.read_bytes(), before)
        self.assertEqual({each.name for each in self.folder.iterdir()}, {"results.db", "tables"})

    def test_a_table_is_refused_and_a_program_runs_without_it(self) -> None:
        folder = self.tables()
        file = folder / "table.json"
        form = number("breakeven_table")
        text = file.read_text()
        self.assertEqual(json.loads(text)["breakeven_table"], form)
        file.write_text(text.replace(f'"breakeven_table": {form}', f'"breakeven_table": {form - 1}'))
        words = f"a table of form {form - 1}; this Breakeven reads form {form}"
        self.refused("tables", "lint", str(file), words=words)
        program = ("run", "--tables", str(folder), "--", "true")
        run = self.breakeven(*program)
        self.assertIn(words, run.stderr)
        self.assertIn("the command runs without Breakeven", run.stderr)
        self.refused("run", "--strict", *program[1:], words=words)

    def test_a_profile_is_refused(self) -> None:
        self.tables()
        form = number("breakeven_profile")
        (self.folder / "p.json").write_text(json.dumps({"breakeven_profile": form - 1}))
        words = f"a profile of form {form - 1}; this Breakeven reads form {form}"
        self.refused("tune", "--db", "results.db", "--profile", "p.json", words=words)
        out = ("--db", "results.db", "--profile", "p.json", "--out", "new.html")
        self.refused("report", *out, words=words)

    def test_a_table_with_other_columns_is_none(self) -> None:
        folder = self.tables()
        file = folder / "table.csv"
        file.write_text(file.read_text().replace("near_best_probability", "probability"))
        self.refused("tables", "lint", str(file), words="table.csv")


if __name__ == "__main__":
    unittest.main()
