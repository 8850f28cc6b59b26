"""The layers of the code, read from its import statements, and what must stand beside every game.

Imports inside functions and under ``TYPE_CHECKING`` count, too: a late import is an edge like any other.
"""

from __future__ import annotations

import ast
import random as global_random
from collections.abc import Callable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strategies
from simcore.player import Player
from support import ROOT

TOPS = ("simcore", "strategies", "reports", "starters", "commands", "cli")
GAMES = strategies.game_names()
FOLDERS = {game: game.replace("-", "_") for game in GAMES}
YAML = ("simcore.allowed", "simcore.errors", "simcore.yamlfile")
CONTRACT = ("simcore.contract", "simcore.errors", "simcore.jit", "simcore.masks", "simcore.rng")


@cache
def modules() -> dict[str, Path]:
    """Return every module we ship by its dotted name."""
    files = [ROOT / "cli.py"] if (ROOT / "cli.py").is_file() else []
    files += [file for top in TOPS for file in sorted((ROOT / top).rglob("*.py"))]
    return {name_of(file): file for file in files}


def name_of(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(modules()[module].read_text(encoding="utf-8"))


@cache
def imports(module: str) -> frozenset[str]:
    """Return the dotted names that a module imports, from anywhere in it."""
    found = set()
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are absolute"
            source = node.module or ""
            # `from simcore import rng` imports a module, `from simcore.rng import below` a name of one.
            inner = {f"{source}.{alias.name}" for alias in node.names} & modules().keys()
            found |= inner or {source}
    return frozenset(found)


def ours(module: str) -> set[str]:
    """Return the modules of this project that a module imports."""
    return {name for name in imports(module) if name.split(".")[0] in TOPS}


def within(module: str, *places: str) -> bool:
    """Tell whether a module is one of these, or inside one."""
    return any(module == place or module.startswith(f"{place}.") for place in places)


def game_of(module: str) -> str:
    """Return the folder of the game that a module belongs to, "" if to none."""
    parts = module.split(".")
    return parts[2] if parts[:2] == ["simcore", "games"] and len(parts) > 2 else ""


# What the lower modules of `simcore` may import of this project. Whoever is not listed may import all of `simcore`
# but a game; that the whole has no circle is another test.
LOW: dict[str, tuple[str, ...]] = {
    "simcore.errors": (),
    "simcore.jit": (),
    "simcore.match": ("simcore.contract",),
    "simcore.stats": ("simcore.stats",),
    "simcore.rng": ("simcore.jit",),
    "simcore.masks": ("simcore.jit",),
    "simcore.contract": ("simcore.errors", "simcore.jit", "simcore.rng"),
    "simcore.driver": ("simcore.contract", "simcore.jit", "simcore.rng"),
    "simcore.yamlscalar": (),
    "simcore.yamldump": ("simcore.yamlscalar",),
    "simcore.yamlsyntax": ("simcore.yamlscalar",),
    "simcore.yamltree": ("simcore.errors", "simcore.yamlscalar", "simcore.yamlsyntax"),
    "simcore.yamlfile": ("simcore.errors", "simcore.yamldump", "simcore.yamlscalar", "simcore.yamltree"),
    "simcore.allowed": ("simcore.errors", "simcore.yamlfile", "simcore.yamlscalar"),
    "simcore.provenance": ("simcore.errors", "simcore.yamlfile"),
    "simcore.edition": (*YAML, "simcore.provenance"),
    "simcore.source": (*YAML, "simcore.edition"),
    "simcore.expect": ("simcore.allowed", "simcore.contract", "simcore.errors", "simcore.yamlscalar"),
    "simcore.scenario": (*YAML, *CONTRACT, "simcore.expect", "simcore.edition", "simcore.match", "simcore.source"),
    "simcore.player": (*CONTRACT, "simcore.driver", "simcore.match"),
    "simcore.tally": (*CONTRACT, "simcore.match", "simcore.stats"),
    "simcore.pairs": (*CONTRACT, "simcore.tally"),
}


# What the modules of `strategies` may import besides the contract.
STRATEGIES: dict[str, tuple[str, ...]] = {
    "": ("strategies",),
    "own": ("strategies.foreign", "strategies.trial", "simcore.declared"),
    "custom": ("strategies.foreign", "strategies.trial"),
    "trial": ("strategies.foreign",),
    "foreign": ("simcore.streams",),
}


def allowed(module: str) -> tuple[str, ...]:
    """Return what a module may import of this project."""
    if module == "cli":
        return ("commands", "simcore.streams")
    if within(module, "commands"):
        return ("commands", "simcore", "strategies", "reports", "starters")
    if within(module, "starters"):  # is handed what finds games
        low = (
            "simcore.allowed",
            "simcore.contract",
            "simcore.errors",
            "simcore.edition",
            "simcore.yamldump",
            "simcore.yamlfile",
        )
        return ("starters", "simcore.catalogue", "simcore.scenario", *low)
    if within(module, "reports"):
        return ("reports", "simcore.errors", "simcore.frames", "simcore.stats", "simcore.yamlfile", "simcore.results")
    if within(module, "strategies"):
        own = module.removeprefix("strategies").removeprefix(".")
        if own in FOLDERS.values():
            return (*CONTRACT, f"simcore.games.{own}")
        return (*CONTRACT, *STRATEGIES.get(own, ()))
    if game_of(module):
        return (*CONTRACT, "simcore.allowed", "simcore.driver", "simcore.edition", f"simcore.games.{game_of(module)}")
    low = [names for place, names in LOW.items() if within(module, place)]
    if low:
        return low[0]
    return tuple(name for name in modules() if within(name, "simcore") and not within(name, "simcore.games"))


@pytest.mark.parametrize("module", modules())
def test_imports_point_down(module: str) -> None:
    wrong = {name for name in ours(module) if not within(name, *allowed(module))}
    assert not wrong, f"{module} imports {sorted(wrong)}"


def test_imports_run_in_no_circle() -> None:
    graph = {
        module: ours(module) - {module} for module in modules() if within(module, "simcore", "reports", "commands")
    }
    TopologicalSorter(graph).prepare()


def test_nobody_imports_the_command_line_and_only_it_imports_reports() -> None:
    for module in modules():
        assert not any(within(name, "cli") for name in ours(module))
        if not within(module, "commands", "cli"):
            assert not any(within(name, "commands") for name in ours(module))
        if not within(module, "reports", "commands"):
            assert not any(within(name, "reports") for name in ours(module))


def test_only_strategies_and_the_game_itself_import_a_game_by_name() -> None:
    for module in modules():
        for name in ours(module):
            if game_of(name):
                assert game_of(module) == game_of(name) or module == f"strategies.{game_of(name)}"


@pytest.mark.parametrize("module", [name for name in modules() if within(name, "commands", "cli")])
def test_the_command_line_imports_late_what_is_heavy(module: str) -> None:
    # `balance --help` must not wait for any of them.
    top = [node for node in tree(module).body if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in top if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in top if isinstance(node, ast.ImportFrom)}
    heavy = {"numpy", "numba", "polars", "scipy", "matplotlib", "joblib", "pydantic", "yaml", "jinja2", "rich"}
    assert not {name.split(".")[0] for name in names} & (heavy | (set(TOPS) - {"commands"}))


@pytest.mark.parametrize("module", [name for name in modules() if name != "cli" and name != "simcore.matrix"])
def test_scipy_is_imported_by_nothing_that_plays_or_counts(module: str) -> None:
    # 0.3 to 0.7 s of start-up; the statistics do without, and a matrix has it only for its equilibrium.
    assert not any(within(name, "scipy") for name in imports(module))


# ---------------------------------------------------------------- the engine knows no game


def words(module: str) -> Iterator[str]:
    """Yield the names and texts of a module's code; docstrings may name a game as an example."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree(module))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


@pytest.mark.parametrize("module", [name for name in modules() if not game_of(name)])
def test_nothing_outside_of_a_game_names_it(module: str) -> None:
    if module.removeprefix("strategies.") in FOLDERS.values():
        pytest.skip("a game's own strategies")
    text = "\n".join(words(module))
    for game, folder in FOLDERS.items():
        assert game not in text
        assert folder not in text


# ---------------------------------------------------------------- chance has one source


@pytest.mark.parametrize("module", modules())
def test_no_module_draws_from_a_global_generator(module: str) -> None:
    # B18. `random` is a module of the standard library only where it is imported.
    assert not any(within(name, "random", "numpy.random") for name in imports(module))
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Attribute) and node.attr == "random" and isinstance(node.value, ast.Name):
            assert node.value.id not in ("np", "numpy"), f"{module}:{node.lineno}: np.random"


@pytest.mark.parametrize("module", modules())
def test_only_a_missing_seed_is_drawn_from_the_system(module: str) -> None:
    # B14, B15: no clock, no process id, no address decides a game.
    if any(within(name, "secrets", "uuid") for name in imports(module)):
        assert module == "simcore.scenario"
    if module in LOW or game_of(module) or within(module, "strategies"):
        allowed_clocks = {"simcore.jit"}  # the age of its caches
        clocks = {name for name in imports(module) if within(name, "time", "datetime")}
        assert not clocks or module in allowed_clocks
        calls = {node.attr for node in ast.walk(tree(module)) if isinstance(node, ast.Attribute)}
        assert not calls & {"getpid", "urandom"}


def test_playing_leaves_the_global_generators_alone(load_scenario: Callable[..., Any]) -> None:
    before = (global_random.getstate(), np.random.get_state()[1].tolist())
    seats = [{"strategy": "random", "character": name} for name in ("inigo", "rugen")]
    loaded = load_scenario({"game": "hate-to-kill-you", "seats": seats})
    Player(loaded.match, strategies).play(0, 20)
    assert (global_random.getstate(), np.random.get_state()[1].tolist()) == before


# ---------------------------------------------------------------- kernels

DATA_FILES = ("__init__", "state", "components", "text")
MARKS = ("kernel", "routine", "inlined", "strategy")
UNEQUAL = {"exp", "expm1", "exp2", "log", "log1p", "log2", "log10", "power", "sin", "cos", "tan", "tanh", "arctan"}


def is_kernel(node: ast.FunctionDef) -> bool:
    """Tell whether a function is compiled."""
    marks = [mark.func if isinstance(mark, ast.Call) else mark for mark in node.decorator_list]
    return any(isinstance(mark, ast.Name) and mark.id in MARKS for mark in marks)


def kernels(module: str) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree(module)) if isinstance(node, ast.FunctionDef) and is_kernel(node)]


@pytest.mark.parametrize("module", modules())
def test_kernels_live_apart_from_data(module: str) -> None:
    file = modules()[module].stem
    in_game = bool(game_of(module)) and not file.startswith(DATA_FILES)
    if not in_game and not within(
        module, "simcore.rng", "simcore.driver", "simcore.tally", "simcore.pairs", "simcore.exposure", "strategies"
    ):
        assert not kernels(module)
    if module not in ("simcore.jit", "simcore.contract"):
        assert not any(within(name, "numba", "llvmlite") for name in imports(module))


@pytest.mark.parametrize("module", [name for name in modules() if kernels(name)])
def test_kernels_use_the_mathematics_that_gives_the_same_numbers_without_jit(module: str) -> None:
    # np.exp and others of a scalar differ from their compiled twins in the last bit; math.exp does not.
    for function in kernels(module):
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "np":
                assert node.attr not in UNEQUAL, f"{module}.{function.name}: np.{node.attr}"


# ---------------------------------------------------------------- every game is complete


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_files(game: str) -> None:
    folder = FOLDERS[game]
    needed = [f"simcore/games/{folder}/{name}.py" for name in ("state", "rules", "components", "text")]
    needed += [f"strategies/{folder}.py", f"tests/games/test_{folder}.py", f"tests/golden/{game}.txt"]
    missing = [name for name in needed if not (ROOT / name).is_file()]
    missing += [] if list((ROOT / "scenarios" / game).glob("*.yaml")) else [f"scenarios/{game}/*.yaml"]
    missing += [] if list((ROOT / "simcore" / "games" / folder / "editions").glob("*.yaml")) else ["editions"]
    missing += [] if f"\n## {game}\n" in (ROOT / "docs" / "games.md").read_text(encoding="utf-8") else ["docs/games.md"]
    assert not missing


HEADINGS = ("Source", "Seats and sides", "State layout", "Actions", "Endings", "Rulings", "Simplifications")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_describes_itself_under_the_fixed_headings(game: str) -> None:
    text = ast.get_docstring(tree(f"simcore.games.{FOLDERS[game]}")) or ""
    lines = text.splitlines()
    assert [line for line in lines if line in (*HEADINGS, "Version history")] == [*HEADINGS, "Version history"]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_three_strategies_of_its_own_and_the_generic_ones(game: str) -> None:
    own = [name for name in strategies.strategy_names(game) if name not in ("random", "weights", "lookahead")]
    assert len(own) >= 3
    assert len(set(strategies.strategy_names(game))) == len(own) + 3
