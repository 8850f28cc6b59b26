"""The folder that `balance new-game` writes: complete, conforming, and a game of the designer's from then on."""

from __future__ import annotations

import inspect
import itertools
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import strategies
import test_contract
from console import answer, balance
from simcore import jit, scenario
from simcore.errors import InputError
from starters import skeleton, writing
from support import ROOT, SCENARIOS, scaled, sigmas
from test_contract import playing  # noqa: F401

NAME = "space-race"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a new game and its scenario; nobody changes them."""
    folder = tmp_path_factory.mktemp("home")
    writing.write_new(skeleton.files(NAME, folder))
    return folder


def test_the_command_writes_a_game_that_plays_and_says_what_comes_next(tmp_path: Path) -> None:
    done = balance(tmp_path, "new-game", NAME)
    assert done.returncode == 0, done.stderr
    said = [line.split() for line in done.stdout.splitlines()[1:]]
    assert [words[:2] for words in said] == [["balance", name] for name in ("validate", "odds", "show")]
    assert balance(tmp_path, *said[0][1:]).stdout.startswith(f"{NAME}.yaml: ok")
    found = answer(balance(tmp_path, *said[1][1:], "--games", "200", "--json"))
    assert (found["games"], found["game"], found["unfinished"]["games"]) == (200, NAME, 0)
    assert answer(balance(tmp_path, *said[2][1:], "--json"))["id"] == NAME
    again = balance(tmp_path, "new-game", NAME)
    assert (again.returncode, again.stdout, again.stderr.count("\n")) == (2, "", 1)
    assert "never replaced" in again.stderr


def test_it_replaces_no_file_of_a_folder_that_is_there(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    (tmp_path / NAME / "rules.py").write_text("mine", encoding="utf-8")
    assert balance(tmp_path, "new-game", NAME).returncode == 2
    assert [path.name for path in tmp_path.rglob("*")] == [NAME, "rules.py"]


@pytest.mark.parametrize(
    ("name", "better"),
    [
        ("Space Race", "space-race"),
        ("space_race", "space-race"),
        ("7-wonders", "wonders"),
        ("../race", "race"),
        ("", None),
        ("x" * 41, "x" * 40),
        ("race\n", "race"),
        ("⚔", None),
        ("<script>alert(1)</script>", "script-alert-1-script"),
        ("Müller–Élan ⚔", "muller-elan"),
        ("NaN", "nan"),
    ],
)
def test_a_name_that_is_no_id_is_one_line_with_a_suggestion(name: str, better: str | None, tmp_path: Path) -> None:
    done = balance(tmp_path, "new-game", name)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert (f"such as {better}" in done.stderr) == (better is not None)
    assert not list(tmp_path.iterdir())
    if better:
        assert skeleton.files(better, tmp_path)


@pytest.mark.parametrize("name", ["null", "on", "y", "nan", "e5", "class"])
def test_a_name_that_means_something_else_to_yaml_or_python_is_a_name_like_others(name: str, tmp_path: Path) -> None:
    assert balance(tmp_path, "new-game", name).returncode == 0
    shown = answer(balance(tmp_path, "show", f"./{name}", "--json"))
    assert (shown["id"], shown["label"]) == (name, f"{name.capitalize()} (prototype)")
    assert balance(tmp_path, "init", f"./{name}", "-o", "again.yaml").returncode == 0
    for file in (f"{name}.yaml", "again.yaml"):
        checked = balance(tmp_path, "validate", file)
        assert (checked.returncode, checked.stderr) == (0, "")


def test_no_mark_of_the_template_is_left_and_it_is_clean_code(home: Path) -> None:
    files = [path for path in home.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"\{(name|title)( as YAML)?\}", text), file
        assert NAME in text or file.suffix == ".py"
    assert {file.name for file in files} == {
        *("__init__.py", "components.py", "features.py", "hidden.py", "kernel.py", "rules.py", "state.py"),
        *("strategies.py", "text.py", "prototype.yaml", f"{NAME}.yaml"),
    }
    config = ("--config", str(ROOT / "pyproject.toml"))
    # a folder of a designer has any name, and what is first-party depends on where it lies
    checks = (("check", *config, "--ignore", "N999,I001"), ("format", "--check", *config))
    for check in checks:
        done = subprocess.run([sys.executable, "-m", "ruff", *check, str(home)], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


# ---------------------------------------------------------------- conformance


def conformance() -> Iterator[Any]:
    """Yield every test of the conformance suite that takes a game, and perhaps one of its strategies."""
    for name, function in vars(test_contract).items():
        if name.startswith("test_") and "name" in inspect.signature(function).parameters:
            yield pytest.param(function, id=name)


@pytest.mark.parametrize("function", list(conformance()))
def test_a_new_game_conforms(function: Callable[..., None], home: Path, request: pytest.FixtureRequest) -> None:
    folder = str(home / NAME)
    values = {"name": [folder], "strategy": strategies.strategy_names(folder), "index": [0, 1]}
    wanted = inspect.signature(function).parameters
    fixtures = {key: request.getfixturevalue(key) for key in wanted if key not in values}
    varied = [key for key in wanted if key in values]
    for given in itertools.product(*(values[key] for key in varied)):
        function(**dict(zip(varied, given, strict=True)), **fixtures)


def test_a_fault_in_a_new_game_is_found(
    home: Path, tmp_path: Path, load_scenario: Callable[..., Any], player_of: Callable[..., Any]
) -> None:
    # what the conformance suite is for: a field that `setup` forgets
    writing.write_new(skeleton.files("forgetful", tmp_path))
    rules = tmp_path / "forgetful" / "rules.py"
    text = rules.read_text(encoding="utf-8")
    assert text.count("        play.used[seat] = 0\n") == 1
    rules.write_text(text.replace("        play.used[seat] = 0\n", ""), encoding="utf-8")
    done = balance(tmp_path, "odds", "forgetful.yaml", "--games", "20")
    assert (done.returncode, done.stdout) == (2, "")
    assert "forgetful" in done.stderr and "Traceback" not in done.stderr


# ---------------------------------------------------------------- what it answers


@cache
def chances(faces: tuple[int, ...], left: int) -> list[Fraction]:
    """Return the chance to be at the goal after 0, 1, 2, ... rolls of one die, at most 60."""
    at = {left: Fraction(1)}
    done = [Fraction(0)]
    for _ in range(60):
        following: dict[int, Fraction] = {}
        for spaces, face in itertools.product(at, faces):
            rest = max(0, spaces - face)
            following[rest] = following.get(rest, Fraction(0)) + at[spaces] / len(faces)
        done.append(done[-1] + following.pop(0, Fraction(0)))
        at = following
    return done


@pytest.mark.skipif(not jit.ENABLED, reason="many games: only with JIT")
def test_its_odds_are_those_of_an_exact_count(
    home: Path, load_scenario: Callable[..., Any], player_of: Callable[..., Any]
) -> None:
    # `steady` always rolls the plain die, the first of equal means in an edition without the even one.
    games = scaled(20_000)
    seats = [("seats.1.strategy", "steady"), ("seats.2.strategy", "steady"), ("seats.2.params", "{}")]
    changes = [*seats, ("rotate", "false"), ("components.even.remove", "true"), ("rules.goal", "12")]
    changes += [("components.wild.faces", "[0, 0, 0, 0, 0, 10]")]
    rows = player_of(load_scenario(home / f"{NAME}.yaml", changes)).play(0, games)
    done = chances((1, 2, 3, 4, 5, 6), 12)
    first = float(sum((done[k] - done[k - 1]) * (1 - done[k - 1]) for k in range(1, len(done))))
    won = int((rows["winners"] == 1).sum())
    assert abs(won / games - first) < sigmas() * (first * (1 - first) / games) ** 0.5
    length = sum(k * ((1 - done[k - 1]) ** 2 - (1 - done[k]) ** 2) for k in range(1, len(done)))
    assert rows["rounds"].mean() == pytest.approx(float(length), abs=sigmas() * rows["rounds"].std() / games**0.5)


def test_its_data_are_changed_as_those_of_any_game(home: Path) -> None:
    file = home / f"{NAME}.yaml"
    loaded = scenario.load(file, strategies, overrides=[("components.wild.faces", "[0, 12]")])
    assert loaded.edition.changed == ("components.wild.faces",)
    with pytest.raises(InputError, match="goal"):
        scenario.load(file, strategies, overrides=[("rules.goal", "0")])
    with pytest.raises(InputError, match="no die moves anybody"):
        dice = [(f"components.{die}.faces", "[0]") for die in ("even", "plain", "wild")]
        scenario.load(file, strategies, overrides=dice)


def test_it_is_none_of_the_shipped_games(home: Path) -> None:
    assert NAME not in strategies.game_names()
    assert not (SCENARIOS / NAME).exists()
    data = yaml.safe_load((home / f"{NAME}.yaml").read_text(encoding="utf-8"))
    assert data["game"] == f"./{NAME}"
