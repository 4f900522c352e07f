#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of count_tests.py on what CTest 3.25 writes."""
from __future__ import annotations

import unittest

import count_tests

CASES = {
    "passed": '<testcase name="passed" status="run"/>',
    "failed": '<testcase name="failed" status="fail"><failure message=""/></testcase>',
    "own word": '<testcase name="own word" status="notrun">'
    '<skipped message="SKIP_RETURN_CODE=77"/></testcase>',
    "no program": '<testcase name="no program" status="notrun">'
    '<skipped message="Unable to find executable"/></testcase>',
    "disabled": '<testcase name="disabled" status="disabled"/>',
}


def count(*names: str) -> tuple[int, int, list[str]]:
    cases = "".join(CASES[name] for name in names)
    return count_tests.count(f'<?xml version="1.0"?><testsuite>{cases}</testsuite>')


class CountTest(unittest.TestCase):
    def test_passed_and_failed_are_counted(self) -> None:
        self.assertEqual(count("passed", "failed", "passed"), (2, 1, []))

    def test_skipped_and_disabled_tests_are_named_and_not_counted(self) -> None:
        self.assertEqual(count("passed", "own word", "disabled"), (1, 0, ["own word", "disabled"]))

    def test_a_test_that_could_not_be_started_has_failed(self) -> None:
        self.assertEqual(count("passed", "no program"), (1, 1, []))

    def test_a_run_without_tests_is_a_failure(self) -> None:
        self.assertEqual(count(), (0, 1, []))
        self.assertEqual(count("disabled"), (0, 1, ["disabled"]))


if __name__ == "__main__":
    unittest.main()
