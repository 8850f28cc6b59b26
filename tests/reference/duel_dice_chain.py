"""The duel reduced to dice alone, solved exactly as an absorbing Markov chain.

No cards; whoever has to discard takes each eligible die with equal chance. A state is both healths and
both dice pools. Written apart from the game: it knows only RB "Playing the Game", "Ties" and "Scoring a
Hit" and rulings 18 to 23.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Pool = tuple[int, ...]  # number of active dice of each kind
DieKind = Mapping[str, Any]
Number = Fraction | float
Spread = dict[int, dict[Pool, Fraction]]  # swords shown -> pool after the round -> probability

WIN_0, WIN_1 = -1, -2  # where a game that ends goes, beside the indices of the states


class State(NamedTuple):
    """A position before the roll."""

    health_0: int
    health_1: int
    pool_0: Pool
    pool_1: Pool


@dataclass(frozen=True)
class Solution:
    """The exact answer.

    Attributes
    ----------
    win
        Probability that seat 0, seat 1 wins when play goes on until somebody does.
    mean_rounds
        Expected number of rounds, without a cap.
    ended
        Shape (cap + 1, 2): probability that the game ends in round n (row n) with that seat's win.
    tail
        Probability that the game is still going on after `cap` rounds.
    """

    win: tuple[Number, Number]
    mean_rounds: Number
    ended: NDArray[np.float64]
    tail: float

    @property
    def rounds(self) -> NDArray[np.float64]:
        """Return the probability of each number of rounds, index = rounds."""
        return np.asarray(self.ended.sum(axis=1))


def solve(
    dice: Sequence[DieKind],
    rules: Mapping[str, Any],
    cap: int = 500,
    other_dice: Sequence[DieKind] | None = None,
    *,
    exact: bool = False,
) -> Solution:
    """Solve the duel of dice alone.

    Parameters
    ----------
    dice
        Kinds of dice, each with `start` and `faces`; `other_dice` are those of seat 1 if they differ.
    rules
        `hits_to_win`, `hit_discard`, `tie_discard`.
    cap
        Last round of the distribution of rounds.
    exact
        Win probabilities and mean as fractions instead of floats (slower).

    Raises
    ------
    ValueError
        When some position ties for ever.
    """
    chain = Chain((dice, other_dice or dice), rules)
    win_0 = chain.expect(Fraction(0), Fraction(1), Fraction(0), exact=exact)
    win_1 = chain.expect(Fraction(0), Fraction(0), Fraction(1), exact=exact)
    mean = chain.expect(Fraction(1), Fraction(0), Fraction(0), exact=exact)
    ended, tail = chain.rounds(cap)
    return Solution((win_0, win_1), mean, ended, tail)


# ---------------------------------------------------------------------- one player's roll


def showing(number: int, faces: Sequence[int]) -> dict[tuple[int, int], Fraction]:
    """Return the chance of (dice showing a sword, swords) for `number` dice with these faces."""
    blank = Fraction(sum(swords == 0 for swords in faces), len(faces))
    sums = {0: Fraction(1)}  # swords of `lit` dice that all show one, with the chance of each doing so
    table: dict[tuple[int, int], Fraction] = {}
    for lit in range(number + 1):
        for swords, chance in sums.items():
            table[lit, swords] = comb(number, lit) * blank ** (number - lit) * chance
        grown: dict[int, Fraction] = {}
        for (swords, chance), face in product(sums.items(), [face for face in faces if face > 0]):
            grown[swords + face] = grown.get(swords + face, Fraction(0)) + chance / len(faces)
        sums = grown
    return table


def roll(pool: Pool, faces: Sequence[Sequence[int]]) -> dict[tuple[int, Pool], Fraction]:
    """Return the chance of (swords, dice showing a sword by kind) for a pool (RB "Playing the Game")."""
    table: dict[tuple[int, Pool], Fraction] = {(0, ()): Fraction(1)}
    for number, kind in zip(pool, faces, strict=True):
        grown: dict[tuple[int, Pool], Fraction] = {}
        for ((total, lits), chance), ((lit, swords), factor) in product(table.items(), showing(number, kind).items()):
            key = (total + swords, (*lits, lit))
            grown[key] = grown.get(key, Fraction(0)) + chance * factor
        table = grown
    return table


def without(pool: Pool, kind: int) -> Pool:
    """Return the pool with one die of a kind less."""
    return tuple(number - (index == kind) for index, number in enumerate(pool))


def spread(pool: Pool, faces: Sequence[Sequence[int]], *, discards: bool) -> Spread:
    """Return swords shown and the pool afterwards, one eligible die leaving when `discards`.

    Eligible are the dice showing a sword, or all of them when none does (rulings 19 to 21); the last die
    stays (RB "Ties", "Scoring a Hit"; rulings 18 and 22).
    """
    table: Spread = {}
    for (swords, lits), chance in roll(pool, faces).items():
        after = table.setdefault(swords, {})
        if not discards or sum(pool) == 1:
            after[pool] = after.get(pool, Fraction(0)) + chance
            continue
        eligible = lits if sum(lits) else pool
        for kind, number in enumerate(eligible):
            if number:
                left = without(pool, kind)
                after[left] = after.get(left, Fraction(0)) + chance * Fraction(number, sum(eligible))
    return table


# ---------------------------------------------------------------------- one round of both


@dataclass(frozen=True)
class Round:
    """What one round does to a pair of pools: three exclusive cases with the pool or pools afterwards."""

    hit_0: dict[Pool, Fraction]
    hit_1: dict[Pool, Fraction]
    tie: dict[tuple[Pool, Pool], Fraction]


def hit_cases(scorer: Spread, other: Spread) -> dict[Pool, Fraction]:
    """Return the scorer's pool after showing more swords (RB "Scoring a Hit"), with its chance."""
    other_chance = {swords: sum(after.values(), Fraction(0)) for swords, after in other.items()}
    cases: dict[Pool, Fraction] = {}
    for swords, after in scorer.items():
        fewer = sum((chance for shown, chance in other_chance.items() if shown < swords), Fraction(0))
        for pool, chance in after.items():
            cases[pool] = cases.get(pool, Fraction(0)) + chance * fewer
    return {pool: chance for pool, chance in cases.items() if chance}


