"""A designer's own strategy plays its first games interpreted, in another process, with every check there is.

Compiled code reads past the end of an array without a word, and never comes back from an endless loop. Interpreted,
both are errors with a line number. What has passed is remembered beside the compiled kernels.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from simcore import jit
from simcore.contract import Strategy, UnusableError
from simcore.errors import InputError, MachineError, Problem
from simcore.match import Match

GAMES = 100
PLAY_SECONDS = 5.0
DECISION_SECONDS = 5.0
TOTAL_SECONDS = 120.0


def rehearse(match: Match, loader: Any, inputs: str, say: Callable[[str], None]) -> None:
    """Play the first games of a match with checks, if a designer's own strategy takes part and has not passed before.

    Parameters
    ----------
    inputs : str
        Digest of what decides the games.

    Raises
    ------
    InputError
        Naming file, line and column, if the strategy raises, answers what was not offered, changes the game, or does
        not answer.
    """
    own = sorted({ref for row in match.strategies for ref in row if loader.is_custom(ref)})
    if not own:
        return
    key = hashlib.sha256(f"{inputs} {jit.sources_digest()}".encode()).hexdigest()[:32]
    folder = jit.cache_folder()
    marker = folder / f"rehearsed-{key}" if folder else None
    if marker and marker.exists():
        return
    say(f"checking {', '.join(Path(ref).name for ref in own)} in its first games (once per version) ...")
    fault = _in_another_process(match, loader.__name__)
    if fault:
        raise InputError([Problem(fault["file"], fault["line"], fault["column"], fault["message"])])
    if marker:
        marker.touch()


def _in_another_process(match: Match, loader: str) -> dict[str, Any] | None:
    root = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join(part for part in (root, os.environ.get("PYTHONPATH", "")) if part)
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
    command = [sys.executable, "-P", "-c", "from simcore.rehearsal import main; main()"]
    try:
        done = subprocess.run(
            command,
            input=pickle.dumps((match, loader)),
            capture_output=True,
            env=environment,
            timeout=TOTAL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise MachineError(f"the check of a strategy of your own took more than {TOTAL_SECONDS:.0f} s") from None
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise MachineError(f"the check of a strategy of your own ended with {done.returncode}: {''.join(last)}")
    answer: dict[str, Any] | None = json.loads(done.stdout.decode().splitlines()[-1])
    return answer


# -- the other process ----------------------------------------------------------------------------------------------


class _StrategyError(Exception):
    """What a strategy did wrong, and where."""

    def __init__(self, message: str, file: str, line: int, column: int) -> None:
        super().__init__(message)
        self.fault = {"message": message, "file": file, "line": line, "column": column}


class _SlowError(Exception):
    """No answer in time."""


def main() -> None:
    """Read a match from standard input, play it with checks, print the fault found or null."""
    import importlib

    match, loader = pickle.loads(sys.stdin.buffer.read())  # from our own parent
    answer = None
    try:
        _play(match, _Checked(importlib.import_module(loader)))
    except _StrategyError as found:
        answer = found.fault
    print(json.dumps(answer))


def _play(match: Match, loader: Any) -> None:
    from simcore.player import Player

    player = Player(match, loader)
    started = time.monotonic()
    for index in range(GAMES):
        player.play(index, 1)
        if time.monotonic() - started > PLAY_SECONDS:
            return


class _Checked:
    """A loader whose custom strategies are watched."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def game(self, name: str) -> Any:
        return self._loader.game(name)

    def strategy(self, game: str, name: str) -> Strategy:
        try:
            found: Strategy = self._loader.strategy(game, name)
        except UnusableError as error:
            raise _StrategyError(error.message, name.rpartition(":")[0], 1, 1) from None
        return replace(found, function=_watched(found)) if found.own else found


def _watched(strategy: Strategy) -> Callable[..., Any]:
    function = getattr(strategy.function, "py_func", strategy.function)
    code = function.__code__
    file = code.co_filename

    def at_definition(message: str) -> _StrategyError:
        return _StrategyError(f"strategy '{strategy.name}' {message}", file, code.co_firstlineno, 1)

    def choose(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
        before = _record(state, seat)
        offered = actions.copy()
        where = f"in seat {seat + 1}, turn {int(state.play.turns)}"
        try:
            with _deadline():
                action = function(state, seat, actions, n, params, work, tools)
        except _SlowError:
            raise at_definition(f"gave no answer within {DECISION_SECONDS:.0f} s {where}") from None
        except Exception as error:
            raise _located(error, strategy.name, file, where) from None
        if not isinstance(action, int) and not hasattr(action, "dtype"):
            raise at_definition(f"answered {action!r} {where}, expected one of the offered actions")
        if action not in offered[:n].tolist():
            listed = ", ".join(map(str, offered[:n].tolist()[:10]))
            raise at_definition(f"answered {int(action)} {where}, which was not offered (offered: {listed})")
        if (actions[:n] != offered[:n]).any():
            raise at_definition(f"changed the list of actions {where}; it may only read it")
        if _record(state, seat) != before:
            raise at_definition(f"changed the game {where}; it may only draw from its own random stream")
        return action

    return choose


def _record(state: Any, seat: int) -> bytes:
    """Return the bytes of everything that a strategy of `seat` may not change."""
    import numpy as np

    copy = np.zeros(1, state.dtype).view(np.recarray)
    copy[0] = state  # field by field: the padding between fields is nobody's
    copy[0].rng.count[seat] = 0
    return copy.tobytes()


class _deadline:  # noqa: N801 - reads as a word in a with statement
    """Raises `_SlowError` in the main thread after `DECISION_SECONDS`, where the system has timers."""

    def __enter__(self) -> None:
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self._ring)
            signal.setitimer(signal.ITIMER_REAL, DECISION_SECONDS)

    def __exit__(self, *error: object) -> None:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)

    @staticmethod
    def _ring(number: int, frame: Any) -> None:
        raise _SlowError


def _located(error: Exception, name: str, file: str, where: str) -> _StrategyError:
    """Return the fault for an exception, at the last place in the designer's file that it came through."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    line, column = (frames[-1].lineno or 1, (frames[-1].colno or 0) + 1) if frames else (1, 1)
    text = " ".join(str(error).split())[:200]
    return _StrategyError(f"strategy '{name}' raised {type(error).__name__}: {text} ({where})", file, line, column)
