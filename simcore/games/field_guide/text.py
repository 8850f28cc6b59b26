"""Positions, actions and events of the hunt and the race in words and as plain data, for traces. Plain Python.

One action may settle many things: a fight, a card, the next seat's roll. What is told is read off a copy of the
position on which the rules settle one thing after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simcore.contract import Event, Names
from simcore.games.field_guide import boards, components
from simcore.games.field_guide import state as st
from simcore.games.field_guide.rules import answer, pending, settle

# -- what things are called -----------------------------------------------------------------------------------------


def _cards(names: Names) -> list[Any]:
    return [*names.edition.blue_cards, *names.edition.green_cards]


def _card(names: Names, kind: int) -> str:
    return str(_cards(names)[kind].label)


def _space(names: Names, space: int) -> str:
    return str(names.edition.spaces[space].label)


def _room(names: Names, room: int) -> str:
    return str(names.edition.rooms[room].label)


def _square(names: Names, square: int) -> str:
    """Return a square as people say it: ``d3 (Hall)``."""
    name = components.house_of(names.edition).names[square]
    letters = boards.squares_of(names.edition.plan[0].rows)
    room = next(room.label for room in names.edition.rooms if room.letter == letters[name])
    return f"{name} ({room})"


def _token(names: Names, number: int) -> str:
    return f"number {number}, {names.edition.object_tokens[number - 1].label}"


def _piece(state: Any, piece: int, names: Names) -> str:
    """Return a child by the name of its player, a gruzel by number, if there are several."""
    if piece < st.CHILDREN:
        return names.players[piece]
    return f"gruzel {piece - st.CHILDREN + 1}" if state.tab.n_gruzels > 1 else "the gruzel"


def _piece_id(names: Names, piece: int) -> str:
    if piece < st.CHILDREN:
        return str(names.edition.children[piece].id)
    return f"gruzel-{piece - st.CHILDREN + 1}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _bits(mask: Any) -> list[int]:
    return [bit for bit in range(32) if int(mask) >> bit & 1]


def _hands(state: Any) -> range:
    return range(int(state.tab.n_seats))


def _pieces(state: Any) -> list[int]:
    tab = state.tab
    return [*range(int(tab.n_children)), *range(st.CHILDREN, st.CHILDREN + int(tab.n_gruzels))]


def _holder(state: Any, names: Names) -> str | None:
    guide = int(state.play.guide)
    if guide == st.NONE:
        return None
    return "gruzels" if guide == st.HELD_BY_GRUZELS else _piece_id(names, guide)


# -- the contract ---------------------------------------------------------------------------------------------------


def describe(state: Any, names: Names) -> dict[str, Any]:
    """Return the position as plain data, hidden tokens and hands and all; everything by id."""
    play, edition = state.play, names.edition
    house = components.house_of(edition)
    pieces = []
    for piece in _pieces(state):
        space = int(play.space[piece])
        inside = space == st.NONE
        pieces.append(
            {
                "piece": _piece_id(names, piece),
                "square": house.names[play.square[piece]] if inside else None,
                "space": None if inside else edition.spaces[space].id,
            }
        )
    hands = [
        {
            "seat": seat + 1,
            "cards": {card.id: int(play.hand[seat, k]) for k, card in enumerate(_cards(names)) if play.hand[seat, k]},
        }
        for seat in _hands(state)
    ]
    tokens = {
        edition.rooms[room].id: {"number": int(play.token[room]), "shown": int(play.known[room]) == st.EVERYBODY}
        for room in range(int(state.tab.n_rooms))
        if play.token[room]
    }
    return {
        "pieces": pieces,
        "guide": _holder(state, names),
        "tokens": tokens,
        "hands": hands,
        "cage": {"in_front": [int(state.tab.cage[token]) for token in _bits(play.cage)], "won": int(play.won)},
        "piles": {"blue": int(play.n_stock[0]), "green": int(play.n_stock[1])},
    }


def describe_action(state: Any, action: int, names: Names) -> str:
    """Return what the acting seat does, as a sentence."""
    play = state.play
    player = names.players[play.seat]
    phase = play.phase
    if action >= st.MOVE:
        piece, space = divmod(action - st.MOVE, st.STRIDE)
        if phase == st.HOUSE:
            return f"{player} leaves the house and goes to {_space(names, space)}"
        here, there = _space(names, int(play.space[piece])), _space(names, space)
        if here == there:
            return f"{player} stays at {here}" if piece < st.CHILDREN else f"{player} leaves gruzels where they are"
        if piece < st.CHILDREN:
            return f"{player} goes from {here} to {there}"
        return f"{player} moves {_piece(state, piece, names)} from {here} to {there}"
    if phase == st.HOUSE:
        if action == st.STAY:
            return f"{player} stays"
        return f"{player} walks to {_square(names, action)}"
    if phase == st.CHAIN:
        if action == st.STOP:
            return f"{player} turns no other token over"
        return f"{player} turns over the token in the {_room(names, action - st.TURN)}"
    if phase == st.LAYING:
        return f"{player} lays {_token(names, int(play.next))}, in the {_room(names, action - st.LAY)}"
    if phase == st.CARRYING:
        return f"{names.players[action - st.CARRY]} carries the guide"
    if phase == st.OPPONENT:
        return f"{player} fights {_piece(state, action - st.FIGHT, names)}"
    if phase == st.TARGET:
        return f"{player} chooses {_piece(state, action - st.AIM, names)}"
    if phase == st.CAGE:
        return f"{player} {'spends' if action == st.SPEND else 'keeps'} a cage token"
    if action == st.PASS:
        return f"{player} plays no card"
    return f"{player} plays {_card(names, action - st.CARD)}"


def sort_of_action(state: Any, action: int) -> str:
    """Return what sort of action it is, as reports count them."""
    phase = int(state.play.phase)
    if action >= st.MOVE:
        piece = (action - st.MOVE) // st.STRIDE
        return "leaves the house" if phase == st.HOUSE else "moves a child" if piece < st.CHILDREN else "moves a gruzel"
    if phase == st.HOUSE:
        return "stays in the house" if action == st.STAY else "walks in the house"
    if phase == st.CHAIN:
        return "turns no other token over" if action == st.STOP else "turns a token over"
    if phase == st.CAGE:
        return "spends a cage token" if action == st.SPEND else "keeps a cage token"
    named = {
        st.LAYING: "lays a token",
        st.CARRYING: "hands the guide over",
        st.OPPONENT: "chooses an opponent",
        st.TARGET: "aims a card",
    }
    return named.get(phase) or ("plays no fight card" if action == st.PASS else "plays a fight card")


def describe_change(before: Any, action: int, after: Any, names: Names) -> list[Event]:
    """Return what everybody sees happen between two positions; with `before` None, how the game starts."""
    told: list[Event] = []
    if before is None:
        position = after.copy()
        told += _start(after, names)
        if after.play.phase != st.LAYING:
            told += _first_turn(position, names)
        return told
    position = before.copy()
    told += _acted(position, action, names)
    answered = position.copy()
    answer(answered, action)
    told += _shown(position, action, answered, names)
    while answered.play.phase == st.FREE and not answered.play.over:
        position = answered.copy()
        settle(answered)
        told += _settled(position, answered, names)
    return told


# -- before the first round -----------------------------------------------------------------------------------------


def _start(state: Any, names: Names) -> Iterator[Event]:
    tab, play = state.tab, state.play
    keeper = names.players[int(tab.n_children)]
    numbers = [int(tab.cage[token]) for token in range(int(play.cage_taken))]
    gruzels = "One gruzel waits" if tab.n_gruzels == 1 else f"{int(tab.n_gruzels)} gruzels wait"
    cage = f"cage token{'s' * (len(numbers) != 1)} {_listed(numbers)} can be won"
    text = f"{gruzels} in the camp; {cage}."
    yield Event("setup", keeper, (text,), 0, {"gruzels": int(tab.n_gruzels), "cage": numbers})
    rooms = [room for room in range(int(tab.n_rooms)) if play.token[room]]
    if rooms:
        text = f"Object tokens lie face down in the {_listed([_room(names, room) for room in rooms])}."
        yield Event("tokens", "House", (text,), 0, {"rooms": [names.edition.rooms[room].id for room in rooms]})


def _first_turn(state: Any, names: Names) -> Iterator[Event]:
    """Tell the first roll, which the rules have settled before anybody chose."""
    play = state.play
    yield _event(state, "roll", names, f"rolls {int(play.die)}.", die=int(play.die))


def _listed(words: list[Any]) -> str:
    texts = [str(word) for word in words] or ["none"]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


# -- what a seat does -----------------------------------------------------------------------------------------------


def _event(state: Any, kind: str, names: Names, text: str, **data: Any) -> Event:
    """Return an event of the turn of the active seat, whose player is its heading."""
    active = min(int(state.play.active), int(state.tab.n_children))
    tag = names.players[active] if state.play.in_turn or kind in ("roll", "extra") else "Children"
    return Event(kind, tag, (_capital(text),), int(state.play.rounds), {"seat": active + 1, **data})


def _acted(state: Any, action: int, names: Names) -> Iterator[Event]:
    """Tell the action itself, as everybody sees it."""
    play = state.play
    phase, seat = play.phase, int(play.seat)
    sentence = describe_action(state, action, names)
    data: dict[str, Any] = {"by": seat + 1}
    if phase == st.LAYING:
        room = names.edition.rooms[action - st.LAY]
        text = f"{names.players[seat]} lays a token in the {room.label}, face down."
        yield Event("lay", "House", (text,), int(play.rounds), {"room": room.id})
        return
    if action >= st.MOVE:
        piece, space = divmod(action - st.MOVE, st.STRIDE)
        data |= {"piece": _piece_id(names, piece), "space": names.edition.spaces[space].id}
        kind = "move"
    elif phase == st.HOUSE:
        kind = "walk"
        if action != st.STAY:
            data["square"] = components.house_of(names.edition).names[action]
    elif phase in (st.OPPONENT, st.TARGET):
        kind = "choose"
        data["piece"] = _piece_id(names, action - (st.FIGHT if phase == st.OPPONENT else st.AIM))
    elif phase in (st.STRIKE, st.WARD):
        kind = "strike" if phase == st.STRIKE else "ward"
        data["card"] = None if action == st.PASS else _cards(names)[action - st.CARD].id
    else:
        kind = {st.CARRYING: "carry", st.CHAIN: "chain", st.CAGE: "cage"}[int(phase)]
    own = f"{names.players[seat]} "
    short = sentence.removeprefix(own) if seat == int(play.active) and play.in_turn else sentence
    yield _event(state, kind, names, f"{short}.", **data)


def _shown(before: Any, action: int, after: Any, names: Names) -> Iterator[Event]:
    """Tell what the action itself has brought about: tokens that were turned over, the guide, fights, gruzels moved."""
    phase = int(before.play.phase)
    if phase == st.HOUSE and action < st.STAY:
        room = int(before.tab.room_at[action])
        if room != st.NONE and before.play.guide == st.NONE and before.play.token[room]:
            yield _turned(before, room, names)
    if phase == st.CHAIN and action != st.STOP:
        yield _turned(before, action - st.TURN, names)
    if before.play.guide == st.NONE and after.play.guide != st.NONE:
        yield _event(before, "found", names, "finds the field guide.", child=_holder(after, names))
    yield from _fought(before, after, names)
    if phase == st.TARGET:
        yield from _moved(before, after, names, _pieces(before))
        yield from _lost(before, after, names)


def _turned(state: Any, room: int, names: Names) -> Event:
    number = int(state.play.token[room])
    data = {"room": names.edition.rooms[room].id, "number": number}
    return _event(state, "token", names, f"the token in the {_room(names, room)} is {_token(names, number)}.", **data)


# -- what follows ---------------------------------------------------------------------------------------------------


def _settled(before: Any, after: Any, names: Names) -> Iterator[Event]:
    """Tell one thing that the rules have settled."""
    thing = int(pending(before))
    play = after.play
    if thing == st.RESULT:
        yield _result(before, after, names)
    elif thing == st.RETREAT:
        yield from _fell_back(before, after, names)
    elif thing == st.NEW_TURN:
        extra = "rolls {} in an extra turn." if play.extra else "rolls {}."
        yield _event(after, "roll", names, extra.format(int(play.die)), die=int(play.die), extra=bool(play.extra))
        if play.cage_won > before.play.cage_won:
            yield _event(after, "won", names, f"wins cage token {int(play.die)}.", number=int(play.die))
    elif thing == st.LANDING:
        if play.sent_back > before.play.sent_back:
            piece = _bits(before.play.landing)[0]
            text = f"{_piece(after, piece, names)} stands on a red leaf and goes back to the camp."
            yield _event(before, "red", names, text, piece=_piece_id(names, piece))
        yield from _fought(before, after, names)
    elif thing == st.CARD_DUE:
        yield from _drawn(before, after, names)
    else:
        if thing == st.EFFECT and after.play.card == before.play.card and after.play.die != before.play.die:
            yield _event(after, "roll", names, f"rolls {int(play.die)} once more.", die=int(play.die), extra=False)
        yield from _moved(before, after, names, _pieces(before))
        yield from _drawn(before, after, names)
        yield from _lost(before, after, names)


def _moved(before: Any, after: Any, names: Names, pieces: list[int]) -> Iterator[Event]:
    """Tell pieces that a card has moved."""
    for piece in pieces:
        here, there = int(before.play.space[piece]), int(after.play.space[piece])
        if here != there:
            text = f"{_piece(after, piece, names)} goes from {_space(names, here)} to {_space(names, there)}."
            data = {"piece": _piece_id(names, piece), "space": names.edition.spaces[there].id}
            yield _event(before, "moved", names, text, **data)


def _drawn(before: Any, after: Any, names: Names) -> Iterator[Event]:
    """Tell cards that were drawn, fight cards without their names."""
    if after.play.reshuffles > before.play.reshuffles:
        yield _event(before, "reshuffle", names, "a pile is made of its discards.")
    for seat in _hands(after):
        player = names.players[seat]
        who = "" if seat == int(before.play.active) else f"{player} "
        drawn = int(after.play.drawn[seat] - before.play.drawn[seat])
        kept = max(0, int(after.play.n_hand[seat] - before.play.n_hand[seat]))
        if drawn == 1 and after.play.card != before.play.card:
            card = _cards(names)[int(after.play.card)]
            yield _event(before, "card", names, f"{who}draws {card.label}.", card=card.id)
        elif drawn:
            aside = drawn - kept
            parts = [f"keeps {kept} fight card{'s' * (kept != 1)}"] * (kept > 0)
            parts += [f"discards {aside} card{'s' * (aside != 1)} unplayed"] * (aside > 0)
            yield _event(before, "card", names, f"{who}draws and {' and '.join(parts)}.", of=seat + 1, kept=kept)


def _lost(before: Any, after: Any, names: Names) -> Iterator[Event]:
    """Tell cards that an action has taken from hands."""
    for seat in _hands(after):
        cards = _gone(before, after, names, seat)
        if cards:
            text = f"{names.players[seat]} loses {_listed([card.label for card in cards])}."
            yield _event(before, "lost", names, text, of=seat + 1, cards=[card.id for card in cards])


def _gone(before: Any, after: Any, names: Names, seat: int) -> list[Any]:
    """Return the cards that have left a hand, one for each copy."""
    less = before.play.hand[seat] - after.play.hand[seat]
    return [card for kind, card in enumerate(_cards(names)) for _ in range(max(0, int(less[kind])))]


def _fought(before: Any, after: Any, names: Names) -> Iterator[Event]:
    """Tell that a fight has begun."""
    if after.play.child != st.NONE and before.play.child == st.NONE:
        child, gruzel = int(after.play.child), int(after.play.gruzel)
        cards = f"{int(after.play.n_hand[child])} against {int(after.play.n_hand[after.tab.n_children])}"
        text = f"{_piece(after, child, names)} and {_piece(after, gruzel, names)} fight, cards {cards}."
        yield _event(before, "fight", names, text, child=_piece_id(names, child), gruzel=_piece_id(names, gruzel))


def _result(before: Any, after: Any, names: Names) -> Event:
    """Tell who has lost a fight, and whether the guide changes sides."""
    loser = int(before.play.loser)
    winner = int(before.play.child + before.play.gruzel) - loser
    guide = ""
    if after.play.changes > before.play.changes:
        guide = " and loses the guide" if loser < st.CHILDREN else ", and the children have the guide"
    text = f"{_piece(after, loser, names)} loses to {_piece(after, winner, names)}{guide}."
    data: dict[str, Any] = {"loser": _piece_id(names, loser), "winner": _piece_id(names, winner)}
    return _event(before, "result", names, text, **data, guide=_holder(after, names))


def _fell_back(before: Any, after: Any, names: Names) -> Iterator[Event]:
    piece = int(before.play.loser)
    seat = piece if piece < st.CHILDREN else int(before.tab.n_children)
    cards = _gone(before, after, names, seat)
    here, there = int(before.play.space[piece]), int(after.play.space[piece])
    where = f"goes back to {_space(names, there)}" if here != there else f"stays on {_space(names, here)}"
    hand = f" and discards {_listed([card.label for card in cards])}" if cards else ""
    data = {"piece": _piece_id(names, piece), "space": names.edition.spaces[there].id}
    data |= {"cards": [card.id for card in cards]}
    yield _event(before, "back", names, f"{_piece(after, piece, names)} {where}{hand}.", **data)
