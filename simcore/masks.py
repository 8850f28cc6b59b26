"""Bit masks of small sets (dice, cards, spaces): one machine instruction each, plain Python with JIT off.

A loop over a mask visits its members from the lowest::

    left = mask
    while left:
        slot = lowest(left)
        left &= left - 1
"""

from __future__ import annotations

from simcore.jit import instruction


def _members(mask: int) -> int:
    return int(mask).bit_count()


def _lowest(mask: int) -> int:
    return (int(mask) & -int(mask)).bit_length() - 1


members = instruction("ctpop", _members)
"""Return how many bits of a mask (not negative) are set."""

lowest = instruction("cttz", _lowest)
"""Return the number of the lowest bit that is set in a mask (not 0)."""
