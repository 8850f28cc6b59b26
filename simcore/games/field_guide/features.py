"""What an action of the hunt and the race is worth at first sight: for weight vectors, and for scripted strategies.

Everything is read as the acting seat knows it: a token's number only if the seat has seen it, of the other side's hand
only how many cards it holds.
"""

from __future__ import annotations

from typing import Any

from simcore.contract import Feature
from simcore.games.field_guide.state import (
    AIM,
    ALL_CHILDREN,
    ALL_GRUZELS,
    CAGE,
    CARD,
    CARRY,
    CARRYING,
    CHAIN,
    CHILDREN,
    FIGHT,
    HELD_BY_GRUZELS,
    HOUSE,
    MOVE,
    NONE,
    OPPONENT,
    ROOMS,
    SPEND,
    STAY,
    STOP,
    STRIDE,
    TARGET,
    TURN,
)
from simcore.games.field_guide.table import owner_of, side_of
from simcore.jit import kernel
from simcore.masks import lowest

FEATURES = (
    Feature("turns_saved", "house: turns on average that the square saves on the way to what the child wants next"),
    Feature("token", "house: 1 if the square holds a token that this seat has not seen"),
    Feature("number_one", "house: 1 if it holds number 1 and the seat knows where all others are"),
    Feature("out", "house: 1 if the child leaves"),
    Feature("stay", "house: 1 if the child stays"),
    Feature("turn_right", "chain: 1 if the token is the next one for certain"),
    Feature("turn_unseen", "chain: 1 if the seat does not know the token"),
    Feature("stop", "chain: 1 for stopping"),
    Feature("gain", "race: steps by which the piece comes nearer to its finish"),
    Feature("gain_guide", "race: the same, if the piece has the guide or its side needs none to bring it there"),
    Feature("home", "race: 1 if the move wins the game"),
    Feature(
        "attack", "race: 1 if the move leads to a fight that the own side would win, hands being as large as they are"
    ),
    Feature("blunder", "race: 1 if it leads to a fight that the own side would lose"),
    Feature("sent_back", "race: 1 if a red leaf sends the gruzel to the camp"),
    Feature("own_path", "race: 1 if the move ends on the piece's own path"),
    Feature(
        "behind",
        "race: gruzels without the guide: steps from the gruzel to the child nearest to Arthur, before or past it",
    ),
    Feature("carry_left", "carrying: steps of that child to Arthur"),
    Feature("carry_cards", "carrying: fight cards of that child"),
    Feature("strike", "fights: 1 for playing a card, attack or ward, 0 for none"),
    Feature("enemy_left", "choosing a piece of the other side: its steps to its finish"),
    Feature("friend_left", "choosing a piece of the own side: its steps to its finish"),
    Feature("spend", "cage tokens: 1 for spending one"),
)
(
    TURNS_SAVED,
    TOKEN,
    NUMBER_ONE,
    OUT,
    STAYING,
    TURN_RIGHT,
    TURN_UNSEEN,
    STOPPING,
    GAIN,
    GAIN_GUIDE,
    HOME,
    ATTACK,
    BLUNDER,
    SENT_BACK,
    OWN_PATH,
    BEHIND,
    CARRY_LEFT,
    CARRY_CARDS,
    STRIKING,
    ENEMY_LEFT,
    FRIEND_LEFT,
    SPENDING,
) = range(len(FEATURES))
COUNT_OF_FEATURES = len(FEATURES)
FAR = 1e6


# -- what a seat knows of the tokens --------------------------------------------------------------------------------


@kernel
def unseen_tokens(state: Any, seat: int) -> int:
    """Return the rooms whose token `seat` has not seen."""
    mask = 0
    for room in range(state.tab.n_rooms):
        if state.play.token[room] > 0 and state.play.known[room] >> seat & 1 == 0:
            mask |= 1 << room
    return mask


@kernel
def room_of_number(state: Any, seat: int, number: int) -> int:
    """Return the room of a token as far as `seat` can tell, the last unseen one by elimination; else `NONE`."""
    play = state.play
    unseen = unseen_tokens(state, seat)
    for room in range(state.tab.n_rooms):
        if unseen >> room & 1 == 0 and play.token[room] == number:
            return room
    if unseen != 0 and unseen & (unseen - 1) == 0:
        return int(lowest(unseen))
    return NONE


