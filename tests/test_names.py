"""Names that break tools of this kind, in every output of every command: they stay names, and nothing else breaks.

A label is anything that people write: markup, other scripts, 200 characters, what looks like a number or a formula.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import shutil
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import polars
import pytest
import yaml
from rich.cells import cell_len

import strategies
from console import answer, balance, started
from report_kinds import KINDS, WRITTEN, command
from reports import catalogue, machine, story
from reports.text import in_ascii, shorten
from simcore.catalogue import listing
from simcore.results import to_json
from support import ROOT, THOROUGH
from test_reports import Page

SCRIPT = "<script>alert(1)</script>"
UMLAUT = "Müller–Élan ⚔"
LONG = "A card " + "of many words " * 13 + "and an end."
SCENARIO = f"{SCRIPT}</title> {UMLAUT}"
FORMULA = "=HYPERLINK(1) | `x` *y* $5"
DUEL = "hate-to-kill-you"
FILE, PLAIN = "müller ⚔.yaml", "plain ⚔.yaml"
NAMED = ("run", "compare", "matrix", "check")  # with a strategy that is called NaN; the others with --slow, too
LABELLED = ("compare", "sweep", "ladder")  # CSV with the labels of players, not only ids
assert len(LONG) == 200

PLAYER = '''
from simcore.contract import strategy
from simcore.rng import below


@strategy()
def NaN(state, seat, actions, n, params, work, tools):  # noqa: N802
    """Anybody."""
    return actions[below(state.rng, seat, n)]
'''
TABLE = f"""
game: hate-to-kill-you
label: '{SCENARIO}'
seats:
  - {{strategy: greedy, character: inigo, label: '{UMLAUT}'}}
  - {{strategy: 'mine.py:NaN', character: man-in-black, label: 'NaN'}}
components:
  feint: {{label: '{LONG}'}}
  leap: {{label: '{SCRIPT}'}}
  lunge: {{label: '{FORMULA}'}}
