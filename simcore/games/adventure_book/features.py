"""What an action is worth at first sight: for weight vectors, and for scripted strategies.

The measure is the *target*: the challenge that the active player can reach first, counted in steps that are still to
walk and cards that are still to find. Distances are those of the board, tolls and guards left aside.
"""

from __future__ import annotations

from typing import Any

from simcore.contract import Feature
from simcore.games.adventure_book.answers import is_open
from simcore.games.adventure_book.cards import wilds
from simcore.games.adventure_book.conditions import holds
from simcore.games.adventure_book.state import (
    AT,
    AWAY,
    CARD,
    COMPLETED,
    ELSE,
    END,
    FIGURES,
    ICONS,
    LITTERED,
    MIRACLE_SPECIAL,
    MIRACLE_STORY,
    NONE,
    NUMBER,
    RULE,
    SPACES,
    SPECIAL,
    STEP,
    TELLING,
    TILE,
    TOGETHER,
    TRADE,
    TURNED,
)
from simcore.jit import kernel, routine
from simcore.masks import lowest

FEATURES = (
    Feature("challenge", "1 if the action completes a challenge"),
    Feature("last", "1 if that is the last one of the chapter"),
    Feature("rule", "1 for a chapter action"),
    Feature("nearer", "steps: by how many steps the figure comes nearer to the target"),
    Feature("card_step", "1 for a step that costs a card"),
    Feature("toll", "1 for a step onto a face-up tile"),
    Feature("star", "1 for a step onto the Miracle"),
    Feature("spare", "cards: 1 if the target does not need the card"),
    Feature("wild", "cards: 1 if it is a wild"),
    Feature("effect", "cards: 1 if it is a Special with an effect"),
    Feature("otherwise", "1 for the alternative of a payment"),
    Feature("special", "1 for playing a Special"),
    Feature("cancel", "1 for playing a Special against a plot card that does something"),
    Feature("miracle", "1 for using a Miracle"),
    Feature("trade", "1 for a trade"),
    Feature("short", "Miracles, trades, Specials: cards of the target that the active hand lacks"),
    Feature("end", "1 for ending a step, or using nothing"),
)
(
    CHALLENGE_DONE,
    LAST,
    RULE_USED,
    NEARER,
    CARD_STEP,
    TOLL_STEP,
    STAR,
    SPARE,
    WILD,
    EFFECT,
    OTHERWISE,
    SPECIAL_PLAYED,
    CANCEL,
    MIRACLE,
    TRADE_BEGUN,
    SHORT,
    ENDED,
) = range(len(FEATURES))
COUNT_OF_FEATURES = len(FEATURES)
FAR = 1_000
PATIENCE = 2
"""Steps that waiting for a figure to go away counts as."""
NOWHERE = -1


@routine
def steps_to(state: Any, figure: int, mask: int) -> int:
    """Return how many steps a figure is away from the nearest space of `mask`; FAR if it can come to none."""
    play = state.play
    space = play.space[figure]
    best = FAR
    if space == NONE:
        return best
    chapter = state.tab.chapters[play.chapter]
    while mask:
        steps = int(chapter.steps[space, lowest(mask)])
        mask &= mask - 1
        if steps < SPACES and steps < best:
            best = steps
    return best


@routine
def goal_of(state: Any, index: int) -> int:
    """Return the spaces where the figure of condition `index` has to be, 0 if it is about something else."""
    play = state.play
    condition = state.tab.chapters[play.chapter].conditions[index]
    if condition.op == AT:
        return int(condition.mask)
    if condition.op == TOGETHER and play.space[condition.b] != NONE:
        return 1 << int(play.space[condition.b])
    if condition.op == TILE:
        mask = 0
        for space in range(state.tab.chapters[play.chapter].n_spaces):
            if play.tile[space] == condition.b:
                mask |= 1 << space
        return mask
    return 0


@routine
def missing(state: Any, index: int) -> int:
    """Return how many steps are missing to condition `index`, FAR if walking does not bring it about."""
    play = state.play
    condition = state.tab.chapters[play.chapter].conditions[index]
    op = condition.op
    if op == AT:
        return steps_to(state, condition.a, condition.mask)
    if op == TOGETHER and play.space[condition.b] != NONE:
        return steps_to(state, condition.a, 1 << int(play.space[condition.b]))
    if holds(state, index):
        return 0
    if op == TILE:
        return steps_to(state, condition.a, goal_of(state, index))
    if op == LITTERED:
        goal = untidy(state)
        return steps_to(state, condition.a, goal) if goal else FAR
    return PATIENCE if op == AWAY else FAR


@routine
def way_to(state: Any, span: Any, enough: int) -> int:
    """Return how many steps are missing to a list of conditions; who gets to `enough` looks no farther."""
    total = 0
    for index in range(span.first, span.first + span.n):
        total += missing(state, index)
        if total >= enough:
            return total
    return total


@routine
def short_of(state: Any, seat: int, challenge: int) -> int:
    """Return how many cards a hand lacks for a challenge."""
    play = state.play
    cost = state.tab.chapters[play.chapter].challenges[challenge].cost
    short = 0
    for icon in range(ICONS):
        short += max(0, cost.need[icon] - play.hand[seat, icon])
    short = max(0, short - wilds(state, seat))
    return int(max(short, cost.total - play.held[seat]))


