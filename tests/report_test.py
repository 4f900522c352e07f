# SPDX-License-Identifier: BSD-3-Clause
"""`breakeven report`: what the page holds. report_browser_test.py opens it."""

import contextlib
import csv
import json
import re
import shutil
import sqlite3
import unittest

from support import ProgramTest

MACHINE = "postal:alpha=1e-6,beta=1e-9,gamma=1e-10,noise=0.02"
SWEEP = [
    *("--machine", MACHINE, "--procs", "2,4,7,8", "--bytes", "8:256K", "--launches", "4"),
    *("--collectives", "allreduce,bcast", "--racing", "false"),
]
DOCTOR = {
    "format": "breakeven-doctor-1",
    "findings": [
        {"name": "load", "severity": "warning", "seen": "a <busy> core", "effect": "", "fix": ""},
        {"name": "clock", "severity": "ok", "seen": "steady", "effect": "", "fix": ""},
    ],
}
PROFILE = {
    "breakeven_profile": 4,
    "library_version": "",
    "cpu": "",
    "procs": 8,
    "wall_s": 20.0,
    "uses": [
        {
            **{"collective": "allreduce", "form": "blocking", "procs": 8, "nodes": 1},
            **{"procs_per_node": 8, "mapping": "seq", "comms_per_node": 1, "message_bytes": size},
            **{"datatype": "double", "op": "sum", "in_place": False, "algorithm": "native"},
            **{"native": "openmpi:ring", "calls": 1000, "processes": 8},
            **{"time_s": time_s, "start_s": 0, "under_way_s": 0, "most_overlap_s": 0},
        }
        for size, time_s in ((8, 2.0), (65536, 6.0))
    ],
}


def sends(comm: list[dict]) -> list[tuple[int, int]]:
    """The destination and the blocks of each message that a rank sends in a round."""
    messages: list[tuple[int, int]] = []
    goes_on = False
    for run in (each["send"] for each in comm if "send" in each):
        before = messages.pop()[1] if goes_on else 0
        messages.append((run["to"], before + run["count"]))
        goes_on = run.get("more", False)
    return messages


class ReportTest(ProgramTest):
    """With a model's database in which one algorithm plays the library's default."""

    made: bytes | None = None  # once for all tests

    def setUp(self) -> None:
        super().setUp()
        self.page = self.folder / "report.html"
        if ReportTest.made is None:
            self.make_database()
            ReportTest.made = self.database.read_bytes()
        self.database.write_bytes(ReportTest.made)

    def make_database(self) -> None:
        self.breakeven("sweep", *SWEEP, "--db", str(self.database))
        with contextlib.closing(sqlite3.connect(self.database)) as connection:
            connection.execute(
                """UPDATE "case" SET algorithm = 'native', params = ''
                   WHERE (collective, algorithm, params) IN
                         (VALUES ('allreduce', 'reduce_bcast', ''), ('bcast', 'binomial', ''))"""
            )
            connection.execute(
                """UPDATE measurement SET samples = 0, median_s = NULL, low_s = NULL, high_s = NULL,
                          failure = 'it <hung>' WHERE case_id IN
                          (SELECT id FROM "case" WHERE algorithm = 'ring' AND message_bytes = 8
                           AND procs = 7 AND collective = 'allreduce')"""
            )
            connection.execute(
                "INSERT INTO inspection (machine_id, inspected_at, report) VALUES (1, '', ?)",
                (json.dumps(DOCTOR),),
            )
            connection.commit()

    def report(self, *more: str) -> str:
        self.breakeven("report", "--db", str(self.database), "--out", str(self.page), *more)
        return self.page.read_text()

    def data(self, text: str) -> dict:
        return json.loads(re.search(r'id="data">(.*?)</script>', text)[1].replace("<\\/", "</"))


