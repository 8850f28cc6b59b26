"""Records and named constants of the book: capacities, primitives of chapters, codes of actions.

A card is a *kind*: the icons first, then the wild, then the effect cards. An action is an int64::

        0          end a step, or pass when asked
        1          take the alternative of a payment (a wound)
        2 ..   3   use a Miracle: Story cards, a Special card
        8 ..  15   complete challenge 0..7
       16 ..  31   chapter action a, way w to pay: 16 + 4 a + w
       32 ..  39   trade with a seat
       48 ..  63   play the Special of this kind
       64 ..  79   the card of this kind, from a hand or from the discard pile
       80 .. 111   lay back the plot number with this index
      128 .. 383   move figure f to space s: 128 + 32 f + s
"""

from __future__ import annotations

import numpy as np

from simcore.contract import UNFINISHED, Metric, outcome_dtype, state_dtype

SEATS = 4
CHAPTERS = 8
SPACES = 31  # so that a set of them fits into 32 bits with a sign
FIGURES = 8
CHALLENGES = 5
RULES = 4  # chapter actions
WAYS = 4  # of paying for one
COUNTERS = 6
PATHS = 4
STEPS = 16  # spaces of a path
TILES = 4  # kinds of tiles
DEFEATS = 2
BARRIERS = 4
ENTRIES = 20  # different plot numbers
CONDITIONS = 64  # of a chapter, all together
EFFECTS = 32  # of a chapter, all together
KINDS = 16
ICONS = 5
STORY = 128  # cards of the Story pile with the Specials in it
SPECIALS = 64
PLOT = 48
LOOKED = 8  # plot cards that one Special looks at

END, ELSE, MIRACLE_STORY, MIRACLE_SPECIAL = range(4)
CHALLENGE = 8
RULE = 16
TRADE = 32
SPECIAL = 48
CARD = 64
NUMBER = 80
STEP = 128
ACTIONS = 96
MOST_STEPS = 40
"""Moves that an edition may make possible at once."""

ROLES = ("teller", "helper")
TELLER, HELPER = range(len(ROLES))

# What the acting seat is asked
MOVING, ASKING, TELLING, PAYING, GIVING, GETTING, WALKING, FETCHING, LOOKING, TURNED = range(10)
# What happens by itself before the next decision
AUTOMATIC = 16
BEGIN_TRY, BEGIN_TURN, BEGIN_STORY, ASK_NEXT, DRAW_AND_PLOT, RUN, LIMIT, END_TURN = range(AUTOMATIC, AUTOMATIC + 8)
NONE = -1
ANY = ICONS
"""Index of "any card" among what a cost asks for."""

# What a payment is for
FOR_CHALLENGE, FOR_RULE, FOR_WALK, FOR_TOLL, FOR_EFFECT, FOR_LIMIT = range(6)
# Its alternative may be taken instead, or must be
ALLOWED, FORCED = 1, 2
# Where play goes on after a step of a figure, and after a list of effects
IN_MOVE, IN_STORY, IN_SPECIAL = range(3)
AFTER_CHALLENGE, AFTER_RULE, AFTER_PLOT = range(3)

CONDITION_OPS = (
    "at", "away", "together", "tile", "near", "clear", "littered",
    "at_least", "at_most", "reached", "above", "done", "undone", "passed", "lacking",
)  # fmt: skip
(
    AT, AWAY, TOGETHER, TILE, NEAR, CLEAR, LITTERED, AT_LEAST, AT_MOST, REACHED, ABOVE, DONE, UNDONE, PASSED, LACKING,
) = range(len(CONDITION_OPS))  # fmt: skip
EFFECT_OPS = ("move", "join", "advance", "count", "put", "take", "draw", "special", "discard", "demand")
MOVE, JOIN, ADVANCE, COUNT, PUT, TAKE, DRAW, GAIN, DISCARD, DEMAND = range(len(EFFECT_OPS))
CARD_OPS = ("icon", "wild", "cancel", "walk", "draw", "fetch", "look")
IS_ICON, IS_WILD, IS_CANCEL, IS_WALK, IS_DRAW, IS_FETCH, IS_LOOK = range(len(CARD_OPS))

