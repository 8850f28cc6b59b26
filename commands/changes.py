"""What changes when something changes: another scenario, other values, any number by one, a component blanked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

import typer

from commands.arguments import (
    BlockOption,
    BudgetOption,
    GamesOption,
    MarginOption,
    OnOption,
    PrecisionOption,
    ScenarioArgument,
)
from commands.finding import Given, words
from commands.playing import Crew, Work, named_games, part, rehearse
from commands.printing import Written


def compare(
    base: ScenarioArgument,
    crew: Crew,
    given: Given,
    written: Written,
    variant: Annotated[
        str | None, typer.Argument(metavar="[VARIANT]", help="What it is compared with; else --set says what differs.")
    ] = None,
    on: OnOption = None,
    margin: MarginOption = None,
    games: GamesOption = None,
    budget: BudgetOption = None,
    block_deals: BlockOption = None,
) -> None:
    """Say what differs between two scenarios, on the same deals.

    Without a second one --set says what differs; with one it changes both.
    """
    from reports import compared
    from simcore import comparison
    from simcore.errors import InputError
    from simcore.sweep import UNPLAYED

    if variant:
        given.refuse_counts("--games", "--budget")
    if variant is None and not given.set_:
        raise InputError.of("balance compare", "expected a second scenario, or --set PATH=VALUE")
    for change in given.set_ or () if variant is None else ():
        path = change.partition("=")[0].strip()
        if path in UNPLAYED:
            raise InputError.of(f"--set {change}", f"both play the same deals; give --{path}")
    one = (given if variant else replace(given, set_=None)).load(base, games=games)
    other = given.load(variant or base, seed=one.match.seed, games=games)
    said = words([base, *([variant] if variant else [])], set=given.set_, on=on, margin=margin)
    asked = comparison.question(one, other, on, margin)
    work = crew.begin(block_deals)

    def analyse() -> Any:
        wanted, share = one.games if games else None, part(budget, 2)
        played = work.play([one, other], asked, wanted, share, is_goal=one.inputs != other.inputs)
        return comparison.summary(one, other, asked, played, said)

    written.analyse(analyse, compared, comparison.FILE, work)


def sweep(
    scenario: ScenarioArgument,
    over: Annotated[
        list[str],
        typer.Option("--over", metavar="PATH=VALUES", help="rules.hits_to_win=3..8, or a,b,c; given twice: a grid."),
    ],
    crew: Crew,
    given: Given,
    written: Written,
    target: Annotated[
        str | None, typer.Option(metavar="NAME=VALUE", help='Name the nearest point: "side 1 = 50%", "rounds = 10".')
    ] = None,
    on: OnOption = None,
    games: GamesOption = None,
    precision: PrecisionOption = None,
    budget: BudgetOption = None,
) -> None:
    """Play a scenario at every point of a grid of values.

    All points play the same deals.
    """
    from reports import swept
    from simcore import sweep as sweeps
    from simcore.errors import InputError

    axes = [sweeps.axis(text) for text in over]
    grid = sweeps.points(axes)
    wanted = sweeps.target(target) if target else None
    first = given.load(scenario, games=games, precision=precision)
    known = sweeps.quantity_names(first)
    sweeps.check("--on", on, known)
    sweeps.check("--target", wanted.quantity if wanted else None, known)
    changes = [[f"{axis.path}={value}" for axis, value in zip(axes, values, strict=True)] for values in grid]
    try:
        loads = given.loads(scenario, changes, first.match.seed, games=games, precision=precision)
    except InputError as error:
        raise sweeps.as_typed(error, axes) from None
    said = words([scenario], set=given.set_, over=over, target=target, on=on)
    said += words([], games=games, precision=precision, budget=budget)
    share = part(budget, len(grid))
    work = crew.begin()

    def analyse() -> Any:
        points = list(zip(grid, loads, strict=True))
        found = (
            _raced(points, wanted, share, len(first.match.rotations), work)
            if wanted and not first.games
            else _played(points, share, work)
        )
        return sweeps.answer(first, axes, found, len(grid) - len(found), wanted, on, said, work.seconds)

    written.analyse(analyse, swept, sweeps.FILE, work)


def _played(points: Sequence[tuple[Any, Any]], share: int | None, work: Work) -> list[dict[str, Any]]:
    """Play the points of a sweep one after the other, each at most `share` games."""
    from simcore import sweep as sweeps

    found: list[dict[str, Any]] = []
    for values, load in points:
        if work.stops():
            break
        work.show(len(found), len(points))
        each = load()
        found.append(sweeps.point(values, each, work.odds(each, each.games, share)))
    return found


def _raced(
    points: Sequence[tuple[Any, Any]], wanted: Any, share: int | None, rotations: int, work: Work
) -> list[dict[str, Any]]:
    """Let the points of a sweep race for being the nearest to what is wanted."""
    from simcore import sweep as sweeps
    from simcore.race import UNLIMITED, best, race, stages
    from simcore.stats.looks import FIRST

    span = partial(sweeps.nearness, wanted, sweeps.joint(len(points)))
    entrants = [work.entrant(", ".join(values), load, span) for values, load in points]
    race(entrants, best(1), stages(FIRST, share or UNLIMITED, rotations), work.stops, work.show)
    raced = zip(points, entrants, strict=True)
    return [sweeps.point(values, load(), work.ended(one.run), one.why) for (values, load), one in raced if one.run]


def sensitivity(
    scenario: ScenarioArgument,
    crew: Crew,
    given: Given,
    written: Written,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="WHAT", help="reconstructed, rulebook, ..., rules, components.leap."),
    ] = None,
    on: OnOption = None,
    margin: MarginOption = None,
    games: GamesOption = None,
    budget: BudgetOption = None,
) -> None:
    """Change every number by one, and say which changes matter.

    The numbers of rules and components.
    """
    from reports import sensitive
    from simcore import comparison
    from simcore import sensitivity as steps_of
    from simcore.errors import InputError

    given.refuse_counts("--games", "--budget")
    base = given.load(scenario, games=games)
    steps = steps_of.steps(base, only or ())
    primary = comparison.question(base, base, on, margin).primary.name
    said = words([scenario], set=given.set_, only=only, on=on, margin=margin, games=games, budget=budget)
    work = crew.begin()

    def analyse() -> Any:
        rows: list[dict[str, Any]] = []
        refused: list[Any] = []
        for step in steps:
            if work.stops():
                break
            work.show(len(rows) + len(refused), len(steps))
            try:
                other = given.load(scenario, ["=".join(step.override)], base.match.seed, games=games)
            except InputError:
                refused.append(step)
                continue
            asked = comparison.question(base, other, on, margin)
            played = work.play([base, other], asked, base.games if games else None, part(budget, 2 * len(steps)))
            rows.append(steps_of.row(step, base, other, asked, played))
        missing = len(steps) - len(rows) - len(refused)
        return steps_of.answer(base, rows, missing, refused, primary, said, work.seconds)

    written.analyse(analyse, sensitive, steps_of.FILE, work)


def components(
    scenario: ScenarioArgument,
    crew: Crew,
    given: Given,
    written: Written,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="WHAT", help="Knock out these only: a kind (cards), or a component (leap)."),
    ] = None,
    on: OnOption = None,
    games: GamesOption = None,
    precision: Annotated[
        float | None, typer.Option(metavar="POINTS", min=0.01, max=50, help="Know every effect so well (1).")
    ] = None,
    budget: BudgetOption = None,
) -> None:
    """Say how strong each component is.

    Who had it against who had not, and the same deals with it blanked.
    """
    from reports import weighed
    from simcore import comparison
    from simcore import components as parts

    given.refuse_counts("--games", "--precision", "--budget")
    base = given.load(scenario, games=games)
    blanks = parts.blanks(base, only or ())
    if on != parts.OWNER.name:
        comparison.question(base, base, on, None)
    found, variants = _knockouts(scenario, given, base, blanks, games)
    said = words([scenario], set=given.set_, only=only, on=on, games=games, precision=precision, budget=budget)
    share = budget if not variants else budget and max(budget // 2, 1)
    wanted = base.games if games else None
    points = precision or parts.PRECISION
    is_goal = bool(precision or budget)  # else as precise as the games that it may take unless told
    work = crew.begin()

    def analyse() -> Any:
        most = share or (None if wanted else parts.MOST_GAMES)
        asked = _contrasts(base, points, min(wanted or parts.MOST_GAMES, share or parts.MOST_GAMES, 1000))
        if asked:
            played = work.play([base], asked, wanted, most, is_goal=is_goal)
            found.contrasts, found.games, found.stop = (
                parts.exposed(base, asked, played),
                played.tally.games,
                played.reason,
            )
        for blank, load in variants:
            if work.stops():
                break
            work.show(len(found.knockouts), len(variants))
            other = load()
            pair = parts.question(base, other, blank, on, points, len(variants))
            played = work.play([base, other], pair, wanted, part(share, 2 * len(variants)), is_goal=is_goal)
            found.knockouts.append(parts.row(base, blank, pair, played))
        found.missing = len(variants) - len(found.knockouts)
        return parts.answer(base, found, said, work.seconds)

    written.analyse(analyse, weighed, parts.FILE, work)


def _knockouts(
    scenario: str, given: Given, base: Any, blanks: Sequence[Any], games: str | None
) -> tuple[Any, list[tuple[Any, Any]]]:
    """Return an analysis of components, nothing played, and (blank, what loads it) of each that can be knocked out."""
    from simcore import components as parts
    from simcore.errors import InputError

    variants: list[tuple[Any, Any]] = []
    idle, refused = [], []
    for blank in blanks:
        try:
            load = given.loads(scenario, [blank.sets], base.match.seed, games=games)[0]
        except InputError:
            refused.append(blank.label)
            continue
        if parts.in_play(base, load()):
            variants.append((blank, load))
        else:
            idle.append(blank.label)
    return parts.Found([], 0, None, [], 0, tuple(idle), tuple(refused)), variants


def _contrasts(scenario: Any, precision: float, pilot: int) -> Any:
    """Return what is asked of the components that a game tells of, None if it tells of none."""
    import strategies
    from simcore import exposure
    from simcore.streams import aside

    rehearse(scenario)
    with named_games(scenario), aside():
        return exposure.question(scenario.game, scenario.match, strategies, precision, pilot)
