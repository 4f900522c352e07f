# SPDX-License-Identifier: BSD-3-Clause
"""`breakeven verify`: a table against the default, and the fate of rules that fail."""

import contextlib
import csv
import json
import pathlib
import random
import re
import shutil
import sqlite3
import time
import unittest

from support import LONGEST_RUN_S, MACHINE, ProgramTest, library_file, wait_until

LIBRARY_TABLE = "library_table.json"


class VerifyTest(ProgramTest):
    # Some algorithm of the library's own, so that there is a table for the library.
    OWN = {"openmpi": "openmpi:bcast/binomial", "mpich": "mpich:bcast/scatter_ring_allgather"}.get(MACHINE)
    ALLOWED: tuple[str, ...] = ()  # to be chosen though it is unsafe
    OURS = ""  # and one of ours, where there shall be a table for programs that changes something
    FORM = "blocking"
    TABLE = {  # how the library is told of it
        "openmpi": "OMPI_MCA_coll_tuned_dynamic_rules_filename",
        "mpich": "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE",
    }.get(MACHINE)
    swept: bytes | None = None  # the database of the one sweep that a class makes

    def setUp(self) -> None:
        super().setUp()
        self.database = self.folder / "sweep.db"
        self.tables = self.folder / "tables"
        self.trial = self.folder / "trial.db"
        if self.swept is None:
            type(self).swept = self.sweep()
        self.database.write_bytes(self.swept)
        self.falsify()
        self.breakeven(
            *("tune", "--db", str(self.database), "--out", str(self.tables), *self.ALLOWED)
        )

    def sweep(self) -> bytes:
        self.breakeven(
            *("sweep", "--machine", MACHINE, "--procs", "2", "--bytes", "64K,1M"),
            *("--collectives", "bcast", "--algorithms", f"native,{self.OWN}{self.OURS}"),
            *("--forms", self.FORM),
            *("--launches", "3", "--racing", "false", "--repetitions", "10"),
            *("--db", str(self.database)),
        )
        return self.database.read_bytes()

    def falsify(self) -> None:
        """Nothing: the table is of what was measured."""

    def let_native_look_slow(self) -> None:
        with contextlib.closing(sqlite3.connect(self.database)) as sweep, sweep:
            sweep.execute(
                "UPDATE measurement SET median_s = 1e8 * median_s, low_s = 1e8 * low_s, "
                "high_s = 1e8 * high_s WHERE case_id IN "
                "(SELECT id FROM \"case\" WHERE algorithm = 'native')"
            )

    def verify(self, *more: str, statuses: tuple[int, ...], file: str = "") -> str:
        """The output of `verify`; no test decides whether a table pays."""
        arguments = (
            *("verify", "--tables", str(self.tables / file), "--procs", "2"),
            *("--bytes", "768K,1M"),
            *("--launches", "3", "--db", str(self.trial)),
            *(more if "--case-budget-s" in more else ("--case-budget-s", "0.1", *more)),
        )
        with self.start(*arguments) as process:
            output, errors = process.communicate(timeout=LONGEST_RUN_S)
        self.assertIn(process.returncode, statuses, output + errors)
        return output + errors

    def algorithms(self) -> list[str]:
        rules = json.loads((self.tables / LIBRARY_TABLE).read_text())["rules"]
        return [rule["algorithm"] for rule in rules]


