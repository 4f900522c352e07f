# SPDX-License-Identifier: BSD-3-Clause
"""Legal calls that a library gets wrong as it comes, without any table: no program of that library
can make them, so a table is not to be blamed for them. Found by shrink.py on each version.
"""
from steps import BASES, KINDS, Call, Make


def negative_lower_bound(call):
    return any(KINDS[kind][1] < 0 for kind in call.send + call.recv)


def call(holds):
    """A statement about calls, of every step and what is under way."""
    return lambda step, under_way: isinstance(step, Call) and holds(step)


def copied_meanwhile(comm, under_way):
    """Whether an idup of the communicator is under way."""
    return any(isinstance(other, Make) and other.source == comm for other in under_way)


def called_meanwhile(step, under_way):
    return (isinstance(step, Call) and step.mode != "blocking"
            and copied_meanwhile(step.comm, under_way))


def made_meanwhile(step, under_way):
    return isinstance(step, Make) and copied_meanwhile(step.source, under_way)


MPICH = [
    ("persistent: nothing arrives",
     call(lambda call: call.collective in ("gather", "scatter") and call.mode == "persistent")),
    ("long messages into datatypes that differ by rank: truncated",
     call(lambda call: call.collective == "allgatherv" and len(set(call.recv)) > 1
      and BASES[call.base] * sum(call.counts) * -(-8 // len(call.counts)) > 80_000)),
    ("an operation that doesn't commute, on a negative lower bound: wrong results",
     call(lambda call: call.collective.startswith("reduce_scatter") and call.op == "user_affine"
     and negative_lower_bound(call))),
]
MPICH_4_0 = [
    *MPICH,
    ("persistent: nothing arrives",
     call(lambda call: call.collective == "allgather" and call.mode == "persistent")),
    ("in place at a root that isn't the first rank: crashes",
     call(lambda call: call.collective == "reduce" and call.in_place and call.root > 0)),
    ("MPI_DOUBLE_INT: long messages are truncated",
     call(lambda call: call.base == "double_int" and sum(call.counts) > 50)),
    ("not blocking and in place: truncated, or persistent and wrong",
     call(lambda call: call.collective == "alltoallw" and call.mode != "blocking"
     and call.in_place)),
]
OPEN_MPI = [
    ("not blocking while an idup of the communicator is under way: one gets the other's messages",
     called_meanwhile),
    ("on a negative lower bound: long messages crash",
     call(lambda call: call.collective == "allreduce" and negative_lower_bound(call))),
    ("not blocking, on a negative lower bound: overwrites memory",
     call(lambda call: call.collective == "reduce" and call.mode != "blocking"
          and negative_lower_bound(call))),
    ("not blocking and in place, with nothing for oneself or others: hangs",
     call(lambda call: call.collective in ("alltoallv", "alltoallw")
          and call.mode == "nonblocking" and call.in_place)),
    ("datatypes that differ by rank: ranks run different algorithms",
     call(lambda call: call.collective == "allgatherv"
     and len(set(call.send)) + len(set(call.recv)) > 2)),
]
OPEN_MPI_4_1 = [
    *OPEN_MPI,
    ("another communicator is made of one while an idup of it is under way: hangs now and then",
     made_meanwhile),
]
OPEN_MPI_6_0 = [
    *OPEN_MPI,
    ("persistent and in place, with nothing for oneself or others: hangs",
     call(lambda call: call.collective in ("alltoallv", "alltoallw")
          and call.mode == "persistent" and call.in_place)),
]
FAULTS = {
    "MPICH 4.0": MPICH_4_0,
    "MPICH 4.2": MPICH,
    "MPICH 5.0": MPICH,
    "Open MPI 4.1": OPEN_MPI_4_1,
    "Open MPI 5.0": OPEN_MPI,
    "Open MPI 6.0": OPEN_MPI_6_0,
}


def avoided(version):
    """@param version  "MPICH 4.0.2"
    @return  of a step and of those under way: whether the library gets it wrong itself"""
    faults = [fails for of, rows in FAULTS.items() if version.startswith(of + ".")
              for _, fails in rows]
    return lambda step, under_way: any(fails(step, under_way) for fails in faults)
