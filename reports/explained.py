"""Games worth a look as a page, and as rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reports.page import Data, Listing, Page, Picture, Table, of_scenario
from reports.text import NOTHING, clean, count, percent, quantity

COLUMNS = (
    *("kind", "game", "rounds", "turns", "winners", "reason", "lead_changes", "swing", "margin", "behind"),
    "command",
)
NAMES = {
    "typical": "typical",
    "shortest": "shortest",
    "longest": "longest",
    "swing": "big swing",
    "comeback": "comeback",
    "closest": "close finish",
    "changes": "lead changes",
}
DRAWN = 4  # games in the figure


def page(answer: Mapping[str, Any]) -> Page:
    """Return what is told of the games."""
    return of_scenario(
        answer,
        "explain",
        f"games worth a look, of {answer['games']:,}",
        headline=_headline(answer),
        sentences=_sentences(answer),
        tables=_tables(answer),
        pictures=_pictures(answer),
        data=_data(answer),
        method=_method(),
        listings=_listings(answer),
    )


def _data(answer: Mapping[str, Any]) -> Data:
    """Return one row for each game."""
    rows = [{**row, "winners": " ".join(map(str, row["winners"]))} for row in answer["explained"]]
    return Data(COLUMNS, rows)


def _headline(answer: Mapping[str, Any]) -> str:
    typical = next((row for row in answer["explained"] if row["kind"] == "typical"), None)
    if typical is None:
        return "No game was finished."
    return f"A typical game is number {typical['game']}: {_winner(answer, typical)} after {_rounds(typical)}."


def _rounds(row: Mapping[str, Any]) -> str:
    return count(row["rounds"], "round")


def _winner(answer: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    names = [clean(answer["sides"][side - 1]) for side in row["winners"]]
    if row["unfinished"]:
        return f"unfinished ({clean(row['reason'])})"
    if not names:
        return f"{clean(answer['nobody'])} wins ({clean(row['reason'])})"
    return f"{names[0]} wins" if len(names) == 1 else f"{', '.join(names)} share the win"


def _winners(answer: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    if row["unfinished"]:
        return "unfinished"
    return ", ".join(clean(answer["sides"][side - 1]) for side in row["winners"]) or clean(answer["nobody"])


def _sentences(answer: Mapping[str, Any]) -> Iterator[str]:
    found = answer["course"]
    if found["games"]:
        yield (
            f"In {found['games']:,} games the leader changes {quantity(found['lead_changes'])} times, and the lead "
            f"swings by {quantity(found['swing'])} at most, on average."
        )
    if found["margin"] is not None:
        yield (
            f"When the last turn begins, the winner leads by {quantity(found['margin'])} on average, and is behind in "
            f"{percent(found['from_behind'])} of the games."
        )
    rounds = answer["rounds"]
    if rounds["p50"] is not None:
        ends = f"{rounds['p05']:g} to {rounds['p95']:g}"
        yield f"Half of the games take {count(rounds['p50'], 'round')} or less, nine in ten {ends}."


def _tables(answer: Mapping[str, Any]) -> Iterator[Table]:
    rows = tuple(
        (
            NAMES[row["kind"]],
            str(row["game"]),
            f"{row['rounds']:,}",
            _winners(answer, row),
            str(row["lead_changes"]),
            f"{row['swing']:.2f}",
            NOTHING if row["margin"] is None else f"{row['margin']:+.2f}",
            NOTHING if row["behind"] is None else f"{row['behind']:+.2f}",
        )
        for row in answer["explained"]
    )
    if rows:
        yield Table(
            "Games worth a look",
            ("", "game", "rounds", "won by", "changes", "swing", "at end", "lowest"),
            rows,
            narrow=(7, 6),
            note="Changes of the leader; the largest rise of a side's lead; the lead of the winner when the last turn "
            "began, and its lowest. A lead goes from -1 to 1.",
        )


def _listings(answer: Mapping[str, Any]) -> Iterator[Listing]:
    lines = tuple(f"{clean(row['command'])}  # {NAMES[row['kind']]}" for row in answer["explained"])
    if lines:
        yield Listing("Read them, move by move", lines)


def _pictures(answer: Mapping[str, Any]) -> Iterator[Picture]:
    wanted = ("typical", "swing", "comeback", "longest")
    first = [next((row for row in answer["explained"] if row["kind"] == kind), None) for kind in wanted]
    games = [row for row in first if row is not None and len(row["leads"]) > 1][:DRAWN]
    if not games:
        return
    series = [
        (
            f"{NAMES[row['kind']]} (game {row['game']})",
            [(i, leads[1], None, None) for i, leads in enumerate(row["leads"])],
        )
        for row in games
    ]
    told = "; ".join(f"{name}: ends at {found[-1][1]:+.2f}" for name, found in series)
    who = clean(answer["sides"][0])
    yield Picture(
        "leads", f"Lead of {who} from turn to turn. {told}.", "curves", (series, None, "turn", False, f"lead of {who}")
    )


def _method() -> Iterator[str]:
    yield "The lead is the game's own measure of how far a side is ahead of the best other one, -1 (beaten) to 1 (won)."
    yield "It is looked at when a turn ends. Games are the first that are so long, so close, and so on, by number."
    yield "A game told by its number is the same in every run of the scenario with this seed."
