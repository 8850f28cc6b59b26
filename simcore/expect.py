"""What a scenario expects: ``expect:`` read into bounds on what is counted. Nothing is played here."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from simcore.allowed import Fault, shown
from simcore.contract import Game
from simcore.errors import suggest
from simcore.yamlscalar import BOUND

DURATIONS = ("turns", "rounds", "decisions", "minutes")
ENDS = ("unfinished", "tied", "nobody")
BOUNDS = ("between", "min", "max")

_END = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^-?\d+(\.\d+)? ?%$"}]}
SCHEMA = {
    "type": "object",
    "additionalProperties": {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": False,
        "properties": {
            "between": {"type": "array", "minItems": 2, "maxItems": 2, "items": _END},
            "min": _END,
            "max": _END,
        },
    },
}
"""What editors are told of ``expect``."""

_PERCENTILE = re.compile(r"(.+)\.p(\d{1,2})")
_DIFFERENCE = re.compile(r"(side\.\d+) ?- ?(side\.\d+)")
_PERCENT = re.compile(r"(-?\d+(?:\.\d+)?) ?%")


@dataclass(frozen=True)
class Expectation:
    """A quantity and the range it is expected in; shares are in [0, 1].

    Parameters
    ----------
    name : str
        As the file says it: ``side.1``, ``rounds.p90``, ``side.1 - side.2``.
    quantity : str
        What is counted: ``side.1``, ``rounds``.
    percent : int or None
        Of which percentile it is said.
    other : str
        The side that is subtracted, or "".
    is_share : bool
    low, high : float
        -inf and inf where there is no bound.
    """

    name: str
    quantity: str
    percent: int | None
    other: str
    is_share: bool
    low: float
    high: float


def share_names(game: Game, n_seats: int, rotated: bool) -> list[str]:
    """Return the shares that a run counts: sides, chairs where players rotate, and other ends."""
    sides = [f"side.{side + 1}" for side in range(len(game.sides(n_seats)))]
    chairs = [name.replace("side", "seat") for name in sides] if rotated else []
    return [*sides, *chairs, *ENDS]


def amount_names(game: Game, n_seats: int) -> list[str]:
    """Return the durations and metrics that a run counts, players' metrics as ``hits.1``."""
    found = list(DURATIONS)
    for metric in game.metrics:
        if metric.per == "seat":
            found += [f"{metric.name}.{seat + 1}" for seat in range(n_seats)]
        elif metric.per == "game":
            found.append(metric.name)
    return found


def read(data: Any, shares: Sequence[str], amounts: Sequence[str]) -> tuple[list[Expectation], list[Fault]]:
    """Return the expectations of a scenario and what is wrong with them.

    Parameters
    ----------
    data : value of the key ``expect``, or None
    shares, amounts : sequence of str
        Names of what is counted.
    """
    if data is None:
        return [], []
    if not isinstance(data, dict) or not data:
        words = "such as {side.1: {between: [45%, 55%]}, rounds.p90: {max: 25}}"
        got = "nothing, expected numbers with bounds" if data == {} else f"{shown(data)}, expected a mapping"
        return [], [Fault((), f"expect: got {got}, {words}")]
    reader = _Reader(shares, amounts)
    found = [each for name, bounds in data.items() for each in reader.expectation(name, bounds)]
    return found, reader.faults


