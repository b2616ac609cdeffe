import DeepLinkCore
import Foundation

/// A file that a command is given, where `-` is standard input.
enum InputFile {
    /// Returns the file as messages name it.
    static func name(_ path: String) -> String { path.bytewise == "-" ? "standard input" : path }

    /// Cuts a file into lines with their numbers, from 1; a byte order mark and carriage returns are dropped.
    static func lines(_ bytes: [UInt8]) -> [(number: Int, line: ArraySlice<UInt8>)] {
        let mark = Array("\u{FEFF}".utf8)
        return (bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...])
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
            .map { ($0.offset + 1, $0.element.last == UInt8(ascii: "\r") ? $0.element.dropLast() : $0.element) }
    }

    /// Reads all of the file.
    ///
    /// - Throws: ``CommandError`` of code 69 where it cannot be read.
    static func read(_ path: String) throws(CommandError) -> [UInt8] {
        let file = path.bytewise == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        guard let data = try? file?.readToEnd() ?? (file == nil ? nil : Data()) else {
            throw CommandError(.unavailable, "cannot read \(name(path)).")
        }
        return Array(data)
    }
}
