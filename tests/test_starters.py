"""What a designer starts from: the commented scenario and the schema that editors check it with."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

import strategies
from console import answer, balance
from simcore import scenario
from simcore.errors import InputError, MachineError
from starters import scenario as starter
from starters import schema, writing
from support import OWN_GAME, SCENARIOS

GAMES = strategies.game_names()


def begun(name: str, folder: Path) -> Path:
    """Return the file of the scenario that a designer of game `name` starts with."""
    file = folder / f"{Path(name).name}.yaml"
    writing.write_new({file: starter.text(name, strategies, SCENARIOS, file)})
    return file


# ---------------------------------------------------------------- init


@pytest.mark.parametrize("name", [*GAMES, str(OWN_GAME)], ids=lambda name: Path(name).name)
def test_a_scenario_to_start_with_plays_at_once_and_says_all_that_can_be_changed(
    name: str, tmp_path: Path, load_scenario: Callable[..., Any], player_of: Callable[..., Any]
) -> None:
    file = begun(name, tmp_path)
    loaded = load_scenario(file)
    assert (player_of(loaded).play(0, 2)["rounds"] >= 1).all()
    text = file.read_text(encoding="utf-8")
    assert text.startswith(f"# yaml-language-server: $schema={starter.SCHEMA_FILE}\n")
    for rule, value in loaded.rules.model_dump(mode="json").items():
        assert f"#   {rule}: {json.dumps(value)}" in text or f"#   {rule}: {value}" in text
    for strategy in strategies.strategy_names(loaded.game.ref):
        assert f"#   {strategy}: " in text
    # only random players or plain scripted ones, and nothing that differs from the edition
    assert not loaded.edition.changed
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("name", GAMES)
def test_its_comments_become_rules_and_components_by_taking_the_signs_away(
    name: str, tmp_path: Path, load_scenario: Callable[..., Any]
) -> None:
    file = begun(name, tmp_path)
    lines = file.read_text(encoding="utf-8").splitlines()
    opened = []
    inside = False
    for line in lines:
        inside = line in ("# rules:", "# components:") or (inside and line.startswith("#   "))
        opened.append(line[2:] if inside else line)
    file.write_text("\n".join(opened) + "\n", encoding="utf-8")
    loaded, plain = load_scenario(file), load_scenario(begun(name, tmp_path / "plain"))
    assert {path.partition(".")[0] for path in loaded.edition.changed} == {"rules", "components"}
    assert loaded.edition.model == plain.edition.model


def test_init_writes_a_file_says_what_comes_next_and_never_replaces_one(tmp_path: Path) -> None:
    done = balance(tmp_path, "init", "hate-to-kill-you", "-o", "tables/duel.yaml")
    assert done.returncode == 0, done.stderr
    commands = [line.split() for line in done.stdout.splitlines()[1:]]
    assert commands[:2] == [["balance", "validate", "tables/duel.yaml"], ["balance", "odds", "tables/duel.yaml"]]
    assert commands[2] == ["balance", "schema", ">", f"tables/{starter.SCHEMA_FILE}"]
    assert balance(tmp_path, *commands[0][1:]).stdout == "tables/duel.yaml: ok\n"
    assert answer(balance(tmp_path, *commands[1][1:], "--games", "20", "--json"))["games"] == 20
    before = (tmp_path / "tables" / "duel.yaml").read_bytes()
    again = balance(tmp_path, "init", "hate-to-kill-you", "-o", "tables/duel.yaml")
    assert (again.returncode, again.stdout) == (2, "")
    assert again.stderr.count("\n") == 1 and "never replaced" in again.stderr
    assert (tmp_path / "tables" / "duel.yaml").read_bytes() == before
    assert [path.name for path in (tmp_path / "tables").iterdir()] == ["duel.yaml"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("hate-to-kil-you", 'did you mean "hate-to-kill-you"?'),
        ("chess", "known: "),
        ("", "is not known"),
        ("./nowhere", "there is no such folder"),
        ("a\nb", "is not known"),
    ],
)
def test_init_of_an_unknown_game_is_one_line(name: str, words: str, tmp_path: Path) -> None:
    done = balance(tmp_path, "init", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and words in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_game_of_ones_own_is_named_from_where_the_scenario_lies(tmp_path: Path) -> None:
    shutil.copytree(OWN_GAME, tmp_path / "dice-race", ignore=shutil.ignore_patterns("__pycache__"))
    assert balance(tmp_path, "init", "./dice-race").returncode == 0
    assert balance(tmp_path, "init", "./dice-race", "-o", "deep/er/race.yaml").returncode == 0
    found = [
        yaml.safe_load((tmp_path / file).read_text("utf-8"))["game"] for file in ("dice-race.yaml", "deep/er/race.yaml")
    ]
    assert found == ["./dice-race", "../../dice-race"]
    for file in ("dice-race.yaml", "deep/er/race.yaml"):
        assert scenario.load(tmp_path / file, strategies).game.name == "dice-race"


def test_files_are_written_all_or_none(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine", encoding="utf-8")
    files = {tmp_path / "new" / "first": "1", tmp_path / "taken": "2"}
    with pytest.raises(InputError, match="taken: is there already"):
        writing.write_new(files)
    with pytest.raises((InputError, MachineError)):
        writing.write_new({tmp_path / "new" / "first": "1", tmp_path / "taken" / "below": "2"})
    with pytest.raises(MachineError, match="cannot be written"):
        writing.write_new({tmp_path / "new" / "first": "1", tmp_path / ("x" * 300): "2"})
    (tmp_path / "dangling").symlink_to("nowhere")
    with pytest.raises(InputError, match="dangling: is there already"):
        writing.write_new({tmp_path / "dangling": "2"})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dangling", "taken"]
    assert (tmp_path / "taken").read_text("utf-8") == "mine"


# ---------------------------------------------------------------- the schema of scenarios


@pytest.fixture(scope="module")
def check() -> Callable[[Any], list[str]]:
    """Return what finds the places of data that an editor with our schema would mark."""
    text = json.dumps(schema.of_scenarios(strategies), allow_nan=False)
    validator = jsonschema.Draft202012Validator(json.loads(text))
    jsonschema.Draft202012Validator.check_schema(validator.schema)
    return lambda data: sorted({error.json_path for error in validator.iter_errors(data)})


def written() -> Iterator[Path]:
    yield from sorted(SCENARIOS.glob("*/*.yaml"))
    yield from sorted(OWN_GAME.parent.glob("*.yaml"))


def test_the_schema_agrees_with_every_scenario_there_is(check: Callable[[Any], list[str]], tmp_path: Path) -> None:
    files = [*written(), *(begun(name, tmp_path) for name in GAMES)]
    wrong = {file.name: check(yaml.safe_load(file.read_text(encoding="utf-8"))) for file in files}
    assert len(files) > 90
    assert {name: places for name, places in wrong.items() if places} == {}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"gmaes": 5}, "$"),
        ({"games": 0}, "$.games"),
        ({"seed": 2**53}, "$.seed"),
        ({"precision": "fine"}, "$.precision"),
        ({"rotate": "yes"}, "$.rotate"),
        ({"game": "chess"}, "$.game"),
        ({"seats": []}, "$.seats"),
        ({"seats": [{"character": "inigo"}]}, "$.seats[0]"),
        ({"seats": [{"strategy": "gredy", "character": "inigo"}]}, "$.seats[0].strategy"),
        ({"seats": [{"strategy": {"duelist": "greedy"}, "character": "inigo"}]}, "$.seats[0].strategy"),
        ({"seats": [{"strategy": "greedy", "charakter": "inigo"}]}, "$.seats[0]"),
        ({"rules": {"hits_to_wim": 5}}, "$.rules"),
        ({"rules": {"hits_to_win": 0}}, "$.rules.hits_to_win"),
        ({"components": {"feint": {"rnak": 3}}}, "$.components.feint"),
        ({"components": {"feint": {"rank": "high"}}}, "$.components.feint.rank"),
        ({"components": {"new": {"kind": "crads"}}}, "$.components.new.kind"),
        ({"expect": {"side.1": 0.5}}, "$.expect['side.1']"),
        ({"expect": {"rounds": {"minimum": 5}}}, "$.expect.rounds"),
        ({"expect": {"rounds": {"between": [5]}}}, "$.expect.rounds.between"),
    ],
    ids=str,
)
def test_the_schema_marks_what_the_loader_refuses(
    change: dict[str, Any],
    place: str,
    check: Callable[[Any], list[str]],
    write_yaml: Callable[..., Path],
) -> None:
    base = yaml.safe_load((SCENARIOS / "hate-to-kill-you" / "film-duel.yaml").read_text(encoding="utf-8"))
    assert check(base) == []
    wrong = {**base, **change}
    assert place in check(wrong)
    with pytest.raises(InputError):
        scenario.load(write_yaml(wrong), strategies)


@pytest.mark.parametrize(
    "change",
    [
        {"components": {"feint": {"remove": True}}},
        {"components": {"feint.rank": 4}},
        {"components": {"feint": {"effects.1.count": 2}}},
        {"rules.hits_to_win": 6},
        {"expect": {"side.1": {"between": ["45%", 0.6]}, "rounds.p90": {"max": 25}, "side.1 - side.2": {"min": "-5%"}}},
        {"seats": [{"strategy": {"duellist": "greedy"}, "character": name} for name in ("inigo", "rugen")]},
    ],
    ids=str,
)
def test_the_schema_allows_what_the_loader_takes(change: dict[str, Any], check: Callable[[Any], list[str]]) -> None:
    base = yaml.safe_load((SCENARIOS / "hate-to-kill-you" / "film-duel.yaml").read_text(encoding="utf-8"))
    assert check({**base, **change}) == []


def test_the_command_prints_the_schema(tmp_path: Path, check: Callable[[Any], list[str]]) -> None:
    found = answer(balance(tmp_path, "schema"))
    assert found == json.loads(json.dumps(schema.of_scenarios(strategies)))
    assert found["$schema"] == schema.DRAFT
