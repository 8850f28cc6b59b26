"""What a seat of the duel cannot know: the other's simultaneous choices, and chance to come (ruling 30)."""

from __future__ import annotations

from typing import Any

from simcore.games.hate_to_kill_you.rules import effect_of, has_effect, picker_of, picks
from simcore.games.hate_to_kill_you.state import CHOOSE, LOSE, NONE, PICK
from simcore.jit import kernel
from simcore.rng import reseed


@kernel
def hide(state: Any, seat: int, random: Any) -> None:
    """Forget what `seat` cannot know and re-seed every stream but its own from `random` (uint64).

    Hands are public (deck lists are fixed, used cards stay visible), so nothing is re-dealt. Choices that the
    other seat has made in the same simultaneous step are taken back: it will be asked again.
    """
    play = state.play
    reseed(state.rng, random, seat)
    other = 1 - seat
    if play.phase == CHOOSE:
        play.chosen[other] = NONE
    elif play.phase == LOSE:
        play.lost[other] = NONE
    elif play.phase == PICK and has_effect(state, 0) and has_effect(state, 1):
        for owner in range(2):
            effect = effect_of(state, owner)
            if picker_of(effect, owner) != seat:
                play.picked[owner] = 0
                play.todo[owner] = picks(state, owner, effect)
