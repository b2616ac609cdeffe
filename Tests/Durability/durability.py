"""Shows that what the server has acknowledged is on disk: `scripts/prove durability`.

Prints what happens; all parts, or those that are named:

  strace      the order of system calls: between each request and its acknowledgement a write of the log, and a sync
              begun after it; the same check on a server forced to synchronous=NORMAL must fail
  kill        kill -9 at random moments under 64 writers; nothing acknowledged may be lost
  inject      the n-th write or sync fails, for n = 1 … 50; nothing acknowledged may be lost, and nothing traps
  full        a full disk: writes get 503, reads go on, writes recover when there is room (needs root)
  throughput  writes per second of one connection and of 64, beside the syncs per second of the disk
  levels      the store makes no system call for a user whose level is in memory, also while others are written; with
              the memory switched off the same check must count some for each
  counts      kill -9 under uses of a short link: those of ten seconds are lost at most, and nothing else; writes of
              counts into 400 days of them hold a write of a user up for 20 ms at most, which `--strict` demands

--seed repeats the random moments of an earlier run. TMPDIR says where the database lies (default: /var/tmp); a file
system in memory would prove nothing. Exit codes: 0 all is well, 1 a violation, 69 something needed is unavailable.
"""

import argparse
import os
import random
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import counts
import levels
import load
import trace
from server import Server, integrity, lost
from waymark import IS_STRICT, DidNotStart

violations = []


def say(text):
    print(f"durability: {text}", flush=True)


def progress(text):
    print(f"durability: … {text}", file=sys.stderr, flush=True)


def violation(text):
    violations.append(text)
    say(f"VIOLATION: {text}")


def expect(condition, text):
    if not condition:
        violation(text)


def expect_speed(condition, text):
    """Says that something takes too long, which depends on the machine: a violation with `--strict` alone."""
    if not condition:
        violation(text) if IS_STRICT else say(f"slow: {text} (a violation with --strict)")


def violated_by(part, text):
    for line in text[:5]:
        violation(f"{part}: {line}")
    if len(text) > 5:
        violation(f"{part}: and {len(text) - 5} more")


