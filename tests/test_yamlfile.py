"""Strict YAML: each rule with the exact place and words of its error, and what must be read unharmed."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from simcore import yamlfile
from simcore.errors import InputError
from simcore.yamlfile import Document, format_path, load, parse_path, parse_value
from simcore.yamlscalar import COMPARISON

Loader = Callable[[str | bytes], Document]


@pytest.fixture(params=["libyaml", "python"])
def read(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Loader:
    """Load text as `f.yaml`; each test runs with both parsers, which must agree to the letter."""
    monkeypatch.chdir(tmp_path)
    if request.param == "python":
        monkeypatch.setattr(yaml, "__with_libyaml__", False)

    def from_text(content: str | bytes) -> Document:
        Path("f.yaml").write_bytes(content.encode() if isinstance(content, str) else content)
        return load("f.yaml")

    return from_text


def complaints(call: Callable[[], object]) -> list[str]:
    with pytest.raises(InputError) as caught:
        call()
    return str(caught.value).split("\n")


TRUTH = 'YAML reads {0} as a truth value: write {1}, or "{0}" in quotes if text is meant'
EXPONENT = 'numbers with an exponent are not read: write {1}, or "{0}" in quotes if text is meant'
UNDERSCORE = 'numbers with an underscore are not read: write {1}, or "{0}" in quotes if text is meant'
BASED = 'only decimal numbers are read: write {1}, or "{0}" in quotes if text is meant'
LEADING_ZERO = 'a number with a leading zero could be octal: write {1}, or "{0}" in quotes if text is meant'
SPELLING = 'truth values are true and false: write {1}, or "{0}" in quotes if text is meant'
NULL = 'nothing at all is spelled null: write null, or "{0}" in quotes if text is meant'
FINITE = 'not a finite number: write a number, or "{0}" in quotes if text is meant'
COLON = 'write "{0}" in quotes: YAML reads numbers with a colon in base 60'
DATE = 'YAML reads this as a date: write "{0}" in quotes'
RANGE = "{0} does not fit in 64 bits; put it in quotes if it is a name"

WORDS = [
    *[(word, TRUTH, "false") for word in ("no", "No", "NO", "off", "Off", "n", "N")],
    *[(word, TRUTH, "true") for word in ("yes", "YES", "on", "On", "y", "Y")],
    *[(word, SPELLING, word.lower()) for word in ("TRUE", "FALSE", "tRue")],
    *[(word, NULL, "") for word in ("~", "Null", "NULL")],
    *[(word, COLON, "") for word in ("2:1", "1:30", "22:22", "-1:30.5", "2:75", "1:2:3")],
    *[("012", LEADING_ZERO, "12"), ("-007", LEADING_ZERO, "-7"), ("00", LEADING_ZERO, "0")],
    *[("08", LEADING_ZERO, "8"), ("01.5", LEADING_ZERO, "1.5")],
    *[("0x1F", BASED, "31"), ("0b1", BASED, "1"), ("0o17", BASED, "15"), ("-0xf_f", BASED, "-255")],
    ("0x" + "f" * 20, BASED, "the number in decimal"),
    *[("1_000", UNDERSCORE, "1000"), ("1_000.5", UNDERSCORE, "1000.5"), ("1_", UNDERSCORE, "1")],
    *[("1e3", EXPONENT, "1000"), ("1.0e3", EXPONENT, "1000"), ("1.0e+3", EXPONENT, "1000")],
    *[("1e-3", EXPONENT, "0.001"), (".5e1", EXPONENT, "5"), ("-2.5E-1", EXPONENT, "-0.25")],
    ("1e999999999999999999999", EXPONENT, "the number in full"),
    *[(word, FINITE, "") for word in (".nan", ".NaN", ".inf", "-.INF", "+.inf")],
    *[(word, DATE, "") for word in ("2024-01-01", "2024-1-1", "2024-01-01 10:00:00", "2024-01-01T10:00:00Z")],
    *[(str(number), RANGE, "") for number in (2**63, -(2**63) - 1)],
    ("9" * 5000, "99999999999999999999… does not fit in 64 bits; put it in quotes if it is a name", ""),
    ("9" * 400 + ".0", "99999999999999999999… is too large for a number", ""),
    ("=", 'a lone = means something else in YAML: write "=" in quotes', ""),
    ("<<", "merge keys (<<) are not supported: write the entries out", ""),
    *[(word, COMPARISON, "") for word in ("> 5", ">5", ">= 5", ">=5", ">= x", "<= 5", "< 5", "== 5", "=5")],
    *[(word, COMPARISON, "") for word in ("!= 5", "≥ 5", "≤5", "> .5", ">2\n  x")],
]


@pytest.mark.parametrize(("word", "message", "instead"), WORDS)
def test_a_word_that_could_be_misread_is_an_error(read: Loader, word: str, message: str, instead: str) -> None:
    expected = message.format(word, instead)
    assert complaints(lambda: read(f"# first line\nkey: {word}\n")) == [f"f.yaml:2:6: {expected}"]
    assert complaints(lambda: parse_value(word, "--set a.b")) == [f"--set a.b: {expected}"]


@pytest.mark.parametrize("word", ["no", "y", "2:1", "1e3", "012", "3", "0.5", "true", "null", "2024-01-01"])
def test_a_key_must_be_text(read: Loader, word: str) -> None:
    message = f'a key must be text, as "{word}" is only in quotes'
    assert complaints(lambda: read(f"a:\n  {word}: 1\n")) == [f"f.yaml:2:3: {message}"]
    assert read(f'a:\n  "{word}": 1\n').data == {"a": {word: 1}}


PLAIN = [
    *[("true", True), ("True", True), ("false", False), ("False", False), ("null", None)],
    *[("0", 0), ("-0", 0), ("+5", 5), ("-12", -12), (str(2**63 - 1), 2**63 - 1), (str(-(2**63)), -(2**63))],
    *[("1.5", 1.5), ("-0.5", -0.5), (".5", 0.5), ("-.5", -0.5), ("5.", 5.0), ("10.0", 10.0)],
    *[(word, word) for word in ("4d6", "3..8", "NaN", "inf", "BaNaNa", "my_file.py:name", "C:\\new\\x", "50%")],
    *[(word, word) for word in ("noon", "yesterday", "1e3x", "e3", "1.2.3", "2024-01", "٣", "Müller–Élan ⚔")],
    *[(f'"{word}"', word) for word in ("no", "2:1", "012", "1e3", "~", "Null", "=", ">= 5", "2024-01-01", "")],
    *[
        ("'C:\\new'", "C:\\new"),
        ('"C:\\\\new"', "C:\\new"),
        ('"\\x07\\0"', "\x07\0"),
        ('"\\U0001F3B2"', "🎲"),
    ],
]


@pytest.mark.parametrize(("text", "value"), PLAIN)
def test_what_is_clear_is_read_as_written(read: Loader, text: str, value: object) -> None:
    for found in (read(f"key: {text}\n").data["key"], read(f"- [{text}]").data[0][0], parse_value(text, "x")):
        assert (found, type(found)) == (value, type(value))


ESCAPE = (
    "a backslash in double quotes starts an escape, and this is none that YAML knows: "
    "use single quotes, or forward slashes in a path"
)
INDENT = "this does not fit the lines above: check indentation and quotes"
TABLE = [
    ("a: 1\nb: 2\na: 3\n", ['3:1: "a" is already set in line 1']),
    (
        "a: {b: 1,\n b: 2,\n b: 3}\n",
        ['2:2: "b" is already set in line 1', '3:2: "b" is already set in line 1'],
    ),
    ("a:\nb: 1\n", ['1:1: "a" has no value: write null if nothing is meant']),
    (
        "a: {b: , c}",
        [
            '1:5: "b" has no value: write null if nothing is meant',
            '1:10: "c" has no value: write null if nothing is meant',
        ],
    ),
    ("- 1\n-\n", ["2:2: this entry has no value: write null if nothing is meant"]),
    ("a: {x:3}\n", ['1:5: "x:3" has no value: a space is missing after the colon']),
    ("a: [1, , 2]\n", ["1:8: a value is missing here"]),
    (": 1\n", ['1:1: a key is missing before ":"']),
    ("{: 1}\n", ['1:2: a key is missing before ":"']),
    (
        "? [a]\n: no\n",
        ["1:3: a key must be text, not a list or a mapping", "2:3: " + TRUTH.format("no", "false")],
    ),
    ("a: |\nb: 1\n", ['1:4: after | a block of text must follow: write "" for an empty text']),
    ("a: | x\n", ["1:4: after | the text must start on the next line, or be in quotes"]),
    (
        "a: &x 1\nb: *x\n",
        ["1:4: anchors (&x) are not supported: remove this one; 1 more anchors or aliases follow"],
    ),
    (
        "a: &x [*x, *x]\n",
        ["1:4: anchors (&x) are not supported: remove this one; 2 more anchors or aliases follow"],
    ),
    ("a: *y\n", ["1:4: aliases (*y) are not supported: write the value again"]),
    ("*y : 1\n", ["1:1: aliases (*y) are not supported: write the value again"]),
    ("a:\n  <<: {b: 1}\n", ["2:3: merge keys (<<) are not supported: write the entries out"]),
    ("a: !foo 3\n", ['1:4: YAML tags are not supported: remove "!foo", or put the text in quotes']),
    ("a: ! 3\n", ['1:4: YAML tags are not supported: remove "!", or put the text in quotes']),
    ("a: !!str 3\n", ['1:4: YAML tags are not supported: remove "!!str", or put the text in quotes']),
    (
        "!!python/object:os.exit [1]\n",
        ['1:1: YAML tags are not supported: remove "!!python/object:os.exit", or put the text in quotes'],
    ),
    ("a: !x!y 3\n", ["1:4: text that starts with ! must be in quotes"]),
    ("a: *.py\n", ["1:4: text that starts with * must be in quotes"]),
    ("a: @x\n", ["1:4: text that starts with @ must be in quotes"]),
    ("a: `x`\n", ["1:4: text that starts with ` must be in quotes"]),
    ("a: %x\n", ["1:4: text that starts with % must be in quotes"]),
    ("a: [>= 5]\n", ["1:5: " + COMPARISON]),
    ("a: 1\n---\nb: 2\n", ["2:1: a second document starts here: one file holds one"]),
    ("a: 1\n...\nb: 2\n", ["3:1: " + INDENT]),
    ("\ta: 1\n", ["1:1: tab character: use spaces"]),
    ("a:\n\tb: 1\n", ["2:1: tab character: use spaces"]),
    ("a:\n  b: no\n\tc: 2\n", ["2:6: " + TRUTH.format("no", "false"), "3:1: tab character: use spaces"]),
    ("a: 1\t# note\n", ["1:5: tab character: use spaces"]),
    (
        'a: 1\nb: "C:\\new"\n',
        ["2:4: a backslash in double quotes starts an escape: use single quotes, or forward slashes in the path"],
    ),
    ('a: "C:\\Users"\n', ["1:7: " + ESCAPE]),
    ('a: "maps\\qew"\n', ["1:9: " + ESCAPE]),
    ('a: "\\UFFFFFFFF"\n', ["1:5: " + ESCAPE]),
    ('a: "\\ud800"\n', ["1:4: half a surrogate pair: write the character itself, or \\U and eight digits"]),
    ("a: 'Inigo's'\n", ["1:11: text after a closing quote: inside single quotes write a single quote twice"]),
    ('a: 1\nb: "x\nc: 2\n', ["2:4: the quote opened here is never closed"]),
    ("a: b: c\n", ['1:5: a ":" does not belong here: put text with a colon in quotes, or check indentation']),
    (
        "a: 1\n b: 2\n",
        ['2:3: a ":" does not belong here: put text with a colon in quotes, or check indentation'],
    ),
    ("a: 1\nb\nc: 2\n", ['2:1: expected "key: value": is the colon or the space after it missing?']),
    ("a: - b\n", ['1:4: a list item "- " must start on a line of its own']),
    ("a: [1, 2\nb: 3\n", ['1:4: the bracket opened here needs "," between entries and "]" at its end']),
    ("a: {b: 1\n", ['1:4: the bracket opened here needs "," between entries and "}" at its end']),
    ("a:\n  - x\n  y: 1\n", ["3:3: " + INDENT]),
    ("  a: 1\nb: 2\n", ["2:1: " + INDENT]),
    ("%YAML 1." + "9" * 5000 + "\n---\na: 1\n", ["1:1: only YAML 1.1 and 1.2 are read: remove this line"]),
    ("%YAML 2.0\n---\na: 1\n", ["1:1: only YAML 1.1 and 1.2 are read: remove this line"]),
    ('a: "\x07"\n', ["1:5: control character U+0007 in the text: write it as \\x07 inside double quotes"]),
    (
        "a: 1\nb: \ufffe\n",
        ["2:4: control character U+FFFE in the text: write it as \\ufffe inside double quotes"],
    ),
    ("a: " + "[" * 100 + "]" * 100, ["1:103: nested deeper than 100 levels"]),
    ("[" * 1_000_000, ["1:101: nested deeper than 100 levels"]),
    ("- " * 20_000, ["1:201: nested deeper than 100 levels"]),
    (
        "? " * 5_000,
        [
            "1:3: a key must be text, not a list or a mapping",
            "1:10001: this entry has no value: write null if nothing is meant",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), TABLE, ids=[repr(text[:30]) for text, _ in TABLE])
def test_an_error_names_its_line_and_column_and_says_what_to_write(
    read: Loader, text: str, expected: list[str]
) -> None:
    assert complaints(lambda: read(text)) == [f"f.yaml:{line}" for line in expected]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", ["f.yaml:1:1: the file is empty"]),
        (b" \n\n", ["f.yaml:1:1: the file is empty"]),
        (b"\xef\xbb\xbf", ["f.yaml:1:1: the file is empty"]),
        (b"# only\n# this\n", ["f.yaml:1:1: the file holds no data, only comments or markers"]),
        (b"---\n", ["f.yaml:1:1: the file holds no data, only comments or markers"]),
        (b"a: \0\n", ["f.yaml:1:4: holds NUL bytes, so it is no text in UTF-8: is this a YAML file?"]),
        ("a: 1\n".encode("utf-16"), ["f.yaml:1:1: saved as UTF-16 or UTF-32: save the file as UTF-8"]),
        ("a: 1\n".encode("utf-32"), ["f.yaml:1:1: saved as UTF-16 or UTF-32: save the file as UTF-8"]),
        (
            "a: 1\r\nb: Élan Müller\n".encode("latin-1"),
            ['f.yaml:2:4: byte 0xC9 at offset 9 is not UTF-8 ("É" in Latin-1): save the file as UTF-8'],
        ),
        (
            "\ufeffa: é".encode() + b"\x81",
            ["f.yaml:1:5: byte 0x81 at offset 8 is not UTF-8: save the file as UTF-8"],
        ),
        (b"#" * 4_000_001, ["f.yaml: larger than 4 MB, which no file of ours is"]),
    ],
    ids=lambda value: repr(value[:12]),
)
def test_a_file_that_is_no_text_is_named_as_what_it_is(read: Loader, content: bytes, expected: list[str]) -> None:
    assert complaints(lambda: read(content)) == expected


def test_a_file_that_cannot_be_opened_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("file").write_text("a: 1", encoding="utf-8")
    assert complaints(lambda: load("none.yaml")) == ["none.yaml: no such file"]
    assert complaints(lambda: load("folder")) == ["folder: this is a folder, not a file"]
    assert complaints(lambda: load("file/x.yaml")) == ["file/x.yaml: cannot be read: Not a directory"]
    assert complaints(lambda: load("a\0b")) == ["a\\x00b: cannot be read: embedded null byte"]

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    # the test may run as root, who may read everything
    monkeypatch.setattr("builtins.open", refuse)
    assert complaints(lambda: load("file")) == ["file: cannot be read: Permission denied"]


def test_byte_order_mark_line_ends_and_any_script_are_fine(read: Loader) -> None:
    text = "\ufeff# ⚔\r\nname: Müller–Élan ⚔\rdice: [🎲, 4d6]\nodds: no\n"
    assert complaints(lambda: read(text)) == ["f.yaml:4:7: " + TRUTH.format("no", "false")]
    expected = {"name": "Müller–Élan ⚔", "dice": ["🎲", "4d6"], "odds": "no"}
    assert read(text.replace(" no", ' "no"')).data == expected


def test_the_largest_file_and_the_deepest_nesting_are_still_read(read: Loader) -> None:
    assert read("a: 1\n#" + "x" * (yamlfile.LARGEST_FILE - 6)).data == {"a": 1}
    data = read("[" * 100 + "1" + "]" * 100).data
    for _ in range(100):
        (data,) = data
    assert data == 1


def test_all_problems_of_a_file_come_together_in_order(read: Loader) -> None:
    lines = complaints(lambda: read("a: no\nb: [2:1, 012]\na: 1e3\nc:\n  d: @\n"))
    assert [line.split(": ")[0] for line in lines] == [
        f"f.yaml:{at}" for at in ("1:4", "2:5", "2:10", "3:1", "3:4", "5:6")
    ]


def test_only_line_ends_that_editors_know_are_counted(read: Loader) -> None:
    assert complaints(lambda: read('a: "x\u2028y"\nb: no\n')) == ["f.yaml:2:4: " + TRUTH.format("no", "false")]


SEATS = "game: duel\nseats:\n  - strategy: rusher\n    params: {calm: 0.5}\n  - strategy: random\n"


@pytest.mark.parametrize(
    ("path", "key", "place"),
    [
        (("game",), False, (1, 7)),
        (("game",), True, (1, 1)),
        (("seats",), False, (3, 3)),
        (("seats",), True, (2, 1)),
        (("seats", 0), False, (3, 5)),
        (("seats", 1, "strategy"), False, (5, 15)),
        (("seats", 1, "strategy"), True, (5, 5)),
        (("seats", 0, "params", "calm"), False, (4, 20)),
        (("seats", 0, "params", "calm"), True, (4, 14)),
        ((), False, (1, 1)),
        # not in the file: the key of what should hold it
        (("seats", 0, "params", "bold"), False, (4, 5)),
        (("seats", 7, "strategy"), False, (2, 1)),
        (("rules", "cap"), False, (1, 1)),
    ],
)
def test_every_key_and_value_has_its_place(
    read: Loader, path: tuple[str | int, ...], key: bool, place: tuple[int, int]
) -> None:
    document = read(SEATS)
    assert document.where(path, key=key) == place
    assert str(document.problem(path, "odd", key=key)) == f"f.yaml:{place[0]}:{place[1]}: odd"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[2,2,1,0,0,0]", [2, 2, 1, 0, 0, 0]),
        ("{a: [1, {b: x}]}", {"a": [1, {"b": "x"}]}),
        (" 5 ", 5),
        ("a,b", "a,b"),
        ("'a: b # c'", "a: b # c"),
    ],
)
def test_values_on_the_command_line_may_be_lists_and_mappings(text: str, value: object) -> None:
    assert parse_value(text, "--set x") == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", 'no value: write "" for an empty text, null for nothing'),
        ("# 1", 'no value: write "" for an empty text, null for nothing'),
        ("Duel: the film", "write {a: b} for a mapping, or put the text in quotes"),
        ("- 1", "write [a, b] for a list, or put the text in quotes"),
        ("seat # 1", "the end would be read as a comment: put the value in quotes"),
        ("[1] # 1", "the end would be read as a comment: put the value in quotes"),
        ("{a: 1, a: 2}", '"a" is already set'),
        ("[1, 2", 'the bracket opened here needs "," between entries and "]" at its end'),
        ("a\n---\nb", "a second document starts here: one file holds one"),
        ("\udce9", "U+DCE9 is half a character: is this text really UTF-8?"),
    ],
)
def test_a_value_on_the_command_line_is_one_value(text: str, message: str) -> None:
    assert complaints(lambda: parse_value(text, "--set x")) == [f"--set x: {message}"]


def test_paths_are_names_and_numbers_between_dots() -> None:
    assert parse_path("seats.1.strategy") == ("seats", 1, "strategy")
    assert parse_path("rules.hits_to_win") == ("rules", "hits_to_win")
    assert parse_path("a.²." + "9" * 5000) == ("a", "²", "9" * 5000)
    assert format_path(parse_path("seats.1.strategy")) == "seats.1.strategy"


@pytest.mark.parametrize("text", ["a..b", ".a", "a."])
def test_a_path_has_no_empty_part(text: str) -> None:
    ending = "a name is missing beside a dot: write it like seats.1.strategy"
    assert complaints(lambda: parse_path(text)) == [f'path "{text}": {ending}']
    assert complaints(lambda: parse_path("", "--set")) == ["--set: the path is empty: write it like seats.1.strategy"]
