"""The same question at several skill levels, side by side, each at the precision that it can afford.

What a level can afford is counted in moves of the rules, not in seconds, so that it is the same on every machine: a
look-ahead that imagines a thousand moves for one that is played gets a thousandth of the games.
"""

from __future__ import annotations

import itertools
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from simcore import jit
from simcore.blocks import CONFIDENCE, Run, side_interval
from simcore.contract import UnusableError
from simcore.course import CourseTally, Follower, means
from simcore.errors import InputError
from simcore.results import side_labels, summary
from simcore.scenario import Loader, Scenario
from simcore.stats.simultaneous import simultaneous_confidence

SCHEMA = "balance.ladder/1"
FILE = "ladder.json"
"""What holds the answer in a directory."""

LEVELS = "random,scripted,lookahead"
SCRIPTED, LOOKAHEAD, RANDOM = "scripted", "lookahead", "random"

PRECISION = "0.5"
"""Points of every share, where nothing else is asked for and a level can afford it."""

ROLLOUTS = 16
"""Imagined games a decision of the look-ahead."""

MOVES = 100_000_000
"""Moves of the rules, played and imagined, that a level may cost."""

LEAST, PILOT = 100, 20
"""Games that every level gets; games at random that say how long a game is."""

FOLLOWED, ACTED = 1000, 100
"""Games whose course is followed; games whose actions are counted."""


@dataclass(frozen=True)
class Level:
    """A level of skill: its name as typed, the strategy each listed player has, and what ``--set`` makes of it."""

    name: str
    overrides: tuple[tuple[str, str], ...]


def levels(scenario: Scenario, text: str, rollouts: int, loader: Loader, own: Sequence[str]) -> list[Level]:
    """Read ``random,scripted,lookahead``; any other word is a strategy that all seats play.

    Parameters
    ----------
    rollouts : int
        Imagined games a decision of ``lookahead``.
    own : sequence of str
        Strategies written for the game: ``scripted`` is the scenario as it stands, and the first of these where a
        player of it has none.

    Raises
    ------
    InputError
        If a level is unknown or given twice.
    """
    names = [name.strip() for name in text.split(",")]
    if "" in names or len(set(names)) < len(names):
        raise InputError.of(f"--levels {text}", "a level is given twice, or a name between two commas is missing")
    for name in names:
        if name != SCRIPTED:
            try:
                loader.check(scenario.game.ref, name, Path.cwd())
            except UnusableError as error:
                raise InputError.of("--levels", str(error)) from None
    if SCRIPTED in names and not own and not all(map(_is_scripted, scenario.resolved["seats"])):
        raise InputError.of("--levels", f"'{scenario.game.name}' has no scripted strategy")
    return [Level(name, tuple(_overrides(scenario, name, rollouts, own))) for name in names]


def _is_scripted(seat: dict[str, Any]) -> bool:
    strategy = seat["strategy"]
    return not {RANDOM, LOOKAHEAD} & set(strategy.values() if isinstance(strategy, dict) else [strategy])


def _overrides(scenario: Scenario, name: str, rollouts: int, own: Sequence[str]) -> list[tuple[str, str]]:
    found = []
    for number, seat in enumerate(scenario.resolved["seats"], 1):
        if name == SCRIPTED and _is_scripted(seat):
            continue
        params = f"{{rollouts: {rollouts}}}" if name == LOOKAHEAD else "{}"
        found += [(f"seats.{number}.strategy", own[0] if name == SCRIPTED else name)]
        if params != "{}" or "params" in seat:
            found += [(f"seats.{number}.params", params)]
    return found


