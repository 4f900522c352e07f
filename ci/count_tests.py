#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints "PASSED FAILED" of a CTest run from its JUnit file; on stderr the names of the slowest, skipped
and failed tests, and the last lines that a failed one printed.

usage: count_tests.py JUNIT_FILE

A test that is disabled, or declares that it can't run here, has neither passed nor failed; a test that
could not be started has failed. A run without any test is one failure.
"""
from __future__ import annotations

import sys
import xml.etree.ElementTree as xml
from pathlib import Path

SLOWEST = 15
LAST_LINES = 12


def was_skipped(case: xml.Element) -> bool:
    skipped = case.find("skipped")
    # CTest also calls a missing program skipped; a test's own word has a SKIP_... property.
    own_word = skipped is not None and skipped.get("message", "").startswith("SKIP_")
    return own_word or case.get("status") == "disabled"


def names(cases: list[xml.Element]) -> list[str]:
    return [case.get("name", "?") for case in cases]


def outcomes(junit: str) -> tuple[list[str], list[str], list[str]]:
    """The names of the passed, the failed and the skipped tests."""
    cases = list(xml.fromstring(junit).iter("testcase"))
    skipped = [case for case in cases if was_skipped(case)]
    passed = [case for case in cases if case.get("status") == "run"]
    failed = [case for case in cases if case not in skipped and case not in passed]
    return names(passed), names(failed), names(skipped)


def slowest(junit: str) -> list[tuple[float, str]]:
    """Seconds and name of the tests that took longest, the longest first."""
    cases = xml.fromstring(junit).iter("testcase")
    times = [(float(case.get("time", 0)), case.get("name", "?")) for case in cases]
    return sorted(times, reverse=True)[:SLOWEST]


def last_lines(junit: str, name: str) -> list[str]:
    cases = xml.fromstring(junit).iter("testcase")
    printed = next(case.findtext("system-out", "") for case in cases if case.get("name", "?") == name)
    return printed.splitlines()[-LAST_LINES:]


def main() -> int:
    try:
        junit = Path(sys.argv[1]).read_text()
        passed, failed, skipped = outcomes(junit)
    except (IndexError, OSError, xml.ParseError) as error:
        print(f"count_tests.py: no result of CTest: {error}", file=sys.stderr)
        return 2
    for seconds, name in slowest(junit):
        print(f"slowest: {seconds:6.1f} s {name}", file=sys.stderr)
    for word, tests in {"skipped": skipped, "failed": failed}.items():
        for name in tests:
            print(f"{word}: {name}", file=sys.stderr)
            if word == "failed":
                print(*(f"    {line}" for line in last_lines(junit, name)), sep="\n", file=sys.stderr)
    print(len(passed), len(failed) if passed or failed else 1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
