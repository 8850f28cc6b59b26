"""What the tests share: a table where a game is driven by hand, and tolerances that are computed."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import yaml

import strategies
from simcore import jit
from simcore.contract import POINTERS, Game, Rules, desk_dtype
from simcore.jit import reference, table
from simcore.player import Player
from simcore.rng import derive, open_streams

ROOT = Path(__file__).resolve().parent.parent
SCENARIOS = ROOT / "scenarios"
OWN_GAME = ROOT / "tests" / "own" / "dice-race"
"""A game that is none of ours, as a designer has one; its scenarios lie beside it."""

THOROUGH = "BALANCE_THOROUGH"
"""Environment variable that `--slow` sets: sampled checks look at everything, in other processes of the tests, too."""

RARE = 1e-6
"""Chance with which a right program fails a statistical test. Seeds are fixed: it fails always or never."""


def wait_for(what: Callable[[], Any], seconds: float = 120) -> Any:
    """Wait until `what` returns something true, and return it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = what()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"not within {seconds} s")


def logged(file: Path, word: str) -> bool:
    """Tell whether a log has a word yet."""
    return file.exists() and word in file.read_text(encoding="utf-8")


def scaled(games: int, without_jit: int = 50) -> int:
    """Return how many `games` to play: fewer with JIT off, where each takes a thousand times as long."""
    return games if jit.ENABLED else max(2, games // without_jit)


def sampled(few: int, many: int) -> int:
    """Return how much a sampled check looks at: `many` with ``--slow``."""
    return many if os.environ.get(THOROUGH) else few


def sigmas(chance: float = RARE) -> float:
    """Return how many standard errors a two-sided test with this error allows."""
    return NormalDist().inv_cdf(1 - chance / 2)


def chi_square(observed: Sequence[int], expected: Sequence[float]) -> float:
    """Return the chi-square statistic."""
    return float(sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True)))


def chi_square_limit(freedom: int, chance: float = RARE) -> float:
    """Return what a chi-square variable exceeds with `chance` (Wilson and Hilferty 1931)."""
    spread = 2 / (9 * freedom)
    return float(freedom * (1 - spread + NormalDist().inv_cdf(1 - chance) * spread**0.5) ** 3)


def scenarios_of(game: str) -> list[Path]:
    """Return the shipped scenarios of a game, or those beside the folder of one's own."""
    folder = Path(game).parent if strategies.is_own(game) else SCENARIOS / game
    return sorted(folder.glob("*.yaml"))


def first_scenario(game: str) -> Path:
    """Return the first scenario of a game in which the seats differ by more than their strategies."""
    files = scenarios_of(game)
    return next((file for file in files if _seats_differ(file)), files[0])


def _seats_differ(file: Path) -> bool:
    seats = yaml.safe_load(file.read_text(encoding="utf-8"))["seats"]
    options = [{key: seat[key] for key in seat if key not in ("strategy", "params", "label")} for seat in seats]
    return any(option != options[0] for option in options)


def params_of(game: Game, strategy: str) -> dict[str, Any]:
    """Return parameters under which a generic strategy uses all it has, and is quick."""
    names = [feature.name for feature in game.features]
    if strategy == "weights":
        tiers = [{names[0]: 1.0}, {name: 1.0 - 0.5 * i for i, name in enumerate(names)}]
        return {"tiers": tiers, "temperature": 0.5}
    return {"rollouts": 8, "horizon": 2} if strategy == "lookahead" else {}


