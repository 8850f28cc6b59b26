"""The rules of the hunt and the race as a step machine. "RB" is the rulebook, "ruling H1" the table in docs/games.md.

Kernels only, in the order of the rulebook: set-up, rounds and turns, the house, the race, cards, fights, the end. An
action writes what is to be settled into the position; `advance` settles one thing after the other until somebody has
to choose.
"""

from __future__ import annotations

from typing import Any

from simcore.contract import ABSENT
from simcore.games.field_guide.state import (
    AIM,
    ALL_CHILDREN,
    ALL_GRUZELS,
    ALL_THE_CHILDREN,
    ANY_CHILD,
    ANY_GRUZEL,
    ARTHUR,
    BACK,
    BEARER,
    BY_ROUND,
    CAGE,
    CAGE_ROLL,
    CAPPED,
    CARD,
    CARD_DUE,
    CARD_MOVE,
    CARRY,
    CARRYING,
    CHAIN,
    CHILD,
    CHILDREN,
    COUNCIL,
    DEALT,
    DICE,
    DRAWER,
    EFFECT,
    EITHER,
    END,
    EVERYBODY,
    FIGHT,
    FIGHTING,
    FORWARD,
    FREE,
    GO_BACK,
    GO_FORWARD,
    GRUZELS_DRAW,
    GRUZELS_MOVE,
    HELD,
    HELD_BY_GRUZELS,
    HOUSE,
    KEEPER,
    KINDS,
    LANDING,
    LAY,
    LAYING,
    LEFT_BEHIND,
    LOST,
    MOVE,
    MULGARAAT,
    NEW_ROUND,
    NEW_TURN,
    NONE,
    OPPONENT,
    PASS,
    PIECE,
    PIECES,
    PILES,
    PLAYED,
    RACE,
    RESULT,
    RETREAT,
    ROLL_AGAIN,
    ROOMS,
    SEATS,
    SPEND,
    STAY,
    STOP,
    STRIDE,
    STRIKE,
    SWAP,
    TARGET,
    TARGETS,
    TO_CROSSING,
    TOKENS,
    TURN,
    TURN_END,
    WARD,
)
from simcore.jit import kernel
from simcore.masks import lowest, members
from simcore.rng import below, rekey, shuffle

# -- set-up ---------------------------------------------------------------------------------------------------------


@kernel
def setup(state: Any) -> None:
    """Write all of `state.play` and play up to the first decision. Source: RB, Setup."""
    tab = state.tab
    play = state.play
    clear(state)
    for child in range(CHILDREN):
        play.square[child] = tab.start if child < tab.n_children else NONE
        play.space[child] = NONE
        play.path[child] = ALL_CHILDREN
    for piece in range(CHILDREN, PIECES):
        play.space[piece] = tab.camp if piece < CHILDREN + tab.n_gruzels else NONE
        play.path[piece] = ALL_GRUZELS
    for kind in range(KINDS):
        is_card = kind < tab.first_kind[2]
        play.stock[kind] = tab.kinds[kind].count if is_card else 0
        play.discard[kind] = 0
        for seat in range(SEATS):
            play.hand[seat, kind] = 0
        if is_card:
            play.n_stock[colour_of(state, kind)] += tab.kinds[kind].count
    take_cage_tokens(state)
    play.active = tab.n_seats
    if tab.chosen:
        play.next = 1
        ask(state, LAYING, tab.n_children, KEEPER)
    else:
        lay_at_random(state)
        begin_round(state)
        begin_turn(state)


@kernel
def clear(state: Any) -> None:
    """Write what is the same at the start of every game."""
    play = state.play
    play.over = 0
    play.reason = CAPPED
    play.rounds = 0
    play.turns = 0
    play.seat = 0
    play.role = CHILD
    play.phase = FREE
    play.in_turn = 0
    play.extra = 0
    play.die = 0
    play.mover = NONE
    play.guide = NONE
    play.outside = 0
    play.up = 0
    play.next = 0
    play.loser = NONE
    play.landing = 0
    play.fallen = 0
    play.moving = 0
    play.one_of = 0
    play.way = FORWARD
    play.amount = 0
    play.targets = 0
    play.card = NONE
    play.step = 0
    play.card_due = 0
    play.mover_of_fight = NONE
    play.child = NONE
    play.gruzel = NONE
    play.struck = NONE
    play.strikes = 0
    play.won = 0
    play.found_round = ABSENT
    play.found_turn = ABSENT
    play.left_round = ABSENT
    play.left_turn = ABSENT
    play.changes = 0
    play.passes = 0
    play.cage_won = 0
    play.cage_used = 0
    play.sent_back = 0
    play.reshuffles = 0
    for room in range(ROOMS):
        play.token[room] = 0
        play.known[room] = 0
    for colour in range(2):
        play.n_stock[colour] = 0
        play.n_discard[colour] = 0
    for seat in range(SEATS):
        play.n_hand[seat] = 0
        play.drawn[seat] = 0
        play.fights_won[seat] = 0
        play.fights_lost[seat] = 0
        state.log.dealt[seat] = 0
        state.log.played[seat] = 0


