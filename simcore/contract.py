"""What a game and a strategy are to the engine: their records, signatures and descriptions. No logic of any game."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from simcore import jit, rng
from simcore.errors import InputError, Problem, shown, suggest

Kernel = Callable[..., Any]
Function = TypeVar("Function", bound=Kernel)

UNFINISHED = "round cap"
"""First end reason of every game: the round cap of the rules stopped it. Never a draw."""

PARAMETERS = 96
"""Capacity of a strategy's parameter vector."""

MASK_WORDS = 4
"""32-bit words of an exposure mask: up to 128 components a game can tell apart."""

EXPOSURES = ("dealt", "held", "played")

ABSENT = -(2**31)
"""Value of a metric that does not apply to a game, such as the turns of a chapter that was not reached."""

ACTION_LOG = 1 << 18
"""Actions that a trace can hold."""


@dataclass(frozen=True)
class Metric:
    """A number counted in every game.

    `per` is ``"game"``, or ``"seat"`` for one value for each player, or ``"component"`` for what each of the first
    `count` exposed components brought: how often it was used, and what it came to. A `signed` one may be negative.
    """

    name: str
    doc: str
    per: str = "game"
    signed: bool = False
    count: int = 0

    def shape(self, seats: int) -> tuple[int, ...]:
        """Return the shape of its field in an outcome: (S,), (count, 2) for uses and sum, or ()."""
        if self.per == "component":
            return (self.count, 2)
        return (seats,) if self.per == "seat" else ()


@dataclass(frozen=True)
class Feature:
    """A number that describes an action to a weight vector."""

    name: str
    doc: str


@dataclass(frozen=True)
class Param:
    """A documented parameter of a strategy: default, inclusive range, meaning. Whole if all three are integers."""

    default: float
    low: float
    high: float
    doc: str

    def __post_init__(self) -> None:
        """Refuse what is no range with a default in it."""
        numbers = (self.default, self.low, self.high)
        if not all(isinstance(n, int | float) for n in numbers) or not self.low <= self.default <= self.high:
            raise ValueError(f"Param{numbers}: expected a default, then the lowest and the highest value around it")

    @property
    def kind(self) -> str:
        """What is expected: "a whole number", or "a number"."""
        return "a whole number" if all(isinstance(n, int) for n in (self.default, self.low, self.high)) else "a number"


@dataclass(frozen=True)
class Decision:
    """A kind of choice that the rules give to a player (for `balance show` and the documentation)."""

    name: str
    role: str
    doc: str


@dataclass(frozen=True)
class Names:
    """What a game's texts call things: the players as seated, what the scenario says of each, and every label.

    Parameters
    ----------
    players : tuple of str
        What people call the player in each seat.
    options : tuple of the game's `Seat`
        The character and other options of the player in each seat.
    edition : the game's `Edition`
        Components with their labels.
    """

    players: tuple[str, ...]
    options: tuple[Any, ...]
    edition: Any


@dataclass(frozen=True)
class Event:
    """Something that happened in a game, told to people (`parts`) and to programs (`kind`, `data`).

    Parameters
    ----------
    kind : str
        What happened, as an id of the game: ``roll``.
    tag : str
        Short heading; neighbours with the same one are shown as a group.
    parts : tuple of str
        One sentence; or the cells of a table row, lined up with neighbours that have as many.
    rounds : int
        The round it belongs to; 0 before the first.
    data : mapping
        The same in numbers: strict JSON, ids of the edition, seats counted from 1.
    """

    kind: str
    tag: str
    parts: tuple[str, ...]
    rounds: int
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Exposed:
    """A bit of the exposure masks, as people see it: those who were dealt, held or played this are counted.

    Parameters
    ----------
    bit : int
        From 0, word by word of the mask.
    id, label : str
        Of the component in the edition.
    kind : str
        Components of one kind are compared with each other.
    exposure : str
        The one of `EXPOSURES` that is counted: "dealt" where nobody chooses.
    drawn : bool
        It comes during the game, so that who plays longer is dealt more; else only at the start.
    """

    bit: int
    id: str
    label: str
    kind: str
    exposure: str
    drawn: bool = False


