"""The pages in `docs/`: what they tell people to type works, what is made from the code is fresh, no link is dead."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest

from console import answer, balance, environment
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
