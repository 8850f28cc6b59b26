"""Players of the hunt and the race: three kinds of children, three kinds of gruzels.

Each also knows how to sit on the other side of the table, where it plays plainly: children's players chase there, and
gruzels' players explore and run.
"""

from __future__ import annotations

from typing import Any

from simcore.contract import Param, strategy
from simcore.games.field_guide.features import (
    FAR,
    aims,
    fight_outlook,
    is_sent_back,
    leading_child,
    off_by,
    room_of_number,
    steps_gained,
    steps_left,
    turns_from,
    unseen_tokens,
)
from simcore.games.field_guide.state import (
    AIM,
    ALL_CHILDREN,
    CAGE,
    CARD,
    CARRY,
    CARRYING,
    CHAIN,
    CHILDREN,
    FIGHT,
    HELD_BY_GRUZELS,
    HOUSE,
    KEEP,
    LAY,
    LAYING,
    MOVE,
    NONE,
    OPPONENT,
    SPEND,
    STAY,
    STRIDE,
    STRIKE,
    TARGET,
    TURN,
    WARD,
)
from simcore.games.field_guide.table import owner_of
from simcore.jit import kernel
from simcore.rng import below, uniform

_LEAST = -1e9
_HALF = 0.5  # decides between equals


# -- the house ------------------------------------------------------------------------------------------------------


@kernel
def explore(state: Any, seat: int, actions: Any, n: int) -> Any:
    """Return the way out if there is one, else the square from which the next aim is the fewest turns away.

    The aim is a token nobody has turned over; number 1 once all are known; the door once the guide is found.
    """
    if actions[n - 1] >= MOVE:
        return actions[n - 1]
    square = state.play.square[seat]
    room = state.tab.room_at[square]
    best = STAY
    wanted = aims(state, seat)
    fewest = turns_from(state, square, wanted)
    if room != NONE and state.play.guide == NONE and state.play.token[room] == 1:
        # alone, one may try again from here; else, with nothing left to find, one has to go and come back
        if state.tab.n_seats <= state.tab.retry_players:
            fewest = 0.0
        elif wanted == 1 << room:
            fewest = FAR
    for i in range(n):
        if actions[i] != STAY:
            turns = turns_from(state, actions[i], wanted)
            if turns < fewest:
                fewest = turns
                best = actions[i]
    return best


@kernel
def turn_token(state: Any, seat: int, actions: Any, n: int) -> Any:
    """Return the token that is the next one, as far as the seat can tell; else any that it has not seen."""
    room = room_of_number(state, seat, state.play.next)
    if room != NONE:
        return TURN + room
    unseen = unseen_tokens(state, seat)
    pick = below(state.rng, seat, n - 1)
    for i in range(n - 1):
        choice = actions[(pick + i) % (n - 1)]
        if unseen >> (choice - TURN) & 1:
            return choice
    return actions[n - 1]


# -- children in the race -------------------------------------------------------------------------------------------


@kernel
def run_home(state: Any, seat: int, actions: Any, n: int, fear: float) -> Any:
    """Return the move that gains most steps; `fear` steps are lost for a fight that the gruzels would win."""
    best = actions[0]
    most = _LEAST
    for i in range(n):
        piece = (actions[i] - MOVE) // STRIDE
        space = (actions[i] - MOVE) % STRIDE
        worth = float(steps_gained(state, piece, space))
        if fight_outlook(state, piece, space) < 0:
            worth -= fear
        if worth > most:
            most = worth
            best = actions[i]
    return best


@kernel
def carry_nearest(state: Any, actions: Any, n: int) -> Any:
    """Return the child that is nearest to Arthur; of equals the one with more cards."""
    best = actions[0]
    least = -_LEAST
    for i in range(n):
        child = actions[i] - CARRY
        left = float(steps_left(state, child, state.play.space[child])) - 0.1 * float(state.play.n_hand[child])
        if left < least:
            least = left
            best = actions[i]
    return best


@kernel
def carry_safest(state: Any, actions: Any, n: int, worth: float) -> Any:
    """Return the child with the most cards, a card being worth so many steps."""
    best = actions[0]
    least = -_LEAST
    for i in range(n):
        child = actions[i] - CARRY
        left = float(steps_left(state, child, state.play.space[child])) - worth * float(state.play.n_hand[child])
        if left < least:
            least = left
            best = actions[i]
    return best


@kernel
def play_card(state: Any, seat: int, actions: Any, n: int) -> Any:
    """Return the fight card of which the hand holds most, a ward the one that stops fewest kinds; never none."""
    best = actions[n - 1]
    most = _LEAST
    for i in range(1, n):
        kind = actions[i] - CARD
        worth = float(state.play.hand[seat, kind])
        if state.play.phase == WARD:
            worth = -float(state.tab.kinds[kind].wards)
        if worth > most:
            most = worth
            best = actions[i]
    return best


