"""Scenarios: who plays what, under which rules. From YAML and ``--set`` to a `Scenario` that can be played.

Everything the user can get wrong is found here, all problems of a file together, each with its place.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Protocol

import numpy as np
from pydantic import Field, ValidationError

from simcore import edition as editions
from simcore import rng, yamlfile
from simcore.contract import PARAMETERS, Game, Strategy, UnusableError
from simcore.edition import Change, Edition, Id, Model, Path_, describe_error, locate_error
from simcore.errors import InputError, Problem, suggest
from simcore.match import Match

KINDS = ("strategy", "params", "label")
DEFAULT_PRECISION = 0.5
DEFAULT_EDITION = "reconstruction"
STAND_IN = "random"  # for a strategy whose code may not be imported; the scenario is only looked at


class Loader(Protocol):
    """How names become games and strategies; `simcore` is handed one and has no table of its own."""

    def game(self, name: str) -> Game: ...  # noqa: D102
    def folder_of(self, game: str) -> Path: ...  # noqa: D102
    def check(self, game_name: str, name: str, base: Path) -> None: ...  # noqa: D102
    def is_custom(self, name: str) -> bool: ...  # noqa: D102
    def strategy(self, game_name: str, name: str, base: Path = ...) -> Strategy: ...  # noqa: D102


class ScenarioFile(Model):
    """The keys of a scenario file, before names are looked up."""

    game: Annotated[str, Field(min_length=1, max_length=300, description="id of the game")]
    edition: Annotated[str, Field(min_length=1, max_length=300, description="edition, by name or path")] = DEFAULT_EDITION
    label: Annotated[str, Field(min_length=1, max_length=300, description="what people see")] | None = None
    question: Annotated[str, Field(max_length=2000, description="what the scenario is to answer")] | None = None
    seats: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=8, description="the players, in seat order")]
    rules: Annotated[dict[str, Any], Field(description="rule switches that differ from the edition")] = {}
    components: Annotated[dict[str, Any], Field(description="component values that differ from the edition")] = {}
    seed: Annotated[int, Field(ge=0, lt=rng.SEED_LIMIT, description="seed; a new one for each run if left out")] | None = None
    games: Annotated[int, Field(ge=1, le=10**12, description="games to play")] | None = None
    precision: (
        Annotated[float, Field(ge=0.001, le=50, description="half-width wanted for each side's rate, in points")] | None
    ) = None
    rotate: Annotated[bool, Field(description="play each deal with the players in every seat")] = False
    expect: Annotated[Any, Field(description="expected results, for checks")] = None


@dataclass(frozen=True)
class Entry:
    """A listed player: label, strategies by role with their parameters, and the game's own options."""

    label: str
    strategies: tuple[str, ...]
    params: tuple[dict[str, Any], ...]
    options: Any


@dataclass(frozen=True)
class Scenario:
    """A checked scenario. To play it, only `match` is needed; `arguments` name it again on a command line."""

    name: str
    arguments: tuple[str, ...]
    label: str
    game: Game
    edition: Edition
    rules: Any
    entries: tuple[Entry, ...]
    match: Match
    games: int | None
    precision: float | None
    resolved: dict[str, Any]
    inputs: str

    @property
    def command(self) -> str:
        """The words that name this scenario on a command line, quoted for a shell."""
        return shlex.join(self.arguments)


