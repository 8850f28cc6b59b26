"""Grimoire Shuffle, read plainly from its rulebook (RB) and the rulings (A1 to L4).

One whole game at a time, with every choice put to a callback and all chance coming from the published streams. The
board is a dictionary of rooms, a wall is a letter on a drawing, and where a pawn can go is found space by space. Slow
on purpose: it exists to be read beside the rulebook and to be compared, choice by choice, with the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import grimoire_cards as cards
from .rng import Stream

Space = tuple[int, int]  # row and column; row 0 is nearest to the north edge
Place = Space | str  # or an edge, "N" or "S"
STEP = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
OPPOSITE = {"N": "S", "S": "N", "E": "W", "W": "E"}
ROOM_STREAM, LEADER_STREAM, DECK_STREAM, TURN_STREAM = 6, 7, 8, 9
RULES: dict[str, Any] = {
    "advanced": False,
    "round_cap": 100,
    "trophies": {4: 4, 6: 6},
    "columns": {4: 3, 6: 4},
    "rows": 5,
}


@dataclass
class Room:
    """A room of the board: a card, which face is up, whether it lies turned, and a special room on top."""

    card: int
    back: bool = False
    turned: bool = False
    special: str | None = None
    special_turned: bool = False


class Board:
    """Rooms, pawns, and where pawns can go."""

    def __init__(self, room_rows: int, room_columns: int, rooms: Sequence[Room], faces: Sequence[Any]) -> None:
        self.columns = room_columns * cards.BROAD
        self.rows = room_rows * cards.DEEP
        self.room_columns = room_columns
        self.rooms = list(rooms)
        self.faces = faces
        self.pawns: dict[int, Place] = {}

    # -- walls ------------------------------------------------------------------------------------------------------

    def room_of(self, space: Space) -> int:
        return space[0] // cards.DEEP * self.room_columns + space[1] // cards.BROAD

    def corner(self, number: int) -> Space:
        return number // self.room_columns * cards.DEEP, number % self.room_columns * cards.BROAD

    def spaces_of(self, number: int) -> list[Space]:
        top, left = self.corner(number)
        return [(top + r, left + c) for r in range(cards.DEEP) for c in range(cards.BROAD)]

    def turned(self, space: Space) -> Space:
        """Return where a space lies after a half turn of its room."""
        top, left = self.corner(self.room_of(space))
        return 2 * top + cards.DEEP - 1 - space[0], 2 * left + cards.BROAD - 1 - space[1]

    def drawn(self, space: Space, direction: str) -> bool:
        """Return whether the card that lies uppermost shows a wall on this side of a space."""
        room = self.rooms[self.room_of(space)]
        if room.special:
            return False  # no special room shows walls
        if room.turned:
            space, direction = self.turned(space), OPPOSITE[direction]
        top, left = self.corner(self.room_of(space))
        plan = self.faces[room.card][room.back]
        return direction in plan[space[0] - top, space[1] - left]

    def beyond(self, space: Space, direction: str) -> Place | None:
        """Return what lies on this side of a space: another one, an edge, or (C6) nothing."""
        r, c = space[0] + STEP[direction][0], space[1] + STEP[direction][1]
        if not 0 <= c < self.columns:
            return None
        return "N" if r < 0 else "S" if r >= self.rows else (r, c)

    def wall(self, space: Space, direction: str) -> bool:
        """Return whether there is a wall on this side of a space: one of two touching rooms is enough (C7)."""
        other = self.beyond(space, direction)
        on_other = isinstance(other, tuple) and self.drawn(other, OPPOSITE[direction])
        return self.drawn(space, direction) or on_other

    def ways(self, place: Place) -> Iterator[tuple[str, Place, bool]]:
        """Yield (direction, what lies there, whether a wall is in between) of all sides of a place."""
        if isinstance(place, str):
            row = 0 if place == "N" else self.rows - 1
            for c in range(self.columns):
                yield OPPOSITE[place], (row, c), self.wall((row, c), place)
        else:
            for direction in "NESW":
                other = self.beyond(place, direction)
                if other is not None:
                    yield direction, other, self.wall(place, direction)

    # -- movement ---------------------------------------------------------------------------------------------------

    def rule(self, place: Place) -> str:
        if isinstance(place, str):
            return "open"
        special = self.rooms[self.room_of(place)].special
        return cards.SPECIALS[special] if special else "open"

    def occupied(self, place: Place, mover: int) -> bool:
        return isinstance(place, tuple) and any(p == place for pawn, p in self.pawns.items() if pawn != mover)

    def free(self, place: Place, mover: int) -> bool:
        """Return whether a pawn may step there: not on a pawn (C1; an edge has room for all, C2), not blocked."""
        return self.rule(place) != "blocked" and not self.occupied(place, mover)

    def slide(self, place: Place, direction: str, mover: int) -> Place:
        """Return where somebody ends who has stepped into a place (D12, D13)."""
        while isinstance(place, tuple) and self.rule(place) == "slide":
            on = self.beyond(place, direction)
            if on is None or self.wall(place, direction) or not self.free(on, mover):
                break
            place = on
        return place

    def move(
        self,
        mover: int,
        steps: int,
        ignore: bool = False,
        in_row: bool = False,
        passes: int = 0,
        passing: bool = False,
        immune: bool = False,
    ) -> dict[Place, int]:
        """Return where up to so many steps lead, with the fewest walls passed on the way."""
        start = self.pawns[mover]
        if in_row and isinstance(start, str):
            return {start: 0}
        seen = {(start, 0)}
        ends = [(start, 0)]
        for _ in range(steps):
            reached = []
            for place, walls in ends:
                for direction, target, wall in self.ways(place):
                    if in_row and direction in "NS":
                        continue
                    passed = walls + (wall and not ignore)
                    if passed > passes or not (
                        self.free(target, mover) or (passing and self.rule(target) != "blocked")
                    ):
                        continue
                    end = target if immune else self.slide(target, direction, mover)
                    if (end, passed) not in seen:
                        seen.add((end, passed))
                        reached.append((end, passed))
            ends = [(p, k) for p, k in reached if immune or self.rule(p) != "stop"]
        found: dict[Place, int] = {}
        for place, walls in seen:
            if not self.occupied(place, mover):
                found[place] = min(walls, found.get(place, walls))
        return found

    def straight(self, mover: int, immune: bool = False) -> set[Place]:
        """Return where straight lines lead (C8)."""
        start = self.pawns[mover]
        found = {start}
        for direction, first, wall in self.ways(start):
            place: Place | None = first
            while place is not None and not wall and self.free(place, mover):
                found.add(place)
                if isinstance(place, str) or (self.rule(place) == "stop" and not immune):
                    break
                wall = self.wall(place, direction)
                place = self.beyond(place, direction)
        return found

    def through(self, mover: int, immune: bool = False) -> set[Place]:
        """Return where one step through a wall leads (C3, C9)."""
        return {
            target if immune else self.slide(target, direction, mover)
            for direction, target, wall in self.ways(self.pawns[mover])
            if wall and self.free(target, mover)
        }

    def landings(self, pawn: int, to: str) -> set[Space]:
        """Return where a pawn may be teleported to (D8, D9, D11)."""
        here = self.pawns[pawn]
        if isinstance(here, str):
            return set()
        if to == "row":
            spaces = [(here[0], c) for c in range(self.columns)]
        else:
            spaces = self.spaces_of(self.room_of(here))
        return {s for s in spaces if self.free(s, -1)}

    # -- rooms ------------------------------------------------------------------------------------------------------

    def inside(self, number: int) -> list[int]:
        spaces = self.spaces_of(number)
        return [pawn for pawn in sorted(self.pawns) if self.pawns[pawn] in spaces]

    def rotate(self, number: int) -> None:
        """Turn what lies uppermost, with the pawns (D2)."""
        room = self.rooms[number]
        if room.special:
            room.special_turned = not room.special_turned
        else:
            room.turned = not room.turned
        for pawn in self.inside(number):
            space = self.pawns[pawn]
            assert isinstance(space, tuple)
            self.pawns[pawn] = self.turned(space)

    def flip(self, number: int, turned: bool) -> None:
        """Turn over what lies uppermost (D1, D2); the pawns are the caller's."""
        room = self.rooms[number]
        if room.special:
            room.special_turned = turned
        else:
            room.back = not room.back
            room.turned = turned

    def where(self, special: str) -> int | None:
        return next((i for i, room in enumerate(self.rooms) if room.special == special), None)

    def cover(self, special: str, number: int) -> None:
        """Lay a special room on a room (D4 to D6)."""
        self.clear(special)
        self.rooms[number].special, self.rooms[number].special_turned = special, False

    def clear(self, special: str) -> None:
        at = self.where(special)
        if at is not None:
            self.rooms[at].special, self.rooms[at].special_turned = None, False


