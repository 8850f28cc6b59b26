"""The real command in an empty folder: what a person, a script or a build meets."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from console import COMMAND, answer, balance, environment, without_timing
from support import logged, wait_for

FILM = "hate-to-kill-you/film-duel"
DUEL = """\
game: hate-to-kill-you
seats:
  - {strategy: greedy, character: inigo}
  - {strategy: random, character: man-in-black}
seed: 5
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "duel.yaml").write_text(DUEL, encoding="utf-8")
    return tmp_path


def test_help_imports_nothing_heavy(folder: Path) -> None:
    code = "import atexit, sys, cli\nsys.argv = ['balance', '--help']\n"
    code += "heavy = {'numba', 'numpy', 'polars', 'matplotlib', 'scipy', 'pydantic'}\n"
    code += "atexit.register(lambda: print(sorted(heavy & set(sys.modules)), file=sys.stderr))\ncli.main()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stderr.splitlines()[-1] == "[]"
    assert "odds" in done.stdout


def test_odds_answers_with_the_json_of_the_readme(folder: Path) -> None:
    found = answer(balance(folder, "odds", FILM, "--games", "4000", "--json"))
    assert found["schema"] == "balance.summary/1"
    assert (found["scenario"], found["game"], found["games"]) == (FILM, "hate-to-kill-you", 4000)
    assert (
        sum(side["wins"] for side in found["sides"]) + found["tied"] + found["nobody"] + found["unfinished"]["games"]
        == 4000
    )
    assert [side["side"] for side in found["sides"]] == [1, 2]
    for side in found["sides"]:
        assert 0 <= side["low"] <= side["rate"] <= side["high"] <= 1
    for name in ("turns", "rounds", "decisions", "minutes"):
        keys = ("min", "p05", "p25", "p50", "p75", "p90", "p95", "max")
        values = [found[name][key] for key in keys]
        assert values == sorted(values)
        assert found[name]["min"] <= found[name]["mean"] <= found[name]["max"]
    assert sum(found["reasons"].values()) == 4000
    assert sum(found["provenance"].values()) == pytest.approx(1)
    assert set(found["digest"]) == {"inputs", "sources"}
    assert set(found["interval"]) >= {"method", "confidence", "simultaneous"}
    assert found["stop"] == {"reason": "games", "target": 4000, "reached": 4000, "unit": "games"}
    for metric in found["metrics"].values():
        assert set(metric) >= {"mean", "sd", "min", "p50", "max"}


def test_a_comparison_of_amounts_whose_first_ranges_have_no_end_comes_to_an_answer(folder: Path) -> None:
    (folder / "slow.yaml").write_text(DUEL.replace("greedy", "random") + "rotate: true\n", encoding="utf-8")
    done = balance(folder, "compare", "slow.yaml", "--set", "rules.hits_to_win=4", "--on", "minutes", "--json")
    assert answer(done)["primary"]["quantity"] == "minutes"


def test_the_same_scenario_and_seed_give_the_same_json(folder: Path) -> None:
    base = ("odds", "duel.yaml", "--games", "3000", "--json")
    expected = without_timing(balance(folder, *base, "--jobs", "1"))
    assert without_timing(balance(folder, *base, "--jobs", "2")) == expected
    assert without_timing(balance(folder, *base, "--jobs", "2", "--backend", "processes")) == expected
    assert without_timing(balance(folder, *base, "--jobs", "2", "--block-deals", "77")) == expected
    assert without_timing(balance(folder, "odds", "--json", "--games", "3000", "duel.yaml")) == expected


def test_option_order_does_not_matter_and_seeds_differ(folder: Path) -> None:
    one = without_timing(balance(folder, "odds", "--seed", "8", "duel.yaml", "--games", "1000", "--json"))
    two = without_timing(balance(folder, "odds", "duel.yaml", "--games", "1000", "--json", "--seed", "8"))
    other = without_timing(balance(folder, "odds", "duel.yaml", "--games", "1000", "--json", "--seed", "9"))
    assert one == two
    assert one["seed"] == 8
    assert one["sides"] != other["sides"]


