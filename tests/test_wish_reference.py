"""The plain reading of As You Wish agrees with the rulebook (RB), the numbered rulings and exact counts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from math import sqrt
from statistics import fmean, stdev
from typing import Any

import pytest

from reference import rng, wish
from reference.wish import Place, Score, View
from reference.wish_cards import CARDS, CHARACTERS, ICONS, RULES, UNIFORM, Card, Character

BY_NUMBER = {card["number"]: card for card in CARDS}
CHARACTER = {character["id"]: character for character in CHARACTERS}
PLAYERS = (2, 3, 4, 5, 6)
LENGTH_AT_START = 1
Answer = tuple[int, str, int]  # seat, kind of choice, number of the card
Policy = Callable[[int, str, Sequence[int], View], int]


def made(number: int, icon: str = "love", spine: str = "plain", points: int = 0, poison: int = 0) -> Card:
    """Return a card that is not in the box, for one rule at a time."""
    return {
        "number": number,
        "icon": icon,
        "spine": spine,
        "points": points,
        "poison": poison,
        "pictured": [],
    }


def quest(numbers: Iterable[int], down: Iterable[int] = ()) -> list[Place]:
    """Return a quest of cards from the box, oldest first, some of them face down."""
    turned = set(down)
    return [Place(BY_NUMBER[number], number not in turned) for number in numbers]


def row(*cards: Card) -> list[Place]:
    """Return a quest of face-up cards."""
    return [Place(card) for card in cards]


def likes(icon: str, points: int = 1, more_than: int = 0, identifier: str = "nobody") -> Character:
    """Return a character with one line."""
    return {
        "id": identifier,
        "scores": [{"icon": icon, "points": points, "more_than": more_than}],
    }


class Script:
    """Gives the written answers in order, by card number, and keeps what was offered and seen."""

    def __init__(self, answers: Sequence[Answer]) -> None:
        self.left = list(answers)
        self.offers: list[tuple[int, str, list[int]]] = []
        self.views: list[View] = []
        self.table: wish.Table

    def __call__(self, seat: int, kind: str, actions: Sequence[int], view: View) -> int:
        """Give the next answer, which must be of this seat and to this kind of question."""
        numbers = [self.number(seat, kind, action) for action in actions]
        self.offers.append((seat, kind, numbers))
        self.views.append(view)
        assert self.left, f"seat {seat} was asked for {kind} out of {numbers}"
        expected_seat, expected_kind, number = self.left.pop(0)
        assert (seat, kind) == (expected_seat, expected_kind)
        return actions[numbers.index(number)]

    def number(self, seat: int, kind: str, action: int) -> int:
        """Return the number of the card that an action names."""
        if kind == "flip":
            return int(self.table.quests[seat][action].card["number"])
        return int(self.table.offer[action].card["number"])

    def asked(self, kind: str) -> list[tuple[int, list[int]]]:
        """Return who was offered which numbers, in order, for one kind of choice."""
        return [(seat, numbers) for seat, asked, numbers in self.offers if asked == kind]


def follow(
    firsts: Sequence[int | Card],
    offers: Sequence[Sequence[int | Card]],
    answers: Sequence[Answer],
    characters: Sequence[Character] = CHARACTERS,
    **rules: Any,
) -> tuple[wish.Table, Script, wish.Result]:
    """Play given rounds to the last; every answer must be used.

    The seats start with `firsts`; `characters` are by seat, more of them than seats may be given.
    """
    flat = [*firsts, *(card for offer in offers for card in offer)]
    deck = [BY_NUMBER[card] if isinstance(card, int) else card for card in flat]
    script = Script(answers)
    seats = characters[: len(firsts)]
    table = wish.Table(deck, seats, {**RULES, "round_cap": len(offers), **rules}, script)
    script.table = table
    result = table.run()
    assert script.left == []
    return table, script, result


def numbers_of(places: Iterable[Place], face_up: bool | None = None) -> list[int]:
    """Return the numbers of a quest, all or only those that lie this way."""
    return [place.card["number"] for place in places if face_up in (None, place.face_up)]


def random_game(n: int, deal: int, seed: int = 7, **rules: Any) -> wish.Result:
    """Play uniform choices on the published streams."""
    choose = wish.random_player(seed, deal)
    return wish.play(CARDS, CHARACTERS, {**RULES, **rules}, n, seed, deal, choose)


@cache
def random_games(n: int, rank_by: str = "newest") -> tuple[wish.Result, ...]:
    """Return games of uniform choices, fewer for the switched rule."""
    games = 120 if rank_by == RULES["rank_by"] else 60
    return tuple(random_game(n, deal, rank_by=rank_by) for deal in range(games))


def all_random_games() -> list[wish.Result]:
    """Return the random games of every number of players."""
    return [result for n in PLAYERS for result in random_games(n)]


# ---------------------------------------------------------------- the second transcription


def test_the_box_holds_75_quest_cards_and_ten_characters() -> None:
    assert [card["number"] for card in CARDS] == list(range(1, 76))
    assert len(CHARACTER) == len(CHARACTERS) == 10


def test_every_block_of_fifteen_numbers_has_the_same_make_up() -> None:
    # Origin: the principles of the reconstruction, counts over icons, spines and poison.
    for start in range(0, 75, 15):
        block = CARDS[start : start + 15]
        assert Counter(card["icon"] for card in block) == dict.fromkeys(ICONS, 3)
        assert Counter(card["spine"] for card in block) == {"plain": 8, "light": 4, "dark": 3}
        assert sum(card["poison"] for card in block) == 11


def test_every_icon_has_the_same_cards() -> None:
    for icon in ICONS:
        cards = [card for card in CARDS if card["icon"] == icon]
        assert Counter(card["spine"] for card in cards) == {"plain": 8, "light": 4, "dark": 3}
        assert sum(card["poison"] for card in cards) == 11
    assert Counter(card["poison"] for card in CARDS) == {0: 40, 1: 20, 2: 10, 3: 5}


def test_points_stand_on_light_and_dark_spines_and_buy_poison() -> None:
    assert all((card["points"] == 0) == (card["spine"] == "plain") for card in CARDS)
    strong = {(card["spine"], card["poison"]) for card in CARDS if card["points"] == 2}
    assert strong == {("light", 2), ("dark", 3)}


@pytest.mark.parametrize("characters", [CHARACTERS, UNIFORM], ids=["printed", "uniform"])
def test_characters_are_the_ten_pairs_of_icons(characters: list[Character]) -> None:
    pairs = [tuple(line["icon"] for line in character["scores"]) for character in characters]
    assert len({frozenset(pair) for pair in pairs}) == 10
    assert len(ICONS) * (len(ICONS) - 1) // 2 == 10


def test_each_icon_is_first_choice_of_two_characters_and_second_of_two() -> None:
    for choice in (0, 1):
        icons = Counter(character["scores"][choice]["icon"] for character in CHARACTERS)
        assert icons == dict.fromkeys(ICONS, 2)


# ---------------------------------------------------------------- RB examples: a round of four players

# Origin: RB "Preparing Each Round" and "Playing a Turn"; 34 is fitted as the card left over.
TOPS = [66, 7, 27, 48]
OFFER = [49, 16, 14, 55, 21, 34]
BEFORE_DEALER: list[Answer] = [
    (0, "conceal", 21),
    (0, "conceal", 34),
    (1, "take", 49),
    (2, "take", 16),
    (3, "take", 21),
]
EXAMPLE: list[Answer] = [*BEFORE_DEALER, (0, "take", 14), (0, "take", 55)]


def test_the_owner_of_66_deals_and_7_27_48_66_take_in_this_order() -> None:
    record = follow(TOPS, [OFFER], [*EXAMPLE, (0, "flip", 66)])[2].history[0]
    assert TOPS[record.dealer] == 66
    assert [TOPS[seat] for seat in record.order] == [7, 27, 48, 66]


def test_four_players_draw_six_hide_two_take_five_and_discard_one() -> None:
    table, script, result = follow(TOPS, [OFFER], [*EXAMPLE, (0, "flip", 66)])
    record = result.history[0]
    assert record.offer == tuple(OFFER)
    assert [OFFER[slot] for slot in record.concealed] == [21, 34]
    assert [slot.face_up for slot in script.views[2].offer] == [True] * 4 + [False] * 2
    assert len(record.taken) == 5
    assert record.discarded == [34]
    assert table.offer == []


@pytest.mark.parametrize("turned", [66, 14])
def test_the_dealer_takes_14_then_55_and_turns_a_poison_card_of_his_choice(turned: int) -> None:
    table, script, result = follow(TOPS, [OFFER], [*EXAMPLE, (0, "flip", turned)])
    assert script.asked("flip") == [(0, [66, 14])]
    shown_after_14 = script.views[-2].quests[0]
    assert numbers_of(shown_after_14) == [66, 14]
    assert sum(place.card["poison"] for place in shown_after_14) == 2
    assert sum(place.card["poison"] for place in script.views[-1].quests[0]) == 4
    assert numbers_of(result.quests[0], face_up=False) == [turned]
    assert table.poison(0) == 3


def test_after_the_example_16_leads_and_55_deals() -> None:
    table = follow(TOPS, [OFFER], [*EXAMPLE, (0, "flip", 14)])[0]
    assert [table.rank(seat) for seat in table.turn_order()] == [16, 21, 49, 55]


@pytest.mark.parametrize(
    ("n", "drawn", "down", "discarded"), [(2, 4, 2, 1), (3, 5, 2, 1), (4, 6, 2, 1), (5, 8, 3, 2), (6, 9, 3, 2)]
)
def test_ruling_26_offer_size_and_surplus_follow_the_number_of_players(
    n: int, drawn: int, down: int, discarded: int
) -> None:
    for record in (record for result in random_games(n) for record in result.history):
        assert len(record.offer) == drawn
        assert len(record.concealed) == down
        assert len(record.discarded) == discarded
        assert Counter(seat for seat, _ in record.taken) == {
            seat: 2 if seat == record.dealer else 1 for seat in range(n)
        }


# ---------------------------------------------------------------- RB example: Count Rugen's score

# Origin: RB "Scoring"; numbers are fitted, the counts and points are the rulebook's.
RUGEN_QUEST = [7, 24, 45, 37, 16, 28, 9, 44, 19]


def rugen_table() -> list[list[Place]]:
    return [quest([27, 34]), quest(RUGEN_QUEST, down=[24, 45]), quest([49])]


def test_count_rugen_scores_8_and_1_and_6() -> None:
    characters = [CHARACTER["inigo"], CHARACTER["rugen"], CHARACTER["fezzik"]]
    scores = wish.score(rugen_table(), characters)
    assert scores[1] == Score(character=8, light=1, dark=6)
    assert scores[1].total == 15


def test_count_rugens_quest_shows_what_the_example_names() -> None:
    mine = rugen_table()[1]
    assert len(mine) == 9
    assert (wish.icons(mine, "fight"), wish.icons(mine, "might")) == (3, 2)
    assert sum(card["poison"] for card in wish.visible(mine)) == 3
    scorers = [(c["icon"], c["spine"], c["points"]) for c in wish.visible(mine) if c["spine"] != "plain"]
    assert scorers == [("might", "light", 1), ("glory", "light", 1), ("wits", "dark", 2)]


def test_count_rugens_face_down_cards_would_have_added_to_his_score() -> None:
    left, _, right = rugen_table()
    sober = wish.score([left, quest(RUGEN_QUEST), right], [CHARACTER["rugen"]] * 3)[1]
    # One more FIGHT at 2; one more MIGHT at 1; two light MIGHT with two others each.
    assert sober == Score(character=11, light=4, dark=6)


def test_count_rugens_last_card_forces_both_flips() -> None:
    table, asked = laid([BY_NUMBER[number] for number in RUGEN_QUEST])
    # The first is his choice, the second is forced; nothing was turned before.
    assert asked == [(1, [RUGEN_QUEST.index(24), RUGEN_QUEST.index(45)])]
    assert table.quests[1] == rugen_table()[1]


def laid(cards: Sequence[Card], **rules: int) -> tuple[wish.Table, list[tuple[int, list[int]]]]:
    """Lay cards one by one on the quest of seat 1, who turns the oldest that he may; return what was asked."""
    asked: list[tuple[int, list[int]]] = []

    def oldest(seat: int, kind: str, actions: Sequence[int], view: View) -> int:
        assert kind == "flip"
        asked.append((seat, list(actions)))
        return actions[0]

    table = wish.Table([made(90), made(91)], CHARACTERS[:2], {**RULES, **rules}, oldest)
    table.history.append(wish.RoundRecord(1, 0, (1, 0), ()))
    table.quests[1] = []
    for card in cards:
        table.quests[1].append(Place(card))
        table.flip(1)
    return table, asked


def poisoned(*poisons: int, **rules: int) -> tuple[wish.Table, list[tuple[int, list[int]]]]:
    """Lay cards of this poison one by one, as above."""
    return laid([made(10 + place, poison=poison) for place, poison in enumerate(poisons)], **rules)


def face_up(table: wish.Table) -> list[bool]:
    return [place.face_up for place in table.quests[1]]


# ---------------------------------------------------------------- rulings 1 to 6: dealer, order, hidden offer

# Two rounds of two players; seat 0 lays 60 and then 10, so its newest and its highest number differ.
FIRST_TWO = [50, 20]
ROUND_ONE = [60, 11, 35, 4]
FIRST_ANSWERS: list[Answer] = [
    (0, "conceal", 4),
    (0, "conceal", 35),
    (1, "take", 35),
    (0, "take", 60),
    (0, "take", 11),
]
ROUND_TWO = [1, 3, 9, 12]


def second_round(dealer: int, taker: int) -> list[Answer]:
    return [
        (dealer, "conceal", 1),
        (dealer, "conceal", 3),
        (taker, "take", 9),
        (dealer, "take", 12),
        (dealer, "take", 3),
    ]


def test_ruling_01_the_newest_number_ranks_a_quest() -> None:
    result = follow(FIRST_TWO, [ROUND_ONE, ROUND_TWO], [*FIRST_ANSWERS, *second_round(1, 0)])[2]
    assert result.dealers == (0, 1)


def test_ruling_01_by_the_switch_the_highest_visible_number_ranks_a_quest() -> None:
    answers = [*FIRST_ANSWERS, *second_round(0, 1)]
    result = follow(FIRST_TWO, [ROUND_ONE, ROUND_TWO], answers, rank_by="highest")[2]
    assert result.dealers == (0, 0)


def test_ruling_02_numbers_are_unique() -> None:
    with pytest.raises(ValueError, match="ruling 2"):
        wish.Table([*CARDS, CARDS[0]], CHARACTERS[:2], RULES, Script([]))


@pytest.mark.parametrize("rank_by", ["newest", "highest"])
def test_ruling_03_a_face_down_card_shows_no_number(rank_by: str) -> None:
    table = wish.Table(CARDS, CHARACTERS[:2], {**RULES, "rank_by": rank_by}, Script([]))
    table.quests = [quest([70, 12, 31], down=[70]), quest([5, 40])]
    assert table.rank(0) == 31
    assert table.turn_order() == [0, 1]


def test_ruling_04_the_order_uses_the_same_number_as_the_dealer_test() -> None:
    quests = [quest([60, 30]), quest([2, 40]), quest([50, 10]), quest([1, 20])]
    orders = {}
    for rank_by in ("newest", "highest"):
        table = wish.Table(CARDS, CHARACTERS[:4], {**RULES, "rank_by": rank_by}, Script([]))
        table.quests = quests
        orders[rank_by] = table.turn_order()
    assert orders == {"newest": [2, 3, 0, 1], "highest": [3, 1, 2, 0]}


def test_ruling_05_the_order_stands_from_the_start_of_the_round() -> None:
    # Seat 1 moves first and takes the highest number of the table; seat 0 stays the dealer of this round.
    answers: list[Answer] = [
        (0, "conceal", 30),
        (0, "conceal", 31),
        (1, "take", 75),
        (2, "take", 32),
        (0, "take", 33),
        (0, "take", 30),
    ]
    table, _, result = follow([60, 7, 20], [[75, 30, 31, 32, 33]], answers)
    assert [seat for seat, _ in result.history[0].taken] == [1, 2, 0, 0]
    assert table.turn_order()[-1] == 1


def test_ruling_06_only_the_dealer_knows_the_face_down_cards() -> None:
    script = follow(TOPS, [OFFER], [*EXAMPLE, (0, "flip", 66)])[1]
    for view in script.views:
        seen = [slot.card and slot.card["number"] for slot in view.offer]
        if view.seat == 0:
            assert seen == OFFER
        else:
            assert seen == [49, 16, 14, 55, None, None]
    # Seat 3 has turned up the 21 before the dealer takes.
    assert script.views[-1].offer[4] == wish.Offered(BY_NUMBER[21], face_up=False, taken=True)


def test_ruling_08_a_taken_face_down_card_is_seen_by_all_from_then_on() -> None:
    answers: list[Answer] = [*BEFORE_DEALER[:2], (1, "take", 21), (2, "take", 16), (3, "take", 49)]
    script = follow(TOPS, [OFFER], [*answers, (0, "take", 14), (0, "take", 34)])[1]
    slots = {view.seat: view.offer[OFFER.index(21)] for view in script.views if view.seat != 0}
    assert slots[1] == wish.Offered(None, face_up=False, taken=False)
    assert slots[2] == slots[3] == wish.Offered(BY_NUMBER[21], face_up=False, taken=True)


# ---------------------------------------------------------------- rulings 7 to 9: hiding and taking


@pytest.mark.parametrize("hidden", [(49, 16), (34, 14), (55, 34)])
def test_ruling_07_the_dealer_may_hide_any_two_after_seeing_all(hidden: tuple[int, int]) -> None:
    first, second = hidden
    answers: list[Answer] = [
        (0, "conceal", first),
        (0, "conceal", second),
        *[(seat, "take", card) for seat, card in zip((1, 2, 3), sorted(OFFER), strict=False)],
    ]
    left = sorted(OFFER)[3:]
    answers += [(0, "take", left[0]), (0, "take", left[1])]
    _, script, _ = follow(TOPS, [OFFER], answers)
    assert script.asked("conceal") == [(0, OFFER), (0, [card for card in OFFER if card != first])]
    assert script.views[0].seat == 0
    assert all(slot.card is not None for slot in script.views[0].offer)


def test_ruling_08_a_taken_face_down_card_is_kept_face_up() -> None:
    result = follow(TOPS, [OFFER], [*EXAMPLE, (0, "flip", 66)])[2]
    assert result.quests[3] == tuple(quest([48, 21]))


def test_ruling_08_every_slot_that_is_left_may_be_taken_in_slot_order() -> None:
    script = follow(TOPS, [OFFER], [*EXAMPLE, (0, "flip", 66)])[1]
    assert script.asked("take") == [
        (1, [49, 16, 14, 55, 21, 34]),
        (2, [16, 14, 55, 21, 34]),
        (3, [14, 55, 21, 34]),
        (0, [14, 55, 34]),
        (0, [55, 34]),
    ]


def test_ruling_09_the_dealer_sets_the_order_of_his_two_cards() -> None:
    ranks = {}
    for first, second in ((14, 34), (34, 14)):
        answers: list[Answer] = [*BEFORE_DEALER, (0, "take", first), (0, "take", second)]
        table, _, result = follow(TOPS, [OFFER], answers)
        assert numbers_of(result.quests[0]) == [66, first, second]
        ranks[second] = table.rank(0)
    assert ranks == {34: 34, 14: 14}


def test_ruling_09_poison_is_checked_after_each_of_the_dealers_cards() -> None:
    offer = [made(51, poison=3), made(52, poison=0), made(53), made(54)]
    answers: list[Answer] = [
        (0, "conceal", 53),
        (0, "conceal", 54),
        (1, "take", 53),
        (0, "take", 51),
        (0, "take", 52),
    ]
    _, script, result = follow([made(60, poison=1), made(7)], [offer], answers)
    # The flip is forced, so it is not asked for, and it is done before the second card is taken.
    assert numbers_of(script.views[-1].quests[0], face_up=False) == [60]
    assert result.history[0].flipped == [(0, 0)]
    assert result.decisions == len(answers)


# ---------------------------------------------------------------- rulings 10 to 15: poison


def test_ruling_10_the_owner_picks_the_card_to_turn() -> None:
    # Seat 1 is not the dealer: another seat than in the rulebook's example.
    assert poisoned(1, 2, 1)[1] == [(1, [0, 1])]


def test_ruling_11_the_new_card_is_never_turned() -> None:
    table, asked = poisoned(1, 1, 1, 3)
    assert all(3 not in actions for _, actions in asked)
    assert face_up(table) == [False, False, False, True]
    for result in all_random_games():
        assert all(places[-1].face_up for places in result.quests)


@pytest.mark.parametrize(
    ("poisons", "left"),
    [
        ([1, 1, 1], [True, True, True]),
        ([1, 1, 2], [False, True, True]),
        ([2, 0, 1, 1], [False, True, True, True]),
        ([1, 2, 3], [False, False, True]),
    ],
)
def test_ruling_12_turning_stops_at_three_or_fewer(poisons: list[int], left: list[bool]) -> None:
    table, _ = poisoned(*poisons)
    assert face_up(table) == left
    assert table.poison(1) <= 3


def test_ruling_12_no_card_is_turned_without_need() -> None:
    for result in all_random_games():
        for seat, places in enumerate(result.quests):
            turned = iter(pos for record in result.history for who, pos in record.flipped if who == seat)
            shown: list[int] = []
            for place in places:
                shown.append(place.card["poison"])
                while sum(shown) > 3:
                    shown[next(turned)] = 0
            assert list(turned) == []


def test_ruling_13_any_poisoned_face_up_card_may_be_turned() -> None:
    # Turning the 2 would do, yet the 1 is offered as well; it leaves four, so the 2 must follow.
    table, asked = poisoned(1, 0, 2, 2)
    assert asked == [(1, [0, 2])]
    assert face_up(table) == [False, True, False, True]


def test_ruling_14_a_card_without_poison_is_never_turned() -> None:
    assert poisoned(0, 1, 0, 2, 0, 2)[1] == [(1, [1, 3])]
    for result in all_random_games():
        assert all(p.card["poison"] > 0 for places in result.quests for p in places if not p.face_up)


@pytest.mark.parametrize("poisons", [(3,), (0, 3, 0), (2, 1), (1, 2, 0), (1, 1, 1, 0)])
def test_ruling_14_nobody_turns_cards_while_three_or_fewer_show(poisons: tuple[int, ...]) -> None:
    table, asked = poisoned(*poisons)
    assert asked == []
    assert all(face_up(table))


class Watch:
    """Plays at random and looks after every choice at the table that it belongs to."""

    def __init__(self, n: int, seed: int, deal: int, look: Callable[[wish.Table], None]) -> None:
        self.player = wish.random_player(seed, deal)
        self.look = look
        deck = wish.shuffled(rng.Stream(seed, deal, wish.DECK_STREAM), CARDS)
        self.table = wish.Table(deck, CHARACTERS[:n], RULES, self)

    def __call__(self, seat: int, kind: str, actions: Sequence[int], view: View) -> int:
        """Look, then answer."""
        self.look(self.table)
        return self.player(seat, kind, actions, view)

    def run(self) -> wish.Result:
        """Play the game to its end and look once more."""
        result = self.table.run()
        self.look(self.table)
        return result


@pytest.mark.parametrize("n", PLAYERS)
def test_ruling_15_a_card_that_was_turned_down_stays_down(n: int) -> None:
    for deal in range(25):
        down: set[int] = set()

        def grows(table: wish.Table, down: set[int] = down) -> None:
            now = {number for places in table.quests for number in numbers_of(places, face_up=False)}
            assert down <= now
            down |= now

        Watch(n, 3, deal, grows).run()
        assert down


def test_a_limit_below_the_new_card_turns_it_down_with_the_next_card() -> None:
    # No older card could be turned for the 3 itself; it is older once a card lies on it, poisoned or not.
    assert face_up(poisoned(3, poison_limit=2)[0]) == [True]
    assert face_up(poisoned(3, 0, poison_limit=2)[0]) == [False, True]


@pytest.mark.parametrize("limit", [4, 6])
def test_another_poison_limit_holds_at_the_end_of_every_game(limit: int) -> None:
    shown = [
        sum(card["poison"] for card in wish.visible(places))
        for deal in range(60)
        for places in random_game(4, deal, poison_limit=limit).quests
    ]
    assert max(shown) == limit


# ---------------------------------------------------------------- rulings 16 to 22: scoring


def test_ruling_16_face_down_cards_count_for_the_length_alone() -> None:
    character = likes("wits", more_than=2)
    lights = [made(1, "wits", "light", 1), made(2, "wits", "light", 1), made(3, "wits", "dark", 1)]
    mine = row(*lights)
    mine[1] = mine[1]._replace(face_up=False)
    other = [Place(made(4, "wits"), face_up=False), Place(made(5, "wits"))]
    # Three cards meet the length; two WITS show; one light card has one other; one WITS shows beside.
    assert wish.score([mine, other], [character] * 2)[0] == Score(character=2, light=1, dark=1)
    # Face down, the dark card scores nothing.
    mine[2] = mine[2]._replace(face_up=False)
    assert wish.score([mine, other], [character] * 2)[0] == Score(character=1, light=0, dark=0)


def test_ruling_16_face_down_cards_count_for_the_end_of_the_game() -> None:
    ended_by_hidden = 0
    for result in all_random_games():
        assert max(result.lengths) >= 9
        open_lengths = [n - down for n, down in zip(result.lengths, result.hidden, strict=True)]
        ended_by_hidden += max(open_lengths) < 9
    assert ended_by_hidden > 0


@pytest.mark.parametrize("character", CHARACTERS, ids=lambda c: c["id"])
def test_ruling_17_a_quest_must_hold_more_cards_than_the_number(character: Character) -> None:
    for line in character["scores"]:
        only = {"id": "x", "scores": [line]}
        for length in range(1, 11):
            quests = [row(*(made(i, line["icon"]) for i in range(length))), row(made(50))]
            expected = line["points"] * length if length > line["more_than"] else 0
            assert wish.score(quests, [only] * 2)[0].character == expected


def test_ruling_18_a_light_card_does_not_count_itself() -> None:
    nobody = [likes("fight")] * 2
    beside = row(made(50, "wits"))
    one = row(made(1, "wits", "light", 2))
    assert wish.score([one, beside], nobody)[0].light == 0
    assert wish.score([[*one, Place(made(2, "wits"))], beside], nobody)[0].light == 2


def test_ruling_18_two_light_cards_count_each_other() -> None:
    two = row(made(1, "wits", "light", 2), made(2, "wits", "light", 1))
    assert wish.score([two, row(made(50))], [likes("fight")] * 2)[0].light == 3


def test_ruling_19_light_and_dark_cards_are_icons_for_everybody() -> None:
    mine = row(made(1, "wits", "light", 1), made(2, "wits", "dark", 1), made(3, "wits"))
    scores = wish.score([mine, row(made(4, "wits", "dark", 2))], [likes("wits")] * 2)
    assert scores == (Score(character=3, light=2, dark=1), Score(character=1, light=0, dark=6))


def test_ruling_20_each_dark_card_of_an_icon_scores() -> None:
    mine = row(made(1, "glory", "dark", 2), made(2, "glory", "dark", 1), made(3, "love", "dark", 2))
    beside = row(made(4, "glory"), made(5, "glory"))
    assert wish.score([mine, beside], [likes("fight")] * 2)[0].dark == 2 * 2 + 2 * 1


def test_ruling_20_dark_cards_ignore_the_own_quest() -> None:
    mine = row(made(1, "glory", "dark", 2), made(2, "glory"))
    assert wish.score([mine, row(made(3))], [likes("fight")] * 2)[0].dark == 0


def test_ruling_21_two_players_count_each_other_once() -> None:
    assert wish.ring(2) == [[1], [0]]
    scores = wish.score([row(made(1, "wits", "dark", 2)), row(made(2, "wits"))], [likes("fight")] * 2)
    assert [points.dark for points in scores] == [2, 0]


def test_ruling_22_three_players_are_all_neighbours() -> None:
    assert wish.ring(3) == [[1, 2], [0, 2], [0, 1]]
    quests = [row(made(1, "wits", "dark", 1)), row(made(2, "wits")), row(made(3, "wits"))]
    assert wish.score(quests, [likes("fight")] * 3)[0].dark == 2


@pytest.mark.parametrize("n", [4, 5, 6])
def test_ruling_31_dark_cards_see_only_the_two_seats_beside(n: int) -> None:
    counts = [seat + 1 for seat in range(n)]
    quests = [row(made(100, "wits", "dark", 1), *(made(i, "wits") for i in range(count - 1))) for count in counts]
    scores = wish.score(quests, [likes("fight")] * n)
    assert [points.dark for points in scores] == [counts[(seat - 1) % n] + counts[(seat + 1) % n] for seat in range(n)]


def test_ruling_32_the_black_spine_of_the_example_is_a_dark_card() -> None:
    wits = BY_NUMBER[19]
    assert (wits["icon"], wits["spine"], wits["points"]) == ("wits", "dark", 2)
    assert {card["spine"] for card in CARDS} == {"plain", "light", "dark"}


def test_given_neighbours_replace_the_ring() -> None:
    quests = [row(made(1, "wits", "dark", 1)), row(made(2, "wits")), row(made(3, "wits"))]
    assert wish.score(quests, [likes("fight")] * 3, [[2], [], []])[0].dark == 1


def test_a_score_is_a_sum_over_pairs_of_cards() -> None:
    # Another way to count: each (scorer, scored) pair of face-up cards pays the scorer's points.
    for result in all_random_games():
        characters = [CHARACTER[identifier] for identifier in result.characters]
        assert wish.score(result.quests, characters) == result.scores
        assert tuple(by_pairs(result, seat) for seat in range(len(result.quests))) == result.scores


def by_pairs(result: wish.Result, seat: int) -> Score:
    """Score one seat of a finished game pair by pair."""
    shown = [(owner, card) for owner, places in enumerate(result.quests) for card, is_up in places if is_up]
    n = len(result.quests)
    points = {"light": 0, "dark": 0}
    for (owner, card), (other_owner, other) in product(shown, shown):
        if owner != seat or card is other or card["icon"] != other["icon"]:
            continue
        apart = (other_owner - owner) % n
        if card["spine"] == "light" and apart == 0:
            points["light"] += card["points"]
        if card["spine"] == "dark" and apart in (1, n - 1):
            points["dark"] += card["points"]
    mine = Counter(card["icon"] for owner, card in shown if owner == seat)
    lines = CHARACTER[result.characters[seat]]["scores"]
    met = [line for line in lines if result.lengths[seat] >= line["more_than"] + 1]
    return Score(sum(line["points"] * mine[line["icon"]] for line in met), points["light"], points["dark"])


# ---------------------------------------------------------------- rulings 23 to 28: end, leftovers, characters


def test_ruling_23_the_round_is_finished_when_a_quest_reaches_nine() -> None:
    together = 0
    for result in all_random_games():
        for record in result.history:
            assert len(record.taken) == len(result.lengths) + 1
        assert all(max(record.lengths) < 9 for record in result.history[:-1])
        together += sum(length >= 9 for length in result.lengths) > 1
        assert result.reason == "length"
    assert together > 0


def test_ruling_24_a_face_down_leftover_is_known_to_its_dealer_alone() -> None:
    answers = [*FIRST_ANSWERS, *second_round(1, 0)]
    _, script, result = follow(FIRST_TWO, [ROUND_ONE, ROUND_TWO], answers)
    assert [record.discarded for record in result.history] == [[4], [1]]
    seen = {view.seat: view.leftovers for view in script.views if view.round_number == 2}
    assert seen == {0: (BY_NUMBER[4],), 1: (None,)}


def test_ruling_24_a_face_up_leftover_is_known_to_all() -> None:
    first: list[Answer] = [*FIRST_ANSWERS[:3], (0, "take", 60), (0, "take", 4)]
    _, script, result = follow(FIRST_TWO, [ROUND_ONE, ROUND_TWO], [*first, *second_round(1, 0)])
    assert result.history[0].discarded == [11]
    assert all(v.leftovers == (BY_NUMBER[11],) for v in script.views if v.round_number == 2)


def test_ruling_24_leftovers_never_come_back() -> None:
    for result in all_random_games():
        drawn = [number for record in result.history for number in record.offer]
        assert len(set(drawn)) == len(drawn)


def most_rounds(n: int) -> int:
    """Return the last round that can be reached: before it nobody has more than eight cards.

    After r rounds the quests hold n + r (n + 1) cards together, and at most 8 n while the game goes on.
    """
    return 7 * n // (n + 1) + 1


# Origin: derived bounds D4 and D5 of the reconstruction.
DRAWN_AT_MOST = {2: 30, 3: 38, 4: 46, 5: 61, 6: 69}


@pytest.mark.parametrize("n", PLAYERS)
def test_d4_a_game_lasts_four_to_seven_rounds(n: int) -> None:
    rounds = {result.rounds for rank_by in ("newest", "highest") for result in random_games(n, rank_by)}
    assert min(rounds) >= 4
    assert max(rounds) <= most_rounds(n) <= 7


def lowest_or_highest(wants_highest: Callable[[int, View], bool]) -> Policy:
    """Hide and take low numbers, except where a seat wants the highest that it sees."""

    def choose(seat: int, kind: str, actions: Sequence[int], view: View) -> int:
        if kind == "flip":
            return actions[0]
        numbers = {action: number_seen(view, action) for action in actions}
        known = [action for action in actions if numbers[action] > 0]
        pick = max if kind == "take" and wants_highest(seat, view) else min
        return pick(known, key=lambda action: numbers[action])

    return choose


def number_seen(view: View, slot: int) -> int:
    """Return the number in a slot, 0 when the seat does not know it."""
    card: Mapping[str, Any] | None = view.offer[slot].card
    return 0 if card is None else int(card["number"])


@pytest.mark.parametrize("n", PLAYERS)
def test_d4_one_dealer_throughout_ends_the_game_after_four_rounds(n: int) -> None:
    # The dealer's last card is the highest of the offer.
    keep = lowest_or_highest(lambda seat, view: seat == view.dealer)
    result = wish.play(CARDS, CHARACTERS, RULES, n, 1, 0, twice(keep))
    assert len(set(result.dealers)) == 1
    assert result.rounds == 4
    assert sorted(result.lengths) == [5] * (n - 1) + [9]


def twice(policy: Policy) -> Policy:
    """Let the dealer take low first, so that only his second card follows the policy."""

    def choose(seat: int, kind: str, actions: Sequence[int], view: View) -> int:
        left = sum(not slot.taken for slot in view.offer)
        is_first = seat == view.dealer and left == len(view.offer) - len(view.order) + 1
        if kind == "take" and is_first:
            return min(actions, key=lambda action: number_seen(view, action))
        return policy(seat, kind, actions, view)

    return choose


@pytest.mark.parametrize("n", PLAYERS)
def test_d4_dealers_in_turn_reach_the_longest_game(n: int) -> None:
    # The seat after the dealer takes the highest card, so every seat deals once in n rounds.
    in_turn = lowest_or_highest(lambda seat, view: seat == (view.dealer + 1) % n)
    result = wish.play(CARDS, CHARACTERS, RULES, n, 1, 0, in_turn)
    first = result.dealers[0]
    assert list(result.dealers) == [(first + turn) % n for turn in range(result.rounds)]
    assert result.rounds == most_rounds(n)


def test_d4_only_six_players_can_reach_a_seventh_round() -> None:
    assert [most_rounds(n) for n in PLAYERS] == [5, 6, 6, 6, 7]


@pytest.mark.parametrize("n", PLAYERS)
def test_d5_and_ruling_25_the_deck_never_runs_out(n: int) -> None:
    offered = n + RULES["offer_extra"][n]
    assert n + 7 * offered == DRAWN_AT_MOST[n] <= len(CARDS)
    for rank_by in ("newest", "highest"):
        for result in random_games(n, rank_by):
            assert n + sum(len(record.offer) for record in result.history) <= n + most_rounds(n) * offered


def test_ruling_25_a_deck_that_is_too_short_is_an_error() -> None:
    with pytest.raises(ValueError, match="4 cards are drawn from 3"):
        follow(FIRST_TWO, [ROUND_ONE[:3]], [])


def all_cards_are_there(table: wish.Table) -> None:
    assert sorted(card["number"] for card in table.cards()) == list(range(1, 76))


@pytest.mark.parametrize("n", PLAYERS)
def test_75_cards_are_conserved_at_every_choice(n: int) -> None:
    for deal in range(25):
        watch = Watch(n, 11, deal, all_cards_are_there)
        result = watch.run()
        gone = sum(len(record.discarded) for record in result.history)
        assert sum(result.lengths) + gone + len(watch.table.deck) == 75


@pytest.mark.parametrize(("rule", "others"), [("open", ("inigo", "westley")), ("hidden", (None, None))])
def test_ruling_27_characters_are_open_unless_the_rule_hides_them(rule: str, others: tuple[str | None, ...]) -> None:
    answers: list[Answer] = [
        (0, "conceal", 30),
        (0, "conceal", 31),
        (1, "take", 75),
        (2, "take", 32),
        (0, "take", 33),
        (0, "take", 30),
    ]
    script = follow([60, 7, 20], [[75, 30, 31, 32, 33]], answers, character_cards=rule)[1]
    assert script.views[0].characters == ("rugen", *others)
    if rule == "hidden":
        assert script.views[2].characters == (None, "inigo", None)


def test_ruling_28_characters_are_dealt_without_replacement() -> None:
    for result in random_games(6):
        assert len(set(result.characters)) == 6


def test_ruling_28_each_character_is_equally_likely_in_each_seat() -> None:
    deals = 2000
    counts: Counter[tuple[int, str]] = Counter()
    for deal in range(deals):
        dealt = wish.deal_characters(CHARACTERS, 6, rng.Stream(2, deal, wish.CHARACTER_STREAM), {})
        counts.update((seat, character["id"]) for seat, character in enumerate(dealt))
    expected = deals / 10
    error = sqrt(deals * 0.1 * 0.9)
    assert len(counts) == 60
    assert all(abs(count - expected) < 5 * error for count in counts.values())


def test_fixed_characters_stay_and_the_rest_is_dealt_from_the_others() -> None:
    fixed = {1: "rugen", 3: "buttercup"}
    for deal in range(50):
        stream = rng.Stream(2, deal, wish.CHARACTER_STREAM)
        dealt = [c["id"] for c in wish.deal_characters(CHARACTERS, 4, stream, fixed)]
        others = [c for c in CHARACTERS if c["id"] not in fixed.values()]
        pile = wish.shuffled(rng.Stream(2, deal, wish.CHARACTER_STREAM), others)
        assert dealt == [pile[0]["id"], "rugen", pile[1]["id"], "buttercup"]


def test_a_character_cannot_be_fixed_twice() -> None:
    with pytest.raises(ValueError, match="fixed twice"):
        wish.play(CARDS, CHARACTERS, RULES, 2, 1, 0, Script([]), fixed={0: "rugen", 1: "rugen"})


# ---------------------------------------------------------------- rulings 29 and 30: ties


def test_ruling_29_a_still_counts_once_when_it_shows_the_character_face_up() -> None:
    # Westley is in 3, 5 and 36, not in 7; 5 lies face down.
    mine = quest([3, 5, 7, 36], down=[5])
    assert wish.pictures(mine, CHARACTER["westley"], "face_up") == 2
    assert wish.pictures(mine, CHARACTER["westley"], "all") == 3
    assert wish.pictures(mine, CHARACTER["buttercup"], "face_up") == 3


@pytest.mark.parametrize(
    ("totals", "stills", "expected"),
    [
        ([7, 9, 8], [5, 0, 5], (1,)),
        ([9, 9, 8], [1, 2, 9], (1,)),
        ([9, 9, 8], [2, 2, 9], (0, 1)),
        ([4, 4, 4, 4], [0, 3, 1, 3], (1, 3)),
    ],
)
def test_ruling_30_points_then_pictures_then_a_shared_win(
    totals: list[int], stills: list[int], expected: tuple[int, ...]
) -> None:
    assert wish.winners(totals, stills) == expected


def test_results_name_winners_margin_and_pictures() -> None:
    seen: set[tuple[bool, bool]] = set()
    for result in all_random_games():
        totals = [points.total for points in result.scores]
        best = [seat for seat, total in enumerate(totals) if total == max(totals)]
        seen.add((len(best) > 1, result.by_pictures))
        assert set(result.winners) <= set(best)
        assert result.by_pictures == (len(best) > 1 and len(result.winners) == 1)
        assert (result.margin == 0) == (len(best) > 1)
        assert result.margin == min(
            max(totals) - max(total for seat, total in enumerate(totals) if seat != winner) for winner in result.winners
        )
    assert seen == {(False, False), (True, False), (True, True)}


def test_ruling_29_counting_all_cards_changes_nothing_but_winners_of_ties() -> None:
    changed = []
    for deal, plain in enumerate(random_games(4)):
        other = random_game(4, deal, tie_break_counts="all")
        assert (other.log, other.scores) == (plain.log, plain.scores)
        if other.winners != plain.winners:
            changed.append(plain.margin)
    assert set(changed) == {0}


def test_the_round_cap_leaves_a_game_without_winner() -> None:
    capped = random_game(4, 0, round_cap=3)
    assert (capped.winners, capped.reason, capped.rounds, capped.turns) == ((), "round-cap", 3, 12)
    whole = random_game(4, 0)
    assert whole.log[: capped.decisions] == capped.log
    # A game that ends in the very round of the cap is won.
    assert random_game(4, 0, round_cap=whole.rounds).winners == whole.winners


# ---------------------------------------------------------------- streams and choices


def test_the_deal_is_the_published_shuffle() -> None:
    stream = rng.Stream(7, 3, 7)
    pile = [card["number"] for card in CARDS]
    for last in range(74, 0, -1):
        other = stream.below(last + 1)
        pile[last], pile[other] = pile[other], pile[last]
    result = random_game(3, 3)
    assert [places[0].card["number"] for places in result.quests] == pile[:3]
    drawn = [number for record in result.history for number in record.offer]
    assert drawn == pile[3 : 3 + len(drawn)]


def test_characters_are_dealt_in_seat_order_from_stream_six() -> None:
    pile = wish.shuffled(rng.Stream(7, 3, 6), [character["id"] for character in CHARACTERS])
    assert random_game(5, 3).characters == tuple(pile[:5])


def test_every_deck_order_is_equally_likely() -> None:
    deals = 4000
    orders = Counter(tuple(wish.shuffled(rng.Stream(4, deal, wish.DECK_STREAM), "abcd")) for deal in range(deals))
    share = 1 / 24
    error = sqrt(deals * share * (1 - share))
    assert len(orders) == 24
    assert all(abs(count - deals * share) < 5 * error for count in orders.values())


def test_random_players_draw_from_the_stream_of_their_seat() -> None:
    streams = [rng.Stream(7, 5, seat) for seat in range(6)]
    for entry in random_game(6, 5).log:
        assert entry.action == entry.actions[streams[entry.seat].below(len(entry.actions))]


def test_choices_are_offered_in_ascending_order_and_never_alone() -> None:
    for result in all_random_games():
        assert all(list(entry.actions) == sorted(set(entry.actions)) for entry in result.log)
        assert all(len(entry.actions) > 1 for entry in result.log)
        assert result.decisions == len(result.log)
        assert result.turns == result.rounds * len(result.lengths)


def test_an_action_that_was_not_offered_is_refused() -> None:
    with pytest.raises(ValueError, match="answered 99 to conceal"):
        wish.play(CARDS, CHARACTERS, RULES, 2, 1, 0, lambda *_: 99)


# ---------------------------------------------------------------- exact counts for uniform choices


@cache
def chance_of_more_rounds(n: int, rounds: int) -> float:
    """Return the chance that no quest has nine cards after these rounds, with every dealer uniform.

    Counts the sequences of dealers in which no seat deals more often than it may.
    """
    may_deal = 8 - LENGTH_AT_START - rounds
    if may_deal < 0:
        return 0.0
    sequences = product(range(n), repeat=rounds)
    good = sum(max(Counter(dealers).values(), default=0) <= may_deal for dealers in sequences)
    return float(good / n**rounds)


@pytest.mark.parametrize("n", PLAYERS)
def test_random_games_last_as_long_as_uniform_dealers_make_them(n: int) -> None:
    # With uniform choices every seat's newest card is a uniform card of the last offer, whatever happened
    # before, so the dealers are independent and uniform.
    rounds = [result.rounds for result in random_games(n)]
    for length in range(4, 7):
        share = chance_of_more_rounds(n, length)
        error = sqrt(share * (1 - share) / len(rounds))
        assert abs(fmean(r > length for r in rounds) - share) <= 5 * error
    assert all(chance_of_more_rounds(n, length) == 1 for length in range(4))


@pytest.mark.parametrize("n", PLAYERS)
def test_random_dealers_are_uniform_in_every_round(n: int) -> None:
    games = random_games(n)
    error = sqrt(len(games) * (1 / n) * (1 - 1 / n))
    for round_index in range(4):
        counts = Counter(result.dealers[round_index] for result in games)
        assert all(abs(counts[seat] - len(games) / n) < 5 * error for seat in range(n))


def reshuffled_faces(deal: int) -> list[Card]:
    """Return the cards of the box with their numbers dealt anew, so that a number says nothing."""
    faces = list(CARDS)
    random.Random(deal).shuffle(faces)
    return [{**face, "number": number} for number, face in enumerate(faces, start=1)]


def pair_points(spine: str) -> float:
    """Return the mean points that an ordered pair of different cards pays for this spine."""
    pays = [
        card["points"] if card["spine"] == spine and card["icon"] == other["icon"] else 0
        for card, other in product(CARDS, CARDS)
        if card is not other
    ]
    return fmean(pays)


def expected_scores(result: wish.Result) -> list[float]:
    """Return the mean points by source over all faces, given the lengths; nothing is face down."""
    lengths, beside = result.lengths, wish.ring(len(result.lengths))
    icon_share = 1 / len(ICONS)
    return [
        sum(
            line["points"] * length * icon_share
            for length, identifier in zip(lengths, result.characters, strict=True)
            for line in CHARACTER[identifier]["scores"]
            if length > line["more_than"]
        ),
        sum(length * (length - 1) for length in lengths) * pair_points("light"),
        sum(lengths[seat] * lengths[other] for seat in range(len(lengths)) for other in beside[seat])
        * pair_points("dark"),
    ]


@pytest.mark.parametrize("n", PLAYERS)
def test_without_poison_random_games_score_what_pairs_of_cards_pay(n: int) -> None:
    # Uniform choices look at no face, so quests of given lengths are uniform sets of cards.
    differences: list[list[float]] = [[], [], []]
    for deal in range(100):
        cards, choose = reshuffled_faces(deal), wish.random_player(5, deal)
        rules = {**RULES, "poison_limit": sum(card["poison"] for card in CARDS)}
        result = wish.play(cards, CHARACTERS, rules, n, 5, deal, choose)
        assert sum(result.hidden) == 0
        for source, expected in enumerate(expected_scores(result)):
            differences[source].append(sum(points[source] for points in result.scores) - expected)
    for values in differences:
        assert abs(fmean(values)) < 5 * stdev(values) / sqrt(len(values))
