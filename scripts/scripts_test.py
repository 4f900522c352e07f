#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the set-up scripts: what they refuse, and what they say elsewhere than on Debian."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent
TOOLS = ("bash", "dirname", "sed", "paste", "awk", "env", "pkg-config", "python3", "c++", "id")


def run(script: str, *arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": path or os.environ["PATH"]}
    command = ["bash", str(SCRIPTS / script), *arguments]
    return subprocess.run(
        command, env=environment, cwd="/", capture_output=True, text=True, timeout=60
    )


class QuickstartTest(unittest.TestCase):
    def refused(self, *arguments: str) -> str:
        result = run("quickstart.sh", *arguments)
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.stderr.count("\n"), 1)
        return result.stderr

    def test_an_unknown_option_is_refused(self) -> None:
        self.assertIn("'--mpl'", self.refused("--mpl", "mpich"))

    def test_an_option_without_its_value_is_refused(self) -> None:
        self.assertIn("--out needs a value", self.refused("--out"))

    def test_an_unknown_library_is_refused_with_the_known(self) -> None:
        self.assertIn("'intel'; known: mpich openmpi", self.refused("--mpi", "intel"))

    def test_a_file_as_folder_is_refused(self) -> None:
        self.assertIn("is no folder", self.refused("--out", str(SCRIPTS / "packages.txt")))


class InstallPackagesTest(unittest.TestCase):
    def test_an_unknown_group_is_refused_with_the_known(self) -> None:
        result = run("install_packages.sh", "games")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, "'games'; known: build mpich openmpi ")

    def test_every_package_has_a_sign_of_its_presence(self) -> None:
        line = re.compile(r"#.*|\[\w+\]|[a-z0-9.+|-]+ +(command|module|header|python|file) \S+|")
        for text in (SCRIPTS / "packages.txt").read_text().splitlines():
            self.assertIsNotNone(line.fullmatch(text), text)

    def test_without_debian_what_is_missing_is_named(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for tool in TOOLS:
                # The shim of pyenv that PATH may have for python3 hangs where bash is all it finds.
                target = sys.executable if tool == "python3" else shutil.which(tool)
                (Path(folder) / tool).symlink_to(target)
            result = run("install_packages.sh", "build", path=folder)
        self.assertEqual(result.returncode, 2)
        self.assertIn("  command ninja\n", result.stderr)
        self.assertIn("  command g++ or clang++\n", result.stderr)
        self.assertNotIn("python3", result.stderr)


if __name__ == "__main__":
    unittest.main()
