"""Positions, actions and events of the race in words and as plain data, for traces. Plain Python."""

from typing import Any

from simcore.contract import Event, Names

from .state import GOAL, ROLL


def describe(state: Any, names: Names) -> dict[str, Any]:
    """Return the whole position as plain data."""
    play = state.play
    return {
        "points": [int(play.points[seat]) for seat in range(len(names.players))],
        "pot": int(play.pot),
        "face": int(play.face) or None,
    }


def describe_action(state: Any, action: int, names: Names) -> str:
    """Return what the acting seat does, as one sentence."""
    player = names.players[state.play.seat]
    return f"{player} rolls." if action == ROLL else f"{player} stops with {int(state.play.pot)} in the pot."


def sort_of_action(state: Any, action: int) -> str:
    """Return what sort of action it is, as reports count them."""
    return "rolls" if action == ROLL else "stops"


def describe_change(before: Any, action: int, after: Any, names: Names) -> list[Event]:
    """Return all that everybody at the table sees happen because of an action, or how the game starts."""
    if before is None:
        listed = [f"{name} starts with {int(after.play.points[seat])}" for seat, name in enumerate(names.players)]
        return [Event("start", "Start", (", ".join(listed) + ".",), 0, {"points": describe(after, names)["points"]})]
    seat, rounds = int(before.play.seat), int(before.play.rounds)
    player = names.players[seat]
    data = {"seat": seat + 1, "points": int(after.play.points[seat])}
    if action != ROLL:
        return [Event("stop", player, (f"stops and has {data['points']}.",), rounds, data)]
    if after.play.busts[seat] > before.play.busts[seat]:
        return [Event("bust", player, (f"rolls {int(before.tab.bust)} and loses the pot.",), rounds, data)]
    data["face"] = int(after.play.face)
    words = f"rolls {data['face']}, {int(after.play.pot)} in the pot"
    if after.play.reason == GOAL:
        return [Event("goal", player, (f"{words}: the goal.",), rounds, data)]
    return [Event("roll", player, (f"{words}.",), rounds, data)]
