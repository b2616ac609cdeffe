"""Watches the memory of the server and judges whether it is flat."""

import statistics
import threading
import time

from waymark import resident_kib

# The growth that the end may have over the second quarter of the run.
GROWTH_SHARE, GROWTH_KIB = 0.10, 5 * 1024


class MemoryWatch(threading.Thread):
    """Takes a sample every second."""

    def __init__(self, server, warm_up):
        super().__init__(daemon=True)
        self._server, self.warm_up = server, warm_up
        self._ending = threading.Event()
        self._begin = time.monotonic()
        # (seconds since the begin, KiB)
        self.samples = []

    def run(self):
        while not self._ending.wait(1):
            if kib := resident_kib(self._server.pid):
                self.samples.append((time.monotonic() - self._begin, kib))

    def stop(self):
        """Takes no more samples."""
        self._ending.set()
        self.join()

    def judge(self):
        """Returns lines of a report, and what is wrong or None."""
        warm = [sample for sample in self.samples if sample[0] >= self.warm_up]
        duration = self.samples[-1][0] if self.samples else 0
        second_quarter = [kib for at, kib in self.samples if duration / 4 <= at < duration / 2]
        if len(warm) < 8 or not second_quarter:
            return [f"memory: {len(warm)} samples after the warm-up are too few to judge"], None
        sizes = [kib for _, kib in warm]
        last = sizes[-max(3, len(sizes) // 20):]
        before, end = statistics.median(second_quarter), statistics.median(last)
        slope = statistics.linear_regression([at / 60 for at, _ in warm], sizes).slope
        bound = before * (1 + GROWTH_SHARE) + GROWTH_KIB
        lines = [
            f"memory (VmRSS, a sample each second): start {sizes[0]:,} KiB, after {self.warm_up:.0f} s of warm-up; end "
            f"{sizes[-1]:,} KiB; maximum {max(kib for _, kib in self.samples):,} KiB; slope {slope:+,.0f} KiB a minute",
            f"    second quarter {before:,.0f} KiB, end {end:,.0f} KiB; may be {bound:,.0f} KiB at most "
            f"(10 % and 5 MiB more)",
        ]
        if end > bound:
            return lines, f"the memory grew from {before:,.0f} KiB in the second quarter to {end:,.0f} KiB at the end"
        return lines, None
