"""Positions, actions and events of the library race in words and as plain data, for traces. Plain Python.

Spaces are called by column and row: A1 is the north-west corner. A room is called by its card and that of its spaces
which lies farthest north-west.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simcore.contract import Event, Names
from simcore.games.grimoire_shuffle import state as st
from simcore.games.grimoire_shuffle.books import gifts, leader_of, receiver

TEAM_NAMES = ("red", "blue")
_OWN, _WALLS = "Turns", "Board"


# -- what things are called -----------------------------------------------------------------------------------------


def place_name(state: Any, space: int) -> str:
    """Return what people call a space or an edge: ``C4``, ``the north edge``."""
    if space >= st.NORTH_EDGE:
        return "the north edge" if space == st.NORTH_EDGE else "the south edge"
    row, column = divmod(int(space), int(state.tab.width))
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    name = letters[column % 26] if column < 26 else letters[column // 26 - 1] + letters[column % 26]
    return f"{name}{row + 1}"


def place_id(state: Any, space: int) -> str:
    """Return a place for programs: ``c4``, ``north``, ``south``."""
    if space >= st.NORTH_EDGE:
        return "north" if space == st.NORTH_EDGE else "south"
    return place_name(state, space).lower()


def room_name(state: Any, room: int, names: Names) -> str:
    """Return a room by the card that lies uppermost and its place: ``Room 12 at D3``."""
    special = int(state.play.covered[room])
    labels = names.edition.rooms if special == st.NONE else names.edition.special_rooms
    label = labels[int(state.play.card[room]) if special == st.NONE else special].label
    return f"{label} at {place_name(state, int(state.tab.corner[room]))}"


def book_name(names: Names, book: int) -> str:
    """Return the label of a book."""
    return str(names.edition.grimoires[int(book)].label) if book != st.NONE else "no book"


def _team(seat: int) -> str:
    return TEAM_NAMES[seat % st.TEAMS]


def _edge(heading: int) -> str:
    return "north" if heading == st.NORTH_EDGE else "south"


def _seats(state: Any) -> range:
    return range(int(state.tab.n_seats))


def step_name(step: Any, names: Names) -> str:
    """Return a step of a program in a few words: ``move up to 3``, ``flip another room``."""
    op, n = st.OPS[int(step.op)], int(step.n)
    match op:
        case "move":
            words = f"move up to {n}"
        case "ignore_walls":
            words = f"move up to {n} through walls"
        case "sidestep":
            words = f"sidestep up to {n}"
        case "straight":
            words = "straight line"
        case "through_wall":
            words = "pass a wall"
        case "flip" | "rotate":
            verb = "flip" if op == "flip" else "turn"
            words = f"{verb} {('a room', 'the own room', 'another room')[n]}"
        case "place":
            words = f"lay the {names.edition.special_rooms[n].label}"
        case "clear":
            words = "clear a special room"
        case "teleport":
            where = ("in the row", "in the room")[n]
            words = f"teleport {'another player ' if int(step.other) else ''}{where}"
        case _:
            words = f"swap with {('somebody in the row', 'a teammate', 'an opponent in the row')[n]}"
    return words


# -- the contract ---------------------------------------------------------------------------------------------------


def describe(state: Any, names: Names) -> dict[str, Any]:
    """Return the position as plain data, hidden books and all; components by id, spaces by column and row."""
    play = state.play
    edition = names.edition
    books = [book.id for book in edition.grimoires]
    players = [
        {
            "seat": seat + 1,
            "team": _team(seat),
            "place": None if int(play.lifted) >> seat & 1 else place_id(state, int(play.pos[seat])),
            "heading": _edge(int(play.heading[seat])),
            "trophies": [books[b] for b in range(len(books)) if int(play.trophy_of[b]) == seat],
        }
        for seat in _seats(state)
    ]
    teams = [
        {
            "team": TEAM_NAMES[team],
            "leader": int(leader_of(state, team)) + 1,
            "trophies": int(play.team_trophies[team]),
            "stack": [_slot(state, team, slot, books) for slot in range(int(play.n_stack[team]))],
            "pile": [books[int(play.pile[team, place])] for place in range(int(play.n_pile[team]))],
        }
        for team in range(st.TEAMS)
    ]
    deck = [books[int(play.deck[(int(play.head) + i) % st.BOOKS])] for i in range(int(play.left))]
    return {
        "board": board_lines(state),
        "rooms": [_room(state, room, names) for room in range(int(state.tab.n_rooms))],
        "players": players,
        "teams": teams,
        "deck": deck,
        "sudden": bool(play.sudden),
    }


def _slot(state: Any, team: int, slot: int, books: list[str]) -> dict[str, Any]:
    play = state.play
    book, dest = int(play.stack[team, slot]), int(play.dest[team, slot])
    given = None if dest == st.NONE else "badge" if dest == st.BADGE else dest + 1
    return {
        "book": None if book == st.NONE else books[book],
        "given_to": given,
        "shown": bool(play.shown[team, slot]),
    }


def _room(state: Any, room: int, names: Names) -> dict[str, Any]:
    play = state.play
    face, special = int(play.face[room]), int(play.covered[room])
    return {
        "place": place_id(state, int(state.tab.corner[room])),
        "card": names.edition.rooms[int(play.card[room])].id,
        "face": "back" if face & 1 else "front",
        "turned": bool(face >> 1),
        "covered_by": None if special == st.NONE else names.edition.special_rooms[special].id,
    }


def board_lines(state: Any) -> list[str]:
    """Return the board as text: walls as they count, pawns by seat number, rules of special rooms by letter.

    ``~`` slides, ``s`` stops, ``x`` is blocked.
    """
    tab, play = state.tab, state.play
    width, rows = int(tab.width), int(tab.n_rows)
    pawns = {int(play.pos[seat]): str(seat + 1) for seat in _seats(state) if not int(play.lifted) >> seat & 1}
    lines = [_rim([_open(play.open_n, column) for column in range(width)])]
    for row in range(rows):
        spaces = range(row * width, (row + 1) * width)
        row_of_spaces = [
            (pawns.get(s) or _floor(play, s)) + (" " if _passable(play, s, width) else "|") for s in spaces
        ]
        lines.append("|" + "".join(row_of_spaces))
        lines.append(_rim([_open(play.open_s, s) for s in spaces]))
    return lines


def _open(mask: Any, space: int) -> bool:
    return bool(int(mask[space // st.WORD]) >> space % st.WORD & 1)


def _passable(play: Any, space: int, width: int) -> bool:
    return (space + 1) % width != 0 and _open(play.open_e, space)


def _rim(is_open: list[bool]) -> str:
    return "+" + "+".join(" " if free else "-" for free in is_open) + "+"


def _floor(play: Any, space: int) -> str:
    for mark, mask in (("~", play.slide), ("s", play.stop), ("x", play.blocked)):
        if _open(mask, space):
            return mark
    return "."


def describe_action(state: Any, action: int, names: Names) -> str:
    """Return what the acting seat does, as a sentence."""
    return f"{names.players[int(state.play.seat)]} {_deed(state, action, names)}"


def _deed(state: Any, action: int, names: Names) -> str:
    """Return what an action does, without the player's name."""
    play = state.play
    seat = int(play.seat)
    match int(play.phase):
        case st.DISTRIBUTING:
            return f"gives {_gifts(state, action, names)}"
        case st.KEEPING:
            kept, under = _kept(state, action)
            return f"keeps {book_name(names, kept)}, puts {book_name(names, under)} under the deck"
        case _ if action == st.SKIP:
            return f"leaves out: {step_name(play.program[int(play.step)], names)}"
        case st.MOVING:
            here = int(play.pos[seat])
            if action == here:
                return f"stays at {place_name(state, here)}"
            verb = {st.STRAIGHT: "runs", st.THROUGH_WALL: "passes a wall"}.get(
                int(play.program[int(play.step)].op), "goes"
            )
            return f"{verb} from {place_name(state, here)} to {place_name(state, action)}"
        case st.FLIPPING:
            room, turned = divmod(action - st.FLIP, 2)
            return f"flips {room_name(state, room, names)}, laid down {'turned' if turned else 'as printed'}"
        case st.ARRANGING:
            pawn = next(s for s in _seats(state) if int(play.lifted) >> s & 1)
            whose = "the own pawn" if pawn == seat else f"the pawn of {names.players[pawn]}"
            return f"puts {whose} back at {place_name(state, action)}"
        case st.TURNING:
            return f"turns {room_name(state, action - st.ROTATE, names)}"
        case st.PLACING:
            special = names.edition.special_rooms[int(play.program[int(play.step)].n)].label
            return f"lays the {special} on {room_name(state, action - st.COVER, names)}"
        case st.CLEARING:
            room = int(play.special_at[action - st.CLEAR])
            return f"takes {room_name(state, room, names)} off"
        case st.SENDING:
            whose = "" if int(play.picked) == seat else f"{names.players[int(play.picked)]} "
            return f"teleports {whose}to {place_name(state, action)}"
        case _:
            other = names.players[action - st.PAWN]
            if int(play.program[int(play.step)].op) == st.SWAP:
                return f"changes places with {other}"
            return f"chooses the pawn of {other}"


