"""From counts to answers: the summary that people and machines read, the tables, and the run directory.

`summary` builds the JSON contract (README, "JSON"); `SCHEMA` changes when a field changes its meaning or goes away.
"""

from __future__ import annotations

import json
import math
import os
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from simcore import jit
from simcore.blocks import CONFIDENCE, Run, side_interval
from simcore.contract import ABSENT, Metric
from simcore.errors import MachineError, ResultsError
from simcore.expect import DURATIONS as DURATIONS
from simcore.scenario import Scenario
from simcore.stats.clusters import amount_interval, quotient_interval, ratio_interval, share_interval
from simcore.stats.looks import FIRST
from simcore.stats.percentiles import percentile, summarize
from simcore.stats.simultaneous import leader, leader_of_two, simultaneous_confidence
from simcore.stats.wilson import wilson
from simcore.tally import SUMS, WHOLE_WIN, Tally

SCHEMA = "balance.summary/1"
MANIFEST_SCHEMA = "balance.run/1"
PERCENTS = (5, 25, 50, 75, 90, 95)

METHOD = "beta-binomial mixture confidence sequence (Robbins 1970; Howard et al. 2021), valid at every look"
ROTATED_METHOD = "bounded-mean confidence sequence over deals, valid at every look"


def summary(scenario: Scenario, run: Run, notes: Sequence[str] = ()) -> dict[str, Any]:
    """Return the answer of a run as plain data (strict JSON).

    Shares are in [0, 1], sides and seats count from 1, durations are per game.
    """
    tally = run.tally
    match = scenario.match
    rotated = tally.rotations > 1
    return {
        "schema": SCHEMA,
        "scenario": scenario.name,
        "game": scenario.game.name,
        "edition": scenario.edition.name,
        "labels": {
            "scenario": scenario.label,
            "game": scenario.edition.label,
            "edition": scenario.edition.name,
            "nobody": scenario.game.nobody,
        },
        "seed": match.seed,
        "games": tally.games,
        "rotations": tally.rotations,
        "digest": {"inputs": scenario.inputs, "sources": jit.sources_digest()},
        "sides": _sides(scenario, run),
        "leader": _leader(tally),
        "tied": _tied(tally),
        "nobody": int(tally.winners[:, 0].sum()) - _unfinished(tally),
        "unfinished": _unfinished_share(tally),
        **{name: _duration(tally, name) for name in DURATIONS},
        "reasons": reasons(scenario, tally),
        "metrics": {name: _metric(scenario, tally, name) for name in metric_columns(scenario, tally)},
        "stages": list(_stages(scenario, tally)),
        "seats": _seats(scenario, tally),
        "exposed": _exposed(scenario, tally),
        "amounts": _amounts(scenario, tally),
        "interval": {
            "method": ROTATED_METHOD if rotated else METHOD,
            "confidence": CONFIDENCE,
            "simultaneous": False,
        },
        "stop": {"reason": run.reason, "target": run.target, "reached": run.reached, "unit": run.unit},
        "provenance": scenario.edition.shares,
        "notes": [*_notes(scenario), *notes],
        "resolved": scenario.resolved,
        "reproduce": _reproduce(scenario, tally),
        "timing": {
            "seconds": run.seconds,
            "games_per_second": tally.games / run.seconds if run.seconds > 0 else None,
            "jobs": run.jobs,
        },
    }


def side_labels(scenario: Scenario) -> list[str]:
    """Return what people call each side: the labels of its players."""
    sides = scenario.game.sides(len(scenario.entries))
    return [" & ".join(scenario.entries[seat].label for seat in seats) for seats in sides]


def _sides(scenario: Scenario, run: Run) -> list[dict[str, Any]]:
    tally = run.tally
    labels = side_labels(scenario)
    joint = simultaneous_confidence(CONFIDENCE, len(labels))
    planned = run.reason == "games" and tally.games > 0
    found = []
    for side, (sole, shared) in enumerate(tally.won()):
        rate, low, high = side_interval(tally, side, CONFIDENCE)
        _, joint_low, joint_high = side_interval(tally, side, joint)
        # a fixed number of whole games only: with rotation the games of a deal are no independent trials
        fixed = wilson(rate * tally.games, tally.games, CONFIDENCE) if planned and tally.rotations == 1 else None
        found.append(
            {
                "side": side + 1,
                "label": labels[side],
                "wins": sole,
                "shared": shared,
                "rate": rate if tally.games else None,
                "low": low if tally.games else None,
                "high": high if tally.games else None,
                "wilson": {"low": fixed[0], "high": fixed[1]} if fixed else None,
                "simultaneous": {"low": joint_low, "high": joint_high},
            }
        )
    return found


