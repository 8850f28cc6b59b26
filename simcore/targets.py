"""Which scenarios are meant by files, folders and globs: for checks, which must not pass over one in silence."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from simcore import baseline as baselines
from simcore.errors import InputError, kind_of, shown


@dataclass(frozen=True)
class Target:
    """A scenario's file as it was found, and how people call it."""

    file: Path
    name: str


@dataclass
class Found:
    """What lies at some paths.

    `scenarios` has each once, in the order of the paths; `orphans` are baselines whose scenario is gone; `empty` are
    paths where there is no scenario.
    """

    scenarios: list[Target] = field(default_factory=list)
    orphans: list[Path] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)


def find(paths: Sequence[str], shipped: Callable[[str], Path]) -> Found:
    """Return the scenarios of files, folders and globs; `shipped` finds one by a name that is no path.

    Raises
    ------
    InputError
        If there is nothing of such a name.
    """
    found: dict[str, Target] = {}
    orphans: list[Path] = []
    empty: list[str] = []
    for name in paths:
        targets, lost = _at(name, shipped)
        for target in targets:
            found.setdefault(os.path.realpath(target.file), target)  # `resolve` raises where links go round
        orphans += lost
        empty += [] if targets else [name]
    return Found(list(found.values()), list(dict.fromkeys(orphans)), list(dict.fromkeys(empty)))


def _at(name: str, shipped: Callable[[str], Path]) -> tuple[list[Target], list[Path]]:
    """Return the scenarios of one path, and the orphans below it."""
    path = Path(name)
    kind = kind_of(path)
    if kind == "folder":
        return _inside(path)
    if kind:
        return [Target(path, name)], []
    if not glob.has_magic(name):
        return [Target(shipped(name), name)], []
    targets, lost = [], []
    for match in sorted(glob.glob(name, recursive=True)):
        inner = _inside(Path(match)) if kind_of(Path(match)) == "folder" else (_scenarios([Path(match)]), [])
        targets += inner[0]
        lost += inner[1]
    return targets, lost


def _inside(folder: Path) -> tuple[list[Target], list[Path]]:
    try:
        files = sorted(file for file in folder.rglob("*") if not _is_hidden(file, folder))
    except OSError as error:
        raise InputError.of(shown(folder), f"cannot be read: {error.strerror}") from None
    return _scenarios(files), [
        file for file in files if _is_baseline(file) and not kind_of(baselines.scenario_of(file))
    ]


def _is_baseline(file: Path) -> bool:
    """Return whether a file is a baseline of ours; other programs have folders of that name."""
    if file.suffix != ".json" or file.parent.name != baselines.FOLDER:
        return False
    return baselines.MARK in _text(file)


def _text(file: Path) -> str:
    """Return the text of a file, "" of one that cannot be read; a pipe would keep us waiting."""
    if kind_of(file) != "file":
        return ""
    try:
        return file.read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        return ""


def _is_hidden(file: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(folder).parts)


def _scenarios(files: Sequence[Path]) -> list[Target]:
    return [Target(file, str(file)) for file in files if _is_scenario(file)]


def _is_scenario(file: Path) -> bool:
    """Return whether a file looks like a scenario; a YAML file that cannot be read does, to be complained about.

    Editions, and files of other programs, lie beside scenarios.
    """
    if file.suffix.lower() not in (".yaml", ".yml") or kind_of(file) != "file":
        return False
    text = _text(file)
    if not text.strip() or "\0" in text:  # empty, or UTF-16
        return True
    told = [line.removeprefix("---") for line in text.splitlines() if not line.lstrip().startswith(("#", "%"))]
    lines = [line for line in told if line.strip()]
    margin = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    keys = {line.partition(":")[0].strip("'\" ") for line in lines if line[margin].strip() and ":" in line}
    is_edition = "edition" in keys and "seats" not in keys and "pace" in keys
    is_flow = bool(lines) and lines[0].lstrip().startswith("{")
    return is_flow or (bool({"game", "seats"} & keys) and not is_edition)
