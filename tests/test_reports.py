"""Every report of every sample: the numbers are the summary's, and no name can break a format."""

from __future__ import annotations

import csv
import gc
import hashlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tracemalloc
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from rich.cells import cell_len

from reports import charts, html, lengths, machine, model, terminal, text
from reports.charts import lines, style
from reports.model import method
from sample_summary import HOSTILE, RECIPES, sample

ROOT = Path(__file__).parent.parent
NAMES = tuple(RECIPES)
VOID = {"meta", "link", "br", "img", "input", "hr"}


def report_of(name: str) -> model.Report:
    """Return the report of a sample."""
    return model.build(*sample(name))


# ---------------------------------------------------------------- a reader of pages


@dataclass
class Page(HTMLParser):
    """What a browser would make of a page: elements, tables, text; complains about tags that do not match."""

    source: str
    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    tables: dict[str, list[list[str]]] = field(default_factory=dict)
    title: str = ""

    def __post_init__(self) -> None:
        """Read the whole page."""
        super().__init__()
        self._rows: list[list[str]] = []
        self._caption = ""
        self.feed(self.source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.tags.append((tag, {key: value or "" for key, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self._rows, self._caption = [], ""
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            self._rows[-1].append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element that closes itself."""
        self.tags.append((tag, {key: value or "" for key, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost element, which must be this one."""
        assert self.open.pop() == tag
        if tag == "table":
            self.tables[self._caption] = self._rows

    def handle_data(self, data: str) -> None:
        """Sort text to where it belongs."""
        if "style" in self.open:
            return
        self.words.append(data)
        if self.open and self.open[-1] == "title" and "svg" not in self.open:
            self.title += data
        if "caption" in self.open:
            self._caption += data
        elif {"td", "th"} & set(self.open):
            self._rows[-1][-1] += data.strip().replace("\N{NO-BREAK SPACE}", " ")

    @property
    def text(self) -> str:
        """All text of the page, blanks as one."""
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """Every sample as a page."""
    return {name: html.render(*sample(name)) for name in NAMES}


# ---------------------------------------------------------------- the samples


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_is_consistent_in_itself(name: str) -> None:
    summary, tables = sample(name)
    sole = sum(side["wins"] for side in summary["sides"])
    ends = sole + summary["tied"] + summary["nobody"] + summary["unfinished"]["games"]
    assert ends == summary["games"]
    assert sum(summary["reasons"].values()) == summary["games"]
    rounds = tables["durations"].filter(tables["durations"]["measure"] == "rounds")
    assert rounds["games"].sum() == summary["games"]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "zero"])
def test_shares_of_sides_and_undecided_games_add_up_to_one(name: str) -> None:
    summary, _ = sample(name)
    undecided = (summary["nobody"] + summary["unfinished"]["games"]) / summary["games"]
    total = sum(side["rate"] for side in summary["sides"]) + undecided
    assert total == pytest.approx(1, abs=len(summary["sides"]) * sys.float_info.epsilon * 4)
    assert sum(part.games for part in report_of(name).ends) == summary["games"]
    assert sum(part.games for part in report_of(name).reasons) == summary["games"]


# ---------------------------------------------------------------- words and rounding


@pytest.mark.parametrize(
    ("share", "decimals", "expected"),
    [
        (0.0, 1, "0.0 %"),
        (1.0, 1, "100.0 %"),
        (0.0001, 1, "<0.1 %"),
        (0.9999, 1, ">99.9 %"),
        (0.9999, 2, "99.99 %"),
        (0.004, 0, "<1 %"),
        (0.572, 1, "57.2 %"),
        (None, 1, "–"),
    ],
)
def test_only_exact_shares_print_as_nothing_or_everything(share: float | None, decimals: int, expected: str) -> None:
    assert text.percent(share, decimals) == expected


@pytest.mark.parametrize("width", [0.2, 0.01, 0.001, 0.0001, 0.00003])
def test_an_interval_never_prints_without_width(width: float) -> None:
    decimals = text.decimals_for([(0.5, 0.5 + width)])
    low, high = text.Share(0.5, 0.5, 0.5 + width, decimals).interval.split(" to ")
    assert low != high


@pytest.mark.parametrize(
    ("minutes", "expected"),
    [
        (0.5, "30 seconds"),
        (1, "1 minute"),
        (9.5, "9.5 minutes"),
        (12.4, "12 minutes"),
        (95, "1 h 35 min"),
        (60, "1 h 00 min"),
    ],
)
def test_minutes_are_said_as_players_say_them(minutes: float, expected: str) -> None:
    assert text.spell_minutes(minutes) == expected


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("duel", "The Man in Black wins 57.4 % of games (56.3 to 58.5); half the games end by round 11."),
        (
            "close",
            "Too close to call: Inigo Montoya (side 1) 50.8 % (48.1 to 53.4) and Inigo Montoya (side 2)",
        ),
        ("party", "Too close to call: Hoarder 22.5 % (21.1 to 24.0) and Rusher 19.3 % (18.0 to 20.8); half"),
        ("zero", "No games were played, so there is nothing to report."),
        ("tied", "Every game is tied; half the games end by round 10."),
        ("endless", "No game finished: every one of them reached the round limit."),
        ("alone", "The players: 39.0 % of games won (35.0 to 43.1); half the games end by round 11."),
    ],
)
def test_the_headline_says_what_happened_in_plain_words(name: str, start: str) -> None:
    assert report_of(name).headline.startswith(start)


