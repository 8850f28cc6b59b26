"""Progress of a run on stderr: games, speed, time left, and a first answer after a second. Only on a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, TextIO

from reports.text import percent

FIRST_ANSWER_SECONDS = 1.0
_REDRAW_SECONDS = 0.1


class Progress:
    """One line that is redrawn; silent where `stream` is no terminal.

    Parameters
    ----------
    stream : text stream
    answer : function of a look, or None
        Says how things stand, which is shown once a second has passed.
    """

    def __init__(self, stream: TextIO, answer: Callable[[Any], str] | None = None) -> None:
        self._stream, self._answer = stream, answer
        self._shown = stream.isatty()
        self._started = time.monotonic()
        self._drawn = 0.0
        self._rates = ""

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        if self._shown and self._drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def look(self, look: Any) -> None:
        """Take the answer at a look."""
        if self._answer:
            self._rates = self._answer(look)

    def update(self, done: int, goal: int, speed: float) -> None:
        """Redraw the line: games finished, games to play as far as known, games a second."""
        now = time.monotonic()
        if not self._shown or now - self._drawn < _REDRAW_SECONDS or now - self._started < _REDRAW_SECONDS:
            return
        self._drawn = now
        left = f", {_spell(max(goal - done, 0) / speed)} left" if speed > 0 and goal > done else ""
        line = f"{done:,} games, {speed:,.0f} a second{left}"
        if self._rates and now - self._started >= FIRST_ANSWER_SECONDS:
            line = f"{self._rates} | {line}"
        self._stream.write(f"\r\x1b[K{line[:79]}")
        self._stream.flush()


def rates(labels: Sequence[str]) -> Callable[[Any], str]:
    """Return what says how the sides stand at a look."""

    def answer(look: Any) -> str:
        sides = zip(labels, look.sides, strict=True)
        told = ", ".join(f"{label[:20]} {percent(rate, 1)}" for label, (rate, _, _) in sides)
        return f"{told} (+-{look.arm * 100:.2f} points)"

    return answer


def _spell(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
