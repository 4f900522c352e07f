# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the check of build_site.py on small sites with planted faults."""
from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import build_site

OTHER = '<h2 id="here">Here</h2>'
GOOD = (
    '<link href="css/a.css" rel="stylesheet"><h1 id="top">Top</h1><a href="#top">up</a>'
    '<a href="sub/other.html#here">other</a><a href="https://example.org">away</a>'
)


class ComplaintsTest(unittest.TestCase):
    def complaints(self, index: str, style: str = "p { color: red }") -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            site = Path(folder).resolve()
            for name, text in [("index.html", index), ("sub/other.html", OTHER), ("css/a.css", style)]:
                (site / name).parent.mkdir(exist_ok=True)
                (site / name).write_text(text)
            return list(build_site.complaints(site))

    def test_a_site_without_faults(self) -> None:
        self.assertEqual(self.complaints(GOOD), [])
        self.assertEqual(self.complaints('<a href="/sub/other.html">from the root</a>'), [])

    def test_each_fault_is_found(self) -> None:
        for planted, words in [
            ('<a href="sub/another.html">', "no file for the link 'sub/another.html'"),
            ('<a href="sub/other.html#there">', "no heading for the link 'sub/other.html#there'"),
            ('<a href="#bottom">', "no heading for the link '#bottom'"),
            ('<img src="picture.png">', "no file for the link 'picture.png'"),
            ('<script src="https://cdn.example/a.js"></script>', "loads https://cdn.example/a.js"),
            ('<link href="//cdn.example/a.css">', "loads //cdn.example/a.css"),
        ]:
            self.assertEqual(self.complaints(GOOD + planted), [f"index.html: {words}"])

    def test_styles_load_nothing_from_the_network(self) -> None:
        for style in ("@import 'https://fonts.example/a.css';", 'p { src: url("//fonts.example/a") }'):
            [complaint] = self.complaints(GOOD, style)
            self.assertRegex(complaint, "^css/a.css: loads .*//fonts.example/a")


if __name__ == "__main__":
    unittest.main()
