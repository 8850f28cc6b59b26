"""From a summary and its tables to what a report says: names, numbers as text, sentences.

The only place, with `text` and `lengths` below it, that decides wording and rounding: the terminal, the
page, the figures and Markdown cannot disagree. Shares are in [0, 1] in the input and become per cent here;
seats and sides count from 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reports import lengths
from reports.lengths import Histogram, Statistics
from reports.tables import Tables, rows_of
from reports.text import Share, clean, count, decimals_for, percent, printable, shorten

TRACE_NAMES = {
    "typical": "a typical game",
    "shortest": "the shortest game",
    "longest": "the longest game",
    "swing": "the biggest change of fortune",
}
ESTIMATE_AFTER_STOP = (
    "Estimate after an early stop: the run ended because the result was precise enough. The ranges allow for "
    "that; the middle values may lean a little towards what happened to be seen."
)
CAVEAT = (
    "These numbers describe these strategies playing this edition. Strategy X beating strategy Y is not card "
    "A beating card B: change one thing at a time and compare."
)
# A claim of "no effect" needs an interval this narrow; above it, the honest answer is "none seen".
NEGLIGIBLE = 0.01


@dataclass(frozen=True)
class Side:
    """One side: its name, how often it won alone or shared a win, and its share of the wins."""

    side: int
    name: str
    wins: int
    shared: int
    share: Share
    simultaneous: Share
    wilson: Share | None

    @property
    def short(self) -> str:
        """The name at a length that a sentence can carry."""
        return shorten(self.name, 40)


@dataclass(frozen=True)
class Part:
    """One part of a whole: a way to end, a source of numbers."""

    name: str
    games: int
    rate: float
    percent: str


@dataclass(frozen=True)
class Seats:
    """What the chair is worth, whoever sits in it."""

    sentence: str
    rows: tuple[tuple[str, Share], ...]
    even: float | None
    title: str = "Going first"


@dataclass(frozen=True)
class Worth:
    """One component: how often it was with a player, and their share of the wins."""

    name: str
    times: int
    share: Share
    simultaneous: Share


@dataclass(frozen=True)
class WorthTable:
    """Components of one kind, the strongest first."""

    title: str
    head: str
    rows: tuple[Worth, ...]
    even: float | None


@dataclass(frozen=True)
class AmountTable:
    """What components brought a time they were used, the most first: name, times, value, two ranges."""

    title: str
    rows: tuple[tuple[str, int, str, str, str], ...]


@dataclass(frozen=True)
class Step:
    """One stage of a funnel: shares of all games that reach it and get through."""

    name: str
    reached: float
    through: float

    @property
    def phrase(self) -> str:
        """Both shares in words."""
        return f"{percent(self.through)} of {percent(self.reached)}"


@dataclass(frozen=True)
class StageTable:
    """How far games get: a row for each stage, with `head` over its cells; and what stopped them."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    steps: tuple[Step, ...]
    causes: tuple[Part, ...]


@dataclass(frozen=True)
class Look:
    """The share of one side after so many games."""

    games: int
    share: Share


