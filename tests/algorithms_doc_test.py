# SPDX-License-Identifier: BSD-3-Clause
"""docs/algorithms.md is what the program says of its catalogue, and the text list has the same rows."""

import pathlib
import re
import unittest

from support import ProgramTest

ROOT = pathlib.Path(__file__).parent.parent
DOCS = ROOT / "docs"
CITING = ("docs", "kernels", "sim", "guidelines", "mock_ups", "harness", "core", "stats")
KEY = r"\[([a-z]+[0-9]{4}[a-z]?)\]"
PICTURE = ("schedule", "show", "allreduce/halving_doubling", "--procs", "13", "--format", "svg")


class AlgorithmsDocument(ProgramTest):
    def test_it_is_what_the_program_writes(self) -> None:
        written = self.breakeven("schedule", "list", "--format", "markdown").stdout
        self.assertEqual(
            (DOCS / "algorithms.md").read_text(encoding="utf-8"),
            written,
            "write it anew: breakeven schedule list --format markdown > docs/algorithms.md",
        )

    def test_its_picture_is_what_the_program_draws(self) -> None:
        drawn = self.breakeven(*PICTURE).stdout
        self.assertEqual((DOCS / "halving_doubling.svg").read_text(encoding="utf-8"), drawn, PICTURE)

    def test_both_formats_of_the_list_have_the_same_rows(self) -> None:
        text = self.breakeven("schedule", "list").stdout
        markdown = self.breakeven("schedule", "list", "--format", "markdown").stdout
        rows = re.findall(r"^[a-z_]+/[a-z_0-9]+", text, re.MULTILINE)
        self.assertGreater(len(rows), 10)
        self.assertEqual(rows, re.findall(r"^\| ([a-z_]+/[a-z_0-9]+) \|", markdown, re.MULTILINE))

    def test_the_list_of_one_collective_is_a_part(self) -> None:
        for collective in ("allgather", "allgatherv"):
            text = self.breakeven("schedule", "list", collective).stdout
            self.assertEqual(set(re.findall(r"^([a-z_]+)/", text, re.MULTILINE)), {"allgather"})
        text = self.breakeven("schedule", "list", "allgather", "--procs", "2,4").stdout
        self.assertEqual(len(re.findall(r"^[a-z_]+ at p", text, re.MULTILINE)), 2)

    def test_algorithms_with_equal_schedules_share_a_line(self) -> None:
        text = self.breakeven("schedule", "list", "--procs", "2,8").stdout
        others = r"( = [a-z_]+)*\n"
        self.assertRegex(text, r"\nreduce at p = 2\n  binomial = circulant = linear = chain = binary = knomial = bine"
                               + others + "  halving_doubling = binary_blocks" + others)
        self.assertIn("  recursive_doubling = elimination_21 = elimination_32 = fixed_tree = "
                      "recursive_multiplying:stages=a2,a2,a2\n", text)
        self.breakeven("schedule", "list", "--procs", "2", "--root", "2", status=2)

    def test_whatever_is_cited_stands_in_the_bibliography(self) -> None:
        rows = self.text("docs/bibliography.md")
        known = re.findall(r"^\* \*\*([a-z]+[0-9]{4}[a-z]?)\*\* ", rows, re.MULTILINE)
        self.assertEqual(len(known), len(set(known)))
        files = [file for folder in CITING for file in (ROOT / folder).rglob("*")]
        files = [file for file in files if file.suffix in (".cpp", ".hpp", ".md")]
        cited = {key for file in files for key in re.findall(KEY, file.read_text(encoding="utf-8"))}
        self.assertGreater(len(cited), 10)
        self.assertLessEqual(cited, set(known))

    def test_each_algorithm_cites_a_source(self) -> None:
        document = self.text("docs/algorithms.md")
        rows = re.findall(r"^\| ([a-z_]+/[a-z_0-9]+ \| .*) \|$", document, re.MULTILINE)
        # Rows of costs have p in their second cell.
        sources = [cells[-1] for cells in (row.split(" | ") for row in rows) if not cells[1].isdigit()]
        self.assertEqual(len(sources), len({row.split(" | ")[0] for row in rows}))
        for source in sources:
            self.assertRegex(source, KEY)

    @staticmethod
    def text(path: str) -> str:
        return (ROOT / path).read_text(encoding="utf-8")


if __name__ == "__main__":
    unittest.main()
