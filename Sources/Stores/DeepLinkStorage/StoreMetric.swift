import CoreMetrics

/// A metric that every store records.
///
/// The reference documentation has one line for each.
package enum StoreMetric: String, CaseIterable, Sendable {
    case levelCacheLookups = "waymark_level_cache_lookups_total"
    case commits = "waymark_store_commits_total"
    case commitWrites = "waymark_store_commit_writes"
    case commitDuration = "waymark_store_commit_duration_seconds"

    /// The description that Prometheus shows, in one sentence.
    package var help: String {
        switch self {
        case .levelCacheLookups: "Lookups of a user's level, by whether it was cached."
        case .commits: "Committed transactions."
        case .commitWrites: "Changes per commit."
        case .commitDuration: "Time of a write transaction, including the sync of the disk."
        }
    }
}

/// The metrics of a store's commits.
package struct CommitMetrics: Sendable {
    private let commits = Counter(label: StoreMetric.commits.rawValue)
    private let writes = Recorder(label: StoreMetric.commitWrites.rawValue)
    private let duration = Timer(label: StoreMetric.commitDuration.rawValue)

    /// Creates metrics in the registry of the process.
    package init() {}

    /// Counts a committed transaction, with the number of changes in it and its duration.
    package func count(_ changes: Int, since begin: ContinuousClock.Instant) {
        let time = begin.duration(to: .now).components
        commits.increment()
        writes.record(changes)
        duration.recordNanoseconds(time.seconds * 1_000_000_000 + time.attoseconds / 1_000_000_000)
    }
}

/// An error of a store, described in sentences with its cause and its remedy.
package protocol StoreError: Error, CustomStringConvertible {
    /// Whether the stored data is damaged, as opposed to a failure of the environment.
    var isDamage: Bool { get }
}
