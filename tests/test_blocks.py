"""The run loop: no answer depends on how the work is cut up, who does it, or when it is finished."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import numpy as np
import pytest

import strategies
from simcore import blocks, results, scenario
from simcore.blocks import Plan, Watch, segments
from simcore.contract import EXPOSURES
from simcore.player import Player
from simcore.tally import Layout, Tally
from support import SCENARIOS, sampled

DUEL = """\
game: hate-to-kill-you
seats:
  - {strategy: greedy, character: inigo}
  - {strategy: random, character: man-in-black}
seed: 5
"""


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return load(tmp_path_factory, DUEL)


@pytest.fixture(scope="module")
def rotated(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return load(tmp_path_factory, DUEL + "rotate: true\n")


def load(factory: pytest.TempPathFactory, text: str) -> Any:
    file = factory.mktemp("duel") / "duel.yaml"
    file.write_text(text, encoding="utf-8")
    return scenario.load(file, strategies)


def answer(found: Any, plan: Plan) -> str:
    """Return everything a run answers, except how long it took."""
    run = blocks.run(found.match, strategies, plan, Watch())
    summary = results.summary(found, run)
    tables = {name: table.write_csv() for name, table in results.tables(found, run).items()}
    del summary["timing"]
    return results.to_json([summary, tables])


@pytest.mark.parametrize("kind", ["duel", "rotated"])
def test_the_answer_is_the_same_for_any_jobs_backend_and_block_size(kind: str, request: pytest.FixtureRequest) -> None:
    found = request.getfixturevalue(kind)
    games = sampled(1500, 6000)
    expected = answer(found, Plan(games=games))
    for jobs, backend, block in (
        (1, "threading", 7),
        (2, "threading", 333),
        (7, "threading", 64),
        (16, "threading", 1),
    ):
        assert answer(found, Plan(games=games, jobs=jobs, backend=backend, block_deals=block)) == expected
    assert answer(found, Plan(games=games, jobs=2, backend="loky", block_deals=500)) == expected


def test_a_run_to_a_precision_stops_at_the_same_look_for_any_jobs(duel: Any) -> None:
    plans = [Plan(precision=2.0, jobs=jobs, block_deals=block) for jobs, block in ((1, 4096), (3, 100))]
    first, second = (json.loads(answer(duel, plan))[0] for plan in plans)
    assert first == second
    assert first["stop"]["reason"] == "precision"
    assert first["stop"]["reached"] <= first["stop"]["target"] == 2.0
    assert first["games"] in itertools.takewhile(lambda n: n < 10**6, looks_of(duel))


def looks_of(found: Any) -> Any:
    return blocks.looks(len(found.match.rotations), first=blocks.first_look(0.02, blocks.CONFIDENCE))


def test_the_first_games_of_a_long_run_are_a_short_run(duel: Any) -> None:
    kept: list[Any] = []
    blocks.run(duel.match, strategies, Plan(games=3000, jobs=2), Watch(rows=lambda first, rows: kept.append(rows)))
    short: list[Any] = []
    blocks.run(duel.match, strategies, Plan(games=1001), Watch(rows=lambda first, rows: short.append(rows)))
    assert np.array_equal(np.concatenate(kept)[:1001], np.concatenate(short))


def test_tasks_that_finish_in_another_order_change_nothing(duel: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """B9: answers are taken in the order of the games, whatever the order they come in."""
    expected = answer(duel, Plan(games=5000))

    class Shuffled:
        """Finishes all tasks in a random order, hands the answers out in order, as joblib does."""

        def __init__(self, **options: Any) -> None:
            assert options["return_as"] == "generator"

        def __enter__(self) -> Shuffled:
            return self

        def __exit__(self, *error: object) -> None:
            pass

        def __call__(self, calls: Any) -> Any:
            todo = list(enumerate(calls))
            random.Random(3).shuffle(todo)
            done = {place: function(*args, **kwargs) for place, (function, args, kwargs) in todo}
            yield from (done[place] for place in sorted(done))

    monkeypatch.setattr("joblib.Parallel", Shuffled)
    assert answer(duel, Plan(games=5000, block_deals=100)) == expected


def test_an_interrupted_run_keeps_the_finished_prefix(duel: Any) -> None:
    stops = iter([False] * 12 + [True] * 10_000)
    watch = Watch(interrupted=lambda: next(stops))
    run = blocks.run(duel.match, strategies, Plan(games=10**9, block_deals=200), watch)
    assert run.reason == "interrupted"
    assert 0 < run.tally.games < 10**9
    again = blocks.run(duel.match, strategies, Plan(games=run.tally.games), Watch())
    assert again.tally.share_sums(0) == run.tally.share_sums(0)
    assert run.looks[-1].games == run.tally.games


def test_a_time_limit_stops_at_finished_blocks(duel: Any) -> None:
    run = blocks.run(duel.match, strategies, Plan(games=10**9, max_time=0.3), Watch())
    assert run.reason == "max-time"
    assert run.unit == "games"
    assert 0 < run.reached < run.target == 10**9


def test_an_all_wins_stream_does_not_stop_at_the_first_look() -> None:
    """B6a: one-sided results are no precision yet; checked on the interval that the stop rule uses."""
    low, high = blocks.share_interval(1000, 60_000, 3_600_000, 1, 0.95)
    assert high == 1.0
    assert high - low > 0.005


@pytest.mark.parametrize(("first", "end", "block"), [(0, 10, 3), (4, 11, 5), (7, 7, 2), (0, 5, 100)])
def test_segments_cover_the_games_once_and_are_cut_at_blocks(first: int, end: int, block: int) -> None:
    parts = list(segments(first, end, block))
    assert [game for start, stop in parts for game in range(start, stop)] == list(range(first, end))
    assert all(start // block == (stop - 1) // block for start, stop in parts)


@pytest.mark.parametrize("kind", ["duel", "rotated"])
def test_a_tally_counts_what_the_rows_say(kind: str, request: pytest.FixtureRequest) -> None:
    """Every count of a tally, added up again in plain Python from kept rows."""
    found = request.getfixturevalue(kind)
    kept: list[Any] = []
    run = blocks.run(found.match, strategies, Plan(games=2000), Watch(rows=lambda first, rows: kept.append(rows)))
    table = results.game_table(found, 0, np.concatenate(kept))
    tally = run.tally
    for name in ("turns", "rounds", "decisions", "seconds", "ties", "margin", "hits.1", "hits.2", "bluffs.2"):
        values = table[name].to_list()
        assert tally.histogram(name) == sorted((v, values.count(v)) for v in set(values)), name
        deals = [values[i : i + tally.rotations] for i in range(0, 2000, tally.rotations)]
        assert tally.deal_sums(name) == (sum(values), sum(sum(deal) ** 2 for deal in deals)), name
    for side in range(2):
        won = [round(60 * share) for share in table[f"won.{side + 1}"].to_list()]
        deals = [won[i : i + tally.rotations] for i in range(0, 2000, tally.rotations)]
        assert tally.share_sums(side) == (sum(won), sum(sum(deal) ** 2 for deal in deals))
        assert next(itertools.islice(tally.won(), side, None)) == (won.count(60), sum(0 < w < 60 for w in won))
    leads = [
        sum(round(60 * (a - b)) for a, b in zip(*pair, strict=True))
        for pair in zip(*(np.array(table[f"won.{s}"]).reshape(-1, tally.rotations) for s in (1, 2)), strict=True)
    ]
    assert tally.lead_sums(0, 1) == (sum(leads), sum(lead**2 for lead in leads))
    rounds = table["rounds"].to_list()
    assert tally.examples == {value: rounds.index(value) for value in set(rounds)}


def test_a_kept_row_has_nothing_where_a_number_does_not_apply() -> None:
    file = SCENARIOS / "field-guide" / "four-at-random.yaml"
    found = scenario.load(file, strategies, overrides=[("rules.round_cap", "1")])
    player = Player(found.match, strategies)
    table = results.game_table(found, 0, player.play(0, 50))
    summary = results.summary(found, blocks.run(found.match, strategies, Plan(games=50), Watch()))
    for name, metric in summary["metrics"].items():
        assert table[name].null_count() == metric.get("absent", 0)
    assert table["found_round"].null_count() > 0


def test_a_tally_counts_who_had_what_as_the_rows_say() -> None:
    found = scenario.load(SCENARIOS / "as-you-wish" / "three-players.yaml", strategies)
    kept: list[Any] = []
    run = blocks.run(found.match, strategies, Plan(games=900), Watch(rows=lambda first, rows: kept.append(rows)))
    assert len(found.match.exposed) == 86
    for number, exposed in enumerate(found.match.exposed):
        assert run.tally.exposed_sums(number) == sums_of(exposed, np.concatenate(kept), run.tally.rotations)


def sums_of(exposed: Any, rows: Any, rotations: int) -> dict[str, int]:
    """Return how often a component was had, and won with, from rows: sums and squares over deals."""
    word, bit = divmod(exposed.bit, 32)
    had = rows["exposed"][:, :, EXPOSURES.index(exposed.exposure), word].astype(np.int64) >> bit & 1
    won = rows["winners"][:, None] >> np.arange(had.shape[1]) & 1
    gains = had * won * 60 // np.maximum(won.sum(axis=1, keepdims=True), 1)
    n, g = (each.sum(axis=1).reshape(-1, rotations).sum(axis=1) for each in (had, gains))
    sums = {"times": n, "gain": g, "times_squared": n * n, "times_gain": n * g, "gain_squared": g * g}
    return {name: int(values.sum()) for name, values in sums.items()}


def test_merging_tallies_in_any_order_is_the_same(rotated: Any) -> None:
    player = Player(rotated.match, strategies)
    layout = Layout.of(rotated.game, rotated.match)

    def part(first: int, games: int) -> Tally:
        tally = Tally(layout)
        tally.count(player.play(first, games), first)
        return tally

    whole = part(0, 600)
    for order in itertools.permutations([(0, 100), (100, 300), (400, 200)]):
        merged = Tally(layout)
        for first, games in order:
            merged.add(part(first, games))
        assert merged.histogram("rounds") == whole.histogram("rounds")
        assert merged.deal_sums("turns") == whole.deal_sums("turns")
        assert merged.lead_sums(0, 1) == whole.lead_sums(0, 1)
        assert merged.examples == whole.examples


def test_values_outside_the_counted_width_are_kept(duel: Any) -> None:
    layout = Layout.of(duel.game, duel.match)
    tally = Tally(layout)
    rows = np.zeros(3, duel.game.outcome)
    rows["turns"] = [5000, -3, 7]
    rows["ties"] = [np.iinfo(np.int32).min, 1, 1]
    tally.count(rows, 0)
    assert tally.histogram("turns") == [(-3, 1), (7, 1), (5000, 1)]
    assert tally.histogram("ties") == [(1, 2)]
    assert tally.absent("ties") == 1


def test_equal_deals_with_the_seats_exchanged_are_told_apart_by_rotation(rotated: Any) -> None:
    run = blocks.run(rotated.match, strategies, Plan(games=4000), Watch())
    seats = results.summary(rotated, run)["seats"]
    assert seats["separable"]
    assert sum(seat["rate"] for seat in seats["seats"]) == pytest.approx(1)
    for seat in seats["seats"]:  # simultaneous play: the chair itself can give no advantage
        assert seat["low"] <= 0.5 <= seat["high"]
