"""The rules of the library race as a step machine. "RB" is the rulebook, "ruling X1" the tables in docs/games.md.

Kernels only, in the order of the rulebook: set-up, distribution, turns, what the steps of a book do, trophies, the end
of a round and of the game, scoring.
"""

from __future__ import annotations

from typing import Any

from simcore.contract import ABSENT
from simcore.games.grimoire_shuffle.board import (
    draw_room,
    high_bit,
    low_bit,
    placed_high,
    placed_low,
    reach,
    row_of,
    rows_to_go,
    turned_space,
    walls_passed,
    write_spaces,
)
from simcore.games.grimoire_shuffle.state import (
    ALL,
    ARRANGING,
    BADGE,
    BADGE_BIT,
    BOOKS,
    CAPPED,
    CLEAR,
    CLEAR_ROOM,
    CLEARING,
    COVER,
    CROSSINGS,
    DEALT,
    DECK_STREAM,
    DISTRIBUTING,
    EVERYBODY,
    FIRST_BIT,
    FLIP,
    FLIP_ROOM,
    FLIPPING,
    GIVE,
    HELD,
    IGNORE_WALLS,
    IN_ROW,
    KEEP,
    KEEPING,
    LEADER,
    LEADER_STREAM,
    MOVE,
    MOVING,
    NONE,
    NORTH_EDGE,
    OPPONENT,
    OTHER,
    OWN,
    PAWN,
    PICKING,
    PLACE_ROOM,
    PLACING,
    PLAYED,
    PROGRAM,
    ROOM_STREAM,
    ROOMS,
    ROTATE,
    ROTATE_ROOM,
    SAME_ROW,
    SEATS,
    SENDING,
    SKIP,
    SOUTH_EDGE,
    SPACES,
    SPECIALS,
    STACK,
    STACK_BIT,
    STRETCH,
    SUDDEN,
    SWAP,
    TEAM,
    TEAMMATE,
    TEAMS,
    TELEPORT,
    THROUGH_WALL,
    TROPHIES,
    TURN_STREAM,
    TURNING,
    WALKER,
)
from simcore.jit import kernel, routine
from simcore.masks import lowest
from simcore.rng import below, rekey, seek, shuffle


@kernel
def setup(state: Any) -> None:
    """Write all of `state.play` and play up to the first decision. Source: RB, Setting Up and First Turn."""
    play = state.play
    play.over = 0
    play.reason = CAPPED
    play.winner = NONE
    play.sudden = 0
    play.rounds = 0
    play.turns = 0
    play.turn = 0
    clear_turn(state)
    for index in range(PROGRAM):
        write_step(play.program[index], 0, 0, 0, 0)
    clear_log(state)
    lay_rooms(state)
    place_pawns(state)
    choose_leaders(state)
    deal_books(state)
    begin_round(state)
    advance(state)


@kernel
def clear_log(state: Any) -> None:
    """Start all counters."""
    log = state.log
    log.flips, log.rotations, log.specials, log.skipped, log.walks, log.idle_walks = 0, 0, 0, 0, 0, 0
    for seat in range(SEATS):
        log.rows[seat], log.idle_turns[seat] = 0, 0
        log.held[seat], log.played[seat], log.badge[seat] = 0, 0, 0
    for book in range(BOOKS):
        log.book_rows[book], log.book_uses[book] = 0, 0


@routine
def clear_turn(state: Any) -> None:
    """Forget all about the turn before."""
    play = state.play
    play.book, play.book_team, play.book_slot = NONE, NONE, NONE
    play.step, play.n_program = 0, 0
    play.crossings, play.passing, play.immune, play.banned = 0, 0, 0, 0
    play.last_flip, play.last_turned, play.picked, play.room = NONE, NONE, NONE, NONE
    play.lifted = 0
    play.start_row = 0


@kernel
def write_step(step: Any, op: int, n: int, other: int, may: int) -> None:
    """Write a step of a program."""
    step.op, step.n, step.other, step.may = op, n, other, may


@routine
def lay_rooms(state: Any) -> None:
    """Lay out the board: random rooms, each with a random face and half turn (ruling A1)."""
    tab = state.tab
    play = state.play
    for direction in range(4):
        play.own[direction, 0], play.own[direction, 1] = 0, 0
    for word in range(2):
        play.slide[word], play.stop[word], play.blocked[word] = 0, 0, 0
    for special in range(SPECIALS):
        play.special_at[special], play.special_turned[special] = NONE, 0
    items = state.tmp.items[:]
    for card in range(tab.n_cards):
        items[card] = card
    shuffle(state.rng, ROOM_STREAM, items, int(tab.n_cards))
    for room in range(ROOMS):
        play.covered[room], play.card[room], play.face[room] = NONE, NONE, 0
    for room in range(tab.n_rooms):
        play.card[room] = items[room]
        play.face[room] = below(state.rng, ROOM_STREAM, 4)
        draw_room(state, room)


