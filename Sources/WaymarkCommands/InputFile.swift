import Foundation

/// Reads a file that a command is given, where `-` is standard input.
enum InputFile {
    /// The file as messages name it.
    static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

    /// Reads all of the file.
    ///
    /// - Throws: ``CommandFailure`` of code 69 where it cannot be read.
    static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        guard let data = try? file?.readToEnd() ?? (file == nil ? nil : Data()) else {
            throw CommandFailure(.unavailable, "cannot read \(name(path)).")
        }
        return Array(data)
    }
}