CHANCE = ("first seat", "story pile", "special pile", "plot pile", "mixed tiles")
SEAT_STREAM, STORY_STREAM, SPECIAL_STREAM, PLOT_STREAM, TILE_STREAM = range(SEATS, SEATS + len(CHANCE))

CAPPED, COMPLETED = range(2)
CAUSES = 1 + DEFEATS
"""Ways to lose a chapter: the plot runs out, and its own."""
FIRST_REASONS = (UNFINISHED, "book completed")
PLOT_OUT = "the plot ran out"

# Bits of the exposure masks: kinds of cards, then the challenges of each chapter
CHALLENGE_BIT = KINDS
DEALT, HELD, PLAYED = range(3)

PER_CHAPTER = (
    Metric("won_first", "completed at the first try (0, 1)"),
    Metric("won_again", "completed after a replay (0, 1)"),
    Metric("turns", "turns of the last try"),
    Metric("plot_left", "plot cards left after the last try"),
    Metric("lost_plot", "tries in which the plot ran out"),
    Metric("lost_own_1", "tries lost by its first defeat"),
    Metric("lost_own_2", "tries lost by its second defeat"),
)
"""Absent for a chapter that was not reached, and for a defeat that a chapter does not have."""
METRICS = (
    Metric("chapters", "chapters completed"),
    Metric("replay_in", "chapter that was replayed first"),
    Metric("challenges", "challenges completed, failed tries included"),
    Metric("specials_drawn", "Special cards drawn from the Special pile"),
    Metric("specials_played", "Special cards played for their effect"),
    Metric("miracles_taken", "Miracles picked up"),
    Metric("miracles_used", "Miracles used"),
    Metric("trades", "trades"),
    Metric("walked", "cards discarded to move"),
    Metric("cancelled", "plot cards without effect because of a Special"),
    Metric("reshuffles", "times the discard pile became the Story pile in the middle of a chapter"),
    *(
        Metric(f"chapter_{number}_{metric.name}", f"chapter {number}: {metric.doc}")
        for number in range(1, CHAPTERS + 1)
        for metric in PER_CHAPTER
    ),
)

