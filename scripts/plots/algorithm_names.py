# SPDX-License-Identifier: BSD-3-Clause
"""What people read in the place of an algorithm's name in the database."""
from __future__ import annotations

import re
from collections import Counter

from cells import NATIVE

# The prefix of the names of their own algorithms: "openmpi:ring".
OF_LIBRARY = "\u00b0"  # behind the letters of what a library does itself
LIBRARIES = {"mpich": "MPICH", "openmpi": "Open MPI", NATIVE: "the library's"}


def is_of_library(name: str) -> bool:
    """Whether an MPI library does it: by an algorithm of its own, or by other collectives."""
    return ":" in name


def display_name(name: str) -> str:
    """The name as words: recursive doubling; Open MPI ring, where it is a library's own."""
    library, _, algorithm = name.rpartition(":")
    if name == NATIVE:
        return "library's default"
    words = algorithm.replace("_", " ")
    return f"{LIBRARIES.get(library, library)} {words}" if library else words


def _letters(name: str, of_each_word: int) -> str:
    words = re.split("[_+]", name.rpartition(":")[2])
    if len(words) == 1:
        of_each_word += 1
    short = "".join(word[:of_each_word].capitalize() for word in words)
    return short + OF_LIBRARY if is_of_library(name) else short


def abbreviations(names: list[str]) -> dict[str, str]:
    """A letter of each word, "RD" for recursive_doubling, two of a single one, "Ri" for ring.

    More where names would read alike but for case: "BiBl" and "BiBr". "Ri°" of what a library does.
    """
    letters = dict.fromkeys(names, 1)
    for _ in range(max(map(len, names), default=0)):
        short = {name: _letters(name, count) for name, count in letters.items()}
        often = Counter(map(str.lower, short.values()))
        for name in names:
            letters[name] += often[short[name].lower()] > 1
    return {name: _letters(name, count) for name, count in letters.items()}
