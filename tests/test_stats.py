"""Statistics: closed forms, reference vectors, properties, and miscoverage under the null with peeking."""

from __future__ import annotations

import doctest
import importlib
import math
import pkgutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import pairwise, takewhile
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import simcore.stats
from simcore.stats.bounded import bounded_mean
from simcore.stats.clusters import amount_interval, ratio_interval, share_interval
from simcore.stats.looks import first_look, longer_arm, looks
from simcore.stats.mean import mean_interval
from simcore.stats.percentiles import percentile, summarize
from simcore.stats.roots import crossing
from simcore.stats.sequence import mean_sequence
from simcore.stats.simultaneous import balanced, leader, leader_of_two, simultaneous_confidence
from simcore.stats.wilson import wilson

HERE = Path(__file__).parent
MODULES = [module.name for module in pkgutil.iter_modules(simcore.stats.__path__)]
CONFIDENCES = [0.5, 0.9, 0.95, 0.99, 1 - 1e-4, 1 - 1e-7, 1 - 1e-9]
Interval = tuple[float, float]

# Fixed examples, no deadline: a slow machine must not turn a property into a flaky test.
settings.register_profile("stats", derandomize=True, deadline=None, max_examples=150)
properties = settings.get_profile("stats")


def vectors(name: str) -> list[Any]:
    """Return (case, relative tolerance) of each case of a file of reference vectors."""
    found = []
    for group in yaml.safe_load((HERE / "vectors" / name).read_text(encoding="utf-8"))["groups"]:
        assert len(group["origin"]) > 20, "a vector without an origin proves nothing"
        for case in group["cases"]:
            inputs = (str(value) for key, value in case.items() if key not in ("low", "high"))
            found.append(pytest.param(case, group["relative"], id=" ".join(inputs)))
    return found


def assert_interval(got: Interval, case: dict[str, Any], relative: float) -> None:
    """Compare both ends: relative to the width, plus the rounding of the end itself."""
    width = case["high"] - case["low"]
    for value, end in zip(got, (case["low"], case["high"]), strict=True):
        assert abs(value - end) <= relative * width + 4 * math.ulp(end), (got, case)


def z_value(confidence: float) -> float:
    """Return the two-sided normal quantile."""
    return -NormalDist().inv_cdf((1 - confidence) / 2)


# --- reference vectors -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("case", "relative"), vectors("wilson.yaml"))
def test_wilson_agrees_with_the_reference(case: dict[str, Any], relative: float) -> None:
    assert_interval(wilson(case["successes"], case["n"], case["confidence"]), case, relative)


@pytest.mark.parametrize(("case", "relative"), vectors("sequence.yaml"))
def test_mean_sequence_agrees_with_its_definition(case: dict[str, Any], relative: float) -> None:
    assert_interval(mean_sequence(case["total"], case["n"], case["confidence"]), case, relative)


@pytest.mark.parametrize(("case", "relative"), vectors("bounded.yaml"))
def test_bounded_mean_agrees_with_its_definition(case: dict[str, Any], relative: float) -> None:
    bounds = {key: case[key] for key in ("total", "total_squares", "n", "confidence", "least", "most")}
    assert_interval(bounded_mean(**bounds), case, relative)


@pytest.mark.parametrize(("case", "relative"), vectors("mean.yaml"))
def test_mean_interval_agrees_with_the_paper(case: dict[str, Any], relative: float) -> None:
    sums = {key: case[key] for key in ("total", "total_squares", "n", "confidence", "burn_in")}
    assert_interval(mean_interval(**sums), case, relative)


