"""Reads what the kernel knows about processes (proc(5)), and starts and ends them."""

import os
import pathlib
import re
import resource
import subprocess

TICKS = os.sysconf("SC_CLK_TCK")


def family(pid):
    """Lists a process and its descendants."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        try:
            waiting += map(int, pathlib.Path(f"/proc/{one}/task/{one}/children").read_text().split())
        except OSError:
            pass  # It has ended.
    return found


def cpu_seconds(pid):
    """Sums the user and system time that a process and its descendants have used."""
    total = 0
    for one in family(pid):
        fields = pathlib.Path(f"/proc/{one}/stat").read_text().rpartition(") ")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


def resident_mib(pid):
    """Says how much memory a process holds (VmRSS), in MiB."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"^VmRSS:\s*(\d+) kB$", status, re.MULTILINE)[1]) / 1024


def allow_open_files(count):
    """Raises the limit of open files of this process and those that it starts; returns whether it is enough."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard == resource.RLIM_INFINITY or hard >= count


def end(process):
    """Asks a process to end, and kills it where it does not within 15 seconds."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
