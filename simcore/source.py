"""A scenario's data before it is understood: the file, what the command line changes in it, and where each value is.

A path such as ``rules.hits_to_win`` means the same as a key of the file and after ``--set``.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from simcore import yamlfile
from simcore.edition import KIND
from simcore.errors import InputError, Problem
from simcore.yamlfile import DataPath, Document, format_path

COMPONENTS = "components"
_TWICE = "'{}' is set twice"
_EXCLUDE = {"games": "precision", "precision": "games"}  # an option replaces what the file says of the other


class _WrongPathError(Exception):
    """There is nothing at a path; the message says from where on."""


class Source:
    """The data of a scenario, and the place of every value.

    Parameters
    ----------
    document : Document
    overrides : sequence of (path, value)
        As given to ``--set``.
    options : sequence of (key, value)
        Values of the options ``--seed``, ``--games``, ``--precision``.

    Raises
    ------
    InputError
        If the file holds no mapping. Everything else that is wrong is kept in `problems`.
    """

    def __init__(
        self, document: Document, overrides: Sequence[tuple[str, str]] = (), options: Sequence[tuple[str, str]] = ()
    ) -> None:
        if not isinstance(document.data, dict):
            raise InputError([document.problem((), "a scenario is a mapping with the keys game, seats, ...")])
        self.document = document
        self.data: dict[str, Any] = copy.deepcopy(document.data)
        self.problems: list[Problem] = []
        self._places: dict[DataPath, str | DataPath] = {}
        self._above: dict[DataPath, str | DataPath] = {}  # every start of those paths, with a place inside
        self._spread_keys()
        for path, value in overrides:
            self._read(f"--set {path}", path, value)
        for key, value in options:
            self._read(f"--{key}", key, value)

    def problem(self, path: DataPath, message: str, on_key: bool = False) -> Problem:
        """Return the problem at `path`: in the file, or in the option that set the value."""
        place, rest = self._place(path)
        if isinstance(place, str):
            return Problem(place, None, None, message)
        return self.document.problem((*place, *rest), message, key=on_key)

    def base(self, path: DataPath) -> Path:
        """Return the folder from which a file named at `path` is found: the scenario's, or here for an option."""
        return Path() if self._is_option(path) else Path(self.document.source).parent

    def _is_option(self, path: DataPath) -> bool:
        return isinstance(self._place(path)[0], str)

    def components(self) -> list[tuple[DataPath, Any, DataPath]]:
        """Return (path from the id of a component, value, place) of everything under `components`, in order.

        What a later one replaces is left out.
        """
        found: dict[DataPath, tuple[Any, DataPath]] = {}
        starts: set[DataPath] = set()
        for path, value, place in self._component_values():
            if path in found and not self._is_option(place):
                self.problems.append(self.problem(place, _TWICE.format(format_path(path)), on_key=True))
            if path in starts:
                found = {known: given for known, given in found.items() if known[: len(path)] != path}
            starts.update(path[:length] for length in range(1, len(path) + 1))
            found[path] = value, place
        return [(path, value, place) for path, (value, place) in found.items()]

    def _component_values(self) -> Iterator[tuple[DataPath, Any, DataPath]]:
        given = self.data.get(COMPONENTS)
        for name, fields in given.items() if isinstance(given, dict) else ():
            path = self._parse(name, (COMPONENTS, name))
            if not path:
                continue
            if len(path) > 1 or not isinstance(fields, dict) or KIND in fields:
                yield path, fields, (COMPONENTS, name)
                continue
            for field, value in fields.items():
                place = (COMPONENTS, name, field)
                inner = self._parse(field, place)
                if inner:
                    yield (*path, *inner), value, place

    def _parse(self, text: str, place: DataPath) -> DataPath:
        """Return a key of the file as a path; () after noting that it is none."""
        try:
            return yamlfile.parse_path(text)
        except InputError as error:
            self.problems.append(self.problem(place, error.problems[0].message, on_key=True))
            return ()

    def _place(self, path: DataPath) -> tuple[str | DataPath, DataPath]:
        """Return the option or the place in the file from which `path` comes, and the rest of the path."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._places:
                return self._places[path[:length]], path[length:]
        if path in self._above and not _stands_in(self.document.data, path):
            return self._above[path], ()
        return path, ()

    # -- writing ----------------------------------------------------------------------------------------------------

    def _spread_keys(self) -> None:
        """Put the values of keys such as ``rules.hits_to_win`` where they belong."""
        for key in [key for key in self.data if "." in key]:
            value = self.data.pop(key)
            path = self._parse(key, (key,))
            try:
                if path:
                    self._write(path, value, (key,))
            except _WrongPathError as error:
                self.problems.append(self.document.problem((key,), str(error), key=True))

    def _read(self, option: str, path: str, value: str) -> None:
        """Write the value of an option."""
        try:
            self._write(yamlfile.parse_path(path, option), yamlfile.parse_value(value, option), option)
        except InputError as error:
            self.problems += error.problems
        except _WrongPathError as error:
            self.problems.append(Problem(option, None, None, str(error)))

    def _write(self, parts: DataPath, value: Any, place: str | DataPath) -> None:
        """Write `value`; in the file nothing may stand there yet, an option replaces it."""
        container, key, path = self._find(parts)
        if isinstance(place, tuple) and _stands_in(container, (key,)):
            raise _WrongPathError(_TWICE.format(format_path(parts)))
        if isinstance(container, dict):
            container.pop(key, None)  # a later change counts, so it also stands later
        container[key] = value
        if path in self._above:
            self._places = {known: at for known, at in self._places.items() if known[: len(path)] != path}
        self._places[path] = place
        self._above |= {path[:length]: place for length in range(1, len(path) + 1)}
        if isinstance(place, str):
            self._drop_replaced(path)

    def _drop_replaced(self, path: DataPath) -> None:
        """Take out what the file says and an option at `path` makes void."""
        other: DataPath = ()
        if len(path) == 1 and path[0] in _EXCLUDE:
            other = (_EXCLUDE[str(path[0])],)
        elif len(path) > 2 and path[0] == "seats" and path[2] == "strategy":
            other = (*path[:2], "params", *path[3:])  # of the strategy that was
        chosen = [known for known, at in self._places.items() if isinstance(at, str)]
        is_chosen = any(known[: len(other)] == other or other[: len(known)] == known for known in chosen)
        if other and not is_chosen and _stands_in(self.data, other):
            container, key, _ = self._find(_counted(other))
            del container[key]

    def _find(self, parts: DataPath) -> tuple[Any, Any, DataPath]:
        """Return (container, key, path) of the place for a value; mappings on the way are made."""
        inside: Any = self.data
        path: DataPath = ()
        for position, part in enumerate(parts):
            if path == (COMPONENTS,) and isinstance(inside, dict):
                return inside, format_path(parts[1:]), (COMPONENTS, format_path(parts[1:]))
            key = _key(inside, part, format_path(parts[:position]))
            path = (*path, key)
            if position == len(parts) - 1:
                break
            inside = inside.setdefault(key, {}) if isinstance(inside, dict) else inside[key]
        return inside, path[-1], path


def _counted(path: DataPath) -> DataPath:
    """Return a path with its positions counted from 1, as people write it."""
    return tuple(part + 1 if isinstance(part, int) else part for part in path)


def _stands_in(data: Any, path: DataPath) -> bool:
    for part in path:
        is_in_list = isinstance(data, list) and isinstance(part, int) and part < len(data)
        if not is_in_list and not (isinstance(data, dict) and part in data):
            return False
        data = data[part]
    return True


def _key(container: Any, part: str | int, name: str) -> Any:
    """Return the key of `part` in a container: positions in lists count from 1 for people."""
    if isinstance(container, list):
        if isinstance(part, int) and 1 <= part <= len(container):
            return part - 1
        raise _WrongPathError(f"'{part}' is no position from 1 to {len(container)}")
    if not isinstance(container, dict):
        raise _WrongPathError(f"there is nothing inside '{name}'")
    return str(part)
