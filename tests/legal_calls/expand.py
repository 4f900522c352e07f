# SPDX-License-Identifier: BSD-3-Clause
"""Each collective by MPI's standard: the arguments of a step on each rank, the content of its
buffers before, and their required content after. player.cpp plays this module's output.

A row of a buffer is [index of its type, first place in that type's extents, items, content].
A content is ["value", from, to, offset]: elements of the block that one rank has for another;
["fold", ranks, offset]: elements reduced over the first ranks; or None, which MPI leaves open.
"""
from steps import BASES, IRREGULAR, KINDS, REDUCING, ROOTED, Call, Free, Make


class World:
    """Which ranks of MPI_COMM_WORLD are together in each communicator."""

    def __init__(self, procs):
        self.procs = procs
        self.groups = {"w": [tuple(range(procs))] * procs}

    def expand(self, step):
        """A JSON value of player.cpp's."""
        if isinstance(step, Free):
            del self.groups[step.comm]
            return {"step": "free", "comm": step.comm}
        if isinstance(step, Make):
            least = min(len(group) for group in self.groups[step.source] if group)
            members = [each for each in step.members if each < least] or [0]
            self.groups[step.comm] = [
                None if group is None else part(step, members, group, rank)
                for rank, group in enumerate(self.groups[step.source])]
            return {"step": "make", "comm": step.comm, "from": step.source, "how": step.how,
                    "colours": step.colours, "until": step.until,
                    "members": members}
        ranks = [None if group is None else rank_of(step, len(group), group.index(rank))
                 for rank, group in enumerate(self.groups[step.comm])]
        return {"step": "call", "comm": step.comm, "collective": step.collective,
                "mode": step.mode, "until": step.until, "base": step.base, "op": step.op,
                "seed": step.seed, "ranks": ranks}


def part(step, members, group, rank):
    """The ranks, in order, with which a rank is in a communicator made of its group."""
    if step.how == "split":
        return tuple(group[at] for at in range(group.index(rank) % step.colours, len(group),
                                               step.colours))
    if step.how == "reverse":
        return group[::-1]
    if step.how in ("dup", "idup"):
        return group
    together = tuple(group[at] for at in members)
    return together if rank in together else None


class Side:
    """One side of a rank's arguments."""

    def __init__(self, kinds, buffer="here"):
        self.kinds = list(kinds)
        self.buffer = buffer
        self.counts, self.places, self.before, self.after = [], [], [], []

    def items(self, elements, at=0):
        return elements // len(KINDS[self.kinds[at]][0])

    def row(self, place, elements, content, at=0):
        return [at, place, self.items(elements, at), content]

    def json(self):
        types = [None if kind is None else
                 dict(zip(("places", "lower", "extent"), KINDS[kind])) for kind in self.kinds]
        return {"types": types, "counts": self.counts, "places": self.places,
                "before": self.before, "after": self.after, "buffer": self.buffer}


def ignored(step, me, blocks, buffer):
    """Arguments that MPI ignores."""
    if step.junk == 0:
        return Side([None], "in_place" if buffer == "in_place" else "null")
    kinds = sorted(KINDS)
    side = Side([kinds[(step.junk + me) % len(kinds)]] * blocks, buffer)
    # Small, or large enough that a rank that looks at them chooses otherwise than the others.
    count = (7 * step.junk + 13 * me) % 50 if step.junk % 2 else 5000 * ((step.junk + me) % 3)
    side.counts = [count] * blocks
    side.places = [(5 * step.junk + 3 * me) % 40] * blocks
    return side


def blocks_of(step, kinds, elements, contents):
    """A side of several blocks, one for each rank, as MPI's arguments for all of them have it."""
    several = step.collective == "alltoallw"
    side = Side(kinds)
    items = [side.items(each, at if several else 0) for at, each in enumerate(elements)]
    side.counts = items if step.collective in IRREGULAR else items[:1]
    order = range(len(items))
    if step.apart and step.collective in IRREGULAR:
        order = reversed(order)
    places, place = [0] * len(items), 0
    for at in order:
        extent = KINDS[side.kinds[at if several else 0]][2]
        if several:  # in elements, as types differ: a multiple of every extent
            place += -place % extent
            places[at] = place // extent
            place += items[at] * extent + (120 if step.apart else 12)
            continue
        places[at] = place
        place += items[at] + (2 if step.apart else 0)
    side.places = places
    if several:
        side.places = [place * KINDS[kind][2] * BASES[step.base]
                       for place, kind in zip(places, side.kinds)]
    side.after = [side.row(places[at], elements[at], contents[at], at if several else 0)
                  for at in range(len(items))]
    return side


