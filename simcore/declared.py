"""What is wrong with a game as it declares itself, in words: for games of a designer, before anything plays them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np

from simcore import rng
from simcore.allowed import ID_PATTERN, PATTERNS
from simcore.contract import PARAMETERS, PLAY_FIELDS, Decision, Feature, Game, Metric, Rules, outcome_dtype
from simcore.edition import Model

MOST_SEATS = 8
OTHER_WEIGHTS = 3  # numbers that the strategy `weights` keeps besides one for each feature
TUPLES = {"metrics": Metric, "features": Feature, "decisions": Decision, "roles": str, "chance": str}
COMPONENTS = ("pack", "check_seats", "seat_choices", "seat_label")


def complaint(game: Any) -> str:
    """Return the first thing that is wrong with what should be a `Game`, "" if it can be played."""
    return next(_complaints(game), "")


def _complaints(game: Any) -> Iterator[str]:
    """Yield what is wrong; each may rest on what stands before it, so only the first is worth reading."""
    if not isinstance(game, Game):
        yield f"GAME is of type {type(game).__name__}; expected simcore.contract.Game"
    if not isinstance(game.name, str) or not re.fullmatch(ID_PATTERN, game.name):
        yield f"GAME.name: got {game.name!r}, expected {PATTERNS[ID_PATTERN]}"
    if not _is_count(game.version):
        yield f"GAME.version: got {game.version!r}, expected a whole number from 1"
    for name, kind in TUPLES.items():
        given = getattr(game, name)
        if not isinstance(given, tuple) or not all(isinstance(item, kind) for item in given):
            yield f"GAME.{name}: expected a tuple of {kind.__name__}"
    if not game.roles:
        yield "GAME.roles: got none, expected at least one kind of decision maker"
    if not game.features or len(game.features) + OTHER_WEIGHTS > PARAMETERS:
        yield f"GAME.features: got {len(game.features)}, expected 1 to {PARAMETERS - OTHER_WEIGHTS}"
    yield from _of_seats(game)
    if not _is_count(game.actions):
        yield f"GAME.actions: got {game.actions!r}, expected how many actions can be legal at once"
    yield from _of_records(game)
    yield from _of_code(game)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _of_seats(game: Game) -> Iterator[str]:
    counts = game.seat_counts
    words = f"expected ascending numbers of players up to {MOST_SEATS}, such as (2, 3, 4)"
    if not isinstance(counts, tuple) or not counts or not all(_is_count(n) for n in counts):
        yield f"GAME.seat_counts: got {counts!r}, {words}"
    if any(a >= b for a, b in pairwise(counts)) or counts[-1] > MOST_SEATS:
        yield f"GAME.seat_counts: got {counts!r}, {words}"
    for n in counts:
        if sorted(seat for side in game.sides(n) for seat in side) != list(range(n)) or not all(game.sides(n)):
            yield f"GAME.sides({n}): expected the seats 0 to {n - 1}, each on one side, such as ((0,), (1,))"
        rotations = game.rotations(n)
        is_complete = all(sorted(rotation) == list(range(n)) for rotation in rotations)
        if not rotations or not is_complete or tuple(rotations[0]) != tuple(range(n)):
            yield f"GAME.rotations({n}): expected orders of the seats 0 to {n - 1}, first the identity"


def _of_records(game: Game) -> Iterator[str]:
    state = game.state
    if not isinstance(state, np.dtype) or not {"tab", "play", "rng"} <= set(state.names or ()):
        yield "GAME.state: expected what simcore.contract.state_dtype returns"
    play = [(name, state["play"][name].str[1:]) for name in (state["play"].names or ())[: len(PLAY_FIELDS)]]
    if play != PLAY_FIELDS or state["rng"] != rng.dtype(game.seats + len(game.chance)):
        yield (
            f"GAME.state: expected state_dtype(..., seats={game.seats}, chance={len(game.chance)}), "
            "as GAME.seat_counts and GAME.chance say"
        )
    if state["tab"]["side_of"].shape != (game.seats,):
        yield f"GAME.state: expected state_dtype(..., seats={game.seats}, ...), as GAME.seat_counts says"
    if game.outcome != outcome_dtype(game.metrics, game.seats):
        yield f"GAME.outcome: expected outcome_dtype(metrics, {game.seats}), with GAME.metrics"
    for name, kind in (*_leaves(state), *_leaves(game.outcome)):
        if hasattr(np.recarray, name):
            yield f"GAME.state: a field may not be called '{name}', as numpy's records have an attribute of that name"
        if kind.kind not in "iuf":
            yield f"GAME.state: the field '{name}' is of type {kind}; expected whole or floating numbers, such as i4"


def _leaves(dtype: np.dtype[Any]) -> Iterator[tuple[str, np.dtype[Any]]]:
    for name in dtype.names or ():
        inner = dtype[name].base
        yield from _leaves(inner) if inner.names else [(name, inner)]


def _of_code(game: Game) -> Iterator[str]:
    if not isinstance(game.rules, Rules):
        yield f"GAME.rules is of type {type(game.rules).__name__}; expected simcore.contract.Rules"
    missing = [field.name for field in fields(Rules) if not callable(getattr(game.rules, field.name))]
    missing += [name for name in ("reasons", "describe", "describe_action", "describe_change") if not _has(game, name)]
    if missing:
        yield f"GAME: '{missing[0]}' is no function"
    components = game.components
    if not isinstance(components, ModuleType):
        yield f"GAME.components is of type {type(components).__name__}; expected a module"
    for name in ("Edition", "Seat"):
        model = getattr(components, name, None)
        if not isinstance(model, type) or not issubclass(model, Model):
            yield f"GAME.components has no class '{name}' that derives from simcore.edition.Model"
    for name in ("rules", "pace"):
        if name not in components.Edition.model_fields:
            yield f"GAME.components.Edition has no field '{name}'"
    for name in COMPONENTS:
        if not _has(components, name):
            yield f"GAME.components has no function '{name}'"


def _has(owner: Any, name: str) -> bool:
    return callable(getattr(owner, name, None))
