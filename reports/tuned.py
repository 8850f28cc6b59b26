"""A search for better weights as a page, and as rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reports.page import Data, Listing, Page, Picture, Table, of_scenario
from reports.text import NOTHING, Share, clean, count, percent, signed, signed_range

COLUMNS = (
    *("part", "tier", "feature", "given", "found", "generation", "best", "mean", "stopped"),
    *("rate", "estimate", "low", "high", "games", "stop", "why"),
)


def page(answer: Mapping[str, Any]) -> Page:
    """Return what is told of a search."""
    return of_scenario(
        answer,
        "tune",
        f"weights of {clean(answer['player'])}, "
        f"{count(len(answer['generations']), 'generation')}, {answer['games']:,} games",
        headline=_headline(answer),
        sentences=_sentences(answer),
        tables=_tables(answer),
        pictures=_pictures(answer),
        data=_data(answer),
        method=_method(answer),
        listings=_listings(answer),
    )


def _data(answer: Mapping[str, Any]) -> Data:
    """Return one row for the gain, for each weight, each generation and each finalist."""
    rows = [{"part": "exploitability", **answer["exploitability"]}]
    rows += [{"part": "weight", **row} for row in answer["weights"]]
    rows += [{"part": "generation", **row} for row in answer["generations"]]
    rows += [{"part": "finalist", **row} for row in answer["finalists"]]
    return Data(COLUMNS, rows)


def _gain(answer: Mapping[str, Any]) -> str:
    """Return ``+3.2 points (+2.1 to +4.3)``."""
    found = answer["exploitability"]
    return f"{signed(found['estimate'])} points ({signed_range(found)})"


def _headline(answer: Mapping[str, Any]) -> str:
    who = clean(answer["player"])
    if answer["verdict"] == "nothing-better" and not answer["games"]:
        return "The time was up before any game was played."
    if answer["verdict"] == "nothing-better":
        return f"Nothing better than {who} as given was found in this budget."
    if answer["exploitability"]["estimate"] is None:
        return "The time was up before anything was validated."
    if answer["verdict"] == "exploitable":
        return f"Better weights than those of {who} exist: {_gain(answer)}, on fresh deals."
    if answer["verdict"] == "worse":
        return f"The best weights found are worse than {who} as given: {_gain(answer)}."
    return f"No certain gain over {who} as given: {_gain(answer)}."


def _sentences(answer: Mapping[str, Any]) -> Iterator[str]:
    found = answer["exploitability"]
    if found["given"] is not None:
        yield (
            f"In {found['games']:,} games each, of deals that the search never saw, {clean(answer['side'])} wins "
            f"{percent(found['given'])} as given and {percent(found['found'])} with the weights found."
        )
    if answer["verdict"] == "exploitable" and found["low"] is not None:
        yield f"Exploitability: at least {100 * found['low']:.1f} points; a longer search may find more (--budget)."
    elif answer["verdict"] != "exploitable":
        yield "That no gain was found does not prove that there is none: a longer search may find one (--budget)."
    stopped = sum(row["stopped"] for row in answer["generations"])
    candidates = sum(row["candidates"] for row in answer["generations"])
    if candidates:
        why = next((row["why"] for row in answer["generations"] if row["why"]), None)
        yield (
            f"{candidates:,} candidates in {answer['searched']:,} games; {stopped:,} stopped early"
            + (f", the first because it {why.replace('candidate', 'number')}." if why else ".")
        )
    for row in answer["finalists"]:
        if row["why"]:
            yield f"A finalist stopped early: it {row['why'].replace('candidate', 'finalist')}."


def _tables(answer: Mapping[str, Any]) -> Iterator[Table]:
    tiers = max(row["tier"] for row in answer["weights"])
    order = sorted(answer["weights"], key=lambda row: (row["tier"], -abs(row["found"])))
    rows = tuple(
        (
            clean(row["feature"]) + (f" (tier {row['tier']})" if tiers > 1 else ""),
            NOTHING if row["given"] is None else f"{row['given']:g}",
            f"{row['found']:.4g}",
        )
        for row in order
    )
    yield Table("Weights", ("feature", "given", "found"), rows, most=20)
    if answer["finalists"]:
        finalists = tuple(
            (
                ("as given" if row["is_given"] else f"finalist {i}") + (", chosen" if row.get("chosen") else ""),
                Share.of(row).percent,
                Share.of(row).interval,
                f"{row['games']:,}",
                {"beaten": "beaten", "budget": "all played"}.get(row["stop"], str(row["stop"])),
            )
            for i, row in enumerate(answer["finalists"], 1)
        )
        yield Table("The choice among finalists", ("", "wins", "range", "games", "end"), finalists)
    if answer["generations"]:
        generations = tuple(
            (
                str(row["generation"]),
                percent(row["best"]),
                percent(row["mean"]),
                str(row["candidates"]),
                str(row["stopped"]),
                f"{row['games']:,}",
            )
            for row in answer["generations"]
        )
        head = ("generation", "best", "mean", "candidates", "stopped early", "games")
        yield Table("The search", head, generations, most=0)


def _pictures(answer: Mapping[str, Any]) -> Iterator[Picture]:
    rows = answer["generations"]
    if len(rows) < 2:
        return
    series = [
        (f"{name} of a generation", [(row["generation"], row[name], None, None) for row in rows])
        for name in ("best", "mean")
    ]
    told = f"The mean goes from {percent(rows[0]['mean'])} to {percent(rows[-1]['mean'])}"
    words = "Win shares of candidates; the best of many is lucky, only the validation is not."
    yield Picture("search", f"{words} {told}.", "curves", (series, None, "generation", True))


def _listings(answer: Mapping[str, Any]) -> Iterator[Listing]:
    from simcore import yamlfile

    lines = yamlfile.dump({"seats": [{k: v for k, v in answer["found"].items() if v is not None}]}).splitlines()[1:]
    yield Listing(f"The player found, for seat {answer['seat']} of a scenario", tuple(clean_line(x) for x in lines))
    if answer["exploitability"]["command"]:
        yield Listing("Compare both again", (clean(answer["exploitability"]["command"]),))


def clean_line(line: str) -> str:
    """Return a line of YAML, with its indent, without what could steer a terminal."""
    return line[: len(line) - len(line.lstrip())] + clean(line)


def _method(answer: Mapping[str, Any]) -> Iterator[str]:
    yield (
        "The search is CMA-ES. Candidates of a generation play the same deals, each generation others; who cannot be "
        "in the better half any more stops early. The middle of the search, the leaders of the last generations and "
        "the player as given, if it has weights, meet on further deals."
    )
    yield (
        "The gain is the paired difference on deals that neither search nor choice saw (seed "
        f"{answer['exploitability']['seed']}), with a {100 * answer['confidence']:g} % confidence sequence: what a "
        "best answer found in this budget gains while everybody else plays as the scenario says. The true best answer "
        "may gain more."
    )
    yield "Weights say how to choose between actions; another kind of player may be better than all of them."
