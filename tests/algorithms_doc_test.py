# SPDX-License-Identifier: BSD-3-Clause
"""docs/algorithms.md is what the program says of its catalogue, and the text list has the same rows."""

import pathlib
import re
import unittest

from support import ProgramTest

DOCS = pathlib.Path(__file__).parent.parent / "docs"
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


if __name__ == "__main__":
    unittest.main()
