"""The duel: its kernels against the plain reading, the exact chain and the rulebook (RB) with its rulings."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from duel_table import (
    CARD,
    LOSS,
    PICK,
    Cards,
    DuelTable,
    Fight,
    Reading,
    bits_of,
    edition_of,
    effect_of,
    facts,
    facts_of_row,
    fight,
    replay,
    scenario_of,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import duel
from reference.duel import DONE, RoundScript
from reference.duel_cards import (
    DECKS,
    DICE,
    RULES,
    bluff,
    cancel,
    card,
    drop_card,
    lose_blank,
    reroll,
    restore,
    turn_blank,
)
from reference.duel_dice_chain import Solution, solve
from simcore import jit
from simcore.errors import InputError
from simcore.games.hate_to_kill_you import state as codes
from simcore.player import Player
from support import changed, chi_square, chi_square_limit, scaled, sigmas

PAIRS = list(combinations_with_replacement(DECKS, 2))
SEED = 3
FACES = {kind["id"]: kind["faces"] for kind in DICE}
WITHOUT_JIT = pytest.mark.skipif(not jit.ENABLED, reason="many games: only with JIT")


@pytest.fixture(scope="session")
def shipped(load_scenario: Callable[..., Any], player_of: Callable[..., Player]) -> Callable[..., Player]:
    """Return the player of two shipped characters in both rotations."""

    def player(pair: Sequence[str], **rules: Any) -> Player:
        data = {
            "game": "hate-to-kill-you",
            "seats": [{"strategy": "random", "character": character} for character in pair],
            "rules": {"same_character_twice": True, **rules},
            "rotate": True,
            "seed": SEED,
        }
        return player_of(load_scenario(data))

    return player


@pytest.fixture(scope="session")
def designed(
    write_yaml: Callable[..., Path], load_scenario: Callable[..., Any], player_of: Callable[..., Player]
) -> Callable[..., Player]:
    """Return the player of two decks of a test, on an edition file of their own."""

    def player(decks: Sequence[Cards], dice: Cards, rules: Mapping[str, Any], **more: Any) -> Player:
        file = write_yaml(edition_of(decks, dice, rules), "edition.yaml")
        scenario = write_yaml(scenario_of("./edition.yaml", **more), "scenario.yaml", file.parent)
        return player_of(load_scenario(scenario))

    return player


@pytest.fixture(scope="session")
def script(designed: Callable[..., Player]) -> Callable[..., Fight]:
    """Play scripted rounds, to the last of them, and return what became of the game."""

    def play(
        decks: Sequence[Cards],
        dice: Cards,
        rounds: Sequence[RoundScript],
        answers: Sequence[Sequence[int]] = ((), ()),
        **rules: int,
    ) -> Fight:
        given = {**RULES, "round_cap": len(rounds), **rules}
        return fight(DuelTable(designed(decks, dice, given)), decks, dice, given, rounds, answers)

    return play


def at_random(player: Player, index: int) -> DuelTable:
    """Play a game by hand; every choice is drawn by a generator that the kernels know nothing of."""
    table = DuelTable(player, index)
    chance = random.Random(f"{SEED} {index}")
    while not table.over:
        table.step(chance.choice)
    return table


# ---------------------------------------------------------------- shipped decks against the plain reading


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_every_choice_of_a_game_is_the_one_of_the_plain_reading(
    pair: tuple[str, str], shipped: Callable[..., Player]
) -> None:
    for index in range(scaled(16, 8)):
        replay(at_random(shipped(pair), index), [DECKS[name] for name in pair], DICE, RULES)


def assert_rows_are_read_alike(
    player: Player, decks: Sequence[Cards], dice: Cards, rules: Mapping[str, Any], games: int
) -> None:
    """Compare whole outcome rows of random games with the reading, which draws from the published streams."""
    rows = player.play(0, games)
    for index, row in enumerate(rows):
        rotation, deal = index % len(player.match.rotations), index // len(player.match.rotations)
        seats = [decks[entry] for entry in player.match.rotations[rotation]]
        choose = duel.random_player(player.match.seed, deal)
        source = duel.StreamDice(player.match.seed, deal)
        reading = Reading(seats, (dice, dice), rules, source, choose)
        assert facts_of_row(row) == facts(reading, reading.run()), f"game {index}"


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_the_rows_of_random_games_are_those_of_the_plain_reading(
    pair: tuple[str, str], shipped: Callable[..., Player]
) -> None:
    decks = [DECKS[name] for name in pair]
    assert_rows_are_read_alike(shipped(pair), decks, DICE, RULES, scaled(200))


VARIANTS: dict[str, dict[str, Any]] = {
    "one-hit": {"hits_to_win": 1},
    "fifty-hits": {"hits_to_win": 50},
    "dice-alone": {"cards": "none"},
    "hitter-keeps": {"hit_discard": 0},
    "tie-keeps": {"tie_discard": 0},
    "nothing-lost": {"hit_discard": 0, "tie_discard": 0},
    "cap-of-one": {"round_cap": 1},
    "cap-of-seven": {"round_cap": 7},
    "all-cards-before": {"after_round": 9},
    "most-cards-after": {"after_round": 3},
    "all-cards-after": {"after_round": 2, "hits_to_win": 3},
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_rule_switch_does_what_the_plain_reading_does(variant: str, shipped: Callable[..., Player]) -> None:
    rules = {**RULES, **VARIANTS[variant]}
    # Between them these two have every primitive, roll_now and two cards of rank 8.
    pair = ("rugen", "humperdinck")
    decks = [DECKS[name] for name in pair]
    player = shipped(pair, **VARIANTS[variant])
    replay(at_random(player, 0), decks, DICE, rules)
    replay(at_random(player, 1), decks, DICE, rules)
    assert_rows_are_read_alike(player, decks, DICE, rules, scaled(40))


def test_the_shipped_cards_are_those_of_the_second_transcription(shipped: Callable[..., Player]) -> None:
    loaded = shipped(("inigo", "rugen"))
    model = loaded.game.components.Edition
    file = Path(str(loaded.game.components.__file__)).parent / "editions" / "reconstruction.yaml"
    edition = load_model(file, model)
    assert [die.model_dump(include={"id", "start", "faces"}) for die in edition.dice] == DICE
    assert {character.id for character in edition.characters} == set(DECKS)
    for name, deck in DECKS.items():
        found = [card.model_dump(include={"rank", "returns_to_hand", "effects"}) for card in edition.deck(name)]
        wanted = [
            {key: given[key] for key in ("rank", "returns_to_hand")} | {"effects": effects_of(given)} for given in deck
        ]
        assert found == wanted


# What the rulebook's example shows of the cards it names, and what it leaves open; all fields of an effect.
SOURCES = {
    "leap": {"op": "rulebook", "side": "rulebook", "faces": "rulebook", "picker": "reconstructed"},
    "bonetti-defense": {"op": "rulebook", "side": "rulebook", "count": "rulebook", "up_to": "rulebook"},
    "thibault-defense": {"op": "rulebook", "up_to": "reconstructed", "colours": "derived", "faces": "reconstructed"},
    "capo-ferro-attack": {
        "op": "rulebook",
        "side": "rulebook",
        "count": "rulebook",
        "up_to": "reconstructed",
        "colours": "reconstructed",
        "faces": "reconstructed",
    },
    "agrippa": {"op": "rulebook", "count": "rulebook", "colours": "reconstructed"},
}


@pytest.mark.parametrize("card_id", SOURCES)
def test_a_card_of_the_rulebook_says_of_each_value_whether_it_was_shown(
    card_id: str, load_scenario: Callable[..., Any]
) -> None:
    seats = [{"strategy": "random", "character": name} for name in ("inigo", "man-in-black")]
    sources = load_scenario({"game": "hate-to-kill-you", "seats": seats}).edition.sources
    found: dict[str, set[str]] = {}
    for path, source in sources.items():
        if path[:3] == ("cards", card_id, "effects"):
            found.setdefault(str(path[4]), set()).add(source)
    assert {name: found[name] for name in SOURCES[card_id]} == {name: {s} for name, s in SOURCES[card_id].items()}


def load_model(file: Path, model: Any) -> Any:
    """Return the checked data of an edition file."""
    from simcore import edition

    return edition.load(file, model, [], "hate-to-kill-you").model


def effects_of(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the effects of a transcribed card with the defaults of an edition."""
    defaults = {"count": 1, "up_to": False}
    return [defaults | effect if (effect := effect_of(e))["op"] != "cancel" else effect for e in given["effects"]]


