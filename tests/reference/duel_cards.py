"""The five decks, the dice and the default rules of the duel, from the reconstruction's card tables.

A second transcription, apart from the edition file: comparing the two finds a slip in either.
Cards stand in table order with the Bluff last.
"""

from __future__ import annotations

from typing import Any

Effect = dict[str, Any]
Card = dict[str, Any]

DICE: list[dict[str, Any]] = [
    {"id": "red", "start": 2, "faces": [2, 2, 1, 0, 0, 0]},
    {"id": "orange", "start": 2, "faces": [2, 1, 1, 0, 0, 0]},
    {"id": "yellow", "start": 2, "faces": [1, 1, 1, 0, 0, 0]},
]
RULES: dict[str, Any] = {
    "hits_to_win": 5,
    "cards": "all",
    "round_cap": 500,
    "hit_discard": 1,
    "tie_discard": 1,
    "after_round": 8,
}


def card(name: str, rank: int | None, *effects: Effect, returns_to_hand: bool = False, identifier: str = "") -> Card:
    """Return a card; unless given, its id is the name in small letters with hyphens."""
    return {
        "id": identifier or name.lower().replace(" ", "-"),
        "rank": rank,
        "returns_to_hand": returns_to_hand,
        "effects": list(effects),
    }


def reroll(side: str, count: int | str, *, colours: object = "any", faces: object = "any") -> Effect:
    """Reroll up to `count` dice of `side`, chosen by the card's player (rulings 15 and 16)."""
    return {
        "op": "reroll",
        "side": side,
        "count": count,
        "up_to": True,
        "colours": colours,
        "faces": faces,
        "picker": "self",
    }


def lose_blank() -> Effect:
    """Make the opponent discard a die showing blank, chosen by its owner (ruling 13)."""
    return {
        "op": "discard",
        "side": "opponent",
        "count": 1,
        "colours": "any",
        "faces": ["blank"],
        "picker": "owner",
    }


def restore(colours: object = "any", *, roll_now: bool = False) -> Effect:
    """Return one own discarded die (ruling 25)."""
    return {
        "op": "restore",
        "side": "own",
        "count": 1,
        "colours": colours,
        "roll_now": roll_now,
        "picker": "self",
    }


def turn_blank(colours: object = "any") -> Effect:
    """Turn one own die showing blank to one sword."""
    return {
        "op": "turn",
        "side": "own",
        "count": 1,
        "colours": colours,
        "faces": ["blank"],
        "to": "one",
        "picker": "self",
    }


def cancel() -> Effect:
    """Stop the opponent's card of strictly higher rank (ruling 29)."""
    return {"op": "cancel"}


def drop_card() -> Effect:
    """Take a random card from the opponent's hand, never the Bluff (ruling 31)."""
    return {"op": "drop_card", "side": "opponent", "count": 1, "choice": "random", "bluff_exempt": True}


def bluff() -> Card:
    """Return the Bluff: no rank, no effect, back to the hand (ruling 3)."""
    return card("Bluff", None, returns_to_hand=True)


BLANK = ["blank"]

DECKS: dict[str, list[Card]] = {
    "inigo": [
        card("Feint", 1, reroll("opponent", 1, faces=["two"])),
        card("Leap", 2, lose_blank()),
        card("Bonetti Defense", 3, reroll("own", "all")),
        card("Thibault Defense", 4, reroll("own", 1, colours=["yellow"])),
        card("Riposte", 5, reroll("opponent", 1)),
        card("Lunge", 6, reroll("own", 2, faces=BLANK)),
        card("Other Hand", 7, turn_blank()),
        card("Vow", 8, restore()),
        card("Old Lessons", 8, restore()),
        bluff(),
    ],
    "man-in-black": [
        card("Parry", 1, cancel()),
        card("Disengage", 2, reroll("own", 2, faces=BLANK)),
        card("Sidestep", 3, reroll("opponent", 1, colours=["red"])),
        card("Change Hands", 4, reroll("own", 3)),
        card("Capo Ferro Attack", 5, reroll("opponent", 1)),
        card("Disarm", 6, lose_blank()),
        card("Footwork", 7, turn_blank()),
        card("Agrippa", 8, restore()),
        card("Second Wind", 8, restore(["yellow"])),
        bluff(),
    ],
    "rugen": [
        card("Hidden Dagger", 1, lose_blank()),
        card("Thrown Knife", 2, reroll("opponent", 1)),
        card("Run", 2, cancel()),
        card("Cold Study", 3, drop_card()),
        card("Six Fingers", 4, reroll("own", "all")),
        card("Overturned Table", 5, reroll("opponent", 2)),
        card("Guards", 6, reroll("own", 2, faces=BLANK)),
        card("Machine", 7, reroll("opponent", 1, colours=["orange", "red"])),
        card("Patience", 8, restore()),
        bluff(),
    ],
    "humperdinck": [
        card("Command", 1, reroll("opponent", 1, colours=["red"])),
        card("Threat", 2, cancel()),
        card("Track", 2, reroll("own", 1, faces=BLANK)),
        card("Trap", 3, lose_blank()),
        card("Chase", 4, reroll("own", 3)),
        card("Armour", 5, turn_blank(["yellow", "orange"])),
        card("Hunting Knife", 6, reroll("opponent", 1, faces=["one"])),
        card("Royal Guard", 7, restore(["yellow"], roll_now=True)),
        card("Retreat", 8, restore()),
        bluff(),
    ],
    "fezzik": [
        card("Sporting Start", 1, cancel(), identifier="sporting"),
        card("One at a Time", 2, reroll("own", 2, faces=BLANK)),
        card("Rhyme", 3, reroll("own", 3)),
        card("Shove", 4, lose_blank()),
        card("Bear Hug", 5, reroll("opponent", 1)),
        card("Boulder", 6, reroll("opponent", 2)),
        card("Big Hands", 7, reroll("own", 2, colours=["red"])),
        card("Holding On", 8, restore()),
        card("Mighty", 8, restore(["red"])),
        bluff(),
    ],
}
