"""Components, as they fare with those who have them and knocked out, as a page, and as rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reports.page import Data, Page, Picture, Table, of_scenario
from reports.swept import name_of
from reports.text import NOTHING, clean, count, first_of, percent, signed, signed_range

DRAWN = 12  # components in a figure
COLUMNS = (
    *("test", "kind", "id", "label", "exposure", "quantity", "times", "with", "without"),
    *("difference", "low", "high", "strong", "games"),
)
MEANING = {
    "dealt": "Dealt at the start: nobody chose, so that this is what it does, against what else could have come.",
    "drawn": "Drawn during the game: by chance, but who plays longer draws more, and not all of that is taken out.",
    "held": "Held at the end: chosen, so that good players and lucky games hold what they hold.",
    "played": "Played: chosen, so that it tells of who plays it and when as much as of the component.",
}


def page(answer: Mapping[str, Any]) -> Page:
    """Return what is told of the components."""
    tests = [count(len(answer[key]), noun) for key, noun in (("exposures", "contrast"), ("knockouts", "knock-out"))]
    return of_scenario(
        answer,
        "components",
        f"{' and '.join(tests)}, {answer['games']:,} games",
        headline=_headline(answer),
        sentences=_sentences(answer),
        tables=(*_exposure_tables(answer), *_knockout_tables(answer)),
        pictures=_pictures(answer),
        data=_data(answer),
        method=_method(answer),
    )


def _data(answer: Mapping[str, Any]) -> Data:
    """Return one row for each component and exposure, and one for each knock-out and quantity."""
    rows = [{"test": "exposure", "games": answer["exposure_games"], **row} for row in answer["exposures"]]
    rows += [
        {**{key: row[key] for key in ("kind", "id", "label", "games")}, "test": "knock-out", "quantity": name}
        | {"with": each["base"], "without": each["variant"]}
        | {key: each[key] for key in ("difference", "low", "high", "strong")}
        for row in answer["knockouts"]
        for name, each in row["effects"].items()
    ]
    return Data(COLUMNS, rows)


def _change(each: Mapping[str, Any]) -> str:
    return signed(each["difference"], each["kind"] == "share")


def _what(name: str, label: str | None) -> str:
    return "wins of its owner" if name == "owner" else name_of(name, label)


def _deciding(row: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = row["effects"][row["on"]]
    return found


def _headline(answer: Mapping[str, Any]) -> str:
    strong = [row for row in answer["knockouts"] if _deciding(row)["strong"]]
    if strong:
        row, each = strong[0], _deciding(strong[0])
        is_share = each["kind"] == "share"
        moved = f"{_change(each)}{' points' if is_share else ''} ({signed_range(each, is_share)})"
        name = clean(row["label"])
        return f"{name} is seen to matter most: blanked, {_what(row['on'], each['label'])} change by {moved}."
    dealt = [row for row in answer["exposures"] if row["exposure"] == "dealt" and row["strong"]]
    if dealt:
        row = max(dealt, key=lambda each: abs(each["difference"]))
        return f"{clean(row['label'])} is seen to matter most: who is dealt it wins {_more(row)}."
    chosen = [row for row in answer["exposures"] if row["strong"]]
    if chosen:
        row = max(chosen, key=lambda each: abs(each["difference"]))
        word = {"drawn": "draws", "held": "holds", "played": "plays"}[row["exposure"]]
        return f"Who {word} {clean(row['label'])} wins {_more(row)}; that is no proof of a cause."
    if not answer["exposures"] and not answer["knockouts"]:
        return "Nothing about components could be measured."
    return "No component is seen to matter beyond luck."


def _more(row: Mapping[str, Any]) -> str:
    """Return ``3.2 points more often``."""
    word = "more" if row["difference"] > 0 else "less"
    return f"{100 * abs(row['difference']):.1f} points {word} often"


def _sentences(answer: Mapping[str, Any]) -> Iterator[str]:
    if not answer["exposures"]:
        yield "This game does not tell who had which component; only knock-outs compare here."
    fixed = {(row["kind"], row["exposure"]) for row in answer["exposures"] if row["difference"] is None}
    known = {(row["kind"], row["exposure"]) for row in answer["exposures"] if row["difference"] is not None}
    for kind, exposure in sorted(fixed - known):
        yield f"{clean(kind)}, {exposure}: the same for everybody in every game, so that there is nothing to compare."
    if not answer["blankable"]:
        yield f"{clean(answer['game'])} says of no component what a blank one is, so that none can be knocked out."
    elif answer["not_blankable"]:
        names = [clean(kind.replace("_", " ")) for kind in answer["not_blankable"]]
        yield f"No blank is known of: {first_of(names, 8)}."
    if answer["not_in_play"]:
        yield f"Not in this game at all, a blank changes nothing: {first_of([*map(clean, answer['not_in_play'])], 5)}."
    if answer["not_allowed"]:
        yield f"Not allowed as a blank, and left out: {first_of([*map(clean, answer['not_allowed'])], 5)}."
    if answer["missing"]:
        yield f"{count(answer['missing'], 'knock-out')} not played: the time was up."
    tests = len(answer["exposures"]), sum(len(row["effects"]) for row in answer["knockouts"])
    yield (
        f"Every range holds together with all others of its kind ({tests[0]:,} contrasts, {tests[1]:,} effects of "
        "knock-outs); what has no star may be luck, however large it looks."
    )


def _exposure_tables(answer: Mapping[str, Any]) -> Iterator[Table]:
    known = [row for row in answer["exposures"] if row["difference"] is not None]
    for exposure, kind in dict.fromkeys((row["exposure"], row["kind"]) for row in known):
        found = [row for row in known if (row["exposure"], row["kind"]) == (exposure, kind)]
        rows = tuple(
            (
                clean(row["label"]),
                f"{signed(row['difference'])}{'*' if row['strong'] else ''}",
                signed_range(row),
                percent(row["with"]),
                percent(row["without"]),
                f"{row['times']:,}",
            )
            for row in found
        )
        like = "" if exposure == "dealt" else ", with as many of the kind"
        yield Table(
            caption=f"{clean(kind)[:1].upper()}{clean(kind)[1:]}: {exposure}",
            head=(f"{clean(kind)} {exposure}", "points", "range", "with", "without", "times"),
            rows=rows,
            quiet=frozenset(i for i, row in enumerate(found) if not row["strong"]),
            note=f"{MEANING[exposure]} Points: of players in the same chair{like}. * beyond luck.",
            most=12,
        )


def _knockout_tables(answer: Mapping[str, Any]) -> Iterator[Table]:
    """Yield a table for what each group of components is judged by: wins of the owner, or something of the game."""
    for on in dict.fromkeys(row["on"] for row in answer["knockouts"]):
        yield _knockout_table(on, [row for row in answer["knockouts"] if row["on"] == on])


def _knockout_table(on: str, found: Sequence[Mapping[str, Any]]) -> Table:
    labels = {name: each["label"] for row in found for name, each in row["effects"].items()}
    others = [name for name in labels if name != on]
    rows = []
    for row in found:
        each = _deciding(row)
        cells = [clean(row["label"]), _starred(each), signed_range(each, each["kind"] == "share")]
        cells += [_starred(row["effects"][name]) if name in row["effects"] else NOTHING for name in others]
        rows.append((*cells, f"{row['games']:,}"))
    what = _what(on, labels[on])
    return Table(
        caption=f"The same deals with a component blanked: {what}",
        head=("blanked", "change", "range", *(_what(name, labels[name]) for name in others), "pairs"),
        rows=tuple(rows),
        quiet=frozenset(i for i, row in enumerate(found) if not _deciding(row)["strong"]),
        note=f"Change of {what} when it does nothing: blanked minus as it is; shares in points. * beyond luck.",
        most=30,
        narrow=tuple(i for i, name in enumerate(others, 3) if name != "rounds"),
    )


def _starred(each: Mapping[str, Any]) -> str:
    return f"{_change(each)}{'*' if each['strong'] else ''}"


def _pictures(answer: Mapping[str, Any]) -> Iterator[Picture]:
    for exposure in MEANING:
        found = [row for row in answer["exposures"] if row["exposure"] == exposure and row["low"] is not None]
        found = sorted(found, key=lambda row: -abs(row["difference"]))[:DRAWN]
        drawn = [(clean(row["label"]), [_step(row, signed(row["difference"]))]) for row in found]
        if drawn:
            words = f"Points that players win more often with it ({exposure}), and the range; pale bars may be luck."
            yield Picture(exposure, f"{words} {_told(drawn)}", "tornado", (drawn, True))
    for on in dict.fromkeys(row["on"] for row in answer["knockouts"]):
        found = [row for row in answer["knockouts"] if row["on"] == on and _deciding(row)["low"] is not None][:DRAWN]
        if found:
            each = _deciding(found[0])
            drawn = [(clean(row["label"]), [_step(_deciding(row), _starred(_deciding(row)))]) for row in found]
            words = f"What a blank changes of {_what(on, each['label'])}, with its range; pale bars may be luck."
            name = f"knock-out-{on.replace('.', '-')}"
            yield Picture(name, f"{words} {_told(drawn)}", "tornado", (drawn, each["kind"] == "share"))


def _step(each: Mapping[str, Any], told: str) -> tuple[str, float, float, float, bool]:
    return told, each["difference"], each["low"], each["high"], each["strong"]


def _told(drawn: Sequence[tuple[str, Sequence[Any]]]) -> str:
    return "; ".join(f"{name}: {steps[0][0]}" for name, steps in drawn[:5]) + "."


def _method(answer: Mapping[str, Any]) -> Iterator[str]:
    yield (
        "With and without: players of one chair (and rotation) are compared with each other, and where a component "
        "comes during the game or is chosen, only those that had as many of its kind, because who plays longer has "
        "more. The comparisons are pooled as in a regression with an intercept for each group; a deal is the unit of "
        "the error (an asymptotic confidence sequence)."
    )
    yield (
        "A component that is dealt instead of others is compared with those others: a blank among good cards looks "
        "bad, one of many blanks does not."
    )
    yield (
        "Knock-outs play the same deals, once as they are and once with the component blanked; a blank stays in its "
        "place and does nothing. They alone say what a component causes where decks are fixed or players choose. "
        "A run ends once the effect is known to the precision asked for, whatever it is."
    )
    yield (
        f"Ranges are {100 * answer['confidence']:g} % for all contrasts together, and for all effects of knock-outs "
        "together; the largest of many differences that are none is not called strong."
    )
    yield "These numbers describe these strategies: players who adapt to a blank may answer it."
