"""YAML text -> parser events, with the parser's complaints put into words a game designer can act on."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import yaml

from simcore.yamlscalar import COMPARISON, quote

# Where libyaml and the parser written in Python are known to differ (tabs, byte order marks, tags, rare
# line breaks, a comment stuck to a block marker, explicit keys), the one in Python decides. A letter starts no tag.
_DIFFERS = re.compile("[\t\x85\u2028\u2029\ufeff]|(?<!\\w)!|[|>][-+0-9]*#|[?](?:\\s|$)")
_COMPARISON = re.compile(r">\s*=|>\s*[-+.]?[0-9]")
_FORBIDDEN = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_ESCAPE = (
    "a backslash in double quotes starts an escape, and this is none that YAML knows: "
    "use single quotes, or forward slashes in a path"
)
_VERSION = "only YAML 1.1 and 1.2 are read: remove this line"


class SyntaxStopError(Exception):
    """Reading ends here: `index` is the offset in the text, `message` what to tell the user."""

    def __init__(self, index: int, message: str) -> None:
        super().__init__(index, message)
        self.index = index
        self.message = message


def events(text: str) -> Iterator[yaml.Event]:
    """Yield the parser events of `text`; raise `SyntaxStopError` where it is no YAML.

    libyaml is asked first where PyYAML has it, being 18 times faster (0.02 instead of 0.3 s for 47 KB); its
    error messages are never used, and its answer only for text that both parsers read alike.
    """
    found = _FORBIDDEN.search(text)
    if found:
        raise SyntaxStopError(found.start(), _forbidden(found[0]))
    fast = _fast_events(text)
    yield from _slow_events(text) if fast is None else fast


def start(event: yaml.Event) -> int:
    """Return the offset of the first character of `event`."""
    return event.start_mark.index if event.start_mark else 0


def end(event: yaml.Event) -> int:
    """Return the offset behind the last character of `event`."""
    return event.end_mark.index if event.end_mark else 0


def _fast_events(text: str) -> list[yaml.Event] | None:
    if not yaml.__with_libyaml__ or _DIFFERS.search(text):
        return None
    try:
        return list(yaml.parse(text, Loader=yaml.CSafeLoader))
    except yaml.YAMLError:
        return None


def _slow_events(text: str) -> Iterator[yaml.Event]:
    loader = yaml.SafeLoader(text)
    try:
        while loader.check_event():
            yield loader.get_event()  # type: ignore[no-untyped-call]
    except yaml.MarkedYAMLError as error:
        raise SyntaxStopError(*_explain(error, text)) from None
    except (ValueError, OverflowError):
        # PyYAML converts the digits of "\U..." and of "%YAML 1.x" without looking at them
        escape = text.rfind("\\", max(0, loader.index - 2), loader.index)
        message = _VERSION if escape < 0 else _ESCAPE
        raise SyntaxStopError(max(escape, 0), message) from None


def _forbidden(character: str) -> str:
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:
        return f"U+{code:04X} is half a character: is this text really UTF-8?"
    escape = f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    return f"control character U+{code:04X} in the text: write it as {escape} inside double quotes"


class _Complaint(NamedTuple):
    """What PyYAML said and where: `at` is where it gave up, `opened` where the construct began."""

    problem: str
    context: str
    at: int
    opened: int


def _explain(error: yaml.MarkedYAMLError, text: str) -> tuple[int, str]:
    """Return the offset and the message for an error of the parser."""
    mark = error.problem_mark or error.context_mark
    at = mark.index if mark else 0
    opened = error.context_mark.index if error.context_mark else at
    said = _Complaint(str(error.problem), str(error.context), at, opened)
    return _explain_token(said, text) or _explain_quoted(said, text) or _explain_shape(said, text)


def _explain_token(said: _Complaint, text: str) -> tuple[int, str] | None:
    """Explain a character that may not start anything: tab, comparison, @, *, ..."""
    sign = text[said.opened : said.opened + 1]
    if "cannot start any token" in said.problem and sign == "\t":
        return said.opened, "tab character: use spaces"
    if _COMPARISON.match(text, said.opened):
        return said.opened, COMPARISON
    if "incompatible YAML" in said.problem:
        return said.at, _VERSION
    words = f"{said.context} {said.problem}"
    if re.search("cannot start|an alias|an anchor|a tag|directive|tag handle", words):
        return said.opened, f"text that starts with {sign} must be in quotes"
    if "block scalar" in said.context:
        return said.opened, f"after {sign} the text must start on the next line, or be in quotes"
    return None


def _explain_quoted(said: _Complaint, text: str) -> tuple[int, str] | None:
    """Explain what is wrong inside quotes."""
    if "escape" in said.problem:
        return text.rfind("\\", 0, said.at + 1), _ESCAPE
    if "quoted scalar" in said.context:
        return said.opened, "the quote opened here is never closed"
    return None


def _explain_shape(said: _Complaint, text: str) -> tuple[int, str]:
    """Explain brackets, colons and indentation; last resort: PyYAML's own words."""
    expects_key = "<block end>" in said.problem or "flow node" in said.context
    if expects_key and text[said.at : said.at + 1] == ":":
        return said.at, 'a key is missing before ":"'
    if "flow node" in said.context:
        return said.at, "a value is missing here"
    if "flow" in said.context:
        closing = "]" if text[said.opened : said.opened + 1] == "[" else "}"
        return said.opened, f'the bracket opened here needs "," between entries and "{closing}" at its end'
    if "expected ':'" in said.problem:
        return said.opened, 'expected "key: value": is the colon or the space after it missing?'
    if "mapping values" in said.problem:
        return said.at, 'a ":" does not belong here: put text with a colon in quotes, or check indentation'
    if "sequence entries" in said.problem:
        return said.at, 'a list item "- " must start on a line of its own'
    if "<scalar>" in said.problem and text[said.at - 1 : said.at] in {"'", '"'}:
        return said.at, "text after a closing quote: inside single quotes write a single quote twice"
    if "<block end>" in said.problem or "<document start>" in said.problem:
        return said.at, "this does not fit the lines above: check indentation and quotes"
    return said.at, f"not valid YAML: {quote(said.problem)}"