@kernel
def lay_at_random(state: Any) -> None:
    """Lay the object tokens face down into rooms, unseen by anybody (ruling H1)."""
    tab = state.tab
    token = state.play.token[:]
    for room in range(tab.n_rooms):
        token[room] = room + 1 if room < tab.n_tokens else 0
    shuffle(state.rng, TOKENS, token, tab.n_rooms)


@kernel
def take_cage_tokens(state: Any) -> None:
    """Put as many cage tokens in front of the gruzel player as a roll says (RB, Setup; ruling D2)."""
    tab = state.tab
    play = state.play
    rolled = int(tab.faces[below(state.rng, CAGE_ROLL, tab.n_faces)])
    play.cage_taken = min(rolled, tab.n_cage)
    play.cage = (1 << play.cage_taken) - 1


@kernel
def ask(state: Any, phase: int, seat: int, role: int) -> None:
    """Let a seat choose next."""
    play = state.play
    play.phase = phase
    play.seat = seat
    play.role = role


@kernel
def roll(state: Any, seat: int) -> int:
    """Return a roll of the die by `seat`."""
    return int(state.tab.faces[below(state.rng, DICE + seat, state.tab.n_faces)])


# -- rounds and turns -----------------------------------------------------------------------------------------------


@kernel
def advance(state: Any) -> None:
    """Settle one thing after the other until somebody has to choose or the game is over."""
    while state.play.phase == FREE and state.play.over == 0:
        settle(state)


@kernel
def pending(state: Any) -> int:
    """Return what is to be settled next: the number of one of `state.THINGS`."""
    play = state.play
    if play.child != NONE:
        return FIGHTING if play.loser == NONE else RESULT
    if play.loser != NONE:
        return RETREAT
    if play.moving:
        return CARD_MOVE
    if play.landing:
        return LANDING
    if play.card != NONE:
        return EFFECT
    if play.card_due:
        return CARD_DUE
    if play.in_turn:
        return TURN_END
    if play.active == state.tab.n_seats:
        return NEW_ROUND
    return NEW_TURN


@kernel
def settle(state: Any) -> None:
    """Settle the next thing."""
    thing = pending(state)
    if thing == FIGHTING:
        go_on_fighting(state)
    elif thing == RESULT:
        end_fight(state)
    elif thing == RETREAT:
        fall_back(state)
    elif thing == CARD_MOVE:
        move_by_card(state)
    elif thing == LANDING:
        land(state, lowest(state.play.landing))
    elif thing == EFFECT:
        next_effect(state)
    elif thing == CARD_DUE:
        draw_card_of_turn(state)
    elif thing == TURN_END:
        end_turn(state)
    elif thing == NEW_ROUND:
        begin_round(state)
    else:
        begin_turn(state)


@kernel
def begin_round(state: Any) -> None:
    """Begin a round with the choice of who carries the guide (RB, On the Way to the Finish; rulings G1 and G2)."""
    play = state.play
    if play.rounds >= state.tab.round_cap:
        play.over = 1
        return
    play.rounds += 1
    play.active = 0
    for i in range(len(BY_ROUND)):
        rekey(state.rng, BY_ROUND[i], play.rounds)
    if children_choose(state):
        ask(state, CARRYING, 0, COUNCIL)


@kernel
def children_choose(state: Any) -> bool:
    """Return whether the guide is with a child outside and could be with another one."""
    play = state.play
    carried = play.guide != NONE and play.guide != HELD_BY_GRUZELS and play.outside >> play.guide & 1
    return bool(carried and members(play.outside) > 1)


@kernel
def begin_turn(state: Any) -> None:
    """Let the active seat roll; in the house, the gruzels try for a cage token (RB, The Gruzels' Turn)."""
    tab = state.tab
    play = state.play
    seat = play.active
    play.in_turn = 1
    play.turns += 1
    play.die = roll(state, seat)
    play.mover = NONE
    if seat < tab.n_children:
        if play.outside >> seat & 1:
            play.card_due = 1
            run(state, 1 << seat)
        else:
            ask(state, HOUSE, seat, CHILD)
    elif play.outside:
        play.card_due = 1
        run(state, ((1 << tab.n_gruzels) - 1) << CHILDREN)
    else:
        match_cage_token(state)


@kernel
def match_cage_token(state: Any) -> None:
    """Win the cage token with the number rolled, if it is in front of the gruzel player."""
    play = state.play
    left = play.cage
    while left:
        token = lowest(left)
        left &= left - 1
        if state.tab.cage[token] == play.die:
            play.cage &= ~(1 << token)
            play.won += 1
            play.cage_won += 1
            return