def test_two_runs_without_a_seed_differ(folder: Path) -> None:
    (folder / "free.yaml").write_text(DUEL.replace("seed: 5\n", ""), encoding="utf-8")
    one, two = (answer(balance(folder, "odds", "free.yaml", "--games", "500", "--json")) for _ in range(2))
    assert one["seed"] != two["seed"]
    assert max(one["seed"], two["seed"]) > 2**40  # full width: a smaller pair has a chance of 2 ** -26
    assert one["decisions"] != two["decisions"]
    again = answer(balance(folder, "odds", "free.yaml", "--games", "500", "--json", "--seed", str(one["seed"])))
    assert again["sides"] == one["sides"]


def test_set_changes_rules_seats_and_components(folder: Path) -> None:
    base = ("odds", "duel.yaml", "--games", "1000", "--json")
    plain = answer(balance(folder, *base))
    quick = answer(balance(folder, *base, "--set", "rules.hits_to_win=2"))
    assert quick["rounds"]["mean"] < plain["rounds"]["mean"] / 2
    assert quick["digest"]["inputs"] != plain["digest"]["inputs"]
    assert quick["notes"] == ["changed by the scenario: rules.hits_to_win"]
    strong = answer(balance(folder, *base, "--set", "seats.2.strategy=patient"))
    assert strong["sides"][1]["rate"] > plain["sides"][1]["rate"] + 0.2
    loaded = answer(balance(folder, *base, "--set", "components.yellow.faces=[2, 2, 2]"))
    assert loaded["resolved"]["components"] == {"yellow": {"faces": [2, 2, 2]}}


def test_the_reproduce_command_gives_the_same_numbers(folder: Path) -> None:
    import shlex

    base = ("odds", "duel.yaml", "--precision", "3", "--json", "--set", "rules.hits_to_win=3")
    first = answer(balance(folder, *base))
    command = shlex.split(first["reproduce"]["command"])
    again = answer(balance(folder, *command[1:], "--json"))
    for side in [*first["sides"], *again["sides"]]:
        del side["wilson"]  # only for a planned number of games
    for key in ("sides", "rounds", "metrics", "digest"):
        assert first[key] == again[key]


def test_run_writes_a_directory_that_report_reads(folder: Path) -> None:
    done = balance(folder, "run", "duel.yaml", "-o", "out", "--games", "2000", "--keep-games", "--json")
    found = answer(done)
    out = folder / "out"
    assert json.loads((out / "summary.json").read_text(encoding="utf-8")) == found
    assert {file.name for file in (out / "plots").iterdir()} >= {"win_rates.png", "duration_histogram.png"}
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "http" not in page.split("</head>")[0].replace("http-equiv", "")
    assert not [file for file in folder.rglob("*") if file.name.startswith(".") or file.suffix == ".tmp"]
    import polars as pl

    games = pl.read_parquet(out / "games" / "*.parquet")
    assert games["game"].to_list() == list(range(2000))
    assert int(games["won.1"].sum()) == found["sides"][0]["wins"]
    before = page
    again = balance(folder, "report", "out")
    assert again.returncode == 0
    assert again.stderr.startswith("balance: counted 2,000 kept games again: they are those of the answer\n")
    assert (out / "report.html").read_text(encoding="utf-8") == before
    games.with_columns(pl.col("rounds") + 1).write_parquet(out / "games" / "games-000000000000.parquet")
    edited = balance(folder, "report", "out")
    assert (edited.returncode, edited.stdout, edited.stderr.count("\n")) == (2, "", 1)
    assert edited.stderr.startswith("out/games: the kept games are not those of the answer: of rounds, ")
    assert (out / "report.html").read_text(encoding="utf-8") == before


def test_an_existing_directory_is_refused_without_force(folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "out" / "mine.txt").write_text("precious")
    done = balance(folder, "run", "duel.yaml", "-o", "out", "--games", "100")
    assert done.returncode == 2
    assert done.stderr.startswith("out: the directory exists")
    forced = balance(folder, "run", "duel.yaml", "-o", "out", "--games", "100", "--force")
    assert forced.returncode == 2
    assert (folder / "out" / "mine.txt").read_text() == "precious"
    assert balance(folder, "run", "duel.yaml", "-o", "new", "--games", "100").returncode == 0
    assert balance(folder, "run", "duel.yaml", "-o", "new", "--games", "102", "--force").returncode == 0
    assert json.loads((folder / "new" / "summary.json").read_text(encoding="utf-8"))["games"] == 102


