"""A match: names and numbers that any thread, process or machine needs to play the games of a scenario."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from simcore.contract import Exposed


@dataclass(frozen=True)
class Match:
    """All that decides the games, with nothing compiled in it.

    Parameters
    ----------
    game : str
        Name for the loader.
    seed : int
        Below 2**53.
    n_seats : int
        Players at the table.
    rotations : tuple of tuple of int
        For each rotation, which entry sits in each seat. Game k plays deal ``k // len(rotations)``.
    strategies : tuple of tuple of str
        For each rotation, the strategy of each seat and role (S * roles, padded to the game's capacity).
    params : (rotations, S * roles, P) float64
    tabs : (rotations,) `tab` records
    pace : (setup, turn, round)
        Seconds, for estimated minutes.
    exposed : tuple of Exposed
        Bits of the exposure masks that are counted.
    """

    game: str
    seed: int
    n_seats: int
    rotations: tuple[tuple[int, ...], ...]
    strategies: tuple[tuple[str, ...], ...]
    params: Any
    tabs: Any
    pace: tuple[int, int, int]
    exposed: tuple[Exposed, ...] = ()
