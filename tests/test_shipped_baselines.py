"""The baselines that ship: of every scenario, up to date; and what they say when a card is tampered with."""

from __future__ import annotations

import json
import math
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cli
import strategies
from simcore import baseline, scenario
from simcore.errors import InputError
from simcore.ingredients import changes, made_of
from simcore.scenario import Scenario
from support import ROOT, first_scenario

FILES = sorted((ROOT / "scenarios").glob("*/*.yaml"))
AGAIN = "record again: balance baseline update scenarios/"


@cache
def load(file: Path) -> Scenario:
    return scenario.load(file, strategies)


def read(file: Path) -> baseline.Baseline:
    found = baseline.read(baseline.path_of(file))
    assert found, f"{file} has no baseline; {AGAIN}"
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_shipped_baseline_is_of_the_scenario_as_it_is(file: Path) -> None:
    recorded, found = read(file), load(file)
    assert changes(recorded.made_of, made_of(found)) == [], AGAIN
    assert recorded.inputs == found.inputs, AGAIN
    assert recorded.content["scenario"] == file.stem and recorded.games >= 1000
    names = set(recorded.numbers)
    assert {"side.1", "unfinished", "rounds", "minutes"} <= names


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_number_of_a_shipped_baseline_is_a_line_of_its_file(file: Path) -> None:
    text, content = baseline.path_of(file).read_text(encoding="utf-8"), dict(read(file).content)
    assert text == baseline.text_of(content)
    name, number = next(iter(content["numbers"].items()))
    moved = baseline.text_of(
        content | {"numbers": content["numbers"] | {name: number | {"total": number["total"] + 1}}}
    )
    lines = list(zip(text.splitlines(), moved.splitlines(), strict=True))
    assert [f'"{name}": ' in now for then, now in lines if then != now] == [True]


@pytest.mark.parametrize("game", strategies.game_names())
def test_a_game_plays_as_its_baseline_says(game: str) -> None:
    """One scenario of each game; `balance check scenarios/` of continuous integration does all."""
    told = check(first_scenario(game))
    assert told["verdict"] == "pass" and {row["tier"] for row in told["scenarios"][0]["checks"]} == {1}
    assert told["games"] == 0


@pytest.mark.parametrize("game", strategies.game_names())
def test_a_scenario_of_each_game_says_what_is_expected(game: str) -> None:
    """That it holds, `balance check scenarios/` of continuous integration says."""
    assert any(load(file).expect for file in FILES if file.parent.name == game)


def check(file: Path, *words: str) -> Any:
    result = CliRunner().invoke(cli.app, ["check", str(file), "--json", *words])
    assert result.stdout, result.exception
    return json.loads(result.stdout)


def tampered(file: Path) -> tuple[str, int]:
    """Return the path of a whole number of a component, and the next number, which the edition takes as well."""
    numbers = made_of(load(file)).items()
    for path, value in numbers:
        if path.startswith("components.") and type(value) is int:
            try:
                scenario.load(file, strategies, overrides=[(path, str(value + 1))])
            except InputError:
                continue
            return path, value
    raise AssertionError(f"no number of a component of {file} may be larger")


@pytest.mark.parametrize("game", strategies.game_names())
def test_a_number_of_a_component_changed_by_one_is_named_and_tested(game: str) -> None:
    file = first_scenario(game)
    path, value = tampered(file)
    told = check(file, "--set", f"{path}={value + 1}", "--budget", "2000", "--margin", "5")
    (found,) = told["scenarios"]
    assert found["changed"] == [{"path": path, "before": value, "now": value + 1}]
    played = [row for row in found["checks"] if row["kind"] == "shift"]
    assert {row["tier"] for row in played} == {2} and len(played) == len(found["checks"])
    for row in played:
        assert row["verdict"] in allowed(row), row
    worst = max((row["verdict"] for row in played), key=("pass", "undecided", "fail").index)
    assert told["verdict"] == found["verdict"] == worst
    assert found["games"] >= 2000 or worst != "undecided"


def allowed(row: dict[str, Any]) -> set[str]:
    """Return the verdicts that a row may have by their definition.

    The shift that is shown is that of the last look. At an earlier one, where it failed, it was beyond the margin.
    """
    low = -math.inf if row["low"] is None else row["low"]
    high = math.inf if row["high"] is None else row["high"]
    if -row["margin"] <= low and high <= row["margin"]:
        return {"pass"} if low <= 0 <= high else {"pass", "fail"}
    if low <= 0 <= high:
        return {"undecided"}
    return {"fail"} if abs(row["shift"]) > row["margin"] else {"fail", "undecided"}


def test_baselines_of_a_game_differ(tmp_path: Path) -> None:
    """Two recordings that are alike would be of the same file."""
    seals = sorted(str(read(file).content["seal"]) for file in FILES)
    assert all(one != other for one, other in pairwise(seals))
