"""Boxes of the field guide game that are not the shipped one, and the edition that says the same as a box."""

from __future__ import annotations

from typing import Any

from reference import guide, guide_data

WORDS = {"gruzel_draws": "gruzels_draw", "gruzel_moves": "gruzels_move"}
AMOUNT = {"forward": "steps", "back": "steps", "gruzel_moves": "steps", "gruzel_draws": "cards", "lose_cards": "cards"}
NAMES = {"CAMP": "gruzel-camp"}


def square_name(square: tuple[int, int]) -> str:
    return f"{'abcdefghijklmnopqrstuvwxyz'[square[1]]}{square[0] + 1}"


def space_id(space: str) -> str:
    return NAMES.get(space, space.lower())


def effect_of(effect: dict[str, Any]) -> dict[str, Any]:
    """Return an effect of the reading as the edition writes it."""
    op = next(key for key in effect if key not in ("name", "count", "who"))
    found: dict[str, Any] = {"op": WORDS.get(op, op)}
    if "who" in effect:
        found["who"] = effect["who"]
    if op in AMOUNT:
        found[AMOUNT[op]] = effect[op]
    return found


def card_of(card: dict[str, Any]) -> dict[str, Any]:
    name = card["name"].replace("_", "-")
    found = {"id": name, "label": name, "count": card["count"]}
    if "weapon" in card:
        return {**found, "weapon": card["weapon"]}
    if "wards" in card:
        return {**found, "wards": card["wards"]}
    return {**found, "effects": [effect_of(effect) for effect in card.get("effects", [card])]}


def edition_of(box: guide.Box, **rules: Any) -> dict[str, Any]:
    """Return the edition that says what a box says."""
    house, race = box.house, box.race

    def named(identifier: str, **fields: Any) -> dict[str, Any]:
        return {"id": identifier, "label": identifier, **fields}

    spaces = dict.fromkeys((*race["children"], *race["gruzels"]))
    tags = {
        space: [t for t, have in (("red", race["red"]), ("swords", race["swords"])) if space in have]
        for space in spaces
    }
    return {
        "game": "field-guide",
        "edition": "box",
        "label": "A box",
        "rules": {**guide_data.RULES, **rules},
        "pace": {"setup": 1, "turn": 1, "round": 1},
        "dice": [named("die", faces=list(box.faces))],
        "tables": [named(f"for-{n}", players=n, gruzels=count) for n, count in box.gruzels.items()],
        "children": [named(name) for name in guide_data.CHILDREN],
        "object_tokens": [named(f"token-{n}") for n in range(1, box.tokens + 1)],
        "cage_tokens": [named(f"cage-{i}", number=n) for i, n in enumerate(box.cage)],
        "rooms": [
            named(f"room-{letter.lower()}", letter=letter, token=square_name(spot))
            for letter, spot in house["rooms"].items()
        ],
        "plan": [
            named(
                "house",
                rows=list(house["squares"]),
                start=square_name(house["start"]),
                door=square_name(house["door"]),
            )
        ],
        "openings": [
            named(f"opening-{i}", squares=[square_name(square) for square in pair], secret=is_secret(pair))
            for i, pair in enumerate(house["openings"])
        ],
        "spaces": [named(space_id(space), tags=tags[space]) for space in spaces],
        "paths": [
            named(f"{side}-path", side=side, spaces=[space_id(space) for space in race[side]])
            for side in ("children", "gruzels")
        ],
        "blue_cards": [card_of(dict(card)) for card in box.blue],
        "green_cards": [card_of(dict(card)) for card in box.green],
    }


def is_secret(pair: tuple[tuple[int, int], tuple[int, int]]) -> bool:
    (row, column), (other_row, other_column) = pair
    return abs(row - other_row) + abs(column - other_column) != 1