@kernel
def knows_all(state: Any, seat: int) -> bool:
    """Return whether `seat` can tell where every token is."""
    unseen = unseen_tokens(state, seat)
    return bool(unseen & (unseen - 1) == 0)


@kernel
def aims(state: Any, seat: int) -> int:
    """Return what a child wants next, as a bit mask of rooms, bit `ROOMS` for the door.

    With the guide found: the door. Else the unseen tokens; if it can tell where all are, number 1.
    """
    if state.play.guide != NONE:
        return 1 << ROOMS
    unseen = unseen_tokens(state, seat)
    if unseen & (unseen - 1):
        return unseen
    for room in range(state.tab.n_rooms):
        if unseen >> room & 1 == 0 and state.play.token[room] == 1:
            return 1 << room
    return unseen


@kernel
def turns_from(state: Any, square: int, wanted: int) -> float:
    """Return the fewest turns on average from a square to the nearest of `wanted`."""
    best = FAR
    while wanted:
        best = min(best, float(state.tab.turns_to[square, lowest(wanted)]))
        wanted &= wanted - 1
    return best


# -- the race -------------------------------------------------------------------------------------------------------


@kernel
def child_would_win(state: Any, child: int) -> bool:
    """Return who would win a fight if any ward stopped any card: the child with more cards than the gruzel player.

    By the translator's note, the gruzel player must hold one, too.
    """
    wards = state.play.n_hand[state.tab.n_children]
    return bool(state.play.n_hand[child] > wards and (wards > 0 or state.tab.translated == 0))


@kernel
def is_sent_back(state: Any, piece: int, space: int) -> bool:
    """Return whether a gruzel would land on a red leaf."""
    tab = state.tab
    return bool(piece >= CHILDREN and tab.red[space] and tab.index[ALL_GRUZELS, space] < 0)


@kernel
def may_fight(state: Any, piece: int, space: int) -> int:
    """Return the pieces that `piece` could fight if it landed on `space`, as a bit mask."""
    tab = state.tab
    play = state.play
    if is_sent_back(state, piece, space) or space == play.space[piece] or space == tab.camp:
        return 0
    anybody = tab.swords[space] or (piece < CHILDREN and tab.red[space] and tab.index[ALL_CHILDREN, space] < 0)
    first = CHILDREN if piece < CHILDREN else 0
    last = first + (tab.n_gruzels if piece < CHILDREN else tab.n_children)
    mask = 0
    for other in range(first, last):
        if play.space[other] == space or (anybody and play.space[other] != NONE):
            mask |= 1 << other
    return mask


@kernel
def fight_outlook(state: Any, piece: int, space: int) -> int:
    """Return 1 if the landing leads to a fight that the piece's side would win, -1 if it would lose, 0 without one."""
    foes = may_fight(state, piece, space)
    if foes == 0:
        return 0
    if piece < CHILDREN:
        return 1 if child_would_win(state, piece) else -1
    while foes:
        if not child_would_win(state, lowest(foes)):
            return 1
        foes &= foes - 1
    return -1


@kernel
def leading_child(state: Any) -> int:
    """Return the child outside that is nearest to Arthur; `NONE` with nobody outside."""
    best = NONE
    for child in range(state.tab.n_children):
        space = state.play.space[child]
        if space != NONE:
            if (
                best == NONE
                or state.tab.left[ALL_CHILDREN, space] < state.tab.left[ALL_CHILDREN, state.play.space[best]]
            ):
                best = child
    return best


@kernel
def steps_left(state: Any, piece: int, space: int) -> int:
    """Return the steps of a piece from `space` to its finish."""
    return int(state.tab.left[side_of(piece), space])


@kernel
def steps_gained(state: Any, piece: int, space: int) -> int:
    """Return by how many steps a move brings a piece nearer to its finish; from the house, counted from the door."""
    here = state.play.space[piece]
    before = steps_left(state, piece, state.tab.first[ALL_CHILDREN] if here == NONE else here)
    after = steps_left(state, piece, state.tab.camp if is_sent_back(state, piece, space) else space)
    return before - after


