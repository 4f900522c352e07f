# SPDX-License-Identifier: BSD-3-Clause
"""Whatever can't be done is refused in one line, with exit status 2 and nothing changed."""

import contextlib
import fcntl
import os
import pty
import re
import sqlite3
import struct
import subprocess
import termios
import unittest
from unittest import mock

from support import BREAKEVEN, MODEL, ProgramTest

SWEEP = ["sweep", "--machine", MODEL, "--procs", "2,3", "--bytes", "8:64"]
TOML = f'machine = "{MODEL}"\nprocs = [2, 3]\nbytes = "8:64"\n'


class BadInput(ProgramTest):
    def contents(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.folder)): path.read_bytes() if path.is_file() else b""
            for path in self.folder.rglob("*")
        }

    def assert_refused(self, *arguments: str, words: str = "", line: str = ".*") -> None:
        """Exit status 2, one line that holds `words`, every file as it was and none added.

        :param line: the whole of it, where "?" and "." stand for themselves unless a "*" follows
        """
        before = self.contents()
        run = self.breakeven(*arguments, status=2)
        lines = run.stderr.splitlines()
        self.assertEqual(len(lines), 1, run.stderr)
        self.assertTrue(lines[0].startswith("breakeven: "), lines[0])
        self.assertIn(words, lines[0])
        pattern = re.escape(line).replace(r"\.\*", ".*")
        self.assertRegex(lines[0], f"^breakeven: {pattern}$")
        self.assertEqual(self.contents(), before)

    def make_database(self) -> None:
        self.breakeven(*SWEEP, "--collectives", "allreduce", "--db", "results.db")

    def test_command_line(self) -> None:
        """Words of a command, and the whole line that answers them."""
        help_of = "`breakeven {0} --help` lists them".format
        model = ("--machine", MODEL)
        for command, line in (
            ("swep", "no command 'swep'; did you mean 'sweep'? known: machines doctor .*"),
            ("tables lnt x", "tables has no command 'lnt'; did you mean 'lint'? known: lint ask"),
            ("tables", "tables needs a command: lint or ask"),
            ("sweep", "sweep needs --db, results database, .*; example: `breakeven sweep --machine mpich .* --db results.db`"),
            ("sweep --db new.db --byte 8", f"sweep has no option --byte; did you mean '--bytes'? {help_of('sweep')}"),
            ("sweep --machine mpich --procs 2 --dbb new.db", f"sweep has no option --dbb; did you mean '--db'? {help_of('sweep')}"),
            ("sweep --db new.db --colour red", f"sweep has no option --colour; {help_of('sweep')}"),
            ("tables ask t --colective bcast", f"tables ask has no option --colective; did you mean '--collective'? {help_of('tables ask')}"),
            ("sweep --db new.db --np 4", f"sweep has no option --np; did you mean '--procs'? {help_of('sweep')}"),
            ("help", "no command 'help'; known: .*; `breakeven --help` says what each does"),
            ("run --tables t mpiexec -n 4 ./a", "run has no option -n; those of a command stand behind --; example: `breakeven run --tables tables -- mpiexec.mpich -n 4 ./program input`"),
            ("compare . .", "'.' is a folder; of its tables can be compared: ./table.json, library_table.json, a C++ header"),
            ("clocks --machine postal:alpha=1,beta=1,gamma=1", "`clocks` looks at real nodes and clocks, of which .* a model, has none; .*"),
            ("schedule list alreduce", "no collective 'alreduce'; did you mean 'allreduce'? known: .*"),
            ("schedule allreduce --procs 4", "'allreduce' is not COLLECTIVE/ALGORITHM; `breakeven schedule list` lists them"),
            ("tune results.db", "tune needs --db, results database .*; example: `breakeven tune --db results.db`"),
            ("tune --db results.db tables", "tune does not take 'tables'; example: `breakeven tune --db results.db`"),
            ("check --db", "check: --db has no value behind it; example: `breakeven check --db .*`"),
            ("verify --tables t --launches many", "verify: --launches: 'many' is not a whole number"),
            ("status", r"status: .*--db.*--tables.*; example: `breakeven status --db results.db`"),
            ("run --tables t", "run needs COMMAND, command that starts the program: .*; example: `breakeven run .*`"),
            ("profile --machine mpic -- true", "no MPI library 'mpic'; did you mean 'mpich'? known: mpich openmpi"),
            ("submit --slurm --time 1h -- --machine mpich --proc 2", f"after --: sweep has no option --proc; did you mean '--procs'? {help_of('sweep')}"),
            ("tables ask . --collective bcast --procs 2 --bytes 8", "no table in the folder '.'; known names: .*"),
            ("predict allreduce --procs 4 --machine mpich", "mpich is a library, which is measured; `breakeven fit --machine mpich .*` makes a model of it"),
            ("predict allreduce --procs 4 --machine loggp:L=1000,o=1,g=1,G=1", ".* its keys are seconds, or seconds per byte, as L=2e-6 .*"),
            ("predict allreduce --procs 4 --machine lgp:L=1", "no model 'lgp'; did you mean 'logp'? known: .*"),
            ("predict ring --procs 4 --machine mpich2", "no model 'mpich2'; known: .*"),
        ):
            self.assert_refused(*command.split(), line=line)
        self.assert_refused("timeline", "ring", "--procs", "4", *model[:1], MODEL, line="'ring' is not COLLECTIVE/ALGORITHM; did you mean .*'allreduce/ring'.*")

    def test_without_words_the_first_steps_are_printed(self) -> None:
        told = self.breakeven(status=2).stderr
        self.assertRegex(told, "(?s)^Measures .*First steps:\n  breakeven machines\n.*--help")

    def test_help_is_as_wide_as_the_terminal(self) -> None:
        """But for examples, which are copied as they are."""
        for columns in (90, 120):
            for command in (["--help"], ["sweep", "--help"], ["compare", "--help"]):
                lines = self.on_a_terminal(columns, *command)
                prose = [line for line in lines if not re.match("  (breakeven|  |[a-z_]+ *=)", line) or line.startswith(" " * 30)]
                self.assertLessEqual(max(map(len, prose)), columns, command)
                self.assertGreater(max(map(len, prose)), columns - 16, command)

    def on_a_terminal(self, columns: int, *arguments: str) -> list[str]:
        ours, theirs = pty.openpty()
        fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("4H", 50, columns, 0, 0))
        with subprocess.Popen([BREAKEVEN, *arguments], stdout=theirs, stdin=subprocess.DEVNULL):
            os.close(theirs)
            text = b""
            with contextlib.suppress(OSError):  # at the end of the terminal's other side
                while part := os.read(ours, 4096):
                    text += part
        os.close(ours)
        return text.decode().splitlines()

    def test_names(self) -> None:
        for extra, words in [
            (["--collectives", "alreduce"], "no collective 'alreduce'; did you mean 'allreduce'? known: allgather"),
            (["--collectives", "MPI_Bcast"], "did you mean 'bcast'?"),
            (["--algorithms", "rign"], "no algorithm 'rign'; did you mean 'allreduce/ring' or 'reduce_scatter_block/ring' or 'allgather/ring'?"),
            (["--algorithms", "allreduce/recursive"], "did you mean 'allreduce/recursive_doubling'"),
            (["--mapping", "sqe"], "no mapping 'sqe'; did you mean 'seq'?"),
            (["--datatype", "quad"], "no datatype 'quad'; known: byte"),
            (["--op", "add"], "no op 'add'; known:"),
            (["--mapping", "cyclic"], "no mapping 'cyclic'; known: seq rr blocked:RANKS"),
        ]:
            self.assert_refused(*SWEEP, *extra, "--db", "new.db", words=words)

    def test_machines(self) -> None:
        rest = ["--procs", "2", "--bytes", "8", "--db", "new.db"]
        self.assert_refused("sweep", "--machine", "lam", *rest, words="no machine 'lam'; known:")
        self.assert_refused("sweep", "--machine", "mpihc", *rest, words="no machine 'mpihc'; did you mean 'mpich'?")
        self.assert_refused("sweep", "--machine", "postal:alpha=1", *rest, words="has no 'beta'")

    def test_sizes_and_process_counts(self) -> None:
        for extra, words in [
            (["--bytes", "8:4"], "'8:4' is not SMALLEST:LARGEST"),
            (["--bytes", "8:1M:4"], "'8:1M:4' is not FIRST:LAST, which is FIRST, twice it, and so on; a list has others: 8,32,128"),
            (["--bytes", "8-1M"], "'8-1M' is not FIRST:LAST; did you mean '8:1M'?"),
            (["--procs", "2-8"], "--procs: '2-8' is not FIRST:LAST; did you mean '2:8'?"),
            (["--procs", "2:8:2"], "'2:8:2' is not FIRST:LAST, which is each count between; a list has others: 2,4,8"),
            (["--procs", "two"], "--procs: 'two' is not a whole number"),
            (["--procs", "99999999999"], "--procs: '99999999999' is too large"),
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
        self.assert_refused("sweep", "unknown.toml", *rest, words="unknown.toml:2: no key 'process'")
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
        self.assert_refused("tune", "--db", "missing.db", words="there is no results database 'missing.db'; a sweep makes one")
        (self.folder / "empty.db").touch()
        for command in (["tune"], ["check"], ["status"], ["show"]):
            self.assert_refused(*command, "--db", "empty.db", line="'empty.db' is empty; a sweep fills it")
        self.assert_refused("tables", "ask", "empty.db", "--collective", "bcast", "--procs", "2", "--bytes", "8", line="empty.db: it looks like no form of table that is known here")

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
        # A format asked for by name is written or refused, before any file is written.
        self.assert_refused("tune", *rest, "--out", "tables", "--format", "csv,openmpi_rules",
                            words="none was measured")
        self.assert_refused("check", *rest, "--guidelines", "7", words="'7'; families: mock_ups ")
        self.assert_refused("check", *rest, "--guidelines", "monotony_in_sise", words="did you mean 'monotony_in_size'? families: ")
        self.assert_refused("plot", "pie", *rest, "--out", "p.png", words="no plot 'pie'")
        self.assert_refused("plot", "ratio", *rest, "--out", "p.png", words="native")
        self.assert_refused("plot", "curves", *rest, "--out", "p.png", "--algorithms", "ring,rinx",
                            words="no measured algorithm 'rinx'; did you mean 'ring'? known: ")
        self.assert_refused("plot", "ratio", *rest, "--out", "p.png", "--baseline", "mock_ups", words="one algorithm")
        self.assert_refused("plot", "ratio", *rest, "--out", "p.png", "--baseline", "allreduce/rinx", words="rinx")

    def test_schedules(self) -> None:
        self.assert_refused("schedule", "ring", "--procs", "4", words="'ring' is not COLLECTIVE/ALGORITHM; did you mean 'allgather/ring' or 'allreduce/ring'")
        self.assert_refused("schedule", "prov", words="'prov' is not COLLECTIVE/ALGORITHM; did you mean 'prove'?")
        self.assert_refused("schedule", "allreduce/rign", "--procs", "4", words="no allreduce algorithm 'rign'; did you mean 'ring'?")
        self.assert_refused("schedule", "allgather/recursive_doubling", "--procs", "6", words="p = 6")
        self.assert_refused("schedule", "allreduce/ring", line="schedule needs --procs, number of processes; example: `breakeven schedule allreduce/ring --procs 4`")
        self.assert_refused("schedule", "reduce/binomial", "--procs", "4", "--root", "4", words="root 4")
        self.assert_refused(
            "schedule", "allreduce/ring", "--procs", "4", "--format", "yaml", words="no format 'yaml'"
        )


if __name__ == "__main__":
    unittest.main()
