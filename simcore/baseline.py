"""Recorded numbers of a scenario: a sorted JSON file in ``baselines/`` beside it, made for review and for git.

It holds the sums of everything that is counted, what the games were made of, and a digest of each of the first blocks
of games, which unchanged code plays again bit for bit.
"""

from __future__ import annotations

import hashlib
import json
import math
import platform
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from simcore import ingredients, jit, rng
from simcore.errors import InputError, ResultsError, kind_of, shown
from simcore.measures import Measure, Sums, bounds, measures
from simcore.player import Player
from simcore.results import machine_faults, side_labels, write_text, written_by_us
from simcore.scenario import Scenario
from simcore.stats.shift import Sample
from simcore.tally import Tally

MARK = "balance.baseline/"
SCHEMA = f"{MARK}1"
FOLDER = "baselines"
MARGIN = 0.5
"""Points of a share below which a shift is taken for none."""

SUMS = ("deals", "total", "squares", "scale", "rotations", "absent")

LARGEST = 20_000_000  # bytes
GAMES = 250_000
"""Games that are recorded for a margin of a whole point; for half of it four times as many, and so on.

The standard error of an even share is then a tenth of the margin, so that the recorded noise does not decide a check.
"""

COIN = 50.0
"""Points by which the outcome of an even share differs in a single game, as a standard deviation."""

LEAST_MARGIN = 0.001
"""Of an amount, for one that does not vary."""

BLOCK, BLOCKS = 64, 16
"""Games of a block that is compared bit by bit, at least; and how many blocks are, at most."""

PART = 100
"""No more than one in so many recorded games is compared bit by bit: who can record few has no time to play many."""


@dataclass(frozen=True)
class Recorded:
    """A recorded number: its sums, and the shift that is taken for none, in its own unit (a share: in [0, 1])."""

    name: str
    kind: str
    label: str
    sums: Sums
    margin: float

    def sample(self) -> Sample:
        """Return the recorded sample, as `stats.shift` takes it."""
        return self.sums.sample(0 if self.kind == "share" else 1)


@dataclass(frozen=True)
class Baseline:
    """A baseline as it was read."""

    file: Path
    content: Mapping[str, Any]

    @property
    def seed(self) -> int:
        """Seed of the recorded games."""
        return int(self.content["seed"])

    @property
    def games(self) -> int:
        """Number of recorded games."""
        return int(self.content["games"])

    @property
    def margin(self) -> float:
        """The margin it was recorded for, in points."""
        return float(self.content["margin"])

    @property
    def inputs(self) -> str:
        """Digest of all that decides results besides our code."""
        return str(self.content["digest"]["inputs"])

    @property
    def platform(self) -> str:
        """Tag of the platform that played the games."""
        return str(self.content["platform"])

    @property
    def made_of(self) -> dict[str, Any]:
        """What the games were made of, by path."""
        return dict(self.content["made_of"])

    @cached_property
    def numbers(self) -> dict[str, Recorded]:
        """The recorded numbers, by name."""
        found = {}
        for name, each in self.content["numbers"].items():
            sums = Sums(*(each[part] for part in SUMS))
            found[name] = Recorded(name, each["kind"], each["label"], sums, _margin(each["kind"], sums, self.margin))
        return found


def _margin(kind: str, sums: Sums, points: float) -> float:
    """Return the margin of a number: of an amount as large a part of its spread as `points` are of an even share's."""
    return points / 100 if kind == "share" else max(points / COIN * sums.spread, LEAST_MARGIN)


def with_margin(recorded: Recorded, points: float) -> Recorded:
    """Return a recorded number with another margin."""
    margin = _margin(recorded.kind, recorded.sums, points)
    return Recorded(recorded.name, recorded.kind, recorded.label, recorded.sums, margin)


def path_of(scenario: Path) -> Path:
    """Return the file that holds the baseline of a scenario's file."""
    return scenario.parent / FOLDER / f"{scenario.stem}.json"


def scenario_of(file: Path) -> Path:
    """Return the scenario's file to which a baseline belongs."""
    name = file.parent.parent / file.stem
    return next((name.with_suffix(end) for end in (".yaml", ".yml") if kind_of(name.with_suffix(end))), name)