@kernel
def end_turn(state: Any) -> None:
    """Go on to the next seat; in the race, a cage token can buy the gruzels one more turn (rulings C4 to C6)."""
    play = state.play
    if play.active == state.tab.n_children and play.extra == 0 and play.won > 0 and play.outside:
        ask(state, CAGE, play.active, KEEPER)
    else:
        pass_turn(state)


@kernel
def pass_turn(state: Any) -> None:
    """Make it the next seat's turn."""
    play = state.play
    play.in_turn = 0
    play.extra = 0
    play.active += 1


# -- what may be answered -------------------------------------------------------------------------------------------


@kernel
def legal(state: Any, actions: Any) -> int:
    """Write what the acting seat may answer into `actions` (int64), ascending, and return how many."""
    play = state.play
    phase = play.phase
    if phase == RACE or phase == PIECE:
        return legal_moves(state, actions)
    n = 0
    first = 0
    members_of = 0
    last = NONE
    if phase == HOUSE:
        members_of = int(state.tab.inside[play.square[play.active], play.die])
        last = STAY
    elif phase == CAGE:
        first = SPEND
        members_of = 3
    elif phase == CARRYING:
        first = CARRY
        members_of = play.outside
    elif phase == STRIKE or phase == WARD:
        actions[0] = PASS
        n = 1
        first = CARD
        members_of = held(state, play.child, 0) if phase == STRIKE else wards_held(state)
    elif phase == OPPONENT:
        first = FIGHT
        members_of = play.targets
    elif phase == TARGET:
        first = AIM
        members_of = play.targets
    elif phase == CHAIN:
        first = TURN
        members_of = face_down(state)
        last = STOP
    elif phase == LAYING:
        first = LAY
        members_of = empty_rooms(state)
    n = write_set(actions, n, members_of, first)
    if last != NONE:
        actions[n] = last
        n += 1
    if phase == HOUSE and (play.guide != NONE or state.tab.early):
        n = legal_exits(state, actions, n)
    return n


@kernel
def write_set(actions: Any, n: int, mask: int, first: int) -> int:
    """Write the members of `mask`, counted from `first`, into ``actions[n:]``; return how many there are then."""
    while mask:
        actions[n] = first + lowest(mask)
        mask &= mask - 1
        n += 1
    return n


@kernel
def apply(state: Any, action: int) -> None:
    """Carry out `action` of the acting seat and go on to the next decision. Legality is not checked."""
    answer(state, action)
    advance(state)


@kernel
def answer(state: Any, action: int) -> None:
    """Carry out `action` of the acting seat; what follows from it is left to `settle`."""
    play = state.play
    phase = play.phase
    play.phase = FREE
    if phase == RACE or phase == PIECE:
        move_chosen(state, phase, action)
    elif phase == HOUSE:
        walk(state, action)
    elif phase == CAGE:
        spend(state, action)
    elif phase == CARRYING:
        carry(state, action - CARRY)
    elif phase == STRIKE:
        strike(state, action)
    elif phase == WARD:
        ward(state, action)
    elif phase == OPPONENT:
        begin_fight(state, play.mover_of_fight, action - FIGHT)
    elif phase == TARGET:
        do_effect(state, 1 << (action - AIM))
    elif phase == CHAIN:
        turn_next(state, action)
    else:
        lay(state, action - LAY)


@kernel
def lay(state: Any, room: int) -> None:
    """Lay the next object token, seen by the gruzel player alone (ruling H1, chosen)."""
    play = state.play
    play.token[room] = play.next
    play.known[room] = 1 << state.tab.n_children
    play.next += 1
    if play.next <= state.tab.n_tokens:
        play.phase = LAYING
    else:
        play.next = 0


@kernel
def empty_rooms(state: Any) -> int:
    """Return the rooms without a token."""
    mask = 0
    for room in range(state.tab.n_rooms):
        if state.play.token[room] == 0:
            mask |= 1 << room
    return mask


@kernel
def spend(state: Any, action: int) -> None:
    """Take an extra turn for a cage token, or let the turn end."""
    play = state.play
    if action == SPEND:
        play.won -= 1
        play.cage_used += 1
        play.extra = 1
        play.in_turn = 0
    else:
        pass_turn(state)


@kernel
def carry(state: Any, child: int) -> None:
    """Give the guide to a child outside (rulings G1 to G4)."""
    play = state.play
    if play.in_turn == 0 and play.guide != child:
        play.passes += 1
    play.guide = child


# -- the house ------------------------------------------------------------------------------------------------------


@kernel
def legal_exits(state: Any, actions: Any, n: int) -> int:
    """Write spaces outside behind the `n` actions for the squares; return how many actions there are then (H10)."""
    tab = state.tab
    play = state.play
    left = int(tab.exits[play.square[play.active], play.die])
    first = n
    while left:
        steps = lowest(left)
        left &= left - 1
        n = add_reached(state, actions, first, n, play.active, tab.first[ALL_CHILDREN], FORWARD, steps)
    return n


