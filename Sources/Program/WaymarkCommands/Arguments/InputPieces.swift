import DeepLinkCore
import Foundation

/// The contents of an input file in pieces, so that a file of any size can be read.
///
/// `-` is standard input.
struct InputPieces {
    private static let pieceByteCount = 1 << 18

    /// The file's name for messages.
    let name: String

    /// The number of bytes of the file, or 0 if unknown.
    let byteCount: Int

    /// The number of bytes that were read.
    private(set) var readByteCount = 0

    /// The contents that are already in memory.
    private var rest: [UInt8]

    private let handle: FileHandle?

    /// Opens a file.
    ///
    /// - Throws: ``CommandError`` of code 69 if it cannot be read.
    init(_ path: String) throws(CommandError) {
        name = InputFile.name(path)
        let handle = path.bytewise == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        guard let handle else { throw Self.unreadable(name) }
        var status = stat()
        let isKnown = fstat(handle.fileDescriptor, &status) == 0
        guard !isKnown || status.st_mode & S_IFMT != S_IFDIR else { throw Self.unreadable(name) }
        byteCount = isKnown ? Int(status.st_size) : 0
        rest = []
        self.handle = handle
    }

    /// Creates the pieces of contents that are already in memory.
    init(_ bytes: [UInt8], named name: String) {
        self.name = name
        byteCount = bytes.count
        rest = bytes
        handle = nil
    }

    /// Reads the next piece, which is empty at the end.
    ///
    /// - Throws: ``CommandError`` of code 69 if the file cannot be read.
    mutating func next() throws(CommandError) -> [UInt8] {
        defer { rest = [] }
        var piece = rest
        if let handle {
            do {
                piece += try handle.read(upToCount: Self.pieceByteCount) ?? Data()
            } catch {
                throw Self.unreadable(name)
            }
        }
        readByteCount += piece.count
        return piece
    }

    private static func unreadable(_ name: String) -> CommandError {
        CommandError.unavailable("cannot read \(name).")
    }
}
