#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of count_tests.py on what CTest 3.25 writes."""
from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest

import count_tests

CASES = {
    "passed": '<testcase name="passed" time="2.5" status="run"/>',
    "failed": '<testcase name="failed" status="fail"><failure message=""/>'
    "<system-out>" + "".join(f"line {i}\n" for i in range(20)) + "</system-out></testcase>",
    "own word": '<testcase name="own word" status="notrun">'
    '<skipped message="SKIP_RETURN_CODE=77"/></testcase>',
    "no program": '<testcase name="no program" status="notrun">'
    '<skipped message="Unable to find executable"/></testcase>',
    "disabled": '<testcase name="disabled" status="disabled"/>',
}


def outcomes(*names: str) -> tuple[list[str], list[str], list[str]]:
    cases = "".join(CASES[name] for name in names)
    return count_tests.outcomes(f'<?xml version="1.0"?><testsuite>{cases}</testsuite>')


class OutcomesTest(unittest.TestCase):
    def test_passed_and_failed_are_named(self) -> None:
        self.assertEqual(outcomes("passed", "failed", "passed"), (["passed"] * 2, ["failed"], []))

    def test_skipped_and_disabled_tests_have_not_failed(self) -> None:
        others = ["own word", "disabled"]
        self.assertEqual(outcomes("passed", *others), (["passed"], [], others))

    def test_a_test_that_could_not_be_started_has_failed(self) -> None:
        self.assertEqual(outcomes("passed", "no program"), (["passed"], ["no program"], []))


class ProgramTest(unittest.TestCase):
    def run_on(self, *names: str) -> subprocess.CompletedProcess[str]:
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write("<testsuite>" + "".join(CASES[name] for name in names) + "</testsuite>")
            file.flush()
            return subprocess.run(
                [sys.executable, count_tests.__file__, file.name], capture_output=True, text=True
            )

    def test_it_counts_and_names_the_others(self) -> None:
        done = self.run_on("passed", "failed", "disabled")
        self.assertEqual(done.stdout, "1 1\n")
        self.assertIn("skipped: disabled\nfailed: failed\n    line 8\n", done.stderr)
        self.assertTrue(done.stderr.endswith("    line 19\n"), done.stderr)

    def test_the_slowest_come_first(self) -> None:
        done = self.run_on("failed", "passed")
        self.assertEqual(
            done.stderr.splitlines()[:2], ["slowest:    2.5 s passed", "slowest:    0.0 s failed"]
        )

    def test_a_run_without_tests_is_a_failure(self) -> None:
        self.assertEqual(self.run_on().stdout, "0 1\n")
        self.assertEqual(self.run_on("disabled").stdout, "0 1\n")


if __name__ == "__main__":
    unittest.main()
