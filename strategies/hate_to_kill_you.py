"""Players of the duel. All pick dice alike (the largest expected gain); they differ in when they spend which card."""

from __future__ import annotations

from typing import Any

from simcore.contract import Param, strategy
from simcore.games.hate_to_kill_you.features import best_mean, card_gain, die_gain, die_mean, margin
from simcore.games.hate_to_kill_you.rules import effect_of, target_of
from simcore.games.hate_to_kill_you.state import (
    CANCEL,
    CHOOSE,
    DIE,
    DONE,
    DROP_CARD,
    LOSE,
    NO_CARD,
    NONE,
    OPPONENT,
    RESTORE,
    SLOTS,
)
from simcore.jit import kernel
from simcore.rng import uniform

_LEAST = -1e9


@kernel
def pick_die(state: Any, seat: int, actions: Any, n: int) -> Any:
    """Return the pick with the largest expected gain in swords, or "done" if every pick costs some."""
    asked = state.play.asked
    effect = effect_of(state, asked)
    target = target_of(effect, asked)
    best = actions[0]
    best_gain = _LEAST
    for i in range(n):
        gain = 0.0
        if actions[i] >= DIE and actions[i] != DONE:
            slot = actions[i] % SLOTS
            gain = die_gain(state, seat, effect, target, slot)
            # equal swords: keep strong dice, take strong ones back, hurt strong ones of the other
            sign = 1.0 if effect.op == RESTORE or target != seat else -1.0
            gain += 0.01 * sign * die_mean(state, slot)
        elif actions[i] < DIE:
            gain = card_gain(state, target, actions[i]) * (-1.0 if target == seat else 1.0)
        if gain > best_gain:
            best_gain = gain
            best = actions[i]
    return best


@kernel
def lose_die(state: Any, actions: Any, n: int) -> Any:
    """Return the weakest die on offer: the smallest expected swords a roll."""
    best = actions[0]
    for i in range(1, n):
        if die_mean(state, actions[i] % SLOTS) < die_mean(state, best % SLOTS):
            best = actions[i]
    return best


@kernel
def bluff_of(state: Any, seat: int, actions: Any, n: int) -> int:
    """Return the card that costs nothing to play, or NONE."""
    for i in range(n):
        if actions[i] == NO_CARD or state.tab.kept[seat] >> actions[i] & 1:
            return actions[i]
    return NONE


@kernel
def best_gain_card(state: Any, seat: int, actions: Any, n: int) -> int:
    """Return the card with the largest expected gain this round; a card that costs nothing wins ties."""
    best = actions[0]
    best_gain = _LEAST
    for i in range(n):
        card = actions[i]
        gain = 0.0
        if card != NO_CARD:
            gain = card_gain(state, seat, card)
            if state.tab.kept[seat] >> card & 1:
                gain += 0.001
        if gain > best_gain:
            best_gain = gain
            best = card
    return best


@kernel
def gain_of(state: Any, seat: int, card: int) -> float:
    """Return the expected gain of `card`, 0 for playing none."""
    return 0.0 if card == NO_CARD else card_gain(state, seat, card)


@kernel
def effect_card(state: Any, seat: int, actions: Any, n: int, op: int) -> int:
    """Return the first card on offer with an effect `op`, or NONE."""
    for i in range(n):
        if actions[i] != NO_CARD:
            for step in range(state.tab.n_effects[seat, actions[i]]):
                if state.tab.effects[seat, actions[i], step].op == op:
                    return actions[i]
    return NONE


@kernel
def best_return(state: Any, seat: int, actions: Any, n: int) -> int:
    """Return the card that brings the best die back after the round, or NONE if none would bring any."""
    tab = state.tab
    best = NONE
    most = 0.0
    for i in range(n):
        if actions[i] != NO_CARD:
            for step in range(tab.n_effects[seat, actions[i]]):
                effect = tab.effects[seat, actions[i], step]
                if effect.op == RESTORE:
                    mean = best_mean(state, seat, effect)
                    if mean > most:
                        most = mean
                        best = actions[i]
    return best


