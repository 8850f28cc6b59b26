"""The duel's kernels and its plain reading (`reference.duel`) at one table: same choices, same dice.

Choices are written as in the reading: cards by deck index, dice by slot, `DONE`. Where dice are scripted, the
kernels get them by writing what was rolled, and by a key of the dice stream that makes the rerolls fit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from reference import duel
from reference import rng as plain
from reference.duel import DONE, RoundScript, View
from simcore.games.hate_to_kill_you import state as codes
from simcore.player import Player
from support import Table

GAME = "hate-to-kill-you"
CHARACTERS = ("anna", "bert")
CARD, PICK, LOSS = "card", "pick", "loss"
GROUPS = {codes.CHOOSE: CARD, codes.PICK: PICK, codes.LOSE: LOSS}
MISC = duel.MISC_STREAM

Cards = Sequence[Mapping[str, Any]]
Wanted = Mapping[int, Sequence[tuple[int, tuple[int, ...]]]]  # stream -> (bound, allowed values) of each draw


class Step(NamedTuple):
    """One choice, forced ones included; `owner` is the seat whose dice or cards are offered."""

    seat: int
    group: str
    owner: int | None
    actions: tuple[int, ...]
    action: int


# ---------------------------------------------------------------- editions of a test


def edition_of(decks: Sequence[Cards], dice: Cards, rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return an edition in which Anna and Bert play these decks; cards are named by deck and position."""
    cards = [
        {
            "id": f"{who}-{index}",
            "label": str(card.get("id", index)),
            "deck": who,
            "rank": card["rank"],
            "returns_to_hand": card.get("returns_to_hand", False),
            "effects": [effect_of(effect) for effect in card["effects"]],
        }
        for who, deck in zip(CHARACTERS, decks, strict=True)
        for index, card in enumerate(deck)
    ]
    return {
        "game": GAME,
        "edition": "of-a-test",
        "label": "An edition of a test",
        "rules": {"same_character_twice": False, **rules},
        "pace": {"setup": 0, "turn": 0, "round": 1},
        "dice": [{"label": die["id"], **die} for die in dice],
        "characters": [{"id": who, "label": who.title()} for who in CHARACTERS],
        "cards": cards,
    }


def effect_of(effect: Mapping[str, Any]) -> dict[str, Any]:
    """Return an effect as an edition has it: swords as numbers, no key that its primitive does not know."""
    known = {
        "cancel": (),
        "drop_card": ("count", "up_to", "side", "choice"),
        "restore": ("count", "up_to", "side", "colours", "roll_now"),
        "turn": ("count", "up_to", "side", "colours", "faces", "picker", "to"),
    }.get(effect["op"], ("count", "up_to", "side", "colours", "faces", "picker"))
    plain_effect = {key: value for key, value in effect.items() if key in ("op", *known)}
    if isinstance(plain_effect.get("faces"), list):
        plain_effect["faces"] = [duel.FACES.get(face, face) for face in plain_effect["faces"]]
    if "to" in plain_effect:
        plain_effect["to"] = duel.FACES[plain_effect["to"]]
    return plain_effect


def scenario_of(edition: str, seed: int = 1, **more: Any) -> dict[str, Any]:
    """Return a scenario of Anna against Bert, both at random, on an edition file beside it."""
    seats = [{"strategy": "random", "character": who} for who in CHARACTERS]
    return {"game": GAME, "edition": edition, "seats": seats, "seed": seed, **more}


# ---------------------------------------------------------------- the plain reading, and what it leaves out


