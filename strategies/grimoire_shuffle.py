"""Players of the library race. A name can stand for both roles of a seat, or for its leader or its walker alone.

Walkers judge the board by ways: the fewest movements from a pawn to its edge as the walls stand. They differ in whose
ways count. Leaders judge books by their worth, about how many spaces they save; they differ in who gets the good ones.
"""

from __future__ import annotations

from typing import Any

from simcore.contract import Param, strategy
from simcore.games.grimoire_shuffle.answers import landings
from simcore.games.grimoire_shuffle.board import draw_room, edge_bit, high_bit, holds, low_bit, rows_to_go, spread
from simcore.games.grimoire_shuffle.books import receiver
from simcore.games.grimoire_shuffle.features import (
    badge_worth,
    book_worth,
    gift,
    kept,
    nearest_teammate,
    way,
    way_from,
)
from simcore.games.grimoire_shuffle.rooms import lay_face, turn_room
from simcore.games.grimoire_shuffle.rules import carry_out
from simcore.games.grimoire_shuffle.state import (
    ARRANGING,
    BOOKS,
    DISTRIBUTING,
    FLIP,
    FLIPPING,
    KEEPING,
    MOVING,
    NONE,
    NORTH_EDGE,
    PAWN,
    PICKING,
    ROTATE,
    SENDING,
    SKIP,
    TEAMS,
    TELEPORT,
    TURNING,
    WORD,
)
from simcore.jit import kernel, routine
from simcore.masks import lowest

_LEAST = -1e9
_FIRST = 100.0  # what comes before everything else


# -- walkers --------------------------------------------------------------------------------------------------------


@routine
def go_closest(state: Any, seat: int, actions: Any, n: int) -> Any:
    """Return the destination with the shortest way round other pawns, if there is one, else through them.

    If all are walled in, it is one in the row closest to the edge.
    """
    play = state.play
    tab = state.tab
    heading = play.heading[seat]
    low, high, edges = 0, 0, 0
    for i in range(n):
        low, high, edges = low | low_bit(actions[i]), high | high_bit(actions[i]), edges | edge_bit(actions[i])
    for through in range(2):
        enter_0, enter_1 = tab.whole[0] & ~play.blocked[0], tab.whole[1] & ~play.blocked[1]
        if through == 0:
            enter_0, enter_1 = enter_0 & ~play.taken[0], enter_1 & ~play.taken[1]
        enter_0, enter_1 = enter_0 | low, enter_1 | high
        ring_0, ring_1, ring_edges = 0, 0, edge_bit(heading)
        while ring_0 | ring_1 | ring_edges:
            if ring_edges & edges:
                return NORTH_EDGE + lowest(ring_edges & edges)
            if ring_0 & low:
                return lowest(ring_0 & low)
            if ring_1 & high:
                return WORD + lowest(ring_1 & high)
            enter_0, enter_1 = enter_0 & ~ring_0, enter_1 & ~ring_1
            ring_0, ring_1, ring_edges = spread(state, ring_0, ring_1, ring_edges, enter_0, enter_1)
            ring_edges &= ~edge_bit(heading)
    best = actions[0]
    for i in range(1, n):
        if rows_to_go(state, heading, actions[i]) < rows_to_go(state, heading, best):
            best = actions[i]
    return best


@kernel
def counts(seat: int, pawn: int, team: float, rivals: float) -> float:
    """Return what a movement of a pawn's way counts."""
    if pawn == seat:
        return 1.0
    return team if pawn % TEAMS == seat % TEAMS else rivals


@routine
def worth_of(state: Any, seat: int, team: float, rivals: float) -> float:
    """Return what a position is worth: short ways of one's own and, as they count, of the team and the rivals.

    One search from each edge finds the ways of all pawns that head for it.
    """
    tab = state.tab
    play = state.play
    total = 0.0
    for heading in range(NORTH_EDGE, NORTH_EDGE + 2):
        low, high, edges, left = 0, 0, 0, 0
        for pawn in range(tab.n_seats):
            if play.heading[pawn] == heading and counts(seat, pawn, team, rivals) != 0.0:
                space = play.pos[pawn]
                low, high, edges = low | low_bit(space), high | high_bit(space), edges | edge_bit(space)
                left |= 1 << pawn
        enter_0, enter_1 = (tab.whole[0] & ~play.blocked[0]) | low, (tab.whole[1] & ~play.blocked[1]) | high
        ring_0, ring_1, ring_edges = 0, 0, edge_bit(heading)
        steps = 0
        while left and ring_0 | ring_1 | ring_edges:
            if (ring_0 & low) | (ring_1 & high) | (ring_edges & edges):
                mask = left
                while mask:
                    pawn = lowest(mask)
                    mask &= mask - 1
                    if holds(ring_0, ring_1, ring_edges, play.pos[pawn]):
                        total -= counts(seat, pawn, team, rivals) * float(steps)
                        left &= ~(1 << pawn)
            enter_0, enter_1 = enter_0 & ~ring_0, enter_1 & ~ring_1
            ring_0, ring_1, ring_edges = spread(state, ring_0, ring_1, ring_edges, enter_0, enter_1)
            ring_edges &= ~edge_bit(heading)
            steps += 1
        while left:
            pawn = lowest(left)
            left &= left - 1
            far = 2 * tab.n_rows + rows_to_go(state, heading, play.pos[pawn])
            total -= counts(seat, pawn, team, rivals) * float(far)
    return total