def _given(state: Any, action: int) -> list[tuple[int, int]]:
    """Return (book, seat that gets it) of a distribution; the seat is `BADGE` for what stays on the badge."""
    play = state.play
    leader = int(play.seat)
    team = leader % st.TEAMS
    count = int(gifts(state, team))
    slots = [(action - st.GIVE) >> (4 - 2 * number) & 3 for number in range(count)]
    seats = [int(receiver(state, leader, number)) for number in range(count)]
    kept = [slot for slot in range(int(play.n_stack[team])) if slot not in slots]
    places = [*zip(slots, seats, strict=True), *((slot, st.BADGE) for slot in kept)]
    return [(int(play.stack[team, slot]), seat) for slot, seat in places]


def _gifts(state: Any, action: int, names: Names) -> str:
    """Return a distribution in words."""
    parts = [
        f"keeps {book_name(names, book)} for the badge"
        if seat == st.BADGE
        else f"{book_name(names, book)} to {names.players[seat]}"
        for book, seat in _given(state, action)
    ]
    return ", ".join(parts) or "nothing"


def _kept(state: Any, action: int) -> tuple[int, int]:
    """Return the book that is kept of two drawn, and the one that goes under the deck."""
    play = state.play
    drawn = [int(play.deck[(int(play.head) + i) % st.BOOKS]) for i in range(2)]
    which = action - st.KEEP
    return drawn[which], drawn[1 - which]