class Reading(duel.Duel):
    """The plain reading, which also writes down forced choices and cancelled cards.

    It adds what the reading leaves undefined, as docs/games.md and the contract of the step machine have it:
    a dropped card that somebody chooses is picked like a die, and "all" cards may be dropped.
    """

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.steps: list[Step] = []
        self.n_cancelled = 0
        self.taken: dict[int, list[int]] = {}

    def ask(self, seat: int, kind: str, actions: Sequence[int], owner: int | None = None) -> int:
        """Return the seat's choice and write it down."""
        action = super().ask(seat, kind, actions, owner)
        group = CARD if kind == "card" else LOSS if kind.endswith("-discard") else PICK
        self.steps.append(Step(seat, group, owner, tuple(actions), action))
        return action

    def cancel(self, seat: int) -> None:
        """Count cards that are cancelled now."""
        before = sum(self.cancelled)
        super().cancel(seat)
        self.n_cancelled += sum(self.cancelled) - before

    def pick(self, seat: int, effect: Mapping[str, Any]) -> list[int]:
        """Let cards be picked as dice are."""
        if effect["op"] != "drop_card" or effect.get("choice", "random") == "random":
            return super().pick(seat, effect)
        victim = 1 - seat
        picker = victim if effect["choice"] == "owner" else seat
        taken: list[int] = []
        while len(taken) < how_many(effect):
            offered = [card for card in self.droppable(victim) if card not in taken]
            if not offered:
                break
            answer = self.ask(picker, "drop_card", offered + [DONE] * bool(effect.get("up_to")), victim)
            if answer == DONE:
                break
            taken.append(answer)
        self.taken[victim] = taken
        return []

    def drop_cards(self, victim: int, effect: Mapping[str, Any]) -> None:
        """Remove the cards that were picked, or random ones."""
        if effect.get("choice", "random") != "random":
            self.hands[victim] = [card for card in self.hands[victim] if card not in self.taken[victim]]
        else:
            wanted = min(how_many(effect), len(self.droppable(victim)))
            super().drop_cards(victim, {**effect, "count": wanted, "choice": "random"})

    def droppable(self, victim: int) -> list[int]:
        """Return the cards of a hand that do not return to it."""
        deck = self.decks[victim]
        return [card for card in self.hands[victim] if not deck[card].get("returns_to_hand", False)]


def how_many(effect: Mapping[str, Any]) -> int:
    """Return the count of an effect as a number."""
    return 99 if effect.get("count", 1) == "all" else int(effect.get("count", 1))


def facts(reading: Reading, result: duel.Result) -> dict[str, Any]:
    """Return what the outcome row of this game has to say."""
    scorers = [record.scorer for record in result.history if record.scorer is not None]
    hits, leader, changes = [0, 0], None, 0
    for scorer in scorers:
        hits[scorer] += 1
        if hits[scorer] > hits[1 - scorer]:
            changes += leader == 1 - scorer
            leader = scorer
    played: list[set[int]] = [set(), set()]
    bluffs = [0, 0]
    for step in reading.steps:
        if step.group == CARD:
            played[step.seat].add(step.action)
            bluffs[step.seat] += reading.decks[step.seat][step.action].get("returns_to_hand", False)
    with_cards = reading.rules["cards"] != "none"
    dealt = [(1 << len(deck)) - 1 if with_cards else 0 for deck in reading.decks]
    return {
        "winners": 0 if result.winner is None else 1 << result.winner,
        "turns": 2 * result.rounds,
        "rounds": result.rounds,
        "decisions": result.decisions,
        "reason": {"hits": codes.WON, "round-cap": codes.CAPPED}[result.reason],
        "ties": len(result.history) - len(scorers),
        "lead_changes": changes,
        "margin": abs(result.hits[0] - result.hits[1]),
        "cancelled": reading.n_cancelled,
        "hits": list(result.hits),
        "bluffs": bluffs,
        "dice_left": list(result.dice_left),
        "cards_left": [len(hand) for hand in reading.hands],
        "first_hit": [int(scorers[:1] == [seat]) for seat in (0, 1)],
        "dealt": dealt,
        "held": [sum(1 << card for card in hand) for hand in reading.hands],
        "played": [sum(1 << card for card in cards) for cards in played],
    }


def facts_of_row(row: Any) -> dict[str, Any]:
    """Return an outcome row in the same form."""
    found = {name: row[name].tolist() for name in row.dtype.names if name not in ("seconds", "exposed")}
    for number, name in enumerate(("dealt", "held", "played")):
        words = row["exposed"][:, number, :]
        found[name] = [int(sum(int(word) << 32 * i for i, word in enumerate(mask))) for mask in words]
    return found


# ---------------------------------------------------------------- the kernels by hand


