"""Component data of a game: load an edition, apply a scenario's changes, check it, and account for its provenance.

An edition file holds a header (`game`, `edition`, `label`), `rules`, `pace`, and one list of elements for each kind
of component; every element has an `id`, unique in the file. The key `from`, anywhere, says where the values of that
mapping come from. It is taken out before the game's own model checks the rest.

A change is ``components.<id>.<field>``, deeper fields by name and positions in lists from 1. ``remove: true`` takes
a component out; a mapping with the key `kind` adds one. No field of a component may be called `kind`, `remove` or
`from`.
"""

from __future__ import annotations

import bisect
import copy
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import PydanticCustomError

from simcore import allowed, provenance, yamlfile
from simcore.allowed import Fault
from simcore.errors import InputError, Problem, kind_of, suggest
from simcore.yamlfile import DataPath, Document, format_path

HEADER = ("game", "edition", "label")
DEFAULT = "reconstruction"
KIND, REMOVE = "kind", "remove"
RESERVED = (KIND, REMOVE, provenance.KEY)

Id = Annotated[str, StringConstraints(pattern=allowed.ID_PATTERN, max_length=64)]
Count = Annotated[int, Field(ge=0, le=99)]
Label = Annotated[str, StringConstraints(min_length=1, max_length=300)]


class Model(BaseModel):
    """Base of everything read from YAML: no unknown keys, no conversions, no changes afterwards."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Element(Model):
    """A part of a component that needs no name of its own, such as an effect."""


class Component(Model):
    """A card, a die, a space: something that a scenario can change as ``components.<id>.<field>``.

    `BLANK` says what turns it into one that does nothing and stays where it is: fields, deeper ones as
    ``scores.*.points`` with ``*`` for every position, and their values. Empty: it cannot be blanked.
    """

    BLANK: ClassVar[Mapping[str, Any]] = {}

    id: Id
    label: Label


class Pace(Model):
    """Seconds that people need, for estimated minutes."""

    setup: Annotated[int, Field(ge=0, le=36_000, description="seconds before the first turn")]
    turn: Annotated[int, Field(ge=0, le=3_600, description="seconds a turn")]
    round: Annotated[int, Field(ge=0, le=36_000, description="seconds a round, besides its turns")]


def require(condition: bool, message: str, *where: str | int) -> None:
    """Raise a validation error at the component ``where[0]``, field ``where[1:]``, unless `condition` holds.

    ``where[0]`` may also be ``"rules"``; positions in lists count from 0.
    """
    if not condition:
        raise PydanticCustomError(allowed.CUSTOM, "{message}", {"message": message, "where": where})


def require_known(what: str, name: str, known: Collection[str], *where: str | int) -> None:
    """Raise as `require` does, with a suggestion, unless `name`, which is a `what`, is one of the `known` ones."""
    if name not in known:
        require(False, f"{what} '{name}' is not known{suggest(name, known)}", *where)


@dataclass(frozen=True)
class Edition:
    """A checked edition.

    Parameters
    ----------
    model : pydantic model
        The game's own `Edition`.
    shares : dict
        Share of leaf values by kind of source (`provenance.SOURCES`); sums to 1.
    changed : tuple of str
        Paths that the scenario changed, as ``components.leap.rank`` or ``rules.hits_to_win``.
    sources : dict
        Source of every leaf value that the file or the scenario gives; the path has the id of an element in the place
        of its position.
    """

    name: str
    label: str
    file: Path
    model: Any
    shares: dict[str, float]
    changed: tuple[str, ...]
    sources: dict[DataPath, str]

    @property
    def data(self) -> dict[str, Any]:
        """The edition as plain data, after the scenario's changes."""
        return dict(self.model.model_dump(mode="json"))

    def value(self, path: str) -> Any:
        """Return the value at ``rules.hits_to_win`` or ``components.leap.effects.1.count``; None if there is none."""
        head, *rest = path.split(".")
        data = self.data
        found: Any = data["rules"]
        if head == "components":
            found, rest = next((e for _, _, e in elements(data) if rest and e["id"] == rest[0]), None), rest[1:]
        for part in rest:
            try:
                found = found[int(part) - 1] if isinstance(found, list) else found[part]
            except (KeyError, IndexError, TypeError, ValueError):
                return None
        return found


@dataclass(frozen=True)
class Change:
    """One value that a scenario sets.

    Parameters
    ----------
    path : tuple
        ``("rules", name)``, or ``("components", id, field, ...)`` with positions from 1.
    place : tuple
        Where the value stands in the scenario.
    report : function of (place, message, whether the key there is wrong)
        Makes a problem of it.
    """

    path: DataPath
    value: Any
    place: DataPath
    report: Callable[[DataPath, str, bool], Problem]

    def problem(self, message: str, inside: DataPath = (), on_key: bool = False) -> Problem:
        """Return a problem of the value, or of what is `inside` it."""
        return self.report((*self.place, *inside), message, on_key)

    def owner_problem(self, message: str) -> Problem:
        """Return a problem of the component that the change is for."""
        return self.report(self.place[:2], message, True)


