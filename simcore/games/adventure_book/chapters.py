"""A chapter as it stands in an edition: board, figures, challenges, plot table; and whether its parts fit together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from simcore.edition import Component, Element, Id, Label, Model, require
from simcore.errors import suggest
from simcore.games.adventure_book import state as st
from simcore.games.adventure_book.primitives import (
    CONDITION_TYPES,
    EFFECT_TYPES,
    TWO_COUNTERS,
    Clear,
    Conditions,
    Effects,
    Lacking,
    Littered,
    Otherwise,
    Put,
    Small,
    Spaces,
    Take,
)

Wanted = Literal["courage", "revenge", "adventure", "intrigue", "love", "any"]
Cost = Annotated[list[Wanted], Field(min_length=1, max_length=8, description="icons to discard; any: any card")]


class Space(Element):
    """A space of the board; each way between two spaces stands at one of them."""

    id: Id
    label: Label
    ways: Annotated[list[Id], Field(default=[], max_length=st.SPACES)]


class Carried(Element):
    """From a challenge on, the figure is always in the space of another one."""

    by: Id
    after: Id


class Figure(Element):
    """A miniature or counter that stands on a space."""

    id: Id
    label: Label
    start: Annotated[Id | None, Field(description="null: beside the board")] = None
    moved: Annotated[bool, Field(description="the players move it")] = False
    moved_after: Annotated[Id | None, Field(description="... once this challenge is completed")] = None
    carried: Carried | None = None


class Counter(Element):
    """A number on a track, or a supply of pieces."""

    id: Id
    label: Label
    start: Small = 0
    last: Small


class Pieces(Element):
    """Pieces on spaces, such as chores, and the counter that is their supply."""

    counter: Id
    spaces: Annotated[list[Id], Field(default=[], max_length=12, description="one lies on each of these at the start")]


class Less(Element):
    """What one figure pays instead."""

    figure: Id
    cost: Cost


class Toll(Element):
    """What entering a face-up tile costs; then it is turned down, or gone."""

    cost: Cost
    less: Less | None = None
    otherwise: Annotated[
        Otherwise | None, Field(description="may be taken instead; without one, who cannot pay cannot enter")
    ] = None
    then: Literal["turned", "gone"] = "turned"


class Tile(Element):
    """Counters that lie on spaces, one a space."""

    id: Id
    label: Label
    lies_on: Annotated[
        list[Id], Field(default=[], max_length=12, description="spaces that it lies on; `count` more are mixed")
    ]
    count: Annotated[int, Field(ge=0, le=12)] = 0
    toll: Toll


class Path(Element):
    """Spaces in a row, for figures that follow them."""

    id: Id
    spaces: Annotated[list[Id], Field(min_length=2, max_length=st.STEPS)]
    loop: bool = False
    elsewhere: Annotated[Id | None, Field(description="the space of the path that a figure elsewhere counts as")] = None


class Barrier(Element):
    """Spaces that a figure may not enter until a challenge is completed."""

    figure: Id
    spaces: Spaces
    until: Id


class Guards(Element):
    """Figures whose spaces nobody may enter; who is caught by one goes to a space, and cards are discarded."""

    figures: Annotated[list[Id], Field(min_length=1, max_length=st.FIGURES)]
    catch: Annotated[list[Id], Field(default=[], max_length=st.FIGURES)]
    to: Id
    discard: Annotated[int, Field(ge=0, le=5)] = 0


class Action(Element):
    """Something that can be done while telling the story."""

    id: Id
    label: Label
    needs: Annotated[Conditions, Field(default=[])]
    pay: Annotated[list[Cost], Field(min_length=1, max_length=st.WAYS, description="ways to pay for it")]
    once_a_turn: bool = False
    effects: Effects


class Challenge(Element):
    """A challenge: what must hold, what the active player discards, and the reward."""

    id: Id
    label: Label
    needs: Conditions
    cost: Cost
    reward: Annotated[Effects, Field(default=[])]


class Entry(Element):
    """An entry of the plot table; a number without one does nothing."""

    numbers: Annotated[list[int], Field(min_length=1, max_length=st.ENTRIES)]
    effects: Annotated[Effects, Field(default=[])]


class Defeat(Element):
    """A defeat of the chapter's own."""

    label: Label
    when: Annotated[Conditions, Field(min_length=1)]


