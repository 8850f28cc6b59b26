"""Positions, actions and events of the duel in words and as plain data, for traces. Plain Python.

Rules run on from one decision to the next, so one action may resolve cards, score a hit and roll the next round. What
happened is read off the records before and after: the order is that of the rules (`_stages`), the facts are theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from simcore.contract import Event, Names
from simcore.games.hate_to_kill_you.rules import apply
from simcore.games.hate_to_kill_you.state import (
    CANCEL,
    CHOOSE,
    DIE,
    DISCARD,
    DONE,
    DROP_CARD,
    LOSE,
    NO_CARD,
    NONE,
    OWN,
    OWNER,
    RANDOM,
    REROLL,
    RESTORE,
    SEATS,
    SLOTS,
    TURN,
    WON,
)

BLANK = "-"
LAST_STAND = 1  # health at which the Health card is turned over (RB, Scoring a Hit; ruling 27)
VERBS = {REROLL: "reroll", DISCARD: "discard", TURN: "turn"}


# -- what things are called -----------------------------------------------------------------------------------------


def card_label(names: Names, seat: int, card: int) -> str:
    """Return the name of a card of `seat`'s deck."""
    return str(_deck(names, seat)[card].label)


def _deck(names: Names, seat: int) -> Any:
    return names.edition.deck(names.options[seat].character)


def _colour(names: Names, colour: int) -> str:
    """Return a colour in front of the word die, ``red``; the whole label where it is not of that form."""
    label = str(names.edition.dice[colour].label)
    return label[: -len(" die")].lower() if label.lower().endswith(" die") else label


def _die(names: Names, state: Any, slot: int) -> str:
    """Return ``a red die``; the whole label where it is not of that form."""
    label = str(names.edition.dice[state.tab.dice_colour[slot]].label)
    colour = _colour(names, state.tab.dice_colour[slot])
    return label if label == colour else f"{_a(colour)} die"


def _showing(names: Names, state: Any, seat: int, slot: int) -> str:
    """Return ``a red die showing 2``."""
    swords = int(state.play.swords[seat, slot])
    return f"{_die(names, state, slot)} showing {swords or 'a blank'}"


def _a(word: str) -> str:
    return f"{'an' if word[:1] in 'aeiou' else 'a'} {word}"


def _face(swords: int) -> str:
    return str(swords) if swords else "blank"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _count_dice(n: int) -> str:
    return "1 die" if n == 1 else f"{n} dice"


# -- reading a record -----------------------------------------------------------------------------------------------


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(32) if int(mask) >> bit & 1]


def _swords(state: Any, seat: int) -> int:
    return sum(int(state.play.swords[seat, slot]) for slot in _bits(state.play.active[seat]))


def _health(state: Any, seat: int) -> int:
    """Return the number on the Health card: the hits that are still needed against `seat`."""
    return int(state.tab.hits_to_win - state.play.hits[1 - seat])


def _dice(state: Any, seat: int, names: Names) -> dict[str, list[int]]:
    """Return the swords on the active dice of `seat`, by id of their colour."""
    shown: dict[str, list[int]] = {}
    for slot in _bits(state.play.active[seat]):
        colour = names.edition.dice[state.tab.dice_colour[slot]].id
        shown.setdefault(colour, []).append(int(state.play.swords[seat, slot]))
    return shown


def _card(state: Any, seat: int, names: Names) -> Any:
    """Return the card that `seat` has chosen; None for no card, or before the choice."""
    card = int(state.play.chosen[seat])
    return None if card in (NO_CARD, NONE) else _deck(names, seat)[card]


def _rank(state: Any, seat: int) -> int:
    """Return the rank of the chosen card; 0 for none."""
    card = int(state.play.chosen[seat])
    return 0 if card in (NO_CARD, NONE) else int(state.tab.rank[seat, card])


def _steps(state: Any, seat: int) -> int:
    card = int(state.play.chosen[seat])
    return 0 if card in (NO_CARD, NONE) else int(state.tab.n_effects[seat, card])


