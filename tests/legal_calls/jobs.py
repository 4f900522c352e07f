# SPDX-License-Identifier: BSD-3-Clause
"""Plays a program of calls in an MPI job, with or without a table in force."""
import dataclasses
import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import tempfile

from expand import World
from steps import COLLECTIVES


@dataclasses.dataclass
class Library:
    """How jobs of an MPI library are started: `launcher` ends where the process count goes."""
    launcher: list
    player: str
    environment: dict = dataclasses.field(default_factory=dict)
    breakeven: str = ""   # the program: its algorithms perform the calls, through the C++ library


def library(name, player, preload, environment):
    """@param preload  libbreakeven_yield.so: MPICH's ranks never give a core away by themselves"""
    if name == "mpich":
        # For the ranks alone: the launcher has no UCX.
        words = ["-genv", "LD_PRELOAD", preload] if preload else []
        return Library(["mpiexec.mpich", *words, "-n"], player, environment)
    return Library(["mpiexec.openmpi", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-n"],
                   player, environment)


def algorithms_of(breakeven, procs):
    """Its algorithms of each collective at p. The irregular ones have those of the regular ones."""
    command = [breakeven, "schedule", "list", "--procs", str(procs)]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    algorithms, of = {}, []
    for line in listed.splitlines():
        if heading := re.match(r"(\w+) at p = ", line):
            of = algorithms.setdefault(heading[1], [])
        elif line.startswith("  "):
            of += [name.strip() for name in line.split(" = ")]
    regular = {"alltoallw": "alltoall", "reduce_scatter": "reduce_scatter_block"}
    of_all = {each: algorithms.get(regular.get(each, each.removesuffix("v")), algorithms.get(each))
              for each in COLLECTIVES}
    assert all(of_all.values()), of_all
    return of_all


@dataclasses.dataclass
class Failure:
    line: int      # of the program, from 1 on: the last that a rank had begun
    reason: str    # "wrong: ...", "ended by itself: ...", or "hangs"


def play(library, program, procs, patience_s=60):
    """None when every result is right."""
    world = World(procs)
    with tempfile.TemporaryDirectory() as folder:
        steps = pathlib.Path(folder, "steps")
        progress = pathlib.Path(folder, "progress")
        steps.write_text("".join(json.dumps(world.expand(step), separators=(",", ":")) + "\n"
                                 for step in program), encoding="utf-8")
        command = [*library.launcher, str(procs), library.player, str(steps), str(progress),
                   str(int(patience_s))]
        if library.breakeven:
            algorithms = pathlib.Path(folder, "algorithms")
            algorithms.write_text(json.dumps(algorithms_of(library.breakeven, procs)))
            command.append(str(algorithms))
        try:
            job = subprocess.run(command, env={**os.environ, **library.environment}, text=True,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, timeout=patience_s + 30, check=False)
        except subprocess.TimeoutExpired:   # of the launcher: the ranks have ended themselves
            return Failure(last_begun(progress), "hangs")
        if job.returncode == 0:
            return None
        return Failure(last_begun(progress), told(job))


def told(job):
    """A job's own words about its end, in a line."""
    lines = [line.strip() for line in job.stdout.splitlines()]
    if job.returncode == 128 + signal.SIGALRM or "larm clock" in job.stdout:
        return "hangs"
    status = job.returncode
    wrong = [line for line in lines if line.startswith("wrong: ")]
    ended = [line for line in lines if "rror" in line or "ssert" in line or "ignal:" in line]
    return (wrong + [f"ended by itself, status {status}: {line[:150]}" for line in ended]
            + [f"ended by itself, status {status}"])[0]


def last_begun(progress):
    data = progress.read_bytes() if progress.exists() else b""
    return max((line for (line,) in struct.iter_unpack("q", data)), default=0)


def in_force(files):
    """The environment that puts tables in force, as their heads say."""
    environment = {}
    for file in map(pathlib.Path, files):
        path = str(file.resolve())
        if file.name.endswith(".sh"):
            for line in file.read_text(encoding="utf-8").splitlines():
                if line.startswith("export "):
                    name, value = line.removeprefix("export ").split("=", 1)
                    environment[name] = value
        elif file.name.startswith("openmpi"):
            component, use = ("han", "use_dynamic_file_rules") if "han" in file.name else (
                "tuned", "use_dynamic_rules")
            environment |= {f"OMPI_MCA_coll_{component}_{use}": "1",
                            f"OMPI_MCA_coll_{component}_dynamic_rules_filename": path}
        else:
            layer = "CH4_" if "ch4" in file.name else ""
            environment[f"MPIR_CVAR_{layer}COLL_SELECTION_TUNING_JSON_FILE"] = path
    return environment
