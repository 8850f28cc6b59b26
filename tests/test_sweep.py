"""Sweeps and sensitivity: what is asked for, what is answered, and what evidence counts."""

from __future__ import annotations

import csv
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import cli
from reports import analysis, difference, sensitive, swept
from simcore import sensitivity, sweep
from simcore.errors import InputError
from simcore.stats.bounded import bounded_evidence, bounded_mean
from simcore.stats.discoveries import discoveries
from simcore.stats.mean import mean_evidence, mean_interval

DUEL: dict[str, Any] = {
    "game": "hate-to-kill-you",
    "seats": [
        {"strategy": "greedy", "character": "inigo", "label": "Inigo"},
        {"strategy": "random", "character": "man-in-black", "label": "The Man"},
    ],
    "rotate": True,
    "seed": 5,
}


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("duel") / "duel.yaml"
    file.write_text(json.dumps(DUEL), encoding="utf-8")
    return str(file)


def run(*words: str, code: int = 0) -> str:
    """Run the command line in this process; return what it prints."""
    result = CliRunner().invoke(cli.app, list(words))
    assert result.exit_code == code, result.output + str(result.exception)
    return result.stdout


def refused(*words: str) -> str:
    result = CliRunner().invoke(cli.app, list(words))
    assert isinstance(result.exception, InputError), result.output + str(result.exception)
    return str(result.exception)


# ---------------------------------------------------------------- what a grid is


@pytest.mark.parametrize(
    ("text", "path", "values"),
    [
        ("rules.hits_to_win=3..6", "rules.hits_to_win", ("3", "4", "5", "6")),
        ("rules.hits_to_win=3..8:2", "rules.hits_to_win", ("3", "5", "7")),
        ("seat1.params.boldness=0.1..0.3:0.1", "seats.1.params.boldness", ("0.1", "0.2", "0.3")),
        ("seats.2.strategy=greedy, patient", "seats.2.strategy", ("greedy", "patient")),
        ("x=-2..0", "x", ("-2", "-1", "0")),
    ],
)
def test_an_axis_is_a_range_or_a_list(text: str, path: str, values: tuple[str, ...]) -> None:
    assert sweep.axis(text) == sweep.Axis(path, values)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rules.hits_to_win", "expected PATH=3..8"),
        ("=3..8", "expected PATH=3..8"),
        ("x=", "expected PATH=3..8"),
        ("x=8..3", "a range rises"),
        ("x=1..3:0", "a range rises"),
        ("x=1.2.3..4", "the ends of a range are numbers"),
        ("x=0..1:0.0000001", "more than 1000 values"),
        ("x=a,,b", "a value between two commas is missing"),
        ("x=a,a", "given twice"),
    ],
)
def test_what_is_no_axis_is_said(text: str, message: str, duel: str) -> None:
    assert message in refused("sweep", duel, "--over", text)


def test_a_grid_runs_through_its_last_axis_first() -> None:
    axes = [sweep.Axis("a", ("1", "2")), sweep.Axis("b", ("x", "y"))]
    assert sweep.points(axes) == [("1", "x"), ("1", "y"), ("2", "x"), ("2", "y")]
    many = tuple(map(str, range(100)))
    with pytest.raises(InputError, match="more than 1000 points"):
        sweep.points([sweep.Axis("a", many), sweep.Axis("b", many)])
    with pytest.raises(InputError, match="given twice"):
        sweep.points([axes[0], axes[0]])


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("side 1 = 50%", "side.1", 0.5),
        ("side.2=0.25", "side.2", 0.25),
        ("rounds = 10", "rounds", 10.0),
        ("lead_changes=1.5", "lead_changes", 1.5),
    ],
)
def test_a_target_is_a_name_and_a_value(text: str, name: str, value: float) -> None:
    assert sweep.target(text) == sweep.Target(name, value)


@pytest.mark.parametrize("text", ["side 1", "= 5", "side 1 = 50", "side 1 = -5%", "rounds = ten", "rounds = 10%"])
def test_what_is_no_target_is_said(text: str) -> None:
    with pytest.raises(InputError):
        sweep.target(text)


