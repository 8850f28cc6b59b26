"""What builds use: the workflow for GitHub, the hooks of pre-commit, the plugin of pytest."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
import yaml

from support import ROOT

DUEL = """\
game: hate-to-kill-you
seats:
  - {strategy: random, character: inigo}
  - {strategy: random, character: rugen}
rotate: true
seed: 5
"""
CHANGED = f"{DUEL}rules: {{hits_to_win: 7}}\n"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository")
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "duel.yaml").write_text(DUEL, encoding="utf-8")
    done = shell(folder, "balance baseline record scenarios/ --margin 5")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def repository(recorded: Path, tmp_path: Path) -> Path:
    """Return a copy of a repository with one scenario and its baseline."""
    return Path(shutil.copytree(recorded, tmp_path / "repository"))


def shell(folder: Path, command: str, **extra: str) -> subprocess.CompletedProcess[str]:
    """Run a line of a shell with our commands on the path, as a build does."""
    (folder / "bin").mkdir(exist_ok=True)
    for name, module in (("balance", "cli"), ("pytest", "pytest")):
        script = folder / "bin" / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m {module} "$@"\n')
        script.chmod(0o755)
    drop = ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "GITHUB_STEP_SUMMARY")
    env = {name: value for name, value in os.environ.items() if name not in drop}
    env |= {"PATH": f"{folder / 'bin'}{os.pathsep}{env['PATH']}", "PYTHONPATH": str(ROOT), **extra}
    return subprocess.run(["bash", "-ec", command], cwd=folder, env=env, capture_output=True, text=True)


def change(repository: Path) -> None:
    (repository / "scenarios" / "duel.yaml").write_text(CHANGED, encoding="utf-8")


# ---------------------------------------------------------------- GitHub


def workflow() -> dict[str, Any]:
    data: dict[str, Any] = yaml.load((ROOT / "docs" / "github-workflow.yml").read_text(), yaml.BaseLoader)
    return data


def test_the_workflow_is_one_that_github_reads() -> None:
    found = workflow()
    assert {"name", "on", "jobs"} <= found.keys() and found["permissions"] == {"contents": "read"}
    (job,) = found["jobs"].values()
    assert job["runs-on"] and all(("uses" in step) != ("run" in step) for step in job["steps"])
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"]) for step in job["steps"] if "uses" in step)


def test_the_workflow_passes_and_fails_where_it_should(repository: Path) -> None:
    (job,) = workflow()["jobs"].values()
    (line,) = [step["run"] for step in job["steps"] if "balance check" in step.get("run", "")]
    summary = repository / "summary.md"
    passed = shell(repository, line, GITHUB_STEP_SUMMARY=str(summary))
    assert passed.returncode == 0 and "::" not in passed.stdout
    assert summary.read_text().startswith("## Balance check: pass")
    (upload,) = [step["with"]["path"].split() for step in job["steps"] if "upload" in step.get("uses", "")]
    assert all((repository / path).exists() for path in upload)
    assert "Balance check" in (repository / "balance-report" / "report.html").read_text()

    change(repository)
    failed = shell(repository, f"rm -r balance-report; {line}", GITHUB_STEP_SUMMARY=str(summary))
    assert failed.returncode == 1
    assert "::error file=scenarios/duel.yaml,line=1,title=balance fail::" in failed.stdout
    assert "rules.hits\\_to\\_win 5 -&gt; 7" in summary.read_text()
    assert int(ElementTree.parse(repository / "balance.xml").getroot()[0].attrib["failures"]) > 0


# ---------------------------------------------------------------- pre-commit


def hooks() -> dict[str, dict[str, Any]]:
    found = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert all({"id", "name", "entry", "language"} <= hook.keys() for hook in found)
    return {hook["id"]: hook for hook in found}


def hooked(repository: Path, hook: dict[str, Any]) -> int:
    """Do what pre-commit does with files: filter them, and run the entry with its arguments, or their names."""
    files = [str(file.relative_to(repository)) for file in sorted((repository / "scenarios").rglob("*.*"))]
    chosen = [file for file in files if re.search(hook["files"], file)]
    assert chosen
    words = [*shlex.split(hook["entry"]), *hook.get("args", [])]
    words += chosen if hook.get("pass_filenames", True) else []
    return shell(repository, shlex.join(words)).returncode


def test_the_hooks_of_pre_commit_pass_and_fail_where_they_should(repository: Path) -> None:
    found = hooks()
    assert re.search(found["balance-check"]["files"], "scenarios/baselines/duel.json")
    assert [hooked(repository, found[name]) for name in ("balance-validate", "balance-check")] == [0, 0]
    change(repository)
    assert [hooked(repository, found[name]) for name in ("balance-validate", "balance-check")] == [0, 1]
    (repository / "scenarios" / "duel.yaml").write_text(DUEL.replace("seats", "saets"))
    assert [hooked(repository, found[name]) for name in ("balance-validate", "balance-check")] == [2, 2]


def test_a_hook_takes_the_edition_of_a_game_for_no_scenario(repository: Path) -> None:
    shutil.copytree(ROOT / "tests" / "own", repository / "scenarios", dirs_exist_ok=True)
    assert list((repository / "scenarios").rglob("editions/*.yaml"))
    assert hooked(repository, hooks()["balance-validate"]) == 0


# ---------------------------------------------------------------- pytest


def pytested(repository: Path, words: str = "scenarios/") -> subprocess.CompletedProcess[str]:
    return shell(repository, f"pytest -v -p no:cacheprovider --balance {words}")


def test_the_plugin_is_installed_and_imports_nothing_heavy(tmp_path: Path) -> None:
    assert "reports.pytest_plugin" in {each.value for each in entry_points(group="pytest11")}
    heavy = "{'numpy', 'numba', 'polars', 'scipy', 'matplotlib', 'joblib', 'pydantic', 'yaml', 'jinja2', 'rich'}"
    code = (
        "import pytest, sys; before = set(sys.modules); import reports.pytest_plugin; new = set(sys.modules) - before"
    )
    done = shell(tmp_path, f'"{sys.executable}" -c "{code}; print(sorted(new & {heavy}))"')
    assert done.stdout == "[]\n", done.stderr


def test_each_check_is_a_test_in_one_process_and_in_several(repository: Path) -> None:
    done = pytested(repository, "-n 0 scenarios/")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "scenarios/duel.yaml::side.1" in done.stdout and "25 passed" in done.stdout
    change(repository)
    done = pytested(repository, "-n 2 scenarios/ --balance-args '--margin 3'")
    assert done.returncode == 1
    assert "inputs changed: rules.hits_to_win 5 -> 7" in done.stdout and "fail: rounds: " in done.stdout
    assert "Again: balance odds scenarios/duel.yaml" in done.stdout and "Traceback" not in done.stdout


def test_one_check_can_be_chosen_and_other_tests_run_beside(repository: Path) -> None:
    (repository / "scenarios" / "test_other.py").write_text("def test_other(): pass\n")
    assert "26 passed" in pytested(repository).stdout
    assert "1 passed" in pytested(repository, "scenarios/duel.yaml::rounds").stdout


def test_what_is_no_check_is_never_green_in_pytest(repository: Path) -> None:
    (repository / "empty").mkdir()
    nothing = pytested(repository, "empty")
    assert nothing.returncode == 4 and "nothing to check at empty" in nothing.stderr
    undecided = pytested(repository, "scenarios --balance-args '--set components.leap.rank=1 --budget 1000 --margin 1'")
    assert undecided.returncode == 1 and "undecided: " in undecided.stdout
    (repository / "scenarios" / "duel.yaml").rename(repository / "scenarios" / "other.yaml")
    orphan = pytested(repository)
    assert orphan.returncode == 1 and "duel.json::baseline" in orphan.stdout and "no baseline" in orphan.stdout
    (repository / "scenarios" / "baselines" / "duel.json").write_text("{")
    (repository / "scenarios" / "other.yaml").rename(repository / "scenarios" / "duel.yaml")
    broken = pytested(repository)
    assert broken.returncode == 4 and "is no JSON" in broken.stderr and "Traceback" not in broken.stderr
