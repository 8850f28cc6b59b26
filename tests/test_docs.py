"""The pages in `docs/`: what they tell people to type works, what is made from the code is fresh, no link is dead."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import strategies
from console import answer, balance, environment
from simcore.catalogue import game_facts
from support import ROOT

DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.glob("*.md"), *ROOT.glob("*.md")])
WALKS = ("tutorial", "strategies", "add-a-game")
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
SECONDS = 60


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return an environment in which `balance` is a command."""
    folder = tmp_path_factory.mktemp("bin")
    command = folder / "balance"
    program = 'import sys, cli; sys.argv[0] = "balance"; cli.main()'
    command.write_text(f"#!/bin/sh\nexec '{sys.executable}' -P -c '{program}' \"$@\"\n", encoding="utf-8")
    command.chmod(0o755)
    return environment(PATH=os.pathsep.join([str(folder), os.environ["PATH"]]))


@pytest.mark.parametrize("page", [WALKS[0], *(pytest.param(page, marks=pytest.mark.slow) for page in WALKS[1:])])
def test_a_page_can_be_copied_into_a_shell_block_by_block(page: str, tmp_path: Path, shell: dict[str, str]) -> None:
    blocks = BLOCK.findall((DOCS / f"{page}.md").read_text(encoding="utf-8"))
    assert len(blocks) >= 3
    for block in blocks:
        start = time.monotonic()
        # a prompt of its own in one folder; every block leaves the shell where it was
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block],
            cwd=tmp_path, env=shell, capture_output=True, encoding="utf-8", timeout=300, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
        notes = [line for line in done.stderr.splitlines() if not line.startswith("balance: ")]
        assert not notes, notes
        # compiling is once a version, and shared with other tests of this machine
        assert "compiling" in done.stderr or time.monotonic() - start < SECONDS


def test_the_new_rule_of_the_page_on_games_is_really_there(tmp_path: Path, shell: dict[str, str]) -> None:
    blocks = BLOCK.findall((DOCS / "add-a-game.md").read_text(encoding="utf-8"))
    lines = [line for block in blocks for line in block.splitlines()]
    kept = [line for line in lines if not line.startswith("balance") or "new-game" in line]
    subprocess.run(["bash", "-euc", "\n".join(kept)], cwd=tmp_path, env=shell, check=True, capture_output=True)
    folder = tmp_path / "lantern-race"
    found = {
        file.name: file.read_text(encoding="utf-8").count("stumble") for file in folder.rglob("*.*") if file.is_file()
    }
    assert {name: count for name, count in found.items() if count} == {
        "components.py": 3, "prototype.yaml": 1, "state.py": 1, "rules.py": 1,
    }  # fmt: skip


# ---------------------------------------------------------------- pages made from the code


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["cli.md", "statistics.md"])
def test_pages_made_from_the_code_are_up_to_date(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == generator().pages()[name], "run python docs/generate.py"


def test_the_page_of_commands_has_what_help_prints(tmp_path: Path) -> None:
    text = (DOCS / "cli.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    told = balance(tmp_path, "--help").stdout.partition("Commands:")[2]
    assert list(dict.fromkeys(name.split()[0] for name in sections)) == re.findall(r"^  (\S+)  ", told, re.MULTILINE)
    for name in ("odds", "sweep", "new-game", "baseline record"):
        options = set(re.findall(r"(?<!\S)--[a-z-]+", balance(tmp_path, *name.split(), "--help").stdout)) - {"--help"}
        assert options <= set(re.findall(r"--[a-z-]+", sections[name]))


@pytest.mark.parametrize("name", ["adventure-book/at-random", "hate-to-kill-you/film-duel"])
def test_the_page_on_json_has_every_key_of_an_answer(name: str, tmp_path: Path) -> None:
    section = (DOCS / "json.md").read_text(encoding="utf-8").partition("## An answer")[2].partition("\n## ")[0]
    keys = re.findall(r"`([a-z_]+)`", "".join(re.findall(r"^\| (.*?) \|", section, re.MULTILINE)))
    told = answer(balance(tmp_path, "odds", name, "--games", "20", "--json"))
    assert set(told) - {"schema"} == set(keys)


# ---------------------------------------------------------------- links


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if link.startswith("http"):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file) if file else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_the_index_names_every_page() -> None:
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    assert set(LINK.findall(index)) == {page.name for page in DOCS.glob("*.md")} - {"README.md"}
    assert "docs/README.md" in LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))


# ---------------------------------------------------------------- rulings

NUMBER = r"[A-Z]?[0-9]{1,2}"
SPAN = rf"{NUMBER}(?:(?:-| to ){NUMBER})?"
CITED = re.compile(rf'(?<!")\brulings? ({SPAN}(?:(?:, | and | or ){SPAN})*)')  # "ruling X1" is a way to write them
IN_BRACKETS = re.compile(r"\(([^()]*\b[A-Z][0-9]{1,2}\b[^()]*)\)")
ROW = re.compile(r"^\| ([A-Z]?)([0-9]+) \| [^|]+ \| [^|]+ \| ([^|]*)\|$", re.MULTILINE)


def part(text: str, heading: str) -> str:
    """Return what stands under a heading, as far as the next one of its rank."""
    rank = heading.split()[0]
    return f"\n{text}".partition(f"\n{heading}\n")[2].partition(f"\n{rank} ")[0]


def rulings_of(section: str) -> dict[str, str]:
    """Return the numbers of a game's rulings and, for each, what switches it."""
    rows = ROW.findall(part(section, "### Rulings"))
    assert len({group + number for group, number, _ in rows}) == len(rows)
    return {group + number: switch for group, number, switch in rows}


