"""Two scenarios on the same deals: sums against the rows themselves, known truths, stops, and every format."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import cli
import strategies
from reference.duel_dice_chain import solve
from reports import analysis, difference
from reports import compared as words
from reports.difference import Row
from simcore import blocks, comparison, jit
from simcore.blocks import Plan, Watch
from simcore.errors import InputError
from simcore.player import Player
from simcore.scenario import Scenario
from support import sigmas

DUEL: dict[str, Any] = {
    "game": "hate-to-kill-you",
    "seats": [
        {"strategy": "greedy", "character": "inigo", "label": "Inigo"},
        {"strategy": "random", "character": "man-in-black", "label": "The Man"},
    ],
    "seed": 5,
}
Load = Callable[..., Scenario]


@pytest.fixture
def duel(load_scenario: Load) -> Callable[..., Scenario]:
    return lambda **changes: load_scenario({**DUEL, **changes})


def compared(
    base: Scenario, variant: Scenario, on: str | None = None, margin: float | None = None, **plan: Any
) -> dict[str, Any]:
    """Return the answer of a comparison."""
    asked = comparison.question(base, variant, on, margin)
    run = blocks.answer(asked, strategies, Plan(**plan), Watch())
    return comparison.summary(base, variant, asked, run, ["base.yaml", "variant.yaml"])


def effects(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the effects by name."""
    return {row["quantity"]: row for row in answer["effects"]}


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize("rotate", [False, True])
def test_the_sums_are_those_of_the_rows(duel: Callable[..., Scenario], player_of: Any, rotate: bool) -> None:
    base, variant = duel(rotate=rotate), duel(rotate=rotate, rules={"hits_to_win": 3})
    found = effects(compared(base, variant, games=3000))
    rows = [player_of(each).play(0, 3000) for each in (base, variant)]
    deals = 3000 // (1 + rotate)

    def per_deal(values: Any) -> Any:
        return values.reshape(deals, -1).mean(axis=1)

    def check(name: str, one: Any, other: Any) -> None:
        a, b = per_deal(one), per_deal(other)
        row = found[name]
        assert row["base"] == pytest.approx(a.mean())
        assert row["variant"] == pytest.approx(b.mean())
        assert row["difference"] == pytest.approx((b - a).mean(), abs=1e-12)
        assert row["low"] < row["difference"] < row["high"]
        if (b - a).var() > 0:
            assert row["saved"] == pytest.approx((a.var() + b.var()) / (b - a).var())

    one, other = rows
    check("rounds", one["rounds"], other["rounds"])
    check("minutes", one["seconds"] / 60, other["seconds"] / 60)
    check("unfinished", one["reason"] == 0, other["reason"] == 0)
    chair = np.arange(3000) % 2 if rotate else np.zeros(3000, int)  # where listed player 1 sits
    check("side.1", one["winners"] == 1 << chair, other["winners"] == 1 << chair)
    check("side.2", one["winners"] == 2 >> chair, other["winners"] == 2 >> chair)
    games = np.arange(3000)
    check("hits.1", one["hits"][games, chair], other["hits"][games, chair])


def test_what_is_absent_anywhere_is_left_out_of_its_own_row_only(duel: Callable[..., Scenario], player_of: Any) -> None:
    base, variant = duel(), duel(rules={"hits_to_win": 2})
    asked = comparison.question(base, variant, None, None)
    players = [player_of(each) for each in (base, variant)]
    rows = [player.play(0, 200) for player in players]
    rows[0]["ties"][[3, 5]] = -(2**31)
    rows[1]["ties"][[5, 8]] = -(2**31)
    tally = asked.tally(players)
    asked.count(tally, rows, 0)
    found = {each.name: comparison.effect(tally, each, 0.95) for each in comparison.quantities(base, variant)}
    kept = np.delete(np.arange(200), [3, 5, 8])
    assert found["ties"].deals == 197
    assert found["ties"].difference == pytest.approx((rows[1]["ties"][kept] - rows[0]["ties"][kept]).mean())
    assert found["rounds"].deals == 200


def test_a_scenario_differs_from_itself_by_exactly_nothing(duel: Callable[..., Scenario]) -> None:
    answer = compared(duel(), duel(label="again"), games=2000)
    assert answer["changed"] == []
    assert answer["identical"] and answer["primary"]["verdict"] == "equal"
    assert all(row["difference"] == 0 and row["base"] == row["variant"] for row in answer["effects"])
    assert all((row["low"], row["high"]) == (0, 0) == tuple(row["simultaneous"].values()) for row in answer["effects"])
    assert not any(row["differs"] for row in answer["effects"])
    assert compared(duel(), duel())["primary"]["verdict"] == "equal"