def changed(name: str, **values: Any) -> dict[str, Any]:
    """Return a copy of a sample's summary with some values replaced."""
    copy: dict[str, Any] = json.loads(json.dumps(sample(name)[0]))
    return copy | values


def seats(first: float, low: float, high: float) -> dict[str, Any]:
    """Return the `seats` of a summary of two."""
    other = {"seat": 2, "rate": 1 - first, "low": 1 - high, "high": 1 - low}
    return {
        "separable": True,
        "why": None,
        "seats": [{"seat": 1, "rate": first, "low": low, "high": high}, other],
    }


@pytest.mark.parametrize(
    ("found", "sentence", "clause"),
    [
        (
            seats(0.501, 0.497, 0.505),
            "Going first does not matter: seat 1 wins 50.1 %",
            "going first does not",
        ),
        (seats(0.50, 0.46, 0.54), "No effect of going first is seen: seat 1 wins 50.0 %", None),
        (seats(0.56, 0.55, 0.57), "Going first helps: seat 1 wins 56.0 %", "going first helps (56.0 %)"),
        (seats(0.44, 0.43, 0.45), "Going first hurts: seat 1 wins 44.0 %", "going first hurts (44.0 %)"),
        (
            {"separable": False, "why": "one side always sits first", "seats": []},
            "The effect of going first cannot be told apart here: one side always sits first.",
            None,
        ),
    ],
)
def test_going_first_is_judged_by_its_interval(found: dict[str, Any], sentence: str, clause: str | None) -> None:
    report = model.build(changed("duel", seats=found), {})
    assert report.seats.sentence.startswith(sentence)
    assert clause in report.headline if clause else "going first" not in report.headline


@pytest.mark.parametrize(
    ("stop", "sentence", "is_labelled"),
    [
        (
            ("precision", 1.5, 1.09),
            "Stopped after 20,000 games: every range is within ±1.1 points (±1.5 ",
            True,
        ),
        (
            ("games", 20_000, 20_000),
            "Played the planned 20,000 games; every range is within ±1.1 points.",
            False,
        ),
        (
            ("max-time", 0.2, 1.09),
            "Stopped by the time limit after 20,000 games; every range is within",
            False,
        ),
        (
            ("max-time", 50_000, 20_000),
            "Stopped by the time limit after 20,000 games of 50,000 planned;",
            False,
        ),
        (
            ("interrupted", 0.2, 1.09),
            "Interrupted; the first 20,000 games count; every range is within",
            False,
        ),
    ],
)
def test_the_report_says_why_the_run_stopped(stop: tuple[str, float, float], sentence: str, is_labelled: bool) -> None:
    unit = "games" if stop[2] > 100 else "points"
    summary = changed("duel", stop={**dict(zip(("reason", "target", "reached"), stop, strict=True)), "unit": unit})
    report = model.build(summary, {})
    assert report.stop.startswith(sentence)
    assert bool(report.after_stop) == is_labelled
    assert (method.ESTIMATE_AFTER_STOP in html.render(summary, {})) == is_labelled


