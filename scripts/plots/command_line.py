# SPDX-License-Identifier: BSD-3-Clause
"""What the plots' command lines have in common: --out FILE, and cells on standard input."""
from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeVar

import cells

if TYPE_CHECKING:
    from matplotlib.figure import Figure

T = TypeVar("T")
FORMATS = ("png", "svg", "pdf")


class Parser(argparse.ArgumentParser):
    """Refuses in one line."""

    def error(self, message: str) -> NoReturn:
        raise cells.UsageError(f"{message} (see {self.prog} --help)")


def _parse(question: str, arguments: list[str]) -> argparse.Namespace:
    parser = Parser(description=question)
    parser.add_argument(
        "--out", required=True, type=Path, metavar="FILE", help=f"ends in {', '.join(FORMATS)}"
    )
    return parser.parse_args(arguments)


def save(figure: Figure, out: Path) -> None:
    """Writes the whole file or none."""
    partial = out.with_name(f".{out.stem}.{os.getpid()}{out.suffix}")
    # Without a date the same measurements give the same file.
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(out.suffix[1:], {})
    try:
        figure.savefig(partial, metadata=metadata)
        partial.replace(out)
    except OSError as error:
        raise cells.UsageError(f"can't write '{out}': {error.strerror}") from error
    finally:
        partial.unlink(missing_ok=True)


def _plot(question: str, draw: Callable[[T], Figure], arguments: list[str], read: Callable[[str], T]):
    options = _parse(question, arguments)
    if options.out.suffix[1:] not in FORMATS:
        raise cells.UsageError(f"can't write '{options.out}': known are {', '.join(FORMATS)}")
    save(draw(read(sys.stdin.read())), options.out)
    print(options.out)


def run(
    question: str,
    draw: Callable[[T], Figure],
    arguments: list[str] | None = None,
    read: Callable[[str], T] = cells.read_sheets,
) -> int:
    """Answers `question` by a figure in a file; returns the exit status, 2 for a bad request.

    `read` makes of standard input what `draw` draws.
    """
    try:
        _plot(question, draw, sys.argv[1:] if arguments is None else arguments, read)
    except cells.UsageError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return 2
    return 0
