"""Where the values of an edition come from: the key `from` in its file, and the share of each source.

`from: rulebook` covers everything below the mapping it stands in; `from: {rank: derived, effects.picker: public: ...}`
covers the named fields, in each element of a list. The closest one decides; what none covers is reconstructed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from simcore.errors import Problem, suggest
from simcore.yamlfile import DataPath, Document

SOURCES = ("rulebook", "derived", "public", "reconstructed")
UNKNOWN = "reconstructed"
KEY = "from"

Origins = Mapping[DataPath, str]
"""Source of each path that a `from` covers; a public source with its page, as in the file."""


def kind(source: str) -> str:
    """Return the kind of a source: ``public`` for ``public: https://...``."""
    return source.partition(":")[0]


def page(source: str) -> str:
    """Return the page of a public source, else ""."""
    return source.partition(":")[2].strip()


def take(data: Any, document: Document, problems: list[Problem]) -> dict[DataPath, str]:
    """Take every `from` out of `data` and return what each covers; note what is wrong with one."""
    origins: dict[DataPath, str] = {}
    for path, mapping in list(_mappings(data, ())):
        if KEY not in mapping:
            continue
        given = mapping.pop(KEY)
        for fields, source in given.items() if isinstance(given, dict) else [("", given)]:
            covered = tuple(fields.split(".")) if fields else ()
            place = (*path, KEY, fields) if fields else (*path, KEY)
            if fields and not any(_covers(covered, leaf) for leaf in leaves(mapping)):
                problems.append(document.problem(place, f"'{fields}' is no field here", key=True))
            elif message := _complaint(source):
                problems.append(document.problem(place, message))
            else:
                origins[(*path, *covered)] = source
    return {named(data, path): source for path, source in origins.items()}


def _complaint(source: Any) -> str:
    if not isinstance(source, str) or kind(source) not in SOURCES:
        return f"source '{source}' is not known{suggest(str(source), SOURCES)}"
    if kind(source) == "public" and "://" not in source:
        return 'a public source names its page: "public: https://..."'
    return ""


def _mappings(data: Any, path: DataPath) -> Iterator[tuple[DataPath, dict[str, Any]]]:
    if isinstance(data, dict):
        yield path, data
        for key, value in data.items():
            if key != KEY:
                yield from _mappings(value, (*path, key))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from _mappings(value, (*path, index))


def leaves(data: Any, path: DataPath = ()) -> Iterator[DataPath]:
    """Yield the path of every value that is no collection, and of empty lists; ids are names, not values."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key != "id":
                yield from leaves(value, (*path, key))
    elif isinstance(data, list) and data:
        for index, value in enumerate(data):
            yield from leaves(value, (*path, index))
    else:
        yield path


def named(data: Any, path: DataPath) -> DataPath:
    """Return `path` with the id of an element in the place of its position, which changes when one is removed."""
    if len(path) > 1 and isinstance(path[1], int):
        element = data[path[0]][path[1]]
        if isinstance(element, dict) and isinstance(element.get("id"), str):
            return (path[0], element["id"], *path[2:])
    return path


def _without_positions(path: DataPath) -> DataPath:
    return tuple(part for part in path if not isinstance(part, int))


def _covers(outer: DataPath, path: DataPath) -> bool:
    return _without_positions(path)[: len(outer)] == outer


def source_of(path: DataPath, origins: Origins) -> str:
    """Return the source of the value at `path` (with the id of its element), by the closest `from`."""
    for length in range(len(path), -1, -1):
        for outer in (path[:length], _without_positions(path[:length])):
            if outer in origins:
                return origins[outer]
    return UNKNOWN


def shares(sources: Mapping[DataPath, str]) -> dict[str, float]:
    """Return the share of values by kind of source; sums to 1."""
    counts = Counter(kind(source) for source in sources.values())
    return {name: counts[name] / len(sources) for name in SOURCES}
