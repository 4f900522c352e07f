#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints by folder how many files and lines of source there are, the median file and the longest.

Sources are C++, Python, shell, CMake, SQL and JavaScript without tests.

usage: ci/count_lines.py
"""

import pathlib
import re
import statistics
import subprocess
from collections import defaultdict

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCE = re.compile(r".*\.(cpp|hpp|h|c|inc|py|sh|cmake|sql|js)|(.*/)?CMakeLists\.txt")
TEST = re.compile(r"tests/.*|.*_test(ing)?\.\w+|.*/testing\.hpp|.*/testdata/.*|.*_testing\.cpp")


def main() -> None:
    listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0")
    lines = defaultdict(dict)
    for name in listed:
        if SOURCE.fullmatch(name) and not TEST.fullmatch(name) and (ROOT / name).is_file():
            folder = name.split("/")[0] if "/" in name else "."
            lines[folder][name] = len((ROOT / name).read_text().splitlines())
    whole = {name: count for files in lines.values() for name, count in files.items()}
    print(f"{'folder':12} {'files':>5} {'lines':>6} {'median':>6}  longest")
    rows = sorted(lines.items(), key=lambda row: -sum(row[1].values()))
    for folder, files in [*rows, ("all", whole)]:
        longest = max(files, key=files.get)
        median = round(statistics.median(files.values()))
        print(f"{folder:12} {len(files):5} {sum(files.values()):6} {median:6}  {files[longest]} {longest}")


if __name__ == "__main__":
    main()
