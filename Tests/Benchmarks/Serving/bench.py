"""Measures the service and prints one table; see `scripts/bench --help`."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import batch_part
import cold_part
import http_part
import import_part
import machine
import memory_part
import pages_part
import process_part
import start_part
import steady_part
import traffic_part
import writes_part
from faults import NotMeasured
from table import Table
from waymark import CommandFailed, DidNotStart, unwind_when_terminated

PARTS = {
    "traffic": traffic_part, "http": http_part, "steady": steady_part, "batch": batch_part, "process": process_part,
    "cold": cold_part, "memory": memory_part, "start": start_part, "writes": writes_part, "pages": pages_part,
    "import": import_part,
}
FAULTS = (NotMeasured, CommandFailed, DidNotStart, OSError, subprocess.SubprocessError)


def arguments():
    """Reads the options, which scripts/bench documents, and adds what --quick means."""
    parser = argparse.ArgumentParser(prog="scripts/bench", allow_abbrev=False, add_help=False)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--quick", dest="is_quick", action="store_true")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("parts", nargs="*")  # scripts/bench has checked them.
    options = parser.parse_args()
    quick = options.is_quick
    options.rounds, options.seconds = (2, 1) if quick else (5, 3)
    options.cold_users = 1_000_000 if quick else 10_000_000
    options.starts = 1 if quick else 5
    options.idle_connections = 5_000
    return options


def main():
    """Runs the parts, and prints what they found."""
    options = arguments()
    unwind_when_terminated()
    table, failures = Table(), []
    place = os.environ.get("TMPDIR", "/var/tmp")
    with tempfile.TemporaryDirectory(prefix="waymark-bench-", dir=place) as folder:
        for name in dict.fromkeys(options.parts or PARTS):
            def progress(text):
                print(f"bench: {name}: {text}", file=sys.stderr, flush=True)

            begin = time.monotonic()
            own = pathlib.Path(folder) / name
            own.mkdir()
            try:
                PARTS[name].measure(options, own, table, progress)
                progress(f"done in {time.monotonic() - begin:.0f} s")
            except FAULTS as fault:  # The other parts are worth having.
                failures.append(name)
                progress(f"could not be measured: {fault}")
    text = f"{table.markdown()}\n\n{machine.describe()}\n"
    print(text, end="", flush=True)
    if options.output:
        options.output.write_text(text)
    if failures:
        print(f"bench: not or not wholly measured: {', '.join(failures)}", file=sys.stderr)
        return 69
    if table.missed:
        print(f"bench: {len(table.missed)} targets missed", file=sys.stderr)
    return 1 if options.strict and table.missed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
