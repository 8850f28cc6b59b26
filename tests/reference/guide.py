"""The field guide game, read plainly from its rulebook (RB) and its rulings (H1, G1, M1, F1, C1 and so on).

One whole game at a time, turn by turn and step by step, with every choice put to a callback and all chance taken from
the published streams. Slow on purpose: it exists to be read beside the rulebook and to be compared, choice by choice,
with the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

from . import guide_data
from .rng import Stream

SEATS = 4  # streams 0 to 3 belong to the strategies, whatever the number of players
TOKEN_STREAM, CAGE_STREAM, BLUE_STREAM, GREEN_STREAM, LOST_STREAM = 8, 9, 10, 11, 12

Square = tuple[int, int]
Option = tuple[Any, ...]
Choose = Callable[[int, str, str, list[Option]], Option]
"""Seat, role, kind of question, options; returns one of them. Asked only where there are two or more."""


class Over(Exception):  # noqa: N818
    """Somebody has brought the guide home, or nobody can any more."""


@dataclass
class Box:
    """What is in the box: boards, cards, numbers."""

    house: Mapping[str, Any] = field(default_factory=lambda: guide_data.HOUSE)
    race: Mapping[str, Any] = field(default_factory=lambda: guide_data.RACE)
    blue: Sequence[Mapping[str, Any]] = field(default_factory=lambda: guide_data.BLUE)
    green: Sequence[Mapping[str, Any]] = field(default_factory=lambda: guide_data.GREEN)
    faces: Sequence[int] = guide_data.FACES
    cage: Sequence[int] = guide_data.CAGE_NUMBERS
    gruzels: Mapping[int, int] = field(default_factory=lambda: guide_data.GRUZELS)
    tokens: int = guide_data.N_TOKENS

    @cached_property
    def plan(self) -> House:
        """The house, worked out once for all games."""
        return House(self.house)


@dataclass
class Piece:
    """A child or a gruzel: on a square of the house, or on a space and the path it stands on."""

    name: str
    seat: int
    square: Square | None = None
    space: str | None = None
    path: str = "children"

    @property
    def is_gruzel(self) -> bool:
        """Whether it is one of the gruzel player's."""
        return self.name.startswith("gruzel")

    @property
    def own_path(self) -> str:
        """The path on which red squares do not matter to it."""
        return "gruzels" if self.is_gruzel else "children"


@dataclass
class Pile:
    """The cards of one colour that nobody holds: face down and discarded, by their position in the list."""

    cards: Sequence[Mapping[str, Any]]
    stream: Stream
    down: list[int] = field(default_factory=list)
    discards: list[int] = field(default_factory=list)
    reshuffles: int = 0

    def __post_init__(self) -> None:
        self.down = [kind for kind, card in enumerate(self.cards) for _ in range(card["count"])]

    def draw(self) -> int | None:
        """Return any card of the pile with equal chance; of its discards if it is empty (C1)."""
        if not self.down:
            if not self.discards:
                return None
            self.down, self.discards = sorted(self.discards), []
            self.reshuffles += 1
        return self.down.pop(self.stream.below(len(self.down)))


def is_action(card: Mapping[str, Any]) -> bool:
    """Tell actions from fight cards, which are kept."""
    return "weapon" not in card and "wards" not in card


