"""A comparison as a page, and as rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reports import difference
from reports.page import Data, Page, Picture, Table, Trace, trace_command

COLUMNS = ("quantity", "label", "kind", "base", "variant", "difference", "low", "high", "differs", "saved", "deals")


def page(answer: Mapping[str, Any]) -> Page:
    """Return what is told of a comparison."""
    told = difference.build(answer)
    rows = tuple(
        (
            row.label,
            row.base,
            row.variant,
            f"{row.difference}{'*' if row.differs else ''}",
            row.interval,
            row.joint,
            row.saved,
        )
        for row in told.rows
    )
    quiet = frozenset(i for i, row in enumerate(told.rows) if not row.differs)
    table = Table(
        caption="Everything that was counted",
        head=("", "base", "variant", "difference", "95 % range", "all at once", "saved"),
        rows=rows,
        quiet=quiet,
        note="The largest effects first; shares differ in points. * beyond luck, all rows taken together.",
        most=30,
        narrow=(5, 6),
    )
    same = answer["base"]["scenario"] == answer["variant"]["scenario"]
    caption = f"Differences with their ranges, each on its own scale; grey ones may be luck. {told.summary}"
    return Page(
        kind="comparison",
        title=told.title,
        subtitle=told.subtitle,
        headline=told.headline,
        sentences=tuple(filter(None, (f"Changed: {'; '.join(told.changes)}.", told.summary, told.saved, told.stop))),
        tables=(table,),
        pictures=(Picture("differences", caption, "differences", (told,)),),
        data=Data(COLUMNS, answer["effects"]),
        method=told.method,
        command=told.command,
        digests=(
            ("Inputs of the base", answer["digest"]["base"]),
            ("Inputs of the variant", answer["digest"]["variant"]),
            ("Digest of the program", answer["digest"]["sources"]),
        ),
        traces=(
            Trace("The first game of the base, move by move", trace_command(answer, changed=not same)),
            Trace("The first game of the variant, move by move", trace_command(answer, variant=True)),
        )
        if answer["games"]
        else (),
        resolved={"The base": answer["base"]["resolved"], "The variant": answer["variant"]["resolved"]},
    )