@dataclass(frozen=True)
class Stage:
    """A stretch of a game, such as a chapter, that not every game reaches; a report makes a funnel of them.

    Its metrics are absent where it was not reached, and stand in the funnel in place of the list of metrics.

    Parameters
    ----------
    label : str
        What people call it.
    passed : tuple of (str, str)
        Ways of getting through, and the metric that is 1 for each; at most one of them is.
    failed : tuple of (str, str)
        What can stop it, and the metric that counts how often each did.
    others : tuple of (str, str)
        More numbers, of which the mean over the games that reached it is shown, and their metrics.
    """

    label: str
    passed: tuple[tuple[str, str], ...]
    failed: tuple[tuple[str, str], ...] = ()
    others: tuple[tuple[str, str], ...] = ()


COMMON_COLUMNS = ("winners", "turns", "rounds", "decisions", "seconds", "reason")


PLAY_FIELDS = [("seat", "i8"), ("role", "i8"), ("rounds", "i8"), ("turns", "i8"), ("over", "i8")]
"""First fields of every position: who decides (0-based) and as what, rounds and turns begun, 1 when it is over."""


def state_dtype(
    tab: list[Any], play: list[Any], seats: int, chance: int, log: Sequence[Any] = (), tmp: Sequence[Any] = ()
) -> np.dtype[Any]:
    """Return the state record: `tab` (constant in a game), `play` (the position) and `rng` (all streams).

    Parameters
    ----------
    tab, play : list of fields as for ``np.dtype``
        The engine adds `n_seats`, `side_of` (S) and `entry_of` (S: which listed player sits there) to `tab` and writes
        them; `play` gets `PLAY_FIELDS`.
    seats, chance : int
        Capacity in seats, and number of chance streams. Streams: one for each seat's strategy, then chance.
    log, tmp : fields, optional
        `log`: counters that would tell a strategy what its seat cannot know; `hide` clears them.
        `tmp`: work space of the rules, without meaning between two calls; never compared.
    """
    tab = [("n_seats", "i4"), ("side_of", "i4", (seats,)), ("entry_of", "i4", (seats,)), *tab]
    parts = [("tab", tab), ("play", PLAY_FIELDS + play), ("log", list(log)), ("tmp", list(tmp))]
    records = [(name, np.dtype(fields, align=True)) for name, fields in parts if fields]
    return np.dtype([*records, ("rng", rng.dtype(seats + chance))], align=True)


def outcome_dtype(metrics: Sequence[Metric], seats: int) -> np.dtype[Any]:
    """Return the record of one game's outcome; every field is 4 bytes wide, so a block is also a matrix (G, C).

    Common columns: `winners` (bit mask of sides), `turns`, `rounds`, `decisions`, `seconds`, `reason` (index of the
    game's reasons); then the metrics; then `exposed` (S, 3, MASK_WORDS): what each seat was dealt, held, played.
    """
    fields: list[Any] = [(name, "i4") for name in COMMON_COLUMNS]
    fields += [(m.name, "i4", m.shape(seats)) for m in metrics]
    fields.append(("exposed", "u4", (seats, len(EXPOSURES), MASK_WORDS)))
    return np.dtype(fields)


@dataclass(frozen=True)
class Rules:
    """The kernels of a game, as written in its `rules.py`, `hidden.py`, `features.py` and `kernel.py`."""

    setup: Kernel
    legal: Kernel
    apply: Kernel
    score: Kernel
    lead: Kernel
    hide: Kernel
    features: Kernel
    play_block: Kernel


