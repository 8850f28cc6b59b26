"""What an action of the race is worth at first sight: numbers for weight vectors, and for the scripted players."""

from typing import Any

from simcore.contract import Feature
from simcore.jit import kernel

from .state import ROLL

FEATURES = (
    Feature("roll", "1 for rolling again"),
    Feature("pot", "points that rolling again puts at risk; 0 for stopping"),
    Feature("gain", "expected change of the pot by rolling again; 0 for stopping"),
)
F_ROLL, F_POT, F_GAIN = range(len(FEATURES))


@kernel
def expected_gain(state: Any) -> float:
    """Return the expected change of the pot if the die is rolled again."""
    return float(state.tab.mean_gain - state.tab.p_bust * state.play.pot)


@kernel
def features(state: Any, seat: int, action: int, work: Any, out: Any) -> None:
    """Write the features (F,) of `action` into `out`."""
    is_roll = action == ROLL
    out[F_ROLL] = 1.0 if is_roll else 0.0
    out[F_POT] = float(state.play.pot) if is_roll else 0.0
    out[F_GAIN] = expected_gain(state) if is_roll else 0.0