class _Reader:
    """Collects what is wrong while it reads."""

    def __init__(self, shares: Sequence[str], amounts: Sequence[str]) -> None:
        self.shares, self.amounts = shares, amounts
        self.faults: list[Fault] = []

    def expectation(self, name: str, bounds: Any) -> Iterator[Expectation]:
        quantity, percent, other = _parts(name)
        unknown = next((each for each in (quantity, other) if each and each not in (*self.shares, *self.amounts)), "")
        if unknown:
            self._unknown(name, unknown)
            return
        is_share = quantity in self.shares
        if is_share and percent is not None:
            self.faults.append(Fault((name,), f"{quantity} is a share of games: it has no percentiles", True))
            return
        if percent == 0:
            self.faults.append(Fault((name,), f"{name}: percentiles go from p1 to p99", True))
            return
        if quantity == other:
            self.faults.append(Fault((name,), f"{name}: is a side less itself", True))
            return
        ends = self._ends(name, bounds, is_share, bool(other), percent)
        if ends:
            yield Expectation(name, quantity, percent, other, is_share, *ends)

    def _unknown(self, name: str, unknown: str) -> None:
        known = [*self.shares, *self.amounts]
        hint = suggest(unknown, known)
        listed = "" if hint else f"; known: {', '.join(known)}, percentiles as rounds.p90"
        self.faults.append(Fault((name,), f"'{unknown}' is nothing that is counted{hint}{listed}", True))

    def _ends(
        self, name: str, bounds: Any, is_share: bool, signed: bool, percent: int | None
    ) -> tuple[float, float] | None:
        """Return the two ends, None after noting what is wrong."""
        right = "{between: [45%, 55%]}" if is_share else "{min: 3, max: 8}"
        if isinstance(bounds, str) and bounds.lstrip()[:1] in "<>=≤≥":
            self.faults.append(Fault((name,), f"{name}: {BOUND}"))
            return None
        if not isinstance(bounds, dict) or not bounds:
            self.faults.append(Fault((name,), f"{name}: got {shown(bounds)}, expected bounds, such as {right}"))
            return None
        before = len(self.faults)
        for key in bounds:
            if key not in BOUNDS:
                self.faults.append(Fault((name, key), f"unknown key '{key}'{suggest(str(key), BOUNDS)}", True))
        low = self._bound(name, bounds, "min", is_share, signed, -math.inf)
        high = self._bound(name, bounds, "max", is_share, signed, math.inf)
        if "between" in bounds:
            low, high = self._between(name, bounds, is_share, signed)
        if len(self.faults) > before:
            return None
        if low > high:
            self.faults.append(Fault((name,), f"{name}: min is above max, so nothing can be as expected"))
            return None
        fault = _never(low, high, is_share, signed, percent is not None)
        if fault:
            self.faults.append(Fault((name,), f"{name}: {fault}"))
            return None
        return low, high

    def _between(self, name: str, bounds: dict[str, Any], is_share: bool, signed: bool) -> tuple[float, float]:
        given = bounds["between"]
        if len(bounds) > 1:
            self.faults.append(Fault((name, "between"), "give between, or min and max, not both", True))
        elif not isinstance(given, list) or len(given) != 2:
            self.faults.append(Fault((name, "between"), f"between: got {shown(given)}, expected two ends, as [3, 8]"))
        else:
            low, high = (self._number((name, "between", i), given[i], is_share, signed) for i in (0, 1))
            return low, high
        return -math.inf, math.inf

    def _bound(
        self, name: str, bounds: dict[str, Any], key: str, is_share: bool, signed: bool, missing: float
    ) -> float:
        return self._number((name, key), bounds[key], is_share, signed) if key in bounds else missing

    def _number(self, path: tuple[str | int, ...], value: Any, is_share: bool, signed: bool) -> float:
        """Return a bound; NaN after noting what is wrong with it."""
        text = _PERCENT.fullmatch(value) if is_share and isinstance(value, str) else None
        if text:
            value = float(text[1]) / 100
        words = "a share as 45%, or from 0 to 1" if is_share else "a number"
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        if not is_number or (is_share and not (-1 if signed else 0) <= value <= 1):
            key = path[-1] if isinstance(path[-1], str) else path[-2]
            self.faults.append(Fault(path, f"{key}: got {shown(value)}, expected {words}"))
            return math.nan
        return float(value)


def _never(low: float, high: float, is_share: bool, signed: bool, is_percentile: bool) -> str:
    """Return why a check of these bounds could never fail, or never pass; "" if it could."""
    least = -1.0 if signed else 0.0
    if is_share and low <= least and high >= 1:
        return "every share lies within, so this could never fail"
    if is_share and (high <= least or low >= 1):
        return "no number of games shows that it never happens, or always; give some room"
    if low == high and not is_percentile:
        return "no number of games shows that it is exactly so; give some room"
    return ""


def _parts(name: str) -> tuple[str, int | None, str]:
    """Return quantity, percentile and subtracted side of ``rounds.p90`` or ``side.1 - side.2``."""
    difference = _DIFFERENCE.fullmatch(name)
    if difference:
        return difference[1], None, difference[2]
    percentile = _PERCENTILE.fullmatch(name)
    return (percentile[1], int(percentile[2]), "") if percentile else (name, None, "")
