#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds the site of documents from the same Markdown (mkdocs.yml), and fails when a link of the built pages leads
nowhere, or when a page loads anything from the network.

usage: build_site.py REPORT.html
REPORT.html: a page of `breakeven report`, the example. The site is build/site/html/index.html.
"""
from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

from check_docs import CODE, LINK

ROOT = Path(__file__).resolve().parents[1]
SOURCE, HTML = ROOT / "build/site/source", ROOT / "build/site/html"
NETWORK = re.compile(r"(?:https?:)?//")
STYLE_URL = re.compile(r"(?:@import\s+|url\()[\"']?((?:https?:)?//[^\"')]+)")


def stage(report: Path) -> None:
    """Copies all documents with the files that they link to, each under its own path."""
    shutil.rmtree(SOURCE.parent, ignore_errors=True)
    listed = subprocess.check_output(["git", "ls-files", "*.md", "docs", "ci/site.css"], cwd=ROOT, text=True)
    names = {name for name in listed.splitlines() if "/" not in name or name.startswith(("docs/", "ci/"))}
    for page in [ROOT / name for name in names if name.endswith(".md")]:
        for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
            target = (page.parent / link.partition("#")[0]).resolve()
            if not re.match(r"https?:", link) and target.is_file():
                names.add(target.relative_to(ROOT).as_posix())
    for name in names:
        (SOURCE / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, SOURCE / name)
        if name.endswith(".md"):  # a fence may name only its language there
            text = (ROOT / name).read_text(encoding="utf-8")
            (SOURCE / name).write_text(re.sub(r"(?m)^```(\w+) \S+$", r"```\1", text), encoding="utf-8")
    shutil.copy(report, SOURCE / "report.html")


class Page(HTMLParser):
    """The names in a page that links may lead to, its links, and all that a browser loads with it."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.anchors = {""}
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if "href" in values:
            (self.links if tag == "a" else self.loaded).append(values["href"])
        if "src" in values:
            self.loaded.append(values["src"])


def complaints(site: Path) -> Iterator[str]:
    """The faults of a built site."""
    pages = {file: Page(file) for file in sorted(site.rglob("*.html"))}
    for file, page in pages.items():
        name = file.relative_to(site)
        for link in [*page.links, *page.loaded]:
            if NETWORK.match(link):
                if link in page.loaded:
                    yield f"{name}: loads {link}"
                continue
            if re.match(r"[a-z]+:", link):
                continue
            path, anchor = urldefrag(link)
            beside = site if path.startswith("/") else file.parent
            target = (beside / unquote(path).lstrip("/")).resolve() if path else file
            if not target.is_file():
                yield f"{name}: no file for the link '{link}'"
            elif target in pages and unquote(anchor) not in pages[target].anchors:
                yield f"{name}: no heading for the link '{link}'"
    for file in sorted(site.rglob("*.css")):
        for link in STYLE_URL.findall(file.read_text(encoding="utf-8")):
            yield f"{file.relative_to(site)}: loads {link}"


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    if not shutil.which("mkdocs"):
        print("no mkdocs: the site is not built", file=sys.stderr)
        return 0
    stage(Path(sys.argv[1]))
    subprocess.run(["mkdocs", "build", "--strict", "--quiet"], cwd=ROOT, check=True)
    found = list(complaints(HTML.resolve()))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
