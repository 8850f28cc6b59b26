"""Numbers of scenarios, recorded and checked: what a build runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from commands.arguments import BudgetOption, GamesOption, PathsArgument, PointsOption
from commands.finding import Given, NoCodeOption, SeedOption, checked_seed, targets, words
from commands.playing import Crew, Work, odds_of, part, rehearsed, whole_deals
from commands.printing import Printed, Written, write_analysis
from commands.screen import say, screen


class Missing(StrEnum):
    """What a scenario is that has neither a baseline nor expectations."""

    fail = "fail"
    warn = "warn"
    record = "record"


def check(
    paths: PathsArgument,
    crew: Crew,
    given: Given,
    written: Written,
    margin: PointsOption = None,
    missing: Annotated[Missing, typer.Option(help="What a scenario without baseline and `expect` is.")] = Missing.fail,
    budget: BudgetOption = None,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write JUnit XML.")] = None,
    github: Annotated[
        bool, typer.Option("--github", help="Print annotations, and add to the summary of the step.")
    ] = False,
) -> None:
    """Check scenarios against baselines and expectations.

    Each check passes, fails or stays undecided.
    """
    from reports import checked
    from simcore import verdicts

    luck = checked_seed(given.seed)
    _check_junit(junit)
    given.refuse_counts("--budget")
    cases, found = _cases(paths, margin, given)
    directory = written.directory(verdicts.FILE)
    work = crew.begin()
    try:
        if missing is Missing.record:
            _record_missing(cases, work)
        confidence = _play_cases(cases, work, luck, None, budget)
        said = words(["check", *paths], set=given.set_, margin=margin, budget=budget, seed=given.seed)
        answer = verdicts.answer(cases, found, missing is Missing.fail, confidence, said, work.seconds)
        _print(answer, written)
        _tell_builds(answer, junit, github, sys.stderr if written.kind else sys.stdout)
        if directory:
            write_analysis(directory, verdicts.FILE, answer, checked)
            say(f"wrote {directory.path / 'report.html'}")
    finally:
        if directory:
            directory.abandon()
    raise typer.Exit(work.code if work.code >= 4 else verdicts.EXIT[answer["verdict"]])


def record(
    paths: PathsArgument,
    crew: Crew,
    games: GamesOption = None,
    margin: PointsOption = None,
    seed: SeedOption = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace earlier baselines, as precise as they are unless told.")
    ] = False,
    no_code: NoCodeOption = False,
) -> None:
    """Play scenarios and write baselines/NAME.json beside each."""
    from simcore import baseline as baselines
    from simcore.errors import InputError, kind_of, shown

    _check_margin(margin)
    wanted = targets(paths).scenarios
    files = [baselines.path_of(target.file) for target in wanted]
    there = [InputError.of(shown(file), "exists; --force replaces it") for file in files if kind_of(file)]
    if there and not force:
        raise InputError([error.problems[0] for error in there])
    given = Given(seed, no_code=no_code)
    loaded = _all_loaded(wanted, lambda target: given.load(target.name, games=games))
    work = crew.begin()
    for target, scenario in zip(wanted, loaded, strict=True):
        if work.stops():
            break
        earlier = None if games or margin else _readable(target.file)
        points, n = (earlier.margin, earlier.games) if earlier else (margin, scenario.games if games else None)
        _record(scenario, target, points, n, work)
    raise typer.Exit(work.code)


def update(paths: PathsArgument, crew: Crew, no_code: NoCodeOption = False) -> None:
    """Record again what plays differently than recorded.

    And what is missing; what is as it was is left alone.
    """
    from simcore import cases as cases_of

    cases, found = _cases(paths, None, Given(no_code=no_code), needed=True)
    work = crew.begin()
    for case in cases:
        if work.stops():
            break
        cases_of.prepare(case, rehearsed)
        if case.as_recorded:
            print(f"{case.target.name}: as recorded")
            continue
        points, games = (case.baseline.margin, case.baseline.games) if case.baseline else (None, None)
        _record(case.scenario, case.target, points, games, work)
    for file in found.orphans:
        say(f"{file}: the scenario of this baseline is gone; delete it")
    raise typer.Exit(work.code)


def diff(
    paths: PathsArgument,
    crew: Crew,
    given: Given,
    printed: Printed,
    games: Annotated[int, typer.Option(metavar="N", min=1000, max=10**12, help="Games to play of each.")] = 100_000,
) -> None:
    """Say what changed since baselines were recorded.

    And what it does to every number; nothing fails.
    """
    from simcore import verdicts

    luck = checked_seed(given.seed)
    given.refuse_counts("--games")
    cases, found = _cases(paths, None, given, needed=True)
    work = crew.begin()
    confidence = _play_cases(cases, work, luck, games)
    said = words(["baseline", "diff", *paths], set=given.set_, games=games, seed=given.seed)
    _print(verdicts.answer(cases, found, False, confidence, said, work.seconds), printed)
    raise typer.Exit(work.code)


# -- what is checked ------------------------------------------------------------------------------------------------


def _cases(paths: Sequence[str], margin: float | None, given: Given, needed: bool = False) -> tuple[Any, Any]:
    """Load all scenarios at some paths with their baselines; return also what else lies there."""
    _check_margin(margin)
    found = targets(paths, needed)
    return _all_loaded(found.scenarios, lambda target: _case(target, margin, given)), found


def _case(target: Any, margin: float | None, given: Given) -> Any:
    """Load a scenario with what was recorded of it, under the recorded seed if it has none of its own.

    ``--seed`` is that of the games that are played afresh.
    """
    from simcore import baseline as baselines
    from simcore import cases as cases_of

    recorded = baselines.read(baselines.path_of(target.file))
    own = Given(None, given.set_, given.no_code)
    scenario = own.load(target.name)
    if recorded and not scenario.seeded:
        scenario = own.load(target.name, seed=recorded.seed)
    return cases_of.Case(target, scenario, recorded, margin)


def _all_loaded(targets: Sequence[Any], load: Callable[[Any], Any]) -> list[Any]:
    """Load everything before anything is played; all that is wrong is told together."""
    from simcore.errors import InputError

    found, problems = [], []
    for target in targets:
        try:
            found.append(load(target))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(list(dict.fromkeys(problems)))
    return found


def _readable(file: Path) -> Any:
    """Return the baseline of a scenario's file, None if there is none that can be read."""
    from simcore import baseline as baselines
    from simcore.errors import InputError

    with suppress(InputError):
        return baselines.read(baselines.path_of(file))
    return None