def _effect(state: Any, seat: int, step: int) -> Any:
    return state.tab.effects[seat, state.play.chosen[seat], step]


# -- the contract ---------------------------------------------------------------------------------------------------


def describe(state: Any, names: Names) -> dict[str, Any]:
    """Return the position as plain data; cards by id, dice as swords by colour."""
    play = state.play
    players = []
    for seat in range(SEATS):
        card = _card(state, seat, names)
        players.append(
            {
                "seat": seat + 1,
                "health": _health(state, seat),
                "hits": int(play.hits[seat]),
                "swords": _swords(state, seat),
                "dice": _dice(state, seat, names),
                "discarded": [
                    names.edition.dice[state.tab.dice_colour[slot]].id
                    for slot in _bits(state.tab.dice_mask & ~play.active[seat])
                ],
                "hand": [_deck(names, seat)[index].id for index in _bits(play.hand[seat])],
                "card": card.id if card else None,
            }
        )
    return {"players": players}


def describe_action(state: Any, action: int, names: Names) -> str:
    """Return what the acting seat does, as a sentence."""
    play = state.play
    player = names.players[play.seat]
    if play.phase == CHOOSE:
        return f"{player} {_plays(state, play.seat, action, names)}"
    if play.phase == LOSE:
        return f"{player} discards {_showing(names, state, play.seat, action % SLOTS)}"
    card = card_label(names, play.asked, play.chosen[play.asked])
    if action == DONE:
        return f"{player} picks nothing {'more ' if play.picked[play.asked] else ''}for {card}"
    target = _target(state, play.asked, play.step)
    if action < DIE:
        return f"{player} picks {card_label(names, target, action)} for {card}"
    whose = "" if target == play.seat else f" of {names.players[target]}"
    slot = action % SLOTS
    if not play.active[target] >> slot & 1:  # what lies in the discard shows nothing
        return f"{player} picks {_die(names, state, slot)} from the discard for {card}"
    return f"{player} picks {_showing(names, state, target, slot)}{whose} for {card}"


def _plays(state: Any, seat: int, card: int, names: Names) -> str:
    if card == NO_CARD:
        return "plays no card"
    rank = int(state.tab.rank[seat, card])
    return f"plays {card_label(names, seat, card)} ({f'rank {rank}' if rank else 'no rank'})"


def sort_of_action(state: Any, action: int) -> str:
    """Return what sort of action it is, as reports count them."""
    play = state.play
    if play.phase == CHOOSE:
        if action == NO_CARD:
            return "plays no card"
        return "plays a card" if state.tab.n_effects[play.seat, action] else "plays a card without effect"
    if play.phase == LOSE:
        return "discards a die"
    if action == DONE:
        return "picks nothing more"
    own = _target(state, play.asked, play.step) == play.seat
    return f"picks {'an own' if own else 'the other'} {'card' if action < DIE else 'die'}"


def describe_change(before: Any, action: int, after: Any, names: Names) -> list[Event]:
    """Return what everybody sees happen between two positions; with `before` None, how the game starts."""
    if before is None:
        return [*_setup(after, names), *_rolls(after, names)]
    next_round = after.play.rounds > before.play.rounds
    end = _finished_round(before, action) if next_round else after
    told = list(_Change(before, action, end, names).events())
    return told + list(_rolls(after, names)) if next_round else told


def _finished_round(before: Any, action: int) -> Any:
    """Return the position that `action` leads to with this round as the last: before the next roll hides the dice."""
    copy = before.copy()
    copy.tab.round_cap = copy.play.rounds
    apply(copy, action)
    return copy


# -- what happens between two decisions -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Stage:
    """A part of a round that is over once the rules have passed it."""

    name: str
    rank: int = 0
    step: int = 0


REVEAL, EFFECT, RESULT, LOSS, SCORE = "reveal", "effect", "result", "loss", "score"


