"""Messages, exit codes and the way back from a worker process of every error."""

import pickle

import pytest

from simcore.errors import (
    BalanceError,
    GameError,
    IllegalActionError,
    InputError,
    MachineError,
    Problem,
    ResultsError,
    StuckGameError,
    suggest,
)

NAMES = ["cautious", "random", "Rusher"]


@pytest.mark.parametrize(
    ("problem", "shown"),
    [
        (Problem("duel.yaml", 14, 12, "got -1"), "duel.yaml:14:12: got -1"),
        (Problem("duel.yaml", 14, None, "got -1"), "duel.yaml:14: got -1"),
        (Problem("--set rules.cap", None, None, "got -1"), "--set rules.cap: got -1"),
    ],
)
def test_a_problem_prints_as_much_of_its_place_as_it_has(problem: Problem, shown: str) -> None:
    assert str(problem) == shown


def test_an_input_error_prints_one_line_for_each_problem() -> None:
    error = InputError([Problem("a.yaml", 1, 2, "first"), Problem("a.yaml", 3, 4, "second")])
    assert str(error) == "a.yaml:1:2: first\na.yaml:3:4: second"
    assert InputError.of("a.yaml", "no such file").problems == [Problem("a.yaml", None, None, "no such file")]


# design page, "Exit codes"
@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError, 2),
        (ResultsError, 2),
        (MachineError, 4),
        (IllegalActionError, 70),
        (StuckGameError, 70),
        (BalanceError, 70),
    ],
)
def test_exit_codes_are_those_of_the_manual(error: type[BalanceError], code: int) -> None:
    assert error.exit_code == code
    assert issubclass(error, BalanceError)


def test_a_game_error_ends_with_the_command_that_replays_the_game() -> None:
    error = StuckGameError("nothing is legal for seat 1", "duel.yaml", 9, 4711, 3)
    assert str(error) == (
        "nothing is legal for seat 1 (duel.yaml, seed 9, game 4711, turn 3)\n"
        "replay: balance trace duel.yaml --seed 9 --game 4711"
    )


@pytest.mark.parametrize(
    "error",
    [
        InputError([Problem("a.yaml", 1, 2, "wrong")]),
        StuckGameError("nothing is legal", "duel", 9, 88, 3),
        IllegalActionError("7 was not offered", "duel", 9, 88, 3),
        ResultsError("no manifest"),
        MachineError("disk full"),
    ],
)
def test_errors_survive_the_way_back_from_a_worker_process(error: BalanceError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    if isinstance(copy, GameError):
        assert (copy.scenario, copy.seed, copy.game, copy.turn) == ("duel", 9, 88, 3)


@pytest.mark.parametrize(
    ("word", "known", "ending"),
    [
        ("rushher", NAMES, '; did you mean "Rusher"? (known: cautious, random, Rusher)'),
        ("RANDOM", NAMES, '; did you mean "random"? (known: cautious, random, Rusher)'),
        ("zzz", NAMES, "; known: cautious, random, Rusher"),
        ("zzz", [], ""),
        ("card-1x", [f"card-{number}" for number in range(20)], '; did you mean "card-1"?'),
        ("zzz", [f"card-{number}" for number in range(20)], ""),
        ("rusher" * 1000, NAMES, "; known: cautious, random, Rusher"),
    ],
)
def test_suggest_names_what_is_close_and_lists_what_is_short(word: str, known: list[str], ending: str) -> None:
    assert suggest(word, known) == ending