# ---------------------------------------------------------------- cards that a designer may think of

SWORDS = st.integers(0, 2)
COUNTS = st.sampled_from([0, 1, 1, 2, 3, "all"])
COLOURS = ("red", "green", "grey")
SIDES = st.sampled_from(["own", "opponent"])
SOME_COLOURS = st.one_of(st.just("any"), st.lists(st.sampled_from(COLOURS), max_size=2, unique=True))
SOME_FACES = st.one_of(st.just("any"), st.lists(SWORDS, max_size=2, unique=True))


def dice_effect(op: str, **more: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Return effects of a primitive that picks dice on the table."""
    return st.fixed_dictionaries(
        {
            "op": st.just(op),
            "side": SIDES,
            "count": COUNTS,
            "up_to": st.booleans(),
            "colours": SOME_COLOURS,
            "faces": SOME_FACES,
            "picker": st.sampled_from(["self", "owner"]),
            **more,
        }
    )


RESTORES = st.fixed_dictionaries(
    {
        "op": st.just("restore"),
        "side": st.just("own"),
        "count": COUNTS,
        "up_to": st.booleans(),
        "colours": SOME_COLOURS,
        "roll_now": st.booleans(),
    }
)
DROPS = st.fixed_dictionaries(
    {
        "op": st.just("drop_card"),
        "side": st.just("opponent"),
        "count": COUNTS,
        "up_to": st.booleans(),
        "choice": st.sampled_from(["random", "owner", "self"]),
    }
)
EFFECTS = st.one_of(
    dice_effect("reroll"),
    dice_effect("discard"),
    dice_effect("turn", to=SWORDS),
    RESTORES,
    DROPS,
    st.just({"op": "cancel"}),
)


@st.composite
def cards(draw: st.DrawFn) -> dict[str, Any]:
    """Return a card: few ranks, so that equal ones meet often."""
    effects = draw(st.lists(EFFECTS, max_size=3))
    rank = draw(st.integers(1, 4)) if effects else draw(st.sampled_from([None, 1, 3]))
    returns = draw(st.sampled_from([False, False, False, True]))
    return {"id": "card", "rank": rank, "returns_to_hand": returns, "effects": effects}


@st.composite
def dice_kinds(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Return one to three kinds of dice, at least one die in all."""
    faces = st.lists(st.integers(0, 3), min_size=1, max_size=8)
    starts = draw(st.lists(st.integers(0, 3), min_size=3, max_size=3).filter(any))
    return [{"id": colour, "start": start, "faces": draw(faces)} for colour, start in zip(COLOURS, starts, strict=True)]


DESIGNS = st.tuples(
    st.lists(st.lists(cards(), max_size=6), min_size=2, max_size=2),
    dice_kinds(),
    st.fixed_dictionaries(
        {
            "hits_to_win": st.integers(1, 6),
            "cards": st.sampled_from(["all", "all", "all", "none"]),
            "round_cap": st.integers(1, 20),
            "hit_discard": st.integers(0, 1),
            "tie_discard": st.integers(0, 1),
            "after_round": st.integers(2, 5),
        }
    ),
)


@given(DESIGNS)
@settings(max_examples=scaled(80, 20), derandomize=True, deadline=None)
def test_designed_cards_do_what_the_plain_reading_does(
    designed: Callable[..., Player],
    design: tuple[list[list[dict[str, Any]]], list[dict[str, Any]], dict[str, Any]],
) -> None:
    decks, dice, rules = design
    player = designed(decks, dice, rules)
    for index in range(3):
        replay(at_random(player, index), decks, dice, rules)
    assert_rows_are_read_alike(player, decks, dice, rules, 2)


@given(DESIGNS)
@settings(max_examples=scaled(30, 10), derandomize=True, deadline=None)
def test_hiding_keeps_what_is_offered_and_can_be_repeated_with_designed_cards(
    designed: Callable[..., Player],
    design: tuple[list[list[dict[str, Any]]], list[dict[str, Any]], dict[str, Any]],
) -> None:
    # Every position is hidden as it comes, so that every kind of unfinished choice is taken back once.
    table = DuelTable(designed(*design), 0)
    chance = random.Random(SEED)
    while not table.over:
        saved, offered = table.save(), table.choices()
        seat, group = table.seat, table.group
        table.hide(seat, 1)
        table.hide(seat, 2)
        twice = table.content()
        table.load(saved)
        table.hide(seat, 2)
        assert changed(twice, table.content()) == set()
        assert (table.seat, table.group, table.choices()) == (seat, group, offered)
        if chance.random() < 0.8:  # else the game goes on as hidden
            table.load(saved)
        table.step(chance.choice)


# ---------------------------------------------------------------- dice alone against the exact chain

DICE_RULES: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "standard": (DICE, {}),
    "three-hits-no-tie-discard": (DICE, {"hits_to_win": 3, "tie_discard": 0}),
    "hitter-keeps-his-die": (DICE, {"hit_discard": 0}),
    "other-dice": (
        [{"id": "red", "start": 1, "faces": [2, 0, 3]}, {"id": "grey", "start": 3, "faces": [0, 1]}],
        {"hits_to_win": 4},
    ),
}
CHAIN_GAMES = 40_000


@cache
def solved(setting: str) -> Solution:
    """Return the exact solution of a setting."""
    dice, rules = DICE_RULES[setting]
    return solve(dice, {**RULES, **rules})


@pytest.fixture(scope="module", params=DICE_RULES)
def sampled(request: pytest.FixtureRequest, designed: Callable[..., Player]) -> tuple[Any, Solution]:
    """Return many games of dice alone between uniform players, and their exact odds."""
    if not jit.ENABLED:
        pytest.skip("many games: only with JIT")
    dice, rules = DICE_RULES[request.param]
    player = designed([[bluff()], [bluff()]], dice, {**RULES, **rules, "cards": "none"})
    return player.play(0, CHAIN_GAMES), solved(request.param)


def test_dice_alone_win_as_often_as_the_chain_says(sampled: tuple[Any, Solution]) -> None:
    rows, exact = sampled
    for seat in (0, 1):
        chance = float(exact.win[seat])
        error = (chance * (1 - chance) / len(rows)) ** 0.5
        assert abs((rows["winners"] == 1 << seat).mean() - chance) < sigmas() * error