HISTOGRAMS = yaml.safe_load((HERE / "vectors" / "percentiles.yaml").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", HISTOGRAMS)
def test_summaries_agree_with_numpy_and_exact_fractions(case: dict[str, Any]) -> None:
    histogram = [(value, count) for value, count in case["histogram"]]
    summary = summarize(histogram)
    assert summary is not None
    seen = [value for value, count in histogram if count]
    assert (summary.min, summary.max) == (min(seen), max(seen))
    assert summary.mean == case["mean"]
    assert abs(summary.sd - case["sd"]) <= 2 * math.ulp(case["sd"])
    for percent, value in case["percentiles"].items():
        assert percentile(histogram, percent) == value


# --- closed forms and degenerate cases ---------------------------------------------------------------------


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("n", [1, 2, 50, 199, 500, 10**6, 10**10])
def test_wilson_matches_its_closed_form_at_none_and_all(n: int, confidence: float) -> None:
    miss = 1 / (n / z_value(confidence) ** 2 + 1)
    low, high = wilson(0, n, confidence)
    assert low == 0.0
    assert high == pytest.approx(miss, rel=1e-13)
    low, high = wilson(n, n, confidence)
    assert high == 1.0
    assert abs((1 - low) - miss) <= 2 * sys.float_info.epsilon


@pytest.mark.parametrize("confidence", CONFIDENCES)
def test_mean_sequence_matches_its_closed_form_after_one_game(confidence: float) -> None:
    # One loss has likelihood E[1 - q] under a mixture: 1/2 for the flat one, 1 - m for the centred one. So
    # 0.2 (1/2) / (1 - m) + 0.8 = 1 / alpha at the upper end.
    alpha = 1 - confidence
    low, high = mean_sequence(0, 1, confidence)
    assert low == 0.0
    # The solver stops within 1e-12 of the distance it walks, which is at most 1 here.
    assert 1 - high == pytest.approx(0.1 / (1 / alpha - 0.8), abs=2e-12)


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("n", [50, 500, 10**5, 10**10])
def test_mean_sequence_at_none_lies_between_its_two_mixtures(n: int, confidence: float) -> None:
    # (1 - m)^n >= alpha bounds any mixture from below; the flat part alone, at its weight, from above, where
    # B(1/2, n + 1/2) / B(1/2, 1/2) <= 1 / (0.2 pi alpha (1 - m)^n) has the closed form used here.
    alpha = 1 - confidence
    low, high = mean_sequence(0, n, confidence)
    flat = math.lgamma(n + 0.5) - math.lgamma(n + 1) - 0.5 * math.log(math.pi)
    assert low == 0.0
    assert -math.expm1(math.log(alpha) / n) < high < -math.expm1((math.log(0.2 * alpha) + flat) / n)


def bounded_coin(total: int, n: int, confidence: float) -> Interval:
    """Return `bounded_mean` of values 0 and 1, where the sum of squares is the sum."""
    return bounded_mean(total, total, n, confidence)


METHODS: dict[str, Callable[[int, int, float], Interval]] = {
    "wilson": wilson,
    "sequence": mean_sequence,
    "bounded": bounded_coin,
}


@pytest.mark.parametrize("method", METHODS)
def test_no_games_tell_nothing(method: str) -> None:
    assert METHODS[method](0, 0, 0.95) == (0.0, 1.0)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", [1, 50, 186, 500])
def test_unanimous_games_never_look_certain(method: str, n: int) -> None:
    for confidence in CONFIDENCES[1:]:
        low, high = METHODS[method](0, n, confidence)
        # A rate of 1 / (2 n) still gives no win in n games with probability above one half.
        assert low == 0.0
        assert high > 1 / (2 * n)
        low, high = METHODS[method](n, n, confidence)
        assert high == 1.0
        assert low < 1 - 1 / (2 * n)


@pytest.mark.parametrize("method", ["wilson", "sequence"])
def test_five_hundred_losses_at_a_tiny_alpha_still_bound_the_rate(method: str) -> None:
    assert METHODS[method](0, 500, 1 - 1e-7)[1] < 0.06


@pytest.mark.parametrize("method", METHODS)
def test_every_small_count_stays_inside_zero_and_one(method: str) -> None:
    for n in range(1, 41):
        for total in range(n + 1):
            low, high = METHODS[method](total, n, 0.95)
            assert 0.0 <= low <= total / n <= high <= 1.0
            assert low < high


@pytest.mark.parametrize("method", METHODS)
def test_higher_confidence_is_visibly_wider(method: str) -> None:
    widths = [high - low for low, high in (METHODS[method](900, 2000, level) for level in CONFIDENCES)]
    # Never by less than the ratio of log(1 / alpha) allows for a half-width that grows as its root at best.
    for (level, narrow), (next_level, wide) in pairwise(zip(CONFIDENCES, widths, strict=True)):
        assert wide > narrow * math.log(2 / (1 - next_level)) ** 0.1 / math.log(2 / (1 - level)) ** 0.1


def test_two_of_199_has_no_negative_bound() -> None:
    for method in METHODS.values():
        low, high = method(2, 199, 0.95)
        assert 0.0 <= low < 2 / 199 < high
    assert mean_sequence(2, 199, 0.95)[0] > 0.0


# --- properties --------------------------------------------------------------------------------------------

ns = st.one_of(st.integers(1, 300), st.integers(1, 10**10))
levels = st.sampled_from(CONFIDENCES)


@st.composite
def counts(draw: st.DrawFn) -> tuple[Fraction, int]:
    """Draw (total in 60ths, n), often close to none or all."""
    n = draw(ns)
    sixtieths = st.one_of(st.integers(0, 60 * n), st.integers(0, min(60 * n, 200)))
    total = Fraction(draw(sixtieths), 60)
    return (n - total if draw(st.booleans()) else total), n


@given(counts(), levels)
@properties
def test_mean_sequence_contains_the_share_and_is_symmetric(count: tuple[Fraction, int], level: float) -> None:
    total, n = count
    low, high = mean_sequence(float(total), n, level)
    assert 0.0 <= low <= float(total) / n <= high <= 1.0
    assert low < high
    assert (low == 0.0) == (total == 0)
    mirrored_low, mirrored_high = mean_sequence(float(n - total), n, level)
    # 60ths are rounded once on the way to a float, which moves an end by as much as the share moves.
    slack = 4 * (sys.float_info.epsilon + math.ulp(float(max(total, n - total))) / n) + 2e-12 * (high - low)
    assert abs(low - (1 - mirrored_high)) <= slack
    assert abs(high - (1 - mirrored_low)) <= slack


@given(counts(), st.integers(1, 120), levels)
@properties
def test_mean_sequence_grows_with_the_total(count: tuple[Fraction, int], step: int, level: float) -> None:
    total, n = count
    more = min(total + Fraction(step, 60), Fraction(n))
    low, high = mean_sequence(float(total), n, level)
    more_low, more_high = mean_sequence(float(more), n, level)
    # The solver stops within 1e-12 of the distance from the share.
    slack = 2e-12 * (high - low) + sys.float_info.epsilon
    assert more_low >= low - slack
    assert more_high >= high - slack


@given(st.integers(1, 10**8), st.integers(0, 10**8), levels)
@properties
def test_mean_sequence_shrinks_with_games(n: int, wins: int, level: float) -> None:
    wins = wins % (n + 1)
    low, high = mean_sequence(wins, n, level)
    later_low, later_high = mean_sequence(4 * wins, 4 * n, level)
    assert later_high - later_low < high - low


@given(st.lists(st.tuples(st.integers(-120, 120), st.integers(0, 10**7)), min_size=1, max_size=6), levels)
@properties
def test_bounded_mean_contains_the_average_and_shrinks(bins: list[tuple[int, int]], level: float) -> None:
    n, total, squares = (sum(count * value**power for value, count in bins) for power in (0, 1, 2))
    low, high = bounded_mean(total, squares, n, level, least=-120, most=120)
    assert -120 <= low < high <= 120
    if n:
        assert low <= total / n <= high
        later_low, later_high = bounded_mean(4 * total, 4 * squares, 4 * n, level, least=-120, most=120)
        assert later_high - later_low <= high - low
    mirrored = bounded_mean(-total, squares, n, level, least=-120, most=120)
    assert mirrored == pytest.approx((-high, -low), abs=120 * 2e-12)


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6), levels)
@properties
def test_bounded_mean_narrows_where_values_vary_less(low: int, middle: int, high: int, level: float) -> None:
    # Pulling one pair of values 0 and 2 together to 1 and 1 keeps the average.
    n, total, squares = low + middle + high + 2, middle + 2 * high + 2, middle + 4 * high + 4
    apart = bounded_mean(total, squares, n, level, most=2)
    together = bounded_mean(total, squares - 2, n, level, most=2)
    slack = 2e-12
    assert together[0] >= apart[0] - slack
    assert together[1] <= apart[1] + slack