class Chapter(Component):
    """A chapter of the book."""

    spaces: Annotated[list[Space], Field(min_length=1, max_length=st.SPACES)]
    star: Annotated[Id | None, Field(description="where the Miracle lies; null: there is none")] = None
    figures: Annotated[list[Figure], Field(min_length=1, max_length=st.FIGURES)]
    counters: Annotated[list[Counter], Field(default=[], max_length=st.COUNTERS)]
    pieces: Pieces | None = None
    tiles: Annotated[list[Tile], Field(default=[], max_length=st.TILES)]
    mixed: Annotated[list[Id], Field(default=[], max_length=st.SPACES, description="spaces that mixed tiles lie on")]
    paths: Annotated[list[Path], Field(default=[], max_length=st.PATHS)]
    barriers: Annotated[list[Barrier], Field(default=[], max_length=st.BARRIERS)]
    guards: Guards | None = None
    actions: Annotated[list[Action], Field(default=[], max_length=st.RULES)]
    in_order: Annotated[bool, Field(description="challenges are completed in the order given")] = False
    challenges: Annotated[list[Challenge], Field(min_length=1, max_length=st.CHALLENGES)]
    plot: Annotated[list[Entry], Field(max_length=st.ENTRIES)]
    defeats: Annotated[list[Defeat], Field(max_length=st.DEFEATS)]

    @model_validator(mode="after")
    def _fits_together(self) -> Chapter:
        _Checker(self).check()
        return self

    def names(self, kind: str) -> list[str]:
        """Return the ids of a list of the chapter: ``spaces``, ``figures``, ..."""
        return [each.id for each in getattr(self, kind)]


REFERENCES = {
    "figure": "figures", "other": "figures", "figures": "figures", "catch": "figures", "by": "figures",
    "spaces": "spaces", "space": "spaces", "to": "spaces", "start": "spaces", "star": "spaces", "mixed": "spaces",
    "ways": "spaces", "lies_on": "spaces", "elsewhere": "spaces",
    "challenges": "challenges", "until": "challenges", "after": "challenges", "moved_after": "challenges",
    "tile": "tiles", "path": "paths", "counter": "counters",
}  # fmt: skip
"""Fields that name something of the chapter, and in which list it stands."""


