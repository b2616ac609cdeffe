package import DeepLinkAuthentication
package import DeepLinkCore
import DeepLinkFormats
package import DeepLinkReporting

/// What the endpoints answer from; the composition root fills it.
///
/// A class, since every request is handed it several times: that counts one reference, not one for each part.
package final class ServiceEnvironment: Sendable {
    /// The routes.
    package let catalog: LiveCatalog

    /// The user states.
    package let store: any UserStateStore

    /// Who redeemed which continuation.
    package let continuationStore: any ContinuationStore

    /// How continuations are signed, and how long they last.
    package let continuations: ContinuationSettings

    /// The keys that sign links.
    package let signingKeys: LinkSigningKeys

    /// How callers are told apart.
    package let authentication: Authentication

    /// What there is to do, and whether the server is about to stop.
    package let load: ServerLoad

    /// Whether the link surface takes a loopback name or an IP address for the first https origin, as a server does
    /// that only this machine reaches.
    package let answersLocalHosts: Bool

    /// Whether a server without credentials answers whoever can connect, through proxies too (`--insecure-no-auth`).
    package let isInsecure: Bool

    /// The most requests of each caller; `nil` for any number.
    package let callerLimits: CallerLimits?

    /// The pages of other origins that may read answers; `nil` for none.
    package let crossOrigins: CrossOriginRules?

    /// The hosts of https origins, with their ports, by which the console is answered all the same.
    package let consoleHosts: [String]

    /// The version of the program.
    package let version: String

    /// What the service does.
    package let endpoints: EndpointTable

    /// Where failures of the world are logged.
    package let failures: FailureLog

    /// Who is told of every answer, beside the metrics.
    package let observer: (any ResponseObserver)?

    /// What is counted of answers and resolutions; `nil` for nothing.
    package let metrics: ServiceMetrics?

    /// What is counted of resolutions; `nil` for nothing.
    package let resolutions: ResolutionCounts?

    /// The comparisons of catalogs, one at a time.
    let comparisons: ComparisonDesk

    /// The requests with a key that are being worked on.
    let repeatable = RequestsInProgress()

    /// The signed catalog for apps.
    let bundle: LiveBundle

    /// Reads the clock.
    package let now: @Sendable () -> Timestamp

    /// Creates an environment from its parts.
    package init(
        catalog: LiveCatalog,
        store: any UserStateStore,
        continuationStore: any ContinuationStore,
        continuations: ContinuationSettings,
        authentication: Authentication,
        load: ServerLoad,
        answersLocalHosts: Bool,
        isInsecure: Bool = false,
        callerLimits: CallerLimits? = nil,
        crossOrigins: CrossOriginRules? = nil,
        consoleHosts: [String] = [],
        version: String,
        endpoints: EndpointTable,
        failures: FailureLog = FailureLog(),
        observer: (any ResponseObserver)? = nil,
        metrics: ServiceMetrics? = nil,
        resolutions: ResolutionCounts? = nil,
        comparisons: ComparisonDesk,
        bundle: LiveBundle = LiveBundle(),
        signingKeys: LinkSigningKeys = LinkSigningKeys(),
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.catalog = catalog
        self.store = store
        self.continuationStore = continuationStore
        self.continuations = continuations
        self.authentication = authentication
        self.load = load
        self.answersLocalHosts = answersLocalHosts
        self.isInsecure = isInsecure
        self.callerLimits = callerLimits
        self.crossOrigins = crossOrigins
        self.consoleHosts = consoleHosts
        self.version = version
        self.endpoints = endpoints
        self.failures = failures
        self.observer = observer
        self.metrics = metrics
        self.resolutions = resolutions
        self.comparisons = comparisons
        self.bundle = bundle
        self.signingKeys = signingKeys
        self.now = now
    }

    /// Whether it matters where requests come from.
    var wantsAddresses: Bool { callerLimits != nil }

    /// The fields of requests that somebody wants to know beside those that decide answers.
    var wantedFields: RequestFields.Wanted {
        var wanted: RequestFields.Wanted = []
        if callerLimits != nil { wanted.insert(.forwardedFor) }
        if observer != nil { wanted.insert(.traceParent) }
        if catalog.asksForApps { wanted.insert(.app) }
        return wanted
    }

    /// Reads user states.
    ///
    /// - Throws: `Problem` of code `user-state-unavailable`, whatever keeps the store from answering.
    func reading<Result>(_ body: (any UserStateStore) throws -> Result) throws(Problem) -> Result {
        do {
            return try body(store)
        } catch {
            throw .userStateUnavailable(error)
        }
    }

    /// Reads user states, and waits for them.
    ///
    /// - Throws: `Problem` of code `user-state-unavailable`, whatever keeps the store from answering.
    func readingLater<Result>(_ body: (any UserStateStore) async throws -> Result) async throws(Problem) -> Result {
        do {
            return try await body(store)
        } catch {
            throw .userStateUnavailable(error)
        }
    }
}
