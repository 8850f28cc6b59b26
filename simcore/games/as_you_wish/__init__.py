"""The Princess Bride: As You Wish. Two to six players draft quest cards for the goals of a secret or open character.

Source
    The rulebook; component data in ``editions/``, where each value says where it comes from.
Seats and sides
    Two to six seats in a ring, each a side of its own. The order of play comes from the numbers of the cards, so that
    a seat is worth nothing by itself; who sits beside whom matters for dark cards.
State layout
    `state.py`. A place is a position of the shuffled deck; `known` says who knows what lies there.
Actions
    Lay an offered card face down, take an offered card, turn a card of one's quest down: codes in `state.py`.
Endings
    ``length`` (a quest is long enough at the end of a round; most points, then most pictures, then shared) or the
    round cap (unfinished).
Rulings
    32, in docs/games.md with the values that are switches.
Simplifications
    None.
Version history
    1: first version.
"""

from simcore.contract import Decision, Game, Rules
from simcore.games.as_you_wish import components, features, hidden, kernel, rules, state, text

GAME = Game(
    name="as-you-wish",
    version=1,
    seat_counts=(2, 3, 4, 5, 6),
    roles=state.ROLES,
    state=state.STATE,
    outcome=state.OUTCOME,
    chance=state.CHANCE,
    reasons=lambda edition: state.REASONS,
    metrics=state.METRICS,
    features=features.FEATURES,
    decisions=(
        Decision("conceal", "dealer", "which drawn card to lay face down, one at a time, after seeing all of them"),
        Decision("take", "taker", "which offered card to add to the quest; the dealer takes last, and more than one"),
        Decision("flip", "taker", "which older poisoned card to turn down when too much poison shows"),
    ),
    actions=state.ACTIONS,
    components=components,
    rules=Rules(
        setup=rules.setup,
        legal=rules.legal,
        apply=rules.apply,
        score=rules.score,
        lead=rules.lead,
        hide=hidden.hide,
        features=features.features,
        play_block=kernel.play_block,
    ),
    sides=lambda n: tuple((seat,) for seat in range(n)),
    rotations=lambda n: tuple(tuple((seat + step) % n for seat in range(n)) for step in range(n)),
    describe=text.describe,
    describe_action=text.describe_action,
    describe_change=text.describe_change,
    sort_of_action=text.sort_of_action,
    capacities={
        "quest cards": state.CARDS,
        "characters": state.CHARACTERS,
        "scores a character": state.LINES,
        "icons": state.ICONS,
        "cards an offer": state.SLOTS,
        "cards a quest": state.QUEST,
    },
    exposed=components.exposed,
    in_seat_order=False,
)
