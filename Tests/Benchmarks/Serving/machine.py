"""Says what was measured where."""

import os
import pathlib
import re
import subprocess
import time


def describe():
    """Names the processor, the kernel and the versions of what took part."""
    model = re.search(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    memory = re.search(r"^MemTotal:\s*(\d+) kB", pathlib.Path("/proc/meminfo").read_text(), re.MULTILINE)
    cores = len(os.sched_getaffinity(0))
    versions = [version(words, pattern) for words, pattern in [
        (["swift", "--version"], r"(Swift) version ([\d.]+)"), (["nginx", "-v"], r"(nginx)/([\d.]+)"),
        (["go", "version"], r"(go) version go([\d.]+)")]]
    parts = [model[1] if model else os.uname().machine, f"{cores} cores", f"{int(memory[1]) / 2**20:.0f} GiB",
             f"Linux {os.uname().release}", *filter(None, versions), time.strftime("%Y-%m-%d")]
    return "Measured on: " + ", ".join(parts) + "."


def version(words, pattern):
    """Asks a program for its version."""
    path = os.environ.get("PATH", "") + ":/usr/sbin"
    try:
        run = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "PATH": path})
    except OSError:
        return None
    found = re.search(pattern, run.stdout + run.stderr)
    return f"{found[1][0].upper() if found[1] == 'go' else found[1][0]}{found[1][1:]} {found[2]}" if found else None
