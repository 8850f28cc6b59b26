"""The rooms and grimoires of the reconstruction, from its drawings and its list of steps in words.

A second transcription, apart from the edition file, whose plans are digits: comparing the two finds a slip in either.
"""

from __future__ import annotations

import re
from typing import Any

Step = dict[str, Any]
Plan = dict[tuple[int, int], str]
"""Walls of each space (row, column) of a room as letters out of N, E, S, W."""

DEEP, BROAD = 2, 3
SPECIALS = {"cold": "slide", "burned": "open", "swamp": "stop", "overgrown": "blocked"}

# f = front, b = back; "--" and "|" are walls
DRAWINGS = """
R01f         R01b         R02f         R02b
+  +--+  +   +  +  +--+   +  +  +--+   +  +--+--+
 .  .  .      .  .  . |    . |.  . |    .  . |.
+  +  +  +   +  +  +--+   +  +--+  +   +--+  +  +
|. |.  . |    .  .  .      .  . |. |    . |.  .
+  +  +  +   +  +  +--+   +  +--+--+   +--+  +--+

R03f         R03b         R04f         R04b
+  +--+  +   +  +  +--+   +  +  +--+   +--+--+  +
|.  .  . |    .  . |. |   |. |.  . |   |.  .  . |
+  +--+  +   +  +--+  +   +--+  +  +   +--+--+  +
 . |. |.     |.  .  .     |.  .  .      .  .  .
+--+  +  +   +  +  +  +   +--+  +--+   +  +  +--+

R05f         R05b         R06f         R06b
+  +  +  +   +  +  +  +   +  +  +  +   +  +  +  +
 . |.  .      .  .  . |    .  . |.     |.  .  . |
+--+--+  +   +  +  +--+   +--+--+  +   +  +  +  +
 .  .  .     |.  .  .     |.  .  .     |. |. |.
+--+  +  +   +  +  +  +   +  +  +  +   +  +  +  +

R07f         R07b         R08f         R08b
+  +  +  +   +--+  +  +   +  +  +  +   +  +  +--+
 .  . |.      . |.  .      .  . |. |    . |.  . |
+  +--+--+   +--+  +  +   +  +  +  +   +  +  +  +
|.  . |. |   |. |. |.      .  . |.      .  .  .
+  +  +  +   +  +  +--+   +--+  +--+   +--+  +  +

R09f         R09b         R10f         R10b
+  +  +  +   +  +  +  +   +  +--+  +   +  +--+  +
 .  . |. |    .  . |. |   |. |.  .      . |.  .
+  +  +  +   +  +  +  +   +  +--+--+   +  +  +--+
 .  . |.      .  .  .     |.  .  .      .  .  .
+  +  +  +   +--+  +  +   +  +--+--+   +  +--+  +

R11f         R11b         R12f         R12b
+  +  +--+   +--+--+  +   +--+  +--+   +  +  +--+
 .  . |.      .  .  .     |.  .  .     |. |.  .
+  +  +--+   +--+  +  +   +--+  +--+   +  +  +--+
 .  .  . |   |.  . |.      .  .  .      . |.  .
+--+  +  +   +--+--+  +   +  +  +  +   +  +  +  +

R13f         R13b         R14f         R14b
+  +  +  +   +  +  +  +   +  +--+--+   +  +  +--+
|. |.  .      .  . |. |   |.  .  . |   |. |.  .
+  +  +--+   +  +  +--+   +  +  +  +   +  +  +  +
 .  .  .      .  .  .     |. |.  .      .  .  .
+  +  +  +   +--+--+  +   +--+  +  +   +  +  +--+

R15f         R15b         R16f         R16b
+--+  +  +   +  +--+  +   +--+  +--+   +--+--+--+
|.  .  . |    . |.  .      . |.  .      .  .  .
+  +--+  +   +--+  +  +   +--+--+--+   +--+  +  +
 .  .  .     |.  . |.      .  .  .      .  .  .
+  +  +  +   +  +  +  +   +  +--+  +   +  +  +  +

R17f         R17b         R18f         R18b
+--+  +  +   +  +  +--+   +  +  +  +   +--+--+--+
 .  . |. |    .  .  .     |. |. |.      .  .  .
+  +--+  +   +--+  +  +   +  +  +  +   +--+  +  +
|.  .  .     |.  .  . |    .  .  .     |.  .  .
+--+--+  +   +--+  +  +   +  +  +  +   +--+  +--+

R19f         R19b         R20f         R20b
+  +--+  +   +  +--+--+   +  +  +  +   +--+  +  +
 .  .  .      .  .  .      . |. |.      . |.  . |
+  +--+  +   +  +--+  +   +  +  +--+   +  +--+  +
|.  .  . |    .  .  . |    .  .  .      .  .  . |
+  +  +--+   +  +  +  +   +  +  +  +   +  +  +  +
"""

