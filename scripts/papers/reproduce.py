#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the figures and tables of the five papers by `breakeven`, each by a few of its commands.

The recipes are in this folder, a file for each paper; docs/results/papers.md has the results. A figure of
measurements runs on the machine of its recipe, or on --machine with --procs, --nodes and --bytes. Its
databases stay in OUT/data: the same command resumes. Arguments after -- replace the recipe's in every
sweep.

  reproduce.py --list
  reproduce.py ruefenacht2017                              # all figures and tables of a paper
  reproduce.py ricogallego2014 "Fig. 6" --out mapping
  reproduce.py traff2023 3a --machine openmpi --nodes 100 --procs 4800 -- --launcher srun
"""
from __future__ import annotations

import argparse
import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
MAKE_PLATFORM = FOLDER.parent / "make_platform.py"
# The python3 that has matplotlib if that is a package of the system.
PYTHON = "/usr/bin/python3" if Path("/usr/bin/python3").exists() else sys.executable
OUR_PROGRAM = FOLDER.parents[1] / "build/release/bin/breakeven"
SWEEP = {
    "model": "",
    # Simulated times don't vary; a second repetition shows it.
    "smpi": "--launches 2 --repetitions 2 --batch 2 --min-repetitions 2 --hang-timeout-s 300",
    "library": "--launches 5 --racing false --no-doctor",
}
ALL_MEASURED, SOME_FAILED, BAD_REQUEST, ENDED_EARLY = 0, 1, 2, 4
VALUES = ("procs", "nodes", "bytes", "program")


class UsageError(Exception):
    """A bad request: one line that says what to do, exit status 2."""


class CommandError(Exception):
    """A command failed: the last line that it printed."""

    def __init__(self, words: str, status: int) -> None:
        super().__init__(words)
        self.status = status


@dataclass(frozen=True)
class Recipe:
    """A figure or table: what it shows and the commands that make it."""

    paper: str
    name: str
    title: str
    run: list[str]
    data: str  # names the databases; recipes with the same name share them
    machine: str = ""  # the machine unless another is requested; '': none is needed
    platform: str = ""  # the arguments of make_platform.py for {platform}
    values: dict[str, str] = field(default_factory=dict)  # what {procs}, {nodes} ... stand for

    @property
    def slug(self) -> str:
        return slug_of(self.name)


def slug_of(text: str) -> str:
    """fig_5 of "Fig. 5"."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


def _entries(paper: str) -> list[dict]:
    """The figures of the file, each with the values of the figure that it is `like`."""
    whole = tomllib.loads((FOLDER / f"{paper}.toml").read_text())
    entries: dict[str, dict] = {}
    for each in whole["figure"]:
        each.setdefault("data", f"{paper} {each['name']}")
        if "machine" in each:
            each["machine"] = whole.get("machines", {}).get(each["machine"], each["machine"])
        if "like" in each:
            other, _, name = each.pop("like").partition(" ")
            known = entries.values() if other == paper else _entries(other)
            source = next(entry for entry in known if entry["name"] == name)
            own = set(each) & {*VALUES, "machine", "platform"}
            each = {**source, **each, **({} if own else {"data": source["data"]})}
        entries[each["name"]] = each
    return list(entries.values())


def read_recipes(paper: str) -> list[Recipe]:
    recipes = []
    for each in _entries(paper):
        values = {key: str(each.pop(key)) for key in VALUES if key in each}
        run = each.pop("run").strip().splitlines()
        recipes.append(Recipe(paper, run=run, values=values, **each))
    return recipes


def papers() -> list[str]:
    return sorted(file.stem for file in FOLDER.glob("*.toml"))


def kind_of(machine: str) -> str:
    """The kind of a machine, by which SWEEP has launches and repetitions."""
    if machine.startswith("smpi:"):
        return "smpi"
    return "model" if ":" in machine or machine.endswith(".toml") else "library"


