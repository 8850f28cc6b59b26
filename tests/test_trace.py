"""A told game is the game that was played, and its story alone accounts for every die, card and hit."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.cells import cell_len

import strategies
from reports import story
from sample_summary import HOSTILE
from simcore import trace
from simcore.contract import Names
from simcore.errors import GameError, IllegalActionError
from simcore.player import Player
from simcore.scenario import Scenario, load

ROOT = Path(__file__).parent.parent
DICE_OPS = ("reroll", "discard", "turn")

# Cards that meet each other at one rank, work in several steps, and leave the choice to the other player.
ODD_CARDS = """
components:
  shake: {kind: cards, label: Shake, deck: fezzik, rank: 3, effects: [{op: reroll, side: own, count: all},
    {op: turn, side: opponent, count: 2, up_to: true, to: 0}]}
  grip: {kind: cards, label: Grip, deck: fezzik, rank: 3, effects: [{op: discard, side: own, count: 2},
    {op: drop_card, count: 2, choice: owner}]}
  toss: {kind: cards, label: Toss, deck: fezzik, rank: 3, effects: [
    {op: reroll, side: opponent, count: 9, picker: owner}, {op: discard, side: opponent, count: 9, up_to: true}]}
  sneer: {kind: cards, label: Sneer, deck: rugen, rank: 3, effects: [{op: reroll, side: opponent, count: all},
    {op: turn, side: own, count: 2, to: 1}]}
  order: {kind: cards, label: Order, deck: rugen, rank: 3, effects: [{op: discard, side: opponent, count: 2},
    {op: drop_card, count: 1, choice: self, up_to: true}]}
  rest: {kind: cards, label: Rest, deck: rugen, rank: 9, effects: [{op: restore, count: 3, up_to: true, roll_now: true},
    {op: drop_card, count: 2, choice: random}]}
  hush: {kind: cards, label: Hush, deck: rugen, rank: 3, effects: [{op: cancel}]}
  hiss: {kind: cards, label: Hiss, deck: fezzik, rank: 3, effects: [{op: cancel}]}
  nothing: {kind: cards, label: Nothing, deck: rugen, rank: 3}
