"""A plain reading of the book game: the rulebook, its rulings and docs/adventure-book.md, as one long story.

A game is a generator that yields a `Question` for each choice and is sent the answer. Cards are lists of names, figures
stand on named spaces, an interruption is an exception. Written to be compared with the kernels, so nothing of theirs is
used; slow, and with no thought of speed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from reference.rng import Stream

ICONS = ["courage", "revenge", "adventure", "intrigue", "love"]
Answer = tuple[Any, ...]
Play = Generator["Question", Answer, Any]
END, ALTERNATIVE = ("end",), ("else",)
MIRACLES = [("miracle", "story"), ("miracle", "special")]
FIRST_SEAT, STORY, SPECIAL, PLOT, TILES = range(4, 9)


@dataclass(frozen=True)
class Question:
    """Who is asked, whether in somebody else's turn, and what may be answered."""

    seat: int
    helping: bool
    options: list[Answer]


class ChapterInterruptedError(Exception):
    """The chapter is interrupted, by this cause: 0 is the end of the plot, then the chapter's own defeats."""

    def __init__(self, cause: int) -> None:
        super().__init__(cause)
        self.cause = cause


class ChapterCompletedError(Exception):
    """The chapter is completed."""


def plain(data: Any) -> Any:
    """Return data without its provenance."""
    if isinstance(data, dict):
        return {key: plain(value) for key, value in data.items() if key != "from"}
    return [plain(item) for item in data] if isinstance(data, list) else data


def read(file: Path) -> dict[str, Any]:
    """Return an edition as plain data."""
    return dict(plain(yaml.safe_load(file.read_text(encoding="utf-8"))))


def numbers(chapters: Any) -> list[int]:
    """Return the chapters of a book: 4, [1, 2] or "1..6"."""
    found: list[int] = []
    for item in chapters if isinstance(chapters, list) else [chapters]:
        if isinstance(item, str):
            low, high = item.split("..")
            found.extend(range(int(low), int(high) + 1))
        else:
            found.append(item)
    return found


def shuffled(stream: Stream, cards: Iterable[Any]) -> list[Any]:
    """Return cards in another order (Fisher and Yates, from the end)."""
    pile = list(cards)
    for last in range(len(pile) - 1, 0, -1):
        other = stream.below(last + 1)
        pile[last], pile[other] = pile[other], pile[last]
    return pile


@dataclass
class Tally:
    """What is counted in a game, under the names of the outcome's columns."""

    counts: Counter[str] = field(default_factory=Counter)
    chapters: dict[int, dict[str, int]] = field(default_factory=dict)
    replay_in: int | None = None


