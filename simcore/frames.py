"""The library of tables, imported late, and without its own way with Ctrl-C."""

from __future__ import annotations

import signal
from contextlib import suppress
from functools import cache
from typing import Any


@cache
def polars() -> Any:
    """Return polars.

    It takes SIGINT for itself when it is imported, and raises in the middle of whatever it does; a run that was
    interrupted still has its tables to write.
    """
    import polars

    with suppress(ValueError, TypeError):  # not the main thread, or a handler that is not Python's
        signal.signal(signal.SIGINT, signal.getsignal(signal.SIGINT))
    return polars
