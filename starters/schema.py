"""The JSON schema of scenario files (draft 2020-12), made of the models that read them.

It says what editors can check key by key. What concerns several values together is for ``balance validate``.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any, Protocol

from simcore import edition as editions
from simcore.contract import Game
from simcore.scenario import LONGEST_LABEL, ScenarioFile
from simcore.yamlfile import load as load_yaml

DRAFT = "https://json-schema.org/draft/2020-12/schema"
TITLE = "Scenario of tablebalance"
PATHS = r"\."
"""Keys that are paths, such as ``rules.hits_to_win`` or ``effects.1.count``: left to ``balance validate``."""
CODE = r"(\.py:|/)"
"""Names of a designer's own games and strategies."""

CHANGE = "change-of-"
REFERENCE = "#/$defs/"

Schema = dict[str, Any]


class Loader(Protocol):
    """How names become games, and which names there are."""

    def game_names(self) -> list[str]: ...  # noqa: D102
    def game(self, name: str, base: Path = ...) -> Game: ...  # noqa: D102
    def folder_of(self, game: str) -> Path: ...  # noqa: D102
    def strategy_names(self, game_name: str) -> list[str]: ...  # noqa: D102


def of_scenarios(loader: Loader) -> Schema:
    """Return the schema of scenario files: the common keys, and for each game its rules, components and players."""
    found: Schema = {"$schema": DRAFT, **ScenarioFile.model_json_schema(), "title": TITLE}
    found["patternProperties"] = {PATHS: True}
    names = loader.game_names()
    own = {"pattern": "/", "description": "folder of a game of your own: ./my-game"}
    found["properties"]["game"] = {**found["properties"]["game"], "anyOf": [{"enum": names}, own]}
    found["$defs"] = {}
    found["allOf"] = []
    for name in names:
        parts, definitions = _of_game(loader.game(name), loader)
        found["$defs"].update({f"{name}.{key}": _renamed(part, name) for key, part in definitions.items()})
        is_game = {"properties": {"game": {"const": name}}, "required": ["game"]}
        found["allOf"].append({"if": is_game, "then": {"properties": _renamed(parts, name)}})
    return found


def _of_game(game: Game, loader: Loader) -> tuple[Schema, Schema]:
    """Return what a scenario of the game may say under `rules`, `components` and `seats`, and the definitions."""
    whole = game.components.Edition.model_json_schema()
    seat = game.components.Seat.model_json_schema()
    definitions = {**whole.pop("$defs", {}), **seat.pop("$defs", {})}
    fields = whole["properties"]
    rules = _changes(_resolved(fields["rules"], definitions))
    kinds = {kind: field["items"] for kind, field in fields.items() if _is_kind(field, definitions)}
    components = _components(kinds, definitions, game, loader)
    return {"rules": rules, "components": components, "seats": {"items": _seat(seat, game, loader)}}, definitions


def _is_kind(field: Schema, definitions: Schema) -> bool:
    """Return whether a field of an edition is a list of components."""
    return "items" in field and "id" in _resolved(field["items"], definitions).get("properties", {})


def _resolved(schema: Schema, definitions: Schema) -> Schema:
    return definitions[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def _changes(model: Schema) -> Schema:
    """Return the schema of some fields of a model: none is needed, and a key may be a path."""
    kept = {key: value for key, value in copy.deepcopy(model).items() if key not in ("required", "title")}
    return {**kept, "patternProperties": {PATHS: True}}


def _components(kinds: Schema, definitions: Schema, game: Game, loader: Loader) -> Schema:
    """Return what may be said of components: fields of the known ones by kind; a new one is of any kind."""
    folder = loader.folder_of(game.ref)
    data = load_yaml(folder / "editions" / f"{editions.usual(folder)}.yaml").data
    changed: Schema = {}
    for kind, items in kinds.items():
        one = _changes(_resolved(items, definitions))
        one["properties"].pop("id")
        one["properties"] |= {editions.REMOVE: {"const": True, "description": "take this component out"}}
        definitions[f"{CHANGE}{kind}"] = one
        changed |= {element["id"]: {"$ref": f"{REFERENCE}{CHANGE}{kind}"} for element in data.get(kind, [])}
    new = {"type": "object", "properties": {editions.KIND: {"enum": sorted(kinds), "description": "of a new one"}}}
    return {
        "type": "object",
        "properties": changed,
        "patternProperties": {PATHS: True},
        "additionalProperties": new,
    }


def _seat(seat: Schema, game: Game, loader: Loader) -> Schema:
    """Return the schema of a player: strategy, params, label, and the game's own options."""
    names = loader.strategy_names(game.ref)
    strategy: Schema = {"anyOf": [{"enum": names}, {"type": "string", "pattern": CODE}]}
    by_role = {"type": "object", "properties": dict.fromkeys(game.roles, strategy), "additionalProperties": False}
    common: Schema = {
        "strategy": {"anyOf": [*strategy["anyOf"], by_role], "description": "who decides; or one for each role"},
        "params": {"type": "object", "description": "parameters of the strategy"},
        "label": {"type": "string", "minLength": 1, "maxLength": LONGEST_LABEL, "description": "what people see"},
    }
    required = ["strategy", *seat.get("required", [])]
    return {**seat, "title": "Player", "properties": {**common, **seat.get("properties", {})}, "required": required}


def _renamed(part: Any, game: str) -> Any:
    """Return a part of a schema whose references are to definitions of `game`."""
    if isinstance(part, list):
        return [_renamed(item, game) for item in part]
    if isinstance(part, dict):
        return {key: _renamed(value, game) for key, value in part.items()}
    return part.replace(REFERENCE, f"{REFERENCE}{game}.") if isinstance(part, str) else part
