"""Run directories: written beside their place, locked, and gone on with from what an earlier run finished.

Beside a directory ``x`` lie, while a run works on it, ``.x.partial`` (what it writes), ``.x.lock``, and for a moment
``.x.replaced``. What is killed leaves some of them; the next run takes them over, and the last one nothing but ``x``.
"""

from __future__ import annotations

import filecmp
import itertools
import json
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from simcore import jit, logs, rng
from simcore.blocks import Look, Run, Start
from simcore.errors import InputError, MachineError, ResultsError
from simcore.ingredients import differences, flat
from simcore.kept import GAMES, Shards
from simcore.results import machine_faults, write_text, written_by_us
from simcore.scenario import Scenario
from simcore.tally import Layout, Tally

CHECKPOINT = "checkpoint.json"
CHECKPOINT_SCHEMA = "balance.checkpoint/1"
CHECKPOINT_SECONDS = 1.0
CHECKPOINT_SHARE = 0.02
"""A checkpoint is written after so many seconds, and takes at most this share of the time."""


class RunDirectory:
    """A run directory in the making: everything is written beside it and appears at once, finished.

    Only a directory that holds the file `mark`, or nothing, is ever replaced, and only one process at a time works on
    it. With `resume` it starts with what an earlier run had finished, if there is any.

    Raises
    ------
    InputError
        If the directory exists (without `force` or `resume`), cannot be replaced, cannot be made, or is being written.
    """

    unfinished: ClassVar[set[RunDirectory]] = set()

    def __init__(
        self, path: Path, force: bool = False, mark: str = "manifest.json", resume: bool = False, option: str = ""
    ) -> None:
        self.path, self.mark = path, mark
        self.replaces, self.resumes = force or resume, resume
        self.work = path
        self.finished = False
        self._parents: list[Path] = []
        self._lock: int | None = None
        try:
            complaint = self._complaint(option)
            if complaint:
                raise InputError.of(str(path), complaint)
            self._parents = [parent for parent in path.parents if not parent.exists()]
            path.parent.mkdir(parents=True, exist_ok=True)
            self.unfinished.add(self)
            self._take_lock()
            self._restore()
            complaint = self._complaint(option)  # again: what is there may have changed before the lock was ours
            if complaint:
                raise InputError.of(str(path), complaint)
            self._take_over(force, resume)
        except (OSError, ValueError) as error:
            self.abandon()
            raise InputError.of(str(path), f"cannot be written: {getattr(error, 'strerror', None) or error}") from None
        except InputError:
            self.abandon()
            raise

    def _beside(self, what: str) -> Path:
        return self.path.with_name(f".{self.path.name}.{what}")

    def _complaint(self, option: str) -> str:
        """Return why the directory cannot be made, "" if it can as far as one sees."""
        path = self.path
        if path.name in ("", ".."):
            return "expected the name of a new directory, such as my-run"
        if path.is_symlink():
            return "is a link; give the directory that it leads to, or another"
        if not path.exists():
            return ""
        if not path.is_dir():
            return "exists and is no directory"
        if not self.replaces:
            return f"the directory exists; choose another, or --force to replace it{option}"
        if not self._is_ours(path):
            return "is no run directory and is not empty; --force replaces only earlier runs"
        locked = [folder for folder, _, _ in os.walk(path) if not os.access(folder, os.R_OK | os.W_OK | os.X_OK)]
        return f"cannot be replaced: no permission to change {locked[0]}" if locked else ""

    def _is_ours(self, path: Path) -> bool:
        return (path / self.mark).is_file() or not any(path.iterdir())

    def _take_lock(self) -> None:
        """Lock the directory until this process ends, however it ends."""
        import fcntl

        file = self._beside("lock")
        while self._lock is None:
            number = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(number)
                raise InputError.of(str(self.path), "another process is writing this directory") from None
            except OSError:  # a file system without locks
                pass
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(number), file.stat()):  # else its last owner has just removed it
                    self._lock = number
                    return
            os.close(number)

    def _restore(self) -> None:
        """Put back what a run that was killed had moved away, unless what replaces it is there."""
        replaced = self._beside("replaced")
        if replaced.is_dir():
            if self.path.exists() or self._adds(self._beside("partial")) or not self._is_ours(replaced):
                shutil.rmtree(replaced)
            else:
                os.replace(replaced, self.path)

    def _take_over(self, force: bool, resume: bool) -> None:
        """Make the folder that is worked in; what a killed run left there is used, or refused, or removed."""
        work = self._beside("partial")
        left = self._adds(work)
        if left and not (force or resume):
            raise InputError.of(
                str(self.path), f"an unfinished run is left in {work}; --resume goes on with it, --force starts anew"
            )
        if not (left and resume):
            shutil.rmtree(work, ignore_errors=True)
        self.work = work
        work.mkdir(exist_ok=True)
        for stale in work.rglob(".*.tmp"):
            stale.unlink()
        if resume and not left:
            self._copy_finished()

    def _copy_finished(self) -> None:
        """Start with the blocks of the finished run; files are replaced, never changed, so they may be shared."""
        (self.work / GAMES).mkdir()
        files = sorted((self.path / GAMES).glob("*.parquet")) if (self.path / GAMES).is_dir() else []
        for file in [*files, self.path / CHECKPOINT]:
            target = self.work / file.relative_to(self.path)
            if file.is_file():
                try:
                    os.link(file, target)
                except OSError:  # a file system without links
                    shutil.copy2(file, target)
        with suppress(OSError):
            (self.work / GAMES).rmdir()

    def _adds(self, work: Path) -> bool:
        """Return whether finished blocks lie in a folder that the finished run, if there is one, does not have."""
        mine, theirs = work / CHECKPOINT, self.path / CHECKPOINT
        return mine.is_file() and not (theirs.is_file() and filecmp.cmp(mine, theirs, shallow=False))

    @property
    def holds_games(self) -> bool:
        """Whether finished blocks of its own lie in the folder that is worked in."""
        return self in self.unfinished and self.work != self.path and self._adds(self.work)

    def finish(self) -> None:
        """Put the finished directory in its place; `path` says where, as something else may have taken it meanwhile."""
        with machine_faults(str(self.path)):
            old, place = None, self.path
            if os.path.lexists(place):
                if self.replaces and place.is_dir() and not place.is_symlink() and self._is_ours(place):
                    old = self._beside("replaced")
                    os.replace(place, old)
                else:
                    numbered = (place.with_name(f"{place.name}-{n}") for n in itertools.count(2))
                    place = next(path for path in numbered if not os.path.lexists(path))
            try:
                os.replace(self.work, place)
            except OSError:
                if old:
                    os.replace(old, self.path)
                raise
            if old:
                shutil.rmtree(old, ignore_errors=True)
            self._release()
            self.path, self.finished = place, True

    def discard(self) -> None:
        """Remove what was written so far, finished blocks and all."""
        if self in self.unfinished:
            with suppress(OSError):
                (self.work / CHECKPOINT).unlink(missing_ok=True)
        self.abandon()

    def abandon(self) -> None:
        """Remove what was written so far, unless it is finished blocks that a later run may go on with."""
        if self not in self.unfinished:
            return
        if self._lock is not None and self.work != self.path and not self.holds_games:
            shutil.rmtree(self.work, ignore_errors=True)
        self._release()
        for parent in self._parents:
            with suppress(OSError):
                parent.rmdir()

    def _release(self) -> None:
        if self._lock is not None:
            with suppress(OSError):
                self._beside("lock").unlink()
            os.close(self._lock)
            self._lock = None
        self.unfinished.discard(self)


