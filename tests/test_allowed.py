"""What a model allows, in words, for kinds of fields that no game of ours need have."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field, ValidationError, model_validator

from simcore import allowed
from simcore.edition import Component, Element, Id, Model, require


class Small(Element):
    op: Literal["small"]
    size: Annotated[int, Field(gt=0)] = 1


class Turn(Element):
    """Turns something.

    At length.
    """

    op: Literal["turn"]
    turn: int


class Thing(Component):
    """A thing."""

    share: Annotated[float, Field(ge=0, le=1, description="of all")] = 0.5
    least: Annotated[int, Field(ge=3)] = 3
    most: Annotated[int, Field(lt=10)] = 1
    any_number: int = 0
    on: bool = False
    kind_of: Literal["a", "b", "c"] = "a"
    maybe: Annotated[int, Field(ge=1, le=2)] | None = None
    pair: Annotated[list[int], Field(min_length=2, max_length=2)] = [0, 0]
    names: list[Id] | Literal["any"] = "any"
    costs: dict[str, int] = {}
    parts: list[Annotated[Small | Turn, Field(discriminator="op")]] = []

    @model_validator(mode="after")
    def _check(self) -> Thing:
        if self.any_number == 13:
            raise ValueError("13 is bad luck, as everybody knows")
        require(self.any_number != 14, "14 is no better")
        return self


class Box(Model):
    things: list[Thing]


WORDS = {
    "id": "an id of small letters, digits and hyphens",
    "label": "a text of 1 to 300 characters",
    "share": "a number from 0 to 1",
    "least": "a whole number of at least 3",
    "most": "a whole number of at most 9",
    "any_number": "a whole number",
    "on": "true or false",
    "kind_of": "one of a, b, c",
    "maybe": "a whole number from 1 to 2",
    "pair": "a list of 2",
    "names": "a list, or any",
    "costs": "a mapping",
    "parts": "a list",
}


def test_every_field_has_words() -> None:
    part = allowed.describe(Box, "things", 0)
    assert {field.name: field.words for field in part.fields} == WORDS
    assert (part.name, part.description) == ("Thing", "A thing.")


def test_every_field_has_a_type_a_range_and_a_default() -> None:
    fields = {field.name: field for field in allowed.describe(Thing).fields}
    assert {name: field.type for name, field in fields.items()} == {
        "id": "text", "label": "text", "share": "number", "least": "integer", "most": "integer",
        "any_number": "integer", "on": "boolean", "kind_of": "choice", "maybe": "integer", "pair": "list",
        "names": "several", "costs": "mapping", "parts": "list",
    }  # fmt: skip
    ranges = {name: (fields[name].low, fields[name].high) for name in ("share", "least", "most", "any_number", "pair")}
    assert ranges == {
        "share": (0, 1), "least": (3, None), "most": (None, 9), "any_number": (None, None), "pair": (2, 2),
    }  # fmt: skip
    assert (fields["on"].values, fields["kind_of"].values) == ((True, False), ("a", "b", "c"))
    assert (fields["share"].default, fields["share"].description) == (0.5, "of all")
    assert [name for name, field in fields.items() if field.required] == ["id", "label"]


def test_the_parts_of_a_list_are_named_by_their_constant() -> None:
    found = list(allowed.parts(Box, "things", 0))
    assert [(field, part.name, part.description) for field, part in found] == [
        ("parts", "small", ""),
        ("parts", "turn", "Turns something."),
    ]


def complaints(**fields: Any) -> list[tuple[str, str, bool]]:
    data = {"things": [{"id": "first", "label": "First"}, {"id": "x", "label": "X", **fields}]}
    with pytest.raises(ValidationError) as caught:
        Box.model_validate(data)
    faults = allowed.faults(caught.value, Box, data)
    return [(".".join(map(str, fault.path)), fault.message, fault.on_key) for fault in faults]


VALUES: list[tuple[str, Any, str]] = [
    ("share", 2, "2"),
    ("share", "half", '"half"'),
    ("share", True, "true"),
    ("least", 2, "2"),
    ("most", 10, "10"),
    ("any_number", None, "null"),
    ("any_number", 1.0, "1.0"),
    ("on", 1, "1"),
    ("kind_of", "d", '"d"'),
    ("maybe", 3, "3"),
    ("pair", [1], "a list of 1"),
    ("pair", 5, "5"),
    ("names", 5, "5"),
    ("costs", [], "a list of 0"),
    ("label", "x" * 301, f'"{"x" * 59}…"'),
]


@pytest.mark.parametrize(("name", "value", "shown"), VALUES)
def test_a_wrong_value_is_shown_with_what_was_expected(name: str, value: Any, shown: str) -> None:
    message = f"{name}: got {shown}, expected {WORDS[name]}"
    assert complaints(**{name: value}) == [(f"things.1.{name}", message, False)]


def test_a_number_that_is_none_is_wrong() -> None:
    for value in (math.nan, math.inf):
        assert [message.partition(",")[2] for _, message, _ in complaints(share=value)] == [
            " expected a number from 0 to 1"
        ]


def test_inside_lists_positions_count_from_one_and_the_deepest_complaint_counts() -> None:
    assert complaints(names=["a", "B"]) == [("things.1.names.1", f'names.2: got "B", expected {WORDS["id"]}', False)]
    assert complaints(pair=[1, "x"]) == [("things.1.pair.1", 'pair.2: got "x", expected a whole number', False)]
    assert complaints(costs={"wood": "x"}) == [("things.1.costs.wood", 'wood: got "x", expected a whole number', False)]


def test_parts_are_told_apart_by_their_constant() -> None:
    known = "(known: small, turn)"
    assert complaints(parts=[{"op": "smal"}]) == [
        ("things.1.parts.0.op", f"op 'smal' is not known; did you mean \"small\"? {known}", False)
    ]
    assert complaints(parts=[{"size": 1}]) == [("things.1.parts.0.op", "'op' is missing", False)]
    assert complaints(parts=[5]) == [("things.1.parts.0", "parts.1: got 5, expected a mapping", False)]
    # the field has the name of its constant
    assert complaints(parts=[{"op": "turn", "turn": "x"}]) == [
        ("things.1.parts.0.turn", 'turn: got "x", expected a whole number', False)
    ]
    assert complaints(parts=[{"op": "turn", "turn": 1, "trun": 2}]) == [
        ("things.1.parts.0.trun", "unknown key 'trun'; did you mean \"turn\"? (known: op, turn)", True)
    ]


def test_a_check_of_the_model_speaks_for_itself() -> None:
    assert complaints(any_number=13) == [("things.1", "13 is bad luck, as everybody knows", False)]
    assert complaints(any_number=14) == [("things.1", "14 is no better", False)]
