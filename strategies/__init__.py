"""What seats decide, and the lookup of games and strategies by name: the folder listings are the tables.

A name comes from a user's file: it is matched against the listing before anything is imported.
"""

from __future__ import annotations

import ast
import importlib
from functools import cache
from pathlib import Path
from typing import Any

from simcore.contract import Game, Strategy, UnusableError
from simcore.errors import suggest

_HERE = Path(__file__).resolve().parent
_GAMES = _HERE.parent / "simcore" / "games"
_GENERIC = "generic"


def folder_of(game: str) -> Path:
    """Return the folder of a game by its id."""
    return _GAMES / game.replace("-", "_")


def game_names() -> list[str]:
    """Return the ids of all games, sorted, without importing them."""
    folders = (f for f in _GAMES.iterdir() if (f / "__init__.py").is_file())
    return sorted(f.name.replace("_", "-") for f in folders)


@cache
def game(name: str) -> Game:
    """Return the game called `name`.

    Raises
    ------
    UnusableError
        If there is none.
    """
    if name not in game_names():
        raise UnusableError(f"game '{name}' is not known{suggest(name, game_names())}")
    module = importlib.import_module(f"simcore.games.{name.replace('-', '_')}")
    found: Game = module.GAME
    return found


def strategy_names(game_name: str) -> list[str]:
    """Return the names of the generic strategies, then of the game's own, without importing anything."""
    files = (_HERE / f"{_GENERIC}.py", _HERE / f"{game_name.replace('-', '_')}.py")
    return [name for file in files if file.is_file() for name in _marked(file)]


@cache
def _marked(file: Path) -> tuple[str, ...]:
    """Return the functions of `file` that are decorated as strategies."""
    return tuple(
        node.name
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and any(_is_mark(decorator) for decorator in node.decorator_list)
    )


def _is_mark(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Name) and called.id == "strategy"


def check(game_name: str, name: str, base: Path) -> None:
    """Check that a strategy exists, without running a designer's code.

    Raises
    ------
    UnusableError
        If it does not.
    """
    if is_custom(name):
        from strategies import custom

        custom.check(name, base)
    elif name not in strategy_names(game_name):
        known = strategy_names(game_name)
        raise UnusableError(f"strategy '{name}' is not known for '{game_name}'{suggest(name, known)}")


def is_custom(name: str) -> bool:
    """Return whether `name` points into a designer's own file: ``my_strategies.py:name``."""
    return ".py" in name or "/" in name


def strategy(game_name: str, name: str, base: Path = Path()) -> Strategy:
    """Return the strategy `name` of a game, or the one a ``file.py:name`` (relative to `base`) points to.

    Raises
    ------
    UnusableError
        If there is none, or if the designer's file cannot be used.
    """
    check(game_name, name, base)
    if is_custom(name):
        from strategies import custom

        return custom.load(name, base)
    home = _GENERIC if name in _marked(_HERE / f"{_GENERIC}.py") else game_name.replace("-", "_")
    function: Any = getattr(importlib.import_module(f"strategies.{home}"), name)
    return Strategy(
        name=name,
        ref=name,
        function=function,
        params=function.strategy_params,
        doc=function.__doc__ or "",
        pack=getattr(function, "strategy_pack", None),
    )