@routine
def untidy(state: Any) -> int:
    """Return the spaces with pieces that a challenge wants to be clear."""
    play = state.play
    chapter = state.tab.chapters[play.chapter]
    mask = 0
    for challenge in range(chapter.n_challenges):
        if play.done >> challenge & 1 == 0:
            left = chapter.challenges[challenge].clear
            while left:
                space = lowest(left)
                left &= left - 1
                if play.pieces[space] > 0:
                    mask |= 1 << space
    return mask


@routine
def serves(state: Any, index: int) -> bool:
    """Return whether a chapter action helps now: a challenge waits for its counter, or for a space to be clear."""
    play = state.play
    chapter = state.tab.chapters[play.chapter]
    counter = chapter.rules[index].raises
    if counter == NONE:
        return untidy(state) != 0
    for challenge in range(chapter.n_challenges):
        number = chapter.challenges[challenge].number
        if number != NONE and chapter.conditions[number].a == counter and is_open(state, challenge):
            if not holds(state, number):
                return True
    return False


@routine
def rule_short(state: Any, seat: int, index: int) -> int:
    """Return how many cards a hand lacks for the cheapest way to pay for a chapter action."""
    play = state.play
    rule = state.tab.chapters[play.chapter].rules[index]
    best = FAR
    for way in range(rule.n_ways):
        cost = rule.ways[way]
        short = 0
        for icon in range(ICONS):
            short += max(0, cost.need[icon] - play.hand[seat, icon])
        short = max(0, short - wilds(state, seat))
        best = min(best, int(max(short, cost.total - play.held[seat])))
    return best


@routine
def plan(state: Any) -> int:
    """Return the target of the active seat: a challenge, or FIGURES + a chapter action; NOWHERE if there is none.

    It is what takes the fewest steps and missing cards, a card counted as two steps.
    """
    play = state.play
    chapter = state.tab.chapters[play.chapter]
    best = NOWHERE
    least = FAR
    for index in range(chapter.n_challenges):
        if is_open(state, index):
            steps = way_to(state, chapter.challenges[index].needs, least)
            if steps < least:
                cost = steps + 2 * short_of(state, play.active, index)
                if cost < least:
                    least = cost
                    best = index
    for index in range(chapter.n_rules):
        if play.used >> index & 1 and chapter.rules[index].per_turn:
            continue
        if serves(state, index):
            cost = way_to(state, chapter.rules[index].needs, least) + 2 * rule_short(state, play.active, index)
            if cost < least:
                least = cost
                best = FIGURES + index
    return best


@routine
def target_walk(state: Any, target: int) -> int:
    """Return the steps that are missing to a target."""
    chapter = state.tab.chapters[state.play.chapter]
    if target >= FIGURES:
        return way_to(state, chapter.rules[target - FIGURES].needs, FAR)
    return way_to(state, chapter.challenges[target].needs, FAR)


@routine
def target_short(state: Any, seat: int, target: int) -> int:
    """Return the cards that a hand lacks for a target."""
    if target >= FIGURES:
        return rule_short(state, seat, target - FIGURES)
    return short_of(state, seat, target)


@kernel
def target_needs(state: Any, target: int, icon: int) -> int:
    """Return how many of an icon (or ANY) a target asks for."""
    chapter = state.tab.chapters[state.play.chapter]
    if target == NOWHERE:
        return 0
    if target >= FIGURES:
        return int(chapter.rules[target - FIGURES].ways[0].need[icon])
    return int(chapter.challenges[target].cost.need[icon])


@routine
def steps_saved(state: Any, target: int, figure: int, space: int) -> int:
    """Return by how many steps a figure comes nearer to a target when it goes to `space`."""
    play = state.play
    chapter = state.tab.chapters[play.chapter]
    if target == NOWHERE:
        return 0
    span = chapter.rules[target - FIGURES].needs if target >= FIGURES else chapter.challenges[target].needs
    saved = 0
    for number in range(span.first, span.first + span.n):
        condition = chapter.conditions[number]
        op = condition.op
        if condition.a == figure and (op in (AT, TOGETHER, TILE, LITTERED)):
            goal = untidy(state) if op == LITTERED else goal_of(state, number)
            if goal:
                saved += steps_to(state, figure, goal) - steps_from(state, space, goal)
        elif op == TOGETHER and condition.b == figure and play.space[condition.a] != NONE:
            goal = 1 << int(play.space[condition.a])
            saved += steps_to(state, figure, goal) - steps_from(state, space, goal)
    return saved


