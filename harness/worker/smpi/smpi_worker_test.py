# SPDX-License-Identifier: BSD-3-Clause
"""The tests of worker_test.py for the worker on SMPI, except those without a launcher.

usage: smpi_worker_test.py WORKER FAULTY_WORKER RANKS SMPIRUN
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[1]))

import worker_test
from worker_test import FindsWrongData, Measures, Refuses  # noqa: F401, for unittest to find

MAKER = HERE.parents[3] / "scripts/make_platform.py"
OPTIONS = ["--log=root.thres:error", "--cfg=smpi/simulate-computation:no", "--cfg=smpi/wtime:0"]


def main() -> None:
    worker_test.WORKER, worker_test.FAULTY_WORKER, ranks, smpirun = sys.argv[1:5]
    worker_test.RANKS = int(ranks)
    with tempfile.TemporaryDirectory(prefix="breakeven_test_") as name:
        folder = pathlib.Path(name)
        platform = folder / "platform.xml"
        hosts = folder / "hosts"
        subprocess.run([sys.executable, MAKER, "two_level", "--nodes", "2", "--out", platform], check=True)
        hosts.write_text("".join(f"node-{rank % 2}\n" for rank in range(worker_test.RANKS)))
        placed = ["-np", ranks, "-hostfile", str(hosts), "-platform", str(platform)]
        worker_test.LAUNCHER = [smpirun, *placed, *OPTIONS]
        unittest.main(argv=sys.argv[:1])


if __name__ == "__main__":
    main()
