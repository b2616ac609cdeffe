"""Knows which catalogs may have been in force at a moment."""

import multiprocessing
import time

# Far more swaps than a run of a day has.
CAPACITY = 1 << 16


class Timeline:
    """The catalogs of the run in order, written by the one process that swaps them and read by all.

    A swap has two moments: from the first on the new catalog may be in force, from the second on it is. Times are
    those of `time.monotonic`, which all processes of a machine share.
    """

    def __init__(self, first):
        self._begins = multiprocessing.RawArray("d", CAPACITY)
        self._confirmed = multiprocessing.RawArray("d", CAPACITY)
        self._catalogs = multiprocessing.RawArray("i", CAPACITY)
        self._count = multiprocessing.RawValue("i", 0)
        self.announce(first)
        self.confirm()

    def announce(self, catalog):
        """Notes, before the file changes, that a catalog may come into force from now on."""
        place = self._count.value
        self._catalogs[place] = catalog
        self._confirmed[place] = 0
        self._begins[place] = time.monotonic()
        self._count.value = place + 1

    def confirm(self):
        """Notes that the catalog announced last is in force, and no other."""
        self._confirmed[self._count.value - 1] = time.monotonic()

    def possible(self, start, end):
        """The catalogs of which one answered a request that was sent at `start` and answered at `end`."""
        found = set()
        for place in range(self._count.value - 1, -1, -1):
            if self._begins[place] <= end:
                found.add(self._catalogs[place])
            if 0 < self._confirmed[place] <= start:
                break
        return found