@given(counts(), levels)
@properties
def test_wilson_contains_the_share_inside_zero_and_one(count: tuple[Fraction, int], level: float) -> None:
    total, n = count
    low, high = wilson(float(total), n, level)
    assert 0.0 <= low <= float(total) / n <= high <= 1.0
    assert low < high


def parabola(root: float, x: float) -> float:
    """Return a function of x that turns positive at `root`."""
    return x * x - root * root


def test_the_solver_errs_outwards_and_stops_at_the_end() -> None:
    for root in (1e-9, 0.3, 17.0, 599.0):
        for step in (1e-12, 1.0, 1e6):
            found = crossing(partial(parabola, root), step, 600.0, -root * root)
            assert root * (1 - sys.float_info.epsilon) <= found <= root * (1 + 2e-12)
    assert crossing(lambda x: -1.0, 0.1, 5.0, -1.0) == 5.0
    steep = crossing(lambda x: math.inf if x > 0.7 else -1e-3, 0.1, 1.0, -1e-3)
    assert 0.7 < steep <= 0.7 * (1 + 2e-12)


# --- durations ---------------------------------------------------------------------------------------------


def test_equal_durations_keep_a_width_that_shrinks_as_one_over_n() -> None:
    widths = []
    for n in (1000, 4000, 16000):
        low, high = mean_interval(5 * n, 25 * n, n, 0.95)
        assert low < 5 < high
        widths.append(high - low)
    # At fixed spread, width n^(1/2) falls towards z by burn-in; the spread itself falls as n^(-1/2).
    assert widths[0] > widths[1] * 4 and widths[1] > widths[2] * 3.5
    assert widths[0] / 2 > 3 / 1000, "an unseen value, one unit off, may have probability 3 / n"