"""
PLAYERS = "{strategy: %s, character: %s}"


def scenario_text(
    first: str, second: str, rules: str = "", rest: str = "rotate: true", strategy: str = "random"
) -> str:
    seats = ", ".join(PLAYERS % (strategy, character) for character in (first, second))
    return f"game: hate-to-kill-you\nseed: 2026\nseats: [{seats}]\nrules: {{{rules}}}\n{rest}\n"


SCENARIOS = {
    "film": scenario_text("inigo", "man-in-black", strategy="patient"),
    "unrotated": scenario_text("humperdinck", "rugen", rest="label: One way round"),
    "mirror": scenario_text("humperdinck", "humperdinck", "same_character_twice: true"),
    "dice alone": scenario_text("inigo", "rugen", "cards: none"),
    "no losses": scenario_text("rugen", "fezzik", "hit_discard: 0, tie_discard: 0, hits_to_win: 9"),
    "capped": scenario_text("inigo", "fezzik", "round_cap: 3"),
    "odd cards": scenario_text("rugen", "fezzik", "hits_to_win: 9", ODD_CARDS + "rotate: true"),
    "no bluffs": scenario_text(
        "rugen", "fezzik", "hits_to_win: 50, round_cap: 18", ODD_CARDS + "  bluff: {remove: true}\n"
    ),
    "all at rank 8": scenario_text("rugen", "fezzik", "after_round: 2", ODD_CARDS),
}
GAMES = range(12)
everywhere = pytest.mark.parametrize("name", SCENARIOS)


@lru_cache
def scenario(name: str) -> Scenario:
    return read(SCENARIOS[name])


def read(text: str, folder: Path | None = None) -> Scenario:
    with tempfile.TemporaryDirectory() as temporary:
        file = (folder or Path(temporary)) / "tale.yaml"
        file.write_text(text, encoding="utf-8")
        return load(file, strategies)


@lru_cache
def tell(name: str, game: int) -> dict[str, Any]:
    return trace.play(scenario(name), game, strategies)


def events(told: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [event for event in all_events(told) if event["kind"] == kind]


def all_events(told: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for part in (told["start"], *told["steps"]):
        yield from part["events"]


# -- the same game --------------------------------------------------------------------------------------------------


@everywhere
def test_a_told_game_ends_as_its_row_of_a_run(name: str) -> None:
    match = scenario(name).match
    rows = Player(match, strategies).play(0, len(GAMES))
    for game in GAMES:
        row, outcome = rows[game], tell(name, game)["outcome"]
        seated = match.rotations[game % len(match.rotations)]
        assert [outcome[key] for key in ("turns", "rounds", "decisions")] == [
            row[key] for key in ("turns", "rounds", "decisions")
        ]
        assert outcome["minutes"] * 60 == row["seconds"]
        assert outcome["winners"] == [seated[seat] + 1 for seat in range(2) if row["winners"] >> seat & 1]
        assert outcome["labels"] == [scenario(name).entries[number - 1].label for number in outcome["winners"]]
        for seat, entry in enumerate(seated):
            assert outcome["metrics"][f"hits.{entry + 1}"] == row["hits"][seat]
        assert outcome["metrics"]["ties"] == row["ties"]


@everywhere
def test_players_are_named_where_they_sit(name: str) -> None:
    listed = scenario(name).entries
    for game in GAMES:
        told = tell(name, game)
        assert [player["seat"] for player in told["players"]] == [1, 2]
        for player in told["players"]:
            entry = listed[player["player"] - 1]
            assert (player["label"], player["character"]) == (entry.label, entry.options.character)
            assert player["strategy"] == entry.strategies[0]
    exchanged = {tuple(player["player"] for player in tell(name, game)["players"]) for game in GAMES}
    assert len(exchanged) == len(scenario(name).match.rotations)


@everywhere
def test_a_told_game_is_strict_json_and_always_the_same(name: str) -> None:
    for game in (0, 1):
        told = tell(name, game)
        assert told["schema"] == "balance.trace/1"
        assert json.loads(json.dumps(told, allow_nan=False)) == told
        assert trace.play(scenario(name), game, strategies) == told


def test_a_log_that_is_too_short_is_taken_again(monkeypatch: pytest.MonkeyPatch) -> None:
    told = tell("film", 3)
    for room in (1, len(told["steps"]), len(told["steps"]) + 1):
        monkeypatch.setattr(trace, "ACTION_LOG", room)
        assert trace.play(scenario("film"), 3, strategies) == told


@pytest.mark.parametrize("field", ["winners", "decisions", "ties", "hits", "exposed"])
def test_a_replay_that_differs_is_our_bug_and_says_where(monkeypatch: pytest.MonkeyPatch, field: str) -> None:
    honest = Player.play_logged

    def altered(self: Player, index: int, log: Any) -> Any:
        row = honest(self, index, log)
        row[field] += 1
        return row

    monkeypatch.setattr(Player, "play_logged", altered)
    with pytest.raises(GameError, match=f"replay differs from the game: {field}") as caught:
        trace.play(scenario("film"), 3, strategies)
    assert caught.value.exit_code == 70
    assert caught.value.replay == "balance trace tale --seed 2026 --game 3"


def test_an_action_that_is_not_offered_in_the_replay_is_our_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Player.play_logged

    def altered(self: Player, index: int, log: Any) -> Any:
        row = honest(self, index, log)
        log[7] = 99
        return row

    monkeypatch.setattr(Player, "play_logged", altered)
    with pytest.raises(GameError, match="action 99 is not among"):
        trace.play(scenario("film"), 3, strategies)


def test_a_trace_is_the_same_without_jit() -> None:
    code = (
        "import json, sys, hashlib; sys.path[:0] = ['tests']; import test_trace as t;"
        "print(hashlib.sha256(json.dumps([t.tell(n, k) for n in t.SCENARIOS for k in (2, 5)]).encode()).hexdigest())"
    )
    found = set()
    for off in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-W", "error::RuntimeWarning", "-c", code],
            cwd=ROOT,
            env={**os.environ, "NUMBA_DISABLE_JIT": off},
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(done.stdout)
    assert len(found) == 1


# -- the events account for everything ------------------------------------------------------------------------------


class Table:
    """The dice, cards and health of both players, moved by what the story says and by nothing else."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.dice: list[Counter[tuple[str, int]]] = [Counter(), Counter()]
        self.out: list[Counter[str]] = [Counter(), Counter()]
        self.hands: list[set[str]] = [set(), set()]
        (setup,) = events(told, "setup")
        self.health = [setup["data"]["hits_to_win"]] * 2
        self.swords_after_cards: list[int] | None = None

    def take(self, event: dict[str, Any]) -> None:
        getattr(self, f"_{event['kind']}")(**event["data"])

    def swords(self) -> list[int]:
        return [sum(swords * n for (_, swords), n in dice.items()) for dice in self.dice]

    def colours(self, seat: int) -> Counter[str]:
        found: Counter[str] = Counter()
        for (colour, _), n in self.dice[seat].items():
            found[colour] += n
        return +found

    def _setup(self, hits_to_win: int) -> None:
        assert hits_to_win == self.health[0]

    def _legend(self) -> None:
        pass

    def _hand(self, seat: int, cards: list[str]) -> None:
        self.hands[seat - 1] = set(cards)

    def _roll(self, seat: int, dice: dict[str, list[int]], swords: int) -> None:
        rolled = Counter((colour, n) for colour, shown in dice.items() for n in shown)
        if self.dice[seat - 1]:
            assert self.colours(seat - 1) == Counter({colour: len(shown) for colour, shown in dice.items()})
        self.dice[seat - 1] = rolled
        assert self.swords()[seat - 1] == swords

    def _dice(self, seat: int, dice: dict[str, list[int]], swords: int) -> None:
        assert +self.dice[seat - 1] == Counter((colour, n) for colour, shown in dice.items() for n in shown)
        assert self.swords()[seat - 1] == swords

    def _card(self, seat: int, card: str | None, rank: int | None) -> None:
        assert card is None or card in self.hands[seat - 1]
        if card not in (None, "bluff"):
            self.hands[seat - 1].remove(str(card))

    def _effect(self, seat: int, card: str, step: int, op: str, **data: Any) -> None:
        if op in DICE_OPS:
            for die in data["dice"]:
                self._change(data["dice_of"] - 1, op, **die)
        elif op == "restore":
            assert data["dice_of"] == seat
            for die in data["dice"]:
                assert die["from"] is None and not die["overruled"]
                self.out[seat - 1][die["colour"]] -= 1
                assert min(self.out[seat - 1].values()) >= 0
                self.dice[seat - 1][die["colour"], die["to"]] += 1
        elif op == "drop_card":
            for dropped in data["dropped"]:
                self.hands[2 - seat].remove(dropped)
        else:
            assert op == "cancel"

    def _change(self, owner: int, op: str, colour: str, overruled: bool, **swords: int | None) -> None:
        old, new = swords["from"], swords["to"]
        if overruled or (new is None and op != "discard"):
            return
        assert old is not None and self.dice[owner][colour, old] > 0
        self.dice[owner][colour, old] -= 1
        if new is None:
            self.out[owner][colour] += 1
        else:
            self.dice[owner][colour, new] += 1

    def _result(self, swords: list[int], hit_by: int | None, health: list[int]) -> None:
        assert swords == self.swords()
        assert hit_by == (None if swords[0] == swords[1] else 1 + swords.index(max(swords)))
        if hit_by is not None:
            self.health[2 - hit_by] -= 1
        assert health == self.health

    def _loss(self, seat: int, colour: str | None, swords: int | None) -> None:
        if colour is None:
            assert sum(self.dice[seat - 1].values()) == 1
            return
        assert swords is not None and self.dice[seat - 1][colour, swords] > 0
        assert swords > 0 or self.swords()[seat - 1] == 0
        self.dice[seat - 1][colour, swords] -= 1
        self.out[seat - 1][colour] += 1
        assert sum(self.dice[seat - 1].values()) >= 1

    def _score(self, seat: int, health: int, dice: int, cards: int) -> None:
        assert health == self.health[seat - 1]
        assert dice == sum(self.dice[seat - 1].values())
        assert cards == len(self.hands[seat - 1])


