"""Every strategy against every other: shares, ratings, best answers, dominated strategies, cycles and an equilibrium.

Where there are two sides, a cell is one strategy for all seats of side 1 against one for all seats of side 2. Where
there are more, or one, a cell is one seat with one strategy, the others playing as the scenario says.
"""

from __future__ import annotations

import itertools
import math
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simcore import jit
from simcore.blocks import CONFIDENCE, Run, side_interval
from simcore.contract import UnusableError
from simcore.errors import InputError
from simcore.race import Entrant, reasons
from simcore.results import side_labels, summary
from simcore.scenario import Loader, Scenario
from simcore.stats.simultaneous import leader_of_two, simultaneous_confidence
from simcore.tally import WHOLE_WIN

SCHEMA = "balance.matrix/1"
FILE = "matrix.json"
"""What holds the answer in a directory."""

PRECISION = "1"
"""Points of every cell, where nothing else is asked for: there are many."""

MOST_STRATEGIES = 20


@dataclass(frozen=True)
class Cell:
    """One run: `row` and `column` are positions in the list of strategies, or seat (from 0) and strategy."""

    row: int
    column: int
    overrides: tuple[tuple[str, str], ...]


def is_duel(scenario: Scenario) -> bool:
    """Return whether two sides meet, so that strategies are set against each other."""
    return len(scenario.game.sides(len(scenario.entries))) == 2


def strategies_of(text: str) -> list[str]:
    """Read ``a,b,c``.

    Raises
    ------
    InputError
        If there are fewer than two, too many, or one twice.
    """
    names = [name.strip() for name in text.split(",")]
    if "" in names:
        raise InputError.of(f"--strategies {text}", "a name between two commas is missing")
    if len(set(names)) < len(names):
        raise InputError.of(f"--strategies {text}", "a strategy is given twice")
    if not 2 <= len(names) <= MOST_STRATEGIES:
        raise InputError.of(f"--strategies {text}", f"expected 2 to {MOST_STRATEGIES} strategies")
    return names


def check(scenario: Scenario, names: Sequence[str], loader: Loader) -> None:
    """Raise `InputError` at the first strategy that the game of `scenario` does not know."""
    for name in names:
        try:
            loader.check(scenario.game.ref, name, Path.cwd())
        except UnusableError as error:
            raise InputError.of("--strategies", str(error)) from None


def cells(scenario: Scenario, names: Sequence[str]) -> list[Cell]:
    """Return the runs to play, each with what it changes in the scenario."""
    sides = scenario.game.sides(len(scenario.entries))
    if is_duel(scenario):
        return [
            Cell(i, j, (*_seated(scenario, sides[0], names[i]), *_seated(scenario, sides[1], names[j])))
            for i, j in itertools.product(range(len(names)), repeat=2)
        ]
    return [
        Cell(seat, j, tuple(_seated(scenario, [seat], names[j])))
        for seat in range(len(scenario.entries))
        for j in range(len(names))
    ]


def _seated(scenario: Scenario, seats: Sequence[int], name: str) -> Iterator[tuple[str, str]]:
    """Yield the changes that make seats play by a strategy; parameters of the one before go away."""
    for seat in seats:
        yield f"seats.{seat + 1}.strategy", name
        if "params" in scenario.resolved["seats"][seat]:
            yield f"seats.{seat + 1}.params", "{}"


def judge(scenario: Scenario, cells: Sequence[Cell], names: Sequence[str], played: Sequence[Entrant]) -> list[str]:
    """Return for each cell that was played why it need not go on, "" where it must.

    Where two sides meet, a strategy is out that certainly wins less against the others than another one, on average
    of both sides; with more seats, one that certainly wins less in that seat than another one there.
    """
    if len(played) < len(cells):
        return [""] * len(played)
    spans = [entrant.span(entrant.run) for entrant in played if entrant.run is not None]
    if is_duel(scenario):
        by_cell = {(cell.row, cell.column): ends for cell, ends in zip(cells, spans, strict=True)}
        out = reasons(names, [_average(by_cell, i, len(names)) for i in range(len(names))])
        return [out[cell.row] or out[cell.column] for cell in cells]
    seats = [spans[first : first + len(names)] for first in range(0, len(cells), len(names))]
    return [why for ends in seats for why in reasons(names, ends)]


