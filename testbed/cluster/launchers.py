# SPDX-License-Identifier: BSD-3-Clause
"""Tells the launchers of MPI libraries, by their own variables, where the nodes are.

A program that starts MPI jobs then runs as on a cluster's head, and needs no change.
"""
from __future__ import annotations

import os
from pathlib import Path

from links import DEVICE
from node import Node

# A batch system's allocation would win over our nodes.
FOREIGN = ("SLURM_", "PBS_", "FLUX_", "PMI_", "PMIX_")


def write_host_files(folder: Path, nodes: list[Node]) -> None:
    """Writes the files that the agent and the variables below name."""
    for node in nodes:
        (folder / f"{node.name}.pid").write_text(f"{node.pid}\n")
    # With one slot on each node Open MPI shares any number of ranks out evenly.
    (folder / "hosts.openmpi").write_text("".join(f"{each.name} slots=1\n" for each in nodes))
    (folder / "hosts.mpich").write_text("".join(f"{each.name}\n" for each in nodes))


def environment(folder: Path, agent: Path) -> dict[str, str]:
    """The environment of this process, with the variables about the nodes."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(FOREIGN)}
    return {**kept, **_open_mpi(folder, agent), **_mpich(folder, agent)}


def _open_mpi(folder: Path, agent: Path) -> dict[str, str]:
    """@see mpirun(1) and ompi_info(1) of Open MPI 4.1, prte_info(1) of 5.0"""
    settings = {
        "plm": "rsh",
        "plm_rsh_agent": str(agent),
        "plm_rsh_no_tree_spawn": "1",  # a node can't start processes on another one
        "orte_default_hostfile": str(folder / "hosts.openmpi"),
        "rmaps_base_oversubscribe": "1",
        # A killed mpirun must not leave its session in the host's /tmp.
        "orte_tmpdir_base": str(folder),
        "pml": "ob1",
        "btl": "self,vader,tcp",
        "btl_tcp_if_include": DEVICE,
        "oob_tcp_if_include": DEVICE,
        # Nodes share the cores here; by itself Open MPI yields only with more ranks than slots.
        "mpi_yield_when_idle": "1",
        # Each node's daemon would bind its ranks to the first cores.
        "hwloc_base_binding_policy": "none",
    }
    # From 5.0 on its launcher, PRRTE, has settings of its own.
    launcher = {
        "plm": "ssh",
        "plm_ssh_agent": str(agent),
        "plm_ssh_no_tree_spawn": "1",
        "prte_default_hostfile": str(folder / "hosts.openmpi"),
        "prte_tmpdir_base": str(folder),
        "hwloc_default_binding_policy": "none",
    }
    consent = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return {
        **{f"OMPI_MCA_{name}": value for name, value in settings.items()},
        **{f"PRTE_MCA_{name}": value for name, value in launcher.items()},
        **consent,
    }


def _mpich(folder: Path, agent: Path) -> dict[str, str]:
    """@see mpiexec(1) of MPICH's Hydra; UCX's variables reach the ranks by way of it"""
    return {
        "HYDRA_LAUNCHER": "ssh",
        "HYDRA_LAUNCHER_EXEC": str(agent),
        "HYDRA_HOST_FILE": str(folder / "hosts.mpich"),
        "UCX_TLS": "tcp,self,sm",  # sm: any shared memory, which a node has with itself alone
        "UCX_NET_DEVICES": DEVICE,
    }
