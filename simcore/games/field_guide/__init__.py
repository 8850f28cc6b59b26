"""The Spiderwick Chronicles field guide game: children against gruzels, a hunt in the house and a race outside.

Source
    The rulebook; component data in ``editions/``, where each value says where it comes from.
Seats and sides
    Two to four seats: one child each, in turn order, and last the gruzel player with one to three gruzels. Two sides:
    all children, and the gruzel player. The two are never exchanged; children may be, among themselves.
State layout
    `state.py`. Squares in the house and spaces outside are numbers; `boards.py` works out what leads where.
Actions
    Walk, turn tokens over, choose who carries the guide, move a piece, choose whom to fight or whom a card means, play
    or keep a card, spend a cage token: codes in `state.py`.
Endings
    ``guide at Arthur`` (the children win), ``guide at Mulgaraat`` (the gruzels), ``guide left in the house`` (nobody;
    only if children may leave without it) or the round cap (unfinished).
Rulings
    49, in docs/games.md with the readings beyond them.
Simplifications
    A pile has no order: each card left in it is as likely to be drawn, which comes to the same.
Version history
    1: first version.
"""

from simcore.contract import Decision, Game, Rules
from simcore.games.field_guide import components, features, hidden, kernel, outcome, rules, state, text

GAME = Game(
    name="field-guide",
    version=1,
    seat_counts=(2, 3, 4),
    roles=state.ROLES,
    state=state.STATE,
    outcome=state.OUTCOME,
    chance=state.CHANCE,
    reasons=lambda edition: state.REASONS,
    metrics=state.METRICS,
    features=features.FEATURES,
    decisions=(
        Decision("lay", "gruzels", "where to lay the next object token, if they are not laid at random"),
        Decision("carrier", "council", "which child outside carries the guide, each round and when it is won back"),
        Decision("house", "child", "which square of the exact roll, whether to stay, or which space outside the door"),
        Decision("chain", "child", "which token to turn over next, or stop"),
        Decision("race", "child", "forward or back, and which path at a crossing"),
        Decision("chase", "gruzels", "which gruzel, forward or back, and which path at a crossing"),
        Decision("opponent", "child", "which gruzel to fight"),
        Decision("prey", "gruzels", "which child to fight"),
        Decision("strike", "child", "which fight card to play, or none and lose"),
        Decision("ward", "gruzels", "which card wards it off, or none"),
        Decision("aim", "child", "which piece the drawn card means"),
        Decision("victim", "gruzels", "which piece the drawn card means"),
        Decision("detour", "child", "where the own child goes that a card moves"),
        Decision("piece", "gruzels", "which gruzel a card moves, and where it goes"),
        Decision("cage", "gruzels", "spend a cage token on an extra turn, or keep it"),
    ),
    actions=state.ACTIONS,
    components=components,
    rules=Rules(
        setup=rules.setup,
        legal=rules.legal,
        apply=rules.apply,
        score=outcome.score,
        lead=outcome.lead,
        hide=hidden.hide,
        features=features.features,
        play_block=kernel.play_block,
    ),
    sides=lambda n: (tuple(range(n - 1)), (n - 1,)),
    rotations=lambda n: tuple((*((seat + step) % (n - 1) for seat in range(n - 1)), n - 1) for step in range(n - 1)),
    describe=text.describe,
    describe_action=text.describe_action,
    describe_change=text.describe_change,
    sort_of_action=text.sort_of_action,
    capacities={
        "squares": state.SQUARES,
        "rooms": state.ROOMS,
        "spaces": state.SPACES,
        "steps of a move": state.STEPS,
        "ways of a move in one direction": state.TARGETS,
        "choices at once": state.ACTIONS,
        "kinds of cards": state.KINDS,
        "cards of one colour": state.DECK,
        "effects a card": state.EFFECTS,
        "cage tokens": state.CAGES,
    },
    exposed=components.exposed,
    in_seat_order=True,
)