@pytest.mark.skipif(not jit.ENABLED, reason="many games: only with JIT")
def test_the_known_effect_of_a_biased_die_is_recovered(load_scenario: Load) -> None:
    fair: dict[str, Any] = {
        "game": "hate-to-kill-you",
        "seats": [{"strategy": "random", "character": character} for character in ("inigo", "man-in-black")],
        "rules": {"cards": "none"},
        "rotate": True,
        "seed": 11,
    }
    base = load_scenario(fair)
    variant = load_scenario({**fair, "components": {"red": {"faces": [3, 2, 1, 0, 0, 0]}}})
    dice = [[{"start": die.start, "faces": die.faces} for die in each.edition.model.dice] for each in (base, variant)]
    rules = base.resolved["rules"]
    truth = float(solve(dice[1], rules).mean_rounds) - float(solve(dice[0], rules).mean_rounds)
    answer = compared(base, variant, on="rounds", games=40_000)
    row = effects(answer)["rounds"]
    assert abs(truth) > 0.2
    assert answer["primary"]["verdict"] == ("higher" if truth > 0 else "lower")
    assert row["low"] < truth < row["high"]
    error = (row["high"] - row["low"]) / 2 / 1.96  # wider than the standard error: anytime-valid
    assert abs(row["difference"] - truth) < sigmas() * error
    assert effects(answer)["side.1"]["difference"] == pytest.approx(0, abs=0.02)  # the dice are the same for both


def test_no_answer_depends_on_jobs_processes_or_blocks(duel: Callable[..., Scenario]) -> None:
    base, variant = duel(rotate=True), duel(rotate=True, rules={"hits_to_win": 4})

    def answer(**plan: Any) -> str:
        found = compared(base, variant, games=4000, **plan)
        del found["timing"]
        return json.dumps(found)

    expected = answer()
    assert answer(jobs=2, block_deals=77) == expected
    assert answer(jobs=2, backend="loky") == expected


def test_the_same_luck_saves_games(duel: Callable[..., Scenario]) -> None:
    # One card of one deck: most games do not notice.
    found = effects(compared(duel(), duel(components={"feint": {"rank": 4}}), games=4000))
    assert found["side.1"]["saved"] > 3


# ---------------------------------------------------------------- when it stops


def test_it_stops_when_the_sign_is_certain(duel: Callable[..., Scenario]) -> None:
    base, variant = duel(), duel(seats=[{**DUEL["seats"][0], "strategy": "patient"}, DUEL["seats"][1]])
    answer = compared(base, variant)
    row = effects(answer)["side.1"]
    assert answer["stop"]["reason"] == "decided"
    assert answer["stop"]["early"]
    assert answer["primary"]["verdict"] == "higher"
    assert row["low"] > 0
    assert "middle value" in difference.build(answer).stop


def test_it_stops_when_no_difference_of_the_margin_is_left(duel: Callable[..., Scenario]) -> None:
    wide = compared(duel(), duel(rules={"round_cap": 400}), margin=2.0)
    tight = compared(duel(), duel(rules={"round_cap": 400}), margin=0.5)
    assert wide["stop"]["reason"] == tight["stop"]["reason"] == "equal"
    assert wide["games"] < tight["games"]
    assert wide["stop"]["target"] == 2.0
    assert effects(tight)["side.1"]["high"] <= 0.005


def test_a_planned_number_of_games_is_played_whatever_is_seen(duel: Callable[..., Scenario]) -> None:
    answer = compared(duel(), duel(rules={"hits_to_win": 2}), on="rounds", games=5000)
    assert answer["games"] == 5000
    assert answer["stop"]["reason"] == "games"
    assert not answer["stop"]["early"]
    assert answer["primary"]["verdict"] == "lower"


@pytest.mark.parametrize("budget", [None, 400])
def test_an_amount_is_not_decided_before_its_burn_in(duel: Callable[..., Scenario], budget: int | None) -> None:
    # Two deals that happen to be much alike have next to no spread: it was "decided" after four games.
    answer = compared(duel(), duel(rules={"hits_to_win": 2}), on="minutes", budget=budget)
    assert answer["stop"]["reason"] == ("budget" if budget else "decided")
    assert answer["games"] == (budget or 1000)


