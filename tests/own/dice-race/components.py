"""What an edition of the race must contain, and how it is packed for the kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar

from pydantic import Field, model_validator

from simcore.edition import Component, Id, Model, Pace, require

from . import state as st


class Die(Component):
    """The die."""

    faces: Annotated[
        list[Annotated[int, Field(ge=1, le=100)]],
        Field(min_length=2, max_length=st.FACES, description="points on each face"),
    ]


class Runner(Component):
    """A runner that a player can choose."""

    BLANK: ClassVar[Mapping[str, Any]] = {"head_start": 0}

    head_start: Annotated[int, Field(ge=0, le=1_000, description="points at the start")]


class Rules(Model):
    """Rule switches."""

    goal: Annotated[int, Field(ge=2, le=10_000, description="points that win")]
    bust: Annotated[int, Field(ge=0, le=100, description="face that ends a turn without points; 0: none")]
    round_cap: Annotated[int, Field(ge=1, le=10_000, description="rounds after which a game counts as unfinished")]


class Seat(Model):
    """What a scenario says of a player, besides the strategy."""

    runner: Annotated[Id, Field(description="runner of the player")]


class Edition(Model):
    """Component data of the race."""

    rules: Rules
    pace: Pace
    dice: Annotated[list[Die], Field(min_length=1, max_length=1)]
    runners: Annotated[list[Runner], Field(min_length=1, max_length=st.RUNNERS)]

    @model_validator(mode="after")
    def _fits_together(self) -> Edition:
        for runner in self.runners:
            words = f"a head start of {runner.head_start} is no way to go to {self.rules.goal}"
            require(runner.head_start < self.rules.goal, words, runner.id, "head_start")
        die = self.dice[0]
        require(any(face != self.rules.bust for face in die.faces), "every face is a bust", die.id, "faces")
        return self


def check_seats(seats: Sequence[Seat], edition: Edition, rules: Rules) -> list[tuple[int, str, str]]:
    """Return the problems of a table: (seat, 0-based; field; message)."""
    known = [runner.id for runner in edition.runners]
    return [
        (index, "runner", f"runner '{seat.runner}' is not known")
        for index, seat in enumerate(seats)
        if seat.runner not in known
    ]


def seat_choices(edition: Edition) -> dict[str, list[str]]:
    """Return the known values of each seat option, for suggestions."""
    return {"runner": [runner.id for runner in edition.runners]}


def seat_label(seat: Seat, edition: Edition) -> str:
    """Return what people call this player."""
    return next(runner.label for runner in edition.runners if runner.id == seat.runner)


def pack(edition: Edition, rules: Rules, seats: Sequence[Seat], tab: Any) -> None:
    """Write the constants of one game into the record `tab`."""
    for name in ("goal", "bust", "round_cap"):
        setattr(tab, name, getattr(rules, name))
    faces = edition.dice[0].faces
    safe = [face for face in faces if face != rules.bust]
    tab.n_faces = len(faces)
    tab.faces[: len(faces)] = faces
    tab.p_bust = 1 - len(safe) / len(faces)
    tab.mean_gain = sum(safe) / len(faces)
    ids = [runner.id for runner in edition.runners]
    for seat, options in enumerate(seats):
        tab.runner[seat] = ids.index(options.runner)
        tab.head_start[seat] = edition.runners[ids.index(options.runner)].head_start
