"""Scenarios: everything that a user can get wrong, with the exact place and words; and what a right one becomes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import strategies
from simcore import scenario, yamlfile
from simcore.errors import InputError
from simcore.scenario import Scenario

SEATS = """seats:
  - {strategy: patient, character: inigo}
  - {strategy: patient, character: man-in-black}
"""
TOP = f"game: hate-to-kill-you\nseed: 2026\n{SEATS}"  # a case adds to it from line 6 on

RULES = "hits_to_win, cards, same_character_twice, hit_discard, tie_discard, after_round, round_cap"
CARD = "id, label, deck, rank, returns_to_hand, effects"
SEED = "expected a whole number from 0 to 9007199254740991"
GAMES = "expected a whole number from 1 to 1000000000000"
PRECISION = "expected a number from 0.001 to 50"
ID = "expected an id of small letters, digits and hyphens"
TEXT = "expected a text of 1 to 300 characters"
TRUTH = 'YAML reads {0} as a truth value: write {1}, or "{0}" in quotes if text is meant'
EXPONENT = 'numbers with an exponent are not read: write {1}, or "{0}" in quotes if text is meant'


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def load(text: str, overrides: tuple[str, ...] = (), options: tuple[tuple[str, str], ...] = (), **kw: bool) -> Scenario:
    Path("f.yaml").write_text(text, encoding="utf-8")
    pairs = [(path, value) for path, _, value in (change.partition("=") for change in overrides)]
    return scenario.load(Path("f.yaml"), strategies, overrides=pairs, options=options, **kw)


def complaints(text: str, *overrides: str, options: tuple[tuple[str, str], ...] = (), **kw: bool) -> list[str]:
    with pytest.raises(InputError) as caught:
        load(text, overrides, options, **kw)
    assert caught.value.exit_code == 2
    return str(caught.value).split("\n")


# ---------------------------------------------------------------- the file as a whole

FILES = [
    ("", ["f.yaml:1:1: the file is empty"]),
    ("- a\n", ["f.yaml:1:1: a scenario is a mapping with the keys game, seats, ..."]),
    ("text\n", ["f.yaml:1:1: a scenario is a mapping with the keys game, seats, ..."]),
    ("game: hate-to-kill-you\n", ["f.yaml:1:1: 'seats' is missing"]),
    (SEATS, ["f.yaml:1:1: 'game' is missing"]),
    (
        "game: 5\nseats: {}\n",
        [f"f.yaml:1:7: game: got 5, {TEXT}", "f.yaml:2:8: seats: got a mapping, expected a list of 1 to 8"],
    ),
    (
        f"game: hate-to-kil-you\nlable: x\n{SEATS}",
        [
            "f.yaml:1:7: game 'hate-to-kil-you' is not known; did you mean \"hate-to-kill-you\"? (known: {games})",
            "f.yaml:2:1: unknown key 'lable'; did you mean \"label\"?",
        ],
    ),
    (
        f"game: hate-to-kill-you\nseed: 1\nseed: 2\ngames: 1e6\n{SEATS}",
        [
            'f.yaml:3:1: "seed" is already set in line 2',
            f"f.yaml:4:8: {EXPONENT.format('1e6', '1000000')}",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), FILES)
def test_a_file_that_is_no_scenario(text: str, expected: list[str]) -> None:
    games = ", ".join(strategies.game_names())
    assert complaints(text) == [line.replace("{games}", games) for line in expected]


# ---------------------------------------------------------------- keys of a scenario

KEYS = [
    ("rulez: 1", ["6:1: unknown key 'rulez'; did you mean \"rules\"?"]),
    ("precison: 1", ["6:1: unknown key 'precison'; did you mean \"precision\"?"]),
    ("rulez.cards: all", ["6:1: unknown key 'rulez'; did you mean \"rules\"?"]),
    ("label: 5", [f"6:8: label: got 5, {TEXT}"]),
    ("label: ''", [f'6:8: label: got "", {TEXT}']),
    ("question: [x]", ["6:11: question: got a list of 1, expected a text of at most 2000 characters"]),
    ("rotate: yes", [f"6:9: {TRUTH.format('yes', 'true')}"]),
    (
        "expect: {}",
        [
            "6:9: expect: got nothing, expected numbers with bounds, such as {side.1: {between: [45%, 55%]}, "
            "rounds.p90: {max: 25}}"
        ],
    ),
    ("rotate: 1", ["6:9: rotate: got 1, expected true or false"]),
    ("rules: [1]", ["6:8: rules: got a list of 1, expected a mapping"]),
    ("rules: null", ["6:8: rules: got null, expected a mapping"]),
    ("components: 3", ["6:13: components: got 3, expected a mapping"]),
    ("a..b: 3", ["6:1: a name is missing beside a dot: write it like seats.1.strategy"]),
    ("games: 0", [f"6:8: games: got 0, {GAMES}"]),
    ("games: -5", [f"6:8: games: got -5, {GAMES}"]),
    ("games: 1000.0", [f"6:8: games: got 1000.0, {GAMES}"]),
    ("games: true", [f"6:8: games: got true, {GAMES}"]),
    ('games: "5"', [f'6:8: games: got "5", {GAMES}']),
    ("games: 1e6", [f"6:8: {EXPONENT.format('1e6', '1000000')}"]),
    ("precision: 0", [f"6:12: precision: got 0, {PRECISION}"]),
    ("precision: -0.5", [f"6:12: precision: got -0.5, {PRECISION}"]),
    ("precision: 60", [f"6:12: precision: got 60, {PRECISION}"]),
    ("precision: true", [f"6:12: precision: got true, {PRECISION}"]),
    ("precision: .nan", ['6:12: not a finite number: write a number, or ".nan" in quotes if text is meant']),
    ("precision: nan", [f'6:12: precision: got "nan", {PRECISION}']),
    (
        "games: 5\nrotate: true",
        ["6:8: games: got 5, expected a multiple of 2 (each deal is played in 2 rotations), such as 4 or 6"],
    ),
    (
        "games: 1\nrotate: true",
        ["6:8: games: got 1, expected a multiple of 2 (each deal is played in 2 rotations), such as 2"],
    ),
    ("edition: 5", [f"6:10: edition: got 5, {TEXT}"]),
    (
        "edition: reconstructon",
        ["6:10: edition 'reconstructon' is not known; did you mean \"reconstruction\"? (known: reconstruction)"],
    ),
    ("edition: ./mine.yaml", ["6:10: edition './mine.yaml': no such file"]),
    ("edition: ..", ["6:10: edition '..' is not known; known: reconstruction"]),
]


@pytest.mark.parametrize(("added", "expected"), KEYS)
def test_a_key_of_a_scenario(added: str, expected: list[str]) -> None:
    assert complaints(f"{TOP}{added}\n") == [f"f.yaml:{line}" for line in expected]


SEEDS = [
    ("1e6", EXPONENT.format("1e6", "1000000")),
    ("-1", f"seed: got -1, {SEED}"),
    (str(2**53), f"seed: got {2**53}, {SEED}"),
    ("1.5", f"seed: got 1.5, {SEED}"),
    ("true", f"seed: got true, {SEED}"),
    ('"x"', f'seed: got "x", {SEED}'),
    ("012", 'a number with a leading zero could be octal: write 12, or "012" in quotes if text is meant'),
]


@pytest.mark.parametrize(("seed", "message"), SEEDS)
def test_a_seed_is_a_whole_number_below_two_to_53(seed: str, message: str) -> None:
    assert complaints(TOP.replace("seed: 2026", f"seed: {seed}")) == [f"f.yaml:2:7: {message}"]


def test_the_largest_seed_is_accepted_and_a_missing_one_is_drawn_anew() -> None:
    assert load(TOP.replace("2026", str(2**53 - 1))).match.seed == 2**53 - 1
    drawn = {load(TOP.replace("seed: 2026", "seed: null")).match.seed for _ in range(4)}
    assert len(drawn) == 4 and all(0 <= seed < 2**53 for seed in drawn)


# ---------------------------------------------------------------- seats

PARAMS = "strategy: {}, character: inigo, params: {}"
SEAT = [
    ("patient", ['4:5: seats.1: got "patient", expected a mapping']),
    ("{character: inigo}", ["4:5: 'strategy' is missing"]),
    ("{strategy: null, character: inigo}", ["4:16: 'strategy' is missing"]),
    ("{strategy: no, character: inigo}", [f"4:16: {TRUTH.format('no', 'false')}"]),
    ("{strategy: off, character: inigo}", [f"4:16: {TRUTH.format('off', 'false')}"]),
    ("{strategy: true, character: inigo}", ["4:16: strategy: got true, expected a name"]),
    ("{strategy: 3, character: inigo}", ["4:16: strategy: got 3, expected a name"]),
    ("{strategy: [a], character: inigo}", ["4:16: strategy: got a list of 1, expected a name"]),
    ("{strategy: '', character: inigo}", ["4:16: strategy '' is not known for 'hate-to-kill-you'"]),
    (
        "{strategy: patiend, character: inigo}",
        ["4:16: strategy 'patiend' is not known for 'hate-to-kill-you'; did you mean \"patient\"?"],
    ),
    ("{strategy: {}, character: inigo}", ["4:6: the strategy of role 'duellist' is missing"]),
    (
        "{strategy: {duellist: greedy, leader: greedy}, character: inigo}",
        ["4:35: role 'leader' is not known; known: duellist"],
    ),
    ("{strategy: nofile.py:x, character: inigo}", ["4:16: strategy 'nofile.py:x': there is no file nofile.py"]),
    (
        "{strategy: mine.py, character: inigo}",
        ["4:16: strategy 'mine.py': a file of your own is written as my_strategies.py:name"],
    ),
    (
        "{strategy: patient, charcter: inigo, label: 3}",
        [
            "4:5: 'character' is missing",
            "4:25: unknown key 'charcter'; did you mean \"character\"? (known: strategy, params, label, character)",
            f"4:49: label: got 3, {TEXT}",
        ],
    ),
    ("{strategy: patient}", ["4:5: 'character' is missing"]),
    (
        "{strategy: patient, character: inigoo}",
        [
            "4:36: character 'inigoo' is not known; did you mean \"inigo\"? "
            "(known: inigo, man-in-black, rugen, humperdinck, fezzik)"
        ],
    ),
    ("{strategy: patient, character: Inigo Montoya}", [f'4:36: character: got "Inigo Montoya", {ID}']),
    (
        "{strategy: patient, character: man-in-black}",
        ["5:36: both play the same character; set rules.same_character_twice: true to allow it"],
    ),
    (f"{{{PARAMS.format('patient', '5')}}}", ["4:51: params: got 5, expected a mapping, such as {rollouts: 100}"]),
    (f"{{{PARAMS.format('greedy', '{reach: 1}')}}}", ["4:51: strategy 'greedy' has no parameter 'reach'"]),
    (
        f"{{{PARAMS.format('patient', '{raech: 1}')}}}",
        ["4:52: strategy 'patient' has no parameter 'raech'; did you mean \"reach\"? (known: reach)"],
    ),
    (f"{{{PARAMS.format('patient', '{reach: 10}')}}}", ["4:59: reach: got 10, expected a number from -5 to 5"]),
    (
        f"{{{PARAMS.format('lookahead', '{rollouts: 0, horizon: -1, x: 1}')}}}",
        [
            "4:64: rollouts: got 0, expected a whole number from 1 to 100000",
            "4:76: horizon: got -1, expected a whole number from 0 to 10000",
            "4:80: strategy 'lookahead' has no parameter 'x'; known: rollouts, horizon",
        ],
    ),
    (f"{{{PARAMS.format('weights', '{}')}}}", ["4:51: strategy 'weights' needs either weights or tiers"]),
    (
        f"{{{PARAMS.format('weights', '{weights: {gian: 1}}')}}}",
        ["4:62: 'hate-to-kill-you' has no action feature 'gian'; did you mean \"gain\"?"],
    ),
    (
        f"{{{PARAMS.format('weights', '{tiers: [{gain: 1}, {gain: 1, foo: 2}]}')}}}",
        ["4:81: 'hate-to-kill-you' has no action feature 'foo'"],
    ),
    (
        f"{{{PARAMS.format('weights', '{weights: [1], temprature: 1}')}}}",
        [
            "4:52: expected a table of weights, such as {gain: 1, rank: -0.5}",
            "4:66: strategy 'weights' has no parameter 'temprature'; did you mean \"temperature\"? "
            "(known: weights, tiers, temperature)",
        ],
    ),
]


@pytest.mark.parametrize(("seat", "expected"), SEAT)
def test_a_seat(seat: str, expected: list[str]) -> None:
    text = TOP.replace("{strategy: patient, character: inigo}", seat)
    assert complaints(text) == [f"f.yaml:{line}" for line in expected]


@pytest.mark.parametrize("n", [1, 3, 8])
def test_the_number_of_players_fits_the_game(n: int) -> None:
    text = "game: hate-to-kill-you\nseats:\n" + "  - {strategy: random, character: inigo}\n" * n
    assert complaints(text) == [f"f.yaml:3:3: seats: got {n}, expected 2 for 'hate-to-kill-you'"]
    nobody = complaints("game: hate-to-kill-you\nseats: []\n")
    assert nobody == ["f.yaml:2:8: seats: got a list of 0, expected a list of 1 to 8"]


def test_code_of_ones_own_is_refused_on_request_and_never_run_to_look_at_it() -> None:
    Path("mine.py").write_text(
        "raise SystemExit('imported')\ndef x(state, seat, actions, n, params, work, tools): ...\n"
    )
    text = TOP.replace("{strategy: patient, character: inigo}", "{strategy: mine.py:x, character: inigo}")
    refused = "f.yaml:4:16: strategy 'mine.py:x' is code of your own, which --no-code refuses"
    assert complaints(text, allow_code=False) == [refused]
    assert load(text, import_code=False).resolved["seats"][0]["strategy"] == "mine.py:x"
    # with another problem it is not run either
    assert complaints(f"{text}rotate: 1\n") == ["f.yaml:6:9: rotate: got 1, expected true or false"]


# ---------------------------------------------------------------- rules and components

OPS = "cancel, discard, drop_card, reroll, restore, turn"
CHANGES = [
    ("rules: {hits_to_win: 0}", ["6:22: hits_to_win: got 0, expected a whole number from 1 to 50"]),
    ("rules: {hits_to_win: 1e1}", [f"6:22: {EXPONENT.format('1e1', '10')}"]),
    (
        "rules: {hit_to_win: 3}",
        [f"6:9: rule 'hit_to_win' is not known; did you mean \"hits_to_win\"? (known: {RULES})"],
    ),
    ("rules.hit_to_win: 3", [f"6:1: rule 'hit_to_win' is not known; did you mean \"hits_to_win\"? (known: {RULES})"]),
    ("rules: {cards: non}", ['6:16: cards: got "non", expected all or none']),
    ("rules: {cards: off}", [f"6:16: {TRUTH.format('off', 'false')}"]),
    ("rules: {round_cap: true}", ["6:20: round_cap: got true, expected a whole number from 1 to 10000"]),
    ("rules: {round_cap: {a: 1}}", ["6:20: round_cap: got a mapping, expected a whole number from 1 to 10000"]),
    ("rules: {same_character_twice: 1}", ["6:31: same_character_twice: got 1, expected true or false"]),
    ("rules: {cards: none}\nrules.cards: all", ["7:1: 'rules.cards' is set twice"]),
    ("components: {leap: {rank: 0}}", ["6:27: rank: got 0, expected a whole number from 1 to 20"]),
    ("components: {leap: {rank: x}}", ['6:27: rank: got "x", expected a whole number from 1 to 20']),
    ("components: {leap: {rank: null}}", ["6:27: leap: a card with effects needs a rank"]),
    ("components: {leap: {rnak: 3}}", [f"6:21: unknown key 'rnak'; did you mean \"rank\"? (known: {CARD})"]),
    ("components.leap.rnak: 3", [f"6:1: unknown key 'rnak'; did you mean \"rank\"? (known: {CARD})"]),
    ("components: {leap: {deck: ''}}", [f'6:27: deck: got "", expected all, or {ID.removeprefix("expected ")}']),
    ("components: {leap: 3}", ["6:20: leap: got 3, expected a mapping of fields, such as {label: leap}"]),
    ("components: {leep: {rank: 3, deck: all}}", ["6:14: component 'leep' is not known; did you mean \"leap\"?"]),
    (
        "components: {wholly-new: {rank: 3}}",
        ["6:14: component 'wholly-new' is not known; a new one says its kind: cards, characters, dice"],
    ),
    ("components: {leap: {id: hop}}", ["6:21: an id stays: take the component out and add a new one"]),
    ("components: {leap: {remove: yes}}", [f"6:29: {TRUTH.format('yes', 'true')}"]),
    ("components: {leap: {remove: false}}", ["6:29: remove: got false, expected true"]),
    (
        "components: {yellow: {remove: true}}",
        ["6:31: thibault-defense: colour 'yellow' is not known; known: red, orange"],
    ),
    ("components: {leap: {effects.: 3}}", ["6:21: a name is missing beside a dot: write it like seats.1.strategy"]),
    ("components: {leap: {effects.2.count: 3}}", ["6:21: effects: '2' is no position from 1 to 1"]),
    ("components: {leap: {effects.0.count: 3}}", ["6:21: effects: '0' is no position from 1 to 1"]),
    ("components: {leap: {effects.x.count: 3}}", ["6:21: effects: 'x' is no position from 1 to 1"]),
    ("components: {bluff: {effects.1.count: 3}}", ["6:22: effects: the list is empty"]),
    ("components: {leap: {rank.x: 3}}", ["6:21: rank: there is nothing inside 2"]),
    (
        "components: {feint: {returns_to_hand.x: 3}}",
        ["6:22: returns_to_hand: not set in the edition, so give it as a whole"],
    ),
    (
        "components: {leap: {effects.1.count: 200}}",
        ["6:38: count: got 200, expected a whole number from 0 to 99, or all"],
    ),
    (
        "components: {leap: {effects.1.cuont: 2}}",
        ["6:21: unknown key 'cuont'; did you mean \"count\"? (known: count, up_to, side, colours, faces, picker, op)"],
    ),
    ("components: {leap: {effects: {op: cancel}}}", ["6:30: effects: got a mapping, expected a list of at most 3"]),
    ("components: {leap: {effects: [5]}}", ["6:31: effects.1: got 5, expected a mapping"]),
    ("components: {leap: {effects: [{count: 1}]}}", ["6:31: 'op' is missing"]),
    (
        "components: {leap: {effects: [{op: rerol}]}}",
        [f"6:36: op 'rerol' is not known; did you mean \"reroll\"? (known: {OPS})"],
    ),
    (
        "components: {leap: {effects: [{op: reroll, side: me, colours: [5], faces: [9, 1], picker: other}]}}",
        [
            '6:50: side: got "me", expected own or opponent',
            f"6:64: colours.1: got 5, {ID}",
            "6:76: faces.1: got 9, expected a whole number from 0 to 7",
            '6:91: picker: got "other", expected self or owner',
        ],
    ),
    (
        "components:\n  leap: {kind: cards, label: Leap, deck: all}",
        ["7:3: component 'leap' is there already; leave out 'kind' to change it"],
    ),
    (
        "components:\n  new:\n    kind: crads\n  mine: {kind: cards, deck: all}\n"
        "  Bad: {kind: cards, deck: all, label: B}",
        [
            "8:11: kind 'crads' is not known; did you mean \"cards\"? (known: cards, characters, dice)",
            "9:3: 'label' is missing",
            f'10:3: id: got "Bad", {ID}',
        ],
    ),
    (
        "components:\n  mine:\n    kind: cards\n    label: Mine\n    deck: all\n    rank: 33\n"
        "    effects: [{op: cancl}]",
        [
            "11:11: rank: got 33, expected a whole number from 1 to 20",
            f"12:20: op 'cancl' is not known; did you mean \"cancel\"? (known: {OPS})",
        ],
    ),
    ("components: {leap: {rank: 3}}\ncomponents.leap.rank: 4", ["7:1: 'leap.rank' is set twice"]),
]


@pytest.mark.parametrize(("added", "expected"), CHANGES)
def test_a_change_of_a_rule_or_a_component(added: str, expected: list[str]) -> None:
    assert complaints(f"{TOP}{added}\n") == [f"f.yaml:{line}" for line in expected]


def test_all_problems_of_a_file_come_together_in_the_order_of_its_lines() -> None:
    text = """game: hate-to-kill-you
