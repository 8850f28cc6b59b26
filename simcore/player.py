"""Plays games of a match in this thread: the only place where compiled kernels, strategies and memory meet."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from simcore import driver, jit
from simcore.contract import Game, desk_dtype
from simcore.errors import GameError, IllegalActionError, StuckGameError
from simcore.match import Match
from simcore.rng import derive

_NO_LOG = np.zeros(0, np.int32)


class Player:
    """A match made ready to play. Threads may share one: each has its own buffers.

    Parameters
    ----------
    match : Match
    loader : Loader
        Finds the game and its strategies by name.
    say : function of str
        Told when kernels are compiled for the first time.
    """

    def __init__(self, match: Match, loader: Any, say: Callable[[str], None] = lambda text: None) -> None:
        self.match = match
        self.game: Game = loader.game(match.game)
        with jit.first_use(self.game.name, say, self.game.own, self.game.folder):
            self._tools = self.game.tools
        refs = sorted({ref for row in match.strategies for ref in row})
        found = {ref: loader.strategy(match.game, ref) for ref in refs}
        pointers = {ref: self._compile(strategy, say) for ref, strategy in found.items()}
        self._has_own_code = bool(self.game.own or any(strategy.own for strategy in found.values()))
        self._strategies = [tuple(pointers[ref] for ref in row) for row in match.strategies]
        with np.errstate(over="ignore"):
            self.run_key = derive(np.uint64(match.seed), np.uint64(0))
        self._local = threading.local()

    def _compile(self, strategy: Any, say: Callable[[str], None]) -> Any:
        place = strategy.ref.rpartition(":")[0] or self.game.folder
        with jit.first_use(f"{self.game.name}.{strategy.name}", say, strategy.code(self.game), place):
            return strategy.pointer(self.game)

    def _desk(self, rotation: int) -> Any:
        """Return this thread's memory (1,), with the constants and parameters of `rotation`."""
        desk = getattr(self._local, "desk", None)
        if desk is None:
            desk = self._local.desk = np.zeros(1, desk_dtype(self.game)).view(np.recarray)
        desk["state"]["tab"][0] = self.match.tabs[rotation]
        desk["params"][0] = self.match.params[rotation]
        return desk

    def play(self, first: int, games: int) -> Any:
        """Play games ``first .. first + games - 1`` and return their outcome rows (G,).

        Raises
        ------
        GameError
            Naming the first game that cannot go on.
        """
        rotations = len(self.match.rotations)
        rows = np.zeros(games, self.game.outcome)
        faults: list[GameError] = []
        for rotation in range(rotations):
            try:
                self._play_rotation(rotation, first, (rotation - first) % rotations, rows, _NO_LOG)
            except GameError as fault:
                faults.append(fault)
        if faults:
            raise min(faults, key=lambda fault: fault.game)
        self._finish(first, rows)
        return rows

    def play_logged(self, index: int, log: Any) -> Any:
        """Play game `index` alone, its actions written to `log` (int32); return its outcome row (1,)."""
        row = np.zeros(1, self.game.outcome)
        self._play_rotation(index % len(self.match.rotations), index, 0, row, log)
        self._finish(index, row)
        return row

    def _play_rotation(self, rotation: int, first: int, start: int, rows: Any, log: Any) -> None:
        try:
            self._run(rotation, first, start, rows, log)
        except GameError:
            raise
        except Exception as error:
            if not (self._has_own_code and jit.ENABLED):  # without JIT the error names file and line
                raise
            if len(rows) > 1:  # compiled code doesn't even tell the game: play them one by one
                for row in range(start, len(rows), len(self.match.rotations)):
                    self.play_logged(first + row, _NO_LOG)
            raise self._raised(rotation, first, error) from None

    def _run(self, rotation: int, first: int, start: int, rows: Any, log: Any) -> None:
        match = self.match
        desk = self._desk(rotation)
        faults = np.zeros(4, np.int64)
        records = rows.view(np.recarray)
        with np.errstate(over="ignore"):
            played = self._tools.play_block(
                self._strategies[rotation],
                desk,
                self._tools.pointers,
                self.run_key,
                (first, start, len(match.rotations)),
                records,
                log,
                faults,
            )
        if played < len(rows):
            raise self._fault(rotation, first + int(played), desk[0].state.play, faults)

    def _finish(self, first: int, rows: Any) -> None:
        """Check who won, as far as a game is a designer's own, and write the estimated seconds that people need."""
        wrong = rows["winners"] >> len(self.game.sides(self.match.n_seats)) if self.game.own else None
        if wrong is not None and wrong.any():
            # counting trusts the mask: a wrong bit would be a write out of bounds
            index = first + int(np.flatnonzero(wrong)[0])
            raise GameError("'score' names a winner who does not play", "", self.match.seed, index, 0)
        setup, turn, round_ = self.match.pace
        rows["seconds"] = setup + turn * rows["turns"] + round_ * rows["rounds"]

    def _raised(self, rotation: int, index: int, error: Exception) -> GameError:
        play = self._desk(rotation)[0].state.play
        name = self.match.strategies[rotation][int(play.seat) * len(self.game.roles) + int(play.role)]
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        asked = f"strategy '{name}' in seat {int(play.seat) + 1}, or the game, stopped with {what}"
        return GameError(asked, "", self.match.seed, index, int(play.turns))

    def _fault(self, rotation: int, index: int, play: Any, faults: Any) -> Exception:
        code, seat, action, _ = (int(n) for n in faults)
        where = ("", self.match.seed, index, int(play.turns))
        if code == driver.ILLEGAL:
            which = seat * len(self.game.roles) + int(play.role)
            name = self.match.strategies[rotation][which]
            return IllegalActionError(
                f"strategy '{name}' answered {action} in seat {seat + 1}, which was not offered", *where
            )
        if code == driver.ENDLESS:
            return StuckGameError(f"the game is not over after {driver.ENDLESS_AFTER:,} actions", *where)
        return StuckGameError(f"nothing is legal for seat {seat + 1}, and the game is not over", *where)
