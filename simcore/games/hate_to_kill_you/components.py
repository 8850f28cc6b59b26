"""What an edition of the duel must contain, and how it is packed for the kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from simcore.edition import Component, Count, Element, Id, Model, Pace, require, require_known
from simcore.games.hate_to_kill_you import state as st

Swords = Annotated[int, Field(ge=0, le=st.SWORDS)]


class Die(Component):
    """A colour of dice."""

    start: Annotated[int, Field(ge=0, le=st.DICE, description="dice of this colour that each player starts with")]
    faces: Annotated[list[Swords], Field(min_length=1, max_length=st.FACES, description="swords on each face")]


class Character(Component):
    """A character that can be played; its deck are the cards that name it."""


class _Effect(Element):
    count: Annotated[Count | Literal["all"], Field(description="how many at most")] = 1
    up_to: Annotated[bool, Field(description="fewer (or none) may be picked")] = False


class _DiceEffect(_Effect):
    side: Literal["own", "opponent"] = "own"
    colours: Annotated[Literal["any"] | list[Id], Field(description="ids of dice it works on")] = "any"
    faces: Annotated[Literal["any"] | list[Swords], Field(description="swords the die must show")] = "any"
    picker: Annotated[
        Literal["self", "owner"], Field(description="who picks: the card's player or the dice's owner")
    ] = "self"


class Reroll(_DiceEffect):
    """The owner of the picked dice rolls them again."""

    op: Literal["reroll"]


class Discard(_DiceEffect):
    """The picked dice leave the active dice, never the last one."""

    op: Literal["discard"]


class Turn(_DiceEffect):
    """The picked dice are turned to the face `to`, if their colour has it."""

    op: Literal["turn"]
    to: Swords


class Restore(_Effect):
    """The card's player gets own discarded dice back."""

    op: Literal["restore"]
    side: Literal["own"] = "own"
    colours: Literal["any"] | list[Id] = "any"
    roll_now: Annotated[bool, Field(description="rolled at once; else blank until the next roll")] = False


class Cancel(Element):
    """The opponent's card of a strictly higher rank has no effect."""

    op: Literal["cancel"]


class DropCard(_Effect):
    """The opponent loses cards from hand, never one that returns to hand."""

    op: Literal["drop_card"]
    side: Literal["opponent"] = "opponent"
    choice: Annotated[Literal["random", "owner", "self"], Field(description="who chooses the card")] = "random"


Effect = Annotated[Reroll | Discard | Turn | Restore | Cancel | DropCard, Field(discriminator="op")]


class Card(Component):
    """A move card."""

    BLANK: ClassVar[Mapping[str, Any]] = {"rank": None, "effects": []}

    deck: Annotated[Literal["all"] | Id, Field(description="the character who owns it, or all")]
    rank: Annotated[Annotated[int, Field(ge=1, le=20)] | None, Field(description="lowest first; null: no effect")] = (
        None
    )
    returns_to_hand: bool = False
    effects: Annotated[list[Effect], Field(default=[], max_length=st.EFFECTS)]

    @model_validator(mode="after")
    def _effects_need_a_rank(self) -> Card:
        require(self.rank is not None or not self.effects, "a card with effects needs a rank")
        return self


class Rules(Model):
    """Rule switches and constants."""

    hits_to_win: Annotated[int, Field(ge=1, le=50, description="hits that end the game")]
    cards: Annotated[Literal["all", "none"], Field(description="none: the dice decide alone")]
    same_character_twice: Annotated[bool, Field(description="both players may play one character (ruling 2)")]
    hit_discard: Annotated[int, Field(ge=0, le=1, description="dice that a scorer discards")]
    tie_discard: Annotated[int, Field(ge=0, le=1, description="dice that each discards on a tie")]
    after_round: Annotated[int, Field(ge=2, le=20, description="first rank that acts after the round")]
    round_cap: Annotated[int, Field(ge=1, le=10_000, description="rounds after which a game counts as unfinished")]


class Seat(Model):
    """What a scenario says of a player, besides the strategy."""

    character: Annotated[Id, Field(description="character played")]


