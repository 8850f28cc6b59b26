"""Strict YAML: plain data with the line and column of everything, or every problem of the file at once.

Nothing is guessed and nothing executed: words that YAML would turn into something else, duplicate keys,
tags, anchors, aliases and merge keys are errors that say what to write instead.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simcore.errors import InputError, Problem, kind_of, suggest
from simcore.yamldump import dump
from simcore.yamlscalar import quote
from simcore.yamltree import DataPath, Source, Tree, read_tree

__all__ = ["DataPath", "Document", "dump", "format_path", "load", "parse_path", "parse_value", "suggest"]

LARGEST_FILE = 4_000_000  # bytes


@dataclass(frozen=True)
class Document:
    """The data of one file, and where each piece of it stands."""

    _source: Source
    _tree: Tree

    @property
    def data(self) -> Any:
        """Mappings, lists and scalars, as plain Python values."""
        return self._tree.data

    @property
    def source(self) -> str:
        """Name of the file, as given to `load`."""
        return self._source.name

    def where(self, path: DataPath, *, key: bool = False) -> tuple[int, int]:
        """Return line and column, from 1, of the value at `path`, or of its key.

        What is not in the file is placed at the key of the nearest part that is.
        """
        for length in range(len(path), 0, -1):
            known = path[:length]
            if known in self._tree.values:
                value = self._tree.values[known]
                wants_key = key or length < len(path)
                return self._source.where(self._tree.keys.get(known, value) if wants_key else value)
        return self._source.where(self._tree.values[()])

    def problem(self, path: DataPath, message: str, *, key: bool = False) -> Problem:
        """Return `message` as a problem of this file, placed by `where`."""
        return Problem(self.source, *self.where(path, key=key), message)


def load(path: Path | str) -> Document:
    """Read one YAML file of at most 4 MB.

    Raises
    ------
    InputError
        With all problems of the file, in the order of its lines; a syntax error ends the list.
    """
    name = str(path)
    source = Source(name, _decode(name, _read(name)))
    return Document(source, read_tree(source))


def parse_value(text: str, source: str) -> Any:
    """Return the value of the right-hand side of `--set path=value`.

    The rules of a file hold, on one line: a scalar, `[a, b]` or `{a: b}`; a comment is an error.
    `source` stands in front of each problem of the `InputError`.
    """
    return read_tree(Source(source, text, is_file=False)).data


def parse_path(text: str, source: str | None = None) -> DataPath:
    """Return `seats.1.strategy` as ("seats", 1, "strategy"); parts of digits only are whole numbers."""
    parts = text.split(".")
    if not all(parts):
        message = "a name is missing beside a dot" if text else "the path is empty"
        raise InputError.of(source or f"path {quote(text)}", f"{message}: write it like seats.1.strategy")
    # a longer number is no index of anything, and Python would refuse to convert it
    return tuple(int(part) if re.fullmatch("[0-9]{1,9}", part) else part for part in parts)


def format_path(path: DataPath) -> str:
    """Return ("seats", 1, "strategy") as `seats.1.strategy`."""
    return ".".join(str(part) for part in path)


def _read(name: str) -> bytes:
    try:
        if kind_of(Path(name)) == "other" and not name.startswith(("/dev/", "/proc/")):  # where a shell has its pipes
            raise InputError.of(name, "is no regular file")
        with open(name, "rb") as file:
            # one byte more than allowed tells, also for a pipe or a device that has no size
            content = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        raise InputError.of(name, "no such file") from None
    except IsADirectoryError:
        raise InputError.of(name, "this is a folder, not a file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError.of(name, f"cannot be read: {reason}") from None
    if len(content) > LARGEST_FILE:
        raise InputError.of(name, f"larger than {LARGEST_FILE // 1_000_000} MB, which no file of ours is")
    return content


def _decode(name: str, content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError([Problem(name, 1, 1, "saved as UTF-16 or UTF-32: save the file as UTF-8")])
    if b"\0" in content:
        before = content.partition(b"\0")[0].decode("utf-8", "replace")
        message = "holds NUL bytes, so it is no text in UTF-8: is this a YAML file?"
        raise InputError([Source(name, before).problem(len(before), message)])
    try:
        return content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8").removeprefix("\ufeff")
        message = _not_utf8(content[error.start], error.start)
        raise InputError([Source(name, before).problem(len(before), message)]) from None


def _not_utf8(byte: int, offset: int) -> str:
    character = bytes([byte]).decode("cp1252", errors="replace")
    hint = f" ({quote(character)} in Latin-1)" if character.isalpha() else ""
    return f"byte 0x{byte:02X} at offset {offset} is not UTF-8{hint}: save the file as UTF-8"
