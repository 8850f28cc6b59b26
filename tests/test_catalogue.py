"""`balance list` and `balance show`: complete, true to the models and the edition, readable at 80 columns."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

import console
import strategies
from reference import duel_cards
from reports import catalogue as pages
from simcore import catalogue, provenance
from simcore.catalogue import first_sentence, game_facts, listing
from simcore.errors import InputError

ROOT = Path(__file__).parent.parent
SCENARIOS = ROOT / "scenarios"
GAMES = strategies.game_names()
DUEL = "hate-to-kill-you"


def facts_of(game: str) -> dict[str, Any]:
    return game_facts(game, "reconstruction", strategies)


def balance(*arguments: str) -> console.Done:
    return console.balance(ROOT, *arguments)


# ---------------------------------------------------------------- show, as data


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_switch_has_a_type_a_range_and_the_default_of_the_edition(game: str) -> None:
    shown = balance("show", game, "--json")
    assert shown.returncode == 0
    rules = {rule["name"]: rule for rule in json.loads(shown.stdout)["rules"]}
    found = strategies.game(game)
    model = found.components.Edition.model_fields["rules"].annotation
    assert list(rules) == list(model.model_fields)
    values = facts_of(game)["rules"]
    assert [rule["default"] for rule in rules.values()] == [rule["default"] for rule in values]
    for rule in rules.values():
        assert rule["description"]
        assert rule["from"] in provenance.SOURCES
        if rule["type"] in ("integer", "number"):
            assert rule["low"] <= rule["default"] <= rule["high"]
        else:
            assert rule["type"] in ("boolean", "choice", "several")
            assert rule["default"] in rule["values"] or rule["type"] == "several"
            assert rule["words"]


@pytest.mark.parametrize("game", GAMES)
def test_a_rule_takes_exactly_the_values_that_are_shown(game: str) -> None:
    model = strategies.game(game).components.Edition.model_fields["rules"].annotation
    defaults = {rule["name"]: rule["default"] for rule in facts_of(game)["rules"]}
    for rule in facts_of(game)["rules"]:
        inside, outside = {
            "integer": lambda rule: ([rule["low"], rule["high"]], [rule["low"] - 1, rule["high"] + 1, True]),
            "several": lambda rule: ([rule["default"], [rule["default"]]], ["no such value", 0, True]),
        }.get(rule["type"], lambda rule: (rule["values"], ["no such value", 7]))(rule)
        for value in inside:
            model.model_validate({**defaults, rule["name"]: value})
        for value in outside:
            with pytest.raises(ValueError, match=rule["name"]):
                model.model_validate({**defaults, rule["name"]: value})


@pytest.mark.parametrize("game", GAMES)
def test_shares_sum_to_one_and_match_a_recount_of_all_values_shown(game: str) -> None:
    facts = facts_of(game)
    counts = Counter(rule["from"] for rule in facts["rules"])
    for holder in [*facts["settings"], *(e for kind in facts["components"] for e in kind["elements"])]:
        counts.update(holder["sources"].values())
    assert facts["provenance"] == {name: counts[name] / counts.total() for name in provenance.SOURCES}
    assert sum(facts["provenance"].values()) == pytest.approx(1, abs=1e-12)


def value_at(values: Any, path: str) -> Any:
    for part in path.split("."):
        values = values[int(part) - 1] if part.isdigit() else values[part]
    return values


@pytest.mark.parametrize("game", GAMES)
def test_every_source_belongs_to_a_value_that_is_shown(game: str) -> None:
    for kind in facts_of(game)["components"]:
        fields = [field["name"] for field in kind["fields"]]
        for element in kind["elements"]:
            assert [*catalogue.NAMES, *element["values"]] == fields
            for path in element["sources"]:
                assert not isinstance(value_at({"label": element["label"], **element["values"]}, path), dict)


@pytest.mark.parametrize("game", GAMES)
def test_everything_that_is_shown_is_explained(game: str) -> None:
    facts = facts_of(game)
    assert facts["label"] and facts["summary"] and facts["decisions"] and facts["metrics"] and facts["reasons"]
    for part in ("decisions", "features", "metrics", "strategies"):
        assert all(item["name"] and item["description"] for item in facts[part]), part
    for strategy in facts["strategies"]:
        for parameter in strategy["parameters"]:
            assert parameter["description"]
            assert parameter["low"] <= parameter["default"] <= parameter["high"]
    assert [s["name"] for s in facts["strategies"] if s["game"] is None] == ["random", "weights", "lookahead"]
    assert facts["roles"] and all(decision["role"] in facts["roles"] for decision in facts["decisions"])
    for seats in facts["seats"]:
        assert sorted(seat for side in seats["sides"] for seat in side) == list(range(1, seats["count"] + 1))
        assert seats["rotations"] >= 1
    assert len({element["id"] for kind in facts["components"] for element in kind["elements"]}) == sum(
        len(kind["elements"]) for kind in facts["components"]
    )


def test_show_prints_strict_json_with_a_schema() -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    shown = balance("show", DUEL, "--json")
    assert json.loads(shown.stdout, parse_constant=refuse) == facts_of(DUEL)
    assert json.loads(shown.stdout)["schema"] == "balance.game/1"
    assert shown.stderr == ""


# ---------------------------------------------------------------- the duel, against a second transcription

FACES = {"blank": 0, "one": 1, "two": 2}
IDS = {"sporting": "sporting-start"}
NOT_PACKED = ("bluff_exempt", "picker")  # true of the primitive itself


def plain_effect(effect: dict[str, Any]) -> dict[str, Any]:
    """Return an effect of the reference in the words of an edition."""
    known = {**effect, "op": effect["op"]}
    if known["op"] in ("restore", "drop_card"):
        known = {key: value for key, value in known.items() if key not in NOT_PACKED}
    if isinstance(known.get("faces"), list):
        known["faces"] = [FACES[face] for face in known["faces"]]
    if "to" in known:
        known["to"] = FACES[known["to"]]
    return known


def elements(kind: str) -> list[dict[str, Any]]:
    return next(each["elements"] for each in facts_of(DUEL)["components"] if each["kind"] == kind)


def test_the_cards_of_the_duel_are_those_of_the_second_transcription() -> None:
    assert [character["id"] for character in elements("characters")] == list(duel_cards.DECKS)
    for character, deck in duel_cards.DECKS.items():
        shown = [card for card in elements("cards") if card["values"]["deck"] in (character, "all")]
        assert [card["id"] for card in shown] == [IDS.get(card["id"], card["id"]) for card in deck]
        assert [card["id"] for card in shown] == [card["label"].lower().replace(" ", "-") for card in shown]
        for found, expected in zip(shown, deck, strict=True):
            assert found["values"]["rank"] == expected["rank"]
            assert found["values"]["returns_to_hand"] == expected["returns_to_hand"]
            assert len(found["values"]["effects"]) == len(expected["effects"])
            for effect, wanted in zip(found["values"]["effects"], map(plain_effect, expected["effects"]), strict=True):
                # what the reference leaves out is the default: exactly as many dice as `count` says
                assert {"up_to": False, **wanted} == {"up_to": False, **effect}, found["id"]


def test_the_dice_and_rules_of_the_duel_are_those_of_the_second_transcription() -> None:
    dice = [{"id": die["id"], **die["values"]} for die in elements("dice")]
    assert dice == duel_cards.DICE
    rules = {rule["name"]: rule["default"] for rule in facts_of(DUEL)["rules"]}
    assert {name: rules[name] for name in duel_cards.RULES} == duel_cards.RULES
    assert set(rules) - set(duel_cards.RULES) == {"same_character_twice"}


# ---------------------------------------------------------------- show, as text


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_a_game_names_everything_and_fits_its_width(game: str) -> None:
    facts = facts_of(game)
    for width in (80, 100):
        page = pages.game_page(facts, width)
        lines = page.splitlines()
        addresses = [line for line in lines if "://" in line or line.endswith(".yaml")]
        assert [line for line in lines if cell_len(line) > width and line not in addresses] == []
        named = [r["name"] for r in facts["rules"]] + [e["id"] for k in facts["components"] for e in k["elements"]]
        named += [item["name"] for part in ("features", "metrics", "strategies", "decisions") for item in facts[part]]
        for name in named:
            assert re.search(rf"^ +(\S+ +)*{re.escape(name)}( |$)", page, re.MULTILINE), name
    assert "\x1b" not in page
    assert "\x1b[1m" in pages.game_page(facts, colour=True)
    assert pages.game_page(facts, ascii=True).isascii()


CARDS = [
    "     2  Leap               leap               R·   discard opponent 1 faces [0]",
    "     4  Thibault Defense   thibault-defense   RD·  reroll own up to 1 colours",
    "     6  Lunge              lunge              ·    reroll own up to 2 faces [0]",
    "     3  Bonetti Defense    bonetti-defense    R·   reroll own up to all",
    "     7  Footwork           footwork           ·    turn own 1 faces [0] to 1",
    "     1  Parry              parry              ·    cancel",
    "     3  Cold Study         cold-study         ·    drop card 1 choice random",
    "     –  Bluff              bluff              R·   returns to hand",
    "  The Man in Black (deck: man-in-black)",
    "      2  Red die     red     R  faces 2 2 1 0 0 0",
    "  Fezzik              fezzik        ·",
    "  hits_to_win                 5  1 to 50      R  hits that end the game",
    "  cards                     all  all, none    R  none: the dice decide alone",
]


@pytest.mark.parametrize("line", CARDS)
def test_a_component_is_one_line_of_words_and_a_mark(line: str) -> None:
    assert line in pages.game_page(facts_of(DUEL)).splitlines()


def test_what_has_no_room_beside_a_component_goes_below_it() -> None:
    narrow, wide = (pages.game_page(facts_of("as-you-wish"), width=width).splitlines() for width in (80, 130))
    at = narrow.index("      14       1       1  Hauled out of the water         quest-14  RD·")
    assert narrow[at + 1] == " " * 26 + "spine dark, pictured fezzik buttercup"
    assert any(line.endswith("quest-14  RD·  spine dark, pictured fezzik buttercup") for line in wide)
    assert "  Count Rugen         rugen        R   fight points 2, more than 6, then might" in narrow


def test_a_hostile_name_breaks_no_line() -> None:
    facts = facts_of(DUEL)
    facts["components"][0]["elements"][0]["label"] = "Müller–Élan ⚔\n\x1b[31m" + "x" * 300
    facts["label"] = "a\tb\u202e" + "y " * 200
    page = pages.game_page(facts)
    assert "\x1b" not in page and "\u202e" not in page and "\t" not in page
    assert max(cell_len(line) for line in page.splitlines() if "://" not in line and "/" not in line) <= 80


# ---------------------------------------------------------------- wrong names


def test_an_unknown_game_or_edition_is_the_users_error_with_a_suggestion(tmp_path: Path) -> None:
    wrong = balance("show", "hate-to-kil-you")
    known = f"(known: {', '.join(GAMES)})"
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == (
        f"balance show: game 'hate-to-kil-you' is not known; did you mean \"hate-to-kill-you\"? {known}\n"
    )
    with pytest.raises(InputError, match=r"^--edition: edition 'reconstructon' is not known; did you mean"):
        game_facts(DUEL, "reconstructon", strategies)
    with pytest.raises(InputError, match=r"^--edition: edition '\./mine\.yaml': no such file$"):
        game_facts(DUEL, "./mine.yaml", strategies, tmp_path)
    (tmp_path / "mine.yaml").write_text("game: [\n")
    with pytest.raises(InputError, match=r"mine\.yaml:2:1: "):
        game_facts(DUEL, "./mine.yaml", strategies, tmp_path)


def test_an_edition_of_ones_own_is_shown_from_its_file(tmp_path: Path) -> None:
    text = Path(facts_of(DUEL)["edition"]["file"]).read_text("utf-8")
    (tmp_path / "mine.yaml").write_text(
        text.replace("edition: reconstruction", "edition: mine").replace("rank: 6", "rank: 5")
    )
    shown = game_facts(DUEL, "./mine.yaml", strategies, tmp_path)
    assert shown["edition"]["name"] == "mine"
    cards = next(kind["elements"] for kind in shown["components"] if kind["kind"] == "cards")
    assert 6 not in {card["values"]["rank"] for card in cards}
    assert 6 in {card["values"]["rank"] for card in elements("cards")}


# ---------------------------------------------------------------- list


def test_the_list_holds_every_game_strategy_and_scenario() -> None:
    found = json.loads(balance("list", "--json").stdout)
    assert found == listing(strategies, SCENARIOS)
    assert found["schema"] == "balance.list/1"
    assert [game["id"] for game in found["games"]] == GAMES
    assert all(game["label"] and game["seats"] and game["summary"] and game["error"] is None for game in found["games"])
    names = [f"{file.parent.name}/{file.stem}" for file in sorted(SCENARIOS.glob("*/*.yaml"))]
    assert [scenario["name"] for scenario in found["scenarios"]] == names
    listed = Counter((strategy["game"], strategy["name"]) for strategy in found["strategies"])
    marked = Counter(
        (None if file.stem == "generic" else file.stem.replace("_", "-"), node.name)
        for file in (ROOT / "strategies").glob("*.py")
        for node in ast.parse(file.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(d).startswith("strategy(") for d in node.decorator_list)
    )
    assert listed == marked
    assert all(strategy["summary"].endswith((".", "!", "?")) for strategy in found["strategies"])


@pytest.mark.parametrize("topic", ["games", "strategies", "scenarios"])
def test_one_topic_can_be_listed_alone(topic: str) -> None:
    everything = listing(strategies, SCENARIOS)
    assert listing(strategies, SCENARIOS, topic) == {"schema": everything["schema"], topic: everything[topic]}
    shown = balance("list", topic)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout == pages.listing(listing(strategies, SCENARIOS, topic))


def test_the_list_fits_80_columns_and_names_everything() -> None:
    found = listing(strategies, SCENARIOS)
    page = pages.listing(found)
    assert max(map(cell_len, page.splitlines())) <= 80
    for name in [item["name"] for item in (*found["strategies"], *found["scenarios"])] + GAMES:
        assert re.search(rf"^  {re.escape(name)}( |$)", page, re.MULTILINE), name
    assert pages.listing(found, ascii=True).isascii()


def test_a_broken_scenario_is_listed_with_its_error(tmp_path: Path) -> None:
    (tmp_path / "duel").mkdir()
    for name, text in [("a", "label: A\nquestion: Why?\n"), ("b", "label: [\n"), ("c", "- 1\n"), ("d", "label: 5\n")]:
        (tmp_path / "duel" / f"{name}.yaml").write_text(text)
    (tmp_path / "duel" / "e.yaml").write_bytes(b"\xff\xfe\x00")
    found = listing(strategies, tmp_path, "scenarios")["scenarios"]
    assert [scenario["name"] for scenario in found] == [f"duel/{name}" for name in "abcde"]
    assert found[0] == {"name": "duel/a", "game": "", "label": "A", "question": "Why?", "error": None}
    assert [bool(scenario["error"]) for scenario in found] == [False, True, True, False, True]
    assert str(found[2]["error"]).endswith("c.yaml:1:1: expected a mapping")
    page = " ".join(pages.listing({"scenarios": found}).split())
    assert "duel/a A Why?" in page and "expected a mapping" in page
    assert listing(strategies, tmp_path / "none", "scenarios")["scenarios"] == []
    assert pages.listing({"scenarios": []}).splitlines()[-1] == "  none"


SENTENCES = [
    ("One. Two.", "One."),
    ("Ends with a line\nbreak inside. More.", "Ends with a line break inside."),
    ("No end", "No end"),
    ("Version 1.5 of it. `code` follows.", "Version 1.5 of it."),
    ("Is it? Yes.", "Is it?"),
    ("First paragraph\n\nSecond.", "First paragraph"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "sentence"), SENTENCES)
def test_the_first_sentence_of_a_docstring(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence
