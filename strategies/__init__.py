"""What seats decide, and the lookup of games and strategies by name: the folder listings are the tables.

A name comes from a user's file: it is matched against the listing before anything is imported. A game is found by its
id, or by the folder of a designer's own (``./dice-race``); the absolute path of such a folder is good from everywhere.
"""

from __future__ import annotations

import ast
import importlib
from functools import cache
from pathlib import Path
from typing import Any

from simcore.contract import Game, Strategy, UnusableError
from simcore.errors import Problem, kind_of, shown, suggest

_HERE = Path(__file__).resolve().parent
_GAMES = _HERE.parent / "simcore" / "games"
_GENERIC = "generic"


def is_own(name: str) -> bool:
    """Return whether `name` is the folder of a designer's own game: ``./dice-race``."""
    return "/" in name or name in (".", "..")


def folder_of(game: str) -> Path:
    """Return the folder of a game by its id, or the folder itself as people see it."""
    return Path(shown(game)) if is_own(game) else _GAMES / game.replace("-", "_")


def game_names() -> list[str]:
    """Return the ids of all shipped games, sorted, without importing them."""
    folders = (f for f in _GAMES.iterdir() if (f / "__init__.py").is_file())
    return sorted(f.name.replace("_", "-") for f in folders)


def check_game(name: str, base: Path = Path()) -> str:
    """Check that a game exists, without running a designer's code; return what finds it from everywhere.

    Raises
    ------
    UnusableError
        If there is none.
    InputError
        If a designer's folder holds what is no Python, or no game.
    """
    if is_own(name):
        from strategies import own

        folder = own.find(name, base)
        own.check(folder)
        for taken in set(_names_of(str(folder))) & set(_marked(_HERE / f"{_GENERIC}.py")):
            raise UnusableError(f"game '{name}': strategies.py defines '{taken}', which is a strategy of every game")
        return str(folder)
    if name not in game_names():
        hint = suggest(name, game_names())
        if kind_of(base / name) == "folder":
            hint = f"; a folder of your own is written ./{name}"
        raise UnusableError(f"game '{name}' is not known{hint}")
    return name


def game(name: str, base: Path = Path()) -> Game:
    """Return the game called `name`, or the one in a designer's folder (relative to `base`).

    Raises
    ------
    UnusableError, InputError
        As `check_game`; also if the designer's code raises, or if its game cannot be played.
    """
    if is_own(name):
        from strategies import own

        return own.load(own.find(name, base))
    return _shipped(check_game(name, base))


@cache
def _shipped(name: str) -> Game:
    found: Game = importlib.import_module(f"simcore.games.{name.replace('-', '_')}").GAME
    return found


def strategy_names(game_name: str) -> list[str]:
    """Return the names of the generic strategies, then of the game's own, without importing anything."""
    return [*_marked(_HERE / f"{_GENERIC}.py"), *_names_of(game_name)]


def _names_of(game_name: str) -> tuple[str, ...]:
    """Return the strategies written for a game."""
    if is_own(game_name):
        file = Path(game_name) / "strategies.py"
        return _marked.__wrapped__(file) if file.is_file() else ()  # a designer's file may change
    file = _HERE / f"{game_name.replace('-', '_')}.py"
    return _marked(file) if file.is_file() else ()


@cache
def _marked(file: Path) -> tuple[str, ...]:
    """Return the functions of `file` that are decorated as strategies."""
    return tuple(
        node.name
        for node in ast.parse(file.read_bytes()).body
        if isinstance(node, ast.FunctionDef) and any(_is_mark(decorator) for decorator in node.decorator_list)
    )


def _is_mark(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Name) and called.id == "strategy"


def check(game_name: str, name: str, base: Path) -> None:
    """Check that a strategy exists, without running a designer's code.

    Raises
    ------
    UnusableError, InputError
        If it does not.
    """
    if is_custom(name):
        from strategies import custom

        custom.check(name, base)
    elif name not in strategy_names(game_name):
        known = strategy_names(game_name)
        raise UnusableError(f"strategy '{name}' is not known for '{Path(game_name).name}'{suggest(name, known)}")


def is_custom(name: str) -> bool:
    """Return whether `name` points into a designer's own file: ``my_strategies.py:name``."""
    return ".py" in name or "/" in name


def strategy(game_name: str, name: str, base: Path = Path()) -> Strategy:
    """Return the strategy `name` of a game, or the one a ``file.py:name`` (relative to `base`) points to.

    Raises
    ------
    UnusableError, InputError
        If there is none, or if the designer's file cannot be used.
    """
    check(game_name, name, base)
    if is_custom(name):
        from strategies import custom

        return custom.load(name, base)
    is_generic = name in _marked(_HERE / f"{_GENERIC}.py")
    if is_own(game_name) and not is_generic:
        from strategies import own

        return own.strategy(game(game_name), name)
    home = _GENERIC if is_generic else game_name.replace("-", "_")
    function: Any = getattr(importlib.import_module(f"strategies.{home}"), name)
    return Strategy(
        name=name,
        ref=name,
        function=function,
        params=function.strategy_params,
        doc=function.__doc__ or "",
        pack=getattr(function, "strategy_pack", None),
    )


def blame(error: BaseException) -> Problem | None:
    """Return an exception that came out of a designer's code as a problem at its place there; None for any other."""
    from strategies import foreign

    return foreign.blame(error)
