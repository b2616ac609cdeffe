import CoreMetrics
import DeepLinkCore
import DeepLinkHTTP
import Dispatch
import HTTPServer
import Logging
import NIOCore
import Synchronization
import WaymarkCommands

/// The request log: one line for each response, at `info`, without link, query, user or token.
///
/// A refused caller is logged with its address. Responses are reported on event loops, which must not wait, so lines
/// are written on a separate thread. If the log is read more slowly than requests arrive, lines are dropped, and their
/// number is logged.
final class RequestLog: ResponseObserver {
    /// The maximum number of lines that wait to be written.
    private static let maximumWaitingCount = 16_384

    /// The methods that are logged by name.
    ///
    /// Others are text of the client.
    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"]

    private struct Waiting {
        var answers: [ObservedResponse] = []
        var skippedCount = 0
    }

    /// The endpoints that load balancers and supervisors request every few seconds.
    private static let probes = ["/healthz", "/readyz"]

    private let logger: Logger
    private let leavesOutProbes: Bool
    private let maximumCount: Int
    private let waiting = Mutex(Waiting())
    private let dropped = Counter(label: ServerMetric.requestLogLinesDropped.rawValue)
    private let queue = DispatchQueue(label: "waymark.request-log")

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - logger: The logger that gets one line for each response.
    ///   - leavesOutProbes: Whether probes answered with 200 are not logged.
    ///   - maximumWaitingCount: The maximum number of lines that wait to be written.
    init(_ logger: Logger, leavesOutProbes: Bool = false, maximumWaitingCount: Int = RequestLog.maximumWaitingCount) {
        self.logger = logger
        self.leavesOutProbes = leavesOutProbes
        maximumCount = maximumWaitingCount
    }

    func answered(_ answer: ObservedResponse) {
        guard
            !leavesOutProbes || answer.status != 200
                || !Self.probes.contains(where: { $0.bytewise == answer.template.bytewise })
        else { return }
        let isFirst = waiting.withLock { waiting in
            guard waiting.answers.count < maximumCount else {
                waiting.skippedCount += 1
                return false
            }
            waiting.answers.append(answer)
            return waiting.answers.count == 1
        }
        if isFirst { queue.async { self.write() } }
    }

    /// Waits until all reported responses are written.
    func finish() { queue.sync { write() } }

    private func write() {
        let taken = waiting.withLock { waiting in
            let taken = waiting
            waiting = Waiting()
            return taken
        }
        for answer in taken.answers { logger.info("request", metadata: Self.metadata(answer)) }
        guard taken.skippedCount > 0 else { return }
        dropped.increment(by: taken.skippedCount)
        logger.warning(
            "The log is written too slowly for a line for each request.",
            metadata: ["notLogged": .stringConvertible(taken.skippedCount)]
        )
    }

    private static func metadata(_ answer: ObservedResponse) -> Logger.Metadata {
        let seconds = Double(answer.duration.nanoseconds / 1000) / 1_000_000
        var metadata: Logger.Metadata = [
            "endpoint": "\(answer.template)", "status": .stringConvertible(answer.status),
            "duration": .stringConvertible(LogLine.Decimal(value: seconds)),
            "catalogVersion": "\(answer.catalogVersion)", "requestId": "\(answer.requestID)",
        ]
        if !answer.method.isEmpty {
            let isKnown = methods.contains { $0.bytewise == answer.method.bytewise }
            metadata["method"] = .string(isKnown ? answer.method : "other")
        }
        if let parent = answer.traceParent { metadata["traceparent"] = "\(parent)" }
        if let caller = answer.caller { metadata["caller"] = "\(caller.text)" }
        if let address = answer.refusedAddress { metadata["from"] = "\(address)" }
        return metadata
    }
}
