"""The field guide game: its kernels against the plain reading, the rulebook (RB), its rulings and exact counts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import guide_boxes
import guide_table
import numpy as np
import pytest
import yaml
from guide_boxes import ODD, SHORT, SMALL, edition_of
from guide_table import Words, facts, facts_of_row, hasty, lockstep

import strategies
from reference import guide, guide_data
from simcore import jit, scenario
from simcore.errors import InputError
from simcore.games.field_guide import state as codes
from simcore.player import Player
from support import Table, scaled, sigmas

GAME = "field-guide"
PLAYERS = (2, 3, 4)
SEED = 7
EDITION = strategies.folder_of(GAME) / "editions" / "reconstruction.yaml"
BOX = guide.Box()
WITHOUT_JIT = pytest.mark.skipif(not jit.ENABLED, reason="many games: only with JIT")
SWITCHED: list[dict[str, Any]] = [
    {},
    {"fight_reading": "translator"},
    {"warding": "typed"},
    {"fight_reading": "translator", "warding": "typed"},
    {"token_placement": "chosen"},
    {"leaving": "any_time"},
    {"retry_players": 4, "retry_roll": 1},
    {"round_cap": 9},
]

Find = Callable[..., Player]


@pytest.fixture(scope="session")
def table_of(
    load_scenario: Callable[..., Any], player_of: Callable[..., Player], write_yaml: Callable[..., Path]
) -> Find:
    """Return the player of a table of n; of the shipped box, or of another one."""

    def find(n: int, *names: str, box: guide.Box = BOX, seed: int = SEED, params: Any = None, **rules: Any) -> Player:
        seated = names or ("random",) * n
        seats = [{"strategy": name, **({"params": params} if params else {})} for name in seated]
        data = {"game": GAME, "seats": seats, "rules": rules, "seed": seed}
        if box is not BOX:
            data["edition"] = str(write_yaml(edition_of(box), "edition.yaml"))
        return player_of(load_scenario(data))

    return find


# ---------------------------------------------------------------- the edition is what the reading has been told


def test_the_edition_says_what_the_second_transcription_says() -> None:
    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(inner) for key, inner in value.items() if key not in ("from", "label")}
        return [plain(inner) for inner in value] if isinstance(value, list) else value

    found, told = plain(yaml.safe_load(EDITION.read_text(encoding="utf-8"))), plain(edition_of(BOX))
    for kind in ("rules", "blue_cards", "green_cards"):
        assert found[kind] == told[kind]
    for kind, without in (
        ("dice", "id"),
        ("tables", "id"),
        ("rooms", "id"),
        ("plan", "id"),
        ("cage_tokens", "id"),
        ("paths", "id"),
    ):
        assert [{**each, without: ""} for each in found[kind]] == [{**each, without: ""} for each in told[kind]]
    assert {each["id"]: each.get("tags", []) for each in found["spaces"]} == {
        each["id"]: each["tags"] for each in told["spaces"]
    }
    assert [set(each["squares"]) for each in found["openings"]] == [set(each["squares"]) for each in told["openings"]]
    assert [child["id"] for child in found["children"]] == list(guide_data.CHILDREN)
    assert len(found["object_tokens"]) == guide_data.N_TOKENS


def test_the_box_holds_fifty_cards_half_of_them_blue() -> None:
    assert [sum(card["count"] for card in cards) for cards in (guide_data.BLUE, guide_data.GREEN)] == [25, 25]
    assert sum(card["count"] for card in guide_data.BLUE if "weapon" in card) == 10
    assert sum(card["count"] for card in guide_data.GREEN if "wards" in card) == 7


def test_the_house_measures_what_the_reconstruction_says() -> None:
    # Origin: "Steps from START" in the rulings of the reconstruction.
    house = BOX.plan
    steps = {BOX.house["start"]: 0}
    queue = [BOX.house["start"]]
    for square in queue:
        for other in house.neighbours(square):
            if other not in steps:
                steps[other] = steps[square] + 1
                queue.append(other)
    assert {room: steps[spot] for room, spot in house.spots.items()} == {"H": 3, "K": 6, "P": 7, "B": 7, "T": 8}
    assert steps[BOX.house["door"]] == 1


# ---------------------------------------------------------------- whole games, answer by answer


@pytest.mark.parametrize("rules", SWITCHED, ids=str)
@pytest.mark.parametrize("n", PLAYERS)
def test_every_answer_is_offered_and_done_as_in_the_plain_reading(
    n: int, rules: dict[str, Any], table_of: Find
) -> None:
    player = table_of(n, **rules)
    for deal in range(scaled(6, 6)):
        haste = (0.9, 0.6)[deal % 2]
        chance = random.Random(f"{n} {deal} {rules}")
        lockstep(Table(player, deal), n, SEED, deal, hasty(chance, haste), rules, BOX)


@pytest.mark.slow
@WITHOUT_JIT
@pytest.mark.parametrize("n", PLAYERS)
def test_a_thousand_games_agree_answer_by_answer(n: int, table_of: Find) -> None:
    player = table_of(n)
    for deal in range(1_000):
        haste = (0.95, 0.85, 0.7, 0.5)[deal % 4]
        lockstep(Table(player, deal), n, SEED, deal, hasty(random.Random(f"{n} {deal}"), haste), {}, BOX)


@pytest.mark.parametrize("box", [SMALL, SHORT, ODD], ids=["small", "short", "odd"])
@pytest.mark.parametrize("n", PLAYERS)
def test_other_boards_and_cards_are_played_as_the_plain_reading_plays_them(
    n: int, box: guide.Box, table_of: Find
) -> None:
    for number, rules in enumerate(SWITCHED[:6]):
        rules = {**rules, "round_cap": 60}
        player = table_of(n, box=box, **rules)
        for deal in range(scaled(4, 4)):
            chance = random.Random(f"{n} {deal} {number}")
            lockstep(Table(player, deal), n, SEED, deal, hasty(chance, 0.5), rules, box)


@pytest.mark.parametrize("n", PLAYERS)
def test_rows_of_random_games_are_those_of_the_plain_reading(n: int, table_of: Find) -> None:
    words = Words(BOX)
    rules = {"round_cap": 60}
    rows = table_of(n, **rules).play(0, scaled(30, 15))
    for deal, row in enumerate(rows):
        game = guide.play(n, SEED, deal, guide_table.random_player(SEED, deal, words), rules, BOX)
        assert facts_of_row(row, n) == facts(game, BOX)


# ---------------------------------------------------------------- what never changes


def assert_legal(table: Table, n: int) -> None:
    """Check that cards, tokens and pieces are all there, each where it may be."""
    tab, play = table.memory["state"]["tab"][0], table.memory["state"]["play"][0]
    kinds = tab["kinds"]["count"]
    assert (play["stock"] + play["discard"] + play["hand"].sum(axis=0) == kinds).all()
    assert kinds.sum() == 50
    first, last = tab["first_kind"][1], tab["first_kind"][2]
    assert play["n_stock"].tolist() == [play["stock"][:first].sum(), play["stock"][first:last].sum()]
    assert play["n_discard"].tolist() == [play["discard"][:first].sum(), play["discard"][first:last].sum()]
    assert play["n_hand"].tolist() == play["hand"].sum(axis=1).tolist()
    for seat in range(codes.SEATS):
        held = np.flatnonzero(play["hand"][seat])
        assert all(tab["kinds"]["fight"][kind] and (kind >= first) == (seat == n - 1) for kind in held)
    if play["phase"] != codes.LAYING:
        assert sorted(play["token"][: tab["n_rooms"]].tolist()) == [0, 1, 2, 3, 4]
    in_front = bin(int(play["cage"])).count("1")
    assert in_front + int(play["cage_won"]) == int(play["cage_taken"])
    assert int(play["won"]) + int(play["cage_used"]) == int(play["cage_won"])
    assert_pieces(tab, play, n)


def assert_pieces(tab: Any, play: Any, n: int) -> None:
    for child in range(codes.CHILDREN):
        inside = play["square"][child] != codes.NONE
        outside = play["space"][child] != codes.NONE
        assert inside + outside == (child < n - 1)
        assert outside == bool(int(play["outside"]) >> child & 1)
        if outside:
            assert play["space"][child] != tab["camp"]
    for number in range(codes.GRUZELS):
        piece = codes.CHILDREN + number
        assert (play["space"][piece] != codes.NONE) == (number < n - 1)
    for piece in range(codes.PIECES):
        if (space := play["space"][piece]) != codes.NONE:
            assert tab["index"][play["path"][piece], space] >= 0
            side = int(piece >= codes.CHILDREN)
            assert space != tab["finish"][1 - side]
            if space == tab["finish"][side]:
                assert play["over"] and play["guide"] == (codes.HELD_BY_GRUZELS if side else piece)


@pytest.mark.parametrize(
    "rules", [{}, {"token_placement": "chosen", "leaving": "any_time", "warding": "typed"}], ids=str
)
@pytest.mark.parametrize("n", PLAYERS)
def test_nothing_is_lost_and_every_offered_action_leads_to_a_legal_position(
    n: int, rules: dict[str, Any], table_of: Find
) -> None:
    player, checked = table_of(n, **rules), 0
    for deal in range(3):
        checker = Checker(Table(player, deal), random.Random(deal), n, 0.2 if rules else 0.8)
        checker.game = guide.Game(BOX, rules, n, SEED, deal, checker)
        checker.game.play()
        checker.skip_forced()
        assert_legal(checker.table, n)
        checked += checker.checked
    assert checked > 3


class Checker(guide_table.Follower):
    """Tries every offered action in a share of the positions."""

    def __init__(self, table: Table, chance: random.Random, n: int, haste: float) -> None:
        super().__init__(table, Words(BOX), hasty(chance, haste))
        self.chance, self.n, self.checked = chance, n, 0

    def __call__(self, *asked: Any) -> Any:
        self.skip_forced()
        if self.chance.random() < 0.15:
            saved = self.table.save()
            for action in self.table.offered():
                self.table.apply(action)
                assert_legal(self.table, self.n)
                self.table.load(saved)
            self.checked += 1
        return super().__call__(*asked)


CHILDREN_STRATEGIES = ("explorer", "runner", "hoarder")
GRUZEL_STRATEGIES = ("chaser", "camper", "saver")


@WITHOUT_JIT
@pytest.mark.parametrize("n", PLAYERS)
def test_scripted_players_finish_their_games(n: int, table_of: Find) -> None:
    games = 1_500
    for children, gruzels in product(CHILDREN_STRATEGIES, GRUZEL_STRATEGIES):
        rows = table_of(n, *(children,) * (n - 1), gruzels).play(0, games)
        unfinished = int((rows["reason"] == codes.CAPPED).sum())
        # below 0.1 %: 1,500 games would show one or two at that rate
        assert unfinished <= games // 1_000, (children, gruzels)
        wins = np.bincount(rows["winners"], minlength=3)
        assert wins[1] > games // 100 and wins[2] > games // 100


# ---------------------------------------------------------------- exact: how long the hunt takes

SIMPLE = {"weights": {"token": 1.0, "number_one": 1.0, "turn_right": 1.0, "turn_unseen": 0.5}}
"""A child that walks to a token nobody has seen, to number 1 once it knows all, and else anywhere by lot."""


class Hunt:
    """The Markov chain of one child with this strategy in the small house; states are (square, rooms seen)."""

    def __init__(self, placed: dict[str, int], retry: int) -> None:
        self.house, self.placed, self.retry = SMALL.plan, placed, retry
        self.spots = {spot: room for room, spot in self.house.spots.items()}

    def expected_turns(self) -> float:
        """Return the mean number of turns until all four tokens are turned in order: (I - Q) x = 1."""
        start = (SMALL.house["start"], frozenset())
        states, rows = [start], []
        for state in states:
            row = Counter(self.turn(*state))
            rows.append(row)
            states += [other for other in row if other is not None and other not in states]
        number = {state: index for index, state in enumerate(states)}
        matrix = np.eye(len(states))
        for index, row in enumerate(rows):
            for other, chance in row.items():
                if other is not None:
                    matrix[index, number[other]] -= float(chance)
        return float(np.linalg.solve(matrix, np.ones(len(states)))[0])

    def turn(self, square: Any, seen: frozenset[str]) -> dict[Any, Fraction]:
        """Return the chance of each state after a turn; None: the guide is found."""
        found: dict[Any, Fraction] = Counter()
        for roll in SMALL.faces:
            options: list[Any] = [*self.house.squares(square, roll), None]
            wanted = [step for step in options if step is not None and self.wants(step, seen)]
            for step in wanted or options:
                share = Fraction(1, len(SMALL.faces) * len(wanted or options))
                for state, chance in self.arrive(square, step, roll, seen).items():
                    found[state] += share * chance
        return found

    def wants(self, square: Any, seen: frozenset[str]) -> bool:
        room = self.spots.get(square)
        knows_all = len(seen) >= 3
        return room is not None and (room not in seen or (knows_all and self.placed[room] == 1))

    def arrive(self, square: Any, step: Any, roll: int, seen: frozenset[str]) -> dict[Any, Fraction]:
        if step is None:
            room = self.spots.get(square)
            if room is None or self.placed[room] != 1 or not self.retry or roll < self.retry:
                return {(square, seen): Fraction(1)}
            return self.chain(square, seen, 2, frozenset({room}))
        room = self.spots.get(step)
        if room is None:
            return {(step, seen): Fraction(1)}
        seen = seen | {room}
        return self.chain(step, seen, 2, frozenset({room})) if self.placed[room] == 1 else {(step, seen): Fraction(1)}

    def chain(self, square: Any, seen: frozenset[str], number: int, up: frozenset[str]) -> dict[Any, Fraction]:
        if number > 4:
            return {None: Fraction(1)}
        unseen = [room for room in self.placed if room not in seen]
        right = [room for room in self.placed if self.placed[room] == number]
        choices = right if right[0] in seen or len(unseen) == 1 else unseen
        found: dict[Any, Fraction] = Counter()
        for room in choices:
            after = seen | {room}
            goes_on = self.placed[room] == number
            rest = self.chain(square, after, number + 1, up | {room}) if goes_on else {(square, after): Fraction(1)}
            for state, chance in rest.items():
                found[state] += chance / len(choices)
        return found


@cache
def expected_hunt(retry: int) -> tuple[float, tuple[float, ...]]:
    """Return the mean over all placements, and each of them in the order of `placements`."""
    each = tuple(Hunt(placed, retry).expected_turns() for placed in placements())
    return sum(each) / len(each), each


def placements() -> list[dict[str, int]]:
    return [
        dict(zip("ABCD", numbers, strict=True)) for numbers in product(range(1, 5), repeat=4) if len({*numbers}) == 4
    ]


def simple_table(table_of: Find, rules: dict[str, Any]) -> Player:
    """Return a table in the small house whose child hunts simply; the guide is taken home somehow."""
    return table_of(2, "weights", "weights", box=SMALL, params={"weights": {**SIMPLE["weights"], "gain": 1.0}}, **rules)


def placed_in(deal: int) -> tuple[int, ...]:
    """Return the number of the token in each room of the small house, from the published stream."""
    stream, numbers = guide.Stream(SEED, deal, guide.TOKEN_STREAM), [1, 2, 3, 4]
    for last in (3, 2, 1):
        other = stream.below(last + 1)
        numbers[last], numbers[other] = numbers[other], numbers[last]
    return tuple(numbers)


@WITHOUT_JIT
@pytest.mark.parametrize("retry", [0, 3], ids=["once a landing", "may try again with 3 or more"])
def test_the_turns_of_a_hunt_are_those_of_its_markov_chain(retry: int, table_of: Find) -> None:
    games = 24_000
    rules = {"retry_players": 2 if retry else 0, "round_cap": 10_000}
    rounds = simple_table(table_of, rules).play(0, games)["found_round"].astype(float)
    expected, each = expected_hunt(retry)
    error = rounds.std(ddof=1) / games**0.5
    assert abs(rounds.mean() - expected) < sigmas() * error
    assert error < 0.02 * expected
    # and for each of the 24 placements of the tokens by itself
    by_placement: dict[tuple[int, ...], list[float]] = {tuple(placed.values()): [] for placed in placements()}
    for deal, found in enumerate(rounds):
        by_placement[placed_in(deal)].append(found)
    for (placement, turns), mean in zip(by_placement.items(), each, strict=True):
        error = float(np.std(turns, ddof=1)) / len(turns) ** 0.5
        assert abs(float(np.mean(turns)) - mean) < sigmas() * error, placement
    assert max(each) - min(each) > 10 * error


# ---------------------------------------------------------------- exact: the chance of winning a fight


def fight_table(table_of: Find, blue: dict[str, int], green: dict[str, int], **rules: Any) -> Table:
    """Return a table where the child of seat 0 is about to be asked for a fight card, with these hands."""
    table = Table(table_of(2, **rules))
    names = [card["name"] for card in (*guide_data.BLUE, *guide_data.GREEN)]
    for seat, hand in ((0, blue), (1, green)):
        for name, count in hand.items():
            kind = names.index(name)
            table.see("hand")[seat, kind] = count
            table.see("stock")[kind] -= count
            table.see("n_hand")[seat] += count
            table.see("n_stock")[seat] -= count
    words = Words(BOX)
    table.see("square")[0] = codes.NONE
    table.see("space")[0] = words.spaces["C05"]
    table.see("space")[codes.CHILDREN] = words.spaces["C06"]
    table.see("path")[codes.CHILDREN] = 0
    for name, value in (("outside", 1), ("guide", 0), ("in_turn", 1), ("active", 1), ("card_due", 0), ("way", 2)):
        table.poke(name, value)
    for name, value in (("phase", codes.RACE), ("seat", 1), ("role", 2), ("amount", 1), ("one_of", 1), ("moving", 8)):
        table.poke(name, value)
    return table


def chance_by_kernels(table: Table, attack: int) -> Fraction:
    """Return the chance that the child wins if both choose by lot, over the whole tree of the kernels."""
    table.apply(attack)

    def below() -> Fraction:
        if int(table.see("phase")) not in (codes.STRIKE, codes.WARD):
            return Fraction(int(table.see("fights_won")[0]))
        saved, offered = table.save(), table.offered()
        total = Fraction(0)
        for action in offered:
            table.apply(action)
            total += below()
            table.load(saved)
        return total / len(offered)

    return below()


def chance_by_hand(
    blue: dict[str, int], green: dict[str, int], typed: bool, note: bool, first: bool = True
) -> Fraction:
    """Return the same chance by recursion over what RB, F1 and F2 say."""
    weapon = {card["name"]: card["weapon"] for card in guide_data.BLUE if "weapon" in card}
    wards = {card["name"]: card["wards"] for card in guide_data.GREEN if "wards" in card}
    cards = [name for name, count in blue.items() if count]
    if not cards:
        return Fraction(0)
    total = Fraction(0)  # none played: lost
    for name in cards:
        left = {**blue, name: blue[name] - 1}
        stops = [ward for ward, count in green.items() if count and (not typed or weapon[name] in wards[ward])]
        if not stops:
            total += 0 if note and first else 1
            continue
        answers = Fraction(1)  # declined: won
        for ward in stops:
            answers += chance_by_hand(left, {**green, ward: green[ward] - 1}, typed, note, False)
        total += answers / (len(stops) + 1)
    return total / (len(cards) + 1)


HANDS: list[tuple[dict[str, int], dict[str, int]]] = [
    ({"tomato_juice": t, "bag_of_salt": s}, {"mud_cloak": m, "sudden_wind": w, "redcap_shield": r})
    for t, s, m, w, r in product((0, 1, 2), (0, 1), (0, 1, 2), (0, 1), (0, 1))
]


@pytest.mark.parametrize("note", [False, True], ids=["printed", "translator"])
@pytest.mark.parametrize("typed", [False, True], ids=["any", "typed"])
def test_the_chance_of_a_fight_is_that_of_its_enumeration(typed: bool, note: bool, table_of: Find) -> None:
    rules = {"warding": "typed" if typed else "any", "fight_reading": "translator" if note else "printed"}
    attack = codes.MOVE + codes.STRIDE * codes.CHILDREN + Words(BOX).spaces["C05"]
    chances = set()
    for blue, green in HANDS[::3] if jit.ENABLED else HANDS[::11]:
        table = fight_table(table_of, blue, green, **rules)
        assert attack in table.offered()
        found = chance_by_kernels(table, attack)
        assert found == chance_by_hand(blue, green, typed, note)
        chances.add(found)
    assert len(chances) > 5


@pytest.mark.parametrize(("cards", "wards"), list(product(range(4), range(4))))
def test_if_both_play_all_they_have_the_child_wins_with_more_cards(cards: int, wards: int, table_of: Find) -> None:
    # F1 with any ward stopping any card: the child wins as soon as one card is not warded off.
    table = fight_table(table_of, {"tomato_juice": cards}, {"mud_cloak": wards})
    table.apply(codes.MOVE + codes.STRIDE * codes.CHILDREN + Words(BOX).spaces["C05"])
    while int(table.see("phase")) in (codes.STRIKE, codes.WARD):
        table.apply(table.offered()[-1])
    assert int(table.see("fights_won")[0]) == int(cards > wards)
    assert int(table.see("guide")) == (0 if cards > wards else codes.HELD_BY_GRUZELS)


# ---------------------------------------------------------------- what is hidden


@WITHOUT_JIT
def test_hidden_hands_are_dealt_again_from_the_fight_cards_that_nobody_has_seen(table_of: Find) -> None:
    table = fight_table(table_of, {"tomato_juice": 1, "steel_rapier": 1}, {"mud_cloak": 1})
    saved, times = table.save(), 6_000
    counts: Counter[tuple[int, ...]] = Counter()
    for number in range(times):
        table.hide(1, number)
        counts[tuple(table.see("hand")[0][9:12].tolist())] += 1
        assert table.see("hand")[0][:9].sum() == 0
        assert_legal(table, 2)
        table.load(saved)
    kinds, total = (4, 3, 3), 10
    assert sum(counts.values()) == times
    for first, second in product(range(3), repeat=2):
        hand = tuple(int(k == first) + int(k == second) for k in range(3))
        pairs = {
            (a, b) for a, b in product(range(3), repeat=2) if tuple(int(k == a) + int(k == b) for k in range(3)) == hand
        }
        chance = sum(kinds[a] * (kinds[b] - (a == b)) for a, b in pairs) / (total * (total - 1))
        assert abs(counts[hand] / times - chance) < sigmas() * (chance * (1 - chance) / times) ** 0.5


def test_tokens_that_were_shown_stay_and_others_change_rooms(table_of: Find) -> None:
    table = Table(table_of(3))
    placed = table.see("token").tolist()
    room = placed.index(3)
    table.see("known")[room] = codes.EVERYBODY
    saved, others = table.save(), set()
    for number in range(200):
        table.hide(number % 3, number)
        now = table.see("token").tolist()
        assert now[room] == 3 and [bool(t) for t in now] == [bool(t) for t in placed]
        others.add(tuple(now))
        table.load(saved)
    assert len(others) == 6


def test_the_gruzel_player_knows_the_tokens_that_it_has_laid(table_of: Find) -> None:
    table = Table(table_of(2, token_placement="chosen"))
    for room in (0, 2, 4, 1):
        assert int(table.see("phase")) == codes.LAYING and table.seat == 1
        table.apply(codes.LAY + room)
    assert table.see("token").tolist()[:5] == [1, 4, 2, 0, 3]
    saved = table.save()
    for number in range(20):
        table.hide(1, number)
        assert table.see("token").tolist()[:5] == [1, 4, 2, 0, 3]
        table.load(saved)
    table.hide(0, 3)
    assert sorted(table.see("token").tolist()[:5]) == [0, 1, 2, 3, 4] and table.see("token")[3] == 0


# ---------------------------------------------------------------- sentences of the rulebook


class Scene:
    """A table with pieces set up by hand, driven by words."""

    def __init__(self, table: Table) -> None:
        self.table, self.words = table, Words(BOX)

    def put(self, name: str, space: str, path: str | None = None) -> None:
        piece = self.words.pieces[name]
        is_gruzel = piece >= codes.CHILDREN
        self.table.see("space")[piece] = self.words.spaces[space]
        own = "gruzels" if is_gruzel else "children"
        self.table.see("path")[piece] = ("children", "gruzels").index(path or ("gruzels" if space[0] == "G" else own))
        if not is_gruzel:
            self.table.see("square")[piece] = codes.NONE
            self.table.poke("outside", int(self.table.see("outside")) | 1 << piece)

    def turn(self, seat: int, rolled: int, *names: str, card: bool = False) -> None:
        """Make it the seat's turn to move one of the pieces by a roll."""
        keeper = int(self.table.memory["state"]["tab"]["n_children"][0])
        mask = sum(1 << self.words.pieces[name] for name in names)
        values = {"phase": codes.RACE, "seat": seat, "role": 2 if seat == keeper else 0, "active": seat, "in_turn": 1}
        values |= {
            "die": rolled,
            "amount": rolled,
            "way": codes.EITHER,
            "one_of": 1,
            "moving": mask,
            "card_due": int(card),
        }
        for name, value in values.items():
            self.table.poke(name, value)

    def house_turn(self, seat: int, square: str, rolled: int) -> None:
        self.table.see("square")[seat] = self.squares().index(square)
        values = {"phase": codes.HOUSE, "seat": seat, "role": 0, "active": seat, "in_turn": 1, "die": rolled}
        for name, value in values.items():
            self.table.poke(name, value)

    def squares(self) -> list[str]:
        return [guide_boxes.square_name(square) for square in BOX.plan.letters]

    def where(self, name: str) -> str:
        spaces = list(self.words.spaces)
        return spaces[int(self.table.see("space")[self.words.pieces[name]])]

    def goals(self, name: str) -> set[str]:
        spaces, first = list(self.words.spaces), codes.MOVE + codes.STRIDE * self.words.pieces[name]
        return {spaces[a - first] for a in self.table.offered() if first <= a < first + codes.STRIDE}

    def move(self, name: str, space: str) -> None:
        self.table.apply(codes.MOVE + codes.STRIDE * self.words.pieces[name] + self.words.spaces[space])

    def house_goals(self) -> set[str]:
        return {self.squares()[a] for a in self.table.offered() if a < codes.STAY}

    def hold(self, seat: int, name: str, count: int) -> None:
        kind = [card["name"] for card in (*guide_data.BLUE, *guide_data.GREEN)].index(name)
        colour = int(kind >= len(guide_data.BLUE))
        self.table.see("hand")[seat, kind] += count
        self.table.see("n_hand")[seat] += count
        self.table.see("stock")[kind] -= count
        self.table.see("n_stock")[colour] -= count


