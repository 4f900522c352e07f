# SPDX-License-Identifier: BSD-3-Clause
"""`breakeven compare`: databases and tables of two models, and what it refuses."""

import json
import shutil
import unittest

from support import ProgramTest

LATENCY = "postal:alpha=1e-6,beta=1e-9,gamma=1e-10"
BANDWIDTH = "postal:alpha=1e-6,beta=1e-6,gamma=1e-10"
SWEEP = [
    *("--collectives", "allreduce", "--algorithms", "recursive_doubling,ring", "--procs", "4,8"),
    *("--bytes", "8:64K", "--launches", "3"),
]


class CompareTest(ProgramTest):
    def setUp(self) -> None:
        super().setUp()
        for name, machine in (("a", LATENCY), ("b", BANDWIDTH)):
            self.breakeven("sweep", "--machine", machine, "--db", f"{name}.db", *SWEEP)
        self.breakeven("tune", "--db", "a.db", "--out", "a")

    def compared(self, status: int, *files: str) -> dict:
        return json.loads(self.breakeven("compare", *files, "--format", "json", status=status).stdout)

    def test_a_table_agrees_with_the_database_that_it_was_made_of(self) -> None:
        for files in (("a.db", "a/table.json"), ("a/breakeven_table.hpp", "a.db")):
            found = self.compared(0, *files)
            self.assertTrue(all(cell["same"] for cell in found["cells"]))
            self.assertIsNone(found["slower"])
            self.assertFalse(found["each_slower_by_the_other"])

    def test_a_table_of_another_machine_is_slower(self) -> None:
        found = self.compared(1, "a/table.json", "b.db")
        self.assertEqual(found["slower"], 0)
        (data,) = found["on_data"]
        self.assertGreater(data["low"], 1.03)
        self.assertEqual((data["data_of"], data["cells"], data["not_measured"]), (1, 28, 0))

    def test_of_two_databases_each_is_ahead_by_its_own_data(self) -> None:
        found = self.compared(1, "a.db", "b.db")
        self.assertIsNone(found["slower"])
        self.assertTrue(found["each_slower_by_the_other"])
        by_a, by_b = found["on_data"]
        self.assertLess(by_a["high"], 1)
        self.assertGreater(by_b["low"], 1)
        self.assertIn("Where they differ", self.breakeven("compare", "a.db", "b.db", status=1).stdout)

    def test_one_word_means_a_machine_in_both_files(self) -> None:
        shutil.copy(self.folder / "b.db", self.folder / "two.db")
        self.breakeven("sweep", "--machine", LATENCY, "--db", "two.db", *SWEEP)
        for files in (("two.db", "a.db"), ("a.db", "two.db")):
            found = self.compared(0, *files, "--machine", "2")
            self.assertTrue(all(cell["same"] for cell in found["cells"]))
        self.assertFalse(all(cell["same"] for cell in self.compared(1, "a.db", "two.db", "--machine", "1")["cells"]))
        shutil.copy(self.folder / "a.db", self.folder / "turned.db")
        self.breakeven("sweep", "--machine", BANDWIDTH, "--db", "turned.db", *SWEEP)
        found = self.compared(0, "two.db", "turned.db", "--machine", "2")  # 1 there
        self.assertTrue(all(cell["same"] for cell in found["cells"]))
        self.breakeven("report", "--db", "a.db", "--against", "two.db", "--machine", "2", "--out", "both.html")
        self.assertIn("called '3'", self.breakeven("compare", "a.db", "two.db", "--machine", "3", status=2).stderr)
        self.assertIn("called '3'", self.breakeven("compare", "a.db", "b.db", "--machine", "3", status=2).stderr)

    def test_one_kind_of_data_is_compared(self) -> None:
        for op in ("max", "min"):
            self.breakeven("sweep", "--machine", LATENCY, "--db", "ops.db", "--op", op, *SWEEP)
        self.assertIn("say which", self.breakeven("compare", "ops.db", "ops.db", status=2).stderr)
        found = self.compared(0, "ops.db", "ops.db", "--op", "min")
        self.assertEqual(len(found["cells"]), 28)
        refused = self.breakeven("compare", "a/table.json", "ops.db", "--op", "min", status=2).stderr
        self.assertIn("of two databases", refused)
        self.breakeven("report", "--db", "ops.db", "--against", "ops.db", "--out", "ops.html")
        self.assertIn("say which", (self.folder / "ops.html").read_text())

    def test_other_files_are_refused(self) -> None:
        (self.folder / "no.json").write_text("{}")
        for files, words in (
            (("a.db", "no.json"), "no.json"),
            (("a.db", "none.db"), "none.db"),
            (("a.db", "b.db", "--format", "xml"), "known: text json"),
        ):
            self.assertIn(words, self.breakeven("compare", *files, status=2).stderr)


if __name__ == "__main__":
    unittest.main()
