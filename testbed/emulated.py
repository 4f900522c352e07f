# SPDX-License-Identifier: BSD-3-Clause
"""Runs testbed/emulated-cluster, and looks for processes, mounts and files that it left."""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests"))
from support import ProgramTest, running, wait_until

SCRIPT = pathlib.Path(__file__).resolve().with_name("emulated-cluster")
FOLDER = SCRIPT.parent / "cluster/private"
NOT_PERMITTED = 77  # also what CTest takes for "skipped"


def require_namespaces() -> None:
    """Ends the test program as skipped where a cluster of one node can't be made."""
    command = [SCRIPT, "run", "--nodes", "1", "--", "true"]
    tried = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if tried.returncode == NOT_PERMITTED:
        print(f"skipped: {tried.stderr.strip()}")
        sys.exit(NOT_PERMITTED)


class EmulatedTest(ProgramTest):
    def emulated(self, *arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        """Runs the script to its end and checks its exit status."""
        return self.breakeven(*arguments, status=status, program=SCRIPT)

    def on_head(self, script: str, *options: str, status: int = 0) -> str:
        """The output of a shell on the head of a cluster of two nodes; $cluster is the program."""
        command = ["--nodes", "2", *options, "--", "sh", "-euc", f"cluster={SCRIPT}; {script}"]
        return self.emulated("run", *command, status=status).stdout

    def assert_nothing_left(self, processes: list[int], mounts: str) -> None:
        """No process of a cluster that has ended, no mount and no file.

        `processes` are those of the cluster, `mounts` the mounts before it.
        """
        gone = wait_until(lambda: not set(processes) & running().keys(), 20)
        self.assertTrue(gone, set(processes) & running().keys())
        self.assertEqual(pathlib.Path("/proc/self/mounts").read_text(), mounts)
        self.assertEqual([path.name for path in FOLDER.iterdir()], ["README"])
        self.assertEqual(list(self.folder.iterdir()), [])