@kernel
def walk(state: Any, action: int) -> None:
    """Move in the house, stay, or go out of the door (RB, Object Tokens; rulings H6 to H12)."""
    play = state.play
    child = play.active
    if action >= MOVE:
        leave_house(state, action)
    elif action != STAY:
        play.square[child] = action
        find_token(state, state.tab.room_at[action])
    elif may_retry(state):
        open_chain(state, state.tab.room_at[play.square[child]])


@kernel
def find_token(state: Any, room: int) -> None:
    """Turn the token over on which a child ends; number 1 lets it turn others (ruling H12: dead after the guide)."""
    play = state.play
    if room != NONE and play.guide == NONE and play.token[room] > 0:
        play.known[room] = EVERYBODY
        if play.token[room] == 1:
            open_chain(state, room)


@kernel
def may_retry(state: Any) -> bool:
    """Return whether a child that stays may try the tokens again: alone, on number 1, high enough (ruling H8)."""
    tab = state.tab
    play = state.play
    room = tab.room_at[play.square[play.active]]
    stands = room != NONE and play.guide == NONE and play.token[room] == 1
    return bool(stands and tab.n_seats <= tab.retry_players and play.die >= tab.retry_roll)


@kernel
def open_chain(state: Any, room: int) -> None:
    """Let the child on token 1 turn the next one over."""
    state.play.up = 1 << room
    state.play.next = 2
    ask(state, CHAIN, state.play.active, CHILD)


@kernel
def face_down(state: Any) -> int:
    """Return the rooms whose token lies face down."""
    mask = 0
    for room in range(state.tab.n_rooms):
        if state.play.token[room] > 0 and state.play.up >> room & 1 == 0:
            mask |= 1 << room
    return mask


@kernel
def turn_next(state: Any, action: int) -> None:
    """Turn a token over in the chain; a wrong one, or stopping, turns all face down (RB; ruling H7)."""
    play = state.play
    right = False
    if action != STOP:
        room = action - TURN
        play.known[room] = EVERYBODY
        right = play.token[room] == play.next
        play.up |= 1 << room
    if right and play.next < state.tab.n_tokens:
        play.next += 1
        play.phase = CHAIN
        return
    play.up = 0
    play.next = 0
    if right:
        play.guide = play.active
        play.found_round = play.rounds
        play.found_turn = play.turns


@kernel
def leave_house(state: Any, action: int) -> None:
    """Go through the door, with steps left over along a path; Part 2 begins for the child (ruling H10)."""
    tab = state.tab
    play = state.play
    child = play.active
    square = play.square[child]
    space = action - MOVE - STRIDE * child
    play.square[child] = NONE
    play.outside |= 1 << child
    play.mover = child
    play.card_due = 1
    if play.left_round == ABSENT:
        play.left_round = play.rounds
        play.left_turn = play.turns
    put(state, child, space, way_out(state, square, space))
    if play.guide == NONE and members(play.outside) == tab.n_children:
        play.reason = LEFT_BEHIND  # nobody may go back in (ruling H11), and nobody can win
        play.over = 1


@kernel
def way_out(state: Any, square: int, space: int) -> int:
    """Return the path by which a child comes from the house to `space`, its own one if that leads there."""
    tab = state.tab
    if tab.index[ALL_CHILDREN, space] < 0:
        return ALL_GRUZELS
    left = int(tab.exits[square, state.play.die])
    while left:
        if leads_there(state, tab.first[ALL_CHILDREN], FORWARD, lowest(left), space, ALL_CHILDREN):
            return ALL_CHILDREN
        left &= left - 1
    return ALL_GRUZELS


# -- the race -------------------------------------------------------------------------------------------------------


@kernel
def run(state: Any, pieces: int) -> None:
    """Ask the active seat for a move of one of `pieces` by the roll (RB, Turn Order; rulings M1, M8)."""
    play = state.play
    play.moving = pieces
    play.one_of = 1
    play.way = EITHER
    play.amount = play.die
    ask(state, RACE, play.active, role_of(state, play.active))


@kernel
def role_of(state: Any, seat: int) -> int:
    """Return the role in which a seat plays its pieces."""
    return CHILD if seat < state.tab.n_children else KEEPER


@kernel
def owner_of(state: Any, piece: int) -> int:
    """Return the seat of a piece."""
    return piece if piece < CHILDREN else int(state.tab.n_children)


@kernel
def side_of(piece: int) -> int:
    """Return the side of a piece, whose number is that of its own path, too."""
    return ALL_CHILDREN if piece < CHILDREN else ALL_GRUZELS


@kernel
def legal_moves(state: Any, actions: Any) -> int:
    """Write the moves of the pieces that may move: of all candidates, or of the next piece that a card moves."""
    play = state.play
    left = play.moving if play.one_of else play.moving & -play.moving
    n = 0
    while left:
        piece = lowest(left)
        left &= left - 1
        first = n
        for way in range(2):
            if play.way == EITHER or play.way == way:
                n = add_reached(state, actions, first, n, piece, play.space[piece], way, play.amount)
    return n