@everywhere
def test_the_story_alone_accounts_for_every_die_card_and_hit(name: str) -> None:
    for game in GAMES:
        told = tell(name, game)
        table = Table(told)
        for part in (told["start"], *told["steps"]):
            for event in part["events"]:
                table.take(event)
            for seat, player in enumerate(part["position"]["players"]):
                shown = Counter((colour, n) for colour, all_ in player["dice"].items() for n in all_)
                assert +table.dice[seat] == shown
                assert +table.out[seat] == Counter(player["discarded"])
                assert table.hands[seat] == set(player["hand"])
                assert table.health[seat] == player["health"]


@everywhere
def test_the_story_counts_what_the_outcome_counts(name: str) -> None:
    for game in GAMES:
        told = tell(name, game)
        metrics = told["outcome"]["metrics"]
        results = [event["data"] for event in events(told, "result")]
        assert len(results) == told["outcome"]["rounds"] == len(events(told, "roll")) // 2
        assert metrics["ties"] == sum(result["hit_by"] is None for result in results)
        assert metrics["cancelled"] == sum(bool(e["data"].get("cancelled")) for e in events(told, "effect"))
        for player in told["players"]:
            seat, number = player["seat"], player["player"]
            last = told["steps"][-1]["position"]["players"][seat - 1]
            assert metrics[f"hits.{number}"] == sum(result["hit_by"] == seat for result in results)
            assert metrics[f"dice_left.{number}"] == sum(map(len, last["dice"].values()))
            assert metrics[f"cards_left.{number}"] == len(last["hand"])
            bluffs = [e for e in events(told, "card") if e["data"]["card"] == "bluff" and e["data"]["seat"] == seat]
            assert metrics[f"bluffs.{number}"] == len(bluffs)
        choices = [step for step in told["steps"] if not step["forced"]]
        assert told["outcome"]["decisions"] == len(choices) == sum(step["offered"] > 1 for step in told["steps"])