@dataclass(frozen=True)
class Checkpoint:
    """What a run had finished, as it was written. `block` is the number of games of a file of kept games."""

    file: Path
    data: Mapping[str, Any]

    @classmethod
    def of(cls, directory: RunDirectory) -> Checkpoint | None:
        """Return what a directory starts with; None if nothing.

        Raises
        ------
        ResultsError
            If it cannot be read, or was written by another version.
        """
        file = directory.work / CHECKPOINT
        if not file.is_file():
            if directory.resumes and (directory.path / directory.mark).is_file():
                raise ResultsError(f"{directory.path}: {CHECKPOINT} is missing, so there is nothing to go on from")
            return None
        try:
            data = json.loads(file.read_text(encoding="utf-8"))
            schema = data["schema"]
        except (ValueError, KeyError, TypeError, OSError, RecursionError) as error:
            raise ResultsError(f"{file}: cannot be read: {type(error).__name__}: {error}".splitlines()[0]) from None
        if schema != CHECKPOINT_SCHEMA:
            raise ResultsError(f"{file}: written by another version ({schema}, not {CHECKPOINT_SCHEMA})")
        return cls(file, data)

    @property
    def seed(self) -> int:
        """Seed of the run."""
        with written_by_us(self.file):
            return int(self.data["resolved"]["seed"])

    def start(self, scenario: Scenario, keep: bool, block: int, path: Path) -> Start:
        """Return where a run of `scenario` goes on.

        Raises
        ------
        ResultsError
            Naming what differs, if what is finished is no part of that run.
        """
        with written_by_us(self.file):
            difference = self._difference(scenario, keep, block)
            if difference:
                raise ResultsError(f"{path}: cannot go on: {difference}; --force starts anew")
            tally = Tally.restored(Layout.of(scenario.game, scenario.match), self.data["tally"])
            looks = [Look(games, tuple(tuple(side) for side in sides)) for games, sides in self.data["looks"]]
            if scenario.games is not None and scenario.precision is None and scenario.games < tally.games:
                raise ResultsError(
                    f"{path}: holds {tally.games:,} games already, more than --games {scenario.games:,}; "
                    "give at least as many, or another directory"
                )
            return Start(tally, looks, float(self.data["seconds"]))

    def _difference(self, scenario: Scenario, keep: bool, block: int) -> str:
        data = self.data
        if data["digest"]["sources"] != jit.sources_digest():
            return "it was begun by other sources of this program"
        if data["digest"]["inputs"] != scenario.inputs:
            return _changed(data["resolved"], scenario.resolved)
        if keep != (data["block"] is not None):
            return "it was begun without --keep-games" if keep else "it was begun with --keep-games"
        if keep and data["block"] != block:
            return f"its files hold {data['block']} games each, not {block}"
        return ""


