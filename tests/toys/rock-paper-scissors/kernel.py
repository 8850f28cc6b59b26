"""Joins the driver to the rules."""

from typing import Any

from simcore.driver import play_games
from simcore.jit import kernel

from .rules import apply, legal, score, setup


@kernel
def play_block(
    strategies: Any, desks: Any, tools: Any, run_key: Any, span: Any, rows: Any, log: Any, faults: Any
) -> Any:
    """Play a block of games; see `simcore.driver.play_games`."""
    return play_games(setup, legal, apply, score, 1, strategies, desks, tools, run_key, span, rows, log, faults)
