"""Measurements: never tests, always ratios within one run, since machines are noisy."""