class Book:
    """One game. `data` is an edition (`read`), `rules` overrides some of its rules."""

    def __init__(
        self, data: Mapping[str, Any], players: int, seed: int, deal: int = 0, rules: Mapping[str, Any] | None = None
    ) -> None:
        self.data = data
        self.rules = {**data["rules"], **(rules or {})}
        self.n = players
        self.streams = {number: Stream(seed, deal, number) for number in (FIRST_SEAT, STORY, SPECIAL, PLOT, TILES)}
        self.kinds = [*ICONS, *(card["id"] for card in data["special_cards"])]
        self.cards = {card["id"]: card["effect"] for card in data["special_cards"]}
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.pile: list[str] = []
        self.discarded = [card["icon"] for card in data["story_cards"] for _ in range(card["count"])]
        self.aside: list[str] = []
        specials = [card["id"] for card in data["special_cards"] for _ in range(card["count"])]
        self.specials = shuffled(self.streams[SPECIAL], specials)
        self.held_miracles = 0
        self.supply: int = self.rules["miracles"]
        self.star: str | None = None
        self.tally = Tally()
        self.turns = self.rounds = 0
        self.winner: str | None = None
        self.reason = "round cap"

    # -- the book ---------------------------------------------------------------------------------------------------

    def play(self) -> Play:
        """Tell the chapters of the book in order."""
        replays = 0
        for number in numbers(self.rules["chapters"]):
            miracles_at_start = self.held_miracles
            attempt = 0
            while True:
                entry = self.tally.chapters.setdefault(number, Counter())  # type: ignore[arg-type]
                entry["tries"] += 1
                try:
                    yield from self.attempt(number, attempt)
                except ChapterCompletedError:
                    self.close(number)
                    entry["won_first" if attempt == 0 else "won_again"] = 1
                    self.tally.counts["chapters"] += 1
                    break
                except ChapterInterruptedError as interruption:
                    self.close(number)
                    entry[["lost_plot", "lost_own_1", "lost_own_2"][interruption.cause]] += 1
                    if replays == self.rules["replays"]:
                        chapter = self.data["chapters"][number - 1]
                        own = [defeat["label"] for defeat in chapter["defeats"]]
                        self.reason = f"chapter {number}: {['the plot ran out', *own][interruption.cause]}"
                        return
                    replays += 1
                    attempt += 1
                    if self.tally.replay_in is None:
                        self.tally.replay_in = number
                    if self.rules["replay_miracles"] == "restore":
                        self.held_miracles = miracles_at_start
                        self.supply = self.rules["miracles"] - miracles_at_start
                if self.capped:
                    return
        self.winner, self.reason = "table", "book completed"

    def close(self, number: int) -> None:
        """Note how a try went, and clear the board."""
        entry = self.tally.chapters[number]
        entry["turns"], entry["plot_left"] = self.turn, len(self.plot)
        if self.star is not None:
            self.star = None
            self.supply += 1

    capped = False

    def attempt(self, number: int, attempt: int) -> Play:
        """Set a chapter up and play it, until an exception ends it."""
        self.number = number
        self.chapter = self.data["chapters"][number - 1]
        for stream in (FIRST_SEAT, STORY, PLOT, TILES):
            self.streams[stream].rekey((number - 1) * 8 + attempt)
        self.active = self.streams[FIRST_SEAT].below(self.n) if self.rules["first_seat"] == "drawn" else 0
        self.shuffle_story()
        self.set_up()
        for seat in range(self.n):
            self.draw(seat, self.rules["deal"])
        self.turn = 0
        while True:
            if self.turn % self.n == 0:
                if self.rounds >= self.rules["round_cap"]:
                    self.close(number)
                    self.capped = True
                    return
                self.rounds += 1
            self.turn += 1
            self.turns += 1
            yield from self.take_turn()
            self.discarded += self.aside
            self.aside = []
            self.active = (self.active + 1) % self.n

    def shuffle_story(self) -> None:
        """Put hands, discards and the rest of the pile together, and shuffle."""
        cards = [*self.pile, *self.discarded, *self.aside]
        for hand in self.hands:
            cards += hand
            hand.clear()
        self.discarded, self.aside = [], []
        self.pile = shuffled(self.streams[STORY], sorted(cards, key=self.kinds.index))

    def set_up(self) -> None:
        """Follow the setup of the chapter."""
        chapter = self.chapter
        deck = [card["number"] for card in self.data["plot_cards"] for _ in range(card["count"])]
        self.plot = shuffled(self.streams[PLOT], deck)[: self.rules["plot_cards"]]
        self.turned: list[int] = []
        self.done: list[str] = []
        self.lacking = False
        self.where = {figure["id"]: figure.get("start") for figure in chapter["figures"]}
        self.counters = {counter["id"]: counter.get("start", 0) for counter in chapter.get("counters", [])}
        self.litter = Counter(chapter.get("pieces", {}).get("spaces", []))
        self.ways: dict[str, set[str]] = {space["id"]: set() for space in chapter["spaces"]}
        for space in chapter["spaces"]:
            for other in space.get("ways", []):
                self.ways[space["id"]].add(other)
                self.ways[other].add(space["id"])
        self.tiles: dict[str, str] = {}
        self.face_up: set[str] = set()
        mixed = [tile["id"] for tile in chapter.get("tiles", []) for _ in range(tile.get("count", 0))]
        if mixed:
            mixed = shuffled(self.streams[TILES], mixed)
            order = [space["id"] for space in chapter["spaces"] if space["id"] in chapter["mixed"]]
            for space_id, tile_id in zip(order, reversed(mixed), strict=False):
                self.tiles[space_id] = tile_id
        for tile in chapter.get("tiles", []):
            for space_id in tile.get("lies_on", []):
                self.tiles[space_id] = tile["id"]
        self.face_up |= set(self.tiles)
        if chapter.get("star") is not None and self.supply > 0:
            self.supply -= 1
            self.star = chapter["star"]

    # -- a turn -----------------------------------------------------------------------------------------------------

    def take_turn(self) -> Play:
        """Play the five steps."""
        self.traded = 0
        self.used: set[str] = set()
        yield from self.walk(self.active, self.rules["moves"], len(self.where), self.rules["moves"])
        yield from self.tell()
        self.draw(self.active, self.rules["draw"])
        if not self.plot:
            raise ChapterInterruptedError(0)
        number = self.plot.pop()
        self.turned.append(number)
        if not (yield from self.window(number)):
            for entry in self.chapter["plot"]:
                if number in entry["numbers"]:
                    yield from self.suffer(entry.get("effects", []))
        excess = len(self.hands[self.active]) - self.rules["hand_limit"]
        if excess > 0:
            yield from self.pay(["any"] * excess)

    def ask(self, seat: int, options: list[Answer]) -> Play:
        answer = yield Question(seat, seat != self.active, options)
        return answer

    def walk(self, seat: int, steps: int, figures: int, each: int) -> Play:
        """Let a seat make single steps for nothing."""
        paces: Counter[str] = Counter()
        for _ in range(steps):
            options = [END]
            for figure in self.movers():
                if paces[figure] < each and (figure in paces or len(paces) < figures):
                    options += [("step", figure, space) for space in self.reach(figure, 0)]
            answer = yield from self.ask(seat, options)
            if answer == END:
                return
            paces[answer[1]] += 1
            yield from self.step(answer[1], answer[2])

    def movers(self) -> list[str]:
        """Return the figures that the players move now, and that are on the board."""
        return [
            figure["id"]
            for figure in self.chapter["figures"]
            if (figure.get("moved") or figure.get("moved_after") in self.done) and self.where[figure["id"]]
        ]

    def reach(self, figure: str, spent: int) -> list[str]:
        """Return the spaces that a figure may step to, in the order of the board."""
        guards = self.chapter.get("guards") or {"figures": []}
        closed = {self.where[guard] for guard in guards["figures"]}
        for barrier in self.chapter.get("barriers", []):
            if barrier["figure"] == figure and barrier["until"] not in self.done:
                closed |= set(barrier["spaces"])
        found = []
        for space in (space["id"] for space in self.chapter["spaces"]):
            if space in self.ways[self.where[figure]] and space not in closed:
                if space in self.face_up:
                    toll = self.toll(space)
                    cost = self.toll_cost(toll, figure)
                    if not toll.get("otherwise") and len(self.hands[self.active]) - spent < len(cost):
                        continue
                found.append(space)
        return found

    def toll(self, space: str) -> dict[str, Any]:
        return next(tile["toll"] for tile in self.chapter["tiles"] if tile["id"] == self.tiles[space])

    @staticmethod
    def toll_cost(toll: Mapping[str, Any], figure: str) -> list[str]:
        less = toll.get("less")
        return list(less["cost"] if less and less["figure"] == figure else toll["cost"])

    def step(self, figure: str, space: str) -> Play:
        """Move a figure one space, paying for what lies there face up."""
        if space in self.face_up:
            toll = self.toll(space)
            yield from self.pay(self.toll_cost(toll, figure), toll.get("otherwise"))
            self.face_up.discard(space)
            if toll.get("then", "turned") == "gone":
                del self.tiles[space]
        self.place(figure, space, by_players=True)
        self.look_for_defeat()

    def place(self, figure: str, space: str, by_players: bool) -> None:
        """Put a figure on a space, with whom it carries."""
        self.where[figure] = space
        if space == self.star and (by_players or self.rules["star_taken_by"] == "anyone"):
            self.star = None
            self.held_miracles += 1
            self.tally.counts["miracles_taken"] += 1
        for other in self.chapter["figures"]:
            carried = other.get("carried")
            if carried and carried["by"] == figure and carried["after"] in self.done:
                self.where[other["id"]] = space

    def tell(self) -> Play:
        """Play the Storytelling step."""
        me = self.active
        while True:
            for offset in range(1, self.n):
                yield from self.offer_help((me + offset) % self.n)
            options = [END, *(MIRACLES if self.held_miracles else [])]
            options += [("challenge", index) for index in range(len(self.chapter["challenges"])) if self.ready(index)]
            for index, action in enumerate(self.chapter.get("actions", [])):
                if not (action.get("once_a_turn") and action["id"] in self.used) and self.hold(action.get("needs", [])):
                    options += [("rule", index, way) for way, cost in enumerate(action["pay"]) if self.affords(cost)]
            if self.traded < self.rules["trades"] and self.hands[me]:
                options += [("trade", seat) for seat in range(self.n) if seat != me and self.hands[seat]]
            options += self.playable(me, ("walk", "draw", "fetch", "look"))
            if self.hands[me]:
                for figure in self.movers():
                    options += [("step", figure, space) for space in self.reach(figure, 1)]
            answer = yield from self.ask(me, options)
            match answer:
                case ("end",):
                    return
                case ("miracle", what):
                    self.use_miracle(me, what)
                case ("challenge", index):
                    yield from self.complete(self.chapter["challenges"][index])
                case ("rule", index, way):
                    action = self.chapter["actions"][index]
                    self.used.add(action["id"])
                    yield from self.pay(action["pay"][way])
                    yield from self.suffer(action["effects"])
                case ("trade", partner):
                    yield from self.trade(partner)
                case ("special", card):
                    yield from self.play_special(me, card)
                case ("step", figure, space):
                    self.tally.counts["walked"] += 1
                    yield from self.pay(["any"])
                    yield from self.step(figure, space)

    def playable(self, seat: int, ops: Sequence[str]) -> list[Answer]:
        return [
            ("special", kind)
            for kind in self.kinds
            if kind in self.hands[seat] and self.cards.get(kind, {}).get("op") in ops
        ]

    def offer_help(self, seat: int) -> Play:
        """Ask another seat once, if it has something to use."""
        options = [*(MIRACLES if self.held_miracles else []), *self.playable(seat, ("walk", "draw", "fetch", "look"))]
        if options:
            answer = yield from self.ask(seat, [END, *options])
            if answer[0] == "miracle":
                self.use_miracle(seat, answer[1])
            elif answer != END:
                yield from self.play_special(seat, answer[1])

    def window(self, number: int) -> Play:
        """Ask all seats once when a plot card is turned; return whether it is cancelled."""
        for offset in range(self.n):
            seat = (self.active + offset) % self.n
            options = [*(MIRACLES if self.held_miracles else []), *self.playable(seat, ("cancel",))]
            if options:
                answer = yield from self.ask(seat, [END, *options])
                if answer[0] == "miracle":
                    self.use_miracle(seat, answer[1])
                elif answer != END:
                    self.spend_special(seat, answer[1])
                    self.tally.counts["cancelled"] += 1
                    return True
        return False

    # -- cards ------------------------------------------------------------------------------------------------------

    def draw(self, seat: int, cards: int) -> None:
        for _ in range(cards):
            if not self.pile and self.discarded:
                self.pile = shuffled(self.streams[STORY], sorted(self.discarded, key=self.kinds.index))
                self.discarded = []
                self.tally.counts["reshuffles"] += 1
            if self.pile:
                self.hands[seat].append(self.pile.pop())

    def draw_specials(self, seat: int, cards: int) -> None:
        for _ in range(cards):
            if self.specials:
                self.hands[seat].append(self.specials.pop())
                self.tally.counts["specials_drawn"] += 1

    def use_miracle(self, seat: int, what: str) -> None:
        self.held_miracles -= 1
        self.supply += 1
        self.tally.counts["miracles_used"] += 1
        if what == "story":
            self.draw(seat, self.rules["miracle_story"])
        else:
            self.draw_specials(seat, self.rules["miracle_special"])

    def is_wild(self, card: str) -> bool:
        return self.cards.get(card, {}).get("op") == "wild"

    def affords(self, cost: Sequence[str], hand: Sequence[str] | None = None) -> bool:
        """Return whether a hand can pay: icons with themselves or wilds, the rest with anything."""
        left = list(self.hands[self.active] if hand is None else hand)
        for icon in [icon for icon in cost if icon != "any"]:
            if icon in left:
                left.remove(icon)
            else:
                wild = next((card for card in left if self.is_wild(card)), None)
                if wild is None:
                    return False
                left.remove(wild)
        return len(left) >= sum(icon == "any" for icon in cost)

    def pay(self, cost: Sequence[str], otherwise: Mapping[str, Any] | None = None) -> Play:
        """Let the active player discard for a cost, card by card."""
        hand = self.hands[self.active]
        if otherwise and not self.affords(cost):
            yield from self.ask(self.active, [ALTERNATIVE])
            self.count(otherwise["counter"], otherwise.get("by", 1))
            return
        due = sorted(cost, key=[*ICONS, "any"].index)
        while due:
            options = [ALTERNATIVE] if otherwise else []
            for card in self.kinds:
                fits = due[0] == "any" or card == due[0] or self.is_wild(card)
                if card in hand and fits:
                    rest = list(hand)
                    rest.remove(card)
                    if self.affords(due[1:], rest):
                        options.append(("card", card))
            answer = yield from self.ask(self.active, options)
            if answer == ALTERNATIVE:
                assert otherwise
                self.count(otherwise["counter"], otherwise.get("by", 1))
                return
            hand.remove(answer[1])
            self.discarded.append(answer[1])
            due.pop(0)

    def trade(self, partner: int) -> Play:
        """Give a card, then get one."""
        self.traded += 1
        self.tally.counts["trades"] += 1
        mine, theirs = self.hands[self.active], self.hands[partner]
        offers = list(theirs)
        given = yield from self.ask(self.active, [("card", card) for card in self.kinds if card in mine])
        mine.remove(given[1])
        theirs.append(given[1])
        chooser = self.active if self.rules["hands"] == "open" else partner
        got = yield from self.ask(chooser, [("card", card) for card in self.kinds if card in offers])
        theirs.remove(got[1])
        mine.append(got[1])

    def spend_special(self, seat: int, card: str) -> None:
        """Discard a Special that is played; one that brings cards waits until the end of the turn."""
        self.hands[seat].remove(card)
        waits = self.cards[card]["op"] in ("draw", "fetch")
        (self.aside if waits else self.discarded).append(card)
        self.tally.counts["specials_played"] += 1

    def play_special(self, seat: int, card: str) -> Play:
        """Play a Special in Storytelling."""
        self.spend_special(seat, card)
        effect = self.cards[card]
        match effect["op"]:
            case "draw":
                self.draw(seat, effect["cards"])
            case "walk":
                yield from self.walk(seat, effect["figures"] * effect["spaces"], effect["figures"], effect["spaces"])
            case "fetch":
                for _ in range(effect["cards"]):
                    options = [END, *(("card", kind) for kind in self.kinds if kind in self.discarded)]
                    answer = yield from self.ask(seat, options)
                    if answer == END:
                        break
                    self.discarded.remove(answer[1])
                    self.hands[seat].append(answer[1])
            case "look":
                looked = [self.plot.pop() for _ in range(min(effect["cards"], len(self.plot)))]
                while looked:
                    order = [card["number"] for card in self.data["plot_cards"] if card["number"] in looked]
                    answer = yield from self.ask(seat, [("number", number) for number in order])
                    looked.remove(answer[1])
                    self.plot.append(answer[1])

    # -- challenges and effects -------------------------------------------------------------------------------------

    def ready(self, index: int) -> bool:
        """Return whether a challenge can be completed."""
        challenges = self.chapter["challenges"]
        challenge = challenges[index]
        if challenge["id"] in self.done:
            return False
        if self.chapter.get("in_order") and any(other["id"] not in self.done for other in challenges[:index]):
            return False
        return self.affords(challenge["cost"]) and self.hold(challenge.get("needs", []))

    def complete(self, challenge: Mapping[str, Any]) -> Play:
        yield from self.pay(challenge["cost"])
        self.done.append(challenge["id"])
        self.tally.counts["challenges"] += 1
        yield from self.suffer(challenge.get("reward", []))
        if len(self.done) == len(self.chapter["challenges"]):
            raise ChapterCompletedError

    def suffer(self, effects: Sequence[Mapping[str, Any]]) -> Play:
        """Carry out effects one by one."""
        for effect in effects:
            if self.hold(effect.get("when", [])):
                due = self.carry_out(effect)
                # the board is looked at before anybody pays; being caught costs its cards one by one
                self.look_for_defeat()
                if effect["op"] == "discard":
                    yield from self.lose(due)
                elif effect["op"] == "demand":
                    if due:
                        yield from self.pay([effect["icon"]])
                else:
                    for _ in range(due):
                        yield from self.lose(1)

    def lose(self, cards: int) -> Play:
        """Discard cards because of an effect, never the last one."""
        cards = min(cards, len(self.hands[self.active]) - 1)
        if cards > 0:
            yield from self.pay(["any"] * cards)

    def carry_out(self, effect: Mapping[str, Any]) -> int:
        """Do what an effect does to the table at once; return the cards that it costs."""
        match effect["op"]:
            case "move":
                return self.shift(effect["figure"], effect["to"])
            case "join":
                to = self.where[effect["other"]]
                return self.shift(effect["figure"], to) if to else 0
            case "advance":
                return self.march(effect["figure"], effect["path"], effect.get("steps", 1))
            case "count":
                self.count(effect["counter"], effect.get("by", 1))
            case "put":
                supply = self.chapter["pieces"]["counter"]
                if self.counters[supply]:
                    self.counters[supply] -= 1
                    self.litter[effect["space"]] += 1
                else:
                    self.lacking = True
            case "take":
                space = self.where[effect["figure"]]
                if self.litter[space]:
                    self.litter[space] -= 1
                    self.counters[self.chapter["pieces"]["counter"]] += 1
            case "draw":
                self.draw(self.active, effect.get("cards", 1))
            case "special":
                self.draw_specials(self.active, effect.get("cards", 1))
            case "discard":
                return int(effect.get("cards", 1))
            case "demand":
                hand = self.hands[self.active]
                if len(hand) > 1 and self.affords([effect["icon"]]):
                    return 1
                self.count(effect["otherwise"]["counter"], effect["otherwise"].get("by", 1))
        return 0

    def march(self, figure: str, name: str, steps: int) -> int:
        path = next(path for path in self.chapter["paths"] if path["id"] == name)
        spaces, at = path["spaces"], self.where[figure]
        if at in spaces:
            place = spaces.index(at)
        elif path.get("elsewhere") and steps > 0:
            place, steps = spaces.index(path["elsewhere"]), steps - 1
        else:
            return 0
        place += steps
        place = place % len(spaces) if path.get("loop") else max(0, min(place, len(spaces) - 1))
        return self.shift(figure, spaces[place])

    def shift(self, figure: str, space: str) -> int:
        """Move a figure by an effect; return the cards that those cost whom it catches."""
        self.place(figure, space, by_players=False)
        guards = self.chapter.get("guards")
        due = 0
        if guards and figure in guards["figures"]:
            order = [figure["id"] for figure in self.chapter["figures"]]
            for caught in sorted(guards.get("catch", []), key=order.index):
                if self.where[caught] == space:
                    self.place(caught, guards["to"], by_players=False)
                    due += guards.get("discard", 0)
        return due

    def count(self, name: str, by: int) -> None:
        last = next(counter["last"] for counter in self.chapter["counters"] if counter["id"] == name)
        self.counters[name] = max(0, min(self.counters[name] + by, last))

    def look_for_defeat(self) -> None:
        if len(self.done) < len(self.chapter["challenges"]):
            for index, defeat in enumerate(self.chapter["defeats"], start=1):
                if self.hold(defeat["when"]):
                    raise ChapterInterruptedError(index)

    # -- conditions -------------------------------------------------------------------------------------------------

    def hold(self, conditions: Sequence[Mapping[str, Any]]) -> bool:
        return all(self.holds(condition) for condition in conditions)

    def holds(self, condition: Mapping[str, Any]) -> bool:
        """Return whether a condition of docs/adventure-book.md holds."""
        at = self.where.get(condition.get("figure", ""))
        count = self.counters.get(condition.get("counter", ""), 0)
        match condition["op"]:
            case "at":
                return at in condition["spaces"]
            case "away":
                return at not in condition["spaces"]
            case "together":
                return at is not None and at == self.where[condition["other"]]
            case "tile":
                return at is not None and self.tiles.get(at) == condition["tile"]
            case "near":
                spaces = {self.where[figure] for figure in condition["figures"]} - {None}
                around = spaces.union(*(self.ways[str(space)] for space in spaces))
                return any(self.tiles.get(str(space)) == condition["tile"] for space in around & self.face_up)
            case "clear":
                return self.litter[condition["space"]] == 0
            case "littered":
                return at is not None and self.litter[at] > 0
            case "at_least":
                return bool(count >= condition["number"])
            case "at_most":
                return bool(count <= condition["number"])
            case "reached":
                return bool(count >= self.counters[condition["other"]])
            case "above":
                return bool(count > self.counters[condition["other"]])
            case "done":
                return set(condition["challenges"]) <= set(self.done)
            case "undone":
                return not set(condition["challenges"]) & set(self.done)
            case "passed":
                path = next(path for path in self.chapter["paths"] if path["id"] == condition["path"])
                places = [self.along(path, self.where[name]) for name in (condition["figure"], condition["other"])]
                return None not in places and places[0] >= places[1]  # type: ignore[operator]
            case "lacking":
                return self.lacking
        raise ValueError(condition["op"])

    @staticmethod
    def along(path: Mapping[str, Any], space: str | None) -> int | None:
        if space is None:
            return None
        if space in path["spaces"]:
            return int(path["spaces"].index(space))
        return int(path["spaces"].index(path["elsewhere"])) if path.get("elsewhere") else None
