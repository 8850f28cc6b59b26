"""Positions, actions and events of the drafting game in words and as plain data, for traces. Plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simcore.contract import Event, Names
from simcore.games.as_you_wish.rules import character_points, dark_points, light_points, shown_number
from simcore.games.as_you_wish.state import CONCEALING, FLIP, LENGTH, TAKE, TAKING

POISON = "poison"
SECRET = "Secret"
"""Heading of what not everybody at the table sees."""


# -- what things are called -----------------------------------------------------------------------------------------


def card_name(names: Names, index: int) -> str:
    """Return a card as people say it: ``14 Might, dark 1, 1 poison``."""
    card = names.edition.quest_cards[index]
    parts = [f"{card.number} {_icon(names, card.icon)}"]
    if card.spine != "plain":
        parts.append(f"{card.spine} {card.points}")
    if card.poison:
        parts.append(f"{card.poison} {POISON}")
    return ", ".join(parts)


def _icon(names: Names, icon: str) -> str:
    return str(next(each.label for each in names.edition.icons if each.id == icon))


def _character(state: Any, seat: int, names: Names) -> Any:
    return names.edition.characters[state.play.characters[seat]]


def _number(names: Names, index: int) -> int:
    return int(names.edition.quest_cards[index].number)


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


# -- reading a record -----------------------------------------------------------------------------------------------


def _seats(state: Any) -> range:
    return range(int(state.tab.n_seats))


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(32) if int(mask) >> bit & 1]


def _slots(state: Any) -> range:
    """Return the slots of the offer that lies on the table, or was the last."""
    return range(int(state.tab.n_offer))


def _offered(state: Any, slot: int) -> int:
    return int(state.play.deck[state.play.first + slot])


def _quest(state: Any, seat: int) -> list[tuple[int, bool]]:
    """Return (card, whether it is face up) of a quest, oldest first."""
    play = state.play
    return [
        (int(play.quest[seat, position]), not int(play.hidden[seat]) >> position & 1)
        for position in range(int(play.length[seat]))
    ]


def _points(state: Any, seat: int) -> dict[str, int]:
    return {
        "character": int(character_points(state, seat)),
        "light": int(light_points(state, seat)),
        "dark": int(dark_points(state, seat)),
    }


# -- the contract ---------------------------------------------------------------------------------------------------


def describe(state: Any, names: Names) -> dict[str, Any]:
    """Return the position as plain data, hidden cards and all; cards by id."""
    play = state.play
    cards = names.edition.quest_cards
    players = [
        {
            "seat": seat + 1,
            "character": _character(state, seat, names).id,
            "number": int(shown_number(state, seat)),
            "poison": int(play.poison[seat]),
            "quest": [{"card": cards[index].id, "face_up": up} for index, up in _quest(state, seat)],
            "points": _points(state, seat),
        }
        for seat in _seats(state)
    ]
    offer = [
        {"card": cards[_offered(state, slot)].id, "face_up": not int(play.down) >> slot & 1}
        for slot in _bits(play.open)
    ]
    return {
        "dealer": int(play.dealer) + 1,
        "order": [int(play.order[turn]) + 1 for turn in _seats(state)],
        "offer": offer,
        "players": players,
        "deck": int(state.tab.n_cards - play.drawn),
    }


def describe_action(state: Any, action: int, names: Names) -> str:
    """Return what the acting seat does, as a sentence."""
    play = state.play
    player = names.players[play.seat]
    if play.phase == CONCEALING:
        return f"{player} lays {card_name(names, _offered(state, action))} face down"
    if play.phase == TAKING:
        slot = action - TAKE
        hidden = " from face down" if int(play.down) >> slot & 1 else ""
        return f"{player} takes {card_name(names, _offered(state, slot))}{hidden}"
    return f"{player} turns {card_name(names, int(play.quest[play.seat, action - FLIP]))} down"


def sort_of_action(state: Any, action: int) -> str:
    """Return what sort of action it is, as reports count them."""
    play = state.play
    if play.phase == CONCEALING:
        return "lays a card face down"
    if play.phase == TAKING:
        return "takes a hidden card" if int(play.down) >> action - TAKE & 1 else "takes an open card"
    return "turns a card down"


def describe_change(before: Any, action: int, after: Any, names: Names) -> list[Event]:
    """Return what happens between two positions, secrets marked; with `before` None, how the game starts."""
    if before is None:
        return [*_setup(after, names), *_dealing(after, names)]
    rounds = int(before.play.rounds)
    told = list(_step(before, action, after, names, rounds))
    if after.play.over or after.play.rounds > before.play.rounds:
        told += _leftovers(before, action, names, rounds)
        told += _standings(before, after, names, rounds)
    if after.play.rounds > before.play.rounds:
        told += _dealing(after, names)
    return told


def _setup(state: Any, names: Names) -> Iterator[Event]:
    for seat in _seats(state):
        character = _character(state, seat, names)
        lines = [
            f"{line.points} a {_icon(names, line.icon)} with more than {_count(line.more_than, 'card')}"
            for line in character.scores
        ]
        player, label = names.players[seat], str(character.label)
        who = player if label in player else f"{player} is {label}"
        text = f"{who}: {'; '.join(lines)}."
        data = {"seat": seat + 1, "character": character.id}
        yield Event("character", SECRET if state.tab.secret else "Characters", (text,), 0, data)
    for seat in _seats(state):
        index = int(state.play.quest[seat, 0])
        data = {"seat": seat + 1, "card": names.edition.quest_cards[index].id}
        yield Event("first-card", "First cards", (names.players[seat], card_name(names, index)), 0, data)
    text = "Light and dark cards score their number for each matching icon: in the own quest, beside it."
    yield Event("legend", "Note", (text,), 0, {})


def _dealing(state: Any, names: Names) -> Iterator[Event]:
    """Tell who deals and who takes when, and the offer if nothing of it is laid face down."""
    play = state.play
    order = [int(play.order[turn]) for turn in _seats(state)]
    seats = [f"{names.players[seat]} ({int(play.rank[seat])})" for seat in order]
    data = {"dealer": order[-1] + 1, "order": [seat + 1 for seat in order]}
    text = f"{', '.join(seats[:-1])}, then the dealer, {seats[-1]}."
    yield Event("order", "Order", (text,), int(play.rounds), data)
    if state.tab.n_concealed == 0:
        yield _offer(state, names)


def _offer(state: Any, names: Names) -> Event:
    """Tell the offer as it lies when the dealer is done."""
    down = _bits(state.play.down)
    up = [_offered(state, slot) for slot in _slots(state) if slot not in down]
    parts = [card_name(names, index) for index in up]
    if down:
        parts.append(f"{len(down)} face down")
    data = {"face_up": [names.edition.quest_cards[index].id for index in up], "face_down": len(down)}
    return Event("offer", "Offer", ("; ".join(parts) + ".",), int(state.play.rounds), data)


def _concealed(state: Any, names: Names) -> Event:
    """Tell what lies face down, which the dealer alone knows (ruling 6)."""
    cards = [_offered(state, slot) for slot in _bits(state.play.down)]
    data = {"seat": int(state.play.dealer) + 1, "cards": [names.edition.quest_cards[index].id for index in cards]}
    text = f"Face down: {'; '.join(card_name(names, index) for index in cards)}."
    return Event("concealed", SECRET, (text,), int(state.play.rounds), data)


def _step(before: Any, action: int, after: Any, names: Names, rounds: int) -> Iterator[Event]:
    """Tell the action itself."""
    play = before.play
    seat = int(play.seat)
    player = names.players[seat]
    cards = names.edition.quest_cards
    if play.phase == CONCEALING:
        if after.play.phase != CONCEALING:
            yield _offer(after, names)
            yield _concealed(after, names)
        return
    if play.phase == TAKING:
        slot = action - TAKE
        index = _offered(before, slot)
        hidden = bool(int(play.down) >> slot & 1)
        note = "from face down" if hidden else ""
        data = {"seat": seat + 1, "card": cards[index].id, "face_down": hidden}
        yield Event("take", "Turns", (player, card_name(names, index), note), rounds, data)
        return
    index = int(play.quest[seat, action - FLIP])
    data = {"seat": seat + 1, "card": cards[index].id}
    yield Event("flip", "Turns", ("", f"turns {card_name(names, index)} down", ""), rounds, data)


def _leftovers(before: Any, action: int, names: Names, rounds: int) -> Iterator[Event]:
    """Tell what nobody has taken; what lies face down stays unseen (ruling 24)."""
    gone = {action - TAKE} if before.play.phase == TAKING else set()
    left = [slot for slot in _bits(before.play.open) if slot not in gone]
    down = [slot for slot in left if int(before.play.down) >> slot & 1]
    up = [_offered(before, slot) for slot in left if slot not in down]
    parts = [card_name(names, index) for index in up]
    if down:
        parts.append(f"{_count(len(down), 'card')} unseen")
    if parts:
        data = {"face_up": [names.edition.quest_cards[index].id for index in up], "face_down": len(down)}
        yield Event("left", "Left over", ("; ".join(parts) + ".",), rounds, data)


def _standings(before: Any, after: Any, names: Names, rounds: int) -> Iterator[Event]:
    """Tell every quest at the end of a round: points as they would count now, cards by number."""
    ended = bool(after.play.over) and after.play.reason == LENGTH
    for seat in _seats(after):
        quest = _quest(after, seat)
        points = _points(after, seat)
        shown = " ".join(str(_number(names, index)) if up else f"({_number(names, index)})" for index, up in quest)
        total = _count(sum(points.values()), "point")
        detail = f"{points['character']}+{points['light']}+{points['dark']}" if ended else ""
        cells = (names.players[seat], total, *((detail,) if ended else ()), shown)
        data = {"seat": seat + 1, "points": points, "cards": len(quest)}
        yield Event("score", "Result" if ended else "Quests", cells, rounds, data)
    if ended:
        text = "Points of the character, of light and of dark cards; cards in brackets are turned down."
        yield Event("legend", "Note", (text,), rounds, {})
