# SPDX-License-Identifier: BSD-3-Clause
"""A small program as C, to be compiled and sent to whom it concerns."""
import re

from expand import World
from steps import Call, Make

C_TYPES = {"signed_char": "signed char", "short": "short", "int": "int", "long": "long",
           "float": "float", "double": "double"}
OPS = {"sum": "x + y", "user_sum": "x + y", "prod": "x * y", "max": "x > y ? x : y",
       "min": "x < y ? x : y", "band": "x & y", "bor": "x | y", "bxor": "x ^ y", "land": "x && y"}

HEAD = """\
/* A program that MPI permits. {why}
   mpicc this.c && mpiexec -n {procs} ./a.out
   Right: it ends by itself, with status 0. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef {c_type} element;
static int rank, wrong;

/* Element i of the block that one rank has for another. */
static element value(int from, int to, int i) {{ return (i * 7 + from * 5 + to * 3) % 11 + 1; }}

/* How elements lie in an item of a datatype. */
typedef struct {{ int size, places[3], lower, extent; MPI_Datatype type; }} layout;

static layout made(int size, int a, int b, int c, int lower, int extent) {{
  layout l = {{size, {{a, b, c}}, lower, extent, MPI_{mpi_type}}};
  MPI_Datatype tight;
  if (size == 1 && extent == 1) return l;
  MPI_Type_create_indexed_block(size, 1, l.places, MPI_{mpi_type}, &tight);
  MPI_Type_create_resized(tight, lower * (MPI_Aint)sizeof(element),
                          extent * (MPI_Aint)sizeof(element), &l.type);
  MPI_Type_commit(&l.type);
  return l;
}}

static element *room(void) {{ return (element *)calloc({room}, sizeof(element)) + {room} / 2; }}

static element *at(element *to, layout l, int first, int i) {{
  return to + (first + i / l.size) * l.extent + l.places[i % l.size];
}}

static void hold(element *to, layout l, int first, int items, int from, int by, int offset) {{
  for (int i = 0; i < items * l.size; ++i) *at(to, l, first, i) = value(from, by, offset + i);
}}

static void same(element is, element must, int i) {{
  if (is == must || wrong++) return;
  printf("rank %d: element %d is %g, not %g\\n", rank, i, (double)is, (double)must);
}}
"""

MOVED = """
static void expect(element *in, layout l, int first, int items, int from, int by, int offset) {
  for (int i = 0; i < items * l.size; ++i)
    same(*at(in, l, first, i), value(from, by, offset + i), i);
}
"""

REDUCED = """
static element apply(element x, element y) {{ return {apply}; }}

static void expect_reduced(element *in, layout l, int first, int items, int ranks, int offset) {{
  for (int i = 0; i < items * l.size; ++i) {{
    element all = value(0, 0, offset + i);
    for (int r = 1; r < ranks; ++r) all = apply(all, value(r, 0, offset + i));
    same(*at(in, l, first, i), all, i);
  }}
}}
"""

USER_SUM = """
static layout summed;
static void user_sum(void *in, void *out, int *items, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *items * summed.size; ++i) *at(out, summed, 0, i) += *at(in, summed, 0, i);
}
"""

# Of maps x -> a x + b, one after the other, of which an item holds a and b: they don't commute.
USER_AFFINE = """
static layout maps;
static void user_affine(void *in, void *out, int *items, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *items * 2; i += 2) {
    element *a = at(in, maps, 0, i), *b = at(in, maps, 0, i + 1);
    element *c = at(out, maps, 0, i), *d = at(out, maps, 0, i + 1);
    *d = *b * *c + *d;
    *c = *a * *c;
  }
}

static void expect_reduced(element *in, layout l, int first, int items, int ranks, int offset) {
  for (int i = 0; i < items * 2; i += 2) {
    element a = value(0, 0, offset + i), b = value(0, 0, offset + i + 1);
    for (int r = 1; r < ranks; ++r) {
      element c = value(r, 0, offset + i), d = value(r, 0, offset + i + 1);
      b = b * c + d;
      a = a * c;
    }
    same(*at(in, l, first, i), a, i);
    same(*at(in, l, first, i + 1), b, i + 1);
  }
}
"""


def c_program(program, procs, why=""):
    """None where a base has no C type of arithmetic, or calls have several.

    Calls block in it, an idup is waited for at once, and groups are made by MPI_Comm_split: what only
    goes wrong otherwise needs player.cpp.
    """
    calls = [step for step in program if isinstance(step, Call)]
    bases = {step.base for step in calls if step.collective != "barrier"} or {"int"}
    ops = {step.op for step in calls if step.op}
    if len(bases) > 1 or len(ops) > 1 or not bases <= set(C_TYPES) or not ops <= {*OPS,
                                                                                "user_affine"}:
        return None
    [base] = bases
    op = ops.pop() if ops else ""
    world = World(procs)
    body, names = [], {"w": "MPI_COMM_WORLD"}
    for step in program:
        body += made_step(step, world.expand(step), names)
    room = 4096 + 16 * sum(sum(step.counts) * procs for step in calls)
    text = HEAD.format(why=why, procs=procs, c_type=C_TYPES[base], room=room,
                       mpi_type=base.upper())
    if op == "user_affine":
        text += USER_AFFINE
    elif not op:
        text += MOVED
    else:
        text += (USER_SUM if op == "user_sum" else "") + REDUCED.format(apply=OPS[op])
    text += "\nint main(int argc, char **argv) {\n  MPI_Init(&argc, &argv);\n"
    text += "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    if op.startswith("user"):
        text += f"  MPI_Op op;\n  MPI_Op_create({op}, {int(op == 'user_sum')}, &op);\n"
    elif op:
        text += f"  MPI_Op op = MPI_{op.upper()};\n"
    return text + "".join(f"  {line}\n" for line in body) + (
        "  MPI_Finalize();\n  return wrong != 0;\n}\n")