def rank_of(step, procs, me):
    """The arguments of one rank among `procs`, and what its buffers hold."""
    root = step.root % procs
    send = step.send[me % len(step.send)]
    recv = step.recv[me % len(step.recv)]
    counts = [step.counts[at % len(step.counts)] for at in range(procs)]
    if step.collective not in IRREGULAR:
        counts = [counts[0]] * procs
    if step.collective == "barrier":
        sides = Side([None]), Side([None])
    elif step.collective in REDUCING:
        sides = reduction(step, procs, me, root, counts)
    elif step.collective == "bcast":
        side = single(recv, counts[0], ["value", root, 0, 0])
        if me == root:
            side.before = side.after
        sides = Side([None]), side
    elif step.collective.startswith("alltoall"):
        sides = exchange(step, procs, me)
    elif step.collective.startswith("allgather"):
        contents = [["value", rank, 0, 0] for rank in range(procs)]
        sides = (single(send, counts[me], contents[me]),
                 blocks_of(step, [recv], counts, contents))
        if step.in_place:
            sides[1].before = [sides[1].after[me]]
            sides = ignored(step, me, procs, "in_place"), sides[1]
    elif step.collective.startswith("gather"):
        contents = [["value", rank, 0, 0] for rank in range(procs)]
        sides = (single(send, counts[me], contents[me]),
                 blocks_of(step, [recv], counts, contents) if me == root
                 else ignored(step, me, procs, "here"))
        if step.in_place and me == root:
            sides[1].before = [sides[1].after[me]]
            sides = ignored(step, me, procs, "in_place"), sides[1]
    else:  # scatter, scatterv
        contents = [["value", root, rank, 0] for rank in range(procs)]
        sides = (blocks_of(step, [send], counts, contents) if me == root
                 else ignored(step, me, procs, "here"),
                 single(recv, counts[me], contents[me]))
        if step.in_place and me == root:
            sides = sides[0], ignored(step, me, procs, "in_place")
    for side in sides[:1]:  # what is sent stays as it is
        side.before = side.after
    return {"in": sides[0].json(), "out": sides[1].json(),
            "root": root if step.collective in ROOTED else 0}


def single(kind, elements, content):
    side = Side([kind])
    side.counts = [side.items(elements)]
    side.after = [side.row(0, elements, content)]
    return side


def exchange(step, procs, me):
    """Blocks from each rank to each, as large one way as the other where they are in place."""
    def elements(one, other):
        turn = one + other if step.in_place else one + 2 * other
        return step.counts[turn % len(step.counts) if step.collective in IRREGULAR else 0]

    def kinds(names):
        if step.collective != "alltoallw":
            return [names[me % len(names)]]
        return [names[(me + rank) % len(names)] for rank in range(procs)]
    sent = blocks_of(step, kinds(step.send), [elements(me, rank) for rank in range(procs)],
                     [["value", me, rank, 0] for rank in range(procs)])
    got = blocks_of(step, kinds(step.recv), [elements(rank, me) for rank in range(procs)],
                    [["value", rank, me, 0] for rank in range(procs)])
    if not step.in_place:
        return sent, got
    got.before = [row[:3] + [["value", me, rank, 0]] for rank, row in enumerate(got.after)]
    return ignored(step, me, procs, "in_place"), got


def reduction(step, procs, me, root, counts):
    """Operands and results have one datatype on all ranks."""
    kind = step.send[0]
    parts = step.collective.startswith("reduce_scatter")
    operand = single(kind, sum(counts) if parts else counts[0], ["value", me, 0, 0])
    first = sum(counts[:me]) if parts else 0
    ranks = {"scan": me + 1, "exscan": me}.get(step.collective, procs)
    result = single(kind, counts[me], ["fold", ranks, first] if ranks > 0 else None)
    if step.collective == "reduce_scatter":
        result.counts = [result.items(each) for each in counts]
    operand.counts = result.counts
    if step.collective == "reduce" and me != root:
        result.after = []
        if step.junk == 0:
            result.buffer = "null"
        return operand, result
    if step.in_place:
        result.before = operand.after
        if parts:  # MPI says nothing of the rest
            result.after = [row[:3] + [None] for row in operand.after] + result.after
        operand.after = []
        operand.buffer = "in_place"
    return operand, result
