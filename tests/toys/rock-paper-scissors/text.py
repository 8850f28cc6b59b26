"""Positions and actions in words."""

from typing import Any

from simcore.contract import Event, Names

from .state import HANDS


def describe(state: Any, names: Names) -> dict[str, Any]:
    """Return the whole position as plain data."""
    play = state.play
    return {"hands": [HANDS[int(play.hand[seat])] if play.chosen[seat] else None for seat in range(2)]}


def describe_action(state: Any, action: int, names: Names) -> str:
    """Return what the acting seat does, as one sentence."""
    return f"{names.players[state.play.seat]} chooses {HANDS[action]}."


def sort_of_action(state: Any, action: int) -> str:
    """Return what sort of action it is, as reports count them."""
    return HANDS[action]


def describe_change(before: Any, action: int, after: Any, names: Names) -> list[Event]:
    """Return all that everybody at the table sees happen because of an action, or how the game starts."""
    if before is None:
        return [Event("start", "Start", ("Both choose.",), 0, {})]
    if not after.play.over:
        return []
    hands = [HANDS[int(after.play.hand[seat])] for seat in range(2)]
    return [Event("shown", names.players[seat], (f"shows {hands[seat]}.",), 1, {"seat": seat + 1}) for seat in range(2)]
