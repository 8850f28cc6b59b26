"""What an edition of the hunt and the race must contain, and how it is packed for the kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, StringConstraints, model_validator

from simcore.contract import Exposed
from simcore.edition import Component, Element, Id, Model, Pace, require, require_known
from simcore.games.field_guide import boards
from simcore.games.field_guide import state as st

Steps = Annotated[int, Field(ge=1, le=st.STEPS)]
Letter = Annotated[str, StringConstraints(min_length=1, max_length=1)]
Row = Annotated[str, StringConstraints(min_length=1, max_length=26)]
Square = Annotated[str, StringConstraints(max_length=3)]


class Die(Component):
    """The die that everybody rolls."""

    faces: Annotated[list[Steps], Field(min_length=2, max_length=st.FACES, description="number on each face")]


class Table(Component):
    """How many gruzels there are with so many players; one plays all of them, the others a child each."""

    players: Annotated[int, Field(ge=2, le=st.SEATS)]
    gruzels: Annotated[int, Field(ge=1, le=st.GRUZELS)]


class Child(Component):
    """A child; the list is the turn order."""


class ObjectToken(Component):
    """A hidden token; the list is the order in which they must be turned over, the last one is the guide."""


class CageToken(Component):
    """A token that the gruzel player wins with its number."""

    number: Steps


class Room(Component):
    """A room of the house."""

    letter: Annotated[Letter, Field(description="letter of its squares on the plan")]
    token: Annotated[Square, Field(description="square where its object token lies")]


class Plan(Component):
    """The floor plan: a letter a square, a point for none; different letters have a wall between them."""

    rows: Annotated[list[Row], Field(min_length=1, max_length=26, description="from the top; letters of rooms")]
    start: Annotated[Square, Field(description="square where the children start: column a, b, ..., row 1, 2, ...")]
    door: Annotated[Square, Field(description="square from which one step leads to the first space of the race")]


class Opening(Component):
    """Where one steps from a room into another."""

    squares: Annotated[list[Square], Field(min_length=2, max_length=2, description="two squares that it joins")]
    secret: Annotated[bool, Field(description="joins squares that are not neighbours")] = False


class Space(Component):
    """A space of the race; on both paths, it is a crossing."""

    tags: Annotated[
        list[Literal["red", "swords"]],
        Field(default=[], description="red: bad for who is not on the own path; swords: a fight against anyone"),
    ]


class Path(Component):
    """The way of one side, from the first space outside (or the camp) to the finish."""

    side: Literal["children", "gruzels"]
    spaces: Annotated[list[Id], Field(min_length=5, max_length=st.SPACES)]


class Forward(Element):
    """Pieces move forward; then they land."""

    op: Literal["forward"]
    who: Literal["self", "bearer_child", "any_child", "all_children", "any_gruzel", "all_gruzels"]
    steps: Steps


class Back(Element):
    """Pieces move back; then they land."""

    op: Literal["back"]
    who: Literal["self", "bearer_child", "any_child", "all_children", "any_gruzel", "all_gruzels"]
    steps: Steps


class ToCrossing(Element):
    """Pieces move to the next crossing ahead, if any; then they land."""

    op: Literal["to_crossing"]
    who: Literal["self", "bearer_child", "any_child", "all_children", "any_gruzel", "all_gruzels"]


class RollAgain(Element):
    """The piece moved this turn rolls and moves once more, without another card."""

    op: Literal["roll_again"]


class SwapChildren(Element):
    """The child changes places with another one outside; nobody lands."""

    op: Literal["swap_children"]


class GruzelsDraw(Element):
    """The gruzel player takes green cards: fight cards are kept, others discarded unplayed."""

    op: Literal["gruzels_draw"]
    cards: Annotated[int, Field(ge=1, le=9)]


class GruzelsMove(Element):
    """The gruzel player moves one gruzel, forward or back; it lands."""

    op: Literal["gruzels_move"]
    steps: Steps


class LoseCards(Element):
    """Random cards leave a hand."""

    op: Literal["lose_cards"]
    who: Literal["self", "bearer_child", "any_child", "all_children", "gruzels"]
    cards: Annotated[int, Field(ge=1, le=9)]


Effect = Annotated[
    Forward | Back | ToCrossing | RollAgain | SwapChildren | GruzelsDraw | GruzelsMove | LoseCards,
    Field(discriminator="op"),
]


class Card(Component):
    """A card: an action, done at once, or a fight card, kept; one that is neither does nothing."""

    count: Annotated[int, Field(ge=0, le=20, description="copies in the pile")]
    effects: Annotated[list[Effect], Field(default=[], max_length=st.EFFECTS, description="of an action, in order")]


class BlueCard(Card):
    """A card that children draw: an action, or a fight card with a weapon. In effects, self is the child."""

    BLANK: ClassVar[Mapping[str, Any]] = {"effects": [], "weapon": None}

    weapon: Annotated[Id | None, Field(description="kind of a fight card; an action has none")] = None

    @model_validator(mode="after")
    def _is_one_or_the_other(self) -> BlueCard:
        require(self.weapon is None or not self.effects, _ONE_OR_OTHER.format("a weapon"), self.id)
        return self


class GreenCard(Card):
    """A card that the gruzel player draws: an action, or a fight card that wards off. Self is the gruzel moved."""

    BLANK: ClassVar[Mapping[str, Any]] = {"effects": [], "wards": []}

    wards: Annotated[list[Id], Field(default=[], description="weapons that a fight card stops, if kinds count")]

    @model_validator(mode="after")
    def _is_one_or_the_other(self) -> GreenCard:
        require(not self.wards or not self.effects, _ONE_OR_OTHER.format("wards"), self.id)
        swaps = any(effect.op == "swap_children" for effect in self.effects)
        require(
            not swaps, "swap_children is for blue cards: the gruzel player has no child to swap", self.id, "effects"
        )
        return self


_ONE_OR_OTHER = "a card has either effects (an action) or {} (a fight card)"


class Rules(Model):
    """Rule switches and constants."""

    fight_reading: Annotated[
        Literal["printed", "translator"],
        Field(description="who wins if the gruzels cannot ward off the first card: the child, or (note) they (F1)"),
    ]
    warding: Annotated[
        Literal["any", "typed"], Field(description="a ward stops any fight card, or only weapons that it names")
    ]
    token_placement: Annotated[
        Literal["random", "chosen"], Field(description="chosen: the gruzel player sees and places the tokens (H1)")
    ]
    leaving: Annotated[
        Literal["with_guide", "any_time"],
        Field(description="when children may go through the door: once the guide is found, or at any time"),
    ]
    retry_players: Annotated[
        int, Field(ge=0, le=st.SEATS, description="most players with whom a child on token 1 may try again (H8)")
    ]
    retry_roll: Annotated[int, Field(ge=1, le=st.STEPS, description="least roll that it takes to try again (H8)")]
    round_cap: Annotated[int, Field(ge=1, le=10_000, description="rounds after which a game counts as unfinished")]


class Seat(Model):
    """What a scenario says of a player, besides the strategy: nothing, the chair says which piece it is."""


class Edition(Model):
    """Component data of the hunt and the race."""

    rules: Rules
    pace: Pace
    dice: Annotated[list[Die], Field(min_length=1, max_length=1)]
    tables: Annotated[list[Table], Field(min_length=1, max_length=st.SEATS)]
    children: Annotated[list[Child], Field(min_length=1, max_length=st.CHILDREN)]
    object_tokens: Annotated[list[ObjectToken], Field(min_length=2, max_length=st.ROOMS)]
    cage_tokens: Annotated[list[CageToken], Field(max_length=st.CAGES)]
    rooms: Annotated[list[Room], Field(min_length=2, max_length=st.ROOMS)]
    plan: Annotated[list[Plan], Field(min_length=1, max_length=1)]
    openings: list[Opening]
    spaces: Annotated[list[Space], Field(min_length=6, max_length=st.SPACES)]
    paths: Annotated[list[Path], Field(min_length=2, max_length=2)]
    blue_cards: Annotated[list[BlueCard], Field(min_length=1)]
    green_cards: Annotated[list[GreenCard], Field(min_length=1)]

    @model_validator(mode="after")
    def _fits_together(self) -> Edition:
        _check_house(self)
        _check_race(self)
        _check_cards(self)
        return self


def _check_house(edition: Edition) -> None:
    plan = edition.plan[0]
    letters = boards.squares_of(plan.rows)
    known = [room.letter for room in edition.rooms]
    require(len(letters) <= st.SQUARES, f"{len(letters)} squares; {st.SQUARES} are possible", plan.id, "rows")
    for name, letter in letters.items():
        require(letter in known, f"square {name}: letter '{letter}' is no room's", plan.id, "rows")
    for field in ("start", "door"):
        require(getattr(plan, field) in letters, f"'{getattr(plan, field)}' is no square of the plan", plan.id, field)
    for index, room in enumerate(edition.rooms):
        require(room.letter != ".", "a point is no square, so it cannot be a room's letter", room.id, "letter")
        require(room.letter not in known[:index], f"letter '{room.letter}' is another room's, too", room.id, "letter")
        right = letters.get(room.token) == room.letter
        require(right, f"'{room.token}' is no square of this room ({room.letter})", room.id, "token")
        require(room.token != plan.start, "the children start on this square", room.id, "token")
    for opening in edition.openings:
        first, second = opening.squares
        for square in opening.squares:
            require(square in letters, f"'{square}' is no square of the plan", opening.id, "squares")
        inside = letters[first] == letters[second]
        require(not inside, f"{first} and {second} are in one room, where nothing is closed", opening.id, "squares")
        near = boards.are_neighbours(first, second)
        words = f"{first} and {second} are {'' if near else 'no '}neighbours"
        require(near != opening.secret, f"{words}; 'secret' is for squares that are not", opening.id, "squares")
    tokens = len(edition.object_tokens)
    require(tokens <= len(edition.rooms), f"{tokens} object tokens need as many rooms; there are {len(edition.rooms)}")
    house = house_of(edition)
    lost = house.unreachable(plan.start)
    for room in edition.rooms:
        require(room.token not in lost, f"no rolls from {plan.start} ever end on {room.token}", room.id, "token")
    require("" not in lost, f"no rolls from {plan.start} ever lead out of the door", plan.id, "door")
    most = max(_choices(house, square, roll) for square in range(len(house.names)) for roll in house.rolls)
    require(most <= st.ACTIONS, f"a roll gives {most} choices; {st.ACTIONS} are possible", plan.id, "rows")


def _choices(house: boards.House, square: int, roll: int) -> int:
    """Return at least as many as a child may choose from in the house: squares, ways out and staying."""
    return house.inside(square, roll).bit_count() + st.TARGETS * house.exits(square, roll).bit_count() + 1


def _check_race(edition: Edition) -> None:
    known = [space.id for space in edition.spaces]
    sides = [path.side for path in edition.paths]
    require(sides[0] != sides[1], f"both paths are of the {sides[0]}", edition.paths[1].id, "side")
    for path in edition.paths:
        for index, name in enumerate(path.spaces):
            require_known("space", name, known, path.id, "spaces")
            require(name not in path.spaces[:index], f"space '{name}' is on this path twice", path.id, "spaces")
    crossings = set(edition.paths[0].spaces) & set(edition.paths[1].spaces)
    for path in edition.paths:
        for name in (*path.spaces[:2], *path.spaces[-2:]):
            message = f"'{name}' is one of the first or last two of a path and cannot be a crossing"
            require(name not in crossings, message, path.id, "spaces")
    for space in edition.spaces:
        on = [path for path in edition.paths if space.id in path.spaces]
        require(bool(on), "this space is on no path", space.id)
        require(len(set(space.tags)) == len(space.tags), "a tag is given twice", space.id, "tags")
        is_red = "red" in space.tags
        require(
            len(on) == 1 or not is_red, "a crossing is on everybody's own path: red means nothing", space.id, "tags"
        )
        ends = {on[0].spaces[-1], on[0].spaces[0] if on[0].side == "gruzels" else ""}
        require(space.id not in ends or not space.tags, "nobody lands on a finish or in the camp", space.id, "tags")
    race = race_of(edition)
    most = max(*edition.dice[0].faces, *_card_steps(edition))
    for index, space in enumerate(edition.spaces):
        for count in range(1, most + 1):
            for step in (1, -1):
                ways = len(race.reach(index, step, count))
                words = f"{count} steps from here end in {ways} ways in one direction"
                require(ways <= st.TARGETS, f"{words}; {st.TARGETS} are possible", space.id)


def _card_steps(edition: Edition) -> set[int]:
    """Return the numbers of steps that cards name."""
    cards = [*edition.blue_cards, *edition.green_cards]
    return {effect.steps for card in cards for effect in card.effects if hasattr(effect, "steps")}


def _check_cards(edition: Edition) -> None:
    weapons = list(dict.fromkeys(card.weapon for card in edition.blue_cards if card.weapon))
    for green in edition.green_cards:
        for weapon in green.wards:
            require_known("weapon", weapon, weapons, green.id, "wards")
    kinds = len(edition.blue_cards) + len(edition.green_cards)
    require(kinds <= st.KINDS, f"{kinds} kinds of cards; {st.KINDS} are possible")
    for what, cards in (("blue", edition.blue_cards), ("green", edition.green_cards)):
        total = sum(card.count for card in cards)
        require(total <= st.DECK, f"{total} {what} cards; {st.DECK} are possible")
    players = [table.players for table in edition.tables]
    for index, table in enumerate(edition.tables):
        require(
            table.players not in players[:index], f"there is another table for {table.players}", table.id, "players"
        )
        enough = table.players - 1 <= len(edition.children)
        require(enough, f"{table.players} players need {table.players - 1} children", table.id, "players")


# -- the boards as graphs -------------------------------------------------------------------------------------------


def house_of(edition: Edition) -> boards.House:
    """Return the house as a graph."""
    plan = edition.plan[0]
    pairs = tuple((opening.squares[0], opening.squares[1]) for opening in edition.openings)
    spots = tuple(room.token for room in edition.rooms)
    return boards.house(tuple(plan.rows), pairs, plan.door, spots, tuple(edition.dice[0].faces))


def race_of(edition: Edition) -> boards.Race:
    """Return the two paths as a graph, the children's first."""
    number = {space.id: index for index, space in enumerate(edition.spaces)}
    ways = {path.side: tuple(number[name] for name in path.spaces) for path in edition.paths}
    return boards.Race(len(number), (ways["children"], ways["gruzels"]))