class _Checker:
    """Checks that what the parts of a chapter name is there."""

    def __init__(self, chapter: Chapter) -> None:
        self.chapter = chapter

    def check(self) -> None:
        chapter = self.chapter
        for kind in ("spaces", "figures", "counters", "tiles", "paths", "challenges", "actions"):
            seen: set[str] = set()
            for index, each in enumerate(getattr(chapter, kind)):
                self.require(each.id not in seen, f"the id '{each.id}' is used twice", kind, index, "id")
                seen.add(each.id)
        self._names(chapter, ())
        self._board()
        self._parts()

    def require(self, holds: bool, message: str, *where: str | int) -> None:
        require(holds, message, self.chapter.id, *where)

    def _names(self, model: Model, where: tuple[str | int, ...]) -> None:
        """Look at every field that names something, however deep."""
        for field in type(model).model_fields:
            value = getattr(model, field)
            if isinstance(value, Model):
                self._names(value, (*where, field))
            elif isinstance(value, list):
                for index, item in enumerate(value):
                    if isinstance(item, Model):
                        self._names(item, (*where, field, index))
                    else:
                        self._name(model, field, item, (*where, field, index))
            else:
                self._name(model, field, value, (*where, field))

    def _name(self, model: Model, field: str, value: Any, where: tuple[str | int, ...]) -> None:
        kind = REFERENCES.get(field)
        if not isinstance(value, str) or not kind or (field == "start" and isinstance(model, Counter)):
            return
        kind = "counters" if field == "other" and isinstance(model, TWO_COUNTERS) else kind
        known = self.chapter.names(kind)
        if value not in known:
            self.require(False, f"{kind.removesuffix('s')} '{value}' is not known{suggest(value, known)}", *where)

    def _board(self) -> None:
        ways: set[frozenset[str]] = set()
        for index, space in enumerate(self.chapter.spaces):
            for position, other in enumerate(space.ways):
                where = ("spaces", index, "ways", position)
                self.require(other != space.id, "a way leads to another space", *where)
                way = frozenset((space.id, other))
                self.require(way not in ways, f"the way between '{space.id}' and '{other}' is given twice", *where)
                ways.add(way)
        degree = max(sum(space.id in way for way in ways) for space in self.chapter.spaces)
        movers = [figure for figure in self.chapter.figures if figure.moved or figure.moved_after]
        self.require(bool(movers), "the players must move at least one figure: set moved: true", "figures")
        most = degree * len(movers)
        message = f"{len(movers)} figures with up to {degree} ways each; {st.MOST_STEPS} steps at once are possible"
        self.require(most <= st.MOST_STEPS, message, "figures")
        for index, path in enumerate(self.chapter.paths):
            twice = len(set(path.spaces)) < len(path.spaces)
            self.require(not twice, "a path visits a space once", "paths", index, "spaces")
            inside = path.elsewhere is None or path.elsewhere in path.spaces
            self.require(inside, f"'{path.elsewhere}' is not on the path", "paths", index, "elsewhere")

    def _parts(self) -> None:
        chapter = self.chapter
        for index, counter in enumerate(chapter.counters):
            enough = counter.start <= counter.last
            self.require(
                enough, f"starts at {counter.start}, and its last is {counter.last}", "counters", index, "start"
            )
        for index, figure in enumerate(chapter.figures):
            carrier = figure.carried and figure.carried.by
            self.require(carrier != figure.id, "a figure is carried by another one", "figures", index, "carried")
            chain = next((f.carried for f in chapter.figures if f.id == carrier), None)
            self.require(chain is None, "a carrier is not carried itself", "figures", index, "carried")
        if guards := chapter.guards:
            for index, name in enumerate(guards.catch):
                self.require(name not in guards.figures, f"'{name}' is a guard itself", "guards", "catch", index)
        self._pieces()
        self._tiles()
        seen: set[int] = set()
        for index, entry in enumerate(chapter.plot):
            for position, number in enumerate(entry.numbers):
                where = ("plot", index, "numbers", position)
                self.require(number not in seen, f"plot number {number} has two entries", *where)
                seen.add(number)
        for name, most, found in (
            ("conditions", st.CONDITIONS, sum(1 for _ in _inside(chapter, CONDITION_TYPES))),
            ("effects", st.EFFECTS, sum(1 for _ in _inside(chapter, EFFECT_TYPES))),
        ):
            self.require(found <= most, f"the chapter has {found} {name}; {most} are possible")

    def _pieces(self) -> None:
        chapter = self.chapter
        uses = any(_inside(chapter, (Put, Take, Clear, Littered, Lacking)))
        self.require(not uses or chapter.pieces is not None, "pieces are used, and the chapter has no 'pieces'")
        if chapter.pieces:
            counter = next(c for c in chapter.counters if c.id == chapter.pieces.counter)
            whole = counter.start + len(chapter.pieces.spaces)
            message = f"there are {whole} pieces, and the last number of '{counter.id}' is {counter.last}"
            self.require(whole <= counter.last, message, "pieces")

    def _tiles(self) -> None:
        chapter = self.chapter
        fixed = [space for tile in chapter.tiles for space in tile.lies_on]
        twice = next((space for space in fixed + chapter.mixed if (fixed + chapter.mixed).count(space) > 1), None)
        self.require(twice is None, f"two tiles would lie on '{twice}'", "tiles")
        for index, tile in enumerate(chapter.tiles):
            toll = tile.toll
            priced = [toll.cost, *([toll.less.cost] if toll.less else [])]
            plain = all(icon == "any" for cost in priced for icon in cost)
            message = "a toll that names icons needs an 'otherwise': whoever moves may not know the hand of who pays"
            self.require(plain or toll.otherwise is not None, message, "tiles", index, "toll")
        mixed = sum(tile.count for tile in chapter.tiles)
        self.require(bool(mixed) == bool(chapter.mixed), "mixed tiles need spaces in 'mixed', and the other way round")


def _inside(model: Model, types: tuple[type, ...]) -> Iterator[Any]:
    """Yield every part of `model`, however deep, that is of one of `types`."""
    for field in type(model).model_fields:
        value = getattr(model, field)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, types):
                yield item
            if isinstance(item, Model):
                yield from _inside(item, types)
