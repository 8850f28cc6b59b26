"""Components: contrasts against known truths and under none, knock-outs, and every format."""

from __future__ import annotations

import csv
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import cli
import toy_game
from reports import analysis, weighed
from simcore import components, exposure
from simcore.contract import Exposed
from simcore.errors import InputError
from simcore.exposure import Contrasts, ContrastTally, Line, contrasts
from simcore.match import Match
from simcore.scenario import Scenario
from support import sampled, sigmas

DUEL: dict[str, Any] = {
    "game": "hate-to-kill-you",
    "seats": [
        {"strategy": "random", "character": "inigo", "label": "Inigo"},
        {"strategy": "random", "character": "man-in-black", "label": "The Man"},
    ],
    "components": {"nothing": {"kind": "cards", "label": "Nothing", "deck": "inigo", "rank": 9, "effects": []}},
    "seed": 5,
}
SEATS, CHARMS = 3, 20


def run(*words: str, code: int = 0) -> str:
    """Run `balance components` in this process; return what it prints."""
    result = CliRunner().invoke(cli.app, ["components", *words])
    assert result.exit_code == code, result.output + str(result.exception)
    return result.stdout


# ---------------------------------------------------------------- contrasts


def charms(kind: str = "charms", exposure_: str = "dealt") -> Contrasts:
    """Return the question of 20 components, of which any seat of three may have any."""
    exposed = tuple(Exposed(bit, f"c{bit}", f"Charm {bit}", kind, exposure_) for bit in range(CHARMS))
    match = Match("toy", 1, SEATS, ((0, 1, 2),), (), None, None, (0, 0, 0), exposed)
    lines = tuple(Line(number, ("dealt", "held", "played").index(exposure_)) for number in range(CHARMS))
    layout = exposure._layout(toy_game.GAME, match, lines)
    usual = np.full((CHARMS, 1, SEATS, exposure.MOST), 20, np.int8)  # 0.3, in 64ths
    centres = np.full((1, 1, SEATS, exposure.MOST), 20, np.int8)
    return Contrasts(match, lines, layout, usual, centres, 1.0)


def counted(asked: Contrasts, had: Any, winner: Any) -> ContrastTally:
    """Return the sums of games in which seats had (G, S, 20) components and one of them won."""
    rows = np.zeros(len(winner), toy_game.OUTCOME)
    rows["winners"] = 1 << winner
    words = (had.astype(np.uint32) << np.arange(CHARMS, dtype=np.uint32)).sum(axis=2)
    rows["exposed"][:, :, asked.lines[0].exposure, 0] = words
    tally = asked.tally([])
    asked.count(tally, [rows], 0)
    return tally


def played(chance: Any, games: int, strength: float) -> tuple[Any, Any]:
    """Deal every component to every seat with chance 0.3; the first is worth `strength`, seat 1 is better anyway."""
    had = chance.random((games, SEATS, CHARMS)) < 0.3
    weights = np.array([2.0, 1.0, 1.0]) * (1 + strength * had[:, :, 0])
    shares = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
    return had, (chance.random((games, 1)) > shares).sum(axis=1)


def test_what_a_component_is_worth_is_found_and_a_blank_is_worth_nothing() -> None:
    chance = np.random.default_rng(3)
    asked = charms()
    had, winner = played(chance, 60_000, 1.0)
    found = list(contrasts(counted(asked, had, winner), asked, asked.joint))
    won = np.arange(SEATS) == winner[:, None]
    seats = [won[had[:, s, 0], s].mean() - won[~had[:, s, 0], s].mean() for s in range(SEATS)]
    spread = [had[:, s, 0].var() for s in range(SEATS)]
    assert found[0].difference == pytest.approx(np.average(seats, weights=spread))  # the regression, by another way
    assert found[0].with_it == pytest.approx(won[had[:, :, 0]].mean())
    assert found[0].times == had[:, :, 0].sum()
    low, high = found[0].low, found[0].high
    assert low is not None and high is not None
    assert low > 0.1
    for blank in found[1:]:
        assert blank.low is not None and blank.high is not None
        assert blank.low < 0 < blank.high
        error = (blank.high - blank.low) / 2 / 1.96  # wider than the standard error: valid at any time, and jointly
        assert abs(blank.difference or 0) < sigmas() * error


