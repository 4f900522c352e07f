# SPDX-License-Identifier: BSD-3-Clause
"""Random programs of calls that MPI permits. The same seed gives the same program."""
import dataclasses
import math
import random

from expand import World
from steps import (COLLECTIVES, IRREGULAR, KINDS, NEVER_IN_PLACE, REDUCING, ROOTED, Call, Free,
                   Make, comms_needed)

LARGEST = 40_000   # elements that a rank sends or receives in one call
MOST_COMMS = 6
# How often calls are blocking, nonblocking and persistent in a program that has one form above all.
FORMS = {"blocking": [16, 3, 1], "nonblocking": [2, 6, 2]}


class Generator:
    def __init__(self, seed, procs, avoid, collectives, form):
        self.random = random.Random(f"{seed} of {procs}")
        self.world = World(procs)
        self.avoid = avoid
        self.collectives = collectives
        self.weights = FORMS[form]
        self.under_way = []  # steps that are not waited for yet
        self.idup_ends = 0  # the step before which the last one is waited for
        self.steps = []

    def program(self, length):
        while len(self.steps) < length:
            at = len(self.steps)
            self.under_way = [(until, step) for until, step in self.under_way if until >= at]
            step = self.communicator() if self.random.random() < 0.06 else self.call()
            if self.avoid(step, [other for _, other in self.under_way]):
                continue
            self.world.expand(step)
            self.steps.append(step)
            if getattr(step, "until", 0) > 0:
                self.under_way.append((at + step.until, step))
        return self.steps

    def communicator(self):
        pick = self.random
        made = [comm for comm in self.world.groups if comm != "w"]
        if len(made) >= MOST_COMMS or (made and pick.random() < 0.3):
            # Open MPI crashes where one is freed on which something is under way.
            busy = {comm for _, step in self.under_way for comm in {step.comm} | comms_needed(step)}
            free = [comm for comm in made if comm not in busy]
            if free:
                return Free(pick.choice(free))
        taken = set(made)
        comm = next(f"c{n}" for n in range(1, 99) if f"c{n}" not in taken)
        source = pick.choice(list(self.world.groups))
        how = pick.choice(["dup", "dup", "idup", "idup", "split", "reverse", "create",
                           "create_group"])
        if how == "idup" and self.idup_ends >= len(self.steps):
            how = "dup"   # Open MPI 4.1 hangs in two at a time
        until = pick.randint(1, 4) if how == "idup" else 0
        self.idup_ends = max(self.idup_ends, len(self.steps) + until)
        procs = self.world.procs
        return Make(comm, source, how,
                    colours=pick.randint(1, procs) if how == "split" else 1,
                    members=tuple(sorted(pick.sample(range(procs), pick.randint(1, procs))))
                    if how.startswith("create") else (),
                    until=until)

    def call(self):
        pick = self.random
        collective = pick.choice(self.collectives)
        comm = pick.choice(list(self.world.groups))
        mode = pick.choices(["blocking", "nonblocking", "persistent"], self.weights)[0]
        until = pick.randint(1, 4) if mode == "nonblocking" else 0
        call = Call(collective, comm, mode, until, seed=pick.randrange(1 << 16))
        if collective == "barrier":
            return call
        if collective in REDUCING:
            call = self.operation(call)
        else:
            call = dataclasses.replace(call, send=self.kinds(collective),
                                       recv=self.kinds(collective),
                                       base=pick.choice(["signed_char", "int", "int", "double",
                                                         "short", "double_int"]))
        procs = self.world.procs
        return self.sized(dataclasses.replace(
            call, root=pick.randrange(procs) if collective in ROOTED else 0,
            in_place=collective not in NEVER_IN_PLACE and pick.random() < 0.25,
            apart=collective in IRREGULAR and collective not in REDUCING and pick.random() < 0.3,
            junk=pick.choice([0, 0, 1, 2, 3])))

    def kinds(self, collective):
        """Of each rank; alltoallw's places would have columns overlap."""
        if self.random.random() < 0.4:
            return ("plain",)
        known = sorted(set(KINDS) - ({"column"} if collective == "alltoallw" else set()))
        return tuple(self.random.choices(known, k=self.random.choice([1, 1, 2, 3])))

    def operation(self, call):
        pick = self.random
        kind = "plain"
        if pick.random() < 0.25:
            base, op, kind = "int", "user_affine", pick.choice(["pair", "holes", "below"])
        elif pick.random() < 0.2:
            base, op, kind = pick.choice(["int", "double"]), "user_sum", pick.choice(sorted(KINDS))
        elif pick.random() < 0.1:
            base, op = "double_int", pick.choice(["maxloc", "minloc"])
        else:
            base = pick.choice(["signed_char", "short", "int", "int", "long", "float", "double"])
            op = pick.choice(["sum", "sum", "max", "min", "prod"] if base in ("float", "double")
                             else ["sum", "max", "min", "band", "bor", "bxor", "land"])
        return dataclasses.replace(call, base=base, op=op, send=(kind,), recv=(kind,))

    def sized(self, call):
        """Counts that every rank's datatype divides."""
        pick = self.random
        procs = self.world.procs
        kinds = set(call.send) | set(call.recv)
        whole = math.lcm(*(len(KINDS[kind][0]) for kind in kinds))
        number = pick.choice([1, 2, procs]) if call.collective in IRREGULAR else 1
        scale = pick.choice([0, 1, 2, 4, 9, 20, 60, 200, 700, 2000, 8000])
        counts = [scale] if number == 1 else [pick.randint(0, scale) for _ in range(number)]
        if number > 1 and pick.random() < 0.3:   # one rank has it all
            counts = [0] * number
            counts[pick.randrange(number)] = scale
        most = LARGEST // procs if call.collective not in ("bcast", "allreduce") else LARGEST
        counts = [min(each, most // whole) * whole for each in counts]
        if "column" in kinds:                    # whose items interlock
            counts = [min(each, 40 // procs // whole * whole) for each in counts]
            call = dataclasses.replace(call, apart=False)
        return dataclasses.replace(call, counts=tuple(counts))


def program(seed, procs, length, avoid=lambda step, under_way: False, collectives=COLLECTIVES,
            form="blocking"):
    """@param form  of most calls
       @param avoid  of a step and of those not yet waited for: whether the library gets it wrong
                  itself"""
    return Generator(seed, procs, avoid, collectives, form).program(length)