class Edition(Model):
    """Component data of the duel."""

    rules: Rules
    pace: Pace
    dice: Annotated[list[Die], Field(min_length=1, max_length=st.COLOURS)]
    characters: Annotated[list[Character], Field(min_length=1)]
    cards: list[Card]

    @model_validator(mode="after")
    def _fits_together(self) -> Edition:
        colours = [die.id for die in self.dice]
        decks = [character.id for character in self.characters]
        n_dice = sum(die.start for die in self.dice)
        require(1 <= n_dice <= st.DICE, f"a player starts with {n_dice} dice; 1 to {st.DICE} are possible")
        for card in self.cards:
            require_known("deck", card.deck, ["all", *decks], card.id, "deck")
            for effect in card.effects:
                wanted = getattr(effect, "colours", "any")
                for colour in [] if wanted == "any" else wanted:
                    require_known("colour", colour, colours, card.id, "effects")
        for deck in decks:
            n = len(self.deck(deck))
            require(n <= st.CARDS, f"the deck of '{deck}' has {n} cards; {st.CARDS} are possible")
        return self

    def deck(self, character: str) -> list[Card]:
        """Return the cards of `character`, in the order of the file."""
        return [card for card in self.cards if card.deck in ("all", character)]


def check_seats(seats: Sequence[Seat], edition: Edition, rules: Rules) -> list[tuple[int, str, str]]:
    """Return the problems of a table: (seat, 0-based; field; message)."""
    known = [character.id for character in edition.characters]
    problems = [
        (index, "character", f"character '{seat.character}' is not known")
        for index, seat in enumerate(seats)
        if seat.character not in known
    ]
    if seats[0].character == seats[1].character and not rules.same_character_twice:
        problems.append(
            (1, "character", "both play the same character; set rules.same_character_twice: true to allow it")
        )
    return problems


def seat_choices(edition: Edition) -> dict[str, list[str]]:
    """Return the known values of each seat option, for suggestions."""
    return {"character": [character.id for character in edition.characters]}


def seat_label(seat: Seat, edition: Edition) -> str:
    """Return what people call this player."""
    return next(c.label for c in edition.characters if c.id == seat.character)


def pack(edition: Edition, rules: Rules, seats: Sequence[Seat], tab: Any) -> None:
    """Write the constants of one game into the record `tab`. Capacities are checked by `Edition`."""
    for name in ("hits_to_win", "round_cap", "after_round", "hit_discard", "tie_discard"):
        setattr(tab, name, getattr(rules, name))
    slots = [colour for colour, die in enumerate(edition.dice) for _ in range(die.start)]
    tab.n_dice = len(slots)
    tab.dice_mask = (1 << len(slots)) - 1
    tab.dice_colour[: len(slots)] = slots
    for colour, die in enumerate(edition.dice):
        tab.n_faces[colour] = len(die.faces)
        tab.faces[colour, : len(die.faces)] = die.faces
        tab.mean_swords[colour] = sum(die.faces) / len(die.faces)
    for seat, options in enumerate(seats):
        deck = edition.deck(options.character) if rules.cards == "all" else []
        tab.n_cards[seat] = len(deck)
        tab.deck[seat] = (1 << len(deck)) - 1
        tab.kept[seat] = sum(1 << index for index, card in enumerate(deck) if card.returns_to_hand)
        for index, card in enumerate(deck):
            tab.rank[seat, index] = card.rank or 0
            tab.n_effects[seat, index] = len(card.effects)
            for step, effect in enumerate(card.effects):
                _pack_effect(effect, edition, tab.effects[seat, index, step])


def _pack_effect(effect: Any, edition: Edition, packed: Any) -> None:
    """Write an effect into the record `packed` (`state.EFFECT`)."""
    faces = getattr(effect, "faces", "any")
    count = getattr(effect, "count", 0)
    packed.op = st.OPS.index(effect.op)
    packed.side = st.OPPONENT if getattr(effect, "side", "own") == "opponent" else st.OWN
    packed.count = st.ALL if count == "all" else count
    packed.up_to = int(getattr(effect, "up_to", False))
    packed.colours = sum(1 << index for index in _colours(effect, edition))
    packed.faces = sum(1 << n for n in (range(st.SWORDS + 1) if faces == "any" else set(faces)))
    packed.picker = st.OWNER if getattr(effect, "picker", "self") == "owner" else st.SELF
    packed.to = getattr(effect, "to", 0)
    packed.roll_now = int(getattr(effect, "roll_now", False))
    packed.choice = {"self": st.SELF, "owner": st.OWNER, "random": st.RANDOM}[getattr(effect, "choice", "self")]


def _colours(effect: Any, edition: Edition) -> list[int]:
    wanted = getattr(effect, "colours", "any")
    return [
        index
        for index, die in enumerate(edition.dice)
        if (wanted == "any" or die.id in wanted) and (effect.op != "turn" or effect.to in die.faces)
    ]