@dataclass(frozen=True)
class Trace:
    """One game worth looking at, with the command that replays it."""

    label: str
    game: int
    command: str


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
    sides = _sides(summary)
    seats = _seats(summary)
    histogram = lengths.histogram(summary, tables)
    stages = _stages(summary)
    reasons = _reasons(summary)
    unfinished = _share(summary["unfinished"], 1)
    worth = _worth(summary)
    return Report(
        title=clean(summary["labels"]["scenario"]) or clean(summary["scenario"]),
        subtitle=_subtitle(summary["labels"]),
        ids=f"{summary['scenario']} · {summary['game']} · {summary['edition']} · seed {summary['seed']}",
        headline=_headline(summary, sides, seats),
        games=games,
        confidence=percent(summary["interval"]["confidence"], 0),
        sides=sides,
        even=_even([side.share for side in sides]),
        sharing=_sharing(sides),
        ends=_ends(summary),
        unfinished=_unfinished(summary, unfinished),
        reasons=reasons,
        length=lengths.sentence(summary),
        table_time=lengths.table_time(summary),
        histogram=histogram,
        durations=tuple(
            lengths.statistics_row(name, label, summary[name], lengths.STATISTICS)
            for name, label in lengths.MEASURE_NAMES.items()
        ),
        metrics=_metrics(summary, sides),
        seats=seats,
        stages=stages,
        worth=worth,
        worth_said=_worth_said(worth),
        amounts=_amounts(summary),
        looks=_looks(tables, {side.side: side.share.decimals for side in sides}),
        leader=_leader(summary, sides),
        stop=_stop(summary, sides),
        after_stop=ESTIMATE_AFTER_STOP if summary["stop"]["reason"] == "precision" else "",
        method=_method(summary, sides),
        provenance=_provenance(summary["provenance"]),
        sources=_sources(summary["provenance"]),
        notes=tuple(clean(note) for note in summary["notes"]),
        command=printable(summary["reproduce"]["command"]),
        traces=_traces(summary["reproduce"]),
        inputs_digest=str(summary["digest"]["inputs"]),
        sources_digest=str(summary["digest"]["sources"]),
        speed=_speed(summary),
        captions=_captions(summary, sides, seats, histogram, reasons, stages),
        titles=_titles(summary),
    )


def _subtitle(labels: Mapping[str, str]) -> str:
    """Return game and edition; the edition once, where the game's label already says it."""
    game, edition = clean(labels["game"]), clean(labels["edition"])
    return game if edition.casefold() in game.casefold() else f"{game}, {edition}"


# ---------------------------------------------------------------- sides


def _share(values: Mapping[str, Any], decimals: int) -> Share:
    return Share(values.get("rate"), values.get("low"), values.get("high"), decimals)


def side_names(summary: Mapping[str, Any]) -> list[str]:
    """Return one printable name per side; equal or empty labels get the side's number."""
    labels = [clean(side["label"]) for side in summary["sides"]]
    return [
        label if label and labels.count(label) == 1 else f"{label} (side {side['side']})".strip()
        for label, side in zip(labels, summary["sides"], strict=True)
    ]


def _sides(summary: Mapping[str, Any]) -> tuple[Side, ...]:
    decimals = decimals_for((side["low"], side["high"]) for side in summary["sides"])
    rows = []
    for name, side in zip(side_names(summary), summary["sides"], strict=True):
        at_once, wilson = side.get("simultaneous") or {}, side.get("wilson")
        rows.append(
            Side(
                side=int(side["side"]),
                name=name,
                wins=int(side["wins"]),
                shared=int(side["shared"]),
                share=_share(side, decimals),
                simultaneous=Share(side["rate"], at_once.get("low"), at_once.get("high"), decimals),
                wilson=Share(side["rate"], wilson["low"], wilson["high"], decimals) if wilson else None,
            )
        )
    return tuple(rows)


def _even(shares: Sequence[Share]) -> float | None:
    """Return what each would have if all were equal; None when that says nothing."""
    rates = [share.rate for share in shares if share.rate is not None]
    even = sum(rates) / len(rates) if len(rates) > 1 and len(rates) == len(shares) else 0.0
    return even or None


def _sharing(sides: Sequence[Side]) -> str:
    if not any(side.shared for side in sides):
        return ""
    return "A win shared by several sides counts in equal parts, so the shares add up with the ends below."


def _headline(summary: Mapping[str, Any], sides: Sequence[Side], seats: Seats) -> str:
    games = int(summary["games"])
    if not games:
        return "No games were played, so there is nothing to report."
    if summary["unfinished"]["games"] == games:
        return "No game finished: every one of them reached the round limit."
    clauses = [_who_wins(summary, sides), _short_seats(summary, seats), lengths.half_end_by(summary)]
    unfinished = _share(summary["unfinished"], 1)
    if (unfinished.rate or 0) >= NEGLIGIBLE:
        clauses.append(f"{unfinished.percent} of games do not finish")
    return "; ".join(clause for clause in clauses if clause) + "."


