"""What an edition of the library race must contain, and how it is packed for the kernels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from simcore.contract import Exposed
from simcore.edition import Component, Element, Id, Model, Pace, require, require_known
from simcore.games.grimoire_shuffle import state as st

Plan = Annotated[list[str], Field(min_length=1, max_length=st.CELLS, description="rows of spaces, north first")]
May = Annotated[bool, Field(description="may be left out")]
Spaces = Annotated[int, Field(ge=0, le=9, description="spaces at most")]
_Op = Literal["move", "ignore_walls", "sidestep", "straight", "through_wall", "flip", "rotate", "place", "clear"]
Op = _Op | Literal["teleport", "swap"]


class Room(Component):
    """A room of the library, printed on both sides."""

    front: Plan
    back: Plan


class SpecialRoom(Component):
    """A room that is laid on top of another; both its faces are alike."""

    rule: Annotated[
        Literal["open_floor", "slide", "stop_on_entry", "blocked"],
        Field(
            description="open_floor: no more than its walls; slide: whoever steps in runs on; stop_on_entry: whoever "
            "steps in stops; blocked: nobody enters"
        ),
    ]
    walls: Plan


class Move(Element):
    """Up to so many steps to adjacent free spaces, round walls."""

    op: Literal["move"]
    up_to: Spaces


class IgnoreWalls(Element):
    """The same, as if there were no walls."""

    op: Literal["ignore_walls"]
    up_to: Spaces


class Sidestep(Element):
    """The same inside the own row, as if there were no walls."""

    op: Literal["sidestep"]
    up_to: Spaces


class Straight(Element):
    """Any number of spaces in one direction, as far as no wall or apprentice bars the way."""

    op: Literal["straight"]


class ThroughWall(Element):
    """One step that crosses a wall."""

    op: Literal["through_wall"]


class Flip(Element):
    """A room is turned over and laid down either way; its apprentices are put back into it in any arrangement."""

    op: Literal["flip"]
    target: Annotated[
        Literal["any", "own", "other"], Field(description="own: where the player stands; other: not the last flipped")
    ]
    may: May = False


class Rotate(Element):
    """A room is turned by 180 degrees with all apprentices in it."""

    op: Literal["rotate"]
    target: Annotated[
        Literal["any", "own", "other"], Field(description="own: where the player stands; other: not the last turned")
    ]
    may: May = False


class Place(Element):
    """A special room is laid on a room, wherever it lay before."""

    op: Literal["place"]
    room: Annotated[Id, Field(description="special room")]
    may: May = False


class Clear(Element):
    """A special room is taken off the board."""

    op: Literal["clear"]
    may: May = False


class Teleport(Element):
    """The player, or another one of the player's choice, goes to a free space of the row or room that he is in."""

    op: Literal["teleport"]
    who: Literal["self", "other"]
    to: Literal["same_row", "same_room"]
    may: May = False


class Swap(Element):
    """The player changes places with another one."""

    op: Literal["swap"]
    partner: Annotated[
        Literal["same_row", "teammate", "opponent"],
        Field(description="anybody in the same row; a teammate anywhere; an opponent in the same row"),
    ]
    may: May = False


Step = Annotated[
    Move | IgnoreWalls | Sidestep | Straight | ThroughWall | Flip | Rotate | Place | Clear | Teleport | Swap,
    Field(discriminator="op"),
]


class Leader(Element):
    """The leader effect of a grimoire, for the rest of the round."""

    scope: Annotated[
        Literal["team", "opponents", "all"], Field(description="whose turns it changes, seen from the badge")
    ] = "team"
    before: Annotated[list[Step], Field(default=[], max_length=st.EXTRAS, description="steps before those of a book")]
    after: Annotated[list[Step], Field(default=[], max_length=st.EXTRAS, description="steps after those of a book")]
    bonus_move: Annotated[int, Field(ge=0, le=9, description="spaces more in the first move of a book")] = 0
    move_penalty: Annotated[int, Field(ge=0, le=9, description="spaces less in each move, never below 1")] = 0
    wall_pass: Annotated[int, Field(ge=0, le=st.CROSSINGS, description="walls that moves of a turn may pass")] = 0
    pass_apprentices: Annotated[bool, Field(description="moves may pass apprentices, not end with one")] = False
    ignore_special_rooms: Annotated[bool, Field(description="special rooms do nothing, but for blocked ones")] = False
    random_rotate: Annotated[bool, Field(description="a random room turns before each turn")] = False
    forbids: Annotated[list[Op], Field(default=[], description="steps that are skipped")]