def test_an_amount_within_its_margin_is_told_to_be_equal(duel: Callable[..., Scenario]) -> None:
    # It stopped as equal, and the verdict was "undecided".
    answer = compared(duel(), duel(rules={"round_cap": 400}), on="rounds")
    assert (answer["stop"]["reason"], answer["primary"]["verdict"]) == ("equal", "equal")
    assert "no difference of 0.1 or more" in difference.build(answer).headline


def test_no_amount_is_said_to_differ_below_its_burn_in(duel: Callable[..., Scenario]) -> None:
    answer = compared(duel(), duel(rules={"hits_to_win": 2}), on="rounds", games=400)
    assert answer["primary"]["verdict"] == "undecided"
    assert {row["kind"] for row in answer["effects"] if row["differs"]} <= {"share"}


@pytest.mark.parametrize("on", ["side.1", "rounds"])
def test_what_is_the_same_is_said_to_be_the_same(duel: Callable[..., Scenario], on: str) -> None:
    answer = compared(duel(), duel(), on=on, games=100)
    assert answer["identical"] and answer["primary"]["verdict"] == "equal"
    assert difference.build(answer).headline == "The two are the same, and so is every game."
    assert not compared(duel(), duel(rules={"round_cap": 400}), games=100)["identical"]


# ---------------------------------------------------------------- what cannot be asked


@pytest.mark.parametrize(
    ("variant", "on", "margin", "message"),
    [
        ({"rotate": True}, None, None, "must both rotate or both not"),
        ({}, "side.3", None, "'side.3' is nothing that is counted; did you mean"),
        ({}, "zzz", None, "'zzz' is nothing that is counted; known: side.1, side.2, unfinished"),
        ({}, None, 0.0, "0 is no margin"),
        ({}, None, math.nan, "nan is no margin"),
        ({}, None, math.inf, "inf is no margin"),
        ({}, None, 51.0, "51 is no margin; expected a number above 0, and at most 50 points"),
    ],
)
def test_what_cannot_be_compared_is_said(
    duel: Callable[..., Scenario], variant: dict[str, Any], on: str | None, margin: float | None, message: str
) -> None:
    with pytest.raises(InputError) as caught:
        comparison.question(duel(), duel(**variant), on, margin)
    assert message in str(caught.value)


def test_different_games_are_not_compared(duel: Callable[..., Scenario], load_scenario: Load) -> None:
    other = load_scenario({"game": "as-you-wish", "seats": [{"strategy": "random"}, {"strategy": "random"}], "seed": 1})
    with pytest.raises(InputError, match="are different games, 'hate-to-kill-you' and 'as-you-wish'"):
        comparison.question(duel(), other, None, None)


# ---------------------------------------------------------------- command line and formats


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    file = tmp_path_factory.mktemp("duel") / "duel.yaml"
    file.write_text(json.dumps(DUEL), encoding="utf-8")
    out = run(str(file), "--set", "rules.hits_to_win=3", "--games", "2000", "--json")
    found: dict[str, Any] = json.loads(out)
    return found


def run(*words: str, code: int = 0) -> str:
    """Run `balance compare` in this process; return what it prints."""
    result = CliRunner().invoke(cli.app, ["compare", *words])
    assert result.exit_code == code, result.output + str(result.exception)
    return result.stdout


def test_json_says_what_was_changed_and_how_to_repeat_it(answer: dict[str, Any]) -> None:
    assert answer["schema"] == "balance.comparison/1"
    assert answer["changed"] == [{"path": "rules.hits_to_win", "before": 5, "now": 3}]
    assert answer["games"] == 2000
    assert answer["command"].endswith("--set rules.hits_to_win=3 --seed 5 --games 2000")
    sizes = [(row["differs"], row["size"]) for row in answer["effects"]]
    assert sizes == sorted(sizes, reverse=True)


def test_csv_has_the_numbers_of_the_json(answer: dict[str, Any]) -> None:
    rows = list(csv.DictReader(analysis.to_csv(words.page(answer)).splitlines()))
    assert [row["quantity"] for row in rows] == [row["quantity"] for row in answer["effects"]]
    for row, expected in zip(rows, answer["effects"], strict=True):
        assert float(row["difference"]) == expected["difference"]


def test_a_terminal_shows_every_row_within_80_columns(answer: dict[str, Any]) -> None:
    text = analysis.to_terminal(words.page(answer), ascii=True)
    assert max(map(len, text.splitlines())) <= 80
    assert text.isascii()
    for row in difference.build(answer).rows:
        assert row.difference in text


