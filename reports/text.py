"""How names, shares, counts and commands become text; the same in every kind of report.

Names come from people: they are kept as written, except for what could steer a terminal or break a line.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

NOTHING = "–"
SPELLED = str.maketrans(
    {
        "–": "-",
        "—": "-",
        "·": "|",
        "…": "~",
        "±": "+/-",
        "“": '"',
        "”": '"',
        "‘": "'",
        "’": "'",
        "ß": "ss",
        "æ": "ae",
        "Æ": "AE",
        "ø": "o",
        "Ø": "O",
        "œ": "oe",
        "đ": "d",
        "ł": "l",
        "Ł": "L",
    }
)
UNNAMED_CHANGE = "the order of components, or the code of a player or game of one's own"


def clean(text: object) -> str:
    """Return a name on one line: single blanks, and without what `printable` removes."""
    return printable(" ".join(str(text).split()))


def printable(text: str) -> str:
    """Return `text` without control, direction-changing or broken characters."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return "".join(character for character in whole if not _is_hazard(character))


def in_ascii(text: str) -> str:
    """Return `text` for a terminal that has ASCII only: letters without their marks, `?` for what has no like."""
    plain = unicodedata.normalize("NFKD", text.translate(SPELLED))
    return "".join(c for c in plain if not unicodedata.combining(c)).encode("ascii", "replace").decode()


def _is_hazard(character: str) -> bool:
    code = ord(character)
    steers_direction = 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069
    return unicodedata.category(character) == "Cc" or steers_direction or code & 0xFFFE == 0xFFFE


def shorten(text: str, width: int) -> str:
    """Cut the middle out of `text` so that it has at most `width` characters; both ends tell names apart."""
    if len(text) <= width:
        return text
    tail = (width - 1) // 3
    return text[: width - 1 - tail].rstrip() + "…" + (text[-tail:] if tail else "")


def shorten_all(texts: Sequence[str], width: int) -> list[str]:
    """Shorten several names; those that would become equal get their number in front."""
    short = [shorten(text, width) for text in texts]
    if len(set(short)) == len(set(texts)):
        return short
    return [f"{i}. {shorten(text, width - 3)}" for i, text in enumerate(texts, start=1)]


def command_lines(command: str, width: int) -> list[str]:
    """Break a shell command between arguments, so that the lines can still be pasted."""
    lines, current = [], ""
    for word in _options_with_values(_shell_words(command)):
        if current and len(current) + 1 + len(word) > width - 2:
            lines.append(current + " \\")
            current = "    " + word
        else:
            current = f"{current} {word}" if current else word
    return [*lines, current]


def _shell_words(command: str) -> list[str]:
    """Split at blanks outside quotes and keep the quotes."""
    words, quote = [""], ""
    for character in command:
        if character == " " and not quote:
            words.append("")
            continue
        if character in "'\"" and quote in ("", character):
            quote = "" if quote else character
        words[-1] += character
    return [word for word in words if word]


def _options_with_values(words: Sequence[str]) -> list[str]:
    """Join `--option` and the word after it, so that no line ends between them."""
    joined: list[str] = []
    for word in words:
        if joined and joined[-1].startswith("-") and " " not in joined[-1] and not word.startswith("-"):
            joined[-1] += f" {word}"
        else:
            joined.append(word)
    return joined


def number(share: float | None, decimals: int = 1) -> str:
    """Return a share as a per cent number. Only exact 0 and 1 print as 0 and 100."""
    if share is None:
        return NOTHING
    text = f"{100 * share:.{decimals}f}"
    smallest = 10.0**-decimals
    if share > 0 and float(text) == 0:
        return f"<{smallest:.{decimals}f}"
    if share < 1 and float(text) == 100:
        return f">{100 - smallest:.{decimals}f}"
    return text


def percent(share: float | None, decimals: int = 1) -> str:
    """Return a share as text in per cent."""
    return NOTHING if share is None else f"{number(share, decimals)} %"


def signed(value: float | None, is_share: bool = True, decimals: int | None = None) -> str:
    """Return a difference with its sign: of shares in points, else in the unit of the amount. Only exact 0 is ``0``."""
    if value is None:
        return NOTHING
    shown = (1 if is_share else 2) if decimals is None else decimals
    return "0" if value == 0 else f"{value * (100 if is_share else 1):+.{shown}f}"