lable: x
seed: -1
rules:
  hits_to_win: 0
  cards: some
components:
  leep: {rank: 3}
  leap: {rank: 30}
seats:
  - {strategy: patient, character: inigo, params: {reach: 9}}
  - {strategy: patiend, charcter: rugen}
games: 0
"""
    assert complaints(text) == [
        "f.yaml:2:1: unknown key 'lable'; did you mean \"label\"?",
        f"f.yaml:3:7: seed: got -1, {SEED}",
        "f.yaml:5:16: hits_to_win: got 0, expected a whole number from 1 to 50",
        'f.yaml:6:10: cards: got "some", expected all or none',
        "f.yaml:8:3: component 'leep' is not known; did you mean \"leap\"?",
        "f.yaml:9:16: rank: got 30, expected a whole number from 1 to 20",
        "f.yaml:11:59: reach: got 9, expected a number from -5 to 5",
        "f.yaml:12:5: 'character' is missing",
        "f.yaml:12:16: strategy 'patiend' is not known for 'hate-to-kill-you'; did you mean \"patient\"?",
        "f.yaml:12:25: unknown key 'charcter'; did you mean \"character\"? (known: strategy, params, label, character)",
        f"f.yaml:13:8: games: got 0, {GAMES}",
    ]


# ---------------------------------------------------------------- the command line

SETS = [
    (("rules.hits_to_win=0",), ["--set rules.hits_to_win: hits_to_win: got 0, expected a whole number from 1 to 50"]),
    (("rules.cards=no",), [f"--set rules.cards: {TRUTH.format('no', 'false')}"]),
    (("rulez.x=1",), ["--set rulez.x: unknown key 'rulez'; did you mean \"rules\"?"]),
    (("label.x=1",), [f"--set label.x: label: got a mapping, {TEXT}"]),
    (("game.x=1",), ["--set game.x: there is nothing inside 'game'"]),
    (("seats.3.strategy=greedy",), ["--set seats.3.strategy: '3' is no position from 1 to 2"]),
    (("seats.x.label=3",), ["--set seats.x.label: 'x' is no position from 1 to 2"]),
    (("seats..x=1",), ["--set seats..x: a name is missing beside a dot: write it like seats.1.strategy"]),
    (("seats.2=7",), ["--set seats.2: seats.2: got 7, expected a mapping"]),
    (("label=",), ['--set label: no value: write "" for an empty text, null for nothing']),
    (
        ("seats.1.strategy=greedi",),
        ["--set seats.1.strategy: strategy 'greedi' is not known for 'hate-to-kill-you'; did you mean \"greedy\"?"],
    ),
    (
        ("components.leap=3",),
        ["--set components.leap: leap: got 3, expected a mapping of fields, such as {label: leap}"],
    ),
    (
        ("components.leep.rank=3",),
        ["--set components.leep.rank: component 'leep' is not known; did you mean \"leap\"?"],
    ),
    (
        ("components.leap.effects.2.count=3", "components.leap.rank=0"),
        [
            "--set components.leap.effects.2.count: effects: '2' is no position from 1 to 1",
            "--set components.leap.rank: rank: got 0, expected a whole number from 1 to 20",
        ],
    ),
    (
        ("components.leap.remove=true", "components.yellow.remove=true"),
        ["--set components.yellow.remove: thibault-defense: colour 'yellow' is not known; known: red, orange"],
    ),
]


@pytest.mark.parametrize(("overrides", "expected"), SETS)
def test_a_change_on_the_command_line(overrides: tuple[str, ...], expected: list[str]) -> None:
    assert complaints(TOP, *overrides) == expected


OPTIONS = [
    ("seed", "1e6", EXPONENT.format("1e6", "1000000")),
    ("seed", "-1", f"seed: got -1, {SEED}"),
    ("seed", str(2**53), f"seed: got {2**53}, {SEED}"),
    ("games", "0", f"games: got 0, {GAMES}"),
    ("games", "abc", f'games: got "abc", {GAMES}'),
    ("precision", "nan", f'precision: got "nan", {PRECISION}'),
    ("precision", ".inf", 'not a finite number: write a number, or ".inf" in quotes if text is meant'),
    ("precision", "", 'no value: write "" for an empty text, null for nothing'),
]


@pytest.mark.parametrize(("option", "value", "message"), OPTIONS)
def test_an_option(option: str, value: str, message: str) -> None:
    assert complaints(TOP, options=((option, value),)) == [f"--{option}: {message}"]


def test_an_option_replaces_what_the_file_says_of_games_or_precision() -> None:
    assert load(f"{TOP}games: 10\n", options=(("precision", "2"),)).games is None
    assert load(f"{TOP}precision: 1\n", ("games=6",)).precision is None
    both = load(TOP, options=(("games", "6"), ("precision", "2")))
    assert (both.games, both.precision) == (6, 2)


def test_another_strategy_leaves_the_parameters_of_the_file_behind() -> None:
    text = TOP.replace(
        "{strategy: patient, character: inigo}", "{strategy: patient, params: {reach: 1}, character: inigo}"
    )
    assert load(text, ("seats.1.label=X",)).entries[0].params == ({"reach": 1},)
    assert load(text, ("seats.1.strategy=greedy",)).entries[0].params == ({},)
    for order in (0, 1):  # what else the command line says stays, in any order
        pair = ("seats.1.strategy=bluffer", "seats.1.params.bluffs=0.2")
        changed = load(TOP, pair if order else pair[::-1])
        assert (changed.entries[0].strategies, changed.entries[0].params) == (("bluffer",), ({"bluffs": 0.2},))


# ---------------------------------------------------------------- what a right scenario becomes

COUNT = [
    ("components:\n  thibault-defense: {effects.1.count: 2}\n", ()),
    ("components: {thibault-defense.effects.1.count: 2}\n", ()),
    ("components.thibault-defense.effects.1.count: 2\n", ()),
    ("", ("components.thibault-defense.effects.1.count=2",)),
    ("components.thibault-defense.effects.1.count: 3\n", ("components.thibault-defense.effects.1.count=2",)),
    ("", ("components.thibault-defense.effects.1={op: reroll, count: 2, up_to: true, colours: [yellow]}",)),
]


def card(loaded: Scenario, name: str) -> Any:
    """Return a card of a loaded scenario as plain data, None if there is none."""
    return next((found for found in loaded.edition.data["cards"] if found["id"] == name), None)


@pytest.mark.parametrize(("added", "overrides"), COUNT)
def test_a_path_means_the_same_in_a_file_and_on_the_command_line(added: str, overrides: tuple[str, ...]) -> None:
    before, after = load(TOP), load(f"{TOP}{added}", overrides)
    expected = card(before, "thibault-defense")
    assert expected["effects"][0]["count"] == 1
    expected["effects"][0]["count"] = 2
    assert card(after, "thibault-defense") == expected
    others = [[found for found in each.edition.data["cards"] if found != expected] for each in (before, after)]
    assert len(others[0]) == len(others[1]) + 1  # no other card has changed
    assert all(found in others[0] for found in others[1])
    assert all(path.startswith("components.thibault-defense.effects.1") for path in after.edition.changed)


def test_a_later_change_replaces_an_earlier_one_and_what_is_inside_it() -> None:
    text = f"{TOP}components: {{leap: {{effects.1.count: 3, effects.1.faces: [1]}}}}\n"
    assert card(load(text), "leap")["effects"][0]["faces"] == [1]
    changed = load(text, ("components.leap.effects=[{op: cancel}]",))
    assert card(changed, "leap")["effects"] == [{"op": "cancel"}]
    assert changed.edition.changed == ("components.leap.effects",)
    twice = load(TOP, ("components.leap.rank=3", "components.leap.rank=4"))
    assert card(twice, "leap")["rank"] == 4


def test_a_card_can_be_taken_out_and_a_new_one_put_in() -> None:
    new = "  mine: {kind: cards, label: Mine, deck: inigo, rank: 3, effects: [{op: reroll, count: 2}]}\n"
    loaded = load(f"{TOP}components:\n  leap: {{remove: true}}\n{new}")
    assert card(loaded, "leap") is None
    assert card(loaded, "mine")["effects"][0] == {
        "op": "reroll", "count": 2, "up_to": False, "side": "own", "colours": "any", "faces": "any", "picker": "self",
    }  # fmt: skip
    assert loaded.edition.changed == ("components.leap.remove", "components.mine")
    n_cards = [int(load(text).match.tabs["n_cards"][0][0]) for text in (TOP, f"{TOP}components:\n{new}")]
    assert n_cards[1] == n_cards[0] + 1
    # a sweep may take out what the scenario changes, and change what it adds
    assert card(load(f"{TOP}components.leap.rank: 4\n", ("components.leap.remove=true",)), "leap") is None
    assert card(load(f"{TOP}components:\n{new}", ("components.mine.rank=5",)), "mine")["rank"] == 5


def test_a_change_counts_as_reconstructed_and_changes_the_digest_of_inputs() -> None:
    before, after = load(TOP), load(TOP, ("rules.hits_to_win=6",))
    assert before.edition.sources[("rules", "hits_to_win")] == "rulebook"
    assert after.edition.sources[("rules", "hits_to_win")] == "reconstructed"
    n = len(before.edition.sources)
    assert before.edition.shares["rulebook"] * n - after.edition.shares["rulebook"] * n == pytest.approx(1, abs=1e-9)
    assert before.inputs != after.inputs
    assert load(TOP, ("rules.hits_to_win=5",)).inputs == before.inputs == load(f"{TOP}label: other\n").inputs


def test_the_resolved_scenario_means_the_same_when_it_is_loaded() -> None:
    top = TOP.replace("{strategy: patient,", "{strategy: bluffer, params: {bluffs: 0.5},", 1)
    text = f"""{top}
