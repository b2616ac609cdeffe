import Foundation

/// Writes messages for people, apart from a command's answer.
enum StandardError {
    /// Writes one line.
    static func print(_ message: String) {
        FileHandle.standardError.write(Data((message + "\n").utf8))
    }
}
