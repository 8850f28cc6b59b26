"""From a summary and its tables to what a report says: names, numbers as text, sentences.

The only place, with `text` and `lengths` below it, that decides wording and rounding: the terminal, the
page, the figures and Markdown cannot disagree. Shares are in [0, 1] in the input and become per cent here;
seats and sides count from 1.

    sides      who wins, and who is ahead
    ends       how games end, and how far they got
    seats      what the chair is worth
    worth      what players had, and what each thing brought
    metrics    what a game counts besides
    looks      how the shares settled
    method     how to read it, where the numbers come from, how to get them again
    captions   a sentence and a heading for every figure
    grids      the tables of the page
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reports import lengths
from reports.lengths import Histogram, Statistics
from reports.model import captions, ends, looks, method, metrics, seats, sides, worth
from reports.model.ends import Part, StageTable
from reports.model.looks import Look
from reports.model.method import Trace
from reports.model.metrics import ByPlayer
from reports.model.seats import NEGLIGIBLE, Seats
from reports.model.sides import Side
from reports.model.worth import AmountTable, WorthTable
from reports.tables import Tables
from reports.text import Share, clean, even_share, percent, printable


@dataclass(frozen=True)
class Report:
    """Everything a report shows, in words and rounded numbers, plus the exact shares for drawing."""

    title: str
    subtitle: str
    ids: str
    headline: str
    games: int
    confidence: str
    sides: tuple[Side, ...]
    even: float | None
    sharing: str
    ends: tuple[Part, ...]
    unfinished: str
    reasons: tuple[Part, ...]
    length: str
    table_time: str
    histogram: Histogram | None
    durations: tuple[Statistics, ...]
    metrics: tuple[Statistics, ...]
    by_player: ByPlayer | None
    seats: Seats
    stages: StageTable | None
    worth: tuple[WorthTable, ...]
    worth_said: str
    amounts: tuple[AmountTable, ...]
    looks: Mapping[int, tuple[Look, ...]]
    leader: str
    stop: str
    after_stop: str
    method: tuple[str, ...]
    provenance: str
    sources: tuple[Part, ...]
    notes: tuple[str, ...]
    command: str
    traces: tuple[Trace, ...]
    inputs_digest: str
    sources_digest: str
    speed: str
    captions: Mapping[str, str]
    titles: Mapping[str, str]


def build(summary: Mapping[str, Any], tables: Tables) -> Report:
    """Turn a summary and its tables into what a report shows.

    Parameters
    ----------
    summary : mapping
        The content of `summary.json`, schema `balance.summary/1`.
    tables : mapping of str to DataFrame
        `durations` and `looks` are read; a missing table leaves its picture out.
    """
    games = int(summary["games"])
    who = sides.read(summary)
    chairs = seats.read(summary)
    histogram = lengths.histogram(summary, tables)
    why = ends.reasons(summary)
    far = ends.stages(summary)
    had = worth.components(summary)
    return Report(
        title=clean(summary["labels"]["scenario"]) or clean(summary["scenario"]),
        subtitle=_subtitle(summary["labels"]),
        ids=f"{summary['scenario']} · {summary['game']} · {summary['edition']} · seed {summary['seed']}",
        headline=_headline(summary, who, chairs),
        games=games,
        confidence=percent(summary["interval"]["confidence"], 0),
        sides=who,
        even=even_share([side.share for side in who]),
        sharing=sides.sharing(who),
        ends=ends.results(summary),
        unfinished=ends.unfinished(summary),
        reasons=why,
        length=lengths.sentence(summary),
        table_time=lengths.table_time(summary),
        histogram=histogram,
        durations=tuple(
            lengths.statistics_row(name, label, summary[name], lengths.STATISTICS)
            for name, label in lengths.MEASURE_NAMES.items()
        ),
        metrics=metrics.read(summary, who),
        by_player=metrics.by_player(summary, who),
        seats=chairs,
        stages=far,
        worth=had,
        worth_said=worth.sentence(had),
        amounts=worth.amounts(summary),
        looks=looks.read(tables, {side.side: side.share.decimals for side in who}),
        leader=sides.leader(summary, who),
        stop=method.stop(summary, who),
        after_stop=method.ESTIMATE_AFTER_STOP if summary["stop"]["reason"] == "precision" else "",
        method=method.sentences(summary, who),
        provenance=method.origin(summary["provenance"]),
        sources=method.sources(summary["provenance"]),
        notes=tuple(clean(note) for note in summary["notes"]),
        command=printable(summary["reproduce"]["command"]),
        traces=method.traces(summary["reproduce"]),
        inputs_digest=str(summary["digest"]["inputs"]),
        sources_digest=str(summary["digest"]["sources"]),
        speed=method.speed(summary),
        captions=captions.captions(summary, who, chairs, histogram, why, far),
        titles=captions.titles(summary),
    )


def _subtitle(labels: Mapping[str, str]) -> str:
    """Return game and edition; the edition once, where the game's label already says it."""
    game, edition = clean(labels["game"]), clean(labels["edition"])
    return game if edition.casefold() in game.casefold() else f"{game}, {edition}"


def _headline(summary: Mapping[str, Any], who: Sequence[Side], chairs: Seats) -> str:
    games = int(summary["games"])
    if not games:
        return "No games were played, so there is nothing to report."
    if summary["unfinished"]["games"] == games:
        return "No game finished: every one of them reached the round limit."
    clauses = [sides.who_wins(summary, who), seats.clause(summary, chairs), lengths.half_end_by(summary)]
    unfinished = Share.of(summary["unfinished"])
    if (unfinished.rate or 0) >= NEGLIGIBLE:
        clauses.append(f"{unfinished.percent} of games do not finish")
    return "; ".join(clause for clause in clauses if clause) + "."
