#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a spy: C++ that counts how often functions of an MPI library run, and runs them.

usage: make_spy.py preload|wrap NM LIBRARY NAMES_FILE SOURCE [LINK_OPTIONS]

Counted are those functions named in NAMES_FILE (as "function") that LIBRARY has. `preload` is for
an object that stands before a shared library, `wrap` for one that is linked with a static library
under the LINK_OPTIONS that are written. Either way each function gets a stub which passes on all
arguments, in registers and on the stack, as they came, and keeps those of the last call on the stack,
which are the seventh and later ones; so far for x86-64 alone. `wrap` also keeps the order of the calls
and on which communicators they were: MPICH's begin with their handle.
"""
from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

# Where each collective's communicator is when its function begins.
COMMUNICATORS = {
    "Allgather": "8(%rsp)",
    "Allreduce": "%r9",
    "Alltoall": "8(%rsp)",
    "Barrier": "%rdi",
    "Bcast": "%r8",
    "Reduce": "8(%rsp)",
}
CALLS_KEPT = 256
STACK_KEPT = 5

HEAD = """// Made by make_spy.py.
#include <dlfcn.h>

#include <cstring>

extern "C" {
extern long breakeven_spy_counts[];
extern void* breakeven_spy_real[];
extern long breakeven_spy_stack[][STACK_KEPT];
extern long breakeven_spy_calls;  // those since the last reset that have a communicator
struct breakeven_kept_call {
  long function;
  long communicator;
};
extern breakeven_kept_call breakeven_spy_kept[];
}

namespace {
constexpr const char* kNames[] = {
"""

API = """};
constexpr int kFunctions = sizeof kNames / sizeof *kNames;
}  // namespace

/// How often the function ran in this process since the last reset; -1 where it isn't counted.
extern "C" long breakeven_spy_count(const char* name) {
  for (int i = 0; i < kFunctions; ++i) {
    if (std::strcmp(kNames[i], name) == 0) return breakeven_spy_counts[i];
  }
  return -1;
}

/// An argument of the function's last call, counted from 0 among those on the stack.
extern "C" long breakeven_spy_argument(const char* name, int number) {
  for (int i = 0; i < kFunctions; ++i) {
    if (std::strcmp(kNames[i], name) == 0) return breakeven_spy_stack[i][number];
  }
  return -1;
}

/// The function of a call since the last reset, in their order; null where there were fewer, or no
/// more are kept.
extern "C" const char* breakeven_spy_call(long number, int* communicator) {
  if (number >= breakeven_spy_calls || number >= CALLS_KEPT) return nullptr;
  *communicator = static_cast<int>(breakeven_spy_kept[number].communicator);
  return kNames[breakeven_spy_kept[number].function];
}

extern "C" void breakeven_spy_reset() {
  std::memset(breakeven_spy_counts, 0, kFunctions * sizeof(long));
  breakeven_spy_calls = 0;
}
"""
API = API.replace("CALLS_KEPT", str(CALLS_KEPT))
HEAD = HEAD.replace("STACK_KEPT", str(STACK_KEPT))

FIND_REAL = """
[[gnu::constructor]] static void find_real_functions() {
  for (int i = 0; i < kFunctions; ++i) breakeven_spy_real[i] = dlsym(RTLD_NEXT, kNames[i]);
}
"""


def functions_of(nm: str, library: str) -> set[str]:
    options = ["--defined-only", "--format=posix"]
    if not library.endswith(".a"):
        options.append("--dynamic")
    text = subprocess.run([nm, *options, library], capture_output=True, text=True, check=True).stdout
    return {line.split()[0] for line in text.splitlines() if re.match(r"\S+ T ", line)}


def keep_call(index: int, name: str) -> list[str]:
    """With registers that pass no arguments, and that every function may change."""
    collective = re.split("_(?:intra|inter|allcomm)_", name.removeprefix("MPIR_"))[0]
    communicator = COMMUNICATORS.get(collective)
    if communicator is None:
        return []
    return [
        f"movq {communicator}, %rax",
        "movl (%rax), %eax",
        "movl $1, %r10d",
        "lock xaddq %r10, breakeven_spy_calls(%rip)",
        f"cmpq ${CALLS_KEPT}, %r10",
        "jae 1f",
        "shlq $4, %r10",
        "leaq breakeven_spy_kept(%rip), %r11",
        "addq %r10, %r11",
        f"movq ${index}, (%r11)",
        "movq %rax, 8(%r11)",
        "1:",
    ]


def keep_stack(index: int) -> list[str]:
    """Behind the return address; by a register that passes no arguments."""
    kept = f"breakeven_spy_stack+{8 * STACK_KEPT * index}"
    return [
        line
        for i in range(STACK_KEPT)
        for line in (f"movq {8 + 8 * i}(%rsp), %r10", f"movq %r10, {kept}+{8 * i}(%rip)")
    ]


def stub(index: int, name: str, way: str) -> str:
    label, jump = {
        "preload": (name, f"jmp *breakeven_spy_real+{8 * index}(%rip)"),
        "wrap": (f"__wrap_{name}", f"jmp __real_{name}"),
    }[way]
    lines = [
        ".text",
        f".globl {label}",
        f".type {label},@function",
        f"{label}:",
        f"lock incq breakeven_spy_counts+{8 * index}(%rip)",
        *keep_stack(index),
        *(keep_call(index, name) if way == "wrap" else []),
        jump,
        f".size {label},.-{label}",
    ]
    return 'asm("' + "\\n".join(lines) + '");\n'


def room(symbol: str, words: int) -> str:
    lines = [
        ".data",
        ".balign 8",
        f".globl {symbol}",
        f".hidden {symbol}",
        f"{symbol}: .zero {8 * words}",
        ".text",
    ]
    return 'asm("' + "\\n".join(lines) + '");\n'


def main() -> int:
    way, nm, library, names_file, source = sys.argv[1:6]
    known = set(re.findall(r'"((?:ompi_coll_base|mca_coll_han|MPIR)_\w+)"', Path(names_file).read_text()))
    names = sorted(known & functions_of(nm, library))
    if not names:
        print(f"make_spy.py: {library} has no function of {names_file}", file=sys.stderr)
        return 1
    text = HEAD + "".join(f'    "{name}",\n' for name in names) + API
    if way == "preload":
        text += FIND_REAL
    text += room("breakeven_spy_counts", len(names)) + room("breakeven_spy_real", len(names))
    text += room("breakeven_spy_stack", STACK_KEPT * len(names))
    text += room("breakeven_spy_calls", 1) + room("breakeven_spy_kept", 2 * CALLS_KEPT)
    text += "".join(stub(index, name, way) for index, name in enumerate(names))
    Path(source).write_text(text)
    if way == "wrap":
        Path(sys.argv[6]).write_text("".join(f"-Wl,--wrap={name}\n" for name in names))
    return 0


if __name__ == "__main__":
    sys.exit(main())
