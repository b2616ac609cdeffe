import DeepLinkAuthentication
import DeepLinkHTTP
import DeepLinkStorage

extension ServerMetrics {
    /// Measures the parts of a server and the process from now on.
    func measure(
        _ parts: ServerParts,
        store: any OpenStore,
        resolutionLog: ResolutionLogFile?,
        auditLog: AuditLogWriter?
    ) {
        measure(store, in: parts.catalog)
        measure(parts.load, maximumConnections: parts.maximumConnections)
        measure(
            ServiceHealth(
                store: store,
                catalog: parts.catalog,
                authentication: parts.authentication,
                load: parts.load
            )
        )
        if let endUsers = parts.authentication.endUsers { measure(endUsers) }
        if let auditLog {
            let lost = FollowedTotal(.auditLinesLost)
            registry.beforeText { lost.follow(Double(auditLog.lostCount)) }
        }
        if let resolutionLog {
            let dropped = FollowedTotal(.resolutionLogLinesDropped)
            registry.beforeText { dropped.follow(Double(resolutionLog.droppedCount)) }
        }
    }
}