@pytest.fixture
def scene(table_of: Find) -> Callable[..., Scene]:
    return lambda n=4, deal=0, **rules: Scene(Table(table_of(n, **rules), deal))


def test_rb_a_walk_takes_exactly_the_roll_and_no_wall(scene: Callable[..., Scene]) -> None:
    one = scene()
    one.house_turn(0, "e5", 1)
    assert one.house_goals() == {"d5", "e4"}  # the parlour behind the wall at f5 is no step away
    one.house_turn(0, "c4", 1)
    assert one.house_goals() == {"b4", "c3", "c5", "d4"}
    one.house_turn(0, "e5", 2)
    assert one.house_goals() == {"d4", "e3"}
    assert codes.STAY in one.table.offered()


def test_h10_before_the_guide_is_found_nobody_leaves_and_then_with_steps_left_over(scene: Callable[..., Scene]) -> None:
    one = scene()
    one.house_turn(0, "d5", 3)
    assert one.goals("jared") == set()
    one.table.poke("guide", 1)
    assert one.goals("jared") == {"C03"}
    one.house_turn(0, "e5", 5)
    assert one.goals("jared") == {"C04", "C02"}  # straight, or round the pair of squares behind


def tokens(one: Scene, **rooms: int) -> None:
    for index in range(5):
        one.table.see("token")[index] = rooms.get("TBKHP"[index], 0)


