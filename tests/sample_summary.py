"""Made-up runs, consistent in themselves: every table, share and percentile is counted from the same games.

A sample is drawn with a fixed seed, so that reports of it are the same on every machine.
"""

from __future__ import annotations

import math
import random
import statistics
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import polars

from simcore.stats.sequence import mean_sequence
from simcore.stats.wilson import wilson

CONFIDENCE = 0.95
PERCENTILES = {"p05": 5, "p25": 25, "p50": 50, "p75": 75, "p90": 90, "p95": 95}
HOSTILE = (
    "<script>alert(1)</script>",
    "</title>",
    "Müller–Élan ⚔",
    "NaN",
    "Grand Duke " + "of Everything " * 13 + "& Co.'s",
    "cost $5 and $6 | `x` *y* \x1b[31mred\u202e",
    "漢字 [bold]name[/]",
)


@dataclass(frozen=True)
class Row:
    """One finished game: winning sides, rounds, reason, and who sat in the first chair."""

    winners: tuple[int, ...]
    rounds: int
    reason: str
    first: int


@dataclass(frozen=True)
class Recipe:
    """How to draw one sample run."""

    labels: tuple[str, ...]
    weights: tuple[float, ...]
    games: int
    seed: int = 7
    tie: float = 0.0
    nobody: float = 0.0
    shape: float = 9.0
    cap: int = 500
    stop: str = "precision"
    separable: bool = True
    scenario: str = "Film duel"
    game: str = "I Hate to Kill You"
    edition: str = "Reconstruction"
    notes: tuple[str, ...] = ()
    provenance: dict[str, float] = field(
        default_factory=lambda: {"rulebook": 0.41, "derived": 0.05, "public": 0.02, "reconstructed": 0.52}
    )


RECIPES = {
    "duel": Recipe(("The Man in Black", "Inigo Montoya"), (0.572, 0.428), 20_000),
    "close": Recipe(("Inigo Montoya", "Inigo Montoya"), (0.5, 0.5), 4_000, scenario="Mirror match of Inigo Montoya"),
    "party": Recipe(
        ("Hoarder", "Rusher", "Careful", "Random", "Copycat"),
        (0.26, 0.22, 0.21, 0.17, 0.14),
        8_000,
        tie=0.06,
        nobody=0.03,
        shape=14,
        cap=26,
        stop="max-time",
        scenario="Five at the table",
        game="As You Wish",
        notes=("Strategy 'Random' picks any legal card.",),
    ),
    "zero": Recipe(("The Man in Black", "Inigo Montoya"), (0.5, 0.5), 0, stop="interrupted"),
    "tied": Recipe(("North", "South"), (0.5, 0.5), 300, tie=1.0, stop="games", separable=False),
    "endless": Recipe(("North", "South"), (0.5, 0.5), 400, shape=4000, cap=500, stop="max-time"),
    "one": Recipe(("North", "South"), (0.5, 0.5), 1, stop="games"),
    "alone": Recipe(("The players",), (1.0,), 2_000, nobody=0.6, stop="games", separable=False, game="Adventure Book"),
    "hostile": Recipe(
        HOSTILE,
        (0.2, 0.16, 0.15, 0.14, 0.13, 0.12, 0.10),
        3_000,
        stop="games",
        scenario="<script>alert(1)</script></title>",
        game="Müller–Élan ⚔",
        edition="NaN",
        notes=("<b>note</b> & more",),
    ),
}


@lru_cache
def sample(name: str) -> tuple[dict[str, Any], dict[str, polars.DataFrame]]:
    """Return summary and tables of a sample run."""
    recipe = RECIPES[name]
    rows = _play(recipe)
    return _summary(recipe, rows), _tables(recipe, rows)


def _play(recipe: Recipe) -> list[Row]:
    dice = random.Random(recipe.seed)
    sides = range(1, len(recipe.labels) + 1)
    rows = []
    for index in range(recipe.games):
        rounds = 3 + int(dice.gammavariate(4, recipe.shape / 4))
        luck = dice.random()
        if rounds >= recipe.cap:
            rows.append(Row((), recipe.cap, "round limit", 1 + index % len(sides)))
        elif luck < recipe.nobody:
            rows.append(Row((), rounds, "the deck ran out", 1 + index % len(sides)))
        else:
            ties = luck < recipe.nobody + recipe.tie
            one = dice.choices(sides, recipe.weights)[0]
            winners = tuple(sorted({one, one % len(sides) + 1})) if ties else (one,)
            rows.append(Row(winners, rounds, "same score" if ties else "five hits", 1 + index % len(sides)))
    return rows


def _credit(row: Row, side: int) -> float:
    return 1 / len(row.winners) if side in row.winners else 0.0


def _rate(total: float, n: int) -> dict[str, float | None]:
    if not n:
        return {"rate": None, "low": None, "high": None}
    low, high = mean_sequence(total, n, CONFIDENCE)
    return {"rate": total / n, "low": low, "high": high}