@kernel
def pick_piece(state: Any, seat: int, actions: Any, n: int, first: int) -> Any:
    """Return the enemy that is nearest to its finish, of the own side the piece that is farthest from it.

    A child that carries the guide counts as nearest of all.
    """
    play = state.play
    best = actions[0]
    most = _LEAST
    for i in range(n):
        piece = actions[i] - first
        worth = -float(steps_left(state, piece, play.space[piece]))
        if play.guide == piece:
            worth += 100.0
        if state.tab.side_of[owner_of(state, piece)] == state.tab.side_of[seat]:
            worth = -worth
        if worth > most:
            most = worth
            best = actions[i]
    return best


# -- gruzels --------------------------------------------------------------------------------------------------------


@kernel
def prey_of(state: Any) -> int:
    """Return the child to go for: who carries the guide outside, else the one nearest to Arthur; or `NONE`."""
    play = state.play
    if play.guide != NONE and play.guide != HELD_BY_GRUZELS and play.space[play.guide] != NONE:
        return int(play.guide)
    return leading_child(state)


@kernel
def chase(state: Any, seat: int, actions: Any, n: int, camp: float) -> Any:
    """Return the move of a gruzel that attacks with enough cards, else brings one nearest to its aim.

    With the guide: home. Without: to the child that carries it, or, with `camp` > 0, to the last so many steps of the
    children's path, and on to the child once it is there.
    """
    play = state.play
    holds = play.guide == HELD_BY_GRUZELS
    prey = prey_of(state)
    best = actions[0]
    most = _LEAST
    for i in range(n):
        piece = (actions[i] - MOVE) // STRIDE
        space = (actions[i] - MOVE) % STRIDE
        gain = float(steps_gained(state, piece, space))
        outlook = float(fight_outlook(state, piece, space))
        if holds:
            # the leader runs; of two, the one that is nearer
            worth = 2.0 * gain - float(steps_left(state, piece, space)) + 4.0 * min(outlook, 0.0)
        else:
            worth = 20.0 * outlook
            if prey != NONE and piece >= CHILDREN:
                before = aim_distance(state, prey, play.space[piece], camp)
                worth += before - aim_distance(state, prey, space, camp) - 0.2 * before
            if is_sent_back(state, piece, space):
                worth -= 30.0
        if worth > most:
            most = worth
            best = actions[i]
    return best


@kernel
def aim_distance(state: Any, prey: int, space: int, camp: float) -> float:
    """Return how far a gruzel on `space` is from its prey, or from the place where it waits for it."""
    left = float(state.tab.left[ALL_CHILDREN, space])
    near = float(steps_left(state, prey, state.play.space[prey])) <= camp + 6.0
    if camp > 0.0 and not near:
        return max(0.0, left - camp)
    return float(off_by(state, space, prey))


@kernel
def lay_far(state: Any, actions: Any, n: int, farthest: bool) -> Any:
    """Return the room whose token takes the children most turns to reach from the start, or fewest."""
    best = actions[0]
    most = _LEAST
    for i in range(n):
        turns = float(state.tab.turns_to[state.tab.start, actions[i] - LAY])
        worth = turns if farthest else -turns
        if worth > most:
            most = worth
            best = actions[i]
    return best


# -- whole players --------------------------------------------------------------------------------------------------


@kernel
def plainly(state: Any, seat: int, actions: Any, n: int) -> Any:
    """Return what every player here does where it has no mind of its own."""
    phase = state.play.phase
    if phase == HOUSE:
        return explore(state, seat, actions, n)
    if phase == CHAIN:
        return turn_token(state, seat, actions, n)
    if phase in (STRIKE, WARD):
        return play_card(state, seat, actions, n)
    if phase == CARRYING:
        return carry_nearest(state, actions, n)
    if phase == OPPONENT:
        return pick_piece(state, seat, actions, n, FIGHT)
    if phase == TARGET:
        return pick_piece(state, seat, actions, n, AIM)
    if phase == LAYING:
        return lay_far(state, actions, n, True)
    if phase == CAGE:
        return SPEND
    if seat < state.tab.n_children:
        return run_home(state, seat, actions, n, 3.0)
    return chase(state, seat, actions, n, 0.0)


