"""Files that are written once: nothing is replaced, nothing is left half-written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from simcore.errors import InputError, MachineError, shown


def write_new(files: Mapping[Path, str]) -> None:
    """Write texts into new files, and the folders they lie in: all of them, or none.

    Raises
    ------
    InputError
        If one of them is there already.
    MachineError
        If the machine cannot write them.
    """
    for file in files:
        if os.path.lexists(file):
            raise InputError.of(shown(file), "is there already, and is never replaced; choose another name")
    done: list[Path] = []
    folders: list[Path] = []
    try:
        for file, text in files.items():
            missing = [folder for folder in (file.parent, *file.parent.parents) if not folder.exists()]
            for folder in reversed(missing):
                folder.mkdir()
                folders.append(folder)
            _write(file, text)
            done.append(file)
    except BaseException as error:
        for path in reversed(done):
            path.unlink(missing_ok=True)
        for folder in reversed(folders):
            with suppress(OSError):
                folder.rmdir()
        if isinstance(error, FileExistsError | NotADirectoryError):
            raise InputError.of(shown(file), "is there already, or a folder on the way to it is a file") from None
        if isinstance(error, OSError):
            raise MachineError(f"{shown(file)}: cannot be written: {error.strerror}") from None
        raise


def _write(file: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{file.name[:50]}.", dir=file.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as out:
            out.write(text)
        os.chmod(name, 0o666 & ~_mask())
        os.link(name, file)  # unlike a rename it replaces nothing
    finally:
        os.unlink(name)


def _mask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
