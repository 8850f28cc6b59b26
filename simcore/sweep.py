"""The same question along a grid of values.

Every point plays the same deals, so that neighbours differ by the value alone.
"""

from __future__ import annotations

import itertools
import math
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from simcore import jit
from simcore.blocks import CONFIDENCE, Run, side_interval
from simcore.errors import InputError, suggest
from simcore.results import DURATIONS, metric_docs, summary
from simcore.scenario import Scenario
from simcore.stats.clusters import amount_interval, share_interval
from simcore.stats.looks import FIRST
from simcore.stats.simultaneous import simultaneous_confidence
from simcore.tally import Layout, Tally

SCHEMA = "balance.sweep/1"
FILE = "sweep.json"
"""What holds the answer in a directory."""

MOST_POINTS = 1000

UNPLAYED = ("seed", "games", "precision")
"""Keys of a scenario that say which games are played and how many, not by which rules."""


@dataclass(frozen=True)
class Axis:
    """A value of the scenario, and what it is set to: texts, as on the command line; `typed` is the path there."""

    path: str
    values: tuple[str, ...]
    typed: str = field(default="", compare=False)


@dataclass(frozen=True)
class Target:
    """A quantity and the value wanted of it; shares in [0, 1]."""

    quantity: str
    value: float


def axis(text: str) -> Axis:
    """Read ``PATH=3..8``, ``PATH=0.1..0.5:0.1`` or ``PATH=a,b,c``; ``seat1.`` is short for ``seats.1.``.

    Raises
    ------
    InputError
        If it is none of these.
    """
    path, equals, values = text.partition("=")
    typed = path.strip()
    path = re.sub(r"^seat(\d+)\.", r"seats.\1.", typed)
    if not equals or not path or not values.strip():
        raise InputError.of(f"--over {text}", "expected PATH=3..8, PATH=0.1..0.5:0.1 or PATH=a,b,c")
    if path in UNPLAYED:
        raise InputError.of(f"--over {text}", f"all points play the same deals; give --{path} once")
    span = re.fullmatch(r"(-?[\d.]+)\.\.(-?[\d.]+)(?::([\d.]+))?", values.strip())
    found = _span(text, *span.groups()) if span else tuple(part.strip() for part in values.split(","))
    if "" in found:
        raise InputError.of(f"--over {text}", "a value between two commas is missing")
    if len(set(found)) < len(found):
        raise InputError.of(f"--over {text}", "a value is given twice")
    return Axis(path, found, typed)


def as_typed(error: InputError, axes: Sequence[Axis]) -> InputError:
    """Return an error about a point as one about ``--over``, with the path as it was typed."""
    options = {f"--set {axis.path}": f"--over {axis.typed}" for axis in axes}
    return InputError([replace(each, source=options.get(each.source, each.source)) for each in error.problems])


def _span(text: str, first: str, last: str, step: str | None) -> tuple[str, ...]:
    from decimal import Decimal, InvalidOperation

    try:
        low, high, by = Decimal(first), Decimal(last), Decimal(step or "1")
    except InvalidOperation:
        raise InputError.of(f"--over {text}", "the ends of a range are numbers: 3..8, or 0.1..0.5:0.1") from None
    if by <= 0 or high < low:
        raise InputError.of(f"--over {text}", f"a range rises: {first}..{last} by {step or 1} holds no value")
    if (high - low) / by >= MOST_POINTS:
        raise InputError.of(f"--over {text}", f"more than {MOST_POINTS} values")
    if low < high < low + by:
        raise InputError.of(
            f"--over {text}", f"a step of {by} leads past {high}: expected one, as in {low}..{high}:0.1"
        )
    return tuple(str(low + i * by) for i in range(int((high - low) / by) + 1))


def points(axes: Sequence[Axis]) -> list[tuple[str, ...]]:
    """Return the grid, the last axis running fastest.

    Raises
    ------
    InputError
        If it is too large, or an axis is given twice.
    """
    paths = [each.path for each in axes]
    twice = [path for path in paths if paths.count(path) > 1]
    if twice:
        raise InputError.of(f"--over {twice[0]}", "given twice")
    grid = list(itertools.islice(itertools.product(*(each.values for each in axes)), MOST_POINTS + 1))
    if len(grid) > MOST_POINTS:
        raise InputError.of("--over", f"the grid has more than {MOST_POINTS} points")
    return grid


def target(text: str) -> Target:
    """Read ``side 1 = 50%``, ``side.1=0.5`` or ``rounds = 10``.

    Raises
    ------
    InputError
        If it is none of these.
    """
    found = re.fullmatch(r"\s*([\w.\s-]+?)\s*=\s*(-?\d+(?:\.\d+)?)\s*(%?)\s*", text)
    if not found:
        raise InputError.of(f"--target {text}", 'expected NAME = VALUE, such as "side 1 = 50%" or "rounds = 10"')
    name = re.sub(r"\s+", ".", found[1])
    value = float(found[2]) / (100 if found[3] else 1)
    is_share = name.split(".")[0] in ("side", "unfinished")
    if is_share and not 0 <= value <= 1:
        raise InputError.of(f"--target {text}", "a share is from 0 % to 100 %, or from 0 to 1")
    if found[3] and not is_share:
        raise InputError.of(f"--target {text}", f"{name} is no share; expected a number without %")
    return Target(name, value)


