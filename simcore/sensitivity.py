"""How far the numbers of a scenario rest on each number of its edition: one step up and one step down, paired.

Every change is compared with the scenario as it is, on the same deals. Hundreds of changes make some look strong by
luck: what is called an effect passes e-BH, which holds its false discoveries under any dependence (all comparisons
share their base) and at any stop.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simcore import jit, provenance
from simcore.blocks import CONFIDENCE, Run
from simcore.comparison import Comparison, Effect, effect, quantities
from simcore.errors import InputError, suggest
from simcore.results import side_labels
from simcore.scenario import Scenario
from simcore.stats.discoveries import discoveries

SCHEMA = "balance.sensitivity/1"
FILE = "sensitivity.json"
"""What holds the answer in a directory."""

FALSE_DISCOVERIES = 0.05
"""Share of the effects named that may be none, on average."""


@dataclass(frozen=True)
class Step:
    """One changed number: `path` and `value` as ``--set`` takes them, and where the number comes from."""

    path: str
    before: int | bool
    value: int | bool
    source: str

    @property
    def override(self) -> tuple[str, str]:
        """What the command line would set."""
        return self.path, str(self.value).lower() if isinstance(self.value, bool) else str(self.value)


def steps(scenario: Scenario, only: Sequence[str] = ()) -> list[Step]:
    """Return one step down and one step up of every whole number that the edition gives; a switch is turned over.

    Parameters
    ----------
    only : sequence of str
        Kinds of source (``reconstructed``), or beginnings of paths (``rules``, ``components.leap``); empty: all.

    Raises
    ------
    InputError
        If one of `only` names nothing.
    """
    found = list(_numbers(scenario))
    kinds = provenance.SOURCES
    for word in only:
        if word not in kinds and not any(_below(path, word) for path, _, _ in found):
            heads = [*kinds, *dict.fromkeys(".".join(path.split(".")[:2]) for path, _, _ in found), "rules"]
            raise InputError.of("--only", f"'{word}' is no kind of source and no number{suggest(word, heads)}")
    wanted = [each for each in found if not only or any(word == each[2] or _below(each[0], word) for word in only)]
    return [
        Step(path, before, value, source)
        for path, before, source in wanted
        for value in ((not before,) if isinstance(before, bool) else (before - 1, before + 1))
    ]


def _below(path: str, word: str) -> bool:
    return path == word or path.startswith(f"{word}.")


def _numbers(scenario: Scenario) -> Iterator[tuple[str, int | bool, str]]:
    """Yield (path, value, kind of source) of the whole numbers and switches of rules and components."""
    for place, source in scenario.edition.sources.items():
        kind, *rest = place
        if kind == "rules" or len(place) > 2:
            words = [str(part + 1) if isinstance(part, int) else part for part in rest]
            path = ".".join(["rules" if kind == "rules" else "components", *words])
            value = scenario.edition.value(path)
            if isinstance(value, int) and (kind == "rules" or not isinstance(value, bool)):
                yield path, value, provenance.kind(source)


def row(step: Step, base: Scenario, variant: Scenario, asked: Comparison, run: Run) -> dict[str, Any]:
    """Return the effects of a step on every share and on the length of a game."""
    known = {each.name: each for each in quantities(base, variant)}
    names = [name for name in known if name.startswith("side.")] + ["rounds"]
    if asked.primary.name not in names:
        names.append(asked.primary.name)
    labels = dict(enumerate(side_labels(base), 1))
    return {
        "path": step.path,
        "before": step.before,
        "value": step.value,
        "source": step.source,
        "games": run.tally.games,
        "stop": run.reason,
        "effects": {name: _told(effect(run.tally, known[name], CONFIDENCE), labels) for name in names},
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
        "e_value": found.e_value if math.isfinite(found.e_value) else None,
    }


def answer(
    scenario: Scenario,
    rows: list[dict[str, Any]],
    missing: int,
    skipped: Sequence[Step],
    on: str,
    words: Sequence[str],
    seconds: float,
) -> dict[str, Any]:
    """Return the answer as plain data (strict JSON): rows with the largest effect on `on` first.

    Each effect gets ``named``: whether it is among the discoveries over all rows and quantities together.
    """
    tested = [each for found in rows for each in found["effects"].values()]
    evidence = [math.inf if each["e_value"] is None else each["e_value"] for each in tested]
    for each, named in zip(tested, discoveries(evidence, FALSE_DISCOVERIES), strict=True):
        each["named"] = named
    ordered = sorted(rows, key=lambda found: -abs(found["effects"][on]["difference"] or 0.0))
    return {
        "schema": SCHEMA,
        "game": scenario.game.name,
        "scenario": scenario.name,
        "label": scenario.label,
        "on": on,
        "rows": ordered,
        "missing": missing,
        "not_allowed": [{"path": step.path, "value": step.value} for step in skipped],
        "tested": len(tested),
        "false_discoveries": FALSE_DISCOVERIES,
        "confidence": CONFIDENCE,
        "seed": scenario.match.seed,
        "games": sum(found["games"] for found in rows),
        "provenance": scenario.edition.shares,
        "resolved": scenario.resolved,
        "digest": {"inputs": scenario.inputs, "sources": jit.sources_digest()},
        "command": shlex.join(["balance", "sensitivity", *words, "--seed", str(scenario.match.seed)]),
        "timing": {"seconds": seconds},
    }
