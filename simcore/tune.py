"""A search for better weights of one player, and what the best ones found gain over the player as given.

The search is CMA-ES (Hansen and Ostermeier 2001; library `cma`). Every candidate of a generation plays the same deals,
and those that cannot be in its better half any more stop early (Heidrich-Meisner and Igel 2009). The deals of each
generation, of the final choice and of the validation are all different ones.
"""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from statistics import NormalDist
from typing import Any

import numpy as np

from simcore import jit
from simcore.blocks import CONFIDENCE, Odds, Run, side_interval
from simcore.comparison import Comparison, Effect
from simcore.contract import Game
from simcore.errors import InputError
from simcore.match import Match
from simcore.race import Entrant, Interval, best, race, stages
from simcore.results import side_labels
from simcore.rng import SEED_LIMIT, derive
from simcore.scenario import Loader, Scenario
from simcore.stats.simultaneous import simultaneous_confidence

SCHEMA = "balance.tune/1"
FILE = "tune.json"
"""What holds the answer in a directory."""

BUDGET = 200_000
"""Games in all, where nothing else is asked for."""

SEARCH, CHOICE = 0.5, 0.1
"""Shares of the budget for the search and for the choice among the finalists; the rest validates."""

FIRST, LAST = 200, 800
"""Games of a candidate at its first stage, and at most."""

GENERATIONS = 10
"""Generations that the search may count on, however small the budget is."""

LEAST_BUDGET = 10_000

STRATEGY = "weights"
SPREAD = 0.5
"""Step size at the start, in units of each weight."""

FINALISTS = 4


@dataclass(frozen=True)
class Start:
    """Whose weights are searched for, and where the search starts.

    Parameters
    ----------
    entry : int
        The listed player, from 0.
    side : int
    names : tuple of (tier, feature)
        Of each weight.
    mean, units : tuple of float
        Weights at the start, and what is a small change of each.
    temperature : float
    tiers : int
    is_given : bool
        The player has weights already; else the search starts from none.
    """

    entry: int
    side: int
    names: tuple[tuple[int, str], ...]
    mean: tuple[float, ...]
    units: tuple[float, ...]
    temperature: float
    tiers: int
    is_given: bool

    def params(self, weights: Sequence[float]) -> dict[str, Any]:
        """Return the parameters of strategy `weights`, as a scenario has them; weights of 0 are left out."""
        tiers: list[dict[str, float]] = [{} for _ in range(self.tiers)]
        for (tier, name), weight in zip(self.names, weights, strict=True):
            if weight:
                tiers[tier][name] = float(f"{weight:.4g}")
        for tier, table in enumerate(tiers):
            if not table:  # a table may not be empty
                table[next(name for t, name in self.names if t == tier)] = 0.0
        found: dict[str, Any] = {"weights": tiers[0]} if self.tiers == 1 else {"tiers": tiers}
        return found | ({"temperature": self.temperature} if self.temperature else {})

    def overrides(self, weights: Sequence[float]) -> list[str]:
        """Return what ``--set`` would be given."""
        seat = f"seats.{self.entry + 1}"
        return [f"{seat}.strategy={STRATEGY}", f"{seat}.params={json.dumps(self.params(weights))}"]


def start(scenario: Scenario, seat: int) -> Start:
    """Return where the search for the weights of listed player `seat` (from 1) starts.

    Raises
    ------
    InputError
        If there is no such player, or if the game has no features.
    """
    if not 1 <= seat <= len(scenario.entries):
        raise InputError.of(f"--seat {seat}", f"expected 1 to {len(scenario.entries)}, the players of {scenario.name}")
    if not scenario.game.features:
        raise InputError.of(scenario.name, f"'{scenario.game.name}' has no action features to weigh")
    entry = scenario.entries[seat - 1]
    sides = scenario.game.sides(len(scenario.entries))
    side = next(i for i, seats in enumerate(sides) if seat - 1 in seats)
    given = set(entry.strategies) == {STRATEGY} and all(params == entry.params[0] for params in entry.params)
    params = entry.params[0] if given else {"weights": {}}
    tiers = params.get("tiers") or [params["weights"]]
    features = [feature.name for feature in scenario.game.features]
    names = tuple((tier, name) for tier in range(len(tiers)) for name in features)
    mean = tuple(float(tiers[tier].get(name, 0)) for tier, name in names)
    sizes = [abs(weight) for weight in mean if weight]
    usual = math.exp(sum(map(math.log, sizes)) / len(sizes)) if sizes else 1.0
    units = tuple(abs(weight) or usual for weight in mean)
    return Start(seat - 1, side, names, mean, units, float(params.get("temperature", 0)), len(tiers), given)


def with_weights(scenario: Scenario, begin: Start, weights: Sequence[float], seed: int, loader: Loader) -> Match:
    """Return the match in which the player has these weights: that of the scenario with `Start.overrides`."""
    return _seated(scenario.match, scenario.game, begin, loader, weights, seed)