def test_a_leader_of_two_is_named_with_the_lead() -> None:
    assert report_of("duel").leader == "The Man in Black is ahead by 12.6 to 17.0 points (95 %)."
    mirrored = {"side": 2, "simultaneous_confidence": 0.95, "lead": {"low": -0.2, "high": -0.1}}
    assert model.build(changed("duel", leader=mirrored), {}).leader.endswith("ahead by 10.0 to 20.0 points (95 %).")
    assert report_of("close").leader.startswith("No side is ahead for certain: the lead may be anything from")
    assert report_of("tied").leader == ""


def test_metrics_carry_the_names_of_their_players() -> None:
    labels = [row.label for row in report_of("duel").metrics]
    assert labels == ["dice left", "hits, The Man in Black", "hits, Inigo Montoya"]
    metrics = {f"hits.{i}": changed("duel")["metrics"]["hits.1"] | {"absent": i} for i in range(1, 5)}
    teams = model.build(changed("duel", metrics=metrics), {})
    assert [row.label for row in teams.metrics][:2] == [
        "hits, player 1 (not in 1 game)",
        "hits, player 2 (not in 2 games)",
    ]


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        (
            (0.41, 0.0, 0.0, 0.59),
            "41 % of the numbers come from the rulebook, 59 % are reconstructed: this is not the published game.",
        ),
        ((1.0, 0.0, 0.0, 0.0), "100 % of the numbers come from the rulebook."),
        ((0.0, 0.0, 0.0, 1.0), "All numbers are reconstructed: this is not the published game."),
        ((0.0, 0.0, 0.0, 0.0), "Nothing is recorded about where the numbers of this edition come from."),
    ],
)
def test_the_report_says_where_the_numbers_come_from(shares: tuple[float, ...], expected: str) -> None:
    kinds = ("rulebook", "derived", "public", "reconstructed")
    assert model.build(changed("duel", provenance=dict(zip(kinds, shares, strict=True))), {}).provenance == expected


def test_a_percentile_that_unfinished_games_reach_is_not_claimed() -> None:
    report = report_of("party")
    assert "19 in 20" not in report.length
    assert report.histogram is not None
    assert [mark.name for mark in report.histogram.marks] == ["p05", "p50"]


def test_the_upper_bound_for_unfinished_games_is_never_rounded_down() -> None:
    for high in (0.00031, 0.0123, 0.5, 1.0, 1e-7):
        summary = changed("duel", unfinished={"games": 0, "rate": 0.0, "low": 0.0, "high": high})
        said = re.search(r"at most ([\d.]+) %", model.build(summary, {}).unfinished)
        assert said
        assert 100 * high * (1 - 1e-12) <= float(said[1]) <= 200 * high


def test_the_edition_is_named_once() -> None:
    labels = {"scenario": "s", "game": "The Duel (reconstruction)", "edition": "Reconstruction"}
    assert model.build(changed("duel", labels=labels), {}).subtitle == "The Duel (reconstruction)"
    assert report_of("duel").subtitle == "I Hate to Kill You, Reconstruction"


def test_sides_with_the_same_label_are_told_apart() -> None:
    assert [side.name for side in report_of("close").sides] == [
        "Inigo Montoya (side 1)",
        "Inigo Montoya (side 2)",
    ]
    assert len({side.name for side in report_of("hostile").sides}) == len(HOSTILE)


def test_shortened_names_stay_different() -> None:
    names = ["x" * 100 + ending for ending in ("a" * 20, "b" + "a" * 19)]
    short = text.shorten_all(names, 20)
    assert len(set(short)) == 2
    assert all(len(name) <= 20 for name in short)


