"""A designer's code is imported in a copy of this process first: it may end the process, or never come back.

Where a system cannot copy processes, or where the same code has passed before, nothing is tried.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from simcore import jit
from simcore.errors import InputError, Problem, shown
from strategies import foreign

SECONDS = 30.0


def run(load: Callable[[], object], file: Path, digest: str) -> None:
    """Call `load`, which imports what has the digest, in another process.

    Raises
    ------
    InputError
        With what `load` raises there; at the start of `file`, if the process came to no end, or to an early one.
    """
    folder = jit.cache_folder()
    key = hashlib.sha256(f"{file} {digest}".encode(errors="surrogateescape")).hexdigest()[:32]
    marker = folder / f"imported-{key}" if folder else None
    if not hasattr(os, "fork") or (marker and marker.exists()):
        return
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        _answer(load, file, writing)
    os.close(writing)
    status = 0
    try:
        ready, _, _ = select.select([reading], [], [], SECONDS)
        with os.fdopen(reading, "rb") as answer:
            told = answer.read() if ready else b""
    finally:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if not told:
        how = f"ends the process ({status})" if ready else f"does not come to an end within {SECONDS:.0f} s"
        raise InputError([Problem(shown(file), 1, 1, f"{how} when it is imported")])
    problems = pickle.loads(told)  # from a copy of ourselves
    if problems:
        raise InputError(problems)
    if marker:
        with suppress(OSError):
            marker.touch()


def _answer(load: Callable[[], object], file: Path, writing: int) -> None:
    """Write the problems of `load` and end this process."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        null = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(null, number)
        problems: list[Problem] = []
        try:
            load()
        except InputError as error:
            problems = error.problems
        except BaseException as error:
            problems = [foreign.problem(error, file)]
        told = pickle.dumps(problems)
        while told:
            told = told[os.write(writing, told) :]
        sys.setswitchinterval(1)
    finally:
        os._exit(0)
