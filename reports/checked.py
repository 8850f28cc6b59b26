"""Checks in words: a line each for a terminal, and a page."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from reports.page import Data, Page, Table
from reports.swept import name_of
from reports.text import NOTHING, changes, clean, count, first_of, percent, quantity

MOST_CHANGES = 6  # changes of inputs that are listed one by one
COLOURS = {"pass": "green", "fail": "bold red", "undecided": "yellow"}
COLUMNS = (
    *("scenario", "check", "label", "kind", "verdict", "tier", "unit", "recorded", "now", "shift", "low", "high"),
    *("margin", "min", "max", "games", "text"),
)


def to_terminal(answer: Mapping[str, Any], width: int = 80, colour: bool = False, ascii: bool = False) -> str:
    """Return one line for each check, and one for all of a scenario whose games are as recorded."""
    from reports import terminal

    screen = terminal.Screen(width, colour, ascii)
    for scenario in answer["scenarios"]:
        for text in notes(scenario):
            screen.long_line(f"{clean(scenario['scenario'])}: {text}")
        for verdict, text in lines(scenario):
            screen.long_line(f"{verdict:9}  {clean(scenario['scenario'])}: {text}", COLOURS.get(verdict, "dim"))
        for text in hints(scenario):
            screen.long_line(f"{clean(scenario['scenario'])}: {text}")
        if again(scenario) and scenario["verdict"] != "pass":
            screen.show_command("Again", again(scenario))
    for text in failures(answer):
        screen.long_line(f"{'fail':9}  {text}", COLOURS["fail"])
    screen.line("")
    screen.line(headline(answer), "bold")
    screen.line(promise(answer), "dim")
    return screen.text()


def lines(scenario: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (verdict, text) of the checks of a scenario, what failed first; a warning has the verdict ``warning``."""
    rows = scenario["checks"]
    same = [row for row in rows if row["kind"] == "shift" and row["tier"] == 1]
    rest = [row for row in rows if row["kind"] != "shift" or row["tier"] != 1]
    for verdict in ("fail", "undecided", "pass"):
        found = [row for row in rest if row["verdict"] == verdict]
        yield from ((verdict, line(row)) for row in sorted(found, key=_smallness))
    if same:
        yield "pass", f"{count(len(same), 'number')} as recorded, bit for bit"
    if scenario["missing"] and not rows:
        yield "warning", "no baseline, and nothing is expected"


def _smallness(row: Mapping[str, Any]) -> float:
    """Return what puts the largest shifts first, and other checks before them."""
    return -abs(row["shift"]) / row["margin"] if row["shift"] is not None and row["verdict"] == "fail" else -math.inf


def hints(scenario: Mapping[str, Any]) -> list[str]:
    """Return why checks are undecided, each reason once."""
    told = (row["text"] for row in scenario["checks"] if row["verdict"] == "undecided" and row["text"])
    return list(dict.fromkeys(f"undecided: {text}" for text in told))


def again(scenario: Mapping[str, Any]) -> str:
    """Return the command that shows what is wrong, "" if there is none."""
    commands = [scenario["command"], *(row["command"] for row in scenario["checks"])]
    return next((command for command in commands if command), "")


def line(row: Mapping[str, Any]) -> str:
    """Return what a check says: what moved, by how much, and how well that is known."""
    name = title(row)
    if row["kind"] == "expect":
        return f"{name}: {_expected(row)}"
    if row["kind"] != "shift":
        return f"{name}: {row['text']}"
    if row["shift"] is None:
        return f"{name}: not played"
    return f"{name}: {_value(row, 'recorded')} -> {_value(row, 'now')}, {shift(row)}, margin {margin(row)}"


def title(row: Mapping[str, Any]) -> str:
    """Return what people call what is checked."""
    name = row["check"]
    if row["kind"] not in ("shift", "expect") or " " in name or re.search(r"\.p\d+$", name):
        return clean(name)
    head, _, part = name.partition(".")
    return f"wins in seat {part}" if head == "seat" else name_of(name, row["label"] or None)


def shift(row: Mapping[str, Any]) -> str:
    """Return a shift with its interval: ``+1.71 points (+1.21 to +2.21)``."""
    scale, unit = (100.0, " points") if row["unit"] == "share" else (1.0, "")
    if row["low"] is None or row["high"] is None:
        return f"{_signed(scale * row['shift'], 0.01)}{unit} ({NOTHING})"
    ends = [scale * row[part] for part in ("shift", "low", "high")]
    texts = [_signed(end, ends[2] - ends[1]) for end in ends]
    return f"{texts[0]}{unit} ({texts[1]} to {texts[2]})"


def margin(row: Mapping[str, Any]) -> str:
    """Return the margin in the unit of the check."""
    value = row["margin"] * 100 if row["unit"] == "share" else row["margin"]
    return f"{value:.2g}"


def _signed(value: float, width: float) -> str:
    decimals = 2 if width >= 0.1 else 3 if width >= 0.01 else 4
    text = f"{value:+.{decimals}f}"
    return text[1:] if float(text) == 0 else text


def _value(row: Mapping[str, Any], part: str) -> str:
    value = row[part]
    if value is None:
        return NOTHING
    if row["unit"] == "share":
        return percent(value, 2)
    return f"{value:,.3f}" if abs(value) < 100 else quantity(value)


