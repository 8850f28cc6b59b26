"""Every scenario that ships: it loads, it plays, and it says what it asks."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import strategies
from simcore import baseline, scenario, yamlfile
from simcore.player import Player
from simcore.scenario import Scenario

FOLDER = Path(__file__).parent.parent / "scenarios"
FILES = sorted(FOLDER.glob("*/*.yaml"))
NAMES = [f"{file.parent.name}/{file.stem}" for file in FILES]
PLAYED = 200
DUEL = "hate-to-kill-you"


@cache
def load(name: str) -> Scenario:
    return scenario.load(FOLDER / f"{name}.yaml", strategies, name)


def test_every_game_has_a_scenario_and_every_folder_is_a_game() -> None:
    assert {file.parent.name for file in FILES} == set(strategies.game_names())
    baselines = [path for path in FOLDER.glob("*/baselines/*.json") if baseline.scenario_of(path) in FILES]
    assert [path for path in FOLDER.rglob("*") if path.is_file() and path not in FILES + baselines] == []


def test_ids_and_labels_are_unique() -> None:
    labels = Counter((name.split("/")[0], load(name).label) for name in NAMES)
    assert max(labels.values()) == 1
    assert len(set(NAMES)) == len(NAMES)
    assert all(part.replace("-", "").isalnum() and part == part.lower() for name in NAMES for part in name.split("/"))


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_scenario_says_what_it_asks(name: str) -> None:
    data = yamlfile.load(FOLDER / f"{name}.yaml").data
    assert data["game"] == name.partition("/")[0]
    assert data["label"] != name
    assert "?" in data["question"]
    assert isinstance(data["seed"], int)
    found = load(name)
    assert (found.label, found.question) == (data["label"], data["question"])
    assert len({entry.label for entry in found.entries}) == len(found.entries)


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_scenario_plays(name: str) -> None:
    found = load(name)
    assert found.game.name == name.split("/")[0]
    rows = Player(found.match, strategies).play(0, PLAYED)
    sides = len(found.game.sides(found.match.n_seats))
    reasons = found.game.reasons(found.edition.model)
    assert len(rows) == PLAYED
    assert (rows["winners"] >> sides == 0).all()
    assert (rows["reason"] < len(reasons)).all()
    unfinished = rows["reason"] == reasons.index("round cap")
    assert (rows["winners"][unfinished] == 0).all()
    assert not unfinished.all()
    assert (rows["rounds"] >= 1).all() and (rows["turns"] >= rows["rounds"]).all()
    assert (rows["seconds"] > 0).all()


def test_the_duel_ships_a_mirror_match_of_each_character_without_rotation() -> None:
    """Both players are alike: rotated, every deal would be played twice with the same result."""
    characters = [each.id for each in load(f"{DUEL}/film-duel").edition.model.characters]
    for character in characters:
        mirror = load(f"{DUEL}/mirror-{character}")
        assert [entry.options.character for entry in mirror.entries] == [character, character]
        assert mirror.entries[0].strategies == mirror.entries[1].strategies
        assert len(mirror.match.rotations) == 1
    others = [name for name in NAMES if name.startswith(DUEL) and "/mirror-" not in name]
    assert len(others) >= 6
    assert all(len(load(name).match.rotations) == 2 for name in others)


def test_scenarios_that_are_to_be_compared_differ_in_one_thing() -> None:
    film = load(f"{DUEL}/film-duel")
    for name, changed in (
        ("without-die-loss", ("rules.hit_discard",)),
        (
            "stronger-thibault",
            ("components.thibault-defense.effects.1.colours", "components.thibault-defense.effects.1.count"),
        ),
    ):
        other = load(f"{DUEL}/{name}")
        assert other.edition.changed == changed
        for key in ("seats", "seed", "rotate", "edition"):
            assert other.resolved[key] == film.resolved[key]