def _stages(state: Any) -> list[_Stage]:
    """Return the parts of this round in the order of the rules, for the cards that were chosen."""
    ranks = {_rank(state, seat) for seat in range(SEATS)} - {0}
    steps = [
        _Stage(EFFECT, rank, step)
        for rank in sorted(ranks)
        for step in range(max(_steps(state, seat) for seat in range(SEATS) if _rank(state, seat) == rank))
    ]
    first = [stage for stage in steps if stage.rank < state.tab.after_round]
    after = [stage for stage in steps if stage.rank >= state.tab.after_round]
    return [_Stage(REVEAL), *first, _Stage(RESULT), _Stage(LOSS), *after, _Stage(SCORE)]


def _passed(state: Any, stages: Sequence[_Stage]) -> int:
    """Return how many of `stages` the rules have left behind."""
    play = state.play
    if play.over:
        return stages.index(_Stage(RESULT)) + 1 if play.reason == WON else len(stages)
    if play.phase == CHOOSE:
        return 0
    if play.phase == LOSE:
        return stages.index(_Stage(LOSS))
    return stages.index(_Stage(EFFECT, int(play.rank_done), int(play.step)))


class _Change:
    """The events of one action, up to the end of its round."""

    def __init__(self, before: Any, action: int, end: Any, names: Names) -> None:
        self.before, self.action, self.end, self.names = before, action, end, names
        self.dropped = [self._dropped(seat) for seat in range(SEATS)]

    def _dropped(self, seat: int) -> list[int]:
        played = int(self.end.play.chosen[seat])
        gone = _bits(self.before.play.hand[seat] & ~self.end.play.hand[seat])
        return [card for card in gone if card != played]

    def event(self, kind: str, tag: str, *parts: str, **data: Any) -> Event:
        """Return an event of this round."""
        return Event(kind, tag, parts, int(self.end.play.rounds), data)

    def events(self) -> Iterator[Event]:
        """Yield what happened, stage by stage."""
        stages = _stages(self.end)
        first = _passed(self.before, stages)
        tellers = {REVEAL: self.reveal, RESULT: self.result, LOSS: self.losses, SCORE: self.scores}
        for number, stage in enumerate(stages[first : _passed(self.end, stages)]):
            if stage.name == EFFECT:
                yield from self.effects(stage, was_asked=number == 0)
            else:
                yield from tellers[stage.name]()

    def reveal(self) -> Iterator[Event]:
        """Tell the cards that are turned up; nothing in a game without cards."""
        cards = [_card(self.end, seat, self.names) for seat in range(SEATS)]
        for seat, card in enumerate(cards):
            data = {"seat": seat + 1, "card": card.id if card else None, "rank": card.rank if card else None}
            if card:
                rank = f"rank {card.rank}" if card.rank else "no rank"
                note = f"{rank}, returns to hand" if card.returns_to_hand else rank
                yield self.event("card", "Cards", self.names.players[seat], card.label, note, **data)
            elif any(cards):
                yield self.event("card", "Cards", self.names.players[seat], "no card", "", **data)

    # -- cards

    def effects(self, stage: _Stage, was_asked: bool) -> Iterator[Event]:
        """Tell the effects of one step in the order in which they are carried out (ruling 6)."""
        end = self.end
        seats = [
            seat
            for seat in range(SEATS)
            if _rank(end, seat) == stage.rank and stage.step < _steps(end, seat) and not end.play.cancelled[seat]
        ]
        picked = {seat: self._picked(seat) if was_asked else [] for seat in seats}
        order = sorted(seats, key=lambda seat: (_effect(end, seat, stage.step).op, seat))
        for position, seat in enumerate(order):
            op = _effect(end, seat, stage.step).op
            if op == CANCEL:
                text, data = self._cancel(seat)
            elif op == DROP_CARD:
                text, data = self._drop(seat, stage.step)
            else:
                again = {
                    slot
                    for other in order[position + 1 :]
                    if self._overrules(other, seat, stage.step)
                    for slot in picked[other]
                }
                text, data = self._dice(seat, stage.step, picked[seat], again, was_asked)
            card = _card(end, seat, self.names)
            data |= {"seat": seat + 1, "card": card.id, "step": stage.step + 1, "op": card.effects[stage.step].op}
            yield self.event("effect", f"Rank {stage.rank}", f"{card.label}: {text}", **data)

    def _picked(self, seat: int) -> list[int]:
        """Return the dice (or cards) taken for the card of `seat` in the step that this action has completed."""
        play = self.before.play
        mask = int(play.picked[seat])
        if play.asked == seat and self.action != DONE:
            mask |= 1 << (self.action % SLOTS if self.action >= DIE else self.action)
        return _bits(mask)

    def _overrules(self, later: int, seat: int, step: int) -> bool:
        """Return whether the card of `later` settles dice that the card of `seat` takes as well (rulings 7 and 8)."""
        discards = [_effect(self.end, one, step).op == DISCARD for one in (later, seat)]
        return discards[0] == discards[1] and _target(self.end, later, step) == _target(self.end, seat, step)

    def _cancel(self, seat: int) -> tuple[str, dict[str, Any]]:
        other = 1 - seat
        card = _card(self.end, other, self.names)
        if self.end.play.cancelled[other]:
            return f"{self.names.players[seat]} cancels {card.label}.", {"cancelled": card.id}
        rank, own = _rank(self.end, other), _rank(self.end, seat)
        if card is None:
            why = "no card was played"
        elif rank == 0:
            why = f"{card.label} has no effect"
        else:
            why = f"{card.label} {'acts at the same time' if rank == own else 'has acted before'}"
        return f"nothing to cancel, {why}.", {"cancelled": None}

    def _drop(self, seat: int, step: int) -> tuple[str, dict[str, Any]]:
        target = _target(self.end, seat, step)
        gone = self.dropped[target][: _effect(self.end, seat, step).count]
        self.dropped[target] = self.dropped[target][len(gone) :]
        player = self.names.players[target]
        data = {"dropped": [_deck(self.names, target)[card].id for card in gone]}
        if not gone:
            return f"{player} has no card to lose.", data
        cards = ", ".join(card_label(self.names, target, card) for card in gone)
        how = "at random" if _effect(self.end, seat, step).choice == RANDOM else "as picked"
        return f"{player} loses {cards} from hand, {how}.", data

    def _dice(
        self, seat: int, step: int, picked: Sequence[int], again: set[int], was_asked: bool
    ) -> tuple[str, dict[str, Any]]:
        """Tell a discard, reroll, turn or return; `again` are dice that a later card of this rank takes as well."""
        op = _effect(self.end, seat, step).op
        target = _target(self.end, seat, step)
        dice = [self._change(target, slot) | {"overruled": slot in again} for slot in picked]
        data = {"dice_of": target + 1, "dice": dice}
        if not picked:
            return self._nothing(seat, step, was_asked), data
        if op == RESTORE:
            return self._restore(seat, step, picked), data
        told = ", ".join(self._told(op, target, slot, slot in again) for slot in picked)
        return f"{self._who(seat, target, step, op)} {told}.", data

    def _nothing(self, seat: int, step: int, was_asked: bool) -> str:
        """Say why a card changes no die: nothing fits, only the last die would go, or its player wants none."""
        state = self.before if was_asked else self.end
        target = _target(state, seat, step)
        fits = bool(_fitting(state, seat, step))
        if fits and _effect(state, seat, step).op == DISCARD and len(_bits(state.play.active[target])) == 1:
            return f"{self.names.players[target]} keeps the last die."
        if fits and was_asked:
            return f"{self.names.players[_picker(state, seat, step)]} picks no die."
        return "no die fits, nothing happens."

    def _who(self, seat: int, target: int, step: int, op: int) -> str:
        player, owner = self.names.players[seat], self.names.players[target]
        if seat == target:
            return f"{player} {VERBS[op]}s"
        if _picker(self.end, seat, step) == target:
            return f"{owner} has to {VERBS[op]}"
        return f"{player} makes {owner} {VERBS[op]}"

    def _told(self, op: int, target: int, slot: int, again: bool) -> str:
        """Return ``red blank -> 2``, or the die that is discarded."""
        change = self._change(target, slot)
        if op == DISCARD:
            die = _showing(self.names, self.before, target, slot)
            return die if change["to"] is None else f"{die} (kept, the last one)"
        old = f"{_colour(self.names, self.end.tab.dice_colour[slot])} {_face(change['from'])}"
        if change["to"] is None:
            return f"{old} (discarded already)"
        return f"{old} (settled by the next card)" if again else f"{old} -> {_face(change['to'])}"

    def _change(self, target: int, slot: int) -> dict[str, Any]:
        """Return colour and swords of a die before and after; None where it is not on the table."""
        bit = 1 << slot
        before, end = self.before.play, self.end.play
        return {
            "colour": self.names.edition.dice[self.end.tab.dice_colour[slot]].id,
            "from": int(before.swords[target, slot]) if before.active[target] & bit else None,
            "to": int(end.swords[target, slot]) if end.active[target] & bit else None,
        }

    def _restore(self, seat: int, step: int, picked: Sequence[int]) -> str:
        dice = ", ".join(_die(self.names, self.end, slot) for slot in picked)
        text = f"{self.names.players[seat]} takes back {dice}"
        if _effect(self.end, seat, step).roll_now:
            faces = ", ".join(_face(self.end.play.swords[seat, slot]) for slot in picked)
            return f"{text} and rolls {faces}."
        return f"{text} for the next roll."

    # -- result of the round

    def result(self) -> Iterator[Event]:
        """Show the dice after all cards, then tell the hit or the tie."""
        end, players = self.end, self.names.players
        swords = [_swords(end, seat) for seat in range(SEATS)]
        hits = [int(end.play.hits[seat] - self.before.play.hits[seat]) for seat in range(SEATS)]
        health = [_health(end, seat) for seat in range(SEATS)]
        if self._dice_may_have_changed():
            yield from (_dice_row(end, seat, self.names, "dice", "Dice") for seat in range(SEATS))
        data = {"swords": swords, "hit_by": hits.index(1) + 1 if any(hits) else None, "health": health}
        if not any(hits):
            yield self.event("result", "Result", f"{swords[0]} to {swords[1]}: a tie, no hit.", **data)
            return
        hitter = hits.index(1)
        score = f"{swords[hitter]} to {swords[1 - hitter]}"
        text = f"{score}: {players[hitter]} hits. {players[1 - hitter]}: {_fall(health[1 - hitter])}."
        yield self.event("result", "Result", text, **data)

    def _dice_may_have_changed(self) -> bool:
        """Return whether a card that works on dice has acted before the comparison."""
        end = self.end
        return any(
            _effect(end, seat, step).op not in (CANCEL, DROP_CARD)
            for seat in range(SEATS)
            if _rank(end, seat) < end.tab.after_round and not end.play.cancelled[seat]
            for step in range(_steps(end, seat))
        )

    def losses(self) -> Iterator[Event]:
        """Tell the dice discarded after a hit or a tie."""
        end, players = self.end, self.names.players
        for seat in range(SEATS):
            slot = int(end.play.lost[seat])
            if end.play.loses[seat] and slot == NONE:
                text = f"{players[seat]} keeps the last die."
                yield self.event("loss", "Discard", text, seat=seat + 1, colour=None, swords=None)
            elif end.play.loses[seat]:
                colour = self.names.edition.dice[end.tab.dice_colour[slot]].id
                text = f"{players[seat]} discards {_showing(self.names, end, seat, slot)}."
                data = {"seat": seat + 1, "colour": colour, "swords": int(end.play.swords[seat, slot])}
                yield self.event("loss", "Discard", text, **data)

    def scores(self) -> Iterator[Event]:
        """Tell how both stand at the end of a round."""
        play = self.end.play
        for seat in range(SEATS):
            dice, cards = len(_bits(play.active[seat])), len(_bits(play.hand[seat]))
            health = _health(self.end, seat)
            cells = [self.names.players[seat], f"health {health}", _count_dice(dice)]
            if self.end.tab.n_cards.any():
                cells.append(_count(cards, "card"))
            yield self.event("score", "Score", *cells, seat=seat + 1, health=health, dice=dice, cards=cards)