def sort_of_action(state: Any, action: int) -> str:
    """Return what sort of action it is, as reports count them."""
    play = state.play
    phase = int(play.phase)
    if phase not in (st.DISTRIBUTING, st.KEEPING) and action == st.SKIP:
        return "leaves a step out"
    if phase == st.MOVING:
        return "stays" if action == int(play.pos[int(play.seat)]) else "moves"
    return {
        st.DISTRIBUTING: "distributes books",
        st.KEEPING: "keeps a book",
        st.FLIPPING: "flips a room",
        st.ARRANGING: "puts a pawn back",
        st.TURNING: "turns a room",
        st.PLACING: "lays a special room",
        st.CLEARING: "takes a special room off",
        st.SENDING: "teleports",
    }.get(phase, "chooses a pawn")


def describe_change(before: Any, action: int, after: Any, names: Names) -> list[Event]:
    """Return what happens between two positions, secrets marked; with `before` None, how the game starts."""
    if before is None:
        return [*_setup(after, names), *_new_round(after, names)]
    told = list(_step(before, action, after, names))
    over, rounds = bool(after.play.over), int(after.play.rounds) - int(before.play.rounds)
    passed = int(after.play.turns) > int(before.play.turns)  # a round's last turn ends before another has begun
    in_turn, keeps = before.play.phase != st.DISTRIBUTING, after.play.phase == st.KEEPING
    if in_turn and (over or passed or rounds or keeps):
        if before.play.phase != st.KEEPING:
            told += _skipped(before, int(before.play.step) + 1, int(before.play.n_program), names)
            told += _turn_end(before, after, names)
    elif in_turn:
        told += _skipped(before, int(before.play.step) + 1, int(after.play.step), names)
    if over or rounds:
        told += _standings(before, after, names)
    if rounds:
        told += _new_round(after, names)
    if not in_turn and int(after.play.phase) != st.DISTRIBUTING:
        told += _badges(after, names)
    if passed and not over and not rounds:
        told += _turn_start(after, names)
    return told


def _event(kind: str, tag: str, parts: tuple[str, ...], state: Any, **data: Any) -> Event:
    return Event(kind, tag, parts, int(state.play.rounds), data)


def _setup(state: Any, names: Names) -> Iterator[Event]:
    for seat in _seats(state):
        heading = _edge(int(state.play.heading[seat]))
        text = (names.players[seat], f"{_team(seat)}, heads for the {heading} edge")
        yield Event("seat", "Teams", text, 0, {"seat": seat + 1, "team": _team(seat), "heading": heading})
    text_ = "Numbers are pawns by seat; in special rooms ~ slides, s stops, x is blocked. A1 is the north-west corner."
    yield Event("legend", "Note", (text_,), 0, {})


