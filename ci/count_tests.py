#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints "PASSED FAILED" of a CTest run from its JUnit file; names the skipped tests on stderr.

usage: count_tests.py JUNIT_FILE

A test that says itself that it can't run here, or is disabled, has neither passed nor failed; one
that could not be started has failed. A run without any test is one failure: it shows nothing.
"""
from __future__ import annotations

import sys
import xml.etree.ElementTree as xml
from pathlib import Path


def was_skipped(case: xml.Element) -> bool:
    skipped = case.find("skipped")
    # CTest also calls a missing program skipped; a test's own word is a SKIP_... property.
    own_word = skipped is not None and skipped.get("message", "").startswith("SKIP_")
    return own_word or case.get("status") == "disabled"


def count(junit: str) -> tuple[int, int, list[str]]:
    """Numbers of passed and failed tests, and the names of the skipped ones."""
    cases = list(xml.fromstring(junit).iter("testcase"))
    skipped = [case.get("name", "?") for case in cases if was_skipped(case)]
    passed = sum(1 for case in cases if case.get("status") == "run")
    failed = len(cases) - passed - len(skipped)
    return passed, failed if passed + failed else 1, skipped


def main() -> int:
    try:
        passed, failed, skipped = count(Path(sys.argv[1]).read_text())
    except (IndexError, OSError, xml.ParseError) as error:
        print(f"count_tests.py: no result of CTest: {error}", file=sys.stderr)
        return 2
    for name in skipped:
        print(f"skipped: {name}", file=sys.stderr)
    print(passed, failed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
