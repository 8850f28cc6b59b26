"""The README as a newcomer reads it: block by block, in its order, in an empty folder.

By default every command is asked for few games, and runs in the environment of the tests. With ``--slow`` the README
installs itself into an environment of its own, nothing is compiled yet, and a shell gets what is printed.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import textwrap
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from console import Done, balance, environment, started
from support import ROOT, wait_for

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
JUDGED = (0, 1, 3)  # what is expected holds, does not, or is not known after few games
LIMITED = re.compile(r"--budget|--max-time")  # with a limit the question may be left undecided, which is code 3
MINE = "mine.yaml"

FEW = {
    "odds": ["--games", "60"],
    "run": ["--games", "60"],
    "compare": ["--games", "120"],
    "sweep": ["--games", "60"],
    "sensitivity": ["--games", "60", "--max-time", "1"],
    "matrix": ["--games", "60"],
    "components": ["--budget", "4000", "--only", "buttercup"],
    "explain": ["--games", "60"],
    "ladder": ["--games", "60", "--levels", "random,greedy"],
    "tune": ["--budget", "10000"],
    "baseline record": ["--margin", "20"],
}
"""Added to a command, so that it takes a moment: of an option that is given twice the last one holds."""

CLUSTER = "10.0.0.1:8786"
"""Where the README's scheduler is. By default its command is left to the tests of clusters."""

SHORTER = {
    "--games 100000000": "--games 200000",  # eight minutes
    "-m pytest": "-m pytest -n 0 tests/test_rng.py",  # all tests: this one is among them, and CI pastes it as it is
}
"""What ``--slow`` replaces."""

WHERE_INDEX = re.compile(r'pip install "tablebalance(\[\w+\])"')
"""What the README installs from an index, tests install from the checkout."""


@dataclass(frozen=True)
class Block:
    """A block of code of the README: for a shell if it names no language."""

    language: str
    text: str

    @property
    def lines(self) -> list[str]:
        return [line for line in self.text.splitlines() if line]


BLOCKS = [Block(language, textwrap.dedent(text)) for _, language, text in BLOCK.findall(README)]
INSTALL, DEVELOP, *REST = BLOCKS

Paste = Callable[[str], Done]


def walk(folder: Path, paste: Paste, ask: Paste) -> None:
    """Do what the blocks behind the installation say.

    A command is given to `paste` as it is printed. Files are written as they are printed, and `ask` gets the commands
    that a reader tries them with.
    """
    scenario: dict[str, Any] = {}
    for block in REST:
        if block.language == "":
            for line in block.lines:
                went_well(folder, line, paste(line))
            continue
        if block.language == "python":
            file, player = player_of(block)
            (folder / file).write_text(block.text, encoding="utf-8")
            seats = [{"character": name, "strategy": f"{file}:{player}"} for name in ("inigo", "man-in-black")]
            scenario = with_part(scenario, yaml.safe_dump(seats))
        else:
            assert block.language == "yaml"
            scenario = with_part(scenario, block.text)
        text = block.text if scenario_of(block) else yaml.safe_dump(scenario, sort_keys=False, allow_unicode=True)
        (folder / MINE).write_text(text, encoding="utf-8")
        went_well(folder, block.text, ask(f"balance validate {MINE}"))
        went_well(folder, block.text, ask(f"balance odds {MINE} --games 24"))
        if "expect" in scenario:
            told = went_well(folder, block.text, ask(f"balance check {MINE} --budget 2000"), JUDGED)
            assert all(name in told.stdout for name in scenario["expect"]), told.stdout


def scenario_of(block: Block) -> dict[str, Any] | None:
    """Return the scenario that a block is, if it is a whole one."""
    data = yaml.safe_load(block.text) if block.language == "yaml" else None
    return data if isinstance(data, dict) and "game" in data else None


def with_part(scenario: dict[str, Any], text: str) -> dict[str, Any]:
    """Return a scenario with what a block prints of one: all of it, keys at the top, or players in the first seats."""
    part = yaml.safe_load(text)
    if isinstance(part, list):
        return {**scenario, "seats": [*part, *scenario["seats"][len(part) :]]}
    first = next(found for block in BLOCKS if (found := scenario_of(block)))
    return part if "game" in part else {**(scenario or first), **part}


def player_of(block: Block) -> tuple[str, str]:
    """Return the file and the function by which the README calls a player that it prints."""
    return next(
        (file, player)
        for file, player in re.findall(r"`strategy: (\w+\.py):(\w+)`", README)
        if f"def {player}(" in block.text
    )


def went_well(folder: Path, printed: str, done: Done, codes: Container[int] = ()) -> Done:
    """Check how a command ended, that nothing was complained of, and that it wrote what it was to write."""
    fine = codes or ((0, 3) if LIMITED.search(" ".join(done.args)) else (0,))
    assert done.returncode in fine, f"{printed}\n{done.stdout}\n{done.stderr}"
    assert [line for line in done.stderr.splitlines() if not line.startswith("balance: ")] == [], printed
    words = shlex.split(printed, comments=True)
    if "-o" in words:
        written = folder / words[words.index("-o") + 1]
        assert written.is_file() or (written / "report.html").is_file(), printed
    return done