@strategy(memory=Param(1.0, 0, 1, "chance of remembering, each turn, the tokens that were shown"))
def explorer(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """A child who searches with a good memory, then runs: the quickest unseen token, number 1 once all are known.

    In the race goes where it gains most, gives the guide to whoever is nearest to Arthur, and plays every card.
    """
    if (
        state.play.phase == HOUSE
        and state.play.guide == NONE
        and params[0] < 1.0
        and uniform(state.rng, seat) >= params[0]
    ):
        return actions[below(state.rng, seat, n)]
    return plainly(state, seat, actions, n)


@strategy(guard=Param(4, 0, 36, "steps by which a guard stays ahead of or behind the child with the guide"))
def runner(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """One child runs with the guide and keeps it, the others guard it: they go for gruzels near it if they have cards.

    The guide changes hands only if somebody else is more than a roll nearer to Arthur.
    """
    play = state.play
    phase = play.phase
    if phase == CARRYING and play.in_turn == 0:
        nearest = carry_nearest(state, actions, n)
        child = nearest - CARRY
        ahead = steps_left(state, play.guide, play.space[play.guide]) - steps_left(state, child, play.space[child])
        return nearest if ahead > 6 else CARRY + play.guide
    runs = (
        play.guide == NONE
        or play.guide == HELD_BY_GRUZELS
        or play.guide == seat
        or play.space[play.guide % CHILDREN] == NONE
    )
    if seat >= state.tab.n_children or phase == HOUSE or actions[0] < MOVE or runs:
        return plainly(state, seat, actions, n)
    best = actions[0]
    most = _LEAST
    for i in range(n):
        piece = (actions[i] - MOVE) // STRIDE
        space = (actions[i] - MOVE) % STRIDE
        worth = 8.0 * float(fight_outlook(state, piece, space)) + 0.1 * float(steps_gained(state, piece, space))
        worth -= max(0.0, float(off_by(state, space, play.guide)) - params[0])
        if worth > most:
            most = worth
            best = actions[i]
    return best


@strategy(cards=Param(2, 0, 10, "fight cards that it wants before it lets a fight come near"))
def hoarder(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """A child who collects fight cards before it takes risks: runs, but shuns every fight until it holds enough.

    The guide goes to the child with the most cards, each being worth four steps. With enough cards it seeks fights.
    """
    phase = state.play.phase
    if phase == CARRYING:
        return carry_safest(state, actions, n, 4.0)
    if seat >= state.tab.n_children or phase == HOUSE or actions[0] < MOVE:
        return plainly(state, seat, actions, n)
    has_enough = float(state.play.n_hand[seat]) >= params[0]
    best = actions[0]
    most = _LEAST
    for i in range(n):
        piece = (actions[i] - MOVE) // STRIDE
        space = (actions[i] - MOVE) % STRIDE
        outlook = fight_outlook(state, piece, space)
        worth = float(steps_gained(state, piece, space))
        if outlook != 0:
            worth += 5.0 * float(outlook) if has_enough else -10.0
        if worth > most:
            most = worth
            best = actions[i]
    return best


@strategy()
def chaser(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Gruzels that hunt whoever carries the guide and attack with enough wards; they spend cage tokens at once.

    They shun red leaves. With the guide, the gruzel that is nearest to Mulgaraat runs.
    """
    return plainly(state, seat, actions, n)


@strategy(steps=Param(9, 1, 30, "steps before Arthur where the gruzels wait"))
def camper(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Gruzels that wait on the last steps of the children's path for whoever comes with the guide.

    Spend cage tokens only when a child is a roll away from there, or when they have the guide.
    """
    play = state.play
    if seat < state.tab.n_children or (play.phase != CAGE and actions[0] < MOVE):
        return plainly(state, seat, actions, n)
    if play.phase != CAGE:
        return chase(state, seat, actions, n, params[0])
    prey = prey_of(state)
    near = prey != NONE and float(steps_left(state, prey, play.space[prey])) <= params[0] + 6.0
    return SPEND if near or play.guide == HELD_BY_GRUZELS else KEEP


@strategy(reserve=Param(10, 1, 40, "steps to the finish of either side at which it begins to spend cage tokens"))
def saver(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Gruzels that chase, but save their cage tokens for the end of the race, their own or the children's."""
    play = state.play
    if seat < state.tab.n_children or play.phase != CAGE:
        return plainly(state, seat, actions, n)
    closest = 255
    for piece in range(CHILDREN, CHILDREN + state.tab.n_gruzels):
        closest = min(closest, steps_left(state, piece, play.space[piece]))
    if play.guide == HELD_BY_GRUZELS:
        return SPEND if float(closest) <= params[0] else KEEP
    prey = prey_of(state)
    near = prey != NONE and float(steps_left(state, prey, play.space[prey])) <= params[0]
    return SPEND if near else KEEP