def _expected(row: Mapping[str, Any]) -> str:
    is_share = row["unit"] == "share"
    ends = {
        part: percent(row[part], 1) if is_share else f"{row[part]:g}"
        for part in ("min", "max")
        if row[part] is not None
    }
    wanted = " and ".join(f"{'at least' if part == 'min' else 'at most'} {text}" for part, text in ends.items())
    if row["now"] is None:
        return f"expected {wanted}; nothing is known of it"
    low, high = (NOTHING if row[end] is None else _value(row, end).removesuffix(" %") for end in ("low", "high"))
    return f"{_value(row, 'now')} ({low} to {high}), expected {wanted}"


def notes(scenario: Mapping[str, Any]) -> Iterator[str]:
    """Yield what changed in the inputs, in one line, and what else is to be known of a scenario."""
    if scenario["same_inputs"] is False:
        yield f"inputs changed: {', '.join(changes(scenario['changed'], MOST_CHANGES))}"
    if scenario["note"]:
        yield scenario["note"]
    if scenario["new"]:
        yield f"not recorded yet: {first_of(scenario['new'], MOST_CHANGES)}"
    if scenario["baseline"] is None and not scenario["missing"]:
        yield "no baseline: only what is expected is checked"


def failures(answer: Mapping[str, Any]) -> Iterator[str]:
    """Yield what fails besides checks of a scenario."""
    for file in answer["orphans"]:
        yield f"{clean(file)}: the scenario of this baseline is gone; delete it, or name the scenario as before"
    for name in answer["empty"]:
        yield f"{clean(name)}: no scenario here"
    if answer["nothing"] and not answer["empty"]:
        yield "nothing to check: no scenario here has a baseline or expectations"


def headline(answer: Mapping[str, Any]) -> str:
    """Return the verdict in a sentence."""
    counts, played = answer["counts"], sum(bool(each["games"]) for each in answer["scenarios"])
    parts = [f"{counts[verdict]:,} {said}" for verdict, said in _COUNTED.items() if counts[verdict]]
    warned = sum(each["missing"] and not each["checks"] for each in answer["scenarios"])
    parts += [f"{count(warned, 'scenario')} without a baseline"] if warned else []
    games = f"; {answer['games']:,} games played of {count(played, 'scenario')}" if played else ""
    return f"{answer['verdict'].upper()}: {', '.join(parts)}{games}."


_COUNTED = {"fail": "failed", "undecided": "undecided", "pass": "passed"}


def promise(answer: Mapping[str, Any]) -> str:
    """Return what the ranges promise together."""
    found = answer["interval"]
    if not found["checks"]:
        return "No verdict rests on chance."
    level = f"each at {100 * found['each']:.7g} %"
    ranges = f"all {found['checks']:,} ranges hold" if found["checks"] > 1 else "the one range holds"
    return (
        f"With {100 * found['confidence']:g} % {ranges} at once, whenever runs stop "
        f"({level}): then nothing unchanged fails, and nothing beyond its margin passes."
    )


# -- as a page ------------------------------------------------------------------------------------------------------


def page(answer: Mapping[str, Any]) -> Page:
    """Return what is told of checks: a table for each scenario, what is not green first."""
    scenarios = sorted(answer["scenarios"], key=lambda each: _ORDER.index(each["verdict"]))
    told = [f"{clean(each['scenario'])}: {text}" for each in scenarios for text in (*notes(each), *hints(each))]
    rows = [{**row, "scenario": each["scenario"]} for each in answer["scenarios"] for row in each["checks"]]
    return Page(
        kind="check",
        title="Balance check",
        subtitle=f"{count(len(scenarios), 'scenario')}, {answer['games']:,} games played",
        headline=headline(answer),
        sentences=(*failures(answer), *told),
        tables=tuple(_table(each) for each in scenarios),
        pictures=(),
        data=Data(COLUMNS, rows),
        method=(promise(answer), f"Method: {answer['interval']['method']}."),
        command=answer["command"],
        digests=(("Digest of the program", answer["digest"]["sources"]),),
        resolved={},
    )


_ORDER = ("fail", "undecided", None, "pass")


def _table(scenario: Mapping[str, Any]) -> Table:
    rows = sorted(scenario["checks"], key=lambda row: (_ORDER.index(row["verdict"]), _smallness(row)))
    command = f"Again: {again(scenario)}" if again(scenario) else ""
    same = "The first games are as recorded, bit for bit." if scenario["tier"] == 1 and rows else ""
    return Table(
        caption=f"{clean(scenario['label'] or scenario['scenario'])}: {scenario['verdict'] or 'no baseline'}",
        head=("", "verdict", "recorded", "now", "shift and range", "margin"),
        rows=tuple(_cells(row) for row in rows),
        note=" ".join(text for text in (same if scenario["verdict"] == "pass" else "", command) if text),
        narrow=(2, 3, 5),
    )


def _cells(row: Mapping[str, Any]) -> tuple[str, ...]:
    if row["kind"] == "expect":
        return (title(row), row["verdict"], "", _value(row, "now"), _expected(row), "")
    if row["kind"] != "shift" or row["shift"] is None:
        return (title(row), row["verdict"], "", "", row["text"] or "not played", "")
    return (title(row), row["verdict"], _value(row, "recorded"), _value(row, "now"), shift(row), margin(row))
