"""The command ``balance``: parse, call, print. No statistics and no rules; everything heavy is imported late."""

from __future__ import annotations

import atexit
import gc
import math
import os
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

try:
    import typer
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

HERE = Path(__file__).resolve().parent
SCENARIOS = HERE / "scenarios"
FIRST_ANSWER_SECONDS = 1.0


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


CORES = _cores()


class Backend(StrEnum):
    """How work is fanned out."""

    threads = "threads"
    processes = "processes"
    dask = "dask"


class Topic(StrEnum):
    """What `balance list` lists."""

    games = "games"
    strategies = "strategies"
    scenarios = "scenarios"


ScenarioArgument = Annotated[
    str, typer.Argument(metavar="SCENARIO", help="A shipped scenario by name, or a YAML file.")
]
SetOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Change a value: rules.hits_to_win=7.")
]
SeedOption = Annotated[str | None, typer.Option(metavar="N", help="Seed below 2**53; a new one if none is given.")]
GamesOption = Annotated[str | None, typer.Option(metavar="N", help="Play exactly so many games.")]
PrecisionOption = Annotated[
    str | None, typer.Option(metavar="POINTS", help="Stop when every side's rate is known so well (0.5).")
]
TimeOption = Annotated[
    float | None, typer.Option(metavar="SECONDS", min=0.001, help="Start no new work after this time.")
]
JobsOption = Annotated[int, typer.Option(metavar="N", min=1, max=1024, help="Threads or processes.")]
BackendOption = Annotated[Backend, typer.Option(help="Threads, processes, or a Dask cluster.")]
SchedulerOption = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Scheduler of the Dask cluster: tcp://10.0.0.1:8786.")
]
VerboseOption = Annotated[bool, typer.Option("-v", "--verbose", help="Tell what goes on, line by line.")]
LogFileOption = Annotated[
    Path | None, typer.Option("--log-file", metavar="FILE", help="Append what goes on to a file.")
]
LogJsonOption = Annotated[bool, typer.Option("--log-json", help="Tell it as JSON, one object a line.")]
NoCodeOption = Annotated[bool, typer.Option("--no-code", help="Refuse scenarios that run a designer's own code.")]
DebugOption = Annotated[bool, typer.Option("--debug", help="Show tracebacks.", hidden=True)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]


def main() -> None:
    """Run the command line; errors become one line and an exit code."""
    gc.set_threshold(100_000, 20, 20)  # importing makes many objects and next to no garbage
    _SIGNALS.listen()
    if not sys.warnoptions and "--debug" not in sys.argv:
        warnings.simplefilter("ignore")  # of libraries, to their users; what concerns ours is said by us
    from simcore.streams import aside, open_streams

    output = open_streams("json" if "--json" in sys.argv else "replace")
    code = _exit_code()
    _clean_up()
    output.flush()
    if isinstance(output.fault, BrokenPipeError):
        code = code or 1
    elif output.fault:
        _say(f"standard output: {output.fault.strerror}")
        code = 4
    with suppress(BaseException), aside():
        atexit._run_exitfuncs()
    with suppress(OSError):
        sys.stderr.flush()
    os._exit(code)  # the interpreter's own end takes 0.4 s once kernels are loaded


def _clean_up() -> None:
    """Leave nothing half-written, wherever the program was stopped."""
    if "simcore.rundir" in sys.modules:
        from simcore.rundir import RunDirectory

        for directory in list(RunDirectory.unfinished):
            directory.abandon()


def _exit_code() -> int:
    try:
        return int(app(standalone_mode=False) or 0) or _SIGNALS.code
    except BaseException as error:
        if _SIGNALS.code:  # whatever an import made of it
            return _SIGNALS.code
        if "--debug" in sys.argv:
            traceback.print_exc()
        if not isinstance(error, Exception):
            raise
        return _report(error)


def _report(error: Exception) -> int:
    """Print an error as the user should see it; return the exit code."""
    from simcore.errors import BalanceError

    if hasattr(error, "format_message"):  # the option parser's own: a wrong option, a missing argument
        text = error.format_message()
        bare = text.startswith("Usage:")  # the help, which a bare `balance` asks for
        print(text if bare else f"balance: {' '.join(text.split())} (balance --help tells more)", file=sys.stderr)
        return 2
    if isinstance(error, BalanceError):
        print(error, file=sys.stderr)
        return error.exit_code
    if "strategies" in sys.modules:
        import strategies

        blamed = strategies.blame(error)
        if blamed:
            print(blamed, file=sys.stderr)
            return 2
    print(f"balance: internal error: {type(error).__name__}: {error}".splitlines()[0], file=sys.stderr)
    print("This is a bug. Run again with --debug and report what it prints.", file=sys.stderr)
    return 70


def _say(text: str) -> None:
    print(f"balance: {text}", file=sys.stderr, flush=True)


def _say_where(directory: Path, games: int) -> None:
    _say(f"wrote {directory / 'report.html'}" if games else "no game was finished, so nothing is written")


# -- finding scenarios ----------------------------------------------------------------------------------------------


def _shipped() -> list[str]:
    return sorted(f"{file.parent.name}/{file.stem}" for file in SCENARIOS.glob("*/*.yaml"))


def _find(name: str) -> tuple[Path, str]:
    """Return (file, name) of a scenario: a path that exists, else a shipped one."""
    from simcore.errors import InputError, kind_of, suggest

    path = Path(name)
    try:
        name.encode()
    except UnicodeEncodeError:
        raise InputError.of(ascii(name), "the name of the file is not UTF-8; rename it") from None
    if path.suffix in (".yaml", ".yml") or kind_of(path):
        return path, name
    if name in _shipped():
        return SCENARIOS / f"{name}.yaml", name
    raise InputError.of(name, f"no such file, and no shipped scenario{suggest(name, _shipped())}")


def _load(name: str, changes: Sequence[str] | None, no_code: bool, **values: str | None) -> Any:
    """Return the scenario `name` with ``--set`` changes and the values of other options."""
    import strategies
    from simcore import scenario
    from simcore.errors import InputError
    from simcore.streams import aside

    overrides = []
    for change in changes or ():
        path, equals, value = change.partition("=")
        if not equals:
            raise InputError.of(f"--set {change}", "expected PATH=VALUE, such as rules.hits_to_win=7")
        overrides.append((path.strip(), value))
    options = [(key, value) for key, value in values.items() if value is not None]
    file, called = _find(name)
    with aside():
        return scenario.load(file, strategies, called, overrides, options, allow_code=not no_code)


def _loads(
    changes: Sequence[Sequence[str]], name: str, no_code: bool, options: dict[str, Any]
) -> Sequence[Callable[[], Any]]:
    """Check variants of a scenario, and return what loads each: hundreds of them are not kept in memory."""
    loads = [partial(_load, name, change, no_code, **options) for change in changes]
    for load in loads:
        load()
    return loads


# -- commands -------------------------------------------------------------------------------------------------------


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


