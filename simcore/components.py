"""How strong each component is: who had it against who had not, and the same deals with the component blanked.

What a blank is, a game's models say (`edition.Component.BLANK`). Only the knock-outs compare like with like where
decks are fixed, or where players choose what they hold and play.
"""

from __future__ import annotations

import itertools
import json
import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simcore import jit
from simcore.blocks import CONFIDENCE, Run, StopReason
from simcore.comparison import MARGIN, Comparison, Effect, PairLook, Quantity, effect, quantities
from simcore.comparison import question as pair_question
from simcore.contract import EXPOSURES
from simcore.edition import Component
from simcore.errors import InputError, suggest
from simcore.exposure import Contrast, Contrasts, contrasts
from simcore.pairs import PairTally
from simcore.player import Player
from simcore.results import side_labels
from simcore.scenario import Scenario
from simcore.stats.clusters import quotient_interval
from simcore.stats.looks import FIRST
from simcore.stats.simultaneous import simultaneous_confidence
from simcore.tally import WHOLE_WIN, ExposedLayout, Layout

SCHEMA = "balance.components/1"
FILE = "components.json"
"""What holds the answer in a directory."""

PRECISION = 1.0
"""Points of every contrast, where nothing else is asked for."""

MOST_GAMES = 200_000
"""Games after which rare components are left as they are, where no budget is given."""

ORDER = ("dealt", "drawn", "held", "played")
"""Exposures as they are told: dealt at the start, or drawn during the game."""

OWNER = Quantity("owner", "share", -1)
"""What a knock-out does to the share of those who were dealt the component."""


@dataclass(frozen=True)
class Blank:
    """A component made to do nothing: `changes` as ``--set`` takes them."""

    id: str
    label: str
    kind: str
    changes: tuple[tuple[str, str], ...]

    @property
    def sets(self) -> list[str]:
        """What ``--set`` would be given."""
        return [f"{path}={value}" for path, value in self.changes]


def kinds(scenario: Scenario) -> dict[str, bool]:
    """Return every kind of component of the edition, and whether the game says what a blank one is."""
    return {kind: bool(type(group[0]).BLANK) for kind, group in _groups(scenario)}


def _groups(scenario: Scenario) -> Iterator[tuple[str, list[Component]]]:
    for kind in type(scenario.edition.model).model_fields:
        group = getattr(scenario.edition.model, kind)
        if isinstance(group, list) and group and isinstance(group[0], Component):
            yield kind, group


def blanks(scenario: Scenario, only: Sequence[str] = ()) -> list[Blank]:
    """Return a blank for every component that can be one and does something now.

    Parameters
    ----------
    only : sequence of str
        Kinds or ids; empty: all.

    Raises
    ------
    InputError
        If one of `only` names nothing.
    """
    groups = list(_groups(scenario))
    known = [*(kind for kind, _ in groups), *(each.id for _, group in groups for each in group)]
    for word in only:
        if word not in known:
            raise InputError.of("--only", f"'{word}' is no component and no kind of them{suggest(word, known)}")
    wanted = [(kind, each) for kind, group in groups for each in group if not only or kind in only or each.id in only]
    found = [
        Blank(each.id, each.label, kind, tuple(_changes(each.id, each.model_dump(mode="json"), type(each).BLANK)))
        for kind, each in wanted
    ]
    return [each for each in found if each.changes]


