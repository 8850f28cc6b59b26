"""Records and named constants of the library race.

Spaces are numbered row by row from the north edge; a set of spaces is two words of `WORD` bits, space s in bit
``s % WORD`` of word ``s // WORD``. The two far edges are spaces of their own behind all others. Rooms are numbered by
their position on the board, row by row from the north; a face code is ``2 * turned + back`` (0: front as printed).
An action is an int32::

      0 .. 127   go, put or send a pawn to this space: 0..125, north edge 126, south edge 127
    128 .. 175   flip the room in position (code - 128) // 2, laid down turned by a half turn if the code is odd
    176 .. 199   turn this room by a half turn
    200 .. 223   lay the special room on this room
    224 .. 231   take this special room off the board
    232 .. 237   choose the pawn of this seat
    238          leave out a step that says "may"
    240 .. 241   keep the first or the second book drawn
    256 .. 319   give away books of the stack: 256 + 16 a + 4 b + c, slot a to the other leader, b to the first
                 teammate to the left, c to the second; 0 where there is nobody, or no book
"""

from __future__ import annotations

import numpy as np

from simcore.contract import UNFINISHED, Metric, outcome_dtype, state_dtype

SEATS = 6
TEAMS = 2
SPACES = 126
WORD = 63
FULL = (1 << WORD) - 1
ROOMS = 24
CELLS = 8  # spaces a room
SPECIALS = 8
BOOKS = 32
STEPS = 8  # of a book
EXTRAS = 2  # steps that a leader effect adds before, and after
PROGRAM = STEPS + 2 * TEAMS * EXTRAS
STACK = 4
CROSSINGS = 3  # most walls that leader effects let a player pass in a turn
STRETCH = 30  # most spaces of a move, all effects included

NORTH_EDGE = SPACES
SOUTH_EDGE = SPACES + 1
FLIP = 128
ROTATE = 176
COVER = 200
CLEAR = 224
PAWN = 232
SKIP = 238
KEEP = 240
GIVE = 256
ACTIONS = 128

ROLES = ("leader", "walker")
LEADER, WALKER = range(len(ROLES))
RED, BLUE = range(TEAMS)
NONE = -1
EVERYBODY = (1 << SEATS) - 1
BADGE = SEATS  # where a book lies that its leader kept for the badge

# What the acting seat is asked
DISTRIBUTING, MOVING, FLIPPING, ARRANGING, TURNING, PLACING, CLEARING, PICKING, SENDING, KEEPING = range(10)

# Directions, and what a step of a book does
NORTH, EAST, SOUTH, WEST = range(4)
_WALKS = ("move", "ignore_walls", "sidestep", "straight", "through_wall")
OPS = (*_WALKS, "flip", "rotate", "place", "clear", "teleport", "swap")
MOVE, IGNORE_WALLS, SIDESTEP, STRAIGHT, THROUGH_WALL, FLIP_ROOM, ROTATE_ROOM, PLACE_ROOM, CLEAR_ROOM = range(9)
TELEPORT, SWAP = 9, 10
TARGETS = ("any", "own", "other")
ANY, OWN, OTHER = range(len(TARGETS))
REACHES = ("same_row", "same_room")
SAME_ROW, SAME_ROOM = range(len(REACHES))
PARTNERS = ("same_row", "teammate", "opponent")
IN_ROW, TEAMMATE, OPPONENT = range(len(PARTNERS))
SCOPES = ("team", "opponents", "all")
TEAM, OPPONENTS, ALL = range(len(SCOPES))
ROOM_RULES = ("open_floor", "slide", "stop_on_entry", "blocked")
OPEN_FLOOR, SLIDE, STOP, BLOCKED = range(len(ROOM_RULES))

CHANCE = ("rooms", "first leaders", "book deck", "random turns")
ROOM_STREAM, LEADER_STREAM, DECK_STREAM, TURN_STREAM = range(SEATS, SEATS + len(CHANCE))

CAPPED, TROPHIES, SUDDEN = range(3)
REASONS = (UNFINISHED, "trophies", "sudden elimination")

