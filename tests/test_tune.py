"""Searches for weights and races: known best answers, deals nobody saw, and who stops early and why."""

from __future__ import annotations

import csv
import io
import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import cli
import strategies
from commands.playing import Crew, Work
from reports import analysis, tuned
from simcore import race, tune
from simcore.blocks import Odds, Plan, Start, Watch
from simcore.blocks import answer as play
from simcore.errors import InputError
from simcore.player import Player
from simcore.race import beaten, reasons, stages
from simcore.scenario import Scenario
from support import ROOT, SCENARIOS, scaled

TOY = ROOT / "tests" / "toys" / "rock-paper-scissors.yaml"
ROCK = ["--set", "seats.1.strategy=weights", "--set", "seats.1.params={weights: {rock: 1}}"]


def run(*words: str, code: int = 0) -> str:
    """Run `balance` in this process; return what it prints."""
    result = CliRunner().invoke(cli.app, list(words))
    assert result.exit_code == code, result.output + str(result.exception)
    return result.stdout


@pytest.fixture(scope="module")
def answer() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("tune", str(TOY), "--seat", "1", *ROCK, "--budget", "10000", "--json"))
    return found


def test_the_best_answer_to_rock_is_found_and_worth_half_a_win(answer: dict[str, Any]) -> None:
    found = answer["exploitability"]
    assert (found["given"], found["found"], found["estimate"]) == (0.5, 1.0, 0.5)
    assert answer["verdict"] == "exploitable"
    weights = {row["feature"]: row["found"] for row in answer["weights"]}
    assert max(weights, key=lambda name: weights[name]) == "paper"
    assert answer["games"] <= 10_000


def test_who_plays_the_best_answer_already_is_not_exploited() -> None:
    words = ["--set", "seats.1.strategy=weights", "--set", "seats.1.params={weights: {paper: 1}}"]
    found = json.loads(run("tune", str(TOY), "--seat", "1", *words, "--budget", "10000", "--json", code=3))
    assert found["verdict"] != "exploitable"
    assert found["exploitability"]["estimate"] in (None, 0)


def test_the_validation_is_what_compare_says_and_its_deals_are_others(answer: dict[str, Any]) -> None:
    words = shlex.split(answer["exploitability"]["command"])
    effects = json.loads(run(*words[1:], "--json"))["effects"]
    row = next(each for each in effects if each["quantity"] == "side.1")
    assert row["difference"] == answer["exploitability"]["estimate"]
    assert row["low"] == pytest.approx(answer["exploitability"]["low"])
    numbers = range(tune.GENERATION_SEED + 100)
    assert len({tune.fresh_seed(1, number) for number in numbers} | {1}) == len(numbers) + 1


def test_a_candidate_is_the_scenario_with_its_weights(load_scenario: Callable[..., Scenario]) -> None:
    given = load_scenario(SCENARIOS / "hate-to-kill-you" / "player-in-numbers.yaml")
    begin = tune.start(given, 1)
    weights = [0.5 * i - 1 for i in range(len(begin.mean))]
    match = tune.with_weights(given, begin, weights, given.match.seed, strategies)
    changes = [(path, value) for path, _, value in (text.partition("=") for text in begin.overrides(weights))]
    loaded = load_scenario(SCENARIOS / "hate-to-kill-you" / "player-in-numbers.yaml", changes).match
    assert match.strategies == loaded.strategies
    assert np.array_equal(match.params, loaded.params)
    assert begin.is_given and begin.params(begin.mean)["weights"]["bluff_when_ahead"] == 2


def test_our_normal_numbers_are_normal_and_leave_those_of_numpy_alone() -> None:
    before = np.random.get_state()[1].tolist()
    drawn = tune.Normals(7)(200, 20)
    assert abs(drawn.mean()) < 5 / 4000**0.5
    assert abs(drawn.var() - 1) < 5 * (2 / 4000) ** 0.5
    assert np.random.get_state()[1].tolist() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [(["--seat", "3"], "expected 1 to 2"), (["--seat", "1", "--budget", "500"], "at least 10,000 games")],
)
def test_what_cannot_be_searched_for_is_said(words: list[str], message: str) -> None:
    result = CliRunner().invoke(cli.app, ["tune", str(TOY), *words])
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)


def test_a_search_in_every_format(answer: dict[str, Any], tmp_path: Path) -> None:
    rows = list(csv.DictReader(analysis.to_csv(tuned.page(answer)).splitlines()))
    assert len(rows) == 1 + 3 + len(answer["generations"]) + len(answer["finalists"])
    page = tuned.page(answer)
    text = analysis.to_terminal(page, ascii=True)
    assert text.isascii()
    assert max(len(line) for line in text.splitlines() if "balance compare" not in line) <= 80
    assert "strategy: weights" in analysis.to_markdown(page)
    directory = tmp_path / "out"
    run("tune", str(TOY), "--seat", "2", "--budget", "10000", "-o", str(directory))
    before = (directory / "report.html").read_text(encoding="utf-8")
    run("report", str(directory))
    assert (directory / "report.html").read_text(encoding="utf-8") == before