# -- a table of players ---------------------------------------------------------------------------------------------


def check_seats(seats: Sequence[Seat], edition: Edition, rules: Rules) -> list[tuple[int | None, str, str]]:
    """Return the problems of a table: (seat, 0-based, or None for the table as a whole; field; message)."""
    known = sorted(table.players for table in edition.tables)
    if len(seats) in known:
        return []
    return [(None, "", f"{len(seats)} players: this edition has tables for {', '.join(map(str, known))}")]


def seat_choices(edition: Edition) -> dict[str, list[str]]:
    """Return the known values of each seat option, for suggestions: there are none."""
    return {}


def seat_label(seat: Seat, edition: Edition) -> str:
    """Return what people call this player; nothing, since the chair says which piece it is."""
    return ""


def exposed(edition: Edition) -> tuple[Exposed, ...]:
    """Return what the bits of the exposure masks are: kinds of cards."""
    blue = [
        Exposed(bit, card.id, card.label, "blue cards", "dealt", drawn=True)
        for bit, card in enumerate(edition.blue_cards)
    ]
    first = len(blue)
    green = [
        Exposed(first + bit, card.id, card.label, "green cards", "dealt", drawn=True)
        for bit, card in enumerate(edition.green_cards)
    ]
    return (*blue, *green)


