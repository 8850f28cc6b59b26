"""What there is, and what is right: games, strategies, scenarios; files to begin with."""

from __future__ import annotations

import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from commands.arguments import GameArgument, JsonOption, PathsArgument
from commands.finding import SCENARIOS, NoCodeOption, targets
from commands.screen import screen


class Topic(StrEnum):
    """What `balance list` lists."""

    games = "games"
    strategies = "strategies"
    scenarios = "scenarios"


def list_(
    topic: Annotated[Topic | None, typer.Argument(help="games, strategies or scenarios; all if left out.")] = None,
    json_: JsonOption = False,
) -> None:
    """List games, strategies and shipped scenarios."""
    import strategies
    from reports import catalogue
    from simcore import catalogue as facts
    from simcore.results import to_json

    found = facts.listing(strategies, SCENARIOS, topic.value if topic else None)
    print(to_json(found) if json_ else catalogue.listing(found, **screen()), end="")


def show(
    game: GameArgument,
    edition: Annotated[str | None, typer.Option(help="Edition to show, by name or as a YAML file.")] = None,
    json_: JsonOption = False,
) -> None:
    """Show a game: its components, rules, decisions, provenance.

    Also its action features, for weights, and its metrics.
    """
    import strategies
    from reports import catalogue
    from simcore import catalogue as facts
    from simcore.results import to_json
    from simcore.streams import aside

    with aside():
        found = facts.game_facts(game, edition, strategies)
    print(to_json(found) if json_ else catalogue.game_page(found, **screen()), end="")


def validate(
    paths: PathsArgument,
    no_code: NoCodeOption = False,
) -> None:
    """Check scenario files.

    Runs nothing and imports no code of yours.
    """
    import strategies
    from simcore import scenario
    from simcore.errors import BalanceError, InputError

    files, problems = [], []
    for path in paths:
        try:
            files += targets([path]).scenarios
        except InputError as error:
            problems += error.problems
    for target in files:
        try:
            unchecked = scenario.check(target.file, strategies, allow_code=not no_code)
            print(f"{target.name}: ok as far as can be seen: {unchecked}" if unchecked else f"{target.name}: ok")
        except InputError as error:
            problems += error.problems
        except BalanceError as error:
            print(error, file=sys.stderr)
            raise typer.Exit(error.exit_code) from None
    if problems:
        raise InputError(problems)


def init(
    game: GameArgument,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="File to write; GAME.yaml if left out.")
    ] = None,
) -> None:
    """Write a commented scenario of a game, to begin with."""
    import strategies
    from simcore.streams import aside
    from starters import scenario as starter
    from starters import writing

    file = output or Path(f"{Path(game).resolve().name if strategies.is_own(game) else game}.yaml")
    with aside():
        text = starter.text(game, strategies, SCENARIOS, file)
    writing.write_new({file: text})
    _say_next(file, "balance odds", f"balance schema > {file.parent / starter.SCHEMA_FILE}")


def schema() -> None:
    """Print the JSON schema of scenario files, for editors.

    They check and complete what you type by it.
    """
    import strategies
    from simcore.results import to_json
    from starters import schema as starter

    print(to_json(starter.of_scenarios(strategies)), end="")


def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the folder: small letters, digits, hyphens.")],
) -> None:
    """Write a game of your own that plays already, to begin with.

    A folder with its rules, and a scenario beside it.
    """
    from starters import skeleton, writing

    writing.write_new(skeleton.files(name, Path()))
    _say_next(Path(f"{name}.yaml"), "balance odds", f"balance show ./{name}")


def _say_next(file: Path, first: str, *more: str) -> None:
    """Say on stdout what was written and which commands come next; `first` takes the file."""
    named = shlex.quote(str(file))
    print("\n  ".join([f"Wrote {file}. Next:", f"balance validate {named}", f"{first} {named}", *more]))
