"""The quest cards, characters and default rules of As You Wish, from the reconstruction's tables.

A second transcription, apart from the edition file: comparing the two finds a slip in either.
"""

from __future__ import annotations

from typing import Any

Card = dict[str, Any]
Character = dict[str, Any]

ICONS = ("fight", "glory", "love", "might", "wits")
RULES: dict[str, Any] = {
    "rank_by": "newest",
    "poison_limit": 3,
    "end_length": 9,
    "offer_extra": {2: 2, 3: 2, 4: 2, 5: 3, 6: 3},
    "face_down": {2: 2, 3: 2, 4: 2, 5: 3, 6: 3},
    "tie_break_counts": "face_up",
    "character_cards": "open",
    "round_cap": 50,
}

# number, icon, spine, points a matching icon, poison, figures in the still
TABLE: list[tuple[int, str, str, int, int, str]] = [
    (1, "wits", "light", 1, 0, "grandfather"),
    (2, "glory", "plain", 0, 1, "grandfather"),
    (3, "love", "light", 1, 0, "buttercup westley"),
    (4, "might", "plain", 0, 0, "westley"),
    (5, "love", "plain", 0, 1, "buttercup westley"),
    (6, "love", "dark", 2, 3, "buttercup westley"),
    (7, "fight", "plain", 0, 0, "buttercup"),
    (8, "glory", "plain", 0, 1, "humperdinck buttercup rugen"),
    (9, "glory", "light", 1, 0, "buttercup"),
    (10, "might", "light", 2, 2, "vizzini fezzik inigo buttercup"),
    (11, "wits", "plain", 0, 0, "vizzini fezzik inigo"),
    (12, "wits", "dark", 1, 0, "inigo fezzik vizzini"),
    (13, "fight", "plain", 0, 1, "buttercup"),
    (14, "might", "dark", 1, 1, "fezzik buttercup"),
    (15, "fight", "plain", 0, 1, "inigo vizzini"),
    (16, "might", "plain", 0, 0, "fezzik vizzini inigo buttercup"),
    (17, "love", "plain", 0, 0, "westley"),
    (18, "wits", "plain", 0, 1, "vizzini fezzik"),
    (19, "wits", "dark", 2, 3, "vizzini inigo"),
    (20, "glory", "dark", 1, 0, "inigo"),
    (21, "glory", "light", 1, 0, "inigo westley"),
    (22, "love", "plain", 0, 0, "inigo westley"),
    (23, "fight", "light", 1, 0, "inigo westley"),
    (24, "fight", "plain", 0, 2, "inigo westley"),
    (25, "fight", "light", 2, 2, "inigo westley"),
    (26, "glory", "dark", 1, 1, "inigo westley"),
    (27, "wits", "plain", 0, 0, "vizzini buttercup"),
    (28, "might", "light", 1, 0, "fezzik westley"),
    (29, "might", "plain", 0, 1, "fezzik westley"),
    (30, "love", "plain", 0, 1, "fezzik westley"),
    (31, "wits", "light", 2, 2, "humperdinck rugen"),
    (32, "glory", "plain", 0, 0, "buttercup vizzini"),
    (33, "wits", "plain", 0, 2, "vizzini westley"),
    (34, "wits", "plain", 0, 0, "westley vizzini"),
    (35, "glory", "plain", 0, 0, "vizzini"),
    (36, "might", "plain", 0, 2, "westley buttercup"),
    (37, "fight", "plain", 0, 0, "westley buttercup"),
    (38, "love", "plain", 0, 0, "buttercup westley"),
    (39, "love", "light", 1, 0, "buttercup westley"),
    (40, "might", "dark", 1, 0, "humperdinck rugen"),
    (41, "fight", "light", 1, 1, "buttercup westley"),
    (42, "glory", "dark", 2, 3, "westley buttercup"),
    (43, "love", "dark", 1, 0, "westley buttercup"),
    (44, "fight", "plain", 0, 0, "westley"),
    (45, "might", "light", 1, 1, "buttercup westley humperdinck rugen"),
    (46, "love", "light", 1, 1, "buttercup humperdinck"),
    (47, "fight", "dark", 1, 0, "rugen westley"),
    (48, "might", "plain", 0, 0, "westley"),
    (49, "wits", "plain", 0, 0, "grandfather"),
    (50, "glory", "plain", 0, 0, "buttercup"),
    (51, "love", "plain", 0, 2, "buttercup humperdinck"),
    (52, "wits", "plain", 0, 1, "rugen westley"),
    (53, "glory", "light", 1, 1, "humperdinck rugen"),
    (54, "might", "plain", 0, 0, "rugen westley"),
    (55, "glory", "light", 2, 2, "humperdinck"),
    (56, "fight", "plain", 0, 0, "inigo"),
    (57, "wits", "plain", 0, 0, "fezzik inigo"),
    (58, "love", "dark", 1, 1, "buttercup humperdinck"),
    (59, "might", "dark", 2, 3, "humperdinck westley rugen"),
    (60, "fight", "light", 1, 0, "inigo fezzik"),
    (61, "glory", "plain", 0, 0, "inigo fezzik"),
    (62, "might", "plain", 0, 0, "westley inigo fezzik"),
    (63, "wits", "light", 1, 0, "miracle_max inigo fezzik"),
    (64, "love", "light", 2, 2, "miracle_max westley"),
    (65, "fight", "dark", 1, 1, "valerie miracle_max"),
    (66, "wits", "light", 1, 1, "miracle_max valerie inigo"),
    (67, "glory", "plain", 0, 0, "miracle_max valerie"),
    (68, "wits", "dark", 1, 1, "inigo fezzik westley"),
    (69, "might", "light", 1, 0, "fezzik inigo westley"),
    (70, "glory", "plain", 0, 2, "buttercup humperdinck"),
    (71, "fight", "dark", 2, 3, "inigo rugen"),
    (72, "fight", "plain", 0, 0, "inigo rugen"),
    (73, "love", "plain", 0, 0, "westley buttercup"),
    (74, "might", "plain", 0, 1, "westley humperdinck"),
    (75, "love", "plain", 0, 0, "westley buttercup inigo fezzik"),
]
CARDS: list[Card] = [
    {
        "number": number,
        "icon": icon,
        "spine": spine,
        "points": points,
        "poison": poison,
        "pictured": figures.split(),
    }
    for number, icon, spine, points, poison, figures in TABLE
]