def _who_wins(summary: Mapping[str, Any], sides: Sequence[Side]) -> str:
    games = summary["games"]
    if summary["tied"] == games:
        return "Every game is tied"
    if summary["nobody"] == games:
        return "Nobody ever wins" if _nobody(summary) == "nobody" else f"Every game is won by {_nobody(summary)}"
    if len(sides) == 1:
        return f"{sides[0].short}: {sides[0].share.percent} of games won ({sides[0].share.interval})"
    leading = {side.side: side for side in sides}.get(summary["leader"]["side"])
    if leading:
        return f"{leading.short} wins {leading.share.percent} of games ({leading.share.interval})"
    return "Too close to call: " + _close_race(sides)


def _close_race(sides: Sequence[Side]) -> str:
    ranked = sorted(sides, key=lambda side: -(side.share.rate or 0))
    if len(ranked) == 2:
        return " and ".join(f"{side.short} {side.share.phrase}" for side in ranked)
    near = [side for side in ranked[1:] if _touches(side, ranked[0])]
    near = near or ranked[1:2]
    if len(near) == len(ranked) - 1:
        last = ranked[-1]
        return f"the {len(ranked)} sides win between {last.share.percent} and {ranked[0].share.percent} of games"
    names = " and ".join(f"{side.short} {side.share.phrase}" for side in [ranked[0], *near[:1]])
    return names if len(near) < 2 else f"{names}, and {len(near) - 1} more close behind"


def _touches(side: Side, first: Side) -> bool:
    high, low = side.simultaneous.high, first.simultaneous.low
    return high is None or low is None or high >= low


def _leader(summary: Mapping[str, Any], sides: Sequence[Side]) -> str:
    games, found = summary["games"], summary["leader"]
    nothing_to_win = games in (summary["tied"], summary["nobody"], summary["unfinished"]["games"])
    if not games or nothing_to_win or len(sides) < 2:
        return ""
    level = percent(found["simultaneous_confidence"], 0)
    leading = next((side for side in sides if side.side == found["side"]), None)
    if found.get("lead"):
        return _lead(found["lead"], leading, sides, level)
    if leading:
        return f"{leading.short} is ahead of every other side (all sides judged at once, {level})."
    return f"No side is ahead for certain (all sides judged at once, {level})."


def _lead(lead: Mapping[str, float], leading: Side | None, sides: Sequence[Side], level: str) -> str:
    """Say how far the first of two sides is ahead of the second; negative numbers favour the second."""
    low, high = 100 * lead["low"], 100 * lead["high"]
    if leading is None:
        room = f"{-low:.1f} points for {sides[1].short} to {high:.1f} points for {sides[0].short}"
        return f"No side is ahead for certain: the lead may be anything from {room} ({level})."
    low, high = (low, high) if leading.side == sides[0].side else (-high, -low)
    return f"{leading.short} is ahead by {low:.1f} to {high:.1f} points ({level})."


# ---------------------------------------------------------------- ends


def _parts(counts: Iterable[tuple[str, int]], total: int) -> tuple[Part, ...]:
    return tuple(Part(name, games, games / total, percent(games / total)) for name, games in counts if games and total)


def _ends(summary: Mapping[str, Any]) -> tuple[Part, ...]:
    """Split all games, without gaps, by how they were decided."""
    alone = sum(side["wins"] for side in summary["sides"])
    counts = [
        ("won by one side" if len(summary["sides"]) > 1 else "won by the table", alone),
        ("tied", summary["tied"]),
        (f"won by {_nobody(summary)}", summary["nobody"]),
        ("unfinished", summary["unfinished"]["games"]),
    ]
    return _parts(counts, summary["games"])


def _nobody(summary: Mapping[str, Any]) -> str:
    """Return what a game calls the winner where no side wins."""
    return clean(summary["labels"].get("nobody") or "nobody")


def _unfinished(summary: Mapping[str, Any], share: Share) -> str:
    if not summary["games"] or share.high is None:
        return ""
    if summary["unfinished"]["games"]:
        return f"{share.phrase} of games reach the round limit and count for nobody."
    return f"Every game finished; the unfinished share is at most {_at_most(share.high)}."


def _at_most(share: float) -> str:
    """Round an upper bound up to one digit, so that it stays an upper bound and never reads 0."""
    if share <= 0:
        return percent(0.0)
    digits = max(0, -math.floor(math.log10(100 * share)))
    return f"{math.ceil(round(100 * share * 10**digits, 9)) / 10**digits:.{digits}f} %"


