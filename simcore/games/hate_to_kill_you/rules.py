"""The rules of the duel as a step machine. "RB" is the rulebook, "ruling n" the table in docs/games.md.

Kernels only. Each phase of the rulebook is one small kernel; `advance` runs from one decision to the next.
"""

from __future__ import annotations

from typing import Any

from simcore.games.hate_to_kill_you.state import (
    AFTER,
    CANCEL,
    CAPPED,
    CARD_STREAM,
    CHOOSE,
    DICE,
    DICE_STREAM,
    DIE,
    DISCARD,
    DONE,
    DROP_CARD,
    LOSE,
    MAIN,
    NO_CARD,
    NONE,
    OWN,
    OWNER,
    PICK,
    RANDOM,
    REROLL,
    RESOLVE,
    RESTORE,
    SLOTS,
    WON,
)
from simcore.jit import inlined, kernel
from simcore.masks import lowest, members
from simcore.rng import below, rekey, seek


@kernel
def setup(state: Any) -> None:
    """Write all of `state.play` and play up to the first decision. Source: RB, Setup."""
    tab = state.tab
    play = state.play
    play.seat = 0
    play.role = 0
    play.over = 0
    play.reason = CAPPED
    play.stage = MAIN
    play.rank_done = 0
    play.step = 0
    play.asked = 0
    play.rounds = 0
    play.turns = 0
    play.ties = 0
    play.lead_changes = 0
    play.leader = NONE
    play.first_hit = NONE
    play.n_cancelled = 0
    for seat in range(2):
        play.hits[seat] = 0
        play.hand[seat] = tab.deck[seat]
        play.active[seat] = tab.dice_mask
        play.bluffs[seat] = 0
        play.played[seat] = 0
        for slot in range(DICE):
            play.swords[seat, slot] = 0
    begin_round(state)
    advance(state)


@kernel
def legal(state: Any, actions: Any) -> int:
    """Write what the acting seat may answer into `actions` (int64) and return how many."""
    play = state.play
    if play.phase == CHOOSE:
        actions[0] = NO_CARD
        return max(1, write_set(actions, play.hand[play.seat], 0))
    if play.phase == LOSE:
        return write_set(actions, losable(state, play.seat), DIE + play.seat * SLOTS)
    effect = effect_of(state, play.asked)
    first = 0 if effect.op == DROP_CARD else DIE + target_of(effect, play.asked) * SLOTS
    n = write_set(actions, candidates(state, play.asked, effect), first)
    if effect.up_to:
        actions[n] = DONE
        n += 1
    return n


@kernel
def write_set(actions: Any, mask: int, first: int) -> int:
    """Write the members of `mask`, counted from `first`, into `actions`; return how many."""
    n = 0
    while mask:
        actions[n] = first + lowest(mask)
        mask &= mask - 1
        n += 1
    return n


@kernel
def apply(state: Any, action: int) -> None:
    """Carry out `action` of the acting seat and go on to the next decision. Legality is not checked."""
    play = state.play
    if play.phase == CHOOSE:
        play.chosen[play.seat] = action
    elif play.phase == PICK:
        if action == DONE:
            play.todo[play.asked] = 0
        else:
            play.picked[play.asked] |= 1 << (action % SLOTS if action >= DIE else action)
            play.todo[play.asked] -= 1
    else:
        play.lost[play.seat] = action % SLOTS
    advance(state)


@kernel
def advance(state: Any) -> None:
    """Run the rules on until a seat has to decide or the game is over."""
    play = state.play
    while play.over == 0:
        if play.phase == CHOOSE:
            if ask_card(play):
                return
            reveal(state)
        elif play.phase == RESOLVE:
            open_rank(state)
        elif play.phase == PICK:
            if ask_pick(state):
                return
            apply_step(state)
            open_step(state, play.step + 1)
        else:
            if ask_loss(play):
                return
            discard_losses(state)


# -- the round: roll and choose cards -------------------------------------------------------------------------------


