# SPDX-License-Identifier: BSD-3-Clause
"""Whatever can't be done is refused in one line, with exit status 2 and nothing changed."""

import os
import sqlite3
import unittest
from unittest import mock

from support import MODEL, ProgramTest

SWEEP = ["sweep", "--machine", MODEL, "--procs", "2,3", "--bytes", "8:64"]
TOML = f'machine = "{MODEL}"\nprocs = [2, 3]\nbytes = "8:64"\n'


class BadInput(ProgramTest):
    def contents(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.folder)): path.read_bytes() if path.is_file() else b""
            for path in self.folder.rglob("*")
        }

    def assert_refused(self, *arguments: str, words: str) -> None:
        """Exit status 2, one line that holds `words`, every file as it was and none added."""
        before = self.contents()
        run = self.breakeven(*arguments, status=2)
        lines = run.stderr.splitlines()
        self.assertEqual(len(lines), 1, run.stderr)
        self.assertTrue(lines[0].startswith("breakeven: "), lines[0])
        self.assertIn(words, lines[0])
        self.assertEqual(self.contents(), before)

    def make_database(self) -> None:
        self.breakeven(*SWEEP, "--collectives", "allreduce", "--db", "results.db")

    def test_command_line(self) -> None:
        self.assert_refused("swep", words="no command 'swep'; known: machines doctor")
        self.assert_refused(*SWEEP, words="--db")
        self.assert_refused(*SWEEP, "--db", "new.db", "--colour", "red", words="--colour")

    def test_names(self) -> None:
        for extra, words in [
            (["--collectives", "alreduce"], "no collective 'alreduce'; known: allgather"),
            (["--algorithms", "rign"], "no algorithm 'rign'"),
            (["--datatype", "quad"], "no datatype 'quad'; known: byte"),
            (["--op", "add"], "no op 'add'; known:"),
            (["--mapping", "cyclic"], "no mapping 'cyclic'; known: seq rr blocked:RANKS"),
        ]:
            self.assert_refused(*SWEEP, *extra, "--db", "new.db", words=words)

    def test_machines(self) -> None:
        rest = ["--procs", "2", "--bytes", "8", "--db", "new.db"]
        self.assert_refused("sweep", "--machine", "lam", *rest, words="no machine 'lam'; known:")
        self.assert_refused("sweep", "--machine", "postal:alpha=1", *rest, words="has no 'beta'")

    def test_sizes_and_process_counts(self) -> None:
        for extra, words in [
            (["--bytes", "8:4"], "'8:4' is not SMALLEST:LARGEST"),
            (["--bytes", "12"], "not whole elements of 'double'"),
            (["--procs", "0"], "'0' is not a process count"),
            (["--root", "2"], "p = 2 has ranks 0..1"),
            (["--procs", "3", "--algorithms", "allgather/recursive_doubling"], "can't run at p = 3"),
        ]:
            (self.folder / "sweep.toml").write_text(TOML)
            self.assert_refused("sweep", "sweep.toml", *extra, "--db", "new.db", words=words)

    def test_sweep_files(self) -> None:
        (self.folder / "broken.toml").write_text("procs = [2, 3\n")
        (self.folder / "unknown.toml").write_text("machine = 'mpich'\nprocess = 3\n")
        rest = ["--machine", MODEL, "--db", "new.db"]
        self.assert_refused("sweep", "broken.toml", *rest, words="broken.toml:")
        self.assert_refused("sweep", "unknown.toml", *rest, words="unknown.toml:2: process: unknown")
        self.assert_refused("sweep", "missing.toml", *rest, words="can't read 'missing.toml'")

    def test_databases(self) -> None:
        (self.folder / "text.db").write_text("this is a text, and by far no database\n" * 100)
        (self.folder / "folder.db").mkdir()
        with sqlite3.connect(self.folder / "foreign.db") as foreign:
            foreign.execute("CREATE TABLE other (x)")
        self.make_database()
        for version in [1, 999]:
            other = self.folder / f"version-{version}.db"
            other.write_bytes(self.database.read_bytes())
            with sqlite3.connect(other) as connection:
                connection.execute(f"PRAGMA user_version = {version}")
        for file in ["text.db", "folder.db", "foreign.db", "version-1.db", "version-999.db"]:
            self.assert_refused(*SWEEP, "--db", file, words=file)
            for command in ["status", "tune", "check"]:
                self.assert_refused(command, "--db", file, words=file)
        self.assert_refused(*SWEEP, "--db", "missing/new.db", words="missing/new.db")
        self.assert_refused(*SWEEP, "--db", "/proc/new.db", words="/proc/new.db")
        self.assert_refused("tune", "--db", "missing.db", words="missing.db")

    def test_outputs(self) -> None:
        self.make_database()
        plot = ["plot", "fastest", "--db", "results.db", "--out"]
        self.assert_refused("tune", "--db", "results.db", "--out", "/proc/tables", words="/proc/tables")
        self.assert_refused(*plot, "/proc/map.png", words="/proc/map.png")
        self.assert_refused(*plot, "map.gif2", words="map.gif2")

    def test_a_plot_names_why_matplotlib_is_not_there(self) -> None:
        self.make_database()
        package = self.folder / "path" / "matplotlib"
        package.mkdir(parents=True)
        for raised, words in (
            ("ImportError('made for\\n another NumPy')", "imported: ImportError: made for another NumPy"),
            ("AttributeError('_ARRAY_API')", "imported: AttributeError: _ARRAY_API"),
            ("ModuleNotFoundError('no numpy', name='numpy')", "ModuleNotFoundError: no numpy"),
            ("ModuleNotFoundError(name='matplotlib')", "Debian: python3-matplotlib"),
        ):
            (package / "__init__.py").write_text(f"raise {raised}\n")
            with mock.patch.dict(os.environ, PYTHONPATH=str(package.parent), PYTHONDONTWRITEBYTECODE="1"):
                self.assert_refused("plot", "fastest", "--db", "results.db", "--out", "map.png", words=words)

    def test_selections(self) -> None:
        self.make_database()
        rest = ["--db", "results.db"]
        self.assert_refused("tune", *rest, "--machine", "mpich", words="no machines called 'mpich'")
        self.assert_refused("tune", *rest, "--format", "yaml", words="yaml")
        self.assert_refused("tune", *rest, "--mapping", "diagonal", words="diagonal")
        self.assert_refused("tune", *rest, "--mapping", "rr", words="mapping seq")
        # What is asked for by name is written or refused, before anything is.
        self.assert_refused("tune", *rest, "--out", "tables", "--format", "csv,openmpi_rules",
                            words="none was measured")
        self.assert_refused("check", *rest, "--guidelines", "7", words="7")
        self.assert_refused("plot", "pie", *rest, "--out", "p.png", words="no plot 'pie'")
        self.assert_refused("plot", "ratio", *rest, "--out", "p.png", words="native")

    def test_schedules(self) -> None:
        self.assert_refused("schedule", "ring", "--procs", "4", words="'ring' is neither list, show, prove")
        self.assert_refused("schedule", "allreduce/rign", "--procs", "4", words="no allreduce algorithm")
        self.assert_refused("schedule", "allgather/recursive_doubling", "--procs", "6", words="p = 6")
        self.assert_refused("schedule", "allreduce/ring", words="p = 0")
        self.assert_refused("schedule", "reduce/binomial", "--procs", "4", "--root", "4", words="root 4")
        self.assert_refused(
            "schedule", "allreduce/ring", "--procs", "4", "--format", "yaml", words="no format 'yaml'"
        )


if __name__ == "__main__":
    unittest.main()