def signed_range(values: Mapping[str, Any], is_share: bool = True, decimals: int | None = None) -> str:
    """Return `low` and `high` of a difference."""
    if values["low"] is None or values["high"] is None:
        return NOTHING
    return f"{signed(values['low'], is_share, decimals)} to {signed(values['high'], is_share, decimals)}"


def quantity(value: float | None) -> str:
    """Return a count or a measured value with as many digits as help a reader."""
    if value is None:
        return NOTHING
    if float(value).is_integer():
        return f"{int(value):,}"
    return f"{value:,.1f}" if abs(value) >= 10 else f"{value:.2f}"


def changes(found: Sequence[Mapping[str, Any]], most: int) -> list[str]:
    """Return changes of what games are made of: ``components.feint.rank 2 -> 3``; the first `most` of them."""
    told = [_change(each) for each in found[:most]] or [UNNAMED_CHANGE]
    return [*told, *([f"and {len(found) - most} more"] if len(found) > most else [])]


def _change(each: Mapping[str, Any]) -> str:
    if "what" in each:
        return f"{clean(each['path'])} {each['what']}"
    before, now = (_plain(each[part]) for part in ("before", "now"))
    return f"{clean(each['path'])} {before} -> {now}"


def _plain(value: Any) -> str:
    if value is None:
        return "nothing"
    return str(value).lower() if isinstance(value, bool) else shorten(clean(value), 60)


def count(n: int, noun: str) -> str:
    """Return `1 game`, `2 games`."""
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def spell_minutes(minutes: float) -> str:
    """Return a playing time as a player would say it."""
    if minutes < 1:
        return f"{60 * minutes:.0f} seconds"
    if minutes < 9.95:
        digits = f"{minutes:.1f}".removesuffix(".0")
        return f"{digits} minute" if digits == "1" else f"{digits} minutes"
    hours, rest = divmod(round(minutes), 60)
    return f"{hours} h {rest:02d} min" if hours else f"{rest} minutes"


def spell_range(low: str, high: str) -> str:
    """Return `10 to 18 minutes` for `10 minutes` and `18 minutes`: the unit once where both share it."""
    unit = high.rpartition(" ")[2]
    shared = low.count(" ") == 1 and low.endswith(f" {unit}")
    return f"{low.removesuffix(f' {unit}') if shared else low} to {high}"


def decimals_for(spans: Iterable[tuple[float | None, float | None]]) -> int:
    """Return the decimals at which the narrowest interval still shows its width (1 to 4)."""
    widths = [100 * (high - low) for low, high in spans if low is not None and high is not None and high > low]
    narrowest = min(widths, default=1.0)
    decimals = 1
    while narrowest < 2 * 10.0**-decimals and decimals < 4:
        decimals += 1
    return decimals


@dataclass(frozen=True)
class Share:
    """A share of games with its interval; `rate` is None when no game was played."""

    rate: float | None
    low: float | None
    high: float | None
    decimals: int = 1

    @classmethod
    def of(cls, values: Mapping[str, Any], decimals: int = 1) -> Share:
        """Return the share in a part of an answer with `rate`, `low` and `high`."""
        return cls(values.get("rate"), values.get("low"), values.get("high"), decimals)

    @property
    def percent(self) -> str:
        """The share alone: `57.2 %`."""
        return percent(self.rate, self.decimals)

    @property
    def interval(self) -> str:
        """The interval alone, in per cent: `56.7 to 57.7`."""
        if self.rate is None or self.low is None or self.high is None:
            return NOTHING
        # Bounds are rounded plainly: `0.0` as a lower bound is true, `<0.1` would not be a bound.
        return f"{100 * self.low:.{self.decimals}f} to {100 * self.high:.{self.decimals}f}"

    @property
    def phrase(self) -> str:
        """Both: `57.2 % (56.7 to 57.7)`."""
        return NOTHING if self.rate is None else f"{self.percent} ({self.interval})"

    def contains(self, share: float) -> bool:
        """Whether `share` lies in the interval; false without one."""
        return self.low is not None and self.high is not None and self.low <= share <= self.high


def even_share(shares: Sequence[Share]) -> float | None:
    """Return what each would have if all were equal; None when that says nothing."""
    rates = [share.rate for share in shares if share.rate is not None]
    even = sum(rates) / len(rates) if len(rates) > 1 and len(rates) == len(shares) else 0.0
    return even or None


def first_of(words: Sequence[str], most: int) -> str:
    """Return a list of names as a sentence part, cut after `most`."""
    return ", ".join(words[:most]) + (f" and {len(words) - most} more" if len(words) > most else "")
