"""The two boards as graphs, and what is worked out from them before a game: moves, ways, distances. Plain Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

import numpy as np

OUT = -1  # the first space outside, as a neighbour of the square behind the door
NEVER = 999.0

# -- the house ------------------------------------------------------------------------------------------------------


def square_name(row: int, column: int) -> str:
    """Return the name of a square: its column as a letter, its row from 1 at the top."""
    return f"{chr(ord('a') + column)}{row + 1}"


def squares_of(rows: Sequence[str]) -> dict[str, str]:
    """Return the letter of the room of each square, by name, row by row; ``.`` is no square."""
    return {
        square_name(row, column): letter
        for row, text in enumerate(rows)
        for column, letter in enumerate(text)
        if letter != "."
    }


def are_neighbours(first: str, second: str) -> bool:
    """Return whether two squares share a border."""
    return abs(ord(first[0]) - ord(second[0])) + abs(int(first[1:]) - int(second[1:])) == 1


@dataclass(frozen=True)
class House:
    """A floor plan: squares by number, and which of them one step joins.

    Parameters
    ----------
    rows : tuple of str
        One letter a square, the letter of its room.
    openings : tuple of pairs of names
        Squares of different rooms that one step joins.
    door : str
        Square behind the door.
    spots : tuple of str
        Square of the token of each room.
    rolls : tuple of int
        Faces of the die.
    """

    rows: tuple[str, ...]
    openings: tuple[tuple[str, str], ...]
    door: str
    spots: tuple[str, ...]
    rolls: tuple[int, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the squares, in the order of their numbers."""
        return tuple(squares_of(self.rows))

    @cached_property
    def steps(self) -> tuple[tuple[int, ...], ...]:
        """Return for each square the squares, and `OUT`, that one step reaches."""
        letters = squares_of(self.rows)
        number = {name: index for index, name in enumerate(letters)}
        joined: list[set[int]] = [set() for _ in number]
        pairs = [(a, b) for a in letters for b in letters if letters[a] == letters[b] and are_neighbours(a, b)]
        for first, second in (*pairs, *self.openings):
            joined[number[first]].add(number[second])
            joined[number[second]].add(number[first])
        joined[number[self.door]].add(OUT)
        return tuple(tuple(sorted(reached)) for reached in joined)

    @cached_property
    def moves(self) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
        """Bit masks for each square and each number of steps: squares reached, and ways out; see below."""
        return tuple(self._moves_from(square) for square in range(len(self.names)))

    def _moves_from(self, square: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        most = max(self.rolls)
        inside = [0] * (most + 1)
        exits = [0] * (most + 1)

        def walk(here: int, visited: int, taken: int) -> None:
            inside[taken] |= 1 << here
            for there in self.steps[here] if taken < most else ():
                if there == OUT:
                    for roll in range(taken + 1, most + 1):
                        exits[roll] |= 1 << (roll - taken)
                elif not visited >> there & 1:
                    walk(there, visited | 1 << there, taken + 1)

        walk(square, 1 << square, 0)
        return tuple(inside), tuple(exits)

    def inside(self, square: int, roll: int) -> int:
        """Return the squares that exactly `roll` steps reach, no square twice (H3), as a bit mask."""
        return self.moves[square][0][roll]

    def exits(self, square: int, roll: int) -> int:
        """Return with how many steps left over one can be out, the step through the door among them, as a bit mask."""
        return self.moves[square][1][roll]

    @cached_property
    def turns(self) -> Any:
        """Return the fewest turns on average from each square to each token's square, and out of the door (N, T + 1).

        The chooser knows the roll, and may stay: V = 1 + E[min over reached squares and staying], by value iteration.
        """
        n = len(self.names)
        reached = {roll: np.zeros((n, n + 1), bool) for roll in set(self.rolls)}
        for roll, table in reached.items():
            for square in range(n):
                table[square, square] = True  # staying
                table[square, -1] = self.exits(square, roll) > 0
                for other in range(n):
                    table[square, other] |= bool(self.inside(square, roll) >> other & 1)
        targets = [self.names.index(spot) for spot in self.spots]
        return np.stack([_fewest_turns(reached, self.rolls, target) for target in (*targets, n)], axis=1)

    def unreachable(self, start: str) -> list[str]:
        """Return the token squares on which no row of rolls from `start` ever ends; "" for the door."""
        turns = self.turns[self.names.index(start)]
        return [spot for spot, expected in zip((*self.spots, ""), turns, strict=True) if expected >= NEVER]


def _fewest_turns(reached: Mapping[int, Any], rolls: Sequence[int], target: int) -> Any:
    """Return the fewest turns on average to square `target` from each square; `NEVER` from where none leads."""
    n = next(iter(reached.values())).shape[0]
    values = np.full(n + 1, NEVER)
    values[target] = 0.0
    for _ in range(2000):
        best = [np.where(reached[roll], values, np.inf).min(axis=1) for roll in rolls]
        new = np.minimum(1.0 + np.mean(best, axis=0), NEVER)
        if target < n:
            new[target] = 0.0
        if np.abs(new - values[:n]).max() < 1e-5:
            break
        values[:n] = new
    return values[:n]


@cache
def house(
    rows: tuple[str, ...],
    openings: tuple[tuple[str, str], ...],
    door: str,
    spots: tuple[str, ...],
    rolls: tuple[int, ...],
) -> House:
    """Return the house of a plan; the same one for the same plan, so that it is worked out once."""
    return House(rows, openings, door, spots, rolls)


# -- the race -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Race:
    """Two paths from start to finish; a space on both is a crossing, where a piece may take either.

    Parameters
    ----------
    n : int
        Spaces.
    paths : (2) tuples of int
        The children's path from the first space outside, the gruzels' from the camp; each ends with its finish.
    """

    n: int
    paths: tuple[tuple[int, ...], tuple[int, ...]]

    @cached_property
    def crossings(self) -> frozenset[int]:
        """Spaces on both paths."""
        return frozenset(self.paths[0]) & frozenset(self.paths[1])

    def position(self, path: int, space: int) -> int:
        """Return where `space` stands on `path`, -1 if nowhere."""
        return self.paths[path].index(space) if space in self.paths[path] else -1

    def reach(self, space: int, step: int, count: int) -> list[tuple[int, int]]:
        """Return the (space, path it comes by) that `count` steps forward (`step` 1) or back (-1) end on.

        A move stops at the end of a path; the rules say who may stand there. At a crossing it goes on along either.
        """
        found: dict[tuple[int, int], None] = {}

        def walk(path: int, position: int, left: int) -> None:
            ahead = position + step
            if left == 0 or not 0 <= ahead < len(self.paths[path]):
                found[(self.paths[path][position], path)] = None
                return
            there = self.paths[path][ahead]
            for branch in (0, 1) if there in self.crossings and left > 1 else (path,):
                walk(branch, self.paths[branch].index(there), left - 1)

        for path in (0, 1):
            if space in self.paths[path]:
                walk(path, self.paths[path].index(space), count)
        return list(found)

    def distances(self, finish: int) -> list[int]:
        """Return the fewest single steps from each space to `finish`, forward or back, changing paths at crossings."""
        near: list[set[int]] = [set() for _ in range(self.n)]
        for path in self.paths:
            for first, second in pairwise(path):
                near[first].add(second)
                near[second].add(first)
        found = {finish: 0}
        queue = [finish]
        for space in queue:
            for other in near[space]:
                if other not in found:
                    found[other] = found[space] + 1
                    queue.append(other)
        return [found.get(space, 255) for space in range(self.n)]

    def next_crossing(self, path: int, space: int) -> int:
        """Return the next crossing ahead of `space` on `path`, -1 if there is none."""
        position = self.position(path, space)
        rest = self.paths[path][position + 1 :] if position >= 0 else ()
        return next((other for other in rest if other in self.crossings), -1)
