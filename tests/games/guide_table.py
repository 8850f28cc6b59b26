"""Joins the plain reading of the field guide game to a table where the kernels are driven by hand."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reference import guide
from reference.guide import Option
from simcore.contract import ABSENT
from simcore.games.field_guide import state as codes
from support import Table

KINDS = {
    codes.LAYING: "lay",
    codes.CARRYING: "carrier",
    codes.HOUSE: "house",
    codes.CHAIN: "chain",
    codes.RACE: "move",
    codes.PIECE: "move",
    codes.OPPONENT: "opponent",
    codes.STRIKE: "strike",
    codes.WARD: "ward",
    codes.TARGET: "target",
    codes.CAGE: "cage",
}
COUNTED = ("changes", "passes", "cage_taken", "cage_won", "cage_used", "sent_back")
Pick = Callable[[guide.Game, Sequence[Option]], Option]


class Words:
    """Codes of actions for the options of the reading, in the order of the edition's lists."""

    def __init__(self, box: guide.Box) -> None:
        house = guide.House(box.house)
        self.squares = {square: index for index, square in enumerate(house.letters)}
        self.rooms = {room: index for index, room in enumerate(box.house["rooms"])}
        self.spaces = {space: index for index, space in enumerate(spaces_of(box))}
        self.pieces = {name: index for index, name in enumerate(guide.guide_data.CHILDREN)}
        self.pieces |= {f"gruzel{n}": codes.CHILDREN - 1 + n for n in (1, 2, 3)}
        self.first_green = len(box.blue)

    def code(self, option: Option, role: str) -> int:
        """Return the action that an option is."""
        match option:
            case ("square", square):
                return self.squares[square]
            case ("turn" | "lay" as what, room):
                return {"turn": codes.TURN, "lay": codes.LAY}[what] + self.rooms[room]
            case ("carry" | "fight" | "aim" as what, name):
                return {"carry": codes.CARRY, "fight": codes.FIGHT, "aim": codes.AIM}[what] + self.pieces[name]
            case ("play", kind):
                return codes.CARD + kind + (self.first_green if role == "gruzels" else 0)
            case ("move", name, space):
                return codes.MOVE + codes.STRIDE * self.pieces[name] + self.spaces[space]
            case (word,):
                plain = {"stay": codes.STAY, "stop": codes.STOP, "pass": codes.PASS}
                return {**plain, "spend": codes.SPEND, "keep": codes.KEEP}[word]
        raise ValueError(option)


def spaces_of(box: guide.Box) -> list[str]:
    """Return the spaces, the children's first, each once."""
    return list(dict.fromkeys((*box.race["children"], *box.race["gruzels"])))


class Follower:
    """Answers the reading as the kernels at a table are answered, after comparing what both offer and show."""

    def __init__(self, table: Table, words: Words, pick: Pick) -> None:
        self.table, self.words, self.pick = table, words, pick
        self.names = table.memory["state"]["play"].dtype.names
        self.game: guide.Game

    def skip_forced(self) -> None:
        """Carry out what the kernels offer alone; the reading does not ask for it."""
        while not self.table.over and len(offered := self.table.offered()) == 1:
            self.table.apply(offered[0])

    def __call__(self, seat: int, role: str, kind: str, options: list[Option]) -> Option:
        """Compare seat, role, question, options and position; answer."""
        self.skip_forced()
        table = self.table
        phase = int(table.see("phase"))
        assert (table.seat, codes.ROLES[table.which % 3], KINDS[phase]) == (seat, role, kind)
        coded = {self.words.code(option, role): option for option in options}
        offered = table.offered()
        assert offered == sorted(coded)
        self.compare()
        in_order = [coded[action] for action in offered]
        answer = self.pick(self.game, in_order)
        table.apply(self.words.code(answer, role))
        return answer

    def compare(self) -> None:
        """Compare everything that lies on the table."""
        game, words = self.game, self.words
        record = self.table.memory["state"]["play"][0].tolist()
        play = {name: as_list(value) for name, value in zip(self.names, record, strict=True)}
        assert (play["rounds"], play["turns"], play["won"]) == (game.rounds, game.turns, game.cage_won)
        for piece in (*game.children, *game.gruzels):
            index = words.pieces[piece.name]
            if piece.space is None:
                assert play["space"][index] == codes.NONE
                assert play["square"][index] == words.squares[piece.square]  # type: ignore[index]
            else:
                stands = ("children", "gruzels").index(piece.path)
                assert (play["space"][index], play["path"][index]) == (words.spaces[piece.space], stands), piece
        guide_at = codes.NONE
        if game.guide is not None:
            guide_at = codes.HELD_BY_GRUZELS if game.guide == "gruzels" else words.pieces[game.guide]
        assert play["guide"] == guide_at
        for room, index in words.rooms.items():
            assert play["token"][index] == game.tokens.get(room, 0)
            assert play["known"][index] == sum(1 << seat for seat in game.seen[room])
        for first, pile, seats in (
            (0, game.piles["blue"], range(game.keeper)),
            (words.first_green, game.piles["green"], (game.keeper,)),
        ):
            last = first + len(pile.cards)
            assert play["stock"][first:last] == self.counted(pile.down, len(pile.cards))
            assert play["discard"][first:last] == self.counted(pile.discards, len(pile.cards))
            for seat in seats:
                assert play["hand"][seat][first:last] == self.counted(game.hands[seat], len(pile.cards))
                assert sum(play["hand"][seat]) == len(game.hands[seat])

    @staticmethod
    def counted(cards: Sequence[int], kinds: int) -> list[int]:
        """Return how many cards there are of each kind."""
        found = [0] * kinds
        for kind in cards:
            found[kind] += 1
        return found