def test_a_directory_that_cannot_be_made_costs_no_games(folder: Path) -> None:
    (folder / "file").write_text("")
    done = balance(folder, "run", "duel.yaml", "-o", "file/out", "--games", "1000000000")
    assert done.returncode == 2
    assert done.stderr.startswith("file/out: cannot be written")
    assert len(done.stderr.splitlines()) == 1


WRONG: list[tuple[tuple[str, ...], str]] = [
    (("odds",), "balance: Missing argument 'SCENARIO'"),
    (("odds", "nope"), "nope: no such file, and no shipped scenario"),
    (("odds", "nope.yaml"), "nope.yaml: "),
    (("odds", "."), ".: "),
    (("odds", "duel.yaml", "--games", "0"), "--games: games: got 0"),
    (("odds", "duel.yaml", "--games", "-5"), "--games: games: got -5"),
    (("odds", "duel.yaml", "--games", "1e6"), "--games: "),
    (("odds", "duel.yaml", "--games", "2.5"), "--games: games: got 2.5"),
    (("odds", "duel.yaml", "--seed", "1e6"), "--seed: "),
    (("odds", "duel.yaml", "--seed", "-1"), "--seed: seed: got -1"),
    (("odds", "duel.yaml", "--precision", "nan"), "--precision: "),
    (("odds", "duel.yaml", "--precision", "0"), "--precision: precision: got 0"),
    (("odds", "duel.yaml", "--jobs", "0"), "balance: Invalid value for '--jobs'"),
    (("odds", "duel.yaml", "--bogus"), "balance: No such option: --bogus"),
    (("odds", "duel.yaml", "--set", "rules"), "--set rules: expected PATH=VALUE"),
    (("odds", "duel.yaml", "--set", "rules.hits=3"), "--set rules.hits: rule 'hits' is not known"),
    (
        ("odds", "duel.yaml", "--set", "seats.3.strategy=greedy"),
        "--set seats.3.strategy: '3' is no position from 1 to 2",
    ),
    (("odds", "duel.yaml", "--set", "seats.1.strategy=gredy"), "--set seats.1.strategy: strategy 'gredy' is not known"),
    (("odds", "duel.yaml", "--json", "--csv"), "--json --csv: choose one of"),
    (("odds", "duel.yaml", "--seed", "4", "--set", "seed=3"), "--set seed=3: is set twice, by --seed 4 too"),
    (("odds", "duel.yaml", "--games", "9", "--set", "games=8"), "--set games=8: is set twice, by --games 9 too"),
    (("report", "nowhere"), "nowhere: is no directory"),
    (("report", "."), ".: manifest.json is missing"),
    (("trace", "duel.yaml"), "balance: Missing option '--game'"),
    (("show", "chess"), "chess"),
    (("bogus",), "balance: No such command 'bogus'"),
]


@pytest.mark.parametrize(("arguments", "start"), WRONG, ids=[" ".join(arguments) for arguments, _ in WRONG])
def test_a_mistake_is_one_line_and_exit_2(folder: Path, arguments: tuple[str, ...], start: str) -> None:
    before = sorted(folder.rglob("*"))
    done = balance(folder, *arguments)
    assert done.returncode == 2
    assert start in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert sorted(folder.rglob("*")) == before


OWN = '''\
from simcore.contract import Param, strategy
from simcore.rng import below


@strategy(skip=Param(0, 0, 5, "actions to skip"))
def good(state, seat, actions, n, params, work, tools):
    """Takes an early action."""
    return actions[min(int(params[0]), n - 1)]


def raises(state, seat, actions, n, params, work, tools):
    table = [1, 2, 3]
    return actions[table[n + 5]]


def illegal(state, seat, actions, n, params, work, tools):
    return 1234


def cheats(state, seat, actions, n, params, work, tools):
    state.play.hits[seat] += 1
    return actions[0]


def peeks(state, seat, actions, n, params, work, tools):
    below(state.rng, 1 - seat, 6)
    return actions[0]


def overruns(state, seat, actions, n, params, work, tools):
    return actions[0] + state.play.swords[seat, 40 + n] * 0


def uncompiled(state, seat, actions, n, params, work, tools):
    import os
    return actions[0] if os.getpid() else actions[1]


def wrong_arguments(state, actions):
    return actions[0]


def endless(state, seat, actions, n, params, work, tools):
    while n > 0:
        seat = 1 - seat
    return actions[0]
'''


