"""What a change changes: two matches on the same deals, and the difference of everything that can be counted.

Both matches draw their luck from the same named streams, so that what is not touched by the change stays equal, game by
game, and cancels in the difference. The unit of analysis is a deal in all rotations, as everywhere.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from simcore import jit
from simcore.blocks import CONFIDENCE, Run, StopReason
from simcore.errors import InputError, suggest
from simcore.ingredients import changes, made_of
from simcore.match import Match
from simcore.pairs import PairTally
from simcore.player import Player
from simcore.results import DURATIONS, metric_docs, side_labels
from simcore.scenario import Scenario
from simcore.stats.bounded import bounded_evidence, bounded_mean
from simcore.stats.clusters import amount_interval
from simcore.stats.looks import FIRST, first_look
from simcore.stats.mean import mean_evidence
from simcore.stats.simultaneous import simultaneous_confidence
from simcore.tally import WHOLE_WIN, Layout

SCHEMA = "balance.comparison/1"
FILE = "comparison.json"
"""What holds the answer in a directory."""

MARGIN = 0.5
"""Points of a share below which a difference is taken for none."""

MOST_MARGIN = 50.0
"""Points: a larger difference would hardly be called none."""

METHOD = "bounded-mean confidence sequence of paired differences over deals, valid at every look"
AMOUNT_METHOD = "asymptotic confidence sequence of paired differences over deals"


@dataclass(frozen=True)
class Quantity:
    """Something that is compared.

    Parameters
    ----------
    name : str
        As on the command line: ``side.1``, ``unfinished``, ``rounds``, ``minutes``, ``hits.2``.
    kind : str
        ``share`` (of games, in [0, 1]) or ``amount``.
    index : int
        Its row in `PairTally.sums`.
    unit : int
        What one is in the sums: 60 for a win, 60 (seconds) for a minute.
    least : float
        Smallest value the rules allow.
    """

    name: str
    kind: str
    index: int
    unit: int = 1
    least: float = 0.0


@dataclass(frozen=True)
class Effect:
    """The difference of one quantity, second minus first, with the means of both and its interval.

    `e_value` is the evidence against no difference.
    `saved` is how many times as many games independent deals would need for the same interval; None where the paired
    differences do not vary at all, or where nothing was counted.
    `is_settled` is false of an amount below the burn-in of its interval, by which nothing is decided then.
    """

    quantity: Quantity
    deals: int
    a: float | None
    b: float | None
    difference: float | None
    low: float | None
    high: float | None
    spread: float
    saved: float | None
    e_value: float = 1.0
    is_settled: bool = True

    def as_certain(self) -> Effect:
        """Return the effect of what is known to be the same: not only of these games, so that there is no range."""
        return self if self.difference is None else replace(self, low=self.difference, high=self.difference)

    @property
    def sign(self) -> int:
        """1 or -1 where the interval says so, else 0."""
        if self.low is None or self.high is None or not self.is_settled:
            return 0
        return 1 if self.low > 0 else -1 if self.high < 0 else 0

    @property
    def size(self) -> float:
        """Difference in units of how much single games differ: what effects are sorted by."""
        if not self.difference:
            return 0.0
        return abs(self.difference) / self.spread if self.spread > 0 else math.inf


@dataclass(frozen=True)
class PairLook:
    """The answer at one look: the effect on the quantity that decides."""

    games: int
    effect: Effect


@dataclass(frozen=True)
class Comparison:
    """Whether two matches differ in one quantity; everything else is counted alongside.

    Parameters
    ----------
    base, variant : Match
    names : tuple of str
        Columns that both have.
    primary : Quantity
        What decides when enough was played.
    margin : float
        Differences within it are none; in the unit of the quantity, shares in [0, 1].
    confidence : float
        Of the interval that decides: higher where several comparisons are judged together.
    """

    base: Match
    variant: Match
    names: tuple[str, ...]
    primary: Quantity
    margin: float
    confidence: float = CONFIDENCE

    @property
    def matches(self) -> tuple[Match, ...]:
        """Both."""
        return self.base, self.variant

    @property
    def first(self) -> int:
        """Games at which luck alone cannot decide."""
        if self.primary.kind != "share":
            return FIRST  # the burn-in: below it the interval of an amount is indicative only
        return first_look(self.margin, self.confidence, len(self.base.rotations))

    @property
    def target(self) -> float:
        """The margin, in points where shares are compared."""
        return self.margin * self._scale

    @property
    def unit(self) -> str:
        """What margin and differences are in."""
        return "points" if self.primary.kind == "share" else self.primary.name

    @property
    def _scale(self) -> float:
        return 100.0 if self.primary.kind == "share" else 1.0

    def tally(self, players: Sequence[Player]) -> PairTally:
        """Return empty sums."""
        layouts = [Layout.of(player.game, player.match) for player in players]
        return PairTally((layouts[0], layouts[1]), self.names)

    def count(self, tally: PairTally, rows: Sequence[Any], first: int) -> None:
        """Add the rows of the same whole deals."""
        tally.count(rows)

    def look(self, tally: PairTally) -> PairLook:
        """Return the effect on what decides."""
        return PairLook(tally.games, effect(tally, self.primary, self.confidence))

    def enough(self, look: PairLook) -> StopReason | None:
        """Stop once the sign is known, or once any difference is smaller than the margin."""
        found = look.effect
        if found.low is None or found.high is None or not found.is_settled:
            return None
        if -self.margin <= found.low and found.high <= self.margin:
            return "equal"
        return "decided" if found.sign else None

    def reached(self, look: PairLook) -> float:
        """Return the longer arm of the interval."""
        found = look.effect
        if found.difference is None or found.low is None or found.high is None:
            return math.inf
        return max(found.high - found.difference, found.difference - found.low) * self._scale


def effect(tally: PairTally, quantity: Quantity, confidence: float) -> Effect:
    """Return the difference of a quantity per game, with its anytime-valid interval."""
    deals, a, aa, b, bb, d, dd = (int(value) for value in tally.sums[quantity.index])
    scale = tally.rotations * quantity.unit
    if not deals:
        return Effect(quantity, 0, None, None, None, None, None, 0.0, None)
    if quantity.kind == "share":
        low, high = bounded_mean(d, dd, deals, confidence, -scale, scale)
        evidence = bounded_evidence(d, dd, deals, 0.0, -scale, scale)
    else:
        evidence = mean_evidence(d, dd, deals, max(FIRST // tally.rotations, 1))
        low, high = amount_interval(deals, d, dd, tally.rotations, confidence, FIRST)
        low, high = low * tally.rotations, high * tally.rotations
    around = [n * deals - total * total for total, n in ((a, aa), (b, bb), (d, dd))]
    return Effect(
        quantity=quantity,
        deals=deals,
        a=a / deals / scale,
        b=b / deals / scale,
        difference=d / deals / scale,
        low=low / scale if math.isfinite(low) else None,
        high=high / scale if math.isfinite(high) else None,
        spread=math.sqrt(around[0]) / deals / scale,
        saved=(around[0] + around[1]) / around[2] if around[2] else None,
        e_value=evidence,
        is_settled=quantity.kind == "share" or deals * tally.rotations >= FIRST,
    )


def quantities(base: Scenario, variant: Scenario) -> list[Quantity]:
    """Return all that both scenarios count, shares first."""
    n_sides = len(base.game.sides(len(base.entries)))
    docs = metric_docs(base)
    shares = [Quantity(f"side.{side + 1}", "share", side, WHOLE_WIN) for side in range(n_sides)]
    found = [*shares, Quantity("unfinished", "share", n_sides)]
    for position, column in enumerate(compared(base, variant)):
        name, unit = ("minutes", 60) if column == "seconds" else (column, 1)
        signed = name not in DURATIONS and docs[name.split(".")[0]].signed
        found.append(Quantity(name, "amount", n_sides + 1 + position, unit, -math.inf if signed else 0.0))
    return found


def compared(base: Scenario, variant: Scenario) -> tuple[str, ...]:
    """Return the columns of durations and metrics that both scenarios have."""
    wanted = {"seconds", *DURATIONS, *metric_docs(base)}
    layouts = [Layout.of(each.game, each.match) for each in (base, variant)]
    return tuple(name for name in layouts[0].names if name.split(".")[0] in wanted and name in layouts[1].names)


def question(base: Scenario, variant: Scenario, on: str | None, margin: float | None) -> Comparison:
    """Return what is asked of two scenarios.

    Parameters
    ----------
    on : str or None
        Name of the quantity that decides; None: the share of side 1.
    margin : float or None
        In points for shares, else in the unit of the quantity; None: half a point, a tenth.

    Raises
    ------
    InputError
        If the two cannot be paired, or if there is no such quantity.
    """
    where = f"{base.name} and {variant.name}"
    if base.match.game != variant.match.game:
        raise InputError.of(where, f"are different games, '{base.game.name}' and '{variant.game.name}'")
    if len(base.entries) != len(variant.entries):
        raise InputError.of(where, f"have {len(base.entries)} and {len(variant.entries)} players; expected the same")
    if len(base.match.rotations) != len(variant.match.rotations):
        raise InputError.of(where, "must both rotate or both not: set rotate in one of them")
    known = {quantity.name: quantity for quantity in quantities(base, variant)}
    name = on or "side.1"
    if name not in known:
        hint = suggest(name, known) or f"; known: {', '.join(known)}"
        raise InputError.of("--on", f"'{name}' is nothing that is counted{hint}")
    primary = known[name]
    most = MOST_MARGIN if primary.kind == "share" else math.inf
    if margin is not None and not (math.isfinite(margin) and 0 < margin <= most):
        upto = f", and at most {most:g} points" if math.isfinite(most) else ""
        raise InputError.of("--margin", f"{margin:g} is no margin; expected a number above 0{upto}")
    if primary.kind == "share":
        width = (MARGIN if margin is None else margin) / 100
    else:
        width = 0.1 if margin is None else margin
    return Comparison(base.match, variant.match, compared(base, variant), primary, width)


def summary(base: Scenario, variant: Scenario, asked: Comparison, run: Run, words: Sequence[str]) -> dict[str, Any]:
    """Return the answer as plain data (strict JSON); the effects with the largest first.

    `words` are the scenarios and options as typed; with seed and games they give the same numbers again.
    """
    tally = run.tally
    known = quantities(base, variant)
    identical = base.inputs == variant.inputs
    joint = simultaneous_confidence(CONFIDENCE, len(known))
    found = [(effect(tally, each, CONFIDENCE), effect(tally, each, joint)) for each in known]
    if identical:
        found = [(each.as_certain(), both.as_certain()) for each, both in found]
    found.sort(key=lambda pair: (-abs(pair[1].sign), -pair[0].size))
    labels = dict(enumerate(side_labels(base), 1))
    planned = run.reason == "games"
    return {
        "schema": SCHEMA,
        "game": base.game.name,
        "base": _side(base),
        "variant": _side(variant),
        "changed": changes(made_of(base), made_of(variant)),
        "identical": identical,
        "seed": base.match.seed,
        "games": tally.games,
        "rotations": tally.rotations,
        "digest": {"base": base.inputs, "variant": variant.inputs, "sources": jit.sources_digest()},
        "primary": {
            "quantity": asked.primary.name,
            "margin": asked.margin,
            "verdict": "equal" if identical else _verdict(asked, asked.look(tally)),
        },
        "effects": [_row(one, all_at_once, labels) for one, all_at_once in found],
        "interval": {
            "shares": METHOD,
            "amounts": AMOUNT_METHOD,
            "confidence": CONFIDENCE,
            "simultaneous_confidence": joint,
        },
        "command": shlex.join(
            ["balance", "compare", *words, "--seed", str(base.match.seed), "--games", str(tally.games)]
        )
        if tally.games
        else "",
        "stop": {
            "reason": run.reason,
            "target": run.target,
            "reached": run.reached if math.isfinite(run.reached) else None,
            "unit": run.unit,
            "early": not planned,
        },
        "timing": {
            "seconds": run.seconds,
            "games_per_second": 2 * tally.games / run.seconds if run.seconds > 0 else None,
            "jobs": run.jobs,
        },
    }


def _verdict(asked: Comparison, look: PairLook) -> str:
    """Return "higher", "lower" (in the variant), "equal" (within the margin) or "undecided"."""
    found = asked.enough(look)
    if found != "decided":
        return found or "undecided"
    return "higher" if look.effect.sign > 0 else "lower"


def _side(scenario: Scenario) -> dict[str, Any]:
    return {"scenario": scenario.name, "label": scenario.label, "resolved": scenario.resolved}


def _row(one: Effect, joint: Effect, labels: dict[int, str]) -> dict[str, Any]:
    part = one.quantity.name.partition(".")[2]
    return {
        "quantity": one.quantity.name,
        "label": labels[int(part)] if part and int(part) in labels else None,
        "kind": one.quantity.kind,
        "deals": one.deals,
        "base": one.a,
        "variant": one.b,
        "difference": one.difference,
        "low": one.low,
        "high": one.high,
        "simultaneous": {"low": joint.low, "high": joint.high},
        "differs": bool(joint.sign),
        "size": one.size if math.isfinite(one.size) else None,
        "saved": one.saved,
    }