@app.command("list")
def list_(
    topic: Annotated[Topic | None, typer.Argument(help="games, strategies or scenarios; all if left out.")] = None,
    json_: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """List games, strategies and shipped scenarios."""
    import strategies
    from reports import catalogue
    from simcore import catalogue as facts
    from simcore.results import to_json

    found = facts.listing(strategies, SCENARIOS, topic.value if topic else None)
    print(to_json(found) if json_ else catalogue.listing(found, **_screen()), end="")


@app.command()
def show(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game by its id, or a folder of your own: ./my-game.")],
    edition: Annotated[str | None, typer.Option(help="Edition to show, by name or as a YAML file.")] = None,
    json_: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Show a game: components, rule switches, decisions, action features, metrics, provenance."""
    import strategies
    from reports import catalogue
    from simcore import catalogue as facts
    from simcore.results import to_json
    from simcore.streams import aside

    with aside():
        found = facts.game_facts(game, edition, strategies)
    print(to_json(found) if json_ else catalogue.game_page(found, **_screen()), end="")


@app.command()
def validate(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Scenario files, or shipped names.")],
    no_code: NoCodeOption = False,
    debug: DebugOption = False,
) -> None:
    """Check scenario files; runs nothing and imports no code of yours."""
    import strategies
    from simcore import scenario
    from simcore.errors import BalanceError, InputError

    problems = []
    for name in files:
        try:
            unchecked = scenario.check(_find(name)[0], strategies, allow_code=not no_code)
            print(f"{name}: ok as far as can be seen: {unchecked}" if unchecked else f"{name}: ok")
        except InputError as error:
            problems += error.problems
        except BalanceError as error:
            print(error, file=sys.stderr)
            raise typer.Exit(error.exit_code) from None
    if problems:
        raise InputError(problems)


@app.command()
def init(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game by its id, or a folder of your own: ./my-game.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="File to write; GAME.yaml if left out.")
    ] = None,
    debug: DebugOption = False,
) -> None:
    """Write a commented scenario of a game, to be played as it stands and changed."""
    import strategies
    from simcore.streams import aside
    from starters import scenario as starter
    from starters import writing

    file = output or Path(f"{Path(game).resolve().name if strategies.is_own(game) else game}.yaml")
    with aside():
        text = starter.text(game, strategies, SCENARIOS, file)
    writing.write_new({file: text})
    _say_next(file, "balance odds", f"balance schema > {file.parent / starter.SCHEMA_FILE}")


def _say_next(file: Path, first: str, *more: str) -> None:
    """Say on stdout what was written and which commands come next; `first` takes the file."""
    import shlex

    named = shlex.quote(str(file))
    print("\n  ".join([f"Wrote {file}. Next:", f"balance validate {named}", f"{first} {named}", *more]))


@app.command()
def schema(debug: DebugOption = False) -> None:
    """Print the JSON schema of scenario files, by which editors check and complete them."""
    import strategies
    from simcore.results import to_json
    from starters import schema as starter

    print(to_json(starter.of_scenarios(strategies)), end="")


@app.command("new-game")
def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the folder: small letters, digits, hyphens.")],
    debug: DebugOption = False,
) -> None:
    """Write the folder of a game of your own, which plays already, and a scenario beside it."""
    from starters import skeleton, writing

    files = skeleton.files(name, Path())
    writing.write_new(files)
    _say_next(Path(f"{name}.yaml"), "balance odds", f"balance show ./{name}")


@app.command()
def odds(
    scenario: ScenarioArgument,
    games: GamesOption = None,
    precision: PrecisionOption = None,
    max_time: TimeOption = None,
    seed: SeedOption = None,
    jobs: JobsOption = CORES,
    backend: BackendOption = Backend.threads,
    scheduler: SchedulerOption = None,
    verbose: VerboseOption = False,
    log_file: LogFileOption = None,
    log_json: LogJsonOption = False,
    set_: SetOption = None,
    json_: JsonOption = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print the table of sides as CSV.")] = False,
    md: Annotated[bool, typer.Option("--md", help="Print the answer as Markdown.")] = False,
    no_code: NoCodeOption = False,
    block_deals: Annotated[int | None, typer.Option(hidden=True, min=1, max=10**6)] = None,
    debug: DebugOption = False,
) -> None:
    """Play a scenario now and print who wins, how often, and how long it takes."""
    from simcore import results
    from simcore.errors import InputError

    if json_ + csv + md > 1:
        raise InputError.of("balance odds", "choose one of --json, --csv and --md")
    crew = _crew(jobs, backend, scheduler, verbose, log_file, log_json)
    found = _load(scenario, set_, no_code, seed=seed, games=games, precision=precision)
    plan = _plan(found.games, max_time, crew, block_deals, precision=found.precision)
    run, code = _play_odds(found, plan, first_answer=True)
    answer = results.summary(found, run)
    print(_formatted(found, run, answer, json_, csv, md), end="")
    raise typer.Exit(code or _short(run))


@app.command()
def run(
    scenario: ScenarioArgument,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Directory to write.")],
    games: GamesOption = None,
    precision: PrecisionOption = None,
    max_time: TimeOption = None,
    seed: SeedOption = None,
    jobs: JobsOption = CORES,
    backend: BackendOption = Backend.threads,
    scheduler: SchedulerOption = None,
    verbose: VerboseOption = False,
    log_file: LogFileOption = None,
    log_json: LogJsonOption = False,
    set_: SetOption = None,
    keep_games: Annotated[bool, typer.Option("--keep-games", help="Keep one row a game, as Parquet.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier run directory.")] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the finished games of an earlier run, or add to it.")
    ] = False,
    json_: JsonOption = False,
    no_code: NoCodeOption = False,
    block_deals: Annotated[int | None, typer.Option(hidden=True, min=1, max=10**6)] = None,
    debug: DebugOption = False,
) -> None:
    """Play a scenario and write a run directory: summary, tables, report.html and plots."""
    from reports import html
    from simcore import blocks, results, rundir
    from simcore.errors import GameError, InputError, MachineError

    if force and resume:
        raise InputError.of("balance run", "choose one of --force and --resume")
    crew = _crew(jobs, backend, scheduler, verbose, log_file, log_json)
    found = _load(scenario, set_, no_code, seed=seed, games=games, precision=precision)
    directory = rundir.RunDirectory(output, force, resume=resume, option=", --resume to add to it")
    code, games_there = MachineError.exit_code, False
    try:
        saved = rundir.Checkpoint.of(directory)
        if saved and not found.seeded:
            found = _load(scenario, set_, no_code, seed=str(saved.seed), games=games, precision=precision)
        block = (block_deals or blocks.BLOCK_DEALS) * blocks.SHARD_BLOCKS * len(found.match.rotations)
        start = saved.start(found, keep_games, block, output) if saved else None
        if start:
            _say(f"{output}: goes on from {start.tally.games:,} finished games")
        recorder = rundir.Recorder(directory, found, block if keep_games else None, start)
        games_there = start is not None
        plan = _plan(found.games, max_time, crew, block_deals, precision=found.precision)
        played, code = _play_odds(found, plan, recorder, first_answer=True)
        answer = results.summary(found, played)
        print(_formatted(found, played, answer, json_), end="", flush=True)
        if played.tally.games and not recorder.fault:
            recorder.close(played)
            tables = results.write_run(directory.work, found, played, answer, block)
            with results.machine_faults(str(output)):
                html.write(directory.work, answer, tables)
            directory.finish()
        elif not played.tally.games:
            _say("no game was finished, so nothing is written")
        code = code or _short(played)
    except MachineError as error:
        code = error.exit_code
        print(error, file=sys.stderr)
    except GameError:
        directory.discard()
        raise
    finally:
        games_there = games_there or directory.finished or directory.holds_games
        directory.abandon()
    if directory.finished:
        _say(f"wrote {directory.path / 'report.html'}")
    if code and games_there:
        words = _words([scenario], set=set_, seed=found.match.seed, games=games, precision=precision)
        words += _words([], **{"block-deals": block_deals})
        _say(f"go on with: {_resume_command(words, directory.path, keep_games, no_code, crew)}")
    raise typer.Exit(code)


OutputOption = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="DIR", help="Directory for report.html and plots.")
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace an earlier directory.")]
CsvOption = Annotated[bool, typer.Option("--csv", help="Print all numbers as CSV.")]
MarkdownOption = Annotated[bool, typer.Option("--md", help="Print the answer as Markdown.")]
OnOption = Annotated[str | None, typer.Option(metavar="NAME", help="What it is about: side.1, rounds, a metric.")]
BudgetOption = Annotated[
    int | None, typer.Option(metavar="GAMES", min=1, help="At most about so many games, in all runs together.")
]
MarginOption = Annotated[
    float | None, typer.Option(metavar="M", help="Differences within it are none: 0.5 points, or 0.1 of an amount.")
]


@app.command()
def compare(
    base: ScenarioArgument,
    variant: Annotated[
        str | None, typer.Argument(metavar="[VARIANT]", help="What it is compared with; else --set says what differs.")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PATH=VALUE", help="Change the variant; given two scenarios, change both."),
    ] = None,
    on: OnOption = None,
    margin: MarginOption = None,
    games: GamesOption = None,
    max_time: TimeOption = None,
    seed: SeedOption = None,
    jobs: JobsOption = CORES,
    backend: BackendOption = Backend.threads,
    scheduler: SchedulerOption = None,
    verbose: VerboseOption = False,
    log_file: LogFileOption = None,
    log_json: LogJsonOption = False,
    output: OutputOption = None,
    force: ForceOption = False,
    json_: JsonOption = False,
    csv: CsvOption = False,
    md: MarkdownOption = False,
    no_code: NoCodeOption = False,
    block_deals: Annotated[int | None, typer.Option(hidden=True, min=1, max=10**6)] = None,
    debug: DebugOption = False,
) -> None:
    """Play two scenarios on the same deals and say what differs."""
    from reports import compared
    from simcore import comparison
    from simcore.errors import InputError

    _choose("compare", json_, csv, md)
    crew = _crew(jobs, backend, scheduler, verbose, log_file, log_json)
    if variant is None and not set_:
        raise InputError.of("balance compare", "expected a second scenario, or --set PATH=VALUE")
    one = _load(base, set_ if variant else None, no_code, seed=seed, games=games)
    other = _load(variant or base, set_, no_code, seed=str(one.match.seed), games=games)
    words = _words([base, *([variant] if variant else [])], set=set_, on=on, margin=margin)
    asked = comparison.question(one, other, on, margin)

    def analyse(clock: _Clock) -> Any:
        plan = _plan(one.games if games else None, clock.left, crew, block_deals)
        played, clock.code = _play([one, other], asked, plan)
        return comparison.summary(one, other, asked, played, words)

    _analyse(analyse, compared, comparison.FILE, _Clock(max_time), output, force, json_, csv, md)


@app.command()
def sweep(
    scenario: ScenarioArgument,
    over: Annotated[
        list[str],
        typer.Option("--over", metavar="PATH=VALUES", help="rules.hits_to_win=3..8, or a,b,c; given twice: a grid."),
    ],
    target: Annotated[
        str | None, typer.Option(metavar="NAME=VALUE", help='Name the nearest point: "side 1 = 50%", "rounds = 10".')
    ] = None,
    on: OnOption = None,
    games: GamesOption = None,
    precision: PrecisionOption = None,
    budget: BudgetOption = None,
    max_time: TimeOption = None,
    seed: SeedOption = None,
    jobs: JobsOption = CORES,
    backend: BackendOption = Backend.threads,
    scheduler: SchedulerOption = None,
    verbose: VerboseOption = False,
    log_file: LogFileOption = None,
    log_json: LogJsonOption = False,
    set_: SetOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
    json_: JsonOption = False,
    csv: CsvOption = False,
    md: MarkdownOption = False,
    no_code: NoCodeOption = False,
    debug: DebugOption = False,
) -> None:
    """Play a scenario at every point of a grid of values, on the same deals."""
    from reports import swept
    from simcore import sweep as sweeps
    from simcore.race import UNLIMITED, best, race, stages
    from simcore.stats.looks import FIRST

    _choose("sweep", json_, csv, md)
    crew = _crew(jobs, backend, scheduler, verbose, log_file, log_json)
    axes = [sweeps.axis(text) for text in over]
    grid = sweeps.points(axes)
    wanted = sweeps.target(target) if target else None
    first = _load(scenario, set_, no_code, seed=seed, games=games, precision=precision)
    known = sweeps.quantity_names(first)
    sweeps.check("--on", on, known)
    sweeps.check("--target", wanted.quantity if wanted else None, known)
    changes = [[f"{axis.path}={value}" for axis, value in zip(axes, values, strict=True)] for values in grid]
    options = {"seed": str(first.match.seed), "games": games, "precision": precision}
    loads = _loads([[*(set_ or ()), *change] for change in changes], scenario, no_code, options)
    words = _words([scenario], set=set_, over=over, target=target, on=on)
    words += _words([], games=games, precision=precision, budget=budget)

    def analyse(clock: _Clock) -> Any:
        found: list[dict[str, Any]] = []
        if wanted and not first.games:
            level = sweeps.joint(len(grid))
            entrants = [
                _entrant(", ".join(values), each, clock, crew, partial(sweeps.nearness, wanted, level))
                for values, each in zip(grid, loads, strict=True)
            ]
            rotations = len(first.match.rotations)
            race(
                entrants,
                best(1),
                stages(FIRST, _part(budget, len(grid)) or UNLIMITED, rotations),
                lambda: clock.over,
            )
            raced = zip(grid, loads, entrants, strict=True)
            found = [sweeps.point(values, each(), one.run, one.why) for values, each, one in raced if one.run]
            return sweeps.answer(first, axes, found, len(grid) - len(found), wanted, on, words, clock.seconds)
        for values, load in zip(grid, loads, strict=True):
            if clock.over:
                break
            clock.show(len(found), len(grid))
            each = load()
            plan = _plan(each.games, clock.left, crew, None, _part(budget, len(grid)), each.precision)
            played, clock.code = _play_odds(each, plan)
            found.append(sweeps.point(values, each, played))
        return sweeps.answer(first, axes, found, len(grid) - len(found), wanted, on, words, clock.seconds)

    _analyse(analyse, swept, sweeps.FILE, _Clock(max_time), output, force, json_, csv, md)


@app.command()
def sensitivity(
    scenario: ScenarioArgument,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="WHAT", help="reconstructed, rulebook, ..., rules, components.leap."),
    ] = None,
    on: OnOption = None,
    margin: MarginOption = None,
    games: GamesOption = None,
    budget: BudgetOption = None,
    max_time: TimeOption = None,
    seed: SeedOption = None,
    jobs: JobsOption = CORES,
    backend: BackendOption = Backend.threads,
    scheduler: SchedulerOption = None,
    verbose: VerboseOption = False,
    log_file: LogFileOption = None,
    log_json: LogJsonOption = False,
    set_: SetOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
    json_: JsonOption = False,
    csv: CsvOption = False,
    md: MarkdownOption = False,
    no_code: NoCodeOption = False,
    debug: DebugOption = False,
) -> None:
    """Change every number of rules and components by one, and say which changes matter."""
    from reports import sensitive
    from simcore import comparison
    from simcore import sensitivity as steps_of
    from simcore.errors import InputError

    _choose("sensitivity", json_, csv, md)
    crew = _crew(jobs, backend, scheduler, verbose, log_file, log_json)
    base = _load(scenario, set_, no_code, seed=seed, games=games)
    steps = steps_of.steps(base, only or ())
    primary = comparison.question(base, base, on, margin).primary.name
    options = {"seed": str(base.match.seed), "games": games}
    words = _words([scenario], set=set_, only=only, on=on, margin=margin, games=games, budget=budget)

    def analyse(clock: _Clock) -> Any:
        rows: list[dict[str, Any]] = []
        refused: list[Any] = []
        for step in steps:
            if clock.over:
                break
            clock.show(len(rows) + len(refused), len(steps))
            try:
                other = _load(scenario, [*(set_ or ()), "=".join(step.override)], no_code, **options)
            except InputError:
                refused.append(step)
                continue
            asked = comparison.question(base, other, on, margin)
            plan = _plan(base.games if games else None, clock.left, crew, None, _part(budget, len(steps)))
            played, clock.code = _play([base, other], asked, plan)
            rows.append(steps_of.row(step, base, other, asked, played))
        missing = len(steps) - len(rows) - len(refused)
        return steps_of.answer(base, rows, missing, refused, primary, words, clock.seconds)

    _analyse(analyse, sensitive, steps_of.FILE, _Clock(max_time), output, force, json_, csv, md)


@app.command()
def matrix(
    scenario: ScenarioArgument,
    strategies_: Annotated[
        str, typer.Option("--strategies", metavar="A,B,C", help="Strategies to set against each other.")
    ],
    racing: Annotated[
        bool, typer.Option("--race", help="Stop early whom another one certainly beats on average.")
    ] = False,
    games: GamesOption = None,
    precision: PrecisionOption = None,
    budget: BudgetOption = None,
    max_time: TimeOption = None,
    seed: SeedOption = None,
    jobs: JobsOption = CORES,
    backend: BackendOption = Backend.threads,
    scheduler: SchedulerOption = None,
    verbose: VerboseOption = False,
    log_file: LogFileOption = None,
    log_json: LogJsonOption = False,
    set_: SetOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
    json_: JsonOption = False,
    csv: CsvOption = False,
    md: MarkdownOption = False,
    no_code: NoCodeOption = False,
    debug: DebugOption = False,
) -> None:
    """Set strategies against each other: shares, ratings, best answers, cycles, equilibrium."""
    import strategies
    from reports import matrixed
    from simcore import matrix as pairings
    from simcore.errors import InputError
    from simcore.race import UNLIMITED, race, stages
    from simcore.stats.looks import FIRST

    _choose("matrix", json_, csv, md)
    crew = _crew(jobs, backend, scheduler, verbose, log_file, log_json)
    names = pairings.strategies_of(strategies_)
    wanted = precision or (None if games else pairings.PRECISION)
    base = _load(scenario, set_, no_code, seed=seed, games=games, precision=wanted)
    pairings.check(base, names, strategies)
    cells = pairings.cells(base, names)
    options = {"seed": str(base.match.seed), "games": games, "precision": wanted}
    changes = [[f"{path}={value}" for path, value in cell.overrides] for cell in cells]
    loads = _loads([[*(set_ or ()), *change] for change in changes], scenario, no_code, options)
    if racing and games:
        raise InputError.of("--race", "with --games every pairing plays them all; give --precision or --budget")
    words = _words([scenario], set=set_, strategies=strategies_, games=games, precision=precision, budget=budget)
    words += ["--race"] if racing else []

    def analyse(clock: _Clock) -> Any:
        found: list[dict[str, Any]] = []
        if racing:
            entrants = [
                _entrant("", each, clock, crew, partial(pairings.span, cell, base, len(cells)))
                for cell, each in zip(cells, loads, strict=True)
            ]
            limits = stages(FIRST, _part(budget, len(cells)) or UNLIMITED, len(base.match.rotations))
            race(entrants, partial(pairings.judge, base, cells, names), limits, lambda: clock.over)
            raced = zip(cells, loads, entrants, strict=True)
            found = [pairings.told(cell, each(), one.run, names, one.why) for cell, each, one in raced if one.run]
            return pairings.answer(base, names, found, len(cells) - len(found), words, clock.seconds)
        for cell, load in zip(cells, loads, strict=True):
            if clock.over:
                break
            clock.show(len(found), len(cells))
            each = load()
            fixed = each.games if games else None
            plan = _plan(fixed, clock.left, crew, None, _part(budget, len(cells)), each.precision)
            played, clock.code = _play_odds(each, plan)
            found.append(pairings.told(cell, each, played, names))
        return pairings.answer(base, names, found, len(cells) - len(found), words, clock.seconds)

    _analyse(analyse, matrixed, pairings.FILE, _Clock(max_time), output, force, json_, csv, md)


# -- checks ---------------------------------------------------------------------------------------------------------

baseline = typer.Typer(
    name="baseline",
    help="Record numbers of scenarios, to be kept in git and compared by `balance check`.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(baseline)


class Missing(StrEnum):
    """What a scenario is that has neither a baseline nor expectations."""

    fail = "fail"
    warn = "warn"
    record = "record"


PathsArgument = Annotated[list[str], typer.Argument(metavar="PATH...", help="Scenario files, folders or globs.")]
PointsOption = Annotated[
    float | None, typer.Option("--margin", metavar="POINTS", help="Shifts within it are none; 0.5 unless recorded.")
]


@app.command()
def check(
    paths: PathsArgument,
    margin: PointsOption = None,
    missing: Annotated[Missing, typer.Option(help="What a scenario without baseline and `expect` is.")] = Missing.fail,
    budget: BudgetOption = None,
    max_time: TimeOption = None,
    seed: SeedOption = None,
    jobs: JobsOption = CORES,
    backend: BackendOption = Backend.threads,
    scheduler: SchedulerOption = None,
    verbose: VerboseOption = False,
    log_file: LogFileOption = None,
    log_json: LogJsonOption = False,
    set_: SetOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
    json_: JsonOption = False,
    csv: CsvOption = False,
    md: MarkdownOption = False,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write JUnit XML.")] = None,
    github: Annotated[
        bool, typer.Option("--github", help="Print annotations, and add to the summary of the step.")
    ] = False,
    no_code: NoCodeOption = False,
    debug: DebugOption = False,
) -> None:
    """Check scenarios against their baselines and expectations: pass, fail or undecided."""
    from simcore import rundir, verdicts

    _choose("check", json_, csv, md)
    crew = _crew(jobs, backend, scheduler, verbose, log_file, log_json)
    luck = _seed(seed)
    cases, found = _cases(paths, margin, set_, no_code)
    directory = rundir.RunDirectory(output, force, verdicts.FILE) if output else None
    clock = _Clock(max_time)
    try:
        if missing is Missing.record:
            _record_missing(cases, clock, crew)
        confidence = _play_cases(cases, clock, luck, crew, None, budget)
        words = _words(["check", *paths], set=set_, margin=margin, budget=budget, seed=seed)
        answer = verdicts.answer(cases, found, missing is Missing.fail, confidence, words, clock.seconds)
        _print_checks(answer, json_, csv, md, junit, github)
        if directory:
            _write_page(directory, verdicts.FILE, answer)
    finally:
        if directory:
            directory.abandon()
    raise typer.Exit(clock.code if clock.code >= 4 else verdicts.EXIT[answer["verdict"]])


@baseline.command()
def record(
    paths: PathsArgument,
    games: GamesOption = None,
    margin: PointsOption = None,
    max_time: TimeOption = None,
    seed: SeedOption = None,
    jobs: JobsOption = CORES,
    backend: BackendOption = Backend.threads,
    scheduler: SchedulerOption = None,
    verbose: VerboseOption = False,
    log_file: LogFileOption = None,
    log_json: LogJsonOption = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace earlier baselines, as precise as they are unless told.")
    ] = False,
    no_code: NoCodeOption = False,
    debug: DebugOption = False,
) -> None:
    """Play scenarios and write baselines/NAME.json beside each."""
    from simcore import baseline as baselines
    from simcore.errors import InputError, kind_of, shown

    crew = _crew(jobs, backend, scheduler, verbose, log_file, log_json)
    _check_margin(margin)
    targets = _targets(paths).scenarios
    files = [baselines.path_of(target.file) for target in targets]
    there = [InputError.of(shown(file), "exists; --force replaces it") for file in files if kind_of(file)]
    if there and not force:
        raise InputError([error.problems[0] for error in there])
    loaded = _all_loaded(targets, lambda target: _load(target.name, None, no_code, seed=seed, games=games))
    clock = _Clock(max_time)
    for target, scenario in zip(targets, loaded, strict=True):
        if clock.over:
            break
        earlier = None if games or margin else _readable(target.file)
        points, n = (earlier.margin, earlier.games) if earlier else (margin, scenario.games if games else None)
        clock.code = max(clock.code, _record(scenario, target, points, n, clock.left, crew))
    raise typer.Exit(clock.code)


@baseline.command()
def update(
    paths: PathsArgument,
    jobs: JobsOption = CORES,
    backend: BackendOption = Backend.threads,
    scheduler: SchedulerOption = None,
    verbose: VerboseOption = False,
    log_file: LogFileOption = None,
    log_json: LogJsonOption = False,
    no_code: NoCodeOption = False,
    debug: DebugOption = False,
) -> None:
    """Record anew what is missing, or plays differently than recorded; what is as it was is left alone."""
    from simcore import cases as cases_of

    crew = _crew(jobs, backend, scheduler, verbose, log_file, log_json)
    cases, found = _cases(paths, None, None, no_code, needed=True)
    clock = _Clock(None)
    for case in cases:
        if clock.over:
            break
        cases_of.prepare(case, _rehearsed)
        if case.as_recorded:
            print(f"{case.target.name}: as recorded")
            continue
        points, games = (case.baseline.margin, case.baseline.games) if case.baseline else (None, None)
        clock.code = max(clock.code, _record(case.scenario, case.target, points, games, None, crew))
    for file in found.orphans:
        _say(f"{file}: the scenario of this baseline is gone; delete it")
    raise typer.Exit(clock.code)


@baseline.command()
def diff(
    paths: PathsArgument,
    games: Annotated[int, typer.Option(metavar="N", min=1000, max=10**12, help="Games to play of each.")] = 100_000,
    seed: SeedOption = None,
    jobs: JobsOption = CORES,
    backend: BackendOption = Backend.threads,
    scheduler: SchedulerOption = None,
    verbose: VerboseOption = False,
    log_file: LogFileOption = None,
    log_json: LogJsonOption = False,
    set_: SetOption = None,
    json_: JsonOption = False,
    csv: CsvOption = False,
    md: MarkdownOption = False,
    no_code: NoCodeOption = False,
    debug: DebugOption = False,
) -> None:
    """Say what changed since baselines were recorded, and what it does to every number; nothing fails."""
    from simcore import verdicts

    _choose("baseline diff", json_, csv, md)
    crew = _crew(jobs, backend, scheduler, verbose, log_file, log_json)
    luck = _seed(seed)
    cases, found = _cases(paths, None, set_, no_code, needed=True)
    clock = _Clock(None)
    confidence = _play_cases(cases, clock, luck, crew, games)
    words = _words(["baseline", "diff", *paths], set=set_, games=games, seed=seed)
    answer = verdicts.answer(cases, found, False, confidence, words, clock.seconds)
    _print_checks(answer, json_, csv, md, None, False)
    raise typer.Exit(clock.code)


def _targets(paths: Sequence[str], needed: bool = True) -> Any:
    """Return what lies at some paths."""
    from simcore import targets
    from simcore.errors import InputError

    found = targets.find(paths, lambda name: _find(name)[0])
    if needed and found.empty:
        raise InputError([InputError.of(name, "no scenario here").problems[0] for name in found.empty])
    return found


def _cases(
    paths: Sequence[str], margin: float | None, set_: Sequence[str] | None, no_code: bool, needed: bool = False
) -> tuple[Any, Any]:
    """Load all scenarios at some paths with their baselines; return also what else lies there."""
    _check_margin(margin)
    found = _targets(paths, needed)
    return _all_loaded(found.scenarios, lambda target: _case(target, margin, set_, no_code)), found


def _case(target: Any, margin: float | None, set_: Sequence[str] | None, no_code: bool) -> Any:
    """Load a scenario with what was recorded of it, under the recorded seed if it has none of its own."""
    from simcore import baseline as baselines
    from simcore import cases as cases_of

    recorded = baselines.read(baselines.path_of(target.file))
    scenario = _load(target.name, set_, no_code)
    if recorded and not scenario.seeded:
        scenario = _load(target.name, set_, no_code, seed=str(recorded.seed))
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


def _seed(text: str | None) -> int | None:
    from simcore.errors import InputError
    from simcore.rng import SEED_LIMIT

    if text is not None and not (text.isascii() and text.isdigit() and len(text) < 17 and int(text) < SEED_LIMIT):
        raise InputError.of("--seed", f"'{text}' is no seed; expected a whole number below 2**53")
    return None if text is None else int(text)


def _rehearsed(scenario: Any) -> Any:
    """Return a scenario made ready to play, its own code checked."""
    import strategies
    from simcore import rehearsal
    from simcore.player import Player
    from simcore.streams import aside

    rehearsal.rehearse(scenario.match, strategies, scenario.inputs, _say, scenario.n_reasons)
    with _named_games(scenario), aside():
        return Player(scenario.match, strategies, _say)


def _play_cases(
    cases: Sequence[Any],
    clock: _Clock,
    seed: int | None,
    crew: dict[str, Any],
    games: int | None = None,
    budget: int | None = None,
) -> float:
    """Play the recorded games again, judge what they decide, and play the rest; return the confidence of each check.

    `games` of each scenario if given; else no more than it needs, and of all together no more than `budget`.
    """
    from simcore import cases as cases_of

    for case in cases:
        if not clock.over:
            cases_of.prepare(case, _rehearsed)
    confidence = cases_of.level(cases)
    for case in cases:
        if seed is None:
            cases_of.judge_recorded(case, confidence)
    waiting = [case for case in cases if case.open]
    for number, case in enumerate(waiting):
        if clock.over:
            break
        clock.show(number, len(waiting))
        most = games or _part(budget, len(waiting)) or cases_of.budget_of(case)
        if seed is not None or cases_of.is_to_be_played(case, most):
            case.played, question = cases_of.to_play(case, confidence, seed)
            plan = _plan(_whole_deals(games, case.scenario), clock.left, crew, None, most)
            case.run, code = _play([case.played], question, plan)
            clock.code = code if code >= 4 else clock.code
    return confidence


def _whole_deals(games: int | None, scenario: Any) -> int | None:
    """Return so many games, rounded up to deals that are played in all rotations."""
    rotations = len(scenario.match.rotations)
    return None if games is None else -(-games // rotations) * rotations


def _record(
    scenario: Any,
    target: Any,
    margin: float | None,
    games: int | None,
    max_time: float | None,
    crew: dict[str, Any],
) -> int:
    """Play a scenario and write its baseline; return the exit code."""
    from simcore import baseline as baselines

    points = margin or baselines.MARGIN
    wanted = _whole_deals(games, scenario) or baselines.games_for(points, len(scenario.match.rotations))
    played, code = _play_odds(scenario, _plan(wanted, max_time, crew))
    file = baselines.path_of(target.file)
    if code >= 4 or not played.tally.games:
        _say(f"{target.name} was not played to the end, so nothing is recorded")
        return code
    baselines.write(file, baselines.content(file.stem, scenario, played.tally, _rehearsed(scenario), points))
    _say(f"wrote {file}: {played.tally.games:,} games, margin {points:g} points")
    return code


def _record_missing(cases: Sequence[Any], clock: _Clock, crew: dict[str, Any]) -> None:
    """Record what has neither a baseline nor expectations."""
    from simcore import baseline as baselines

    for case in [case for case in cases if case.missing]:
        if clock.over:
            break
        code = _record(case.scenario, case.target, case.margin, None, clock.left, crew)
        clock.code = max(clock.code, code)
        case.baseline = baselines.read(baselines.path_of(case.target.file))
        case.note = "recorded now" if case.baseline else ""


def _print_checks(answer: Any, json_: bool, csv: bool, md: bool, junit: Path | None, github: bool) -> None:
    """Print the answer, and write it where builds look for it."""
    from reports import builds, checked, machine
    from simcore import results

    if json_:
        print(machine.to_json(answer), end="")
    elif csv:
        print(checked.to_csv(answer), end="")
    elif md:
        print(builds.to_markdown(answer), end="")
    else:
        print(checked.to_terminal(answer, **_screen()), end="", flush=True)
    if junit:
        with results.machine_faults(str(junit)):
            results.write_text(junit, builds.to_junit(answer))
    if github:
        for text in builds.to_annotations(answer):
            print(text, file=sys.stderr if json_ or csv or md else sys.stdout)
        summary = os.environ.get("GITHUB_STEP_SUMMARY")
        if summary:
            with results.machine_faults(summary), open(summary, "a", encoding="utf-8") as file:
                file.write(builds.to_markdown(answer))


def _write_page(directory: Any, file: str, answer: Any) -> None:
    """Write the directory of a check."""
    from reports import analysis, checked
    from simcore import results

    with results.machine_faults(str(directory.path)):
        (directory.work / file).write_text(results.to_json(answer), encoding="utf-8", newline="\n")
        analysis.write(directory.work, checked.page(answer))
    directory.finish()
    _say_where(directory.path, 1)


@app.command()
def components(
    scenario: ScenarioArgument,
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
    max_time: TimeOption = None,
    seed: SeedOption = None,
    jobs: JobsOption = CORES,
    backend: BackendOption = Backend.threads,
    scheduler: SchedulerOption = None,
    verbose: VerboseOption = False,
    log_file: LogFileOption = None,
    log_json: LogJsonOption = False,
    set_: SetOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
    json_: JsonOption = False,
    csv: CsvOption = False,
    md: MarkdownOption = False,
    no_code: NoCodeOption = False,
    debug: DebugOption = False,
) -> None:
    """Say how strong each component is: who had it against who had not, and the same deals with it blanked."""
    from reports import weighed
    from simcore import comparison
    from simcore import components as parts
    from simcore.errors import InputError

    _choose("components", json_, csv, md)
    crew = _crew(jobs, backend, scheduler, verbose, log_file, log_json)
    base = _load(scenario, set_, no_code, seed=seed, games=games)
    blanks = parts.blanks(base, only or ())
    if on != parts.OWNER.name:
        comparison.question(base, base, on, None)
    options = {"seed": str(base.match.seed), "games": games}
    variants: list[tuple[Any, Any]] = []
    idle, refused = [], []
    for blank in blanks:
        try:
            load = _loads([[*(set_ or ()), *blank.sets]], scenario, no_code, options)[0]
        except InputError:
            refused.append(blank.label)
            continue
        if parts.in_play(base, load()):
            variants.append((blank, load))
        else:
            idle.append(blank.label)
    words = _words([scenario], set=set_, only=only, on=on, games=games)
    words += _words([], precision=precision, budget=budget)
    share = budget if not variants else budget and max(budget // 2, 1)
    wanted = base.games if games else None
    wanted_points = precision or parts.PRECISION

    def analyse(clock: _Clock) -> Any:
        found = parts.Found([], 0, None, [], 0, tuple(idle), tuple(refused))
        asked = _contrasts(base, wanted_points, min(wanted or share or parts.MOST_GAMES, 1000))
        if asked:
            plan = _plan(wanted, clock.left, crew, None, share or parts.MOST_GAMES)
            played, clock.code = _play([base], asked, plan)
            found.contrasts, found.games, found.stop = (
                parts.exposed(base, asked, played),
                played.tally.games,
                played.reason,
            )
        for blank, load in variants:
            if clock.over:
                break
            other = load()
            clock.show(len(found.knockouts), len(variants))
            pair = parts.question(base, other, blank, on, wanted_points, len(variants))
            plan = _plan(wanted, clock.left, crew, None, _part(share, 2 * len(variants)))
            played, clock.code = _play([base, other], pair, plan)
            found.knockouts.append(parts.row(base, blank, pair, played))
        found.missing = len(variants) - len(found.knockouts)
        return parts.answer(base, found, words, clock.seconds)

    _analyse(analyse, weighed, parts.FILE, _Clock(max_time), output, force, json_, csv, md)


@app.command()
def explain(
    scenario: ScenarioArgument,
    each: Annotated[int, typer.Option("--each", metavar="N", min=1, max=5, help="Games of each kind.")] = 2,
    games: GamesOption = None,
    budget: BudgetOption = None,
    max_time: TimeOption = None,
    seed: SeedOption = None,
    jobs: JobsOption = CORES,
    backend: BackendOption = Backend.threads,
    scheduler: SchedulerOption = None,
    verbose: VerboseOption = False,
    log_file: LogFileOption = None,
    log_json: LogJsonOption = False,
    set_: SetOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
    json_: JsonOption = False,
    csv: CsvOption = False,
    md: MarkdownOption = False,
    no_code: NoCodeOption = False,
    debug: DebugOption = False,
) -> None:
    """Name games worth a look: typical, shortest, longest, the biggest swings; each with its trace command."""
    from reports import explained
    from simcore import explain as worth
    from simcore.errors import InputError

    _choose("explain", json_, csv, md)
    crew = _crew(jobs, backend, scheduler, verbose, log_file, log_json)
    base = _load(scenario, set_, no_code, seed=seed, games=games)
    rotations = len(base.match.rotations)
    wanted = base.games if games else -(-worth.GAMES // rotations) * rotations
    if budget:
        wanted = min(wanted, budget // rotations * rotations)
    if not wanted:
        raise InputError.of("--budget", f"a deal in all rotations takes {rotations} games")
    words = _words([scenario], set=set_, each=each, games=games, budget=budget)

    def analyse(clock: _Clock) -> Any:
        from simcore.course import Follower

        played, clock.code = _play_followed(base, _plan(wanted, clock.left, crew, None), wanted, 0)
        follower = Follower(_player(base))
        found = [worth.told(base, follower, kind, index) for kind, index in worth.chosen(played.tally, each)]
        return worth.answer(base, played, found, words, clock.seconds)

    _analyse(analyse, explained, worth.FILE, _Clock(max_time), output, force, json_, csv, md)


@app.command()
def ladder(
    scenario: ScenarioArgument,
    levels: Annotated[
        str, typer.Option(metavar="A,B,C", help="Levels of skill; any strategy is one that all seats play.")
    ] = "random,scripted,lookahead",
    rollouts: Annotated[int, typer.Option(metavar="N", min=1, max=100_000, help="Of the look-ahead.")] = 16,
    games: GamesOption = None,
    precision: PrecisionOption = None,
    budget: BudgetOption = None,
    max_time: TimeOption = None,
    seed: SeedOption = None,
    jobs: JobsOption = CORES,
    backend: BackendOption = Backend.threads,
    scheduler: SchedulerOption = None,
    verbose: VerboseOption = False,
    log_file: LogFileOption = None,
    log_json: LogJsonOption = False,
    set_: SetOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
    json_: JsonOption = False,
    csv: CsvOption = False,
    md: MarkdownOption = False,
    no_code: NoCodeOption = False,
    debug: DebugOption = False,
) -> None:
    """Ask the same question at several levels of skill, side by side, and say what players do at each."""
    import strategies
    from reports import laddered
    from simcore import ladder as rungs

    _choose("ladder", json_, csv, md)
    crew = _crew(jobs, backend, scheduler, verbose, log_file, log_json)
    wanted = precision or (None if games else rungs.PRECISION)
    base = _load(scenario, set_, no_code, seed=seed, games=games, precision=wanted)
    generic = ("random", "weights", "lookahead")
    own = [name for name in strategies.strategy_names(base.game.ref) if name not in generic]
    steps = rungs.levels(base, levels, rollouts, strategies, own)
    options = {"seed": str(base.match.seed), "games": games, "precision": wanted}
    changes = [[f"{path}={value}" for path, value in step.overrides] for step in steps]
    loaded = [_load(scenario, [*(set_ or ()), *change], no_code, **options) for change in changes]
    words = _words([scenario], set=set_, levels=levels, rollouts=rollouts)
    words += _words([], games=games, precision=precision, budget=budget)

    def analyse(clock: _Clock) -> Any:
        found: list[dict[str, Any]] = []
        at_random = [f"seats.{number}.{rest}" for number in range(1, len(base.entries) + 1) for rest in RANDOM_SEAT]
        moves = _costs(_load(scenario, [*(set_ or ()), *at_random], no_code, **options), rollouts)
        for step, each in zip(steps, loaded, strict=True):
            if clock.over:
                break
            clock.show(len(found), len(steps))
            can_afford = rungs.affordable(each, moves)
            limit = min(can_afford, _part(budget, len(steps)) or can_afford)
            plan = _plan(each.games if games else None, clock.left_for(len(steps) - len(found)), crew)
            plan = replace(plan, budget=limit)
            followed = rungs.whole_deals(rungs.FOLLOWED, each)
            played, clock.code = _play_followed(each, plan, followed, rungs.ACTED)
            found.append(rungs.told(step, each, played, can_afford, len(steps)))
        missing = [step.name for step in steps[len(found) :]]
        return rungs.answer(base, found, missing, rollouts, words, clock.seconds)

    _analyse(analyse, laddered, rungs.FILE, _Clock(max_time), output, force, json_, csv, md)


RANDOM_SEAT = ("strategy=random", "params={}")


@app.command()
def tune(
    scenario: ScenarioArgument,
    seat: Annotated[int, typer.Option(metavar="N", min=1, help="The listed player whose weights are searched for.")],
    budget: BudgetOption = None,
    max_time: TimeOption = None,
    seed: SeedOption = None,
    jobs: JobsOption = CORES,
    backend: BackendOption = Backend.threads,
    scheduler: SchedulerOption = None,
    verbose: VerboseOption = False,
    log_file: LogFileOption = None,
    log_json: LogJsonOption = False,
    set_: SetOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
    json_: JsonOption = False,
    csv: CsvOption = False,
    md: MarkdownOption = False,
    no_code: NoCodeOption = False,
    debug: DebugOption = False,
) -> None:
    """Search for better weights of a player, and say what the best ones gain over the player as given."""
    import strategies
    from reports import tuned
    from simcore import comparison
    from simcore import tune as search_for
    from simcore.errors import InputError

    _choose("tune", json_, csv, md)
    crew = _crew(jobs, backend, scheduler, verbose, log_file, log_json)
    base = _load(scenario, set_, no_code, seed=seed)
    begin = search_for.start(base, seat)
    wanted = budget or search_for.BUDGET
    if wanted < search_for.LEAST_BUDGET:
        raise InputError.of("--budget", f"a search needs at least {search_for.LEAST_BUDGET:,} games")
    words = _words([scenario], seat=seat, set=set_, budget=budget)

    def analyse(clock: _Clock) -> Any:
        def play(question: Any, games: int, before: Any) -> Any:
            plan = _plan(None, clock.left, crew, None, games)
            played, clock.code = _play([base], question, plan, before=before)
            return played

        search = search_for.Search(base, begin, strategies, wanted, play, lambda: clock.over)
        weights = search.run()
        fresh = search_for.fresh_seed(base.match.seed, search_for.VALIDATION_SEED)
        changes = begin.overrides(weights)
        found = _load(scenario, [*(set_ or ()), *changes], no_code, seed=str(fresh))
        given = _load(scenario, set_, no_code, seed=str(fresh))
        asked = comparison.question(given, found, f"side.{begin.side + 1}", None)
        played = gained = None
        if weights != begin.mean and not clock.over:
            plan = _plan(None, clock.left, crew, None, max((wanted - search.games) // 2, 1))
            question = search_for.validation(given.match, found.match, asked)
            played, clock.code = _play([given, found], question, plan)
            gained = comparison.effect(played.tally, asked.primary, question.confidence)
        again = ["balance", "compare", scenario, *_words([], set=[*(set_ or ()), *changes], on=asked.primary.name)]
        again += ["--seed", str(fresh), "--games", str(played.tally.games if played else 0)]
        return search_for.answer(base, search, weights, gained, played, again, words, clock.seconds)

    _analyse(analyse, tuned, search_for.FILE, _Clock(max_time), output, force, json_, csv, md)


@app.command()
def report(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A run directory.")],
    json_: JsonOption = False,
    debug: DebugOption = False,
) -> None:
    """Write report.html and the plots of a run directory again, and print its answer."""
    from reports import (
        analysis,
        checked,
        compared,
        explained,
        html,
        laddered,
        machine,
        matrixed,
        sensitive,
        swept,
        terminal,
        tuned,
        weighed,
    )
    from simcore import comparison, results, verdicts
    from simcore import components as parts
    from simcore import explain as worth
    from simcore import ladder as rungs
    from simcore import matrix as pairings
    from simcore import sensitivity as steps_of
    from simcore import sweep as sweeps
    from simcore import tune as search_for
    from simcore.errors import kind_of

    kinds: dict[str, Any] = {
        comparison.FILE: compared,
        sweeps.FILE: swept,
        steps_of.FILE: sensitive,
        pairings.FILE: matrixed,
        parts.FILE: weighed,
        worth.FILE: explained,
        rungs.FILE: laddered,
        search_for.FILE: tuned,
        verdicts.FILE: checked,
    }
    written = next((file for file in kinds if kind_of(directory / file) == "file"), None)
    if written:
        answer = results.read_analysis(directory, written)
        with results.machine_faults(str(directory)), results.written_by_us(directory / written):
            analysis.write(directory, kinds[written].page(answer))
        _print_analysis(answer, kinds[written], json_)
    else:
        answer, tables = results.read_run(directory)
        with results.machine_faults(str(directory)), results.written_by_us(directory / "summary.json"):
            html.write(directory, answer, tables)
        print(machine.to_json(answer) if json_ else terminal.render(answer, tables, **_screen()), end="")
    _say(f"wrote {directory / 'report.html'}")


@app.command()
def trace(
    scenario: ScenarioArgument,
    game: Annotated[int, typer.Option(metavar="K", min=0, max=2**53 - 1, help="Which game, counted from 0.")],
    seed: SeedOption = None,
    set_: SetOption = None,
    json_: JsonOption = False,
    no_code: NoCodeOption = False,
    debug: DebugOption = False,
) -> None:
    """Play one game and tell it move by move."""
    import strategies
    from reports import story
    from simcore import rehearsal
    from simcore import trace as traces
    from simcore.results import to_json
    from simcore.streams import aside

    found = _load(scenario, set_, no_code, seed=seed)
    rehearsal.rehearse(found.match, strategies, found.inputs, _say, found.n_reasons)
    with aside():
        told = traces.play(found, game, strategies, _say)
    print(to_json(told) if json_ else story.render(told, _width()), end="", flush=True)
    fault = traces.fault_of(told)
    if fault:
        raise fault


# -- playing --------------------------------------------------------------------------------------------------------


def _crew(
    jobs: int, backend: Backend, scheduler: str | None, verbose: bool, log_file: Path | None, log_json: bool
) -> dict[str, Any]:
    """Return who plays, as a plan has it, and begin to tell what goes on to whom it is to be told."""
    from simcore import logs
    from simcore.errors import InputError

    if (backend is Backend.dask) != bool(scheduler):
        missing = "--backend dask" if scheduler else "--scheduler ADDRESS"
        raise InputError.of("--scheduler" if scheduler else "--backend dask", f"expected {missing} with it")
    logs.listen(verbose, log_file, log_json)
    engine = {Backend.threads: "threading", Backend.processes: "loky", Backend.dask: "dask"}[backend]
    return {"jobs": jobs, "backend": engine, "scheduler": scheduler or ""}


def _plan(
    games: int | None,
    max_time: float | None,
    crew: dict[str, Any],
    block_deals: int | None = None,
    budget: int | None = None,
    precision: float | None = None,
) -> Any:
    """Return how long to play and with what; with games and a precision, until the first of both."""
    from simcore import blocks

    if precision is not None and games is not None:
        budget = games if budget is None else min(games, budget)
        games = None
    return blocks.Plan(
        games=games, budget=budget, max_time=max_time, block_deals=block_deals or blocks.BLOCK_DEALS, **crew
    )


def _resume_command(words: Sequence[str], output: Path, keep: bool, no_code: bool, crew: dict[str, Any]) -> str:
    """Return the command line that goes on with a run that was stopped."""
    import shlex

    engine = {"loky": ["--backend", "processes"], "dask": ["--backend", "dask", "--scheduler", crew["scheduler"]]}
    options = ["-o", str(output), "--resume", *(["--keep-games"] if keep else [])]
    options += [*(["--no-code"] if no_code else []), *engine.get(crew["backend"], [])]
    options += ["--jobs", str(crew["jobs"])] if crew["jobs"] != CORES else []
    return shlex.join(["balance", "run", *words, *options])


def _play(
    scenarios: Sequence[Any],
    question: Any,
    plan: Any,
    answer: Callable[[Any], str] | None = None,
    recorder: Any = None,
    before: Any = None,
) -> tuple[Any, int]:
    """Play what is asked of some scenarios; return the run and the exit code that says how it ended.

    `before` is an earlier run of the same question, which is played on.
    """
    import strategies
    from reports.progress import Progress
    from simcore import blocks, rehearsal
    from simcore.streams import aside

    for scenario in scenarios:
        rehearsal.rehearse(scenario.match, strategies, scenario.inputs, _say, scenario.n_reasons)
    received = _SIGNALS.hold()
    with Progress(sys.stderr, answer) as progress:
        watch = blocks.Watch(progress.look, progress.update, interrupted=lambda: bool(received))
        if recorder:
            watch.rows, watch.finished = recorder.rows, recorder.finished
        with _named_games(scenarios[0]), aside():
            start = blocks.Start(before.tally, before.looks, before.seconds) if before else None
            start = recorder.start if recorder else start
            played = blocks.answer(question, strategies, plan, watch, _say, start)
    if played.fault:
        _say(f"{played.fault}; {played.tally.games:,} finished games count")
        return played, played.fault.exit_code
    if played.reason == "interrupted":
        _say(f"interrupted; {played.tally.games:,} finished games count")
        return played, 128 + received[0]
    late = played.reason == "max-time" and played.tally.games < (plan.games or math.inf)
    return played, 3 if late else 0


def _entrant(
    name: str, load: Callable[[], Any], clock: _Clock, crew: dict[str, Any], span: Callable[[Any], Any]
) -> Any:
    """Return a scenario as one that races for its odds."""
    from simcore.race import Entrant

    def play(games: int, before: Any) -> Any:
        plan = _plan(None, clock.left, crew, None, games)
        played, clock.code = _play_odds(load(), plan, before=before)
        return played

    return Entrant(name, play, span)


def _play_odds(
    scenario: Any,
    plan: Any,
    recorder: Any = None,
    first_answer: bool = False,
    before: Any = None,
) -> tuple[Any, int]:
    """Play one scenario for its odds."""
    from reports import progress
    from simcore import blocks, results

    question = blocks.Odds(scenario.match, scenario.precision or blocks.Plan.precision)
    answer = progress.rates(results.side_labels(scenario)) if first_answer else None
    return _play([scenario], question, plan, answer, recorder, before)


def _player(scenario: Any) -> Any:
    """Return the player of a scenario."""
    import strategies
    from simcore.player import Player

    return Player(scenario.match, strategies)


def _play_followed(scenario: Any, plan: Any, followed: int, acted: int) -> tuple[Any, int]:
    """Play one scenario for its odds, and see how its first games go."""
    from simcore import blocks, course

    precision = scenario.precision or blocks.Plan.precision
    return _play([scenario], course.Followed(scenario.match, precision, followed, acted), plan)


def _costs(at_random: Any, rollouts: int) -> tuple[float, float]:
    """Return the moves that a game takes without and with a look-ahead."""
    import strategies
    from simcore import course, ladder, rehearsal
    from simcore.streams import aside

    rehearsal.rehearse(at_random.match, strategies, at_random.inputs, _say, at_random.n_reasons)
    with _named_games(at_random), aside():
        return ladder.costs(course.Follower(_player(at_random)), rollouts)


def _contrasts(scenario: Any, precision: float, pilot: int) -> Any:
    """Return what is asked of the components that a game tells of, None if it tells of none."""
    import strategies
    from simcore import exposure, rehearsal
    from simcore.streams import aside

    rehearsal.rehearse(scenario.match, strategies, scenario.inputs, _say, scenario.n_reasons)
    with _named_games(scenario), aside():
        return exposure.question(scenario.game, scenario.match, strategies, precision, pilot)


def _short(played: Any) -> int:
    """Return the exit code that says whether the games allowed were too few for the precision."""
    return 3 if played.reason == "budget" else 0


@contextmanager
def _named_games(scenario: Any) -> Iterator[None]:
    """Name the scenario in the error of a game, which knows only its seed and number."""
    from simcore.errors import GameError

    try:
        yield
    except GameError as error:
        raise type(error)(error.message, scenario.command, error.seed, error.game, error.turn) from None


class _Signals:
    """SIGINT and SIGTERM: the first one ends what goes on, or waits once it is held; a second one ends at once.

    Either way nothing half-written stays behind.
    """

    def __init__(self) -> None:
        self.received: list[int] = []
        self._held = False

    @property
    def code(self) -> int:
        """The exit code that says which signal came, 0 if none did."""
        return 128 + self.received[0] if self.received else 0

    def listen(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._note)

    def hold(self) -> list[int]:
        """Only collect from now on, so that what was played is printed and written; return what comes."""
        self._held = True
        return self.received

    def _note(self, number: int, frame: Any) -> None:
        self.received.append(number)
        if len(self.received) > 1:
            _clean_up()
            os._exit(128 + number)
        if not self._held:
            raise KeyboardInterrupt


_SIGNALS = _Signals()


# -- printing -------------------------------------------------------------------------------------------------------


def _formatted(scenario: Any, played: Any, answer: Any, json_: bool, csv: bool = False, md: bool = False) -> str:
    from reports import machine, terminal
    from simcore import results

    if json_:
        return machine.to_json(answer)
    if csv:
        return machine.to_csv(answer)
    tables = results.rows(scenario, played)
    return machine.to_markdown(answer, tables) if md else terminal.render(answer, tables, **_screen())


@dataclass
class _Clock:
    """The time of an analysis of several runs, and the exit code so far."""

    allowed: float | None
    code: int = 0
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    @property
    def left(self) -> float | None:
        return None if self.allowed is None else max(self.allowed - self.seconds, 0.001)

    def left_for(self, runs: int) -> float | None:
        """Return the time of the first of so many runs that share what is left."""
        return None if self.left is None else self.left / runs

    @property
    def over(self) -> bool:
        """Whether no further run is started: the time is up, or the user wants to stop."""
        return self.code >= 128 or (self.allowed is not None and self.seconds > self.allowed)

    def show(self, done: int, of: int) -> None:
        """Say on a terminal how many runs are done."""
        if sys.stderr.isatty():
            print(f"\r\x1b[K{done} of {of} runs done", end="", file=sys.stderr, flush=True)


def _analyse(
    play: Callable[[_Clock], Any],
    words: Any,
    file: str,
    clock: _Clock,
    output: Path | None,
    force: bool,
    json_: bool,
    csv: bool,
    md: bool,
) -> None:
    """Play an analysis, write its directory if one is wanted, print it, and exit by how it ended."""
    from reports import analysis
    from simcore import results, rundir

    directory = rundir.RunDirectory(output, force, file) if output else None
    try:
        answer = play(clock)
        _print_analysis(answer, words, json_, csv, md)
        if directory and answer["games"]:
            with results.machine_faults(str(output)):
                (directory.work / file).write_text(results.to_json(answer), encoding="utf-8", newline="\n")
                analysis.write(directory.work, words.page(answer))
            directory.finish()
    finally:
        if directory:
            directory.abandon()
    if directory:
        _say_where(directory.path, answer["games"])
    raise typer.Exit(clock.code)


def _choose(command: str, *formats: bool) -> None:
    from simcore.errors import InputError

    if sum(formats) > 1:
        raise InputError.of(f"balance {command}", "choose one of --json, --csv and --md")


def _part(budget: int | None, runs: int) -> int | None:
    """Return the games of one of several runs that share a budget."""
    return None if budget is None else max(budget // max(runs, 1), 1)


def _words(first: Sequence[str], **options: Any) -> list[str]:
    """Return the words of a command line: `first`, then every option that was given, once for each of its values."""
    words = list(first)
    for name, given in options.items():
        for value in given if isinstance(given, list) else [] if given is None else [given]:
            words += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
    return words


def _print_analysis(answer: Any, words: Any, json_: bool, csv: bool = False, md: bool = False) -> None:
    """Print an analysis in the wanted format; `words` is the module that puts it into words."""
    from reports import analysis

    kind = "json" if json_ else "csv" if csv else "md" if md else ""
    table = words.to_csv(answer) if csv else ""
    print(analysis.formatted(answer, words.page(answer), table, kind, **_screen()), end="", flush=True)


def _width() -> int:
    import shutil

    return min(shutil.get_terminal_size((80, 24)).columns, 100) if sys.stdout.isatty() else 80


def _screen() -> dict[str, Any]:
    encoding = (sys.stdout.encoding or "ascii").lower()
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return {"width": _width(), "colour": colour, "ascii": not encoding.startswith("utf")}


if __name__ == "__main__":
    main()
