"""What there is to play with as text for a terminal: `balance list` and `balance show`.

The facts come as plain data; nothing here knows a game. The words for a component are made from its fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from rich.cells import cell_len

from reports.text import NOTHING, clean, in_ascii, percent, shorten

Facts = Mapping[str, Any]

MARKS = {"rulebook": "R", "derived": "D", "public": "P", "reconstructed": "·"}
MOST_GROUPED = 0.8  # share of elements that must name another component for a list to be grouped by it
LONGEST_LABEL = 30
MOST_PARTS = 6  # a longer list of parts is counted
COUNT = "count"  # how many: the one number of a part that needs no name
SMALLEST = 12  # columns that a wrapped column keeps, however narrow the screen
MOST_ALLOWED = 24  # columns; what a rule allows in more words stands behind what it is
NARROW = 24  # columns below which what is said of a component goes into lines of its own
DOT = " · "


def listing(found: Facts, width: int = 80, colour: bool = False, ascii: bool = False) -> str:
    """Return games, strategies and scenarios as text; parts that `found` does not hold are left out."""
    page = _Page(width, colour, ascii)
    if "games" in found:
        page.heading("Games", "balance show GAME tells all about one")
        page.table([_game_row(game) for game in found["games"]], wrap=2)
    if "strategies" in found:
        for game in dict.fromkeys(strategy["game"] for strategy in found["strategies"]):
            page.heading(f"Strategies for {game or 'every game'}")
            page.table([(s["name"], s["summary"]) for s in found["strategies"] if s["game"] == game], wrap=1)
    if "scenarios" in found:
        page.heading("Scenarios", "balance odds SCENARIO plays one")
        rows = [(scenario["name"], scenario["label"]) for scenario in found["scenarios"]]
        layout = page.layout(rows, wrap=1)
        for scenario, row in zip(found["scenarios"], rows, strict=True):
            page.row(row, layout)
            page.paragraph(scenario["error"] or scenario["question"], indent=6)
        if not rows:
            page.line("  none")
    return page.text()


def _game_row(game: Facts) -> tuple[str, str, str]:
    return game["id"], _players(game["seats"]), game["error"] or game["label"]


def _players(counts: Sequence[int]) -> str:
    if len(counts) > 1 and list(counts) == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]} to {counts[-1]} players"
    return f"{' or '.join(map(str, counts))} player{'' if list(counts) == [1] else 's'}"


def game_page(facts: Facts, width: int = 80, colour: bool = False, ascii: bool = False) -> str:
    """Return everything about a game as text."""
    page = _Page(width, colour, ascii)
    _show_head(page, facts)
    _show_rules(page, facts)
    hint = "components: in a scenario, or --set components.ID.FIELD=VALUE"
    for kind in facts["components"]:
        page.heading(_capital(kind["kind"]), hint)
        hint = ""
        _show_kind(page, kind, _labels(facts))
    _show_parts(page, facts)
    _show_players(page, facts)
    _show_strategies(page, facts)
    _show_numbers(page, facts)
    _show_limits(page, facts)
    return page.text()


def _show_head(page: _Page, facts: Facts) -> None:
    edition = facts["edition"]
    seats = _players([seats["count"] for seats in facts["seats"]])
    page.title(facts["label"])
    page.line(DOT.join([facts["id"], f"version {facts['version']}", f"edition {edition['name']}", seats]))
    page.paragraph(facts["summary"])
    page.heading("Where the values come from", "letters mark them below; several: values differ")
    shares = facts["provenance"]
    page.line("  " + "   ".join(f"{MARKS[name]} {name} {percent(share)}" for name, share in shares.items()))
    for address in dict.fromkeys(_pages(facts)):
        page.line(f"  {MARKS['public']} {address}")


def _pages(facts: Facts) -> Iterator[str]:
    for setting in facts["settings"]:
        yield from setting["pages"]
    for kind in facts["components"]:
        for element in kind["elements"]:
            yield from element["pages"]


def _show_rules(page: _Page, facts: Facts) -> None:
    page.heading("Rules", "rules: in a scenario, or --set rules.NAME=VALUE")
    rows = []
    for rule in facts["rules"]:
        allowed, told = _allowed(rule), rule["description"]
        if cell_len(allowed) > MOST_ALLOWED:
            allowed, told = "", f"{told} ({allowed})"
        rows.append((rule["name"], _plain(rule["default"]), allowed, MARKS[rule["from"]], told))
    page.table(rows, head=("name", "default", "allowed", "", "what it is"), wrap=4, right=(1,))


def _allowed(field: Facts) -> str:
    if field["values"]:
        return ", ".join(_plain(value) for value in field["values"])
    if field["type"] in ("integer", "number") and None not in (field["low"], field["high"]):
        return f"{field['low']} to {field['high']}"
    return str(field["words"])


def _plain(value: Any) -> str:
    """Return a value as one writes it in YAML."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(_plain(item) for item in value)}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_plain(item)}" for key, item in value.items()) + "}"
    return f"{value:g}" if isinstance(value, float) else clean(value)


