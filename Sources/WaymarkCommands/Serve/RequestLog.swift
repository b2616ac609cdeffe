import DeepLinkCore
import DeepLinkHTTP
import Dispatch
import Logging
import NIOCore
import Synchronization

/// The log of requests: one line for each answer, at `info`, with nothing of the link, the query, the user or the token.
///
/// Answers are told on event loops, which wait for nothing: lines are written on a thread of their own. Where the log is
/// read more slowly than requests come, lines are left out, and it says how many.
final class RequestLog: ResponseObserver {
    /// The most lines that wait to be written.
    private static let maximumWaitingCount = 16_384

    /// The methods that are named; others are a client's own words.
    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"]

    private struct Waiting {
        var answers: [ObservedResponse] = []
        var skippedCount = 0
    }

    private let logger: Logger
    private let maximumCount: Int
    private let waiting = Mutex(Waiting())
    private let queue = DispatchQueue(label: "waymark.request-log")

    init(_ logger: Logger, maximumWaitingCount: Int = RequestLog.maximumWaitingCount) {
        self.logger = logger
        maximumCount = maximumWaitingCount
    }

    func answered(_ answer: ObservedResponse) {
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

    /// Waits until all that was told is written.
    func finish() { queue.sync { write() } }

    private func write() {
        let taken = waiting.withLock { waiting in
            let taken = waiting
            waiting = Waiting()
            return taken
        }
        for answer in taken.answers { logger.info("request", metadata: Self.metadata(answer)) }
        guard taken.skippedCount > 0 else { return }
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
        if let caller = answer.caller { metadata["caller"] = "\(caller.text)" }
        return metadata
    }
}