@everywhere
def test_printed_dice_add_up_to_the_printed_swords(name: str) -> None:
    rows = [e["parts"] for game in GAMES for kind in ("roll", "dice") for e in events(tell(name, game), kind)]
    assert rows
    for _, *dice, total in rows:
        shown = [int(n) for cell in dice for n in re.findall(r"\d+", cell)]
        assert total == (f"{sum(shown)} sword" if sum(shown) == 1 else f"{sum(shown)} swords")


@everywhere
def test_cards_act_from_the_lowest_rank_up_and_late_ones_after_the_result(name: str) -> None:
    late = scenario(name).rules.after_round
    for game in GAMES:
        by_round: dict[int, list[tuple[str, int]]] = {}
        for event in all_events(tell(name, game)):
            if event["kind"] in ("effect", "result"):
                rank = int(event["tag"].removeprefix("Rank ")) if event["kind"] == "effect" else 0
                by_round.setdefault(event["round"], []).append((event["kind"], rank))
        for order in by_round.values():
            place = order.index(("result", 0))
            before, after = ([rank for _, rank in part] for part in (order[:place], order[place + 1 :]))
            assert before == sorted(before) and after == sorted(after)
            assert all(rank < late for rank in before) and all(rank >= late for rank in after)


@everywhere
def test_effects_of_a_step_act_in_the_order_of_ruling_6(name: str) -> None:
    order = ["cancel", "drop_card", "discard", "reroll", "turn", "restore"]
    for game in GAMES:
        for step in tell(name, game)["steps"]:
            together: dict[tuple[str, int], list[int]] = {}
            for event in step["events"]:
                if event["kind"] == "effect":
                    place = order.index(event["data"]["op"])
                    together.setdefault((event["tag"], event["data"]["step"]), []).append(place)
            assert all(places == sorted(places) for places in together.values())


@everywhere
def test_a_card_cancels_higher_ranks_and_says_why_it_cancels_nothing(name: str) -> None:
    for game in GAMES:
        played: dict[int, dict[str, Any]] = {}
        for event in all_events(tell(name, game)):
            data = event["data"]
            if event["kind"] == "card":
                played[data["seat"]] = data
            if event["kind"] != "effect" or data["op"] != "cancel":
                continue
            own, other = played[data["seat"]], played[3 - data["seat"]]
            if data["cancelled"]:
                assert data["cancelled"] == other["card"] and other["rank"] > own["rank"]
            elif other["card"] is None:
                assert "no card was played" in event["parts"][0]
            elif other["rank"] is None:
                assert "has no effect" in event["parts"][0]
            else:
                assert other["rank"] <= own["rank"]
                same = other["rank"] == own["rank"]
                assert ("acts at the same time" if same else "has acted before") in event["parts"][0]


