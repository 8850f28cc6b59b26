"""Counts golden/hate-to-kill-you.txt again by the plain reading, without the kernels; takes a minute or two.

Run from the top folder as ``python tests/games/recount_golden.py``; prints what differs and ends with 1 then.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS.parent), str(TESTS), str(TESTS / "games")]

from duel_table import Reading, facts  # noqa: E402
from recount import Line, Stopped, added_up, main, positions  # noqa: E402

from reference import duel  # noqa: E402
from reference.duel_cards import DECKS, DICE, RULES  # noqa: E402

COLUMNS = ("rounds", "decisions", "ties", "lead_changes", "margin", "cancelled", "hits", "bluffs")
LAST = ("dice_left", "cards_left", "first_hit")


def read(line: Line, deal: int, choose: duel.Choose) -> dict[str, Any]:
    """Play one game by the reading; return its facts."""
    decks = [DECKS[line.overrides[f"seats.{seat}.character"]] for seat in (1, 2)]
    reading = Reading(decks, (DICE, DICE), {**RULES, **line.rules}, duel.StreamDice(line.seed, deal), choose)
    return facts(reading, reading.run())


def offered_after(line: Line, path: list[Any]) -> list[int] | None:
    """Return what is offered after these decisions of game 0; None when the game is over."""
    left = list(path)

    def choose(seat: int, kind: str, actions: Sequence[int], view: duel.View) -> int:
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
    games = (read(line, deal, duel.random_player(line.seed, deal)) for deal in range(line.number))
    return added_up(games, (*COLUMNS, *LAST))


if __name__ == "__main__":
    sys.exit(main("hate-to-kill-you", count))
