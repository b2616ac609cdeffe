/// A metric of ours; the reference in the documentation has one line for each, held to this table by a test.
package enum MetricName: String, CaseIterable, Sendable {
    case requests = "waymark_http_requests_total"
    case requestDuration = "waymark_http_request_duration_seconds"
    case resolutions = "waymark_resolutions_total"
    case denials = "waymark_denials_total"
    case continuationsRedeemed = "waymark_continuations_redeemed_total"
    case levelCacheLookups = "waymark_level_cache_lookups_total"
    case storeCommits = "waymark_store_commits_total"
    case storeCommitWrites = "waymark_store_commit_writes"
    case storeCommitDuration = "waymark_store_commit_duration_seconds"
    case storeLog = "waymark_store_wal_bytes"
    case changeFeedAge = "waymark_change_feed_age_seconds"
    case catalog = "waymark_catalog_info"
    case catalogRefusals = "waymark_catalog_refusals_total"
    case requestLogLinesDropped = "waymark_request_log_lines_dropped_total"
    case metricsNotKept = "waymark_metrics_not_kept_total"
    case build = "waymark_build_info"
    case residentMemory = "process_resident_memory_bytes"
    case openDescriptors = "process_open_fds"
    case maximumDescriptors = "process_max_fds"
    case startTime = "process_start_time_seconds"

    /// What the metric is, in one sentence.
    package var help: String {
        switch self {
        case .requests: "Requests that were answered, by endpoint, method and status."
        case .requestDuration: "Time from the head of a request to the end of its answer, by endpoint."
        case .resolutions: "Links that were resolved or refused, by outcome and the route on top or at fault."
        case .denials: "Resolutions that a level kept out, by the gate that was shown."
        case .continuationsRedeemed: "Continuations that were granted."
        case .levelCacheLookups: "Questions for a user's level, by whether memory had the answer."
        case .storeCommits: "Transactions that were committed."
        case .storeCommitWrites: "Changes that shared a commit."
        case .storeCommitDuration: "Time of a transaction of changes, its sync of the disk included."
        case .storeLog: "Size of the write-ahead log."
        case .changeFeedAge: "Time since the store was last asked what others have changed."
        case .catalog: "The catalog in force; always 1."
        case .catalogRefusals: "Versions of the catalog's file that could not be used."
        case .requestLogLinesDropped: "Lines of the request log that were left out, since it is read too slowly."
        case .metricsNotKept: "Series that were not kept, since there are too many."
        case .build: "The version of the program; always 1."
        case .residentMemory: "Memory of the process that is resident."
        case .openDescriptors: "Descriptors that are open."
        case .maximumDescriptors: "The most descriptors that may be open."
        case .startTime: "When the process began, in seconds since 1970."
        }
    }

    /// Returns a name with what Prometheus allows in one; anything else becomes an underscore.
    static func sound(_ name: String) -> String {
        let isSound: (Character) -> Bool = { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        let text = String(name.map { isSound($0) ? $0 : "_" })
        return text.first?.isNumber == true ? "_" + text : text
    }
}
