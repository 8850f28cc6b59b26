"""The answer of `balance check` as plain data: a row for each check, the verdict of all, and how to see it again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from simcore import jit
from simcore.baseline import games_for
from simcore.blocks import CONFIDENCE
from simcore.cases import Case, recorded_sums
from simcore.checks import METHOD, Check, Claim, Judged, Shift, Verdict, finite
from simcore.errors import closest, shown
from simcore.measures import measures
from simcore.results import side_labels
from simcore.targets import Found

SCHEMA = "balance.check/1"
FILE = "check.json"
SEVERITY: tuple[Verdict, ...] = ("pass", "undecided", "fail")
EXIT = {"pass": 0, "undecided": 3, "fail": 1}
Row = dict[str, Any]


def answer(
    cases: Sequence[Case], found: Found, missing_fails: bool, confidence: float, words: Sequence[str], seconds: float
) -> Row:
    """Return the answer (strict JSON).

    Parameters
    ----------
    found : Found
        What the cases come from.
    missing_fails : bool
        Whether a scenario without baseline and expectations is a failure, or only a warning.
    confidence : float
        Of each check, see `cases.level`.
    words : sequence of str
        The command as typed.
    """
    told = [_told(case, missing_fails, confidence) for case in cases]
    rows = [row for each in told for row in each["checks"]]
    orphans = [shown(file) for file in found.orphans]
    verdicts: list[Verdict] = [row["verdict"] for row in rows]
    verdicts += ["fail"] * (len(orphans) + len(found.empty) + (not rows and not found.empty))
    return {
        "schema": SCHEMA,
        "verdict": worst(verdicts),
        "counts": {verdict: verdicts.count(verdict) for verdict in SEVERITY},
        "scenarios": told,
        "orphans": orphans,
        "empty": found.empty,
        "nothing": not rows,
        "games": sum(each["games"] for each in told),
        "interval": {
            "method": METHOD,
            "confidence": CONFIDENCE,
            "checks": sum(len(case.checks) for case in cases),
            "each": confidence,
        },
        "digest": {"sources": jit.sources_digest()},
        "command": shlex.join(["balance", *words]),
        "timing": {"seconds": seconds},
    }


def worst(verdicts: Sequence[Verdict]) -> Verdict | None:
    """Return the verdict of several checks: fail beats undecided, and that beats pass; None of no checks."""
    return max(verdicts, key=SEVERITY.index, default=None)


def _told(case: Case, missing_fails: bool, confidence: float) -> Row:
    rows = [*_rows(case, missing_fails, confidence)]
    played = case.played or case.scenario
    return {
        "scenario": case.target.name,
        "label": case.scenario.label,
        "file": shown(case.target.file),
        "game": case.scenario.game.name,
        "verdict": worst([row["verdict"] for row in rows]),
        "tier": case.tier,
        "baseline": shown(case.baseline.file) if case.baseline else None,
        "missing": case.missing,
        "recorded_games": case.baseline.games if case.baseline else None,
        "same_inputs": case.same_inputs if case.baseline and case.prepared else None,
        "changed": case.changes,
        "new": list(case.new),
        "note": case.note or _elsewhere(case),
        "seed": played.match.seed,
        "games": case.run.tally.games if case.run else 0,
        "stop": case.run.reason if case.run else None,
        "command": _command(case),
        "checks": rows,
    }


def _elsewhere(case: Case) -> str:
    """Return why recorded games that differ are no failure."""
    if case.replay is None or case.replay.identical or case.broken or case.baseline is None:
        return ""
    if case.replay.gone:
        return f"no longer written: {', '.join(case.replay.gone)}; so games are not compared one by one"
    return f"recorded on {case.baseline.platform}, where games differ from those here"


def _command(case: Case) -> str:
    """Return the command that gives the numbers of today again, "" where nothing was played."""
    if case.run is None or case.played is None or not case.run.tally.games:
        return ""
    return f"balance odds {case.played.command} --seed {case.played.match.seed} --games {case.run.tally.games}"


def _rows(case: Case, missing_fails: bool, confidence: float) -> Iterator[Row]:
    if not case.prepared:
        yield _row("time", "time", "undecided", 2, text="not looked at: time was over")
        return
    if case.missing and missing_fails:
        yield _row("baseline", "missing", "fail", 2, text="no baseline, and nothing is expected")
    yield from _replay_rows(case)
    for check in case.checks:
        yield _claim_row(case, check, confidence) if isinstance(check, Claim) else _shift_row(case, check, confidence)
    for name in case.gone:
        yield _row(name, "gone", "fail", 2, text=_renamed(case, name))


def _row(name: str, kind: str, verdict: Verdict, tier: int, **values: Any) -> Row:
    """Return a row; what is not given is None."""
    names = ("unit", "recorded", "now", "shift", "low", "high", "margin", "min", "max", "games")
    empty = {"label": "", "text": "", "command": "", **dict.fromkeys(names)}
    return {"check": name, "kind": kind, "verdict": verdict, "tier": tier, **empty, **values}


def _renamed(case: Case, name: str) -> str:
    guess = closest(name, measures(case.scenario))
    return "is no longer counted" + (f'; was it renamed "{guess}"?' if guess else "")


def _replay_rows(case: Case) -> Iterator[Row]:
    """Yield what the replay of the recorded games says: of the games, and where they are equal of every number."""
    if case.replay is None or case.baseline is None or case.tier == 2:
        return
    if case.broken:
        seen = f"games {case.replay.first} to {(case.replay.end or 1) - 1} differ from those recorded"
        yield _row(
            "replay",
            "replay",
            "fail",
            1,
            text=f"unchanged inputs, but {seen}: our code plays differently",
            command=f"balance trace {case.scenario.command} --seed {case.baseline.seed} --game {case.replay.first}",
        )
        return
    for name in measures(case.scenario):
        each = case.baseline.numbers.get(name)
        if each:
            value, unit = each.sums.mean, "share" if each.kind == "share" else name
            known = {"label": _label(case, name), "unit": unit, "recorded": value, "now": value, "margin": each.margin}
            yield _row(name, "shift", "pass", 1, **known, shift=0.0, low=0.0, high=0.0)


def _shift_row(case: Case, check: Shift, confidence: float) -> Row:
    recorded = check.recorded
    judged = case.settled.get(check.name) or Judged("undecided", 0)
    row = _row(check.name, "shift", judged.verdict, 2, label=_label(case, check.name), recorded=recorded.sums.mean)
    row |= {"unit": "share" if recorded.kind == "share" else check.name, "margin": recorded.margin}
    tally = case.run.tally if case.run and case.run.tally.games else None
    if tally is None:
        return row
    shift, *ends = check.interval(tally, confidence)
    low, high = judged.narrowed(*ends)
    row |= {"now": check.measure.sums(tally).mean, "shift": shift, "low": low, "high": high}
    return row | {
        "games": judged.games or tally.games,
        "text": "" if case.settled.get(check.name) else _why(case, check),
    }


def _why(case: Case, check: Check) -> str:
    """Return why a check that was played is undecided."""
    if case.run is None or case.run.reason == "decided":
        return "no more games, as something failed"
    if isinstance(check, Shift) and case.baseline:
        base, now = check.recorded.sample(), check.measure.sums(case.run.tally).sample(1)
        if base.variance / base.n >= now.variance / now.n:
            points = case.margin or case.baseline.margin
            enough = games_for(points, len(case.scenario.match.rotations))
            if case.baseline.games < enough:
                return f"too few games are recorded for this margin: {enough:,} would do (balance baseline record)"
    return "more games would decide: --budget"


def _claim_row(case: Case, check: Claim, confidence: float) -> Row:
    measure = check.bound.measure
    judged = case.settled.get(check.name) or Judged("undecided", 0)
    sums, games, tier = recorded_sums(case, check), case.baseline.games if case.baseline else 0, 1
    if case.run and case.run.tally.games and not (sums and _holds(case, case.run.tally.games)):
        sums, games, tier = measure.sums(case.run.tally), case.run.tally.games, 2
    row = _row(check.name, "expect", judged.verdict, tier, label=_label(case, measure.name))
    row |= {"unit": "share" if measure.is_share else measure.name}
    row |= {"min": finite(check.bound.low), "max": finite(check.bound.high)}
    if sums is None:
        return row
    now, *ends = measure.interval(sums, confidence)
    low, high = judged.narrowed(*ends)
    row |= {"now": finite(now), "low": low, "high": high, "games": judged.games or games}
    return row | {"text": "" if check.name in case.settled else _why_claim(case, check)}


def _holds(case: Case, games: int) -> bool:
    """Return whether the first `games` of those that were played now are among the recorded ones."""
    if case.baseline is None or case.played is None:
        return False
    return case.played.match.seed == case.baseline.seed and games <= case.baseline.games


def _why_claim(case: Case, check: Claim) -> str:
    return _why(case, check) if case.run else "more games would decide: --budget"


def _label(case: Case, name: str) -> str:
    """Return what people call the player whose number it is, "" of other numbers."""
    head, _, part = name.partition(".")
    labels = dict(enumerate(side_labels(case.scenario), 1))
    return labels.get(int(part), "") if part.isdigit() and head != "seat" else ""