def seated(names: Sequence[str], params: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return the overrides that put strategies with their parameters into the seats of a scenario."""
    overrides = [(f"seats.{seat}.strategy", name) for seat, name in enumerate(names, start=1)]
    # JSON on one line is a value in YAML, too.
    return overrides + [(f"seats.{n}.params", json.dumps(p)) for n, p in enumerate(params, start=1) if p]


@cache
def leaves(dtype: np.dtype[Any]) -> tuple[tuple[str, ...], ...]:
    """Return the path of every plain field of a structured type."""
    paths: list[tuple[str, ...]] = []
    for name in dtype.names or ():
        inner = dtype[name].base
        paths += [(name, *path) for path in leaves(inner)] if inner.names else [(name,)]
    return tuple(paths)


def field(memory: Any, path: Sequence[str]) -> Any:
    """Return a field of all records of `memory`; a view, which can be written."""
    memory = np.asarray(memory)  # a field of a recarray is slow to reach
    for name in path:
        memory = memory[name]
    return memory


@dataclass(frozen=True)
class Content:
    """What some records held: every field that means something, not the gaps between fields or the parts in `skip`."""

    stored: bytes
    dtype: np.dtype[Any]
    skip: tuple[str, ...]

    def differences(self, other: Content) -> set[str]:
        """Return the names of the fields that differ."""
        if self.stored == other.stored:  # which saves looking at a hundred fields in most positions
            return set()
        ours, theirs = (np.frombuffer(each.stored, self.dtype) for each in (self, other))
        paths = [path for path in leaves(self.dtype) if path[0] not in self.skip]
        return {".".join(path) for path in paths if field(ours, path).tobytes() != field(theirs, path).tobytes()}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Content) and not self.differences(other)


def content(memory: Any, skip: Sequence[str] = ("tmp",)) -> Content:
    """Return what some records hold now."""
    memory = np.asarray(memory)
    return Content(memory.tobytes(), memory.dtype, tuple(skip))


def fill(memory: Any, value: int) -> None:
    """Write a number into every field."""
    memory = np.asarray(memory)
    for path in leaves(memory.dtype):
        field(memory, path)[...] = value


def changed(before: Content, after: Content) -> set[str]:
    """Return the names of the fields that differ."""
    return before.differences(after)


class Pointer:
    """A compiled kernel as numba takes it for a typed pointer; finding its address takes longer than most kernels."""

    def __init__(self, kernel: Any, signature: Any) -> None:
        found = kernel.get_compile_result(signature)
        self._signature = signature
        self._address = int(found.library.get_pointer_to_function(found.fndesc.llvm_cfunc_wrapper_name))

    def __wrapper_address__(self) -> int:
        return self._address

    def signature(self) -> Any:
        return self._signature


def answer_of(strategies: Any, desks: Any, tools: Any, which: int, n: int) -> Any:
    """Return what a strategy answers in the position of a desk; called as the driver calls it."""
    chooser = table(strategies)
    kit = reference(tools)
    desk = desks[0]
    return chooser[which](desk.state, desk.state.play.seat, desk.actions[:], n, desk.params[which], desk.work, kit)


class Tools:
    """The kernels of a game as a test calls them by hand, and `answer`, which calls any of its strategies."""

    def __init__(self, game: Game) -> None:
        self.game = game
        for name in Rules.__dataclass_fields__:
            setattr(self, name, self._direct(getattr(game.tools, name)))
        self.pointers = tuple(self._pointer(name, getattr(game.tools, name)) for name in POINTERS)
        self._choosers: dict[Any, Any] = {}
        self.answer = answer_of
        if jit.ENABLED:
            from numba import types

            chooser, desks, tools = game.signatures.play_block.args[:3]
            number = game.signatures.legal.return_type
            signature = number(chooser, desks, tools, types.int64, number)
            self.answer = self._direct(jit.pointer(answer_of, signature))

    def chooser(self, choose: Any) -> Any:
        """Return a compiled strategy as `answer` takes it."""
        if choose not in self._choosers:
            self._choosers[choose] = self._pointer("choose", choose)
        return self._choosers[choose]

    def _pointer(self, name: str, kernel: Any) -> Any:
        return Pointer(kernel, getattr(self.game.signatures, name)) if jit.ENABLED else kernel

    def _direct(self, kernel: Any) -> Any:
        """Return what calls a compiled kernel for the types it is made for; finding them out takes as long again."""
        return kernel.overloads[kernel.signatures[0]].entry_point if jit.ENABLED else kernel


_TOOLS: dict[int, Tools] = {}


def tools_of(game: Game) -> Any:
    """Return the tools of a game, the same ones for all tables."""
    if id(game) not in _TOOLS:
        _TOOLS[id(game)] = Tools(game)
    return _TOOLS[id(game)]


class Table:
    """One game of a match, driven by hand through the game's own kernels.

    The driver's twin in plain Python: `offered` and `apply` are the kernels `legal` and `apply`, `ask` calls
    a compiled strategy. `memory["state"]` is the state, to be looked at and poked.
    """

    def __init__(self, player: Player, index: int = 0) -> None:
        match = player.match
        rotations = len(match.rotations)
        self.player = player
        self.index = index
        self.rotation = index % rotations
        self.deal = index // rotations
        self.game: Game = player.game
        self.tools = tools_of(player.game)
        self.memory = np.zeros(1, desk_dtype(self.game)).view(np.recarray)
        self.memory["state"]["tab"][0] = match.tabs[self.rotation]
        self.memory["params"][0] = match.params[self.rotation]
        self.desk = self.memory[0]
        self.state = self.desk.state
        self.actions = self.desk.actions[:]
        self._state = np.asarray(self.memory)["state"]
        play = self._state["play"]
        self._seat, self._role, self._over = play["seat"], play["role"], play["over"]
        self.start()

    def start(self) -> None:
        """Set the game up, whatever was played before."""
        with np.errstate(over="ignore"):
            # Outside of kernels numba returns a Python number, which has to be typed again.
            run = np.uint64(derive(np.uint64(self.player.match.seed), np.uint64(0)))
            open_streams(self.state.rng, np.uint64(derive(run, np.uint64(self.deal))))
            self.tools.setup(self.state)

    @property
    def seat(self) -> int:
        """Who decides, 0-based."""
        return int(self._seat[0])

    @property
    def which(self) -> int:
        """Position of the acting seat and role among strategies and parameters."""
        return self.seat * len(self.game.roles) + int(self._role[0])

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._over[0])

    def see(self, name: str) -> Any:
        """Return a field of the position: an array, a view where the field is one."""
        return self._state["play"][name][0]

    def poke(self, name: str, value: Any) -> None:
        """Write a field of the position."""
        self._state["play"][name][0] = value

    def offered(self) -> list[int]:
        """Return what the acting seat may answer."""
        n = int(self.tools.legal(self.state, self.actions))
        return [int(action) for action in self.actions[:n]]

    def apply(self, action: int) -> None:
        """Carry out an action."""
        with np.errstate(over="ignore"):
            self.tools.apply(self.state, action)

    def ask(self, choose: Any, n: int) -> int:
        """Return what a compiled strategy answers to the `n` actions that `offered` has just listed."""
        chairs = self.game.seats * len(self.game.roles)
        with np.errstate(over="ignore"):
            chooser = (self.tools.chooser(choose),) * chairs
            return int(self.tools.answer(chooser, self.memory, self.tools.pointers, self.which, n))

    def hide(self, seat: int, random: int) -> None:
        """Re-deal what `seat` cannot know."""
        with np.errstate(over="ignore"):
            self.tools.hide(self.state, seat, np.uint64(random))

    def lead(self, side: int) -> float:
        """Return how far a side is ahead."""
        return float(self.tools.lead(self.state, side))

    def score(self, row: Any = None) -> Any:
        """Return the outcome row (1,), without decisions and seconds; written over `row` if given."""
        row = np.zeros(1, self.game.outcome) if row is None else row
        self.tools.score(self.state, row.view(np.recarray)[0])
        return row

    def save(self) -> Any:
        """Return a copy of the whole state (1,)."""
        return self._state.copy()

    def load(self, state: Any) -> None:
        """Return to a saved state."""
        self._state[0] = state[0]

    def content(self) -> Content:
        """Return every field of the state that means something."""
        return content(self._state)
