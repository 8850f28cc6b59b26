"""Conditions of chapters, in the vocabulary of docs/adventure-book.md."""

from __future__ import annotations

from typing import Any

from simcore.games.adventure_book.state import (
    ABOVE,
    AT,
    AT_LEAST,
    AT_MOST,
    AWAY,
    CLEAR,
    DONE,
    LITTERED,
    NEAR,
    NONE,
    PASSED,
    REACHED,
    TILE,
    TOGETHER,
    UNDONE,
)
from simcore.jit import kernel, routine
from simcore.masks import lowest


@kernel
def all_hold(state: Any, span: Any) -> bool:
    """Return whether a list of conditions holds."""
    return hold(state, span.first, span.n)


@routine
def hold(state: Any, first: int, n: int) -> bool:
    """Return whether conditions `first` to ``first + n - 1`` of the chapter hold."""
    for index in range(first, first + n):
        if not holds(state, index):
            return False
    return True


@routine
def holds(state: Any, index: int) -> bool:
    """Return whether one condition holds (docs/adventure-book.md)."""
    play = state.play
    chapter = state.tab.chapters[play.chapter]
    condition = chapter.conditions[index]
    op = condition.op
    a = condition.a
    b = condition.b
    if op == AT:
        return bool(play.space[a] != NONE and condition.mask >> int(play.space[a]) & 1)
    if op == AWAY:
        return bool(play.space[a] == NONE or condition.mask >> int(play.space[a]) & 1 == 0)
    if op == TOGETHER:
        return bool(play.space[a] != NONE and play.space[a] == play.space[b])
    if op == TILE:
        return bool(play.space[a] != NONE and play.tile[play.space[a]] == b)
    if op == NEAR:
        return is_near(state, condition.mask, b)
    if op == CLEAR:
        return bool(play.pieces[a] == 0)
    if op == LITTERED:
        return bool(play.space[a] != NONE and play.pieces[play.space[a]] > 0)
    if op == AT_LEAST:
        return bool(play.counter[a] >= b)
    if op == AT_MOST:
        return bool(play.counter[a] <= b)
    if op == REACHED:
        return bool(play.counter[a] >= play.counter[b])
    if op == ABOVE:
        return bool(play.counter[a] > play.counter[b])
    if op == DONE:
        return bool(play.done & condition.mask == condition.mask)
    if op == UNDONE:
        return bool(play.done & condition.mask == 0)
    if op == PASSED:
        return has_passed(state, a, b, chapter.paths[condition.c])
    return bool(play.lacking)


@kernel
def is_near(state: Any, figures: int, kind: int) -> bool:
    """Return whether one of the figures stands on or next to a face-up tile of a kind."""
    play = state.play
    chapter = state.tab.chapters[play.chapter]
    while figures:
        space = play.space[lowest(figures)]
        figures &= figures - 1
        if space != NONE:
            near = (chapter.ways[space] | 1 << int(space)) & play.up
            while near:
                if play.tile[lowest(near)] == kind:
                    return True
                near &= near - 1
    return False


@kernel
def has_passed(state: Any, a: int, b: int, path: Any) -> bool:
    """Return whether figure `a` is as far along a path as `b`; elsewhere counts as the path's `elsewhere`."""
    first = along(state, a, path)
    second = along(state, b, path)
    return bool(first != NONE and second != NONE and first >= second)


@kernel
def along(state: Any, figure: int, path: Any) -> int:
    """Return the place of a figure on a path, NONE if it has none."""
    space = state.play.space[figure]
    if space == NONE:
        return NONE
    return int(path.place[space] if path.place[space] != NONE else path.elsewhere)
