"""Component data of a game: load an edition, apply a scenario's changes, check it, and account for its provenance.

An edition file holds a header (`game`, `edition`, `label`), `rules`, `pace`, and one list of elements for each kind
of component; every element has an `id`, unique in the file. The key `from`, anywhere, says where the values of that
mapping come from. It is taken out before the game's own model checks the rest.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import PydanticCustomError

from simcore import yamlfile
from simcore.errors import InputError, Problem

SOURCES = ("rulebook", "derived", "public", "reconstructed")
HEADER = ("game", "edition", "label")
ID_PATTERN = r"^[a-z][a-z0-9-]*$"

Path_ = tuple[str | int, ...]
Id = Annotated[str, StringConstraints(pattern=ID_PATTERN, max_length=64)]
Count = Annotated[int, Field(ge=0, le=99)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=300)]


class Model(BaseModel):
    """Base of everything read from YAML: no unknown keys, no conversions, no changes afterwards."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Element(Model):
    """A part of a component that needs no name of its own, such as an effect."""


class Component(Model):
    """A card, a die, a space: something that a scenario can change as ``components.<id>.<field>``."""

    id: Id
    label: Label


class Pace(Model):
    """Seconds that people need, for estimated minutes."""

    setup: Annotated[int, Field(ge=0, le=36_000, description="seconds before the first turn")]
    turn: Annotated[int, Field(ge=0, le=3_600, description="seconds a turn")]
    round: Annotated[int, Field(ge=0, le=36_000, description="seconds a round, besides its turns")]


def require(condition: bool, message: str, *where: str) -> None:
    """Raise a validation error at the component ``where[0]``, field ``where[1:]``, unless `condition` holds."""
    if not condition:
        raise PydanticCustomError("edition", "{message}", {"message": message, "where": where})


@dataclass(frozen=True)
class Edition:
    """A checked edition.

    Parameters
    ----------
    model : pydantic model
        The game's own `Edition`.
    shares : dict
        Share of leaf values by source (`SOURCES`); sums to 1.
    changed : tuple of str
        Paths that the scenario changed, as ``components.leap.rank`` or ``rules.hits_to_win``.
    """

    name: str
    label: str
    file: Path
    model: Any
    shares: dict[str, float]
    changed: tuple[str, ...]

    @property
    def data(self) -> dict[str, Any]:
        """The edition as plain data, after the scenario's changes."""
        return dict(self.model.model_dump(mode="json"))


@dataclass
class Change:
    """One value that a scenario sets: `path` into ``components`` or ``rules``, and where the user wrote it."""

    path: Path_
    value: Any
    problem: Any  # Callable[[str], Problem]


def available(folder: Path) -> list[str]:
    """Return the names of the editions in a game's folder, sorted."""
    return sorted(file.stem for file in (folder / "editions").glob("*.yaml"))


def find(folder: Path, name: str, base: Path) -> Path | None:
    """Return the file of edition `name`: a name in the game's folder, or a path (``./mine.yaml``) from `base`."""
    if name.endswith((".yaml", ".yml")) or "/" in name:
        return base / name
    file = folder / "editions" / f"{name}.yaml"
    return file if file.is_file() else None


def load(file: Path, schema: Any, changes: list[Change], game: str) -> Edition:
    """Read an edition file, apply `changes`, and check it against the game's model `schema`.

    Raises
    ------
    InputError
        With all problems, each at the place in the edition or the scenario that caused it.
    """
    document = yamlfile.load(file)
    data = copy.deepcopy(document.data)
    problems = list(_header_problems(document, data, game))
    sources = {_named(data, path): source for path, source in list(_provenance(data, document, problems))}
    header = {key: data.pop(key, None) for key in HEADER}
    placed = _apply(data, changes, problems)
    if problems:
        raise InputError(problems)
    try:
        model = schema.model_validate(data)
    except ValidationError as error:
        raise InputError(_explain(error, data, document, placed)) from None
    _require_unique_ids(data, document)
    return Edition(
        name=str(header["edition"]),
        label=str(header["label"]),
        file=file,
        model=model,
        shares=_shares(data, sources, placed),
        changed=tuple(sorted(_dotted(change.path) for change in changes)),
    )


def _dotted(path: Path_) -> str:
    return ".".join(str(part) for part in path)


