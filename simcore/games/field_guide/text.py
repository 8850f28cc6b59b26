"""Positions, actions and events."""
from typing import Any
def describe(state: Any, names: Any) -> Any: return {}
def describe_action(state: Any, action: int, names: Any) -> str: return str(action)
def describe_change(before: Any, action: int, after: Any, names: Any) -> Any: return []