def test_dice_alone_last_as_long_as_the_chain_says(sampled: tuple[Any, Solution]) -> None:
    rows, exact = sampled
    values = np.arange(len(exact.rounds))
    mean = float(exact.mean_rounds)
    error = float((exact.rounds * (values - mean) ** 2).sum() / len(rows)) ** 0.5
    assert abs(rows["rounds"].mean() - mean) < sigmas() * error


def test_dice_alone_have_the_rounds_and_winners_of_the_chain(sampled: tuple[Any, Solution]) -> None:
    rows, exact = sampled
    observed, expected = [], []
    for seat in (0, 1):
        lengths = rows["rounds"][rows["winners"] == 1 << seat]
        counts = np.bincount(lengths, minlength=len(exact.ended))
        groups = pooled(exact.ended[:, seat] * len(rows))
        observed += [int(counts[group].sum()) for group in groups]
        expected += [float(exact.ended[group, seat].sum()) * len(rows) for group in groups]
    # What is left of all games lies beyond the cap of both.
    rest = len(rows) - sum(expected)
    assert abs(rest) < 1e-6 * len(rows)
    assert sum(observed) == len(rows)
    assert chi_square(observed, expected) < chi_square_limit(len(observed) - 1)


def pooled(expected: Any, least: float = 10.0) -> list[slice]:
    """Return neighbouring cells as groups that each expect at least `least` games."""
    groups, first, total = [], 0, 0.0
    for cell, value in enumerate(expected):
        total += value
        if total >= least and expected[cell + 1 :].sum() >= least:
            groups.append(slice(first, cell + 1))
            first, total = cell + 1, 0.0
    return [*groups, slice(first, len(expected))]


# ---------------------------------------------------------------- RB "Example of Play"

# Origin: RB "Example of Play" for cards, totals, chosen dice and results; single faces are fitted to its
# totals. Slots: red 0 and 1, orange 2 and 3, yellow 4 and 5. Seat 0 is Inigo, seat 1 the Man in Black.
EXAMPLE = [
    RoundScript(roll=([1, 0, 2, 1, 0, 0], [1, 0, 1, 0, 1, 0]), again=([1, 1], [])),
    RoundScript(roll=([1, 0, 1, 0, 0], [2, 0, 1, 1, 1, 1])),
    RoundScript(roll=([2, 0, 1, 0, 0], [1, 2, 1, 1]), again=([2, 1, 0, 1], [])),
]
THIBAULT, LEAP, BONETTI = 3, 1, 2
CAPO_FERRO, BLUFF, AGRIPPA = 4, 9, 7
EXAMPLE_ANSWERS = (
    # Thibault on yellow 4, which then goes; Leap; Bonetti on the four dice from slot 1, orange 2 goes.
    [THIBAULT, 4, 4, LEAP, BONETTI, 1, 2, 3, 5, DONE, 2],
    # Capo Ferro on orange 2; Bluff, yellow 4 goes; Agrippa brings back red 1, which Leap had taken.
    [CAPO_FERRO, 2, BLUFF, 4, AGRIPPA, 1],
)


@pytest.fixture(scope="module")
def example(load_scenario: Callable[..., Any], player_of: Callable[..., Player]) -> Fight:
    data = {
        "game": "hate-to-kill-you",
        "seats": [{"strategy": "random", "character": name} for name in ("inigo", "man-in-black")],
        "rules": {"round_cap": len(EXAMPLE)},
        "seed": 0,
    }
    decks = [DECKS["inigo"], DECKS["man-in-black"]]
    rules = {**RULES, "round_cap": len(EXAMPLE)}
    table = DuelTable(player_of(load_scenario(data)))
    return fight(table, decks, DICE, rules, EXAMPLE, EXAMPLE_ANSWERS)


def test_the_example_of_play_reaches_its_totals(example: Fight) -> None:
    assert example.swords == {1: (4, 3), 2: (2, 6), 3: (6, 5)}


def test_the_example_of_play_scores_its_hits(example: Fight) -> None:
    # Health 5/4, 4/4, 4/3: hits scored by Inigo and by the Man in Black.
    assert example.hits == [(1, 0), (1, 1), (2, 1)]
    assert example.winner is None


def test_the_example_of_play_moves_its_dice(example: Fight) -> None:
    assert example.active[0] == ([0, 1, 2, 3, 5], [0, 1, 2, 3, 4, 5])
    assert example.active[1] == ([0, 1, 2, 3, 5], [0, 2, 3, 5])
    # Inigo keeps two red, one orange, one yellow; the Man in Black has red 1 back.
    assert example.active[2] == ([0, 1, 3, 5], [0, 1, 2, 3, 5])


def test_the_example_of_play_keeps_its_hands(example: Fight) -> None:
    inigo, man_in_black = example.hands[-1]
    assert set(range(10)) - set(inigo) == {THIBAULT, LEAP, BONETTI}
    assert set(range(10)) - set(man_in_black) == {CAPO_FERRO, AGRIPPA}
    assert BLUFF in man_in_black


def test_the_example_of_play_asks_only_real_choices(example: Fight) -> None:
    # Leap met one blank red die, so that its owner had nothing to choose.
    assert len(example.offers) == sum(len(answers) for answers in EXAMPLE_ANSWERS)
    assert example.row["decisions"] == len(example.offers)
    assert all(len(offered) > 1 for _, _, offered in example.offers)


# ---------------------------------------------------------------- end positions (B20)


def dice_of(**start: int) -> list[dict[str, Any]]:
    """Return kinds of dice with these numbers at the start, in the order given."""
    return [{"id": colour, "start": number, "faces": FACES[colour]} for colour, number in start.items()]


ONE_YELLOW = dice_of(yellow=1)
TWO_YELLOW = dice_of(yellow=2)
NO_CARDS: list[list[dict[str, Any]]] = [[], []]
HIT = (RoundScript(roll=([1], [0])), RoundScript(roll=([0], [1])))
TIE = RoundScript(roll=([1], [1]))


@pytest.mark.parametrize("scorer", [0, 1])
def test_a_hit_on_the_last_health_wins_for_the_hitter(scorer: int, script: Callable[..., Fight]) -> None:
    game = script(NO_CARDS, ONE_YELLOW, [HIT[0], HIT[1], HIT[scorer]], hits_to_win=2)
    assert game.hits[:2] == [(1, 0), (1, 1)]
    assert game.winner == scorer
    assert game.row["hits"] == ([2, 1] if scorer == 0 else [1, 2])
    assert (game.row["reason"], game.row["rounds"]) == (codes.WON, 3)


@pytest.mark.parametrize("scorer", [0, 1])
def test_the_game_ends_with_the_fifth_hit_and_not_before(scorer: int, script: Callable[..., Fight]) -> None:
    # RB "Game End"; a hit of the other in between does not count.
    rounds = [HIT[scorer]] * 3 + [HIT[1 - scorer]] + [HIT[scorer]] * 2
    assert script(NO_CARDS, ONE_YELLOW, rounds).winner == scorer
    assert script(NO_CARDS, ONE_YELLOW, rounds[:-1]).winner is None


def test_the_last_hit_wins_in_the_last_round_of_the_cap_too(script: Callable[..., Fight]) -> None:
    game = script(NO_CARDS, ONE_YELLOW, [HIT[1]], hits_to_win=1, round_cap=1)
    assert (game.winner, game.row["reason"]) == (1, codes.WON)


def test_a_tie_on_the_last_health_wins_for_nobody(script: Callable[..., Fight]) -> None:
    game = script(NO_CARDS, ONE_YELLOW, [HIT[0], HIT[1], TIE], hits_to_win=2)
    assert (game.row["winners"], game.row["reason"], game.row["hits"]) == (0, codes.CAPPED, [1, 1])