def _fall(health: int) -> str:
    """Return how the Health card changes with a hit."""
    if health == 0:
        return f"health {health + 1} -> 0, beaten"
    return f"health {health + 1} -> {health}" + (", the Health card is turned over" if health == LAST_STAND else "")


def _target(state: Any, seat: int, step: int) -> int:
    """Return whose dice (or cards) an effect of `seat`'s card works on."""
    return seat if _effect(state, seat, step).side == OWN else 1 - seat


def _picker(state: Any, seat: int, step: int) -> int:
    effect = _effect(state, seat, step)
    picker = effect.choice if effect.op == DROP_CARD else effect.picker
    return _target(state, seat, step) if picker == OWNER else seat


def _fitting(state: Any, seat: int, step: int) -> list[int]:
    """Return the dice that an effect of `seat`'s card may take."""
    target = _target(state, seat, step)
    restores = _effect(state, seat, step).op == RESTORE
    colours = _effect(state, seat, step).colours
    faces = _effect(state, seat, step).faces
    active = int(state.play.active[target])
    return [
        slot
        for slot in _bits(state.tab.dice_mask & ~active if restores else active)
        if colours >> int(state.tab.dice_colour[slot]) & 1
        and (restores or faces >> int(state.play.swords[target, slot]) & 1)
    ]


