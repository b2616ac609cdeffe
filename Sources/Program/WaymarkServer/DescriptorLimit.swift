import Foundation
import Logging
import WaymarkCommands

/// The limit of file descriptors, of which each connection takes one.
enum DescriptorLimit {
    /// The number of descriptors besides connections: for database, catalog, logs and event loops.
    private static let reserve = 128

    /// Returns the number of possible connections, and warns if they are fewer than wanted.
    static func connections(atMost wanted: Int, logger: Logger) -> Int {
        let count = connections(atMost: wanted)
        if count < wanted {
            logger.warning(
                "Fewer connections fit than the settings allow. Raise the limit of open files (ulimit -n).",
                metadata: ["connections": .stringConvertible(count), "wanted": .stringConvertible(wanted)]
            )
        }
        return count
    }

    /// Raises the limit of this process as far as the system allows, and returns the number of possible connections.
    ///
    /// The system reports further connections as errors, and the server would try to accept them again and again
    /// (accept(2), EMFILE).
    private static func connections(atMost wanted: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return wanted }
        let needed = rlim_t(wanted + reserve)
        if limit.rlim_cur < needed {
            limit.rlim_cur = min(needed, limit.rlim_max)
            guard setrlimit(resource, &limit) == 0 else { return wanted }
        }
        guard limit.rlim_cur < needed else { return wanted }
        return max(1, Int(limit.rlim_cur) - reserve)
    }

    #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let resource = RLIMIT_NOFILE
    #endif
}
