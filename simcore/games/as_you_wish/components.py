"""What an edition of the drafting game must contain, and how it is packed for the kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from simcore.contract import Exposed
from simcore.edition import Component, Element, Id, Model, Pace, require, require_known
from simcore.errors import closest
from simcore.games.as_you_wish import state as st


class Icon(Component):
    """A quest icon."""


class Score(Element):
    """A line of a character card."""

    icon: Annotated[Id, Field(description="icon that scores")]
    points: Annotated[int, Field(ge=0, le=20, description="points an icon in the own quest")]
    more_than: Annotated[int, Field(ge=0, le=99, description="cards that the quest must exceed")]


class Character(Component):
    """A character card."""

    BLANK: ClassVar[Mapping[str, Any]] = {"scores.*.points": 0}

    scores: Annotated[list[Score], Field(min_length=1, max_length=st.LINES)]


class QuestCard(Component):
    """A quest card; the number decides who deals and who goes first."""

    BLANK: ClassVar[Mapping[str, Any]] = {"spine": "plain", "points": 0, "poison": 0, "pictured": []}

    number: Annotated[int, Field(ge=1, le=9999, description="unique; lowest takes first, highest deals")]
    icon: Annotated[Id, Field(description="its one icon")]
    spine: Annotated[
        Literal["plain", "light", "dark"],
        Field(description="light scores other icons of its kind in the own quest, dark those of the neighbours"),
    ] = "plain"
    points: Annotated[int, Field(ge=0, le=20, description="points for each; none on a plain spine")] = 0
    poison: Annotated[int, Field(ge=0, le=9, description="poison symbols")] = 0
    pictured: Annotated[
        list[Id], Field(default=[], description="characters in the still, for the tie-break; others count for nobody")
    ]

    @model_validator(mode="after")
    def _plain_scores_nothing(self) -> QuestCard:
        plain = self.spine == "plain"
        require(not plain or self.points == 0, "a plain spine has no points", self.id, "points")
        given = plain or "points" in self.model_fields_set
        require(given, f"a {self.spine} spine needs points: give 'points', too", self.id, "spine")
        return self


class Rules(Model):
    """Rule switches and constants."""

    rank_by: Annotated[
        Literal["newest", "highest"],
        Field(description="number that ranks a quest: of its newest card, or its highest face-up one (ruling 1)"),
    ]
    poison_limit: Annotated[int, Field(ge=0, le=99, description="poison that may show in a quest")]
    end_length: Annotated[int, Field(ge=2, le=14, description="cards in a quest that end the game, after the round")]
    dealer_takes: Annotated[int, Field(ge=1, le=3, description="cards that the dealer takes")]
    extra: Annotated[int, Field(ge=0, le=6, description="cards drawn for an offer besides one a player")]
    face_down: Annotated[int, Field(ge=0, le=6, description="cards of an offer laid face down")]
    many: Annotated[int, Field(ge=2, le=7, description="players from which the next two hold instead")]
    extra_many: Annotated[int, Field(ge=0, le=6, description="cards drawn besides one a player, with many players")]
    face_down_many: Annotated[int, Field(ge=0, le=6, description="cards laid face down, with many players")]
    character_card: Annotated[Literal["open", "hidden"], Field(description="who sees a character (ruling 27)")]
    tie_break: Annotated[
        Literal["face_up", "all"], Field(description="cards whose pictures decide between equal scores (ruling 29)")
    ]
    round_cap: Annotated[int, Field(ge=1, le=1000, description="rounds after which a game counts as unfinished")]

    def offer(self, players: int) -> int:
        """Return the cards of an offer."""
        return players + (self.extra_many if players >= self.many else self.extra)

    def concealed(self, players: int) -> int:
        """Return how many of them are laid face down."""
        return self.face_down_many if players >= self.many else self.face_down

    def longest(self, players: int) -> int:
        """Return the most rounds of a game: as long as all quests can stay too short, with the dealing shared out."""
        for rounds in range(1, self.end_length):
            spare = self.end_length - 2 - rounds  # cards each quest could still get besides one a round
            extra = self.dealer_takes - 1
            if rounds == self.round_cap or spare < 0 or (extra and players * (spare // extra) < rounds):
                return rounds
        return self.end_length - 1


class Seat(Model):
    """What a scenario says of a player, besides the strategy."""

    character: Annotated[Id | None, Field(description="character played; dealt at random if left out")] = None


class Edition(Model):
    """Component data of the drafting game."""

    rules: Rules
    pace: Pace
    icons: Annotated[list[Icon], Field(min_length=1, max_length=st.ICONS)]
    characters: Annotated[list[Character], Field(min_length=2, max_length=st.CHARACTERS)]
    quest_cards: Annotated[list[QuestCard], Field(min_length=2, max_length=st.CARDS)]

    @model_validator(mode="after")
    def _fits_together(self) -> Edition:
        icons = [icon.id for icon in self.icons]
        known = [character.id for character in self.characters]
        for character in self.characters:
            for line in character.scores:
                require_known("icon", line.icon, icons, character.id, "scores")
        numbers: dict[int, str] = {}
        for card in self.quest_cards:
            require_known("icon", card.icon, icons, card.id, "icon")
            first = numbers.setdefault(card.number, card.id)
            require(first == card.id, f"number {card.number} is on '{first}', too (ruling 2)", card.id, "number")
            for figure in card.pictured:
                # someone who is no character may be in a still; a slip of the pen is taken for one
                if closest(figure, known):
                    require_known("character", figure, known, card.id, "pictured")
        return self


def check_seats(seats: Sequence[Seat], edition: Edition, rules: Rules) -> list[tuple[int | None, str, str]]:
    """Return the problems of a table: (seat, 0-based, or None for the table as a whole; field; message)."""
    known = [character.id for character in edition.characters]
    problems: list[tuple[int | None, str, str]] = []
    taken: list[str] = []
    for index, seat in enumerate(seats):
        if seat.character is None:
            continue
        if seat.character not in known:
            problems.append((index, "character", f"character '{seat.character}' is not known"))
        elif seat.character in taken:
            problems.append((index, "character", f"character '{seat.character}' is played twice; there is one card"))
        taken.append(seat.character)
    return problems + [(None, "", message) for message in _shortages(len(seats), edition, rules)]


def _shortages(players: int, edition: Edition, rules: Rules) -> list[str]:
    """Return what there is too little of for so many players (ruling 25 holds for the printed numbers only)."""
    offer, rounds = rules.offer(players), rules.longest(players)
    found = []
    if len(edition.characters) < players:
        found.append(f"{players} players need as many characters; there are {len(edition.characters)}")
    if offer > st.SLOTS:
        found.append(f"an offer for {players} players has {offer} cards; {st.SLOTS} are possible")
    if rules.concealed(players) > offer:
        found.append(f"{rules.concealed(players)} cards are to be laid face down, and an offer has {offer}")
    if players - 1 + rules.dealer_takes > offer:
        found.append(f"{players} players take {players - 1 + rules.dealer_takes} cards, and an offer has {offer}")
    needed = players + rounds * offer
    if needed > len(edition.quest_cards):
        found.append(
            f"{players} players may draw {needed} quest cards in {rounds} rounds; there are "
            f"{len(edition.quest_cards)}: add cards, or lower rules.end_length or the cards of an offer"
        )
    return found


def seat_choices(edition: Edition) -> dict[str, list[str]]:
    """Return the known values of each seat option, for suggestions."""
    return {"character": [character.id for character in edition.characters]}


def seat_label(seat: Seat, edition: Edition) -> str:
    """Return what people call this player; nothing if the character is dealt."""
    return next((c.label for c in edition.characters if c.id == seat.character), "")


def exposed(edition: Edition) -> tuple[Exposed, ...]:
    """Return what the bits of the exposure masks are, and which exposure tells most."""
    characters = [
        Exposed(st.CHARACTER_BIT + index, character.id, character.label, "characters", "dealt")
        for index, character in enumerate(edition.characters)
    ]
    cards = [
        Exposed(index, card.id, f"{card.number} {card.label}", "quest cards", "played", drawn=True)
        for index, card in enumerate(edition.quest_cards)
    ]
    first = Exposed(st.FIRST_DEALER_BIT, "first-dealer", "Dealer of the first round", "first deal", "dealt")
    return (first, *characters, *cards)


def hope(more_than: int, end_length: int) -> float:
    """Return about how often a quest becomes longer than so many cards, 0 to 1.

    A straight line through what players who look one step ahead reach at tables of four: 85 % more than six cards,
    41 % more than eight. A help for strategies, no rule.
    """
    return min(1.0, max(0.0, 0.4 + 0.2 * (end_length - 1 - more_than)))


def pack(edition: Edition, rules: Rules, seats: Sequence[Seat], tab: Any) -> None:
    """Write the constants of one game into the record `tab`. Capacities are checked before."""
    n = len(seats)
    icons = [icon.id for icon in edition.icons]
    characters = [character.id for character in edition.characters]
    cards = edition.quest_cards
    tab.n_cards, tab.n_characters, tab.n_icons = len(cards), len(characters), len(icons)
    tab.n_offer, tab.n_concealed = rules.offer(n), rules.concealed(n)
    for name in ("dealer_takes", "poison_limit", "end_length", "round_cap"):
        setattr(tab, name, getattr(rules, name))
    tab.by_highest = int(rules.rank_by == "highest")
    tab.secret = int(rules.character_card == "hidden")
    tab.all_pictures = int(rules.tie_break == "all")
    tab.n_beside = min(n - 1, 2)
    for seat, options in enumerate(seats):
        tab.beside[seat] = [(seat - 1) % n, (seat + 1) % n]
        tab.fixed[seat] = st.NONE if options.character is None else characters.index(options.character)
    for index, character in enumerate(edition.characters):
        tab.n_lines[index] = len(character.scores)
        for position, line in enumerate(character.scores):
            icon = icons.index(line.icon)
            tab.lines[index, position] = (icon, line.points, line.more_than)
            for length in range(st.QUEST + 1):
                chance = 1.0 if length > line.more_than else hope(line.more_than, rules.end_length)
                tab.worth[index, icon, length] += line.points * chance
    for index, card in enumerate(cards):
        _pack_card(card, icons.index(card.icon), characters, tab.cards[index])
    tab.top_number = max(card.number for card in cards)
    table = tab.cards[: len(cards)]
    for icon in range(len(icons)):
        of_kind = table[table["icon"] == icon]
        tab.share[icon] = len(of_kind) / len(cards)
        tab.mean_light[icon] = of_kind["light"].sum() / len(cards)
        tab.mean_dark[icon] = of_kind["dark"].sum() / len(cards)
    tab.mean_poison = sum(card.poison for card in cards) / len(cards)


def _pack_card(card: QuestCard, icon: int, characters: Sequence[str], packed: Any) -> None:
    """Write a quest card into the record `packed` (`state.CARD`)."""
    packed.number = card.number
    packed.pictured = sum(1 << characters.index(figure) for figure in set(card.pictured) & set(characters))
    packed.icon = icon
    packed.light = card.points if card.spine == "light" else 0
    packed.dark = card.points if card.spine == "dark" else 0
    packed.poison = card.poison