def _changes(name: str, data: Mapping[str, Any], blank: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the values of a blank that differ from those of the component, places of lists from 1."""
    for field, value in blank.items():
        for parts, old in _places(data, field.split(".")):
            if old != value and not (value == {} and isinstance(old, dict) and not any(old.values())):
                yield ".".join(["components", name, *parts]), json.dumps(value)


def _places(data: Any, parts: Sequence[str]) -> Iterator[tuple[list[str], Any]]:
    if not parts:
        yield [], data
    elif parts[0] == "*":
        for number, each in enumerate(data, 1):
            for rest, value in _places(each, parts[1:]):
                yield [str(number), *rest], value
    else:
        for rest, value in _places(data[parts[0]], parts[1:]):
            yield [parts[0], *rest], value


def in_play(base: Scenario, variant: Scenario) -> bool:
    """Return whether a change reaches the table at all: otherwise every game is the same."""
    return not np.array_equal(base.match.tabs.view(np.uint8), variant.match.tabs.view(np.uint8))


# -- knock-outs -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class KnockOut(Comparison):
    """A scenario against itself with a component blanked.

    Parameters
    ----------
    word, bit : int
        Where the exposure masks say who was dealt it at the start; -1: they do not.
    gains : (masks, S) int64
        What each seat gets of a win, in 60ths.
    precision : float
        In points: the longer arm wanted where a share decides, so that components can be ranked.
    """

    word: int = -1
    bit: int = 0
    gains: Any = None
    precision: float = PRECISION

    @property
    def target(self) -> float:
        """The longer arm wanted, in points; the margin where an amount decides."""
        return self.precision if self.primary.kind == "share" else self.margin

    def enough(self, look: PairLook) -> StopReason | None:
        """Stop once the effect is known well enough; where an amount decides, as a comparison does."""
        if self.primary.kind != "share":
            return super().enough(look)
        return "precision" if self.reached(look) <= self.precision else None

    def tally(self, players: Sequence[Player]) -> PairTally:
        """Return empty sums, those of the owners among them."""
        layouts = [Layout.of(player.game, player.match) for player in players]
        return OwnerTally((layouts[0], layouts[1]), self.names)

    def count(self, tally: PairTally, rows: Sequence[Any], first: int) -> None:
        """Add the rows of the same whole deals."""
        tally.count(rows)
        if self.word >= 0 and isinstance(tally, OwnerTally):
            had = rows[0]["exposed"][:, : self.gains.shape[1], 0, self.word].astype(np.int64) >> self.bit & 1
            change = self.gains[rows[1]["winners"]] - self.gains[rows[0]["winners"]]
            tally.count_owners(had, had * change, had * self.gains[rows[0]["winners"]])

    def look(self, tally: PairTally) -> PairLook:
        """Return the effect on what decides."""
        return PairLook(tally.games, self.effect(tally, self.primary, self.confidence))

    def effect(self, tally: PairTally, quantity: Quantity, confidence: float) -> Effect:
        """Return the difference of a quantity, that of the owners included."""
        if quantity.index >= 0 or not isinstance(tally, OwnerTally):
            return effect(tally, quantity, confidence)
        return tally.owner_effect(confidence)


class OwnerTally(PairTally):
    """Sums of paired games, and over deals n, d, n^2, n d, d^2: seats that were dealt it, and what they gained."""

    def __init__(self, layouts: tuple[Layout, Layout], names: Sequence[str]) -> None:
        super().__init__(layouts, names)
        self.owners: Any = np.zeros(6, object)

    def count_owners(self, had: Any, change: Any, before: Any) -> None:
        """Add games: who had it, what they gained, and what they had won before (G, S), in 60ths."""
        n, d = (each.reshape(-1, self.rotations * each.shape[1]).sum(axis=1) for each in (had, change))
        sums = [n.sum(), d.sum(), (n * n).sum(), (n * d).sum(), (d * d).sum(), before.sum()]
        self.owners = self.owners + np.array([int(value) for value in sums], object)

    def add(self, part: PairTally) -> None:
        """Add the sums of another tally of the same matches."""
        super().add(part)
        if isinstance(part, OwnerTally):
            self.owners = self.owners + part.owners

    def owner_effect(self, confidence: float) -> Effect:
        """Return what the blank changes for those who were dealt it."""
        *sums, before = (int(value) for value in self.owners)
        if not sums[0]:
            return Effect(OWNER, 0, None, None, None, None, None, spread=0.0, saved=None)
        unseen = WHOLE_WIN * WHOLE_WIN
        middle, low, high = quotient_interval(self.deals, sums, self.rotations, confidence, FIRST, WHOLE_WIN, unseen)
        share = before / sums[0] / WHOLE_WIN
        known = math.isfinite(low) and math.isfinite(high)
        low, high = max(low, -1.0), min(high, 1.0)
        ends = (low, high) if known else (None, None)
        return Effect(OWNER, self.deals, share, share + middle, middle, ends[0], ends[1], spread=0.0, saved=None)


def question(base: Scenario, variant: Scenario, blank: Blank, on: str | None, precision: float, tests: int) -> KnockOut:
    """Return what is asked of a blank, at the level at which the intervals of `tests` such hold together.

    What decides is the share of those who were dealt the component, where the game tells who was at the start.
    """
    owned = next(
        (e for e in base.match.exposed if e.id == blank.id and e.exposure == EXPOSURES[0] and not e.drawn), None
    )
    usual = "rounds" if is_mirror(base) else None
    plain = pair_question(base, variant, usual if on in (None, OWNER.name) else on, None)
    asked = KnockOut(**{name: getattr(plain, name) for name in Comparison.__dataclass_fields__}, precision=precision)
    if owned is not None:
        gains = ExposedLayout.of(base.game, base.match).gains
        asked = replace(asked, word=owned.bit // 32, bit=owned.bit % 32, gains=gains)
        if on in (None, OWNER.name):
            asked = replace(asked, primary=OWNER, margin=MARGIN / 100)
    together = tests * len(quantities_of(base, asked))
    return replace(asked, confidence=simultaneous_confidence(CONFIDENCE, together))


def is_mirror(scenario: Scenario) -> bool:
    """Return whether all players are alike and sit everywhere: no change can then move anybody's share."""
    seats = [{key: seat[key] for key in seat if key != "label"} for seat in scenario.resolved["seats"]]
    return len(scenario.match.rotations) > 1 and all(seat == seats[0] for seat in seats)


def quantities_of(base: Scenario, asked: KnockOut) -> list[Quantity]:
    """Return what is told of a blank: its owners, every side, the rounds, and what decides."""
    known = {each.name: each for each in quantities(base, base)}
    names = [name for name in known if name.startswith("side.")] + ["rounds"]
    if asked.primary.name in known and asked.primary.name not in names:
        names.append(asked.primary.name)
    return [*([OWNER] if asked.word >= 0 else []), *(known[name] for name in names)]


def row(base: Scenario, blank: Blank, asked: KnockOut, run: Run) -> dict[str, Any]:
    """Return what a knock-out answers: variant minus base, ranges at the level for all components together."""
    labels = dict(enumerate(side_labels(base), 1))
    found = [asked.effect(run.tally, each, asked.confidence) for each in quantities_of(base, asked)]
    return {
        "id": blank.id,
        "label": blank.label,
        "kind": blank.kind,
        "changes": [{"path": path, "value": json.loads(value)} for path, value in blank.changes],
        "on": asked.primary.name,
        "games": run.tally.games,
        "stop": run.reason,
        "effects": {each.quantity.name: _told(each, labels) for each in found},
        "command": shlex.join(
            [
                *("balance", "compare", *base.arguments),
                *itertools.chain.from_iterable(("--set", change) for change in blank.sets),
                *("--seed", str(base.match.seed), "--games", str(run.tally.games)),
            ]
        ),
    }


def _told(found: Effect, labels: Mapping[int, str]) -> dict[str, Any]:
    part = found.quantity.name.partition(".")[2]
    return {
        "kind": found.quantity.kind,
        "label": labels.get(int(part)) if part.isdigit() else None,
        "base": found.a,
        "variant": found.b,
        "difference": found.difference,
        "low": found.low,
        "high": found.high,
        "strong": bool(found.sign),
    }


# -- the answer -----------------------------------------------------------------------------------------------------


def exposed(base: Scenario, asked: Contrasts, run: Run) -> list[dict[str, Any]]:
    """Return a row for each component and exposure, the ranges at the level for all of them together."""
    return [_contrast(base, asked, each) for each in contrasts(run.tally, asked, asked.joint)]


def _contrast(base: Scenario, asked: Contrasts, found: Contrast) -> dict[str, Any]:
    component = base.match.exposed[found.line.number]
    low, high = found.low, found.high
    return {
        "kind": component.kind,
        "id": component.id,
        "label": component.label,
        "exposure": "drawn" if component.drawn and not found.line.exposure else EXPOSURES[found.line.exposure],
        "times": found.times,
        "with": found.with_it,
        "without": found.without,
        "difference": found.difference,
        "low": low,
        "high": high,
        "strong": low is not None and high is not None and (low > 0 or high < 0),
    }


@dataclass
class Found:
    """What an analysis has found so far."""

    contrasts: list[dict[str, Any]]
    games: int
    stop: str | None
    knockouts: list[dict[str, Any]]
    missing: int = 0
    not_in_play: tuple[str, ...] = ()
    not_allowed: tuple[str, ...] = ()


def answer(scenario: Scenario, found: Found, words: Sequence[str], seconds: float) -> dict[str, Any]:
    """Return the answer as plain data (strict JSON), the largest effects first."""

    def size(row: Mapping[str, Any]) -> float:
        return -abs(float(row["effects"][row["on"]]["difference"] or 0.0))

    known = kinds(scenario)
    return {
        "schema": SCHEMA,
        "game": scenario.game.name,
        "scenario": scenario.name,
        "label": scenario.label,
        "sides": side_labels(scenario),
        "exposures": sorted(
            found.contrasts,
            key=lambda row: (ORDER.index(row["exposure"]), row["kind"], -abs(row["difference"] or 0.0)),
        ),
        "exposure_games": found.games,
        "exposure_stop": found.stop,
        "knockouts": sorted(found.knockouts, key=size),
        "missing": found.missing,
        "not_in_play": list(found.not_in_play),
        "not_allowed": list(found.not_allowed),
        "blankable": [kind for kind, can in known.items() if can],
        "not_blankable": [kind for kind, can in known.items() if not can],
        "seed": scenario.match.seed,
        "games": found.games + 2 * sum(row["games"] for row in found.knockouts),
        "confidence": CONFIDENCE,
        "resolved": scenario.resolved,
        "digest": {"inputs": scenario.inputs, "sources": jit.sources_digest()},
        "command": shlex.join(["balance", "components", *words, "--seed", str(scenario.match.seed)]),
        "timing": {"seconds": seconds},
    }
