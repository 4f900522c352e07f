# SPDX-License-Identifier: BSD-3-Clause
"""An outside tool that knows the JSON contract of docs/files.md and nothing else of the project
accepts what `breakeven schedule` prints, and finds what is wrong with what was tampered with."""

import collections
import copy
import json
import re
import unittest

from support import ProgramTest

Cell = tuple[int, frozenset[int]]  # (block, ranks whose contributions are in it)
REGULAR = {
    "allgatherv": "allgather",
    "alltoallv": "alltoall",
    "alltoallw": "alltoall",
    "gatherv": "gather",
    "reduce_scatter": "reduce_scatter_block",
    "scatterv": "scatter",
}
REDUCING = {"allreduce", "exscan", "reduce", "reduce_scatter_block", "scan"}
COLLECTING = {"allgather", "gather"}
ROOTED = {"bcast", "gather", "reduce", "scatter"}
# `schedule prove` proves every p; this is about what is printed.
PROCS = (2, 3, 4, 5, 6, 7, 8, 12, 13, 16, 17, 24, 33)


def regular(collective: str) -> str:
    return REGULAR.get(collective, collective)


class Wrong(Exception):
    pass


def shares(document: dict, rank: int, output: bool) -> range:
    """The blocks that a rank's input or output holds."""
    blocks, procs = document["blocks"], document["procs"]
    everything, nothing = range(blocks), range(0)
    mine = range(rank * blocks // procs, (rank + 1) * blocks // procs)
    at_root = everything if rank == document["root"] else nothing
    return {
        "allreduce": (everything, everything),
        "alltoall": (everything, everything),
        "scan": (everything, everything),
        "exscan": (everything, nothing if rank == 0 else everything),
        "reduce": (everything, at_root),
        "reduce_scatter_block": (everything, mine),
        "allgather": (mine, everything),
        "barrier": (nothing, nothing),
        "gather": (mine, at_root),
        "scatter": (at_root, mine),
        "bcast": (at_root, everything),
    }[regular(document["collective"])][output]


class Checker:
    def __init__(self, document: dict) -> None:
        self.document = document
        self.procs = document["procs"]
        self.rounds = [rank["rounds"] for rank in document["ranks"]]
        self.memory: list[dict[tuple[str, int], Cell]] = [
            {("input", i): (block, frozenset([r])) for i, block in enumerate(shares(document, r, False))}
            for r in range(self.procs)
        ]
        self.next = [0] * self.procs
        self.posted = [False] * self.procs
        self.sends: dict = collections.defaultdict(collections.deque)
        self.recvs: dict = collections.defaultdict(collections.deque)
        self.open = [0] * self.procs
        # Of a barrier: the ranks known to have begun, and those that the round's messages report.
        self.heard = [{rank} for rank in range(self.procs)]
        self.telling: list[set[int]] = [set()] * self.procs

    def read(self, rank: int, place: list, count: int) -> list[Cell]:
        try:
            return [self.memory[rank][place[0], place[1] + i] for i in range(count)]
        except KeyError as key:
            raise Wrong(f"rank {rank} reads {key}, which is empty") from None

    def write(self, rank: int, place: list, cells: list[Cell]) -> None:
        if place[0] == "input":
            raise Wrong(f"rank {rank} writes its input")
        for i, cell in enumerate(cells):
            self.memory[rank][place[0], place[1] + i] = cell

    def post(self, rank: int) -> None:
        comm = self.rounds[rank][self.next[rank]].get("comm", [])
        self.open[rank] = 0
        self.posted[rank] = True
        self.telling[rank] = set(self.heard[rank])
        runs: list[tuple[str, dict]] = []
        for step in comm:
            ((kind, run),) = step.items()
            runs.append((kind, run))
            if run.get("more"):
                continue
            partner = "to" if kind == "send" else "source"
            if len({(kind, run[partner]) for kind, run in runs}) != 1:
                raise Wrong(f"rank {rank} has a message of several kinds")
            message = [run for _, run in runs]
            if kind == "send":
                self.sends[rank, run["to"]].append(message)
            else:
                self.recvs[run["source"], rank].append(message)
            self.open[rank] += 1
            runs = []
        if runs:
            raise Wrong(f"rank {rank} has a message without an end")

    def transfer(self) -> bool:
        moved = False
        for (source, to), queue in self.sends.items():
            while queue and self.recvs[source, to]:
                sent, received = queue.popleft(), self.recvs[source, to].popleft()
                cells = [cell for run in sent for cell in self.read(source, run["from"], run["count"])]
                if len(cells) != sum(run["count"] for run in received):
                    raise Wrong("a message has two lengths")
                for run in received:
                    self.write(to, run["into"], cells[: run["count"]])
                    cells = cells[run["count"] :]
                self.heard[to] |= self.telling[source]
                self.open[source] -= 1
                self.open[to] -= 1
                moved = True
        return moved

    def work(self, rank: int) -> None:
        for step in self.rounds[rank][self.next[rank]].get("local", []):
            if "copy" in step:
                copied = step["copy"]
                self.write(rank, copied["into"], self.read(rank, copied["from"], copied["count"]))
                continue
            reduce = step["reduce"]
            sums = []
            for a, b in zip(
                self.read(rank, reduce["a"], reduce["count"]), self.read(rank, reduce["b"], reduce["count"])
            ):
                if a[0] != b[0] or a[1] & b[1]:
                    raise Wrong(f"rank {rank} reduces {a} with {b}")
                sums.append((a[0], a[1] | b[1]))
            self.write(rank, reduce["into"], sums)

    def run(self) -> None:
        progress = True
        while progress:
            progress = False
            for rank in range(self.procs):
                if self.next[rank] < len(self.rounds[rank]) and not self.posted[rank]:
                    self.post(rank)
                    progress = True
            progress = self.transfer() or progress
            for rank in range(self.procs):
                if self.posted[rank] and self.open[rank] == 0:
                    self.work(rank)
                    self.next[rank] += 1
                    self.posted[rank] = False
                    progress = True
        if any(self.next[r] < len(self.rounds[r]) for r in range(self.procs)):
            raise Wrong("deadlock")
        self.check_result()

    def check_result(self) -> None:
        collective = regular(self.document["collective"])
        everyone = frozenset(range(self.procs))
        for rank in range(self.procs):
            if collective == "barrier" and self.heard[rank] != everyone:
                raise Wrong(f"rank {rank} leaves the barrier before all have come")
            wanted = shares(self.document, rank, True)
            for i, block in enumerate(wanted):
                share = self.document["blocks"] // self.procs
                ranks = {
                    "scan": frozenset(range(rank + 1)),
                    "exscan": frozenset(range(rank)),
                    "alltoall": frozenset([i // max(share, 1)]),
                }.get(collective, everyone)
                if collective == "alltoall":  # the blocks of each rank for this one
                    block = rank * share + i % share
                elif collective not in REDUCING:
                    owner = block * self.procs // self.document["blocks"]
                    ranks = frozenset([owner if collective in COLLECTING else self.document["root"]])
                if self.read(rank, ["output", i], 1) != [(block, ranks)]:
                    raise Wrong(f"rank {rank} ends with a wrong output {i}")


class ScheduleJson(ProgramTest):
    def dump(self, what: str, procs: int, root: int = 0, more: tuple[str, ...] = ()) -> dict:
        run = self.breakeven(
            *("schedule", what, "--procs", str(procs), "--root", str(root), "--format", "json", *more)
        )
        return json.loads(run.stdout)

    def algorithms(self) -> list[tuple[str, str]]:
        """(COLLECTIVE/ALGORITHM, requirement) of every row of the list that isn't of a cost at a p."""
        lines = self.breakeven("schedule", "list").stdout.splitlines()
        rows = [line for line in lines if re.match(r"\w+/", line)]
        return [(row.split()[0], row) for row in rows if not row.split()[1].isdigit()]

    def test_every_algorithm_does_what_its_collective_asks(self) -> None:
        checked = 0
        for what, line in self.algorithms():
            for procs in PROCS:
                if ("power of two" in line and procs & (procs - 1)) or ("p even" in line and procs % 2):
                    continue
                for root in {0, procs - 1} if what.split("/")[0] in ROOTED else {0}:
                    with self.subTest(what=what, procs=procs, root=root):
                        Checker(self.dump(what, procs, root)).run()
                        checked += 1
        self.assertGreater(checked, 400)

    def test_an_irregular_collective_has_the_schedules_of_the_regular_one(self) -> None:
        for irregular, collective in REGULAR.items():
            for what, line in self.algorithms():
                if what.split("/")[0] != collective or "power of two" in line or "p even" in line:
                    continue
                name = f"{irregular}/{what.split('/')[1]}"
                direct = what.split("/")[1] in ("linear", "pairwise")
                if collective == "alltoall" and not direct:
                    continue  # ranks pass on blocks of others
                with self.subTest(what=name):
                    document = self.dump(name, 5)
                    self.assertEqual(document["collective"], irregular)
                    Checker(document).run()

    def test_rewritten_schedules_do_what_their_collective_asks(self) -> None:
        for what in (
            "allreduce/ring:reorder_ranks=seq",
            "allgather/bruck:reorder_ranks=rr",
            "scatter/binomial:reorder_ranks=3,0,5,2,4,1",
            "reduce_scatter_block/circulant:reorder_ranks=5,4,3,2,1,0",
            "bcast/binomial:segments=4",
            "scan/chain:segments=4",
            "alltoall/bruck:reorder_ranks=rr",
            "alltoall/hierarchical:reorder_ranks=5,3,1,0,2,4",
        ):
            with self.subTest(what=what):
                document = self.dump(what, 6, more=("--procs-per-node", "3"))
                name, _, value = what.split(":")[1].partition("=")
                self.assertEqual(document["params"], {name: value})
                Checker(document).run()

    def test_the_head_says_what_it_is(self) -> None:
        document = self.dump("allreduce/halving_doubling", 13)
        head = {key: value for key, value in document.items() if key != "ranks"}
        self.assertEqual(
            head,
            {
                "format": "breakeven-schedule-1",
                "collective": "allreduce",
                "algorithm": "halving_doubling",
                "params": {},
                "procs": 13,
                "root": None,
                "blocks": 8,
            },
        )
        self.assertEqual([rank["rank"] for rank in document["ranks"]], list(range(13)))

    def test_the_checker_finds_what_is_wrong(self) -> None:
        good = self.dump("allreduce/halving_doubling", 6)
        Checker(good).run()
        for rank in range(6):
            for number in range(len(good["ranks"][rank]["rounds"])):
                bad = copy.deepcopy(good)
                bad["ranks"][rank]["rounds"][number].pop("comm", None)
                with self.subTest(rank=rank, round=number), self.assertRaises(Wrong):
                    Checker(bad).run()


if __name__ == "__main__":
    unittest.main()
