"""What `recount_golden_*.py` share: the lines of a golden file, counted again by a plain reading, without the kernels.

A game says how it plays by lot and what is offered after some choices; here the games are added up, the positions
counted, and the lines compared.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

GOLDEN = Path(__file__).resolve().parent.parent / "golden"


class Stopped(Exception):  # noqa: N818
    """The reading has come to a choice that is not yet made."""

    def __init__(self, offered: Sequence[Any]) -> None:
        super().__init__()
        self.offered = list(offered)


@dataclass(frozen=True)
class Line:
    """A line ``kind number overrides: counts`` of a golden file, and the scenario that it overrides."""

    head: str
    counts: str
    base: Mapping[str, Any]

    @property
    def kind(self) -> str:
        return self.head.split()[0]

    @property
    def number(self) -> int:
        return int(self.head.split()[1])

    @property
    def seed(self) -> int:
        return int(self.base["seed"])

    @property
    def players(self) -> int:
        return len(self.base["seats"])

    @property
    def overrides(self) -> dict[str, Any]:
        """Values by path, as ``rules.poison_limit``."""
        pairs = (override.split("=", 1) for override in self.head.split()[2:])
        return {path: yaml.safe_load(value) for path, value in pairs}

    @property
    def rules(self) -> dict[str, Any]:
        """Rule switches, those of the base scenario among them."""
        changes = {p.removeprefix("rules."): value for p, value in self.overrides.items() if p.startswith("rules.")}
        return {**self.base.get("rules", {}), **changes}


def lines_of(file: Path) -> Iterator[Line]:
    """Yield the lines of a golden file that count something."""
    base: Mapping[str, Any] = {}
    for text in file.read_text(encoding="utf-8").splitlines():
        if text.startswith("base "):
            base = yaml.safe_load(text.removeprefix("base "))
        elif text.startswith(("games ", "perft ")):
            head, _, counts = text.partition(": ")
            yield Line(head, counts, base)


def added_up(games: Iterable[Mapping[str, Any]], names: Sequence[str], seats: int = 0) -> str:
    """Add up games: columns of numbers, or of one for each of `seats`, and ``winners``, a bit mask."""
    winners: Counter[int] = Counter()
    sums: dict[str, list[int]] = {}
    for game in games:
        winners[game["winners"]] += 1
        for name in names:
            value = game[name]
            values = [*value, *[0] * (seats - len(value))] if isinstance(value, Sequence) else [value]
            sums[name] = [a + b for a, b in zip(sums.get(name, [0] * len(values)), values, strict=True)]
    shown = [f"{mask:b}:{winners[mask]}" for mask in range(max(winners) + 1)]
    return ", ".join(shown + [f"{name} {'/'.join(map(str, total))}" for name, total in sums.items()])


def positions(depth: int, offered_after: Callable[[list[Any]], Sequence[Any] | None]) -> str:
    """Count positions after 1, 2, ... decisions; `offered_after` choices is None when the game is over."""
    counts: list[str] = []
    paths: list[list[Any]] = [[]]
    for level in range(depth + 1):
        offers = [offered_after(path) for path in paths]
        if level:
            counts.append(f"{len(paths)} ({sum(offered is None for offered in offers)} over)")
        paths = [[*path, choice] for path, offered in zip(paths, offers, strict=True) for choice in offered or ()]
    return ", ".join(counts)


def main(game: str, count: Callable[[Line], str | None]) -> int:
    """Recount the lines that contain all words of the command line, or all; return 1 if one differs.

    `count` returns the counts of a line, None if the reading cannot play it.
    """
    differs = 0
    for line in lines_of(GOLDEN / f"{game}.txt"):
        if all(word in line.head for word in sys.argv[1:]):
            found = count(line)
            differs |= found not in (line.counts, None)
            said = {line.counts: "same", None: "left out"}.get(found, "DIFFERS")
            print(f"{line.head}: {said}", flush=True)
            if said == "DIFFERS":
                print(f"golden   {line.counts}\nrecount  {found}", flush=True)
    return differs
