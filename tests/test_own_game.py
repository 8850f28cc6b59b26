"""A game of one's own (`tests/own`) under every command: as good as a shipped one, and never a traceback."""

from __future__ import annotations

import ast
import json
import os
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import strategies
from console import answer, balance, without_timing
from simcore import scenario, yamlfile
from simcore.errors import InputError
from simcore.player import Player
from support import OWN_GAME, ROOT, sigmas

RACE = "hare-and-tortoise.yaml"
SHORT = ("--set", "rules.goal=25", "--games", "400", "--json")
WRONG_PACKAGE = "raise RuntimeError('the package of a designer')\n"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the game and its scenarios; nobody changes them."""
    return copied(tmp_path_factory.mktemp("home"))


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return such a folder to be changed."""
    return copied(tmp_path)


def copied(folder: Path) -> Path:
    shutil.copytree(OWN_GAME.parent, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def changed(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / "dice-race" / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, (file, old)
    path.write_text(text.replace(old, new), encoding="utf-8")


def compiled(done: Any) -> list[str]:
    return [line for line in done.stderr.splitlines() if "compiling" in line]


# ---------------------------------------------------------------- the example


def sources() -> Iterator[Path]:
    yield from sorted(OWN_GAME.rglob("*.py"))


@pytest.mark.parametrize("file", list(sources()), ids=lambda file: file.name)
def test_the_example_uses_public_names_only_and_its_own_modules_by_relative_imports(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or "", *(name for name in names if node.module != "__future__")]
            assert (node.module or "").split(".")[0] in (*sys.stdlib_module_names, "simcore", "pydantic")
            assert not (node.module or "").startswith("simcore.games")
        if isinstance(node, ast.Attribute):
            names.append(node.attr)
        hidden = [name for name in names if any(part.startswith("_") for part in name.split("."))]
        assert hidden in ([], ["__future__"]), hidden


def test_the_example_is_none_of_the_shipped_games(home: Path) -> None:
    assert "dice-race" not in strategies.game_names()
    assert "dice-race" not in balance(home, "list").stdout


def test_importing_it_leaves_the_paths_alone_and_takes_no_name() -> None:
    before, known = list(sys.path), set(sys.modules)
    game = strategies.game("./dice-race", OWN_GAME.parent)
    assert strategies.strategy(game.ref, "holder").own == game.own != ""
    assert sys.path == before
    assert all(name.startswith("balance_own_dice_race_") for name in set(sys.modules) - known if "race" in name)
    assert not {"state", "rules", "text", "dice-race"} & set(sys.modules)
    assert sys.modules["strategies"] is strategies
    assert (game.name, game.ref) == ("dice-race", str(OWN_GAME))
    assert not list(OWN_GAME.rglob("__pycache__"))


# ---------------------------------------------------------------- exact odds, by another way


def turn(points: int, goal: int, at: int, faces: list[int], bust: int) -> dict[int, float]:
    """Return the chances of the points (`goal` for reaching it) after a turn of somebody who holds at `at`."""
    ends: dict[int, float] = defaultdict(float)
    pots = {0: 1.0}
    while pots:
        following: dict[int, float] = defaultdict(float)
        for pot, chance in pots.items():
            for face in faces:
                share = chance / len(faces)
                if face == bust:
                    ends[points] += share
                elif points + pot + face >= goal:
                    ends[goal] += share
                elif pot + face >= at:
                    ends[points + pot + face] += share
                else:
                    following[pot + face] += share
        pots = following
    return ends


def exact(goal: int, cap: int, at: tuple[int, ...], starts: tuple[int, ...]) -> tuple[list[float], float]:
    """Return the chances that each player wins, and that nobody has by the end of round `cap`."""
    faces, bust = [1, 2, 3, 4, 5, 6], 1
    won = [0.0] * len(at)
    positions = {starts: 1.0}
    turns: dict[tuple[int, int], dict[int, float]] = {}
    for _ in range(cap):
        for seat in range(len(at)):
            following: dict[tuple[int, ...], float] = defaultdict(float)
            for points, chance in positions.items():
                key = (seat, points[seat])
                turns[key] = turns.get(key) or turn(points[seat], goal, at[seat], faces, bust)
                for end, share in turns[key].items():
                    if end == goal:
                        won[seat] += chance * share
                    else:
                        following[(*points[:seat], end, *points[seat + 1 :])] += chance * share
            positions = following
    return won, sum(positions.values())


@pytest.mark.parametrize(
    ("goal", "cap", "at"), [(40, 40, (20, 12)), (40, 5, (7, 30)), (15, 9, (4, 4, 9))], ids=["long", "capped", "three"]
)
def test_its_odds_are_those_of_an_exact_count(goal: int, cap: int, at: tuple[int, ...], write_yaml: Any) -> None:
    runners, starts = ("hare", "tortoise", "snail"), (0, 5, 10)
    seats = [{"runner": runners[i], "strategy": "holder", "params": {"at": hold}} for i, hold in enumerate(at)]
    data = {"game": str(OWN_GAME), "seats": seats, "rules": {"goal": goal, "round_cap": cap}, "seed": 31}
    loaded = scenario.load(write_yaml(data), strategies)
    games = 20_000 if strategies.game(str(OWN_GAME)).tools.setup is not loaded.game.rules.setup else 400
    winners = Player(loaded.match, strategies).play(0, games)["winners"]
    won, unfinished = exact(goal, cap, at, starts[: len(at)])
    assert sum(won) + unfinished == pytest.approx(1)
    for mask, chance in [(0, unfinished), *((1 << seat, share) for seat, share in enumerate(won))]:
        error = (chance * (1 - chance) / games) ** 0.5
        assert abs((winners == mask).mean() - chance) <= sigmas() * error + 1e-12


# ---------------------------------------------------------------- every command


@pytest.mark.slow
def test_odds_are_the_same_for_jobs_processes_and_without_jit(home: Path) -> None:
    first = without_timing(balance(home, "odds", RACE, *SHORT, "--jobs", "1"))
    assert (first["game"], first["edition"]) == ("dice-race", "prototype")
    assert first["notes"] == ["changed by the scenario: rules.goal"]
    assert without_timing(balance(home, "odds", RACE, *SHORT, "--jobs", "2")) == first
    assert without_timing(balance(home, "odds", RACE, *SHORT, "--jobs", "2", "--backend", "processes")) == first
    assert without_timing(balance(home, "odds", RACE, *SHORT, "--jobs", "1", NUMBA_DISABLE_JIT="1")) == first
    # found from the scenario's folder, wherever one stands
    (home / "elsewhere").mkdir()
    there = without_timing(balance(home / "elsewhere", "odds", f"../{RACE}", *SHORT))
    assert (there["sides"], there["digest"]) == (first["sides"], first["digest"])


@pytest.mark.slow
def test_generic_strategies_and_a_strategy_file_play_it(home: Path) -> None:
    (home / "mine.py").write_text(
        "from simcore.contract import Param, strategy\n\n\n@strategy(at=Param(10, 1, 99, 'pot'))\n"
        "def bold(state, seat, actions, n, params, work, tools):\n"
        "    return 1 if state.play.pot < params[0] else 0\n",
        encoding="utf-8",
    )
    seats = [
        ("seats.1.strategy=lookahead", "seats.1.params={rollouts: 4, horizon: 1}"),
        ("seats.1.strategy=weights", "seats.1.params={weights: {gain: 1}}"),
        ("seats.1.strategy=random",),
        ("seats.1.strategy=mine.py:bold", "seats.1.params={at: 15}"),
        ("seats.1.strategy=holder", "seats.1.params={at: 15}"),
    ]
    found = []
    for changes in seats:
        done = balance(home, "odds", RACE, *SHORT, *(part for change in changes for part in ("--set", change)))
        found.append(answer(done)["sides"][0]["wins"])
    assert found[3] == found[4]  # the same plan, written twice
    assert len(set(found)) == 4
    assert found[2] == min(found)


@pytest.mark.slow
def test_a_run_directory_names_no_folder_of_the_machine_and_can_be_played_again(home: Path) -> None:
    done = balance(home, "run", "three-runners.yaml", "-o", "out", *SHORT[:2], "--games", "300", "--keep-games")
    assert done.returncode == 0, done.stderr
    assert balance(home, "report", "out").returncode == 0
    for file in (home / "out").rglob("*"):
        assert file.is_dir() or str(home).encode() not in file.read_bytes(), file
    summary = json.loads((home / "out" / "summary.json").read_text("utf-8"))
    assert (summary["resolved"]["game"], summary["resolved"]["edition"]) == ("./dice-race", "prototype")
    (home / "again.yaml").write_text(yamlfile.dump(summary["resolved"]), encoding="utf-8")
    again = answer(balance(home, "odds", "again.yaml", "--games", "300", "--json"))
    assert again["digest"] == summary["digest"]
    assert again["sides"] == summary["sides"]
    told = answer(balance(home, "trace", "again.yaml", "--game", "7", "--json"))
    text = balance(home, "trace", "again.yaml", "--game", "7")
    assert "starts with 10" in text.stdout
    import polars as pl

    games = pl.read_parquet(home / "out" / "games" / "*.parquet")
    assert told["outcome"]["metrics"]["rolls"] == games["rolls"][7]


def test_show_tells_all_about_it(home: Path) -> None:
    facts = answer(balance(home, "show", "./dice-race", "--json"))
    assert (facts["id"], facts["editions"]) == ("dice-race", ["prototype"])
    assert facts["edition"]["file"] == "dice-race/editions/prototype.yaml"
    assert facts["summary"].startswith("Two to four runners")
    assert [s["name"] for s in facts["strategies"] if s["game"] == "dice-race"] == ["holder", "racer"]
    page = balance(home, "show", "./dice-race")
    assert page.returncode == 0 and "holder" in page.stdout and str(home) not in page.stdout


def test_validate_and_no_code_import_nothing(own: Path) -> None:
    changed(own, "__init__.py", "GAME = Game(", "open('ran.txt', 'w').close()\nGAME = Game(")
    seen = balance(own, "validate", RACE)
    assert seen.returncode == 0
    assert seen.stdout.startswith(f"{RACE}: ok as far as can be seen: rules, components")
    for command in (("odds", RACE), ("trace", RACE, "--game", "1"), ("validate", RACE), ("run", RACE, "-o", "out")):
        done = balance(own, *command, "--no-code")
        assert done.returncode == 2
        assert done.stderr == f"{RACE}:1:7: game './dice-race' is code of your own, which --no-code refuses\n"
    assert not (own / "ran.txt").exists()
    assert not (own / "out").exists()


def test_validate_finds_what_takes_no_code(own: Path) -> None:
    wrong = "game: ./dice-race\nedition: nope\nseats:\n  - {runner: hare, strategy: holdr}\n  - {runner: hare}\n"
    (own / "wrong.yaml").write_text(wrong, encoding="utf-8")
    done = balance(own, "validate", "wrong.yaml")
    assert done.returncode == 2
    edition, strategy, missing = done.stderr.splitlines()
    assert edition.startswith("wrong.yaml:2:10: edition 'nope' is not known; known: prototype")
    assert strategy.startswith(
        "wrong.yaml:4:30: strategy 'holdr' is not known for 'dice-race'; did you mean \"holder\""
    )
    assert missing == "wrong.yaml:5:5: 'strategy' is missing"


def test_wrong_values_are_found_by_the_models_of_the_game(home: Path) -> None:
    done = balance(home, "odds", RACE, "--set", "seats.1.runner=hair", "--set", "rules.gaol=3")
    assert done.returncode == 2
    assert "--set rules.gaol: rule 'gaol' is not known; did you mean \"goal\"" in done.stderr
    done = balance(home, "odds", RACE, "--set", "seats.1.runner=hair")
    assert done.stderr.startswith("--set seats.1.runner: runner 'hair' is not known; did you mean \"hare\"?")


# ---------------------------------------------------------------- caches


@pytest.mark.slow
def test_a_second_process_compiles_nothing_until_the_game_changes(own: Path) -> None:
    cache = {"XDG_CACHE_HOME": str(own / "cache")}
    changes = ("--set", "seats.1.strategy=random", *SHORT)
    first = balance(own, "odds", RACE, *changes, **cache)
    assert [line.split()[2] for line in compiled(first)] == ["dice-race", "dice-race.holder", "dice-race.random"]
    files = {file: file.stat().st_mtime_ns for file in (own / "cache").rglob("*.nb[ci]")}
    second = balance(own, "odds", RACE, *changes, **cache)
    assert second.stderr == ""
    assert without_timing(second) == without_timing(first)
    assert {file: file.stat().st_mtime_ns for file in (own / "cache").rglob("*.nb[ci]")} == files
    changed(own, "rules.py", "play.rolls += 1", "play.rolls += 2")
    third = balance(own, "odds", RACE, *changes, **cache)
    assert "checking dice-race" in third.stderr
    assert compiled(third)[0].split()[2] == "dice-race"
    one, other = answer(second), answer(third)
    assert one["digest"]["sources"] == other["digest"]["sources"]
    assert one["digest"]["inputs"] != other["digest"]["inputs"]
    assert other["metrics"]["rolls"]["mean"] == 2 * one["metrics"]["rolls"]["mean"]


# ---------------------------------------------------------------- names that others use, too


@pytest.mark.slow
def test_a_repository_with_its_own_strategies_and_cli_changes_nothing(own: Path) -> None:
    for name in ("strategies", "simcore", "reports"):
        (own / name).mkdir()
        (own / name / "__init__.py").write_text(WRONG_PACKAGE, encoding="utf-8")
    (own / "cli.py").write_text(WRONG_PACKAGE, encoding="utf-8")
    (own / "dice-race" / "cli.py").write_text("SPEED = 1\n", encoding="utf-8")
    changed(own, "strategies.py", "from .state import", "from .cli import SPEED as SPEED\nfrom .state import")
    done = answer(balance(own, "odds", RACE, *SHORT, "--jobs", "2", "--backend", "processes"))
    assert done["games"] == 400


@pytest.mark.slow
def test_a_folder_with_the_name_of_a_shipped_game_is_another_game(own: Path) -> None:
    name = strategies.game_names()[0]
    for file in ("__init__.py", "editions/prototype.yaml"):
        path = own / "dice-race" / file
        path.write_text(path.read_text("utf-8").replace("dice-race", name), encoding="utf-8")
    (own / "dice-race").rename(own / name)
    (own / RACE).write_text((own / RACE).read_text("utf-8").replace("dice-race", name), encoding="utf-8")
    first = answer(balance(own, "odds", RACE, *SHORT))
    assert first["game"] == name
    assert "points.1" in first["metrics"]
    shown = answer(balance(own, "show", f"./{name}", "--json"))
    assert [s["name"] for s in shown["strategies"] if s["game"]] == ["holder", "racer"]
    ours = answer(balance(own, "show", name, "--json"))
    assert ours["editions"] == ["reconstruction"] and "holder" not in {s["name"] for s in ours["strategies"]}


def test_a_game_may_be_a_single_module(own: Path) -> None:
    folder = own / "dice-race"
    parts = ["state", "components", "rules", "hidden", "features", "kernel", "text"]
    lines = ["from __future__ import annotations", "import sys"]
    for part in parts:
        inner = ast.parse((folder / f"{part}.py").read_text("utf-8"))
        inner.body = [
            n for n in inner.body if not (isinstance(n, ast.ImportFrom) and (n.level or n.module == "__future__"))
        ]
        lines.append(ast.unparse(inner))
        (folder / f"{part}.py").unlink()
    main = (folder / "__init__.py").read_text("utf-8").partition("GAME = ")[2]
    lines += ["me = st = sys.modules[__name__]", "from simcore.contract import Decision, Game, Rules as Kernels"]
    main = main.replace("rules=Rules(", "rules=Kernels(").replace("components=components", "components=me")
    for part in parts:
        main = main.replace(f"{part}.", "me.")
    (folder / "__init__.py").write_text("\n".join([*lines, f"GAME = {main}"]), encoding="utf-8")
    (folder / "strategies.py").unlink()
    players = ("--set", "seats.1.strategy=random", "--set", "seats.2.strategy=random")
    assert answer(balance(own, "odds", RACE, *SHORT, *players))["games"] == 400
    assert balance(own, "show", "./dice-race").returncode == 0


# ---------------------------------------------------------------- mistakes


def one_line(done: Any) -> str:
    """Return the line that says what is wrong."""
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if not line.startswith("balance: c")]
    assert len(lines) == 1, done.stderr
    return str(lines[0])


def line_of(folder: Path, file: str, text: str, shift: int) -> str:
    """Return ``dice-race/file:line:`` of the first line of a file that holds `text`, or of one `shift` lines below."""
    lines = (folder / "dice-race" / file).read_text("utf-8").splitlines()
    return f"dice-race/{file}:{next(n for n, line in enumerate(lines, 1) if text in line) + shift}:"


# file, old text, new text, the line that is blamed, what is said
DECLARED = [
    ("__init__.py", "GAME = Game(", "game = Game(", '"""Dice', "does not define GAME; expected GAME = Game("),
    ("__init__.py", "GAME = Game(", "GAME = dict(", "GAME", "GAME is of type dict; expected"),
    ("__init__.py", 'name="dice-race"', 'name="Dice Race"', "GAME", "GAME.name: got 'Dice Race', expected an id"),
    ("__init__.py", "version=1", "version='1'", "GAME", "GAME.version: got '1', expected a whole number"),
    ("__init__.py", "(2, 3, 4)", "(3, 2)", "GAME", "GAME.seat_counts: got (3, 2), expected ascending"),
    ("__init__.py", "(2, 3, 4)", "(2, 3)", "GAME", "GAME.state: expected state_dtype(..., seats=3, chance=4)"),
    ("__init__.py", "actions=state.ACTIONS", "actions=0", "GAME", "GAME.actions: got 0"),
    ("__init__.py", "tuple((seat,) for", "tuple((0,) for", "GAME", "GAME.sides(2): expected the seats 0 to 1"),
    ("__init__.py", "hide=hidden.hide", "hide=None", "GAME", "GAME: 'hide' is no function"),
    ("__init__.py", "components=components", "components=state", "GAME", "has no class 'Edition'"),
    ("__init__.py", "sides=lambda n: tuple", "sides=lambda n: nope", "nope", "NameError: name 'nope'"),
    ("__init__.py", "    version=1,\n", "", "GAME", "TypeError: "),
    ("state.py", '("pot", "i8")', '("size", "i8")', "", "a field may not be called 'size'"),
    ("state.py", "ACTIONS = 2", "ACTIONS = 1 // 0", "1 // 0", "ZeroDivisionError: "),
    ("rules.py", "def setup(state", "def setup(:state", "def setup", "is no Python: "),
    ("hidden.py", "from simcore.rng", "import rules\nfrom simcore.rng", "import rules", "ModuleNotFoundError"),
    ("strategies.py", "from .state", "from .stat", "from .stat", "ModuleNotFoundError: "),
    (
        "strategies.py",
        "def racer",
        "def random",
        "",
        "strategies.py defines 'random', which is a strategy of every game",
    ),
    ("components.py", "return next(", "return nope(", "nope", "NameError: name 'nope'"),
    ("components.py", "tab.p_bust = 1", "tab.p_burst = 1", "p_burst", "AttributeError: "),
    (
        "editions/prototype.yaml",
        "game: dice-race",
        "game: other",
        "other",
        "this edition is for 'other', not for 'dice-",
    ),
]
RULES = [
    ("rules.py", "play.rolls += 1", "play.rolls += [1][play.rounds - 1]", "[1][", "'apply' raised IndexError"),
    pytest.param(
        *("rules.py", "play.pot += play.face", "play.rounds = 1", "def apply", "'apply' did not end a game within "),
        marks=pytest.mark.slow,  # the check gives a game half a minute
    ),
    (
        "rules.py",
        "play.rolls += 1",
        "while play.over == 0:\n        pass",
        "def apply",
        "'apply' gave no answer within 5 s",
    ),
    ("rules.py", "actions[1] = ROLL", "actions[2] = ROLL", "actions[2]", "'legal' raised IndexError"),
    ("rules.py", "return 2", "return 3", "def legal", "'legal' returned 3 in seat 2, turn 2, but there is room for 2"),
    ("rules.py", "return 2", "return 0", "def legal", "'legal' offered nothing in seat 2, turn 2, and the game is"),
    ("rules.py", "actions[0] = STOP", "actions[0] = -7", "def legal", "'legal' offered -7 in seat 2, turn 2"),
    (
        "rules.py",
        "actions[0] = STOP",
        "actions[0] = ROLL",
        "def legal",
        "'legal' offered 1 in seat 2, turn 2; codes are",
    ),
    ("rules.py", "actions[0] = STOP", "state.play.pot += 1", "def legal", "'legal' changed the game"),
    ("rules.py", "actions[0] = STOP", "actions[0] = str(STOP).foo", ".foo", "'str' object has no attribute 'foo'"),
    ("rules.py", "    play.face = 0\n", "    pass\n", "def setup", "'setup' does not write 'play.face'"),
    ("rules.py", "following = 0", "following = 4", "", "'apply' "),
    ("rules.py", "1 << play.seat if", "64 if", "def score", "wrote 64 to winners, expected a bit mask of 2 sides"),
    ("rules.py", "row.reason = play.reason", "row.reason = 5", "def score", "wrote 5 to reason, expected 0 to 1"),
    ("rules.py", "row.rolls = play", "row.rolls = -play", "def score", "to 'rolls', which is not signed"),
    ("rules.py", "/ float(state.tab.goal)", "* 9.0", "def lead", "'lead' returned"),
    ("rules.py", "play.rolls += 1", "import os; play.rolls += 1", "import os", "the kernel 'apply' does not compile"),
    ("hidden.py", "random, seat)", "random, -1)", "def hide", "'hide' changed who decides, or the stream of seat 1"),
    ("hidden.py", "    reseed", "    state.play.face = 0\n    reseed", "def hide", "'hide' changed what is legal"),
    ("features.py", "= expected_gain(state) if", "= float('nan') if", "def features", "number that is not finite"),
    ("kernel.py", "score, 1, strategies", "score, 2, strategies", "def play_block", "'play_block' does not play what"),
    ("strategies.py", "return STOP if", "return 9 if", "def holder", "strategy 'holder' answered 9"),
]


@pytest.mark.parametrize(("file", "old", "new", "line", "message"), [*DECLARED, *RULES])
def test_what_is_wrong_with_a_game_is_one_line(
    own: Path, file: str, old: str, new: str, line: str, message: str
) -> None:
    changed(own, file, old, new)
    said = one_line(balance(own, "odds", RACE, "--games", "400"))
    assert message in said
    if line:
        place, decorated = line_of(own, file, line, 0), line_of(own, file, line, -1)
        assert said.startswith((place, decorated))  # a function is placed at its decorator


def test_texts_that_raise_are_one_line(own: Path) -> None:
    changed(own, "text.py", '"pot": int(play.pot)', '"pot": int(play.pott)')
    assert one_line(balance(own, "trace", RACE, "--game", "0")).startswith("dice-race/text.py:15:20: AttributeError: ")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("./nowhere", "race.yaml:1:7: game './nowhere': there is no such folder"),
        ("./empty", "race.yaml:1:7: game './empty': the folder has no __init__.py, where GAME is defined"),
        ("./race.yaml", "race.yaml:1:7: game './race.yaml': this is a file; a game is a folder"),
        ("dice-race", "race.yaml:1:7: game 'dice-race' is not known; a folder of your own is written ./dice-race"),
    ],
)
def test_a_folder_that_is_no_game(own: Path, name: str, message: str) -> None:
    (own / "empty").mkdir()
    (own / "race.yaml").write_text((own / RACE).read_text("utf-8").replace("./dice-race", name), encoding="utf-8")
    assert one_line(balance(own, "odds", "race.yaml")) == message
    assert one_line(balance(own, "validate", "race.yaml")) == message


def test_a_changed_file_is_another_game_in_the_same_process(own: Path) -> None:
    first = strategies.game("./dice-race", own)
    assert strategies.game("./dice-race", own) is first
    changed(own, "__init__.py", "version=1", "version=2")  # as long as before, within the same second
    second = strategies.game("./dice-race", own)
    assert (first.version, second.version) == (1, 2)
    assert first.own != second.own
    changed(own, "__init__.py", "version=2", "version=0")
    with pytest.raises(InputError, match=r"GAME\.version: got 0"):
        strategies.game("./dice-race", own)


def test_the_same_files_elsewhere_are_the_same_input(own: Path) -> None:
    here, there = (scenario.load(folder / RACE, strategies) for folder in (own, OWN_GAME.parent))
    assert here.inputs == there.inputs
    assert here.match.game != there.match.game
    assert os.path.isabs(here.match.game)
    assert here.resolved == there.resolved
    assert ROOT.name not in json.dumps(here.resolved)
