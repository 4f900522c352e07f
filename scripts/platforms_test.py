#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of make_platform.py: its files, the hosts that SimGrid finds in them, and its refusals.

usage: platforms_test.py [BREAKEVEN_SMPI_HOSTS]
"""
from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

MAKER = Path(__file__).resolve().with_name("make_platform.py")
LISTER = ""

TWO_LEVEL = ["two_level", "--nodes", "3", "--cores", "4"]
FAT_TREE = ["fat_tree", "--down", "4,2", "--up", "1,2"]
DRAGONFLY = ["dragonfly", "--groups", "3", "--chassis", "2", "--routers", "3", "--hosts", "2"]


class MakerTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="breakeven_test_")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.out = self.folder / "platform.xml"

    def run_maker(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(MAKER), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    def make(self, *arguments: str) -> ElementTree.Element:
        made = self.run_maker(*arguments, "--out", str(self.out))
        self.assertEqual((made.returncode, made.stdout, made.stderr), (0, "", ""))
        return ElementTree.parse(self.out).getroot()

    def refused(self, *arguments: str) -> str:
        made = self.run_maker(*arguments, "--out", str(self.out))
        self.assertEqual((made.returncode, made.stdout), (2, ""))
        self.assertEqual(made.stderr.count("\n"), 1, made.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])
        return made.stderr


class Makes(MakerTest):
    def test_a_bus_and_a_link_for_each_node(self) -> None:
        zone = self.make(*TWO_LEVEL, "--bus-bytes-per-s", "7e9").find("zone")
        self.assertEqual([host.get("id") for host in zone.iter("host")], ["node-0", "node-1", "node-2"])
        self.assertEqual({host.get("core") for host in zone.iter("host")}, {"4"})
        shared = [link.get("sharing_policy") for link in zone.iter("link")]
        self.assertEqual(shared, ["SHARED", "SPLITDUPLEX"] * 3)
        self.assertEqual(zone.find("link[@id='bus-1']").get("bandwidth"), "7000000000.0Bps")
        within = zone.find("route[@src='node-2'][@dst='node-2']")
        self.assertEqual([link.get("id") for link in within], ["bus-2"])
        up = zone.find("route[@src='node-2'][@dst='switch']")
        self.assertEqual([link.get("id") for link in up], ["bus-2", "link-2"])

    def test_a_fat_tree(self) -> None:
        cluster = self.make(*FAT_TREE).find("zone/cluster")
        self.assertEqual(cluster.get("topo_parameters"), "2;4,2;1,2;1,1")
        self.assertEqual(cluster.get("radical"), "0-7")

    def test_a_dragonfly(self) -> None:
        cluster = self.make(*DRAGONFLY, "--group-links", "3").find("zone/cluster")
        self.assertEqual(cluster.get("topo_parameters"), "3,3;2,1;3,1;2")
        self.assertEqual(cluster.get("radical"), "0-35")

    def test_the_same_file_every_time(self) -> None:
        self.make(*DRAGONFLY)
        first = self.out.read_bytes()
        self.make(*DRAGONFLY)
        self.assertEqual(self.out.read_bytes(), first)

    def test_what_simgrid_takes_with_hosts_in_order(self) -> None:
        if not LISTER:
            self.skipTest("built without SimGrid")
        for kind, hosts, cores in ((TWO_LEVEL, 3, 4), (FAT_TREE, 8, 1), (DRAGONFLY, 36, 1)):
            self.make(*kind)
            listed = subprocess.run(
                [LISTER, self.out], capture_output=True, text=True, timeout=60, check=True
            )
            expected = [f"{cores} node-{host}" for host in range(hosts)]
            self.assertEqual(listed.stdout.splitlines(), expected)


class Refuses(MakerTest):
    def test_numbers_that_are_none(self) -> None:
        self.assertIn("'0' is not a whole number", self.refused("two_level", "--nodes", "0"))
        self.assertIn("'-1' is not a", self.refused(*TWO_LEVEL, "--bus-bytes-per-s=-1"))
        self.assertIn("'nan' is not a", self.refused(*TWO_LEVEL, "--link-latency-s", "nan"))
        self.assertIn("'inf' is not a", self.refused(*TWO_LEVEL, "--link-latency-s", "inf"))

    def test_more_than_can_be_simulated(self) -> None:
        self.assertIn("1024 at most", self.refused("two_level", "--nodes", "1025"))
        self.assertIn(
            "65536 at most", self.refused("fat_tree", "--down", "512,512", "--up", "1,1")
        )

    def test_a_tree_whose_levels_differ(self) -> None:
        self.assertIn("as many in each", self.refused("fat_tree", "--down", "4,2", "--up", "1"))

    def test_more_groups_than_simgrid_finds(self) -> None:
        words = self.refused(*DRAGONFLY[:1], "--groups", "4", *DRAGONFLY[3:])
        self.assertIn("4 groups asked for; SimGrid takes as many as a chassis has routers, 3", words)

    def test_a_file_that_can_not_be_written(self) -> None:
        made = self.run_maker(*TWO_LEVEL, "--out", "/no/such/folder/platform.xml")
        self.assertEqual(made.returncode, 2)
        self.assertEqual(made.stderr.count("\n"), 1)

    def test_help_shows_examples(self) -> None:
        for kind in ("two_level", "fat_tree", "dragonfly"):
            self.assertIn(f"  make_platform.py {kind} --", self.run_maker(kind, "--help").stdout)


if __name__ == "__main__":
    LISTER = sys.argv.pop(1) if len(sys.argv) > 1 else ""
    unittest.main()