def test_the_largest_of_many_null_effects_is_called_strong_as_rarely_as_is_said() -> None:
    chance = np.random.default_rng(4)
    asked = charms()
    repetitions = sampled(60, 1000)
    wrong, widest = 0, []
    for _ in range(repetitions):
        found = list(contrasts(counted(asked, *played(chance, 2000, 0.0)), asked, asked.joint))
        wrong += any(each.low is not None and not each.low <= 0 <= (each.high or 0) for each in found)
        widest.append(max(abs(each.difference or 0) for each in found))
    assert np.mean(widest) > 0.02  # large enough to fool who looks at the largest alone
    assert wrong <= 0.05 * repetitions + sigmas() * (0.05 * 0.95 * repetitions) ** 0.5


def test_the_error_is_that_of_deals() -> None:
    # The interval at one look, against the spread of the difference over repetitions.
    chance = np.random.default_rng(6)
    asked = charms()
    found = [list(contrasts(counted(asked, *played(chance, 1500, 0.5)), asked, 0.95))[5] for _ in range(60)]
    spread = np.std([each.difference for each in found])
    arms = [each.arm for each in found]
    plain = 1.96 * spread
    assert 1.3 * plain < np.mean(arms) < 3 * plain  # anytime-valid: between one and a half and two and a half times


def test_who_plays_longer_has_more_and_that_is_taken_out() -> None:
    # Winners hold twice as many blanks as losers: each looks strong until as many are compared with as many.
    chance = np.random.default_rng(5)
    games = 30_000
    winner = chance.integers(SEATS, size=games)
    won = np.arange(SEATS) == winner[:, None]
    had = chance.random((games, SEATS, CHARMS)) < np.where(won, 0.4, 0.2)[:, :, None]
    plain, adjusted = charms(), charms(exposure_="held")
    naive = list(contrasts(counted(plain, had, winner), plain, plain.joint))
    fair = list(contrasts(counted(adjusted, had, winner), adjusted, adjusted.joint))
    assert all((each.low or 0) > 0.1 for each in naive)
    for each in fair:
        assert each.low is not None and each.high is not None
        assert each.low < 0 < each.high
        assert abs(each.difference or 0) < 0.03


def test_what_everybody_always_has_is_no_contrast() -> None:
    asked = charms()
    had, winner = played(np.random.default_rng(1), 2000, 0.0)
    had[:, :, 7] = True
    had[:, :, 8] = False
    had[:, :, 9] = np.arange(SEATS) == 0  # seat 1 always, the others never
    found = list(contrasts(counted(asked, had, winner), asked, asked.joint))
    assert [found[i].difference for i in (7, 8, 9)] == [None] * 3
    assert all(each.difference is not None for each in found[:7])


# ---------------------------------------------------------------- knock-outs


def test_a_blank_is_what_the_game_says(load_scenario: Callable[..., Scenario]) -> None:
    duel = load_scenario(DUEL)
    found = {blank.id: blank.sets for blank in components.blanks(duel)}
    assert found["leap"] == ["components.leap.rank=null", "components.leap.effects=[]"]
    assert found["nothing"] == ["components.nothing.rank=null"]
    assert {blank.kind for blank in components.blanks(duel)} == {"cards"}
    assert components.kinds(duel) == {"dice": False, "characters": False, "cards": True}
    assert [blank.id for blank in components.blanks(duel, ["leap"])] == ["leap"]
    with pytest.raises(InputError, match="did you mean"):
        components.blanks(duel, ["laep"])
    wish = load_scenario({"game": "as-you-wish", "seats": [{"strategy": "random"}] * 2, "seed": 1})
    rugen = next(blank for blank in components.blanks(wish) if blank.id == "rugen")
    assert rugen.sets == ["components.rugen.scores.1.points=0", "components.rugen.scores.2.points=0"]
    assert components.is_mirror(load_scenario({**wish.resolved, "rotate": True}))
    assert not components.is_mirror(duel)


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    file = tmp_path_factory.mktemp("duel") / "duel.yaml"
    file.write_text(json.dumps(DUEL), encoding="utf-8")
    words = ["--only", "leap", "--only", "nothing", "--only", "parry", "--only", "run", "--games", "4000", "--json"]
    found: dict[str, Any] = json.loads(run(str(file), *words))
    return found


