"""What an edition of the book must contain, and how it is packed for the kernels.

Chapters are data: boards, figures, challenges, plot tables and rules in the primitives of docs/adventure-book.md.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from simcore.allowed import RANGE_PATTERN
from simcore.contract import Exposed, Stage
from simcore.edition import Component, Element, Id, Label, Model, Pace, require
from simcore.errors import suggest
from simcore.games.adventure_book import state as st

ICONS = ("courage", "revenge", "adventure", "intrigue", "love")
IconId = Literal["courage", "revenge", "adventure", "intrigue", "love"]
Wanted = Literal["courage", "revenge", "adventure", "intrigue", "love", "any"]
Cost = Annotated[list[Wanted], Field(min_length=1, max_length=8, description="icons to discard; any: any card")]
Spaces = Annotated[list[Id], Field(min_length=1, max_length=st.SPACES)]
Small = Annotated[int, Field(ge=0, le=99)]
LAST = 9_999
DRAWN = 20
"""Most cards that one effect draws."""


# -- conditions -----------------------------------------------------------------------------------------------------


class At(Element):
    """The figure stands on one of the spaces."""

    op: Literal["at"]
    figure: Id
    spaces: Spaces


class Away(Element):
    """The figure stands on none of the spaces."""

    op: Literal["away"]
    figure: Id
    spaces: Spaces


class Together(Element):
    """Two figures stand on one space."""

    op: Literal["together"]
    figure: Id
    other: Id


class OnTile(Element):
    """The figure stands on a tile of this kind, whichever side is up."""

    op: Literal["tile"]
    figure: Id
    tile: Id


class Near(Element):
    """One of the figures stands on a face-up tile of this kind, or next to one."""

    op: Literal["near"]
    figures: Annotated[list[Id], Field(min_length=1, max_length=st.FIGURES)]
    tile: Id


class Clear(Element):
    """No piece lies on the space."""

    op: Literal["clear"]
    space: Id


class Littered(Element):
    """A piece lies where the figure stands."""

    op: Literal["littered"]
    figure: Id


class AtLeast(Element):
    """The counter shows this number or more."""

    op: Literal["at_least"]
    counter: Id
    number: Small


class AtMost(Element):
    """The counter shows this number or less."""

    op: Literal["at_most"]
    counter: Id
    number: Small


class Reached(Element):
    """The counter shows as much as the other one, or more."""

    op: Literal["reached"]
    counter: Id
    other: Id


class Above(Element):
    """The counter shows more than the other one."""

    op: Literal["above"]
    counter: Id
    other: Id


class Done(Element):
    """All of these challenges are completed."""

    op: Literal["done"]
    challenges: Annotated[list[Id], Field(min_length=1, max_length=st.CHALLENGES)]


class Undone(Element):
    """None of these challenges is completed."""

    op: Literal["undone"]
    challenges: Annotated[list[Id], Field(min_length=1, max_length=st.CHALLENGES)]


class Passed(Element):
    """The figure is as far along the path as the other one, or farther; off the path it counts as its `elsewhere`."""

    op: Literal["passed"]
    figure: Id
    other: Id
    path: Id


class Lacking(Element):
    """A piece had to be put on a space, and none was left."""

    op: Literal["lacking"]


Condition = Annotated[
    At | Away | Together | OnTile | Near | Clear | Littered | AtLeast | AtMost | Reached | Above | Done | Undone
    | Passed | Lacking,
    Field(discriminator="op"),
]  # fmt: skip
Conditions = Annotated[list[Condition], Field(max_length=12)]


# -- effects --------------------------------------------------------------------------------------------------------


class Otherwise(Element):
    """What happens instead of a payment: a counter goes up."""

    counter: Id
    by: Annotated[int, Field(ge=1, le=20)] = 1


class _Effect(Element):
    when: Annotated[Conditions, Field(default=[], description="it happens only if all of these hold")]


class Move(_Effect):
    """The figure goes to a space."""

    op: Literal["move"]
    figure: Id
    to: Id


class Join(_Effect):
    """The figure goes to the space of another one."""

    op: Literal["join"]
    figure: Id
    other: Id


class Advance(_Effect):
    """The figure walks along a path, back for a negative number; off the path it first steps to its `elsewhere`."""

    op: Literal["advance"]
    figure: Id
    path: Id
    steps: Annotated[int, Field(ge=-15, le=15)] = 1


class Tally(_Effect):
    """The counter goes up or down, never below 0 or above its last number."""

    op: Literal["count"]
    counter: Id
    by: Annotated[int, Field(ge=-20, le=20)] = 1


class Put(_Effect):
    """A piece goes from its counter onto the space; if there is none, pieces are lacking."""

    op: Literal["put"]
    space: Id


class Take(_Effect):
    """A piece goes from the figure's space back to its counter."""

    op: Literal["take"]
    figure: Id