class Source:
    """A scenario's data with the overrides of the command line, and the place of every value."""

    def __init__(
        self, document: Any, overrides: Sequence[tuple[str, str]] = (), options: Sequence[tuple[str, str]] = ()
    ) -> None:
        self.document = document
        self.data: Any = json.loads(json.dumps(document.data))
        self._origin: dict[Path_, str] = {}
        if not isinstance(self.data, dict):
            raise InputError([document.problem((), "a scenario is a mapping with the keys game, seats, ...")])
        self.arguments = tuple(part for text, value in overrides for part in ("--set", f"{text}={value}"))
        for text, value in overrides:
            self._override(text, value)
        for key, value in options:
            self.data[key] = yamlfile.parse_value(value, f"--{key}")
            self._origin[(key,)] = f"--{key}"
            for other in {"games": ["precision"], "precision": ["games"]}.get(key, []):
                if (other,) not in self._origin:
                    self.data.pop(other, None)

    def problem(self, path: Path_, message: str) -> Problem:
        """Return the problem at `path`: in the file, or in the option that set the value."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._origin:
                return Problem(self._origin[path[:length]], None, None, message)
        while path and not self._stands_in_file(path):
            path = path[:-1]
        found: Problem = self.document.problem(path, message)
        return found

    def _stands_in_file(self, path: Path_) -> bool:
        inside = self.document.data
        for part in path:
            if isinstance(inside, dict) and part in inside:
                inside = inside[part]
            elif isinstance(inside, list) and isinstance(part, int) and part < len(inside):
                inside = inside[part]
            else:
                return False
        return True

    def _override(self, text: str, value: str) -> None:
        source = f"--set {text}"
        path: list[str | int] = []
        inside = self.data
        parts = yamlfile.parse_path(text, source)
        for position, part in enumerate(parts):
            if isinstance(inside, list):
                if not isinstance(part, int) or not 1 <= part <= len(inside):
                    raise InputError.of(source, f"'{part}' is no position from 1 to {len(inside)}")
                part = part - 1
            elif isinstance(inside, dict):
                if path[:1] != ["components"] or len(path) < 2:
                    part = str(part)
            else:
                raise InputError.of(source, f"there is nothing inside '{'.'.join(map(str, parts[:position]))}'")
            path.append(part)
            if position < len(parts) - 1:
                inside = inside.setdefault(part, {}) if isinstance(inside, dict) else inside[part]
        inside[path[-1]] = yamlfile.parse_value(value, source)
        self._origin[tuple(path)] = source
        if len(path) == 3 and path[0] == "seats" and path[2] == "strategy":
            inside.pop("params", None)


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
        False: it is only looked at, never imported; such a scenario can't be played.

    Raises
    ------
    InputError
        With every problem found.
    """
    source = Source(yamlfile.load(file), overrides, options)
    return _Resolver(source, file.parent, loader, name or file.stem, allow_code, import_code).resolve()


