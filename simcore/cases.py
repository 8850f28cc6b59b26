"""A scenario to be checked, what was recorded of it, and what has been found out: in two tiers.

While its `inputs` are as recorded, the first recorded blocks are played again and must be bit-identical. Otherwise it
is played with new luck until every check is decided, or the budget is spent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from simcore import baseline as baselines
from simcore import rng
from simcore.baseline import Baseline
from simcore.blocks import CONFIDENCE, Run
from simcore.checks import Check, Claim, Judged, Shift, Watched
from simcore.errors import InputError
from simcore.ingredients import changes, made_of
from simcore.measures import Sums, bounds, measures
from simcore.player import Player
from simcore.scenario import Scenario
from simcore.stats.simultaneous import simultaneous_confidence
from simcore.targets import Target

BUDGET = 4
"""Times the games recorded for a margin: so many may be played, unless told. Few are, while nothing has changed.

The noise of the shift is then a ninth of the margin, and what has not moved is left undecided next to never.
"""


@dataclass
class Case:
    """A scenario and its baseline.

    Parameters
    ----------
    margin : float or None
        Points, where other than recorded.
    prepared : bool
        Whether it has been looked at; else time was over before.
    changes : list of dict
        What it is made of now that it was not, see `ingredients.changes`.
    gone, new : tuple of str
        Numbers that are recorded and no longer counted; and the other way about.
    settled : dict
        Verdicts by the name of the check.
    played : Scenario or None
        With the seed it was played with.
    """

    target: Target
    scenario: Scenario
    baseline: Baseline | None
    margin: float | None = None
    prepared: bool = False
    same_inputs: bool = False
    changes: list[dict[str, Any]] = field(default_factory=list)
    replay: baselines.Replay | None = None
    checks: tuple[Check, ...] = ()
    settled: dict[str, Judged] = field(default_factory=dict)
    gone: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    run: Run | None = None
    played: Scenario | None = None
    note: str = ""

    @property
    def tier(self) -> int:
        """1 where the recorded games were played again and found identical, or found changed; else 2."""
        return 1 if self.replay and (self.replay.identical or self.broken) else 2

    @property
    def broken(self) -> bool:
        """Whether unchanged inputs give other games: the code of the rules plays differently."""
        here = self.baseline is not None and self.baseline.platform == baselines.tag()
        return self.replay is not None and self.replay.first is not None and here

    @property
    def missing(self) -> bool:
        """Whether there is nothing that it could be checked against."""
        return self.baseline is None and not self.scenario.expect

    @property
    def as_recorded(self) -> bool:
        """Whether a new recording would be the same, as far as the first games tell."""
        if self.baseline is None or self.replay is None or not self.replay.identical or self.gone or self.new:
            return False
        claimed = {check.bound.measure.name for check in self.checks if isinstance(check, Claim)}
        return claimed <= self.baseline.numbers.keys()

    @property
    def open(self) -> tuple[Check, ...]:
        """Checks without a verdict."""
        return tuple(check for check in self.checks if check.name not in self.settled)


def prepare(case: Case, player: Callable[[Scenario], Player]) -> None:
    """Compare inputs, play the recorded blocks again where they are equal, and list the checks that are left."""
    scenario, recorded = case.scenario, case.baseline
    known = measures(scenario)
    shifts: list[Check] = []
    if recorded:
        case.same_inputs = recorded.inputs == scenario.inputs
        case.changes = [] if case.same_inputs else changes(recorded.made_of, made_of(scenario))
        if case.same_inputs:
            case.replay = baselines.replay(recorded, scenario, player(scenario))
        # a name with blanks was recorded for an expectation
        numbers = {name: each for name, each in recorded.numbers.items() if " " not in name}
        case.gone = tuple(name for name in numbers if name not in known)
        case.new = tuple(name for name in known if name not in numbers)
        if case.tier == 2:
            points = case.margin or recorded.margin
            kept = [baselines.with_margin(numbers[name], points) for name in known if name in numbers]
            shifts = [Shift(each, known[each.name]) for each in kept]
    claims = [Claim(each, bound) for each in scenario.expect for bound in bounds(each, known)]
    case.checks = (*shifts, *claims)
    case.prepared = True


def recorded_sums(case: Case, check: Check) -> Sums | None:
    """Return the sums that the recorded games have of a claim, if they are known to be the games of today."""
    if case.baseline is None or case.tier == 2 or case.broken or not isinstance(check, Claim):
        return None
    found = case.baseline.numbers.get(check.bound.measure.name)
    return found.sums if found else None


def judge_recorded(case: Case, confidence: float) -> None:
    """Judge what is expected by the recorded games."""
    for check in case.checks:
        sums = recorded_sums(case, check)
        if sums and case.baseline and isinstance(check, Claim):
            judged = check.said(sums, case.baseline.games, confidence)
            if judged.verdict != "undecided":
                case.settled[check.name] = judged


def is_to_be_played(case: Case, budget: int) -> bool:
    """Return whether so many games can say more than the recorded ones did."""
    told = case.baseline.games if case.baseline else 0
    return any(budget > told or recorded_sums(case, check) is None for check in case.open)


def to_play(case: Case, confidence: float, seed: int | None = None) -> tuple[Scenario, Watched]:
    """Return the scenario to play and what is asked of it.

    Where recorded games are compared with, new ones must be independent of them; where they are known to be the same,
    playing them on keeps what was seen.

    Raises
    ------
    InputError
        If `seed` is that of the recorded games, which new ones are compared with.
    """
    if seed is not None and case.tier == 2 and case.baseline and seed == case.baseline.seed:
        raise InputError.of("--seed", f"{seed} is the seed of the recorded games; new ones need another")
    if seed is None:
        seed = case.scenario.match.seed if case.baseline is None or case.tier == 1 else _new_luck(case.baseline)
    played = replace(case.scenario, match=replace(case.scenario.match, seed=seed))
    return played, Watched(played.match, case.checks, confidence, case.settled)


def _new_luck(recorded: Baseline) -> int:
    """Return a seed that is the same each time, so that a build that is run again says the same."""
    text = f"check {recorded.seed} {recorded.content['seal']}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") % rng.SEED_LIMIT


def level(cases: Iterable[Case]) -> float:
    """Return the confidence of each check that rests on chance, so that all hold together."""
    return simultaneous_confidence(CONFIDENCE, sum(len(case.checks) for case in cases))


def budget_of(case: Case) -> int:
    """Return the games that a scenario may take unless told."""
    if case.baseline and not case.margin:
        return BUDGET * case.baseline.games
    return BUDGET * baselines.games_for(case.margin or baselines.MARGIN, len(case.scenario.match.rotations))
