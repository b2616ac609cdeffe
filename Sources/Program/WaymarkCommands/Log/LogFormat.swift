import Logging

/// The format of log messages on standard error.
enum LogFormat: String, CaseIterable, Sendable {
    /// Lines for people, in the style of swift-log; a list of issues takes several.
    case text

    /// One line of `key=value` for each message.
    case logfmt

    /// One JSON object, on one line, for each message.
    case json

    /// Returns a handler that writes messages in this format.
    func handler(label: String) -> any LogHandler {
        switch self {
        case .text: StreamLogHandler.standardError(label: label)
        case .logfmt: LineLogHandler(label: label, line: \.logfmt)
        case .json: LineLogHandler(label: label, line: \.json)
        }
    }
}