def costs(follower: Follower, rollouts: int) -> tuple[float, float]:
    """Return the moves of a game without and with a look-ahead at every decision, from games at random."""
    played = imagined = 0
    for index in range(PILOT):
        offered = [n for _, _, n in follower.steps(index)]
        played += len(offered)
        imagined += sum(max(1, rollouts // n) * n * (len(offered) - i) for i, n in enumerate(offered) if n > 1)
    return played / PILOT, (played + imagined) / PILOT


def affordable(scenario: Scenario, moves: tuple[float, float]) -> int:
    """Return the games that a level can afford, whole deals."""
    looks_ahead = any(LOOKAHEAD in entry.strategies for entry in scenario.entries)
    rotations = len(scenario.match.rotations)
    games = max(int(MOVES / max(moves[looks_ahead], 1.0)), LEAST)
    return -(-games // rotations) * rotations


def whole_deals(games: int, scenario: Scenario) -> int:
    """Return at least so many games, as whole deals."""
    rotations = len(scenario.match.rotations)
    return -(-games // rotations) * rotations


def told(level: Level, scenario: Scenario, run: Run, can_afford: int, levels: int) -> dict[str, Any]:
    """Return what a level answers."""
    tally: CourseTally = run.tally
    found = summary(scenario, replace(run, tally=tally.odds))
    n_sides = len(found["sides"])
    joint = simultaneous_confidence(CONFIDENCE, levels * n_sides)
    ends = [side_interval(tally.odds, side, joint)[1:] for side in range(n_sides)]
    return {
        "level": level.name,
        "strategies": [_strategy(entry.strategies) for entry in scenario.entries],
        "games": tally.games,
        "affordable": can_afford,
        "sides": [
            {key: side[key] for key in ("side", "label", "rate", "low", "high")}
            | {"simultaneous": {"low": low, "high": high}}
            for side, (low, high) in zip(found["sides"], ends, strict=True)
        ],
        "precision": 100 * max(max(s["rate"] - s["low"], s["high"] - s["rate"]) for s in found["sides"]),
        "unfinished": found["unfinished"],
        "rounds": found["rounds"],
        "minutes": found["minutes"],
        "course": means(tally),
        "acted": tally.acted,
        "actions": _actions(scenario, tally),
        "stop": found["stop"],
        "inputs": scenario.inputs,
        "command": shlex.join(
            ["balance", "odds", *scenario.arguments, "--seed", str(scenario.match.seed), "--games", str(tally.games)]
        ),
    }


def _strategy(names: Sequence[str]) -> str:
    return " / ".join(dict.fromkeys(names))


def _actions(scenario: Scenario, tally: CourseTally) -> list[dict[str, Any]]:
    """Return how often each strategy took each sort of action: all its decisions where there was a choice are 1."""
    times: Counter[tuple[str, str]] = Counter()
    seats = Counter(_strategy(entry.strategies) for entry in scenario.entries)
    for (entry, sort), n in tally.actions.items():
        times[_strategy(scenario.entries[entry].strategies), sort] += n
    whole: Counter[str] = Counter()
    for (strategy, _), n in times.items():
        whole[strategy] += n
    return [
        {
            "strategy": strategy,
            "action": sort,
            "times": n,
            "share": n / whole[strategy],
            "per_game": n / tally.acted / seats[strategy],
        }
        for (strategy, sort), n in sorted(times.items(), key=lambda item: (item[0][0], -item[1], item[0][1]))
    ]


def moved(found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return where two levels certainly differ: side, both levels, the one in which the side wins less first."""
    pairs = []
    for one, other in itertools.permutations(found, 2):
        for a, b in zip(one["sides"], other["sides"], strict=True):
            if a["simultaneous"]["high"] < b["simultaneous"]["low"]:
                pairs.append({"side": a["side"], "less": one["level"], "more": other["level"]})
    return pairs


def answer(
    scenario: Scenario,
    found: list[dict[str, Any]],
    missing: Sequence[str],
    rollouts: int,
    words: Sequence[str],
    seconds: float,
) -> dict[str, Any]:
    """Return the answer as plain data (strict JSON)."""
    return {
        "schema": SCHEMA,
        "game": scenario.game.name,
        "scenario": scenario.name,
        "label": scenario.label,
        "sides": side_labels(scenario),
        "players": [entry.label for entry in scenario.entries],
        "levels": found,
        "moved": moved(found),
        "missing": list(missing),
        "rollouts": rollouts,
        "moves": MOVES,
        "seed": scenario.match.seed,
        "games": sum(each["games"] for each in found),
        "rotations": len(scenario.match.rotations),
        "confidence": CONFIDENCE,
        "resolved": scenario.resolved,
        "digest": {"sources": jit.sources_digest()},
        "command": shlex.join(["balance", "ladder", *words, "--seed", str(scenario.match.seed)]),
        "timing": {"seconds": seconds},
    }