@pytest.mark.parametrize("leader", [0, 1])
def test_who_leads_at_the_cap_has_not_won(leader: int, script: Callable[..., Fight]) -> None:
    # Ruling 32: shown as unfinished, neither a win nor a draw.
    game = script(NO_CARDS, ONE_YELLOW, [HIT[leader]] * 4)
    assert game.row["hits"][leader] == 4
    assert (game.row["winners"], game.row["reason"]) == (0, codes.CAPPED)


def test_the_winning_hit_costs_no_die(script: Callable[..., Fight]) -> None:
    game = script(NO_CARDS, TWO_YELLOW, [RoundScript(roll=([1, 1], [0, 0]))], hits_to_win=1)
    assert game.row["dice_left"] == [2, 2]
    assert game.swords == {1: (2, 0)}


# ---------------------------------------------------------------- cards: rulings 2 to 5, 14


def test_ruling_2_both_may_play_one_character_only_where_the_switch_allows_it(
    load_scenario: Callable[..., Any],
) -> None:
    seats = [{"strategy": "random", "character": "inigo"}] * 2
    data = {"game": "hate-to-kill-you", "seats": seats}
    with pytest.raises(InputError, match="same_character_twice"):
        load_scenario(data)
    assert load_scenario({**data, "rules": {"same_character_twice": True}}).match.n_seats == 2


def test_ruling_3_a_bluff_does_nothing_and_comes_back(script: Callable[..., Fight]) -> None:
    game = script([[bluff()], [card("Parry", 1, cancel())]], ONE_YELLOW, [HIT[0]] * 2)
    assert game.hits == [(1, 0), (2, 0)]
    assert game.hands == [([0], []), ([0], [])]
    assert (game.row["bluffs"], game.row["cancelled"]) == ([2, 0], 0)


def test_ruling_4_a_bluff_may_be_played_with_other_cards_in_hand(script: Callable[..., Fight]) -> None:
    deck = [card("Vow", 8, restore()), bluff()]
    game = script([deck, []], ONE_YELLOW, [TIE] * 2, ([1, 1], []))
    assert game.offers == [(0, CARD, (0, 1))] * 2


def test_ruling_5_with_only_the_bluff_left_there_is_nothing_to_decide(script: Callable[..., Fight]) -> None:
    game = script([[bluff()], [bluff()]], ONE_YELLOW, [HIT[0]] * 2)
    assert game.row["decisions"] == 0


def test_a_hand_without_cards_passes_and_play_goes_on(script: Callable[..., Fight]) -> None:
    # B30: an empty hand neither stops nor crashes the game.
    decks = [[card("Vow", 8, restore())], [card("Agrippa", 8, restore())]]
    game = script(decks, ONE_YELLOW, [RoundScript(roll=([0], [0]))] * 3)
    assert game.hands == [([], [])] * 3
    assert (game.row["rounds"], game.row["cards_left"]) == (3, [0, 0])


@pytest.mark.parametrize(
    "effect",
    [lose_blank(), reroll("opponent", 1, faces=["two"]), reroll("own", 1, colours=["red"]), restore()],
    ids=["leap-without-blank", "reroll-face", "reroll-colour", "restore"],
)
def test_ruling_14_a_card_without_a_target_is_spent_for_nothing(
    effect: dict[str, Any], script: Callable[..., Fight]
) -> None:
    dice = dice_of(red=0, yellow=2)
    game = script([[card("Leap", 2, effect)], []], dice, [RoundScript(roll=([1, 1], [1, 1]))], tie_discard=0)
    assert game.hands == [([], [])]
    assert game.row["dice_left"] == [2, 2]
    assert game.row["decisions"] == 0


# ---------------------------------------------------------------- order of cards: rulings 6 to 8


@pytest.mark.parametrize(("turn_rank", "again", "scorer"), [(1, [], 0), (2, [2], 0), (2, [0], 0)])
def test_the_lower_rank_resolves_first(
    turn_rank: int, again: list[int], scorer: int, script: Callable[..., Fight]
) -> None:
    # RB "Playing Move Cards". Turned first, the die is no blank to reroll; rerolled to a blank, it is turned.
    turn = card("Turn", turn_rank, turn_blank())
    other = card("Again", 3 - turn_rank, reroll("opponent", 1, faces=["blank"]))
    rounds = [RoundScript(roll=([0], [0]), again=(again, []))]
    game = script([[turn], [other]], dice_of(orange=1), rounds, ([], [0] * len(again)))
    assert game.row["hits"][scorer] == 1


@pytest.mark.parametrize("turner", [0, 1])
def test_ruling_6_equal_ranks_pick_from_the_dice_as_they_were(turner: int, script: Callable[..., Fight]) -> None:
    # Both take die 0: the reroll shows two swords, then the turn makes it one. Else there would be a hit.
    turn = card("Turn", 3, turn_blank())
    other = card("Again", 3, reroll("opponent", 1, faces=["blank"]))
    decks = [[turn], [other]] if turner == 0 else [[other], [turn]]
    blanks, one, again = [0, 0], [1, 0], ([2], [])
    roll = (blanks, one) if turner == 0 else (one, blanks)
    rounds = [RoundScript(roll=roll, again=again if turner == 0 else again[::-1])]
    game = script(decks, dice_of(orange=1, yellow=1), rounds, ([0], [0]), tie_discard=0)
    assert game.row["ties"] == 1


def test_ruling_6_equal_ranks_both_lose_their_blank(script: Callable[..., Fight]) -> None:
    leap = card("Leap", 2, lose_blank())
    rounds = [RoundScript(roll=([1, 1, 0], [1, 0, 0]))]
    game = script([[leap], [leap]], dice_of(yellow=3), rounds, ([0], [2]))
    assert game.active == [([1], [0, 1])]


@pytest.mark.parametrize("leaper", [0, 1])
def test_ruling_6_a_die_lost_at_the_same_rank_cannot_be_returned_yet(leaper: int, script: Callable[..., Fight]) -> None:
    decks = [[card("Leap", 2, lose_blank())], [card("Guard", 2, restore(roll_now=True))]]
    rounds = [RoundScript(roll=([1, 0], [1, 0]))]
    game = script(decks if leaper == 0 else decks[::-1], TWO_YELLOW, rounds)
    assert game.active[0][1 - leaper] == [0]


def test_ruling_7_a_die_rerolled_by_both_keeps_the_second_roll(script: Callable[..., Fight]) -> None:
    decks = [[card("Own", 3, reroll("own", 1))], [card("Other", 3, reroll("opponent", 1))]]
    dice = dice_of(red=1, yellow=1)
    rounds = [RoundScript(roll=([0, 1], [1, 1]), again=([2, 1], []))]
    # Both take the red die of seat 0: two swords, then one, which makes a tie.
    game = script(decks, dice, rounds, ([0, 0], [0, 0]))
    assert game.swords == {1: (2, 2)}


def test_ruling_8_a_die_both_discarded_and_rerolled_is_discarded(script: Callable[..., Fight]) -> None:
    decks = [[card("Own", 3, reroll("own", 1, faces=["blank"]))], [card("Leap", 3, lose_blank())]]
    rounds = [RoundScript(roll=([1, 0], [1, 0]))]  # no reroll in the script: none may be asked for
    game = script(decks, TWO_YELLOW, rounds, ([1], []), tie_discard=0)
    assert game.active == [([0], [0, 1])]


