# SPDX-License-Identifier: BSD-3-Clause
"""How everything here ends that does not end well: one line, and an exit status that tells why."""
from __future__ import annotations

import sys
from collections.abc import Callable

USAGE, FAILED = 2, 3
NOT_PERMITTED = 77  # EX_NOPERM of sysexits.h; CTest takes it for "skipped"


class Refusal(Exception):
    """The request can't be met."""


class Denied(Exception):
    """This machine does not let us do it."""


class Failure(Exception):
    """Something failed that should not."""


def attempt(body: Callable[[], int]) -> int:
    """The body's exit status, or that of its failure, after the line about it."""
    try:
        return body()
    except Refusal as error:
        status, words = USAGE, error
    except Denied as error:
        status, words = NOT_PERMITTED, error
    except (Failure, OSError) as error:
        status, words = FAILED, error
    print(f"emulated-cluster: {words}", file=sys.stderr)
    return status