def _leader(tally: Tally) -> dict[str, Any]:
    """Name the side that wins most, if that is decided at the level that holds for all comparisons together."""
    n_sides = tally.layout.n_sides
    if n_sides == 2:
        total, squares = tally.lead_sums(0, 1)
        most = tally.rotations * WHOLE_WIN
        side, low, high = leader_of_two(tally.deals, total, squares, most, CONFIDENCE)
        return {"side": _one_based(side), "simultaneous_confidence": CONFIDENCE, "lead": {"low": low, "high": high}}
    joint = simultaneous_confidence(CONFIDENCE, n_sides)
    intervals = [side_interval(tally, side, joint)[1:] for side in range(n_sides)]
    return {"side": _one_based(leader(intervals)), "simultaneous_confidence": CONFIDENCE, "lead": None}


def _one_based(side: int | None) -> int | None:
    return None if side is None else side + 1


def _tied(tally: Tally) -> int:
    masks = range(tally.winners.shape[1])
    return int(sum(tally.winners[:, mask].sum() for mask in masks if bin(mask).count("1") > 1))


def _unfinished(tally: Tally) -> int:
    return dict(tally.histogram("reason")).get(0, 0)


def _unfinished_share(tally: Tally) -> dict[str, Any]:
    games = _unfinished(tally)
    if not tally.games:
        return {"games": 0, "rate": None, "low": None, "high": None}
    # reasons are counted by game: with rotation the deals' squares of (reason == 0) are bounded by R * games
    low, high = share_interval(tally.deals, games, games * tally.rotations, tally.rotations, CONFIDENCE, whole=1)
    return {"games": games, "rate": games / tally.games, "low": low, "high": high}


def reasons(scenario: Scenario, tally: Tally) -> dict[str, int]:
    """Return the games by reason of their end; the round cap is listed only if it was met."""
    names = scenario.game.reasons(scenario.edition.model)
    counts = dict(tally.histogram("reason"))
    return {name: counts.get(code, 0) for code, name in enumerate(names) if code > 0 or counts.get(code)}


def metric_columns(scenario: Scenario, tally: Tally) -> list[str]:
    """Return the names of the metrics' columns: ``ties``, ``hits.1``, ``hits.2``, ..."""
    names = {metric.name for metric in scenario.game.metrics}
    return [name for name in tally.layout.names if name.split(".")[0] in names]


def metric_docs(scenario: Scenario) -> dict[str, Metric]:
    """Return the metrics of the game by name."""
    return {metric.name: metric for metric in scenario.game.metrics}


def duration_histogram(tally: Tally, name: str) -> list[tuple[float, int]]:
    """Return the (value, games) pairs of a duration; minutes are seconds over 60."""
    if name == "minutes":
        return [(value / 60, games) for value, games in tally.histogram("seconds")]
    return [(float(value), games) for value, games in tally.histogram(name)]


def _duration(tally: Tally, name: str) -> dict[str, Any]:
    column, scale = ("seconds", 60) if name == "minutes" else (name, 1)
    return _moments(tally, column, scale, PERCENTS, 0.0)


def _metric(scenario: Scenario, tally: Tally, name: str) -> dict[str, Any]:
    signed = metric_docs(scenario)[name.split(".")[0]].signed
    found = _moments(tally, name, 1, (50,), -math.inf if signed else 0.0)
    absent = tally.absent(name)
    if absent:
        found |= {"low": None, "high": None, "absent": absent}
    return found


def _moments(tally: Tally, column: str, scale: int, percents: Sequence[int], least: float) -> dict[str, Any]:
    histogram = tally.histogram(column)
    found = summarize(histogram)
    keys = ["mean", "sd", "min", *(f"p{p:02}" for p in percents), "max", "low", "high"]
    if found is None:
        return dict.fromkeys(keys)
    total, squares = tally.deal_sums(column)
    low, high = amount_interval(tally.deals, total, squares, tally.rotations, CONFIDENCE, FIRST, least)
    values: list[float | None] = [found.mean, found.sd, found.min]
    values += [percentile(histogram, p) for p in percents]
    values += [found.max, _finite(low), _finite(high)]
    return dict(zip(keys, (None if v is None else _scaled(v, scale) for v in values), strict=True))