# A condition: operands by kind, see `rules.holds`
CONDITION = np.dtype([("op", "i4"), ("a", "i4"), ("b", "i4"), ("c", "i4"), ("mask", "i8")])
# An effect with conditions `first .. first + n - 1`
EFFECT = np.dtype([("op", "i4"), ("a", "i4"), ("b", "i4"), ("c", "i4"), ("d", "i4"), ("first", "i4"), ("n", "i4")])
# A list of conditions or effects
SPAN = np.dtype([("first", "i4"), ("n", "i4")])
# What one icon after the other, and then any cards, are wanted
COST = np.dtype([("need", "i4", (ICONS + 1,)), ("total", "i4")])
CHALLENGE_DATA = np.dtype(
    [
        ("needs", SPAN),
        ("cost", COST),
        ("reward", SPAN),
        # for strategies: spaces that it wants to be clear, and its condition on a counter, NONE
        ("clear", "i8"),
        ("number", "i4"),
    ]
)
RULE_DATA = np.dtype(
    [
        ("needs", SPAN),
        ("raises", "i4"),
        ("per_turn", "i4"),
        ("n_ways", "i4"),
        ("ways", COST, (WAYS,)),
        ("effects", SPAN),
    ]
)
TOLL = np.dtype(
    [
        ("cost", COST),
        ("less", COST),  # for `figure`
        ("figure", "i4"),
        ("has_else", "i4"),
        ("counter", "i4"),
        ("by", "i4"),
        ("gone", "i4"),
    ]
)
FIGURE = np.dtype([("start", "i4"), ("moved", "i4"), ("after", "i4"), ("carrier", "i4"), ("carried_after", "i4")])
PATH = np.dtype(
    [("n", "i4"), ("loop", "i4"), ("elsewhere", "i4"), ("spaces", "i4", (STEPS,)), ("place", "i4", (SPACES,))]
)
BARRIER = np.dtype([("figure", "i4"), ("until", "i4"), ("mask", "i8")])
CHAPTER = np.dtype(
    [
        ("n_spaces", "i4"),
        ("n_figures", "i4"),
        ("n_challenges", "i4"),
        ("n_rules", "i4"),
        ("n_counters", "i4"),
        ("n_tiles", "i4"),
        ("n_defeats", "i4"),
        ("n_barriers", "i4"),
        ("star", "i4"),
        ("in_order", "i4"),
        ("movable", "i8"),  # figures that the players move, now or later
        ("pieces", "i4"),  # counter that pieces on spaces belong to, NONE
        ("guards", "i8"),  # figures whose spaces are closed, and that catch
        ("caught", "i8"),  # figures that they catch
        ("caught_to", "i4"),
        ("caught_discard", "i4"),
        ("mixed", "i8"),  # spaces over which tiles are mixed
        ("ways", "i8", (SPACES,)),  # neighbours
        ("start_pieces", "i4", (SPACES,)),
        ("start_tiles", "i1", (SPACES,)),
        ("mixed_tiles", "i4", (TILES,)),
        ("counter_start", "i4", (COUNTERS,)),
        ("counter_last", "i4", (COUNTERS,)),
        ("entry", SPAN, (ENTRIES,)),  # of each plot number
        ("defeats", SPAN, (DEFEATS,)),
        ("figures", FIGURE, (FIGURES,)),
        ("paths", PATH, (PATHS,)),
        ("tolls", TOLL, (TILES,)),
        ("barriers", BARRIER, (BARRIERS,)),
        ("challenges", CHALLENGE_DATA, (CHALLENGES,)),
        ("rules", RULE_DATA, (RULES,)),
        ("conditions", CONDITION, (CONDITIONS,)),
        ("effects", EFFECT, (EFFECTS,)),
        ("steps", "i1", (SPACES, SPACES)),  # of the shortest way, for strategies; SPACES where there is none
    ],
    align=True,
)