def _seated(match: Match, game: Game, begin: Start, loader: Loader, weights: Sequence[float], seed: int) -> Match:
    found = loader.strategy(game.ref, STRATEGY)
    vector = found.vector(game, begin.params(weights))
    roles = len(game.roles)
    params = match.params.copy()
    strategies = [list(row) for row in match.strategies]
    for r, rotation in enumerate(match.rotations):
        seated = [*rotation, *[rotation[0]] * (game.seats - match.n_seats)]
        for place, entry in enumerate(seated):
            if entry == begin.entry:
                for slot in range(place * roles, (place + 1) * roles):
                    params[r, slot] = vector
                    strategies[r][slot] = found.ref
    return replace(match, seed=seed, params=params, strategies=tuple(map(tuple, strategies)))


def fresh_seed(seed: int, number: int) -> int:
    """Return one of many seeds that have nothing to do with each other, nor with `seed`."""
    with np.errstate(over="ignore"):
        return int(derive(np.uint64(derive(np.uint64(seed), np.uint64(3))), np.uint64(number))) % SEED_LIMIT


CHOICE_SEED, VALIDATION_SEED, NORMALS_SEED, GENERATION_SEED = range(4)


class Normals:
    """Standard normal numbers from our own generator: `cma` would draw from that of numpy, which all share."""

    def __init__(self, seed: int) -> None:
        self._key = np.uint64(seed)
        self._count = 0
        self._normal = NormalDist()

    def __call__(self, *shape: int) -> Any:
        """Return an array of them."""
        return np.array([self._next() for _ in range(math.prod(shape))]).reshape(shape)

    def _next(self) -> float:
        self._count += 1
        with np.errstate(over="ignore"):
            drawn = int(derive(self._key, np.uint64(self._count))) >> 11
        return self._normal.inv_cdf((drawn + 0.5) / 2**53)