class Draw(_Effect):
    """The active player draws Story cards."""

    op: Literal["draw"]
    cards: Annotated[int, Field(ge=1, le=DRAWN)] = 1


class Gain(_Effect):
    """The active player draws Special cards."""

    op: Literal["special"]
    cards: Annotated[int, Field(ge=1, le=DRAWN)] = 1


class Discard(_Effect):
    """The active player discards cards, never the last one of the hand."""

    op: Literal["discard"]
    cards: Annotated[int, Field(ge=1, le=DRAWN)] = 1


class Demand(_Effect):
    """The active player discards this icon, never the last card of the hand; who cannot suffers `otherwise`."""

    op: Literal["demand"]
    icon: IconId
    otherwise: Otherwise


Effect = Annotated[
    Move | Join | Advance | Tally | Put | Take | Draw | Gain | Discard | Demand, Field(discriminator="op")
]
Effects = Annotated[list[Effect], Field(max_length=8)]


# -- a chapter ------------------------------------------------------------------------------------------------------


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
TWO_COUNTERS = (Reached, Above)


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


CONDITION_TYPES = (
    At, Away, Together, OnTile, Near, Clear, Littered, AtLeast, AtMost, Reached, Above, Done, Undone, Passed, Lacking,
)  # fmt: skip
EFFECT_TYPES = (Move, Join, Advance, Tally, Put, Take, Draw, Gain, Discard, Demand)


def _inside(model: Model, types: tuple[type, ...]) -> Iterator[Any]:
    """Yield every part of `model`, however deep, that is of one of `types`."""
    for field in type(model).model_fields:
        value = getattr(model, field)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, types):
                yield item
            if isinstance(item, Model):
                yield from _inside(item, types)


# -- cards ----------------------------------------------------------------------------------------------------------


class StoryCard(Component):
    """Story cards of one icon."""

    icon: IconId
    count: Annotated[int, Field(ge=0, le=60)]


class Wild(Element):
    """Stands for any icon."""

    op: Literal["wild"]


class Cancel(Element):
    """Played when a plot card is turned: it has no effect."""

    op: Literal["cancel"]


class Walk(Element):
    """Moves so many figures, each so many spaces."""

    op: Literal["walk"]
    figures: Annotated[int, Field(ge=1, le=st.FIGURES)]
    spaces: Annotated[int, Field(ge=1, le=9)]


class DrawCards(Element):
    """Draws Story cards."""

    op: Literal["draw"]
    cards: Annotated[int, Field(ge=1, le=DRAWN)]


class Fetch(Element):
    """Takes cards of one's choice from the Story discard pile."""

    op: Literal["fetch"]
    cards: Annotated[int, Field(ge=1, le=9)]


class Look(Element):
    """Looks at the top plot cards and lays them back in any order."""

    op: Literal["look"]
    cards: Annotated[int, Field(ge=1, le=st.LOOKED)]


class SpecialCard(Component):
    """Special cards of one kind."""

    count: Annotated[int, Field(ge=0, le=60)]
    effect: Annotated[Wild | Cancel | Walk | DrawCards | Fetch | Look, Field(discriminator="op")]


