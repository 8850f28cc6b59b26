"""The published random streams in plain Python integers.

A key is a 64-bit number. `derive(key, n)` is output n + 1 of SplitMix64 seeded with `key`, and every
stream, round and draw is reached from the seed by a chain of such steps.
"""

from __future__ import annotations

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15

VECTOR_SEED = 1234567
# Origin: Rosetta Code, "Pseudo-random numbers/Splitmix64", first five outputs for this seed.
VECTORS = (
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
)


def mix(value: int) -> int:
    """Return the SplitMix64 finaliser of a 64-bit number."""
    value ^= value >> 30
    value = value * 0xBF58476D1CE4E5B9 & MASK
    value ^= value >> 27
    value = value * 0x94D049BB133111EB & MASK
    return value ^ (value >> 31)


def derive(key: int, index: int) -> int:
    """Return output `index` + 1 of SplitMix64 seeded with `key`."""
    return mix((key + GOLDEN * (index + 1)) & MASK)


def stream_key(seed: int, deal: int, number: int) -> int:
    """Return the key of stream `number` in the given deal of a run."""
    return derive(derive(derive(seed, 0), deal), number)


def lemire(word: int, bound: int, bits: int = 32) -> int | None:
    """Map a `bits`-bit word onto 0..bound-1 without bias; None when the word must be redrawn."""
    size = 1 << bits
    product = word * bound
    if product % size < (size - bound) % bound:
        return None
    return product >> bits


class Stream:
    """One numbered stream of a deal.

    Parameters
    ----------
    seed, deal, number
        Seed of the run, index of the deal (game index divided by the number of rotations), stream number.
    """

    def __init__(self, seed: int, deal: int, number: int) -> None:
        self.base = stream_key(seed, deal, number)
        self.key = self.base
        self.position = 0

    def rekey(self, round_number: int) -> None:
        """Start the draws of a round, counted from 1."""
        self.key = derive(self.base, round_number)
        self.position = 0

    def seek(self, position: int) -> None:
        """Make `position` the index of the next draw."""
        self.position = position

    def below(self, bound: int) -> int:
        """Return a uniform number in 0..bound-1; the position advances by exactly one."""
        index = self.position
        self.position += 1
        while True:
            result = lemire(derive(self.key, index) >> 32, bound)
            if result is not None:
                return result
            # A redraw jumps far ahead, so that no other call of this stream ever uses the same output.
            index += 1 << 32


def splitmix64(seed: int, count: int) -> tuple[int, ...]:
    """Return the first `count` outputs of SplitMix64 seeded with `seed`."""
    return tuple(derive(seed, index) for index in range(count))


def self_check() -> None:
    """Compare the generator with the published vectors.

    Raises
    ------
    RuntimeError
        When an output differs.
    """
    found = splitmix64(VECTOR_SEED, len(VECTORS))
    if found != VECTORS:
        raise RuntimeError(f"SplitMix64 gives {found}, published are {VECTORS}")