def joint(points: int) -> float:
    """Return the level of each interval at which those of all points hold together."""
    return simultaneous_confidence(CONFIDENCE, points)


def nearness(wanted: Target, confidence: float, run: Run) -> tuple[float, float]:
    """Return (low, high) of how near a point is to its target: 0 is on it, -1 is one off."""
    low, high = _range(run.tally, wanted.quantity, confidence)
    low, high = low - wanted.value, high - wanted.value
    return -max(abs(low), abs(high)), -max(low, -high, 0.0)


def _range(tally: Tally, name: str, confidence: float) -> tuple[float, float]:
    head, _, part = name.partition(".")
    if not tally.games:
        return -math.inf, math.inf
    if head == "side":
        return side_interval(tally, int(part) - 1, confidence)[1:]
    if head == "unfinished":
        games = dict(tally.histogram("reason")).get(0, 0)
        # as in `results`: the squares of a deal's unfinished games are at most R times their number
        return share_interval(tally.deals, games, games * tally.rotations, tally.rotations, confidence, whole=1)
    column, unit = ("seconds", 60) if head == "minutes" else (name, 1)
    if tally.absent(column):
        return -math.inf, math.inf
    low, high = amount_interval(tally.deals, *tally.deal_sums(column), tally.rotations, confidence, FIRST)
    return low / unit, high / unit


def point(values: Sequence[str], scenario: Scenario, run: Run, why: str = "") -> dict[str, Any]:
    """Return what a point answers: ``quantities`` by name, each with estimate, low and high.

    `why` says why it stopped early, if it did.
    """
    found = summary(scenario, run)
    return {
        "values": list(values),
        "games": found["games"],
        "quantities": dict(_quantities(found)),
        "stop": found["stop"],
        "why": why or None,
        "inputs": found["digest"]["inputs"],
    }


def _quantities(found: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for side in found["sides"]:
        yield f"side.{side['side']}", _estimate(side["rate"], side, "share", side["label"])
    yield "unfinished", _estimate(found["unfinished"]["rate"], found["unfinished"], "share", None)
    labels = {str(side["side"]): side["label"] for side in found["sides"]}
    amounts = {name: found[name] for name in ("turns", "rounds", "decisions", "minutes")} | found["metrics"]
    for name, each in amounts.items():
        yield name, _estimate(each["mean"], each, "amount", labels.get(name.partition(".")[2]))


def _estimate(value: float | None, ends: dict[str, Any], kind: str, label: str | None) -> dict[str, Any]:
    return {"kind": kind, "label": label, "estimate": value, "low": ends["low"], "high": ends["high"]}


def answer(
    scenario: Scenario,
    axes: Sequence[Axis],
    found: list[dict[str, Any]],
    missing: int,
    wanted: Target | None,
    on: str | None,
    words: Sequence[str],
    seconds: float,
) -> dict[str, Any]:
    """Return the answer as plain data (strict JSON)."""
    games = sum(each["games"] for each in found)
    return {
        "schema": SCHEMA,
        "game": scenario.game.name,
        "scenario": scenario.name,
        "label": scenario.label,
        "over": [{"path": each.path, "values": list(each.values)} for each in axes],
        "on": on or (wanted.quantity if wanted else None),
        "points": found,
        "missing": missing,
        "target": _nearest(found, wanted) if wanted else None,
        "seed": scenario.match.seed,
        "games": games,
        "confidence": CONFIDENCE,
        "resolved": scenario.resolved,
        "digest": {"sources": jit.sources_digest()},
        "command": shlex.join(["balance", "sweep", *words, "--seed", str(scenario.match.seed)]),
        "timing": {"seconds": seconds},
    }


def check(option: str, name: str | None, known: Sequence[str]) -> None:
    """Check that a quantity exists.

    Raises
    ------
    InputError
        With a suggestion.
    """
    if name is not None and name not in known:
        hint = suggest(name, known) or f"; known: {', '.join(known)}"
        raise InputError.of(option, f"'{name}' is nothing that is counted{hint}")


def _nearest(found: Sequence[dict[str, Any]], wanted: Target) -> dict[str, Any]:
    """Return the point whose estimate is nearest, and all points that may be as wanted."""
    name, value = wanted.quantity, wanted.value
    told = [(i, each["quantities"][name]) for i, each in enumerate(found)]
    known = [(abs(each["estimate"] - value), i) for i, each in told if each["estimate"] is not None]
    ends = [(i, each["low"], value if each["high"] is None else each["high"]) for i, each in told]
    possible = [i for i, low, high in ends if low is not None and low <= value <= high]
    return {
        "quantity": name,
        "value": value,
        "nearest": found[min(known)[1]]["values"] if known else None,
        "possible": [found[i]["values"] for i in possible],
    }


def quantity_names(scenario: Scenario) -> list[str]:
    """Return what can be asked for, before anything is played."""
    sides = [f"side.{side + 1}" for side in range(len(scenario.game.sides(len(scenario.entries))))]
    columns = Layout.of(scenario.game, scenario.match).names
    metrics = metric_docs(scenario)
    return [*sides, "unfinished", *DURATIONS, *(name for name in columns if name.split(".")[0] in metrics)]
