import DeepLinkCore
import Foundation

/// The input file of a command; `-` is standard input.
enum InputFile {
    /// Returns the file's name for messages.
    static func name(_ path: String) -> String { path.bytewise == "-" ? "standard input" : path }

    /// Splits a file into lines with their numbers, from 1; a byte order mark and carriage returns are dropped.
    static func lines(_ bytes: [UInt8]) -> [(number: Int, line: ArraySlice<UInt8>)] {
        let mark = Array("\u{FEFF}".utf8)
        return (bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...])
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
            .map { ($0.offset + 1, $0.element.last == UInt8(ascii: "\r") ? $0.element.dropLast() : $0.element) }
    }

    /// Reads the whole file.
    ///
    /// - Throws: ``CommandError`` of code 69 if it cannot be read.
    static func read(_ path: String) throws(CommandError) -> [UInt8] {
        func unreadable(_ reason: Int32) -> CommandError {
            CommandError(.unavailable, message: "cannot read \(name(path)): \(String(cString: strerror(reason))).")
        }
        guard path.bytewise != "-" else { return try contents(of: .standardInput, or: unreadable(EIO)) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(errno) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        let isFolder = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        return try contents(of: file, or: unreadable(isFolder ? EISDIR : EIO))
    }

    private static func contents(of file: FileHandle, or failure: CommandError) throws(CommandError) -> [UInt8] {
        do {
            return Array(try file.readToEnd() ?? Data())
        } catch {
            throw failure
        }
    }
}