@everywhere
def test_a_card_that_takes_no_die_says_whether_one_would_fit(name: str) -> None:
    edition = scenario(name).edition.model
    cards = {card.id: card for card in edition.cards}
    faces = {die.id: set(die.faces) for die in edition.dice}
    for game in GAMES:
        table, opened, dice = Table(tell(name, game)), None, []
        for event in all_events(tell(name, game)):
            data = event["data"]
            step = (event["round"], event["tag"], data.get("step"))
            if step != opened:
                opened, dice = step, [Counter(one) for one in table.dice]
            if event["kind"] == "effect" and data["op"] in DICE_OPS and not data["dice"]:
                effect = cards[data["card"]].effects[data["step"] - 1]
                fits = [
                    (colour, swords)
                    for colour, swords in +dice[data["dice_of"] - 1]
                    if effect.colours == "any" or colour in effect.colours
                    if effect.faces == "any" or swords in effect.faces
                    if effect.op != "turn" or effect.to in faces[colour]
                ]
                text = event["parts"][0]
                if fits and sum(dice[data["dice_of"] - 1].values()) == 1 and effect.op == "discard":
                    assert text.endswith("keeps the last die.")
                else:
                    assert text.endswith("picks no die." if fits else "no die fits, nothing happens.")
            table.take(event)


@everywhere
def test_a_die_picked_from_the_discard_shows_nothing(name: str) -> None:
    restores = {card.id for card in scenario(name).edition.model.cards if any(e.op == "restore" for e in card.effects)}
    labels = {card.id: card.label for card in scenario(name).edition.model.cards}
    for game in GAMES:
        for step in tell(name, game)["steps"]:
            if " picks " in step["text"] and " die " in step["text"]:
                from_discard = "from the discard" in step["text"]
                assert from_discard == ("showing" not in step["text"])
                if from_discard:
                    assert step["text"].partition(" for ")[2] in {labels[card] for card in restores}


@everywhere
def test_the_health_card_is_turned_over_at_health_one(name: str) -> None:
    for game in GAMES:
        for event in events(tell(name, game), "result"):
            hit_by, health = event["data"]["hit_by"], event["data"]["health"]
            last = hit_by is not None and health[2 - hit_by] == 1
            assert ("turned over" in event["parts"][0]) == last


def test_the_scenarios_reach_every_kind_of_line() -> None:
    """Without this, the checks above could pass for want of examples."""
    told = [tell(name, game) for name in SCENARIOS for game in GAMES]
    said = "\n".join(event["parts"][0] for one in told for event in all_events(one))
    said += "\n".join(step["text"] for one in told for step in one["steps"])
    for wanted in (
        r" picks an? \w+ die from the discard for ",
        r" rerolls \w+ \w+ -> \w+",
        r" makes .+ reroll ",
        r" has to reroll ",
        r" has to discard an? \w+ die showing a blank",
        r" makes .+ discard ",
        r" turns \w+ blank -> 1",
        r" cancels ",
        r"nothing to cancel, .+ has no effect",
        r"nothing to cancel, .+ has acted before",
        r"nothing to cancel, .+ acts at the same time",
        r"nothing to cancel, no card was played",
        r"loses [\w ,]+ from hand, at random",
        r"loses [\w ,]+ from hand, as picked",
        r"takes back an? \w+ die for the next roll",
        r"takes back an? \w+ die and rolls ",
        r"picks no die",
        r"no die fits, nothing happens",
        r"settled by the next card",
        r"discarded already",
        r"keeps the last die",
        r"a tie, no hit",
        r"the Health card is turned over",
        r"-> 0, beaten",
    ):
        assert re.search(wanted, said), wanted


def values(record: Any) -> list[Any]:
    """Return all that a record holds, without the bytes between its fields."""
    if record.dtype.names:
        return [values(record[name]) for name in record.dtype.names]
    found: list[Any] = record.tolist()
    return found


def test_words_leave_the_position_alone() -> None:
    replay = trace._Replay(scenario("odd cards"), 4)
    with np.errstate(over="ignore"):
        replay.start()
        for step in tell("odd cards", 4)["steps"]:
            before = replay.states.copy()
            replay.offered()
            replay.game.describe(replay.state, replay.names)
            replay.game.describe_action(replay.state, step["action"], replay.names)
            assert values(replay.states) == values(before)
            replay.tools.apply(replay.state, step["action"])
            kept = [values(before), values(replay.states)]
            assert kept[0] != kept[1]
            replay.game.describe_change(before[0], step["action"], replay.state, replay.names)
            assert [values(before), values(replay.states)] == kept