class House:
    """Rooms, walls and steps."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.letters = {
            (row, column): letter
            for row, text in enumerate(data["squares"])
            for column, letter in enumerate(text)
            if letter != "."
        }
        self.spots = dict(data["rooms"])

    def neighbours(self, square: Square) -> list[Square]:
        """Return what one step reaches: up, down, left, right, and never through a wall."""
        row, column = square
        near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        found = [other for other in near if other in self.letters and self.letters[other] == self.letters[square]]
        for first, second in self.data["openings"]:
            if square in (first, second):
                found.append(second if square == first else first)
        return found

    def walks(self, square: Square, steps: int) -> Iterator[list[Square]]:
        """Yield every walk of so many steps that visits no square twice (H3)."""
        walks = [[square]]
        for _ in range(steps):
            walks = [[*walk, step] for walk in walks for step in self.neighbours(walk[-1]) if step not in walk]
        yield from walks

    @cache  # noqa: B019
    def squares(self, square: Square, steps: int) -> list[Square]:
        """Return the squares on which a walk of exactly so many steps ends, row by row."""
        return sorted({walk[-1] for walk in self.walks(square, steps)})

    @cache  # noqa: B019
    def steps_left_outside(self, square: Square, steps: int) -> list[int]:
        """Return how many steps may be left after the step from the door to the first space outside (H10)."""
        door = self.data["door"]
        return [
            steps - taken - 1 for taken in range(steps) if any(walk[-1] == door for walk in self.walks(square, taken))
        ]

    def token_room(self, square: Square) -> str | None:
        """Return the room whose token lies on a square (H2)."""
        return next((room for room, spot in self.spots.items() if spot == square), None)


class Game:
    """One game; `play` plays it."""

    def __init__(self, box: Box, rules: Mapping[str, Any], n: int, seed: int, deal: int, choose: Choose) -> None:
        self.box, self.rules, self.n, self.choose = box, {**guide_data.RULES, **rules}, n, choose
        self.house = box.plan
        self.paths: dict[str, Sequence[str]] = {side: box.race[side] for side in ("children", "gruzels")}
        self.keeper = n - 1
        self.children = [
            Piece(name, seat, square=box.house["start"]) for seat, name in enumerate(guide_data.CHILDREN[: n - 1])
        ]
        self.gruzels = [
            Piece(f"gruzel{number}", self.keeper, space=self.paths["gruzels"][0], path="gruzels")
            for number in range(1, box.gruzels[n] + 1)
        ]
        self.dice = [Stream(seed, deal, SEATS + seat) for seat in range(SEATS)]
        self.lost = Stream(seed, deal, LOST_STREAM)
        self.piles = {
            "blue": Pile(box.blue, Stream(seed, deal, BLUE_STREAM)),
            "green": Pile(box.green, Stream(seed, deal, GREEN_STREAM)),
        }
        self.hands: list[list[int]] = [[] for _ in range(n)]
        self.token_stream, self.cage_stream = Stream(seed, deal, TOKEN_STREAM), Stream(seed, deal, CAGE_STREAM)
        self.tokens: dict[str, int] = {}
        self.seen: dict[str, set[int]] = {room: set() for room in self.house.spots}
        self.guide: str | None = None  # a child's name, or "gruzels"
        self.cage_in_front: list[int] = []
        self.cage_won = 0
        self.rounds = self.turns = self.decisions = 0
        self.counts = dict.fromkeys(("changes", "passes", "cage_won", "cage_used", "sent_back", "cage_taken"), 0)
        self.drawn = [0] * n
        self.dealt: list[set[str]] = [set() for _ in range(n)]
        self.played: list[set[str]] = [set() for _ in range(n)]
        self.won, self.beaten = [0] * n, [0] * n
        self.found: tuple[int, int] | None = None
        self.left: tuple[int, int] | None = None
        self.reason = "round cap"

    # -- small words ------------------------------------------------------------------------------------------------

    def ask(self, seat: int, role: str, kind: str, options: list[Option]) -> Option:
        """Put a question; a single answer is no choice."""
        if len(options) == 1:
            return options[0]
        self.decisions += 1
        answer = self.choose(seat, role, kind, options)
        assert answer in options
        return answer

    def roll(self, seat: int) -> int:
        """Roll the die."""
        return self.box.faces[self.dice[seat].below(len(self.box.faces))]

    def outside(self) -> list[Piece]:
        """Return the children who have left the house."""
        return [child for child in self.children if child.space is not None]

    def colour(self, seat: int) -> str:
        """Return the colour of the cards of a seat."""
        return "green" if seat == self.keeper else "blue"

    def card(self, seat: int, kind: int) -> Mapping[str, Any]:
        """Return a card of a seat's colour."""
        return self.piles[self.colour(seat)].cards[kind]

    def role(self, seat: int) -> str:
        """Return the role in which a seat moves its pieces."""
        return "gruzels" if seat == self.keeper else "child"

    # -- the game ---------------------------------------------------------------------------------------------------

    def play(self) -> Game:
        """Play to the end."""
        self.set_up()
        try:
            while self.rounds < self.rules["round_cap"]:
                self.play_round()
        except Over as over:
            self.reason = str(over)
        return self

    def set_up(self) -> None:
        """RB Setup: tokens in the rooms, and as many cage tokens as the die shows (H1, D2)."""
        rooms = list(self.house.spots)
        if self.rules["token_placement"] == "random":
            numbers = [n + 1 if n < self.box.tokens else 0 for n in range(len(rooms))]
            for last in range(len(rooms) - 1, 0, -1):
                other = self.token_stream.below(last + 1)
                numbers[last], numbers[other] = numbers[other], numbers[last]
            self.tokens = {room: number for room, number in zip(rooms, numbers, strict=True) if number}
        rolled = self.box.faces[self.cage_stream.below(len(self.box.faces))]
        self.cage_in_front = list(self.box.cage[:rolled])
        self.counts["cage_taken"] = len(self.cage_in_front)
        if self.rules["token_placement"] == "chosen":
            for number in range(1, self.box.tokens + 1):
                free = [("lay", room) for room in rooms if room not in self.tokens]
                room = self.ask(self.keeper, "gruzels", "lay", free)[1]
                self.tokens[room] = number
                self.seen[room].add(self.keeper)

    def play_round(self) -> None:
        """RB: Jared, Mallory, Simon and finally the gruzels; before them the children choose the carrier (G1, G2)."""
        self.rounds += 1
        streams = [*self.dice, self.lost, *(pile.stream for pile in self.piles.values())]
        for stream in streams:
            stream.rekey(self.rounds)
        before = self.guide
        if self.may_choose_carrier():
            self.choose_carrier(0)
            self.counts["passes"] += self.guide != before
        for child in self.children:
            self.child_turn(child)
        self.gruzel_turn()
        if self.cage_won and self.outside():
            if self.ask(self.keeper, "gruzels", "cage", [("spend",), ("keep",)]) == ("spend",):
                self.cage_won -= 1
                self.counts["cage_used"] += 1
                self.gruzel_turn()

    def may_choose_carrier(self) -> bool:
        """Whether a child outside has the guide and another one outside could have it."""
        return self.guide in [child.name for child in self.outside()] and len(self.outside()) > 1

    def choose_carrier(self, seat: int) -> None:
        """Let the children choose who carries the guide."""
        options = [("carry", child.name) for child in self.outside()]
        self.guide = self.ask(seat, "council", "carrier", options)[1]

    # -- Part 1 -----------------------------------------------------------------------------------------------------

    def child_turn(self, child: Piece) -> None:
        """RB The Children's Turn, or Turn Order in Part 2."""
        self.turns += 1
        rolled = self.roll(child.seat)
        if child.space is not None:
            self.race_turn(child.seat, [child], rolled)
        elif self.house_turn(child, rolled):
            self.land([child])
            self.take_card(child)

    def house_turn(self, child: Piece, rolled: int) -> bool:
        """Walk exactly as rolled, stay (H4), or go out with steps left over (H10); return whether the child is out."""
        assert child.square is not None
        options: list[Option] = [("square", square) for square in self.house.squares(child.square, rolled)]
        options.append(("stay",))
        exits: dict[str, str] = {}
        if self.guide is not None or self.rules["leaving"] == "any_time":
            for steps in self.house.steps_left_outside(child.square, rolled):
                for space, path in self.moves(child, self.paths["children"][0], 1, steps).items():
                    exits[space] = "children" if "children" in (path, exits.get(space)) else "gruzels"
        options += [("move", child.name, space) for space in exits]
        answer = self.ask(child.seat, "child", "house", options)
        if answer[0] == "move":
            child.square, child.space, child.path = None, answer[2], exits[answer[2]]
            if self.left is None:
                self.left = (self.rounds, self.turns)
            self.check_home(child)
            if self.guide is None and len(self.outside()) == len(self.children):
                raise Over("guide left in the house")
            return True
        if answer[0] == "square":
            child.square = answer[1]
            self.find_token(child)
        elif self.stands_on_one(child) and self.n <= self.rules["retry_players"]:
            if rolled >= self.rules["retry_roll"]:  # RB Note; H8
                self.chain(child)
        return False

    def stands_on_one(self, child: Piece) -> bool:
        """Whether a child stands on token number 1 while the guide is still hidden."""
        room = self.house.token_room(child.square)  # type: ignore[arg-type]
        return self.guide is None and room is not None and self.tokens.get(room) == 1

    def find_token(self, child: Piece) -> None:
        """RB Object Tokens: turn over what lies where the child ends; dead once the guide is found (H12)."""
        room = self.house.token_room(child.square)  # type: ignore[arg-type]
        if room in self.tokens and self.guide is None:
            self.show(room)
            if self.tokens[room] == 1:
                self.chain(child)

    def show(self, room: str) -> None:
        """Everybody sees and remembers the token (H9)."""
        self.seen[room] = set(range(SEATS))

    def chain(self, child: Piece) -> None:
        """Turn others over in the right order, as long as one likes (H7)."""
        up = {self.house.token_room(child.square)}  # type: ignore[arg-type]
        for number in range(2, self.box.tokens + 1):
            options: list[Option] = [("turn", r) for r in self.house.spots if r in self.tokens and r not in up]
            answer = self.ask(child.seat, "child", "chain", [*options, ("stop",)])
            if answer == ("stop",):
                return
            self.show(answer[1])
            if self.tokens[answer[1]] != number:
                return
            up.add(answer[1])
        self.guide = child.name
        self.found = (self.rounds, self.turns)

    def gruzel_turn(self) -> None:
        """RB The Gruzels' Turn: for cage tokens until a child is out, then in the race (C7)."""
        self.turns += 1
        rolled = self.roll(self.keeper)
        if self.outside():
            self.race_turn(self.keeper, self.gruzels, rolled)
        elif rolled in self.cage_in_front:
            self.cage_in_front.remove(rolled)
            self.cage_won += 1
            self.counts["cage_won"] += 1

    # -- Part 2: moving ---------------------------------------------------------------------------------------------

    def race_turn(self, seat: int, pieces: Sequence[Piece], rolled: int) -> None:
        """RB Turn Order: move, fight if need be (F6), take a card."""
        moved = self.move_one(seat, pieces, rolled, (1, -1))
        self.take_card(moved)

    def move_one(self, seat: int, pieces: Sequence[Piece], steps: int, ways: Sequence[int]) -> Piece:
        """Let a seat move one of its pieces; settle where it lands; return it."""
        found: dict[Option, tuple[Piece, str]] = {}
        for piece in pieces:
            for way in ways:
                for space, path in self.moves(piece, piece.space, way, steps).items():
                    key = ("move", piece.name, space)
                    if key not in found or path == piece.own_path:
                        found[key] = (piece, path)
        answer = self.ask(seat, self.role(seat), "move", list(found))
        piece, path = found[answer]
        if self.stand(piece, answer[2], path):
            self.land([piece])
        return piece

    def moves(self, piece: Piece, start: str | None, way: int, steps: int) -> dict[str, str]:
        """Return the spaces where a move ends, each with the path by which it comes (M1, M2, M8)."""
        ends: set[tuple[str, str]] = set()

        def step(space: str, path: str, left: int) -> None:
            position = list(self.paths[path]).index(space) + way
            beyond = not 0 <= position < len(self.paths[path])
            if left == 0 or beyond or not self.may_enter(piece, self.paths[path][position]):
                ends.add((space, path))
                return
            there = self.paths[path][position]
            for branch in self.paths_at(there) if left > 1 else [path]:
                step(there, branch, left - 1)

        for path in self.paths_at(str(start)):
            step(str(start), path, steps)
        return dict(sorted(ends, key=lambda end: end[1] == piece.own_path))

    def paths_at(self, space: str) -> list[str]:
        """Return the paths that a space belongs to: both at a crossing."""
        return [side for side, spaces in self.paths.items() if space in spaces]

    def may_enter(self, piece: Piece, space: str) -> bool:
        """Nobody enters the other's finish (M3) or its own without the guide (M5); no child the camp (M6)."""
        for side, spaces in self.paths.items():
            if space == spaces[-1]:
                holder = "gruzels" if piece.is_gruzel else piece.name
                return side == piece.own_path and self.guide == holder
        return space != self.paths["gruzels"][0] or piece.is_gruzel

    def stand(self, piece: Piece, space: str, path: str) -> bool:
        """Put a piece on a space and return whether it has moved; at home with the guide, the game is over."""
        has_moved = piece.space != space
        piece.space, piece.path = space, path
        self.check_home(piece)
        return has_moved

    def check_home(self, piece: Piece) -> None:
        """RB The Winner."""
        if piece.space == self.paths[piece.own_path][-1]:
            raise Over("guide at Mulgaraat" if piece.is_gruzel else "guide at Arthur")

    def land(self, pieces: Sequence[Piece]) -> None:
        """RB Board Layout and Fighting: red squares, swords, and whoever stands there, piece by piece.

        Who loses to one of them and falls back to the space of the next has no other fight there (F7, F11).
        """
        fallen: list[Piece] = []
        for piece in pieces:
            space = str(piece.space)
            is_red = space in self.box.race["red"] and space not in self.paths[piece.own_path]
            if piece.is_gruzel and space == self.paths["gruzels"][0]:
                continue
            if piece.is_gruzel and is_red:
                piece.space, piece.path = self.paths["gruzels"][0], "gruzels"
                self.counts["sent_back"] += 1
                continue
            others = self.outside() if piece.is_gruzel else self.gruzels
            if space not in self.box.race["swords"] and not is_red:
                others = [other for other in others if other.space == space and other not in fallen]
            if others:  # F3, F4: the mover picks; F5: nobody, no fight
                options = [("fight", other.name) for other in others]
                name = self.ask(piece.seat, self.role(piece.seat), "opponent", options)[1]
                other = next(other for other in others if other.name == name)
                fallen.append(self.fight(*((other, piece) if piece.is_gruzel else (piece, other))))

    # -- cards ------------------------------------------------------------------------------------------------------

    def draw(self, seat: int) -> int | None:
        """Take a card: keep a fight card, lay an action on the discards; return its position in the list."""
        pile = self.piles[self.colour(seat)]
        kind = pile.draw()
        if kind is None:
            return None
        self.drawn[seat] += 1
        self.dealt[seat].add(pile.cards[kind]["name"])
        (pile.discards if is_action(pile.cards[kind]) else self.hands[seat]).append(kind)
        return kind

    def discard(self, seat: int, kind: int) -> None:
        """Lay a card from the hand on the discards."""
        self.hands[seat].remove(kind)
        self.piles[self.colour(seat)].discards.append(kind)

    def take_card(self, mover: Piece) -> None:
        """RB Turn Order: an action is played at once."""
        kind = self.draw(mover.seat)
        if kind is not None and is_action(self.card(mover.seat, kind)):
            card = self.card(mover.seat, kind)
            self.played[mover.seat].add(card["name"])
            for effect in card.get("effects", [card]):
                self.act(mover, effect)

    def act(self, mover: Piece, effect: Mapping[str, Any]) -> None:
        """Carry out one effect of a card; what cannot be done is ignored (C2)."""
        if "roll_again" in effect:
            self.move_one(mover.seat, [mover], self.roll(mover.seat), (1, -1))
        elif "gruzel_moves" in effect:
            self.move_one(self.keeper, self.gruzels, effect["gruzel_moves"], (1, -1))
        elif "gruzel_draws" in effect:
            for _ in range(effect["gruzel_draws"]):
                self.draw(self.keeper)
        elif "swap_children" in effect:
            others = [child for child in self.outside() if child is not mover]
            for other in self.aimed(mover, others, True):
                mover.space, other.space = other.space, mover.space
                mover.path, other.path = other.path, mover.path
        else:
            self.act_on(self.meant(mover, effect["who"]), effect)

    def meant(self, mover: Piece, who: str) -> list[Piece]:
        """Return the pieces that an effect is about; "any" is chosen by the drawer."""
        bearer = [child for child in self.outside() if child.name == self.guide]
        if who == "self":
            return [mover]
        if who == "bearer_child" and bearer:
            return bearer
        is_any = who in ("any_child", "bearer_child", "any_gruzel")
        return self.aimed(mover, self.gruzels if who.endswith(("gruzel", "gruzels")) else self.outside(), is_any)

    def aimed(self, mover: Piece, pieces: Sequence[Piece], one: bool) -> list[Piece]:
        """Let the drawer choose one of several pieces, if only one is meant."""
        if not one or not pieces:
            return list(pieces)
        options = [("aim", piece.name) for piece in pieces]
        name = self.ask(mover.seat, self.role(mover.seat), "target", options)[1]
        return [piece for piece in pieces if piece.name == name]

    def act_on(self, pieces: Sequence[Piece], effect: Mapping[str, Any]) -> None:
        """Move the pieces one after the other, then let them land in this order; or take cards from hands."""
        if "lose_cards" in effect:
            for seat in sorted({piece.seat for piece in pieces}):
                for _ in range(min(effect["lose_cards"], len(self.hands[seat]))):
                    hand = sorted(self.hands[seat])
                    self.discard(seat, hand[self.lost.below(len(hand))])
            return
        landed = []
        for piece in pieces:
            if "to_crossing" in effect:
                ends = self.crossing_ahead(piece)
            else:
                way, steps = (1, effect["forward"]) if "forward" in effect else (-1, effect["back"])
                ends = self.moves(piece, piece.space, way, steps)
            if ends:
                options = [("move", piece.name, space) for space in ends]
                space = self.ask(piece.seat, self.role(piece.seat), "move", options)[2]
                if self.stand(piece, space, ends[space]):
                    landed.append(piece)
        self.land(landed)

    def crossing_ahead(self, piece: Piece) -> dict[str, str]:
        """Return the next crossing ahead on the path that a piece stands on, if there is one."""
        spaces = list(self.paths[piece.path])
        ahead = [space for space in spaces[spaces.index(str(piece.space)) + 1 :] if len(self.paths_at(space)) > 1]
        return {ahead[0]: piece.path} if ahead else {}

    # -- fights -----------------------------------------------------------------------------------------------------

    def fight(self, child: Piece, gruzel: Piece) -> Piece:
        """RB How is a fight fought?, with ruling F1 or by the translator's note; return the loser."""
        loser, winner = (child, gruzel) if self.gruzel_wins(child) else (gruzel, child)
        self.won[winner.seat] += 1
        self.beaten[loser.seat] += 1
        self.pass_guide(winner, loser)
        for kind in list(self.hands[loser.seat]):  # F8: the gruzel player's hand is shared by all gruzels
            self.discard(loser.seat, kind)
        self.retreat(loser)
        return loser

    def gruzel_wins(self, child: Piece) -> bool:
        """Let the child lay cards one by one and the gruzel player ward them off."""
        warded = 0
        while self.hands[child.seat]:
            options = [("play", kind) for kind in sorted(set(self.hands[child.seat]))]
            answer = self.choose_card(child.seat, "child", "strike", options)
            if answer == ("pass",):  # F2
                return True
            card = self.card(child.seat, answer[1])
            self.discard(child.seat, answer[1])
            self.played[child.seat].add(card["name"])
            stops = [("play", kind) for kind in sorted(set(self.hands[self.keeper])) if self.is_ward(kind, card)]
            if not stops:
                return self.rules["fight_reading"] == "translator" and warded == 0
            answer = self.choose_card(self.keeper, "gruzels", "ward", stops)
            if answer == ("pass",):
                return False
            self.played[self.keeper].add(self.card(self.keeper, answer[1])["name"])
            self.discard(self.keeper, answer[1])
            warded += 1
        return True

    def choose_card(self, seat: int, role: str, kind: str, options: list[Option]) -> Option:
        """Ask for a card, or none."""
        return self.ask(seat, role, kind, [("pass",), *options])

    def is_ward(self, kind: int, card: Mapping[str, Any]) -> bool:
        """Whether a green card stops a fight card: any does, or only those that name its weapon."""
        return self.rules["warding"] == "any" or card["weapon"] in self.card(self.keeper, kind)["wards"]

    def pass_guide(self, winner: Piece, loser: Piece) -> None:
        """RB Consequences: the loser gives the guide away, if it has it (G4, G5, G6)."""
        if loser.name == self.guide:
            self.guide = "gruzels"
            self.counts["changes"] += 1
        elif loser.is_gruzel and self.guide == "gruzels":
            self.guide = winner.name
            self.counts["changes"] += 1
            if self.may_choose_carrier():
                self.choose_carrier(winner.seat)

    def retreat(self, piece: Piece) -> None:
        """RB Consequences: back by a roll along the path it stands on, on a "normal" space (F7, F11)."""
        for _ in range(self.roll(piece.seat)):
            position = list(self.paths[piece.path]).index(str(piece.space)) - 1
            if position >= 0 and self.may_enter(piece, self.paths[piece.path][position]):
                piece.space = self.paths[piece.path][position]

    # -- what is counted --------------------------------------------------------------------------------------------

    def distance(self, piece: Piece) -> int:
        """Return the fewest single steps to the piece's finish, forward or back; one more from inside the house."""
        near: dict[str, set[str]] = {}
        for spaces in self.paths.values():
            for first, second in pairwise(spaces):
                near.setdefault(first, set()).add(second)
                near.setdefault(second, set()).add(first)
        goal = self.paths[piece.own_path][-1]
        front, steps = {piece.space or self.paths["children"][0]}, 0 if piece.space else 1
        while goal not in front:
            front |= {other for space in front for other in near[space]}
            steps += 1
        return steps

    def distance_left(self) -> int | None:
        """Return how far the nearest piece of the losers was from home."""
        losers = {"guide at Arthur": self.gruzels, "guide at Mulgaraat": self.children}.get(self.reason)
        return min(self.distance(piece) for piece in losers) if losers else None


def play(
    n: int, seed: int, deal: int, choose: Choose, rules: Mapping[str, Any] | None = None, box: Box | None = None
) -> Game:
    """Play one game."""
    return Game(box or Box(), rules or {}, n, seed, deal, choose).play()
