"""The conformance suite: what the engine, strategies and reports rely on, for every game and every strategy.

Nothing here knows a game, except where a test says so. A new game is found by its folder, its strategies by
their file, and it is played by its scenarios.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import strategies
from simcore import contract, jit
from simcore.contract import Strategy
from simcore.errors import IllegalActionError
from simcore.player import Player
from support import (
    OWN_GAME,
    Table,
    changed,
    content,
    field,
    fill,
    first_scenario,
    leaves,
    params_of,
    sampled,
    scaled,
    scenarios_of,
    seated,
    sigmas,
)

NAMES = [*strategies.game_names(), str(OWN_GAME)]
GAMES = [pytest.param(name, id=Path(name).name) for name in NAMES]
PAIRS = [
    pytest.param(game, name, id=f"{Path(game).name}-{name}")
    for game in NAMES
    for name in strategies.strategy_names(game)
]
GARBAGE = (85, 3)  # fit into every field, and no game starts with both


# Players who draw their actions need a hundred rounds where others need seven: fewer trophies, the same decisions.
SHORTER = {
    "grimoire-shuffle": [("rules.trophies", "1"), ("rules.trophies_six", "1"), ("rules.round_cap", "10")],
    "field-guide": [("rules.round_cap", "300")],
}

Find = Callable[..., Player]


@pytest.fixture(scope="session")
def playing(load_scenario: Callable[..., Any], player_of: Callable[..., Player]) -> Find:
    """Return the player of a game in which every seat plays one strategy; each strategy in a scenario of its own."""

    def find(name: str, strategy: str = "random", *overrides: tuple[str, str], seed: int = 5) -> Player:
        files = [first_scenario(name), *scenarios_of(name)]
        file = files[strategies.strategy_names(name).index(strategy) % len(files)]
        n = load_scenario(file).match.n_seats
        given = params_of(strategies.game(name), strategy)
        seats = seated([strategy] * n, [given] * n)
        return player_of(load_scenario(file, [("seed", str(seed)), *seats, *SHORTER.get(name, ()), *overrides]))

    return find


def walk(player: Player, index: int, share: float = 1.0) -> Iterator[Table]:
    """Play a game by hand, at random, and stop in a share of the positions where there is a choice."""
    table = Table(player, index)
    chance = random.Random(f"walk {index}")
    stops = 0
    while not table.over:
        offered = table.offered()
        if len(offered) > 1 and chance.random() < share * thinned(stops):
            stops += 1
            yield table
        table.apply(chance.choice(offered))


def thinned(looks: int) -> float:
    """Return the share of positions to look at after so many looks: a game of thousands of decisions repeats itself."""
    return min(1.0, (sampled(30, 10_000) / (looks + 1)) ** 3)


# ---------------------------------------------------------------- what a game declares


@pytest.mark.parametrize("name", GAMES)
def test_no_field_has_the_name_of_an_attribute_of_a_record(name: str) -> None:
    # With JIT off a field is an attribute of np.record, or of np.recarray where there are several.
    game = strategies.game(name)
    for dtype in (contract.desk_dtype(game), game.outcome):
        for path in leaves(dtype):
            for part in path:
                assert part.isidentifier()
                assert not hasattr(np.record, part), part
                assert not hasattr(np.recarray, part), part


@pytest.mark.parametrize("name", GAMES)
def test_a_state_has_the_parts_the_engine_writes(name: str) -> None:
    game = strategies.game(name)
    assert set(game.state.names or ()) <= {"tab", "play", "log", "tmp", "rng"}
    for part, kind in contract.PLAY_FIELDS:
        assert game.state["play"][part] == np.dtype(kind)
    assert game.state["tab"]["side_of"].shape == (game.seats,)
    assert game.state["rng"]["key"].shape == (game.seats + len(game.chance),)
    # A bool has one true value only; in a reused record there may be others.
    assert all(field_type(game.state, path).kind in "iuf" for path in leaves(game.state))


def field_type(dtype: np.dtype[Any], path: tuple[str, ...]) -> np.dtype[Any]:
    for name in path:
        dtype = dtype[name].base
    return dtype


@pytest.mark.parametrize("name", GAMES)
def test_an_outcome_has_the_common_columns_and_every_metric(name: str) -> None:
    game = strategies.game(name)
    columns = game.outcome.names or ()
    metrics = [metric.name for metric in game.metrics]
    assert columns == (*contract.COMMON_COLUMNS, *metrics, "exposed")
    for metric in game.metrics:
        assert metric.doc
        assert game.outcome[metric.name].shape == metric.shape(game.seats)
    # Every number is 4 bytes wide, so that a block is also a matrix.
    assert all(game.outcome[column].base.itemsize == 4 for column in columns)
    assert game.outcome["exposed"].shape == (game.seats, len(contract.EXPOSURES), contract.MASK_WORDS)


@pytest.mark.parametrize("name", GAMES)
def test_names_that_people_use_are_documented_and_unique(name: str) -> None:
    game = strategies.game(name)
    assert game.name == Path(name).name
    for things in (game.metrics, game.features, game.decisions):
        assert all(thing.name and thing.doc for thing in things)
        assert len({thing.name for thing in things}) == len(things)
    assert len(game.features) + 3 <= contract.PARAMETERS
    assert {decision.role for decision in game.decisions} == set(game.roles)
    assert all(isinstance(size, int) and size > 0 for size in game.capacities.values())


@pytest.mark.parametrize("name", GAMES)
def test_sides_share_out_the_seats_and_rotations_move_all_of_them(name: str) -> None:
    game = strategies.game(name)
    assert list(game.seat_counts) == sorted(set(game.seat_counts))
    for n in game.seat_counts:
        assert sorted(seat for side in game.sides(n) for seat in side) == list(range(n))
        rotations = game.rotations(n)
        assert rotations[0] == tuple(range(n))
        assert all(sorted(rotation) == list(range(n)) for rotation in rotations)
        assert len(set(rotations)) == len(rotations)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_scenario(name: str) -> None:
    assert scenarios_of(name), f"scenarios/{name} holds no scenario"


@pytest.mark.parametrize(("name", "strategy"), PAIRS)
def test_every_strategy_says_what_player_it_models_and_what_its_parameters_mean(name: str, strategy: str) -> None:
    found = strategies.strategy(name, strategy)
    assert found.name == found.ref == strategy
    assert found.doc.strip()
    for param in found.params.values():
        assert param.doc
        assert param.low <= param.default <= param.high
    assert len(found.vector(strategies.game(name), params_of(strategies.game(name), strategy))) == (contract.PARAMETERS)


# ---------------------------------------------------------------- set-up, legal, score


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("index", [0, 1])
def test_setup_leaves_nothing_of_the_game_before(name: str, index: int, playing: Find) -> None:
    table = Table(playing(name), index)
    clean = table.content()
    for garbage in GARBAGE:
        for path in leaves(table.game.state):
            if path[0] != "tab":
                field(table.memory["state"], path)[...] = garbage
        table.start()
        assert changed(clean, table.content()) == set()


@pytest.mark.parametrize("name", GAMES)
def test_setup_leaves_nothing_of_a_whole_game(name: str, playing: Find) -> None:
    table = Table(playing(name))
    clean = table.content()
    while not table.over:
        table.apply(table.offered()[-1])
    table.start()
    assert changed(clean, table.content()) == set()


@pytest.mark.parametrize("name", GAMES)
def test_legal_changes_nothing_and_keeps_to_the_capacity_of_actions(name: str, playing: Find) -> None:
    game = strategies.game(name)
    longer = np.full(game.actions + 64, -7, contract.desk_dtype(game)["actions"].base)
    for table in walk(playing(name), 0):
        before = table.content()
        n = int(table.tools.legal(table.state, longer))
        assert changed(before, table.content()) == set()
        assert 1 < n <= game.actions
        assert (longer[game.actions :] == -7).all()
        assert longer[:n].tolist() == table.offered()
        assert len(set(longer[:n].tolist())) == n
        assert 0 <= table.seat < table.player.match.n_seats
        assert 0 <= table.which % len(game.roles) < len(game.roles)


@pytest.mark.parametrize("name", GAMES)
def test_score_writes_every_column_that_it_owns_and_changes_no_game(name: str, playing: Find) -> None:
    # The driver counts decisions, the player estimates seconds, and rows come with empty exposure masks.
    others = ("decisions", "seconds", "exposed")
    for index in range(4):
        table = Table(playing(name), index)
        while not table.over:
            table.apply(table.offered()[0])
        before = table.content()
        rows = []
        for garbage in GARBAGE:
            row = np.zeros(1, table.game.outcome)
            for path in leaves(table.game.outcome):
                row[path[0]] = 0 if path[0] == "exposed" else garbage
            rows.append(content(table.score(row), skip=others))
        assert rows[0] == rows[1]
        assert changed(before, table.content()) == set()


@pytest.mark.parametrize("name", GAMES)
def test_rows_are_possible_outcomes(name: str, playing: Find, load_scenario: Callable[..., Any]) -> None:
    player = playing(name)
    rows = player.play(0, scaled(200))
    known = len(player.game.reasons(load_scenario(first_scenario(name)).edition.model))
    sides = len(player.game.sides(player.match.n_seats))
    assert ((rows["reason"] >= 0) & (rows["reason"] < known)).all()
    assert ((rows["winners"] >= 0) & (rows["winners"] < 1 << sides)).all()
    # Unfinished is no win of anybody.
    assert (rows["winners"][rows["reason"] == 0] == 0).all()
    assert (rows["rounds"] >= 1).all()
    assert (rows["turns"] >= 1).all()
    setup, turn, round_ = player.match.pace
    assert (rows["seconds"] == setup + turn * rows["turns"] + round_ * rows["rounds"]).all()
    held, played = rows["exposed"][:, :, 1], rows["exposed"][:, :, 2]
    dealt = rows["exposed"][:, :, 0]
    assert dealt[:, : player.match.n_seats].any()
    assert not rows["exposed"][:, player.match.n_seats :].any()
    assert (held | played | dealt).any()


# ---------------------------------------------------------------- the driver, and its twin by hand


@pytest.mark.parametrize(("name", "strategy"), PAIRS)
def test_a_strategy_answers_what_is_offered_and_changes_nothing_but_its_own_stream(
    name: str, strategy: str, playing: Find
) -> None:
    player = playing(name, strategy)
    choose = strategies.strategy(name, strategy).pointer(player.game)
    for index in range(scaled(2)):
        table = Table(player, index)
        log = np.full(1 << 12, -1, np.int32)
        row = player.play_logged(index, log)
        chance = random.Random(index)
        steps = decisions = looks = 0
        while not table.over:
            offered = table.offered()
            action = offered[0]
            if len(offered) > 1:
                looked = chance.random() < thinned(looks)
                action = checked_answer(table, choose, offered) if looked else table.ask(choose, len(offered))
                decisions += 1
                looks += looked
            assert log[steps] == action
            steps += 1
            table.apply(action)
        # Forced moves are in the log, and no decisions.
        assert (log[steps:] == -1).all()
        assert row["decisions"] == decisions
        twin = content(table.score(), skip=("decisions", "seconds"))
        assert twin == content(row, skip=("decisions", "seconds"))


def checked_answer(table: Table, choose: Any, offered: list[int]) -> int:
    """Return what a strategy answers, after checking what it has done to the state and the actions."""
    before, seat = table.content(), table.seat
    counts = table.memory["state"]["rng"]["count"][0].copy()
    answer = table.ask(choose, len(offered))
    assert answer in offered
    assert table.actions[: len(offered)].tolist() == offered
    assert changed(before, table.content()) <= {"rng.count"}
    moved = np.flatnonzero(table.memory["state"]["rng"]["count"][0] != counts)
    assert set(moved.tolist()) <= {seat}
    return answer


@pytest.mark.parametrize(("name", "strategy"), PAIRS)
def test_a_strategy_remembers_nothing_in_its_work_space(name: str, strategy: str, playing: Find) -> None:
    player = playing(name, strategy)
    choose = strategies.strategy(name, strategy).pointer(player.game)
    for table in walk(player, 0, share=0.3):
        saved, n = table.save(), len(table.offered())
        answers = []
        for garbage in GARBAGE:
            table.load(saved)
            fill(table.memory["work"], garbage)
            answers.append(table.ask(choose, n))
        table.load(saved)
        assert answers[0] == answers[1]


@pytest.mark.parametrize(("name", "strategy"), PAIRS)
def test_the_same_seed_plays_the_same_games(name: str, strategy: str, playing: Find) -> None:
    player = playing(name, strategy)
    games = scaled(sampled(20, 60))
    rows = player.play(0, games)
    assert Player(player.match, strategies).play(0, games).tobytes() == rows.tobytes()
    other = playing(name, strategy, seed=6).play(0, games)
    assert other.tobytes() != rows.tobytes()


@pytest.mark.parametrize("name", GAMES)
def test_all_games_of_a_run_are_different_and_two_seeds_share_none(name: str, playing: Find) -> None:
    # B10, B11, C2: by all actions of a game, under a strategy that draws every one of them.
    games = scaled(300)
    seen: set[bytes] = set()
    for seed in (5, 6):
        # In both rotations of a deal, equal players would play the same game.
        player = playing(name, "random", ("rotate", "false"), seed=seed)
        for index in range(games):
            log = np.full(1 << 12, -1, np.int32)
            player.play_logged(index, log)
            seen.add(log.tobytes())
    assert len(seen) == 2 * games


@pytest.mark.parametrize("name", GAMES)
def test_threads_may_share_a_player(name: str, playing: Find) -> None:
    # B7, B9: blocks end in any order, in any thread.
    player = playing(name)
    games = scaled(400)
    blocks = [(first, min(37, games - first)) for first in range(0, games, 37)]
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda block: player.play(*block), blocks[::-1]))
    assert np.concatenate(parts[::-1]).tobytes() == player.play(0, games).tobytes()


# ---------------------------------------------------------------- hidden information


@pytest.mark.parametrize("name", GAMES)
def test_hiding_twice_is_hiding_once(name: str, playing: Find) -> None:
    keys = random.Random(name)
    for index in range(scaled(4, 2)):
        for table in walk(playing(name), index, share=0.4):
            saved = table.save()
            for seat in range(table.player.match.n_seats):
                first, second = keys.getrandbits(64), keys.getrandbits(64)
                table.hide(seat, first)
                table.hide(seat, second)
                twice = table.content()
                table.load(saved)
                table.hide(seat, second)
                assert changed(twice, table.content()) == set()
                table.load(saved)


@pytest.mark.parametrize("name", GAMES)
def test_hiding_keeps_what_the_seat_sees_and_its_own_stream(name: str, playing: Find) -> None:
    keys = random.Random(name)
    for index in range(scaled(4, 2)):
        for table in walk(playing(name), index, share=0.4):
            saved, offered = table.save(), table.offered()
            seat, which, before = table.seat, table.which, table.content()
            table.hide(seat, keys.getrandbits(64))
            assert (table.seat, table.which, table.over) == (seat, which, False)
            assert table.offered() == offered
            for part in ("root", "key", "count"):
                streams, old = table.memory["state"]["rng"][part][0], saved["rng"][part][0]
                assert streams[seat] == old[seat]
                if part == "root":
                    assert (np.delete(streams, seat) != np.delete(old, seat)).all()
            assert not any(name.startswith("tab.") for name in changed(before, table.content()))
            table.load(saved)


@pytest.mark.parametrize("name", GAMES)
def test_a_hidden_game_can_be_played_to_its_end(name: str, playing: Find) -> None:
    chance = random.Random(name)
    for table in walk(playing(name), 0, share=0.4):
        saved = table.save()
        table.hide(table.seat, chance.getrandbits(64))
        while not table.over:
            offered = table.offered()
            assert offered
            table.apply(chance.choice(offered))
        table.load(saved)


@pytest.mark.parametrize(("name", "strategy"), PAIRS)
def test_no_choice_changes_when_hidden_information_is_dealt_anew(name: str, strategy: str, playing: Find) -> None:
    # The seat keeps its own stream, so that this holds for strategies that draw, too.
    player = playing(name, strategy)
    choose = strategies.strategy(name, strategy).pointer(player.game)
    keys = random.Random(f"{name} {strategy}")
    for index in range(sampled(2, 6)):
        for table in walk(player, index, share=0.4):
            saved, n = table.save(), len(table.offered())
            answer = table.ask(choose, n)
            table.load(saved)
            table.hide(table.seat, keys.getrandbits(64))
            assert len(table.offered()) == n
            assert table.ask(choose, n) == answer
            table.load(saved)


# ---------------------------------------------------------------- lead and features


@pytest.mark.parametrize("name", GAMES)
def test_lead_is_a_share_and_with_two_sides_one_leads_by_what_the_other_lacks(name: str, playing: Find) -> None:
    player = playing(name)
    sides = range(len(player.game.sides(player.match.n_seats)))
    for index in range(scaled(3, 3)):
        for table in walk(player, index):
            before = table.content()
            leads = [table.lead(side) for side in sides]
            assert changed(before, table.content()) == set()
            assert all(-1 <= lead <= 1 for lead in leads)
            if len(sides) == 2:
                assert leads[0] == -leads[1]


@pytest.mark.parametrize("name", GAMES)
def test_who_has_won_alone_is_not_behind(name: str, playing: Find) -> None:
    player = playing(name)
    sides = range(len(player.game.sides(player.match.n_seats)))
    for index in range(scaled(30, 10)):
        table = Table(player, index)
        chance = random.Random(index)
        while not table.over:
            table.apply(chance.choice(table.offered()))
        winners = int(table.score()["winners"][0])
        for side in sides:
            if winners == 1 << side:
                assert table.lead(side) == max(table.lead(other) for other in sides)


@pytest.mark.parametrize("name", GAMES)
def test_features_are_finite_and_depend_on_nothing_but_the_position(name: str, playing: Find) -> None:
    player = playing(name)
    f = len(player.game.features)
    moved = np.zeros(f, bool)
    for index in range(scaled(3, 3)):
        for table in walk(player, index, share=0.5):
            before = table.content()
            rows = [feature_rows(table, garbage, f) for garbage in GARBAGE]
            assert changed(before, table.content()) == set()
            assert (rows[0] == rows[1]).all()
            assert all(math.isfinite(value) for value in rows[0].flat)
            moved |= (rows[0] != 0).any(axis=0)
    never = [feature.name for feature, seen in zip(player.game.features, moved, strict=True) if not seen]
    assert len(never) < f, f"only zeros: {never}"


def feature_rows(table: Table, garbage: int, f: int) -> Any:
    """Return the features of every action (n, F), computed in dirty memory."""
    fill(table.memory["work"], garbage)
    rows = []
    for action in table.offered():
        out = np.full(f + 4, float(garbage))
        with np.errstate(over="ignore"):
            table.tools.features(table.state, table.seat, action, table.desk.work, out)
        assert (out[f:] == garbage).all()
        rows.append(out[:f].copy())
    return np.array(rows)


# ---------------------------------------------------------------- faults


def outlaw(state: Any, seat: int, actions: Any, n: int, params: Any, work: Any, tools: Any) -> int:
    """Answer what is never offered from round 2 on."""
    return actions[0] if state.play.rounds < 2 else -5


@pytest.mark.parametrize("name", GAMES)
def test_an_answer_that_was_not_offered_stops_the_run_and_names_the_game(name: str, playing: Find) -> None:
    # B26: an error is never booked as a draw.
    honest = playing(name)
    match = replace(honest.match, strategies=tuple(("outlaw",) * len(row) for row in honest.match.strategies))
    stranger = Strategy("outlaw", "outlaw", outlaw, {}, "Cheats.")
    loader = SimpleNamespace(game=strategies.game, strategy=lambda *_: stranger)
    with pytest.raises(IllegalActionError, match="'outlaw' answered -5") as caught:
        Player(match, loader).play(7, 20)
    assert (caught.value.seed, caught.value.game, caught.value.exit_code) == (match.seed, 7, 70)
    assert caught.value.turn >= 1


# ---------------------------------------------------------------- the generic strategies, by what they win


@pytest.fixture(scope="module")
def share_of_first(load_scenario: Callable[..., Any], player_of: Callable[..., Player]) -> Callable[..., float]:
    """Return the share of games that the first of two players of one character of the duel wins."""

    def play(first: tuple[str, dict[str, Any]], second: tuple[str, dict[str, Any]], games: int) -> float:
        data = {
            "game": "hate-to-kill-you",
            "seats": [
                {"strategy": name, "character": "man-in-black", **({"params": params} if params else {})}
                for name, params in (first, second)
            ],
            "rules": {"same_character_twice": True},
            "rotate": True,
            "seed": 8,
        }
        winners = player_of(load_scenario(data)).play(0, games)["winners"]
        wins = (winners[0::2] == 1).sum() + (winners[1::2] == 2).sum()
        return float(wins) / games

    return play


@pytest.mark.skipif(not jit.ENABLED, reason="many games: only with JIT")
@pytest.mark.parametrize(
    ("better", "games"),
    [
        (("lookahead", {"rollouts": 64}), 400),
        (("lookahead", {"rollouts": 64, "horizon": 1}), 3_000),
        (("weights", {"tiers": [{"gain": 1.0, "pick_gain": 1.0, "pick_value": 0.5}]}), 2_000),
    ],
    ids=["lookahead", "lookahead-one-round", "weights"],
)
def test_generic_strategies_beat_random_in_the_duel(
    better: tuple[str, dict[str, Any]], games: int, share_of_first: Callable[..., float]
) -> None:
    # Both rotations of a deal share their luck, which makes the true error smaller than this one.
    error = (0.25 / games) ** 0.5
    assert share_of_first(better, ("random", {}), games) > 0.5 + sigmas() * error


@pytest.mark.skipif(not jit.ENABLED, reason="many games: only with JIT")
def test_weights_of_zero_are_as_good_as_random_in_the_duel(share_of_first: Callable[..., float]) -> None:
    games = 4_000
    share = share_of_first(("weights", {"weights": {"gain": 0.0}}), ("random", {}), games)
    assert abs(share - 0.5) < sigmas() * (0.25 / games) ** 0.5


@pytest.mark.parametrize("name", GAMES)
def test_the_loader_finds_what_the_folders_hold(name: str, loader: ModuleType) -> None:
    assert loader.folder_of(name).is_dir()
    assert loader.game(name) is loader.game(name)
    assert list(loader.strategy_names(name))[:3] == ["random", "weights", "lookahead"]