def _check_margin(margin: float | None) -> None:
    from simcore.errors import InputError

    if margin is not None and not 0.001 <= margin <= 50:
        raise InputError.of("--margin", f"{margin:g} is no margin; expected 0.001 to 50 points")


def _check_junit(file: Path | None) -> None:
    """Refuse what is no file before anything is played: a file that is written anew takes the place of a device."""
    from simcore.errors import InputError, kind_of, shown

    if file is not None and (not file.name or kind_of(file) not in ("", "file")):
        raise InputError.of(f"--junit {shown(file)}", "is no file; expected the name of one, such as junit.xml")


# -- playing --------------------------------------------------------------------------------------------------------


def _play_cases(
    cases: Sequence[Any], work: Work, seed: int | None, games: int | None = None, budget: int | None = None
) -> float:
    """Play the recorded games again, judge what they decide, and play the rest; return the confidence of each check.

    `games` of each scenario if given; else no more than it needs, and of all together no more than `budget`.
    """
    from simcore import cases as cases_of

    for case in cases:
        if not work.stops():
            cases_of.prepare(case, rehearsed)
    confidence = cases_of.level(cases)
    for case in cases:
        if seed is None:
            cases_of.judge_recorded(case, confidence)
    waiting = [case for case in cases if case.open]
    for number, case in enumerate(waiting):
        if work.stops():
            break
        work.show(number, len(waiting))
        most = games or part(budget, len(waiting)) or cases_of.budget_of(case)
        if seed is not None or cases_of.is_to_be_played(case, most):
            case.played, question = cases_of.to_play(case, confidence, seed)
            case.run = work.play([case.played], question, whole_deals(games, case.scenario), most)
    work.hide()
    return confidence


def _record(scenario: Any, target: Any, margin: float | None, games: int | None, work: Work) -> None:
    """Play a scenario and write its baseline."""
    from simcore import baseline as baselines

    points = margin or baselines.MARGIN
    wanted = whole_deals(games, scenario) or baselines.games_for(points, len(scenario.match.rotations))
    played = work.play([scenario], odds_of(scenario), wanted)
    file = baselines.path_of(target.file)
    if played.fault or played.reason == "interrupted" or not played.tally.games:
        say(f"{target.name} was not played to the end, so nothing is recorded")
        return
    baselines.write(file, baselines.content(file.stem, scenario, played.tally, rehearsed(scenario), points))
    say(f"wrote {file}: {played.tally.games:,} games, margin {points:g} points")


def _record_missing(cases: Sequence[Any], work: Work) -> None:
    """Record what has neither a baseline nor expectations."""
    from simcore import baseline as baselines

    for case in [case for case in cases if case.missing]:
        if work.stops():
            break
        _record(case.scenario, case.target, case.margin, None, work)
        case.baseline = baselines.read(baselines.path_of(case.target.file))
        case.note = "recorded now" if case.baseline else ""


# -- telling --------------------------------------------------------------------------------------------------------


def _print(answer: Any, printed: Printed) -> None:
    from reports import analysis, builds, checked, machine

    if printed.kind == "json":
        text = machine.to_json(answer)
    elif printed.kind == "csv":
        text = analysis.to_csv(checked.page(answer))
    elif printed.kind == "md":
        text = builds.to_markdown(answer)
    else:
        text = checked.to_terminal(answer, **screen())
    print(text, end="", flush=True)


def _tell_builds(answer: Any, junit: Path | None, github: bool, stream: Any) -> None:
    """Write the answer where builds look for it."""
    from reports import builds
    from simcore import results

    if junit:
        with results.machine_faults(str(junit)):
            junit.parent.mkdir(parents=True, exist_ok=True)
            results.write_text(junit, builds.to_junit(answer))
    if github:
        for text in builds.to_annotations(answer):
            print(text, file=stream)
        summary = os.environ.get("GITHUB_STEP_SUMMARY")
        if summary:
            with results.machine_faults(summary), open(summary, "a", encoding="utf-8") as file:
                file.write(builds.to_markdown(answer))
