import DeepLinkCore
import Synchronization

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