@routine
def note_goals(state: Any, target: int, goals: Any) -> None:
    """Write the spaces to which a target calls each figure into `goals` (FIGURES, int64), 0 for those it needs not."""
    play = state.play
    chapter = state.tab.chapters[play.chapter]
    for figure in range(FIGURES):
        goals[figure] = 0
    if target == NOWHERE:
        return
    span = chapter.rules[target - FIGURES].needs if target >= FIGURES else chapter.challenges[target].needs
    for number in range(span.first, span.first + span.n):
        condition = chapter.conditions[number]
        op = condition.op
        if op == AT or op == TOGETHER or op == TILE:
            goals[condition.a] = goal_of(state, number)
            if op == TOGETHER and play.space[condition.a] != NONE and play.movable >> int(condition.b) & 1:
                goals[condition.b] = 1 << int(play.space[condition.a])
        elif op == LITTERED:
            goals[condition.a] = untidy(state)


@routine
def steps_from(state: Any, space: int, mask: int) -> int:
    """Return how many steps a space is away from the nearest one of `mask`."""
    chapter = state.tab.chapters[state.play.chapter]
    best = FAR
    while mask:
        best = min(best, int(chapter.steps[space, lowest(mask)]))
        mask &= mask - 1
    return best


@kernel
def is_spare(state: Any, seat: int, kind: int, target: int) -> bool:
    """Return whether a hand can do without a card and still pay for a target as well as before."""
    if kind >= ICONS:
        return bool(state.tab.wild >> kind & 1 == 0)
    return bool(state.play.hand[seat, kind] > target_needs(state, target, kind))


@kernel
def knows_hand(state: Any, viewer: int, seat: int, kind: int) -> int:
    """Return how many cards of a kind `viewer` knows to be in the hand of `seat`."""
    if viewer == seat or state.tab.hands_open:
        return int(state.play.hand[seat, kind])
    return int(state.play.seen[seat, viewer, kind])


@kernel
def features(state: Any, seat: int, action: int, work: Any, out: Any) -> None:
    """Write `FEATURES` of `action` for the acting `seat` into ``out[:F]``; `work` is not used."""
    for i in range(COUNT_OF_FEATURES):
        out[i] = 0.0
    play = state.play
    if action == END:
        out[ENDED] = 1.0
    elif action == ELSE:
        out[OTHERWISE] = 1.0
    elif action in (MIRACLE_STORY, MIRACLE_SPECIAL):
        out[MIRACLE] = 1.0
        out[SHORT] = shortage(state, seat)
    elif action < RULE:
        out[CHALLENGE_DONE] = 1.0
        out[LAST] = 1.0 if members_left(state) == 1 else 0.0
    elif action < TRADE:
        out[RULE_USED] = 1.0
    elif action < SPECIAL:
        out[TRADE_BEGUN] = 1.0
        out[SHORT] = shortage(state, seat)
    elif action < CARD:
        out[SPECIAL_PLAYED] = 1.0
        if play.phase == TURNED:
            out[CANCEL] = 1.0 if play.last > play.next else 0.0
        else:
            out[SHORT] = shortage(state, seat)
    elif action < NUMBER:
        card_features(state, seat, action - CARD, out)
    elif action >= STEP:
        step_features(state, (action - STEP) // 32, (action - STEP) % 32, out)


@routine
def shortage(state: Any, seat: int) -> float:
    """Return how many cards the active hand lacks for its target, as far as `seat` knows: an unseen hand lacks none."""
    play = state.play
    if seat != play.active and state.tab.hands_open == 0:
        return 0.0
    target = plan(state)
    return 0.0 if target == NOWHERE else float(target_short(state, play.active, target))


@kernel
def members_left(state: Any) -> int:
    """Return how many challenges are not completed."""
    play = state.play
    n = 0
    for index in range(state.tab.chapters[play.chapter].n_challenges):
        n += 1 - (play.done >> index & 1)
    return int(n)


@routine
def card_features(state: Any, seat: int, kind: int, out: Any) -> None:
    """Write the features of choosing a card."""
    if kind >= ICONS:
        out[WILD if state.tab.wild >> kind & 1 else EFFECT] = 1.0
    if seat == state.play.active:
        out[SPARE] = 1.0 if is_spare(state, seat, kind, plan(state)) else 0.0


@routine
def step_features(state: Any, figure: int, space: int, out: Any) -> None:
    """Write the features of a step."""
    play = state.play
    out[CARD_STEP] = 1.0 if play.phase == TELLING else 0.0
    out[TOLL_STEP] = 1.0 if play.up >> space & 1 else 0.0
    out[STAR] = 1.0 if play.star == space else 0.0
    if play.active == play.seat or state.tab.hands_open:
        out[NEARER] = float(steps_saved(state, plan(state), figure, space))


@kernel
def lead(state: Any, side: int) -> float:
    """Return how far the table has come, -1 to 1: chapters, challenges, and the way to the next one."""
    play = state.play
    if play.over:
        return 1.0 if play.reason == COMPLETED else -1.0
    chapter = state.tab.chapters[play.chapter]
    done = float(chapter.n_challenges - members_left(state))
    target = plan(state)
    if target != NOWHERE:
        left = target_walk(state, target) + 2 * target_short(state, play.active, target)
        done += 1.0 / (2.0 + float(left))
    way = (float(play.at) + done / float(chapter.n_challenges + 1)) / float(state.tab.n_chapters)
    return max(-1.0, 2.0 * way - 1.0 - 0.1 * float(play.replays))