@kernel
def add_reached(state: Any, actions: Any, first: int, n: int, piece: int, start: int, way: int, steps: int) -> int:
    """Add what `steps` from `start` reach to ``actions[first:n]``, ascending, each once; return the new n."""
    for i in range(TARGETS):
        reached = int(state.tab.reach[start, way, steps, i])
        if reached == END:
            break
        action = MOVE + STRIDE * piece + stopping_place(state, piece, reached)
        place = n
        while place > first and actions[place - 1] > action:
            place -= 1
        if place == first or actions[place - 1] != action:
            for j in range(n, place, -1):
                actions[j] = actions[j - 1]
            actions[place] = action
            n += 1
    return n


@kernel
def path_of(reached: int) -> int:
    """Return the path by which a move comes to its end."""
    return ALL_CHILDREN if reached >= 0 else ALL_GRUZELS


@kernel
def stopping_place(state: Any, piece: int, reached: int) -> int:
    """Return where a piece stops that the board lets go as far as `reached` (rulings M3, M5 and M6)."""
    tab = state.tab
    path = path_of(reached)
    space = reached if path == ALL_CHILDREN else -1 - reached
    if space == tab.finish[path]:
        side = side_of(piece)
        holder = HELD_BY_GRUZELS if side == ALL_GRUZELS else piece
        if side != path or state.play.guide != holder:
            return int(tab.before[path])
    elif space == tab.camp and piece < CHILDREN:
        return int(tab.first[ALL_GRUZELS])
    return space


@kernel
def move_chosen(state: Any, phase: int, action: int) -> None:
    """Move the chosen piece to the chosen space."""
    play = state.play
    piece = (action - MOVE) // STRIDE
    space = (action - MOVE) % STRIDE
    path = way_taken(state, piece, space)
    if phase == RACE:
        play.mover = piece
    if play.one_of:
        play.moving = 0
    else:
        play.moving &= ~(1 << piece)
    put(state, piece, space, path)


@kernel
def way_taken(state: Any, piece: int, space: int) -> int:
    """Return the path by which a piece comes to `space`; where both lead to a crossing, its own one."""
    play = state.play
    own = side_of(piece)
    if state.tab.index[own, space] < 0:
        return 1 - own
    if state.tab.index[1 - own, space] < 0:
        return own
    by_own = False
    for way in range(2):
        if play.way == EITHER or play.way == way:
            by_own |= leads_there(state, play.space[piece], way, play.amount, space, own)
    return own if by_own else 1 - own


@kernel
def leads_there(state: Any, start: int, way: int, steps: int, space: int, path: int) -> bool:
    """Return whether so many steps from `start` end on `space` by `path`."""
    for i in range(TARGETS):
        if state.tab.reach[start, way, steps, i] == (space if path == ALL_CHILDREN else -1 - space):
            return True
    return False


@kernel
def put(state: Any, piece: int, space: int, path: int) -> None:
    """Stand a piece on a space; it lands there if it comes from another one. Home with the guide, it wins."""
    play = state.play
    if space != play.space[piece]:
        play.landing |= 1 << piece
    play.space[piece] = space
    play.path[piece] = path
    side = side_of(piece)
    if space == state.tab.finish[side]:
        play.reason = ARTHUR if side == ALL_CHILDREN else MULGARAAT
        play.over = 1


@kernel
def land(state: Any, piece: int) -> None:
    """Settle where a piece has ended: red leaves, and who is to be fought (RB, Board Layout, Fighting; F3 to F5).

    Of several pieces that a card has moved, none fights who has fallen back to its space meanwhile (ruling F11).
    """
    tab = state.tab
    play = state.play
    play.landing &= ~(1 << piece)
    fallen = play.fallen
    if play.landing == 0:
        play.fallen = 0
    space = play.space[piece]
    red = tab.red[space] and tab.index[side_of(piece), space] < 0
    if piece >= CHILDREN:
        if space == tab.camp:
            return
        if red:
            play.space[piece] = tab.camp
            play.path[piece] = ALL_GRUZELS
            play.sent_back += 1
            return
        first, last = 0, int(tab.n_children)
    else:
        first, last = CHILDREN, CHILDREN + int(tab.n_gruzels)
    anybody = tab.swords[space] or red
    targets = 0
    for other in range(first, last):
        stands_here = play.space[other] == space and fallen >> other & 1 == 0
        if stands_here or (anybody and play.space[other] != NONE):
            targets |= 1 << other
    if targets == 0:
        return
    play.mover_of_fight = piece
    if targets & (targets - 1) == 0:
        begin_fight(state, piece, lowest(targets))
    else:
        play.targets = targets
        seat = owner_of(state, piece)
        ask(state, OPPONENT, seat, role_of(state, seat))


# -- cards ----------------------------------------------------------------------------------------------------------