class PlotCard(Component):
    """Plot cards of one number."""

    number: Annotated[int, Field(ge=1, le=99)]
    count: Annotated[int, Field(ge=0, le=40)]


# -- the edition ----------------------------------------------------------------------------------------------------

Number = Annotated[int, Field(ge=1, le=st.CHAPTERS)]
Range = Annotated[str, StringConstraints(pattern=RANGE_PATTERN, max_length=5)]


def numbers_of(chapters: int | str | list[int | str]) -> list[int]:
    """Return the numbers of the chapters that are played, in order: ``[1, "3..5"]`` is 1, 3, 4, 5."""
    found: list[int] = []
    for item in chapters if isinstance(chapters, list) else [chapters]:
        low, _, high = str(item).partition("..")
        found += range(int(low), int(high or low) + 1)
    return found


def _sensible(chapters: Any) -> Any:
    numbers = numbers_of(chapters)
    if not numbers or len(set(numbers)) < len(numbers) or len(numbers) > st.CHAPTERS:
        message = f"expected different chapters, 1 to {st.CHAPTERS} of them, such as [4] or 1..6"
        raise PydanticCustomError("value_error", "{message}", {"message": f"Value error, {message}"})
    return chapters


class Rules(Model):
    """Rule switches and constants."""

    chapters: Annotated[
        Number | Range | list[Number | Range],
        Field(description="chapters that are played, in this order"),
        AfterValidator(_sensible),
    ]
    hands: Annotated[Literal["open", "hidden"], Field(description="who sees a hand (ruling 24)")]
    first_seat: Annotated[Literal["drawn", "first"], Field(description="who begins a try (ruling 39)")]
    deal: Annotated[int, Field(ge=0, le=10, description="Story cards dealt to each player at the start of a try")]
    draw: Annotated[int, Field(ge=0, le=5, description="Story cards drawn in step 3")]
    hand_limit: Annotated[int, Field(ge=1, le=20, description="cards kept in step 5")]
    moves: Annotated[int, Field(ge=0, le=6, description="single steps in step 1")]
    trades: Annotated[int, Field(ge=0, le=3, description="trades a turn")]
    plot_cards: Annotated[
        int, Field(ge=1, le=st.PLOT, description="plot cards of a try; others of the deck are laid aside unseen")
    ]
    replays: Annotated[int, Field(ge=0, le=3, description="interrupted chapters that can be replayed (ruling 6)")]
    replay_miracles: Annotated[
        Literal["keep", "restore"],
        Field(description="Miracles at a replay: as they are, or as at the start of the chapter (ruling 9)"),
    ]
    star_taken_by: Annotated[
        Literal["players", "anyone"],
        Field(description="whose movement picks up a Miracle: the players' or also the plot's (ruling 21)"),
    ]
    miracles: Annotated[int, Field(ge=0, le=9, description="Miracle counters in the box")]
    miracle_story: Annotated[int, Field(ge=1, le=9, description="Story cards that a Miracle draws")]
    miracle_special: Annotated[int, Field(ge=1, le=9, description="Special cards that a Miracle draws instead")]
    round_cap: Annotated[int, Field(ge=1, le=LAST, description="rounds after which a game counts as unfinished")]


class Seat(Model):
    """What a scenario says of a player, besides the strategy: nothing, as the players move all figures together."""