@kernel
def begin_round(state: Any) -> None:
    """Roll all active dice and ask for cards. Source: RB, Playing the Game."""
    play = state.play
    play.rounds += 1
    play.turns += 2
    rekey(state.rng, CARD_STREAM, play.rounds)
    for seat in range(2):
        rekey(state.rng, DICE_STREAM + seat, play.rounds)
        left = play.active[seat]
        while left:
            slot = lowest(left)
            left &= left - 1
            seek(state.rng, DICE_STREAM + seat, slot)
            roll(state, seat, slot)
        seek(state.rng, DICE_STREAM + seat, DICE)
        play.chosen[seat] = NONE
        play.cancelled[seat] = 0
        play.resolving[seat] = 0
        play.todo[seat] = 0
        play.picked[seat] = 0
        play.loses[seat] = 0
        play.lost[seat] = NONE
    play.phase = CHOOSE


@kernel
def roll(state: Any, seat: int, slot: int) -> None:
    """Roll one die with the next number of its owner's dice stream."""
    colour = state.tab.dice_colour[slot]
    face = below(state.rng, DICE_STREAM + seat, state.tab.n_faces[colour])
    state.play.swords[seat, slot] = state.tab.faces[colour, face]


@kernel
def ask_card(play: Any) -> bool:
    """Let the first seat without a card act; False when both have chosen (simultaneous: ruling 30)."""
    for seat in range(2):
        if play.chosen[seat] == NONE:
            play.seat = seat
            return True
    return False


@kernel
def reveal(state: Any) -> None:
    """Turn both cards up; all but those that return leave the hand. Source: RB, Playing Move Cards."""
    play = state.play
    for seat in range(2):
        card = play.chosen[seat]
        if card != NO_CARD:
            play.played[seat] |= 1 << card
            if state.tab.kept[seat] >> card & 1:
                play.bluffs[seat] += 1
            else:
                play.hand[seat] &= ~(1 << card)
    play.stage = MAIN
    play.rank_done = 0
    play.phase = RESOLVE


# -- resolving cards: rank by rank, step by step --------------------------------------------------------------------


@kernel
def rank_of(state: Any, seat: int) -> int:
    """Return the rank of the card `seat` played; 0 if it resolves to nothing (Bluff, no card: rulings 3 and 5)."""
    card = state.play.chosen[seat]
    return 0 if card == NO_CARD else int(state.tab.rank[seat, card])


@inlined
def effect_of(state: Any, seat: int) -> Any:
    """Return the effect of `seat`'s card that resolves in this step, as a record of the tab."""
    return state.tab.effects[seat, state.play.chosen[seat], state.play.step]


@kernel
def has_effect(state: Any, seat: int) -> bool:
    """Return whether `seat`'s card takes part in this step."""
    play = state.play
    return play.resolving[seat] == 1 and play.step < state.tab.n_effects[seat, play.chosen[seat]]


@kernel
def target_of(effect: Any, seat: int) -> int:
    """Return whose dice (or cards) an effect of `seat`'s card touches."""
    return seat if effect.side == OWN else 1 - seat


@kernel
def open_rank(state: Any) -> None:
    """Start the lowest rank of this stage that is still to come; equal ranks share it (ruling 6)."""
    tab = state.tab
    play = state.play
    lowest = 0
    for seat in range(2):
        rank = rank_of(state, seat)
        in_stage = rank >= tab.after_round if play.stage == AFTER else rank < tab.after_round
        if in_stage and rank > play.rank_done and play.cancelled[seat] == 0 and (lowest == 0 or rank < lowest):
            lowest = rank
    if lowest == 0:
        if play.stage == MAIN:
            compare(state)
        else:
            end_round(state)
        return
    play.rank_done = lowest
    for seat in range(2):
        play.resolving[seat] = 1 if rank_of(state, seat) == lowest and play.cancelled[seat] == 0 else 0
    open_step(state, 0)


@kernel
def open_step(state: Any, step: int) -> None:
    """Prepare effect number `step` of the cards that resolve, or end their rank."""
    play = state.play
    play.phase = RESOLVE
    play.step = step
    for seat in range(2):
        play.picked[seat] = 0
        play.todo[seat] = 0
        if has_effect(state, seat):
            play.phase = PICK
            play.todo[seat] = picks(state, seat, effect_of(state, seat))