def test_the_readme_installs_first_and_shows_every_kind_of_block() -> None:
    assert "pip install ." in INSTALL.text and "[test]" in DEVELOP.text
    assert {block.language for block in REST} == {"", "yaml", "python"}
    assert BLOCK.sub("", README).count("```") == 0
    commands = [line for block in REST if block.language == "" for line in block.lines]
    assert [line for line in commands if not line.startswith("balance ")] == []
    assert [line for line in commands if "--backend dask" in line and CLUSTER in line] != []


def test_what_the_readme_prints_works_for_few_games(tmp_path: Path) -> None:
    def small(line: str) -> Done:
        words = shlex.split(line, comments=True)[1:]
        if CLUSTER in words[-1]:
            return balance(tmp_path, *words, "--help")
        command = " ".join(words[:2]) if words[0] == "baseline" else words[0]
        few = [*words, *FEW.get(command, ())]
        if command in FEW and any(runs_own_code(tmp_path / word) for word in words):
            return started(tmp_path, *few, NUMBA_DISABLE_JIT="1")
        return balance(tmp_path, *few)

    walk(tmp_path, small, small)


def runs_own_code(file: Path) -> bool:
    """Tell whether a file is a scenario with code of one's own, which takes longer to compile than to interpret."""
    return file.is_file() and re.search(r"^game: \./|\.py:", file.read_text(encoding="utf-8"), re.MULTILINE) is not None


# ---------------------------------------------------------------- as printed


@pytest.fixture
def downloaded(tmp_path: Path) -> Path:
    """Return a folder with what people download: the checkout without what was made in it."""
    made = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", "dist", "build")
    return shutil.copytree(ROOT, tmp_path / "tablebalance", ignore=made)


def shell(folder: Path, cache: Path, command: str) -> Done:
    """Paste a command into a shell."""
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder, env=outside(cache), capture_output=True, encoding="utf-8", timeout=1800, check=False,
    )  # fmt: skip


def outside(cache: Path) -> dict[str, str]:
    """Return an environment that knows nothing of the one of the tests."""
    variables = environment(XDG_CACHE_HOME=str(cache))
    for name in ("PYTHONPATH", "VIRTUAL_ENV", "NUMBA_CACHE_DIR"):
        variables.pop(name, None)
    places = [place for place in variables["PATH"].split(os.pathsep) if not Path(place, "../pyvenv.cfg").exists()]
    return {**variables, "PATH": os.pathsep.join(places)}


def shortened(command: str) -> str:
    for printed, shorter in SHORTER.items():
        command = command.replace(printed, shorter)
    return command


@contextmanager
def cluster(checkout: Path, cache: Path, activate: str) -> Iterator[str]:
    """Start a cluster on this machine by the commands of the README; yield where it is."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host, port = free.getsockname()
    address = f"{host}:{port}"
    options = {"scheduler": f"--host {host} --port {port} --no-dashboard", "worker": "--no-dashboard"}
    processes = []
    try:
        for name, more in options.items():
            command = next(code for code in INLINE.findall(README) if code.startswith(f"dask {name}"))
            line = f"{activate}; exec {command.replace(CLUSTER, address)} {more}"
            processes.append(subprocess.Popen(
                ["bash", "-euc", line], cwd=checkout, env=outside(cache), start_new_session=True,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            ))  # fmt: skip
            wait_for(lambda: listens(host, port))
        yield address
    finally:
        for process in reversed(processes):
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(60)


def listens(host: str, port: int) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex((host, port)) == 0


@pytest.mark.slow
def test_the_readme_can_be_pasted_into_a_shell_from_the_installation_on(downloaded: Path, tmp_path: Path) -> None:
    cache, folder = tmp_path / "cache", tmp_path / "empty"
    folder.mkdir()
    done = shell(downloaded, cache, INSTALL.text)
    assert done.returncode == 0, done.stderr
    assert (downloaded / "film-duel" / "report.html").is_file()
    activate = next(code for code in INLINE.findall(README) if code.endswith("/bin/activate"))

    def found(command: str) -> Done:
        place = [shlex.quote(str(path)) for path in (downloaded, folder)]
        return shell(folder, cache, f"cd {place[0]}; {activate}; cd {place[1]}\n{command}")

    def paste(line: str) -> Done:
        if CLUSTER not in line:
            return found(shortened(line))
        with cluster(downloaded, cache, activate) as address:
            return found(line.replace(CLUSTER, address))

    extras = WHERE_INDEX.findall(README)
    assert sorted(extras) == ["[analysis]", "[dask]"]
    for extra in extras:
        done = found(f"pip install -q {shlex.quote(f'{downloaded}{extra}')}")
        assert done.returncode == 0, done.stderr
    walk(folder, paste, found)


@pytest.mark.slow
def test_the_command_for_developers_works_in_what_was_downloaded(downloaded: Path, tmp_path: Path) -> None:
    done = shell(downloaded, tmp_path / "cache", shortened(DEVELOP.text))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed" in done.stdout
