"""What an action of the duel is worth at first sight: numbers for weight vectors, and for scripted strategies."""

from __future__ import annotations

from typing import Any

from simcore.contract import Feature
from simcore.games.hate_to_kill_you.rules import effect_of, picks, target_of, targets, total_swords
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
    Feature("restore", "expected swords a roll of the best dice the card brings back, whenever it acts"),
    Feature("cancel", "1 if the card can void the other's"),
    Feature("drop", "cards the other loses from hand"),
    Feature(
        "discard", "expected swords a roll of the dice the other has to discard; the cheapest where the other picks"
    ),
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
def die_worth(state: Any, seat: int, effect: Any, target: int, slot: int, now: float, later: float) -> float:
    """Return what it is worth to `seat`, in swords, if an effect takes this die of `target`.

    `now` weighs the expected change of the sword margin of this round; `later` weighs dice that go or come back, each
    as the expected swords of one roll.
    """
    swords = float(state.play.swords[target, slot])
    mean = die_mean(state, slot)
    change = 0.0
    if effect.op == REROLL:
        change = now * (mean - swords)
    elif effect.op == TURN:
        change = now * (float(effect.to) - swords)
    elif effect.op == DISCARD:
        change = -now * swords - later * mean
    elif effect.op == RESTORE:
        change = (now + later if effect.roll_now else later) * mean
    return change if target == seat else -change


@kernel
def effect_worth(state: Any, seat: int, effect: Any, now: float, later: float) -> float:
    """Return what an effect of `seat`'s card is worth on dice (`die_worth`) when each picker takes what suits it best.

    The owner gives its cheapest dice where the owner picks (ruling 13), and never the last one (ruling 17).
    """
    lasts = effect.op == DISCARD or effect.op == RESTORE
    if effect.op == CANCEL or effect.op == DROP_CARD or (now == 0.0 and not lasts):
        return 0.0
    target = target_of(effect, seat)
    mask = targets(state, effect, target)
    sign = -1.0 if target != seat and effect.picker == OWNER else 1.0
    total = 0.0
    for _ in range(min(picks(state, seat, effect), members(mask))):
        best = NO_GAIN
        taken = 0
        left = mask
        while left:
            slot = lowest(left)
            left &= left - 1
            gain = sign * die_worth(state, seat, effect, target, slot, now, later)
            if gain > best:
                best = gain
                taken = slot
        if best <= 0.0 and effect.up_to:
            break
        mask &= ~(1 << taken)
        total += sign * best
    return total


@kernel
def card_worth(state: Any, seat: int, card: int, now: float, later: float) -> float:
    """Return what `card` of `seat`'s deck is worth on dice if it alone resolved now; weights as in `die_worth`."""
    tab = state.tab
    total = 0.0
    this_round = now if tab.rank[seat, card] < tab.after_round else 0.0
    for step in range(tab.n_effects[seat, card]):
        total += effect_worth(state, seat, tab.effects[seat, card, step], this_round, later)
    return total


@kernel
def card_gain(state: Any, seat: int, card: int) -> float:
    """Return the expected change of `seat`'s margin if `card` of its deck alone resolved now (before the count)."""
    return card_worth(state, seat, card, 1.0, 0.0)


@kernel
def cards_worth(state: Any, seat: int, cards: int, above: int) -> float:
    """Return the sum of what `cards` (a mask) of `seat` are worth on dice; only ranks above `above`, none below 0."""
    total = 0.0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if state.tab.rank[seat, card] > above:
            total += max(0.0, card_worth(state, seat, card, 1.0, 1.0))
    return total


@kernel
def losable_cards(state: Any, seat: int) -> int:
    """Return the mask of the cards that may be dropped from a hand (ruling 31)."""
    return int(state.play.hand[seat] & ~state.tab.kept[seat])


@kernel
def denied(state: Any, seat: int, card: int, stop: float, later: float) -> float:
    """Return the worth of what `card` is expected to keep the other from, estimated from the other's open hand.

    `stop` weighs a card made void: the mean over the hand, in which only cards of a higher rank count. `later` weighs
    cards dropped from hand: each as the mean of those that may go.
    """
    tab = state.tab
    total = 0.0
    for step in range(tab.n_effects[seat, card]):
        effect = tab.effects[seat, card, step]
        whose = 1 - seat
        cards = 0
        above = 0
        weight = 0.0
        if effect.op == CANCEL:
            cards = int(state.play.hand[whose])
            above = int(tab.rank[seat, card])
            weight = stop
        elif effect.op == DROP_CARD:
            whose = target_of(effect, seat)
            cards = losable_cards(state, whose)
            weight = later * float(min(int(effect.count), members(cards)))
        if cards and weight > 0.0:
            worth = weight * cards_worth(state, whose, cards, above) / float(members(cards))
            total += worth if whose != seat else -worth
    return total


@kernel
def card_features(state: Any, seat: int, card: int, out: Any) -> None:
    """Write the features of playing `card`."""
    tab = state.tab
    ahead = margin(state, seat) > 0
    out[BLUFF] = float(tab.kept[seat] >> card & 1)
    out[RANK] = float(tab.rank[seat, card]) / float(tab.after_round)
    out[GAIN] = card_gain(state, seat, card)
    out[GAIN_WHEN_BEHIND] = 0.0 if ahead else out[GAIN]
    out[BLUFF_WHEN_AHEAD] = out[BLUFF] if ahead else 0.0
    for step in range(tab.n_effects[seat, card]):
        effect = tab.effects[seat, card, step]
        if effect.op == RESTORE:
            out[F_RESTORE] += effect_worth(state, seat, effect, 0.0, 1.0)
        elif effect.op == CANCEL:
            out[F_CANCEL] = 1.0
        elif effect.op == DROP_CARD:
            out[F_DROP] += float(min(int(effect.count), members(losable_cards(state, 1 - seat))))
        elif effect.op == DISCARD and effect.side != OWN:
            out[F_DISCARD] += effect_worth(state, seat, effect, 0.0, 1.0)


@kernel
def pick_gain(state: Any, seat: int, owner: int, slot: int) -> float:
    """Return the expected change of `seat`'s margin if the effect that is asked for takes this die of `owner`."""
    return die_worth(state, seat, effect_of(state, state.play.asked), owner, slot, 1.0, 0.0)


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
