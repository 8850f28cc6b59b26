"""What a change changes, in words: a headline, and rows with the largest effects first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reports.text import NOTHING, changes, clean, first_of, percent, quantity, signed, signed_range

MOST_CHANGES = 8  # changes that are listed one by one
MOST_DECIMALS = 6
LEAST_SAVED = 1.05  # what is below prints as one


@dataclass(frozen=True)
class Row:
    """One thing that was counted. `span` is (difference, low, high), `size` in units of how much games differ."""

    label: str
    base: str
    variant: str
    difference: str
    interval: str
    joint: str
    differs: bool
    saved: str
    is_share: bool
    span: tuple[float, float, float] | None


@dataclass(frozen=True)
class Difference:
    """A comparison in words."""

    title: str
    subtitle: str
    headline: str
    changes: tuple[str, ...]
    rows: tuple[Row, ...]
    summary: str
    saved: str
    stop: str
    method: tuple[str, ...]
    command: str


def build(answer: Mapping[str, Any]) -> Difference:
    """Put a comparison (`simcore.comparison.summary`) into words."""
    effects = [row for row in answer["effects"] if row["base"] is not None or row["variant"] is not None]
    rows = tuple(_row(row) for row in effects)
    primary = next(row for row in answer["effects"] if row["quantity"] == answer["primary"]["quantity"])
    named = [answer[part]["label"] or answer[part]["scenario"] for part in ("base", "variant")]
    same = answer["base"]["scenario"] == answer["variant"]["scenario"]
    return Difference(
        title=clean(f"{named[0]}, changed" if same else f"{named[1]} against {named[0]}"),
        subtitle=f"{answer['game']} · {answer['games']:,} games each, on the same deals",
        headline=_headline(answer, primary),
        changes=("nothing",) if answer["identical"] else tuple(changes(answer["changed"], MOST_CHANGES)),
        rows=rows,
        summary=_summary(effects),
        saved=_saved(primary),
        stop=_stop(answer),
        method=tuple(_method(answer)),
        command=answer["command"],
    )


def _label(row: Mapping[str, Any]) -> str:
    name, _, part = row["quantity"].partition(".")
    words = name.replace("_", " ")
    who = clean(row["label"] or part)
    if name == "side":
        return f"wins of {who}"
    return f"{words}, {who}" if who else {"unfinished": "unfinished games"}.get(words, words)


def _row(row: Mapping[str, Any]) -> Row:
    is_share = row["kind"] == "share"
    span = (row["difference"], row["low"], row["high"])
    decimals = _decimals(row, is_share)
    return Row(
        label=_label(row),
        base=_value(row["base"], is_share),
        variant=_value(row["variant"], is_share),
        difference=signed(row["difference"], is_share, decimals),
        interval=signed_range(row, is_share, decimals),
        joint=signed_range(row["simultaneous"], is_share, decimals),
        differs=row["differs"],
        saved=_factor(row["saved"]),
        is_share=is_share,
        span=None if None in span else span,
    )


def _decimals(row: Mapping[str, Any], is_share: bool) -> int:
    """Return so many decimals that the width of the interval shows, and that nothing prints as zero but zero."""
    if row["low"] is None or row["high"] is None:
        return 2
    scale = 100 if is_share else 1
    width = scale * (row["high"] - row["low"])
    decimals = max(1, 1 - math.floor(math.log10(width))) if 0 < width < 1 else 1
    smallest = scale * min((abs(row[part]) for part in ("difference", "low", "high") if row[part]), default=1.0)
    return min(max(decimals, math.ceil(-math.log10(2 * smallest))), MOST_DECIMALS)


def _value(value: float | None, is_share: bool) -> str:
    return percent(value) if is_share else quantity(value)


def _factor(saved: float | None) -> str:
    return NOTHING if saved is None else f"{saved:,.1f}" if saved < 100 else f"{saved:,.0f}"


def _headline(answer: Mapping[str, Any], primary: Mapping[str, Any]) -> str:
    row = _row(primary)
    unit = " points" if row.is_share else ""
    what = row.label[:1].upper() + row.label[1:]
    numbers = f"{row.variant} instead of {row.base} ({row.difference}{unit}, {row.interval})"
    margin = answer["primary"]["margin"] * (100 if row.is_share else 1)
    verdict = answer["primary"]["verdict"]
    if not answer["games"]:
        return "No game was played."
    if answer["identical"]:
        return "The two are the same, and so is every game."
    if verdict == "equal":
        return f"{what}: no difference of {margin:g}{unit} or more; {numbers}."
    if verdict == "undecided":
        return f"{what}: not decided; {numbers}."
    return f"{what}: {verdict}, {numbers}."


def _summary(effects: list[Mapping[str, Any]]) -> str:
    different = [_label(row) for row in effects if row["differs"]]
    if not different:
        return f"Of {len(effects)} things counted, none differs beyond what luck explains."
    names = first_of(different, 3)
    verb = "differs" if len(different) == 1 else "differ"
    return f"Of {len(effects)} things counted, {len(different)} {verb} beyond what luck explains: {names}."


def _saved(primary: Mapping[str, Any]) -> str:
    saved = primary["saved"]
    if not primary["deals"]:
        return ""
    if saved is None:
        how = "all differ by as much" if primary["difference"] else "do not differ at all"
        return f"The paired games {how}, so that pairing saves all games."
    if saved < LEAST_SAVED:
        return "Playing the same deals saves next to nothing here: the change alters almost all that happens."
    return f"Playing the same deals saves games: without, {_factor(saved)} times as many would be needed."


def _stop(answer: Mapping[str, Any]) -> str:
    games = f"{answer['games']:,} games of each"
    stop = answer["stop"]
    label = " The middle value may lean a little towards what happened to be seen; the range allows for that."
    why = {
        "games": f"Played {games}, as asked for.",
        "decided": f"Stopped after {games}, when the sign of the difference was certain.{label}",
        "equal": f"Stopped after {games}, when any difference was within the margin.{label}",
        "budget": f"Stopped by the budget after {games}.",
        "max-time": f"Stopped by the time limit after {games}.",
        "interrupted": f"Interrupted after {games}.",
    }
    return why[stop["reason"]]


def _method(answer: Mapping[str, Any]) -> Iterator[str]:
    level = f"{100 * answer['interval']['confidence']:g} %"
    yield (
        "Both scenarios play the same deals: what the change does not touch stays equal, game by game, and cancels. "
        "A difference is the variant minus the base, per game."
    )
    yield f"A range is a {level} interval that holds at every moment of the run; that of a mean does so for long runs."
    yield (
        f"Something is said to differ only if its range at the level for all {len(answer['effects'])} rows together "
        "leaves out zero. Rows are sorted by size: the difference over how much single games differ. What neither "
        "scenario has is left out."
    )
    yield "Saved: how many times as many games independent deals would need for the same range."
    yield "These numbers describe these strategies: players who adapt to the change may answer it."