"""
NUMBERS = f"""
game: hate-to-kill-you
label: '{SCENARIO}'
seats:
  - {{strategy: weights, params: {{weights: {{gain: 1}}}}, character: inigo, label: '{UMLAUT}'}}
  - {{strategy: patient, character: man-in-black, label: '{SCRIPT}'}}
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the scenario, its player and its baseline."""
    folder = tmp_path_factory.mktemp("müller <b> ⚔")
    # every variant with code of one's own is rehearsed, which takes long
    plain = TABLE.replace("'mine.py:NaN'", "patient")
    for name, text in (("mine.py", PLAYER), (FILE, TABLE), (PLAIN, plain), ("numbers.yaml", NUMBERS)):
        (folder / name).write_text(text, encoding="utf-8")
    done = balance(folder, "baseline", "record", "--margin", "20", "--seed", "3", FILE)
    assert done.returncode == 0, done.stderr
    return folder


def words_of(kind: str, output: str) -> list[str]:
    """Return the command of a kind for the scenario."""
    named = kind in NAMED or bool(os.environ.get(THOROUGH))
    scenario = "numbers.yaml" if kind == "tune" else FILE if named else PLAIN
    words = command(kind, scenario, ["greedy", "mine.py:NaN" if named else "patient"], output)
    if kind == "sensitivity":
        words[words.index("rules")] = "components.feint"
    if kind == "components":
        words += ["--only", "feint", "--only", "leap", "--only", "lunge"]
    return words


def refuse(constant: str) -> None:
    """Fail on what strict JSON does not know."""
    raise AssertionError(constant)


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_and_the_text_of_a_command_hold_names_as_they_are(kind: str, home: Path) -> None:
    words = words_of(kind, f"out {kind}")
    more = ["--junit", "junit.xml"] if kind == "check" else []
    done = balance(home, *words, *more)
    assert done.returncode in WRITTEN, done.stderr
    check_text(done.stdout)
    source = (home / f"out {kind}" / "report.html").read_text(encoding="utf-8")
    page = Page(source)
    assert "<script" not in source
    assert re.findall(r"<[^>]*\son\w+=", source) == []
    if kind != "check":
        assert page.title.startswith(SCENARIO)
        assert UMLAUT in page.text
    for picture in (home / f"out {kind}").rglob("*.png"):
        assert picture.read_bytes().startswith(b"\x89PNG")
    names = [tag for tag, attrs in page.tags if tag == "svg" and "role" in attrs]
    assert bool(names) == (kind != "check")
    if more:
        tree = ElementTree.parse(home / "junit.xml")
        assert FILE in {each.get("classname") for each in tree.iter("testcase")}
    again = balance(home, "report", f"out {kind}", "--csv")
    assert again.returncode == 0, again.stderr
    assert (home / f"out {kind}" / "report.html").read_text(encoding="utf-8") == source
    assert read("csv", again.stdout) == parquet(home / f"out {kind}")


def parquet(directory: Path) -> list[dict[str, str]]:
    """Return the table of a directory, or that of the sides of a run, as CSV has it."""
    files = list((directory / "tables").iterdir())
    frame = polars.read_parquet(files[0] if len(files) == 1 else directory / "tables" / "sides.parquet")
    rows = [machine.cells(row) for row in frame.iter_rows(named=True)]
    return [{name: "" if cell is None else str(cell) for name, cell in row.items()} for row in rows]


def check_text(told: str) -> None:
    """Check what is meant for a terminal: it fits, except for commands, and steers nothing."""
    assert "\x1b" not in told
    prose = [line for line in told.splitlines() if "balance " not in line and not line.endswith("\\")]
    wide = [line for line in prose if cell_len(line) > 80 and not line.startswith(("    ", *WRITTEN_WORDS))]
    assert wide == []


WRITTEN_WORDS = ("pass ", "fail ", "undecided ", "warning ", FILE)  # lines of a check stay lines


FORMATS = ("json", "csv", "md")
# Each kind in one format; all formats with --slow.
TYPED = [
    pytest.param(format, kind, marks=() if (i + j) % len(FORMATS) == 0 else pytest.mark.slow)
    for i, kind in enumerate(KINDS)
    for j, format in enumerate(FORMATS)
    if kind != "run"
]


@pytest.mark.parametrize(("format", "kind"), TYPED)
def test_programs_read_names_as_they_are(kind: str, format: str, home: Path) -> None:
    words = words_of(kind, "unused")
    at = words.index("-o")
    done = balance(home, *words[:at], *words[at + 2 :], f"--{format}")
    assert done.returncode in WRITTEN, done.stderr
    read(format, done.stdout)
    if format == "json" or (format == "csv" and kind in LABELLED):
        assert UMLAUT in done.stdout
    if kind == "matrix":
        assert "mine.py:NaN" in done.stdout


@pytest.mark.parametrize("format", ["json", "csv", "md"])
def test_odds_are_read_with_names_as_they_are(format: str, home: Path) -> None:
    done = balance(home, "odds", FILE, "--games", "60", "--seed", "7", f"--{format}")
    assert done.returncode == 0, done.stderr
    found = read(format, done.stdout)
    if format == "json":
        assert [side["label"] for side in found["sides"]] == [UMLAUT, "NaN"]
    if format == "csv":
        assert [row["label"] for row in found] == [UMLAUT, "NaN"]


def read(format: str, text: str) -> Any:
    """Read an answer as a program does; fail where a name breaks it."""
    if format == "json":
        return json.loads(text, parse_constant=refuse)
    if format == "csv":
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        assert rows
        assert all(None not in row for row in rows)
        assert not [cell for row in rows for cell in row.values() if cell and cell.startswith(("=", "@"))]
        return rows
    assert "<script" not in text
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line.startswith("| ")]
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) <= 1
    return text


def test_a_game_is_told_and_the_game_is_shown_with_names_as_they_are(home: Path) -> None:
    told = balance(home, "trace", FILE, "--game", "2", "--seed", "7")
    assert told.returncode == 0, told.stderr
    check_text(told.stdout)
    assert UMLAUT in told.stdout
    found = json.loads(
        balance(home, "trace", FILE, "--game", "2", "--seed", "7", "--json").stdout, parse_constant=refuse
    )
    assert [player["label"] for player in found["players"]] == [UMLAUT, "NaN"]
    checked = balance(home, "validate", FILE)
    assert (checked.returncode, checked.stderr) == (0, "")


# ---------------------------------------------------------------- a game of one's own, and what there is

OWN = "Müller–Élan ⚔"
LABELS = {"Even die": LONG, "Plain die": SCRIPT, "Wild die": FORMULA, "Race (prototype)": SCENARIO}
RACE = f"""
game: './{OWN}'
label: '{SCENARIO}'
seats:
  - {{strategy: NaN, label: '{UMLAUT}'}}
  - {{strategy: NaN, label: 'NaN'}}
