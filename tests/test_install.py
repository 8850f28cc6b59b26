"""The package as people get it: a wheel, outside the checkout, in a folder that can't be written."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and unpack it as pip would; its dependencies are those of this environment."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    target = folder / "site"
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(target)
    for path in [target, *target.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    return target


def run(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-P", "-c", "import cli; print(cli.__file__); cli.main()", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )


def test_the_wheel_holds_what_it_needs_and_nothing_else(installed: Path) -> None:
    top = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert top == {"cli.py", "commands", "simcore", "strategies", "reports", "starters", "scenarios"}
    entry = next(installed.glob("*.dist-info")) / "entry_points.txt"
    assert "balance = cli:main" in entry.read_text(encoding="utf-8")
    assert "[pytest11]\nbalance = reports.pytest_plugin" in entry.read_text(encoding="utf-8")
    for pattern in (
        "simcore/games/*/editions/*.yaml",
        "scenarios/*/*.yaml",
        "scenarios/*/baselines/*",
        "reports/templates/*",
        "starters/skeleton/*",
    ):
        shipped = {str(path.relative_to(installed)) for path in installed.glob(pattern)}
        assert shipped == {str(path.relative_to(ROOT)) for path in ROOT.glob(pattern)} != set()


def test_shipped_scenarios_work_by_name_outside_the_checkout(installed: Path, tmp_path: Path) -> None:
    # folders of these names in the working directory are the user's own and must not be picked up
    for name in ("strategies", "simcore", "reports"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('the wrong package')", encoding="utf-8")
    (tmp_path / "cli.py").write_text("raise RuntimeError('the wrong module')", encoding="utf-8")
    done = run(installed, tmp_path, "odds", "hate-to-kill-you/film-duel", "--games", "1000")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(installed))
    assert "1,000 games" in done.stdout
    before = {path for path in tmp_path.rglob("*") if "__pycache__" not in path.parts}
    assert len(before) == 7


def test_processes_find_the_installed_package(installed: Path, tmp_path: Path) -> None:
    arguments = ("odds", "hate-to-kill-you/film-duel", "--games", "1000", "--backend", "processes", "--jobs", "2")
    done = run(installed, tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
