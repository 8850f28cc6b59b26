"""Records and named constants of the duel.

A die is an individual: each seat owns `DICE` slots, filled in the order of the edition. An action is an int32::

      0 ..  31   play the card with this index of the seat's deck
     32 ..  47   the die in slot 0..15 of seat 0        (picked for an effect, or discarded)
     48 ..  63   the die in slot 0..15 of seat 1
           64   done picking
           65   no card in hand to play
"""

from __future__ import annotations

import numpy as np

from simcore.contract import UNFINISHED, Metric, outcome_dtype, state_dtype

SEATS = 2
CARDS = 24
EFFECTS = 3
DICE = 12
COLOURS = 6
FACES = 12
SWORDS = 7  # most swords on a face

DIE = 32
SLOTS = 16  # action codes kept for one seat's dice
DONE = 64
NO_CARD = 65
ACTIONS = 32

# An effect, as packed from the edition
EFFECT = np.dtype(
    [
        ("op", "i2"),
        ("side", "i2"),
        ("count", "i2"),
        ("up_to", "i2"),
        ("colours", "i2"),  # bit mask
        ("faces", "i2"),  # bit mask of swords
        ("picker", "i2"),
        ("to", "i2"),
        ("roll_now", "i2"),
        ("choice", "i2"),
    ]
)
# in the order in which effects of one step are carried out (ruling 6)
CANCEL, DROP_CARD, DISCARD, REROLL, TURN, RESTORE = range(1, 7)
OPS = ("none", "cancel", "drop_card", "discard", "reroll", "turn", "restore")
OWN, OPPONENT = 0, 1
SELF, OWNER = 0, 1
RANDOM = 2
ALL = 99

# What the acting seat is asked
CHOOSE, PICK, LOSE, RESOLVE = range(4)  # RESOLVE is passed through, never asked
MAIN, AFTER = range(2)
NONE = -1

CHANCE = ("dice of seat 1", "dice of seat 2", "lost cards")
DICE_STREAM = SEATS
CARD_STREAM = 2 * SEATS

CAPPED, WON = range(2)
REASONS = (UNFINISHED, "hits")

METRICS = (
    Metric("ties", "rounds in which both showed the same number of swords"),
    Metric("lead_changes", "times the lead in hits passed from one player to the other"),
    Metric("margin", "hits of the winner minus hits of the loser"),
    Metric("cancelled", "cards made void by an opponent's card"),
    Metric("hits", "hits scored", per="seat"),
    Metric("bluffs", "rounds in which a card that returns to the hand was played", per="seat"),
    Metric("dice_left", "active dice at the end", per="seat"),
    Metric("cards_left", "cards in hand at the end", per="seat"),
    Metric("first_hit", "1 if this player scored the first hit", per="seat"),
)

STATE = state_dtype(
    tab=[
        ("hits_to_win", "i4"),
        ("round_cap", "i4"),
        ("after_round", "i4"),
        ("hit_discard", "i4"),
        ("tie_discard", "i4"),
        ("n_dice", "i4"),
        ("dice_mask", "i4"),
        ("dice_colour", "u1", (DICE,)),
        ("n_faces", "i1", (COLOURS,)),
        ("faces", "i1", (COLOURS, FACES)),
        ("mean_swords", "f8", (COLOURS,)),  # expected swords of a roll
        ("n_cards", "i4", (SEATS,)),
        ("deck", "i4", (SEATS,)),  # bit mask of all cards that start in hand
        ("kept", "i4", (SEATS,)),  # bit mask of the cards that return to hand
        ("rank", "i1", (SEATS, CARDS)),  # 0: resolves to nothing
        ("n_effects", "i1", (SEATS, CARDS)),
        ("effects", EFFECT, (SEATS, CARDS, EFFECTS)),
    ],
    play=[
        ("phase", "i8"),
        ("stage", "i8"),
        ("reason", "i8"),
        ("rank_done", "i8"),  # the rank that resolves, or resolved last
        ("step", "i8"),  # which effect of the cards of this rank
        ("asked", "i8"),  # whose card the pick belongs to
        ("hits", "i8", (SEATS,)),
        ("hand", "i8", (SEATS,)),
        ("chosen", "i8", (SEATS,)),  # card of this round, NONE before it is chosen
        ("cancelled", "i8", (SEATS,)),
        ("resolving", "i8", (SEATS,)),  # 1: the seat's card has the rank that resolves
        ("todo", "i8", (SEATS,)),  # picks still to make for the card of this seat
        ("picked", "i8", (SEATS,)),  # bit mask of dice (or cards) picked for the card of this seat
        ("loses", "i8", (SEATS,)),  # 1: this seat has to discard a die
        ("lost", "i8", (SEATS,)),  # slot it chose, NONE before
        ("active", "i8", (SEATS,)),  # bit mask of slots
        ("swords", "i1", (SEATS, DICE)),
        ("ties", "i8"),
        ("lead_changes", "i8"),
        ("leader", "i8"),
        ("first_hit", "i8"),
        ("n_cancelled", "i8"),
        ("bluffs", "i8", (SEATS,)),
        ("played", "i8", (SEATS,)),
    ],
    seats=SEATS,
    chance=len(CHANCE),
)

OUTCOME = outcome_dtype(METRICS, SEATS)
