import CoreMetrics
import DeepLinkMetrics

/// What is counted of the commits of a store.
package struct CommitMetrics: Sendable {
    private let commits = Counter(label: MetricName.storeCommits.rawValue)
    private let writes = Recorder(label: MetricName.storeCommitWrites.rawValue)
    private let duration = Timer(label: MetricName.storeCommitDuration.rawValue)

    /// Counts in the registry of the process.
    package init() {}

    /// Counts a transaction that is on disk, by the changes that shared it and the time since its beginning.
    package func count(_ changes: Int, since begin: ContinuousClock.Instant) {
        let time = begin.duration(to: .now).components
        commits.increment()
        writes.record(changes)
        duration.recordNanoseconds(time.seconds * 1_000_000_000 + time.attoseconds / 1_000_000_000)
    }
}
