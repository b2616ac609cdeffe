import Foundation
import Logging

/// A log handler that writes each message to standard error as one line, in one call.
struct LineLogHandler: LogHandler {
    let label: String

    /// Returns the line of a message.
    let line: @Sendable (LogLine) -> [UInt8]

    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    init(label: String, line: @escaping @Sendable (LogLine) -> [UInt8]) {
        self.label = label
        self.line = line
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let error = event.error { all["error"] = "\(error)" }
        all.merge(event.metadata ?? [:]) { _, given in given }
        let line = line(
            LogLine(time: Clock.now(), level: event.level, message: event.message.description, metadata: all)
        )
        // If that fails, the failure cannot be reported.
        try? FileHandle.standardError.write(contentsOf: line + [UInt8(ascii: "\n")])
    }
}
