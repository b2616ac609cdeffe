"""Says what happened in a run."""

import collections


def report(options, passed, processor, results, swapper, watch, totals, findings):
    """Prints what happened."""
    counts, statuses = collections.Counter(), collections.Counter()
    for result in results:
        counts += result.counts
        statuses += result.statuses
    requests = sum(statuses.values())
    print(f"\n{options.connections} connections for {passed:.0f} s: {requests:,} requests, "
          f"{requests / passed:,.0f} a second, {processor / max(requests, 1) * 1e6:,.0f} us of the server's processor "
          "time each")
    for kind, count in sorted(counts.items()):
        print(f"    {count:9,} {kind}")
    print("statuses: " + ", ".join(f"{status}: {count:,}" for status, count in sorted(statuses.items())))
    print("catalogs: " + ", ".join(f"{count:,} {kind}" for kind, count in sorted(swapper.counts.items()))
          + f"; {totals[0][2]} refusals in the log")
    print(f"connections closed as announced: {sum(result.announced_closes for result in results)}")
    for (users, changes, _), when in zip(totals, ["at the end", "after a restart"]):
        print(f"{when}: {users:,} users and {changes:,} changes read back")
    lines, fault = watch.judge()
    print("\n".join(lines))
    if fault:
        findings.add("memory", fault)
    if not swapper.counts["swapped by a changed file"] + swapper.counts["swapped by SIGHUP"]:
        findings.add("reload", "the catalog was never swapped; run for longer")
    print(f"findings: {len(findings.all)} told, {sum(result.findings for result in results)} by clients in all")