components: {{leap: {{effects.1.count: 2}}, vow: {{remove: true}}, mine: {{kind: cards, label: Mine, deck: all}}}}
rules.hits_to_win: 4
rotate: true
"""
    first = load(text, ("components.leap.rank=5", "components.mine.rank=2", "seats.2.label=Müller–Élan"))
    assert first.resolved["components"] == {
        "leap": {"effects.1.count": 2, "rank": 5},
        "vow": {"remove": True},
        "mine": {"kind": "cards", "label": "Mine", "deck": "all"},
        "mine.rank": 2,
    }
    again = load(yamlfile.dump(first.resolved))
    assert again.resolved == first.resolved
    assert again.inputs == first.inputs
    assert again.edition.data == first.edition.data


def test_expectations_change_nothing_that_is_played() -> None:
    text = f"{TOP}expect: {{side.1: {{between: [40%, 0.6]}}, rounds.p90: {{max: 30}}}}\n"
    first, second = load(text).expect
    assert (first.quantity, first.low, first.high) == ("side.1", 0.4, 0.6)
    assert (second.quantity, second.percent, second.high) == ("rounds", 90, 30.0)
    assert load(text).inputs == load(TOP).inputs
    assert load(TOP).expect == ()


def test_players_that_are_called_alike_are_numbered() -> None:
    same = TOP.replace("man-in-black", "inigo") + "rules.same_character_twice: true\n"
    assert [entry.label for entry in load(same).entries] == ["Inigo Montoya (1)", "Inigo Montoya (2)"]
    assert [entry.label for entry in load(same, ("seats.2.label=Other",)).entries] == ["Inigo Montoya", "Other"]
    assert load(f"{TOP}seats.1.label: X\n").entries[0].label == "X"


def test_files_are_found_from_the_scenario_and_from_here_for_an_option() -> None:
    edition = (strategies.folder_of("hate-to-kill-you") / "editions" / "reconstruction.yaml").read_text("utf-8")
    Path("deep").mkdir()
    Path("deep/f.yaml").write_text(f"{TOP}edition: ./mine.yaml\n")
    Path("deep/mine.yaml").write_text(edition.replace("edition: reconstruction", "edition: in-the-folder"))
    Path("mine.yaml").write_text(edition.replace("edition: reconstruction", "edition: here"))
    assert scenario.load(Path("deep/f.yaml"), strategies).edition.name == "in-the-folder"
    here = scenario.load(Path("deep/f.yaml"), strategies, overrides=[("edition", "./mine.yaml")])
    assert here.edition.name == "here"
