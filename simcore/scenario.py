"""Scenarios: who plays what, under which rules. From YAML and ``--set`` to a `Scenario` that can be played.

Everything the user can get wrong is found here, all problems of a file together, each with its place.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Protocol

import numpy as np
from pydantic import Field, ValidationError

from simcore import allowed, rng, yamlfile
from simcore import edition as editions
from simcore import expect as expectations
from simcore.contract import PARAMETERS, Game, Strategy, UnusableError
from simcore.edition import Change, Edition, Model
from simcore.errors import InputError, Problem, suggest
from simcore.expect import Expectation
from simcore.match import Match
from simcore.source import Source
from simcore.yamlfile import DataPath, format_path

KINDS = ("strategy", "params", "label")
COUNTS = ("games", "precision")
"""Keys that say how many games are played, not which."""
LONGEST_LABEL = 300
DEFAULT_PRECISION = 0.5
STAND_IN = "random"  # for a strategy whose code may not be imported; the scenario is only looked at


class Loader(Protocol):
    """How names become games and strategies; `simcore` is handed one and has no table of its own."""

    def is_own(self, name: str) -> bool: ...  # noqa: D102
    def check_game(self, name: str, base: Path) -> str: ...  # noqa: D102
    def game(self, name: str, base: Path = ...) -> Game: ...  # noqa: D102
    def folder_of(self, game: str) -> Path: ...  # noqa: D102
    def check(self, game_name: str, name: str, base: Path) -> None: ...  # noqa: D102
    def is_custom(self, name: str) -> bool: ...  # noqa: D102
    def strategy(self, game_name: str, name: str, base: Path = ...) -> Strategy: ...  # noqa: D102


class ScenarioFile(Model):
    """The keys of a scenario file, before names are looked up."""

    game: Annotated[str, Field(min_length=1, max_length=300, description="id of the game, or a folder")]
    edition: Annotated[str, Field(min_length=1, max_length=300, description="edition, by name or path")] | None = None
    label: Annotated[str, Field(min_length=1, max_length=300, description="what people see")] | None = None
    question: Annotated[str, Field(max_length=2000, description="what the scenario is to answer")] | None = None
    seats: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=8, description="the players, in seat order")]
    rules: Annotated[dict[str, Any], Field(default={}, description="rule switches that differ from the edition")]
    components: Annotated[
        dict[str, Any], Field(default={}, description="component values that differ from the edition")
    ]
    seed: (
        Annotated[int, Field(ge=0, lt=rng.SEED_LIMIT, description="seed; a new one for each run if left out")] | None
    ) = None
    games: Annotated[int, Field(ge=1, le=10**12, description="games to play")] | None = None
    precision: (
        Annotated[float, Field(ge=0.001, le=50, description="half-width wanted for each side's rate, in points")] | None
    ) = None
    rotate: Annotated[bool, Field(description="play each deal with the players in every seat")] = False
    expect: Annotated[
        Any, Field(description="expected results, for `balance check`", json_schema_extra=expectations.SCHEMA)
    ] = None


@dataclass(frozen=True)
class Entry:
    """A listed player: label, strategies by role with their parameters, and the game's own options."""

    label: str
    strategies: tuple[str, ...]
    params: tuple[dict[str, Any], ...]
    options: Any


@dataclass(frozen=True)
class Scenario:
    """A checked scenario. To play it, only `match` is needed; `arguments` name it again on a command line.

    `seeded` is whether the seed was given rather than drawn.
    """

    name: str
    arguments: tuple[str, ...]
    label: str
    question: str
    game: Game
    edition: Edition
    rules: Any
    entries: tuple[Entry, ...]
    match: Match
    games: int | None
    precision: float | None
    expect: tuple[Expectation, ...]
    resolved: dict[str, Any]
    inputs: str
    seeded: bool = True
    """False if nobody gave a seed, so that one was drawn."""

    @property
    def n_reasons(self) -> int:
        """For how many reasons a game can end."""
        return len(self.game.reasons(self.edition.model))

    @property
    def command(self) -> str:
        """The words that name this scenario on a command line, quoted for a shell."""
        return shlex.join(self.arguments)


