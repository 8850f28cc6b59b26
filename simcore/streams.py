"""Standard output and error: open whatever the caller closed, and ours alone while a designer's code runs."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Output:
    """Standard output, as far as it goes: an answer that cannot be printed does not end what is still to be written."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.fault: OSError | None = None

    def write(self, text: str) -> int:
        """Write unless it failed before."""
        return self._tried(self._stream.write, text) or 0

    def flush(self) -> None:
        """Flush unless it failed before."""
        self._tried(self._stream.flush)

    def _tried(self, do: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return None if self.fault else do(*arguments)
        except OSError as fault:
            self.fault = fault
            return None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def open_streams(errors: str) -> Output:
    """Return standard output after putting both streams in order: open, and good for every character.

    Parameters
    ----------
    errors : str
        What stands for a character that the encoding of standard output lacks: ``replace`` (by ?) or ``json``.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # closed, as for a job without a terminal: what is opened next would take its place
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)
    codecs.register_error("json", _json_escapes)
    _replacing(sys.stdout, errors)
    _replacing(sys.stderr, "replace")
    output = Output(sys.stdout)
    sys.stdout, sys.stderr = output, Output(sys.stderr)
    return output


def _replacing(stream: Any, errors: str) -> None:
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors=errors)


def _json_escapes(error: UnicodeError) -> tuple[str, int]:
    """Replace what an encoding lacks by what JSON reads as the same."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4)), error.end


@contextmanager
def aside() -> Iterator[None]:
    """Send all that is printed meanwhile to standard error: a designer's code prints what it likes, but no answer."""
    try:
        sys.stdout.flush()
        kept = os.dup(1)
        os.dup2(2, 1)
    except (OSError, ValueError, AttributeError):  # no such streams, as in a notebook
        yield
        return
    before = sys.stdout
    sys.stdout = os.fdopen(os.dup(2), "w", encoding="utf-8", errors="replace", buffering=1)
    theirs = sys.stdout
    try:
        yield
    finally:
        sys.stdout = before
        try:
            theirs.close()
        finally:
            os.dup2(kept, 1)
            os.close(kept)
