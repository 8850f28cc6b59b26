"""Who wins: sides, their shares, and who is ahead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reports.model.ends import nobody
from reports.text import Share, clean, decimals_for, percent, shorten


@dataclass(frozen=True)
class Side:
    """One side: its name, how often it won alone or shared a win, and its share of the wins."""

    side: int
    name: str
    wins: int
    shared: int
    share: Share
    simultaneous: Share
    wilson: Share | None

    @property
    def short(self) -> str:
        """The name at a length that a sentence can carry."""
        return shorten(self.name, 40)


def side_names(summary: Mapping[str, Any]) -> list[str]:
    """Return one printable name per side; equal or empty labels get the side's number."""
    labels = [clean(side["label"]) for side in summary["sides"]]
    return [
        label if label and labels.count(label) == 1 else f"{label} (side {side['side']})".strip()
        for label, side in zip(labels, summary["sides"], strict=True)
    ]


def read(summary: Mapping[str, Any]) -> tuple[Side, ...]:
    """Return all sides of a summary."""
    decimals = decimals_for((side["low"], side["high"]) for side in summary["sides"])
    rows = []
    for name, side in zip(side_names(summary), summary["sides"], strict=True):
        at_once, wilson = side.get("simultaneous") or {}, side.get("wilson")
        rows.append(
            Side(
                side=int(side["side"]),
                name=name,
                wins=int(side["wins"]),
                shared=int(side["shared"]),
                share=Share.of(side, decimals),
                simultaneous=Share(side["rate"], at_once.get("low"), at_once.get("high"), decimals),
                wilson=Share(side["rate"], wilson["low"], wilson["high"], decimals) if wilson else None,
            )
        )
    return tuple(rows)


def sharing(sides: Sequence[Side]) -> str:
    """Say how shared wins count; empty if none is shared."""
    if not any(side.shared for side in sides):
        return ""
    return "A win shared by several sides counts in equal parts, so the shares add up with the ends below."


def who_wins(summary: Mapping[str, Any], sides: Sequence[Side]) -> str:
    """Return the first clause of a headline."""
    games = summary["games"]
    if summary["tied"] == games:
        return "Every game is tied"
    if summary["nobody"] == games:
        return "Nobody ever wins" if nobody(summary) == "nobody" else f"Every game is won by {nobody(summary)}"
    if len(sides) == 1:
        return f"{sides[0].short}: {sides[0].share.percent} of games won ({sides[0].share.interval})"
    leading = {side.side: side for side in sides}.get(summary["leader"]["side"])
    if leading:
        return f"{leading.short} wins {leading.share.percent} of games ({leading.share.interval})"
    return "Too close to call: " + _close_race(sides)


def _close_race(sides: Sequence[Side]) -> str:
    ranked = sorted(sides, key=lambda side: -(side.share.rate or 0))
    if len(ranked) == 2:
        return " and ".join(f"{side.short} {side.share.phrase}" for side in ranked)
    near = [side for side in ranked[1:] if _touches(side, ranked[0])]
    near = near or ranked[1:2]
    if len(near) == len(ranked) - 1:
        last = ranked[-1]
        return f"the {len(ranked)} sides win between {last.share.percent} and {ranked[0].share.percent} of games"
    names = " and ".join(f"{side.short} {side.share.phrase}" for side in [ranked[0], *near[:1]])
    return names if len(near) < 2 else f"{names}, and {len(near) - 1} more close behind"


def _touches(side: Side, first: Side) -> bool:
    high, low = side.simultaneous.high, first.simultaneous.low
    return high is None or low is None or high >= low


def leader(summary: Mapping[str, Any], sides: Sequence[Side]) -> str:
    """Say who is ahead of all others for certain, or that nobody is."""
    games, found = summary["games"], summary["leader"]
    nothing_to_win = games in (summary["tied"], summary["nobody"], summary["unfinished"]["games"])
    if not games or nothing_to_win or len(sides) < 2:
        return ""
    level = percent(found["simultaneous_confidence"], 0)
    leading = next((side for side in sides if side.side == found["side"]), None)
    if found.get("lead"):
        return _lead(found["lead"], leading, sides, level)
    if leading:
        return f"{leading.short} is ahead of every other side (all sides judged at once, {level})."
    return f"No side is ahead for certain (all sides judged at once, {level})."


def _lead(lead: Mapping[str, float], leading: Side | None, sides: Sequence[Side], level: str) -> str:
    """Say how far the first of two sides is ahead of the second; negative numbers favour the second."""
    low, high = 100 * lead["low"], 100 * lead["high"]
    if leading is None:
        room = f"{-low:.1f} points for {sides[1].short} to {high:.1f} points for {sides[0].short}"
        return f"No side is ahead for certain: the lead may be anything from {room} ({level})."
    low, high = (low, high) if leading.side == sides[0].side else (-high, -low)
    return f"{leading.short} is ahead by {low:.1f} to {high:.1f} points ({level})."
