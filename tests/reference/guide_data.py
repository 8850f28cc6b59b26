"""Boards, cards and rules of the field guide game, copied by hand from the component data, for the plain reading.

Squares are (row, column) from the top left. Paths are the names of their spaces in order; a name on both is a crossing.
"""

from __future__ import annotations

from typing import Any

FACES = (1, 2, 3, 4, 5, 6)
CAGE_NUMBERS = (1, 2, 3, 4, 5, 6)
CHILDREN = ("jared", "mallory", "simon")
GRUZELS = {2: 1, 3: 2, 4: 3}
N_TOKENS = 4

HOUSE: dict[str, Any] = {
    "squares": ("TTTTBBBB", "TTTTBBBB", "KKKHHPPP", "KKKHHPPP", "KKKHHPPP"),
    # rooms in their order, each with the square of its token
    "rooms": {"T": (0, 0), "B": (0, 7), "K": (4, 0), "H": (2, 3), "P": (4, 7)},
    "openings": (
        ((3, 2), (3, 3)),
        ((2, 4), (2, 5)),
        ((1, 3), (2, 3)),
        ((0, 3), (0, 4)),
        ((1, 6), (2, 6)),
    ),
    "start": (4, 4),
    "door": (4, 3),
}


def _path(letter: str, start: str, finish: str) -> tuple[str, ...]:
    """Return a path of 36 spaces with the four crossings."""
    crossings = {7: "X1", 15: "X2", 22: "X3", 29: "X4"}
    spaces = [crossings.get(n, f"{letter}{n:02}") for n in range(1, 37)]
    return (*([start] if start else []), *spaces, finish)


RACE: dict[str, Any] = {
    "children": _path("C", "", "ARTHUR"),
    "gruzels": _path("G", "CAMP", "MULGARAAT"),
    "swords": {"X2"},
    "red": {f"{letter}{n:02}" for letter in "CG" for n in (4, 10, 13, 19, 25, 33)},
}

# name, copies, what it does; who is what the effect is about
BLUE: list[dict[str, Any]] = [
    {"name": "shortcut_through_the_ferns", "count": 3, "forward": 2, "who": "self"},
    {"name": "griffin_ride", "count": 1, "forward": 4, "who": "self"},
    {"name": "knotted_laces", "count": 1, "back": 3, "who": "any_gruzel"},
    {"name": "ring_of_mushrooms", "count": 1, "back": 2, "who": "all_gruzels"},
    {"name": "troll_in_the_stream", "count": 1, "back": 3, "who": "self"},
    {"name": "second_wind", "count": 1, "roll_again": True},
    {"name": "hidden_tunnel", "count": 1, "swap_children": True},
    {"name": "snapped_twig", "count": 3, "gruzel_draws": 1},
    {"name": "fresh_trail", "count": 3, "gruzel_moves": 3},
    {"name": "tomato_juice", "count": 4, "weapon": "tomato"},
    {"name": "bag_of_salt", "count": 3, "weapon": "salt"},
    {"name": "steel_rapier", "count": 3, "weapon": "steel"},
]
GREEN: list[dict[str, Any]] = [
    {"name": "scent_of_paper", "count": 4, "forward": 2, "who": "self"},
    {"name": "loping_run", "count": 2, "forward": 4, "who": "self"},
    {"name": "pack_hunt", "count": 1, "forward": 2, "who": "all_gruzels"},
    {"name": "tripwire", "count": 2, "back": 2, "who": "any_child"},
    {"name": "snapping_at_heels", "count": 1, "back": 3, "who": "bearer_child"},
    {"name": "squabble", "count": 4, "back": 2, "who": "self"},
    {"name": "distracted_by_birds", "count": 1, "back": 3, "who": "self"},
    {"name": "howl", "count": 1, "roll_again": True},
    {"name": "known_crossing", "count": 1, "to_crossing": True, "who": "self"},
    {"name": "pick_pocket", "count": 1, "lose_cards": 1, "who": "any_child"},
    {"name": "mud_cloak", "count": 3, "wards": ["tomato"]},
    {"name": "sudden_wind", "count": 2, "wards": ["salt"]},
    {"name": "snare_net", "count": 1, "wards": ["steel"]},
    {"name": "redcap_shield", "count": 1, "wards": ["tomato", "salt", "steel"]},
]

RULES: dict[str, Any] = {
    "fight_reading": "printed",
    "warding": "any",
    "token_placement": "random",
    "leaving": "with_guide",
    "retry_players": 2,
    "retry_roll": 3,
    "round_cap": 300,
}
