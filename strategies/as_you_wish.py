"""Players of the drafting game. All turn down the card that costs least; they differ in what they take and conceal."""

from __future__ import annotations

from typing import Any

from simcore.contract import Param, strategy
from simcore.games.as_you_wish.features import (
    best_rival_gain,
    card_gain,
    fed_points,
    flip_loss,
    icon_points,
    knows_card,
    poison_loss,
    shows_character,
    unseen_gain,
)
from simcore.games.as_you_wish.state import CONCEALING, FLIP, FLIPPING, TAKE
from simcore.jit import kernel
from simcore.rng import uniform

_LEAST = -1e9
_SLIGHT = 0.01  # for what only decides between equals


@kernel
def turn_cheapest(state: Any, seat: int, actions: Any, n: int) -> Any:
    """Return the card whose loss costs the fewest points; of equals the most poisonous."""
    best = actions[0]
    least = -_LEAST
    for i in range(n):
        position = actions[i] - FLIP
        poison = state.tab.cards[state.play.quest[seat, position]].poison
        loss = flip_loss(state, seat, position) - _SLIGHT * float(poison)
        if loss < least:
            least = loss
            best = actions[i]
    return best


@kernel
def average_gain(state: Any, seat: int) -> float:
    """Return the points of an average card; 0 where every offered card is known, so that nobody asks."""
    play = state.play
    return unseen_gain(state, seat) if play.open & play.down and seat != play.dealer else 0.0


@kernel
def net_gain(state: Any, seat: int, slot: int, average: float) -> float:
    """Return the points that an offered card adds, less those that its poison costs; `average` if it is unknown."""
    if not knows_card(state, seat, slot):
        return average
    index = card_in(state, slot)
    return card_gain(state, seat, index) - poison_loss(state, seat, index)


@kernel
def card_in(state: Any, slot: int) -> int:
    """Return the card in a slot of the offer; only for a seat that knows it."""
    return int(state.play.deck[state.play.first + slot])


@kernel
def take_most_points(state: Any, seat: int, actions: Any, n: int) -> Any:
    """Return the card with the largest net gain, the first of equals."""
    average = average_gain(state, seat)
    best = actions[0]
    most = _LEAST
    for i in range(n):
        gain = net_gain(state, seat, actions[i] - TAKE, average)
        if gain > most:
            most = gain
            best = actions[i]
    return best


@kernel
def conceal_own(state: Any, seat: int, actions: Any, n: int) -> Any:
    """Return the card one would like best oneself: the dealer chooses last, so nobody should see it."""
    average = average_gain(state, seat)
    best = actions[0]
    most = _LEAST
    for i in range(n):
        gain = net_gain(state, seat, actions[i], average)
        if gain > most:
            most = gain
            best = actions[i]
    return best


@kernel
def conceal_poison(state: Any, seat: int, actions: Any, n: int) -> Any:
    """Return the card with the most poison; of equals the one that is worth least to oneself."""
    best = actions[0]
    most = _LEAST
    for i in range(n):
        index = card_in(state, actions[i])
        worth = float(state.tab.cards[index].poison) - _SLIGHT * card_gain(state, seat, index)
        if worth > most:
            most = worth
            best = actions[i]
    return best


