"""The random streams: published vectors, the chain of keys, unbiased draws, no luck shared by two games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import rng as plain
from simcore import rng
from support import chi_square, chi_square_limit, scaled

STREAMS = 5
SEEDS = (0, 1, 2, 20_231_130, 2**52, rng.SEED_LIMIT - 1)
LARGEST = 2**64 - 1

# Origin: S. Vigna's splitmix64.c (prng.di.unimi.it) started with 0; the usual seeding of xoroshiro.
VECTORS_OF_ZERO = (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC)


@pytest.fixture(autouse=True)
def _wrap() -> Iterator[None]:
    """Let 64-bit numbers wrap without a warning where JIT is off, as the player does."""
    with np.errstate(over="ignore"):
        yield


def streams(seed: int = 11, deal: int = 7) -> Any:
    """Return the record of the streams of a deal."""
    record = np.zeros(1, rng.dtype(STREAMS)).view(np.recarray)[0]
    open_deal(record, seed, deal)
    return record


def open_deal(record: Any, seed: int, deal: int) -> None:
    rng.open_streams(record, derived(derived(seed, 0), deal))


def derived(key: int, number: int) -> np.uint64:
    """Return a derived key. Outside of kernels numba returns it as a Python number, so it is typed again."""
    return np.uint64(rng.derive(np.uint64(key), np.uint64(number)))


def shown(record: Any) -> tuple[list[int], ...]:
    """Return the fields of a record of streams as Python numbers."""
    return tuple([int(n) for n in record[name]] for name in ("root", "key", "count"))


# ---------------------------------------------------------------- keys


@pytest.mark.parametrize(("seed", "expected"), [(0, VECTORS_OF_ZERO), (plain.VECTOR_SEED, plain.VECTORS)])
def test_numbers_derived_from_a_seed_are_the_published_outputs(seed: int, expected: tuple[int, ...]) -> None:
    assert tuple(int(derived(seed, n)) for n in range(len(expected))) == expected


@given(st.integers(0, LARGEST), st.integers(0, LARGEST))
@settings(max_examples=200, derandomize=True, deadline=None)
def test_derive_agrees_with_plain_integers(key: int, number: int) -> None:
    with np.errstate(over="ignore"):
        assert int(derived(key, number)) == plain.derive(key, number)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("deal", [0, 1, 999_999_999_999])
def test_every_stream_starts_at_the_key_of_seed_deal_and_purpose(seed: int, deal: int) -> None:
    keys = [plain.stream_key(seed, deal, number) for number in range(STREAMS)]
    assert shown(streams(seed, deal)) == (keys, keys, [0] * STREAMS)


def test_opening_a_deal_forgets_the_one_before() -> None:
    record = streams(3, 4)
    rng.rekey(record, 2, 9)
    for _ in range(5):
        rng.bits(record, 1)
    open_deal(record, 11, 7)
    assert shown(record) == shown(streams(11, 7))


def test_a_new_round_gives_the_same_numbers_whatever_was_drawn_before() -> None:
    one, other = streams(), streams()
    for _ in range(3):
        rng.below(one, 2, 6)
    rng.rekey(one, 2, 1)
    rng.below(one, 2, 6)
    for record in (one, other):
        rng.rekey(record, 2, 2)
    assert shown(one) == shown(other)
    twin = plain.Stream(11, 7, 2)
    twin.rekey(2)
    assert [int(rng.below(one, 2, 1000)) for _ in range(20)] == [twin.below(1000) for _ in range(20)]


def test_a_new_round_moves_no_other_stream() -> None:
    record, before = streams(), shown(streams())
    rng.rekey(record, 2, 5)
    root, key, count = shown(record)
    assert (root, count) == (before[0], before[2])
    assert [n for n in range(STREAMS) if key[n] != before[1][n]] == [2]


@pytest.mark.parametrize("keep", [-1, 0, 3])
def test_reseeding_replaces_all_streams_but_the_one_to_keep(keep: int) -> None:
    record = streams()
    rng.rekey(record, 3, 5)
    for stream in range(STREAMS):
        rng.bits(record, stream)
    before = shown(record)
    rng.reseed(record, np.uint64(77), keep)
    new = [plain.derive(77, number) for number in range(STREAMS)]
    root, key, count = shown(record)
    for stream in range(STREAMS):
        kept = (before[0][stream], before[1][stream], before[2][stream])
        wanted = kept if stream == keep else (new[stream], new[stream], 0)
        assert (root[stream], key[stream], count[stream]) == wanted


def test_seeking_chooses_the_number_that_comes_next() -> None:
    record = streams()
    in_order = [int(rng.bits(record, 4)) for _ in range(8)]
    for position in (5, 0, 7):
        rng.seek(record, 4, position)
        assert int(rng.bits(record, 4)) == in_order[position]


# ---------------------------------------------------------------- draws

# A quarter, half and nearly none of all words are drawn again; the last two bounds are the ends of the range.
BOUNDS = (1, 2, 3, 6, 12, 1000, 3 << 30, (1 << 31) + 1, (1 << 32) - 1, 1 << 32)


@pytest.mark.parametrize("bound", BOUNDS)
def test_bounded_draws_agree_with_plain_integers(bound: int) -> None:
    record, twin = streams(), plain.Stream(11, 7, 4)
    for count in range(300):
        assert int(record.count[4]) == count
        assert int(rng.below(record, 4, bound)) == twin.below(bound)


def test_a_rejected_word_is_drawn_again_far_ahead_and_costs_no_later_number() -> None:
    bound = (1 << 31) + 1  # nearly half of all words are rejected
    key = plain.stream_key(11, 7, 4)
    record = streams()
    again = 0
    for count in range(200):
        words = [plain.derive(key, count + (redraw << 32)) >> 32 for redraw in range(64)]
        accepted = [value for word in words if (value := plain.lemire(word, bound)) is not None]
        again += plain.lemire(words[0], bound) is None
        assert int(rng.below(record, 4, bound)) == accepted[0]
        assert int(record.count[4]) == count + 1
    # 200 words, each rejected with chance just below a half: a stream without rejections is no test.
    assert again > 0


@given(st.integers(1, 1 << 32), st.integers(0, (1 << 53) - 1))
@settings(max_examples=200, derandomize=True, deadline=None)
def test_a_bounded_draw_stays_below_its_bound(bound: int, seed: int) -> None:
    with np.errstate(over="ignore"):
        assert 0 <= int(rng.below(streams(seed), 0, bound)) < bound


@pytest.mark.parametrize("bound", [6, 10])
def test_bounded_draws_are_uniform(bound: int) -> None:
    record, draws = streams(), scaled(12_000)
    counts = Counter(int(rng.below(record, 2, bound)) for _ in range(draws))
    statistic = chi_square([counts[value] for value in range(bound)], [draws / bound] * bound)
    assert statistic < chi_square_limit(bound - 1)


def test_uniform_numbers_are_the_top_53_bits() -> None:
    record, twin = streams(), streams()
    values = [float(rng.uniform(record, 1)) for _ in range(200)]
    assert values == [(int(rng.bits(twin, 1)) >> 11) / 2**53 for _ in range(200)]
    assert 0 <= min(values) < max(values) < 1


# ---------------------------------------------------------------- shuffles


def test_a_shuffle_agrees_with_fisher_and_yates_in_plain_python() -> None:
    record, twin = streams(), plain.Stream(11, 7, 4)
    items, cards = np.arange(52, dtype=np.int32), list(range(52))
    rng.shuffle(record, 4, items, 40)
    for i in range(39, 0, -1):
        j = twin.below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    assert items.tolist() == cards
    assert cards[40:] == list(range(40, 52))


def test_all_orders_of_four_cards_are_equally_likely() -> None:
    # B13: a biased shuffle (an index drawn from all four, or from one too few) misses this by far.
    shuffles = scaled(24_000)
    record = streams()
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(shuffles):
        cards = np.arange(4, dtype=np.int32)
        rng.shuffle(record, 4, cards, 4)
        counts[tuple(cards.tolist())] += 1
    orders = list(permutations(range(4)))
    statistic = chi_square([counts[order] for order in orders], [shuffles / len(orders)] * len(orders))
    assert statistic < chi_square_limit(len(orders) - 1)


@pytest.mark.parametrize("n", [0, 1])
def test_shuffling_nothing_draws_nothing(n: int) -> None:
    record = streams()
    items = np.arange(3, dtype=np.int32)
    rng.shuffle(record, 4, items, n)
    assert (items.tolist(), int(record.count[4])) == ([0, 1, 2], 0)


# ---------------------------------------------------------------- no shared luck


def first_draws(seed: int, deals: int) -> set[int]:
    """Return the first number of each stream in each deal."""
    record = streams()
    found = set()
    for deal in range(deals):
        open_deal(record, seed, deal)
        found |= {int(rng.bits(record, stream)) for stream in range(STREAMS)}
    return found


def test_no_two_deals_and_no_two_streams_begin_alike() -> None:
    # B10, B11. 64-bit numbers: a coincidence in 10,000 has a chance of about 3e-12.
    deals = scaled(2_000)
    assert len(first_draws(5, deals)) == deals * STREAMS


def test_two_seeds_share_no_game() -> None:
    # C2: seeds are no offsets of game numbers, so neighbours have nothing in common.
    deals = scaled(500)
    per_seed = [first_draws(seed, deals) for seed in SEEDS]
    assert len(set().union(*per_seed)) == len(SEEDS) * deals * STREAMS


def test_rounds_of_a_stream_begin_differently() -> None:
    record = streams()
    begins = set()
    for number in range(501):
        rng.rekey(record, 2, number)
        begins.add(int(rng.bits(record, 2)))
    assert len(begins) == 501


# ---------------------------------------------------------------- seeds of scenarios

DUEL = {
    "game": "hate-to-kill-you",
    "seats": [{"strategy": "random", "character": "inigo"}, {"strategy": "random", "character": "rugen"}],
}


def test_a_scenario_without_a_seed_gets_a_new_one_of_full_width(load_scenario: Callable[..., Any]) -> None:
    # B14, B15. Sixty loads within a second: 53 random bits differ, and one at least sets the top three.
    seeds = [load_scenario(DUEL).match.seed for _ in range(60)]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < rng.SEED_LIMIT for seed in seeds)
    # The chance that none of them reaches the upper half is 2**-60.
    assert max(seeds) >= rng.SEED_LIMIT // 2


@pytest.mark.parametrize("seed", [0, rng.SEED_LIMIT - 1])
def test_the_smallest_and_the_largest_seed_are_played_as_given(
    seed: int, load_scenario: Callable[..., Any], player_of: Callable[..., Any]
) -> None:
    loaded = load_scenario({**DUEL, "seed": seed})
    assert loaded.match.seed == seed
    rows = player_of(loaded).play(0, 30)
    other = player_of(load_scenario({**DUEL, "seed": 1})).play(0, 30)
    assert rows.tobytes() != other.tobytes()
