"""Counts golden/adventure-book.txt again by the plain reading, without the kernels; takes a minute or two.

Run from the top folder as ``python tests/games/recount_golden_book.py``; prints what differs and ends with 1 then.
Lines in which a team plays are left out: a team is no part of the reading.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import yaml

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS.parent), str(TESTS)]

from reference.book import Book, Question, read  # noqa: E402
from reference.book_codes import Codes  # noqa: E402
from reference.rng import Stream  # noqa: E402

FILE = TESTS / "golden" / "adventure-book.txt"
EDITION = TESTS.parent / "simcore" / "games" / "adventure_book" / "editions" / "reconstruction.yaml"
PLAYERS = 2
DATA = read(EDITION)
CODES = Codes(DATA)


def coded(book: Book, question: Question) -> list[tuple[int, Any]]:
    """Return (code, answer) of what is offered, by code."""
    return sorted((CODES.code(option, book.chapter), option) for option in question.options)


def play(rules: dict[str, Any], seed: int, deal: int) -> tuple[Book, int]:
    """Play a game at random, as the strategy `random` draws; return it and its decisions."""
    book = Book(DATA, PLAYERS, seed, deal, rules)
    lots = [Stream(seed, deal, seat) for seat in range(PLAYERS)]
    story, decisions = book.play(), 0
    answer = None
    while True:
        try:
            question = story.send(answer)  # type: ignore[arg-type]
        except StopIteration:
            return book, decisions
        offered = coded(book, question)
        which = lots[question.seat].below(len(offered)) if len(offered) > 1 else 0
        decisions += len(offered) > 1
        answer = offered[which][1]


def games(rules: dict[str, Any], number: int, seed: int) -> dict[str, int]:
    """Return the sums over random games, by column."""
    sums: dict[str, int] = {"won": 0, "rounds": 0, "decisions": 0}
    for deal in range(number):
        book, decisions = play(rules, seed, deal)
        sums["won"] += book.winner == "table"
        sums["rounds"] += book.rounds
        sums["decisions"] += decisions
        for name, count in book.tally.counts.items():
            sums[name] = sums.get(name, 0) + count
    return sums


def perft(rules: dict[str, Any], depth: int, seed: int) -> list[tuple[int, int]]:
    """Return (positions, of them over) after 1, 2, ... decisions of game 0."""
    counts = []
    paths: list[list[int]] = [[]]
    for level in range(depth + 1):
        ended = 0
        longer: list[list[int]] = []
        for path in paths:
            offered = after(rules, path, seed)
            ended += offered is None
            longer += [[*path, code] for code in offered or []]
        if level:
            counts.append((len(paths), ended))
        paths = longer
    return counts


def after(rules: dict[str, Any], path: list[int], seed: int) -> list[int] | None:
    """Return what is offered after these decisions; None when the game is over."""
    book = Book(DATA, PLAYERS, seed, 0, rules)
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


def differs(line: str, seed: int) -> bool | None:
    """Return whether the reading counts something else than a line of the golden file, None for games of a team."""
    head, _, golden = line.partition(": ")
    kind, number, *overrides = head.split()
    if any(override.startswith("seats.") for override in overrides):
        return None
    rules = {name.removeprefix("rules."): yaml.safe_load(v) for name, v in (o.split("=") for o in overrides)}
    if kind == "perft":
        found = ", ".join(f"{positions} ({ended} over)" for positions, ended in perft(rules, int(number), seed))
        return found != golden
    sums = games(rules, int(number), seed)
    told = {name: int(value) for name, value in re.findall(r"([a-z_]+) (-?\d+)(?=,|$)", golden)}
    won = re.search(r"\b1:(\d+)", golden)
    told["won"] = int(won[1]) if won else 0
    return any(told[name] != value for name, value in sums.items())


def main() -> int:
    """Recount every line; return 1 if one differs."""
    seed = wrong = 0
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("base "):
            seed = yaml.safe_load(line.removeprefix("base "))["seed"]
        if line.startswith(("games ", "perft ")):
            found = differs(line, seed)
            wrong |= bool(found)
            told = {None: "left out", True: "DIFFERS", False: "same"}[found]
            print(f"{told:10}{line.partition(':')[0]}", flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
