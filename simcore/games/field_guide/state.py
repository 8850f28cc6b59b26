"""Records and named constants of the hunt and the race.

A *square* is a place in the house, a *space* one of the race outside; a space on both paths is a crossing. Pieces are
the children 0..2, in turn order, and the gruzels 3..5. A *kind* is a card as the edition lists it, blue ones first;
copies are not told apart. An action is an int32::

       0 ..  63   walk to this square of the house
      64          stay
      72 ..  79   turn the token in room 0..7 over
      80          stop turning tokens over
      88 ..  95   lay the next token in room 0..7
      96 ..  98   child 0..2 carries the guide
     104 .. 109   fight piece 0..5
     112          play no card in a fight
     116 .. 121   piece 0..5 is what the card means
     124, 125     spend a cage token, keep it
     128 .. 159   play this kind of card in a fight
     256 .. 1023  move piece p to space s: 256 + 128 p + s
"""

from __future__ import annotations

import numpy as np

from simcore.contract import UNFINISHED, Metric, outcome_dtype, state_dtype

SEATS = 4
CHILDREN = 3
GRUZELS = 3
PIECES = CHILDREN + GRUZELS
SQUARES = 62
ROOMS = 8
SPACES = 120
STEPS = 8  # most that a die or a card moves a piece
TARGETS = 4  # spaces that one piece may reach in one direction
KINDS = 32
EFFECTS = 3
FACES = 12
CAGES = 12
ACTIONS = 64
DECK = 99  # cards of one colour

STAY = 64
TURN = 72
STOP = 80
LAY = 88
CARRY = 96
FIGHT = 104
PASS = 112
AIM = 116
SPEND = 124
KEEP = 125
CARD = 128
MOVE = 256
STRIDE = 128

ROLES = ("child", "council", "gruzels")
CHILD, COUNCIL, KEEPER = range(len(ROLES))

# What the acting seat is asked; FREE: nothing, the rules play on
FREE, LAYING, CARRYING, HOUSE, CHAIN, RACE, OPPONENT, STRIKE, WARD, TARGET, PIECE, CAGE = range(12)
# What the rules still have to settle, first things first
THINGS = ("fight", "result", "retreat", "card move", "landing", "effect", "card", "end of turn", "round", "turn")
FIGHTING, RESULT, RETREAT, CARD_MOVE, LANDING, EFFECT, CARD_DUE, TURN_END, NEW_ROUND, NEW_TURN = range(len(THINGS))
NONE = -1
EVERYBODY = (1 << SEATS) - 1

# Side and its own path
ALL_CHILDREN, ALL_GRUZELS = range(2)
HELD_BY_GRUZELS = CHILDREN  # value of `guide`, else the child that carries it
FORWARD, BACK, EITHER = range(3)
END = 127  # ends a list of reached spaces; one that is reached by the gruzels' path is written as -1 - space

# What a card does, and whom it is about
GO_FORWARD, GO_BACK, TO_CROSSING, ROLL_AGAIN, SWAP, GRUZELS_DRAW, GRUZELS_MOVE, LOSE_CARDS = range(8)
DRAWER, BEARER, ANY_CHILD, ALL_THE_CHILDREN, ANY_GRUZEL, ALL_THE_GRUZELS = range(6)

CHANCE = (
    *(f"dice of seat {seat}" for seat in range(1, SEATS + 1)),
    "object tokens",
    "first roll for cage tokens",
    "blue cards",
    "green cards",
    "lost cards",
)
DICE, TOKENS, CAGE_ROLL, PILES, LOST = SEATS, 2 * SEATS, 2 * SEATS + 1, 2 * SEATS + 2, 2 * SEATS + 4
BY_ROUND = (*range(DICE, DICE + SEATS), PILES, PILES + 1, LOST)
"""Streams that start afresh in every round."""

CAPPED, ARTHUR, MULGARAAT, LEFT_BEHIND = range(4)
REASONS = (UNFINISHED, "guide at Arthur", "guide at Mulgaraat", "guide left in the house")

DEALT, HELD, PLAYED = range(3)

METRICS = (
    Metric("found_round", "round in which the guide was found"),
    Metric("found_turn", "turn in which the guide was found, counted over all seats"),
    Metric("left_round", "round in which the first child left the house"),
    Metric("left_turn", "turn in which the first child left the house, counted over all seats"),
    Metric("fights", "fights"),
    Metric("fights_children", "fights won by children"),
    Metric("fights_gruzels", "fights won by gruzels"),
    Metric("changes", "times the guide changed sides"),
    Metric("passes", "times the children handed the guide to another child at the start of a round"),
    Metric("cage_taken", "cage tokens in front of the gruzel player at the start"),
    Metric("cage_won", "cage tokens won"),
    Metric("cage_used", "cage tokens spent on extra turns"),
    Metric("sent_back", "gruzels sent to the camp by red leaves"),
    Metric("reshuffles", "times a pile was made of its discards"),
    Metric("distance_left", "steps that the nearest piece of the losers was from its finish; absent with no winner"),
    Metric("drawn", "cards drawn", per="seat"),
    Metric("fights_won", "fights won; the gruzel player's with any gruzel", per="seat"),
    Metric("fights_lost", "fights lost", per="seat"),
)

