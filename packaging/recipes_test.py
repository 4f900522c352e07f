# SPDX-License-Identifier: BSD-3-Clause
"""Recipes name options of this build, and archives know their commit. Spack and EasyBuild are not run."""

import ast
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

PACKAGING = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path(os.environ["BREAKEVEN"]).resolve().parents[1] / "CMakeCache.txt"


class RecipeTest(unittest.TestCase):
    def test_spack_recipe_defines_options_that_exist(self) -> None:
        recipe = ast.parse((PACKAGING / "spack/package.py").read_text())
        calls = [each for each in ast.walk(recipe) if isinstance(each, ast.Call)]
        defined = [
            each.args[0].value
            for each in calls
            if isinstance(each.func, ast.Attribute) and each.func.attr == "define"
        ]
        self.assertIn("BREAKEVEN_MPICC", defined)
        for option in defined:
            self.assert_known(option)

    def test_easybuild_file_names_options_and_files_that_exist(self) -> None:
        for file in (PACKAGING / "easybuild").glob("*.eb"):
            values = {
                each.targets[0].id: each.value
                for each in ast.parse(file.read_text()).body
                if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)
            }
            name, version = (ast.literal_eval(values[key]) for key in ("name", "version"))
            chain = ast.literal_eval(values["toolchain"])
            self.assertEqual(file.name, f"{name}-{version}-{chain['name']}-{chain['version']}.eb")
            if name == "Breakeven":
                for option in re.findall(r"-D(\w+)=", file.read_text()):
                    self.assert_known(option)

    def test_an_archive_knows_its_commit(self) -> None:
        source = PACKAGING.parent
        git = ["git", "-C", str(source)]
        commit = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True)
        if commit.returncode != 0:
            self.skipTest("these sources are no clone")
        with tempfile.TemporaryDirectory() as folder:
            archive = [*git, "archive", "-o", f"{folder}/archive.tar", "HEAD", "cmake/GitCommit.cmake"]
            subprocess.run(archive, check=True)
            subprocess.run(["tar", "-xf", "archive.tar"], cwd=folder, check=True)
            template, header = pathlib.Path(folder, "in"), pathlib.Path(folder, "out")
            template.write_text("@BREAKEVEN_GIT_COMMIT@")
            defined = [f"-DIN={template}", f"-DOUT={header}", f"-DPROJECT_SOURCE_DIR={folder}"]
            subprocess.run(["cmake", *defined, "-P", "cmake/GitCommit.cmake"], cwd=folder, check=True)
            self.assertEqual(header.read_text().strip(), commit.stdout[:12])

    def assert_known(self, option: str) -> None:
        """Whether the CMake files of this build read the option: then it is in the cache."""
        cache = CACHE.read_text()
        self.assertRegex(cache, rf"(?m)^{option}:")


if __name__ == "__main__":
    unittest.main()
