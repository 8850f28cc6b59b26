"""What the plain reading calls an action, and the code by which the kernels know it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reference.book import ICONS, Answer


class Codes:
    """The codes of actions, worked out from the edition as state.py draws the table."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.kinds = [*ICONS, *(card["id"] for card in data["special_cards"])]
        self.numbers = [card["number"] for card in data["plot_cards"]]
        self.data = data

    def code(self, answer: Answer, chapter: Mapping[str, Any]) -> int:
        match answer:
            case ("end",):
                return 0
            case ("else",):
                return 1
            case ("miracle", what):
                return 2 if what == "story" else 3
            case ("challenge", index):
                return 8 + int(index)
            case ("rule", index, way):
                return 16 + 4 * int(index) + int(way)
            case ("trade", seat):
                return 32 + int(seat)
            case ("special", card):
                return 48 + self.kinds.index(card)
            case ("card", card):
                return 64 + self.kinds.index(card)
            case ("number", number):
                return 80 + self.numbers.index(number)
            case ("step", figure, space):
                figures = [each["id"] for each in chapter["figures"]]
                spaces = [each["id"] for each in chapter["spaces"]]
                return 128 + 32 * figures.index(figure) + spaces.index(space)
        raise ValueError(answer)
