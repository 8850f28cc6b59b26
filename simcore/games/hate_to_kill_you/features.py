"""What an action of the duel is worth at first sight: numbers for weight vectors, and for scripted strategies."""

from __future__ import annotations

from typing import Any

from simcore.contract import Feature
from simcore.games.hate_to_kill_you.rules import effect_of, target_of, targets, total_swords
from simcore.games.hate_to_kill_you.state import (
    CANCEL,
    CHOOSE,
    DIE,
    DISCARD,
    DONE,
    DROP_CARD,
    LOSE,
    NO_CARD,
    OWN,
    OWNER,
    REROLL,
    RESTORE,
    SLOTS,
    TURN,
)
from simcore.jit import kernel
from simcore.masks import lowest, members

FEATURES = (
    Feature("bluff", "1 for a card that returns to hand, or for playing none"),
    Feature("rank", "rank of the card divided by the first rank that acts after the round; 0 without rank"),
    Feature("gain", "expected change of one's sword margin if this card alone resolves now"),
    Feature("gain_when_behind", "`gain` if one's swords do not exceed the other's, else 0"),
    Feature("bluff_when_ahead", "`bluff` if one shows more swords than the other, else 0"),
    Feature("restore", "expected swords a roll of the best dice the card brings back after the round"),
    Feature("cancel", "1 if the card can void the other's"),
    Feature("drop", "cards the other loses from hand"),
    Feature("discard", "expected swords a roll of the die the other has to discard"),
    Feature("pick_gain", "picking a die: expected change of one's sword margin"),
    Feature("pick_value", "picking or losing a die: expected swords of a roll of its colour, own dice negative"),
    Feature("pick_swords", "picking or losing a die: swords it shows, own dice negative"),
    Feature("done", "1 for ending a pick early"),
)
(
    BLUFF,
    RANK,
    GAIN,
    GAIN_WHEN_BEHIND,
    BLUFF_WHEN_AHEAD,
    F_RESTORE,
    F_CANCEL,
    F_DROP,
    F_DISCARD,
    PICK_GAIN,
    PICK_VALUE,
    PICK_SWORDS,
    F_DONE,
) = range(len(FEATURES))
COUNT_OF_FEATURES = len(FEATURES)
NO_GAIN = -99.0


@kernel
def margin(state: Any, seat: int) -> int:
    """Return `seat`'s swords minus the other's."""
    return total_swords(state, seat) - total_swords(state, 1 - seat)


@kernel
def die_mean(state: Any, slot: int) -> float:
    """Return the expected swords of a roll of the die in `slot`."""
    return float(state.tab.mean_swords[state.tab.dice_colour[slot]])


@kernel
def die_gain(state: Any, seat: int, effect: Any, target: int, slot: int) -> float:
    """Return the expected change of `seat`'s sword margin if an effect takes this die of `target`."""
    swords = float(state.play.swords[target, slot])
    change = 0.0
    if effect.op == REROLL:
        change = die_mean(state, slot) - swords
    elif effect.op == TURN:
        change = float(effect.to) - swords
    elif effect.op == DISCARD:
        change = -swords
    elif effect.op == RESTORE and effect.roll_now:
        change = die_mean(state, slot)
    return change if target == seat else -change


@kernel
def effect_gain(state: Any, seat: int, effect: Any) -> float:
    """Return the expected change of `seat`'s margin when the best dice are picked for an effect of its card."""
    if effect.op == CANCEL or effect.op == DROP_CARD:
        return 0.0
    target = target_of(effect, seat)
    mask = targets(state, effect, target)
    sign = -1.0 if target != seat and effect.picker == OWNER else 1.0
    total = 0.0
    for _ in range(min(int(effect.count), members(mask))):
        best = NO_GAIN
        taken = 0
        left = mask
        while left:
            slot = lowest(left)
            left &= left - 1
            gain = sign * die_gain(state, seat, effect, target, slot)
            if gain > best:
                best = gain
                taken = slot
        if best <= 0.0 and effect.up_to:
            break
        mask &= ~(1 << taken)
        total += sign * best
    return total


@kernel
def card_gain(state: Any, seat: int, card: int) -> float:
    """Return the expected change of `seat`'s margin if `card` of its deck alone resolved now (before the count)."""
    tab = state.tab
    if tab.rank[seat, card] >= tab.after_round:
        return 0.0
    total = 0.0
    for step in range(tab.n_effects[seat, card]):
        total += effect_gain(state, seat, tab.effects[seat, card, step])
    return total


@kernel
def best_mean(state: Any, seat: int, effect: Any) -> float:
    """Return the expected swords a roll of the best die that an effect of `seat`'s card could take; 0 if none."""
    left = targets(state, effect, target_of(effect, seat))
    best = 0.0
    while left:
        best = max(best, die_mean(state, lowest(left)))
        left &= left - 1
    return best


@kernel
def card_features(state: Any, seat: int, card: int, out: Any) -> None:
    """Write the features of playing `card`."""
    tab = state.tab
    play = state.play
    ahead = margin(state, seat) > 0
    out[BLUFF] = float(tab.kept[seat] >> card & 1)
    out[RANK] = float(tab.rank[seat, card]) / float(tab.after_round)
    out[GAIN] = card_gain(state, seat, card)
    out[GAIN_WHEN_BEHIND] = 0.0 if ahead else out[GAIN]
    out[BLUFF_WHEN_AHEAD] = out[BLUFF] if ahead else 0.0
    for step in range(tab.n_effects[seat, card]):
        effect = tab.effects[seat, card, step]
        if effect.op == RESTORE:
            out[F_RESTORE] += best_mean(state, seat, effect)
        elif effect.op == CANCEL:
            out[F_CANCEL] = 1.0
        elif effect.op == DROP_CARD:
            there = members(play.hand[1 - seat] & ~tab.kept[1 - seat])
            out[F_DROP] += float(min(int(effect.count), there))
        elif effect.op == DISCARD and effect.side != OWN:
            out[F_DISCARD] += best_mean(state, seat, effect)


@kernel
def pick_gain(state: Any, seat: int, owner: int, slot: int) -> float:
    """Return the expected change of `seat`'s margin if the effect that is asked for takes this die of `owner`."""
    return die_gain(state, seat, effect_of(state, state.play.asked), owner, slot)


@kernel
def pick_features(state: Any, seat: int, action: int, out: Any) -> None:
    """Write the features of picking (or losing) a die, of dropping a card, or of being done."""
    play = state.play
    if action == DONE:
        out[F_DONE] = 1.0
    elif action >= DIE:
        owner = (action - DIE) // SLOTS
        slot = action % SLOTS
        sign = -1.0 if owner == seat else 1.0
        out[PICK_VALUE] = sign * die_mean(state, slot)
        out[PICK_SWORDS] = sign * float(play.swords[owner, slot])
        if play.phase != LOSE:
            out[PICK_GAIN] = pick_gain(state, seat, owner, slot)
    else:
        target = target_of(effect_of(state, play.asked), play.asked)
        card = card_gain(state, target, action)
        out[PICK_GAIN] = card if target != seat else -card


@kernel
def features(state: Any, seat: int, action: int, work: Any, out: Any) -> None:
    """Write `FEATURES` of `action` for the acting `seat` into ``out[:F]``; `work` is not used."""
    for i in range(COUNT_OF_FEATURES):
        out[i] = 0.0
    if state.play.phase == CHOOSE:
        if action == NO_CARD:
            out[BLUFF] = 1.0
        else:
            card_features(state, seat, action, out)
    else:
        pick_features(state, seat, action, out)
