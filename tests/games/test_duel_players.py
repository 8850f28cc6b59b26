"""The scripted players of the duel: what a card is worth to them, who plays which, and who beats whom."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from duel_table import DuelTable

import strategies
from simcore import jit, scenario
from simcore.player import Player
from support import SCENARIOS, sigmas

GAME = "hate-to-kill-you"
CHARACTERS = ("inigo", "man-in-black", "rugen", "humperdinck", "fezzik")
SCRIPTED = ("greedy", "patient", "bluffer", "attacker", "counter", "keeper")
SEED = 11
RED, ORANGE, YELLOW = (0, 1), (2, 3), (4, 5)  # slots
MANY = pytest.mark.skipif(not jit.ENABLED, reason="many games: only with JIT")

Changes = Mapping[str, Any]
PlayerFor = Callable[..., Player]


@dataclass
class Position:
    """A round before the cards are chosen: by seat, swords by slot (None: in the discard), and ids of the hand."""

    characters: tuple[str, str] = ("inigo", "man-in-black")
    dice: tuple[Sequence[int | None], Sequence[int | None]] = ([0] * 6, [0] * 6)
    hands: tuple[Sequence[str] | None, Sequence[str] | None] = (None, None)  # None: all of it; the Bluff is always held
    components: Changes = field(default_factory=dict)


@pytest.fixture(scope="session")
def player_for(load_scenario: Callable[..., Any], player_of: Callable[..., Player]) -> PlayerFor:
    """Return the player of two characters and their strategies."""

    def find(characters: Sequence[str], names: Sequence[str], components: Changes | None = None) -> Player:
        data = {
            "game": GAME,
            "seats": [{"strategy": n, "character": c} for n, c in zip(names, characters, strict=True)],
            "rules": {"same_character_twice": True},
            "components": dict(components or {}),
            "rotate": True,
            "seed": SEED,
        }
        return player_of(load_scenario(data))

    return find


def ids_of(character: str) -> list[str]:
    """Return the ids of a deck, by index; no test adds a card to one."""
    model = scenario.load(SCENARIOS / GAME / "film-duel.yaml", strategies).edition.model
    return [card.id for card in model.deck(character)]


def table_at(position: Position, player: Player) -> DuelTable:
    """Return a table in that position; the first seat is to choose a card."""
    table = DuelTable(player)
    for seat in (0, 1):
        dice, hand = position.dice[seat], position.hands[seat]
        table.see("active")[seat] = sum(1 << slot for slot, swords in enumerate(dice) if swords is not None)
        table.see("swords")[seat][: len(dice)] = [swords or 0 for swords in dice]
        ids = ids_of(position.characters[seat])
        if hand is not None:
            table.see("hand")[seat] = sum(1 << ids.index(card) for card in {*hand, "bluff"})
    return table


@pytest.fixture(scope="session")
def card_of(player_for: PlayerFor) -> Callable[[str, Position], str]:
    """Return the id of the card that a strategy plays in a position."""

    def choice(name: str, position: Position) -> str:
        player = player_for(position.characters, (name, "random"), position.components)
        table = table_at(position, player)
        answer = table.ask(strategies.strategy(GAME, name).pointer(player.game), len(table.offered()))
        return ids_of(position.characters[0])[answer]

    return choice


def features_of(player: Player, position: Position, card: str) -> dict[str, float]:
    """Return the features of playing a card."""
    table = table_at(position, player)
    names = [feature.name for feature in player.game.features]
    out = np.zeros(len(names))
    action = ids_of(position.characters[0]).index(card)
    with np.errstate(over="ignore"):
        table.tools.features(table.state, 0, action, table.desk.work, out)
    return dict(zip(names, out.tolist(), strict=True))


# ---------------------------------------------------------------- what a card is worth

RED_MEAN, YELLOW_MEAN = 5 / 6, 3 / 6
LEAP_BY_ITS_PLAYER = {"leap": {"effects.1.picker": "self"}}


@pytest.mark.parametrize(
    ("other", "components", "worth"),
    [
        ([0, 1, 1, 1, 0, 1], {}, YELLOW_MEAN),  # ruling 13: the owner gives the cheaper blank
        ([0, 1, 1, 1, 0, 1], LEAP_BY_ITS_PLAYER, RED_MEAN),
        ([0, 1, 1, 1, 1, 1], {}, RED_MEAN),
        ([1, 1, 1, 1, 1, 1], {}, 0.0),
        ([0, None, None, None, None, None], {}, 0.0),  # ruling 17: never the last one
        ([0, None, None, None, None, 0], {}, YELLOW_MEAN),
        ([0, 0, 0, 0, 0, 0], {"leap": {"effects.1.count": 2}}, 2 * YELLOW_MEAN),
    ],
    ids=["owner-picks", "player-picks", "one-blank", "no-blank", "last-die", "two-left", "two-dice"],
)
def test_a_discard_is_worth_the_dice_that_would_go(
    other: Sequence[int | None], components: Changes, worth: float, player_for: PlayerFor
) -> None:
    position = Position(dice=([0] * 6, other), components=components)
    found = features_of(player_for(position.characters, ("random", "random"), components), position, "leap")
    assert found["discard"] == pytest.approx(worth)
    assert found["gain"] == 0.0


@pytest.mark.parametrize("cards", [("vow", "inigo", None), ("royal-guard", "humperdinck", YELLOW_MEAN)])
def test_a_return_is_worth_the_best_die_whenever_the_card_acts(
    cards: tuple[str, str, float | None], player_for: PlayerFor
) -> None:
    card, character, gain = cards
    position = Position((character, "rugen"), dice=([None, 0, 0, 0, None, 0], [0] * 6))
    found = features_of(player_for(position.characters, ("random", "random")), position, card)
    assert found["restore"] == pytest.approx(YELLOW_MEAN if gain else RED_MEAN)
    assert found["gain"] == pytest.approx(gain or 0.0)


# ---------------------------------------------------------------- which card is played where

ONES = [1, 1, 1, 1, 1, 1]
BLANKS = [0, 0, 0, 0, 0, 0]
ONE_BLANK = [0, 1, 1, 1, 1, 1]


def test_greedy_takes_a_die_of_the_other_where_nothing_else_is_to_gain(card_of: Callable[..., str]) -> None:
    position = Position(dice=(ONES, ONE_BLANK), hands=(["leap", "feint"], None))
    assert card_of("greedy", position) == "leap"
    last = Position(dice=(ONES, [0, None, None, None, None, None]), hands=(["leap", "feint"], None))
    assert card_of("greedy", last) == "bluff"


def test_greedy_takes_the_larger_promise(card_of: Callable[..., str]) -> None:
    position = Position(dice=(BLANKS, ONE_BLANK), hands=(["leap", "bonetti-defense"], None))
    assert card_of("greedy", position) == "bonetti-defense"
    returns = Position(dice=([None, 1, 1, 1, 1, 0], ONES), hands=(["vow", "thibault-defense"], None))
    assert card_of("greedy", returns) == "vow"


@pytest.mark.parametrize("name", ["greedy", "patient", "attacker"])
def test_a_card_is_taken_from_the_hand_only_where_there_is_one(name: str, card_of: Callable[..., str]) -> None:
    rich = Position(("rugen", "inigo"), (ONES, [1, 1, 1, 1, 0, 0]), (["cold-study"], None))
    assert card_of(name, rich) == "cold-study"
    poor = Position(("rugen", "inigo"), (ONES, [1, 1, 1, 1, 0, 0]), (["cold-study"], []))
    assert card_of(name, poor) == "bluff"


@pytest.mark.parametrize("name", ["greedy", "patient", "attacker", "counter"])
def test_a_cancel_is_played_against_what_the_other_holds_of_a_higher_rank(
    name: str, card_of: Callable[..., str]
) -> None:
    ahead = (ONES, BLANKS)
    assert card_of(name, Position(("humperdinck", "fezzik"), ahead, (["threat"], ["rhyme"]))) == "threat"
    # the Bluff does nothing, and one of equal rank is not stopped
    for hand in ([], ["one-at-a-time"], ["sporting-start"]):
        assert card_of(name, Position(("humperdinck", "fezzik"), ahead, (["threat"], hand))) == "bluff"


def test_counter_cancels_when_well_ahead_and_else_is_patient(card_of: Callable[..., str]) -> None:
    hands = (["parry", "disarm", "change-hands"], ["bonetti-defense"])
    ahead = Position(("man-in-black", "inigo"), (ONES, ONE_BLANK), hands)
    level = Position(("man-in-black", "inigo"), (ONE_BLANK, ONE_BLANK), hands)
    behind = Position(("man-in-black", "inigo"), (ONE_BLANK, ONES), hands)
    assert card_of("counter", ahead) == "parry"
    assert card_of("counter", level) == card_of("patient", level) == "change-hands"
    assert (card_of("counter", behind), card_of("patient", behind)) == ("bluff", "change-hands")  # no reach, and some
    lost = Position(("man-in-black", "inigo"), ([1, 0, 1, 0, 1, 0], [2, 2, 2, 2, 1, 0]), hands)
    assert card_of("counter", lost) == card_of("patient", lost) == "disarm"


def test_patient_sees_to_dice_in_rounds_that_are_decided(card_of: Callable[..., str]) -> None:
    hands = (["leap", "bonetti-defense", "vow"], None)
    lost = Position(dice=(BLANKS, [2, 2, 2, 2, 1, 0]), hands=hands)
    won = Position(dice=([2, 2, 2, 2, None, 1], ONE_BLANK), hands=hands)
    close = Position(dice=([1, 1, 0, 0, 0, 1], [1, 1, 1, 1, 0, 0]), hands=hands)
    assert card_of("patient", lost) == "leap"
    assert card_of("patient", won) == "leap"  # the red blank is worth more than the own yellow die
    assert card_of("patient", close) == "bonetti-defense"


def test_attacker_hurts_the_other_first(card_of: Callable[..., str]) -> None:
    hands = (["leap", "bonetti-defense", "vow"], None)
    assert card_of("attacker", Position(dice=(BLANKS, ONE_BLANK), hands=hands)) == "leap"
    assert card_of("attacker", Position(dice=([0, 0, 1, 1, 1, None], ONES), hands=hands)) == "bonetti-defense"
    assert card_of("attacker", Position(dice=([2, 2, 1, 1, 1, None], ONES), hands=hands)) == "vow"


def test_keeper_takes_dice_back_whatever_else_is_to_gain(card_of: Callable[..., str]) -> None:
    hands = (["chase", "retreat", "royal-guard"], None)
    characters = ("humperdinck", "inigo")
    assert card_of("keeper", Position(characters, ([None, 0, 0, 0, None, 0], ONES), hands)) == "retreat"
    assert card_of("keeper", Position(characters, ([0, 0, 0, 0, None, 0], ONES), hands)) == "royal-guard"
    assert card_of("keeper", Position(characters, (BLANKS, ONES), hands)) == "chase"


def test_bluffer_bluffs_most_rounds_that_are_not_lost_so_far(player_for: PlayerFor) -> None:
    player = player_for(("inigo", "inigo"), ("bluffer", "random"))
    choose = strategies.strategy(GAME, "bluffer").pointer(player.game)
    table = table_at(Position(("inigo", "inigo"), (ONE_BLANK, ONE_BLANK)), player)
    bluff = ids_of("inigo").index("bluff")
    n = len(table.offered())
    bluffs = sum(table.ask(choose, n) == bluff for _ in range(400))
    assert abs(bluffs / 400 - 0.7) < sigmas() * (0.7 * 0.3 / 400) ** 0.5
    behind = table_at(Position(("inigo", "inigo"), (BLANKS, ONE_BLANK)), player)
    assert all(behind.ask(choose, len(behind.offered())) != bluff for _ in range(20))


# ---------------------------------------------------------------- many games


def share(player: Player, games: int) -> float:
    """Return the share of wins of the first entry, which sits in either seat."""
    rows = player.play(0, games)
    mine = np.where(np.arange(games) % 2 == 0, 1, 2)
    return float((rows["winners"] == mine).mean())


@MANY
@pytest.mark.parametrize("character", CHARACTERS)
def test_every_card_is_played_by_a_scripted_player(character: str, player_for: PlayerFor) -> None:
    games = 1_000
    most = dict.fromkeys(ids_of(character), 0.0)
    for name in SCRIPTED:
        rows = player_for((character, character), (name, "patient")).play(0, games)
        seat = np.arange(games) % 2
        played = rows["exposed"][np.arange(games), seat, 2, 0]
        for index, card in enumerate(most):
            most[card] = max(most[card], float((played >> index & 1).mean()))
    assert {card: value for card, value in most.items() if value < 0.01} == {}


@MANY
@pytest.mark.parametrize("character", CHARACTERS)
@pytest.mark.parametrize(("better", "worse"), [("greedy", "random"), ("patient", "greedy")], ids="-".join)
def test_greedy_beats_random_and_patient_beats_greedy(
    better: str, worse: str, character: str, player_for: PlayerFor
) -> None:
    games = 4_000
    least = 0.6 + sigmas() * (0.25 / games) ** 0.5
    assert share(player_for((character, character), (better, worse)), games) > least


@MANY
@pytest.mark.parametrize("name", SCRIPTED)
def test_every_script_beats_random_players_with_the_same_deck(name: str, player_for: PlayerFor) -> None:
    games = 4_000
    for character in CHARACTERS:
        found = share(player_for((character, character), (name, "random")), games)
        assert found > 0.5 + sigmas() * (0.25 / games) ** 0.5, character


# Who plays the card, against whom, its weaker and its stronger form.
FORMS: dict[str, tuple[str, str, Changes, Changes]] = {
    "discard": ("inigo", "humperdinck", {}, {"leap": {"effects.1.count": 3, "effects.1.faces": "any"}}),
    "drop_card": ("rugen", "humperdinck", {}, {"cold-study": {"effects.1.count": 4}}),
    "cancel": ("fezzik", "inigo", {"sporting-start": {"effects": []}}, {}),
    "restore": ("fezzik", "humperdinck", {}, {"holding-on": {"effects.1.count": 3}}),
}


@MANY
@pytest.mark.parametrize("op", FORMS)
@pytest.mark.parametrize("name", ["greedy", "patient"])
def test_a_stronger_card_shows_in_the_odds(op: str, name: str, player_for: PlayerFor) -> None:
    mine, other, *forms = FORMS[op]
    games = 20_000
    weaker, stronger = (share(player_for((mine, other), (name, name), form), games) for form in forms)
    assert stronger - weaker > sigmas() * (0.5 / games) ** 0.5
