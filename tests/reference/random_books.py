"""Grimoires made up at random, as an edition writes them and as the plain reading does; nobody would cast them."""

from __future__ import annotations

import random
from typing import Any

Data = dict[str, Any]
Pair = tuple[Data, Data]  # in the words of an edition, and in those of the reading

NAMES = {"ignore_walls": "ignore walls", "through_wall": "through"}
SPECIALS = ("cold", "burned", "swamp", "overgrown")
OPS = (
    *("move", "move", "ignore_walls", "sidestep", "straight", "through_wall", "flip", "rotate", "place", "clear"),
    *("teleport", "teleport", "swap", "swap"),
)
FORBIDDEN = ("move", "ignore_walls", "sidestep", "straight", "through_wall", "flip", "rotate", "place")
NUMBERS = {"bonus_move": "bonus", "move_penalty": "penalty", "wall_pass": "passes"}
SWITCHES = {"pass_apprentices": "passing", "ignore_special_rooms": "immune", "random_rotate": "random"}


def books(seed: int, number: int) -> list[Pair]:
    """Return so many grimoires."""
    chance = random.Random(seed)
    return [_book(chance, f"book-{index}") for index in range(number)]


def _book(chance: random.Random, name: str) -> Pair:
    steps = [_step(chance) for _ in range(chance.randint(0, 5))]
    leader, effect = _leader(chance)
    written = {"id": name, "label": name, "steps": [step for step, _ in steps], "leader": leader}
    return written, {"name": name, "steps": [step for _, step in steps], **effect}


def _leader(chance: random.Random) -> Pair:
    """Draw a leader effect; several at once, as no printed one has."""
    written: Data = {"scope": chance.choice(("team", "opponents", "all"))}
    read: Data = dict(written)
    for name, other in NUMBERS.items():
        if chance.random() < 0.25:
            written[name] = read[other] = chance.randint(1, 3)
    for name, other in SWITCHES.items():
        if chance.random() < 0.2:
            written[name] = read[other] = True
    for name in ("before", "after"):
        if chance.random() < 0.3:
            step, read[name] = _step(chance)
            written[name] = [step]
    if chance.random() < 0.25:
        written["forbids"] = chance.sample(FORBIDDEN, 2)
        read["no"] = tuple(NAMES.get(op, op) for op in written["forbids"])
    return written, read


def _step(chance: random.Random) -> Pair:
    op = chance.choice(OPS)
    name = {"op": op}, {"op": NAMES.get(op, op)}
    may = {"may": True} if chance.random() < 0.4 else {}
    match op:
        case "move" | "ignore_walls" | "sidestep":
            spaces = chance.randint(1, 7)
            given: Pair = {"up_to": spaces}, {"n": spaces}
        case "flip" | "rotate":
            which = chance.choice(("any", "own", "other"))
            given = {"target": which, **may}, {"which": which, **may}
        case "place":
            special = chance.choice(SPECIALS)
            given = {"room": special}, {"n": special}
        case "clear":
            given = {"may": True}, {"may": True}
        case "teleport":
            to = chance.choice(("row", "room"))
            if chance.random() < 0.5:
                given = {"who": "self", "to": f"same_{to}", **may}, {"to": to, **may}
            else:
                given = {"who": "other", "to": f"same_{to}"}, {"op": "teleport other", "to": to}
        case "swap":
            who = chance.choice(("row", "teammate", "opponent"))
            given = {"partner": "same_row" if who == "row" else who, "may": True}, {"with": who, "may": True}
        case _:
            given = {}, {}
    return {**name[0], **given[0]}, {**name[1], **given[1]}
