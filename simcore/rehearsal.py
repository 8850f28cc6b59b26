"""A designer's own code plays its first games interpreted, in another process, with every check there is (`watched`).

What has passed is remembered beside the compiled kernels.
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
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from simcore import jit
from simcore.contract import Strategy, UnusableError
from simcore.errors import InputError, MachineError, Problem, shown
from simcore.match import Match
from simcore.scenario import STAND_IN

GAMES = 100
PLAY_SECONDS = 5.0
TOTAL_SECONDS = 120.0


def rehearse(match: Match, loader: Any, inputs: str, say: Callable[[str], None], n_reasons: int = 1 << 15) -> None:
    """Play the first games of a match with checks, if a designer's own code takes part and has not passed before.

    Parameters
    ----------
    inputs : str
        Digest of what decides the games.
    n_reasons : int
        Reasons for which a game of the match can end.

    Raises
    ------
    InputError
        Naming file, line and column, if a strategy raises, answers what was not offered, changes the game, or does
        not answer; or if a game of one's own does what `watched` finds.
    """
    own = [match.game] if loader.is_own(match.game) else []
    own += sorted({ref for row in match.strategies for ref in row if loader.is_custom(ref)})
    if not own:
        return
    key = hashlib.sha256(f"{inputs} {jit.sources_digest()}".encode()).hexdigest()[:32]
    folder = jit.cache_folder()
    marker = folder / f"rehearsed-{key}" if folder else None
    if marker and marker.exists():
        return
    say(f"checking {', '.join(Path(ref).name for ref in own)} in its first games (once per version) ...")
    problems = _in_another_process((match, loader.__name__, n_reasons))
    if problems:
        raise InputError(list(dict.fromkeys(problems)))
    if marker:
        with suppress(OSError):
            marker.touch()


def _in_another_process(what: tuple[Match, str, int]) -> list[Problem]:
    root = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join(part for part in (root, os.environ.get("PYTHONPATH", "")) if part)
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path}
    command = [sys.executable, "-P", "-c", "from simcore.rehearsal import main; main()"]
    try:
        done = subprocess.run(
            command,
            input=pickle.dumps(what),
            capture_output=True,
            env=environment,
            timeout=TOTAL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return _unanswered(error.stdout or b"", f"gave no answer within {TOTAL_SECONDS:.0f} s")
    answer = done.stdout.decode().splitlines()[-1:]
    if answer and answer[0].startswith("["):
        return [Problem(**problem) for problem in json.loads(answer[0])]
    last = "".join(done.stderr.decode(errors="replace").strip().splitlines()[-1:])
    return _unanswered(done.stdout, f"ended the process that plays it ({done.returncode}) {last}".strip())


def _unanswered(told: bytes, what: str) -> list[Problem]:
    """Return what is wrong with the code that was called last, which nobody heard of again."""
    calls = told.decode().splitlines()
    if not calls:
        raise MachineError(f"the check of your own code {what}")
    return [replace(Problem(**json.loads(calls[-1])), message=what)]


# -- the other process ----------------------------------------------------------------------------------------------


def main() -> None:
    """Read a match from standard input, play it with checks, and tell each function that is called, then the faults.

    All of that goes out where standard output led to; the code that is played has none of it.
    """
    import importlib

    from simcore import watched

    answer = os.dup(1)
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    last: Problem | None = None

    def tell(text: str) -> None:
        line = f"{text}\n".encode()
        while line:
            line = line[os.write(answer, line) :]

    def calls(problem: Problem) -> None:
        nonlocal last
        if last is None or (last.source, last.line) != (problem.source, problem.line):
            last = problem
            tell(json.dumps(asdict(problem)))

    def end(*problems: Problem) -> None:
        tell(json.dumps([asdict(problem) for problem in problems]))
        os._exit(0)  # whatever threads there are

    watched.REPORT.calls, watched.REPORT.ends = calls, end
    match, loader, n_reasons = pickle.loads(sys.stdin.buffer.read())  # from our own parent
    try:
        _play(match, _Checked(importlib.import_module(loader), match.n_seats, n_reasons))
    except watched.FaultError as found:
        end(found.problem)
    except InputError as found:
        end(*found.problems)
    end()


def _play(match: Match, loader: Any) -> None:
    from simcore.player import Player

    player = Player(match, loader)
    started = time.monotonic()
    for index in range(GAMES):
        player.play(index, 1)
        if time.monotonic() - started > PLAY_SECONDS:
            return


class _Checked:
    """A loader whose games and strategies are watched as far as they are a designer's own."""

    def __init__(self, loader: Any, n_seats: int, n_reasons: int) -> None:
        self._loader, self._n_seats, self._n_reasons = loader, n_seats, n_reasons

    def game(self, name: str) -> Any:
        from simcore import watched

        found = self._loader.game(name)
        return replace(found, rules=watched.rules(found, self._n_seats, self._n_reasons)) if found.own else found

    def strategy(self, game: str, name: str) -> Strategy:
        from simcore import watched

        try:
            found: Strategy = self._loader.strategy(game, name)
        except UnusableError as error:
            raise InputError.of(shown(name), error.message) from None
        if found.own:
            return replace(found, function=watched.strategy(found))
        # a look-ahead takes seconds for a decision here; the rules of an own game are tried by any player
        return self._loader.strategy(game, STAND_IN) if self._loader.is_own(game) else found