def spread(spans: str) -> set[str]:
    """Return the numbers in a list such as ``7-10, 39`` or ``G1 and G3 to G5``."""
    found: set[str] = set()
    for span in re.findall(SPAN, spans):
        ends = re.findall(NUMBER, span)
        found |= set(ends)
        group = ends[0].rstrip("0123456789")
        if ends[-1].startswith(group):
            low, high = (int(end.removeprefix(group)) for end in (ends[0], ends[-1]))
            found |= {f"{group}{number}" for number in range(low, high)}
    return found


def citations(text: str, lettered: bool) -> set[str]:
    """Return the rulings that a text cites; those with a letter are also cited by the bare number, in brackets."""
    text = re.sub(r"\s+(?:# )?", " ", text)
    found = {number for spans in CITED.findall(text) for number in spread(spans)}
    if lettered:
        found |= {number for words in IN_BRACKETS.findall(text) for number in spread(words) if number[0].isalpha()}
    return found


def texts_about(game: str, section: str) -> dict[str, str]:
    """Return by name all that may cite a ruling of a game."""
    folder = game.replace("-", "_")
    files = [path for path in (ROOT / "simcore" / "games" / folder).rglob("*") if path.suffix in (".py", ".yaml")]
    files += [ROOT / "strategies" / f"{folder}.py", *(ROOT / "scenarios" / game).glob("*.yaml")]
    files += [page] if (page := DOCS / f"{game}.md").exists() else []
    found = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in files}
    shown = json.dumps(game_facts(game, None, strategies), ensure_ascii=False)
    return found | {"docs/games.md": section, "balance show": shown}


@pytest.mark.parametrize("game", strategies.game_names())
def test_every_ruling_that_is_cited_stands_in_the_table_of_its_game(game: str) -> None:
    section = part((DOCS / "games.md").read_text(encoding="utf-8"), f"## {game}")
    rulings = rulings_of(section)
    lettered = any(number[0].isalpha() for number in rulings)
    cited = {name: citations(text, lettered) for name, text in texts_about(game, section).items()}
    assert {name: numbers - set(rulings) for name, numbers in cited.items() if numbers - set(rulings)} == {}
    groups = dict.fromkeys(number.rstrip("0123456789") for number in rulings)
    for group in groups:
        numbers = [int(number.removeprefix(group)) for number in rulings if number.rstrip("0123456789") == group]
        assert numbers == list(range(1, len(numbers) + 1)), group
        # so that the last row cannot be lost, either
        assert f"{group}{len(numbers)}" in set().union(*cited.values()), group


def fields_of(schema: Any) -> set[str]:
    """Return the names of all fields in a JSON schema."""
    if isinstance(schema, list):
        return set().union(*map(fields_of, schema))
    if not isinstance(schema, dict):
        return set()
    return set(schema.get("properties", {})).union(*map(fields_of, schema.values()))


@pytest.mark.parametrize("game", strategies.game_names())
def test_the_switches_of_rulings_exist_and_rules_name_their_rulings(game: str) -> None:
    rulings = rulings_of(part((DOCS / "games.md").read_text(encoding="utf-8"), f"## {game}"))
    components = strategies.game(game).components
    known = fields_of(components.Edition.model_json_schema()) | fields_of(components.Seat.model_json_schema())
    known |= {f"rules.{name}" for name in components.Rules.model_fields} | {"components", "seats", "rotate"}
    switches = {name for switch in rulings.values() for name in re.findall(r"`([^`]*)`", switch)}
    assert switches <= known
    rules = game_facts(game, None, strategies)["rules"]
    for rule in rules:
        for number in citations(rule["description"], lettered=True):
            assert f"`rules.{rule['name']}`" in rulings[number]
    # what neither stands in the rulebook nor is the general cap was ruled on
    ruled = {f"rules.{rule['name']}" for rule in rules if rule["from"] != "rulebook"} - {"rules.round_cap"}
    assert ruled <= switches


# ---------------------------------------------------------------- version and completion


def test_the_version_is_that_of_the_distribution(tmp_path: Path) -> None:
    done = balance(tmp_path, "--version")
    assert (done.returncode, done.stdout) == (0, f"balance {metadata.version('tablebalance')}\n")
    assert f'version = "{metadata.version("tablebalance")}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("balance sens", {"sensitivity"}),
        ("balance new", {"new-game"}),
        ("balance odds --pre", {"--precision"}),
        ("balance odds x --backend p", {"processes"}),
        ("balance list s", {"strategies", "scenarios"}),
        ("balance xyz", set()),
    ],
)
def test_the_shell_completes_commands_options_and_choices(line: str, words: set[str], shell: dict[str, str]) -> None:
    asked = {"_BALANCE_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
    done = subprocess.run(["balance"], env={**shell, **asked}, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, set(done.stdout.split())) == (0, words)


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_the_shell_gets_a_script_that_completes(name: str, shell: dict[str, str]) -> None:
    asked = {"_BALANCE_COMPLETE": f"source_{name}"}
    done = subprocess.run(["balance"], env={**shell, **asked}, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0
    assert f"_BALANCE_COMPLETE=complete_{name}" in done.stdout


def test_a_real_bash_completes_after_installing(tmp_path: Path, shell: dict[str, str]) -> None:
    home = {**shell, "HOME": str(tmp_path), "SHELL": "/bin/bash", "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = subprocess.run(
        ["balance", "--install-completion", "bash"], env=home, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    script = next(tmp_path.rglob("balance.sh"))
    asked = "COMP_WORDS=(balance sens); COMP_CWORD=1; _balance_completion balance; echo ${COMPREPLY[@]}"
    told = subprocess.run(["bash", "-c", f". '{script}'\n{asked}"], env=home, capture_output=True, encoding="utf-8")
    assert told.stdout == "sensitivity\n"