def _reasons(summary: Mapping[str, Any]) -> tuple[Part, ...]:
    counts = [(clean(name), int(games)) for name, games in summary["reasons"].items()]
    missing = summary["games"] - sum(games for _, games in counts)
    if missing > 0:
        known = missing == summary["unfinished"]["games"]
        counts.append(("unfinished" if known else "no reason recorded", missing))
    return _parts(sorted(counts, key=lambda item: (-item[1], item[0])), summary["games"])


# ---------------------------------------------------------------- metrics


def _metrics(summary: Mapping[str, Any], sides: Sequence[Side]) -> tuple[Statistics, ...]:
    in_stages = {name for stage in summary.get("stages") or () for name in stage["metrics"]}
    metrics: Mapping[str, Mapping[str, Any]] = {
        name: values
        for name, values in summary["metrics"].items()
        if name not in in_stages and not _never(values, summary["games"])
    }
    rows = []
    for name, values in metrics.items():
        absent = int(values.get("absent") or 0)
        label = _metric_label(name, metrics, sides) + (f" (not in {count(absent, 'game')})" if absent else "")
        rows.append(lengths.statistics_row(name, label, values, lengths.METRIC_STATISTICS))
    return tuple(rows)


def _never(values: Mapping[str, Any], games: int) -> bool:
    """Return whether a metric applies to no game, such as that of a chapter that the book does not have."""
    return bool(games) and values.get("absent") == games


def _metric_label(name: str, all_names: Iterable[str], sides: Sequence[Side]) -> str:
    """Return `hits, Inigo Montoya` for `hits.2`; players of a team keep their number."""
    base, _, number = name.rpartition(".")
    if not base or not number.isdigit():
        return clean(name).replace("_", " ")
    players = sum(other.rpartition(".")[0] == base for other in all_names)
    alone = {str(side.side): side.short for side in sides} if players == len(sides) else {}
    return f"{clean(base).replace('_', ' ')}, {alone.get(number, f'player {number}')}"


# ---------------------------------------------------------------- stages


def _stages(summary: Mapping[str, Any]) -> StageTable | None:
    """Tell how many games reach each stage and get through, as games and as a share of those that reach it."""
    found = summary.get("stages") or []
    if not found:
        return None
    passed, others = (list(found[0][key]) for key in ("passed", "others"))
    rows, steps = [], []
    for stage in found:
        reached = int(stage["reached"])
        through = sum(stage["passed"].values())
        if summary["games"]:
            steps.append(Step(clean(stage["label"]), reached / summary["games"], through / summary["games"]))
        shares = [percent(stage["passed"][name] / reached) if reached else "–" for name in passed]
        means = [f"{stage['others'][name]:.1f}" if reached else "–" for name in others]
        rows.append((clean(stage["label"]), f"{reached:,}", f"{through:,}", *shares, *means))
    causes = [(clean(name), int(times)) for stage in found for name, times in stage["failed"].items()]
    head = ("reached", "through", *map(clean, passed), *map(clean, others))
    total = sum(times for _, times in causes)
    return StageTable(head, tuple(rows), tuple(steps), _parts(sorted(causes, key=lambda item: -item[1]), total))


# ---------------------------------------------------------------- seats


def _seats(summary: Mapping[str, Any]) -> Seats:
    found = summary["seats"]
    decimals = decimals_for((seat["low"], seat["high"]) for seat in found["seats"])
    rows = tuple((f"Seat {seat['seat']}", _share(seat, decimals)) for seat in found["seats"])
    even = _even([share for _, share in rows])
    in_order = found.get("in_order", True)
    if not found["separable"] and not in_order:
        why = clean(found["why"] or "the strategies were not rotated over the seats").rstrip(".")
        return Seats(f"The effect of the seat cannot be told apart here: {why}.", (), None, "Seats")
    if not found["separable"]:
        why = clean(found["why"] or "the strategies were not rotated over the seats").rstrip(".")
        return Seats(f"The effect of going first cannot be told apart here: {why}.", (), None)
    if not summary["games"] or not even:
        return Seats("There is nothing to compare between the seats.", (), None)
    if not in_order:
        return Seats(_chairs_sentence(rows, even), rows, even, "Seats")
    return Seats(_seat_sentence(rows, even), rows, even)