# -- components -----------------------------------------------------------------------------------------------------


def _labels(facts: Facts) -> dict[str, str]:
    return {element["id"]: element["label"] for kind in facts["components"] for element in kind["elements"]}


def _show_kind(page: _Page, kind: Facts, labels: Mapping[str, str]) -> None:
    group = _group_field(kind, labels)
    numbers = [f["name"] for f in kind["fields"] if f["type"] in ("integer", "number")]
    rows = {id(element): _element_row(element, numbers, group) for element in kind["elements"]}
    head = (*map(_spaced, numbers), "name", "id", "", "")
    words, right = len(numbers) + 3, range(len(numbers))
    layout = page.layout([*rows.values(), head], wrap=words, right=right)
    longest = max((cell_len(clean(row[words])) for row in rows.values()), default=0)
    beside = layout.widths[words] >= min(NARROW, longest)
    if not beside:
        layout = page.layout([(*row[:words], "") for row in (*rows.values(), head)], wrap=words, right=right)
    page.row(head, layout, style="dim")
    for value in dict.fromkeys(element["values"].get(group, "") for element in kind["elements"]):
        if group:
            page.line(f"  {labels[value]} ({group}: {value})" if value in labels else f"  {group}: {value}")
        for element in kind["elements"]:
            if element["values"].get(group, "") == value:
                row = rows[id(element)]
                page.row(row if beside else (*row[:words], ""), layout)
                if not beside:
                    page.paragraph(row[words], indent=2 + sum(2 + width for width in layout.widths[: len(numbers)]))


def _group_field(kind: Facts, labels: Mapping[str, str]) -> str:
    """Return the field by which elements belong to other components, "" if there is none."""
    for name in (f["name"] for f in kind["fields"]):
        values = [element["values"].get(name) for element in kind["elements"]]
        known = sum(isinstance(value, str) and value in labels for value in values)
        if values and known >= MOST_GROUPED * len(values):
            return str(name)
    return ""


def _element_row(element: Facts, numbers: Sequence[str], group: str) -> tuple[str, ...]:
    values = element["values"]
    cells = [NOTHING if values[name] is None else _plain(values[name]) for name in numbers]
    words = [_field_words(element, name) for name in values if name not in (*numbers, group)]
    mark = _mark(element["sources"].values())
    return (*cells, shorten(element["label"], LONGEST_LABEL), element["id"], mark, ", ".join(filter(None, words)))


def _mark(sources: Iterable[str]) -> str:
    """Return the letters of all sources that a component's values have."""
    given = set(sources)
    return "".join(letter for name, letter in MARKS.items() if name in given)


def _field_words(element: Facts, name: str) -> str:
    """Return a field in words, "" if it says nothing."""
    value = element["values"][name]
    if isinstance(value, list):
        if all(isinstance(item, dict) for item in value):
            if value and (len(value) > MOST_PARTS or any(map(_has_parts, value))):
                return f"{len(value)} {_spaced(name.removesuffix('s') if len(value) == 1 else name)}"
            return ", then ".join(
                _phrase(item, _given(element["sources"], f"{name}.{i}")) for i, item in enumerate(value, 1)
            )
        return f"{_spaced(name)} {' '.join(_plain(item) for item in value)}"
    if isinstance(value, bool):
        return _spaced(name) if value else ""
    if isinstance(value, dict):
        return _nested_words(element, name, value)
    return "" if value is None or name not in element["sources"] else f"{_spaced(name)} {_plain(value)}"


def _nested_words(element: Facts, name: str, value: Facts) -> str:
    """Return a field that holds fields in words, only what the edition gives of it."""
    words = []
    for inner in _given(element["sources"], name):
        given = value[inner]
        if isinstance(given, list) and all(isinstance(item, dict) for item in given):
            steps = (
                _phrase(item, _given(element["sources"], f"{name}.{inner}.{i}")) for i, item in enumerate(given, 1)
            )
            words.append(f"{_spaced(inner)} {', then '.join(steps)}")
        elif isinstance(given, list):
            words.append(f"{_spaced(inner)} {' '.join(_plain(item) for item in given)}")
        elif isinstance(given, bool):
            words += [_spaced(inner)] if given else []
        else:
            words.append(f"{_spaced(inner)} {_plain(given)}")
    return f"{_spaced(name)} {', '.join(words)}" if words else ""


