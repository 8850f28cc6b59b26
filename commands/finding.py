"""Scenarios by the name of a shipped one or of a file, with what the command line changes in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

SCENARIOS = Path(__file__).resolve().parent.parent / "scenarios"

SeedOption = Annotated[str | None, typer.Option(metavar="N", help="Seed below 2**53; a new one if none is given.")]
SetOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Change a value: rules.hits_to_win=7.")
]
NoCodeOption = Annotated[bool, typer.Option("--no-code", help="Refuse scenarios that run a designer's own code.")]


@dataclass(frozen=True)
class Given:
    """What a command line gives to the scenarios that it plays."""

    seed: SeedOption = None
    set_: SetOption = None
    no_code: NoCodeOption = False

    def load(
        self, name: str, changes: Sequence[str] | None = None, seed: int | str | None = None, **values: str | None
    ) -> Any:
        """Return a scenario with `changes` after those of ``--set``, and the values of other options."""
        if seed is None:
            self._check_agreement(seed=self.seed, **values)
            seed = self.seed
        return load(
            name,
            [*(self.set_ or ()), *(changes or ())],
            self.no_code,
            seed=None if seed is None else str(seed),
            **values,
        )

    def loads(
        self, name: str, changes: Sequence[Sequence[str]], seed: int, **values: str | None
    ) -> Sequence[Callable[[], Any]]:
        """Check variants of a scenario, and return what loads each: hundreds of them are not kept in memory."""
        found = [partial(self.load, name, change, seed, **values) for change in changes]
        for each in found:
            each()
        return found

    def refuse_counts(self, *options: str) -> None:
        """Refuse changes of how many games are played, where only `options` say so.

        Raises
        ------
        InputError
        """
        from simcore.errors import InputError
        from simcore.scenario import COUNTS

        for change, path, _ in self._changes():
            if path in COUNTS:
                raise InputError.of(f"--set {change}", f"changes nothing here; give {' or '.join(options)}")

    def _check_agreement(self, **options: str | None) -> None:
        """Refuse an option that says something else than ``--set``: one of the two would be passed over in silence."""
        from simcore.errors import InputError

        for change, path, value in self._changes():
            given = options.get(path)
            if given is not None and str(given).strip() != value:
                raise InputError.of(f"--set {change}", f"is set twice, by --{path} {given} too; give one of them")

    def _changes(self) -> list[tuple[str, str, str]]:
        """Return (change, path, value) of each ``--set``."""
        parts = [(change, *change.partition("=")) for change in self.set_ or ()]
        return [(change, path.strip(), value.strip()) for change, path, _, value in parts]


def shipped() -> list[str]:
    """Return the names of the shipped scenarios."""
    return sorted(f"{file.parent.name}/{file.stem}" for file in SCENARIOS.glob("*/*.yaml"))


def find(name: str) -> tuple[Path, str]:
    """Return (file, name) of a scenario: a path that exists, else a shipped one."""
    from simcore.errors import InputError, kind_of, suggest

    path = Path(name)
    try:
        name.encode()
    except UnicodeEncodeError:
        raise InputError.of(ascii(name), "the name of the file is not UTF-8; rename it") from None
    if path.suffix in (".yaml", ".yml") or kind_of(path):
        return path, name
    if name in shipped():
        return SCENARIOS / f"{name}.yaml", name
    raise InputError.of(name, f"no such file, and no shipped scenario{suggest(name, shipped())}")


def targets(paths: Sequence[str], needed: bool = True) -> Any:
    """Return the scenarios of files, folders, globs and shipped names, and what else lies there.

    Raises
    ------
    InputError
        If there is nothing of a name; or no scenario, and one is `needed`.
    """
    from simcore import targets
    from simcore.errors import InputError

    found = targets.find(paths, lambda name: find(name)[0])
    if needed and found.empty:
        raise InputError([InputError.of(name, "no scenario here").problems[0] for name in found.empty])
    return found


def load(name: str, changes: Sequence[str], no_code: bool, **values: str | None) -> Any:
    """Return the scenario `name` with changes ``PATH=VALUE``, the later ones winning, and the values of other options.

    Raises
    ------
    InputError
        If the scenario, a change or a value is wrong.
    """
    import strategies
    from simcore import scenario
    from simcore.errors import InputError
    from simcore.streams import aside

    overrides = []
    for change in changes:
        path, equals, value = change.partition("=")
        if not equals:
            raise InputError.of(f"--set {change}", "expected PATH=VALUE, such as rules.hits_to_win=7")
        overrides.append((path.strip(), value))
    options = [(key, value) for key, value in values.items() if value is not None]
    file, called = find(name)
    with aside():
        return scenario.load(file, strategies, called, overrides, options, allow_code=not no_code)


def checked_seed(text: str | None) -> int | None:
    """Return the number of a ``--seed`` that no scenario checks."""
    from simcore.errors import InputError
    from simcore.rng import SEED_LIMIT

    if text is not None and not (text.isascii() and text.isdigit() and len(text) < 17 and int(text) < SEED_LIMIT):
        raise InputError.of("--seed", f"'{text}' is no seed; expected a whole number below 2**53")
    return None if text is None else int(text)


def words(first: Sequence[str], **options: Any) -> list[str]:
    """Return the words of a command line: `first`, then every option that was given, once for each of its values."""
    found = list(first)
    for name, given in options.items():
        for value in given if isinstance(given, list) else [] if given is None else [given]:
            found += [f"--{name.strip('_')}", f"{value:g}" if isinstance(value, float) else str(value)]
    return found