def test_ruling_8_a_discarded_die_leaves_the_next_reroll_its_number(script: Callable[..., Fight]) -> None:
    own = card("Own", 3, reroll("own", "all", faces=["blank"]))
    leap = card("Leap", 3, lose_blank())
    # Seat 0 rerolls both blanks and has to give one of them away: one draw is made, for the other.
    rounds = [RoundScript(roll=([1, 0, 0], [1, 0, 0]), again=([1], []))]
    game = script([[own], [leap]], dice_of(yellow=3), rounds, ([1, 2, 1, 0], []))
    assert game.swords == {1: (2, 1)}
    assert game.active == [([2], [0, 1, 2])]


def test_the_effects_of_one_card_follow_each_other(script: Callable[..., Fight]) -> None:
    # B28: the second effect finds no blank any more.
    both = card("Both", 3, turn_blank(), reroll("own", 1, faces=["blank"]))
    game = script([[both], []], ONE_YELLOW, [RoundScript(roll=([0], [0]))])
    assert game.row["hits"] == [1, 0]


def test_the_effects_of_equal_ranks_go_step_by_step_together(script: Callable[..., Fight]) -> None:
    # Step 1: both turn their blank. Step 2: seat 0 rerolls the other's die, which shows one by now.
    turn_then_hit = card("First", 3, turn_blank(), reroll("opponent", 1, faces=["one"]))
    turn = card("Second", 3, turn_blank())
    rounds = [RoundScript(roll=([0], [0]), again=([], [0]))]
    game = script([[turn_then_hit], [turn]], ONE_YELLOW, rounds, ([0], []))
    assert game.row["hits"] == [1, 0]


# ---------------------------------------------------------------- after the round: rulings 9 to 12, 24, 25


def test_rulings_9_and_12_rank_8_acts_after_the_discard_and_may_return_that_die(
    script: Callable[..., Fight],
) -> None:
    rounds = [RoundScript(roll=([1, 1], [0, 0]))]
    game = script([[card("Vow", 8, restore())], []], TWO_YELLOW, rounds, ([1], []))
    assert game.offers == [(0, LOSS, (0, 1))]
    assert game.active == [([0, 1], [0, 1])]


def test_ruling_10_rank_8_is_skipped_once_the_game_is_over(script: Callable[..., Fight]) -> None:
    decks = [[card("Leap", 2, lose_blank())], [card("Vow", 8, restore())]]
    game = script(decks, TWO_YELLOW, [RoundScript(roll=([1, 1], [0, 1]))], hits_to_win=1)
    assert game.winner == 0
    assert game.row["dice_left"] == [2, 1]


def test_rank_8_acts_after_a_round_that_is_not_the_last(script: Callable[..., Fight]) -> None:
    decks = [[card("Leap", 2, lose_blank())], [card("Vow", 8, restore())]]
    rounds = [RoundScript(roll=([1, 1], [0, 1]))]
    game = script(decks, TWO_YELLOW, rounds, ([0], []), hits_to_win=2)
    assert game.active == [([1], [0, 1])]


def test_ruling_11_two_cards_of_rank_8_return_each_their_own_die(script: Callable[..., Fight]) -> None:
    decks = [[card("Vow", 8, restore())], [card("Agrippa", 8, restore())]]
    game = script(decks, TWO_YELLOW, [RoundScript(roll=([0, 0], [0, 0]))], ([0], [1]))
    assert game.active == [([0, 1], [0, 1])]


def test_ruling_24_swords_are_counted_before_rank_8(script: Callable[..., Fight]) -> None:
    late = card("Late", 8, reroll("own", 1))
    rounds = [RoundScript(roll=([0], [1]), again=([1], []))]
    assert script([[late], []], ONE_YELLOW, rounds, ([0], [])).hits == [(0, 1)]


def test_ruling_25_a_returned_die_is_blank_until_the_next_roll(script: Callable[..., Fight]) -> None:
    deck = [card("Guard", 7, restore()), bluff()]
    rounds = [
        RoundScript(roll=([1, 1], [0, 0])),
        RoundScript(roll=([1], [1, 0])),
        RoundScript(roll=([1, 1], [0])),
    ]
    # Round 2: die 0 comes back without its old sword: a tie, and it may not be discarded.
    game = script([deck, []], TWO_YELLOW, rounds[:2], ([1, 0, 0], []))
    assert game.swords[2] == (1, 1)
    assert game.active[1] == ([0], [1])


def test_ruling_25_a_die_returned_and_rolled_at_once_counts(script: Callable[..., Fight]) -> None:
    deck = [card("Guard", 7, restore(["yellow"], roll_now=True)), bluff()]
    rounds = [RoundScript(roll=([1, 1], [0, 0])), RoundScript(roll=([1], [1, 0]), again=([1], []))]
    game = script([deck, []], TWO_YELLOW, rounds, ([1, 0, 0, 0], []))
    assert game.swords[2] == (2, 1)


# ---------------------------------------------------------------- who picks: rulings 13, 15, 16


def test_ruling_13_the_owner_picks_which_blank_to_discard(script: Callable[..., Fight]) -> None:
    rounds = [RoundScript(roll=([1, 1, 1], [1, 0, 0]))]
    game = script([[card("Leap", 2, lose_blank())], []], dice_of(yellow=3), rounds, ([], [2]), hit_discard=0)
    assert game.offers == [(1, PICK, (1, 2))]
    assert game.active == [([0, 1, 2], [0, 1])]


def test_ruling_15_the_card_player_picks_the_opponents_reroll(script: Callable[..., Fight]) -> None:
    rounds = [RoundScript(roll=([1, 0], [1, 1]), again=([], [0]))]
    game = script([[card("Riposte", 5, reroll("opponent", 1))], []], TWO_YELLOW, rounds, ([1], []))
    assert game.offers[0] == (0, PICK, (0, 1, DONE))
    assert game.swords[1] == (1, 1)


def test_ruling_16_rerolls_may_stop_early_and_are_rolled_in_slot_order(script: Callable[..., Fight]) -> None:
    # Slot 0 gets the first value: two swords exist on the red die, not on the yellow one.
    rounds = [RoundScript(roll=([0, 0, 0], [1, 1, 1]), again=([2, 1], []))]
    dice = dice_of(red=1, orange=1, yellow=1)
    deck = [card("Chase", 4, reroll("own", 3))]
    game = script([deck, []], dice, rounds, ([2, 0, DONE], []), tie_discard=0)
    assert game.offers == [(0, PICK, (0, 1, 2, DONE)), (0, PICK, (0, 1, DONE)), (0, PICK, (1, DONE))]
    assert game.row["ties"] == 1


def test_ruling_16_a_reroll_may_be_declined(script: Callable[..., Fight]) -> None:
    deck = [card("Six Fingers", 4, reroll("own", "all"))]
    assert script([deck, []], ONE_YELLOW, [HIT[0]], ([DONE], [])).hits == [(1, 0)]


def test_a_turn_is_forced_and_offers_every_blank(script: Callable[..., Fight]) -> None:
    rounds = [RoundScript(roll=([0, 0], [0, 0]))]
    game = script([[card("Other Hand", 7, turn_blank())], []], TWO_YELLOW, rounds, ([1], []))
    assert game.offers == [(0, PICK, (0, 1))]
    assert game.active == [([0], [0, 1])]


def test_a_die_without_the_face_is_not_turned(script: Callable[..., Fight]) -> None:
    deck = [card("Turn", 7, {**turn_blank(), "to": "two"})]
    rounds = [RoundScript(roll=([0, 0], [1, 0]))]
    assert script([deck, []], dice_of(red=1, yellow=1), rounds).hits == [(1, 0)]
    assert script([deck, []], TWO_YELLOW, rounds).hits == [(0, 1)]


def test_a_filter_may_name_as_many_swords_as_a_face_can_show(designed: Callable[..., Player]) -> None:
    most = codes.SWORDS
    deck = [card("Again", 1, reroll("opponent", 1, faces=[most]))]
    table = DuelTable(designed([deck, []], [{"id": "grey", "start": 3, "faces": [0, 1, most]}], RULES))
    table.see("swords")[1][:3] = (most, 1, most)
    table.take()
    table.take()
    assert table.choices() == (1, (0, 2, DONE))


# ---------------------------------------------------------------- dice: rulings 17 to 23, 26, 28


def test_ruling_17_a_card_never_takes_the_last_die(script: Callable[..., Fight]) -> None:
    game = script([[card("Leap", 2, lose_blank())], []], ONE_YELLOW, [HIT[0]])
    assert game.row["dice_left"] == [1, 1]


def test_ruling_17_a_card_that_takes_two_dice_leaves_one(script: Callable[..., Fight]) -> None:
    decks = [[card("Leap", 2, {**lose_blank(), "count": 2})], []]
    rounds = [RoundScript(roll=([1, 1], [0, 0]))]
    game = script(decks, TWO_YELLOW, rounds, ([], [1]), hit_discard=0)
    assert game.active == [([0, 1], [0])]


def test_ruling_17_two_cards_together_never_take_the_last_die(script: Callable[..., Fight]) -> None:
    own = card("Drop", 2, {**lose_blank(), "side": "own"})
    leap = card("Leap", 2, {**lose_blank(), "picker": "self"})
    # Seat 0 drops its own die 0 while seat 1, whose card lets its player pick, names die 1.
    game = script([[own], [leap]], TWO_YELLOW, [RoundScript(roll=([0, 0], [0, 1]))], ([0], [1]))
    assert game.active[0][0] == [1]


def test_ruling_18_a_scorer_with_one_die_keeps_it(script: Callable[..., Fight]) -> None:
    game = script(NO_CARDS, ONE_YELLOW, [HIT[0]])
    assert (game.hits, game.row["dice_left"]) == ([(1, 0)], [1, 1])


def test_ruling_19_the_scorer_discards_a_die_showing_swords(script: Callable[..., Fight]) -> None:
    rounds = [RoundScript(roll=([2, 0, 1], [0, 0, 0]))]
    game = script(NO_CARDS, dice_of(red=2, yellow=1), rounds, ([0], []))
    assert game.offers == [(0, LOSS, (0, 2))]
    assert game.active == [([1, 2], [0, 1, 2])]


def test_the_rule_switches_keep_the_dice(script: Callable[..., Fight]) -> None:
    hit, tie = RoundScript(roll=([1, 1], [0, 0])), RoundScript(roll=([1, 0], [1, 0]))
    assert script(NO_CARDS, TWO_YELLOW, [hit], hit_discard=0).row["dice_left"] == [2, 2]
    assert script(NO_CARDS, TWO_YELLOW, [tie], tie_discard=0).row["dice_left"] == [2, 2]
    assert script(NO_CARDS, TWO_YELLOW, [tie], hit_discard=0).row["dice_left"] == [1, 1]


def test_ruling_20_on_a_tie_with_swords_each_discards_a_die_showing_swords(
    script: Callable[..., Fight],
) -> None:
    rounds = [RoundScript(roll=([0, 1, 1], [2, 0, 0]))]
    game = script(NO_CARDS, dice_of(red=1, orange=1, yellow=1), rounds, ([2], []))
    assert game.offers == [(0, LOSS, (1, 2))]
    assert game.active == [([0, 1], [1, 2])]
    assert game.row["hits"] == [0, 0]


def test_ruling_21_on_a_tie_at_zero_each_discards_any_die(script: Callable[..., Fight]) -> None:
    game = script(NO_CARDS, TWO_YELLOW, [RoundScript(roll=([0, 0], [0, 0]))], ([1], [0]))
    assert game.offers == [(0, LOSS, (0, 1)), (1, LOSS, (0, 1))]
    assert game.active == [([0], [1])]


@pytest.mark.parametrize("swords", [0, 1])
def test_ruling_22_the_last_die_is_kept_on_a_tie(swords: int, script: Callable[..., Fight]) -> None:
    game = script(NO_CARDS, ONE_YELLOW, [RoundScript(roll=([swords], [swords]))])
    assert game.row["dice_left"] == [1, 1]


def test_ruling_23_dice_of_a_tie_leave_only_when_both_have_chosen(designed: Callable[..., Player]) -> None:
    table = DuelTable(designed(NO_CARDS, TWO_YELLOW, RULES))
    table.see("swords")[:, :2] = 0
    table.take()
    table.take()
    table.take(1)
    assert (table.seat, table.group, table.active(0)) == (1, LOSS, [0, 1])
    table.take(0)
    assert (table.active(0), table.active(1)) == ([0], [1])


# ---------------------------------------------------------------- cancel and loss of cards: rulings 29, 31


def test_ruling_29_a_cancelled_card_does_nothing_and_is_spent(script: Callable[..., Fight]) -> None:
    decks = [[card("Parry", 1, cancel())], [card("Turn", 2, turn_blank())]]
    game = script(decks, ONE_YELLOW, [RoundScript(roll=([0], [0]))])
    assert (game.row["ties"], game.row["cancelled"]) == (1, 1)
    assert game.hands == [([], [])]


def test_ruling_29_a_cancel_lasts_for_its_round_only(script: Callable[..., Fight]) -> None:
    turn = card("Turn", 2, turn_blank())
    rounds = [RoundScript(roll=([0], [0]))] * 2
    game = script([[card("Parry", 1, cancel())], [turn, turn]], ONE_YELLOW, rounds, ([], [0]))
    assert game.hits == [(0, 0), (0, 1)]


@pytest.mark.parametrize("canceller", [0, 1])
def test_ruling_29_cancel_stops_a_card_of_rank_8(canceller: int, script: Callable[..., Fight]) -> None:
    decks = [[card("Parry", 1, cancel())], [card("Vow", 8, restore())]]
    rounds = [RoundScript(roll=([0, 0], [0, 0]))]
    game = script(decks if canceller == 0 else decks[::-1], TWO_YELLOW, rounds, ([0], [0]))
    assert game.active == [([1], [1])]


@pytest.mark.parametrize(("rank", "cancelled"), [(1, 0), (2, 0), (3, 1)])
def test_ruling_29_cancel_is_no_use_against_a_lower_or_equal_rank(
    rank: int, cancelled: int, script: Callable[..., Fight]
) -> None:
    decks = [[card("Threat", 2, cancel())], [card("Turn", rank, turn_blank())]]
    game = script(decks, ONE_YELLOW, [RoundScript(roll=([0], [0]))])
    assert game.row["cancelled"] == cancelled
    assert game.row["hits"] == [0, 1 - cancelled]


def test_ruling_29_cancel_is_no_use_against_a_bluff(script: Callable[..., Fight]) -> None:
    game = script([[card("Parry", 1, cancel())], [bluff()]], ONE_YELLOW, [HIT[1]])
    assert (game.row["cancelled"], game.hands) == (0, [([], [0])])


