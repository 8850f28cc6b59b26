"""The tables of a run as reports take them: rows as mappings, or the polars tables of a run directory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import polars

Tables: TypeAlias = "Mapping[str, polars.DataFrame | Sequence[Mapping[str, Any]]]"


def rows_of(tables: Tables, name: str) -> list[Mapping[str, Any]]:
    """Return the rows of a table, none if it is missing; polars is not imported for rows that are plain."""
    table = tables.get(name, ())
    return list(table) if isinstance(table, Sequence) else list(table.iter_rows(named=True))
