"""The Princess Bride: I Hate to Kill You. Two duellists, six dice each, a hand of move cards.

Source
    The rulebook; component data in ``editions/``, where each value says where it comes from.
Seats and sides
    Two seats, each a side of its own. Seats are interchangeable and every choice is simultaneous, so that the seat
    itself can give no advantage.
State layout
    `state.py`. A die is an individual in one of twelve slots of its owner.
Actions
    A card of one's deck, a die of either player, "done", "no card": codes in `state.py`.
Endings
    ``hits`` (a player scored the hits needed; he wins) or the round cap (unfinished).
Rulings
    33, in docs/games.md with the values that are switches.
Simplifications
    Cards of equal rank with several effects go step by step together: the first effects of both, then the second.
    The primitive ``swap``, which no card uses, is not implemented.
Version history
    1: first version.
"""

from simcore.contract import Decision, Game, Rules
from simcore.games.hate_to_kill_you import components, features, hidden, kernel, rules, state, text

GAME = Game(
    name="hate-to-kill-you",
    version=1,
    seat_counts=(2,),
    roles=("duellist",),
    state=state.STATE,
    outcome=state.OUTCOME,
    chance=state.CHANCE,
    reasons=lambda edition: state.REASONS,
    metrics=state.METRICS,
    features=features.FEATURES,
    decisions=(
        Decision("card", "duellist", "which card to play; both choose at once"),
        Decision("pick", "duellist", "which die (or card) an effect takes, one at a time, or that enough are picked"),
        Decision("loss", "duellist", "which die to discard after a hit or a tie"),
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
    rotations=lambda n: ((0, 1), (1, 0)),
    describe=text.describe,
    describe_action=text.describe_action,
    describe_change=text.describe_change,
    sort_of_action=text.sort_of_action,
    capacities={
        "cards a deck": state.CARDS,
        "effects a card": state.EFFECTS,
        "dice a player": state.DICE,
        "colours of dice": state.COLOURS,
        "faces a die": state.FACES,
        "swords a face": state.SWORDS,
    },
)