def _sides(recipe: Recipe, rows: list[Row]) -> list[dict[str, Any]]:
    n = len(rows)
    found = []
    for side, label in enumerate(recipe.labels, start=1):
        total = sum(_credit(row, side) for row in rows)
        fixed = wilson(total, n, CONFIDENCE) if n and recipe.stop == "games" else None
        wide = mean_sequence(total, n, 1 - (1 - CONFIDENCE) / len(recipe.labels)) if n else (None, None)
        found.append(
            {
                "side": side,
                "label": label,
                "wins": sum(row.winners == (side,) for row in rows),
                "shared": sum(side in row.winners and len(row.winners) > 1 for row in rows),
                **_rate(total, n),
                "wilson": {"low": fixed[0], "high": fixed[1]} if fixed else None,
                "simultaneous": {"low": wide[0], "high": wide[1]},
            }
        )
    return found


def _lead(recipe: Recipe, rows: list[Row]) -> dict[str, float] | None:
    """Return the interval of the first side's lead over the second, where there are two."""
    if len(recipe.labels) != 2:
        return None
    lead = sum(_credit(row, 1) - _credit(row, 2) for row in rows)
    low, high = mean_sequence((len(rows) + lead) / 2, len(rows), CONFIDENCE) if rows else (0.0, 1.0)
    return {"low": 2 * low - 1, "high": 2 * high - 1}


def _leader(sides: list[dict[str, Any]], lead: dict[str, float] | None) -> int | None:
    if lead:
        return 1 if lead["low"] > 0 else 2 if lead["high"] < 0 else None
    for one in sides:
        rivals = [other["simultaneous"]["high"] for other in sides if other is not one]
        if rivals and all(one["simultaneous"]["low"] > high for high in rivals):
            return int(one["side"])
    return None


def _percentile(values: list[float], percent: int) -> float:
    """Return the smallest value with at least `percent` per cent of the values at or below it."""
    return values[max(0, math.ceil(percent * len(values) / 100) - 1)]


def _spread(values: list[float]) -> dict[str, float | None]:
    names = ["mean", "sd", "min", *PERCENTILES, "max", "low", "high"]
    if not values:
        return dict.fromkeys(names)
    ordered = sorted(values)
    mean, sd = statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else 0.0
    half = 3 * sd / math.sqrt(len(values))
    found = {"mean": mean, "sd": sd, "low": mean - half, "high": mean + half}
    found |= {"min": ordered[0], "max": ordered[-1]}
    found |= {name: _percentile(ordered, percent) for name, percent in PERCENTILES.items()}
    return {name: found[name] for name in names}


def _measures(rows: list[Row]) -> dict[str, list[float]]:
    rounds = [row.rounds for row in rows]
    return {
        "turns": [2.0 * r for r in rounds],
        "rounds": [float(r) for r in rounds],
        "decisions": [5.0 * r + r % 3 for r in rounds],
        "minutes": [1.25 * r for r in rounds],
    }


def _metrics(recipe: Recipe, rows: list[Row]) -> dict[str, list[float]]:
    sides = range(1, len(recipe.labels) + 1)
    hits = {f"hits.{side}": [float(5 if side in row.winners else row.rounds % 5) for row in rows] for side in sides}
    return {"dice_left": [1.0 + row.rounds % 5 for row in rows], **hits}


def _summary(recipe: Recipe, rows: list[Row]) -> dict[str, Any]:
    n = len(rows)
    sides = _sides(recipe, rows)
    unfinished = sum(row.reason == "round limit" for row in rows)
    reached = max(50 * (side["high"] - side["low"]) for side in sides) if n else None
    lead = _lead(recipe, rows)
    again = f"balance odds hate-to-kill-you/film-duel --seed {recipe.seed}"
    return {
        "schema": "balance.summary/1",
        "scenario": "hate-to-kill-you/film-duel",
        "game": "hate-to-kill-you",
        "edition": "reconstruction",
        "labels": {"scenario": recipe.scenario, "game": recipe.game, "edition": recipe.edition},
        "seed": recipe.seed,
        "games": n,
        "rotations": len(recipe.labels),
        "digest": {"inputs": "9f2c" * 16, "sources": "01ab" * 16},
        "sides": sides,
        "leader": {"side": _leader(sides, lead), "simultaneous_confidence": CONFIDENCE, "lead": lead},
        "tied": sum(len(row.winners) > 1 for row in rows),
        "nobody": sum(not row.winners and row.reason != "round limit" for row in rows),
        "unfinished": {"games": unfinished, **_rate(unfinished, n)},
        **{name: _spread(values) for name, values in _measures(rows).items()},
        "reasons": dict(Counter(row.reason for row in rows)),
        "metrics": {name: _metric(values) for name, values in _metrics(recipe, rows).items()},
        "seats": _seats(recipe, rows),
        "interval": {
            "method": "beta-binomial mixture confidence sequence",
            "confidence": CONFIDENCE,
            "simultaneous": False,
        },
        "stop": {
            "reason": recipe.stop,
            "target": {"games": n, "precision": math.ceil(2 * (reached or 0)) / 2}.get(recipe.stop, 0.5),
            "reached": n if recipe.stop == "games" else reached,
            "unit": "games" if recipe.stop == "games" else "points",
        },
        "provenance": recipe.provenance,
        "notes": list(recipe.notes),
        "resolved": {
            "game": "hate-to-kill-you",
            "label": recipe.scenario,
            "seats": [{"strategy": "cautious", "label": label} for label in recipe.labels],
            "rules": {"hits_to_win": 5, "round_cap": recipe.cap, "same_character_twice": False},
            "seed": recipe.seed,
        },
        "reproduce": {
            "command": f"{again} --games {n} --set rules.round_cap={recipe.cap}",
            "trace": f"balance trace hate-to-kill-you/film-duel --seed {recipe.seed} --game K",
            "games": _typical(rows),
        },
        "timing": {"seconds": 1.25, "games_per_second": n / 1.25, "jobs": 2},
    }


