# SPDX-License-Identifier: BSD-3-Clause
"""A lab with a Slurm leaves no daemon, mount or file, whatever ends it."""

import pathlib
import signal
import subprocess
import sys
import unittest

import slurm_lab

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests"))
from support import descendants, running, wait_until

LAB = pathlib.Path(slurm_lab.__file__)


class SlurmLab(unittest.TestCase):
    def end_by(self, number: signal.Signals) -> None:
        mounts = pathlib.Path("/proc/self/mounts").read_text()
        files = sorted(slurm_lab.LAB.iterdir())
        command = [sys.executable, LAB, "4", "2", "sh", "-c", "sinfo -N; sleep 600"]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as lab:
            self.assertIn("NODELIST", lab.stdout.readline())
            inside = descendants(lab.pid)
            self.assertGreater(len(inside), 6)  # munged, slurmctld, four slurmd and what starts them
            lab.send_signal(number)
            lab.wait(10)
        self.assertTrue(wait_until(lambda: not set(inside) & running().keys(), 5), number)
        self.assertEqual(pathlib.Path("/proc/self/mounts").read_text(), mounts)
        self.assertEqual(sorted(slurm_lab.LAB.iterdir()), files)

    def test_killed(self) -> None:
        self.end_by(signal.SIGKILL)

    def test_terminated(self) -> None:
        self.end_by(signal.SIGTERM)

    def test_interrupted(self) -> None:
        self.end_by(signal.SIGINT)


if __name__ == "__main__":
    if reason := slurm_lab.missing():
        print(f"skipped: {reason}")
        sys.exit(slurm_lab.SKIPPED)
    unittest.main()
