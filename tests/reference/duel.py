"""The duel, read plainly from its rulebook (RB) and the numbered rulings.

One whole game at a time, with every choice put to a callback and the dice coming from the published
streams or from a script. Slow on purpose: it exists to be read beside the rulebook and to be compared,
choice by choice, with the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from .rng import Stream

SEATS = (0, 1)
SLOTS = 12  # RB "Contents": twelve dice, so nobody ever owns more
DONE = -1  # the answer "no more dice", offered last
DICE_STREAMS = (2, 3)
MISC_STREAM = 4
FACES: Mapping[object, int] = {"blank": 0, "one": 1, "two": 2, 0: 0, 1: 1, 2: 2}
DICE_OPS = ("discard", "reroll", "turn", "restore")  # the order of application, ruling 6

Card = Mapping[str, Any]
DieKind = Mapping[str, Any]


@dataclass
class Die:
    """One die of one player; `swords` is what it shows."""

    slot: int
    colour: str
    faces: tuple[int, ...]
    swords: int = 0
    active: bool = True


class Shown(NamedTuple):
    """A die as both players see it."""

    slot: int
    colour: str
    swords: int
    active: bool


@dataclass(frozen=True)
class View:
    """What the choosing seat may know (ruling 30); `owner` is the seat whose dice are offered, if any."""

    seat: int
    round_number: int
    health: tuple[int, ...]
    dice: tuple[tuple[Shown, ...], ...]
    hands: tuple[tuple[int, ...], ...]
    revealed: tuple[str | None, ...]
    owner: int | None


class Entry(NamedTuple):
    """One real choice: who, what kind, what was offered, what was taken."""

    seat: int
    kind: str
    actions: tuple[int, ...]
    action: int


@dataclass
class RoundRecord:
    """What happened in one round; pairs are by seat, dice are slots."""

    number: int
    rolled: tuple[tuple[int, ...], ...]
    cards: tuple[str | None, ...] = (None, None)
    swords: tuple[int, ...] = (0, 0)
    scorer: int | None = None
    health: tuple[int, ...] = ()
    active: tuple[tuple[int, ...], ...] = ()
    discarded: tuple[tuple[int, ...], ...] = ()
    hands: tuple[tuple[int, ...], ...] = ()
    lost: list[tuple[int, int]] = field(default_factory=list)
    restored: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True)
class Result:
    """One finished game.

    `decisions` counts the real choices (two or more actions). `reason` is "hits" or "round-cap".
    `dice_left` counts active dice by seat.
    """

    winner: int | None
    rounds: int
    decisions: int
    reason: str
    hits: tuple[int, ...]
    dice_left: tuple[int, ...]
    log: tuple[Entry, ...]
    history: tuple[RoundRecord, ...]


Choose = Callable[[int, str, Sequence[int], View], int]


class Dice(Protocol):
    """Where chance comes from."""

    def begin(self, round_number: int) -> None:
        """Start a round, counted from 1."""

    def roll(self, seat: int, dice: Sequence[Die]) -> None:
        """Roll the active dice of a seat at the start of a round."""

    def again(self, seat: int, die: Die) -> None:
        """Roll one die again in the middle of a round."""

    def draw(self, count: int) -> int:
        """Return a number in 0..count-1 for a card taken at random."""

    def finish(self) -> None:
        """End the game."""


class StreamDice:
    """Chance from the published streams: dice by seat, cards from the last stream, all keyed by round."""

    def __init__(self, seed: int, deal: int) -> None:
        self.dice = [Stream(seed, deal, number) for number in DICE_STREAMS]
        self.misc = Stream(seed, deal, MISC_STREAM)

    def begin(self, round_number: int) -> None:
        """Key every stream by the round."""
        for stream in (*self.dice, self.misc):
            stream.rekey(round_number)

    def roll(self, seat: int, dice: Sequence[Die]) -> None:
        """Roll each die with the draw numbered by its slot, so that other dice do not move it."""
        for die in dice:
            self.dice[seat].seek(die.slot)
            self.again(seat, die)
        self.dice[seat].seek(SLOTS)

    def again(self, seat: int, die: Die) -> None:
        """Roll one die with the owner's next draw."""
        die.swords = die.faces[self.dice[seat].below(len(die.faces))]

    def draw(self, count: int) -> int:
        """Return the next number below `count`."""
        return self.misc.below(count)

    def finish(self) -> None:
        """Do nothing: a stream has no end."""


