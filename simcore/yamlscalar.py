"""What a word without quotes means in our YAML files, and how text is put in quotes.

A word that YAML would silently turn into something else is refused, with what to write instead.
"""

import json
import math
import re
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache

Scalar = str | int | float | bool | None

LOWEST, HIGHEST = -(2**63), 2**63 - 1
LONGEST_SHOWN = 60

WORDS: dict[str, Scalar] = {"true": True, "True": True, "false": False, "False": False, "null": None}
YES_NO = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}

BOUND = 'a comparison cannot be written like this: write "min: 5" (at least), "max: 5" (at most) or "between: [3, 8]"'
COMPARISON = f"{BOUND}, or put the text in quotes"
MERGE_KEY = "merge keys (<<) are not supported: write the entries out"

# How a Windows path starts in double quotes: "C:\new" would be read with a line end in it.
DRIVE = re.compile(r'"[A-Za-z]:\\(?![\\"])')

_INTEGER = re.compile(r"[-+]?[0-9]+")
_DECIMAL = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)")
_UNSAFE = re.compile("[^ -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


class BadScalarError(Exception):
    """The word may not stand without quotes; the message says what to write."""


def quote(text: str, limit: int | None = LONGEST_SHOWN) -> str:
    """Return `text` in double quotes, on one line, as YAML reads it back.

    Text longer than `limit` is cut (for messages); None never cuts.
    """
    if limit is not None and len(text) > limit:
        text = text[: limit - 1] + "…"
    quoted = _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))
    # "A:" and a line end is no Windows path, and must not be taken for one
    return quoted.replace(":", "\\u003a", 1) if DRIVE.match(quoted) else quoted


# cached, because the same few keys and words make up most of a file
@lru_cache(maxsize=4096)
def read_plain(text: str) -> Scalar:
    """Return the value of a word without quotes; raise `BadScalarError` if it could be misread."""
    if text in WORDS:
        return WORDS[text]
    for pattern, complain in _REFUSED:
        if pattern.fullmatch(text):
            raise BadScalarError(complain(text))
    if _INTEGER.fullmatch(text):
        return _integer(text)
    if _DECIMAL.fullmatch(text):
        return _decimal(text)
    return text


def is_text(word: str) -> bool:
    """Say whether a word means just itself without quotes."""
    try:
        return isinstance(read_plain(word), str)
    except BadScalarError:
        return False


def _integer(text: str) -> int:
    # the length first: Python refuses to convert more than 4,300 digits
    if len(text) <= len(str(LOWEST)) and LOWEST <= int(text) <= HIGHEST:
        return int(text)
    raise BadScalarError(f"{_short(text)} does not fit in 64 bits; put it in quotes if it is a name")


def _decimal(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise BadScalarError(f"{_short(text)} is too large for a number")
    return number


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else text[:20] + "…"


def _either(text: str, instead: str) -> str:
    return f"write {instead}, or {quote(text)} in quotes if text is meant"


def _written_out(text: str) -> str:
    """Return a number without exponent, underscores and leading zeros, or a phrase if that is too long."""
    number = text.replace("_", "")
    exponent = re.split("[eE]", number)[1:]
    if len(number) > LONGEST_SHOWN or (exponent and abs(int(exponent[0])) > 18):
        return "the number in full"
    return format(Decimal(number), "f")


def _yes_no(text: str) -> str:
    return f"YAML reads {text} as a truth value: {_either(text, YES_NO[text.lower()])}"


def _sexagesimal(text: str) -> str:
    return f"write {quote(text)} in quotes: YAML reads numbers with a colon in base 60"


def _number_form(form: str) -> Callable[[str], str]:
    return lambda text: f"{form}: {_either(text, _written_out(text))}"


def _based(text: str) -> str:
    number = int(text.replace("_", ""), 0)
    shown = str(number) if LOWEST <= number <= HIGHEST else "the number in decimal"
    return f"only decimal numbers are read: {_either(text, shown)}"


# The first pattern that matches the whole word explains it. ASCII only, so that no accented letter folds
# into one of these.
_REFUSED: list[tuple[re.Pattern[str], Callable[[str], str]]] = [
    (re.compile(pattern, re.ASCII | re.IGNORECASE), complain)
    for pattern, complain in [
        (r"yes|no|on|off|y|n", _yes_no),
        (r"true|false", lambda text: f"truth values are true and false: {_either(text, text.lower())}"),
        (r"null|~", lambda text: f"nothing at all is spelled null: {_either(text, 'null')}"),
        (r"[-+]?[0-9][0-9_]*(:[0-9]+)+(\.[0-9_]*)?", _sexagesimal),
        (r"[-+]?0(x_*[0-9a-f][0-9a-f_]*|o_*[0-7][0-7_]*|b_*[01][01_]*)", _based),
        (
            r"[-+]?([0-9][0-9_]*(\.[0-9_]*)?|\.[0-9][0-9_]*)e[-+]?[0-9]+",
            _number_form("numbers with an exponent are not read"),
        ),
        (
            r"(?=.*_)[-+]?([0-9][0-9_]*(\.[0-9_]*)?|\.[0-9][0-9_]*)",
            _number_form("numbers with an underscore are not read"),
        ),
        (
            r"[-+]?0[0-9]+(\.[0-9]*)?",
            _number_form("a number with a leading zero could be octal"),
        ),
        (
            r"[-+]?\.(inf|nan)",
            lambda text: f"not a finite number: {_either(text, 'a number')}",
        ),
        (
            r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([T\s]+[0-9].*)?",
            lambda text: f"YAML reads this as a date: write {quote(text)} in quotes",
        ),
        (r"=", lambda text: f"a lone = means something else in YAML: write {quote(text)} in quotes"),
        (r"<<", lambda text: MERGE_KEY),
        (r"(==?|!=|<=?|>=?|≤|≥)\s*[-+.]?[0-9].*", lambda text: COMPARISON),
    ]
]