class Trials(VerifyTest):
    def test_each_cell_is_measured_both_ways_in_each_launch(self) -> None:
        text = self.verify(statuses=(0, 1))
        self.assertIn("geometric mean", text)
        rows = list(csv.DictReader((self.folder / "trial.csv").read_text().splitlines()))
        self.assertEqual([row["message_bytes"] for row in rows], ["786432", "1048576"])
        with contextlib.closing(sqlite3.connect(self.trial)) as trial:
            pairs = trial.execute(
                'SELECT c.message_bytes, m.repeat, group_concat(c.algorithm) FROM "case" c '
                "JOIN measurement m ON m.case_id = c.id GROUP BY 1, 2 ORDER BY c.algorithm"
            ).fetchall()
        self.assertEqual(len(pairs), 2 * 3)
        for _, _, algorithms in pairs:
            self.assertEqual(sorted(algorithms.split(",")), ["native", "tuned"])
        self.check_that_launches_with_the_table_alone_have_it_in_force()

    def check_that_launches_with_the_table_alone_have_it_in_force(self) -> None:
        with contextlib.closing(sqlite3.connect(self.trial)) as trial:
            launches = trial.execute(
                "SELECT l.command, group_concat(DISTINCT c.algorithm) FROM launch l "
                'JOIN measurement m ON m.launch_id = l.id JOIN "case" c ON c.id = m.case_id '
                "GROUP BY l.id"
            ).fetchall()
        for command, algorithms in launches:
            self.assertEqual(self.TABLE in command, "tuned" in algorithms, command)

    def test_cells_have_the_form_of_the_tables_calls(self) -> None:
        self.verify(statuses=(0, 1))
        rows = csv.DictReader((self.folder / "trial.csv").read_text().splitlines())
        self.assertEqual({row["form"] for row in rows}, {self.FORM})

    def test_what_was_measured_is_not_measured_again(self) -> None:
        self.verify(statuses=(0, 1))
        self.assertIn("12 of 12 are stored already", self.verify(statuses=(0, 1)))
        shutil.copy(self.trial, self.tables)
        told = self.breakeven("status", "--tables", str(self.tables)).stdout
        self.assertIn("not finished: the same `breakeven verify` with --db", told)
        self.assertIn("12 measured, 0 failed, not by a sweep", told)
        shutil.copy(self.folder / "trial.csv", self.tables)
        told = self.breakeven("status", "--tables", str(self.tables)).stdout
        self.assertIn(f"finished: {self.tables / 'trial.csv'}", told)

    def test_a_table_of_another_library_version_is_refused(self) -> None:
        file = self.tables / LIBRARY_TABLE
        text = file.read_text()
        version = json.loads(text)["provenance"]["machine"]["library_version"]
        another = re.sub(r"(\d)\.", r"\1.9", version, count=1)
        file.write_text(text.replace(version, another))
        self.assertIn(re.search(r"\d\.9\d", another)[0], self.verify(statuses=(2,)))

    def test_no_time_for_a_cell_is_refused(self) -> None:
        self.assertIn("case-budget-s", self.verify("--case-budget-s", "0", statuses=(2,)))

    def test_what_can_never_be_decided_is_refused(self) -> None:
        arguments = ("verify", "--tables", str(self.tables), "--launches", "1", "--db", str(self.trial))
        refused = self.breakeven(*arguments, status=2)
        self.assertIn("--launches 1 can't decide", refused.stderr)
        self.assertEqual(refused.stderr.count("\n"), 1)
        self.assertFalse(self.trial.exists())

    def test_a_folder_without_tables_is_refused_by_the_file_that_is_missing(self) -> None:
        (self.tables / LIBRARY_TABLE).unlink()
        self.assertIn(f"{LIBRARY_TABLE}'", self.verify(statuses=(2,)))
        shutil.rmtree(self.tables)
        self.tables.mkdir()
        self.assertIn("`breakeven tune --out", self.verify(statuses=(2,)))

    def test_a_broken_table_is_refused_by_its_line(self) -> None:
        file = library_file(self.tables)
        file.write_text(file.read_text()[:-40])
        self.assertRegex(self.verify(statuses=(2,)), rf"{file.name}(:\d+)?: ")


class TrialsOfNonblockingCalls(Trials):
    OWN = {"openmpi": "openmpi:bcast/knomial", "mpich": "mpich:bcast/sched_scatter_ring_allgather"}.get(
        MACHINE
    )
    FORM = "nonblocking"
    swept = None  # not that of Trials
    TABLE = {"openmpi": "OMPI_MCA_coll_libnbc_ibcast_algorithm", "mpich": VerifyTest.TABLE}.get(MACHINE)

    def falsify(self) -> None:
        self.let_native_look_slow()


@unittest.skipUnless(MACHINE == "openmpi", "only there is a library's own algorithm ruinous")
class Ruinous(VerifyTest):
    """A table that sends 1 MiB in pieces of 32 bytes, some ten times as slow as the default."""

    OWN = "openmpi:bcast/pipeline:segment_bytes=32"
    ALLOWED = ("--allow-unsafe", "openmpi:bcast/pipeline")

    def falsify(self) -> None:
        self.let_native_look_slow()

    def test_it_fails_and_its_rule_goes_back_to_the_default(self) -> None:
        text = self.verify(statuses=(1,))
        self.assertIn("FAILS", text)
        self.assertIn("1 rule did not hold and went back to the default", text)
        self.assertEqual(self.algorithms(), ["native"])
        self.assertNotIn("pipeline", (self.tables / "table.csv").read_text().split("Candidates")[1])
        self.trial.unlink()
        self.assertIn("changes nothing", self.verify(statuses=(1,)))

    def test_it_stays_as_it_is_when_asked_to(self) -> None:
        self.verify("--keep", statuses=(1,))
        self.assertEqual(self.algorithms(), ["openmpi:pipeline"])