def as_list(value: Any) -> Any:
    """Return an array of a record as a list, a number as it is."""
    return value.tolist() if hasattr(value, "tolist") else value


def lockstep(table: Table, n: int, seed: int, deal: int, pick: Pick, rules: Mapping[str, Any], box: guide.Box) -> Any:
    """Play a game by both, answer by answer; return the game of the reading."""
    follower = Follower(table, Words(box), pick)
    follower.game = guide.Game(box, rules, n, seed, deal, follower)
    follower.game.play()
    follower.skip_forced()
    assert table.over
    assert facts_of_row(table.score()[0], n) == {**facts(follower.game, box), "decisions": 0}
    return follower.game


def facts(game: guide.Game, box: guide.Box) -> dict[str, Any]:
    """Return the columns of an outcome row, from the reading."""
    names = [card["name"] for card in (*box.blue, *box.green)]
    hands = [{game.card(seat, kind)["name"] for kind in hand} for seat, hand in enumerate(game.hands)]
    found, left = game.found or (ABSENT, ABSENT), game.left or (ABSENT, ABSENT)
    reasons = codes.REASONS
    distance = game.distance_left()
    return {
        "winners": {"guide at Arthur": 1, "guide at Mulgaraat": 2}.get(game.reason, 0),
        "turns": game.turns,
        "rounds": game.rounds,
        "decisions": game.decisions,
        "reason": reasons.index(game.reason),
        "found_round": found[0],
        "found_turn": found[1],
        "left_round": left[0],
        "left_turn": left[1],
        "fights": sum(game.won),
        "fights_children": sum(game.won[:-1]),
        "fights_gruzels": game.won[-1],
        **{name: game.counts[name] for name in COUNTED},
        "reshuffles": sum(pile.reshuffles for pile in game.piles.values()),
        "distance_left": ABSENT if distance is None else distance,
        "drawn": game.drawn,
        "fights_won": game.won,
        "fights_lost": game.beaten,
        "exposed": [
            [sum(1 << names.index(name) for name in cards) for cards in masks]
            for masks in zip(game.dealt, hands, game.played, strict=True)
        ],
    }


def facts_of_row(row: Any, n: int) -> dict[str, Any]:
    """Return the same columns of a row."""
    found: dict[str, Any] = {}
    for name in row.dtype.names:
        if name == "exposed":
            found[name] = row[name][:n, :, 0].tolist()
        elif name != "seconds":
            found[name] = row[name][:n].tolist() if row[name].shape else int(row[name])
    return found


def hasty(chance: random.Random, haste: float) -> Pick:
    """Return a chooser that mostly does what brings the game on, tokens and all, and else anything."""

    def pick(game: guide.Game, options: Sequence[Option]) -> Option:
        if chance.random() < haste:
            best = max(options, key=lambda option: worth(game, option))
            if worth(game, best) > 0:
                return best
        return chance.choice(options)

    return pick


def worth(game: guide.Game, option: Option) -> float:
    """Return how far an option brings the game on, by all there is to know."""
    match option:
        case ("turn", room):
            return 10.0 - game.tokens[room] if room not in game.seen or game.tokens[room] > 1 else 0.0
        case ("square", square):
            room = game.house.token_room(square)
            return 1.0 if room in game.tokens and (game.tokens[room] == 1 or len(game.seen[room]) < 4) else 0.0
        case ("move", name, space):
            path = game.paths["gruzels" if name.startswith("gruzel") else "children"]
            return 100.0 + path.index(space) if space in path else 50.0
        case ("play", _) | ("spend",):
            return 1.0
    return 0.0


def random_player(seed: int, deal: int, words: Words) -> guide.Choose:
    """Return the chooser that is the strategy `random`: any option with equal chance, from the stream of the seat."""
    streams = [guide.Stream(seed, deal, seat) for seat in range(guide.SEATS)]

    def choose(seat: int, role: str, kind: str, options: list[Option]) -> Option:
        in_order = sorted(options, key=lambda option: words.code(option, role))
        return in_order[streams[seat].below(len(in_order))]

    return choose
