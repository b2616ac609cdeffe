import Logging
import Synchronization

/// What is logged, to be read by tests.
final class LogLines: Sendable {
    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.append("\(event.level) \(event.message) \(event.metadata ?? [:])")
        }
    }

    private let lines = Mutex<[String]>([])

    /// All lines, joined.
    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    /// Forgets all lines.
    func clear() { lines.withLock { $0 = [] } }

    /// A logger that writes here.
    var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private func append(_ line: String) { lines.withLock { $0.append(line) } }
}