@kernel
def off_by(state: Any, space: int, child: int) -> float:
    """Return how many steps apart a space and a child are, both measured by the way to Arthur."""
    left = state.tab.left
    return abs(float(left[ALL_CHILDREN, space]) - float(left[ALL_CHILDREN, state.play.space[child]]))


@kernel
def move_features(state: Any, piece: int, space: int, out: Any) -> None:
    """Write the features of moving a piece to a space."""
    tab = state.tab
    play = state.play
    side = side_of(piece)
    gain = float(steps_gained(state, piece, space))
    out[GAIN] = gain
    holds = play.guide == HELD_BY_GRUZELS if side == ALL_GRUZELS else play.guide == piece
    out[GAIN_GUIDE] = gain if holds else 0.0
    out[HOME] = 1.0 if space == tab.finish[side] else 0.0
    outlook = fight_outlook(state, piece, space)
    out[ATTACK] = 1.0 if outlook > 0 else 0.0
    out[BLUNDER] = 1.0 if outlook < 0 else 0.0
    out[SENT_BACK] = 1.0 if is_sent_back(state, piece, space) else 0.0
    out[OWN_PATH] = 1.0 if tab.index[side, space] >= 0 else 0.0
    child = leading_child(state)
    if side == ALL_GRUZELS and not holds and child != NONE:
        out[BEHIND] = off_by(state, space, child)


@kernel
def square_features(state: Any, seat: int, square: int, out: Any) -> None:
    """Write the features of walking to a square."""
    play = state.play
    wanted = aims(state, seat)
    out[TURNS_SAVED] = turns_from(state, play.square[seat], wanted) - turns_from(state, square, wanted)
    room = state.tab.room_at[square]
    if room != NONE and play.guide == NONE:
        out[TOKEN] = 1.0 if unseen_tokens(state, seat) >> room & 1 else 0.0
        out[NUMBER_ONE] = 1.0 if wanted == 1 << room else 0.0  # several rooms while it has still to look


@kernel
def piece_features(state: Any, seat: int, piece: int, out: Any) -> None:
    """Write the features of choosing a piece, to fight it or for a card."""
    left = float(steps_left(state, piece, state.play.space[piece]))
    same = state.tab.side_of[owner_of(state, piece)] == state.tab.side_of[seat]
    out[FRIEND_LEFT if same else ENEMY_LEFT] = left


@kernel
def features(state: Any, seat: int, action: int, work: Any, out: Any) -> None:
    """Write `FEATURES` of `action` for the acting `seat` into ``out[:F]``; `work` is not used."""
    play = state.play
    phase = play.phase
    for i in range(COUNT_OF_FEATURES):
        out[i] = 0.0
    if action >= MOVE:
        move_features(state, (action - MOVE) // STRIDE, (action - MOVE) % STRIDE, out)
        if phase == HOUSE:
            out[OUT] = 1.0
    elif phase == HOUSE:
        if action == STAY:
            out[STAYING] = 1.0
        else:
            square_features(state, seat, action, out)
    elif phase == CHAIN:
        if action == STOP:
            out[STOPPING] = 1.0
        else:
            room = action - TURN
            out[TURN_RIGHT] = 1.0 if room_of_number(state, seat, play.next) == room else 0.0
            out[TURN_UNSEEN] = 1.0 if unseen_tokens(state, seat) >> room & 1 else 0.0
    elif phase == CARRYING:
        child = action - CARRY
        out[CARRY_LEFT] = float(steps_left(state, child, play.space[child]))
        out[CARRY_CARDS] = float(play.n_hand[child])
    elif phase == OPPONENT:
        piece_features(state, seat, action - FIGHT, out)
    elif phase == TARGET:
        piece_features(state, seat, action - AIM, out)
    elif phase == CAGE:
        out[SPENDING] = 1.0 if action == SPEND else 0.0
    elif action >= CARD:
        out[STRIKING] = 1.0
