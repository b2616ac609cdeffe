/// A metric of the process; the reference documentation has one line for each.
enum ServerMetric: String, CaseIterable, Sendable {
    case storeLog = "waymark_store_wal_bytes"
    case changeFeedAge = "waymark_change_feed_age_seconds"
    case catalog = "waymark_catalog_info"
    case catalogRefusals = "waymark_catalog_refusals_total"
    case catalogRefused = "waymark_catalog_refused"
    case unknownLevels = "waymark_users_unknown_level"
    case requestLogLinesDropped = "waymark_request_log_lines_dropped_total"
    case metricsNotKept = "waymark_metrics_not_kept_total"
    case build = "waymark_build_info"
    case residentMemory = "process_resident_memory_bytes"
    case openDescriptors = "process_open_fds"
    case maximumDescriptors = "process_max_fds"
    case startTime = "process_start_time_seconds"

    /// The description that Prometheus shows, in one sentence.
    var help: String {
        switch self {
        case .storeLog: "Size of the write-ahead log."
        case .changeFeedAge: "Time since the last search for changes of others in the store."
        case .catalog: "The catalog in force; always 1."
        case .catalogRefusals: "Versions of the catalog's file that could not be used."
        case .catalogRefused: "Whether the newest version of the catalog's file is not in force, 0 or 1."
        case .unknownLevels: "Stored users whose level the catalog doesn't have, so that it counts as the lowest."
        case .requestLogLinesDropped: "Lines of the request log that were left out, since it is read too slowly."
        case .metricsNotKept: "Series that were not kept, since there are too many."
        case .build: "The version of the program; always 1."
        case .residentMemory: "Memory of the process that is resident."
        case .openDescriptors: "Descriptors that are open."
        case .maximumDescriptors: "The most descriptors that may be open."
        case .startTime: "When the process began, in seconds since 1970."
        }
    }
}
