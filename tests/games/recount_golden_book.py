"""Counts golden/adventure-book.txt again by the plain reading, without the kernels; takes a minute or two.

Run from the top folder as ``python tests/games/recount_golden_book.py``; prints what differs and ends with 1 then.
Lines in which a team plays are left out: a team is no part of the reading.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS.parent), str(TESTS), str(TESTS / "games")]

from book_table import DATA  # noqa: E402
from recount import Line, added_up, main, positions  # noqa: E402

from reference.book import Book, Question  # noqa: E402
from reference.book_codes import Codes  # noqa: E402
from reference.rng import Stream  # noqa: E402
from simcore.games.adventure_book.state import CHAPTERS, METRICS, PER_CHAPTER  # noqa: E402

CODES = Codes(DATA)


def coded(book: Book, question: Question) -> list[tuple[int, Any]]:
    """Return (code, answer) of what is offered, by code."""
    return sorted((CODES.code(option, book.chapter), option) for option in question.options)


def read(line: Line, deal: int) -> dict[str, int]:
    """Play a game at random, as the strategy `random` draws; return its columns, with 0 for what does not apply."""
    book = Book(DATA, line.players, line.seed, deal, line.rules)
    lots = [Stream(line.seed, deal, seat) for seat in range(line.players)]
    story, decisions = book.play(), 0
    answer = None
    while True:
        try:
            question = story.send(answer)  # type: ignore[arg-type]
        except StopIteration:
            return {**columns_of(book), "decisions": decisions}
        offered = coded(book, question)
        which = lots[question.seat].below(len(offered)) if len(offered) > 1 else 0
        decisions += len(offered) > 1
        answer = offered[which][1]


def columns_of(book: Book) -> dict[str, int]:
    """Return the columns of an outcome row."""
    tally = book.tally
    by_chapter = {
        f"chapter_{number}_{metric.name}": tally.chapters.get(number, {}).get(metric.name, 0)
        for number in range(1, CHAPTERS + 1)
        for metric in PER_CHAPTER
    }
    counted = {metric.name: tally.counts[metric.name] for metric in METRICS if metric.name not in by_chapter}
    won = int(book.winner == "table")
    return {**counted, **by_chapter, "winners": won, "rounds": book.rounds, "replay_in": tally.replay_in or 0}


def offered_after(line: Line, path: list[Any]) -> list[int] | None:
    """Return what is offered after these decisions of game 0; None when the game is over."""
    book = Book(DATA, line.players, line.seed, 0, line.rules)
    story, left, answer = book.play(), list(path), None
    while True:
        try:
            question = story.send(answer)  # type: ignore[arg-type]
        except StopIteration:
            return None
        offered = coded(book, question)
        if len(offered) == 1:
            answer = offered[0][1]
        elif not left:
            return [code for code, _ in offered]
        else:
            code = left.pop(0)
            answer = next(option for number, option in offered if number == code)


def count(line: Line) -> str | None:
    """Return the counts of a line, None where a team plays."""
    if any(path.startswith("seats.") for path in line.overrides):
        return None
    if line.kind == "perft":
        return positions(line.number, partial(offered_after, line))
    games = (read(line, deal) for deal in range(line.number))
    return added_up(games, ("rounds", "decisions", *(metric.name for metric in METRICS)))


if __name__ == "__main__":
    sys.exit(main("adventure-book", count))