@kernel
def colour_of(state: Any, kind: int) -> int:
    """Return 0 for a blue kind, 1 for a green one."""
    return 0 if kind < state.tab.first_kind[1] else 1


@kernel
def draw_card_of_turn(state: Any) -> None:
    """Take a card at the end of a move: blue for a child, green for the gruzel player (RB, Turn Order; ruling F6)."""
    play = state.play
    play.card_due = 0
    seat = play.active
    kind = draw(state, seat, 0 if seat < state.tab.n_children else 1)
    if kind != NONE and state.tab.kinds[kind].fight == 0:
        play.card = kind
        play.step = 0
        state.log.played[seat] |= 1 << kind


@kernel
def draw(state: Any, seat: int, colour: int) -> int:
    """Draw a card: a fight card goes to the hand of `seat`, an action to the discards; return its kind, or NONE.

    An empty pile is made of its discards first (ruling C1). Every card left is equally likely: a pile has no order.
    """
    tab = state.tab
    play = state.play
    if play.n_stock[colour] == 0:
        if play.n_discard[colour] == 0:
            return NONE
        for kind in range(tab.first_kind[colour], tab.first_kind[colour + 1]):
            play.stock[kind] = play.discard[kind]
            play.discard[kind] = 0
        play.n_stock[colour] = play.n_discard[colour]
        play.n_discard[colour] = 0
        play.reshuffles += 1
    kind = int(tab.first_kind[colour])
    left = below(state.rng, PILES + colour, play.n_stock[colour]) - play.stock[kind]
    while left >= 0:
        kind += 1
        left -= play.stock[kind]
    play.stock[kind] -= 1
    play.n_stock[colour] -= 1
    play.drawn[seat] += 1
    state.log.dealt[seat] |= 1 << kind
    if tab.kinds[kind].fight:
        play.hand[seat, kind] += 1
        play.n_hand[seat] += 1
    else:
        play.discard[kind] += 1
        play.n_discard[colour] += 1
    return kind


@kernel
def next_effect(state: Any) -> None:
    """Begin the next effect of the card; ask its drawer whom it means if there is a choice."""
    tab = state.tab
    play = state.play
    card = tab.kinds[play.card]
    if play.step == card.n_effects:
        play.card = NONE
        return
    effect = card.effects[play.step]
    play.step += 1
    gruzels = ((1 << tab.n_gruzels) - 1) << CHILDREN
    who = effect.who
    if who == BEARER and (play.guide == NONE or play.guide == HELD_BY_GRUZELS or play.outside >> play.guide & 1 == 0):
        who = ANY_CHILD
    one = True
    if who == DRAWER:
        targets = 1 << play.mover
    elif who == BEARER:
        targets = 1 << play.guide
    elif who == ANY_CHILD or who == ALL_THE_CHILDREN:
        targets = play.outside
        one = who == ANY_CHILD
    else:
        targets = gruzels
        one = who == ANY_GRUZEL
    if effect.op == SWAP:
        targets = play.outside & ~(1 << play.mover)
    if targets == 0:
        return  # what cannot be done is ignored (ruling C2)
    if one and targets & (targets - 1):
        play.targets = targets
        ask(state, TARGET, play.active, role_of(state, play.active))
    else:
        do_effect(state, targets)


@kernel
def do_effect(state: Any, targets: int) -> None:
    """Carry out the effect before `step` on the pieces of a mask."""
    tab = state.tab
    play = state.play
    effect = tab.kinds[play.card].effects[play.step - 1]
    op = effect.op
    if op == GO_FORWARD or op == GO_BACK:
        play.moving = targets
        play.one_of = 0
        play.way = FORWARD if op == GO_FORWARD else BACK
        play.amount = effect.amount
    elif op == GRUZELS_MOVE:
        play.moving = ((1 << tab.n_gruzels) - 1) << CHILDREN
        play.one_of = 1
        play.way = EITHER
        play.amount = effect.amount
    elif op == ROLL_AGAIN:
        play.die = roll(state, play.active)
        run(state, 1 << play.mover)
    elif op == TO_CROSSING:
        go_to_crossing(state, targets)
    elif op == SWAP:
        swap(state, play.mover, lowest(targets))
    elif op == GRUZELS_DRAW:
        for _ in range(effect.amount):
            draw(state, tab.n_children, 1)
    else:
        lose_cards(state, targets, effect.amount)


@kernel
def move_by_card(state: Any) -> None:
    """Move the next piece of a card; its owner chooses where there is a choice."""
    play = state.play
    piece = lowest(play.moving)
    seat = owner_of(state, piece)
    if play.one_of == 0 and only_way(state, piece):
        reached = int(state.tab.reach[play.space[piece], play.way, play.amount, 0])
        play.moving &= ~(1 << piece)
        put(state, piece, stopping_place(state, piece, reached), path_of(reached))
    else:
        ask(state, PIECE, seat, role_of(state, seat))