def _chairs_sentence(rows: Sequence[tuple[str, Share]], even: float) -> str:
    """Compare seats of which none goes first."""
    off = [(name, share) for name, share in rows if not share.contains(even)]
    fair = f"an even share is {percent(even, rows[0][1].decimals)}"
    if off:
        return f"The seat matters: {'; '.join(f'{name} wins {share.phrase}' for name, share in off)}; {fair}."
    rates = sorted((share.rate or 0, share.percent) for _, share in rows)
    return f"No effect of the seat is seen: seats win between {rates[0][1]} and {rates[-1][1]}, {fair}."


def _seat_effect(first: Share, even: float) -> str:
    if not first.contains(even):
        return "going first helps" if (first.rate or 0) > even else "going first hurts"
    half_width = ((first.high or 0) - (first.low or 0)) / 2
    return "going first does not matter" if half_width <= NEGLIGIBLE else "no effect of going first is seen"


def _seat_sentence(rows: Sequence[tuple[str, Share]], even: float) -> str:
    first = rows[0][1]
    effect = _seat_effect(first, even)
    share = percent(even, first.decimals)
    return f"{effect[0].upper()}{effect[1:]}: seat 1 wins {first.phrase}, an even share is {share}."


def _short_seats(summary: Mapping[str, Any], seats: Seats) -> str:
    in_order = summary["seats"].get("in_order", True)
    if not in_order or not seats.rows or seats.even is None or summary["tied"] == summary["games"]:
        return ""
    first = seats.rows[0][1]
    effect = _seat_effect(first, seats.even)
    return effect if effect.endswith("matter") else f"{effect} ({first.percent})" if effect[0] == "g" else ""


# ---------------------------------------------------------------- components


def _worth(summary: Mapping[str, Any]) -> tuple[WorthTable, ...]:
    """Group the components by kind, in the order of the game; the strongest of each kind first."""
    found = summary.get("exposed") or []
    sides = len(summary["sides"])
    tables = []
    for kind in dict.fromkeys(row["kind"] for row in found):
        rows = [row for row in found if row["kind"] == kind]
        decimals = decimals_for((row["low"], row["high"]) for row in rows)
        worth = [
            Worth(
                name=clean(row["label"]),
                times=int(row["times"]),
                share=_share(row, decimals),
                simultaneous=_share({"rate": row["rate"], **row["simultaneous"]}, decimals),
            )
            for row in rows
        ]
        worth.sort(key=lambda each: -(each.share.rate or 0))
        had = clean(rows[0]["exposure"])
        head = {"dealt": "Players who were dealt it", "held": "Players who held it at the end"}
        title = clean(kind if had == "dealt" else f"{kind} {had}")
        tables.append(
            WorthTable(
                title=f"{title[:1].upper()}{title[1:]}",
                head=head.get(had, "Players who played it"),
                rows=tuple(worth),
                even=1 / sides if sides > 1 else None,
            )
        )
    return tuple(tables)


def _amounts(summary: Mapping[str, Any]) -> tuple[AmountTable, ...]:
    """Return a table for each metric that is counted by component."""
    found = summary.get("amounts") or []
    tables = []
    for metric in dict.fromkeys(row["metric"] for row in found):
        rows = sorted((row for row in found if row["metric"] == metric), key=lambda row: -row["value"])
        cells = tuple(
            (
                clean(row["label"]),
                int(row["times"]),
                f"{row['value']:.2f}",
                _between(row),
                _between(row["simultaneous"]),
            )
            for row in rows
        )
        tables.append(AmountTable(clean(metric).replace("_", " ").capitalize(), cells))
    return tuple(tables)


def _between(row: Mapping[str, Any]) -> str:
    return "" if row["low"] is None or row["high"] is None else f"{row['low']:.2f} to {row['high']:.2f}"


