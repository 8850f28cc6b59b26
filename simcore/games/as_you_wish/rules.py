"""The rules of the drafting game as a step machine. "RB" is the rulebook, "ruling n" the table in docs/games.md.

Kernels only, in the order of the rulebook: set-up, a round's preparation, turns, poison, end, scoring.
"""

from __future__ import annotations

from typing import Any

from simcore.games.as_you_wish.state import (
    CAPPED,
    CARDS,
    CHARACTER_BIT,
    CHARACTER_STREAM,
    CHARACTERS,
    CONCEALING,
    DEALER,
    DEALT,
    DECK_STREAM,
    EVERYBODY,
    FIRST_DEALER_BIT,
    FLIP,
    FLIPPING,
    HELD,
    ICONS,
    LENGTH,
    NONE,
    PLAYED,
    QUEST,
    ROUNDS,
    SEATS,
    TAKE,
    TAKER,
    TAKING,
)
from simcore.jit import kernel
from simcore.masks import lowest, members
from simcore.rng import shuffle


@kernel
def setup(state: Any) -> None:
    """Write all of `state.play` and play up to the first decision. Source: RB, Setup."""
    play = state.play
    play.over = 0
    play.reason = CAPPED
    play.rounds = 0
    play.turns = 0
    play.turn = 0
    play.takes = 0
    play.first_dealer = NONE
    for seat in range(SEATS):
        play.length[seat] = 0
        play.hidden[seat] = 0
        play.poisoned[seat] = 0
        play.poison[seat] = 0
        play.times_dealer[seat] = 0
        play.order[seat] = 0
        play.rank[seat] = 0
        for icon in range(ICONS):
            play.icons[seat, icon] = 0
            play.light[seat, icon] = 0
            play.dark[seat, icon] = 0
        for position in range(QUEST):
            play.quest[seat, position] = NONE
    for index in range(ROUNDS):
        play.dealers[index] = NONE
    deal_characters(state)
    shuffle_deck(state)
    for seat in range(state.tab.n_seats):
        play.known[seat] = EVERYBODY
        add_card(state, seat, play.deck[seat])
    play.drawn = state.tab.n_seats
    begin_round(state)


@kernel
def deal_characters(state: Any) -> None:
    """Deal a character to each player who has none by the scenario, without replacement (ruling 28).

    Players are served in the order in which they are listed, so that in the rotations of a deal a character moves
    round the table with its player, while the quest cards stay.
    """
    tab = state.tab
    play = state.play
    pile = state.tmp.pile[:]
    left = 0
    for character in range(tab.n_characters):
        taken = False
        for seat in range(tab.n_seats):
            taken |= tab.fixed[seat] == character
        if not taken:
            pile[left] = character
            left += 1
    shuffle(state.rng, CHARACTER_STREAM, pile, left)
    dealt = 0
    for entry in range(tab.n_seats):
        for seat in range(tab.n_seats):
            if tab.entry_of[seat] == entry:
                if tab.fixed[seat] != NONE:
                    play.characters[seat] = tab.fixed[seat]
                else:
                    play.characters[seat] = pile[dealt]
                    dealt += 1
    for place in range(tab.n_seats, CHARACTERS):
        play.characters[place] = pile[dealt] if dealt < left else NONE
        dealt += 1


@kernel
def shuffle_deck(state: Any) -> None:
    """Shuffle all quest cards into one face-down deck; place 0 is drawn first."""
    play = state.play
    n = state.tab.n_cards
    deck = play.deck[:]
    for place in range(CARDS):
        deck[place] = place if place < n else NONE
        play.known[place] = 0
    shuffle(state.rng, DECK_STREAM, deck, n)


# -- preparing a round ----------------------------------------------------------------------------------------------