def _scaled(value: float, scale: int) -> float:
    return value if scale == 1 else value / scale


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _seats(scenario: Scenario, tally: Tally) -> dict[str, Any]:
    """Return the win share of every chair, whoever sat there; separable from the players only with rotation."""
    n_sides = tally.layout.n_sides
    sides = scenario.game.sides(scenario.match.n_seats)
    in_order = scenario.game.in_seat_order
    separable = tally.rotations > 1 and all(len(seats) == 1 for seats in sides) and n_sides > 1
    if not separable:
        why = "each player kept the seat" if n_sides > 1 else "all players are on one side"
        hint = "; set rotate: true" if n_sides > 1 and len(scenario.game.rotations(len(sides))) > 1 else ""
        if n_sides > 1 and tally.rotations > 1:
            why, hint = "a team sits in several seats", ""
        return {"separable": False, "why": why + hint, "in_order": in_order, "seats": []}
    rows = []
    for side in range(n_sides):
        rate, low, high = side_interval(tally, n_sides + side, CONFIDENCE)
        rows.append({"seat": side + 1, "rate": rate, "low": low, "high": high})
    return {"separable": True, "why": None, "in_order": in_order, "seats": rows if tally.games else []}


def _stages(scenario: Scenario, tally: Tally) -> Iterator[dict[str, Any]]:
    """Say of each stage how many games reached it, got through, and what stopped it how often."""
    for stage in scenario.game.stages(scenario.edition.model):
        named = dict((*stage.passed, *stage.failed, *stage.others))
        totals = {name: tally.deal_sums(metric)[0] for name, metric in named.items()}
        reached = tally.games - tally.absent(stage.passed[0][1])
        yield {
            "label": stage.label,
            "reached": reached,
            "passed": {name: totals[name] for name, _ in stage.passed},
            "failed": {name: totals[name] for name, _ in stage.failed},
            "others": {name: totals[name] / reached if reached else None for name, _ in stage.others},
            "metrics": list(named.values()),
        }


def _exposed(scenario: Scenario, tally: Tally) -> list[dict[str, Any]]:
    """Return how often players win who were dealt, held or played a component; those never seen are left out.

    A kind is compared as a whole: `simultaneous` holds for all its components together.
    """
    exposed = scenario.match.exposed
    rows = []
    for number, component in enumerate(exposed):
        sums = tally.exposed_sums(number)
        if not sums["times"]:
            continue
        values = tuple(sums[name] for name in SUMS)
        joint = simultaneous_confidence(CONFIDENCE, sum(other.kind == component.kind for other in exposed))
        rate, low, high = ratio_interval(tally.deals, values, tally.rotations, CONFIDENCE, FIRST)
        _, joint_low, joint_high = ratio_interval(tally.deals, values, tally.rotations, joint, FIRST)
        rows.append(
            {
                "kind": component.kind,
                "id": component.id,
                "label": component.label,
                "exposure": component.exposure,
                "times": sums["times"],
                "rate": rate,
                "low": low,
                "high": high,
                "simultaneous": {"low": joint_low, "high": joint_high},
            }
        )
    return rows


def _amounts(scenario: Scenario, tally: Tally) -> list[dict[str, Any]]:
    """Return what each component brought a time it was used, in every metric that is counted so."""
    rows = []
    for metric in scenario.game.metrics:
        if metric.per != "component":
            continue
        named = {component.bit: component for component in scenario.match.exposed if component.bit < metric.count}
        joint = simultaneous_confidence(CONFIDENCE, max(len(named), 1))
        for bit, component in named.items():
            sums = tally.amount_sums(metric.name, bit)
            if not sums[0]:
                continue
            value, low, high = quotient_interval(tally.deals, sums, tally.rotations, CONFIDENCE, FIRST)
            _, joint_low, joint_high = quotient_interval(tally.deals, sums, tally.rotations, joint, FIRST)
            rows.append(
                {
                    "metric": metric.name,
                    "id": component.id,
                    "label": component.label,
                    "times": sums[0],
                    "value": value,
                    "low": _finite(low),
                    "high": _finite(high),
                    "simultaneous": {"low": _finite(joint_low), "high": _finite(joint_high)},
                }
            )
    return rows


def _reproduce(scenario: Scenario, tally: Tally) -> dict[str, Any]:
    """Return the commands that give the same numbers, and the games worth a look."""
    base = [*scenario.arguments, "--seed", str(scenario.match.seed)]
    games = {}
    if tally.examples:
        median = int(percentile(tally.histogram("rounds"), 50) or 0)
        games = {"typical": median, "shortest": min(tally.examples), "longest": max(tally.examples)}
    return {
        "command": shlex.join(["balance", "odds", *base, "--games", str(tally.games)]) if tally.games else "",
        "trace": shlex.join(["balance", "trace", *base, "--game"]) + " K",
        "games": {name: tally.examples[rounds] for name, rounds in games.items()},
    }