@kernel
def put_somewhere(state: Any, pawn: int, weight: float, actions: Any, n: int) -> Any:
    """Return where a pawn is best put down by others: near its edge, or far from it if the weight is negative."""
    if weight > 0.0:
        return go_closest(state, pawn, actions, n)
    best = actions[0]
    if weight < 0.0:
        farthest = -1
        for i in range(n):
            if actions[i] != SKIP:
                far = way_from(state, state.play.heading[pawn], actions[i])
                if far > farthest:
                    farthest = far
                    best = actions[i]
    return best


@kernel
def best_sending(state: Any, pawn: int, to: int, weight: float) -> float:
    """Return what the best teleport of a pawn gains."""
    if weight == 0.0:
        return 0.0
    heading = state.play.heading[pawn]
    before = way(state, pawn)
    low, high = landings(state, pawn, to)
    best = _LEAST
    while low | high:
        if low:
            space = lowest(low)
            low &= low - 1
        else:
            space = WORD + lowest(high)
            high &= high - 1
        best = max(best, weight * float(before - way_from(state, heading, space)))
    return best


@kernel
def pick_pawn(state: Any, seat: int, actions: Any, n: int, team: float, rivals: float) -> Any:
    """Return with whom to change places, or whom to teleport; nobody if that costs more than it gains."""
    play = state.play
    step = play.program[play.step]
    mine = play.heading[seat], play.pos[seat]
    best = actions[0]
    most = _LEAST
    for i in range(n):
        gain = 0.0
        if actions[i] != SKIP:
            pawn = actions[i] - PAWN
            weight = counts(seat, pawn, team, rivals)
            if step.op == TELEPORT:
                gain = best_sending(state, pawn, int(step.n), weight)
            else:
                gain = float(way(state, seat) - way_from(state, mine[0], play.pos[pawn]))
                if weight != 0.0:
                    gain += weight * float(way(state, pawn) - way_from(state, play.heading[pawn], mine[1]))
        if gain > most:
            most = gain
            best = actions[i]
    return best


@kernel
def try_out(state: Any, line: Any, action: int, seat: int, team: float, rivals: float) -> float:
    """Return the worth of the board after flipping or turning a room on `line`, which is as before afterwards."""
    flips = state.play.phase == FLIPPING
    room = (action - FLIP) >> 1 if flips else action - ROTATE
    if flips:
        lay_face(line, room, (action - FLIP) & 1)
    else:
        turn_room(line, room)
    worth = worth_of(line, seat, team, rivals)
    if flips:
        line.play.face[room] = state.play.face[room]
        special = line.play.covered[room]
        if special != NONE:
            line.play.special_turned[special] = state.play.special_turned[special]
        draw_room(line, room)
    else:
        turn_room(line, room)
    return worth


@routine
def walk_for(state: Any, seat: int, actions: Any, n: int, work: Any, team: float, rivals: float) -> Any:
    """Return the action after which the position is worth most, the first of equals."""
    play = state.play
    if play.phase == MOVING:
        return go_closest(state, seat, actions, n)
    if play.phase == ARRANGING:
        pawn = lowest(play.lifted)
        return put_somewhere(state, pawn, counts(seat, pawn, team, rivals), actions, n)
    if play.phase == SENDING:
        return put_somewhere(state, play.picked, counts(seat, play.picked, team, rivals), actions, n)
    if play.phase == PICKING:
        return pick_pawn(state, seat, actions, n, team, rivals)
    line = work.line
    work.line = state
    best = actions[0]
    most = _LEAST
    for i in range(n):
        if actions[i] == SKIP:
            worth = worth_of(state, seat, team, rivals)
        elif play.phase == FLIPPING or play.phase == TURNING:
            worth = try_out(state, line, actions[i], seat, team, rivals)
        else:
            carry_out(line, actions[i])
            worth = worth_of(line, seat, team, rivals)
            line.play = state.play
        if worth > most:
            most = worth
            best = actions[i]
    return best