# ---------------------------------------------------------------- sweep


@pytest.fixture(scope="module")
def answer(duel: str) -> dict[str, Any]:
    words = ["--over", "rules.hits_to_win=3..5", "--games", "2000", "--target", "rounds = 8", "--json"]
    found: dict[str, Any] = json.loads(run("sweep", duel, *words))
    return found


def test_a_point_is_what_odds_says_there(answer: dict[str, Any], duel: str) -> None:
    odds = json.loads(run("odds", duel, "--set", "rules.hits_to_win=4", "--games", "2000", "--json"))
    point = answer["points"][1]
    assert point["values"] == ["4"]
    assert point["inputs"] == odds["digest"]["inputs"]
    for side in odds["sides"]:
        found = point["quantities"][f"side.{side['side']}"]
        assert (found["estimate"], found["low"], found["high"]) == (side["rate"], side["low"], side["high"])
    assert point["quantities"]["rounds"]["estimate"] == odds["rounds"]["mean"]
    assert point["quantities"]["hits.1"]["estimate"] == odds["metrics"]["hits.1"]["mean"]


def test_the_nearest_point_is_named(answer: dict[str, Any]) -> None:
    rounds = [point["quantities"]["rounds"]["estimate"] for point in answer["points"]]
    nearest = min(range(3), key=lambda i: abs(rounds[i] - 8))
    assert answer["target"]["nearest"] == answer["points"][nearest]["values"]
    for point in answer["points"]:
        each = point["quantities"]["rounds"]
        assert (point["values"] in answer["target"]["possible"]) == (each["low"] <= 8 <= each["high"])


def test_a_budget_is_for_all_points_together(duel: str) -> None:
    words = ["--over", "rules.hits_to_win=3..6", "--budget", "8000", "--precision", "0.1", "--json"]
    found = json.loads(run("sweep", duel, *words, code=3))
    assert found["games"] == 8000
    assert {point["stop"]["reason"] for point in found["points"]} == {"budget"}


def test_a_sweep_in_every_format(answer: dict[str, Any], tmp_path: Path, duel: str) -> None:
    rows = list(csv.DictReader(analysis.to_csv(swept.page(answer)).splitlines()))
    assert len(rows) == sum(len(point["quantities"]) for point in answer["points"])
    text = analysis.to_terminal(swept.page(answer), ascii=True)
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 80
    assert "rules.hits_to_win" in analysis.to_markdown(swept.page(answer))
    words = ["sweep", duel, "--over", "rules.hits_to_win=3..4", "--over", "seat2.strategy=random,patient"]
    run(*words, "--games", "500", "-o", str(tmp_path / "grid"))
    names = {file.name for file in (tmp_path / "grid").iterdir()}
    assert names == {"sweep.json", "report.html", "plots", "tables"}
    assert {file.name for file in (tmp_path / "grid" / "plots").iterdir()} == {
        "side-1.png",
        "side-2.png",
        "rounds.png",
        "minutes.png",
    }
    page = (tmp_path / "grid" / "report.html").read_text(encoding="utf-8")
    run("report", str(tmp_path / "grid"))
    assert (tmp_path / "grid" / "report.html").read_text(encoding="utf-8") == page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--over", "rules.hits=3..4"], "rules.hits"),
        (["--over", "rules.hits_to_win=3..4", "--on", "sid.1"], 'did you mean "side.1"?'),
        (["--over", "rules.hits_to_win=3..4", "--target", "side 9 = 50%"], "'side.9' is nothing that is counted"),
        (["--over", "rules.hits_to_win=0..4"], "--over rules.hits_to_win: "),
        (["--over", "seat1.strategy=greedy,bad"], "--over seat1.strategy: strategy 'bad' is not known"),
        (["--over", "seed=1..3"], "all points play the same deals; give --seed once"),
        (["--over", "games=100,200"], "give --games once"),
        (["--over", "seats.1.params.reach=0.1..0.5"], "a step of 1 leads past 0.5: expected one, as in 0.1..0.5:0.1"),
    ],
)
def test_nothing_is_played_where_a_point_cannot_be(duel: str, words: list[str], message: str) -> None:
    assert message in refused("sweep", duel, *words)


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "--set", "rules.hits_to_win=2"],
        ["sweep", "--over", "rules.hits_to_win=2,3"],
        ["sensitivity", "--only", "rules.hits_to_win"],
        ["matrix", "--strategies", "random,greedy"],
        ["ladder", "--levels", "random"],
        ["components", "--only", "feint"],
    ],
    ids=lambda words: words[0],
)
def test_games_and_budget_together_stop_at_whichever_comes_first(duel: str, words: list[str]) -> None:
    command, *rest = words
    short = json.loads(run(command, duel, *rest, "--games", "1000", "--budget", "64", "--json", code=3))
    assert 0 < short["games"] <= 64
    full = json.loads(run(command, duel, *rest, "--games", "32", "--budget", "100000", "--json"))
    assert full["games"] % 32 == 0


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "{}", "{}"],
        ["sensitivity", "{}"],
        ["components", "{}"],
        ["matrix", "{}", "--strategies", "random,greedy"],
        ["ladder", "{}"],
        ["tune", "{}", "--seat", "1"],
        ["explain", "{}"],
    ],
    ids=lambda words: words[0],
)
def test_a_number_of_games_that_an_analysis_would_not_play_is_refused(duel: str, words: list[str]) -> None:
    for change in ("games=10", "precision=5"):
        found = refused(*[word.format(duel) for word in words], "--set", change)
        assert found.startswith(f"--set {change}: changes nothing here; give --")


