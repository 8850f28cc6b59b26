"""Records and named constants of the race."""

from simcore.contract import UNFINISHED, Metric, outcome_dtype, state_dtype

SEATS = 4
FACES = 20
RUNNERS = 32  # each is one bit of an exposure mask

STOP, ROLL = range(2)
ACTIONS = 2

CHANCE = ("dice of seat 1", "dice of seat 2", "dice of seat 3", "dice of seat 4")
DIE_STREAM = SEATS  # of the first seat; streams of chance stand behind those of the strategies

CAPPED, GOAL = range(2)
REASONS = (UNFINISHED, "goal")

METRICS = (
    Metric("rolls", "times the die was rolled"),
    Metric("busts", "turns that brought nothing", per="seat"),
    Metric("points", "points at the end", per="seat"),
)

STATE = state_dtype(
    tab=[
        ("goal", "i4"),
        ("bust", "i4"),  # face that ends a turn without points
        ("round_cap", "i4"),
        ("n_faces", "i4"),
        ("faces", "i4", (FACES,)),
        ("p_bust", "f8"),
        ("mean_gain", "f8"),  # expected points of a roll, a bust counts 0
        ("head_start", "i4", (SEATS,)),
        ("runner", "i4", (SEATS,)),
    ],
    play=[
        ("points", "i8", (SEATS,)),
        ("pot", "i8"),
        ("face", "i8"),  # last roll of this turn, 0 before the first
        ("reason", "i8"),
        ("rolls", "i8"),
        ("busts", "i8", (SEATS,)),
    ],
    seats=SEATS,
    chance=len(CHANCE),
)
OUTCOME = outcome_dtype(METRICS, SEATS)