def load(
    file: Path,
    loader: Loader,
    name: str | None = None,
    overrides: Sequence[tuple[str, str]] = (),
    options: Sequence[tuple[str, str]] = (),
    allow_code: bool = True,
    import_code: bool = True,
) -> Scenario:
    """Read, check and resolve a scenario file.

    Parameters
    ----------
    loader : Loader
        Finds games and strategies by name.
    name : str, optional
        What the scenario is called; the file's name by default.
    overrides : sequence of (path, value)
        As given to ``--set``.
    options : sequence of (key, value)
        Values of the options ``--seed``, ``--games``, ``--precision``.
    allow_code : bool
        False: a designer's own code is refused.
    import_code : bool
        False: a strategy's is only looked at, never imported; such a scenario can't be played.

    Raises
    ------
    InputError
        With every problem found.
    """
    source = Source(yamlfile.load(file), overrides, options)
    changes = [f"{path}={value}" for path, value in overrides if path not in COUNTS]  # a command gives its own
    arguments = (name or file.stem, *(part for change in changes for part in ("--set", change)))
    return _Resolver(source, loader, arguments, allow_code, import_code).resolve()


def check(file: Path, loader: Loader, allow_code: bool = True) -> str:
    """Check a scenario file without importing a designer's code; return what stays unchecked, "" if nothing.

    Raises
    ------
    InputError
        With every problem found.
    """
    return _Resolver(Source(yamlfile.load(file)), loader, (file.stem,), allow_code, import_code=False).check()


