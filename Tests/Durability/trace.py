"""Reads a log of strace, and checks the order of system calls between each request and its acknowledgement."""

import bisect
import re

LINE = re.compile(r"(\d+)\s+(\d+\.\d+) (.*)", re.S)
RESUMED = re.compile(r"<\.\.\. (\w+) resumed>(.*)", re.S)
CALL = re.compile(r"(\w+)\((\d+)<((?:->|[^>])*)>(.*)", re.S)
RESULT = re.compile(r"\) += (-?\d+)[^\"]*$")
UNFINISHED = " <unfinished ...>"
USER = re.compile(r"trace-\d{6}-[0-9a-f]{8}")


class Call:
    """Is one system call; `begin` and `end` order it among all calls of all threads.

    strace stops each thread before and after a call. So what is logged after the end of a call has begun after it,
    and what is logged before its beginning was over: the numbers of the lines are the order.
    """

    __slots__ = ("name", "target", "text", "begin", "end", "result", "thread", "time")

    def __init__(self, name, target, text, begin, end, result, thread, time):
        self.name, self.target, self.text = name, target, text
        self.begin, self.end, self.result = begin, end, result
        self.thread, self.time = thread, time


def calls(lines):
    """The finished calls with a file or socket as first argument, in the order in which they ended."""
    pending = {}
    for number, line in enumerate(lines):
        found = LINE.match(line.rstrip("\n"))
        if not found:
            continue
        thread, time, text, begin = found.group(1), float(found.group(2)), found.group(3), number
        if text.endswith(UNFINISHED):
            pending[thread] = (text[: -len(UNFINISHED)], number)
            continue
        resumed = RESUMED.match(text)
        if resumed:
            if thread not in pending:
                continue
            start, begin = pending.pop(thread)
            text = start + resumed.group(2)
        call, result = CALL.match(text), RESULT.search(text)
        if call and result:
            yield Call(call.group(1), call.group(3), call.group(4), begin, number, int(result.group(1)), thread, time)


class Report:
    """Is what a log shows."""

    def __init__(self, lines):
        self.acknowledged = 0
        self.violations = []
        self.stricter = []
        self.syncs = 0
        self.log_writes = 0
        self._check(list(calls(lines)))

    def _check(self, all_calls):
        writes = [c for c in all_calls if c.name.startswith("pwrite") and c.target.endswith("-wal") and c.result > 0]
        syncs = [
            c for c in all_calls if c.name in ("fdatasync", "fsync") and c.target.endswith("-wal") and c.result == 0
        ]
        self.syncs, self.log_writes = len(syncs), len(writes)
        writes.sort(key=lambda c: c.begin)
        syncs.sort(key=lambda c: c.begin)
        write_begins, sync_begins = [c.begin for c in writes], [c.begin for c in syncs]
        first_write_end, first_sync_end = suffix_minimum(writes), suffix_minimum(syncs)
        pages_of = {}
        for write in writes:
            for user in set(USER.findall(write.text)):
                pages_of.setdefault(user, []).append(write)

        def synced_by(begin, end):
            """Whether a sync begun after a moment was complete before another."""
            index = bisect.bisect_right(sync_begins, begin)
            return index < len(syncs) and first_sync_end[index] < end

        request = {}  # The last read of each connection.
        for call in all_calls:
            if not call.target.startswith("TCP"):
                continue
            if call.name in ("read", "recvfrom", "recvmsg", "readv") and call.result > 0:
                user = USER.search(call.text)
                former = request.get(call.target)
                request[call.target] = (call.end, user.group() if user else former and former[1])
            elif call.name in ("write", "writev", "sendto", "sendmsg") and '"HTTP/1.1 20' in call.text:
                if call.target not in request or request[call.target][1] is None:
                    continue
                moment, user = request.pop(call.target)
                self.acknowledged += 1
                # The words of the issue: a write of the log, and a sync begun after it.
                index = bisect.bisect_right(write_begins, moment)
                if index == len(writes) or not synced_by(first_write_end[index], call.begin):
                    self.violations.append(user)
                # Stricter: the first page of the log that holds this very user, and a sync begun after it.
                page = next((write for write in pages_of.get(user, []) if write.begin > moment), None)
                if page is None or not synced_by(page.end, call.begin):
                    self.stricter.append(user)


def suffix_minimum(ordered):
    """For each place, the earliest end of the calls from there on."""
    ends, least = [0] * len(ordered), float("inf")
    for index in range(len(ordered) - 1, -1, -1):
        least = min(least, ordered[index].end)
        ends[index] = least
    return ends
