"""As You Wish, read plainly from its rulebook (RB) and the numbered rulings.

One whole game at a time, with every choice put to a callback and the deal coming from the published
streams or from a given deck. Slow on purpose: it exists to be read beside the rulebook and to be
compared, choice by choice, with the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .rng import Stream

SEATS = 6  # streams 0 to 5 belong to the strategies, whatever the number of players
CHARACTER_STREAM = 6
DECK_STREAM = 7
DEALER_CARDS = 2  # RB "Playing a Turn": the dealer must take two

Card = Mapping[str, Any]
Character = Mapping[str, Any]
Rules = Mapping[str, Any]


class Place(NamedTuple):
    """A card in a quest; the oldest stands first."""

    card: Card
    face_up: bool = True


Quest = Sequence[Place]


@dataclass
class Slot:
    """A place of the offer, numbered in the order of drawing."""

    card: Card
    face_up: bool = True
    taken: bool = False


class Offered(NamedTuple):
    """A slot as one seat sees it; no card when it may not know it."""

    card: Card | None
    face_up: bool
    taken: bool


class Leftover(NamedTuple):
    """A card that left the game, and the dealer who left it face down, if it was."""

    card: Card
    known_only_to: int | None


@dataclass(frozen=True)
class View:
    """What the choosing seat may know (rulings 6, 24 and 27)."""

    seat: int
    round_number: int
    dealer: int
    order: tuple[int, ...]
    quests: tuple[tuple[Place, ...], ...]
    offer: tuple[Offered, ...]
    characters: tuple[str | None, ...]
    leftovers: tuple[Card | None, ...]
    deck_left: int


class Entry(NamedTuple):
    """One real choice: who, what kind, what was offered, what was taken."""

    seat: int
    kind: str
    actions: tuple[int, ...]
    action: int


class Score(NamedTuple):
    """Points of one seat by source (RB "Scoring")."""

    character: int
    light: int
    dark: int

    @property
    def total(self) -> int:
        """The points that decide the game."""
        return self.character + self.light + self.dark


@dataclass
class RoundRecord:
    """What happened in one round: cards by number, slots and quest positions by index."""

    number: int
    dealer: int
    order: tuple[int, ...]
    offer: tuple[int, ...]
    concealed: list[int] = field(default_factory=list)
    taken: list[tuple[int, int]] = field(default_factory=list)
    flipped: list[tuple[int, int]] = field(default_factory=list)
    discarded: list[int] = field(default_factory=list)
    lengths: tuple[int, ...] = ()


@dataclass(frozen=True)
class Result:
    """One finished game; tuples are by seat unless said otherwise.

    `winners` is empty when the round cap came first; scores then stand as the quests do. `reason` is
    "length" or "round-cap". `dealers` is by round. `decisions` counts the real choices (two or more
    actions). `margin` is the distance of the two highest totals. `by_pictures` tells that the pictures
    singled out one of several leaders.
    """

    winners: tuple[int, ...]
    reason: str
    scores: tuple[Score, ...]
    lengths: tuple[int, ...]
    hidden: tuple[int, ...]
    pictures: tuple[int, ...]
    margin: int
    by_pictures: bool
    dealers: tuple[int, ...]
    rounds: int
    turns: int
    decisions: int
    log: tuple[Entry, ...]
    history: tuple[RoundRecord, ...]
    quests: tuple[tuple[Place, ...], ...]
    characters: tuple[str, ...]


Choose = Callable[[int, str, Sequence[int], View], int]


# ---------------------------------------------------------------------- scoring


def visible(quest: Quest) -> list[Card]:
    """Return the face-up cards of a quest, oldest first."""
    return [place.card for place in quest if place.face_up]


def icons(quest: Quest, icon: str) -> int:
    """Count an icon among the face-up cards, whatever their spines (rulings 16 and 19)."""
    return sum(card["icon"] == icon for card in visible(quest))


def character_score(quest: Quest, character: Character) -> int:
    """Score the character: face-down cards count for the length only (RB; rulings 16, 17)."""
    return sum(
        line["points"] * icons(quest, line["icon"]) for line in character["scores"] if len(quest) > line["more_than"]
    )


def light_score(quest: Quest) -> int:
    """Score light cards: each other face-up card of the icon in the own quest (RB; ruling 18)."""
    lights = [card for card in visible(quest) if card["spine"] == "light"]
    return sum(card["points"] * (icons(quest, card["icon"]) - 1) for card in lights)


def dark_score(quest: Quest, neighbours: Sequence[Quest]) -> int:
    """Score dark cards: each face-up card of the icon in the neighbours' quests (RB; rulings 20, 32)."""
    darks = [card for card in visible(quest) if card["spine"] == "dark"]
    return sum(card["points"] * icons(other, card["icon"]) for card in darks for other in neighbours)