def _average(spans: dict[tuple[int, int], tuple[float, float]], mine: int, n: int) -> tuple[float, float]:
    """Return the range of a strategy's average lead against the others, on either side."""
    against = [spans[mine, other] for other in range(n) if other != mine]
    against += [(-spans[other, mine][1], -spans[other, mine][0]) for other in range(n) if other != mine]
    return sum(low for low, _ in against) / len(against), sum(high for _, high in against) / len(against)


def span(cell: Cell, scenario: Scenario, n_cells: int, run: Run) -> tuple[float, float]:
    """Return the range of what a cell is about, at the level for all cells together: a lead, or a seat's share."""
    joint = simultaneous_confidence(CONFIDENCE, n_cells)
    tally = run.tally
    if is_duel(scenario):
        total, squares = tally.lead_sums(0, 1)
        _, low, high = leader_of_two(tally.deals, total, squares, tally.rotations * WHOLE_WIN, joint)
        return low, high
    sides = scenario.game.sides(len(scenario.entries))
    side = next(i for i, seats in enumerate(sides) if cell.row in seats)
    return side_interval(tally, side, joint)[1:]


def told(cell: Cell, scenario: Scenario, run: Run, names: Sequence[str], why: str = "") -> dict[str, Any]:
    """Return what a cell answers; a share is that of side 1 in a duel, else that of the seat's side.

    `why` says why it stopped early, if it did.
    """
    found = summary(scenario, run)
    tally = run.tally
    duel = is_duel(scenario)
    sides = scenario.game.sides(len(scenario.entries))
    side = 0 if duel else next(i for i, seats in enumerate(sides) if cell.row in seats)
    rate, low, high = side_interval(tally, side, CONFIDENCE)
    won = found["sides"][side]
    answer = {
        "row": names[cell.row] if duel else cell.row + 1,
        "column": names[cell.column],
        "games": tally.games,
        "wins": won["wins"],
        "tied": found["tied"],
        "nobody": found["nobody"],
        "unfinished": found["unfinished"]["games"],
        "losses": sum(each["wins"] for each in found["sides"]) - won["wins"],
        "rate": rate,
        "low": low,
        "high": high,
        "stop": run.reason,
        "why": why or None,
        "inputs": found["digest"]["inputs"],
    }
    if duel:
        total, squares = tally.lead_sums(0, 1)
        most = tally.rotations * WHOLE_WIN
        joint = simultaneous_confidence(CONFIDENCE, len(names) ** 2)
        _, lead_low, lead_high = leader_of_two(tally.deals, total, squares, most, joint)
        answer |= {
            "lead": total / most / tally.deals if tally.deals else 0.0,
            "lead_low": lead_low,
            "lead_high": lead_high,
        }
    return answer


def answer(
    scenario: Scenario,
    names: Sequence[str],
    found: list[dict[str, Any]],
    missing: int,
    words: Sequence[str],
    seconds: float,
) -> dict[str, Any]:
    """Return the answer as plain data (strict JSON)."""
    duel = is_duel(scenario) and not missing
    return {
        "schema": SCHEMA,
        "game": scenario.game.name,
        "scenario": scenario.name,
        "label": scenario.label,
        "duel": is_duel(scenario),
        "strategies": list(names),
        "sides": side_labels(scenario),
        "players": [entry.label for entry in scenario.entries],
        "cells": found,
        "missing": missing,
        "ratings": _ratings(found, names) if duel else [],
        "best": _best(found, names) if duel else None,
        "dominated": _dominated(found, names) if duel else [],
        "cycles": cycles(_beaten(found, names)) if duel else [],
        "equilibrium": equilibrium(_leads(found, names)) if duel else None,
        "seed": scenario.match.seed,
        "games": sum(cell["games"] for cell in found),
        "rotations": len(scenario.match.rotations),
        "confidence": CONFIDENCE,
        "resolved": scenario.resolved,
        "digest": {"sources": jit.sources_digest()},
        "command": shlex.join(["balance", "matrix", *words, "--seed", str(scenario.match.seed)]),
        "timing": {"seconds": seconds},
    }


def _leads(found: Sequence[dict[str, Any]], names: Sequence[str]) -> list[list[float]]:
    by_name = {(cell["row"], cell["column"]): cell["lead"] for cell in found}
    return [[by_name[row, column] for column in names] for row in names]


