"""Counts golden/field-guide.txt again by the plain reading, without the kernels; takes a few minutes.

Run from the top folder as ``python tests/games/recount_golden_guide.py``; prints what differs and ends with 1 then.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import yaml

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS.parent), str(TESTS), str(TESTS / "games")]

from guide_table import Words, facts, random_player  # noqa: E402

from reference import guide  # noqa: E402
from simcore.contract import ABSENT  # noqa: E402

FILE = TESTS / "golden" / "field-guide.txt"
BOX = guide.Box()
WORDS = Words(BOX)
ORDER = (
    *("rounds", "decisions", "found_round", "found_turn", "left_round", "left_turn"),
    *("fights", "fights_children", "fights_gruzels", "changes", "passes", "cage_taken", "cage_won", "cage_used"),
    *("sent_back", "reshuffles", "distance_left", "drawn", "fights_won", "fights_lost"),
)
SEATS = 4


class Stopped(Exception):  # noqa: N818
    """The reading has come to a choice that is not yet made."""


def games(n: int, rules: dict[str, Any], number: int, seed: int) -> str:
    """Count random games."""
    winners = [0] * 3
    sums: dict[str, list[int]] = {name: [0] for name in ORDER}
    for deal in range(number):
        found = facts(guide.play(n, seed, deal, random_player(seed, deal, WORDS), rules, BOX), BOX)
        winners[found["winners"]] += 1
        for name in ORDER:
            value = found[name]
            values = [*value, *[0] * (SEATS - n)] if isinstance(value, list) else [0 if value == ABSENT else value]
            sums[name] = [a + b for a, b in zip(sums[name] if deal else [0] * len(values), values, strict=True)]
    while not winners[-1]:
        winners.pop()
    shown = [f"{mask:b}:{count}" for mask, count in enumerate(winners)]
    return ", ".join(shown + [f"{name} {'/'.join(map(str, total))}" for name, total in sums.items()])


def perft(n: int, rules: dict[str, Any], number: int, seed: int) -> str:
    """Count positions after 1, 2, ... decisions of game 0."""
    counts, paths = [], [[]]
    for depth in range(number + 1):
        ended, after = 0, []
        for path in paths:
            offered = offered_after(n, rules, path, seed)
            ended += offered is None
            after += [[*path, option] for option in offered or []]
        if depth:
            counts.append(f"{len(paths)} ({ended} over)")
        paths = after
    return ", ".join(counts)


def offered_after(n: int, rules: dict[str, Any], path: list[Any], seed: int) -> list[Any] | None:
    """Return what is offered after these decisions of game 0; None when the game is over."""
    left, asked = list(path), []

    def choose(seat: int, role: str, kind: str, options: list[Any]) -> Any:
        if not left:
            asked.extend(options)
            raise Stopped
        return left.pop(0)

    try:
        guide.play(n, seed, 0, choose, rules, BOX)
    except Stopped:
        return asked
    return None


def main() -> int:
    """Recount every line; return 1 if one differs."""
    differs = 0
    base: dict[str, Any] = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("base "):
            base = yaml.safe_load(line.removeprefix("base "))
        if line.startswith(("games ", "perft ")):
            head = line.split(": ", 1)[0]
            kind, number, *overrides = head.split()
            changes = dict(override.removeprefix("rules.").split("=") for override in overrides)
            rules = {**base["rules"], **{name: yaml.safe_load(value) for name, value in changes.items()}}
            count = {"games": games, "perft": perft}[kind]
            found = f"{head}: {count(len(base['seats']), rules, int(number), base['seed'])}"
            differs |= found != line
            print("same" if found == line else f"golden   {line}\nrecount  {found}", flush=True)
    return differs


if __name__ == "__main__":
    sys.exit(main())
