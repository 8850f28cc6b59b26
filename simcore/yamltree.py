"""One YAML text -> plain data, the position of every key and value, and every problem at once."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from simcore.errors import InputError, Problem
from simcore.yamlscalar import (
    COMPARISON,
    DRIVE,
    MERGE_KEY,
    BadScalarError,
    Scalar,
    is_text,
    quote,
    read_plain,
)
from simcore.yamlsyntax import SyntaxStopError, end, events, start

DataPath = tuple[str | int, ...]

DEEPEST = 100  # collections inside each other

_COMPARISON = re.compile(r">[-+]?[0-9]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_END = re.compile("\r\n|\r|\n")


class Source:
    """A text with the name people know it by; turns offsets into lines and columns.

    Text that is no file (`is_file=False`) comes from the command line: one line, so no positions.
    """

    def __init__(self, name: str, text: str, is_file: bool = True) -> None:
        self.name = name
        self.text = text
        self.is_file = is_file
        # our own table, because YAML also counts U+0085, U+2028 and U+2029 as line ends and editors do not
        self._starts = [0, *(found.end() for found in _LINE_END.finditer(text))]

    def where(self, index: int) -> tuple[int, int]:
        """Return line and column, both from 1, of the character at `index`."""
        line = bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1

    def problem(self, index: int, message: str) -> Problem:
        """Return `message` as a problem at `index`."""
        line, column = self.where(index) if self.is_file else (None, None)
        return Problem(self.name, line, column, message)


@dataclass(frozen=True)
class Tree:
    """Plain data with the offset of each key and each value, by path."""

    data: Any
    keys: dict[DataPath, int]
    values: dict[DataPath, int]


def read_tree(source: Source) -> Tree:
    """Return the only document of `source`; raise `InputError` with everything that is wrong."""
    builder = _Builder(source)
    data = None
    try:
        data = builder.document()
    except SyntaxStopError as stop:
        builder.note(stop.index, stop.message)
    builder.note_references()
    if builder.problems:
        in_order = sorted(builder.problems, key=lambda found: found[0])
        raise InputError([source.problem(index, message) for index, message in in_order])
    return Tree(data, builder.keys, builder.values)


class _Builder:
    """Consumes the parser events; `_value` and the methods below it each take the event they start with."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[tuple[int, str]] = []
        self.keys: dict[DataPath, int] = {}
        self.values: dict[DataPath, int] = {}
        self._references: list[tuple[int, str]] = []
        self._events: Iterator[yaml.Event] = events(source.text)
        self._end = 0

    def note(self, index: int, message: str) -> None:
        self.problems.append((index, message))

    def note_references(self) -> None:
        """Note the first anchor or alias for all of them: a file may be made to hold thousands."""
        if self._references:
            (index, message), *others = self._references
            self.note(index, message + (f"; {len(others)} more anchors or aliases follow" if others else ""))

    def _next(self) -> yaml.Event:
        event = next(self._events)
        self._end = end(event)
        return event

    def document(self) -> Any:
        self._next()  # start of the stream
        if isinstance(self._next(), yaml.StreamEndEvent):
            raise self._empty()
        data = self._value(self._next(), ())
        data_end = self._end
        self._next()  # end of the document
        after = self._next()
        if isinstance(after, yaml.DocumentStartEvent):
            raise SyntaxStopError(start(after), "a second document starts here: one file holds one")
        if not self.source.is_file and self.source.text[data_end:].strip():
            self.note(data_end, "the end would be read as a comment: put the value in quotes")
        return data

    def _empty(self) -> InputError:
        if not self.source.is_file:
            message = 'no value: write "" for an empty text, null for nothing'
        elif self.source.text.strip():
            message = "the file holds no data, only comments or markers"
        else:
            message = "the file is empty"
        return InputError([self.source.problem(0, message)])

    def _value(self, event: yaml.Event, path: DataPath) -> Any:
        self.values[path] = start(event)
        is_plain = self._refuse_extras(event)
        if isinstance(event, yaml.CollectionStartEvent):
            return self._collection(event, path)
        if not isinstance(event, yaml.ScalarEvent) or not is_plain:
            return None
        if event.value == "" and not event.style:
            return self._without_value(event, path)
        return self._scalar(event)

    def _refuse_extras(self, event: yaml.Event) -> bool:
        """Note an alias, an anchor or a tag; say whether there was none."""
        index = start(event)
        tag, anchor = getattr(event, "tag", None), getattr(event, "anchor", None)
        if isinstance(event, yaml.AliasEvent):
            self._references.append((index, f"aliases (*{anchor}) are not supported: write the value again"))
        elif anchor:
            self._references.append((index, f"anchors (&{anchor}) are not supported: remove this one"))
        elif tag and tag.startswith("!="):
            self.note(index, COMPARISON)
        elif tag:
            shown = quote(tag.replace("tag:yaml.org,2002:", "!!"))
            self.note(index, f"YAML tags are not supported: remove {shown}, or put the text in quotes")
        else:
            return True
        return False

    def _without_value(self, event: yaml.ScalarEvent, path: DataPath) -> None:
        if not path:
            raise self._empty()
        name = path[-1]
        subject = quote(name) if isinstance(name, str) else "this entry"
        hint = "a space is missing after the colon" if ":" in str(name) else "write null if nothing is meant"
        self.note(self.keys.get(path, start(event)), f"{subject} has no value: {hint}")

    def _collection(self, event: yaml.CollectionStartEvent, path: DataPath) -> Any:
        index = start(event)
        if len(path) >= DEEPEST:
            raise SyntaxStopError(index, f"nested deeper than {DEEPEST} levels")
        is_list = isinstance(event, yaml.SequenceStartEvent)
        if not self.source.is_file and not event.flow_style:
            form = "[a, b] for a list" if is_list else "{a: b} for a mapping"
            self.note(index, f"write {form}, or put the text in quotes")
        return self._list(path) if is_list else self._mapping(path)

    def _list(self, path: DataPath) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            items.append(self._value(event, (*path, len(items))))
        return items

    def _mapping(self, path: DataPath) -> dict[str, Any]:
        items: dict[str, Any] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._key(event)
            if key is None:
                # the value is still looked through; its path only has to differ from all others
                self._value(self._next(), (*path, start(event)))
                continue
            if key in items:
                self._note_duplicate(event, (*path, key))
            self.keys.setdefault((*path, key), start(event))
            items[key] = self._value(self._next(), (*path, key))
        return items

    def _note_duplicate(self, event: yaml.Event, path: DataPath) -> None:
        line, _ = self.source.where(self.keys[path])
        first = f" in line {line}" if self.source.is_file else ""
        self.note(start(event), f"{quote(str(path[-1]))} is already set{first}")

    def _key(self, event: yaml.Event) -> str | None:
        """Return the key, or None for one that cannot be used (noted)."""
        index = start(event)
        is_plain = self._refuse_extras(event)
        if isinstance(event, yaml.CollectionStartEvent):
            self._skip_collection()
            self.note(index, "a key must be text, not a list or a mapping")
        if not isinstance(event, yaml.ScalarEvent) or not is_plain:
            return None
        if event.value == "" and not event.style:
            self.note(index, 'a key is missing before ":"')
            return None
        if event.style:
            self._scalar(event)
        elif event.value == "<<":
            self.note(index, MERGE_KEY)
        elif not is_text(event.value):
            self.note(index, f"a key must be text, as {quote(event.value)} is only in quotes")
        return event.value

    def _skip_collection(self) -> None:
        depth = 1
        while depth:
            event = self._next()
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)

    def _scalar(self, event: yaml.ScalarEvent) -> Scalar:
        """Return the value of a scalar; note what is wrong with it, and return its text then."""
        index = start(event)
        if not event.style:
            return self._plain(event)
        if event.style == '"' and DRIVE.match(self.source.text, index):
            hint = "use single quotes, or forward slashes in the path"
            self.note(index, f"a backslash in double quotes starts an escape: {hint}")
        elif event.style in "|>" and _COMPARISON.match(self.source.text, index):
            self.note(index, COMPARISON)
        elif event.style in "|>" and not event.value.strip():
            self.note(index, f'after {event.style} a block of text must follow: write "" for an empty text')
        elif _SURROGATE.search(event.value):
            self.note(index, "half a surrogate pair: write the character itself, or \\U and eight digits")
        return event.value

    def _plain(self, event: yaml.ScalarEvent) -> Scalar:
        try:
            return read_plain(event.value)
        except BadScalarError as error:
            self.note(start(event), str(error))
            return event.value