class DuelTable(Table):
    """A duel driven by hand, with choices in the codes of the plain reading."""

    def __init__(self, player: Player, index: int = 0) -> None:
        super().__init__(player, index)
        self.steps: list[Step] = []
        self.codes: list[int] = []

    @property
    def group(self) -> str:
        """What is asked now."""
        return GROUPS[int(self.see("phase"))]

    def choices(self) -> tuple[int | None, tuple[int, ...]]:
        """Return whose dice or cards are offered, and which; nothing for an empty hand."""
        self.codes = self.offered()
        owner = None
        offered = []
        for code in self.codes:
            if codes.DIE <= code < codes.DONE:
                owner = (code - codes.DIE) // codes.SLOTS
                offered.append(code % codes.SLOTS)
            elif code == codes.DONE:
                offered.append(DONE)
            elif code != codes.NO_CARD:
                owner = None if self.group == CARD else 1 - int(self.see("asked"))
                offered.append(code)
        return owner, tuple(offered)

    def step(self, choose: Callable[[tuple[int, ...]], int]) -> None:
        """Let the acting seat choose among what is offered; a single action is carried out unasked."""
        seat, group = self.seat, self.group
        owner, offered = self.choices()
        if not offered:
            assert self.codes == [codes.NO_CARD]
            self.apply(codes.NO_CARD)
            return
        action = offered[0] if len(offered) == 1 else choose(offered)
        self.steps.append(Step(seat, group, owner, offered, action))
        self.apply(self.codes[offered.index(action)])

    def take(self, action: int | None = None) -> None:
        """Carry out an action in the codes of the reading; the only one there is, if none is given."""
        _, offered = self.choices()
        assert (action in offered) if action is not None else len(offered) < 2
        self.step(lambda _: -99 if action is None else action)

    def active(self, seat: int) -> list[int]:
        """Return the slots of a seat's active dice."""
        return bits_of(int(self.see("active")[seat]))

    def hand(self, seat: int) -> list[int]:
        """Return the cards in a hand."""
        return bits_of(int(self.see("hand")[seat]))

    def swords(self, seat: int) -> int:
        """Return the swords that a seat's active dice show."""
        return sum(int(self.see("swords")[seat][slot]) for slot in self.active(seat))

    def over_the_cap(self) -> bool:
        """Tell whether the last round of the cap is over: nobody is asked any more, and nobody has won."""
        return self.over and int(self.see("rounds")) == int(self.memory["state"]["tab"]["round_cap"][0])

    def between_rounds(self) -> bool:
        """Tell whether a round has just been rolled and nobody has chosen a card yet."""
        return not self.over and self.group == CARD and int(self.see("chosen")[0]) == codes.NONE


def bits_of(mask: int) -> list[int]:
    """Return the positions of the bits that are set."""
    return [position for position in range(32) if mask >> position & 1]


# ---------------------------------------------------------------- one game, twice


def replay(table: DuelTable, decks: Sequence[Cards], dice: Cards, rules: Mapping[str, Any]) -> None:
    """Play the finished game of `table` again by the plain reading and compare all of it.

    Every choice must come to the same seat, of the same kind, with the same offer, and end the same.
    """
    left = list(table.steps)
    real = iter([step for step in left if len(step.actions) > 1])

    def choose(seat: int, kind: str, actions: Sequence[int], view: View) -> int:
        step = next(real, None)
        assert step is not None, f"the reading asks seat {seat} for {kind}, the kernels had ended"
        assert (step.seat, step.actions) == (seat, tuple(actions)), f"{kind} in round {view.round_number}"
        return step.action

    seats = [decks[entry] for entry in table.player.match.rotations[table.rotation]]
    source = duel.StreamDice(table.player.match.seed, table.deal)
    reading = Reading(seats, (dice, dice), rules, source, choose)
    result = reading.run()
    expect(table.steps, reading.steps)
    row = table.score()[0]
    row["decisions"] = sum(len(step.actions) > 1 for step in table.steps)
    assert facts_of_row(row) == facts(reading, result)
    for seat in (0, 1):
        assert table.hand(seat) == sorted(reading.hands[seat])
        assert table.active(seat) == [die.slot for die in reading.active(seat)]
        for die in reading.active(seat):
            assert int(table.see("swords")[seat][die.slot]) == die.swords


def expect(found: Sequence[Step], wanted: Sequence[Step]) -> None:
    """Compare two games choice by choice; forced ones too."""
    for number, (step, other) in enumerate(zip(found, wanted, strict=False)):
        assert step == other, f"choice {number}"
    assert len(found) == len(wanted)


# ---------------------------------------------------------------- scripted rounds


@dataclass
class Fight:
    """What became of a scripted game; pairs are by seat.

    `swords` are those compared, by round from 1, where they could be seen: when a die was to be discarded, or
    when the last hit had been scored. `offers` are the real choices (seat, group, offered).
    """

    offers: list[tuple[int, str, tuple[int, ...]]] = field(default_factory=list)
    swords: dict[int, tuple[int, int]] = field(default_factory=dict)
    hits: list[tuple[int, int]] = field(default_factory=list)
    active: list[tuple[list[int], list[int]]] = field(default_factory=list)
    hands: list[tuple[list[int], list[int]]] = field(default_factory=list)
    row: dict[str, Any] = field(default_factory=dict)

    @property
    def winner(self) -> int | None:
        """The winning seat."""
        return {0: None, 1: 0, 2: 1}[self.row["winners"]]