class Edition(Model):
    """Component data of the book."""

    rules: Rules
    pace: Pace
    story_cards: Annotated[list[StoryCard], Field(min_length=1, max_length=st.ICONS)]
    special_cards: Annotated[list[SpecialCard], Field(max_length=st.KINDS - st.ICONS)]
    plot_cards: Annotated[list[PlotCard], Field(min_length=1, max_length=st.ENTRIES)]
    chapters: Annotated[list[Chapter], Field(min_length=1, max_length=st.CHAPTERS)]

    @model_validator(mode="after")
    def _fits_together(self) -> Edition:
        story, special = (sum(card.count for card in cards) for cards in (self.story_cards, self.special_cards))
        plot = sum(card.count for card in self.plot_cards)
        icons: set[str] = set()
        for card in self.story_cards:
            require(card.icon not in icons, f"two kinds of Story cards have {card.icon}", card.id, "icon")
            icons.add(card.icon)
        require(special <= st.SPECIALS, f"there are {special} Special cards; {st.SPECIALS} are possible")
        whole = f"there are {story + special} Story and Special cards; {st.STORY} are possible"
        require(story + special <= st.STORY, whole)
        require(plot <= st.PLOT, f"there are {plot} plot cards; {st.PLOT} are possible")
        fewer = f"plot_cards: got {self.rules.plot_cards}, and the deck has {plot} plot cards"
        require(self.rules.plot_cards <= plot, fewer, "rules", "plot_cards")
        played, there = numbers_of(self.rules.chapters), len(self.chapters)
        absent = next((number for number in played if number > there), 0)
        message = f"chapters: there is no chapter {absent}; the edition has {there}"
        require(not absent, message, "rules", "chapters")
        numbers: dict[int, str] = {}
        for plot_card in self.plot_cards:
            first = numbers.setdefault(plot_card.number, plot_card.id)
            require(first == plot_card.id, f"number {plot_card.number} is on '{first}', too", plot_card.id, "number")
        for chapter in self.chapters:
            for index, entry in enumerate(chapter.plot):
                for position, number in enumerate(entry.numbers):
                    where = (chapter.id, "plot", index, "numbers", position)
                    require(number in numbers, f"no plot card has number {number}", *where)
        return self


def check_seats(seats: Sequence[Seat], edition: Edition, rules: Rules) -> list[tuple[int | None, str, str]]:
    """Return the problems of a table: (seat, 0-based, or None for the table as a whole; field; message)."""
    story, dealt = sum(card.count for card in edition.story_cards), len(seats) * rules.deal
    if story >= dealt:
        return []
    return [(None, "", f"{len(seats)} players are dealt {dealt} Story cards; there are {story}")]


def seat_choices(edition: Edition) -> dict[str, list[str]]:
    """Return the known values of each seat option: there is none."""
    return {}


def seat_label(seat: Seat, edition: Edition) -> str:
    """Return what people call this player: nothing of its own."""
    return ""


def kinds(edition: Edition) -> list[Component]:
    """Return the cards by their kind: the five icons, then the Specials; an icon that has no card is left out."""
    return [*edition.story_cards, *edition.special_cards]


def kind_of(edition: Edition, card: Component) -> int:
    """Return the number by which the kernels know a card."""
    if isinstance(card, StoryCard):
        return ICONS.index(card.icon)
    return st.ICONS + [each.id for each in edition.special_cards].index(card.id)


def exposed(edition: Edition) -> tuple[Exposed, ...]:
    """Return what the bits of the exposure masks are, and which exposure tells most."""
    cards = [
        Exposed(kind_of(edition, card), card.id, card.label, "cards", "played", drawn=True) for card in kinds(edition)
    ]
    challenges = [
        Exposed(
            st.CHALLENGE_BIT + st.CHALLENGES * number + index,
            f"{chapter.id}.{challenge.id}",
            f"{number + 1} {challenge.label}",
            "challenges",
            "played",
            drawn=True,
        )
        for number, chapter in enumerate(edition.chapters)
        for index, challenge in enumerate(chapter.challenges)
    ]
    return (*cards, *challenges)


def causes(chapter: Chapter) -> list[str]:
    """Return what can interrupt a chapter: the end of the plot, then its own defeats."""
    return [st.PLOT_OUT, *(defeat.label for defeat in chapter.defeats)]


def reasons(edition: Edition) -> tuple[str, ...]:
    """Return why a game can end, by code: the round cap, the book is completed, or a chapter and what beat it."""
    lost = [
        f"chapter {number}: {cause}"
        for number, chapter in enumerate(edition.chapters, start=1)
        for cause in causes(chapter)
    ]
    return (*st.FIRST_REASONS, *lost)


def stages(edition: Edition) -> tuple[Stage, ...]:
    """Return the chapters that are played, for the funnel of a report."""
    return tuple(_stage(number, edition.chapters[number - 1]) for number in numbers_of(edition.rules.chapters))


