"""What there is to play with, as plain data: games, strategies and scenarios, and everything that is in one game.

Nothing is compiled for it, and no designer's code is run but that of a game of his own, if it is asked for. All of it
is read from what already says it: the models of a game, its edition, the docstrings of strategies.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from simcore import allowed, provenance, yamlfile
from simcore import edition as editions
from simcore.contract import Game, Strategy, UnusableError
from simcore.edition import Edition
from simcore.errors import InputError, suggest
from simcore.yamlfile import DataPath, format_path

LIST_SCHEMA = "balance.list/1"
GAME_SCHEMA = "balance.game/1"
NAMES = ("id", "label")


class Loader(Protocol):
    """How names become games and strategies, and which names there are."""

    def game_names(self) -> list[str]: ...  # noqa: D102
    def game(self, name: str, base: Path = ...) -> Game: ...  # noqa: D102
    def folder_of(self, game: str) -> Path: ...  # noqa: D102
    def strategy_names(self, game_name: str) -> list[str]: ...  # noqa: D102
    def strategy(self, game_name: str, name: str) -> Strategy: ...  # noqa: D102


# -- what there is --------------------------------------------------------------------------------------------------


def listing(loader: Loader, scenarios: Path, topic: str | None = None) -> dict[str, Any]:
    """Return all games, strategies and shipped scenarios.

    Parameters
    ----------
    scenarios : Path
        Folder with a folder of scenarios for each game.
    topic : str, optional
        ``games``, ``strategies`` or ``scenarios``: only these.

    Returns
    -------
    dict
        Strict JSON. A file that cannot be read has its complaint in `error`, which is null otherwise. Strategies
        that fit every game have no `game`.
    """
    found: dict[str, Any] = {"schema": LIST_SCHEMA}
    if topic in (None, "games"):
        found["games"] = [_listed_game(name, loader) for name in loader.game_names()]
    if topic in (None, "strategies"):
        found["strategies"] = _listed_strategies(loader)
    if topic in (None, "scenarios"):
        found["scenarios"] = [_listed_scenario(file) for file in sorted(scenarios.glob("*/*.yaml"))]
    return found


def _listed_game(name: str, loader: Loader) -> dict[str, Any]:
    game, folder = loader.game(name), loader.folder_of(name)
    header, error = _read(folder / "editions" / f"{editions.usual(folder)}.yaml")
    label = _text(header, "label")
    return {
        "id": name,
        "label": label,
        "seats": list(game.seat_counts),
        "summary": _summary(game, label),
        "editions": editions.available(folder),
        "error": error,
    }


def _listed_strategies(loader: Loader) -> list[dict[str, Any]]:
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for game in loader.game_names():
        for name in loader.strategy_names(game):
            strategy = loader.strategy(game, name)
            owner = game if _is_own(strategy, loader.game(game)) else None
            found[(owner or "", name)] = {"name": name, "game": owner, "summary": first_sentence(strategy.doc)}
    return [found[key] for key in sorted(found, key=lambda key: key[0])]


def _listed_scenario(file: Path) -> dict[str, Any]:
    data, error = _read(file)
    return {
        "name": f"{file.parent.name}/{file.stem}",
        "game": _text(data, "game"),
        "label": _text(data, "label"),
        "question": _text(data, "question"),
        "error": error,
    }


def _read(file: Path) -> tuple[Mapping[str, Any], str | None]:
    """Return the mapping in a file, or what is wrong with it."""
    try:
        data = yamlfile.load(file).data
    except InputError as error:
        return {}, str(error.problems[0])
    return (data, None) if isinstance(data, dict) else ({}, f"{file}:1:1: expected a mapping")


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key, "")
    return value if isinstance(value, str) else ""


def _is_own(strategy: Strategy, game: Game) -> bool:
    """Return whether a strategy is written for this game alone."""
    if game.own:
        return strategy.own == game.own
    return strategy.function.__module__.rpartition(".")[2] == game.name.replace("-", "_")


def _summary(game: Game, label: str) -> str:
    """Return the first paragraph of the docstring of the game's package, without a title that `label` repeats."""
    module = game.components.__name__
    package = sys.modules[module.rpartition(".")[0] or module]  # a small game may be one module
    text = _paragraphs(package.__doc__ or "")[0]
    title = first_sentence(text)
    return text.removeprefix(title).strip() if title.rstrip(".") in label else text


def _paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.strip().split("\n\n")]


def first_sentence(text: str) -> str:
    """Return the first sentence of a docstring, on one line."""
    paragraph = _paragraphs(text)[0]
    found = re.match(r".+?[.!?](?=\s+[A-Z`]|$)", paragraph)
    return found[0] if found else paragraph


# -- one game -------------------------------------------------------------------------------------------------------