def test_rb_a_token_other_than_number_1_is_shown_and_the_turn_is_over(scene: Callable[..., Scene]) -> None:
    one = scene()
    tokens(one, T=1, B=2, K=3, H=4)
    one.house_turn(0, "e5", 3)
    one.table.apply(one.squares().index("d3"))
    assert int(one.table.see("known")[3]) == codes.EVERYBODY
    assert one.table.seat == 1 and int(one.table.see("guide")) == codes.NONE


@pytest.mark.parametrize(("order", "found"), [("TBK", True), ("TKB", False), ("BTK", False), ("T", False)])
def test_rb_from_number_1_the_others_must_follow_in_order(order: str, found: bool, scene: Callable[..., Scene]) -> None:
    one = scene()
    tokens(one, H=1, T=2, B=3, K=4)
    one.house_turn(0, "e5", 3)
    one.table.apply(one.squares().index("d3"))
    for room in order:
        if int(one.table.see("phase")) == codes.CHAIN:
            one.table.apply(codes.TURN + "TBKHP".index(room))
    if int(one.table.see("phase")) == codes.CHAIN:
        one.table.apply(codes.STOP)
    assert int(one.table.see("guide")) == (0 if found else codes.NONE)
    assert int(one.table.see("up")) == 0 and one.table.seat == 1