@kernel
def picks(state: Any, seat: int, effect: Any) -> int:
    """Return how many picks an effect of `seat`'s card takes at most."""
    if effect.op == CANCEL or (effect.op == DROP_CARD and effect.choice == RANDOM):
        return 0
    if effect.op == DISCARD:  # the last die is never lost (ruling 17)
        return min(int(effect.count), members(state.play.active[target_of(effect, seat)]) - 1)
    return int(effect.count)


@kernel
def candidates(state: Any, seat: int, effect: Any) -> int:
    """Return the bit mask of dice (or cards) that an effect of `seat`'s card may still take."""
    target = target_of(effect, seat)
    if effect.op == DROP_CARD:
        found = state.play.hand[target] & ~state.tab.kept[target]
    else:
        found = targets(state, effect, target)
    return found & ~state.play.picked[seat]


@kernel
def targets(state: Any, effect: Any, target: int) -> int:
    """Return the bit mask of the dice of `target` that an effect works on: in its pool, of its colours and faces."""
    tab = state.tab
    left = state.play.active[target]
    if effect.op == RESTORE:
        left = tab.dice_mask & ~left
    found = 0
    while left:
        slot = lowest(left)
        left &= left - 1
        fits = effect.colours >> tab.dice_colour[slot] & effect.faces >> state.play.swords[target, slot] & 1
        found |= fits << slot  # no branch: nobody could predict it
    return found


@kernel
def picker_of(effect: Any, seat: int) -> int:
    """Return who picks for an effect of `seat`'s card (rulings 13 and 15)."""
    picker = effect.choice if effect.op == DROP_CARD else effect.picker
    return target_of(effect, seat) if picker == OWNER else seat


@kernel
def ask_pick(state: Any) -> bool:
    """Let the next picker act; False when every pick of this step is made or impossible (ruling 14)."""
    play = state.play
    for seat in range(2):
        if play.todo[seat] > 0:
            effect = effect_of(state, seat)
            if candidates(state, seat, effect):
                play.asked = seat
                play.seat = picker_of(effect, seat)
                return True
            play.todo[seat] = 0
    return False


@kernel
def apply_step(state: Any) -> None:
    """Carry out this step of all cards that resolve: discards, rerolls, turns, returns (rulings 6 to 8)."""
    first = 0
    if has_effect(state, 0) and has_effect(state, 1) and effect_of(state, 1).op < effect_of(state, 0).op:
        first = 1
    for turn in range(2):
        seat = first ^ turn
        if has_effect(state, seat):
            carry_out(state, seat, effect_of(state, seat))


@kernel
def carry_out(state: Any, seat: int, effect: Any) -> None:
    """Apply an effect of `seat`'s card to what was picked."""
    target = target_of(effect, seat)
    if effect.op == CANCEL:
        cancel(state, 1 - seat)
    elif effect.op == DROP_CARD:
        drop_cards(state, seat, effect, target)
    else:
        left = state.play.picked[seat]
        while left:
            slot = lowest(left)
            left &= left - 1
            change_die(state, effect, target, slot)


@kernel
def cancel(state: Any, seat: int) -> None:
    """Make `seat`'s card void if its rank is strictly higher than the one that resolves (ruling 29)."""
    play = state.play
    if play.cancelled[seat] == 0 and rank_of(state, seat) > play.rank_done:
        play.cancelled[seat] = 1
        play.n_cancelled += 1


@kernel
def drop_cards(state: Any, seat: int, effect: Any, target: int) -> None:
    """Take cards from `target`'s hand out of the game, never one that returns to hand (ruling 31)."""
    play = state.play
    if effect.choice != RANDOM:
        play.hand[target] &= ~play.picked[seat]
        return
    for _ in range(effect.count):
        mask = play.hand[target] & ~state.tab.kept[target]
        if mask:
            for _skip in range(below(state.rng, CARD_STREAM, members(mask))):
                mask &= mask - 1
            play.hand[target] &= ~(mask & -mask)


@kernel
def change_die(state: Any, effect: Any, target: int, slot: int) -> None:
    """Discard, reroll, turn or return one die; what left the table in this step is left alone (ruling 8)."""
    play = state.play
    bit = 1 << slot
    if effect.op == RESTORE:
        play.active[target] |= bit
        play.swords[target, slot] = 0  # blank until the next roll (ruling 25)
        if effect.roll_now:
            roll(state, target, slot)
    elif play.active[target] & bit:
        if effect.op == REROLL:
            roll(state, target, slot)
        elif effect.op == DISCARD:
            if play.active[target] != bit:
                play.active[target] &= ~bit
        else:
            play.swords[target, slot] = effect.to