def ring(n: int) -> list[list[int]]:
    """Return by seat the neighbours to the left and right, each once (rulings 21, 22, 31)."""
    return [sorted({(seat - 1) % n, (seat + 1) % n}) for seat in range(n)]


def score(
    quests: Sequence[Quest],
    characters: Sequence[Character],
    neighbours: Sequence[Sequence[int]] | None = None,
) -> tuple[Score, ...]:
    """Score a table at its end (RB "Scoring").

    Parameters
    ----------
    quests, characters
        By seat.
    neighbours
        By seat, the seats whose quests its dark cards look at; unless given, those beside it in the ring.
    """
    beside = ring(len(quests)) if neighbours is None else neighbours
    return tuple(
        Score(
            character_score(quest, characters[seat]),
            light_score(quest),
            dark_score(quest, [quests[other] for other in beside[seat]]),
        )
        for seat, quest in enumerate(quests)
    )


def pictures(quest: Quest, character: Character, counts: str) -> int:
    """Count the stills that show the seat's character, one each (RB "Winning"; ruling 29)."""
    cards = visible(quest) if counts == "face_up" else [place.card for place in quest]
    return sum(character["id"] in card["pictured"] for card in cards)


def leaders(totals: Sequence[int]) -> list[int]:
    """Return the seats with the most."""
    return [seat for seat, total in enumerate(totals) if total == max(totals)]


def winners(totals: Sequence[int], stills: Sequence[int]) -> tuple[int, ...]:
    """Return the seats with the most points, then the most pictures; the rest is shared (ruling 30)."""
    first = leaders(totals)
    most = max(stills[seat] for seat in first)
    return tuple(seat for seat in first if stills[seat] == most)


# ---------------------------------------------------------------------- the deal


def shuffled(stream: Stream, items: Sequence[Any]) -> list[Any]:
    """Return the items in the order of the published shuffle, from the last place down."""
    pile = list(items)
    for last in range(len(pile) - 1, 0, -1):
        other = stream.below(last + 1)
        pile[last], pile[other] = pile[other], pile[last]
    return pile


def deal_characters(
    characters: Sequence[Character], n: int, stream: Stream, fixed: Mapping[int, str]
) -> list[Character]:
    """Deal one character a seat without replacement; fixed ones are set aside first (ruling 28)."""
    by_id = {character["id"]: character for character in characters}
    if len(set(fixed.values())) < len(fixed):
        raise ValueError(f"a character is fixed twice: {dict(fixed)}")
    pile = iter(shuffled(stream, [c for c in characters if c["id"] not in fixed.values()]))
    return [by_id[fixed[seat]] if seat in fixed else next(pile) for seat in range(n)]


def random_player(seed: int, deal: int) -> Choose:
    """Return the uniform player of all seats, each on its own strategy stream."""
    streams = [Stream(seed, deal, seat) for seat in range(SEATS)]

    def choose(seat: int, kind: str, actions: Sequence[int], view: View) -> int:
        return actions[streams[seat].below(len(actions))]

    return choose


def play(
    cards: Sequence[Card],
    characters: Sequence[Character],
    rules: Rules,
    n: int,
    seed: int,
    deal: int,
    choose: Choose,
    fixed: Mapping[int, str] | None = None,
) -> Result:
    """Play one game on the published streams.

    Parameters
    ----------
    cards
        Quest cards in file order: `number`, `icon`, `spine`, `points`, `poison`, `pictured`.
    characters
        In file order: `id` and `scores`, each with `icon`, `points`, `more_than`.
    rules
        `rank_by`, `poison_limit`, `end_length`, `offer_extra` and `face_down` (by number of players),
        `tie_break_counts`, `character_cards`, `round_cap`.
    n
        Number of players.
    seed, deal
        Seed of the run and index of the deal (the game index when nothing rotates).
    choose
        Asked for every real choice: kind "conceal" or "take" with offer slots, "flip" with positions in the
        own quest, oldest first; actions ascend.
    fixed
        Character ids by seat, where they are not dealt.
    """
    deck = shuffled(Stream(seed, deal, DECK_STREAM), cards)
    dealt = deal_characters(characters, n, Stream(seed, deal, CHARACTER_STREAM), fixed or {})
    return Table(deck, dealt, rules, choose).run()