def test_ruling_29_a_cancelled_cancel_stops_nothing(script: Callable[..., Fight]) -> None:
    decks = [[card("Parry", 1, cancel(), turn_blank())], [card("Late", 3, cancel())]]
    game = script(decks, ONE_YELLOW, [RoundScript(roll=([0], [0]))])
    assert game.row["hits"] == [1, 0]


def test_ruling_31_a_random_card_leaves_the_game_and_it_is_never_the_bluff(
    script: Callable[..., Fight],
) -> None:
    study = [card("Cold Study", 3, drop_card())]
    deck = [bluff(), card("Vow", 8, restore()), card("Leap", 2, lose_blank()), card("Turn", 7, turn_blank())]
    # Two cards can be lost, Vow and Leap: number 1 is Leap.
    rounds = [RoundScript(roll=([1], [1]), draws=[1])]
    game = script([study, deck], ONE_YELLOW, rounds, ([], [3]))
    assert game.hands == [([], [0, 1])]
    assert bits_of(game.row["held"][1]) == [0, 1]


def test_ruling_31_a_hand_of_bluffs_loses_nothing(script: Callable[..., Fight]) -> None:
    game = script([[card("Cold Study", 3, drop_card())], [bluff()]], ONE_YELLOW, [HIT[0]])
    assert game.hands == [([], [0])]


@pytest.mark.parametrize(("choice", "picker"), [("owner", 1), ("self", 0)])
def test_a_dropped_card_may_be_chosen_by_its_owner_or_by_the_player_of_the_card(
    choice: str, picker: int, script: Callable[..., Fight]
) -> None:
    study = [card("Study", 3, {**drop_card(), "choice": choice})]
    deck = [bluff(), card("Vow", 8, restore()), card("Turn", 7, turn_blank())]
    answers: tuple[list[int], list[int]] = ([], [0])  # seat 1 bluffs
    answers[picker].append(2)
    game = script([study, deck], ONE_YELLOW, [TIE], answers)
    assert game.offers[-1] == (picker, PICK, (1, 2))
    assert game.hands == [([], [0, 1])]


# ---------------------------------------------------------------- secrets: ruling 30


def test_ruling_30_hiding_takes_back_the_card_that_the_other_has_chosen(
    shipped: Callable[..., Player],
) -> None:
    table = DuelTable(shipped(("inigo", "rugen")))
    table.take(4)
    assert (table.seat, int(table.see("chosen")[0])) == (1, 4)
    table.hide(1, 99)
    assert (table.seat, int(table.see("chosen")[0])) == (1, codes.NONE)
    table.take(5)
    # The other is asked again, with the same hand, before anything is revealed.
    assert (table.seat, table.group, table.choices()[1]) == (0, CARD, tuple(range(10)))
    assert int(table.see("chosen")[1]) == 5


def test_ruling_30_hiding_keeps_the_card_that_a_seat_has_chosen_itself(
    shipped: Callable[..., Player],
) -> None:
    table = DuelTable(shipped(("inigo", "rugen")))
    table.take(4)
    table.hide(0, 99)
    assert int(table.see("chosen")[0]) == 4


def test_hiding_takes_back_the_die_that_the_other_gives_up_on_a_tie(designed: Callable[..., Player]) -> None:
    table = DuelTable(designed(NO_CARDS, TWO_YELLOW, RULES))
    table.see("swords")[:, :2] = 0
    table.take()
    table.take()
    table.take(1)
    table.hide(1, 99)
    table.take(0)
    assert (table.seat, table.group, table.choices()[1]) == (0, LOSS, (0, 1))
    assert (table.active(0), table.active(1)) == ([0, 1], [0, 1])


def test_hiding_takes_back_the_picks_that_the_other_makes_at_the_same_rank(
    designed: Callable[..., Player],
) -> None:
    again = [card("Again", 3, {**reroll("opponent", 2), "up_to": False})]
    table = DuelTable(designed([again, again], dice_of(yellow=3), RULES))
    table.take()
    table.take()
    for slot in (0, 2):
        assert (table.seat, table.group) == (0, PICK)
        table.take(slot)
    assert table.seat == 1
    table.hide(1, 99)
    assert [bits_of(int(mask)) for mask in table.see("picked")] == [[], []]
    table.take(1)
    # Seat 0 picks both of its dice again, then seat 1 its second one.
    assert (table.seat, table.choices()[1]) == (0, (0, 1, 2))


def test_hiding_keeps_the_picks_that_a_seat_makes_for_the_cards_of_both(
    designed: Callable[..., Player],
) -> None:
    # The owner of the dice picks, so that seat 1 picks for the card of seat 0 and the other way round.
    leap = [card("Leap", 2, {**lose_blank(), "count": 2})]
    table = DuelTable(designed([leap, leap], dice_of(yellow=4), RULES))
    table.see("swords")[:, :4] = 0
    table.take()
    table.take()
    table.take(1)
    assert (table.seat, int(table.see("asked"))) == (1, 0)
    table.hide(1, 99)
    assert table.choices() == (1, (0, 2, 3))
    table.take(3)
    assert (table.seat, table.choices()) == (0, (0, (0, 1, 2, 3)))
    table.take(2)
    table.hide(0, 99)
    assert [bits_of(int(mask)) for mask in table.see("picked")] == [[], [2]]


def test_picks_of_a_card_that_resolves_alone_are_open(designed: Callable[..., Player]) -> None:
    again = [card("Again", 3, {**reroll("opponent", 2), "up_to": False})]
    table = DuelTable(designed([again, []], dice_of(yellow=3), RULES))
    table.take()
    table.take()
    table.take(1)
    table.hide(1, 99)
    assert bits_of(int(table.see("picked")[0])) == [1]


# ---------------------------------------------------------------- properties of random play


def check_position(table: DuelTable) -> None:
    """Check what must hold in every position."""
    tab = table.memory["state"]["tab"][0]
    needed, start = int(tab["hits_to_win"]), int(tab["dice_mask"])
    hits = [int(n) for n in table.see("hits")]
    assert all(0 <= n <= needed for n in hits)
    assert table.over == (needed in hits or table.over_the_cap())
    for seat in (0, 1):
        active = int(table.see("active")[seat])
        assert 0 < active <= start
        assert active & ~start == 0
        for slot in bits_of(active):
            colour = int(tab["dice_colour"][slot])
            faces = tab["faces"][colour][: int(tab["n_faces"][colour])].tolist()
            assert int(table.see("swords")[seat][slot]) in {*faces, 0}
        assert int(table.see("hand")[seat]) & ~int(tab["deck"][seat]) == 0
    rounds = int(table.see("rounds"))
    assert int(table.see("turns")) == 2 * rounds
    assert rounds <= int(tab["round_cap"])
    assert int(table.see("ties")) + sum(hits) <= rounds
    check_offer(table)


def check_offer(table: DuelTable) -> None:
    """Check that something is offered while the game goes on: each action once, in order, and possible."""
    if table.over:
        return
    owner, offered = table.choices()
    assert table.codes == sorted(set(table.codes))
    assert 0 < len(table.codes) <= table.game.actions
    if table.group == CARD:
        assert list(offered) == table.hand(table.seat)
    elif table.group == LOSS:
        assert owner == table.seat
        assert set(offered) <= set(table.active(table.seat))
        assert len(table.active(table.seat)) > 1


