"""The kernels of the book against the plain reading `reference.book`: every offer, every position, every outcome."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import strategies
from reference import random_chapters
from reference.book import Book, Question, read
from reference.book_codes import Codes
from simcore.contract import ABSENT
from support import ROOT, Table, sampled

EDITION = ROOT / "simcore" / "games" / "adventure_book" / "editions" / "reconstruction.yaml"
SEED = 20_200_801
VARIANTS: list[tuple[int, dict[str, Any]]] = [
    (1, {}),
    (2, {}),
    (3, {}),
    (4, {}),
    (2, {"hands": "hidden"}),
    (4, {"hands": "hidden", "trades": 2, "first_seat": "first"}),
    (3, {"replay_miracles": "restore", "star_taken_by": "anyone", "replays": 3}),
    (2, {"plot_cards": 9, "replays": 0, "hand_limit": 4, "draw": 3}),
    (1, {"round_cap": 30, "moves": 0}),
    (2, {"chapters": [6, 3, 5], "miracles": 1, "miracle_special": 3, "deal": 7}),
]
SINGLE = [(n, {"chapters": [chapter]}) for chapter in range(1, 7) for n in (1, 2, 4)]
COUNTED = (
    "chapters", "challenges", "specials_drawn", "specials_played", "miracles_taken", "miracles_used", "trades",
    "walked", "cancelled", "reshuffles",
)  # fmt: skip
OF_CHAPTER = ("won_first", "won_again", "turns", "plot_left", "lost_plot", "lost_own_1", "lost_own_2")


@cache
def edition(file: Path = EDITION) -> dict[str, Any]:
    return read(file)


def compare_positions(book: Book, table: Table, kinds: list[str]) -> None:
    """Check that both say the same of cards, figures, counters, pieces, tiles, Miracles and plot."""
    see = table.see
    chapter = book.chapter
    for seat in range(book.n):
        assert Counter(book.hands[seat]) == {
            kind: int(n) for kind, n in zip(kinds, see("hand")[seat], strict=False) if n
        }
    assert [kinds[kind] for kind in see("pile")[: int(see("n_pile"))]] == book.pile
    assert [kinds[kind] for kind in see("specials")[: int(see("n_special"))]] == book.specials
    spaces = [space["id"] for space in chapter["spaces"]]
    for index, figure in enumerate(chapter["figures"]):
        place = int(see("space")[index])
        assert (spaces[place] if place >= 0 else None) == book.where[figure["id"]]
    for index, counter in enumerate(chapter.get("counters", [])):
        assert int(see("counter")[index]) == book.counters[counter["id"]]
    tiles = [tile["id"] for tile in chapter.get("tiles", [])]
    for index, space in enumerate(spaces):
        assert int(see("pieces")[index]) == book.litter[space]
        kind = int(see("tile")[index])
        assert (tiles[kind] if kind >= 0 else None) == book.tiles.get(space)
        assert bool(int(see("up")) >> index & 1) == (space in book.face_up)
    assert int(see("miracles")) == book.held_miracles
    star = int(see("star"))
    assert (spaces[star] if star >= 0 else None) == book.star
    numbers = [card["number"] for card in book.data["plot_cards"]]
    if not int(see("n_looked")):
        assert [numbers[n] for n in see("plot")[: int(see("n_plot"))]] == book.plot


def compare_outcomes(book: Book, table: Table) -> None:
    row = table.score()[0]
    assert (row["winners"] == 1) == (book.winner == "table")
    assert row["turns"] == book.turns
    assert row["rounds"] == book.rounds
    reasons = table.game.reasons(table.edition)  # type: ignore[attr-defined]
    assert reasons[row["reason"]] == book.reason
    for name in COUNTED:
        assert row[name] == book.tally.counts[name], name
    assert row["replay_in"] == (ABSENT if book.tally.replay_in is None else book.tally.replay_in)
    for number in range(1, 9):
        entry = book.tally.chapters.get(number)
        own = len(book.data["chapters"][number - 1]["defeats"]) if entry else 0
        lacks = [f"lost_own_{index}" for index in (1, 2) if index > own]
        for name in OF_CHAPTER:
            found = row[f"chapter_{number}_{name}"]
            assert found == (ABSENT if entry is None or name in lacks else entry.get(name, 0)), (number, name)


Pick = Callable[[Table, list[int]], int]
Tables = Callable[..., Table]


def follow(table: Table, book: Book, pick: Pick, codes: Codes, closely: float, chance: random.Random) -> int:
    """Play a game in both readings at once; return the number of questions."""
    story = book.play()
    asked = 0
    question: Question | None = next(story, None)
    while question is not None:
        assert not table.over
        offered = table.offered()
        wanted = sorted(codes.code(option, book.chapter) for option in question.options)
        assert offered == wanted, (question, offered)
        assert table.seat == question.seat
        assert table.which % 2 == int(question.helping)
        if chance.random() < closely:
            compare_positions(book, table, codes.kinds)
        action = pick(table, offered)
        answer = next(option for option in question.options if codes.code(option, book.chapter) == action)
        table.apply(action)
        asked += 1
        try:
            question = story.send(answer)
        except StopIteration:
            question = None
    assert table.over
    compare_outcomes(book, table)
    return asked


@pytest.fixture(scope="module")
def table_of(load_scenario: Callable[..., Any], player_of: Callable[..., Any]) -> Callable[..., Table]:
    def find(n: int, rules: Mapping[str, Any], index: int, file: Path | None = None) -> Table:
        data: dict[str, Any] = {
            "game": "adventure-book",
            "seats": [{"strategy": "random"}] * n,
            "rules": dict(rules),
            "seed": SEED,
        }
        if file:
            data["edition"] = str(file)
        loaded = load_scenario(data)
        table = Table(player_of(loaded), index)
        table.edition = loaded.edition.model  # type: ignore[attr-defined]
        return table

    return find


def picker(chance: random.Random, share: float) -> Pick:
    """Return a player who follows `nearest` in a share of the choices and draws lots in the others."""
    choose = strategies.strategy("adventure-book", "nearest").pointer(strategies.game("adventure-book"))

    def pick(table: Table, offered: list[int]) -> int:
        if len(offered) > 1 and chance.random() < share:
            return table.ask(choose, len(offered))
        return chance.choice(offered)

    return pick


def play_both(table_of: Tables, n: int, rules: dict[str, Any], index: int, file: Path | None = None) -> int:
    chance = random.Random(f"{n} {sorted(rules.items(), key=str)} {index}")
    table = table_of(n, rules, index, file)
    data = edition(file or EDITION)
    book = Book(data, n, SEED, index, rules)
    share = (0.0, 0.85, 0.97)[index % 3]
    return follow(table, book, picker(chance, share), Codes(data), 0.2, chance)


@pytest.mark.parametrize(("n", "rules"), VARIANTS, ids=str)
def test_books_are_the_same_in_both_readings(n: int, rules: dict[str, Any], table_of: Tables) -> None:
    for index in range(1, 1 + sampled(1, 6)):
        assert play_both(table_of, n, rules, index) > 0


@pytest.mark.parametrize(("n", "rules"), SINGLE, ids=str)
def test_each_chapter_is_the_same_in_both_readings(n: int, rules: dict[str, Any], table_of: Tables) -> None:
    for index in range(2, 2 + sampled(1, 6)):
        play_both(table_of, n, rules, index)


@pytest.mark.parametrize("seed", range(sampled(20, 400)))
def test_chapters_made_up_at_random_are_the_same_in_both_readings(seed: int, table_of: Tables, tmp_path: Path) -> None:
    file = tmp_path / "made-up.yaml"
    file.write_text(yaml.safe_dump(random_chapters.edition(edition(), seed), sort_keys=False), encoding="utf-8")
    chance = random.Random(seed)
    rules = {
        **{"hands": chance.choice(["open", "hidden"]), "star_taken_by": chance.choice(["players", "anyone"])},
        **{"replays": chance.randint(0, 2), "moves": chance.randint(0, 3), "miracles": chance.randint(0, 3)},
        **{"replay_miracles": chance.choice(["keep", "restore"]), "round_cap": 40, "chapters": 1},
    }
    for index in range(2):
        play_both(table_of, chance.randint(1, 4), rules, index, file)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "rules"), VARIANTS, ids=str)
def test_five_hundred_books_are_the_same_in_both_readings(n: int, rules: dict[str, Any], table_of: Tables) -> None:
    for index in range(500 if not rules else 60):
        play_both(table_of, n, rules, index)
