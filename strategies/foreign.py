"""A designer's own Python: parsed without running it, imported under a name of its own, blamed for what it raises.

The name is made from place and content. So a changed file is another module, nothing that lies in the designer's folder
(``strategies/``, ``cli.py``) shadows ours or is shadowed, and `sys.path` is left alone.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import FileFinder, ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType

from simcore.errors import InputError, Problem, kind_of, shown
from simcore.streams import aside

PREFIX = "balance_own_"
_PLACES: list[Path] = []  # files and folders that were imported


def parse(file: Path) -> ast.Module:
    """Return the syntax tree of a file.

    Raises
    ------
    InputError
        If it is no Python, or cannot be read.
    """
    try:
        if kind_of(file) == "other":
            raise InputError.of(shown(file), "is no regular file")
        return ast.parse(file.read_bytes(), filename=file.name)
    except SyntaxError as error:
        place = max(error.lineno or 1, 1), max(error.offset or 1, 1)  # a wrong encoding is nowhere
        raise InputError([Problem(shown(file), *place, f"is no Python: {error.msg}")]) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError.of(shown(file), f"is no Python: {error}") from None
    except OSError as error:
        raise InputError.of(shown(file), f"cannot be read: {error.strerror}") from None


def module_name(place: Path, digest: str) -> str:
    """Return the name under which the file or folder at `place` is imported, as long as its content has `digest`."""
    stem = "".join(c if c.isascii() and c.isalnum() else "_" for c in place.stem)
    return f"{PREFIX}{stem}_{hashlib.sha256(str(place).encode()).hexdigest()[:8]}_{digest[:8]}"


def load(name: str, place: Path) -> ModuleType:
    """Import a file, or a folder as a package, as the module `name`; what goes wrong leaves no half of it.

    Raises
    ------
    InputError
        With the place in the designer's code, if that raises.
    """
    if name in sys.modules:
        return sys.modules[name]
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)
    _PLACES.append(place)
    file = place / "__init__.py" if place.is_dir() else place
    inner = [str(place)] if place.is_dir() else None
    spec = importlib.util.spec_from_file_location(
        name, file, loader=_Source(name, str(file)), submodule_search_locations=inner
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    before = dict(sys.modules)
    try:
        with aside():
            spec.loader.exec_module(module)
        if before.keys() - sys.modules.keys():
            raise InputError([Problem(shown(file), 1, 1, "removes modules of others from sys.modules")])
    except BaseException as error:
        sys.modules.update(before)
        for half in [known for known in sys.modules if known == name or known.startswith(f"{name}.")]:
            del sys.modules[half]
        raise _named(error, file) from None
    return module


def load_inner(package: str, name: str) -> ModuleType:
    """Import the module `name` of a loaded package; errors as of `load`."""
    try:
        with aside():
            return importlib.import_module(f"{package}.{name}")
    except BaseException as error:
        raise _named(error, Path(sys.modules[package].__file__ or "")) from None


def _named(error: BaseException, file: Path) -> BaseException:
    if isinstance(error, KeyboardInterrupt | InputError):
        return error
    return InputError([problem(error, file)])


def problem(error: BaseException, file: Path) -> Problem:
    """Return an exception as a problem where a designer's code raised it, else at the start of `file`."""
    return blame(error) or Problem(shown(file), 1, 1, _words(error))


def blame(error: BaseException) -> Problem | None:
    """Return an exception as a problem at the innermost place in a designer's code; None if it never was there."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if any(Path(frame.filename).is_relative_to(place) for place in _PLACES):
            return Problem(shown(frame.filename), frame.lineno, (frame.colno or 0) + 1, _words(error))
    return None


def _words(error: BaseException) -> str:
    text = " ".join(str(error).split())[:300] or "no message"
    return f"{type(error).__name__}: {text}"


class _Source(SourceFileLoader):
    """Reads the source itself: bytecode may be older than what the digest is of. Leaves none beside it."""

    def path_stats(self, path: str) -> dict[str, int]:
        raise OSError


class _Finder(MetaPathFinder):
    """Finds the inner modules of a designer's package, in its folder and nowhere else."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(PREFIX) or not path:
            return None
        spec = FileFinder(path[0], (_Source, [".py"])).find_spec(fullname)
        return spec if spec and spec.loader else None  # a folder without __init__.py is no part of the game


_FINDER = _Finder()
