"""Counts golden/grimoire-shuffle.txt again by the plain reading, without the kernels; takes a few minutes.

Run from the top folder as ``python tests/games/recount_golden_grimoire.py``; prints what differs and ends with 1 then.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS.parent), str(TESTS), str(TESTS / "games")]

from recount import Line, Stopped, added_up, main, positions  # noqa: E402

from reference import grimoire  # noqa: E402
from reference.grimoire import RULES, Asked, Result  # noqa: E402

COUNTS = ("flips", "rotations", "specials", "skipped", "walks", "idle_walks")
COLUMNS = (
    *("rounds", "decisions", "sudden", *COUNTS, "first_leader_won"),
    *("trophies", "team_trophies", "first_trophy", "rows", "idle_turns"),
)
SEATS = 6


def rules_of(line: Line) -> dict[str, Any]:
    """Return the rules of the reading for those of a scenario."""
    players, switches = line.players, line.rules
    six = "_six" if players == SEATS else ""
    columns = switches.get(f"room_columns{six}", RULES["columns"][players])
    trophies = switches.get(f"trophies{six}", RULES["trophies"][players])
    return {
        "advanced": switches.get("leader_effects", RULES["advanced"]),
        "round_cap": switches.get("round_cap", RULES["round_cap"]),
        "rows": switches.get("room_rows", RULES["rows"]),
        "columns": {players: columns},
        "trophies": {players: trophies},
    }


def read(line: Line, deal: int) -> dict[str, Any]:
    """Play a random game; return what the golden line adds up, under the names of the outcome's columns."""
    by_lot, decisions = grimoire.random_player(line.seed, deal), 0

    def choose(asked: Asked) -> int:
        nonlocal decisions
        decisions += len(asked.codes) > 1
        return by_lot(asked)

    result = grimoire.play(line.players, line.seed, deal, choose, **rules_of(line))
    return {**columns_of(result, line.players), "decisions": decisions}


def columns_of(result: Result, players: int) -> dict[str, Any]:
    """Return the columns of an outcome row, with 0 for what does not apply."""
    team = [sum(result.trophies[side::2]) for side in (0, 1)]
    return {
        "winners": 0 if result.winner is None else 1 << result.winner,
        "rounds": result.rounds,
        "sudden": int(result.sudden),
        **{name: result.counts[name] for name in COUNTS},
        "first_leader_won": int(result.winner == result.leaders[0][0] % 2),
        "trophies": result.trophies,
        "team_trophies": [team[seat % 2] for seat in range(players)],
        "first_trophy": [result.first_trophy[seat % 2] or 0 for seat in range(SEATS)],
        "rows": result.rows,
        "idle_turns": [int(turns) for turns in result.idle_turns],
    }


def offered_after(line: Line, path: list[Any]) -> list[int] | None:
    """Return what is offered after these decisions of game 0; None when the game is over."""
    left = list(path)

    def choose(asked: Asked) -> int:
        if len(asked.codes) == 1:
            return asked.codes[0]
        if not left:
            raise Stopped(asked.codes)
        return int(left.pop(0))

    try:
        grimoire.play(line.players, line.seed, 0, choose, **rules_of(line))
    except Stopped as stopped:
        return stopped.offered
    return None


def count(line: Line) -> str:
    """Return the counts of a line."""
    if line.kind == "perft":
        return positions(line.number, partial(offered_after, line))
    return added_up((read(line, deal) for deal in range(line.number)), COLUMNS, SEATS)


if __name__ == "__main__":
    sys.exit(main("grimoire-shuffle", count))