def test_a_budget_counts_the_games_of_both_of_a_pair(duel: str) -> None:
    words = ["--only", "rules.hits_to_win", "--margin", "0.01", "--budget", "8000", "--json"]
    found = json.loads(run("sensitivity", duel, *words, "--on", "unfinished", code=3))
    assert found["games"] == 4000 and {row["games"] for row in found["rows"]} == {2000}
    words = ["--set", "rules.round_cap=400", "--margin", "0.01", "--budget", "8000", "--json"]
    one = json.loads(run("compare", duel, *words, code=3))
    assert (one["games"], one["stop"]["reason"]) == (4000, "budget")
    assert "Stopped by the budget after 4,000 games" in difference.build(one).stop


# ---------------------------------------------------------------- sensitivity


@pytest.fixture(scope="module")
def moved(duel: str) -> dict[str, Any]:
    words = ["--only", "rules", "--on", "rounds", "--games", "4000", "--json"]
    found: dict[str, Any] = json.loads(run("sensitivity", duel, *words))
    return found


def test_a_constant_that_cannot_matter_has_exactly_no_effect(moved: dict[str, Any]) -> None:
    cap = [row for row in moved["rows"] if row["path"] == "rules.round_cap"]
    assert [row["value"] for row in cap] in ([499, 501], [501, 499])
    for row in cap:
        assert all(each["difference"] == 0 and not each["named"] for each in row["effects"].values())


def test_a_constant_that_matters_is_named_and_comes_first(moved: dict[str, Any]) -> None:
    assert moved["rows"][0]["path"] == "rules.hits_to_win"
    assert moved["rows"][0]["effects"]["rounds"]["named"]
    sizes = [abs(row["effects"]["rounds"]["difference"]) for row in moved["rows"]]
    assert sizes == sorted(sizes, reverse=True)
    assert {"path": "rules.hit_discard", "value": 2} in moved["not_allowed"]


def test_every_number_of_an_edition_is_stepped_and_kinds_of_source_can_be_chosen(
    load_scenario: Any,
) -> None:
    found = load_scenario(DUEL)
    steps = sensitivity.steps(found)
    paths = {step.path for step in steps}
    assert {"rules.hits_to_win", "components.leap.rank", "components.red.faces.1", "components.red.start"} <= paths
    assert all(found.edition.value(step.path) == step.before != step.value for step in steps)
    guessed = sensitivity.steps(found, ["reconstructed"])
    assert {step.source for step in guessed} == {"reconstructed"}
    assert {step.path for step in sensitivity.steps(found, ["components.leap"])} <= {
        path for path in paths if path.startswith("components.leap.")
    }
    with pytest.raises(InputError, match="did you mean"):
        sensitivity.steps(found, ["reconstucted"])


