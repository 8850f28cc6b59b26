"""A designer's own strategy: a function in a Python file, named ``my_strategies.py:name`` in a scenario.

The file is found from the scenario's folder; it may import ``simcore`` and ``strategies``.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
from pathlib import Path
from types import FunctionType
from typing import Any

from simcore.contract import Strategy, UnusableError
from simcore.errors import InputError, Problem, kind_of, shown, suggest
from strategies import foreign, trial

ARGUMENTS = ("state", "seat", "actions", "n", "params", "work", "tools")


def check(name: str, base: Path) -> None:
    """Check that the file exists, is Python and defines the function, without running it.

    Raises
    ------
    UnusableError, InputError
        If not.
    """
    file, function = _split(name, base)
    _require(foreign.parse(file), file, function)


def load(name: str, base: Path) -> Strategy:
    """Import the file and return the strategy.

    Raises
    ------
    UnusableError, InputError
        If the file raises, or the function is no strategy.
    """
    file, function = _split(name, base)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    trial.run(lambda: _load(file, function, digest), file, digest + function)
    return _load(file, function, digest)


def _load(file: Path, function: str, digest: str) -> Strategy:
    found: Any = getattr(foreign.load(foreign.module_name(file, digest), file), function, None)
    if not isinstance(getattr(found, "py_func", found), FunctionType):
        node = _functions(foreign.parse(file))[function]
        words = f"'{function}' is no function any more once the file has run: it is replaced or deleted further down"
        raise InputError([Problem(shown(file), node.lineno, node.col_offset + 1, words)])
    return Strategy(
        name=function,
        ref=f"{file}:{function}",
        function=found,
        params=getattr(found, "strategy_params", {}),
        doc=inspect.getdoc(found) or "",
        own=digest,
    )


def _split(name: str, base: Path) -> tuple[Path, str]:
    path, colon, function = name.rpartition(":")
    if not colon or not path.endswith(".py") or not function.isidentifier():
        raise UnusableError(f"strategy '{name}': a file of your own is written as my_strategies.py:name")
    if kind_of(base / path) != "file":
        raise UnusableError(f"strategy '{name}': there is no file {path}")
    return (base / path).resolve(), function


def _require(tree: ast.Module, file: Path, function: str) -> None:
    functions = _functions(tree)
    if function not in functions:
        raise UnusableError(f"{file.name} has no function '{function}'{suggest(function, functions)}")
    node = functions[function]
    given = tuple(argument.arg for argument in (*node.args.posonlyargs, *node.args.args))
    if len(given) != len(ARGUMENTS) or node.args.vararg or node.args.kwonlyargs:
        wanted = ", ".join(ARGUMENTS)
        raise InputError([Problem(shown(file), node.lineno, node.col_offset + 1, f"a strategy takes ({wanted})")])


def _functions(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