def _new_round(state: Any, names: Names) -> Iterator[Event]:
    """Tell who leads, and show the board."""
    right = int(state.play.right)
    leaders = [right, (right + 1) % int(state.tab.n_seats)]
    first, second = (f"{names.players[seat]} ({_team(seat)})" for seat in leaders)
    text = f"{first}, to the left {second}."
    yield _event("leaders", "Leaders", (text,), state, seats=[seat + 1 for seat in leaders])
    columns = " ".join(place_name(state, column)[:-1] for column in range(int(state.tab.width)))
    yield _event("board", _WALLS, ("", f"={columns}="), state, line=columns)
    for number, line in enumerate(board_lines(state)):
        yield _event("board", _WALLS, (str(number // 2 + 1) if number % 2 else "", line), state, line=line)


def _badges(state: Any, names: Names) -> Iterator[Event]:
    """Tell the books on the badges, if they are shown."""
    for team in range(st.TEAMS):
        for slot in range(int(state.play.n_stack[team])):
            if int(state.play.dest[team, slot]) == st.BADGE and state.tab.advanced:
                book = int(state.play.stack[team, slot])
                parts = (names.players[int(leader_of(state, team))], book_name(names, book))
                yield _event(
                    "badge", "Badges", parts, state, team=TEAM_NAMES[team], book=names.edition.grimoires[book].id
                )


def _turn_start(state: Any, names: Names) -> Iterator[Event]:
    """Tell the book of the turn that has begun, what a random turn did, and the steps that are skipped at once."""
    play = state.play
    seat, book = int(play.seat), int(play.book)
    data = {"seat": seat + 1, "book": None if book == st.NONE else names.edition.grimoires[book].id}
    yield _event("book", _OWN, (names.players[seat], book_name(names, book)), state, **data)
    yield from _skipped(state, 0, int(play.step), names)


def _skipped(state: Any, first: int, last: int, names: Names) -> Iterator[Event]:
    for index in range(first, last):
        step = step_name(state.play.program[index], names)
        yield _event("skip", _OWN, ("", f"skips: {step}"), state, seat=int(state.play.seat) + 1, step=step)


def _secret(before: Any, action: int, names: Names) -> Event:
    """Tell which books the acting seat gives or keeps, which it alone knows (rulings A7 and A8)."""
    books = names.edition.grimoires
    data: dict[str, Any] = {"seat": int(before.play.seat) + 1}
    if before.play.phase == st.DISTRIBUTING:
        data["gifts"] = [
            {"book": books[book].id, "seat": None if seat == st.BADGE else seat + 1}
            for book, seat in _given(before, action)
        ]
    else:
        data["kept"], data["under"] = (books[book].id for book in _kept(before, action))
    return _event("secret", "Secret", (f"{describe_action(before, action, names)}.",), before, **data)


def _step(before: Any, action: int, after: Any, names: Names) -> Iterator[Event]:
    """Tell the action itself: what everybody sees of it, and what the acting seat alone does."""
    play = before.play
    seat = int(play.seat)
    if play.phase == st.DISTRIBUTING:
        yield _event("distribute", "Books", (f"{names.players[seat]} distributes.",), before, seat=seat + 1)
        yield _secret(before, action, names)
    elif play.phase == st.KEEPING:
        yield _event("keep", _OWN, ("", "keeps one of two books drawn"), before, seat=seat + 1)
        yield _secret(before, action, names)
    else:
        yield _event("act", _OWN, ("", _deed(before, action, names)), before, seat=seat + 1, action=int(action))


def _turn_end(before: Any, after: Any, names: Names) -> Iterator[Event]:
    seat = int(before.play.seat)
    if int(after.play.trophies[seat]) > int(before.play.trophies[seat]):
        text = f"wins {book_name(names, int(before.play.book))} as a trophy"
        yield _event("trophy", _OWN, ("", text), before, seat=seat + 1)


def _standings(before: Any, after: Any, names: Names) -> Iterator[Event]:
    for seat in _seats(after):
        place = place_name(after, int(after.play.pos[seat]))
        trophies = int(after.play.trophies[seat])
        cells = (names.players[seat], _team(seat), f"{trophies} troph{'y' if trophies == 1 else 'ies'}", f"at {place}")
        yield _event("standing", "Standing", cells, before, seat=seat + 1, trophies=trophies, place=place)
    if after.play.sudden and not before.play.sudden:
        yield _event("sudden", "Sudden", ("Both teams are complete: the next trophy wins.",), before)
