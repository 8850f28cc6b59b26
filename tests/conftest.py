"""Fixtures of all tests: scenarios written as users write them, and players that share what is compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

import strategies
from simcore import jit, scenario
from simcore.player import Player
from simcore.scenario import Scenario
from support import ROOT, THOROUGH

Overrides = Sequence[tuple[str, str]]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run the long versions of sampled checks")
    parser.addoption("--update-golden", action="store_true", help="write the golden counts anew, to be reviewed")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):
        skip = pytest.mark.skip(reason="slow: runs with --slow")
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(skip)


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--slow"):
        os.environ[THOROUGH] = "1"


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile every game once before several processes want it; a cache that holds anything will do."""
    config, folder = session.config, jit.cache_folder() if jit.ENABLED else None
    if not config.getoption("numprocesses", None) or folder is None or any(folder.glob("*.ready")):
        return
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])

    def compile_all(name: str) -> None:
        # what does not compile is for the tests to say
        subprocess.run([sys.executable, str(ROOT / "tests" / "warm.py"), name], env=os.environ | {"PYTHONPATH": path})

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_all, strategies.game_names()))


class _NoAliases(yaml.SafeDumper):
    """Writes what stands in two places twice: our files know no anchors."""

    def ignore_aliases(self, data: object) -> bool:
        return True


@pytest.fixture(scope="session")
def loader() -> ModuleType:
    """What finds games and strategies by name."""
    return strategies


@pytest.fixture(scope="session")
def write_yaml(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Write data as YAML into a folder of its own; return the file."""

    def write(data: Mapping[str, Any], name: str = "scenario.yaml", folder: Path | None = None) -> Path:
        file = (folder or tmp_path_factory.mktemp("yaml")) / name
        text = yaml.dump(dict(data), Dumper=_NoAliases, sort_keys=False, allow_unicode=True)
        file.write_text(text, encoding="utf-8")
        return file

    return write


@pytest.fixture(scope="session")
def load_scenario(loader: ModuleType, write_yaml: Callable[..., Path]) -> Callable[..., Scenario]:
    """Write a scenario into a file and load it; a path is loaded as it stands."""

    def load(source: Mapping[str, Any] | Path, overrides: Overrides = ()) -> Scenario:
        file = source if isinstance(source, Path) else write_yaml(source)
        return scenario.load(file, loader, overrides=overrides)

    return load


@pytest.fixture(scope="session")
def player_of(loader: ModuleType) -> Callable[[Scenario], Player]:
    """Return the player of a scenario, the same one for the same inputs."""
    players: dict[str, Player] = {}

    def find(loaded: Scenario) -> Player:
        if loaded.inputs not in players:
            players[loaded.inputs] = Player(loaded.match, loader)
        return players[loaded.inputs]

    return find