def test_a_sensitivity_in_every_format(moved: dict[str, Any]) -> None:
    rows = list(csv.DictReader(analysis.to_csv(sensitive.page(moved)).splitlines()))
    assert len(rows) == sum(len(row["effects"]) for row in moved["rows"])
    page = sensitive.page(moved)
    text = analysis.to_terminal(page, ascii=True)
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 80
    assert "rules.round_cap 500" in text
    assert r"hits\_to\_win" in analysis.to_markdown(page)
    for wide in (True, False):
        assert page.pictures[0].draw(wide=wide).axes


# ---------------------------------------------------------------- evidence


@pytest.mark.parametrize("seed", range(5))
def test_evidence_and_interval_say_the_same(seed: int) -> None:
    chance = random.Random(seed)
    values = [chance.choice([-60, 0, 0, 60]) + chance.choice([0, 0, 0, 60]) * (seed % 2) for _ in range(3000)]
    total, squares = sum(values), sum(value * value for value in values)
    for confidence in (0.5, 0.95, 0.999):
        low, high = bounded_mean(total, squares, len(values), confidence, -120, 120)
        for mean in (low - 0.01, high + 0.01):
            # outside both one-sided bounds at once is the only case in which the average can be below
            assert bounded_evidence(total, squares, len(values), mean, -120, 120) >= 1 / (1 - confidence) * (1 - 1e-6)
        inside = bounded_evidence(total, squares, len(values), total / len(values), -120, 120)
        assert inside <= 1


@pytest.mark.parametrize("seed", range(5))
def test_evidence_of_amounts_is_that_of_their_interval(seed: int) -> None:
    chance = random.Random(seed)
    values = [chance.randrange(20) - 9 for _ in range(5000)]
    total, squares = sum(values), sum(value * value for value in values)
    low, high = mean_interval(total, squares, len(values), 0.95)
    evidence = mean_evidence(total, squares, len(values))
    assert (evidence >= 20) == (not low <= 0 <= high)
    assert mean_evidence(total, squares, 999) == 1.0


def test_evidence_against_what_is_true_averages_at_most_one() -> None:
    chance = np.random.default_rng(7)
    values = chance.choice([-1, 0, 0, 0, 1], size=(4000, 200))
    found = [bounded_evidence(int(row.sum()), int((row * row).sum()), len(row), 0.0, -1, 1) for row in values]
    assert np.mean(found) <= 1.0 + 4 * np.std(found) / len(found) ** 0.5


def test_discoveries_are_those_of_the_definition() -> None:
    assert discoveries([], 0.05) == []
    assert discoveries([19.9], 0.05) == [False]
    assert discoveries([20.0], 0.05) == [True]
    assert discoveries([40, 1, 40, 1], 0.05) == [True, False, True, False]
    assert discoveries([40, 1, 39, 1], 0.05) == [False] * 4
    assert discoveries([float("inf"), 0, 0, 0], 0.05) == [True, False, False, False]


# ---------------------------------------------------------------- memory


def peak_of(duel: str, last: int) -> int:
    """Return the peak memory, in KiB, of a process that sweeps 20 hits to win by `last` round caps."""
    words = ("sweep", duel, "--over", "rules.hits_to_win=1..20", "--over", f"rules.round_cap=31..{30 + last}")
    process = subprocess.Popen(
        [sys.executable, "-c", "import cli; cli.main()", *words, "--games", "64", "--json"],
        stdout=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_maxrss


def test_memory_is_flat_over_a_sweep_of_200_points(duel: str) -> None:
    # A point used to leave 0.5 MiB of compiled code behind, loaded again from disk; its answer takes some KiB.
    peak_of(duel, 1)  # compiles, which takes memory of its own
    assert peak_of(duel, 10) < peak_of(duel, 1) + 24 * 1024
