"""Records and named constants."""

from simcore.contract import Feature, outcome_dtype, state_dtype

ROCK, PAPER, SCISSORS = range(3)
HANDS = ("rock", "paper", "scissors")
FEATURES = tuple(Feature(hand, f"1 for {hand}") for hand in HANDS)
STATE = state_dtype(tab=[("round_cap", "i4")], play=[("hand", "i4", (2,)), ("chosen", "i4", (2,))], seats=2, chance=1)
OUTCOME = outcome_dtype((), 2)