@pytest.mark.parametrize(("n", "rolled", "again"), [(2, 2, False), (2, 3, True), (3, 6, False)])
def test_rb_with_two_players_jared_may_try_again_on_number_1_with_3_or_more(
    n: int, rolled: int, again: bool, scene: Callable[..., Scene]
) -> None:
    one = scene(n)
    tokens(one, H=1, T=2, B=3, K=4)
    one.house_turn(0, "d3", rolled)
    one.table.apply(codes.STAY)
    assert (int(one.table.see("phase")) == codes.CHAIN) == again


def test_rb_the_gruzels_win_the_cage_token_that_they_roll(table_of: Find) -> None:
    won = 0
    for deal in range(scaled(16, 4)):
        table = Table(table_of(2), deal)
        for _ in range(8):
            before, number = int(table.see("cage_won")), int(table.see("turns"))
            in_front = int(table.see("cage"))
            table.apply(codes.STAY)
            gained = int(table.see("cage_won")) - before
            rolled = guide.Stream(SEED, deal, 5)
            rolled.rekey((number + 1) // 2)
            face = rolled.below(6)
            assert gained == in_front >> face & 1
            won += gained
    assert won


def test_rb_forward_or_back_and_at_a_crossing_along_either_path(scene: Callable[..., Scene]) -> None:
    one = scene()
    one.put("jared", "C06")
    one.turn(0, 3, "jared")
    assert one.goals("jared") == {"C03", "C09", "G09"}
    one.turn(0, 1, "jared")
    assert one.goals("jared") == {"C05", "X1"}
    one.put("jared", "X1")
    one.turn(0, 2, "jared")
    assert one.goals("jared") == {"C05", "G05", "C09", "G09"}


def test_m3_to_m6_where_moves_stop(scene: Callable[..., Scene]) -> None:
    one = scene()
    one.put("jared", "C35")
    one.put("mallory", "G35")
    one.table.poke("guide", 1)
    one.turn(0, 5, "jared")
    assert one.goals("jared") == {"C36", "C30"}  # M5: no guide, so it stops before Arthur
    one.table.poke("guide", 0)
    assert one.goals("jared") == {"ARTHUR", "C30"}  # M4: more than enough
    one.turn(1, 5, "mallory")
    assert one.goals("mallory") == {"G36", "G30"}  # M3
    one.put("jared", "C02")
    one.put("mallory", "G03")
    one.turn(0, 4, "jared")
    assert one.goals("jared") == {"C01", "C06"}  # M6
    one.turn(1, 4, "mallory")
    assert one.goals("mallory") == {"G01", "X1"}
    one.put("gruzel1", "G03")
    one.turn(3, 5, "gruzel1")
    assert one.goals("gruzel1") == {"CAMP", "G08", "C08"}


def test_rb_a_gruzel_on_a_red_leaf_goes_to_the_camp_and_a_child_does_not(scene: Callable[..., Scene]) -> None:
    one = scene()
    one.put("gruzel1", "C09", "children")
    one.turn(3, 1, "gruzel1", "gruzel2", "gruzel3")
    one.move("gruzel1", "C10")
    assert one.where("gruzel1") == "CAMP"
    one.put("jared", "C09")
    one.turn(0, 1, "jared")
    one.move("jared", "C10")
    assert one.where("jared") == "C10" and int(one.table.see("fights_lost")[0]) == 0


def test_rb_a_child_on_a_red_paw_must_fight_a_gruzel_of_its_choice(scene: Callable[..., Scene]) -> None:
    one = scene()
    one.put("jared", "G09")
    one.turn(0, 1, "jared")
    one.move("jared", "G10")
    assert int(one.table.see("phase")) == codes.OPPONENT and one.table.seat == 0
    assert one.table.offered() == [codes.FIGHT + piece for piece in (3, 4, 5)]


def test_rb_on_the_swords_a_gruzel_chooses_a_child_outside_and_without_one_nothing_happens(
    scene: Callable[..., Scene],
) -> None:
    one = scene()
    one.put("jared", "C20")
    one.put("simon", "C30")
    one.put("gruzel1", "G14")
    one.turn(3, 1, "gruzel1")
    one.move("gruzel1", "X2")
    assert one.table.offered() == [codes.FIGHT + 0, codes.FIGHT + 2] and one.table.seat == 3


def test_rb_the_loser_gives_the_guide_its_cards_and_goes_back_without_another_fight(
    scene: Callable[..., Scene],
) -> None:
    for deal in range(10):
        one = scene(4, deal)
        one.put("jared", "C20")
        one.put("gruzel2", "C19", "children")
        for space, name in (("C17", "gruzel1"), ("C16", "gruzel3")):
            one.put(name, space, "children")
        one.hold(0, "tomato_juice", 2)
        one.hold(3, "mud_cloak", 3)
        one.table.poke("guide", 0)
        one.turn(3, 1, "gruzel2")
        one.move("gruzel2", "C20")
        for action in (codes.CARD + 9, codes.CARD + 22, codes.CARD + 9):
            assert action in one.table.offered()
            one.table.apply(action)
        assert int(one.table.see("phase")) == codes.WARD
        one.table.apply(codes.CARD + 22)
        assert int(one.table.see("guide")) == codes.HELD_BY_GRUZELS
        assert int(one.table.see("n_hand")[0]) == 0 and int(one.table.see("n_hand")[3]) == 1
        assert one.where("jared") in {"C14", "X2", "C16", "C17", "C18", "C19"}
        assert int(one.table.see("fights_lost")[0]) == 1


def test_f11_who_falls_back_to_a_gruzel_that_the_same_card_has_moved_does_not_fight_again(
    scene: Callable[..., Scene],
) -> None:
    fallen_to: set[str] = set()
    for deal in range(24):
        one = scene(3, deal)
        one.put("jared", "C20")
        one.put("gruzel1", "C19", "children")
        one.put("gruzel2", "C17", "children")
        one.turn(2, 1, "gruzel1")
        one.table.poke("landing", 1 << one.words.pieces["gruzel2"])
        one.move("gruzel1", "C20")
        assert int(one.table.see("fights_lost")[0]) == 1 and int(one.table.see("fallen")) == 0
        fallen_to.add(one.where("jared"))
    assert "C17" in fallen_to


def test_g4_children_who_win_the_guide_back_give_it_to_any_child_outside(scene: Callable[..., Scene]) -> None:
    one = scene()
    for name, space in (("jared", "C20"), ("mallory", "C30"), ("gruzel1", "C21")):
        one.put(name, space, "children")
    one.hold(0, "tomato_juice", 1)
    one.table.poke("guide", codes.HELD_BY_GRUZELS)
    one.turn(0, 1, "jared")
    one.move("jared", "C21")
    one.table.apply(codes.CARD + 9)
    assert (int(one.table.see("phase")), one.table.seat, one.table.which % 3) == (codes.CARRYING, 0, 1)
    assert one.table.offered() == [codes.CARRY, codes.CARRY + 1]
    one.table.apply(codes.CARRY + 1)
    assert int(one.table.see("guide")) == 1


def test_f1_the_translators_note_turns_the_fight_of_a_gruzel_player_without_cards(scene: Callable[..., Scene]) -> None:
    for reading, wins in (("printed", 1), ("translator", 0)):
        one = scene(2, fight_reading=reading)
        one.put("jared", "C20")
        one.put("gruzel1", "C21", "children")
        one.hold(0, "tomato_juice", 1)
        one.turn(0, 1, "jared")
        one.move("jared", "C21")
        one.table.apply(codes.CARD + 9)
        assert int(one.table.see("fights_won")[0]) == wins


@pytest.mark.parametrize(
    ("warding", "offered"), [("any", [codes.PASS, codes.CARD + 22, codes.CARD + 24]), ("typed", [])]
)
def test_warding_typed_asks_for_a_ward_that_names_the_weapon(
    warding: str, offered: list[int], scene: Callable[..., Scene]
) -> None:
    one = scene(2, warding=warding)
    one.put("jared", "C20")
    one.put("gruzel1", "C21", "children")
    one.hold(0, "bag_of_salt", 1)
    one.hold(1, "mud_cloak", 1)  # stops tomato only
    one.hold(1, "snare_net", 1)  # stops steel only
    one.turn(0, 1, "jared")
    one.move("jared", "C21")
    one.table.apply(codes.CARD + 10)
    asked = one.table.offered() if int(one.table.see("phase")) == codes.WARD else []
    assert asked == offered
    assert bool(offered) or int(one.table.see("fights_won")[0]) == 1


def test_c4_a_cage_token_buys_one_extra_turn_that_cannot_be_extended(scene: Callable[..., Scene]) -> None:
    one = scene(2)
    one.put("jared", "C30")
    for name, value in (("won", 2), ("cage_won", 2), ("cage_taken", 2), ("cage", 0)):
        one.table.poke(name, value)
    one.turn(1, 1, "gruzel1")
    one.move("gruzel1", "G01")
    turns = int(one.table.see("turns"))
    assert one.table.offered() == [codes.SPEND, codes.KEEP]
    one.table.apply(codes.SPEND)
    assert (int(one.table.see("phase")), one.table.seat, int(one.table.see("turns"))) == (codes.RACE, 1, turns + 1)
    one.table.apply(one.table.offered()[-1])
    while one.table.seat == 1 and int(one.table.see("phase")) != codes.RACE:
        assert int(one.table.see("phase")) != codes.CAGE
        one.table.apply(one.table.offered()[0])
    assert one.table.seat == 0 or one.table.over


def test_rb_the_guide_brought_home_wins_and_nothing_else(scene: Callable[..., Scene]) -> None:
    one = scene()
    one.put("jared", "C35")
    one.table.poke("guide", 0)
    one.turn(0, 6, "jared")
    one.move("jared", "ARTHUR")
    assert one.table.over and int(one.table.score()["winners"][0]) == 1
    one = scene()
    one.put("gruzel2", "G35")
    one.table.poke("guide", codes.HELD_BY_GRUZELS)
    one.turn(3, 2, "gruzel2")
    one.move("gruzel2", "MULGARAAT")
    assert one.table.over and int(one.table.score()["winners"][0]) == 2


# ---------------------------------------------------------------- a designer's changes


def changed_edition(write_yaml: Callable[..., Path], change: Callable[[dict[str, Any]], None]) -> Path:
    data = edition_of(BOX)
    change(data)
    return write_yaml(data, "edition.yaml")


def problems_of(load_scenario: Callable[..., Any], edition: Path) -> list[str]:
    with pytest.raises(InputError) as caught:
        load_scenario({"game": GAME, "edition": str(edition), "seats": [{"strategy": "random"}] * 4})
    return [str(problem) for problem in caught.value.problems]


WRONG: list[tuple[str, Callable[[dict[str, Any]], Any]]] = [
    ("no square of the plan", lambda d: d["plan"][0].update(start="z9")),
    ("is no room's", lambda d: d["plan"][0]["rows"].__setitem__(0, "TTTTXXXX")),
    ("ever end on a1", lambda d: d["openings"].__delitem__(slice(2, 4))),
    (
        "ever lead out of the door",
        lambda d: d["openings"].__delitem__(slice(0, 5)) or d["rooms"].__delitem__(slice(0, 5)),
    ),
    ("no neighbours", lambda d: d["openings"][0].update(squares=["a5", "d5"])),
    ("in one room", lambda d: d["openings"][0].update(squares=["a1", "a2"])),
    ("is no square of this room", lambda d: d["rooms"][0].update(token="h5")),
    ("space 'c99' is not known", lambda d: d["paths"][0]["spaces"].insert(3, "c99")),
    ("twice", lambda d: d["paths"][0]["spaces"].insert(3, "c05")),
    ("is on no path", lambda d: d["spaces"].append({"id": "c99", "label": "C99"})),
    ("red means nothing", lambda d: d["spaces"][6].update(tags=["red"])),
    ("cannot be a crossing", lambda d: d["paths"][1]["spaces"].insert(0, "c01")),
    ("both paths are of the children", lambda d: d["paths"][1].update(side="children")),
    ("weapon 'tomatoe' is not known; did you mean", lambda d: d["green_cards"][10].update(wards=["tomatoe"])),
    ("either effects", lambda d: d["blue_cards"][0].update(weapon="tomato")),
    ("got 9, expected a whole number from 1 to 8", lambda d: d["blue_cards"][0]["effects"][0].update(steps=9)),
    ("who", lambda d: d["blue_cards"][0]["effects"][0].update(who="everybody")),
    (
        "object tokens need as many rooms",
        lambda d: d["object_tokens"].extend({"id": f"t{n}", "label": "t"} for n in (1, 2)),
    ),
    ("tables for 2, 3", lambda d: d["tables"].pop()),
    ("need 3 children", lambda d: d["children"].pop()),
]


@pytest.mark.parametrize(("message", "change"), WRONG, ids=[message for message, _ in WRONG])
def test_wrong_data_is_a_problem_with_its_place(
    message: str, change: Any, load_scenario: Callable[..., Any], write_yaml: Callable[..., Path]
) -> None:
    found = problems_of(load_scenario, changed_edition(write_yaml, change))
    if message == "ever lead out of the door":
        assert found
        return
    assert any(message in problem for problem in found), found
    assert all("\n" not in problem and problem.split(":")[1].isdigit() for problem in found)


def test_a_redrawn_house_and_a_longer_path_are_data_only(
    load_scenario: Callable[..., Any], write_yaml: Callable[..., Path], player_of: Callable[..., Player]
) -> None:
    def change(data: dict[str, Any]) -> None:
        data["plan"][0]["rows"] = ["TTTTBBBB.", "TTTTBBBB.", "KKKHHPPPP", "KKKHHPPPP", "KKKHHPPPP"]
        data["spaces"] += [{"id": "c37", "label": "C37"}, {"id": "c38", "label": "C38", "tags": ["red"]}]
        data["paths"][0]["spaces"][-1:] = ["c37", "c38", "arthur"]

    seats = [{"strategy": name} for name in ("explorer", "explorer", "chaser")]
    file = changed_edition(write_yaml, change)
    longer = player_of(load_scenario({"game": GAME, "edition": str(file), "seats": seats, "seed": 1}))
    usual = player_of(load_scenario({"game": GAME, "seats": seats, "seed": 1}))
    games = scaled(3_000)
    rates = [(player.play(0, games)["winners"] == 1).mean() for player in (longer, usual)]
    assert rates[0] != rates[1]
    assert int(longer.match.tabs["length"][0][0]) == int(usual.match.tabs["length"][0][0]) + 2


def test_a_scenario_closes_an_opening_and_adds_a_card(load_scenario: Callable[..., Any]) -> None:
    changes: Sequence[tuple[str, str]] = [
        ("components.tower-study-to-bedroom.remove", "true"),
        (
            "components.trap",
            "{kind: green_cards, label: Trap, count: 2, effects: [{op: back, who: any_child, steps: 6}]}",
        ),
        ("components.four-players.gruzels", "2"),
    ]
    found = load_scenario(Path("scenarios") / GAME / "four-players.yaml", changes)
    tab = found.match.tabs[0]
    assert int(tab["n_gruzels"]) == 2
    assert int(tab["kinds"]["count"].sum()) == 52
    with pytest.raises(InputError, match="ever end on a1"):
        load_scenario(
            Path("scenarios") / GAME / "four-players.yaml",
            [("components.tower-study-to-bedroom.remove", "true"), ("components.tower-study-to-hall.remove", "true")],
        )


def test_comparable_scenarios_differ_in_one_rule() -> None:
    folder = Path(__file__).parents[2] / "scenarios" / GAME
    for base, others in {
        "four-players": ("four-translator", "four-typed"),
        "two-players": ("two-translator", "two-typed"),
    }.items():
        usual = scenario.load(folder / f"{base}.yaml", strategies)
        for name in others:
            other = scenario.load(folder / f"{name}.yaml", strategies)
            assert len(other.edition.changed) == 1
            for key in ("seats", "seed", "rotate", "edition"):
                assert other.resolved[key] == usual.resolved[key]