def _changed(before: Any, now: Any) -> str:
    found = [each for each in differences(dict(flat(before)), dict(flat(now))) if not each["path"].endswith(".label")]
    if not found:
        return "the edition, or code of your own, has changed"
    more = f", and {len(found) - 3} more" if len(found) > 3 else ""
    return ", ".join(f"{each['path']} was {each['before']}, is {each['now']}" for each in found[:3]) + more


class Recorder:
    """Writes what is finished while a run goes on: kept games, and now and then a checkpoint.

    Parameters
    ----------
    directory : RunDirectory
    scenario : Scenario
    block : int or None
        Games of a file of kept games; None: no games are kept.
    start : Start or None
        Where it goes on from.
    """

    def __init__(self, directory: RunDirectory, scenario: Scenario, block: int | None, start: Start | None) -> None:
        self.directory, self.scenario, self.start, self.block = directory, scenario, start, block
        self.games = start.tally.games if start else 0
        """Games of the last checkpoint."""
        self.fault: MachineError | None = None
        self._due = time.monotonic() + CHECKPOINT_SECONDS
        self._shards: Shards | None = None
        if block is not None:
            with machine_faults(str(directory.path)):
                self._shards = Shards(directory.work / GAMES, scenario, block, self.games)

    @property
    def rows(self) -> Callable[[int, Any], None] | None:
        """What takes the rows of finished games; None if they are not kept."""
        return self._add if self._shards else None

    def _add(self, first: int, rows: Any) -> None:
        if self._shards:
            self._written(lambda shards: shards.add(first, rows), self._shards)

    def finished(self, tally: Tally, looks: Sequence[Look], seconds: float) -> None:
        """Write a checkpoint if it is time."""
        if time.monotonic() >= self._due:
            self.save(tally, looks, seconds)

    def close(self, run: Run) -> None:
        """Write the last checkpoint of a run.

        Raises
        ------
        MachineError
            If anything before could not be written: a part of the kept games is no use.
        """
        if self.fault:
            raise self.fault
        self.save(run.tally, run.looks, run.seconds)

    def save(self, tally: Tally, looks: Sequence[Look], seconds: float) -> None:
        """Write a checkpoint: the games first, as those beyond it do no harm."""
        began = time.monotonic()
        if self._shards:
            self._written(Shards.flush, self._shards)
        self._written(self._write, self._content(tally, looks, seconds))
        self.games = tally.games
        took = time.monotonic() - began
        self._due = time.monotonic() + max(CHECKPOINT_SECONDS, took / CHECKPOINT_SHARE)
        logs.note("checkpoint", games=tally.games, seconds=took)

    def _content(self, tally: Tally, looks: Sequence[Look], seconds: float) -> dict[str, Any]:
        return {
            "schema": CHECKPOINT_SCHEMA,
            "digest": {"inputs": self.scenario.inputs, "sources": jit.sources_digest()},
            "random": rng.VERSION,
            "resolved": self.scenario.resolved,
            "block": self.block,
            "seconds": seconds,
            "looks": [[look.games, look.sides] for look in looks],
            "tally": tally.saved(),
        }

    def _write(self, content: Mapping[str, Any]) -> None:
        write_text(self.directory.work / CHECKPOINT, json.dumps(content, allow_nan=False) + "\n", lasting=True)

    def _written(self, write: Callable[[Any], None], what: Any) -> None:
        try:
            with machine_faults(str(self.directory.path)):
                write(what)
        except MachineError as fault:
            self.fault = fault
            raise
