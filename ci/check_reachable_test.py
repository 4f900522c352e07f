#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of check_reachable.py on a library of two functions, of which a program calls one."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import check_reachable

LIBRARY = "namespace breakeven { int called() { return 1; } int planted(int x) { return x; } }"
PROGRAM = "namespace breakeven { int called(); } int main() { return breakeven::called(); }"


class CheckReachableTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "library.cpp").write_text(LIBRARY)
        (self.folder / "program.cpp").write_text(PROGRAM)
        self.make("c++", "-ffunction-sections", "-c", "library.cpp")
        self.make("ar", "rc", "library.a", "library.o")
        self.make("c++", "-Wl,--gc-sections", "program.cpp", "library.a", "-o", "program")

    def make(self, *command: str) -> None:
        subprocess.run(command, cwd=self.folder, check=True)

    def complaints(self, *options: str) -> list[str]:
        done = subprocess.run(
            [
                *(sys.executable, check_reachable.__file__),
                *("--programs", "program", "--libraries", "library.a", *options),
            ],
            cwd=self.folder, capture_output=True, text=True,
        )  # fmt: skip
        lines = done.stderr.splitlines()
        self.assertEqual(done.returncode, 1 if lines else 0)
        return lines

    def test_a_planted_function_is_found(self) -> None:
        self.assertEqual(
            self.complaints(), ["no installed program reaches breakeven::planted(int)"]
        )

    def test_the_public_interface_may_stay(self) -> None:
        self.assertEqual(self.complaints("--public", "breakeven::planted"), [])

    def test_an_exception_without_a_function_is_named(self) -> None:
        found = self.complaints("--public", "breakeven::planted", "breakeven::gone")
        self.assertEqual(
            found, ["--public breakeven::gone fits no function that is not reached"]
        )


if __name__ == "__main__":
    unittest.main()