@dataclass
class Book:
    """A book in a stack or under a badge: who knows that it is there, where it was given, and whether it was shown."""

    number: int
    known: set[int]
    to: int | str | None = None
    shown: bool = False


@dataclass
class Deck:
    """The deck, top first: (book, who knows that it lies there)."""

    books: list[tuple[int, set[int]]]


@dataclass(frozen=True)
class Asked:
    """What a choice is about: who is asked, as what, and which codes he may answer."""

    seat: int
    role: str
    kind: str
    codes: tuple[int, ...]


Choose = Callable[[Asked], int]


@dataclass
class Result:
    """One finished game."""

    winner: int | None
    reason: str
    rounds: int
    turns: int
    sudden: bool
    trophies: list[int]
    leaders: list[tuple[int, int]]
    counts: dict[str, int]
    rows: list[int]
    idle_turns: list[int]
    book_rows: dict[int, list[int]]
    first_trophy: list[int | None]
    books_on_badges: list[tuple[int, int]] = field(default_factory=list)


class Table:
    """One game."""

    def __init__(self, seats: int, seed: int, deal: int, choose: Choose, rules: Mapping[str, Any] = RULES) -> None:
        self.n = seats
        self.rules = rules
        self.choose = choose
        self.books = cards.books()
        self.streams = {k: Stream(seed, deal, k) for k in (ROOM_STREAM, LEADER_STREAM, DECK_STREAM, TURN_STREAM)}
        self.board = self.lay_out()
        for seat in range(seats):
            self.board.pawns[seat] = "S" if seat % 2 == 0 else "N"  # A2
        self.heading = ["N" if seat % 2 == 0 else "S" for seat in range(seats)]
        self.lifted: list[int] = []
        red = 2 * self.streams[LEADER_STREAM].below(seats // 2)  # A3
        blue_left = self.streams[LEADER_STREAM].below(2)
        self.right = red if blue_left else (red - 1) % seats  # A4
        order = self.shuffled(DECK_STREAM, len(self.books))
        hand = seats // 2 + 1
        self.stacks = [[Book(b, set()) for b in order[team * hand : (team + 1) * hand]] for team in (0, 1)]
        self.piles: list[list[Book]] = [[], []]
        self.deck = Deck([(b, set()) for b in order[2 * hand :]])
        self.trophies: list[list[int]] = [[] for _ in range(seats)]
        self.in_play: Book | None = None
        self.sudden = False
        self.rounds = self.turns = 0
        names = ("flips", "rotations", "specials", "skipped", "walks", "idle_walks")
        self.counts = dict.fromkeys(names, 0)
        self.rows = [0] * seats
        self.idle_turns = [0] * seats
        self.book_rows: dict[int, list[int]] = {}
        self.first_trophy: list[int | None] = [None, None]
        self.leader_log: list[tuple[int, int]] = []
        self.badge_log: list[tuple[int, int]] = []

    def shuffled(self, stream: int, n: int) -> list[int]:
        items = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.streams[stream].below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items

    def lay_out(self) -> Board:
        """Lay out the board (A1, A6)."""
        faces = cards.rooms()
        rows, columns = self.rules["rows"], self.rules["columns"][self.n]
        order = self.shuffled(ROOM_STREAM, len(faces))
        rooms = []
        for card in order[: rows * columns]:
            lie = self.streams[ROOM_STREAM].below(4)
            rooms.append(Room(card, back=lie % 2 == 1, turned=lie >= 2))
        return Board(rows, columns, rooms, faces)

    # -- asking -----------------------------------------------------------------------------------------------------

    def code(self, place: Place) -> int:
        if isinstance(place, str):
            return 126 if place == "N" else 127
        return place[0] * self.board.columns + place[1]

    def ask(self, seat: int, kind: str, answers: Mapping[int, Any], role: str = "walker") -> Any:
        codes = tuple(sorted(answers))
        return answers[self.choose(Asked(seat, role, kind, codes))]

    def ask_place(self, seat: int, kind: str, places: Any, skip: bool = False) -> Any:
        return self.ask(seat, kind, {**{self.code(p): p for p in places}, **({238: None} if skip else {})})

    # -- the game ---------------------------------------------------------------------------------------------------

    def run(self) -> Result:
        """Play to the end."""
        winner, reason = None, "round cap"
        while True:
            self.rounds += 1
            self.streams[TURN_STREAM].rekey(self.rounds)
            left = (self.right + 1) % self.n
            self.leader_log.append((self.right, left))
            self.distribute()
            for turn in range(self.n):
                self.turns += 1
                self.take_turn((self.right + 2 + turn) % self.n, turn)
                if self.sudden_winner is not None:
                    return self.result(self.sudden_winner, "sudden elimination")
            complete = [self.team_trophies(team) >= self.rules["trophies"][self.n] for team in (0, 1)]
            if not self.sudden and complete[0] != complete[1]:
                winner, reason = complete.index(True), "trophies"
                break
            self.sudden = self.sudden or all(complete)  # B5
            if self.rounds >= self.rules["round_cap"]:
                break
            self.end_round()
        return self.result(winner, reason)

    sudden_winner: int | None = None

    def result(self, winner: int | None, reason: str) -> Result:
        return Result(
            winner=winner,
            reason=reason,
            rounds=self.rounds,
            turns=self.turns,
            sudden=self.sudden,
            trophies=[len(t) for t in self.trophies],
            leaders=self.leader_log,
            counts=self.counts,
            rows=self.rows,
            idle_turns=self.idle_turns,
            book_rows=self.book_rows,
            first_trophy=self.first_trophy,
            books_on_badges=self.badge_log,
        )

    def team_trophies(self, team: int) -> int:
        return sum(len(self.trophies[seat]) for seat in range(team, self.n, 2))

    def leader(self, team: int) -> int:
        left = (self.right + 1) % self.n
        return self.right if self.right % 2 == team else left

    # -- distribution -----------------------------------------------------------------------------------------------

    def distribute(self) -> None:
        """Let the leaders give their books away, the right-hand one first; neither sees what the other does (A7)."""
        teams = (self.right % 2, 1 - self.right % 2)
        for team in teams:
            for book in self.stacks[team]:
                book.to, book.shown = None, False
                book.known.add(self.leader(team))
        chosen = {}
        for team in teams:
            leader = self.leader(team)
            mates = [(leader + 2 * k) % self.n for k in range(1, self.n // 2)]
            receivers = [self.leader(1 - team), *mates]
            stack = self.stacks[team]
            chosen[team] = receivers, self.ask(leader, "distribute", _deals(len(stack), len(receivers)), "leader")
        for team, (receivers, slots) in chosen.items():
            for book in self.stacks[team]:
                book.to = "badge"
            for receiver, slot in zip(receivers, slots, strict=False):
                self.stacks[team][slot].to = receiver
        if self.rules["advanced"]:
            for team in teams:
                for book in self.stacks[team]:
                    if book.to == "badge":
                        self.show(book)

    def show(self, book: Book) -> None:
        book.shown = True
        book.known = set(range(6))

    # -- turns ------------------------------------------------------------------------------------------------------

    def effects(self, seat: int) -> list[dict[str, Any]]:
        """Return the leader effects that work on a seat, those of the own badge first (L1, L3)."""
        if not self.rules["advanced"]:
            return []
        found = []
        for team in (seat % 2, 1 - seat % 2):
            for book in self.stacks[team]:
                if book.to == "badge":
                    effect = self.books[book.number]
                    own = team == seat % 2
                    if effect["scope"] == "all" or own == (effect["scope"] == "team"):
                        found.append(effect)
        return found

    def take_turn(self, seat: int, turn: int) -> None:
        """Carry out the book that a seat was given."""
        given = [(team, book) for team in (0, 1) for book in self.stacks[team] if book.to == seat]
        book = given[0][1] if given else None
        if book is not None:
            self.show(book)
            self.in_play = book
        effects = self.effects(seat)
        banned = {op for effect in effects for op in effect.get("no", ())}
        self.passes = min(3, sum(effect.get("passes", 0) for effect in effects))
        self.passing = any(effect.get("passing") for effect in effects)
        self.immune = any(effect.get("immune") for effect in effects)
        penalty = sum(effect.get("penalty", 0) for effect in effects)
        steps = [dict(step) for step in self.books[book.number]["steps"]] if book is not None else []
        for step in steps:
            if step["op"] == "move":
                step["n"] += sum(effect.get("bonus", 0) for effect in effects)
                break
        before = [dict(effect["before"]) for effect in effects if "before" in effect]
        after = [dict(effect["after"]) for effect in effects if "after" in effect]
        program = [*before, *steps, *after]
        for step in program:
            if step["op"] in ("move", "ignore walls"):
                step["n"] = max(1, step["n"] - penalty)
        if any(effect.get("random") for effect in effects) and "rotate" not in banned:
            self.streams[TURN_STREAM].seek(turn)
            self.counts["rotations"] += 1
            self.board.rotate(self.streams[TURN_STREAM].below(len(self.board.rooms)))
        to_go = self.rows_to_go(seat)
        self.last = {"flip": -1, "rotate": -1}
        for step in program:
            if step["op"] in banned or not self.step(seat, step):
                self.counts["skipped"] += 1
        self.end_turn(seat, book, to_go - self.rows_to_go(seat))

    def rows_to_go(self, seat: int) -> int:
        """Return how many rows lie between a pawn and its destination (D11)."""
        place = self.board.pawns[seat]
        if isinstance(place, str):
            return 0 if place == self.heading[seat] else self.board.rows + 1
        return place[0] + 1 if self.heading[seat] == "N" else self.board.rows - place[0]

    def step(self, seat: int, step: Mapping[str, Any]) -> bool:
        """Carry out one step; return whether it was possible (C10)."""
        board, op, may = self.board, step["op"], bool(step.get("may"))
        if op in ("move", "ignore walls", "sidestep"):
            self.move(seat, step)
        elif op == "straight":
            self.go(seat, self.ask_place(seat, "move", board.straight(seat, self.immune)))
        elif op == "through":
            places = board.through(seat, self.immune)
            if not places:
                return False
            self.go(seat, self.ask_place(seat, "move", places))
        elif op in ("flip", "rotate"):
            rooms = self.rooms_for(seat, step)
            if not rooms:
                return False
            self.flip(seat, rooms, may) if op == "flip" else self.rotate(seat, rooms, may)
        elif op == "place":
            rooms = range(len(board.rooms))
            board.cover(step["n"], self.ask(seat, "place", {200 + room: room for room in rooms}))
            self.counts["specials"] += 1
        elif op == "clear":
            out = {224 + i: name for i, name in enumerate(cards.SPECIALS) if board.where(name) is not None}
            if not out:
                return False
            answer = self.ask(seat, "clear", {**out, **({238: None} if may else {})})
            if answer is not None:
                board.clear(answer)
        elif op == "teleport":
            places = board.landings(seat, step["to"])
            if not places:
                return False
            answer = self.ask_place(seat, "teleport", places, may)
            if answer is not None:
                board.pawns[seat] = answer
        else:
            return self.with_another(seat, step, may)
        return True

    def with_another(self, seat: int, step: Mapping[str, Any], may: bool) -> bool:
        """Swap with another pawn, or teleport one (D8 to D10)."""
        board = self.board
        if step["op"] == "swap":
            able = [p for p in range(self.n) if p != seat and self.may_swap(seat, p, step["with"])]
        else:
            able = [p for p in range(self.n) if p != seat and board.landings(p, step["to"])]
        if not able:
            return False
        other = self.ask(seat, "pawn", {**{232 + p: p for p in able}, **({238: None} if may else {})})
        if other is None:
            return True
        if step["op"] == "swap":
            board.pawns[seat], board.pawns[other] = board.pawns[other], board.pawns[seat]
        else:
            board.pawns[other] = self.ask_place(seat, "teleport", board.landings(other, step["to"]))
        return True

    def may_swap(self, seat: int, other: int, who: str) -> bool:
        here, there = self.board.pawns[seat], self.board.pawns[other]
        if isinstance(here, str) or isinstance(there, str):
            return False
        mates = seat % 2 == other % 2
        return {"row": here[0] == there[0], "teammate": mates, "opponent": not mates and here[0] == there[0]}[who]

    def move(self, seat: int, step: Mapping[str, Any]) -> None:
        op = step["op"]
        places = self.board.move(
            seat,
            step["n"],
            ignore=op != "move",
            in_row=op == "sidestep",
            passes=self.passes if op == "move" else 0,
            passing=self.passing and op != "sidestep",
            immune=self.immune,
        )
        answer = self.ask_place(seat, "move", places)
        self.passes -= places[answer]
        self.go(seat, answer)

    def go(self, seat: int, place: Place) -> None:
        to_go = self.rows_to_go(seat)
        self.board.pawns[seat] = place
        if to_go:
            self.counts["walks"] += 1
            self.counts["idle_walks"] += self.rows_to_go(seat) >= to_go

    def rooms_for(self, seat: int, step: Mapping[str, Any]) -> list[int]:
        here = self.board.pawns[seat]
        if step["which"] == "own":
            return [] if isinstance(here, str) else [self.board.room_of(here)]
        rooms = list(range(len(self.board.rooms)))
        if step["which"] == "other":
            return [room for room in rooms if room != self.last[step["op"]]]  # D3
        return rooms

    def flip(self, seat: int, rooms: Sequence[int], may: bool) -> None:
        """Flip a room and put its pawns back one by one (D1)."""
        answers: dict[int, Any] = {128 + 2 * room + turned: (room, turned) for room in rooms for turned in (0, 1)}
        answer = self.ask(seat, "flip", {**answers, **({238: None} if may else {})})
        if answer is None:
            return
        room, turned = answer
        self.last["flip"] = room
        self.counts["flips"] += 1
        self.lifted = self.board.inside(room)
        for pawn in self.lifted:
            del self.board.pawns[pawn]
        self.board.flip(room, bool(turned))
        while self.lifted:
            taken = self.board.pawns.values()
            spaces = [space for space in self.board.spaces_of(room) if space not in taken]
            self.board.pawns[self.lifted[0]] = self.ask_place(seat, "arrange", spaces)
            self.lifted = self.lifted[1:]

    def rotate(self, seat: int, rooms: Sequence[int], may: bool) -> None:
        room = self.ask(seat, "rotate", {**{176 + room: room for room in rooms}, **({238: None} if may else {})})
        if room is not None:
            self.last["rotate"] = room
            self.counts["rotations"] += 1
            self.board.rotate(room)

    # -- trophies ---------------------------------------------------------------------------------------------------

    def end_turn(self, seat: int, book: Book | None, gained: int) -> None:
        """Win a trophy at the far edge; the book goes under the badge of the own team (A10, B1 to B3)."""
        arrived = self.board.pawns[seat] == self.heading[seat]
        self.rows[seat] += gained
        self.idle_turns[seat] += gained <= 0 and not arrived
        if book is None:
            return
        self.in_play = None
        uses = self.book_rows.setdefault(book.number, [0, 0])
        uses[0] += gained
        uses[1] += 1
        team = seat % 2
        for stack in self.stacks:
            if any(b is book for b in stack):
                book.to = "gone"
        if not arrived:
            self.piles[team].append(Book(book.number, set(range(6))))
            return
        self.trophies[seat].append(book.number)
        if self.first_trophy[team] is None:
            self.first_trophy[team] = self.rounds
        if self.sudden:
            self.sudden_winner = team
            return
        self.heading[seat] = OPPOSITE[self.heading[seat]]
        drawn = [b for b, _ in self.deck.books[:2]]
        if len(drawn) == 2:
            which = self.ask(seat, "trophy", {240: 0, 241: 1})
            self.deck.books = [*self.deck.books[2:], (drawn[1 - which], {seat})]
            self.piles[team].append(Book(drawn[which], {seat}))
        elif drawn:  # A12
            number, known = self.deck.books.pop()
            self.piles[team].append(Book(number, {seat, *known}))

    # -- end of a round ---------------------------------------------------------------------------------------------

    def end_round(self) -> None:
        """Exchange the badge books (A11) and pass the right-hand badge with all its books."""
        drawing = []
        for team in (self.right % 2, 1 - self.right % 2):
            for book in self.stacks[team]:
                if book.to == "badge":
                    self.deck.books.append((book.number, book.known))
                    drawing.append(team)
        for team in drawing:
            number, known = self.deck.books.pop(0)
            self.piles[team].append(Book(number, set(known)))
        self.stacks = self.piles
        self.piles = [[], []]
        self.right = (self.right + 1) % self.n
        self.badge_log.append((len(self.stacks[0]), len(self.stacks[1])))


def _deals(books: int, receivers: int) -> dict[int, tuple[int, ...]]:
    """Return every way to give one book each to the receivers, as far as they go (A12), by its code."""
    found: dict[int, tuple[int, ...]] = {}

    def give(slots: tuple[int, ...]) -> None:
        if len(slots) == min(books, receivers):
            found[256 + sum(slot * weight for slot, weight in zip(slots, (16, 4, 1), strict=False))] = slots
            return
        for slot in range(books):
            if slot not in slots:
                give((*slots, slot))

    give(())
    return found


def play(seats: int, seed: int, deal: int, choose: Choose, **rules: Any) -> Result:
    """Play one game."""
    return Table(seats, seed, deal, choose, {**RULES, **rules}).run()


def random_player(seed: int, deal: int) -> Choose:
    """Return a callback that draws every real choice from the stream of its seat, as the strategy `random` does."""
    streams: dict[int, Stream] = {}

    def choose(asked: Asked) -> int:
        if len(asked.codes) == 1:
            return asked.codes[0]
        stream = streams.setdefault(asked.seat, Stream(seed, deal, asked.seat))
        return asked.codes[stream.below(len(asked.codes))]

    return choose