def _has_parts(values: Facts) -> bool:
    """Return whether a part is made of parts itself: such a list is counted, and read in the edition file."""
    return any(isinstance(value, list) and any(isinstance(item, dict) for item in value) for value in values.values())


def _given(sources: Mapping[str, str], start: str) -> list[str]:
    """Return the names of the fields that the edition gives at `start`, in its order."""
    inside = [path[len(start) + 1 :] for path in sources if path.startswith(f"{start}.")]
    return list(dict.fromkeys(path.split(".")[0] for path in inside))


def _phrase(values: Facts, given: Sequence[str]) -> str:
    """Return a part such as an effect in words: `reroll own up to 2 faces [0]`, only what the edition gives."""
    order = list(given)
    for before, after in pairwise(given):
        # "count: 2, up_to: true" reads "up to 2"
        if values[after] is True and (before == COUNT or isinstance(values[before], int)):
            order.remove(after)
            order.insert(order.index(before), after)
    text, after_number = "", False
    for position, name in enumerate(order):
        word = _word(name, values[name], position)
        number = isinstance(values[name], int) and word.startswith(f"{_spaced(name)} ")
        if word:
            text += (", " if number and after_number else " " if text else "") + word
            after_number = number
    return text


def _word(name: str, value: Any, position: int) -> str:
    if isinstance(value, bool):
        return _spaced(name) if value else ""
    if name == COUNT or (position < 2 and isinstance(value, str)):
        return _spaced(_plain(value))
    return f"{_spaced(name)} {_plain(value)}"


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _capital(name: str) -> str:
    return name[:1].upper() + _spaced(name[1:])


def _show_parts(page: _Page, facts: Facts) -> None:
    """Show what the lists inside components are made of, with the default of each field."""
    for kind in facts["components"]:
        for name in dict.fromkeys(part["field"] for part in kind["parts"]):
            page.heading(f"{_capital(name)} of {_spaced(kind['kind'])}", "fields with their defaults")
            for part in kind["parts"]:
                if part["field"] == name:
                    page.entry(part["name"], part["description"], ", ".join(_part_fields(part)))


def _part_fields(part: Facts) -> Iterator[str]:
    for f in part["fields"]:
        if not f["required"]:
            yield f"{f['name']}: {_plain(f['default'])}"
        elif f["values"] != [part["name"]]:
            yield f"{f['name']} ({_allowed(f)})"


# -- players --------------------------------------------------------------------------------------------------------


def _show_players(page: _Page, facts: Facts) -> None:
    rows = [(f["name"], _choices(f), f["description"]) for f in facts["seat_options"]]
    if rows:
        page.heading("Players", "seats: in a scenario, besides strategy, params and label")
        page.table(rows, wrap=1)
    page.heading("Decisions")
    several = len(facts["roles"]) > 1
    page.table(
        [(f"{d['name']} ({d['role']})" if several else d["name"], d["description"]) for d in facts["decisions"]], wrap=1
    )


def _choices(option: Facts) -> str:
    return ", ".join(choice["id"] for choice in option["choices"]) or _allowed(option)


def _show_strategies(page: _Page, facts: Facts) -> None:
    page.heading("Strategies", "each parameter with its default and range")
    for strategy in facts["strategies"]:
        page.entry(strategy["name"], strategy["summary"], _parameter_words(strategy))
        for p in strategy["parameters"]:
            span = f"{_plain(p['default'])} ({_plain(p['low'])} to {_plain(p['high'])})"
            page.entry("", f"{p['name']} {span}: {p['description']}")


def _parameter_words(strategy: Facts) -> str:
    """Return what a strategy says of parameters that are no plain numbers."""
    paragraphs: list[str] = [] if strategy["parameters"] else strategy["description"].split("\n\n")
    return next((text for text in paragraphs if text.startswith("Parameters:")), "")


def _show_numbers(page: _Page, facts: Facts) -> None:
    page.heading("Action features", "for the strategy weights")
    page.table([(f["name"], f["description"]) for f in facts["features"]], wrap=1)
    page.heading("Metrics")
    page.table([(m["name"], m["description"] + _per_seat(m)) for m in facts["metrics"]], wrap=1)


def _per_seat(metric: Facts) -> str:
    return ", for each player" if metric["per"] == "seat" else ""