@dataclass
class Search:
    """A search while it goes on.

    Parameters
    ----------
    scenario : Scenario
    begin : Start
    loader : Loader
    budget : int
        Games of the whole search, all of its parts together.
    play : function of (question, games, what was played before or None)
        Plays a match on to so many games.
    over : function
        True once no more time is left.
    """

    scenario: Scenario
    begin: Start
    loader: Loader
    budget: int
    play: Callable[[Odds, int, Run | None], Run]
    over: Callable[[], bool]
    games: int = 0
    generations: list[dict[str, Any]] = field(default_factory=list)
    finalists: list[dict[str, Any]] = field(default_factory=list)

    def run(self) -> tuple[float, ...]:
        """Search; return the best weights found."""
        import cma

        begin = self.begin
        seed = self.scenario.match.seed
        options = {
            **{"seed": math.nan, "randn": Normals(fresh_seed(seed, NORMALS_SEED))},
            **{"CMA_stds": list(begin.units), "verbose": -10, "verb_log": 0, "verb_disp": 0},
        }
        state = cma.CMAEvolutionStrategy(list(begin.mean), SPREAD, options)
        leaders: list[tuple[float, ...]] = []
        while self.games < SEARCH * self.budget and not self.over():
            drawn = [tuple(map(float, each)) for each in state.ask()]
            asked = [self._told(weights) for weights in drawn]
            number = len(self.generations) + 1
            last = max(FIRST, min(LAST, int(SEARCH * self.budget / GENERATIONS / len(asked))))
            runs = self._race(asked, len(asked) // 2, fresh_seed(seed, GENERATION_SEED + number), last)
            if any(each.run is None for each in runs):
                break
            rates = [self._rate(each.run)[0] for each in runs]
            state.tell([list(each) for each in drawn], [-rate for rate in rates])
            leaders.append(asked[max(range(len(rates)), key=rates.__getitem__)])
            self._note(number, runs, rates)
        middle = [self._told(tuple(map(float, state.result.xfavorite)))] if leaders else []
        return self._chosen([*middle, *leaders[: -FINALISTS + 1 : -1]])

    def _told(self, weights: Sequence[float]) -> tuple[float, ...]:
        """Return the weights as a scenario would have them, rounded."""
        return tuple(float(f"{weight:.4g}") for weight in weights)

    def _rate(self, run: Run | None, entrants: int = 1) -> tuple[float, float, float]:
        if run is None:
            return 0.0, 0.0, 1.0
        return side_interval(run.tally, self.begin.side, simultaneous_confidence(CONFIDENCE, entrants))

    def _race(self, asked: Sequence[tuple[float, ...]], keep: int, seed: int, last: int) -> list[Entrant]:
        """Let candidates play the same deals until those are known that are not among the best `keep`."""

        def entrant(number: int, weights: tuple[float, ...]) -> Entrant:
            match = with_weights(self.scenario, self.begin, weights, seed, self.loader)
            question = Odds(match, 0.01)

            def play(games: int, before: Run | None) -> Run:
                run = self.play(question, games, before)
                return run

            def span(run: Run) -> Interval:
                return self._rate(run, len(asked))[1:]

            return Entrant(f"candidate {number}", play, span)

        runs = [entrant(number, weights) for number, weights in enumerate(asked, 1)]
        race(runs, best(keep), stages(FIRST, last, len(self.scenario.match.rotations)), self.over)
        self.games += sum(each.run.tally.games for each in runs if each.run is not None)
        return runs

    def _note(self, number: int, runs: Sequence[Entrant], rates: Sequence[float]) -> None:
        games = [each.run.tally.games for each in runs if each.run is not None]
        early = [each.why for each in runs if each.why]
        self.generations.append(
            {
                "generation": number,
                "best": max(rates),
                "mean": sum(rates) / len(rates),
                "candidates": len(rates),
                "games": sum(games),
                "stopped": len(early),
                "why": early[0] if early else None,
            }
        )

    def _chosen(self, asked: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
        """Return the best of the last leaders and the middle of the search, on deals of their own."""
        asked = list(dict.fromkeys([*asked, *([self.begin.mean] if self.begin.is_given or not asked else [])]))
        if len(asked) == 1:
            return asked[0]
        each_may = max(int(CHOICE * self.budget) // len(asked), FIRST)
        runs = self._race(asked, 1, fresh_seed(self.scenario.match.seed, CHOICE_SEED), each_may)
        played = [(self._rate(each.run), weights, each) for weights, each in zip(asked, runs, strict=True)]
        for (rate, low, high), weights, each in played:
            self.finalists.append(
                {
                    "is_given": self.begin.is_given and weights == self.begin.mean,
                    "games": each.run.tally.games if each.run else 0,
                    "rate": rate,
                    "low": low,
                    "high": high,
                    "stop": each.run.reason if each.run else None,
                    "why": each.why or None,
                }
            )
        number = max(range(len(played)), key=lambda i: played[i][0][0])
        self.finalists[number]["chosen"] = True
        return asked[number]


@dataclass(frozen=True)
class Validation(Comparison):
    """The player as given against the player found, until the games are up: no stop that favours a sign."""

    def enough(self, look: Any) -> None:
        """Play all."""
        return None


def validation(given: Match, found: Match, asked: Comparison) -> Validation:
    """Return what is asked of the deals that nobody has seen; `asked` says what is counted."""
    return Validation(given, found, asked.names, asked.primary, asked.margin)


def answer(
    scenario: Scenario,
    search: Search,
    weights: Sequence[float],
    gained: Effect | None,
    validated: Run | None,
    command: Sequence[str],
    words: Sequence[str],
    seconds: float,
) -> dict[str, Any]:
    """Return the answer as plain data (strict JSON); `command` compares both again."""
    begin = search.begin
    entry = scenario.entries[begin.entry]
    known = gained is not None and gained.low is not None
    verdict = {1: "exploitable", -1: "worse", 0: "undecided"}[gained.sign] if gained and known else "undecided"
    if tuple(weights) == begin.mean:
        verdict = "nothing-better"
    return {
        "schema": SCHEMA,
        "game": scenario.game.name,
        "scenario": scenario.name,
        "label": scenario.label,
        "seat": begin.entry + 1,
        "player": entry.label,
        "side": side_labels(scenario)[begin.side],
        "given": scenario.resolved["seats"][begin.entry],
        "found": _seat(scenario, begin, weights),
        "weights": [
            {"tier": tier + 1, "feature": name, "given": old if begin.is_given else None, "found": new}
            for (tier, name), old, new in zip(begin.names, begin.mean, weights, strict=True)
        ],
        "verdict": verdict,
        "exploitability": {
            "estimate": gained.difference if gained else None,
            "low": gained.low if gained else None,
            "high": gained.high if gained else None,
            "given": gained.a if gained else None,
            "found": gained.b if gained else None,
            "games": validated.tally.games if validated else 0,
            "seed": fresh_seed(scenario.match.seed, VALIDATION_SEED),
            "stop": validated.reason if validated else None,
            "command": shlex.join(command) if validated else "",
        },
        "generations": search.generations,
        "finalists": search.finalists,
        "budget": search.budget,
        "searched": search.games,
        "games": search.games + (2 * validated.tally.games if validated else 0),
        "seed": scenario.match.seed,
        "confidence": CONFIDENCE,
        "resolved": scenario.resolved,
        "digest": {"inputs": scenario.inputs, "sources": jit.sources_digest()},
        "command": shlex.join(["balance", "tune", *words, "--seed", str(scenario.match.seed)]),
        "timing": {"seconds": seconds},
    }


def _seat(scenario: Scenario, begin: Start, weights: Sequence[float]) -> dict[str, Any]:
    """Return the player found as a scenario lists it."""
    seat = dict(scenario.resolved["seats"][begin.entry])
    return seat | {"strategy": STRATEGY, "params": begin.params(weights)}
