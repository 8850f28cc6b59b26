"""Joins the driver to the rules of the library race."""

from __future__ import annotations

from typing import Any

from simcore.driver import play_games
from simcore.games.grimoire_shuffle.answers import legal
from simcore.games.grimoire_shuffle.outcome import score
from simcore.games.grimoire_shuffle.rules import apply, setup
from simcore.jit import kernel


@kernel
def play_block(
    strategies: Any, desks: Any, tools: Any, run_key: Any, span: Any, rows: Any, log: Any, faults: Any
) -> Any:
    """Play a block of games; see `simcore.driver.play_games`."""
    return play_games(setup, legal, apply, score, 2, strategies, desks, tools, run_key, span, rows, log, faults)
