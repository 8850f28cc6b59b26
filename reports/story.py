"""A traced game as plain text for a terminal: one block a round, then how it ended and how to see it again.

A game says what happened (`parts`) and under which heading (`tag`); what is laid out here knows no game.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from reports.text import clean, command_lines, count, in_ascii, spell_minutes

NARROWEST = 40
INDENT = "  "
GAP = "  "
_UNITS = re.compile("(?<!->) (?!->)")  # no line ends beside an arrow


def render(told: Mapping[str, Any], width: int = 80, ascii: bool = False) -> str:
    """Return a traced game (`balance.trace/1`) as text, at most `width` columns wide.

    Only an argument of the replay command that is itself longer than a line is left whole, so that it can be pasted.
    """
    width = max(NARROWEST, width)
    if ascii:
        replay = shlex.join(map(in_ascii, shlex.split(told["replay"])))  # a sign may become a quote
        told = {**_in_ascii(told), "replay": replay}
    blocks = [list(_title(told, width)), *_rounds(told, width)]
    if told["fault"]:
        blocks.append(list(_fault(told, width)))
    if told["outcome"]:
        blocks.append(list(_ending(told, width)))
    blocks.append(["Replay", *(INDENT + line for line in command_lines(_command(told), width - len(INDENT)))])
    return "".join(line.rstrip() + "\n" for block in blocks for line in [*block, ""])[:-1]


def _in_ascii(value: Any) -> Any:
    """Return data with every text in it in ASCII, before it is known how wide that is."""
    if isinstance(value, Mapping):
        return {key: _in_ascii(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_in_ascii(item) for item in value]
    return in_ascii(value) if isinstance(value, str) else value


def _command(told: Mapping[str, Any]) -> str:
    """Return the replay command on one line, whatever a scenario is called."""
    return shlex.join(clean(word) for word in shlex.split(told["replay"]))


def _title(told: Mapping[str, Any], width: int) -> Iterator[str]:
    labels = told["labels"]
    yield from _wrap(f"{labels['scenario']}: game {told['game']} of seed {told['seed']}", width)
    yield from _wrap(labels["game"], width)
    yield ""
    rows = [(f"Seat {p['seat']}", p["label"], _strategy(p["strategy"])) for p in told["players"]]
    yield from _indented(_table(rows, width - len(INDENT)))


def _strategy(given: Any) -> str:
    """Return the strategy of a player, or one for each role."""
    if isinstance(given, Mapping):
        return ", ".join(f"{role}: {name}" for role, name in given.items())
    return str(given)


# -- rounds ---------------------------------------------------------------------------------------------------------


def _rounds(told: Mapping[str, Any], width: int) -> Iterator[list[str]]:
    events = [event for part in (told["start"], *told["steps"]) for event in part["events"]]
    for number, group in groupby(events, key=lambda event: event["round"]):
        head = f"Round {number}" if number else "Before the first round"
        yield [head, *_indented(_events(list(group), width - len(INDENT)))]


def _events(events: Sequence[Mapping[str, Any]], width: int) -> Iterator[str]:
    """Lay out events in two columns, headings on the left; each heading stands once."""
    tags = [clean(event["tag"]) for event in events]
    margin = max(map(_cells, tags)) + len(GAP)
    for tag, same in groupby(zip(tags, events, strict=True), key=lambda pair: pair[0]):
        lines = [line for _, rows in groupby(same, key=_shape) for line in _group(rows, width - margin)]
        yield from (_pad(tag if i == 0 else "", margin) + line for i, line in enumerate(lines))


def _shape(pair: tuple[str, Mapping[str, Any]]) -> int:
    return len(pair[1]["parts"])


def _group(rows: Any, width: int) -> Iterator[str]:
    """Lay out neighbours with as many parts: sentences one below the other, or a table."""
    parts = [event["parts"] for _, event in rows]
    if len(parts[0]) == 1:
        for (sentence,) in parts:
            yield from _wrap(sentence, width, INDENT)
    else:
        yield from _table(parts, width)


# -- the end --------------------------------------------------------------------------------------------------------


def _ending(told: Mapping[str, Any], width: int) -> Iterator[str]:
    outcome = told["outcome"]
    yield from _wrap(f"End: {_result(outcome)}", width)
    durations = [count(outcome["rounds"], "round"), count(outcome["turns"], "turn")]
    durations += [count(outcome["decisions"], "decision"), f"about {spell_minutes(outcome['minutes'])} at the table"]
    yield from _indented(_wrap(f"{', '.join(durations)}.", width - len(INDENT)))
    rows = list(_metrics(told))
    if rows:
        yield ""
        yield from _indented(_table(rows, width - len(INDENT)))


def _result(outcome: Mapping[str, Any]) -> str:
    winners, reason = " and ".join(outcome["labels"]), outcome["reason"]
    if outcome["unfinished"]:
        return f"unfinished, stopped by the {reason}."
    if not winners:
        return f"{outcome.get('nobody', 'nobody')} wins ({reason})."
    return f"{winners} {'share the win' if len(outcome['winners']) > 1 else 'wins'} ({reason})."


def _metrics(told: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yield table rows: numbers of the game, then those with one value a player, players in seat order."""
    metrics = told["outcome"]["metrics"]
    names = list(dict.fromkeys(name.partition(".")[0] for name in metrics))
    plain = [name for name in names if name in metrics]
    by_player = [name for name in names if name not in metrics]
    for name in plain:
        yield [name.replace("_", " "), _value(metrics[name])]
    if by_player:
        yield ["", *(player["label"] for player in told["players"])]
    for name in by_player:
        yield [name.replace("_", " "), *(_value(metrics[f"{name}.{p['player']}"]) for p in told["players"])]