def made_step(step, json, names):
    if json["step"] == "free":
        return [f"MPI_Comm_free(&{step.comm});"]
    if isinstance(step, Make):
        return made_comm(step, json, names)
    lines = []
    for rank, mine in enumerate(json["ranks"]):
        if mine is not None:
            lines += [f"if (rank == {rank}) {{", *("  " + line for line in
                                                   made_call(step, mine, names)), "}"]
    return lines


def made_comm(step, json, names):
    source = names[step.source]
    names[step.comm] = step.comm
    lines = [f"MPI_Comm {step.comm} = MPI_COMM_NULL;"]
    if step.how == "dup":
        return [*lines, f"MPI_Comm_dup({source}, &{step.comm});"]
    if step.how == "idup":
        return [*lines, f"MPI_Request of_{step.comm};",
                f"MPI_Comm_idup({source}, &{step.comm}, &of_{step.comm});",
                f"MPI_Wait(&of_{step.comm}, MPI_STATUS_IGNORE);"]
    colour = {"split": f"rank_in % {step.colours}", "reverse": "0"}.get(
        step.how, " || ".join(f"rank_in == {each}" for each in json["members"])
        + " ? 0 : MPI_UNDEFINED")
    key = "-rank_in" if step.how == "reverse" else "0"
    return [*lines, f"if ({source} != MPI_COMM_NULL) {{ int rank_in; "
            f"MPI_Comm_rank({source}, &rank_in); "
            f"MPI_Comm_split({source}, {colour}, {key}, &{step.comm}); }}"]


def made_call(step, mine, names):
    lines, sides = [], {}
    for name in ("in", "out"):
        side = mine[name]
        layouts = []
        for at, kind in enumerate(side["types"]):
            if kind is None:
                layouts.append("MPI_DATATYPE_NULL")
                continue
            places = [*kind["places"], 0, 0][:3]
            layouts.append(f"{name}_{at}.type")
            lines.append(f"layout {name}_{at} = made({len(kind['places'])}, "
                         f"{', '.join(map(str, places))}, {kind['lower']}, {kind['extent']});")
        buffer = {"here": f"{name}_at", "null": "NULL", "in_place": "MPI_IN_PLACE"}[side["buffer"]]
        if side["buffer"] == "here":
            lines.append(f"element *{name}_at = room();")
        for at, first, items, content in side["before"]:
            _, source, target, offset = content
            lines.append(f"hold({name}_at, {name}_{at}, {first}, {items}, {source}, {target}, "
                         f"{offset});")
        for what in ("counts", "places"):
            row = ", ".join(map(str, side[what]))
            lines.append(f"int {name}_{what}[] = {{{row or 0}}};")
        lines.append(f"MPI_Datatype {name}_types[] = {{{', '.join(layouts)}}};")
        sides[name] = buffer
    if step.op == "user_sum":
        lines.append("summed = out_0;")
    if step.op == "user_affine":
        lines.append("maps = out_0;")
    lines.append(f"MPI_{step.collective.capitalize()}({arguments(step, mine, sides, names)});")
    for at, first, items, content in mine["out"]["after"]:
        if content is None:
            continue
        if content[0] == "fold":
            lines.append(f"expect_reduced(out_at, out_{at}, {first}, {items}, {content[1]}, "
                         f"{content[2]});")
        else:
            lines.append(f"expect(out_at, out_{at}, {first}, {items}, "
                         f"{', '.join(map(str, content[1:]))});")
    return without_unused(lines)


def without_unused(lines):
    """Without declarations that no later line needs."""
    kept = []
    for line in reversed(lines):
        declared = re.match(r"(?:int|layout|element|MPI_Datatype) \*?(\w+)", line)
        if not declared or any(re.search(rf"\b{declared[1]}\b", later) for later in kept):
            kept.append(line)
    return kept[::-1]


# As calls.cpp has them; of arrays the first where MPI takes a single one.
def arguments(step, mine, sides, names):
    i, o = sides["in"], sides["out"]
    one = {name: (f"{name}_counts[0]", f"{name}_types[0]") for name in ("in", "out")}
    single_in, single_out = ", ".join(one["in"]), ", ".join(one["out"])
    rows_in, rows_out = "in_counts, in_places", "out_counts, out_places"
    root, comm = str(mine["root"]), names[step.comm]
    return ", ".join({
        "allgather": [i, single_in, o, single_out],
        "allgatherv": [i, single_in, o, rows_out, one["out"][1]],
        "alltoall": [i, single_in, o, single_out],
        "alltoallv": [i, rows_in, one["in"][1], o, rows_out, one["out"][1]],
        "alltoallw": [i, rows_in, "in_types", o, rows_out, "out_types"],
        "barrier": [],
        "bcast": [o, single_out, root],
        "gather": [i, single_in, o, single_out, root],
        "gatherv": [i, single_in, o, rows_out, one["out"][1], root],
        "reduce": [i, o, single_out, "op", root],
        "reduce_scatter": [i, o, "out_counts", one["out"][1], "op"],
        "scatter": [i, single_in, o, single_out, root],
        "scatterv": [i, rows_in, one["in"][1], o, single_out, root],
    }.get(step.collective, [i, o, single_out, "op"]) + [comm])
