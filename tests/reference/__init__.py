"""Slow, plain readings of the rulebooks, written apart from the engine and compared with it."""
