"""How commands end: what an exit code says of an answer that was printed."""

from __future__ import annotations

import json
from itertools import count

import pytest
from typer.testing import CliRunner

import cli
from commands.ending import UNDECIDED
from commands.playing import Work
from simcore import ladder
from support import ROOT, SCENARIOS

TOY = str(ROOT / "tests" / "toys" / "rock-paper-scissors.yaml")
DUEL = "hate-to-kill-you/mirror-inigo"
ROCK = ("--set", "seats.1.strategy=weights", "--set", "seats.1.params={weights: {rock: 1}}")
LEAP = ("components", DUEL, "--only", "leap")


def code_of(*words: str) -> int:
    """Return the exit code of a command whose answer was printed."""
    result = CliRunner().invoke(cli.app, list(words))
    assert result.stdout, result.output + str(result.exception)
    return result.exit_code


@pytest.mark.parametrize(
    "words",
    [
        ("odds", DUEL, "--games", "400", "--precision", "0.5"),
        ("compare", DUEL, "--set", "rules.hits_to_win=4", "--budget", "400"),
        ("sweep", DUEL, "--over", "rules.hits_to_win=4,5", "--budget", "400"),
        ("sweep", DUEL, "--over", "rules.hits_to_win=4,5", "--target", "side.1 = 50%", "--budget", "400"),
        ("sensitivity", DUEL, "--only", "rules.hits_to_win", "--budget", "400"),
        ("matrix", TOY, "--strategies", "rock,random", "--budget", "400"),
        ("matrix", TOY, "--strategies", "rock,random", "--budget", "400", "--race"),
        (*LEAP, "--budget", "400"),
        ("ladder", TOY, "--levels", "random", "--budget", "400"),
    ],
)
def test_what_the_budget_ends_before_it_is_known_is_undecided(words: tuple[str, ...]) -> None:
    assert code_of(*words) == UNDECIDED


@pytest.mark.parametrize(
    "words",
    [
        ("odds", DUEL, "--games", "400"),
        ("compare", DUEL, "--set", "rules.hits_to_win=4", "--games", "400"),
        ("compare", DUEL, DUEL, "--budget", "400"),  # the same, so the difference is known to be none
        ("compare", DUEL, "--set", "rules.hits_to_win=2", "--on", "rounds", "--budget", "4000"),
        ("sweep", DUEL, "--over", "rules.hits_to_win=4,5", "--precision", "10", "--budget", "40000"),
        ("sensitivity", DUEL, "--only", "rules.hits_to_win", "--games", "400"),
        ("matrix", TOY, "--strategies", "rock,paper", "--precision", "20", "--budget", "40000"),
        (*LEAP, "--games", "400"),
        ("tune", TOY, "--seat", "1", *ROCK, "--budget", "10000"),  # a search spends what it is given
    ],
)
def test_what_is_known_or_was_played_as_planned_is_fine(words: tuple[str, ...]) -> None:
    assert code_of(*words) == 0


@pytest.mark.parametrize(
    ("asked", "code"), [((), 0), (("--precision", "0.5"), UNDECIDED), (("--budget", "200"), UNDECIDED)]
)
def test_a_level_that_plays_what_it_can_afford_is_short_of_a_precision_only_if_that_was_asked_for(
    asked: tuple[str, ...], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder, "MOVES", 1000)
    assert code_of("ladder", TOY, "--levels", "random", *asked) == code


@pytest.mark.parametrize("command", [("sweep", "--over", "rules.hits_to_win=2..9"), ("sensitivity", "--only", "rules")])
def test_runs_that_are_not_started_for_lack_of_time_are_undecided(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each run reaches its goal, and the clock passes the limit between two of them."""
    seconds = count()
    monkeypatch.setattr(Work, "seconds", property(lambda work: next(seconds)))
    monkeypatch.setattr(Work, "left", None)
    name, *rest = command
    goal = ["--precision", "20"] if name == "sweep" else ["--margin", "50"]
    assert code_of(name, DUEL, *rest, *goal, "--max-time", "3") == UNDECIDED


FILMS = "hate-to-kill-you/film-duel"


@pytest.mark.parametrize(
    "words",
    [
        ("compare", FILMS, "--set", "rules.hits_to_win=4", "--games", "2000"),
        ("check", str(SCENARIOS / "hate-to-kill-you" / "film-duel.yaml"), "--set", "rules.hits_to_win=4"),
        ("components", FILMS, "--only", "leap", "--budget", "4000"),
        pytest.param(
            ("sweep", FILMS, "--over", "rules.hits_to_win=4,5", "--target", "rounds = 8", "--budget", "4000"),
            marks=pytest.mark.slow,  # each stage of a race starts its processes
        ),
    ],
    ids=lambda words: words[0],
)
def test_an_answer_is_the_same_bytes_from_threads_and_from_processes(words: tuple[str, ...]) -> None:
    if words[0] == "check":
        words = (*words, "--budget", "4000", "--margin", "5")
    texts = []
    for backend in ("threads", "processes"):
        result = CliRunner().invoke(cli.app, [*words, "--json", "--backend", backend, "--jobs", "2"])
        answer = json.loads(result.stdout)
        assert answer["games"] and answer.pop("timing")
        texts.append(json.dumps(answer))
    assert texts[0] == texts[1]
