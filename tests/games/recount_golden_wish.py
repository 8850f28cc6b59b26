"""Counts golden/as-you-wish.txt again by the plain reading, without the kernels; takes half a minute.

Run from the top folder as ``python tests/games/recount_golden_wish.py``; prints what differs and ends with 1 then.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS.parent), str(TESTS), str(TESTS / "games")]

from recount import Line, Stopped, added_up, main, positions  # noqa: E402
from test_as_you_wish import as_reading, facts  # noqa: E402

from reference import wish  # noqa: E402
from reference.wish_cards import CARDS, CHARACTERS, RULES  # noqa: E402
from simcore.games.as_you_wish.state import METRICS, SEATS  # noqa: E402

BY_PLAYERS = {"extra": "offer_extra", "face_down": "face_down"}


def read(line: Line, deal: int, choose: wish.Choose) -> dict[str, Any]:
    """Play one game by the reading; return its facts."""
    changes: dict[str, Any] = {}
    for name, value in line.rules.items():
        table = BY_PLAYERS.get(name)
        changes[table or name] = {**RULES[table], line.players: value} if table else value
    result = wish.play(CARDS, CHARACTERS, as_reading(changes), line.players, line.seed, deal, choose)
    return facts(result, line.players)


def offered_after(line: Line, path: list[Any]) -> list[int] | None:
    """Return what is offered after these decisions of game 0; None when the game is over."""
    left = list(path)

    def choose(seat: int, kind: str, actions: Sequence[int], view: wish.View) -> int:
        if not left:
            raise Stopped(actions)
        return int(left.pop(0))

    try:
        read(line, 0, choose)
    except Stopped as stopped:
        return stopped.offered
    return None


def count(line: Line) -> str:
    """Return the counts of a line."""
    if line.kind == "perft":
        return positions(line.number, partial(offered_after, line))
    games = (read(line, deal, wish.random_player(line.seed, deal)) for deal in range(line.number))
    return added_up(games, ("rounds", "decisions", *(metric.name for metric in METRICS)), SEATS)


if __name__ == "__main__":
    sys.exit(main("as-you-wish", count))