def _stage(number: int, chapter: Chapter) -> Stage:
    metric = f"chapter_{number}_"
    lost = zip(causes(chapter), ("lost_plot", "lost_own_1", "lost_own_2"), strict=False)
    return Stage(
        label=f"{number} {chapter.label}",
        passed=(("first try", f"{metric}won_first"), ("replay", f"{metric}won_again")),
        failed=tuple((f"chapter {number}: {cause}", metric + name) for cause, name in lost),
        others=(("turns", f"{metric}turns"), ("plot", f"{metric}plot_left")),
    )


# -- packing --------------------------------------------------------------------------------------------------------


def pack(edition: Edition, rules: Rules, seats: Sequence[Seat], tab: Any) -> None:
    """Write the constants of one game into the record `tab`. Capacities are checked by `Edition`."""
    book = numbers_of(rules.chapters)
    tab.n_chapters = len(book)
    tab.book[: len(book)] = [number - 1 for number in book]
    for name in ("hand_limit", "deal", "moves", "trades", "replays", "miracles", "round_cap", "plot_cards"):
        setattr(tab, name, getattr(rules, name))
    tab.drawn, tab.miracle_story, tab.miracle_special = rules.draw, rules.miracle_story, rules.miracle_special
    tab.hands_open = int(rules.hands == "open")
    tab.first_drawn = int(rules.first_seat == "drawn")
    tab.restore = int(rules.replay_miracles == "restore")
    tab.anyone_takes = int(rules.star_taken_by == "anyone")
    tab.n_kinds = st.ICONS + len(edition.special_cards)
    tab.n_numbers = len(edition.plot_cards)
    for card in edition.story_cards:
        tab.n_story[ICONS.index(card.icon)] = card.count
    tab.wild = tab.cancels = tab.playable = 0
    for special in edition.special_cards:
        _pack_special(special, kind_of(edition, special), tab)
    for index, plot in enumerate(edition.plot_cards):
        tab.n_plot[index] = plot.count
    numbers = [plot.number for plot in edition.plot_cards]
    reason = len(st.FIRST_REASONS)
    for index, chapter in enumerate(edition.chapters):
        tab.first_reason[index] = reason
        reason += len(causes(chapter))
        _Packer(chapter, tab.chapters[index], numbers).pack()


def _pack_special(card: SpecialCard, kind: int, tab: Any) -> None:
    effect = card.effect
    tab.n_special[kind] = card.count
    tab.card_op[kind] = st.CARD_OPS.index(effect.op)
    tab.card_a[kind] = getattr(effect, "figures", getattr(effect, "cards", 0))
    tab.card_b[kind] = getattr(effect, "spaces", 0)
    if effect.op == "wild":
        tab.wild |= 1 << kind
    elif effect.op == "cancel":
        tab.cancels |= 1 << kind
    else:
        tab.playable |= 1 << kind


def _steps_from(start: int, ways: Sequence[set[int]]) -> dict[int, int]:
    """Return how many steps the nearest way from `start` has to each space that can be reached."""
    steps = {start: 0}
    reached = deque([start])
    while reached:
        here = reached.popleft()
        for there in ways[here] - steps.keys():
            steps[there] = steps[here] + 1
            reached.append(there)
    return steps