PRIMITIVE = np.dtype([("op", "i4"), ("who", "i4"), ("amount", "i4")])
KIND = np.dtype(
    [
        ("count", "i4"),
        ("fight", "i4"),  # 1: kept for a fight
        ("wards", "i8"),  # bit mask of blue kinds that it wards off
        ("n_effects", "i4"),
        ("effects", PRIMITIVE, (EFFECTS,)),
    ],
    align=True,
)

STATE = state_dtype(
    tab=[
        ("n_children", "i4"),
        ("n_gruzels", "i4"),
        ("n_tokens", "i4"),
        ("n_rooms", "i4"),
        ("n_faces", "i4"),
        ("n_cage", "i4"),
        ("n_spaces", "i4"),
        ("chosen", "i4"),  # 1: the gruzel player sees and places the tokens
        ("early", "i4"),  # 1: children may leave without the guide
        ("translated", "i4"),  # 1: fights by the translator's note
        ("retry_players", "i4"),
        ("retry_roll", "i4"),
        ("round_cap", "i4"),
        ("faces", "i4", (FACES,)),
        ("cage", "i4", (CAGES,)),
        # the house
        ("start", "i4"),
        ("spot", "i4", (ROOMS,)),  # square of each room's token
        ("room_at", "i1", (SQUARES,)),  # room whose token lies on a square
        ("exits", "i2", (SQUARES, STEPS + 1)),  # bit s: out of the door with s steps left over, the step out included
        ("inside", "i8", (SQUARES, STEPS + 1)),  # bit mask of squares that so many steps reach
        # for strategies: fewest turns on average to a room's token, last to get out of the door
        ("turns_to", "f4", (SQUARES, ROOMS + 1)),
        # the race
        ("length", "i4", (2,)),
        ("camp", "i4"),
        ("finish", "i4", (2,)),
        ("before", "i4", (2,)),  # last space before the finish of a path
        ("first", "i4", (2,)),  # where a child stops going back
        ("at", "i1", (2, SPACES)),
        ("index", "i1", (2, SPACES)),  # position of a space on each path, NONE if it is not on it
        ("red", "i1", (SPACES,)),
        ("swords", "i1", (SPACES,)),
        ("ahead", "i1", (2, SPACES)),  # next crossing on each path
        ("reach", "i1", (SPACES, 2, STEPS + 1, TARGETS)),
        ("left", "i4", (2, SPACES)),  # steps to the finish of each side, by any path
        # cards
        ("first_kind", "i4", (3,)),  # of blue, of green, end
        ("kinds", KIND, (KINDS,)),
    ],
    play=[
        ("phase", "i8"),
        ("reason", "i8"),
        ("active", "i8"),  # seat whose turn it is, or comes next
        ("in_turn", "i8"),
        ("extra", "i8"),  # 1: a turn for a cage token
        ("die", "i8"),
        ("mover", "i8"),  # piece that was moved this turn
        ("guide", "i8"),
        ("outside", "i8"),  # bit mask of children
        # tokens
        ("up", "i8"),  # bit mask of rooms whose token is face up
        ("next", "i8"),  # number that must be turned next
        ("token", "i8", (ROOMS,)),  # number in each room, 0: none
        ("known", "i8", (ROOMS,)),  # bit mask of the seats that know it
        ("cage", "i8"),  # bit mask of tokens that can still be won
        ("won", "i8"),  # tokens that can be spent
        # pieces
        ("square", "i8", (CHILDREN,)),
        ("space", "i8", (PIECES,)),
        ("path", "i8", (PIECES,)),
        # what is still to be settled
        ("loser", "i8"),
        ("landing", "i8"),  # bit mask of pieces
        ("fallen", "i8"),  # bit mask of pieces that have fallen back since those landed
        ("moving", "i8"),  # bit mask of pieces
        ("one_of", "i8"),  # 1: only one of them moves
        ("way", "i8"),
        ("amount", "i8"),
        ("targets", "i8"),  # bit mask of pieces to choose from
        ("mover_of_fight", "i8"),  # piece that has landed on them
        ("card", "i8"),  # kind that acts
        ("step", "i8"),  # its next effect
        ("card_due", "i8"),
        # the fight
        ("child", "i8"),
        ("gruzel", "i8"),
        ("struck", "i8"),  # kind to be warded off
        ("strikes", "i8"),  # cards warded off so far
        # cards by kind
        ("hand", "i4", (SEATS, KINDS)),
        ("stock", "i4", (KINDS,)),
        ("discard", "i4", (KINDS,)),
        ("n_hand", "i8", (SEATS,)),
        ("n_stock", "i8", (2,)),
        ("n_discard", "i8", (2,)),
        # counted for the outcome
        ("found_round", "i8"),
        ("found_turn", "i8"),
        ("left_round", "i8"),
        ("left_turn", "i8"),
        ("changes", "i8"),
        ("passes", "i8"),
        ("cage_taken", "i8"),
        ("cage_won", "i8"),
        ("cage_used", "i8"),
        ("sent_back", "i8"),
        ("reshuffles", "i8"),
        ("drawn", "i8", (SEATS,)),
        ("fights_won", "i8", (SEATS,)),
        ("fights_lost", "i8", (SEATS,)),
    ],
    seats=SEATS,
    chance=len(CHANCE),
    log=[("dealt", "i8", (SEATS,)), ("played", "i8", (SEATS,))],
    tmp=[("pile", "i8", (ROOMS,))],
)

OUTCOME = outcome_dtype(METRICS, SEATS)