class Grimoire(Component):
    """A book of spells."""

    BLANK: ClassVar[Mapping[str, Any]] = {"steps": [], "leader": {}}

    steps: Annotated[list[Step], Field(max_length=st.STEPS)]
    leader: Leader = Leader.model_validate({})


class Rules(Model):
    """Rule switches and constants."""

    room_rows: Annotated[int, Field(ge=1, le=st.ROOMS, description="rooms from one far edge to the other")]
    room_columns: Annotated[int, Field(ge=1, le=st.ROOMS, description="rooms along a far edge, four players")]
    room_columns_six: Annotated[int, Field(ge=1, le=st.ROOMS, description="rooms along a far edge, six players")]
    trophies: Annotated[int, Field(ge=1, le=20, description="trophies that a team needs, four players")]
    trophies_six: Annotated[int, Field(ge=1, le=20, description="trophies that a team needs, six players")]
    leader_effects: Annotated[bool, Field(description="the advanced game: the books on the leader badges count")]
    round_cap: Annotated[int, Field(ge=1, le=10_000, description="rounds after which a game counts as unfinished")]

    def columns(self, players: int) -> int:
        """Return the rooms along a far edge."""
        return self.room_columns if players < st.SEATS else self.room_columns_six

    def goal(self, players: int) -> int:
        """Return the trophies that a team needs."""
        return self.trophies if players < st.SEATS else self.trophies_six


class Seat(Model):
    """What a scenario says of a player, besides the strategy: nothing in this game."""


class Edition(Model):
    """Component data of the library race."""

    rules: Rules
    pace: Pace
    rooms: Annotated[list[Room], Field(min_length=1, max_length=st.ROOMS)]
    special_rooms: Annotated[list[SpecialRoom], Field(max_length=st.SPECIALS)]
    grimoires: Annotated[list[Grimoire], Field(min_length=2, max_length=st.BOOKS)]

    @model_validator(mode="after")
    def _fits_together(self) -> Edition:
        deep, broad = len(self.rooms[0].front), len(self.rooms[0].front[0])
        words = f"a room has 1 to {st.CELLS} spaces; {deep} rows of {broad} are {deep * broad}"
        require(1 <= deep * broad <= st.CELLS, words, self.rooms[0].id, "front")
        for room in self.rooms:
            for face in ("front", "back"):
                _check_plan(getattr(room, face), deep, broad, room.id, face)
        for special in self.special_rooms:
            _check_plan(special.walls, deep, broad, special.id, "walls")
        known = [special.id for special in self.special_rooms]
        for book in self.grimoires:
            for field, steps in _step_lists(book):
                for number, step in enumerate(steps):
                    if isinstance(step, Place):
                        require_known("special room", step.room, known, book.id, *field, number, "room")
        return self


def _step_lists(book: Grimoire) -> Iterator[tuple[tuple[str, ...], list[Any]]]:
    """Yield (path of the field, steps) of all that a book may have carried out."""
    yield ("steps",), book.steps
    yield ("leader", "before"), book.leader.before
    yield ("leader", "after"), book.leader.after


def _check_plan(plan: Sequence[str], deep: int, broad: int, owner: str, field: str) -> None:
    """Check that a plan has the size of all others, and that both sides of a wall inside it agree."""
    rows = f"{deep} row{'s' if deep > 1 else ''} of {broad} hexadecimal digit{'s' if broad > 1 else ''}"
    fits = len(plan) == deep and all(len(row) == broad and set(row) <= set("0123456789abcdef") for row in plan)
    require(fits, f"{field}: expected {rows} (0 to 9, a to f), as in the first room", owner, field)
    cells = [[int(digit, 16) for digit in row] for row in plan]
    for r in range(deep):
        for c in range(broad):
            here = f"{field}: the wall {{}} of the space in row {r + 1}, column {c + 1} is missing on its other side"
            if c + 1 < broad:
                require(
                    cells[r][c] >> 1 & 1 == cells[r][c + 1] >> 3 & 1,
                    _one_sided(here, "east", cells[r][c] >> 1 & 1),
                    owner,
                    field,
                )
            if r + 1 < deep:
                require(
                    cells[r][c] >> 2 & 1 == cells[r + 1][c] & 1,
                    _one_sided(here, "south", cells[r][c] >> 2 & 1),
                    owner,
                    field,
                )


