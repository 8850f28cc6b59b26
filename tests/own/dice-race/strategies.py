"""Scripted players of the race."""

from typing import Any

from simcore.contract import Param, strategy

from .features import expected_gain
from .state import ROLL, STOP


@strategy(at=Param(20, 1, 10_000, "points in the pot at which the player stops"))
def holder(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Someone with a fixed plan: stops as soon as the pot is worth it, whatever the others do."""
    return STOP if state.play.pot >= params[0] else ROLL


@strategy(danger=Param(20, 0, 10_000, "points short of the goal at which a rival is taken for dangerous"))
def racer(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Someone who watches the others: plays for points, but all or nothing once a rival is about to win."""
    play = state.play
    for rival in range(state.tab.n_seats):
        if rival != seat and play.points[rival] + params[0] >= state.tab.goal:
            return ROLL
    return ROLL if expected_gain(state) > 0.0 else STOP
