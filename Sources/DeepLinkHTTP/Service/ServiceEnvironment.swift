package import DeepLinkAuthentication
package import DeepLinkCore
import DeepLinkFormats
package import DeepLinkReporting
package import DeepLinkUsers
import Synchronization

/// The dependencies of the endpoints; the composition root fills it.
///
/// A class, since every request gets it several times: that counts one reference, not one for each part.
package final class ServiceEnvironment: Sendable {
    /// The routes.
    package let catalog: LiveCatalog

    /// The user states.
    package let store: any UserStateStore

    /// The redemptions of continuations.
    package let continuationStore: any ContinuationStore

    /// The signing keys and the lifetime of continuations.
    package let continuations: ContinuationSettings

    /// The keys that sign links.
    package let signingKeys: LinkSigningKeys

    /// The authentication of callers.
    package let authentication: Authentication

    /// The server's load, and whether it is about to stop.
    package let load: ServerLoad

    /// Whether web links accept a loopback name or an IP address as the first https origin, on a server that only this
    /// machine reaches.
    package let answersLocalHosts: Bool

    /// Whether a server without credentials answers everyone who can connect, through proxies too
    /// (`--insecure-no-auth`).
    package let isInsecure: Bool

    /// The rate limits of callers; `nil` for none.
    package let callerLimits: CallerLimits?

    /// The pages of other origins that may read answers; `nil` for none.
    package let crossOrigins: CrossOriginRules?

    /// The hosts of https origins, with their ports, at which the console is answered all the same.
    package let consoleHosts: [String]

    /// The version of the program.
    package let version: String

    /// The endpoints of the service.
    package let endpoints: EndpointTable

    /// The log for failures of the environment.
    package let failures: FailureLog

    /// The observer of every answer, beside the metrics.
    package let observer: (any ResponseObserver)?

    /// The metrics of answers and resolutions; `nil` for none.
    package let metrics: ServiceMetrics?

    /// The counts of resolutions; `nil` for none.
    package let resolutions: ResolutionCounts?

    /// The comparisons of catalogs, one at a time.
    let comparisons: ComparisonQueue

    /// The requests with a key that are being worked on.
    let repeatable = RequestsInProgress()

    /// The signed catalog for apps.
    let bundle: LiveBundle

    /// Returns the current time.
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
        comparisons: ComparisonQueue,
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

    /// Whether the addresses of clients are needed.
    var wantsAddresses: Bool { callerLimits != nil }

    /// The fields of requests that are needed beside those that decide answers.
    var wantedFields: RequestFields.Wanted {
        var wanted: RequestFields.Wanted = []
        if callerLimits != nil { wanted.insert(.forwardedFor) }
        if observer != nil { wanted.insert(.traceParent) }
        if catalog.asksForApps { wanted.insert(.app) }
        return wanted
    }

    /// Reads user states.
    ///
    /// - Throws: `Problem` of code `user-state-unavailable`, for every error of the store.
    func reading<Result>(_ body: (any UserStateStore) throws -> Result) throws(Problem) -> Result {
        do {
            return try body(store)
        } catch {
            throw .userStateUnavailable(error)
        }
    }

    /// Reads user states, and waits for them.
    ///
    /// - Throws: `Problem` of code `user-state-unavailable`, for every error of the store.
    func readingLater<Result>(_ body: (any UserStateStore) async throws -> Result) async throws(Problem) -> Result {
        do {
            return try await body(store)
        } catch {
            throw .userStateUnavailable(error)
        }
    }
}

/// The requests with a key that this server is working on, each once.
final class RequestsInProgress: Sendable {
    private let names = Mutex<Set<[ByteText]>>([])

    /// Begins to work on a request; ``end(_:)`` must follow.
    ///
    /// - Returns: whether it was not being worked on.
    func begin(_ request: RepeatableRequest) -> Bool {
        names.withLock { $0.insert(request.name).inserted }
    }

    /// Ends the work on a request.
    func end(_ request: RepeatableRequest) {
        names.withLock { _ = $0.remove(request.name) }
    }
}
