"""Scripted players."""

from typing import Any

from simcore.contract import strategy

from .state import PAPER, ROCK, SCISSORS


@strategy()
def rock(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Always shows rock."""
    return ROCK


@strategy()
def paper(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Always shows paper."""
    return PAPER


@strategy()
def scissors(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> Any:
    """Always shows scissors."""
    return SCISSORS
