"""Properties of reading and writing YAML that must hold for any data, any bytes and any text."""

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from simcore import yamlsyntax
from simcore.errors import InputError
from simcore.yamlfile import _decode, dump, parse_value
from simcore.yamltree import Source, read_tree


def test_dumped_text_is_meant_for_people() -> None:
    data = {
        "label": "Müller–Élan ⚔",
        "seats": [{"strategy": "rusher", "params": {}}, {"strategy": "no", "params": {"calm": 1e-5}}],
        "odds": ["2:1", 1, True, None],
        "grid": [[1, 2], []],
        "notes": "two\nlines",
    }
    assert dump(data) == (
        'label: "Müller–Élan ⚔"\nseats:\n  - strategy: rusher\n    params: {}\n'
        '  - strategy: "no"\n    params:\n      calm: 0.00001\n'
        'odds: ["2:1", 1, true, null]\ngrid:\n  - [1, 2]\n  - []\nnotes: "two\\nlines"\n'
    )


@pytest.mark.parametrize("data", [{1: 2}, {"a": {1, 2}}, [b"x"], float("nan"), float("inf"), 2**63, "\ud800"])
def test_what_no_file_can_hold_is_not_dumped(data: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        dump(data)


WORDS = "no Off y ~ null Null True 2:1 012 0x1F 1_000 1e3 1.0e+3 .nan NaN 5 -.5 2024-01-01 = << >=5 >5 !x &x *x"
PHRASES = [
    "",
    " ",
    "a: b",
    "a #b",
    "- a",
    "[a]",
    "{a}",
    "'",
    "C:\\new",
    "A:\nb",
    'A:"b"',
    "x" * 2000,
    "Élan ⚔",
]
UNSEEN = ["\x85", "\u2028", "\ufeff", "\x7f", "\x00", "\xa0", "\ufffe"]
TRICKY = st.sampled_from(WORDS.split() + PHRASES + UNSEEN)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | TRICKY
)
DATA = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text() | TRICKY, inner, max_size=5),
    max_leaves=20,
)


def read_alone(content: bytes) -> Any:
    """Return the data of one file, for tests that hypothesis runs many times."""
    return read_tree(Source("f.yaml", _decode("f.yaml", content))).data


@settings(deadline=None, derandomize=True, max_examples=300)
@given(DATA)
def test_what_was_dumped_loads_as_equal_data(data: Any) -> None:
    # repr, because 1 == 1.0 == True and 0.0 == -0.0
    assert repr(read_alone(dump(data).encode())) == repr(data)


SIGNS = r"""a b 1 0 [ ] { } : ' | > # ~ = @ ` % ! . - \ " '' "" &x *x !t |2 2:1 é ⚔ 🎲"""
SPACED = ["k: ", "- ", "? ", ": ", ", ", "<<: ", " #", "---\n", "...\n", "|\n", ">-\n", "\n  ", "\n    ", " "]
BREAKS = ["\n", "\r\n", "\r", "\t", "\u2028", "\x85", "\ufeff", "\x00"]
SNIPPETS = st.sampled_from(SIGNS.split() + SPACED + BREAKS)
YAML_LIKE = st.lists(SNIPPETS, max_size=16).map("".join)


@settings(deadline=None, derandomize=True, max_examples=500)
@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode) | YAML_LIKE.map(str.encode))
def test_any_bytes_give_data_or_an_input_error(content: bytes) -> None:
    try:
        data = read_alone(content)
    except InputError as error:
        assert error.problems
        assert all(line.startswith("f.yaml:") for line in str(error).split("\n"))
    else:
        assert repr(read_alone(dump(data).encode())) == repr(data)


@settings(deadline=None, derandomize=True, max_examples=500)
@given(st.text(st.characters()) | YAML_LIKE)
def test_any_text_gives_a_value_or_an_input_error(text: str) -> None:
    try:
        parse_value(text, "--set x")
    except InputError as error:
        assert all(str(problem).startswith("--set x: ") for problem in error.problems)


def shape(event: yaml.Event) -> tuple[object, ...]:
    style, value = getattr(event, "style", None) or "", getattr(event, "value", None)
    # a missing value is an error placed at its key, so where the parser puts it does not matter
    place = -1 if value == style == "" else yamlsyntax.start(event)
    extras = [getattr(event, name, None) for name in ("tag", "anchor")]
    return (type(event), place, style, value, bool(getattr(event, "flow_style", None)), *extras)


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="needs a PyYAML with libyaml")
@settings(deadline=None, derandomize=True, max_examples=1000)
@given(YAML_LIKE)
def test_the_fast_parser_is_believed_only_where_the_slow_one_agrees(text: str) -> None:
    fast = yamlsyntax._fast_events(text) if not yamlsyntax._FORBIDDEN.search(text) else None
    if fast is not None:
        assert [shape(event) for event in fast] == [shape(event) for event in yamlsyntax._slow_events(text)]
