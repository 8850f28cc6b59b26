"""Positions, actions and events of the book in words and as plain data, for traces. Plain Python."""

from __future__ import annotations

from typing import Any

from simcore.contract import Event, Names


def describe(state: Any, names: Names) -> dict[str, Any]:
    return {}


def describe_action(state: Any, action: int, names: Names) -> str:
    return str(action)


def describe_change(before: Any, action: int, after: Any, names: Names) -> list[Event]:
    return []