class PageTest(ReportTest):
    def test_the_page_needs_nothing_beside_itself(self) -> None:
        text = self.report()
        ours = re.sub(r"<script>/\*\nD3.*?</script>", "", text, flags=re.DOTALL)
        self.assertNotRegex(ours, r"""(src|href)=["'](?!data:)|@import|url\((?!#)|fetch\(""")
        self.assertNotIn("http", re.sub(r"http://www\.w3\.org/\S+", "", ours))
        self.assertIn("Michael Bostock", text)
        self.assertLess(len(text), 1_000_000)

    def test_it_says_what_was_found_and_where(self) -> None:
        text = self.report()
        for words in (
            r"In <b>\d+ of \d+</b> cells a table is significantly faster",
            "Predicted: all of it holds if the model does",
            "a &lt;busy&gt; core",
            "breakeven sweep sweep.toml",
            f"--db {self.database}",
            "<th>measured at",
            r"<b>\d+ comparisons: \d+ violated.* hold</b>",
        ):
            self.assertRegex(text, words)

    def test_more_processes_than_cores_make_no_headline(self) -> None:
        def change(statement: str) -> str:
            with contextlib.closing(sqlite3.connect(self.database)) as connection:
                connection.execute(statement)
                connection.commit()
            return re.search("<h1.*?</h1>", self.report())[0]

        cases = 'SELECT id FROM "case" WHERE algorithm = \'native\' AND procs = 8'
        slow = change(f"UPDATE measurement SET median_s = 90 * median_s WHERE case_id IN ({cases})")
        self.assertIn("on 8 processes", slow)
        first = change("UPDATE launch SET oversubscribed = 1 WHERE procs = 8")
        self.assertRegex(first, r"In <b>\d+ of \d+</b> cells")
        self.assertNotIn("on 8 processes", first)
        text = self.page.read_text()
        cells = [cell for sheet in self.data(text)["subjects"][0]["sheets"] for cell in sheet["cells"]]
        apart = sum(cell[8] for cell in cells)
        self.assertIn(f"Not counted: {apart} cells with more processes than cores.", text)
        self.assertEqual(len(re.findall(r'<rect class="f\d+ turns"', text)), apart)
        self.assertEqual(text.count("* more processes than cores</text>"), 2)
        everywhere = change("UPDATE launch SET oversubscribed = 1")
        self.assertIn("more processes than cores", everywhere)
        self.assertNotIn("<b>", everywhere)

    def test_its_numbers_are_the_databases(self) -> None:
        text = self.report()
        data = self.data(text)
        (subject,) = data["subjects"]
        text = self.breakeven("show", "--db", str(self.database), "--format", "csv").stdout
        times = {
            (
                *(row["collective"], row["algorithm"], row["params"]),
                *(int(row["procs"]), int(row["message_bytes"])),
            ): row
            for row in csv.DictReader(text.splitlines())
            if row["time_s"]
        }
        found = {}
        for sheet in subject["sheets"]:
            for cell in sheet["cells"]:
                procs, size = sheet["rows"][cell[0]][0], sheet["sizes"][cell[1]]
                for i in range(0, len(cell[11]), 8):
                    name, _, params = data["variants"][cell[11][i]]["id"].partition(":")
                    case = (sheet["collective"], name, params, procs, size)
                    found[case] = cell[11][i + 1 : i + 8]
        self.assertEqual(set(found), set(times))
        for case, (*times_us, _, _, _, launches) in found.items():
            self.assertEqual(launches, int(times[case]["launches"]))
            for shown, name in zip(times_us, ("time_s", "low_s", "high_s")):
                self.assertAlmostEqual(shown / (1e6 * float(times[case][name])), 1, delta=1e-3, msg=case)

    def test_a_failed_case_has_its_reason(self) -> None:
        data = self.data(self.report())
        missing = [
            (sheet["collective"], sheet["rows"][cell[0]][0], sheet["sizes"][cell[1]], *cell[13])
            for sheet in data["subjects"][0]["sheets"]
            for cell in sheet["cells"]
            if len(cell) > 13
        ]
        ring = [each["id"] for each in data["variants"]].index("ring")
        self.assertEqual(missing, [("allreduce", 7, 8, ring, "failed: it <hung>")])

    def test_its_choices_are_those_of_tune(self) -> None:
        data = self.data(self.report())
        self.breakeven("tune", "--db", str(self.database), "--out", str(self.folder / "tables"))
        for sheet in data["subjects"][0]["sheets"]:
            for cell in sheet["cells"][::5]:
                answer = self.breakeven(
                    *("tables", "ask", str(self.folder / "tables/table.json")),
                    *("--collective", sheet["collective"]),
                    *("--procs", str(sheet["rows"][cell[0]][0])),
                    *("--bytes", str(sheet["sizes"][cell[1]])),
                )
                chosen = data["variants"][cell[11][8 * cell[2]]]["id"]
                self.assertIn(chosen.partition(":")[0], answer.stdout)

    def test_schedules_move_what_the_printer_says(self) -> None:
        data = self.data(self.report())
        seen = 0
        for sheet in data["subjects"][0]["sheets"]:
            for cell in sheet["cells"]:
                variant = data["variants"][cell[11][8 * cell[2]]]["id"]
                procs = sheet["rows"][cell[0]][0]
                if cell[10] < 0 or ":" in variant or cell[1] % 6:
                    continue
                printed = json.loads(
                    self.breakeven(
                        *("schedule", "show", f"{sheet['collective']}/{variant}"),
                        *("--procs", str(procs), "--format", "json"),
                    ).stdout
                )
                expected = sorted(
                    (rank["rank"], to, count)
                    for rank in printed["ranks"]
                    for step in rank["rounds"]
                    for to, count in sends(step.get("comm", []))
                )
                schedule = data["schedules"][cell[10]]
                played = sorted(
                    (rank, (rank + ahead) % procs, sum(count for _, count in ranges))
                    for step in schedule["steps"]
                    for ahead, ranges, ranks in step
                    for rank in (ranks or range(procs))
                )
                self.assertEqual(played, expected, (variant, procs))
                seen += 1
        self.assertGreater(seen, 0)

    def test_another_database_stands_beside(self) -> None:
        shutil.copy(self.database, self.folder / "other.db")
        text = self.report("--against", "other.db")
        self.assertEqual(len(self.data(text)["subjects"]), 2)
        self.assertEqual(text.count("<figure class=\"panel\""), 4)
        for name in (self.database, "other.db"):
            self.assertEqual(text.count(f'<span class="note">{name}; double'), 2)
        self.assertIn("0 others", text)

    def test_what_was_pruned_says_how_slow_it_was_predicted_to_be(self) -> None:
        self.database.unlink()
        model = "postal:alpha=1.1e-6,beta=0.9e-9,gamma=1e-10"
        self.breakeven("sweep", *SWEEP, "--prune-by", model, "--db", str(self.database))
        predicted = self.rows("SELECT count(*) FROM prediction")[0][0]
        measured = self.rows("SELECT count(DISTINCT case_id) FROM measurement")[0][0]
        said = [
            re.fullmatch(r"pruned: predicted to take (\S+) times as long as the fastest", reason)
            for sheet in self.data(self.report())["subjects"][0]["sheets"]
            for cell in sheet["cells"]
            for reason in (cell[13][1::2] if len(cell) > 13 else ())
        ]
        self.assertEqual(len(said), predicted - measured)
        self.assertGreater(len(said), 0)
        for each in said:
            self.assertGreaterEqual(float(each[1]), 1.2)

    def test_a_program_is_laid_over_the_maps(self) -> None:
        (self.folder / "profile.json").write_text(json.dumps(PROFILE))
        text = self.report("--profile", "profile.json")
        self.assertIn("<td>openmpi:ring (observed)<td>", text)
        self.assertIn("spends 8 s of its 20 s in collectives", text)
        self.assertEqual(text.count("<circle cx"), 2)
        programs = [
            cell[9] for sheet in self.data(text)["subjects"][0]["sheets"] for cell in sheet["cells"]
        ]
        self.assertEqual(sorted(each[0] for each in programs if each), [2, 6])
        for cell_time, *saved in filter(None, programs):
            self.assertTrue(saved[1] <= saved[0] <= saved[2] < cell_time)

    def test_bad_input_is_refused_in_a_line_and_leaves_no_file(self) -> None:
        for arguments, words in (
            (["--db", "none.db"], "none.db"),
            (["--db", str(self.database), "--machine", "mpich"], "no machines called 'mpich'"),
            (["--db", str(self.database), "--profile", "no.json"], "no.json"),
            (["--db", str(self.database), "--against", "no.db"], "no.db"),
        ):
            refused = self.breakeven("report", *arguments, "--out", str(self.page), status=2)
            self.assertIn(words, refused.stderr)
            self.assertEqual(refused.stderr.count("\n"), 1)
            self.assertFalse(self.page.exists())


if __name__ == "__main__":
    unittest.main()
