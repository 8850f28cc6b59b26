"""A sweep as a page, and as rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from reports.page import Data, Page, Picture, Table, of_scenario
from reports.text import NOTHING, clean, count, first_of, percent, quantity

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
        each = points[0]["quantities"][found["quantity"]]
        wanted = f"{name_of(found['quantity'], each['label'])} = {value_of(each, found['value'])}"
        if found["nearest"] is None:
            return f"{wanted}: nothing is known."
        nearest = next(point for point in points if point["values"] == found["nearest"])
        got = nearest["quantities"][found["quantity"]]
        return f"{_place(answer, found['nearest'])} comes nearest to {wanted}: {_ranged(got)}."
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


def _ranged(each: Mapping[str, Any]) -> str:
    return f"{value_of(each, each['estimate'])} ({_interval(each)})"


def _interval(each: Mapping[str, Any]) -> str:
    if each["low"] is None or each["high"] is None:
        return NOTHING
    ends = [value_of(each, each[end]) for end in ("low", "high")]
    return f"{ends[0].removesuffix(' %')} to {ends[1].removesuffix(' %')}"


def _sentences(answer: Mapping[str, Any]) -> Iterator[str]:
    found = answer["target"]
    if found and found["possible"]:
        names = [_place(answer, values) for values in found["possible"]]
        yield f"Within its range of the target: {first_of(names, 5)}."
    elif found:
        yield "At no point is the target within the range."
    yield from _early(answer)
    short = sum(point["stop"]["reason"] in ("budget", "max-time", "interrupted") for point in answer["points"])
    if short:
        yield f"{count(short, 'point')} of {len(answer['points'])} ended short of the precision asked for."
    if answer["missing"]:
        yield f"{count(answer['missing'], 'point')} of the grid not played: the time was up."


def _early(answer: Mapping[str, Any]) -> Iterator[str]:
    early = [point for point in answer["points"] if point["why"]]
    if early:
        names = [_place(answer, point["values"]) for point in early]
        yield (
            f"Stopped early, as it cannot be nearest any more: {first_of(names, 5)}."
            if len(early) == 1
            else (f"Stopped early, as they cannot be nearest any more: {first_of(names, 5)}.")
        )


def _tables(answer: Mapping[str, Any], names: Sequence[str]) -> Iterator[Table]:
    if not answer["points"]:
        return
    labels = [", ".join(clean(value) for value in point["values"]) for point in answer["points"]]
    axis = ", ".join(each["path"] for each in answer["over"])
    known = answer["points"][0]["quantities"]
    with_ranges = len(names) <= FEW_SIDES + 1
    head = [axis]
    for name in names:
        head += [name_of(name, known[name]["label"]), *(["range"] if with_ranges and name != "minutes" else [])]
    rows = []
    for label, point in zip(labels, answer["points"], strict=True):
        row = [label]
        for name in names:
            each = point["quantities"][name]
            row += [value_of(each, each["estimate"]), *([_interval(each)] if with_ranges and name != "minutes" else [])]
        rows.append((*row, f"{point['games']:,}"))
    yield Table("Along the grid", (*head, "games"), tuple(rows), narrow=tuple(_narrow(head)))


def _narrow(head: Sequence[str]) -> Iterator[int]:
    """Yield what a terminal may leave out: minutes, then ranges from the last to the second."""
    yield from (i for i, name in enumerate(head) if name == "minutes")
    ranges = [i for i, name in enumerate(head) if name == "range"]
    yield from reversed(ranges[1:])


def _pictures(answer: Mapping[str, Any], names: Sequence[str]) -> Iterator[Picture]:
    points, over = answer["points"], answer["over"]
    if len(points) < 2:
        return
    shares = [name for name in names if points[0]["quantities"][name]["kind"] == "share"]
    for chart, found in (
        ("shares", shares),
        *((name.replace(".", "-"), [name]) for name in names if name not in shares),
    ):
        if found:
            yield _picture(chart, found, points, over)


def _picture(chart: str, names: Sequence[str], points: Any, over: Any) -> Picture:
    first = points[0]["quantities"][names[0]]
    places = [", ".join(point["values"]) for point in points]
    numbers = [_number(point["values"][0]) for point in points]
    numeric = len(over) == 1 and all(number is not None for number in numbers)
    xs = numbers if numeric else list(range(len(points)))
    series = []
    for name in names:
        label = name_of(name, points[0]["quantities"][name]["label"])
        found = [point["quantities"][name] for point in points]
        series.append((label, [(x, e["estimate"], e["low"], e["high"]) for x, e in zip(xs, found, strict=True)]))
    axis = ", ".join(each["path"] for each in over)
    is_share = first["kind"] == "share"
    ends = "; ".join(
        f"{label}: {value_of(first, found[0][1])} to {value_of(first, found[-1][1])}" for label, found in series
    )
    caption = f"Along {axis}, with 95 % ranges. From first to last: {ends}."
    return Picture(chart, caption, "curves", (series, None if numeric else places, axis, is_share))


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
