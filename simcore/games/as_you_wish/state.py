"""Records and named constants of the drafting game.

A *place* is a position of the shuffled deck: a card keeps its place until a seat takes it. The first cards lie in the
first places, slot s of an offer in place ``first + s``. An action is an int32::

      0 ..  15   lay the card in this slot of the offer face down
     16 ..  31   take the card in slot 0..15
     32 ..  47   turn down the card in position 0..15 of the acting seat's quest, oldest first
"""

from __future__ import annotations

import numpy as np

from simcore.contract import UNFINISHED, Metric, outcome_dtype, state_dtype

SEATS = 6
CARDS = 96
CHARACTERS = 16
LINES = 4  # scores on a character card
ICONS = 8
SLOTS = 12
QUEST = 16
ROUNDS = 16

TAKE = 16
FLIP = 32
ACTIONS = 16

ROLES = ("dealer", "taker")
DEALER, TAKER = range(len(ROLES))

# What the acting seat is asked
CONCEALING, TAKING, FLIPPING = range(3)
NONE = -1
EVERYBODY = (1 << SEATS) - 1

CHANCE = ("characters", "quest deck")
CHARACTER_STREAM, DECK_STREAM = SEATS, SEATS + 1

CAPPED, LENGTH = range(2)
REASONS = (UNFINISHED, "length")

# Bits of the exposure masks: quest cards from 0, then characters, then who deals first
CHARACTER_BIT = CARDS
FIRST_DEALER_BIT = CARDS + CHARACTERS
DEALT, HELD, PLAYED = range(3)

METRICS = (
    Metric("margin", "points of the best quest minus points of the second best"),
    Metric("by_pictures", "1 if pictures decided between equal scores"),
    Metric("first_dealer_won", "1 if the dealer of the first round wins, alone or with others"),
    Metric("points", "points at the end", per="seat"),
    Metric("character_points", "points of the character card", per="seat"),
    Metric("light_points", "points of light cards", per="seat"),
    Metric("dark_points", "points of dark cards, from the neighbours' quests", per="seat"),
    Metric("cards", "cards in the quest, either way up", per="seat"),
    Metric("cards_hidden", "cards turned down because of poison", per="seat"),
    Metric("times_dealer", "rounds as dealer", per="seat"),
    Metric("first_dealer", "1 if this player dealt the first round", per="seat"),
    Metric("pictures", "cards whose still shows the player's character, as the tie-break counts them", per="seat"),
)

# A quest card, as packed from the edition
CARD = np.dtype(
    [
        ("number", "i4"),
        ("pictured", "i4"),  # bit mask of characters
        ("icon", "i4"),
        ("light", "i4"),  # points for each other icon of its kind in the own quest; 0 for another spine
        ("dark", "i4"),  # points for each icon of its kind in the neighbours' quests; 0 for another spine
        ("poison", "i4"),
    ]
)
# A score of a character card
LINE = np.dtype([("icon", "i4"), ("points", "i4"), ("more_than", "i4")])

STATE = state_dtype(
    tab=[
        ("n_cards", "i4"),
        ("n_characters", "i4"),
        ("n_icons", "i4"),
        ("n_offer", "i4"),  # cards a round
        ("n_concealed", "i4"),  # of them laid face down
        ("dealer_takes", "i4"),
        ("poison_limit", "i4"),
        ("end_length", "i4"),
        ("round_cap", "i4"),
        ("by_highest", "i4"),  # 1: the highest face-up number ranks a quest, 0: the newest
        ("secret", "i4"),  # 1: characters are hidden
        ("all_pictures", "i4"),  # 1: face-down cards count for the tie-break
        ("top_number", "i4"),
        ("n_beside", "i4"),
        ("beside", "i4", (SEATS, 2)),  # neighbours of each seat
        ("fixed", "i4", (SEATS,)),  # character of each seat, NONE if it is dealt
        ("cards", CARD, (CARDS,)),
        ("n_lines", "i4", (CHARACTERS,)),
        ("lines", LINE, (CHARACTERS, LINES)),
        # for strategies: what an icon is worth to a character whose quest has so many cards
        ("worth", "f4", (CHARACTERS, ICONS, QUEST + 1)),
        # what an average card of the box is, for who has to judge one that lies face down
        ("share", "f8", (ICONS,)),
        ("mean_light", "f8", (ICONS,)),
        ("mean_dark", "f8", (ICONS,)),
        ("mean_poison", "f8"),
    ],
    play=[
        ("phase", "i8"),
        ("reason", "i8"),
        ("dealer", "i8"),
        ("first_dealer", "i8"),
        ("turn", "i8"),  # how many seats have had their turn this round
        ("takes", "i8"),  # cards the acting seat has still to take
        ("drawn", "i8"),  # places that were drawn
        ("first", "i8"),  # place of slot 0 of the offer
        ("open", "i8"),  # bit mask of slots nobody has taken
        ("down", "i8"),  # bit mask of slots laid face down
        ("order", "i8", (SEATS,)),
        ("rank", "i8", (SEATS,)),  # number that ranked the quest at the start of the round
        ("length", "i8", (SEATS,)),
        ("hidden", "i8", (SEATS,)),  # bit mask of positions turned down
        ("poisoned", "i8", (SEATS,)),  # bit mask of face-up positions with poison
        ("poison", "i8", (SEATS,)),  # symbols that show
        ("times_dealer", "i8", (SEATS,)),
        ("icons", "i4", (SEATS, ICONS)),  # of face-up cards
        ("light", "i4", (SEATS, ICONS)),  # points of face-up light cards
        ("dark", "i4", (SEATS, ICONS)),  # points of face-up dark cards
        ("quest", "i1", (SEATS, QUEST)),
        ("dealers", "i1", (ROUNDS,)),
        ("characters", "i1", (CHARACTERS,)),  # of the seats, then those not dealt
        ("deck", "i1", (CARDS,)),  # card in each place
        ("known", "u1", (CARDS,)),  # bit mask of the seats that know it
    ],
    seats=SEATS,
    chance=len(CHANCE),
    tmp=[("pile", "i1", (CARDS,)), ("unknown", "i1", (CARDS,))],
)

OUTCOME = outcome_dtype(METRICS, SEATS)
