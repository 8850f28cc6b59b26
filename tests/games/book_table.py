"""A table of the book game set by hand: hands, figures and counters by name, answers in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from reference.book import Answer, read
from reference.book_codes import Codes
from support import ROOT, Table

EDITION = ROOT / "simcore" / "games" / "adventure_book" / "editions" / "reconstruction.yaml"
DATA = read(EDITION)
END = ("end",)
MOVING, ASKING, TELLING, PAYING, GIVING, GETTING, WALKING, FETCHING, LOOKING, TURNED = range(10)


class BookTable(Table):
    """A game of chapter `chapter` alone, at its first decision."""

    def __init__(self, player: Any, data: Mapping[str, Any] = DATA, index: int = 0) -> None:
        super().__init__(player, index)
        self.data = data
        self.codes = Codes(data)

    @property
    def chapter(self) -> Any:
        return self.data["chapters"][int(self.see("chapter"))]

    @property
    def phase(self) -> int:
        return int(self.see("phase"))

    @property
    def active(self) -> int:
        return int(self.see("active"))

    def at(self, kind: str, name: str) -> int:
        return [each["id"] for each in self.chapter.get(kind, [])].index(name)

    def hand(self, seat: int, *cards: str) -> None:
        """Give a seat these cards and no others; they come from nowhere."""
        counts = Counter(cards)
        for index, kind in enumerate(self.codes.kinds):
            self.see("hand")[seat, index] = counts[kind]
        self.see("held")[seat] = len(cards)
        self.see("kinds")[seat] = sum(1 << self.codes.kinds.index(kind) for kind in counts)

    def hands(self, *cards: str) -> None:
        """Give the active seat these cards and the others none."""
        for seat in range(self.player.match.n_seats):
            self.hand(seat, *(cards if seat == self.active else ()))

    def cards(self, seat: int) -> list[str]:
        """Return a hand, sorted by kind."""
        return [kind for index, kind in enumerate(self.codes.kinds) for _ in range(int(self.see("hand")[seat, index]))]

    def put(self, **places: str) -> None:
        """Put figures on spaces; underscores stand for hyphens."""
        for figure, space in places.items():
            self.see("space")[self.at("figures", figure.replace("_", "-"))] = self.at("spaces", space)

    def where(self, figure: str) -> str | None:
        space = int(self.see("space")[self.at("figures", figure)])
        return self.chapter["spaces"][space]["id"] if space >= 0 else None

    def counter(self, name: str, value: int | None = None) -> int:
        index = self.at("counters", name)
        if value is not None:
            self.see("counter")[index] = value
        return int(self.see("counter")[index])

    def done(self, *challenges: str) -> None:
        """Have these challenges completed."""
        self.poke("done", sum(1 << self.at("challenges", name) for name in challenges))

    def next_plot(self, *numbers: int) -> None:
        """Make these the plot cards that are turned next."""
        n = int(self.see("n_plot"))
        for place, number in enumerate(numbers, start=1):
            self.see("plot")[n - place] = self.codes.numbers.index(number)

    def told(self) -> list[Answer]:
        """Return what is offered, in words."""
        return [self.word(action) for action in self.offered()]

    def word(self, action: int) -> Answer:
        if action < 2:
            return END if action == 0 else ("else",)
        if action < 8:
            return ("miracle", "story" if action == 2 else "special")
        if action < 16:
            return ("challenge", self.chapter["challenges"][action - 8]["id"])
        if action < 32:
            return ("rule", self.chapter["actions"][(action - 16) // 4]["id"], (action - 16) % 4)
        if action < 48:
            return ("trade", action - 32)
        if action < 80:
            return ("special" if action < 64 else "card", self.codes.kinds[action % 16])
        if action < 128:
            return ("number", self.codes.numbers[action - 80])
        figure, space = divmod(action - 128, 32)
        return ("step", self.chapter["figures"][figure]["id"], self.chapter["spaces"][space]["id"])

    def do(self, *answer: Any) -> None:
        """Answer; a choice that is not offered is a mistake of the test."""
        told = self.told()
        assert answer in told, (answer, told)
        self.apply(self.offered()[told.index(answer)])

    def pay(self, *cards: str) -> None:
        for card in cards:
            self.do("card", card)

    def story(self) -> BookTable:
        """Go on to the Storytelling of the active seat, everybody else passing."""
        while self.phase != TELLING:
            self.do(*END)
        return self

    def end_turn(self) -> None:
        """End Storytelling, use nothing, pay with the first card offered, until the next seat may move."""
        turns = int(self.see("turns"))
        self.story()
        self.do(*END)
        while not self.over and int(self.see("turns")) == turns:
            self.apply(self.offered()[0])


Tables = Callable[..., BookTable]


def builder(load_scenario: Callable[..., Any], player_of: Callable[..., Any]) -> Tables:
    """Return what sets up a table: number of players, chapters, rules, an edition file."""

    ready: dict[str, Any] = {}

    def build(
        chapter: Any = 1, players: int = 2, index: int = 0, edition: Path | None = None, seed: int = 7, **rules: Any
    ) -> BookTable:
        data: dict[str, Any] = {
            "game": "adventure-book",
            "seats": [{"strategy": "random"}] * players,
            "rules": {"chapters": chapter, "first_seat": "first", **rules},
            "seed": seed,
        }
        if edition:
            data["edition"] = str(edition)
        key = repr(data)
        if key not in ready:
            ready[key] = player_of(load_scenario(data)), read(edition) if edition else DATA
        return BookTable(*ready[key], index)

    return build
