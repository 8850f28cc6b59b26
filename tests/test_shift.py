"""How far a mean has moved between two samples: the range, how often it is wrong, and what the gate makes of it."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest

from benchmarks import gate
from simcore import baseline
from simcore.stats.bounded import bounded_mean
from simcore.stats.shift import Sample, amount_shift, share_rules_out, share_shift


def test_a_shift_is_known_less_well_than_a_share_and_better_than_by_adding() -> None:
    for rate, n_base, n in ((0.5, 100_000, 20_000), (0.03, 20_000, 400_000), (0.0, 5_000, 5_000)):
        base = Sample(n_base, rate, n_base * rate * (1 - rate))
        now = Sample(n, rate, n * rate * (1 - rate))
        low, high = share_shift(base, now, 0.95)
        assert low == pytest.approx(-high)
        arms = [bounded_mean(round(rate * k), round(rate * k), k, 0.95)[1] - rate for k in (n_base, n)]
        assert 0.95 * max(arms) < high < sum(arms)
        assert share_rules_out(base, now, high * 1.001, 0.95) and not share_rules_out(base, now, high * 0.999, 0.95)
    assert share_shift(Sample(0, 0.0, 0.0), now, 0.95) == (-1.0, 1.0)
    assert amount_shift(Sample(999, 1.0, 5.0), now, 0.95)[1] == np.inf


@pytest.mark.parametrize("alpha", [0.05, 0.5])
def test_unchanged_shares_and_amounts_are_rarely_seen_to_move(alpha: float) -> None:
    """At any look; at alpha = 1/2 the test is not idle."""
    random = np.random.default_rng(3)
    streams, n_base, ends = 400, 5000, [1000, 1500, 2500, 5000, 10_000, 20_000]
    moved = {"share": 0, "amount": 0}
    for _ in range(streams):
        wins = random.binomial(n_base, 0.4)
        base = Sample(n_base, wins / n_base, wins * (1 - wins / n_base))
        values = random.poisson(9, n_base)
        amounts = Sample(n_base, float(values.mean()), float(((values - values.mean()) ** 2).sum()) + 1)
        coins, counts = random.random(ends[-1]) < 0.4, random.poisson(9, ends[-1])
        seen = set()
        for end in ends:
            rate, mean = coins[:end].mean(), counts[:end].mean()
            now = Sample(end, float(rate), float(end * rate * (1 - rate)))
            seen |= {"share"} if share_rules_out(base, now, abs(now.mean - base.mean), 1 - alpha) else set()
            later = Sample(end, float(mean), float(((counts[:end] - mean) ** 2).sum()) + 1)
            low, high = amount_shift(amounts, later, 1 - alpha)
            seen |= set() if low <= 0 <= high else {"amount"}
        for name in seen:
            moved[name] += 1
    assert all(count / streams <= alpha for count in moved.values()), moved
    assert alpha < 0.5 or all(moved.values()), moved


def test_the_gate_sees_a_point_beyond_the_margin_and_lets_pass_what_has_not_moved() -> None:
    random = np.random.default_rng(1)
    for shift, right in ((0.0, "pass"), (1.5, "fail"), (-1.5, "fail")):
        assert {gate.coin(shift, 0.998, random)[0] for _ in range(20)} == {right}


@pytest.mark.parametrize("shift", [0.0, 0.25, 1.0, 5.0])
def test_the_fixed_sample_test_that_the_gate_is_compared_with_has_the_power_it_is_given(shift: float) -> None:
    power, times, recorded = 0.9, 40_000, baseline.games_for(baseline.MARGIN, 1)
    n = round(gate.fixed(shift, power, 0.998))
    random = np.random.default_rng(2)
    moved = random.binomial(n, 0.5 + shift / 100, times) / n - random.binomial(recorded, 0.5, times) / recorded
    reach = NormalDist().inv_cdf(0.999) * np.sqrt(0.25 / n + 0.25 / recorded)
    margin = baseline.MARGIN / 100
    passed = abs(moved) + reach <= margin
    failed = (abs(moved) > reach) & (abs(moved) > margin)
    right = (passed if shift < baseline.MARGIN else failed).mean()
    assert abs(right - power) <= 5 * (power * (1 - power) / times) ** 0.5 + 0.005  # of the normal approximation