# ---------------------------------------------------------------------- the game


class Table:
    """One game in progress on a given deck, whose first card is drawn first.

    Parameters
    ----------
    deck
        Quest cards in the order of drawing.
    characters
        By seat; there are as many players.
    rules, choose
        As for `play`.
    """

    def __init__(self, deck: Sequence[Card], characters: Sequence[Character], rules: Rules, choose: Choose) -> None:
        if len({card["number"] for card in deck}) < len(deck):
            raise ValueError("every number exists once (ruling 2)")
        self.deck = list(deck)
        self.characters = list(characters)
        self.rules = rules
        self.choose = choose
        self.n = len(characters)
        # RB "Setup": one card each, face up.
        self.quests = [[Place(card)] for card in self.draw(self.n)]
        self.offer: list[Slot] = []
        self.leftovers: list[Leftover] = []
        self.log: list[Entry] = []
        self.history: list[RoundRecord] = []

    def run(self) -> Result:
        """Play rounds until one ends with a long enough quest, or the cap is reached (RB; ruling 23)."""
        while True:
            self.play_round()
            if max(len(quest) for quest in self.quests) >= self.rules["end_length"]:
                return self.result("length")
            if len(self.history) == self.rules["round_cap"]:
                return self.result("round-cap")

    def play_round(self) -> None:
        """Play one round in the order of RB "Summary of Play"."""
        order = self.turn_order()
        dealer = order[-1]
        self.prepare(dealer, order)
        self.conceal(dealer)
        for seat in order:
            for _ in range(DEALER_CARDS if seat == dealer else 1):
                # Ruling 9: one by one, the poison is checked after each.
                self.take(seat)
                self.flip(seat)
        self.discard(dealer)

    def draw(self, count: int) -> list[Card]:
        """Draw cards; the printed game never empties the deck (ruling 25)."""
        if count > len(self.deck):
            raise ValueError(f"{count} cards are drawn from {len(self.deck)}")
        drawn, self.deck = self.deck[:count], self.deck[count:]
        return drawn

    def rank(self, seat: int) -> int:
        """Return the number that ranks a quest; face-down cards show none (rulings 1 and 3)."""
        numbers = [int(card["number"]) for card in visible(self.quests[seat])]
        # The newest card is never turned down, so the last visible one is the newest.
        return numbers[-1] if self.rules["rank_by"] == "newest" else max(numbers)

    def turn_order(self) -> list[int]:
        """Return the seats from the lowest number to the highest, who deals (RB; rulings 4 and 5)."""
        return sorted(range(self.n), key=self.rank)

    def prepare(self, dealer: int, order: Sequence[int]) -> None:
        """Draw the offer: a card for each player and some more (RB "Preparing Each Round")."""
        self.offer = [Slot(card) for card in self.draw(self.n + self.rules["offer_extra"][self.n])]
        numbers = tuple(slot.card["number"] for slot in self.offer)
        self.history.append(RoundRecord(len(self.history) + 1, dealer, tuple(order), numbers))

    def conceal(self, dealer: int) -> None:
        """Let the dealer, who has seen all, lay some of the drawn cards face down (rulings 6 and 7)."""
        for _ in range(self.rules["face_down"][self.n]):
            open_slots = [index for index, slot in enumerate(self.offer) if slot.face_up]
            chosen = self.ask(dealer, "conceal", open_slots)
            self.offer[chosen].face_up = False
            self.history[-1].concealed.append(chosen)

    def take(self, seat: int) -> None:
        """Let a seat take any offered card and add it face up (RB "Playing a Turn"; ruling 8)."""
        chosen = self.ask(seat, "take", [i for i, slot in enumerate(self.offer) if not slot.taken])
        self.offer[chosen].taken = True
        self.quests[seat].append(Place(self.offer[chosen].card))
        self.history[-1].taken.append((seat, chosen))

    def flip(self, seat: int) -> None:
        """Let the owner turn older poison cards down until few enough show (rulings 10 to 15).

        With the printed limit only a poisoned new card can ask for this. A limit that one card exceeds may
        also ask after the next card, poisoned or not.
        """
        quest = self.quests[seat]
        while self.poison(seat) > self.rules["poison_limit"]:
            older = enumerate(quest[:-1])
            candidates = [i for i, place in older if place.face_up and place.card["poison"] > 0]
            if not candidates:
                return  # The newest card alone shows more than the limit, and it may not be turned.
            chosen = self.ask(seat, "flip", candidates)
            quest[chosen] = quest[chosen]._replace(face_up=False)
            self.history[-1].flipped.append((seat, chosen))

    def poison(self, seat: int) -> int:
        """Return the poison that shows in a quest."""
        return sum(card["poison"] for card in visible(self.quests[seat]))

    def discard(self, dealer: int) -> None:
        """Put what is left out of the game, unseen where it lies face down (rulings 24 and 26)."""
        left = [slot for slot in self.offer if not slot.taken]
        self.leftovers += [Leftover(slot.card, None if slot.face_up else dealer) for slot in left]
        self.offer = []
        record = self.history[-1]
        record.discarded += [slot.card["number"] for slot in left]
        record.lengths = tuple(len(quest) for quest in self.quests)

    # ------------------------------------------------------------------ asking and looking

    def ask(self, seat: int, kind: str, actions: Sequence[int]) -> int:
        """Return the seat's choice; a single action is forced, neither asked nor counted."""
        if len(actions) == 1:
            return actions[0]
        action = self.choose(seat, kind, list(actions), self.view(seat))
        if action not in actions:
            raise ValueError(f"seat {seat} answered {action} to {kind}, offered were {list(actions)}")
        self.log.append(Entry(seat, kind, tuple(actions), action))
        return action

    def view(self, seat: int) -> View:
        """Return what a seat may know now."""
        record = self.history[-1]
        hidden_characters = self.rules["character_cards"] == "hidden"
        return View(
            seat=seat,
            round_number=record.number,
            dealer=record.dealer,
            order=record.order,
            quests=tuple(tuple(quest) for quest in self.quests),
            offer=tuple(self.offered(slot, seat == record.dealer) for slot in self.offer),
            characters=tuple(
                None if hidden_characters and other != seat else str(character["id"])
                for other, character in enumerate(self.characters)
            ),
            leftovers=tuple(card if knower in (None, seat) else None for card, knower in self.leftovers),
            deck_left=len(self.deck),
        )

    @staticmethod
    def offered(slot: Slot, is_dealer: bool) -> Offered:
        """Return a slot as a seat sees it: a taken card was shown to all, a concealed one to the dealer."""
        known = slot.face_up or slot.taken or is_dealer
        return Offered(slot.card if known else None, slot.face_up, slot.taken)

    def cards(self) -> list[Card]:
        """Return every card of the game, wherever it lies."""
        quests = [place.card for quest in self.quests for place in quest]
        offer = [slot.card for slot in self.offer if not slot.taken]
        return self.deck + quests + offer + [left.card for left in self.leftovers]

    def result(self, reason: str) -> Result:
        """Return the finished game."""
        scores = score(self.quests, self.characters)
        totals = [points.total for points in scores]
        counts = self.rules["tie_break_counts"]
        stills = [pictures(q, c, counts) for q, c in zip(self.quests, self.characters, strict=True)]
        won = winners(totals, stills) if reason == "length" else ()
        best, second = sorted(totals, reverse=True)[:2]
        return Result(
            winners=won,
            reason=reason,
            scores=scores,
            lengths=tuple(len(quest) for quest in self.quests),
            hidden=tuple(sum(not place.face_up for place in quest) for quest in self.quests),
            pictures=tuple(stills),
            margin=best - second,
            by_pictures=len(won) == 1 and len(leaders(totals)) > 1,
            dealers=tuple(record.dealer for record in self.history),
            rounds=len(self.history),
            turns=self.n * len(self.history),
            decisions=len(self.log),
            log=tuple(self.log),
            history=tuple(self.history),
            quests=tuple(tuple(quest) for quest in self.quests),
            characters=tuple(str(character["id"]) for character in self.characters),
        )
