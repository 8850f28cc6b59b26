"""The Princess Bride Adventure Book Game. One to four players tell six chapters together, against the book.

Source
    The rulebook; boards, challenges and plot tables in ``editions/``, where each value says where it comes from.
Seats and sides
    One to four seats in a ring, one side: the table. The book is no side; a game that it wins is won by nobody.
State layout
    `state.py`. Cards are kinds, not copies. Each chapter is a record of spaces, figures, conditions and effects.
Actions
    Single steps of figures, challenges, chapter actions, trades, Specials, Miracles, payments card by card: codes in
    `state.py`.
Endings
    ``book completed`` (the table wins); for each chapter the plot that ran out and its own defeats, when no replay is
    left (nobody wins); the round cap (unfinished).
Rulings
    44, in docs/games.md with the values that are switches; those on the primitives in docs/adventure-book.md.
Simplifications
    Others than the active player may use Miracles and Specials before each action of Storytelling and when a plot
    card is turned, not at every moment. With hidden hands, Specials are shown when they are drawn.
Version history
    1: first version.
"""

from simcore.contract import Decision, Game, Rules
from simcore.games.adventure_book import answers, components, features, hidden, kernel, outcome, rules, state, text

GAME = Game(
    name="adventure-book",
    version=1,
    seat_counts=(1, 2, 3, 4),
    roles=state.ROLES,
    state=state.STATE,
    outcome=state.OUTCOME,
    chance=state.CHANCE,
    reasons=components.reasons,
    metrics=state.METRICS,
    features=features.FEATURES,
    decisions=(
        Decision("step", "teller", "which figure to move to which space, one step at a time, or to stop"),
        Decision("story", "teller", "challenge, chapter action, trade, Special, Miracle, step for a card, or the end"),
        Decision("pay", "teller", "which card to discard next, or the alternative where there is one"),
        Decision("trade", "teller", "which card to give, and with open hands which to get"),
        Decision("turned", "teller", "what to use when a plot card is turned, or nothing"),
        Decision("help", "helper", "in somebody else's turn: a Special, a Miracle, or nothing; the card of a trade"),
    ),
    actions=state.ACTIONS,
    components=components,
    rules=Rules(
        setup=rules.setup,
        legal=answers.legal,
        apply=rules.apply,
        score=outcome.score,
        lead=features.lead,
        hide=hidden.hide,
        features=features.features,
        play_block=kernel.play_block,
    ),
    sides=lambda n: (tuple(range(n)),),
    rotations=lambda n: (tuple(range(n)),),
    describe=text.describe,
    describe_action=text.describe_action,
    describe_change=text.describe_change,
    sort_of_action=text.sort_of_action,
    capacities={
        "chapters": state.CHAPTERS,
        "spaces a chapter": state.SPACES,
        "figures a chapter": state.FIGURES,
        "challenges a chapter": state.CHALLENGES,
        "conditions a chapter": state.CONDITIONS,
        "effects a chapter": state.EFFECTS,
        "kinds of cards": state.KINDS,
        "steps at once": state.MOST_STEPS,
    },
    exposed=components.exposed,
    stages=components.stages,
    nobody="the book",
    in_seat_order=False,
)