def tag() -> str:
    """Return what tells platforms apart whose floating-point numbers may differ."""
    return f"{platform.system()}-{platform.machine()}"


def games_for(points: float, rotations: int) -> int:
    """Return how many games to record for a margin."""
    return math.ceil(GAMES / points**2 / rotations) * rotations


# -- writing --------------------------------------------------------------------------------------------------------


def content(name: str, scenario: Scenario, tally: Tally, player: Player, margin: float) -> dict[str, Any]:
    """Return the baseline of the scenario called `name` as plain data, sealed."""
    size, names = block_games(scenario), columns(scenario)
    blocks = list(digests(player, names, size, block_count(scenario, tally.games)))
    labels = dict(enumerate(side_labels(scenario), 1))
    known = measures(scenario)
    wanted = list(known.values())
    wanted += [bound.measure for each in scenario.expect for bound in bounds(each, known)]
    found = {
        "schema": SCHEMA,
        "scenario": name,
        "game": scenario.game.name,
        "seed": scenario.match.seed,
        "games": tally.games,
        "margin": margin,
        "platform": tag(),
        "digest": {"inputs": scenario.inputs, "sources": jit.sources_digest()},
        "made_of": ingredients.made_of(scenario),
        "replay": {"games": size, "columns": names, "blocks": blocks},
        "numbers": {each.name: _number(each, tally, labels) for each in wanted},
    }
    return found | {"seal": _seal(found)}


def _number(measure: Measure, tally: Tally, labels: Mapping[int, str]) -> dict[str, Any]:
    sums = measure.sums(tally)
    part = measure.name.partition(".")[2]
    is_player = part.isdigit() and int(part) in labels and not measure.name.startswith("seat.")
    return {
        "kind": "share" if measure.is_share else "amount",
        "label": labels[int(part)] if is_player else "",
        "value": sums.mean,
        **{part: getattr(sums, part) for part in SUMS},
    }