# -- packing --------------------------------------------------------------------------------------------------------


def pack(edition: Edition, rules: Rules, seats: Sequence[Seat], tab: Any) -> None:
    """Write the constants of one game into the record `tab`. Capacities are checked before."""
    n = len(seats)
    tab.n_children = n - 1
    tab.n_gruzels = next(table.gruzels for table in edition.tables if table.players == n)
    tab.chosen = int(rules.token_placement == "chosen")
    tab.early = int(rules.leaving == "any_time")
    tab.translated = int(rules.fight_reading == "translator")
    for name in ("retry_players", "retry_roll", "round_cap"):
        setattr(tab, name, getattr(rules, name))
    faces, cage = edition.dice[0].faces, [token.number for token in edition.cage_tokens]
    tab.n_faces, tab.n_cage, tab.n_tokens = len(faces), len(cage), len(edition.object_tokens)
    tab.faces[: len(faces)] = faces
    tab.cage[: len(cage)] = cage
    _pack_house(edition, tab)
    _pack_race(edition, tab)
    _pack_cards(edition, rules, tab)


def _pack_house(edition: Edition, tab: Any) -> None:
    house = house_of(edition)
    n = len(edition.rooms)
    tab.n_rooms = n
    tab.start = house.names.index(edition.plan[0].start)
    tab.room_at[:] = st.NONE
    for index, room in enumerate(edition.rooms):
        tab.spot[index] = house.names.index(room.token)
        tab.room_at[tab.spot[index]] = index
    for square in range(len(house.names)):
        for roll in set(house.rolls):
            tab.inside[square, roll] = house.inside(square, roll)
            exits = house.exits(square, roll)
            tab.exits[square, roll] = exits >> 1  # bit s: s steps left over after the one through the door
        tab.turns_to[square, :n] = house.turns[square, :n]
        tab.turns_to[square, st.ROOMS] = house.turns[square, n]


