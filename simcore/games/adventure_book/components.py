"""What an edition of the book must contain, and how it is packed for the kernels.

Chapters are data: their boards, challenges and plot tables stand in ``chapters``, in the ``primitives`` of
docs/adventure-book.md; ``packing`` writes them for the kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from simcore.allowed import RANGE_PATTERN
from simcore.contract import Exposed, Stage
from simcore.edition import Component, Element, Model, Pace, require
from simcore.games.adventure_book import state as st
from simcore.games.adventure_book.chapters import Chapter
from simcore.games.adventure_book.packing import pack_chapter
from simcore.games.adventure_book.primitives import DRAWN, ICONS, IconId

LAST = 9_999


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
        pack_chapter(chapter, tab.chapters[index], numbers)


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
