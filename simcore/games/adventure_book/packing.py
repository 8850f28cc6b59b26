"""How a chapter of an edition is packed for the kernels."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from simcore.games.adventure_book import state as st
from simcore.games.adventure_book.chapters import Action, Challenge, Chapter
from simcore.games.adventure_book.primitives import (
    ICONS,
    TWO_COUNTERS,
    Above,
    Advance,
    AtLeast,
    Clear,
    Demand,
    Discard,
    Draw,
    Gain,
    Join,
    Move,
    Put,
    Take,
    Tally,
)


def pack_chapter(chapter: Chapter, to: Any, numbers: list[int]) -> None:
    """Write a chapter into its record (`state.CHAPTER`); `numbers` are those of the plot cards, in their order."""
    _Packer(chapter, to, numbers).pack()


def _steps_from(start: int, ways: Sequence[set[int]]) -> dict[int, int]:
    """Return how many steps the nearest way from `start` has to each space that can be reached."""
    steps = {start: 0}
    reached = deque([start])
    while reached:
        here = reached.popleft()
        for there in ways[here] - steps.keys():
            steps[there] = steps[here] + 1
            reached.append(there)
    return steps


class _Packer:
    """Writes a chapter into its record (`state.CHAPTER`)."""

    def __init__(self, chapter: Chapter, to: Any, numbers: list[int]) -> None:
        self.chapter = chapter
        self.to = to
        self.numbers = numbers
        self.n_conditions = 0
        self.n_effects = 0

    def at(self, kind: str, name: str | None) -> int:
        """Return the position of what a list of the chapter calls `name`, NONE if it is nothing."""
        return st.NONE if name is None else self.chapter.names(kind).index(name)

    def mask(self, kind: str, names: Sequence[str]) -> int:
        """Return the bit mask of the named parts of a list."""
        return sum(1 << self.at(kind, name) for name in set(names))

    def pack(self) -> None:
        chapter, to = self.chapter, self.to
        for name in ("spaces", "figures", "challenges", "counters", "tiles", "defeats", "barriers"):
            setattr(to, f"n_{name}", len(getattr(chapter, name)))
        to.n_rules = len(chapter.actions)
        to.star = self.at("spaces", chapter.star)
        to.in_order = int(chapter.in_order)
        self._board()
        self._figures()
        self._counters()
        self._tiles()
        for index, action in enumerate(chapter.actions):
            self._action(action, to.rules[index])
        for index, challenge in enumerate(chapter.challenges):
            to.challenges[index].needs = self.conditions(challenge.needs)
            self._wishes(challenge, to.challenges[index])
            self.cost(challenge.cost, to.challenges[index].cost)
            to.challenges[index].reward = self.effects(challenge.reward)
        for entry in chapter.plot:
            span = self.effects(entry.effects)
            for number in entry.numbers:
                to.entry[self.numbers.index(number)] = span
        for index, defeat in enumerate(chapter.defeats):
            to.defeats[index] = self.conditions(defeat.when)

    def _board(self) -> None:
        chapter, to = self.chapter, self.to
        ways: list[set[int]] = [set() for _ in chapter.spaces]
        for index, space in enumerate(chapter.spaces):
            for other in space.ways:
                position = self.at("spaces", other)
                ways[index].add(position)
                ways[position].add(index)
        to.steps[:] = st.SPACES
        for start, nearest in enumerate(ways):
            to.ways[start] = sum(1 << there for there in nearest)
            for there, steps in _steps_from(start, ways).items():
                to.steps[start, there] = steps
        for index, path in enumerate(chapter.paths):
            packed = to.paths[index]
            packed.n, packed.loop = len(path.spaces), int(path.loop)
            packed.elsewhere = st.NONE if path.elsewhere is None else path.spaces.index(path.elsewhere)
            packed.place[:] = st.NONE
            for position, name in enumerate(path.spaces):
                packed.spaces[position] = self.at("spaces", name)
                packed.place[self.at("spaces", name)] = position
        for index, barrier in enumerate(chapter.barriers):
            figure, until = self.at("figures", barrier.figure), self.at("challenges", barrier.until)
            to.barriers[index] = (figure, until, self.mask("spaces", barrier.spaces))

    def _figures(self) -> None:
        chapter, to = self.chapter, self.to
        for index, figure in enumerate(chapter.figures):
            packed = to.figures[index]
            packed.start = self.at("spaces", figure.start)
            packed.moved = int(figure.moved)
            packed.after = self.at("challenges", figure.moved_after)
            packed.carrier = self.at("figures", figure.carried.by if figure.carried else None)
            packed.carried_after = self.at("challenges", figure.carried.after if figure.carried else None)
            to.movable |= int(figure.moved or figure.moved_after is not None) << index
        if guards := chapter.guards:
            to.guards, to.caught = self.mask("figures", guards.figures), self.mask("figures", guards.catch)
            to.caught_to, to.caught_discard = self.at("spaces", guards.to), guards.discard

    def _counters(self) -> None:
        chapter, to = self.chapter, self.to
        for index, counter in enumerate(chapter.counters):
            to.counter_start[index], to.counter_last[index] = counter.start, counter.last
        to.pieces = st.NONE
        if chapter.pieces:
            to.pieces = self.at("counters", chapter.pieces.counter)
            for space in chapter.pieces.spaces:
                to.start_pieces[self.at("spaces", space)] += 1

    def _tiles(self) -> None:
        chapter, to = self.chapter, self.to
        to.start_tiles[:] = st.NONE
        to.mixed = self.mask("spaces", chapter.mixed)
        for index, tile in enumerate(chapter.tiles):
            to.mixed_tiles[index] = tile.count
            for space in tile.lies_on:
                to.start_tiles[self.at("spaces", space)] = index
            toll, packed = tile.toll, to.tolls[index]
            self.cost(toll.cost, packed.cost)
            self.cost(toll.less.cost if toll.less else toll.cost, packed.less)
            packed.figure = self.at("figures", toll.less.figure if toll.less else None)
            packed.gone = int(toll.then == "gone")
            packed.has_else = int(toll.otherwise is not None)
            if toll.otherwise:
                packed.counter, packed.by = self.at("counters", toll.otherwise.counter), toll.otherwise.by

    def _wishes(self, challenge: Challenge, packed: Any) -> None:
        """Write what chapter actions can do for a challenge."""
        packed.clear = self.mask("spaces", [need.space for need in challenge.needs if isinstance(need, Clear)])
        counts = [place for place, need in enumerate(challenge.needs) if isinstance(need, AtLeast | Above)]
        packed.number = packed.needs.first + counts[0] if counts else st.NONE

    def _action(self, action: Action, packed: Any) -> None:
        packed.needs = self.conditions(action.needs)
        raised = [effect.counter for effect in action.effects if isinstance(effect, Tally) and effect.by > 0]
        packed.raises = self.at("counters", raised[0] if raised else None)
        packed.per_turn = int(action.once_a_turn)
        packed.n_ways = len(action.pay)
        for way, cost in enumerate(action.pay):
            self.cost(cost, packed.ways[way])
        packed.effects = self.effects(action.effects)

    def cost(self, cost: Sequence[str], packed: Any) -> None:
        """Write a cost (`state.COST`)."""
        for icon in cost:
            packed.need[st.ANY if icon == "any" else ICONS.index(icon)] += 1
        packed.total = len(cost)

    def conditions(self, conditions: Sequence[Any]) -> tuple[int, int]:
        """Write a list of conditions; return where it stands."""
        first = self.n_conditions
        self.n_conditions += len(conditions)
        for index, condition in enumerate(conditions, start=first):
            self._condition(condition, self.to.conditions[index])
        return first, len(conditions)

    def _condition(self, condition: Any, packed: Any) -> None:
        packed.op = st.CONDITION_OPS.index(condition.op)
        get = lambda name: getattr(condition, name, None)
        two_counters = isinstance(condition, TWO_COUNTERS)
        if get("counter"):
            packed.a = self.at("counters", condition.counter)
            packed.b = self.at("counters", condition.other) if two_counters else condition.number
        elif get("figure"):
            packed.a = self.at("figures", condition.figure)
            packed.b = self.at("figures", get("other"))
        if get("space"):
            packed.a = self.at("spaces", condition.space)
        if get("tile"):
            packed.b = self.at("tiles", condition.tile)
        if get("path"):
            packed.c = self.at("paths", condition.path)
        for kind in ("spaces", "figures", "challenges"):
            packed.mask |= self.mask(kind, get(kind) or [])

    def effects(self, effects: Sequence[Any]) -> tuple[int, int]:
        """Write a list of effects; return where it stands."""
        first = self.n_effects
        self.n_effects += len(effects)
        for index, effect in enumerate(effects, start=first):
            self._effect(effect, self.to.effects[index])
        return first, len(effects)

    def _effect(self, effect: Any, packed: Any) -> None:
        packed.op = st.EFFECT_OPS.index(effect.op)
        packed.first, packed.n = self.conditions(effect.when)
        match effect:
            case Move():
                packed.a, packed.b = self.at("figures", effect.figure), self.at("spaces", effect.to)
            case Join():
                packed.a, packed.b = self.at("figures", effect.figure), self.at("figures", effect.other)
            case Advance():
                packed.a, packed.b = self.at("figures", effect.figure), self.at("paths", effect.path)
                packed.c = effect.steps
            case Tally():
                packed.a, packed.c = self.at("counters", effect.counter), effect.by
            case Put():
                packed.a = self.at("spaces", effect.space)
            case Take():
                packed.a = self.at("figures", effect.figure)
            case Draw() | Gain() | Discard():
                packed.c = effect.cards
            case Demand():
                packed.a = ICONS.index(effect.icon)
                packed.b, packed.c = self.at("counters", effect.otherwise.counter), effect.otherwise.by