COMMANDS = [
    "balance odds a/b --seed 1 --games 120000",
    "balance odds 'my scenarios/a b.yaml' --set seats.1.label='Müller–Élan ⚔  two  blanks' --games 5",
    'balance odds a/b --set "seats.1.label=it\'s" --set rules.hits_to_win=7 --set components.leap.rank=3',
    "balance odds a/b --set seats.1.label='" + "x" * 200 + "' --games 5",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_broken_into_lines_still_says_the_same(command: str) -> None:
    lines = text.command_lines(text.printable(command), 40)
    shell = "balance() { printf '%s\\0' \"$@\"; }\n" + "\n".join(lines)
    done = subprocess.run(["sh", "-c", shell], capture_output=True, check=True)
    assert done.stdout.decode().split("\0")[:-1] == shlex.split(command)[1:]
    # A line is only longer when a single argument, with its option, is.
    assert all(len(line) <= 40 or " " not in re.sub(r"'[^']*'|^ +| .$|--\S+ ", "", line) for line in lines)


def test_a_histogram_covers_every_finished_game_once() -> None:
    for name in set(NAMES) - {"zero", "endless"}:
        histogram = report_of(name).histogram
        assert histogram is not None
        for limit in (5, 17, 60):
            bins = histogram.bins(limit)
            beyond = sum(games for value, games in histogram.counts if value > histogram.last_drawn)
            assert sum(b.games for b in bins) + beyond + histogram.unfinished == histogram.games
            assert len(bins) <= limit
            assert all(b.last + 1 == after.first for b, after in pairwise(bins))


def test_without_finished_games_there_is_no_histogram() -> None:
    assert report_of("zero").histogram is None
    assert report_of("endless").histogram is None


# ---------------------------------------------------------------- JSON, CSV, Markdown


def refuse(constant: str) -> None:
    """Fail on what strict JSON does not know."""
    raise AssertionError(constant)


@pytest.mark.parametrize("name", NAMES)
def test_json_is_strict_and_loses_nothing(name: str) -> None:
    summary, _ = sample(name)
    written = machine.to_json(summary)
    assert json.loads(written, parse_constant=refuse) == json.loads(json.dumps(summary))
    assert list(json.loads(written)) == list(summary)
    assert written.endswith("}\n")
    written.encode("utf-8")


def test_a_number_that_is_not_finite_is_refused_and_a_name_like_it_is_not() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        machine.to_json(changed("duel", seed=float("nan")))
    assert json.loads(machine.to_json({"label": "NaN", "other": "BaNaNa"})) == {
        "label": "NaN",
        "other": "BaNaNa",
    }


def test_half_a_surrogate_pair_does_not_break_the_encoding() -> None:
    assert json.loads(machine.to_json({"label": "a\ud800b ⚔"})) == {"label": "a\ufffdb ⚔"}


@pytest.mark.parametrize("name", NAMES)
def test_csv_gives_back_the_table_of_sides(name: str) -> None:
    summary, tables = sample(name)
    rows = list(csv.DictReader(io.StringIO(machine.to_csv(summary), newline="")))
    assert list(rows[0]) == tables["sides"].columns
    for row, side in zip(rows, tables["sides"].iter_rows(named=True), strict=True):
        assert row["label"] == side["label"].replace("\x1b", " ")
        assert [int(row[key]) for key in ("side", "wins", "shared")] == [
            side["side"],
            side["wins"],
            side["shared"],
        ]
        for key in ("rate", "low", "high"):
            assert (float(row[key]) if row[key] else None) == side[key]


@pytest.mark.parametrize("name", NAMES)
def test_markdown_tables_keep_their_columns_and_hold_no_markup(name: str) -> None:
    written = machine.to_markdown(*sample(name))
    assert "<script" not in written
    tables = [block.splitlines() for block in written.split("\n\n") if block.startswith("| ")]
    assert tables[0][0].count("|") == 6
    assert len(tables[0]) == 2 + len(sample(name)[0]["sides"])
    for table in tables:
        assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} == {table[0].count("|")}


# ---------------------------------------------------------------- terminal


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("ascii", [False, True])
def test_text_fits_the_terminal(name: str, width: int, ascii: bool) -> None:
    shown = terminal.render(*sample(name), width=width, ascii=ascii)
    assert max(cell_len(line) for line in shown.splitlines()) <= width
    assert "\x1b" not in shown
    assert shown.isascii() == ascii or not ascii


def test_colour_only_adds_colour() -> None:
    plain = terminal.render(*sample("hostile"))
    colourful = terminal.render(*sample("hostile"), colour=True)
    assert "\x1b[" in colourful
    stripped = re.sub(r"\x1b\[[\d;]*m", "", colourful)
    assert [line.rstrip() for line in stripped.splitlines()] == plain.splitlines()


