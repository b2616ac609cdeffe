import DeepLinkCore
import Foundation
package import Logging

/// A log message as one line, with any content: time, level, message, and then the metadata by their names.
package struct LogLine {
    let time: Timestamp
    let level: Logger.Level
    let message: String
    let metadata: Logger.Metadata

    /// The line as a JSON object, in which numbers stay numbers.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, value) in fixed { writer.member(name, value) }
            for (name, value) in sorted {
                writer.key(name)
                write(value, to: &writer)
            }
        }
        return writer.bytes
    }

    /// The line as `key=value` pairs separated by spaces.
    ///
    /// Values with special characters are quoted, and escaped as in JSON.
    var logfmt: [UInt8] {
        var line: [UInt8] = []
        for (name, value) in fixed + sorted.map({ ($0.key, $0.value.description) }) {
            if !line.isEmpty { line.append(UInt8(ascii: " ")) }
            line += name.utf8
            line.append(UInt8(ascii: "="))
            line += Self.quoted(value)
        }
        return line
    }

    private var fixed: [(String, String)] {
        [("time", time.rfc3339), ("level", level.rawValue), ("message", message)]
    }

    /// The metadata sorted by name, without keys that would replace a fixed field.
    private var sorted: [(key: String, value: Logger.MetadataValue)] {
        let names = fixed.map(\.0.bytewise)
        return metadata.filter { !names.contains($0.key.bytewise) }.sorted { $0.key.bytewise < $1.key.bytewise }
    }

    private func write(_ value: Logger.MetadataValue, to writer: inout JSONWriter) {
        switch value {
        case .stringConvertible(let number as any BinaryInteger): writer.number(Int(clamping: number))
        case .stringConvertible(let number as Decimal): writer.value(.double(number.value))
        default: writer.string(value.description)
        }
    }

    private static func quoted(_ value: String) -> [UInt8] {
        let isPlain = value.utf8.allSatisfy { byte in
            (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "=")
        }
        guard value.isEmpty || !isPlain else { return Array(value.utf8) }
        var writer = JSONWriter()
        writer.string(value)
        return writer.bytes
    }

    /// A decimal number, such as seconds, in the log.
    package struct Decimal: CustomStringConvertible, Sendable {
        let value: Double

        /// Creates the metadata of a number.
        package init(value: Double) { self.value = value }

        package var description: String { "\(value)" }
    }
}

/// The format of log messages on standard error.
package enum LogFormat: String, CaseIterable, Sendable {
    /// Lines for people, in the style of swift-log; a list of issues takes several.
    case text

    /// One line of `key=value` for each message.
    case logfmt

    /// One JSON object, on one line, for each message.
    case json

    /// Returns a handler that writes messages in this format.
    package func handler(label: String) -> any LogHandler {
        switch self {
        case .text: StreamLogHandler.standardError(label: label)
        case .logfmt: LineLogHandler(label: label, line: \.logfmt)
        case .json: LineLogHandler(label: label, line: \.json)
        }
    }
}

/// A log handler that writes each message to standard error as one line, in one system call.
struct LineLogHandler: LogHandler {
    let label: String

    /// Returns the line of a message.
    let line: @Sendable (LogLine) -> [UInt8]

    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let error = event.error { all["error"] = "\(error)" }
        all.merge(event.metadata ?? [:]) { _, given in given }
        let line = line(
            LogLine(time: SystemClock.now(), level: event.level, message: event.message.description, metadata: all)
        )
        // If that fails, the failure cannot be reported.
        try? FileHandle.standardError.write(contentsOf: line + [UInt8(ascii: "\n")])
    }
}
