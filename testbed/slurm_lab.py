#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A Slurm of its own on one machine: real daemons, made-up nodes, nothing left afterwards.

Everything runs in the namespaces of `emulated-cluster private`: daemons, ports, host names, sockets and
files (in a tmpfs) are visible inside only, and end with the command. /etc/slurm and /etc/munge are not
touched.

A node is a slurmd with a UTS namespace for its host name. Nodes share the kernel's memory and
loopback: this shows where processes are started, not what a network costs.

usage: slurm_lab.py NODES CORES COMMAND: COMMAND in a Slurm of nodes of this many cores, as in
    slurm_lab.py 2 1 salloc -N 2 -n 2 srun hostname
"""
from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import time
from collections.abc import Callable

PRIVATE = [pathlib.Path(__file__).resolve().with_name("emulated-cluster"), "private", "--"]
INSIDE = "BREAKEVEN_INSIDE_SLURM_LAB"
SKIPPED = 77  # the exit status that CTest takes for "skipped"
LAB = pathlib.Path("/mnt")  # of the private mount namespace: an empty tmpfs
PROGRAMS = ["slurmctld", "slurmd", "munged", "srun", "sbatch", "unshare", "hostname"]
ENDS = {"COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL", "OUT_OF_MEMORY", "BOOT_FAIL"}

# config_overrides: nodes may have more processors than this machine. cred_expire: also the time that
# a requeued job has to wait. TmpFS: PMIx steps of two nodes would use the same folder. task/none:
# ranks are not bound, since nodes share the processors.
CONFIGURATION = """
ClusterName=lab
SlurmctldHost=head(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={lab}/munge.socket,cred_expire={requeue_wait_s}
StateSaveLocation={lab}/state
SlurmdSpoolDir={lab}/spool/%n
TmpFS={lab}/spool/%n.tmp
SlurmctldPidFile={lab}/slurmctld.pid
SlurmdPidFile={lab}/slurmd.%n.pid
SlurmctldLogFile={lab}/slurmctld.log
SlurmdLogFile={lab}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,bf_interval=1,sched_interval=1
ReturnToService=2
JobRequeue=1
KillWait=5
MinJobAge=300
InactiveLimit=0
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=node[0-{last}] NodeAddr=127.0.0.1 Port=[17000-{last_port}] CPUs={cpus} RealMemory=1000 State=UNKNOWN
PartitionName=lab Nodes=ALL Default=YES MaxTime=60 OverSubscribe=NO State=UP
"""


def missing() -> str:
    """The reason why there can be no lab here; empty if there can."""
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    if os.geteuid() != 0:
        return "Slurm's daemons need root"
    absent = [program for program in PROGRAMS if shutil.which(program) is None]
    if absent:
        return f"not installed: {' '.join(absent)} (scripts/install_packages.sh slurm)"
    tried = subprocess.run([*PRIVATE, "true"], capture_output=True, text=True)
    return "" if tried.returncode == 0 else tried.stderr.strip()


def enter() -> None:
    """Returns inside new namespaces; ends with status 77 where there can be none."""
    if os.environ.get(INSIDE):
        return
    if reason := missing():
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    os.environ[INSIDE] = "1"
    os.execv(PRIVATE[0], [*PRIVATE, sys.executable, *sys.argv])


def call(*command: str | pathlib.Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def wait_for(what: str, condition: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what}: not within {seconds} s")
        time.sleep(0.1)


class Slurm:
    """The daemons."""

    def __init__(self, nodes: int = 4, cpus: int = 2, requeue_wait_s: int = 5) -> None:
        self.nodes = nodes
        self.furnish(nodes)
        configuration = LAB / "slurm.conf"
        configuration.write_text(
            CONFIGURATION.format(
                lab=LAB, last=nodes - 1, last_port=17000 + nodes - 1, cpus=cpus,
                requeue_wait_s=requeue_wait_s,
            )
        )  # fmt: skip
        os.environ["SLURM_CONF"] = str(configuration)
        self.munge()
        self.daemon("slurmctld", ["slurmctld", "-D", "-c"])
        for node in range(nodes):
            name = f"node{node}"
            for folder in (name, f"{name}.tmp"):
                (LAB / "spool" / folder).mkdir(parents=True)
            named = ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec slurmd -D -N "$0"', name]
            self.daemon(name, named, cpu=node)
        wait_for("idle nodes", self.idle, 30)

    @staticmethod
    def furnish(nodes: int) -> None:
        """Makes the files and host names that these namespaces have for themselves."""
        call("mount", "-t", "tmpfs", "tmpfs", LAB)
        call("mount", "-t", "tmpfs", "tmpfs", "/dev/shm")
        LAB.chmod(0o755)
        (LAB / "state").mkdir()
        names = ["localhost", "head", *(f"node{node}" for node in range(nodes))]
        (LAB / "hosts").write_text(f"127.0.0.1 {' '.join(names)}\n")
        call("mount", "--bind", LAB / "hosts", "/etc/hosts")

    def munge(self) -> None:
        secret = LAB / "munge"
        secret.mkdir(mode=0o700)
        key = secret / "key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(128))
        self.daemon(
            "munged",
            ["munged", "--foreground", "--force", f"--key-file={key}",
             f"--socket={LAB / 'munge.socket'}", f"--pid-file={LAB / 'munged.pid'}",
             f"--log-file={LAB / 'munged.log'}", f"--seed-file={secret / 'seed'}"],
        )  # fmt: skip
        wait_for("munged", (LAB / "munge.socket").exists, 10)

    @staticmethod
    def daemon(name: str, command: list[str], cpu: int | None = None) -> None:
        """Starts a daemon, with a processor of its own as far as there are enough."""

        def bind() -> None:
            if cpu is not None:
                all_cpus = sorted(os.sched_getaffinity(0))
                os.sched_setaffinity(0, {all_cpus[cpu % len(all_cpus)]})

        with (LAB / f"{name}.out").open("wb") as output:
            streams = {"stdin": subprocess.DEVNULL, "stdout": output, "stderr": output}
            subprocess.Popen(command, preexec_fn=bind, **streams)

    def idle(self) -> bool:
        counted = subprocess.run(
            ["sinfo", "-h", "-t", "idle", "-o", "%D"], capture_output=True, text=True
        )
        return counted.stdout.strip() == str(self.nodes)

    @staticmethod
    def state(job: str) -> str:
        """RUNNING, PENDING, COMPLETED ...; the first state of an array that is not COMPLETED."""
        states = call("squeue", "-h", "-t", "all", "-r", "-j", job, "-o", "%T").split()
        if not states:  # between two states it may be in none
            return "UNKNOWN"
        return next((each for each in states if each != "COMPLETED"), "COMPLETED")

    def wait(self, job: str, seconds: float) -> str:
        """Waits for the job's end, however often it is requeued, and returns its state."""
        last = ""

        def through() -> bool:
            nonlocal last
            last = self.state(job)
            return last in ENDS

        wait_for(f"end of job {job}", through, seconds)
        return last


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    enter()
    Slurm(nodes=int(sys.argv[1]), cpus=int(sys.argv[2]))
    sys.exit(subprocess.run(sys.argv[3:]).returncode)