def test_the_environment_does_not_change_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = terminal.render(*sample("duel"))
    for name, value in {"COLUMNS": "40", "FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    assert terminal.render(*sample("duel")) == expected
    assert "\x1b[" in terminal.render(*sample("duel"), colour=True)


@pytest.mark.parametrize("name", NAMES)
def test_text_holds_headline_numbers_and_command(name: str) -> None:
    report = report_of(name)
    shown = " ".join(terminal.render(*sample(name)).split())
    assert report.headline in shown
    if report.games:
        for side in report.sides:
            assert f"{side.share.percent} {side.share.interval} {side.wins:,}" in shown
    assert report.command in shown.replace(" \\ ", " ")


def test_the_sparkline_rises_with_the_counts_and_hides_no_game() -> None:
    top, bottom = terminal.spark([0, 1, 500, 1000], " ▁▂▃▄▅▆▇█", 2)
    assert bottom == " ▁██"
    assert top == "   █"


# ---------------------------------------------------------------- the page


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_well_formed_and_needs_nothing_from_outside(name: str, pages: dict[str, str]) -> None:
    page = Page(pages[name])
    assert {"script", "iframe", "object", "img"}.isdisjoint(tag for tag, _ in page.tags)
    links = [value for _, attrs in page.tags for key, value in attrs.items() if key in ("src", "href", "xlink:href")]
    assert all(link.startswith(("#", "data:")) for link in links)
    assert re.findall(r"url\((?!#)|@import|\bon\w+=\"", pages[name]) == []
    assert dict(page.tags)["html"] == {"lang": "en"}
    assert len(pages[name].encode()) < 2_000_000


@pytest.mark.parametrize("name", NAMES)
def test_every_id_is_unique_and_every_reference_has_its_target(name: str, pages: dict[str, str]) -> None:
    page = Page(pages[name])
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    wanted = set(re.findall(r"url\(#([^)]+)\)|href=\"#([^\"]+)\"|aria-labelledby=\"([^\"]+)\"", pages[name]))
    assert {target for group in wanted for target in group if target} <= set(ids)


def test_hostile_names_stay_names(pages: dict[str, str]) -> None:
    page = Page(pages["hostile"])
    assert "<script" not in pages["hostile"]
    assert page.title == "<script>alert(1)</script></title>: balance report"
    shown = [row[0] for row in page.tables["Wins of every side"][1:]]
    assert shown == [text.clean(label) for label in HOSTILE]
    assert "<b>note</b> & more" in page.text
    for label in ("Müller–Élan ⚔", "NaN", "</title>"):
        assert any(label in words for words in page.words)


def test_the_resolved_scenario_is_on_the_page_and_reads_back_equal(tmp_path: Path, pages: dict[str, str]) -> None:
    from simcore import yamlfile

    for name in ("duel", "hostile"):
        page = Page(pages[name])
        shown = next(words for words in page.words if words.startswith("game: hate-to-kill-you"))
        (tmp_path / "scenario.yaml").write_text(shown, encoding="utf-8")
        assert yamlfile.load(tmp_path / "scenario.yaml").data == sample(name)[0]["resolved"]


@pytest.mark.parametrize("name", NAMES)
def test_numbers_on_the_page_are_those_of_the_summary(name: str, pages: dict[str, str]) -> None:
    summary, _ = sample(name)
    tables = Page(pages[name]).tables
    head, *rows = tables["Wins of every side"]
    for row, side in zip(rows, summary["sides"], strict=True):
        cells = dict(zip(head, row, strict=True))
        assert (cells["Won alone"], cells["Shared"]) == (f"{side['wins']:,}", f"{side['shared']:,}")
        if summary["games"]:
            assert cells["Share of wins"] == f"{100 * side['rate']:.1f} %"
            assert cells["95 % range"] == f"{100 * side['low']:.1f} to {100 * side['high']:.1f}"
    assert ("Length of a game" in tables) == (summary["games"] > 0)
    head, *rows = tables.get("Length of a game", [[]])
    for row, measure in zip(rows, ("rounds", "turns", "decisions"), strict=False):
        cells = dict(zip(head, row, strict=True))
        for column in ("min", "p05", "p25", "p50", "p75", "p90", "p95", "max"):
            assert cells[column] == f"{int(summary[measure][column]):,}"
        assert cells["mean"] == f"{summary[measure]['mean']:,.2f}"
    reasons = {row[0]: row[1] for row in tables.get("All games, by why they end", [[]])[1:]}
    assert reasons == {reason: f"{games:,}" for reason, games in summary["reasons"].items()}


@pytest.mark.parametrize("name", NAMES)
def test_the_page_shows_every_part_of_the_answer(name: str, pages: dict[str, str]) -> None:
    report, shown = report_of(name), Page(pages[name]).text.replace("\N{NO-BREAK SPACE}", " ")
    parts = [
        report.headline,
        report.stop,
        report.provenance,
        report.command,
        report.ids,
    ]
    parts += [report.seats.sentence, report.length, report.table_time] if report.games else []
    parts += [*report.method, *report.notes, *(trace.command for trace in report.traces)]
    parts += [report.captions[figure] for figure in charts.figures(report)]
    for part in parts:
        assert " ".join(part.split()) in shown


def test_every_colour_of_a_figure_has_a_light_and_a_dark_value(pages: dict[str, str]) -> None:
    style = (html.TEMPLATES / "style.css").read_text(encoding="utf-8")
    light, dark, *_ = style.split("@media (prefers-color-scheme: dark)")
    for name in re.findall(r"var\(--([\w-]+)", pages["party"]):
        assert f"--{name}: #" in light
        assert f"--{name}: #" in dark


# ---------------------------------------------------------------- figures


def offsets(figure: Figure, label: str) -> list[list[float]]:
    """Return the x values of the lines of a figure with this label."""
    return [np.asarray(line.get_xdata(), float).tolist() for line in figure.axes[0].lines if line.get_label() == label]


def bars(figure: Figure) -> list[Rectangle]:
    """Return the bars of a figure."""
    return [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "zero"])