def tie_cases(first: Spread, second: Spread) -> dict[tuple[Pool, Pool], Fraction]:
    """Return both pools after equal swords (RB "Ties"), with their chance."""
    cases: dict[tuple[Pool, Pool], Fraction] = {}
    for swords in first.keys() & second.keys():
        for (pool_0, chance_0), (pool_1, chance_1) in product(first[swords].items(), second[swords].items()):
            pair = (pool_0, pool_1)
            cases[pair] = cases.get(pair, Fraction(0)) + chance_0 * chance_1
    return cases


class Chain:
    """The reachable positions and the chance of each step between them."""

    def __init__(self, dice: Sequence[Sequence[DieKind]], rules: Mapping[str, Any]) -> None:
        self.rules = rules
        self.faces = [[tuple(kind["faces"]) for kind in kinds] for kinds in dice]
        pool_0, pool_1 = (tuple(kind["start"] for kind in kinds) for kinds in dice)
        self._spreads: dict[tuple[int, Pool, bool], Spread] = {}
        self._rounds: dict[tuple[Pool, Pool], Round] = {}
        self.numbers: dict[State, int] = {}
        self.states: list[State] = []
        self.index(State(rules["hits_to_win"], rules["hits_to_win"], pool_0, pool_1))
        self.steps: list[list[tuple[int, Fraction]]] = []
        # The list grows while it is walked, until every reachable position has its steps.
        for state in self.states:
            self.steps.append(self.steps_from(state))

    def steps_from(self, state: State) -> list[tuple[int, Fraction]]:
        """Return (next state, chance) for one round from a position."""
        case = self.round_of(state.pool_0, state.pool_1)
        steps: list[tuple[int, Fraction]] = []
        for pool, chance in case.hit_0.items():
            after = state._replace(health_1=state.health_1 - 1, pool_0=pool)
            steps.append((WIN_0 if after.health_1 == 0 else self.index(after), chance))
        for pool, chance in case.hit_1.items():
            after = state._replace(health_0=state.health_0 - 1, pool_1=pool)
            steps.append((WIN_1 if after.health_0 == 0 else self.index(after), chance))
        for (pool_0, pool_1), chance in case.tie.items():
            steps.append((self.index(state._replace(pool_0=pool_0, pool_1=pool_1)), chance))
        return steps

    def index(self, state: State) -> int:
        """Return the number of a position, a new one when it is new."""
        if state not in self.numbers:
            self.numbers[state] = len(self.states)
            self.states.append(state)
        return self.numbers[state]

    def round_of(self, pool_0: Pool, pool_1: Pool) -> Round:
        """Return one round of a pair of pools."""
        if (pool_0, pool_1) not in self._rounds:
            hit, tie = bool(self.rules["hit_discard"]), bool(self.rules["tie_discard"])
            self._rounds[pool_0, pool_1] = Round(
                hit_0=hit_cases(self.spread_of(0, pool_0, hit), self.spread_of(1, pool_1, hit)),
                hit_1=hit_cases(self.spread_of(1, pool_1, hit), self.spread_of(0, pool_0, hit)),
                tie=tie_cases(self.spread_of(0, pool_0, tie), self.spread_of(1, pool_1, tie)),
            )
        return self._rounds[pool_0, pool_1]

    def spread_of(self, seat: int, pool: Pool, discards: bool) -> Spread:
        """Return the spread of one player's pool."""
        key = (seat, pool, discards)
        if key not in self._spreads:
            self._spreads[key] = spread(pool, self.faces[seat], discards=discards)
        return self._spreads[key]

    def expect(self, each_round: Number, win_0: Number, win_1: Number, *, exact: bool) -> Number:
        """Return the expected sum of `each_round` per round and the pay of the winning seat.

        A round takes a health or a die, or (a tie without a discard) leaves the position as it is: apart
        from these loops no position comes back, so positions are solved from the poorest up.
        """
        convert = Fraction if exact else float
        values: dict[int, Number] = {WIN_0: convert(win_0), WIN_1: convert(win_1)}
        for state in sorted(self.states, key=wealth):
            index = self.numbers[state]
            total, stay = convert(each_round), Fraction(0)
            for target, chance in self.steps[index]:
                if target == index:
                    stay += chance
                else:
                    total += convert(chance) * values[target]
            if stay == 1:
                raise ValueError(f"{state} ties for ever")
            values[index] = total / convert(1 - stay)
        return values[0]

    def rounds(self, cap: int) -> tuple[NDArray[np.float64], float]:
        """Return the chance of ending in each round by winner, shape (cap + 1, 2), and of not ending."""
        count = len(self.states)
        flat = [(source, target, float(p)) for source, steps in enumerate(self.steps) for target, p in steps]
        sources = np.array([source for source, _, _ in flat])
        # The wins follow the states.
        targets = np.array([target if target >= 0 else count - 1 - target for _, target, _ in flat])
        chances = np.array([chance for _, _, chance in flat])
        mass: NDArray[np.float64] = np.zeros(count)
        mass[0] = 1.0
        ended = np.zeros((cap + 1, 2))
        for number in range(1, cap + 1):
            flow = mass[sources] * chances
            arrived = np.bincount(targets, weights=flow, minlength=count + 2).astype(np.float64)
            mass, ended[number] = arrived[:count], arrived[count:]
        return ended, float(mass.sum())


def wealth(state: State) -> int:
    """Return healths and dice left, which no round increases."""
    return state.health_0 + state.health_1 + sum(state.pool_0) + sum(state.pool_1)
