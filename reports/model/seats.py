"""What the chair is worth, whoever sits in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reports.text import Share, clean, decimals_for, even_share, percent

# A claim of "no effect" needs an interval this narrow; above it, the honest answer is "none seen".
NEGLIGIBLE = 0.01


@dataclass(frozen=True)
class Seats:
    """What the chair is worth, whoever sits in it."""

    sentence: str
    rows: tuple[tuple[str, Share], ...]
    even: float | None
    title: str = "Going first"


def read(summary: Mapping[str, Any]) -> Seats:
    """Return what a summary says of the seats."""
    found = summary["seats"]
    decimals = decimals_for((seat["low"], seat["high"]) for seat in found["seats"])
    rows = tuple((f"Seat {seat['seat']}", Share.of(seat, decimals)) for seat in found["seats"])
    even = even_share([share for _, share in rows])
    in_order = found.get("in_order", True)
    if not found["separable"] and not in_order:
        why = clean(found["why"] or "the strategies were not rotated over the seats").rstrip(".")
        return Seats(f"The effect of the seat cannot be told apart here: {why}.", (), None, "Seats")
    if not found["separable"]:
        why = clean(found["why"] or "the strategies were not rotated over the seats").rstrip(".")
        return Seats(f"The effect of going first cannot be told apart here: {why}.", (), None)
    if not summary["games"] or not even:
        return Seats("There is nothing to compare between the seats.", (), None)
    if not in_order:
        return Seats(_chairs_sentence(rows, even), rows, even, "Seats")
    return Seats(_seat_sentence(rows, even), rows, even)


def _chairs_sentence(rows: Sequence[tuple[str, Share]], even: float) -> str:
    """Compare seats of which none goes first."""
    off = [(name, share) for name, share in rows if not share.contains(even)]
    fair = f"an even share is {percent(even, rows[0][1].decimals)}"
    if off:
        return f"The seat matters: {'; '.join(f'{name} wins {share.phrase}' for name, share in off)}; {fair}."
    rates = sorted((share.rate or 0, share.percent) for _, share in rows)
    return f"No effect of the seat is seen: seats win between {rates[0][1]} and {rates[-1][1]}, {fair}."


def _seat_effect(first: Share, even: float) -> str:
    if not first.contains(even):
        return "going first helps" if (first.rate or 0) > even else "going first hurts"
    half_width = ((first.high or 0) - (first.low or 0)) / 2
    return "going first does not matter" if half_width <= NEGLIGIBLE else "no effect of going first is seen"


def _seat_sentence(rows: Sequence[tuple[str, Share]], even: float) -> str:
    first = rows[0][1]
    effect = _seat_effect(first, even)
    share = percent(even, first.decimals)
    return f"{effect[0].upper()}{effect[1:]}: seat 1 wins {first.phrase}, an even share is {share}."


def clause(summary: Mapping[str, Any], seats: Seats) -> str:
    """Return the clause of a headline; empty where nothing is known of going first."""
    in_order = summary["seats"].get("in_order", True)
    if not in_order or not seats.rows or seats.even is None or summary["tied"] == summary["games"]:
        return ""
    first = seats.rows[0][1]
    effect = _seat_effect(first, seats.even)
    return effect if effect.endswith("matter") else f"{effect} ({first.percent})" if effect[0] == "g" else ""
