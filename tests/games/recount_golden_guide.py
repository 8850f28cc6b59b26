"""Counts golden/field-guide.txt again by the plain reading, without the kernels; takes a few minutes.

Run from the top folder as ``python tests/games/recount_golden_guide.py``; prints what differs and ends with 1 then.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS.parent), str(TESTS), str(TESTS / "games")]

from guide_table import Words, facts, random_player  # noqa: E402
from recount import Line, Stopped, added_up, main, positions  # noqa: E402

from reference import guide  # noqa: E402
from simcore.contract import ABSENT  # noqa: E402

BOX = guide.Box()
WORDS = Words(BOX)
ORDER = (
    *("rounds", "decisions", "found_round", "found_turn", "left_round", "left_turn"),
    *("fights", "fights_children", "fights_gruzels", "changes", "passes", "cage_taken", "cage_won", "cage_used"),
    *("sent_back", "reshuffles", "distance_left", "drawn", "fights_won", "fights_lost"),
)
SEATS = 4


def read(line: Line, deal: int) -> dict[str, Any]:
    """Play one game at random by the reading; return its facts, with 0 for what does not apply."""
    choose = random_player(line.seed, deal, WORDS)
    found = facts(guide.play(line.players, line.seed, deal, choose, line.rules, BOX), BOX)
    return {name: 0 if value == ABSENT else value for name, value in found.items()}


def offered_after(line: Line, path: list[Any]) -> list[Any] | None:
    """Return what is offered after these decisions of game 0; None when the game is over."""
    left = list(path)

    def choose(seat: int, role: str, kind: str, options: list[Any]) -> Any:
        if not left:
            raise Stopped(options)
        return left.pop(0)

    try:
        guide.play(line.players, line.seed, 0, choose, line.rules, BOX)
    except Stopped as stopped:
        return stopped.offered
    return None


def count(line: Line) -> str:
    """Return the counts of a line."""
    if line.kind == "perft":
        return positions(line.number, partial(offered_after, line))
    return added_up((read(line, deal) for deal in range(line.number)), ORDER, SEATS)


if __name__ == "__main__":
    sys.exit(main("field-guide", count))
