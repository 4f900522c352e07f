# SPDX-License-Identifier: BSD-3-Clause
"""Steps of a program of legal MPI calls, small enough to be generated, shrunk and read.

A step is a value. expand.py turns it into each rank's arguments and results.
"""
import dataclasses

# How elements lie in one item of a datatype: places of its elements, lower bound, extent.
KINDS = {
    "plain": ((0,), 0, 1),
    "pair": ((0, 1), 0, 2),
    "triple": ((0, 1, 2), 0, 3),
    "gaps": ((0,), 0, 3),
    "holes": ((0, 2), 0, 3),
    "below": ((-1, -3), -4, 4),       # a negative lower bound, and backwards
    "column": ((0, 64), 0, 1),        # items interlock: at most 64 of them
}
BASES = {"signed_char": 1, "short": 2, "int": 4, "long": 8, "float": 4, "double": 8,
         "double_int": 16}

# The kinds of collectives, in MPI's words.
ROOTED = {"bcast", "gather", "gatherv", "reduce", "scatter", "scatterv"}
REDUCING = {"allreduce", "exscan", "reduce", "reduce_scatter", "reduce_scatter_block", "scan"}
IRREGULAR = {"allgatherv", "alltoallv", "alltoallw", "gatherv", "reduce_scatter", "scatterv"}
COLLECTIVES = sorted(ROOTED | REDUCING | IRREGULAR | {"allgather", "alltoall", "barrier"})
NEVER_IN_PLACE = {"barrier", "bcast"}


@dataclasses.dataclass(frozen=True)
class Make:
    """A communicator from another one: dup, idup, split, reverse, create or create_group."""
    comm: str
    source: str
    how: str
    colours: int = 1          # of a split, dealt out by rank
    members: tuple = ()       # ranks of the source, of create and create_group
    until: int = 0            # steps that begin before an idup is waited for


@dataclasses.dataclass(frozen=True)
class Free:
    comm: str


@dataclasses.dataclass(frozen=True)
class Call:
    """Lists are dealt out over ranks, or over blocks, from their beginning again at their end."""
    collective: str
    comm: str = "w"
    mode: str = "blocking"    # or nonblocking, persistent
    until: int = 0            # steps that begin before a nonblocking one is waited for
    counts: tuple = (1,)      # elements of each block, or of the vector
    send: tuple = ("plain",)  # the kind of datatype that each rank sends
    recv: tuple = ("plain",)  # and receives
    base: str = "int"
    op: str = ""
    root: int = 0
    in_place: bool = False
    apart: bool = False       # blocks lie apart and backwards, where displacements are given
    junk: int = 0             # what arguments hold that MPI ignores: 0 nothing, else nonsense
    seed: int = 1             # of the data


def comms_needed(step):
    """The communicators that must be there before a step."""
    return {step.source} if isinstance(step, Make) else {step.comm}
