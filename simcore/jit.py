"""The only place that chooses numba options, and the home of the compiled-kernel cache.

Numba looks for changes in the file of a kernel, not in the files of its callees. The cache folder is therefore
named by a digest of all project sources (and of a designer's own files, where a kernel comes from one).
"""

from __future__ import annotations

import hashlib
import importlib
import os
import re
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])

ENABLED: bool = not os.environ.get("NUMBA_DISABLE_JIT", "").lstrip("0").isdigit()
if ENABLED:  # half a second that a process without JIT does without, such as the one that checks a designer's code
    import numba
    from llvmlite import ir
    from numba import config as _config
    from numba import types
    from numba.core import cgutils
    from numba.core import errors as _errors
    from numba.extending import intrinsic

    ENABLED = not _config.DISABLE_JIT  # a file of numba's own may say so, too
    warnings.filterwarnings("ignore", category=_errors.NumbaExperimentalFeatureWarning)

_PACKAGE = Path(__file__).resolve().parent
_ROOM = 1 << 18  # bytes of the largest kernels
_KEEP_CACHES = 6
_KEEP_DAYS = 14.0


def digest_files(files: Iterable[Path], root: Path) -> str:
    """Return a hex digest of names and contents of `files`, independent of where `root` lies."""
    total = hashlib.sha256()
    for file in sorted(files):
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        total.update(f"{file.relative_to(root).as_posix()} {content}\n".encode())
    return total.hexdigest()


@cache
def sources_digest() -> str:
    """Return the digest of the code that decides results: every Python file of `simcore` and `strategies`."""
    root = _PACKAGE.parent
    files = [file for part in ("simcore", "strategies") for file in (root / part).rglob("*.py")]
    return digest_files(files, root)


def _cache_roots() -> Iterator[Path]:
    if os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(os.environ["NUMBA_CACHE_DIR"])
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    yield Path(home) / "tablebalance"
    yield Path(tempfile.gettempdir()) / f"tablebalance-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


def _usable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(_ROOM))  # a full disk still gives out empty files
            file.flush()
            os.utime(folder)
    except OSError:
        return False
    return True


def _prune(root: Path, current: Path) -> None:
    """Remove caches of older sources; a recent one may serve another checkout that is in use."""
    folders = [f for f in root.iterdir() if f.is_dir() and f != current and len(f.name) == len(current.name)]
    folders.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
    oldest = time.time() - _KEEP_DAYS * 86_400
    for position, folder in enumerate(folders):
        if position >= _KEEP_CACHES or folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)


@cache
def cache_folder(own: str = "") -> Path | None:
    """Return the folder of compiled kernels, or None where nothing can be written.

    Parameters
    ----------
    own : str
        Digest of a designer's own file or folder; kernels compiled from it get a folder of their own.
    """
    name = sources_digest()[:16] + (f"-{own[:12]}" if own else "-" + "0" * 12)
    if ENABLED and _config.BOUNDSCHECK:
        name = "b" + name[1:]  # a warm cache would silently lack the checks
    for root in _cache_roots():
        if _usable(root / name):
            with suppress(OSError):
                _prune(root, root / name)
            return root / name
    return None


_OWN_PACKAGES: dict[str, str] = {}


def own_code(package: str, digest: str) -> None:
    """Give the kernels of every module of `package`, which is a designer's own, the cache folder of `digest`."""
    _OWN_PACKAGES[package] = digest


def kernel(function: Function, own: str = "") -> Function:
    """Compile `function` on first use, without the interpreter lock, cached on disk; plain Python with JIT off."""
    return _compiled_later(function, own, pasted=True)


def routine(function: Function) -> Function:
    """Do as `kernel`, but let callers call `function` instead of pasting it in.

    For what is long and called from many places: pasted everywhere, a game of many rules takes minutes to compile.
    """
    return _compiled_later(function, "", pasted=False)


def _compiled_later(function: Function, own: str, pasted: bool) -> Function:
    if not ENABLED:
        return function
    folder = cache_folder(own or _OWN_PACKAGES.get(function.__module__.partition(".")[0], ""))
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(folder) if folder else ""
    try:
        compiled: Any = numba.njit(nogil=True, forceinline=pasted, cache=folder is not None)(function)
        if folder:
            save = compiled._cache.save_overload
            compiled._cache.save_overload = lambda *what: _tried(save, *what)
        return cast(Function, compiled)
    finally:
        _config.CACHE_DIR = before


def _tried(save: Callable[..., None], *what: Any) -> None:
    """Save a compiled kernel; where the disk fails it is compiled again next time."""
    with suppress(OSError):
        save(*what)


