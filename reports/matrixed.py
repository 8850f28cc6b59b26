"""A matrix of strategies as a page, and as rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reports.page import Data, Page, Picture, Table, of_scenario
from reports.text import NOTHING, Share, clean, count, decimals_for, first_of, percent

COLUMNS = (
    *("row", "column", "games", "wins", "tied", "losses", "nobody", "unfinished", "rate", "low", "high", "lead"),
    *("stop", "why"),
)


def page(answer: Mapping[str, Any]) -> Page:
    """Return what is told of a matrix."""
    return of_scenario(
        answer,
        "matrix",
        f"{count(len(answer['cells']), 'pairing')}, {answer['games']:,} games",
        headline=_headline(answer),
        sentences=_sentences(answer),
        tables=_tables(answer),
        pictures=_pictures(answer),
        data=Data(COLUMNS, answer["cells"]),
        method=_method(answer),
    )


def _headline(answer: Mapping[str, Any]) -> str:
    if answer["ratings"]:
        best = answer["ratings"][0]
        share = percent(best["rate"])
        return f"{clean(best['strategy'])} wins most against the others: {share} on average."
    if not answer["cells"]:
        return "No pairing was played."
    best = max(answer["cells"], key=lambda cell: cell["rate"])
    seat = "" if answer["duel"] else f" in the seat of {_player(answer, best)}"
    return f"{clean(best['column'] if not answer['duel'] else best['row'])} wins most{seat}: {Share.of(best).phrase}."


def _player(answer: Mapping[str, Any], cell: Mapping[str, Any]) -> str:
    return clean(answer["players"][cell["row"] - 1])


def _sentences(answer: Mapping[str, Any]) -> Iterator[str]:
    sides: dict[tuple[str, str], list[str]] = {}
    for each in answer["dominated"]:
        side = clean(answer["sides"][each["side"] - 1])
        sides.setdefault((clean(each["strategy"]), clean(each["by"])), []).append(side)
    better: dict[tuple[str, str], list[str]] = {}
    for (name, other), found in sides.items():
        where = "on either side" if len(found) == 2 else f"as {found[0]}"
        better.setdefault((name, where), []).append(other)
    for (name, where), others in better.items():
        yield f"{name} is worse than {first_of(others, 6)} against everybody, {where}."
    for cycle in answer["cycles"]:
        a, b, c = map(clean, cycle)
        yield f"A cycle: {a} beats {b}, {b} beats {c}, and {c} beats {a}."
    found = answer["equilibrium"]
    if found:
        mixed = [
            f"{clean(label)}: {_mixture(found[key], answer['strategies'])}"
            for label, key in zip(answer["sides"], ("side 1", "side 2"), strict=True)
        ]
        lead = f"{round(100 * found['value'], 1) + 0.0:+.1f} points"
        yield f"If both know each other: {'; '.join(mixed)}. The lead of {clean(answer['sides'][0])} is then {lead}."
    elif answer["duel"] and not answer["missing"]:
        yield "The equilibrium needs scipy: install tablebalance[analysis]."
    early = list(dict.fromkeys(cell["why"] for cell in answer["cells"] if cell["why"]))
    if early:
        stopped = sum(1 for cell in answer["cells"] if cell["why"])
        yield f"{count(stopped, 'pairing')} stopped early: a strategy {clean(early[0])}."
    if answer["rotations"] == 1:
        yield "The players kept their seats: set rotate: true to take the seat out."
    if answer["missing"]:
        yield f"{count(answer['missing'], 'pairing')} not played: the time was up."


def _mixture(chances: list[float], names: list[str]) -> str:
    parts = [(chance, clean(name)) for chance, name in zip(chances, names, strict=True) if chance > 0.0005]
    if len(parts) == 1:
        return f"always {parts[0][1]}"
    return first_of([f"{name} {percent(chance, 0)}" for chance, name in sorted(parts, reverse=True)], 6)


def _tables(answer: Mapping[str, Any]) -> Iterator[Table]:
    cells = {(cell["row"], cell["column"]): cell for cell in answer["cells"]}
    names = answer["strategies"]
    decimals = decimals_for((cell["low"], cell["high"]) for cell in answer["cells"])
    rows = [clean(name) for name in names] if answer["duel"] else [clean(name) for name in answer["players"]]
    keys = names if answer["duel"] else range(1, len(answer["players"]) + 1)
    grid = tuple(
        (label, *(Share.of(cells[key, n], decimals).percent if (key, n) in cells else NOTHING for n in names))
        for label, key in zip(rows, keys, strict=True)
    )
    if answer["duel"]:
        first, second = map(clean, answer["sides"])
        note = f"Share of the wins of {first}, who plays the row, against {second}, who plays the column."
    else:
        note = "Share of the wins of each player with each strategy, the others playing as the scenario says."
    yield Table("Share of the wins", ("", *map(clean, names)), grid, note=note)
    if answer["ratings"]:
        rated = tuple(
            (
                clean(row["strategy"]),
                Share.of(row).percent,
                Share.of(row).interval,
                _elo(row["elo"]),
                NOTHING if row["elo"] is None else f"{_elo(row['elo_low'])} to {_elo(row['elo_high'])}",
            )
            for row in answer["ratings"]
        )
        yield Table(
            "Ratings",
            ("", "average share", "range", "Elo", "range"),
            rated,
            note="Against the other strategies, on either side. Elo: 400 log10 of the odds.",
        )
    if answer["best"]:
        best = tuple(
            (clean(name), clean(answer["best"]["side 1"][name]), clean(answer["best"]["side 2"][name]))
            for name in names
        )
        first, second = map(clean, answer["sides"])
        yield Table("Best answers", ("against", f"as {first}", f"as {second}"), best)
    every = tuple(
        (
            f"{clean(cell['row']) if answer['duel'] else _player(answer, cell)}: {clean(cell['column'])}",
            f"{cell['wins']:,}",
            f"{cell['tied']:,}",
            f"{cell['losses']:,}",
            f"{cell['unfinished'] + cell['nobody']:,}",
            Share.of(cell, decimals).percent,
            Share.of(cell, decimals).interval,
        )
        for cell in answer["cells"]
    )
    if every:
        yield Table("Every pairing", ("", "won", "tied", "lost", "neither", "share", "range"), every, most=0)


def _elo(value: float | None) -> str:
    return NOTHING if value is None else f"{value:+.0f}"


def _pictures(answer: Mapping[str, Any]) -> Iterator[Picture]:
    names = [clean(name) for name in answer["strategies"]]
    cells = {(cell["row"], cell["column"]): cell["rate"] for cell in answer["cells"]}
    keys = answer["strategies"] if answer["duel"] else range(1, len(answer["players"]) + 1)
    rows = names if answer["duel"] else [clean(name) for name in answer["players"]]
    values = [[cells.get((key, name)) for name in answer["strategies"]] for key in keys]
    if answer["cells"]:
        told = "; ".join(
            f"{label}: {', '.join(percent(value, 0) for value in line)}"
            for label, line in zip(rows, values, strict=True)
        )
        yield Picture(
            "matrix", f"Share of the wins, rows against {', '.join(names)}. {told}.", "heat_map", (rows, names, values)
        )


def _method(answer: Mapping[str, Any]) -> Iterator[str]:
    level = f"{100 * answer['confidence']:g} %"
    yield f"A range is a {level} interval of one pairing; cycles and dominance hold for all pairings together."
    if answer["duel"]:
        yield "The equilibrium takes the shares as they came out; with wide ranges another mixture may be right."
    yield "That strategy X beats strategy Y does not say that card A beats card B."
