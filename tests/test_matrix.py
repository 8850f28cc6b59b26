"""Matrices of strategies: cells against `odds`, known equilibria, cycles, and every format."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cli
from reports import analysis, matrixed
from simcore import matrix
from simcore.errors import InputError
from simcore.matrix import cycles, equilibrium
from support import ROOT

DUEL: dict[str, Any] = {
    "game": "hate-to-kill-you",
    "seats": [
        {"strategy": "lookahead", "character": "inigo", "params": {"rollouts": 2}, "label": "Inigo"},
        {"strategy": "random", "character": "man-in-black", "label": "The Man"},
    ],
    "rotate": True,
    "seed": 5,
}


def run(*words: str, code: int = 0) -> str:
    """Run `balance` in this process; return what it prints."""
    result = CliRunner().invoke(cli.app, list(words))
    assert result.exit_code == code, result.output + str(result.exception)
    return result.stdout


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("duel") / "duel.yaml"
    file.write_text(json.dumps(DUEL), encoding="utf-8")
    return str(file)


@pytest.fixture(scope="module")
def answer(duel: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        run("matrix", duel, "--strategies", "random,patient", "--games", "2000", "--json")
    )
    return found


def test_a_cell_is_what_odds_says_of_its_pairing(answer: dict[str, Any], duel: str) -> None:
    sets = ["--set", "seats.1.strategy=patient", "--set", "seats.1.params={}", "--set", "seats.2.strategy=random"]
    odds = json.loads(run("odds", duel, *sets, "--games", "2000", "--json"))
    cell = next(each for each in answer["cells"] if (each["row"], each["column"]) == ("patient", "random"))
    side = odds["sides"][0]
    assert (cell["wins"], cell["rate"], cell["low"], cell["high"]) == tuple(
        side[key] for key in ("wins", "rate", "low", "high")
    )
    assert cell["losses"] == odds["sides"][1]["wins"]
    assert cell["inputs"] == odds["digest"]["inputs"]
    for each in answer["cells"]:
        assert each["wins"] + each["tied"] + each["losses"] + each["nobody"] + each["unfinished"] == each["games"]


def test_ratings_are_the_averages_of_the_cells(answer: dict[str, Any]) -> None:
    rate = {(each["row"], each["column"]): each["rate"] for each in answer["cells"]}
    found = {row["strategy"]: row["rate"] for row in answer["ratings"]}
    assert found["patient"] == pytest.approx((rate["patient", "random"] + 1 - rate["random", "patient"]) / 2)
    assert found["patient"] + found["random"] == pytest.approx(1)
    assert [row["strategy"] for row in answer["ratings"]] == ["patient", "random"]


def test_what_is_certainly_worse_is_named(answer: dict[str, Any]) -> None:
    assert {"side": 1, "strategy": "random", "by": "patient"} in answer["dominated"]
    assert answer["best"]["side 1"] == {"random": "patient", "patient": "patient"}
    assert answer["equilibrium"]["side 1"] == pytest.approx([0, 1])


def test_rock_paper_scissors_has_its_equilibrium_and_its_cycle() -> None:
    found = equilibrium([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert found is not None
    assert found["side 1"] == pytest.approx([1 / 3] * 3)
    assert found["side 2"] == pytest.approx([1 / 3] * 3)
    assert found["value"] == pytest.approx(0, abs=1e-9)
    assert cycles({"rock": {"scissors"}, "paper": {"rock"}, "scissors": {"paper"}}) == [["rock", "scissors", "paper"]]
    assert cycles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_the_equilibrium_of_a_toy_game_that_is_played_is_a_third_each() -> None:
    toy = str(ROOT / "tests" / "toys" / "rock-paper-scissors.yaml")
    found = json.loads(run("matrix", toy, "--strategies", "rock,paper,scissors", "--games", "200", "--json"))
    for side in ("side 1", "side 2"):
        assert found["equilibrium"][side] == pytest.approx([1 / 3] * 3)
    assert found["equilibrium"]["value"] == pytest.approx(0, abs=1e-9)
    assert found["cycles"] == [["rock", "scissors", "paper"]]
    assert all(row["elo_low"] < 0 < row["elo_high"] for row in found["ratings"])


def test_an_unequal_game_has_its_known_value() -> None:
    # Matching pennies in which heads pays double: each shows heads two times in five.
    found = equilibrium([[2, -1], [-1, 1]])
    assert found is not None
    assert found["side 1"] == pytest.approx([2 / 5, 3 / 5])
    assert found["side 2"] == pytest.approx([2 / 5, 3 / 5])
    assert found["value"] == pytest.approx(1 / 5)


def test_more_seats_are_taken_apart_seat_by_seat(load_scenario: Any) -> None:
    table = load_scenario({"game": "as-you-wish", "seats": [{"strategy": "greedy"}] * 3, "seed": 1})
    found = matrix.cells(table, ["random", "denier"])
    assert [(cell.row, cell.column) for cell in found] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    assert found[3].overrides == (("seats.2.strategy", "denier"),)


def test_a_matrix_in_every_format(answer: dict[str, Any], duel: str, tmp_path: Path) -> None:
    assert len(list(csv.DictReader(analysis.to_csv(matrixed.page(answer)).splitlines()))) == 4
    page = matrixed.page(answer)
    text = analysis.to_terminal(page, ascii=True)
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 80
    assert "Every pairing" in analysis.to_markdown(page)
    directory = tmp_path / "out"
    run("matrix", duel, "--strategies", "random,patient", "--budget", "2000", "-o", str(directory), code=3)
    assert {file.name for file in directory.iterdir()} == {"matrix.json", "report.html", "plots", "tables"}
    written = json.loads((directory / "matrix.json").read_text(encoding="utf-8"))
    assert written["games"] == 2000
    before = (directory / "report.html").read_text(encoding="utf-8")
    run("report", str(directory))
    assert (directory / "report.html").read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("random", "expected 2 to 20 strategies"),
        ("random,random", "given twice"),
        ("random,,greedy", "missing"),
        ("random,gredy", 'did you mean "greedy"?'),
    ],
)
def test_wrong_strategies_are_one_line(duel: str, text: str, message: str) -> None:
    result = CliRunner().invoke(cli.app, ["matrix", duel, "--strategies", text])
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception).splitlines()[0]