@kernel
def only_way(state: Any, piece: int) -> bool:
    """Return whether a card leaves a piece no choice."""
    play = state.play
    return bool(state.tab.reach[play.space[piece], play.way, play.amount, 1] == END)


@kernel
def go_to_crossing(state: Any, targets: int) -> None:
    """Move pieces to the next crossing ahead on the paths they stand on, if there is one."""
    play = state.play
    while targets:
        piece = lowest(targets)
        targets &= targets - 1
        ahead = int(state.tab.ahead[play.path[piece], play.space[piece]])
        if ahead != NONE:
            put(state, piece, ahead, play.path[piece])


@kernel
def swap(state: Any, child: int, other: int) -> None:
    """Exchange the places of two children; neither lands."""
    play = state.play
    play.space[child], play.space[other] = play.space[other], play.space[child]
    play.path[child], play.path[other] = play.path[other], play.path[child]


@kernel
def lose_cards(state: Any, targets: int, count: int) -> None:
    """Discard random cards of the hands to which the pieces of a mask belong."""
    tab = state.tab
    left = targets
    done = 0
    while left:
        seat = owner_of(state, lowest(left))
        left &= left - 1
        if done >> seat & 1 == 0:
            done |= 1 << seat
            for _ in range(min(count, state.play.n_hand[seat])):
                colour = 0 if seat < tab.n_children else 1
                kind = int(tab.first_kind[colour])
                rest = below(state.rng, LOST, state.play.n_hand[seat]) - state.play.hand[seat, kind]
                while rest >= 0:
                    kind += 1
                    rest -= state.play.hand[seat, kind]
                discard(state, seat, kind)


@kernel
def discard(state: Any, seat: int, kind: int) -> None:
    """Lay a card from a hand on its discard pile."""
    play = state.play
    colour = colour_of(state, kind)
    play.hand[seat, kind] -= 1
    play.n_hand[seat] -= 1
    play.discard[kind] += 1
    play.n_discard[colour] += 1


# -- fights ---------------------------------------------------------------------------------------------------------


@kernel
def begin_fight(state: Any, piece: int, other: int) -> None:
    """Let a child and a gruzel fight (RB, How is a fight fought?)."""
    play = state.play
    play.child = piece if piece < CHILDREN else other
    play.gruzel = other if piece < CHILDREN else piece
    play.strikes = 0


@kernel
def go_on_fighting(state: Any) -> None:
    """Ask the child for a card; it lays first, and with none left it has lost (ruling F1)."""
    play = state.play
    if play.n_hand[play.child] > 0:
        ask(state, STRIKE, play.child, CHILD)
    else:
        play.loser = play.child


@kernel
def wards_held(state: Any) -> int:
    """Return the kinds of the gruzel player that stop the card played."""
    kinds = held(state, state.tab.n_children, 1)
    found = 0
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        if state.tab.kinds[kind].wards >> state.play.struck & 1:
            found |= 1 << kind
    return found


@kernel
def held(state: Any, seat: int, colour: int) -> int:
    """Return the kinds of cards in a hand as a bit mask."""
    kinds = 0
    for kind in range(state.tab.first_kind[colour], state.tab.first_kind[colour + 1]):
        if state.play.hand[seat, kind]:
            kinds |= 1 << kind
    return kinds


@kernel
def strike(state: Any, action: int) -> None:
    """Play a fight card, or none and lose (ruling F2); who cannot ward it off has lost.

    By the translator's note, gruzels who cannot ward off the first card have won instead.
    """
    play = state.play
    if action == PASS:
        play.loser = play.child
        return
    kind = action - CARD
    play.struck = kind
    discard(state, play.child, kind)
    state.log.played[play.child] |= 1 << kind
    if wards_held(state):
        ask(state, WARD, state.tab.n_children, KEEPER)
    elif state.tab.translated and play.strikes == 0:
        play.loser = play.child
    else:
        play.loser = play.gruzel


@kernel
def ward(state: Any, action: int) -> None:
    """Ward the played card off, or lose; warded off, the child may go on."""
    play = state.play
    seat = state.tab.n_children
    if action == PASS:
        play.loser = play.gruzel
        return
    discard(state, seat, action - CARD)
    state.log.played[seat] |= 1 << (action - CARD)
    play.strikes += 1


@kernel
def end_fight(state: Any) -> None:
    """Let the guide change sides if the loser had it (RB, Consequences; rulings G4 and G5)."""
    play = state.play
    loser = play.loser
    winner = play.child + play.gruzel - loser
    play.child = NONE
    play.gruzel = NONE
    play.struck = NONE
    play.strikes = 0
    play.fights_won[owner_of(state, winner)] += 1
    play.fights_lost[owner_of(state, loser)] += 1
    if loser < CHILDREN:
        if play.guide == loser:
            play.guide = HELD_BY_GRUZELS
            play.changes += 1
    elif play.guide == HELD_BY_GRUZELS:
        play.guide = winner
        play.changes += 1
        if children_choose(state):
            ask(state, CARRYING, winner, COUNCIL)