# ---------------------------------------------------------------- races


def test_who_is_certainly_worse_is_out_and_nobody_else() -> None:
    spans = [(0.5, 0.6), (0.1, 0.4), (0.3, 0.7), (0.0, 0.2)]
    assert beaten(spans) == [False, True, False, True]
    assert beaten(spans, keep=2) == [False, False, False, True]
    assert reasons(["a", "b", "c", "d"], spans)[1] == "cannot be the best any more: a is certainly better"
    assert stages(100, 700) == [100, 200, 400, 700]
    assert stages(5, 20, 3) == [6, 12, 21]


def test_a_run_that_is_played_on_is_the_run_played_at_once(
    load_scenario: Callable[..., Scenario], player_of: Callable[[Scenario], Player]
) -> None:
    match = load_scenario(SCENARIOS / "hate-to-kill-you" / "skill-or-luck.yaml").match
    question = Odds(match, 0.01)
    few, many = scaled(1000, 50), scaled(2400, 50)
    first = play(question, strategies, Plan(budget=few), Watch())
    assert first.reason == "budget"
    on = play(question, strategies, Plan(budget=many), Watch(), start=Start(first.tally, first.looks, first.seconds))
    once = play(question, strategies, Plan(budget=many), Watch())
    assert on.tally.games == once.tally.games == -(-many // 2) * 2
    assert np.array_equal(on.tally.winners, once.tally.winners)
    assert on.tally.histogram("rounds") == once.tally.histogram("rounds")
    assert on.tally.share_sums(0) == once.tally.share_sums(0)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, str]]:
    """Return what a terminal is told of how far an analysis is."""
    found: list[tuple[int, int, str]] = []
    monkeypatch.setattr(Work, "show", lambda self, done, of, what="runs": found.append((done, of, what)))
    return found


def test_races_and_searches_say_how_far_they_are(shown: list[tuple[int, int, str]]) -> None:
    run("matrix", "hate-to-kill-you/skill-or-luck", "--strategies", "random,patient", "--race", "--budget", "20000")
    done = [part for part, _, _ in shown]
    assert {(of, what) for _, of, what in shown} == {(4, "runs")} and done == sorted(done) and done[-1] > 0
    shown.clear()
    run("tune", str(TOY), *ROCK, "--seat", "1", "--budget", "10000")
    done = [part for part, _, _ in shown]
    assert {(of, what) for _, of, what in shown} == {(10_000, "games")} and done == sorted(done) and done[-1] > 5000


def test_progress_leaves_nothing_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stderr", Terminal())
    work = Crew().begin()
    work.hide()
    work.show(1, 1200)
    work.hide()
    assert sys.stderr.getvalue() == "\r\x1b[K1 of 1,200 runs done\r\x1b[K"  # type: ignore[attr-defined]


def test_points_that_cannot_be_nearest_stop_early_and_say_why() -> None:
    words = ["sweep", "hate-to-kill-you/skill-or-luck", "--over", "rules.hits_to_win=2..6", "--budget", "40000"]
    found = json.loads(run(*words, "--target", "rounds = 12", "--precision", "0.2", "--json", "--seed", "1", code=3))
    early = [point for point in found["points"] if point["why"]]
    assert early and len(early) < 5
    nearest = next(point for point in found["points"] if point["values"] == found["target"]["nearest"])
    assert nearest["why"] is None
    for point in early:
        assert point["stop"]["reason"] == "beaten"
        assert point["games"] < nearest["games"]
        assert "certainly better" in point["why"]


def test_strategies_that_cannot_win_most_stop_early_and_say_why() -> None:
    words = ["matrix", "hate-to-kill-you/skill-or-luck", "--strategies", "random,greedy,patient", "--race"]
    found = json.loads(run(*words, "--budget", "60000", "--seed", "1", "--json"))
    why = {(cell["row"], cell["column"]): cell["why"] for cell in found["cells"]}
    assert why["patient", "patient"] is None
    assert all("patient is certainly better" in why[pair] for pair in why if "random" in pair)
    assert found["games"] < 60_000
    assert race.reasons(["a"], [(0.0, 1.0)]) == [""]


def test_a_search_without_time_says_nothing_of_weights() -> None:
    answer = {"player": "Anna", "verdict": "nothing-better", "games": 0}
    assert tuned._headline(answer) == "The time was up before any game was played."
    assert tuned._headline({**answer, "games": 2}) == "Nothing better than Anna as given was found in this budget."