STATE = state_dtype(
    tab=[
        ("n_chapters", "i4"),  # in the book
        ("book", "i4", (CHAPTERS,)),
        ("first_reason", "i4", (CHAPTERS,)),  # code of the first way to lose each chapter
        ("n_kinds", "i4"),
        ("n_numbers", "i4"),
        ("wild", "i4"),  # bit mask of kinds
        ("cancels", "i4"),
        ("playable", "i4"),  # kinds that can be played while a story is told
        ("card_op", "i4", (KINDS,)),
        ("card_a", "i4", (KINDS,)),
        ("card_b", "i4", (KINDS,)),
        ("n_story", "i4", (KINDS,)),
        ("n_special", "i4", (KINDS,)),
        ("n_plot", "i4", (ENTRIES,)),
        ("plot_cards", "i4"),
        ("hands_open", "i4"),
        ("first_drawn", "i4"),
        ("hand_limit", "i4"),
        ("deal", "i4"),
        ("drawn", "i4"),
        ("moves", "i4"),
        ("trades", "i4"),
        ("replays", "i4"),
        ("restore", "i4"),  # 1: a replay gives back the Miracles held at the start of the chapter
        ("anyone_takes", "i4"),  # 1: figures moved by effects pick up the Miracle
        ("miracles", "i4"),
        ("miracle_story", "i4"),
        ("miracle_special", "i4"),
        ("round_cap", "i4"),
        ("chapters", CHAPTER, (CHAPTERS,)),
    ],
    play=[
        ("phase", "i8"),
        ("reason", "i8"),
        ("at", "i8"),  # place in the book
        ("chapter", "i8"),  # its number in the edition, from 0
        ("attempt", "i8"),  # of this chapter, from 0
        ("replays", "i8"),  # used
        ("active", "i8"),
        ("user", "i8"),  # whose action is being carried out
        ("turn", "i8"),  # of this try, from 1
        ("traded", "i8"),
        ("partner", "i8"),
        ("given", "i8"),  # kind that the active seat gives
        ("window_plot", "i8"),  # 1: the window is that of a turned plot card
        ("asked", "i8"),  # places round the table, from the active seat, that this window is past
        ("miracles", "i8"),  # held
        ("miracles_before", "i8"),  # held at the start of the chapter
        ("supply", "i8"),
        ("star", "i8"),  # space of the Miracle, NONE
        ("done", "i8"),
        ("used", "i8"),  # chapter actions used this turn
        ("lacking", "i8"),
        ("up", "i8"),  # spaces with a tile face up
        ("movable", "i8"),  # figures that the players move now
        ("closed", "i8"),  # spaces that guards stand on
        # a payment
        ("purpose", "i8"),
        ("target", "i8"),
        ("alternative", "i8"),  # 0, ALLOWED or FORCED
        ("wanted", "i8"),  # cards still to pay
        # moving figures
        ("left", "i8"),  # steps
        ("most_figures", "i8"),
        ("each", "i8"),  # steps of one figure
        ("context", "i8"),  # what the step belongs to
        ("walker", "i8"),
        ("walk_to", "i8"),
        ("moved", "i8"),  # figures that have begun to move
        # a list of effects
        ("next", "i8"),
        ("last", "i8"),
        ("then", "i8"),
        ("catching", "i8"),  # cards that a catch still costs
        ("to_fetch", "i8"),
        ("n_pile", "i8"),
        ("n_special", "i8"),
        ("n_plot", "i8"),
        ("n_looked", "i8"),
        ("turned", "i8"),  # index of the plot number that was turned, NONE
        ("challenges", "i8"),
        ("specials_drawn", "i8"),
        ("specials_played", "i8"),
        ("miracles_taken", "i8"),
        ("miracles_used", "i8"),
        ("trades", "i8"),
        ("walked", "i8"),
        ("cancelled", "i8"),
        ("reshuffles", "i8"),
        ("replay_in", "i8"),
        ("need", "i4", (ICONS + 1,)),
        ("held", "i4", (SEATS,)),  # cards in a hand
        ("kinds", "i8", (SEATS,)),  # bit mask of their kinds
        ("hand", "i4", (SEATS, KINDS)),
        ("seen", "i4", (SEATS, SEATS, KINDS)),  # cards in a seat's hand (first) that another is sure of (second)
        ("discard", "i4", (KINDS,)),
        ("aside", "i4", (KINDS,)),  # Specials that have brought cards this turn
        ("counter", "i4", (COUNTERS,)),
        ("space", "i4", (FIGURES,)),
        ("paces", "i4", (FIGURES,)),  # steps of each figure in this move
        ("tile", "i1", (SPACES,)),  # kind of tile on a space, NONE
        ("spare", "i1", (TILES,)),  # mixed tiles that found no space
        ("pieces", "i4", (SPACES,)),
        ("plot_gone", "i4", (ENTRIES,)),  # plot cards turned in this try
        ("looked", "i1", (LOOKED,)),
        ("attempts", "i4", (CHAPTERS,)),
        ("won", "i4", (CHAPTERS,)),
        ("turns_of", "i4", (CHAPTERS,)),
        ("plot_left", "i4", (CHAPTERS,)),
        ("lost", "i4", (CHAPTERS, CAUSES)),
        ("completed", "i8", (SEATS,)),  # challenges completed by each seat, by 8 chapter + number
        ("pile", "i1", (STORY,)),  # drawn from the end
        ("specials", "i1", (SPECIALS,)),
        ("plot", "i1", (PLOT,)),
        ("plot_known", "i1", (PLOT,)),  # 1: everybody knows what lies there
    ],
    seats=SEATS,
    chance=len(CHANCE),
    log=[("dealt", "i4", (SEATS,)), ("spent", "i4", (SEATS,))],
    tmp=[
        ("cards", "i1", (STORY,)),
        ("count", "i4", (KINDS,)),
        ("spaces", "i1", (SPACES,)),
        ("chapters", "i4", (CHAPTERS, len(PER_CHAPTER))),
    ],
)

OUTCOME = outcome_dtype(METRICS, SEATS)
