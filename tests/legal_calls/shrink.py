# SPDX-License-Identifier: BSD-3-Clause
"""Makes a failing program small: fewer steps, fewer ranks, plainer calls."""
import dataclasses
import math

from steps import KINDS, Call, Free, Make, comms_needed


def shrink(program, procs, fails):
    """@param fails  (program, procs) -> a Failure, or None
    @return (program, procs, failure) in which nothing can be left out or made plainer"""
    failure = fails(program, procs)
    if failure is None:
        return program, procs, None
    program = program[:failure.line] or program
    before = None
    while (program, procs) != before:
        before = program, procs
        program = fewer_steps(program, lambda smaller, ranks=procs: fails(smaller, ranks))
        procs = next((ranks for ranks in range(2, procs) if fails(program, ranks)), procs)
        program = plainer(program, lambda smaller, ranks=procs: fails(smaller, ranks))
    return program, procs, fails(program, procs) or failure


def fewer_steps(program, fails):
    """Leaves out stretches, the longest first, from what fails on backwards."""
    size = len(program)
    while size > 0:
        end = len(program) - (1 if size > 1 else 0)
        while end > 0:
            begin = max(0, end - size)
            rest = usable(program[:begin] + program[end:])
            if rest and fails(rest):
                program = rest
            end = begin
        size //= 2
    return program


def plainer(program, fails):
    for at in range(len(program)):
        trying = True
        while trying and at < len(program):
            trying = False
            for step in plainer_steps(program[at]):
                smaller = usable(program[:at] + [step] + program[at + 1:])
                if fails(smaller):
                    program, trying = smaller, True
                    break
    return program


def usable(program):
    """Without the steps whose communicator is not made."""
    there, kept = {"w"}, []
    for step in program:
        if comms_needed(step) <= there:
            kept.append(step)
            if isinstance(step, Make):
                there.add(step.comm)
            elif isinstance(step, Free):
                there.remove(step.comm)
    return kept


def plainer_steps(step):
    if isinstance(step, Make):
        if step.how != "dup":
            yield Make(step.comm, step.source, "dup")
        if step.until > 1:
            yield dataclasses.replace(step, until=step.until - 1)
        return
    if not isinstance(step, Call):
        return
    usual = Call(step.collective)
    kinds = set(step.send) | set(step.recv)
    whole = math.lcm(*(len(KINDS[kind][0]) for kind in kinds))
    for name in ("comm", "mode", "until", "in_place", "apart", "junk", "root", "op", "send", "recv",
                 "base", "seed"):
        value = getattr(usual, name)
        if name == "op" and step.op:
            value = "sum"
        if getattr(step, name) != value:
            changed = dataclasses.replace(step, **{name: value})
            if legal(changed):
                yield changed
    for name in ("send", "recv"):
        row = getattr(step, name)
        for at, kind in enumerate(row):
            for plainer in (row[:at] + row[at + 1:], row[:at] + ("plain",) + row[at + 1:]):
                changed = dataclasses.replace(step, **{name: plainer})
                if plainer and plainer != row and legal(changed):
                    yield changed
    for counts in plainer_counts(step.counts, whole):
        yield dataclasses.replace(step, counts=counts)
    if step.junk > 1:
        yield dataclasses.replace(step, junk=1)


def legal(call):
    """Whether a plainer step is still legal: operations know only some elements and datatypes."""
    if not call.op:
        return True
    if call.send != call.recv:
        return False
    if call.op == "user_affine":
        return call.base == "int" and len(KINDS[call.send[0]][0]) == 2
    if call.op in ("maxloc", "minloc"):
        return call.base == "double_int" and call.send == ("plain",)
    return call.base != "double_int" and (call.op == "user_sum" or call.send == ("plain",))


def plainer_counts(counts, whole):
    if len(counts) > 1:
        yield counts[:1]
        yield counts[:-1]
    for at, count in enumerate(counts):
        for less in (0, whole, count // 2 // whole * whole, count // 8 * 7 // whole * whole):
            if less < count:
                yield counts[:at] + (less,) + counts[at + 1:]
