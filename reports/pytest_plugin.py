"""A plugin of pytest: with ``pytest --balance scenarios/`` each check of the scenarios there is a test.

They run as one `balance check` of all paths that pytest was given, so that its error rate holds for all of them
together; in a process of its own, so that tests which know nothing of balance wait for nothing.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

Answer = dict[str, Any]
ANSWER = pytest.StashKey[Answer]()
JUDGED = (0, 1, 3)  # exit codes of an answer


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("balance", "balance of tabletop games")
    group.addoption("--balance", action="store_true", help="make each check of the scenarios at the paths a test")
    group.addoption(
        "--balance-args", default="", metavar="ARGS", help="options of `balance check`: '--budget 100000 --margin 1'"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Run the checks, in the process that starts all others."""
    config = session.config
    if config.getoption("balance"):
        handed = getattr(config, "workerinput", {}).get("balance")
        config.stash[ANSWER] = json.loads(handed) if handed else _check(config)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Hand the answer to a process of pytest-xdist."""
    if ANSWER in node.config.stash:
        node.workerinput["balance"] = json.dumps(node.config.stash[ANSWER])


def _check(config: pytest.Config) -> Answer:
    """Return the answer of `balance check` for the paths that pytest was given."""
    here = config.invocation_params.dir
    paths = list(dict.fromkeys(arg.partition("::")[0] for arg in config.args))
    options = shlex.split(config.getoption("balance_args"))
    # -P: a cli.py in the working directory is somebody else's
    command = [sys.executable, "-P", "-m", "cli", "check", *paths, *options, "--json"]
    done = subprocess.run(command, cwd=here, capture_output=True, text=True, encoding="utf-8")
    if done.returncode not in JUDGED:
        raise pytest.UsageError(f"balance check: {done.stderr.strip()}")
    answer: Answer = json.loads(done.stdout)
    if answer["nothing"]:
        raise pytest.UsageError(f"--balance: nothing to check at {', '.join(paths)}")
    return answer


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a scenario, or a baseline whose scenario is gone."""
    config = parent.config
    answer = config.stash.get(ANSWER, None)
    if answer is None:
        return None
    here = config.invocation_params.dir
    for scenario in answer["scenarios"]:
        if (here / scenario["file"]).resolve() == file_path.resolve():
            return ScenarioFile.from_parent(parent, path=file_path, scenario=scenario)
    if any((here / orphan).resolve() == file_path.resolve() for orphan in answer["orphans"]):
        return OrphanFile.from_parent(parent, path=file_path)
    return None


class ScenarioFile(pytest.File):
    """A scenario with its checks."""

    def __init__(self, *, scenario: Mapping[str, Any], **given: Any) -> None:
        super().__init__(**given)
        self.scenario = scenario

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a test for each check; one that is skipped where a missing baseline is only warned of."""
        from reports import checked

        told = [*checked.notes(self.scenario), *checked.hints(self.scenario)]
        command = checked.again(self.scenario)
        for row in self.scenario["checks"]:
            text = [f"{row['verdict']}: {checked.line(row)}", *told, *([f"Again: {command}"] if command else [])]
            yield CheckItem.from_parent(self, name=row["check"], verdict=row["verdict"], text="\n".join(text))
        if not self.scenario["checks"]:
            reason = "no baseline, and nothing is expected"
            yield CheckItem.from_parent(self, name="baseline", verdict="skipped", text=reason)


class OrphanFile(pytest.File):
    """A baseline whose scenario is gone."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield one test, which fails."""
        text = "fail: the scenario of this baseline is gone; delete it, or name the scenario as before"
        yield CheckItem.from_parent(self, name="baseline", verdict="fail", text=text)


class NotPassedError(Exception):
    """A check that failed, or is undecided."""


class CheckItem(pytest.Item):
    """A check; it has run already, as its games count for others, too."""

    def __init__(self, *, verdict: str, text: str, **given: Any) -> None:
        super().__init__(**given)
        self.verdict, self.text = verdict, text

    def runtest(self) -> None:
        """Say what came out."""
        if self.verdict == "skipped":
            pytest.skip(self.text)
        if self.verdict != "pass":
            raise NotPassedError(self.text)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return what the check says, without a traceback."""
        return str(excinfo.value) if isinstance(excinfo.value, NotPassedError) else super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return where it stands and what it is called."""
        return self.path, None, f"{self.path.name}: {self.name}"


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say what the checks promise together."""
    answer = config.stash.get(ANSWER, None)
    if answer is not None:
        from reports import checked

        terminalreporter.section("balance")
        terminalreporter.write_line(checked.headline(answer))
        terminalreporter.write_line(checked.promise(answer))