@pytest.mark.parametrize("wide", [True, False])
def test_dots_and_whiskers_stand_where_the_table_says(name: str, wide: bool) -> None:
    summary, _ = sample(name)
    report = report_of(name)
    figure = charts.win_rates(report, wide)
    assert offsets(figure, "dot") == [[side["rate"]] for side in summary["sides"]]
    assert offsets(figure, "whisker") == [[side["low"], side["high"]] for side in summary["sides"]]
    shown = [t.get_text() for t in figure.axes[0].texts if t.get_label() == "value"]
    assert shown == [side.share.phrase for side in report.sides]
    low, high = figure.axes[0].get_xlim()
    assert low <= min(side["low"] for side in summary["sides"])
    assert high >= max(side["high"] for side in summary["sides"])


@pytest.mark.parametrize("name", ["duel", "party", "tied", "hostile"])
def test_marks_and_bars_of_the_histogram_are_those_of_the_table(name: str) -> None:
    summary, tables = sample(name)
    report = report_of(name)
    figure = charts.duration_histogram(report)
    assert report.histogram is not None
    for mark in report.histogram.marks:
        assert offsets(figure, mark.name) == [[summary["rounds"][mark.name]] * 2]
    drawn: dict[int, float] = {}
    for bar in bars(figure):
        centre = round(bar.get_x() + bar.get_width() / 2)
        drawn[centre] = drawn.get(centre, 0.0) + bar.get_height() * summary["games"]
    rounds = tables["durations"].filter(tables["durations"]["measure"] == "rounds")
    table = {int(row["value"]): row["games"] for row in rounds.iter_rows(named=True)}
    last = max(report.histogram.last_drawn, report.histogram.limit if report.histogram.draws_unfinished else 0)
    expected = {value: games for value, games in table.items() if value <= last}
    assert {value: round(games) for value, games in drawn.items() if games} == expected


@pytest.mark.parametrize("name", ["duel", "party", "alone", "endless"])
def test_bars_of_reasons_are_those_of_the_table(name: str) -> None:
    summary, _ = sample(name)
    expected = sorted((games / summary["games"] for games in summary["reasons"].values()), reverse=True)
    assert [bar.get_width() for bar in bars(charts.end_reasons(report_of(name)))] == expected


