# SPDX-License-Identifier: BSD-3-Clause
"""The errors of an emulated cluster: each ends in one line and an exit status."""
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
    """Something failed that should have worked."""


def attempt(body: Callable[[], int]) -> int:
    """The body's exit status; after an error its line is printed, and this is the error's status."""
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