def shim(options, name):
    """Builds a library that is loaded before others, and returns its path."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".c")
    library = os.path.join(options.folder, name + ".so")
    subprocess.run(["gcc", "-O2", "-Wall", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


def checked_stop(part, server):
    code = server.stop()
    expect(code == 0, f"{part}: the server ended with {code} after SIGTERM: {server.said()[-500:]}")


# (a) The order of system calls.


def traced(options, name, count, environment=None):
    """Runs a traced server under 64 writers, each write for a user of its own, and returns the report."""
    database = os.path.join(options.folder, name + ".sqlite")
    log = os.path.join(options.folder, name + ".strace")
    traced_calls = "read,readv,recvfrom,recvmsg,write,writev,sendto,sendmsg,pwrite64,pwritev,fdatasync,fsync"
    # -D: the server stays our child. A page has 4,096 bytes, and all of them are shown.
    prefix = ["strace", "-D", "-f", "-ttt", "-yy", "-s", "4200", "-e", "trace=" + traced_calls, "-o", log]
    if environment:
        prefix += [f"-E{name}={value}" for name, value in environment.items()]
    server = Server(options.binary, database, prefix)
    numbers = iter(range(count))
    lock, acknowledged = threading.Lock(), []

    def write():
        connection = server.connect()
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            status, version = connection.save(f"trace-{number:06}-{secrets.token_hex(4)}", "premiumUser")
            if version is not None:
                with lock:
                    acknowledged.append(status)

    threads = [threading.Thread(target=write) for _ in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    checked_stop("strace", server)  # A call that kill -9 cuts off has no end in the log.
    for _ in range(200):  # The tracer outlives the server for a moment.
        with open(log, encoding="utf-8", errors="replace") as lines:
            report = trace.Report(lines)
        if report.acknowledged >= len(acknowledged):
            break
        time.sleep(0.05)
    expect(
        report.acknowledged == len(acknowledged) == count,
        f"strace: of {count} writes {len(acknowledged)} were acknowledged, and {report.acknowledged} are in the log",
    )
    return report


def part_strace(options):
    count = 1000 if options.quick else 3000
    progress(f"strace: {count} writes by 64 writers")
    report = traced(options, "full", count)
    say(
        f"(a) synchronous=FULL: {report.acknowledged} acknowledged writes, {report.log_writes} writes of the log, "
        f"{report.syncs} syncs of it; {len(report.violations)} acknowledgements without a write of the log and a sync "
        f"begun after it; {len(report.stricter)} without a sync begun after a log page that holds the user itself"
    )
    violated_by("strace: not durable when acknowledged", sorted(set(report.violations + report.stricter)))
    progress("strace: the same, forced to synchronous=NORMAL")
    library = shim(options, "normal")
    report = traced(options, "normal", 1000, {"LD_PRELOAD": library, "WAYMARK_DURABILITY_LIE": "1"})
    say(
        f"(a) synchronous=NORMAL: {report.acknowledged} acknowledged writes, {report.syncs} syncs of the log; the same "
        f"check counts {len(report.violations)} violations ({len(report.stricter)} by user)"
    )
    expect(
        len(report.violations) > report.acknowledged / 2, "strace: the check does not catch synchronous=NORMAL"
    )
    try:
        server = Server(
            options.binary, os.path.join(options.folder, "honest.sqlite"), settings={"LD_PRELOAD": library}
        )
        server.kill()
        violation("strace: a server starts that finds NORMAL in force")
    except DidNotStart as end:
        say(f"(a) a server that reads back NORMAL refuses to start: exit code {end.code}")
        expect(end.code == 69 and "synchronous" in end.text, f"strace: NORMAL ends with {end}")


# (b) kill -9.


def part_kill(options):
    rounds = 12 if options.quick else 100
    generator = random.Random(options.seed)
    database = os.path.join(options.folder, "kill.sqlite")
    everything, refused, delays, bad_checks = [], 0, [], 0
    server = Server(options.binary, database)
    for number in range(rounds):
        work = load.Load(server, 64, f"k{number}", options.seed + number)
        work.start()
        while not work.count():
            time.sleep(0.001)
        delay = generator.uniform(0.0, 0.4)
        time.sleep(delay)
        server.kill()
        work.join()
        begin = time.monotonic()
        try:
            server = Server(options.binary, database)
        except DidNotStart as end:
            violation(f"kill: the server does not start by itself after round {number + 1}: {end}")
            return
        delays.append(time.monotonic() - begin)
        refused += sum(work.refused.values())
        everything += work.acknowledged
        try:
            violated_by(f"kill: lost in round {number + 1}", lost(server, work.acknowledged))
        except AssertionError as error:
            violation(f"kill: {error}")
        check = integrity(database)
        if check != "ok":
            bad_checks += 1
            violation(f"kill: integrity_check after round {number + 1}: {check}")
        if (number + 1) % 10 == 0:
            progress(f"kill: {number + 1} of {rounds} rounds, {len(everything)} acknowledged writes")
    missing = lost(server, everything)
    violated_by("kill: lost in the end", missing)
    checked_stop("kill", server)
    say(
        f"(b) {rounds} times kill -9 under 64 writers: {len(everything)} acknowledged writes, {len(missing)} lost, "
        f"{refused} refused, {bad_checks} bad integrity checks; ready again after at most {max(delays):.2f} s"
    )


# (c) The n-th system call fails.


def part_inject(options):
    some = [1, 2, 3, 5, 8, 13, 21, 34, 50]
    for call, is_new in (("pwrite64", False), ("fdatasync", False), ("pwrite64", True), ("fdatasync", True)):
        counts = dict(runs=0, log=0, database=0, other=0, unstarted=0, refusing=0, acknowledged=0, lost=0)
        for number in some if options.quick or is_new else range(1, 51):
            inject(options, call, number, is_new, counts)
            if number % 10 == 0:
                progress(f"inject: {call} {number} of 50")
        say(
            f"(c) {'a new file' if is_new else 'a file in use'}, the n-th {call} of a thread fails with EIO, "
            f"n = 1 … 50, {counts['runs']} runs: it met the log in {counts['log']}, the database file in "
            f"{counts['database']}, another in {counts['other']}; {counts['unstarted']} did not start, "
            f"{counts['refusing']} accepted no write after it; {counts['acknowledged']} acknowledged writes, "
            f"{counts['lost']} lost"
        )


def inject(options, call, number, is_new, counts):
    name = f"inject-{call}-{number}-{is_new}"
    database, log = os.path.join(options.folder, name + ".sqlite"), os.path.join(options.folder, name + ".strace")
    prefix = ["strace", "-D", "-f", "-y", "-s", "0", "-o", log, "-e", "trace=" + call]
    prefix += ["-e", f"inject={call}:error=EIO:when={number}"]
    counts["runs"] += 1
    acknowledged, failed = [], False
    if not is_new:
        server = Server(options.binary, database)
        status, version = server.connect().save("before", "premiumUser")
        acknowledged.append(("before", version, "premiumUser"))
        checked_stop(f"inject: {call} {number}, beforehand", server)
    try:
        server = Server(options.binary, database, prefix)
    except DidNotStart as end:
        counts["unstarted"] += 1
        expect(end.code == 69, f"inject: with {call} {number} failing, the start ended with {end}")
    else:
        # Enough for fifty commits, and for the log to be moved into the file in between.
        work = load.Load(server, 12, name, number, limit=1000, stop_on_refusal=True)
        work.start()
        work.join()
        acknowledged += work.acknowledged
        if work.refused:
            failed = True
            expect(set(work.refused) == {503}, f"inject: {call} {number}: writes answered {work.refused}")
            statuses = [server.connect().save("later", "none")[0] for _ in range(5)]
            expect(set(statuses) == {503}, f"inject: {call} {number}: later writes answered {statuses}")
            counts["refusing"] += set(statuses) == {503}
            # A later write may have been the one that failed: what counts is that reads go on.
            status = server.get("/v1/resolve?link=navigation%3A%2Fonboarding&user=later")[0]
            expect(status == 200, f"inject: {call} {number}: a read answered {status}")
            status = server.get("/readyz")[0]
            expect(status == 503, f"inject: {call} {number}: /readyz answered {status}")
        checked_stop(f"inject: {call} {number}", server)
    with open(log, encoding="utf-8", errors="replace") as lines:
        hits = [line for line in lines if "(INJECTED)" in line]
    counts["log"] += any("-wal>" in line for line in hits)
    counts["database"] += any(".sqlite>" in line for line in hits)
    counts["other"] += any("-wal>" not in line and ".sqlite>" not in line for line in hits)
    try:
        server = Server(options.binary, database)
    except DidNotStart as end:
        violation(f"inject: after {call} {number} the server does not start again: {end}")
        return
    counts["acknowledged"] += len(acknowledged)
    missing = lost(server, acknowledged)
    counts["lost"] += len(missing)
    violated_by(f"inject: {call} {number}", missing)
    status = server.connect().save("later", "none")[0]
    expect(status in (200, 201), f"inject: after {call} {number} and a restart a write answered {status}")
    if failed:
        expect("checked" in server.said(), f"inject: after {call} {number} the file was not checked")
    check = integrity(database)
    expect(check == "ok", f"inject: integrity_check after {call} {number}: {check}")
    checked_stop(f"inject: {call} {number}, restarted", server)


# (d) A full disk.


def fill(path):
    """Lets a file grow until the disk is full."""
    with open(path, "ab", buffering=0) as file:
        try:
            while file.write(bytes(4096)) == 4096:
                pass
        except OSError:
            pass


def small_disk(options):
    """Writes ten times as much as a disk of 1 MB holds: the log must not take what it needs to be moved."""
    folder = os.path.join(options.folder, "tiny")
    os.mkdir(folder)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], check=True)
    try:
        server = Server(options.binary, os.path.join(folder, "tiny.sqlite"))
        connection, answers = server.connect(), {}
        for number in range(600):
            status, _ = connection.save(f"tiny-{number % 20}", "premiumUser")
            answers[status] = answers.get(status, 0) + 1
        say(f"(d) a disk of 1 MB: 600 writes of 20 users one after the other answered {answers}")
        expect(set(answers) <= {200, 201}, f"full: writes on a disk of 1 MB answered {answers}")
        checked_stop("full", server)
    finally:
        subprocess.run(["umount", folder], capture_output=True)


def part_full(options):
    """Runs in a mount namespace of its own, so that the small file system is gone with it."""
    small_disk(options)
    folder = os.path.join(options.folder, "small")
    os.mkdir(folder)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", folder], capture_output=True, text=True)
    if mounted.returncode != 0:
        say(f"cannot mount a small file system: {mounted.stderr.strip()}")
        sys.exit(69)
    database, filler = os.path.join(folder, "full.sqlite"), os.path.join(folder, "filler")
    server = Server(options.binary, database)
    for cycle in range(1 if options.quick else 3):
        work = load.Load(server, 16, f"full{cycle}", cycle)
        work.start()
        while work.count() < 50:
            time.sleep(0.005)
        fill(filler)
        deadline = time.monotonic() + 20
        while work.refused.get(503, 0) < 50 and time.monotonic() < deadline:
            time.sleep(0.01)
        refused = dict(work.refused)
        expect(refused.get(503, 0) >= 50, f"full: a full disk is not refused with 503: {refused}")
        reads = [
            server.get(target)[0]
            for _ in range(50)
            for target in ("/v1/resolve?link=navigation%3A%2Fonboarding&user=x", "/v1/users?limit=5", "/readyz")
        ]
        expect(set(reads) == {200}, f"full: reads on a full disk answered {sorted(set(reads))}")
        before = work.count()
        os.remove(filler)
        begin = time.monotonic()
        while work.count() == before and time.monotonic() < begin + 20:
            time.sleep(0.001)
        recovered = time.monotonic() - begin
        expect(work.count() > before, "full: writes do not recover when there is room")
        time.sleep(0.3)
        work.stop()
        expect(set(work.refused) == {503}, f"full: writes answered {work.refused}")
        missing = lost(server, work.acknowledged)
        violated_by("full", missing)
        check = integrity(database)
        expect(check == "ok", f"full: integrity_check: {check}")
        say(
            f"(d) disk full, {cycle + 1}: {len(work.acknowledged)} acknowledged writes, {len(missing)} lost, "
            f"{work.refused.get(503, 0)} answered 503; {len(reads)} reads meanwhile, all 200; "
            f"the first write {recovered * 1000:.0f} ms after there was room; integrity {check}"
        )
    for end in ("kill -9", "SIGTERM"):
        fill(filler)
        if end == "SIGTERM":
            checked_stop("full", server)
        else:
            server.kill()
        fill(filler)  # Whatever the end has set free.
        try:
            server = Server(options.binary, database)
        except DidNotStart as failure:
            said = failure.text.strip().removeprefix("waymark: ").replace(database, "…")
            say(f"(d) a start on a full disk, after {end}: exit code {failure.code}, {said}")
            expect(failure.code == 69 and database in failure.text, f"full: a start ends with {failure}")
        else:
            reads = server.get("/v1/users?limit=5")[0]
            say(f"(d) a start on a full disk, after {end}: reads answer {reads}")
            expect(reads == 200, f"full: started on a full disk, reads {reads}")
            server.kill()
        os.remove(filler)
        server = Server(options.binary, database)
        missing = lost(server, work.acknowledged)
        violated_by(f"full: after {end}", missing)
        status = server.connect().save("x", "none")[0]
        expect(status in (200, 201), f"full: with room, after {end}, a write answered {status}: {server.said()[-600:]}")
    checked_stop("full", server)


# (f) Group commit.

CALIBRATION = """
import os, sys, time
file = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR)
os.pwrite(file, bytes(1 << 20), 0)
os.fsync(file)
count, begin = 0, time.monotonic()
while time.monotonic() < begin + float(sys.argv[2]):
    os.pwrite(file, os.urandom(4096), count % 256 * 4096)
    os.fdatasync(file)
    count += 1