@kernel
def place_pawns(state: Any) -> None:
    """Put the pawns of each team on its own edge: even seats in the south, odd ones in the north (ruling A2)."""
    play = state.play
    play.taken[0], play.taken[1] = 0, 0
    for seat in range(SEATS):
        play.pos[seat] = SOUTH_EDGE if seat % 2 == 0 else NORTH_EDGE
        play.heading[seat] = NORTH_EDGE if seat % 2 == 0 else SOUTH_EDGE
        play.trophies[seat] = 0
    for team in range(TEAMS):
        play.team_trophies[team], play.first_trophy[team] = 0, NONE


@kernel
def choose_leaders(state: Any) -> None:
    """Draw the first leaders: any seat of the red team, and a neighbour (rulings A3 and A4)."""
    play = state.play
    n = state.tab.n_seats
    red = TEAMS * below(state.rng, LEADER_STREAM, n // TEAMS)
    left = below(state.rng, LEADER_STREAM, 2)
    play.right = red if left else (red + n - 1) % n
    play.first_right = play.right


@routine
def deal_books(state: Any) -> None:
    """Shuffle the books and deal a stack to each team, the red one first."""
    tab = state.tab
    play = state.play
    items = state.tmp.items[:]
    for book in range(BOOKS):
        items[book] = book
        play.trophy_of[book] = NONE
        play.deck[book] = NONE
        play.deck_known[book] = 0
    shuffle(state.rng, DECK_STREAM, items, int(tab.n_books))
    dealt = 0
    for team in range(TEAMS):
        play.n_stack[team], play.n_pile[team], play.dealt_out[team] = tab.n_hand, 0, 0
        for slot in range(STACK):
            play.stack[team, slot], play.stack_known[team, slot] = NONE, 0
            play.dest[team, slot], play.shown[team, slot] = NONE, 0
            play.pile[team, slot], play.pile_known[team, slot] = NONE, 0
            if slot < tab.n_hand:
                play.stack[team, slot] = items[dealt]
                dealt += 1
    play.head = 0
    play.left = tab.n_books - dealt
    for place in range(play.left):
        play.deck[place] = items[dealt + place]


# -- distribution ---------------------------------------------------------------------------------------------------


@kernel
def leader_of(state: Any, team: int) -> int:
    """Return the seat of a team's leader: the right-hand one, or the seat to his left."""
    right = state.play.right
    return right if right % TEAMS == team else (right + 1) % state.tab.n_seats


@routine
def begin_round(state: Any) -> None:
    """Let both leaders look at their stacks and distribute them. Source: RB, 1 - Distribution; ruling A7."""
    play = state.play
    play.rounds += 1
    play.turn = 0
    rekey(state.rng, TURN_STREAM, play.rounds)
    for team in range(TEAMS):
        leader = leader_of(state, team)
        play.dealt_out[team] = 0
        for slot in range(STACK):
            play.dest[team, slot], play.shown[team, slot] = NONE, 0
            if slot < play.n_stack[team]:
                play.stack_known[team, slot] |= 1 << leader
                state.log.held[leader] |= 1 << int(play.stack[team, slot])
    play.phase = DISTRIBUTING
    play.role = LEADER


@kernel
def ask_leader(state: Any) -> bool:
    """Ask the first leader who has not distributed, the right-hand one first; return whether there is one."""
    play = state.play
    team = play.right % TEAMS
    if play.dealt_out[team]:
        team = 1 - team
    play.seat = leader_of(state, team)
    return play.dealt_out[team] == 0


@kernel
def gifts(state: Any, team: int) -> int:
    """Return how many books a leader gives away: players first, the badge last (ruling A12)."""
    return min(state.tab.n_hand - 1, state.play.n_stack[team])


@routine
def write_gifts(state: Any, team: int, actions: Any) -> int:
    """Write every way to distribute a stack."""
    n = state.play.n_stack[team]
    count = gifts(state, team)
    written = 0
    for first in range(n if count > 0 else 1):
        for second in range(n if count > 1 else 1):
            for third in range(n if count > 2 else 1):
                if (count > 1 and second == first) or (count > 2 and third in (first, second)):
                    continue
                actions[written] = GIVE + 16 * first + 4 * second + third
                written += 1
    return written


@kernel
def receiver(state: Any, leader: int, number: int) -> int:
    """Return who gets gift `number`: the other leader, then the teammates to the left."""
    n = state.tab.n_seats
    if number == 0:
        return (leader + 1) % n if leader == state.play.right else (leader + n - 1) % n
    return (leader + TEAMS * number) % n


@kernel
def distribute(state: Any, code: int) -> None:
    """Lay the books of the acting leader face down on the badges. Source: RB, 1 - Distribution."""
    play = state.play
    leader = play.seat
    team = leader % TEAMS
    count = gifts(state, team)
    for slot in range(play.n_stack[team]):
        play.dest[team, slot] = BADGE
    for number in range(count):
        slot = code >> (4 - 2 * number) & 3
        play.dest[team, slot] = receiver(state, leader, number)
    play.dealt_out[team] = 1


@kernel
def badge_slot(state: Any, team: int) -> int:
    """Return the slot of the book on a leader badge, NONE if it is short."""
    for slot in range(state.play.n_stack[team]):
        if state.play.dest[team, slot] == BADGE:
            return slot
    return NONE


# -- turns ----------------------------------------------------------------------------------------------------------


@kernel
def show_badges(state: Any) -> None:
    """Show the books on the badges if they count."""
    play = state.play
    for team in range(TEAMS):
        slot = badge_slot(state, team)
        if slot != NONE:
            state.log.badge[leader_of(state, team)] |= 1 << int(play.stack[team, slot])
            if state.tab.advanced:
                play.shown[team, slot] = 1
                play.stack_known[team, slot] = EVERYBODY


@routine
def begin_turn(state: Any) -> None:
    """Show the next player's book. Source: RB, 2 - Turns."""
    play = state.play
    n = state.tab.n_seats
    clear_turn(state)
    seat = (play.right + 2 + play.turn) % n
    play.seat = seat
    play.role = WALKER
    play.phase = MOVING
    play.turn += 1
    play.turns += 1
    for team in range(TEAMS):
        for slot in range(play.n_stack[team]):
            if play.dest[team, slot] == seat:
                play.book, play.book_team, play.book_slot = play.stack[team, slot], team, slot
                play.shown[team, slot] = 1
                play.stack_known[team, slot] = EVERYBODY
                state.log.played[seat] |= 1 << play.book
    write_program(state, seat)
    play.start_row = rows_to_go(state, play.heading[seat], play.pos[seat])


@kernel
def concerns(state: Any, team: int, seat: int) -> bool:
    """Return whether the leader effect on the badge of a team works on a seat (ruling L1)."""
    scope = state.tab.books[state.play.stack[team, badge_slot(state, team)]].scope
    return scope == ALL or (scope == TEAM) == (seat % TEAMS == team)


@kernel
def effect_of(state: Any, team: int, seat: int) -> int:
    """Return the book whose leader effect a team's badge has for a seat, NONE if there is none (ruling L3)."""
    if state.tab.advanced == 0:
        return NONE
    slot = badge_slot(state, team)
    if slot == NONE or not concerns(state, team, seat):
        return NONE
    return int(state.play.stack[team, slot])


@routine
def write_program(state: Any, seat: int) -> None:
    """Write what the turn consists of: steps of leader effects before, of the book, and after; the own badge first."""
    tab = state.tab
    play = state.play
    bonus, penalty, shakes = 0, 0, 0
    for index in range(TEAMS):
        book = effect_of(state, (seat + index) % TEAMS, seat)
        if book != NONE:
            effect = tab.books[book]
            bonus += effect.bonus
            penalty += effect.penalty
            shakes |= effect.shakes
            play.crossings += effect.crossings
            play.passing |= effect.passing
            play.immune |= effect.immune
            play.banned |= effect.banned
            for position in range(effect.n_before):
                add_step(state, effect.before[position])
    play.crossings = min(play.crossings, CROSSINGS)
    if play.book != NONE:
        book_steps = tab.books[play.book]
        for position in range(book_steps.n_steps):
            add_step(state, book_steps.steps[position])
            if bonus and book_steps.steps[position].op == MOVE:
                play.program[play.n_program - 1].n += bonus
                bonus = 0
    for index in range(TEAMS):
        book = effect_of(state, (seat + index) % TEAMS, seat)
        if book != NONE:
            effect = tab.books[book]
            for position in range(effect.n_after):
                add_step(state, effect.after[position])
    for position in range(play.n_program):
        step = play.program[position]
        if step.op == MOVE or step.op == IGNORE_WALLS:
            step.n = min(STRETCH, max(min(step.n, 1), step.n - penalty))
    if shakes and play.banned >> ROTATE_ROOM & 1 == 0:
        seek(state.rng, TURN_STREAM, play.turn - 1)
        turn_room(state, below(state.rng, TURN_STREAM, int(tab.n_rooms)))


@kernel
def add_step(state: Any, step: Any) -> None:
    """Add a step to the program of the turn."""
    play = state.play
    write_step(play.program[play.n_program], step.op, step.n, step.other, step.may)
    play.n_program += 1


@routine
def advance(state: Any) -> None:
    """Go on to the next decision: the other distribution, the next step, turn or round, or the end."""
    play = state.play
    if play.phase == DISTRIBUTING:
        if ask_leader(state):
            return
        show_badges(state)
    elif play.phase != KEEPING:
        if find_step(state):
            return
        end_turn(state)
        if play.over or play.phase == KEEPING:
            return
    while True:
        if play.turn == state.tab.n_seats:
            end_round(state)
            if not play.over:
                ask_leader(state)
            return
        begin_turn(state)
        if find_step(state):
            return
        end_turn(state)
        if play.over or play.phase == KEEPING:
            return


@routine
def find_step(state: Any) -> bool:
    """Go to the next step that can be carried out and ask for it; return whether there is one.

    A step that is impossible or forbidden is skipped (rulings C10 and L2).
    """
    play = state.play
    while play.step < play.n_program:
        step = play.program[play.step]
        if play.banned >> step.op & 1 == 0 and ask_step(state, step):
            return True
        state.log.skipped += 1
        play.step += 1
    return False


@kernel
def ask_step(state: Any, step: Any) -> bool:
    """Set the phase for a step; return whether it can be carried out."""
    play = state.play
    seat = play.seat
    op = step.op
    if op == TELEPORT and step.other == 0:
        low, high = landings(state, seat, int(step.n))
        play.phase = SENDING
        play.picked = seat
        return low | high != 0
    if op == TELEPORT or op == SWAP:
        play.phase = PICKING
        return partners(state, seat, step) != 0
    if op == FLIP_ROOM or op == ROTATE_ROOM:
        play.phase = FLIPPING if op == FLIP_ROOM else TURNING
        if step.n == OWN:
            return play.pos[seat] < SPACES
        return step.n != OTHER or state.tab.n_rooms > 1
    if op == PLACE_ROOM:
        play.phase = PLACING
        return True
    if op == CLEAR_ROOM:
        play.phase = CLEARING
        return specials_out(state) != 0
    play.phase = MOVING
    if op == THROUGH_WALL:
        reach(state, seat, THROUGH_WALL, 1)
        return (state.tmp.near[0, 0] | state.tmp.near[0, 1] | state.tmp.edges[0]) != 0
    return True


@kernel
def legal(state: Any, actions: Any) -> int:
    """Write what the acting seat may answer into `actions` (int64), ascending, and return how many."""
    play = state.play
    if play.phase == DISTRIBUTING:
        return write_gifts(state, play.seat % TEAMS, actions)
    if play.phase == KEEPING:
        actions[0], actions[1] = KEEP, KEEP + 1
        return 2
    if play.phase == ARRANGING:
        low, high = room_spaces(state, play.room)
        return write_spaces(actions, low & ~play.taken[0], high & ~play.taken[1], 0)
    step = play.program[play.step]
    if play.phase == MOVING:
        sets = reach(state, play.seat, int(step.op), int(step.n))
        tmp = state.tmp
        return write_spaces(actions, tmp.near[sets - 1, 0], tmp.near[sets - 1, 1], tmp.edges[sets - 1])
    n = 0
    if play.phase == SENDING:
        low, high = landings(state, play.picked, int(step.n))
        n = write_spaces(actions, low, high, 0)
        if step.other:
            return n
    elif play.phase == PICKING:
        n = write_members(actions, partners(state, play.seat, step), PAWN)
    elif play.phase == CLEARING:
        n = write_members(actions, specials_out(state), CLEAR)
    else:
        n = write_rooms(state, step, actions)
    if step.may:
        actions[n] = SKIP
        n += 1
    return n


@kernel
def write_members(actions: Any, mask: int, first: int) -> int:
    """Write the members of `mask`, counted from `first`, into `actions`; return how many."""
    n = 0
    while mask:
        actions[n] = first + lowest(mask)
        mask &= mask - 1
        n += 1
    return n


@routine
def write_rooms(state: Any, step: Any, actions: Any) -> int:
    """Write the rooms that may be flipped, turned or covered, and how a flipped one may be laid down."""
    play = state.play
    own = state.tab.room_of[play.pos[play.seat]] if step.op != PLACE_ROOM and step.n == OWN else NONE
    last = play.last_flip if step.op == FLIP_ROOM else play.last_turned
    barred = last if step.op != PLACE_ROOM and step.n == OTHER else NONE
    n = 0
    for room in range(state.tab.n_rooms):
        if room == barred or (own != NONE and room != own):
            continue
        if step.op == FLIP_ROOM:
            actions[n], actions[n + 1] = FLIP + 2 * room, FLIP + 2 * room + 1
            n += 2
        else:
            actions[n] = (COVER if step.op == PLACE_ROOM else ROTATE) + room
            n += 1
    return n


@kernel
def room_spaces(state: Any, room: int) -> tuple[int, int]:
    """Return the spaces of a room."""
    tab = state.tab
    first = tab.corner[room]
    return placed_low(tab.outline, first), placed_high(tab.outline, first)


@routine
def landings(state: Any, seat: int, to: int) -> tuple[int, int]:
    """Return where a pawn may be teleported to: free, not blocked, never from or to an edge (rulings D8 and D9)."""
    tab = state.tab
    play = state.play
    space = play.pos[seat]
    if space >= NORTH_EDGE:
        return 0, 0
    if to == SAME_ROW:
        first = row_of(state, space) * tab.width
        row = (1 << tab.width) - 1
        low, high = placed_low(row, first), placed_high(row, first)
    else:
        low, high = room_spaces(state, int(tab.room_of[space]))
    return low & ~play.taken[0] & ~play.blocked[0], high & ~play.taken[1] & ~play.blocked[1]


@routine
def partners(state: Any, seat: int, step: Any) -> int:
    """Return the bit mask of seats whose pawn may be chosen for a swap or to be teleported."""
    play = state.play
    found = 0
    space = play.pos[seat]
    for other in range(state.tab.n_seats):
        if other == seat or play.pos[other] >= NORTH_EDGE:
            continue
        if step.op == TELEPORT:
            low, high = landings(state, other, int(step.n))
            fits = (low | high) != 0
        elif space >= NORTH_EDGE:
            fits = False
        else:
            teammate = other % TEAMS == seat % TEAMS
            in_row = row_of(state, play.pos[other]) == row_of(state, space)
            fits = step.n == TEAMMATE and teammate
            fits |= step.n == IN_ROW and in_row
            fits |= step.n == OPPONENT and in_row and not teammate
        if fits:
            found |= 1 << other
    return found


@kernel
def specials_out(state: Any) -> int:
    """Return the bit mask of special rooms on the board."""
    found = 0
    for special in range(state.tab.n_specials):
        if state.play.special_at[special] != NONE:
            found |= 1 << special
    return found


@kernel
def apply(state: Any, action: int) -> None:
    """Carry out `action` of the acting seat and go on to the next decision. Legality is not checked."""
    play = state.play
    if play.phase == DISTRIBUTING:
        distribute(state, action - GIVE)
    elif play.phase == KEEPING:
        keep_book(state, action - KEEP)
    else:
        carry_out(state, action)
        if play.lifted:
            play.phase = ARRANGING
            return
        if play.picked != NONE and play.phase == PICKING:
            play.phase = SENDING
            return
        play.picked = NONE
        play.step += 1
    advance(state)


@kernel
def carry_out(state: Any, action: int) -> None:
    """Do to the board what `action` of a walker says, and nothing else."""
    play = state.play
    if action == SKIP:
        return
    if play.phase == MOVING:
        step = play.program[play.step]
        walk(state, play.seat, int(step.op), int(step.n), action)
    elif play.phase == FLIPPING:
        flip_room(state, (action - FLIP) >> 1, (action - FLIP) & 1)
    elif play.phase == ARRANGING:
        put_back(state, action)
    elif play.phase == TURNING:
        play.last_turned = action - ROTATE
        turn_room(state, action - ROTATE)
    elif play.phase == PLACING:
        cover_room(state, int(play.program[play.step].n), action - COVER)
    elif play.phase == CLEARING:
        lift_special(state, action - CLEAR)
    elif play.phase == SENDING:
        move_pawn(state, play.picked, action)
    elif play.program[play.step].op == TELEPORT:
        play.picked = action - PAWN
    else:
        swap_pawns(state, play.seat, action - PAWN)


# -- what the steps do ----------------------------------------------------------------------------------------------


@routine
def walk(state: Any, seat: int, op: int, steps: int, space: int) -> None:
    """Move the walker's own pawn to where its movement ends."""
    play = state.play
    to_go = rows_to_go(state, play.heading[seat], play.pos[seat])
    if to_go:
        state.log.walks += 1
        if rows_to_go(state, play.heading[seat], space) >= to_go:
            state.log.idle_walks += 1
    play.crossings -= walls_passed(state, seat, op, steps, space)
    move_pawn(state, seat, space)


@kernel
def move_pawn(state: Any, seat: int, space: int) -> None:
    """Take a pawn from where it is and put it down elsewhere."""
    play = state.play
    play.taken[0] &= ~low_bit(play.pos[seat])
    play.taken[1] &= ~high_bit(play.pos[seat])
    put_pawn(state, seat, space)


@kernel
def put_pawn(state: Any, seat: int, space: int) -> None:
    """Put down a pawn that is in nobody's way."""
    play = state.play
    play.pos[seat] = space
    play.taken[0] |= low_bit(space)
    play.taken[1] |= high_bit(space)


@kernel
def swap_pawns(state: Any, seat: int, other: int) -> None:
    """Let two pawns change places; nobody enters a free space, blocked or not (ruling D10)."""
    play = state.play
    play.pos[seat], play.pos[other] = play.pos[other], play.pos[seat]


@kernel
def pawns_in(state: Any, room: int) -> int:
    """Return the bit mask of seats with a pawn in a room."""
    found = 0
    for seat in range(state.tab.n_seats):
        space = state.play.pos[seat]
        if space < SPACES and state.tab.room_of[space] == room:
            found |= 1 << seat
    return found


@routine
def flip_room(state: Any, room: int, turned: int) -> None:
    """Turn a room over, laid down either way; its pawns are lifted, to be put back one by one (rulings D1 and D2)."""
    play = state.play
    play.last_flip = room
    play.room = room
    play.lifted = pawns_in(state, room)
    low, high = room_spaces(state, room)
    play.taken[0] &= ~low
    play.taken[1] &= ~high
    state.log.flips += 1
    lay_face(state, room, turned)


@kernel
def lay_face(state: Any, room: int, turned: int) -> None:
    """Turn over the card that lies uppermost in a room; both faces of a special room are alike (ruling D2)."""
    play = state.play
    if play.covered[room] != NONE:
        play.special_turned[play.covered[room]] = turned
    else:
        play.face[room] = 2 * turned + 1 - (play.face[room] & 1)
    draw_room(state, room)


@kernel
def put_back(state: Any, space: int) -> None:
    """Put the first lifted pawn down in the room."""
    play = state.play
    seat = lowest(play.lifted)
    play.lifted &= play.lifted - 1
    put_pawn(state, seat, space)


@routine
def turn_room(state: Any, room: int) -> None:
    """Turn a room by 180 degrees with the pawns in it. Source: RB, Rotate a Room."""
    play = state.play
    state.log.rotations += 1
    pawns = pawns_in(state, room)
    low, high = room_spaces(state, room)
    play.taken[0] &= ~low
    play.taken[1] &= ~high
    while pawns:
        seat = lowest(pawns)
        pawns &= pawns - 1
        put_pawn(state, seat, turned_space(state, room, play.pos[seat]))
    turn_face(state, room)


@kernel
def turn_face(state: Any, room: int) -> None:
    """Turn the card that lies uppermost in a room by 180 degrees."""
    play = state.play
    if play.covered[room] != NONE:
        play.special_turned[play.covered[room]] ^= 1
    else:
        play.face[room] ^= 2
    draw_room(state, room)


@routine
def cover_room(state: Any, special: int, room: int) -> None:
    """Lay a special room on a room; pawns stay where they are (rulings D4 to D6)."""
    play = state.play
    if play.special_at[special] != NONE:
        lift_special(state, special)
    if play.covered[room] != NONE:
        lift_special(state, int(play.covered[room]))
    play.covered[room] = special
    play.special_at[special] = room
    play.special_turned[special] = 0
    state.log.specials += 1
    draw_room(state, room)


@routine
def lift_special(state: Any, special: int) -> None:
    """Take a special room off the board; pawns stay in the room underneath."""
    play = state.play
    room = int(play.special_at[special])
    play.covered[room] = NONE
    play.special_at[special] = NONE
    play.special_turned[special] = 0
    draw_room(state, room)


# -- trophies -------------------------------------------------------------------------------------------------------


@routine
def end_turn(state: Any) -> None:
    """Let who stands on the far edge keep the book as a trophy and draw; else it goes under the badge (B1 to B3).

    The phase is KEEPING afterwards if there is a choice between two books.
    """
    play = state.play
    seat = play.seat
    arrived = play.pos[seat] == play.heading[seat]
    gained = play.start_row - rows_to_go(state, play.heading[seat], play.pos[seat])
    state.log.rows[seat] += gained
    if gained <= 0 and not arrived:
        state.log.idle_turns[seat] += 1
    if play.book == NONE:
        return
    state.log.book_rows[play.book] += gained
    state.log.book_uses[play.book] += 1
    play.stack[play.book_team, play.book_slot] = NONE
    if arrived:
        win_trophy(state, seat)
    else:
        add_to_pile(state, seat % TEAMS, play.book, EVERYBODY)


@kernel
def win_trophy(state: Any, seat: int) -> None:
    """Put the book aside, turn round, and choose between the top two books of the deck (ruling A12)."""
    play = state.play
    team = seat % TEAMS
    play.trophy_of[play.book] = seat
    play.trophies[seat] += 1
    play.team_trophies[team] += 1
    if play.first_trophy[team] == NONE:
        play.first_trophy[team] = play.rounds
    if play.sudden:
        finish(state, team, SUDDEN)
        return
    play.heading[seat] = NORTH_EDGE + SOUTH_EDGE - play.heading[seat]
    if play.left >= 2:
        play.phase = KEEPING
        for index in range(2):
            play.deck_known[(play.head + index) % BOOKS] = 1 << seat
        return
    if play.left == 1:
        play.deck_known[play.head] |= 1 << seat
        draw_to_pile(state, team)


@kernel
def keep_book(state: Any, which: int) -> None:
    """Put one of two drawn books under the badge and the other under the deck; only the drawer has seen them."""
    play = state.play
    seat = play.seat
    other = int(play.deck[(play.head + 1 - which) % BOOKS])
    kept = int(play.deck[(play.head + which) % BOOKS])
    for _ in range(2):
        take_top(state)
    add_to_pile(state, seat % TEAMS, kept, 1 << seat)
    put_under_deck(state, other, 1 << seat)


@kernel
def take_top(state: Any) -> None:
    """Take the top book off the deck."""
    play = state.play
    play.deck[play.head], play.deck_known[play.head] = NONE, 0
    play.head = (play.head + 1) % BOOKS
    play.left -= 1


@kernel
def draw_to_pile(state: Any, team: int) -> None:
    """Put the top book of the deck under a badge; who knew where it lay knows where it went."""
    play = state.play
    book, known = int(play.deck[play.head]), int(play.deck_known[play.head])
    take_top(state)
    add_to_pile(state, team, book, known)


@routine
def put_under_deck(state: Any, book: int, known: int) -> None:
    """Put a book under the deck."""
    play = state.play
    place = (play.head + play.left) % BOOKS
    play.deck[place], play.deck_known[place] = book, known
    play.left += 1


@routine
def add_to_pile(state: Any, team: int, book: int, known: int) -> None:
    """Put a book under a leader badge."""
    play = state.play
    place = play.n_pile[team]
    play.pile[team, place], play.pile_known[team, place] = book, known
    play.n_pile[team] = place + 1


# -- the end of a round, and of the game ----------------------------------------------------------------------------


@kernel
def finish(state: Any, team: int, reason: int) -> None:
    """End the game with a winner."""
    play = state.play
    play.winner = team
    play.reason = reason
    play.over = 1


@routine
def end_round(state: Any) -> None:
    """Look who is complete, exchange badge books, pass the right-hand badge. RB, End of Round; rulings B4 to B8."""
    tab = state.tab
    play = state.play
    if play.sudden == 0:
        red = play.team_trophies[0] >= tab.goal
        blue = play.team_trophies[1] >= tab.goal
        if red != blue:
            finish(state, 0 if red else 1, TROPHIES)
            return
        play.sudden = 1 if red else 0
    if play.rounds >= tab.round_cap:
        play.over = 1
        return
    exchange_badges(state)
    for team in range(TEAMS):
        take_up_pile(state, team)
    play.right = (play.right + 1) % tab.n_seats
    begin_round(state)


@kernel
def exchange_badges(state: Any) -> None:
    """Put the badge books under the deck, the right-hand leader's first, then draw as many (ruling A11)."""
    play = state.play
    short = 0
    for index in range(TEAMS):
        team = (play.right + index) % TEAMS
        slot = badge_slot(state, team)
        if slot == NONE:
            short |= 1 << team
        else:
            put_under_deck(state, int(play.stack[team, slot]), int(play.stack_known[team, slot]))
            play.stack[team, slot] = NONE
    for index in range(TEAMS):
        team = (play.right + index) % TEAMS
        if short >> team & 1 == 0:
            draw_to_pile(state, team)


@kernel
def take_up_pile(state: Any, team: int) -> None:
    """Make the books under a badge the next stack."""
    play = state.play
    play.n_stack[team] = play.n_pile[team]
    play.n_pile[team] = 0
    for slot in range(STACK):
        play.stack[team, slot], play.stack_known[team, slot] = play.pile[team, slot], play.pile_known[team, slot]
        play.pile[team, slot], play.pile_known[team, slot] = NONE, 0


# -- scoring --------------------------------------------------------------------------------------------------------


@kernel
def score(state: Any, row: Any) -> None:
    """Write the outcome row. Side = team."""
    play = state.play
    log = state.log
    row.winners = 0 if play.winner == NONE else 1 << play.winner
    row.turns = play.turns
    row.rounds = play.rounds
    row.reason = play.reason
    row.sudden = play.sudden
    row.flips, row.rotations, row.specials = log.flips, log.rotations, log.specials
    row.skipped, row.walks, row.idle_walks = log.skipped, log.walks, log.idle_walks
    row.first_leader_won = 1 if play.winner == play.first_right % TEAMS else 0
    for seat in range(SEATS):
        team = seat % TEAMS
        seated = seat < state.tab.n_seats
        row.trophies[seat] = play.trophies[seat]
        row.team_trophies[seat] = play.team_trophies[team] if seated else 0
        row.first_trophy[seat] = ABSENT if play.first_trophy[team] == NONE else play.first_trophy[team]
        row.rows[seat] = log.rows[seat]
        row.idle_turns[seat] = log.idle_turns[seat]
        mark_books(row, seat, PLAYED, 0, log.played[seat])
        mark_books(row, seat, DEALT, STACK_BIT, log.held[seat])
        mark_books(row, seat, DEALT, BADGE_BIT, log.badge[seat])
    for book in range(BOOKS):
        row.rows_gained[book, 0], row.rows_gained[book, 1] = log.book_uses[book], log.book_rows[book]
    for team in range(TEAMS):
        leader = leader_of(state, team)
        for slot in range(STACK):
            if play.stack[team, slot] != NONE:
                mark_books(row, leader, HELD, 0, 1 << int(play.stack[team, slot]))
            if play.pile[team, slot] != NONE:
                mark_books(row, leader, HELD, 0, 1 << int(play.pile[team, slot]))
    row.exposed[play.first_right, DEALT, FIRST_BIT >> 5] |= 1


@kernel
def mark_books(row: Any, seat: int, exposure: int, first: int, books: int) -> None:
    """Set the bits of books, counted from `first`, in an exposure mask."""
    row.exposed[seat, exposure, first >> 5] |= books


@kernel
def progress(state: Any, seat: int) -> float:
    """Return how much of the way across the board a pawn has behind it, 0 to 1."""
    rows = state.tab.n_rows + 1
    return 1.0 - float(rows_to_go(state, state.play.heading[seat], state.play.pos[seat])) / float(rows)


@kernel
def lead(state: Any, side: int) -> float:
    """Return how far a team is ahead, -1 to 1: d / (|d| + 2) for d trophies more, ways begun counted in part.

    A team that has won is ahead by 1.
    """
    play = state.play
    if play.winner != NONE:
        return 1.0 if play.winner == side else -1.0
    ahead = 0.0
    for seat in range(state.tab.n_seats):
        part = progress(state, seat)
        ahead += part if seat % TEAMS == side else -part
    ahead += float(play.team_trophies[side] - play.team_trophies[1 - side])
    return ahead / (abs(ahead) + 2.0)