def inlined(function: Function) -> Function:
    """Paste `function` into each kernel that calls it; only so may it take kernels as arguments and be cached."""
    return cast(Function, numba.njit(inline="always")(function)) if ENABLED else function


def instruction(name: str, function: Function) -> Function:
    """Return what kernels call to use the LLVM instruction `name` (``ctpop``, ``cttz``) instead of `function`.

    `function` takes one int and says the same in plain Python; it is what remains with JIT off.
    """
    if not ENABLED:
        return function
    undefined_at_zero = [ir.Constant(ir.IntType(1), 1)] if name == "cttz" else []

    @intrinsic
    def call(context: Any, mask: Any) -> Any:
        def build(target: Any, builder: Any, signature: Any, args: Any) -> Any:
            wide = target.cast(builder, args[0], signature.args[0], types.int64)
            return getattr(builder, name)(wide, *undefined_at_zero)

        return types.int64(mask), build

    return cast(Function, call)


def _stored(as_array: bool, function: Function) -> Function:
    if not ENABLED:
        return function

    @intrinsic
    def call(context: Any, value: Any) -> Any:
        def build(target: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = cgutils.alloca_once_value(builder, args[0])
            return builder.bitcast(place, target.get_value_type(signature.return_type))

        return types.CPointer(value.dtype if as_array else value)(value), build

    return cast(Function, call)


reference = _stored(False, lambda value: (value,))
"""Return `value` as the only item of something that is one machine word, however large `value` is."""

table = _stored(True, lambda values: values)
"""Return a tuple of equals as something that is looked up in one step, not by comparing the index."""


def pointer(function: Function, signature: Any, own: str = "") -> Function:
    """Compile (or load from disk) `function` for exactly `signature`, fit to be passed as a typed pointer."""
    return cast(Function, _compiled(function, signature, own)) if ENABLED else function


@lru_cache(maxsize=256)  # numba never gives the memory of loaded code back: each is loaded once a process
def _compiled(function: Any, signature: Any, own: str) -> Any:
    compiled: Any = function if hasattr(function, "py_func") else kernel(function, own)
    _leave_scipy_alone()
    compiled.compile(signature)
    compiled.disable_compile()
    return compiled


@cache
def _leave_scipy_alone() -> None:
    """Import the part of numba that looks for BLAS in scipy, as if there were no scipy: that takes as long as numba.

    A designer's kernel that multiplies matrices makes numba look again.
    """
    place = "scipy.linalg"
    hidden = place not in sys.modules
    if hidden:
        sys.modules[place] = cast(ModuleType, None)  # as `import` knows what cannot be imported
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        if hidden:
            del sys.modules[place]


@contextmanager
def first_use(name: str, say: Callable[[str], None], own: str = "", place: str = "") -> Iterator[None]:
    """Tell the user, through `say`, that kernels called `name` are compiled now and not loaded from disk.

    `place` is where a designer's own code lies: numba keeps what it compiles for each place.
    """
    folder = cache_folder(own) if ENABLED else None
    suffix = f".{hashlib.sha256(place.encode()).hexdigest()[:8]}" if place else ""
    marker = folder / f"{name}{suffix}.ready" if folder else None
    if ENABLED and (marker is None or not marker.exists()):
        say(f"compiling {name} for its first use (once per version, 10 to 60 s) ...")
    yield
    if marker:
        with suppress(OSError):
            marker.touch()


def explain(error: Exception, inside: str) -> tuple[str, int, int, str]:
    """Return (file, line, column, reason) of code that numba cannot compile, from its long message.

    The place is the innermost one in a file whose path starts with `inside`; the column is 1 if numba knows none.
    """
    text = str(error)
    where = getattr(error, "loc", None)
    places = [(file, int(line)) for file, line in re.findall(r"(?:at|from) (\S[^\n]*?\.py) \((\d+)\)", text)]
    places += [(where.filename, where.line)] if where else []
    file, line = next((place for place in places if place[0].startswith(inside)), (inside, 1))
    column = (where.col or 0) + 1 if where and (where.filename, where.line) == (file, line) else 1
    lines = [part.strip() for part in text.splitlines() if part.strip()]
    telling = [part for part in lines if not part.startswith(_NOISE)]
    reason = " ".join(" ".join(telling[:3]).split()).partition(" Raised from ")[0]
    return file, line, column, reason[:300]


_NOISE = ("Failed in", "During:", "Raised from", "File ", "def ", "^", "<source", "There are", ">>>")
