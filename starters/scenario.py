"""A scenario to begin with: the players of a plain example, and everything else that can be said, as comments."""

from __future__ import annotations

import os
import shlex
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from simcore import catalogue, yamldump, yamlfile
from simcore.errors import InputError, suggest
from simcore.scenario import DEFAULT_PRECISION

SCHEMA_FILE = "scenario.schema.json"
WIDTH = 100
SEED = 1
_PLAYER = "strategy"


def text(name: str, loader: Any, examples: Path, file: Path) -> str:
    """Return the text of a commented scenario that can be played as it stands.

    Parameters
    ----------
    name : str
        Id of a game, or a designer's folder found from the working directory; its code is imported.
    loader : Loader
        Finds games and strategies by name, and lists them.
    examples : Path
        Folder with a folder of scenarios for each game; the plainest of them says who plays.
    file : Path
        Where the text is going to be; a designer's folder is named from there.

    Raises
    ------
    InputError
        If there is no such game.
    """
    if not loader.is_own(name) and name not in loader.game_names():
        raise InputError.of("balance init", f"game '{name}' is not known{suggest(name, loader.game_names())}")
    facts = catalogue.game_facts(name, None, loader)
    folder = Path(name).resolve().parent if loader.is_own(name) else examples / name
    seats, rotate = _players(facts, folder, name if loader.is_own(name) else facts["id"])
    called = _from(file.parent, name) if loader.is_own(name) else name
    return "\n".join([*_head(called, facts), *_seats(facts, seats), *_changes(facts), *_run(rotate), ""])


def _from(folder: Path, name: str) -> str:
    """Return how the game folder `name`, found from here, is called from `folder`."""
    path = os.path.relpath(name, folder)
    return path if path.startswith("..") else f"./{path}"


def _players(facts: dict[str, Any], folder: Path, game: str) -> tuple[list[dict[str, Any]], bool]:
    """Return the seats of the plainest example, and whether they rotate; random players where there is none."""
    plain = []
    for file in sorted(folder.glob("*.yaml")):
        try:
            data = yamlfile.load(file).data
        except InputError:
            continue
        if _is_plain(data, game):
            plain.append((len(data["seats"]), len(file.read_bytes()), file.name, data))
    if plain:
        data = min(plain, key=lambda found: found[:3])[3]
        return data["seats"], data.get("rotate", False)
    count = facts["seats"][0]["count"]
    choices = {option["name"]: option["choices"] for option in facts["seat_options"] if option["choices"]}
    return [
        {_PLAYER: "random", **{key: listed[seat % len(listed)]["id"] for key, listed in choices.items()}}
        for seat in range(count)
    ], False


def _is_plain(data: Any, game: str) -> bool:
    """Return whether a scenario is of this game, changes nothing in it, and has players who think."""
    if not isinstance(data, dict) or Path(str(data.get("game"))).name != Path(game).resolve().name:
        return False
    seats = data.get("seats")
    if not isinstance(seats, list) or not all(isinstance(seat, dict) for seat in seats):
        return False
    is_scripted = all(isinstance(seat.get(_PLAYER), str) and seat[_PLAYER] != "random" for seat in seats)
    return is_scripted and not {"rules", "components", "edition"} & data.keys() and "params" not in str(seats)


def _head(name: str, facts: dict[str, Any]) -> Iterator[str]:
    yield f"# yaml-language-server: $schema={SCHEMA_FILE}"
    shown = f"balance show {shlex.quote(name)}"
    yield from _comment(
        f"A scenario of {facts['label']}: who plays what, under which rules. Check it with `balance validate`, play it "
        f"with `balance odds`; `{shown}` tells more about everything below. The line above makes editors "
        f"check and complete this file: balance schema > {SCHEMA_FILE}"
    )
    yield ""
    yield yamldump.dump({"game": name}).rstrip()
    yield f"# edition: {facts['edition']['name']}    # or a file of your own: ./my-edition.yaml"
    yield yamldump.dump({"label": f"{facts['label'][:200]}, my table"}).rstrip()
    yield "question: Who wins how often, and how long does a game take?"


