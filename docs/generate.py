"""Writes the pages that are made from the code: ``python docs/generate.py``.

``cli.md`` from the commands of `cli`; ``statistics.md``, below its mark, from the docstrings of `simcore.stats`.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MARK = "<!-- generated from the docstrings; do not edit below -->\n"
MACHINE = {"--jobs": "all cores"}  # a default that differs from machine to machine

CLI_HEAD = """\
# Commands

Made from the code by `python docs/generate.py`; `balance COMMAND --help` prints the same.

`balance --version` prints the version. `balance --install-completion` teaches the shell to complete commands and
options (bash, zsh, fish, PowerShell); `balance --show-completion` prints what it would install.

Exit codes: 0 fine; 1 a check failed; 2 your input is wrong; 3 undecided, or short of what was asked for
within the budget or the time (`ladder` and `components` without `--budget` and `--precision` play what they can afford
and say how precise that is: 0); 4 the machine failed (disk full, workers lost), finished blocks are kept; 70 our bug,
with the line that replays the game; 130 / 143 interrupted.

"""


def main() -> None:
    """Write both pages."""
    for name, text in pages().items():
        (ROOT / "docs" / name).write_text(text, encoding="utf-8")


def pages() -> dict[str, str]:
    """Return the text of every generated page by its file name."""
    statistics = (ROOT / "docs" / "statistics.md").read_text(encoding="utf-8")
    written = statistics.partition(MARK)[0]
    return {"cli.md": CLI_HEAD + "\n".join(commands()), "statistics.md": written + MARK + "\n".join(methods())}


# -- commands -------------------------------------------------------------------------------------------------------


def commands() -> Iterator[str]:
    """Yield the lines of all commands, a table of contents first."""
    from typer.main import get_command

    import cli

    found = dict(_flat(get_command(cli.app)))
    for name, command in found.items():
        yield f"- [{name}](#{name.replace(' ', '-')}): {command.help.partition(chr(10))[0]}"
    for name, command in found.items():
        yield from ["", f"## {name}", "", f"{command.help}", "", "```", _usage(name, command), "```", ""]
        rows = [_row(param) for param in command.params if not getattr(param, "hidden", False)]
        yield from ["| | |", "|---|---|", *rows]
    yield ""


def _flat(group: Any) -> Iterator[tuple[str, Any]]:
    """Yield all commands, those of a group as ``baseline record``."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from ((f"{name} {inner}", each) for inner, each in _flat(command))
        else:
            yield name, command


def _usage(name: str, command: Any) -> str:
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    words = [_place(param) if param.required else f"[{_place(param)}]" for param in arguments]
    return " ".join(["balance", name, "[OPTIONS]", *words])


def _place(param: Any) -> str:
    return str(param.metavar or param.name.upper()).strip("[]")


def _row(param: Any) -> str:
    if param.param_type_name == "argument":
        return _cells(f"`{_place(param)}`", param.help or "")
    value = "" if param.is_flag else f" {_value(param)}"
    names = ", ".join(f"`{name}{value}`" for name in param.opts)
    return _cells(names, (param.help or "") + _default(param))


def _value(param: Any) -> str:
    if isinstance(param.default, StrEnum):
        return "/".join(type(param.default))
    return str(param.metavar or param.name.upper())


def _default(param: Any) -> str:
    default = MACHINE.get(param.opts[-1], param.default)
    is_told = not param.is_flag and default not in (None, "") and "default" not in param.help
    return f" (default: {default})" if is_told else ""


def _cells(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


# -- statistics -----------------------------------------------------------------------------------------------------


def methods() -> Iterator[str]:
    """Yield the lines of all methods: the docstring of each module, then of its public functions."""
    for file in sorted((ROOT / "simcore" / "stats").glob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        if file.stem == "__init__":
            continue
        yield from ["", f"## {file.stem}", "", ast.get_docstring(tree) or ""]
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                first, _, rest = (ast.get_docstring(node) or "").partition("\n")
                yield from ["", f"### {file.stem}.{node.name}", "", first]
                yield from ["", "```text", inspect.cleandoc(rest), "```"] if rest.strip() else []
    yield ""


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
