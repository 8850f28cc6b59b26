"""A sweep as a page, and as rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from reports.page import Data, Page, Picture, Table, of_scenario
from reports.text import NOTHING, clean, count, decimals_for, first_of, percent, quantity

FEW_SIDES = 3  # so many have columns with ranges on a terminal


def page(answer: Mapping[str, Any]) -> Page:
    """Return what is told of a sweep."""
    points = answer["points"]
    names = _shown(answer)
    return of_scenario(
        answer,
        "sweep",
        f"{count(len(points), 'point')}, {answer['games']:,} games, on the same deals",
        headline=_headline(answer),
        sentences=_sentences(answer),
        tables=_tables(answer, names),
        pictures=_pictures(answer, names),
        data=_data(answer),
        method=_method(answer),
    )


def _data(answer: Mapping[str, Any]) -> Data:
    """Return one row for each point and quantity."""
    paths = [each["path"] for each in answer["over"]]
    axes = [_typed(texts) for texts in zip(*(point["values"] for point in answer["points"]), strict=True)]
    rows = [
        {**dict(zip(paths, values, strict=True)), "games": point["games"], "quantity": name, **each}
        | {"stop": point["stop"]["reason"], "why": point["why"]}
        for point, *values in zip(answer["points"], *axes, strict=True)
        for name, each in point["quantities"].items()
    ]
    return Data((*paths, "quantity", "label", "estimate", "low", "high", "games", "stop", "why"), rows)


def _typed(texts: Sequence[str]) -> Sequence[int | float | str]:
    """Return the values of an axis as numbers if all of them are."""
    for kind in (int, float):
        with suppress(ValueError):
            return [kind(text) for text in texts]
    return texts


def name_of(name: str, label: str | None) -> str:
    """Return what people call a quantity: ``wins of Anna``, ``rounds``, ``hits, Anna``."""
    head, _, part = name.partition(".")
    who = clean(label or part)
    words = head.replace("_", " ")
    if head == "side":
        return f"wins of {who}"
    return f"{words}, {who}" if who else {"unfinished": "unfinished games"}.get(words, words)


def value_of(each: Mapping[str, Any], value: float | None) -> str:
    """Return a value of a quantity as text."""
    return percent(value) if each["kind"] == "share" else quantity(value)


def _shown(answer: Mapping[str, Any]) -> list[str]:
    """Return the quantities of the table: what was asked for, else who wins and how long it takes."""
    if answer["on"]:
        return [answer["on"]]
    known = answer["points"][0]["quantities"] if answer["points"] else {}
    return [*(name for name in known if name.startswith("side.")), "rounds", "minutes"]


def _headline(answer: Mapping[str, Any]) -> str:
    points = answer["points"]
    if not points:
        return "No point was played."
    found = answer["target"]
    if found:
        wanted = _wanted(answer)
        if found["nearest"] is None:
            return f"{wanted}: nothing is known."
        nearest = next(point for point in points if point["values"] == found["nearest"])
        got = nearest["quantities"][found["quantity"]]
        estimate, span = _measured([got])[0]
        return f"{_place(answer, found['nearest'])} comes nearest to {wanted}: {estimate} ({span})."
    name = _shown(answer)[0]
    known = [point for point in points if point["quantities"][name]["estimate"] is not None]
    if not known:
        return "No game was played."
    low, high = (pick(known, key=lambda point: point["quantities"][name]["estimate"]) for pick in (min, max))
    told = name_of(name, low["quantities"][name]["label"])
    told = told[:1].upper() + told[1:]
    ends = [f"{value_of(*_estimate(point, name))} at {_place(answer, point['values'])}" for point in (low, high)]
    if low is high or len({value_of(*_estimate(point, name)) for point in known}) == 1:
        return f"{told}: {value_of(*_estimate(low, name))} at every point."
    return f"{told}: from {ends[0]} to {ends[1]}."


def _estimate(point: Mapping[str, Any], name: str) -> tuple[Mapping[str, Any], Any]:
    each = point["quantities"][name]
    return each, each["estimate"]


def _place(answer: Mapping[str, Any], values: Sequence[str]) -> str:
    return ", ".join(f"{axis['path']} = {clean(value)}" for axis, value in zip(answer["over"], values, strict=True))


def _places(answer: Mapping[str, Any], places: Sequence[Sequence[str]]) -> str:
    """Return some points of the grid; on one axis the path once."""
    if len(answer["over"]) == 1:
        return f"{answer['over'][0]['path']} = {first_of([clean(values[0]) for values in places], 5)}"
    return first_of([f"({_place(answer, values)})" for values in places], 3)


def _measured(found: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return (estimate, range) of one quantity at some points, with decimals at which each range shows its width."""
    is_share = found[0]["kind"] == "share"
    unit = 1.0 if is_share else 0.01
    known = [each for each in found if None not in (each["low"], each["high"])]
    decimals = decimals_for((unit * each["low"], unit * each["high"]) for each in known)
    return [
        (
            value_of(each, each["estimate"]) if each not in known else _fixed(each["estimate"], is_share, decimals),
            NOTHING
            if each not in known
            else f"{_fixed(each['low'], is_share, decimals).removesuffix(' %')} to "
            f"{_fixed(each['high'], is_share, decimals).removesuffix(' %')}",
        )
        for each in found
    ]


def _fixed(value: float, is_share: bool, decimals: int) -> str:
    return percent(value, decimals) if is_share else f"{value:,.{decimals}f}"