@kernel
def begin_round(state: Any) -> None:
    """Fix dealer and order, draw the offer, let the dealer conceal. Source: RB, Preparing Each Round; rulings 1-6."""
    tab = state.tab
    play = state.play
    rank_quests(state)
    play.dealer = play.order[tab.n_seats - 1]
    if play.first_dealer == NONE:
        play.first_dealer = play.dealer
    play.dealers[play.rounds] = play.dealer
    play.times_dealer[play.dealer] += 1
    play.rounds += 1
    play.first = play.drawn
    play.drawn += tab.n_offer
    for place in range(play.first, play.drawn):
        play.known[place] = 1 << play.dealer
    play.open = (1 << tab.n_offer) - 1
    play.down = 0
    play.phase = CONCEALING
    play.seat = play.dealer
    play.role = DEALER
    if tab.n_concealed == 0:
        reveal_offer(state)


@kernel
def rank_quests(state: Any) -> None:
    """Order the seats by their visible numbers, lowest first."""
    play = state.play
    for seat in range(state.tab.n_seats):
        rank = shown_number(state, seat)
        play.rank[seat] = rank
        place = seat
        while place > 0 and play.rank[play.order[place - 1]] > rank:
            play.order[place] = play.order[place - 1]
            place -= 1
        play.order[place] = seat


@kernel
def shown_number(state: Any, seat: int) -> int:
    """Return the number that ranks a quest: the newest card's, or the highest face-up one (rulings 1 and 3)."""
    tab = state.tab
    play = state.play
    newest = play.length[seat] - 1
    number = int(tab.cards[play.quest[seat, newest]].number)
    if tab.by_highest:
        for position in range(newest):
            if play.hidden[seat] >> position & 1 == 0:
                number = max(number, int(tab.cards[play.quest[seat, position]].number))
    return number


@kernel
def reveal_offer(state: Any) -> None:
    """Turn up what is not concealed; the lowest number begins."""
    play = state.play
    left = play.open & ~play.down
    while left:
        play.known[play.first + lowest(left)] = EVERYBODY
        left &= left - 1
    play.turn = 0
    begin_turn(state)


# -- turns ----------------------------------------------------------------------------------------------------------


@kernel
def begin_turn(state: Any) -> None:
    """Let the next seat take its card, the dealer more than one. Source: RB, Playing a Turn; ruling 9."""
    play = state.play
    play.seat = play.order[play.turn]
    play.role = TAKER
    play.turns += 1
    play.takes = state.tab.dealer_takes if play.seat == play.dealer else 1
    play.phase = TAKING


@kernel
def legal(state: Any, actions: Any) -> int:
    """Write what the acting seat may answer into `actions` (int64) and return how many."""
    play = state.play
    if play.phase == CONCEALING:
        return write_set(actions, play.open & ~play.down, 0)
    if play.phase == TAKING:
        return write_set(actions, play.open, TAKE)
    return write_set(actions, flippable(state, play.seat), FLIP)


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
    if play.phase == CONCEALING:
        play.down |= 1 << action
        if members(play.down) == state.tab.n_concealed:
            reveal_offer(state)
    elif play.phase == TAKING:
        take_card(state, action - TAKE)
        settle(state)
    else:
        turn_down(state, play.seat, action - FLIP)
        settle(state)


@kernel
def take_card(state: Any, slot: int) -> None:
    """Add the card in `slot` to the acting seat's quest, face up (ruling 8)."""
    play = state.play
    place = play.first + slot
    play.open &= ~(1 << slot)
    play.known[place] = EVERYBODY
    play.takes -= 1
    add_card(state, play.seat, play.deck[place])


@kernel
def add_card(state: Any, seat: int, index: int) -> None:
    """Lay a card face up at the end of a quest."""
    play = state.play
    position = play.length[seat]
    play.quest[seat, position] = index
    play.length[seat] = position + 1
    if state.tab.cards[index].poison > 0:
        play.poisoned[seat] |= 1 << position
    show_card(state, seat, index, 1)


@kernel
def show_card(state: Any, seat: int, index: int, sign: int) -> None:
    """Count what a card shows in a quest (`sign` 1), or no longer shows (-1)."""
    play = state.play
    card = state.tab.cards[index]
    play.icons[seat, card.icon] += sign
    play.light[seat, card.icon] += sign * card.light
    play.dark[seat, card.icon] += sign * card.dark
    play.poison[seat] += sign * card.poison


# -- poison ---------------------------------------------------------------------------------------------------------


