package import Logging
import Synchronization

/// The log, readable by tests.
package final class LogLines: Sendable {
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

    /// Creates an empty log.
    package init() {}

    /// All lines, joined.
    package var text: String { lines.withLock { $0.joined(separator: "\n") } }

    /// Forgets all lines.
    package func clear() { lines.withLock { $0 = [] } }

    /// A logger that writes here.
    package var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private func append(_ line: String) { lines.withLock { $0.append(line) } }
}