def _seats(facts: dict[str, Any], seats: Sequence[dict[str, Any]]) -> Iterator[str]:
    counts = _listed([str(found["count"]) for found in facts["seats"]], "or")
    yield ""
    yield from _comment(f"The players in seat order, {counts} of them. Each may have a `label`, which people see.")
    for option in facts["seat_options"]:
        ids = [choice["id"] for choice in option["choices"]]
        known = f": {', '.join(ids)}" if ids else f" ({option['words']})" if option.get("words") else ""
        about = option.get("description")
        yield from _comment(f"{option['name']}{known}{f'; {about}' if about else ''}", "  ")
    yield from _comment("Strategies, with their `params`:")
    for strategy in facts["strategies"]:
        params = [f"{found['name']}: {_value(found['default'])}" for found in strategy["parameters"]]
        given = f" params: {{{', '.join(params)}}}." if params else ""
        yield from _comment(f"{strategy['name']}:{given} {strategy['summary']}", "  ")
    if len(facts["roles"]) > 1:
        roles = ", ".join(f"{role}: random" for role in facts["roles"])
        yield from _comment(f"A player may have one strategy for each role: strategy: {{{roles}}}")
    yield "seats:"
    for seat in seats:
        lines = yamldump.dump(seat).splitlines()
        yield from (("  - " if number == 0 else "    ") + line for number, line in enumerate(lines))


def _changes(facts: dict[str, Any]) -> Iterator[str]:
    yield ""
    yield from _comment(
        "Rules that differ from the edition. To change one, take `# ` away before it and before `rules:`. Now they are:"
    )
    yield "# rules:"
    for rule in facts["rules"]:
        about = "; ".join(filter(None, [rule.get("description"), rule["words"]]))
        yield from _comment(f"# {about}", "  ", "  # ")
        yield from (f"#   {line}" for line in yamldump.dump({rule["name"]: rule["default"]}).splitlines())
    yield ""
    yield from _comment(
        "Components that differ: fields by name; a new component says its `kind`; `remove: true` takes one out. Kinds: "
        f"{', '.join(kind['kind'] for kind in facts['components'])}. The first of a kind, as it is now:"
    )
    yield "# components:"
    for kind in facts["components"]:
        if kind["elements"]:
            first = kind["elements"][0]
            plain = {key: value for key, value in first["values"].items() if isinstance(value, int | float | str)}
            lines = yamldump.dump({first["id"]: {"label": first["label"], **plain}}).splitlines()
            yield from (f"#   {line}" for line in lines)


def _run(rotate: bool) -> Iterator[str]:
    yield ""
    yield from _comment("The same seed gives the same games; without one, every run draws a new one.")
    yield f"seed: {SEED}"
    yield from _comment(
        "How many games: until every share of wins is known so well, in percentage points, or a number."
    )
    yield f"precision: {_value(DEFAULT_PRECISION)}"
    yield "# games: 100000"
    yield from _comment("Play each deal with the players in every seat, so that seat and player can be told apart.")
    yield f"rotate: {_value(rotate)}"


def _comment(words: str, indent: str = "", following: str | None = None) -> Iterator[str]:
    hanging = following if following is not None else indent + "  " * bool(indent)
    options: dict[str, Any] = {"break_on_hyphens": False, "break_long_words": False}
    for line in textwrap.wrap(words, WIDTH - 2, initial_indent=indent, subsequent_indent=hanging, **options):
        yield f"# {line}"


def _value(value: Any) -> str:
    return yamldump.dump(int(value) if isinstance(value, float) and value.is_integer() else value).strip()


def _listed(words: Sequence[str], last: str) -> str:
    return f" {last} ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