class Header(VerifyTest):
    """A table for programs that sends 1 MiB in 8192 pieces, and one for the library."""

    OURS = ",bcast/binomial:segments=8192"
    HEADER = "breakeven_table.hpp"

    def falsify(self) -> None:
        self.let_native_look_slow()

    def rules(self) -> list[tuple[str, str]]:
        text = (self.tables / self.HEADER).read_text()
        return re.findall(r"Algorithm::(\w+), \"([^\"]*)\", Requirement", text)

    def measured_together(self) -> list[set[str]]:
        """The algorithms that each problem was measured with in one launch."""
        with contextlib.closing(sqlite3.connect(self.trial)) as trial:
            rows = trial.execute(
                "SELECT group_concat(c.algorithm || ':' || c.params) FROM measurement m "
                'JOIN "case" c ON c.id = m.case_id GROUP BY m.launch_id, c.message_bytes'
            ).fetchall()
        return [set(names.split(",")) for (names,) in rows]

    def test_a_folder_with_both_has_both_tried_by_the_same_launches(self) -> None:
        text = self.verify("--keep", statuses=(1,))
        self.assertEqual(text.count("The table"), 2, text)
        rows = csv.DictReader((self.folder / "trial.csv").read_text().splitlines())
        tried = {row["table"]: row["choice"] for row in rows}
        self.assertEqual(tried.pop(self.HEADER), "binomial:segments=8192")
        self.assertEqual(len(tried), 1)
        default, ours, tuned = "native:", "binomial:segments=8192", "tuned:"
        launches = {
            "openmpi": [{default, ours, tuned}] * 6,
            "mpich": [{default, ours}] * 6 + [{tuned}] * 6,
        }[MACHINE]
        self.assertCountEqual(self.measured_together(), launches)

    def test_what_it_answers_is_tried_and_goes_back_to_the_default(self) -> None:
        file = self.tables / self.HEADER
        before = file.read_text()
        self.assertEqual(self.rules(), [("binomial", "segments=8192")])
        text = self.verify(file=self.HEADER, statuses=(1,))
        self.assertIn("FAILS", text)
        self.assertIn("1 rule did not hold and went back to the default", text)
        self.assertEqual(self.measured_together(), [{"native:", "binomial:segments=8192"}] * 6)
        self.assertEqual(self.rules(), [("native", "")])
        reason = r"trial.db: bcast, p = 2: not binomial:segments=8192, which is 0.\d+ \("
        self.assertRegex(file.read_text(), rf"verified +\d+-\d+-\d+, {reason}")
        self.assertRegex((self.tables / "table.txt").read_text(), reason)
        self.assertIn(": right;", self.breakeven("tables", "lint", str(file)).stdout)
        self.assertIn("changes nothing", self.verify(file=self.HEADER, statuses=(1,)))
        # The file itself is tried: what somebody puts into it by hand is tried as well.
        file.write_text(before.replace("segments=8192", "segments=4096"))
        self.trial.unlink()
        self.verify("--keep", file=self.HEADER, statuses=(1,))
        self.assertEqual(self.measured_together(), [{"native:", "binomial:segments=4096"}] * 6)


@unittest.skipUnless(MACHINE == "openmpi", "files are replaced alike for every library")
class Killed(VerifyTest):
    """Tables whose every choice fails; `verify` is killed while it takes them back."""

    OURS = ",bcast/binomial"
    KILLS = 24

    def falsify(self) -> None:
        self.let_native_look_slow()

    def texts(self, folder: pathlib.Path) -> dict[str, str]:
        """The files for readers; the databases of trials are no tables."""
        names = sorted(path.name for path in folder.iterdir() if path.suffix not in ("", ".db"))
        return {name: (folder / name).read_text() for name in names if (folder / name).is_file()}

    def start_verify(self, folder: pathlib.Path):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.tables, folder, symlinks=True)
        return self.start(
            *("verify", "--tables", str(folder), "--procs", "2", "--bytes", "768K,1M"),
            *("--launches", "3", "--db", str(self.trial)),
        )

    def test_a_kill_leaves_the_old_table_or_the_new_one(self) -> None:
        self.verify("--keep", statuses=(0, 1))
        with contextlib.closing(sqlite3.connect(self.trial)) as trial, trial:
            trial.execute(
                "UPDATE measurement SET median_s = 1e3 * median_s WHERE case_id IN "
                "(SELECT id FROM \"case\" WHERE algorithm != 'native')"
            )
        folder = self.folder / "copy"
        before = self.texts(self.tables)
        began = time.monotonic()
        with self.start_verify(folder) as process:
            output, errors = process.communicate(timeout=LONGEST_RUN_S)
        whole_s = time.monotonic() - began
        self.assertEqual(process.returncode, 1, output + errors)
        after = self.texts(folder)
        self.assertEqual(before.keys(), after.keys())
        for name in before:
            self.assertNotEqual(before[name], after[name], f"{name} has no rule to take back")
        self.breakeven("tables", "lint", str(folder))
        seed = random.randrange(1 << 32)
        moments = random.Random(seed)
        left = {"before": 0, "after": 0}
        for number in range(self.KILLS):
            process = self.start_verify(folder)
            if number % 6 == 0:
                time.sleep(moments.uniform(0, whole_s))
            else:  # within the replacement itself
                states = len(list(folder.glob(".state-*")))
                wait_until(lambda: len(list(folder.glob(".state-*"))) != states, whole_s)
                time.sleep(moments.uniform(0, 0.02))
            process.kill()
            process.communicate()
            found = self.texts(folder)
            self.assertIn(found, (before, after), f"a mixture, seed {seed}")
            left["before" if found == before else "after"] += 1
        print(f"of {self.KILLS} kills {left['before']} left the old table, {left['after']} the new")
        self.assertGreater(left["before"], 0)


if __name__ == "__main__":
    unittest.main()