def _one_sided(message: str, direction: str, shown_here: int) -> str:
    if shown_here:
        return message.format(f"to the {direction}")
    return message.format(f"to the {direction}").replace(
        "is missing on its other side", "stands on its other side only"
    )


def check_seats(seats: Sequence[Seat], edition: Edition, rules: Rules) -> list[tuple[int | None, str, str]]:
    """Return the problems of a table: (seat, 0-based, or None for the table as a whole; field; message)."""
    players = len(seats)
    rooms = rules.room_rows * rules.columns(players)
    deep, broad = len(edition.rooms[0].front), len(edition.rooms[0].front[0])
    spaces, width = rooms * deep * broad, rules.columns(players) * broad
    books = st.TEAMS * (players // st.TEAMS + 1)
    found = []
    if rooms > len(edition.rooms):
        found.append(f"{players} players need {rooms} rooms; there are {len(edition.rooms)}")
    elif spaces > st.SPACES:
        found.append(f"a board of {rooms} rooms has {spaces} spaces; {st.SPACES} are possible")
    elif width >= st.WORD or (deep - 1) * width + broad > st.WORD:
        found.append(f"a room of {deep} rows on a board of {width} columns is too large; use fewer columns of rooms")
    if books > len(edition.grimoires):
        found.append(f"{players} players need {books} grimoires; there are {len(edition.grimoires)}")
    return [(None, "", message) for message in found]


def seat_choices(edition: Edition) -> dict[str, list[str]]:
    """Return the known values of each seat option: there is none."""
    return {}


def seat_label(seat: Seat, edition: Edition) -> str:
    """Return what people call this player, besides the label."""
    return ""


def exposed(edition: Edition) -> tuple[Exposed, ...]:
    """Return what the bits of the exposure masks are, and which exposure is counted."""
    first = Exposed(st.FIRST_BIT, "first-leader", "Right-hand leader of the first round", "first leader", "dealt")
    kinds = (
        (0, "grimoires", "played"),
        (st.STACK_BIT, "grimoires in a leader's hand", "dealt"),
        (st.BADGE_BIT, "grimoires on a leader badge", "dealt"),
    )
    return (
        first,
        *(
            Exposed(bit + index, book.id, book.label, kind, exposure, drawn=True)
            for bit, kind, exposure in kinds
            for index, book in enumerate(edition.grimoires)
        ),
    )


# -- packing --------------------------------------------------------------------------------------------------------


def pack(edition: Edition, rules: Rules, seats: Sequence[Seat], tab: Any) -> None:
    """Write the constants of one game into the record `tab`. Capacities are checked before."""
    players = len(seats)
    _pack_board(edition, rules, players, tab)
    specials = [special.id for special in edition.special_rooms]
    tab.n_cards, tab.n_specials, tab.n_books = len(edition.rooms), len(specials), len(edition.grimoires)
    tab.n_hand = players // st.TEAMS + 1
    tab.goal, tab.round_cap, tab.advanced = rules.goal(players), rules.round_cap, int(rules.leader_effects)
    for index, room in enumerate(edition.rooms):
        for face, plan in enumerate((room.front, room.back)):
            tab.faces[index, face] = pattern(plan, tab.width)
            tab.faces[index, 2 + face] = pattern(half_turn(plan), tab.width)
    for index, special in enumerate(edition.special_rooms):
        tab.special_rule[index] = st.ROOM_RULES.index(special.rule)
        tab.special_walls[index, 0] = pattern(special.walls, tab.width)
        tab.special_walls[index, 1] = pattern(half_turn(special.walls), tab.width)
    for index, book in enumerate(edition.grimoires):
        _pack_book(book, specials, tab.books[index])


def _pack_board(edition: Edition, rules: Rules, players: int, tab: Any) -> None:
    deep, broad = len(edition.rooms[0].front), len(edition.rooms[0].front[0])
    columns = rules.columns(players)
    width, rows = columns * broad, rules.room_rows * deep
    spaces = range(rows * width)
    tab.n_rooms, tab.n_spaces, tab.n_rows, tab.width = rules.room_rows * columns, len(spaces), rows, width
    tab.deep, tab.broad = deep, broad
    tab.whole = words(spaces)
    tab.inner = words(s for s in spaces if s % width < width - 1)
    tab.first_row = words(range(width))
    tab.last_row = words(range(len(spaces) - width, len(spaces)))
    tab.outline = sum(1 << r * width + c for r in range(deep) for c in range(broad))
    for room in range(tab.n_rooms):
        tab.corner[room] = room // columns * deep * width + room % columns * broad
    for s in spaces:
        tab.room_of[s] = s // width // deep * columns + s % width // broad


def words(spaces: Any) -> tuple[int, int]:
    """Return a set of spaces as the two words of the kernels."""
    mask = sum(1 << int(s) for s in spaces)
    return mask & st.FULL, mask >> st.WORD


def half_turn(plan: Sequence[str]) -> list[str]:
    """Return a plan turned by 180 degrees: north becomes south, east becomes west."""
    turned = [f"{(digit << 2 | digit >> 2) & 15:x}" for row in plan[::-1] for digit in (int(c, 16) for c in row[::-1])]
    return ["".join(turned[i : i + len(plan[0])]) for i in range(0, len(turned), len(plan[0]))]


def pattern(plan: Sequence[str], width: int) -> list[int]:
    """Return the walls of a plan by direction, as sets of spaces of the room in position 0."""
    return [
        sum(
            1 << r * width + c
            for r, row in enumerate(plan)
            for c, digit in enumerate(row)
            if int(digit, 16) >> direction & 1
        )
        for direction in range(4)
    ]


def _pack_book(book: Grimoire, specials: Sequence[str], packed: Any) -> None:
    leader = book.leader
    for name, steps in (("steps", book.steps), ("before", leader.before), ("after", leader.after)):
        packed[f"n_{name}"] = len(steps)
        for position, step in enumerate(steps):
            packed[name][position] = _packed(step, specials)
    packed.scope = st.SCOPES.index(leader.scope)
    packed.bonus, packed.penalty, packed.crossings = leader.bonus_move, leader.move_penalty, leader.wall_pass
    packed.passing, packed.immune = int(leader.pass_apprentices), int(leader.ignore_special_rooms)
    packed.shakes = int(leader.random_rotate)
    packed.banned = sum(1 << st.OPS.index(op) for op in set(leader.forbids))
    packed.worth = sum(_worth(step) for step in book.steps)
    packed.badge_worth = _badge_worth(leader)


def _packed(step: Any, specials: Sequence[str]) -> tuple[int, int, int, int]:
    n, other = 0, 0
    match step:
        case Move() | IgnoreWalls() | Sidestep():
            n = step.up_to
        case Flip() | Rotate():
            n = st.TARGETS.index(step.target)
        case Place():
            n = specials.index(step.room)
        case Teleport():
            n, other = st.REACHES.index(step.to), int(step.who == "other")
        case Swap():
            n = st.PARTNERS.index(step.partner)
    return st.OPS.index(step.op), n, other, int(getattr(step, "may", False))


def _worth(step: Any) -> float:
    """Return about how many spaces a step saves where the way is long enough: a help for strategies, no rule.

    Fitted by eye to the rows that turns of `sprinter` and `hoarder` gain with each book of the reconstruction. A step
    that must be taken and may lead astray, such as a wall to pass, is worth little to them.
    """
    match step:
        case Move():
            return 0.8 * step.up_to
        case IgnoreWalls():
            return 1.3 * step.up_to
        case Straight():
            return 1.9
        case Teleport():
            return 0.7 if step.who == "self" else 0.3
        case Flip() | Swap():
            return 0.3
        case ThroughWall() | Rotate():
            return 0.2
        case _:
            return 0.1


def _badge_worth(leader: Leader) -> float:
    """Return about how many spaces a leader effect saves the own team in a turn, or costs the other: no rule either."""
    own = (
        sum(_worth(step) for step in (*leader.before, *leader.after)) + 0.8 * leader.bonus_move + 1.2 * leader.wall_pass
    )
    own += 0.5 * leader.pass_apprentices + 0.2 * leader.ignore_special_rooms - 0.8 * leader.move_penalty
    return {"team": own, "opponents": -own, "all": 0.0}[leader.scope]
