"""A designer's own code, interpreted and watched: each call of a kernel is checked for all it may not do.

Compiled code reads past the end of an array without a word, and never comes back from an endless loop. Interpreted,
both are errors with a line number. Only for processes whose JIT is off.
"""

from __future__ import annotations

import math
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from simcore import driver
from simcore.contract import ABSENT, Game, Kernel, Rules, Strategy, desk_dtype
from simcore.errors import Problem, shown

CALL_SECONDS = 5.0
GAME_SECONDS = 30.0
MOST_ACTIONS = 100_000
LOOKED_AT = 3_000  # positions of a rehearsal in which kernels are called that nobody may have asked for
GARBAGE = 85  # fits into every field; no game starts with it
CODES = 2**31
ANY_KEY = np.uint64(0x0123456789ABCDEF)  # what hidden things are dealt from, to see that it can be done


class FaultError(Exception):
    """What a designer's code did wrong, and where."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


class _SlowError(BaseException):
    """No answer in time."""


class Report:
    """Where the faults go that cannot be raised: whoever plays sets `calls` and `ends`."""

    def __init__(self) -> None:
        self.calls: Callable[[Problem], None] = lambda problem: None
        self.ends: Callable[[Problem], None] = lambda problem: None


REPORT = Report()
"""`calls` is told the place of a function before it runs, which may be its end; `ends` of one that does not stop."""


class _Watch:
    """Calls one function of a designer, and says what is wrong with it."""

    def __init__(self, what: str, function: Kernel) -> None:
        self.what = what
        self.function: Kernel = getattr(function, "py_func", function)
        self._code = self.function.__code__
        self._file = shown(self._code.co_filename)

    def fault(self, message: str) -> FaultError:
        """Return the fault at the definition of the function."""
        return FaultError(Problem(self._file, self._code.co_firstlineno, 1, f"{self.what} {message}"))

    def __call__(self, where: str, *arguments: Any, seconds: float = CALL_SECONDS) -> Any:
        """Return what the function does; what it raises is a fault."""
        slow = self.fault(f"gave no answer within {seconds:.0f} s {where}")
        REPORT.calls(slow.problem)
        try:
            with _deadline(seconds, slow), np.errstate(divide="raise", invalid="raise"):
                return self.function(*arguments)
        except _SlowError:
            raise slow from None
        except FaultError:
            raise
        except BaseException as error:  # an exit, too
            raise self._located(error, where) from None

    def _located(self, error: BaseException, where: str) -> FaultError:
        """Return the fault for an exception, at the last place in the designer's folder that it came through."""
        home = self._code.co_filename.rpartition("/")[0]
        frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(home)]
        line, column = (frames[-1].lineno or 1, (frames[-1].colno or 0) + 1) if frames else (1, 1)
        file = frames[-1].filename if frames else self._code.co_filename
        text = " ".join(str(error).split())[:200]
        message = f"{self.what} raised {type(error).__name__}: {text} ({where})"
        return FaultError(Problem(shown(file), line, column, message))


