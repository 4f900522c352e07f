# SPDX-License-Identifier: BSD-3-Clause
"""The queries of docs/queries.md answer as the program does, and alike in every tool that is installed."""

import contextlib
import csv
import importlib.util
import json
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import unittest

from support import ProgramTest

DOCUMENT = (pathlib.Path(__file__).parents[1] / "docs/queries.md").read_text()
TOOLS = dict(re.findall(r"^```\w+ (\w+)\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL))
QUERIES = {
    int(number): query
    for number, query in re.findall(r"^## (\d+)\..*?^```sql\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
}
OF_ONE_TOOL = ("ATTACH", "readfile")

# At p = 8 and 2032 B the fastest allreduce gains less than it costs to leave the default.
MACHINE = "postal:alpha={},beta=1e-9,gamma=1e-10,noise=0.02"
PREDICTOR = "postal:alpha=1.1e-6,beta=1e-9,gamma=1e-10"
SWEEP = [
    *("--collectives", "allreduce,bcast", "--algorithms", "ring,recursive_doubling,halving_doubling,binomial,linear"),
    *("--procs", "4,8", "--bytes", "8,512,2032,16K,64K", "--launches", "4", "--racing", "false"),
    *("--prune-by", PREDICTOR, "--prune-margin", "1000"),
]
# A model has no default: these stand for it, and for a mock-up.
RENAMED = (
    """UPDATE "case" SET algorithm = 'native' WHERE algorithm IN ('halving_doubling', 'binomial')""",
    """UPDATE "case" SET algorithm = 'native:reduce+bcast' WHERE algorithm = 'ring'""",
)
MADE: dict[str, bytes] = {}  # by alpha: the databases that tests of this process share


def rounded(cell: object) -> str:
    """A number with as many digits as `show` prints, NULL as CSV has it."""
    try:
        return f"{float(cell):.6g}"
    except (TypeError, ValueError):
        return "" if cell is None else str(cell)


def as_tuple(row: dict, *columns: str) -> tuple[str, ...]:
    return tuple(rounded(row[column]) for column in columns)


class QueriesTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        for alpha, name in (("1e-6", "results.db"), ("9e-6", "before.db")):
            if alpha not in MADE:
                self.breakeven("sweep", "--machine", MACHINE.format(alpha), "--db", f"raw_{name}", *SWEEP)
                self.change(f"raw_{name}", *RENAMED)
                self.breakeven("merge", name, f"raw_{name}")
                MADE[alpha] = (self.folder / name).read_bytes()
            (self.folder / name).write_bytes(MADE[alpha])

    def change(self, name: str, *statements: str) -> None:
        with contextlib.closing(sqlite3.connect(self.folder / name)) as connection:
            for statement in statements:
                connection.execute(statement)
            connection.commit()

    def asked(self, number: int, name: str = "results.db") -> list[dict]:
        """The rows of a query of the document."""
        *attach, query, _ = QUERIES[number].split(";\n")
        with contextlib.closing(sqlite3.connect(self.folder / name)) as connection:
            connection.create_function("readfile", 1, lambda file: (self.folder / file).read_bytes())
            connection.row_factory = sqlite3.Row
            for statement in attach:
                connection.execute(statement.replace("before.db", str(self.folder / "before.db")))
            rows = [dict(row) for row in connection.execute(query)]
        self.assertTrue(rows)
        return rows

    def printed(self, *arguments: str, status: int | tuple[int, ...] = 0) -> dict:
        return json.loads(self.breakeven(*arguments, "--format", "json", status=status).stdout)

    def test_ten_queries_of_fifteen_lines(self) -> None:
        self.assertEqual(sorted(QUERIES), list(range(1, 11)))
        for query in QUERIES.values():
            self.assertLessEqual(query.count("\n"), 15, query)

    def shown(self, *arguments: str) -> list[dict]:
        show = self.breakeven("show", "--db", "results.db", "--format", "csv", *arguments).stdout
        return list(csv.DictReader(show.splitlines()))

    def selected(self, query: str) -> list[tuple]:
        with contextlib.closing(sqlite3.connect(self.folder / "results.db")) as connection:
            return connection.execute(query).fetchall()

    def test_the_fastest_map_is_that_of_the_table(self) -> None:
        cells = self.printed("compare", "results.db", "results.db")["cells"]
        expected = [
            (each["collective"], each["mapping"], each["procs"], each["message_bytes"], each["choices"][0])
            for each in cells
        ]
        rows = [tuple(row.values())[:5] for row in self.asked(1) if not row["params"]]
        self.assertEqual(rows, sorted(expected))
        self.assertGreater(len({row[4] for row in rows}), 1)
        self.assertTrue(self.selected("SELECT 1 FROM choices WHERE regret > 0"), "no choice but the fastest")

    def test_the_speedups_are_those_of_show(self) -> None:
        columns = ("collective", "procs", "message_bytes", "algorithm", "params", "time_s", "low_s", "high_s")
        columns += ("speedup", "speedup_low", "speedup_high")
        expected = [as_tuple(row, *columns) for row in self.shown() if row["speedup"]]
        self.assertEqual(sorted(as_tuple(row, *columns) for row in self.asked(2)), sorted(expected))
        columns = ("algorithm", "median_s", "low_s", "high_s", "launches", "samples", "outliers")
        expected = [as_tuple(row, *columns) for row in self.shown("--statistic", "median")]
        found = self.selected(
            "SELECT algorithm, median_s, median_low_s, median_high_s, launches, samples, outliers FROM candidates"
        )
        self.assertEqual(sorted(tuple(map(rounded, row)) for row in found), sorted(expected))

    def test_the_losses_are_those_of_compare(self) -> None:
        cells = self.printed("compare", "before.db", "results.db", status=(0, 1))["cells"]
        expected = []
        for each in cells:
            [here] = [data for data in each["on_data"] if data["data_of"] == 1]
            problem = (each["collective"], each["procs"], each["message_bytes"], *each["choices"])
            expected.append(tuple(map(rounded, (*problem, here["ratio"]))))
        columns = ("collective", "procs", "message_bytes", "old_choice", "new_choice", "ratio")
        rows = self.asked(3)
        self.assertEqual(sorted(as_tuple(row, *columns) for row in rows), sorted(expected))
        self.assertTrue(any(row["ratio"] > 1 for row in rows))
        times: dict[tuple, dict[str, float]] = {}
        for row in self.shown():
            problem = as_tuple(row, "collective", "procs", "message_bytes")
            times.setdefault(problem, {})[row["algorithm"]] = float(row["time_s"])
        for row in rows:
            here = times[as_tuple(row, "collective", "procs", "message_bytes")]
            self.assertAlmostEqual(row["regret"], here[row["old_choice"]] / min(here.values()) - 1, places=4)

    def test_a_guideline_over_time_is_as_check_judges_each_launch(self) -> None:
        rows = self.asked(4)
        self.assertEqual(len(rows), 2 * 5 * 4)
        larger, expected, monotony = [], [], []
        for launch, started_at in self.selected("SELECT launch_id, started_at FROM launches"):
            shutil.copy(self.folder / "results.db", self.folder / "launch.db")
            self.change("launch.db", f"DELETE FROM measurement WHERE launch_id <> {launch}")
            checked = self.printed("check", "--db", "launch.db", status=2)["findings"]
            for each in checked:
                left = (started_at, each["left"]["procs"], each["left"]["message_bytes"])
                if each["guideline"] == "allreduce_as_reduce+bcast":
                    numbers = (each["left_s"], each["right_s"], each["ratio"]["ratio"])
                    expected.append(tuple(map(rounded, (*left, *numbers))))
                if each["guideline"].endswith("monotony_in_size"):
                    sizes = (each["left"]["collective"], *left[1:], each["right"]["message_bytes"])
                    monotony.append(tuple(map(rounded, (*sizes, each["ratio"]["ratio"]))))
            larger += self.asked(8, "launch.db")
        columns = ("started_at", "procs", "message_bytes", "left_s", "right_s", "ratio")
        found = [as_tuple(row, *columns) for row in rows]
        self.assertEqual(sorted(found), sorted(expected))
        columns = ("collective", "procs", "message_bytes", "larger_bytes", "ratio")
        self.assertEqual(sorted(as_tuple(row, *columns) for row in larger), sorted(monotony))

    def profiled(self) -> str:
        """The output of `profile` for a program with four kinds of calls, two of which are one row."""
        common = {"nodes": 1, "mapping": "seq", "comms_per_node": 1, "datatype": "int", "op": "sum", "in_place": False, "native": ""}
        common |= {"start_s": 0, "under_way_s": 0, "most_overlap_s": 0, "processes": 8, "algorithm": "native"}
        uses = [
            {"collective": collective, "form": form, "procs": procs, "procs_per_node": procs, "calls": calls}
            | {"message_bytes": 64 * calls, "time_s": 1 / 7 / calls, **common}
            for calls, (collective, form, procs) in enumerate(
                [("allreduce", "blocking", 8), ("bcast", "blocking", 4), ("allreduce", "blocking", 4)], 1
            )
        ]
        uses.append(uses[0] | {"datatype": "double"})
        whole = {"breakeven_profile": 4, "library_version": "x", "cpu": "y", "procs": 8, "wall_s": 2, "uses": uses}
        (self.folder / "called.json").write_text(json.dumps(whole))
        return self.breakeven(
            *("profile", "--machine", "mpich", "--", "sh", "-c", 'cp called.json "$BREAKEVEN_PROFILE"')
        ).stderr

    def test_the_hot_calls_are_those_of_profile(self) -> None:
        lines = [line.split() for line in self.profiled().splitlines() if " native" in line]
        expected = [
            [row["collective"], str(row["procs"]), row["layout"], str(row["message_bytes"]), "B", str(row["calls"])]
            + [f"{row['time_s']:.3g}", row["algorithm"]]
            for row in self.asked(5)
        ]
        self.assertEqual(lines, expected)
        self.assertEqual(len(lines), 3)

    def test_a_break_even_point_lies_between_two_choices(self) -> None:
        choices = {(row["collective"], row["procs"], row["message_bytes"]): row["algorithm"] for row in self.asked(1)}
        for row in self.asked(7):
            here = (row["collective"], row["procs"])
            self.assertEqual(row["smaller_choice"], choices[*here, row["smaller_bytes"]])
            self.assertEqual(row["algorithm"], choices[*here, row["message_bytes"]])

    def test_the_errors_of_a_model_are_those_of_compare(self) -> None:
        errors: dict[tuple, list[float]] = {}
        for each in self.printed("compare", PREDICTOR, "results.db")["cases"]:
            of = errors.setdefault((each["collective"], each["algorithm"], each["params"]), [])
            of.append(each["measured_s"] / each["predicted_s"] - 1)
        expected = [
            (*of, *map(rounded, (len(found), sum(found) / len(found), min(found), max(found))))
            for of, found in errors.items()
        ]
        columns = ("collective", "algorithm", "params", "cases", "mean_error", "least_error", "greatest_error")
        self.assertEqual(sorted(as_tuple(row, *columns) for row in self.asked(9)), sorted(expected))

    def test_every_tool_answers_alike(self) -> None:
        self.change(
            "results.db",
            "DELETE FROM durations WHERE measurement_id = 1",
            """UPDATE measurement SET samples = 0, median_s = NULL, low_s = NULL, high_s = NULL,
               failure = 'it hung, "twice"' WHERE id = 1""",
        )
        for tool, there in (
            ("sqlite3", shutil.which("sqlite3")),
            ("duckdb", shutil.which("duckdb")),
            ("pandas", importlib.util.find_spec("pandas")),
            ("RSQLite", pathlib.Path("/usr/lib/R/site-library/RSQLite").exists()),
        ):
            with self.subTest(tool):
                if not there:
                    self.skipTest(f"{tool} is not installed")
                for number, query in QUERIES.items():
                    if any(word in query for word in OF_ONE_TOOL):
                        continue
                    (self.folder / "query.sql").write_text(query)
                    expected = [{key: rounded(cell) for key, cell in row.items()} for row in self.asked(number)]
                    self.assertEqual(self.answer_of(tool), expected, f"query {number}")

    def answer_of(self, tool: str) -> list[dict]:
        interpreter = {"pandas": [sys.executable, "-c"], "RSQLite": ["Rscript", "-e"]}.get(tool, ["sh", "-c"])
        subprocess.run([*interpreter, TOOLS[tool]], cwd=self.folder, check=True, timeout=60)
        with open(self.folder / "answer.csv", newline="") as file:
            return [{key: rounded(cell) for key, cell in row.items()} for row in csv.DictReader(file)]


if __name__ == "__main__":
    unittest.main()