def _pack_race(edition: Edition, tab: Any) -> None:
    race = race_of(edition)
    tab.n_spaces = race.n
    tab.index[:] = st.NONE
    for path, spaces in enumerate(race.paths):
        tab.length[path] = len(spaces)
        tab.finish[path], tab.before[path] = spaces[-1], spaces[-2]
        tab.at[path, : len(spaces)] = spaces
        tab.left[path, : race.n] = race.distances(spaces[-1])
        for position, space in enumerate(spaces):
            tab.index[path, space] = position
        for space in range(race.n):
            tab.ahead[path, space] = race.next_crossing(path, space)
    tab.camp = race.paths[st.ALL_GRUZELS][0]
    tab.first[:] = [race.paths[st.ALL_CHILDREN][0], race.paths[st.ALL_GRUZELS][1]]
    tab.reach[:] = st.END
    for index, place in enumerate(edition.spaces):
        tab.red[index], tab.swords[index] = "red" in place.tags, "swords" in place.tags
        for count in range(st.STEPS + 1):
            for way, step in ((st.FORWARD, 1), (st.BACK, -1)):
                _pack_reach(race.reach(index, step, count), tab.reach[index, way, count])


def _pack_reach(found: Sequence[tuple[int, int]], packed: Any) -> None:
    """Write where a move may end; a crossing to which two paths lead stands there twice. More steps than used: cut."""
    for position, (space, path) in enumerate(found[: st.TARGETS]):
        packed[position] = -1 - space if path == st.ALL_GRUZELS else space


