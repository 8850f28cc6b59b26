"""The plain reading and the engine at one table: every choice of a game, compared."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import strategies
from reference import grimoire
from reference.grimoire import Asked
from simcore import scenario
from simcore.games.grimoire_shuffle import state as st
from simcore.player import Player
from support import SCENARIOS, Table

FILES = {4: "four-at-random.yaml", 6: "six-at-random.yaml"}
REASONS = ("round cap", "trophies", "sudden elimination")
COUNTS = ("flips", "rotations", "specials", "skipped", "walks", "idle_walks")
_PLAYERS: dict[Any, Player] = {}


def player_of(seats: int, seed: int, edition: Path | None = None, **rules: Any) -> Player:
    """Return the player of a table of random players; `rules` as in a scenario."""
    key = (seats, seed, edition, *sorted(rules.items()))
    if key not in _PLAYERS:
        overrides = [("seed", str(seed)), ("rotate", "false")]
        overrides += [(f"rules.{name}", str(value).lower()) for name, value in rules.items()]
        overrides += [("edition", str(edition))] if edition else []
        loaded = scenario.load(SCENARIOS / "grimoire-shuffle" / FILES[seats], strategies, overrides=overrides)
        _PLAYERS[key] = Player(loaded.match, strategies)
    return _PLAYERS[key]


class Both:
    """Plays one game at both tables; answers by lot, mostly forwards, so that games end."""

    def __init__(self, seats: int, seed: int, deal: int, edition: Path | None = None, **rules: Any) -> None:
        self.table = Table(player_of(seats, seed, edition, **rules), deal)
        self.chance = random.Random(f"{seed} {deal}")
        given = {
            "advanced": rules.get("leader_effects", False),
            "round_cap": rules.get("round_cap", 100),
            "trophies": {4: rules.get("trophies", 4), 6: rules.get("trophies_six", 6)},
        }
        self.reading = grimoire.Table(seats, seed, deal, self.answer, {**grimoire.RULES, **given})
        self.choices = 0

    def play(self) -> grimoire.Result:
        """Play to the end and compare the outcomes."""
        result = self.reading.run()
        assert self.table.over
        self.compare_outcome(result)
        return result

    def answer(self, asked: Asked) -> int:
        """Compare the positions, then answer at both tables."""
        assert not self.table.over
        self.compare(asked)
        action = self.choice(asked)
        self.table.apply(action)
        self.choices += 1
        return action

    def choice(self, asked: Asked) -> int:
        codes = asked.codes
        if asked.kind == "move" and self.chance.random() < 0.7:
            heading = self.reading.heading[asked.seat]
            goal = self.reading.code(heading)
            if goal in codes:
                return goal
            spaces = [code for code in codes if code < 126]
            if spaces:
                return min(spaces) if heading == "N" else max(spaces)
        return self.chance.choice(codes)

    def compare(self, asked: Asked) -> None:
        """Compare who is asked what, pawns, books, and who knows where they are."""
        table, reading = self.table, self.reading
        offered = table.offered()
        where = f"deal {table.index}, round {reading.rounds}, {asked}"
        assert (table.seat, offered) == (asked.seat, list(asked.codes)), where
        assert st.ROLES[table.which % 2] == asked.role, where
        for pawn in range(reading.n):
            lifted = bool(int(table.see("lifted")) >> pawn & 1)
            assert lifted == (pawn in reading.lifted), where
            if not lifted:
                assert int(table.see("pos")[pawn]) == reading.code(reading.board.pawns[pawn]), where
            assert int(table.see("trophies")[pawn]) == len(reading.trophies[pawn]), where
        self.compare_books(asked, where)

    def compare_books(self, asked: Asked, where: str) -> None:
        table, reading = self.table, self.reading
        head, left = int(table.see("head")), int(table.see("left"))
        places = [(head + i) % st.BOOKS for i in range(left)]
        deck = [(int(table.see("deck")[p]), int(table.see("deck_known")[p])) for p in places]
        expected = [(book, mask_of(known)) for book, known in reading.deck.books]
        if asked.kind == "trophy":  # the two on top lie open for the drawer
            expected[:2] = [(book, 1 << asked.seat) for book, _ in expected[:2]]
        assert deck == expected, where
        for team in (0, 1):
            stack = [
                (int(b), int(k)) for b, k in zip(table.see("stack")[team], table.see("stack_known")[team], strict=True)
            ]
            for slot, book in enumerate(reading.stacks[team]):
                gone = book.to == "gone" or (asked.kind == "trophy" and book.to == asked.seat)
                assert stack[slot] == (st.NONE if gone else book.number, mask_of(book.known)), where
            pile = [
                (int(b), int(k)) for b, k in zip(table.see("pile")[team], table.see("pile_known")[team], strict=True)
            ]
            found = [(book.number, mask_of(book.known)) for book in reading.piles[team]]
            assert pile[: len(found)] == found, where
            assert all(book == st.NONE for book, _ in pile[len(found) :]), where

    def compare_outcome(self, result: grimoire.Result) -> None:
        row = self.table.score()[0]
        assert int(row["winners"]) == (0 if result.winner is None else 1 << result.winner)
        assert REASONS[int(row["reason"])] == result.reason
        assert (int(row["rounds"]), int(row["turns"]), bool(row["sudden"])) == (
            result.rounds,
            result.turns,
            result.sudden,
        )
        n = self.reading.n
        assert row["trophies"][:n].tolist() == result.trophies
        assert {name: int(row[name]) for name in COUNTS} == result.counts
        assert row["rows"][:n].tolist() == result.rows
        assert row["idle_turns"][:n].tolist() == result.idle_turns
        first = [-(2**31) if r is None else r for r in result.first_trophy]
        assert row["first_trophy"][:n].tolist() == [first[seat % 2] for seat in range(n)]
        log = self.table.memory["state"]["log"]
        for book, (rows, uses) in result.book_rows.items():
            assert (int(log["book_rows"][0][book]), int(log["book_uses"][0][book])) == (rows, uses)


def mask_of(seats: set[int]) -> int:
    """Return a set of seats as a bit mask."""
    return sum(1 << seat for seat in seats)
