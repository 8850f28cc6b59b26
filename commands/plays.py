"""Who wins, how often and how long it takes, of one scenario: now, or in a run directory; and single games."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from commands.arguments import BlockOption, BudgetOption, GamesOption, JsonOption, PrecisionOption, ScenarioArgument
from commands.finding import Given, words
from commands.playing import Crew, player, rehearse
from commands.printing import Printed, Written, print_analysis
from commands.screen import say, screen


def odds(
    scenario: ScenarioArgument,
    crew: Crew,
    given: Given,
    printed: Printed,
    games: GamesOption = None,
    precision: PrecisionOption = None,
    block_deals: BlockOption = None,
) -> None:
    """Print who wins, how often, and how long a game takes."""
    from simcore import results

    found = given.load(scenario, games=games, precision=precision)
    work = crew.begin(block_deals)
    played = work.odds(found, found.games, answer=_first_answer(found))
    print(_formatted(found, played, results.summary(found, played), printed.kind), end="")
    raise typer.Exit(work.code)


def run(
    scenario: ScenarioArgument,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Directory to write.")],
    crew: Crew,
    given: Given,
    printed: Printed,
    games: GamesOption = None,
    precision: PrecisionOption = None,
    keep_games: Annotated[bool, typer.Option("--keep-games", help="Keep one row a game, as Parquet.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier run directory.")] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the finished games of an earlier run, or add to it.")
    ] = False,
    block_deals: BlockOption = None,
) -> None:
    """Play a scenario and write a directory with its report.

    It holds summary, tables, report.html and plots.
    """
    from simcore import blocks, logs, results, rundir
    from simcore.errors import GameError, InputError, MachineError

    if force and resume:
        raise InputError.of("balance run", "choose one of --force and --resume")
    found = given.load(scenario, games=games, precision=precision)
    work = crew.begin(block_deals)
    directory = rundir.RunDirectory(output, force, resume=resume, option=", --resume to add to it")
    code, games_there, recorder = MachineError.exit_code, False, None
    try:
        saved = rundir.Checkpoint.of(directory)
        if saved and not found.seeded:
            found = given.load(scenario, seed=saved.seed, games=games, precision=precision)
        block = (block_deals or blocks.BLOCK_DEALS) * blocks.SHARD_BLOCKS * len(found.match.rotations)
        start = saved.start(found, keep_games, block, output) if saved else None
        if start:
            say(f"{output}: goes on from {start.tally.games:,} finished games")
        recorder = rundir.Recorder(directory, found, block if keep_games else None, start)
        games_there = start is not None
        played = work.odds(found, found.games, answer=_first_answer(found), recorder=recorder)
        answer = results.summary(found, played)
        print(_formatted(found, played, answer, printed.kind), end="", flush=True)
        _write(directory, recorder, found, played, answer, block)
        code = work.code
    except MachineError as error:
        code = error.exit_code
        print(error, file=sys.stderr)
        logs.note("error", code=code, message=str(error))
    except GameError:
        directory.discard()
        raise
    finally:
        games_there = games_there or directory.finished or directory.holds_games
        directory.abandon()
    if directory.finished:
        say(f"wrote {directory.path / 'report.html'}")
    if code and games_there:
        again = words([scenario], set=given.set_, seed=found.match.seed, games=games, precision=precision)
        again += [*words([], **{"block-deals": block_deals}), "-o", str(directory.path), "--resume"]
        again += [*(["--keep-games"] if keep_games else []), *(["--no-code"] if given.no_code else []), *crew.words()]
        there = f"{directory.path} keeps the first {recorder.games:,} of them; " if recorder and recorder.fault else ""
        say(f"{there}go on with: {shlex.join(['balance', 'run', *again])}")
    raise typer.Exit(code)


def _write(directory: Any, recorder: Any, scenario: Any, played: Any, answer: Any, block: int) -> None:
    """Finish a run directory; without games there is none, and what could not be kept is left to be gone on with."""
    from reports import html
    from simcore import results

    if not played.tally.games:
        say("no game was finished, so nothing is written")
    elif not recorder.fault:
        recorder.close(played)
        tables = results.write_run(directory.work, scenario, played, answer, block)
        with results.machine_faults(str(directory.path)):
            html.write(directory.work, answer, tables)
        directory.finish()


def report(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A run directory.")], printed: Printed
) -> None:
    """Write the report of a directory again.

    Of a run or of any analysis: report.html and the plots; the answer is printed. Kept games are counted again.
    """
    from reports import analysis, html
    from simcore import kept, results
    from simcore.errors import kind_of

    analyses = _analyses()
    written = next((file for file in analyses if kind_of(directory / file) == "file"), None)
    if written:
        answer = results.read_analysis(directory, written)
        with results.machine_faults(str(directory)), results.written_by_us(directory / written):
            analysis.write(directory, analyses[written].page(answer))
        print_analysis(answer, analyses[written], printed.kind)
    else:
        answer, tables = results.read_run(directory)
        if (directory / kept.GAMES).is_dir():
            games = kept.recount(directory / kept.GAMES, answer, tables)
            say(f"counted {games:,} kept games again: they are those of the answer")
        with results.machine_faults(str(directory)), results.written_by_us(directory / "summary.json"):
            html.write(directory, answer, tables)
        print(_told(answer, tables, printed.kind), end="")
    say(f"wrote {directory / 'report.html'}")


def _analyses() -> dict[str, Any]:
    """Return by the file that keeps an analysis the module that puts it into words."""
    from reports import checked, compared, explained, laddered, matrixed, sensitive, swept, tuned, weighed
    from simcore import comparison, components, ladder, matrix, sensitivity, sweep, tune, verdicts
    from simcore import explain as worth

    return {
        comparison.FILE: compared,
        sweep.FILE: swept,
        sensitivity.FILE: sensitive,
        matrix.FILE: matrixed,
        components.FILE: weighed,
        worth.FILE: explained,
        ladder.FILE: laddered,
        tune.FILE: tuned,
        verdicts.FILE: checked,
    }


def trace(
    scenario: ScenarioArgument,
    game: Annotated[int, typer.Option(metavar="K", min=0, max=2**53 - 1, help="Which game, counted from 0.")],
    given: Given,
    json_: JsonOption = False,
) -> None:
    """Tell one game move by move."""
    import strategies
    from reports import story
    from simcore import trace as traces
    from simcore.results import to_json
    from simcore.streams import aside

    found = given.load(scenario)
    rehearse(found)
    with aside():
        told = traces.play(found, game, strategies, say)
    shown = screen()
    print(to_json(told) if json_ else story.render(told, shown["width"], shown["ascii"]), end="", flush=True)
    fault = traces.fault_of(told)
    if fault:
        raise fault


def explain(
    scenario: ScenarioArgument,
    crew: Crew,
    given: Given,
    written: Written,
    each: Annotated[int, typer.Option("--each", metavar="N", min=1, max=5, help="Games of each kind.")] = 2,
    games: GamesOption = None,
    budget: BudgetOption = None,
) -> None:
    """Name games worth a look, each with its trace command.

    Typical ones, the shortest, the longest, the biggest swings.
    """
    from reports import explained
    from simcore import explain as worth
    from simcore.errors import InputError

    given.refuse_counts("--games", "--budget")
    base = given.load(scenario, games=games)
    rotations = len(base.match.rotations)
    wanted = base.games if games else -(-worth.GAMES // rotations) * rotations
    if budget:
        wanted = min(wanted, budget // rotations * rotations)
    if not wanted:
        raise InputError.of("--budget", f"a deal in all rotations takes {rotations} games")
    said = words([scenario], set=given.set_, each=each, games=games, budget=budget)
    work = crew.begin()

    def analyse() -> Any:
        from simcore.course import Follower

        played = work.followed(base, wanted, 0, games=wanted)
        follower = Follower(player(base))
        found = [worth.told(base, follower, kind, index) for kind, index in worth.chosen(played.tally, each)]
        return worth.answer(base, played, found, said, work.seconds)

    written.analyse(analyse, explained, worth.FILE, work)


def _first_answer(scenario: Any) -> Any:
    """Return what puts a first answer into words, while more is played."""
    from reports import progress
    from simcore import results

    return progress.rates(results.side_labels(scenario))


def _formatted(scenario: Any, played: Any, answer: Any, kind: str) -> str:
    from simcore import results

    return _told(answer, results.rows(scenario, played) if kind in ("", "md") else {}, kind)


def _told(answer: Any, tables: Any, kind: str) -> str:
    """Return an answer in the wanted format."""
    from reports import machine, terminal

    if kind == "json":
        return machine.to_json(answer)
    if kind == "csv":
        return machine.to_csv(answer)
    return machine.to_markdown(answer, tables) if kind == "md" else terminal.render(answer, tables, **screen())
