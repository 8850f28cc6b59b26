"""Counts golden/grimoire-shuffle.txt again by the plain reading, without the kernels; takes a few minutes.

Run from the top folder as ``python tests/games/recount_golden_grimoire.py``; prints what differs and ends with 1 then.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import yaml

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS.parent), str(TESTS)]

from reference import grimoire  # noqa: E402
from reference.grimoire import RULES, Asked, Result  # noqa: E402

FILE = TESTS / "golden" / "grimoire-shuffle.txt"
COUNTS = ("flips", "rotations", "specials", "skipped", "walks", "idle_walks")
SEATS = 6


class Stopped(Exception):  # noqa: N818
    """The reading has come to a choice that is not yet made."""


def rules_of(players: int, overrides: dict[str, Any]) -> dict[str, Any]:
    """Return the rules of the reading for those of a scenario."""
    six = "_six" if players == SEATS else ""
    columns = overrides.get(f"room_columns{six}", RULES["columns"][players])
    trophies = overrides.get(f"trophies{six}", RULES["trophies"][players])
    return {
        "advanced": overrides.get("leader_effects", RULES["advanced"]),
        "round_cap": overrides.get("round_cap", RULES["round_cap"]),
        "rows": overrides.get("room_rows", RULES["rows"]),
        "columns": {players: columns},
        "trophies": {players: trophies},
    }


def played(players: int, rules: dict[str, Any], seed: int, deal: int) -> dict[str, Any]:
    """Play a random game; return what the golden line adds up, under the names of the outcome's columns."""
    by_lot, decisions = grimoire.random_player(seed, deal), 0

    def choose(asked: Asked) -> int:
        nonlocal decisions
        decisions += len(asked.codes) > 1
        return by_lot(asked)

    result = grimoire.play(players, seed, deal, choose, **rules)
    return {"winner": result.winner, "decisions": decisions, **columns_of(result, players)}


def columns_of(result: Result, players: int) -> dict[str, Any]:
    """Return the columns of an outcome row, with 0 for what does not apply."""
    team = [sum(result.trophies[side::2]) for side in (0, 1)]
    padding = [0] * (SEATS - players)
    return {
        "rounds": result.rounds,
        "sudden": int(result.sudden),
        **{name: result.counts[name] for name in COUNTS},
        "first_leader_won": int(result.winner == result.leaders[0][0] % 2),
        "trophies": [*result.trophies, *padding],
        "team_trophies": [*(team[seat % 2] for seat in range(players)), *padding],
        "first_trophy": [result.first_trophy[seat % 2] or 0 for seat in range(SEATS)],
        "rows": [*result.rows, *padding],
        "idle_turns": [*result.idle_turns, *padding],
    }


ORDER = ("rounds", "decisions", "sudden", *COUNTS, "first_leader_won")
BY_SEAT = ("trophies", "team_trophies", "first_trophy", "rows", "idle_turns")


def games(players: int, rules: dict[str, Any], number: int, seed: int) -> str:
    """Count random games."""
    winners = [0] * 3
    single, by_seat = dict.fromkeys(ORDER, 0), {name: [0] * SEATS for name in BY_SEAT}
    for deal in range(number):
        found = played(players, rules, seed, deal)
        winners[0 if found["winner"] is None else 1 << found["winner"]] += 1
        for name in ORDER:
            single[name] += int(found[name])
        for name in BY_SEAT:
            by_seat[name] = [a + int(b) for a, b in zip(by_seat[name], found[name], strict=True)]
    while not winners[-1]:
        winners.pop()
    shown = [f"{mask:b}:{count}" for mask, count in enumerate(winners)]
    shown += [f"{name} {total}" for name, total in single.items()]
    return ", ".join(shown + [f"{name} {'/'.join(map(str, total))}" for name, total in by_seat.items()])


def perft(players: int, rules: dict[str, Any], number: int, seed: int) -> str:
    """Count positions after 1, 2, ... decisions of game 0."""
    counts: list[str] = []
    paths: list[list[int]] = [[]]
    for depth in range(number + 1):
        ended, after = 0, []
        for path in paths:
            offered = offered_after(players, rules, path, seed)
            ended += offered is None
            after += [[*path, code] for code in offered or ()]
        if depth:
            counts.append(f"{len(paths)} ({ended} over)")
        paths = after
    return ", ".join(counts)


def offered_after(players: int, rules: dict[str, Any], path: list[int], seed: int) -> tuple[int, ...] | None:
    """Return what is offered after these decisions of game 0; None when the game is over."""
    left, offered = list(path), ()

    def choose(asked: Asked) -> int:
        nonlocal offered
        if len(asked.codes) == 1:
            return asked.codes[0]
        if not left:
            offered = asked.codes
            raise Stopped
        return left.pop(0)

    try:
        grimoire.play(players, seed, 0, choose, **rules)
    except Stopped:
        return offered
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
            values = {**base.get("rules", {}), **{name: yaml.safe_load(value) for name, value in changes.items()}}
            players = len(base["seats"])
            count = {"games": games, "perft": perft}[kind]
            found = f"{head}: {count(players, rules_of(players, values), int(number), base['seed'])}"
            differs |= found != line
            print("same" if found == line else f"golden   {line}\nrecount  {found}", flush=True)
    return differs


if __name__ == "__main__":
    sys.exit(main())
