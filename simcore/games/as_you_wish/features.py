"""What an action of the drafting game is worth at first sight: for weight vectors, and for scripted strategies.

Points are those of the position as it stands; a line of a character that its quest is still too short for counts in
part, by how often quests of players who look one step ahead get so long (`components.hope`).
"""

from __future__ import annotations

from typing import Any

from simcore.contract import Feature
from simcore.games.as_you_wish.rules import icons_beside, shown_number
from simcore.games.as_you_wish.state import CONCEALING, FLIP, TAKE, TAKING
from simcore.jit import kernel
from simcore.masks import lowest

FEATURES = (
    Feature("own", "taking: points the card adds to one's quest, by character, light and dark cards together"),
    Feature("character", "taking: points the card's icon adds by one's character"),
    Feature("light", "taking: points by light cards, this one or those in the quest"),
    Feature("dark", "taking: points the card has by its own dark spine"),
    Feature("lost", "taking: points of the cards that its poison forces down, the cheapest ones"),
    Feature("poison", "taking: poison symbols on the card"),
    Feature("fed", "taking: points the neighbours' dark cards gain from the icon"),
    Feature("denied", "taking: most points the card would give to a player who still has to choose"),
    Feature("number", "taking: number of the card divided by the highest of the box"),
    Feature("tops", "taking: 1 if the number is higher than all that the other quests show now"),
    Feature("unseen", "taking: 1 for a card that lies face down and is unknown"),
    Feature("pictured", "taking: 1 if the still shows one's character, which decides between equal scores"),
    Feature("conceal_own", "concealing: points the card would add to one's quest, less what its poison would cost"),
    Feature("conceal_denied", "concealing: most points it would give to another player"),
    Feature("conceal_poison", "concealing: poison symbols on it"),
    Feature("flip_loss", "turning down: points one's quest loses"),
    Feature("flip_poison", "turning down: poison symbols on it"),
)
(
    OWN,
    CHARACTER,
    LIGHT,
    DARK,
    LOST,
    POISON,
    FED,
    DENIED,
    NUMBER,
    TOPS,
    UNSEEN,
    PICTURED,
    CONCEAL_OWN,
    CONCEAL_DENIED,
    CONCEAL_POISON,
    FLIP_LOSS,
    FLIP_POISON,
) = range(len(FEATURES))
COUNT_OF_FEATURES = len(FEATURES)
NEVER = 1e9


@kernel
def knows_card(state: Any, seat: int, slot: int) -> bool:
    """Return whether `seat` knows the offered card in `slot`."""
    return bool(state.play.known[state.play.first + slot] >> seat & 1)


@kernel
def knows_character(state: Any, seat: int, other: int) -> bool:
    """Return whether `seat` knows the character of `other` (ruling 27)."""
    return seat == other or state.tab.secret == 0


@kernel
def icon_points(state: Any, seat: int, icon: int) -> float:
    """Return what one more of an icon is worth to `seat` by its character."""
    play = state.play
    return float(state.tab.worth[play.characters[seat], icon, play.length[seat]])


@kernel
def light_gain(state: Any, seat: int, index: int) -> int:
    """Return the points that a card adds to `seat` by light cards, itself or those in the quest."""
    play = state.play
    card = state.tab.cards[index]
    return int(play.light[seat, card.icon] + card.light * play.icons[seat, card.icon])


@kernel
def dark_gain(state: Any, seat: int, index: int) -> int:
    """Return the points that a card's own dark spine has for `seat`."""
    card = state.tab.cards[index]
    return int(card.dark * icons_beside(state, seat, card.icon))  # mostly 0, but a branch would cost more


@kernel
def card_gain(state: Any, seat: int, index: int) -> float:
    """Return the points that a card would add to the quest of `seat`, poison left aside."""
    icon = state.tab.cards[index].icon
    return icon_points(state, seat, icon) + float(light_gain(state, seat, index) + dark_gain(state, seat, index))


@kernel
def rival_gain(state: Any, seat: int, other: int, index: int) -> float:
    """Return the points a card would add to `other`, as far as `seat` can know."""
    gain = float(light_gain(state, other, index) + dark_gain(state, other, index))
    if knows_character(state, seat, other):
        gain += icon_points(state, other, state.tab.cards[index].icon)
    return gain


@kernel
def unseen_gain(state: Any, seat: int) -> float:
    """Return the points that an average card of the box would add to the quest of `seat`."""
    tab = state.tab
    play = state.play
    total = 0.0
    for icon in range(tab.n_icons):
        total += tab.share[icon] * (icon_points(state, seat, icon) + float(play.light[seat, icon]))
        total += tab.mean_light[icon] * float(play.icons[seat, icon])
        total += tab.mean_dark[icon] * float(icons_beside(state, seat, icon))
    return total