def _seal(data: Mapping[str, Any]) -> str:
    text = json.dumps({key: value for key, value in data.items() if key != "seal"}, sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def write(file: Path, data: Mapping[str, Any]) -> None:
    """Write a baseline, all of it or nothing."""
    with machine_faults(shown(file)):
        file.parent.mkdir(exist_ok=True)
        write_text(file, text_of(data))


def text_of(data: Mapping[str, Any]) -> str:
    """Return a baseline as sorted JSON in which a recorded number is a line, as is a value that games are made of.

    So a diff of two baselines has a line for each that moved.
    """

    def told(value: Any) -> str:
        return _block(value, " ", _plain) if isinstance(value, dict) else _plain(value)

    return _block(data, "", told) + "\n"


def _block(data: Mapping[str, Any], margin: str, told: Callable[[Any], str]) -> str:
    """Return the text of a mapping, a line for each key."""
    lines = [f"{margin} {_plain(key)}: {told(value)}" for key, value in sorted(data.items())]
    return ",\n".join(lines).join(("{\n", f"\n{margin}}}"))


def _plain(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False)


# -- reading --------------------------------------------------------------------------------------------------------


def read(file: Path) -> Baseline | None:
    """Return the baseline in a file, None if there is no such file.

    Raises
    ------
    InputError
        If it is none of ours, is damaged or edited, or of a version that this program does not read.
    """
    if not kind_of(file):
        return None
    data = _parsed(file)
    name = shown(file)
    schema = data.get("schema") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not str(schema).startswith(MARK):
        raise InputError.of(name, f"is no baseline; {_AGAIN}")
    if schema != SCHEMA:
        raise InputError.of(name, f"was written by another version ({schema}, not {SCHEMA}); {_AGAIN}")
    try:
        if data.get("seal") != _seal(data):
            raise InputError.of(name, f"is not as it was written: edited, or merged by hand; {_AGAIN}")
        found = Baseline(file, data)
        with written_by_us(file):
            _touch(found)
    except (ValueError, ResultsError, OverflowError, RecursionError) as error:
        raise InputError.of(name, f"is not as it was written ({type(error).__name__}); {_AGAIN}") from None
    return found


_AGAIN = "record it again: balance baseline record --force"


def _parsed(file: Path) -> Any:
    name = shown(file)
    try:
        if kind_of(file) != "file":
            raise InputError.of(name, "is no regular file")
        if file.stat().st_size > LARGEST:
            raise InputError.of(name, f"is larger than {LARGEST // 10**6} MB, which no baseline is")
        return json.loads(file.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        what = f"{name}:{error.lineno}:{error.colno}"
        raise InputError.of(what, f"is no JSON: cut short, or a conflict of a merge? {_AGAIN}") from None
    except UnicodeDecodeError:
        raise InputError.of(name, f"is no text in UTF-8; {_AGAIN}") from None
    except RecursionError:
        raise InputError.of(name, f"is nested too deeply; {_AGAIN}") from None
    except ValueError:  # a number with thousands of digits
        raise InputError.of(name, f"is no baseline; {_AGAIN}") from None
    except OSError as error:
        raise InputError.of(name, f"cannot be read: {error.strerror}") from None


def _touch(found: Baseline) -> None:
    """Look at everything that is used later, so that what is missing or cannot be is said here."""
    _ = (found.inputs, found.platform, found.made_of, str(found.content["game"]))
    replay, sums = found.content["replay"], [each.sums for each in found.numbers.values()]
    numbers = [replay["games"], *(n for each in sums for n in vars(each).values())]
    right = bool(sums) and all(type(n) is int for n in numbers) and all(map(_can_be, found.numbers.values()))
    right = right and 0 <= found.seed < rng.SEED_LIMIT and found.games > 0
    right = right and math.isfinite(found.margin) and found.margin > 0
    right = right and 0 < replay["games"] < BLOCK + max(each.rotations for each in sums)
    right = right and 0 < len(replay["blocks"]) <= BLOCKS and bool(replay["columns"])
    if not right or not all(isinstance(text, str) for text in (*replay["blocks"], *replay["columns"])):
        raise ValueError("numbers")


def _can_be(recorded: Recorded) -> bool:
    """Return whether sums could come from games at all."""
    sums = recorded.sums
    if recorded.kind not in ("share", "amount") or min(sums.deals, sums.scale, sums.rotations) <= 0 or sums.absent < 0:
        return False
    if recorded.kind == "share" and abs(sums.total) > sums.deals * sums.scale:
        return False
    return sums.total**2 <= sums.deals * sums.squares


# -- the same games again -------------------------------------------------------------------------------------------


def block_games(scenario: Scenario) -> int:
    """Return the games of a block: whole deals."""
    rotations = len(scenario.match.rotations)
    return -(-BLOCK // rotations) * rotations


def block_count(scenario: Scenario, games: int) -> int:
    """Return how many blocks are compared where so many games are recorded."""
    return min(max(games // PART // block_games(scenario), 1), BLOCKS)


def columns(scenario: Scenario) -> list[str]:
    """Return the columns of outcomes that are compared."""
    return list(scenario.game.outcome.names or ())


def digests(player: Player, names: list[str], games: int, blocks: int) -> Iterator[str]:
    """Play the first blocks of games and yield the digest of each."""
    for block in range(blocks):
        rows = player.play(block * games, games)
        digest = hashlib.sha256()
        for name in names:
            digest.update(name.encode())
            digest.update(np.ascontiguousarray(rows[name]).astype("<i4").tobytes())
        yield digest.hexdigest()[:16]


@dataclass(frozen=True)
class Replay:
    """How the first games compare with those recorded.

    `games` were compared; the first that differs is from `first` on, before `end`; `gone` are columns that are no more.
    """

    games: int
    first: int | None = None
    end: int | None = None
    gone: tuple[str, ...] = ()

    @property
    def identical(self) -> bool:
        """Whether nothing differs."""
        return self.first is None and not self.gone


def replay(baseline: Baseline, scenario: Scenario, player: Player) -> Replay:
    """Play the first recorded blocks again, up to the first that differs."""
    recorded = baseline.content["replay"]
    gone = tuple(name for name in recorded["columns"] if name not in columns(scenario))
    if gone:
        return Replay(0, gone=gone)
    games = recorded["games"]
    found = digests(player, recorded["columns"], games, len(recorded["blocks"]))
    for number, (then, now) in enumerate(zip(recorded["blocks"], found, strict=True)):
        if then != now:
            return Replay(number * games + games, number * games, number * games + games)
    return Replay(games * len(recorded["blocks"]))