@kernel
def fall_back(state: Any) -> None:
    """Let the loser discard its hand and move back by a roll; it does not land (rulings F7, F8 and F11)."""
    tab = state.tab
    play = state.play
    piece = play.loser
    play.loser = NONE
    seat = owner_of(state, piece)
    colour = 0 if piece < CHILDREN else 1
    if play.n_hand[seat]:
        for kind in range(tab.first_kind[colour], tab.first_kind[colour + 1]):
            while play.hand[seat, kind]:
                discard(state, seat, kind)
    path = play.path[piece]
    lowest_place = 1 if path == ALL_GRUZELS and piece < CHILDREN else 0
    place = max(lowest_place, tab.index[path, play.space[piece]] - roll(state, seat))
    play.space[piece] = tab.at[path, place]
    if play.landing:
        play.fallen |= 1 << piece


# -- the end --------------------------------------------------------------------------------------------------------


@kernel
def nearest(state: Any, side: int) -> int:
    """Return the steps of the nearest piece of a side to its finish; a child in the house counts from the door."""
    tab = state.tab
    play = state.play
    best = NONE
    first = 0 if side == ALL_CHILDREN else CHILDREN
    for piece in range(first, first + (tab.n_children if side == ALL_CHILDREN else tab.n_gruzels)):
        if play.space[piece] == NONE:
            steps = int(tab.left[side, tab.first[ALL_CHILDREN]]) + 1
        else:
            steps = int(tab.left[side, play.space[piece]])
        if best == NONE or steps < best:
            best = steps
    return best


@kernel
def score(state: Any, row: Any) -> None:
    """Write the outcome row. Side 0 are the children, side 1 the gruzels."""
    tab = state.tab
    play = state.play
    row.winners = 0
    row.distance_left = ABSENT
    if play.reason == ARTHUR:
        row.winners = 1 << ALL_CHILDREN
        row.distance_left = nearest(state, ALL_GRUZELS)
    elif play.reason == MULGARAAT:
        row.winners = 1 << ALL_GRUZELS
        row.distance_left = nearest(state, ALL_CHILDREN)
    row.turns = play.turns
    row.rounds = play.rounds
    row.reason = play.reason
    row.found_round = play.found_round
    row.found_turn = play.found_turn
    row.left_round = play.left_round
    row.left_turn = play.left_turn
    row.changes = play.changes
    row.passes = play.passes
    row.cage_taken = play.cage_taken
    row.cage_won = play.cage_won
    row.cage_used = play.cage_used
    row.sent_back = play.sent_back
    row.reshuffles = play.reshuffles
    by_children = 0
    for seat in range(SEATS):
        row.drawn[seat] = play.drawn[seat]
        row.fights_won[seat] = play.fights_won[seat]
        row.fights_lost[seat] = play.fights_lost[seat]
        by_children += play.fights_won[seat] if seat < tab.n_children else 0
    by_gruzels = play.fights_won[tab.n_children]
    row.fights_children = by_children
    row.fights_gruzels = by_gruzels
    row.fights = by_children + by_gruzels
    for seat in range(tab.n_seats):
        row.exposed[seat, DEALT, 0] = state.log.dealt[seat]
        row.exposed[seat, PLAYED, 0] = state.log.played[seat]
        row.exposed[seat, HELD, 0] = held(state, seat, 0 if seat < tab.n_children else 1)


WORTH_OF_GUIDE = 12.0
"""Steps that it costs a side if the other one has the guide: what it takes to catch up and to win a fight."""

HUNT = 30.0
"""Steps that the hunt for the guide counts for at its start."""


@kernel
def lead(state: Any, side: int) -> float:
    """Return how far `side` is ahead, -1 to 1: (other's need - own need) / (sum of both), in steps to the finish."""
    play = state.play
    if play.over and play.reason != CAPPED:
        sign = 0.0
        if play.reason == ARTHUR:
            sign = 1.0
        elif play.reason == MULGARAAT:
            sign = -1.0
        return sign if side == ALL_CHILDREN else -sign
    children = float(nearest(state, ALL_CHILDREN)) + 1.0
    gruzels = float(nearest(state, ALL_GRUZELS)) + 1.0
    if play.guide == HELD_BY_GRUZELS:
        children += WORTH_OF_GUIDE
    else:
        gruzels += WORTH_OF_GUIDE
    if play.guide == NONE:
        unseen = 0
        for room in range(state.tab.n_rooms):
            if play.token[room] > 0 and play.known[room] != EVERYBODY:
                unseen += 1
        children += HUNT * float(1 + unseen) / float(1 + state.tab.n_tokens)
        gruzels += HUNT / 2.0
    share = (gruzels - children) / (gruzels + children)
    return share if side == ALL_CHILDREN else -share
