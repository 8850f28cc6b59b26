"""The library race: its kernels against the plain reading, a graph library, the rulebook (RB) and the rulings."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import yaml
from grimoire_table import Both, player_of

import strategies
from reference import grimoire, grimoire_cards, random_books
from simcore import jit, scenario, trace
from simcore.errors import InputError
from simcore.games.grimoire_shuffle import board, components
from simcore.games.grimoire_shuffle import state as st
from simcore.player import Player
from support import SCENARIOS, Table, sampled, scaled, sigmas

GAME = "grimoire-shuffle"
EDITION = strategies.folder_of(GAME) / "editions" / "reconstruction.yaml"
DATA = yaml.safe_load(EDITION.read_text(encoding="utf-8"))
NAMES = [book["id"] for book in DATA["grimoires"]]
WITHOUT_JIT = pytest.mark.skipif(not jit.ENABLED, reason="many games: only with JIT")
TABLES = [(4, False), (4, True), (6, False), (6, True)]


# ---------------------------------------------------------------- the data, written down twice


def test_the_plans_of_the_edition_are_the_drawings() -> None:
    drawn = grimoire_cards.rooms()
    assert len(drawn) == len(DATA["rooms"]) == 20
    for room, faces in zip(DATA["rooms"], drawn, strict=True):
        for face, plan in zip(("front", "back"), faces, strict=True):
            for r, row in enumerate(room[face]):
                for c, digit in enumerate(row):
                    walls = "".join(name for bit, name in enumerate("NESW") if int(digit, 16) >> bit & 1)
                    assert walls == plan[r, c], (room["id"], face, r, c)


def as_words(step: dict[str, Any]) -> dict[str, Any]:
    """Return a step of the edition as the plain reading calls it."""
    op = {"ignore_walls": "ignore walls", "through_wall": "through"}.get(step["op"], step["op"])
    said: dict[str, Any] = {"op": op}
    if "up_to" in step:
        said["n"] = step["up_to"]
    if "target" in step:
        said["which"] = step["target"]
    if "room" in step:
        said["n"] = step["room"]
    if "partner" in step:
        said["with"] = {"same_row": "row"}.get(step["partner"], step["partner"])
    if "to" in step:
        said["to"] = step["to"].removeprefix("same_")
        said["op"] = "teleport other" if step["who"] == "other" else "teleport"
    if step.get("may"):
        said["may"] = True
    return said


LEADER_WORDS = {
    "bonus_move": "bonus",
    "move_penalty": "penalty",
    "wall_pass": "passes",
    "pass_apprentices": "passing",
    "ignore_special_rooms": "immune",
    "random_rotate": "random",
}


def test_the_grimoires_of_the_edition_are_the_list_in_words() -> None:
    said = grimoire_cards.books()
    assert len(said) == len(DATA["grimoires"]) == 24
    for book, words in zip(DATA["grimoires"], said, strict=True):
        assert book["id"] == words["name"]
        assert [as_words(step) for step in book["steps"]] == words["steps"]
        leader = dict(book["leader"])
        found: dict[str, Any] = {"name": book["id"], "steps": words["steps"], "scope": leader.pop("scope")}
        for name in ("before", "after"):
            if name in leader:
                (step,) = leader.pop(name)
                found[name] = as_words(step)
        if "forbids" in leader:
            names = [as_words({"op": op})["op"] for op in leader.pop("forbids")]
            found["no"] = tuple(
                n for name in names for n in ([name, "teleport other"] if name == "teleport" else [name])
            )
        found.update({LEADER_WORDS[name]: value for name, value in leader.items()})
        assert found == words


def test_every_space_of_a_room_reaches_an_exit_and_no_face_repeats_another() -> None:
    seen = set()
    for room in DATA["rooms"]:
        for face in (room["front"], room["back"]):
            both = {tuple(face), tuple(components.half_turn(face))}
            assert not both & seen
            seen |= both


# ---------------------------------------------------------------- whole games, choice by choice


@pytest.mark.parametrize(("seats", "advanced"), TABLES)
def test_games_are_those_of_the_plain_reading(seats: int, advanced: bool) -> None:
    for deal in range(scaled(8, 8)):
        Both(seats, 3, deal, leader_effects=advanced).play()


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "advanced"), TABLES)
def test_500_games_of_each_table_are_those_of_the_plain_reading(seats: int, advanced: bool) -> None:
    for deal in range(scaled(500)):
        Both(seats, 4, deal, leader_effects=advanced).play()


@pytest.mark.parametrize(("seats", "advanced"), TABLES)
def test_random_play_is_that_of_the_plain_reading(seats: int, advanced: bool) -> None:
    # nobody compares choices here: two programs draw from the published streams and must meet at the end
    rules: dict[str, Any] = {"trophies": 1, "trophies_six": 1, "round_cap": 20, "leader_effects": advanced}
    games = scaled(3, 3)
    rows = player_of(seats, 11, **rules).play(0, games)
    for deal in range(games):
        given = {"advanced": advanced, "round_cap": 20, "trophies": {4: 1, 6: 1}}
        result = grimoire.play(seats, 11, deal, grimoire.random_player(11, deal), **given)
        assert int(rows["winners"][deal]) == (0 if result.winner is None else 1 << result.winner)
        assert (int(rows["rounds"][deal]), int(rows["turns"][deal])) == (result.rounds, result.turns)
        assert rows["trophies"][deal, :seats].tolist() == result.trophies
        assert rows["rows"][deal, :seats].tolist() == result.rows
        used = {book: tuple(rows["rows_gained"][deal, book].tolist()) for book in result.book_rows}
        assert used == {book: (uses, gained) for book, (gained, uses) in result.book_rows.items()}


@pytest.mark.parametrize("seats", [4, 6])
def test_long_games_that_use_up_the_deck_are_those_of_the_plain_reading(seats: int) -> None:
    # ruling A12: with so many trophies to win stacks get short, and there are turns without a book
    short = False
    for deal in range(scaled(4, 4)):
        both = Both(seats, 5, deal, trophies=12, trophies_six=18, leader_effects=True, round_cap=60)
        short |= any(min(sizes) < seats // 2 + 1 for sizes in both.play().books_on_badges)
    assert short


@pytest.mark.parametrize("seed", range(sampled(12, 300)))
def test_books_made_up_at_random_are_carried_out_as_the_plain_reading_does(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made_up = random_books.books(seed, len(NAMES))
    file = tmp_path / "made-up.yaml"
    file.write_text(json.dumps({**DATA, "grimoires": [written for written, _ in made_up]}), encoding="utf-8")
    monkeypatch.setattr(grimoire_cards, "books", lambda: [read for _, read in made_up])
    for deal in range(2):
        Both((4, 6)[seed % 2], 3, deal, file, leader_effects=True, trophies=2, trophies_six=2, round_cap=8).play()


def test_a_round_cap_ends_a_game_without_a_winner() -> None:
    result = Both(4, 3, 0, round_cap=2).play()
    assert (result.winner, result.reason, result.rounds, result.turns) == (None, "round cap", 2, 8)


@pytest.mark.parametrize("goal", [1, 2])
def test_both_teams_in_one_round_begin_sudden_elimination(goal: int) -> None:
    # rulings B4 to B7
    endings = [Both(4, 6, deal, trophies=goal).play() for deal in range(scaled(24, 3))]
    for result in endings:
        complete = [sum(result.trophies[team::2]) >= goal for team in (0, 1)]
        if result.reason == "trophies":
            assert complete.count(True) == 1 and not result.sudden
            assert result.turns == 4 * result.rounds
        if result.reason == "sudden elimination":
            assert complete == [True, True] and result.sudden
    assert not jit.ENABLED or {result.reason for result in endings} == {"trophies", "sudden elimination"}


# ---------------------------------------------------------------- reachable spaces, by a graph library

N, S = 126, 127


def random_board(table: Table, chance: random.Random) -> None:
    """Lay other rooms, special rooms, pawns and effects; walls as the kernels draw them."""
    tab = table.memory["state"]["tab"][0]
    rooms = int(tab["n_rooms"])
    cards = chance.sample(range(20), rooms)
    for room in range(rooms):
        table.see("card")[room] = cards[room]
        table.see("face")[room] = chance.randrange(4)
        table.see("covered")[room] = st.NONE
    table.see("special_at")[:] = st.NONE
    for special in range(4):
        if chance.random() < 0.7:
            free = [room for room in range(rooms) if table.see("covered")[room] == st.NONE]
            room = chance.choice(free)
            table.see("covered")[room] = special
            table.see("special_at")[special] = room
    with np.errstate(over="ignore"):
        for room in range(rooms):
            board.draw_room(table.state, room)
    spaces = chance.sample(range(int(tab["n_spaces"])), table.player.match.n_seats)
    table.see("taken")[:] = 0
    for seat, space in enumerate(spaces):
        place = chance.choice((N, S)) if chance.random() < 0.2 else space
        table.see("pos")[seat] = place
        if place < N:
            table.see("taken")[place // st.WORD] |= np.int64(1 << place % st.WORD)
    for name in ("passing", "immune"):
        table.poke(name, int(chance.random() < 0.2))


class Graph:
    """The board of a table as directed graphs, from the edition's digits and the cards that lie uppermost."""

    def __init__(self, table: Table) -> None:
        tab = table.memory["state"]["tab"][0]
        self.rows, self.columns = int(tab["n_rows"]), int(tab["width"])
        self.pos = [int(p) for p in table.see("pos")[: table.player.match.n_seats]]
        self.passing, self.immune = bool(table.see("passing")), bool(table.see("immune"))
        self.digits: dict[int, int] = {}
        self.rules: dict[int, str] = {}
        for row in range(self.rows):
            for column in range(self.columns):
                room = row // 2 * (self.columns // 3) + column // 3
                special = int(table.see("covered")[room])
                r, c = row % 2, column % 3
                if special != st.NONE:
                    digit, rule = 0, DATA["special_rooms"][special]["rule"]
                else:
                    face = int(table.see("face")[room])
                    plan = DATA["rooms"][int(table.see("card")[room])]["back" if face % 2 else "front"]
                    digit = int(plan[1 - r][2 - c], 16) if face > 1 else int(plan[r][c], 16)
                    digit = (digit << 2 | digit >> 2) & 15 if face > 1 else digit
                    rule = "open_floor"
                self.digits[row * self.columns + column] = digit
                self.rules[row * self.columns + column] = rule
        self.sides = {(a, b): (way, wall) for a, b, way, wall in self.all_sides()}

    def all_sides(self) -> Any:
        """Yield (place, neighbour, direction 0..3, whether there is a wall) both ways round."""
        for space, digit in self.digits.items():
            row, column = divmod(space, self.columns)
            for way, (dr, dc) in enumerate(((-1, 0), (0, 1), (1, 0), (0, -1))):
                r, c = row + dr, column + dc
                if not 0 <= c < self.columns:
                    continue
                other = r * self.columns + c if 0 <= r < self.rows else (N if r < 0 else S)
                wall = bool(digit >> way & 1)
                if other < N:
                    wall |= bool(self.digits[other] >> (way + 2) % 4 & 1)
                else:
                    yield other, space, (way + 2) % 4, wall
                yield space, other, way, wall

    def enterable(self, place: int, mover: int) -> bool:
        return place >= N or self.rules[place] != "blocked"

    def taken(self, place: int, mover: int) -> bool:
        return place < N and any(p == place for pawn, p in enumerate(self.pos) if pawn != mover)

    def landing(self, place: int, way: int, mover: int) -> int:
        """Follow a slide along the side it came from."""
        chain = {a: b for (a, b), (w, wall) in self.sides.items() if w == way and not wall and a < N}
        while place < N and self.rules[place] == "slide" and place in chain:
            if not self.enterable(chain[place], mover) or self.taken(chain[place], mover):
                break
            place = chain[place]
        return place

    def graph(self, mover: int, through: Callable[[bool], bool], in_row: bool = False, passes: int = 0) -> nx.DiGraph:
        """Return the graph of single movements: nodes (place, walls passed), or ("end", node) where a move stops."""
        found = nx.DiGraph()
        start = self.pos[mover]
        found.add_node((start, 0))
        slides = not self.immune
        icy = slides and "slide" in self.rules.values()
        for (a, b), (way, wall) in self.sides.items():
            if in_row and way % 2 == 0:
                continue
            crossing = wall and not through(wall)
            if crossing and not passes:
                continue
            if not self.enterable(b, mover) or (self.taken(b, mover) and not (self.passing and not in_row)):
                continue
            end = self.landing(b, way, mover) if icy and b < N and self.rules[b] == "slide" else b
            stops = not self.immune and end < N and self.rules[end] == "stop_on_entry"
            for walls in range(passes + 1):
                if walls + crossing <= passes:
                    node = (end, walls + crossing)
                    found.add_edge((a, walls), ("end", node) if stops else node)
        return found

    def reached(self, mover: int, steps: int, **how: Any) -> dict[int, int]:
        """Return the places that can be ended in, with the fewest walls passed."""
        lengths = nx.single_source_shortest_path_length(self.graph(mover, **how), (self.pos[mover], 0), cutoff=steps)
        found: dict[int, int] = {}
        for node in lengths:
            place, walls = node[1] if node[0] == "end" else node
            if not self.taken(place, mover):
                found[place] = min(walls, found.get(place, walls))
        return found

    def straight(self, mover: int) -> set[int]:
        start = self.pos[mover]
        found = {start}
        for direction in range(4):
            line = nx.DiGraph()
            line.add_node(start)
            for (a, b), (way, wall) in self.sides.items():
                stopped = a != start and a < N and self.rules[a] == "stop_on_entry" and not self.immune
                leaves = a >= N and a != start
                if way == direction and not wall and not stopped and not leaves:
                    if self.enterable(b, mover) and not self.taken(b, mover):
                        line.add_edge(a, b)
            found |= nx.descendants(line, start)
        return found

    def through(self, mover: int) -> set[int]:
        walls = nx.DiGraph()
        walls.add_node(self.pos[mover])
        for (a, b), (way, wall) in self.sides.items():
            if wall and a == self.pos[mover] and self.enterable(b, mover) and not self.taken(b, mover):
                walls.add_edge(a, b if self.immune else self.landing(b, way, mover))
        return set(walls.successors(self.pos[mover]))