# Four rooms of 2 x 2 or 1 x 2 squares in a ring, with a secret way across
SMALL_HOUSE: dict[str, Any] = {
    "squares": ("AABB", "AABB", "CCDD"),
    "rooms": {"A": (0, 0), "B": (0, 3), "C": (2, 0), "D": (2, 3)},
    "openings": (((0, 1), (0, 2)), ((1, 0), (2, 0)), ((1, 3), (2, 3)), ((2, 1), (1, 2))),
    "start": (2, 1),
    "door": (2, 2),
}
SMALL = guide.Box(house=SMALL_HOUSE)

# Paths so short that a child may be at the end of one as soon as it is out, and gruzels after one move
SHORT = guide.Box(
    house=SMALL_HOUSE,
    race={
        "children": ("C00", "C01", "C02", "C03", "ARTHUR"),
        "gruzels": ("CAMP", "G00", "G01", "G02", "G03", "MULGARAAT"),
        "swords": {"C01"},
        "red": {"G01"},
    },
    faces=(3, 6),
)

# A hole in the house, three tokens, short paths that cross twice, strange cards
ODD = guide.Box(
    house={
        "squares": ("QQ.RR", "QQ.RR", "SSSSS"),
        "rooms": {"Q": (0, 0), "R": (0, 4), "S": (2, 0)},
        "openings": (((1, 0), (2, 0)), ((1, 4), (2, 4)), ((1, 1), (1, 3))),
        "start": (2, 2),
        "door": (2, 3),
    },
    race={
        "children": ("C01", "C02", "C03", "X1", "C05", "C06", "C07", "X2", "C08", "C09", "ARTHUR"),
        "gruzels": ("CAMP", "G01", "G02", "X1", "G03", "G04", "G05", "X2", "G06", "G07", "G08", "MULGARAAT"),
        "swords": {"X2", "C02"},
        "red": {"C05", "C07", "G03", "G05"},
    },
    blue=[
        {"name": "both", "count": 2, "effects": [{"forward": 1, "who": "self"}, {"back": 2, "who": "all_gruzels"}]},
        {"name": "all_ahead", "count": 2, "forward": 3, "who": "all_children"},
        {"name": "bridge", "count": 2, "to_crossing": True, "who": "all_children"},
        {"name": "their_bridge", "count": 1, "to_crossing": True, "who": "any_gruzel"},
        {"name": "again", "count": 2, "roll_again": True},
        {"name": "swap", "count": 3, "swap_children": True},
        {"name": "bearer", "count": 2, "forward": 2, "who": "bearer_child"},
        {"name": "poor", "count": 1, "lose_cards": 2, "who": "all_children"},
        {"name": "rob", "count": 1, "lose_cards": 1, "who": "gruzels"},
        {"name": "they_draw", "count": 1, "gruzel_draws": 2},
        {"name": "they_move", "count": 2, "gruzel_moves": 4},
        {"name": "stone", "count": 4, "weapon": "stone"},
        {"name": "stick", "count": 4, "weapon": "stick"},
    ],
    green=[
        {"name": "rush", "count": 2, "effects": [{"forward": 4, "who": "all_gruzels"}, {"roll_again": True}]},
        {"name": "pull", "count": 2, "back": 3, "who": "all_children"},
        {"name": "push", "count": 2, "forward": 3, "who": "any_child"},
        {"name": "jump", "count": 2, "to_crossing": True, "who": "all_gruzels"},
        {"name": "grab", "count": 2, "lose_cards": 2, "who": "bearer_child"},
        {"name": "fumble", "count": 1, "lose_cards": 1, "who": "self"},
        {"name": "more", "count": 1, "gruzel_draws": 1},
        {"name": "shield", "count": 4, "wards": ["stone"]},
        {"name": "mud", "count": 3, "wards": ["stick", "stone"]},
    ],
    faces=(1, 2, 2, 4),
    cage=(2, 2, 4),
    gruzels={2: 3, 3: 1, 4: 2},
    tokens=3,
)
