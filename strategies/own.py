"""A designer's own game: a folder with the files of a game, named ``./dice-race`` in a scenario.

It is found from the scenario's folder. Its `__init__.py` defines `GAME`; the modules import each other relatively.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from simcore import declared, jit
from simcore.contract import Game, Strategy, UnusableError
from simcore.errors import InputError, Problem, kind_of, shown
from strategies import foreign, trial

STRATEGIES = "strategies"
_GAMES: dict[str, Game] = {}


def find(name: str, base: Path) -> Path:
    """Return the absolute path of the folder `name`, found from `base`.

    Raises
    ------
    UnusableError
        If there is none, or if it holds no game.
    """
    kind = kind_of(base / name)
    if kind != "folder":
        what = "this is a file; a game is a folder" if kind else "there is no such folder"
        raise UnusableError(f"game '{name}': {what}")
    folder = (base / name).resolve()
    if kind_of(folder / "__init__.py") != "file":
        raise UnusableError(f"game '{name}': the folder has no __init__.py, where GAME is defined")
    return folder


def sources(folder: Path) -> Iterator[Path]:
    """Yield the Python files that can be imported: of the folder, and of folders in it with an `__init__.py`."""
    hidden = ".*"  # notes of editors, such as .#rules.py
    yield from (file for file in folder.glob("*.py") if not file.match(hidden))
    for inner in folder.iterdir():
        if (inner / "__init__.py").is_file() and not inner.match(hidden):
            yield from sources(inner)


def check(folder: Path) -> None:
    """Check without running anything that all files are Python, and that `__init__.py` defines `GAME`.

    Raises
    ------
    InputError
        If not, with all problems.
    """
    problems = []
    for file in sorted(sources(folder)):
        try:
            foreign.parse(file)
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    _definition(folder)


def _definition(folder: Path) -> tuple[str, int, int]:
    """Return file, line and column where `GAME` is defined."""
    file = folder / "__init__.py"
    for node in foreign.parse(file).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        if isinstance(node, ast.ImportFrom):
            names = [alias.asname or alias.name for alias in node.names]
        if "GAME" in names:
            return shown(file), node.lineno, node.col_offset + 1
    raise InputError([Problem(shown(file), 1, 1, "does not define GAME; expected GAME = Game(name=..., ...)")])


def load(folder: Path) -> Game:
    """Import the folder and return its game; the same one as long as no file changes.

    Raises
    ------
    InputError
        With file and line, if the code raises or `GAME` cannot be played.
    """
    digest = jit.digest_files(sources(folder), folder)
    package = foreign.module_name(folder, digest)
    if package not in _GAMES:
        check(folder)
        trial.run(lambda: _load(folder, package, digest), folder / "__init__.py", digest)
        _GAMES[package] = _load(folder, package, digest)
    return _GAMES[package]


def _load(folder: Path, package: str, digest: str) -> Game:
    jit.own_code(package, digest)
    game: Any = getattr(foreign.load(package, folder), "GAME", None)
    try:
        complaint = declared.complaint(game)
    except Exception as error:
        raise InputError([foreign.blame(error) or Problem(*_definition(folder), f"GAME: {error}")]) from None
    if complaint:
        raise InputError([Problem(*_definition(folder), complaint)])
    if (folder / f"{STRATEGIES}.py").is_file():
        foreign.load_inner(package, STRATEGIES)
    return replace(game, own=digest, folder=str(folder))


def strategy(game: Game, name: str) -> Strategy:
    """Return the strategy `name` of the folder's `strategies.py`.

    Raises
    ------
    InputError
        With file and line, if the file raises.
    """
    package = foreign.module_name(Path(game.folder), game.own)
    found: Any = getattr(foreign.load_inner(package, STRATEGIES), name)
    return Strategy(
        name=name, ref=name, function=found, params=found.strategy_params, doc=found.__doc__ or "", own=game.own
    )