@strategy()
def greedy(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Counts own points and nothing else: takes the card that adds most, less what its poison costs.

    A face-down card counts as an average one of the box, whose poison it does not think of. Dealing, conceals what it
    would like best itself.
    """
    if state.play.phase == FLIPPING:
        return turn_cheapest(state, seat, actions, n)
    if state.play.phase == CONCEALING:
        return conceal_own(state, seat, actions, n)
    return take_most_points(state, seat, actions, n)


@strategy()
def collector(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Plays the character: icons that the character scores come first, other points only decide between equals.

    Of cards that are still equal, prefers one that pictures the character. Takes them whatever their poison, and trusts
    no face-down card. Dealing, conceals the character's icons.
    """
    if state.play.phase == FLIPPING:
        return turn_cheapest(state, seat, actions, n)
    concealing = state.play.phase == CONCEALING
    average = average_gain(state, seat)
    best = actions[0]
    most = _LEAST
    for i in range(n):
        slot = actions[i] if concealing else actions[i] - TAKE
        worth = _LEAST / 2.0
        if knows_card(state, seat, slot):
            index = card_in(state, slot)
            worth = icon_points(state, seat, state.tab.cards[index].icon)
            worth += _SLIGHT * net_gain(state, seat, slot, average)
            worth += _SLIGHT * _SLIGHT if shows_character(state, seat, index) else 0.0
        if worth > most:
            most = worth
            best = actions[i]
    return best


@strategy(spite=Param(0.7, 0, 5, "what a point kept from another is worth, in own points"))
def denier(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Takes what the others want: own points, and the most that the card would give to one who still has to choose.

    Does not feed the neighbours' dark cards either. Dealing, conceals what itself and somebody else would like best,
    taken together.
    """
    if state.play.phase == FLIPPING:
        return turn_cheapest(state, seat, actions, n)
    concealing = state.play.phase == CONCEALING
    first = 0 if concealing else state.play.turn + 1
    average = average_gain(state, seat)
    best = actions[0]
    most = _LEAST
    for i in range(n):
        slot = actions[i] if concealing else actions[i] - TAKE
        worth = net_gain(state, seat, slot, average)
        if knows_card(state, seat, slot):
            index = card_in(state, slot)
            wanted = best_rival_gain(state, seat, index, first)
            fed = 0.0 if concealing else float(fed_points(state, seat, index))
            worth += params[0] * (wanted - fed)
        if worth > most:
            most = worth
            best = actions[i]
    return best


@strategy(fear=Param(1.0, 0, 10, "points that a poison symbol is worth avoiding"))
def cautious(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Shies away from poison: each symbol counts against a card, long before too many show.

    A face-down card is feared like an average one. Dealing, conceals the most poisonous cards to be rid of them.
    """
    if state.play.phase == FLIPPING:
        return turn_cheapest(state, seat, actions, n)
    if state.play.phase == CONCEALING:
        return conceal_poison(state, seat, actions, n)
    average = average_gain(state, seat)
    best = actions[0]
    most = _LEAST
    for i in range(n):
        slot = actions[i] - TAKE
        poison = state.tab.mean_poison
        if knows_card(state, seat, slot):
            poison = float(state.tab.cards[card_in(state, slot)].poison)
        worth = net_gain(state, seat, slot, average) - params[0] * poison
        if worth > most:
            most = worth
            best = actions[i]
    return best


@strategy(bait=Param(1.0, 0, 10, "points that a poison symbol makes a card better bait by"))
def baiter(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """A dealer who baits: conceals one card that it wants itself and beside it the most poisonous ones.

    Who gambles on the good card may draw the bait. Takes like `greedy`, but no face-down card that it does not know.
    """
    if state.play.phase == FLIPPING:
        return turn_cheapest(state, seat, actions, n)
    concealing = state.play.phase == CONCEALING
    if concealing and state.play.down == 0:
        return conceal_own(state, seat, actions, n)
    average = average_gain(state, seat)
    best = actions[0]
    most = _LEAST
    for i in range(n):
        slot = actions[i] if concealing else actions[i] - TAKE
        worth = _LEAST / 2.0
        if knows_card(state, seat, slot):
            worth = net_gain(state, seat, slot, average)
            if concealing:
                worth = params[0] * float(state.tab.cards[card_in(state, slot)].poison) - worth
        if worth > most:
            most = worth
            best = actions[i]
    return best


@strategy(
    nerve=Param(0.5, 0, 1, "chance of gambling in a turn"),
    trust=Param(2.0, 0, 20, "points by which a face-down card is thought better than an average one"),
)
def gambler(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Believes that dealers hide the best: in some turns, thinks more of a face-down card than of an average one.

    In all other turns, and as the dealer, plays like `greedy`.
    """
    if state.play.phase == FLIPPING:
        return turn_cheapest(state, seat, actions, n)
    if state.play.phase == CONCEALING:
        return conceal_own(state, seat, actions, n)
    if uniform(state.rng, seat) >= params[0]:
        return take_most_points(state, seat, actions, n)
    average = average_gain(state, seat)
    best = actions[0]
    most = _LEAST
    for i in range(n):
        slot = actions[i] - TAKE
        worth = net_gain(state, seat, slot, average)
        if not knows_card(state, seat, slot):
            worth += params[1]
        if worth > most:
            most = worth
            best = actions[i]
    return best


@strategy(eager=Param(3.0, 0, 50, "points that the highest number of the box is worth"))
def climber(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Wants to deal: a high number counts as points, for whoever deals takes more cards in the next round.

    Only the last card taken in a round can rank the quest. Else plays like `greedy`.
    """
    if state.play.phase == FLIPPING:
        return turn_cheapest(state, seat, actions, n)
    if state.play.phase == CONCEALING:
        return conceal_own(state, seat, actions, n)
    eager = params[0] / float(state.tab.top_number) if state.play.takes == 1 else 0.0
    average = average_gain(state, seat)
    best = actions[0]
    most = _LEAST
    for i in range(n):
        slot = actions[i] - TAKE
        number = 0.5 * float(state.tab.top_number)
        if knows_card(state, seat, slot):
            number = float(state.tab.cards[card_in(state, slot)].number)
        worth = net_gain(state, seat, slot, average) + eager * number
        if worth > most:
            most = worth
            best = actions[i]
    return best