def available(folder: Path) -> list[str]:
    """Return the names of the editions in a game's folder, sorted."""
    return sorted(file.stem for file in (folder / "editions").glob("*.yaml"))


def usual(folder: Path) -> str:
    """Return the name of the edition that is meant where none is named: `DEFAULT`, or the only one there is."""
    names = available(folder)
    return names[0] if len(names) == 1 else DEFAULT


def is_path(name: str) -> bool:
    """Return whether `name` is the file of an edition rather than its name in the game's folder."""
    return name.endswith((".yaml", ".yml")) or "/" in name


def find(folder: Path, name: str, base: Path) -> Path | None:
    """Return the file of edition `name`: a name in the game's folder, or a path (``./mine.yaml``) from `base`.

    None if there is no such file.
    """
    file = base / name if is_path(name) else folder / "editions" / f"{name}.yaml"
    return file if kind_of(file) else None


def load(file: Path, schema: type[BaseModel], changes: Sequence[Change], game: str) -> Edition:
    """Read an edition file, apply `changes`, and check it against the game's model `schema`.

    Raises
    ------
    InputError
        With all problems, each at the place in the edition or the scenario that caused it.
    """
    document = yamlfile.load(file)
    problems = _header_problems(document, game)
    data = copy.deepcopy(document.data)
    origins = provenance.take(data, document, problems)
    header = {key: data.pop(key, "") for key in HEADER}
    _, faults = _validate(schema, data)
    problems += [document.problem(fault.path, fault.message, key=fault.on_key) for fault in faults]
    if problems:
        raise InputError(sorted(problems, key=lambda found: (found.line or 0, found.column or 0)))
    # removals last: a sweep may take out what the scenario changes
    changes = sorted(changes, key=_is_removal)
    changed = _Changed(data, changes)
    model, faults = _validate(schema, changed.data)
    changed.complain(faults, schema)
    sources = changed.sources(origins)
    return Edition(
        name=header["edition"],
        label=header["label"],
        file=file,
        model=model,
        shares=provenance.shares(sources),
        changed=tuple(sorted({format_path(change.path) for change in changes})),
        sources=sources,
    )


def look(file: Path) -> None:
    """Check of an edition file what needs no model of the game: that it can be read, and has a header.

    Raises
    ------
    InputError
        With all problems.
    """
    problems = _header_problems(yamlfile.load(file), None)
    if problems:
        raise InputError(problems)


def _header_problems(document: Document, game: str | None) -> list[Problem]:
    """Return what is wrong with the header, for a known `game` also whether it is the edition's."""
    data = document.data
    if not isinstance(data, dict):
        raise InputError([document.problem((), "an edition is a mapping with the keys game, edition, label, ...")])
    if game is not None and isinstance(data.get("game"), str) and data["game"] != game:
        raise InputError([document.problem(("game",), f"this edition is for '{data['game']}', not for '{game}'")])
    return [
        document.problem((key,), f"'{key}' is missing, or no text")
        for key in HEADER
        if not isinstance(data.get(key), str) or not data[key]
    ]


def _validate(schema: type[BaseModel], data: Any) -> tuple[Any, list[Fault]]:
    """Return the model and what is wrong with `data`: one of the two is empty."""
    try:
        model = schema.model_validate(data)
    except ValidationError as error:
        return None, allowed.faults(error, schema, data)
    seen: set[str] = set()
    twice = []
    for kind, index, element in elements(data):
        if element["id"] in seen:
            twice.append(Fault((kind, index, "id"), f"the id '{element['id']}' is used twice"))
        seen.add(element["id"])
    return (None, twice) if twice else (model, [])


def elements(data: Mapping[str, Any]) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Yield (kind, position, element) of everything with an id."""
    for kind, value in data.items():
        if isinstance(value, list):
            for index, element in enumerate(value):
                if isinstance(element, dict) and isinstance(element.get("id"), str):
                    yield kind, index, element


# -- a scenario's changes -------------------------------------------------------------------------------------------


class _CannotApplyError(Exception):
    """A change has no place in the edition."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem = problem


def _is_removal(change: Change) -> bool:
    return change.path[0] == "components" and change.path[2:] == (REMOVE,)


