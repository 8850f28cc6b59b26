"""What games are made of besides our code, as flat values by path; and what is different about two lists of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from simcore import provenance, rng
from simcore.scenario import Scenario


def made_of(scenario: Scenario) -> dict[str, Any]:
    """Return everything that decides the games besides our code, by the path that changes it."""
    found: dict[str, Any] = {
        "game": scenario.game.name,
        "game.version": scenario.game.version,
        "random": rng.VERSION,
        "rotate": len(scenario.match.rotations) > 1,
        "seed": scenario.match.seed,
    }
    for number, seat in enumerate(scenario.resolved["seats"], 1):
        found |= {f"seats.{number}.{path}": value for path, value in flat(seat) if path != "label"}
    return found | _components(scenario.edition.data)


def _components(data: Mapping[str, Any]) -> dict[str, Any]:
    found = {}
    for leaf in provenance.leaves(data):
        value: Any = data
        for part in leaf:
            value = value[part]
        named = provenance.named(data, leaf)
        head = ("components", *named[1:]) if named != leaf else leaf
        found[".".join(str(part + 1 if isinstance(part, int) else part) for part in head)] = value
    return found


def flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (path, value) of everything inside of mappings and lists; places of lists from 1."""
    if isinstance(value, dict | list) and value:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value, 1):
            yield from flat(inner, f"{path}.{key}".lstrip("."))
    else:
        yield path, value


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return where two flat lists differ: `path`, `before`, `now`; None where there is nothing."""
    return [
        {"path": path, "before": before.get(path), "now": now.get(path)}
        for path in [*before, *(path for path in now if path not in before)]
        if before.get(path) != now.get(path) or (path in before) != (path in now)
    ]


def changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return `differences` of what games are made of; a component that came or went is one, with ``what`` it did."""
    found = differences(before, now)
    whole: dict[str, str] = {}
    for known, what in ((now, "went"), (before, "came")):
        owners = {_owner(path) for path in known}
        whole |= {_owner(each["path"]): what for each in found if _owner(each["path"]) not in owners}
    rest = [each for each in found if _owner(each["path"]) not in whole]
    return [{"path": owner, "before": None, "now": None, "what": what} for owner, what in whole.items() if owner] + rest


def _owner(path: str) -> str:
    """Return ``components.leap`` of a value inside, "" for other values."""
    parts = path.split(".")
    return ".".join(parts[:2]) if parts[0] == "components" else ""
