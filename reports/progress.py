"""Progress of a run on stderr: games, speed, time left, and a first answer after a second. Only on a terminal."""

from __future__ import annotations

import math
import os
import time
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, TextIO

from reports.text import clean, percent, shorten

FIRST_ANSWER_SECONDS = 1.0
_REDRAW_SECONDS = 0.1
_COLUMNS = 80
_SHORTEST_NAME, _LONGEST_NAME = 4, 20

Answer = Callable[[Any, int], str]
"""Of (look, columns): says how things stand, in at most so many columns."""


class Progress:
    """One line that is redrawn and fits the terminal; silent where `stream` is no terminal.

    Parameters
    ----------
    stream : text stream
    answer : Answer or None
        Shown once a second has passed, in what room is left.
    """

    def __init__(self, stream: TextIO, answer: Answer | None = None) -> None:
        self._stream, self._answer = stream, answer
        self._shown = stream.isatty()
        self._started = time.monotonic()
        self._drawn = 0.0
        self._look: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        if self._shown and self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def look(self, look: Any) -> None:
        """Take the answer at a look."""
        self._look = look

    def update(self, done: int, goal: int, speed: float) -> None:
        """Redraw the line: games finished, games to play as far as known, games a second."""
        now = time.monotonic()
        if not self._shown or now - self._drawn < _REDRAW_SECONDS or now - self._started < _REDRAW_SECONDS:
            return
        self._drawn = now
        room = _columns(self._stream) - 1  # a terminal may break the line behind its last column
        left = f", {_spell(max(goal - done, 0) / speed)} left" if speed > 0 and goal > done else ""
        line = f"{done:,} games, {speed:,.0f} a second{left}"
        if self._answer and self._look and now - self._started >= FIRST_ANSWER_SECONDS:
            told = self._answer(self._look, room - len(line) - 3)
            line = f"{told} | {line}" if told else line
        self._stream.write(f"\r\x1b[K{line[:room]}")
        self._stream.flush()


def rates(labels: Sequence[str]) -> Answer:
    """Return what says how the sides stand at a look; without room for their names, how well that is known."""
    names = [clean(label) for label in labels]

    def answer(look: Any, room: int) -> str:
        shares = [percent(rate, 1) for rate, _, _ in look.sides]
        known = f"+-{look.arm * 100:.2f} points"
        for longest in range(_LONGEST_NAME, _SHORTEST_NAME - 1, -1):
            told = (f"{_fitting(name, longest)} {share}" for name, share in zip(names, shares, strict=True))
            line = f"{', '.join(told)} ({known})"
            if _cells(line) <= room:
                return line
        return known if len(known) <= room else ""

    return answer


def reached(question: Any) -> Answer:
    """Return what says how well the answer of a question is known at a look, in its own unit."""

    def answer(look: Any, room: int) -> str:
        width = question.reached(look)
        known = f"+-{width:.3g} {question.unit}" if math.isfinite(width) else ""  # the first ranges may have no end
        return known if len(known) <= room else ""

    return answer


def _fitting(name: str, columns: int) -> str:
    """Return a name at the length that fits; some characters are two columns wide."""
    return next(short for width in range(columns, 0, -1) if _cells(short := shorten(name, width)) <= columns)


def _cells(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(character) in "WF") for character in text)


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or _COLUMNS
    except (OSError, ValueError, AttributeError):
        return _COLUMNS


def _spell(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
