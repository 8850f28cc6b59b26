"""Levels of skill: each is what `odds` says of it, moves are counted, and actions are those of the games."""

from __future__ import annotations

import csv
import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cli
from reports import analysis, laddered
from simcore import ladder
from simcore.errors import InputError
from support import ROOT

TOY = str(ROOT / "tests" / "toys" / "rock-paper-scissors.yaml")


def run(*words: str, code: int = 0) -> str:
    """Run `balance` in this process; return what it prints."""
    result = CliRunner().invoke(cli.app, list(words))
    assert result.exit_code == code, result.output + str(result.exception)
    return result.stdout


@pytest.fixture(scope="module")
def answer() -> dict[str, Any]:
    words = ["--budget", "12000", "--rollouts", "8", "--seed", "3", "--json"]
    found: dict[str, Any] = json.loads(run("ladder", "hate-to-kill-you/film-duel", *words, code=3))
    return found


def test_a_level_is_what_odds_says_of_it(answer: dict[str, Any]) -> None:
    assert [each["level"] for each in answer["levels"]] == ["random", "scripted", "lookahead"]
    for each in answer["levels"]:
        odds = json.loads(run(*shlex.split(each["command"])[1:], "--json"))
        assert odds["games"] == each["games"]
        for mine, side in zip(each["sides"], odds["sides"], strict=True):
            assert (mine["rate"], mine["low"], mine["high"]) == (side["rate"], side["low"], side["high"])
        assert each["rounds"]["mean"] == odds["rounds"]["mean"]
        arm = max(max(s["rate"] - s["low"], s["high"] - s["rate"]) for s in odds["sides"])
        assert each["precision"] == pytest.approx(100 * arm)  # stated, and what the games gave
    assert {each["stop"]["reason"] for each in answer["levels"]} == {"budget"}
    assert answer["games"] <= 12_000


def test_a_look_ahead_can_afford_fewer_games(answer: dict[str, Any]) -> None:
    at_random, scripted, ahead = (each["affordable"] for each in answer["levels"])
    assert at_random == scripted > 100 * ahead
    assert [each["strategies"][0] for each in answer["levels"]] == ["random", "patient", "lookahead"]


def test_what_strategies_do_is_counted() -> None:
    found = json.loads(run("ladder", TOY, "--levels", "random,scripted,paper", "--budget", "3000", "--json", code=3))
    levels = {each["level"]: each for each in found["levels"]}
    assert [(row["action"], row["share"], row["per_game"]) for row in levels["scripted"]["actions"]] == [("rock", 1, 1)]
    assert [row["action"] for row in levels["paper"]["actions"]] == ["paper"]
    shares = {row["action"]: row["share"] for row in levels["random"]["actions"]}
    assert sum(shares.values()) == pytest.approx(1)
    n = 2 * levels["random"]["acted"]
    assert all(abs(share - 1 / 3) < 5 * (2 / 9 / n) ** 0.5 for share in shares.values())
    assert found["moved"] == []  # a game of one kind of player is even at every level
    assert levels["paper"]["course"]["lead_changes"] == 0


def test_levels_that_certainly_differ_are_named() -> None:
    def level(name: str, low: float, high: float) -> dict[str, Any]:
        return {"level": name, "sides": [{"side": 1, "simultaneous": {"low": low, "high": high}}]}

    found = ladder.moved([level("a", 0.1, 0.3), level("b", 0.2, 0.5), level("c", 0.4, 0.6)])
    assert found == [{"side": 1, "less": "a", "more": "c"}]


@pytest.mark.parametrize(
    ("levels", "message"),
    [("random,random", "given twice"), ("random,", "is missing"), ("pappr", 'did you mean "paper"?')],
)
def test_wrong_levels_are_one_line(levels: str, message: str) -> None:
    result = CliRunner().invoke(cli.app, ["ladder", TOY, "--levels", levels])
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)


def test_a_ladder_in_every_format(answer: dict[str, Any], tmp_path: Path) -> None:
    rows = list(csv.DictReader(analysis.to_csv(laddered.page(answer)).splitlines()))
    assert {row["level"] for row in rows} == {"random", "scripted", "lookahead"}
    page = laddered.page(answer)
    text = analysis.to_terminal(page, ascii=True)
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 80
    assert "What strategies do" in analysis.to_markdown(page)
    directory = tmp_path / "out"
    run("ladder", TOY, "--budget", "3000", "-o", str(directory), code=3)
    assert {file.name for file in directory.iterdir()} == {"ladder.json", "report.html", "plots", "tables"}
    before = (directory / "report.html").read_text(encoding="utf-8")
    run("report", str(directory))
    assert (directory / "report.html").read_text(encoding="utf-8") == before


def test_the_headline_tells_no_share_that_is_hardly_known(answer: dict[str, Any]) -> None:
    random, scripted, ahead = ({**each, "precision": 0.5} for each in answer["levels"])
    found = {**answer, "moved": [{"side": 1, "less": "random", "more": "scripted"}]}
    rates = [f"{100 * each['sides'][0]['rate']:.1f} %" for each in (random, scripted, ahead)]
    told = laddered.page({**found, "levels": [random, scripted, ahead]}).headline
    assert all(rate in told for rate in rates)
    told = laddered.page({**found, "levels": [random, scripted, {**ahead, "precision": 50.0}]}).headline
    assert told.endswith(f"wins {rates[0]} at random, {rates[1]} scripted; look-ahead: too few games to say.")
    rough = [{**each, "precision": 20.0} for each in (random, scripted)]  # and yet certainly different
    told = laddered.page({**found, "levels": rough}).headline
    assert told.endswith(f"wins {rates[0]} at random, {rates[1]} scripted.")


def test_of_one_level_nobody_is_said_to_win_most_who_may_not(answer: dict[str, Any]) -> None:
    level = answer["levels"][0]
    sides = [
        {**side, "rate": rate, "simultaneous": {"low": rate - 0.1, "high": rate + 0.1}}
        for side, rate in zip(level["sides"], (0.45, 0.55), strict=True)
    ]
    told = laddered.page({**answer, "moved": [], "levels": [{**level, "sides": sides}]}).headline
    assert told == "At random, no side certainly wins more than the others."
    sides[1]["simultaneous"]["low"] = 0.551
    sides[0]["simultaneous"]["high"] = 0.55
    told = laddered.page({**answer, "moved": [], "levels": [{**level, "sides": sides}]}).headline
    assert told == f"{sides[1]['label']} wins most: 55.0 %."
