"""The primitives of chapters as they stand in an edition: conditions and effects, by docs/adventure-book.md."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from simcore.edition import Element, Id
from simcore.games.adventure_book import state as st

ICONS = ("courage", "revenge", "adventure", "intrigue", "love")
IconId = Literal["courage", "revenge", "adventure", "intrigue", "love"]
Spaces = Annotated[list[Id], Field(min_length=1, max_length=st.SPACES)]
Small = Annotated[int, Field(ge=0, le=99)]
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
CONDITION_TYPES = (
    At, Away, Together, OnTile, Near, Clear, Littered, AtLeast, AtMost, Reached, Above, Done, Undone, Passed, Lacking,
)  # fmt: skip
TWO_COUNTERS = (Reached, Above)


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
EFFECT_TYPES = (Move, Join, Advance, Tally, Put, Take, Draw, Gain, Discard, Demand)
