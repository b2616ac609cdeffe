"""What the proof of short links says, and what it found wrong."""

failures = []


def say(text):
    print(f"short-links: {text}", flush=True)


def expect(name, holds, found):
    say(f"{'ok  ' if holds else 'FAIL'} {name}: {found}")
    if not holds:
        failures.append(name)
