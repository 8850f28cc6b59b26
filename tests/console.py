"""The command `balance` as tests call it: each time a process of its own, with its own streams and exit code.

Hundreds of tests call it, and importing takes longer than most of what they ask for. `balance` therefore forks a
process that has imported what commands import, and has done nothing else; `started` starts Python, as a user does.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PATHS = [str(ROOT), str(ROOT / "tests")]
COMMAND = [sys.executable, "-P", "-c", "import cli; cli.main()"]
SECONDS = 300

Done = subprocess.CompletedProcess[str]


def environment(**extra: str) -> dict[str, str]:
    """Return the environment of a user who has installed us, and `extra`."""
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "PYTHONPATH")}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **extra}


def started(folder: Path, *arguments: str, **extra: str) -> Done:
    """Run a command in a folder, in a Python of its own; `extra` goes into its environment."""
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        env=environment(**extra),
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )


def balance(folder: Path, *arguments: str, **extra: str) -> Done:
    """Run a command in a folder; what `extra` says in the environment may count while importing, and is `started`."""
    if extra:
        return started(folder, *arguments, **extra)
    with tempfile.TemporaryDirectory() as place:
        streams = [Path(place, name) for name in ("out", "err")]
        for file in streams:
            file.touch()
        process = _server().Process(target=_command, args=(arguments, folder, environment(), streams))
        process.start()
        process.join(SECONDS)
        if process.exitcode is None:
            process.kill()
            raise subprocess.TimeoutExpired(["balance", *arguments], SECONDS)
        out, err = (file.read_text(encoding="utf-8") for file in streams)
    return subprocess.CompletedProcess(["balance", *arguments], process.exitcode, out, err)


def answer(done: Done) -> Any:
    """Return the JSON that a command has printed, after checking that it is strict and that all went well."""
    assert done.returncode == 0, done.stderr

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no strict JSON")

    return json.loads(done.stdout, parse_constant=refuse)


def without_timing(done: Done) -> Any:
    """Return the answer of a command without the only part in which two runs may differ."""
    found = answer(done)
    del found["timing"]
    return found


# ---------------------------------------------------------------- the process that is forked


@cache
def _server() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["__main__", "preloaded"])
    before = dict(os.environ)
    os.environ.update(environment(PYTHONPATH=os.pathsep.join(PATHS)))
    try:
        forkserver.ensure_running()
    finally:
        os.environ.clear()
        os.environ.update(before)
    return context


def _command(arguments: Sequence[str], folder: Path, variables: Mapping[str, str], streams: Sequence[Path]) -> None:
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(folder)
    for number, file in enumerate(streams, start=1):
        os.dup2(os.open(file, os.O_WRONLY | os.O_APPEND), number)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))
    sys.path[:] = [str(ROOT), *(path for path in sys.path if path not in ("", *PATHS))]
    sys.argv = [COMMAND[2], *arguments]
    import cli

    cli.main()