def _worth_said(tables: Sequence[WorthTable]) -> str:
    """Say what certainly wins more or less than an even share, all of a kind taken together."""
    told = []
    for table in tables:
        if table.even is None:
            continue
        above = [row for row in table.rows if (row.simultaneous.low or 0) > table.even]
        below = [row for row in reversed(table.rows) if row.simultaneous.high is not None]
        below = [row for row in below if (row.simultaneous.high or 0) < (table.even or 0)]
        parts = [_named(above, "more"), _named(below, "less")]
        if any(parts):
            told.append(f"{table.title}: {'; '.join(part for part in parts if part)}.")
    return " ".join(told)


def _named(rows: Sequence[Worth], which: str, most: int = 3) -> str:
    if not rows:
        return ""
    names = ", ".join(f"{row.name} {row.share.percent}" for row in rows[:most])
    rest = f" and {len(rows) - most} others" if len(rows) > most else ""
    return f"{which} than an even share {names}{rest}"


# ---------------------------------------------------------------- convergence


def _looks(tables: Tables, decimals: Mapping[int, int]) -> dict[int, tuple[Look, ...]]:
    series: dict[int, list[Look]] = {side: [] for side in decimals}
    rows = sorted(rows_of(tables, "looks"), key=lambda row: (row["side"], row["games"]))
    for row in rows:
        if row["rate"] is not None:
            series[row["side"]].append(Look(int(row["games"]), _share(row, decimals[row["side"]])))
    return {side: tuple(looks) for side, looks in series.items() if looks}


# ---------------------------------------------------------------- method


def _points(value: float) -> str:
    digits = f"{value:.2f}".rstrip("0").rstrip(".") if value < 1 else f"{value:.1f}" if value < 10 else f"{value:.0f}"
    return f"±{digits} points"


def _width(sides: Sequence[Side]) -> str:
    """Return the longest arm of all sides' intervals, in points."""
    shares = [(side.share.rate or 0.0, side.share.low or 0.0, side.share.high or 0.0) for side in sides]
    return _points(100 * max(max(rate - low, high - rate) for rate, low, high in shares))


def _stop(summary: Mapping[str, Any], sides: Sequence[Side]) -> str:
    stop = summary["stop"]
    if not summary["games"]:
        return f"No games count (stop: {clean(stop['reason'])})."
    games, width = count(int(summary["games"]), "game"), f"every range is within {_width(sides)}"
    # A run with a planned number of games has that number as its target, any other run a width in points.
    if stop["unit"] == "games":
        short = f" of {int(stop['target']):,} planned; {width}"
    else:
        wanted = "" if stop["target"] is None else f", short of the {_points(stop['target'])} asked for"
        short = f"; {width}{wanted}"
    return {
        "precision": f"Stopped after {games}: {width} ({_points(stop['target'] or 0)} asked for).",
        "games": f"Played the planned {games}; {width}.",
        "budget": f"Played all {games} allowed{short}.",
        "max-time": f"Stopped by the time limit after {games}{short}.",
        "interrupted": f"Interrupted; the first {games} count{short}.",
    }.get(stop["reason"], f"Stopped after {games} ({clean(stop['reason'])}); {width}.")


def _method(summary: Mapping[str, Any], sides: Sequence[Side]) -> tuple[str, ...]:
    interval = summary["interval"]
    confidence = percent(interval["confidence"], 0)
    at_once = percent(summary["leader"]["simultaneous_confidence"], 0)
    scopes = {True: "for all sides at once (simultaneous)", False: "for one side alone (pointwise)"}
    naming = (
        "A leader of two is named by one direct comparison of both"
        if summary["leader"].get("lead")
        else "Naming a leader uses wider ranges that hold for all sides at once"
    )
    outside = percent(1 - interval["confidence"], 0)
    example = sides[0].share.interval if summary["games"] else "56.7 to 57.7"
    sentences = [
        f"A range such as “{example}” is a {confidence} interval: chance alone puts the true share outside "
        f"it in at most {outside} of such runs. It says nothing about errors in the data.",
        f"Ranges beside a share are {scopes[bool(interval['simultaneous'])]}. {naming} ({at_once}).",
        f"Method: {clean(interval['method'])}. It stays valid however often one looks and whenever the run "
        "stops, so a run may be extended without false winners.",
    ]
    if any(side.wilson for side in sides):
        sentences.append(
            "The Wilson range is the usual one for a number of games fixed beforehand; it is narrower and "
            "holds only because the planned number was played."
        )
    rotations = int(summary["rotations"])
    if rotations > 1:
        sentences.append(
            f"Each deal is played {rotations} times with the sides moved round the table; the games of a "
            "deal are judged together."
        )
    return (*sentences, CAVEAT)