seed: 7
"""


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a game whose folder, dice, strategy and scenario have such names, and an edition of ours."""
    folder = tmp_path_factory.mktemp("race <b> ⚔")
    assert balance(folder, "new-game", "race").returncode == 0
    (folder / "race").rename(folder / OWN)
    (folder / "race.yaml").unlink()
    (folder / FILE).write_text(RACE, encoding="utf-8")
    edit(folder / OWN / "editions" / "prototype.yaml", LABELS)
    edit(folder / OWN / "strategies.py", {"def steady(": "def NaN(", "Someone who counts": f"{SCRIPT} | {UMLAUT}"})
    ours = ROOT / "simcore" / "games" / "hate_to_kill_you" / "editions" / "reconstruction.yaml"
    shutil.copy(ours, folder / PLAIN)
    edit(folder / PLAIN, {"Feint": LONG, "Leap": SCRIPT, "Lunge": FORMULA, "Inigo Montoya": UMLAUT})
    return folder


def edit(file: Path, changes: dict[str, str]) -> None:
    """Put names into a file; labels become quoted."""
    text = file.read_text(encoding="utf-8")
    for before, after in changes.items():
        old, new = (f"label: {before}", f"label: '{after}'") if file.suffix == ".yaml" else (before, after)
        assert text.count(old) == 1, before
        text = text.replace(old, new)
    file.write_text(text, encoding="utf-8")


def test_a_game_with_such_names_is_shown(race: Path) -> None:
    for words, labels in (
        ((f"./{OWN}",), {LONG, SCRIPT, FORMULA}),
        ((DUEL, "--edition", f"./{PLAIN}"), {LONG, SCRIPT, FORMULA, UMLAUT}),
    ):
        told = balance(race, "show", *words)
        assert (told.returncode, told.stderr) == (0, "")
        check_text("".join(line for line in told.stdout.splitlines(keepends=True) if "://" not in line))
        assert all(shorten(label, 30) in told.stdout for label in labels)
        found = answer(balance(race, "show", *words, "--json"))
        assert labels <= {element["label"] for kind in found["components"] for element in kind["elements"]}
        page = catalogue.game_page(found, ascii=True)
        assert page.isascii()
        check_text("".join(line for line in page.splitlines(keepends=True) if "://" not in line))
    own = answer(balance(race, "show", f"./{OWN}", "--json"))
    assert own["label"] == SCENARIO
    assert "NaN" in [strategy["name"] for strategy in own["strategies"]]