@dataclass
class RoundScript:
    """Given chance for one round: by seat, the swords rolled (active dice in slot order) and rerolled."""

    roll: tuple[Sequence[int], Sequence[int]]
    again: tuple[Sequence[int], Sequence[int]] = ((), ())
    draws: Sequence[int] = ()


class ScriptError(Exception):
    """The script and the game ask for different chance."""


class ScriptDice:
    """Chance from a script that must fit exactly: nothing missing, nothing left over."""

    def __init__(self, rounds: Iterable[RoundScript]) -> None:
        self.rounds = list(rounds)
        self.number = 0
        self.left: list[list[int]] = [[], []]
        self.draws: list[int] = []

    def begin(self, round_number: int) -> None:
        """Take the next round of the script."""
        self.finish()
        if round_number > len(self.rounds):
            raise ScriptError(f"no script for round {round_number}")
        self.number = round_number
        script = self.rounds[round_number - 1]
        self.left = [list(values) for values in script.again]
        self.draws = list(script.draws)

    def roll(self, seat: int, dice: Sequence[Die]) -> None:
        """Show the scripted swords on the dice of a seat."""
        values = self.rounds[self.number - 1].roll[seat]
        if len(values) != len(dice):
            raise ScriptError(f"round {self.number}, seat {seat}: {len(values)} values for {len(dice)} dice")
        for die, swords in zip(dice, values, strict=True):
            self._show(die, swords)

    def again(self, seat: int, die: Die) -> None:
        """Show the next scripted reroll of a seat's dice."""
        if not self.left[seat]:
            raise ScriptError(f"round {self.number}, seat {seat}: a roll that the script lacks")
        self._show(die, self.left[seat].pop(0))

    def draw(self, count: int) -> int:
        """Return the next scripted number below `count`."""
        if not self.draws or self.draws[0] >= count:
            raise ScriptError(f"round {self.number}: draw below {count}, script has {self.draws}")
        return self.draws.pop(0)

    def finish(self) -> None:
        """Complain about chance that was never asked for."""
        if any(self.left) or self.draws:
            raise ScriptError(f"round {self.number}: never used: {self.left}, {self.draws}")

    @staticmethod
    def _show(die: Die, swords: int) -> None:
        if swords not in die.faces:
            raise ScriptError(f"a {die.colour} die has no face with {swords} swords")
        die.swords = swords


def random_player(seed: int, game: int) -> Choose:
    """Return the uniform player of both seats, each on its own strategy stream (0 and 1)."""
    streams = [Stream(seed, game, seat) for seat in SEATS]

    def choose(seat: int, kind: str, actions: Sequence[int], view: View) -> int:
        return actions[streams[seat].below(len(actions))]

    return choose


def play(
    decks: Sequence[Sequence[Card]],
    dice: Sequence[DieKind],
    rules: Mapping[str, Any],
    seed: int,
    game: int,
    choose: Choose,
    other_dice: Sequence[DieKind] | None = None,
) -> Result:
    """Play one game on the published streams.

    Parameters
    ----------
    decks
        By seat, the cards in deck order.
    dice
        Kinds of dice in file order, each with `id`, `start` and `faces`.
    rules
        `hits_to_win`, `cards`, `round_cap`, `hit_discard`, `tie_discard`, and `after_round` (default 8).
    seed, game
        Seed of the run and index of the deal (the game index when nothing rotates).
    choose
        Asked for every real choice, with the actions in order: cards by deck index, dice by slot, DONE last.
    other_dice
        Dice of seat 1 when they differ from `dice`.
    """
    return Duel(decks, (dice, other_dice or dice), rules, StreamDice(seed, game), choose).run()


def play_script(
    decks: Sequence[Sequence[Card]],
    dice: Sequence[DieKind],
    rules: Mapping[str, Any],
    script: Iterable[RoundScript],
    choose: Choose,
) -> Result:
    """Play one game on given faces."""
    return Duel(decks, (dice, dice), rules, ScriptDice(script), choose).run()


