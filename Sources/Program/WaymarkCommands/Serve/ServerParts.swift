import DeepLinkAuthentication
import DeepLinkHTTP
import DeepLinkReporting

/// The parts of a server that its endpoints, its connections and the services beside them share.
struct ServerParts {
    /// The catalog in force.
    let catalog: LiveCatalog

    /// The authentication of callers.
    let authentication: Authentication

    /// The logins of persons to the console; `nil` if no provider is set.
    let login: PersonLogin?

    /// The signing keys and the lifetime of continuations.
    let continuations: ContinuationSettings

    /// The keys that sign links.
    let signingKeys: LinkSigningKeys

    /// The server's load, and whether it is about to stop.
    let load: ServerLoad

    /// The metrics of answers and resolutions.
    let metrics: ServiceMetrics

    /// The counts of resolutions since the start.
    let counts: ResolutionCounts

    /// The counts of uses of links, until they are written to the store.
    let linkCounts = LinkCounts()

    /// The audit log of changes; `nil` for none.
    let auditLog: AuditLogWriter?

    /// The log for failures behind problems.
    let failures: FailureLog

    /// The counts of requests that limits refuse.
    let refusals: LimitRefusals

    /// The most connections that may be open.
    let maximumConnections: Int
}
