import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
package import HTTPServer
package import Logging

/// The dependencies that connections share: the rules of admission, the endpoints, and the observation of responses.
///
/// It is a class, so that a connection counts one reference to it instead of one for each part.
package final class ConnectionServices: ServerApplication {
    /// The settings of admission.
    let admission: AdmissionPolicy

    /// The endpoints of the service.
    let endpoints: EndpointTable

    /// The server's load, and whether it is about to stop.
    package let load: ServerLoad

    /// The log of the failures that cause problems.
    let failures: FailureLog

    /// The observer of every response, in addition to the metrics.
    let observer: (any ResponseObserver)?

    /// The metrics of responses, or `nil` for none.
    let metrics: ServiceMetrics?

    /// The log of unexpected failures.
    let logger: Logger

    /// Whether changes are audited, with the address of their origin.
    let isAudited: Bool

    /// Creates the dependencies from their parts.
    package init(
        admission: AdmissionPolicy,
        endpoints: EndpointTable,
        load: ServerLoad,
        failures: FailureLog = FailureLog(),
        observer: (any ResponseObserver)? = nil,
        metrics: ServiceMetrics? = nil,
        isAudited: Bool = false,
        logger: Logger = Logger(label: "waymark") { _ in SwiftLogNoOpLogHandler() }
    ) {
        self.admission = admission
        self.endpoints = endpoints
        self.load = load
        self.failures = failures
        self.observer = observer
        self.metrics = metrics
        self.isAudited = isAudited
        self.logger = logger
    }

    package var ownFields: OwnFieldNames { RequestFields.ownNames }

    package var supervisedPaths: [String] { ["/readyz", "/healthz", "/metrics"] }

    package var secondsSinceEpoch: Int64 { admission.now().millisecondsSinceEpoch / 1000 }

    package func makeResponder() -> any ConnectionResponder { AtOnceResponder(with: self) }

    package func response(to fault: RequestFault, id: String) -> ServerResponse {
        EndpointResponse(Problem(fault).identified(by: id))
    }

    /// The responder in a task.
    var deferredResponder: DeferredResponder { DeferredResponder(services: self) }

    /// Whether the addresses of clients are needed.
    var wantsAddresses: Bool { admission.callerLimits != nil || isAudited || observer != nil }

    /// The rare request fields to read: the fields that responses depend on, and the fields for addresses and traces.
    var wantedFields: RequestFields.Wanted {
        var wanted = admission.catalog.wantedFields
        if wantsAddresses { wanted.insert(.forwardedFor) }
        if observer != nil { wanted.insert(.traceParent) }
        return wanted
    }

    /// Waits for the answer to a request, and ends its work.
    func response(
        to head: RequestHead,
        after answer: @Sendable () async throws -> EndpointResponse
    ) async -> EndpointResponse {
        defer { load.workEnded() }
        do {
            return try await answer()
        } catch {
            return refusal(of: head, for: .ofWait(error))
        }
    }

    /// Returns the response to a request that is refused, and notes the cause.
    func refusal(of head: RequestHead, for problem: Problem) -> EndpointResponse {
        failures.note(problem, of: head.id)
        return EndpointResponse(problem.identified(by: head.id))
    }
}
