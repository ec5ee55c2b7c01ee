"""Numbers for the eye, of any length: Python itself refuses to print integers beyond 4,300 digits."""

from __future__ import annotations

# Control characters of both ranges, line separators, and the marks that turn the direction of a line.
_CONTROL = {
    code: {9: "\\t", 10: "\\n", 13: "\\r"}.get(code) or (f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")
    for code in (*range(32), *range(127, 160), 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
}


def harmless(text: object) -> str:
    """Return a foreign text as a terminal may show it: on one line, control characters escaped.

    >>> print(harmless("a\\nb\\x1b[31m"))
    a\\nb\\x1b[31m
    """
    return str(text).translate(_CONTROL)


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
    exponent = count_digits(abs(value)) - 1
    lead = abs(value) // 10 ** (exponent - 5)
    return f"{'-' if value < 0 else ''}{lead / 10**5:g}e+{exponent}"


def digits(value: int) -> str:
    """Return an integer in full, as arithmetic is written; only where it is absurdly long in short.

    >>> digits(1596), digits(10**99)
    ('1596', '1e+99')
    """
    return str(value) if abs(value) < 10**40 else number(value)


def count_digits(value: int) -> int:
    """Return how many digits a positive integer has; str() of a huge one is refused by Python."""
    digits = int(value.bit_length() * 0.30102999566398120)
    return digits + 1 if value >= 10**digits else digits