class _Changed:
    """An edition's data with a scenario's changes, and where each of them went."""

    def __init__(self, original: Mapping[str, Any], changes: Sequence[Change]) -> None:
        self.original = original
        self.changes = changes
        self.data: dict[str, Any] = copy.deepcopy(dict(original))
        self._elements = {element["id"]: (kind, element) for kind, _, element in elements(self.data)}
        self.placed: dict[DataPath, Change] = {}
        self.problems: list[Problem] = []
        for change in changes:
            try:
                self._apply(change)
            except _CannotApplyError as error:
                self.problems.append(error.problem)

    def _apply(self, change: Change) -> None:
        if change.path[0] == "rules":
            self.data.setdefault("rules", {})[change.path[1]] = copy.deepcopy(change.value)
            self.placed[change.path] = change
            return
        name, rest = str(change.path[1]), change.path[2:]
        if name not in self._elements:
            self._add(name, change)
        elif rest == (REMOVE,):
            if change.value is not True:
                raise _CannotApplyError(change.problem(f"remove: got {allowed.shown(change.value)}, expected true"))
            kind, gone = self._elements.pop(name)
            self.data[kind] = [element for element in self.data[kind] if element is not gone]
        elif not rest and not isinstance(change.value, dict):
            words = f"expected a mapping of fields, such as {{label: {name}}}"
            raise _CannotApplyError(change.problem(f"{name}: got {allowed.shown(change.value)}, {words}"))
        elif not rest or rest[0] == KIND:
            message = f"component '{name}' is there already; leave out '{KIND}' to change it"
            raise _CannotApplyError(change.owner_problem(message))
        elif rest == ("id",):
            raise _CannotApplyError(
                change.problem("an id stays: take the component out and add a new one", on_key=True)
            )
        else:
            self._set(name, change)

    def _add(self, name: str, change: Change) -> None:
        """Append a new component."""
        kinds = sorted(kind for kind, value in self.data.items() if isinstance(value, list))
        if len(change.path) > 2 or not isinstance(change.value, dict) or KIND not in change.value:
            hint = suggest(name, self._elements) or f"; a new one says its kind: {', '.join(kinds)}"
            raise _CannotApplyError(change.owner_problem(f"component '{name}' is not known{hint}"))
        fields = copy.deepcopy(change.value)
        kind = fields.pop(KIND)
        if kind not in kinds:
            message = f"kind '{kind}' is not known{suggest(str(kind), kinds)}"
            raise _CannotApplyError(change.problem(message, (KIND,)))
        element = {"id": name, **fields}
        self.data[kind].append(element)
        self._elements[name] = (kind, element)
        self.placed[(kind, name)] = change

    def _set(self, name: str, change: Change) -> None:
        """Write a value into a field, or deeper."""
        kind, container = self._elements[name]
        path: DataPath = (kind, name)
        key: Any = None
        fields = change.path[2:]
        for position, part in enumerate(fields):
            try:
                container = _open(container, key) if position else container
                key = _step(container, part)
            except LookupError as error:
                message = f"{format_path(fields[:position])}: {error.args[0]}"
                raise _CannotApplyError(change.problem(message, on_key=True)) from None
            path = (*path, key)
        container[key] = copy.deepcopy(change.value)
        self.placed[path] = change

    def complain(self, faults: Sequence[Fault], schema: type[BaseModel]) -> None:
        """Raise an `InputError` if a change could not be applied or caused one of `faults`."""
        problems = list(self.problems)
        for fault in faults:
            path = provenance.named(self.data, fault.path)
            covering = self._covering(path)
            if covering:
                message = fault.message
                if fault.on_key and path == covering and path[0] == "rules":
                    message = message.replace(f"unknown key '{path[1]}'", f"rule '{path[1]}' is not known", 1)
                problems.append(self.placed[covering].problem(message, path[len(covering) :], fault.on_key))
            elif not self.problems:
                owner = f"{path[1]}: " if len(path) > 1 and path[0] != "rules" else ""
                culprit = self._culprit(fault, schema)
                problems.append(culprit.problem(owner + fault.message))
        if problems:
            raise InputError(list(dict.fromkeys(problems)))

    def _covering(self, path: DataPath) -> DataPath:
        """Return the longest start of `path` that a change has set, () if there is none."""
        return next((path[:length] for length in range(len(path), 0, -1) if path[:length] in self.placed), ())

    def _culprit(self, fault: Fault, schema: type[BaseModel]) -> Change:
        """Return the change after which the edition, right until then, has this fault."""

        def is_wrong_after(number: int) -> bool:
            _, faults = _validate(schema, _Changed(self.original, self.changes[:number]).data)
            return any(found.message == fault.message for found in faults)

        first = bisect.bisect_left(range(1, len(self.changes)), True, key=is_wrong_after)
        return self.changes[first]

    def sources(self, origins: provenance.Origins) -> dict[DataPath, str]:
        """Return the source of every leaf value; what the scenario sets is nobody's datum, so reconstructed."""
        paths = [provenance.named(self.data, leaf) for leaf in provenance.leaves(self.data)]
        return {
            path: provenance.UNKNOWN if self._covering(path) else provenance.source_of(path, origins) for path in paths
        }


def _open(container: Any, key: str | int) -> Any:
    """Return what stands in a container under `key`."""
    if isinstance(container, dict) and key not in container:
        raise LookupError("not set in the edition, so give it as a whole")
    return container[key]


def _step(container: Any, part: str | int) -> str | int:
    """Return the key of `part` in a container: positions in lists count from 1 for people."""
    if isinstance(container, list):
        if isinstance(part, int) and 1 <= part <= len(container):
            return part - 1
        raise LookupError(f"'{part}' is no position from 1 to {len(container)}" if container else "the list is empty")
    if not isinstance(container, dict):
        raise LookupError(f"there is nothing inside {allowed.shown(container)}")
    return str(part)
