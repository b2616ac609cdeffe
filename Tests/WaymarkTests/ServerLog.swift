import Synchronization

/// Gathers what a server logs: one thread reads it, others ask for it.
final class ServerLog: Sendable {
    private let contents = Mutex("")

    /// What has been logged so far.
    var text: String { contents.withLock { $0 } }

    /// Adds what has just been read.
    func append(_ text: String) { contents.withLock { $0 += text } }
}