def test_the_rulebooks_leap_and_agrippa_are_told_as_in_its_example() -> None:
    """Round 2 of the example: Leap takes the only blank die, the red one; the rest is dice and health."""
    found = scenario("film")
    replay = trace._Replay(found, 0)
    names = Names(("Inigo", "Man in Black"), tuple(entry.options for entry in found.entries), found.edition.model)
    with np.errstate(over="ignore"):
        replay.start()
        play = replay.state.play
        play.swords[0, :6] = [0, 0, 1, 0, 1, 0]
        play.swords[1, :6] = [0, 2, 1, 1, 1, 1]
        decks = [[card.id for card in found.edition.model.deck(c)] for c in ("inigo", "man-in-black")]
        said = []
        for action in (decks[0].index("leap"), decks[1].index("bluff"), 32 + 16 + 0):
            before = replay.states.copy()[0]
            replay.tools.apply(replay.state, action)
            told = replay.game.describe_change(before, action, replay.state, names)
            said += ["  ".join(event.parts) for event in told]
    assert said == [
        "Inigo  Leap  rank 2",
        "Man in Black  Bluff  no rank, returns to hand",
        "Leap: Man in Black has to discard a red die showing a blank.",
        "Inigo  red - -  orange 1 -  yellow 1 -  2 swords",
        "Man in Black  red 2  orange 1 1  yellow 1 1  6 swords",
        "6 to 2: Man in Black hits. Inigo: health 5 -> 4.",
    ]


@pytest.mark.parametrize(
    ("swords", "said"), [(0, "Man in Black keeps the last die."), (1, "no die fits, nothing happens.")]
)
def test_leap_against_a_last_die_says_whether_it_is_kept_or_does_not_fit(swords: int, said: str) -> None:
    found = scenario("film")
    replay = trace._Replay(found, 0)
    names = Names(("Inigo", "Man in Black"), tuple(entry.options for entry in found.entries), found.edition.model)
    with np.errstate(over="ignore"):
        replay.start()
        play = replay.state.play
        play.active[1] = 1
        play.swords[1, 0] = swords
        decks = [[card.id for card in found.edition.model.deck(c)] for c in ("inigo", "man-in-black")]
        replay.tools.apply(replay.state, decks[0].index("leap"))
        before = replay.states.copy()[0]
        bluff = decks[1].index("bluff")
        replay.tools.apply(replay.state, bluff)
        told = replay.game.describe_change(before, bluff, replay.state, names)
    assert [event.parts[0] for event in told if event.kind == "effect"] == [f"Leap: {said}"]


# -- games that do not end well -------------------------------------------------------------------------------------


def test_a_game_that_meets_the_round_cap_is_unfinished_and_not_a_draw() -> None:
    unfinished = [tell("capped", game) for game in GAMES if tell("capped", game)["outcome"]["unfinished"]]
    assert unfinished
    for told in unfinished:
        assert told["outcome"]["winners"] == [] and told["outcome"]["reason"] == "round cap"
        assert told["outcome"]["rounds"] == 3
        assert "End: unfinished, stopped by the round cap." in story.render(told)
        assert [event["round"] for event in events(told, "score")] == [1, 1, 2, 2, 3, 3]


ILLEGAL = """
from simcore.contract import strategy

@strategy()
def wrong(state, seat, actions, n, params, work, tools):
    if state.play.rounds == 3 and seat == 1:
        return 63
    return actions[0]
"""