class _Packer:
    """Writes a chapter into its record (`state.CHAPTER`)."""

    def __init__(self, chapter: Chapter, to: Any, numbers: list[int]) -> None:
        self.chapter = chapter
        self.to = to
        self.numbers = numbers
        self.n_conditions = 0
        self.n_effects = 0

    def at(self, kind: str, name: str | None) -> int:
        """Return the position of what a list of the chapter calls `name`, NONE if it is nothing."""
        return st.NONE if name is None else self.chapter.names(kind).index(name)

    def mask(self, kind: str, names: Sequence[str]) -> int:
        """Return the bit mask of the named parts of a list."""
        return sum(1 << self.at(kind, name) for name in set(names))

    def pack(self) -> None:
        chapter, to = self.chapter, self.to
        for name in ("spaces", "figures", "challenges", "counters", "tiles", "defeats", "barriers"):
            setattr(to, f"n_{name}", len(getattr(chapter, name)))
        to.n_rules = len(chapter.actions)
        to.star = self.at("spaces", chapter.star)
        to.in_order = int(chapter.in_order)
        self._board()
        self._figures()
        self._counters()
        self._tiles()
        for index, action in enumerate(chapter.actions):
            self._action(action, to.rules[index])
        for index, challenge in enumerate(chapter.challenges):
            to.challenges[index].needs = self.conditions(challenge.needs)
            self._wishes(challenge, to.challenges[index])
            self.cost(challenge.cost, to.challenges[index].cost)
            to.challenges[index].reward = self.effects(challenge.reward)
        for entry in chapter.plot:
            span = self.effects(entry.effects)
            for number in entry.numbers:
                to.entry[self.numbers.index(number)] = span
        for index, defeat in enumerate(chapter.defeats):
            to.defeats[index] = self.conditions(defeat.when)

    def _board(self) -> None:
        chapter, to = self.chapter, self.to
        ways: list[set[int]] = [set() for _ in chapter.spaces]
        for index, space in enumerate(chapter.spaces):
            for other in space.ways:
                position = self.at("spaces", other)
                ways[index].add(position)
                ways[position].add(index)
        to.steps[:] = st.SPACES
        for start, nearest in enumerate(ways):
            to.ways[start] = sum(1 << there for there in nearest)
            for there, steps in _steps_from(start, ways).items():
                to.steps[start, there] = steps
        for index, path in enumerate(chapter.paths):
            packed = to.paths[index]
            packed.n, packed.loop = len(path.spaces), int(path.loop)
            packed.elsewhere = st.NONE if path.elsewhere is None else path.spaces.index(path.elsewhere)
            packed.place[:] = st.NONE
            for position, name in enumerate(path.spaces):
                packed.spaces[position] = self.at("spaces", name)
                packed.place[self.at("spaces", name)] = position
        for index, barrier in enumerate(chapter.barriers):
            figure, until = self.at("figures", barrier.figure), self.at("challenges", barrier.until)
            to.barriers[index] = (figure, until, self.mask("spaces", barrier.spaces))

    def _figures(self) -> None:
        chapter, to = self.chapter, self.to
        for index, figure in enumerate(chapter.figures):
            packed = to.figures[index]
            packed.start = self.at("spaces", figure.start)
            packed.moved = int(figure.moved)
            packed.after = self.at("challenges", figure.moved_after)
            packed.carrier = self.at("figures", figure.carried.by if figure.carried else None)
            packed.carried_after = self.at("challenges", figure.carried.after if figure.carried else None)
            to.movable |= int(figure.moved or figure.moved_after is not None) << index
        if guards := chapter.guards:
            to.guards, to.caught = self.mask("figures", guards.figures), self.mask("figures", guards.catch)
            to.caught_to, to.caught_discard = self.at("spaces", guards.to), guards.discard

    def _counters(self) -> None:
        chapter, to = self.chapter, self.to
        for index, counter in enumerate(chapter.counters):
            to.counter_start[index], to.counter_last[index] = counter.start, counter.last
        to.pieces = st.NONE
        if chapter.pieces:
            to.pieces = self.at("counters", chapter.pieces.counter)
            for space in chapter.pieces.spaces:
                to.start_pieces[self.at("spaces", space)] += 1

    def _tiles(self) -> None:
        chapter, to = self.chapter, self.to
        to.start_tiles[:] = st.NONE
        to.mixed = self.mask("spaces", chapter.mixed)
        for index, tile in enumerate(chapter.tiles):
            to.mixed_tiles[index] = tile.count
            for space in tile.lies_on:
                to.start_tiles[self.at("spaces", space)] = index
            toll, packed = tile.toll, to.tolls[index]
            self.cost(toll.cost, packed.cost)
            self.cost(toll.less.cost if toll.less else toll.cost, packed.less)
            packed.figure = self.at("figures", toll.less.figure if toll.less else None)
            packed.gone = int(toll.then == "gone")
            packed.has_else = int(toll.otherwise is not None)
            if toll.otherwise:
                packed.counter, packed.by = self.at("counters", toll.otherwise.counter), toll.otherwise.by

    def _wishes(self, challenge: Challenge, packed: Any) -> None:
        """Write what chapter actions can do for a challenge."""
        packed.clear = self.mask("spaces", [need.space for need in challenge.needs if isinstance(need, Clear)])
        counts = [place for place, need in enumerate(challenge.needs) if isinstance(need, AtLeast | Above)]
        packed.number = packed.needs.first + counts[0] if counts else st.NONE

    def _action(self, action: Action, packed: Any) -> None:
        packed.needs = self.conditions(action.needs)
        raised = [effect.counter for effect in action.effects if isinstance(effect, Tally) and effect.by > 0]
        packed.raises = self.at("counters", raised[0] if raised else None)
        packed.per_turn = int(action.once_a_turn)
        packed.n_ways = len(action.pay)
        for way, cost in enumerate(action.pay):
            self.cost(cost, packed.ways[way])
        packed.effects = self.effects(action.effects)

    def cost(self, cost: Sequence[str], packed: Any) -> None:
        """Write a cost (`state.COST`)."""
        for icon in cost:
            packed.need[st.ANY if icon == "any" else ICONS.index(icon)] += 1
        packed.total = len(cost)

    def conditions(self, conditions: Sequence[Any]) -> tuple[int, int]:
        """Write a list of conditions; return where it stands."""
        first = self.n_conditions
        self.n_conditions += len(conditions)
        for index, condition in enumerate(conditions, start=first):
            self._condition(condition, self.to.conditions[index])
        return first, len(conditions)

    def _condition(self, condition: Any, packed: Any) -> None:
        packed.op = st.CONDITION_OPS.index(condition.op)
        get = lambda name: getattr(condition, name, None)
        two_counters = isinstance(condition, TWO_COUNTERS)
        if get("counter"):
            packed.a = self.at("counters", condition.counter)
            packed.b = self.at("counters", condition.other) if two_counters else condition.number
        elif get("figure"):
            packed.a = self.at("figures", condition.figure)
            packed.b = self.at("figures", get("other"))
        if get("space"):
            packed.a = self.at("spaces", condition.space)
        if get("tile"):
            packed.b = self.at("tiles", condition.tile)
        if get("path"):
            packed.c = self.at("paths", condition.path)
        for kind in ("spaces", "figures", "challenges"):
            packed.mask |= self.mask(kind, get(kind) or [])

    def effects(self, effects: Sequence[Any]) -> tuple[int, int]:
        """Write a list of effects; return where it stands."""
        first = self.n_effects
        self.n_effects += len(effects)
        for index, effect in enumerate(effects, start=first):
            self._effect(effect, self.to.effects[index])
        return first, len(effects)

    def _effect(self, effect: Any, packed: Any) -> None:
        packed.op = st.EFFECT_OPS.index(effect.op)
        packed.first, packed.n = self.conditions(effect.when)
        match effect:
            case Move():
                packed.a, packed.b = self.at("figures", effect.figure), self.at("spaces", effect.to)
            case Join():
                packed.a, packed.b = self.at("figures", effect.figure), self.at("figures", effect.other)
            case Advance():
                packed.a, packed.b = self.at("figures", effect.figure), self.at("paths", effect.path)
                packed.c = effect.steps
            case Tally():
                packed.a, packed.c = self.at("counters", effect.counter), effect.by
            case Put():
                packed.a = self.at("spaces", effect.space)
            case Take():
                packed.a = self.at("figures", effect.figure)
            case Draw() | Gain() | Discard():
                packed.c = effect.cards
            case Demand():
                packed.a = ICONS.index(effect.icon)
                packed.b, packed.c = self.at("counters", effect.otherwise.counter), effect.otherwise.by
