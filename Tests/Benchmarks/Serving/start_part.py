"""Measures how long a server takes from its start until it listens, with catalogs of growing size."""

import statistics

import catalogs
from targets import USER
from waymark import Server, command, cpu_seconds, resident_kib

SIZES = [10, 1_000, 10_000, 20_000]


def measure(options, folder, table, progress):
    """Adds the rows of start-up."""
    database = folder / "start.sqlite"
    command(options.binary, "user", "set", USER, "premiumUser", "--create", database=database)
    files, times, work = {}, {size: [] for size in SIZES}, {size: [] for size in SIZES}
    for size in SIZES:
        files[size] = folder / f"catalog{size}.yaml"
        catalogs.make(files[size], size)
    memory = {}
    for number in range(options.starts):
        progress(f"round {number + 1} of {options.starts}, {len(SIZES)} catalogs")
        for size in SIZES:
            with Server(options.binary, database, catalog=files[size]) as server:
                work[size].append(cpu_seconds(server.pid))
                times[size].append(server.start_seconds)
                memory[size] = resident_kib(server.pid) / 1024
    took = {size: statistics.median(some) * 1000 for size, some in times.items()}
    for size in SIZES:
        target = ("<=", 1000) if size == 10_000 else None
        table.add(f"start-up with {size:,} routes", took[size], target=target, unit="ms")
    # The cost of the routes, without that of every start; in CPU time, since twice the time is twice the chance that
    # something else runs.
    spent = {size: statistics.median(some) * 1000 for size, some in work.items()}
    half, whole = (spent[size] - spent[10] for size in SIZES[2:])
    table.add("start-up: CPU time that 20,000 routes add", whole, ("10,000", half), ("<=", 2.2), "ms")
    table.add("memory with 10,000 routes", memory[10_000], ("10", memory[10]), unit="MiB", of_ratio=False)
