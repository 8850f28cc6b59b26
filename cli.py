"""The command ``balance``: all its commands, and how it begins and ends."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib import metadata
from typing import Annotated

try:
    import typer

    from commands import changes, checks, ending, facts, players, plays
    from commands.arguments import add
    from commands.screen import say
except KeyboardInterrupt:
    raise SystemExit(130) from None

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


def main() -> None:
    """Run the command line; errors become one line and an exit code."""
    gc.set_threshold(100_000, 20, 20)  # importing makes many objects and next to no garbage
    ending.SIGNALS.listen()
    if not sys.warnoptions and "--debug" not in sys.argv:
        warnings.simplefilter("ignore")  # of libraries, to their users; what concerns ours is said by us
    from simcore.streams import aside, open_streams

    output = open_streams("json" if "--json" in sys.argv else "replace")
    code = ending.exit_code(app)
    ending.clean_up()
    output.flush()
    if isinstance(output.fault, BrokenPipeError):
        code = code or 1
    elif output.fault:
        say(f"standard output: {output.fault.strerror}")
        code = 4
    with suppress(BaseException), aside():
        atexit._run_exitfuncs()
    with suppress(OSError):
        sys.stderr.flush()
    os._exit(code)  # the interpreter's own end takes 0.4 s once kernels are loaded


if __name__ == "__main__":
    main()