def kernel_reach(table: Table, seat: int, op: int, steps: int) -> list[set[int]]:
    """Return the sets that the kernel finds."""
    with np.errstate(over="ignore"):
        sets = board.reach(table.state, seat, op, steps)
    tmp = table.memory["state"]["tmp"]
    found = []
    for k in range(sets):
        low, high, edges = (int(x) for x in (tmp["near"][0][k, 0], tmp["near"][0][k, 1], tmp["edges"][0][k]))
        mask = low | high << st.WORD | edges << st.SPACES
        found.append({place for place in range(st.SPACES + 2) if mask >> place & 1})
    return found


def compare_reach(number: int) -> None:
    """Compare all movement steps of all pawns on one random board."""
    chance = random.Random(f"board {number}")
    seats = chance.choice((4, 6))
    table = Table(player_of(seats, 3))
    random_board(table, chance)
    graph = Graph(table)
    for seat in chance.sample(range(seats), 2):
        steps = chance.randrange(9)
        table.poke("crossings", 0)
        assert kernel_reach(table, seat, st.MOVE, steps) == [
            set(graph.reached(seat, steps, through=lambda wall: False))
        ]
        ignoring = graph.reached(seat, steps, through=lambda wall: True)
        assert kernel_reach(table, seat, st.IGNORE_WALLS, steps) == [set(ignoring)]
        if graph.pos[seat] < N:
            sideways = graph.reached(seat, steps, through=lambda wall: True, in_row=True)
            assert kernel_reach(table, seat, st.SIDESTEP, steps) == [set(sideways)]
        else:
            assert kernel_reach(table, seat, st.SIDESTEP, steps) == [{graph.pos[seat]}]
        assert kernel_reach(table, seat, st.STRAIGHT, 0) == [graph.straight(seat)]
        assert kernel_reach(table, seat, st.THROUGH_WALL, 1) == [graph.through(seat)]
        passes = chance.randrange(1, st.CROSSINGS + 1)
        table.poke("crossings", passes)
        fewest = graph.reached(seat, steps, through=lambda wall: False, passes=passes)
        found = kernel_reach(table, seat, st.MOVE, steps)
        assert found == [{p for p, walls in fewest.items() if walls <= k} for k in range(passes + 1)]
        table.poke("crossings", passes)
        for place, walls in fewest.items():
            with np.errstate(over="ignore"):
                assert board.walls_passed(table.state, seat, st.MOVE, steps, place) == walls


