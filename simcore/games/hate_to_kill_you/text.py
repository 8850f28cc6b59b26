"""Positions and actions of the duel in words, for traces. Plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def describe(state: Any, names: Sequence[str]) -> str:
    """Return the position in words."""
    return ""


def describe_action(state: Any, action: int, names: Sequence[str]) -> str:
    """Return what the acting seat does, in words."""
    return str(action)
