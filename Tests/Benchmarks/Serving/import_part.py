"""Measures what a draft of a catalog costs: `waymark catalog import` on links of a real app, a million and a tenth of them."""

import os
import random
import subprocess
import sys
import time

from faults import NotMeasured
from waymark import CHECKOUT, resident_kib

sys.path.insert(0, str(CHECKOUT / "Tests/Import"))


def measure(options, folder, table, progress):
    """Adds the rows of drafts."""
    import links
    import tables

    app = tables.read(CHECKOUT / "Tests/Import/tables/discourse.txt")
    most = 100_000 if options.is_quick else 1_000_000
    progress(f"making {most:,} links")
    made = [text for text, _ in links.Traffic(app, random.Random(1), isZipf=True).links(most)]
    spent = {}
    for count in (most // 10, most):
        file = folder / f"{count}.txt"
        file.write_text("".join(text + "\n" for text in made[:count]))
        progress(f"a draft from {count:,} links")
        process = subprocess.Popen(
            [options.binary, "catalog", "import", "--links", file, "--output", folder / f"{count}.yaml"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # wait4(2) would count this program's memory, from before the new one was executed.
        memory = 0
        while (done := os.wait4(process.pid, os.WNOHANG))[0] == 0:
            memory = max(memory, resident_kib(process.pid) / 1024)
            time.sleep(0.02)
        _, status, usage = done
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            raise NotMeasured(f"catalog import ended with {process.returncode}")
        spent[count] = usage.ru_utime + usage.ru_stime, memory
    (few, small), (many, large) = spent.values()
    table.add(f"a draft from {most:,} links: CPU", many, (f"{most // 10:,}", few), ("<=", 60), "s", of_ratio=False)
    table.add(f"a draft from {most:,} links: memory at most", large, (f"{most // 10:,}", small), ("<=", 1.5), "MiB")
