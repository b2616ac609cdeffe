"""Runs some workers in a process of its own, since one Python process uses one core."""

import collections
import signal

from worker import Worker

# The values that all workers of a run share.
Run = collections.namedtuple("Run", "port tokens author expectations timeline ending progress")

# The result of a worker that has ended.
Result = collections.namedtuple("Result", "own shared counts statuses findings announced_closes")


def run_workers(numbers, run, findings, results):
    """Runs workers until the run ends, and hands over what they know."""
    # An interruption of the run reaches the process that started this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def report(kind, text):
        findings.put((kind, text))

    workers = [Worker(number, run, report) for number in numbers]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        results.put(Result(worker.retired + worker.own, worker.shared, worker.counts, worker.statuses, worker.findings,
                           worker.connection.announced_closes))
