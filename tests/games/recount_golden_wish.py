"""Counts golden/as-you-wish.txt again by the plain reading, without the kernels; takes half a minute.

Run from the top folder as ``python tests/games/recount_golden_wish.py``; prints what differs and ends with 1 then.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS.parent), str(TESTS), str(TESTS / "games")]

from test_as_you_wish import as_reading, facts  # noqa: E402

from reference import wish  # noqa: E402
from reference.wish_cards import CARDS, CHARACTERS, RULES  # noqa: E402
from simcore.games.as_you_wish.state import METRICS, SEATS  # noqa: E402

FILE = TESTS / "golden" / "as-you-wish.txt"


class Stopped(Exception):  # noqa: N818
    """The reading has come to a choice that is not yet made."""

    def __init__(self, offered: Sequence[int]) -> None:
        super().__init__()
        self.offered = list(offered)


def play(rules: dict[str, Any], n: int, seed: int, deal: int, choose: wish.Choose) -> wish.Result:
    """Play one game by the reading."""
    return wish.play(CARDS, CHARACTERS, rules, n, seed, deal, choose)


def games(rules: dict[str, Any], n: int, number: int, seed: int) -> str:
    """Count random games."""
    winners = [0] * (1 << n)
    sums: dict[str, list[int]] = {}
    for deal in range(number):
        found = facts(play(rules, n, seed, deal, wish.random_player(seed, deal)), n)
        winners[found["winners"]] += 1
        for name in ("rounds", "decisions", *(metric.name for metric in METRICS)):
            values = found[name] + [0] * (SEATS - n) if isinstance(found[name], list) else [found[name]]
            sums[name] = [a + b for a, b in zip(sums.get(name, [0] * len(values)), values, strict=True)]
    while not winners[-1]:
        winners.pop()
    shown = [f"{mask:b}:{count}" for mask, count in enumerate(winners)]
    return ", ".join(shown + [f"{name} {'/'.join(map(str, values))}" for name, values in sums.items()])


def perft(rules: dict[str, Any], n: int, number: int, seed: int) -> str:
    """Count positions after 1, 2, ... decisions of game 0."""
    counts, paths = [], [[action] for action in offered_after(rules, n, [], seed) or []]
    for _ in range(number):
        offers = [offered_after(rules, n, path, seed) for path in paths]
        counts.append(f"{len(paths)} ({sum(offer is None for offer in offers)} over)")
        paths = [[*path, a] for path, offer in zip(paths, offers, strict=True) for a in offer or []]
    return ", ".join(counts)


def offered_after(rules: dict[str, Any], n: int, path: Sequence[int], seed: int) -> list[int] | None:
    """Return what is offered after these decisions of game 0; None when the game is over."""
    left = list(path)

    def choose(seat: int, kind: str, actions: Sequence[int], view: wish.View) -> int:
        if not left:
            raise Stopped(actions)
        return left.pop(0)

    try:
        play(rules, n, seed, 0, choose)
    except Stopped as stopped:
        return stopped.offered
    return None


def recounted(line: str, seed: int, n: int) -> str:
    """Return a line of the golden file as the reading counts it."""
    head = line.split(": ", 1)[0]
    kind, number, *overrides = head.split()
    given = {name.removeprefix("rules."): yaml.safe_load(value) for name, value in (o.split("=") for o in overrides)}
    changes: dict[str, Any] = {}
    for name, value in given.items():
        table = {"extra": "offer_extra", "face_down": "face_down"}.get(name)
        changes[table or name] = {**RULES[table], n: value} if table else value
    count = {"games": games, "perft": perft}[kind]
    return f"{head}: {count(as_reading(changes), n, int(number), seed)}"


def main() -> int:
    """Recount every line; return 1 if one differs."""
    differs = 0
    base: dict[str, Any] = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("base "):
            base = yaml.safe_load(line.removeprefix("base "))
        if line.startswith(("games ", "perft ")):
            found = recounted(line, base["seed"], len(base["seats"]))
            differs |= found != line
            print("same" if found == line else f"golden   {line}\nrecount  {found}", flush=True)
    return differs


if __name__ == "__main__":
    sys.exit(main())