def _notes(scenario: Scenario) -> Iterator[str]:
    if scenario.edition.changed:
        changed = ", ".join(scenario.edition.changed[:5])
        more = f" and {len(scenario.edition.changed) - 5} more" if len(scenario.edition.changed) > 5 else ""
        yield f"changed by the scenario: {changed}{more}"


# -- files ----------------------------------------------------------------------------------------------------------


TABLES: dict[str, dict[str, type]] = {
    "sides": {"side": int, "label": str, "wins": int, "shared": int, "rate": float, "low": float, "high": float},
    "durations": {"measure": str, "value": float, "games": int},
    "metrics": {"metric": str, "value": float, "games": int},
    "reasons": {"reason": str, "games": int},
    "looks": {"games": int, "side": int, "rate": float, "low": float, "high": float},
    "seats": {"seat": int, "side": int, "games": int, "wins": int, "shared": int},
    "exposed": {
        **{"kind": str, "id": str, "label": str, "exposure": str, "times": int},
        **{"rate": float, "low": float, "high": float},
    },
    "amounts": {
        **{"metric": str, "id": str, "label": str, "times": int},
        **{"value": float, "low": float, "high": float},
    },
}
"""Columns of the tables of a run directory, with their types."""


def rows(scenario: Scenario, run: Run) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of every table of `TABLES`, in a fixed order."""
    tally = run.tally
    return {
        "sides": [{key: row[key] for key in TABLES["sides"]} for row in _sides(scenario, run)],
        "durations": [
            {"measure": name, "value": value, "games": games}
            for name in DURATIONS
            for value, games in duration_histogram(tally, name)
        ],
        "metrics": [
            {"metric": name, "value": float(value), "games": games}
            for name in metric_columns(scenario, tally)
            for value, games in tally.histogram(name)
        ],
        "reasons": [{"reason": name, "games": games} for name, games in reasons(scenario, tally).items()],
        "looks": [
            {"games": look.games, "side": side + 1, "rate": rate, "low": low, "high": high}
            for look in run.looks
            for side, (rate, low, high) in enumerate(look.sides)
        ],
        "seats": list(_seat_rows(tally, side_labels(scenario))),
        "exposed": [{key: row[key] for key in TABLES["exposed"]} for row in _exposed(scenario, tally)],
        "amounts": [{key: row[key] for key in TABLES["amounts"]} for row in _amounts(scenario, tally)],
    }


def tables(scenario: Scenario, run: Run) -> dict[str, Any]:
    """Return `rows` as polars tables."""
    import polars as pl

    types = {int: pl.Int64, float: pl.Float64, str: pl.String}
    return {
        name: pl.DataFrame(found, schema={column: types[kind] for column, kind in TABLES[name].items()})
        for name, found in rows(scenario, run).items()
    }


def _seat_rows(tally: Tally, labels: Sequence[str]) -> Iterator[dict[str, int]]:
    """Yield games and wins of each listed side in each chair."""
    share = tally.layout.share
    for seat in range(len(labels)):
        for side in range(len(labels)):
            chair = 1 << seat
            here = [r for r in range(tally.rotations) if share[r, chair, side] > 0]
            if here:
                masks = range(1, tally.winners.shape[1])
                won = [(mask, int(tally.winners[here, mask].sum())) for mask in masks if mask & chair]
                yield {
                    "seat": seat + 1,
                    "side": side + 1,
                    "games": int(tally.winners[here].sum()),
                    "wins": sum(games for mask, games in won if mask == chair),
                    "shared": sum(games for mask, games in won if mask != chair),
                }


def read_analysis(directory: Path, file: str) -> dict[str, Any]:
    """Return the answer of an analysis, which lies in `file` of a directory.

    Raises
    ------
    ResultsError
        If it cannot be read, or is of a version that this program does not read.
    """
    expected = f"balance.{Path(file).stem}/1"
    try:
        answer: dict[str, Any] = json.loads((directory / file).read_text(encoding="utf-8"))
        if answer["schema"] != expected:
            raise ResultsError(f"{directory}: written by another version ({answer['schema']}, not {expected})")
    except (ValueError, KeyError, TypeError, OSError, RecursionError) as error:
        raise ResultsError(f"{directory}: cannot be read: {type(error).__name__}: {error}".splitlines()[0]) from None
    return answer


def to_json(data: Any) -> str:
    """Return strict JSON text; a number that is none is a bug, not a value."""
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


@contextmanager
def machine_faults(what: str) -> Iterator[None]:
    """Turn a failing disk into a `MachineError` that says what could not be written."""
    try:
        yield
    except Exception as error:
        if not (isinstance(error, OSError) or type(error).__module__.startswith("polars")):
            raise
        text = " ".join(str(getattr(error, "strerror", None) or error).split())
        raise MachineError(f"{what}: cannot be written: {text}") from None


@contextmanager
def written_by_us(file: Path) -> Iterator[None]:
    """Turn what goes wrong with an answer that was read from `file` into a `ResultsError`: somebody changed it."""
    try:
        yield
    except KeyError as error:
        raise ResultsError(f"{file}: '{error.args[0]}' is missing") from None
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
        raise ResultsError(f"{file}: is not as it was written ({type(error).__name__}: {error})") from None


def write_text(path: Path, text: str) -> None:
    """Write a file under a temporary name, then rename it."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def write_table(path: Path, table: Any) -> None:
    """Write a Parquet file under a temporary name, then rename it."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        table.write_parquet(temporary)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def game_table(scenario: Scenario, first: int, rows: Any) -> Any:
    """Return one row a game: its index, its outcome, and every metric by listed player; null where none applies."""
    import numpy as np
    import polars as pl

    from simcore.tally import Layout

    layout = Layout.of(scenario.game, scenario.match)
    matrix = rows.view(np.int32).reshape(len(rows), -1)
    index = np.arange(first, first + len(rows))
    rotation = index % len(scenario.match.rotations)
    columns: dict[str, Any] = {"game": index, "rotation": rotation}
    for position, name in enumerate(layout.names):
        columns[name] = matrix[np.arange(len(rows)), layout.columns[rotation, position]]
    won = layout.share[rotation, columns.pop("winners")]
    for side in range(layout.n_sides):
        columns[f"won.{side + 1}"] = won[:, side] / WHOLE_WIN
    names = scenario.game.reasons(scenario.edition.model)
    columns["reason"] = [names[code] for code in columns["reason"]]
    return pl.DataFrame(columns).with_columns(pl.col(pl.Int32).replace(ABSENT, None))


def write_run(directory: Path, scenario: Scenario, run: Run, answer: dict[str, Any], block: int) -> dict[str, Any]:
    """Write manifest, summary and tables into `directory`; return the tables."""
    import platform

    from simcore import rng

    found = tables(scenario, run)
    manifest = {
        "schema": MANIFEST_SCHEMA,
        "scenario": scenario.name,
        "digest": answer["digest"],
        "random": rng.VERSION,
        "seed": scenario.match.seed,
        "games": run.tally.games,
        "block": block,
        "tables": sorted(found),
        "platform": f"{platform.system()}-{platform.machine()}",
        "resolved": scenario.resolved,
    }
    with machine_faults(str(directory)):
        (directory / "tables").mkdir(exist_ok=True)
        for name, table in found.items():
            write_table(directory / "tables" / f"{name}.parquet", table)
        write_text(directory / "summary.json", to_json(answer))
        write_text(directory / "manifest.json", to_json(manifest))
    return found


def read_run(directory: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return summary and tables of a run directory.

    Raises
    ------
    ResultsError
        If it is none, is unfinished, or of a version that this program does not read.
    """
    import polars as pl

    if not directory.is_dir():
        raise ResultsError(f"{directory}: is no directory")
    try:
        manifest = json.loads((directory / "manifest.json").read_text(encoding="utf-8"))
        answer = json.loads((directory / "summary.json").read_text(encoding="utf-8"))
        if manifest["schema"] != MANIFEST_SCHEMA or answer["schema"] != SCHEMA:
            raise ResultsError(f"{directory}: written by another version ({manifest['schema']}, {answer['schema']})")
        found = {name: pl.read_parquet(directory / "tables" / f"{name}.parquet") for name in manifest["tables"]}
    except FileNotFoundError as error:
        missing = Path(str(error.filename)).name if error.filename else "a file"
        raise ResultsError(f"{directory}: {missing} is missing; is this a finished run directory?") from None
    except (ValueError, KeyError, TypeError, OSError, RecursionError, pl.exceptions.PolarsError) as error:
        raise ResultsError(f"{directory}: cannot be read: {type(error).__name__}: {error}".splitlines()[0]) from None
    return answer, found
