"""What a seat of the race cannot know: chance to come. Everything else lies open."""

from typing import Any

from simcore.jit import kernel
from simcore.rng import reseed


@kernel
def hide(state: Any, seat: int, random: Any) -> None:
    """Re-seed every stream but that of `seat` from `random` (uint64)."""
    reseed(state.rng, random, seat)