@pytest.mark.parametrize("wide", [True, False])
def test_bars_of_the_funnel_are_those_of_the_stages(wide: bool) -> None:
    games = sample("alone")[0]["games"]
    stages = [
        {"label": f"{n} Müller–Élan ⚔", "reached": reached, "passed": {"won": won}, "failed": {"late": lost}}
        | {"others": {"turns": 3.0}, "metrics": []}
        for n, reached, won, lost in ((1, games, games // 2, 7), (2, games // 2, games // 8, 9))
    ]
    report = model.build(changed("alone", stages=stages), {})
    figure = charts.funnel(report, wide)
    expected = [games // 2 / games, games // 8 / games, 1.0, games // 2 / games]
    assert [bar.get_width() for bar in bars(figure)] == expected
    shown = [t.get_text() for t in figure.axes[0].texts if t.get_label() == "value"]
    assert report.stages is not None
    assert shown == [step.phrase for step in report.stages.steps]
    assert all(step.phrase in report.captions["funnel"] for step in report.stages.steps)


@pytest.mark.parametrize("name", ["duel", "party"])
def test_the_survival_curve_is_what_the_table_leaves(name: str) -> None:
    summary, tables = sample(name)
    report = report_of(name)
    assert report.histogram is not None
    line = charts.survival(report).axes[0].lines[0]
    rounds = tables["durations"].filter(tables["durations"]["measure"] == "rounds")
    finished = {row["value"]: row["games"] for row in rounds.iter_rows(named=True)}
    finished[max(finished)] -= summary["unfinished"]["games"]
    for value, share in list(zip(line.get_xdata(), line.get_ydata(), strict=True))[1:]:
        ended = sum(games for rounds_played, games in finished.items() if rounds_played <= value)
        assert share == pytest.approx(1 - ended / summary["games"])


def test_many_reasons_are_added_up_and_none_is_lost() -> None:
    counts = {f"reason {i}": 1 for i in range(30)}
    summary = changed("duel", games=30, reasons=counts)
    widths = [bar.get_width() for bar in bars(charts.end_reasons(model.build(summary, {})))]
    assert len(widths) == 10
    assert sum(widths) == pytest.approx(1, abs=30 * sys.float_info.epsilon)


@pytest.mark.parametrize("name", ["duel", "party", "one"])
def test_lines_of_convergence_are_those_of_the_looks(name: str) -> None:
    _, tables = sample(name)
    figure = charts.convergence(report_of(name))
    drawn = [line for line in figure.axes[0].lines if line.get_label() == "rates"]
    for side, line in enumerate(drawn, start=1):
        looks = tables["looks"].filter(tables["looks"]["side"] == side).sort("games")
        assert np.asarray(line.get_xdata()).tolist() == looks["games"].to_list()
        assert np.asarray(line.get_ydata()).tolist() == looks["rate"].to_list()
    assert len(drawn) == tables["looks"]["side"].n_unique()


@pytest.mark.parametrize("places", [[0.5], [0.5, 0.5], [0.1, 0.9], [0.3, 0.31, 0.32, 0.9], [0.9, 0.1, 0.12, 0.11]])
def test_labels_move_apart_and_keep_their_order(places: list[float]) -> None:
    gap = 0.05
    moved = lines.spread(places, gap)
    ordered = [moved[i] for i in sorted(range(len(places)), key=lambda i: places[i])]
    assert all(b - a >= gap * (1 - 1e-9) for a, b in pairwise(ordered))
    far = all(abs(a - b) >= gap for i, a in enumerate(places) for b in places[:i])
    assert moved == pytest.approx(places) or not far


def test_a_name_is_text_in_the_figure_and_never_mathematics() -> None:
    drawn = charts.to_svg(charts.win_rates(report_of("hostile")), "x")
    assert ">Müller–Élan ⚔<" in drawn
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in drawn
    assert "cost $5" in drawn
    assert "漢字" in drawn


def test_a_figure_that_leaves_the_page_says_what_it_shows() -> None:
    report = report_of("hostile")
    figure = charts.win_rates(report)
    charts.add_title(figure, report.titles["win_rates"])
    assert "<script>alert(1)</script></title>, 3,000 games: who wins" in {t.get_text() for t in figure.texts}
    assert set(report.titles) >= set(charts.figures(report))


def test_a_long_name_does_not_push_the_heading_out_of_the_figure() -> None:
    labels = {"scenario": "Wide " * 40, "game": "g", "edition": "e"}
    report = model.build(changed("duel", labels=labels, games=123_456_789), {})
    for title in report.titles.values():
        figure = charts.win_rates(report)
        charts.add_title(figure, title)
        assert figure.texts[0].get_window_extent().x1 <= figure.bbox.x1


def test_a_figure_taken_out_of_the_page_keeps_its_colours() -> None:
    drawn = charts.to_svg(charts.win_rates(report_of("duel")), "x")
    assert f"var(--c1, {style.PALETTE[0]})" in drawn
    assert re.findall(r"<(?:style|metadata|!--)", drawn) == []


def test_drawing_leaves_the_settings_of_matplotlib_alone() -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    charts.to_svg(charts.win_rates(report_of("duel")), "x")
    assert dict(matplotlib.rcParams) == before


def test_a_hundred_figures_leave_nothing_behind() -> None:
    report = report_of("close")
    draw = list(charts.figures(report).values())

    def produce(number: int) -> None:
        for i in range(number):
            draw[i % len(draw)](report, wide=i % 2 == 0)
        gc.collect()

    produce(10)
    alive = sum(issubclass(type(thing), Figure) for thing in gc.get_objects())
    tracemalloc.start()
    produce(50)
    first, _ = tracemalloc.get_traced_memory()
    produce(50)
    second, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum(issubclass(type(thing), Figure) for thing in gc.get_objects()) == alive
    # One figure left behind would hold far more than this for each of the fifty.
    assert second - first < 50 * 2_000


# ---------------------------------------------------------------- files and processes


def test_the_run_directory_gets_page_and_figures_and_nothing_else(tmp_path: Path) -> None:
    for name in ("duel", "zero"):
        html.write(tmp_path / name, *sample(name))
        found = sorted(path.relative_to(tmp_path / name).as_posix() for path in (tmp_path / name).rglob("*.*"))
        figures = charts.figures(report_of(name))
        assert found == [*sorted(f"plots/{figure}.png" for figure in figures), "report.html"]
    assert (tmp_path / "duel/report.html").read_text(encoding="utf-8") == html.render(*sample("duel"))
    for path in (tmp_path / "duel/plots").iterdir():
        assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("failing", [".html", ".png"])
def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    (tmp_path / "report.html").write_text("old")
    rename = Path.replace

    def no_space(self: Path, target: Path) -> Path:
        if target.suffix == failing:
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", no_space)
    with pytest.raises(OSError, match="No space"):
        html.write(tmp_path, *sample("one"))
    assert (tmp_path / "report.html").read_text() == "old"
    assert [path.name for path in tmp_path.rglob("*.tmp")] == []


def run_python(code: str, **environment: str) -> str:
    """Run a line of Python in a new process and return what it prints."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    settings = os.environ | {"PYTHONPATH": paths} | environment
    done = subprocess.run([sys.executable, "-c", code], env=settings, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_quick_answer_loads_no_drawing_library(tmp_path: Path) -> None:
    (tmp_path / "summary.json").write_text(machine.to_json(sample("duel")[0]), encoding="utf-8")
    code = (
        "import json, pathlib, sys; from reports import terminal, machine; "
        f"text = pathlib.Path({str(tmp_path / 'summary.json')!r}).read_text(encoding='utf-8'); "
        "summary = json.loads(text); "
        "assert terminal.render(summary, {}) and machine.to_json(summary) and machine.to_markdown(summary); "
        "print(sorted({'matplotlib', 'jinja2', 'polars', 'numpy', 'scipy'} & set(sys.modules)))"
    )
    assert run_python(code) == "[]"


def test_figures_never_load_the_interactive_interface() -> None:
    code = (
        "import sys; from sample_summary import sample; from reports import html; "
        "html.render(*sample('one')); print('matplotlib.pyplot' in sys.modules)"
    )
    assert run_python(code) == "False"


def test_the_page_is_the_same_in_every_process(pages: dict[str, str]) -> None:
    code = (
        "import hashlib; from sample_summary import sample; from reports import html; "
        "print(hashlib.sha256(html.render(*sample('party')).encode()).hexdigest())"
    )
    expected = hashlib.sha256(pages["party"].encode()).hexdigest()
    assert run_python(code, PYTHONHASHSEED="1", MPLBACKEND="agg") == expected


def test_the_statistics_columns_are_those_of_the_summary() -> None:
    summary, _ = sample("duel")
    assert set(lengths.STATISTICS) <= set(summary["rounds"])
    assert all(set(lengths.METRIC_STATISTICS) <= set(values) for values in summary["metrics"].values())