class _Resolver:
    """One pass over a scenario that collects problems; `resolve` is its story."""

    def __init__(
        self, source: Source, loader: Loader, arguments: tuple[str, ...], allow_code: bool, import_code: bool
    ) -> None:
        self.source, self.loader, self.arguments = source, loader, arguments
        self.allow_code, self.import_code = allow_code, import_code
        self.problems = source.problems

    def resolve(self) -> Scenario:
        file = self._file()
        game = self._game(file)
        edition = self._edition(file, game)
        entries = [self._entry(index, seat, game) for index, seat in enumerate(file.seats)]
        self._check_table(file, game, edition, entries)
        self._check_games(file, game)
        expected = self._expected(file, game)
        strategies = [self._strategies(index, entry, game) for index, entry in enumerate(entries)]
        if self.problems or edition is None:
            raise InputError(self._in_order())
        entries = _with_labels(entries, game, edition)
        seed = secrets.randbelow(rng.SEED_LIMIT) if file.seed is None else file.seed
        match = build_match(game, edition, edition.model.rules, entries, strategies, seed, file.rotate)
        return Scenario(
            name=self.arguments[0],
            arguments=self.arguments,
            label=file.label or self.arguments[0],
            question=file.question or "",
            game=game,
            edition=edition,
            rules=edition.model.rules,
            entries=tuple(entries),
            match=match,
            games=file.games,
            precision=file.precision,
            expect=expected,
            resolved=self._resolved(file, game, edition, entries, seed),
            inputs=inputs_digest(game, edition, match, entries, strategies),
            seeded=file.seed is not None,
        )

    def check(self) -> str:
        """Look for problems; return what can't be looked at because it takes the code of a game of one's own."""
        file = self._file()
        if not self.loader.is_own(file.game):
            self.resolve()
            return ""
        ref = self._game_ref(file)
        edition = self._edition_file(file, self.loader.folder_of(ref))
        if edition is not None:
            try:
                editions.look(edition)
            except InputError as error:
                self.problems += error.problems
        for index, seat in enumerate(file.seats):
            given = seat.get("strategy")
            path: DataPath = ("seats", index, "strategy")
            by_role = given if isinstance(given, dict) else {}
            for role, name in by_role.items():
                self._strategy_name(name, ref, (*path, role))
            if not by_role:
                self._strategy_name(given, ref, path)
        self.source.components()
        if self.problems:
            raise InputError(self._in_order())
        return f"rules, components, params and options of seats need the code of {file.game}, which did not run"

    def _in_order(self) -> list[Problem]:
        """Return the problems by line, those of other sources last, each once."""
        here = self.source.document.source
        return sorted(
            dict.fromkeys(self.problems), key=lambda found: (found.source != here, found.line or 0, found.column or 0)
        )

    def _note(self, path: DataPath, message: str, on_key: bool = False) -> None:
        self.problems.append(self.source.problem(path, message, on_key))

    def _note_faults(self, error: ValidationError, model: type[Model], data: Any, path: DataPath = ()) -> set[Any]:
        """Note what a model found wrong; return the keys of `data` that are affected."""
        faults = allowed.faults(error, model, data)
        for fault in faults:
            self._note((*path, *fault.path), fault.message, fault.on_key)
        return {fault.path[0] for fault in faults}

    def _file(self) -> ScenarioFile:
        """Return the keys of the file; those that are wrong are noted and take their defaults."""
        data = self.source.data
        try:
            return ScenarioFile.model_validate(data)
        except ValidationError as error:
            wrong = self._note_faults(error, ScenarioFile, data)
        try:
            return ScenarioFile.model_validate({key: value for key, value in data.items() if key not in wrong})
        except ValidationError:  # without a game or seats there is nothing to go on with
            raise InputError(self._in_order()) from None

    def _game(self, file: ScenarioFile) -> Game:
        return self.loader.game(self._game_ref(file))

    def _game_ref(self, file: ScenarioFile) -> str:
        """Return what finds the game from everywhere, after looking at it without importing it."""
        try:
            if self.loader.is_own(file.game) and not self.allow_code:
                raise UnusableError(f"game '{file.game}' is code of your own, which --no-code refuses")
            return self.loader.check_game(file.game, self.source.base(("game",)))
        except UnusableError as error:
            self._note(("game",), error.message)
            raise InputError(self._in_order()) from None

    # -- edition ----------------------------------------------------------------------------------------------------

    def _edition(self, file: ScenarioFile, game: Game) -> Edition | None:
        """Return the edition with the scenario's changes, None after noting what is wrong."""
        found = self._edition_file(file, self.loader.folder_of(game.ref))
        if found is None:
            return None
        try:
            return editions.load(found, game.components.Edition, self._changes(file), game.name)
        except InputError as error:
            self.problems += error.problems
            return None

    def _edition_file(self, file: ScenarioFile, folder: Path) -> Path | None:
        """Return the file of the edition, None after noting that there is none."""
        name = file.edition or editions.usual(folder)
        found = editions.find(folder, name, self.source.base(("edition",)))
        if found is None:
            is_path = editions.is_path(name)
            hint = ": no such file" if is_path else f" is not known{suggest(name, editions.available(folder))}"
            self._note(("edition",), f"edition '{name}'{hint}")
        return found

    def _changes(self, file: ScenarioFile) -> list[Change]:
        report = self.source.problem
        rules = [Change(("rules", key), value, ("rules", key), report) for key, value in file.rules.items()]
        components = [
            Change(("components", *path), value, place, report) for path, value, place in self.source.components()
        ]
        return rules + components

    # -- seats ------------------------------------------------------------------------------------------------------

    def _entry(self, index: int, seat: dict[str, Any], game: Game) -> Entry:
        """Return a listed player; what is wrong is noted, and `options` is None if they are wrong."""
        path: DataPath = ("seats", index)
        label = seat.get("label")
        if label is not None and not (isinstance(label, str) and label.strip() and len(label) <= LONGEST_LABEL):
            words = f"expected a text of 1 to {LONGEST_LABEL} characters"
            self._note((*path, "label"), f"label: got {allowed.shown(label)}, {words}")
        names = self._by_role(seat.get("strategy"), game, (*path, "strategy"))
        params = self._params(seat.get("params", {}), game, (*path, "params"))
        return Entry(str(label or ""), names, params, self._options(seat, game, path))

    def _by_role(self, given: Any, game: Game, path: DataPath) -> tuple[str, ...]:
        """Return one strategy name for each role, "" for what is wrong: one name for all, or a mapping role -> name."""
        if not isinstance(given, dict):
            name = self._strategy_name(given, game.ref, path)
            return (name,) * len(game.roles)
        for role in given:
            if role not in game.roles:
                self._note((*path, role), f"role '{role}' is not known{suggest(role, game.roles)}", on_key=True)
        return tuple(self._strategy_name(given.get(role), game.ref, (*path, role)) for role in game.roles)

    def _strategy_name(self, name: Any, game: str, path: DataPath) -> str:
        """Return the name if the strategy exists for the game that `game` finds, else "" after noting the problem."""
        if name is None:
            what = "'strategy'" if path[-1] == "strategy" else f"the strategy of role '{path[-1]}'"
            self._note(path, f"{what} is missing")
        elif not isinstance(name, str):
            self._note(path, f"strategy: got {allowed.shown(name)}, expected a name")
        elif self.loader.is_custom(name) and not self.allow_code:
            self._note(path, f"strategy '{name}' is code of your own, which --no-code refuses")
        else:
            try:
                self.loader.check(game, name, self.source.base(path))
            except UnusableError as error:
                self._note(path, error.message)
            except InputError as error:
                self.problems += error.problems
            else:
                return name
        return ""

    def _params(self, given: Any, game: Game, path: DataPath) -> tuple[dict[str, Any], ...]:
        """Return the parameters for each role: one mapping for all, or a mapping role -> parameters."""
        by_role = _is_by_role(given, game.roles)
        found = [given.get(role, {}) if by_role else given for role in game.roles]
        for role, params in zip(game.roles, found, strict=True):
            if not isinstance(params, dict):
                place = (*path, role) if by_role else path
                words = "expected a mapping, such as {rollouts: 100}"
                self._note(place, f"params: got {allowed.shown(params)}, {words}")
        return tuple(params if isinstance(params, dict) else {} for params in found)

    def _options(self, seat: dict[str, Any], game: Game, path: DataPath) -> Any:
        """Return the game's own options of a player, None after noting what is wrong."""
        model = game.components.Seat
        given = {key: value for key, value in seat.items() if key not in KINDS}
        try:
            return model.model_validate(given)
        except ValidationError as error:
            for fault in allowed.faults(error, model, given):
                message = fault.message
                if fault.on_key:
                    key = str(fault.path[-1])
                    message = f"unknown key '{key}'{suggest(key, [*KINDS, *model.model_fields])}"
                self._note((*path, *fault.path), message, fault.on_key)
            return None

    def _check_table(self, file: ScenarioFile, game: Game, edition: Edition | None, entries: Sequence[Entry]) -> None:
        """Check what concerns the players together, as far as the rest is right."""
        if len(file.seats) not in game.seat_counts:
            counts = " or ".join(map(str, game.seat_counts))
            self._note(("seats",), f"seats: got {len(file.seats)}, expected {counts} for '{game.name}'")
            return
        options = [entry.options for entry in entries]
        if edition is None or None in options:
            return
        for index, key, message in game.components.check_seats(options, edition.model, edition.model.rules):
            if index is None:
                self._note(("seats",), f"seats: {message}")
                continue
            known = game.components.seat_choices(edition.model).get(key, [])
            value = str(getattr(options[index], key, ""))
            self._note(("seats", index, key), message + (suggest(value, known) if value not in known else ""))

    def _check_games(self, file: ScenarioFile, game: Game) -> None:
        is_rotated = file.rotate and len(file.seats) in game.seat_counts
        rotations = len(game.rotations(len(file.seats))) if is_rotated else 1
        if file.games is not None and file.games % rotations:
            self._note(("games",), wrong_multiple(file.games, rotations))

    def _expected(self, file: ScenarioFile, game: Game) -> tuple[Expectation, ...]:
        """Return what is expected, as far as it is right."""
        n = len(file.seats)
        if n not in game.seat_counts:
            return ()
        shares = expectations.share_names(game, n, file.rotate and len(game.rotations(n)) > 1)
        found, faults = expectations.read(file.expect, shares, expectations.amount_names(game, n))
        for fault in faults:
            self._note(("expect", *fault.path), fault.message, fault.on_key)
        return tuple(found)

    def _strategies(self, index: int, entry: Entry, game: Game) -> list[tuple[Strategy, Any]]:
        """Return (strategy, parameter vector) for each role; a designer's code is imported if all else is right."""
        row = []
        by_role = _is_by_role(self.source.data["seats"][index].get("params"), game.roles)
        for role, name, params in zip(game.roles, entry.strategies, entry.params, strict=True):
            if not name or (self.loader.is_custom(name) and (self.problems or not self.import_code)):
                name, params = STAND_IN, {}
            path: DataPath = ("seats", index, "strategy", role)
            try:
                strategy = self.loader.strategy(game.ref, name, self.source.base(path))
            except UnusableError as error:
                self._note((*path, *error.path), error.message)
                continue
            except InputError as error:
                self.problems += error.problems
                continue
            path = ("seats", index, "params", *([role] if by_role else []))
            row.append((strategy, self._vector(strategy, game, params, path)))
        return row

    def _vector(self, strategy: Strategy, game: Game, params: dict[str, Any], path: DataPath) -> Any:
        """Return the parameters as a vector; each one that is wrong is noted and left out."""
        left = dict(params)
        while True:
            try:
                return strategy.vector(game, left)
            except UnusableError as error:
                if not error.path and len(left) < len(params):  # what is missing was there, and wrong
                    return None
                # a message about a value starts with its name; one about a name does not
                on_key = bool(error.path) and not error.message.startswith(f"{error.path[-1]}:")
                self._note((*path, *error.path), error.message, on_key)
                if not error.path or left.pop(str(error.path[0]), None) is None:
                    return None

    def _resolved(
        self, file: ScenarioFile, game: Game, edition: Edition, entries: Sequence[Entry], seed: int
    ) -> dict[str, Any]:
        """Return the scenario as a mapping that means the same when it is loaded."""
        return {
            "game": file.game,
            "edition": file.edition or editions.usual(self.loader.folder_of(game.ref)),
            "seats": [_resolved_seat(entry, game.roles) for entry in entries],
            "rules": edition.model.rules.model_dump(mode="json"),
            "components": _resolved_components(self.source),
            "seed": seed,
            "rotate": file.rotate,
        }


