#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails when a sentence in a comment, message or document has a pronoun in the place of a noun.

usage: check_words.py [--count | FOLDER...]
FOLDER: look in these instead of all. --count: only print the number of hits by folder.
"""
from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NO_SENTENCES = ("ci/check_words",)  # this check and its test
# Write a noun instead: "a candidate that fails", "this number of ranks", "next to it".
PATTERNS = {
    "who": r"(?:^|[.:;,(] ?|\b(?:and|as|but|by|for|nor|of|or|so|than|that|to|with) )who\b(?!.* whom)|(?:^|[.:;] )Who\b(?!.*\?)",
    "what": r"(?:^|[.:;] )\**What\b(?!.*\?)|\b(?:all|that) what\b",
    "such": r"\b(?:as|by|for|if|of|than|there (?:are|is)|where|with|without) such\b(?! an?\b)|\bsuch (?:are|is)\b",
    "so many": r"\b(?:as|at|by|for|from|in|of|on|than|that|to|with) so (?:few|many|much)\b(?!.* (?:as|that)\b)",
    "beside": r"\bbeside\b(?! each other)",
}
STRING = r'"((?:\\.|[^"\\\n])*)"'
# The text for people in a line of a file with one of these suffixes.
TEXTS = {
    "cpp hpp h c inc js": rf"(?<!:)//[/!]?<? ?(.*)|^ ?\*(?!/) ?(.*)|{STRING}",
    "py": rf"#:? ?(.*)|\"\"\"(.*)|^ *([A-Z][^=(]*[.:,]?)$|{STRING}",
    "sh cmake txt toml": rf"(?:^|\s)# ?(.*)|{STRING}",
    "sql": r"-- ?(.*)",
    "md": r"^(?!#)(?:[*|\-] ?|\d\. )*(.*)",
}
TEXT = {suffix: re.compile(pattern) for suffixes, pattern in TEXTS.items() for suffix in suffixes.split()}
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)


def hits(text: str, suffix: str) -> Iterator[tuple[int, str, str]]:
    """Number of the line, pattern and words of each hit."""
    if suffix == "md":
        text = CODE.sub(lambda code: "\n" * code[0].count("\n"), text)
    for number, line in enumerate(text.splitlines(), 1):
        for match in TEXT[suffix].finditer(line):
            words = next((group for group in match.groups() if group), "").strip()
            for name, pattern in PATTERNS.items():
                if re.search(pattern, words):
                    yield number, name, words


def files() -> Iterator[str]:
    """The files that have text for people."""
    listed = subprocess.check_output(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, text=True)
    for name in sorted(set(listed.split("\0"))):
        known = Path(name).suffix[1:] in TEXT and "/testdata/" not in name and not name.startswith(NO_SENTENCES)
        if known and (ROOT / name).is_file():
            yield name


def main(arguments: list[str]) -> int:
    found = [(name, *hit) for name in files() for hit in hits((ROOT / name).read_text(), Path(name).suffix[1:])]
    if arguments == ["--count"]:
        counts = Counter((name.rpartition("/")[0].partition("/")[0] or ".", kind) for name, _, kind, _ in found)
        for folder in sorted({folder for folder, _ in counts}):
            kinds = {kind: counts[folder, kind] for kind in PATTERNS if counts[folder, kind]}
            print(f"{folder:12} {sum(kinds.values()):4}  {', '.join(f'{n} {kind}' for kind, n in kinds.items())}")
        return 0
    asked = tuple(f"{each.rstrip('/')}/" for each in arguments) or ("",)
    wrong = [hit for hit in found if hit[0].startswith(asked)]
    for name, number, kind, words in wrong:
        print(f"{name}:{number}: '{kind}' in the place of a noun: {words}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
