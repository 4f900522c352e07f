# SPDX-License-Identifier: BSD-3-Clause
"""The version and date of a release are the same wherever they stand; reports of faults are filled by the doctor;
the workflows of CI are bounded."""

import json
import pathlib
import re
import unittest

import yaml
from support import MACHINE, ProgramTest

ROOT = pathlib.Path(__file__).parents[1]


def match(pattern: str, file: str) -> str:
    """The first group of the pattern in a file."""
    found = re.search(pattern, (ROOT / file).read_text(), re.MULTILINE)
    if not found:
        raise AssertionError(f"{file} has nothing like {pattern}")
    return found[1]


class Version(ProgramTest):
    def test_every_file_has_the_version_of_the_build(self) -> None:
        version = match(r"^project\(breakeven VERSION (\S+)", "CMakeLists.txt")
        easybuild = [each.name for each in (ROOT / "packaging/easybuild").glob("Breakeven-*.eb")]
        self.assertEqual(
            {
                "program": self.breakeven("--version").stdout.split()[1],
                "CHANGELOG.md": match(r"^## (\S+)", "CHANGELOG.md"),
                "CITATION.cff": match(r"^version: (.*)$", "CITATION.cff"),
                "codemeta.json": json.loads((ROOT / "codemeta.json").read_text())["version"],
                ".zenodo.json": json.loads((ROOT / ".zenodo.json").read_text())["version"],
                "spack": match(r'^    version\("(.*)"\)', "packaging/spack/package.py"),
                "easybuild": easybuild[0].split("-")[1],
            },
            dict.fromkeys(
                ["program", "CHANGELOG.md", "CITATION.cff", "codemeta.json", ".zenodo.json",
                 "spack", "easybuild"], version),
        )  # fmt: skip

    def test_every_file_has_the_date_of_the_changelog(self) -> None:
        """Before a release no file has one."""
        date = match(r"^## \S+ \((.*)\)$", "CHANGELOG.md")
        date = None if date == "unreleased" else date
        citation = yaml.load((ROOT / "CITATION.cff").read_text(), yaml.BaseLoader)
        self.assertEqual(citation.get("date-released"), date)
        codemeta = json.loads((ROOT / "codemeta.json").read_text())
        self.assertEqual(codemeta.get("datePublished"), date)
        zenodo = json.loads((ROOT / ".zenodo.json").read_text())
        self.assertEqual(zenodo.get("publication_date"), date)

    def test_the_program_tells_what_a_report_needs(self) -> None:
        first, *rest = self.breakeven("--version").stdout.splitlines()
        self.assertRegex(first, r"^breakeven \d+\.\d+\.\d+ \(.+\)$")
        told = dict(line.split(":", 1) for line in rest)
        self.assertEqual(list(told), ["compiler", "MPI", "SQLite", "system"])
        self.assertRegex(told["compiler"], r"^ \w+ \d+\.\d+.*, \w+$")
        self.assertRegex(told["MPI"], rf" {MACHINE} (\d+\.\d+|of /)")
        self.assertRegex(told["SQLite"], r"^ +3\.\d+\.\d+$")
        self.assertRegex(told["system"], r"^ +\w+.*, Linux \S+ on \w+$")


class Fault(ProgramTest):
    def test_the_doctor_fills_every_heading_of_the_template(self) -> None:
        template = (ROOT / ".github/ISSUE_TEMPLATE/fault.md").read_text()
        headings = re.findall(r"(?m)^### .*$", template)
        self.assertTrue(headings)
        for machine in ([], ["--machine", MACHINE]):
            told = self.breakeven("doctor", "--report", *machine).stdout
            self.assertEqual(re.findall(r"(?m)^### .*$", told), headings)
            for part in re.split(r"(?m)^### .*$", told)[1:]:
                self.assertTrue(part.strip(), told)
        self.assertRegex(told, rf"(?m)^\* {MACHINE}: (MPICH|Open MPI)")

    def test_report_and_format_exclude_each_other(self) -> None:
        told = self.breakeven("doctor", "--report", "--format", "json", status=2).stderr
        self.assertIn("--format excludes --report", told)


class Workflows(unittest.TestCase):
    def test_each_is_bounded_and_pinned(self) -> None:
        files = sorted((ROOT / ".github/workflows").glob("*.yml"))
        self.assertEqual([each.stem for each in files], ["full", "test"])
        for file in files:
            workflow = yaml.load(file.read_text(), yaml.BaseLoader)
            self.assertEqual(workflow["permissions"], {"contents": "read"}, file)
            for job in workflow["jobs"].values():
                self.assertGreater(int(job["timeout-minutes"]), 0, file)
                self.assertEqual(job["strategy"]["matrix"]["release"], ["12", "13", "testing"])
                used = [step["uses"] for step in job["steps"] if "uses" in step]
                self.assertTrue(all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", each) for each in used))
                ran = [step["run"] for step in job["steps"] if "run" in step]
                self.assertEqual(ran[-1], f"ci/{file.stem}.sh")
                self.assertTrue((ROOT / ran[-1]).exists())


if __name__ == "__main__":
    unittest.main()
