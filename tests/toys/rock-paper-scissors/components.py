"""What an edition contains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from simcore.edition import Model, Pace


class Rules(Model):
    """Rule switches."""

    round_cap: Annotated[int, Field(ge=1, le=100, description="rounds after which a game counts as unfinished")]


class Seat(Model):
    """Players differ by their strategies alone."""


class Edition(Model):
    """Data of the game."""

    rules: Rules
    pace: Pace


def check_seats(seats: Sequence[Seat], edition: Edition, rules: Rules) -> list[tuple[int, str, str]]:
    """Return the problems of a table: none."""
    return []


def seat_choices(edition: Edition) -> dict[str, list[str]]:
    """Return the known values of each seat option."""
    return {}


def seat_label(seat: Seat, edition: Edition) -> str:
    """Return what people call this player."""
    return ""


def pack(edition: Edition, rules: Rules, seats: Sequence[Seat], tab: Any) -> None:
    """Write the constants of one game into the record `tab`."""
    tab.round_cap = rules.round_cap
