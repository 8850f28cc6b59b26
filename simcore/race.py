"""Races: of several variants, those that cannot be among the best any more stop, and are told why.

Everybody plays the same number of games, stage after stage; each stage is the one before played on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


UNLIMITED = 10**12
"""Games that nobody plays: the last stage where no budget is given."""


def stages(first: int, last: int = UNLIMITED, rotations: int = 1) -> list[int]:
    """Return the game counts of the stages: doubling, whole deals, `last` at the end.

    >>> stages(100, 700)
    [100, 200, 400, 700]
    """
    found = [-(-first // rotations) * rotations]
    while found[-1] < last:
        found.append(2 * found[-1])
    return [*found[:-1], -(-last // rotations) * rotations]


def beaten(spans: Sequence[Interval], keep: int = 1) -> list[bool]:
    """Return who cannot be among the best `keep`: so many others are certainly better.

    >>> beaten([(0.5, 0.6), (0.1, 0.4), (0.3, 0.7)])
    [False, True, False]
    """
    return [sum(low > high for low, _ in spans) >= keep for _, high in spans]


Judge = Callable[[Sequence[Entrant]], Sequence[str]]
"""Takes the entrants that played, returns for each why it is out, "" for who is not."""


def reasons(names: Sequence[str], spans: Sequence[Interval], keep: int = 1) -> list[str]:
    """Return for each of some variants why it is out, "" for who may be among the best `keep`."""
    leader, _ = max(zip(names, spans, strict=True), key=lambda pair: pair[1][0])
    place = "the best" if keep == 1 else f"the best {keep}"
    why = f"cannot be {place} any more: {leader} is certainly better"
    return [why if lost else "" for lost in beaten(spans, keep)]


def best(keep: int) -> Judge:
    """Return the judge who lets go whoever is not among the best `keep`."""

    def judge(played: Sequence[Entrant]) -> list[str]:
        spans = [each.span(each.run) for each in played if each.run is not None]
        return reasons([each.name for each in played], spans, keep)

    return judge


def race(
    entrants: Sequence[Entrant],
    judge: Judge,
    limits: Sequence[int],
    over: Callable[[], bool],
    show: Callable[[int, int], None] = lambda done, of: None,
) -> None:
    """Play a race of these stages; `over` says that no more time is left, `show` is told how many need no more games.

    Who ends by itself, because enough is known of it, stays in the comparison.
    """
    for limit in limits:
        for entrant in entrants:
            if not _goes_on(entrant):
                continue
            if over():
                return
            show(sum(not _goes_on(each) for each in entrants), len(entrants))
            entrant.run = entrant.play(limit, entrant.run)
        if limit == limits[-1]:
            return  # nobody would stop early any more
        played = [each for each in entrants if each.run is not None]
        for entrant, why in zip(played, judge(played), strict=True):
            if why and _goes_on(entrant) and entrant.run is not None:
                entrant.why = f"{why}, after {entrant.run.tally.games:,} games"
                entrant.run = replace(entrant.run, reason="beaten")
        if not any(map(_goes_on, entrants)):
            return


def _goes_on(entrant: Entrant) -> bool:
    return entrant.run is None or entrant.run.reason == "budget"
