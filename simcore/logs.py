"""What a run notes about itself as it goes on: one line an event, as text or as JSON, for who asks."""

from __future__ import annotations

import json
import logging
import math
import sys
import time
from pathlib import Path
from typing import Any

from simcore.errors import InputError

_LOGGER = logging.getLogger("balance")
_LOGGER.propagate = False
_LOGGER.addHandler(logging.NullHandler())


def note(event: str, **facts: Any) -> None:
    """Note an event with its facts: numbers and texts."""
    _LOGGER.info(event, extra={"facts": facts})


def listen(verbose: bool, file: Path | None, as_json: bool) -> None:
    """Write events from now on to standard error (`verbose`), and behind the end of a `file`.

    Raises
    ------
    InputError
        If the file cannot be written.
    """
    handlers: list[logging.Handler] = [_Screen()] if verbose else []
    if file:
        try:
            handlers.append(_File(file, encoding="utf-8"))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError.of(f"--log-file {file}", f"cannot be written: {reason}") from None
    for handler in handlers:
        handler.setFormatter(_Json() if as_json else _Text())
        _LOGGER.addHandler(handler)
    if handlers:
        _LOGGER.setLevel(logging.INFO)


class _Quiet(logging.Handler):
    """A log that cannot be written ends no run."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        pass


class _Screen(_Quiet, logging.StreamHandler[Any]):
    def __init__(self) -> None:
        super().__init__(sys.stderr)

    def emit(self, record: logging.LogRecord) -> None:
        if self.stream.isatty():
            self.stream.write("\r\x1b[K")  # the line of progress
        super().emit(record)


class _File(_Quiet, logging.FileHandler):
    is_told = False

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        if not self.is_told:
            self.is_told = True
            print(f"balance: the log cannot be written: {sys.exc_info()[1]}", file=sys.stderr)


class _Text(logging.Formatter):
    """Time, event, and facts as words: ``2026-01-31T12:00:00Z look games=1000 reached=3.1``."""

    def format(self, record: logging.LogRecord) -> str:
        facts = (f"{name}={_short(value)}" for name, value in _facts(record).items())
        return " ".join([_time(record), record.getMessage(), *facts])


class _Json(logging.Formatter):
    """The same as one JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        return json.dumps(
            {"time": _time(record), "event": record.getMessage(), **_facts(record)}, ensure_ascii=False, default=str
        )


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    facts = getattr(record, "facts", {})
    return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in facts.items()}


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    text = str(value)
    return json.dumps(text, ensure_ascii=False) if " " in text or not text else text


def _time(record: logging.LogRecord) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created))