@contextmanager
def _deadline(seconds: float, slow: FaultError) -> Iterator[None]:
    """Raise `_SlowError` in the main thread after some seconds, where the system has timers; may be nested.

    Who catches that gets no second one: it is reported as `slow`.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    started = time.monotonic()
    rings = 0

    def ring(number: int, frame: Any) -> None:
        nonlocal rings
        rings += 1
        if rings > 1:
            REPORT.ends(slow.problem)
        raise _SlowError

    handler = signal.signal(signal.SIGALRM, ring)
    left, _ = signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        rest = max(left - (time.monotonic() - started), 0.001) if left else 0.0
        signal.setitimer(signal.ITIMER_REAL, rest, 1.0 if rest else 0.0)
        signal.signal(signal.SIGALRM, handler or signal.SIG_DFL)


def _record(state: Any, own_stream: int = -1) -> bytes:
    """Return the bytes of everything in a state that means something, but for the position in one stream."""
    copy = np.zeros(1, state.dtype).view(np.recarray)
    copy[0] = state  # field by field: the padding between fields is nobody's
    if own_stream >= 0:
        copy[0].rng.count[own_stream] = 0
    if "tmp" in (state.dtype.names or ()):
        copy["tmp"] = np.zeros(1, state.dtype["tmp"])
    return copy.tobytes()


def _turn(state: Any) -> str:
    return f"in seat {int(state.play.seat) + 1}, turn {int(state.play.turns)}"


# -- strategies -----------------------------------------------------------------------------------------------------


def strategy(found: Strategy) -> Callable[..., Any]:
    """Return the function of a strategy, watched."""
    watch = _Watch(f"strategy '{found.name}'", found.function)

    def choose(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
        before = _record(state, seat)
        offered = actions.copy()
        where = f"in seat {seat + 1}, turn {int(state.play.turns)}"
        action = watch(where, state, seat, actions, n, params, work, tools)
        if not isinstance(action, int | np.integer):
            told = " ".join(repr(action).split())[:60]
            raise watch.fault(f"answered {told} {where}, expected one of the offered actions")
        if action not in offered[:n].tolist():
            listed = ", ".join(map(str, offered[:n].tolist()[:10]))
            raise watch.fault(f"answered {int(action)} {where}, which was not offered (offered: {listed})")
        if (actions[:n] != offered[:n]).any():
            raise watch.fault(f"changed the list of actions {where}; it may only read it")
        if _record(state, seat) != before:
            raise watch.fault(f"changed the game {where}; it may only draw from its own random stream")
        return action

    return choose


# -- rules ----------------------------------------------------------------------------------------------------------


def rules(game: Game, n_seats: int, n_reasons: int) -> Rules:
    """Return the kernels of a game, watched.

    Parameters
    ----------
    n_reasons : int
        Reasons for which a game of this match can end.
    """
    watched = _Rules(game, n_seats, n_reasons)
    return Rules(**{field.name: getattr(watched, field.name) for field in fields(Rules)})


@dataclass
class _Clock:
    """How long the game that is played has lasted."""

    actions: int = 0
    started: float = 0.0


class _Rules:
    """The kernels of a game, each with its checks; named as in `Rules`.

    Strategies call them as well. `play_block` is ours: it plays with the watched kernels, and looks at the others in
    each position with a choice. Then the game's own `play_block` must play the same.
    """

    def __init__(self, game: Game, n_seats: int, n_reasons: int) -> None:
        self._game, self._n_seats, self._n_reasons = game, n_seats, n_reasons
        self._n_sides = len(game.sides(n_seats))
        self._watches = {
            field.name: _Watch(f"'{field.name}'", getattr(game.rules, field.name)) for field in fields(Rules)
        }
        self._clock = _Clock()
        self._looked_at = 0
        self._spare = np.zeros(1, desk_dtype(game)).view(np.recarray)

    def setup(self, state: Any) -> None:
        watch = self._watches["setup"]
        dirty = np.zeros(1, state.dtype).view(np.recarray)
        dirty[0] = state
        for part in set(state.dtype.names or ()) - {"tab", "rng"}:
            _fill(dirty[part], GARBAGE)
            state[part] = np.zeros(1, state.dtype[part])[0]
        watch("before the game", dirty[0])
        watch("before the game", state)
        self._clock = _Clock(0, time.monotonic())
        left = _difference(state, dirty[0])
        if left:
            raise watch.fault(f"does not write '{left}', so that something of the game before is left")
        self._check_position(watch, state)

    def _check_position(self, watch: _Watch, state: Any) -> None:
        play = state.play
        if not 0 <= play.seat < self._n_seats:
            raise watch.fault(f"set play.seat to {int(play.seat)}, expected 0 to {self._n_seats - 1}")
        if not 0 <= play.role < len(self._game.roles):
            raise watch.fault(f"set play.role to {int(play.role)}, expected 0 to {len(self._game.roles) - 1}")
        if play.over not in (0, 1):
            raise watch.fault(f"set play.over to {int(play.over)}, expected 0, or 1 when the game is over")

    def legal(self, state: Any, actions: Any) -> Any:
        watch = self._watches["legal"]
        where = _turn(state)
        n = self._unchanged("legal", where, state, actions)
        if not isinstance(n, int | np.integer):
            raise watch.fault(f"returned {n!r} {where}, expected how many actions it wrote")
        if n > len(actions):
            raise watch.fault(f"returned {n} {where}, but there is room for {len(actions)} (GAME.actions)")
        if n <= 0 and not state.play.over:
            raise watch.fault(f"offered nothing {where}, and the game is not over")
        offered = actions[:n].tolist()
        wrong = [code for code in offered if not 0 <= code < CODES or offered.count(code) > 1]
        if wrong:
            raise watch.fault(f"offered {wrong[0]} {where}; codes are different whole numbers from 0 to {CODES - 1}")
        return n

    def _unchanged(self, name: str, where: str, state: Any, *arguments: Any) -> Any:
        """Call a kernel that may not change the state."""
        watch = self._watches[name]
        before = _record(state)
        answer = watch(where, state, *arguments)
        if _record(state) != before:
            raise watch.fault(f"changed the game {where}; it may only read it")
        return answer

    def apply(self, state: Any, action: Any) -> None:
        watch = self._watches["apply"]
        watch(_turn(state), state, action)
        self._check_position(watch, state)

    def score(self, state: Any, row: Any) -> None:
        watch = self._watches["score"]
        self._unchanged("score", "after the game", state, row)
        if not 0 <= row.winners < 1 << self._n_sides:
            raise watch.fault(f"wrote {int(row.winners)} to winners, expected a bit mask of {self._n_sides} sides")
        if not 0 <= row.reason < self._n_reasons:
            raise watch.fault(f"wrote {int(row.reason)} to reason, expected 0 to {self._n_reasons - 1}")
        if row.reason == 0 and row.winners:
            raise watch.fault("named winners of an unfinished game (reason 0)")
        if row.turns < 1 or row.rounds < 1:
            raise watch.fault(f"wrote {int(row.turns)} turns and {int(row.rounds)} rounds, expected 1 or more")
        for metric in self._game.metrics:
            for value in np.ravel(row[metric.name]).tolist():
                if value < 0 and value != ABSENT and not metric.signed:
                    raise watch.fault(f"wrote {value} to '{metric.name}', which is not signed")

    def lead(self, state: Any, side: Any) -> float:
        where = _turn(state)
        value = self._unchanged("lead", where, state, side)
        if not -1 <= value <= 1:
            raise self._watches["lead"].fault(f"returned {value} {where}, expected -1 to 1")
        return float(value)

    def hide(self, state: Any, seat: Any, random: Any) -> None:
        watch = self._watches["hide"]
        where = _turn(state)
        play = state.play
        before = int(play.seat), int(play.role), int(play.over), _stream(state, seat)
        watch(where, state, seat, random)
        if (int(play.seat), int(play.role), int(play.over), _stream(state, seat)) != before:
            raise watch.fault(f"changed who decides, or the stream of seat {seat + 1}, {where}; it keeps both")

    def features(self, state: Any, seat: Any, action: Any, work: Any, out: Any) -> None:
        where = _turn(state)
        self._unchanged("features", where, state, seat, action, work, out)
        if not all(math.isfinite(value) for value in out.tolist()):
            raise self._watches["features"].fault(f"wrote a number that is not finite {where}")

    # -- the loop ---------------------------------------------------------------------------------------------------

    def play_block(
        self,
        strategies: Any,
        desks: Any,
        tools: Any,
        run_key: Any,
        span: Any,
        rows: Any,
        log: Any,
        faults: Any,
    ) -> Any:
        roles = len(self._game.roles)
        loop = (self.setup, self._legal_and_others, self._counted_apply, self.score, roles)
        played = driver.play_games(*loop, strategies, desks, tools, run_key, span, rows, log, faults)
        again = np.zeros(len(rows), rows.dtype).view(np.recarray)
        watch = self._watches["play_block"]
        block = (strategies, desks, tools, run_key, span, again, log, faults)
        count = watch("for the same games", *block, seconds=GAME_SECONDS)
        seated = slice(span[1], None, span[2])  # other rotations have written the other rows
        if count != played or again[seated].tobytes() != rows[seated].tobytes():
            words = f"play_games(setup, legal, apply, score, {roles}, ...)"
            raise watch.fault(f"does not play what the other kernels say; expected it to return {words}")
        return played

    def _legal_and_others(self, state: Any, actions: Any) -> Any:
        """Call `legal`, and where there is a choice also what strategies may ask for then."""
        n = self.legal(state, actions)
        if n > 1 and self._looked_at < LOOKED_AT:
            self._looked_at += 1
            self._look(state, actions[:n].tolist())
        return n

    def _look(self, state: Any, offered: list[int]) -> None:
        desk = self._spare[0]
        for side in range(self._n_sides):
            self.lead(state, side)
        out = np.zeros(len(self._game.features))
        for action in offered:
            self.features(state, int(state.play.seat), action, desk.work, out)
        for seat in range(self._n_seats):
            self._spare["work"]["deal"][0] = state
            deal = self._spare[0].work.deal
            self.hide(deal, seat, ANY_KEY)
            n = self.legal(deal, desk.actions)
            if seat == state.play.seat and desk.actions[:n].tolist() != offered:
                raise self._watches["hide"].fault(f"changed what is legal {_turn(state)}; the acting seat knows that")

    def _counted_apply(self, state: Any, action: Any) -> None:
        self.apply(state, action)
        clock = self._clock
        clock.actions += 1
        seconds = time.monotonic() - clock.started
        if clock.actions >= MOST_ACTIONS or seconds > GAME_SECONDS:
            words = f"did not end a game within {clock.actions:,} actions ({seconds:.0f} s, not compiled)"
            raise self._watches["apply"].fault(f"{words}; rules set play.over at a round cap at the latest")


def _stream(state: Any, seat: int) -> tuple[int, ...]:
    return tuple(int(state.rng[part][seat]) for part in ("root", "key", "count"))


def _fill(memory: Any, value: int) -> None:
    """Write `value` into every number of some records."""
    if memory.dtype.names:
        for name in memory.dtype.names:
            _fill(memory[name], value)
    else:
        memory[...] = value


def _difference(one: Any, other: Any, path: str = "") -> str:
    """Return the first field in which two states differ, work space apart; "" if they do not."""
    for name in one.dtype.names or ():
        if name == "tmp":
            continue
        a, b = one[name], other[name]
        inner = f"{path}.{name}".lstrip(".")
        if getattr(a, "dtype", None) is not None and a.dtype.names and a.ndim == 0:
            found = _difference(a, b, inner)
            if found:
                return found
        elif np.asarray(a).tobytes() != np.asarray(b).tobytes():
            return inner
    return ""
