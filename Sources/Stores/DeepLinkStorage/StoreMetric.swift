/// A metric that every store records; the reference documentation has one line for each.
package enum StoreMetric: String, CaseIterable, Sendable {
    case levelCacheLookups = "waymark_level_cache_lookups_total"
    case commits = "waymark_store_commits_total"
    case commitWrites = "waymark_store_commit_writes"
    case commitDuration = "waymark_store_commit_duration_seconds"

    /// The description that Prometheus shows, in one sentence.
    package var help: String {
        switch self {
        case .levelCacheLookups: "Look-ups of a user's level, by whether it was cached."
        case .commits: "Transactions that were committed."
        case .commitWrites: "Changes that shared a commit."
        case .commitDuration: "Time of a transaction of changes, its sync of the disk included."
        }
    }
}