# -- start and roll -------------------------------------------------------------------------------------------------


def _setup(state: Any, names: Names) -> Iterator[Event]:
    start = [f"{die.start} {_colour(names, colour)}" for colour, die in enumerate(names.edition.dice) if die.start]
    hits = int(state.tab.hits_to_win)
    text = f"Each player starts with {hits} health and these dice: {', '.join(start)}. {_count(hits, 'hit')} win."
    yield Event("setup", "Setup", (text,), 0, {"hits_to_win": hits})
    for seat in range(SEATS):
        cards = [_deck(names, seat)[index] for index in _bits(state.play.hand[seat])]
        if cards:
            listed = ", ".join(f"{card.label} {card.rank}" if card.rank else card.label for card in cards)
            data = {"seat": seat + 1, "cards": [card.id for card in cards]}
            yield Event("hand", "Cards", (f"{names.players[seat]}, with ranks: {listed}.",), 0, data)
    note = f"Dice are written in swords, {BLANK} is a blank."
    if state.tab.n_cards.any():
        note += f" Cards act from the lowest rank up; those of rank {state.tab.after_round} and above after the round."
    yield Event("legend", "Note", (note,), 0, {})


def _rolls(state: Any, names: Names) -> Iterator[Event]:
    for seat in range(SEATS):
        yield _dice_row(state, seat, names, "roll", "Roll")


def _dice_row(state: Any, seat: int, names: Names, kind: str, tag: str) -> Event:
    """Return a table row of dice: player, a cell a colour, total."""
    shown = _dice(state, seat, names)
    swords = _swords(state, seat)
    cells = [names.players[seat]]
    for colour, die in enumerate(names.edition.dice):
        if die.start:
            faces = [str(n) if n else BLANK for n in sorted(shown.get(die.id, []), reverse=True)]
            cells.append(" ".join([_colour(names, colour), *faces]) if faces else "")
    cells.append(_count(swords, "sword"))
    data = {"seat": seat + 1, "dice": shown, "swords": swords}
    return Event(kind, tag, tuple(cells), int(state.play.rounds), data)
