"""Collects what is wrong."""

import collections
import multiprocessing
import queue
import sys

# The number of findings printed in full, and of one kind among them.
SHOWN_FINDINGS, SHOWN_OF_KIND = 10, 2


class Findings:
    """Holds what is wrong, whoever found it, and shows the first few."""

    def __init__(self):
        self.all = []
        self._shown = collections.Counter()
        self.queue = multiprocessing.Queue()

    def add(self, kind, text):
        """Takes a finding, and shows the first few at once."""
        self.all.append((kind, text))
        if self._shown.total() < SHOWN_FINDINGS and self._shown[kind] < SHOWN_OF_KIND:
            self._shown[kind] += 1
            print(f"\nsoak: FINDING {len(self.all)}, {kind}:\n{text}", file=sys.stderr, flush=True)

    def drain(self):
        """Takes what the clients' processes found meanwhile."""
        while True:
            try:
                self.add(*self.queue.get_nowait())
            except queue.Empty:
                return
