# SPDX-License-Identifier: BSD-3-Clause
"""The tools under comparison: how each is asked what one allreduce takes, and where it says so.

All time the library's own MPI_Allreduce of MPI_FLOAT with MPI_SUM, each process bound to a core.
Durations are in seconds, sizes in bytes.
"""
from __future__ import annotations

import os
import re
import statistics
from abc import ABC, abstractmethod
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from cells import UsageError
from database import interval, open_database

FLOAT_BYTES = 4
MICRO = 1e-6


class ToolError(Exception):
    """A run that gave no figure: one line that says why."""


@dataclass(frozen=True)
class Figure:
    """What one run says that one allreduce takes, with its 95 % interval where it gives one."""

    seconds: float
    low_s: float | None = None
    high_s: float | None = None


@dataclass(frozen=True)
class Mpi:
    """The library under all tools, and how its jobs start."""

    library: str
    launcher: str
    procs: int

    def start(self) -> list[str]:
        bind = "-bind-to" if self.library == "mpich" else "--bind-to"
        return [self.launcher, bind, "core", "-n", str(self.procs)]

    def environment(self) -> dict[str, str]:
        """That of this process; as root Open MPI starts only when it is told twice to."""
        if self.library != "openmpi" or os.geteuid() != 0:
            return dict(os.environ)
        consent = ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")
        return {**os.environ, **dict.fromkeys(consent, "1")}


@dataclass(frozen=True)
class Tool(ABC):
    """One program. An amount says how much a run measures: time grows linearly with it."""

    program: Path
    name = statistic = ""
    least, most = 10.0, 1e8  # amounts; here repetitions

    @abstractmethod
    def command(self, mpi: Mpi, size: int, amount: float, folder: Path) -> list[str]:
        """A run's command line; the run may keep files in the empty `folder`."""

    @abstractmethod
    def figure(self, size: int, output: str, folder: Path) -> Figure:
        """What the run left as its figure; ToolError where there is none."""


class Osu(Tool):
    name, statistic = "OSU", "mean over ranks of their mean"

    def command(self, mpi: Mpi, size: int, amount: float, folder: Path) -> list[str]:
        options = ["-m", f"{size}:{size}", "-i", f"{amount:.0f}", "-T", "mpi_float"]
        return [*mpi.start(), str(self.program), *options]

    def figure(self, size: int, output: str, folder: Path) -> Figure:
        return _mean(re.findall(rf"^{size}\s+([\d.]+)\s*$", output, re.MULTILINE))


class Imb(Tool):
    name, statistic = "IMB", "mean over ranks of their mean"

    def command(self, mpi: Mpi, size: int, amount: float, folder: Path) -> list[str]:
        # IMB keeps the bytes of one line's repetitions in an int: more of them take several lines.
        volume_mib = 2047
        most = max(1, (volume_mib << 20) // size)
        lines = -(-round(amount) // most)
        lengths = folder / "lengths"
        lengths.write_text(f"{size}\n" * lines)
        options = ["-npmin", str(mpi.procs), "-msglen", str(lengths), "-zero_size", "off"]
        repetitions = f"{amount / lines:.0f},{volume_mib}"
        options += ["-iter", repetitions, "-iter_policy", "off", "Allreduce"]
        return [*mpi.start(), str(self.program), *options]

    def figure(self, size: int, output: str, folder: Path) -> Figure:
        least_most_mean = rf"^\s+{size}\s+\d+\s+[\d.]+\s+[\d.]+\s+([\d.]+)\s*$"
        return _mean(re.findall(least_most_mean, output, re.MULTILINE))


class Repro(Tool):
    name, statistic = "ReproMPI", "median of the slowest rank"

    def command(self, mpi: Mpi, size: int, amount: float, folder: Path) -> list[str]:
        options = ["--calls-list=MPI_Allreduce", f"--msizes-list={size}", f"--nrep={amount:.0f}"]
        options += ["--datatype=MPI_FLOAT", "--operation=MPI_SUM"]
        options += ["--proc-sync=dissem_barrier", "--summary=median"]
        return [*mpi.start(), str(self.program), *options]

    def figure(self, size: int, output: str, folder: Path) -> Figure:
        row = rf"^\s*MPI_Allreduce\s+{size // FLOAT_BYTES}\s+\d+\s+[1-9]\d*\s+([\d.]+)\s*$"
        return _mean(re.findall(row, output, re.MULTILINE), unit_s=1)


def breakeven_settings(launches: int) -> list[str]:
    """How Breakeven spends its time: on launches, in each until its median is sure."""
    spread = ["--min-time-s", "0.15", "--case-budget-s", "0.3"]
    return ["--launches", str(launches), "--no-doctor", *spread]


class Breakeven(Tool):
    name, statistic = "Breakeven", "median over launches of the slowest rank's median"
    least, most = 3, 100  # launches

    def command(self, mpi: Mpi, size: int, amount: float, folder: Path) -> list[str]:
        options = ["--db", str(folder / "results.db"), "--machine", mpi.library]
        options += ["--launcher", mpi.launcher, "--collectives", "allreduce"]
        options += ["--algorithms", "native", "--procs", str(mpi.procs), "--bytes", str(size)]
        options += ["--datatype", "float", "--op", "sum"]
        return [str(self.program), "sweep", *options, *breakeven_settings(round(amount))]

    def figure(self, size: int, output: str, folder: Path) -> Figure:
        try:
            with closing(open_database(folder / "results.db")) as connection:
                sql = "SELECT median_s FROM measurement WHERE failure IS NULL ORDER BY median_s"
                medians = [median for median, in connection.execute(sql)]
        except UsageError as error:
            raise ToolError(str(error)) from error
        if not medians:
            raise ToolError("the database holds no measurement")
        return Figure(statistics.median(medians), *interval(medians))


def _mean(texts: list[str], unit_s: float = MICRO) -> Figure:
    """The mean of a tool's rows, nearly always one; 0 s is what some print for no valid sample."""
    seconds = [float(text) * unit_s for text in texts]
    if not seconds or min(seconds) <= 0:
        raise ToolError("no figure in its output")
    return Figure(statistics.mean(seconds))


TOOLS: dict[str, type[Tool]] = {"osu": Osu, "imb": Imb, "repro": Repro, "breakeven": Breakeven}
