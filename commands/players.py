"""What changes with who plays: strategies against each other, levels of skill, better weights."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

import typer

from commands.arguments import BudgetOption, GamesOption, PrecisionOption, ScenarioArgument
from commands.finding import Given, words
from commands.playing import Crew, Work, named_games, part, player, rehearse
from commands.printing import Written


def matrix(
    scenario: ScenarioArgument,
    strategies_: Annotated[
        str, typer.Option("--strategies", metavar="A,B,C", help="Strategies to set against each other.")
    ],
    crew: Crew,
    given: Given,
    written: Written,
    racing: Annotated[
        bool, typer.Option("--race", help="Stop early whom another one certainly beats on average.")
    ] = False,
    games: GamesOption = None,
    precision: PrecisionOption = None,
    budget: BudgetOption = None,
) -> None:
    """Set strategies against each other.

    Shares, ratings, best answers, cycles, equilibrium.
    """
    import strategies
    from reports import matrixed
    from simcore import matrix as pairings
    from simcore.errors import InputError

    given.refuse_counts("--games", "--precision", "--budget")
    names = pairings.strategies_of(strategies_)
    wanted = precision or (None if games else pairings.PRECISION)
    base = given.load(scenario, games=games, precision=wanted)
    pairings.check(base, names, strategies)
    cells = pairings.cells(base, names)
    changes = [[f"{path}={value}" for path, value in cell.overrides] for cell in cells]
    loads = given.loads(scenario, changes, base.match.seed, games=games, precision=wanted)
    if racing and games:
        raise InputError.of("--race", "with --games every pairing plays them all; give --precision or --budget")
    said = words([scenario], set=given.set_, strategies=strategies_, games=games, precision=precision, budget=budget)
    said += ["--race"] if racing else []
    share = part(budget, len(cells))
    work = crew.begin()

    def analyse() -> Any:
        pairs = list(zip(cells, loads, strict=True))
        found = _raced(pairs, base, names, share, work) if racing else _played(pairs, names, bool(games), share, work)
        return pairings.answer(base, names, found, len(cells) - len(found), said, work.seconds)

    written.analyse(analyse, matrixed, pairings.FILE, work)


def _played(
    pairs: Sequence[tuple[Any, Any]], names: Sequence[str], fixed: bool, share: int | None, work: Work
) -> list[dict[str, Any]]:
    """Play the pairings of a matrix one after the other, each at most `share` games."""
    from simcore import matrix as pairings

    found: list[dict[str, Any]] = []
    for cell, load in pairs:
        if work.stops():
            break
        work.show(len(found), len(pairs))
        each = load()
        found.append(pairings.told(cell, each, work.odds(each, each.games if fixed else None, share), names))
    return found


def _raced(
    pairs: Sequence[tuple[Any, Any]], base: Any, names: Sequence[str], share: int | None, work: Work
) -> list[dict[str, Any]]:
    """Let the pairings of a matrix race: whom another strategy certainly beats on average stops."""
    from simcore import matrix as pairings
    from simcore.race import UNLIMITED, race, stages
    from simcore.stats.looks import FIRST

    cells = [cell for cell, _ in pairs]
    entrants = [work.entrant("", load, partial(pairings.span, cell, base, len(cells))) for cell, load in pairs]
    limits = stages(FIRST, share or UNLIMITED, len(base.match.rotations))
    race(entrants, partial(pairings.judge, base, cells, names), limits, work.stops, work.show)
    raced = zip(pairs, entrants, strict=True)
    return [pairings.told(cell, load(), work.ended(one.run), names, one.why) for (cell, load), one in raced if one.run]


RANDOM_SEAT = ("strategy=random", "params={}")


def ladder(
    scenario: ScenarioArgument,
    crew: Crew,
    given: Given,
    written: Written,
    levels: Annotated[
        str, typer.Option(metavar="A,B,C", help="Levels of skill; any strategy is one that all seats play.")
    ] = "random,scripted,lookahead",
    rollouts: Annotated[int, typer.Option(metavar="N", min=1, max=100_000, help="Of the look-ahead.")] = 16,
    games: GamesOption = None,
    precision: PrecisionOption = None,
    budget: BudgetOption = None,
) -> None:
    """Ask the same question at several levels of skill.

    The answers side by side, and what players do at each level.
    """
    import strategies
    from reports import laddered
    from simcore import ladder as rungs

    given.refuse_counts("--games", "--precision", "--budget")
    wanted = precision or (None if games else rungs.PRECISION)
    base = given.load(scenario, games=games, precision=wanted)
    generic = ("random", "weights", "lookahead")
    own = [name for name in strategies.strategy_names(base.game.ref) if name not in generic]
    steps = rungs.levels(base, levels, rollouts, strategies, own)
    load = partial(given.load, scenario, seed=base.match.seed, games=games, precision=wanted)
    loaded = [load([f"{path}={value}" for path, value in step.overrides]) for step in steps]
    at_random = [f"seats.{number}.{rest}" for number in range(1, len(base.entries) + 1) for rest in RANDOM_SEAT]
    said = words([scenario], set=given.set_, levels=levels, rollouts=rollouts)
    said += words([], games=games, precision=precision, budget=budget)
    work = crew.begin()

    def analyse() -> Any:
        found: list[dict[str, Any]] = []
        moves = _costs(load(at_random), rollouts)
        for step, each in zip(steps, loaded, strict=True):
            if work.stops():
                break
            work.show(len(found), len(steps))
            can_afford = rungs.affordable(each, moves)
            share = part(budget, len(steps))
            exact = each.games if games else None
            most = share if exact else min(can_afford, share or can_afford)
            followed = rungs.whole_deals(rungs.FOLLOWED, each)
            is_goal = precision is not None or most != can_afford  # else as precise as the level can afford
            sharers = len(steps) - len(found)
            played = work.followed(each, followed, rungs.ACTED, exact, most, sharers, is_goal)
            found.append(rungs.told(step, each, played, can_afford, len(steps)))
        missing = [step.name for step in steps[len(found) :]]
        return rungs.answer(base, found, missing, rollouts, said, work.seconds)

    written.analyse(analyse, laddered, rungs.FILE, work)


def _costs(at_random: Any, rollouts: int) -> tuple[float, float]:
    """Return the moves that a game takes without and with a look-ahead."""
    from simcore import course
    from simcore import ladder as rungs
    from simcore.streams import aside

    rehearse(at_random)
    with named_games(at_random), aside():
        return rungs.costs(course.Follower(player(at_random)), rollouts)


def tune(
    scenario: ScenarioArgument,
    seat: Annotated[int, typer.Option(metavar="N", min=1, help="The listed player whose weights are searched for.")],
    crew: Crew,
    given: Given,
    written: Written,
    budget: BudgetOption = None,
) -> None:
    """Search for better weights of a player.

    And say what the best ones gain over the player as given.
    """
    import strategies
    from reports import tuned
    from simcore import comparison
    from simcore import tune as search_for
    from simcore.errors import InputError

    given.refuse_counts("--budget")
    base = given.load(scenario)
    begin = search_for.start(base, seat)
    most = budget or search_for.BUDGET
    if most < search_for.LEAST_BUDGET:
        raise InputError.of("--budget", f"a search needs at least {search_for.LEAST_BUDGET:,} games")
    said = words([scenario], seat=seat, set=given.set_, budget=budget)
    work = crew.begin()

    def analyse() -> Any:
        def play(question: Any, games: int, before: Any) -> Any:
            work.show(search.games, most, "games")
            return work.play([base], question, budget=games, before=before, is_goal=False)

        search = search_for.Search(base, begin, strategies, most, play, work.stops)
        weights = search.run()
        fresh = search_for.fresh_seed(base.match.seed, search_for.VALIDATION_SEED)
        changes = begin.overrides(weights)
        found = given.load(scenario, changes, fresh)
        plain = given.load(scenario, seed=fresh)
        asked = comparison.question(plain, found, f"side.{begin.side + 1}", None)
        played = gained = None
        if weights != begin.mean and not work.stops():
            work.show(search.games, most, "games")
            question = search_for.validation(plain.match, found.match, asked)
            played = work.play([plain, found], question, budget=max((most - search.games) // 2, 1), is_goal=False)
            gained = comparison.effect(played.tally, asked.primary, question.confidence)
            if not gained.sign:
                work.ended(played)
        again = ["balance", "compare", scenario]
        again += words([], set=[*(given.set_ or ()), *changes], on=asked.primary.name)
        again += ["--seed", str(fresh), "--games", str(played.tally.games if played else 0)]
        return search_for.answer(base, search, weights, gained, played, again, said, work.seconds)

    written.analyse(analyse, tuned, search_for.FILE, work)