@kernel
def keep_better(state: Any, actions: Any) -> Any:
    """Return the drawn book that is worth more."""
    play = state.play
    first = book_worth(state, int(play.deck[play.head]))
    second = book_worth(state, int(play.deck[(play.head + 1) % BOOKS]))
    return actions[0] if first >= second else actions[1]


# -- leaders --------------------------------------------------------------------------------------------------------


@kernel
def given_worth(state: Any, team: int, action: int) -> float:
    """Return the worth of the books that a distribution gives to teammates."""
    total = 0.0
    for number in range(1, state.tab.n_hand - 1):
        total += book_worth(state, gift(state, team, action, number))
    return total


@routine
def lead_for(
    state: Any, seat: int, actions: Any, n: int, nearest: float, mates: float, rival: float, badge: float
) -> Any:
    """Return the distribution whose books are worth most, weighed by who gets them, the first of equals.

    Parameters
    ----------
    nearest : weight of the book for the teammate with the shortest way, besides `mates`
    mates, rival : weights of the books for all teammates, and for the other leader
    badge : weight of the leader effect that stays on the badge (advanced game)
    """
    team = seat % TEAMS
    closest = nearest_teammate(state, seat) if nearest != 0.0 else 1
    best = actions[0]
    most = _LEAST
    for i in range(n):
        worth = mates * given_worth(state, team, actions[i])
        worth += rival * book_worth(state, gift(state, team, actions[i], 0))
        worth += badge * badge_worth(state, kept(state, team, actions[i]))
        if nearest != 0.0:
            worth += nearest * book_worth(state, gift(state, team, actions[i], closest))
        if worth > most:
            most = worth
            best = actions[i]
    return best


@routine
def lead_thriftily(state: Any, seat: int, actions: Any, n: int, work: Any) -> Any:
    """Return the distribution that brings teammates home with weak books and leaves the good ones in the stack.

    The book of a trophy leaves the game; the others come back. So who can get home gets the weakest book that is worth
    his way, and who can't gets a good one; what is given to the other leader is lost, too.
    """
    team = seat % TEAMS
    ways = work.ints[:]
    for number in range(1, state.tab.n_hand - 1):
        ways[number] = way(state, receiver(state, seat, number))
    best = actions[0]
    most = _LEAST
    for i in range(n):
        worth = -book_worth(state, gift(state, team, actions[i], 0))
        for number in range(1, state.tab.n_hand - 1):
            given = book_worth(state, gift(state, team, actions[i], number))
            worth += _FIRST - given if given >= float(ways[number]) else given
        if worth > most:
            most = worth
            best = actions[i]
    return best


# -- the players ----------------------------------------------------------------------------------------------------


@strategy()
def sprinter(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Runs: what counts is one's own shortest way, others are only in it.

    As leader, gives away what is worth most to teammates and least to the other leader, whoever stands where.
    """
    if state.play.phase == DISTRIBUTING:
        return lead_for(state, seat, actions, n, 0.0, 1.0, -1.0, 1.0)
    if state.play.phase == KEEPING:
        return keep_better(state, actions)
    return walk_for(state, seat, actions, n, work, 0.0, 0.0)


@strategy(spite=Param(0.5, 0, 5, "what a movement that a rival needs more is worth, in own movements"))
def blocker(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Gets in the way: flips, turns and covers rooms, and moves pawns about, so that rivals have farther to go.

    As leader, gives the other leader the worst book, and keeps for the badge what serves the own team best.
    """
    if state.play.phase == DISTRIBUTING:
        return lead_for(state, seat, actions, n, 0.0, 0.01, -_FIRST, 1.0)
    if state.play.phase == KEEPING:
        return keep_better(state, actions)
    return walk_for(state, seat, actions, n, work, 0.0, -params[0])


@strategy(care=Param(0.5, 0, 5, "what a movement that a teammate needs less is worth, in own movements"))
def team_player(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Plays for the team: changes rooms so that teammates have shorter ways, too.

    As leader, gives the best book to the teammate nearest home, the next best to the other, the worst to the rival.
    """
    if state.play.phase == DISTRIBUTING:
        return lead_for(state, seat, actions, n, _FIRST, 1.0, -1.0, 0.5)
    if state.play.phase == KEEPING:
        return keep_better(state, actions)
    return walk_for(state, seat, actions, n, work, params[0], 0.0)


@strategy(care=Param(0.3, 0, 5, "as for team_player"), spite=Param(0.3, 0, 5, "as for blocker"))
def hoarder(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Hoards good books: a trophy takes its book out of the game, so who can get home gets the weakest that will do.

    Walks for the team and against the rivals, both a little.
    """
    if state.play.phase == DISTRIBUTING:
        return lead_thriftily(state, seat, actions, n, work)
    if state.play.phase == KEEPING:
        return keep_better(state, actions)
    return walk_for(state, seat, actions, n, work, params[0], -params[1])
