import CoreMetrics

/// The metrics of a store's commits.
package struct CommitMetrics: Sendable {
    private let commits = Counter(label: StoreMetric.commits.rawValue)
    private let writes = Recorder(label: StoreMetric.commitWrites.rawValue)
    private let duration = Timer(label: StoreMetric.commitDuration.rawValue)

    /// Creates metrics in the registry of the process.
    package init() {}

    /// Counts a transaction that is on disk: the changes that shared it, and its duration.
    package func count(_ changes: Int, since begin: ContinuousClock.Instant) {
        let time = begin.duration(to: .now).components
        commits.increment()
        writes.record(changes)
        duration.recordNanoseconds(time.seconds * 1_000_000_000 + time.attoseconds / 1_000_000_000)
    }
}
