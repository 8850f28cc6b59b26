"""Games worth a look: against a plain recount of who led when, and every command really tells its game."""

from __future__ import annotations

import csv
import itertools
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cli
from reports import analysis, explained
from simcore.course import Follower
from simcore.player import Player
from simcore.scenario import Scenario
from support import scaled

DUEL: dict[str, Any] = {
    "game": "hate-to-kill-you",
    "seats": [
        {"strategy": "greedy", "character": "inigo", "label": "Inigo"},
        {"strategy": "random", "character": "man-in-black", "label": "The Man"},
    ],
    "rotate": True,
    "seed": 5,
}
GAMES = scaled(400, 20)


def run(*words: str) -> str:
    """Run `balance` in this process; return what it prints."""
    result = CliRunner().invoke(cli.app, list(words))
    assert result.exit_code == 0, result.output + str(result.exception)
    return result.stdout


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("duel") / "duel.yaml"
    file.write_text(json.dumps(DUEL), encoding="utf-8")
    return str(file)


@pytest.fixture(scope="module")
def answer(duel: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("explain", duel, "--games", str(GAMES), "--json"))
    return found


def recounted(player: Player, index: int) -> tuple[list[list[float]], Any]:
    """Return the leads of the seated sides after set-up, after each turn and at the end, by plain stepping."""
    follower = Follower(player)
    leads, turn, last = [], None, None
    for state, _, _ in follower.steps(index):
        if turn is None or int(state.play.turns) != turn:
            leads.append([float(player.game.tools.lead(state, side)) for side in range(len(follower.sides))])
        turn, last = int(state.play.turns), state
    assert last is not None and last.play.over
    return [*leads, [float(player.game.tools.lead(last, side)) for side in range(len(follower.sides))]], last


def test_a_course_is_what_plain_stepping_sees(
    load_scenario: Callable[..., Scenario], player_of: Callable[[Scenario], Player]
) -> None:
    player = player_of(load_scenario(DUEL))
    follower = Follower(player)
    for index in range(scaled(60, 10)):
        leads, _ = recounted(player, index)
        course = follower.course(index)
        ahead = [row.index(max(row)) for row in leads if max(row) > 1e-9]
        assert course.changes == sum(a != b for a, b in itertools.pairwise(ahead))
        rises = [
            row[side] - min(early[side] for early in leads[: i + 1]) for side in (0, 1) for i, row in enumerate(leads)
        ]
        assert course.swing == pytest.approx(max(rises))
        winner = int(player.play(index // 2 * 2, 2)["winners"][index % 2]) - 1
        if winner in (0, 1):
            assert course.margin == pytest.approx(leads[-2][winner])
            assert course.behind == pytest.approx(min(row[winner] for row in leads))
        _, told = follower.leads(index)
        order = player.match.rotations[index % 2]
        assert [row[1:] for row in told] == [[row[order.index(0)], row[order.index(1)]] for row in leads]


def test_the_shortest_the_longest_and_the_largest_are_named(
    answer: dict[str, Any], load_scenario: Callable[..., Scenario], player_of: Callable[[Scenario], Player]
) -> None:
    player = player_of(load_scenario(DUEL))
    rounds = player.play(0, GAMES)["rounds"]
    follower = Follower(player)
    courses = [follower.course(index) for index in range(GAMES)]
    first = {row["kind"]: row for row in reversed(answer["explained"])}
    assert first["shortest"]["rounds"] == rounds.min()
    assert first["longest"]["rounds"] == rounds.max()
    assert first["swing"]["swing"] == pytest.approx(max(course.swing for course in courses))
    assert first["typical"]["rounds"] == sorted(rounds.tolist())[(GAMES - 1) // 2]
    games = [row["game"] for row in answer["explained"]]
    assert len(set(games)) == len(games)
    changes = [course.changes for course in courses]
    assert answer["course"]["lead_changes"] == pytest.approx(sum(changes) / GAMES)
    assert answer["course"]["lead_changes_low"] < answer["course"]["lead_changes"]


def test_every_command_tells_the_game_it_promises(answer: dict[str, Any]) -> None:
    for row in answer["explained"]:
        words = shlex.split(row["command"])
        assert words[:2] == ["balance", "trace"]
        told = json.loads(run(*words[1:], "--json"))
        assert told["game"] == row["game"]
        assert (told["outcome"]["rounds"], told["outcome"]["turns"]) == (row["rounds"], row["turns"])


def test_an_unfinished_game_is_won_by_nobody_and_lost_to_nobody(duel: str) -> None:
    # "the book wins (round cap)" was told of a cooperative table that ran out of rounds.
    answer = json.loads(
        run("explain", "adventure-book/one-player", "--set", "rules.round_cap=2", "--games", "20", "--json")
    )
    assert {row["unfinished"] for row in answer["explained"]} == {True}
    page = explained.page(answer)
    assert page.headline == "A typical game is number 0: unfinished (round cap) after 2 rounds."
    assert {row[3] for row in page.tables[0].rows} == {"unfinished"}


def test_nothing_depends_on_jobs(duel: str, answer: dict[str, Any]) -> None:
    words = ["--games", str(GAMES), "--json"]
    for more in (["--jobs", "1"], ["--jobs", "2", "--backend", "processes"]):
        found = json.loads(run("explain", duel, *words, *more))
        assert {**found, "timing": None} == {**answer, "timing": None}


def test_explain_in_every_format(answer: dict[str, Any], duel: str, tmp_path: Path) -> None:
    assert len(list(csv.DictReader(analysis.to_csv(explained.page(answer)).splitlines()))) == len(answer["explained"])
    page = explained.page(answer)
    text = analysis.to_terminal(page, ascii=True)
    assert text.isascii()
    commands = [row["command"] for row in answer["explained"]]
    assert max(len(line) for line in text.splitlines() if duel not in line) <= 80
    for command in commands:
        assert command in text and command in analysis.to_markdown(page)
    directory = tmp_path / "out"
    run("explain", duel, "--budget", "100", "--each", "1", "-o", str(directory))
    assert {file.name for file in directory.iterdir()} == {"explain.json", "report.html", "plots", "tables"}
    before = (directory / "report.html").read_text(encoding="utf-8")
    run("report", str(directory))
    assert (directory / "report.html").read_text(encoding="utf-8") == before
