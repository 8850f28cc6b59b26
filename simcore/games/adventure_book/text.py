"""Positions, actions and events of the book in words and as plain data, for traces. Plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from simcore.contract import Event, Names
from simcore.games.adventure_book.chapters import Chapter
from simcore.games.adventure_book.primitives import ICONS
from simcore.games.adventure_book.state import (
    CARD,
    CHALLENGE,
    COMPLETED,
    ELSE,
    END,
    FETCHING,
    GIVING,
    MIRACLE_SPECIAL,
    MIRACLE_STORY,
    MOVING,
    NONE,
    NUMBER,
    PAYING,
    RULE,
    SPECIAL,
    STEP,
    TELLING,
    TRADE,
    TURNED,
    WALKING,
    WAYS,
)

# -- what things are called -----------------------------------------------------------------------------------------


def card_label(names: Names, kind: int) -> str:
    """Return what a kind of card is called."""
    if kind < len(ICONS):
        card = next((each for each in names.edition.story_cards if each.icon == ICONS[kind]), None)
        return str(card.label) if card else ICONS[kind]
    return str(names.edition.special_cards[kind - len(ICONS)].label)


def _card_id(names: Names, kind: int) -> str:
    return ICONS[kind] if kind < len(ICONS) else str(names.edition.special_cards[kind - len(ICONS)].id)


def _chapter(state: Any, names: Names) -> Chapter:
    chapter: Chapter = names.edition.chapters[int(state.play.chapter)]
    return chapter


def _space(chapter: Chapter, space: int) -> str:
    return "beside the board" if space == NONE else chapter.spaces[space].label


def _hand(state: Any, seat: int) -> list[int]:
    return [kind for kind in range(int(state.tab.n_kinds)) for _ in range(int(state.play.hand[seat, kind]))]


def _cards(names: Names, kinds: Sequence[int]) -> str:
    return ", ".join(card_label(names, kind) for kind in kinds) or "none"


def _seats(state: Any) -> range:
    return range(int(state.tab.n_seats))


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(64) if int(mask) >> bit & 1]


# -- the contract ---------------------------------------------------------------------------------------------------


def describe(state: Any, names: Names) -> dict[str, Any]:
    """Return the position as plain data, hands and piles and all; cards from the bottom of each pile."""
    play = state.play
    chapter = _chapter(state, names)
    plot = [card.number for card in names.edition.plot_cards]
    spaces = [space.id for space in chapter.spaces]
    return {
        "chapter": chapter.id,
        "try": int(play.attempt) + 1,
        "turn": int(play.turn),
        "replays_used": int(play.replays),
        "active": int(play.active) + 1,
        "figures": {
            figure.id: spaces[int(play.space[index])] if play.space[index] != NONE else None
            for index, figure in enumerate(chapter.figures)
        },
        "counters": {counter.id: int(play.counter[index]) for index, counter in enumerate(chapter.counters)},
        "pieces": {space: int(play.pieces[index]) for index, space in enumerate(spaces) if play.pieces[index]},
        "tiles": {
            space: {"tile": chapter.tiles[int(play.tile[index])].id, "face_up": bool(int(play.up) >> index & 1)}
            for index, space in enumerate(spaces)
            if play.tile[index] != NONE
        },
        "done": [chapter.challenges[index].id for index in _bits(play.done)],
        "miracles": int(play.miracles),
        "star": spaces[int(play.star)] if play.star != NONE else None,
        "hands": [[_card_id(names, kind) for kind in _hand(state, seat)] for seat in _seats(state)],
        "story": [_card_id(names, int(kind)) for kind in play.pile[: int(play.n_pile)]],
        "discard": {
            _card_id(names, kind): int(play.discard[kind])
            for kind in range(int(state.tab.n_kinds))
            if play.discard[kind]
        },
        "specials": [_card_id(names, int(kind)) for kind in play.specials[: int(play.n_special)]],
        "plot": [plot[int(number)] for number in play.plot[: int(play.n_plot)]],
    }


def describe_action(state: Any, action: int, names: Names) -> str:
    """Return what the acting seat does, as a sentence."""
    return f"{names.players[int(state.play.seat)]} {_deed(state, action, names)}"


def _deed(state: Any, action: int, names: Names) -> str:
    """Return what is done, to follow the name of the player."""
    play = state.play
    chapter = _chapter(state, names)
    if action == END:
        if play.phase == TELLING:
            return "ends the telling"
        return "stops moving" if play.phase in (MOVING, WALKING) else "uses nothing"
    if action == ELSE:
        toll = chapter.tiles[int(play.target)].toll.otherwise
        label = next(counter.label for counter in chapter.counters if toll and counter.id == toll.counter)
        return f"pays nothing: {label} goes up"
    if action in (MIRACLE_STORY, MIRACLE_SPECIAL):
        return f"uses a Miracle for {'Story cards' if action == MIRACLE_STORY else 'a Special'}"
    if action < RULE:
        return f"tells {chapter.challenges[action - CHALLENGE].label}"
    if action < TRADE:
        return f"does {chapter.actions[(action - RULE) // WAYS].label}"
    if action < SPECIAL:
        return f"trades with {names.players[action - TRADE]}"
    if action < CARD:
        against = " against the plot" if play.phase == TURNED else ""
        return f"plays {card_label(names, action - SPECIAL)}{against}"
    if action < NUMBER:
        card = card_label(names, action - CARD)
        verb = "gives" if play.phase == GIVING else "discards" if play.phase == PAYING else "gets"
        return f"takes {card} from the discards" if play.phase == FETCHING else f"{verb} {card}"
    if action < STEP:
        return f"lays plot {names.edition.plot_cards[action - NUMBER].number} back"
    figure, space = chapter.figures[(action - STEP) // 32], chapter.spaces[(action - STEP) % 32]
    return f"moves {figure.label} to {space.label}"


def _deed_kind(action: int) -> str:
    for limit, kind in (
        (ELSE, "end"), (MIRACLE_STORY, "otherwise"), (CHALLENGE, "miracle"), (RULE, "challenge"), (TRADE, "action"),
        (SPECIAL, "trade"), (CARD, "special"), (NUMBER, "card"), (STEP, "plot-order"),
    ):  # fmt: skip
        if action < limit:
            return kind
    return "step"


def sort_of_action(state: Any, action: int) -> str:
    """Return what sort of action it is, as reports count them."""
    phase = int(state.play.phase)
    kind = _deed_kind(action)
    if kind == "end":
        return {TELLING: "ends the telling", MOVING: "stops moving", WALKING: "stops moving"}.get(phase, "uses nothing")
    if kind == "card":
        return {FETCHING: "fetches a card", GIVING: "gives a card", PAYING: "pays a card"}.get(phase, "gets a card")
    return {
        "otherwise": "pays nothing",
        "miracle": "uses a Miracle",
        "challenge": "tells a challenge",
        "action": "does a chapter action",
        "trade": "trades",
        "special": "plays a Special",
        "plot-order": "orders the plot",
    }.get(kind, "moves a figure")


def describe_change(before: Any, action: int, after: Any, names: Names) -> list[Event]:
    """Return what everybody sees happen between two positions; with `before` None, how the game starts."""
    if before is None:
        return [*_setup(after, names), _turn(after, names)]
    rounds = int(before.play.rounds)
    told = []
    play = before.play
    if action != END:
        player = names.players[int(play.seat)]
        data = {"seat": int(play.seat) + 1, "action": int(action)}
        told.append(Event(_deed_kind(action), "Turns", (player, _deed(before, action, names)), rounds, data))
    if _same_try(before, after):
        told += _consequences(before, action, after, names, rounds)
        if after.play.turns > play.turns:
            told += [*_hands(before, after, names, rounds), _turn(after, names)]
    else:
        told += _try_ended(before, after, names, rounds)
        if not after.play.over:
            told += [*_setup(after, names), _turn(after, names)]
    return told


def _same_try(before: Any, after: Any) -> bool:
    same = (int(before.play.at), int(before.play.attempt)) == (int(after.play.at), int(after.play.attempt))
    return same and not after.play.over


def _setup(state: Any, names: Names) -> Iterator[Event]:
    """Tell how a chapter begins."""
    play = state.play
    chapter = _chapter(state, names)
    rounds = int(play.rounds)
    number = int(play.chapter) + 1
    again = ", again" if play.attempt else ""
    data = {"chapter": chapter.id, "number": number, "try": int(play.attempt) + 1}
    yield Event("chapter", "Chapter", (f"{number}. {chapter.label}{again}.",), rounds, data)
    places = [
        f"{figure.label} at {_space(chapter, int(play.space[index]))}"
        for index, figure in enumerate(chapter.figures)
        if play.space[index] != NONE
    ]
    yield Event("board", "Board", (f"{'; '.join(places)}.",), rounds, {"figures": describe(state, names)["figures"]})
    for seat in _seats(state):
        yield _hand_event(state, seat, names, rounds)


def _hand_event(state: Any, seat: int, names: Names, rounds: int) -> Event:
    kinds = _hand(state, seat)
    if state.tab.hands_open:
        data = {"seat": seat + 1, "cards": [_card_id(names, kind) for kind in kinds]}
        return Event("hand", "Hands", (names.players[seat], _cards(names, kinds)), rounds, data)
    shown = f"{len(kinds)} card{'' if len(kinds) == 1 else 's'}"
    return Event("hand", "Hands", (names.players[seat], shown), rounds, {"seat": seat + 1, "count": len(kinds)})


def _turn(state: Any, names: Names) -> Event:
    play = state.play
    left = int(play.n_plot)
    text = f"Turn {int(play.turn)}: {names.players[int(play.active)]}; {left} plot card{'' if left == 1 else 's'} left."
    return Event("turn", "Turn", (text,), int(play.rounds), {"seat": int(play.active) + 1, "turn": int(play.turn)})


def _consequences(before: Any, action: int, after: Any, names: Names, rounds: int) -> Iterator[Event]:
    """Tell what changed on the board besides the action itself."""
    old, new = before.play, after.play
    yield from _drawn(before, action, after, names, rounds)
    told = (action - STEP) // 32 if action >= STEP and old.phase != TELLING else NONE
    chapter = _chapter(after, names)
    gone = [index for index in range(int(after.tab.n_numbers)) if int(new.plot_gone[index]) > int(old.plot_gone[index])]
    for index in gone:
        number = names.edition.plot_cards[index].number
        yield Event("plot", "Plot", (f"Plot card {number} is turned.",), rounds, {"number": number})
    for index, figure in enumerate(chapter.figures):
        if old.space[index] != new.space[index] and (index != told or int(new.space[index]) != (action - STEP) % 32):
            where = _space(chapter, int(new.space[index]))
            data = {"figure": figure.id, "space": chapter.spaces[int(new.space[index])].id}
            yield Event("figure", "Board", (f"{figure.label}: {where}.",), rounds, data)
    for index, counter in enumerate(chapter.counters):
        if old.counter[index] != new.counter[index]:
            shown = int(new.counter[index])
            yield Event(
                "counter", "Board", (f"{counter.label}: {shown}.",), rounds, {"counter": counter.id, "is": shown}
            )
    for index, space in enumerate(chapter.spaces):
        if int(old.up) >> index & 1 and not int(new.up) >> index & 1:
            tile = chapter.tiles[int(old.tile[index])]
            data = {"tile": tile.id, "space": space.id}
            yield Event("tile", "Board", (f"{tile.label} at {space.label} is turned face down.",), rounds, data)
    if new.miracles > old.miracles:
        yield Event("miracle-taken", "Board", ("A Miracle is picked up.",), rounds, {"miracles": int(new.miracles)})


def _drawn(before: Any, action: int, after: Any, names: Names, rounds: int) -> Iterator[Event]:
    """Tell the cards that come to a hand from a pile; the action itself tells of those that are chosen."""
    kind = _deed_kind(action)
    if kind == "card" and before.play.phase != PAYING:
        return
    used = {"card": [action - CARD], "special": [action - SPECIAL]}.get(kind, [])
    for seat in _seats(after):
        held = Counter(_hand(before, seat))
        held.subtract(used if seat == before.play.seat else [])
        drawn = sorted((Counter(_hand(after, seat)) - held).elements())
        if not drawn:
            continue
        data: dict[str, Any] = {"seat": seat + 1, "count": len(drawn)}
        shown = f"{len(drawn)} card{'' if len(drawn) == 1 else 's'}"
        if after.tab.hands_open:
            data["cards"] = [_card_id(names, kind) for kind in drawn]
            shown = _cards(names, drawn)
        yield Event("draw", "Hands", (names.players[seat], f"draws {shown}"), rounds, data)


def _hands(before: Any, after: Any, names: Names, rounds: int) -> Iterator[Event]:
    """Tell the hand of who has had a turn."""
    yield _hand_event(after, int(before.play.active), names, rounds)


def _try_ended(before: Any, after: Any, names: Names, rounds: int) -> Iterator[Event]:
    """Tell how a try of a chapter ended."""
    old, new = before.play, after.play
    chapter = _chapter(before, names)
    number = int(old.chapter)
    if new.won[number] > old.won[number]:
        text = f"{chapter.label} is completed in turn {int(new.turns_of[number])}."
        yield Event("completed", "Chapter", (text,), rounds, {"chapter": chapter.id})
    causes = ["the plot ran out", *(defeat.label for defeat in chapter.defeats)]
    for index, cause in enumerate(causes):
        if new.lost[number, index] > old.lost[number, index]:
            text = f"{chapter.label} is interrupted: {cause}."
            yield Event("interrupted", "Chapter", (text,), rounds, {"chapter": chapter.id, "cause": cause})
    if new.over:
        won = int(new.reason) == COMPLETED
        text = "The book is completed." if won else "The book has won." if new.reason else "The game is broken off."
        yield Event("end", "Result", (text,), rounds, {"completed": won})