class Maker:
    """Makes figures in a folder."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.data = options.out / "data"
        self.status = ALL_MEASURED

    def make(self, recipe: Recipe) -> None:
        """Runs the commands of a recipe; if one fails, the next recipe may still work."""
        print(f"{recipe.paper} {recipe.name}: {recipe.title}", flush=True)
        self.data.mkdir(parents=True, exist_ok=True)
        try:
            words = self._words(recipe)
            for line in recipe.run:
                for command in self._each(line, words):
                    self._run(command.strip())
        except CommandError as error:
            print(f"reproduce.py: {error}", file=sys.stderr)
            self.status = max(self.status, error.status)

    def _words(self, recipe: Recipe) -> dict[str, str]:
        asked = {key: getattr(self.options, key) for key in VALUES}
        words = {**recipe.values, **{key: value for key, value in asked.items() if value}}
        words["breakeven"] = str(self.options.breakeven)
        words["bin"] = str(self.options.breakeven.resolve().parent)
        machine = recipe.machine
        if "{platform}" in machine and not self.options.machine:
            machine = machine.replace("{platform}", str(self._platform(recipe)))
        if recipe.machine and self.options.machine:
            machine = self.options.machine
        # Each machine has its own database, so that a plot needs no --machine.
        name = f"{slug_of(recipe.data)}_{hashlib.sha1(machine.encode()).hexdigest()[:6]}"
        words["machine"] = machine
        words["db"] = str(self.data / name)
        words["out"] = str(self.options.out / f"{recipe.paper}_{recipe.slug}")
        ours = re.findall(r"(--\S+)( [^-]\S*)?", SWEEP[kind_of(machine)])
        kept = [key + value for key, value in ours if key not in self.options.sweep]
        words["sweep"] = " ".join([*kept, shlex.join(self.options.sweep)])
        return words

    def _platform(self, recipe: Recipe) -> Path:
        out = self.data / f"{slug_of(recipe.platform)}.xml"
        if not out.exists():
            self._call([PYTHON, str(MAKE_PLATFORM), *shlex.split(recipe.platform), "--out", str(out)])
        return out

    @staticmethod
    def _each(line: str, words: dict[str, str]) -> list[str]:
        """The commands of a line: one for each value if it has a list, as {a|b} or {{procs}}."""
        for _ in range(2):  # words may have words in them
            line = re.sub(r"\{(\w+)\}", lambda found: words.get(found[1], found[0]), line)
        choice = re.search(r"\{([^{}]*)\}", line)
        if choice is None:
            return [line]
        between = "|" if "|" in choice[1] else ","
        return [line.replace(choice[0], value) for value in choice[1].split(between)]

    def _run(self, command: str) -> None:
        line, _, target = command.partition(" > ")
        script = command.split(maxsplit=1)[0].endswith(".py")
        print(f"  {'' if script else 'breakeven '}{command}", flush=True)
        words = shlex.split(line)
        program = [PYTHON, str(FOLDER / words.pop(0))] if script else [str(self.options.breakeven)]
        output = self._call([*program, *words], keep=bool(target))
        if target:
            partial = Path(f"{target}.{os.getpid()}")
            partial.write_text(output)
            partial.replace(target)

    def _call(self, command: list[str], keep: bool = False) -> str:
        output_to = subprocess.PIPE if keep else subprocess.DEVNULL
        streams = {"stdout": output_to, "stderr": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, **streams) as process:
            try:
                output, errors = process.communicate()
            except BaseException:
                process.terminate()  # a sweep finishes its current case, and loses nothing
                raise
        sweeps = "sweep" in command[:2]
        if sweeps and process.returncode in (SOME_FAILED, ENDED_EARLY):
            self.status = max(self.status, SOME_FAILED)
        elif process.returncode != ALL_MEASURED:
            last = (errors.strip() or "no words").splitlines()[-1]
            refused = process.returncode == BAD_REQUEST
            raise CommandError(last, BAD_REQUEST if refused else SOME_FAILED)
        return output or ""


def _parse(arguments: list[str]) -> argparse.Namespace:
    at = arguments.index("--") if "--" in arguments else len(arguments)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("paper", nargs="?", help=f"{', '.join(papers())}: keys of docs/bibliography.md")
    add("figure", nargs="*", help='5, "Fig. 5", "Table 2" ... [all of the paper]')
    add("--list", action="store_true", help="list papers, figures and their machines")
    add("--out", type=Path, default=Path("papers"), metavar="FOLDER", help="[%(default)s]")
    add("--machine", help="measure here: mpich, openmpi, a model ... [the recipe's]")
    for name in VALUES[:3]:
        add(f"--{name}", metavar="LIST", help="as of `breakeven sweep` [the recipe's]")
    add("--program", metavar="COMMAND", help="of adamidis2004 Fig. 1, whose calls are profiled")
    found = Path(shutil.which("breakeven") or OUR_PROGRAM)
    add("--breakeven", type=Path, default=found, metavar="PATH", help="[%(default)s]")
    options = parser.parse_args(arguments[:at])
    options.sweep = arguments[at + 1 :]
    return options


def chosen(options: argparse.Namespace) -> list[Recipe]:
    """The requested recipes."""
    if options.paper is None:
        raise UsageError(f"no paper; there are {', '.join(papers())}")
    if options.paper not in papers():
        raise UsageError(f"no paper '{options.paper}'; there are {', '.join(papers())}")
    recipes = read_recipes(options.paper)
    if not options.figure:
        return recipes
    found = []
    for each in options.figure:
        asked = f"fig_{each}" if each[0].isdecimal() else slug_of(each)
        # Fig. 4 is Fig. 4a and Fig. 4 left too, but not Fig. 40; Table I is not Table II.
        parts = "([a-z]|_.*)?" if asked[-1].isdecimal() else "(_.*)?"
        here = [recipe for recipe in recipes if re.fullmatch(asked + parts, recipe.slug)]
        if not here:
            raise UsageError(
                f"{options.paper} has no recipe for '{each}'; there are"
                f" {', '.join(recipe.name for recipe in recipes)}"
            )
        found += here
    return found


def main(arguments: list[str]) -> int:
    """Returns the exit status: 1 when something failed or was not measured, 2 for a bad request."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        options = _parse(arguments)
        if options.list:
            for paper in [options.paper] if options.paper else papers():
                for each in read_recipes(paper):
                    print(f"{paper:18} {each.name:10} {each.title}  {each.machine}".rstrip())
            return 0
        if not os.access(options.breakeven, os.X_OK):
            raise UsageError(f"--breakeven '{options.breakeven}' is no program")
        maker = Maker(options)
        for recipe in chosen(options):
            maker.make(recipe)
    except (UsageError, OSError) as error:
        print(f"reproduce.py: {error}", file=sys.stderr)
        return BAD_REQUEST
    return maker.status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
