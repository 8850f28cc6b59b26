"""Chapters of the book made up at random, in every primitive of docs/adventure-book.md; they tell no story."""

from __future__ import annotations

import random
from typing import Any

ICONS = ["courage", "revenge", "adventure", "intrigue", "love"]
Data = dict[str, Any]


def edition(printed: Data, seed: int) -> Data:
    """Return an edition whose only chapter is made up; its Special cards do more or less than the printed ones."""
    chance = random.Random(seed)
    specials = [
        {**card, "effect": {**card["effect"], **_amounts(card["effect"], chance)}} for card in printed["special_cards"]
    ]
    rules = {**printed["rules"], "chapters": 1}
    return {**printed, "rules": rules, "special_cards": specials, "chapters": [Chapter(chance).data()]}


def _amounts(effect: Data, chance: random.Random) -> Data:
    return {name: chance.randint(1, 4) for name in ("cards", "figures", "spaces") if name in effect}


class Chapter:
    """Draws the parts of a chapter that fit together."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.spaces = self.named("s", 4, 9)
        self.figures = self.named("f", 2, 5)
        self.counters = self.named("c", 1, 3)
        self.challenges = self.named("q", 1, 4)
        self.tiles = self.named("t", 0, 2)
        self.paths = self.named("p", 0, 2)
        self.has_pieces = self.often(0.5)

    def named(self, letter: str, least: int, most: int) -> list[str]:
        return [f"{letter}{number}" for number in range(self.chance.randint(least, most))]

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def one(self, things: Any) -> Any:
        return self.chance.choice(list(things))

    def some(self, things: list[str], most: int) -> list[str]:
        return self.chance.sample(things, min(len(things), self.chance.randint(1, most)))

    def two(self, things: list[str]) -> list[str]:
        return self.chance.sample(things, 2)

    def cost(self, most: int, icons: bool = True) -> list[str]:
        return [self.one([*ICONS, "any"] if icons else ["any"]) for _ in range(self.chance.randint(1, most))]

    def data(self) -> Data:
        """Return the chapter as it stands in YAML."""
        found = {
            "id": "made-up",
            "label": "Made up",
            **self.board(),
            **self.counted(),
            **self.laid(),
            **self.hindrances(),
        }
        challenges = [
            {"id": q, "label": q, "needs": self.conditions(1), "cost": self.cost(3), "reward": self.effects(3)}
            for q in self.challenges
        ]
        actions = [
            {
                **{"id": x, "label": x, "needs": self.conditions(1), "pay": [self.cost(2), self.cost(2)]},
                **{"once_a_turn": self.often(0.5), "effects": self.effects(2)},
            }
            for x in self.named("x", 0, 2)
        ]
        plot = [{"numbers": [number], "effects": self.effects(3)} for number in range(1, 6) if self.often(0.8)]
        defeats = [
            {"label": label, "when": [self.condition(), self.condition()]} for label in self.named("defeat ", 0, 2)
        ]
        return {
            **found,
            **{"actions": actions, "challenges": challenges, "in_order": self.often(0.4)},
            **{"plot": plot, "defeats": defeats},
        }

    # -- board and figures ------------------------------------------------------------------------------------------

    def board(self) -> Data:
        ways: dict[str, list[str]] = {space: [] for space in self.spaces}
        for index, space in enumerate(self.spaces[1:], start=1):
            ways[space].append(self.one(self.spaces[:index]))
        for _ in range(self.chance.randint(0, 4)):
            first, second = self.two(self.spaces)
            if second not in ways[first] and first not in ways[second]:
                ways[first].append(second)
        paths: list[Data] = [{"id": path, "spaces": self.some(self.spaces[1:], 4)} for path in self.paths]
        for path in paths:
            path["spaces"].append(self.spaces[0])
            path["loop"] = self.often(0.5)
            if self.often(0.5):
                path["elsewhere"] = self.one(path["spaces"])
        return {
            "spaces": [{"id": space, "label": space, "ways": ways[space]} for space in self.spaces],
            "star": self.one([*self.spaces, None]),
            "figures": [self.figure(name) for name in self.figures],
            "paths": paths,
        }

    def figure(self, name: str) -> Data:
        """The first figure is always there and moved; others may be beside the board, carried, moved later or never."""
        first = name == self.figures[0]
        found: Data = {"id": name, "label": name, "moved": first or self.often(0.3)}
        if first or self.often(0.8):
            found["start"] = self.one(self.spaces)
        if not first and self.often(0.3):
            found["moved_after"] = self.one(self.challenges)
        if not first and self.often(0.3):
            found["carried"] = {"by": self.figures[0], "after": self.one(self.challenges)}
        return found

    def hindrances(self) -> Data:
        found: Data = {}
        if self.often(0.4):
            barrier = {"figure": self.one(self.figures), "spaces": self.some(self.spaces, 2)}
            found["barriers"] = [{**barrier, "until": self.one(self.challenges)}]
        if self.often(0.5):
            guards = self.some(self.figures[1:], 2)
            others = [figure for figure in self.figures if figure not in guards]
            caught = {"catch": self.some(others, 2), "to": self.one(self.spaces), "discard": self.chance.randint(0, 2)}
            found["guards"] = {"figures": guards, **caught}
        return found

    # -- counters, pieces, tiles ------------------------------------------------------------------------------------

    def counted(self) -> Data:
        counters = [{"id": c, "label": c, "start": self.chance.randint(0, 2), "last": 6} for c in self.counters]
        lies = [self.one(self.spaces) for _ in range(self.chance.randint(0, 3))]
        pieces = {"pieces": {"counter": self.counters[0], "spaces": lies}} if self.has_pieces else {}
        return {"counters": counters, **pieces}

    def laid(self) -> Data:
        free = self.chance.sample(self.spaces, len(self.spaces))
        tiles = [{"id": tile, "label": tile, "lies_on": [free.pop()], "toll": self.toll()} for tile in self.tiles]
        if not tiles or self.often(0.5):
            return {"tiles": tiles}
        mixed = [{**tile, "count": self.chance.randint(1, 3)} for tile in tiles]
        return {"tiles": mixed, "mixed": self.some(free, 4)}

    def toll(self) -> Data:
        choice = self.often(0.5)
        found: Data = {"cost": self.cost(2, choice), "then": self.one(["turned", "gone"])}
        if self.often(0.4):
            found["less"] = {"figure": self.one(self.figures), "cost": self.cost(1, choice)}
        return {**found, "otherwise": self.otherwise()} if choice else found

    def otherwise(self) -> Data:
        return {"counter": self.one(self.counters), "by": self.chance.randint(1, 2)}

    # -- primitives -------------------------------------------------------------------------------------------------

    def conditions(self, most: int) -> list[Data]:
        return [self.condition() for _ in range(self.chance.randint(0, most))]

    def condition(self) -> Data:
        """Draw a condition of any kind that the parts allow."""
        figure, other = self.two(self.figures)
        counter = self.one(self.counters)
        done = {"challenges": self.some(self.challenges, 2)}
        number = {"counter": counter, "number": self.chance.randint(0, 6)}
        kinds: dict[str, Data] = {
            "at": {"figure": figure, "spaces": self.some(self.spaces, 3)},
            "away": {"figure": figure, "spaces": self.some(self.spaces, 3)},
            "together": {"figure": figure, "other": other},
            **{"at_least": number, "at_most": number, "done": done, "undone": done},
        }
        if len(self.counters) > 1:
            first, second = self.two(self.counters)
            kinds |= {op: {"counter": first, "other": second} for op in ("reached", "above")}
        if self.tiles:
            tile = {"tile": self.one(self.tiles)}
            kinds |= {"tile": {"figure": figure, **tile}, "near": {"figures": [figure, other], **tile}}
        if self.paths:
            kinds["passed"] = {"figure": figure, "other": other, "path": self.one(self.paths)}
        if self.has_pieces:
            kinds |= {"clear": {"space": self.one(self.spaces)}, "littered": {"figure": figure}, "lacking": {}}
        op = self.one(kinds)
        return {"op": op, **kinds[op]}

    def effects(self, most: int) -> list[Data]:
        return [self.effect() for _ in range(self.chance.randint(0, most))]

    def effect(self) -> Data:
        """Draw an effect of any kind that the parts allow, some with conditions."""
        figure, other = self.two(self.figures)
        cards = {"cards": self.chance.randint(1, 3)}
        kinds: dict[str, Data] = {
            "move": {"figure": figure, "to": self.one(self.spaces)},
            "join": {"figure": figure, "other": other},
            "count": {"counter": self.one(self.counters), "by": self.one([-2, -1, 1, 2])},
            "demand": {"icon": self.one(ICONS), "otherwise": self.otherwise()},
            **{"draw": cards, "special": cards, "discard": cards},
        }
        if self.paths:
            kinds["advance"] = {"figure": figure, "path": self.one(self.paths), "steps": self.one([-2, -1, 1, 2, 7])}
        if self.has_pieces:
            kinds |= {"put": {"space": self.one(self.spaces)}, "take": {"figure": figure}}
        op = self.one(kinds)
        return {"op": op, **kinds[op], "when": self.conditions(1)}