def _is_by_role(params: Any, roles: Sequence[str]) -> bool:
    """Return whether parameters are given for each role apart."""
    return isinstance(params, dict) and len(roles) > 1 and bool(params) and all(key in roles for key in params)


def _resolved_components(source: Source) -> dict[str, Any]:
    """Return all changes of components, by id as far as a component is not new."""
    found: dict[str, Any] = {}
    new = {path[0] for path, _, _ in source.components() if len(path) == 1}
    for path, value, _ in source.components():
        if path[0] in new:
            found[format_path(path)] = value
        else:
            found.setdefault(str(path[0]), {})[format_path(path[1:])] = value
    return found


def _resolved_seat(entry: Entry, roles: Sequence[str]) -> dict[str, Any]:
    one = len(roles) == 1
    strategy = entry.strategies[0] if one else dict(zip(roles, entry.strategies, strict=True))
    params = entry.params[0] if one else dict(zip(roles, entry.params, strict=True))
    return {
        "label": entry.label,
        "strategy": strategy,
        **({"params": params} if any(entry.params) else {}),
        **entry.options.model_dump(mode="json"),
    }


def _with_labels(entries: Sequence[Entry], game: Game, edition: Edition) -> list[Entry]:
    """Return the players with a label each: their own, else the game's; equal ones are numbered."""
    labels = [
        entry.label or game.components.seat_label(entry.options, edition.model) or f"Player {number}"
        for number, entry in enumerate(entries, start=1)
    ]
    return [
        replace(entry, label=label if labels.count(label) == 1 else f"{label} ({number})")
        for number, (entry, label) in enumerate(zip(entries, labels, strict=True), start=1)
    ]