def _metric(values: list[float]) -> dict[str, float | None]:
    spread = _spread(values)
    return {name: spread[name] for name in ("mean", "sd", "min", "p50", "max", "low", "high")}


def _typical(rows: list[Row]) -> dict[str, int | None]:
    if not rows:
        return {"typical": None, "shortest": None, "longest": None}
    order = sorted(range(len(rows)), key=lambda i: (rows[i].rounds, i))
    return {"typical": order[len(order) // 2], "shortest": order[0], "longest": order[-1]}


def _seats(recipe: Recipe, rows: list[Row]) -> dict[str, Any]:
    if not recipe.separable:
        return {"separable": False, "why": "the scenario does not rotate the seats", "seats": []}
    return {
        "separable": True,
        "why": None,
        "seats": [
            {"seat": seat, **_rate(sum(credit for _, credit in _seat_credits(recipe, rows, seat)), len(rows))}
            for seat in range(1, len(recipe.labels) + 1)
        ],
    }


def _seat_credits(recipe: Recipe, rows: list[Row], seat: int) -> list[tuple[int, float]]:
    """Return, for every game, which side sat in `seat` and what it won."""
    count = len(recipe.labels)
    return [(side, _credit(row, side)) for row in rows for side in [1 + (row.first + seat - 2) % count]]


SCHEMAS = {
    "sides": "side:i label:s wins:i shared:i rate:f low:f high:f",
    "durations": "measure:s value:f games:i",
    "metrics": "metric:s value:f games:i",
    "reasons": "reason:s games:i",
    "looks": "games:i side:i rate:f low:f high:f",
    "seats": "seat:i side:i games:i wins:i shared:i",
}


def _tables(recipe: Recipe, rows: list[Row]) -> dict[str, polars.DataFrame]:
    columns = ("side", "label", "wins", "shared", "rate", "low", "high")
    found: dict[str, list[tuple[Any, ...]]] = {
        "sides": [tuple(side[column] for column in columns) for side in _sides(recipe, rows)],
        "durations": _counts(_measures(rows)),
        "metrics": _counts(_metrics(recipe, rows)),
        "reasons": list(Counter(row.reason for row in rows).items()),
        "looks": _looks(recipe, rows),
        "seats": _seat_table(recipe, rows),
    }
    return {name: polars.DataFrame(found[name], schema=_schema(name), orient="row") for name in SCHEMAS}


def _schema(table: str) -> dict[str, Any]:
    types = {"i": polars.Int64, "f": polars.Float64, "s": polars.String}
    return {name: types[kind] for name, kind in (column.split(":") for column in SCHEMAS[table].split())}


def _counts(measures: dict[str, list[float]]) -> list[tuple[Any, ...]]:
    return [(name, v, n) for name, values in measures.items() for v, n in sorted(Counter(values).items())]


def _looks(recipe: Recipe, rows: list[Row]) -> list[tuple[Any, ...]]:
    counts = [n for n in (100 * 2**k for k in range(20)) if n < len(rows)] + ([len(rows)] if rows else [])
    found = []
    for n in counts:
        for side in range(1, len(recipe.labels) + 1):
            found.append((n, side, *_rate(sum(_credit(row, side) for row in rows[:n]), n).values()))
    return found


def _seat_table(recipe: Recipe, rows: list[Row]) -> list[tuple[Any, ...]]:
    found: Counter[tuple[int, int, str]] = Counter()
    sides = len(recipe.labels)
    for row in rows:
        for seat in range(1, sides + 1):
            side = 1 + (row.first + seat - 2) % sides
            found[seat, side, "games"] += 1
            if side in row.winners:
                found[seat, side, "wins" if len(row.winners) == 1 else "shared"] += 1
    pairs = sorted({(seat, side) for seat, side, _ in found})
    kinds = ("games", "wins", "shared")
    return [(seat, side, *(found[seat, side, kind] for kind in kinds)) for seat, side in pairs]