@kernel
def settle(state: Any) -> None:
    """Ask the owner for a card to turn down while too much poison shows, else go on (rulings 10 to 14)."""
    play = state.play
    if play.poison[play.seat] > state.tab.poison_limit and flippable(state, play.seat):
        play.phase = FLIPPING
        return
    play.phase = TAKING
    if play.takes == 0:
        play.turn += 1
        if play.turn < state.tab.n_seats:
            begin_turn(state)
        else:
            end_round(state)


@kernel
def flippable(state: Any, seat: int) -> int:
    """Return the positions that may be turned down: face up, poisoned, not the newest (rulings 11 and 14)."""
    play = state.play
    return int(play.poisoned[seat] & ~(1 << (play.length[seat] - 1)))


@kernel
def turn_down(state: Any, seat: int, position: int) -> None:
    """Turn a card of a quest face down, for good (ruling 15)."""
    play = state.play
    play.hidden[seat] |= 1 << position
    play.poisoned[seat] &= ~(1 << position)
    show_card(state, seat, play.quest[seat, position], -1)


# -- the end --------------------------------------------------------------------------------------------------------


@kernel
def end_round(state: Any) -> None:
    """Discard what is left unseen; end the game, or begin the next round (rulings 23, 24 and 26)."""
    tab = state.tab
    play = state.play
    play.open = 0
    longest = 0
    for seat in range(tab.n_seats):
        longest = max(longest, play.length[seat])
    if longest >= tab.end_length:
        play.reason = LENGTH
        play.over = 1
    elif play.rounds >= tab.round_cap:
        play.over = 1
    else:
        begin_round(state)


# -- scoring --------------------------------------------------------------------------------------------------------


@kernel
def character_points(state: Any, seat: int) -> int:
    """Return the points of the character: only quests longer than its line says score it (RB; rulings 16, 17)."""
    play = state.play
    character = play.characters[seat]
    total = 0
    for index in range(state.tab.n_lines[character]):
        line = state.tab.lines[character, index]
        if play.length[seat] > line.more_than:
            total += line.points * play.icons[seat, line.icon]
    return total


@kernel
def light_points(state: Any, seat: int) -> int:
    """Return the points of light cards, each for the others of its icon in the quest (ruling 18)."""
    play = state.play
    total = 0
    for icon in range(state.tab.n_icons):
        if play.light[seat, icon]:
            total += play.light[seat, icon] * (play.icons[seat, icon] - 1)
    return total


@kernel
def dark_points(state: Any, seat: int) -> int:
    """Return the points of dark cards, each for the icons of its kind beside it (rulings 20 to 22)."""
    play = state.play
    total = 0
    for icon in range(state.tab.n_icons):
        if play.dark[seat, icon]:
            total += play.dark[seat, icon] * icons_beside(state, seat, icon)
    return total


@kernel
def icons_beside(state: Any, seat: int, icon: int) -> int:
    """Return how many of an icon the neighbours of `seat` show; in a two-player game there is one neighbour."""
    tab = state.tab
    total = int(state.play.icons[tab.beside[seat, 0], icon])
    if tab.n_beside > 1:
        total += state.play.icons[tab.beside[seat, 1], icon]
    return total


@kernel
def pictures(state: Any, seat: int) -> int:
    """Return how many stills in the quest show the seat's character, one a card (RB, Winning; ruling 29)."""
    tab = state.tab
    play = state.play
    character = play.characters[seat]
    hidden = 0 if tab.all_pictures else play.hidden[seat]
    total = 0
    for position in range(play.length[seat]):
        if hidden >> position & 1 == 0:
            total += tab.cards[play.quest[seat, position]].pictured >> character & 1
    return total


@kernel
def total_points(state: Any, seat: int) -> int:
    """Return the points of `seat` if the game ended now."""
    return character_points(state, seat) + light_points(state, seat) + dark_points(state, seat)


