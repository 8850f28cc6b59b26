"""All commands of ``balance``, and what they share."""

from __future__ import annotations

from collections.abc import Callable
from importlib import metadata
from typing import Annotated

import typer

from commands import changes, checks, facts, players, plays
from commands.arguments import add

app = typer.Typer(
    name="balance",
    help="Monte Carlo balance analyser for tabletop games: who wins, how often, how long it takes, and what changes.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
baseline = typer.Typer(
    name="baseline",
    help="Record numbers of scenarios, for `balance check`.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        try:
            print(f"balance {metadata.version('tablebalance')}")
        except metadata.PackageNotFoundError:
            print("balance (a checkout that is not installed)")
        raise typer.Exit()


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


COMMANDS: tuple[Callable[..., None], ...] = (
    *(facts.list_, facts.show, facts.validate, facts.init, facts.schema, facts.new_game),
    *(plays.odds, plays.run, plays.report, plays.trace, plays.explain),
    *(changes.compare, changes.sweep, changes.sensitivity, changes.components),
    *(players.matrix, players.ladder, players.tune),
    checks.check,
)
for command in COMMANDS:
    add(app, command)
for command in (checks.record, checks.update, checks.diff):
    add(baseline, command)
app.add_typer(baseline)