def test_a_strategy_of_ones_own_plays(folder: Path) -> None:
    # what was checked once is not checked again, so a cache that earlier tests have filled must not know the file
    (folder / "mine.py").write_text(f"{OWN}\n# {time.time_ns()}\n", encoding="utf-8")
    done = balance(folder, "odds", "duel.yaml", "--games", "500", "--json", "--set", "seats.1.strategy=mine.py:good")
    first = answer(done)
    assert "checking mine.py:good" in done.stderr
    changed = answer(
        balance(
            folder,
            *("odds", "duel.yaml", "--games", "500", "--json"),
            *("--set", "seats.1.strategy=mine.py:good", "--set", "seats.1.params.skip=2"),
        )
    )
    assert changed["decisions"] != first["decisions"]


@pytest.mark.parametrize(
    ("name", "place", "words"),
    [
        ("raises", "mine.py:13:", "raised IndexError"),
        ("illegal", "mine.py:16:1", "answered 1234"),
        ("cheats", "mine.py:20:1", "changed the game"),
        ("peeks", "mine.py:25:1", "changed the game"),
        ("overruns", "mine.py:31:", "raised IndexError"),
        ("uncompiled", "mine.py:3", "does not compile"),
        ("wrong_arguments", "mine.py:39:1", "a strategy takes (state, seat, actions"),
        ("endless", "mine.py:43:1", "gave no answer"),
        ("missing", "mine.py", "has no function 'missing'"),
    ],
)
def test_a_bad_strategy_of_ones_own_is_named_with_its_place(folder: Path, name: str, place: str, words: str) -> None:
    (folder / "mine.py").write_text(OWN, encoding="utf-8")
    done = balance(folder, "odds", "duel.yaml", "--games", "500", "--set", f"seats.1.strategy=mine.py:{name}")
    assert done.returncode == 2, done.stderr
    message = [line for line in done.stderr.splitlines() if not line.startswith("balance: ")]
    assert len(message) == 1
    assert place in message[0]
    assert words in message[0]
    assert done.stdout == ""


def test_a_file_that_raises_on_import_or_is_no_python(folder: Path) -> None:
    (folder / "boom.py").write_text("x = 1\ny = 1 / 0\n", encoding="utf-8")
    (folder / "text.py").write_text("def f(:\n", encoding="utf-8")
    for name, words in (("boom.py:f", "has no function"), ("text.py:f", "text.py:1:7: is no Python")):
        done = balance(folder, "odds", "duel.yaml", "--set", f"seats.1.strategy={name}")
        assert done.returncode == 2
        assert words in done.stderr
    (folder / "boom.py").write_text(
        "def f(state, seat, actions, n, params, work, tools):\n    return 0\ny = 1 / 0\n", encoding="utf-8"
    )
    done = balance(folder, "odds", "duel.yaml", "--set", "seats.1.strategy=boom.py:f")
    assert done.returncode == 2
    assert "boom.py:3:5: ZeroDivisionError" in done.stderr


def test_validate_imports_no_code_and_no_code_refuses_it(folder: Path) -> None:
    (folder / "mine.py").write_text("open('ran.txt', 'w').close()\n" + OWN, encoding="utf-8")
    (folder / "own.yaml").write_text(DUEL.replace("greedy", "mine.py:good"), encoding="utf-8")
    assert balance(folder, "validate", "own.yaml").returncode == 0
    assert not (folder / "ran.txt").exists()
    done = balance(folder, "odds", "own.yaml", "--no-code", "--games", "100")
    assert done.returncode == 2
    assert done.stderr.startswith("own.yaml:3:")
    assert not (folder / "ran.txt").exists()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_prints_its_answer(folder: Path, number: int, code: int) -> None:
    process = subprocess.Popen(
        [*COMMAND, "odds", "duel.yaml", "--games", "10000000000", "--json", "--log-file", "log"],
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: logged(folder / "log", "look"))
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert "interrupted" in err
    found = json.loads(out)
    assert found["stop"]["reason"] == "interrupted"
    assert found["games"] > 0
    assert found["sides"][0]["low"] < found["sides"][0]["rate"] < found["sides"][0]["high"]


CTRL_C = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background of a script ignores it
module = sys.argv.pop(1)
class Finder:
    def find_spec(self, name, *more):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