def _value(value: int | None) -> str:
    return "none" if value is None else str(value)


def _fault(told: Mapping[str, Any], width: int) -> Iterator[str]:
    """Say what went wrong, what had been chosen but not shown yet, and what could have been answered."""
    fault = told["fault"]
    yield from _wrap(f"The game cannot go on: {fault['message']} (turn {fault['turn']}).", width)
    inner = width - len(INDENT)
    for step in _hidden(told):
        yield from _indented(_wrap(f"Not shown yet: {step['text']}.", inner, INDENT))
    for offer in fault["offered"]:
        yield from _indented(_wrap(f"Offered was {offer['action']}: {offer['text']}.", inner, INDENT))


def _hidden(told: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the last steps that led to no event."""
    found: list[Mapping[str, Any]] = []
    for step in reversed(told["steps"]):
        if step["events"]:
            break
        found.insert(0, step)
    return found


# -- lines ----------------------------------------------------------------------------------------------------------


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (INDENT + line for line in lines)


def _table(rows: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Line up cells; columns without content vanish. Where it gets too wide, first cells get lines of their own."""
    cleaned = [[clean(cell) for cell in row] for row in rows]
    lines = _lined_up(cleaned)
    if max(map(_cells, lines)) <= width:
        yield from lines
        return
    below = _lined_up([row[1:] for row in cleaned])
    for row, line in zip(cleaned, below, strict=True):
        yield from _wrap(row[0], width)
        fits = _cells(INDENT + line) <= width
        yield from _indented([line] if fits else _wrap(line, width - len(INDENT), INDENT))


def _lined_up(rows: Sequence[Sequence[str]]) -> list[str]:
    columns = [[row[i] for row in rows if i < len(row)] for i in range(max(map(len, rows)))]
    widths = [max(map(_cells, column)) for column in columns]
    return [
        GAP.join(_pad(cell, wide) for cell, wide in zip(row, widths, strict=False) if wide).rstrip() for row in rows
    ]


def _wrap(text: str, width: int, hang: str = "") -> Iterator[str]:
    """Break text between words, and words where they are longer than a line; later lines start with `hang`."""
    line, start = "", ""
    for word in _UNITS.split(clean(text)):
        while (line and _cells(f"{line} {word}") > width) or _cells(start + word) > width:
            if line:
                yield line
                line, start = "", hang
                continue
            head = _head(word, width - len(start))
            yield start + head
            word, start = word[len(head) :], hang
        line = f"{line} {word}" if line else start + word
    yield line


def _head(word: str, cells: int) -> str:
    """Return the longest beginning of `word` that fits, at least one character."""
    end = 1
    while end < len(word) and _cells(word[: end + 1]) <= cells:
        end += 1
    return word[:end]


def _pad(text: str, cells: int) -> str:
    return text + " " * (cells - _cells(text))


def _cells(text: str) -> int:
    """Return how many columns a terminal needs for `text`."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
