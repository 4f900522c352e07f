#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of check_reachable.py on a library and a program that calls one function of it."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import check_reachable

PRESETS = json.loads((pathlib.Path(__file__).resolve().parents[1] / "CMakePresets.json").read_text())
(ASAN,) = [each for each in PRESETS["configurePresets"] if each["name"] == "asan"]
OPTIONS = [
    *ASAN["cacheVariables"]["CMAKE_CXX_FLAGS"].split(),
    *("-fPIC", "-fno-semantic-interposition"),  # as CMakeLists.txt has them
]

LIBRARY = """
namespace breakeven {
struct Class { explicit Class(int); Class(const Class&); ~Class(); int planted() const; int x; };
int here;
Class::Class(int value) : x{value} {}
Class::Class(const Class& other) : x{other.x} {}
Class::~Class() { here = 0; }
int Class::planted() const { return x; }
int called_by_called() { return Class{here}.x; }
int small(int x) { return x; }
int called() { return small(called_by_called()); }
int beside_planted(int x) { return x; }
int planted(int x) { return 1 + beside_planted(x); }
}
"""
PROGRAM = "namespace breakeven { int called(); } int main() { return breakeven::called(); }"
PLANTED = ["Class::planted() const", "beside_planted(int)", "planted(int)"]


class CheckReachableTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)
        (self.build / "bin").mkdir()
        (self.build / "file.cpp").write_text(LIBRARY)
        (self.build / "program.cpp").write_text(PROGRAM)
        self.make("c++", *OPTIONS, "-ffunction-sections", "-c", "file.cpp", "-o", "file.cpp.o")
        self.make("ar", "rc", "libbreakeven_planted.a", "file.cpp.o")
        self.link("program.cpp", "breakeven")

    def link(self, source: str, program: str) -> None:
        library = "libbreakeven_planted.a"
        self.make("c++", *OPTIONS, source, library, "-Wl,--gc-sections", "-o", f"bin/{program}")

    def make(self, *command: str) -> None:
        subprocess.run(command, cwd=self.build, check=True)

    def test_what_no_program_reaches_is_found(self) -> None:
        found = check_reachable.unreached(self.build)
        expected = [f"no installed program reaches breakeven::{each}" for each in PLANTED]
        self.assertEqual(found, expected)

    def test_a_folder_without_a_build_is_refused(self) -> None:
        done = subprocess.run(
            [sys.executable, check_reachable.__file__, str(self.build / "nothing")],
            capture_output=True, text=True,
        )  # fmt: skip
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(done.stderr.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
