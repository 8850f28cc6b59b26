"""Counter-seeded random streams: a game is (seed, deal, purpose), never a worker or an order of calls.

The generator is SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators") read as a
counter: number n of the stream with a key is ``mix(key + (n + 1) * GAMMA)``. Keys are derived by the same function::

    run    = derive(seed, 0)
    deal   = derive(run, deal number)
    stream = derive(deal, stream number)
    round  = derive(stream, round)          only streams that are re-keyed by round

so that a card that draws more in one round leaves the next round's dice as they were.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.jit import kernel

VERSION = "splitmix64/1"
SEED_LIMIT = 2**53

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32, _S11 = (np.uint64(n) for n in (30, 27, 31, 32, 11))
_ONE = np.uint64(1)
_LOW = np.uint64(0xFFFFFFFF)
_REDRAW = np.uint64(1 << 32)


def dtype(streams: int) -> np.dtype[Any]:
    """Return the record of `streams` streams: `root` (u8, before re-keying), `key` (u8) and `count` (u8, drawn)."""
    return np.dtype([("root", "u8", (streams,)), ("key", "u8", (streams,)), ("count", "u8", (streams,))], align=True)


@kernel
def mix(z: Any) -> Any:
    """Return the SplitMix64 finaliser of a uint64."""
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@kernel
def derive(key: Any, number: Any) -> Any:
    """Return output `number` (uint64, from 0) of SplitMix64 seeded with `key` (uint64)."""
    return mix(key + (number + _ONE) * _GAMMA)


@kernel
def open_streams(rng: Any, deal_key: Any) -> None:
    """Set every stream of `rng` to the start of its deal."""
    for stream in range(rng.key.shape[0]):
        key = derive(deal_key, np.uint64(stream))
        rng.root[stream] = key
        rng.key[stream] = key
        rng.count[stream] = np.uint64(0)


@kernel
def rekey(rng: Any, stream: int, number: int) -> None:
    """Move `stream` to its part for round `number`, whatever was drawn before."""
    rng.key[stream] = derive(rng.root[stream], np.uint64(number))
    rng.count[stream] = np.uint64(0)


@kernel
def reseed(rng: Any, random: Any, keep: int) -> None:
    """Give every stream but `keep` new randomness from `random` (uint64); `keep` = -1 spares none."""
    for stream in range(rng.key.shape[0]):
        if stream != keep:
            key = derive(random, np.uint64(stream))
            rng.root[stream] = key
            rng.key[stream] = key
            rng.count[stream] = np.uint64(0)


@kernel
def seek(rng: Any, stream: int, number: int) -> None:
    """Set which number of `stream` comes next, so that a die keeps its number whatever the others do."""
    rng.count[stream] = np.uint64(number)


@kernel
def bits(rng: Any, stream: int) -> Any:
    """Return the next 64 bits of `stream` as uint64."""
    number = rng.count[stream]
    rng.count[stream] = number + _ONE
    return derive(rng.key[stream], number)


@kernel
def below(rng: Any, stream: int, bound: int) -> Any:
    """Return an unbiased int64 in ``[0, bound)``, ``1 <= bound <= 2**32``; always advances the stream by one.

    Source: Lemire 2019, "Fast random integer generation in an interval". A rejected draw (probability below
    bound / 2**32) looks 2**32 numbers ahead, so that later draws keep their numbers.
    """
    number = rng.count[stream]
    rng.count[stream] = number + _ONE
    limit = np.uint64(bound)
    product = (derive(rng.key[stream], number) >> _S32) * limit
    if (product & _LOW) < limit:
        threshold = (_REDRAW - limit) % limit
        while (product & _LOW) < threshold:
            number += _REDRAW
            product = (derive(rng.key[stream], number) >> _S32) * limit
    return np.int64(product >> _S32)


@kernel
def uniform(rng: Any, stream: int) -> Any:
    """Return a float64 in [0, 1) with 53 random bits."""
    return np.float64(bits(rng, stream) >> _S11) * (1.0 / 9007199254740992.0)


@kernel
def shuffle(rng: Any, stream: int, items: Any, n: int) -> None:
    """Shuffle the first `n` entries of `items` in place (Fisher and Yates; Durstenfeld 1964)."""
    for i in range(n - 1, 0, -1):
        j = below(rng, stream, i + 1)
        items[i], items[j] = items[j], items[i]
