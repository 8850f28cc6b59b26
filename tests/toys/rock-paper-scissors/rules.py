"""The rules. Kernels only."""

from typing import Any

from simcore.jit import kernel
from simcore.rng import reseed


@kernel
def setup(state: Any) -> None:
    """Write all of `state.play`."""
    play = state.play
    play.over = 0
    play.seat = 0
    play.role = 0
    play.rounds = 1
    play.turns = 1
    for seat in range(2):
        play.hand[seat] = 0
        play.chosen[seat] = 0


@kernel
def legal(state: Any, actions: Any) -> int:
    """Write what the acting seat may show and return how many."""
    for hand in range(3):
        actions[hand] = hand
    return 3


@kernel
def apply(state: Any, action: int) -> None:
    """Choose a hand; once both have, they are shown."""
    play = state.play
    play.hand[play.seat] = action
    play.chosen[play.seat] = 1
    if play.chosen[0] == 0:
        play.seat = 0
    elif play.chosen[1] == 0:
        play.seat = 1
    else:
        play.over = 1


@kernel
def score(state: Any, row: Any) -> None:
    """Write the outcome into `row`."""
    ahead = (state.play.hand[0] - state.play.hand[1]) % 3
    row.winners = 3 if ahead == 0 else 1 if ahead == 1 else 2
    row.reason = 1
    row.turns = 1
    row.rounds = 1


@kernel
def lead(state: Any, side: int) -> float:
    """Return 1 for who has won, -1 for who has lost, else 0."""
    if state.play.over == 0:
        return 0.0
    ahead = (state.play.hand[side] - state.play.hand[1 - side]) % 3
    return 1.0 if ahead == 1 else -1.0 if ahead == 2 else 0.0


@kernel
def hide(state: Any, seat: int, random: Any) -> None:
    """Take the other seat's choice back and re-seed its streams."""
    other = 1 - seat
    state.play.hand[other] = 0
    state.play.chosen[other] = 0
    reseed(state.rng, random, seat)


@kernel
def features(state: Any, seat: int, action: int, work: Any, out: Any) -> None:
    """Write which hand `action` is."""
    for hand in range(3):
        out[hand] = 1.0 if action == hand else 0.0
