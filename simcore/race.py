"""Races: of several variants, those that cannot be among the best any more stop, and are told why.

Everybody plays the same number of games, stage after stage; each stage is the one before played on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from simcore.blocks import Run

Interval = tuple[float, float]


@dataclass
class Entrant:
    """A variant in a race.

    Parameters
    ----------
    name : str
    play : function of (games, what was played before or None)
        Plays on to so many games.
    span : function of a run
        (low, high) of what is raced for, more being better: at a level that holds for all entrants together.
    run : Run or None
        What was played.
    why : str
        Why it stopped early, "" if it did not.
    """

    name: str
    play: Callable[[int, Run | None], Run]
    span: Callable[[Run], Interval]
    run: Run | None = None
    why: str = ""


def stages(first: int, last: int, rotations: int = 1) -> Iterator[int]:
    """Yield the game counts of the stages: doubling, whole deals, `last` at the end.

    >>> list(stages(100, 700))
    [100, 200, 400, 700]
    """
    games = -(-first // rotations) * rotations
    while games < last:
        yield games
        games *= 2
    yield -(-last // rotations) * rotations


def beaten(spans: Sequence[Interval], keep: int = 1) -> list[bool]:
    """Return who cannot be among the best `keep`: so many others are certainly better.

    >>> beaten([(0.5, 0.6), (0.1, 0.4), (0.3, 0.7)])
    [False, True, False]
    """
    return [sum(low > high for low, _ in spans) >= keep for _, high in spans]


def race(entrants: Sequence[Entrant], keep: int, limits: Iterator[int], over: Callable[[], bool]) -> None:
    """Play a race; `over` says that no more time is left. Who ends by itself (precision) stays in the comparison."""
    for limit in limits:
        for entrant in entrants:
            if entrant.why or (entrant.run is not None and entrant.run.reason != "budget"):
                continue
            if over():
                return
            entrant.run = entrant.play(limit, entrant.run)
        played = [each for each in entrants if each.run is not None]
        spans = [each.span(each.run) for each in played if each.run is not None]
        for entrant, lost in zip(played, beaten(spans, keep), strict=True):
            if lost and not entrant.why and entrant.run is not None and entrant.run.reason == "budget":
                entrant.run = replace(entrant.run, reason="beaten")
                entrant.why = _why(entrant, played, spans, keep)
        if all(each.why or (each.run is not None and each.run.reason != "budget") for each in entrants):
            return


def _why(entrant: Entrant, played: Sequence[Entrant], spans: Sequence[Interval], keep: int) -> str:
    best, _ = max(zip(played, spans, strict=True), key=lambda pair: pair[1][0])
    games = entrant.run.tally.games if entrant.run is not None else 0
    place = "the best" if keep == 1 else f"the best {keep}"
    return f"cannot be {place} any more: {best.name} is certainly better, after {games:,} games"
