"""Editions: what is wrong in a file of one's own, with its place; and where every value comes from."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

import strategies
from simcore import edition, provenance
from simcore.errors import InputError

GAMES = strategies.game_names()
DUEL = strategies.folder_of("hate-to-kill-you") / "editions" / "reconstruction.yaml"

SMALL = """game: hate-to-kill-you
edition: small
label: A small duel
rules:
  hits_to_win: 2
  cards: all
  same_character_twice: true
  hit_discard: 1
  tie_discard: 1
  after_round: 8
  round_cap: 50
  from: {hits_to_win: rulebook}
pace: {setup: 1, turn: 0, round: 2, from: derived}
dice:
  - {id: red, label: Red, start: 3, faces: [2, 1, 0], from: rulebook}
characters:
  - {id: one, label: One, from: "public: https://example.org/one"}
cards:
  - id: strike
    label: Strike
    deck: one
    rank: 2
    effects: [{op: reroll, count: 1, picker: owner}, {op: reroll, count: 2, from: public: https://example.org/two}]
    from: {effects: rulebook, effects.picker: derived}
""".replace("from: public: https://example.org/two", 'from: "public: https://example.org/two"')


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def load(text: str) -> edition.Edition:
    Path("mine.yaml").write_text(text, encoding="utf-8")
    model = strategies.game("hate-to-kill-you").components.Edition
    return edition.load(Path("mine.yaml"), model, [], "hate-to-kill-you")


def complaints(text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        load(text)
    return str(caught.value).split("\n")


HEAD = "game: hate-to-kill-you\nedition: small\nlabel: A small duel\n"
KNOWN = "known: rulebook, derived, public, reconstructed"
WRONG = [
    ("game: hate", "game: love", ["1:7: this edition is for 'love-to-kill-you', not for 'hate-to-kill-you'"]),
    ("edition: small", "edition: 5", ["2:10: 'edition' is missing, or no text"]),
    ("label: A small duel\n", "", ["1:1: 'label' is missing, or no text"]),
    (
        "label: A small",
        "lable: A small",
        [
            "1:1: 'label' is missing, or no text",
            "3:1: unknown key 'lable'; known: rules, pace, dice, characters, cards",
        ],
    ),
    ("  hits_to_win: 2\n", "", ["4:1: 'hits_to_win' is missing", "11:10: 'hits_to_win' is no field here"]),
    ("start: 3", "start: 13", ["15:34: start: got 13, expected a whole number from 0 to 12"]),
    ("start: 3", "start: 0", ["1:1: a player starts with 0 dice; 1 to 12 are possible"]),
    ("deck: one", "deck: two", ["21:11: deck 'two' is not known; known: all, one"]),
    ("id: red", "id: strike", ["19:9: the id 'strike' is used twice"]),
    ("id: red", "id: 5", ["15:10: id: got 5, expected an id of small letters, digits and hyphens"]),
    ("id: red, ", "", ["15:5: 'id' is missing"]),
    ("op: reroll, count: 2", "op: store", [
        "23:59: op 'store' is not known; did you mean \"restore\"? "
        "(known: cancel, discard, drop_card, reroll, restore, turn)"
    ]),
    ("from: rulebook}\n", "from: rulebok}\n", [
        f"15:61: source 'rulebok' is not known; did you mean \"rulebook\"? ({KNOWN})"
    ]),
    ("from: rulebook}\n", "from: 3}\n", [f"15:61: source '3' is not known; {KNOWN}"]),
    ('"public: https://example.org/one"', "public", ['17:33: a public source names its page: "public: https://..."']),
    ("effects.picker: derived", "effect.picker: derived", ["24:31: 'effect.picker' is no field here"]),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), WRONG)
def test_an_edition_file_that_is_wrong(old: str, new: str, expected: list[str]) -> None:
    assert SMALL.count(old) == 1
    assert complaints(SMALL.replace(old, new)) == [f"mine.yaml:{line}" for line in expected]


def test_an_edition_file_that_is_none() -> None:
    assert complaints("") == ["mine.yaml:1:1: the file is empty"]
    assert complaints("- 1\n") == ["mine.yaml:1:1: an edition is a mapping with the keys game, edition, label, ..."]
    missing = ("rules", "pace", "dice", "characters", "cards")
    assert complaints(HEAD) == [f"mine.yaml:1:1: '{key}' is missing" for key in missing]


def test_all_problems_of_an_edition_come_together() -> None:
    text = SMALL.replace("hits_to_win: 2", "hits_to_win: 0").replace("id: red", "id: Red").replace("rank: 2", "rank: x")
    assert complaints(text) == [
        "mine.yaml:5:16: hits_to_win: got 0, expected a whole number from 1 to 50",
        'mine.yaml:15:10: id: got "Red", expected an id of small letters, digits and hyphens',
        'mine.yaml:22:11: rank: got "x", expected a whole number from 1 to 20',
    ]


def test_the_closest_source_decides_and_what_has_none_is_reconstructed() -> None:
    sources = load(SMALL).sources
    assert {".".join(map(str, path)): source for path, source in sources.items() if path[0] in ("rules", "cards")} == {
        "rules.hits_to_win": "rulebook",
        **{
            f"rules.{name}": "reconstructed"
            for name in ("cards", "same_character_twice", "hit_discard", "tie_discard", "after_round", "round_cap")
        },
        **{f"cards.strike.{name}": "reconstructed" for name in ("label", "deck", "rank")},
        "cards.strike.effects.0.op": "rulebook",
        "cards.strike.effects.0.count": "rulebook",
        "cards.strike.effects.0.picker": "derived",
        "cards.strike.effects.1.op": "public: https://example.org/two",
        "cards.strike.effects.1.count": "public: https://example.org/two",
    }
    assert sources[("dice", "red", "faces", 1)] == "rulebook"
    assert sources[("characters", "one", "label")] == "public: https://example.org/one"
    n = Counter(provenance.kind(source) for source in sources.values())
    assert n == {"rulebook": 8, "derived": 4, "public": 3, "reconstructed": 9}
    assert load(SMALL).shares == {name: n[name] / 24 for name in provenance.SOURCES}


# ---------------------------------------------------------------- every shipped edition


def recount(node: Any, covers: list[tuple[list[str], int, str]], depth: int = 0) -> Counter[str]:
    """Count leaf values by source, straight from the YAML: `covers` are (rest of the path, closeness, source)."""
    if isinstance(node, dict):
        given = node.get("from", {})
        for fields, source in {"": given}.items() if isinstance(given, str) else given.items():
            rest = fields.split(".") if fields else []
            covers = [*covers, (rest, depth + len(rest), source)]
        total: Counter[str] = Counter()
        for key, value in node.items():
            if key not in ("from", "id"):
                inside = [(rest[1:], near, source) for rest, near, source in covers if not rest or rest[0] == key]
                total += recount(value, inside, depth + 1)
        return total
    if isinstance(node, list) and node:
        return sum((recount(item, covers, depth) for item in node), Counter())
    fitting = [(near, source) for rest, near, source in covers if not rest]
    return Counter([max(fitting)[1].partition(":")[0] if fitting else "reconstructed"])


def shipped() -> list[tuple[str, Path]]:
    return [(game, file) for game in GAMES for file in sorted((strategies.folder_of(game) / "editions").glob("*.yaml"))]


@pytest.mark.parametrize(("game", "file"), shipped(), ids=lambda value: getattr(value, "stem", value))
def test_shares_of_sources_sum_to_one_and_match_a_recount(game: str, file: Path) -> None:
    data = yaml.safe_load(file.read_text("utf-8"))
    for key in edition.HEADER:
        del data[key]
    expected = recount(data, [])
    found = edition.load(file, strategies.game(game).components.Edition, [], game)
    assert Counter(provenance.kind(source) for source in found.sources.values()) == expected
    assert found.shares == {name: expected[name] / expected.total() for name in provenance.SOURCES}
    assert sum(found.shares.values()) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("game", GAMES)
def test_no_component_has_a_field_that_a_change_could_not_name(game: str) -> None:
    components = strategies.game(game).components
    models = [m for m in vars(components).values() if isinstance(m, type) and issubclass(m, edition.Component)]
    assert models
    for model in models:
        assert not set(edition.RESERVED) & set(model.model_fields)
        assert not [name for name in model.model_fields if "." in name or name.isdigit()]