# name: steps; leader effect
BOOKS = """
Earth: flip a room; move up to 3; flip another room; move up to 2 / team: may flip before
Crystal: rotate own room; move up to 3; rotate own room; move up to 3 / team: wall pass 1
Fire: place Burned; move up to 5 / team: may clear special before
Frost: place Cold; move up to 5 / opponents: move penalty 1
Mire: move up to 6; place Swamp / all: no straight
Bramble: move up to 6; place Overgrown / all: no teleport or swap
Wind: straight line; move up to 2; straight line / team: straight before
Lightning: straight line; through a wall; move up to 3 / team: post move 1
Water: move up to 7 / team: bonus move 2
Shadow: through a wall; move up to 3; through a wall; move up to 2 / team: wall pass 1
Spirit: move up to 3, no walls; move up to 3 / team: pass apprentices
Mirror: (may) swap with anyone in the row; move up to 6 / team: sidestep 2
Space: teleport self in the same row; move up to 5 / team: may teleport same row before
Time: move up to 3; rotate a room; move up to 3; rotate a room / team: post move 2
Metal: rotate a room; move up to 5 / team: may rotate before
Sand: move up to 1; flip a room; move up to 4 / team: may rotate after
Light: move up to 4; straight line / team: pre move 2
Gravity: teleport another player in the same row; move up to 6 / opponents: move penalty 1
Dream: (may) swap with a teammate; move up to 5 / team: may swap teammate before
Storm: rotate a room; rotate another room; move up to 5 / all: no rotate
Star: move up to 3; teleport self in the same room; move up to 3 / team: ignore special rooms
Moon: flip own room; move up to 5 / team: may flip after
Stone: through a wall; flip a room; move up to 4 / all: no flip
Chaos: flip a room; rotate a room; move up to 4; (may) swap with an opponent in the row / all: random rotate before
"""


def rooms() -> list[tuple[Plan, Plan]]:
    """Return (front, back) of each room card."""
    plans: dict[str, Plan] = {}
    blocks = re.split(r"\n\s*\n", DRAWINGS.strip("\n"))
    for block in blocks:
        lines = block.split("\n")
        for match in re.finditer(r"R\d\d[fb]", lines[0]):
            plans[match.group()] = _plan([line.ljust(80)[match.start() : match.start() + 10] for line in lines[1:]])
    return [(plans[f"R{n:02}f"], plans[f"R{n:02}b"]) for n in range(1, len(plans) // 2 + 1)]


def _plan(lines: list[str]) -> Plan:
    """Read a drawing: space (r, c) stands at line 2r + 1, column 3c + 1."""
    plan = {}
    for r in range(DEEP):
        for c in range(BROAD):
            walls = "N" if lines[2 * r][3 * c + 1 : 3 * c + 3] == "--" else ""
            walls += "E" if lines[2 * r + 1][3 * c + 3] == "|" else ""
            walls += "S" if lines[2 * r + 2][3 * c + 1 : 3 * c + 3] == "--" else ""
            walls += "W" if lines[2 * r + 1][3 * c] == "|" else ""
            plan[r, c] = walls
    return plan


STEPS: dict[str, Step] = {
    r"move up to (\d), no walls": {"op": "ignore walls"},
    r"move up to (\d)": {"op": "move"},
    r"straight line": {"op": "straight"},
    r"through a wall": {"op": "through"},
    r"flip a room": {"op": "flip", "which": "any"},
    r"flip another room": {"op": "flip", "which": "other"},
    r"flip own room": {"op": "flip", "which": "own"},
    r"rotate a room": {"op": "rotate", "which": "any"},
    r"rotate another room": {"op": "rotate", "which": "other"},
    r"rotate own room": {"op": "rotate", "which": "own"},
    r"place (\w+)": {"op": "place"},
    r"\(may\) swap with anyone in the row": {"op": "swap", "with": "row", "may": True},
    r"\(may\) swap with a teammate": {"op": "swap", "with": "teammate", "may": True},
    r"\(may\) swap with an opponent in the row": {"op": "swap", "with": "opponent", "may": True},
    r"teleport self in the same row": {"op": "teleport", "to": "row"},
    r"teleport self in the same room": {"op": "teleport", "to": "room"},
    r"teleport another player in the same row": {"op": "teleport other", "to": "row"},
}

# what a leader effect changes: steps before and after those of a book, and the rest by name
EFFECTS: dict[str, dict[str, Any]] = {
    "may flip before": {"before": {"op": "flip", "which": "any", "may": True}},
    "may flip after": {"after": {"op": "flip", "which": "any", "may": True}},
    "may rotate before": {"before": {"op": "rotate", "which": "any", "may": True}},
    "may rotate after": {"after": {"op": "rotate", "which": "any", "may": True}},
    "may clear special before": {"before": {"op": "clear", "may": True}},
    "straight before": {"before": {"op": "straight"}},
    "may teleport same row before": {"before": {"op": "teleport", "to": "row", "may": True}},
    "may swap teammate before": {"before": {"op": "swap", "with": "teammate", "may": True}},
    "sidestep 2": {"before": {"op": "sidestep", "n": 2}},
    "pre move 2": {"before": {"op": "move", "n": 2}},
    "post move 1": {"after": {"op": "move", "n": 1}},
    "post move 2": {"after": {"op": "move", "n": 2}},
    "wall pass 1": {"passes": 1},
    "move penalty 1": {"penalty": 1},
    "bonus move 2": {"bonus": 2},
    "pass apprentices": {"passing": True},
    "ignore special rooms": {"immune": True},
    "random rotate before": {"random": True},
    "no straight": {"no": ("straight",)},
    "no teleport or swap": {"no": ("teleport", "teleport other", "swap")},
    "no rotate": {"no": ("rotate",)},
    "no flip": {"no": ("flip",)},
}


def books() -> list[dict[str, Any]]:
    """Return the grimoires in order: name, steps, scope and effect of the leader."""
    found = []
    for line in BOOKS.strip().split("\n"):
        name, steps, scope, effect = re.fullmatch(r"(\w+): (.*) / (\w+): (.*)", line).groups()  # type: ignore[union-attr]
        found.append(
            {"name": name.lower(), "steps": [_step(s) for s in steps.split("; ")], "scope": scope, **EFFECTS[effect]}
        )
    return found


def _step(text: str) -> Step:
    for pattern, step in STEPS.items():
        match = re.fullmatch(pattern, text)
        if match:
            values = {"n": int(match[1]) if match[1].isdigit() else match[1].lower()} if match.groups() else {}
            return {**step, **values}
    raise ValueError(text)