# Bits of the exposure masks: books as played by a seat, in its stack as a leader, on its badge; leads the first round
STACK_BIT = BOOKS
BADGE_BIT = 2 * BOOKS
FIRST_BIT = 3 * BOOKS
DEALT, HELD, PLAYED = range(3)

METRICS = (
    Metric("sudden", "1 if both teams were complete in the same round, and sudden elimination began"),
    Metric("flips", "rooms flipped"),
    Metric("rotations", "rooms turned by a half turn, not counting flips"),
    Metric("specials", "special rooms laid"),
    Metric("skipped", "steps that could not be carried out"),
    Metric("walks", "movement steps: moves, straight lines and walls passed"),
    Metric("idle_walks", "movement steps that ended in no row closer to the destination"),
    Metric("first_leader_won", "1 if the team of the first right-hand leader wins"),
    Metric("trophies", "trophies of the player", per="seat"),
    Metric("team_trophies", "trophies of the player's team", per="seat"),
    Metric("first_trophy", "round of the team's first trophy; absent without one", per="seat"),
    Metric("rows", "rows gained towards the destination in the player's turns", per="seat", signed=True),
    Metric("idle_turns", "turns of the player that gained no row and no trophy", per="seat"),
    Metric("rows_gained", "rows gained by a turn with a grimoire", per="component", signed=True, count=BOOKS),
)

# A step of a book, as packed from the edition: `n` spaces, a special room, or one of TARGETS, REACHES, PARTNERS
STEP = np.dtype([("op", "i1"), ("n", "i1"), ("other", "i1"), ("may", "i1")])
BOOK = np.dtype(
    [
        ("n_steps", "i1"),
        ("steps", STEP, (STEPS,)),
        # the leader effect
        ("scope", "i1"),
        ("n_before", "i1"),
        ("before", STEP, (EXTRAS,)),
        ("n_after", "i1"),
        ("after", STEP, (EXTRAS,)),
        ("bonus", "i1"),  # spaces more in the first move of a book
        ("penalty", "i1"),  # spaces less in each move
        ("crossings", "i1"),  # walls that may be passed in moves
        ("passing", "i1"),  # 1: moves may pass apprentices
        ("immune", "i1"),  # 1: special rooms do nothing, but for blocked ones
        ("shakes", "i1"),  # 1: a random room turns before each turn
        ("banned", "i4"),  # bit mask of OPS
        ("worth", "f4"),  # about how many spaces of the way the steps save
        ("badge_worth", "f4"),  # about how many the leader effect saves a turn, of the own team
    ],
    align=True,
)