@kernel
def score(state: Any, row: Any) -> None:
    """Write the outcome row. Side = seat."""
    tab = state.tab
    play = state.play
    for seat in range(SEATS):
        score_seat(state, row, seat)
    best = -1
    second = -1
    leaders = 0
    for seat in range(tab.n_seats):
        points = row.points[seat]
        if points > best:
            second = best
            best = points
            leaders = 1 << seat
        else:
            second = max(second, points)
            leaders |= (1 if points == best else 0) << seat
    winners = 0
    most = -1
    left = leaders
    while left:
        seat = lowest(left)
        left &= left - 1
        if row.pictures[seat] > most:
            most = row.pictures[seat]
            winners = 1 << seat
        elif row.pictures[seat] == most:
            winners |= 1 << seat
    if play.reason != LENGTH:
        winners = 0
    alone = winners & (winners - 1) == 0 and winners != 0
    row.winners = winners
    row.margin = best - second
    row.by_pictures = 1 if alone and leaders != winners else 0
    row.first_dealer_won = winners >> play.first_dealer & 1
    row.turns = play.turns
    row.rounds = play.rounds
    row.reason = play.reason
    expose(state, row)


@kernel
def score_seat(state: Any, row: Any, seat: int) -> None:
    """Write the metrics of a seat; zeros for one that nobody sits in."""
    play = state.play
    seated = seat < state.tab.n_seats
    character = character_points(state, seat) if seated else 0
    light = light_points(state, seat) if seated else 0
    dark = dark_points(state, seat) if seated else 0
    row.points[seat] = character + light + dark
    row.character_points[seat] = character
    row.light_points[seat] = light
    row.dark_points[seat] = dark
    row.cards[seat] = play.length[seat]
    row.cards_hidden[seat] = members(play.hidden[seat])
    row.times_dealer[seat] = play.times_dealer[seat]
    row.first_dealer[seat] = 1 if seat == play.first_dealer else 0
    row.pictures[seat] = pictures(state, seat) if seated else 0


@kernel
def expose(state: Any, row: Any) -> None:
    """Write what each seat was dealt (first card, character, offers as dealer), held and showed at the end."""
    tab = state.tab
    play = state.play
    for seat in range(tab.n_seats):
        mark(row, seat, DEALT, play.deck[seat])
        mark(row, seat, DEALT, CHARACTER_BIT + play.characters[seat])
        mark(row, seat, HELD, CHARACTER_BIT + play.characters[seat])
        if row.character_points[seat] > 0:
            mark(row, seat, PLAYED, CHARACTER_BIT + play.characters[seat])
        for position in range(play.length[seat]):
            mark(row, seat, HELD, play.quest[seat, position])
            if play.hidden[seat] >> position & 1 == 0:
                mark(row, seat, PLAYED, play.quest[seat, position])
    mark(row, play.first_dealer, DEALT, FIRST_DEALER_BIT)
    for index in range(play.rounds):
        first = tab.n_seats + index * tab.n_offer
        for place in range(first, first + tab.n_offer):
            mark(row, play.dealers[index], DEALT, play.deck[place])


@kernel
def mark(row: Any, seat: int, exposure: int, bit: int) -> None:
    """Set a bit of an exposure mask."""
    number = int(bit)  # a card comes as one byte, too narrow for the mask
    row.exposed[seat, exposure, number >> 5] |= 1 << (number & 31)


@kernel
def lead(state: Any, side: int) -> float:
    """Return how far `side` is ahead of the best other one, -1 to 1: d / (|d| + 10) for a difference of d points.

    Before the end a character's line counts in proportion to the way its quest has gone to the length it needs.
    """
    best = 0.0
    found = False
    for seat in range(state.tab.n_seats):
        if seat != side:
            points = prospects(state, seat)
            if not found or points > best:
                best = points
                found = True
    difference = prospects(state, side) - best
    return difference / (abs(difference) + 10.0)


@kernel
def prospects(state: Any, seat: int) -> float:
    """Return the points of `seat`; while the game goes on, with the character's lines in proportion."""
    play = state.play
    if play.over:
        return float(total_points(state, seat))
    character = play.characters[seat]
    total = float(light_points(state, seat) + dark_points(state, seat))
    for index in range(state.tab.n_lines[character]):
        line = state.tab.lines[character, index]
        way = min(1.0, float(play.length[seat]) / float(line.more_than + 1))
        total += way * float(line.points * play.icons[seat, line.icon])
    return total
