#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of check_words.py on sentences that have to be read twice, and on plain ones."""
from __future__ import annotations

import unittest

import check_words


class CheckWordsTest(unittest.TestCase):
    def kinds(self, text: str, suffix: str) -> list[tuple[int, str]]:
        return [(number, kind) for number, kind, _ in check_words.hits(text, suffix)]

    def test_pronouns_without_a_noun_are_found(self) -> None:
        for sentence, kind in {
            "Who was measured is not pruned.": "who",
            "Measured, and who fails is given up.": "who",
            "The rest stays. What is left is decided.": "what",
            "The largest of such.": "such",
            "Runs it on so many ranks.": "so many",
            "The time beside the library's.": "beside",
        }.items():
            self.assertEqual(self.kinds(f"x = 1;  // {sentence}\n", "cpp"), [(1, kind)], sentence)
            self.assertEqual(self.kinds(f'def f():\n    """{sentence}"""\n', "py"), [(2, kind)], sentence)
            self.assertEqual(self.kinds(f"{sentence}\n", "md"), [(1, kind)], sentence)
            self.assertEqual(self.kinds(f"# {sentence}\n", "sh"), [(1, kind)], sentence)

    def test_plain_sentences_pass(self) -> None:
        for sentence in (
            "A user who runs it as root.",
            "What does it cost?",
            "A ring of ranks such as this one, in such a way.",
            "At least as many as so many ranks that wait.",
            "Both stand beside each other.",
            "Shows who sends to whom.",
        ):
            self.assertEqual(self.kinds(f"// {sentence}\n", "cpp"), [], sentence)

    def test_code_is_not_read(self) -> None:
        self.assertEqual(self.kinds("int beside = of(such, who);\n", "cpp"), [])
        self.assertEqual(self.kinds("# What it costs\n```\nWho\n```\n", "md"), [])


if __name__ == "__main__":
    unittest.main()
