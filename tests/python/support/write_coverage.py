"""The table that bascule.coverage() reads, from a run of the conformance calls: functions that are not native with all
their parameters. As a program this module writes the file."""

from __future__ import annotations

import functools
import sys
from pathlib import Path

import bascule as bc
import conformance
import conformance_elements  # noqa: F401  (importing these fills the table of calls)
import conformance_linalg  # noqa: F401
import conformance_numerics  # noqa: F401
import conformance_products  # noqa: F401
import conformance_reductions  # noqa: F401
import conformance_shapes  # noqa: F401
import conformance_times  # noqa: F401
import numpy as np
from bascule import coverage_table

FILE = Path(bc.__file__).with_name("coverage.tsv")
names = coverage_table.functions


@functools.cache
def rows_of(name):
    return [r for r in conformance.ROWS if r.name == name]


# Parameters of NumPy's ufuncs that raise for any value: native if they raise here, too.
REFUSED_BY_NUMPY = {(name, p) for name in ("matmul", "matvec", "vecmat") for p in ("axis", "keepdims")} | {
    ("frexp", "dtype")
}


def _state_of(failures):
    strings = " ".join(failures)
    if "runs in NumPy" in strings or "exists only in NumPy" in strings:
        return "NumPy-backed"
    return "refused" if "NotImplementedError" in strings else "differs"


def failures(name):
    """(parameters that work, {call: failure}, whether there was a result) of a name, with the fallback forbidden."""
    works, wrong, any_useful = set(), {}, False
    with bc.config.set(fallback="error"):
        for row in rows_of(name):
            for call in row.calls:
                found, useful = conformance.run(row, call)
                if found:
                    wrong[call] = found
                elif useful:
                    any_useful = True
                    works |= conformance.keywords(name, call)
                else:
                    works |= {p for p in conformance.keywords(name, call) if (name, p) in REFUSED_BY_NUMPY}
    return works, wrong, any_useful


def line(name):
    """One line of the table."""
    try:
        ours = getattr(bc, name)
    except AttributeError as error:
        return f"{name}\trefused\t\t{str(error).partition(': it ')[2]}"
    if getattr(ours, "__wrapped__", None) is getattr(np, name) and not rows_of(name):
        return f"{name}\tNumPy-backed\t\t"
    works, wrong, useful = failures(name)
    states, reason, state = dict.fromkeys(works, "native"), "", "native"
    for call, found in wrong.items():
        alone = conformance.keywords(name, call) - works
        here = _state_of(found)
        if alone:
            states |= dict.fromkeys(alone, here)
            state = here if here == "NumPy-backed" else state
        else:
            state = here
        reason = reason or call
    if not useful:
        state = _state_of([t for found in wrong.values() for t in found]) if wrong else "differs"
    given = [p.name for p in conformance.parameters(name) if p.kind is not p.VAR_KEYWORD]
    parts = {}
    for p in given:
        parts.setdefault(states.get(p, "untested"), []).append(p)
    return f"{name}\t{state}\t{'; '.join(f'{k}: {chr(32).join(v)}' for k, v in parts.items())}\t{reason}"


if __name__ == "__main__":
    chosen = sys.argv[1:]
    old = dict(zip(names(), coverage_table.lines()))
    now = [line(n) if n in chosen or not chosen else old[n] for n in names()]
    FILE.write_text(
        "".join(x + "\n" for n, x in zip(names(), now) if "\tnative\t" not in x or x != coverage_table.native_line(n))
    )
    found = bc.coverage()
    sys.stdout.write(repr(found).partition("\n")[0] + "\n")