import cli
cli.main()
"""


@pytest.mark.parametrize("module", ["typer", "commands.checks", "simcore.streams", "simcore.scenario"])
def test_ctrl_c_while_the_program_starts_is_no_traceback(folder: Path, module: str) -> None:
    words = [sys.executable, "-c", CTRL_C, module, "odds", "duel.yaml"]
    done = subprocess.run(words, cwd=folder, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_signal_where_nothing_can_be_raised_is_noted_and_not_told(folder: Path) -> None:
    code = """
import os, signal, weakref
from commands.ending import SIGNALS
class Thing: pass
thing = Thing()
kept = weakref.ref(thing, lambda ref: os.kill(os.getpid(), signal.SIGINT))
SIGNALS.listen()
del thing
print(SIGNALS.code)
"""
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "130\n", "")


def test_too_little_time_exits_3_with_an_answer(folder: Path) -> None:
    done = balance(folder, "odds", "duel.yaml", "--precision", "0.01", "--max-time", "0.2", "--json")
    assert done.returncode == 3
    found = json.loads(done.stdout)
    assert found["stop"]["reason"] == "max-time"
    assert found["stop"]["reached"] > 0.01


@pytest.mark.parametrize(
    ("limits", "reason", "code"),
    [
        (("--games", "2000", "--precision", "0.5", "--max-time", "600"), "budget", 3),
        (("--games", "2000000", "--precision", "4", "--max-time", "600"), "precision", 0),
        (("--games", "2000000000", "--precision", "0.001", "--max-time", "1"), "max-time", 3),
        (("--games", "2000", "--max-time", "600"), "games", 0),
    ],
)
def test_a_run_stops_at_whatever_comes_first(folder: Path, limits: tuple[str, ...], reason: str, code: int) -> None:
    done = balance(folder, "odds", "duel.yaml", *limits, "--json")
    found = json.loads(done.stdout)
    assert (found["stop"]["reason"], done.returncode) == (reason, code)
    assert (found["games"] == 2000) == (reason in ("budget", "games"))
    # what was played is a prefix: the same answer as if so many games had been planned
    again = json.loads(balance(folder, "odds", "duel.yaml", "--games", str(found["games"]), "--json").stdout)
    assert [side["wins"] for side in again["sides"]] == [side["wins"] for side in found["sides"]]
    assert again["rounds"] == found["rounds"]


def test_names_survive_every_output(folder: Path) -> None:
    label = "<script>alert(1)</script> Müller–Élan ⚔ NaN"
    text = DUEL.replace("character: inigo", f"character: inigo, label: '{label}'")
    (folder / "names.yaml").write_text("\ufeff" + text, encoding="utf-8")
    found = answer(balance(folder, "odds", "names.yaml", "--games", "200", "--json"))
    assert found["sides"][0]["label"] == label
    for option in ("--csv", "--md"):
        assert "Müller–Élan ⚔" in balance(folder, "odds", "names.yaml", "--games", "200", option).stdout
    assert balance(folder, "run", "names.yaml", "-o", "out", "--games", "200").returncode == 0
    page = (folder / "out" / "report.html").read_text(encoding="utf-8")
    assert "<script>alert(1)" not in page
    narrow = balance(folder, "odds", "names.yaml", "--games", "200", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert narrow.returncode == 0


def test_jit_off_gives_the_same_numbers(folder: Path) -> None:
    base = ("odds", "duel.yaml", "--games", "60", "--json", "--jobs", "1")
    assert without_timing(balance(folder, *base)) == without_timing(balance(folder, *base, NUMBA_DISABLE_JIT="1"))


def test_a_game_of_a_run_replays_alone(folder: Path) -> None:
    balance(folder, "run", "duel.yaml", "-o", "out", "--games", "50", "--keep-games")
    import polars as pl

    games = pl.read_parquet(folder / "out" / "games" / "*.parquet")
    told = answer(balance(folder, "trace", "duel.yaml", "--game", "37", "--json"))
    assert told["outcome"]["rounds"] == games["rounds"][37]
    assert told["outcome"]["decisions"] == games["decisions"][37]
    assert told["outcome"]["winners"] == [1 if games["won.1"][37] else 2]


def test_plots_need_no_window_whatever_the_environment_says(tmp_path: Path) -> None:
    (tmp_path / "duel.yaml").write_text(DUEL, encoding="utf-8")
    done = balance(tmp_path, "run", "duel.yaml", "--games", "100", "-o", "x", MPLBACKEND="nonsense")
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "x" / "plots").glob("*.png"))
