#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails when a link between documents leads nowhere, a line is longer than a screen is wide, or the commit of a
picture is not stated.

usage: check_docs.py [ROOT]
"""
from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

LONGEST = 140
ORIGINS = "docs/results/README.md"
WRITTEN_BY_THE_PROGRAM = "docs/algorithms.md"
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]*)\)")


def anchors(page: Path) -> set[str]:
    """The names that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", CODE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


def origins(page: Path) -> set[str]:
    """The patterns of pictures in the rows that end with a commit."""
    rows = re.findall(r"^\|.*\| [0-9a-f]{8} \|$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([^`]+\.(?:png|svg))`", row)}


def pictures_without_origin(root: Path) -> Iterator[str]:
    known = origins(root / ORIGINS)
    for picture in sorted([*(root / "docs").rglob("*.png"), *(root / "docs").rglob("*.svg")]):
        if not any(fnmatch(picture.name, pattern) for pattern in known):
            yield f"{picture.relative_to(root)}: {ORIGINS} states no commit"


def complaints(root: Path) -> Iterator[str]:
    for page in sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")]):
        name = page.relative_to(root).as_posix()
        text = page.read_text(encoding="utf-8")
        for number, line in enumerate(text.splitlines(), 1):
            if len(line) > LONGEST and name != WRITTEN_BY_THE_PROGRAM:
                yield f"{name}:{number}: {len(line)} characters, more than {LONGEST}"
        for link in LINK.findall(CODE.sub("", text)):
            if re.match(r"https?:", link):
                continue
            path, _, anchor = link.partition("#")
            target = page.parent / path if path else page
            if not link or not target.exists():
                yield f"{name}: no file for the link '{link}'"
            elif anchor and anchor not in anchors(target):
                yield f"{name}: no heading for the link '{link}'"


if __name__ == "__main__":
    where = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    found = [*complaints(where), *pictures_without_origin(where)]
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
