"""Strategies that know no game: they see the legal actions and the game's own kernels, nothing else."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from simcore.contract import (
    APPLY,
    FEATURES,
    HIDE,
    LEAD,
    LEGAL,
    SCORE,
    Game,
    Param,
    UnusableError,
    number,
    strategy,
)
from simcore.errors import suggest
from simcore.jit import kernel
from simcore.rng import below, bits, reseed, uniform


@strategy()
def random(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Someone who has just learnt the rules: takes any legal action with equal chance.

    The yardstick of every other strategy. Dice, cards and spaces are individuals: two equal dice count twice.
    """
    return actions[below(state.rng, seat, n)]


TEMPERATURE, N_TIERS, N_FEATURES, WEIGHTS = range(4)
_LEVEL = 1e-9  # sums of weights that differ by less count as equal


@strategy()
def weights(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """A player described by numbers: the action with the largest weighted sum of the game's features.

    Parameters: `weights`, a number for each feature (0 if not named), or `tiers`, a list of such tables: an action
    that is not among the best of one tier is out before the next is asked. `temperature` (default 0) softens the
    last tier: an action is taken with a chance proportional to ``exp(sum / temperature)``. Equals are drawn by lot.
    """
    n_features = int(params[N_FEATURES])
    table = work.floats[:]
    sums = table[n * n_features : n * (n_features + 1)]
    alive = work.ints[:n]
    for i in range(n):
        alive[i] = 1
        tools[0][FEATURES](state, seat, actions[i], work, table[i * n_features : (i + 1) * n_features])
    for tier in range(int(params[N_TIERS])):
        best = weigh(table, n, n_features, params, WEIGHTS + tier * n_features, alive, sums)
        if tier < int(params[N_TIERS]) - 1 or params[TEMPERATURE] == 0.0:
            for i in range(n):
                if sums[i] < best - _LEVEL:
                    alive[i] = 0
        else:
            return actions[draw_softly(state, seat, n, alive, sums, best, params[TEMPERATURE])]
    left = 0
    for i in range(n):
        left += alive[i]
    skip = below(state.rng, seat, left)
    for i in range(n):
        skip -= alive[i]
        if skip < 0:
            return actions[i]
    return actions[0]


@kernel
def weigh(table: Any, n: int, n_features: int, params: Any, first: int, alive: Any, sums: Any) -> float:
    """Write the weighted sum of each of `n` actions' features into `sums`; return the largest that is alive."""
    best = -math.inf
    for i in range(n):
        total = 0.0
        for f in range(n_features):
            total += params[first + f] * table[i * n_features + f]
        sums[i] = total
        if alive[i] and total > best:
            best = total
    return best


@kernel
def draw_softly(state: Any, seat: int, n: int, alive: Any, sums: Any, best: float, temperature: float) -> int:
    """Return the index of an action that is alive, with a chance proportional to ``exp(sum / temperature)``."""
    total = 0.0
    for i in range(n):
        if alive[i]:
            total += math.exp((sums[i] - best) / temperature)
    rest = uniform(state.rng, seat) * total
    last = 0
    for i in range(n):
        if alive[i]:
            last = i
            rest -= math.exp((sums[i] - best) / temperature)
            if rest < 0.0:
                return i
    return last


def _pack_weights(game: Game, given: Mapping[str, Any]) -> list[float]:
    """Return ``[temperature, number of tiers, F, weights of tier 1, weights of tier 2, ...]``."""
    for key in given:
        if key not in ("weights", "tiers", "temperature"):
            raise UnusableError(f"strategy 'weights' has no parameter '{key}'{suggest(key, WEIGHT_KEYS)}", key)
    if ("weights" in given) == ("tiers" in given):
        raise UnusableError("strategy 'weights' needs either weights or tiers")
    tiers = given["tiers"] if "tiers" in given else [given["weights"]]
    where = "tiers" if "tiers" in given else "weights"
    if not isinstance(tiers, list) or not tiers:
        raise UnusableError("tiers: expected a list of tables of weights", "tiers")
    vector = [number("temperature", given.get("temperature", 0), Param(0, 0, 1e6, ""))]
    vector += [float(len(tiers)), float(len(game.features))]
    for index, tier in enumerate(tiers):
        place: tuple[str | int, ...] = (where, index) if where == "tiers" else (where,)
        vector += _tier(game, tier, place)
    return vector


WEIGHT_KEYS = ("weights", "tiers", "temperature")


def _tier(game: Game, tier: Any, place: tuple[str | int, ...]) -> list[float]:
    names = [feature.name for feature in game.features]
    if not isinstance(tier, dict) or not tier:
        raise UnusableError("expected a table of weights, such as {gain: 1, rank: -0.5}", *place)
    row = [0.0] * len(names)
    for name, value in tier.items():
        if name not in names:
            raise UnusableError(f"'{game.name}' has no action feature '{name}'{suggest(name, names)}", *place, name)
        try:
            row[names.index(name)] = number(name, value, Param(0, -1e6, 1e6, ""))
        except UnusableError as error:
            raise UnusableError(error.message, *place, name) from None
    return row


weights.strategy_pack = _pack_weights  # type: ignore[attr-defined]


@strategy(
    rollouts=Param(64, 1, 100_000, "random continuations a decision, shared by the actions"),
    horizon=Param(0, 0, 10_000, "rounds that a continuation is played on; 0: to the end"),
)
def lookahead(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """A careful player who imagines how the game may go on after each action and takes the best on average.

    Every imagined game first re-deals what this seat cannot know (`hide`), the same re-deals for each action, and is
    played on at random. Its value is the win share of the seat's side, or at the horizon how far it leads. At least
    one continuation an action is played, even if there are more actions than `rollouts`.
    """
    totals = work.floats[:n]
    deal = work.deal
    line = work.line
    for i in range(n):
        totals[i] = 0.0
    for _ in range(max(1, int(params[0]) // n)):
        work.deal = state
        tools[0][HIDE](deal, seat, bits(state.rng, seat))
        reseed(deal.rng, bits(state.rng, seat), -1)
        for i in range(n):
            work.line = deal
            tools[0][APPLY](line, actions[i])
            play_on(line, int(params[1]), work, tools)
            totals[i] += value(line, state.tab.side_of[seat], work, tools)
    best = 0
    for i in range(1, n):
        if totals[i] > totals[best]:
            best = i
    return actions[best]


@kernel
def play_on(line: Any, horizon: int, work: Any, tools: Any) -> None:
    """Play `line` on at random, for `horizon` rounds at most (0: to the end)."""
    actions = work.ints[:]
    last = line.play.rounds + horizon
    while line.play.over == 0 and (horizon == 0 or line.play.rounds < last):
        n = tools[0][LEGAL](line, actions)
        if n <= 0:
            return
        tools[0][APPLY](line, actions[below(line.rng, line.play.seat, n)])


@kernel
def value(line: Any, side: int, work: Any, tools: Any) -> float:
    """Return what the position is worth to `side`: -1 (lost) to 1 (won), a shared win in between."""
    row = work.row
    if line.play.over == 0:
        return float(tools[0][LEAD](line, side))
    tools[0][SCORE](line, row)
    if row.reason == 0:
        return float(tools[0][LEAD](line, side))
    if row.winners >> side & 1 == 0:
        return -1.0
    winners = 0
    mask = row.winners
    while mask:
        mask &= mask - 1
        winners += 1
    return 2.0 / winners - 1.0