def _header_problems(document: Any, data: Any, game: str) -> Iterator[Problem]:
    if not isinstance(data, dict):
        yield document.problem((), "an edition is a mapping with the keys game, edition, label, ...")
        return
    for key in HEADER:
        if not isinstance(data.get(key), str):
            yield document.problem((key,) if key in data else (), f"'{key}' is missing or is no text")
    if isinstance(data.get("game"), str) and data["game"] != game:
        yield document.problem(("game",), f"this edition is for '{data['game']}', not for '{game}'")


# -- provenance -----------------------------------------------------------------------------------------------------


def _provenance(data: Any, document: Any, problems: list[Problem]) -> Iterator[tuple[Path_, str]]:
    """Take every `from` out of `data`; yield (path, source) of what each covers."""
    for path, mapping in list(_mappings(data, ())):
        if "from" not in mapping:
            continue
        given = mapping.pop("from")
        entries = given if isinstance(given, dict) else {"": given}
        for fields, source in entries.items():
            kind = source.split(":")[0] if isinstance(source, str) else source
            if kind not in SOURCES:
                problems.append(document.problem((*path, "from"), f"source '{source}' is none of {', '.join(SOURCES)}"))
            elif kind == "public" and "://" not in source:
                problems.append(document.problem((*path, "from"), 'a public source names its page: "public: https://..."'))
            else:
                yield (*path, *fields.split(".")) if fields else path, kind


