"""Plain data -> YAML text that people can read and our own loader reads back to equal data."""

import math
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from simcore.yamlscalar import HIGHEST, LOWEST, is_text, quote

# Stays unquoted: words of letters, digits and harmless signs that start with a letter.
_BARE = re.compile(r"[^\W\d_][\w./+-]*(?: [\w./+()][\w./+()-]*)*")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LONGEST_FLOW = 90
_LONGEST_KEY = 1000  # YAML wants a key and its colon within 1,024 characters


def dump(data: Any) -> str:
    """Return `data` (mappings, lists, scalars) as YAML text.

    Raises
    ------
    TypeError, ValueError
        For data that no YAML file of ours can hold: other types, keys that are not text, numbers that are
        not finite or do not fit in 64 bits, lone surrogates.
    """
    return "\n".join(_lines(data)) + "\n"


def _lines(value: Any) -> list[str]:
    if isinstance(value, Mapping) and value:
        return [line for key, item in value.items() for line in _entry(key, item)]
    if isinstance(value, list | tuple) and value:
        flow = _flow(value)
        return [flow] if flow else [line for item in value for line in _indented("- ", _lines(item))]
    return [_inline(value)]


def _entry(key: Any, value: Any) -> list[str]:
    """Return the lines of one key and its value."""
    if not isinstance(key, str):
        raise TypeError(f"a key must be text, not {type(key).__name__}")
    name = _text(key)
    lines = _lines(value)
    if len(name) > _LONGEST_KEY:
        return [f"? {name}", *_indented(": ", lines)]
    if len(lines) == 1 and not _is_block(value, lines):
        return [f"{name}: {lines[0]}"]
    return [f"{name}:", *(f"  {line}" for line in lines)]


def _is_block(value: Any, lines: list[str]) -> bool:
    """Say whether `lines` show `value` as a block collection, which cannot follow a key on its line."""
    return isinstance(value, Mapping | list | tuple) and lines[0][0] not in "[{"


def _indented(start: str, lines: list[str]) -> Iterable[str]:
    return [(start if number == 0 else "  ") + line for number, line in enumerate(lines)]


def _flow(values: list[Any] | tuple[Any, ...]) -> str:
    """Return a short list of scalars on one line, "" for any other list."""
    if any(isinstance(value, Mapping | list | tuple) for value in values):
        return ""
    line = f"[{', '.join(_inline(value) for value in values)}]"
    return line if len(line) <= _LONGEST_FLOW else ""


def _inline(value: Any) -> str:
    """Return a scalar or an empty collection."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping | list | tuple):
        return "{}" if isinstance(value, Mapping) else "[]"
    raise TypeError(f"cannot be written as YAML: {type(value).__name__}")


def _number(value: int | float) -> str:
    if isinstance(value, int):
        if not LOWEST <= value <= HIGHEST:
            raise ValueError(f"{value:#x} does not fit in 64 bits")
        return str(int(value))
    if not math.isfinite(value):
        raise ValueError(f"{value} is not a finite number")
    # repr would use an exponent, which the loader refuses
    digits = format(Decimal(repr(float(value))), "f")
    return digits if "." in digits else f"{digits}.0"


def _text(value: str) -> str:
    if _SURROGATE.search(value):
        raise ValueError(f"half a surrogate pair in {quote(value)}")
    return value if _BARE.fullmatch(value) and is_text(value) else quote(value, limit=None)