def test_markdown_survives_hostile_names(answer: dict[str, Any]) -> None:
    named = json.loads(json.dumps(answer))
    for row in named["effects"]:
        row["label"] = "<b>|x|</b>" if row["label"] else None
    text = analysis.to_markdown(words.page(named))
    assert "<b>" not in text
    assert r"\|x\|" in text


def test_the_directory_can_be_drawn_again_and_is_refused_without_force(answer: dict[str, Any], tmp_path: Path) -> None:
    directory = tmp_path / "out"
    words = ["hate-to-kill-you/film-duel", "--set", "rules.hits_to_win=3", "--games", "1000", "-o", str(directory)]
    run(*words)
    page = (directory / "report.html").read_text(encoding="utf-8")
    assert {file.name for file in directory.iterdir()} == {"comparison.json", "report.html", "plots", "tables"}
    assert "http" not in page.replace("http://www.w3.org/", "")
    again = CliRunner().invoke(cli.app, ["report", str(directory)])
    assert again.exit_code == 0
    assert (directory / "report.html").read_text(encoding="utf-8") == page
    assert isinstance(CliRunner().invoke(cli.app, ["compare", *words]).exception, InputError)
    run(*words, "--force")
    (directory / "comparison.json").write_text("{", encoding="utf-8")
    broken = CliRunner().invoke(cli.app, ["report", str(directory)])
    assert "cannot be read" in str(broken.exception)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (["hate-to-kill-you/film-duel"], "expected a second scenario, or --set PATH=VALUE"),
        (["hate-to-kill-you/film-duel", "--set", "rules.hits_to_win=3", "--json", "--md"], "choose one of"),
        (["hate-to-kill-you/film-duel", "nothing.yaml"], "nothing.yaml"),
        (["hate-to-kill-you/film-duel", "--set", "seed=5"], "both play the same deals; give --seed"),
        (["hate-to-kill-you/film-duel", "--set", "rules.hits=3"], "rules.hits"),
    ],
)
def test_wrong_words_are_one_line(said: Sequence[str], message: str) -> None:
    result = CliRunner().invoke(cli.app, ["compare", *said])
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)
    assert len(str(result.exception).splitlines()) == 1


def test_two_scenarios_take_changes_both_and_the_seed_of_the_first() -> None:
    words = ["hate-to-kill-you/film-duel", "hate-to-kill-you/attack-or-patience", "--set", "rules.hits_to_win=3"]
    found = json.loads(run(*words, "--games", "1000", "--json"))
    assert found["base"]["resolved"]["rules"]["hits_to_win"] == found["variant"]["resolved"]["rules"]["hits_to_win"]
    assert found["base"]["resolved"]["seed"] == found["variant"]["resolved"]["seed"] == found["seed"]
    assert next(change["path"] for change in found["changed"]).startswith("seats.1")


def test_of_players_against_the_game_the_question_is_whether_they_win() -> None:
    found = json.loads(run("adventure-book/two-players", "--set", "rules.plot_cards=10", "--games", "400", "--json"))
    assert found["primary"] == {"quantity": "side.1", "margin": 0.005, "verdict": "lower"}


def test_a_row_without_an_interval_is_told_but_not_drawn() -> None:
    row = difference._row(
        {
            "quantity": "rounds",
            "label": None,
            "kind": "amount",
            "deals": 1,
            "base": 3.0,
            "variant": 4.0,
            "difference": 1.0,
            "low": None,
            "high": None,
            "simultaneous": {"low": None, "high": None},
            "differs": False,
            "size": None,
            "saved": None,
        }
    )
    assert row == Row("rounds", "3", "4", "+1.00", "–", "–", False, "–", False, None)


def test_pairing_is_said_to_save_games_where_something_was_counted() -> None:
    row = {"saved": None, "deals": 9, "difference": 0.0}
    assert "do not differ at all" in difference._saved(row)
    assert "all differ by as much" in difference._saved(row | {"difference": 1.0})
    assert difference._saved(row | {"deals": 0}) == ""


def test_players_are_made_once_for_each_match(duel: Callable[..., Scenario], monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    init = Player.__init__
    monkeypatch.setattr(Player, "__init__", lambda self, *words: (made.append(words[0]), init(self, *words))[1])
    compared(duel(), duel(rules={"hits_to_win": 3}), games=2000)
    assert len(made) == 2