def game_facts(name: str, edition: str | None, loader: Loader, base: Path = Path()) -> dict[str, Any]:
    """Return everything about a game that a designer can use or change.

    Parameters
    ----------
    name : str
        Id of the game, or a designer's folder found from `base`; its code is imported.
    edition : str or None
        Name of an edition, or a file found from `base`; None: the usual one.

    Returns
    -------
    dict
        Strict JSON, schema ``balance.game/1``. Seats count from 1. `sources` say for each value that the edition
        gives where it comes from; values that it leaves to their defaults are in `values` alone.

    Raises
    ------
    InputError
        If there is no such game or edition, or if the edition is wrong.
    """
    try:
        game = loader.game(name, base)
    except UnusableError as error:
        raise InputError.of("balance show", error.message) from None
    found = _edition(game, edition, loader, base)
    return {
        "schema": GAME_SCHEMA,
        "id": game.name,
        "version": game.version,
        "label": found.label,
        "summary": _summary(game, found.label),
        "edition": {"name": found.name, "label": found.label, "file": str(found.file)},
        "editions": editions.available(loader.folder_of(game.ref)),
        "seats": [_seats(game, count) for count in game.seat_counts],
        "roles": list(game.roles),
        "rules": _rules(game, found),
        "settings": _settings(found),
        "components": [_kind(game, found, kind) for kind in _kinds(found)],
        "seat_options": _seat_options(game, found),
        "decisions": [{"name": d.name, "role": d.role, "description": d.doc} for d in game.decisions],
        "strategies": [_strategy(game, each, loader) for each in loader.strategy_names(game.ref)],
        "features": [{"name": f.name, "description": f.doc} for f in game.features],
        "metrics": [
            {"name": m.name, "description": m.doc, "per_seat": m.per == "seat", "per": m.per} for m in game.metrics
        ],
        "reasons": list(game.reasons(found.model)),
        "chance": list(game.chance),
        "capacities": dict(game.capacities),
        "provenance": found.shares,
    }


def _edition(game: Game, name: str | None, loader: Loader, base: Path) -> Edition:
    folder = loader.folder_of(game.ref)
    name = name or editions.usual(folder)
    file = editions.find(folder, name, base)
    if file is None:
        is_path = editions.is_path(name)
        hint = ": no such file" if is_path else f" is not known{suggest(name, editions.available(folder))}"
        raise InputError.of("--edition", f"edition '{name}'{hint}")
    return editions.load(file, game.components.Edition, [], game.name)


def _seats(game: Game, count: int) -> dict[str, Any]:
    sides = [[seat + 1 for seat in seats] for seats in game.sides(count)]
    return {"count": count, "sides": sides, "rotations": len(game.rotations(count))}


def _rules(game: Game, edition: Edition) -> list[dict[str, Any]]:
    values = edition.data["rules"]
    fields = allowed.describe(game.components.Edition, "rules").fields
    return [
        {**_field(field), "default": values[field.name], "from": _kind_of(edition, ("rules", field.name))}
        for field in fields
    ]


def _kind_of(edition: Edition, path: DataPath) -> str:
    return provenance.kind(edition.sources.get(path, provenance.UNKNOWN))


def _field(field: allowed.Field) -> dict[str, Any]:
    return {**asdict(field), "values": list(field.values)}


def _kinds(edition: Edition) -> list[str]:
    """Return the names of the lists of components."""
    return [name for name, value in edition.data.items() if _is_component_list(value)]


def _is_component_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(element, dict) and "id" in element for element in value)


def _settings(edition: Edition) -> list[dict[str, Any]]:
    """Return what an edition holds besides rules and components, such as its pace."""
    names = [name for name in edition.data if name != "rules" and name not in _kinds(edition)]
    return [{"name": name, "values": edition.data[name], **_sources(edition, (name,))} for name in names]


def _kind(game: Game, edition: Edition, kind: str) -> dict[str, Any]:
    part = allowed.describe(game.components.Edition, kind, 0)
    return {
        "kind": kind,
        "description": part.description,
        "fields": [_field(field) for field in part.fields],
        "parts": [
            {
                "field": field,
                "name": inner.name,
                "description": inner.description,
                "fields": [_field(f) for f in inner.fields],
            }
            for field, inner in allowed.parts(game.components.Edition, kind, 0)
        ],
        "elements": [
            {
                **{name: element[name] for name in NAMES},
                "values": {name: value for name, value in element.items() if name not in NAMES},
                **_sources(edition, (kind, element["id"])),
            }
            for element in edition.data[kind]
        ],
    }


def _sources(edition: Edition, path: DataPath) -> dict[str, Any]:
    """Return the kind of source of every value below `path`, positions from 1, and the pages of public ones."""
    below = {at[len(path) :]: source for at, source in edition.sources.items() if at[: len(path)] == path}
    pages = {provenance.page(source): None for source in below.values()}
    return {
        "sources": {format_path(_counted(at)): provenance.kind(source) for at, source in below.items()},
        "pages": [page for page in pages if page],
    }


def _counted(path: DataPath) -> DataPath:
    return tuple(part + 1 if isinstance(part, int) else part for part in path)


def _seat_options(game: Game, edition: Edition) -> list[dict[str, Any]]:
    known = game.components.seat_choices(edition.model)
    labels = {element["id"]: element["label"] for _, _, element in editions.elements(edition.data)}
    return [
        {**_field(field), "choices": [{"id": id_, "label": labels.get(id_, id_)} for id_ in known.get(field.name, [])]}
        for field in allowed.describe(game.components.Seat).fields
    ]


def _strategy(game: Game, name: str, loader: Loader) -> dict[str, Any]:
    strategy = loader.strategy(game.ref, name)
    return {
        "name": name,
        "game": game.name if _is_own(strategy, game) else None,
        "summary": first_sentence(strategy.doc),
        "description": "\n\n".join(_paragraphs(strategy.doc)),
        "parameters": [
            {"name": key, "default": param.default, "low": param.low, "high": param.high, "description": param.doc}
            for key, param in strategy.params.items()
        ],
    }
