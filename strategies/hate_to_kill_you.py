"""Players of the duel. All pick dice alike (what is worth most); they differ in when they spend which card.

What a card promises is counted in expected swords (`promise`): those of this round, a roll of each die that it takes
from the other or brings back, and what it is expected to keep the other from.
"""

from __future__ import annotations

from typing import Any

from simcore.contract import Param, strategy
from simcore.games.hate_to_kill_you.features import (
    card_gain,
    card_worth,
    denied,
    die_mean,
    die_worth,
    effect_worth,
    margin,
)
from simcore.games.hate_to_kill_you.rules import effect_of, target_of
from simcore.games.hate_to_kill_you.state import (
    CANCEL,
    CHOOSE,
    DIE,
    DONE,
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
    """Return the pick that is worth most in swords, now and in a later roll, or "done" if every pick costs some."""
    asked = state.play.asked
    effect = effect_of(state, asked)
    target = target_of(effect, asked)
    best = actions[0]
    best_gain = _LEAST
    for i in range(n):
        gain = 0.0
        if actions[i] >= DIE and actions[i] != DONE:
            slot = actions[i] % SLOTS
            gain = die_worth(state, seat, effect, target, slot, 1.0, 1.0)
            # equal worth: keep strong dice, take strong ones back, hurt strong ones of the other
            sign = 1.0 if effect.op == RESTORE or target != seat else -1.0
            gain += 0.01 * sign * die_mean(state, slot)
        elif actions[i] < DIE:
            gain = card_worth(state, target, actions[i], 1.0, 1.0) * (-1.0 if target == seat else 1.0)
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
def promise(state: Any, seat: int, card: int, now: float, later: float, stop: float) -> float:
    """Return what `card` promises in swords, by three weights.

    `now`: the margin of this round; `later`: a roll of the dice that go or come back, and cards the other loses from
    hand; `stop`: the card of the other that it may make void.
    """
    return card_worth(state, seat, card, now, later) + denied(state, seat, card, stop, later)


@kernel
def best_card(state: Any, seat: int, actions: Any, n: int, now: float, later: float, stop: float) -> int:
    """Return the card that promises most (weights as in `promise`); a card that costs nothing wins ties."""
    best = actions[0]
    most = _LEAST
    for i in range(n):
        card = actions[i]
        worth = 0.0
        if card != NO_CARD:
            worth = promise(state, seat, card, now, later, stop)
            if state.tab.kept[seat] >> card & 1:
                worth += 0.001
        if worth > most:
            most = worth
            best = card
    return best


@kernel
def best_return(state: Any, seat: int, actions: Any, n: int) -> int:
    """Return the card that brings the best dice back, or NONE if none would bring any."""
    tab = state.tab
    best = NONE
    most = 0.0
    for i in range(n):
        if actions[i] != NO_CARD:
            for step in range(tab.n_effects[seat, actions[i]]):
                effect = tab.effects[seat, actions[i], step]
                if effect.op == RESTORE:
                    worth = effect_worth(state, seat, effect, 0.0, 1.0)
                    if worth > most:
                        most = worth
                        best = actions[i]
    return best


@kernel
def best_cancel(state: Any, seat: int, actions: Any, n: int) -> int:
    """Return the card that may void most of what the other holds, or NONE if none can stop anything of worth."""
    best = NONE
    most = 0.0
    for i in range(n):
        if actions[i] != NO_CARD:
            worth = denied(state, seat, actions[i], 1.0, 0.0)
            if worth > most:
                most = worth
                best = actions[i]
    return best


@kernel
def attacks(state: Any, seat: int, card: int) -> bool:
    """Return whether a card works on the other's dice, hand or card."""
    for step in range(state.tab.n_effects[seat, card]):
        effect = state.tab.effects[seat, card, step]
        if effect.side == OPPONENT or effect.op == CANCEL:
            return True
    return False


@kernel
def patient_card(state: Any, seat: int, actions: Any, n: int, reach: float) -> int:
    """Return the card of a patient player, see `patient`."""
    now = margin(state, seat)
    if now > 0:
        return best_card(state, seat, actions, n, 0.0, 1.0, 1.0)
    card = best_card(state, seat, actions, n, 1.0, 0.0, 0.0)
    gain = 0.0 if card == NO_CARD else card_gain(state, seat, card)
    if gain > 0.0 and float(now) + gain + reach > 0.0:
        return card
    return best_card(state, seat, actions, n, 0.0, 1.0, 0.0)


@strategy()
def greedy(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Always the card that promises the most swords, however little this round needs them.

    Counts alike: the margin of this round, one roll of a die that comes back or that the other has to discard, and what
    the other is expected to miss by a card made void or lost from hand. Bluffs when no card promises any.
    """
    if state.play.phase == LOSE:
        return lose_die(state, actions, n)
    if state.play.phase != CHOOSE:
        return pick_die(state, seat, actions, n)
    return best_card(state, seat, actions, n, 1.0, 1.0, 1.0)


@strategy(reach=Param(0.5, -5, 5, "swords by which the promised margin may fall short of a win and still be tried"))
def patient(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Spends rerolls only where they can turn the round, and sees to dice and hands in rounds that are decided.

    Behind or level: the card with the largest gain if it brings the margin near enough to a win (`reach`). Else the
    card whose worth lasts: own dice back, a die or a card less for the other; ahead also a cancel that guards the
    lead. Bluffs when there is none.
    """
    if state.play.phase == LOSE:
        return lose_die(state, actions, n)
    if state.play.phase != CHOOSE:
        return pick_die(state, seat, actions, n)
    return patient_card(state, seat, actions, n, params[0])


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
    return best_card(state, seat, actions, n, 1.0, 1.0, 1.0)


@strategy()
def attacker(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Goes for the other's dice, hand and card: of the cards that work on the other, the one that promises most.

    Own rerolls, and dice that come back, only when no attack promises anything; then plays like `greedy`.
    """
    if state.play.phase == LOSE:
        return lose_die(state, actions, n)
    if state.play.phase != CHOOSE:
        return pick_die(state, seat, actions, n)
    best = NONE
    most = 0.0
    for i in range(n):
        if actions[i] != NO_CARD and attacks(state, seat, actions[i]):
            worth = promise(state, seat, actions[i], 1.0, 1.0, 1.0)
            if worth > most:
                most = worth
                best = actions[i]
    return best if best != NONE else best_card(state, seat, actions, n, 1.0, 1.0, 1.0)


@strategy(lead=Param(1, 0, 12, "swords that one must be ahead by to expect a strong card"))
def counter(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Reads the other: well ahead, expects a strong card and cancels it, if the other holds one that can be stopped.

    Else plays like `patient` with a reach of 0.
    """
    if state.play.phase == LOSE:
        return lose_die(state, actions, n)
    if state.play.phase != CHOOSE:
        return pick_die(state, seat, actions, n)
    if float(margin(state, seat)) >= params[0]:
        stop = best_cancel(state, seat, actions, n)
        if stop != NONE:
            return stop
    return patient_card(state, seat, actions, n, 0.0)


@strategy()
def keeper(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Keeps a full set of dice: whenever a card can bring a die back, now or after the round, that card is played.

    Else plays like `greedy`.
    """
    if state.play.phase == LOSE:
        return lose_die(state, actions, n)
    if state.play.phase != CHOOSE:
        return pick_die(state, seat, actions, n)
    back = best_return(state, seat, actions, n)
    return back if back != NONE else best_card(state, seat, actions, n, 1.0, 1.0, 1.0)