class Noted(duel.ScriptDice):
    """Scripted chance that notes what it was asked for, by round and stream."""

    def __init__(self, rounds: Sequence[RoundScript]) -> None:
        super().__init__(rounds)
        self.asked: list[dict[int, list[tuple[int, tuple[int, ...]]]]] = [{} for _ in rounds]

    def again(self, seat: int, die: duel.Die) -> None:
        """Note which faces of the die show what is wanted."""
        super().again(seat, die)
        faces = tuple(index for index, swords in enumerate(die.faces) if swords == die.swords)
        self.note(duel.DICE_STREAMS[seat], len(die.faces), faces)

    def draw(self, count: int) -> int:
        """Note the number that is wanted."""
        value = super().draw(count)
        self.note(MISC, count, (value,))
        return value

    def note(self, stream: int, bound: int, wanted: tuple[int, ...]) -> None:
        """Add to what a stream has to give in this round."""
        self.asked[self.number - 1].setdefault(stream, []).append((bound, wanted))


def fight(
    table: DuelTable,
    decks: Sequence[Cards],
    dice: Cards,
    rules: Mapping[str, Any],
    script: Sequence[RoundScript],
    answers: Sequence[Sequence[int]] = ((), ()),
) -> Fight:
    """Play scripted rounds by the plain reading and by the kernels, and compare them.

    Every answer must be used, and only real choices are answered.
    """
    left = [list(given) for given in answers]

    def choose(seat: int, kind: str, actions: Sequence[int], view: View) -> int:
        where = f"round {view.round_number}, seat {seat}"
        assert left[seat], f"{where}: asked for {kind} out of {list(actions)}"
        return left[seat].pop(0)

    source = Noted(script)
    reading = Reading(decks, (dice, dice), rules, source, choose)
    result = reading.run()
    assert left == [[], []], f"answers never asked for: {left}"
    found = play_script(table, script, source.asked, [list(given) for given in answers])
    expect(table.steps, reading.steps)
    assert found.row == facts(reading, result)
    for number, record in enumerate(result.history):
        assert found.swords.get(number + 1, record.swords) == record.swords
        assert found.hits[number] == tuple(rules["hits_to_win"] - record.health[1 - seat] for seat in (0, 1))
        assert found.active[number] == tuple(list(slots) for slots in record.active)
        assert found.hands[number] == tuple(sorted(hand) for hand in record.hands)
    return found


def play_script(
    table: DuelTable,
    script: Sequence[RoundScript],
    asked: Sequence[Wanted],
    answers: Sequence[list[int]],
) -> Fight:
    """Play scripted rounds by the kernels alone."""
    found = Fight()

    def choose(offered: tuple[int, ...]) -> int:
        found.offers.append((table.seat, table.group, offered))
        return answers[table.seat].pop(0)

    number = 0
    while not table.over:
        if table.between_rounds():
            if number:
                note_round(table, found)
            open_round(table, script[number], asked[number])
            number += 1
        if table.group == LOSS:
            found.swords.setdefault(number, (table.swords(0), table.swords(1)))
        table.step(choose)
    note_round(table, found)
    row = table.score()[0]
    row["decisions"] = len(found.offers)
    found.row = facts_of_row(row)
    if found.winner is not None:
        found.swords[number] = (table.swords(0), table.swords(1))
    return found


def note_round(table: DuelTable, found: Fight) -> None:
    """Write down how a round left the game."""
    hits = table.see("hits")
    found.hits.append((int(hits[0]), int(hits[1])))
    found.active.append((table.active(0), table.active(1)))
    found.hands.append((table.hand(0), table.hand(1)))


def open_round(table: DuelTable, script: RoundScript, wanted: Wanted) -> None:
    """Write what was rolled, and the keys that make the rerolls and the drawn cards come out as scripted."""
    for seat in (0, 1):
        for slot, swords in zip(table.active(seat), script.roll[seat], strict=True):
            table.see("swords")[seat][slot] = swords
    streams = table.memory["state"]["rng"]
    for stream, draws in wanted.items():
        first = int(streams["count"][0][stream])
        streams["key"][0][stream] = np.uint64(find_key(first, draws))


def find_key(first: int, draws: Sequence[tuple[int, tuple[int, ...]]]) -> int:
    """Return the smallest key whose draws from number `first` on give what is wanted."""
    for key in count(1):
        words = (plain.derive(key, first + number) >> 32 for number in range(len(draws)))
        values = (plain.lemire(word, bound) for word, (bound, _) in zip(words, draws, strict=True))
        if all(value in allowed for value, (_, allowed) in zip(values, draws, strict=True)):
            return key
    raise AssertionError("unreachable")
