"""The line of progress: it fits the terminal, and says what matters whatever the names are."""

from __future__ import annotations

import io
import os
import unicodedata
from typing import Any

import pytest

from reports import progress
from simcore.blocks import Look

LONG = "Inigo Montoya, who has practised for twenty years and would like to meet a man with six fingers; " * 3
WIDE = "剣士" * 100
STEERING = "a\r\nb\x1b[31m\u202e" + "c" * 200


class Terminal(io.StringIO):
    """A terminal without a size of its own."""

    def isatty(self) -> bool:
        return True


def line(
    monkeypatch: pytest.MonkeyPatch, labels: list[str], columns: int = 80, done: int = 1_234_567_890, n: int = 2
) -> str:
    """Return what stands on a terminal a while after the start."""
    clock = iter([0.0, 100.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(progress, "_columns", lambda stream: columns)
    stream = Terminal()
    shown = progress.Progress(stream, progress.rates(labels))
    shown.look(Look(done, tuple((1 / n, 1 / n - 0.0123, 1 / n + 0.0125) for _ in range(n))))
    shown.update(done, 20_000_000_000, 1_250_000.0)
    return stream.getvalue().removeprefix("\r\x1b[K")


def cells(text: str) -> int:
    return sum(1 + (unicodedata.east_asian_width(character) in "WF") for character in text)


@pytest.mark.parametrize("label", ["Inigo", LONG, WIDE, STEERING, "x" * 200, ""])
@pytest.mark.parametrize("n", [1, 2, 6])
@pytest.mark.parametrize("columns", [20, 40, 80, 100, 200])
def test_the_line_fits_and_says_what_matters(monkeypatch: pytest.MonkeyPatch, label: str, n: int, columns: int) -> None:
    found = line(monkeypatch, [label] * n, columns, n=n)
    assert cells(found) < columns
    assert found.isprintable()
    if columns >= 80:
        assert "1,234,567,890 games, 1,250,000 a second, 4.2 h left" in found
        assert "+-1.25 points" in found


def test_names_are_told_where_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    found = line(monkeypatch, ["Inigo", "The Man in Black"], 100, done=1000)
    assert found.startswith("Inigo 50.0 %, The Man in")
    assert found.endswith(" (+-1.25 points) | 1,000 games, 1,250,000 a second, 4.4 h left")
    assert line(monkeypatch, [LONG, WIDE], 100, done=1000).count("50.0 %") == 2


def test_a_terminal_says_how_wide_it_is() -> None:
    assert progress._columns(io.StringIO()) == 80
    ours, theirs = os.openpty()
    with open(theirs, "w", closefd=True) as stream:
        assert progress._columns(stream) > 0
    os.close(ours)


def test_nothing_is_drawn_where_there_is_no_terminal() -> None:
    stream: Any = io.StringIO()
    with progress.Progress(stream) as shown:
        shown.update(10, 20, 1.0)
    assert stream.getvalue() == ""