def _ratings(found: Sequence[dict[str, Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    """Rate each strategy by its average share of the wins against the others, on either side; the best first.

    Games that neither side won count as half of one. The range is the average of the cells' ranges at the level for all
    cells together, which is safe for any dependence; ``elo`` is 400 log10 of the odds.
    """
    rows = []
    for name in names:
        against = [(c["lead"], c["lead_low"], c["lead_high"]) for c in found if c["row"] == name != c["column"]]
        against += [(-c["lead"], -c["lead_high"], -c["lead_low"]) for c in found if c["column"] == name != c["row"]]
        rate, low, high = ((1 + sum(part) / len(against)) / 2 for part in zip(*against, strict=True))
        rows.append(
            {"strategy": name, "rate": rate, "low": low, "high": high}
            | {"elo": _elo(rate), "elo_low": _elo(low), "elo_high": _elo(high)}
        )
    return sorted(rows, key=lambda row: -row["rate"])


def _elo(rate: float) -> float | None:
    return 400 * math.log10(rate / (1 - rate)) if 0 < rate < 1 else None


def _best(found: Sequence[dict[str, Any]], names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the best answer of either side to each strategy of the other."""
    lead = {(cell["row"], cell["column"]): cell["lead"] for cell in found}
    return {
        "side 1": {other: max((lead[name, other], name) for name in names)[1] for other in names},
        "side 2": {other: min((lead[other, name], name) for name in names)[1] for other in names},
    }


def _dominated(found: Sequence[dict[str, Any]], names: Sequence[str]) -> list[dict[str, str | int]]:
    """Return which strategies are certainly worse than another one against everything, by side."""
    cell = {(each["row"], each["column"]): each for each in found}
    worse: list[dict[str, str | int]] = []
    for name, other in itertools.permutations(names, 2):
        if all(cell[name, c]["lead_high"] < cell[other, c]["lead_low"] for c in names):
            worse.append({"side": 1, "strategy": name, "by": other})
        if all(cell[c, name]["lead_low"] > cell[c, other]["lead_high"] for c in names):
            worse.append({"side": 2, "strategy": name, "by": other})
    return worse


def _beaten(found: Sequence[dict[str, Any]], names: Sequence[str]) -> dict[str, set[str]]:
    """Return whom each strategy certainly beats, taking both ways of sitting together."""
    cell = {(each["row"], each["column"]): each for each in found}
    return {
        name: {
            other
            for other in names
            if other != name and cell[name, other]["lead_low"] - cell[other, name]["lead_high"] > 0
        }
        for name in names
    }


def cycles(beats: dict[str, set[str]]) -> list[list[str]]:
    """Return the cycles of three: a beats b, b beats c, c beats a; each once, from its first name on."""
    order = list(beats)
    return [
        [a, b, c]
        for a, b, c in itertools.permutations(order, 3)
        if b in beats[a] and c in beats[b] and a in beats[c] and order.index(a) < min(order.index(b), order.index(c))
    ]


def equilibrium(leads: Sequence[Sequence[float]]) -> dict[str, Any] | None:
    """Return the mixed equilibrium of the zero-sum game in which side 1 gets its lead; None without scipy.

    Parameters
    ----------
    leads : (n, n)
        Share of side 1 minus share of side 2, for each strategy of side 1 (rows) and of side 2.

    Returns
    -------
    dict
        ``side 1`` and ``side 2`` (chance of each strategy), ``value`` (the lead of side 1). Each is the solution of a
        linear program (von Neumann 1928; Dantzig 1951); where there are several equilibria, one of them.
    """
    try:
        from scipy.optimize import linprog
    except ImportError:
        return None
    n = len(leads)

    def safest(payoff: list[list[float]]) -> tuple[list[float], float]:
        # maximise v so that every column pays at least v
        bounds = [*((0.0, 1.0) for _ in range(n)), (None, None)]
        against = [[*(-payoff[i][j] for i in range(n)), 1.0] for j in range(n)]
        found = linprog([0.0] * n + [-1.0], against, [0.0] * n, [[1.0] * n + [0.0]], [1.0], bounds, method="highs")
        return [max(float(x), 0.0) for x in found.x[:n]], float(found.x[n])

    first, value = safest([list(row) for row in leads])
    second, _ = safest([[-leads[i][j] for i in range(n)] for j in range(n)])
    return {"side 1": first, "side 2": second, "value": value}