def wrong_multiple(games: int, rotations: int) -> str:
    """Return the message for a number of games that leaves a deal unfinished."""
    lower = games // rotations * rotations
    right = f"{lower} or {lower + rotations}" if lower else str(rotations)
    why = f"each deal is played in {rotations} rotations"
    return f"games: got {games}, expected a multiple of {rotations} ({why}), such as {right}"


def build_match(
    game: Game,
    edition: Edition,
    rules: Any,
    entries: Sequence[Entry],
    strategies: Sequence[Sequence[tuple[Strategy, Any]]],
    seed: int,
    rotate: bool,
) -> Match:
    """Pack names and numbers of a scenario for the engine; see `Match`."""
    n = len(entries)
    rotations = game.rotations(n) if rotate else game.rotations(n)[:1]
    roles = len(game.roles)
    tabs = np.zeros(len(rotations), game.state["tab"])
    params = np.zeros((len(rotations), game.seats * roles, PARAMETERS))
    refs = []
    side_of = {seat: side for side, seats in enumerate(game.sides(n)) for seat in seats}
    for r, rotation in enumerate(rotations):
        tab = tabs.view(np.recarray)[r]
        tab.n_seats = n
        for seat in range(n):
            tab.side_of[seat] = side_of[seat]
            tab.entry_of[seat] = rotation[seat]
        game.components.pack(edition.model, rules, [entries[e].options for e in rotation], tab)
        # seats beyond the table are never asked; they repeat the first so that all player counts share a kernel
        seated = [*rotation, *[rotation[0]] * (game.seats - n)]
        refs.append(tuple(strategy.ref for e in seated for strategy, _ in strategies[e]))
        for seat, e in enumerate(seated):
            for role, (_, vector) in enumerate(strategies[e]):
                params[r, seat * roles + role] = vector
    pace = edition.model.pace
    return Match(
        game=game.ref,
        seed=seed,
        n_seats=n,
        rotations=tuple(rotations),
        strategies=tuple(refs),
        params=params,
        tabs=tabs,
        pace=(pace.setup, pace.turn, pace.round),
        exposed=game.exposed(edition.model),
    )


def inputs_digest(
    game: Game,
    edition: Edition,
    match: Match,
    entries: Sequence[Entry],
    strategies: Sequence[Sequence[tuple[Strategy, Any]]],
) -> str:
    """Return the digest of all that decides results besides our code; labels and numbers of games do not."""
    table = [[[s.name, s.own, vector.tolist()] for s, vector in row] for row in strategies]
    content = {
        "game": [game.name, game.version, *([game.own] if game.own else [])],
        "edition": edition.data,
        "seats": [entry.options.model_dump(mode="json") for entry in entries],
        "strategies": table,
        "seed": match.seed,
        "rotations": match.rotations,
        "random": rng.VERSION,
    }
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


__all__ = ["DEFAULT_PRECISION", "Entry", "Loader", "Scenario", "ScenarioFile", "load"]
