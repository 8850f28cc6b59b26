"""How the numbers were made, where those of the game come from, and how to get them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reports.model.ends import Part
from reports.model.sides import Side
from reports.text import clean, count, percent, printable

TRACE_NAMES = {
    "typical": "a typical game",
    "shortest": "the shortest game",
    "longest": "the longest game",
    "swing": "the biggest change of fortune",
}
ESTIMATE_AFTER_STOP = (
    "Estimate after an early stop: the run ended because the result was precise enough. The ranges allow for "
    "that; the middle values may lean a little towards what happened to be seen."
)
CAVEAT = (
    "These numbers describe these strategies playing this edition. Strategy X beating strategy Y is not card "
    "A beating card B: change one thing at a time and compare."
)


@dataclass(frozen=True)
class Trace:
    """One game worth looking at, with the command that replays it."""

    kind: str
    label: str
    game: int
    command: str


def _points(value: float) -> str:
    digits = f"{value:.2f}".rstrip("0").rstrip(".") if value < 1 else f"{value:.1f}" if value < 10 else f"{value:.0f}"
    return f"±{digits} points"


def _width(sides: Sequence[Side]) -> str:
    """Return the longest arm of all sides' intervals, in points."""
    shares = [(side.share.rate or 0.0, side.share.low or 0.0, side.share.high or 0.0) for side in sides]
    return _points(100 * max(max(rate - low, high - rate) for rate, low, high in shares))


def stop(summary: Mapping[str, Any], sides: Sequence[Side]) -> str:
    """Say why the run ended and how precise it is."""
    end = summary["stop"]
    if not summary["games"]:
        return f"No games count (stop: {clean(end['reason'])})."
    games, width = count(int(summary["games"]), "game"), f"every range is within {_width(sides)}"
    # A run with a planned number of games has that number as its target, any other run a width in points.
    if end["unit"] == "games":
        short = f" of {int(end['target']):,} planned; {width}"
    else:
        wanted = "" if end["target"] is None else f", short of the {_points(end['target'])} asked for"
        short = f"; {width}{wanted}"
    return {
        "precision": f"Stopped after {games}: {width} ({_points(end['target'] or 0)} asked for).",
        "games": f"Played the planned {games}; {width}.",
        "budget": f"Played all {games} allowed{short}.",
        "max-time": f"Stopped by the time limit after {games}{short}.",
        "interrupted": f"Interrupted; the first {games} count{short}.",
    }.get(end["reason"], f"Stopped after {games} ({clean(end['reason'])}); {width}.")


def sentences(summary: Mapping[str, Any], sides: Sequence[Side]) -> tuple[str, ...]:
    """Say how to read the ranges."""
    interval = summary["interval"]
    confidence = percent(interval["confidence"], 0)
    at_once = percent(summary["leader"]["simultaneous_confidence"], 0)
    scopes = {True: "for all sides at once (simultaneous)", False: "for one side alone (pointwise)"}
    naming = (
        "A leader of two is named by one direct comparison of both"
        if summary["leader"].get("lead")
        else "Naming a leader uses wider ranges that hold for all sides at once"
    )
    outside = percent(1 - interval["confidence"], 0)
    example = sides[0].share.interval if summary["games"] else "56.7 to 57.7"
    told = [
        f"A range such as “{example}” is a {confidence} interval: chance alone puts the true share outside "
        f"it in at most {outside} of such runs. It says nothing about errors in the data.",
        f"Ranges beside a share are {scopes[bool(interval['simultaneous'])]}. {naming} ({at_once}).",
        f"Method: {clean(interval['method'])}. It stays valid however often one looks and whenever the run "
        "stops, so a run may be extended without false winners.",
    ]
    if any(side.wilson for side in sides):
        told.append(
            "The Wilson range is the usual one for a number of games fixed beforehand; it is narrower and "
            "holds only because the planned number was played."
        )
    rotations = int(summary["rotations"])
    if rotations > 1:
        told.append(
            f"Each deal is played {rotations} times with the sides moved round the table; the games of a "
            "deal are judged together."
        )
    return (*told, CAVEAT)


def speed(summary: Mapping[str, Any]) -> str:
    """Return seconds and games a second; empty where they were not measured."""
    timing = summary.get("timing") or {}
    if not timing.get("seconds") or not timing.get("games_per_second"):
        return ""
    return f"{timing['seconds']:.1f} s, {timing['games_per_second']:,.0f} games a second"


def sources(provenance: Mapping[str, float]) -> tuple[Part, ...]:
    """Split the numbers of an edition by where they come from."""
    words = {
        "rulebook": "printed in the rulebook",
        "derived": "derived from the rulebook",
        "public": "from public pages",
        "reconstructed": "reconstructed",
    }
    found = ((word, provenance.get(kind) or 0.0) for kind, word in words.items())
    return tuple(Part(word, 0, share, percent(share, 0)) for word, share in found if share > 0)


def origin(provenance: Mapping[str, float]) -> str:
    """Say where the numbers of an edition come from."""
    parts = {part.name: part.percent for part in sources(provenance)}
    if not parts:
        return "Nothing is recorded about where the numbers of this edition come from."
    if len(parts) == 1 and "reconstructed" in parts:
        return "All numbers are reconstructed: this is not the published game."
    clauses = []
    if "printed in the rulebook" in parts:
        clauses.append(f"{parts.pop('printed in the rulebook')} of the numbers come from the rulebook")
    clauses += [f"{share} are {word}" for word, share in parts.items()]
    ending = ": this is not the published game." if "reconstructed" in parts else "."
    return ", ".join(clauses) + ending


# ---------------------------------------------------------------- again


def traces(reproduce: Mapping[str, Any]) -> tuple[Trace, ...]:
    """Return the games worth looking at."""
    template = printable(reproduce["trace"]).removesuffix(" K")
    return tuple(
        Trace(clean(kind), TRACE_NAMES.get(kind, clean(kind).replace("_", " ")), int(game), f"{template} {game}")
        for kind, game in (reproduce.get("games") or {}).items()
        if game is not None
    )