def own_dice(kinds: Sequence[DieKind]) -> list[Die]:
    """Return one player's dice: all of the first kind, then the next (RB "Setup")."""
    colours = [kind for kind in kinds for _ in range(kind["start"])]
    return [Die(slot, kind["id"], tuple(kind["faces"])) for slot, kind in enumerate(colours)]


class Duel:
    """One game in progress."""

    def __init__(
        self,
        decks: Sequence[Sequence[Card]],
        dice: Sequence[Sequence[DieKind]],
        rules: Mapping[str, Any],
        source: Dice,
        choose: Choose,
    ) -> None:
        with_cards = rules["cards"] != "none"
        self.decks = decks
        self.rules = rules
        self.source = source
        self.choose = choose
        self.after_round: int = rules.get("after_round", 8)
        self.dice = [own_dice(kinds) for kinds in dice]
        self.hands = [list(range(len(decks[seat]))) if with_cards else [] for seat in SEATS]
        self.hits = [0, 0]
        self.round_number = 0
        self.played: list[Card | None] = [None, None]
        self.cancelled = [False, False]
        self.log: list[Entry] = []
        self.history: list[RoundRecord] = []

    # ------------------------------------------------------------------ the round

    def run(self) -> Result:
        """Play rounds until the hits are scored (RB "Game End") or the cap is reached (ruling 32)."""
        while True:
            winner = self.play_round()
            self.record_end()
            if winner is not None:
                return self.result(winner, "hits")
            if self.round_number == self.rules["round_cap"]:
                return self.result(None, "round-cap")

    def play_round(self) -> int | None:
        """Play one round in the order of RB "Playing the Game"; return the winner of the game, if any."""
        self.round_number += 1
        self.source.begin(self.round_number)
        self.roll()
        self.choose_cards()
        self.resolve(before_comparing=True)
        scorer = self.compare()
        if scorer is not None and self.score_hit(scorer):
            # Ruling 10: the game ends at once, cards for after the round do nothing.
            return scorer
        if scorer is None:
            self.tie()
        self.resolve(before_comparing=False)
        return None

    def roll(self) -> None:
        """Roll the active dice of both players (RB "Playing the Game")."""
        for seat in SEATS:
            self.source.roll(seat, self.active(seat))
        rolled = tuple(tuple(die.swords for die in self.active(seat)) for seat in SEATS)
        self.history.append(RoundRecord(self.round_number, rolled))

    def choose_cards(self) -> None:
        """Let both choose a card in secret, then reveal (RB "Playing Move Cards"; rulings 4, 5, 30)."""
        self.played = [None, None]
        self.cancelled = [False, False]
        chosen = [self.ask(seat, "card", self.hands[seat]) if self.hands[seat] else None for seat in SEATS]
        for seat, index in enumerate(chosen):
            if index is None:
                continue
            card = self.decks[seat][index]
            self.played[seat] = card
            if not card.get("returns_to_hand", False):
                self.hands[seat].remove(index)
        self.history[-1].cards = self.revealed()

    # ------------------------------------------------------------------ cards

    def resolve(self, *, before_comparing: bool) -> None:
        """Resolve the played cards of one half of the round, lowest rank first (RB "Playing Move Cards").

        A card without a rank does nothing (ruling 3). Ranks from `after_round` on wait for the end of the
        round (rulings 9 and 24).
        """
        ranks = {card["rank"] for card in self.played if card is not None and card["rank"] is not None}
        for rank in sorted(ranks):
            if (rank < self.after_round) == before_comparing:
                self.resolve_rank(rank)

    def resolve_rank(self, rank: int) -> None:
        """Resolve the cards of one rank together, effect by effect (RB: at the same time; ruling 6)."""
        group: list[tuple[int, Sequence[Mapping[str, Any]]]] = []
        for seat, card in enumerate(self.played):
            if card is not None and card["rank"] == rank and not self.cancelled[seat]:
                group.append((seat, card["effects"]))
        for step in range(max((len(effects) for _, effects in group), default=0)):
            self.resolve_step([(seat, effects[step]) for seat, effects in group if step < len(effects)])

    def resolve_step(self, effects: Sequence[tuple[int, Mapping[str, Any]]]) -> None:
        """Pick every target from the dice as they are, then apply by kind, seat 0 first (ruling 6)."""
        picked = [(seat, effect, self.pick(seat, effect)) for seat, effect in effects]
        for op in DICE_OPS:
            for seat, effect, slots in picked:
                if effect["op"] == op:
                    self.apply(effect, owner_of(seat, effect), sorted(slots))
        for seat, effect in effects:
            if effect["op"] == "cancel":
                self.cancel(seat)
            elif effect["op"] == "drop_card":
                self.drop_cards(owner_of(seat, effect), effect)

    def pick(self, seat: int, effect: Mapping[str, Any]) -> list[int]:
        """Let the picker name dice one at a time (rulings 13 to 17), none when nothing matches."""
        if effect["op"] not in DICE_OPS:
            return []
        owner = owner_of(seat, effect)
        picker = owner if effect.get("picker", "self") == "owner" else seat
        candidates = [die.slot for die in self.dice[owner] if matches(effect, die)]
        wanted = effect.get("count", 1)
        limit = len(candidates) if wanted == "all" else min(wanted, len(candidates))
        if effect["op"] == "discard":
            limit = min(limit, len(self.active(owner)) - 1)
        slots: list[int] = []
        while len(slots) < limit:
            offered = [slot for slot in candidates if slot not in slots]
            answer = self.ask(picker, effect["op"], offered + [DONE] * bool(effect.get("up_to")), owner)
            if answer == DONE:
                break
            slots.append(answer)
        return slots

    def apply(self, effect: Mapping[str, Any], owner: int, slots: Sequence[int]) -> None:
        """Carry out one effect on the picked dice, in slot order."""
        for slot in slots:
            die = self.dice[owner][slot]
            if effect["op"] == "discard":
                self.discard(owner, slot)
            elif effect["op"] == "restore":
                self.restore(owner, die, roll_now=bool(effect.get("roll_now")))
            elif not die.active:
                continue  # Ruling 8: the other card of this rank has just discarded it.
            elif effect["op"] == "reroll":
                self.source.again(owner, die)  # Ruling 7: a second roll replaces the first.
            else:
                die.swords = FACES[effect["to"]]

    def restore(self, owner: int, die: Die, *, roll_now: bool) -> None:
        """Return a discarded die: blank until the next roll, or rolled at once (ruling 25)."""
        if die.active:
            return
        die.active = True
        die.swords = 0
        self.history[-1].restored.append((owner, die.slot))
        if roll_now:
            self.source.again(owner, die)

    def cancel(self, seat: int) -> None:
        """Stop the opponent's card of strictly higher rank; it stays spent (ruling 29)."""
        mine, other = self.played[seat], self.played[1 - seat]
        if mine is not None and other is not None and other["rank"] is not None:
            self.cancelled[1 - seat] |= other["rank"] > mine["rank"]

    def drop_cards(self, victim: int, effect: Mapping[str, Any]) -> None:
        """Remove random cards from a hand, never one that returns to it (ruling 31)."""
        if effect.get("choice", "random") != "random":
            raise ValueError(f"drop_card by {effect['choice']!r} is not defined")
        for _ in range(effect.get("count", 1)):
            deck, hand = self.decks[victim], self.hands[victim]
            losable = [index for index in hand if not deck[index].get("returns_to_hand", False)]
            if losable:
                hand.remove(losable[self.source.draw(len(losable))])

    # ------------------------------------------------------------------ end of the round

    def compare(self) -> int | None:
        """Return the seat with more swords, None for a tie (RB "Scoring a Hit", "Ties"; ruling 24)."""
        swords = tuple(self.swords(seat) for seat in SEATS)
        self.history[-1].swords = swords
        if swords[0] == swords[1]:
            return None
        scorer = 0 if swords[0] > swords[1] else 1
        self.history[-1].scorer = scorer
        return scorer

    def score_hit(self, scorer: int) -> bool:
        """Count a hit; unless it ends the game its scorer discards (RB "Scoring a Hit"; rulings 18, 19)."""
        self.hits[scorer] += 1
        if self.hits[scorer] >= self.rules["hits_to_win"]:
            return True
        if self.rules["hit_discard"]:
            slot = self.choose_discard(scorer, "hit-discard")
            if slot is not None:
                self.discard(scorer, slot)
        return False

    def tie(self) -> None:
        """Let both players discard, neither knowing the other's choice (RB "Ties"; rulings 20 to 23)."""
        if not self.rules["tie_discard"]:
            return
        chosen = [self.choose_discard(seat, "tie-discard") for seat in SEATS]
        for seat, slot in enumerate(chosen):
            if slot is not None:
                self.discard(seat, slot)

    def choose_discard(self, seat: int, kind: str) -> int | None:
        """Ask for an own die showing a sword, or any when none does; None with one die (rulings 19 to 22)."""
        dice = self.active(seat)
        if len(dice) == 1:
            return None
        showing = [die.slot for die in dice if die.swords > 0]
        return self.ask(seat, kind, showing or [die.slot for die in dice], seat)

    def discard(self, seat: int, slot: int) -> None:
        """Put a die aside; the last active die always stays (RB "Scoring a Hit", "Ties"; ruling 17)."""
        die = self.dice[seat][slot]
        if die.active and len(self.active(seat)) > 1:
            die.active = False
            self.history[-1].lost.append((seat, slot))

    # ------------------------------------------------------------------ asking and looking

    def ask(self, seat: int, kind: str, actions: Sequence[int], owner: int | None = None) -> int:
        """Return the seat's choice; a single action is forced, neither asked nor counted."""
        if len(actions) == 1:
            return actions[0]
        action = self.choose(seat, kind, list(actions), self.view(seat, kind, owner))
        if action not in actions:
            raise ValueError(f"seat {seat} answered {action} to {kind}, offered were {list(actions)}")
        self.log.append(Entry(seat, kind, tuple(actions), action))
        return action

    def view(self, seat: int, kind: str, owner: int | None) -> View:
        """Return what everybody sees; cards being chosen are not yet in it (ruling 30)."""
        return View(
            seat=seat,
            round_number=self.round_number,
            health=self.health(),
            dice=tuple(
                tuple(Shown(die.slot, die.colour, die.swords, die.active) for die in self.dice[s]) for s in SEATS
            ),
            hands=tuple(tuple(hand) for hand in self.hands),
            revealed=(None, None) if kind == "card" else self.revealed(),
            owner=owner,
        )

    def active(self, seat: int) -> list[Die]:
        """Return the active dice of a seat in slot order."""
        return [die for die in self.dice[seat] if die.active]

    def swords(self, seat: int) -> int:
        """Return the swords on the active dice of a seat."""
        return sum(die.swords for die in self.active(seat))

    def health(self) -> tuple[int, ...]:
        """Return the health by seat: what the hits of the other seat have left (RB "Scoring a Hit")."""
        return tuple(self.rules["hits_to_win"] - self.hits[1 - seat] for seat in SEATS)

    def revealed(self) -> tuple[str | None, ...]:
        """Return the ids of the cards played this round."""
        return tuple(None if card is None else str(card["id"]) for card in self.played)

    def record_end(self) -> None:
        """Write down how the round left the game."""
        record = self.history[-1]
        record.health = self.health()
        record.active = tuple(tuple(die.slot for die in self.active(seat)) for seat in SEATS)
        record.discarded = tuple(tuple(d.slot for d in self.dice[s] if not d.active) for s in SEATS)
        record.hands = tuple(tuple(hand) for hand in self.hands)

    def result(self, winner: int | None, reason: str) -> Result:
        """Return the finished game."""
        self.source.finish()
        return Result(
            winner=winner,
            rounds=self.round_number,
            decisions=len(self.log),
            reason=reason,
            hits=tuple(self.hits),
            dice_left=tuple(len(self.active(seat)) for seat in SEATS),
            log=tuple(self.log),
            history=tuple(self.history),
        )


def owner_of(seat: int, effect: Mapping[str, Any]) -> int:
    """Return the seat whose dice or cards an effect of `seat` touches."""
    return seat if effect["side"] == "own" else 1 - seat


def matches(effect: Mapping[str, Any], die: Die) -> bool:
    """Tell whether a die fits the filters of an effect.

    A discarded die shows nothing, so only its colour counts. A die without the face `to` cannot be turned.
    """
    colours = effect.get("colours", "any")
    if colours != "any" and die.colour not in colours:
        return False
    if effect["op"] == "restore":
        return not die.active
    if effect["op"] == "turn" and FACES[effect["to"]] not in die.faces:
        return False
    faces = effect.get("faces", "any")
    return die.active and (faces == "any" or die.swords in {FACES[face] for face in faces})