def test_a_card_without_effect_is_worth_exactly_nothing(answer: dict[str, Any]) -> None:
    rows = {row["id"]: row for row in answer["knockouts"]}
    assert set(rows) == {"leap", "nothing", "parry"}
    assert answer["not_in_play"] == ["Run"]  # of a deck that nobody plays
    assert all(each["difference"] == 0 and not each["strong"] for each in rows["nothing"]["effects"].values())
    leap = rows["leap"]["effects"]["side.1"]
    assert leap["strong"] and leap["difference"] < 0
    assert rows["parry"]["effects"]["side.2"]["difference"] < 0
    assert answer["exposures"] == []
    assert answer["games"] == 3 * 2 * 4000


def test_a_knock_out_is_what_compare_says(answer: dict[str, Any]) -> None:
    row = next(row for row in answer["knockouts"] if row["id"] == "leap")
    words = shlex.split(row["command"])
    assert words[:2] == ["balance", "compare"]
    result = CliRunner().invoke(cli.app, [*words[1:], "--json"])
    compared = {each["quantity"]: each for each in json.loads(result.stdout)["effects"]}
    for name, each in row["effects"].items():
        assert each["difference"] == pytest.approx(compared[name]["difference"])
        assert each["low"] < compared[name]["low"]  # the level is that for all together


def test_the_owner_of_a_dealt_component_is_followed_into_the_other_game(tmp_path: Path) -> None:
    file = tmp_path / "three.yaml"
    seats = [{"strategy": "greedy"}] * 3
    file.write_text(json.dumps({"game": "as-you-wish", "seats": seats, "seed": 2, "rotate": True}), encoding="utf-8")
    words = [str(file), "--only", "rugen", "--only", "fezzik", "--games", "3000", "--json"]
    found = json.loads(run(*words))
    for row in found["knockouts"]:
        owner = row["effects"]["owner"]
        assert row["on"] == "owner"
        assert owner["difference"] == pytest.approx(owner["variant"] - owner["base"])
        assert owner["strong"] and owner["difference"] < -0.02  # a character that scores nothing wins less
    kinds = {(row["kind"], row["exposure"]) for row in found["exposures"]}
    assert ("characters", "dealt") in kinds and ("quest cards", "drawn") in kinds and ("quest cards", "held") in kinds
    assert ("characters", "held") not in kinds  # the same as dealt
    dealt = {row["id"]: row for row in found["exposures"] if row["exposure"] == "dealt"}
    owner = next(row for row in found["knockouts"] if row["id"] == "fezzik")["effects"]["owner"]
    assert dealt["fezzik"]["with"] == pytest.approx(owner["base"])  # the same games, counted in two ways
    text = analysis.to_terminal(weighed.page(found), ascii=True)
    assert max(len(line) for line in text.splitlines() if "three.yaml" not in line) <= 80


def test_components_in_every_format(answer: dict[str, Any]) -> None:
    rows = list(csv.DictReader(analysis.to_csv(weighed.page(answer)).splitlines()))
    assert len(rows) == sum(len(row["effects"]) for row in answer["knockouts"])
    page = weighed.page(answer)
    text = analysis.to_terminal(page, ascii=True)
    assert text.isascii()
    assert max(map(len, text.splitlines())) <= 80
    assert "does not tell who had which component" in text
    assert "Leap" in analysis.to_markdown(page)
    for wide in (True, False):
        assert page.pictures[0].draw(wide=wide).axes


def test_a_budget_is_for_all_runs_together(tmp_path: Path) -> None:
    file = tmp_path / "duel.yaml"
    file.write_text(json.dumps(DUEL), encoding="utf-8")
    directory = tmp_path / "out"
    words = ["--only", "leap", "--only", "parry", "--budget", "8000", "-o", str(directory), "--json"]
    found = json.loads(run(str(file), *words, code=3))
    assert found["games"] <= 8000
    assert [row["stop"] for row in found["knockouts"]] == ["budget"] * 2
    assert {file.name for file in directory.iterdir()} == {"components.json", "report.html", "plots", "tables"}
    before = (directory / "report.html").read_text(encoding="utf-8")
    assert CliRunner().invoke(cli.app, ["report", str(directory)]).exit_code == 0
    assert (directory / "report.html").read_text(encoding="utf-8") == before
