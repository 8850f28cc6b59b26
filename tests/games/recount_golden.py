"""Counts golden/hate-to-kill-you.txt again by the plain reading, without the kernels; takes a minute or two.

Run from the top folder as ``python tests/games/recount_golden.py``; prints what differs and ends with 1 then.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS.parent), str(TESTS), str(TESTS / "games")]

from duel_table import Reading, facts  # noqa: E402

from reference import duel  # noqa: E402
from reference.duel_cards import DECKS, DICE, RULES  # noqa: E402

FILE = TESTS / "golden" / "hate-to-kill-you.txt"
COLUMNS = ("rounds", "decisions", "ties", "lead_changes", "margin", "cancelled", "hits", "bluffs")
LAST = ("dice_left", "cards_left", "first_hit")


class Stopped(Exception):  # noqa: N818
    """The reading has come to a choice that is not yet made."""

    def __init__(self, offered: Sequence[int]) -> None:
        super().__init__()
        self.offered = list(offered)


def read(seats: Sequence[str], rules: dict[str, Any], deal: int, choose: duel.Choose, seed: int) -> Any:
    """Play one game by the reading; return it and its result."""
    decks = [DECKS[name] for name in seats]
    reading = Reading(decks, (DICE, DICE), rules, duel.StreamDice(seed, deal), choose)
    return reading, reading.run()


def games(seats: Sequence[str], rules: dict[str, Any], number: int, seed: int) -> str:
    """Count random games."""
    winners = [0, 0, 0]
    sums: dict[str, Any] = dict.fromkeys((*COLUMNS, *LAST), 0)
    for deal in range(number):
        found = facts(*read(seats, rules, deal, duel.random_player(seed, deal), seed))
        winners[found["winners"]] += 1
        for name, total in sums.items():
            value = found[name]
            if isinstance(value, list):
                sums[name] = [a + b for a, b in zip(total or [0, 0], value, strict=True)]
            else:
                sums[name] = total + value
    shown = [f"{mask:b}:{count}" for mask, count in enumerate(winners)]
    shown += [f"{n} {'/'.join(map(str, v)) if isinstance(v, list) else v}" for n, v in sums.items()]
    return ", ".join(shown)


def perft(seats: Sequence[str], rules: dict[str, Any], number: int, seed: int) -> str:
    """Count positions after 1, 2, ... decisions of game 0."""
    counts = []
    paths: list[list[int]] = [[]]
    for depth in range(number + 1):
        ended, next_paths = 0, []
        for path in paths:
            offered = offered_after(seats, rules, path, seed)
            ended += offered is None
            next_paths += [[*path, action] for action in offered or []]
        if depth:
            counts.append(f"{len(paths)} ({ended} over)")
        paths = next_paths
    return ", ".join(counts)


def offered_after(seats: Sequence[str], rules: dict[str, Any], path: Sequence[int], seed: int) -> list[int] | None:
    """Return what is offered after these decisions of game 0; None when the game is over."""
    left = list(path)

    def choose(seat: int, kind: str, actions: Sequence[int], view: duel.View) -> int:
        if not left:
            raise Stopped(actions)
        return left.pop(0)

    try:
        read(seats, rules, 0, choose, seed)
    except Stopped as stopped:
        return stopped.offered
    return None


def recounted(line: str, seed: int) -> str:
    """Return a line of the golden file as the reading counts it."""
    head = line.split(": ", 1)[0]
    kind, number, *overrides = head.split()
    given = dict(override.split("=") for override in overrides)
    seats = [given.pop(f"seats.{seat}.character") for seat in (1, 2)]
    changes = {name.removeprefix("rules."): yaml.safe_load(value) for name, value in given.items()}
    count = {"games": games, "perft": perft}[kind]
    return f"{head}: {count(seats, {**RULES, **changes}, int(number), seed)}"


def main() -> int:
    """Recount every line; return 1 if one differs."""
    differs = 0
    seed = 0
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("base "):
            seed = yaml.safe_load(line.removeprefix("base "))["seed"]
        if line.startswith(("games ", "perft ")):
            found = recounted(line, seed)
            differs |= found != line
            print("same" if found == line else f"golden   {line}\nrecount  {found}", flush=True)
    return differs


if __name__ == "__main__":
    sys.exit(main())