class _Resolver:
    """One pass over a scenario that collects problems; `resolve` is its story."""

    def __init__(
        self, source: Source, base: Path, loader: Loader, name: str, allow_code: bool, import_code: bool
    ) -> None:
        self.source, self.base, self.loader, self.name = source, base, loader, name
        self.allow_code, self.import_code = allow_code, import_code
        self.problems: list[Problem] = []

    def resolve(self) -> Scenario:
        file = self._file()
        game = self._game(file)
        edition = self._edition(file, game)
        rules = edition.model.rules
        entries = self._entries(file, game, edition, rules)
        self._check_games(file, game, len(entries))
        self._stop_if_wrong()
        strategies = self._strategies(game, entries)
        self._stop_if_wrong()
        seed = secrets.randbelow(rng.SEED_LIMIT) if file.seed is None else file.seed
        match = build_match(game, edition, rules, entries, strategies, seed, file.rotate)
        resolved = self._resolved(file, game, edition, entries, seed)
        return Scenario(
            name=self.name,
            arguments=(self.name, *self.source.arguments),
            label=file.label or self.name,
            game=game,
            edition=edition,
            rules=rules,
            entries=entries,
            match=match,
            games=file.games,
            precision=file.precision,
            resolved=resolved,
            inputs=inputs_digest(game, edition, match, entries, strategies),
        )

    def _stop_if_wrong(self) -> None:
        if self.problems:
            raise InputError(self.problems)

    def _note(self, path: Path_, message: str) -> None:
        self.problems.append(self.source.problem(path, message))

    def _file(self) -> ScenarioFile:
        try:
            return ScenarioFile.model_validate(self.source.data)
        except ValidationError as error:
            for item in error.errors(include_url=False):
                path, message = locate_error(item, self.source.data)
                if item["type"] == "extra_forbidden":
                    message += suggest(str(item["loc"][-1]), ScenarioFile.model_fields)
                self._note(path, message)
            raise InputError(self.problems) from None

    def _game(self, file: ScenarioFile) -> Game:
        try:
            return self.loader.game(file.game)
        except UnusableError as error:
            raise InputError([self.source.problem(("game",), error.message)]) from None

    def _edition(self, file: ScenarioFile, game: Game) -> Edition:
        folder = self.loader.folder_of(game.name)
        found = editions.find(folder, file.edition, self.base)
        if found is None:
            names = editions.available(folder)
            raise InputError([self.source.problem(("edition",), f"edition '{file.edition}' is not known{suggest(file.edition, names)}")])
        return editions.load(found, game.components.Edition, self._changes(file, game), game.name)

    def _changes(self, file: ScenarioFile, game: Game) -> list[Change]:
        changes = []
        known = game.components.Rules.model_fields
        for key, value in file.rules.items():
            if key not in known:
                self._note(("rules", key), f"rule '{key}' is not known{suggest(key, known)}")
            else:
                changes.append(self._change(("rules", key), ("rules", key), value))
        for name, fields in file.components.items():
            path: Path_ = ("components", name)
            if not isinstance(fields, dict):
                self._note(path, f"components.{name}: expected a mapping of fields, such as {{rank: 3}}")
            elif fields.get("remove") is True and len(fields) == 1:
                changes.append(self._change(path, path, editions.REMOVE))
            elif "kind" in fields:
                changes.append(self._change(path, path, fields))
            else:
                changes += [self._change((*path, *key), (*path, *key), value) for key, value in _inner(fields)]
        self._stop_if_wrong()
        return sorted(changes, key=lambda change: change.value is editions.REMOVE)

    def _change(self, path: Path_, place: Path_, value: Any) -> Change:
        return Change(path, value, lambda message: self.source.problem(place, message))

    def _entries(self, file: ScenarioFile, game: Game, edition: Edition, rules: Any) -> tuple[Entry, ...]:
        if len(file.seats) not in game.seat_counts:
            counts = ", ".join(map(str, game.seat_counts))
            self._note(("seats",), f"{game.name} is for {counts} players, not {len(file.seats)}")
            self._stop_if_wrong()
        entries = [self._entry(index, dict(seat), game, edition) for index, seat in enumerate(file.seats)]
        self._stop_if_wrong()
        options = [entry.options for entry in entries]
        for index, key, message in game.components.check_seats(options, edition.model, rules):
            known = game.components.seat_choices(edition.model).get(key, [])
            value = getattr(options[index], key, "")
            hint = suggest(value, known) if value not in known else ""
            self._note(("seats", index, key), message + hint)
        self._stop_if_wrong()
        labels = [entry.label for entry in entries]
        return tuple(
            entry if labels.count(entry.label) == 1 else Entry(f"{entry.label} ({index + 1})", *_rest(entry))
            for index, entry in enumerate(entries)
        )

    def _entry(self, index: int, seat: dict[str, Any], game: Game, edition: Edition) -> Entry:
        path: Path_ = ("seats", index)
        names = self._by_role(seat.get("strategy"), game, (*path, "strategy"))
        params = self._params(seat.get("params", {}), game, path)
        options = self._options({k: v for k, v in seat.items() if k not in KINDS}, game, path)
        label = seat.get("label")
        if label is not None and not (isinstance(label, str) and 0 < len(label) <= 300):
            self._note((*path, "label"), "label: expected a text of 1 to 300 characters")
        if label is None and options is not None:
            known = game.components.seat_choices(edition.model)
            fits = all(getattr(options, key) in values for key, values in known.items())
            label = game.components.seat_label(options, edition.model) if fits else ""
        return Entry(str(label or f"Player {index + 1}"), names, params, options)

    def _by_role(self, given: Any, game: Game, path: Path_) -> tuple[str, ...]:
        """Return one strategy name for each role: one name for all, or a mapping role -> name."""
        roles = game.roles
        by_role = given if isinstance(given, dict) else dict.fromkeys(roles, given)
        for role in by_role:
            if role not in roles:
                self._note((*path, role), f"role '{role}' is not known{suggest(str(role), roles)}")
        names = []
        for role in roles:
            name = by_role.get(role)
            place = (*path, role) if isinstance(given, dict) else path
            if name is None:
                self._note(place, f"a strategy is missing for role '{role}'" if len(roles) > 1 else "'strategy' is missing")
            elif not isinstance(name, str):
                self._note(place, f"strategy: got {name!r}, expected a name; names that look like something else need quotes")
            else:
                self._check_strategy(game, name, place)
            names.append(str(name))
        return tuple(names)

    def _check_strategy(self, game: Game, name: str, place: Path_) -> None:
        if self.loader.is_custom(name) and not self.allow_code:
            self._note(place, f"strategy '{name}' is code of your own, which --no-code refuses")
            return
        try:
            self.loader.check(game.name, name, self.base)
        except UnusableError as error:
            self._note(place, error.message)

    def _params(self, given: Any, game: Game, path: Path_) -> tuple[dict[str, Any], ...]:
        if not isinstance(given, dict):
            self._note((*path, "params"), "params: expected a mapping of parameters, such as {rollouts: 100}")
            return ({},) * len(game.roles)
        if len(game.roles) > 1 and given and all(key in game.roles for key in given):
            return tuple(dict(given.get(role, {})) for role in game.roles)
        return (given,) * len(game.roles)

    def _options(self, given: dict[str, Any], game: Game, path: Path_) -> Any:
        schema = game.components.Seat
        try:
            return schema.model_validate(given)
        except ValidationError as error:
            for item in error.errors(include_url=False):
                place, message = locate_error(item, given)
                if item["type"] == "extra_forbidden":
                    message += suggest(str(item["loc"][-1]), [*KINDS, *schema.model_fields])
                self._note((*path, *place), message)
            return None

    def _check_games(self, file: ScenarioFile, game: Game, n_seats: int) -> None:
        if file.games is not None and file.precision is not None:
            self._note(("precision",), "give games or precision, not both")
        rotations = len(game.rotations(n_seats)) if file.rotate else 1
        if file.games is not None and file.games % rotations:
            self._note(("games",), wrong_multiple(file.games, rotations))

    def _strategies(self, game: Game, entries: Sequence[Entry]) -> list[list[tuple[Strategy, Any]]]:
        """Return (strategy, parameter vector) for each entry and role."""
        table: list[list[tuple[Strategy, Any]]] = []
        for index, entry in enumerate(entries):
            row: list[tuple[Strategy, Any]] = []
            for name, params in zip(entry.strategies, entry.params, strict=True):
                path: Path_ = ("seats", index, "strategy")
                try:
                    if self.loader.is_custom(name) and not self.import_code:
                        name, params = STAND_IN, {}
                    strategy = self.loader.strategy(game.name, name, self.base)
                    path = ("seats", index, "params")
                    row.append((strategy, strategy.vector(game, params)))
                except UnusableError as error:
                    self._note((*path, *error.path), error.message)
            table.append(row)
        return table

    def _resolved(
        self, file: ScenarioFile, game: Game, edition: Edition, entries: Sequence[Entry], seed: int
    ) -> dict[str, Any]:
        seats = []
        for entry in entries:
            one = entry.strategies[0] if len(game.roles) == 1 else dict(zip(game.roles, entry.strategies, strict=True))
            params = entry.params[0] if len(game.roles) == 1 else dict(zip(game.roles, entry.params, strict=True))
            options = entry.options.model_dump(mode="json")
            seats.append({"label": entry.label, "strategy": one, **({"params": params} if any(entry.params) else {}), **options})
        return {
            "game": game.name,
            "edition": edition.name,
            "seats": seats,
            "rules": edition.model.rules.model_dump(mode="json"),
            "components": file.components,
            "seed": seed,
            "rotate": file.rotate,
        }