@strategy()
def greedy(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Lives in the moment: always the card that promises the most swords this round, however little it needs.

    Falls back on the Bluff when no card promises any.
    """
    if state.play.phase == LOSE:
        return lose_die(state, actions, n)
    if state.play.phase != CHOOSE:
        return pick_die(state, seat, actions, n)
    return best_gain_card(state, seat, actions, n)


@strategy(reach=Param(0.5, -5, 5, "swords by which the promised margin may fall short of a win and still be tried"))
def patient(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Spends a card only where it can turn the round, and takes dice back in rounds that are decided.

    Ahead: Bluff, or a card that returns a die. Behind or level: the card with the largest gain if it brings the margin
    near enough to a win (`reach`), else as when ahead.
    """
    if state.play.phase == LOSE:
        return lose_die(state, actions, n)
    if state.play.phase != CHOOSE:
        return pick_die(state, seat, actions, n)
    now = margin(state, seat)
    if now <= 0:
        card = best_gain_card(state, seat, actions, n)
        gain = gain_of(state, seat, card)
        if gain > 0.0 and float(now) + gain + params[0] > 0.0:
            return card
    back = best_return(state, seat, actions, n)
    if back != NONE:
        return back
    free = bluff_of(state, seat, actions, n)
    return free if free != NONE else best_gain_card(state, seat, actions, n)


@strategy(bluffs=Param(0.7, 0, 1, "chance of a Bluff in a round that is not lost so far"))
def bluffer(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Hard to read: bluffs most rounds to keep a full hand for the end, else plays like `greedy`."""
    if state.play.phase == LOSE:
        return lose_die(state, actions, n)
    if state.play.phase != CHOOSE:
        return pick_die(state, seat, actions, n)
    free = bluff_of(state, seat, actions, n)
    if free != NONE and margin(state, seat) >= 0 and uniform(state.rng, seat) < params[0]:
        return free
    return best_gain_card(state, seat, actions, n)


@strategy()
def attacker(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Goes for the other's dice and hand: cards against the opponent first, the one with the largest gain of them.

    Own rerolls only when no attack promises anything; dice come back last.
    """
    if state.play.phase == LOSE:
        return lose_die(state, actions, n)
    if state.play.phase != CHOOSE:
        return pick_die(state, seat, actions, n)
    best = NONE
    best_gain = 0.0
    for i in range(n):
        if actions[i] != NO_CARD and state.tab.n_effects[seat, actions[i]] > 0:
            gain = gain_of(state, seat, actions[i])
            effect = state.tab.effects[seat, actions[i], 0]
            if effect.op == DROP_CARD:
                gain = 0.5
            if effect.side == OPPONENT and gain > best_gain:
                best_gain = gain
                best = actions[i]
    return best if best != NONE else best_gain_card(state, seat, actions, n)


@strategy(lead=Param(1, 0, 12, "swords that one must be ahead by to expect a strong card"))
def counter(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Reads the other: well ahead, expects a strong card and cancels it; else plays like `patient` without reach."""
    if state.play.phase == LOSE:
        return lose_die(state, actions, n)
    if state.play.phase != CHOOSE:
        return pick_die(state, seat, actions, n)
    now = margin(state, seat)
    stop = effect_card(state, seat, actions, n, CANCEL)
    if stop != NONE and float(now) >= params[0]:
        return stop
    if now <= 0:
        return best_gain_card(state, seat, actions, n)
    free = bluff_of(state, seat, actions, n)
    return free if free != NONE else best_gain_card(state, seat, actions, n)


@strategy()
def keeper(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Keeps a full set of dice: whenever a die can come back after the round, that card is played.

    Else plays like `greedy`.
    """
    if state.play.phase == LOSE:
        return lose_die(state, actions, n)
    if state.play.phase != CHOOSE:
        return pick_die(state, seat, actions, n)
    back = best_return(state, seat, actions, n)
    return back if back != NONE else best_gain_card(state, seat, actions, n)
