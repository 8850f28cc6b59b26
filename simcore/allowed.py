"""What a pydantic model allows, in words: for error messages and for the description of a game.

Everything is read from the model's JSON schema, so that no game has to say it twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from simcore.errors import suggest
from simcore.yamlfile import DataPath, format_path
from simcore.yamlscalar import quote

ID_PATTERN = r"^[a-z][a-z0-9-]*$"
RANGE_PATTERN = r"^[1-9][0-9]*\.\.[1-9][0-9]*$"
PATTERNS = {ID_PATTERN: "an id of small letters, digits and hyphens", RANGE_PATTERN: "a range such as 1..6"}
"""Patterns of text, and what they mean to people."""

CUSTOM = "edition"
"""Type of the errors that a game's own checks raise; ``where`` in their context names the component."""

Schema = Mapping[str, Any]


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with data: `path` in it, and whether the key there is wrong rather than its value."""

    path: DataPath
    message: str
    on_key: bool = False


@dataclass(frozen=True)
class Field:
    """One field of a model.

    Parameters
    ----------
    type : str
        ``integer``, ``number``, ``boolean``, ``choice``, ``text``, ``list``, ``mapping`` or ``several``.
    low, high : number or None
        Inclusive range of a number, or of the length of a list.
    values : tuple
        All values of a choice, or of a truth value.
    words : str
        The same in words: ``a whole number from 1 to 50``.
    """

    name: str
    type: str
    low: float | None
    high: float | None
    values: tuple[Any, ...]
    words: str
    required: bool
    default: Any
    description: str


@dataclass(frozen=True)
class Part:
    """A model: its name, what it is, and its fields."""

    name: str
    description: str
    fields: tuple[Field, ...]


# -- what is allowed ------------------------------------------------------------------------------------------------


def describe(model: type[BaseModel], *path: str | int) -> Part:
    """Return what `model` allows, or the model at `path` inside it."""
    root = model.model_json_schema()
    return _part(root, _at(root, root, {}, path))


def parts(model: type[BaseModel], *path: str | int) -> Iterator[tuple[str, Part]]:
    """Yield (field, model) of what can stand in the lists of the model at `path`, such as the kinds of effects."""
    root = model.model_json_schema()
    for name, schema in _at(root, root, {}, path).get("properties", {}).items():
        for item in _branches(root, _resolve(root, schema).get("items", {})):
            if "properties" in item:
                yield name, _part(root, item)


def _part(root: Schema, schema: Schema) -> Part:
    return Part(_tag(schema), _first(schema.get("description", "")), _fields(root, schema))


def _tag(schema: Schema) -> str:
    """Return what tells this model from its alternatives: the value of its only constant, else its title."""
    constants = [prop["const"] for prop in schema.get("properties", {}).values() if "const" in prop]
    return str(constants[0] if constants else schema.get("title", ""))


def _first(text: str) -> str:
    return text.split("\n\n")[0].replace("\n", " ").strip()


def _fields(root: Schema, schema: Schema) -> tuple[Field, ...]:
    required = schema.get("required", ())
    return tuple(
        _field(name, _resolve(root, inner), name in required, inner.get("description", ""))
        for name, inner in schema.get("properties", {}).items()
    )


def _field(name: str, schema: Schema, required: bool, description: str) -> Field:
    branches = [branch for branch in schema.get("anyOf", [schema]) if branch.get("type") != "null"]
    only = branches[0] if len(branches) == 1 else {}
    low, high = _range(only)
    return Field(
        name=name,
        type=_type(only) if only else "several",
        low=low,
        high=high,
        values=_values(only),
        words=expected(schema),
        required=required,
        default=schema.get("default"),
        description=description or schema.get("description", ""),
    )


def _type(schema: Schema) -> str:
    if "enum" in schema or "const" in schema:
        return "choice"
    kind = str(schema.get("type", "any"))
    return {"string": "text", "array": "list", "object": "mapping"}.get(kind, kind)


def _values(schema: Schema) -> tuple[Any, ...]:
    if schema.get("type") == "boolean":
        return (True, False)
    return tuple(schema.get("enum", [schema["const"]] if "const" in schema else []))


def _range(schema: Schema) -> tuple[Any, Any]:
    """Return the smallest and the largest number (or length of a list), None where there is no limit."""
    low, high = schema.get("minimum", schema.get("minItems")), schema.get("maximum", schema.get("maxItems"))
    if "exclusiveMaximum" in schema and schema.get("type") == "integer":
        high = schema["exclusiveMaximum"] - 1
    if "exclusiveMinimum" in schema and schema.get("type") == "integer":
        low = schema["exclusiveMinimum"] + 1
    return low, high


# -- words ----------------------------------------------------------------------------------------------------------


def expected(schema: Schema) -> str:
    """Return what a schema takes, to follow the word "expected"; null goes without saying where it is the default."""
    if "anyOf" in schema:
        is_default_null = "default" in schema and schema["default"] is None
        branches = [branch for branch in schema["anyOf"] if not (is_default_null and branch.get("type") == "null")]
        words = [expected(branch) for branch in branches]
        return (", or " if any(" " in word for word in words) else " or ").join(words)
    values = _values(schema)
    if values:
        return _either([shown(value) if not isinstance(value, str) else value for value in values])
    return _kind(schema)


def _either(words: Sequence[str]) -> str:
    return " or ".join(words) if len(words) < 3 else f"one of {', '.join(words)}"


def _kind(schema: Schema) -> str:
    low, high = _range(schema)
    match schema.get("type"):
        case "integer":
            return "a whole number" + _from(low, high)
        case "number":
            return "a number" + _from(low, high)
        case "array":
            return "a list" + _of(low, high)
        case "string":
            size = _of(schema.get("minLength"), schema.get("maxLength"), " characters")
            return PATTERNS.get(schema.get("pattern", "")) or f"a text{size}"
        case "null":
            return "null"
        case _:
            return "a mapping"


def _from(low: float | None, high: float | None) -> str:
    if low is None:
        return "" if high is None else f" of at most {high}"
    return f" of at least {low}" if high is None else f" from {low} to {high}"


def _of(low: int | None, high: int | None, unit: str = "") -> str:
    if low and high:
        return f" of {low}{unit}" if low == high else f" of {low} to {high}{unit}"
    if low:
        return f" of at least {low}{unit}"
    return f" of at most {high}{unit}" if high is not None else ""


def shown(value: Any) -> str:
    """Return a value as one would write it in YAML, short: ``true``, ``"text"``, ``a list of 3``."""
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "a mapping" if isinstance(value, dict) else json.dumps(value)


# -- errors ---------------------------------------------------------------------------------------------------------


def faults(error: ValidationError, model: type[BaseModel], data: Any) -> list[Fault]:
    """Return what `model` found wrong with `data`, once each, in words."""
    root = model.model_json_schema()
    found: dict[DataPath, Fault] = {}
    for item in error.errors(include_url=False):
        fault = _fault(item, root, data)
        found.setdefault(fault.path, fault)
    # each kind of value that a field takes has complained: the one that got deepest knows most
    outer = {path[:length] for path in found for length in range(len(path))}
    return [fault for path, fault in found.items() if path not in outer]


def _fault(item: Any, root: Schema, data: Any) -> Fault:
    path = _path(item["loc"], root, data)
    context = item.get("ctx", {})
    match item["type"]:
        case "missing":
            return Fault((*path, item["loc"][-1]), f"'{item['loc'][-1]}' is missing")
        case "extra_forbidden":
            above = _branches(root, _at(root, root, data, path[:-1]))
            known = [
                name for branch in above if _fits(branch, _value(data, path[:-1])) for name in branch["properties"]
            ]
            return Fault(path, f"unknown key '{path[-1]}'{suggest(str(path[-1]), known)}", on_key=True)
        case "union_tag_invalid":
            name, tag = context["discriminator"].strip("'"), str(context["tag"])
            known = _at(root, root, data, path)["discriminator"]["mapping"]
            return Fault((*path, name), f"{name} '{tag}' is not known{suggest(tag, known)}")
        case "union_tag_not_found" if isinstance(item["input"], dict):
            name = context["discriminator"].strip("'")
            return Fault((*path, name), f"'{name}' is missing")
        case kind if kind == CUSTOM:
            return Fault(_component(context["where"], data) or path, str(item["msg"]))
        case "value_error" | "assertion_error":
            return Fault(path, str(item["msg"]).partition(", ")[2])
    value = _value(data, path)
    return Fault(path, f"{_name(path)}: got {shown(value)}, expected {expected(_at(root, root, data, path))}")


def _name(path: DataPath) -> str:
    """Return the last name in `path` with the positions (from 1) behind it."""
    start = max((i for i, part in enumerate(path) if isinstance(part, str)), default=0)
    return format_path(tuple(part if isinstance(part, str) else part + 1 for part in path[start:])) or "value"


def _path(loc: DataPath, root: Schema, data: Any) -> DataPath:
    """Return `loc` without what pydantic puts in between to name a branch of a union."""
    path: DataPath = ()
    inside, tagged = data, None
    for part in loc:
        if path != tagged and isinstance(inside, dict) and "discriminator" in _at(root, root, data, path):
            tagged = path  # the constant of the branch, which may be the name of a field as well
        elif part in inside if isinstance(inside, dict) else isinstance(inside, list) and isinstance(part, int):
            path = (*path, part)
            inside = inside[part]
    return path


def _value(data: Any, path: DataPath) -> Any:
    for part in path:
        data = data[part]
    return data


def _component(where: DataPath, data: Any) -> DataPath:
    """Return the path of the component (or the mapping) with the id ``where[0]``, and of its field ``where[1:]``."""
    if where and isinstance(data.get(where[0]), dict):
        return where
    for kind, elements in data.items() if where else ():
        for index, element in enumerate(elements if isinstance(elements, list) else ()):
            if isinstance(element, dict) and element.get("id") == where[0]:
                return (kind, index, *where[1:])
    return ()


# -- walking a schema -----------------------------------------------------------------------------------------------


def _resolve(root: Schema, schema: Schema) -> Schema:
    """Follow references; what stands beside one is kept."""
    while "$ref" in schema:
        target = root["$defs"][schema["$ref"].rpartition("/")[2]]
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    return schema


def _branches(root: Schema, schema: Schema) -> list[Schema]:
    schema = _resolve(root, schema)
    choices = schema.get("oneOf") or schema.get("anyOf")
    return [inner for choice in choices for inner in _branches(root, choice)] if choices else [schema]


def _at(root: Schema, schema: Schema, data: Any, path: DataPath) -> Schema:
    """Return the schema of what stands at `path`; `data` tells which branch of a union is meant."""
    schema = _resolve(root, schema)
    if not path:
        return schema
    part, rest = path[0], path[1:]
    for branch in _branches(root, schema):
        inner = (
            branch.get("items") if isinstance(part, int) else _property(branch, part) if _fits(branch, data) else None
        )
        if inner is not None:
            return _at(root, inner, _inside(data, part), rest)
    return {}


def _inside(data: Any, part: str | int) -> Any:
    """Return what stands under `part`, nothing if there is none: a schema goes on without data."""
    try:
        return data[part]
    except (LookupError, TypeError):
        return {}


def _property(schema: Schema, name: str) -> Any:
    return schema.get("properties", {}).get(name) or schema.get("additionalProperties") or None


def _fits(schema: Schema, data: Any) -> bool:
    """Return whether the constants of a model are those of `data`, as far as it has them."""
    properties = schema.get("properties", {})
    return all(
        data.get(name, inner["const"]) == inner["const"]
        for name, inner in properties.items()
        if "const" in inner and isinstance(data, dict)
    )
