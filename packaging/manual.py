#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the manual pages of breakeven and of its commands: the texts of --help-all.

usage: manual.py BREAKEVEN FOLDER
"""

import os
import pathlib
import subprocess
import sys


def told(*words: str) -> str:
    environment = {**os.environ, "COLUMNS": "78"}
    return subprocess.run(words, check=True, capture_output=True, text=True, env=environment).stdout


def roff(text: str) -> str:
    """The text, escaped so that roff prints it unchanged."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in escaped.split("\n"))


def page(name: str, version: str, text: str) -> str:
    summary, _, rest = text.partition("\nUsage: ")
    summary = " ".join(summary.split()).rstrip(".")
    return (
        f'.TH {roff(name.upper())} 1 "" "{roff(version)}" "User Commands"\n'
        f".SH NAME\n{roff(name)} \\- {roff(summary)}\n.SH SYNOPSIS AND OPTIONS\n.nf\n{roff(rest)}.fi\n"
    )


def main() -> None:
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    version = told(program, "--version").splitlines()[0]
    offered = [line.split("\t")[0] for line in told(program, "completion", "words", "--", "").splitlines()]
    for words in [[], *([each] for each in offered if not each.startswith("-"))]:
        name = "-".join(["breakeven", *words])
        (folder / f"{name}.1").write_text(page(name, version, told(program, *words, "--help-all")))


if __name__ == "__main__":
    main()
