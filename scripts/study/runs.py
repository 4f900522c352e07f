# SPDX-License-Identifier: BSD-3-Clause
"""Runs the tools again and again, each in the same time, and loses no run that is over."""
from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from bounded import run_bounded
from cells import UsageError
from tools import Figure, Mpi, Tool, ToolError


class Journal:
    """A file of JSON lines, one for each run that is over: also what remains to be done."""

    def __init__(self, path: Path) -> None:
        self.path = path
        text = path.read_text() if path.exists() else ""
        whole = text[: text.rfind("\n") + 1]  # without what a killed study was writing
        self.lines: list[dict] = [json.loads(line) for line in whole.splitlines()]
        if whole != text:
            path.write_text(whole)

    def append(self, line: dict) -> None:
        with self.path.open("a") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self.lines.append(line)

    def find(self, wanted: dict) -> dict | None:
        """The first line that has all of `wanted`."""
        return next((line for line in self.lines if wanted.items() <= line.items()), None)


def amount_that_fills(
    least: float, most: float, budget_s: float, wall_s: Callable[[float], float]
) -> float:
    """How much a run has to measure to last `budget_s`, from the time that shorter ones last."""
    start_s = min(wall_s(least), wall_s(least))
    amount, excess_s = least, 0.0
    while excess_s < budget_s / 3 and amount < most:
        amount = min(4 * amount, most)
        excess_s = wall_s(amount) - start_s
    if excess_s <= 0:  # no amount takes longer than the start
        return most
    more = (amount - least) * (budget_s - start_s) / excess_s
    return min(max(least + more, least), most)


@dataclass(frozen=True)
class Study:
    """Which tools run at which sizes, how often, and for how many seconds each time."""

    mpi: Mpi
    tools: list[Tool]
    sizes: list[int]
    runs: int
    budget_s: float
    seed: int
    journal: Journal

    def settings(self) -> dict:
        """What all lines of a journal share: figures of others must not be compared with them."""
        return {"procs": self.mpi.procs, "budget_s": self.budget_s}

    def go(self) -> int:
        """Does what the journal lacks and returns how many of these runs failed.

        A run that failed is done again when the study goes on.
        """
        for line in self.journal.lines:
            if not self.settings().items() <= line.items():
                others = ", ".join(f"{key} {line[key]}" for key in self.settings())
                raise UsageError(f"'{self.journal.path}' is of a study with {others}")
        for tool in self.tools:
            for size in self.sizes:
                self._amount(tool, size)
        return sum(
            not self._run(tool, size, run)
            for run in range(self.runs)
            for tool, size in self.order(run)
        )

    def order(self, run: int) -> list[tuple[Tool, int]]:
        """Shuffled sizes, and at each the shuffled tools in turn, so that drift hits all alike."""
        shuffled = random.Random(f"{self.seed} {run}")
        sizes = shuffled.sample(self.sizes, len(self.sizes))
        return [(t, size) for size in sizes for t in shuffled.sample(self.tools, len(self.tools))]

    def _what(self, tool: Tool, size: int) -> dict:
        return {"library": self.mpi.library, "tool": tool.name, "bytes": size, **self.settings()}

    def _amount(self, tool: Tool, size: int) -> float:
        what = {"kind": "amount", **self._what(tool, size)}
        line = self.journal.find(what)
        if line is None:
            try:
                amount = amount_that_fills(
                    *(tool.least, tool.most, self.budget_s),
                    lambda amount: self._once(tool, size, amount)[1],
                )
            except ToolError as error:
                raise UsageError(f"{tool.name} can't run at {size} B: {error}") from error
            line = {**what, "amount": amount}
            self.journal.append(line)
        return line["amount"]

    def _run(self, tool: Tool, size: int, run: int) -> bool:
        """Whether the journal has this run's figure now."""
        what = {"kind": "run", **self._what(tool, size), "run": run}
        if self.journal.find(what):
            return True
        amount = self._amount(tool, size)
        line = {**what, "amount": amount, "load": os.getloadavg()[0]}
        line["started_at"] = datetime.now(timezone.utc).isoformat(timespec="seconds")
        try:
            figure, line["wall_s"] = self._once(tool, size, amount)
            line |= vars(figure)
            told = f"{figure.seconds * 1e6:.2f} us in {line['wall_s']:.1f} s"
        except ToolError as error:
            line |= {"kind": "failure", "reason": str(error)}
            told = f"failed: {error}"
        self.journal.append(line)
        print(f"run {run + 1} of {self.runs}: {tool.name}, {size} B: {told}", file=sys.stderr)
        return line["kind"] == "run"

    def _once(self, tool: Tool, size: int, amount: float) -> tuple[Figure, float]:
        """A figure and the seconds that it took, start and end included."""
        with tempfile.TemporaryDirectory() as name:
            command = tool.command(self.mpi, size, amount, Path(name))
            begin = time.monotonic()
            output = run_bounded(command, self.mpi.environment(), 5 * self.budget_s + 60)
            wall_s = time.monotonic() - begin
            return tool.figure(size, output, Path(name)), wall_s