def _sentences(answer: Mapping[str, Any]) -> Iterator[str]:
    found = answer["target"]
    if found and found["possible"]:
        yield f"Within its range of the target: {_places(answer, found['possible'])}."
    elif found:
        yield "At no point is the target within the range."
    yield from _early(answer)
    short = sum(point["stop"]["reason"] in ("budget", "max-time", "interrupted") for point in answer["points"])
    if short:
        yield f"{count(short, 'point')} of {len(answer['points'])} ended short of the precision asked for."
    if answer["missing"]:
        yield f"{count(answer['missing'], 'point')} of the grid not played: the time was up."


def _early(answer: Mapping[str, Any]) -> Iterator[str]:
    early = [point["values"] for point in answer["points"] if point["why"]]
    if early:
        who = "it" if len(early) == 1 else "they"
        yield f"Stopped early, as {who} cannot be nearest any more: {_places(answer, early)}."


def _tables(answer: Mapping[str, Any], names: Sequence[str]) -> Iterator[Table]:
    if not answer["points"]:
        return
    labels = [", ".join(clean(value) for value in point["values"]) for point in answer["points"]]
    axis = _axis([each["path"] for each in answer["over"]])
    known = answer["points"][0]["quantities"]
    with_ranges = len(names) <= FEW_SIDES + 1
    head = [axis]
    for name in names:
        head += [name_of(name, known[name]["label"]), *(["range"] if with_ranges and name != "minutes" else [])]
    rows = [[label] for label in labels]
    for name in names:
        measured = _measured([point["quantities"][name] for point in answer["points"]])
        for row, (estimate, ends) in zip(rows, measured, strict=True):
            row += [estimate, *([ends] if with_ranges and name != "minutes" else [])]
    lines = tuple((*row, f"{point['games']:,}") for row, point in zip(rows, answer["points"], strict=True))
    yield Table("Along the grid", (*head, "games"), lines, narrow=tuple(_narrow(head)))


def _narrow(head: Sequence[str]) -> Iterator[int]:
    """Yield what a terminal may leave out: minutes, then ranges from the last to the second."""
    yield from (i for i, name in enumerate(head) if name == "minutes")
    ranges = [i for i, name in enumerate(head) if name == "range"]
    yield from reversed(ranges[1:])


def _axis(paths: Sequence[str]) -> str:
    """Return the name of an axis; of several, the last words of their paths, unless two are the same."""
    last = [path.rpartition(".")[2] for path in paths]
    return ", ".join(last if len(set(last)) == len(paths) > 1 else paths)


def _pictures(answer: Mapping[str, Any], names: Sequence[str]) -> Iterator[Picture]:
    points = answer["points"]
    if len(points) < 2:
        return
    shares = [name for name in names if points[0]["quantities"][name]["kind"] == "share"]
    others = [name for name in names if name not in shares]
    if len(answer["over"]) == 1:
        charts = [("shares", shares), *((name.replace(".", "-"), [name]) for name in others)]
    else:
        charts = [(name.replace(".", "-"), [name]) for name in names]
    yield from (_picture(chart, found, answer) for chart, found in charts if found)


def _picture(chart: str, names: Sequence[str], answer: Mapping[str, Any]) -> Picture:
    """Return curves along the last axis: one for each quantity, or on a grid for each place on the other axes."""
    points, paths = answer["points"], [each["path"] for each in answer["over"]]
    first = points[0]["quantities"][names[0]]
    places = list(dict.fromkeys(point["values"][-1] for point in points))
    numbers = [_number(place) for place in places]
    numeric = None not in numbers
    xs = dict(zip(places, numbers if numeric else range(len(places)), strict=True))
    curves: dict[str, list[tuple[Any, ...]]] = {}
    for name in names:
        told = name_of(name, points[0]["quantities"][name]["label"])
        for point in points:
            each = point["quantities"][name]
            label = told if len(paths) == 1 else ", ".join(map(clean, point["values"][:-1]))
            curve = curves.setdefault(label, [])
            curve.append((xs[point["values"][-1]], each["estimate"], each["low"], each["high"]))
    series = list(curves.items())
    ends = "; ".join(
        f"{label}: {value_of(first, found[0][1])} to {value_of(first, found[-1][1])}" for label, found in series
    )
    what = "" if len(paths) == 1 else name_of(names[0], first["label"])
    who = f" for each {_axis(paths[:-1])}: {what}" if what else ""
    caption = f"Along {paths[-1]}{who}, with 95 % ranges. From first to last: {ends}."
    target, line = answer["target"], None
    if target and target["quantity"] in names:
        line = (target["value"], f"wanted:\n{value_of(first, target['value'])}")
        caption += f" The line across is what was wanted: {_wanted(answer)}."
    ticks = None if numeric else [clean(place) for place in places]
    return Picture(chart, caption, "curves", (series, ticks, paths[-1], first["kind"] == "share", what, line))


def _wanted(answer: Mapping[str, Any]) -> str:
    """Return the target in words: ``wins of Anna = 50.0 %``."""
    target = answer["target"]
    each = answer["points"][0]["quantities"][target["quantity"]]
    return f"{name_of(target['quantity'], each['label'])} = {value_of(each, target['value'])}"


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _method(answer: Mapping[str, Any]) -> Iterator[str]:
    yield "All points play the same deals, so that neighbouring points differ by the value and little by luck."
    yield (
        f"A range is a {100 * answer['confidence']:g} % interval of one quantity at one point; it holds at every "
        "moment of the run. Among many points some ranges miss the truth."
    )
    yield "These numbers describe these strategies: players who adapt to the change may answer it."