OPS = {
    "forward": st.GO_FORWARD,
    "back": st.GO_BACK,
    "to_crossing": st.TO_CROSSING,
    "roll_again": st.ROLL_AGAIN,
    "swap_children": st.SWAP,
    "gruzels_draw": st.GRUZELS_DRAW,
    "gruzels_move": st.GRUZELS_MOVE,
    "lose_cards": st.LOSE_CARDS,
}
WHO = {
    "self": st.DRAWER,
    "bearer_child": st.BEARER,
    "any_child": st.ANY_CHILD,
    "all_children": st.ALL_THE_CHILDREN,
    "any_gruzel": st.ANY_GRUZEL,
    "all_gruzels": st.ALL_THE_GRUZELS,
    "gruzels": st.ALL_THE_GRUZELS,
}


def _pack_cards(edition: Edition, rules: Rules, tab: Any) -> None:
    blue, green = edition.blue_cards, edition.green_cards
    tab.first_kind[:] = [0, len(blue), len(blue) + len(green)]
    for index, card in enumerate((*blue, *green)):
        packed = tab.kinds[index]
        packed.count = card.count
        packed.n_effects = len(card.effects)
        packed.fight = int(bool(getattr(card, "weapon", None) or getattr(card, "wards", ())))
        for position, effect in enumerate(card.effects):
            who = WHO[getattr(effect, "who", "self")]
            amount = getattr(effect, "steps", getattr(effect, "cards", 0))
            packed.effects[position] = (OPS[effect.op], who, amount)
        if isinstance(card, GreenCard) and card.wards:
            stopped = [rules.warding == "any" or weapon.weapon in card.wards for weapon in blue]
            packed.wards = sum(1 << k for k, weapon in enumerate(blue) if weapon.weapon is not None and stopped[k])
