"""A ladder of skill levels as a page, and as rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reports.page import Data, Page, Picture, Table, of_scenario
from reports.text import NOTHING, Share, clean, count, decimals_for, first_of, percent, quantity

COLUMNS = ("level", "quantity", "label", "strategy", "estimate", "low", "high", "games")
NAMES = {"random": "at random", "scripted": "scripted", "lookahead": "look-ahead"}
SORTS = 20  # rows of actions on a terminal
VAGUE = 10.0  # points: no headline tells a share that is known less well


def page(answer: Mapping[str, Any]) -> Page:
    """Return what is told of a ladder."""
    return of_scenario(
        answer,
        "ladder",
        f"{count(len(answer['levels']), 'level')} of skill, {answer['games']:,} games",
        headline=_headline(answer),
        sentences=_sentences(answer),
        tables=_tables(answer),
        pictures=_pictures(answer),
        data=_data(answer),
        method=_method(answer),
    )


def _data(answer: Mapping[str, Any]) -> Data:
    """Return one row for each level and quantity."""
    rows = []
    for each in answer["levels"]:
        course = each["course"]
        found = [{"quantity": f"side.{side['side']}", "estimate": side["rate"], **side} for side in each["sides"]]
        found += [{"quantity": "unfinished", "estimate": each["unfinished"]["rate"], **each["unfinished"]}]
        found += [{"quantity": name, "estimate": each[name]["mean"], **each[name]} for name in ("rounds", "minutes")]
        ends = {"low": course["lead_changes_low"], "high": course["lead_changes_high"]}
        found += [{"quantity": "lead_changes", "estimate": course["lead_changes"], **ends}]
        found += [{"quantity": name, "estimate": course[name]} for name in ("swing", "margin", "from_behind")]
        found += [
            {"quantity": "action", "label": row["action"], "strategy": row["strategy"], "estimate": row["share"]}
            for row in each["actions"]
        ]
        rows += [{**row, "level": each["level"], "games": each["games"]} for row in found]
    return Data(COLUMNS, rows)


def _name(level: str) -> str:
    return NAMES.get(level, clean(level))


def _headline(answer: Mapping[str, Any]) -> str:
    if not answer["levels"]:
        return "No level was played."
    if answer["moved"]:
        side = answer["moved"][0]["side"]
        known = [each for each in answer["levels"] if each["precision"] <= VAGUE] or answer["levels"]
        told = [f"{percent(each['sides'][side - 1]['rate'])} {_name(each['level'])}" for each in known]
        vague = [_name(each["level"]) for each in answer["levels"] if each not in known]
        rest = f"; {' and '.join(vague)}: too few games to say" if vague else ""
        return f"The answer depends on skill: {clean(answer['sides'][side - 1])} wins {', '.join(told)}{rest}."
    if len(answer["levels"]) == 1:
        level = answer["levels"][0]
        first, *others = sorted(level["sides"], key=lambda each: -each["rate"])
        if all(first["simultaneous"]["low"] > each["simultaneous"]["high"] for each in others):
            return f"{clean(first['label'])} wins most: {percent(first['rate'])}."
        return f"{_name(level['level']).capitalize()}, no side certainly wins more than the others."
    return "No side's share differs between the levels beyond luck."


def _sentences(answer: Mapping[str, Any]) -> Iterator[str]:
    for each in answer["levels"]:
        why = {
            "precision": "the precision asked for",
            "games": "the games asked for",
            "max-time": "the time was up",
            "interrupted": "interrupted",
        }.get(each["stop"]["reason"], "what this level can afford")
        yield (
            f"{_name(each['level']).capitalize()}: {each['games']:,} games, so that shares are known to "
            f"{each['precision']:.2f} points ({why})."
        )
    certain = {(each["less"], each["more"]) for each in answer["moved"]}
    if certain and len(answer["levels"]) > 2:
        pairs = [f"{_name(less)} and {_name(more)}" for less, more in sorted({tuple(sorted(p)) for p in certain})]
        yield f"Certainly different: {first_of(pairs, 6)}."
    if answer["missing"]:
        yield f"Not played, the time was up: {', '.join(map(_name, answer['missing']))}."


def _tables(answer: Mapping[str, Any]) -> Iterator[Table]:
    if not answer["levels"]:
        return
    shares = [side for each in answer["levels"] for side in each["sides"]]
    decimals = decimals_for((side["low"], side["high"]) for side in shares)
    rows = []
    for each in answer["levels"]:
        cells = [_name(each["level"])]
        for side in each["sides"]:
            share = Share.of(side, decimals)
            cells += [share.percent, share.interval]
        rows.append((*cells, percent(each["unfinished"]["rate"]), f"{each['games']:,}"))
    head = [text for label in answer["sides"] for text in (clean(label), "range")]
    ranges = tuple(2 + 2 * i for i in reversed(range(len(answer["sides"]))))
    yield Table("Who wins", ("", *head, "unfinished", "games"), tuple(rows), narrow=(len(head) + 1, *ranges))
    yield Table(
        "How games go",
        ("", "rounds", "lead changes", "range", "big swing", "lead at end", "won from behind"),
        tuple(_course(each) for each in answer["levels"]),
        note="How often the leader changes; the largest rise of a side's lead in a game; the winner's lead when the "
        "last turn begins (small: a close finish); games in which the winner was behind then. Leads go from -1 to 1.",
        narrow=(3,),
    )
    yield from _action_tables(answer)


def _course(each: Mapping[str, Any]) -> tuple[str, ...]:
    found = each["course"]
    low, high = found["lead_changes_low"], found["lead_changes_high"]
    return (
        _name(each["level"]),
        quantity(each["rounds"]["mean"]),
        quantity(found["lead_changes"]),
        NOTHING if low is None or high is None else f"{quantity(low)} to {quantity(high)}",
        NOTHING if found["swing"] is None else f"{found['swing']:.2f}",
        NOTHING if found["margin"] is None else f"{found['margin']:+.2f}",
        percent(found["from_behind"]),
    )


def _action_tables(answer: Mapping[str, Any]) -> Iterator[Table]:
    """Yield a table of what strategies do: a row for each sort of action, a column for each strategy of a level."""
    columns = list(
        dict.fromkeys((each["level"], row["strategy"]) for each in answer["levels"] for row in each["actions"])
    )
    cells = {
        (each["level"], row["strategy"], row["action"]): row["share"]
        for each in answer["levels"]
        for row in each["actions"]
    }
    sorts = dict.fromkeys(row["action"] for each in answer["levels"] for row in each["actions"])
    order = sorted(sorts, key=lambda sort: -sum(cells.get((*column, sort), 0.0) for column in columns))
    if order:
        rows = tuple((clean(sort), *(percent(cells.get((*c, sort), 0.0)) for c in columns)) for sort in order)
        heads = [_name(level) if level in (name, "random") else clean(name) for level, name in columns]
        games = " and ".join(dict.fromkeys(f"{each['acted']:,}" for each in answer["levels"]))
        yield Table(
            "What strategies do",
            ("of all choices", *heads),
            rows,
            note=f"Of the decisions in which a strategy had a choice, in {games} games of its level.",
            most=SORTS,
            narrow=tuple(reversed(range(4, len(heads) + 1))),
        )


def _pictures(answer: Mapping[str, Any]) -> Iterator[Picture]:
    levels = answer["levels"]
    if len(levels) < 2:
        return
    places = [_name(each["level"]) for each in levels]
    series = [
        (
            f"wins of {clean(label)}",
            [
                (i, each["sides"][side]["rate"], each["sides"][side]["low"], each["sides"][side]["high"])
                for i, each in enumerate(levels)
            ],
        )
        for side, label in enumerate(answer["sides"])
    ]
    told = "; ".join(f"{name}: {', '.join(percent(y) for _, y, _, _ in found)}" for name, found in series)
    yield Picture("shares", f"Who wins, level by level. {told}.", "curves", (series, places, "level of skill", True))
    for name, found in (
        ("rounds", [(i, e["rounds"]["mean"], e["rounds"]["low"], e["rounds"]["high"]) for i, e in enumerate(levels)]),
        (
            "changes of the leader",
            [
                (i, c["lead_changes"], c["lead_changes_low"], c["lead_changes_high"])
                for i, c in enumerate(each["course"] for each in levels)
            ],
        ),
    ):
        told = ", ".join(quantity(y) for _, y, _, _ in found)
        data = ([(name, found)], places, "level of skill", False)
        yield Picture(name.replace(" ", "-"), f"{name.capitalize()}, level by level: {told}.", "curves", data)


def _method(answer: Mapping[str, Any]) -> Iterator[str]:
    yield (
        "All levels play the same deals. At random: every seat takes any legal action. Scripted: the scenario's own "
        "players, and the game's first script for a player who has none. Look-ahead: every seat imagines "
        f"{answer['rollouts']} games a decision."
    )
    yield (
        f"What a level can afford is counted in moves, played and imagined: {answer['moves']:,} for each, whatever the "
        "machine. Levels differ only where the ranges at the level for all shares together do not touch."
    )
    yield "What is true at every level says something of the game; what is not says something of its players."
