"""A designer's own strategy: a function in a Python file, named ``my_strategies.py:name`` in a scenario.

The file is found from the scenario's folder. It is imported under a name of its own, so that it neither shadows nor is
shadowed by any package; it may import ``simcore`` and ``strategies``.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from simcore.contract import Strategy, UnusableError
from simcore.errors import suggest

ARGUMENTS = ("state", "seat", "actions", "n", "params", "work", "tools")


def check(name: str, base: Path) -> None:
    """Check that the file exists, is Python and defines the function, without running it.

    Raises
    ------
    UnusableError
        If not.
    """
    file, function = _split(name, base)
    _require(_tree(file), file, function)


def load(name: str, base: Path) -> Strategy:
    """Import the file and return the strategy.

    Raises
    ------
    UnusableError
        If the file raises, or the function is no strategy.
    """
    file, function = _split(name, base)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    found: Any = getattr(_import(file, digest), function)
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
    file = (base / path).resolve()
    if not file.is_file():
        raise UnusableError(f"strategy '{name}': there is no file {path}")
    return file, function


def _tree(file: Path) -> ast.Module:
    try:
        return ast.parse(file.read_bytes(), filename=file.name)
    except SyntaxError as error:
        raise UnusableError(f"{file.name}:{error.lineno}:{error.offset}: is no Python: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise UnusableError(f"{file.name}: is no Python: {error}") from None
    except OSError as error:
        raise UnusableError(f"{file.name}: cannot be read: {error.strerror}") from None


def _require(tree: ast.Module, file: Path, function: str) -> None:
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    if function not in functions:
        raise UnusableError(f"{file.name} has no function '{function}'{suggest(function, functions)}")
    node = functions[function]
    given = tuple(argument.arg for argument in (*node.args.posonlyargs, *node.args.args))
    if len(given) != len(ARGUMENTS) or node.args.vararg or node.args.kwonlyargs:
        wanted = ", ".join(ARGUMENTS)
        raise UnusableError(f"{file.name}:{node.lineno}:{node.col_offset + 1}: a strategy takes ({wanted})")


def _import(file: Path, digest: str) -> ModuleType:
    """Import `file` under a name made from its place and content; a changed file is another module."""
    place = hashlib.sha256(str(file).encode()).hexdigest()[:8]
    name = f"balance_own_{file.stem}_{place}_{digest[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UnusableError(f"{file.name}: cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise UnusableError(f"{place_of(error, file)}: {type(error).__name__}: {one_line(error)}") from None
    return module


def place_of(error: BaseException, file: Path) -> str:
    """Return ``file:line`` of the last frame of `error` in the designer's file."""
    line = 0
    frame = error.__traceback__
    while frame:
        if Path(frame.tb_frame.f_code.co_filename) == file:
            line = frame.tb_lineno
        frame = frame.tb_next
    return f"{file.name}:{line}" if line else file.name


def one_line(error: BaseException) -> str:
    """Return the message of an error on one line."""
    return " ".join(str(error).split())[:300] or "no message"