@pytest.mark.parametrize("part", range(4))
def test_reached_spaces_are_those_of_a_graph_library(part: int) -> None:
    for number in range(part, scaled(48, 6), 4):
        compare_reach(number)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_reached_spaces_on_5000_boards_are_those_of_a_graph_library(part: int) -> None:
    for number in range(part, scaled(5_000), 20):
        compare_reach(number)


# ---------------------------------------------------------------- sentences of the rulebook


def hand_out(table: Table, book: str) -> None:
    """Deal so that the first player's book is this one; let both leaders distribute."""
    index = NAMES.index(book)
    right = int(table.see("right"))
    n = table.player.match.n_seats
    giver = right % 2  # the right-hand leader's teammate has the first turn
    where = [(team, slot) for team in (0, 1) for slot in range(n // 2 + 1) if table.see("stack")[team][slot] == index]
    old = int(table.see("stack")[giver][0])
    if where:
        team, slot = where[0]
        table.see("stack")[team][slot] = old
    else:
        place = next(p for p in range(st.BOOKS) if table.see("deck")[p] == index)
        table.see("deck")[place] = old
    table.see("stack")[giver][0] = index
    for _ in range(2):
        team = table.seat % 2
        # slot 1 to the other leader, slot 0 to the first teammate, slot 2 to the next
        action = st.GIVE + 16 * 1 + (2 if n == 6 else 0) if team == giver else table.offered()[0]
        assert action in table.offered()
        table.apply(action)
    assert int(table.see("book")) == index


def test_earth_flips_a_room_moves_three_flips_another_and_moves_two() -> None:
    # RB, Grimoire Cards: the Earth Grimoire
    assert DATA["grimoires"][0]["steps"] == [
        {"op": "flip", "target": "any"},
        {"op": "move", "up_to": 3},
        {"op": "flip", "target": "other"},
        {"op": "move", "up_to": 2},
    ]
    table = Table(player_of(4, 3))
    hand_out(table, "earth")
    seat, start = table.seat, int(table.see("pos")[table.seat])
    assert table.offered() == list(range(st.FLIP, st.FLIP + 30))
    table.apply(st.FLIP + 2 * 4 + 1)
    assert table.seat == seat
    offered = table.offered()
    assert start in offered  # moving zero spaces is a choice
    rows = {abs(place // 9 - (9 if start == S else 0)) for place in offered if place < N}
    assert max(rows) <= 2  # the first movement leads off the edge
    table.apply(start)
    assert st.FLIP + 8 not in table.offered() and st.FLIP + 9 not in table.offered()
    assert len(table.offered()) == 28  # another room
    table.apply(st.FLIP)
    assert all(place >= N or abs(place // 9 - (9 if start == S else 0)) <= 1 for place in table.offered())
    turn = int(table.see("turns"))
    table.apply(start)
    assert int(table.see("turns")) == turn + 1


@pytest.mark.parametrize("seats", [4, 6])
def test_badges_leapfrog_over_three_rounds(seats: int) -> None:
    # RB, Turns: the player to the left of the leaders begins, the left-hand leader ends; the right-hand leader passes
    # the badge over the player to his left. From leaders 1 and 2, as people count: 2 and 3, then 3 and 4.
    for deal in range(10):
        table = Table(player_of(seats, 3), deal)
        first = int(table.see("right"))
        held: dict[int, list[int]] = {}
        for number in range(3):
            right = (first + number) % seats
            leaders, walkers = [], []
            while not table.over and int(table.see("rounds")) == number + 1:
                if int(table.see("phase")) == st.DISTRIBUTING:
                    leaders.append(table.seat)
                elif not walkers or walkers[-1] != table.seat:
                    walkers.append(table.seat)
                places = [a for a in table.offered() if a >= N or a > 127] or table.offered()
                table.apply(places[0])
            assert leaders == [right, (right + 1) % seats]
            order = [(right + 2 + i) % seats for i in range(seats)]
            assert walkers == [seat for seat in order if seat in walkers]  # who has nothing to decide is not asked
            for leader in leaders:
                held.setdefault(leader, []).append(number)
        # except for the first right-hand leader, a badge is held for two rounds
        assert held[first] == [0]
        assert held[(first + 1) % seats] == [0, 1] and held[(first + 2) % seats] == [1, 2]


@pytest.mark.parametrize(("seats", "books"), [(4, 3), (6, 4)])
def test_each_badge_has_as_many_books_at_the_end_of_a_round_as_at_its_start(seats: int, books: int) -> None:
    # RB, First Turn and End of Round
    for deal in range(scaled(6, 3)):
        table = Table(player_of(seats, 3), deal)
        chance = random.Random(deal)
        rounds = 0
        while not table.over and rounds < 8:
            if int(table.see("rounds")) > rounds:
                rounds += 1
                assert table.see("n_stack").tolist() == [books, books]
                assert (table.see("stack")[:, :books] != st.NONE).all()
                assert table.see("n_pile").tolist() == [0, 0]
            table.apply(chance.choice(table.offered()))


def test_the_example_of_distribution() -> None:
    # RB, Distribution: the blue leader gives Earth to his teammate and Crystal to the opposing leader, the third book
    # stays on his badge; the opposing leader gives Fire to him.
    table = Table(player_of(4, 3))
    right = int(table.see("right"))
    blue, red = (right, (right + 1) % 4) if right % 2 else ((right + 1) % 4, right)
    wanted = {1: ["earth", "crystal", "frost"], 0: ["fire", "water", "storm"]}
    for team, names in wanted.items():
        table.see("stack")[team][:3] = [NAMES.index(name) for name in names]
    for _ in range(2):
        other_mate = {blue: (1, 0), red: (0, 1)}[table.seat]  # slots for the other leader and for the teammate
        table.apply(st.GIVE + 16 * other_mate[0] + 4 * other_mate[1])
    dest = {
        NAMES[int(table.see("stack")[team][slot])]: int(table.see("dest")[team][slot])
        for team in (0, 1)
        for slot in range(3)
    }
    assert dest["earth"] == (blue + 2) % 4
    assert dest["crystal"] == red
    assert dest["frost"] == st.BADGE
    assert dest["fire"] == blue
    assert sorted(dest.values()) == [0, 1, 2, 3, st.BADGE, st.BADGE]  # exactly one on each badge


def test_a_trophy_takes_the_book_turns_the_player_round_and_shows_two_books() -> None:
    # RB, Turns: who ends a turn at the far end
    table = Table(player_of(4, 3))
    hand_out(table, "water")
    seat = table.seat
    goal = int(table.see("heading")[seat])
    table.poke("pos", table.see("pos"))
    table.see("pos")[seat] = goal
    head, left = int(table.see("head")), int(table.see("left"))
    top = [int(table.see("deck")[(head + i) % st.BOOKS]) for i in range(2)]
    table.apply(goal)
    assert table.seat == seat and table.offered() == [st.KEEP, st.KEEP + 1]
    assert int(table.see("trophy_of")[NAMES.index("water")]) == seat
    assert int(table.see("heading")[seat]) == N + S - goal
    table.apply(st.KEEP + 1)
    assert int(table.see("pile")[seat % 2][0]) == top[1]
    last = (int(table.see("head")) + int(table.see("left")) - 1) % st.BOOKS
    assert int(table.see("deck")[last]) == top[0]
    assert int(table.see("left")) == left - 1


def test_who_knows_the_last_book_of_the_deck_knows_where_it_goes() -> None:
    # ruling A12: a trophy with one book left to draw; unlike the choice between two, it hides nothing
    table = Table(player_of(4, 3))
    hand_out(table, "water")
    seat = table.seat
    goal = int(table.see("heading")[seat])
    table.see("pos")[seat] = goal
    head, other = int(table.see("head")), (seat + 1) % 4
    table.poke("left", 1)
    table.see("deck_known")[head] = 1 << other
    book = int(table.see("deck")[head])
    table.apply(goal)
    assert int(table.see("pile")[seat % 2][0]) == book
    assert int(table.see("pile_known")[seat % 2][0]) == 1 << seat | 1 << other


def test_touching_the_far_edge_on_the_way_is_no_trophy() -> None:
    # ruling B1, C5: water moves up to seven; from the edge it may go on
    table = Table(player_of(4, 3))
    hand_out(table, "water")
    seat = table.seat
    goal = int(table.see("heading")[seat])
    table.see("pos")[seat] = goal
    away = [place for place in table.offered() if place < N]
    table.apply(away[0])
    assert int(table.see("trophies")[seat]) == 0


def test_a_room_turns_with_its_apprentices() -> None:
    # RB, Rotate a Room
    table = Table(player_of(4, 3))
    hand_out(table, "metal")
    table.see("pos")[table.seat] = 9  # row 1, column 0: the south-west corner of the first room
    table.see("taken")[0] = 1 << 9
    before = [table.see("own")[d][0] & 0b111000000111 for d in range(4)]
    table.apply(st.ROTATE)
    assert int(table.see("pos")[table.seat]) == 2
    assert int(table.see("taken")[0]) == 1 << 2

    def turned(mask: int) -> int:
        return sum(1 << 11 - s for s in range(12) if int(mask) >> s & 1)

    after = [int(table.see("own")[d][0] & 0b111000000111) for d in range(4)]
    assert after == [turned(before[(d + 2) % 4]) for d in range(4)]


def test_flipped_pawns_are_put_back_one_by_one_anywhere_in_the_room() -> None:
    # RB, Flip a Room; ruling D1
    table = Table(player_of(4, 3))
    hand_out(table, "earth")
    walker, others = table.seat, [seat for seat in range(4) if seat != table.seat][:2]
    for seat, space in zip(others, (0, 11), strict=True):
        table.see("pos")[seat] = space
    table.see("taken")[0] = 1 | 1 << 11
    table.apply(st.FLIP)
    room = [0, 1, 2, 9, 10, 11]
    assert (table.seat, table.offered()) == (walker, room)
    table.apply(11)
    assert table.offered() == room[:-1]
    table.apply(0)
    assert [int(table.see("pos")[seat]) for seat in others] == [11, 0]
    assert int(table.see("lifted")) == 0 and int(table.see("taken")[0]) == 1 | 1 << 11


def put(table: Table, seat: int, space: int) -> None:
    """Put a pawn down, whatever is there."""
    old = int(table.see("pos")[seat])
    if old < N:
        table.see("taken")[old // st.WORD] &= ~np.int64(1 << old % st.WORD)
    table.see("pos")[seat] = space
    if space < N:
        table.see("taken")[space // st.WORD] |= np.int64(1 << space % st.WORD)


def cover(table: Table, special: str, room: int) -> None:
    names = [each["id"] for each in DATA["special_rooms"]]
    table.see("covered")[room] = names.index(special)
    table.see("special_at")[names.index(special)] = room
    with np.errstate(over="ignore"):
        board.draw_room(table.state, room)


def test_nobody_is_teleported_into_a_blocked_space_or_another_pawn() -> None:
    # RB, Teleport a player; rulings D8 and D9
    table = Table(player_of(4, 3))
    hand_out(table, "space")  # standing on an edge, the teleport was skipped
    assert int(table.see("phase")) == st.MOVING and int(table.see("step")) == 1
    table = Table(player_of(4, 3))
    right = int(table.see("right"))
    put(table, (right + 2) % 4, 40)
    put(table, right, 36)
    cover(table, "overgrown", 8)  # columns 6 to 8 of rows 4 and 5
    hand_out(table, "space")
    assert table.offered() == [37, 38, 39, 41]  # row 4 is 36 to 44; a pawn on 36, blocked 42 to 44, itself on 40


def test_whoever_is_caught_in_the_overgrown_room_may_leave_it() -> None:
    # ruling D7
    table = Table(player_of(4, 3))
    right = int(table.see("right"))
    put(table, (right + 2) % 4, 40)
    for room in range(15):
        cover(table, "burned", room)
    cover(table, "overgrown", 7)
    hand_out(table, "water")
    offered = set(table.offered())
    assert not offered & {39, 41, 48, 49, 50}
    assert {31, 40} <= offered  # north of it, and staying


def test_ice_carries_on_and_a_swamp_stops() -> None:
    table = Table(player_of(4, 3))
    right = int(table.see("right"))
    walker = (right + 2) % 4
    for room in range(15):
        cover(table, "burned", room)
    cover(table, "cold", 4)  # rows 2 and 3, columns 3 to 5
    put(table, walker, 29)  # row 3, column 2, west of the ice
    hand_out(table, "water")
    table.poke("step", 0)
    one = kernel_reach(table, walker, st.MOVE, 1)[0]
    assert one == {29, 20, 38, 28, 33}  # east over the ice to the first space outside
    put(table, (walker + 1) % 4, 33)
    assert kernel_reach(table, walker, st.MOVE, 1)[0] == {29, 20, 38, 28, 32}  # before an apprentice
    cover(table, "swamp", 4)
    assert kernel_reach(table, walker, st.MOVE, 2)[0] & {30, 31} == {30}


def test_a_special_room_already_out_is_lifted_first_and_may_return() -> None:
    # RB, Place a Special Room; ruling D5
    table = Table(player_of(4, 3))
    hand_out(table, "fire")
    names = [each["id"] for each in DATA["special_rooms"]]
    burned = names.index("burned")
    cover(table, "burned", 3)
    cover(table, "swamp", 7)
    assert table.offered() == list(range(st.COVER, st.COVER + 15))
    saved = table.save()
    table.apply(st.COVER + 3)
    assert int(table.see("covered")[3]) == burned
    table.load(saved)
    table.apply(st.COVER + 7)  # ruling D4: the covered one goes back to the side
    assert int(table.see("covered")[3]) == st.NONE and int(table.see("covered")[7]) == burned
    assert int(table.see("special_at")[names.index("swamp")]) == st.NONE


def test_mirror_swaps_only_if_wanted_and_never_on_an_edge() -> None:
    # RB, Optional Effects: only optional with the word 'may'; ruling D8
    table = Table(player_of(4, 3))
    right = int(table.see("right"))
    walker, other = (right + 2) % 4, (right + 1) % 4
    put(table, walker, 40)
    put(table, other, 37)
    hand_out(table, "mirror")
    assert table.offered() == [st.PAWN + other, st.SKIP]
    table.apply(st.PAWN + other)
    assert (int(table.see("pos")[walker]), int(table.see("pos")[other])) == (37, 40)


def test_a_swap_after_a_teleport_that_was_skipped_is_a_swap_alone() -> None:
    steps = "[{op: teleport, who: self, to: same_room}, {op: swap, partner: same_row}, {op: move, up_to: 1}]"
    file = SCENARIOS / GAME / "four-at-random.yaml"
    changes = [("components.star.steps", steps), ("rotate", "false")]
    table = Table(Player(scenario.load(file, strategies, overrides=changes).match, strategies))
    right = int(table.see("right"))
    walker, other = (right + 2) % 4, (right + 1) % 4
    put(table, walker, 40)
    put(table, other, 37)
    cover(table, "overgrown", 7)  # all of the walker's room is blocked, so that there is no landing
    hand_out(table, "star")
    assert int(table.see("step")) == 1
    table.apply(st.PAWN + other)
    assert (int(table.see("pos")[walker]), int(table.see("pos")[other])) == (37, 40)
    assert (int(table.see("step")), int(table.see("phase"))) == (2, st.MOVING)


def test_the_setup_of_the_rulebook() -> None:
    # RB, Setting Up; rulings A1 to A4
    for seats, rooms, columns in ((4, 15, 9), (6, 20, 12)):
        rights = set()
        for deal in range(scaled(200, 10)):
            table = Table(player_of(seats, 3), deal)
            assert int(table.memory["state"]["tab"]["n_rooms"][0]) == rooms
            assert int(table.memory["state"]["tab"]["width"][0]) == columns
            assert table.see("pos")[:seats].tolist() == [S, N] * (seats // 2)
            assert len(set(table.see("card")[:rooms].tolist())) == rooms
            rights.add(int(table.see("right")))
        assert len(rights) == seats or not jit.ENABLED


# ---------------------------------------------------------------- leader effects


def advanced_table(effects: Sequence[str], book: str = "water", deal: int = 0) -> Table:
    """Return a table at the first turn of an advanced game; the own badge and the rival's have these books."""
    table = Table(player_of(4, 3, leader_effects=True), deal)
    right = int(table.see("right"))
    giver = right % 2
    rest = [i for i in range(24) if NAMES[i] not in (*effects, book)]
    stacks = {
        giver: [NAMES.index(book), rest[0], NAMES.index(effects[0])],
        1 - giver: [rest[1], rest[2], NAMES.index(effects[1])],
    }
    for team, books in stacks.items():
        table.see("stack")[team][:3] = books
    used = {b for books in stacks.values() for b in books}
    deck = [b for b in range(24) if b not in used]
    table.see("deck")[: len(deck)] = deck
    for _ in range(2):
        # slot 1 to the other leader, slot 0 to the teammate, slot 2 to the badge
        table.apply(st.GIVE + 16)
    return table


def program(table: Table) -> list[tuple[str, int]]:
    steps = table.see("program")[: int(table.see("n_program"))]
    return [(st.OPS[int(step["op"])], int(step["n"])) for step in steps]


def test_effects_of_the_own_badge_change_the_program_of_a_turn() -> None:
    assert program(advanced_table(["water", "mire"], "metal")) == [("rotate", 0), ("move", 7)]
    assert program(advanced_table(["earth", "mire"])) == [("flip", 0), ("move", 7)]
    assert program(advanced_table(["time", "mire"])) == [("move", 7), ("move", 2)]
    assert program(advanced_table(["light", "mire"])) == [("move", 2), ("move", 7)]
    assert program(advanced_table(["mirror", "mire"])) == [("sidestep", 2), ("move", 7)]


def test_a_penalty_of_the_rivals_takes_a_space_from_each_move_but_never_the_last() -> None:
    assert program(advanced_table(["mire", "frost"], "time")) == [
        ("move", 2),
        ("rotate", 0),
        ("move", 2),
        ("rotate", 0),
    ]
    assert program(advanced_table(["frost", "mire"], "time"))[0] == ("move", 3)  # works on opponents only
    assert program(advanced_table(["mire", "gravity"], "sand"))[0] == ("move", 1)


def test_a_ban_beats_a_permission() -> None:
    # ruling L2: Stone forbids flips, Earth allows one
    table = advanced_table(["earth", "stone"])
    assert program(table)[0] == ("flip", 0)
    assert int(table.see("phase")) == st.MOVING and int(table.see("step")) == 1


def test_badge_books_do_nothing_in_the_basic_game_and_are_shown_in_the_advanced_one() -> None:
    # ruling L3
    table = advanced_table(["light", "mire"])
    for team in (0, 1):
        assert int(table.see("shown")[team][2]) == 1
        assert int(table.see("stack_known")[team][2]) == st.EVERYBODY
    basic = Table(player_of(4, 3))
    hand_out(basic, "water")
    assert program(basic) == [("move", 7)]
    assert sum(int(basic.see("shown")[team][slot]) for team in (0, 1) for slot in range(3)) == 1


# ---------------------------------------------------------------- conservation, legality, endings


def check_position(table: Table) -> None:
    """Check that nothing is lost or doubled, and that pawns stand where they may."""
    tab = table.memory["state"]["tab"][0]
    see, n = table.see, table.player.match.n_seats
    trophies = [book for book in range(24) if see("trophy_of")[book] != st.NONE]
    held = [int(see("book"))] if int(see("book")) != st.NONE else []
    stacks = [int(b) for b in see("stack").flat if b != st.NONE]
    piles = [int(b) for b in see("pile").flat if b != st.NONE]
    deck = [int(see("deck")[(int(see("head")) + i) % st.BOOKS]) for i in range(int(see("left")))]
    assert sorted([*trophies, *stacks, *piles, *deck]) == list(range(24))
    assert all(book in stacks or book in trophies or book in piles for book in held)
    rooms = int(tab["n_rooms"])
    cards = see("card")[:rooms].tolist()
    assert len(set(cards)) == rooms and set(cards) <= set(range(20))
    out = [int(c) for c in see("covered")[:rooms] if c != st.NONE]
    assert len(set(out)) == len(out)
    assert all((int(see("special_at")[special]) != st.NONE) == (special in out) for special in range(4))
    standing = [int(see("pos")[s]) for s in range(n) if not int(see("lifted")) >> s & 1]
    spaces = [space for space in standing if space < N]
    assert all(0 <= space < int(tab["n_spaces"]) for space in spaces)
    assert len(set(spaces)) == len(spaces)
    mask = sum(1 << space for space in spaces)
    assert (int(see("taken")[0]) | int(see("taken")[1]) << st.WORD) == mask


@pytest.mark.parametrize(("seats", "advanced"), TABLES)
def test_books_rooms_and_pawns_are_conserved_and_every_game_ends(seats: int, advanced: bool) -> None:
    for deal in range(2):
        table = Table(player_of(seats, 8, leader_effects=advanced, round_cap=8), deal)
        chance = random.Random(deal)
        while not table.over:
            check_position(table)
            offered = table.offered()
            assert offered == sorted(set(offered))
            table.apply(chance.choice(offered))
        check_position(table)
        assert int(table.see("rounds")) <= 8


def test_what_the_board_shows_is_what_the_cards_show() -> None:
    # the bitmap of walls after many flips and turns is the one drawn afresh
    table = Table(player_of(6, 9, leader_effects=True, round_cap=15))
    chance = random.Random(9)
    while not table.over:
        table.apply(chance.choice(table.offered()))
        old = {name: table.see(name).tolist() for name in ("open_e", "open_s", "open_n", "slide", "stop", "blocked")}
        with np.errstate(over="ignore"):
            for room in range(20):
                board.draw_room(table.state, room)
        assert old == {name: table.see(name).tolist() for name in old}


# ---------------------------------------------------------------- hidden information


def test_hiding_keeps_what_a_leader_has_given_and_what_was_shown() -> None:
    for deal in range(scaled(30, 10)):
        table = Table(player_of(6, 3), deal)
        chance = random.Random(deal)
        for _ in range(chance.randrange(2, 60)):
            if not table.over:
                table.apply(chance.choice(table.offered()))
        if table.over or int(table.see("phase")) == st.DISTRIBUTING:
            continue
        saved = table.save()
        for seat in range(6):
            table.hide(seat, chance.getrandbits(64))
            for team in (0, 1):
                right = int(table.see("right"))
                leader = right if right % 2 == team else (right + 1) % 6
                old = saved["play"][0]
                for slot in range(4):
                    if seat == leader or old["shown"][team][slot]:
                        assert table.see("dest")[team][slot] == old["dest"][team][slot]
                    if int(old["stack_known"][team][slot]) >> seat & 1:
                        assert table.see("stack")[team][slot] == old["stack"][team][slot]
            assert sorted(table.see("dest").flat) == sorted(saved["play"][0]["dest"].flat)
            check_position(table)
            table.load(saved)


def test_hidden_books_take_every_place_equally_often() -> None:
    table = Table(player_of(4, 3))
    team = table.seat % 2
    saved = table.save()
    counts = np.zeros(24)
    draws = scaled(3000, 10)
    for number in range(draws):
        table.load(saved)
        table.hide(table.seat, number * 0x9E3779B97F4A7C15 & (1 << 64) - 1)
        counts[int(table.see("stack")[1 - team][0])] += 1
    own = saved["play"][0]["stack"][team][:3].tolist()
    assert all(counts[book] == 0 for book in own)
    others = [counts[book] for book in range(24) if book not in own]
    expected = draws / 21
    assert all(abs(count - expected) < sigmas() * (expected * (1 - 1 / 21)) ** 0.5 for count in others)


# ---------------------------------------------------------------- players


def share(
    first: dict[str, Any], second: dict[str, Any], games: int, load: Any, of: Any, n: int = 4, **rules: Any
) -> float:
    """Return the share of the games that the first team wins, played from both sides of the table."""
    seats = [dict(first if seat % 2 == 0 else second) for seat in range(n)]
    data = {"game": GAME, "seats": seats, "rotate": True, "seed": 12, **({"rules": rules} if rules else {})}
    rows = of(load(data)).play(0, games * n)
    red = np.arange(len(rows)) % n % 2 == 0
    wins = (rows["winners"][red] == 1).sum() + (rows["winners"][~red] == 2).sum()
    return float(wins) / max(1, int((rows["winners"] != 0).sum()))


@WITHOUT_JIT
@pytest.mark.parametrize("name", ["sprinter", "blocker", "team_player", "hoarder"])
def test_who_thinks_beats_who_does_not(
    name: str, load_scenario: Callable[..., Any], player_of: Callable[..., Any]
) -> None:
    assert share({"strategy": name}, {"strategy": "random"}, 50, load_scenario, player_of) > 0.95


@WITHOUT_JIT
def test_leader_and_walker_can_be_different_players(
    load_scenario: Callable[..., Any], player_of: Callable[..., Any]
) -> None:
    mixed = {"strategy": {"leader": "hoarder", "walker": "sprinter"}}
    worse = {"strategy": {"leader": "random", "walker": "sprinter"}}
    assert share(mixed, worse, 1500, load_scenario, player_of) > 0.55


@WITHOUT_JIT
@pytest.mark.parametrize("n", [4, 6])
def test_equal_teams_that_change_seats_win_half_of_the_games(
    n: int, load_scenario: Callable[..., Any], player_of: Callable[..., Any]
) -> None:
    half = share({"strategy": "sprinter"}, {"strategy": "sprinter"}, 300, load_scenario, player_of, n)
    assert half == 0.5  # every deal is played from all seats, and equals play it alike


# ---------------------------------------------------------------- wrong data


def problems(change: Callable[[str], str], tmp_path: Path, table: str = "four-players") -> list[str]:
    """Return what is said of an edition whose text was changed."""
    text = EDITION.read_text(encoding="utf-8")
    changed = change(text)
    assert changed != text
    (tmp_path / "mine.yaml").write_text(changed, encoding="utf-8")
    body = (SCENARIOS / GAME / f"{table}.yaml").read_text(encoding="utf-8")
    (tmp_path / "table.yaml").write_text(body + "edition: ./mine.yaml\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        scenario.load(tmp_path / "table.yaml", strategies)
    return [str(problem) for problem in caught.value.problems]


WRONG = [
    (('["010", "a82"]', '["010", "a8"]'), r"front: expected 2 rows of 3 hexadecimal digits"),
    (('["010", "a82"]', '["010", "a8g"]'), r"front: expected 2 rows of 3 hexadecimal digits"),
    (
        ('["010", "a82"]', '["010", "882"]'),
        r"wall to the east of the space in row 2, column 1 stands on its other",
    ),
    (("op: move, up_to: 3", "op: move, up_to: 33"), r"up_to: got 33, expected a whole number from 0 to 9"),
    (("op: move, up_to: 3", "op: mve, up_to: 3"), r"op 'mve' is not known; did you mean .move"),
    (("{op: place, room: burned}", "{op: place, room: burnt}"), r"special room 'burnt' is not known"),
    (("partner: teammate", "partner: teammates"), r"partner: got \"teammates\", expected one of"),
    (("scope: opponents", "scope: opponent"), r"scope: got \"opponent\", expected one of"),
    (("wall_pass: 1", "wall_pass: 4"), r"wall_pass: got 4, expected a whole number from 0 to 3"),
    (("room_rows: 5", "room_rows: 9"), r"4 players need 27 rooms; there are 20"),
]


@pytest.mark.parametrize(("change", "message"), WRONG)
def test_wrong_data_is_named_with_its_place(change: tuple[str, str], message: str, tmp_path: Path) -> None:
    found = problems(lambda text: text.replace(*change, 1), tmp_path)
    assert len(found) == 1, found
    assert re.search(message, found[0]), found
    assert re.match(r".*\.yaml:\d+:\d+: ", found[0]), found


def test_an_upright_library_can_be_played(tmp_path: Path, player_of: Callable[..., Any]) -> None:
    # the size of a room is that of its plan: 3 rows of 2, and a board of 15 rows
    data = yaml.safe_load(EDITION.read_text(encoding="utf-8"))

    def upright(plan: Sequence[str]) -> list[str]:
        # a mirror image along the diagonal: north and west change places, east and south do
        swap = {0: 3, 1: 2, 2: 1, 3: 0}
        cells = [[int(digit, 16) for digit in row] for row in plan]
        return [
            "".join(f"{sum(1 << swap[bit] for bit in range(4) if cells[r][c] >> bit & 1):x}" for r in range(len(cells)))
            for c in range(len(cells[0]))
        ]

    for room in data["rooms"]:
        room["front"], room["back"] = upright(room["front"]), upright(room["back"])
    for special in data["special_rooms"]:
        special["walls"] = upright(special["walls"])
    (tmp_path / "upright.yaml").write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    body = (SCENARIOS / GAME / "six-at-random.yaml").read_text(encoding="utf-8")
    (tmp_path / "table.yaml").write_text(body + "edition: ./upright.yaml\n", encoding="utf-8")
    player = player_of(scenario.load(tmp_path / "table.yaml", strategies, overrides=[("rules.round_cap", "6")]))
    table = Table(player)
    assert int(table.memory["state"]["tab"]["n_rows"][0]) == 15
    assert int(table.memory["state"]["tab"]["width"][0]) == 8
    chance = random.Random(1)
    while not table.over:
        check_position(table)
        table.apply(chance.choice(table.offered()))


def test_a_trace_tells_the_books_that_leaders_give_as_they_are_played() -> None:
    told = trace.play(scenario.load(SCENARIOS / GAME / "six-players.yaml", strategies), 2, strategies)
    gifts: dict[tuple[int, int], str] = {}
    played, trophies = [], 0
    for event in (event for part in (told["start"], *told["steps"]) for event in part["events"]):
        data = event["data"]
        if event["kind"] == "secret" and "gifts" in data:
            assert event["tag"] == "Secret" and len(data["gifts"]) == 4
            assert [gift["seat"] for gift in data["gifts"]].count(None) == 1, "one stays on the badge"
            gifts |= {(event["round"], gift["seat"]): gift["book"] for gift in data["gifts"] if gift["seat"]}
        elif event["kind"] == "secret":
            trophies += 1
            assert {data["kept"], data["under"]} <= {*NAMES} and data["kept"] != data["under"]
        elif event["kind"] == "book":
            played.append((event["round"], data["seat"], data["book"]))
    assert trophies and len(played) == told["outcome"]["turns"]
    assert all(gifts[number, seat] == book for number, seat, book in played)


def test_a_trace_tells_every_trophy_in_the_round_in_which_it_is_won() -> None:
    """Also those of a round's last turn, after which no other turn begins."""
    short = [("rules.room_rows", "1"), ("rules.trophies_six", "18"), ("rules.round_cap", "60")]
    table = scenario.load(SCENARIOS / GAME / "six-at-random.yaml", strategies, overrides=short)
    last = 0
    for game in range(3):
        found = trace.play(table, game, strategies)
        events = [event for part in (found["start"], *found["steps"]) for event in part["events"]]
        won = [event for event in events if event["kind"] == "trophy"]
        held = {event["data"]["seat"]: event["data"]["trophies"] for event in events if event["kind"] == "standing"}
        assert Counter(event["data"]["seat"] for event in won) == {seat: n for seat, n in held.items() if n}
        rounds = [event["round"] for event in events]
        assert rounds == sorted(rounds)
        ends = [(now, then) for now, then in pairwise(events) if (now["kind"], then["kind"]) == ("trophy", "standing")]
        last += len(ends)
    assert last


def test_text_of_the_board_shows_walls_pawns_and_special_rooms() -> None:
    from simcore.games.grimoire_shuffle.text import board_lines

    table = Table(player_of(4, 3))
    for room in range(15):
        cover(table, "burned", room)
    cover(table, "overgrown", 0)
    put(table, 0, 40)
    lines = board_lines(table.state)
    assert len(lines) == 21 and all(len(line) == 19 for line in lines)
    assert lines[0] == "+" + " +" * 9
    assert lines[1] == "|x x x . . . . . .|"
    assert lines[9] == "|. . . . 1 . . . .|"
