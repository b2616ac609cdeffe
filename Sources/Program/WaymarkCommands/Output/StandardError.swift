import DeepLinkFormats
import Foundation

/// The stream of messages for people, apart from a command's answer.
enum StandardError {
    /// Writes a message of one or more lines, in which no control character reaches the terminal; a failure to write
    /// cannot be reported.
    static func print(_ message: String) {
        try? FileHandle.standardError.write(contentsOf: Data((TerminalText.document(message) + "\n").utf8))
    }
}
