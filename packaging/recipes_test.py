# SPDX-License-Identifier: BSD-3-Clause
"""The files for Spack and EasyBuild are Python, and name options of this build. Neither program is run."""

import ast
import os
import pathlib
import re
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

    def assert_known(self, option: str) -> None:
        """Whether the CMake files of this build read the option: then it is in the cache."""
        cache = CACHE.read_text()
        self.assertRegex(cache, rf"(?m)^{option}:")


if __name__ == "__main__":
    unittest.main()