# -- the result of the round ----------------------------------------------------------------------------------------


@kernel
def total_swords(state: Any, seat: int) -> int:
    """Return the swords that `seat`'s active dice show."""
    total = 0
    left = state.play.active[seat]
    while left:
        total += state.play.swords[seat, lowest(left)]
        left &= left - 1
    return total


@kernel
def compare(state: Any) -> None:
    """Score a hit or a tie and ask for the dice that go. Source: RB, Scoring a Hit, Ties; rulings 18 to 24."""
    tab = state.tab
    play = state.play
    difference = total_swords(state, 0) - total_swords(state, 1)
    play.phase = LOSE
    if difference == 0:
        play.ties += 1
        for seat in range(2):
            play.loses[seat] = tab.tie_discard
        return
    hitter = 0 if difference > 0 else 1
    play.hits[hitter] += 1
    if play.first_hit == NONE:
        play.first_hit = hitter
    if play.hits[hitter] > play.hits[1 - hitter]:
        if play.leader == 1 - hitter:
            play.lead_changes += 1
        play.leader = hitter
    if play.hits[hitter] >= tab.hits_to_win:
        play.reason = WON
        play.over = 1
    else:
        play.loses[hitter] = tab.hit_discard


@kernel
def losable(state: Any, seat: int) -> int:
    """Return the dice that `seat` may discard: one that shows swords, any if none does, never the last die."""
    play = state.play
    active = play.active[seat]
    if active & (active - 1) == 0:
        return 0
    shows = 0
    left = active
    while left:
        slot = lowest(left)
        left &= left - 1
        if play.swords[seat, slot] > 0:
            shows |= 1 << slot
    return shows if shows else int(active)


@kernel
def ask_loss(play: Any) -> bool:
    """Let the next seat that must discard a die act; False when all have (simultaneous: ruling 23)."""
    for seat in range(2):
        if play.loses[seat] and play.lost[seat] == NONE and play.active[seat] & (play.active[seat] - 1):
            play.seat = seat
            return True
    return False


@kernel
def discard_losses(state: Any) -> None:
    """Take the chosen dice off the table and go on to the cards that act after the round (ruling 9)."""
    play = state.play
    for seat in range(2):
        if play.lost[seat] != NONE:
            play.active[seat] &= ~(1 << play.lost[seat])
    play.stage = AFTER
    play.phase = RESOLVE


@kernel
def end_round(state: Any) -> None:
    """Begin the next round, or stop at the cap (ruling 32; shown as unfinished)."""
    if state.play.rounds >= state.tab.round_cap:
        state.play.over = 1
    else:
        begin_round(state)


# -- what came of it ------------------------------------------------------------------------------------------------


@kernel
def score(state: Any, row: Any) -> None:
    """Write the outcome row. Side = seat; each seat takes one turn a round."""
    play = state.play
    row.winners = 0
    for seat in range(2):
        if play.hits[seat] >= state.tab.hits_to_win:
            row.winners = 1 << seat
        row.hits[seat] = play.hits[seat]
        row.bluffs[seat] = play.bluffs[seat]
        row.dice_left[seat] = members(play.active[seat])
        row.cards_left[seat] = members(play.hand[seat])
        row.first_hit[seat] = 1 if play.first_hit == seat else 0
        row.exposed[seat, 0, 0] = state.tab.deck[seat]
        row.exposed[seat, 1, 0] = play.hand[seat]
        row.exposed[seat, 2, 0] = play.played[seat]
    row.turns = play.turns
    row.rounds = play.rounds
    row.reason = play.reason
    row.ties = play.ties
    row.lead_changes = play.lead_changes
    row.margin = abs(play.hits[0] - play.hits[1])
    row.cancelled = play.n_cancelled


@kernel
def lead(state: Any, side: int) -> float:
    """Return how far `side` is ahead, -1 (beaten) to 1 (won): difference in hits over the hits needed."""
    play = state.play
    return float(play.hits[side] - play.hits[1 - side]) / float(state.tab.hits_to_win)