def _mappings(data: Any, path: Path_) -> Iterator[tuple[Path_, dict[str, Any]]]:
    if isinstance(data, dict):
        yield path, data
        for key, value in data.items():
            if key != "from":
                yield from _mappings(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from _mappings(value, (*path, index))


def _leaves(data: Any, path: Path_) -> Iterator[Path_]:
    if isinstance(data, dict):
        for key, value in data.items():
            if key != "id":
                yield from _leaves(value, (*path, key))
    elif isinstance(data, list) and data:
        for index, value in enumerate(data):
            yield from _leaves(value, (*path, index))
    else:
        yield path


def _shares(data: Any, sources: Mapping[Path_, str], placed: Mapping[Path_, Change]) -> dict[str, float]:
    """Return the share of leaf values by source; a value that the scenario set is nobody's datum: reconstructed."""
    counts = Counter(
        "reconstructed" if _covering(path, placed) is not None else _source_of(_without_positions(path), sources)
        for path in (_named(data, leaf) for leaf in _leaves(data, ()))
    )
    total = sum(counts.values())
    return {source: counts[source] / total for source in SOURCES}


def _without_positions(path: Path_) -> Path_:
    """Drop list positions inside an element, so that ``effects.picker`` covers the picker of each effect."""
    return tuple(part for part in path if not isinstance(part, int))


def _named(data: Any, path: Path_) -> Path_:
    """Return `path` with the id of an element in the place of its position, which changes when one is removed."""
    if len(path) > 1 and isinstance(path[1], int):
        element = data[path[0]][path[1]]
        if isinstance(element, dict) and "id" in element:
            return (path[0], element["id"], *path[2:])
    return path


def _source_of(path: Path_, named: Mapping[Path_, str]) -> str:
    for length in range(len(path), -1, -1):
        if path[:length] in named:
            return named[path[:length]]
    return "reconstructed"


# -- a scenario's changes -------------------------------------------------------------------------------------------


def _apply(data: dict[str, Any], changes: list[Change], problems: list[Problem]) -> dict[Path_, Change]:
    """Write `changes` into `data`; return where each went, for error messages and provenance."""
    placed: dict[Path_, Change] = {}
    for change in changes:
        target = _locate(data, change, problems)
        if target is None:
            continue
        container, key, path = target
        if change.value is REMOVE:
            del container[key]
        else:
            container[key] = change.value
            placed[path] = change
    return placed


REMOVE = object()
"""Value of a change that takes its component out of the edition."""


def _locate(data: dict[str, Any], change: Change, problems: list[Problem]) -> tuple[Any, Any, Path_] | None:
    """Return (container, key, path) of what a change sets, or None after noting the problem."""
    if change.path[0] == "rules":
        rules = data.setdefault("rules", {})
        return rules, change.path[1], change.path
    ids = {element["id"]: (kind, index) for kind, index, element in elements(data)}
    name = change.path[1]
    if name not in ids:
        kinds = sorted(kind for kind, value in data.items() if isinstance(value, list))
        new = change.value if len(change.path) == 2 and isinstance(change.value, dict) else None
        if new is not None and new.get("kind") in kinds:
            kind = str(new["kind"])
            data[kind].append({"id": name})
            index = len(data[kind]) - 1
            change.value = {"id": name, **{key: value for key, value in new.items() if key != "kind"}}
            return data[kind], index, (kind, name)
        hint = yamlfile.suggest(str(name), ids)
        problems.append(change.problem(f"component '{name}' is not known{hint} (a new one names its kind: {', '.join(kinds)})"))
        return None
    kind, index = ids[name]
    return _descend(data[kind], index, (kind, name), change, problems)


def _descend(
    container: Any, key: Any, path: Path_, change: Change, problems: list[Problem]
) -> tuple[Any, Any, Path_] | None:
    for part in change.path[2:]:
        container = container[key]
        key = part
        if isinstance(container, list):
            if not (isinstance(part, int) and 1 <= part <= len(container)):
                problems.append(change.problem(f"'{part}' is no position from 1 to {len(container)}"))
                return None
            key = part - 1
        elif not isinstance(container, dict):
            problems.append(change.problem(f"'{_dotted(change.path)}': there is nothing inside '{container}'"))
            return None
        path = (*path, key)
    return container, key, path


def elements(data: Mapping[str, Any]) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Yield (kind, position, element) of everything with an id."""
    for kind, value in data.items():
        if isinstance(value, list):
            for index, element in enumerate(value):
                if isinstance(element, dict) and "id" in element:
                    yield kind, index, element


# -- error messages -------------------------------------------------------------------------------------------------


def _covering(path: Path_, placed: Mapping[Path_, Change]) -> Change | None:
    for length in range(len(path), 0, -1):
        if path[:length] in placed:
            return placed[path[:length]]
    return None


def _explain(error: ValidationError, data: Any, document: Any, placed: Mapping[Path_, Change]) -> list[Problem]:
    problems = []
    for item in error.errors(include_url=False):
        path, message = locate_error(item, data)
        change = _covering(_named(data, path), placed)
        problems.append(change.problem(message) if change else document.problem(path, message))
    return problems


def locate_error(item: Any, data: Any) -> tuple[Path_, str]:
    """Return (path in `data`, message) of a pydantic error; union tags are no part of the path."""
    path: list[str | int] = []
    for part in _error_place(item, data):
        inside = data
        for step in path:
            inside = inside[step]
        if isinstance(inside, dict) and (part in inside or item["type"] == "missing" and part == item["loc"][-1]):
            path.append(part)
        elif isinstance(inside, list) and isinstance(part, int) and part < len(inside):
            path.append(part)
    return tuple(path), describe_error(item)


def _error_place(item: Any, data: Any) -> Path_:
    where = item.get("ctx", {}).get("where", ())
    if where:
        for kind, index, element in elements(data):
            if element["id"] == where[0]:
                return (kind, index, *where[1:])
    return tuple(item["loc"])


def describe_error(item: Any) -> str:
    """Return one line that says what is wrong with a value and what would be right."""
    name = ".".join(str(part) for part in item["loc"] if not isinstance(part, int)) or "value"
    name = str(item["loc"][-1]) if item["loc"] else name
    given = item.get("input")
    if item["type"] == "missing":
        return f"'{name}' is missing"
    if item["type"] == "extra_forbidden":
        return f"unknown key '{name}'"
    if item["type"] == "edition":
        return str(item["msg"])
    shown = repr(given) if isinstance(given, str | int | float | bool) or given is None else f"a {type(given).__name__}"
    shown = {"a dict": "a mapping", "a list": "a list"}.get(shown, shown)
    return f"{name}: got {shown}, expected {_expected(str(item['msg']))}"


def _expected(message: str) -> str:
    for prefix in ("Input should be ", "Value error, "):
        message = message.removeprefix(prefix)
    return message[:1].lower() + message[1:]


def _require_unique_ids(data: Any, document: Any) -> None:
    seen: dict[str, str] = {}
    for kind, index, element in elements(data):
        if element["id"] in seen:
            raise InputError([document.problem((kind, index), f"the id '{element['id']}' is used twice")])
        seen[element["id"]] = kind
