"""Measure haversack against its rivals: `python -m benchmarks`."""