def test_a_scenario_of_a_game_with_such_names_is_written_and_checked(race: Path) -> None:
    done = balance(race, "init", f"./{OWN}", "-o", "tables ⚔/NaN.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    text = (race / "tables ⚔" / "NaN.yaml").read_text(encoding="utf-8")
    data = yaml.safe_load(text)
    assert (data["game"], data["label"]) == (f"../{OWN}", f"{SCENARIO}, my table")
    assert [(seat["strategy"], seat["label"]) for seat in data["seats"]] == [("NaN", UMLAUT), ("NaN", "NaN")]
    dice = text[text.index("# components:") : text.index("# The same seed")]
    opened = yaml.safe_load("\n".join(line[2:] for line in dice.splitlines()))
    assert opened["components"]["even"]["label"] == LONG
    # what comes next can be pasted, here and in the file
    for line in (done.stdout.splitlines()[1], done.stdout.splitlines()[2]):
        assert shlex.split(line)[2] == "tables ⚔/NaN.yaml"
    (shown,) = re.findall(r"`balance show (.+?)`", re.sub(r"\s+# ", " ", text))
    assert shlex.split(shown) == [f"../{OWN}"]
    checked = balance(race, "validate", "tables ⚔/NaN.yaml", FILE)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert [line.partition(":")[0] for line in checked.stdout.splitlines()] == ["tables ⚔/NaN.yaml", FILE]


def test_a_game_with_such_names_is_told(race: Path) -> None:
    # a game is told faster than it is compiled
    words = ("trace", FILE, "--game", "2", "--seed", "7")
    told = started(race, *words, NUMBA_DISABLE_JIT="1")
    assert told.returncode == 0, told.stderr
    check_text(told.stdout)
    assert told.stdout.startswith(f"{SCENARIO}: game 2 of seed 7\n{SCENARIO}\n")
    assert f"{UMLAUT} " in told.stdout
    found = answer(started(race, *words, "--json", NUMBA_DISABLE_JIT="1"))
    assert [(player["label"], player["strategy"]) for player in found["players"]] == [(UMLAUT, "NaN"), ("NaN", "NaN")]
    assert {found["labels"]["scenario"], found["labels"]["game"]} == {SCENARIO}


def test_cards_with_such_names_are_told_where_they_are_played(home: Path) -> None:
    told = balance(home, "trace", PLAIN, "--game", "0", "--seed", "7")
    assert told.returncode == 0, told.stderr
    check_text(told.stdout)
    words = " ".join(told.stdout.split())
    assert all(f"{name} " in words for name in (LONG, SCRIPT, FORMULA))
    ascii = story.render(answer(balance(home, "trace", PLAIN, "--game", "0", "--seed", "7", "--json")), ascii=True)
    assert ascii.isascii()
    check_text(ascii)
    assert "Muller-Elan ?" in ascii


def test_scenarios_with_such_names_are_listed(home: Path, tmp_path: Path) -> None:
    (tmp_path / DUEL).mkdir()
    for name in (FILE, PLAIN):
        shutil.copy(home / name, tmp_path / DUEL)
    found = listing(strategies, tmp_path, "scenarios")
    assert [each["label"] for each in found["scenarios"]] == [SCENARIO, SCENARIO]
    assert json.loads(to_json(found), parse_constant=refuse) == found
    for ascii in (False, True):
        told = catalogue.listing(found, ascii=ascii)
        check_text(told)
        assert told.isascii() == ascii
        assert " ".join(told.split()).count(in_ascii(SCENARIO) if ascii else SCENARIO) == 2


@pytest.mark.parametrize("name", [SCRIPT, UMLAUT, LONG, FORMULA])
def test_a_name_in_the_place_of_an_id_is_one_line_that_says_where(name: str, tmp_path: Path) -> None:
    seats = "seats: [{strategy: greedy, character: inigo}, {strategy: greedy, character: rugen}]"
    text = f"game: {DUEL}\n{seats}\n"
    places = {
        text.replace(DUEL, f"'{name}'"): (1, 7),
        text.replace("greedy", f"'{name}'", 1): (2, 1 + seats.index("greedy")),
        text.replace("inigo", f"'{name}'"): (2, 1 + seats.index("inigo")),
        f"{text}'{name.rstrip('.')}': 1\n": (3, 1),
    }
    for wrong, (line, column) in places.items():
        (tmp_path / FILE).write_text(wrong, encoding="utf-8")
        done = balance(tmp_path, "validate", FILE)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
        assert done.stderr.startswith(f"{FILE}:{line}:{column}: ")
        assert shorten(name, 40)[:20] in done.stderr
    done = balance(tmp_path, "init", name)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert balance(tmp_path, "show", name).returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_a_long_name_of_a_card_is_whole_where_there_is_room(home: Path) -> None:
    words = words_of("components", "cards")
    assert balance(home, *words).returncode in WRITTEN
    source = (home / "cards" / "report.html").read_text(encoding="utf-8")
    page = Page(source)
    cells = [row[0] for rows in page.tables.values() for row in rows]
    assert {LONG, SCRIPT, FORMULA} <= set(cells)
    drawn = "".join(re.findall(r"<svg.*?</svg>", source, re.DOTALL))
    assert LONG not in drawn
    assert LONG[:8] in drawn
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in drawn
