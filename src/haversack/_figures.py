"""Numbers for the eye, of any length: Python itself refuses to print integers beyond 4,300 digits."""

from __future__ import annotations


def tokens(count: int) -> str:
    """Return a number of tokens in words.

    >>> tokens(1), tokens(1240)
    ('1 token', '1,240 tokens')
    """
    return f"{number(count)} token{'' if count == 1 else 's'}"


def number(value: int | float) -> str:
    """Return a value for the eye: separators, six digits of a float, an exponent where it is very long.

    >>> number(1869169), number(0.30000000000000004), number(10**30), number(2.5e-9)
    ('1,869,169', '0.3', '1e+30', '2.5e-09')
    """
    if isinstance(value, float):
        return f"{value:,.6g}"
    if abs(value) < 10**15:
        return f"{value:,}"
    exponent = _count_digits(abs(value)) - 1
    lead = abs(value) // 10 ** (exponent - 5)
    return f"{'-' if value < 0 else ''}{lead / 10**5:g}e+{exponent}"


def digits(value: int) -> str:
    """Return an integer in full, as arithmetic is written; only where it is absurdly long in short.

    >>> digits(1596), digits(10**99)
    ('1596', '1e+99')
    """
    return str(value) if abs(value) < 10**40 else number(value)


def _count_digits(value: int) -> int:
    """Return how many digits a positive integer has; str() of a huge one is refused by Python."""
    digits = int(value.bit_length() * 0.30102999566398120)
    return digits + 1 if value >= 10**digits else digits