def walk(player: Player, index: int) -> Iterator[DuelTable]:
    """Play a game at random and stop in every position, also before the first choice and at the end."""
    table = DuelTable(player, index)
    chance = random.Random(f"walk {index}")
    yield table
    while not table.over:
        table.step(chance.choice)
        yield table


@pytest.mark.parametrize("pair", [("inigo", "man-in-black"), ("rugen", "humperdinck"), ("fezzik", "fezzik")])
def test_dice_cards_and_hits_are_conserved_at_every_step(pair: tuple[str, str], shipped: Callable[..., Player]) -> None:
    for index in range(scaled(12, 6)):
        hands = [set(range(10)), set(range(10))]
        for table in walk(shipped(pair), index):
            check_position(table)
            for seat in (0, 1):
                hand = set(table.hand(seat))
                assert hand <= hands[seat], "a card that had left the hand came back"
                assert 9 in hand, "the bluff always returns"
                hands[seat] = hand


@pytest.mark.parametrize("pair", [("inigo", "rugen"), ("humperdinck", "man-in-black"), ("fezzik", "rugen")])
def test_every_legal_action_leads_to_a_legal_position(pair: tuple[str, str], shipped: Callable[..., Player]) -> None:
    chance = random.Random(SEED)
    for index in range(scaled(6, 6)):
        for table in walk(shipped(pair), index):
            if table.over or chance.random() < 0.5:
                continue
            saved = table.save()
            for action in table.offered():
                table.apply(action)
                check_position(table)
                table.load(saved)


@WITHOUT_JIT
@pytest.mark.parametrize("cap", [500, 9, 1])
def test_rows_of_many_games_are_consistent(cap: int, shipped: Callable[..., Player]) -> None:
    player = shipped(("rugen", "humperdinck"), round_cap=cap)
    rows = player.play(0, 10_000)
    hits, needed = rows["hits"], RULES["hits_to_win"]
    won = rows["reason"] == codes.WON
    assert ((rows["winners"] == 0) == ~won).all()
    assert set(rows["winners"][won]) <= {1, 2}
    for seat in (0, 1):
        assert ((rows["winners"] == 1 << seat) == (hits[:, seat] == needed)).all()
    assert (hits <= needed).all()
    assert (hits.min(axis=1) < needed).all()
    assert (rows["rounds"] <= cap).all()
    assert (rows["rounds"][~won] == cap).all()
    assert (rows["turns"] == 2 * rows["rounds"]).all()
    # Ruling 28: one hit a round at most, and a round without a hit is a tie.
    assert (rows["ties"] + hits.sum(axis=1) == rows["rounds"]).all()
    assert (rows["margin"] == abs(hits[:, 0] - hits[:, 1])).all()
    assert (rows["first_hit"].sum(axis=1) == (hits.sum(axis=1) > 0)).all()
    assert ((rows["dice_left"] >= 1) & (rows["dice_left"] <= 6)).all()
    assert ((rows["cards_left"] >= 1) & (rows["cards_left"] <= 10)).all()
    assert (rows["seconds"] == 60 + 45 * rows["rounds"]).all()
    dealt, held, played = (rows["exposed"][:, :, number, 0] for number in range(3))
    assert (dealt == 1023).all()
    assert (held | played <= dealt).all()
    assert (np.bitwise_count(held) == rows["cards_left"]).all()


@WITHOUT_JIT
@pytest.mark.parametrize("character", DECKS)
def test_equal_players_win_half_of_the_games_from_either_seat(character: str, shipped: Callable[..., Player]) -> None:
    # B23. All choices are simultaneous, so that the chair itself gives no advantage.
    rows = shipped((character, character)).play(0, 20_000)
    wins = [(rows["winners"] == 1 << seat).mean() for seat in (0, 1)]
    assert sum(wins) + (rows["winners"] == 0).mean() == pytest.approx(1, abs=len(rows) * np.finfo(float).eps)
    error = (0.25 / len(rows)) ** 0.5
    assert all(abs(share - 0.5) < sigmas() * error for share in wins)


def test_both_rotations_of_a_deal_roll_the_same_dice(shipped: Callable[..., Player]) -> None:
    player = shipped(("inigo", "rugen"))
    first, second, next_deal = (DuelTable(player, index) for index in (0, 1, 2))
    assert first.see("swords").tolist() == second.see("swords").tolist()
    assert first.see("swords").tolist() != next_deal.see("swords").tolist()
    decks = [table.memory["state"]["tab"]["rank"][0].tolist() for table in (first, second)]
    assert decks[0] == decks[1][::-1]
    assert decks[0] != decks[1]


# ---------------------------------------------------------------- capacities


def full_edition(cards: int, dice: int) -> dict[str, Any]:
    """Return an edition of the given size, with as many effects and faces as there is room for."""
    effects = [reroll("own", "all"), {**lose_blank(), "count": 3}, restore()][: codes.EFFECTS]
    deck = [card("Card", 1 + number % 9, *effects) for number in range(cards)]
    faces = [number % (codes.SWORDS + 1) for number in range(codes.FACES)]
    colours = [f"colour-{number}" for number in range(codes.COLOURS)]
    share, rest = divmod(dice, len(colours))
    kinds = [{"id": c, "start": share + (i < rest), "faces": faces} for i, c in enumerate(colours)]
    return edition_of([deck, deck], kinds, RULES)


def load_full(edition: Mapping[str, Any], write_yaml: Callable[..., Path], load: Callable[..., Any]) -> Any:
    file = write_yaml(edition, "edition.yaml")
    return load(write_yaml(scenario_of("./edition.yaml"), "scenario.yaml", file.parent))


def test_an_edition_may_fill_every_capacity(
    write_yaml: Callable[..., Path], load_scenario: Callable[..., Any], player_of: Callable[..., Player]
) -> None:
    player = player_of(load_full(full_edition(codes.CARDS, codes.DICE), write_yaml, load_scenario))
    most = 0
    for index in range(scaled(4, 2)):
        for table in walk(player, index):
            if not table.over:
                most = max(most, len(table.offered()))
    assert most == codes.CARDS
    assert (player.play(0, scaled(200))["dice_left"] <= codes.DICE).all()


@pytest.mark.parametrize(
    ("cards", "dice", "message"),
    [
        (codes.CARDS + 1, codes.DICE, f"{codes.CARDS + 1} cards; {codes.CARDS} are possible"),
        (codes.CARDS, codes.DICE + 1, f"{codes.DICE + 1} dice; 1 to {codes.DICE} are possible"),
        (1, 0, "starts with 0 dice"),
    ],
    ids=["cards", "dice", "no-dice"],
)
def test_an_edition_above_a_capacity_is_refused(
    cards: int,
    dice: int,
    message: str,
    write_yaml: Callable[..., Path],
    load_scenario: Callable[..., Any],
) -> None:
    with pytest.raises(InputError, match=message):
        load_full(full_edition(cards, dice), write_yaml, load_scenario)


def test_a_card_of_another_character_is_in_neither_hand(
    load_scenario: Callable[..., Any], player_of: Callable[..., Player]
) -> None:
    seats = [{"strategy": "random", "character": name} for name in ("inigo", "rugen")]
    new = {"kind": "cards", "label": "Extra", "deck": "rugen", "rank": 5, "effects": []}
    data = {"game": "hate-to-kill-you", "seats": seats, "seed": 1, "components": {"extra": new}}
    table = DuelTable(player_of(load_scenario(data)))
    assert [len(table.hand(seat)) for seat in (0, 1)] == [len(DECKS["inigo"]), len(DECKS["rugen"]) + 1]
