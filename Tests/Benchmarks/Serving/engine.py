"""Measures the forms of the engine for apps beside the same engine in process; see `scripts/bench --help`."""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import machine
import process_part
from faults import NotMeasured
from table import Table
from targets import LINK
from waymark import CHECKOUT

SPEED = CHECKOUT / "Tests/Engine/speed.mjs"
NODE = "in Node, as WebAssembly"
# Microseconds and milliseconds at most.
LIMITS = {(NODE, "resolve"): ("<=", 10), (NODE, "load"): ("<=", 20)}


def bundle(binary, folder):
    """Writes a bundle of the sample app's catalog, and returns its file."""
    key, file = folder / "bundle.key", folder / "catalog.bundle"
    run("openssl", "genpkey", "-algorithm", "ed25519", "-out", key)
    key.chmod(0o600)
    run(binary, "catalog", "bundle", CHECKOUT / "Config/routes.yaml", "--key", key, "--sequence", "1", "--output", file)
    return file


def run(*command):
    """Runs a command; returns what it prints."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=CHECKOUT)
    if done.returncode:
        raise NotMeasured(f"{pathlib.Path(command[0]).name} ended with {done.returncode}: {(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def numbers(*command):
    """The nanoseconds that a program prints: name, and the median first."""
    return {name: float(median) for name, median, *_ in (line.split("\t") for line in run(*command).splitlines())}


def forms(engine, folder, progress):
    """The commands of the forms, by their names."""
    for name in ("waymark-engine.wasm", "waymark-engine.js", "waymark_engine.c", "waymark_engine.h"):
        if not (engine / name).is_file():
            raise NotMeasured(f"{engine} has no {name}; scripts/package engine makes it")
    # Node takes a module of this ending alone.
    script = folder / "waymark-engine.mjs"
    script.write_bytes((engine / "waymark-engine.js").read_bytes())
    progress("compiling the C; gcc takes minutes")
    run("gcc", "-std=gnu11", "-O2", "-w", "-I", engine, "-o", folder / "speed", CHECKOUT / "Tests/Engine/speed.c",
        engine / "waymark_engine.c", "-lm")
    return {
        NODE: ["node", SPEED, engine / "waymark-engine.wasm"],
        "in Node, as JavaScript": ["node", SPEED, script],
        "as JavaScript without a JIT (`node --jitless`)": ["node", "--jitless", SPEED, script],
        "as C (gcc `-O2`)": [folder / "speed"],
    }


def main():
    """Lets all of them take turns, and prints the table."""
    parser = argparse.ArgumentParser(prog="scripts/bench engine", allow_abbrev=False, add_help=False)
    for name in ("--binary", "--engine", "--output"):
        parser.add_argument(name, type=pathlib.Path)
    for name in ("--quick", "--strict"):
        parser.add_argument(name, action="store_true")
    options = parser.parse_args()

    def progress(text):
        print(f"bench: engine: {text}", file=sys.stderr, flush=True)

    table, rounds = Table(), 2 if options.quick else 5
    with tempfile.TemporaryDirectory(prefix="waymark-bench-") as name:
        folder = pathlib.Path(name)
        progress("building Tests/Benchmarks")
        commands = {"in process": [process_part.build(), "--bundle"]} | forms(options.engine, folder, progress)
        body = folder / "body.json"
        body.write_text(json.dumps({"link": LINK, "level": "premiumUser"}, separators=(",", ":")))
        files = (bundle(options.binary, folder), body)
        found = {name: [] for name in commands}
        for number in range(rounds):
            progress(f"round {number + 1} of {rounds}")
            for form, command in commands.items():
                found[form].append(numbers(*command, *files))
    for what, words, unit, size in (("resolve", "a resolve", "µs", 1e3), ("load", "the sample's bundle loads in", "ms", 1e6)):
        times = {form: statistics.median(one[what] for one in rows) / size for form, rows in found.items()}
        for form, value in times.items():
            beside = None if form == "in process" else ("in process", times["in process"])
            table.add(f"{form}: {words}", value, beside, LIMITS.get((form, what)), unit, of_ratio=False)
    text = f"{table.markdown()}\n\n{machine.describe()}\n"
    print(text, end="", flush=True)
    if options.output:
        options.output.write_text(text)
    return 1 if options.strict and table.missed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NotMeasured as fault:
        print(f"bench: engine: could not be measured: {fault}", file=sys.stderr)
        sys.exit(69)
    except KeyboardInterrupt:
        sys.exit(130)