@dataclass(frozen=True)
class Tools:
    """Compiled kernels: `pointers` is the tuple handed to strategies, the rest is called by name."""

    setup: Kernel
    legal: Kernel
    apply: Kernel
    score: Kernel
    lead: Kernel
    hide: Kernel
    features: Kernel
    play_block: Kernel
    pointers: tuple[Kernel, ...]


@dataclass(frozen=True)
class Game:
    """Everything the engine, the command line and the reports may know about a game.

    Parameters
    ----------
    name : str
        Id, e.g. ``hate-to-kill-you``.
    version : int
        Changes when results may change, not for a refactoring or a speed-up.
    seat_counts : tuple of int
        Numbers of players that the rules allow, ascending.
    roles : tuple of str
        Kinds of decision makers at one seat.
    state, outcome : np.dtype
        See `state_dtype`, `outcome_dtype`.
    chance : tuple of str
        Names of the chance streams, in order, after the streams of the seats.
    reasons : function of the edition's model
        Why a game can end, in the order of the codes in `reason`; the first is `UNFINISHED`.
    actions : int
        Capacity of the list of legal actions.
    components : module
        `Edition`, `Rules`, `Seat` (pydantic models), `pack(edition, rules, seats, tab)`.
    sides : function of the number of seats
        Seats (0-based) of each side.
    rotations : function of the number of seats
        For each rotation the entry (listed player) that sits in each seat; the first is the identity.
    describe : function of (state, names)
        The whole position as plain data: strict JSON, ids of the edition, seats counted from 1.
    describe_action : function of (state, action, names)
        What the acting seat does, as one sentence with the player's name.
    describe_change : function of (state before or None, action, state after, names)
        All that everybody at the table sees happen because of an action, the action itself included, in the order of
        the rules; without a state before, how the game starts. A trace shows these events and nothing else. What only
        some at the table see may stand under the heading "Secret".
    sort_of_action : function of (state, action)
        A few words for what sort of action it is, by which reports count; "" stands for the role that decides.
    exposed : function of the edition's model
        What the bits of the exposure masks are; none for a game whose bits have no common meaning.
    stages : function of the edition's model
        The stretches of a game in order; none for a game that has no such thing.
    nobody : str
        Who has won a game that nobody at the table wins, in reports.
    in_seat_order : bool
        Whether seat 1 goes first; where the rules order the seats otherwise, a report compares them as equals.
    own, folder : str
        Digest and absolute path of the designer's folder it comes from; empty for ours, set by who loads it.
    """

    name: str
    version: int
    seat_counts: tuple[int, ...]
    roles: tuple[str, ...]
    state: np.dtype[Any]
    outcome: np.dtype[Any]
    chance: tuple[str, ...]
    reasons: Callable[[Any], tuple[str, ...]]
    metrics: tuple[Metric, ...]
    features: tuple[Feature, ...]
    decisions: tuple[Decision, ...]
    actions: int
    components: ModuleType
    rules: Rules
    sides: Callable[[int], tuple[tuple[int, ...], ...]]
    rotations: Callable[[int], tuple[tuple[int, ...], ...]]
    describe: Callable[[Any, Names], dict[str, Any]]
    describe_action: Callable[[Any, int, Names], str]
    describe_change: Callable[[Any, int, Any, Names], list[Event]]
    capacities: Mapping[str, int] = field(default_factory=dict)
    sort_of_action: Callable[[Any, int], str] = lambda state, action: ""
    exposed: Callable[[Any], tuple[Exposed, ...]] = lambda edition: ()
    stages: Callable[[Any], tuple[Stage, ...]] = lambda edition: ()
    nobody: str = "nobody"
    in_seat_order: bool = True
    own: str = ""
    folder: str = ""

    @property
    def ref(self) -> str:
        """What finds the game again in another process: its name, or the path of a designer's folder."""
        return self.folder or self.name

    @property
    def seats(self) -> int:
        """Capacity in seats: the largest player count."""
        return self.seat_counts[-1]

    @cached_property
    def signatures(self) -> Signatures:
        """Numba types of this game's kernels (JIT on only)."""
        return Signatures(self)

    @cached_property
    def tools(self) -> Tools:
        """The game's kernels, compiled or loaded from disk.

        Raises
        ------
        InputError
            If a kernel of a designer's own game does not compile.
        """
        rules = self.rules
        if not jit.ENABLED:
            kernels = {name: getattr(rules, name) for name in Rules.__dataclass_fields__}
        else:
            kernels = {name: self._compiled(name) for name in Rules.__dataclass_fields__}
        pointers = tuple(kernels[name] for name in POINTERS)
        return Tools(pointers=pointers, **kernels)

    def _compiled(self, name: str) -> Kernel:
        function: Kernel = getattr(self.rules, name)
        with _explained(f"the kernel '{name}'", self.own, self.folder):
            return jit.pointer(function, getattr(self.signatures, name), self.own)


