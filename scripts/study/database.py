# SPDX-License-Identifier: BSD-3-Clause
"""Opens results databases for the studies, without changing them, and the interval of a median."""
from __future__ import annotations

import math
import sqlite3
from pathlib import Path

from cells import UsageError

# Both as in results/schema.sql.
APPLICATION_ID = 1112229206
SCHEMA_VERSION = 7


def interval(values: list[float]) -> tuple[float, float]:
    """The interval of the median that covers with 95 %, or all of fewer than six values.

    The same as estimate_median() in stats/median.cpp, interpolation included. `values` is in
    rising order.
    """
    n, k, confidence = len(values), 1, 0.95

    def coverage(rank: int) -> float:
        return 1 - 2 * sum(math.comb(n, i) for i in range(rank)) / 2**n

    while 2 * k < n and coverage(k + 1) >= confidence:
        k += 1
    if 2 * k >= n or coverage(k) <= confidence:
        return values[k - 1], values[n - k]
    excess = (coverage(k) - confidence) / (coverage(k) - coverage(k + 1))
    inwards = (n - k) * excess / (k + (n - 2 * k) * excess)
    low = _between(values[k - 1], values[k], inwards)
    return low, _between(values[n - k], values[n - k - 1], inwards)


def _between(outer: float, inner: float, inwards: float) -> float:
    """From an order statistic towards the next one; there is no way to an infinite ratio."""
    finite = math.isfinite(outer) and math.isfinite(inner)
    return outer + (inner - outer) * inwards if finite else outer


def open_database(path: Path) -> sqlite3.Connection:
    """Opens to read. Refuses what is not a results database that this program understands."""
    if not path.is_file():
        raise UsageError(f"no database '{path}'; 'breakeven sweep --db {path}' makes one")
    # Not mode=ro: what a killed sweep left half done has to be undone before it can be read.
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=rw", uri=True)
    try:
        database.execute("PRAGMA query_only = ON")
        application = database.execute("PRAGMA application_id").fetchone()[0]
        version = database.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.Error as error:
        database.close()
        raise UsageError(f"'{path}' can't be read as an SQLite database: {error}") from error
    if application != APPLICATION_ID:
        problem = "is an SQLite database, but not one of breakeven's"
    elif version != SCHEMA_VERSION:
        problem = (
            f"has schema version {version}, but this program reads version {SCHEMA_VERSION} alone"
        )
    else:
        return database
    database.close()
    raise UsageError(f"'{path}' {problem}")
