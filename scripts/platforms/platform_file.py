# SPDX-License-Identifier: BSD-3-Clause
"""What the platform makers have in common: numbers from the command line, SimGrid's XML into a file."""
from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn
from xml.etree import ElementTree

DOCTYPE = '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
MOST_HOSTS = 1 << 16


class UsageError(Exception):
    """A request that can't be met: one line that says why."""


class Parser(argparse.ArgumentParser):
    """Options of a maker; refuses in one line, and shows examples as they are written."""

    def __init__(self, question: str, examples: str) -> None:
        super().__init__(
            description=question,
            epilog=f"examples:\n{examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.add_argument("--cores", type=whole, default=1, help="cores of a host [1]")
        self.add_argument(
            "--core-flop-per-s", type=positive, default=1e10, help="speed of a core [1e10]"
        )
        self.add_argument("--out", required=True, type=Path, metavar="FILE.xml")

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def whole(text: str) -> int:
    """1 or more."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number of 1 or more")
    return int(text)


def wholes(text: str) -> list[int]:
    """Several of these, with commas."""
    return [whole(part) for part in text.split(",")]


def _number(text: str, possible: Callable[[float], bool], words: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not possible(value) or value == float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is not a {words} number")
    return value


def positive(text: str) -> float:
    return _number(text, lambda value: value > 0, "positive")


def not_negative(text: str) -> float:
    return _number(text, lambda value: value >= 0, "non-negative")


def rate(bytes_per_s: float) -> str:
    """A bandwidth as SimGrid reads it."""
    return f"{bytes_per_s!r}Bps"


def time(seconds: float) -> str:
    return f"{seconds!r}s"


def speed(flop_per_s: float) -> str:
    return f"{flop_per_s!r}f"


def write_platform(content: ElementTree.Element, comment: str, out: Path) -> None:
    """Writes the whole file or none."""
    platform = ElementTree.Element("platform", version="4.1")
    platform.append(ElementTree.Comment(f" {comment} "))
    platform.append(content)
    ElementTree.indent(platform)
    body = ElementTree.tostring(platform, encoding="unicode")
    partial = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        partial.write_text(f"<?xml version='1.0'?>\n{DOCTYPE}\n{body}\n", encoding="utf-8")
        partial.replace(out)
    except OSError as error:
        raise UsageError(f"can't write '{out}': {error.strerror}") from error
    finally:
        partial.unlink(missing_ok=True)


def run(make: Callable[[list[str]], None], arguments: list[str] | None = None) -> int:
    """Makes a platform; returns the exit status, 2 for a bad request."""
    try:
        make(sys.argv[1:] if arguments is None else arguments)
    except UsageError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return 2
    return 0
