"""Arguments and options that several commands have, and how a command with groups of options is added."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_type_hints

import typer

ScenarioArgument = Annotated[
    str, typer.Argument(metavar="SCENARIO", help="A shipped scenario by name, or a YAML file.")
]
PathsArgument = Annotated[list[str], typer.Argument(metavar="PATH...", help="Scenario files, folders or globs.")]
GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="A game by its id, or a folder of your own: ./my-game.")
]
GamesOption = Annotated[str | None, typer.Option(metavar="N", help="Play exactly so many games.")]
PrecisionOption = Annotated[
    str | None, typer.Option(metavar="POINTS", help="Stop when every side's rate is known so well (0.5).")
]
BudgetOption = Annotated[
    int | None, typer.Option(metavar="GAMES", min=1, help="At most about so many games, in all runs together.")
]
OnOption = Annotated[str | None, typer.Option(metavar="NAME", help="What it is about: side.1, rounds, a metric.")]
MarginOption = Annotated[
    float | None, typer.Option(metavar="M", help="Differences within it are none: 0.5 points, or 0.1 of an amount.")
]
PointsOption = Annotated[
    float | None, typer.Option("--margin", metavar="POINTS", help="Shifts within it are none; 0.5 unless recorded.")
]

JsonOption = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
BlockOption = Annotated[int | None, typer.Option(hidden=True, min=1, max=10**6)]
DebugOption = Annotated[bool, typer.Option("--debug", help="Show tracebacks.", hidden=True)]


def add(app: typer.Typer, function: Callable[..., None]) -> None:
    """Add a command, called as the function is.

    A parameter that is a dataclass is a group of options: the command has one for each of its fields, and the function
    gets the dataclass.
    """
    hints = get_type_hints(function, include_extras=True)
    parameters: list[Parameter] = []
    groups: dict[str, Any] = {}
    for parameter in signature(function).parameters.values():
        if is_dataclass(hints[parameter.name]):
            groups[parameter.name] = hints[parameter.name]
        else:
            parameters.append(_parameter(parameter.name, hints[parameter.name], parameter.default))
    parameters += [option for group in groups.values() for option in _options(group)]
    parameters.append(_parameter("debug", DebugOption, False))

    def call(debug: bool, **given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{each.name: given.pop(each.name) for each in fields(group)})
        function(**given)

    call.__doc__ = function.__doc__
    call.__annotations__ = {each.name: each.annotation for each in parameters}
    call.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    app.command(function.__name__.rstrip("_").replace("_", "-"))(call)


def _options(group: Any) -> list[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [_parameter(each.name, hints[each.name], each.default) for each in fields(group)]


def _parameter(name: str, annotation: Any, default: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