def _rest(entry: Entry) -> tuple[Any, Any, Any]:
    return entry.strategies, entry.params, entry.options


def _inner(fields: Mapping[str, Any]) -> list[tuple[Path_, Any]]:
    """Return (path, value) of the fields of a component; a mapping with positions as keys reaches into a list."""
    found: list[tuple[Path_, Any]] = []
    for key, value in fields.items():
        if isinstance(value, dict) and value and (key.isdigit() or any(k.isdigit() for k in value)):
            found += [((key, *inner), v) for inner, v in _inner(value)]
        else:
            found.append(((key,), value))
    return [(tuple(int(p) if isinstance(p, str) and p.isdigit() else p for p in path), v) for path, v in found]


def wrong_multiple(games: int, rotations: int) -> str:
    """Return the message for a number of games that leaves a deal unfinished."""
    lower = games // rotations * rotations
    right = f"{lower} or {lower + rotations}" if lower else str(rotations)
    return f"games: got {games}, expected a multiple of {rotations} (each deal is played in {rotations} rotations), such as {right}"


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
        game.components.pack(edition.model, rules, [entries[e].options for e in rotation], tab)
        # seats beyond the table are never asked; they repeat the first so that all player counts share a kernel
        seated = [*rotation, *[rotation[0]] * (game.seats - n)]
        refs.append(tuple(strategy.ref for e in seated for strategy, _ in strategies[e]))
        for seat, e in enumerate(seated):
            for role, (_, vector) in enumerate(strategies[e]):
                params[r, seat * roles + role] = vector
    pace = edition.model.pace
    return Match(
        game=game.name,
        seed=seed,
        n_seats=n,
        rotations=tuple(rotations),
        strategies=tuple(refs),
        params=params,
        tabs=tabs,
        pace=(pace.setup, pace.turn, pace.round),
    )


def inputs_digest(
    game: Game,
    edition: Edition,
    match: Match,
    entries: Sequence[Entry],
    strategies: Sequence[Sequence[tuple[Strategy, Any]]],
) -> str:
    """Return the digest of all that decides results besides our code; labels and numbers of games do not."""
    table = [
        [[s.name, s.own, vector.tolist()] for s, vector in row] for row in strategies
    ]
    content = {
        "game": [game.name, game.version],
        "edition": edition.data,
        "seats": [entry.options.model_dump(mode="json") for entry in entries],
        "strategies": table,
        "seed": match.seed,
        "rotations": match.rotations,
        "random": rng.VERSION,
    }
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


__all__ = ["DEFAULT_PRECISION", "Entry", "Id", "Loader", "Scenario", "ScenarioFile", "describe_error", "load"]