def _show_limits(page: _Page, facts: Facts) -> None:
    page.heading("Limits and the rest")
    rows = [(setting["name"], _pairs(setting["values"])) for setting in facts["settings"]]
    rows.append(("ends", ", ".join(facts["reasons"])))
    rows.append(("chance", ", ".join(facts["chance"])))
    rows.append(("capacities", _pairs(facts["capacities"])))
    rows.append(("editions", ", ".join(facts["editions"])))
    page.table(rows, wrap=1)
    page.line(f"  {facts['edition']['file']}")


def _pairs(values: Any) -> str:
    if not isinstance(values, dict):
        return _plain(values)
    return ", ".join(f"{_spaced(name)} {_plain(value)}" for name, value in values.items())


# -- layout ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Layout:
    """Widths of a table's columns; the column `wrap` goes on in further lines."""

    widths: tuple[int, ...]
    wrap: int
    right: frozenset[int]


@dataclass
class _Page:
    """Collects lines; spells them with what the terminal has."""

    width: int
    colour: bool
    ascii: bool
    lines: list[str] = field(default_factory=list)

    def text(self) -> str:
        return "".join(f"{line.rstrip()}\n" for line in self.lines)

    def line(self, text: str, style: str = "") -> None:
        self.lines.append(self._styled(self._spelled(text), style))

    def _styled(self, text: str, style: str) -> str:
        code = {"bold": 1, "dim": 2}.get(style)
        return f"\x1b[{code}m{text}\x1b[0m" if code and self.colour else text

    def _spelled(self, text: str) -> str:
        # the dot is a mark of its own here, so it stays one
        return in_ascii(text.replace("·", ".")) if self.ascii else text

    def title(self, text: str) -> None:
        for part in _wrapped(clean(text), self.width):
            self.line(part, "bold")

    def paragraph(self, text: str, indent: int = 0) -> None:
        for part in _wrapped(clean(text), self.width - indent):
            self.line(" " * indent + part)

    def heading(self, text: str, hint: str = "") -> None:
        """Start a section; the hint stands beside it where there is room."""
        if self.lines:
            self.lines.append("")
        room = cell_len(text) + 3 + cell_len(hint) <= self.width
        beside = self._styled(self._spelled(f"   {hint}"), "dim") if hint and room else ""
        self.lines.append(self._styled(self._spelled(text), "bold") + beside)

    def entry(self, name: str, *texts: str) -> None:
        """Write a name and, in a column beside it, texts that each start a line."""
        indent = 15
        first = f"  {clean(name)}"
        for text in filter(None, texts):
            for part in _wrapped(clean(text), self.width - indent):
                if cell_len(first) > indent - 2:
                    self.line(first)
                    first = ""
                self.line(_padded(first, indent) + part)
                first = ""
        if first.strip():
            self.line(first)

    def table(
        self, rows: Sequence[Sequence[str]], head: Sequence[str] = (), wrap: int = 0, right: Iterable[int] = ()
    ) -> None:
        layout = self.layout([*rows, head] if head else rows, wrap, right)
        if head:
            self.row(head, layout, style="dim")
        for row in rows:
            self.row(row, layout)

    def layout(self, rows: Sequence[Sequence[str]], wrap: int, right: Iterable[int] = ()) -> _Layout:
        """Give every column what it needs, and the one that wraps what is left."""
        columns = max(map(len, rows), default=0)
        widths = [max(cell_len(clean(row[i])) for row in rows) for i in range(columns)]
        if widths:
            gaps = 2 * sum(1 for width in widths if width)
            left = self.width - gaps - sum(width for i, width in enumerate(widths) if i != wrap)
            widths[wrap] = min(widths[wrap], max(SMALLEST, left))
        return _Layout(tuple(widths), wrap, frozenset(right))

    def row(self, cells: Sequence[str], layout: _Layout, style: str = "") -> None:
        """Write a row, with as many lines as its wrapped cell needs."""
        wrapped = _wrapped(clean(cells[layout.wrap]), layout.widths[layout.wrap]) or [""]
        for number, part in enumerate(wrapped):
            texts = [part if i == layout.wrap else "" if number else clean(cell) for i, cell in enumerate(cells)]
            line = "".join(
                "  " + _padded(text, width, i in layout.right)
                for i, (text, width) in enumerate(zip(texts, layout.widths, strict=True))
                if width
            )
            self.line(line, style)


def _padded(text: str, width: int, right: bool = False) -> str:
    blanks = " " * max(0, width - cell_len(text))
    return blanks + text if right else text + blanks


def _wrapped(text: str, width: int) -> list[str]:
    """Break a text between words; a word that is longer than a line stays whole."""
    lines: list[str] = []
    for word in text.split():
        if lines and cell_len(lines[-1]) + 1 + cell_len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