def _speed(summary: Mapping[str, Any]) -> str:
    timing = summary.get("timing") or {}
    if not timing.get("seconds") or not timing.get("games_per_second"):
        return ""
    return f"{timing['seconds']:.1f} s, {timing['games_per_second']:,.0f} games a second"


# ---------------------------------------------------------------- provenance


def _sources(provenance: Mapping[str, float]) -> tuple[Part, ...]:
    words = {
        "rulebook": "printed in the rulebook",
        "derived": "derived from the rulebook",
        "public": "from public pages",
        "reconstructed": "reconstructed",
    }
    found = ((word, provenance.get(kind) or 0.0) for kind, word in words.items())
    return tuple(Part(word, 0, share, percent(share, 0)) for word, share in found if share > 0)


def _provenance(provenance: Mapping[str, float]) -> str:
    parts = {part.name: part.percent for part in _sources(provenance)}
    if not parts:
        return "Nothing is recorded about where the numbers of this edition come from."
    if len(parts) == 1 and "reconstructed" in parts:
        return "All numbers are reconstructed: this is not the published game."
    clauses = []
    if "printed in the rulebook" in parts:
        clauses.append(f"{parts.pop('printed in the rulebook')} of the numbers come from the rulebook")
    clauses += [f"{share} are {word}" for word, share in parts.items()]
    ending = ": this is not the published game." if "reconstructed" in parts else "."
    return ", ".join(clauses) + ending


# ---------------------------------------------------------------- again


def _traces(reproduce: Mapping[str, Any]) -> tuple[Trace, ...]:
    template = printable(reproduce["trace"]).removesuffix(" K")
    return tuple(
        Trace(TRACE_NAMES.get(kind, clean(kind).replace("_", " ")), int(game), f"{template} {game}")
        for kind, game in (reproduce.get("games") or {}).items()
        if game is not None
    )


# ---------------------------------------------------------------- captions


def _captions(
    summary: Mapping[str, Any],
    sides: Sequence[Side],
    seats: Seats,
    histogram: Histogram | None,
    reasons: Sequence[Part],
    stages: StageTable | None,
) -> dict[str, str]:
    """Return one sentence with the numbers for every figure: caption and alternative text in one."""
    shares = "; ".join(f"{side.short} {side.share.phrase}" for side in sides)
    length = histogram.caption if histogram else ""
    chairs = "; ".join(f"{name} {share.phrase}" for name, share in seats.rows)
    ends = "; ".join(f"{part.name} {part.percent}" for part in reasons)
    passed = "; ".join(f"{step.name} {step.phrase}" for step in stages.steps) if stages else ""
    going = histogram.going_caption if histogram else ""
    added = f"Share of wins and its range as games were added, up to {count(summary['games'], 'game')}"
    return {
        "win_rates": f"Share of wins with its range: {shares}.",
        "duration_histogram": f"Share of games by length{length}.",
        "survival": f"Share of games that still go on{going}.",
        "funnel": f"Share of all games that get through each stage, of those that reach it (pale): {passed}.",
        "end_reasons": f"Why games end: {ends}.",
        "seat_advantage": f"Share of wins by chair, whoever sits in it: {chairs}.",
        "convergence": f"{added}. Last values: {shares}.",
    }


def _titles(summary: Mapping[str, Any]) -> dict[str, str]:
    """Return a heading for every figure that leaves the page: what it shows, of which run."""
    run = f"{shorten(clean(summary['labels']['scenario']), 34)}, {count(summary['games'], 'game')}"
    subjects = {
        "win_rates": "who wins",
        "duration_histogram": "how long games last",
        "survival": "how many games go on",
        "end_reasons": "why games end",
        "funnel": "how far games get",
        "seat_advantage": "what the seat is worth",
        "convergence": "how the shares settled",
    }
    return {name: f"{run}: {subject}" for name, subject in subjects.items()}
