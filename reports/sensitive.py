"""A sensitivity analysis as a page, and as rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reports.machine import word
from reports.page import Data, Page, Picture, Table, of_scenario
from reports.swept import name_of
from reports.text import count, first_of, percent, signed, signed_range

DRAWN = 20  # numbers in the figure
COLUMNS = ("path", "before", "value", "source", "quantity", "difference", "low", "high", "named", "e_value", "games")


def page(answer: Mapping[str, Any]) -> Page:
    """Return what is told of a sensitivity analysis."""
    return of_scenario(
        answer,
        "sensitivity",
        f"{count(len(answer['rows']), 'change')}, {answer['games']:,} pairs of games",
        headline=_headline(answer),
        sentences=_sentences(answer),
        tables=_tables(answer),
        pictures=_pictures(answer),
        data=_data(answer),
        method=_method(answer),
    )


def _data(answer: Mapping[str, Any]) -> Data:
    """Return one row for each change and quantity."""
    rows = [{**row, "quantity": name, **each} for row in answer["rows"] for name, each in row["effects"].items()]
    return Data(COLUMNS, rows)


def _step(row: Mapping[str, Any]) -> str:
    path = row["path"].removeprefix("components.")
    return f"{path} {word(row['before'])} -> {word(row['value'])}"


def _starred(each: Mapping[str, Any]) -> str:
    return f"{_difference(each)}{'*' if each['named'] else ''}"


def _difference(each: Mapping[str, Any]) -> str:
    return signed(each["difference"], each["kind"] == "share")


def _headline(answer: Mapping[str, Any]) -> str:
    on = answer["on"]
    named = [row for row in answer["rows"] if row["effects"][on]["named"]]
    if not answer["rows"]:
        return "Nothing was changed."
    what = name_of(on, answer["rows"][0]["effects"][on]["label"])
    if not named:
        return f"No single step of a number is seen to change the {what}."
    unit = " points" if named[0]["effects"][on]["kind"] == "share" else ""
    strongest = named[0]
    moved = f"{_difference(strongest['effects'][on])}{unit}"
    tried = len(answer["rows"])
    return f"{count(len(named), 'change')} of {tried} move the {what}; most of all {_step(strongest)} ({moved})."


def _sentences(answer: Mapping[str, Any]) -> Iterator[str]:
    exact = [row for row in answer["rows"] if all(each["difference"] == 0 for each in row["effects"].values())]
    if exact:
        steps = first_of([_step(row) for row in exact], 4)
        yield f"No game changed at all with {count(len(exact), 'change')}: {steps}."
    guessed = [row for row in answer["rows"] if row["source"] == "reconstructed"]
    moving = [row for row in guessed if row["effects"][answer["on"]]["named"]]
    if guessed:
        share = percent(answer["provenance"]["reconstructed"], 0)
        moved = f"{len(moving)} of those move" if len(moving) > 1 else f"{'one' if moving else 'none'} of those moves"
        yield f"{count(len(guessed), 'change')} to reconstructed numbers ({share} of all numbers); {moved} the answer."
    if answer["not_allowed"]:
        tried = [f"{each['path']} = {word(each['value'])}" for each in answer["not_allowed"]]
        yield f"Not allowed by the rules of the game, and left out: {first_of(tried, 3)}."
    if answer["missing"]:
        yield f"{count(answer['missing'], 'change')} not tried: the time was up."


def _tables(answer: Mapping[str, Any]) -> Iterator[Table]:
    if not answer["rows"]:
        return
    names = list(answer["rows"][0]["effects"])
    on = answer["on"]
    others = [name for name in names if name != on]
    effects = answer["rows"][0]["effects"]
    head = ("change", name_of(on, effects[on]["label"]), "range", *(name_of(n, effects[n]["label"]) for n in others))
    rows = []
    for row in answer["rows"]:
        each = row["effects"][on]
        ends = signed_range(each, each["kind"] == "share")
        cells = [_starred(row["effects"][name]) for name in others]
        rows.append((_step(row), _starred(each), ends, *cells, row["source"], f"{row['games']:,}"))
    quiet = frozenset(i for i, row in enumerate(answer["rows"]) if not row["effects"][on]["named"])
    last = len(head)
    yield Table(
        caption="One step of every number",
        head=(*head, "source", "games"),
        rows=tuple(rows),
        quiet=quiet,
        note="Shares in points, the largest effects first. * an effect; what has no star may be luck.",
        most=30,
        narrow=(*(3 + i for i, name in enumerate(others) if name != "rounds"), last, last + 1),
    )


def _pictures(answer: Mapping[str, Any]) -> Iterator[Picture]:
    on = answer["on"]
    by_number: dict[str, list[Any]] = {}
    for row in answer["rows"]:
        each = row["effects"][on]
        if None not in (each["difference"], each["low"], each["high"]):
            told = f"{word(row['value'])}: {_difference(each)}"
            by_number.setdefault(row["path"].removeprefix("components."), []).append(
                (row["value"], (told, each["difference"], each["low"], each["high"], each["named"]))
            )
    drawn = [(name, [step for _, step in sorted(steps)]) for name, steps in list(by_number.items())[:DRAWN]]
    if drawn:
        effects = answer["rows"][0]["effects"][on]
        what = name_of(on, effects["label"])
        caption = f"What one step of a number does to the {what}; pale bars may be luck. " + "; ".join(
            f"{name}: {', '.join(step[0] for step in steps)}" for name, steps in drawn[:5]
        )
        yield Picture("tornado", caption, "tornado", (drawn, effects["kind"] == "share"))


def _method(answer: Mapping[str, Any]) -> Iterator[str]:
    yield "Every number of rules and components is changed by one, alone; both versions play the same deals."
    yield (
        f"Of the effects named (*), at most {100 * answer['false_discoveries']:g} % are none, on average (e-BH over "
        f"{answer['tested']:,} effects; it allows for shared deals and early stops)."
    )
    yield f"A range is a {100 * answer['confidence']:g} % interval of one effect; among many some miss the truth."
    yield "Effects of single steps do not add up, and players who adapt to a change may answer it."
