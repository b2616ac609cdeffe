"""What the proof of short links says, and what it found wrong."""

from waymark import IS_STRICT

failures = []


def say(text):
    print(f"short-links: {text}", flush=True)


def expect(name, holds, found):
    say(f"{'ok  ' if holds else 'FAIL'} {name}: {found}")
    if not holds:
        failures.append(name)


def expect_speed(name, rate, least):
    """Says a speed, which depends on the machine: one that is too low is a failure with `--strict` alone."""
    if rate >= least or IS_STRICT:
        expect(name, rate >= least, f"{rate:,.0f} ({least:,} at least)")
    else:
        say(f"slow {name}: {rate:,.0f} ({least:,} wanted, a failure with --strict)")