def test_below_two_observations_nothing_is_claimed() -> None:
    assert mean_interval(0, 0, 0, 0.95) == (-math.inf, math.inf)
    assert mean_interval(7, 49, 1, 0.95) == (-math.inf, math.inf)
    assert amount_interval(1, 14, 196, 2, 0.95, least=0.0) == (0.0, math.inf)


def test_mean_interval_is_cut_at_the_smallest_observation() -> None:
    low, high = mean_interval(3, 5, 3, 0.95, least=0.0)
    assert low == 0.0 and high == mean_interval(3, 5, 3, 0.95)[1]


def test_huge_offsets_do_not_cancel() -> None:
    values = [0, 1, 1, 3, 5, 2, 2]
    offset = 10**12
    plain = mean_interval(sum(values), sum(v * v for v in values), len(values), 0.95)
    shifted = [value + offset for value in values]
    moved = mean_interval(sum(shifted), sum(v * v for v in shifted), len(values), 0.95)
    for end, moved_end in zip(plain, moved, strict=True):
        assert abs(moved_end - offset - end) <= 2 * math.ulp(float(offset))
    summary = summarize([(value, 1) for value in shifted])
    reference = summarize([(value, 1) for value in values])
    assert summary is not None and reference is not None and summary.sd == reference.sd


def test_one_observation_has_no_spread_and_none_has_no_summary() -> None:
    single = summarize([(7, 1), (9, 0)])
    assert single is not None
    assert (single.n, single.mean, single.sd, single.min, single.max) == (1, 7.0, 0.0, 7, 7)
    assert summarize([]) is None and summarize([(3, 0)]) is None
    assert percentile([], 50) is None and percentile([(3, 0)], 50) is None


def test_percentile_is_exact_where_a_float_share_is_not() -> None:
    # 0.07 * 100 = 7.000000000000001 in floats: the seventh of a hundred values would be missed.
    histogram = [(value, 1) for value in range(1, 101)]
    assert [percentile(histogram, percent) for percent in range(1, 101)] == list(range(1, 101))
    assert percentile(histogram, 0) == 1


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 9)), min_size=1, max_size=9), st.integers(0, 100))
@properties
def test_percentile_is_the_smallest_value_that_reaches_the_share(bins: list[tuple[int, int]], percent: int) -> None:
    histogram = sorted(bins)
    values = sorted(value for value, count in histogram for _ in range(count))
    found = percentile(histogram, percent)
    reached = [v for v in values if 100 * sum(other <= v for other in values) >= percent * len(values)]
    assert found == (reached[0] if reached else None)


# --- looks -------------------------------------------------------------------------------------------------


