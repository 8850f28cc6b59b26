"""Runs of the real command that are disturbed: started apart, followed by what they write, and how they end."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from console import COMMAND, environment
from support import wait_for

KEPT = ("run", "duel.yaml", "--keep-games", "--json", "--block-deals", "64")
"""With files of 2,048 games each."""

ENDLESS = 20_000_000_000


class Started:
    """A run into a directory, in a session of its own; its log tells how far it is."""

    def __init__(self, folder: Path, out: str, games: int, *options: str, command: tuple[str, ...] = KEPT) -> None:
        self.work, self.log = folder / f".{out}.partial", folder / f"{out}.log"
        self.log.unlink(missing_ok=True)
        words = (*command, "-o", out, "--games", str(games), "--log-file", str(self.log), "--log-json", *options)
        self.process = subprocess.Popen(
            [*COMMAND, *words],
            cwd=folder,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    @property
    def over(self) -> bool:
        return self.process.poll() is not None

    def begun(self) -> bool:
        """Tell whether there is anything to lose."""
        return self.work.is_dir()

    def kept(self) -> int:
        """Return how many finished games are kept so far."""
        return checkpoint_games(self.work) if (self.work / "checkpoint.json").exists() else 0

    def playing(self) -> bool:
        """Tell whether there is an answer already."""
        return self.noted("look")

    def noted(self, event: str) -> bool:
        """Tell whether an event stands in the log."""
        text = self.log.read_text(encoding="utf-8") if self.log.exists() else ""
        return any(json.loads(line)["event"] == event for line in text.splitlines()[: text.count("\n")])

    def until(self, what: Callable[[], Any]) -> bool:
        """Wait until something is so, or the run is over; tell whether it is so."""
        return wait_for(lambda: what() or ("over" if self.over else ""), 120) != "over"

    def workers(self) -> list[int]:
        return [pid for pid, line in members(self.process.pid) if pid != self.process.pid and "popen_loky" in line]

    def end(self) -> tuple[int, str, str]:
        """Wait for the end; return exit code, output, errors. Nobody may be left of its session."""
        out, err = self.process.communicate(timeout=180)
        wait_for(lambda: not list(members(self.process.pid)), 20)
        return self.process.returncode, out, err


def members(session: int) -> Iterator[tuple[int, str]]:
    """Yield (id, command line) of the living processes of a session."""
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if entry.name.isdigit() and int(fields[3]) == session and fields[0] != "Z":
                yield int(entry.name), (entry / "cmdline").read_text().replace("\0", " ")
        except (OSError, IndexError):
            continue


def timeline(run: Started) -> dict[str, float]:
    """Return when an undisturbed run began, had workers, had an answer, stopped playing, and was over, in seconds."""
    moments = {"begun": run.begun, "workers": run.workers, "playing": run.playing, "stop": partial(run.noted, "stop")}
    found: dict[str, float] = {}
    while not run.over:
        found |= {name: time.monotonic() for name, seen in moments.items() if name not in found and seen()}
        time.sleep(0.01)
    found["over"] = time.monotonic()
    code, _, err = run.end()
    assert code == 0, err
    return found


def enough(hits: int, moments: int) -> bool:
    """Tell whether so many random moments lay in the life of a run that the rest can be bad luck; `-rP` shows both."""
    print(f"{hits} of {moments} moments lay in the life of a run")
    return hits >= 0.75 * moments - 0.5


def content(out: Path) -> dict[str, Any]:
    """Return every file of a run directory that has no times in it, and the summary without them."""
    names = [name for name in ("games", "tables") if (out / name).is_dir()]
    found: dict[str, Any] = {
        f"{name}/{file.name}": file.read_bytes() for name in names for file in (out / name).iterdir()
    }
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    del summary["timing"]
    return found | {"summary": summary, "manifest": (out / "manifest.json").read_bytes()}


def hidden(folder: Path) -> list[str]:
    """Return the names of what a run leaves behind only if it was stopped."""
    return sorted(path.name for path in folder.rglob("*") if path.name.startswith(".") or path.suffix == ".tmp")


def checkpoint_games(work: Path) -> int:
    """Return how many finished games are kept."""
    return int(json.loads((work / "checkpoint.json").read_text(encoding="utf-8"))["tally"]["games"])