STATE = state_dtype(
    tab=[
        ("n_rooms", "i4"),
        ("n_cards", "i4"),
        ("n_specials", "i4"),
        ("n_books", "i4"),
        ("n_hand", "i4"),  # books of a full stack
        ("n_spaces", "i8"),
        ("n_rows", "i8"),
        ("width", "i8"),  # spaces a row
        ("deep", "i8"),  # rows a room
        ("broad", "i8"),  # columns a room
        ("goal", "i4"),  # trophies to win
        ("round_cap", "i4"),
        ("advanced", "i4"),  # 1: leader effects count
        ("whole", "i8", (2,)),  # all spaces
        ("inner", "i8", (2,)),  # all but the last column
        ("first_row", "i8", (2,)),
        ("last_row", "i8", (2,)),
        ("outline", "i8"),  # spaces of the room in position 0; patterns of walls are drawn there, too
        ("corner", "i8", (ROOMS,)),  # first space of a room
        ("room_of", "i1", (SPACES,)),
        ("faces", "i8", (ROOMS, 4, 4)),  # walls of a room card by face and direction
        ("special_rule", "i4", (SPECIALS,)),
        ("special_walls", "i8", (SPECIALS, 2, 4)),  # by half turn and direction
        ("books", BOOK, (BOOKS,)),
    ],
    play=[
        ("phase", "i8"),
        ("reason", "i8"),
        ("winner", "i8"),  # team, NONE
        ("sudden", "i8"),
        ("right", "i8"),  # right-hand leader
        ("first_right", "i8"),
        ("turn", "i8"),  # turns begun this round
        # the board
        ("open_e", "i8", (2,)),  # spaces from which no wall bars the way east, south, or north off the board
        ("open_s", "i8", (2,)),
        ("open_n", "i8", (2,)),
        ("slide", "i8", (2,)),  # spaces with the rules of a special room
        ("stop", "i8", (2,)),
        ("blocked", "i8", (2,)),
        ("taken", "i8", (2,)),  # spaces with a pawn
        ("own", "i8", (4, 2)),  # walls as the visible cards show them, by direction
        ("card", "i1", (ROOMS,)),
        ("face", "i1", (ROOMS,)),
        ("covered", "i1", (ROOMS,)),  # special room on top, NONE
        ("special_at", "i1", (SPECIALS,)),  # room it lies on, NONE
        ("special_turned", "i1", (SPECIALS,)),
        # pawns
        ("pos", "i8", (SEATS,)),
        ("heading", "i8", (SEATS,)),  # edge that the pawn walks to
        ("lifted", "i8"),  # bit mask of pawns taken off a room that is being flipped
        # books; a slot is a place of a stack
        ("trophies", "i8", (SEATS,)),
        ("team_trophies", "i8", (TEAMS,)),
        ("first_trophy", "i8", (TEAMS,)),
        ("head", "i8"),  # place of the top of the deck
        ("left", "i8"),
        ("n_stack", "i8", (TEAMS,)),
        ("n_pile", "i8", (TEAMS,)),
        ("dealt_out", "i8", (TEAMS,)),  # 1: the leader has distributed this round
        ("deck", "i1", (BOOKS,)),
        ("deck_known", "u1", (BOOKS,)),
        ("stack", "i1", (TEAMS, STACK)),
        ("stack_known", "u1", (TEAMS, STACK)),  # who knows that this book is in the stack
        ("dest", "i1", (TEAMS, STACK)),  # seat or BADGE that the book was given to, NONE
        ("shown", "u1", (TEAMS, STACK)),
        ("pile", "i1", (TEAMS, STACK)),  # under the badge: the next stack
        ("pile_known", "u1", (TEAMS, STACK)),
        ("trophy_of", "i1", (BOOKS,)),  # seat that has the book as a trophy, NONE
        # the turn
        ("book", "i8"),  # being carried out, NONE
        ("book_team", "i8"),
        ("book_slot", "i8"),
        ("step", "i8"),
        ("n_program", "i8"),
        ("crossings", "i8"),
        ("passing", "i8"),
        ("immune", "i8"),
        ("banned", "i8"),
        ("last_flip", "i8"),
        ("last_turned", "i8"),
        ("picked", "i8"),  # seat of the pawn to be sent, NONE
        ("room", "i8"),  # being arranged
        ("start_row", "i8"),  # rows to go when the turn began
        ("program", STEP, (PROGRAM,)),
    ],
    seats=SEATS,
    chance=len(CHANCE),
    log=[
        ("flips", "i4"),
        ("rotations", "i4"),
        ("specials", "i4"),
        ("skipped", "i4"),
        ("walks", "i4"),
        ("idle_walks", "i4"),
        ("rows", "i4", (SEATS,)),
        ("idle_turns", "i4", (SEATS,)),
        ("book_rows", "i4", (BOOKS,)),
        ("book_uses", "i4", (BOOKS,)),
        ("held", "i8", (SEATS,)),  # bit masks of books
        ("played", "i8", (SEATS,)),
        ("badge", "i8", (SEATS,)),
    ],
    tmp=[
        ("near", "i8", (CROSSINGS + 1, 2)),  # spaces reached, by walls passed
        ("edges", "i8", (CROSSINGS + 1,)),  # bit 0 north edge, bit 1 south edge reached
        ("items", "i1", (BOOKS,)),
        ("mark", "i1", (BOOKS,)),
    ],
)

OUTCOME = outcome_dtype(METRICS, SEATS)