@given(st.integers(1, 12), st.integers(1, 5000), st.floats(1.001, 3.0), st.integers(1, 10**6))
@properties
def test_looks_grow_in_whole_deals_and_end_at_the_limit(rotation: int, first: int, growth: float, deals: int) -> None:
    limit = deals * rotation
    found = list(looks(rotation, first, growth, limit))
    assert found[-1] == limit
    assert all(look % rotation == 0 for look in found)
    assert all(before < after for before, after in pairwise(found))
    assert found[0] == min(limit, -(-first // rotation) * rotation)
    for before, after in pairwise(found[:-1]):
        assert after < before * growth + rotation + 1 and (after >= before * growth or after == before + rotation)


def test_looks_of_a_short_run_are_those_of_a_long_one() -> None:
    endless = list(takewhile(lambda look: look < 50_000, looks(6)))
    assert list(looks(6, limit=50_004))[:-1] == endless
    assert list(looks(6, limit=600_000))[: len(endless)] == endless


@pytest.mark.parametrize("rotation", [1, 2, 6])
@pytest.mark.parametrize("precision", [0.005, 0.01, 0.02, 0.05, 0.2])
def test_a_side_that_wins_every_game_does_not_end_the_run_at_the_first_look(precision: float, rotation: int) -> None:
    first = next(looks(rotation, first_look(precision, 0.95, rotation)))
    wins = first  # in whole wins; every deal counts `rotation`
    low, high = share_interval(first // rotation, wins, wins * rotation, rotation, 0.95, whole=1)
    assert longer_arm(low, 1.0, high) > precision
    later = 100_000 // rotation
    low, high = share_interval(later, later * rotation, later * rotation**2, rotation, 0.95, whole=1)
    assert longer_arm(low, 1.0, high) <= precision, "and yet it ends"


def test_half_a_point_keeps_the_first_look_at_one_thousand() -> None:
    assert first_look(0.005, 0.95) == 1000
    assert first_look(0.02, 0.95) < 1000


# --- leaders -----------------------------------------------------------------------------------------------


def test_bonferroni_divides_the_error_among_the_sides() -> None:
    assert 1 - simultaneous_confidence(0.95, 4) == pytest.approx(0.05 / 4)
    assert simultaneous_confidence(0.95, 1) == simultaneous_confidence(0.95, 0) == pytest.approx(0.95)


@pytest.mark.parametrize(
    ("intervals", "expected"),
    [
        ([(0.5, 0.6), (0.3, 0.4), (0.1, 0.2)], 0),
        ([(0.1, 0.2), (0.3, 0.4), (0.41, 0.6)], 2),
        ([(0.1, 0.2), (0.3, 0.5), (0.4, 0.6)], None),
        ([(0.3, 0.4), (0.4, 0.5)], None),
        ([(0.2, 0.9), (0.3, 0.4)], None),
        ([(0.9, 1.0)], None),
        ([], None),
    ],
)
def test_a_leader_lies_above_every_other_side(intervals: list[Interval], expected: int | None) -> None:
    assert leader(intervals) == expected


@pytest.mark.parametrize(
    ("intervals", "expected"),
    [
        ([(0.49, 0.51), (0.49, 0.51)], True),
        ([(0.47, 0.51), (0.49, 0.53)], None),
        ([(0.53, 0.55), (0.45, 0.47)], False),
        ([(0.32, 0.34), (0.33, 0.35), (0.30, 0.33)], None),
    ],
)
def test_balance_can_be_undecided(intervals: list[Interval], expected: bool | None) -> None:
    assert balanced(intervals, margin=0.02) is expected


def test_two_sides_are_told_apart_by_their_difference() -> None:
    # 10,000 games, no ties: 5,300 to 4,700, differences of +-60 sixtieths.
    side, low, high = leader_of_two(10_000, 600 * 60, 10_000 * 3600, 60, 0.95)
    assert side == 0 and 0 < low < 0.06 < high
    assert leader_of_two(10_000, -600 * 60, 10_000 * 3600, 60, 0.95) == (1, -high, -low)
    assert leader_of_two(10_000, 0, 10_000 * 3600, 60, 0.95)[0] is None
    assert leader_of_two(0, 0, 0, 60, 0.95) == (None, -1.0, 1.0)


# --- miscoverage under the null, peeking at every look -----------------------------------------------------

STREAMS = 2000
ALPHA = 0.05
LOOKS = list(looks(1, first=100, growth=1.3, limit=10_000))


def most_misses(streams: int, alpha: float, surprise: float = 1e-6) -> int:
    """Return the smallest k with P(misses > k) <= `surprise` if a stream misses with probability `alpha`."""
    log_odds = math.log(alpha) - math.log1p(-alpha)
    tail, k = 0.0, streams
    while tail <= surprise:
        log_choose = math.lgamma(streams + 1) - math.lgamma(k + 1) - math.lgamma(streams - k + 1)
        tail += math.exp(log_choose + k * log_odds + streams * math.log1p(-alpha))
        k -= 1
    return k + 1


def binned_totals(
    seed: int, values: list[int], chances: list[float], streams: int = STREAMS
) -> Iterator[tuple[int, Any, Any]]:
    """Yield (n, totals, totals of squares) of `streams` runs at every look; values drawn with `chances`."""
    rng = np.random.default_rng(seed)
    weights = np.array(values, dtype=np.int64)
    seen = np.zeros((streams, len(values)), dtype=np.int64)
    before = 0
    for n in LOOKS:
        seen += rng.multinomial(n - before, chances, size=streams)
        before = n
        yield n, seen @ weights, seen @ (weights * weights)


def accepted(method: Callable[[int, int, float], Interval], n: int, rate: float) -> tuple[int, int]:
    """Return the smallest and largest total whose interval holds `rate`, by bisection (ends grow with it)."""
    totals = range(n + 1)
    first = _bisect(lambda total: method(total, n, 1 - ALPHA)[1] >= rate, len(totals))
    return first, _bisect(lambda total: method(total, n, 1 - ALPHA)[0] > rate, len(totals)) - 1


def _bisect(holds: Callable[[int], bool], size: int) -> int:
    """Return the first index of range(size) from which `holds` is true, or size."""
    low, high = 0, size
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def misses_of_coin(method: Callable[[int, int, float], Interval], rate: float, seed: int) -> int:
    """Count the streams whose interval leaves out the true rate at any look."""
    missed = np.zeros(STREAMS, dtype=bool)
    for n, totals, _ in binned_totals(seed, [0, 1], [1 - rate, rate]):
        least, most = accepted(method, n, rate)
        missed |= (totals < least) | (totals > most)
    return int(missed.sum())


@pytest.mark.parametrize("rate", [0.5, 0.1, 0.01])
@pytest.mark.parametrize("method", ["sequence", "bounded"])
def test_peeking_at_coins_misses_no_more_often_than_promised(method: str, rate: float) -> None:
    assert misses_of_coin(METHODS[method], rate, seed=1) <= most_misses(STREAMS, ALPHA)


def test_peeking_with_a_fixed_sample_interval_breaks_its_promise() -> None:
    # The test above can fail: it does for Wilson, which is made for one look.
    assert misses_of_coin(wilson, 0.5, seed=1) > 2 * most_misses(STREAMS, ALPHA)


def misses_of_sums(
    seed: int, values: list[int], chances: list[float], interval: Callable[[int, int, int], Interval]
) -> int:
    """Count the streams in which `interval`(n, total, squares) ever leaves out the true mean."""
    mean = sum(value * chance for value, chance in zip(values, chances, strict=True))
    missed = [False] * (STREAMS // 2)
    for n, totals, squares in binned_totals(seed, values, chances, STREAMS // 2):
        for stream, (total, square) in enumerate(zip(totals.tolist(), squares.tolist(), strict=True)):
            if not missed[stream]:
                low, high = interval(n, total, square)
                missed[stream] = not low <= mean <= high
    return sum(missed)


# Three sides with equal rates: wins alone, shared by two (30) and by three (20 sixtieths).
# 17/60 + 1/30 + 1/60 = 1/3.
SHARED: tuple[list[int], list[float]] = ([0, 20, 30, 60], [0.6, 0.05, 1 / 15, 17 / 60])
# Two rotations of a deal: luck cancels (mostly one win each), luck adds up, seats decide nothing.
DEALS = {"cancels": [0.05, 0.9, 0.05], "adds up": [0.45, 0.1, 0.45], "independent": [0.25, 0.5, 0.25]}


def scaled(interval: Interval, factor: float) -> Interval:
    """Return both ends times `factor`."""
    return interval[0] * factor, interval[1] * factor


def test_peeking_at_shared_wins_misses_no_more_often_than_promised() -> None:
    def interval(n: int, total: int, squares: int) -> Interval:
        return scaled(share_interval(n, total, squares, 1, 1 - ALPHA), 60)

    assert misses_of_sums(2, *SHARED, interval) <= most_misses(STREAMS // 2, ALPHA)


@pytest.mark.parametrize("kind", DEALS)
def test_peeking_at_rotated_deals_misses_no_more_often_than_promised(kind: str) -> None:
    def interval(n: int, total: int, squares: int) -> Interval:
        return scaled(share_interval(n, total, squares, 2, 1 - ALPHA), 120)

    assert misses_of_sums(3, [0, 60, 120], DEALS[kind], interval) <= most_misses(STREAMS // 2, ALPHA)


def test_rotation_narrows_the_interval_where_luck_cancels() -> None:
    # Same 20,000 games, same even result; one win each in 90 % of the deals, or in every other one.
    cancels = share_interval(10_000, 600_000, 60**2 * (9_000 + 4 * 500), 2, 0.95)
    independent = share_interval(10_000, 600_000, 60**2 * (5_000 + 4 * 2_500), 2, 0.95)
    coins = mean_sequence(10_000, 20_000, 0.95)
    half_widths = [(high - low) / 2 for low, high in (cancels, independent, coins)]
    # A deal's average varies by 0.025 where luck cancels, by 0.125 where both games are independent coins.
    assert half_widths[0] < math.sqrt(2 * 0.025 / 0.125) * half_widths[2], "half of it is kept"
    assert half_widths[1] < math.sqrt(2) * half_widths[2], "never the price of playing every game twice"


# Skewed lengths; both games of a deal last equally long, so a deal's total is twice the length.
LENGTHS, CHANCES = [3, 4, 5, 6, 8, 12, 30], [0.2, 0.3, 0.2, 0.15, 0.1, 0.04, 0.01]
DEAL_LENGTHS = [2 * length for length in LENGTHS]


def test_peeking_at_durations_of_rotated_deals_keeps_the_promise() -> None:
    def interval(n: int, total: int, squares: int) -> Interval:
        return scaled(amount_interval(n, total, squares, 2, 1 - ALPHA, burn_in=2 * LOOKS[0]), 2)

    assert misses_of_sums(4, DEAL_LENGTHS, CHANCES, interval) <= most_misses(STREAMS // 2, ALPHA)


# What players of a deal had, and won with it in 60ths: nobody, one, or three at once, who win or lose together.
CASES = [(0, 0), (1, 0), (1, 60), (3, 0), (3, 60), (3, 180)]
CASE_CHANCES = [0.3, 0.2, 0.1, 0.2, 0.1, 0.1]


def test_peeking_at_shares_of_what_was_had_keeps_the_promise() -> None:
    rng = np.random.default_rng(8)
    streams = STREAMS // 2
    powers = np.array([(n, g, n * n, n * g, g * g) for n, g in CASES], dtype=np.int64)
    seen = np.zeros((streams, len(CASES)), dtype=np.int64)
    truth = np.dot(CASE_CHANCES, powers[:, 1]) / np.dot(CASE_CHANCES, powers[:, 0]) / 60
    missed = np.zeros(streams, dtype=bool)
    for before, n in pairwise((0, *LOOKS)):
        seen += rng.multinomial(n - before, CASE_CHANCES, size=streams)
        for stream in np.flatnonzero(~missed):
            ratio, low, high = ratio_interval(n, (seen[stream] @ powers).tolist(), 1, 1 - ALPHA, burn_in=LOOKS[0])
            assert low <= ratio <= high
            missed[stream] = not low <= truth <= high
    assert missed.sum() <= most_misses(streams, ALPHA)


def test_a_share_of_what_everybody_had_once_is_the_mean_over_deals() -> None:
    gains = [60, 0, 0, 30, 60, 20, 0, 0] * 500
    total, squares = sum(gains), sum(gain * gain for gain in gains)
    ratio, low, high = ratio_interval(len(gains), (len(gains), total, len(gains), total, squares), 1, 0.95)
    expected = scaled(amount_interval(len(gains), total, squares, 1, 0.95), 1 / 60)
    # four more deals, off by a whole win, widen it a little
    assert (ratio, low, high) == pytest.approx((total / len(gains) / 60, *expected), rel=1e-3)
    assert low < expected[0] < expected[1] < high
    assert ratio_interval(1_000, (0, 0, 0, 0, 0), 1, 0.95) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize("rotation", [1, 4])
def test_a_share_that_was_always_nothing_is_not_taken_for_certain(rotation: int) -> None:
    # Had once a game, never won with: the range must not be shorter than that of coins by more than a half.
    deals = 1000
    cases = deals * rotation
    never, low, high = ratio_interval(deals, (cases, 0, cases * rotation, 0, 0), rotation, 0.95)
    _, coins = mean_sequence(0, deals, 0.95)
    assert (never, low) == (0.0, 0.0)
    assert high > coins / 2
    always, low, high = ratio_interval(
        deals, (cases, 60 * cases, cases * rotation, 60 * cases * rotation, 3600 * cases * rotation), rotation, 0.95
    )
    assert (always, high) == (1.0, 1.0)
    assert low < 1 - coins / 2


def test_counting_rotated_games_as_independent_breaks_even_a_single_look() -> None:
    def interval(n: int, total: int, squares: int) -> Interval:
        if n != LOOKS[-1]:
            return -math.inf, math.inf
        games = 2 * n
        spread = math.sqrt((squares / 2 - total * total / games) / (games - 1))
        margin = z_value(1 - ALPHA) * spread / math.sqrt(games)
        return scaled((total / games - margin, total / games + margin), 2)

    misses = misses_of_sums(4, DEAL_LENGTHS, CHANCES, interval)
    assert misses > most_misses(STREAMS // 2, ALPHA)
    # The margin is too short by sqrt(2): 2 (1 - Phi(1.96 / sqrt 2)) = 16.6 % instead of 5 %.
    expected = 2 * (1 - NormalDist().cdf(z_value(1 - ALPHA) / math.sqrt(2)))
    assert misses <= most_misses(STREAMS // 2, expected)


def test_equal_sides_get_no_leader_and_are_not_called_unbalanced() -> None:
    sides, streams = 4, 400
    level = simultaneous_confidence(1 - ALPHA, sides)
    rng = np.random.default_rng(5)
    wins = np.zeros((streams, sides), dtype=np.int64)
    wrong = [False] * streams
    before = 0
    for n in LOOKS[::2]:
        wins += rng.multinomial(n - before, [1 / sides] * sides, size=streams)
        before = n
        for stream, row in enumerate(wins.tolist()):
            intervals = [mean_sequence(total, n, level) for total in row]
            wrong[stream] |= leader(intervals) is not None or balanced(intervals, margin=0.0) is False
    assert sum(wrong) <= most_misses(streams, ALPHA)


def test_two_equal_sides_with_ties_get_no_leader() -> None:
    # Differences of shares: a win, a tie or nobody, a loss; the true lead is zero.
    def interval(n: int, total: int, squares: int) -> Interval:
        side, low, high = leader_of_two(n, total, squares, 60, 1 - ALPHA)
        assert (side is None) == (low <= 0 <= high)
        return low, high

    assert misses_of_sums(6, [-60, 0, 60], [0.45, 0.1, 0.45], interval) <= most_misses(STREAMS // 2, ALPHA)


def test_the_miss_bound_is_the_binomial_quantile() -> None:
    # By hand, two fair coins: P(2 heads) = 1/4, P(>= 1 head) = 3/4.
    assert most_misses(2, 0.5, surprise=0.2) == 2
    assert most_misses(2, 0.5, surprise=0.25) == 1
    assert most_misses(2, 0.5, surprise=0.75) == 0


# --- the package as such -----------------------------------------------------------------------------------


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings_are_true(module: str) -> None:
    assert doctest.testmod(importlib.import_module(f"simcore.stats.{module}")).failed == 0


def test_statistics_import_nothing_heavy() -> None:
    heavy = {"numpy", "scipy", "statistics", "fractions", "decimal"}
    imports = "; ".join(f"import simcore.stats.{module}" for module in MODULES)
    code = f"import sys; {imports}; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=HERE.parent, check=True)
    assert done.stdout.strip() == "[]"