def test_a_strategy_that_breaks_the_rules_is_told_up_to_its_answer(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(ILLEGAL)
    text = scenario_text("inigo", "man-in-black", strategy='"mine.py:wrong"', rest="label: Foul play")
    found = read(text, tmp_path)
    with pytest.raises(IllegalActionError) as caught:
        Player(found.match, strategies).play(0, 1)
    told = trace.play(found, 0, strategies)
    assert told["outcome"] is None
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    error = trace.fault_of(told)
    assert isinstance(error, IllegalActionError) and error.exit_code == 70
    assert (error.message, error.turn) == (caught.value.message, caught.value.turn)
    assert error.replay == "balance trace tale --seed 2026 --game 0"
    assert told["steps"][-1]["round"] == told["fault"]["round"] == 3
    shown = " ".join(story.render(told).split())
    # a temporary path may be longer than a line and is broken then
    assert f"The game cannot go on: {error.message} (turn 6).".replace(" ", "") in shown.replace(" ", "")
    assert "answered 63 in seat 2, which was not offered" in error.message
    assert "Not shown yet: Inigo Montoya plays " in shown
    assert [f"Offered was {offer['action']}: {offer['text']}." in shown for offer in told["fault"]["offered"]] == [
        True
    ] * len(told["fault"]["offered"])
    assert len(told["fault"]["offered"]) > 1


RAISING = """
from simcore.contract import strategy

@strategy()
def boo(state, seat, actions, n, params, work, tools):
    if state.play.hits[0] == 4 and state.play.hits[1] == 0:
        raise ValueError("boo")
    return actions[0]
"""


def test_a_strategy_that_raises_in_a_late_game_is_named_with_the_game(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(RAISING)
    found = read(scenario_text("inigo", "man-in-black", strategy='"mine.py:boo"', rest="label: Boo"), tmp_path)
    player = Player(found.match, strategies)
    with pytest.raises(GameError) as caught:
        player.play(0, 40)
    assert "mine.py:boo' in seat " in caught.value.message
    assert caught.value.message.endswith("stopped with ValueError: boo")
    first = caught.value.game
    assert player.play(0, first).shape == (first,)
    told = trace.play(found, first, strategies)
    assert trace.fault_of(told).message == caught.value.message
    assert first > 0 and told["steps"]


def test_a_whole_game_has_no_fault() -> None:
    assert tell("film", 0)["fault"] is None
    assert trace.fault_of(tell("film", 0)) is None


# -- the story ------------------------------------------------------------------------------------------------------


@everywhere
@pytest.mark.parametrize("width", [60, 80, 100])
def test_a_story_fits_its_width(name: str, width: int) -> None:
    for game in GAMES:
        lines = story.render(tell(name, game), width).splitlines()
        assert max(map(len, lines)) <= width
        assert all(line == line.rstrip() for line in lines)


@everywhere
def test_a_story_has_a_block_for_each_round_with_every_word_of_it(name: str) -> None:
    for game in GAMES:
        told = tell(name, game)
        shown = story.render(told)
        blocks = dict(re.findall(r"^Round (\d+)\n(.*?)\n\n", shown, re.S | re.M))
        assert list(map(int, blocks)) == list(range(1, told["outcome"]["rounds"] + 1))
        for event in all_events(told):
            if event["round"]:
                block = " ".join(blocks[str(event["round"])].split())
                assert event["tag"] in block
                for part in event["parts"]:
                    assert part in block


def test_a_story_ends_with_the_outcome_and_the_replay_line() -> None:
    told = tell("film", 3)
    end = story.render(told).rpartition("\nEnd: ")[2]
    (winner,) = told["outcome"]["labels"]
    assert end.startswith(f"{winner} wins (hits).\n")
    assert end.endswith("\nReplay\n  balance trace tale --seed 2026 --game 3\n")
    hits = next(line.split() for line in end.splitlines() if line.split()[:1] == ["hits"])
    assert list(map(int, hits[1:])) == [
        told["outcome"]["metrics"][f"hits.{player['player']}"] for player in told["players"]
    ]


@pytest.mark.parametrize("label", [*HOSTILE, "a\u202eb", "漢字" * 60, "W" * 300])
@pytest.mark.parametrize("width", [40, 80])
def test_hostile_names_break_no_line(label: str, width: int) -> None:
    quoted = json.dumps(label)
    seats = ", ".join(f"{{strategy: random, character: {c}, label: {quoted}}}" for c in ("inigo", "fezzik"))
    text = f"game: hate-to-kill-you\nseed: 2026\nlabel: {quoted}\nseats: [{seats}]\n"
    told = trace.play(read(text), 1, strategies)
    assert told["players"][0]["label"] == f"{label} (1)"
    assert max(map(len, story.render(told, width, ascii=True).encode("ascii").splitlines())) <= width
    shown = story.render(told, width)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)
    assert max(map(cell_len, shown.splitlines())) <= width
    assert shown.count("Round ") >= told["outcome"]["rounds"]