def character(identifier: str, name: str, *lines: tuple[str, int, int]) -> Character:
    """Return a character; a line is an icon, its points and the length that the quest must exceed."""
    scores = [{"icon": icon, "points": points, "more_than": more} for icon, points, more in lines]
    return {"id": identifier, "name": name, "scores": scores}


CHARACTERS: list[Character] = [
    character("rugen", "Count Rugen", ("fight", 2, 6), ("might", 1, 8)),
    character("inigo", "Inigo Montoya", ("fight", 2, 6), ("glory", 1, 8)),
    character("westley", "Westley", ("love", 1, 4), ("fight", 2, 7)),
    character("valerie", "Valerie", ("wits", 2, 7), ("fight", 1, 5)),
    character("humperdinck", "Prince Humperdinck", ("glory", 2, 7), ("might", 1, 5)),
    character("buttercup", "Buttercup", ("glory", 3, 8), ("love", 1, 6)),
    character("vizzini", "Vizzini", ("wits", 1, 4), ("glory", 2, 7)),
    character("fezzik", "Fezzik", ("might", 2, 6), ("love", 1, 8)),
    character("grandfather", "The Grandfather", ("love", 1, 4), ("wits", 2, 7)),
    character("miracle_max", "Miracle Max", ("might", 2, 6), ("wits", 1, 8)),
]
# For sensitivity runs: everybody scores after the one pattern that the rulebook shows.
UNIFORM: list[Character] = [
    character("rugen", "Count Rugen", ("fight", 2, 6), ("might", 1, 8)),
    character("inigo", "Inigo Montoya", ("fight", 2, 6), ("glory", 1, 8)),
    character("westley", "Westley", ("love", 2, 6), ("fight", 1, 8)),
    character("valerie", "Valerie", ("wits", 2, 6), ("fight", 1, 8)),
    character("humperdinck", "Prince Humperdinck", ("glory", 2, 6), ("might", 1, 8)),
    character("buttercup", "Buttercup", ("glory", 2, 6), ("love", 1, 8)),
    character("vizzini", "Vizzini", ("wits", 2, 6), ("glory", 1, 8)),
    character("fezzik", "Fezzik", ("might", 2, 6), ("love", 1, 8)),
    character("grandfather", "The Grandfather", ("love", 2, 6), ("wits", 1, 8)),
    character("miracle_max", "Miracle Max", ("might", 2, 6), ("wits", 1, 8)),
]
