import Foundation

/// The stream of messages for people, apart from a command's answer.
enum StandardError {
    /// Writes one line; where that is not possible, there is nobody to tell.
    static func print(_ message: String) {
        try? FileHandle.standardError.write(contentsOf: Data((message + "\n").utf8))
    }
}
