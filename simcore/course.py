"""How games go: who leads from turn to turn, how the lead swings, how close it ends. A replay of the driver's actions.

The lead is that of the game's own `lead`: how far a side is ahead of the best other one, from -1 to 1.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore import jit
from simcore.blocks import CONFIDENCE, Odds
from simcore.contract import APPLY, LEAD, desk_dtype
from simcore.jit import reference
from simcore.player import Player
from simcore.rng import derive, open_streams
from simcore.stats.clusters import amount_interval
from simcore.tally import Layout, Tally

STEPS = 1 << 12
"""Actions of a game that there is room for at first."""

KEPT = 5
"""Games kept of each kind that is worth a look."""

LEVEL = 1e-9
"""Leads that are nearer to 0 count as none."""


def follow(desks: Any, tools: Any, log: Any, n_sides: int, seen: Any, found: Any) -> int:
    """Carry out the actions of a game that is set up; return how many leads were written. Compiled by `Follower`.

    Parameters
    ----------
    desks : (1,) record of `contract.desk_dtype`, modified
    log : (A,) int32
        Actions, then -1 if there is room.
    seen : (T, 1 + E) float64, written
        Rounds and the lead of each side after set-up, at the end of each turn, and at the end, as far as it reaches.
    found : (3 + 3 E) float64, written
        Changes of the leader, largest rise and whose; then for each side its lead when the last turn began, its lowest
        lead and that of the end.
    """
    desk = desks[0]
    state = desk.state
    play = state.play
    kit = reference(tools)
    leader = -1
    found[:] = 0.0
    turn = play.turns
    rows = 0
    for i in range(-1, log.shape[0]):
        if i >= 0:
            if log[i] < 0:
                break
            kit[0][APPLY](state, np.int64(log[i]))
        if i >= 0 and play.turns == turn and play.over == 0:
            continue
        turn = play.turns
        best = -1
        for side in range(n_sides):
            lead = kit[0][LEAD](state, np.int64(side))
            before, lowest, last = 3 + side, 3 + n_sides + side, 3 + 2 * n_sides + side
            if i < 0:
                found[lowest] = lead
                found[last] = lead
            found[before] = found[last]
            found[last] = lead
            found[lowest] = min(found[lowest], lead)
            if lead - found[lowest] > found[1]:
                found[1] = lead - found[lowest]
                found[2] = side
            if lead > LEVEL:
                best = side
            elif n_sides == 1 and lead < -LEVEL:
                best = 1
            if rows < seen.shape[0]:
                seen[rows, 1 + side] = lead
        if rows < seen.shape[0]:
            seen[rows, 0] = float(play.rounds)
            rows += 1
        if best >= 0:
            if leader >= 0 and best != leader:
                found[0] += 1.0
            leader = best
    return rows


@dataclass(frozen=True)
class Course:
    """How one game went.

    Parameters
    ----------
    changes : int
        How often the leader changed, seen from turn to turn.
    swing : float
        Largest rise of a side's lead from an earlier low.
    margin : float or None
        Lead of the winner when the last turn began, negative if it was won from behind; 0 if the win was shared; where
        all are on one side and lost, how far they were behind. None if nobody won.
    behind : float or None
        Lowest lead that the sole winner ever had.
    """

    changes: int
    swing: float
    margin: float | None
    behind: float | None

    @property
    def drama(self) -> tuple[float, int]:
        """What games are sorted by who look for the most exciting one: the swing, then the changes."""
        return self.swing, self.changes


class Follower:
    """Replays games of a match to see who led when. Not shared by threads."""

    def __init__(self, player: Player) -> None:
        self.player, self.game = player, player.game
        self.sides = self.game.sides(player.match.n_seats)
        self._follow = self._compiled()
        self._log = np.zeros(STEPS, np.int32)
        self._logged: tuple[int, Any] = (-1, None)
        self._desk = np.zeros(1, desk_dtype(self.game)).view(np.recarray)
        self._nothing = np.zeros((0, 1 + len(self.sides)))

    def _compiled(self) -> Any:
        if not jit.ENABLED:
            return follow
        return jit.pointer(follow, self.game.signatures.follow, self.game.own)

    def course(self, index: int) -> Course:
        """Return how game `index` went."""
        row, found, _ = self._replay(index, self._nothing)
        winners = [side for side in range(len(self.sides)) if int(row["winners"][0]) >> side & 1]
        n = len(self.sides)
        before, lowest = found[3 : 3 + n], found[3 + n : 3 + 2 * n]
        margin = behind = None
        if len(winners) == 1:
            margin, behind = float(before[winners[0]]), float(lowest[winners[0]])
        elif winners:
            margin = 0.0
        elif n == 1 and row["reason"][0]:
            margin = -float(before[0])
        return Course(int(found[0]), float(found[1]), margin, behind)

    def leads(self, index: int) -> tuple[Any, list[list[float]]]:
        """Return the outcome row of a game, and for each turn the rounds and the lead of each listed side."""
        seen = np.zeros((STEPS, 1 + len(self.sides)))
        row, _, rows = self._replay(index, seen)
        layout = Layout.of(self.game, self.player.match)
        rotation = index % len(self.player.match.rotations)
        n = len(self.sides)
        order = [next(s for s in range(n) if layout.share[rotation, 1 << s, side]) for side in range(n)]
        return row, seen[: int(rows)][:, [0, *(1 + s for s in order)]].tolist()

    def _replay(self, index: int, seen: Any) -> tuple[Any, Any, int]:
        row = self._record(index)
        found = np.zeros(3 + 3 * len(self.sides))
        self.set_up(index)
        with np.errstate(over="ignore"):
            rows = self._follow(self._desk, self.game.tools.pointers, self._log, len(self.sides), seen, found)
        return row, found, int(rows)

    def _record(self, index: int) -> Any:
        """Play a game with its actions logged, in a longer log if it needs one; return its outcome row."""
        while self._logged[0] != index:
            self._log[:] = -1
            row = self.player.play_logged(index, self._log)
            if self._log[-1] < 0:
                self._logged = index, row
                break
            self._log = np.zeros(4 * len(self._log), np.int32)
        return self._logged[1]

    def set_up(self, index: int) -> Any:
        """Set a game up as the driver does; return the state."""
        match = self.player.match
        state = self._desk[0].state
        self._desk["state"]["tab"][0] = match.tabs[index % len(match.rotations)]
        with np.errstate(over="ignore"):
            run_key = np.uint64(derive(np.uint64(match.seed), np.uint64(0)))
            open_streams(state.rng, np.uint64(derive(run_key, np.uint64(index // len(match.rotations)))))
            self.game.tools.setup(state)
        return state

    def actions(self, index: int) -> Counter[tuple[int, str]]:
        """Return how often each listed player took each sort of action where there was a choice."""
        found: Counter[tuple[int, str]] = Counter()
        seated = self.player.match.rotations[index % len(self.player.match.rotations)]
        for state, action, offered in self.steps(index):
            if offered > 1:
                role = self.game.roles[int(state.play.role)]
                found[seated[int(state.play.seat)], self.game.sort_of_action(state, action) or role] += 1
        return found

    def steps(self, index: int) -> Iterator[tuple[Any, int, int]]:
        """Yield the position before each action of a game, the action, and how many were offered."""
        self._record(index)
        state = self.set_up(index)
        offered = np.zeros(self.game.actions, np.int64)
        for action in self._log.tolist():
            if action < 0:
                return
            with np.errstate(over="ignore"):
                n = int(self.game.tools.legal(state, offered))
            yield state, action, n
            with np.errstate(over="ignore"):
                self.game.tools.apply(state, action)


class CourseTally:
    """Counts of games, and of the course of those that were followed; adding is merging.

    Attributes
    ----------
    odds : Tally
    followed, shared : int
        Games whose course is known; of these, those with a margin.
    changes : Counter
        Games by changes of the leader.
    change_squares : int
        Sum over the followed deals of the square of their changes, all rotations together.
    margin, swing : int
        Sums, in millionths.
    from_behind : int
        Games whose winner did not lead when the last turn began.
    actions : Counter
        By (listed player, sort).
    acted : int
        Games whose actions were counted.
    tops : dict
        For each kind of game worth a look the first `KEPT`, as (key, index), the best first.
    """

    def __init__(self, odds: Tally, player: Player | None) -> None:
        self.odds = odds
        self.followed = self.shared = self.from_behind = self.acted = 0
        self.changes: Counter[int] = Counter()
        self.margin = self.swing = self.change_squares = 0
        self.actions: Counter[tuple[int, str]] = Counter()
        self.tops: dict[str, list[tuple[float, int]]] = {}
        self._player = player

    def __getstate__(self) -> dict[str, Any]:
        """Leave the kernels at home: it travels between processes."""
        return self.__dict__ | {"_player": None}

    @property
    def games(self) -> int:
        """Games counted."""
        return self.odds.games

    @property
    def layout(self) -> Layout:
        """How the games are counted."""
        return self.odds.layout

    def count(self, rows: Any, first: int, followed: int, acted: int) -> None:
        """Add the rows of whole deals; follow the games below index `followed`, tell the actions below `acted`."""
        self.odds.count(rows, first)
        for kind, sign in (("shortest", 1), ("longest", -1)):
            lengths = sign * rows["rounds"].astype(np.int64)
            for place in np.argsort(lengths, kind="stable")[:KEPT].tolist():
                self._keep(kind, (float(lengths[place]), first + place))
        if self._player is None or first >= max(followed, acted):
            return
        follower = Follower(self._player)
        deal = 0
        for index in range(first, min(first + len(rows), max(followed, acted))):
            if index < followed:
                deal += self._add_course(index, follower.course(index))
                if (index + 1) % self.odds.rotations == 0:
                    self.change_squares += deal * deal
                    deal = 0
            if index < acted:
                self.actions += follower.actions(index)
                self.acted += 1

    def _add_course(self, index: int, course: Course) -> int:
        """Count how a game went; return its changes of the leader."""
        self.followed += 1
        self.changes[course.changes] += 1
        self.swing += round(course.swing * 1e6)
        self._keep("swing", (-course.swing, index))
        self._keep("changes", (-float(course.changes), index))
        if course.margin is not None:
            self.shared += 1
            self.margin += round(course.margin * 1e6)
            self.from_behind += course.margin < -LEVEL
            self._keep("closest", (abs(course.margin), index))
        if course.behind is not None:
            self._keep("comeback", (course.behind, index))
        return course.changes

    def _keep(self, kind: str, entry: tuple[float, int]) -> None:
        kept = self.tops.setdefault(kind, [])
        if len(kept) < KEPT or entry < kept[-1]:
            self.tops[kind] = heapq.nsmallest(KEPT, [*kept, entry])

    def add(self, other: CourseTally) -> None:
        """Add another tally of the same match."""
        self.odds.add(other.odds)
        for name in ("followed", "shared", "from_behind", "acted", "margin", "swing", "change_squares"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.changes += other.changes
        self.actions += other.actions
        for kind, entries in other.tops.items():
            for entry in entries:
                self._keep(kind, entry)


@dataclass(frozen=True)
class Followed(Odds):
    """The odds of a match, and how its first games go.

    Parameters
    ----------
    followed, acted : int
        Games whose leads are followed, whole deals; whose actions are counted.
    """

    followed: int = 0
    acted: int = 0

    def tally(self, players: Sequence[Player]) -> Any:
        """Return empty counts."""
        odds = Tally(Layout.of(players[0].game, self.match))
        return CourseTally(odds, players[0])

    def count(self, tally: Any, rows: Sequence[Any], first: int) -> None:
        """Add the rows of whole deals."""
        tally.count(rows[0], first, self.followed, self.acted)

    def look(self, tally: Any) -> Any:
        """Return every side's share so far."""
        return super().look(tally.odds)


def means(tally: CourseTally) -> dict[str, Any]:
    """Return what is told of the course of games: means per game, and a range of the changes of the leader."""
    n, rotations = tally.followed, tally.odds.rotations
    total = sum(changes * games for changes, games in tally.changes.items())
    low, high = amount_interval(n // rotations, total, tally.change_squares, rotations, CONFIDENCE, least=0.0)
    return {
        "games": n,
        "lead_changes": total / n if n else None,
        "lead_changes_low": low if math.isfinite(high) else None,
        "lead_changes_high": high if math.isfinite(high) else None,
        "swing": tally.swing / n / 1e6 if n else None,
        "margin": tally.margin / tally.shared / 1e6 if tally.shared else None,
        "from_behind": tally.from_behind / tally.shared if tally.shared else None,
    }