@kernel
def flip_loss(state: Any, seat: int, position: int) -> float:
    """Return the points that `seat` loses with a card of its quest."""
    play = state.play
    index = play.quest[seat, position]
    card = state.tab.cards[index]
    others = play.icons[seat, card.icon] - 1
    light = play.light[seat, card.icon] - card.light + card.light * others
    return icon_points(state, seat, card.icon) + float(light + dark_gain(state, seat, index))


@kernel
def poison_loss(state: Any, seat: int, index: int) -> float:
    """Return the points of the cards that `seat` would turn down after adding a card, the cheapest first."""
    tab = state.tab
    play = state.play
    excess = play.poison[seat] + tab.cards[index].poison - tab.poison_limit
    left = play.poisoned[seat]
    total = 0.0
    while excess > 0 and left:
        cheapest = lowest(left)
        least = NEVER
        mask = left
        while mask:
            position = lowest(mask)
            mask &= mask - 1
            loss = flip_loss(state, seat, position)
            if loss < least:
                least = loss
                cheapest = position
        left &= ~(1 << cheapest)
        excess -= tab.cards[play.quest[seat, cheapest]].poison
        total += least
    return total


@kernel
def shows_character(state: Any, seat: int, index: int) -> bool:
    """Return whether the still of a card shows the character of `seat` (ruling 29)."""
    return bool(state.tab.cards[index].pictured >> state.play.characters[seat] & 1)


@kernel
def fed_points(state: Any, seat: int, index: int) -> int:
    """Return the points that the neighbours' dark cards gain when `seat` shows a card's icon."""
    tab = state.tab
    icon = tab.cards[index].icon
    total = int(state.play.dark[tab.beside[seat, 0], icon])
    if tab.n_beside > 1:
        total += state.play.dark[tab.beside[seat, 1], icon]
    return total


@kernel
def best_rival_gain(state: Any, seat: int, index: int, first: int) -> float:
    """Return the most points a card would give to another player whose turn is number `first` or later."""
    play = state.play
    best = 0.0
    for turn in range(first, state.tab.n_seats):
        other = play.order[turn]
        if other != seat:
            best = max(best, rival_gain(state, seat, other, index))
    return best


@kernel
def tops_all(state: Any, seat: int, number: int) -> bool:
    """Return whether no other quest shows a higher number."""
    highest = 0
    for other in range(state.tab.n_seats):
        if other != seat:
            highest = max(highest, shown_number(state, other))
    return number >= highest


@kernel
def take_features(state: Any, seat: int, slot: int, out: Any) -> None:
    """Write the features of taking the card in `slot`."""
    play = state.play
    if not knows_card(state, seat, slot):
        out[UNSEEN] = 1.0
        out[OWN] = unseen_gain(state, seat)
        out[POISON] = state.tab.mean_poison
        out[NUMBER] = 0.5
        return
    index = play.deck[play.first + slot]
    card = state.tab.cards[index]
    out[CHARACTER] = icon_points(state, seat, card.icon)
    out[LIGHT] = float(light_gain(state, seat, index))
    out[DARK] = float(dark_gain(state, seat, index))
    out[OWN] = out[CHARACTER] + out[LIGHT] + out[DARK]
    out[LOST] = poison_loss(state, seat, index)
    out[POISON] = float(card.poison)
    out[FED] = float(fed_points(state, seat, index))
    out[DENIED] = best_rival_gain(state, seat, index, play.turn + 1)
    out[NUMBER] = float(card.number) / float(state.tab.top_number)
    out[TOPS] = 1.0 if tops_all(state, seat, card.number) else 0.0
    out[PICTURED] = 1.0 if shows_character(state, seat, index) else 0.0


@kernel
def conceal_features(state: Any, seat: int, slot: int, out: Any) -> None:
    """Write the features of laying the card in `slot` face down."""
    index = state.play.deck[state.play.first + slot]
    out[CONCEAL_OWN] = card_gain(state, seat, index) - poison_loss(state, seat, index)
    out[CONCEAL_DENIED] = best_rival_gain(state, seat, index, 0)
    out[CONCEAL_POISON] = float(state.tab.cards[index].poison)


@kernel
def features(state: Any, seat: int, action: int, work: Any, out: Any) -> None:
    """Write `FEATURES` of `action` for the acting `seat` into ``out[:F]``; `work` is not used."""
    for i in range(COUNT_OF_FEATURES):
        out[i] = 0.0
    if state.play.phase == CONCEALING:
        conceal_features(state, seat, action, out)
    elif state.play.phase == TAKING:
        take_features(state, seat, action - TAKE, out)
    else:
        position = action - FLIP
        out[FLIP_LOSS] = flip_loss(state, seat, position)
        out[FLIP_POISON] = float(state.tab.cards[state.play.quest[seat, position]].poison)