POINTERS = ("legal", "apply", "score", "lead", "hide", "features")
LEGAL, APPLY, SCORE, LEAD, HIDE, FEATURES = range(len(POINTERS))
"""Positions in the tuple `tools` that a strategy receives."""


def desk_dtype(game: Game) -> np.dtype[Any]:
    """Return the record of one thread's memory: the state, the action list, parameters, and a strategy's `work`.

    One record, because a kernel pays for every loose array it is handed. `work` holds two scratch states (`deal`,
    `line`), an outcome row, `ints` (2 A, int64) and `floats` (A (F + 1), float64); `features` may use the states and
    the integers of it.
    """
    work = np.dtype(
        [
            ("deal", game.state),
            ("line", game.state),
            ("row", game.outcome),
            ("ints", "i8", (2 * game.actions,)),
            ("floats", "f8", (game.actions * (len(game.features) + 1),)),
        ],
        align=True,
    )
    seats = game.seats * len(game.roles)
    return np.dtype(
        [
            ("state", game.state),
            ("actions", "i8", (game.actions,)),
            ("params", "f8", (seats, PARAMETERS)),
            ("work", work),
        ],
        align=True,
    )


class Signatures:
    """Explicit numba types: only kernels of exactly these types are passed as pointers and cached."""

    def __init__(self, game: Game) -> None:
        from numba import from_dtype, types

        desk_type = desk_dtype(game)
        state, row, work = (from_dtype(t) for t in (game.state, game.outcome, desk_type["work"]))
        desks, rows = (types.Array(from_dtype(t), 1, "C") for t in (desk_type, game.outcome))
        ints, floats, log = (types.Array(t, 1, "C") for t in (types.int64, types.float64, types.int32))
        self.setup = types.void(state)
        self.legal = types.int64(state, ints)
        self.apply = types.void(state, types.int64)
        self.score = types.void(state, row)
        self.lead = types.float64(state, types.int64)
        self.hide = types.void(state, types.int64, types.uint64)
        self.features = types.void(state, types.int64, types.int64, work, floats)
        tools = types.Tuple(tuple(types.FunctionType(getattr(self, name)) for name in POINTERS))
        self.choose = types.int64(state, types.int64, ints, types.int64, floats, work, types.CPointer(tools))
        chooser = types.UniTuple(types.FunctionType(self.choose), game.seats * len(game.roles))
        span = types.UniTuple(types.int64, 3)
        faults = types.Array(types.int64, 1, "C")
        table = types.Array(types.float64, 2, "C")
        self.follow = types.int64(desks, tools, log, types.int64, table, floats)
        self.play_block = types.int64(chooser, desks, tools, types.uint64, span, rows, log, faults)


