"""Tells how far things are."""

import sys
import time


class Progress:
    """Writes one line about how far things are: on a terminal in one line, elsewhere now and then."""

    def __init__(self):
        self._is_terminal = sys.stderr.isatty()
        self._last = 0

    def __call__(self, what, done, total, rest=""):
        is_end = done >= total
        if not is_end and time.monotonic() - self._last < (0.2 if self._is_terminal else 30):
            return
        self._last = time.monotonic()
        text = f"soak: {what}: {done:,.0f} of {total:,.0f}{rest}"
        if self._is_terminal:
            print(f"\r\033[K{text}", end="\n" if is_end else "", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)