print(count / (time.monotonic() - begin))
"""


def part_throughput(options):
    """Measures in turns and takes medians: whatever else the machine does at one moment concerns all three."""
    seconds, rounds, floor = (1.5, 3, 10) if options.quick else (5, 3, 20)
    ratios = {}
    for name, environment in (("this disk", {}), ("4 ms more a sync", {"LD_PRELOAD": shim(options, "slow")})):
        progress(f"throughput: {name}")
        path = os.path.join(options.folder, f"calibration{len(ratios)}")
        command = [sys.executable, "-c", CALIBRATION, path, str(seconds)]
        database = os.path.join(options.folder, f"throughput{len(ratios)}.sqlite")
        server = Server(options.binary, database, settings=environment)
        rows = []
        for _ in range(rounds):
            done = subprocess.run(
                command, env={**os.environ, **environment}, check=True, capture_output=True, text=True
            )
            one, _ = load.rate(server, 1, seconds, "one")
            many, share = load.rate(server, 64, seconds, "many")
            rows.append((float(done.stdout), one, many, many / one, share))
        checked_stop("throughput", server)
        calibration, one, many, ratio, share = (statistics.median(column) for column in zip(*rows))
        ratios[name] = ratio
        say(
            f"(f) {name}, medians of {rounds} rounds: {calibration:.0f} fdatasync/s; one commit per write {one:.0f} "
            f"writes/s; 64 connections {many:.0f} writes/s; ratio {ratio:.1f} (the client took {share:.0%} of a processor)"
        )
    highest = max(ratios.values())
    if ratios["this disk"] < floor <= highest:
        say("(f) a sync of this disk is so fast that the processor is what limits; the slower one shows the ratio")
    text = f"throughput: 64 connections write {highest:.1f} times what one does"
    expect(highest >= 2, f"{text}: writes at the same time do not share a sync")
    # The gain beyond that depends on the processor that is left for the server.
    expect_speed(highest >= floor, f"{text}; at least {floor} are wanted")


# (g) Levels in memory.


def part_levels(options):
    count = 1000 if options.quick else 4000
    for name, cached in (("remembered", 1000), ("not remembered", 0)):
        progress(f"levels: {count} resolves of levels that are {name}, and as many while others are written")
        code, found = levels.run(options, os.path.join(options.folder, f"levels-{cached}.sqlite"), cached, count)
        expect(code == 0, f"levels: the server ended with {code} after SIGTERM")
        for window, writes in zip(found, ("no writes", "writes going on")):
            say(
                f"(g) levels {name}, {writes}: {window.resolves} resolves in {window.end - window.begin:.1f} s, "
                f"{window.commits} commits; {window.read_locks} read locks of the file, "
                f"{window.own_calls} calls on it by the threads that read requests"
            )
            expect(window.resolves >= count, f"levels: {window.resolves} of {count} resolves are in the log")
            if cached:
                expect(
                    window.read_locks <= window.explained < count / 2,
                    f"levels: {window.read_locks} read locks; commits and looks explain {window.explained:.0f}",
                )
        if not cached:
            # Those of writes may share the locks of the connection that writes.
            expect(found[0].read_locks > count / 2, "levels: the check does not see reads of the file")


# (h) Counts of uses.


def part_counts(options):
    catalog = os.path.join(options.folder, "shop.yaml")
    with open(catalog, "w", encoding="utf-8") as file:
        file.write(counts.CATALOG)
    rounds = 3 if options.quick else 20
    progress(f"counts: {rounds} times kill -9")
    total, missing, longest = counts.killed(
        options.binary, os.path.join(options.folder, "counts.sqlite"), catalog, rounds, options.seed, expect)
    say(f"(h) {rounds} times kill -9 under uses of a short link: {total} acknowledged, {missing} lost, "
        f"of {longest:.1f} s at most; none twice, no level lost")
    days, rows, codes, links = (400, 250, 100_000, 4_000) if options.quick else (400, 2_500, 1_000_000, 20_000)
    progress(f"counts: {days * rows} rows of days, {codes} of codes")
    calm, busy = counts.writing(
        options.binary, os.path.join(options.folder, "full-counts.sqlite"), catalog, days, rows, codes, links, expect)
    say(f"(h) {days} days with {days * rows} rows, {codes} codes: a write of a user while the counts of {links} codes are "
        f"written: {busy}; without them: {calm}")
    # Other work of the machine decides the longest ones, with and without counts.
    expect_speed(busy.long - calm.long <= 20,
                 f"counts: writes of counts hold a write up for {busy.long - calm.long:.1f} ms, and 20 at most were wanted")


PARTS = {
    "strace": part_strace,
    "kill": part_kill,
    "inject": part_inject,
    "full": part_full,
    "throughput": part_throughput,
    "levels": part_levels,
    "counts": part_counts,
}


def main():
    parser = argparse.ArgumentParser(
        prog="scripts/prove durability", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 30))
    parser.add_argument("parts", nargs="*")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    say(f"seed {options.seed}")
    with tempfile.TemporaryDirectory(prefix="waymark-durability-", dir=os.environ.get("TMPDIR", "/var/tmp")) as folder:
        options.folder = folder
        try:
            for part in options.parts or PARTS:
                begin = time.monotonic()
                PARTS[part](options)
                progress(f"{part}: {time.monotonic() - begin:.0f} s")
        finally:
            subprocess.run(["umount", os.path.join(folder, "small")], capture_output=True)
    say(f"{len(violations)} violations" if violations else "0 violations")
    sys.exit(1 if violations else 0)


main()