def strategy(**params: Param) -> Callable[[Function], Function]:
    """Mark a function as a strategy with the given parameters, which it reads as ``params[0]``, ``params[1]``, ...

    The function is ``choose(state, seat, actions, n, params, work, tools) -> action``. It answers one of the first
    `n` entries of `actions` (int64), may draw from its own stream (number `seat`) and changes nothing else of `state`.
    """
    for name, param in params.items():
        if not isinstance(param, Param):
            raise TypeError(f"strategy({name}={param!r}): expected Param(default, low, high, doc)")

    def mark(function: Function) -> Function:
        function.strategy_params = params  # type: ignore[attr-defined]
        return function

    return mark


class UnusableError(Exception):
    """A name, parameter or file from a scenario cannot be used; `path` is relative to the place that named it."""

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(message)
        self.message = message
        self.path = path


Packer = Callable[[Game, Mapping[str, Any]], Sequence[float]]


@dataclass(frozen=True)
class Strategy:
    """A strategy by name: the plain function, what its parameters mean, and how they become a vector.

    Parameters
    ----------
    ref : str
        What finds it again in another process: a name, or ``/absolute/path.py:name``.
    own : str
        Digest of the designer's file or folder it comes from; empty for ours.
    pack : function of (game, params), optional
        For parameters that are no plain numbers (weights). Raises `UnusableError`.
    """

    name: str
    ref: str
    function: Kernel
    params: Mapping[str, Param]
    doc: str
    own: str = ""
    pack: Packer | None = None

    def vector(self, game: Game, given: Mapping[str, Any]) -> np.ndarray[Any, Any]:
        """Return the parameter vector (P,) float64 for `given` parameters.

        Raises
        ------
        UnusableError
            For an unknown parameter, a wrong type, or a value out of range.
        """
        values = self.pack(game, given) if self.pack else self._plain(given)
        if len(values) > PARAMETERS:
            raise UnusableError(f"{len(values)} parameters; {PARAMETERS} are possible")
        vector = np.zeros(PARAMETERS)
        vector[: len(values)] = values
        return vector

    def _plain(self, given: Mapping[str, Any]) -> list[float]:
        for key in given:
            if key not in self.params:
                raise UnusableError(f"strategy '{self.name}' has no parameter '{key}'{suggest(key, self.params)}", key)
        return [number(key, given.get(key, param.default), param) for key, param in self.params.items()]

    def pointer(self, game: Game) -> Kernel:
        """Return the function compiled for `game`, fit to be called by its kernels.

        Raises
        ------
        InputError
            If a designer's own function does not compile.
        """
        if not jit.ENABLED:
            return self.function
        with _explained(f"strategy '{self.name}'", self.own, self.ref.rpartition(":")[0] or game.folder):
            return jit.pointer(self.function, game.signatures.choose, self.code(game))

    def code(self, game: Game) -> str:
        """Return the digest of the designer's code that the function compiled for `game` depends on; empty if none."""
        both = self.own and game.own and self.own != game.own
        return hashlib.sha256(f"{self.own} {game.own}".encode()).hexdigest() if both else self.own or game.own


@contextmanager
def _explained(what: str, own: str, inside: str) -> Iterator[None]:
    """Turn a failure to compile a designer's own code into an `InputError`; in our own code it is a bug."""
    try:
        yield
    except Exception as error:  # numba fails in many ways
        if not own:
            raise
        file, line, column, why = jit.explain(error, inside)
        raise InputError([Problem(shown(file), line, column, f"{what} does not compile: {why}")]) from None


def number(key: str, value: Any, param: Param) -> float:
    """Return `value` as a float within the range of `param`.

    Raises
    ------
    UnusableError
        If it is no number or out of range.
    """
    fits = isinstance(value, int | float) and not isinstance(value, bool) and param.low <= value <= param.high
    if not fits or (param.kind == "a whole number" and value != int(value)):
        shown = json.dumps(value, ensure_ascii=False, default=str)
        words = f"expected {param.kind} from {param.low:g} to {param.high:g}"
        raise UnusableError(f"{key}: got {shown}, {words}", key)
    return float(value)
